//! Small controls that every pane uses, each with a name for those who do not see it.

mod combo;
mod lines;
mod menu;
mod rows;
mod table;

pub(super) use combo::{combo, combo_in_groups, combo_of_name, combo_of_width};
pub(super) use lines::{elided, fact_in_line, facts_line, name_of_width, text_of_lines, text_row, verdict_line};
pub(super) use menu::{menu, sheet};
pub(super) use rows::{cell, fact_row, facts, labelled, parts, row, rows_of_part, text_width, widest};
pub(super) use table::{Head, TableReply, TableRow, TextTable};

use super::size_field;
use super::theme::{GRID, Tokens};
use crate::numerals::{self, integer};
use crate::prepare::Detrend;
use egui::text::LayoutJob;
use egui::{
    Align, Button, Color32, DragValue, FocusDirection, Id, Label, Layout, Pos2, Rect, Response, RichText, Role, Sense, Slider, Stroke,
    StrokeKind, TextStyle, Ui, UiBuilder, Vec2, WidgetInfo,
};
use num_complex::Complex64;
use std::ops::RangeInclusive;
use std::time::Duration;

/// A toggle: accented when it is on, outlined when it is off.
pub(super) fn toggle(ui: &mut Ui, value: &mut bool, title: &str) -> Response {
    let response = ui.toggle_value(value, title);
    outline(ui, &response, *value);
    response
}

/// Outlines a toggle that is off.
pub(super) fn outline(ui: &Ui, toggle: &Response, is_on: bool) {
    if !is_on {
        let stroke = Stroke::new(1.0, Tokens::current(ui).raised);
        ui.painter().rect_stroke(toggle.rect, 4.0, stroke, StrokeKind::Inside);
    }
}

/// A choice of one of a few side by side, in the row of the caller; every choice is a value, its name and a sentence on it.
pub(super) fn segmented<T: PartialEq + Copy>(ui: &mut Ui, value: &mut T, choices: &[(T, &str, &str)]) -> Response {
    segmented_unless(ui, value, choices, |_| None)
}

/// The same with disabled choices; `refused` gives the reason.
pub(super) fn segmented_unless<T: PartialEq + Copy>(
    ui: &mut Ui,
    value: &mut T,
    choices: &[(T, &str, &str)],
    refused: impl Fn(T) -> Option<String>,
) -> Response {
    let mut changed = false;
    let mut response = ui.scope(|ui| {
        ui.spacing_mut().item_spacing.x = GRID / 2.0;
        // A narrow column takes from the padding what its texts need.
        let texts: f32 = choices.iter().map(|(_, title, _)| text_width(ui, title) + GRID / 2.0).sum();
        let room = (ui.available_width() - texts) / (2.0 * choices.len() as f32);
        ui.spacing_mut().button_padding.x = room.clamp(2.0, ui.spacing().button_padding.x);
        for (choice, title, about) in choices {
            let why = refused(*choice);
            let item = ui.add_enabled(why.is_none(), Button::selectable(value == choice, *title));
            outline(ui, &item, value == choice);
            if item.on_hover_text(*about).on_disabled_hover_text(why.unwrap_or_default()).clicked() && value != choice {
                *value = *choice;
                changed = true;
            }
        }
    });
    // A name before the buttons is that of all, so that each keeps its own.
    ui.ctx().accesskit_node_builder(response.response.id, |node| node.set_role(Role::RadioGroup));
    if changed {
        response.response.mark_changed();
    }
    response.response
}

/// Names a choice that has no name beside it, for those who hear it.
pub(super) fn named(name: &str, choice: Response) -> Response {
    choice.ctx.accesskit_node_builder(choice.id, |node| node.set_label(name));
    choice
}

/// A size that is a power of two, as 2^k and as a number; it can be typed as 1024, 2^10 or 1k.
pub(super) fn power_of_two(ui: &mut Ui, value: &mut usize, exponents: RangeInclusive<u32>) -> Response {
    // "2^24 = 16 777 216" is longer than other numbers.
    let width = slider_width(ui) - 4.0 * (exponents.end() / 4) as f32;
    size_field::power_of_two(ui, value, exponents, width.max(48.0))
}

/// A slider for a number.
pub(super) fn slider(ui: &mut Ui, value: &mut f64, range: RangeInclusive<f64>, suffix: &str) -> Response {
    ui.spacing_mut().slider_width = slider_width(ui);
    ui.add(Slider::new(value, range).suffix(suffix.to_owned()).max_decimals(3).update_while_editing(false))
}

/// A slider for an integer.
pub(super) fn whole_slider(ui: &mut Ui, value: &mut usize, range: RangeInclusive<usize>, suffix: &str) -> Response {
    ui.spacing_mut().slider_width = slider_width(ui);
    ui.add(Slider::new(value, range).suffix(suffix.to_owned()).update_while_editing(false))
}

/// The width of a slider beside its number.
fn slider_width(ui: &Ui) -> f32 {
    const NUMBER: f32 = 96.0;
    (ui.available_width() - NUMBER).max(48.0)
}

/// A field for a number that can be dragged.
pub(super) fn number(ui: &mut Ui, name: &str, value: &mut f32) -> Response {
    let speed = (value.abs() / 100.0).max(0.001);
    let response = ui.add(DragValue::new(value).speed(speed).max_decimals(4));
    response.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, name));
    response
}

/// Less important text.
pub(super) fn weak(ui: &mut Ui, text: impl Into<String>) -> Response {
    let color = Tokens::current(ui).weak;
    ui.label(RichText::new(text).color(color))
}

/// Stands where an open question of a lesson hides what would answer it; `what` begins a sentence.
pub(super) fn hidden(ui: &mut Ui, what: &str) -> Response {
    weak(ui, format!("{what}: hidden until you have answered the question of the lesson"))
}

/// Says why a pane is empty, and offers a button that fills it; returns whether it was clicked.
pub(super) fn offer(ui: &mut Ui, text: &str, button: &str, about: &str) -> bool {
    ui.add_space(2.0 * GRID);
    let color = Tokens::current(ui).weak;
    ui.add(Label::new(RichText::new(text).color(color)).wrap());
    ui.button(button).on_hover_text(about).clicked()
}

/// An error, in the colour of errors.
pub(super) fn error(ui: &mut Ui, text: &str) {
    let color = Tokens::current(ui).error;
    ui.add(Label::new(RichText::new(text).color(color)).wrap());
}

/// Shows a text in the middle of an empty pane.
pub(super) fn empty_state(ui: &mut Ui, text: &str) {
    let color = Tokens::current(ui).weak;
    let rect = ui.available_rect_before_wrap().intersect(ui.clip_rect());
    let mut job = LayoutJob::simple(text.to_owned(), TextStyle::Body.resolve(ui.style()), color, rect.width());
    // A justified layout would stretch the words.
    job.halign = Align::Center;
    let galley = ui.painter().layout_job(job);
    ui.scope_builder(UiBuilder::new().max_rect(rect), |ui| ui.centered_and_justified(|ui| ui.label(galley)));
}

/// The text of an image or a plot without finite values.
const NOT_FINITE: &str = "No value is finite: a sample is infinite, not a number, or too large to add. The mean can stand in for it";

/// The text of an image or a plot of finite values that single precision, in which pictures are drawn, takes as infinite.
const TOO_LARGE: &str = "The values are above 3.4·10^38, the largest that pictures show. Scale the samples, or export the values";

/// Says in place of a plot or an image that no value can be shown: values `are_finite` but too large, or none is. Offers to put the mean in the place of
/// samples that are not finite.
pub(super) fn not_finite(ui: &mut Ui, rect: Rect, are_finite: bool, detrend: &mut Detrend) {
    if are_finite {
        return in_place_of(ui, rect, TOO_LARGE);
    }
    if *detrend != Detrend::None {
        return in_place_of(ui, rect, "No value is finite: the samples are too large to add. Scale them, or open another file");
    }
    ui.painter().rect_filled(rect, 0.0, Tokens::current(ui).well);
    ui.scope_builder(UiBuilder::new().max_rect(rect.shrink(3.0 * GRID)), |ui| {
        if offer(
            ui,
            NOT_FINITE,
            "Remove the mean",
            "Removes the mean before the transform, and puts it in the place of infinite and NaN samples",
        ) {
            *detrend = Detrend::Mean;
        }
    });
}

/// Shows a text in place of a plot or an image.
pub(super) fn in_place_of(ui: &mut Ui, rect: Rect, text: &str) {
    ui.painter().rect_filled(rect, 0.0, Tokens::current(ui).well);
    ui.scope_builder(UiBuilder::new().max_rect(rect), |ui| empty_state(ui, text));
}

/// A complex number with its magnitude and its phase as text.
pub(super) fn polar(value: Complex64) -> String {
    format!("{}   phase {} rad", complex(value), numerals::number(value.arg(), 4))
}

/// A complex number and its magnitude as text.
pub(super) fn complex(value: Complex64) -> String {
    let Complex64 { re, im } = value;
    let sign = if im < 0.0 { '−' } else { '+' };
    format!("X = {} {sign} {}i   |X| = {}", numerals::number(re, 6), numerals::number(im.abs(), 6), numerals::number(re.hypot(im), 6))
}

/// An exact integer as text, with every digit.
pub(super) fn exact(value: i64) -> String {
    format!("X = {}", integer(value))
}

/// A thin moving line along the top edge of a pane whose result is being computed.
pub(super) fn progress_line(ui: &Ui, pane: Rect) {
    let color = Tokens::current(ui).accent;
    let time = ui.input(|input| input.time);
    let length = pane.width() * 0.25;
    let start = pane.left() - length + (pane.width() + length) * (time * 0.7).fract() as f32;
    let from = start.clamp(pane.left(), pane.right());
    let to = (start + length).clamp(pane.left(), pane.right());
    let line = Rect::from_min_max(Pos2::new(from, pane.top()), Pos2::new(to, pane.top() + 2.0));
    ui.painter().rect_filled(line, 0.0, color);
    ui.request_repaint_after(Duration::from_millis(33));
}

/// A triangle with an exclamation mark, drawn because the fonts have none.
pub(super) fn warning_sign(ui: &mut Ui) {
    let color = Tokens::current(ui).warning;
    let (rect, _) = ui.allocate_exact_size(egui::vec2(14.0, 14.0), Sense::hover());
    let corners = vec![rect.center_top(), rect.right_bottom(), rect.left_bottom()];
    ui.painter().add(egui::Shape::closed_line(corners, (1.2, color)));
    let middle = rect.center();
    ui.painter().vline(middle.x, middle.y - 2.0..=middle.y + 3.0, (1.4, color));
    ui.painter().vline(middle.x, middle.y + 4.4..=middle.y + 5.8, (1.4, color));
}

/// A small i in a circle, before a note that is not a warning.
pub(super) fn note_sign(ui: &mut Ui) {
    let color = Tokens::current(ui).accent;
    let (rect, _) = ui.allocate_exact_size(egui::vec2(14.0, 14.0), Sense::hover());
    let middle = rect.center();
    ui.painter().circle_stroke(middle, 6.0, (1.2, color));
    ui.painter().vline(middle.x, middle.y - 1.0..=middle.y + 3.2, (1.4, color));
    ui.painter().vline(middle.x, middle.y - 3.4..=middle.y - 2.0, (1.4, color));
}

/// A small square of a colour before a name.
pub(super) fn swatch(ui: &mut Ui, color: Color32) {
    let (rect, _) = ui.allocate_exact_size(egui::vec2(10.0, 10.0), Sense::hover());
    ui.painter().rect_filled(rect, 2.0, color);
}

/// Words in the upper left corner of a picture, on a ground of their own.
pub(super) fn words_over(ui: &mut Ui, picture: Rect, text: &str) {
    let text = RichText::new(text).color(Color32::WHITE).background_color(Color32::from_black_alpha(170));
    let place = picture.shrink(GRID).with_max_y(picture.top() + 6.0 * GRID);
    ui.scope_builder(UiBuilder::new().max_rect(place).layout(Layout::left_to_right(Align::Min)), |ui| {
        ui.add(Label::new(text).selectable(false).truncate());
    });
}

/// Notes how far the work of the pane is that is being drawn, so that a line along its edge shows it.
pub(super) fn note_progress(ui: &Ui, fraction: f32) {
    ui.data_mut(|data| data.insert_temp(Id::unique(PROGRESS), fraction));
    ui.request_repaint_after(Duration::from_millis(100));
}

/// Shows what has been noted by a line along the top edge of the pane, where nothing of it is covered.
pub(super) fn noted_progress_line(ui: &Ui, pane: Rect) {
    if let Some(fraction) = ui.data_mut(|data| data.remove_temp::<f32>(Id::unique(PROGRESS))) {
        let edge = Rect::from_min_size(pane.min, egui::vec2(pane.width(), 3.0));
        let line = edge.with_max_x(edge.left() + fraction.clamp(0.0, 1.0) * edge.width());
        ui.painter().rect_filled(line, 0.0, Tokens::current(ui).accent);
        let info = || WidgetInfo { value: Some(f64::from(fraction)), ..WidgetInfo::labeled(Role::ProgressIndicator, true, "Progress") };
        ui.interact(edge, ui.scope_id().with(PROGRESS), Sense::hover()).widget_info(info);
    }
}

/// Where the progress of a pane is noted.
const PROGRESS: &str = "progress of the pane";

/// Begins a group of controls; the first of them takes the focus at once where the group `is_entered`.
pub(super) fn begin_group(ui: &Ui, id: Id, name: &str, is_entered: bool) -> Response {
    if is_entered {
        ui.memory_mut(|memory| {
            memory.request_focus(id);
            memory.move_focus(FocusDirection::Next);
        });
    }
    focus_stop(ui, id, name)
}

/// A place without a size that takes the focus.
pub(super) fn focus_stop(ui: &Ui, id: Id, name: &str) -> Response {
    let response = ui.interact(Rect::from_min_size(ui.max_rect().min, Vec2::splat(1.0)), id, Sense::focusable_noninteractive());
    response.widget_info(|| WidgetInfo::labeled(Role::Group, true, name));
    response
}

//! Rows of names, controls and cells, and the widths of texts in them.

use super::{Tokens, weak};
use egui::{Align, Color32, DragValue, Label, Layout, Response, RichText, Role, TextStyle, TextWrapMode, Ui, WidgetInfo, vec2};
use std::ops::Range;

/// The width of the names beside controls, in points.
const NAME_WIDTH: f32 = 72.0;
/// A narrow column has names of this width beside its controls, in points; and a narrower one has them above.
const ROOM_FOR_WIDE_NAMES: f32 = 240.0;
const NARROW_NAME_WIDTH: f32 = 68.0;
const ROOM_FOR_NAMES_BESIDE: f32 = 208.0;
/// The most rows of a part of a list: positions of more rows are not exact in single precision.
const MOST_ROWS: usize = 1 << 16;

/// A name, and a control at its right; in a narrow column below it.
pub(crate) fn row(ui: &mut Ui, name: &str, control: impl FnOnce(&mut Ui) -> Response) -> Response {
    let room = ui.available_width();
    let label = |ui: &mut Ui| ui.add(Label::new(RichText::new(name).color(Tokens::current(ui).weak)).truncate());
    if room < ROOM_FOR_NAMES_BESIDE {
        let label = label(ui);
        return ui.horizontal(|ui| control(ui).labelled_by(label.id)).inner;
    }
    let width = if room < ROOM_FOR_WIDE_NAMES { NARROW_NAME_WIDTH } else { NAME_WIDTH };
    ui.horizontal(|ui| {
        let label = cell(ui, width, label);
        control(ui).labelled_by(label.id)
    })
    .inner
}

/// A part of a row that is `width` points wide, whatever is in it. A grid would first be shown with the widths of the frame before.
pub(crate) fn cell<R>(ui: &mut Ui, width: f32, content: impl FnOnce(&mut Ui) -> R) -> R {
    let size = vec2(width, ui.spacing().interact_size.y);
    let shown = ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_width(width);
        // A text of just this width stays in one line.
        ui.style_mut().wrap_mode = Some(TextWrapMode::Extend);
        content(ui)
    });
    shown.inner
}

/// A name in `width` points and its value, which may take several lines. A grid would first be shown with the heights of lines that do not wrap.
pub(crate) fn fact_row(ui: &mut Ui, width: f32, name: &str, value: impl Into<String>) -> Response {
    let row = ui.horizontal_top(|ui| {
        let (_, place) = ui.allocate_space(vec2(width, ui.text_style_height(&TextStyle::Body)));
        weak(&mut ui.new_child(egui::UiBuilder::new().max_rect(place).layout(Layout::left_to_right(Align::Min))), name);
        ui.add(Label::new(value.into()).wrap())
    });
    row.inner
}

/// Names and their values, a row each.
pub(crate) fn facts(ui: &mut Ui, facts: &[(&str, String)]) {
    let width = widest(ui, facts.iter().map(|(name, _)| *name));
    facts.iter().for_each(|(name, value)| drop(fact_row(ui, width, name, value)));
}

/// The rows of a part of a list that is too long to scroll; if there are several parts, with the choice of one.
pub(crate) fn rows_of_part(ui: &mut Ui, name: &str, part: &mut usize, n: usize) -> Range<usize> {
    let n_parts = n.div_ceil(MOST_ROWS).max(1);
    *part = (*part).min(n_parts - 1);
    if n_parts > 1 {
        ui.horizontal(|ui| {
            weak(ui, "Part");
            let drag = ui.add(DragValue::new(part).range(0..=n_parts - 1).suffix(format!(" of 0 to {}", n_parts - 1)));
            drag.widget_info(|| WidgetInfo::labeled(Role::SpinButton, true, name));
        });
    }
    *part * MOST_ROWS..((*part + 1) * MOST_ROWS).min(n)
}

/// The width of the widest of some texts, in points.
pub(crate) fn widest<'a>(ui: &Ui, texts: impl IntoIterator<Item = &'a str>) -> f32 {
    texts.into_iter().map(|text| text_width(ui, text)).fold(0.0, f32::max)
}

/// A name and a control behind it, in the row of the caller.
pub(crate) fn labelled(ui: &mut Ui, name: &str, control: impl FnOnce(&mut Ui) -> Response) -> Response {
    let label = weak(ui, name);
    control(ui).labelled_by(label.id)
}

/// The separator between two parts of a line.
const SEPARATOR: &str = " · ";

/// The parts of a line that fit into `room` points, as `look` shows them; where some do not, with all of them on a hover.
pub(crate) fn parts(ui: &mut Ui, parts: &[String], room: f32, look: impl Fn(String) -> RichText) {
    let shown = fitting_parts(parts, |text| text_width(ui, text) <= room);
    if shown.is_empty() {
        return;
    }
    let all = parts.join(SEPARATOR);
    let is_whole = shown == all;
    let label = ui.add(Label::new(look(shown)).extend());
    if !is_whole {
        label.on_hover_text(all);
    }
}

/// As many parts as fit: the last ones go first, so that no part is cut.
fn fitting_parts(parts: &[String], fits: impl Fn(&str) -> bool) -> String {
    (0..=parts.len()).rev().map(|n| parts[..n].join(SEPARATOR)).find(|text| fits(text)).unwrap_or_default()
}

/// How wide a text of the body is, in points.
pub(crate) fn text_width(ui: &Ui, text: &str) -> f32 {
    ui.painter().layout_no_wrap(text.to_owned(), TextStyle::Body.resolve(ui.style()), Color32::WHITE).size().x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_gives_way_by_whole_parts() {
        let parts = ["dft2", "stockham", "512 × 512 px"].map(str::to_owned);
        let fitting = |room: usize| fitting_parts(&parts, |text| text.chars().count() <= room);
        assert_eq!([100, 20, 4, 3].map(fitting), ["dft2 · stockham · 512 × 512 px", "dft2 · stockham", "dft2", ""]);
    }
}

//! The sources that are open, as tabs; why another one is shown than the current one; and which part of a source is shown.

use crate::signal::Signal;
use crate::ui::action::Action;
use crate::ui::origin::Origin;
use crate::ui::scene::StandIn;
use crate::ui::settings::{Line, Part, Slice};
use crate::ui::sources::Sources;
use crate::ui::theme::GRID;
use crate::ui::widgets;
use egui::{Role, Slider, Ui, WidgetInfo};
use std::sync::Arc;

/// The most width of the name of a source, and the width that the button beside it takes, in points.
const MOST_WIDTH: f32 = 200.0;
const WIDTH_OF_CLOSING: f32 = 48.0;
/// The width of the list of counts, in points.
const WIDTH_OF_COUNTS: f32 = 130.0;
/// The most samples of a part, as a power of two.
const MOST_SAMPLES: u32 = 12;

/// The tabs of the sources, where several are open, and the line that says why the current one is not shown.
pub(super) fn sources_ui(ui: &mut Ui, (sources, shown): (&Sources, &Origin), stand_in: Option<&StandIn>, actions: &mut Vec<Action>) {
    if sources.open().len() > 1 {
        tabs_ui(ui, sources, shown, actions);
    }
    let Some(StandIn { text, button, origin }) = stand_in else { return };
    ui.horizontal_wrapped(|ui| {
        widgets::note_sign(ui);
        ui.label(text.as_str());
        let about = format!("{} was opened last", origin.title());
        if ui.button(widgets::name_of_width(ui, button, MOST_WIDTH)).on_hover_text(about).clicked() {
            actions.push(Action::UseHere(origin.clone()));
        }
    });
}

fn tabs_ui(ui: &mut Ui, sources: &Sources, shown: &Origin, actions: &mut Vec<Action>) {
    let room = ui.available_width() - WIDTH_OF_CLOSING;
    ui.horizontal_wrapped(|ui| {
        for source in sources.open() {
            let title = source.origin.title();
            let is_shown = source.origin == *shown;
            let label = ui.selectable_label(is_shown, widgets::name_of_width(ui, &title, MOST_WIDTH.min(room)));
            widgets::outline(ui, &label, is_shown);
            label.widget_info(|| WidgetInfo::selected(Role::Tab, true, is_shown, format!("Tab {title}")));
            let about = "Shows this source with what was set for it; Ctrl+Tab goes through the sources in the order of use";
            if label.on_hover_text(format!("{title}\n{about}")).clicked() {
                actions.push(Action::ShowSource(source.origin.clone()));
            }
            let close = ui.button("×").on_hover_text("Closes the source; the file stays");
            close.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Close {title}")));
            if close.clicked() {
                actions.push(Action::CloseSource(source.origin.clone()));
            }
        }
    });
}

/// The row, column or part of the source that is shown, with what moves it.
pub(super) fn slice_ui(ui: &mut Ui, slice: &mut Option<Slice>, whole: Option<&Arc<Signal>>) {
    let (Some(slice), Some(whole)) = (slice.as_mut().filter(|slice| !slice.is_whole()), whole) else { return };
    if let Some(line) = &mut slice.line {
        ui.horizontal(|ui| line_ui(ui, line, whole));
    }
    let length = slice.length(whole).max(1);
    if let Some(part) = &mut slice.part {
        ui.horizontal(|ui| part_ui(ui, part, length));
    }
    *slice = slice.within(whole);
    ui.label(slice.words(whole));
}

/// Gives the next slider what is left of its row.
fn fill_with_slider(ui: &mut Ui) {
    ui.spacing_mut().slider_width = (ui.available_width() - GRID).clamp(10.0 * GRID, MOST_WIDTH);
}

fn line_ui(ui: &mut Ui, Line { is_column, index }: &mut Line, whole: &Signal) {
    if whole.kind.is_image() {
        let ways = [(false, "Row", "The samples of a row of the image"), (true, "Column", "The samples of a column of the image")];
        widgets::named("Row or column", widgets::segmented(ui, is_column, &ways));
    }
    let n = if *is_column { whole.columns } else { whole.rows };
    fill_with_slider(ui);
    let slider = ui.add(Slider::new(index, 0..=n.saturating_sub(1)).show_value(false));
    slider.widget_info(|| WidgetInfo::slider(true, *index as f64, "Which row or column"));
    slider.on_hover_text("The row or column of the source that is shown");
}

fn part_ui(ui: &mut Ui, Part { first, n }: &mut Part, length: usize) {
    let counts = (1..=length.ilog2().min(MOST_SAMPLES)).map(|k| (1 << k, format!("{} samples", 1 << k), String::new()));
    widgets::combo_of_width(ui, "Number of samples", WIDTH_OF_COUNTS, format!("{n} samples"), n, counts);
    fill_with_slider(ui);
    let slider = ui.add(Slider::new(first, 0..=length.saturating_sub(*n)).show_value(false));
    slider.widget_info(|| WidgetInfo::slider(true, *first as f64, "First sample"));
    slider.on_hover_text("Where in the source the samples begin");
}

//! The sources that are open, as tabs; why another one is shown than the current one; and which part of a source is shown.

use crate::engine::LiveStream;
use crate::signal::Signal;
use crate::ui::action::Action;
use crate::ui::origin::Origin;
use crate::ui::scene::StandIn;
use crate::ui::settings::{Line, Part, Slice};
use crate::ui::sources::Sources;
use crate::ui::theme::GRID;
use crate::ui::widgets;
use egui::{Role, ScrollArea, Slider, Ui, WidgetInfo};
use std::sync::Arc;

/// The most width of the name of a source, and the width that the button beside it takes, in points.
const MOST_WIDTH: f32 = 200.0;
const WIDTH_OF_CLOSING: f32 = 48.0;
/// The width of the list of counts, in points.
const WIDTH_OF_COUNTS: f32 = 130.0;
/// The most samples of a part, as a power of two.
const MOST_SAMPLES: u32 = 12;

/// The tabs of the sources, where several or a stream are open, and the line that says why the current one is not shown.
pub(super) fn sources_ui(
    ui: &mut Ui,
    (sources, stream, shown): (&Sources, Option<&LiveStream>, &Origin),
    stand_in: Option<&StandIn>,
    actions: &mut Vec<Action>,
) {
    const KEYS: &str = "Ctrl+Tab goes through the sources in the order of use";
    let is_stream = sources.is_stream_current();
    let mut tabs: Vec<Tab> = Vec::new();
    tabs.extend(sources.open().iter().map(|source| Tab {
        title: source.origin.title(),
        is_shown: source.origin == *shown && !is_stream,
        about: format!("Shows this source with what was set for it; {KEYS}"),
        closing: "Closes the source; the file stays",
        actions: [Action::ShowSource(source.origin.clone()), Action::CloseSource(source.origin.clone())],
    }));
    tabs.extend(stream.map(|stream| Tab {
        title: stream.name().to_owned(),
        is_shown: is_stream,
        about: format!("Shows the stream; {KEYS}"),
        closing: "Ends the stream; what was not saved is lost",
        actions: [Action::ShowStream, Action::CloseStream],
    }));
    if tabs.len() > 1 || stream.is_some() {
        tabs_ui(ui, tabs, actions);
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

/// A source in the row of tabs, with what shows it and what closes it.
struct Tab {
    title: String,
    is_shown: bool,
    about: String,
    closing: &'static str,
    actions: [Action; 2],
}

/// One row of tabs, which scrolls where they are too many for it; the one that is shown comes into view when it changes.
fn tabs_ui(ui: &mut Ui, tabs: Vec<Tab>, actions: &mut Vec<Action>) {
    let room = ui.available_width() - WIDTH_OF_CLOSING;
    let shown_last = ui.scope_id().with("the tab that is shown");
    let row = |ui: &mut Ui| {
        for Tab { title, is_shown, about, closing, actions: [show, end] } in tabs {
            let label = ui.selectable_label(is_shown, widgets::name_of_width(ui, &title, MOST_WIDTH.min(room)));
            widgets::outline(ui, &label, is_shown);
            label.widget_info(|| WidgetInfo::selected(Role::Tab, true, is_shown, format!("Tab {title}")));
            let close = ui.button("×").on_hover_text(closing);
            close.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Close {title}")));
            let is_new = |last: &mut String| std::mem::replace(last, title.clone()) != title;
            if is_shown && ui.data_mut(|data| is_new(data.get_temp_mut_or_default(shown_last))) {
                ui.scroll_to_rect(label.rect.union(close.rect), None);
            }
            if close.clicked() {
                actions.push(end);
            }
            if label.on_hover_text(format!("{title}\n{about}")).clicked() {
                actions.push(show);
            }
        }
    };
    ui.scope(|ui| {
        ui.style_mut().always_scroll_the_only_direction = true;
        ScrollArea::horizontal().id_salt("open sources").show(ui, |ui| ui.horizontal(row));
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

//! Lines of text that keep their height and never wrap, so that no longer text moves what is below.

use super::{GRID, Tokens, text_width, weak};
use crate::signal::fitting_name;
use egui::text::{LayoutJob, TextFormat};
use egui::{Align, Layout, RichText, Role, TextStyle, Ui, WidgetInfo};

/// A line below a field that always takes its room, so that no error moves what is below: the error in it, else a hint. A hover shows all of it.
pub(crate) fn verdict_line(ui: &mut Ui, error: Option<&str>, hint: &str) {
    let tokens = Tokens::current(ui);
    let (text, color) = error.map_or((hint, tokens.weak), |error| (error, tokens.error));
    text_row(ui, |ui| drop(ui.add(egui::Label::new(RichText::new(text).color(color)).truncate()).on_hover_text(text)));
}

/// Names and values in one line that never wraps, so that no longer value moves what is below; a hover shows those that do not fit.
pub(crate) fn facts_line(ui: &mut Ui, facts: &[(&str, String)]) {
    text_row(ui, |row| {
        let more = text_width(row, "…");
        for (index, (name, value)) in facts.iter().enumerate() {
            let (room, rest) = (row.available_width(), if index + 1 < facts.len() { more } else { 0.0 });
            if text_width(row, &format!("{name} {value}")) + GRID + rest > room {
                let hidden = facts[index..].iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>();
                let more = weak(row, "…");
                more.widget_info(|| WidgetInfo::labeled(Role::Label, true, hidden.join(", ")));
                more.on_hover_text(hidden.join("\n"));
                return;
            }
            fact_in_line(row, name, value);
        }
    });
}

/// A row as high as a line of text, whatever is in it.
pub(crate) fn text_row(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    let height = ui.text_style_height(&TextStyle::Body) + GRID;
    let (_, line) = ui.allocate_space(egui::vec2(ui.available_width(), height));
    content(&mut ui.new_child(egui::UiBuilder::new().max_rect(line).layout(Layout::left_to_right(Align::Center))));
}

/// Text of exactly `n` lines; a hover shows what does not fit.
pub(crate) fn text_of_lines(ui: &mut Ui, text: &str, n: usize) {
    let font = TextStyle::Small.resolve(ui.style());
    let mut job = LayoutJob::simple(text.to_owned(), font, Tokens::current(ui).weak, ui.available_width());
    job.wrap.max_rows = n;
    let galley = ui.painter().layout_job(job);
    let (elided, height) = (galley.elided, n as f32 * (ui.text_style_height(&TextStyle::Small) + 0.5));
    let (_, place) = ui.allocate_space(egui::vec2(ui.available_width(), height.ceil()));
    let label = ui.new_child(egui::UiBuilder::new().max_rect(place)).label(galley);
    if elided {
        label.on_hover_text(text);
    }
}

/// A text that fits into a width: its end gives way to "…".
pub(crate) fn elided(ui: &Ui, text: &str, width: f32) -> String {
    let whole = std::iter::once(text.to_owned());
    let parts = text.char_indices().rev().map(|(end, _)| format!("{}…", text[..end].trim_end()));
    whole.chain(parts).find(|part| text_width(ui, part) <= width).unwrap_or_default()
}

/// A name that fits into a width: its middle gives way to "…".
pub(crate) fn name_of_width(ui: &Ui, name: &str, width: f32) -> String {
    fitting_name(name, |text| text_width(ui, text) <= width)
}

/// A name and its value, which stay together when lines wrap.
pub(crate) fn fact_in_line(ui: &mut Ui, name: &str, value: &str) {
    let (tokens, font) = (Tokens::current(ui), TextStyle::Body.resolve(ui.style()));
    let mut both = LayoutJob::default();
    both.append(&format!("{name} "), 0.0, TextFormat::simple(font.clone(), tokens.weak));
    both.append(value, GRID, TextFormat::simple(font, tokens.text));
    ui.add(egui::Label::new(both).extend());
    ui.add_space(2.0 * GRID);
}

//! The controls of typed numbers: their text and the error in it.

use crate::signal::generate::Typed;
use crate::ui::theme::GRID;
use crate::ui::widgets;
use egui::{Id, TextEdit, Ui, WidgetInfo};

/// The field of the numbers. A text that is wrong stays in the field, and the last valid text stays in use.
pub(super) fn typed_ui(ui: &mut Ui, typed: &mut Typed) {
    let id: Id = ui.scope_id().with("typed values");
    // The text in the field, and the text that was in use when it was typed.
    let unfinished: Option<(String, String)> = ui.data(|data| data.get_temp(id));
    let mut text = unfinished.filter(|(_, in_use)| *in_use == typed.text).map_or_else(|| typed.text.clone(), |(text, _)| text);
    let field = TextEdit::multiline(&mut text).desired_rows(2).desired_width(f32::INFINITY).hint_text("1 0 1 1");
    let response = ui.add(field.font(egui::TextStyle::Monospace).min_size(egui::vec2(0.0, 6.0 * GRID)));
    response.widget_info(|| WidgetInfo::text_edit(true, "", &text, "1 0 1 1"));
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_label("Typed values"));
    response.on_hover_text("Numbers between blanks: 1, -0.5, 1/3 or 1+2i. A semicolon begins another row");
    match (Typed { text: text.clone(), image: typed.image }).signal() {
        Ok(_) => {
            ui.data_mut(|data| data.remove::<(String, String)>(id));
            typed.text = text;
            widgets::verdict_line(ui, None, "A semicolon begins another row");
        }
        Err(error) => {
            widgets::verdict_line(ui, Some(&error), "");
            ui.data_mut(|data| data.insert_temp(id, (text, typed.text.clone())));
        }
    }
}

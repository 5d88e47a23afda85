//! The field for the size of a pixel, which gives an image lengths and its spectrum frequencies in a unit.

use crate::signal::PixelSize;
use crate::ui::action::Action;
use crate::ui::size_field::refusal_ui;
use crate::ui::widgets;
use egui::{Role, TextEdit, Ui, WidgetInfo};

/// Shows the size of a pixel, and lets the user type another one; `typing` is the text while it is typed.
pub(super) fn pixel_ui(ui: &mut Ui, size: Option<PixelSize>, typing: &mut Option<String>, actions: &mut Vec<Action>) {
    let shown = size.map_or(String::new(), |size| size.to_string());
    let mut text = typing.clone().unwrap_or_else(|| shown.clone());
    let about = "The size of a pixel with its unit: 0.2 nm, 1.5 µm, 0.2 x 0.3 mm, 0.4 arcsec. Empty goes back to that of the file";
    let field = widgets::row(ui, "Pixel size", |ui| {
        let field = ui
            .add(TextEdit::singleline(&mut text).align(egui::Align2::LEFT_CENTER).hint_text("unknown").desired_width(f32::INFINITY))
            .on_hover_text(about);
        field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Pixel size"));
        field
    });
    if field.has_focus() {
        *typing = Some(text);
        refusal_ui(ui, field.id, &field, None);
        return;
    }
    let Some(text) = typing.take().filter(|text| *text != shown) else {
        return refusal_ui(ui, field.id, &field, None);
    };
    let parsed = if text.trim().is_empty() { Ok(None) } else { text.parse::<PixelSize>().map(Some) };
    match parsed {
        Ok(size) => {
            actions.push(Action::SetPixelSize(size));
            refusal_ui(ui, field.id, &field, Some(String::new()));
        }
        Err(why) => refusal_ui(ui, field.id, &field, Some(why)),
    }
}

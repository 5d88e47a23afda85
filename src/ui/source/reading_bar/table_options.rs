//! How a table is read besides its axis and its channels: rows as signals, uneven steps and missing values.

use crate::choice::Named as _;
use crate::signal::{DecimalMark, Layout, Missing, ReadOptions, Uneven};
use crate::ui::origin::TableReading;
use crate::ui::widgets;
use egui::{TextEdit, Ui, WidgetInfo};

/// Width of the field of codes.
const CODES_WIDTH: f32 = 160.0;

/// Rows as signals, uneven steps and missing values.
pub(super) fn table_options_ui(ui: &mut Ui, options: &mut ReadOptions, typed_codes: &mut Option<String>) {
    let sheet = widgets::sheet(ui, "Reading", |ui| {
        let mut is_batch = options.layout == Layout::Batch;
        let batch = ui.checkbox(&mut is_batch, "Rows are signals").on_hover_text("Every row is a signal of its own");
        if batch.changed() {
            options.layout = if is_batch { Layout::Batch } else { Layout::Auto };
        }
        ui.separator();
        ui.label("Uneven steps");
        for way in [Uneven::Linear, Uneven::Cubic, Uneven::Even] {
            ui.radio_value(&mut options.uneven, Some(way), way.title()).on_hover_text(way.about());
        }
        ui.radio_value(&mut options.uneven, None, "Keep them");
        ui.separator();
        ui.label("Decimal sign");
        ui.horizontal(|ui| {
            ui.radio_value(&mut options.decimal, None, "Automatic").on_hover_text("The numbers of the table say it");
            for mark in DecimalMark::ALL {
                ui.radio_value(&mut options.decimal, Some(*mark), mark.title()).on_hover_text(mark.about());
            }
        });
        ui.separator();
        ui.label("Missing values");
        for (what, title, about) in Missing::offered() {
            ui.radio_value(&mut options.missing, what, title).on_hover_text(about);
        }
        codes_ui(ui, &mut options.missing_codes, typed_codes);
        ui.separator();
        if ui.button("Read automatically").on_hover_text("Decide by the content of the table").clicked() {
            *options = TableReading::automatic();
            *typed_codes = None;
        }
    });
    if sheet.inner.is_none() {
        *typed_codes = None;
    }
    sheet.response.on_hover_text("Uneven steps, missing values, and rows as signals");
}

/// The numbers that stand for missing values. They take effect when the field is left; a wrong text stays in it.
fn codes_ui(ui: &mut Ui, codes: &mut Vec<f64>, typed: &mut Option<String>) {
    let in_use = || codes.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
    let mut text = typed.clone().unwrap_or_else(in_use);
    let field = TextEdit::singleline(&mut text).desired_width(CODES_WIDTH).hint_text("Codes, as -9999");
    let response = ui.add(field);
    response.widget_info(|| WidgetInfo::text_edit(true, "", &text, "Codes, as -9999"));
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_label("Codes for missing values"));
    let parsed = parsed(&text);
    if response.changed() {
        *typed = Some(text);
    }
    match parsed {
        Ok(parsed) if response.lost_focus() && typed.take().is_some() => *codes = parsed,
        Ok(_) => {}
        Err(wrong) => widgets::error(ui, &format!("“{wrong}” is not a number")),
    }
    response.on_hover_text("Numbers that stand for missing values, with blanks between them");
}

/// The numbers of a text.
///
/// # Errors
/// The first word that is not a number.
fn parsed(text: &str) -> Result<Vec<f64>, String> {
    let words = text.split([' ', ';']).filter(|word| !word.is_empty());
    let number = |word: &str| word.replace('−', "-").parse::<f64>().ok().filter(|code| code.is_finite());
    words.map(|word| number(word).ok_or_else(|| word.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_numbers_between_blanks() {
        for (text, codes) in [("", vec![]), ("-9999", vec![-9999.0]), ("−99.9 1e20", vec![-99.9, 1e20]), ("999; -1", vec![999.0, -1.0])] {
            assert_eq!(parsed(text), Ok(codes), "{text}");
        }
        assert_eq!(parsed("-9999 x"), Err("x".to_owned()));
        assert_eq!(parsed("inf"), Err("inf".to_owned()));
    }
}

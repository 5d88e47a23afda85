//! Draws the text of a step: each paragraph is a single label.
//!
//! A line may break between two labels, in front of a comma as well, so a paragraph is not made of several.

use crate::lesson::{RunStyle, TextBlock, TextRun};
use crate::ui::theme::GRID;
use crate::ui::widgets::{TableRow, TextTable};
use egui::text::LayoutJob;
use egui::{Frame, Label, TextFormat, TextStyle, Ui};

/// Slanted letters lean into the space behind them by about this part of their size.
const LEAN: f32 = 0.12;

/// Shows the blocks of a text, one below the other.
pub(super) fn text_ui(ui: &mut Ui, blocks: &[TextBlock]) {
    for (index, block) in blocks.iter().enumerate() {
        match block {
            TextBlock::Paragraph(runs) => {
                ui.add(Label::new(layout_job(ui, runs)).wrap());
            }
            TextBlock::Item(runs) => {
                ui.horizontal_top(|ui| {
                    ui.label("•");
                    ui.add(Label::new(layout_job(ui, runs)).wrap());
                });
            }
            TextBlock::Table(rows) => table_ui(ui, index, rows),
        }
        ui.add_space(GRID);
    }
}

fn table_ui(ui: &mut Ui, index: usize, rows: &[Vec<Vec<TextRun>>]) {
    Frame::group(ui.style()).show(ui, |ui| {
        let rows = rows.iter().map(|cells| TableRow::of(cells.iter().map(|cell| layout_job(ui, cell))));
        TextTable::new(&format!("table {index}"), []).show(ui, &rows.collect::<Vec<_>>());
    });
}

/// The runs of a paragraph as one text.
fn layout_job(ui: &Ui, runs: &[TextRun]) -> LayoutJob {
    let font = TextStyle::Body.resolve(ui.style());
    let visuals = ui.visuals();
    let mut job = LayoutJob::default();
    let mut before = RunStyle::Plain;
    for TextRun { text, style } in runs {
        let plain = TextFormat::simple(font.clone(), visuals.text_color());
        let format = match style {
            RunStyle::Plain => plain,
            RunStyle::Emphasised => TextFormat { italics: true, ..plain },
            // The fonts have one weight: names of panes and controls are on a ground of their own.
            RunStyle::Strong => TextFormat { color: visuals.strong_text_color(), background: visuals.code_bg_color, ..plain },
            RunStyle::Code => TextFormat { font_id: TextStyle::Monospace.resolve(ui.style()), background: visuals.code_bg_color, ..plain },
        };
        let lean = if before == RunStyle::Emphasised && text.starts_with(' ') { LEAN * font.size } else { 0.0 };
        job.append(text, lean, format);
        before = *style;
    }
    job
}

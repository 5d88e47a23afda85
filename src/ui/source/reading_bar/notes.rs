//! The decisions and changes of the reading of a file, a sentence each, with the other readings as buttons.

use crate::numerals::counted;
use crate::remedy::Remedy;
use crate::signal::{DecimalMark, Layout, ReadOptions, Signal, TimeChoice, Uneven};
use crate::ui::origin::TableReading;
use crate::ui::widgets;
use egui::{Role, Ui, WidgetInfo};
use std::ops::Range;

/// The height that the plot below keeps where more than one note is shown, and the height of a note.
const LEAST_PLOT: f32 = 96.0;
const NOTE_HEIGHT: f32 = 24.0;
/// The most rows of notes, and the room that a note takes besides its texts: its sign, and the frame of each button.
const MOST_ROWS: usize = 3;
const SIGN_WIDTH: f32 = 32.0;
const BUTTON_FRAME: f32 = 20.0;
/// The most width and height of what opens over the plot.
pub(super) const SHEET: [f32; 2] = [640.0, 300.0];
/// The room for the button of the notes that have none.
const MORE_WIDTH: f32 = 72.0;

/// A sentence, and the other readings.
pub(super) struct Said<'a> {
    text: &'a str,
    others: Vec<(&'static str, &'static str, ReadOptions)>,
}

/// Whether notes below `height` points of room go into the row of the controls.
pub(super) fn is_low(height: f32) -> bool {
    height - NOTE_HEIGHT < LEAST_PLOT
}

/// Shows the notes in as many rows as fit, and a button that opens the others.
pub(super) fn notes_ui(ui: &mut Ui, height: f32, notes: &[Said<'_>], options: &mut ReadOptions) {
    let room = ((height - NOTE_HEIGHT - LEAST_PLOT) / NOTE_HEIGHT).clamp(1.0, MOST_ROWS as f32) as usize;
    let widths: Vec<f32> = notes.iter().map(|note| note.width(ui)).collect();
    let rows = rows_of(&widths, ui.available_width(), room);
    let hidden = &notes[rows.last().map_or(0, |row| row.end)..];
    for (index, row) in rows.iter().enumerate() {
        ui.horizontal_wrapped(|ui| {
            notes[row.clone()].iter().for_each(|note| note_ui(ui, note, options));
            if index + 1 == rows.len() && !hidden.is_empty() {
                more_ui(ui, &format!("{} more", hidden.len()), hidden, options);
            }
        });
    }
}

impl Said<'_> {
    /// The width that it takes in a row.
    fn width(&self, ui: &Ui) -> f32 {
        SIGN_WIDTH + widgets::text_width(ui, self.text) + self.buttons_width(ui)
    }

    /// The width of the buttons of the other readings.
    fn buttons_width(&self, ui: &Ui) -> f32 {
        let frame = 2.0 * ui.spacing().button_padding.x + ui.spacing().item_spacing.x;
        self.others.iter().map(|(title, ..)| widgets::text_width(ui, title) + frame.max(BUTTON_FRAME)).sum()
    }
}

/// Which notes are in which row. Notes that have no room in `most` rows are left out.
fn rows_of(widths: &[f32], width: f32, most: usize) -> Vec<Range<usize>> {
    let mut rows: Vec<Range<usize>> = Vec::new();
    let mut left = 0.0;
    for (index, note) in widths.iter().enumerate() {
        let is_last_row = rows.len() == most;
        // In the last row others may follow behind a button.
        let others = if is_last_row && index + 1 < widths.len() { MORE_WIDTH } else { 0.0 };
        match rows.last_mut() {
            Some(row) if note + others <= left => row.end += 1,
            _ if is_last_row => break,
            _ => {
                rows.push(index..index + 1);
                left = width;
            }
        }
        left -= note;
    }
    rows
}

/// A button that opens the notes that have no room.
fn more_ui(ui: &mut Ui, title: &str, hidden: &[Said<'_>], options: &mut ReadOptions) {
    let more = widgets::sheet(ui, title, |ui| {
        ui.set_max_width(SHEET[0]);
        for note in hidden {
            ui.horizontal_wrapped(|ui| note_ui(ui, note, options));
        }
    });
    more.response.on_hover_text("What was decided about the file, and the other readings");
}

/// Shows the beginning of the first note behind the controls, for a low pane, and its other readings where `offers_others`; a button opens all.
pub(super) fn in_row_ui(ui: &mut Ui, notes: &[Said<'_>], options: &mut ReadOptions, offers_others: bool) {
    let Some(first) = notes.first() else { return };
    let title = counted(notes.len(), "note");
    let room = ui.available_width() - SIGN_WIDTH - widgets::text_width(ui, &title) - 2.0 * BUTTON_FRAME;
    let for_text = if offers_others { room - first.buttons_width(ui) } else { room };
    // Where nothing of the sentence fits, the buttons alone do.
    if for_text > SIGN_WIDTH {
        widgets::note_sign(ui);
        let label = ui.label(widgets::elided(ui, first.text, for_text));
        label.widget_info(|| WidgetInfo::labeled(Role::Label, true, first.text));
        label.on_hover_text(first.text);
    }
    if offers_others && for_text > 0.0 {
        buttons_ui(ui, first, options);
    }
    more_ui(ui, &title, notes, options);
}

/// All that is said about a signal whose rows are as `about_rows` says; without `can_change` no other reading is offered.
pub(super) fn notes<'a>(signal: &'a Signal, options: &ReadOptions, can_change: bool, about_rows: &'a str) -> Vec<Said<'a>> {
    let offered = |others: Vec<(&'static str, &'static str, ReadOptions)>| if can_change { others } else { Vec::new() };
    let mut notes = Vec::new();
    if signal.table.as_ref().is_some_and(|table| table.rows_are_signals) {
        let columns = ReadOptions { layout: Layout::Columns, ..options.clone() };
        let others = vec![("Columns are channels", "Take every column as a channel, and every row as a sample of each", columns)];
        notes.push(Said { text: about_rows, others: offered(others) });
    }
    notes.extend(signal.notes.iter().map(|note| {
        let others = note.others.iter().filter_map(|other| other_reading(other, options)).collect();
        Said { text: &note.text, others: offered(others) }
    }));
    notes
}

/// Says that a table is read as others with the same columns were.
pub(super) fn remembered() -> Said<'static> {
    let others = vec![("Read automatically", "Decide by the content of the table", TableReading::automatic())];
    Said { text: "The table is read as you chose for one with the same columns.", others }
}

/// A sentence, and buttons that decide otherwise.
fn note_ui(ui: &mut Ui, note: &Said<'_>, options: &mut ReadOptions) {
    widgets::note_sign(ui);
    ui.label(note.text);
    buttons_ui(ui, note, options);
}

/// The other readings of a note.
fn buttons_ui(ui: &mut Ui, note: &Said<'_>, options: &mut ReadOptions) {
    for (title, about, changed) in &note.others {
        if ui.small_button(*title).on_hover_text(*about).clicked() {
            *options = changed.clone();
        }
    }
}

/// The name of another reading, a sentence on it, and the options that take it.
fn other_reading(other: &Remedy, options: &ReadOptions) -> Option<(&'static str, &'static str, ReadOptions)> {
    let time = |time: TimeChoice| ReadOptions { time, ..options.clone() };
    let decimal = |mark: DecimalMark| ReadOptions { decimal: Some(mark), ..options.clone() };
    let uneven = |way: Uneven| ReadOptions { uneven: Some(way), ..options.clone() };
    Some(match other {
        Remedy::NoTime => {
            ("Make it a channel", "The column is a channel like the others, and the samples are counted", time(TimeChoice::None))
        }
        Remedy::SampleIndex => ("Count the samples", "The column is left out, and the samples are counted", time(TimeChoice::Index)),
        Remedy::AutomaticTime => ("Use the times", "The column that looks like times is the axis", time(TimeChoice::Auto)),
        Remedy::TimeColumn(column) => {
            let title = if column == "1" { "The first column is the axis" } else { "Make it the axis" };
            (title, "The column has the times or positions of the samples", time(TimeChoice::Column(column.clone())))
        }
        Remedy::Batch => {
            ("Rows are signals", "Take every row as a signal of its own", ReadOptions { layout: Layout::Batch, ..options.clone() })
        }
        Remedy::Resample if options.uneven != Some(Uneven::Cubic) => {
            ("Smooth curve", "Take the even samples from a smooth curve through those of the file", uneven(Uneven::Cubic))
        }
        Remedy::Resample => {
            ("Straight lines", "Take the even samples from straight lines between those of the file", uneven(Uneven::Linear))
        }
        Remedy::DecimalPoints => {
            ("Points are decimal signs", "Read 1,234 as one thousand two hundred and thirty-four", decimal(DecimalMark::Point))
        }
        Remedy::DecimalCommas => ("Commas are decimal signs", "Read 1,234 as a little more than one", decimal(DecimalMark::Comma)),
        Remedy::Image => {
            ("Make it an image", "Take the numbers as the pixels of an image", ReadOptions { prefers_tables: false, ..options.clone() })
        }
        Remedy::AsStored => {
            ("As stored", "Leave rows and columns as the file stores them", ReadOptions { as_stored: true, ..options.clone() })
        }
        Remedy::Upright => ("Upright", "Turn the image as the file asks for", ReadOptions { as_stored: false, ..options.clone() }),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_share_a_row_where_they_fit() {
        // Each row is said by its first note and the one behind its last.
        for (widths, width, most, rows) in [
            (vec![400.0, 300.0], 800.0, 1, vec![(0, 2)]),
            (vec![400.0, 500.0], 800.0, 2, vec![(0, 1), (1, 2)]),
            (vec![400.0, 500.0], 800.0, 1, vec![(0, 1)]),
            (vec![1000.0, 100.0], 800.0, 2, vec![(0, 1), (1, 2)]),
            (vec![400.0, 350.0, 10.0], 800.0, 1, vec![(0, 1)]),
            (vec![], 800.0, 3, vec![]),
        ] {
            let found: Vec<_> = rows_of(&widths, width, most).into_iter().map(|row| (row.start, row.end)).collect();
            assert_eq!(found, rows, "{widths:?} in {most}");
        }
    }
}

//! The bar of a table: its time axis, its channels, its first rows, and what was decided, with the other readings as buttons.
//!
//! What takes room opens over the plot, so that nothing below the bar moves.

mod reading;

use super::Fields;
use crate::numerals::counted;
use crate::remedy::Remedy;
use crate::signal::{ColumnFacts, ColumnKind, Layout, Signal, TableFacts, TableOptions, TimeChoice, Uneven};
use crate::ui::origin::{Origin, TableReading};
use crate::ui::widgets;
use egui::{Grid, Role, ScrollArea, Ui, WidgetInfo};
use std::ops::Range;

/// Width of the list of columns.
const AXIS_WIDTH: f32 = 160.0;
/// The most width and height of what opens over the plot.
const SHEET: [f32; 2] = [640.0, 300.0];
/// The height that the plot below keeps where more than one note is shown, and the height of a note.
const LEAST_PLOT: f32 = 96.0;
const NOTE_HEIGHT: f32 = 24.0;
/// The most rows of notes, and the room that a note takes beside its texts: its sign, and the frame of each button.
const MOST_ROWS: usize = 3;
const SIGN_WIDTH: f32 = 32.0;
const BUTTON_FRAME: f32 = 20.0;
/// The room for the button of the notes that have none.
const MORE_WIDTH: f32 = 72.0;

/// What a person sees of a table.
#[derive(Default)]
pub(super) struct TableBar {
    /// The codes for missing values while they are typed.
    typed_codes: Option<String>,
}

/// A sentence about the table, and the other readings.
struct Note<'a> {
    text: &'a str,
    others: Vec<(&'static str, &'static str, TableOptions)>,
}

impl TableBar {
    /// Shows the bar of a signal that came from a table; returns another reading where one is chosen.
    pub(super) fn ui(&mut self, ui: &mut Ui, fields: &Fields<'_>, signal: &Signal, about_rows: &str) -> Option<TableOptions> {
        let chosen = fields.table;
        let table = signal.table.as_deref()?;
        let can_change = !matches!(fields.origin, Origin::Generator(_));
        let in_use = chosen.unwrap_or(&table.options);
        let mut options = in_use.clone();
        let is_remembered = chosen.is_none() && table.options != TableReading::automatic();
        let notes = notes(signal, table, &options, (can_change, is_remembered, about_rows));
        let height = ui.available_height() - NOTE_HEIGHT;
        let is_low = height < LEAST_PLOT;
        ui.horizontal_wrapped(|ui| {
            if can_change && !table.rows_are_signals {
                axis_ui(ui, &mut options, table);
                channels_ui(ui, &mut options, table);
                reading::reading_ui(ui, &mut options, &mut self.typed_codes);
            }
            if !table.first_rows.is_empty() {
                widgets::sheet(ui, "First rows", |ui| rows_ui(ui, table)).response.on_hover_text("The first rows as the file writes them");
            }
            if is_low {
                in_row_ui(ui, &notes, &mut options);
            }
        });
        if is_low {
            return (options != *in_use).then_some(options);
        }
        let room = ((height - LEAST_PLOT) / NOTE_HEIGHT).clamp(1.0, MOST_ROWS as f32) as usize;
        let widths: Vec<f32> = notes.iter().map(|note| note.width(ui)).collect();
        let rows = rows_of(&widths, ui.available_width(), room);
        let hidden = &notes[rows.last().map_or(0, |row| row.end)..];
        for (index, row) in rows.iter().enumerate() {
            ui.horizontal_wrapped(|ui| {
                notes[row.clone()].iter().for_each(|note| note_ui(ui, note, &mut options));
                if index + 1 == rows.len() && !hidden.is_empty() {
                    more_ui(ui, &format!("{} more", hidden.len()), hidden, &mut options);
                }
            });
        }
        (options != *in_use).then_some(options)
    }
}

impl Note<'_> {
    /// The width that it takes in a row.
    fn width(&self, ui: &Ui) -> f32 {
        let buttons = self.others.iter().map(|(title, ..)| widgets::text_width(ui, title) + BUTTON_FRAME);
        SIGN_WIDTH + widgets::text_width(ui, self.text) + buttons.sum::<f32>()
    }
}

/// Which notes stand in which row. Notes that have no room in `most` rows are left out.
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
fn more_ui(ui: &mut Ui, title: &str, hidden: &[Note<'_>], options: &mut TableOptions) {
    let more = widgets::sheet(ui, title, |ui| {
        ui.set_max_width(SHEET[0]);
        for note in hidden {
            ui.horizontal_wrapped(|ui| note_ui(ui, note, options));
        }
    });
    more.response.on_hover_text("What was decided about the table, and the other readings");
}

/// The beginning of the first note behind the controls, for a low pane; a button opens all.
fn in_row_ui(ui: &mut Ui, notes: &[Note<'_>], options: &mut TableOptions) {
    let Some(first) = notes.first() else { return };
    let title = counted(notes.len(), "note");
    let room = ui.available_width() - SIGN_WIDTH - widgets::text_width(ui, &title) - 2.0 * BUTTON_FRAME;
    // Where nothing of the sentence fits, the button alone does.
    if room > SIGN_WIDTH {
        widgets::note_sign(ui);
        let label = ui.label(widgets::elided(ui, first.text, room));
        label.widget_info(|| WidgetInfo::labeled(Role::Label, true, first.text));
        label.on_hover_text(first.text);
    }
    more_ui(ui, &title, notes, options);
}

/// All that is said about a table.
fn notes<'a>(
    signal: &'a Signal,
    table: &TableFacts,
    options: &TableOptions,
    (can_change, is_remembered, about_rows): (bool, bool, &'a str),
) -> Vec<Note<'a>> {
    let offered = |others: Vec<(&'static str, &'static str, TableOptions)>| if can_change { others } else { Vec::new() };
    let mut notes = Vec::new();
    if table.rows_are_signals {
        let columns = TableOptions { layout: Layout::Columns, ..options.clone() };
        let others = vec![("Columns are channels", "Take every column as a channel, and every row as a sample of each", columns)];
        notes.push(Note { text: about_rows, others: offered(others) });
    }
    if is_remembered {
        let others = vec![("Read automatically", "Decide by the content of the table", TableReading::automatic())];
        notes.push(Note { text: "The table is read as you chose for one with the same columns.", others: offered(others) });
    }
    notes.extend(signal.notes.iter().enumerate().map(|(index, text)| {
        let others = signal.decision(index).map_or(&[][..], |decision| &decision.others);
        Note { text, others: offered(others.iter().filter_map(|other| other_reading(other, options)).collect()) }
    }));
    notes
}

/// A sentence, and buttons that decide otherwise.
fn note_ui(ui: &mut Ui, note: &Note<'_>, options: &mut TableOptions) {
    widgets::note_sign(ui);
    ui.label(note.text);
    for (title, about, changed) in &note.others {
        if ui.small_button(*title).on_hover_text(*about).clicked() {
            *options = changed.clone();
        }
    }
}

/// The name of another reading, a sentence on it, and the options that take it.
fn other_reading(other: &Remedy, options: &TableOptions) -> Option<(&'static str, &'static str, TableOptions)> {
    let time = |time: TimeChoice| TableOptions { time, ..options.clone() };
    let uneven = |way: Uneven| TableOptions { uneven: Some(way), ..options.clone() };
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
            ("Rows are signals", "Take every row as a signal of its own", TableOptions { layout: Layout::Batch, ..options.clone() })
        }
        Remedy::Resample if options.uneven != Some(Uneven::Cubic) => {
            ("Smooth curve", "Take the even samples from a smooth curve through those of the file", uneven(Uneven::Cubic))
        }
        Remedy::Resample => {
            ("Straight lines", "Take the even samples from straight lines between those of the file", uneven(Uneven::Linear))
        }
        _ => return None,
    })
}

/// The column that gives the axis.
fn axis_ui(ui: &mut Ui, options: &mut TableOptions, table: &TableFacts) {
    let title_of = |(index, column): (usize, &ColumnFacts)| match column.name.is_empty() {
        true => format!("column {}", index + 1),
        false => column.name.clone(),
    };
    let automatic = match table.time.and_then(|index| Some((index, table.columns.get(index)?))) {
        Some(found) if options.time == TimeChoice::Auto => format!("Automatic: {}", title_of(found)),
        _ => "Automatic".to_owned(),
    };
    let columns = table.columns.iter().enumerate().filter(|(_, column)| column.kind != ColumnKind::Text);
    let column =
        |(index, column): (usize, &ColumnFacts)| (TimeChoice::Column(column.choice(index)), title_of((index, column)), String::new());
    let fixed = [
        (TimeChoice::Auto, automatic, "The column that looks like times or positions".to_owned()),
        (TimeChoice::Index, "Index".to_owned(), "The samples are counted, and a column of times is left out".to_owned()),
        (TimeChoice::None, "None".to_owned(), "The samples are counted, and a column of times is a channel like the others".to_owned()),
    ];
    let choices: Vec<_> = fixed.into_iter().chain(columns.map(column)).collect();
    let shown = choices.iter().find(|(choice, ..)| *choice == options.time).map_or("Automatic".to_owned(), |(_, title, _)| title.clone());
    widgets::labelled(ui, "Time axis", |ui| widgets::combo_of_width(ui, "Time axis", AXIS_WIDTH, shown, &mut options.time, choices));
}

/// The columns of numbers, to tick.
fn channels_ui(ui: &mut Ui, options: &mut TableOptions, table: &TableFacts) {
    // Where rows are signals, columns are not channels.
    let is_channel =
        |column: &&ColumnFacts| column.kind == ColumnKind::Number && (column.channel.is_some() || options.left_out.contains(&column.name));
    let numbers: Vec<&str> = table.columns.iter().filter(is_channel).map(|column| column.name.as_str()).collect();
    if numbers.len() < 2 {
        return;
    }
    let n = numbers.iter().filter(|name| !options.left_out.iter().any(|out| out == *name)).count();
    let title = format!("Channels: {n} of {}", numbers.len());
    let menu = widgets::sheet(ui, title, |ui| {
        ScrollArea::vertical().max_height(SHEET[1]).show(ui, |ui| {
            for name in numbers {
                let mut is_in = !options.left_out.iter().any(|out| out == name);
                // One channel at least stays.
                let tick = ui.add_enabled(n > 1 || !is_in, egui::Checkbox::new(&mut is_in, name));
                if tick.on_disabled_hover_text("One channel stays").changed() {
                    options.left_out.retain(|out| out != name);
                    if !is_in {
                        options.left_out.push(name.to_owned());
                    }
                }
            }
        });
    });
    menu.response.on_hover_text("Which columns of numbers become channels");
}

/// The first rows.
fn rows_ui(ui: &mut Ui, table: &TableFacts) {
    ui.set_max_width(SHEET[0]);
    ScrollArea::both().id_salt("first rows").max_width(SHEET[0]).max_height(SHEET[1]).show(ui, |ui| {
        Grid::new("table").striped(true).show(ui, |ui| {
            for column in table.columns.iter().take(64) {
                let kind = match column.kind {
                    ColumnKind::Number => "Numbers",
                    ColumnKind::Time => "Times or positions",
                    ColumnKind::Index => "Counts the rows",
                    ColumnKind::Text => "Text, which is left out",
                };
                ui.strong(&column.name).on_hover_text(kind);
            }
            ui.end_row();
            for row in &table.first_rows {
                row.iter().for_each(|cell| drop(ui.monospace(cell)));
                ui.end_row();
            }
        });
    });
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

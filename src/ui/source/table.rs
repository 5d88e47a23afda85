//! The bar of a table: its time axis, its channels, its first rows, and what was decided, with the other readings as buttons.

use crate::remedy::Remedy;
use crate::signal::{ColumnKind, Layout, Missing, Signal, TableFacts, TableOptions, TimeChoice, Uneven};
use crate::ui::origin::{Origin, TableReading};
use crate::ui::settings::Settings;
use crate::ui::widgets;
use egui::{Grid, ScrollArea, Ui};

/// Width of the list of columns.
const AXIS_WIDTH: f32 = 132.0;
/// Height of the first rows.
const ROWS_HEIGHT: f32 = 120.0;

/// What a person sees of a table.
#[derive(Default)]
pub(super) struct TableBar {
    /// Whether the first rows are shown.
    shows_rows: bool,
    /// Whether all notes are shown: several would leave no height for the plot.
    shows_notes: bool,
}

impl TableBar {
    /// Shows the bar of a signal that came from a table.
    pub(super) fn ui(&mut self, ui: &mut Ui, settings: &mut Settings, signal: &Signal) {
        let Some(table) = signal.table.as_deref() else { return };
        // Samples that are in memory only cannot be read anew.
        let can_change = matches!(settings.origin, Origin::File(_));
        let mut options = settings.table.clone().unwrap_or_else(|| table.options.clone());
        let before = options.clone();
        ui.horizontal_wrapped(|ui| {
            if can_change {
                axis_ui(ui, &mut options, table);
                channels_ui(ui, &mut options, table);
                reading_ui(ui, &mut options);
            }
            if !table.first_rows.is_empty() {
                widgets::toggle(ui, &mut self.shows_rows, "First rows").on_hover_text("The first rows as the file writes them");
            }
        });
        if self.shows_rows {
            rows_ui(ui, table);
        }
        let n_shown = if self.shows_notes { signal.notes.len() } else { 1 };
        for (index, note) in signal.notes.iter().enumerate().take(n_shown) {
            let others = table.decisions.get(index).map_or(&[][..], |decision| &decision.others);
            ui.horizontal_wrapped(|ui| {
                widgets::note_sign(ui);
                ui.label(note);
                for other in others.iter().filter(|_| can_change) {
                    if let Some((title, changed)) = other_reading(other, &options)
                        && ui.small_button(title).on_hover_text("Read the table this way").clicked()
                    {
                        options = changed;
                    }
                }
                if index == 0 && signal.notes.len() > 1 {
                    let more = format!("{} more", signal.notes.len() - 1);
                    widgets::toggle(ui, &mut self.shows_notes, &more).on_hover_text(signal.notes[1..].join("\n"));
                }
            });
        }
        if options != before {
            settings.table = Some(options);
        }
    }
}

/// The name of another reading, and the options that take it.
fn other_reading(other: &Remedy, options: &TableOptions) -> Option<(&'static str, TableOptions)> {
    let time = |time: TimeChoice| TableOptions { time, ..options.clone() };
    Some(match other {
        Remedy::NoTime => ("A channel of it", time(TimeChoice::None)),
        Remedy::SampleIndex => ("Count the samples", time(TimeChoice::Index)),
        Remedy::AutomaticTime => ("Find the times", time(TimeChoice::Auto)),
        Remedy::TimeColumn(column) => ("y over x", time(TimeChoice::Column(column.clone()))),
        Remedy::Batch => ("Rows are signals", TableOptions { layout: Layout::Batch, ..options.clone() }),
        Remedy::Resample if options.uneven != Some(Uneven::Cubic) => {
            ("Smooth curve", TableOptions { uneven: Some(Uneven::Cubic), ..options.clone() })
        }
        Remedy::Resample => ("Straight lines", TableOptions { uneven: Some(Uneven::Linear), ..options.clone() }),
        _ => return None,
    })
}

/// The column that gives the axis.
fn axis_ui(ui: &mut Ui, options: &mut TableOptions, table: &TableFacts) {
    let automatic = match table.time.and_then(|index| table.columns.get(index)) {
        Some(column) if options.time == TimeChoice::Auto => format!("automatic: {}", column.name),
        _ => "automatic".to_owned(),
    };
    let columns = table.columns.iter().enumerate().filter(|(_, column)| column.kind != ColumnKind::Text);
    let column = |(index, column): (usize, &crate::signal::ColumnFacts)| {
        let title = if column.name.is_empty() { format!("column {}", index + 1) } else { column.name.clone() };
        let name = if column.name.is_empty() { (index + 1).to_string() } else { column.name.clone() };
        (TimeChoice::Column(name), title, String::new())
    };
    let fixed = [
        (TimeChoice::Auto, automatic, "The column that looks like times".to_owned()),
        (TimeChoice::Index, "index".to_owned(), "The samples are counted".to_owned()),
        (TimeChoice::None, "none".to_owned(), "A column of times is a channel like the others".to_owned()),
    ];
    let choices: Vec<_> = fixed.into_iter().chain(columns.map(column)).collect();
    let shown = choices.iter().find(|(choice, ..)| *choice == options.time).map_or("automatic".to_owned(), |(_, title, _)| title.clone());
    widgets::labelled(ui, "Time axis", |ui| widgets::combo_of_width(ui, "Time axis", AXIS_WIDTH, shown, &mut options.time, choices));
}

/// The columns of numbers, to tick.
fn channels_ui(ui: &mut Ui, options: &mut TableOptions, table: &TableFacts) {
    // The columns of rows that are signals are no channels.
    let is_channel = |column: &&crate::signal::ColumnFacts| {
        column.kind == ColumnKind::Number && (column.channel.is_some() || options.left_out.contains(&column.name))
    };
    let numbers: Vec<&str> = table.columns.iter().filter(is_channel).map(|column| column.name.as_str()).collect();
    if numbers.len() < 2 {
        return;
    }
    let n = numbers.iter().filter(|name| !options.left_out.iter().any(|out| out == *name)).count();
    widgets::menu(ui, format!("Channels: {n} of {}", numbers.len()), |ui| {
        ScrollArea::vertical().max_height(ROWS_HEIGHT * 3.0).show(ui, |ui| {
            for name in numbers {
                let mut is_in = !options.left_out.iter().any(|out| out == name);
                // One channel at least stays.
                if ui.add_enabled(n > 1 || !is_in, egui::Checkbox::new(&mut is_in, name)).changed() {
                    options.left_out.retain(|out| out != name);
                    if !is_in {
                        options.left_out.push(name.to_owned());
                    }
                }
            }
        });
    });
}

/// Rows as signals, uneven steps and missing values.
fn reading_ui(ui: &mut Ui, options: &mut TableOptions) {
    widgets::menu(ui, "Reading", |ui| {
        let mut is_batch = options.layout == Layout::Batch;
        if ui.checkbox(&mut is_batch, "Rows are signals").changed() {
            options.layout = if is_batch { Layout::Batch } else { Layout::Auto };
        }
        ui.separator();
        ui.label("Uneven steps");
        for (way, title) in [
            (Some(Uneven::Linear), "Even samples of straight lines"),
            (Some(Uneven::Cubic), "Even samples of a smooth curve"),
            (Some(Uneven::Even), "Taken as even"),
            (None, "Kept as they are"),
        ] {
            ui.radio_value(&mut options.uneven, way, title);
        }
        ui.separator();
        ui.label("Missing values");
        ui.radio_value(&mut options.missing, Missing::Interpolate, "Interpolate");
        ui.radio_value(&mut options.missing, Missing::Refuse, "Refuse");
        ui.separator();
        if ui.button("As at first").on_hover_text("Decide by the content of the table").clicked() {
            *options = TableReading::automatic();
        }
    });
}

/// The first rows.
fn rows_ui(ui: &mut Ui, table: &TableFacts) {
    ScrollArea::both().id_salt("first rows").max_height(ROWS_HEIGHT).show(ui, |ui| {
        Grid::new("table").striped(true).show(ui, |ui| {
            for column in table.columns.iter().take(64) {
                let kind = match column.kind {
                    ColumnKind::Number => "number",
                    ColumnKind::Time => "time",
                    ColumnKind::Index => "index",
                    ColumnKind::Text => "text",
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

//! The bar of a signal that was read: its page, the time axis, the channels and the first rows of a table, and what was decided, with the other readings as buttons.
//!
//! Larger parts open over the plot, so that nothing below the bar moves.

mod notes;
mod raw;
mod table_options;

use super::Fields;
use crate::numerals::integer;
use crate::signal::{ColumnFacts, ColumnKind, PageKind, Pages, ReadOptions, Signal, TableFacts, TimeChoice};
use crate::ui::origin::{Origin, TableReading};
use crate::ui::widgets::{self, Head, TableRow, TextTable};
use egui::{RichText, ScrollArea, Ui};
use notes::SHEET;
pub(crate) use raw::raw_ui;
use std::num::NonZeroUsize;

/// Width of the list of columns.
const AXIS_WIDTH: f32 = 160.0;

/// The bar that shows how a signal was read.
#[derive(Default)]
pub(super) struct ReadingBar {
    /// The codes for missing values while they are typed.
    typed_codes: Option<String>,
}

impl ReadingBar {
    /// Shows the bar above controls of the height `below`; returns another reading where one is chosen.
    pub(super) fn ui(&mut self, ui: &mut Ui, fields: &Fields<'_>, signal: &Signal, about_rows: &str, below: f32) -> Option<ReadOptions> {
        let (chosen, table) = (fields.reading, signal.table.as_deref());
        if table.is_none() && signal.notes.is_empty() && signal.raw.is_none() {
            return None;
        }
        let can_change = !matches!(fields.origin, Origin::Generator(_));
        let automatic = TableReading::automatic();
        let used = TableReading::used(signal);
        let in_use = chosen.or(used.as_ref()).unwrap_or(&automatic);
        let mut options = in_use.clone();
        let is_remembered = chosen.is_none() && table.is_some_and(|table| table.options != automatic);
        let mut notes = notes::notes(signal, in_use, can_change, about_rows);
        if is_remembered {
            notes.insert(0, notes::remembered());
        }
        let height = ui.available_height() - below;
        let is_low = notes::is_low(height);
        if let Some(pages) = signal.pages.filter(|_| can_change) {
            pages_ui(ui, &mut options, pages);
        }
        // An empty row would take height.
        if table.is_some() || signal.raw.is_some() || is_low {
            ui.horizontal_wrapped(|ui| {
                if let Some(table) = table {
                    self.table_ui(ui, table, can_change, &mut options);
                }
                if let Some(raw) = signal.raw {
                    raw_ui(ui, raw, &mut options);
                }
                if is_low {
                    // The bar of a table is full.
                    notes::in_row_ui(ui, &notes, &mut options, table.is_none());
                }
            });
        }
        if !is_low {
            notes::notes_ui(ui, height, &notes, &mut options);
        }
        (options != *in_use).then_some(options)
    }

    /// The controls of a table.
    fn table_ui(&mut self, ui: &mut Ui, table: &TableFacts, can_change: bool, options: &mut ReadOptions) {
        if can_change && !table.rows_are_signals {
            axis_ui(ui, options, table);
            channels_ui(ui, options, table);
            table_options::table_options_ui(ui, options, &mut self.typed_codes);
        }
        if !table.first_rows.is_empty() {
            widgets::sheet(ui, "First rows", |ui| rows_ui(ui, table)).response.on_hover_text("The first rows as the file writes them");
        }
    }
}

/// Which page, slice or frame of the file is read.
fn pages_ui(ui: &mut Ui, options: &mut ReadOptions, pages: Pages) {
    // The requested reading stays in the controls while the file is read.
    let mut shown = options.page.map_or(pages.shown, |page| page.get().min(pages.total));
    let name = match pages.kind {
        PageKind::Page => "Page",
        PageKind::Slice => "Slice",
        PageKind::Frame => "Frame",
    };
    let slider =
        widgets::row(ui, name, |ui| widgets::whole_slider(ui, &mut shown, 1..=pages.total, &format!(" of {}", integer(pages.total))));
    if slider.changed() {
        options.page = NonZeroUsize::new(shown);
    }
}

/// The column that gives the axis.
fn axis_ui(ui: &mut Ui, options: &mut ReadOptions, table: &TableFacts) {
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
fn channels_ui(ui: &mut Ui, options: &mut ReadOptions, table: &TableFacts) {
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
        let heads = table.columns.iter().take(64).map(|column| match column.kind {
            ColumnKind::Number => Head::of_numbers(&column.name).about("Numbers"),
            ColumnKind::Time => Head::of_texts(&column.name).about("Times or positions"),
            ColumnKind::Index => Head::of_numbers(&column.name).about("Counts the rows"),
            ColumnKind::Text => Head::of_texts(&column.name).about("Text, which is left out"),
        });
        let row = |cells: &Vec<String>| TableRow::of(cells.iter().map(|cell| RichText::new(cell).monospace()));
        TextTable::new("table", heads).show(ui, &table.first_rows.iter().map(row).collect::<Vec<_>>());
    });
}

//! The differences of the two graphs: a table, or a line in a low pane.

use crate::engine::{BesideReport, Outcome};
use crate::graph::Difference;
use crate::lesson::Topic;
use crate::numerals::{bytes, duration};
use crate::ui::learn::LearnMemory;
use crate::ui::theme::Tokens;
use crate::ui::widgets::{self, Head, TableRow, TextTable};
use egui::text::{LayoutJob, TextFormat};
use egui::{Label, RichText, TextStyle, Ui};
use std::sync::Arc;

/// From this height of the pane on, the differences are a table.
const LEAST_HEIGHT_OF_TABLE: f32 = 440.0;

/// Shows the differences, those first that the plans have.
pub(super) fn ui(ui: &mut Ui, first: Option<&Arc<Outcome>>, report: &BesideReport, transforms: [&str; 2], learn: &LearnMemory) {
    let (Some(first), Ok(second)) = (first, &report.outcome) else { return };
    let mut rows = rows([first, second], report, transforms);
    let is_asked = |row: &Difference| topic_of(row.what).is_some_and(|topic| learn.hides(topic));
    let asked: Vec<&str> = rows.iter().filter(|row| is_asked(row)).map(|row| row.what).collect();
    if !asked.is_empty() {
        widgets::hidden(ui, &asked.join(", "));
    }
    rows.retain(|row| !is_asked(row));
    let (differing, equal): (Vec<&Difference>, Vec<&Difference>) = rows.iter().partition(|row| !row.is_none());
    let names = [first.algorithm, second.algorithm];
    let equal = equal.iter().map(|row| format!("{} {}", row.what.to_lowercase(), row.values[0])).collect::<Vec<_>>().join(", ");
    if ui.available_height() >= LEAST_HEIGHT_OF_TABLE {
        table_ui(ui, &differing, names, &equal);
        return;
    }
    let (tokens, font) = (Tokens::current(ui), TextStyle::Small.resolve(ui.style()));
    let mut line = LayoutJob::default();
    line.wrap.max_rows = 3;
    for row in &differing {
        line.append(&format!("{} ", row.what), 0.0, TextFormat::simple(font.clone(), tokens.weak));
        line.append(&row.values[1], 0.0, TextFormat::simple(font.clone(), tokens.text));
        line.append(&format!(" (first {})   ", row.values[0]), 0.0, TextFormat::simple(font.clone(), tokens.weak));
    }
    ui.add(Label::new(line).wrap()).on_hover_ui(|ui| table_ui(ui, &differing, names, &equal));
}

/// The question that a property would answer.
fn topic_of(what: &str) -> Option<Topic> {
    Some(match what {
        "Reads" | "Writes" => Topic::Strides,
        "Buffers" => Topic::Buffers,
        "Stages" | "Launches" | "Additions" | "Products" => Topic::Counts,
        "Output" => Topic::Order,
        "Time" => Topic::Times,
        _ => return None,
    })
}

fn table_ui(ui: &mut Ui, differing: &[&Difference], names: [&str; 2], equal: &str) {
    let color = Tokens::current(ui).weak;
    let row = |row: &&Difference| {
        let [first, second] = &row.values;
        TableRow::of([RichText::new(row.what).color(color), RichText::new(first), RichText::new(second)])
    };
    let table = TextTable::new("what differs", ["Differs", names[0], names[1]].map(Head::of_texts));
    table.show(ui, &differing.iter().map(row).collect::<Vec<_>>());
    ui.add(Label::new(RichText::new(format!("Equal: {equal}")).small().color(color)).wrap());
}

/// The properties of both plans, with their transforms, bytes and times.
fn rows(outcomes: [&Arc<Outcome>; 2], report: &BesideReport, transforms: [&str; 2]) -> Vec<Difference> {
    let moved = |outcome: &Arc<Outcome>| {
        let n_launches = outcome.schedule.as_ref().map_or(0, |schedule| schedule.launches.len());
        bytes((0..n_launches).filter_map(|index| outcome.launch_bytes(index)).sum())
    };
    let times = outcomes.map(|outcome| outcome.kernel_median());
    let mut rows = vec![Difference::of("Transform", transforms, str::to_owned)];
    rows.extend(report.differences.iter().cloned());
    rows.push(Difference::of("Bytes", outcomes, moved));
    rows.push(Difference::of("Device", outcomes, |outcome| outcome.device.clone()));
    rows.push(Difference::of("Time of launches", times, duration));
    rows
}

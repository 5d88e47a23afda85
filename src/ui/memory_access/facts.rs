//! The counts beside the drawing: every load and store with its stride, the sums, and the bytes and the speed of the launch.

use super::follow::Target;
use crate::engine::{AccessBy, AccessStudy};
use crate::graph::access::{AccessCount, AccessRequest, AccessedMemory, BankUse};
use crate::lesson::Topic;
use crate::numerals::{counted, integer, number};
use crate::ui::learn::LearnMemory;
use crate::ui::settings::MemoryView;
use crate::ui::theme::{GRID, Tokens};
use crate::ui::widgets::{self, Head, TableRow, TextTable};
use egui::{RichText, Ui, WidgetText};

/// Loads and stores of a table; further ones are counted only.
const MOST_ROWS: usize = 24;

/// The counts of a study, made by the worker that follows it: many requests take a while.
pub(super) struct AccessFacts {
    /// Loads and stores of lanes, and those of workgroup memory.
    rows: [Vec<FactRow>; 2],
    /// Loads and stores of lanes in segments.
    counts: [AccessCount; 2],
    /// Passes over the banks, where workgroup memory is used.
    banks: Option<BankUse>,
    /// The store and the load of workgroup memory with the most passes, as indices of requests.
    pub(super) worst: Vec<usize>,
}

/// Equal loads or stores that follow each other.
struct FactRow {
    /// Their number.
    n: usize,
    text: RowText,
}

/// Verb and name, stride in lanes, segments or passes that it takes and the least possible.
type RowText = (String, String, [usize; 2]);

impl AccessFacts {
    pub(super) fn of(study: &AccessStudy) -> Self {
        let is_held = |request: &AccessRequest| request.memory == AccessedMemory::Workgroup;
        let held = || study.requests.iter().enumerate().filter(|(_, request)| is_held(request));
        let worst =
            |is_write: bool| held().filter(|(_, request)| request.is_write == is_write).max_by_key(|(_, request)| request.banks().passes);
        Self {
            rows: [AccessedMemory::Lanes, AccessedMemory::Workgroup].map(|memory| rows(study, memory)),
            counts: [false, true].map(|is_write| study.count(is_write)),
            banks: study.requests.iter().any(is_held).then(|| study.banks()),
            worst: [true, false].into_iter().filter_map(worst).map(|(index, _)| index).collect(),
        }
    }
}

/// The rows of a table.
fn rows(study: &AccessStudy, memory: AccessedMemory) -> Vec<FactRow> {
    let text = |request: &AccessRequest| -> RowText {
        let costs = match memory {
            AccessedMemory::Workgroup => [request.banks().passes, request.banks().least],
            _ => {
                let bytes = study.choice.by.segment_bytes();
                [request.segments(bytes).len(), request.least_segments(bytes)]
            }
        };
        let verb = if request.is_write { "store" } else { "load" };
        (format!("{verb} {}", request.name), request.stride(study.lane_bytes as u64).to_string(), costs)
    };
    let texts: Vec<RowText> = study.requests.iter().filter(|request| request.memory == memory).map(text).collect();
    texts.chunk_by(|a, b| a == b).map(|run| FactRow { n: run.len(), text: run[0].clone() }).collect()
}

/// Shows the facts.
pub(super) fn ui(
    ui: &mut Ui,
    (view, learn): (MemoryView, &LearnMemory),
    target: &Target,
    (launch, times): (Option<usize>, &[f64]),
    (study, facts): &(AccessStudy, AccessFacts),
) {
    if learn.hides(Topic::Transactions) || learn.hides(Topic::Threads) && view == MemoryView::Threads {
        widgets::hidden(ui, "The counts");
        return;
    }
    let memory = if view == MemoryView::Banks { AccessedMemory::Workgroup } else { AccessedMemory::Lanes };
    if view != MemoryView::Threads {
        rows_ui(ui, study, facts, memory);
        ui.add_space(GRID);
    }
    let names = if study.choice.by.loop_order().is_some() {
        ["Cache lines, loads", "Cache lines, stores"]
    } else {
        ["Transactions, loads", "Transactions, stores"]
    };
    let of_count = |count: &AccessCount| {
        format!("{}, least possible {}, different {}", integer(count.touched), integer(count.least), integer(count.distinct))
    };
    let mut shown: Vec<_> = names.into_iter().zip(facts.counts.iter().map(of_count)).collect();
    if let Some(whole) = study.whole {
        let subgroups = counted(study.n_subgroups, "subgroup");
        shown.push(("Whole stage", format!("{} transactions of {subgroups}, at least {}", integer(whole.touched), integer(whole.least))));
    }
    if let Some(banks) = facts.banks {
        shown.push(("Passes over the banks", format!("{}, at least {}", integer(banks.passes), integer(banks.least))));
    }
    if let (Some(kernel), Some(launch)) = (&study.kernel, launch) {
        shown.extend(kernel_facts(times, target, launch, kernel));
    }
    widgets::facts(ui, &shown);
    if study.choice.by == AccessBy::Butterflies {
        widgets::weak(ui, "Every thread takes one butterfly; kernels of the program may take several, in vectors.");
    }
}

/// The facts on the followed kernel of a launch.
fn kernel_facts(times: &[f64], target: &Target, launch: usize, kernel: &crate::engine::FollowedKernel) -> [(&'static str, String); 4] {
    let [touched, least] = kernel.of_launch();
    let groups = format!("{} of {} threads, {}", integer(kernel.groups), integer(kernel.threads), kernel.family);
    let together = format!("{}, at least {} transactions", integer(touched), integer(least));
    let bytes = target.schedule.launches[launch].bytes_moved(&target.plan, target.lane_bytes());
    let predicted = format!("{} by the plan, {} in transactions", integer(bytes as usize), integer(touched * 128));
    let measured = match times.get(launch).filter(|micros| **micros > 0.0) {
        Some(micros) => {
            let speed = |bytes: f64| number(bytes / micros / 1e3, 3);
            format!("{} GB/s of predicted bytes, {} GB/s in transactions", speed(bytes as f64), speed(128.0 * touched as f64))
        }
        None => "nothing, since no GPU ran this launch".into(),
    };
    [("Workgroups", groups), ("All workgroups like this", together), ("Bytes predicted", predicted), ("Measured", measured)]
}

/// Loads and stores with their strides and what they cost.
fn rows_ui(ui: &mut Ui, study: &AccessStudy, facts: &AccessFacts, memory: AccessedMemory) {
    let rows = &facts.rows[usize::from(memory == AccessedMemory::Workgroup)];
    let tokens = Tokens::current(ui);
    let costs = match memory {
        AccessedMemory::Workgroup => "Passes",
        _ if study.choice.by.loop_order().is_some() => "Lines",
        _ => "Transactions",
    };
    let row = |FactRow { n, text: (name, stride, [touched, least]) }: &FactRow| {
        let times = if *n == 1 { String::new() } else { format!("{n} × ") };
        let color = if touched > least { tokens.warning } else { tokens.text };
        let costs = RichText::new(format!("{touched}, at least {least}")).color(color);
        TableRow::of([WidgetText::from(format!("{times}{name}")), stride.into(), costs.into()])
    };
    let heads = [Head::of_texts("Access"), Head::of_numbers("Stride in lanes"), Head::of_numbers(costs)];
    TextTable::new("requests", heads).show(ui, &rows.iter().take(MOST_ROWS).map(row).collect::<Vec<_>>());
    if rows.len() > MOST_ROWS {
        widgets::weak(ui, format!("and {} more", integer(rows.len() - MOST_ROWS)));
    }
}

//! Accesses as a figure: threads from top to bottom, the touched memory from left to right, one colour for each transaction.

use super::{AccessCount, AccessRequest, AccessedMemory, BANKS, BankUse, SUBGROUP, TRANSACTION_BYTES};
use crate::figure::{Anchor, Figure, Ink, Mark, Position, Series, text_width};
use crate::numerals::integer;
use crate::plan::{LiftingStep, Plan};
use crate::schedule::{Schedule, ThreadsPerSample, Tile};
use std::collections::{BTreeMap, BTreeSet};

/// Height of a line of text, and sizes of texts, in points.
const LINE: f32 = 16.0;
const TEXT: f32 = 11.0;
/// Width of the numbers of threads, in points.
const NUMBERS: f32 = 54.0;
/// Space between segments that are not neighbours, and between panels, in points.
const GAP: f32 = 7.0;
const BETWEEN: f32 = 18.0;
/// Space at the right edge, in points.
const EDGE: f32 = 6.0;
/// Segments of a panel; further ones are counted only.
const MOST_SEGMENTS: usize = 64;
/// Narrower segments have no number below them, in points.
const LEAST_WIDTH_WITH_NUMBER: f32 = 34.0;

/// The columns of a panel from left to right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PanelAxis {
    /// The touched segments of `bytes` bytes: transactions or cache lines.
    Segments {
        /// Bytes of a segment.
        bytes: u64,
    },
    /// The banks of workgroup memory.
    Banks,
}

/// Some requests that share their axes.
#[derive(Debug, Clone)]
pub struct AccessPanel<'a> {
    /// The title.
    pub title: String,
    /// The title where it has less room.
    pub brief: String,
    /// The requests; all have the same number of threads.
    pub requests: Vec<&'a AccessRequest>,
    /// The horizontal axis.
    pub axis: PanelAxis,
    /// Bytes of a lane, to number the segments.
    pub lane_bytes: u64,
    /// The name before the rows: thread or iteration.
    pub row_name: &'static str,
}

impl<'a> AccessPanel<'a> {
    /// Loads and stores of lanes, a panel each, in segments of `bytes` bytes. A lane takes `lane_bytes` bytes.
    pub fn of_lanes(requests: &'a [AccessRequest], bytes: u64, lane_bytes: usize, row_name: &'static str) -> Vec<Self> {
        let panel = |is_write: bool| {
            let is_of = |request: &&AccessRequest| request.memory == AccessedMemory::Lanes && request.is_write == is_write;
            let requests: Vec<&AccessRequest> = requests.iter().filter(is_of).collect();
            let AccessCount { touched, least, .. } = AccessCount::of(requests.iter().copied(), bytes);
            let what = if bytes == TRANSACTION_BYTES { "transactions of 128 bytes" } else { "cache lines of 64 bytes" };
            let verb = if is_write { "Stores" } else { "Loads" };
            let [touched, least] = [touched, least].map(integer);
            let title = format!("{verb}: {touched} {what}, at least {least}");
            Self {
                title,
                brief: format!("{verb}: {touched}, at least {least}"),
                requests,
                axis: PanelAxis::Segments { bytes },
                lane_bytes: lane_bytes as u64,
                row_name,
            }
        };
        [panel(false), panel(true)].into_iter().filter(|panel| !panel.requests.is_empty()).collect()
    }

    /// Leaves the counts out of the titles.
    pub fn hide_counts(&mut self) {
        for title in [&mut self.title, &mut self.brief] {
            title.truncate(title.find(':').unwrap_or(title.len()));
        }
    }

    /// One request of workgroup memory against its banks.
    pub fn of_banks(request: &'a AccessRequest, lane_bytes: usize) -> Self {
        let BankUse { passes, least } = request.banks();
        let verb = if request.is_write { "stores" } else { "loads" };
        let title = format!("{} {verb}: {}, passes {passes}, at least {least}", request.name, request.banks().name());
        let brief = format!("{}: {passes} passes, at least {least}", if request.is_write { "Stores" } else { "Loads" });
        Self { title, brief, requests: vec![request], axis: PanelAxis::Banks, lane_bytes: lane_bytes as u64, row_name: "thread" }
    }
}

/// An access in the figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AccessCell {
    /// The top left and the bottom right corner.
    pub corners: [Position; 2],
    /// Panel and request within it.
    pub request: [usize; 2],
    /// The thread.
    pub thread: usize,
}

/// A figure and its cells, for a pointer.
#[derive(Debug, Clone)]
pub struct AccessFigure {
    /// The figure.
    pub figure: Figure,
    /// The accesses.
    pub cells: Vec<AccessCell>,
}

/// Panels side by side, in a figure of this size in points.
pub fn access_figure(panels: &[AccessPanel<'_>], size: [f32; 2]) -> AccessFigure {
    let title = panels.iter().map(|panel| panel.title.clone()).collect::<Vec<_>>().join("; ");
    let mut drawn = AccessFigure { figure: Figure { size, title, marks: Vec::new(), sheets: 1 }, cells: Vec::new() };
    let n = panels.len().max(1) as f32;
    let width = (size[0] - EDGE - BETWEEN * (n - 1.0)) / n;
    for (index, panel) in panels.iter().enumerate() {
        let left = index as f32 * (width + BETWEEN);
        let area = PanelArea { left: left + NUMBERS, right: left + width, top: 2.0 * LINE, bottom: size[1] - 1.5 * LINE };
        area.panel(&mut drawn, index, panel);
    }
    drawn
}

/// The area of a panel inside its axes, in points.
struct PanelArea {
    left: f32,
    right: f32,
    top: f32,
    bottom: f32,
}

fn text(at: Position, anchor: Anchor, text: String, ink: Ink) -> Mark {
    Mark::text(at, anchor, TEXT, text, ink)
}

/// The colour of transaction or pass `index`.
fn ink(index: usize) -> Ink {
    Ink::Series(Series::ALL[index % Series::ALL.len()])
}

impl PanelArea {
    fn panel(&self, drawn: &mut AccessFigure, index: usize, panel: &AccessPanel<'_>) {
        let marks = &mut drawn.figure.marks;
        let room = self.right - self.left + NUMBERS - EDGE;
        let has_room = text_width(&panel.title, TEXT) <= room;
        let title = if has_room { &panel.title } else { &panel.brief };
        marks.push(text([self.left - NUMBERS + EDGE, 0.5 * LINE], Anchor::Left, title.clone(), Ink::Text));
        let n_rows = panel.requests.iter().map(|request| request.spans.len()).max().unwrap_or(0);
        if n_rows == 0 {
            return;
        }
        let pitch = (self.bottom - self.top) / n_rows as f32;
        let apart = if n_rows <= SUBGROUP && pitch >= 13.0 { 4 } else { n_rows.div_ceil(4).max(1) };
        for row in (0..n_rows).step_by(apart) {
            let y = self.top + (row as f32 + 0.5) * pitch;
            marks.push(text([self.left - 6.0, y], Anchor::Right, integer(row), Ink::Weak));
        }
        marks.push(text([self.left - 6.0, self.top - 0.6 * LINE], Anchor::Right, panel.row_name.into(), Ink::Weak));
        let unit = if panel.axis == PanelAxis::Banks { "bank" } else { "lane" };
        marks.push(text([self.left - 6.0, self.bottom + 0.6 * LINE], Anchor::Right, unit.into(), Ink::Weak));
        match panel.axis {
            PanelAxis::Segments { bytes } => self.segments(drawn, index, panel, bytes, pitch),
            PanelAxis::Banks => self.banks(drawn, index, panel, pitch),
        }
    }

    /// Cells by address; every segment of a request is a transaction with a colour.
    fn segments(&self, drawn: &mut AccessFigure, number: usize, panel: &AccessPanel<'_>, bytes: u64, pitch: f32) {
        let all: BTreeSet<u64> = panel.requests.iter().flat_map(|request| request.segments(bytes)).collect();
        let shown: Vec<u64> = all.iter().copied().take(MOST_SEGMENTS).collect();
        let n_gaps = shown.windows(2).filter(|pair| pair[1] != pair[0] + 1).count();
        let gap = GAP.min(0.3 * (self.right - self.left) / (n_gaps.max(1) as f32));
        let width = (self.right - self.left - gap * n_gaps as f32) / shown.len().max(1) as f32;
        let (mut lefts, mut x) = (BTreeMap::new(), self.left);
        let mut labelled = f32::NEG_INFINITY;
        for (index, &segment) in shown.iter().enumerate() {
            if index > 0 && shown[index - 1] + 1 != segment {
                x += gap;
            }
            lefts.insert(segment, x);
            let marks = &mut drawn.figure.marks;
            marks.push(Mark::Fill { corners: [[x, self.top], [x + width - 1.0, self.bottom]], ink: Ink::Grid });
            let lane = integer((segment * bytes / panel.lane_bytes.max(1)) as usize);
            let room = LEAST_WIDTH_WITH_NUMBER.max(text_width(&lane, TEXT) + 8.0);
            if x - labelled >= room && x + room - 8.0 <= self.right {
                marks.push(text([x, self.bottom + 0.6 * LINE], Anchor::Left, lane, Ink::Weak));
                labelled = x;
            }
            x += width;
        }
        if all.len() > shown.len() {
            let more = format!("and {} more", integer(all.len() - shown.len()));
            drawn.figure.marks.push(text([self.right, self.top - 0.6 * LINE], Anchor::Right, more, Ink::Weak));
        }
        let mut transaction = 0;
        for (of, request) in panel.requests.iter().enumerate() {
            let inks: BTreeMap<u64, usize> = request.segments(bytes).into_iter().zip(transaction..).collect();
            transaction += inks.len();
            for (thread, span) in request.spans.iter().enumerate() {
                let Some(span) = span else { continue };
                for segment in span.segments(bytes) {
                    let Some(left) = lefts.get(&segment) else { continue };
                    let within = |byte: u64| (byte.clamp(segment * bytes, (segment + 1) * bytes) - segment * bytes) as f32 / bytes as f32;
                    let [from, to] = [within(span.first), within(span.first + span.bytes)].map(|part| left + part * (width - 1.0));
                    self.cell(
                        drawn,
                        [from, to],
                        pitch,
                        AccessCell { corners: [[0.0; 2]; 2], request: [number, of], thread },
                        inks[&segment],
                    );
                }
            }
        }
    }

    /// Cells by bank; the words of one bank have the colours of their passes.
    fn banks(&self, drawn: &mut AccessFigure, number: usize, panel: &AccessPanel<'_>, pitch: f32) {
        let width = (self.right - self.left) / BANKS as f32;
        for bank in 0..BANKS {
            let x = self.left + bank as f32 * width;
            drawn.figure.marks.push(Mark::Fill { corners: [[x, self.top], [x + width - 1.0, self.bottom]], ink: Ink::Grid });
            if bank % 8 == 0 {
                drawn.figure.marks.push(text([x, self.bottom + 0.6 * LINE], Anchor::Left, bank.to_string(), Ink::Weak));
            }
        }
        for (of, request) in panel.requests.iter().enumerate() {
            let mut passes: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
            for (thread, span) in request.spans.iter().enumerate() {
                for word in span.iter().flat_map(|span| span.segments(4)) {
                    let held = passes.entry(word % BANKS).or_default();
                    let pass = held.iter().position(|other| *other == word).unwrap_or_else(|| {
                        held.push(word);
                        held.len() - 1
                    });
                    let x = self.left + (word % BANKS) as f32 * width;
                    let cell = AccessCell { corners: [[0.0; 2]; 2], request: [number, of], thread };
                    self.cell(drawn, [x, x + width - 1.0], pitch, cell, pass);
                }
            }
        }
    }

    fn cell(&self, drawn: &mut AccessFigure, [from, to]: [f32; 2], pitch: f32, cell: AccessCell, colour: usize) {
        let y = self.top + cell.thread as f32 * pitch;
        let corners = [[from, y], [to.max(from + 1.5), y + (pitch - 1.0).max(1.0)]];
        drawn.figure.marks.push(Mark::Fill { corners, ink: ink(colour) });
        drawn.cells.push(AccessCell { corners, ..cell });
    }
}

/// Which of some threads work, row by row: `rows` has a name and a truth for each thread. Where one row is the `current` one, the others are paler.
pub fn threads_figure(rows: &[(String, Vec<bool>)], current: Option<usize>, size: [f32; 2]) -> Figure {
    const NAMES: f32 = 150.0;
    const COUNTS: f32 = 96.0;
    const TALLEST: f32 = 26.0;
    let mut marks = Vec::new();
    let pitch = ((size[1] - 2.0 * LINE) / rows.len().max(1) as f32).clamp(3.0, TALLEST);
    let (left, right) = (NAMES, (size[0] - COUNTS).max(NAMES + 40.0));
    let labelled = rows.len().min(((size[1] - 2.0 * LINE) / 12.0) as usize).max(1);
    for (index, (name, working)) in rows.iter().enumerate() {
        let (top, bottom) = (LINE + index as f32 * pitch, LINE + (index + 1) as f32 * pitch - 2.0_f32.min(0.3 * pitch));
        let x = |thread: usize| left + (right - left) * thread as f32 / working.len().max(1) as f32;
        marks.push(Mark::Fill { corners: [[left, top], [right, bottom]], ink: Ink::Grid });
        let mut thread = 0;
        for run in working.chunk_by(|a, b| a == b) {
            if run[0] {
                // Threads are told apart if they have room.
                let apart = if x(1) - x(0) >= 4.0 { 1 } else { run.len() };
                for first in (thread..thread + run.len()).step_by(apart) {
                    let to = if apart == 1 { x(first + 1) - 1.0 } else { x(first + apart) };
                    marks.push(Mark::Fill { corners: [[x(first), top], [to, bottom]], ink: ink(0) });
                }
            }
            thread += run.len();
        }
        if index % rows.len().div_ceil(labelled).max(1) == 0 {
            let n = working.iter().filter(|works| **works).count();
            let y = 0.5 * (top + bottom);
            let name_ink = if current.is_none_or(|current| current == index) { Ink::Text } else { Ink::Weak };
            marks.push(text([0.0, y], Anchor::Left, name.clone(), name_ink));
            marks.push(text([right + 8.0, y], Anchor::Left, format!("{} of {}", integer(n), integer(working.len())), name_ink));
        }
    }
    Figure { size, title: "Threads that work".into(), marks, sheets: 1 }
}

/// The threads that work in each stage, where every butterfly has a thread, and there are as many threads as the widest stage needs.
/// In sections with one thread a sample, a lifting step has two threads for each butterfly.
pub fn working_threads(plan: &Plan, schedule: &Schedule) -> Vec<(String, Vec<bool>)> {
    /// More threads are shown by a part of them.
    const MOST: usize = 1 << 14;
    let step = |index: usize| {
        let launch = schedule.launches.iter().find(|launch| launch.stages.contains(&index))?;
        let is_one = matches!(launch.tile, Tile::Section { threads: ThreadsPerSample::One, .. });
        plan.stages[index].lifting_step().filter(|_| is_one)
    };
    let steps: Vec<Option<LiftingStep>> = (0..plan.stages.len()).map(step).collect();
    let threads = |index: usize| plan.stages[index].n_butterflies() * if steps[index].is_some() { 2 } else { 1 };
    // A copy that only moves lanes has threads of its own.
    let computes = |index: &usize| plan.stages[*index].matrix().taps > 1;
    let most = (0..plan.stages.len()).filter(computes).map(threads).max().unwrap_or(0);
    let works = |index: usize, thread: usize| thread < threads(index) && steps[index].as_ref().is_none_or(|step| thread % 2 == step.parity);
    let row = |index: usize| {
        let n = if computes(&index) { most } else { threads(index) };
        (0..n.min(MOST)).map(|thread| works(index, thread)).collect()
    };
    plan.stages.iter().enumerate().map(|(index, stage)| (stage.label.clone(), row(index))).collect()
}

//! One thread of a kernel, followed line by line: its indices, and the lanes that it reads and writes.

use super::{Met, ReadKernel};
use crate::graph::access::{AccessedMemory, SUBGROUP};
use std::collections::BTreeMap;

/// The most threads that are searched for the one that writes a lane.
const MOST_THREADS: usize = 1 << 16;

/// A line of a kernel with the numbers of a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedLine {
    /// The line of the text, from 0.
    pub line: usize,
    /// Its action.
    pub does: LineWork,
}

/// The effect of a line in a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineWork {
    /// Computes an index.
    Index(i64),
    /// Loads these lanes.
    Reads(Vec<usize>),
    /// Stores these lanes.
    Writes(Vec<usize>),
}

/// The lines of a kernel that a thread executes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadTrace {
    /// The number of the thread in the launch.
    pub thread: usize,
    /// The lines, in the order of the text.
    pub lines: Vec<TracedLine>,
}

impl ThreadTrace {
    /// The lanes that the thread reads, in the order of the text.
    pub fn reads(&self) -> Vec<usize> {
        self.lines.iter().flat_map(|line| if let LineWork::Reads(lanes) = &line.does { lanes.clone() } else { Vec::new() }).collect()
    }

    /// The lanes that the thread writes, in the order of the text.
    pub fn writes(&self) -> Vec<usize> {
        self.lines.iter().flat_map(|line| if let LineWork::Writes(lanes) = &line.does { lanes.clone() } else { Vec::new() }).collect()
    }
}

impl ReadKernel<'_> {
    /// The thread that writes a lane, and what it does; `None` unless the kernel was made for a single stage.
    pub fn writer(&self, lane: usize) -> Option<ThreadTrace> {
        let (command, threads) = (self.command, self.threads());
        if command.kernel.file != "stage.wgsl" || command.stages.len() != 1 {
            return None;
        }
        let lane_bytes = command.kernel.precision.bytes_per_lane(command.kernel.ring) as u64;
        let lanes = |met: &Met| met.span.segments(lane_bytes).map(|lane| lane as usize);
        let of_lanes = |met: &&Met| met.memory == AccessedMemory::Lanes;
        let n_threads = (threads * command.groups[0] as usize * command.groups[1] as usize).min(MOST_THREADS);
        let runs = (0..n_threads).map_while(|number| Some((number, self.run(number % threads, number / threads, SUBGROUP).ok()?)));
        let mut writers =
            runs.filter(|(_, machine)| machine.met.iter().filter(of_lanes).any(|met| met.is_write && lanes(met).any(|one| one == lane)));
        let (thread, machine) = writers.next()?;
        let line_of = |place: &super::TextSpan| place.location(&self.text).line_number as usize - 1;
        let mut lines: BTreeMap<usize, LineWork> =
            machine.indices.iter().map(|(place, index)| (line_of(place), LineWork::Index(*index))).collect();
        for met in machine.met.iter().filter(of_lanes) {
            match (lines.get_mut(&line_of(&met.place)), met.is_write) {
                (Some(LineWork::Reads(others)), false) | (Some(LineWork::Writes(others)), true) => others.extend(lanes(met)),
                (_, false) => _ = lines.insert(line_of(&met.place), LineWork::Reads(lanes(met).collect())),
                (_, true) => _ = lines.insert(line_of(&met.place), LineWork::Writes(lanes(met).collect())),
            }
        }
        Some(ThreadTrace { thread, lines: lines.into_iter().map(|(line, does)| TracedLine { line, does }).collect() })
    }
}

//! Runs a plan or a schedule on the CPU: sequentially in either loop order, or on all cores.
//!
//! Every way reads the same [`Stage`] numbers through the same address functions; only the order of the loops and the number of threads differ.

mod bits;
pub mod copy;
mod lane;
pub mod library;
mod sections;
mod steps;
mod sums;
mod tables;
pub mod tridiagonal;
mod vector;

pub use bits::{Bit, Word};
pub use lane::{Float, Lane};
pub use steps::fastest;

use crate::plan::{Plan, Stage, Words};
use crate::schedule::{Launch, Schedule, Section, Tile};
use lane::Shared;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use tables::Tables;

/// Which of the loops over positions, groups and outer turns is innermost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LoopOrder {
    /// The one with the longest stride: the program jumps through memory (CPU A of Gajić and Stanković 2011).
    Strided,
    /// The one with the shortest stride: the program stays local (CPU B).
    Local,
}

/// How the CPU runs a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Way {
    /// On one thread.
    Sequential(LoopOrder),
    /// On all cores.
    Parallel,
}

impl Way {
    /// How the way is called on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sequential(LoopOrder::Strided) => "CPU sequential, strided loops",
            Self::Sequential(LoopOrder::Local) => "CPU sequential, local loops",
            Self::Parallel => "CPU parallel",
        }
    }
}

/// The work was given up because something newer was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// Runs `schedule` and gives the plan's outputs, and the microseconds that each launch took.
///
/// # Errors
/// When `cancel` is raised between two launches.
///
/// # Panics
/// When `input` does not have as many values as the plan takes, or lanes of this type do not serve the ring of the plan.
pub fn run<L: Lane>(plan: &Plan, schedule: &Schedule, input: &[L], way: Way, cancel: &AtomicBool) -> Result<(Vec<L>, Vec<f64>), Cancelled> {
    assert_eq!(input.len(), plan.inputs, "the plan takes another number of values");
    assert!(L::serves(plan.ring), "such lanes do not hold a {} plan", plan.ring.name());
    let mut lanes = Vec::with_capacity(plan.lanes);
    lanes.extend_from_slice(input);
    lanes.resize(plan.lanes, L::UNWRITTEN);
    let mut micros = Vec::with_capacity(schedule.launches.len());
    let mut rest = None;
    for launch in &schedule.launches {
        if cancel.load(Ordering::Relaxed) {
            return Err(Cancelled);
        }
        let start = std::time::Instant::now();
        lanes = match (way, launch.tile) {
            (_, Tile::Section { section: Section::Split, grid, .. }) => {
                let (lanes, left) = sections::split(plan, launch, grid, lanes);
                rest = Some(left);
                lanes
            }
            (_, Tile::Section { section: Section::Merge, .. }) => {
                sections::merge(plan, launch, rest.as_ref().expect("a merge comes after its split"), lanes)
            }
            (Way::Sequential(order), _) => sequential(plan, launch, lanes, order),
            (Way::Parallel, Tile::Each | Tile::Patch { .. }) => scattered(&plan.stages[launch.stages.start], &lanes),
            (Way::Parallel, Tile::Block { lanes: tile }) => match steps::steps::<L>(&plan.stages[launch.stages.clone()], plan.lanes) {
                Some(steps) if tile == plan.lanes => {
                    steps::run(&mut lanes, &steps);
                    lanes
                }
                _ => tiled(plan, launch, &lanes, tile),
            },
            // Lines are made for the wide memory of a GPU: here the caches serve stage by stage.
            (
                Way::Parallel,
                Tile::Strided { .. } | Tile::Spread { .. } | Tile::Cone { .. } | Tile::Partition { .. } | Tile::Overlapped { .. },
            ) => plan.stages[launch.stages.clone()].iter().fold(lanes, |lanes, stage| scattered(stage, &lanes)),
        };
        micros.push(start.elapsed().as_secs_f64() * 1e6);
    }
    lanes.truncate(plan.outputs);
    Ok((lanes, micros))
}

/// Runs a plan on words, and what is left to do within them as a part of the last launch; else as [`run`].
///
/// # Errors
/// When `cancel` is raised between two launches.
///
/// # Panics
/// When words are not of 64 values, or as [`run`].
pub fn run_words(
    words: &Words,
    schedule: &Schedule,
    input: &[Word],
    way: Way,
    cancel: &AtomicBool,
) -> Result<(Vec<Word>, Vec<f64>), Cancelled> {
    assert_eq!(words.bits, Word::BITS, "words of another width");
    let (mut lanes, mut micros) = run(&words.plan, schedule, input, way, cancel)?;
    let start = std::time::Instant::now();
    match way {
        Way::Sequential(_) => lanes.iter_mut().for_each(|word| *word = word.within()),
        Way::Parallel => lanes.par_iter_mut().with_min_len(1 << 12).for_each(|word| *word = word.within()),
    }
    if let Some(last) = micros.last_mut() {
        *last += start.elapsed().as_secs_f64() * 1e6;
    }
    Ok((lanes, micros))
}

fn sequential<L: Lane>(plan: &Plan, launch: &Launch, mut before: Vec<L>, order: LoopOrder) -> Vec<L> {
    for stage in &plan.stages[launch.stages.clone()] {
        let mut after = before.clone();
        let tables = Tables::new(stage);
        for_each_place(stage, order, 0..stage.outer.n, |place| tables.butterfly(stage, place, &before, |lane, value| after[lane] = value));
        before = after;
    }
    before
}

/// A stage without tiles: threads share the butterflies and scatter their results.
fn scattered<L: Lane>(stage: &Stage, before: &[L]) -> Vec<L> {
    if let Some(after) = sums::run(stage, before) {
        return after;
    }
    let after = Shared::new(before);
    let tables = Tables::new(stage);
    let n = stage.n_butterflies();
    let chunk = n.div_ceil(8 * rayon::current_num_threads()).max(256);
    (0..n.div_ceil(chunk)).into_par_iter().for_each(|part| {
        for index in part * chunk..n.min((part + 1) * chunk) {
            tables.butterfly(stage, stage.place(index), before, |lane, value| after.store(lane, value));
        }
    });
    after.into_lanes()
}

/// A run of stages in tiles: every tile is run to its end by one thread, as one workgroup does.
fn tiled<L: Lane>(plan: &Plan, launch: &Launch, before: &[L], tile: usize) -> Vec<L> {
    let stages = &plan.stages[launch.stages.clone()];
    let tables: Vec<Tables<L>> = stages.iter().map(Tables::new).collect();
    let after = Shared::new(before);
    (0..plan.lanes / tile).into_par_iter().for_each(|index| {
        let first = index * tile;
        let mut held = before[first..first + tile].to_vec();
        for (position, (stage, tables)) in stages.iter().zip(&tables).enumerate() {
            let turns = tile / stage.block(plan.lanes).expect("a legal tile is made of blocks");
            let local = Stage { outer: crate::plan::Loop { n: turns, ..stage.outer }, ..stage.clone() };
            let last = position + 1 == stages.len();
            let mut next = held.clone();
            if last && plan.carries(launch.stages.end - 1) {
                for (lane, &value) in held.iter().enumerate() {
                    after.store(first + lane, value);
                }
            }
            for_each_place(&local, LoopOrder::Local, 0..turns, |[p, q, b]| {
                if last {
                    // The last stage may write to reversed lanes, so it addresses global memory: its outer turn is that of the whole plan.
                    let global = [p, q, b + index * turns];
                    tables.butterfly_from(stage, [p, q, b], &held, global, |lane, value| after.store(lane, value));
                } else {
                    tables.butterfly(&local, [p, q, b], &held, |lane, value| next[lane] = value);
                }
            });
            held = next;
        }
    });
    after.into_lanes()
}

/// Visits all butterflies of the outer turns given; `order` says which loop is innermost.
fn for_each_place(stage: &Stage, order: LoopOrder, outer: std::ops::Range<usize>, mut visit: impl FnMut([usize; 3])) {
    let position_stride = stage.read.advance * stage.read.step;
    let mut loops = [(position_stride, 0, 0..stage.positions), (stage.group.read, 1, 0..stage.group.n), (stage.outer.read, 2, outer)];
    // A loop that turns once has no stride and belongs outside.
    loops.sort_by_key(|(stride, _, range)| if range.len() == 1 { usize::MAX } else { *stride });
    let [inner, middle, outmost] = match order {
        LoopOrder::Local => [0, 1, 2],
        LoopOrder::Strided => {
            let turning = loops.iter().filter(|(_, _, range)| range.len() > 1).count();
            match turning {
                3 => [2, 1, 0],
                2 => [1, 0, 2],
                _ => [0, 1, 2],
            }
        }
    };
    let mut place = [0; 3];
    for a in loops[outmost].2.clone() {
        place[loops[outmost].1] = a;
        for b in loops[middle].2.clone() {
            place[loops[middle].1] = b;
            for c in loops[inner].2.clone() {
                place[loops[inner].1] = c;
                visit(place);
            }
        }
    }
}

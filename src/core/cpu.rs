//! Runs a plan or a schedule on the CPU: sequentially in either loop order, or on all cores.
//!
//! Every backend uses the address functions of [`Stage`](crate::plan::Stage); only the loop order and the number of threads differ.

mod arrays;
mod bits;
mod compiled;
pub mod copy;
mod fourier_rows;
mod lane;
pub mod library;
mod lifting;
mod loops;
mod numbers;
mod pass;
mod runs;
mod sections;
mod steps;
mod tables;
pub mod tridiagonal;
mod vector;

pub use arrays::LaneArrays;
pub use bits::{Bit, Word};
pub use compiled::CompiledLane;
pub use lane::{Float, Lane};
pub use loops::butterflies_in_order;
pub use steps::fast_schedule;

use crate::plan::{BitPackedPlan, DirectSum, Plan};
use crate::schedule::{Launch, Schedule, SectionKind, Tile};
use crate::threads;
use arrays::{Kept, Work};
use loops::StageLoops;
use sections::SectionButterflies;
use std::sync::atomic::{AtomicBool, Ordering};

/// Fewest butterflies of a stage that threads share.
const FEWEST_BUTTERFLIES: usize = 1 << 12;

/// Which of the loops over positions, groups and outer repetitions is innermost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LoopOrder {
    /// The longest stride: accesses jump through memory (CPU A of Gajić and Stanković 2011).
    Strided,
    /// The shortest stride: accesses stay local (CPU B).
    Local,
}

/// How the CPU runs a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CpuBackend {
    /// On one thread.
    Sequential(LoopOrder),
    /// On all cores.
    Parallel,
}

impl CpuBackend {
    /// The name in the window.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sequential(LoopOrder::Strided) => "CPU sequential, strided loops",
            Self::Sequential(LoopOrder::Local) => "CPU sequential, local loops",
            Self::Parallel => "CPU parallel",
        }
    }
}

/// The computation was cancelled by a newer request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// Runs `schedule`. Returns the plan's outputs and the time of each launch in µs.
///
/// # Errors
/// If `cancel` is set between two launches.
///
/// # Panics
/// If the length of `input` is not that of the plan, or the lane type does not support its ring.
pub fn run<L: CompiledLane>(
    plan: &Plan,
    schedule: &Schedule,
    input: &[L],
    backend: CpuBackend,
    cancel: &AtomicBool,
) -> Result<(Vec<L>, Vec<f64>), Cancelled> {
    let mut arrays = LaneArrays::default();
    arrays.load(plan, input);
    let micros = run_in(&mut arrays, plan, schedule, backend, cancel)?;
    Ok((arrays.lanes()[..plan.outputs].to_vec(), micros))
}

/// As [`run`], in arrays that are kept between runs and hold the input already; the outputs are the first of [`LaneArrays::lanes`].
///
/// # Errors
/// If `cancel` is set between two launches.
///
/// # Panics
/// If no input of this length was loaded, or the lane type does not support the plan's ring.
pub fn run_in<L: CompiledLane>(
    arrays: &mut LaneArrays<L>,
    plan: &Plan,
    schedule: &Schedule,
    backend: CpuBackend,
    cancel: &AtomicBool,
) -> Result<Vec<f64>, Cancelled> {
    assert_eq!(arrays.lanes().len(), plan.lanes, "no input was loaded for the plan");
    assert!(L::supports(plan.ring), "lanes of this type do not support a {} plan", plan.ring.name());
    L::run(arrays, plan, schedule, backend, cancel)
}

/// Runs the launches of a schedule one after the other; gives the time of each in µs.
fn run_launches<L: Lane>(
    arrays: &mut LaneArrays<L>,
    plan: &Plan,
    schedule: &Schedule,
    backend: CpuBackend,
    cancel: &AtomicBool,
) -> Result<Vec<f64>, Cancelled> {
    let mut micros = Vec::with_capacity(schedule.launches.len());
    let (mut rest, known) = (None, std::mem::take(&mut arrays.sections));
    for (index, launch) in schedule.launches.iter().enumerate() {
        if cancel.load(Ordering::Relaxed) {
            return Err(Cancelled);
        }
        let start = std::time::Instant::now();
        match (backend, launch.tile) {
            // A split without a merge runs like any other launch.
            (_, Tile::Section { section: SectionKind::Split, grid, .. }) if is_merged(schedule, index) => {
                let parts = SectionButterflies::of(plan, launch, grid, &known);
                arrays.sections.push(parts.clone());
                rest = Some(sections::split(launch, parts, arrays.lanes_mut()));
            }
            (_, Tile::Section { section: SectionKind::Merge, .. }) => {
                let rest = rest.as_ref().expect("a merge comes after its split");
                sections::merge(launch, rest, arrays.lanes_mut());
            }
            (CpuBackend::Parallel, Tile::Block { lanes: tile } | Tile::BlockBy { lanes: tile, .. }) => {
                match steps::steps::<L>(&plan.stages[launch.stages.clone()]) {
                    Some((lanes, steps)) if tile == plan.lanes => steps::run(&mut arrays.lanes_mut()[..lanes], &steps, true),
                    _ => run_passes(plan, launch, arrays, true),
                }
            }
            (CpuBackend::Sequential(LoopOrder::Strided), _) => {
                launch.stages.clone().for_each(|stage| run_stage(plan, stage, arrays, backend))
            }
            _ => run_passes(plan, launch, arrays, backend == CpuBackend::Parallel),
        }
        micros.push(start.elapsed().as_secs_f64() * 1e6);
    }
    Ok(micros)
}

/// Whether the next launch is the merge of this split.
fn is_merged(schedule: &Schedule, launch: usize) -> bool {
    schedule.launches.get(launch + 1).is_some_and(|next| next.section() == Some(SectionKind::Merge))
}

/// Runs the stages of a launch in passes over memory.
fn run_passes<L: Lane>(plan: &Plan, launch: &Launch, arrays: &mut LaneArrays<L>, is_parallel: bool) {
    let stages = &plan.stages[launch.stages.clone()];
    for part in arrays.passes(stages).iter() {
        let last = launch.stages.start + part.stages.end - 1;
        let kept = Kept::by(plan, last);
        match &part.work {
            Work::Pass(pass) if is_parallel && pass.lanes() >= FEWEST_BUTTERFLIES => {
                arrays.shared(kept, |before, after| pass.shared(before, after))
            }
            Work::Pass(pass) => arrays.apart(kept, |before, after| pass.apart(before, after)),
            Work::Kronecker(lanes, step) => {
                steps::run(&mut arrays.lanes_mut()[..*lanes], step, is_parallel && *lanes >= FEWEST_BUTTERFLIES)
            }
            Work::Sweep(steps) => lifting::sweep(arrays.lanes_mut(), steps, is_parallel),
            Work::Sort if is_parallel => arrays.shared(kept, |before, after| lifting::sort_shared(&plan.stages[last], before, after)),
            Work::Sort => arrays.apart(kept, |before, after| lifting::sort(&plan.stages[last], before, after)),
            Work::Loops => {
                run_stage(plan, last, arrays, if is_parallel { CpuBackend::Parallel } else { CpuBackend::Sequential(LoopOrder::Local) })
            }
        }
    }
}

fn run_stage<L: Lane>(plan: &Plan, index: usize, arrays: &mut LaneArrays<L>, backend: CpuBackend) {
    let (stage, kept) = (&plan.stages[index], Kept::by(plan, index));
    let lines = StageLoops::of(stage);
    let n_terms = stage.direct_sum().map_or(1, DirectSum::n_terms);
    let is_short = stage.n_butterflies() * n_terms < FEWEST_BUTTERFLIES;
    let backend = if backend == CpuBackend::Parallel && is_short { CpuBackend::Sequential(LoopOrder::Local) } else { backend };
    match backend {
        CpuBackend::Parallel if let Some(blocks) = lines.blocks() => lines.in_blocks(blocks, arrays.lanes_mut()),
        CpuBackend::Parallel if lines.has_ranges() => arrays.apart(kept, |before, after| lines.ranges(before, after)),
        CpuBackend::Parallel => arrays.shared(kept, |before, after| lines.shared(before, after)),
        CpuBackend::Sequential(order) if stage.writes_its_taps() => lines.in_place(order, arrays.lanes_mut()),
        CpuBackend::Sequential(order) => arrays.apart(kept, |before, after| lines.apart(order, before, after)),
    }
}

/// Runs a bit-packed plan, then the steps within words, whose time counts towards the last launch. Otherwise as [`run_in`].
///
/// # Errors
/// If `cancel` is set between two launches.
///
/// # Panics
/// If words do not hold 64 values, and as [`run_in`].
pub fn run_bit_packed(
    arrays: &mut LaneArrays<Word>,
    words: &BitPackedPlan,
    schedule: &Schedule,
    backend: CpuBackend,
    cancel: &AtomicBool,
) -> Result<Vec<f64>, Cancelled> {
    assert_eq!(words.bits, Word::BITS, "words of another width");
    let mut micros = run_in(arrays, &words.plan, schedule, backend, cancel)?;
    let start = std::time::Instant::now();
    let lanes = arrays.lanes_mut();
    match backend {
        CpuBackend::Sequential(_) => lanes.iter_mut().for_each(|word| *word = word.within()),
        CpuBackend::Parallel => {
            threads::for_each_chunk(lanes, 1 << 12, &|_, words| words.iter_mut().for_each(|word| *word = word.within()))
        }
    }
    if let Some(last) = micros.last_mut() {
        *last += start.elapsed().as_secs_f64() * 1e6;
    }
    Ok(micros)
}

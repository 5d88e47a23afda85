//! Runs a plan or a schedule on the CPU: in fused passes on one thread or on all, or stage by stage in either loop order.
//!
//! Every backend uses the address functions of [`Stage`](crate::plan::Stage); only the loops and the number of threads differ.

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
mod pairs;
mod pass;
mod residue;
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
pub use residue::Residue;
pub use steps::fast_schedule;
pub(crate) use vector::with_vectors;

use crate::plan::{BitPackedPlan, DirectSum, Plan};
use crate::schedule::{Schedule, SectionKind, Tile};
use crate::threads;
use arrays::Work;
use lane::{Arrays, KeptLanes};
use loops::StageLoops;
use sections::SectionButterflies;
use std::ops::Range;
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
    /// On one thread, several stages in a pass over memory.
    OneThread,
    /// On all cores, several stages in a pass over memory.
    Parallel,
    /// On one thread, one stage after the other, whatever the launches: the loops that papers print.
    ByStage(LoopOrder),
}

impl CpuBackend {
    /// Every way.
    pub const ALL: [Self; 4] = [Self::OneThread, Self::Parallel, Self::ByStage(LoopOrder::Local), Self::ByStage(LoopOrder::Strided)];

    /// The name in the window.
    pub fn name(self) -> &'static str {
        match self {
            Self::OneThread => "CPU, one thread",
            Self::Parallel => "CPU, all cores",
            Self::ByStage(LoopOrder::Local) => "CPU, local loops",
            Self::ByStage(LoopOrder::Strided) => "CPU, strided loops",
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
    let modulus = plan.ring.modulus().unwrap_or_default();
    Ok((arrays.lanes()[..plan.outputs].iter().map(|&stored| L::of_stored(stored, modulus)).collect(), micros))
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
    let modulus = plan.ring.modulus().unwrap_or_default();
    for (index, launch) in schedule.launches.iter().enumerate() {
        if cancel.load(Ordering::Relaxed) {
            return Err(Cancelled);
        }
        let start = std::time::Instant::now();
        match (backend, launch.tile) {
            (CpuBackend::ByStage(order), _) => {
                for stage in launch.stages.clone() {
                    run_by_stage(plan, stage, arrays, order);
                }
            }
            // A split without a merge runs like any other launch.
            (_, Tile::Section { section: SectionKind::Split, grid, .. }) if is_merged(schedule, index) => {
                let parts = SectionButterflies::of(plan, launch, grid, &known);
                arrays.sections.push(parts.clone());
                rest = Some(L::opened(&mut arrays.stored, modulus, |arrays| sections::split(launch, parts, arrays.lanes_mut())));
            }
            (_, Tile::Section { section: SectionKind::Merge, .. }) => {
                let rest = rest.as_ref().expect("a merge comes after its split");
                L::opened(&mut arrays.stored, modulus, |arrays| sections::merge(launch, rest, arrays.lanes_mut()));
            }
            (_, Tile::Block { lanes: tile } | Tile::BlockBy { lanes: tile, .. }) => {
                let is_parallel = backend == CpuBackend::Parallel;
                match steps::steps::<L>(plan.ring, &plan.stages[launch.stages.clone()]) {
                    Some((lanes, steps)) if tile == plan.lanes => {
                        L::opened(&mut arrays.stored, modulus, |arrays| steps::run(&mut arrays.lanes_mut()[..lanes], &steps, is_parallel));
                    }
                    _ => run_passes(plan, launch.stages.clone(), arrays, is_parallel),
                }
            }
            _ => run_passes(plan, launch.stages.clone(), arrays, backend == CpuBackend::Parallel),
        }
        micros.push(start.elapsed().as_secs_f64() * 1e6);
    }
    Ok(micros)
}

/// Whether the next launch is the merge of this split.
fn is_merged(schedule: &Schedule, launch: usize) -> bool {
    schedule.launches.get(launch + 1).is_some_and(|next| next.section() == Some(SectionKind::Merge))
}

/// Runs a stage on one thread: with strided loops butterfly by butterfly, with local loops by vector instructions, as a compiler makes them of such loops.
fn run_by_stage<L: Lane>(plan: &Plan, stage: usize, arrays: &mut LaneArrays<L>, order: LoopOrder) {
    match order {
        LoopOrder::Strided => {
            let modulus = plan.ring.modulus().unwrap_or_default();
            L::opened(&mut arrays.stored, modulus, |arrays| run_loops(plan, stage, arrays, order));
        }
        LoopOrder::Local => run_passes(plan, stage..stage + 1, arrays, false),
    }
}

/// Runs consecutive stages in passes over memory.
fn run_passes<L: Lane>(plan: &Plan, range: Range<usize>, arrays: &mut LaneArrays<L>, is_parallel: bool) {
    let stages = &plan.stages[range.clone()];
    for part in arrays.passes(plan.ring, stages).iter() {
        let last = range.start + part.stages.end - 1;
        let kept = KeptLanes::by(plan, last);
        match &part.work {
            Work::Pass(pass) if is_parallel && pass.lanes() >= FEWEST_BUTTERFLIES => {
                arrays.stored.shared(kept, |before, after| pass.shared(before, after))
            }
            Work::Pass(pass) => arrays.stored.apart(kept, |before, after| pass.apart(before, after)),
            work => {
                let modulus = plan.ring.modulus().unwrap_or_default();
                L::opened(&mut arrays.stored, modulus, |arrays| run_lanes(plan, last, work, arrays, is_parallel));
            }
        }
    }
}

/// Runs the stages up to `last` that belong to no pass.
fn run_lanes<L: Lane>(plan: &Plan, last: usize, work: &Work<L>, arrays: &mut Arrays<L>, is_parallel: bool) {
    let kept = KeptLanes::by(plan, last);
    match work {
        Work::Pass(_) => unreachable!("passes run on stored lanes"),
        Work::Kronecker(lanes, step) => steps::run(&mut arrays.lanes_mut()[..*lanes], step, is_parallel && *lanes >= FEWEST_BUTTERFLIES),
        Work::Sweep(steps) => lifting::sweep(arrays.lanes_mut(), steps, is_parallel),
        Work::Sort if is_parallel => arrays.shared(kept, |before, after| lifting::sort_shared(&plan.stages[last], before, after)),
        Work::Sort => arrays.apart(kept, |before, after| lifting::sort(&plan.stages[last], before, after)),
        Work::Loops if is_parallel => run_shared(plan, last, arrays),
        Work::Loops => run_loops(plan, last, arrays, LoopOrder::Local),
    }
}

/// Runs the loops of a stage on one thread.
fn run_loops<L: Lane>(plan: &Plan, index: usize, arrays: &mut Arrays<L>, order: LoopOrder) {
    let (stage, kept) = (&plan.stages[index], KeptLanes::by(plan, index));
    let lines = StageLoops::of(plan.ring, stage);
    match stage.writes_its_taps() {
        true => lines.in_place(order, arrays.lanes_mut()),
        false => arrays.apart(kept, |before, after| lines.apart(order, before, after)),
    }
}

/// Runs the loops of a stage on all threads, where they are long enough.
fn run_shared<L: Lane>(plan: &Plan, index: usize, arrays: &mut Arrays<L>) {
    let (stage, kept) = (&plan.stages[index], KeptLanes::by(plan, index));
    let lines = StageLoops::of(plan.ring, stage);
    let n_terms = stage.direct_sum().map_or(1, DirectSum::n_terms);
    match lines.blocks() {
        _ if stage.n_butterflies() * n_terms < FEWEST_BUTTERFLIES => run_loops(plan, index, arrays, LoopOrder::Local),
        Some((index, stride)) => lines.in_blocks(index, stride, arrays.lanes_mut()),
        None if lines.has_ranges() => arrays.apart(kept, |before, after| lines.ranges(before, after)),
        None => arrays.shared(kept, |before, after| lines.shared(before, after)),
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
    let lanes = arrays.stored.lanes_mut();
    match backend {
        CpuBackend::OneThread | CpuBackend::ByStage(_) => lanes.iter_mut().for_each(|word| *word = word.within()),
        CpuBackend::Parallel => {
            threads::for_each_chunk(lanes, 1 << 12, &|_, words| words.iter_mut().for_each(|word| *word = word.within()))
        }
    }
    if let Some(last) = micros.last_mut() {
        *last += start.elapsed().as_secs_f64() * 1e6;
    }
    Ok(micros)
}

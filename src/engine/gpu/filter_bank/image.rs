//! The kernel of filter banks of images: one level along both axes in a launch of overlapped tiles.
//!
//! Between two launches, the values that are low-pass along both axes are in scratch lanes; the other bands go straight to where they stay.

use super::{Sums, sums};
use crate::gpu::family::{KernelDispatch, LaunchQuery};
use crate::gpu::kernel::Kernel;
use crate::gpu::limits::Limits;
use crate::plan::{Direction, Extension, FilterStep, Plan, Precision, Ring};
use crate::schedule::{FilterLevel2d, Launch, LevelGroup, Schedule, Tile};
use serde::Serialize;

/// Rows and columns of a tile: a row of it fills 128 bytes, and both parts of its memory the least that a device has.
const TILE: [usize; 2] = [32, 32];
/// Threads of a workgroup.
const THREADS: usize = 256;

/// The data of one kernel.
#[derive(Serialize)]
struct FilterBankImageShape {
    inverse: bool,
    wraps: bool,
    /// The first sample that butterfly p reads, counted from sample 2p; the number of its taps; and the taps of both results.
    first: i64,
    n_taps: usize,
    sums: Sums,
    /// Rows and columns of a tile, and those that it reads.
    rows: usize,
    columns: usize,
    height: usize,
    width: usize,
    /// Values that a tile holds: what it reads, and what the first axis makes of it.
    held: usize,
    threads: usize,
    /// Whether samples, or in the inverse what is low-pass along both axes, are read from the buffer that is written.
    joined_in_output: bool,
    low_in_output: bool,
}

/// The levels of a plan of an image, the finest first; `None` where the kernel does not support it.
fn recognise(plan: &Plan, schedule: &Schedule, limits: Limits) -> Option<Vec<FilterLevel2d>> {
    let real = plan.ring == Ring::Real && limits.precision == Precision::Single;
    let of = |launch: &Launch| {
        let overlaps = matches!(launch.tile, Tile::Overlapped { .. });
        FilterLevel2d::of(plan, launch.stages.clone()).filter(|_| overlaps)
    };
    let mut squares: Vec<FilterLevel2d> = schedule.launches.iter().map(of).collect::<Option<_>>()?;
    squares.sort_by_key(|square| std::cmp::Reverse(square.samples()));
    let [rows, columns] = squares.first()?.samples();
    let is_whole = rows * columns == plan.lanes && (plan.inputs, plan.outputs) == (plan.lanes, plan.lanes);
    let goes_on = |pair: &[FilterLevel2d]| pair[1].samples() == pair[0].samples().map(|n| n / 2);
    (real && is_whole && squares.windows(2).all(goes_on)).then_some(squares)
}

/// The schedule of overlapped tiles, a launch a level; `None` where the kernel does not support the plan.
pub(super) fn schedule(plan: &Plan, limits: Limits) -> Option<Schedule> {
    let schedule = Schedule::overlapped(plan, |_| LevelGroup { levels: 1, tile: TILE })?;
    recognise(plan, &schedule, limits).map(|_| schedule)
}

/// Lanes that the launches need besides those of the plan.
pub(super) fn scratch_lanes(plan: &Plan, schedule: &Schedule, limits: Limits) -> usize {
    recognise(plan, schedule, limits).map_or(0, |squares| beside(plan, &squares, squares.len()) - plan.lanes)
}

/// The first scratch lane of the low-pass values before a level.
fn beside(plan: &Plan, squares: &[FilterLevel2d], level: usize) -> usize {
    plan.lanes + squares[..level].iter().skip(1).map(|square| square.samples().iter().product::<usize>()).sum::<usize>()
}

/// The step; in an inverse with further taps that are zero, so that it reads low-pass and high-pass values in pairs.
fn in_pairs(step: &FilterStep) -> FilterStep {
    let mut step = step.clone();
    if step.direction == Direction::Inverse {
        let before = step.first.rem_euclid(2) as usize;
        step.first -= before as i64;
        for coefs in &mut step.coefs {
            coefs.splice(0..0, vec![0.0; before]);
            coefs.resize(coefs.len().next_multiple_of(2), 0.0);
        }
    }
    step
}

/// The kernel of a launch; `None` where the launch is unsupported.
pub(super) fn dispatch(LaunchQuery { plan, schedule, launch, limits, .. }: LaunchQuery<'_>) -> Option<KernelDispatch> {
    let Tile::Overlapped { grid, .. } = launch.tile else { return None };
    let squares = recognise(plan, schedule, limits)?;
    let level = squares.iter().position(|square| square.stages() == launch.stages)?;
    let [rows, columns] = squares[level].samples();
    let (step, row) = (in_pairs(&squares[level].axes[0].step), squares[0].samples()[1]);
    let (is_finest, is_coarsest) = (level == 0, level + 1 == squares.len());
    let (joined, joined_row) = if is_finest { (0, row) } else { (beside(plan, &squares, level), columns) };
    let (low, low_row) = if is_coarsest { (0, row) } else { (beside(plan, &squares, level + 1), columns / 2) };
    let inverse = step.direction == Direction::Inverse;
    let more = step.coefs[0].len() - 2;
    let (height, width) = (grid.rows + more, grid.columns + more);
    let shape = FilterBankImageShape {
        inverse,
        wraps: step.extension == Extension::Periodic,
        first: step.first,
        n_taps: step.coefs[0].len(),
        sums: sums(&step),
        rows: grid.rows,
        columns: grid.columns,
        height,
        width,
        held: height * width + if inverse { grid.rows * width } else { height * grid.columns },
        threads: THREADS,
        joined_in_output: !is_finest,
        low_in_output: !is_coarsest,
    };
    let across = columns.div_ceil(shape.columns);
    let uniforms = [across * rows.div_ceil(shape.rows), across, rows, columns, joined, joined_row, low, low_row, row];
    let suits = shape.rows.is_multiple_of(2) && shape.columns.is_multiple_of(2);
    let fits = 4 * shape.held <= limits.workgroup_bytes && THREADS <= limits.max_invocations;
    let kernel = Kernel {
        in_place: !inverse && shape.joined_in_output,
        // In the inverse it reads the input of the plan, and between launches the buffer that it writes.
        reads_input: inverse,
        ..Kernel::new("filter bank image", "filter_bank_image.wgsl", Ring::Real, &shape)
    };
    (suits && fits).then(|| KernelDispatch::of(kernel, uniforms.map(|number| number as u32)))
}

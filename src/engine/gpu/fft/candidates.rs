//! How launches of the fast Fourier kernel could run stages, and what they cost: whole rows, or the neighbouring lines that a workgroup holds.

use super::recognise::recognise;
use super::run::{LARGE, MAX_POINTS, StockhamRun};
use super::shape::FftShape;
use crate::gpu::costs::{BUSY_GROUPS, WHOLE_ROWS, segment_cost};
use crate::gpu::limits::Limits;
use crate::gpu::stage::most_bit_lanes;
use crate::plan::{Plan, Precision, Ring};
use crate::schedule::{BitRun, Tile};
use std::ops::Range;

/// Lines of which one point each fills 256 bytes, which pays for arrays that no cache holds.
const MOST_LINES: usize = 32;
/// The most threads of a workgroup, and of one that holds a few long columns: with more than 512, too few workgroups fit on a processor.
const MOST_THREADS: [usize; 2] = [512, 1024];
/// The cost of workgroups of 1024 threads, in copies: no other workgroup computes beside them while they wait for memory.
const ALONE: f64 = 0.3;
/// The cost of reading a few whole columns from strips by a workgroup of 1024 threads, and of writing the strips, in copies.
const STRIPS: f64 = 2.0;

/// The tile and the cost of a launch of these stages, in copies of all lanes; `None` where the kernel does not take them together.
pub(super) fn candidate(plan: &Plan, stages: Range<usize>, limits: Limits, most_lanes: usize) -> Option<(Tile, f64)> {
    if plan.ring != Ring::Complex || stages.clone().any(|stage| plan.carries(stage)) {
        return None;
    }
    let run = recognise(&plan.stages[stages.clone()], plan.lanes)?.on(limits);
    // This kernel exchanges lanes after every stage. In tiles of bits, a thread takes several stages of radix 2 on the lanes that it holds;
    // only a whole row can be too long for one.
    let is_long_row = run.row == run.points() && run.row > most_bit_lanes(plan.ring, limits).min(most_lanes);
    let in_twos = run.radices.len() > 1 && run.radices.iter().all(|radix| *radix == 2);
    if in_twos && !is_long_row && BitRun::of(plan, stages.clone()).is_some() {
        return None;
    }
    lines(plan, stages.start, &run, limits, most_lanes)
}

/// The tile and the cost of a run that begins with stage `first`: whole rows, or the neighbouring lines that a workgroup holds.
fn lines(plan: &Plan, first: usize, run: &StockhamRun, limits: Limits, most_lanes: usize) -> Option<(Tile, f64)> {
    let points = run.points();
    if points > MAX_POINTS.min(most_lanes) {
        return None;
    }
    let fits = |shape: &FftShape| shape.threads() <= limits.max_invocations && shape.workgroup_bytes() <= limits.workgroup_bytes;
    if run.row == points {
        let shape = run.rows_shape();
        // Rows of another length in memory are not blocks.
        let plain = run.before.is_none() && run.after.is_none() && run.half.is_none();
        let tile = if plain {
            Tile::Block { lanes: points }
        } else {
            Tile::Strided { points: run.lanes_of_line(), stride: 1, lines: shape.lines, mirrored: false }
        };
        return fits(&shape).then_some((tile, WHOLE_ROWS));
    }
    let (stride, mirrored) = (run.lines_per_row(), run.mirrors());
    let most_lines = |threads: usize| (limits.max_invocations.min(threads) / run.rows_shape().threads_per_line()).min(most_lanes / points);
    let columns = |threads: usize| {
        let lines = neighbours(plan, run, most_lines(threads), fits);
        let shape = run.columns_shape(lines, false);
        // Half of the lines are in one place, and their mirror images in another.
        let neighbours = if mirrored { lines / 2 } else { lines.min(stride) };
        let segments = segment_cost(neighbours, plan.lanes);
        let in_strips = || run_before(plan, first).is_some_and(|before| before.leaves_strips(run, lines));
        let cost = match shape.threads() > MOST_THREADS[0] {
            true if in_strips() => STRIPS,
            true => segments + ALONE,
            false => segments,
        };
        // With fewer workgroups than processors, some have nothing to do.
        let n_groups = (run.rows * stride).div_ceil(lines);
        let idle = (BUSY_GROUPS as f64 / n_groups as f64).max(1.0);
        (run.suits(&shape) && fits(&shape)).then_some((Tile::Strided { points, stride, lines, mirrored }, cost * idle))
    };
    // In double precision, a thread of a workgroup of 1024 runs out of registers for its points.
    let tries = if run.ends_columns() && run.precision == Precision::Single { &MOST_THREADS[..] } else { &MOST_THREADS[..1] };
    tries.iter().filter_map(|&threads| columns(threads)).min_by(|a, b| a.1.total_cmp(&b.1))
}

/// The number of neighbouring lines that pays, at most `most`.
fn neighbours(plan: &Plan, run: &StockhamRun, most: usize, fits: impl Fn(&FftShape) -> bool) -> usize {
    let n_lines = run.rows * run.lines_per_row();
    // Half of mirrored lines are neighbours.
    let pays = if run.mirrors() { 2 * MOST_LINES } else { MOST_LINES };
    let mut lines = most.clamp(1, if plan.lanes > LARGE { pays } else { pays / 2 });
    // Four lanes fill the smallest piece of memory that is ever moved. Mirrored lines come in pairs.
    lines = match lines {
        5.. => lines - lines % 4,
        3 if run.mirrors() => 2,
        _ => lines,
    };
    while lines > 4 && (n_lines.div_ceil(lines) < BUSY_GROUPS || !fits(&run.columns_shape(lines, false))) {
        lines /= 2;
    }
    lines
}

/// The longest run of Stockham stages of whole rows that ends before stage `end`, as one launch takes it.
fn run_before(plan: &Plan, end: usize) -> Option<StockhamRun> {
    let runs = (0..end).map(|first| recognise(&plan.stages[first..end], plan.lanes));
    runs.flatten().find(|run| run.points() <= MAX_POINTS)
}

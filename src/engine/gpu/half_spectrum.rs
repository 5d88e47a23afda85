//! The stage between the spectrum of pairs of real samples and half the spectrum of the samples, where no launch of the rows takes it: in rows of an odd number of
//! lines, and beside a convolution.

use super::costs::WHOLE_ROWS;
use super::family::{Family, KernelDispatch, LaunchQuery, MOST_LANES};
use super::kernel::Kernel;
use super::limits::Limits;
use super::tables::{Roots, Tables};
use crate::plan::shapes::HalfSpectrumStage;
use crate::plan::{Direction, Plan, Ring, Stage};
use crate::schedule::Tile;
use serde::Serialize;
use std::ops::Range;

const THREADS: usize = 256;

/// The variables of `half_spectrum.wgsl`.
#[derive(Serialize)]
struct HalfSpectrumData {
    rows: usize,
    points: usize,
    source_row: usize,
    sink_row: usize,
    sign: f64,
    scale: f64,
    forward: bool,
    threads: usize,
    fine: u32,
    coarse: u32,
    stride: u32,
    long: bool,
}

/// One stage that parts or joins the values of two lanes.
pub(super) struct HalfSpectrumPairs;

impl Family for HalfSpectrumPairs {
    fn most_lanes(&self) -> usize {
        MOST_LANES
    }

    fn dispatch(&self, query: LaunchQuery<'_>, tables: &mut Tables) -> Option<KernelDispatch> {
        let LaunchQuery { plan, launch, limits, .. } = query;
        if launch.tile != Tile::Each {
            return None;
        }
        let found = recognise(plan, launch.stages.clone())?;
        let HalfSpectrumStage { rows, points, scale, direction } = found;
        let forward = direction == Direction::Forward;
        let roots = tables.shortest(2 * points, direction);
        let Roots { fine, coarse, stride, .. } = roots;
        let [source_row, sink_row] = if forward { [points, points + 1] } else { [points + 1, points] };
        let sign = if forward { -1.0 } else { 1.0 };
        let (threads, long) = (THREADS.min(limits.max_invocations), roots.is_long());
        let data = HalfSpectrumData { rows, points, source_row, sink_row, sign, scale, forward, threads, fine, coarse, stride, long };
        let kernel = Kernel { precision: limits.precision, ..Kernel::new("half spectrum", "half_spectrum.wgsl", Ring::Complex, data) };
        let lane_bytes = limits.precision.bytes_per_lane(plan.ring);
        let n_groups = (rows * (points / 2 + 1)).div_ceil(threads);
        let bytes = Some((rows * (2 * points + 1) * lane_bytes) as u64);
        Some(KernelDispatch { n_groups, bytes, ..KernelDispatch::of(kernel, []) })
    }

    fn candidate(&self, plan: &Plan, stages: Range<usize>, _: Limits, _: usize) -> Option<(Tile, f64)> {
        recognise(plan, stages).map(|_| (Tile::Each, WHOLE_ROWS))
    }
}

/// The stage, if it is the only one and its rows lie within the lanes.
fn recognise(plan: &Plan, stages: Range<usize>) -> Option<HalfSpectrumStage> {
    let [stage]: &[Stage] = &plan.stages[stages.clone()] else { return None };
    let is_plain = plan.ring == Ring::Complex && !plan.carries(stages.start);
    let found = [Direction::Forward, Direction::Inverse].into_iter().find_map(|direction| HalfSpectrumStage::of(stage, direction));
    found.filter(|found| is_plain && found.rows * (found.points + 1) <= plan.lanes)
}

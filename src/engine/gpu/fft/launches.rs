//! Launches of the fast Fourier kernel: which schedules it supports, and the order of lanes between two launches.

use super::lane_factors::LaneFactors;
use super::placement::{Placement, RootTable, Side};
use super::recognise::recognise;
use super::run::StockhamRun;
use super::shape::{FftShape, PORTABLE_THREADS, STRIP, Strips};
use crate::gpu::family::LaunchQuery;
use crate::gpu::limits::Limits;
use crate::gpu::tables::Tables;
use crate::plan::{Plan, Ring, Stage};
use crate::schedule::{Launch, Schedule, Tile};

/// How a launch leaves the array to the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LaneOrder {
    /// Lane after lane, as the plan has it.
    InOrder,
    /// In strips ([`StockhamRun::leaves_strips`]).
    Strips,
    /// Row k1 + d·k2 is at row k1·`high` + k2, each `width` lanes long ([`StockhamRun::permutes_rows`]).
    Permuted { high: usize, width: usize },
}

/// The kernel of a launch and the number of its workgroups; `None` where the launch is unsupported.
pub(super) fn kernel_of(query: LaunchQuery<'_>, tables: &mut Tables) -> Option<(FftShape, usize)> {
    let LaunchQuery { plan, schedule, index, launch, in_place, limits } = query;
    let launches = FftLaunches { plan, schedule, limits };
    let before = index.checked_sub(1).map_or(LaneOrder::InOrder, |before| launches.order_after(before));
    let after = launches.order_after(index);
    let (run, shape) = launches.lines_of(launch, in_place && after == LaneOrder::InOrder)?;
    let shape = match [before, after] {
        [LaneOrder::Strips, _] => shape.with_strips(Strips::Source),
        [_, LaneOrder::Strips] => shape.with_strips(Strips::Sink),
        _ => shape,
    };
    Some(placed(&plan.stages[launch.stages.clone()], &run, shape, [before, after], tables))
}

/// The launches of a schedule, as the Fourier kernel takes them.
struct FftLaunches<'a> {
    plan: &'a Plan,
    schedule: &'a Schedule,
    limits: Limits,
}

impl FftLaunches<'_> {
    /// The run of stages of a launch, and the kernel that supports it.
    fn lines_of(&self, launch: &Launch, in_place: bool) -> Option<(StockhamRun, FftShape)> {
        if self.plan.ring != Ring::Complex || launch.stages.clone().any(|stage| self.plan.carries(stage)) {
            return None;
        }
        let run = recognise(&self.plan.stages[launch.stages.clone()], self.plan.lanes)?;
        let run = run.on(self.limits);
        let shape = match launch.tile {
            Tile::Block { lanes } => {
                (run.row == run.points() && run.half.is_none() && lanes.is_multiple_of(run.row)).then(|| run.rows_shape())
            }
            Tile::Strided { points, stride, lines, mirrored } => {
                let suits = run.lanes_of_line() == points && run.lines_per_row() == stride && run.mirrors() == mirrored;
                suits.then(|| if stride == 1 { run.rows_shape() } else { run.columns_shape(lines, in_place && run.in_place()) })
            }
            Tile::Each => Some(run.columns_shape(PORTABLE_THREADS, false)),
            _ => None,
        }?;
        let fits = shape.threads() <= self.limits.max_invocations && shape.workgroup_bytes() <= self.limits.workgroup_bytes;
        (fits && run.suits(&shape)).then_some((run, shape))
    }

    /// How a launch leaves the array to the next one.
    fn order_after(&self, index: usize) -> LaneOrder {
        let [Some(launch), Some(next)] = [index, index + 1].map(|index| self.schedule.launches.get(index)) else {
            return LaneOrder::InOrder;
        };
        let [Some((run, _)), Some((next, shape))] = [launch, next].map(|launch| self.lines_of(launch, false)) else {
            return LaneOrder::InOrder;
        };
        if run.leaves_strips(&next, shape.lines) {
            LaneOrder::Strips
        } else if run.permutes_rows(&next) {
            LaneOrder::Permuted { high: run.points(), width: next.row }
        } else {
            LaneOrder::InOrder
        }
    }
}

/// The kernel with the placement of its lines, and the number of its workgroups.
fn placed(stages: &[Stage], run: &StockhamRun, shape: FftShape, [before, after]: [LaneOrder; 2], tables: &mut Tables) -> (FftShape, usize) {
    let roots = tables.shortest(run.order(), run.direction).into();
    let half_roots = if run.half.is_some() { tables.shortest(2 * run.row, run.direction).into() } else { RootTable::default() };
    let (n_lines, per_row) = (run.rows * run.lines_per_row(), run.lines_per_row());
    let [source_pitch, sink_pitch] = run.pitches();
    let len = |weights: Option<LaneFactors>| weights.map_or(0, |weights| weights.len as u32);
    let weights =
        |end: Option<(LaneFactors, &Stage)>, tables: &mut Tables| end.map_or(0, |(weights, stage)| tables.weights(stage, weights.len));
    let weights = [run.before.zip(stages.first()), run.after.zip(stages.last())].map(|end| weights(end, tables));
    let mut placement = Placement {
        n_lines: n_lines as u32,
        lines_per_row: per_row as u32,
        across: run.span as u32,
        n_positions: if run.in_time { run.span } else { per_row / run.span } as u32,
        low: run.rows as u32,
        high: 1,
        // Points of line (q, a) from lane q + a·span on; results from lane q + a·span·points on.
        source: Side { row: source_pitch as u32, by_a: run.span as u32, step: per_row as u32, len: len(run.before), factors: weights[0] },
        sink: Side {
            row: sink_pitch as u32,
            by_a: (run.span * run.points()) as u32,
            step: run.span as u32,
            len: len(run.after),
            factors: weights[1],
        },
        roots,
        half_roots,
        strip: 0,
    };
    match before {
        // Strips hold whole columns.
        LaneOrder::Strips => [placement.source.step, placement.strip] = [STRIP, run.points() * STRIP].map(|number| number as u32),
        LaneOrder::Permuted { high, .. } => [placement.low, placement.high] = [run.rows / high, high].map(|number| number as u32),
        LaneOrder::InOrder => {}
    }
    match after {
        // Every line is a row of all strips.
        LaneOrder::Strips => {
            [placement.sink.row, placement.sink.by_a, placement.strip] = [STRIP, STRIP, n_lines * STRIP].map(|number| number as u32);
        }
        // Line (q, a) is column q of the rows that follow row a.
        LaneOrder::Permuted { high, width } => {
            let width = width as u32;
            placement.across = width;
            placement.source.by_a = width;
            [placement.sink.by_a, placement.sink.step] = [high as u32 * width, width];
        }
        LaneOrder::InOrder => {}
    }
    let n_groups = n_lines.div_ceil(shape.lines);
    (shape.placed(placement), n_groups)
}

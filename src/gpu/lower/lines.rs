//! Launches of the fast Fourier kernel: its shape, the order in which lanes stand between two of them, and its numbers.

use super::{Dispatch, Lowering, THREADS, parameters};
use crate::gpu::Kernel;
use crate::gpu::fft::{self, LinesShape, Placement, Run, STRIP, Side, Strips, Weights};
use crate::gpu::numbers::{Roots, Tables};
use crate::plan::{Ring, Stage};
use crate::schedule::{Launch, Tile};

impl Lowering<'_> {
    /// The kernel and its numbers for a launch, where it serves.
    pub(super) fn lines(&mut self, index: usize, launch: &Launch, in_place: bool) -> Option<Dispatch> {
        let (run, shape) = self.lines_of(launch, in_place)?;
        let shape = if index > 0 && self.leaves_strips(index - 1) {
            shape.with_strips(Strips::Source)
        } else if self.leaves_strips(index) {
            shape.with_strips(Strips::Sink)
        } else {
            shape
        };
        let stages = &self.plan.stages[launch.stages.clone()];
        Some(self.lines_dispatch(stages, &run, shape))
    }

    /// The run of stages of a launch, and the kernel that serves it.
    fn lines_of(&self, launch: &Launch, in_place: bool) -> Option<(Run, LinesShape)> {
        if self.plan.ring != Ring::Complex || launch.stages.clone().any(|stage| self.plan.carries(stage)) {
            return None;
        }
        let run = fft::recognise(&self.plan.stages[launch.stages.clone()], self.plan.lanes)?;
        let run = run.on(self.limits);
        let shape = match launch.tile {
            Tile::Block { lanes } => {
                (run.row == run.points() && run.half.is_none() && lanes.is_multiple_of(run.row)).then(|| run.rows_shape())
            }
            Tile::Strided { points, stride, lines } => {
                let suits = run.lanes_of_line() == points && run.lines_per_row() == stride;
                suits.then(|| if stride == 1 { run.rows_shape() } else { run.columns_shape(lines, in_place && run.in_place()) })
            }
            Tile::Each => Some(run.columns_shape(THREADS, false)),
            _ => None,
        }?;
        let fits = shape.threads() <= self.limits.max_invocations && shape.workgroup_bytes() <= self.limits.workgroup_bytes;
        fits.then_some((run, shape))
    }

    /// Whether a launch leaves the array in strips to the next one.
    fn leaves_strips(&self, index: usize) -> bool {
        let [Some(launch), Some(next)] = [index, index + 1].map(|index| self.schedule.launches.get(index)) else { return false };
        let [Some((run, _)), Some((next, shape))] = [launch, next].map(|launch| self.lines_of(launch, false)) else { return false };
        run.leaves_strips(&next, shape.lines)
    }

    fn lines_dispatch(&mut self, stages: &[Stage], run: &Run, shape: LinesShape) -> Dispatch {
        let Roots { fine, coarse, stride, .. } = self.tables.shortest(run.table_order(), run.direction);
        let stride = stride * (run.table_order() / run.order()) as u32;
        let (n_lines, per_row) = (run.rows * run.lines_per_row(), run.lines_per_row());
        let [source_pitch, sink_pitch] = run.pitches();
        let len = |weights: Option<Weights>| weights.map_or(0, |weights| weights.len);
        let weights =
            |end: Option<(Weights, &Stage)>, tables: &mut Tables| end.map_or(0, |(weights, stage)| tables.weights(stage, weights.len));
        let [before, after] = [run.before.zip(stages.first()), run.after.zip(stages.last())].map(|end| weights(end, &mut self.tables));
        // Points of line (q, a) from lane q + a·span on; results from lane q + a·span·points on.
        let side = |row: usize, by_a: usize, step: usize, len: usize, weights: u32| {
            let [row, by_a, step, len] = [row, by_a, step, len].map(|number| number as u32);
            Side { row, by_a, step, len, weights }
        };
        let mut source = side(source_pitch, run.span, per_row, len(run.before), before);
        let mut sink = side(sink_pitch, run.span * run.points(), run.span, len(run.after), after);
        let strip = match shape.strips {
            // Strips hold whole columns.
            Some(Strips::Source) => {
                source.step = STRIP as u32;
                run.points() * STRIP
            }
            // Every line is a row of all strips.
            Some(Strips::Sink) => {
                [sink.row, sink.by_a] = [STRIP as u32; 2];
                n_lines * STRIP
            }
            None => 0,
        };
        let [n, lines_per_row, across, n_positions, strip] =
            [n_lines, per_row, run.span, per_row / run.span, strip].map(|number| number as u32);
        let placement = Placement { n_lines: n, lines_per_row, across, n_positions, source, sink, fine, coarse, stride, strip };
        let n_groups = n_lines.div_ceil(shape.lines);
        let kernel = Kernel::Fft(shape.placed(placement));
        Dispatch { kernel, parameters: parameters([]), n_groups, carries: false }
    }
}

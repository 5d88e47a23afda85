//! Liveness: the lanes that hold a value between stages, and the values that later stages need.

use super::{Coef, Operation, Plan, ReadPattern, Stage};
use std::ops::Range;

/// A lane that is read or returned before it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnwrittenLane {
    /// Number of stages that have run.
    pub column: usize,
    /// The lane.
    pub lane: usize,
}

impl Plan {
    /// The live lanes in every column of the drawing, `[column][lane]`, from the inputs to the outputs.
    /// A lane is live if the stage before wrote it or if its value is needed later.
    pub fn live(&self) -> Vec<Vec<bool>> {
        let n = self.stages.len();
        let mut live = vec![vec![false; self.lanes]; n + 1];
        live[n][..self.outputs].fill(true);
        for (index, stage) in self.stages.iter().enumerate().rev() {
            let mut needed = live[index + 1].clone();
            stage.written_lanes().for_each(|lane| needed[lane] = false);
            stage.read_lanes().for_each(|lane| needed[lane] = true);
            live[index] = needed;
        }
        live[0][..self.inputs].fill(true);
        for (index, stage) in self.stages.iter().enumerate() {
            stage.written_lanes().for_each(|lane| live[index + 1][lane] = true);
        }
        live
    }

    /// The first lane that is used before it is written; `None` for a valid plan.
    pub fn unwritten(&self) -> Option<UnwrittenLane> {
        let mut holds = vec![false; self.lanes];
        holds[..self.inputs].fill(true);
        for (column, stage) in self.stages.iter().enumerate() {
            if let Some(lane) = stage.read_lanes().find(|&lane| !holds[lane]) {
                return Some(UnwrittenLane { column, lane });
            }
            stage.written_lanes().for_each(|lane| holds[lane] = true);
        }
        let lane = holds[..self.outputs].iter().position(|holds| !holds)?;
        Some(UnwrittenLane { column: self.stages.len(), lane })
    }

    /// Whether stage `index` must keep a lane that it does not write, because a later stage needs it.
    ///
    /// Only results that fill the first lanes without a gap count as written; otherwise the answer assumes that all lanes are needed.
    pub fn carries(&self, index: usize) -> bool {
        let mut needed = self.outputs;
        for stage in self.stages[index + 1..].iter().rev() {
            let kept = if stage.fills(needed) { 0 } else { needed };
            needed = kept.max(stage.read_reach());
        }
        !self.stages[index].fills(needed)
    }
}

impl Stage {
    /// The lanes that butterflies read, with repetitions.
    pub fn read_lanes(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.n_butterflies()).flat_map(move |index| {
            let [p, q, b] = self.indices(index);
            (0..self.matrix().taps).filter_map(move |k| self.read_lane(p, q, b, k))
        })
    }

    /// Whether the results are known to fill the first `lanes` lanes.
    fn fills(&self, lanes: usize) -> bool {
        self.written_prefix().is_some_and(|written| written >= lanes)
    }

    /// The number of lanes, from the first one on, that the results are known to fill without a gap, where they write no others.
    ///
    /// No two results share a lane.
    pub fn written_prefix(&self) -> Option<usize> {
        let n_results = self.n_butterflies() * self.matrix().rows;
        let divides = |lanes: usize| n_results.is_multiple_of(lanes);
        let stays = divides(1 << self.write.reversed_bits) && self.write.pyramid.is_none_or(|pyramid| divides(pyramid.lanes()));
        (n_results == self.write_reach() && stays).then_some(n_results)
    }

    /// The ranges of lanes that the results are known to fill without a gap, where they write no others: one, or one for each of two groups.
    ///
    /// No two results share a lane.
    pub fn written_ranges(&self) -> Option<Vec<Range<usize>>> {
        if let Some(written) = self.written_prefix() {
            return Some(vec![Range { start: 0, end: written }]);
        }
        let first = self.write.first;
        let ranges = |n_groups: usize| {
            let n = self.n_butterflies() * self.matrix().rows / n_groups;
            let start = |q: usize| first + q * if n_groups > 1 { self.group.write } else { 0 };
            (0..n_groups).map(|q| start(q)..start(q) + n).collect::<Vec<_>>()
        };
        let is_filled = |ranges: &Vec<Range<usize>>| match &ranges[..] {
            [whole] => whole.end == self.write_reach(),
            each => {
                self.lane_in_repetition(self.positions - 1, 0, self.matrix().rows - 1) + 1 == each[0].end && each[1].start >= each[0].end
            }
        };
        let is_two = self.outer.n == 1 && self.group.n == 2;
        (!self.write.scatters()).then(|| [Some(ranges(1)), is_two.then(|| ranges(2))].into_iter().flatten().find(is_filled)).flatten()
    }

    /// Lanes that hold all that the stage may read.
    pub fn read_range(&self) -> Range<usize> {
        self.read.base..self.read_reach()
    }

    /// Whether the stage does no more than copy the inputs to other lanes, which a host can do as it uploads them.
    pub fn copies(&self, inputs: usize) -> bool {
        self.twiddle.is_none()
            && matches!(&self.operation, Operation::Linear(matrix) if matrix.rows * matrix.taps == 1 && matrix.coefs[0] == Coef::ONE)
            && (self.group.read, self.outer.n) == (0, 1)
            && self.read == ReadPattern::in_order(inputs)
            && self.positions == inputs
            && (self.write.advance, self.write.scatters()) == (1, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::shapes::every_lane;
    use crate::plan::{Coef, Extension, Loop, Matrix, Operation, ReadPattern, ResultOrder, Ring, WritePattern};

    /// `n` sums, each of `taps` consecutive lanes; lanes past `len` count as zero.
    fn sums(n: usize, taps: usize, len: usize) -> Stage {
        Stage {
            label: String::new(),
            outer: Loop::ONCE,
            group: Loop::ONCE,
            positions: n,
            read: ReadPattern { extension: Extension::Zero, ..ReadPattern::in_order(len) },
            write: WritePattern::IN_ORDER,
            operation: Operation::Linear(Matrix::from_fn(1, taps, |_, _| Coef::ONE)),
            twiddle: None,
        }
    }

    /// Pads three values to five, sums neighbours to four, and returns two of the sums.
    fn padded() -> Plan {
        let stages = vec![sums(5, 1, 3), sums(4, 2, 5), sums(2, 1, 4)];
        Plan::new(Ring::Real, 5, stages, ResultOrder::Natural).with_ends(3, 2)
    }

    #[test]
    fn a_plan_reads_nothing_that_was_not_written() {
        let plan = padded();
        assert_eq!(plan.unwritten(), None);
        let reads_too_far = Plan { stages: vec![sums(5, 1, 4)], ..plan.clone() };
        assert_eq!(reads_too_far.unwritten(), Some(UnwrittenLane { column: 0, lane: 3 }));
        let gives_too_much = Plan { stages: vec![sums(3, 1, 3)], outputs: 4, ..plan };
        assert_eq!(gives_too_much.unwritten(), Some(UnwrittenLane { column: 1, lane: 3 }));
    }

    #[test]
    fn lanes_live_from_their_first_value_to_their_last_use() {
        let live: Vec<usize> = padded().live().iter().map(|lanes| lanes.iter().filter(|live| **live).count()).collect();
        assert_eq!(live, [3, 5, 4, 2]);
    }

    #[test]
    fn only_what_is_needed_later_is_carried() {
        let mut plan = padded();
        assert!((0..3).all(|stage| !plan.carries(stage)));
        // The last stage reads lane 3, which the stage before does not write.
        plan.stages[1] = sums(3, 2, 5);
        assert_eq!([0, 1, 2].map(|stage| plan.carries(stage)), [false, true, false]);
        plan.stages[2].write.first = 1;
        assert!(plan.carries(2), "lane 0 is returned but not written");
    }

    #[test]
    fn lines_of_a_batch_may_read_inputs_and_write_outputs_in_any_stage() {
        // Three values and their mirror image are added, and two of the sums are returned. Only the middle stage writes lane 0.
        let mirror = Stage {
            read: ReadPattern { first: 2, advance: -1, ..ReadPattern::in_order(3) },
            write: WritePattern { first: 3, ..WritePattern::IN_ORDER },
            ..every_lane(3)
        };
        let sum = Stage {
            read: ReadPattern { hop: 3, ..ReadPattern::in_order(6) },
            operation: Operation::Linear(Matrix::from_fn(1, 2, |_, _| Coef::ONE)),
            ..every_lane(3)
        };
        let double = Stage {
            read: ReadPattern { base: 1, ..ReadPattern::in_order(1) },
            write: WritePattern { first: 1, ..WritePattern::IN_ORDER },
            operation: Operation::Linear(Matrix::scalar(Coef::Real(2.0))),
            ..every_lane(1)
        };
        let plan = Plan::new(Ring::Real, 6, vec![mirror, sum, double], ResultOrder::Natural).with_ends(3, 2);
        let batch = plan.clone().batched(2);
        assert_eq!((batch.inputs, batch.outputs, batch.unwritten()), (6, 4, None));
        let input = [1.0, 2.0, 3.0, 10.0, 20.0, 40.0].map(Into::into);
        assert_eq!(batch.run(&input), [4.0, 8.0, 50.0, 80.0].map(Into::into));
        assert_eq!(plan.run(&input[3..]), batch.run(&input)[2..]);
    }

    #[test]
    fn the_matrix_has_a_row_an_output_and_a_column_an_input() {
        let matrix = padded().matrix();
        assert_eq!(matrix.iter().map(|row| row.iter().map(|x| x.re).collect()).collect::<Vec<Vec<_>>>(), [[1., 1., 0.], [0., 1., 1.]]);
    }

    #[test]
    fn lines_of_a_batch_stand_close_at_both_ends() {
        let (plan, rows) = (padded(), 3);
        let batch = plan.clone().batched(rows);
        assert_eq!((batch.lanes, batch.inputs, batch.outputs, batch.unwritten()), (15, 9, 6, None));
        let input: Vec<_> = (0..9).map(|i| f64::from(i * i + 1).into()).collect();
        let expected: Vec<_> = input.chunks(3).flat_map(|line| plan.run(line)).collect();
        assert_eq!(batch.run(&input), expected);
        assert!(batch.matrix().iter().flatten().all(|weight| weight.re.is_finite()));
    }
}

//! Schedules whose tiles are blocks of consecutive lanes.

use super::bit_tiles::SEGMENT_BYTES;
use super::{BlockKernels, Launch, Schedule, Tile, bit_tile};
use crate::plan::{Plan, Stage};
use std::ops::Range;

impl Schedule {
    /// Few launches in tiles of at most `max_lanes` lanes: blocks of consecutive lanes, and tiles of bits for runs of stages that fit no block.
    /// A stage that fits neither is a launch of its own.
    pub fn tiled(plan: &Plan, max_lanes: usize) -> Self {
        Self { launches: with_bit_tiles(plan, Self::of_blocks(plan, max_lanes).launches, max_lanes) }
    }

    /// Blocks of consecutive lanes for the stages that fit one, and a launch for every other stage, by the kernels made for the stages.
    pub fn in_blocks(plan: &Plan, kernels: BlockKernels) -> Self {
        let mut schedule = Self::of_blocks(plan, kernels.lanes());
        for launch in &mut schedule.launches {
            launch.tile = match launch.tile {
                Tile::Block { lanes } => Tile::BlockBy { lanes, variant: kernels.variant(lanes) },
                _ => Tile::Variant(kernels.variant(kernels.lanes())),
            };
        }
        schedule
    }

    /// The fewest launches in blocks of at most `max_lanes` consecutive lanes; a stage that fits none is a launch of its own.
    fn of_blocks(plan: &Plan, max_lanes: usize) -> Self {
        let mut launches: Vec<Launch> = Vec::new();
        for index in 0..plan.stages.len() {
            if index < plan.n_apart {
                launches.push(Launch { stages: index..index + 1, tile: Tile::Each });
                continue;
            }
            let open = launches.last().map_or(index, |launch| launch.stages.start);
            let joined = common_block(plan, open..index + 1, max_lanes).map(|lanes| (open, lanes));
            match joined.or_else(|| Some((index, common_block(plan, index..index + 1, max_lanes)?))) {
                Some((first, lanes)) => {
                    launches.truncate(launches.len() - usize::from(first < index));
                    launches.push(Launch { stages: first..index + 1, tile: Tile::Block { lanes } });
                }
                None => launches.push(Launch { stages: index..index + 1, tile: Tile::Each }),
            }
        }
        Self { launches }
    }
}

/// The same launches, with runs of launches without tiles joined in tiles of bits.
fn with_bit_tiles(plan: &Plan, launches: Vec<Launch>, max_lanes: usize) -> Vec<Launch> {
    let mut joined: Vec<Launch> = Vec::new();
    for run in launches.chunk_by(|a, b| a.tile == Tile::Each && b.tile == Tile::Each) {
        let (mut first, end) = (run[0].stages.start, run[run.len() - 1].stages.end);
        if run[0].tile != Tile::Each {
            joined.extend_from_slice(run);
            continue;
        }
        while first < end {
            let longest = (first + 2..=end).rev().find_map(|end| Some((end, bit_tile(plan, first..end, max_lanes, SEGMENT_BYTES)?)));
            let (next, tile) = longest.unwrap_or((first + 1, Tile::Each));
            joined.push(Launch { stages: first..next, tile });
            first = next;
        }
    }
    joined
}

impl Stage {
    /// The smallest block of consecutive lanes that contains the taps and results of each of its butterflies, before bit reversal. `None` if there is none.
    pub fn block(&self, lanes: usize) -> Option<usize> {
        // A direct sum reads too many lanes for the registers of a thread.
        if self.direct_sum().is_some() {
            return None;
        }
        if self.outer.n == 1 {
            return Some(lanes);
        }
        let matrix = self.matrix();
        let reach_read = self.read.base + self.read.step * (self.read.len - 1) + (self.group.n - 1) * self.group.read;
        let reach_write = self.write.first
            + (self.positions - 1) * self.write.advance
            + (matrix.rows - 1) * self.write.hop
            + (self.group.n - 1) * self.group.write;
        let stride = self.outer.read;
        (stride == self.outer.write && reach_read < stride && reach_write < stride && stride * self.outer.n == lanes).then_some(stride)
    }
}

/// The tile of at most `max_lanes` spaced lanes in which a run of stages can be one launch; `None` if there is none.
/// All of them work in place on every `spacing`-th lane, and leave the other lanes as they are.
pub fn spaced_tile(plan: &Plan, stages: Range<usize>, max_lanes: usize) -> Option<Tile> {
    let run = &plan.stages[stages.clone()];
    let spacing = run.iter().map(Stage::spacing).min().filter(|&spacing| spacing > 1 && plan.lanes.is_multiple_of(spacing))?;
    let mut keeps_others = stages.clone().map(|stage| plan.carries(stage));
    if !plan.may_join(&stages) || !run.iter().all(Stage::writes_its_taps) || !keeps_others.all(|carries| carries) {
        return None;
    }
    let lanes = run.iter().try_fold(1, |common: usize, stage| {
        let block = stage.on_every(spacing)?.block(plan.lanes / spacing)?;
        let (small, large) = (common.min(block), common.max(block));
        (large.is_multiple_of(small) && large <= max_lanes).then_some(large)
    })?;
    (plan.lanes / spacing).is_multiple_of(lanes).then_some(Tile::Spaced { lanes, spacing })
}

/// The smallest block of at most `max_lanes` lanes in which a run of stages can be one launch; `None` if there is none.
/// Only the last stage may write to reversed lanes.
pub fn common_block(plan: &Plan, stages: Range<usize>, max_lanes: usize) -> Option<usize> {
    let last = stages.end.checked_sub(1).filter(|_| plan.may_join(&stages))?;
    let mut common = 1;
    for index in stages {
        let stage = &plan.stages[index];
        let block = stage.block(plan.lanes)?;
        let (small, large) = (common.min(block), common.max(block));
        if !large.is_multiple_of(small) || large > max_lanes || (stage.write.scatters() && index < last) {
            return None;
        }
        common = large;
    }
    Some(common)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transforms::{Parameters, Shape, transform};

    #[test]
    fn late_steps_of_haar_are_a_tile_of_lanes_far_apart() {
        let build = transform("haar").and_then(|transform| transform.algorithm("cooley-tukey")).expect("it is in the table").plan_fn();
        let plan = build.expect("it has a plan")(Shape { rows: 2, columns: 64 }, Parameters::default()).expect("a power of two");
        let late = spaced_tile(&plan, 3..6, 8);
        assert_eq!(late, Some(Tile::Spaced { lanes: 8, spacing: 8 }));
        assert_eq!([spaced_tile(&plan, 3..6, 4), spaced_tile(&plan, 0..3, 8), spaced_tile(&plan, 5..7, 8)], [None; 3]);
        let with = |tile: Tile| Schedule {
            launches: vec![
                Launch { stages: 0..3, tile: Tile::Block { lanes: 8 } },
                Launch { stages: 3..6, tile },
                Launch { stages: 6..7, tile: Tile::Each },
            ],
        };
        assert_eq!(with(Tile::Spaced { lanes: 8, spacing: 8 }).check(&plan), Ok(()));
        for [lanes, spacing] in [[4, 8], [4, 16]] {
            assert!(with(Tile::Spaced { lanes, spacing }).check(&plan).is_err(), "{lanes} lanes, {spacing} apart");
        }
    }
}

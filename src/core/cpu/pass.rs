//! A pass: consecutive stages that every tile runs without memory traffic between them.
//!
//! A tile reads its lanes once, keeps them as rows of columns, runs all stages on the rows, and writes the lanes once.
//! Real and imaginary parts lie apart, so that a vector holds one part of neighbouring columns and products need no exchange.

mod complex;
mod digits;
mod residues;
mod rows;
mod shape;
mod tables;

pub(super) use complex::fourier;
pub(super) use residues::residues;

use super::Lane;
use super::lane::{Aligned, CACHE_LINE, LaneSink, SharedLanes};
use crate::plan::{LazyBound, Ring, Stage, kernel_bounds};
use digits::{Digits, TAP};
use fearless_simd::{Level, Simd};
use rayon::prelude::*;
use rows::RowStage;
use shape::{MOST_ROWS, TileShape, sums};
use std::ops::Range;

/// Bytes of the rows that stay in the L1 cache from stage to stage.
const L1_BYTES: usize = 1 << 15;
/// Columns of a row are a multiple of this number, which vectors divide. As many neighbouring rows are read or written at a time, or a whole cache line.
const GROUP_OF_ROWS: usize = 8;

/// Consecutive stages of a plan, ready to run.
pub(super) struct Pass<L: Lane> {
    shape: TileShape,
    stages: Vec<RowStage<L::Part>>,
    /// Runs of stages whose rows fit the L1 cache, with the number of blocks of rows that they transform alone.
    blocks: Vec<(Range<usize>, usize)>,
    /// Numbers of a tile.
    len: usize,
    /// Numbers of one part of a row.
    pitch: usize,
    reads: Lines,
    writes: Lines,
}

/// How the rows and columns of a tile lie in memory.
struct Lines {
    /// Lane and place in the tile of every row, in the order of lanes.
    rows: Vec<(usize, usize)>,
    /// The lane of every column.
    columns: Vec<usize>,
    /// Whether columns are neighbours.
    is_along_columns: bool,
    /// Rows that are neighbours.
    neighbours: usize,
}

/// Whether a stage can be part of a pass. Processors without AVX2 or Neon run stages butterfly by butterfly.
fn supports<L: Lane>(stage: &Stage) -> bool {
    let has_vectors = match Level::new() {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::Avx2(_) => true,
        #[cfg(target_arch = "aarch64")]
        Level::Neon(_) => true,
        _ => false,
    };
    has_vectors && rows::supports::<L>(stage) && Digits::before(stage).is_some_and(|digits| digits.then(stage).is_some())
}

/// The passes of consecutive stages: as few as possible, as equal as possible. A stage without a pass stands alone.
pub(super) fn passes(stages: &[Stage], runs: impl Fn(&Stage) -> bool) -> Vec<(Range<usize>, bool)> {
    let limits = std::iter::successors(Some(MOST_ROWS), |limit| Some(limit / 2)).take_while(|limit| *limit >= 16);
    let mut divisions: Vec<_> = limits.map(|limit| divided(stages, limit, &runs)).collect();
    let least = divisions.iter().map(Vec::len).min().unwrap_or(0);
    divisions.retain(|division| division.len() == least);
    divisions.pop().unwrap_or_default()
}

fn divided(stages: &[Stage], limit: usize, runs: impl Fn(&Stage) -> bool) -> Vec<(Range<usize>, bool)> {
    let mut passes = Vec::new();
    let mut first = 0;
    while first < stages.len() {
        let (mut end, mut digits) = (first, Digits::before(&stages[first]));
        while let Some(next) = stages.get(end).filter(|stage| runs(stage)).and_then(|stage| digits.as_ref()?.then(stage)) {
            if end > first && next.transformed() > limit {
                break;
            }
            (end, digits) = (end + 1, Some(next));
        }
        passes.push((first..end.max(first + 1), end > first));
        first = end.max(first + 1);
    }
    passes
}

impl<L: Lane> Pass<L> {
    /// Whether the stage can be part of a pass.
    pub(super) fn supports(stage: &Stage) -> bool {
        supports::<L>(stage)
    }

    /// The pass of these stages, which [`passes`] found.
    pub(super) fn of(ring: Ring, stages: &[Stage]) -> Self {
        let first = Digits::before(&stages[0]).expect("the stages form a pass");
        let digits = stages.iter().try_fold(first, |digits, stage| digits.then(stage)).expect("the stages form a pass");
        let shape = TileShape::of(digits);
        let pitch = shape.n_columns().next_multiple_of(GROUP_OF_ROWS);
        // Rows that are a multiple of 4 KiB apart would share few cache sets.
        let (mut distance, mut places) = (L::PARTS * pitch, Vec::new());
        for row in &shape.rows {
            places.push(distance);
            distance *= row.n;
            distance += if (distance * size_of::<L::Part>()).is_multiple_of(4096) { 64 / size_of::<L::Part>() } else { 0 };
        }
        let place = |digit: &digits::Digit| {
            shape.rows.iter().position(|row| row.from == digit.from && row.to == digit.to).map_or(0, |index| places[index])
        };
        let local = sums(&shape.rows, place);
        let lines = |stride: fn(&digits::Digit) -> usize| {
            Lines::new(sums(&shape.rows, stride), &local, sums(&shape.columns, stride), GROUP_OF_ROWS.max(CACHE_LINE / size_of::<L>()))
        };
        let (reads, writes) = (lines(|digit| digit.from), lines(|digit| digit.to));
        let blocks = blocks(&shape.rows, stages.len(), (L1_BYTES / (L::PARTS * pitch * size_of::<L::Part>())).max(1));
        let bounds = ring.field().map_or_else(|| vec![LazyBound::STRICT; stages.len()], |field| kernel_bounds(field, stages, u32::BITS));
        let joined = tables::joined(ring, stages, &shape);
        let row_stage = |(index, stage): (usize, &Stage)| {
            let (taps, mut others): (Vec<_>, Vec<_>) = shape.rows.iter().partition(|row| row.indices[index][TAP] > 0);
            // Butterflies of a block lie together.
            let block = blocks.iter().find_map(|(stages, _)| Some(stages.clone()).filter(|stages| stages.contains(&index)));
            others.sort_by_key(|row| !block.clone().is_some_and(|mut stages| stages.any(|stage| row.indices[stage][TAP] > 0)));
            let mut lanes: Vec<_> =
                std::iter::zip(sums(taps.iter().copied(), |row| row.indices[index][TAP]), sums(taps.iter().copied(), place)).collect();
            lanes.sort_unstable();
            let taps = lanes.into_iter().map(|(_, place)| place).collect();
            RowStage::of(
                (ring, stage, bounds[index]),
                index,
                &shape,
                [taps, sums(others.iter().copied(), place)],
                (&others, &joined),
                L::PARTS,
            )
        };
        let stages = stages.iter().enumerate().map(row_stage).collect();
        let len = local.iter().max().map_or(0, |last| last + L::PARTS * pitch);
        Self { stages, blocks, len, pitch, reads, writes, shape }
    }

    fn held(&self) -> Aligned<L::Part> {
        let mut held = Aligned::default();
        held.fit(self.len, L::Part::ZERO);
        held
    }

    fn n_tiles(&self) -> usize {
        self.shape.tiles.iter().map(|digit| digit.n).product()
    }

    /// Number of lanes.
    pub(super) fn lanes(&self) -> usize {
        let digits = self.shape.tiles.iter().chain(&self.shape.rows).chain(&self.shape.columns);
        digits.map(|digit| digit.n).product()
    }

    /// Runs all tiles on one thread.
    pub(super) fn apart(&self, before: &[L], after: &mut [L]) {
        let mut held = self.held();
        (0..self.n_tiles()).for_each(|index| self.tile(index, before, &mut *after, held.lanes_mut()));
    }

    /// Runs all tiles on all threads.
    pub(super) fn shared(&self, before: &[L], after: &SharedLanes<L>) {
        // A thread that is free takes half of what another one has left, tile by tile if need be, with rows of its own.
        (0..self.n_tiles()).into_par_iter().for_each_init(|| self.held(), |held, index| self.tile(index, before, after, held.lanes_mut()));
    }

    fn tile(&self, index: usize, before: &[L], after: impl LaneSink<L>, held: &mut [L::Part]) {
        match Level::new() {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx2(simd) => self.tile_with(simd, index, before, after, held),
            #[cfg(target_arch = "aarch64")]
            Level::Neon(simd) => self.tile_with(simd, index, before, after, held),
            _ => unreachable!("passes need vectors"),
        }
    }

    fn tile_with<S: Simd>(&self, simd: S, index: usize, before: &[L], mut after: impl LaneSink<L>, held: &mut [L::Part]) {
        let tiles = &self.shape.tiles;
        let value = |rest: &mut usize, digit: &digits::Digit| {
            let value = *rest % digit.n;
            *rest /= digit.n;
            Some(value)
        };
        let values: Vec<usize> = tiles.iter().scan(index, value).collect();
        let first =
            |stride: fn(&digits::Digit) -> usize| std::iter::zip(tiles, &values).map(|(digit, value)| stride(digit) * value).sum::<usize>();
        let columns = match self.shape.last {
            Some((digit, n)) if values[digit] + 1 == tiles[digit].n => n,
            _ => self.shape.n_columns(),
        };
        let (from, to) = (first(|digit| digit.from), first(|digit| digit.to));
        simd.vectorize(
            #[inline(always)]
            || self.read(&before[from..], held, columns),
        );
        let twiddles: Vec<_> = self.stages.iter().map(|stage| stage.of_tile(&values)).collect();
        for (stages, n_blocks) in &self.blocks {
            for block in 0..*n_blocks {
                for (stage, twiddles) in std::iter::zip(&self.stages[stages.clone()], &twiddles[stages.clone()]) {
                    let n = stage.n_butterflies() / n_blocks;
                    stage.run(simd, held, self.pitch, block * n..(block + 1) * n, twiddles.as_ref());
                }
            }
        }
        simd.vectorize(
            #[inline(always)]
            || self.write(to, &mut after, held, columns),
        );
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read(&self, before: &[L], held: &mut [L::Part], n_columns: usize) {
        let Lines { rows, columns, is_along_columns, neighbours } = &self.reads;
        if *is_along_columns {
            for &(lane, place) in rows {
                let row = &mut held[place..place + L::PARTS * self.pitch];
                for (part, row) in row.chunks_exact_mut(self.pitch).enumerate() {
                    row[..n_columns].iter_mut().zip(&before[lane..lane + n_columns]).for_each(|(number, lane)| *number = lane.part(part));
                    row[n_columns..].fill(L::Part::ZERO);
                }
            }
            return;
        }
        for rows in rows.chunks_exact(*neighbours) {
            for (column, lane) in columns[..n_columns].iter().enumerate() {
                let lanes = &before[rows[0].0 + lane..][..rows.len()];
                for ((_, place), lane) in rows.iter().zip(lanes) {
                    for part in 0..L::PARTS {
                        held[place + part * self.pitch + column] = lane.part(part);
                    }
                }
            }
            for ((_, place), column) in rows.iter().flat_map(|row| (n_columns..self.pitch).map(move |column| (row, column))) {
                for part in 0..L::PARTS {
                    held[place + part * self.pitch + column] = L::Part::ZERO;
                }
            }
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write(&self, first: usize, after: &mut impl LaneSink<L>, held: &[L::Part], n_columns: usize) {
        let Lines { rows, columns, is_along_columns, neighbours } = &self.writes;
        let last = (L::PARTS - 1) * self.pitch;
        if *is_along_columns {
            for &(lane, place) in rows {
                let row = &held[place..place + L::PARTS * self.pitch];
                let parts = [&row[..n_columns], &row[last..][..n_columns]];
                after.store_run(first + lane, std::iter::zip(parts[0], parts[1]).map(move |(a, b)| L::of_parts([*a, *b])));
            }
            return;
        }
        for rows in rows.chunks_exact(*neighbours) {
            for (column, lane) in columns[..n_columns].iter().enumerate() {
                let lane_of = move |(_, place): &(usize, usize)| L::of_parts([held[place + column], held[place + column + last]]);
                let lanes = rows.iter().map(lane_of);
                after.store_run(first + rows[0].0 + lane, lanes);
            }
        }
    }
}

/// The runs of stages that transform at most `most` rows together, and the number of blocks of such rows.
fn blocks(rows: &[digits::Digit], n_stages: usize, most: usize) -> Vec<(Range<usize>, usize)> {
    let all: usize = rows.iter().map(|row| row.n).product();
    let transformed = |stages: Range<usize>| {
        rows.iter().filter(|row| stages.clone().any(|stage| row.indices[stage][TAP] > 0)).map(|row| row.n).product::<usize>()
    };
    let mut blocks = Vec::new();
    let mut first = 0;
    while first < n_stages {
        let end = (first + 1..=n_stages).rev().find(|&end| transformed(first..end) <= most).unwrap_or(first + 1);
        blocks.push((first..end, all / transformed(first..end)));
        first = end;
    }
    blocks
}

impl Lines {
    /// With at most `most` neighbours.
    fn new(rows: Vec<usize>, places: &[usize], columns: Vec<usize>, most: usize) -> Self {
        let mut rows: Vec<(usize, usize)> = rows.into_iter().zip(places.iter().copied()).collect();
        rows.sort_unstable();
        let is_along_columns = columns.iter().enumerate().all(|(column, &lane)| column == lane);
        let adjoin = |n: usize| {
            rows.len().is_multiple_of(n) && rows.chunks(n).all(|rows| rows.iter().enumerate().all(|(i, row)| row.0 == rows[0].0 + i))
        };
        let neighbours = (1..=most).rev().find(|&n| adjoin(n)).unwrap_or(1);
        Self { rows, columns, is_along_columns, neighbours }
    }
}

//! Tiles of lanes that differ in some bits of their indices: all that stages on single bits need.
//!
//! Most stages of a power of two move the bits of a lane's index to other places, and mix the lanes that differ in one or a few bits.
//! A run of them needs a tile with the bits that it mixes. After k steps of a perfect shuffle, for instance, the bits are rotated by k:
//! a tile that reads neighbouring lanes then writes lanes far apart, or the reverse.
//! More bits join the tile, so that it touches neighbouring lanes on both sides of the launch.

use super::Tile;
use crate::plan::{BitOrder, Extension, Operation, Plan, Stage, Twiddle};
use std::ops::Range;

/// Bytes of neighbouring lanes that a tile touches where it has room for them, a cache line of most GPUs; and the most of these lanes, since a thread
/// of a tile of more real lanes holds too many.
const LINE_BYTES: usize = 128;
const LINE_LANES: usize = 16;
/// Bytes of neighbouring lanes that a tile touches at least, where nobody knows what shorter ones cost.
pub(super) const SEGMENT_BYTES: usize = 64;
/// Smaller tiles take more bits up to this number, so that a workgroup has work for all its threads.
const USUAL_BITS: u32 = 10;
/// Lanes of tiles that are drawn rather than run; these may touch single lanes.
const DRAWN_LANES: usize = 1024;

/// The most bytes that the taps of a butterfly take: a thread holds all of them, even in double precision.
const MOST_BYTES_OF_TAPS: usize = 64;

/// A bit of a loop or of a tap: its place in the index of a lane before and after a stage.
pub type MovedBit = [u32; 2];

/// A stage that moves the bits of a lane's index, and mixes the lanes that differ in its active bits.
#[derive(Debug, Clone, PartialEq)]
pub struct BitStage {
    /// The bits of position, group and repetition.
    pub places: [Vec<MovedBit>; 3],
    /// The bits of a tap's number, which become those of a result's.
    pub active: Vec<MovedBit>,
}

impl BitStage {
    /// The bits of a stage on `lanes` lanes; `None` for stages of another shape.
    pub fn of(stage: &Stage, lanes: usize) -> Option<Self> {
        let n_bits = lanes.trailing_zeros();
        let (read, write, matrix) = (&stage.read, &stage.write, stage.matrix());
        let is_affine = read.extension == Extension::None
            && (read.base, read.first, write.first) == (0, 0, 0)
            && write.pyramid.is_none()
            && matches!(write.bit_order, BitOrder::Kept | BitOrder::GrayDecoded)
            && matches!(stage.operation, Operation::Linear(_) | Operation::TwiddledTaps(_))
            && matrix.rows == matrix.taps
            && matrix.taps.is_power_of_two()
            && has_bit_twiddles(stage);
        let step = i64::try_from(read.step).ok()?;
        let strides = |n: usize, [from, to]: [i64; 2]| bits(n, [from, to], n_bits);
        let loops = [
            strides(stage.positions, [read.advance * step, write.advance as i64])?,
            strides(stage.group.n, [stage.group.read as i64, stage.group.write as i64])?,
            strides(stage.outer.n, [stage.outer.read as i64, stage.outer.write as i64])?,
        ];
        let active = strides(matrix.taps, [read.hop * step, write.hop as i64])?;
        let reversed = |bit: u32| if bit < write.reversed_bits { write.reversed_bits - 1 - bit } else { bit };
        let after = |moved: Vec<MovedBit>| moved.into_iter().map(|[from, to]| [from, reversed(to)]).collect::<Vec<_>>();
        let found = Self { places: loops.map(after), active: after(active) };
        // Every bit is at one place on each side.
        let all = || found.places.iter().flatten().chain(&found.active);
        let covers = |side: usize| all().fold(0_usize, |mask, moved| mask | 1 << moved[side]) == (1 << n_bits) - 1;
        let fits = is_affine && all().count() == n_bits as usize && write.reversed_bits <= n_bits && covers(0) && covers(1);
        (fits && stage.n_butterflies() * matrix.taps == lanes).then_some(found)
    }
}

/// Whether the exponents of the twiddles are products of sums of bits.
fn has_bit_twiddles(stage: &Stage) -> bool {
    let counts_bits = stage.positions.is_power_of_two() && stage.group.n.is_power_of_two();
    let is_binary = |factor: &usize| *factor == 0 || factor.is_power_of_two();
    match &stage.twiddle {
        None => true,
        // The reversed number of a group is a sum of its bits, if all are reversed.
        Some(Twiddle::Root { reversed: n @ 1.., .. }) if 1 << n != stage.group.n => false,
        Some(Twiddle::Root { modulus, row, column, .. }) => {
            counts_bits && modulus.is_power_of_two() && row[..2].iter().chain(&column[..2]).all(is_binary)
        }
        Some(Twiddle::Table(_)) => false,
    }
}

/// The places of the bits of a number below `n` that counts these strides. Rows above the highest bit stay where they are.
fn bits(n: usize, [from, to]: [i64; 2], n_bits: u32) -> Option<Vec<MovedBit>> {
    let [from, to] = [usize::try_from(from).ok()?, usize::try_from(to).ok()?];
    if n == 1 {
        return Some(Vec::new());
    }
    if !from.is_power_of_two() || !to.is_power_of_two() {
        // Rows of another length.
        return (from == to && from.is_multiple_of(1 << n_bits)).then(Vec::new);
    }
    let [from, to] = [from.ilog2(), to.ilog2()];
    let n_moved = n.trailing_zeros();
    if n.is_power_of_two() {
        return Some((0..n_moved).map(|bit| [from + bit, to + bit]).collect()).filter(|_| from.max(to) + n_moved <= n_bits);
    }
    // The rest counts rows.
    (from == to && from + n_moved == n_bits).then(|| (0..n_moved).map(|bit| [from + bit, to + bit]).collect())
}

/// A run of stages on bits.
#[derive(Debug, Clone, PartialEq)]
pub struct BitRun {
    /// The stages.
    pub stages: Vec<BitStage>,
    /// Number of bits of a lane's index.
    pub n_bits: u32,
    /// The place of every bit after the run, by its place before.
    pub places_after: Vec<u32>,
    /// The bits that stages mix, by their places before the run.
    pub mixed: usize,
}

impl BitRun {
    /// The run that some stages form, if they do. Every stage must write all lanes, and only the last may change the order of bits beyond a reversal.
    pub fn of(plan: &Plan, stages: Range<usize>) -> Option<Self> {
        let n_bits = plan.lanes.trailing_zeros();
        let last = stages.end.checked_sub(1)?;
        let mut run = Self { stages: Vec::new(), n_bits, places_after: (0..n_bits).collect(), mixed: 0 };
        for index in stages {
            let stage = &plan.stages[index];
            let keeps_order = index == last || stage.write.reversed_bits == 0 || stage.write.bit_order == BitOrder::Kept;
            let fits = stage.matrix().taps * plan.ring.bytes_per_lane() <= MOST_BYTES_OF_TAPS;
            run.push(BitStage::of(stage, plan.lanes).filter(|_| fits && keeps_order && !plan.carries(index))?);
        }
        Some(run)
    }

    fn push(&mut self, stage: BitStage) {
        for (before, place) in self.places_after.iter_mut().enumerate() {
            if let Some(moved) = stage.active.iter().find(|moved| moved[0] == *place) {
                self.mixed |= 1 << before;
                *place = moved[1];
            } else if let Some(moved) = stage.places.iter().flatten().find(|moved| moved[0] == *place) {
                *place = moved[1];
            }
        }
        self.stages.push(stage);
    }

    /// The bits that go to the lowest `n` places.
    fn lowest_after(&self, n: u32) -> usize {
        self.places_after.iter().enumerate().filter(|(_, place)| **place < n).fold(0, |mask, (bit, _)| mask | 1 << bit)
    }

    /// The number of neighbouring lanes that a tile of these bits reads and writes.
    pub fn segment(&self, bits: usize) -> usize {
        let holds = |segment: &u32| {
            let lanes = (1 << segment) - 1;
            (lanes | self.lowest_after(*segment)) & !bits == 0
        };
        1 << (0..=self.n_bits).take_while(holds).last().unwrap_or(0)
    }

    /// A tile of at most `most_bits` bits with neighbouring lanes of at least `shortest` bits on both sides, and of `longest` bits if these have room.
    ///
    /// While it has few bits, more join: first those that lengthen the neighbouring lanes of both sides alike, then the lowest.
    fn tile(&self, shortest: u32, longest: u32, most_bits: u32) -> Option<Tile> {
        let with = |segment: u32| self.mixed | ((1 << segment) - 1) | self.lowest_after(segment);
        let fits = |most_bits: u32| move |bits: &usize| bits.count_ones() <= most_bits;
        let segments = shortest.min(self.n_bits)..=longest.min(self.n_bits);
        let mut bits = segments.map(with).take_while(fits(most_bits)).last()?;
        let longer = (longest + 1..=self.n_bits).map(with);
        bits = longer.take_while(fits(most_bits.min(USUAL_BITS))).last().unwrap_or(bits);
        for bit in 0..self.n_bits {
            if bits.count_ones() < most_bits.min(USUAL_BITS) {
                bits |= 1 << bit;
            }
        }
        Some(Tile::Bits { bits })
    }
}

/// The tile of at most `max_lanes` lanes in which a run of stages on bits can be one launch, and touches at least `segment_bytes` of neighbouring
/// lanes; `None` if there is none.
pub fn bit_tile(plan: &Plan, stages: Range<usize>, max_lanes: usize, segment_bytes: usize) -> Option<Tile> {
    if !plan.may_join(&stages) {
        return None;
    }
    let most_bits = max_lanes.max(1).ilog2();
    let lanes = |bytes: usize| (bytes / plan.ring.bytes_per_lane()).clamp(1, LINE_LANES);
    let segment = |bytes: usize| if max_lanes < DRAWN_LANES { 0 } else { lanes(bytes).ilog2() };
    BitRun::of(plan, stages)?.tile(segment(segment_bytes), segment(LINE_BYTES), most_bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::{Launch, Schedule};
    use crate::transforms::{Parameters, Shape, transform};

    fn plan(name: &str, algorithm: &str, n: usize) -> Plan {
        let build = transform(name).and_then(|transform| transform.algorithm(algorithm)).expect("it is in the table").plan_fn();
        build.expect("it is a plan")(Shape::line(n), Parameters::default()).expect("a power of two")
    }

    #[test]
    fn shuffles_rotate_the_bits() {
        let walsh = plan("walsh", "constant-geometry", 1 << 12);
        let run = BitRun::of(&walsh, 0..3).expect("every step writes all lanes");
        // Steps read neighbours and write lanes far apart.
        assert_eq!((run.mixed, &run.places_after[..5]), (0b111, &[9, 10, 11, 0, 1][..]));
        let fourier = plan("dft", "constant-geometry", 1 << 12);
        let run = BitRun::of(&fourier, 0..3).expect("every step writes all lanes");
        assert_eq!((run.mixed, &run.places_after[..3], run.places_after[11]), (0b1110_0000_0000, &[3, 4, 5][..], 2));
    }

    #[test]
    fn a_few_launches_take_all_stages_of_long_lines() {
        for (name, algorithm, expected) in
            [("dft", "cooley-tukey", 3), ("dft", "cooley-tukey-dit", 3), ("dft", "constant-geometry", 3), ("walsh", "constant-geometry", 3)]
        {
            let plan = plan(name, algorithm, 1 << 24);
            let (mut first, mut n_launches) = (0, 0);
            while first < plan.stages.len() {
                let ends = (first + 1..=plan.stages.len()).rev();
                first =
                    ends.into_iter().find(|&end| bit_tile(&plan, first..end, 4096, SEGMENT_BYTES).is_some()).expect("a stage has a tile");
                n_launches += 1;
            }
            assert_eq!(n_launches, expected, "{algorithm} of {name}");
        }
    }

    #[test]
    fn tiles_of_bits_are_legal() {
        for (name, algorithm) in
            [("dft", "cooley-tukey-dit"), ("dft", "constant-geometry"), ("walsh", "constant-geometry"), ("dft", "global-local")]
        {
            let plan = plan(name, algorithm, 1 << 12);
            for (first, end) in [(0, 4), (4, 7), (8, 12)] {
                let Some(tile) = bit_tile(&plan, first..end, 256, SEGMENT_BYTES) else { continue };
                let each = |stage: usize| Launch { stages: stage..stage + 1, tile: Tile::Each };
                let mut launches: Vec<Launch> = (0..first).map(each).collect();
                launches.push(Launch { stages: first..end, tile });
                launches.extend((end..plan.stages.len()).map(each));
                assert_eq!(Schedule { launches: launches.clone() }.check(&plan), Ok(()), "{algorithm} of {name}");
                let Tile::Bits { bits } = tile else { panic!("{tile:?}") };
                let run = BitRun::of(&plan, first..end).expect("it has a tile");
                launches[first].tile = Tile::Bits { bits: bits & !run.mixed };
                assert!(Schedule { launches }.check(&plan).is_err(), "a tile without the bits that stages mix");
            }
        }
    }
}

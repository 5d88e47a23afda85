//! The operations of a lane, its parts and vectors of lanes, and arrays that several threads write.

mod arrays;

pub(super) use arrays::{Aligned, Arrays, CACHE_LINE, KeptLanes};

use super::fourier_rows::FourierRows;
use crate::plan::{Doubling, Ring};
use fearless_simd::Simd;
use num_complex::Complex64;
use realfft::{ComplexToReal, RealToComplex};
use rustfft::{Fft, FftDirection};
use std::sync::Arc;

/// Single or double precision.
pub trait Float: rustfft::FftNum + Default + Atomic + bytemuck::Pod {
    /// 0.
    const ZERO: Self;
    /// NaN.
    const NOT_A_NUMBER: Self;

    /// The nearest value to a double.
    fn rounded(value: f64) -> Self;

    /// The library's transform of `n` complex numbers. A method of each precision, so that the library is compiled once.
    fn fft(n: usize, direction: FftDirection) -> Arc<dyn Fft<Self>>;

    /// The library's transform of `n` real numbers to the half of their spectrum.
    fn fft_of_reals(n: usize) -> Arc<dyn RealToComplex<Self>>;

    /// As [`Self::fft_of_reals`], in the vectors of the processor: for frames, of which there are many.
    fn fft_of_frames(n: usize) -> Arc<dyn RealToComplex<Self>>;

    /// The library's transform of half a spectrum to `n` real numbers.
    fn fft_to_reals(n: usize) -> Arc<dyn ComplexToReal<Self>>;
}

/// A number that threads can write concurrently.
/// Every lane has one writer; relaxed atomics cost nothing and avoid unsafe code.
pub trait Atomic: Copy + Send + Sync + 'static {
    /// The shared cell of the number.
    type Cell: Send + Sync;

    /// Makes a cell of the number.
    #[must_use]
    fn cell(self) -> Self::Cell;

    /// Writes the number.
    fn store(self, cell: &Self::Cell);

    /// The number in a cell.
    fn held(cell: Self::Cell) -> Self;
}

/// The value of a lane and its arithmetic.
pub trait Lane: Atomic + PartialEq + std::fmt::Debug {
    /// The type of coefficients.
    type Weight: Copy + PartialEq + Send + Sync;

    /// The lane in memory: a residue without its modulus, any other lane as it is. Passes run on these.
    type Stored: Lane<Part = Self::Part, Stored = Self::Stored>;

    /// The vector of lanes that are computed together.
    type Vector<S: Simd>: Vector<S, Self>;

    /// A real or imaginary part, or the lane itself.
    type Part: Lane<Part = Self::Part>;

    /// Number of parts.
    const PARTS: usize = 1;

    /// Whether passes compute Fourier butterflies and twiddles of these lanes, by [`Lane::fourier`] of their parts.
    const HAS_ROOTS: bool = Self::PARTS == 2;

    /// The neutral element of +, and the value past an end. For equations only the latter.
    const ZERO: Self;

    /// The value of an unwritten lane: NaN if the type has one.
    const UNWRITTEN: Self;

    /// Whether these lanes support plans over the ring.
    fn supports(ring: Ring) -> bool;

    /// The weight nearest to a coefficient.
    fn weight(coef: Complex64) -> Self::Weight;

    /// Sum.
    fn plus(self, other: Self) -> Self;

    /// Difference.
    fn minus(self, other: Self) -> Self;

    /// Product with a coefficient.
    fn times(self, weight: Self::Weight) -> Self;

    /// Product of two lanes.
    fn product(self, other: Self) -> Self;

    /// The conjugate.
    fn conjugated(self) -> Self {
        self
    }

    /// One part.
    fn part(self, index: usize) -> Self::Part;

    /// The lane of its parts; of a single part, the first.
    fn of_parts(parts: [Self::Part; 2]) -> Self;

    /// The lane for memory.
    fn stored(self) -> Self::Stored;

    /// The lane from memory, a residue with its modulus.
    fn of_stored(stored: Self::Stored, modulus: u32) -> Self;

    /// Runs stages outside passes, whose arithmetic takes whole lanes.
    fn opened<T>(stored: &mut Arrays<Self::Stored>, modulus: u32, work: impl FnOnce(&mut Arrays<Self>) -> T) -> T;

    /// Computes Fourier butterflies on the rows of a tile, where real and imaginary parts lie apart.
    ///
    /// # Panics
    /// If the lanes are neither floating-point numbers nor residues.
    fn fourier<S: Simd>(_: S, _: &FourierRows<'_, Self::Weight>, _: &mut [Self]) {
        panic!("only floating-point numbers and residues have Fourier transforms");
    }

    /// Eliminates the neighbours of an equation.
    ///
    /// # Panics
    /// If the lanes are not equations.
    fn without(self, _before: Self, _behind: Self) -> Self {
        panic!("only equations are eliminated, not {self:?}")
    }

    /// A step of recursive doubling.
    ///
    /// # Panics
    /// If the lanes are not equations.
    fn doubled(_step: Doubling, taps: [Self; 2]) -> [Self; 2] {
        panic!("only equations are solved by recursive doubling, not {taps:?}")
    }
}

/// Implements the part of [`Lane`] about memory for lanes that are stored as they are.
macro_rules! stored_as_it_is {
    () => {
        type Stored = Self;

        fn stored(self) -> Self {
            self
        }

        fn of_stored(stored: Self, _: u32) -> Self {
            stored
        }

        fn opened<T>(stored: &mut Arrays<Self>, _: u32, work: impl FnOnce(&mut Arrays<Self>) -> T) -> T {
            work(stored)
        }
    };
}

pub(super) use stored_as_it_is;

/// A few neighbouring lanes.
pub trait Vector<S: Simd, L: Lane>: Copy {
    /// Number of lanes, a power of two.
    const N: usize;

    /// Reads `N` lanes.
    fn load(simd: S, lanes: &[L]) -> Self;

    /// Writes `N` lanes.
    fn store(self, lanes: &mut [L]);

    /// Sums.
    fn plus(self, other: Self) -> Self;

    /// Differences.
    fn minus(self, other: Self) -> Self;

    /// Products with one coefficient.
    fn times(self, weight: L::Weight) -> Self;

    /// Products with two coefficients that alternate every `lanes` lanes.
    fn times_in_turn(self, lanes: usize, weights: [L::Weight; 2]) -> Self;

    /// Every lane exchanged for the one `distance` lanes away, in blocks of twice that; a power of two below `N`.
    fn exchanged(self, distance: usize) -> Self;
}

/// Where the results of a tile go.
pub(super) trait LaneSink<L> {
    /// Writes neighbouring lanes.
    fn store_run(&mut self, first: usize, lanes: impl ExactSizeIterator<Item = L>);

    /// Writes one lane.
    #[inline]
    fn store(&mut self, lane: usize, value: L) {
        self.store_run(lane, [value].into_iter());
    }
}

impl<L: Lane> LaneSink<L> for &mut [L] {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn store_run(&mut self, first: usize, lanes: impl ExactSizeIterator<Item = L>) {
        self[first..first + lanes.len()].iter_mut().zip(lanes).for_each(|(held, lane)| *held = lane);
    }

    #[inline]
    fn store(&mut self, lane: usize, value: L) {
        self[lane] = value;
    }
}

impl<L: Lane> LaneSink<L> for &SharedLanes<L> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn store_run(&mut self, first: usize, lanes: impl ExactSizeIterator<Item = L>) {
        self.cells[self.first + first..][..lanes.len()].iter().zip(lanes).for_each(|(cell, lane)| lane.store(cell));
    }

    #[inline]
    fn store(&mut self, lane: usize, value: L) {
        value.store(&self.cells[self.first + lane]);
    }
}

/// Ranges of lanes in ascending order.
pub(super) struct LaneRanges<'a, L> {
    /// The first lane of each range.
    pub(super) begins: Vec<usize>,
    /// The ranges.
    pub(super) lanes: Vec<&'a mut [L]>,
}

impl<L: Lane> LaneSink<L> for LaneRanges<'_, L> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn store_run(&mut self, first: usize, lanes: impl ExactSizeIterator<Item = L>) {
        let range = self.begins.iter().rposition(|&begin| begin <= first).expect("a range holds the lanes");
        self.lanes[range][first - self.begins[range]..][..lanes.len()].iter_mut().zip(lanes).for_each(|(held, lane)| *held = lane);
    }
}

/// Where a butterfly takes its lanes and puts its results.
pub(super) trait LaneAccess<L> {
    /// Reads a lane.
    fn load(&self, lane: usize) -> L;

    /// Writes a lane.
    fn store(&mut self, lane: usize, value: L);
}

/// From one array to another.
pub(super) struct Between<'a, L, S> {
    pub(super) before: &'a [L],
    pub(super) after: &'a mut S,
}

impl<L: Lane, S: LaneSink<L>> LaneAccess<L> for Between<'_, L, S> {
    #[inline]
    fn load(&self, lane: usize) -> L {
        self.before[lane]
    }

    #[inline]
    fn store(&mut self, lane: usize, value: L) {
        self.after.store(lane, value);
    }
}

/// In place, in the lanes from `first` on.
pub(super) struct InPlace<'a, L> {
    pub(super) lanes: &'a mut [L],
    pub(super) first: usize,
}

impl<L: Lane> LaneAccess<L> for InPlace<'_, L> {
    #[inline]
    fn load(&self, lane: usize) -> L {
        self.lanes[lane - self.first]
    }

    #[inline]
    fn store(&mut self, lane: usize, value: L) {
        self.lanes[lane - self.first] = value;
    }
}

/// Lanes that threads write concurrently.
pub(crate) struct SharedLanes<L: Lane> {
    cells: Vec<L::Cell>,
    first: usize,
}

impl<L: Lane> SharedLanes<L> {
    /// The lanes from `first` on; unwritten lanes keep their values. Cells have the layout of their numbers, so nothing moves.
    pub(super) fn of(lanes: Vec<L>, first: usize) -> Self {
        Self { cells: lanes.into_iter().map(L::cell).collect(), first }
    }

    pub(super) fn into_lanes(self) -> Vec<L> {
        self.cells.into_iter().map(L::held).collect()
    }
}

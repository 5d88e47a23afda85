//! Fourier butterflies on the rows of a tile, as plain data.

use crate::plan::{LazyBound, PrimeField};
use std::ops::Range;

/// The rows that butterflies transform, with their twiddles.
pub struct FourierRows<'a, P> {
    /// The distance of every tap from the first row of a butterfly, in numbers.
    pub taps: &'a [usize],
    /// The first row of every butterfly.
    pub butterflies: &'a [usize],
    /// Which butterflies.
    pub range: Range<usize>,
    /// Columns of a row: real parts, then imaginary parts.
    pub columns: usize,
    /// Whether real and imaginary parts are exchanged, which turns the transform into its inverse.
    pub is_inverse: bool,
    /// Powers of the root of unity, real and imaginary parts, if the number of taps has no kernel of its own. For a single tap, its factor.
    /// Here and in twiddles, the parts of a residue are the factor of a product by P. L. Montgomery's method, and that times the inverse of the modulus.
    pub roots: &'a [[P; 2]],
    /// The prime field of residues.
    pub field: Option<PrimeField>,
    /// How large residues become, and the bound of the last tap behind its twiddle.
    pub bound: (LazyBound, u64),
    /// The twiddles, with what this tile adds to them.
    pub twiddles: Option<(&'a TwiddleRows<P>, &'a TileTwiddles<P>)>,
    /// Whether the twiddles multiply the taps instead of the results.
    pub twiddles_first: bool,
}

/// The twiddles of a stage as separate real and imaginary parts in the order of their use.
#[derive(Debug)]
pub enum TwiddleRows<P> {
    /// Products of three factors: of the butterfly, of the tile and of the column.
    Products(TwiddleProducts<P>),
    /// One table, for each result a run that begins with the first twiddle of each butterfly; columns lie at the given distances.
    Table {
        /// Real and imaginary parts.
        parts: [Vec<P>; 2],
        /// Twiddles of a result.
        n: usize,
        /// The index of the first column of each butterfly.
        butterflies: Vec<usize>,
        /// The distances of the columns; empty if all columns share their twiddles.
        columns: Vec<usize>,
        /// Whether the twiddles of result 0 are 1.
        first_is_one: bool,
    },
}

/// Twiddles whose exponents are products of an index of the result or of the group, and a sum over digits.
#[derive(Debug)]
pub struct TwiddleProducts<P> {
    /// Factors of the butterflies, real and imaginary parts, `[result][group][butterfly]`.
    pub butterflies: [Vec<P>; 2],
    /// The group of every butterfly of a tile; empty if factors depend on results only.
    pub groups: Vec<usize>,
    /// Number of groups.
    pub n_groups: usize,
    /// Whether the twiddles of result 0 are 1.
    pub first_is_one: bool,
    /// Factors of the columns, real and imaginary parts, `[result or group][column]`; empty if all columns share their twiddles.
    pub columns: [Vec<P>; 2],
    /// Whether the factors of columns are those of several stages, `[result][butterfly][column]`.
    pub are_joined: bool,
}

/// The change of the twiddles in a tile.
#[derive(Debug)]
pub struct TileTwiddles<P> {
    /// The group of the first butterfly, or the distance in the table.
    pub first: usize,
    /// Factors of each result or group, real and imaginary part; empty if they are 1.
    pub factors: Vec<[P; 2]>,
}

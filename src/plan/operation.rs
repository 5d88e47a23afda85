//! What a butterfly computes from its taps: one small operation with exact coefficients.

use super::Coef;
use std::sync::LazyLock;

/// A small dense matrix of exact coefficients, `rows` results from `taps` taps, row after row.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    /// Number of results.
    pub rows: usize,
    /// Number of taps.
    pub taps: usize,
    /// `rows · taps` coefficients.
    pub coefs: Vec<Coef>,
}

impl Matrix {
    /// The matrix with these entries.
    pub fn from_fn(rows: usize, taps: usize, entry: impl Fn(usize, usize) -> Coef) -> Self {
        Self { rows, taps, coefs: (0..rows * taps).map(|i| entry(i / taps, i % taps)).collect() }
    }

    /// One tap to one result, times `coef`.
    pub fn scalar(coef: Coef) -> Self {
        Self { rows: 1, taps: 1, coefs: vec![coef] }
    }

    /// The coefficient of tap `tap` in result `row`.
    pub fn at(&self, row: usize, tap: usize) -> Coef {
        self.coefs[row * self.taps + tap]
    }
}

/// The sum of two matrices of one shape times the taps, each with a twiddle of its own; taps may be conjugated before.
///
/// It makes half a spectrum of real samples, and cosine sums of a spectrum.
/// Result j is row j of `first`·taps times the twiddle of result j, plus row j of `second`·taps times the twiddle of result `rows` + j.
/// Where a tap is conjugated, the map is linear over the real numbers and not over the complex ones.
#[derive(Debug, Clone, PartialEq)]
pub struct TwiddledSums {
    /// The matrix whose sums take the twiddles of results 0 to `rows`.
    pub first: Matrix,
    /// The matrix whose sums take the twiddles of results `rows` to 2·`rows`.
    pub second: Matrix,
    /// Whether a tap is conjugated before.
    pub conjugated: Vec<bool>,
}

impl TwiddledSums {
    /// The result whose twiddle multiplies the second sum of result j.
    #[inline]
    pub fn second_index(&self, j: usize) -> usize {
        self.first.rows + j
    }
}

/// What a butterfly computes from its taps.
#[derive(Debug, Clone, PartialEq)]
pub enum Operation {
    /// A matrix times the taps.
    Linear(Matrix),
    /// Tap 0 times tap 1, or times its conjugate: the one operation that is not linear in the lanes.
    Product {
        /// Whether tap 1 is conjugated.
        conjugated: bool,
    },
    /// The sum of two matrices times the taps, each with a twiddle of its own.
    TwiddledSums(TwiddledSums),
    /// Tap 1, a row of a tridiagonal system, without its neighbours, taps 0 and 2: [`super::ReducedEquation::without`].
    Eliminate,
}

impl Operation {
    /// The matrix of the operation: of a product and of an elimination, ones that say which taps the result depends on; of a TwiddledSums operation, its plain part.
    #[inline]
    pub fn matrix(&self) -> &Matrix {
        static PRODUCT: LazyLock<Matrix> = LazyLock::new(|| Matrix::from_fn(1, 2, |_, _| Coef::ONE));
        static ELIMINATE: LazyLock<Matrix> = LazyLock::new(|| Matrix::from_fn(1, 3, |_, _| Coef::ONE));
        match self {
            Self::Linear(matrix) => matrix,
            Self::Product { .. } => &PRODUCT,
            Self::Eliminate => &ELIMINATE,
            Self::TwiddledSums(sums) => &sums.first,
        }
    }
    /// All coefficients, those of a second matrix behind those of the first.
    pub fn coefs(&self) -> impl Iterator<Item = Coef> + '_ {
        let second = match self {
            Self::TwiddledSums(sums) => &sums.second.coefs[..],
            Self::Linear(_) | Self::Product { .. } | Self::Eliminate => &[],
        };
        self.matrix().coefs.iter().chain(second).copied()
    }
}

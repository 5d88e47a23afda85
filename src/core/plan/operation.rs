//! The operation of a butterfly: a small function of its taps with exact coefficients.

use super::{Coef, DirectSum, Doubling};
use std::sync::LazyLock;

/// A small dense matrix of exact coefficients, `rows` results × `taps` taps, row-major.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    /// Number of results.
    pub rows: usize,
    /// Number of taps.
    pub taps: usize,
    /// `rows`·`taps` coefficients.
    pub coefs: Vec<Coef>,
}

impl Matrix {
    /// The matrix with these entries.
    pub fn from_fn(rows: usize, taps: usize, entry: impl Fn(usize, usize) -> Coef) -> Self {
        Self { rows, taps, coefs: (0..rows * taps).map(|i| entry(i / taps, i % taps)).collect() }
    }

    /// The 1 × 1 matrix.
    pub fn scalar(coef: Coef) -> Self {
        Self { rows: 1, taps: 1, coefs: vec![coef] }
    }

    /// The coefficient of tap `tap` in result `row`.
    pub fn at(&self, row: usize, tap: usize) -> Coef {
        self.coefs[row * self.taps + tap]
    }
}

/// Two matrices of equal shape applied to the taps, twiddled separately and added; taps may be conjugated first.
///
/// Result j is row j of `first`·taps times the twiddle of result j, plus row j of `second`·taps times the twiddle of result `rows` + j.
/// A conjugated tap makes the map linear over the real numbers only.
/// Half spectra of real samples and cosine sums of a spectrum use it.
#[derive(Debug, Clone, PartialEq)]
pub struct TwiddledSums {
    /// The matrix whose sums take twiddles 0 to `rows`.
    pub first: Matrix,
    /// The matrix whose sums take twiddles `rows` to 2·`rows`.
    pub second: Matrix,
    /// Whether each tap is conjugated first.
    pub conjugated: Vec<bool>,
}

impl TwiddledSums {
    /// The index of the twiddle of the second sum of result j.
    #[inline]
    pub fn second_index(&self, j: usize) -> usize {
        self.first.rows + j
    }
}

/// The operation of a butterfly on its taps.
#[derive(Debug, Clone, PartialEq)]
pub enum Operation {
    /// A matrix times the taps.
    Linear(Matrix),
    /// A matrix times the twiddled taps: the twiddles of the stage multiply taps instead of results.
    TwiddledTaps(Matrix),
    /// Tap 0 times tap 1 or its conjugate.
    Product {
        /// Whether tap 1 is conjugated.
        conjugated: bool,
    },
    /// Two matrices times the taps, twiddled separately and added.
    TwiddledSums(TwiddledSums),
    /// Eliminates the neighbouring equations, taps 0 and 2, from tap 1: [`super::ReducedEquation::without`].
    Eliminate,
    /// A step of recursive doubling on two taps.
    Doubling(Doubling),
    /// A sum over all taps of a line, as a definition writes it.
    Direct(DirectSum),
}

impl Operation {
    /// The matrix of a linear operation, or the first one of twiddled sums. Operations without coefficients, and direct sums, have ones for all taps that they read.
    #[inline]
    pub fn matrix(&self) -> &Matrix {
        static PRODUCT: LazyLock<Matrix> = LazyLock::new(|| Matrix::from_fn(1, 2, |_, _| Coef::ONE));
        static ELIMINATE: LazyLock<Matrix> = LazyLock::new(|| Matrix::from_fn(1, 3, |_, _| Coef::ONE));
        // The second result is the second tap.
        static PIVOT_MAP: LazyLock<Matrix> = LazyLock::new(|| Matrix::from_fn(2, 2, |j, k| Coef::Real(f64::from(u8::from(j <= k)))));
        match self {
            Self::Linear(matrix) | Self::TwiddledTaps(matrix) => matrix,
            Self::Doubling(Doubling::PivotMap) => &PIVOT_MAP,
            Self::Product { .. } | Self::Doubling(_) => &PRODUCT,
            Self::Eliminate => &ELIMINATE,
            Self::TwiddledSums(sums) => &sums.first,
            Self::Direct(sum) => sum.ones(),
        }
    }

    /// Whether lanes are equations: no sum of taps with coefficients.
    #[inline]
    pub fn is_on_equations(&self) -> bool {
        matches!(self, Self::Eliminate | Self::Doubling(_))
    }

    /// All coefficients, those of the first matrix before those of a second or of a table.
    pub fn coefs(&self) -> impl Iterator<Item = Coef> + '_ {
        let (second, table) = match self {
            Self::TwiddledSums(sums) => (&sums.second.coefs[..], None),
            Self::Direct(sum) => (&[][..], Some(sum)),
            Self::Linear(_) | Self::TwiddledTaps(_) | Self::Product { .. } | Self::Eliminate | Self::Doubling(_) => (&[][..], None),
        };
        self.matrix().coefs.iter().chain(second).copied().chain(table.into_iter().flat_map(DirectSum::entries))
    }
}

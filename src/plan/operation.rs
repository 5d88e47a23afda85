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

/// Two matrices of one shape and taps of which some are conjugated: what makes half a spectrum of a real signal, and a real signal of half a spectrum.
///
/// Result j is `plain`·taps + twiddle·(`turned`·taps). As to its twiddle the second summand of result j counts as result `rows` + j.
/// The map is linear over the real numbers and not over the complex ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Hermitian {
    /// What no twiddle multiplies.
    pub plain: Matrix,
    /// What the twiddle multiplies.
    pub turned: Matrix,
    /// Whether a tap is conjugated before.
    pub conjugated: Vec<bool>,
}

impl Hermitian {
    /// The number of the result by which the twiddle counts the second summand of result j.
    #[inline]
    pub fn turn_of(&self, j: usize) -> usize {
        self.plain.rows + j
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
    /// A sum of two matrices times the taps, of which some are conjugated; the twiddle turns the second sum alone.
    Hermitian(Hermitian),
    /// Tap 1, a row of a tridiagonal system, without its neighbours, taps 0 and 2: [`super::Row::without`].
    Eliminate,
}

impl Operation {
    /// The matrix of the operation: of a product and of an elimination, ones that say which taps the result depends on; of a Hermitian operation, its plain part.
    #[inline]
    pub fn matrix(&self) -> &Matrix {
        static PRODUCT: LazyLock<Matrix> = LazyLock::new(|| Matrix::from_fn(1, 2, |_, _| Coef::ONE));
        static ELIMINATE: LazyLock<Matrix> = LazyLock::new(|| Matrix::from_fn(1, 3, |_, _| Coef::ONE));
        match self {
            Self::Linear(matrix) => matrix,
            Self::Product { .. } => &PRODUCT,
            Self::Eliminate => &ELIMINATE,
            Self::Hermitian(hermitian) => &hermitian.plain,
        }
    }
    /// All coefficients, those that the twiddle turns behind the others.
    pub fn coefs(&self) -> impl Iterator<Item = Coef> + '_ {
        let turned = match self {
            Self::Hermitian(hermitian) => &hermitian.turned.coefs[..],
            Self::Linear(_) | Self::Product { .. } | Self::Eliminate => &[],
        };
        self.matrix().coefs.iter().chain(turned).copied()
    }
}

//! Stored samples as numbers of one type, and what is counted over all of them: each is one pass over all cores.

use super::Samples;
use crate::threads::{self, convert};
use num_complex::{Complex, Complex32, Complex64};
use std::ops::Range;

impl Samples {
    /// All samples in single precision; of complex samples the real parts.
    pub fn to_f32(&self) -> Vec<f32> {
        match self {
            Self::U8(v) => convert(v, f32::from),
            Self::U16(v) => convert(v, f32::from),
            Self::I32(v) => convert(v, |x| x as f32),
            Self::I64(v) => convert(v, |x| x as f32),
            Self::F32(v) => convert(v, |x| x),
            Self::F64(v) => convert(v, |x| x as f32),
            Self::Complex32(v) => convert(v, |z| z.re),
            Self::Complex64(v) => convert(v, |z| z.re as f32),
            Self::Pcm(v) => v.to_f32(),
        }
    }

    /// All samples in double precision; of complex samples the real parts.
    pub fn to_f64(&self) -> Vec<f64> {
        match self {
            Self::U8(v) => convert(v, f64::from),
            Self::U16(v) => convert(v, f64::from),
            Self::I32(v) => convert(v, f64::from),
            Self::I64(v) => convert(v, |x| x as f64),
            Self::F32(v) => convert(v, f64::from),
            Self::F64(v) => convert(v, |x| x),
            Self::Complex32(v) => convert(v, |z| f64::from(z.re)),
            Self::Complex64(v) => convert(v, |z| z.re),
            Self::Pcm(v) => v.to_f64(),
        }
    }

    /// All samples as complex numbers of single precision; real samples get an imaginary part of zero.
    pub fn to_complex32(&self) -> Vec<Complex32> {
        match self {
            Self::Complex32(v) => convert(v, |z| z),
            Self::Complex64(v) => convert(v, |z| Complex32::new(z.re as f32, z.im as f32)),
            Self::U8(v) => convert(v, |x| Complex32::new(f32::from(x), 0.0)),
            Self::Pcm(v) => v.to_complex32(),
            _ => convert(&self.to_f32(), |x| Complex32::new(x, 0.0)),
        }
    }

    /// As [`Self::to_complex32`], in double precision.
    pub fn to_complex64(&self) -> Vec<Complex64> {
        match self {
            Self::Complex64(v) => convert(v, |z| z),
            Self::Complex32(v) => convert(v, |z| Complex64::new(f64::from(z.re), f64::from(z.im))),
            Self::Pcm(v) => v.to_complex64(),
            _ => convert(&self.to_f64(), |x| Complex64::new(x, 0.0)),
        }
    }

    /// All samples as 64-bit integers, or `None` where they are not stored as integers.
    pub fn to_i64(&self) -> Option<Vec<i64>> {
        match self {
            Self::U8(v) => Some(convert(v, i64::from)),
            Self::U16(v) => Some(convert(v, i64::from)),
            Self::I32(v) => Some(convert(v, i64::from)),
            Self::I64(v) => Some(convert(v, |x| x)),
            _ => None,
        }
    }

    /// Complex samples with these as real parts and others as imaginary parts. Those of a recording stay in its bytes where they lie side by side.
    pub fn paired(&self, imaginary: &Self) -> Self {
        match (self, imaginary) {
            (Self::Pcm(real), Self::Pcm(imaginary)) if let Some(pair) = real.joined(imaginary) => Self::Pcm(pair),
            _ if self.is_double() || imaginary.is_double() => {
                let (real, imaginary) = (self.to_f64(), imaginary.to_f64());
                Self::Complex64(threads::tabulate(real.len(), |index| Complex::new(real[index], imaginary[index])))
            }
            _ => {
                let (real, imaginary) = (self.to_f32(), imaginary.to_f32());
                Self::Complex32(threads::tabulate(real.len(), |index| Complex::new(real[index], imaginary[index])))
            }
        }
    }

    /// Smallest and largest finite value, `None` if none is finite; of complex samples the magnitudes count.
    pub fn min_max(&self) -> Option<(f64, f64)> {
        match self {
            Self::U8(v) => min_max(v, f64::from),
            Self::U16(v) => min_max(v, f64::from),
            Self::I32(v) => min_max(v, f64::from),
            Self::I64(v) => min_max(v, |x| x as f64),
            Self::F32(v) => min_max(v, f64::from),
            Self::F64(v) => min_max(v, |x| x),
            Self::Complex32(v) => min_max(v, |z| f64::from(z.norm())),
            Self::Complex64(v) => min_max(v, |z| z.norm()),
            Self::Pcm(v) => v.min_max(),
        }
    }

    /// Number of samples that are infinite or not a number.
    pub fn count_not_finite(&self) -> usize {
        match self {
            Self::F32(v) => threads::count(v, |x| !x.is_finite()),
            Self::F64(v) => threads::count(v, |x| !x.is_finite()),
            Self::Complex32(v) => threads::count(v, |z| !z.is_finite()),
            Self::Complex64(v) => threads::count(v, |z| !z.is_finite()),
            Self::Pcm(v) => v.count_not_finite(),
            Self::U8(_) | Self::U16(_) | Self::I32(_) | Self::I64(_) => 0,
        }
    }
}

/// Smallest and largest finite value.
pub(super) fn min_max<A: Copy + Sync>(values: &[A], f: impl Fn(A) -> f64 + Sync) -> Option<(f64, f64)> {
    let block = |block: Range<usize>| {
        values[block]
            .iter()
            .map(|&x| f(x))
            .filter(|x| x.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), x| (x.min(lo), x.max(hi)))
    };
    let (lo, hi) =
        threads::map_blocks(values.len(), &block).into_iter().fold((f64::INFINITY, f64::NEG_INFINITY), |a, b| (a.0.min(b.0), a.1.max(b.1)));
    (lo <= hi).then_some((lo, hi))
}

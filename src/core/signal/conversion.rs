//! Stored samples as numbers of one type, and what is counted over all of them: each is one pass over all cores.

use super::Samples;
use crate::threads::{self, convert};
use std::ops::Range;

impl Samples {
    /// All samples in single precision; of complex samples the real parts.
    pub fn to_f32(&self) -> Vec<f32> {
        match self {
            Self::U8(v) => convert(v, f32::from),
            Self::U16(v) => convert(v, f32::from),
            Self::I32(v) => convert(v, |x| x as f32),
            Self::I64(v) => convert(v, |x| x as f32),
            Self::F32(v) => v.clone(),
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
            Self::F64(v) => v.clone(),
            Self::Complex32(v) => convert(v, |z| f64::from(z.re)),
            Self::Complex64(v) => convert(v, |z| z.re),
            Self::Pcm(v) => v.to_f64(),
        }
    }

    /// All samples as 64-bit integers, or `None` where they are not stored as integers.
    pub fn to_i64(&self) -> Option<Vec<i64>> {
        match self {
            Self::U8(v) => Some(convert(v, i64::from)),
            Self::U16(v) => Some(convert(v, i64::from)),
            Self::I32(v) => Some(convert(v, i64::from)),
            Self::I64(v) => Some(v.clone()),
            _ => None,
        }
    }

    /// Smallest and largest finite value, `None` where there is none; of complex samples the magnitudes count.
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

//! The two precisions in which frames are read, prepared and transformed.

use crate::cpu::Float;
use crate::prepare::{Detrend, remove_trend};
use crate::signal::{Samples, Track};
use crate::transforms::Shape;
use num_complex::{Complex, Complex32, Complex64};

/// The precision in which frames are transformed.
pub trait Real: Float + Default {
    /// Writes the real parts (`part` 0) or the imaginary parts (1) of samples.
    fn read(track: &Track<'_>, first: usize, part: usize, to: &mut [Self]);

    /// A complex number in double precision.
    fn wide(value: Complex<Self>) -> Complex64;

    /// The squared magnitude of a value, in single precision: what pictures show.
    fn power(value: Complex<Self>) -> f32;

    /// Values as samples: their real parts, or all of them.
    fn samples(values: &[Complex<Self>], is_complex: bool) -> Samples;

    /// Samples whose real and imaginary parts follow each other where they are complex.
    fn of_parts(values: Vec<Self>, is_complex: bool) -> Samples;

    /// Removes the mean or the straight line; returns how many values were no numbers, for which it stands in.
    fn detrend(values: &mut [Self], detrend: Detrend) -> usize;

    /// As [`Self::detrend`], of complex values.
    fn detrend_complex(values: &mut [Complex<Self>], detrend: Detrend) -> usize;
}

impl Real for f32 {
    fn read(track: &Track<'_>, first: usize, part: usize, to: &mut [Self]) {
        track.read_f32(first, part, to);
    }

    fn wide(value: Complex32) -> Complex64 {
        Complex64::new(value.re.into(), value.im.into())
    }

    fn power(value: Complex32) -> f32 {
        value.norm_sqr()
    }

    fn samples(values: &[Complex32], is_complex: bool) -> Samples {
        if is_complex { Samples::Complex32(values.to_vec()) } else { Samples::F32(values.iter().map(|z| z.re).collect()) }
    }

    fn of_parts(values: Vec<Self>, is_complex: bool) -> Samples {
        if is_complex { Samples::Complex32(bytemuck::cast_slice(&values).to_vec()) } else { Samples::F32(values) }
    }

    fn detrend(values: &mut [Self], detrend: Detrend) -> usize {
        removed(values, detrend)
    }

    fn detrend_complex(values: &mut [Complex32], detrend: Detrend) -> usize {
        removed(values, detrend)
    }
}

impl Real for f64 {
    fn read(track: &Track<'_>, first: usize, part: usize, to: &mut [Self]) {
        track.read_f64(first, part, to);
    }

    fn wide(value: Complex64) -> Complex64 {
        value
    }

    fn power(value: Complex64) -> f32 {
        value.norm_sqr() as f32
    }

    fn samples(values: &[Complex64], is_complex: bool) -> Samples {
        if is_complex { Samples::Complex64(values.to_vec()) } else { Samples::F64(values.iter().map(|z| z.re).collect()) }
    }

    fn of_parts(values: Vec<Self>, is_complex: bool) -> Samples {
        if is_complex { Samples::Complex64(bytemuck::cast_slice(&values).to_vec()) } else { Samples::F64(values) }
    }

    fn detrend(values: &mut [Self], detrend: Detrend) -> usize {
        removed(values, detrend)
    }

    fn detrend_complex(values: &mut [Complex64], detrend: Detrend) -> usize {
        removed(values, detrend)
    }
}

/// Removes the mean or the straight line; returns how many values were no numbers.
pub(super) fn removed<T: crate::prepare::Sample>(values: &mut [T], detrend: Detrend) -> usize {
    let shape = Shape::line(values.len());
    if detrend == Detrend::None { 0 } else { remove_trend(values, shape, detrend, |_, _| true) }
}

//! The two precisions in which frames are read, prepared and transformed.

use crate::cpu::{Float, with_vectors};
use crate::prepare::{Detrend, remove_trend};
use crate::signal::{Samples, Track};
use crate::transforms::Shape;
use num_complex::{Complex, Complex64};

/// The precision in which frames are transformed.
pub trait Real: Float + Default {
    /// Writes the real parts (`part` 0) or the imaginary parts (1) of samples.
    fn read(track: &Track<'_>, first: usize, part: usize, to: &mut [Self]);

    /// A complex number in double precision.
    fn wide(value: Complex<Self>) -> Complex64;

    /// The squared magnitude of a value, in single precision: what pictures show.
    fn power(value: Complex<Self>) -> f32;

    /// Writes samples under a window.
    fn weigh(to: &mut [Self], values: &[Self], window: &[Self]);

    /// Takes the power of values into that of others: the larger one of each.
    fn pool_largest(power: &mut [f32], values: &[Complex<Self>]);

    /// Adds the power of values to that of others.
    fn pool_sum(power: &mut [f32], values: &[Complex<Self>]);

    /// Values as samples: their real parts, or all of them.
    fn samples(values: &[Complex<Self>], is_complex: bool) -> Samples;

    /// Samples whose real and imaginary parts follow each other where they are complex.
    fn of_parts(values: Vec<Self>, is_complex: bool) -> Samples;

    /// Removes the mean or the straight line; returns how many values were no numbers, for which it stands in.
    fn detrend(values: &mut [Self], detrend: Detrend) -> usize;

    /// As [`Self::detrend`], of complex values.
    fn detrend_complex(values: &mut [Complex<Self>], detrend: Detrend) -> usize;
}

/// Calls a function in the precision of a job, so that its loops are compiled here and not in the crate of the caller.
macro_rules! in_precision {
    ($job:expr, $function:ident($($argument:expr),*)) => {
        match $job.precision {
            $crate::plan::Precision::Single => $function::<f32>($($argument),*),
            $crate::plan::Precision::Double => $function::<f64>($($argument),*),
        }
    };
}
pub(super) use in_precision;

/// Implements [`Real`] for a precision. Its loops are methods of each one, so that they are compiled here, with vectors, and not in the caller's crate.
macro_rules! real {
    ($float:ty, $read:ident, $samples:ident, $complex:ident) => {
        impl Real for $float {
            fn read(track: &Track<'_>, first: usize, part: usize, to: &mut [Self]) {
                track.$read(first, part, to);
            }

            fn wide(value: Complex<Self>) -> Complex64 {
                Complex64::new(value.re.into(), value.im.into())
            }

            fn power(value: Complex<Self>) -> f32 {
                value.norm_sqr() as f32
            }

            fn weigh(to: &mut [Self], values: &[Self], window: &[Self]) {
                with_vectors(
                    #[inline(always)]
                    || to.iter_mut().zip(values).zip(window).for_each(|((to, value), weight)| *to = value * weight),
                );
            }

            fn pool_largest(power: &mut [f32], values: &[Complex<Self>]) {
                with_vectors(
                    #[inline(always)]
                    || power.iter_mut().zip(values).for_each(|(power, z)| *power = larger(*power, z.norm_sqr() as f32)),
                );
            }

            fn pool_sum(power: &mut [f32], values: &[Complex<Self>]) {
                with_vectors(
                    #[inline(always)]
                    || power.iter_mut().zip(values).for_each(|(power, z)| *power += z.norm_sqr() as f32),
                );
            }

            fn samples(values: &[Complex<Self>], is_complex: bool) -> Samples {
                if is_complex { Samples::$complex(values.to_vec()) } else { Samples::$samples(values.iter().map(|z| z.re).collect()) }
            }

            fn of_parts(values: Vec<Self>, is_complex: bool) -> Samples {
                if is_complex { Samples::$complex(bytemuck::cast_slice(&values).to_vec()) } else { Samples::$samples(values) }
            }

            fn detrend(values: &mut [Self], detrend: Detrend) -> usize {
                removed(values, detrend)
            }

            fn detrend_complex(values: &mut [Complex<Self>], detrend: Detrend) -> usize {
                removed(values, detrend)
            }
        }
    };
}

real!(f32, read_f32, F32, Complex32);
real!(f64, read_f64, F64, Complex64);

/// The larger of two powers; what is not a number stays so.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn larger(a: f32, b: f32) -> f32 {
    if b > a || b.is_nan() { b } else { a }
}

/// Removes the mean or the straight line; returns how many values were no numbers.
pub(super) fn removed<T: crate::prepare::Sample>(values: &mut [T], detrend: Detrend) -> usize {
    let shape = Shape::line(values.len());
    if detrend == Detrend::None { 0 } else { remove_trend(values, shape, detrend, |_, _| true) }
}

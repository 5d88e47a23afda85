//! The numbers of a run in parts, in single or double precision.

use crate::cpu::Float;
use crate::gpu::{GpuError, Prepared};
use crate::signal::{Samples, Track};
use num_complex::Complex;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// Samples that a thread copies at a time, unless a line has more.
pub(super) const BLOCK: usize = 1 << 12;

/// A number of the precision of a run.
pub(super) trait Number: Float {
    /// Reads real parts (`part` 0) or imaginary parts (1) from an index on.
    fn read(track: &Track<'_>, first: usize, part: usize, to: &mut [Self]);
    /// Real samples.
    fn real(values: Vec<Self>) -> Samples;
    /// Complex samples.
    fn complex(values: Vec<Complex<Self>>) -> Samples;
    /// The numbers of real samples of this precision.
    fn real_of(samples: Samples) -> Option<Vec<Self>>;
    /// The numbers of complex samples of this precision.
    fn complex_of(samples: Samples) -> Option<Vec<Complex<Self>>>;
    /// The result in some lanes of a device.
    fn download(prepared: &Prepared, lanes: Range<usize>, cancel: &AtomicBool) -> Result<Vec<Complex<Self>>, GpuError>;
}

macro_rules! number {
    ($number:ty, $real:ident, $complex:ident, $read:ident, $download:ident) => {
        impl Number for $number {
            fn read(track: &Track<'_>, first: usize, part: usize, to: &mut [Self]) {
                track.$read(first, part, to);
            }

            fn real(values: Vec<Self>) -> Samples {
                Samples::$real(values)
            }

            fn complex(values: Vec<Complex<Self>>) -> Samples {
                Samples::$complex(values)
            }

            fn real_of(samples: Samples) -> Option<Vec<Self>> {
                if let Samples::$real(values) = samples { Some(values) } else { None }
            }

            fn complex_of(samples: Samples) -> Option<Vec<Complex<Self>>> {
                if let Samples::$complex(values) = samples { Some(values) } else { None }
            }

            fn download(prepared: &Prepared, lanes: Range<usize>, cancel: &AtomicBool) -> Result<Vec<Complex<Self>>, GpuError> {
                prepared.$download(lanes, cancel)
            }
        }
    };
}

number!(f32, F32, Complex32, read_f32, download_range);
number!(f64, F64, Complex64, read_f64, download_double);

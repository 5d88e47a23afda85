//! Filters in the engine: the forward transform of a signal is kept, and a new mask costs one inverse transform.

mod forward;
mod on_gpu;
mod output;
mod painted;
mod request;
mod shown;
mod study;

pub use forward::{FilteredPlane, ForwardSpectra, axes, mask_shape};
pub use output::{Rounded, filtered_signal, rounded_to_type};
pub use painted::PaintedMask;
pub use request::{FilterRequest, FilterView};
pub use study::{FilterProbe, FilterReport, FilterShown, FilterStudies, FilterWorker, start_filter_worker};

use super::EngineError;
use crate::filter::{MaskError, SampleSpacing, WrittenFrequency};
use crate::signal::PixelSize;

impl From<MaskError> for EngineError {
    fn from(error: MaskError) -> Self {
        Self::Mask(error)
    }
}

/// The distance of two samples, as far as a rate in Hz or the size of a pixel is known; angles have no metres.
pub fn sample_spacing(pixel: Option<PixelSize>, rate_hz: Option<f64>) -> SampleSpacing {
    let metres = |size: PixelSize| Some(size.width * format!("1{}", size.unit.symbol()).parse().ok().and_then(WrittenFrequency::metres)?);
    SampleSpacing { rate_hz, pixel_metres: pixel.and_then(metres) }
}

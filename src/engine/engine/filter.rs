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
use crate::signal::{PixelSize, Sampling};

impl From<MaskError> for EngineError {
    fn from(error: MaskError) -> Self {
        Self::Mask(error)
    }
}

/// The distance of two samples, as far as the size of a pixel or the sampling of a row is known; angles have no metres.
pub fn sample_spacing(pixel: Option<PixelSize>, sampling: Option<Sampling>) -> SampleSpacing {
    let metres = |size: PixelSize| Some(size.width * format!("1{}", size.unit.symbol()).parse().ok().and_then(WrittenFrequency::metres)?);
    let side = pixel.or(sampling.and_then(Sampling::step));
    SampleSpacing { sampling: sampling.filter(|sampling| sampling.rate_hz().is_some()), pixel_metres: side.and_then(metres) }
}

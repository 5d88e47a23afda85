//! Filters in the engine: the spectra of a signal are results of jobs, and a new mask costs the way back through a new table of factors.
//!
//! On a GPU the way back is the plan of [`transforms::filtering`](crate::transforms::filtering); on the CPU the library takes its place, as for other Fourier transforms.

mod back;
mod forward;
mod on_gpu;
mod output;
mod painted;
mod request;
mod shown;
mod study;

pub use back::FilteredPlane;
pub use forward::{Filtered, ForwardSpectra, axes, mask_shape};
pub use output::{Rounded, factors_signal, filtered_signal, rounded_to_type};
pub use painted::PaintedMask;
pub use request::{FilterRequest, FilterView};
pub use study::{FilterProbe, FilterShown, FilterStudy};

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

//! Filters in the engine: the forward transform of a signal is kept, and a new mask costs one inverse transform.

mod forward;
mod on_gpu;
mod output;
mod shown;
mod study;

pub use forward::{FilteredPlane, ForwardSpectra, mask_shape};
pub use output::{Rounded, filtered_signal, rounded_to_type};
pub use study::{FilterReport, FilterRequest, FilterShown, FilterStudies, FilterView, FilterWorker, start_filter_worker};

use super::EngineError;
use crate::filter::MaskError;

impl From<MaskError> for EngineError {
    fn from(error: MaskError) -> Self {
        Self::Mask(error)
    }
}

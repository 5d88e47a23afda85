//! Filters in the engine: the forward transform of a signal is kept, and a new mask costs one inverse transform.

mod forward;
mod output;

pub use forward::{FilteredPlane, ForwardSpectra, mask_shape};
pub use output::{Rounded, rounded_to_type};

use super::EngineError;
use crate::filter::MaskError;

impl From<MaskError> for EngineError {
    fn from(error: MaskError) -> Self {
        Self::Mask(error)
    }
}

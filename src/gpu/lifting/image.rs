//! The fast kernel of wavelet transforms of images by lifting: which launches it supports, and what a workgroup takes.
//!
//! A launch is a group of levels along both axes in overlapped tiles. High bands go straight to their lanes in the Mallat layout. The values that are low-pass along both axes after the last level go to scratch lanes, where the next launch reads them.

mod analysis;
mod constants;
mod launches;
mod level;
mod shape;
mod synthesis;
mod text;
mod variables;

pub(in crate::gpu) use launches::{MOST_LEVELS, image_kernel_of, level_kernel_of, schedule, scratch_lanes};
pub(in crate::gpu) use level::source as level_source;
pub(in crate::gpu) use text::source as image_source;

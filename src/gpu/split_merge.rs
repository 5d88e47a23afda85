//! The kernel of split and merge sections: which launches it supports, and what a workgroup takes.
//!
//! F. Argüello et al. 2012, section 3: the number of levels, the memory of the merge, threads a sample and the width are parameters.
//! The closed form of the sections, [`borders`], is compared with what is derived from the plan in `tests/core/sections.rs`.

mod shape;
pub(super) mod steps;
mod text;

pub(super) use shape::{SplitMergeShape, kernel_of, unsupported};
pub(super) use text::source;

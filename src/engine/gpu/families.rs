//! The list of all families of fast kernels: the first that supports a launch runs it.

use super::family::Family;
use super::{
    fft, filter_bank, haar, half_spectrum, kronecker, level_order, lifting, lifting2d, scan_sections, split_merge, transpose, tridiagonal,
};

pub(super) const FAMILIES: [&dyn Family; 12] = [
    &tridiagonal::Tridiagonal,
    &filter_bank::FilterBank,
    &scan_sections::ScanSections,
    &split_merge::SplitMerge,
    &lifting2d::Lifting2d,
    &lifting::Lifting,
    &haar::Haar,
    &level_order::LevelOrder,
    &transpose::Transpose,
    &half_spectrum::HalfSpectrumPairs,
    &kronecker::Kronecker,
    &fft::Fft,
];

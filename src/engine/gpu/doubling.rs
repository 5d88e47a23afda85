//! The functions of `doubling.wgsl`, which kernels of stages and of sections call.

use crate::plan::Doubling;

/// The function of a step of recursive doubling.
pub(super) fn doubling(step: Doubling) -> &'static str {
    match step {
        Doubling::PivotMap => "pivot_map",
        Doubling::Compose => "composed",
        Doubling::Divide => "divided_by_pivot",
        Doubling::Forward => "without_before",
        Doubling::Backward => "without_behind",
    }
}

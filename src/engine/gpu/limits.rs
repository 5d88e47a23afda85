//! The limits of kernels on a device: memory, threads, workgroups.

use crate::plan::Precision;

/// The limits of a device, and the precision, that decide the schedule and the kernels of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Workgroup memory, in bytes.
    pub workgroup_bytes: usize,
    /// Threads of a workgroup.
    pub max_invocations: usize,
    /// Workgroups along one dimension of a dispatch.
    pub max_groups: usize,
    /// Threads of a subgroup where kernels may use them and all are of one size, a power of two; 1 elsewhere.
    pub subgroup: usize,
    /// How lanes hold real and complex numbers; in double precision half as many fit.
    pub precision: Precision,
}

impl Limits {
    /// The limits of a usual graphics card, for kernels that are written without a device.
    pub const DESKTOP: Self =
        Self { workgroup_bytes: 48 << 10, max_invocations: 1024, max_groups: 65_535, subgroup: 32, precision: Precision::Single };

    /// The same device in this precision.
    pub fn in_precision(self, precision: Precision) -> Self {
        Self { precision, ..self }
    }
}

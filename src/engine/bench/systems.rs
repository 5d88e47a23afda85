//! Benchmark cases of tridiagonal systems: random equations with a dominant diagonal, which every algorithm solves accurately.

use super::SweepLine;
use crate::engine::{Devices, EngineError, Job, JobRunner};
use crate::signal::generate::SystemExample;
use crate::transforms::Shape;
use crate::transforms::tridiagonal::TRIDIAGONAL;
use std::sync::atomic::AtomicBool;

/// Operations of Gaussian elimination per equation.
pub(super) const OPERATIONS: f64 = 8.0;

/// The benchmark case of a line at a shape, with rotated buffers of `rotated` bytes.
pub(super) fn benchmark_case(
    line: &SweepLine,
    shape: Shape,
    rotated: u64,
    devices: &mut Devices,
    cancel: &AtomicBool,
) -> Result<JobRunner, EngineError> {
    let algorithm = line.algorithm.as_deref().map(|name| TRIDIAGONAL.algorithm(name)).transpose()?;
    let job = Job {
        algorithm: algorithm.map(|algorithm| algorithm.name),
        cut: line.cut,
        device: line.device.clone(),
        precision: line.precision,
        ..Job::of_system(&SystemExample::Dominant.system(shape.len()))
    };
    JobRunner::new(&job, rotated, devices, cancel)
}

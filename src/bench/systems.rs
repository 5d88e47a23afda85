//! Tridiagonal systems as the bench measures them: random equations with a dominant diagonal, whose solution every algorithm finds well.

use super::Line;
use crate::engine::{Devices, EngineError, Job, JobRunner};
use crate::signal::generate::SystemExample;
use crate::transforms::Shape;
use crate::transforms::tridiagonal::TRIDIAGONAL;
use std::sync::atomic::AtomicBool;

/// Operations of Gaussian elimination for each equation.
pub(super) const OPERATIONS: f64 = 8.0;

/// The equations of a line at a shape, ready to be solved again and again from buffers that fill `rotated` bytes.
pub(super) fn trial(line: &Line, shape: Shape, rotated: u64, devices: &mut Devices, cancel: &AtomicBool) -> Result<JobRunner, EngineError> {
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

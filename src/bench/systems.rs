//! Tridiagonal systems as the bench measures them: random equations with a dominant diagonal, whose solution every algorithm finds well.

use super::{Line, Subject};
use crate::engine::{Devices, EngineError, Outcome, SolveJob, SolveTrial, Times, Values};
use crate::gpu::{AdapterInfo, Clock, Sample};
use crate::signal::generate::Example;
use crate::transforms::Shape;
use crate::transforms::tridiagonal::TRIDIAGONAL;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Operations of Gaussian elimination for each equation.
pub(super) const OPERATIONS: f64 = 8.0;

/// The equations of a line at a shape, ready to be solved again and again.
pub(super) fn trial(line: &Line, shape: Shape, devices: &mut Devices, cancel: &AtomicBool) -> Result<SolveTrial, EngineError> {
    let algorithm = line.algorithm.as_deref().map(|name| TRIDIAGONAL.algorithm(name)).transpose()?;
    let job = SolveJob {
        system: Arc::new(Example::Dominant.system(shape.len())),
        algorithm: algorithm.map(|algorithm| algorithm.name),
        cut: line.cut,
        device: line.device.clone(),
        precision: line.precision,
    };
    SolveTrial::new(job, devices, cancel)
}

impl Subject for SolveTrial {
    fn outcome(&self) -> &Outcome {
        self.outcome()
    }

    fn trip(&mut self, devices: &mut Devices, cancel: &AtomicBool) -> Result<Times, EngineError> {
        self.trip(devices, cancel)
    }

    fn kernels(&mut self, n: usize, clock: Clock, devices: &mut Devices, cancel: &AtomicBool) -> Result<Vec<Sample>, EngineError> {
        self.kernels(n, clock, devices, cancel)
    }

    fn each_result(&self, cancel: &AtomicBool, check: &mut dyn FnMut(&Values) -> Result<(), EngineError>) -> Result<(), EngineError> {
        self.each_result(cancel, check)
    }

    fn error_of(&self, values: &Values, _: &AtomicBool) -> Result<f64, EngineError> {
        Ok(self.error_of(values))
    }

    fn copies(&self, bytes: u64, rotated: u64, n: usize) -> Result<Vec<f64>, EngineError> {
        self.copies(bytes, rotated, n)
    }

    fn rotated_bytes(&self) -> u64 {
        self.rotated_bytes()
    }

    fn adapter(&self) -> Option<AdapterInfo> {
        self.adapter()
    }
}

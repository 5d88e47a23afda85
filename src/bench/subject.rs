//! What is measured, as the bench sees it: something that runs, and whose results can be judged.
//!
//! The bench takes whatever makes a [`Subject`] of a line and a shape, so that its judgement can be tested with a subject that computes wrongly.

use super::{Data, Line, systems};
use crate::engine::{Devices, EngineError, Outcome, Times, Trial, Values};
use crate::gpu::{AdapterInfo, Clock, Sample};
use crate::transforms::Shape;
use std::sync::atomic::AtomicBool;

/// Something that runs a case again and again.
pub trait Subject {
    /// What the newest run came to.
    fn outcome(&self) -> &Outcome;

    /// Runs from the samples to the whole result in memory; every part apart.
    ///
    /// # Errors
    /// When the run has no result, or `cancel` is raised.
    fn trip(&mut self, devices: &mut Devices, cancel: &AtomicBool) -> Result<Times, EngineError>;

    /// The times of `n` runs without transfers.
    ///
    /// # Errors
    /// When the run has no result, or `cancel` is raised.
    fn kernels(&mut self, n: usize, clock: Clock, devices: &mut Devices, cancel: &AtomicBool) -> Result<Vec<Sample>, EngineError>;

    /// Calls `check` with every result that the runs so far have left.
    ///
    /// # Errors
    /// When `check` has one, or `cancel` is raised.
    fn each_result(&self, cancel: &AtomicBool, check: &mut dyn FnMut(&Values) -> Result<(), EngineError>) -> Result<(), EngineError>;

    /// The relative error of a result in the 2-norm.
    ///
    /// # Errors
    /// When `cancel` is raised.
    fn error_of(&self, values: &Values, cancel: &AtomicBool) -> Result<f64, EngineError>;

    /// Microseconds of plain copies of `bytes` bytes where it runs.
    ///
    /// # Errors
    /// When the device reports an error.
    fn copies(&self, bytes: u64, rotated: u64, n: usize) -> Result<Vec<f64>, EngineError>;

    /// Bytes of all buffers that are used in turn.
    fn rotated_bytes(&self) -> u64;

    /// The adapter that runs it, where a GPU does.
    fn adapter(&self) -> Option<AdapterInfo>;
}

impl Subject for Trial {
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

    fn error_of(&self, values: &Values, cancel: &AtomicBool) -> Result<f64, EngineError> {
        self.error_of(values, cancel)
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

/// What makes a subject of a line at a shape, with buffers that fill so many bytes.
pub type Maker<'a> = dyn Fn(&Line, Shape, Data, u64, &mut Devices, &AtomicBool) -> Result<Box<dyn Subject>, EngineError> + 'a;

/// The line as the engine runs it.
///
/// # Errors
/// When the job has no result, or `cancel` is raised.
pub fn subject(
    line: &Line,
    shape: Shape,
    data: Data,
    rotated: u64,
    devices: &mut Devices,
    cancel: &AtomicBool,
) -> Result<Box<dyn Subject>, EngineError> {
    if systems::takes(line) {
        return Ok(Box::new(systems::Equations::new(line, shape, devices, cancel)?));
    }
    Ok(Box::new(line.trial(shape, data, rotated, devices, cancel)?))
}

//! What runs a case again and again, for whoever takes its times and judges its results.

use super::{Deviation, Devices, EngineError, Outcome, Times, Values};
use crate::gpu::{AdapterInfo, Clock, Sample};
use std::sync::atomic::AtomicBool;

/// Sets of lanes that are used in turn at most.
pub(super) const MOST_INPUTS: u64 = 64;

/// Something that runs a case again and again.
pub trait CaseRunner {
    /// What the newest run came to.
    fn outcome(&self) -> &Outcome;

    /// Runs from the samples to the whole result in memory; every part apart.
    ///
    /// # Errors
    /// When the run has no result, or `cancel` is raised.
    fn round_trip(&mut self, devices: &mut Devices, cancel: &AtomicBool) -> Result<Times, EngineError>;

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

    /// How far a result is from the one in double precision.
    ///
    /// # Errors
    /// When `cancel` is raised.
    fn deviation_of(&self, values: &Values, cancel: &AtomicBool) -> Result<Deviation, EngineError>;

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

//! The trait of benchmark cases: they run repeatedly, and a timer measures them and checks their results.

use super::{Deviation, Devices, EngineError, Outcome, Times, Values};
use crate::gpu::{AdapterInfo, Clock, Sample};
use std::sync::atomic::AtomicBool;

/// The largest number of inputs that are used in turn.
pub(super) const MOST_INPUTS: u64 = 64;

/// A benchmark case that runs repeatedly.
pub trait CaseRunner: Send {
    /// The outcome of the newest run.
    fn outcome(&self) -> &Outcome;

    /// Runs from the samples to the whole result in memory, and times every part.
    ///
    /// # Errors
    /// When the run has no result, or `cancel` is raised.
    fn round_trip(&mut self, devices: &mut Devices, cancel: &AtomicBool) -> Result<Times, EngineError>;

    /// The times of `n` runs without transfers.
    ///
    /// # Errors
    /// When the run has no result, or `cancel` is raised.
    fn kernels(&mut self, n: usize, clock: Clock, devices: &mut Devices, cancel: &AtomicBool) -> Result<Vec<Sample>, EngineError>;

    /// Calls `check` with every result that the runs so far have stored.
    ///
    /// # Errors
    /// When `check` has one, or `cancel` is raised.
    fn each_result(&self, cancel: &AtomicBool, check: &mut dyn FnMut(&Values) -> Result<(), EngineError>) -> Result<(), EngineError>;

    /// The deviation of a result from double precision.
    ///
    /// # Errors
    /// When `cancel` is raised.
    fn deviation_of(&self, values: &Values, cancel: &AtomicBool) -> Result<Deviation, EngineError>;

    /// Times of plain copies of `bytes` bytes on its device, in µs.
    ///
    /// # Errors
    /// When the device reports an error.
    fn copies(&self, bytes: u64, rotated: u64, n: usize) -> Result<Vec<f64>, EngineError>;

    /// Bytes of all inputs that are used in turn.
    fn rotated_bytes(&self) -> u64;

    /// The adapter that runs it, where a GPU does.
    fn adapter(&self) -> Option<AdapterInfo>;
}

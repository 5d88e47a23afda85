//! Makes benchmark cases from the lines of a sweep.
//!
//! A sweep takes any [`CaseMaker`], so that tests can check it with a case that computes wrongly.

use super::{SweepData, SweepLine, systems};
use crate::engine::{CaseRunner, Devices, EngineError};
use crate::transforms::Shape;
use std::sync::atomic::AtomicBool;

/// Makes the benchmark case of a line at a shape; its rotated buffers fill the given number of bytes.
pub type CaseMaker<'a> =
    dyn Fn(&SweepLine, Shape, SweepData, u64, &mut Devices, &AtomicBool) -> Result<Box<dyn CaseRunner>, EngineError> + Sync + 'a;

/// The benchmark case that the engine runs.
///
/// # Errors
/// If the job has no result, or `cancel` is raised.
pub fn benchmark_case(
    line: &SweepLine,
    shape: Shape,
    data: SweepData,
    rotated: u64,
    devices: &mut Devices,
    cancel: &AtomicBool,
) -> Result<Box<dyn CaseRunner>, EngineError> {
    if line.takes_equations() {
        return Ok(Box::new(systems::benchmark_case(line, shape, rotated, devices, cancel)?));
    }
    Ok(Box::new(line.trial(shape, data, rotated, devices, cancel)?))
}

//! How the bench comes to what it measures.
//!
//! The bench takes whatever makes a [`CaseRunner`] of a line and a shape, so that its judgement can be tested with a subject that computes wrongly.

use super::{Data, Line, systems};
use crate::engine::{CaseRunner, Devices, EngineError};
use crate::transforms::Shape;
use std::sync::atomic::AtomicBool;

/// What makes a subject of a line at a shape, with buffers that fill so many bytes.
pub type Maker<'a> = dyn Fn(&Line, Shape, Data, u64, &mut Devices, &AtomicBool) -> Result<Box<dyn CaseRunner>, EngineError> + 'a;

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
) -> Result<Box<dyn CaseRunner>, EngineError> {
    if line.takes_equations() {
        return Ok(Box::new(systems::trial(line, shape, rotated, devices, cancel)?));
    }
    Ok(Box::new(line.trial(shape, data, rotated, devices, cancel)?))
}

//! Records of earlier versions, as this version means them.

use super::record::{Record, VERSION};
use super::sweep::SweepLine;
use crate::engine::{Cut, DeviceChoice, LOCAL_LOOPS};
use crate::transforms::{Shape, transform};

/// The last version in which one thread of the CPU ran local loops wherever a launch was a stage, and took Kronecker steps one by one.
const LOCAL_LOOPS_UNTIL: u32 = 1;

/// Refuses a version that is not known.
pub(crate) fn check(version: u32) -> Result<(), String> {
    match version {
        1..=VERSION => Ok(()),
        _ => Err(format!("its version is {version}, and this program reads versions 1 to {VERSION}")),
    }
}

/// A record of this version with the names that it has today.
pub(super) fn renewed(mut record: Record, version: u32) -> Record {
    if version > LOCAL_LOOPS_UNTIL {
        return record;
    }
    for index in 0..record.sweep.lines.len() {
        let ran = record.measurements.iter().find(|measurement| measurement.line == index);
        if ran.is_some_and(|ran| ran_local_loops(&record.sweep.lines[index], &ran.algorithm, ran.shape)) {
            record.sweep.lines[index].device = DeviceChoice::CpuLocal;
            let measured = record.measurements.iter_mut().filter(|measurement| measurement.line == index);
            measured.for_each(|measurement| measurement.device = LOCAL_LOOPS.into());
        }
    }
    record
}

/// Whether a line on one thread took the stages of its plan one by one.
fn ran_local_loops(line: &SweepLine, algorithm: &str, shape: Shape) -> bool {
    let plan = || {
        let build = transform(&line.transform).ok()?.algorithm(algorithm).ok()?.plan_fn()?;
        // A plan of few lanes has the same kinds of stages.
        build(Shape { rows: shape.rows.min(16), columns: shape.columns.min(16) }, line.parameters).ok()
    };
    line.device == DeviceChoice::Cpu
        && plan().is_some_and(|plan| {
            let is_by_stage = matches!(line.cut, Cut::Stages | Cut::StagesOf(_) | Cut::StagesIn(_) | Cut::StagesBy(_));
            is_by_stage || plan.stages.iter().all(|stage| stage.kronecker_step().is_some())
        })
}

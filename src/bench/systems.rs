//! Runs a task that solves tridiagonal systems: random equations with a dominant diagonal, whose solution every algorithm finds well.

use super::measure::{Settings, Task, copy_micros};
use super::{Record, Statistics};
use crate::engine::{Devices, EngineError, SolveJob, Times, solve, time_solution};
use crate::plan::Ring;
use crate::signal::generate::Example;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Operations of Gaussian elimination for each equation.
const OPERATIONS: f64 = 8.0;
/// Real numbers that are read and written for each equation.
const NUMBERS: f64 = 5.0;

/// Measures one task; its error is the relative residual.
pub(super) fn run(task: &Task, settings: Settings, devices: &mut Devices, cancel: &AtomicBool) -> Result<Record, EngineError> {
    let n = task.shape.len();
    let job = SolveJob {
        system: Arc::new(Example::Dominant.system(n)),
        algorithm: task.algorithm,
        cut: settings.cut,
        device: task.device.clone(),
        precision: settings.precision,
    };
    let solution = solve(&job, devices, cancel)?;
    let runs = time_solution(&job, &solution, settings.repeat.max(1), devices, cancel)?;
    let of = |part: &dyn Fn(&Times) -> f64| Statistics::of(&runs.iter().map(|(times, _)| part(times)).collect::<Vec<_>>());
    let kernel_micros = Statistics::of(&runs.iter().map(|(_, kernel)| *kernel).collect::<Vec<_>>());
    let widening = solution.precision.widening(Ring::Real);
    let moved = |(plan, schedule): &(Arc<_>, Arc<crate::schedule::Schedule>)| {
        schedule.launches.iter().map(|launch| launch.bytes_moved(plan) * widening as u64).sum()
    };
    Ok(Record {
        transform: task.transform.name,
        algorithm: solution.algorithm,
        device: solution.device.clone(),
        software_gpu: solution.software_gpu,
        precision: solution.precision,
        shape: task.shape,
        n_launches: solution.plan.as_ref().map_or(0, |(_, schedule)| schedule.launches.len()),
        moved_bytes: solution.plan.as_ref().map(moved),
        kernel_micros,
        run_kernel_micros: of(&Times::kernel_micros),
        device_clock: solution.times.device_clock,
        upload_micros: of(&|times| times.upload_micros),
        download_micros: of(&|times| times.download_micros),
        total_micros: of(&|times| times.total_micros + times.download_micros),
        prepare_micros: solution.times.prepare_micros,
        copy_micros: copy_micros(task, (n * solution.precision.bytes_per_lane(Ring::Row)) as u64, settings, devices)?,
        gflop_per_sec: OPERATIONS * n as f64 / kernel_micros.median / 1e3,
        gbyte_per_sec: NUMBERS * (4 * widening * n) as f64 / kernel_micros.median / 1e3,
        error: solution.residual.relative,
    })
}

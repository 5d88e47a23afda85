//! The gain of padding of workgroup memory in a transposition, measured: the same launch with a padded row, one lane longer, and a plain one, in turn.

use super::{Backend, DeviceChoice, Devices, EngineError};
use crate::gpu::lower::lower;
use crate::gpu::{Clock, GpuError, KernelChoice, LowerError, Rotation};
use crate::plan::{Plan, Precision, ResultOrder};
use crate::schedule::{Launch, Schedule};
use crate::statistics::quartiles;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Rounds, and samples of each pitch in a round.
const ROUNDS: usize = 5;
const SAMPLES: usize = 5;

/// The times of a transposition with padding and without.
#[derive(Debug, Clone, PartialEq)]
pub struct PaddingTimes {
    /// Pitches of the square, in lanes: padded, and not.
    pub pitches: [usize; 2],
    /// Median and quartiles in µs, with padding and without.
    pub micros: [[f64; 3]; 2],
    /// Number of samples of each.
    pub n: usize,
    /// Name of the adapter.
    pub adapter: String,
}

impl PaddingTimes {
    /// How many times as fast it is with padding; `None` where the quartiles overlap, so that no gain is measurable.
    pub fn gain(&self) -> Option<f64> {
        let [[padded, low, high], [plain, other_low, other_high]] = self.micros;
        (high < other_low || other_high < low).then_some(plain / padded)
    }
}

/// Measures a launch of a plan alone, which transposes, on an adapter.
///
/// # Errors
/// When the launch does not transpose, the device reports an error, or `cancel` becomes true.
pub fn time_padding(
    plan: &Plan,
    launch: &Launch,
    precision: Precision,
    adapter: usize,
    devices: &mut Devices,
    cancel: &AtomicBool,
) -> Result<PaddingTimes, EngineError> {
    let choice = DeviceChoice::Adapter(adapter.to_string());
    devices.surviving(&choice, |devices| times(plan, launch, precision, &devices.backend(&choice)?.0, cancel))
}

fn times(plan: &Plan, launch: &Launch, precision: Precision, backend: &Backend, cancel: &AtomicBool) -> Result<PaddingTimes, EngineError> {
    let Backend::Gpu(device) = backend else { unreachable!("an adapter is no CPU") };
    let alone = Plan::new(plan.ring, plan.lanes, vec![plan.stages[launch.stages.start].clone()], ResultOrder::Natural);
    let schedule = Schedule { launches: vec![Launch { stages: 0..1, tile: launch.tile }] };
    let lowered = lower(&alone, &schedule, device.limits().in_precision(precision), KernelChoice::Fast).map_err(GpuError::from)?;
    let side = lowered.commands[0].kernel.side().ok_or(GpuError::Lower(LowerError::Schedule { launch: 0 }))?;
    let pitches = [side + 1, side];
    let ready = |pitch| Rotation::of(Arc::new(device.prepare_pitched(&alone, &schedule, precision, pitch)?));
    let (mut rotations, mut samples) = ([ready(pitches[0])?, ready(pitches[1])?], [Vec::new(), Vec::new()]);
    for round in 0..ROUNDS {
        for turn in 0..2 {
            // Neither goes first every time.
            let which = (round + turn) % 2;
            let taken = rotations[which].kernels(SAMPLES, Clock::Device, cancel)?;
            samples[which].extend(taken.into_iter().map(|sample| sample.micros));
        }
    }
    let n = samples[0].len();
    let micros = samples.map(|times| quartiles(times).map_or([f64::NAN; 3], |[low, median, high]| [median, low, high]));
    Ok(PaddingTimes { pitches, micros, n, adapter: device.info().name.clone() })
}

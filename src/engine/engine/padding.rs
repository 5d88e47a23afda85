//! What padding of workgroup memory gains in a transposition, measured: the same launch with a pitch of 33 and of 32 lanes, in turn.

use super::{Backend, DeviceChoice, Devices, EngineError};
use crate::gpu::{Clock, Rotation};
use crate::plan::{Plan, Precision, ResultOrder};
use crate::schedule::Schedule;
use crate::statistics::quartiles;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Pitches of the square, in lanes: padded, and not.
const PITCHES: [usize; 2] = [33, 32];
/// Rounds, and samples of each pitch in a round.
const ROUNDS: usize = 5;
const SAMPLES: usize = 5;

/// The times of a transposition with padding and without.
#[derive(Debug, Clone, PartialEq)]
pub struct PaddingTimes {
    /// Median and quartiles in µs, with a pitch of 33 lanes and of 32.
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

/// Measures stage `stage` of a plan alone, which transposes, on an adapter.
///
/// # Errors
/// When the device reports an error, or `cancel` becomes true.
pub fn time_padding(
    plan: &Plan,
    stage: usize,
    precision: Precision,
    adapter: usize,
    devices: &mut Devices,
    cancel: &AtomicBool,
) -> Result<PaddingTimes, EngineError> {
    let choice = DeviceChoice::Adapter(adapter.to_string());
    devices.surviving(&choice, |devices| times(plan, stage, precision, &devices.backend(&choice)?.0, cancel))
}

fn times(plan: &Plan, stage: usize, precision: Precision, backend: &Backend, cancel: &AtomicBool) -> Result<PaddingTimes, EngineError> {
    let Backend::Gpu(device) = backend else { unreachable!("an adapter is no CPU") };
    let alone = Plan::new(plan.ring, plan.lanes, vec![plan.stages[stage].clone()], ResultOrder::Natural);
    let schedule = Schedule::by_stage(&alone);
    let ready = |pitch| Rotation::of(Arc::new(device.prepare_pitched(&alone, &schedule, precision, pitch)?));
    let (mut rotations, mut samples) = ([ready(PITCHES[0])?, ready(PITCHES[1])?], [Vec::new(), Vec::new()]);
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
    Ok(PaddingTimes { micros, n, adapter: device.info().name.clone() })
}

//! Whether an adapter works: how long it takes to open, how fast values go up and down, and whether its kernels compute what the CPU computes.

use super::{DeviceChoice, Devices, EngineError, Job, compute, relative_error};
use crate::gpu::{AdapterInfo, GpuError};
use crate::random::Random;
use crate::signal::{Samples, Signal, SignalKind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// The transforms that are tried, with rows and columns; one has enough values to time transfers.
const TRIED: [(&str, [usize; 2]); 4] = [("dft", [1, 1024]), ("dft2", [64, 64]), ("walsh", [1, TIMED]), ("cdf97", [1, 1024])];
/// Values whose transfers are timed, in real numbers.
const TIMED: usize = 1 << 21;
/// Relative errors below this are rounding in single precision.
const ROUNDING: f64 = 1e-5;

/// The outcome of trying an adapter.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct TriedAdapter {
    /// Time in µs from nothing to the open device.
    pub open_micros: f64,
    /// Time in µs of the first run of all transforms that were tried, with the compilation of their kernels.
    pub first_runs_micros: f64,
    /// Bytes a second to the device and back, in transfers of some MiB.
    pub bytes_per_second: [Option<f64>; 2],
    /// The transforms that were tried.
    pub transforms: Vec<TriedTransform>,
}

/// A transform that was tried.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct TriedTransform {
    /// Its name.
    pub transform: &'static str,
    /// The relative error of its result against double precision.
    pub error: f64,
    /// Whether that is rounding and no more.
    pub is_right: bool,
}

/// Opens an adapter and tries it, until `deadline` has passed; at least one transform is tried.
///
/// # Errors
/// When the adapter does not open, or reports an error.
pub fn try_adapter(adapter: &AdapterInfo, deadline: Instant) -> Result<TriedAdapter, EngineError> {
    let (mut devices, go_on) = (Devices::default(), AtomicBool::new(false));
    let choice = DeviceChoice::Adapter(adapter.index.to_string());
    let device = match devices.backend(&choice)?.0 {
        super::Backend::Gpu(device) => device,
        super::Backend::Cpu(_) => return Err(GpuError::NoAdapter.into()),
    };
    let (mut transforms, mut first_runs_micros) = (Vec::new(), 0.0);
    for (name, [rows, columns]) in TRIED {
        let job = Job { device: choice.clone(), ..Job::new(Arc::new(noise(rows, columns)), name) };
        let start = Instant::now();
        let computed = compute(&job, &mut devices, &go_on)?;
        let values = computed.stored.values(&go_on)?;
        first_runs_micros += super::report::micros(start);
        let error = relative_error(&job, &computed.stored, &computed.outcome, &go_on)?;
        transforms.push(TriedTransform { transform: name, error, is_right: error < ROUNDING });
        if columns == TIMED && Instant::now() < deadline {
            drop(values);
            // The first transfers have made the memory that later ones use.
            compute(&job, &mut devices, &go_on)?.stored.values(&go_on)?;
        }
        if Instant::now() >= deadline {
            break;
        }
    }
    let bytes_per_second = device.transfer_rates().map(|rate| Some(1e6 * rate?));
    Ok(TriedAdapter { open_micros: device.open_micros(), first_runs_micros, bytes_per_second, transforms })
}

/// Numbers without a pattern.
fn noise(rows: usize, columns: usize) -> Signal {
    let mut random = Random::new(1);
    let mut number = move || (random.bits() >> 8) as f32 / (1 << 24) as f32 - 0.5;
    let kind = if rows == 1 { SignalKind::Rows } else { SignalKind::Image };
    let samples = (0..rows * columns).map(|_| number()).collect();
    Signal { rows, columns, kind, ..Signal::row("noise", Samples::F32(samples)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::adapters;
    use std::time::Duration;

    #[test]
    fn an_adapter_that_works_is_found_to_work() {
        let all = adapters();
        let adapter = all.first().expect("the tests have an adapter");
        let tried = try_adapter(adapter, Instant::now() + Duration::from_secs(600)).expect("it opens");
        assert_eq!(tried.transforms.len(), TRIED.len());
        assert!(tried.transforms.iter().all(|tried| tried.is_right && tried.error >= 0.0), "{tried:?}");
        assert!(tried.bytes_per_second.iter().all(|rate| rate.is_some_and(|rate| rate > 1e6)) && tried.open_micros > 0.0, "{tried:?}");
        let hasty = try_adapter(adapter, Instant::now()).expect("it opens");
        assert_eq!(hasty.transforms.len(), 1, "the time is over after the first one");
        let missing = AdapterInfo { index: 99, ..adapter.clone() };
        assert!(try_adapter(&missing, Instant::now()).is_err());
    }
}

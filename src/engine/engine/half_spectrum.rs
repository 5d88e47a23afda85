//! The spectrum of a real image or of one line of real samples by a GPU: half of it, which determines the rest, takes half of the kernels' work and of the
//! way back.

use super::compute::Ready;
use super::in_parts::is_too_large;
use super::{Backend, Computed, Cut, DeviceChoice, Devices, EngineError, Job, StoredResult, Values};
use crate::cpu::library::HalfSpectrum;
use crate::plan::{Direction, Precision};
use crate::transforms::{Axes, Shape};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// With fewer values the complex transform takes no longer.
const LEAST: usize = 1 << 18;

/// Runs the real transform in the place of the complex one that was chosen. `None` where the job or its samples ask for the complex one, where the result
/// stays on the device, and where the device does not hold half of it.
///
/// # Errors
/// As those of the complex transform, when the device is lost, or `cancel` is raised.
pub(super) fn run(chosen: &Ready, devices: &mut Devices, start: Instant, cancel: &AtomicBool) -> Result<Option<Computed>, EngineError> {
    let (job, blank) = (&chosen.job, &chosen.blank);
    let name = match job.transform {
        "dft2" => "rdft2",
        "dft" if blank.axes == Axes::Rows && job.signal.rows == 1 => "rdft",
        _ => return Ok(None),
    };
    let is_open = job.algorithm.is_none() && job.cut == Cut::default();
    let is_real = !job.is_complex() && job.parameters.direction == Direction::Forward && job.signal.columns.is_multiple_of(2);
    let comes_back = matches!(chosen.backend, Backend::Gpu(_)) && !devices.keeps_results() && blank.precision == Precision::Single;
    if !(is_open && is_real && comes_back) || job.signal.len() < LEAST {
        return Ok(None);
    }
    // The device is chosen: it is not compared with the CPU again.
    let device = if job.device == DeviceChoice::Auto { DeviceChoice::Gpu } else { job.device.clone() };
    let half = Job { transform: name, device, ..job.clone() };
    let (Computed { prepared, mut outcome, .. }, values) = match half_of(&half, devices, start, cancel) {
        Err(error) if is_too_large(&error) => return Ok(None),
        done => done?,
    };
    let Values::Single(values) = Arc::unwrap_or_clone(values) else { return Ok(None) };
    let shape = Shape { rows: job.signal.rows, columns: job.signal.columns };
    (outcome.shape, outcome.axes, outcome.contents) = (blank.shape, blank.axes, blank.contents);
    outcome.reason = format!("{}; computed as {name}, whose half determines the rest", blank.reason);
    Ok(Some(Computed { stored: StoredResult::memory(Values::Half(HalfSpectrum { shape, values })), prepared, outcome }))
}

/// The result of a real transform, in memory.
fn half_of(job: &Job, devices: &mut Devices, start: Instant, cancel: &AtomicBool) -> Result<(Computed, Arc<Values>), EngineError> {
    let computed = Ready::new(job, devices)?.run(devices, start, cancel)?.in_memory(cancel)?;
    let values = computed.stored.values(cancel)?;
    Ok((computed, values))
}

#[cfg(test)]
mod tests {
    use super::super::{compute, relative_error};
    use super::*;
    use crate::random::random_bits;
    use crate::signal::{Channel, Samples, Signal, SignalKind};
    use crate::transforms::Parameters;

    /// The spectrum of an image, or of rows, on the GPU of the tests.
    fn spectrum(shape: Shape, samples: Samples, change: impl Fn(Job) -> Job) -> (Job, Computed) {
        let channel = vec![Channel::new("gray", samples)];
        let signal = Signal::from_channels("image", SignalKind::Image, (shape.rows, shape.columns), channel);
        let job = change(Job { device: DeviceChoice::Gpu, ..Job::new(Arc::new(signal), "dft2") });
        let computed = compute(&job, &mut Devices::apart(), &AtomicBool::new(false)).expect("the tests have an adapter");
        (job, computed)
    }

    #[test]
    fn half_of_the_spectrum_of_real_samples_comes_back() {
        let bytes = |n: usize| Samples::U8((0..n as u64).map(|index| random_bits(index) as u8).collect());
        let as_it_is = |job: Job| job;
        for (rows, columns, is_half) in [(512, 512, true), (600, 450, true), (512, 513, false), (500, 500, false)] {
            let shape = Shape { rows, columns };
            let (job, computed) = spectrum(shape, bytes(shape.len()), as_it_is);
            let Computed { stored, outcome, .. } = &computed;
            let go_on = AtomicBool::new(false);
            let values = stored.values(&go_on).unwrap();
            assert_eq!(matches!(&*values, Values::Half(_)), is_half, "{rows} × {columns}");
            assert_eq!((outcome.shape, outcome.reason.contains("rdft2")), (shape, is_half));
            let error = relative_error(&job, stored, outcome, &go_on).unwrap();
            assert!(error < 1e-6, "{rows} × {columns}: {error}");
        }
        let shape = Shape { rows: 512, columns: 512 };
        let normalized = |job: Job| Job { parameters: Parameters { normalized: true, ..job.parameters }, ..job };
        let (job, Computed { stored, outcome, .. }) = spectrum(shape, bytes(shape.len()), normalized);
        let error = relative_error(&job, &stored, &outcome, &AtomicBool::new(false)).unwrap();
        assert!(outcome.reason.contains("rdft2") && error < 1e-6, "{error}");
        let is_half = |(_, computed): (Job, Computed)| computed.outcome.reason.contains("rdft2");
        assert!(is_half(spectrum(shape, Samples::F32(vec![1.0; shape.len()]), as_it_is)));
        let rows = |job: Job| Job { transform: "dft", ..job };
        for (rows_of, n, is_half_of) in [(1, 1 << 18, true), (1, 300_000, true), (1, (1 << 18) + 1, false), (2, 1 << 18, false)] {
            let shape = Shape { rows: rows_of, columns: n };
            let (job, Computed { stored, outcome, .. }) = spectrum(shape, bytes(shape.len()), rows);
            assert_eq!((outcome.shape, outcome.reason.contains("as rdft,")), (shape, is_half_of));
            let error = relative_error(&job, &stored, &outcome, &AtomicBool::new(false)).unwrap();
            assert!(error < 1e-6, "{rows_of} × {n}: {error}");
        }
        // A job that names its algorithm runs it, and complex samples have no half.
        assert!(!is_half(spectrum(shape, bytes(shape.len()), |job| Job { algorithm: Some("row-column"), ..job })));
        let complex = vec![num_complex::Complex32::I; shape.len()];
        assert!(!is_half(spectrum(shape, Samples::Complex32(complex), as_it_is)));
    }
}

//! Transforms of the frames of recordings: by the library on all cores, or an algorithm on a device.

use super::super::Failure;
use super::super::arguments::ComputeArguments;
use super::super::transform::say_how;
use crate::cpu::{Cancelled, CpuBackend};
use crate::engine::{DeviceChoice, Devices, EngineError, Job, compute_to_memory};
use crate::plan::Precision;
use crate::signal::{Channel, Signal, SignalKind, Track};
use crate::spectra::{Batch, SpectraError, precision_of};
use crate::transforms::{Shape, transform};
use num_complex::Complex64;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The algorithm and the device that transform frames, where a call names one that is not the library.
pub(crate) struct Rows {
    algorithm: Option<&'static str>,
    device: DeviceChoice,
    precision: Precision,
    devices: Mutex<Devices>,
    failed: Mutex<Option<EngineError>>,
    is_said: AtomicBool,
    cancel: &'static AtomicBool,
}

/// The precision in which samples are transformed: the one that was asked for, or the one that they need.
pub(crate) fn precision(compute: &ComputeArguments, tracks: &[Track<'_>]) -> Precision {
    compute.numbers.precision.unwrap_or_else(|| precision_of(tracks))
}

impl Rows {
    /// The transformer of frames that a call asks for; `None` for the library.
    ///
    /// # Errors
    /// If there is no such algorithm.
    pub(crate) fn of(compute: &ComputeArguments, precision: Precision) -> Result<Option<Self>, Failure> {
        let algorithm = compute.algorithm.as_deref().map(|name| transform(TRANSFORM)?.algorithm(name)).transpose()?;
        let is_library = compute.device == DeviceChoice::Auto || compute.device.cpu() == Some(CpuBackend::Parallel);
        if algorithm.is_none() && is_library {
            return Ok(None);
        }
        Ok(Some(Self {
            algorithm: algorithm.map(|algorithm| algorithm.name),
            device: compute.device.clone(),
            precision,
            devices: Mutex::new(super::super::devices::here()),
            failed: Mutex::new(None),
            is_said: AtomicBool::new(false),
            cancel: super::super::cancel(),
        }))
    }

    /// The spectra of the rows of a batch; why there are none stays here.
    pub(crate) fn run(&self, batch: Batch) -> Result<Vec<Complex64>, Cancelled> {
        self.computed(batch).map_err(|error| {
            *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            Cancelled
        })
    }

    fn computed(&self, Batch { rows, points, samples }: Batch) -> Result<Vec<Complex64>, EngineError> {
        let bins = if samples.is_complex() { points } else { points / 2 + 1 };
        let channels = vec![Channel::new("frames", samples)];
        let signal = Signal::from_channels("frames", SignalKind::Rows, (rows, points), channels);
        let job = Job {
            algorithm: self.algorithm,
            device: self.device.clone(),
            precision: Some(self.precision),
            ..Job::new(Arc::new(signal), TRANSFORM)
        };
        let computed = compute_to_memory(&job, &mut self.devices.lock().unwrap_or_else(PoisonError::into_inner), self.cancel)?;
        if !self.is_said.swap(true, Ordering::Relaxed)
            && let Ok(transform) = transform(TRANSFORM)
        {
            say_how(transform, &computed.outcome);
        }
        let values = computed.stored.values(self.cancel)?;
        let shape = Shape { rows, columns: points };
        Ok(crate::threads::tabulate(rows * bins, |index| values.exact(shape, index / bins, index % bins)))
    }

    /// A failure of a measure, or the reason why the rows had none.
    pub(crate) fn failure(rows: Option<&Self>, error: SpectraError) -> Failure {
        let why = rows.and_then(|rows| rows.failed.lock().unwrap_or_else(PoisonError::into_inner).take());
        why.map_or_else(|| error.into(), Failure::from)
    }
}

/// The transform of rows.
const TRANSFORM: &str = "dft";

//! A job: a transform of a signal with all its settings.

use super::{Cut, DeviceChoice};
use crate::plan::Precision;
use crate::prepare::Preparation;
use crate::signal::{ChannelChoice as Channel, Signal, System};
use crate::spectra::SpectraError;
use crate::transforms::tridiagonal::TRIDIAGONAL;
use crate::transforms::{Parameters, Shape, transform};
use std::sync::Arc;

/// The job.
#[derive(Debug, Clone)]
pub struct Job {
    /// The signal that is transformed.
    pub signal: Arc<Signal>,
    /// The signal that it is convolved with, if the transform takes two.
    pub second: Option<Arc<Signal>>,
    /// The channel of the signal.
    pub channel: Channel,
    /// The preparation of the samples before the transform.
    pub preparation: Preparation,
    /// Name of the transform in the table.
    pub transform: &'static str,
    /// Name of the algorithm; `None` takes the fastest for this size and device.
    pub algorithm: Option<&'static str>,
    /// Parameters of the transform.
    pub parameters: Parameters,
    /// How the plan is cut into launches.
    pub cut: Cut,
    /// The device that runs it.
    pub device: DeviceChoice,
    /// Precision of real and complex numbers. `None` takes double precision on a CPU if the samples have it, and single precision otherwise.
    pub precision: Option<Precision>,
    /// Whether an automatic choice of the algorithm prefers one whose flow graph can be drawn.
    pub prefer_plan: bool,
}

impl Job {
    /// The job that runs a transform of this name forward with default settings.
    pub fn new(signal: Arc<Signal>, transform: &'static str) -> Self {
        Self {
            signal,
            second: None,
            channel: Channel::default(),
            preparation: Preparation::default(),
            transform,
            algorithm: None,
            parameters: Parameters::default(),
            cut: Cut::default(),
            device: DeviceChoice::Auto,
            precision: None,
            prefer_plan: false,
        }
    }

    /// Refuses a result whose samples were not those of the recordings that were opened.
    pub(super) fn check_files(&self) -> Result<(), SpectraError> {
        let signals = [Some(&self.signal), self.second.as_ref()];
        let fault = signals.into_iter().flatten().find_map(|signal| signal.fault());
        fault.map_or(Ok(()), |fault| Err(SpectraError::Changed(fault)))
    }

    /// The job that solves a tridiagonal system.
    pub fn of_system(system: &System) -> Self {
        Self::new(Arc::new(system.signal()), TRIDIAGONAL.name)
    }

    /// The shape of the samples that are transformed, after their preparation.
    pub fn shape(&self) -> Shape {
        let given = Shape { rows: self.signal.rows, columns: self.signal.columns };
        transform(self.transform).map_or(given, |transform| self.preparation.shape(given, transform.axes(self.parameters)))
    }

    /// Whether another job begins with the same samples of the same channel.
    pub(super) fn has_source_of(&self, other: &Self) -> bool {
        let second = |job: &Self| job.second.as_ref().map(Arc::as_ptr);
        Arc::ptr_eq(&self.signal, &other.signal) && second(self) == second(other) && self.channel == other.channel
    }

    /// Whether the samples of its channel are complex numbers.
    pub(super) fn is_complex(&self) -> bool {
        self.signal.is_complex_in(self.channel)
    }

    /// Whether samples that are not exact are computed in double precision on a CPU.
    pub(super) fn is_double(&self) -> bool {
        self.precision.map_or_else(|| self.signal.is_double(), |precision| precision == Precision::Double)
    }
}

impl PartialEq for Job {
    /// Two jobs are the same when they give the same result; signals are compared by identity, which is cheap.
    fn eq(&self, other: &Self) -> bool {
        let second = |job: &Self| job.second.as_ref().map(Arc::as_ptr);
        Arc::ptr_eq(&self.signal, &other.signal)
            && second(self) == second(other)
            && self.preparation == other.preparation
            && (self.channel, self.transform, self.algorithm, self.parameters)
                == (other.channel, other.transform, other.algorithm, other.parameters)
            && (self.cut, &self.device, self.precision, self.prefer_plan) == (other.cut, &other.device, other.precision, other.prefer_plan)
    }
}

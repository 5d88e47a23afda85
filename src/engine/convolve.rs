//! Convolution of two signals, and of a signal with itself: a plan that takes both, run as any other.

use super::compute::{Ready, Work};
use super::lanes::fitted_within;
use super::{Computed, Contents, Cut, DeviceChoice, Devices, EngineError, Job, Outcome, Times};
use crate::plan::Precision;
use crate::signal::{Samples, Signal, View};
use crate::transforms::convolution::{Convolution, Operands};
use crate::transforms::{Axes, Parameters, Shape};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Convolves the first channels of two lines of the same length, or one line with itself.
///
/// # Errors
/// When a signal has more rows than one, the lengths differ or are no powers of two, integers might not fit 64 bits, the device is not there, or `cancel` is raised.
pub fn convolve(
    convolution: &'static Convolution,
    first: &Signal,
    second: Option<&Signal>,
    device: &DeviceChoice,
    cancel: &AtomicBool,
) -> Result<Computed, EngineError> {
    let (mut devices, start) = (Devices::default(), Instant::now());
    ready(convolution, first, second, (device, Cut::default()), &mut devices)?.run(&mut devices, start, cancel)
}

/// A convolution whose choices are made.
pub(super) fn ready(
    convolution: &'static Convolution,
    first: &Signal,
    second: Option<&Signal>,
    (device, cut): (&DeviceChoice, Cut),
    devices: &mut Devices,
) -> Result<Ready, EngineError> {
    let n = first.columns;
    let operands = if second.is_some() { Operands::Two } else { Operands::Itself };
    let signals: Vec<&Signal> = std::iter::once(first).chain(second).collect();
    if let Some(wrong) = signals.iter().find(|signal| (signal.rows, signal.columns) != (1, n)) {
        return Err(EngineError::Lines { name: wrong.name.clone(), rows: wrong.rows, columns: wrong.columns, needed: n });
    }
    let plan = (convolution.build)(n, operands)?;
    let largest = |signal: &Signal| -> Result<u64, EngineError> {
        let values = signal.whole_plane(View::Luma)?.unwrap_or_default();
        Ok(values.into_iter().map(i64::unsigned_abs).max().unwrap_or(0))
    };
    let bounds = [largest(signals[0])?, largest(signals[signals.len() - 1])?];
    let (place, why_here) = devices.place(device)?;
    let job = Job {
        signal: Arc::new(Signal::line(first.name.clone(), joined(&signals)?)),
        channel: View::Luma,
        transform: convolution.name,
        algorithm: None,
        parameters: Parameters::default(),
        cut,
        device: device.clone(),
        precision: None,
        prefer_plan: true,
    };
    let fitted = fitted_within(plan, &job, |_, _| (convolution.bound)(n, bounds))?;
    let blank = Outcome {
        plan: None,
        schedule: None,
        algorithm: "convolution theorem",
        reason: why_here.into(),
        candidates: Vec::new(),
        device: place.name(),
        software_gpu: false,
        precision: Precision::Single,
        packed: false,
        shape: Shape::line(n),
        axes: Axes::Rows,
        contents: Contents::Values,
        times: Times::default(),
        again: Vec::new(),
        error: None,
        copy_micros: None,
        comparisons: Vec::new(),
        complete: false,
        values: None,
    };
    Ok(Ready::of(job, Work::Plan(fitted), place, blank))
}

/// The samples of all signals, one behind the other, in a type that keeps each of them.
fn joined(signals: &[&Signal]) -> Result<Samples, EngineError> {
    let whole: Option<Vec<Vec<i64>>> = signals.iter().map(|signal| signal.whole_plane(View::Luma)).collect::<Result<_, _>>()?;
    if let Some(integers) = whole {
        return Ok(Samples::I64(integers.concat()));
    }
    let is_complex = signals.iter().any(|signal| signal.is_complex());
    let is_double = signals.iter().any(|signal| signal.is_double());
    macro_rules! concat {
        ($kind:ident, $plane:ident) => {
            Samples::$kind(signals.iter().map(|signal| signal.$plane(View::Luma)).collect::<Result<Vec<_>, _>>()?.concat())
        };
    }
    Ok(match (is_complex, is_double) {
        (true, true) => concat!(Complex64, complex64_plane),
        (true, false) => concat!(Complex32, complex_plane),
        (false, true) => concat!(F64, plane64),
        (false, false) => concat!(F32, plane),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::{Channel, Kind};

    #[test]
    fn several_rows_are_refused_in_one_line() {
        let rows = Signal::from_channels("rows", Kind::Lines, (2, 4), vec![Channel::new("value", Samples::I64(vec![1; 8]))]);
        let error = convolve(&crate::transforms::convolution::DYADIC, &rows, None, &DeviceChoice::Cpu, &AtomicBool::new(false));
        let text = error.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(text.contains("rows") && text.contains("2 × 4") && !text.contains('\n'), "{text}");
    }
}

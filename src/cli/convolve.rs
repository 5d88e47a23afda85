//! `papillon convolve` and `papillon autocorrelate`: dyadic or cyclic, from files of samples to a file of values.

use super::arguments::ConvolutionArguments;
use super::progress::Progress;
use super::{Failure, check_memory, load, output, say};
use crate::engine::convolve;
use crate::signal::{Channel, Samples, Signal};
use crate::transforms::Shape;
use crate::transforms::convolution::{CYCLIC, DYADIC};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Convolves two files, or one with itself.
pub(super) fn run(first: &Path, second: Option<&Path>, arguments: &ConvolutionArguments) -> Result<(), Failure> {
    let format = output::values_format(&arguments.output.output, arguments.output.format)?;
    output::check(&arguments.output.output)?;
    let first = load(first)?;
    let second = second.map(load).transpose()?;
    check_memory(Shape { rows: 2 * first.rows, columns: first.columns })?;
    let convolution = if arguments.cyclic { &CYCLIC } else { &DYADIC };
    let cancel = AtomicBool::new(false);
    let computed = {
        let _progress = Progress::start(format!("convolving {}", first.name));
        convolve(convolution, &first, second.as_ref(), &arguments.device, &cancel)?
    };
    let outcome = &computed.outcome;
    let reason = if outcome.reason.is_empty() { String::new() } else { format!(": {}", outcome.reason) };
    say(&format!("{} of {} values on {}{reason}", convolution.name, outcome.shape.columns, outcome.device));
    let is_real = !first.is_complex() && second.as_ref().is_none_or(|second| !second.is_complex());
    let samples = match computed.into_samples(&cancel)? {
        // What the Fourier transform leaves of imaginary parts is rounding.
        Samples::Complex32(values) if is_real => Samples::F32(values.into_iter().map(|value| value.re).collect()),
        Samples::Complex64(values) if is_real => Samples::F64(values.into_iter().map(|value| value.re).collect()),
        samples => samples,
    };
    let result = Signal::from_channels(first.name, first.kind, (1, samples.len()), vec![Channel::new("value", samples)]);
    let result = super::real::fitted(result, format)?;
    output::values(&arguments.output.output, format, &result)
}

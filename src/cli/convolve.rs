//! `papillon convolve` and `papillon autocorrelate`: dyadic or cyclic, from files of samples to a file of values.

use super::arguments::ConvolutionArguments;
use super::progress::Progress;
use super::{Failure, check_memory, load, output, say};
use crate::bench::quartiles;
use crate::engine::{Computed, EngineError, convolve};
use crate::signal::{Channel, Samples, Signal};
use crate::transforms::Shape;
use crate::transforms::convolution::{CYCLIC, DYADIC};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Where the time went: of the kernels that of one run, or of many in a row where that was asked for.
fn times(computed: &Computed, repeat: Option<usize>, cancel: &AtomicBool) -> Result<String, Failure> {
    let times = &computed.outcome.times;
    let (kernel, runs) = match (&computed.prepared, repeat) {
        (Some(prepared), Some(repeat)) => {
            let runs = prepared.bench(repeat, cancel).map_err(EngineError::from)?;
            let micros: Vec<f64> = runs.iter().filter_map(|run| run.gpu_micros).collect();
            let median = quartiles(&micros).map_or(times.kernel_micros(), |[_, median, _]| median);
            (median, format!(", the median of {} runs", micros.len().max(1)))
        }
        _ => (times.kernel_micros(), String::new()),
    };
    let n = times.launch_micros.len();
    let launches = if n == 1 { "1 launch".into() } else { format!("{n} launches") };
    Ok(format!("kernels {kernel:.1} µs in {launches}{runs}; upload {:.1} µs", times.upload_micros))
}

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
    say(&times(&computed, arguments.repeat.map(NonZeroUsize::get), &cancel)?);
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

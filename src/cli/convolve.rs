//! `papillon convolve` and `papillon autocorrelate`: dyadic or cyclic, from files of samples to a file of values.

use super::arguments::{ValuesOutput, from_one};
use super::exact::ExactArguments;
use super::parameters::PrecisionArguments;
use super::progress::Progress;
use super::table::{ChannelArguments, TableArguments};
use super::transform::say_losses;
use super::{Failure, check_memory, output, say};
use crate::engine::{Computed, Cut, DeviceChoice, EngineError, Job, compute_to_memory};
use crate::numerals::counted_as;
use crate::signal::{Channel, Signal};
use crate::statistics::median;
use crate::transforms::{Parameters, Shape, transform as transform_named};
use clap::Args;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Convolves two signals row by row: dyadic, z[t] = Σ f[x]·g[x XOR t], of rows of 2^n values, or cyclic, z[t] = Σ f[x]·g[(t − x) mod N], of any length.
#[derive(Debug, Args)]
pub(super) struct ConvolveArguments {
    /// A file of samples, as for `transform`.
    #[arg(value_name = "F")]
    first: PathBuf,
    /// Another one of the same size, or one row that every row of the first is convolved with.
    #[arg(value_name = "G")]
    second: PathBuf,
    #[command(flatten)]
    exact: ExactArguments,
    #[command(flatten)]
    convolution: ConvolutionArguments,
}

/// Correlates every row with itself: dyadic, Σ f[x]·f[x XOR t], of 2^n values, or cyclic, Σ f[(x + t) mod N]·f[x], of any length.
#[derive(Debug, Args)]
pub(super) struct AutocorrelateArguments {
    /// A file of samples, as for `transform`.
    #[arg(value_name = "F")]
    input: PathBuf,
    #[command(flatten)]
    convolution: ConvolutionArguments,
}

/// How signals are convolved.
#[derive(Debug, Args)]
struct ConvolutionArguments {
    /// Dyadic convolution, by the Walsh transform; this is the default.
    #[arg(long, conflicts_with = "cyclic")]
    dyadic: bool,
    /// Cyclic convolution, by the Fourier transform.
    #[arg(long)]
    cyclic: bool,
    /// Repeats the kernels on the GPU this many times after the result, and prints the median time.
    #[arg(long, value_name = "RUNS", value_parser = from_one, allow_negative_numbers = true)]
    repeat: Option<NonZeroUsize>,
    /// auto (the CPU or a hardware GPU, whichever is estimated to be done sooner), gpu, cpu, cpu-parallel, cpu-local, cpu-strided, or an adapter's index or name in `papillon devices`.
    #[arg(short, long, default_value = "auto")]
    device: DeviceChoice,
    #[command(flatten)]
    channel: ChannelArguments,
    #[command(flatten)]
    table: TableArguments,
    #[command(flatten)]
    numbers: PrecisionArguments,
    #[command(flatten)]
    output: ValuesOutput,
}

pub(super) fn run(arguments: &ConvolveArguments) -> Result<(), Failure> {
    if arguments.exact.is_asked() {
        let ConvolutionArguments { cyclic, table, channel, output: to, device, repeat, numbers, .. } = &arguments.convolution;
        if *device != DeviceChoice::Auto || repeat.is_some() || numbers.precision.is_some() {
            return Err(Failure::Call(
                "an exact convolution (--exact, --modulus, --preset, --signed) runs on all cores without rounding: leave --device, --repeat and --precision out".into(),
            ));
        }
        let files = [&*arguments.first, &*arguments.second];
        return arguments.exact.run(files, *cyclic, (table, channel), (to, output::values_format(to, false)?));
    }
    convolve(&arguments.first, Some(&arguments.second), &arguments.convolution)
}

pub(super) fn run_autocorrelation(arguments: &AutocorrelateArguments) -> Result<(), Failure> {
    convolve(&arguments.input, None, &arguments.convolution)
}

/// The times in words; kernel time of one run, or the median of `repeat` consecutive runs.
fn times(computed: &Computed, repeat: Option<usize>, cancel: &AtomicBool) -> Result<String, Failure> {
    let times = &computed.outcome.times;
    let (kernel, runs) = match (&computed.prepared, repeat) {
        (Some(prepared), Some(repeat)) => {
            let runs = prepared.bench(repeat, cancel).map_err(EngineError::from)?;
            let micros: Vec<f64> = runs.iter().filter_map(|run| run.gpu_micros).collect();
            let n = micros.len().max(1);
            let median = median(micros).unwrap_or(times.kernel_micros());
            (median, format!(", the median of {n} runs"))
        }
        (None, Some(_)) => (times.kernel_micros(), ", once, as --repeat is for a GPU".into()),
        (_, None) => (times.kernel_micros(), String::new()),
    };
    let n = times.launch_micros.len();
    let launches = counted_as(n, "launch", "launches");
    Ok(format!("kernels {kernel:.1} µs in {launches}{runs}; upload {:.1} µs", times.upload_micros))
}

/// Convolves two files, or correlates one with itself.
fn convolve(first: &Path, second: Option<&Path>, arguments: &ConvolutionArguments) -> Result<(), Failure> {
    let format = output::values_format(&arguments.output, false)?;
    let mut devices = super::devices::here().opening(&arguments.device);
    let signal = Arc::new(arguments.table.load(first)?);
    let channel = arguments.channel.of(&signal)?;
    let second = second.map(|path| arguments.table.load(path)).transpose()?.map(Arc::new);
    check_memory(Shape { rows: 2 * signal.rows, columns: signal.columns })?;
    let is_complex = signal.is_complex_in(channel) || second.as_ref().is_some_and(|second| second.is_complex());
    let shape = Shape { rows: signal.rows, columns: signal.columns };
    output::check_holds(&arguments.output, format, signal.kind, is_complex, shape, &["value"])?;
    let transform = match (arguments.cyclic, &second) {
        (false, Some(_)) => "dyadic-convolution",
        (false, None) => "dyadic-autocorrelation",
        (true, Some(_)) => "cyclic-convolution",
        (true, None) => "cyclic-autocorrelation",
    };
    let job = Job {
        signal,
        second,
        channel,
        transform,
        algorithm: None,
        parameters: Parameters::default(),
        cut: Cut::default(),
        device: arguments.device.clone(),
        precision: arguments.numbers.precision,
        prefer_plan: true,
        preparation: Default::default(),
    };
    let cancel = super::cancel();
    let computed = {
        let _progress = Progress::start(format!("convolving {}", job.signal.name));
        compute_to_memory(&job, &mut devices, cancel)?
    };
    super::transform::say_how(transform_named(transform)?, &computed.outcome);
    say(&times(&computed, arguments.repeat.map(NonZeroUsize::get), cancel)?);
    let outcome = computed.outcome.clone();
    let samples = computed.into_samples(cancel)?;
    let inputs: Vec<&Signal> = std::iter::once(&*job.signal).chain(job.second.as_deref()).collect();
    say_losses(&outcome.losses_of(&inputs, &samples));
    let Signal { name, kind, rows, columns, .. } = Arc::unwrap_or_clone(job.signal);
    let result = Signal::from_channels(name, kind, (rows, columns), vec![Channel::new("value", samples)]);
    let result = super::real::fitted(result, format)?;
    output::values(&arguments.output, format, result)
}

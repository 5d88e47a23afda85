//! `papillon bench`: runs sweeps over transforms, algorithms, devices and sizes, and shows records of earlier sweeps.

mod changes;
mod moves;
mod plot;
mod signals;
mod tables;

use super::arguments::{Size, Sizes, cut, from_one, from_zero, one_of, threads_of_cpu};
use super::choices::Choices;
use super::cutting::{EveryCut, check_steps};
use super::parameters::{EveryParameter, PrecisionArguments, check_lines};
use super::{Failure, check_memory_of, output, say};
use crate::bench::{self, BufferTime, CacheState, PlotQuantity, Record, RecordError, Sweep, SweepEnd, SweepLine, SweepSettings, TimedPart};
use crate::engine::{Cut, DeviceChoice};
use crate::figure::FigureFormat;
use crate::gpu::{Clock, Uploads};
use crate::remedy::ending_list;
use crate::transforms::{Algorithm, Axes, Shape, Transform, transform};
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Times transforms on devices, and checks every result against double precision.
///
/// Kernel times come from consecutive runs on buffers that are not in the caches; uploads, downloads and total times are listed separately.
/// The cases are measured in rounds, each in another order. An interruption (Ctrl+C) keeps the measurements so far.
#[derive(Debug, Args)]
pub(super) struct BenchArguments {
    /// Transforms, separated by commas.
    #[arg(short, long, default_value = "dft", value_delimiter = ',', value_name = "NAME")]
    transform: Vec<String>,
    /// Algorithms, separated by commas; without this the fastest on each device.
    #[arg(short, long, value_delimiter = ',', value_name = "NAME")]
    algorithm: Vec<String>,
    /// Sizes, separated by commas: 1000, 10^6, 3*2^10, 2^10..2^20 (doubled from one to the next), 303x384; one number means a square if the transform takes images [default: 2^10..2^18, or 64x64..1024x1024].
    #[arg(long, value_delimiter = ',', value_name = "SIZES", allow_negative_numbers = true)]
    sizes: Vec<Sizes>,
    /// Rows of a batch, for transforms of rows [default: 1].
    #[arg(long, value_name = "ROWS", value_parser = from_zero::<usize>, allow_negative_numbers = true)]
    rows: Option<usize>,
    /// Devices, separated by commas: auto, gpu, cpu, cpu-parallel, cpu-local, cpu-strided, or an adapter's index or name in `papillon devices`; without this the GPU and the CPU.
    #[arg(short, long, default_value = "auto,cpu-parallel", value_delimiter = ',', value_name = "DEVICE")]
    device: Vec<DeviceChoice>,
    /// Threads of the CPU for the device cpu-parallel, separated by commas: a line for each number; without this all.
    #[arg(long, value_delimiter = ',', value_name = "N", value_parser = threads_of_cpu, allow_negative_numbers = true)]
    cpu_threads: Vec<NonZeroUsize>,
    /// How plans are cut into launches: tiles, tiles:LANES, stages, split-merge or overlapped [default: tiles].
    #[arg(long, value_parser = cut, value_name = "SCHEDULE")]
    schedule: Option<Cut>,
    #[command(flatten)]
    cutting: Choices<EveryCut>,
    #[command(flatten)]
    parameters: Choices<EveryParameter>,
    #[command(flatten)]
    numbers: PrecisionArguments,
    /// Counted runs of every case, after two warm-up runs [default: 9].
    #[arg(long, value_name = "RUNS", value_parser = from_one, allow_negative_numbers = true)]
    repeat: Option<NonZeroUsize>,
    /// Time budget in seconds; each case takes its share, with as many runs as fit.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    budget: Option<f64>,
    /// State of the caches before a run.
    #[arg(long, default_value = "cold", value_parser = one_of::<CacheState>(), ignore_case = true)]
    caches: CacheState,
    /// Buffers to which samples are uploaded: once to the one that the first launch reads, or to both between which launches alternate [default: once].
    #[arg(long, value_parser = one_of::<Uploads>(), ignore_case = true)]
    uploads: Option<Uploads>,
    /// When buffers are made: once before the runs, or in each run, where that counts as memory time [default: once, or as the paper does].
    #[arg(long, value_parser = one_of::<BufferTime>(), ignore_case = true)]
    buffers: Option<BufferTime>,
    /// The clock that measures launches.
    #[arg(long, default_value = "device", value_parser = one_of::<Clock>(), ignore_case = true)]
    clock: Clock,
    /// Seed for the order of the cases.
    #[arg(long, default_value_t = SweepSettings::default().seed, value_parser = from_zero::<u64>, allow_negative_numbers = true)]
    seed: u64,
    /// Shows a record that was written with -o, and measures nothing.
    #[arg(long, value_name = "RECORD", conflicts_with_all = ["algorithm", "sizes", "budget", "repeat"])]
    record: Option<PathBuf>,
    /// Lays another record over the plot.
    #[arg(long, value_name = "RECORD")]
    compare: Option<PathBuf>,
    /// Adds the lines of another record to tables and plots, such as those that benches/cufft.py and benches/libraries.py write with --record; may be given several times.
    #[arg(long, value_name = "RECORD")]
    with: Vec<PathBuf>,
    /// Repeats a figure or a table of a paper, in its rows and columns, and tests its claims; --sizes and --budget make it smaller.
    /// The schedule, its parameters, those of transforms, --precision, --rows, --uploads, --buffers and --cpu-threads replace values of the paper where a line has them; tables, plots and records say so.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["transform", "algorithm", "device", "record"])]
    experiment: Option<String>,
    /// Lists the figures and tables that --experiment repeats.
    #[arg(long)]
    experiments: bool,
    /// Times how fast a filtered image follows the mouse, for images of these --sizes [default: 512,1024,2048,4096] on each device.
    #[arg(long, conflicts_with_all = ["transform", "algorithm", "record", "experiment", "budget", "plot", "table", "output"])]
    moves: bool,
    /// Times spectrograms of recordings from the file to the picture, and how many samples of a stream are measured in a second, beside the times that should be reached and, where python3 has it, SciPy's.
    #[arg(long, conflicts_with_all = ["experiments", "moves", "record"])]
    signals: bool,
    /// Length of these recordings in percent of the usual ones, of which the longest has an hour [default: 100].
    #[arg(long, value_name = "PERCENT", value_parser = percent, allow_negative_numbers = true)]
    share: Option<f64>,
    /// Writes these times as JSON.
    #[arg(long)]
    json: bool,
    #[arg(long, value_name = "PLOT", help = format!("Writes a plot to a file that ends in {}", ending_list(&FigureFormat::endings())))]
    plot: Option<PathBuf>,
    #[arg(long, value_name = "TABLE", help = format!("Writes the table of the paper, filled, to a file that ends in {}", ending_list(&tables::endings())))]
    table: Option<PathBuf>,
    /// Plotted quantity: time, speed-up, flops, bandwidth, floor (time relative to a plain copy), transfers or error [default: time, or that of the figure of the paper].
    #[arg(long, value_parser = one_of::<PlotQuantity>(), ignore_case = true, value_name = "QUANTITY")]
    quantity: Option<PlotQuantity>,
    /// Plotted time: kernels or total (with transfers).
    #[arg(long, default_value = "kernels", value_parser = one_of::<TimedPart>(), ignore_case = true)]
    part: TimedPart,
    /// The line that speed-ups are relative to, from 1 in the order of the legend.
    #[arg(long, value_name = "LINE", value_parser = from_one, allow_negative_numbers = true)]
    against: Option<NonZeroUsize>,
    /// Writes the record, raw samples included, to a file that ends in .csv or .json, or as CSV to standard output for -; of an experiment, the other endings of --table take the table of the paper.
    #[arg(short, long, value_name = "OUTPUT")]
    output: Option<PathBuf>,
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| seconds.is_finite() && *seconds > 0.0);
    seconds.ok_or_else(|| format!("'{text}' is no time: take a number of seconds above 0"))
}

fn percent(text: &str) -> Result<f64, String> {
    let percent = text.parse().ok().filter(|percent: &f64| *percent > 0.0 && *percent <= 100.0);
    percent.ok_or_else(|| format!("'{text}' is no percentage: take a number above 0, at most 100"))
}

pub(super) fn run(arguments: &BenchArguments) -> Result<(), Failure> {
    if arguments.experiments {
        return output::print(&plot::experiments());
    }
    if arguments.moves {
        return moves::run(arguments);
    }
    if arguments.signals {
        return signals::run(arguments);
    }
    let target = arguments.plot.as_deref().map(plot::Target::of).transpose()?;
    let other = arguments.compare.as_deref().map(Record::load).transpose()?;
    let with: Vec<Record> = arguments.with.iter().map(|path| Record::load(path)).collect::<Result<_, _>>()?;
    let record_path = arguments.output.as_deref().filter(|path| !tables::is_table(path));
    if let Some(path) = record_path.filter(|path| !output::is_standard(path)) {
        Record::check_ending(path)?;
        output::check(path)?;
    }
    let table_paths = tables::paths(arguments)?;
    let mut record = match &arguments.record {
        Some(path) => Record::load(path)?,
        None => {
            let sweep = sweep(arguments)?;
            plot::check_against(&sweep, arguments)?;
            measured(&sweep)?
        }
    };
    // If all cases fail for the same reason, it is printed once.
    if let (true, [first, rest @ ..]) = (record.measurements.is_empty(), &record.failures[..])
        && rest.iter().all(|other| other.reason == first.reason)
    {
        return Err(Failure::Work(first.reason.clone()));
    }
    record = with.into_iter().fold(record, Record::with);
    show(&record, record_path)?;
    table_paths.iter().try_for_each(|path| tables::write(&record, path))?;
    if let Some(target) = target {
        target.write(&record, other.as_ref(), arguments)?;
    }
    let n_wrong = record.measurements.iter().filter(|measurement| !measurement.is_right()).count();
    match (n_wrong, record.failures.as_slice()) {
        (0, []) if arguments.record.is_none() && record.end == SweepEnd::Cancelled => Err(Failure::Interrupted),
        (0, []) => Ok(()),
        // The table of a paper names what this machine cannot do.
        (0, _) if record.sweep.experiment.is_some() => Ok(()),
        (0, failures) => {
            Err(Failure::Work(format!("{} of {} cases could not be measured", failures.len(), failures.len() + record.measurements.len())))
        }
        (n, _) => Err(Failure::Work(format!("{n} of {} results are wrong", record.measurements.len()))),
    }
}

/// Prints the table and saves the record.
fn show(record: &Record, path: Option<&Path>) -> Result<(), Failure> {
    for line in bench::legend(record).into_iter().chain(bench::paper_notes(record)).chain(bench::warnings(record)) {
        say(&line);
    }
    match path {
        Some(path) if output::is_standard(path) => output::print(&record.to_csv()),
        path => {
            // The table of a paper names what was left out, also where that is all of it.
            output::print(&tables::text(record))?;
            if !record.measurements.is_empty() {
                output::print(&bench::table(record))?;
            }
            path.map_or(Ok(()), |path| Ok(record.save(path)?))
        }
    }
}

/// Runs a sweep; an interruption ends it and keeps its measurements.
fn measured(sweep: &Sweep) -> Result<Record, Failure> {
    super::say_at_once();
    let mut devices = super::devices::here();
    let machine = bench::Machine::here();
    say(&machine.summary());
    say(&format!(
        "medians of {}{} runs in rounds, ± half the interval that holds 95 of 100 resampled medians; GB/s: what has to be read and written, once; Gflop/s: 5·N·log2 N for Fourier transforms, else the operations of the plan; × floor: the time over that of a plain copy of these bytes; copies: what the launches move, in such copies, where a lone value counts 64 or 128 bytes; × copies: the time over that of plain copies, each of what a launch moves, so that 1 is as fast as the launches' own traffic allows; error: relative, against double precision, and the bound of a right result, 3e-7·log2(N)/10 for Fourier transforms in single precision, else what the roundings of its sums add up to",
        if sweep.settings.budget_secs.is_some() { "at most " } else { "" },
        sweep.settings.repeat
    ));
    let cancel = Arc::new(AtomicBool::new(false));
    super::interrupt(&cancel);
    let bar = progress_bar();
    let mut watch = |_: &Record, progress: &bench::SweepProgress| {
        bar.set_length(progress.n_all as u64);
        bar.set_position(progress.n_done as u64);
        bar.set_message(progress.label.clone());
    };
    let record = bench::run(sweep, &mut devices, &mut watch, &cancel);
    bar.finish_and_clear();
    if record.end == SweepEnd::Cancelled && record.measurements.is_empty() {
        say("cancelled before anything was measured");
        return Err(Failure::Interrupted);
    }
    debug_assert!(record.end != SweepEnd::Cancelled || cancel.load(Ordering::Relaxed));
    Ok(record)
}

/// The progress bar of the sweep on a terminal.
fn progress_bar() -> ProgressBar {
    let target = if std::io::stderr().is_terminal() { ProgressDrawTarget::stderr_with_hz(4) } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template("papillon: {bar:24} {pos} of {len}, {elapsed}, {eta} left, {wide_msg}");
    ProgressBar::with_draw_target(None, target).with_style(style.expect("the template is well-formed"))
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Self {
        match error {
            RecordError::File(error) => error.into(),
            RecordError::Ending { .. } => Self::Call(error.to_string()),
            RecordError::Content { .. } => Self::Work(error.to_string()),
        }
    }
}

/// Every combination that was asked for, checked before the first one runs.
fn sweep(arguments: &BenchArguments) -> Result<Sweep, Failure> {
    if let Some(name) = &arguments.experiment {
        return plot::experiment(name, arguments, settings(arguments));
    }
    let mut lines = Vec::new();
    let asked = algorithms(arguments)?;
    let cuts = arguments.cutting.among(arguments.schedule, &asked)?;
    let rows = arguments.rows.unwrap_or(1);
    for &(transform, _) in &asked {
        let algorithms: Vec<_> = asked.iter().filter(|(other, _)| other.name == transform.name).map(|(_, algorithm)| *algorithm).collect();
        let longest = shapes(transform, &arguments.sizes, rows)?.into_iter().max_by_key(|shape| shape.columns);
        arguments.parameters.check_tile(transform, &algorithms, longest.unwrap_or(Shape::line(1)))?;
    }
    for ((transform, algorithm), cut) in asked.into_iter().zip(cuts) {
        let (shapes, parameters) = (shapes(transform, &arguments.sizes, rows)?, arguments.parameters.of(transform)?);
        let algorithm = algorithm.map(|algorithm| algorithm.name);
        shapes.iter().try_for_each(|&shape| check_memory_of(transform, algorithm, shape))?;
        shapes.iter().try_for_each(|&shape| check_lines(shape, parameters))?;
        shapes.iter().try_for_each(|shape| check_steps(cut, transform, shape.columns))?;
        for (device, cpu_threads) in places(arguments)? {
            let line = SweepLine::new(transform.name, device, shapes.clone());
            let algorithm = algorithm.map(Into::into);
            let (precision, uploads) = (arguments.numbers.precision, arguments.uploads.unwrap_or_default());
            let line = SweepLine { algorithm, parameters, cut, precision, uploads, cpu_threads, ..line };
            line.check()?;
            lines.push(line);
        }
    }
    Ok(Sweep { name: arguments.transform.join(", "), experiment: None, differences: Vec::new(), lines, settings: settings(arguments) })
}

/// Every device, the CPU with each number of threads.
fn places(arguments: &BenchArguments) -> Result<Vec<(DeviceChoice, Option<usize>)>, Failure> {
    let numbers: Vec<Option<usize>> = match &arguments.cpu_threads[..] {
        [] => vec![None],
        numbers if arguments.device.contains(&DeviceChoice::CpuParallel) => numbers.iter().map(|n| Some(n.get())).collect(),
        _ => return Err(Failure::Call("--cpu-threads is for -d cpu-parallel: ask for that, too, or leave it out".into())),
    };
    let of = |device: &DeviceChoice| if *device == DeviceChoice::CpuParallel { numbers.clone() } else { vec![None] };
    Ok(arguments.device.iter().flat_map(|device| of(device).into_iter().map(|n| (device.clone(), n))).collect())
}

/// Every transform with every algorithm, or with `None` for the fastest.
fn algorithms(arguments: &BenchArguments) -> Result<Vec<(&'static Transform, Option<&'static Algorithm>)>, Failure> {
    let mut all = Vec::new();
    for name in &arguments.transform {
        let transform = transform(name)?;
        if arguments.algorithm.is_empty() {
            all.push((transform, None));
        }
        for name in &arguments.algorithm {
            all.push((transform, Some(transform.algorithm(name)?)));
        }
    }
    Ok(all)
}

/// The settings of the sweep.
fn settings(arguments: &BenchArguments) -> SweepSettings {
    let default = if arguments.budget.is_some() { MOST_IN_BUDGET } else { SweepSettings::default().repeat };
    SweepSettings {
        repeat: arguments.repeat.map_or(default, NonZeroUsize::get),
        budget_secs: arguments.budget,
        caches: arguments.caches,
        buffers: arguments.buffers.unwrap_or_default(),
        clock: arguments.clock,
        seed: arguments.seed,
        ..SweepSettings::default()
    }
}

/// Largest number of runs of a case under a time budget.
const MOST_IN_BUDGET: usize = 300;

/// The shapes that `sizes` and `rows` mean for a transform; a default range if no sizes are given.
pub(super) fn shapes(transform: &Transform, sizes: &[Sizes], rows: usize) -> Result<Vec<Shape>, Failure> {
    let default: Sizes = match transform.axes {
        Axes::Rows | Axes::Columns => "2^10..2^18".parse(),
        Axes::Both => "64x64..1024x1024".parse(),
    }
    .map_err(Failure::Call)?;
    let sizes = if sizes.is_empty() { &[default][..] } else { sizes };
    let shape = |size: Size| match (transform.axes, size.rows) {
        (Axes::Rows, None) => Shape { rows, columns: size.columns },
        _ => size.shape(transform.axes),
    };
    if rows == 0 {
        return Err(Failure::Call("--rows 0 leaves nothing to transform: take 1 or more".into()));
    }
    if rows > 1 && transform.axes == Axes::Both {
        return Err(Failure::Call(format!("--rows is for transforms of rows; give {} its sizes as ROWSxCOLUMNS", transform.name)));
    }
    Ok(sizes.iter().flat_map(|sizes| sizes.each()).map(shape).collect())
}

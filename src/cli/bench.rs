//! `papillon bench`: sweeps over transforms, algorithms, devices and sizes; and records of sweeps, looked at again.

mod plot;

use super::arguments::{BenchArguments, Size, Sizes};
use super::parameters::check_lines;
use super::{Failure, check_memory_of, output, say};
use crate::bench::{self, End, Line, Record, RecordError, Settings, Sweep};
use crate::transforms::{Algorithm, Axes, Shape, Transform, transform};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub(super) fn run(arguments: &BenchArguments) -> Result<(), Failure> {
    if arguments.experiments {
        return output::print(&plot::experiments());
    }
    let target = arguments.plot.as_deref().map(plot::Target::of).transpose()?;
    let other = arguments.compare.as_deref().map(Record::load).transpose()?;
    if let Some(path) = arguments.output.as_deref().filter(|path| !output::is_standard(path)) {
        Record::check_ending(path)?;
        output::check(path)?;
    }
    let record = match &arguments.record {
        Some(path) => Record::load(path)?,
        None => measured(&sweep(arguments)?)?,
    };
    // What stops every case is said once.
    if let (true, [first, rest @ ..]) = (record.measurements.is_empty(), &record.failures[..])
        && rest.iter().all(|other| other.reason == first.reason)
    {
        return Err(Failure::Work(first.reason.clone()));
    }
    show(&record, arguments.output.as_deref())?;
    if let Some(target) = target {
        target.write(&record, other.as_ref(), arguments)?;
    }
    let n_wrong = record.measurements.iter().filter(|measurement| !measurement.is_right()).count();
    match (n_wrong, record.failures.as_slice()) {
        (0, []) => Ok(()),
        (0, failures) => {
            Err(Failure::Work(format!("{} of {} cases could not be measured", failures.len(), failures.len() + record.measurements.len())))
        }
        (n, _) => Err(Failure::Work(format!("{n} of {} results are wrong", record.measurements.len()))),
    }
}

/// The table on the terminal, and the record where it is wanted.
fn show(record: &Record, path: Option<&Path>) -> Result<(), Failure> {
    for line in bench::legend(record).into_iter().chain(bench::beside(record)).chain(bench::remarks(record)) {
        say(&line);
    }
    match path {
        Some(path) if output::is_standard(path) => output::print(&record.to_csv()),
        path => {
            if !record.measurements.is_empty() {
                output::print(&bench::table(record))?;
            }
            path.map_or(Ok(()), |path| Ok(record.save(path)?))
        }
    }
}

/// Runs a sweep; an interruption ends it and keeps what there is.
fn measured(sweep: &Sweep) -> Result<Record, Failure> {
    let mut devices = super::devices::here();
    let machine = bench::Machine::here();
    say(&machine.summary());
    say(&format!(
        "medians of {} runs in rounds, ± half the interval that holds 95 of 100 resampled medians; GB/s: what has to be read and written, once; Gflop/s: 5·N·log2 N for Fourier transforms, else the operations of the plan; × floor: beside a plain copy; error: relative, against double precision, and the bound of a right result, 3e-7·log2(N)/10 for Fourier transforms in single precision, else what the roundings of its sums add up to",
        sweep.settings.repeat
    ));
    let cancel = Arc::new(AtomicBool::new(false));
    super::interrupt(&cancel);
    let bar = progress_bar();
    let mut watch = |_: &Record, progress: &bench::Progress| {
        bar.set_length(progress.n_all as u64);
        bar.set_position(progress.n_done as u64);
        bar.set_message(progress.label.clone());
    };
    let record = bench::run(sweep, &mut devices, &mut watch, &cancel);
    bar.finish_and_clear();
    if record.end == End::Cancelled && record.measurements.is_empty() {
        return Err(Failure::Work("cancelled before anything was measured".into()));
    }
    debug_assert!(record.end != End::Cancelled || cancel.load(Ordering::Relaxed));
    Ok(record)
}

/// How far the sweep is, on a terminal.
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
    for ((transform, algorithm), cut) in asked.into_iter().zip(cuts) {
        let (shapes, parameters) = (shapes(transform, &arguments.sizes, arguments.rows)?, arguments.parameters.of(transform)?);
        let algorithm = algorithm.map(|algorithm| algorithm.name);
        shapes.iter().try_for_each(|&shape| check_memory_of(transform, algorithm, shape))?;
        shapes.iter().try_for_each(|&shape| check_lines(shape, parameters))?;
        for device in &arguments.device {
            let line = Line::new(transform.name, device.clone(), shapes.clone());
            let algorithm = algorithm.map(Into::into);
            let line = Line { algorithm, parameters, cut, precision: arguments.numbers.precision, ..line };
            line.check()?;
            lines.push(line);
        }
    }
    Ok(Sweep { name: arguments.transform.join(", "), experiment: None, lines, settings: settings(arguments) })
}

/// Every transform with every algorithm, or with none where the fastest is taken.
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

/// How it is measured.
fn settings(arguments: &BenchArguments) -> Settings {
    let default = if arguments.budget.is_some() { MOST_IN_BUDGET } else { Settings::default().repeat };
    Settings {
        repeat: arguments.repeat.map_or(default, std::num::NonZeroUsize::get),
        budget_secs: arguments.budget,
        caches: arguments.caches,
        clock: arguments.clock,
        seed: arguments.seed,
        ..Settings::default()
    }
}

/// Runs of a case that a budget of time is spent on at most.
const MOST_IN_BUDGET: usize = 300;

/// The shapes that `sizes` and `rows` mean for a transform; some of every kind where no sizes are given.
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

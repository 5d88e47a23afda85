//! `papillon bench`: sweeps over transforms, algorithms, devices and sizes.

use super::arguments::{BenchArguments, Size, Sizes};
use super::progress::Progress;
use super::{Failure, check_memory_of, output, say};
use crate::bench::{self, Machine, Record, Settings, Task};
use crate::engine::{DeviceChoice, Devices};
use crate::transforms::{Axes, Shape, Transform, transform};
use std::path::Path;
use std::sync::atomic::AtomicBool;

pub(super) fn run(arguments: &BenchArguments) -> Result<(), Failure> {
    if arguments.paper.is_some() {
        return super::paper::run(arguments);
    }
    let write = arguments.output.as_deref().map(writer).transpose()?;
    let mut devices = super::devices::here();
    let mut tasks = tasks(arguments)?;
    leave_out_repeated(&mut tasks, &mut devices);
    // One cut for all, so the parameters of a cut belong to the only algorithm.
    let only = match (&arguments.transform[..], &arguments.algorithm[..]) {
        ([transform_name], [name]) => Some(transform(transform_name)?.algorithm(name)?),
        _ => None,
    };
    let cut = arguments.cutting.of(arguments.schedule, only)?;
    let settings = Settings { repeat: arguments.repeat.get(), cut, precision: arguments.numbers.precision };
    let machine = Machine::here();
    say(&format!("{}, {} threads, {}; {}", machine.processor, machine.n_threads, machine.system, machine.version));
    say(&format!(
        "median of {} runs after a warm-up; GB/s: samples read once, result written once; Gflop/s: 5·N·log2 N, and 8·N of equations",
        settings.repeat
    ));
    if cfg!(debug_assertions) {
        say("this is a debug build, so the times on the CPU mean little: build with --release");
    }
    let mut records: Vec<Record> = Vec::new();
    for (index, task) in tasks.iter().enumerate() {
        let Shape { rows, columns } = task.shape;
        let _progress =
            Progress::start(format!("{} of {}: {} of {rows} × {columns} on {}", index + 1, tasks.len(), task.transform.name, task.device));
        records.push(bench::run(task, settings, &mut devices, &AtomicBool::new(false))?);
    }
    for line in bench::legend(&records) {
        say(&line);
    }
    match (&arguments.output, write) {
        (Some(path), Some(write)) => {
            if !output::is_standard(path) {
                output::print(&bench::table(&records))?;
            }
            let text = write(&machine, settings, &records);
            output::bytes(path, |out| out.write_all(text.as_bytes()))
        }
        _ => output::print(&bench::table(&records)),
    }
}

/// How records become text.
type Writer = fn(&Machine, Settings, &[Record]) -> String;

/// CSV or JSON, as the ending says.
fn writer(path: &Path) -> Result<Writer, Failure> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    match ending.as_deref() {
        Some("csv") => Ok(bench::csv),
        Some("json") => Ok(bench::json),
        _ if output::is_standard(path) => Ok(bench::csv),
        _ => Err(Failure::Call(format!("cannot write {}: times are written as .csv or .json", path.display()))),
    }
}

/// Every combination that was asked for, checked before the first one runs.
fn tasks(arguments: &BenchArguments) -> Result<Vec<Task>, Failure> {
    let mut tasks = Vec::new();
    for name in &arguments.transform {
        let transform = transform(name)?;
        let algorithms = match &arguments.algorithm[..] {
            [] => vec![None],
            names => names.iter().map(|name| Ok(Some(transform.algorithm(name)?.name))).collect::<Result<_, Failure>>()?,
        };
        for shape in shapes(transform, &arguments.sizes, arguments.rows)? {
            for &algorithm in &algorithms {
                check_memory_of(transform, algorithm, shape)?;
                tasks.extend(arguments.device.iter().map(|device| Task { transform, algorithm, device: device.clone(), shape }));
            }
        }
    }
    Ok(tasks)
}

/// Measures nothing twice: without a hardware GPU the automatic device is the CPU, which stands beside it.
fn leave_out_repeated(tasks: &mut Vec<Task>, devices: &mut Devices) {
    // A device that is not there says so when its turn comes.
    let mut name = |device: &DeviceChoice| devices.place(device).map_or_else(|_| device.to_string(), |(place, _)| place.name());
    let mut seen = Vec::new();
    tasks.retain(|task| {
        let what = (task.transform.name, task.algorithm, task.shape, name(&task.device));
        let is_new = !seen.contains(&what);
        seen.push(what);
        is_new
    });
}

/// The shapes that `sizes` and `rows` mean for a transform; some of every kind where no sizes are given.
pub(super) fn shapes(transform: &Transform, sizes: &[Sizes], rows: usize) -> Result<Vec<Shape>, Failure> {
    let default: Sizes = match transform.axes {
        Axes::Rows => "2^10..2^18".parse(),
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

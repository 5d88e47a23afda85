//! `papillon tune`: measures all algorithms and remembers the fastest.

use super::arguments::{Sizes, from_zero};
use super::parameters::PrecisionArguments;
use super::progress::Progress;
use super::{Failure, check_memory, output, say};
use crate::bench::{SweepData, SweepLine};
use crate::engine::{Cut, DeviceChoice, Measured, MeasuredEntry, Tuning};
use crate::plan::Precision;
use crate::transforms::{Axes, Input, Shape, Transform, transform};
use clap::Args;

/// Measures all algorithms on this device and remembers the winners, which later runs without -a take.
///
/// A winner holds for sizes between the same powers of two, on the same device in the same precision, with the same driver and version of this program.
#[derive(Debug, Args)]
pub(super) struct TuneArguments {
    /// Transforms, separated by commas.
    #[arg(short, long, default_value = "dft,dft2", value_delimiter = ',', value_name = "NAME")]
    transform: Vec<String>,
    /// Sizes as in `papillon bench`, separated by commas [default: 2^10..2^18, or 64x64..1024x1024].
    #[arg(long, value_delimiter = ',', value_name = "SIZES", allow_negative_numbers = true)]
    sizes: Vec<Sizes>,
    /// Rows of a batch, for transforms of rows.
    #[arg(long, default_value = "1", value_name = "ROWS", value_parser = from_zero::<usize>, allow_negative_numbers = true)]
    rows: usize,
    /// auto, gpu, cpu, cpu-parallel, cpu-local, cpu-strided, or an adapter's index or name in `papillon devices`.
    #[arg(short, long, default_value = "auto")]
    device: DeviceChoice,
    #[command(flatten)]
    numbers: PrecisionArguments,
    /// Forgets all measurements, on every device.
    #[arg(long, conflicts_with_all = ["transform", "sizes", "rows", "device", "precision"])]
    forget: bool,
}

pub(super) fn run(arguments: &TuneArguments) -> Result<(), Failure> {
    if arguments.forget {
        return forget();
    }
    let mut tasks: Vec<(&'static Transform, Shape)> = Vec::new();
    for name in &arguments.transform {
        let transform = transform(name)?;
        if transform.input == Input::Equations {
            let instead = "papillon bench -t tridiagonal -a cyclic-reduction,parallel-cyclic-reduction,thomas";
            return Err(Failure::Call(format!(
                "{name} takes equations, of which nothing is remembered: {instead} compares its algorithms"
            )));
        }
        let rows = if arguments.transform.len() > 1 && transform.axes == Axes::Both { 1 } else { arguments.rows };
        for shape in super::bench::shapes(transform, &arguments.sizes, rows)? {
            check_memory(shape)?;
            tasks.push((transform, shape));
        }
    }
    let mut devices = super::devices::here();
    for (transform, shape) in tasks {
        let line = SweepLine::new(transform.name, arguments.device.clone(), vec![shape]);
        let job = SweepLine { precision: arguments.numbers.precision, ..line }.job(shape, SweepData::Noise)?;
        let mut tuning = Tuning::new(&job, &mut devices)?;
        while tuning.next().is_some() {
            let _progress = Progress::start(format!("{} for {} of {}", tuning.label(), transform.name, size(shape)));
            tuning.step(&mut devices, super::cancel())?;
        }
        if let Some(entry) = tuning.finish() {
            output::print(&paragraph(&entry))?;
            devices.remember(entry)?;
        }
    }
    if let Some(path) = devices.measured().path() {
        say(&format!("remembered in {}; papillon tune --forget forgets it", path.display()));
    }
    Ok(())
}

fn forget() -> Result<(), Failure> {
    // An unreadable file is forgotten too, without a warning.
    let Some(path) = crate::ui::measured_path() else { return Ok(()) };
    let (mut measured, _) = Measured::load(path);
    let n = measured.entries().len();
    measured.forget()?;
    say(&match n {
        0 => "nothing was remembered".to_owned(),
        1 => "forgot one measured size".to_owned(),
        n => format!("forgot {n} measured sizes"),
    });
    Ok(())
}

/// The times at one size, the fastest first.
fn paragraph(entry: &MeasuredEntry) -> String {
    let precision = if entry.at.precision == Precision::Double { ", in double precision" } else { "" };
    let mut text = format!("{} of {} on {}{precision}\n", entry.transform, size(entry.shape), entry.at.device);
    let best = entry.times.iter().find_map(|time| time.micros).unwrap_or(f64::NAN);
    let width = entry.times.iter().map(|time| time.algorithm.len()).max().unwrap_or(0);
    for time in &entry.times {
        let cut = match time.cut {
            Cut::TilesOf(lanes) => format!("  tiles of at most {lanes} lanes"),
            Cut::Tiles
            | Cut::Stages
            | Cut::StagesOf(_)
            | Cut::StagesIn(_)
            | Cut::StagesBy(_)
            | Cut::Blocks(_)
            | Cut::SplitAndMerge(_)
            | Cut::Overlapped(_) => String::new(),
        };
        text += &match time.micros {
            Some(micros) => format!("    {:width$}  {micros:>12.1} µs  {:>6.2} ×{cut}\n", time.algorithm, micros / best),
            None => format!("    {:width$}  not measured: far slower by the estimate\n", time.algorithm),
        };
    }
    text
}

fn size(shape: Shape) -> String {
    if shape.rows == 1 { shape.columns.to_string() } else { format!("{} × {}", shape.rows, shape.columns) }
}

//! Plot files of records, and the experiments of the papers.

use super::super::{Failure, check_memory, output};
use super::BenchArguments;
use super::changes::changed;
use crate::bench::{self, Experiment, PlotQuantity, PlotRequest, Record, Sweep, SweepSettings};
use crate::figure::FigureFormat;
use crate::plot::layout;
use crate::signal::replace;
use crate::transforms::Shape;
use std::fmt::Write as _;
use std::path::Path;

/// Width and height of a plot in points.
const SIZE: [f32; 2] = [960.0, 540.0];
/// Height of a line of the legend in points.
const LEGEND_LINE: f32 = 15.0;

/// The file of a plot.
pub(super) struct Target<'a> {
    path: &'a Path,
    format: FigureFormat,
}

impl<'a> Target<'a> {
    /// Checks the ending and that the file can be written.
    pub(super) fn of(path: &'a Path) -> Result<Self, Failure> {
        Ok(Self { path, format: output::figure_format(path, "a plot")? })
    }

    /// Writes the plot.
    pub(super) fn write(&self, record: &Record, other: Option<&Record>, arguments: &BenchArguments) -> Result<(), Failure> {
        check_against(&record.sweep, arguments)?;
        let experiment = repeated(&record.sweep);
        let plot = PlotRequest {
            quantity: quantity(&record.sweep, arguments),
            part: arguments.part,
            against: arguments.against.map(|line| line.get() - 1).or(experiment.map(|experiment| experiment.against)).unwrap_or(0),
        };
        let chart = bench::chart(record, other, plot);
        let height = SIZE[1].max(LEGEND_LINE * (chart.curves.len() as f32 + 8.0));
        let bytes = layout(&chart, [SIZE[0], height], &[]).figure.bytes(self.format)?;
        Ok(replace(self.path, |out| out.write_all(&bytes))?)
    }
}

/// The experiment that a sweep repeats.
fn repeated(sweep: &Sweep) -> Option<&'static Experiment> {
    sweep.experiment.as_deref().and_then(bench::experiment).map(|(_, experiment)| experiment)
}

/// The quantity of the plot.
fn quantity(sweep: &Sweep, arguments: &BenchArguments) -> PlotQuantity {
    arguments.quantity.or(repeated(sweep).map(|experiment| experiment.plot)).unwrap_or_default()
}

/// Refuses --against for a line that the sweep does not have, and where no speed-ups are plotted.
pub(super) fn check_against(sweep: &Sweep, arguments: &BenchArguments) -> Result<(), Failure> {
    let n = sweep.lines.len();
    match arguments.against.filter(|line| line.get() > n) {
        Some(line) => Err(Failure::Call(format!("--against {line} names no line: take one of 1 to {n}"))),
        None if arguments.against.is_some() && quantity(sweep, arguments) != PlotQuantity::SpeedUp => {
            Err(Failure::Call("--against is for speed-ups: ask for --quantity speed-up, too, or leave it out".into()))
        }
        None => Ok(()),
    }
}

/// The sweep of an experiment.
pub(super) fn experiment(name: &str, arguments: &BenchArguments, settings: SweepSettings) -> Result<Sweep, Failure> {
    let Some((_, experiment)) = bench::experiment(name) else {
        return Err(Failure::Call(format!("there is no experiment named '{name}': papillon bench --experiments lists them")));
    };
    let experiment = &changed(experiment, arguments)?;
    experiment.check()?;
    let shapes: Vec<Shape> = match &arguments.sizes[..] {
        // Sizes that this machine has no memory for are named in the table.
        [] => experiment.shapes(largest_exponent()),
        sizes => {
            let sizes = sizes.iter().flat_map(|sizes| sizes.each());
            sizes
                .map(|size| if experiment.square { Shape { rows: size.columns, columns: size.columns } } else { Shape::line(size.columns) })
                .collect()
        }
    };
    shapes.iter().try_for_each(|&shape| check_memory(shape))?;
    // Starting another backend takes long, so it is asked only where backends are compared.
    let adapters = if experiment.every_adapter { crate::gpu::adapters_by_backend() } else { crate::gpu::adapters() };
    Ok(experiment.sweep(&shapes, &adapters, settings))
}

/// The largest k for which 2^k samples and their transform fit into the memory of this machine.
fn largest_exponent() -> u32 {
    (0..40).take_while(|k| check_memory(Shape::line(1 << k)).is_ok()).last().unwrap_or(0)
}

/// Lists the experiments by paper.
pub(super) fn experiments() -> String {
    let mut text = String::new();
    for paper in bench::papers() {
        let mut line = |words: String| writeln!(text, "{words}").expect("writing to a string does not fail");
        line(paper.title.clone());
        line(format!("    on {}", paper.hardware));
        let width = paper.experiments.iter().map(|experiment| experiment.name.len()).max().unwrap_or(0);
        for experiment in &paper.experiments {
            line(format!("    {:width$}  {}: {}", experiment.name, experiment.place, experiment.title));
            experiment.claims.iter().for_each(|claim| line(format!("    {:width$}    {}", "", claim.says)));
        }
    }
    text
}

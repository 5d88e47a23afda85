//! The experiments of the papers as sweeps, with the hardware, the tables and the claims of each paper; one file per paper.

mod arguello;
mod claim;
mod differences;
#[cfg(test)]
mod launch_tests;
mod table;

pub use claim::{Claim, LineName, Measure, Pick, Stated};
pub use table::{CellQuantity, PaperColumn, PaperRow, PaperTable};
pub(super) use table::{printed_curves, printed_number};

use super::quantity::{PlotQuantity, TimedPart};
use super::{BufferTime, Record, Sweep, SweepData, SweepLine, SweepSettings};
use crate::engine::DeviceChoice;
use crate::gpu::AdapterInfo;
use crate::transforms::{Axes, Shape, Unsupported, transform};
use differences::differences;
use std::collections::HashSet;
use std::sync::LazyLock;

/// The papers.
static PAPERS: LazyLock<Vec<Paper>> = LazyLock::new(|| {
    let files = [
        include_str!("experiments/gajic-2011.toml"),
        include_str!("experiments/gajic-2012.toml"),
        include_str!("experiments/li-2012.toml"),
        include_str!("experiments/sorman-2016.toml"),
    ];
    let read = |text: &&str| toml::from_str(text).expect("the files of the program are well-formed");
    files.iter().map(read).chain([arguello::paper()]).collect()
});

/// A paper with experiments.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// Its short name.
    pub paper: String,
    /// Authors, title, year.
    pub title: String,
    /// The hardware of the paper.
    pub hardware: String,
    /// Its experiments.
    pub experiments: Vec<Experiment>,
}

/// One figure or table.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// The name on the command line.
    pub name: String,
    /// The figure or table.
    pub place: String,
    /// Its title in one line.
    pub title: String,
    /// How it is measured here.
    pub about: String,
    /// The samples.
    #[serde(default)]
    pub data: SweepData,
    /// When buffers are made, as the paper counts it.
    #[serde(default)]
    pub buffers: BufferTime,
    /// The lines that are compared.
    pub lines: Vec<SweepLine>,
    /// Exponents k of the sizes 2^k, or of the sides of a square image.
    pub exponents: Vec<u32>,
    /// Whether the sizes are sides of square images.
    #[serde(default)]
    pub square: bool,
    /// Rows of the batch that transforms of rows take at each size, in place of one.
    #[serde(default)]
    pub rows: Option<usize>,
    /// Whether each GPU line runs on every adapter.
    #[serde(default)]
    pub every_adapter: bool,
    /// The quantity that the figure or table shows.
    #[serde(default)]
    pub plot: PlotQuantity,
    /// The line that speed-ups are relative to.
    #[serde(default)]
    pub against: usize,
    /// The table of the paper; without one, rows are sizes and columns are lines.
    #[serde(default)]
    pub table: Option<PaperTable>,
    /// The claims of the paper.
    #[serde(default)]
    pub claims: Vec<Claim>,
}

/// Numbers that a paper prints, as a curve.
#[derive(Debug, Clone, PartialEq)]
pub struct PrintedNumbers {
    /// The measurement.
    pub name: String,
    /// Whether a GPU was measured.
    pub on_gpu: bool,
    /// The unit of the values.
    pub unit: PrintedUnit,
    /// The time that was measured.
    pub part: TimedPart,
    /// Pairs of log2 of the number of samples and the value.
    pub values: Vec<[f64; 2]>,
}

/// The unit of a printed number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrintedUnit {
    /// Milliseconds.
    Milliseconds,
    /// 10^9 operations a second.
    GflopPerSec,
}

/// The papers with their experiments.
pub fn papers() -> &'static [Paper] {
    &PAPERS
}

/// An experiment by its name, with its paper.
pub fn experiment(name: &str) -> Option<(&'static Paper, &'static Experiment)> {
    papers().iter().find_map(|paper| Some((paper, paper.experiments.iter().find(|experiment| experiment.name == name)?)))
}

impl Experiment {
    /// Checks that the program has a line of the experiment; the table names those that it lacks.
    ///
    /// # Errors
    /// The transform or algorithm that is missing.
    pub fn check(&self) -> Result<(), Unsupported> {
        self.lines.iter().map(SweepLine::check).find(Result::is_ok).unwrap_or_else(|| self.lines[0].check())
    }

    /// The shape of size 2^`exponent`: a row of samples, or a square image of that side.
    pub fn shape(&self, exponent: u32) -> Shape {
        if self.square { Shape { rows: 1 << exponent, columns: 1 << exponent } } else { Shape::line(1 << exponent) }
    }

    /// The shapes with at most 2^`most` samples. Where the paper has larger ones alone, the largest that fits stands for them.
    pub fn shapes(&self, most: u32) -> Vec<Shape> {
        let axes = 1 + u32::from(self.square);
        let fits: Vec<Shape> = self.exponents.iter().filter(|k| **k * axes <= most).map(|k| self.shape(*k)).collect();
        if fits.is_empty() { vec![self.shape(most / axes)] } else { fits }
    }

    /// The shape of a line at a size of the experiment: a transform of rows takes a batch of them, and one of images folds a row of samples into an image.
    fn shape_of(&self, line: &SweepLine, size: Shape) -> Shape {
        if let Some(exponent) = line.batch {
            return Shape { rows: self.rows.unwrap_or_else(|| ((1 << exponent) / size.columns).max(1)), ..size };
        }
        // Batches are compared with a single row.
        if self.square || size.rows > 1 || self.lines.iter().any(|line| line.batch.is_some()) {
            return size;
        }
        match transform(&line.transform).map(|transform| transform.axes) {
            Ok(Axes::Both) if size.columns.is_power_of_two() => {
                let rows = 1 << (size.columns.ilog2() / 2);
                Shape { rows, columns: size.columns / rows }
            }
            Ok(Axes::Both) => size,
            _ => Shape { rows: self.rows.unwrap_or(1), ..size },
        }
    }

    /// The size of the experiment at which a line has this shape.
    pub(super) fn size_of(&self, line: &SweepLine, shape: Shape) -> Shape {
        let is_image = transform(&line.transform).is_ok_and(|transform| transform.axes == Axes::Both);
        match self.square {
            true => shape,
            false => Shape::line(if is_image { shape.len() } else { shape.columns }),
        }
    }

    /// For every line the first line of a sweep that measures it, perhaps with other values of its parameters.
    pub(super) fn lines_in(&self, record: &Record) -> Vec<Option<usize>> {
        self.lines.iter().map(|line| record.sweep.lines.iter().position(|ran| is_measured_by(line, ran))).collect()
    }

    /// The numbers in print as curves.
    pub fn printed(&self) -> Vec<PrintedNumbers> {
        printed_curves(self)
    }

    /// The sweep at these shapes, on the adapters of this machine.
    pub fn sweep(&self, shapes: &[Shape], adapters: &[AdapterInfo], settings: SweepSettings) -> Sweep {
        let mut lines = Vec::new();
        // A line whose algorithm the program lacks is named in the table, and not run.
        for line in self.lines.iter().filter(|line| line.check().is_ok()) {
            let line = SweepLine { shapes: shapes.iter().map(|shape| self.shape_of(line, *shape)).collect(), ..line.clone() };
            if !(self.every_adapter && line.device == DeviceChoice::Gpu && adapters.len() > 1) {
                lines.push(line);
                continue;
            }
            for (adapter, name) in adapters.iter().zip(short_names(adapters)) {
                let label = line.label.as_ref().map(|label| format!("{label}, {name}"));
                lines.push(SweepLine { label, device: DeviceChoice::Adapter(adapter.index.to_string()), ..line.clone() });
            }
        }
        Sweep {
            name: self.name.clone(),
            experiment: Some(self.name.clone()),
            differences: experiment(&self.name).map_or_else(Vec::new, |(_, paper)| differences(paper, self)),
            lines,
            settings: SweepSettings { data: self.data, buffers: self.buffers, ..settings },
        }
    }
}

/// Whether a line of a sweep is the one that an experiment asks for: it has its name, beside which that of an adapter may be.
pub(super) fn is_measured_by(asked: &SweepLine, ran: &SweepLine) -> bool {
    let is_on =
        |label: &String, name: &String| name == label || name.strip_prefix(label.as_str()).is_some_and(|rest| rest.starts_with(", "));
    let is_named = match &ran.device {
        DeviceChoice::Adapter(_) if asked.device == DeviceChoice::Gpu => {
            asked.label.as_ref().zip(ran.label.as_ref()).is_some_and(|(asked, ran)| is_on(asked, ran))
        }
        device => (device, &ran.label) == (&asked.device, &asked.label),
    };
    is_named && (&asked.transform, &asked.algorithm) == (&ran.transform, &ran.algorithm)
}

/// The names that tell adapters apart in a heading: their backends, their names, or both.
fn short_names(adapters: &[AdapterInfo]) -> Vec<String> {
    let name = |adapter: &AdapterInfo| adapter.name.split(['(', '/']).next().unwrap_or_default().trim().to_owned();
    let backend = |adapter: &AdapterInfo| adapter.backend.clone();
    let both = |adapter: &AdapterInfo| format!("{} {}", name(adapter), adapter.backend);
    let numbered = |adapter: &AdapterInfo| format!("{} {}", adapter.index, both(adapter));
    let ways: [&dyn Fn(&AdapterInfo) -> String; 4] = [&backend, &name, &both, &numbered];
    let names = ways.map(|way| adapters.iter().map(way).collect::<Vec<_>>());
    // An H100 by Vulkan and a processor by OpenGL are not told apart by their backends alone.
    let is_one_device = names[1].iter().all(|name| *name == names[1][0]);
    let is_clear =
        |(way, names): &(usize, &Vec<String>)| names.iter().collect::<HashSet<_>>().len() == names.len() && (*way != 0 || is_one_device);
    let clear = names.iter().enumerate().find(is_clear).map_or(3, |(way, _)| way);
    names.into_iter().nth(clear).unwrap_or_default()
}

impl PrintedNumbers {
    /// The points (size, value) on the axis of a chart; `None` if the chart shows another quantity.
    pub(super) fn on_axis(&self, quantity: PlotQuantity, part: TimedPart) -> Option<Vec<[f64; 2]>> {
        let factor = match (self.unit, quantity) {
            (PrintedUnit::Milliseconds, PlotQuantity::Time) if self.part == part => 1e3,
            (PrintedUnit::GflopPerSec, PlotQuantity::Flops) => 1.0,
            _ => return None,
        };
        Some(self.values.iter().map(|[exponent, value]| [exponent.exp2(), factor * value]).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every experiment that there has to be, by the transforms that it needs; the names are those of the conventions.
    const EXPECTED: [(&str, &[&str]); 37] = [
        ("gajic-2011-fig-4a", &["walsh"]),
        ("gajic-2011-fig-4b", &["reed-muller"]),
        ("gajic-2011-fig-4c", &["arithmetic"]),
        ("gajic-2011-fig-4d", &["haar"]),
        ("gajic-2011-section-5-1", &["walsh"]),
        ("gajic-2012-table-2", &[]),
        ("gajic-2012-fig-3", &[]),
        ("li-2012-table-1", &["dft"]),
        ("li-2012-table-2", &["dft"]),
        ("sorman-2016-table-5-1", &["dft", "dft2"]),
        ("sorman-2016-fig-6-1", &["dft"]),
        ("sorman-2016-fig-6-2", &["dft"]),
        ("sorman-2016-fig-6-3", &["dft"]),
        ("sorman-2016-fig-6-4", &["dft"]),
        ("sorman-2016-fig-6-5", &["dft"]),
        ("sorman-2016-fig-6-6", &["dft2"]),
        ("sorman-2016-fig-6-7", &["dft2"]),
        ("sorman-2016-fig-6-8", &["dft2"]),
        ("sorman-2016-fig-6-9", &["dft2"]),
        ("sorman-2016-fig-6-10", &["dft2"]),
        ("sorman-2016-table-6-2", &["dft", "dft2"]),
        ("sorman-2016-table-6-2-1d", &["dft"]),
        ("sorman-2016-table-6-2-2d", &["dft2"]),
        ("sorman-2016-table-5-5", &["dft"]),
        ("sorman-2016-section-5-1-2", &["dft2"]),
        ("sorman-2016-section-6-2-2", &["dft"]),
        ("arguello-2012-fig-8a", &["cdf97"]),
        ("arguello-2012-fig-8b", &["tridiagonal"]),
        ("arguello-2012-fig-8c", &["d4"]),
        ("arguello-2012-fig-8d", &["d4-packet"]),
        ("arguello-2012-table-1", &["cdf97"]),
        ("arguello-2012-table-2", &["tridiagonal"]),
        ("arguello-2012-table-3", &["cdf97", "tridiagonal"]),
        ("arguello-2012-table-3-wavelet", &["cdf97"]),
        ("arguello-2012-table-3-system", &["tridiagonal"]),
        ("arguello-2012-table-4", &["cdf97-2"]),
        ("arguello-2012-table-5", &["d4-2", "cdf97-2"]),
    ];

    #[test]
    fn an_experiment_is_there_as_soon_as_its_transforms_are() {
        for (name, needed) in EXPECTED {
            let can_be = needed.iter().all(|name| transform(name).is_ok());
            assert_eq!(experiment(name).is_some(), can_be, "{name} needs {needed:?}");
        }
        let all: Vec<&str> = papers().iter().flat_map(|paper| &paper.experiments).map(|experiment| experiment.name.as_str()).collect();
        assert!(all.iter().all(|name| EXPECTED.iter().any(|(expected, _)| expected == name)), "{all:?}");
    }

    #[test]
    fn every_experiment_can_be_run() {
        for (paper, experiment) in papers().iter().flat_map(|paper| paper.experiments.iter().map(move |experiment| (paper, experiment))) {
            assert!(experiment.lines.iter().all(|line| line.check().is_ok()), "{}", experiment.name);
            assert!(experiment.name.starts_with(&paper.paper) && experiment.against < experiment.lines.len().max(1));
            let shapes = experiment.shapes(64);
            assert_eq!(shapes.len(), experiment.exponents.len());
            let sweep = experiment.sweep(&shapes, &[], SweepSettings::default());
            for line in &sweep.lines {
                let transform = transform(&line.transform).expect("it was checked");
                let build = line.algorithm.as_ref().and_then(|name| transform.algorithm(name).ok()?.plan_fn());
                let smallest = line.shapes[0];
                assert!(
                    build.is_none_or(|build| smallest.len() > 1 << 16 || build(smallest, line.parameters).is_ok()),
                    "{}",
                    experiment.name
                );
            }
            if let Some(table) = &experiment.table {
                for row in &table.rows {
                    assert!(row.names.len() == table.names.len() && row.printed.len() <= table.columns.len(), "{row:?}");
                    assert!(row.exponent.is_none_or(|exponent| experiment.exponents.contains(&exponent)), "{row:?}");
                    let lines = (0..table.columns.len()).map(|column| table.line(row, column));
                    assert!(lines.into_iter().all(|line| line.is_some_and(|line| line < experiment.lines.len())), "{row:?}");
                    assert!(row.printed.iter().all(|text| text.is_empty() || printed_number(text).is_some()), "{row:?}");
                }
            }
        }
    }

    #[test]
    fn no_experiment_is_too_large_for_a_small_machine() {
        for experiment in papers().iter().flat_map(|paper| &paper.experiments) {
            let shapes = experiment.shapes(18);
            assert!(!shapes.is_empty() && shapes.iter().all(|shape| shape.len() <= 1 << 18), "{}: {shapes:?}", experiment.name);
        }
        let (_, both) = experiment("sorman-2016-table-6-2").expect("it is there");
        let shapes: Vec<Shape> =
            both.sweep(&both.shapes(10), &[], SweepSettings::default()).lines.iter().map(|line| line.shapes[0]).collect();
        assert_eq!(shapes[..4], [Shape::line(1024), Shape::line(1024), Shape::line(1024), Shape { rows: 32, columns: 32 }]);
    }

    #[test]
    fn the_printed_numbers_are_those_of_the_papers() {
        let printed = |name: &str, index: usize| {
            experiment(name).map(|(_, experiment)| experiment.printed()[index].values.clone()).unwrap_or_default()
        };
        assert_eq!(printed("li-2012-table-1", 5), [[24.0, 47.28]]);
        assert_eq!(printed("li-2012-table-2", 1)[2], [21.0, 56.53]);
        assert_eq!(printed("gajic-2012-table-2", 2).last(), Some(&[25.0, 998.0]));
        assert_eq!(printed("gajic-2012-table-2", 3).last(), Some(&[25.0, 1145.0]), "computation and memory");
        let cells = |name: &str| experiment(name).and_then(|(_, experiment)| experiment.table.clone()).expect("it has a table").rows;
        assert_eq!(cells("arguello-2012-table-3")[3].printed[1], "0.70", "with its last digit");
        assert_eq!(cells("sorman-2016-table-6-2")[2].printed, ["×18", "×40"]);
        let (_, table) = experiment("arguello-2012-table-1").expect("it is there");
        let rows = cells("arguello-2012-table-1");
        assert_eq!(rows[0].printed, ["12.63 (1.00×)", "4.26 (1.00×)", "1.94 (1.00×)"]);
        assert_eq!(rows[1].printed[2], "1.10 (0.97×)");
        assert!(table.claims.iter().any(|claim| claim.says.contains("0.97")));
        // A thread for each of the samples of a step, or for every second one.
        let direct = transform("cdf97").and_then(|cdf97| cdf97.algorithm("direct")).expect("it is there").plan_fn().expect("a plan");
        let plan = direct(Shape::line(1 << 20), table.lines[0].parameters).expect("it takes this size");
        let threads = [0, 1].map(|line: usize| {
            let schedule = crate::engine::schedule_on_gpu(&plan, table.lines[line].cut, crate::gpu::Limits::DESKTOP);
            let lowered = crate::gpu::lower::lower(&plan, &schedule, crate::gpu::Limits::DESKTOP, crate::gpu::KernelChoice::Fast);
            let [x, y] = lowered.expect("it is lowered").commands[0].groups;
            256 * x * y
        });
        assert_eq!(threads, [1 << 20, 1 << 19], "threads of the first step");
    }

    #[test]
    fn an_experiment_on_every_adapter_has_a_line_for_each() {
        let (_, experiment) = experiment("sorman-2016-fig-6-4").expect("it is there");
        let one = crate::gpu::adapters();
        let two: Vec<AdapterInfo> = one.iter().chain(&one).cloned().collect();
        let lines = |adapters: &[AdapterInfo]| experiment.sweep(&experiment.shapes(10), adapters, SweepSettings::default()).lines.len();
        assert_eq!((lines(&one[..1]), lines(&two[..2])), (1, 2));
        let named = |pairs: &[(&str, &str)]| {
            let of = |(index, (name, backend)): (usize, &(&str, &str))| {
                let (name, backend) = ((*name).to_owned(), (*backend).to_owned());
                AdapterInfo { index, name, backend, ..one[0].clone() }
            };
            short_names(&pairs.iter().enumerate().map(of).collect::<Vec<_>>())
        };
        let llvmpipe = "llvmpipe (LLVM 15.0.6, 256 bits)";
        assert_eq!(named(&[(llvmpipe, "vulkan"), (llvmpipe, "gl")]), ["vulkan", "gl"]);
        assert_eq!(named(&[("NVIDIA H100 PCIe/PCIe/SSE2", "vulkan"), (llvmpipe, "gl")]), ["NVIDIA H100 PCIe", "llvmpipe"]);
        assert_eq!(named(&[("A", "vulkan"), ("A", "gl"), ("B", "gl")]), ["A vulkan", "A gl", "B gl"]);
        assert_eq!(named(&[("A", "vulkan"), ("A", "vulkan")]), ["0 A vulkan", "1 A vulkan"]);
    }
}

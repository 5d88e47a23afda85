//! The experiments of the papers as sweeps, with the hardware and the numbers that each paper prints; one file per paper.

mod arguello;

use super::charts::{PlotQuantity, TimedPart};
use super::{Sweep, SweepData, SweepLine, SweepSettings};
use crate::engine::DeviceChoice;
use crate::gpu::AdapterInfo;
use crate::transforms::{Shape, Unsupported};
use std::sync::LazyLock;

/// The papers.
static PAPERS: LazyLock<Vec<Paper>> = LazyLock::new(|| {
    let files = [
        include_str!("experiments/gajic-2011.json"),
        include_str!("experiments/gajic-2012.json"),
        include_str!("experiments/li-2012.json"),
        include_str!("experiments/sorman-2016.json"),
    ];
    let read = |text: &&str| serde_json::from_str(text).expect("the files of the program are well-formed");
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
    /// The lines that are compared.
    pub lines: Vec<SweepLine>,
    /// Exponents k of the sizes 2^k, or of the sides of a square image.
    pub exponents: Vec<u32>,
    /// Whether the sizes are sides of square images.
    #[serde(default)]
    pub square: bool,
    /// Whether each GPU line runs on every adapter.
    #[serde(default)]
    pub every_adapter: bool,
    /// The quantity that the figure or table shows.
    #[serde(default)]
    pub plot: PlotQuantity,
    /// The line that speed-ups are relative to.
    #[serde(default)]
    pub against: usize,
    /// The numbers that the paper prints.
    #[serde(default)]
    pub printed: Vec<PrintedNumbers>,
    /// Statements of the paper in words.
    pub claims: Vec<String>,
}

/// Numbers that a paper prints.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrintedNumbers {
    /// What was measured.
    pub name: String,
    /// Whether a GPU was measured.
    pub on_gpu: bool,
    /// The unit of the values.
    pub unit: PrintedUnit,
    /// The time that was measured.
    #[serde(default)]
    pub part: TimedPart,
    /// Pairs of the exponent of the size and the value.
    pub values: Vec<[f64; 2]>,
}

/// The unit of a printed number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
pub enum PrintedUnit {
    /// Milliseconds.
    #[serde(rename = "ms")]
    Milliseconds,
    /// 10^9 operations a second.
    #[serde(rename = "Gflop/s")]
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
    /// Checks that the table has every transform and algorithm of the experiment.
    ///
    /// # Errors
    /// The first transform or algorithm that is missing.
    pub fn check(&self) -> Result<(), Unsupported> {
        self.lines.iter().try_for_each(SweepLine::check)
    }

    /// The shapes of the experiment with at most 2^`most` samples.
    pub fn shapes(&self, most: u32) -> Vec<Shape> {
        let shape = |k: &u32| match self.square {
            true => Shape { rows: 1 << k, columns: 1 << k },
            false => Shape::line(1 << k),
        };
        self.exponents.iter().filter(|k| **k * (1 + u32::from(self.square)) <= most).map(shape).collect()
    }

    /// The sweep at these shapes, on the adapters of this machine.
    pub fn sweep(&self, shapes: &[Shape], adapters: &[AdapterInfo], settings: SweepSettings) -> Sweep {
        let mut lines = Vec::new();
        for line in &self.lines {
            let line = SweepLine { shapes: shapes.to_vec(), ..line.clone() };
            if !(self.every_adapter && line.device == DeviceChoice::Gpu && adapters.len() > 1) {
                lines.push(line);
                continue;
            }
            for adapter in adapters {
                let label = line.label.as_ref().map(|label| format!("{label}, {}", adapter.name));
                lines.push(SweepLine { label, device: DeviceChoice::Adapter(adapter.index.to_string()), ..line.clone() });
            }
        }
        Sweep {
            name: self.name.clone(),
            experiment: Some(self.name.clone()),
            lines,
            settings: SweepSettings { data: self.data, ..settings },
        }
    }
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
    use crate::transforms::transform;

    /// Every experiment that there has to be, by the transforms that it needs; the names are those of the conventions.
    const EXPECTED: [(&str, &[&str]); 31] = [
        ("gajic-2011-fig-4a", &["walsh"]),
        ("gajic-2011-fig-4b", &["reed-muller"]),
        ("gajic-2011-fig-4c", &["arithmetic"]),
        ("gajic-2011-fig-4d", &["haar"]),
        ("gajic-2011-section-5-1", &["walsh"]),
        ("gajic-2012-table-2", &[]),
        ("gajic-2012-fig-3", &[]),
        ("li-2012-table-1", &["dft"]),
        ("li-2012-table-2", &["dft"]),
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
        ("sorman-2016-table-6-2-1d", &["dft"]),
        ("sorman-2016-table-6-2-2d", &["dft2"]),
        ("sorman-2016-table-5-5", &["dft"]),
        ("arguello-2012-fig-8a", &["cdf97"]),
        ("arguello-2012-fig-8b", &["tridiagonal"]),
        ("arguello-2012-fig-8c", &["d4"]),
        ("arguello-2012-fig-8d", &["d4-packet"]),
        ("arguello-2012-table-1", &["cdf97"]),
        ("arguello-2012-table-2", &["tridiagonal"]),
        ("arguello-2012-table-3-wavelet", &["cdf97"]),
        ("arguello-2012-table-3-system", &["tridiagonal"]),
        ("arguello-2012-table-4", &["cdf97-2"]),
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
            assert_eq!(experiment.check(), Ok(()), "{}", experiment.name);
            assert!(experiment.name.starts_with(&paper.paper) && experiment.against < experiment.lines.len().max(1));
            let shapes = experiment.shapes(64);
            assert_eq!(shapes.len(), experiment.exponents.len());
            let sweep = experiment.sweep(&shapes, &[], SweepSettings::default());
            for line in &sweep.lines {
                let transform = transform(&line.transform).expect("it was checked");
                let build = line.algorithm.as_ref().and_then(|name| transform.algorithm(name).ok()?.plan_fn());
                let smallest = shapes[0];
                assert!(
                    build.is_none_or(|build| smallest.len() > 1 << 16 || build(smallest, line.parameters).is_ok()),
                    "{}",
                    experiment.name
                );
            }
            assert!(
                experiment
                    .printed
                    .iter()
                    .flat_map(|printed| &printed.values)
                    .all(|[k, _]| experiment.exponents.contains(&(*k as u32)) || experiment.name == "gajic-2012-fig-3")
            );
        }
    }

    #[test]
    fn the_printed_numbers_are_those_of_the_papers() {
        let printed =
            |name: &str, index: usize| experiment(name).map(|(_, experiment)| experiment.printed[index].values.clone()).unwrap_or_default();
        assert_eq!(printed("li-2012-table-1", 2), [[24.0, 47.28]]);
        assert_eq!(printed("li-2012-table-2", 0)[2], [21.0, 56.53]);
        assert_eq!(printed("gajic-2012-table-2", 1).last(), Some(&[25.0, 998.0]));
        assert_eq!(printed("gajic-2012-table-2", 2).last(), Some(&[25.0, 1145.0]), "computation and memory");
        let (_, table) = experiment("arguello-2012-table-1").expect("it is there");
        let has = |row: &str| table.lines.iter().any(|line| line.label.as_deref().is_some_and(|label| label.contains(row)));
        assert!(has("direct, T=1 [paper at 2^20: 12.63, 4.26, 1.94 ms]") && has("direct, T=1/2 [paper at 2^20: 16.06, 3.95, 1.1 ms]"));
        assert!(table.claims.iter().any(|claim| claim.contains("0.97")));
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
    }
}

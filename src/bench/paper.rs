//! The experiments of F. Argüello, D. B. Heras, M. Bóo, J. Lamas-Rodríguez, The split-and-merge method in general purpose computation on GPUs (2012), as data: Tables 1, 3 and 4 and Figure 8, each line with the times that the paper prints.
//!
//! The paper counts the time of its kernels alone, and so do we: the permutation that puts the coarsest first is a launch of ours that the paper leaves out, and is counted.

use super::Statistics;
use crate::engine::{Cut, schedule_on_gpu};
use crate::gpu::{Device, GpuError, bench_copy};
use crate::plan::Precision;
use crate::schedule::{Memory, SplitAndMerge, Threads};
use crate::transforms::{Parameters, Shape, Unsupported, transform};
use std::sync::atomic::AtomicBool;

/// A table of the paper, or a figure whose numbers the text tells.
#[derive(Debug, Clone)]
pub struct Table {
    /// What the paper calls it, and what it measures.
    pub title: &'static str,
    /// The devices whose times the paper prints.
    pub devices: &'static [&'static str],
    /// Its lines; the first is what the others are compared with.
    pub lines: Vec<Line>,
}

/// A line of a table.
#[derive(Debug, Clone)]
pub struct Line {
    /// What differs from the other lines.
    pub label: String,
    /// Name of the transform, and its algorithm.
    pub transform: &'static str,
    /// Name of its algorithm.
    pub algorithm: &'static str,
    /// What is transformed.
    pub shape: Shape,
    /// How many levels.
    pub levels: usize,
    /// How the plan is cut.
    pub cut: Cut,
    /// What the paper prints, in milliseconds; nothing where a line is ours alone.
    pub printed: &'static [f64],
}

/// What was measured of a line.
#[derive(Debug, Clone)]
pub struct Measured {
    /// One run, in microseconds.
    pub micros: f64,
    /// Launches of a run.
    pub n_launches: usize,
    /// All splits of a run, and all merges, in microseconds.
    pub sections: [f64; 2],
    /// A copy of the samples, in microseconds.
    pub copy_micros: f64,
}

/// Why a line could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum PaperError {
    /// The transform does not take the shape.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// The device does not run it.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// The device has no clock of its own.
    #[error("{device} has no timestamps, and the times of single launches cannot be told without")]
    NoClock {
        /// Name of the device.
        device: String,
    },
}

const DIRECT: Cut = Cut::Stages;
const FASTEST: Cut = Cut::Tiles;

fn sections(levels: usize, merge: Memory, threads: Threads, width: usize) -> Cut {
    Cut::SplitAndMerge(SplitAndMerge { levels, merge, threads, width, ..SplitAndMerge::default() })
}

fn line(label: impl Into<String>, cut: Cut, printed: &'static [f64]) -> Line {
    let label = label.into();
    Line { label, transform: "cdf97", algorithm: "direct", shape: Shape::line(1 << 20), levels: 8, cut, printed }
}

/// Table 1: eight levels of the (9,7) wavelet of 2^20 samples, over L, the memory of the merge and T.
fn table_1() -> Table {
    use Memory::{Global, Workgroup};
    use Threads::{Half, One};
    let mut lines = vec![line("direct", DIRECT, &[12.63, 4.26, 1.94])];
    let printed: [(usize, Memory, Threads, &'static [f64]); 12] = [
        (1, Workgroup, One, &[2.75, 0.95, 0.63]),
        (1, Workgroup, Half, &[2.41, 0.81, 0.53]),
        (1, Global, One, &[3.48, 1.37, 0.85]),
        (1, Global, Half, &[2.86, 1.08, 0.64]),
        (2, Workgroup, One, &[2.39, 0.92, 0.53]),
        (2, Workgroup, Half, &[1.70, 0.72, 0.42]),
        (2, Global, One, &[3.55, 1.44, 0.87]),
        (2, Global, Half, &[2.36, 1.05, 0.58]),
        (4, Workgroup, One, &[4.46, 1.61, 0.72]),
        (4, Workgroup, Half, &[2.75, 1.05, 0.49]),
        (4, Global, One, &[5.56, 2.10, 1.27]),
        (4, Global, Half, &[3.37, 1.46, 0.74]),
    ];
    lines.extend(printed.map(|(levels, merge, threads, printed)| {
        let (memory, t) = (if merge == Global { "global" } else { "workgroup" }, if threads == One { "1" } else { "1/2" });
        line(format!("split-merge L={levels}, merge {memory}, T={t}"), sections(levels, merge, threads, 0), printed)
    }));
    lines.push(line("overlapped", FASTEST, &[]));
    Table { title: "Table 1: CDF 9/7, 2^20 samples, 8 levels", devices: &["9800 GT", "295 GTX", "470 GTX"], lines }
}

/// Table 3: the width that goes from split to merge.
fn table_3() -> Table {
    let printed: [(usize, &'static [f64]); 5] = [
        (0, &[1.70, 0.72, 0.42]),
        (16, &[1.97, 0.74, 0.43]),
        (32, &[2.03, 0.71, 0.43]),
        (64, &[2.18, 0.70, 0.41]),
        (128, &[2.35, 0.71, 0.38]),
    ];
    let lines = printed.map(|(width, printed)| line(format!("W={width}"), sections(2, Memory::Workgroup, Threads::Half, width), printed));
    Table {
        title: "Table 3: CDF 9/7, 2^20 samples, 8 levels, L=2, over W",
        devices: &["9800 GT", "295 GTX", "480 GTX"],
        lines: lines.into(),
    }
}

/// Table 4: pictures.
fn table_4() -> Table {
    let picture = |label: &str, cut, printed| Line {
        transform: "cdf97-2",
        shape: Shape { rows: 2048, columns: 2048 },
        levels: 4,
        ..line(label, cut, printed)
    };
    let lines = vec![
        picture("direct, rows 256×1, columns 1×256", DIRECT, &[572.05, 132.70, 20.32]),
        picture("split-merge, rows 256×1, columns 16×16", sections(1, Memory::Workgroup, Threads::One, 0), &[12.47, 4.33, 2.25]),
        picture("overlapped", FASTEST, &[]),
        Line { shape: Shape { rows: 8192, columns: 8192 }, ..picture("direct, 8192×8192", DIRECT, &[]) },
        Line { shape: Shape { rows: 8192, columns: 8192 }, ..picture("overlapped, 8192×8192", FASTEST, &[]) },
    ];
    Table { title: "Table 4: CDF 9/7 of 2048×2048, 4 levels", devices: &["9800 GT", "295 GTX", "480 GTX"], lines }
}

/// Figure 8: the direct way against split and merge over the size; the paper tells the speed-up at 2^20.
fn figure_8(title: &'static str, name: &'static str, direct: &'static str, levels: usize) -> Table {
    let ways = [("direct", DIRECT), ("split-merge", Cut::SplitAndMerge(SplitAndMerge::default())), ("overlapped", FASTEST)];
    let sizes = [14, 16, 18, 20, 22, 24];
    let of = |log: usize, (label, cut): (&str, Cut)| Line {
        transform: name,
        algorithm: direct,
        shape: Shape::line(1 << log),
        ..Line { levels, ..line(format!("2^{log} {label}"), cut, &[]) }
    };
    Table { title, devices: &[], lines: sizes.into_iter().flat_map(|log| ways.map(|way| of(log, way))).collect() }
}

/// The experiments, in the order of the paper.
pub fn arguello_2012() -> Vec<Table> {
    vec![
        table_1(),
        table_3(),
        table_4(),
        figure_8(
            "Figure 8: CDF 9/7, 8 levels; the paper's split-merge is 4.01 times as fast as its direct way at 2^20",
            "cdf97",
            "direct",
            8,
        ),
        figure_8("Figure 8: D4, 8 levels, here by lifting; the paper's filter bank gains 1.92 times at 2^20", "d4", "lifting", 8),
    ]
}

/// Measures a line on a device: medians of `repeats` runs.
///
/// # Errors
/// When the device does not run it or has no clock, or `cancel` is raised.
pub fn measure(line: &Line, device: &Device, repeats: usize, cancel: &AtomicBool) -> Result<Measured, PaperError> {
    let build = transform(line.transform)?.algorithm(line.algorithm)?.plan_fn();
    let parameters = Parameters { levels: Some(line.levels), ..Parameters::default() };
    let Some(build) = build else { return Err(PaperError::NoClock { device: line.algorithm.into() }) };
    let plan = build(line.shape, parameters)?;
    let schedule = schedule_on_gpu(&plan, line.cut, device.limits().in_precision(Precision::Single));
    let prepared = device.prepare(&plan, &schedule)?;
    let samples: Vec<f32> = (0..plan.inputs).map(|i| ((i * 7919) % 1024) as f32 / 512.0 - 1.0).collect();
    prepared.upload_real(&samples, cancel)?;
    let times = prepared.bench(repeats, cancel)?;
    let no_clock = || PaperError::NoClock { device: device.info().name.clone() };
    let median = |values: Option<Vec<f64>>| values.filter(|values| !values.is_empty()).map(|values| Statistics::of(&values).median);
    let micros = median(times.iter().map(|run| run.gpu_micros).collect()).ok_or_else(no_clock)?;
    let launch = |index: usize| median(times.iter().map(|run| run.launch_micros[index]).collect()).unwrap_or(0.0);
    let sum = |section| (0..schedule.launches.len()).filter(|&index| schedule.launches[index].section() == Some(section)).map(launch).sum();
    let copies: Option<Vec<f64>> = bench_copy(device, 4 * plan.inputs as u64, repeats)?.into_iter().collect();
    Ok(Measured {
        micros,
        n_launches: schedule.launches.len(),
        sections: [sum(crate::schedule::Section::Split), sum(crate::schedule::Section::Merge)],
        copy_micros: median(copies).ok_or_else(no_clock)?,
    })
}

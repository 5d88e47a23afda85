//! The experiments of F. Argüello, D. B. Heras, M. Bóo, J. Lamas-Rodríguez, The split-and-merge method in general purpose computation on GPUs (2012): Tables 1 to 4 and Figure 8, each line with the times that the paper prints.
//!
//! The paper counts the time of its kernels alone; the permutation that puts the coarsest first is a launch of ours that the paper leaves out, and is counted.

use super::super::charts::PlotQuantity;
use super::super::{SweepData, SweepLine};
use super::{Experiment, Paper};
use crate::engine::{Cut, DeviceChoice};
use crate::schedule::{BlockScheme, SectionMemory, SplitAndMerge, ThreadsPerSample};
use crate::transforms::Parameters;

/// The paper with its experiments.
pub(super) fn paper() -> Paper {
    Paper {
        paper: "arguello-2012".into(),
        title: "F. Argüello, D. B. Heras, M. Bóo, J. Lamas-Rodríguez: The split-and-merge method in general purpose computation on GPUs (2012)".into(),
        hardware: "Nvidia 9800 GT (14 multiprocessors, 57 GB/s), GTX 295 (30, 112 GB/s) and GTX 480 (15, 177 GB/s), CUDA 3.2, blocks of 256 threads".into(),
        experiments: vec![
            table_1(),
            table_3(),
            table_4(),
            figure_8("a", "CDF 9/7, 8 levels", "cdf97", ["direct", "split-merge", "overlapped"], "The paper's split and merge is 4.01 times as fast as its direct way at 2^20, and 35.7 times as fast as one core."),
            figure_8("c", "D4, 8 levels", "d4", ["filter-bank", "filter-bank-split-merge", "filter-bank-overlapped"], "The paper's filter bank by split and merge is 1.92 times as fast as its direct way at 2^20, and 25.6 times as fast as one core."),
            figure_8("d", "D4 packets, 8 levels", "d4-packet", ["filter-bank", "split-merge", "overlapped"], "The paper's split and merge is 1.40 times as fast as its direct way at 2^20, and 55.6 times as fast as one core."),
            table_2(),
            table_3_of_systems(),
            systems_over_sizes(),
        ],
    }
}

fn line(label: String, transform: &str, algorithm: &str, levels: usize, cut: Cut) -> SweepLine {
    SweepLine {
        label: Some(label),
        algorithm: Some(algorithm.into()),
        parameters: Parameters { levels: Some(levels), ..Parameters::default() },
        cut,
        ..SweepLine::new(transform, DeviceChoice::Gpu, Vec::new())
    }
}

fn sections(levels: usize, merge: SectionMemory, threads: ThreadsPerSample, width: usize) -> Cut {
    Cut::SplitAndMerge(SplitAndMerge { levels, merge, threads, width, ..SplitAndMerge::default() })
}

/// What the paper prints of a line at a size, on its three cards.
fn printed_of(size: &str, [a, b, c]: [f64; 3]) -> String {
    format!("[paper at {size}: {a}, {b}, {c} ms]")
}

/// The same at the size of its tables of lines.
fn printed(milliseconds: [f64; 3]) -> String {
    printed_of("2^20", milliseconds)
}

fn experiment(name: &str, place: &str, title: &str, exponent: u32, lines: Vec<SweepLine>, claims: &[&str]) -> Experiment {
    Experiment {
        name: format!("arguello-2012-{name}"),
        place: place.into(),
        title: title.into(),
        about: "Beside the time of each line stand those of the paper, on its three cards in their order.".into(),
        data: SweepData::Noise,
        lines,
        exponents: vec![exponent],
        square: false,
        every_adapter: false,
        plot: PlotQuantity::Time,
        against: 0,
        printed: Vec::new(),
        claims: claims.iter().map(|claim| (*claim).into()).collect(),
    }
}

/// Table 1: eight levels of the (9,7) wavelet of 2^20 samples, over L, the memory of the merge and T.
fn table_1() -> Experiment {
    use SectionMemory::{Global, Workgroup};
    use ThreadsPerSample::{Half, One};
    let mut lines = vec![
        line(format!("direct, T=1 {}", printed([12.63, 4.26, 1.94])), "cdf97", "direct", 8, Cut::StagesOf(One)),
        line(format!("direct, T=1/2 {}", printed([16.06, 3.95, 1.10])), "cdf97", "direct", 8, Cut::StagesOf(Half)),
        line("direct, up to two results a thread".into(), "cdf97", "direct", 8, Cut::Stages),
    ];
    let rows: [(usize, SectionMemory, ThreadsPerSample, [f64; 3]); 12] = [
        (1, Workgroup, One, [2.75, 0.95, 0.63]),
        (1, Workgroup, Half, [2.41, 0.81, 0.53]),
        (1, Global, One, [3.48, 1.37, 0.85]),
        (1, Global, Half, [2.86, 1.08, 0.64]),
        (2, Workgroup, One, [2.39, 0.92, 0.53]),
        (2, Workgroup, Half, [1.70, 0.72, 0.42]),
        (2, Global, One, [3.55, 1.44, 0.87]),
        (2, Global, Half, [2.36, 1.05, 0.58]),
        (4, Workgroup, One, [4.46, 1.61, 0.72]),
        (4, Workgroup, Half, [2.75, 1.05, 0.49]),
        (4, Global, One, [5.56, 2.10, 1.27]),
        (4, Global, Half, [3.37, 1.46, 0.74]),
    ];
    lines.extend(rows.map(|(levels, merge, threads, times)| {
        let (memory, t) = (if merge == Global { "global" } else { "workgroup" }, if threads == One { "1" } else { "1/2" });
        let label = format!("L={levels}, merge {memory}, T={t} {}", printed(times));
        line(label, "cdf97", "split-merge", 8, sections(levels, merge, threads, 0))
    }));
    lines.push(line("overlapped".into(), "cdf97", "overlapped", 8, Cut::Tiles));
    let claims = [
        "The speed-ups are relative to direct with T=1.",
        "The speed-up 0.97 beside the 1.10 ms of direct with T=1/2 is an erratum: 1.94 ms are 1.76 times as long.",
    ];
    experiment("table-1", "Table 1", "CDF 9/7 of 2^20 samples, 8 levels, over L, merge and T", 20, lines, &claims)
}

/// Table 3: the width that goes from split to merge.
fn table_3() -> Experiment {
    let rows =
        [(0, [1.70, 0.72, 0.42]), (16, [1.97, 0.74, 0.43]), (32, [2.03, 0.71, 0.43]), (64, [2.18, 0.70, 0.41]), (128, [2.35, 0.71, 0.38])];
    let lines = rows.map(|(width, times)| {
        let cut = sections(2, SectionMemory::Workgroup, ThreadsPerSample::Half, width);
        line(format!("W={width} {}", printed(times)), "cdf97", "split-merge", 8, cut)
    });
    experiment("table-3-wavelet", "Table 3", "CDF 9/7 of 2^20 samples, 8 levels, L=2, over W", 20, lines.into(), &[])
}

/// Table 4: images, over the shapes of the blocks along rows and along columns.
fn table_4() -> Experiment {
    let direct = |label: &str, times, scheme| {
        line(format!("direct, {label} {}", printed_of("2048²", times)), "cdf97-2", "direct", 4, Cut::StagesIn(scheme))
    };
    let split_merge = |label: &str, times, scheme| {
        let cut = Cut::SplitAndMerge(SplitAndMerge { levels: 1, threads: ThreadsPerSample::One, scheme, ..SplitAndMerge::default() });
        line(format!("split-merge, {label} {}", printed_of("2048²", times)), "cdf97-2", "split-merge", 4, cut)
    };
    let lines = vec![
        direct("rows 256×1, columns 1×256", [572.05, 132.70, 20.32], BlockScheme::RowColumn),
        direct("rows and columns 256×1", [44.52, 11.92, 4.94], BlockScheme::Rows),
        direct("rows and columns 16×16", [44.52, 10.80, 5.21], BlockScheme::Square),
        split_merge("rows 256×1, columns 16×16", [12.47, 4.33, 2.25], BlockScheme::RowColumn),
        split_merge("rows and columns 16×16", [14.95, 3.77, 2.43], BlockScheme::Square),
        line("overlapped".into(), "cdf97-2", "overlapped", 4, Cut::Tiles),
    ];
    Experiment { square: true, ..experiment("table-4", "Table 4", "CDF 9/7 of 2048 × 2048, 4 levels", 11, lines, &[]) }
}

/// Figure 8: the direct way against split and merge over the size.
fn figure_8(letter: &str, title: &str, transform: &str, [direct, split_merge, overlapped]: [&str; 3], claim: &str) -> Experiment {
    let lines = vec![
        line("direct".into(), transform, direct, 8, Cut::Stages),
        line("split-merge".into(), transform, split_merge, 8, Cut::SplitAndMerge(SplitAndMerge::default())),
        line("overlapped".into(), transform, overlapped, 8, Cut::Tiles),
    ];
    over_sizes(experiment(&format!("fig-8{letter}"), "Figure 8", title, 20, lines, &[claim]))
}

/// A line of cyclic reduction.
fn reduction(label: String, cut: Cut) -> SweepLine {
    SweepLine { parameters: Parameters::default(), ..line(label, "tridiagonal", "cyclic-reduction", 0, cut) }
}

/// The way that the paper does not have: blocks leave one row each, and nothing else goes through global memory between the launches.
fn blocks() -> SweepLine {
    reduction("blocks that leave a row each".into(), Cut::Tiles)
}

/// Table 2: cyclic reduction of 2^20 equations, over the memory of the merge and T.
fn table_2() -> Experiment {
    use SectionMemory::{Global, Workgroup};
    use ThreadsPerSample::{Half, One};
    let rows: [(SectionMemory, ThreadsPerSample, [f64; 3]); 4] = [
        (Workgroup, One, [5.07, 2.58, 1.40]),
        (Workgroup, Half, [4.88, 2.36, 1.33]),
        (Global, One, [4.94, 2.78, 1.55]),
        (Global, Half, [5.59, 2.54, 1.44]),
    ];
    let mut lines = vec![
        reduction(format!("direct, T=1 {}", printed([15.15, 5.47, 3.32])), Cut::StagesOf(One)),
        reduction(format!("direct, T=1/2 {}", printed([19.62, 4.91, 3.40])), Cut::StagesOf(Half)),
    ];
    lines.extend(rows.map(|(merge, threads, times)| {
        let (memory, t) = (if merge == Global { "global" } else { "workgroup" }, if threads == One { "1" } else { "1/2" });
        reduction(format!("L=4, merge {memory}, T={t} {}", printed(times)), sections(4, merge, threads, 0))
    }));
    lines.push(blocks());
    experiment("table-2", "Table 2", "Cyclic reduction of 2^20 equations, over merge and T", 20, lines, &[])
}

/// Table 3, right half: the width that goes from split to merge.
fn table_3_of_systems() -> Experiment {
    let rows = [
        (0, [4.88, 2.36, 1.33]),
        (16, [11.93, 2.41, 1.36]),
        (32, [6.77, 2.34, 1.37]),
        (64, [7.45, 2.35, 1.32]),
        (128, [10.16, 2.36, 1.30]),
    ];
    let lines = rows.map(|(width, times)| {
        reduction(format!("W={width} {}", printed(times)), sections(4, SectionMemory::Workgroup, ThreadsPerSample::Half, width))
    });
    experiment("table-3-system", "Table 3", "Cyclic reduction of 2^20 equations, L=4, over W", 20, lines.into(), &[])
}

/// The systems of Figure 8.
fn systems_over_sizes() -> Experiment {
    let claim = "The paper's split and merge is 2.12 times as fast as its direct way at 2^20, and 57.2 times as fast as one core.";
    let split_and_merge = reduction("split-merge".into(), sections(4, SectionMemory::Workgroup, ThreadsPerSample::Half, 0));
    let lines = vec![reduction("direct".into(), Cut::Stages), split_and_merge, blocks()];
    over_sizes(experiment("fig-8b", "Figure 8", "Cyclic reduction", 20, lines, &[claim]))
}

fn over_sizes(experiment: Experiment) -> Experiment {
    Experiment {
        exponents: (14..=24).step_by(2).collect(),
        about: "The direct way beside split and merge, and beside overlapped tiles, over the size.".into(),
        ..experiment
    }
}

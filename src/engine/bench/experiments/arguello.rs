//! The experiments of F. Argüello, D. B. Heras, M. Bóo, J. Lamas-Rodríguez, The split-and-merge method in general purpose computation on GPUs (2012): Tables 1 to 5 and Figure 8, in the rows and columns of the paper.
//!
//! The paper counts the time of its kernels alone; the permutation that puts the coarsest first is a launch of ours that the paper leaves out, and is counted.

use super::super::quantity::PlotQuantity;
use super::super::{BufferTime, SweepData, SweepLine, TimedPart};
use super::{CellQuantity, Claim, Experiment, LineName, Measure, Paper, PaperColumn, PaperRow, PaperTable, Pick};
use crate::engine::{Cut, DeviceChoice};
use crate::schedule::{BlockScheme, SectionMemory, SplitAndMerge, ThreadsPerSample};
use crate::transforms::Parameters;
use SectionMemory::{Global, Workgroup};
use ThreadsPerSample::{Half, One};

/// The cards of the paper. The head of Table 1 says 470 GTX.
const CARDS: [&str; 3] = ["9800 GT", "295 GTX", "480 GTX"];

/// The paper with its experiments.
pub(super) fn paper() -> Paper {
    let lifting = ["direct", "split-merge", "overlapped"];
    let bank = ["filter-bank", "filter-bank-split-merge", "filter-bank-overlapped"];
    let packets = ["filter-bank", "split-merge", "overlapped"];
    Paper {
        paper: "arguello-2012".into(),
        title: "F. Argüello, D. B. Heras, M. Bóo, J. Lamas-Rodríguez: The split-and-merge method in general purpose computation on GPUs (2012)".into(),
        hardware: "Nvidia 9800 GT (14 multiprocessors, 57 GB/s), GTX 295 (30, 112 GB/s) and GTX 480 (15, 177 GB/s), CUDA 3.2, blocks of 256 threads; one core of an Intel Q9450 at 2.66 GHz".into(),
        experiments: vec![
            table_1(),
            table_2(),
            table_3("table-3", [widths_of_wavelets(), widths_of_systems()].concat(), &[(0, "(9,7)"), (5, "cyclic reduction")]),
            table_3("table-3-wavelet", widths_of_wavelets(), &[(0, "(9,7)")]),
            table_3("table-3-system", widths_of_systems(), &[(0, "cyclic reduction")]),
            table_4(),
            table_5(),
            figure_8("a", "CDF 9/7, 8 levels", over_sizes("cdf97", lifting), ["4.01", "35.7"]),
            figure_8("b", "Cyclic reduction", systems_over_sizes(), ["2.12", "57.2"]),
            figure_8("c", "D4, 8 levels", over_sizes("d4", bank), ["1.92", "25.6"]),
            figure_8("d", "D4 packets, 8 levels", over_sizes("d4-packet", packets), ["1.40", "55.6"]),
        ],
    }
}

fn line(label: impl Into<String>, transform: &str, algorithm: &str, levels: usize, cut: Cut) -> SweepLine {
    SweepLine {
        label: Some(label.into()),
        algorithm: Some(algorithm.into()),
        parameters: Parameters { levels: Some(levels), ..Parameters::default() },
        cut,
        ..SweepLine::new(transform, DeviceChoice::Gpu, Vec::new())
    }
}

/// A line of cyclic reduction.
fn reduction(label: impl Into<String>, cut: Cut) -> SweepLine {
    SweepLine { parameters: Parameters::default(), ..line(label, "tridiagonal", "cyclic-reduction", 0, cut) }
}

fn sections(levels: usize, merge: SectionMemory, threads: ThreadsPerSample, width: usize) -> Cut {
    Cut::SplitAndMerge(SplitAndMerge { levels, merge, threads, width, ..SplitAndMerge::default() })
}

fn experiment(name: &str, place: &str, title: &str, lines: Vec<SweepLine>, table: PaperTable) -> Experiment {
    Experiment {
        name: format!("arguello-2012-{name}"),
        place: place.into(),
        title: title.into(),
        about: "Beside the time of each row stand those of the paper, on its three cards.".into(),
        data: SweepData::Noise,
        buffers: BufferTime::Once,
        lines,
        exponents: vec![20],
        square: false,
        rows: None,
        every_adapter: false,
        plot: PlotQuantity::Time,
        against: 0,
        table: Some(table),
        claims: Vec::new(),
    }
}

fn texts<const N: usize>(words: [&str; N]) -> Vec<String> {
    words.map(Into::into).into()
}

fn row<const N: usize>(names: [&str; N], line: usize, printed: &str) -> PaperRow {
    let printed = printed.split(", ").filter(|text| !text.is_empty()).map(Into::into).collect();
    PaperRow { names: texts(names), lines: vec![line], exponent: None, printed }
}

/// A column of times for each card of the paper; the factors in brackets are relative to `against`.
fn cards(names: &[&str], against: Option<usize>) -> Vec<PaperColumn> {
    let column = |name: &&str| PaperColumn { heading: (*name).into(), shows: CellQuantity::Kernels, line: None, against };
    names.iter().map(column).collect()
}

fn speed_up(says: String, line: usize, than: usize, pick: Pick) -> Claim {
    let [line, than] = [line, than].map(LineName::Index);
    Claim { says, measure: Measure::SpeedUp { line, than, part: TimedPart::Kernels, pick }, stated: None }
}

/// The columns that name a row of Tables 1 and 2.
const PARAMETERS: [&str; 5] = ["Type", "L", "Split", "Merge", "T"];

/// A row of split and merge: L, the memory of the merge, T, and what the paper prints.
type SectionsRow = (usize, SectionMemory, ThreadsPerSample, &'static str);

/// The lines and rows of split and merge in Tables 1 and 2.
fn sections_rows(rows: &[SectionsRow], make: impl Fn(String, Cut) -> SweepLine) -> (Vec<SweepLine>, Vec<PaperRow>) {
    let of = |(index, (levels, merge, threads, printed)): (usize, &SectionsRow)| {
        let (memory, t) = (if *merge == Global { "global" } else { "workgroup" }, if *threads == One { "1" } else { "1/2" });
        let line = make(format!("L={levels}, merge {memory}, T={t}"), sections(*levels, *merge, *threads, 0));
        let memory = if *merge == Global { "Global" } else { "Shared" };
        (line, row(["SM", &levels.to_string(), "Shared", memory, t], index + 2, printed))
    };
    rows.iter().enumerate().map(of).unzip()
}

/// Table 1: eight levels of the (9,7) wavelet of 2^20 samples, over L, the memory of the merge and T.
fn table_1() -> Experiment {
    let direct = |label: &str, cut| line(label, "cdf97", "direct", 8, cut);
    let printed: [SectionsRow; 12] = [
        (1, Workgroup, One, "2.75 (4.59×), 0.95 (4.49×), 0.63 (3.11×)"),
        (1, Workgroup, Half, "2.41 (5.25×), 0.81 (5.29×), 0.53 (3.66×)"),
        (1, Global, One, "3.48 (3.63×), 1.37 (3.16×), 0.85 (2.30×)"),
        (1, Global, Half, "2.86 (4.42×), 1.08 (3.94×), 0.64 (3.03×)"),
        (2, Workgroup, One, "2.39 (5.29×), 0.92 (4.62×), 0.53 (3.70×)"),
        (2, Workgroup, Half, "1.70 (7.46×), 0.72 (5.93×), 0.42 (4.60×)"),
        (2, Global, One, "3.55 (3.56×), 1.44 (2.95×), 0.87 (2.24×)"),
        (2, Global, Half, "2.36 (5.35×), 1.05 (4.04×), 0.58 (3.36×)"),
        (4, Workgroup, One, "4.46 (2.83×), 1.61 (2.64×), 0.72 (2.72×)"),
        (4, Workgroup, Half, "2.75 (4.60×), 1.05 (4.07×), 0.49 (3.94×)"),
        (4, Global, One, "5.56 (2.27×), 2.10 (2.03×), 1.27 (1.53×)"),
        (4, Global, Half, "3.37 (3.75×), 1.46 (2.92×), 0.74 (2.61×)"),
    ];
    let mut lines = vec![direct("direct, T=1", Cut::StagesOf(One)), direct("direct, T=1/2", Cut::StagesOf(Half))];
    let mut rows = vec![
        row(["Global", "1", "-", "-", "1"], 0, "12.63 (1.00×), 4.26 (1.00×), 1.94 (1.00×)"),
        row(["Global", "1", "-", "-", "1/2"], 1, "16.06 (0.79×), 3.95 (1.08×), 1.10 (0.97×)"),
    ];
    let (more_lines, more_rows) = sections_rows(&printed, |label, cut| line(label, "cdf97", "split-merge", 8, cut));
    lines.extend(more_lines);
    rows.extend(more_rows);
    lines.extend([direct("direct, up to two results a thread", Cut::Stages), line("overlapped", "cdf97", "overlapped", 8, Cut::Tiles)]);
    rows.extend([row(["direct, two results (ours)", "1", "-", "-", ""], 14, ""), row(["overlapped (ours)", "", "", "", ""], 15, "")]);
    let table = PaperTable { names: texts(PARAMETERS), columns: cards(&["9800 GT", "295 GTX", "470 GTX"], Some(0)), rows };
    let claims = vec![
        speed_up("L = 2, shared memory and T = 1/2 are the best row: 7.46, 5.93 and 4.60 × as fast as direct with T = 1".into(), 7, 0, Pick::At(20)),
        speed_up("the merge in shared memory beats the one in global memory: 1.39 × at L = 2, T = 1/2 (9800 GT)".into(), 7, 9, Pick::At(20)),
        speed_up("half the threads pay: 1.41 × at L = 2 in shared memory (9800 GT)".into(), 7, 6, Pick::At(20)),
        speed_up("direct with T = 1/2 is 0.97 × as fast as with T = 1 (470 GTX; an erratum, since 1.94 ms are 1.76 times as long as its 1.10 ms)".into(), 1, 0, Pick::At(20)),
    ];
    Experiment { claims, ..experiment("table-1", "Table 1", "CDF 9/7 of 2^20 samples, 8 levels, over L, merge and T", lines, table) }
}

/// Table 2: cyclic reduction of 2^20 equations, over the memory of the merge and T.
fn table_2() -> Experiment {
    let printed: [SectionsRow; 4] = [
        (4, Workgroup, One, "5.07 (2.99×), 2.58 (2.12×), 1.40 (2.37×)"),
        (4, Workgroup, Half, "4.88 (3.10×), 2.36 (2.32×), 1.33 (2.50×)"),
        (4, Global, One, "4.94 (3.07×), 2.78 (1.97×), 1.55 (2.14×)"),
        (4, Global, Half, "5.59 (2.71×), 2.54 (2.15×), 1.44 (2.31×)"),
    ];
    let mut lines = vec![reduction("direct, T=1", Cut::StagesOf(One)), reduction("direct, T=1/2", Cut::StagesOf(Half))];
    let mut rows = vec![
        row(["Global", "1", "-", "-", "1"], 0, "15.15 (1.00×), 5.47 (1.00×), 3.32 (1.00×)"),
        row(["Global", "1", "-", "-", "1/2"], 1, "19.62 (0.77×), 4.91 (1.11×), 3.40 (0.98×)"),
    ];
    let (more_lines, more_rows) = sections_rows(&printed, reduction);
    lines.extend(more_lines);
    rows.extend(more_rows);
    lines.push(blocks());
    rows.push(row(["blocks of a row each (ours)", "", "", "", ""], 6, ""));
    let split = sections(4, Workgroup, Half, 0);
    for name in ["parallel cyclic reduction", "recursive doubling"] {
        for (how, [l, split, merge, t], cut) in [("direct", [""; 4], Cut::Stages), ("SM", ["4", "Shared", "Shared", "1/2"], split)] {
            rows.push(row([&format!("{name}, {how} (ours)"), l, split, merge, t], lines.len(), ""));
            lines.push(other_solver(name, how, cut));
        }
    }
    let table = PaperTable { names: texts(PARAMETERS), columns: cards(&CARDS, Some(0)), rows };
    let best = "shared memory and T = 1/2 are the best row: 3.10, 2.32 and 2.50 × as fast as direct with T = 1";
    let applies = "the method is applicable to recursive doubling (section 2, without a time)";
    let claims = vec![speed_up(best.into(), 3, 0, Pick::At(20)), speed_up(applies.into(), 10, 9, Pick::At(20))];
    Experiment { claims, ..experiment("table-2", "Table 2", "Cyclic reduction of 2^20 equations, over merge and T", lines, table) }
}

/// The way that the paper does not have: blocks leave one row each, and nothing else goes through global memory between the launches.
fn blocks() -> SweepLine {
    reduction("blocks that leave a row each", Cut::Tiles)
}

/// A solver that Section 2 names beside cyclic reduction and the paper does not measure.
fn other_solver(name: &str, how: &str, cut: Cut) -> SweepLine {
    SweepLine { parameters: Parameters::default(), ..line(format!("{name}, {how}"), "tridiagonal", &name.replace(' ', "-"), 0, cut) }
}

/// The widths W of Table 3, with the times of the wavelet and of the system.
const WIDTHS: [(usize, &str, &str); 5] = [
    (0, "1.70, 0.72, 0.42", "4.88, 2.36, 1.33"),
    (16, "1.97, 0.74, 0.43", "11.93, 2.41, 1.36"),
    (32, "2.03, 0.71, 0.43", "6.77, 2.34, 1.37"),
    (64, "2.18, 0.70, 0.41", "7.45, 2.35, 1.32"),
    (128, "2.35, 0.71, 0.38", "10.16, 2.36, 1.30"),
];

fn widths_of_wavelets() -> Vec<SweepLine> {
    WIDTHS.map(|(width, ..)| line(format!("(9,7), W={width}"), "cdf97", "split-merge", 8, sections(2, Workgroup, Half, width))).into()
}

fn widths_of_systems() -> Vec<SweepLine> {
    WIDTHS.map(|(width, ..)| reduction(format!("cyclic reduction, W={width}"), sections(4, Workgroup, Half, width))).into()
}

/// Table 3: the width that goes from split to merge, of the parts whose lines begin at these indices.
fn table_3(name: &str, lines: Vec<SweepLine>, parts: &[(usize, &str)]) -> Experiment {
    let headings: Vec<String> = parts.iter().flat_map(|(_, part)| CARDS.map(|card| format!("{part}, {card}"))).collect();
    let rows = WIDTHS.iter().enumerate().map(|(index, (width, wavelet, system))| {
        let printed: Vec<&str> = parts.iter().map(|(_, part)| if *part == "(9,7)" { *wavelet } else { *system }).collect();
        let lines = parts.iter().flat_map(|(first, _)| [first + index; 3]).collect();
        PaperRow { lines, ..row([&width.to_string()], 0, &printed.join(", ")) }
    });
    let columns = cards(&headings.iter().map(String::as_str).collect::<Vec<_>>(), None);
    let table = PaperTable { names: texts(["W"]), columns, rows: rows.collect() };
    let spread = |first: usize, part: &str, says: &str| Claim {
        says: format!("the times of {part} are very similar for all W: {says}"),
        measure: Measure::Spread { lines: (first..first + 5).collect() },
        stated: None,
    };
    let says = |part: &str| {
        if part == "(9,7)" {
            "1.38, 1.06 and 1.13 × from the shortest to the longest"
        } else {
            "2.44, 1.03 and 1.05 × from the shortest to the longest"
        }
    };
    let claims = parts.iter().map(|(first, part)| spread(*first, part, says(part))).collect();
    Experiment {
        claims,
        ..experiment(name, "Table 3", "2^20 samples or equations over W: CDF 9/7 with L=2, cyclic reduction with L=4", lines, table)
    }
}

/// Table 4: images, over the shapes of the blocks along rows and along columns.
fn table_4() -> Experiment {
    let direct = |label: &str, scheme| line(label, "cdf97-2", "direct", 4, Cut::StagesIn(scheme));
    let split_merge = |label: &str, scheme| {
        let cut = SplitAndMerge { levels: 1, threads: One, scheme, ..SplitAndMerge::default() };
        line(label, "cdf97-2", "split-merge", 4, Cut::SplitAndMerge(cut))
    };
    let lines = vec![
        direct("direct, rows 256×1, columns 1×256", BlockScheme::RowColumn),
        direct("direct, rows and columns 256×1", BlockScheme::Rows),
        direct("direct, rows and columns 16×16", BlockScheme::Square),
        split_merge("split-merge, rows 256×1, columns 16×16", BlockScheme::RowColumn),
        split_merge("split-merge, rows and columns 16×16", BlockScheme::Square),
        line("overlapped", "cdf97-2", "overlapped", 4, Cut::Tiles),
    ];
    let rows = vec![
        row(["Global", "256×1", "1×256"], 0, "572.05 (1.00×), 132.70 (1.00×), 20.32 (1.00×)"),
        row(["Global", "256×1", "256×1"], 1, "44.52 (12.9×), 11.92 (11.1×), 4.94 (4.12×)"),
        row(["Global", "16×16", "16×16"], 2, "44.52 (12.8×), 10.80 (12.3×), 5.21 (3.90×)"),
        row(["SM", "256×1", "16×16"], 3, "12.47 (45.9×), 4.33 (30.7×), 2.25 (9.03×)"),
        row(["SM", "16×16", "16×16"], 4, "14.95 (38.3×), 3.77 (35.2×), 2.43 (8.41×)"),
        row(["overlapped (ours)", "", ""], 5, ""),
    ];
    let table = PaperTable { names: texts(["Type", "Rows", "Columns"]), columns: cards(&CARDS, Some(0)), rows };
    let claims = vec![speed_up(
        "both schemes of split and merge take about the same time: 1.20, 0.87 and 1.08 × between them".into(),
        3,
        4,
        Pick::Largest,
    )];
    Experiment {
        square: true,
        exponents: vec![11],
        claims,
        ..experiment("table-4", "Table 4", "CDF 9/7 of 2048 × 2048, 4 levels", lines, table)
    }
}

/// Table 5: filter bank against lifting, beside two other papers.
fn table_5() -> Experiment {
    let cut = Cut::SplitAndMerge(SplitAndMerge { levels: 1, threads: One, ..SplitAndMerge::default() });
    let [bank, lifting] = ["filter-bank-split-merge", "split-merge"];
    let parts = [
        ("D4, FBS, 5 levels", "d4-2", bank, 5, ["9.12", "", "8.53"]),
        ("D4, LS, 5 levels", "d4-2", lifting, 5, ["17.9", "", "9.67"]),
        ("(9,7), FBS, 5 levels", "cdf97-2", bank, 5, ["16.5", "", "16.15"]),
        ("(9,7), LS, 5 levels", "cdf97-2", lifting, 5, ["20.7", "", "14.37"]),
        ("D4, FBS, 1 level", "d4-2", bank, 1, ["", "4.41", "3.77"]),
        ("D4, LS, 1 level", "d4-2", lifting, 1, ["", "8.05", "6.02"]),
    ];
    let mut lines: Vec<SweepLine> =
        parts.map(|(label, transform, algorithm, levels, _)| line(label, transform, algorithm, levels, cut)).into();
    let mut rows: Vec<PaperRow> = (parts.iter().enumerate())
        .map(|(index, (label, .., printed))| PaperRow { printed: texts(*printed), ..row([label], index, "") })
        .collect();
    for (label, algorithm) in [("FBS", "filter-bank-transposed"), ("LS", "transposed")] {
        let label = format!("D4, {label}, 1 level, as [18] with a transpose (ours)");
        rows.push(row([&label], lines.len(), ""));
        lines.push(line(label, "d4-2", algorithm, 1, Cut::Stages));
    }
    let columns = cards(&["[17], 7800 GTX", "[18], C870", "SM, 8800 GTS"], None);
    let table = PaperTable { names: texts(["Wavelet"]), columns, rows };
    let claims = vec![
        speed_up("the filter bank of D4 takes less time than its lifting: 1.13 × at 5 levels".into(), 0, 1, Pick::Largest),
        speed_up("lifting of (9,7) takes less time than its filter bank: 1.12 ×".into(), 3, 2, Pick::Largest),
        speed_up("split and merge takes less time than a transpose between rows and columns: 1.17 × (FBS)".into(), 4, 6, Pick::Largest),
        speed_up("split and merge takes less time than a transpose between rows and columns: 1.34 × (LS)".into(), 5, 7, Pick::Largest),
    ];
    let about = "By split and merge, one level a section, and as [18] has it: rows, transpose, rows, a launch a step. The cards of the three papers differ.";
    Experiment {
        square: true,
        exponents: vec![11],
        claims,
        about: about.into(),
        ..experiment("table-5", "Table 5", "Images of 4 megapixels: filter bank (FBS) and lifting (LS)", lines, table)
    }
}

/// The lines of a wavelet in Figure 8: direct, split and merge, overlapped, and one core.
fn over_sizes(transform: &str, [direct, split_merge, overlapped]: [&str; 3]) -> Vec<SweepLine> {
    vec![
        line("direct", transform, direct, 8, Cut::Stages),
        line("split-merge", transform, split_merge, 8, Cut::SplitAndMerge(SplitAndMerge::default())),
        line("overlapped", transform, overlapped, 8, Cut::Tiles),
        SweepLine { device: DeviceChoice::CpuLocal, ..line("one core", transform, direct, 8, Cut::Stages) },
    ]
}

/// The lines of the systems in Figure 8.
fn systems_over_sizes() -> Vec<SweepLine> {
    vec![
        reduction("direct", Cut::Stages),
        reduction("split-merge", sections(4, Workgroup, Half, 0)),
        blocks(),
        SweepLine { device: DeviceChoice::CpuLocal, ..reduction("one core", Cut::Stages) },
    ]
}

/// Figure 8: the direct way against split and merge over the size, with what its text says of 2^20.
fn figure_8(letter: &str, title: &str, lines: Vec<SweepLine>, [over_direct, over_core]: [&str; 2]) -> Experiment {
    let column = |heading: &str, shows, line, against| PaperColumn { heading: heading.into(), shows, line: Some(line), against };
    let ours = format!("{} (ours)", lines[2].label.as_deref().unwrap_or_default());
    let columns = vec![
        column("direct", CellQuantity::Kernels, 0, None),
        column("SM", CellQuantity::Kernels, 1, None),
        column("speedup", CellQuantity::Faster, 1, Some(0)),
        column("one core", CellQuantity::Kernels, 3, None),
        column("speedup over one core", CellQuantity::Faster, 1, Some(3)),
        column(&ours, CellQuantity::Kernels, 2, None),
    ];
    let sizes: Vec<u32> = (14..=24).step_by(2).collect();
    let rows = sizes.iter().map(|&exponent| {
        // The text gives the speed-ups at this size alone.
        let printed = if exponent == 20 { texts(["", "", over_direct, "", over_core]) } else { Vec::new() };
        PaperRow { names: vec![format!("2^{exponent}")], exponent: Some(exponent), printed, lines: Vec::new() }
    });
    let table = PaperTable { names: texts(["size"]), columns, rows: rows.collect() };
    let claims = vec![
        speed_up(format!("split and merge is {over_direct} × as fast as direct at 2^20"), 1, 0, Pick::At(20)),
        speed_up(format!("split and merge is {over_core} × as fast as one core at 2^20"), 1, 3, Pick::At(20)),
    ];
    Experiment {
        exponents: sizes.clone(),
        about: "The direct way beside split and merge, overlapped tiles and one core of the CPU, over the size.".into(),
        claims,
        ..experiment(&format!("fig-8{letter}"), "Figure 8", title, lines, table)
    }
}

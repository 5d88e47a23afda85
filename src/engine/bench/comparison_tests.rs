//! Filled tables and tested claims, by records whose times are made up.

use super::record::tests::measurement;
use super::*;
use crate::engine::DeviceChoice;
use crate::figure::FigureFormat;
use crate::transforms::Shape;

/// A record of an experiment at these sizes; the case of a line and a size takes `micros`, or is left out.
fn record(name: &str, sizes: &[u32], micros: impl Fn(usize, usize) -> Option<f64>) -> Record {
    let (_, experiment) = experiment(name).expect("it is there");
    let shapes: Vec<Shape> = sizes.iter().map(|k| experiment.shape(*k)).collect();
    let sweep = experiment.sweep(&shapes, &[], SweepSettings::default());
    let mut record = Record::begun(0, sweep);
    record.end = SweepEnd::OutOfTime;
    for (index, line) in record.sweep.lines.iter().enumerate() {
        for (place, &shape) in line.shapes.iter().enumerate() {
            let Some(micros) = micros(index, place) else { continue };
            let on_gpu = line.device == DeviceChoice::Gpu;
            let one =
                Measurement { shape, on_gpu, kernel_micros: vec![vec![micros]], operations: micros * 5e3, ..measurement(index, 1, micros) };
            record.measurements.push(one);
        }
    }
    record
}

fn only(record: &Record) -> ComparisonTable {
    let (_, experiment) = record.sweep.experiment.as_deref().and_then(experiment).expect("it is there");
    let mut tables = comparison(experiment, Some(record));
    assert_eq!(tables.len(), 1);
    tables.remove(0)
}

#[test]
fn every_cell_has_our_number_the_one_in_print_and_the_ratio() {
    // 5 operations a nanosecond in every case, so that every rate is 5 Gflop/s.
    let table = only(&record("li-2012-table-1", &[24], |_, _| Some(10.0)));
    let ours = ("twiddles from a table (ours), Gflop/s".into(), 1);
    assert_eq!(table.groups[1..], [("Xeon X5650, Gflop/s".into(), 3), ("Tesla M2070, Gflop/s".into(), 3), ours]);
    assert_eq!(table.headings, ["N = 2^24", "here", "paper", "ratio", "here", "paper", "ratio", "here"]);
    assert_eq!(table.rows[0], ["radix-2", "5", "3.38", "1.48", "5", "25.66", "0.195", "5"]);
    assert_eq!(table.rows.len(), 3);
}

#[test]
fn a_number_that_was_measured_once_stands_once_before_the_cards() {
    let table = only(&record("arguello-2012-table-1", &[20], |line, _| Some(if line == 0 { 2000.0 } else { 500.0 })));
    assert_eq!(table.headings[..8], ["Type", "L", "Split", "Merge", "T", "here", "paper", "ratio"]);
    assert_eq!(table.rows[0][5..8], ["2 (1×)", "12.63 (1.00×)", "6.32"]);
    assert_eq!(table.rows[1][4..8], ["1/2", "0.5 (4×)", "16.06 (0.79×)", "32.1"]);
    assert_eq!(table.rows[15][5..8], ["0.5 (4×)", "", ""], "what the paper does not have");
}

#[test]
fn a_smaller_size_than_that_of_the_paper_has_no_ratio_and_says_why() {
    let table = only(&record("arguello-2012-table-2", &[14], |_, _| Some(500.0)));
    assert_eq!(table.rows[0][5..8], ["0.5 (1×)", "15.15 (1.00×)", ""]);
    assert!(table.notes.contains(&"no ratio: the paper measured 2^20, this run 2^14".to_owned()), "{:?}", table.notes);
    let names: Vec<&str> = table.rows[6..].iter().map(|row| row[0].as_str()).collect();
    let scans = [
        "parallel cyclic reduction, direct (ours)",
        "parallel cyclic reduction, SM (ours)",
        "recursive doubling, direct (ours)",
        "recursive doubling, SM (ours)",
    ];
    assert_eq!(names, [&["blocks of a row each (ours)"][..], &scans].concat());
    assert!(table.rows[6..].iter().all(|row| row[5] == "0.5 (1×)"));
    let full = only(&record("arguello-2012-table-2", &[20], |_, _| Some(500.0)));
    assert!(full.notes.iter().all(|note| !note.starts_with("no ratio")), "{:?}", full.notes);
}

#[test]
fn what_was_not_measured_is_named_and_kept() {
    let table = only(&record("li-2012-table-2", &[15, 18, 20], |line, size| (line == 0 && size != 1).then_some(10.0)));
    let first: Vec<&str> = table.rows.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(first, ["15", "18", "20", "21", "24", "27"], "the rows of the paper, and another size where it belongs");
    // The operations of the definition, N² and N·(N − 1), and N·log2 N follow from the size.
    assert_eq!(table.rows[1][..8], ["18", "–", "5.21", "", "–", "39.19", "", "–"]);
    let counts = |row: &[String]| row[8..].iter().map(|cell| cell.replace('\u{2009}', "")).collect::<Vec<_>>();
    assert_eq!(counts(&table.rows[1]), ["6.87e10", "6.87e10", "4718592"]);
    assert_eq!(counts(&table.rows[0]), ["1.07e9", "1.07e9", "491520"]);
    assert!(table.notes.iter().any(|note| note.contains("Xeon X5650") && note.contains("left out")), "{:?}", table.notes);
    assert!(table.notes.iter().any(|note| note.contains("not among the sizes") || note.contains("too large")), "{:?}", table.notes);
    assert!(table.rows[5][6].is_empty(), "the paper prints nothing at 2^20");
    let (_, experiment) = experiment("li-2012-table-2").expect("it is there");
    let before = &comparison(experiment, None)[0];
    assert!(before.rows[0][2] == "1.22" && before.notes.iter().any(|note| note.contains("not measured yet")), "{before:?}");
}

#[test]
fn every_experiment_has_a_table_in_every_format() {
    for experiment in papers().iter().flat_map(|paper| &paper.experiments) {
        let tables = comparison(experiment, None);
        assert!(tables.iter().all(|table| table.rows.iter().all(|row| row.len() == table.headings.len())), "{}", experiment.name);
        let spans = |table: &ComparisonTable| table.groups.iter().map(|(_, n)| n).sum::<usize>();
        assert!(tables.iter().all(|table| spans(table) == table.headings.len() && !table.rows.is_empty()), "{}", experiment.name);
        let svg = tables_as_figure(&tables).bytes(FigureFormat::Svg).expect("SVG holds all");
        let (tex, csv, svg) = (tables_as_tex(&tables), tables_as_csv(&tables), String::from_utf8(svg).expect("it is text"));
        assert!(
            tex.matches("\\begin{tabular}").count() == tables.len()
                && !tex.lines().any(|line| !line.starts_with('%') && line.contains('×')),
            "{tex}"
        );
        assert_eq!(csv.lines().filter(|line| !line.is_empty()).count(), tables.iter().map(|table| 1 + table.rows.len()).sum::<usize>());
        assert!(svg.contains(&experiment.place) && quick_xml::Reader::from_str(&svg).read_event().is_ok());
        assert!(tables.iter().all(|table| table.text().lines().count() == 3 + table.rows.len() + table.notes.len()), "{}", experiment.name);
    }
}

#[test]
fn a_drawn_table_is_no_wider_than_its_columns_and_a_line_of_notes() {
    let ran = record("sorman-2016-fig-6-1", &[4, 10, 12, 20], |line, size| (line + size != 3).then_some(10.0));
    let table = only(&ran);
    assert!(table.notes.iter().all(|note| note.chars().count() < 300), "{:?}", table.notes);
    let [width, _] = tables_as_figure(std::slice::from_ref(&table)).size;
    let text = table.text();
    let letters = text.lines().skip(1).take(2 + table.rows.len()).map(|line| line.chars().count()).max().unwrap_or(0);
    assert!(width < 6.2 * letters.max(80) as f32 + 30.0, "{width} points");
    assert!(tables_as_tex(&[table]).contains("\n2$^{10}$ & 0.01 & "), "a power of two in TeX");
}

#[test]
fn claims_are_tested_at_their_sizes() {
    let says = |record: &Record| paper_notes(record).join("\n");
    // CPU A, CPU B and both GPU lines at 2^10, 2^11 and 2^12.
    let times = [[100.0, 200.0, 6100.0], [40.0, 45.0, 500.0], [50.0, 40.0, 100.0], [50.0, 44.0, 120.0]];
    let text = says(&record("gajic-2011-fig-4a", &[10, 11, 12], |line, size| Some(times.get(line)?[size])));
    for words in [
        "up to 104 × as fast as CPU A, by calculation time; here 61 × at 2¹²",
        "CPU B is up to 21 × as fast as CPU A; here 12.2 × at 2¹²",
        "by calculation time; here 1 × at 2¹⁰ to 1.2 × at 2¹²",
        "25 to 75 % of the total time of the GPU; here ",
        "worth it from about n = 18 on, with transfers; here from 2¹¹ on",
    ] {
        assert!(text.contains(words), "{words} is missing in\n{text}");
    }
    let never = says(&record("sorman-2016-fig-6-8", &[6], |line, _| Some([10.0, 400.0, 150.0, 100.0][line])));
    assert!(never.contains("40 × as fast as one thread of the CPU on large images; here 40 × at 64 × 64"), "{never}");
    assert!(never.contains("cuFFT is 36 × as fast as FFTW") && never.contains("not tested here: no line is named cuFFT"), "{never}");
}

#[test]
fn the_threads_of_a_block_have_the_rows_of_the_thesis() {
    let ran = record("sorman-2016-table-5-1", &[20], |line, _| (line != 6).then_some([40.0, 30.0, 20.0, 25.0][line % 4]));
    let table = only(&ran);
    assert_eq!(table.headings[..5], ["Device", "Technology", "Threads / Block", "Max Threads", "Shared memory"]);
    assert_eq!(table.rows[0], ["GeForce GTX 670", "CUDA", "1024", "1024", "49152", "0.025", "0.025"]);
    assert_eq!(table.rows[1][5..], ["0.02", "–"]);
    assert_eq!(table.notes, ["– GeForce GTX 670 OpenCL 512 49152 (2D): left out, as the time was up"]);
    let text = paper_notes(&ran).join("\n");
    assert!(text.contains("here 512 threads, 1D, 2 × as fast as the slowest, at 2²⁰"), "{text}");
    assert!(text.contains("not tested here: no GPU was measured"), "{text}");
}

#[test]
fn lines_of_another_record_stand_among_ours() {
    let ours = record("sorman-2016-table-6-2", &[24], |line, _| Some(if line % 3 == 0 { 10.0 } else { 100.0 }));
    let mut other = record("sorman-2016-table-6-2", &[24], |line, _| (line == 0).then_some(2.0));
    other.sweep.lines.truncate(1);
    other.sweep.lines[0] = SweepLine { label: Some("cuFFT".into()), algorithm: Some("cufft".into()), ..other.sweep.lines[0].clone() };
    let table = only(&ours.with(other));
    assert_eq!(table.rows[1], ["OpenMP", "10", "×13", "0.769", "10", "×15", "0.667"]);
    assert_eq!(table.rows[3], ["cuFFT", "0.2", "", "", "–", "", ""]);
    let images = record("sorman-2016-fig-6-8", &[6], |line, _| Some([10.0, 400.0, 150.0, 72.0][line]));
    let mut library = images.clone();
    library.sweep.lines.truncate(1);
    library.measurements.truncate(1);
    library.sweep.lines[0].label = Some("cuFFT".into());
    library.sweep.lines[0].algorithm = Some("cufft".into());
    library.measurements[0].kernel_micros = vec![vec![2.0]];
    // A library has measured sequences, too, which an experiment on images leaves out.
    let mut both = images.clone();
    both.sweep.lines.truncate(2);
    both.sweep.lines.iter_mut().for_each(|line| line.label = Some("FFTW".into()));
    both.sweep.lines[0].transform = "dft".into();
    both.measurements.truncate(2);
    let joined = images.clone().with(both);
    assert_eq!(joined.sweep.lines.iter().skip(4).map(|line| line.label.as_deref()).collect::<Vec<_>>(), [Some("FFTW")]);
    let more: Vec<_> = joined.measurements[4..].iter().map(|measured| (measured.line, measured.kernel_micros.clone())).collect();
    assert_eq!(more, [(4, images.measurements[1].kernel_micros.clone())]);
    let text = paper_notes(&images.with(library)).join("\n");
    assert!(text.contains("36 × as fast as FFTW on large enough data (here: rustfft); here 36 × at 64 × 64"), "{text}");
}

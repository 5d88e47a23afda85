//! Tests of records, and the records that other tests read.

use super::*;
use crate::bench::{SweepLine, SweepSettings};
use crate::engine::{Cut, DeviceChoice};

pub(crate) fn measurement(line: usize, columns: usize, micros: f64) -> Measurement {
    let run = |total: f64| RunTimes {
        buffers: 0.0,
        upload: rounded(0.2 * total),
        kernel: rounded(0.5 * total),
        download: rounded(0.25 * total),
        total: rounded(total),
    };
    Measurement {
        line,
        shape: Shape { rows: 4, columns },
        algorithm: "stockham".into(),
        reason: "the fastest, \"as estimated\"".into(),
        device: "A GPU, of 8 GiB (driver 1)".into(),
        software_gpu: line == 1,
        on_gpu: true,
        precision: Precision::Single,
        lanes: "complex f32".into(),
        n_uploads: 2,
        n_launches: 2,
        bytes_once: 64 * columns as u64,
        bytes_moved: Some(128 * columns as u64),
        operations: 20.0 * columns as f64 * (columns as f64).log2(),
        device_clock: true,
        prepare_micros: 1000.5,
        open_micros: 250.5,
        compile_micros: 500.25,
        rotated_bytes: 1 << 20,
        kernel_micros: vec![vec![micros, rounded(1.1 * micros)], vec![rounded(0.9 * micros)]],
        runs: vec![vec![run(2.0 * micros)], vec![run(2.5 * micros), run(3.0 * micros)]],
        copy_micros: Some(rounded(micros / 3.0)),
        launch_copies_micros: Some(rounded(micros / 1.5)),
        error: 1.5e-7,
        tolerance: 1e-5,
    }
}

pub(crate) fn record() -> Record {
    let shapes = vec![Shape { rows: 4, columns: 1024 }, Shape { rows: 4, columns: 2048 }];
    let line = |device, label: Option<&str>| SweepLine { label: label.map(Into::into), ..SweepLine::new("dft", device, shapes.clone()) };
    let sweep = Sweep {
        name: "a sweep; of \"two\" lines".into(),
        experiment: None,
        differences: Vec::new(),
        lines: vec![line(DeviceChoice::Gpu, None), line(DeviceChoice::Adapter("A, B".into()), Some("the other"))],
        settings: SweepSettings { budget_secs: Some(1.5), ..SweepSettings::default() },
    };
    Record {
        taken_at: 1_700_000_000,
        machine: Machine { adapters: crate::gpu::adapters(), ..Machine::here() },
        sweep,
        measurements: vec![measurement(0, 1024, 12.5), measurement(0, 2048, 25.25), measurement(1, 1024, 100.0)],
        failures: vec![CaseFailure { line: 1, shape: shapes_of(2048), reason: "too \"large\", by far".into() }],
        end: SweepEnd::Cancelled,
        yardstick_micros: vec![250.5, 251.25, 250.75],
    }
}

fn shapes_of(columns: usize) -> Shape {
    Shape { rows: 4, columns }
}

#[test]
fn a_record_is_read_back_as_it_was_written() {
    let record = record();
    assert_eq!(Record::from_json(&record.to_json()).as_ref(), Ok(&record));
    assert_eq!(Record::from_csv(&record.to_csv()).as_ref(), Ok(&record));
    let folder = tempfile::TempDir::new().expect("there is room for a folder");
    for name in ["times.json", "times.CSV"] {
        let path = folder.path().join(name);
        record.save(&path).expect("the folder is there");
        assert_eq!(Record::load(&path).expect("it was just written"), record);
    }
}

#[test]
fn one_thread_of_an_earlier_version_keeps_its_loops() {
    let (mut now, at) = (record(), record().measurements[0].clone());
    now.sweep.lines = Vec::new();
    now.measurements = Vec::new();
    let cases = [
        // A launch a stage, and Kronecker steps in one launch.
        ("dft", "cooley-tukey", DeviceChoice::Cpu, Cut::Stages, true),
        ("walsh", "cooley-tukey", DeviceChoice::Cpu, Cut::Tiles, true),
        // Fused passes, a library, sections and other devices.
        ("dft", "cooley-tukey", DeviceChoice::Cpu, Cut::Tiles, false),
        ("dft", "rustfft", DeviceChoice::Cpu, Cut::Tiles, false),
        ("cdf97", "direct", DeviceChoice::Cpu, Cut::SplitAndMerge(Default::default()), false),
        ("walsh", "cooley-tukey", DeviceChoice::CpuParallel, Cut::Stages, false),
        ("walsh", "cooley-tukey", DeviceChoice::CpuStrided, Cut::Stages, false),
    ];
    for (index, (transform, algorithm, device, cut, _)) in cases.iter().enumerate() {
        let shape = Shape::line(64);
        now.sweep.lines.push(SweepLine {
            cut: *cut,
            algorithm: Some((*algorithm).into()),
            ..SweepLine::new(transform, device.clone(), vec![shape])
        });
        now.measurements.push(Measurement { line: index, shape, algorithm: (*algorithm).into(), ..at.clone() });
    }
    now.failures = Vec::new();
    let json = now.to_json().replace(&format!("\"version\": {VERSION}"), "\"version\": 1");
    let csv = now.to_csv().replace(&format!(",{VERSION}\n"), ",1\n");
    for then in [Record::from_json(&json), Record::from_csv(&csv)] {
        let then = then.expect("it is a record");
        for ((line, measurement), (transform, algorithm, device, cut, is_local)) in
            then.sweep.lines.iter().zip(&then.measurements).zip(&cases)
        {
            let expected = if *is_local { &DeviceChoice::CpuLocal } else { device };
            assert_eq!(&line.device, expected, "{transform} by {algorithm}, {cut:?}");
            assert_eq!(measurement.device.contains("local"), *is_local, "{transform} by {algorithm}, {cut:?}");
        }
    }
    assert_eq!(Record::from_json(&now.to_json()).as_ref(), Ok(&now), "a record of today is as it says");
}

#[test]
fn what_is_no_record_is_refused_in_one_line() {
    let (json, csv) = (record().to_json(), record().to_csv());
    let strange = [
        json.replace(&format!("\"version\": {VERSION}"), "\"version\": 7"),
        json.replace(FORMAT, "shopping\\nlist"),
        json.replace("\"line\": 1", "\"line\": 12"),
        json.replace("\"dft\"", "[]"),
        json.replace("\"single\"", "\"s\\ngle\""),
        "{".into(),
    ];
    let tables = [csv.replace("12.5", "twelve"), "a,b\n1,2\n".into(), String::new(), csv.lines().next().unwrap_or_default().into()];
    let read = strange.iter().map(|text| Record::from_json(text)).chain(tables.iter().map(|text| Record::from_csv(text)));
    for error in read.map(|read| read.expect_err("it is none")) {
        assert!(!error.contains('\n') && !error.is_empty(), "{error}");
    }
    assert!(Record::load(Path::new("times.txt")).is_err_and(|error| error.to_string().contains(".json")));
    assert!(Record::load(Path::new("no such file.json")).is_err_and(|error| error.to_string().contains("no such file.json")));
}

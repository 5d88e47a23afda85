//! Warnings about a record: wrong results, failures, noise and slow processors, one line each.

use super::record::{Measurement, Record, SweepEnd};
use super::statistics::{drift, slowdown};
use super::{SweepLine, legend_name, yardstick};
use crate::engine::Cut;
use crate::statistics::median;
use crate::transforms::Shape;
use std::collections::BTreeMap;

/// A measurement is noisy if its quartiles are farther apart than this share of the median.
const NOISY: f64 = 0.1;
/// A device is throttled if its late runs take this many times as long as its early ones.
const THROTTLED: f64 = 1.08;

/// All warnings: first about results, then about times.
pub fn warnings(record: &Record) -> Vec<String> {
    let mut lines = Vec::new();
    let all = &record.measurements;
    for wrong in all.iter().filter(|measurement| !measurement.is_right()) {
        let (transform, size) = (&record.sweep.lines[wrong.line].transform, size(wrong));
        lines.push(format!(
            "WRONG: {transform} of {size} by {} on {} is off by {:.1e}, and {:.1e} is rounding; its time means nothing",
            wrong.algorithm, wrong.device, wrong.error, wrong.tolerance
        ));
    }
    for failure in &record.failures {
        let transform = &record.sweep.lines[failure.line].transform;
        lines.push(format!("not measured: {transform} of {} × {}: {}", failure.shape.rows, failure.shape.columns, failure.reason));
    }
    match record.end {
        SweepEnd::Complete | SweepEnd::Open => {}
        SweepEnd::Cancelled => lines.push("cancelled: what was measured until then is kept".into()),
        SweepEnd::OutOfTime => lines.push("the time was up: what was measured until then is kept".into()),
    }
    lines.extend(notes(record));
    let left_out = left_out(record);
    if !left_out.is_empty() && record.end != SweepEnd::Open {
        lines.push(format!("not measured in that time: {}", left_out.join("; ")));
    }
    if record.machine.is_debug_build() {
        lines.push("this is a debug build, so the times on the CPU mean little: make a release build".into());
    }
    for device in devices(all, |measurement| measurement.software_gpu) {
        lines.push(format!("{device} is a GPU emulated by software: right, but no guide to speed"));
    }
    for device in devices(all, |measurement| measurement.on_gpu && !measurement.device_clock) {
        lines.push(format!("launches on {device} were timed by the clock of the host, as submissions of many runs"));
    }
    lines.extend(yardstick::warning(&record.yardstick_micros));
    lines.extend(throttled(all));
    let noisy = all.iter().filter(|measurement| measurement.kernel().spread() > NOISY).count();
    if noisy > 0 {
        lines.push(format!("noise: in {noisy} of {} cases the quartiles are more than 10 % of the median apart", all.len()));
    }
    lines
}

/// The changes of schedules that were asked for with their settings, each note once.
fn notes(record: &Record) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for case in record.measurements.iter().filter(|case| !case.reason.is_empty()) {
        let line = &record.sweep.lines[case.line];
        let note = format!("{}, {}: {}", legend_name(record, case.line), size(case), case.reason);
        if line.algorithm.is_some()
            && matches!(line.cut, Cut::SplitAndMerge(_) | Cut::Overlapped(_) | Cut::TilesOf(_) | Cut::Blocks(_))
            && !notes.contains(&note)
        {
            notes.push(note);
        }
    }
    notes
}

/// The cases without a measurement, by the name of their line. Equal cases of two lines are measured once.
fn left_out(record: &Record) -> Vec<String> {
    let lines = record.sweep.lines.iter().enumerate();
    let is_known = |line: usize, shape: Shape| {
        let alike = |other: usize| {
            let [one, other] = [line, other].map(|line| &record.sweep.lines[line]);
            one.asks_as(other)
        };
        let measured = record
            .measurements
            .iter()
            .any(|case| case.shape == shape && (case.line == line || record.end == SweepEnd::Complete && alike(case.line)));
        measured || record.failures.iter().any(|failure| (failure.line, failure.shape) == (line, shape))
    };
    let name = |index: usize, line: &SweepLine, shape: Shape| {
        let rows = if shape.rows == 1 { String::new() } else { format!("{} × ", shape.rows) };
        let told = line.label.clone().unwrap_or_else(|| legend_name(record, index));
        format!("{told}, {rows}{}", shape.columns)
    };
    lines
        .flat_map(|(index, line)| {
            line.shapes.iter().filter(move |&&shape| !is_known(index, shape)).map(move |&shape| name(index, line, shape))
        })
        .collect()
}

/// Warnings about devices whose last runs took longer than the first, or about single cases that became slower.
fn throttled(all: &[Measurement]) -> Vec<String> {
    let mut ratios: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for measurement in all {
        ratios.entry(&measurement.device).or_default().extend(drift(&measurement.kernel_micros.concat()));
    }
    let mut lines: Vec<String> = ratios
        .into_iter()
        .filter(|(_, ratios)| ratios.len() > 2)
        .filter_map(|(device, ratios)| Some((device, median(ratios)?)))
        .filter(|(_, ratio)| *ratio > THROTTLED)
        .map(|(device, ratio)| {
            format!("{device} became slower: its last runs took {ratio:.2} times as long as its first; it is throttled, or busy with something else")
        })
        .collect();
    if lines.is_empty() {
        let slower = all.iter().filter(|measurement| slowdown(&measurement.kernel_micros).is_some()).count();
        if slower > 0 {
            lines.push(format!("{slower} of {} cases became slower while they were measured: something throttles, or was busy", all.len()));
        }
    }
    lines
}

/// The devices of the measurements that `is_meant` selects, each once.
fn devices(all: &[Measurement], is_meant: impl Fn(&Measurement) -> bool) -> Vec<&str> {
    let mut devices: Vec<&str> = Vec::new();
    for measurement in all.iter().filter(|measurement| is_meant(measurement)) {
        if !devices.contains(&measurement.device.as_str()) {
            devices.push(&measurement.device);
        }
    }
    devices
}

/// "rows × columns", or the number of columns of one row.
fn size(measurement: &Measurement) -> String {
    match measurement.shape.rows {
        1 => measurement.shape.columns.to_string(),
        rows => format!("{rows} × {}", measurement.shape.columns),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::record::tests::{measurement, record};

    fn text_of(measurements: Vec<Measurement>) -> String {
        warnings(&Record { measurements, ..record() }).join("\n")
    }

    #[test]
    fn everything_that_casts_doubt_is_said() {
        let text = text_of(vec![
            Measurement { error: 0.5, ..measurement(0, 1024, 3.0) },
            Measurement { kernel_micros: vec![vec![10.0, 14.0, 8.0]], ..measurement(1, 1024, 3.0) },
        ]);
        for words in ["WRONG: dft of 4 × 1024", "cancelled", "too \"large\"", "emulated by software", "noise"] {
            assert!(text.contains(words), "{words} is missing in\n{text}");
        }
        assert!(!text.contains("became slower"), "{text}");
        let wall = Measurement { device_clock: false, ..measurement(0, 1024, 3.0) };
        assert!(text_of(vec![wall]).contains("clock of the host"));
    }

    #[test]
    fn a_throttled_device_is_named() {
        let hot = |columns| Measurement {
            device: "CPU, 1 thread".into(),
            kernel_micros: vec![vec![10.0, 10.1, 10.0], vec![11.0, 11.2, 11.1], vec![13.0, 13.1, 13.2]],
            ..measurement(0, columns, 1.0)
        };
        let text = text_of([1024, 2048, 4096].map(hot).to_vec());
        assert!(text.contains("CPU, 1 thread became slower: its last runs took 1.31 times"), "{text}");
        assert!(text_of(vec![hot(1024)]).contains("1 of 1 cases became slower"));
    }
}

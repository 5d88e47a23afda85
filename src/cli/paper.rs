//! `papillon bench --paper`: the experiments of a paper on a device of today, with the times that the paper prints.

use super::arguments::BenchArguments;
use super::{Failure, output, say};
use crate::bench::paper::{Line, Measured, Table, arguello_2012, measure};
use crate::engine::{DeviceChoice, Place};
use std::sync::atomic::AtomicBool;

pub(super) fn run(arguments: &BenchArguments) -> Result<(), Failure> {
    // Without a word about it any adapter serves, a software one too.
    let choice = match &arguments.device[..] {
        [only] => only.clone(),
        _ => DeviceChoice::Gpu,
    };
    let (place, _) = super::devices::here().place(&choice)?;
    let Place::Gpu(device) = place else {
        return Err(Failure::Call("--paper measures kernels on a GPU: take -d gpu, or one of papillon devices".into()));
    };
    say(&format!("medians of {} runs of the launches alone, in microseconds, on {}", arguments.repeat, place_name(&device)));
    for table in arguello_2012() {
        let mut rows = Vec::new();
        for line in &table.lines {
            let measured = measure(line, &device, arguments.repeat.get(), &AtomicBool::new(false));
            rows.push((line, measured.map_err(|error| Failure::Work(format!("{}: {error}", line.label)))?));
        }
        output::print(&text(&table, &rows))?;
    }
    Ok(())
}

fn place_name(device: &crate::gpu::Device) -> String {
    device.info().name.clone()
}

/// A table as text: our times, the speed-up over its first line, copies of the samples, and the paper's times with theirs.
fn text(table: &Table, rows: &[(&Line, Measured)]) -> String {
    let width = rows.iter().map(|(line, _)| line.label.chars().count()).max().unwrap_or(0);
    let mut text = format!(
        "\n{}\n{:width$}  {:>10} {:>8} {:>8} {:>8} {:>9} {:>9}",
        table.title, "", "µs", "speed-up", "copies", "launches", "split µs", "merge µs"
    );
    for device in table.devices {
        text += &format!("  {device:>9} ms (speed-up)");
    }
    text.push('\n');
    for (line, measured) in rows {
        // What has a size of its own is compared with the first line of that size.
        let first = rows.iter().find(|(other, _)| other.shape == line.shape);
        let speed_up = first.map_or(1.0, |(_, first)| first.micros / measured.micros);
        let [split, merge] = measured.sections;
        text += &format!(
            "{:width$}  {:>10.1} {:>7.2}× {:>8.2} {:>8} {:>9.1} {:>9.1}",
            line.label,
            measured.micros,
            speed_up,
            measured.micros / measured.copy_micros,
            measured.n_launches,
            split,
            merge
        );
        for (device, printed) in line.printed.iter().enumerate() {
            let speed_up = table.lines[0].printed.get(device).map_or(1.0, |first| first / printed);
            text += &format!("  {printed:>9.2}    ({speed_up:>5.2}×) ");
        }
        text.push('\n');
    }
    text
}

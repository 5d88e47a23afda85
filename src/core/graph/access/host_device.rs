//! The host, the device, and the data that travel between them, with the times of a run.
//!
//! D. B. Gajić, R. S. Stanković, GPU accelerated computation of fast spectral transforms (2011), Figure 1.

use crate::figure::{Anchor, Figure, Ink, Mark, Pen, Position, Series, fitted};
use crate::numerals::{duration, integer};

/// Size of texts and height of a line, in points.
const TEXT: f32 = 12.0;
const LINE: f32 = 18.0;
/// Width of the host's box and of an arrow, as parts of the figure.
const HOST: f32 = 0.2;
const ARROW: f32 = 0.28;
/// Half the height of an arrowhead, in points.
const HEAD: f32 = 6.0;

/// A run on a device.
#[derive(Debug, Clone, PartialEq)]
pub struct HostDevice {
    /// The device.
    pub device: String,
    /// The bytes that go to the device, and those that come back.
    pub values: [String; 2],
    /// The time of the upload and of the download, in µs.
    pub transfer_micros: [f64; 2],
    /// The stages and the time in µs of every launch.
    pub launches: Vec<(String, f64)>,
}

/// The figure: two boxes with the upload and the download between them, and in the device its launches, each as long as its time.
pub fn host_device_figure(run: &HostDevice, size: [f32; 2]) -> Figure {
    let [width, height] = size;
    let (host, device) = (HOST * width, (HOST + ARROW) * width);
    let mut marks = Vec::new();
    let mut draw_box = |from: f32, to: f32, lines: &[&str]| {
        let corners = [[from + 1.0, 1.0], [to - 1.0, height - 1.0]];
        marks.push(Mark::Frame { corners, radius: 4.0, pen: Pen::solid(Ink::Rule, 1.5) });
        for (index, line) in lines.iter().enumerate() {
            let ink = if index == 0 { Ink::Text } else { Ink::Weak };
            marks.push(Mark::text(
                [from + 10.0, (index as f32 + 0.8) * LINE],
                Anchor::Left,
                TEXT,
                fitted(line, TEXT, to - from - 20.0),
                ink,
            ));
        }
    };
    draw_box(0.0, host, &["Host", "samples and result", "in its memory"]);
    draw_box(device, width, &["Device", &run.device, "data in global memory"]);
    let values = &run.values;
    for (index, (name, series)) in [("upload", Series::Upload), ("download", Series::Download)].into_iter().enumerate() {
        let y = height * (0.3 + 0.4 * index as f32);
        let ends = if index == 0 { [host, device] } else { [device, host] };
        marks.extend(arrow(ends.map(|x| [x, y]), Ink::Series(series)));
        let text = |line: f32, text: String, ink| Mark::text([0.5 * (host + device), y + line * LINE], Anchor::Centre, TEXT, text, ink);
        marks.push(text(-0.7, format!("{name}, {}", duration(run.transfer_micros[index])), Ink::Text));
        marks.push(text(0.7, values[index].clone(), Ink::Weak));
    }
    launches(&mut marks, run, [device + 10.0, width - 10.0], [3.8 * LINE, height - 0.5 * LINE]);
    Figure { size, title: format!("Host and {}, {} there and {} back", run.device, values[0], values[1]), marks, sheets: 1 }
}

/// A line with a head at its end.
fn arrow([from, to]: [Position; 2], ink: Ink) -> [Mark; 2] {
    let back = if to[0] > from[0] { -2.0 * HEAD } else { 2.0 * HEAD };
    let foot = to[0] + back;
    [
        Mark::line([from, [foot, to[1]]], Pen::solid(ink, 2.5)),
        Mark::Polygon { points: vec![to, [foot, to[1] - HEAD], [foot, to[1] + HEAD]], ink },
    ]
}

/// Bars as long as the times of the launches; the last row holds those that have no row of their own.
fn launches(marks: &mut Vec<Mark>, run: &HostDevice, [left, right]: [f32; 2], [top, bottom]: [f32; 2]) {
    let room = ((bottom - top) / LINE).max(1.0) as usize;
    let n_rows = if run.launches.len() > room { room - 1 } else { run.launches.len() };
    let mut rows = run.launches[..n_rows].to_vec();
    let rest = &run.launches[n_rows..];
    if !rest.is_empty() {
        rows.push((format!("{} more", integer(rest.len())), rest.iter().map(|(_, micros)| micros).sum()));
    }
    let longest = rows.iter().map(|(_, micros)| *micros).fold(f64::MIN_POSITIVE, f64::max);
    let (names, times) = (0.42 * (right - left), 0.2 * (right - left));
    for (index, (name, micros)) in rows.iter().enumerate() {
        let y = top + (index as f32 + 0.5) * LINE;
        let from = left + names;
        let length = (right - times - from) * (micros / longest) as f32;
        marks.push(Mark::text([left, y], Anchor::Left, TEXT, fitted(name, TEXT, names - 8.0), Ink::Text));
        let corners = [[from, y - 0.3 * LINE], [from + length.max(1.0), y + 0.3 * LINE]];
        marks.push(Mark::Fill { corners, ink: Ink::Series(Series::Kernel) });
        marks.push(Mark::text([right, y], Anchor::Right, TEXT, duration(*micros), Ink::Weak));
    }
}

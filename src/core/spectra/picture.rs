//! Pictures of spectra and spectrograms as figures: axes, curves, a colour bar, and what their numbers depend on.

use super::spectrogram::note_ticks;
use super::{FrequencyAxis, FrequencyScale};
use crate::display::Colormap;
use crate::figure::{Anchor, Figure, Ink, Mark, Pen, Position, Raster, fitted, wrapped};
use crate::numerals::number;
use crate::plot::{AxisScale, ChartAxis, Tick, round_step, round_values};
use crate::signal::{self, DateTick};
use std::sync::Arc;

/// Font sizes in points.
const TEXT: f32 = 11.0;
const TITLE: f32 = 13.0;
const SMALL: f32 = 9.5;
/// Margins in points: left, right, above and below the axes.
const MARGINS: [f32; 4] = [74.0, 100.0, 34.0, 78.0];
/// The right margin of a picture without a colour bar.
const NO_BAR: f32 = 24.0;
/// The colour bar: its distance from the axes, and its width.
const BAR: [f32; 2] = [16.0, 16.0];
/// The fewest points that axes have across and down.
const LEAST: f32 = 40.0;

/// The words on a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Legend {
    /// The name of the picture.
    pub title: String,
    /// The settings that its numbers depend on, in one line.
    pub settings: String,
    /// The name of the horizontal axis with its unit.
    pub across: String,
    /// The name of the vertical axis with its unit.
    pub up: String,
    /// The name of the values with their unit.
    pub values: String,
}

/// The corners of the axes of a picture of this size; `None` where it is too small for them.
pub fn plot_area([width, height]: [f32; 2], has_bar: bool) -> Option<[Position; 2]> {
    let [left, right, top, bottom] = MARGINS;
    let corners = [[left, top], [width - if has_bar { right } else { NO_BAR }, height - bottom]];
    (corners[1][0] - left >= LEAST && corners[1][1] - top >= LEAST).then_some(corners)
}

/// A picture of a spectrogram whose axes are filled with pixels, the top row first. The times have a clock where they are not to be numbers.
pub fn spectrogram_figure(
    size: [f32; 2],
    legend: &Legend,
    raster: Raster,
    ((times, clock), frequencies): (([f64; 2], Option<&signal::Axis>), &FrequencyAxis),
    (range, colormap): ([f64; 2], Colormap),
) -> Figure {
    let Some(corners) = plot_area(size, true) else { return Figure { size, title: legend.title.clone(), marks: Vec::new(), sheets: 1 } };
    let [[left, top], [right, bottom]] = corners;
    let mut marks = vec![Mark::Image { corners, raster }];
    let along = |value: f64, [low, high]: [f64; 2]| ((value - low) / (high - low)) as f32;
    for (value, text) in time_ticks(clock, times, ((right - left) / 70.0).into()) {
        let text = Some(text);
        across_tick(&mut marks, corners, along(value, times), text);
    }
    let scale = frequencies.scale;
    let ends = frequencies.ends.map(|end| scale.along(end));
    for Tick { value, text } in frequency_ticks(frequencies, (bottom - top) / 26.0) {
        up_tick(&mut marks, corners, along(scale.along(value), ends), text);
    }
    let bar = [[right + BAR[0], top], [right + BAR[0] + BAR[1], bottom]];
    let rows = 256;
    let rgb = (0..rows).rev().flat_map(|level| colormap.lut()[level].into_iter().take(3)).collect();
    marks.push(Mark::Image { corners: bar, raster: Raster { size: [1, rows], rgb: Arc::new(rgb) } });
    for Tick { value, text } in ticks(range, AxisScale::Linear, (bottom - top) / 26.0) {
        let y = bottom - along(value, range) * (bottom - top);
        marks.push(Mark::line([[bar[1][0], y], [bar[1][0] + 3.0, y]], Pen::solid(Ink::Rule, 0.8)));
        marks.extend(text.map(|text| Mark::text([bar[1][0] + 6.0, y], Anchor::Left, TEXT, text, Ink::Text)));
    }
    marks.push(frame(bar));
    let at = [size[0] - 9.0, (top + bottom) / 2.0];
    marks.push(Mark::Text { at, anchor: Anchor::Centre, size: TEXT, text: legend.values.clone(), ink: Ink::Text, upwards: true });
    words(&mut marks, size, corners, legend);
    Figure { size, title: legend.title.clone(), marks, sheets: 1 }
}

/// A picture of a spectrum as a curve. Where many values share a column of points, the smallest and the largest are drawn.
pub fn spectrum_figure(
    size: [f32; 2],
    legend: &Legend,
    values: &[[f64; 2]],
    (scale, up, range): (FrequencyScale, AxisScale, [f64; 2]),
) -> Figure {
    let Some(corners) = plot_area(size, false) else { return Figure { size, title: legend.title.clone(), marks: Vec::new(), sheets: 1 } };
    let [[left, top], [right, bottom]] = corners;
    let shown: Vec<[f64; 2]> = values.iter().copied().filter(|[x, _]| scale != FrequencyScale::Log || *x > 0.0).collect();
    let ends = [shown.first().map_or(0.0, |value| value[0]), shown.last().map_or(1.0, |value| value[0])];
    let axis = FrequencyAxis { scale, ends: if ends[0] < ends[1] { ends } else { [ends[0], ends[0] + 1.0] }, rows: 1 };
    let mut marks = Vec::new();
    let ends = axis.ends.map(|end| scale.along(end));
    let x_of = |value: f64| left + ((scale.along(value) - ends[0]) / (ends[1] - ends[0])) as f32 * (right - left);
    let along = |value: f64| if up == AxisScale::Linear { value } else { value.log10() };
    let [low, high] = range.map(along);
    let y_of = |value: f64| bottom - ((along(value) - low) / (high - low)).clamp(0.0, 1.0) as f32 * (bottom - top);
    for Tick { value, text } in frequency_ticks(&axis, (right - left) / 70.0) {
        across_tick(&mut marks, corners, (x_of(value) - left) / (right - left), text);
    }
    for Tick { value, text } in ticks(range, up, (bottom - top) / 26.0) {
        up_tick(&mut marks, corners, (bottom - y_of(value)) / (bottom - top), text);
    }
    let mut lines: Vec<Vec<Position>> = vec![Vec::new()];
    for column in shown.chunk_by(|a, b| x_of(a[0]).floor() == x_of(b[0]).floor()) {
        let values = column.iter().map(|value| value[1]).filter(|value| !value.is_nan());
        let (least, most) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), value| (a.min(value), b.max(value)));
        if least > most {
            lines.push(Vec::new());
            continue;
        }
        let Some(line) = lines.last_mut() else { break };
        let x = if let [only] = column { x_of(only[0]) } else { x_of(column[0][0]).floor() + 0.5 };
        line.push([x, y_of(column[0][1].max(least))]);
        if column.len() > 1 {
            line.extend([[x, y_of(least)], [x, y_of(most)], [x, y_of(column[column.len() - 1][1].max(least))]]);
        }
    }
    lines.retain(|line| !line.is_empty());
    marks.push(Mark::Lines { lines, pen: Pen::solid(Ink::Line, 1.0) });
    words(&mut marks, size, corners, legend);
    Figure { size, title: legend.title.clone(), marks, sheets: 1 }
}

/// The ticks of a range of numbers.
fn ticks(range: [f64; 2], scale: AxisScale, most: f32) -> Vec<Tick> {
    let axis =
        ChartAxis { name: String::new(), scale, text: |value| number(if value.abs() < 1e-12 { 0.0 } else { value }, 6), includes: None };
    axis.ticks(range, most.max(2.0) as usize)
}

/// About `most` ticks between two positions with their texts: dates or times of the clock if the axis has them, else numbers.
pub fn time_ticks(clock: Option<&signal::Axis>, [low, high]: [f64; 2], most: f64) -> Vec<(f64, String)> {
    let least = (high - low) / most.max(1.0);
    let mut ticks = clock.map_or(Vec::new(), |axis| axis.date_ticks(low, high, least));
    if ticks.is_empty() {
        let step = round_step(least);
        ticks = round_values(low, high, most.max(1.0)).into_iter().map(|position| DateTick { position, step }).collect();
    }
    let text = |tick: &DateTick| clock.and_then(|axis| axis.date_tick_text(*tick)).unwrap_or_else(|| number(tick.position, 8));
    ticks.iter().map(|tick| (tick.position, text(tick))).collect()
}

/// About `most` ticks of an axis of frequencies; between those of hearing, powers of ten and their halves and fifths are round. A narrow band has even steps.
pub fn frequency_ticks(axis: &FrequencyAxis, most: f32) -> Vec<Tick> {
    const LEAST: usize = 3;
    let uneven = match axis.scale {
        FrequencyScale::Linear => Vec::new(),
        FrequencyScale::Log => ticks(axis.ends, AxisScale::Decades, most),
        FrequencyScale::Note => note_ticks(axis.ends, most),
        FrequencyScale::Mel | FrequencyScale::Bark => {
            let values = [0.0, 100.0, 200.0, 500.0, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5];
            let inside = values.into_iter().filter(|value| (axis.ends[0]..=axis.ends[1]).contains(value));
            inside.map(|value| Tick { value, text: Some(number(value, 6)) }).collect()
        }
    };
    // A low axis has room for two.
    let least = LEAST.min(most.max(2.0) as usize);
    let is_enough = uneven.iter().filter(|tick| tick.text.is_some()).count() >= least;
    if is_enough { uneven } else { ticks(axis.ends, AxisScale::Linear, most) }
}

fn across_tick(marks: &mut Vec<Mark>, [[left, _], [right, bottom]]: [Position; 2], part: f32, text: Option<String>) {
    let x = left + part * (right - left);
    marks.push(Mark::line([[x, bottom], [x, bottom + 4.0]], Pen::solid(Ink::Rule, 0.8)));
    marks.extend(text.map(|text| Mark::text([x, bottom + 13.0], Anchor::Centre, TEXT, text, Ink::Text)));
}

fn up_tick(marks: &mut Vec<Mark>, [[left, top], [_, bottom]]: [Position; 2], part: f32, text: Option<String>) {
    let y = bottom - part * (bottom - top);
    marks.push(Mark::line([[left - 4.0, y], [left, y]], Pen::solid(Ink::Rule, 0.8)));
    marks.extend(text.map(|text| Mark::text([left - 7.0, y], Anchor::Right, TEXT, text, Ink::Text)));
}

fn frame(corners: [Position; 2]) -> Mark {
    Mark::Frame { corners, radius: 0.0, pen: Pen::solid(Ink::Rule, 0.8) }
}

fn words(marks: &mut Vec<Mark>, size: [f32; 2], corners: [Position; 2], legend: &Legend) {
    let [[left, top], [right, bottom]] = corners;
    marks.push(frame(corners));
    let title = fitted(&legend.title, TITLE, size[0] - left - 8.0);
    marks.push(Mark::text([left, top / 2.0], Anchor::Left, TITLE, title, Ink::Text));
    marks.push(Mark::text([(left + right) / 2.0, bottom + 31.0], Anchor::Centre, TEXT, legend.across.clone(), Ink::Text));
    let at = [11.0, (top + bottom) / 2.0];
    marks.push(Mark::Text { at, anchor: Anchor::Centre, size: TEXT, text: legend.up.clone(), ink: Ink::Text, upwards: true });
    let lines = wrapped(&legend.settings, SMALL, size[0] - 16.0);
    for (index, line) in lines.into_iter().take(2).enumerate() {
        let at = [8.0, size[1] - 24.0 + 13.0 * index as f32];
        marks.push(Mark::text(at, Anchor::Left, SMALL, fitted(&line, SMALL, size[0] - 16.0), Ink::Weak));
    }
}

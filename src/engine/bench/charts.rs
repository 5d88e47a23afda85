//! Charts of records: times, rates and errors over the size, and the size at which the GPU overtakes the CPU.

use super::comparison::difference_notes;
use super::experiments::{Experiment, experiment};
use super::quantity::{PlotQuantity, PlotRequest, TimedPart};
use super::stated::{stated_curves, stated_sizes};
use super::{CaseFigures, Measurement, Record, Statistics, legend_name};
use crate::engine::DeviceChoice;
use crate::figure::Series;
use crate::numerals::{duration, number, power_of_two};
use crate::plot::{AxisScale, Chart, ChartAxis, Crossing, Curve, CurvePoint, CurveRole};
use crate::transforms::{Build, transform};

/// The chart of a record, with another record laid over it if given.
pub fn chart(record: &Record, other: Option<&Record>, plot: PlotRequest) -> Chart {
    let mut curves = curves(record, plot, CurveRole::Measured);
    let mut crossings = if plot.quantity == PlotQuantity::Time { crossings(record, &curves) } else { Vec::new() };
    if plot.quantity == PlotQuantity::Bandwidth {
        curves.extend(roofs(record));
    }
    if let Some(other) = other {
        let over = self::curves(other, plot, CurveRole::Other);
        curves.extend(over.into_iter().map(|curve| Curve { name: format!("{} ({})", curve.name, other.sweep.name), ..curve }));
    }
    let mut notes = vec![record.machine.summary()];
    notes.extend(record.machine.adapters.iter().map(|adapter| {
        let emulated = if adapter.software { ", emulated by software: no guide to speed" } else { "" };
        format!("GPU: {}, {}{emulated}", adapter.name, adapter.backend)
    }));
    if let Some((paper, experiment)) = record.sweep.experiment.as_deref().and_then(experiment) {
        notes.push(format!("{} was measured on {}", experiment.place, paper.hardware));
        notes.extend(difference_notes(record));
        curves.extend(printed(experiment, plot));
        curves.extend(stated_curves(experiment, record, plot));
        crossings.extend(stated_sizes(experiment, plot));
    }
    notes.extend(other.map(|other| format!("{}: {}", other.sweep.name, other.machine.summary())));
    Chart { title: format!("{}: {}", record.sweep.name, heading(record, plot)), notes, x: sizes_axis(), y: axis(plot), curves, crossings }
}

/// The title of the vertical axis in words.
fn heading(record: &Record, plot: PlotRequest) -> String {
    let part = match plot.part {
        TimedPart::Kernels => "without transfers",
        TimedPart::Total => "with transfers",
    };
    match plot.quantity {
        PlotQuantity::Time => format!("time of a run {part}"),
        PlotQuantity::Row => format!("time of a row {part}"),
        PlotQuantity::SpeedUp => {
            let against = record.sweep.lines.get(plot.against).map_or(String::new(), |_| legend_name(record, plot.against));
            format!("speed-up against {against}, {part}")
        }
        PlotQuantity::Flops => "operations a second, without transfers".into(),
        PlotQuantity::Bandwidth => "bytes that have to be moved a second, without transfers".into(),
        PlotQuantity::Floor => "time over that of a plain copy, without transfers".into(),
        PlotQuantity::Transfers => "share of the transfers in the whole".into(),
        PlotQuantity::Error => "relative error against double precision".into(),
    }
}

/// The horizontal axis of a chart.
pub(super) fn sizes_axis() -> ChartAxis {
    ChartAxis { name: "size (samples)".into(), scale: AxisScale::Octaves, text: power_of_two, includes: None }
}

/// The vertical axis of a chart.
pub(super) fn axis(plot: PlotRequest) -> ChartAxis {
    let plain = |value| number(value, 4);
    let decades = |name: &str, text| ChartAxis { name: name.into(), scale: AxisScale::Decades, text, includes: None };
    match plot.quantity {
        PlotQuantity::Time => decades("time", duration),
        PlotQuantity::Row => decades("time of a row", duration),
        PlotQuantity::SpeedUp => ChartAxis { includes: Some([1.0; 2]), ..decades("speed-up (×)", plain) },
        PlotQuantity::Flops => decades("Gflop/s", plain),
        PlotQuantity::Bandwidth => decades("GB/s", plain),
        PlotQuantity::Floor => ChartAxis { includes: Some([1.0; 2]), ..decades("time over a copy (×)", plain) },
        PlotQuantity::Transfers => {
            ChartAxis { includes: Some([0.0; 2]), name: "share of the transfers (%)".into(), scale: AxisScale::Linear, text: plain }
        }
        PlotQuantity::Error => decades("relative error (2-norm)", plain),
    }
}

/// One curve for each line of the sweep.
fn curves(record: &Record, plot: PlotRequest, role: CurveRole) -> Vec<Curve> {
    let series: Vec<Series> = (0..record.sweep.lines.len()).map(|line| series(record, line)).collect();
    let of_one_kind = series.iter().all(|other| *other == series[0]);
    (0..series.len())
        .filter(|line| record.measurements.iter().any(|measurement| measurement.line == *line))
        .map(|line| {
            let before = series[..line].iter().filter(|other| **other == series[line]).count();
            // If all lines run on the same kind of device, each gets its own colour.
            let (series, variant) = if of_one_kind { (Series::ALL[line % 7], line / 7) } else { (series[line], before) };
            let all = record.measurements.iter().filter(|measurement| measurement.line == line);
            let points = all.filter_map(|measurement| point(record, measurement, plot)).collect();
            Curve { name: legend_name(record, line), series, variant, role, points }
        })
        .collect()
}

/// The series, and so the colour, of the device that a line runs on.
fn series(record: &Record, line: usize) -> Series {
    let line = &record.sweep.lines[line];
    let is_library = transform(&line.transform)
        .ok()
        .zip(line.algorithm.as_ref())
        .is_some_and(|(transform, name)| transform.algorithm(name).is_ok_and(|algorithm| matches!(algorithm.build, Build::Library)));
    match line.device {
        _ if is_library => Series::Library,
        DeviceChoice::Cpu => Series::Cpu,
        DeviceChoice::CpuLocal => Series::CpuLocal,
        DeviceChoice::CpuStrided => Series::CpuStrided,
        DeviceChoice::CpuParallel => Series::CpuParallel,
        DeviceChoice::Auto | DeviceChoice::Gpu | DeviceChoice::Adapter(_) => Series::Kernel,
    }
}

fn point(record: &Record, measurement: &Measurement, plot: PlotRequest) -> Option<CurvePoint> {
    let time = time(measurement, plot.part);
    let rows = measurement.shape.rows as f64;
    let figures = || CaseFigures::of(measurement);
    // A rate falls as the time grows, so the ends of its interval change places.
    let rate =
        |rate: f64, kernel: Statistics| (rate, [rate * kernel.median / kernel.interval[1], rate * kernel.median / kernel.interval[0]]);
    let (y, interval) = match plot.quantity {
        PlotQuantity::Time => (time.median, time.interval),
        PlotQuantity::Row => (time.median / rows, time.interval.map(|micros| micros / rows)),
        // Relative to itself a line has a speed-up of exactly 1.
        PlotQuantity::SpeedUp if measurement.line == plot.against => (1.0, [1.0; 2]),
        PlotQuantity::SpeedUp => {
            let same = |other: &&Measurement| (other.line, other.shape) == (plot.against, measurement.shape) && other.is_right();
            let against = self::time(record.measurements.iter().find(same)?, plot.part);
            let ratio = against.median / time.median;
            (ratio, [against.interval[0] / time.interval[1], against.interval[1] / time.interval[0]])
        }
        PlotQuantity::Flops => rate(figures().gflop_per_sec, measurement.kernel()),
        PlotQuantity::Bandwidth => rate(figures().gbyte_per_sec, measurement.kernel()),
        PlotQuantity::Floor => {
            let (kernel, copy) = (measurement.kernel(), measurement.copy_micros?);
            (kernel.median / copy, kernel.interval.map(|micros| micros / copy))
        }
        PlotQuantity::Transfers if !measurement.on_gpu => return None,
        PlotQuantity::Transfers => (100.0 * figures().share.transfers(), [100.0 * figures().share.transfers(); 2]),
        PlotQuantity::Error => (measurement.error, [measurement.error; 2]),
    };
    let samples = if plot.quantity == PlotQuantity::Row { measurement.shape.columns } else { measurement.shape.len() };
    Some(CurvePoint { x: samples as f64, y, interval, is_right: measurement.is_right() })
}

/// The chosen time of a measurement.
fn time(measurement: &Measurement, part: TimedPart) -> Statistics {
    match part {
        TimedPart::Kernels => measurement.kernel(),
        TimedPart::Total => measurement.part(|run| run.total),
    }
}

/// The curves that the paper prints.
pub(super) fn printed(experiment: &Experiment, plot: PlotRequest) -> Vec<Curve> {
    let printed = experiment.printed();
    let values = printed.iter().filter_map(|printed| Some((printed, printed.on_axis(plot.quantity, plot.part)?)));
    values
        .enumerate()
        .map(|(index, (printed, values))| Curve {
            name: printed.name.clone(),
            series: if printed.on_gpu { Series::Kernel } else { Series::CpuLocal },
            variant: index,
            role: CurveRole::Printed,
            points: values.into_iter().map(|[x, y]| CurvePoint { x, y, interval: [y; 2], is_right: true }).collect(),
        })
        .collect()
}

/// The rate of a plain copy on every device, as curves.
fn roofs(record: &Record) -> Vec<Curve> {
    let mut roofs: Vec<Curve> = Vec::new();
    for measurement in &record.measurements {
        let Some(rate) = CaseFigures::of(measurement).copy_gbyte_per_sec else { continue };
        let name = format!("copy on {}", measurement.device);
        let x = measurement.shape.len() as f64;
        let place = roofs.iter().position(|roof| roof.name == name).unwrap_or_else(|| {
            let series = series(record, measurement.line);
            roofs.push(Curve { name, series, variant: 0, role: CurveRole::Roof, points: Vec::new() });
            roofs.len() - 1
        });
        if roofs[place].points.iter().all(|point| point.x != x) {
            roofs[place].points.push(CurvePoint { x, y: rate, interval: [rate; 2], is_right: true });
        }
    }
    for roof in &mut roofs {
        roof.points.sort_by(|a, b| a.x.total_cmp(&b.x));
    }
    roofs
}

/// The size from which the fastest GPU line stays faster than the fastest CPU line.
fn crossings(record: &Record, curves: &[Curve]) -> Vec<Crossing> {
    let of = |on_gpu: bool| {
        let mut best: Vec<[f64; 2]> = Vec::new();
        let names: Vec<String> = record.measurements.iter().filter(|m| m.on_gpu == on_gpu).map(|m| legend_name(record, m.line)).collect();
        for point in curves.iter().filter(|curve| names.contains(&curve.name)).flat_map(|curve| &curve.points) {
            match best.iter_mut().find(|[x, _]| *x == point.x) {
                _ if !point.is_right => {}
                Some([_, y]) => *y = y.min(point.y),
                None => best.push([point.x, point.y]),
            }
        }
        best.sort_by(|a, b| a[0].total_cmp(&b[0]));
        best
    };
    let (gpu, cpu) = (of(true), of(false));
    let both: Vec<[f64; 3]> =
        gpu.iter().filter_map(|[x, gpu]| cpu.iter().find(|[other, _]| other == x).map(|[_, cpu]| [*x, *gpu, *cpu])).collect();
    let last = both.windows(2).rposition(|pair| pair[0][1] >= pair[0][2] && pair[1][1] < pair[1][2]);
    let Some(pair) = last.map(|place| [both[place], both[place + 1]]) else { return Vec::new() };
    // Interpolates between the logarithms, as the chart draws it.
    let gap = |[_, gpu, cpu]: [f64; 3]| (gpu / cpu).ln();
    let part = gap(pair[0]) / (gap(pair[0]) - gap(pair[1]));
    let between = |axis: usize| (pair[0][axis].ln() + part * (pair[1][axis].ln() - pair[0][axis].ln())).exp();
    let (x, y) = (between(0), between(1));
    vec![Crossing { x, y: Some(y), text: format!("the GPU overtakes the CPU at {}", format_args!("2^{:.1}", x.log2())) }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::record::tests::{measurement, record};
    use crate::choice::Named as _;
    use crate::figure::{FigureFormat, Mark, Symbol};
    use crate::plot::layout;

    /// A record in which the GPU overtakes one CPU thread between 2^13 and 2^14.
    fn sweep() -> Record {
        let mut record = record();
        record.sweep.lines[1].device = DeviceChoice::Cpu;
        let gpu = (0..5).map(|k| measurement(0, 1 << (10 + k), 100.0));
        let cpu = (0..5).map(|k| Measurement {
            on_gpu: false,
            software_gpu: false,
            device: "CPU, 1 thread".into(),
            ..measurement(1, 1 << (10 + k), 35.0 * f64::from(1 << k) / 4.0)
        });
        record.measurements = gpu.chain(cpu).collect();
        record
    }

    #[test]
    fn the_crossing_is_where_the_lines_meet() {
        let chart = chart(&sweep(), None, PlotRequest::default());
        assert_eq!(chart.curves.len(), 2);
        assert_eq!((chart.curves[0].series, chart.curves[1].series), (Series::Kernel, Series::Cpu));
        let crossing = &chart.crossings[0];
        // The CPU line reaches 100 µs at 35 · 2^k / 4 = 100, k = 3.51; there are four rows.
        assert!((crossing.x.log2() - 15.51).abs() < 0.01 && crossing.y.is_some_and(|y| (y - 100.0).abs() < 1.0), "{crossing:?}");
        assert!(crossing.text.contains("2^15.5"));
        let mut never = sweep();
        never.measurements.retain(|measurement| measurement.shape.columns < 1 << 13);
        assert!(super::chart(&never, None, PlotRequest::default()).crossings.is_empty());
    }

    #[test]
    fn speed_ups_are_against_the_line_that_was_chosen() {
        let plot = PlotRequest { quantity: PlotQuantity::SpeedUp, against: 1, ..PlotRequest::default() };
        let chart = chart(&sweep(), None, plot);
        let [gpu, cpu] = &chart.curves[..] else { panic!("two lines") };
        assert!((gpu.points[4].y - 1.4).abs() < 1e-6 && cpu.points.iter().all(|point| (point.y - 1.0).abs() < 1e-9));
        assert!(gpu.points[4].interval[0] <= 1.4 && gpu.points[4].interval[1] >= 1.4);
    }

    #[test]
    fn wrong_results_are_no_part_of_a_line() {
        let mut record = sweep();
        record.measurements[2].error = 0.5;
        let chart = chart(&record, None, PlotRequest::default());
        assert!(!chart.curves[0].points[2].is_right);
        let marks = layout(&chart, [720.0, 420.0], &[]).figure.marks;
        let crosses = marks.iter().filter(|mark| matches!(mark, Mark::Symbol { symbol: Symbol::Cross, .. }));
        assert_eq!(crosses.count(), 1);
    }

    #[test]
    fn every_plot_becomes_svg_and_png_from_the_same_marks() {
        let (record, other) =
            (sweep(), Record { sweep: crate::bench::Sweep { name: "before & after".into(), ..sweep().sweep }, ..sweep() });
        for quantity in PlotQuantity::ALL.iter().copied() {
            let chart = chart(&record, Some(&other), PlotRequest { quantity, part: TimedPart::Total, against: 1 });
            let placed = layout(&chart, [720.0, 420.0], &[false, true]);
            let inside = |[x, y]: [f32; 2]| x.is_finite() && y.is_finite() && x > -1.0 && y > -1.0 && x < 721.0 && y < 421.0;
            assert!(placed.places.iter().all(|(.., place)| inside(*place)), "{quantity:?}");
            assert!(placed.places.iter().all(|(curve, ..)| *curve != 1), "hidden curves have no points");
            assert_eq!(placed.legend.len(), chart.curves.len());
            let text = String::from_utf8(placed.figure.bytes(FigureFormat::Svg).expect("SVG holds all")).expect("it is text");
            assert!(text.contains("before &amp; after") && text.ends_with("</svg>\n") && !text.contains("NaN"));
            let mut reader = quick_xml::Reader::from_str(&text);
            while !matches!(reader.read_event().expect("the file is well-formed"), quick_xml::events::Event::Eof) {}
            // Every quantity has the same kinds of marks; these two have a crossing and a roof.
            if !matches!(quantity, PlotQuantity::Time | PlotQuantity::Bandwidth) {
                continue;
            }
            let bytes = placed.figure.bytes(FigureFormat::Png).expect("it has few pixels");
            let image = crate::signal::load_bytes("plot.png", &bytes).expect("it is an image");
            assert_eq!((image.rows, image.columns), (840, 1440));
            let dark = image
                .samples_f32(crate::signal::ChannelChoice::Luma)
                .expect("it has colours")
                .into_iter()
                .filter(|level| *level < 128.0)
                .count();
            assert!((2000..200_000).contains(&dark), "{quantity:?}: {dark} dark pixels");
        }
    }
}

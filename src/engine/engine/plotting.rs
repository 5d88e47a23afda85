//! Reduces a row of values to the pixels of its plot, along a linear or a logarithmic axis, and finds its peaks.

use super::peaks;
use super::report::MOST_PEAKS;
use super::{PlotData, PlotFrame};
use crate::display::{ValuePart, unshifted_index};
use crate::measure::tone_offset;
use crate::signal::Wave;
use crate::threads;
use crate::transforms::Shape;
use num_complex::{Complex32, Complex64};
use std::ops::Range;

/// A pixel column with more values shows only the smallest and the largest.
const MOST_IN_A_COLUMN: usize = 2;
/// Samples of a pixel column that are looked at for a first impression.
const GLIMPSED: usize = 24;

impl PlotData {
    /// The visible part of a row of real numbers, neither scaled nor shifted.
    pub fn of_reals(values: &[f64], frame: PlotFrame) -> Self {
        let at = |_: usize, index: usize| Complex32::new(values[index] as f32, 0.0);
        line(at, Shape::line(values.len()), frame)
    }

    /// The visible part of a row of integers, neither scaled nor shifted.
    pub fn of_integers(values: &[i64], frame: PlotFrame) -> Self {
        let at = |_: usize, index: usize| Complex32::new(values[index] as f32, 0.0);
        line(at, Shape::line(values.len()), frame)
    }

    /// The visible part of a wave, in which every sample counts; nothing is built for few of them.
    pub fn of_wave(wave: &Wave, frame: PlotFrame) -> Self {
        let is_short = frame.has_few_values() && !wave.is_built();
        of_wave(wave, frame, &|part| if is_short { wave.read_extremes(part) } else { wave.extremes(part) })
    }

    /// A first impression of a wave from a few of its samples, which takes no time.
    pub fn glimpse_of_wave(wave: &Wave, frame: PlotFrame) -> Self {
        of_wave(wave, frame, &|part| wave.glimpse(part, GLIMPSED))
    }

    /// How many samples a first impression takes one of, for this visible part.
    pub fn glimpsed_share(frame: &PlotFrame) -> usize {
        ((frame.last - frame.first) / (GLIMPSED * frame.pixels.max(1)) as f64).ceil().max(1.0) as usize
    }
}

fn of_wave(wave: &Wave, frame: PlotFrame, extremes: &dyn Fn(Range<usize>) -> Option<[f64; 2]>) -> PlotData {
    let n = wave.len();
    let visible = frame.first.max(0.0).floor() as usize..(frame.last.max(0.0).ceil() as usize).min(n);
    let columns = parts(visible, &frame).into_iter().flat_map(|part| columns(part, &|at| wave.value(at), extremes, &frame)).collect();
    PlotData { frame, n, columns, peaks: Vec::new() }
}

/// Reduces the visible part of a row to the smallest and largest value of every pixel column.
pub(super) fn line(at: impl Fn(usize, usize) -> Complex32 + Sync, shape: Shape, frame: PlotFrame) -> PlotData {
    let n = shape.columns;
    let row = frame.row.min(shape.rows - 1);
    let first = frame.first.max(0.0).floor() as usize;
    let last = (frame.last.max(0.0).ceil() as usize).min(n);
    let plain = |position: usize| at(row, if frame.shifted { unshifted_index(position, n) } else { position });
    let value = |position: usize| f64::from(frame.scale.apply(frame.quantity, plain(position)));
    let parts = parts(first..last, &frame);
    let extremes = |part: Range<usize>| {
        let finite = part.map(value).filter(|value| value.is_finite());
        let [low, high] = finite.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [low.min(value), high.max(value)]);
        (low <= high).then_some([low, high])
    };
    let of_part = |index: usize| columns(parts[index].clone(), &value, &extremes, &frame);
    // The window's thread asks for few values; it must not wait for the threads of the pool, which may be busy for seconds.
    let columns =
        if frame.has_few_values() { (0..parts.len()).flat_map(of_part).collect() } else { threads::map(parts.len(), &of_part).concat() };
    let peaks = if frame.peaks { visible_peaks(plain, value, n, first..last, frame.quantity) } else { Vec::new() };
    PlotData { frame, n, columns, peaks }
}

/// The visible positions, divided into the pixel columns of the axis; where they are few, each has a column of its own.
fn parts(visible: Range<usize>, frame: &PlotFrame) -> Vec<Range<usize>> {
    let (n, pixels) = (visible.len(), frame.pixels.max(1));
    let Some(origin) = frame.log_origin else {
        let pixels = if n <= MOST_IN_A_COLUMN * pixels { n } else { pixels };
        return (0..pixels).map(|pixel| visible.start + n * pixel / pixels..visible.start + n * (pixel + 1) / pixels).collect();
    };
    let start = visible.start.max(origin.floor() as usize + 1);
    if start >= visible.end {
        return Vec::new();
    }
    // The pixels are equal steps of the logarithm: the low end has fewer values than pixels, the high end many for each.
    let [low, high] = [start, visible.end].map(|position| (position as f64 - origin).ln());
    let edge = |pixel: usize| {
        let position = origin + (low + (high - low) * pixel as f64 / pixels as f64).exp();
        (position.ceil() as usize).clamp(start, visible.end)
    };
    let edges: Vec<usize> = std::iter::once(start).chain((1..pixels).map(edge)).chain([visible.end]).collect();
    edges.windows(2).map(|ends| ends[0]..ends[1]).filter(|part| !part.is_empty()).collect()
}

/// The column of the positions that share a pixel: the smallest and the largest value, or every value where they are few.
fn columns(
    part: Range<usize>,
    value: &dyn Fn(usize) -> f64,
    extremes: &dyn Fn(Range<usize>) -> Option<[f64; 2]>,
    frame: &PlotFrame,
) -> Vec<[f64; 3]> {
    if part.len() <= MOST_IN_A_COLUMN {
        let values = part.map(|position| (position as f64, value(position))).filter(|(_, value)| value.is_finite());
        return values.map(|(position, value)| [position, value, value]).collect();
    }
    let ends = [part.start as f64, part.end as f64 - 1.0];
    let middle = match frame.log_origin {
        Some(origin) => origin + ((ends[0] - origin) * (ends[1] - origin)).sqrt(),
        None => (ends[0] + ends[1]) / 2.0,
    };
    extremes(part).map(|[low, high]| [middle, low, high]).into_iter().collect()
}

/// The peaks of the whole row that are visible, so that zooming makes and hides none. The phase has no peaks.
fn visible_peaks(
    plain: impl Fn(usize) -> Complex32 + Sync,
    value: impl Fn(usize) -> f64,
    n: usize,
    visible: Range<usize>,
    quantity: ValuePart,
) -> Vec<(f64, f64)> {
    if quantity == ValuePart::Phase {
        return Vec::new();
    }
    let level = |position: usize| {
        let magnitude = match quantity {
            ValuePart::Real | ValuePart::Imaginary => quantity.of(plain(position)).abs(),
            _ => plain(position).norm(),
        };
        20.0 * f64::from(magnitude).log10()
    };
    let levels = threads::tabulate(n, level);
    let place = |at: usize| {
        let is_inside = at > 0 && at + 1 < n;
        let offset = if is_inside { tone_offset([at - 1, at, at + 1].map(|at| wide(plain(at)))) } else { 0.0 };
        (at as f64 + offset, value(at))
    };
    peaks::peaks(&levels).into_iter().filter(|at| visible.contains(at)).take(MOST_PEAKS).map(place).collect()
}

fn wide(value: Complex32) -> Complex64 {
    Complex64::new(value.re.into(), value.im.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::Scale;

    #[test]
    fn what_is_no_number_is_left_out_of_a_line() {
        let frame = |pixels| PlotFrame::plain(0, [0.0, 6.0], pixels);
        let few = PlotData::of_reals(&[1.0, f64::NAN, 3.0, f64::INFINITY, f64::NEG_INFINITY, 2.0], frame(6));
        assert_eq!(few.columns, [[0.0, 1.0, 1.0], [2.0, 3.0, 3.0], [5.0, 2.0, 2.0]]);
        let many = PlotData::of_reals(&[1.0, f64::NAN, 3.0, f64::NAN, f64::NAN, f64::NAN], frame(2));
        assert_eq!(many.columns, [[1.0, 1.0, 3.0]]);
        for scale in [Scale::Linear, Scale::Log, Scale::Db, Scale::Sqrt] {
            assert_eq!(PlotData::of_reals(&[f64::NAN; 6], PlotFrame { scale, ..frame(6) }).columns, [[0.0; 3]; 0], "{scale:?}");
        }
    }

    #[test]
    fn a_logarithmic_axis_thins_out_after_the_mapping() {
        let n = 22_051;
        let mut values = vec![0.0; n];
        values[440] = 1.0;
        let frame = PlotFrame { log_origin: Some(0.0), ..PlotFrame::plain(0, [0.0, n as f64], 900) };
        let line = PlotData::of_reals(&values, frame);
        assert_eq!(line.columns[..20], std::array::from_fn::<_, 20, _>(|k| [k as f64 + 1.0, 0.0, 0.0]), "each low value stands alone");
        let [position, low, high] = line.columns.iter().copied().find(|column| column[2] == 1.0).unwrap();
        let pixel = |position: f64| 900.0 * position.ln() / (n as f64).ln();
        assert!((pixel(position) - pixel(440.0)).abs() < 1.0 && low == 0.0 && high == 1.0, "one column is high: {position}");
        let beside = line.columns.iter().filter(|column| (pixel(column[0]) - pixel(440.0)).abs() < 3.0).count();
        assert!((4..=8).contains(&beside), "the columns beside it stand a pixel apart: {beside}");
        assert!(line.columns.len() < 900 && line.columns.windows(2).all(|two| pixel(two[1][0]) - pixel(two[0][0]) > 0.2));
    }

    #[test]
    fn the_view_makes_and_hides_no_peaks() {
        let tone = |k: usize| if k.abs_diff(500) == 0 { 100.0 } else { 1.0 + 0.1 * (k as f64).sin() };
        let values: Vec<f64> = (0..1000).map(tone).collect();
        let peaks = |first: f64, last: f64| {
            PlotData::of_reals(&values, PlotFrame { peaks: true, scale: Scale::Db, ..PlotFrame::plain(0, [first, last], 300) }).peaks
        };
        let whole = peaks(0.0, 1000.0);
        assert!(whole.len() == 1 && (whole[0].0 - 500.0).abs() < 0.1 && (whole[0].1 - 40.0).abs() < 1e-6, "{whole:?}");
        assert_eq!(peaks(490.0, 510.0), whole);
        assert!(peaks(0.0, 400.0).is_empty() && peaks(600.0, 610.0).is_empty());
    }

    #[test]
    fn few_values_are_reduced_while_every_thread_of_the_pool_is_busy() {
        use std::sync::mpsc::channel;
        use std::sync::{Arc, Barrier};
        let n_threads = rayon::current_num_threads();
        let (busy, free) = (Arc::new(Barrier::new(n_threads + 1)), Arc::new(Barrier::new(n_threads + 1)));
        for _ in 0..n_threads {
            let (busy, free) = (busy.clone(), free.clone());
            rayon::spawn(move || {
                busy.wait();
                free.wait();
            });
        }
        busy.wait();
        let (report, line) = channel();
        let reduce = move || report.send(PlotData::of_reals(&[1.0; 60_000], PlotFrame::plain(0, [0.0, 60_000.0], 800)));
        let thread = std::thread::Builder::new().name("window".into()).spawn(reduce).unwrap();
        let line = line.recv_timeout(std::time::Duration::from_secs(20));
        free.wait();
        thread.join().unwrap().unwrap();
        assert_eq!(line.expect("it waits for the pool").columns.len(), 800);
    }
}

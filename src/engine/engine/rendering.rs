//! Renders the visible part of samples and results at the resolution of the screen.

use super::limits::{self, ValueLimits};
use super::plotting::line;
use super::{EngineError, Job, PlotData, PlotFrame, RenderedImage, StoredResult, Value};
use crate::display::{self, DisplayFrame, Look, unshifted_index};
use crate::signal::{self, ChannelChoice as Channel, Signal, SignalKind};
use crate::threads;
use crate::transforms::{Axes, Shape};
use num_complex::Complex32;
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

/// Values are shown in the pixels of a frame with at most this number of pixels along a side.
const MOST_VALUES: usize = 96;
/// The extremes where no value is finite, or all are 0.
const NO_EXTREMES: [f32; 2] = [0.0; 2];

/// The visible part of a result as an image.
pub(super) fn image(
    stored: &StoredResult,
    shape: Shape,
    axes: Axes,
    look: &Look,
    frame: DisplayFrame,
    ValueLimits { extremes, automatic, counts }: ValueLimits,
    cancel: &AtomicBool,
) -> Result<RenderedImage, EngineError> {
    let range = look.range.unwrap_or(automatic);
    let rgba = match stored {
        StoredResult::Memory(values) => display::render(|row, column| values.at(shape, row, column), shape, axes, look, range, frame),
        StoredResult::Gpu(prepared) => prepared.image(shape, axes, look, range, frame)?,
    };
    let values = values(frame, shape, axes, look, |rows| whole_rows(stored, shape, rows, cancel))?;
    let is_blank = extremes == NO_EXTREMES && !probe(stored, shape, [0, 0], cancel)?.complex().is_finite();
    Ok(RenderedImage { frame, rgba, range, is_blank, values, extremes, histogram: counts.to_vec() })
}

/// Some rows of a result, one after the other. Those on a device come at once.
fn whole_rows(stored: &StoredResult, shape: Shape, rows: &[usize], cancel: &AtomicBool) -> Result<Vec<Complex32>, EngineError> {
    match stored {
        StoredResult::Memory(values) => Ok(values_of_rows(shape, rows, |row, column| values.at(shape, row, column))),
        StoredResult::Gpu(prepared) => {
            let firsts: Vec<usize> = rows.iter().map(|row| row * shape.columns).collect();
            Ok(prepared.download_several(&firsts, shape.columns, cancel)?)
        }
    }
}

/// Some rows of values in memory, one after the other.
fn values_of_rows(shape: Shape, rows: &[usize], at: impl Fn(usize, usize) -> Complex32) -> Vec<Complex32> {
    rows.iter().flat_map(|&row| (0..shape.columns).map(move |column| (row, column))).map(|(row, column)| at(row, column)).collect()
}

/// The scaled values of a frame that shows few pixels, one value each; empty otherwise. `whole` gives some rows.
fn values(
    frame: DisplayFrame,
    shape: Shape,
    axes: Axes,
    look: &Look,
    whole: impl Fn(&[usize]) -> Result<Vec<Complex32>, EngineError>,
) -> Result<Vec<f32>, EngineError> {
    let Some([rows, columns]) = readable(frame, shape) else { return Ok(Vec::new()) };
    let index = |position: usize, n: usize, shifted: bool| if shifted { unshifted_index(position, n) } else { position };
    let mut found = Vec::with_capacity(frame.width * frame.height);
    let rows: Vec<usize> = rows.map(|y| index(y, shape.rows, look.shifted && axes.along_columns())).collect();
    for values in whole(&rows)?.chunks(shape.columns) {
        found.extend(
            columns.clone().map(|x| look.scale.apply(look.quantity, values[index(x, shape.columns, look.shifted && axes.along_rows())])),
        );
    }
    Ok(found)
}

/// The rows and columns of a frame that shows few pixels, each of which is one value; `None` for other frames.
pub(super) fn readable(frame: DisplayFrame, shape: Shape) -> Option<[Range<usize>; 2]> {
    let part = frame.rect;
    let is_exact = part.width == frame.width as f64 && part.height == frame.height as f64 && part.left.fract() + part.top.fract() == 0.0;
    let is_small = frame.width <= MOST_VALUES && frame.height <= MOST_VALUES;
    // A frame that was chosen for a larger result, as before a change of the transform, reaches past this one.
    let is_within = part.left >= 0.0
        && part.top >= 0.0
        && part.left as usize + frame.width <= shape.columns
        && part.top as usize + frame.height <= shape.rows;
    let [top, left] = [part.top as usize, part.left as usize];
    (is_exact && is_small && is_within).then(|| [top..top + frame.height, left..left + frame.width])
}

/// The limits of a result under a look.
pub(super) fn limits(stored: &StoredResult, shape: Shape, look: &Look, cancel: &AtomicBool) -> Result<ValueLimits, EngineError> {
    let extremes = match stored {
        StoredResult::Memory(values) => values.extremes(shape, look),
        StoredResult::Gpu(prepared) => prepared.extremes(shape, look)?,
    };
    let scaled = |value: Complex32| look.scale.apply(look.quantity, value);
    let values: Vec<f32> = match stored {
        StoredResult::Memory(values) => {
            let chosen: Vec<usize> = limits::chosen(shape.len()).collect();
            threads::convert(&chosen, |i| scaled(values.at(shape, i / shape.columns, i % shape.columns)))
        }
        // Whole rows come from a device at once.
        StoredResult::Gpu(_) => {
            let rows: Vec<usize> = limits::chosen_rows(shape).collect();
            threads::convert(&whole_rows(stored, shape, &rows, cancel)?, scaled)
        }
    };
    let counts = limits::counts(&values, extremes);
    Ok(ValueLimits { counts, ..ValueLimits::automatic(values, extremes, shape, look) })
}

/// The visible part of a row of the result, or of a column if columns were transformed.
pub(super) fn spectrum_line(
    stored: &StoredResult,
    shape: Shape,
    axes: Axes,
    frame: PlotFrame,
    cancel: &AtomicBool,
) -> Result<PlotData, EngineError> {
    match stored {
        StoredResult::Memory(values) if !axes.along_rows() => {
            Ok(line(|column, row| values.at(shape, row, column), shape.transposed(), frame))
        }
        StoredResult::Memory(values) => Ok(line(|row, column| values.at(shape, row, column), shape, frame)),
        StoredResult::Gpu(prepared) => {
            let first = frame.row.min(shape.rows - 1) * shape.columns;
            let values = prepared.download_range(first..first + shape.columns, cancel)?;
            Ok(line(|_, column| values[column], shape, frame))
        }
    }
}

/// The value at index (`row`, `column`) of the result.
pub(super) fn probe(stored: &StoredResult, shape: Shape, [row, column]: [usize; 2], cancel: &AtomicBool) -> Result<Value, EngineError> {
    let index = row * shape.columns + column;
    match stored {
        StoredResult::Memory(values) => Ok(values.value(shape, row, column)),
        StoredResult::Gpu(prepared) if prepared.result_ring().is_exact() => {
            Ok(Value::Integer(prepared.download_integers(index..index + 1, cancel)?[0]))
        }
        StoredResult::Gpu(prepared) => Ok(Value::Complex(prepared.download_double(index..index + 1, cancel)?[0])),
    }
}

/// The signals of a job, ready to be shown.
pub(super) struct Sources {
    pub(super) first: Source,
    /// The second signal of a convolution.
    pub(super) second: Option<Source>,
}

impl Sources {
    pub(super) fn new(job: &Job) -> Result<Self, EngineError> {
        let second = job.second.as_ref().map(|second| Source::new(second, Channel::default())).transpose()?;
        Ok(Self { first: Source::new(&job.signal, job.channel)?, second })
    }
}

/// A channel that is shown as an image. Its samples are converted when it is seen first; a recording, which is seen as a wave, is not converted.
pub(super) struct Source {
    signal: Arc<Signal>,
    channel: Channel,
    shown: OnceLock<Shown>,
}

/// The samples of an image with their extremes.
struct Shown {
    samples: Samples,
    range: [f32; 2],
}

/// Samples as they are shown. Real samples are not converted to complex ones, which would double their memory.
enum Samples {
    /// As the signal has them.
    Stored,
    Real(Vec<f32>),
    Complex(Vec<Complex32>),
}

/// Images of samples are gray and linear.
const SOURCE_LOOK: Look = Look::of_samples();

impl Source {
    fn new(signal: &Arc<Signal>, channel: Channel) -> Result<Self, EngineError> {
        signal.check_channel(channel)?;
        Ok(Self { signal: signal.clone(), channel, shown: OnceLock::new() })
    }

    fn shape(&self) -> Shape {
        Shape { rows: self.signal.rows, columns: self.signal.columns }
    }

    fn shown(&self) -> &Shown {
        self.shown.get_or_init(|| {
            let (signal, shape) = (&self.signal, self.shape());
            // The channel has been checked.
            let samples = match signal.is_complex_in(self.channel) {
                true => Samples::Complex(signal.samples_complex32(self.channel).unwrap_or_default()),
                false if self.stored().is_some() => Samples::Stored,
                false => Samples::Real(signal.samples_f32(self.channel).unwrap_or_default()),
            };
            let range = match &samples {
                Samples::Stored => display::real_extremes(self.stored().unwrap_or_default()),
                Samples::Real(values) => display::real_extremes(values),
                Samples::Complex(values) => display::extremes(|row, column| values[row * shape.columns + column], shape, &SOURCE_LOOK),
            };
            Shown { samples, range }
        })
    }

    /// The samples of the signal, where they are what is shown.
    fn stored(&self) -> Option<&[f32]> {
        match self.signal.parts(self.channel).ok()?[..] {
            [signal::Samples::F32(values)] => Some(values),
            _ => None,
        }
    }

    pub(super) fn image(&self, frame: DisplayFrame) -> RenderedImage {
        let (shape, Shown { samples, range }) = (self.shape(), self.shown());
        match samples {
            Samples::Stored => gray(self.stored().unwrap_or_default(), shape, *range, frame),
            Samples::Real(values) => gray(values, shape, *range, frame),
            Samples::Complex(values) => gray(values, shape, *range, frame),
        }
    }
}

/// Samples as an image.
fn gray<T: Copy + Into<Complex32> + Sync>(samples: &[T], shape: Shape, range: [f32; 2], frame: DisplayFrame) -> RenderedImage {
    let at = |row: usize, column: usize| samples[row * shape.columns + column].into();
    let rgba = display::render_mean(at, shape, &SOURCE_LOOK, range, frame);
    let values = values(frame, shape, Axes::Rows, &SOURCE_LOOK, |rows| Ok(values_of_rows(shape, rows, at)));
    let is_blank = range == NO_EXTREMES && samples.first().is_some_and(|&first| !first.into().is_finite());
    // Samples in memory can always be read.
    RenderedImage { is_blank, values: values.unwrap_or_default(), ..RenderedImage::new(frame, rgba, range) }
}

impl RenderedImage {
    /// A small gray image of an image signal, at most `most` pixels along its longer side.
    pub fn preview(signal: &Arc<Signal>, most: usize) -> Option<Self> {
        let shape = Shape { rows: signal.rows, columns: signal.columns };
        if signal.kind != SignalKind::Image || shape.is_empty() {
            return None;
        }
        let source = Source::new(signal, Channel::default()).ok()?;
        Some(source.image(DisplayFrame::within(shape, most)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_pixels_carry_their_values() {
        let shape = Shape { rows: 2, columns: 4 };
        let rows = |rows: &[usize]| Ok(values_of_rows(shape, rows, |row, column| Complex32::new((10 * row + column) as f32, 0.0)));
        let look = Look { shifted: true, ..SOURCE_LOOK };
        let found = values(DisplayFrame::whole(shape), shape, Axes::Both, &look, rows).expect("it is in memory");
        assert_eq!(found, [12.0, 13.0, 10.0, 11.0, 2.0, 3.0, 0.0, 1.0]);
        let shrunk = DisplayFrame { width: 2, ..DisplayFrame::whole(shape) };
        assert!(values(shrunk, shape, Axes::Both, &look, rows).expect("it is in memory").is_empty());
    }
}

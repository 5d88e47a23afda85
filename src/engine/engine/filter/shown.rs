//! The channels of an image before and after a filter, and the colours of a part of them.

use super::back::{FilteredPlane, fill};
use super::request::FilterView;
use crate::display::{self, Colormap, DisplayFrame, Look, covered, unshifted_index};
use crate::engine::plotting::line;
use crate::engine::rendering::readable;
use crate::engine::{EngineError, PlotData, PlotFrame, RenderedImage};
use crate::filter::{Mask, MaskRows, MaskTable, structural_similarity};
use crate::signal::{ChannelChoice, Samples, Signal};
use crate::threads;
use crate::transforms::Shape;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;

/// The channels of an image before and after a filter: one, or three colours.
pub(super) struct ShownPlanes {
    shape: Shape,
    before: Before,
    /// `None` where a GPU has them, and nobody has asked for them yet. A mask that cuts nothing leaves those before.
    after: Option<Arc<Vec<Vec<f32>>>>,
    /// The energy that is left, as a part of all energy beside that of the means.
    pub(super) energy: f64,
    /// PSNR and SSIM, once they are known.
    pub(super) known_quality: Option<[f64; 2]>,
}

/// The channels before a filter, and the values of black and white.
pub(super) struct Before {
    planes: Arc<Vec<Vec<f32>>>,
    range: [f32; 2],
    /// Samples that are infinite or no numbers.
    gaps: usize,
}

const LOOK: Look = Look::of_samples();

impl ShownPlanes {
    /// The channels of an image as they are.
    pub(super) fn before_of(signal: &Signal, channels: &[ChannelChoice]) -> Result<Before, EngineError> {
        let planes = channels.iter().map(|&channel| signal.samples_f32(channel)).collect::<Result<Vec<_>, _>>()?;
        let range =
            planes.iter().map(|plane| display::real_extremes(plane)).reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]).unwrap_or_default();
        // Colours keep their meaning: those of files reach from 0 to full scale.
        let range = match signal.channels.first().map(|channel| &channel.samples) {
            Some(Samples::U8(_)) if planes.len() == 3 => [0.0, f32::from(u8::MAX)],
            Some(Samples::U16(_)) if planes.len() == 3 => [0.0, f32::from(u16::MAX)],
            _ => range,
        };
        let gaps = planes.iter().map(|plane| threads::count(plane, |value| !value.is_finite())).sum();
        Ok(Before { planes: Arc::new(planes), range, gaps })
    }

    /// The channels before and after a mask that cuts nothing.
    pub(super) fn open(signal: &Signal, before: Before) -> Self {
        let after = Some(before.planes.clone());
        Self { shape: shape_of(signal), before, after, energy: 1.0, known_quality: Some([f64::INFINITY, 1.0]) }
    }

    /// The channels before and after a filter.
    pub(super) fn new(signal: &Signal, before: Before, after: Vec<FilteredPlane>) -> Self {
        let energy = FilteredPlane::energy(&after);
        let real = |samples: Samples| if let Samples::F32(values) = samples { values } else { samples.to_f32() };
        let after = Some(Arc::new(after.into_iter().map(|plane| real(plane.samples)).collect()));
        Self { shape: shape_of(signal), before, after, energy, known_quality: None }
    }

    /// The channels before a filter that leaves this part of the energy; those after it are on a GPU.
    pub(super) fn on_gpu(signal: &Signal, before: Before, energy: f64) -> Self {
        Self { shape: shape_of(signal), before, after: None, energy, known_quality: None }
    }

    /// Takes the channels after the filter, if they were on a GPU.
    pub(super) fn bring(&mut self, planes: impl FnOnce() -> Result<Vec<Vec<f32>>, EngineError>) -> Result<(), EngineError> {
        if self.after.is_none() {
            self.after = Some(Arc::new(planes()?));
        }
        Ok(())
    }

    /// Whether the channels after the filter are here.
    pub(super) fn is_here(&self) -> bool {
        self.after.is_some()
    }

    /// The values of black and white.
    pub(super) fn range(&self) -> [f32; 2] {
        self.before.range
    }

    fn after(&self) -> &[Vec<f32>] {
        self.after.as_ref().map_or(&[], |after| after.as_slice())
    }

    /// Samples before the filter that are infinite or no numbers, of all channels.
    pub(super) fn gaps(&self) -> usize {
        self.before.gaps
    }

    /// The values of a pixel before the filter, none beside the image.
    pub(super) fn before_at(&self, [column, row]: [usize; 2]) -> Vec<f32> {
        let at = Some(row * self.shape.columns + column).filter(|_| column < self.shape.columns);
        self.before.planes.iter().filter_map(|plane| plane.get(at?).copied()).collect()
    }

    /// The channels before the filter, for another mask.
    pub(super) fn into_before(self) -> Before {
        self.before
    }

    /// Finds PSNR in dB and SSIM, each over all channels, which must be here; the peak is the range of the image before.
    pub(super) fn find_quality(&mut self) {
        if self.known_quality.is_some() {
            return;
        }
        let [low, high] = self.before.range.map(f64::from);
        let peak = if high > low { high - low } else { 1.0 };
        let after = self.after();
        let pairs = || self.before.planes.iter().zip(after);
        let square = |(a, b): (&f32, &f32)| if a.is_finite() { f64::from(a - b).powi(2) } else { 0.0 };
        let sum: f64 = pairs().map(|(a, b)| threads::sum(a.len(), &|block| a[block.clone()].iter().zip(&b[block]).map(square).sum())).sum();
        let mean = sum / (self.shape.len() * after.len()).max(1) as f64;
        let psnr = if mean > 0.0 { 10.0 * (peak * peak / mean).log10() } else { f64::INFINITY };
        let similar: f64 = pairs().map(|(a, b)| structural_similarity(a, b, self.shape, peak)).sum();
        self.known_quality = Some([psnr, similar / after.len().max(1) as f64]);
    }

    /// The colours of a part, from channels that are here; a pixel that covers several samples shows their mean.
    pub(super) fn image(&self, shows: FilterView, frame: DisplayFrame) -> RenderedImage {
        let n = self.shape.columns;
        let means = |planes: &[Vec<f32>], rows: &Range<usize>, columns: &Range<usize>| {
            let mean = |plane: &Vec<f32>| {
                let line = |row: usize| plane[row * n..][columns.clone()].iter().sum::<f32>();
                match rows.len() * columns.len() {
                    1 => plane[rows.start * n + columns.start],
                    all => rows.clone().map(line).sum::<f32>() / all as f32,
                }
            };
            match planes {
                [one] => [mean(one); 3],
                planes => std::array::from_fn(|k| planes.get(k).map_or(0.0, mean)),
            }
        };
        if shows == FilterView::Difference {
            return self.difference(frame, |rows, columns| {
                let [before, after] = [self.before.planes.as_slice(), self.after()].map(|planes| means(planes, rows, columns));
                (0..3).map(|k| after[k] - before[k]).sum::<f32>() / 3.0
            });
        }
        let edge = if let FilterView::Split(share) = shows { (share * n as f64) as usize } else { 0 };
        let range = self.before.range;
        let rgba = painted(self.shape, frame, |rows, columns, pixel| {
            let is_before = shows == FilterView::Source || columns.start < edge;
            let colour = means(if is_before { &self.before.planes } else { self.after() }, rows, columns);
            let [red, green, blue] = colour.map(|value| level(value, range));
            pixel.copy_from_slice(&[red, green, blue, u8::MAX]);
        });
        let values = readable(frame, self.shape).into_iter().flat_map(|[rows, columns]| {
            let places = rows.flat_map(move |row| columns.clone().map(move |column| (row, column)));
            places.flat_map(|(row, column)| {
                let is_before = shows == FilterView::Source || column < edge;
                let planes = if is_before { &self.before.planes } else { self.after() };
                planes.iter().map(move |plane| plane[row * n + column])
            })
        });
        let values = values.collect();
        let is_blank = range == [0.0; 2] && self.after().iter().flatten().all(|value| !value.is_finite());
        RenderedImage { is_blank, values, ..RenderedImage::new(frame, rgba, range) }
    }

    /// The visible part of a row of the first channel, and one that is behind it.
    pub(super) fn plots(&self, shows: FilterView, frame: PlotFrame) -> [Option<PlotData>; 2] {
        let (Some(before), Some(after), n) = (self.before.planes.first(), self.after().first(), self.shape.columns) else {
            return [None, None];
        };
        let of = |value: &(dyn Fn(usize) -> f32 + Sync)| Some(line(|row, column| value(row * n + column).into(), self.shape, frame));
        match shows {
            FilterView::Source => [of(&|at| before[at]), None],
            FilterView::Difference => [of(&|at| after[at] - before[at]), None],
            FilterView::Split(_) => [of(&|at| after[at]), of(&|at| before[at])],
            FilterView::Result | FilterView::Mask => [of(&|at| after[at]), None],
        }
    }

    /// Differences as blue and red around white. A few large ones in sight do not make the others pale.
    fn difference(&self, frame: DisplayFrame, at: impl Fn(&Range<usize>, &Range<usize>) -> f32 + Sync) -> RenderedImage {
        let mut values = vec![0.0_f32; frame.width * frame.height];
        let columns = spans(frame.rect.left, frame.rect.width, frame.width, self.shape.columns);
        let rows = spans(frame.rect.top, frame.rect.height, frame.height, self.shape.rows);
        threads::for_each_chunk(&mut values, frame.width.max(1), &|y, line| {
            let rows = &rows[y];
            let filled = line.iter_mut().zip(&columns).filter(|(_, columns)| !rows.is_empty() && !columns.is_empty());
            filled.for_each(|(value, columns)| *value = at(rows, columns));
        });
        let most = most_of(&values);
        // Rounding is not magnified.
        let least = 1e-5 * (self.before.range[1] - self.before.range[0]).max(f32::MIN_POSITIVE);
        let range = [-most.max(least), most.max(least)];
        let lut = Colormap::RdBu.lut();
        let rgba = values.iter().flat_map(|&value| lut[Colormap::index(value, range)]).collect();
        let values = readable(frame, self.shape).map(|_| values).unwrap_or_default();
        RenderedImage { values, ..RenderedImage::new(frame, rgba, range) }
    }
}

/// The magnitude that all but one in 200 finite values stay within.
fn most_of(values: &[f32]) -> f32 {
    let mut sizes: Vec<f32> = values.iter().filter(|value| value.is_finite()).map(|value| value.abs()).collect();
    let at = sizes.len().saturating_sub(1 + sizes.len() / 200);
    if sizes.is_empty() { 0.0 } else { *sizes.select_nth_unstable_by(at, f32::total_cmp).1 }
}

fn shape_of(signal: &Signal) -> Shape {
    Shape { rows: signal.rows, columns: signal.columns }
}

/// The factors of a mask, times those of a table, from black at 0 to white at 1, with frequency 0 in the middle.
pub(super) fn mask_image((mask, table): (&Mask, Option<&MaskTable>), shape: Shape, frame: DisplayFrame) -> RenderedImage {
    let rows = MaskRows::new(mask, shape);
    let across = spans(frame.rect.left, frame.rect.width, frame.width, shape.columns);
    let down = spans(frame.rect.top, frame.rect.height, frame.height, shape.rows);
    let mut rgba = vec![0; 4 * frame.width * frame.height];
    rgba.par_chunks_mut(4 * frame.width.max(1)).zip(&down).for_each_init(
        || (vec![0.0; shape.columns], vec![0.0; shape.columns]),
        |(line, sums), (pixels, span)| {
            sums.fill(0.0);
            for place in span.clone() {
                fill(&rows, table, unshifted_index(place, shape.rows), line);
                sums.iter_mut().zip(&*line).for_each(|(sum, factor)| *sum += factor);
            }
            for (pixel, columns) in pixels.chunks_exact_mut(4).zip(&across) {
                let n = span.len() * columns.len();
                if n > 0 {
                    let sum: f64 = columns.clone().map(|place| sums[unshifted_index(place, shape.columns)]).sum();
                    let gray = level((sum / n as f64) as f32, [0.0, 1.0]);
                    pixel.copy_from_slice(&[gray, gray, gray, u8::MAX]);
                }
            }
        },
    );
    let mut values = Vec::new();
    if let Some([down, across]) = readable(frame, shape) {
        let mut line = vec![0.0; shape.columns];
        for place in down {
            fill(&rows, table, unshifted_index(place, shape.rows), &mut line);
            values.extend(across.clone().map(|place| line[unshifted_index(place, shape.columns)] as f32));
        }
    }
    RenderedImage { values, ..RenderedImage::new(frame, rgba, [0.0, 1.0]) }
}

/// The factors of the mask of a signal from frequency 0 to the highest one.
pub(super) fn mask_plot((mask, table): (&Mask, Option<&MaskTable>), shape: Shape, frame: PlotFrame) -> PlotData {
    let mut factors = vec![0.0; shape.columns / 2 + 1];
    fill(&MaskRows::new(mask, shape), table, 0, &mut factors);
    PlotData::of_reals(&factors, PlotFrame { row: 0, ..frame })
}

/// The positions that each pixel of a side covers; none beside the image.
fn spans(first: f64, extent: f64, pixels: usize, n: usize) -> Vec<Range<usize>> {
    (0..pixels).map(|pixel| covered(first, extent, pixel, pixels, n, &LOOK)).collect()
}

/// Paints every pixel that covers samples.
fn painted(shape: Shape, frame: DisplayFrame, paint: impl Fn(&Range<usize>, &Range<usize>, &mut [u8]) + Sync) -> Vec<u8> {
    let across = spans(frame.rect.left, frame.rect.width, frame.width, shape.columns);
    let down = spans(frame.rect.top, frame.rect.height, frame.height, shape.rows);
    let mut rgba = vec![0; 4 * frame.width * frame.height];
    threads::for_each_chunk(&mut rgba, 4 * frame.width.max(1), &|y, pixels| {
        let rows = &down[y];
        let filled = pixels.chunks_exact_mut(4).zip(&across).filter(|(_, columns)| !rows.is_empty() && !columns.is_empty());
        filled.for_each(|(pixel, columns)| paint(rows, columns, pixel));
    });
    rgba
}

/// A value between black and white as a byte.
fn level(value: f32, [low, high]: [f32; 2]) -> u8 {
    let width = if high > low { high - low } else { 1.0 };
    // Adding a half rounds without a library call for every pixel; what is below 0 becomes 0.
    ((value - low) / width * 255.0 + 0.5) as u8
}

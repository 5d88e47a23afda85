//! Prepares wavelets for the window: the pyramid, the thresholded signal, and wavelet packets, ready to be painted.

use super::coefficients::{Analysis, Filtered, filter, forward, packets, reconstruct};
use crate::engine::preparing::KeptPreparation;
use crate::engine::worker::Ask;
use crate::engine::{DeviceChoice, Devices, EngineError, Job, SharedResult, Study, StudyMailbox, Values};
use crate::signal::NoSuchChannel;
use crate::transforms::{Axes, Shape, transform};
use crate::wavelet::{Band, Cost, Kept, Node, Statistics, Thresholding, Tree, bands};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Weak};

/// The largest number of pixels along a side of an image; larger images share pixels.
const MOST_PIXELS: usize = 1024;
/// Coefficients below this part of the largest are rounding of single precision.
const ROUNDING: f64 = 1e-5;

/// A request about the wavelets of a job.
#[derive(Debug, Clone, PartialEq)]
pub struct WaveletRequest {
    /// The transform and its samples.
    pub job: Job,
    /// The view that is wanted.
    pub wanted: WaveletView,
}

/// The view that is wanted.
#[derive(Debug, Clone, PartialEq)]
pub enum WaveletView {
    /// The coefficients, for a batch of signals those of one row; and an image without the small ones.
    Pyramid {
        /// Which row.
        row: usize,
        /// Whether all bands of details have one scale.
        one_scale: bool,
        /// How the coefficients of an image are thresholded.
        thresholding: Thresholding,
    },
    /// The samples after thresholding.
    Filtered {
        /// How coefficients are thresholded.
        thresholding: Thresholding,
        /// The row that is shown.
        row: usize,
    },
    /// The packets of a row.
    Packets {
        /// Which row.
        row: usize,
        /// The most levels.
        levels: u32,
        /// The cost function of blocks.
        cost: Cost,
        /// The tree; `None` takes the cheapest one.
        tree: Option<Tree>,
        /// The block that is reconstructed alone, in the tree or not; `None` takes all leaves.
        part: Option<Node>,
    },
}

/// The coefficients with their bands.
#[derive(Debug, Clone, PartialEq)]
pub struct Pyramid {
    /// All numbers.
    pub analysis: Arc<Analysis>,
    /// Whether every row has its own bands, so that one row is shown, band above band over time.
    pub is_line: bool,
    /// Which row.
    pub row: usize,
    /// The bands, coarsest first.
    pub bands: Vec<Band>,
    /// The largest magnitude in each.
    pub largest: Vec<f64>,
    /// The magnitude that is drawn brightest in each.
    pub scales: Vec<f64>,
    /// The sum of the squares of each.
    pub energies: Vec<f64>,
    /// The magnitudes as shares of these.
    pub image: Pixels,
    /// The image after thresholding; `None` for signals.
    pub left: Option<Remainder>,
}

/// A signal after thresholding.
#[derive(Debug, Clone, PartialEq)]
pub struct Remainder {
    /// Which coefficients are left.
    pub kept: Kept,
    /// Peak signal-to-noise ratio in dB.
    pub psnr: f64,
    /// The largest difference of a sample.
    pub largest: f64,
    /// The samples and the difference.
    pub shown: Shown,
}

/// Samples before and after thresholding, and their difference.
#[derive(Debug, Clone, PartialEq)]
pub enum Shown {
    /// The image before and after, both from the smallest to the largest sample, and the magnitude of the difference.
    Images([Pixels; 3]),
    /// A row before and after, and the difference.
    Curves {
        /// Samples of the row.
        n: usize,
        /// Smallest and largest value of every pixel column.
        curves: [Vec<[f64; 2]>; 3],
    },
}

/// The packets of a signal at every level; entry 0 is the signal itself.
pub type Levels = Arc<Vec<Vec<f64>>>;

/// The wavelet packets of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Packets {
    /// The row, and the number of rows.
    pub row: [usize; 2],
    /// The coefficients of every level.
    pub coefs: Levels,
    /// Samples at the end of the row that belong to no block.
    pub n_left: usize,
    /// Which blocks are split.
    pub tree: Tree,
    /// The cost of its leaves, and the cost of the whole row.
    pub costs: [f64; 2],
    /// Statistics of every block, level after level.
    pub statistics: Vec<Vec<Statistics>>,
    /// The block that is reconstructed alone, if one was asked for.
    pub part: Option<Node>,
    /// The reconstruction from the leaves, or from that block alone.
    pub line: Vec<f64>,
}

/// A view of wavelets.
#[derive(Debug, Clone, PartialEq)]
pub enum WaveletReport {
    /// The coefficients.
    Pyramid(Arc<Pyramid>),
    /// The signal after thresholding.
    Filtered(Arc<Remainder>),
    /// The packets.
    Packets(Arc<Packets>),
}

impl Ask for WaveletRequest {}

/// A small image: an entry of a colour table for every pixel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixels {
    /// Pixels down and across.
    pub size: [usize; 2],
    /// Entries, row after row.
    pub entries: Vec<u8>,
}

impl Pixels {
    /// The largest of the values that share a pixel; `at` gives them from 0 to 1 by row and column.
    fn new(shape: Shape, at: impl Fn(usize, usize) -> f64) -> Self {
        Self::pooled(shape, at, f64::max, |largest, _| largest)
    }

    /// The mean of the values that share a pixel.
    pub(crate) fn mean(shape: Shape, at: impl Fn(usize, usize) -> f64) -> Self {
        Self::pooled(shape, at, |sum, value| sum + value, |sum, n| sum / f64::from(n))
    }

    /// Joins the values from 0 to 1 that share a pixel, and closes each pixel with their number.
    fn pooled(shape: Shape, at: impl Fn(usize, usize) -> f64, join: impl Fn(f64, f64) -> f64, close: impl Fn(f64, u32) -> f64) -> Self {
        let steps = [shape.rows, shape.columns].map(|n| n.div_ceil(MOST_PIXELS).max(1));
        let size = [shape.rows.div_ceil(steps[0]), shape.columns.div_ceil(steps[1])];
        let mut pixels = vec![(0.0, 0_u32); size[0] * size[1]];
        for row in 0..shape.rows {
            for column in 0..shape.columns {
                let (value, n) = &mut pixels[row / steps[0] * size[1] + column / steps[1]];
                (*value, *n) = (join(*value, at(row, column).clamp(0.0, 1.0)), *n + 1);
            }
        }
        Self { size, entries: pixels.into_iter().map(|(value, n)| (close(value, n) * 255.0).round() as u8).collect() }
    }
}

/// More samples take longer than a moment.
const MOST_QUICK: usize = 1 << 18;

/// Answers one request after the other, and keeps coefficients for the next one.
#[derive(Default)]
pub struct WaveletStudy {
    analysis: Option<(Weak<Values>, Arc<Analysis>)>,
    packets: Option<(Vec<f64>, Levels)>,
    preparation: KeptPreparation,
}

impl Study for WaveletStudy {
    type Request = WaveletRequest;
    type Report = Result<WaveletReport, EngineError>;

    const NAME: &'static str = "wavelet";

    fn needs(&self, WaveletRequest { job, wanted }: &WaveletRequest) -> Result<Vec<Job>, EngineError> {
        Ok(match wanted {
            WaveletView::Packets { .. } => Vec::new(),
            WaveletView::Pyramid { .. } | WaveletView::Filtered { .. } => vec![forward(job)?],
        })
    }

    fn is_long(WaveletRequest { job, .. }: &WaveletRequest) -> bool {
        job.signal.len() > MOST_QUICK
    }

    fn answer(
        &mut self,
        WaveletRequest { job, wanted }: &WaveletRequest,
        results: Result<Vec<SharedResult>, EngineError>,
        StudyMailbox { devices, cancel, progress, .. }: StudyMailbox<'_>,
    ) -> Self::Report {
        let result = results?.pop();
        match (wanted, result) {
            (WaveletView::Pyramid { row, one_scale, thresholding }, Some(result)) => {
                let analysis = self.analysis(&result)?;
                let mut pyramid = pyramid(analysis.clone(), *row, *one_scale);
                if !pyramid.is_line {
                    progress("the image after thresholding", 0.5);
                    let filtered = filter(&result.ran, &analysis, *thresholding, devices, cancel)?;
                    pyramid.left = Some(remainder(&analysis, filtered, *row));
                }
                Ok(WaveletReport::Pyramid(Arc::new(pyramid)))
            }
            (WaveletView::Filtered { thresholding, row }, Some(result)) => {
                let analysis = self.analysis(&result)?;
                progress("the signal after thresholding", 0.5);
                let filtered = filter(&result.ran, &analysis, *thresholding, devices, cancel)?;
                Ok(WaveletReport::Filtered(Arc::new(remainder(&analysis, filtered, *row))))
            }
            (WaveletView::Packets { row, levels, cost, tree, part }, _) => {
                progress("wavelet packets", 0.2);
                let (job, _) = self.preparation.of(job, cancel)?;
                let job = &*job;
                let (coefs, n_left) = self.packets(job, (*row, *levels), devices, cancel)?;
                let fits = |tree: &&Tree| tree.levels() as usize + 1 == coefs.len();
                let tree = tree.as_ref().filter(fits).cloned().unwrap_or_else(|| Tree::best(&coefs, *cost));
                let part = part.filter(|part| (part.level as usize) < coefs.len());
                let line = match part {
                    Some(part) => {
                        reconstruct(&coefs, &Tree::down_to(part), |node| node == part, &DeviceChoice::CpuParallel, devices, cancel)?
                    }
                    None => reconstruct(&coefs, &tree, |_| true, &DeviceChoice::CpuParallel, devices, cancel)?,
                };
                let blocks = |level: u32| (0..1 << level).map(move |block| Node { level, block });
                let statistics = (0..=tree.levels()).map(|level| blocks(level).map(|node| Statistics::of(node.of(&coefs))).collect());
                let costs = [tree.cost(&coefs, *cost), Tree::new(0, |_| false).cost(&coefs, *cost)];
                let statistics = statistics.collect();
                let row = [(*row).min(job.signal.rows.saturating_sub(1)), job.signal.rows];
                Ok(WaveletReport::Packets(Arc::new(Packets { row, coefs, n_left, tree, costs, statistics, part, line })))
            }
            (_, None) => unreachable!("coefficients need the result of their transform"),
        }
    }
}

impl WaveletStudy {
    fn analysis(&mut self, result: &SharedResult) -> Result<Arc<Analysis>, EngineError> {
        if let Some((values, analysis)) = &self.analysis
            && values.as_ptr() == Arc::as_ptr(&result.values)
        {
            return Ok(analysis.clone());
        }
        let analysis = Arc::new(Analysis::of(result)?);
        self.analysis = Some((Arc::downgrade(&result.values), analysis.clone()));
        Ok(analysis)
    }

    /// The packets of a row, and the number of samples at its end that belong to no block.
    fn packets(
        &mut self,
        job: &Job,
        (row, levels): (usize, u32),
        devices: &mut Devices,
        cancel: &AtomicBool,
    ) -> Result<(Levels, usize), EngineError> {
        let columns = job.signal.columns;
        let levels = levels.min(columns.max(1).ilog2());
        let n_left = columns % (1 << levels);
        let row = row.min(job.signal.rows.saturating_sub(1));
        let plane = job.signal.samples_f64(job.channel).map_err(|error: NoSuchChannel| EngineError::from(error))?;
        let line = &plane[row * columns..(row + 1) * columns - n_left];
        if let Some((known, coefs)) = &self.packets
            && known == line
            && coefs.len() == levels as usize + 1
        {
            return Ok((coefs.clone(), n_left));
        }
        let coefs = Arc::new(packets(line, levels, &DeviceChoice::CpuParallel, devices, cancel)?);
        self.packets = Some((line.to_vec(), coefs.clone()));
        Ok((coefs, n_left))
    }
}

fn pyramid(analysis: Arc<Analysis>, row: usize, one_scale: bool) -> Pyramid {
    let is_line = transform(analysis.transform).is_ok_and(|transform| transform.axes == Axes::Rows);
    let shape = if is_line { Shape::line(analysis.shape.columns) } else { analysis.shape };
    let bands = bands_of(&analysis, shape);
    let row = if is_line { row.min(analysis.shape.rows.saturating_sub(1)) } else { 0 };
    // A batch of signals shows one row, the chosen one.
    let at = |down: usize, column: usize| analysis.coefs[(row + down) * shape.columns + column];
    let values = |band: &Band| {
        let columns = band.columns.clone();
        band.rows.clone().flat_map(move |row| columns.clone().map(move |column| (row, column))).map(|(row, column)| at(row, column))
    };
    let largest: Vec<f64> = bands.iter().map(|band| values(band).map(f64::abs).fold(0.0, f64::max)).collect();
    let details = bands.iter().zip(&largest).filter(|(band, _)| !band.is_low()).map(|(_, largest)| *largest).fold(0.0, f64::max);
    // The low-pass band is a small image: its values are far larger than details.
    let scale = |(band, largest): (&Band, &f64)| if one_scale && !band.is_low() { details } else { *largest };
    let scales: Vec<f64> = bands.iter().zip(&largest).map(scale).collect();
    let energies = bands.iter().map(|band| values(band).map(|value| value * value).sum()).collect();
    // Rounding is not magnified.
    let least = ROUNDING * scales.iter().copied().fold(0.0, f64::max);
    // Square roots show details that are small beside the largest.
    let share = |value: f64, scale: f64| if scale > 0.0 { (value.abs() / scale.max(least)).sqrt() } else { 0.0 };
    let image = if is_line {
        Pixels::new(Shape { rows: bands.len(), columns: shape.columns }, |row, column| {
            let columns = &bands[row].columns;
            share(at(0, columns.start + column * columns.len() / shape.columns), scales[row])
        })
    } else {
        let mut values = vec![0.0; shape.len()];
        for (band, scale) in bands.iter().zip(&scales) {
            for row in band.rows.clone() {
                band.columns.clone().for_each(|column| values[row * shape.columns + column] = share(at(row, column), *scale));
            }
        }
        Pixels::new(shape, |row, column| values[row * shape.columns + column])
    };
    Pyramid { analysis: analysis.clone(), is_line, row, bands, largest, scales, energies, image, left: None }
}

/// The bands of the layout; the bands of a full packet tree are its blocks.
fn bands_of(analysis: &Analysis, shape: Shape) -> Vec<Band> {
    if analysis.transform == "d4-packet" { Band::blocks(shape.columns, analysis.levels) } else { bands(shape, analysis.levels) }
}

fn remainder(analysis: &Analysis, Filtered { kept, samples, psnr }: Filtered, row: usize) -> Remainder {
    let Shape { rows, columns } = analysis.shape;
    let difference = |i: usize| samples[i] - analysis.samples[i];
    let largest = (0..samples.len()).map(|i| difference(i).abs()).fold(0.0, f64::max);
    let shown = if transform(analysis.transform).is_ok_and(|transform| transform.axes == Axes::Both) {
        let (least, most) = analysis.samples.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &x| (a.min(x), b.max(x)));
        let range = if most > least { most - least } else { 1.0 };
        let [before, left] = [&analysis.samples, &samples]
            .map(|values| Pixels::mean(analysis.shape, |row, column| (values[row * columns + column] - least) / range));
        // Rounding is not magnified.
        let scale = largest.max(1e-4 * analysis.peak);
        Shown::Images([before, left, Pixels::new(analysis.shape, |row, column| difference(row * columns + column).abs() / scale)])
    } else {
        let line = row.min(rows.saturating_sub(1)) * columns..(row.min(rows.saturating_sub(1)) + 1) * columns;
        let differences: Vec<f64> = line.clone().map(difference).collect();
        Shown::Curves { n: columns, curves: [&analysis.samples[line.clone()], &samples[line], &differences].map(curve) }
    };
    Remainder { kept, psnr, largest, shown }
}

/// The smallest and the largest value of every pixel column.
pub fn curve(values: &[f64]) -> Vec<[f64; 2]> {
    let step = values.len().div_ceil(MOST_PIXELS).max(1);
    let ends = |part: &[f64]| [part.iter().copied().fold(f64::INFINITY, f64::min), part.iter().copied().fold(f64::NEG_INFINITY, f64::max)];
    values.chunks(step).map(ends).collect()
}

//! Prepares wavelets for the window: the pyramid and wavelet packets, ready to be painted.

use super::packets::{forward, packets, reconstruct};
use crate::engine::analysis::{Analysis, KeptAnalysis, Thresholded, real};
use crate::engine::pixels::{Pixels, extent};
use crate::engine::preparing::KeptPreparation;
use crate::engine::worker::Ask;
use crate::engine::{DeviceChoice, Devices, EngineError, Job, SharedResult, Study, StudyMailbox};
use crate::signal::NoSuchChannel;
use crate::threshold::{Keep, Kept, Shrink, Thresholding};
use crate::transforms::Shape;
use crate::wavelet::{Band, BlockStatistics, Cost, Node, Tree, bands};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

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
        /// The share of the coefficients, from 0 to 1, that makes the image beside them.
        share: f64,
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
    /// The image that the largest coefficients make; `None` for signals.
    pub left: Option<Remainder>,
}

/// An image that the largest coefficients make.
#[derive(Debug, Clone, PartialEq)]
pub struct Remainder {
    /// Which coefficients are left.
    pub kept: Kept,
    /// Peak signal-to-noise ratio in dB.
    pub psnr: f64,
    /// The image, from the smallest to the largest sample.
    pub image: Pixels,
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
    pub statistics: Vec<Vec<BlockStatistics>>,
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
    /// The packets.
    Packets(Arc<Packets>),
}

impl Ask for WaveletRequest {}

/// More samples take longer than a moment.
const MOST_QUICK: usize = 1 << 18;

/// Answers one request after the other, and keeps coefficients for the next one.
#[derive(Default)]
pub struct WaveletStudy {
    analysis: KeptAnalysis,
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
            WaveletView::Pyramid { .. } => vec![forward(job)?],
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
            (WaveletView::Pyramid { row, one_scale, share }, Some(result)) => {
                let analysis = self.analysis.of(&result)?;
                let mut pyramid = pyramid(analysis.clone(), *row, *one_scale);
                if !pyramid.is_line {
                    progress("the image of the largest coefficients", 0.5);
                    let thresholding = Thresholding { keep: Keep::Share(*share), shrink: Shrink::Hard };
                    pyramid.left = Some(remainder(&analysis, analysis.thresholded(thresholding, devices, cancel)?));
                }
                Ok(WaveletReport::Pyramid(Arc::new(pyramid)))
            }
            (WaveletView::Packets { row, levels, cost, tree, part }, _) => {
                progress("wavelet packets", 0.2);
                let (job, _) = self.preparation.of(job, cancel)?;
                let job = &*job;
                let (coefs, n_left) = self.packets(job, *row, *levels, devices, cancel)?;
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
                let statistics = (0..=tree.levels()).map(|level| blocks(level).map(|node| BlockStatistics::of(node.of(&coefs))).collect());
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
    /// The packets of a row, and the number of samples at its end that belong to no block.
    fn packets(
        &mut self,
        job: &Job,
        row: usize,
        levels: u32,
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
    let is_line = !analysis.is_image();
    let shape = if is_line { Shape::line(analysis.shape.columns) } else { analysis.shape };
    let bands = bands_of(&analysis, shape);
    let row = if is_line { row.min(analysis.shape.rows.saturating_sub(1)) } else { 0 };
    // A batch of signals shows one row, the chosen one.
    let at = |down: usize, column: usize| analysis.coefs[(row + down) * shape.columns + column].re;
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
    // Square roots show details that are small compared to the largest.
    let share = |value: f64, scale: f64| if scale > 0.0 { (value.abs() / scale.max(least)).sqrt() } else { 0.0 };
    let image = if is_line {
        Pixels::largest(Shape { rows: bands.len(), columns: shape.columns }, |row, column| {
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
        Pixels::largest(shape, |row, column| values[row * shape.columns + column])
    };
    Pyramid { analysis: analysis.clone(), is_line, row, bands, largest, scales, energies, image, left: None }
}

/// The bands of the layout; the bands of a full packet tree are its blocks.
fn bands_of(analysis: &Analysis, shape: Shape) -> Vec<Band> {
    if analysis.job.transform == "d4-packet" { Band::blocks(shape.columns, analysis.levels) } else { bands(shape, analysis.levels) }
}

fn remainder(analysis: &Analysis, Thresholded { kept, samples, psnr }: Thresholded) -> Remainder {
    let Shape { columns, .. } = analysis.shape;
    let [least, most] = extent(&real(&analysis.samples));
    let range = if most > least { most - least } else { 1.0 };
    let image = Pixels::mean(analysis.shape, |row, column| (samples[row * columns + column].re - least) / range);
    Remainder { kept, psnr, image }
}

//! The picture of a spectrogram in a window: the power in each pixel of a part of it.

use super::spectra::RecordingPart;
use super::worker::Ask;
use super::{EngineError, SharedResult, Study, StudyMailbox};
use crate::display::Colormap;
use crate::spectra::{
    Blocks, Frames, FrequencyAxis, Method, Pool, Pooled, Quantity, SpectraError, SpectraJob, TimeAxis, pooled, pooled_from,
};
use crate::threads;
use std::sync::Arc;

/// A picture of a part of a spectrogram.
#[derive(Debug, Clone, PartialEq)]
pub struct SpectrogramRequest {
    /// The samples that the frames divide, from their first one on.
    pub part: RecordingPart,
    /// The frames.
    pub frames: Frames,
    /// One of so many frames counts: 1 for the whole picture, more for a first impression.
    pub stride: usize,
    /// How their power is distributed.
    pub method: Method,
    /// The pooling of the powers in a pixel.
    pub pool: Pool,
    /// The columns.
    pub times: TimeAxis,
    /// The rows.
    pub frequencies: FrequencyAxis,
}

impl Ask for SpectrogramRequest {
    /// A picture that is soon there is not given up for the next one, so that something moves while the view does.
    fn is_outdated_by(&self, newer: &Self) -> bool {
        self.part != newer.part || self.stride < self.first_stride()
    }
}

/// Up to this number of frames a column, the whole picture is as soon there as a first impression.
const FEW: usize = 4;
/// Moments of the first impression of a scalogram: each takes the longest block of every octave.
const MOMENTS: usize = 128;

impl SpectrogramRequest {
    /// One of how many frames makes a first impression: about one a column; 1 where the whole picture is as soon there.
    pub fn first_stride(&self) -> usize {
        let each = match self.method {
            Method::Scalogram => self.n_frames() / MOMENTS,
            // Reassigned power comes from frames beside a column, too.
            Method::Reassigned => self.n_frames() / self.times.columns.max(1) / 2,
            _ => self.n_frames() / self.times.columns.max(1),
        };
        if each > FEW { each } else { 1 }
    }

    /// Number of frames that the whole picture shows.
    pub fn n_frames(&self) -> usize {
        self.times.frames(&self.frames, self.frames.count(self.part.samples.len())).len()
    }
}

/// The power in each pixel, and its level.
#[derive(Debug, Clone, PartialEq)]
pub struct SpectrogramPicture {
    /// The power, column by column.
    pub power: Pooled,
    /// 10·log10 of it, row by row from the top; −∞ for silence, not a number where samples are none.
    pub levels: Vec<f32>,
    /// The row from the top with the most power in each column; `None` in silence.
    pub ridge: Vec<Option<usize>>,
}

impl SpectrogramPicture {
    /// The picture of these powers.
    pub(super) fn new(power: Pooled) -> Self {
        let (columns, rows) = (power.columns.len(), power.columns.first().map_or(0, Vec::len));
        let mut levels = vec![0.0; columns * rows];
        threads::for_each_chunk(&mut levels, columns.max(1), &|row, levels: &mut [f32]| {
            for (level, column) in levels.iter_mut().zip(&power.columns) {
                *level = 10.0 * column[rows - 1 - row].log10();
            }
        });
        let strongest = |column: &Vec<f32>| {
            let powers = column.iter().copied().enumerate().filter(|(_, power)| *power > 0.0);
            powers.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(row, _)| rows - 1 - row)
        };
        let ridge = power.columns.iter().map(strongest).collect();
        Self { power, levels, ridge }
    }
}

impl SpectrogramPicture {
    /// The colours of the levels after `offset` is added to them, where `range` has the levels of the first and of the last colour; gray for what is not a number.
    /// This takes no thread of those of all loops: they may be busy for minutes, and a window waits for none of them.
    pub fn coloured(&self, map: Colormap, offset: f32, range: [f32; 2]) -> Vec<[u8; 4]> {
        const NO_NUMBER: [u8; 4] = [128, 128, 128, 255];
        let lut = map.lut();
        let colour = |level: &f32| if level.is_nan() { NO_NUMBER } else { lut[Colormap::index(level + offset, range)] };
        self.levels.iter().map(colour).collect()
    }
}

/// Answers one picture after the other, and keeps what pictures of hours have in common.
#[derive(Default)]
pub struct SpectrogramStudy {
    /// The power of short stretches of frames, with the picture that they were made for.
    blocks: Option<(SpectrogramRequest, Blocks)>,
}

/// The most bytes of these powers.
const MOST_BYTES: u128 = 200 << 20;

/// More samples take longer than a moment.
const MOST_QUICK: usize = 1 << 23;

impl Study for SpectrogramStudy {
    type Request = SpectrogramRequest;
    type Report = Result<Arc<SpectrogramPicture>, EngineError>;

    const NAME: &'static str = "spectrogram";

    fn is_long(request: &SpectrogramRequest) -> bool {
        // Many wavelets act on each sample.
        let times = if request.method == Method::Scalogram { 8 } else { 1 };
        request.n_frames().saturating_mul(request.frames.length * times) / request.stride.max(1) > MOST_QUICK
    }

    fn answer(
        &mut self,
        request: &SpectrogramRequest,
        _: Result<Vec<SharedResult>, EngineError>,
        mailbox: StudyMailbox<'_>,
    ) -> Self::Report {
        let RecordingPart { signal, channel, samples, rate } = &request.part;
        let track = signal.track(*channel).map_err(EngineError::from)?;
        let frames = Frames { hop: request.frames.hop * request.stride, ..request.frames };
        let job = SpectraJob::new(vec![track], samples.clone(), frames, rate.per_unit, mailbox.cancel);
        let progress = |part: f32| (mailbox.progress)(&format!("the {}", request.method.picture().to_lowercase()), part);
        if request.stride == 1 && Self::is_long(request) {
            progress(0.0);
        }
        if request.stride == 1 && request.method == Method::Scalogram {
            return Ok(Arc::new(SpectrogramPicture::new(in_stretches(&job, request, &progress)?)));
        }
        let picture = || self.pooled(&job, request).map(SpectrogramPicture::new);
        // A first impression has threads of its own: those of all loops may be busy with the whole of a long recording.
        let own = (request.stride > 1).then(threads::cores);
        Ok(Arc::new(threads::on(own, picture)?))
    }
}

impl SpectrogramStudy {
    /// The power of the pixels: from what is known of the frames where columns have many of them, else from their transforms.
    fn pooled(&mut self, job: &SpectraJob<'_>, request: &SpectrogramRequest) -> Result<Pooled, SpectraError> {
        let (how, grid) = ((request.method, request.pool), (&request.times, &request.frequencies));
        // Every quantity in decibels lies beside the power by a constant.
        let quantity = Quantity::Power;
        let is_wide = request.n_frames() >= 2 * Blocks::FRAMES * request.times.columns;
        if request.stride > 1 || !is_wide || request.method.is_spread() {
            return pooled(job, how, quantity, grid);
        }
        let is_of =
            |known: &SpectrogramRequest| (&known.part, known.frames, (known.method, known.pool)) == (&request.part, request.frames, how);
        if !self.blocks.as_ref().is_some_and(|(known, _)| is_of(known)) {
            self.blocks = None;
            let is_most = 2 * request.n_frames() > job.count();
            if !is_most || Blocks::bytes(job) > MOST_BYTES {
                return pooled(job, how, quantity, grid);
            }
            self.blocks = Some((request.clone(), Blocks::new(job, how, &request.times)?));
        }
        match &self.blocks {
            Some((_, blocks)) => pooled_from(blocks, job, quantity, grid),
            None => pooled(job, how, quantity, grid),
        }
    }
}

/// Samples of a stretch of a scalogram, about: so often it says how far it is.
const STRETCH: f64 = (1 << 20) as f64;

/// The pixels of a scalogram, some columns after the others.
fn in_stretches(job: &SpectraJob<'_>, request: &SpectrogramRequest, progress: &dyn Fn(f32)) -> Result<Pooled, SpectraError> {
    let (times, how) = (request.times, (request.method, request.pool));
    let each = (STRETCH / times.width()).clamp(1.0, times.columns.max(1) as f64) as usize;
    let stretch = |first: usize| {
        let last = (first + each).min(times.columns);
        let ends = [first, last].map(|column| times.ends[0] + column as f64 * times.width());
        pooled(job, how, Quantity::Power, (&TimeAxis { ends, columns: last - first }, &request.frequencies))
    };
    let mut all = stretch(0)?;
    for first in (each..times.columns).step_by(each) {
        progress(first as f32 / times.columns as f32);
        all.columns.extend(stretch(first)?.columns);
    }
    Ok(all)
}

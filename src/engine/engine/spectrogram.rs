//! What a window shows of a spectrogram: the power in each pixel of a picture of a part of it.

use super::spectra::RecordingPart;
use super::worker::Ask;
use super::{EngineError, SharedResult, Study, StudyMailbox};
use crate::spectra::{Frames, FrequencyAxis, Job, Method, Pool, Pooled, Quantity, TimeAxis, pooled};
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
    /// What a pixel shows of it.
    pub pool: Pool,
    /// The columns.
    pub times: TimeAxis,
    /// The rows.
    pub frequencies: FrequencyAxis,
}

impl Ask for SpectrogramRequest {}

impl SpectrogramRequest {
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
    fn new(power: Pooled) -> Self {
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

/// Answers one picture after the other.
pub struct SpectrogramStudy;

/// More samples take longer than a moment.
const MOST_QUICK: usize = 1 << 23;

impl Study for SpectrogramStudy {
    type Request = SpectrogramRequest;
    type Report = Result<Arc<SpectrogramPicture>, EngineError>;

    const NAME: &'static str = "spectrogram";

    fn is_long(request: &SpectrogramRequest) -> bool {
        request.n_frames().saturating_mul(request.frames.length) / request.stride.max(1) > MOST_QUICK
    }

    fn answer(
        &mut self,
        request: &SpectrogramRequest,
        _: Result<Vec<SharedResult>, EngineError>,
        mailbox: StudyMailbox<'_>,
    ) -> Self::Report {
        let RecordingPart { signal, channel, samples, rate } = &request.part;
        let track = signal.track(*channel).map_err(EngineError::from)?;
        let is_double = track.is_double();
        let job = Job {
            tracks: vec![track],
            samples: samples.clone(),
            frames: Frames { hop: request.frames.hop * request.stride, ..request.frames },
            rate: rate.per_unit,
            rows: None,
            cancel: mailbox.cancel,
        };
        let (how, grid) = ((request.method, request.pool), (&request.times, &request.frequencies));
        // Every quantity in decibels lies beside the power by a constant.
        let found = if is_double { pooled::<f64>(&job, how, Quantity::Power, grid) } else { pooled::<f32>(&job, how, Quantity::Power, grid) };
        Ok(Arc::new(SpectrogramPicture::new(found?)))
    }
}

//! The part of a stream that a window shows: the pixels of its waterfall, and the extremes of its samples in each column.

use super::super::spectrogram::SpectrogramPicture;
use super::super::worker::Ask;
use super::super::{EngineError, SharedResult, Study, StudyMailbox};
use super::{Counted, Kept};
use crate::signal::{ChannelChoice, StreamForm, Wave};
use crate::spectra::{Calibration, Frames, FrequencyAxis, Quantity, StreamRow, TimeAxis, pooled_rows};
use crate::threads;
use std::sync::Arc;
use std::time::Instant;

/// Up to this number of samples, the wave comes from them; more are shown by the extremes of rows.
const MOST_SAMPLES: f64 = (1 << 19) as f64;

/// A part of a stream to show.
#[derive(Debug, Clone)]
pub struct LivePictureRequest {
    /// The number of changes of the stream; the same number stands for the same rows.
    pub version: u64,
    /// When the last sample came of a frame that is among the newest, as [`Counted::came`] has it.
    pub came: Option<Instant>,
    /// The rows.
    pub rows: Vec<Arc<StreamRow>>,
    /// The samples, as far as they are kept.
    pub kept: Kept,
    /// How they are stored, and the channel.
    pub form: (StreamForm, ChannelChoice),
    /// The frames, and what their power means.
    pub frames: (Frames, Calibration),
    /// The columns, in samples from the beginning of the stream.
    pub times: TimeAxis,
    /// The rows of the picture.
    pub frequencies: FrequencyAxis,
}

impl PartialEq for LivePictureRequest {
    fn eq(&self, other: &Self) -> bool {
        (self.version, self.times, self.frequencies) == (other.version, other.times, other.frequencies)
    }
}

impl Ask for LivePictureRequest {}

/// The pixels.
#[derive(Debug, Clone)]
pub struct LivePicture {
    /// The waterfall.
    pub waterfall: SpectrogramPicture,
    /// The smallest and the largest value of every column; `None` where nothing is kept.
    pub wave: Vec<Option<[f32; 2]>>,
}

/// Makes one picture after the other.
pub struct LivePictureStudy;

impl Study for LivePictureStudy {
    type Request = LivePictureRequest;
    type Report = Result<Arc<LivePicture>, EngineError>;

    const NAME: &'static str = "waterfall";

    fn answer(&mut self, request: &LivePictureRequest, _: Result<Vec<SharedResult>, EngineError>, _: StudyMailbox<'_>) -> Self::Report {
        let LivePictureRequest { rows, frames: (frames, calibration), times, frequencies, .. } = request;
        let power = pooled_rows(rows, (frames, calibration), Quantity::Power, (times, frequencies));
        Ok(Arc::new(LivePicture { waterfall: SpectrogramPicture::new(power), wave: request.wave() }))
    }
}

impl LivePictureRequest {
    /// The part of a stream that these columns and rows show.
    pub fn of(counted: &Counted, times: TimeAxis, frequencies: FrequencyAxis) -> Self {
        let [from, to] = times.ends;
        let first = counted.rows.partition_point(|row| row.samples.end as f64 <= from);
        let last = counted.rows.partition_point(|row| (row.samples.start as f64) < to);
        Self {
            version: counted.version,
            came: counted.came,
            rows: counted.rows.range(first..last.max(first)).cloned().collect(),
            kept: counted.kept.part(from.max(0.0) as u64..to.max(0.0) as u64 + 1),
            form: (counted.form.clone(), counted.settings.channel),
            frames: (counted.settings.frames(), counted.calibration()),
            times,
            frequencies,
        }
    }

    /// The extremes of each column: of the samples if they are few and kept, otherwise of the rows.
    fn wave(&self) -> Vec<Option<[f32; 2]>> {
        let edge = |column: usize| self.times.ends[0] + column as f64 * self.times.width();
        let [from, to] = self.times.ends.map(|end| end.max(0.0) as u64);
        let kept = self.kept.samples();
        let (from, to) = (from.max(kept.start), (to + 1).min(kept.end));
        let of_samples = (self.times.ends[1] - self.times.ends[0] <= MOST_SAMPLES && from < to)
            .then(|| self.kept.signal(&self.form.0, from..to).ok())
            .flatten()
            .and_then(|signal| Wave::new(Arc::new(signal), self.form.1, 0).ok());
        threads::map(self.times.columns, &|column| {
            let [first, last] = [edge(column), edge(column + 1)];
            if let Some(wave) = &of_samples {
                let at = |sample: f64| (sample.max(from as f64) as u64).min(to).saturating_sub(from) as usize;
                let part = at(first)..at(last).max(at(first) + 1).min(wave.len());
                let is_inside = last > from as f64 && first < to as f64 && part.start < part.end;
                return wave.read_extremes(part).filter(|_| is_inside).map(|ends| ends.map(|end| end as f32));
            }
            let start = self.rows.partition_point(|row| row.samples.end as f64 <= first);
            let end = self.rows.partition_point(|row| (row.samples.start as f64) < last);
            let joined = |[low, high]: [f32; 2], row: &Arc<StreamRow>| [low.min(row.wave[0]), high.max(row.wave[1])];
            let extremes = self.rows[start..end.max(start)].iter().fold([f32::INFINITY, f32::NEG_INFINITY], joined);
            (extremes[0] <= extremes[1]).then_some(extremes)
        })
    }
}

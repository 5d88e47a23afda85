//! How a stream is counted and kept, and what it is watched for.

use crate::signal::ChannelChoice;
use crate::spectra::{Calibration, Forgetting, Frames, Overlap, Quantity, Reference, StreamRow};

/// Values of all rows that are kept, the most rows, and those of them that stay short at most, or that share of all.
const MOST_VALUES: usize = 1 << 24;
const MOST_ROWS: usize = 8192;
const MOST_NEWEST: usize = 512;
const NEWEST_SHARE: usize = 4;
/// A row of this many seconds shows the newest frames without delay.
const NEWEST: f64 = 0.015;

/// How a stream is counted and kept.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct LiveSettings {
    /// Samples of a frame, half of which the next one has too.
    pub length: usize,
    /// The channel.
    pub channel: ChannelChoice,
    /// The time that is kept, in seconds.
    pub keeps: f64,
    /// The time in which a frame loses all but 1/e of its weight in the exponential mean, in seconds.
    pub memory: f64,
    /// How fast holds are given up, in decibels a second; 0 holds for ever.
    pub decay: f64,
    /// The event that a person waits for.
    pub trigger: Option<Trigger>,
}

/// An event in a stream: a level that is reached.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Trigger {
    /// The level in dBFS that is reached: of a sample, or of a line in the band.
    pub level: f64,
    /// The band, in Hz; `None` for the samples themselves.
    pub band: Option<[f64; 2]>,
}

impl Default for LiveSettings {
    fn default() -> Self {
        Self { length: 2048, channel: ChannelChoice::default(), keeps: 60.0, memory: 1.0, decay: 0.0, trigger: None }
    }
}

impl LiveSettings {
    /// The frames.
    pub fn frames(&self) -> Frames {
        Frames::new(self.length.max(2), Overlap::Share(0.5))
    }

    /// The same for a stream of this number of channels: the first one stands for a channel that it lacks.
    #[must_use]
    pub fn for_channels(self, n: usize) -> Self {
        let is_missing = matches!(self.channel, ChannelChoice::Channel(index) if index >= n);
        Self { channel: if is_missing { ChannelChoice::default() } else { self.channel }, ..self }
    }

    pub(super) fn forgetting(&self, rate: f64) -> Forgetting {
        let seconds = self.frames().hop as f64 / rate;
        let stays = if self.memory > 0.0 { (-seconds / self.memory).exp() as f32 } else { 0.0 };
        Forgetting { stays, holds: 10_f64.powf(-0.1 * self.decay * seconds) as f32 }
    }

    /// The most rows that are kept: short ones of the newest frames, and those that are joined of older ones.
    pub(super) fn rows(&self, is_complex: bool) -> [usize; 2] {
        let most = (MOST_VALUES / self.frames().bins(is_complex)).clamp(2, MOST_ROWS);
        let newest = MOST_NEWEST.min(most / NEWEST_SHARE).max(1);
        [newest, most - newest]
    }

    /// Frames of one of the newest rows.
    pub(super) fn per_new_row(&self, rate: f64, is_complex: bool) -> usize {
        let short = (NEWEST * rate / self.frames().hop as f64).max(1.0) as usize;
        self.per_row(rate, is_complex).min(short)
    }

    /// Frames of a row, several of the newest ones: as few as the rows that are kept allow.
    pub(super) fn per_row(&self, rate: f64, is_complex: bool) -> usize {
        let per_second = rate / self.frames().hop as f64;
        let [_, joined] = self.rows(is_complex);
        let least = (self.keeps * per_second / joined as f64).ceil().max(1.0) as usize;
        let short = (NEWEST * per_second).max(1.0) as usize;
        if least <= short { least } else { least.next_multiple_of(short) }
    }
}

impl Trigger {
    pub(super) fn is_reached(&self, row: &StreamRow, frames: &Frames, calibration: &Calibration) -> bool {
        let reference = Reference::default();
        let level = match self.band {
            None => reference.level(row.peak.into()),
            Some(band) => {
                let power = row.largest(frames, (calibration, Quantity::Power), band);
                reference.decibels(power, Quantity::Power, calibration)
            }
        };
        level >= self.level
    }
}

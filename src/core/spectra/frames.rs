//! Frames: stretches of samples that are transformed one by one.

use crate::numerals::{counted, integer};
use crate::prepare::{Detrend, Window, Windowing};
use crate::remedy::{Remedies, Remedy};
use crate::signal::{AxisUnit, Sampling};
use std::str::FromStr;

/// How the samples of a spectrum are divided and prepared.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Frames {
    /// Samples of a frame.
    pub length: usize,
    /// Samples from the beginning of a frame to that of the next.
    pub hop: usize,
    /// The window, periodic over the length.
    pub window: Windowing,
    /// Points of the transform: the length, or more where zeros follow the samples.
    pub points: usize,
    /// The part that is removed from each frame before the window.
    pub detrend: Detrend,
}

/// How far frames overlap, as it is typed.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Overlap {
    /// A share of the length, below 1.
    Share(f64),
    /// Samples.
    Samples(usize),
}

/// How the samples follow each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// Samples in a unit.
    pub per_unit: f64,
    /// The unit; `None` where nobody knows it, and frequencies are in cycles per sample.
    pub unit: Option<AxisUnit>,
}

/// Why samples have no such frames.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FrameError {
    /// A frame of fewer than two samples.
    #[error("a frame of {} has no spectrum", counted(*.0, "sample"))]
    Short(usize),
    /// A frame that is longer than the selection.
    #[error("a frame of {} is longer than the selection of {}", counted(*.length, "sample"), integer(*.samples))]
    Long {
        /// Samples of a frame.
        length: usize,
        /// Samples of the selection.
        samples: usize,
    },
    /// Frames that do not advance.
    #[error("an overlap of {} leaves frames of {} where they are", counted(*.overlap, "sample"), integer(*.length))]
    Overlap {
        /// Samples that two frames share.
        overlap: usize,
        /// Samples of a frame.
        length: usize,
    },
    /// A transform that is shorter than its frame.
    #[error("a transform of {} does not hold a frame of {}", counted(*.points, "point"), integer(*.length))]
    Points {
        /// Points of the transform.
        points: usize,
        /// Samples of a frame.
        length: usize,
    },
}

impl Remedies for FrameError {
    fn remedies(&self) -> Vec<Remedy> {
        vec![Remedy::Advice(match self {
            Self::Short(_) => "take a length of 2 or more",
            Self::Long { .. } => "take a shorter length",
            Self::Overlap { .. } => "take an overlap below the length",
            Self::Points { .. } => "pad to at least the length",
        })]
    }
}

impl Default for Frames {
    /// The frames of an averaged spectrum: 4096 samples, half of them shared, under a Hann window.
    fn default() -> Self {
        Self::new(4096, Overlap::Share(0.5))
    }
}

impl Frames {
    /// Frames of a length and an overlap under a Hann window, neither padded nor detrended.
    pub fn new(length: usize, overlap: Overlap) -> Self {
        let hop = length.saturating_sub(overlap.samples(length));
        Self { length, hop, window: Window::Hann.into(), points: length, detrend: Detrend::None }
    }

    /// The usual frames of a spectrogram: 2048 samples, three quarters of them shared.
    pub fn of_spectrogram() -> Self {
        Self::new(2048, Overlap::Share(0.75))
    }

    /// One frame of all samples.
    pub fn whole(samples: usize) -> Self {
        Self { hop: samples.max(1), ..Self::new(samples, Overlap::Samples(0)) }
    }

    /// Samples that a frame shares with the next.
    pub fn overlap(&self) -> usize {
        self.length.saturating_sub(self.hop)
    }

    /// Number of frames that fit into some samples.
    pub fn count(&self, samples: usize) -> usize {
        if samples < self.length { 0 } else { (samples - self.length) / self.hop.max(1) + 1 }
    }

    /// The middle of a frame in samples from the beginning of the selection.
    pub fn middle(&self, frame: usize) -> f64 {
        (frame * self.hop) as f64 + self.length as f64 / 2.0
    }

    /// Values of a spectrum: one-sided of real samples, all of complex ones.
    pub fn bins(&self, is_complex: bool) -> usize {
        if is_complex { self.points } else { self.points / 2 + 1 }
    }

    /// The frequency of a value, from the lowest: from 0 on for real samples, from about −rate/2 for complex ones.
    pub fn frequency(&self, bin: usize, is_complex: bool, rate: f64) -> f64 {
        let first = if is_complex { -((self.points / 2) as f64) } else { 0.0 };
        (first + bin as f64) * rate / self.points as f64
    }

    /// The index in natural order of a value, counted from the lowest frequency.
    pub fn natural(&self, bin: usize, is_complex: bool) -> usize {
        if is_complex { (bin + self.points - self.points / 2) % self.points } else { bin }
    }

    /// Refuses frames that some samples do not have.
    ///
    /// # Errors
    /// When a frame is too short or too long, does not advance, or is longer than its transform.
    pub fn check(&self, samples: usize) -> Result<(), FrameError> {
        let Self { length, hop, points, .. } = *self;
        match () {
            () if length < 2 => Err(FrameError::Short(length)),
            () if length > samples => Err(FrameError::Long { length, samples }),
            () if hop == 0 => Err(FrameError::Overlap { overlap: length, length }),
            () if points < length => Err(FrameError::Points { points, length }),
            () => Ok(()),
        }
    }
}

impl Overlap {
    /// Samples that frames of a length share; at most the length.
    pub fn samples(self, length: usize) -> usize {
        match self {
            Self::Share(share) => (share * length as f64).floor() as usize,
            Self::Samples(samples) => samples,
        }
        .min(length)
    }
}

impl FromStr for Overlap {
    type Err = String;

    /// Reads a share of the length such as "75%", or a number of samples.
    fn from_str(text: &str) -> Result<Self, String> {
        let refused = || format!("“{text}” is no overlap: write a share below 100 % such as 75%, or a number of samples");
        match text.trim().strip_suffix('%') {
            Some(share) => {
                let share = share.trim().parse::<f64>().ok().filter(|share| (0.0..100.0).contains(share)).ok_or_else(refused)?;
                Ok(Self::Share(share / 100.0))
            }
            None => text.trim().parse().map(Self::Samples).map_err(|_| refused()),
        }
    }
}

impl Rate {
    /// One sample in a unit that nobody knows.
    pub const UNKNOWN: Self = Self { per_unit: 1.0, unit: None };

    /// Samples in a second; `None` where the unit is not a time.
    pub fn hertz(self) -> Option<f64> {
        Some(self.per_unit / self.unit?.seconds()?)
    }

    /// The rate with its unit, where that is known.
    pub fn sampling(self) -> Option<Sampling> {
        Some(Sampling { per_unit: self.per_unit, unit: self.unit? })
    }

    /// The unit of frequencies.
    pub fn frequency(self) -> &'static str {
        self.unit.map_or("cycles per sample", AxisUnit::frequency)
    }

    /// The unit of times.
    pub fn unit(self) -> &'static str {
        match self.unit {
            None => "samples",
            Some(AxisUnit::Index) => "units",
            Some(unit) => unit.symbol(),
        }
    }
}

impl From<Option<Sampling>> for Rate {
    fn from(sampling: Option<Sampling>) -> Self {
        sampling.map_or(Self::UNKNOWN, |Sampling { per_unit, unit }| Self { per_unit, unit: Some(unit) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_begin_at_their_hops_and_end_within_the_samples() {
        for (samples, length, overlap, count) in [
            (4096, 4096, Overlap::Share(0.5), 1),
            (10_000, 4096, Overlap::Share(0.5), 3),
            (10, 4, Overlap::Samples(1), 3),
            (3, 4, Overlap::Samples(0), 0),
        ] {
            let frames = Frames::new(length, overlap);
            assert_eq!(frames.count(samples), count, "{frames:?}");
            assert!(count == 0 || (count - 1) * frames.hop + length <= samples && count * frames.hop + length > samples);
        }
        assert_eq!(Frames::of_spectrogram().hop, 512);
        assert_eq!(Frames::new(8, Overlap::Samples(6)).middle(3), 10.0);
    }

    #[test]
    fn overlaps_are_shares_or_samples() {
        assert_eq!("75%".parse(), Ok(Overlap::Share(0.75)));
        assert_eq!("512".parse(), Ok(Overlap::Samples(512)));
        for text in ["", "100%", "-1", "a%", "1.5", "NaN%"] {
            assert!(text.parse::<Overlap>().is_err(), "{text}");
        }
    }

    #[test]
    fn frames_that_samples_do_not_have_are_refused() {
        for (frames, error) in [
            (Frames::new(1, Overlap::Samples(0)), FrameError::Short(1)),
            (Frames::new(101, Overlap::Samples(0)), FrameError::Long { length: 101, samples: 100 }),
            (Frames::new(10, Overlap::Samples(10)), FrameError::Overlap { overlap: 10, length: 10 }),
            (Frames { points: 9, ..Frames::new(10, Overlap::Samples(0)) }, FrameError::Points { points: 9, length: 10 }),
        ] {
            assert_eq!(frames.check(100), Err(error));
        }
    }

    #[test]
    fn frequencies_of_complex_samples_begin_below_zero() {
        for points in [4, 5] {
            let frames = Frames::whole(points);
            let found: Vec<f64> = (0..points).map(|bin| frames.frequency(bin, true, points as f64)).collect();
            for (bin, frequency) in found.iter().enumerate() {
                assert_eq!(frames.natural(bin, true), frequency.rem_euclid(points as f64) as usize, "{points}: {found:?}");
            }
        }
    }
}

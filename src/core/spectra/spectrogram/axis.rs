//! The frequency axis of a picture: which frequencies each row shows.

use super::super::Frames;
use super::note::{hertz, key};
use std::ops::Range;

/// An axis of notes begins here, below C0.
const LOWEST_KEY: f64 = 11.5;

crate::choice! {
    /// How frequencies are placed along an axis.
    pub enum FrequencyScale {
        /// In even steps.
        #[default]
        Linear = "Linear", "linear";
        /// By octaves.
        Log = "Logarithmic", "log";
        /// By the mel scale of pitch: 2595·log10(1 + f/700 Hz).
        Mel = "Mel", "mel";
        /// By the critical bands of hearing in the form of H. Traunmüller (1990): 26.81·f/(1960 Hz + f) − 0.53.
        Bark = "Bark", "bark";
        /// By semitones, named as notes; A4 has 440 Hz.
        Note = "Notes", "note";
    }
}

/// The rows of a picture, from the lowest frequency up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrequencyAxis {
    /// How frequencies are placed.
    pub scale: FrequencyScale,
    /// The frequency at the lower edge of the lowest row, and at the upper edge of the highest.
    pub ends: [f64; 2],
    /// Number of rows.
    pub rows: usize,
}

impl FrequencyScale {
    /// The place of a frequency, in any unit.
    pub fn along(self, frequency: f64) -> f64 {
        match self {
            Self::Linear => frequency,
            Self::Log => frequency.ln(),
            Self::Mel => 2595.0 * (1.0 + frequency / 700.0).log10(),
            Self::Bark => 26.81 * frequency / (1960.0 + frequency) - 0.53,
            Self::Note => key(frequency),
        }
    }

    /// The frequency of a place.
    pub fn frequency(self, along: f64) -> f64 {
        match self {
            Self::Linear => along,
            Self::Log => along.exp(),
            Self::Mel => 700.0 * (10f64.powf(along / 2595.0) - 1.0),
            Self::Bark => 1960.0 * (along + 0.53) / (26.28 - along),
            Self::Note => hertz(along),
        }
    }

    /// The ends of an axis of all frequencies of some frames; `None` with some below 0, which only the linear scale has.
    pub fn ends(self, frames: &Frames, is_complex: bool, rate: f64) -> Option<[f64; 2]> {
        let step = rate / frames.points as f64;
        let outer = |bin: usize, by: f64| frames.frequency(bin, is_complex, rate) + by * step;
        match self {
            Self::Linear if is_complex => Some([outer(0, -0.5), outer(frames.bins(true) - 1, 0.5)]),
            _ if is_complex => None,
            Self::Log => Some([step, rate / 2.0]),
            Self::Note => Some([step.max(hertz(LOWEST_KEY)).min(rate / 4.0), rate / 2.0]),
            _ => Some([0.0, rate / 2.0]),
        }
    }

    /// Whether the scale is that of human hearing, in Hz.
    pub fn is_of_hearing(self) -> bool {
        matches!(self, Self::Mel | Self::Bark | Self::Note)
    }
}

impl FrequencyAxis {
    /// The row of a frequency, 0 for the lowest; below 0 or above the last one outside.
    pub fn row(&self, frequency: f64) -> f64 {
        (self.share(frequency) * self.rows as f64).floor()
    }

    /// The place of a frequency between the ends: 0 is the lower one, 1 the upper one.
    pub fn share(&self, frequency: f64) -> f64 {
        let [low, high] = self.ends.map(|end| self.scale.along(end));
        (self.scale.along(frequency) - low) / (high - low)
    }

    /// The frequency of a place between the ends.
    pub fn frequency(&self, share: f64) -> f64 {
        let [low, high] = self.ends.map(|end| self.scale.along(end));
        self.scale.frequency(low + (high - low) * share)
    }

    /// The values that each row shows, of `n` ascending frequencies: those within it, or the nearest.
    pub fn bins(&self, n: usize, frequency: impl Fn(usize) -> f64) -> Vec<Range<usize>> {
        let [low, high] = self.ends.map(|end| self.scale.along(end));
        let edge = |row: usize| match row {
            0 => self.ends[0],
            row if row == self.rows => self.ends[1],
            row => self.scale.frequency(low + (high - low) * row as f64 / self.rows as f64),
        };
        let place = |of: f64| {
            // The first value that is not below a frequency.
            let (mut from, mut to) = (0, n);
            while from < to {
                let middle = from.midpoint(to);
                if frequency(middle) < of { from = middle + 1 } else { to = middle }
            }
            from
        };
        let row = |row: usize| {
            let (start, end) = (edge(row), edge(row + 1));
            let (from, to) = (place(start), place(end));
            // The upper end of the axis belongs to its last row.
            let to = if row + 1 == self.rows && to < n && frequency(to) <= end { to + 1 } else { to };
            if from < to {
                return from..to;
            }
            let middle = 0.5 * (start + end);
            let nearest = if from > 0 && (from == n || middle - frequency(from - 1) < frequency(from) - middle) { from - 1 } else { from };
            nearest..nearest + 1
        };
        (0..self.rows).map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Named as _;

    #[test]
    fn scales_go_both_ways() {
        for scale in FrequencyScale::ALL {
            for frequency in [20.0, 440.0, 15_000.0] {
                let back = scale.frequency(scale.along(frequency));
                assert!((back - frequency).abs() < 1e-9 * frequency, "{scale}: {frequency} comes back as {back}");
            }
        }
    }

    #[test]
    fn every_value_between_the_ends_has_a_row() {
        for scale in FrequencyScale::ALL {
            for rows in [3, 64, 1000] {
                let axis = FrequencyAxis { scale: *scale, ends: [10.0, 1000.0], rows };
                let found = axis.bins(101, |bin| 10.0 * bin as f64);
                let mut is_seen = [false; 101];
                found.iter().for_each(|range| is_seen[range.clone()].fill(true));
                assert!(found.len() == rows && found.iter().all(|range| !range.is_empty()));
                assert!(is_seen[1..].iter().all(|seen| *seen), "{scale} {rows}: {found:?}");
                assert!((0..rows).all(|row| row + 1 == rows || found[row].start <= found[row + 1].start));
            }
        }
    }
}

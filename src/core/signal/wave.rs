//! The wave of a channel: the smallest and the largest value of every stretch of its samples, so that a plot of a billion samples costs no more than its pixels.
//!
//! The shortest stretches have 256 samples, or more where there would be millions of them; those of each further level are 16 times as long. A column of a plot combines the stretches that lie in it, and reads
//! the samples at its ends: every sample counts in its column.

use super::{ChannelChoice, NoSuchChannel, Signal};
use crate::threads;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Samples of the shortest stretch, the most such stretches, and how many make one of the next level.
const SHORTEST: usize = 256;
const MOST: usize = 1 << 22;
const FACTOR: usize = 16;
/// Stretches that a thread takes at a time.
const TASK: usize = 256;
/// Samples that are read at a time.
const BLOCK: usize = 4096;

/// The extremes of no samples.
const NOTHING: [f64; 2] = [f64::INFINITY, f64::NEG_INFINITY];

/// The wave of a row of a channel; of complex samples the real parts. Its pyramid is built when something asks for it first.
pub struct Wave {
    signal: Arc<Signal>,
    channel: ChannelChoice,
    first: usize,
    levels: OnceLock<Vec<Vec<[f64; 2]>>>,
}

impl Wave {
    /// The wave of a row of a channel; reads nothing yet.
    ///
    /// # Errors
    /// When the signal does not have this channel.
    ///
    /// # Panics
    /// When it does not have this row.
    pub fn new(signal: Arc<Signal>, channel: ChannelChoice, row: usize) -> Result<Self, NoSuchChannel> {
        signal.check_channel(channel)?;
        assert!(row < signal.rows, "row {row} of {}", signal.rows);
        Ok(Self { first: row * signal.columns, signal, channel, levels: OnceLock::new() })
    }

    /// Whether it is the wave of this row of a channel of a signal.
    pub fn is_of(&self, signal: &Arc<Signal>, channel: ChannelChoice, row: usize) -> bool {
        Arc::ptr_eq(&self.signal, signal) && (self.channel, self.first) == (channel, row * signal.columns)
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.signal.columns
    }

    /// Whether it has no samples.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the stretches of all levels are known.
    pub fn is_built(&self) -> bool {
        self.levels.get().is_some()
    }

    /// The sample at an index.
    pub fn value(&self, index: usize) -> f64 {
        let mut value = [f64::NAN];
        self.read(index, &mut value);
        value[0]
    }

    /// The smallest and the largest finite value of some samples, which are read one after the other; `None` if none is finite.
    pub fn read_extremes(&self, samples: Range<usize>) -> Option<[f64; 2]> {
        found(self.scanned(samples))
    }

    /// As [`Self::read_extremes`] from the stretches of all levels, which all threads find together at the first call.
    pub fn extremes(&self, samples: Range<usize>) -> Option<[f64; 2]> {
        let levels = self.levels.get_or_init(|| self.build());
        found(self.combined(levels, samples))
    }

    /// The extremes of a few samples as a first impression: evenly spread in memory, or neighbours in a file, where each seek takes time.
    pub fn glimpse(&self, samples: Range<usize>, n: usize) -> Option<[f64; 2]> {
        if !self.is_in_memory() {
            let first = samples.start + samples.len().saturating_sub(n) / 2;
            return self.read_extremes(first..samples.end.min(first + n));
        }
        let step = samples.len().div_ceil(n.max(1)).max(1);
        found(samples.step_by(step).map(|index| self.value(index)).filter(|value| value.is_finite()).fold(NOTHING, with))
    }

    fn is_in_memory(&self) -> bool {
        self.signal.channels.iter().all(|channel| channel.samples.is_in_memory())
    }

    /// Samples of the shortest stretch.
    fn shortest(&self) -> usize {
        SHORTEST * (self.len() / SHORTEST).div_ceil(MOST).next_power_of_two()
    }

    fn read(&self, first: usize, to: &mut [f64]) {
        // The channel has been checked.
        if let Ok(track) = self.signal.track(self.channel) {
            track.read_f64(self.first + first, 0, to);
        }
    }

    fn scanned(&self, samples: Range<usize>) -> [f64; 2] {
        let mut values = [0.0; BLOCK];
        let blocks = samples.clone().step_by(BLOCK).map(|first| {
            let values = &mut values[..BLOCK.min(samples.end - first)];
            self.read(first, values);
            // A plot has no place for values that are not finite.
            values.iter().copied().filter(|value| value.is_finite()).fold(NOTHING, with)
        });
        blocks.fold(NOTHING, both)
    }

    fn combined(&self, levels: &[Vec<[f64; 2]>], samples: Range<usize>) -> [f64; 2] {
        let Some((level, finer)) = levels.split_last() else { return self.scanned(samples) };
        let size = self.shortest() * FACTOR.pow(finer.len() as u32);
        let (from, to) = (samples.start.div_ceil(size), samples.end / size);
        if from >= to {
            return self.combined(finer, samples);
        }
        let whole = level[from..to].iter().copied().fold(NOTHING, both);
        let ends = [samples.start..from * size, to * size..samples.end].map(|end| self.combined(finer, end));
        both(whole, both(ends[0], ends[1]))
    }

    /// The extremes of every whole stretch, level by level.
    fn build(&self) -> Vec<Vec<[f64; 2]>> {
        let shortest = self.shortest();
        let n = self.len() / shortest;
        let stretches = |task: usize| {
            let task = task * TASK..n.min((task + 1) * TASK);
            task.map(|stretch| self.scanned(stretch * shortest..(stretch + 1) * shortest)).collect::<Vec<_>>()
        };
        let shortest = threads::map(n.div_ceil(TASK), &stretches).concat();
        let longer = |level: &Vec<[f64; 2]>| {
            let level: Vec<_> = level.chunks_exact(FACTOR).map(|stretches| stretches.iter().copied().fold(NOTHING, both)).collect();
            (!level.is_empty()).then_some(level)
        };
        std::iter::successors(Some(shortest), longer).collect()
    }
}

fn with([low, high]: [f64; 2], value: f64) -> [f64; 2] {
    [low.min(value), high.max(value)]
}

fn both(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0].min(b[0]), a[1].max(b[1])]
}

fn found(extremes: [f64; 2]) -> Option<[f64; 2]> {
    (extremes[0] <= extremes[1]).then_some(extremes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::{Channel, Samples, SignalKind};

    fn wave(n: usize, value: impl Fn(usize) -> f64) -> Wave {
        let signal = Signal::row("a", Samples::F64((0..n).map(value).collect()));
        Wave::new(Arc::new(signal), ChannelChoice::Luma, 0).expect("it has a channel")
    }

    #[test]
    fn every_sample_counts_in_its_column() {
        let noise = |index: usize| ((index * 7919) % 1009) as f64;
        for n in [1, 255, 256, 5000, 4096, 70_000, 300_001] {
            let wave = wave(n, noise);
            for pixels in [1, 3, 7, 640] {
                for pixel in 0..pixels {
                    let part = n * pixel / pixels..n * (pixel + 1) / pixels;
                    let values = part.clone().map(noise);
                    let expected = values.fold(None, |known: Option<[f64; 2]>, value| Some(with(known.unwrap_or(NOTHING), value)));
                    assert_eq!(wave.extremes(part.clone()), expected, "{part:?} of {n}");
                    assert_eq!(wave.read_extremes(part.clone()), expected, "{part:?} of {n}, read");
                }
            }
        }
    }

    #[test]
    fn one_click_in_silence_is_seen_and_what_is_not_finite_is_left_out() {
        let n = 1 << 20;
        let click = wave(n, |index| if index == 777_777 { 1.0 } else { 0.0 });
        let high = (0..800).filter(|pixel| click.extremes(n * pixel / 800..n * (pixel + 1) / 800) == Some([0.0, 1.0]));
        assert_eq!(high.collect::<Vec<_>>(), [777_777 * 800 / n]);
        let holes = wave(1000, |index| [f64::NAN, f64::INFINITY, 2.0][index.min(2)]);
        assert_eq!((holes.extremes(0..2), holes.extremes(0..1000), holes.extremes(5..5)), (None, Some([2.0; 2]), None));
        assert_eq!(holes.glimpse(0..1000, 10), Some([2.0; 2]));
    }

    #[test]
    fn a_row_of_several_and_the_luminance_have_their_own_samples() {
        let rows = Signal::from_channels("a", SignalKind::Rows, (2, 3), vec![Channel::new("v", Samples::I32((0..6).collect()))]);
        let second = Wave::new(Arc::new(rows), ChannelChoice::Luma, 1).expect("it has a channel");
        assert_eq!(second.extremes(0..3), Some([3.0, 5.0]));
        let colours = ["red", "green", "blue"].map(|name| Channel::new(name, Samples::U8(vec![10, 20])));
        let line = Arc::new(Signal::from_channels("a", SignalKind::Rows, (1, 2), colours.into()));
        let luminance = line.samples_f64(ChannelChoice::Luma).expect("it has one");
        let wave = Wave::new(line, ChannelChoice::Luma, 0).expect("it has one");
        assert_eq!([wave.value(0), wave.value(1)], luminance[..]);
    }
}

//! How much of each value of the spectrum of a frame lies in a box or along a stroke.

use super::{BoxStroke, TimeFrequencyBox};
use crate::spectra::Frames;
use std::borrow::Cow;
use std::f64::consts::FRAC_PI_2;
use std::ops::Range;

/// Half the width of an edge in steps of the spectrum.
const EDGE: f64 = 1.0;
/// The narrowest box in steps of the spectrum: both edges have their room.
pub(super) const NARROWEST: f64 = 2.0 * EDGE;

/// The share of a box in every value of the spectrum of a frame.
pub(super) enum Shares {
    /// The same at all its times.
    Same(Vec<f64>),
    /// That of a stroke.
    Along(Covered),
}

impl Shares {
    /// Those of a box in values of these cycles.
    pub(super) fn new(own: &TimeFrequencyBox, cycles: &[f64], frames: &Frames, is_complex: bool) -> Self {
        let Frames { length, hop, .. } = *frames;
        match &own.stroke {
            None => Self::Same(cycles.iter().map(|cycles| own.share_of_frequency(*cycles, length, is_complex)).collect()),
            Some(stroke) => Self::Along(own.covered(stroke, cycles, [hop as f64, EDGE / length as f64])),
        }
    }

    /// Those of a frame whose middle is a sample, a share of which lies in the box: a factor, and what it is of.
    pub(super) fn at(&self, own: &TimeFrequencyBox, time: f64, middle: f64) -> (f64, Cow<'_, [f64]>) {
        match self {
            Self::Same(shares) => (time, Cow::Borrowed(shares)),
            Self::Along(covered) => (1.0, Cow::Owned(covered.shares(own.share_of([middle, 0.0])[0]))),
        }
    }
}

impl TimeFrequencyBox {
    /// The share of a stretch of samples that lies in the box. A box that reaches to an end of the recording goes on beyond it.
    pub(super) fn share_of_time(&self, [from, to]: [f64; 2], whole: &Range<usize>) -> f64 {
        let start = if self.samples.start == whole.start { f64::NEG_INFINITY } else { self.samples.start as f64 };
        let end = if self.samples.end == whole.end { f64::INFINITY } else { self.samples.end as f64 };
        ((to.min(end) - from.max(start)) / (to - from)).clamp(0.0, 1.0)
    }

    /// How far a frequency lies in the box, whose edges are half a cosine. A box that reaches to an end of the spectrum goes on beyond it.
    fn share_of_frequency(&self, cycles: f64, length: usize, is_complex: bool) -> f64 {
        let [low, high] = self.cycles;
        let lowest = if is_complex { -0.5 } else { 0.0 };
        let below = if low <= lowest { 1.0 } else { soft((cycles - low) * length as f64 / EDGE) };
        let above = if high >= 0.5 { 1.0 } else { soft((high - cycles) * length as f64 / EDGE) };
        below * above
    }
}

/// The share at a distance from an edge, which is half a cosine from −1 to 1.
fn soft(distance: f64) -> f64 {
    0.5 + 0.5 * (FRAC_PI_2 * distance.clamp(-1.0, 1.0)).sin()
}

/// The area that a path covers, in coordinates in which half its width is 1.
pub(super) struct Covered {
    segments: Vec<[[f64; 2]; 2]>,
    /// The frequencies of which it has shares.
    frequencies: Vec<f64>,
    /// Half the width in time, as a share of the box.
    half: f64,
    /// Half the width of its edge, which is half a cosine.
    soft: f64,
}

impl TimeFrequencyBox {
    /// The part of some frequencies that its stroke covers. Its edges take these numbers of samples and cycles, and it is at least as long as its edge.
    pub(super) fn covered(&self, stroke: &BoxStroke, cycles: &[f64], [samples, edge]: [f64; 2]) -> Covered {
        let (long, high) = (self.samples.len() as f64, self.cycles[1] - self.cycles[0]);
        let half = [stroke.half[0].max(0.5 * samples / long), stroke.half[1]];
        let soft = (0.5 * samples / long / half[0]).max(edge / high / half[1]).clamp(f64::MIN_POSITIVE, 1.0);
        let scaled = |index: usize| [stroke.path[index][0] / half[0], stroke.path[index][1] / half[1]];
        let last = stroke.path.len().saturating_sub(1);
        let segments = (0..last.max(1)).take(stroke.path.len()).map(|index| [index, (index + 1).min(last)].map(scaled)).collect();
        let frequencies = cycles.iter().map(|cycles| self.share_of([0.0, *cycles])[1] / half[1]).collect();
        Covered { segments, frequencies, half: half[0], soft }
    }
}

impl Covered {
    /// How much of each frequency is covered at a time, a share of the box.
    pub(super) fn shares(&self, time: f64) -> Vec<f64> {
        let (at, reach) = (time / self.half, 1.0 + self.soft);
        let near = |[a, b]: &&[[f64; 2]; 2]| a[0].min(b[0]) <= at + reach && a[0].max(b[0]) >= at - reach;
        let segments: Vec<_> = self.segments.iter().filter(near).collect();
        let share = |frequency: &f64| {
            let distance = segments.iter().map(|segment| distance(**segment, [at, *frequency])).fold(f64::INFINITY, f64::min);
            soft((1.0 - distance) / self.soft)
        };
        self.frequencies.iter().map(share).collect()
    }
}

/// The distance of a point from a segment.
fn distance([a, b]: [[f64; 2]; 2], to: [f64; 2]) -> f64 {
    let (along, from) = ([b[0] - a[0], b[1] - a[1]], [to[0] - a[0], to[1] - a[1]]);
    let length = along[0].hypot(along[1]).powi(2);
    let share = if length > 0.0 { ((from[0] * along[0] + from[1] * along[1]) / length).clamp(0.0, 1.0) } else { 0.0 };
    (from[0] - share * along[0]).hypot(from[1] - share * along[1])
}

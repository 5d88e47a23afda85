//! Strokes that a person draws over the samples of a signal, as plain data, so that sessions keep them and an undo takes them back.

use super::{Channel, Samples, Signal, SignalKind};
use num_complex::Complex64;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The most strokes of a drawing; a stroke is what the mouse does between two frames.
pub const MOST_STROKES: usize = 1 << 14;
/// The most samples of a channel that is drawn on, as every stroke makes a copy of it.
pub const MOST_DRAWN_ON: usize = 1 << 24;

/// A straight line over the samples, with a value at each end and even steps between them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Stroke {
    /// The channel; `None` draws on all of them, as on the colours of a gray value.
    pub channel: Option<usize>,
    /// Column and row of both ends. The line over a signal lies in the row of its first end.
    pub ends: [[usize; 2]; 2],
    /// The values at both ends.
    pub values: [f64; 2],
    /// The width over an image, in pixels.
    pub width: f64,
    /// Whether the values are imaginary parts.
    #[serde(default)]
    pub imaginary: bool,
}

impl Stroke {
    /// A single value.
    pub fn point(channel: Option<usize>, at: [usize; 2], value: f64) -> Self {
        Self { channel, ends: [at, at], values: [value, value], width: 1.0, imaginary: false }
    }

    /// Whether a later stroke covers all of this one: both set the same value alone.
    fn is_replaced_by(&self, other: &Self) -> bool {
        let is_point = self.ends[0] == self.ends[1] && self.width <= 1.0;
        is_point && (self.channel, self.ends, self.imaginary) == (other.channel, other.ends, other.imaginary)
    }

    fn draws_on(&self, channel: usize) -> bool {
        self.channel.is_none_or(|own| own == channel)
    }

    /// Calls `set` with the index and the value of every sample that the stroke sets.
    fn each(&self, signal: &Signal, mut set: impl FnMut(usize, f64)) {
        let [from, to] = self.ends.map(|end| end.map(|at| at as f64));
        let along = [to[0] - from[0], to[1] - from[1]];
        let between = |t: f64| self.values[0] + (self.values[1] - self.values[0]) * t;
        let low = |axis: usize| self.ends[0][axis].min(self.ends[1][axis]);
        let high = |axis: usize| self.ends[0][axis].max(self.ends[1][axis]);
        if signal.kind == SignalKind::Rows {
            let row = self.ends[0][1];
            if row < signal.rows {
                for column in low(0)..(high(0) + 1).min(signal.columns) {
                    let t = if along[0] == 0.0 { 1.0 } else { (column as f64 - from[0]) / along[0] };
                    set(row * signal.columns + column, between(t));
                }
            }
            return;
        }
        // A line of one pixel has no gaps.
        let radius = 0.5 * self.width.max(1.0) + 1e-6;
        let reach = radius as usize;
        let length = along[0] * along[0] + along[1] * along[1];
        for row in low(1).saturating_sub(reach)..(high(1) + reach + 1).min(signal.rows) {
            for column in low(0).saturating_sub(reach)..(high(0) + reach + 1).min(signal.columns) {
                let [x, y] = [column as f64 - from[0], row as f64 - from[1]];
                let t = if length > 0.0 { ((x * along[0] + y * along[1]) / length).clamp(0.0, 1.0) } else { 1.0 };
                if (x - t * along[0]).hypot(y - t * along[1]) <= radius {
                    set(row * signal.columns + column, between(t));
                }
            }
        }
    }
}

/// Strokes in the order in which they were drawn. Copies are cheap.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Stroke>", into = "Vec<Stroke>")]
pub struct Drawing(Arc<Vec<Stroke>>);

impl From<Vec<Stroke>> for Drawing {
    fn from(mut strokes: Vec<Stroke>) -> Self {
        strokes.truncate(MOST_STROKES);
        Self(Arc::new(strokes))
    }
}

impl From<Drawing> for Vec<Stroke> {
    fn from(drawing: Drawing) -> Self {
        drawing.0.to_vec()
    }
}

impl PartialEq for Drawing {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl Drawing {
    /// Whether nothing is drawn.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a stroke; returns whether there was room for it.
    pub fn add(&mut self, stroke: Stroke) -> bool {
        let strokes = Arc::make_mut(&mut self.0);
        strokes.retain(|known| !known.is_replaced_by(&stroke));
        let has_room = strokes.len() < MOST_STROKES;
        strokes.extend(has_room.then_some(stroke));
        has_room
    }

    /// A copy of a signal with the strokes on it. What lies outside, as the file has become shorter, is left out.
    ///
    /// Samples keep their type: images are rounded to what it holds, and whole numbers become floats only where a value is none.
    #[must_use]
    pub fn applied(&self, signal: &Signal) -> Signal {
        let mut changed = vec![0_u64; signal.len().div_ceil(64)];
        let mut drawn = signal.clone();
        for (index, channel) in drawn.channels.iter_mut().enumerate() {
            let own: Vec<&Stroke> = self.0.iter().filter(|stroke| stroke.draws_on(index)).collect();
            if own.is_empty() {
                continue;
            }
            let mut samples = roomy(channel, &own);
            for stroke in own {
                stroke.each(signal, |at, value| {
                    set(&mut samples, at, value, stroke.imaginary);
                    changed[at / 64] |= 1 << (at % 64);
                });
            }
            *channel = channel.with_samples(samples);
        }
        drawn.drawn = changed.iter().map(|bits| bits.count_ones() as usize).sum();
        drawn
    }
}

/// The samples of a channel in a type that holds what is drawn.
fn roomy(channel: &Channel, strokes: &[&Stroke]) -> Samples {
    let is_whole = || strokes.iter().flat_map(|stroke| stroke.values).all(|value| value.fract() == 0.0);
    match channel.samples.in_array().into_owned() {
        Samples::I32(values) if !is_whole() => Samples::F64(values.into_iter().map(f64::from).collect()),
        Samples::I64(values) if !is_whole() => Samples::F64(values.into_iter().map(|value| value as f64).collect()),
        samples => samples,
    }
}

/// Sets a sample, or one of its parts.
fn set(samples: &mut Samples, at: usize, value: f64, imaginary: bool) {
    // A conversion of a float saturates.
    match samples {
        Samples::U8(v) => v[at] = value.round() as u8,
        Samples::U16(v) => v[at] = value.round() as u16,
        Samples::I32(v) => v[at] = value.round() as i32,
        Samples::I64(v) => v[at] = value.round() as i64,
        Samples::F32(v) => v[at] = value as f32,
        Samples::F64(v) => v[at] = value,
        Samples::Complex32(v) if imaginary => v[at].im = value as f32,
        Samples::Complex32(v) => v[at].re = value as f32,
        Samples::Complex64(v) if imaginary => v[at].im = value,
        Samples::Complex64(v) => v[at] = Complex64::new(value, v[at].im),
        // An array has no samples of a recording.
        Samples::Pcm(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::ChannelChoice;

    fn values(signal: &Signal) -> Vec<f64> {
        signal.samples_complex64(ChannelChoice::default()).expect("it has a channel").into_iter().map(|value| value.re).collect()
    }

    fn line(from: usize, to: usize, values: [f64; 2]) -> Stroke {
        Stroke { ends: [[from, 0], [to, 0]], values, ..Stroke::point(None, [0, 0], 0.0) }
    }

    #[test]
    fn strokes_over_a_signal_set_what_lies_between_their_ends() {
        let signal = Signal::row("zeros", Samples::F64(vec![0.0; 8]));
        let mut drawing = Drawing::default();
        assert!(drawing.add(line(5, 1, [4.0, 0.0])) && drawing.add(Stroke::point(None, [7, 0], 9.0)));
        assert!(drawing.add(Stroke::point(None, [7, 0], -1.0)) && drawing.add(line(7, 90, [2.0, 2.0])));
        assert_eq!(drawing.0.len(), 3, "a value that is set again replaces the one before");
        let drawn = drawing.applied(&signal);
        assert_eq!(values(&drawn), [0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 0.0, 2.0]);
        assert_eq!((drawn.drawn, signal.drawn), (6, 0), "what lies past the end is left out");
        assert!(drawn.description().ends_with(", edited: 6 values"), "{drawn}");
        let kept: Drawing = serde_json::from_value(serde_json::to_value(&drawing).expect("it is data")).expect("it is read back");
        assert_eq!(kept, drawing);
    }

    #[test]
    fn samples_keep_a_type_that_holds_the_drawing() {
        for (samples, value, expected) in [
            (Samples::U8(vec![7, 7]), 300.4, Samples::U8(vec![255, 7])),
            (Samples::I64(vec![7, 7]), -3.0, Samples::I64(vec![-3, 7])),
            (Samples::I64(vec![7, 7]), 0.5, Samples::F64(vec![0.5, 7.0])),
            (Samples::F32(vec![7.0, 7.0]), 0.5, Samples::F32(vec![0.5, 7.0])),
        ] {
            let drawing = Drawing::from(vec![Stroke::point(Some(0), [0, 0], value), Stroke::point(Some(1), [1, 0], 1.0)]);
            assert_eq!(drawing.applied(&Signal::row("two", samples)).channels[0].samples, expected);
        }
        let complex = Signal::row("two", Samples::Complex64(vec![Complex64::new(1.0, 2.0); 2]));
        let part = Stroke { imaginary: true, ..Stroke::point(None, [1, 0], 5.0) };
        let drawn = Drawing::from(vec![part, Stroke::point(None, [0, 0], 3.0)]).applied(&complex);
        assert_eq!(drawn.channels[0].samples, Samples::Complex64(vec![Complex64::new(3.0, 2.0), Complex64::new(1.0, 5.0)]));
    }

    #[test]
    fn a_pen_over_an_image_leaves_no_gaps_and_stays_inside() {
        let side = 16;
        let image = |channels: usize| {
            let channel = |index: usize| Channel::new(["red", "green", "blue"][index], Samples::U8(vec![0; side * side]));
            Signal::from_channels("black", SignalKind::Image, (side, side), (0..channels).map(channel).collect())
        };
        let stroke = |width: f64| Stroke { channel: None, ends: [[1, 2], [14, 9]], values: [200.0; 2], width, imaginary: false };
        let drawn = Drawing::from(vec![stroke(1.0)]).applied(&image(3));
        let Samples::U8(pixels) = &drawn.channels[2].samples else { panic!("an image stays one of 8 bits") };
        let lit = |row: usize, column: usize| pixels[row * side + column] == 200;
        for column in 1..=14 {
            assert!((2..=9).any(|row| lit(row, column)), "column {column}");
        }
        let n = drawn.drawn;
        assert!((14..=28).contains(&n), "a thin line: {n}");
        assert!(Drawing::from(vec![stroke(5.0)]).applied(&image(1)).drawn > 3 * n, "a wide one covers more");
        let corner = Stroke { ends: [[15, 15], [15, 15]], ..stroke(9.0) };
        assert!(Drawing::from(vec![corner]).applied(&image(1)).drawn > 10);
    }

    #[test]
    fn a_drawing_is_bounded() {
        let mut drawing = Drawing::from((0..MOST_STROKES).map(|at| line(at, at + 1, [0.0, 1.0])).collect::<Vec<_>>());
        assert!(!drawing.add(line(0, 3, [1.0, 1.0])));
    }
}

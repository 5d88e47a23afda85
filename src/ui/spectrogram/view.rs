//! The visible part of a spectrogram, and where it lies on the screen.

use crate::ui::gestures::Navigation;
use egui::{Rect, Vec2};

/// The fewest samples that are seen, and the least share of the frequencies.
const LEAST_SAMPLES: f64 = 8.0;
const LEAST_SHARE: f64 = 1e-3;

/// The visible part of a spectrogram.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub(super) struct View {
    /// The first sample and one past the last.
    pub(super) time: [f64; 2],
    /// The lower and the upper end on the axis of frequencies, which goes from 0 to 1.
    pub(super) band: [f64; 2],
}

impl View {
    /// Everything of so many samples.
    pub(super) fn whole(n: usize) -> Self {
        Self { time: [0.0, n as f64], band: [0.0, 1.0] }
    }

    /// Shows these samples.
    pub(super) fn with_time(self, time: [f64; 2], n: usize) -> Self {
        Self { time: inside(time, n as f64, LEAST_SAMPLES), ..self }
    }

    /// The horizontal place of a sample.
    pub(super) fn x(&self, canvas: Rect, sample: f64) -> f32 {
        let [from, to] = self.time;
        canvas.left() + ((sample - from) / (to - from) * f64::from(canvas.width())) as f32
    }

    /// The sample at a horizontal place.
    pub(super) fn sample(&self, canvas: Rect, x: f32) -> f64 {
        let [from, to] = self.time;
        from + f64::from((x - canvas.left()) / canvas.width()) * (to - from)
    }

    /// The vertical place of a share of the axis of frequencies.
    pub(super) fn y(&self, canvas: Rect, share: f64) -> f32 {
        let [low, high] = self.band;
        canvas.bottom() - ((share - low) / (high - low) * f64::from(canvas.height())) as f32
    }

    /// The share of the axis of frequencies at a vertical place.
    pub(super) fn share(&self, canvas: Rect, y: f32) -> f64 {
        let [low, high] = self.band;
        low + f64::from((canvas.bottom() - y) / canvas.height()) * (high - low)
    }

    /// The view after the gestures over the picture and over its axes: the wheel over the picture zooms time alone.
    pub(super) fn moved(self, canvas: Rect, own: &Navigation, [across, up]: &[Navigation; 2], n: usize) -> Self {
        if own.resets {
            return Self::whole(n);
        }
        let mut next = self;
        if let Some(part) = own.boxed {
            next.time = [self.sample(canvas, part.left()), self.sample(canvas, part.right())];
            next.band = [self.share(canvas, part.bottom()), self.share(canvas, part.top())];
        }
        let pan: Vec2 = own.pan + across.pan + up.pan;
        let [by_time, by_share] = [
            f64::from(pan.x / canvas.width()) * (self.time[1] - self.time[0]),
            f64::from(pan.y / canvas.height()) * (self.band[1] - self.band[0]),
        ];
        next.time = panned(next.time, -by_time, n as f64);
        next.band = panned(next.band, by_share, 1.0);
        let about = |[low, high]: [f64; 2], fixed: f64, factor: f32| {
            [fixed - (fixed - low) / f64::from(factor), fixed + (high - fixed) / f64::from(factor)]
        };
        if let Some((factor, at)) = own.zoom.or(across.zoom) {
            next.time = about(next.time, self.sample(canvas, at.x), factor);
        }
        if let Some((factor, at)) = up.zoom {
            next.band = about(next.band, self.share(canvas, at.y), factor);
        }
        if across.resets {
            next.time = [0.0, n as f64];
        }
        if up.resets {
            next.band = [0.0, 1.0];
        }
        Self { time: inside(next.time, n as f64, LEAST_SAMPLES), band: inside(next.band, 1.0, LEAST_SHARE) }
    }

    /// The view after a zoom of time about the middle.
    pub(super) fn zoomed(self, factor: f64, n: usize) -> Self {
        let about_middle = |[low, high]: [f64; 2]| {
            let (middle, half) = (low.midpoint(high), (high - low) / (2.0 * factor));
            [middle - half, middle + half]
        };
        Self { time: inside(about_middle(self.time), n as f64, LEAST_SAMPLES), ..self }
    }
}

/// A stretch that has moved, and stays between 0 and `end`.
fn panned([low, high]: [f64; 2], by: f64, end: f64) -> [f64; 2] {
    let by = by.clamp((-low).min(0.0), (end - high).max(0.0));
    [low + by, high + by]
}

/// A stretch between 0 and `end` that is not shorter than `least`, unless there is no more.
fn inside([low, high]: [f64; 2], end: f64, least: f64) -> [f64; 2] {
    let whole = [0.0, end.max(f64::MIN_POSITIVE)];
    if !(low.is_finite() && high.is_finite()) || high - low >= end {
        return whole;
    }
    let width = (high - low).max(least.min(end));
    let low = (low.midpoint(high) - 0.5 * width).clamp(0.0, end - width);
    [low, low + width]
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{pos2, vec2};

    const CANVAS: Rect = Rect { min: pos2(100.0, 50.0), max: pos2(300.0, 150.0) };

    fn asked(change: impl FnOnce(&mut Navigation)) -> Navigation {
        let mut asked = Navigation::default();
        change(&mut asked);
        asked
    }

    #[test]
    fn places_go_both_ways() {
        let view = View { time: [1000.0, 3000.0], band: [0.25, 0.75] };
        assert_eq!((view.x(CANVAS, 2000.0), view.sample(CANVAS, 200.0)), (200.0, 2000.0));
        assert_eq!((view.y(CANVAS, 0.75), view.share(CANVAS, 150.0)), (50.0, 0.25));
    }

    #[test]
    fn gestures_move_the_axis_that_they_belong_to() {
        let (none, n) = (Navigation::default(), 4000);
        let view = View { time: [1000.0, 3000.0], band: [0.25, 0.75] };
        let wheel = asked(|asked| asked.zoom = Some((2.0, pos2(100.0, 100.0))));
        assert_eq!(view.moved(CANVAS, &wheel, &[none, none], n), View { time: [1000.0, 2000.0], ..view });
        assert_eq!(view.moved(CANVAS, &none, &[wheel, none], n), View { time: [1000.0, 2000.0], ..view });
        assert_eq!(view.moved(CANVAS, &none, &[none, wheel], n), View { band: [0.375, 0.625], ..view });
        let pan = asked(|asked| asked.pan = vec2(-50.0, 25.0));
        assert_eq!(view.moved(CANVAS, &pan, &[none, none], n), View { time: [1500.0, 3500.0], band: [0.375, 0.875] });
        let far = asked(|asked| asked.pan = vec2(-5000.0, 0.0));
        assert_eq!(view.moved(CANVAS, &far, &[none, none], n).time, [2000.0, 4000.0]);
        let boxed = asked(|asked| asked.boxed = Some(Rect::from_min_max(pos2(150.0, 75.0), pos2(200.0, 100.0))));
        assert_eq!(view.moved(CANVAS, &boxed, &[none, none], n), View { time: [1500.0, 2000.0], band: [0.5, 0.625] });
        let resets = asked(|asked| asked.resets = true);
        assert_eq!(view.moved(CANVAS, &resets, &[none, none], n), View::whole(n));
        assert_eq!(view.moved(CANVAS, &none, &[none, resets], n), View { band: [0.0, 1.0], ..view });
    }

    #[test]
    fn no_view_is_empty_or_leaves_the_recording() {
        let deep = (0..200).fold(View::whole(1000), |view, _| view.zoomed(2.0, 1000));
        assert_eq!(deep.time, [496.0, 504.0]);
        let out = (0..20).fold(deep, |view, _| view.zoomed(0.5, 1000));
        assert_eq!(out, View::whole(1000));
        assert_eq!(View::whole(1).with_time([f64::NAN, 3.0], 1).time, [0.0, 1.0]);
        assert_eq!(View::whole(100).with_time([-50.0, 20.0], 100).time, [0.0, 70.0], "it keeps its width");
    }
}

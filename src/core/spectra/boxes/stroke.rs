//! Freehand strokes: boxes of which only that counts what a path with a width covers.

use super::{RecordingExtent, TimeFrequencyBox};
use crate::filter::{Effect, SampleSpacing, WrittenFrequency};
use crate::spectra::{Place, SpectraError};
use std::str::FromStr;

/// The part of a box that a path covers. It stays in its place when the box is moved or resized.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct BoxStroke {
    /// The points of the path: time and frequency as shares of the sides of the box.
    pub path: Vec<[f64; 2]>,
    /// Half the width of the path in time and in frequency, as shares too.
    pub half: [f64; 2],
}

/// A stroke as it is written: "0.5s,400Hz..1s,800Hz..1.5s,600Hz@40ms,60Hz", with ":cut" behind it where what it covers is cut.
#[derive(Debug, Clone, PartialEq)]
pub struct WrittenStroke {
    text: String,
    points: Vec<(Place, WrittenFrequency)>,
    width: (Place, WrittenFrequency),
    effect: Effect,
}

impl TimeFrequencyBox {
    /// The box around a path of samples and cycles per sample with a width; `None` where nothing of it lies in a recording.
    pub fn of_stroke(points: &[[f64; 2]], width: [f64; 2], extent: &RecordingExtent, effect: Effect) -> Option<Self> {
        let half = width.map(|width| 0.5 * width);
        let ends = |axis: usize| {
            let values = points.iter().map(|point| point[axis]);
            [values.clone().fold(f64::INFINITY, f64::min) - half[axis], values.fold(f64::NEG_INFINITY, f64::max) + half[axis]]
        };
        let samples = ends(0).map(|end| end.round().clamp(0.0, extent.samples as f64) as usize);
        let cycles = ends(1).map(|end| end.clamp(extent.lowest(), 0.5));
        let own = Self { samples: samples[0]..samples[1], cycles, effect, stroke: None };
        let is_there = !points.is_empty() && half.iter().all(|half| *half > 0.0) && !own.samples.is_empty() && cycles[0] < cycles[1];
        let sides = [own.samples.len() as f64, cycles[1] - cycles[0]];
        let path = points.iter().map(|point| own.share_of(*point)).collect();
        let stroke = BoxStroke { path, half: [half[0] / sides[0], half[1] / sides[1]] };
        is_there.then_some(Self { stroke: Some(stroke), ..own })
    }

    /// The place of a sample and of cycles per sample, as shares of the sides.
    pub fn share_of(&self, [sample, cycles]: [f64; 2]) -> [f64; 2] {
        let [low, high] = self.cycles;
        [(sample - self.samples.start as f64) / self.samples.len() as f64, (cycles - low) / (high - low)]
    }

    /// The sample and the cycles per sample of a place.
    pub fn place_of(&self, [time, frequency]: [f64; 2]) -> [f64; 2] {
        let [low, high] = self.cycles;
        [self.samples.start as f64 + time * self.samples.len() as f64, low + frequency * (high - low)]
    }

    /// As [`WrittenStroke::from_str`] reads it, with frequencies as `written` writes them.
    pub(super) fn written_stroke(&self, stroke: &BoxStroke, written: &dyn Fn(f64) -> String) -> String {
        let point = |place: &[f64; 2]| {
            let [sample, cycles] = self.place_of(*place);
            format!("{},{}", sample.round().max(0.0), written(cycles))
        };
        let path: Vec<String> = stroke.path.iter().map(point).collect();
        let width = [2.0 * stroke.half[0] * self.samples.len() as f64, 2.0 * stroke.half[1] * (self.cycles[1] - self.cycles[0])];
        format!("{}@{},{}", path.join(".."), width[0].round().max(1.0), written(width[1]))
    }
}

impl WrittenStroke {
    /// The stroke in a recording.
    ///
    /// # Errors
    /// When a point lies outside, it has no width, or a unit needs a rate that is not known.
    pub fn of(&self, extent: &RecordingExtent, spacing: SampleSpacing) -> Result<TimeFrequencyBox, SpectraError> {
        let rate = extent.rate;
        let place =
            |(time, frequency): (Place, WrittenFrequency)| Ok::<_, SpectraError>([time.sample(rate)? as f64, frequency.cycles(spacing)?]);
        let points = self.points.iter().map(|point| place(*point)).collect::<Result<Vec<_>, _>>()?;
        let is_inside =
            |[sample, cycles]: &[f64; 2]| *sample <= extent.samples as f64 && (extent.lowest()..=0.5 * (1.0 + 1e-12)).contains(cycles);
        let refused = |why: &str| SpectraError::Box { what: "stroke", written: self.text.clone(), why: why.to_owned() };
        if !points.iter().all(is_inside) {
            return Err(refused("lies outside the recording or its spectrum: take points inside"));
        }
        TimeFrequencyBox::of_stroke(&points, place(self.width)?, extent, self.effect)
            .ok_or_else(|| refused("covers nothing: write a width in time and in frequency above 0"))
    }

    /// The text that was read.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl FromStr for WrittenStroke {
    type Err = String;

    /// Reads points of a time and a frequency, and the width of the stroke in both.
    fn from_str(text: &str) -> Result<Self, String> {
        let refused =
            || format!("“{text}” is no stroke: write points and a width such as 1s,300Hz..2s,900Hz@50ms,80Hz, and :cut to cut it");
        let (ends, effect) = match text.trim().rsplit_once(':') {
            Some((ends, "cut")) => (ends, Effect::Cut),
            Some((ends, "pass")) => (ends, Effect::Pass),
            Some(_) => return Err(refused()),
            None => (text.trim(), Effect::Pass),
        };
        let pair = |text: &str| {
            let (time, frequency) = text.split_once(',')?;
            Some((time.parse().ok()?, frequency.parse().ok()?))
        };
        let (path, width) = ends.rsplit_once('@').ok_or_else(refused)?;
        let points = path.split("..").map(pair).collect::<Option<Vec<_>>>().ok_or_else(refused)?;
        Ok(Self { text: text.trim().to_owned(), points, width: pair(width).ok_or_else(refused)?, effect })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::AxisUnit;
    use crate::spectra::Rate;

    fn spacing(rate: Rate) -> SampleSpacing {
        SampleSpacing { sampling: rate.sampling(), pixel_metres: None }
    }

    const EXTENT: RecordingExtent =
        RecordingExtent { samples: 8000, is_complex: false, rate: Rate { per_unit: 8000.0, unit: Some(AxisUnit::Second) } };

    #[test]
    fn strokes_are_read_as_they_are_written() {
        let text = "0.25s,400Hz..0.5s,1200Hz..0.75s,800Hz@50ms,80Hz:cut";
        let own = text.parse::<WrittenStroke>().unwrap().of(&EXTENT, spacing(EXTENT.rate)).unwrap();
        assert_eq!((own.samples.clone(), own.effect), (1800..6200, Effect::Cut));
        assert!((own.cycles[0] - 0.045).abs() < 1e-12 && (own.cycles[1] - 0.155).abs() < 1e-12);
        assert_eq!(own.written(EXTENT.rate), "2000,400Hz..4000,1200Hz..6000,800Hz@400,80Hz:cut");
        let again = own.written(EXTENT.rate).parse::<WrittenStroke>().unwrap().of(&EXTENT, spacing(EXTENT.rate)).unwrap();
        assert_eq!((again.samples, again.effect), (own.samples, own.effect));
        for text in ["", "1s,2Hz", "1s..2s@1,2Hz", "1s,2Hz@3", "1s,2Hz@3,4Hz:keep", "a,b@c,d"] {
            assert!(text.parse::<WrittenStroke>().unwrap_err().contains("is no stroke"), "{text}");
        }
        for (text, words) in [("2s,400Hz@10,20Hz", "outside"), ("1s,4100Hz@10,20Hz", "outside"), ("0.5s,400Hz@0,20Hz", "covers nothing")] {
            let error = text.parse::<WrittenStroke>().unwrap().of(&EXTENT, spacing(EXTENT.rate)).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn a_stroke_covers_what_is_near_its_path() {
        let own = TimeFrequencyBox::of_stroke(&[[2000.0, 0.1], [4000.0, 0.3]], [400.0, 0.04], &EXTENT, Effect::Pass).unwrap();
        let covered = |sample: f64, cycles: f64| {
            let time = own.share_of([sample, cycles])[0];
            own.covered(own.stroke.as_ref().unwrap(), &[cycles], [80.0, 0.004]).shares(time)[0]
        };
        assert_eq!([covered(2000.0, 0.1), covered(3000.0, 0.2), covered(4000.0, 0.3)], [1.0; 3]);
        assert_eq!([covered(3000.0, 0.1), covered(2000.0, 0.2), covered(4300.0, 0.3)], [0.0; 3]);
        // The edge lies half the width beside the path.
        assert!((covered(2000.0 - 200.0, 0.1) - 0.5).abs() < 1e-9, "{}", covered(1800.0, 0.1));
        let dot = TimeFrequencyBox::of_stroke(&[[100.0, 0.2]], [40.0, 0.02], &EXTENT, Effect::Pass).unwrap();
        assert_eq!(dot.samples, 80..120);
        let covered = dot.covered(dot.stroke.as_ref().unwrap(), &[0.2, 0.22], [4.0, 0.001]);
        assert_eq!((covered.shares(0.5), covered.shares(1.5)), (vec![1.0, 0.0], vec![0.0, 0.0]));
        // Frames farther apart than it is long find it all the same.
        let covered = dot.covered(dot.stroke.as_ref().unwrap(), &[0.2], [400.0, 0.001]);
        assert!((0..4).map(|frame| covered.shares(dot.share_of([f64::from(frame) * 400.0 - 250.0, 0.2])[0])[0]).sum::<f64>() > 0.4);
    }
}

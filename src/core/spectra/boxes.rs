//! Boxes of time and frequency, as they are written and as samples and cycles.

mod files;
mod filter;
mod measures;
mod shares;
mod stroke;
mod table;

pub use files::{BoxFormat, ReadBoxes, earlier_metadata, read_boxes, write_boxes};
pub use filter::{Boxed, boxed};
pub use measures::{BoxMeasures, box_measures};
pub use stroke::{BoxStroke, WrittenStroke};
pub use table::{BOX_COLUMNS, box_row, box_table};

use super::{Place, Rate, SpectraError};
use crate::filter::{Effect, SampleSpacing, WrittenFrequency};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// A box as it is written: "1.2s..3.4s,300Hz..900Hz", with ":cut" behind it where what it holds is cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WrittenBox {
    /// The beginning, counted from the first sample of the recording.
    pub from: Place,
    /// The end, which does not belong to it.
    pub to: Place,
    /// The lowest frequency.
    pub low: WrittenFrequency,
    /// The highest frequency.
    pub high: WrittenFrequency,
    /// Whether what it holds passes or is cut.
    pub effect: Effect,
}

/// A box of a recording.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct TimeFrequencyBox {
    /// Its samples.
    pub samples: Range<usize>,
    /// Its lowest and its highest frequency in cycles per sample.
    pub cycles: [f64; 2],
    /// Whether what it holds passes or is cut.
    pub effect: Effect,
    /// The path whose surroundings alone count, of a box that was drawn freehand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stroke: Option<BoxStroke>,
}

/// The recording that boxes belong to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RecordingExtent {
    /// Its samples.
    pub samples: usize,
    /// Whether they are complex.
    pub is_complex: bool,
    /// How they follow each other.
    pub rate: Rate,
}

/// A box of a recording with its name.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct NamedBox {
    /// The name, or the kind of what it holds.
    pub name: String,
    /// The box.
    pub part: TimeFrequencyBox,
}

impl ReadBoxes {
    /// A sentence about the entries that were left out.
    pub fn left_out_words(&self) -> Option<String> {
        let entries = crate::numerals::counted_as(self.left_out, "entry", "entries");
        (self.left_out > 0).then(|| format!("left out {entries}, which lie outside the recording's times or frequencies"))
    }
}

impl TimeFrequencyBox {
    /// The box in a track in which its recording begins at sample `first`.
    #[must_use]
    pub fn moved(&self, first: usize) -> Self {
        Self { samples: self.samples.start + first..self.samples.end + first, ..self.clone() }
    }

    /// Whether it is a box or a stroke, as a word.
    pub fn kind(&self) -> &'static str {
        if self.stroke.is_some() { "stroke" } else { "box" }
    }

    /// Takes the ends of another box; a stroke stays in its place between them.
    pub fn take_ends(&mut self, ends: Self) {
        (self.samples, self.cycles) = (ends.samples, ends.cycles);
    }

    /// Its lowest and its highest frequency in the unit of a rate.
    pub fn frequencies(&self, rate: Rate) -> [f64; 2] {
        self.cycles.map(|cycles| cycles * rate.per_unit)
    }

    /// As [`WrittenBox::from_str`] reads it, or [`WrittenStroke::from_str`]: samples, and frequencies in Hz where these are known.
    pub fn written(&self, rate: Rate) -> String {
        let (per_cycle, unit, digits) = rate.hertz().map_or((1.0, "", 1e9), |hertz| (hertz, "Hz", 1e6));
        let written = |cycles: f64| format!("{}{unit}", (cycles * per_cycle * digits).round() / digits);
        let cut = if self.effect == Effect::Cut { ":cut" } else { "" };
        let ends = match &self.stroke {
            Some(stroke) => self.written_stroke(stroke, &written),
            None => format!("{}..{},{}..{}", self.samples.start, self.samples.end, written(self.cycles[0]), written(self.cycles[1])),
        };
        ends + cut
    }

    /// Its width in cycles per sample; of a stroke that of its path.
    fn width(&self) -> f64 {
        (self.cycles[1] - self.cycles[0]) * self.stroke.as_ref().map_or(1.0, |stroke| 2.0 * stroke.half[1])
    }
}

impl RecordingExtent {
    /// The lowest frequency in cycles per sample.
    pub fn lowest(&self) -> f64 {
        if self.is_complex { -0.5 } else { 0.0 }
    }

    /// The box between two places, each a sample and a frequency; `None` where it holds nothing.
    pub fn part(&self, [a, b]: [[f64; 2]; 2], effect: Effect) -> Option<TimeFrequencyBox> {
        let sample = |value: f64| value.round().clamp(0.0, self.samples as f64) as usize;
        let cycles = |value: f64| (value / self.rate.per_unit).clamp(self.lowest(), 0.5);
        let samples = sample(a[0].min(b[0]))..sample(a[0].max(b[0]));
        let cycles = [cycles(a[1].min(b[1])), cycles(a[1].max(b[1]))];
        (!samples.is_empty() && cycles[0] < cycles[1]).then_some(TimeFrequencyBox { samples, cycles, effect, stroke: None })
    }
}

impl WrittenBox {
    /// The box in a recording.
    ///
    /// # Errors
    /// When it is empty, its ends are in the wrong order, it reaches outside, or a unit needs a rate that is not known.
    pub fn of(self, extent: &RecordingExtent, spacing: SampleSpacing) -> Result<TimeFrequencyBox, SpectraError> {
        let RecordingExtent { samples, rate, .. } = *extent;
        let refused = |why: String| Err(SpectraError::Box { what: "box", written: self.to_string(), why });
        let [from, to] = [self.from.sample(rate)?, self.to.sample(rate)?];
        let mut cycles = [self.low.cycles(spacing)?, self.high.cycles(spacing)?];
        // Of two periods the longer one may come first.
        if self.low.is_period() && self.high.is_period() {
            cycles.sort_by(f64::total_cmp);
        }
        let [low, high] = cycles;
        let lowest = extent.lowest();
        let in_units = |cycles: f64| crate::numerals::number(cycles * rate.per_unit, 6);
        match () {
            () if from >= to => refused("holds no sample: write the earlier time first".to_owned()),
            () if low >= high => refused("holds no frequency: write the lower frequency first".to_owned()),
            () if to > samples => refused(format!(
                "lies outside the recording, which lasts {} {}: take an end inside it",
                crate::numerals::number(samples as f64 / rate.per_unit, 6),
                rate.unit()
            )),
            () if low < lowest || high > 0.5 * (1.0 + 1e-12) => refused(format!(
                "lies outside the spectrum, which goes from {} to {} {}: take frequencies inside it",
                in_units(lowest),
                in_units(0.5),
                rate.frequency()
            )),
            () => Ok(TimeFrequencyBox { samples: from..to, cycles, effect: self.effect, stroke: None }),
        }
    }
}

impl FromStr for WrittenBox {
    type Err = String;

    /// Reads two times or samples and two frequencies or periods such as "1.2s..3.4s,300Hz..900Hz:cut".
    fn from_str(text: &str) -> Result<Self, String> {
        let refused = || format!("“{text}” is no box: write times and frequencies such as 1.2s..3.4s,300Hz..900Hz, and :cut to cut it");
        let text = text.trim();
        let (ends, effect) = match text.rsplit_once(':') {
            Some((ends, "cut")) => (ends, Effect::Cut),
            Some((ends, "pass")) => (ends, Effect::Pass),
            // Times of a clock have colons, too.
            _ => (text, Effect::Pass),
        };
        let (times, frequencies) = ends.split_once(',').ok_or_else(refused)?;
        let (from, to) = times.split_once("..").ok_or_else(refused)?;
        let (low, high) = frequencies.split_once("..").ok_or_else(refused)?;
        let [from, to] = [from.parse().map_err(|_| refused())?, to.parse().map_err(|_| refused())?];
        let [low, high]: [WrittenFrequency; 2] = [low.parse().map_err(|_| refused())?, high.parse().map_err(|_| refused())?];
        Ok(Self { from, to, low: low.or_unit_of(high), high, effect })
    }
}

impl fmt::Display for WrittenBox {
    /// As [`WrittenBox::from_str`] reads it, without spaces, so that it can be typed again.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, to, low, high, effect } = self;
        let [low, high] = [low, high].map(|frequency| frequency.to_string().replace([' ', crate::numerals::SPACE], "").replace('−', "-"));
        write!(f, "{from}..{to},{low}..{high}{}", if *effect == Effect::Cut { ":cut" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::{AxisUnit, Sampling};

    fn extent() -> (RecordingExtent, SampleSpacing) {
        let rate = Rate { per_unit: 8000.0, unit: Some(AxisUnit::Second) };
        (
            RecordingExtent { samples: 8000, is_complex: false, rate },
            SampleSpacing { sampling: Some(Sampling::hertz(8000.0)), pixel_metres: None },
        )
    }

    #[test]
    fn boxes_are_read_as_they_are_written() {
        let (extent, spacing) = extent();
        for (text, samples, cycles, effect) in [
            ("0.5s..1s,400Hz..800Hz", 4000..8000, [0.05, 0.1], Effect::Pass),
            ("100..200,0.1..0.2:cut", 100..200, [0.1, 0.2], Effect::Cut),
            (" 10 ms..20 ms,400..800Hz:pass ", 80..160, [0.05, 0.1], Effect::Pass),
            ("0:00.5..0:00:01,400Hz..800Hz:cut", 4000..8000, [0.05, 0.1], Effect::Cut),
            ("0..8000,40px..10px", 0..8000, [0.025, 0.1], Effect::Pass),
            ("0..8000,10px..40px", 0..8000, [0.025, 0.1], Effect::Pass),
        ] {
            let written: WrittenBox = text.parse().unwrap();
            assert_eq!(written.of(&extent, spacing), Ok(TimeFrequencyBox { samples, cycles, effect, stroke: None }), "{text}");
            assert_eq!(written.to_string().parse(), Ok(written), "{text}");
        }
        let long: WrittenBox = "12345s..25000.5s,-20000Hz..16384Hz".parse().unwrap();
        assert_eq!(long.to_string().parse(), Ok(long));
        for text in ["", "1s..2s", "1s..2s,3Hz", "1s,2Hz..3Hz", "-1s..2s,2Hz..3Hz", "1s..2s,2Hz..3Hz:keep", "1..2,a..b"] {
            assert!(text.parse::<WrittenBox>().unwrap_err().contains("is no box"), "{text}");
        }
    }

    #[test]
    fn boxes_outside_or_without_room_are_refused() {
        let (extent, spacing) = extent();
        for (text, words) in [
            ("1s..0.5s,400Hz..800Hz", "earlier time first"),
            ("0.5s..0.5s,400Hz..800Hz", "holds no sample"),
            ("0s..1s,800Hz..400Hz", "lower frequency first"),
            ("0s..1s,400Hz..400Hz", "holds no frequency"),
            ("0s..1.1s,400Hz..800Hz", "lasts 1 s"),
            ("0s..1s,400Hz..4001Hz", "from 0 to 4000 Hz"),
            ("0s..1s,-400Hz..800Hz", "from 0 to 4000 Hz"),
            ("0mm..1mm,400Hz..800Hz", "no position in that unit"),
        ] {
            let error = text.parse::<WrittenBox>().unwrap().of(&extent, spacing).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
        assert!("0s..1s,-400Hz..800Hz".parse::<WrittenBox>().unwrap().of(&RecordingExtent { is_complex: true, ..extent }, spacing).is_ok());
        let unknown = "0..10,1Hz..2Hz"
            .parse::<WrittenBox>()
            .unwrap()
            .of(&RecordingExtent { rate: Rate::UNKNOWN, ..extent }, SampleSpacing::default());
        assert!(unknown.unwrap_err().to_string().contains("sampling rate"));
    }
}

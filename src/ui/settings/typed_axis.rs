//! The typed axis of a signal or size of the pixels of an image, where the file says nothing or is wrong.

use super::Settings;
use crate::signal::{Axis, AxisUnit, PixelSize, Sampling, Signal};
use crate::ui::origin::Origin;

/// A sampling that was typed, and the signal for which it holds.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct TypedRate {
    /// The origin of the signal.
    pub origin: Origin,
    /// Samples in a unit; older sessions know seconds only.
    #[serde(alias = "hertz")]
    pub per_unit: f64,
    /// The unit.
    #[serde(default)]
    pub unit: AxisUnit,
}

/// A size of a pixel or a step of a sample that was typed, and the image or signal for which it holds.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct TypedPixel {
    /// The origin of the image.
    pub origin: Origin,
    /// The size.
    pub size: PixelSize,
}

impl Settings {
    /// When or where the samples of a row were taken: in steps that were typed, else as the signal says.
    pub fn axis(&self, signal: &Signal) -> Option<Axis> {
        if signal.kind.is_image() {
            return None;
        }
        let typed = self.typed_rate.as_ref().filter(|typed| typed.origin == self.origin);
        let typed = typed.map(|&TypedRate { per_unit, unit, .. }| Sampling { per_unit, unit });
        typed.or(self.typed_size().map(Sampling::at)).map(|sampling| Axis::new("", sampling)).or(signal.axis.clone())
    }

    /// How the samples of a row follow each other: as it was typed, else as the signal says.
    pub fn sampling(&self, signal: &Signal) -> Option<Sampling> {
        self.axis(signal)?.sampling()
    }

    /// The size of a pixel: the typed one, else that of the image.
    pub fn pixel_size(&self, signal: &Signal) -> Option<PixelSize> {
        self.typed_size().or(signal.pixel_size).filter(|_| signal.kind.is_image())
    }

    /// The size of a pixel, or the step of a sample, that was typed for this signal.
    fn typed_size(&self) -> Option<PixelSize> {
        self.typed_pixel.as_ref().filter(|typed| typed.origin == self.origin).map(|typed| typed.size)
    }

    /// Sets a typed size of a pixel; `None` goes back to that of the image.
    pub(crate) fn type_pixel_size(&mut self, size: Option<PixelSize>, signal: &Signal) {
        self.typed_pixel = size.map(|size| TypedPixel { origin: self.origin.clone(), size });
        self.looks.fit_units(self.has_unit(signal));
    }

    /// Whether frequencies have a unit by the sampling of a row or the size of a pixel.
    pub(crate) fn has_unit(&self, signal: &Signal) -> bool {
        self.sampling(signal).is_some() || self.pixel_size(signal).is_some()
    }

    /// Sets a typed sampling; `None` goes back to that of the signal.
    pub(crate) fn type_sampling(&mut self, sampling: Option<Sampling>, signal: &Signal) {
        let origin = self.origin.clone();
        self.typed_rate = sampling.map(|Sampling { per_unit, unit }| TypedRate { origin, per_unit, unit });
        self.typed_pixel = None;
        self.looks.fit_units(self.has_unit(signal));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::Samples;

    #[test]
    fn a_typed_sampling_replaces_that_of_the_file_and_outlives_a_session() {
        let signal = Signal { axis: Some(Axis::of_rate(100.0)), ..Signal::row("a", Samples::F32(vec![0.0; 8])) };
        let mut settings = Settings::default();
        assert_eq!(settings.sampling(&signal), Some(Sampling::hertz(100.0)));
        for text in ["12 per year", "1 day", "0.1 mm", "44.1 kHz"] {
            settings.type_sampling(text.parse().ok(), &signal);
            let kept = serde_json::to_value(&settings).expect("it is kept");
            let read: Settings = serde_json::from_value(kept).expect("it is read");
            assert_eq!(read.sampling(&signal), text.parse().ok(), "{text}");
        }
        settings.type_sampling(None, &signal);
        assert_eq!(settings.sampling(&signal), Some(Sampling::hertz(100.0)));
    }

    #[test]
    fn older_sessions_keep_hertz_or_the_size_of_a_step() {
        let signal = Signal::row("a", Samples::F32(vec![0.0; 8]));
        let mut kept = serde_json::to_value(Settings::default()).expect("it is kept");
        let origin = kept["origin"].clone();
        kept["typed_rate"] = serde_json::json!({ "origin": origin, "hertz": 8000.0 });
        let read: Settings = serde_json::from_value(kept.clone()).expect("it is read");
        assert_eq!(read.sampling(&signal), Some(Sampling::hertz(8000.0)));
        kept["typed_rate"] = serde_json::Value::Null;
        kept["typed_pixel"] = serde_json::json!({ "origin": origin, "size": { "width": 0.5, "height": 0.5, "unit": "Millimetre" } });
        let read: Settings = serde_json::from_value(kept).expect("it is read");
        assert_eq!(read.sampling(&signal), "2 per mm".parse().ok());
    }
}

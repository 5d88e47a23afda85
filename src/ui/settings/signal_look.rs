//! How the spectrum of a recording is measured and shown.

use crate::prepare::{Detrend, Window, Windowing};
use crate::signal::Signal;
use crate::spectra::{Average, Frames, Overlap, Quantity, Reference};

/// The samples of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum FrameLength {
    /// The usual frames where several of them fit, otherwise the whole selection.
    #[default]
    Automatic,
    /// The whole selection.
    Whole,
    /// This number.
    Samples(usize),
}

/// The marks of a spectrum; places are frequencies.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct SignalMarks {
    /// Two places whose values are compared.
    pub cursors: Option<[f64; 2]>,
    /// A place whose multiples are marked.
    pub harmonics: Option<f64>,
    /// A band whose power is measured.
    pub band: Option<[f64; 2]>,
    /// The place near which a tone is measured.
    pub tone: Option<f64>,
    /// The value whose basis function is shown.
    pub bin: Option<f64>,
}

/// How the spectrum of a recording is measured and shown.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct SignalLook {
    /// Whether the spectrum is measured, and not the result of the transform; `None` as suits the source.
    pub measures: Option<bool>,
    /// The shown quantity.
    pub quantity: Quantity,
    /// Whether values are shown in decibels.
    pub decibels: bool,
    /// The amplitude of full scale, or the value of 0 dB in the unit of the samples; `None` for 1.
    pub reference: Option<f64>,
    /// How frames become one spectrum.
    pub average: Average,
    /// The window of each frame.
    pub window: Windowing,
    /// The length of a frame.
    pub length: FrameLength,
    /// The share of a frame that the next one has too.
    pub overlap: f64,
    /// By which factor zeros lengthen the transform.
    pub padding: usize,
    /// The part that is removed from each frame.
    pub detrend: Detrend,
    /// Values are averaged over this part of an octave, 3 for a third; 0 for none.
    pub smoothing: usize,
    /// The marks.
    pub marks: SignalMarks,
}

impl Default for SignalLook {
    fn default() -> Self {
        Self {
            measures: None,
            quantity: Quantity::default(),
            decibels: true,
            reference: None,
            average: Average::default(),
            window: Window::Hann.into(),
            length: FrameLength::default(),
            overlap: 0.5,
            padding: 1,
            detrend: Detrend::None,
            smoothing: 0,
            marks: SignalMarks::default(),
        }
    }
}

impl SignalLook {
    /// The frames that some samples are divided into.
    pub(crate) fn frames(&self, samples: usize) -> Frames {
        let usual = Frames::default().length;
        let length = match self.length {
            FrameLength::Automatic if samples >= 2 * usual => usual,
            FrameLength::Automatic | FrameLength::Whole => samples,
            FrameLength::Samples(length) => length.min(samples),
        };
        let frames = if length == samples { Frames::whole(samples) } else { Frames::new(length, Overlap::Share(self.overlap)) };
        Frames { window: self.window, detrend: self.detrend, points: length * self.padding.max(1), ..frames }
    }

    /// The reference of decibels of a channel: full scale for a recording, and 1 of its unit for other samples.
    pub(crate) fn reference(&self, signal: &Signal, unit: Option<&str>) -> Reference {
        let value = self.reference.filter(|value| *value > 0.0).unwrap_or(1.0);
        if signal.is_recording() { Reference::FullScale(value) } else { Reference::Value(value, unit.map(str::to_owned)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_selections_are_averaged_and_short_ones_are_not() {
        let look = SignalLook { padding: 2, ..SignalLook::default() };
        for (samples, length, hop) in [(100, 100, 100), (8191, 8191, 8191), (8192, 4096, 2048), (1 << 24, 4096, 2048)] {
            let frames = look.frames(samples);
            assert_eq!((frames.length, frames.hop, frames.points), (length, hop, 2 * length), "{samples}");
        }
        let whole = SignalLook { length: FrameLength::Whole, ..look };
        assert_eq!(whole.frames(1 << 20).length, 1 << 20);
        let long = SignalLook { length: FrameLength::Samples(1 << 30), ..look };
        assert_eq!(long.frames(1000).length, 1000, "a frame is at most the selection");
    }
}

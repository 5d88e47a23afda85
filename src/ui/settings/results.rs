//! How results are shown. Each family of results keeps its own look, so that a detour to another family changes nothing.

use crate::display::{Colormap, Look, Scale, ValuePart};
use crate::plan::Direction;
use crate::transforms::{Family, Numbers, Transform};

/// The name of the values of a result on an axis, where `letter` stands for the result. A real transform has values, not real parts.
pub(crate) fn value_label(scale: Scale, quantity: ValuePart, transform: &Transform, letter: &str) -> String {
    let label = scale.label(quantity);
    let label = if transform.gives.is_complex() { label } else { label.replace("Re X", "X") };
    label.replace('X', letter)
}

/// The same with the unit of the samples, which a transform that adds them keeps.
pub(crate) fn value_label_in(unit: Option<&str>, scale: Scale, quantity: ValuePart, transform: &Transform, letter: &str) -> String {
    let label = value_label(scale, quantity, transform, letter);
    let Some(unit) = unit.filter(|unit| !unit.is_empty()) else { return label };
    match (scale, quantity) {
        // An angle has its own unit, and the logarithm and the root of a unit say nothing.
        (_, ValuePart::Phase) | (Scale::Log | Scale::Sqrt, _) => label,
        (Scale::Linear, ValuePart::Power) => format!("{label} ({})", squared(unit)),
        (Scale::Linear, _) => format!("{label} ({unit})"),
        (Scale::Db, ValuePart::Power) => label.replace("(dB)", &format!("(dB re 1 {})", squared(unit))),
        (Scale::Db, _) => label.replace("(dB)", &format!("(dB re 1 {unit})")),
    }
}

/// The square of a unit; one that is made of others is in brackets.
fn squared(unit: &str) -> String {
    if unit.contains([' ', '/', '·', '^', '²', '*']) { format!("({unit})²") } else { format!("{unit}²") }
}

/// The unit of a frequency axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize, strum::EnumIter)]
pub enum FrequencyUnit {
    /// The index of the bin.
    Bins,
    /// Cycles per sample, or per pixel.
    #[default]
    Cycles,
    /// Hertz, where the sample rate is known.
    Hertz,
}

/// How a row of the spectrum is plotted.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct LineLook {
    /// The quantity of a value: real part, magnitude, …
    pub quantity: ValuePart,
    /// The scale of the vertical axis.
    pub scale: Scale,
    /// Whether frequencies below 0 are shown where they mirror the others, as for real samples.
    pub shifted: bool,
    /// Whether frequency 0 is in the middle where frequencies below 0 are not the mirror of the others.
    pub centred: bool,
    /// The unit of the frequency axis.
    pub unit: FrequencyUnit,
    /// Whether the frequency axis is logarithmic.
    pub log_axis: bool,
    /// Whether the axis of a measured spectrum counts periods, which makes it logarithmic.
    pub period_axis: bool,
    /// Whether periods are above the plot as a second axis.
    pub periods: bool,
    /// Whether the largest peaks are marked and listed.
    pub peaks: bool,
    /// Whether the Lomb-Scargle periodogram is in the place of the spectrum, where the samples are uneven or some are missing.
    pub periodogram: bool,
}

impl Default for LineLook {
    fn default() -> Self {
        Self {
            quantity: ValuePart::Magnitude,
            scale: Scale::Db,
            shifted: false,
            centred: true,
            // Without a sampling rate, cycles.
            unit: FrequencyUnit::Hertz,
            log_axis: false,
            period_axis: false,
            periods: false,
            peaks: true,
            periodogram: false,
        }
    }
}

impl LineLook {
    /// Plots values over their index, not magnitudes over frequency.
    pub(crate) fn with_plain_values(self) -> Self {
        let (quantity, scale, unit) = (ValuePart::Real, Scale::Linear, FrequencyUnit::Bins);
        Self { quantity, scale, unit, shifted: false, peaks: false, ..self }
    }
}

/// Results that people look at in the same manner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ResultFamily {
    /// Spectra over frequencies.
    Fourier,
    /// Spectra of Boolean and integer functions.
    Exact,
    /// Wavelet coefficients.
    Wavelet,
    /// Samples: an inverse, a convolution or a solution.
    Samples,
}

impl ResultFamily {
    fn of(transform: &Transform, direction: Direction) -> Self {
        match transform.family {
            _ if transform.has_inverse && direction == Direction::Inverse => Self::Samples,
            _ if transform.gives == Numbers::Residues => Self::Exact,
            Family::Fourier => Self::Fourier,
            Family::SpectralLogic => Self::Exact,
            Family::Wavelets => Self::Wavelet,
            Family::Convolution | Family::Equations => Self::Samples,
        }
    }
}

/// How a result is shown.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct ResultLook {
    /// How the spectrum image is coloured.
    pub image: Look,
    /// The unit of the axes of the spectrum image.
    pub unit: FrequencyUnit,
    /// Whether rings of equal frequency are drawn over the spectrum image.
    pub rings: bool,
    /// How a row of the result is plotted.
    pub line: LineLook,
}

impl Default for ResultLook {
    fn default() -> Self {
        Self { image: Look::default(), unit: FrequencyUnit::Hertz, rings: false, line: LineLook::default() }
    }
}

impl ResultLook {
    /// Index 0 is first, and a row is plotted as plain values over their index.
    fn of_coefficients() -> Self {
        let image = Look { shifted: false, ..Look::default() };
        Self { image, line: LineLook::default().with_plain_values(), ..Self::default() }
    }

    /// Exact values with their signs, about 0: integers are not magnitudes, and their logarithm is shown only when it is chosen.
    fn of_exact_values() -> Self {
        Self { image: Look::of_samples().with(Colormap::RdBu), ..Self::of_coefficients() }
    }

    /// As an image or a signal is shown before it is transformed.
    fn of_samples() -> Self {
        Self { image: Look::of_samples(), ..Self::of_coefficients() }
    }
}

/// The look of each family of results.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct ResultLooks {
    fourier: ResultLook,
    exact: ResultLook,
    wavelet: ResultLook,
    samples: ResultLook,
}

impl Default for ResultLooks {
    fn default() -> Self {
        Self {
            fourier: ResultLook::default(),
            exact: ResultLook::of_exact_values(),
            wavelet: ResultLook::of_coefficients(),
            samples: ResultLook::of_samples(),
        }
    }
}

impl ResultLooks {
    /// The look of what `transform` gives in this direction.
    pub(crate) fn of(&self, transform: &Transform, direction: Direction) -> &ResultLook {
        match ResultFamily::of(transform, direction) {
            ResultFamily::Fourier => &self.fourier,
            ResultFamily::Exact => &self.exact,
            ResultFamily::Wavelet => &self.wavelet,
            ResultFamily::Samples => &self.samples,
        }
    }

    /// Like [`Self::of`], to be changed.
    pub(crate) fn of_mut(&mut self, transform: &Transform, direction: Direction) -> &mut ResultLook {
        match ResultFamily::of(transform, direction) {
            ResultFamily::Fourier => &mut self.fourier,
            ResultFamily::Exact => &mut self.exact,
            ResultFamily::Wavelet => &mut self.wavelet,
            ResultFamily::Samples => &mut self.samples,
        }
    }

    /// Takes hertz where the sampling rate is known, and leaves hertz where it is not.
    pub(crate) fn fit_units(&mut self, has_rate: bool) {
        for look in [&mut self.fourier, &mut self.exact, &mut self.wavelet, &mut self.samples] {
            for unit in [&mut look.unit, &mut look.line.unit] {
                match (has_rate, *unit) {
                    (true, _) => *unit = FrequencyUnit::Hertz,
                    (false, FrequencyUnit::Hertz) => *unit = FrequencyUnit::Cycles,
                    (false, _) => {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transforms::{TRANSFORMS, transform};
    use crate::ui::session::Memory;

    #[test]
    fn exact_results_are_shown_as_integers_and_not_by_their_logarithm() {
        let looks = ResultLooks::default();
        let exact = TRANSFORMS.iter().filter(|transform| matches!(transform.family, Family::SpectralLogic | Family::Convolution));
        for transform in exact {
            let look = looks.of(transform, Direction::Forward);
            let shown = [(look.image.quantity, look.image.scale), (look.line.quantity, look.line.scale)];
            assert_eq!(shown, [(ValuePart::Real, Scale::Linear); 2], "{}", transform.name);
        }
        let kept = Memory::from_json(serde_json::json!({ "settings": { "transform": "walsh2" } })).expect("a session with few settings");
        assert_eq!(*kept.settings.result_look(), looks.exact);
        let dft = transform("dft").expect("it is there");
        assert_eq!(looks.of(dft, Direction::Forward).image.scale, Scale::Log, "magnitudes over frequency");
    }
}

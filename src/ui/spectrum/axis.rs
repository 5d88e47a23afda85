//! The horizontal axis of a row of a result: its name and unit, and frequencies with their periods.

use crate::numerals::number;
use crate::signal::{self, Sampling};
use crate::transforms::{Axes, ResultIndex, Shape};
use crate::ui::line_plot::Periods;
use crate::ui::settings::{FrequencyUnit, LineLook};
use crate::ui::shown::ShownJob;

/// The meaning of the horizontal axis.
pub(super) struct SpectrumAxis {
    /// The position of 0.
    pub(super) origin: f64,
    /// Positions per unit.
    pub(super) per_unit: f64,
    /// The name with the unit.
    pub(super) label: String,
    /// The unit; empty where the axis counts.
    pub(super) unit: &'static str,
    /// The periods of its frequencies, where it has frequencies.
    pub(super) periods: Option<Periods>,
}

impl SpectrumAxis {
    /// The axis of a row of a result, or of a transformed column.
    pub(super) fn of(shown: &ShownJob<'_>, look: &LineLook, shape: Shape, axes: Axes) -> Self {
        let (forward, sampled) = (shown.is_forward(), shown.axis.as_ref());
        let plain = |per_unit: f64, label: String, unit: &'static str| Self { origin: 0.0, per_unit, label, unit, periods: None };
        match (shown.transform.index, shown.sampling()) {
            (ResultIndex::Lag(label), Some(Sampling { per_unit, unit })) if forward => match unit.symbol() {
                "" => plain(per_unit, label.to_owned(), ""),
                symbol => plain(per_unit, format!("{label} ({symbol})"), symbol),
            },
            (ResultIndex::Lag(label) | ResultIndex::Number(label), _) if forward => plain(1.0, label.to_owned(), ""),
            _ if !forward => Self::of_samples(sampled, look, shown.period(shape, axes)),
            (index, sampling) => {
                let cycles = shown.cycles(axes, axes.along_rows());
                let axis = Self::of_frequencies(look, shown.period(shape, axes), sampling, cycles);
                let has_periods = index == ResultIndex::Frequency;
                Self { periods: axis.periods.filter(|_| has_periods), ..axis }
            }
        }
    }

    /// The axis of samples, which an inverse transform gives.
    fn of_samples(sampled: Option<&signal::Axis>, look: &LineLook, n: usize) -> Self {
        let origin = if look.shifted { (n / 2) as f64 } else { 0.0 };
        let axis = Self { origin, per_unit: 1.0, label: "sample".into(), unit: "", periods: None };
        match sampled.and_then(|sampled| Some((sampled, sampled.sampling()?))) {
            Some((sampled, Sampling { per_unit, unit })) => Self { per_unit, label: sampled.label(), unit: unit.symbol(), ..axis },
            None => axis,
        }
    }

    /// The axis of frequencies of rows of `n` samples.
    pub(super) fn of_frequencies(look: &LineLook, n: usize, sampling: Option<Sampling>, cycles: &'static str) -> Self {
        let origin = if look.shifted { (n / 2) as f64 } else { 0.0 };
        let (per_unit, label, unit) = match (look.unit, sampling) {
            (FrequencyUnit::Hertz, Some(sampling)) => {
                let unit = sampling.frequency();
                (n as f64 / sampling.per_unit, format!("frequency ({unit})"), unit)
            }
            (FrequencyUnit::Bins, _) => (1.0, "frequency (bins)".into(), "bins"),
            _ => (n as f64, format!("frequency ({cycles})"), cycles),
        };
        // A period has the unit of the samples, whatever unit the frequencies are shown in.
        let of_one = n as f64 / per_unit;
        let periods = match sampling {
            Some(sampling) => Periods { of_one: of_one / sampling.per_unit, unit: Some(sampling.unit), name: sampling.unit.symbol() },
            None => Periods { of_one, unit: None, name: cycles.trim_start_matches("cycles per ") },
        };
        Self { origin, per_unit, label, unit, periods: Some(periods) }
    }

    /// The text of a position, with up to `digits` significant digits.
    pub(super) fn place(&self, position: f64, digits: usize) -> String {
        number((position - self.origin) / self.per_unit, digits)
    }

    /// The period of the frequency at a position as text; `None` where the axis has no frequencies.
    pub(super) fn period(&self, position: f64, digits: usize) -> Option<String> {
        Some(self.periods?.text((position - self.origin) / self.per_unit, digits))
    }

    /// The position of frequency 0, which is not a peak; `None` where the axis has no frequencies.
    pub(super) fn zero(&self) -> Option<f64> {
        self.periods.map(|_| self.origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::AxisUnit;

    #[test]
    fn frequencies_have_periods_in_the_unit_of_the_samples() {
        let yearly = Some(Sampling { per_unit: 12.0, unit: AxisUnit::Year });
        // 1200 months: position 9 is 0.09 per year.
        for (unit, place) in [(FrequencyUnit::Hertz, "0.09"), (FrequencyUnit::Cycles, "0.0075"), (FrequencyUnit::Bins, "9")] {
            let axis = SpectrumAxis::of_frequencies(&LineLook { unit, ..LineLook::default() }, 1200, yearly, "cycles per sample");
            assert_eq!((axis.place(9.0, 4).as_str(), axis.period(9.0, 4).as_deref()), (place, Some("11.11 years")), "{unit:?}");
            assert_eq!(axis.period(0.0, 4).as_deref(), Some("∞"));
        }
        let shifted = LineLook { unit: FrequencyUnit::Hertz, shifted: true, ..LineLook::default() };
        let axis = SpectrumAxis::of_frequencies(&shifted, 1200, yearly, "cycles per sample");
        assert_eq!(axis.period(609.0, 4), axis.period(591.0, 4), "a period has no sign");
        let plain = SpectrumAxis::of_frequencies(&LineLook::default(), 64, None, "cycles per sample");
        assert_eq!((plain.label.as_str(), plain.period(16.0, 4).as_deref()), ("frequency (cycles per sample)", Some("4 samples")));
        let hourly = Some(Sampling { per_unit: 1.0, unit: AxisUnit::Hour });
        let tide = SpectrumAxis::of_frequencies(&LineLook::default(), 1000, hourly, "cycles per sample");
        assert_eq!((tide.unit, tide.period(80.515, 4).as_deref()), ("1/h", Some("12.42 h")));
    }
}

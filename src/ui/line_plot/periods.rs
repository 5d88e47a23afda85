//! The periods of the frequencies of an axis: beside every frequency, and as a second axis.

use crate::numerals::{counted_as, number};
use crate::signal::AxisUnit;

/// How the frequencies of an axis give periods.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Periods {
    /// The period of the frequency 1.
    pub(crate) of_one: f64,
    /// The unit of periods; `None` where they count samples, lines or pixels.
    pub(crate) unit: Option<AxisUnit>,
    /// The unit as the name of an axis has it, or what is counted.
    pub(crate) name: &'static str,
}

impl Periods {
    /// The period of a frequency; infinite for frequency 0.
    pub(crate) fn of(self, frequency: f64) -> f64 {
        // Frequencies that differ in their sign have the same period.
        (self.of_one / frequency).abs()
    }

    /// The period of a frequency with its unit: "11 years", "4 samples", "∞".
    pub(crate) fn text(self, frequency: f64, digits: usize) -> String {
        let period = self.of(frequency);
        match self.unit {
            _ if !period.is_finite() => "∞".to_owned(),
            Some(unit) => unit.amount(period, digits),
            None if period == 1.0 => counted_as(1, self.name, self.name),
            None => format!("{} {}s", number(period, digits), self.name),
        }
    }

    /// The name of an axis of periods.
    pub(crate) fn label(self) -> String {
        match (self.unit, self.name) {
            (None, counted) => format!("period ({counted}s)"),
            (Some(_), "") => "period".to_owned(),
            (Some(_), unit) => format!("period ({unit})"),
        }
    }

    /// The number of a tick at a frequency; nothing at frequency 0.
    pub(super) fn tick(self, frequency: f64) -> String {
        let period = self.of(frequency);
        if period.is_finite() { number(period, 4) } else { String::new() }
    }
}

//! A measured spectrum as a curve: its values in a quantity, smoothed and in decibels as they are shown, and the frequencies of its positions.

use super::super::axis::SpectrumAxis;
use crate::numerals::{counted, number};
use crate::prepare::Window;
use crate::signal::{Sampling, Signal};
use crate::spectra::{Averaged, Quantity, Rate, Reference};
use crate::ui::line_plot::Periods;
use crate::ui::settings::SignalLook;
use std::sync::Arc;

/// The depth of a plot in decibels below its largest value, and the floor where everything is silent.
const DEPTH_DB: f64 = 200.0;
const SILENCE_DB: f64 = -200.0;

/// The scaling of the values of a spectrum.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scaling {
    pub(super) quantity: Quantity,
    pub(super) decibels: bool,
    pub(super) reference: Reference,
    pub(super) smoothing: usize,
    /// The unit of the samples.
    pub(super) unit: Option<String>,
    pub(super) rate: Rate,
}

impl Scaling {
    /// As it is set for a channel of a signal.
    pub(super) fn of(look: &SignalLook, signal: &Signal, unit: Option<&str>, sampling: Option<Sampling>) -> Self {
        Self {
            quantity: look.quantity,
            decibels: look.decibels && look.quantity != Quantity::Phase,
            reference: look.reference(signal, unit),
            smoothing: if look.quantity == Quantity::Phase { 0 } else { look.smoothing },
            unit: unit.map(str::to_owned),
            rate: sampling.into(),
        }
    }

    /// The name of the vertical axis.
    pub(super) fn label(&self) -> String {
        let name = self.quantity.title().to_lowercase();
        match (self.decibels, self.quantity.unit(self.unit.as_deref(), self.rate.frequency()).as_str()) {
            (true, _) => format!("{name} ({})", self.unit_of_decibels()),
            (false, "") => name,
            (false, unit) => format!("{name} ({unit})"),
        }
    }

    fn unit_of_decibels(&self) -> String {
        self.reference.label(self.quantity, self.rate.frequency())
    }

    /// A shown value with its unit.
    pub(super) fn text(&self, value: f64, digits: usize) -> String {
        let unit = match self.decibels {
            true => self.unit_of_decibels(),
            false => self.quantity.unit(self.unit.as_deref(), self.rate.frequency()),
        };
        format!("{} {unit}", number(value, digits)).trim_end().to_owned()
    }

    /// A frequency with its unit.
    pub(super) fn frequency_text(&self, frequency: f64, digits: usize) -> String {
        format!("{} {}", number(frequency, digits), self.rate.frequency())
    }
}

/// The curve.
#[derive(Debug)]
pub(super) struct Curve {
    /// The spectrum.
    pub(super) spectrum: Arc<Averaged>,
    pub(super) scaling: Scaling,
    /// The values as they are shown, from the lowest frequency; silence is at the floor.
    pub(super) values: Vec<f64>,
    /// The lowest frequency, and the distance of two.
    pub(super) first: f64,
    pub(super) step: f64,
    /// The lowest level of the plot.
    pub(super) floor: Option<f64>,
}

impl Curve {
    /// The curve of a spectrum.
    pub(super) fn new(spectrum: Arc<Averaged>, scaling: Scaling) -> Self {
        let calibration = spectrum.calibration;
        let first = spectrum.frames.frequency(0, calibration.is_complex, calibration.rate);
        let step = calibration.step();
        let mut values = scaled(&spectrum, &scaling);
        let mut floor = None;
        if scaling.decibels {
            let largest = values.iter().copied().filter(|value| value.is_finite()).fold(f64::NEG_INFINITY, f64::max);
            let lowest = if largest.is_finite() { largest - DEPTH_DB } else { SILENCE_DB };
            values.iter_mut().filter(|value| **value < lowest).for_each(|value| *value = lowest);
            floor = (!largest.is_finite()).then_some(lowest);
        }
        Self { spectrum, scaling, values, first, step, floor }
    }

    /// The values in the quantity; −∞ for silence in decibels.
    pub(super) fn exact(&self) -> Vec<f64> {
        scaled(&self.spectrum, &self.scaling)
    }

    /// Whether it is that of a spectrum in this scale.
    pub(super) fn is_of(&self, spectrum: &Arc<Averaged>, scaling: &Scaling) -> bool {
        Arc::ptr_eq(&self.spectrum, spectrum) && self.scaling == *scaling
    }

    /// The axis of its frequencies.
    pub(super) fn axis(&self) -> SpectrumAxis {
        let unit = self.scaling.rate.frequency();
        let name = self.scaling.rate.unit.map_or("sample", |unit| unit.symbol());
        let periods = Some(Periods { of_one: 1.0, unit: self.scaling.rate.unit, name });
        SpectrumAxis { origin: -self.first / self.step, per_unit: self.step.recip(), label: format!("frequency ({unit})"), unit, periods }
    }

    /// The frequency of a position.
    pub(super) fn frequency(&self, position: f64) -> f64 {
        self.first + position * self.step
    }

    /// The position of a frequency.
    pub(super) fn position(&self, frequency: f64) -> f64 {
        (frequency - self.first) / self.step
    }

    /// The value at the position nearest to a frequency; `None` outside.
    pub(super) fn value_at(&self, frequency: f64) -> Option<f64> {
        let position = self.position(frequency).round();
        if position < 0.0 { None } else { self.values.get(position as usize).copied() }
    }

    /// The largest value near a frequency, where a peak between two values is drawn.
    pub(super) fn value_near(&self, frequency: f64) -> Option<f64> {
        [-1.0, 0.0, 1.0].into_iter().filter_map(|by| self.value_at(frequency + by * self.step)).reduce(f64::max)
    }

    /// The frequency of the largest value above 0, within some positions.
    pub(super) fn strongest(&self, positions: std::ops::Range<f64>) -> Option<f64> {
        let zero = self.position(0.0).round();
        let within = self.values.iter().enumerate().map(|(at, value)| (at as f64, *value)).filter(|(at, _)| positions.contains(at));
        let strongest = within.filter(|(at, _)| (at - zero).abs() > 2.0).max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(self.frequency(strongest.0))
    }

    /// The width of the peak at a frequency between the points 3 dB below it, on straight lines of the power between the values.
    pub(super) fn half_power_width(&self, frequency: f64) -> Option<f64> {
        let Averaged { frames, calibration, power, .. } = &*self.spectrum;
        let power = |position: usize| power[frames.natural(position, calibration.is_complex)];
        let peak = self.position(frequency).round() as usize;
        let level = power(peak) / 2.0;
        let crossing = |before: usize, after: usize| {
            let (above, below) = (power(before), power(after));
            before as f64 + (above - level) / (above - below) * (after as f64 - before as f64)
        };
        let right = (peak..self.values.len() - 1).find(|at| power(at + 1) <= level).map(|at| crossing(at, at + 1))?;
        let left = (1..=peak).rev().find(|at| power(at - 1) <= level).map(|at| crossing(at, at - 1))?;
        Some((right - left) * self.step)
    }

    /// Everything that its numbers depend on, in sentences of a few words.
    pub(super) fn facts(&self) -> Vec<String> {
        let Averaged { frames, calibration, average, count, skipped, replaced, .. } = &*self.spectrum;
        let rate = self.scaling.rate;
        let duration = |samples: usize| format!("{} {}", number(samples as f64 / rate.per_unit, 4), rate.unit());
        let length = match rate.unit {
            Some(_) => format!("{} ({})", counted(frames.length, "sample"), duration(frames.length)),
            None => counted(frames.length, "sample"),
        };
        let frequency = |value: f64| self.scaling.frequency_text(value, 4);
        let (gain, noise) = (number(calibration.gain(), 4), frequency(calibration.noise_bandwidth()));
        let window = match frames.window.shape {
            Window::None => "no window".to_owned(),
            _ => format!("{} window: gain {gain}", frames.window),
        };
        let mut facts = vec![self.scaling.label(), length, format!("{window}, noise bandwidth {noise}")];
        facts.push(match frames.points > frames.length {
            true => format!("a value every {}, resolution {}", frequency(self.step), frequency(calibration.rate / frames.length as f64)),
            false => format!("a value every {}", frequency(self.step)),
        });
        facts.push(match count {
            1 => "one transform".to_owned(),
            _ => {
                let overlap = 100.0 * frames.overlap() as f64 / frames.length as f64;
                let average = format!("{} of the power of {}", average.title().to_lowercase(), counted(*count, "frame"));
                format!("{average}, {} % overlap", number(overlap, 3))
            }
        });
        if self.scaling.smoothing > 0 {
            facts.push(format!("smoothed over 1/{} octave", self.scaling.smoothing));
        }
        if frames.detrend != crate::prepare::Detrend::None {
            facts.push(format!("{} removed", frames.detrend.title().to_lowercase()));
        }
        if let Some(rate) = rate.sampling() {
            facts.push(format!("rate {rate}"));
        }
        if self.floor.is_some() {
            facts.push("silence: −∞ dB stands at the floor".to_owned());
        }
        let last = self.frequency(self.values.len() as f64 - 1.0);
        facts.push(format!("band {} to {}", number(self.first, 6), frequency(last)));
        if self.scaling.decibels {
            facts.push(match &self.scaling.reference {
                Reference::FullScale(amplitude) => format!("0 dBFS is a sine of amplitude {}", number(*amplitude, 6)),
                Reference::Value(..) => self.unit_of_zero(),
            });
        }
        let left_out = [(*skipped, "frame", "left out"), (*replaced, "sample", "replaced by the trend")];
        facts.extend(
            left_out
                .into_iter()
                .filter(|(n, ..)| *n > 0)
                .map(|(n, what, how)| format!("{} with values that are no numbers {how}", counted(n, what))),
        );
        facts
    }

    fn unit_of_zero(&self) -> String {
        format!("reference {}", self.scaling.unit_of_decibels().trim_start_matches("dB re "))
    }
}

/// The values of a spectrum in a quantity, smoothed and in decibels as asked.
fn scaled(spectrum: &Averaged, Scaling { quantity, reference, smoothing, decibels, .. }: &Scaling) -> Vec<f64> {
    let calibration = spectrum.calibration;
    let mut values = spectrum.values(*quantity);
    if *smoothing > 0 {
        let first = spectrum.frames.frequency(0, calibration.is_complex, calibration.rate);
        smooth(&mut values, first, calibration.step(), *smoothing, quantity.is_power());
    }
    if *decibels {
        values.iter_mut().for_each(|value| *value = reference.decibels(*value, *quantity, &calibration));
    }
    values
}

/// Averages the power of values over a part of an octave about each frequency.
fn smooth(values: &mut [f64], first: f64, step: f64, part: usize, is_power: bool) {
    let power = |value: f64| if is_power { value } else { value * value };
    let sums: Vec<f64> = std::iter::once(0.0)
        .chain(values.iter().scan(0.0, |sum, value| {
            *sum += if value.is_finite() { power(*value) } else { 0.0 };
            Some(*sum)
        }))
        .collect();
    let half = 2f64.powf(0.5 / part as f64);
    let n = values.len();
    for (position, value) in values.iter_mut().enumerate() {
        let frequency = first + position as f64 * step;
        let [a, b] = [frequency / half, frequency * half].map(|end| (end - first) / step);
        let (low, high) = (a.min(b).ceil().max(0.0) as usize, (a.max(b).floor() as usize + 1).min(n));
        if high > low + 1 {
            let mean = (sums[high] - sums[low]).max(0.0) / (high - low) as f64;
            *value = if is_power { mean } else { mean.sqrt() };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smoothing_keeps_flat_spectra_and_spreads_a_line_over_its_part_of_an_octave() {
        let mut flat = vec![2.0; 1000];
        smooth(&mut flat, 0.0, 1.0, 3, false);
        assert!(flat.iter().all(|value| (value - 2.0).abs() < 1e-9));
        let mut line = vec![0.0; 1000];
        line[500] = 1.0;
        smooth(&mut line, 0.0, 1.0, 3, true);
        let spread: Vec<usize> = (0..1000).filter(|at| line[*at] > 0.0).collect();
        let (low, high) = (spread[0] as f64, spread[spread.len() - 1] as f64);
        assert!((high / low / 2f64.powf(1.0 / 3.0) - 1.0).abs() < 0.01, "{low} to {high}");
        assert!(line[0] == 0.0 && (line[500] * 116.0 - 1.0).abs() < 0.02, "{}", line[500]);
    }
}

//! Axes: the position of a value, and the values that are labelled.

/// How an axis maps values to positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AxisScale {
    /// Linear.
    Linear,
    /// Logarithmic, labelled at powers of ten.
    Decades,
    /// Logarithmic, labelled at powers of two.
    Octaves,
}

/// An axis.
#[derive(Debug, Clone)]
pub struct ChartAxis {
    /// Its title with the unit.
    pub name: String,
    /// How it maps values to positions.
    pub scale: AxisScale,
    /// Writes the label of a value.
    pub text: fn(f64) -> String,
    /// Two values that the axis always includes, and all between them.
    pub includes: Option<[f64; 2]>,
}

/// A marked value of an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    /// The value.
    pub value: f64,
    /// The label; `None` for a minor tick.
    pub text: Option<String>,
}

/// The range of an axis without curves.
const EMPTY: [f64; 2] = [1.0, 10.0];

impl ChartAxis {
    /// Whether the axis can show a value.
    pub fn shows(&self, value: f64) -> bool {
        value.is_finite() && (self.scale == AxisScale::Linear || value > 0.0)
    }

    /// The value itself, or its logarithm on a logarithmic axis.
    pub fn along(&self, value: f64) -> f64 {
        match self.scale {
            AxisScale::Linear => value,
            AxisScale::Decades => value.log10(),
            AxisScale::Octaves => value.log2(),
        }
    }

    /// The range that shows `extent` with a margin at both ends.
    pub(super) fn range(&self, extent: Option<[f64; 2]>) -> [f64; 2] {
        let [mut low, mut high] = extent.unwrap_or(EMPTY);
        if let Some([least, most]) = self.includes {
            (low, high) = if extent.is_none() { (least, most) } else { (low.min(least), high.max(most)) };
        }
        let room = |low: f64, high: f64| if high > low { 0.04 * (high - low) } else { 0.5 };
        match self.scale {
            AxisScale::Linear => {
                let room = if high > low { 0.06 * (high - low) } else { 0.5 * high.abs().max(1.0) };
                // A range that begins at zero has no margin below it.
                [if low == 0.0 { 0.0 } else { low - room }, high + room]
            }
            _ => {
                let (low, high) = (self.along(low), self.along(high));
                [low - room(low, high), high + room(low, high)].map(|place| self.value(place))
            }
        }
    }

    fn value(&self, along: f64) -> f64 {
        match self.scale {
            AxisScale::Linear => along,
            AxisScale::Decades => 10f64.powf(along),
            AxisScale::Octaves => along.exp2(),
        }
    }

    /// The ticks between `low` and `high`, with at most about `most` labels.
    pub fn ticks(&self, [low, high]: [f64; 2], most: usize) -> Vec<Tick> {
        match self.scale {
            AxisScale::Linear => self.linear(low, high, most),
            AxisScale::Octaves => {
                let (first, last) = (low.log2().ceil() as i32, high.log2().floor() as i32);
                let step = ((last - first + 1).max(1) as usize).div_ceil(most.max(1)) as i32;
                let tick =
                    |k: i32| Tick { value: f64::from(k).exp2(), text: (k.rem_euclid(step) == 0).then(|| (self.text)(f64::from(k).exp2())) };
                (first..=last).map(tick).collect()
            }
            AxisScale::Decades => self.decades(low, high, most),
        }
    }

    fn decades(&self, low: f64, high: f64, most: usize) -> Vec<Tick> {
        let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
        let step = ((last - first).max(1) as usize).div_ceil(most.max(1)) as i32;
        // A range of about one decade has labels at 2 and 5 as well.
        let narrow = high.log10() - low.log10() < 1.5;
        let mut ticks = Vec::new();
        for decade in first..=last {
            for digit in 1..10 {
                let value = f64::from(digit) * 10f64.powi(decade);
                if value < low * (1.0 - 1e-9) || value > high * (1.0 + 1e-9) {
                    continue;
                }
                let is_written = (digit == 1 && decade.rem_euclid(step) == 0) || (narrow && matches!(digit, 2 | 5));
                ticks.push(Tick { value, text: is_written.then(|| (self.text)(value)) });
            }
        }
        ticks
    }

    fn linear(&self, low: f64, high: f64, most: usize) -> Vec<Tick> {
        let values = round_values(low, high, most.max(1) as f64);
        values.into_iter().map(|value| Tick { value, text: Some((self.text)(value)) }).collect()
    }
}

/// The round values within `low..=high`, at most about `wanted`: multiples of 1, 2 or 5 times a power of ten.
pub fn round_values(low: f64, high: f64, wanted: f64) -> Vec<f64> {
    let span = high - low;
    if !(span.is_finite() && span > 0.0 && wanted >= 1.0) {
        return if low.is_finite() { vec![low] } else { Vec::new() };
    }
    let step = round_step(span / wanted);
    let (first, last) = ((low / step - 1e-9).ceil() as i64, (high / step + 1e-9).floor() as i64);
    (first..=last).map(|k| k as f64 * step).collect()
}

/// The smallest of 1, 2, 5 and 10 times a power of ten that is at least `raw`.
pub fn round_step(raw: f64) -> f64 {
    step_of([1.0, 2.0, 5.0, 10.0], raw)
}

/// The smallest of 1, 2.5, 5 and 10 times a power of ten that is at least `raw`: up to ½, a multiple of it is ½.
pub fn step_to_half(raw: f64) -> f64 {
    step_of([1.0, 2.5, 5.0, 10.0], raw)
}

fn step_of(digits: [f64; 4], raw: f64) -> f64 {
    let power = 10f64.powf(raw.log10().floor());
    let digit = digits.into_iter().find(|digit| digit * power >= raw * (1.0 - 1e-9));
    digit.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_values_lie_inside() {
        assert_eq!(round_values(0.0, 10.0, 5.0), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(round_values(-0.5, 0.5, 4.0), [-0.5, 0.0, 0.5]);
        assert_eq!(round_values(3.0, 3.0, 5.0), [3.0]);
        assert!(round_values(f64::NAN, 1.0, 5.0).is_empty());
    }

    fn axis(scale: AxisScale) -> ChartAxis {
        ChartAxis { name: String::new(), scale, text: |value| format!("{value}"), includes: None }
    }

    fn written(axis: &ChartAxis, range: [f64; 2], most: usize) -> Vec<f64> {
        axis.ticks(range, most).into_iter().filter(|tick| tick.text.is_some()).map(|tick| tick.value).collect()
    }

    #[test]
    fn ticks_are_round_and_few_enough() {
        assert_eq!(written(&axis(AxisScale::Linear), [0.0, 1.0], 5), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(written(&axis(AxisScale::Octaves), [900.0, 20_000.0], 10), [1024.0, 2048.0, 4096.0, 8192.0, 16_384.0]);
        assert_eq!(written(&axis(AxisScale::Octaves), [1.0, 65_536.0], 6), [1.0, 8.0, 64.0, 512.0, 4096.0, 32_768.0]);
        assert_eq!(written(&axis(AxisScale::Decades), [0.5, 2000.0], 10), [1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(written(&axis(AxisScale::Decades), [1.5, 9.0], 10), [2.0, 5.0]);
        assert_eq!(axis(AxisScale::Decades).ticks([1.0, 10.0], 10).len(), 10, "the digits between are marked");
    }

    #[test]
    fn a_range_holds_what_it_shows() {
        for scale in [AxisScale::Linear, AxisScale::Decades, AxisScale::Octaves] {
            let axis = ChartAxis { includes: Some([3.0; 2]), ..axis(scale) };
            for extent in [None, Some([2.0, 2.0]), Some([10.0, 1e6])] {
                let [low, high] = axis.range(extent);
                let [least, most] = extent.unwrap_or([3.0; 2]);
                assert!(low < least.min(3.0) && high > most.max(3.0) && low.is_finite() && high.is_finite(), "{scale:?} {extent:?}");
            }
        }
        assert!(!axis(AxisScale::Decades).shows(0.0) && !axis(AxisScale::Linear).shows(f64::NAN) && axis(AxisScale::Linear).shows(0.0));
    }
}

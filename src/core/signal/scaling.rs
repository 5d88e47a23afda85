//! Samples of extreme magnitudes, multiplied by a power of two so that their squares and their spectra keep all digits.
//!
//! Only the exponents change, so that nothing is rounded but what has few digits already.

use super::{Channel, Samples, Signal};
use crate::threads;

impl Signal {
    /// The exponent of the power of two below the largest finite magnitude of all channels, where it lies outside ±`limit`; 0 otherwise, and for integers,
    /// which stay as they are.
    pub fn extreme_exponent(&self, limit: i32) -> i32 {
        let largest = self
            .channels
            .iter()
            .filter(|channel| !channel.samples.is_integer())
            .filter_map(|channel| channel.samples.min_max())
            .fold(0.0, |most: f64, (a, b)| most.max(a.abs()).max(b.abs()));
        let exponent = if largest > 0.0 { largest.log2().floor() as i32 } else { 0 };
        if exponent.abs() > limit { exponent } else { 0 }
    }

    /// The same signal, multiplied by 2^`exponent`. Integers stay as they are.
    #[must_use]
    pub fn times_power_of_two(&self, exponent: i32) -> Self {
        let scaled = |channel: &Channel| channel.with_samples(channel.samples.times_power_of_two(exponent));
        Self { channels: self.channels.iter().map(scaled).collect(), ..self.clone() }
    }
}

impl Samples {
    /// The same samples, multiplied by 2^`exponent`. Integers stay as they are.
    #[must_use]
    pub fn times_power_of_two(&self, exponent: i32) -> Self {
        let wide = |value: f64| times_power_of_two(value, exponent);
        let narrow = |value: f32| wide(value.into()) as f32;
        match self {
            Self::F32(values) => Self::F32(threads::convert(values, narrow)),
            Self::F64(values) => Self::F64(threads::convert(values, wide)),
            Self::Complex32(values) => {
                Self::Complex32(threads::convert(values, |value| num_complex::Complex::new(narrow(value.re), narrow(value.im))))
            }
            Self::Complex64(values) => {
                Self::Complex64(threads::convert(values, |value| num_complex::Complex::new(wide(value.re), wide(value.im))))
            }
            Self::Pcm(values) => values.to_numbers().times_power_of_two(exponent),
            whole => whole.clone(),
        }
    }
}

/// `value` · 2^`exponent`; the power itself may leave the range.
pub fn times_power_of_two(value: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    value * f64::from(half).exp2() * f64::from(exponent - half).exp2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extreme_samples_come_into_range_and_back() {
        for values in [[1e300, -3e299], [2e-200, 1e-210], [5e-324, 0.0], [1.5e308, -1.7e308]] {
            let signal = Signal::row("test", Samples::F64(values.to_vec()));
            let exponent = signal.extreme_exponent(90);
            let scaled = signal.times_power_of_two(-exponent);
            let (_, largest) = Samples::F64(scaled.channels[0].samples.to_f64().iter().map(|x| x.abs()).collect()).min_max().unwrap();
            assert!((1.0..2.0).contains(&largest), "{values:?}: {largest}");
            assert_eq!(scaled.times_power_of_two(exponent), signal);
        }
        for values in [vec![1.0, 1e-300], vec![0.0], vec![f64::NAN], vec![]] {
            assert_eq!(Signal::row("test", Samples::F64(values)).extreme_exponent(90), 0);
        }
        assert_eq!(Signal::row("test", Samples::I64(vec![1 << 40])).extreme_exponent(30), 0, "integers are not scaled");
    }
}

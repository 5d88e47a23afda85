//! The power that noise reaches by chance.
//!
//! The bound of Baluev, Monthly Notices of the Royal Astronomical Society 385 (2008), 1279–1285, for the largest power of white noise up to
//! a highest frequency; astropy has it as "baluev". It holds well where the positions are not too regular, and is a little too strict elsewhere.

use std::f64::consts::PI;

/// The power that the largest peak of a periodogram of white noise at these positions passes with this probability.
pub fn false_alarm_level(positions: &[f64], highest: f64, probability: f64) -> f64 {
    let (n, spread) = (positions.len(), spread(positions));
    let (mut low, mut high) = (0.0, 1.0);
    // The probability falls with the power.
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if false_alarm_probability(n, spread, highest, middle) > probability { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// The standard deviation of the positions.
fn spread(positions: &[f64]) -> f64 {
    let n = positions.len() as f64;
    let mean = positions.iter().sum::<f64>() / n;
    (positions.iter().map(|at| (at - mean) * (at - mean)).sum::<f64>() / n).sqrt()
}

/// The probability that the largest power of white noise passes `power`.
fn false_alarm_probability(n: usize, spread: f64, highest: f64, power: f64) -> f64 {
    // Noise about a fitted constant has n − 1 degrees of freedom, and n − 3 beside a sine.
    let (of_constant, of_sine) = ((n as f64 - 1.0), (n as f64 - 3.0).max(1.0));
    let bandwidth = highest * (4.0 * PI).sqrt() * spread;
    let rest = 1.0 - power;
    let single = rest.powf(0.5 * of_sine);
    let crossings = ratio_of_gammas(n - 1) * bandwidth * rest.powf(0.5 * (of_sine - 1.0)) * (0.5 * of_constant * power).sqrt();
    1.0 - (1.0 - single) * (-crossings).exp()
}

/// √(2/n) · Γ(n/2) / Γ((n − 1)/2), which tends to 1.
fn ratio_of_gammas(n: usize) -> f64 {
    (2.0 / n as f64).sqrt() * (libm::lgamma(0.5 * n as f64) - libm::lgamma(0.5 * (n as f64 - 1.0))).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_level_belongs_to_its_probability() {
        let positions: Vec<f64> = (0..200).map(|k| f64::from(k) + 0.3 * (f64::from(k) * 1.7).sin()).collect();
        let mut last = 1.0;
        for probability in [1e-6, 1e-3, 0.01, 0.1, 0.5] {
            let level = false_alarm_level(&positions, 0.5, probability);
            let back = false_alarm_probability(positions.len(), spread(&positions), 0.5, level);
            assert!((back - probability).abs() < 1e-6 * probability.max(1e-3), "{probability}: {back} at {level}");
            assert!(level < last, "a rarer alarm needs a larger power");
            last = level;
        }
    }

    #[test]
    fn the_ratio_is_that_of_factorials() {
        // Γ(3) / Γ(2.5) = 2 / 1.329340388179137.
        assert!((ratio_of_gammas(6) - (2.0_f64 / 6.0).sqrt() * 2.0 / 1.329_340_388_179_137).abs() < 1e-12);
        assert!((ratio_of_gammas(1_000_000) - 1.0).abs() < 1e-5);
    }
}

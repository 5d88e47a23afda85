//! The periodogram against its definition, which solves the normal equations of a constant, a cosine and a sine anew at every frequency.

use super::*;
use crate::random::{random_bits, unit};

fn go_on() -> AtomicBool {
    AtomicBool::new(false)
}

/// Uniform numbers from −1 to 1.
fn noise(n: usize, seed: u64) -> Vec<f64> {
    (0..n as u64).map(|i| 2.0 * unit(random_bits(seed * 1_000_003 + i)) - 1.0).collect()
}

/// Sorted random positions from 0 to `span`.
fn random_positions(n: usize, span: f64, seed: u64) -> Vec<f64> {
    let mut positions: Vec<f64> = noise(n, seed).into_iter().map(|at| 0.5 * (at + 1.0) * span).collect();
    positions.sort_by(f64::total_cmp);
    positions
}

/// The share of the variance that a + b·cos + c·sin explains at best, by Gaussian elimination.
fn by_definition(samples: &Stamped, frequency: f64) -> f64 {
    let mean = samples.values.iter().sum::<f64>() / samples.values.len() as f64;
    let mut rows = [[0.0; 4]; 3];
    let mut variance = 0.0;
    for (&t, &y) in samples.positions.iter().zip(&samples.values) {
        let base = [1.0, (TAU * frequency * t).cos(), (TAU * frequency * t).sin()];
        for i in 0..3 {
            for j in 0..3 {
                rows[i][j] += base[i] * base[j];
            }
            rows[i][3] += base[i] * (y - mean);
        }
        variance += (y - mean) * (y - mean);
    }
    for i in 0..3 {
        let pivot = (i..3).max_by(|&a, &b| rows[a][i].abs().total_cmp(&rows[b][i].abs())).unwrap();
        rows.swap(i, pivot);
        for k in 0..3 {
            if k != i {
                let factor = rows[k][i] / rows[i][i];
                let pivot_row = rows[i];
                for (value, above) in rows[k].iter_mut().zip(pivot_row).skip(i) {
                    *value -= factor * above;
                }
            }
        }
    }
    let fit = [0, 1, 2].map(|i| rows[i][3] / rows[i][i]);
    let mut left = 0.0;
    for (&t, &y) in samples.positions.iter().zip(&samples.values) {
        let model = fit[0] + fit[1] * (TAU * frequency * t).cos() + fit[2] * (TAU * frequency * t).sin();
        left += (y - mean - model) * (y - mean - model);
    }
    1.0 - left / variance
}

#[test]
fn the_power_is_the_share_of_the_variance_that_a_sine_explains() {
    for (n, span, seed) in [(4, 1.0, 1), (5, 10.0, 2), (30, 3.0, 3), (151, 1000.0, 4), (400, 0.01, 5)] {
        let positions = random_positions(n, span, seed);
        let values: Vec<f64> = noise(n, seed + 100).iter().zip(&positions).map(|(noise, t)| 7.0 + noise + (9.0 * t / span).sin()).collect();
        let samples = Stamped { positions, values };
        let found = periodogram(&samples, PeriodogramRange::default(), &go_on()).unwrap();
        assert_eq!(found.power.len(), found.grid.n);
        for (index, &power) in found.power.iter().enumerate() {
            let expected = by_definition(&samples, found.grid.frequency(index));
            assert!((power - expected).abs() < 1e-6, "{n} samples, {}: {power} and {expected}", found.grid.frequency(index));
        }
    }
}

#[test]
fn a_tone_stands_at_its_frequency_whatever_its_mean_phase_and_scale() {
    for (frequency, phase, mean, scale) in
        [(0.8, 0.0, 0.0, 1.0), (0.1234, 1.0, 1e3, 1.0), (2.2, -2.0, -5.0, 1e-200), (1.7, 3.0, 0.0, 1e200)]
    {
        let positions = random_positions(300, 60.0, 9);
        let values = positions.iter().map(|t| scale * (mean + 3.0 * (TAU * frequency * t + phase).cos())).collect();
        let found = periodogram(&Stamped { positions, values }, PeriodogramRange::default(), &go_on()).unwrap();
        let peak = found.peaks[0];
        assert!((peak.frequency - frequency).abs() < 1e-6, "{frequency}: {peak:?}");
        assert!((peak.power - 1.0).abs() < 1e-9 && (peak.amplitude / scale - 3.0).abs() < 1e-6, "{peak:?}");
        assert!(found.power.iter().all(|power| (0.0..=1.0).contains(power)));
    }
}

#[test]
fn scale_mean_and_origin_of_the_samples_change_nothing() {
    let samples = Stamped { positions: random_positions(80, 20.0, 11), values: noise(80, 12) };
    let power = |samples: &Stamped| periodogram(samples, PeriodogramRange::default(), &go_on()).unwrap().power;
    let plain = power(&samples);
    let moved = Stamped {
        positions: samples.positions.iter().map(|at| at + 1000.0).collect(),
        values: samples.values.iter().map(|value| 40.0 - 3.0 * value).collect(),
    };
    for (a, b) in plain.iter().zip(power(&moved)) {
        assert!((a - b).abs() < 1e-8, "{a} and {b}");
    }
}

#[test]
fn even_samples_have_the_power_of_their_spectrum() {
    // At the frequencies of the DFT of even samples, power is 2·|X|²/(N·Σ(x − mean)²), and at half the rate half of that.
    let n = 64;
    let values = noise(n, 21);
    let mean = values.iter().sum::<f64>() / n as f64;
    let energy: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    let samples = Stamped { positions: (0..n).map(|k| k as f64).collect(), values: values.clone() };
    let range = PeriodogramRange { per_peak: n as f64 / (n as f64 - 1.0), highest: Some(0.5) };
    let found = periodogram(&samples, range, &go_on()).unwrap();
    assert_eq!(found.grid.n, n / 2);
    for (index, &power) in found.power.iter().enumerate() {
        let k = index + 1;
        let (mut re, mut im) = (0.0, 0.0);
        for (i, value) in values.iter().enumerate() {
            re += value * (TAU * (k * i % n) as f64 / n as f64).cos();
            im -= value * (TAU * (k * i % n) as f64 / n as f64).sin();
        }
        let twice = if 2 * k == n { 1.0 } else { 2.0 };
        let expected = twice * (re * re + im * im) / (n as f64 * energy);
        assert!((power - expected).abs() < 1e-9, "{k}: {power} and {expected}");
    }
}

#[test]
fn noise_seldom_passes_its_level() {
    let passed = (0..200).filter(|&seed| {
        let samples = Stamped { positions: random_positions(60, 100.0, 500 + seed), values: noise(60, 900 + seed) };
        let found = periodogram(&samples, PeriodogramRange::default(), &go_on()).unwrap();
        found.peaks[0].power > found.one_percent
    });
    assert!(passed.count() <= 8, "one of a hundred is expected");
}

#[test]
fn what_has_no_periodogram_is_refused() {
    let refused = |positions: &[f64], values: &[f64], range: PeriodogramRange| {
        let samples = Stamped { positions: positions.to_vec(), values: values.to_vec() };
        periodogram(&samples, range, &go_on()).unwrap_err()
    };
    let usual = PeriodogramRange::default();
    assert_eq!(refused(&[], &[], usual), PeriodogramError::TooFew(0));
    assert_eq!(refused(&[0.0, 1.0, 2.0], &[1.0, 2.0, 1.0], usual), PeriodogramError::TooFew(3));
    assert_eq!(refused(&[2.0; 5], &[1.0, 2.0, 1.0, 4.0, 5.0], usual), PeriodogramError::NoSpan);
    assert_eq!(refused(&[0.0, 1.0, 2.5, 3.0], &[0.1; 4], usual), PeriodogramError::Constant);
    let uneven = [0.0, 1.0, 2.5, 3.0];
    for highest in [0.0, -1.0, 0.01, f64::NAN] {
        let range = PeriodogramRange { highest: Some(highest), ..usual };
        assert!(matches!(refused(&uneven, &[1.0, 2.0, 1.0, 5.0], range), PeriodogramError::NoFrequencies(_)), "{highest}");
    }
    let range = PeriodogramRange { highest: Some(f64::INFINITY), ..usual };
    assert!(matches!(refused(&uneven, &[1.0, 2.0, 1.0, 5.0], range), PeriodogramError::TooLarge(_)));
    let samples = Stamped { positions: uneven.to_vec(), values: vec![1.0, 2.0, 1.0, 5.0] };
    assert_eq!(periodogram(&samples, usual, &AtomicBool::new(true)).unwrap_err(), PeriodogramError::Cancelled);
}

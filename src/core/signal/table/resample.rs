//! Even samples of a curve through uneven ones: straight lines, or cubic pieces whose slopes are those of parabolas through three neighbours.

use super::Uneven;
use crate::signal::{Cause, memory};

/// Start and step of an even grid from the first to the last position, with the same number of samples.
pub(super) fn grid(positions: &[f64]) -> (f64, f64) {
    let (first, last) = (positions[0], positions[positions.len() - 1]);
    (first, (last - first) / (positions.len() - 1) as f64)
}

/// Samples at even positions of the curve through `values` at `positions`, which rise.
pub(super) fn resampled(positions: &[f64], values: &[f64], way: Uneven) -> Result<Vec<f64>, Cause> {
    let n = positions.len();
    let (start, step) = grid(positions);
    let mut at = 0;
    let sample = |k: usize| {
        let position = start + k as f64 * step;
        while at + 2 < n && positions[at + 1] <= position {
            at += 1;
        }
        let width = positions[at + 1] - positions[at];
        let share = ((position - positions[at]) / width).clamp(0.0, 1.0);
        let (a, b) = (values[at], values[at + 1]);
        match way {
            Uneven::Cubic => {
                let [m, l] = [slope(positions, values, at), slope(positions, values, at + 1)].map(|slope| slope * width);
                let rest = 1.0 - share;
                a * (1.0 + 2.0 * share) * rest * rest + m * share * rest * rest + b * (3.0 - 2.0 * share) * share * share
                    - l * share * share * rest
            }
            _ => a * (1.0 - share) + b * share,
        }
    };
    memory::collected(n, (0..n).map(sample))
}

/// The slope at a sample of the parabola through it and its neighbours; at the ends, of the straight line.
fn slope(positions: &[f64], values: &[f64], k: usize) -> f64 {
    let line = |a: usize, b: usize| (values[b] - values[a]) / (positions[b] - positions[a]);
    match k {
        0 => line(0, 1),
        _ if k + 1 == positions.len() => line(k - 1, k),
        _ => {
            let (before, behind) = (positions[k] - positions[k - 1], positions[k + 1] - positions[k]);
            (line(k - 1, k) * behind + line(k, k + 1) * before) / (before + behind)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest error of a sine from uneven samples.
    fn error(way: Uneven) -> f64 {
        let positions: Vec<f64> = (0..200).map(|k| f64::from(k) + 0.4 * f64::from(k * 37 % 19) / 19.0).collect();
        let wave = |t: f64| (0.2 * t).sin();
        let values: Vec<f64> = positions.iter().map(|t| wave(*t)).collect();
        let (start, step) = grid(&positions);
        let found = resampled(&positions, &values, way).expect("it fits");
        assert_eq!(found.len(), positions.len());
        (0..).zip(&found).map(|(k, value)| (value - wave(start + f64::from(k) * step)).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn curves_meet_a_smooth_wave() {
        let (linear, cubic) = (error(Uneven::Linear), error(Uneven::Cubic));
        assert!(linear < 0.01 && cubic < linear / 5.0, "{linear} {cubic}");
    }
}

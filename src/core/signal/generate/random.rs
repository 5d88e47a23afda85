//! White noise. The value at an index depends on seed and index alone, so all cores can work at once.

use crate::random::{random_bits, unit};
use std::f64::consts::TAU;

crate::choice! {
    /// How random values are distributed.
    pub enum Distribution {
        /// Evenly over −1..1.
        #[default]
        Uniform = "Uniform", "uniform";
        /// Gaussian, mean 0 and standard deviation 1.
        Normal = "Normal", "normal";
    }
}

/// The random value of that seed and index.
pub(super) fn random(seed: u64, index: u64, distribution: Distribution) -> f64 {
    let stream = random_bits(seed);
    let first = unit(random_bits(stream.wrapping_add(index.wrapping_mul(2))));
    match distribution {
        Distribution::Uniform => 2.0 * first - 1.0,
        Distribution::Normal => {
            let second = unit(random_bits(stream.wrapping_add(index.wrapping_mul(2)).wrapping_add(1)));
            // Box and Muller. 1 − first is never zero.
            (-2.0 * (1.0 - first).ln()).sqrt() * (TAU * second).cos()
        }
    }
}

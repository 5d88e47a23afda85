//! Random numbers by counting: the value at an index depends on seed and index alone, so that all cores can work at once.
//!
//! The mixer is SplitMix64 (Steele, Lea and Flood, 2014).

use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// How random values are spread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, strum::Display, strum::EnumIter)]
pub enum Distribution {
    /// Evenly over −1..1.
    #[strum(to_string = "uniform")]
    Uniform,
    /// Gaussian, mean 0 and standard deviation 1.
    #[strum(to_string = "normal")]
    Normal,
}

/// The random value of that seed and index.
pub(super) fn random(seed: u64, index: u64, distribution: Distribution) -> f64 {
    let stream = mix(seed);
    let first = unit(mix(stream.wrapping_add(index.wrapping_mul(2))));
    match distribution {
        Distribution::Uniform => 2.0 * first - 1.0,
        Distribution::Normal => {
            let second = unit(mix(stream.wrapping_add(index.wrapping_mul(2)).wrapping_add(1)));
            // Box and Muller; 1 − first is never zero.
            (-2.0 * (1.0 - first).ln()).sqrt() * (TAU * second).cos()
        }
    }
}

fn mix(counter: u64) -> u64 {
    let z = counter.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// The upper 53 bits as a number in 0..1.
fn unit(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

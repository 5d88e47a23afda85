//! Windows against leakage: samples are multiplied before a transform, so that they fade to zero at both ends.
//!
//! The windows are periodic with period N, which suits a DFT of N samples (F. J. Harris, On the use of windows for harmonic analysis with the discrete Fourier transform, 1978).

use rayon::prelude::*;
use std::f64::consts::TAU;

/// The window along an axis.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    Default,
    serde::Serialize,
    serde::Deserialize,
    strum::Display,
    strum::EnumIter,
    strum::EnumString,
    strum::VariantNames,
)]
#[strum(serialize_all = "lowercase")]
pub enum Window {
    /// No window: all factors are 1.
    #[default]
    None,
    /// 0.5 − 0.5·cos(2πn/N).
    Hann,
    /// 0.54 − 0.46·cos(2πn/N).
    Hamming,
    /// 0.42 − 0.5·cos(2πn/N) + 0.08·cos(4πn/N).
    Blackman,
}

impl Window {
    /// The factors of an axis of `n` samples.
    pub fn weights(self, n: usize) -> Vec<f32> {
        let cosines: &[f64] = match self {
            Self::None => &[1.0],
            Self::Hann => &[0.5, -0.5],
            Self::Hamming => &[0.54, -0.46],
            Self::Blackman => &[0.42, -0.5, 0.08],
        };
        let weight = |index: usize| {
            let angle = TAU * index as f64 / n as f64;
            cosines.iter().enumerate().map(|(harmonic, factor)| factor * (harmonic as f64 * angle).cos()).sum::<f64>() as f32
        };
        (0..n).map(weight).collect()
    }

    /// Multiplies an image, rows of `columns` samples, along both axes.
    pub fn apply(self, samples: &mut [f32], columns: usize) {
        let along_x = self.weights(columns);
        let along_y = self.weights(samples.len() / columns.max(1));
        samples.par_chunks_mut(columns.max(1)).zip(&along_y).for_each(|(row, &y)| {
            for (sample, &x) in row.iter_mut().zip(&along_x) {
                *sample *= x * y;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hann_window_is_periodic_and_separable() {
        assert_eq!(Window::Hann.weights(4), [0.0, 0.5, 1.0, 0.5]);
        assert_eq!(Window::None.weights(3), [1.0; 3]);
        let mut samples = vec![1.0; 8];
        Window::Hann.apply(&mut samples, 4);
        assert_eq!(samples, [0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 1.0, 0.5]);
    }
}

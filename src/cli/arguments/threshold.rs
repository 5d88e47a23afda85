//! The words of `papillon threshold`.

use super::{ValuesOutput, Way};
use crate::cli::Failure;
use crate::cli::parameters::WaveletArguments;
use crate::signal::View;
use crate::wavelet::{Keep, Shrink, Thresholding};
use clap::Args;
use std::path::PathBuf;

/// Drops small wavelet coefficients, to compress or to denoise, and brings the samples back.
///
/// What is low-pass at the last level is kept. The levels, the coefficients and the energy that are kept and the PSNR are said for every channel.
/// The peak of the PSNR is 255 for samples of 8 bits, 65535 for those of 16 bits, and for all others the largest less the smallest sample.
#[derive(Debug, Args)]
pub(in crate::cli) struct ThresholdArguments {
    /// A picture, a recording or an array, as for `transform`.
    pub(in crate::cli) input: PathBuf,
    /// A wavelet transform in `papillon list`, or haar or haar2, which stand for d2 and d2-2 [default: cdf97-2 for pictures, cdf97 for lines].
    #[arg(short, long, value_name = "NAME")]
    pub(in crate::cli) transform: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) way: Way,
    #[command(flatten)]
    pub(in crate::cli) wavelet: WaveletArguments,
    /// Keeps the largest coefficients, at most so many: 5% or 0.05; what is low-pass at the last level is kept before all others, and of equal magnitudes (to a millionth of the largest) the first in the layout. This or --value is needed.
    #[arg(long, value_name = "SHARE", value_parser = share, allow_hyphen_values = true)]
    keep: Option<f64>,
    /// Keeps the coefficients whose magnitude is above this value.
    #[arg(long, value_name = "VALUE", value_parser = magnitude, conflicts_with = "keep", allow_hyphen_values = true)]
    value: Option<f64>,
    /// Leaves what is kept as it is; this is the default.
    #[arg(long, conflicts_with = "soft")]
    hard: bool,
    /// Lessens the magnitude of what is kept by the threshold.
    #[arg(long)]
    soft: bool,
    /// One channel alone: luma, red, green, blue, or a number from 1; without it every channel on its own.
    #[arg(long)]
    pub(in crate::cli) channel: Option<View>,
    #[command(flatten)]
    pub(in crate::cli) output: ValuesOutput,
}

impl ThresholdArguments {
    /// How coefficients are thresholded.
    ///
    /// # Errors
    /// When it is not said what is kept.
    pub(in crate::cli) fn thresholding(&self) -> Result<Thresholding, Failure> {
        let keep = self.value.map(Keep::Above).or(self.keep.map(Keep::Share));
        let keep = keep.ok_or_else(|| Failure::Call("nothing says what is kept: take --keep SHARE, as 5%, or --value VALUE".into()))?;
        Ok(Thresholding { keep, shrink: if self.soft { Shrink::Soft } else { Shrink::Hard } })
    }
}

/// A share of all: `5%` or `0.05`.
fn share(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').map_or_else(|| text.parse(), |percent| percent.trim().parse().map(|value: f64| value / 100.0));
    let share = number.ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| format!("'{text}' is no share: take a number from 0 to 1, or 0% to 100%"))
}

/// A magnitude: a finite number from 0 up.
fn magnitude(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|value: &f64| value.is_finite() && *value >= 0.0);
    value.ok_or_else(|| format!("'{text}' is no threshold: take a number from 0 up"))
}

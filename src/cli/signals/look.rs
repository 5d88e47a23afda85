//! How pictures of recordings look: their size, their decibels and their frequency axis.

use super::super::Failure;
use super::super::arguments::one_of;
use super::write::size;
use crate::figure::FigureFormat;
use crate::remedy::ending_list;
use crate::spectra::FrequencyScale;
use clap::Args;
use std::str::FromStr;

/// How the picture of a recording looks.
#[derive(Debug, Args)]
pub(crate) struct LookArguments {
    /// The decibels of the picture of a recording: 80dB below the largest value, or -120..0dB [default: 80dB].
    #[arg(long, value_name = "80dB|A..BdB", allow_hyphen_values = true)]
    pub(crate) range: Option<Range>,
    /// The frequency axis of the picture of a recording: linear or log, and of a spectrogram also mel, bark or note [default: linear, and log of a scalogram].
    #[arg(long, value_name = "SCALE", value_parser = one_of::<FrequencyScale>(), ignore_case = true)]
    pub(crate) frequency_axis: Option<FrequencyScale>,
    /// The size of the whole picture of a recording in pixels [default: 1600x800].
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<[f32; 2]>,
}

/// The decibels that a picture shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Range {
    /// From the largest value down.
    Below(f64),
    /// From one level to another.
    Levels(f64, f64),
}

impl FromStr for Range {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refused = || format!("'{text}' is no range of decibels: take 80dB, or -120..0dB with the lower level first");
        let numbers = text.trim().trim_end_matches(['b', 'B']).trim_end_matches(['d', 'D']).trim().replace('−', "-");
        let number = |text: &str| text.trim().trim_end_matches("dB").trim().parse().ok().filter(|value: &f64| value.is_finite());
        match numbers.split_once("..") {
            None => number(&numbers).filter(|below| *below > 0.0).map(Self::Below).ok_or_else(refused),
            Some((low, high)) => match (number(low), number(high)) {
                (Some(low), Some(high)) if low < high => Ok(Self::Levels(low, high)),
                _ => Err(refused()),
            },
        }
    }
}

/// Refuses options that only pictures have.
pub(crate) fn only_in_pictures(is_picture: bool, given: &[(&str, bool)]) -> Result<(), Failure> {
    match given.iter().find(|(_, is_given)| *is_given) {
        Some((name, _)) if !is_picture => {
            let endings = ending_list(&FigureFormat::endings());
            Err(Failure::Call(format!("only a picture has it: leave --{name} out, or write {endings}")))
        }
        _ => Ok(()),
    }
}

impl LookArguments {
    /// The options that were given.
    pub(crate) fn given(&self) -> [(&'static str, bool); 3] {
        [("range", self.range.is_some()), ("frequency-axis", self.frequency_axis.is_some()), ("size", self.size.is_some())]
    }

    /// Refuses what an output does not have.
    pub(crate) fn check(&self, is_picture: bool) -> Result<(), Failure> {
        only_in_pictures(is_picture, &self.given())
    }

    /// The size of the whole picture.
    pub(crate) fn size(&self) -> [f32; 2] {
        self.size.unwrap_or([1600.0, 800.0])
    }

    /// The decibels that are shown: from the largest value down, with room above it, or as they are asked for.
    pub(crate) fn levels(&self, largest: f64, above: f64) -> [f64; 2] {
        match self.range {
            Some(Range::Levels(low, high)) => [low, high],
            Some(Range::Below(below)) => [largest - below, largest + above],
            None => [largest - 80.0, largest + above],
        }
    }

    /// The frequency axis of a spectrum.
    ///
    /// # Errors
    /// If it is one of spectrograms, or there are frequencies below 0, which have no logarithm.
    pub(crate) fn spectrum_axis(&self, is_complex: bool) -> Result<FrequencyScale, Failure> {
        match self.frequency_axis.unwrap_or_default() {
            FrequencyScale::Log if is_complex => {
                Err(Failure::Call("--frequency-axis log has no frequencies below 0, as complex samples have: take linear".into()))
            }
            scale @ (FrequencyScale::Linear | FrequencyScale::Log) => Ok(scale),
            scale => Err(Failure::Call(format!("--frequency-axis {scale} is for spectrograms: take linear or log"))),
        }
    }
}

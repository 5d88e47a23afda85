//! The words of `papillon snapshot`.

use super::one_of;
use crate::ui::Preset;
use clap::Args;
use std::path::PathBuf;
use std::str::FromStr;

#[derive(Debug, Args)]
pub(in crate::cli) struct SnapshotArguments {
    /// A file to open, or a function as 'f:x1 & x2'; without it the sample.
    #[arg(value_name = "FILE")]
    pub(in crate::cli) files: Vec<PathBuf>,
    /// The layout.
    #[arg(long, default_value = "image", value_name = "NAME", value_parser = one_of::<Preset>(), ignore_case = true)]
    pub(in crate::cli) preset: Preset,
    /// A session that the window wrote, with its signal, its settings, its panes and its theme.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["files", "preset", "theme"])]
    pub(in crate::cli) session: Option<PathBuf>,
    /// Pixels across and down.
    #[arg(long, default_value = "1600x1000", value_name = "WIDTHxHEIGHT")]
    pub(in crate::cli) size: Pixels,
    /// dark or light.
    #[arg(long, default_value = "dark", value_name = "NAME", value_parser = one_of::<ThemeName>(), ignore_case = true)]
    pub(in crate::cli) theme: ThemeName,
    /// A file that ends in .png, or - for standard output.
    #[arg(short, long, value_name = "OUTPUT.png")]
    pub(in crate::cli) output: PathBuf,
}

/// The two themes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::VariantNames)]
#[strum(serialize_all = "lowercase")]
pub(in crate::cli) enum ThemeName {
    Dark,
    Light,
}

/// Pixels across and down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) struct Pixels(pub(in crate::cli) [u32; 2]);

impl FromStr for Pixels {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.trim().parse().ok().filter(|&pixels: &u32| pixels > 0);
        let pixels = text.split_once(['x', '×']).and_then(|(width, height)| Some([number(width)?, number(height)?]));
        pixels.map(Self).ok_or_else(|| format!("'{text}' is no size of a picture: take WIDTHxHEIGHT, as 1600x1000"))
    }
}

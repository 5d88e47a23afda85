//! How each pane shows its content. These choices are part of the settings, so they are undone, remembered and saved.
//!
//! The names of fields and variants stand in session files.

use crate::display::{Quantity, Scale};
use crate::transforms::{RowOrder, Transform};
use crate::wavelet::{Cost, Node, Shrink, Tree};

/// The name of the values of a result on an axis, where `letter` stands for the result. The values of a real transform are no real parts.
pub(super) fn value_label(scale: Scale, quantity: Quantity, transform: &Transform, letter: &str) -> String {
    let label = scale.label(quantity);
    let label = if transform.gives.is_complex() { label } else { label.replace("Re X", "X") };
    label.replace('X', letter)
}

/// The same with the unit of the samples, which a transform that adds them keeps.
pub(super) fn value_label_in(unit: Option<&str>, scale: Scale, quantity: Quantity, transform: &Transform, letter: &str) -> String {
    let label = value_label(scale, quantity, transform, letter);
    let Some(unit) = unit.filter(|unit| !unit.is_empty()) else { return label };
    match (scale, quantity) {
        // An angle has its own unit, and the logarithm and the root of a unit say nothing.
        (_, Quantity::Phase) | (Scale::Log | Scale::Sqrt, _) => label,
        (Scale::Linear, Quantity::Power) => format!("{label} ({})", squared(unit)),
        (Scale::Linear, _) => format!("{label} ({unit})"),
        (Scale::Db, Quantity::Power) => label.replace("(dB)", &format!("(dB re 1 {})", squared(unit))),
        (Scale::Db, _) => label.replace("(dB)", &format!("(dB re 1 {unit})")),
    }
}

/// The square of a unit; one that is made of others stands in brackets.
fn squared(unit: &str) -> String {
    if unit.contains([' ', '/', '·', '^', '²', '*']) { format!("({unit})²") } else { format!("{unit}²") }
}

/// The unit of a frequency axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize, strum::EnumIter)]
pub enum FrequencyUnit {
    /// The index of the bin.
    Bins,
    /// Cycles per sample, or per pixel.
    #[default]
    Cycles,
    /// Hertz, where the sample rate is known.
    Hertz,
}

/// How a row of the spectrum is plotted.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct LineLook {
    /// The quantity of a value: real part, magnitude, …
    pub quantity: Quantity,
    /// The scale of the vertical axis.
    pub scale: Scale,
    /// Whether frequencies below 0 are shown where they mirror the others, as for real samples.
    pub shifted: bool,
    /// Whether frequency 0 stands in the middle where frequencies below 0 are no mirror.
    pub centred: bool,
    /// The unit of the frequency axis.
    pub unit: FrequencyUnit,
    /// Whether the frequency axis is logarithmic.
    pub log_axis: bool,
    /// Whether periods stand above the plot as a second axis.
    pub periods: bool,
    /// Whether the largest peaks are marked and listed.
    pub peaks: bool,
    /// Whether the Lomb-Scargle periodogram stands in the place of the spectrum, where the samples are uneven or some are missing.
    pub periodogram: bool,
}

impl Default for LineLook {
    fn default() -> Self {
        Self {
            quantity: Quantity::Magnitude,
            scale: Scale::Db,
            shifted: false,
            centred: true,
            // Without a sampling rate, cycles.
            unit: FrequencyUnit::Hertz,
            log_axis: false,
            periods: false,
            peaks: true,
            periodogram: false,
        }
    }
}

impl LineLook {
    /// Plots values over their index, not magnitudes over frequency.
    pub(super) fn with_plain_values(self) -> Self {
        let (quantity, scale, unit) = (Quantity::Real, Scale::Linear, FrequencyUnit::Bins);
        Self { quantity, scale, unit, shifted: false, peaks: false, ..self }
    }
}

/// How the values of a function are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum TruthLook {
    /// A Karnaugh map, or a list where there are too many variables.
    #[default]
    Map,
    /// A row for every value.
    List,
    /// A plot of the samples.
    Plot,
}

/// The tab of the pane *Logic*.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum LogicTab {
    /// Polynomials and numbers.
    #[default]
    Numbers,
    /// Spectra with exact integers.
    Spectra,
    /// The tables of an S-box.
    Tables,
}

/// A spectrum of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize, strum::EnumIter)]
pub enum SpectrumKind {
    /// Walsh spectrum of (−1)^f.
    #[default]
    WalshOfSigns,
    /// Walsh spectrum of f.
    WalshOfBits,
    /// Coefficients of the polynomial over GF(2).
    ReedMuller,
    /// Coefficients of the polynomial over the integers.
    Arithmetic,
    /// Haar spectrum of f, not normalised.
    Haar,
    /// Dyadic autocorrelation of (−1)^f.
    Autocorrelation,
}

/// A table of an S-box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum TableKind {
    /// Linear approximations.
    #[default]
    Linear,
    /// Differences.
    Difference,
}

/// How the properties of a Boolean function are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct LogicLook {
    /// The tab.
    pub tab: LogicTab,
    /// The spectrum.
    pub spectrum: SpectrumKind,
    /// The order of a Walsh spectrum.
    pub order: RowOrder,
    /// The table of an S-box.
    pub table: TableKind,
    /// Entries of a table with a smaller magnitude are left out.
    pub least: u32,
}

/// The tab of the pane *Wavelet*.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum WaveletTab {
    /// The coefficients, band by band.
    #[default]
    Pyramid,
    /// The signal without its small coefficients.
    Threshold,
    /// The packets of a row.
    Packets,
    /// The split sections of the tiles, and the merge between them.
    Sections,
}

/// How wavelet coefficients are shown and thresholded.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct WaveletLook {
    /// The tab of the pane *Wavelet*.
    pub tab: WaveletTab,
    /// Whether all bands of details have the scale of the largest one, and not each its own.
    pub one_scale: bool,
    /// Whether the threshold is a value, and not the share of coefficients that is kept.
    pub by_value: bool,
    /// The share of the coefficients that is kept, in percent.
    pub percent: f64,
    /// The threshold.
    pub value: f64,
    /// How kept coefficients are shrunk.
    pub shrink: Shrink,
    /// The most levels of packets.
    pub packet_levels: u32,
    /// The cost function of packet blocks.
    pub cost: Cost,
    /// The tree of packets; `None` is the cheapest one.
    pub tree: Option<Tree>,
    /// The block that is selected.
    pub node: Option<Node>,
    /// Whether the row is reconstructed from the selected leaf alone.
    pub alone: bool,
}

impl Default for WaveletLook {
    fn default() -> Self {
        Self {
            tab: WaveletTab::default(),
            one_scale: true,
            by_value: false,
            percent: 5.0,
            value: 10.0,
            shrink: Shrink::default(),
            packet_levels: 4,
            cost: Cost::default(),
            tree: None,
            node: None,
            alone: false,
        }
    }
}

/// How a tridiagonal system is shown. The pane *Transform* sets how it is solved.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct SystemLook {
    /// The equations are shown after this number of reduction stages; a larger number than there are means half of them.
    pub n_stages: usize,
    /// Whether the residual of every equation is plotted, and not the solution.
    pub residual: bool,
}

impl Default for SystemLook {
    fn default() -> Self {
        Self { n_stages: u32::MAX as usize, residual: false }
    }
}

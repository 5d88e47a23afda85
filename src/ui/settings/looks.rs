//! How the panes that study a result show it: *Logic*, *Wavelet*, *System*, *Coefficients* and *Memory*, and the values of a function in *Source*.
//!
//! The names of fields and variants stand in session files.

use crate::engine::{AccessBy, ChangedCoefficient};
use crate::transforms::RowOrder;
use crate::wavelet::{Cost, Node, Shrink, Tree};

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

/// What is done with the coefficients.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct SynthesisLook {
    /// Row and column of the coefficient whose part is shown.
    pub picked: Option<[usize; 2]>,
    /// Coefficients that were set by hand.
    pub changed: Vec<ChangedCoefficient>,
    /// How many of the largest are kept; `None` keeps all.
    pub keep: Option<usize>,
}

impl SynthesisLook {
    /// Sets a coefficient by hand.
    pub(crate) fn change(&mut self, at: [usize; 2], value: [f64; 2]) {
        self.changed.retain(|change| change.at != at);
        self.changed.push(ChangedCoefficient { at, value });
    }
}

/// How memory accesses are shown.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct MemoryLook {
    /// The view.
    pub view: MemoryView,
    /// Whose accesses.
    pub by: AccessBy,
    /// The workgroup, from 0 on.
    pub group: usize,
    /// The subgroup or the run of iterations, from 0 on.
    pub subgroup: usize,
    /// Whether workgroup memory is padded, where that can be chosen.
    pub padded: bool,
}

impl Default for MemoryLook {
    fn default() -> Self {
        Self { view: MemoryView::default(), by: AccessBy::default(), group: 0, subgroup: 0, padded: true }
    }
}

impl MemoryLook {
    /// Whose accesses the view shows: only kernels have workgroup memory and tiles.
    pub(crate) fn shown_by(&self) -> AccessBy {
        if matches!(self.view, MemoryView::Banks | MemoryView::Tiles) { AccessBy::Kernel } else { self.by }
    }
}

/// A view of the pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryView {
    /// Threads against addresses.
    #[default]
    Accesses,
    /// Workgroup memory with its banks.
    Banks,
    /// Which threads work.
    Threads,
    /// The tiles over an image.
    Tiles,
}

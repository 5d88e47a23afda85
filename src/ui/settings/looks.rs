//! How the panes that study a result show it: *Logic*, *Wavelet*, *System*, *Coefficients* and *Memory*, and the values of a function in *Source*.
//!
//! The names of fields and variants are in session files.

use crate::engine::{AccessBy, ChangedCoefficient};
use crate::threshold::{Keep, Shrink, Thresholding};
use crate::transforms::RowOrder;
use crate::wavelet::{Cost, Node, Tree};

crate::choice! {
    /// How the values of a function are shown.
    pub enum TruthLook {
        /// A Karnaugh map: neighbours differ in one variable. A list for too many variables.
        #[default]
        Map = "Map";
        /// A row for every value.
        List = "List";
        /// The samples as a plot.
        Plot = "Plot";
    }
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

crate::choice! {
    /// A spectrum of a function.
    pub enum SpectrumKind {
        /// Agreements minus disagreements with every linear function, in the (1, −1) coding.
        #[default]
        WalshOfSigns = "Walsh of (−1)^f";
        /// The same in the (0, 1) coding.
        WalshOfBits = "Walsh of f";
        /// 1 if the polynomial modulo 2 contains the product of these variables.
        ReedMuller = "Reed-Muller of f";
        /// The coefficient of the product of these variables over the integers.
        Arithmetic = "Arithmetic of f";
        /// Sums and differences of blocks that get shorter, not normalised.
        Haar = "Haar of f";
        /// Values that stay minus values that change, when the shift is added to the index modulo 2.
        Autocorrelation = "Autocorrelation of (−1)^f";
    }
}

crate::choice! {
    /// A table of an S-box.
    pub enum TableKind {
        /// The number of inputs with a·x = b·S(x), minus half of all inputs.
        #[default]
        Linear = "Linear approximations";
        /// The number of inputs for which the difference a gives the difference b.
        Difference = "Differences";
    }
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

crate::choice! {
    /// The tab of the pane *Wavelet*.
    pub enum WaveletTab {
        /// The coefficients, band by band, in the Mallat layout.
        #[default]
        #[serde(alias = "Threshold")]
        Pyramid = "Pyramid";
        /// The tree of D4 packets of one row, and its best basis.
        Packets = "Packets";
        /// Split and merge: what each tile computes alone, and what remains at the boundaries between tiles.
        Sections = "Sections";
    }
}

/// How wavelet coefficients are shown.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct WaveletLook {
    /// The tab of the pane *Wavelet*.
    pub tab: WaveletTab,
    /// Whether all bands of details have the scale of the largest one, and not each its own.
    pub one_scale: bool,
    /// The share of the coefficients that makes the image beside them, in percent.
    pub percent: f64,
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
            percent: 5.0,
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

crate::choice! {
    /// Which coefficients are kept.
    pub enum KeepBy {
        /// Keeps every coefficient.
        #[default]
        All = "All";
        /// Keeps this percentage of all coefficients, the largest ones; the low-pass band of the last level always stays.
        Share = "A share";
        /// Keeps the coefficients with a magnitude above the threshold, and the low-pass band of the last level.
        Value = "Above a value";
    }
}

/// The operation on the coefficients.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct SynthesisLook {
    /// Row and column of the coefficient whose part is shown.
    pub picked: Option<[usize; 2]>,
    /// Coefficients that were set by hand.
    pub changed: Vec<ChangedCoefficient>,
    /// Which coefficients are kept.
    pub keep_by: KeepBy,
    /// The share that is kept, in percent.
    pub percent: f64,
    /// The threshold.
    pub value: f64,
    /// How kept coefficients are shrunk.
    pub shrink: Shrink,
}

impl Default for SynthesisLook {
    fn default() -> Self {
        Self { picked: None, changed: Vec::new(), keep_by: KeepBy::default(), percent: 5.0, value: 10.0, shrink: Shrink::default() }
    }
}

impl SynthesisLook {
    /// The threshold of the coefficients, unless all are kept.
    pub(crate) fn thresholding(&self) -> Option<Thresholding> {
        let keep = match self.keep_by {
            KeepBy::All => return None,
            KeepBy::Share => Keep::Share(self.percent / 100.0),
            KeepBy::Value => Keep::Above(self.value),
        };
        Some(Thresholding { keep, shrink: self.shrink })
    }

    /// Brings all coefficients back.
    pub(crate) fn keep_all(&mut self) {
        (self.keep_by, self.changed) = (KeepBy::All, Vec::new());
    }

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

crate::choice! {
    /// A view of the pane.
    #[serde(rename_all = "kebab-case")]
    pub enum MemoryView {
        /// Threads against the addresses that they load and store.
        #[default]
        Accesses = "Accesses";
        /// Workgroup memory with its 32 banks.
        Banks = "Banks";
        /// Which threads work, and which are idle.
        Threads = "Threads";
        /// The tiles of the launch over the image, and what one workgroup reads and writes.
        Tiles = "On the image";
    }
}

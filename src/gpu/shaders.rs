//! The text of every kernel: a file of `shaders/`, with the files that it stands on before it and its constants.

use super::fft::{self, LinesShape};
use crate::plan::Ring;

const LANE_COMPLEX: &str = include_str!("../../shaders/lane_complex.wgsl");
const LANE_REAL: &str = include_str!("../../shaders/lane_real.wgsl");
const STAGE: &str = include_str!("../../shaders/stage.wgsl");
const TWIDDLE: &str = include_str!("../../shaders/twiddle.wgsl");
const TRANSPOSE: &str = include_str!("../../shaders/transpose.wgsl");
const COPY: &str = include_str!("../../shaders/copy.wgsl");
const LOOK: &str = include_str!("../../shaders/look.wgsl");
const DISPLAY: &str = include_str!("../../shaders/display.wgsl");

/// A kernel with its constants: what one pipeline is made from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Kernel {
    /// `stage.wgsl`: any stage, or a run of stages in a tile.
    Stage {
        /// What a lane holds.
        ring: Ring,
        /// The most taps of a stage.
        taps: usize,
        /// The most results of a stage.
        results: usize,
        /// Whether stages differ in taps or results.
        mixed: bool,
        /// Lanes of a tile; `None` runs one stage butterfly by butterfly.
        tile: Option<usize>,
    },
    /// `fft.wgsl`: a run of Stockham stages, a few lines in a workgroup.
    Fft(LinesShape),
    /// `transpose.wgsl`.
    Transpose,
    /// `copy.wgsl`, entry `copy`: the roof of what a kernel can reach.
    Copy,
    /// `copy.wgsl`, entry `expand`: real numbers to complex ones.
    Expand,
    /// `display.wgsl`, entry `render`: a result to pixels.
    Render(Ring),
    /// `display.wgsl`, entry `extremes`: the least and the greatest value of a result.
    Extremes(Ring),
}

impl Kernel {
    /// The function at which the kernel starts.
    pub fn entry_point(&self) -> &'static str {
        match self {
            Self::Stage { tile: None, .. } => "each",
            Self::Stage { tile: Some(_), .. } => "tiled",
            Self::Fft(_) => "fft",
            Self::Transpose => "transposed",
            Self::Copy => "copy",
            Self::Expand => "expand",
            Self::Render(_) => "render",
            Self::Extremes(_) => "extremes",
        }
    }
}

/// The WGSL text of a kernel, complete, as the device gets it.
pub fn source_of(kernel: &Kernel) -> String {
    match kernel {
        Kernel::Stage { ring, taps, results, mixed, tile } => {
            let tile = tile.unwrap_or(1);
            let constants = format!("const TAPS = {taps}u;\nconst RESULTS = {results}u;\nconst MIXED = {mixed};\nconst TILE = {tile}u;\n");
            [lane(*ring), &constants, STAGE, TWIDDLE].join("\n")
        }
        Kernel::Fft(shape) => fft::source(shape),
        Kernel::Transpose => TRANSPOSE.to_owned(),
        Kernel::Copy | Kernel::Expand => COPY.to_owned(),
        Kernel::Render(ring) | Kernel::Extremes(ring) => [lane(*ring), LOOK, DISPLAY].join("\n"),
    }
}

fn lane(ring: Ring) -> &'static str {
    match ring {
        Ring::Real => LANE_REAL,
        Ring::Complex => LANE_COMPLEX,
    }
}

//! Variants of the kernels made for stages: where twiddles come from, how indices are computed, and what a thread and a workgroup take.

use crate::transforms::LOCAL_LANES;

/// How a kernel made for stages finds its twiddles and its indices, and how it shares the work. Variants compute the same transform, and are there to be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct KernelVariant {
    /// Where twiddles come from.
    pub twiddles: TwiddleSource,
    /// How positions and groups follow from the number of a thread.
    pub index: IndexArithmetic,
    /// Butterflies of a thread; `None` leaves them to the kernel.
    pub butterflies: Option<usize>,
    /// Threads of a workgroup; `None` leaves them to the kernel. A workgroup has the fewer that its butterflies need.
    pub threads: Option<usize>,
    /// Side of the squares in which a stage that transposes moves an image; `None` takes the kernel made for the stage, which has none.
    pub square: Option<usize>,
}

/// The kernels of a schedule of blocks: T. Sörman 2016, Algorithms 1 and 2.
///
/// The local kernel takes the stages that fit a block of consecutive lanes, in workgroup memory. The global kernel takes any other stage, one in each launch.
/// Workgroups of both have the threads that a block needs, and a stage that transposes goes through squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BlockKernels {
    /// Lanes of a block; `None` takes those of the local part of the algorithm, or [`LOCAL_LANES`].
    pub lanes: Option<usize>,
    /// Where twiddles come from.
    pub twiddles: TwiddleSource,
    /// Butterflies of a thread; `None` takes one, and more where a device has fewer threads in a workgroup.
    pub butterflies: Option<usize>,
    /// Side of the squares in which an image is transposed.
    pub square: usize,
}

impl Default for BlockKernels {
    /// As in the thesis: twiddles are computed, and a thread takes one butterfly.
    fn default() -> Self {
        Self { lanes: None, twiddles: TwiddleSource::Computed, butterflies: None, square: 32 }
    }
}

impl BlockKernels {
    /// Lanes of a block.
    pub fn lanes(self) -> usize {
        self.lanes.unwrap_or(LOCAL_LANES)
    }

    /// The same kernels on a device whose workgroups have at most `most_threads` threads: unless their number was chosen, a thread takes the butterflies
    /// that it must.
    pub fn within(self, most_threads: usize) -> Self {
        let fewest = (self.lanes() / 2).div_ceil(most_threads.max(1)).next_power_of_two();
        Self { butterflies: Some(self.butterflies.unwrap_or(fewest)), ..self }
    }

    /// The variant of a kernel in whose workgroups `lanes` lanes are two of every butterfly.
    pub(super) fn variant(self, lanes: usize) -> KernelVariant {
        let butterflies = self.butterflies.unwrap_or(1);
        KernelVariant {
            twiddles: self.twiddles,
            index: IndexArithmetic::Shifts,
            butterflies: Some(butterflies),
            threads: Some((lanes / 2 / butterflies).max(1)),
            square: Some(self.square),
        }
    }

    /// The difference from the kernels of the thesis, for the name of a line.
    pub fn name(self) -> String {
        let butterflies = self.butterflies.map_or(String::new(), |n| format!(", {n} a thread"));
        format!("blocks of {} lanes{butterflies}, twiddles {}", self.lanes(), self.twiddles)
    }
}

crate::choice! {
    /// Where the twiddles of a kernel come from.
    #[serde(rename_all = "kebab-case")]
    pub enum TwiddleSource {
        /// A table of roots, computed in double precision.
        #[default]
        Table = "Table", "table";
        /// A table of N/2 cosines, whose sines are cosines a quarter of the circle away: Sörman 2016, Table 5.5.
        QuarterTable = "Cosines", "quarter-table";
        /// Every thread computes its sine and cosine: Sörman 2016, Algorithm 1, and Li 2012.
        Computed = "Computed", "computed";
    }
}

crate::choice! {
    /// How a kernel divides the number of a thread.
    #[serde(rename_all = "kebab-case")]
    pub enum IndexArithmetic {
        /// Shifts and masks by powers of two: Gajić and Stanković 2011, section 5.1.
        #[default]
        Shifts = "Shifts", "shifts";
        /// Division and modulo by numbers that the kernel reads, so that a compiler cannot replace them.
        Division = "Division", "division";
    }
}

impl KernelVariant {
    /// The difference from a table and shifts, for the name of a line.
    pub fn name(self) -> String {
        let butterflies = self.butterflies.map_or(String::new(), |n| format!(", butterflies {n}"));
        let square = self.square.map_or(String::new(), |side| format!(", square {side}"));
        format!("twiddles {}, index {}{butterflies}{square}", self.twiddles, self.index)
    }

    /// Butterflies of a workgroup, where the variant says them.
    pub fn group(&self) -> Option<usize> {
        Some(self.threads? * self.butterflies.unwrap_or(1))
    }
}

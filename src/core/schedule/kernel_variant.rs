//! Variants of the kernel of a single stage: where its twiddles come from, and how its indices are computed.

/// How the kernel made for a stage finds its twiddles and its indices. Variants compute the same transform, and are there to be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct KernelVariant {
    /// Where twiddles come from.
    pub twiddles: TwiddleSource,
    /// How positions and groups follow from the number of a thread.
    pub index: IndexArithmetic,
    /// Butterflies of a thread; `None` leaves them to the kernel.
    pub butterflies: Option<usize>,
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
    /// What differs from a table and shifts, for the name of a line.
    pub fn name(self) -> String {
        let butterflies = self.butterflies.map_or(String::new(), |n| format!(", butterflies {n}"));
        format!("twiddles {}, index {}{butterflies}", self.twiddles, self.index)
    }
}

//! The claims of a paper as data: its sentence in our words, and what a record must be asked to test it.

use super::super::TimedPart;

/// A claim of a paper.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The sentence of the paper, in our words.
    pub says: String,
    /// The test of it.
    pub measure: Measure,
    /// The numbers in it that a figure can show.
    #[serde(default)]
    pub stated: Option<Stated>,
}

/// The numbers of a claim, as a figure shows them.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stated {
    /// Their kind, in a few words.
    pub of: String,
    /// How many times as fast, or shares in per cent: a horizontal line each.
    #[serde(default)]
    pub values: Vec<f64>,
    /// The exponent of a size, which is marked.
    #[serde(default)]
    pub from: Option<u32>,
}

/// The number that a claim states, as a record gives it.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Measure {
    /// How many times as fast a line is as another.
    SpeedUp {
        /// The line.
        line: LineName,
        /// The other one.
        than: LineName,
        /// The time that is compared.
        #[serde(default)]
        part: TimedPart,
        /// The sizes that count.
        #[serde(default)]
        pick: Pick,
    },
    /// The share of the transfers in the total time of these lines, over all sizes.
    Transfers {
        /// The lines.
        lines: Vec<usize>,
    },
    /// The size from which a line stays faster than another.
    FasterFrom {
        /// The line.
        line: LineName,
        /// The other one.
        than: LineName,
        /// The time that is compared.
        #[serde(default)]
        part: TimedPart,
    },
    /// The same kernels through several backends of one adapter: the time of each over that of the fastest.
    Backends {
        /// The line.
        line: usize,
    },
    /// The spread of the times of several lines: the longest over the shortest, at the size of the paper.
    Spread {
        /// The lines.
        lines: Vec<usize>,
    },
    /// The fastest of several lines, at the largest size that has all.
    Fastest {
        /// The lines.
        lines: Vec<usize>,
    },
    /// The rate of a line, in Gflop/s, at the smallest and at the largest size.
    Rates {
        /// The line.
        line: usize,
    },
    /// The threads and the workgroup memory that every adapter allows.
    Limits,
    /// Nothing that this program can measure.
    Never(
        /// Why not.
        String,
    ),
}

/// A line of an experiment, by its index or by the name of a line that another record adds.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(untagged)]
pub enum LineName {
    /// The index among the lines of the experiment.
    Index(usize),
    /// The label of a line that comes from another record, such as cuFFT.
    Added(String),
}

/// Which of the sizes a ratio is taken at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pick {
    /// The size with the largest ratio.
    #[default]
    Most,
    /// The largest size.
    Largest,
    /// The smallest and the largest ratio.
    Range,
    /// The size of this exponent, or the largest one where it was not measured.
    At(u32),
}

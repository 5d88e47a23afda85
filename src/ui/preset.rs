//! The layouts that the window offers, by name.

/// A layout for one kind of work.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    serde::Serialize,
    serde::Deserialize,
    strum::EnumIter,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantNames,
)]
#[strum(serialize_all = "kebab-case", ascii_case_insensitive)]
pub enum Preset {
    /// For lessons.
    Learn,
    /// For images.
    #[default]
    Image,
    /// For signals.
    Signal,
    /// For the flow graph of the algorithm.
    FlowGraph,
    /// For Boolean functions.
    Logic,
    /// For wavelet coefficients.
    Wavelet,
    /// For tridiagonal systems.
    System,
    /// For times.
    Benchmark,
}

impl Preset {
    /// The name on the screen.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Learn => "Learn",
            Self::Image => "Image",
            Self::Signal => "Signal",
            Self::FlowGraph => "Flow graph",
            Self::Logic => "Logic",
            Self::Wavelet => "Wavelet",
            Self::System => "System",
            Self::Benchmark => "Benchmark",
        }
    }
}

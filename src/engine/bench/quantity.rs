//! What a chart of times can show: its quantity, and the part of a run that it is about.

/// The quantity on the vertical axis.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Default,
    strum::EnumIter,
    strum::EnumString,
    strum::VariantNames,
    serde::Serialize,
    serde::Deserialize,
)]
#[strum(serialize_all = "kebab-case")]
pub enum PlotQuantity {
    /// Time of a run.
    #[default]
    Time,
    /// Speed relative to another line.
    SpeedUp,
    /// Operations per second.
    Flops,
    /// Compulsory bytes per second, with the rate of a plain copy as the roof.
    Bandwidth,
    /// Time relative to a plain copy of the compulsory bytes.
    Floor,
    /// Share of the transfers in the total time.
    Transfers,
    /// Relative error against double precision.
    Error,
}

/// Which time is plotted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, strum::EnumString, strum::VariantNames, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "kebab-case")]
pub enum TimedPart {
    /// All launches of a run, without transfers.
    #[default]
    Kernels,
    /// From the samples to the result in memory.
    Total,
}

/// What a chart shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PlotRequest {
    /// The quantity.
    pub quantity: PlotQuantity,
    /// The time that it follows from.
    pub part: TimedPart,
    /// The line that speed-ups are relative to.
    pub against: usize,
}

impl PlotQuantity {
    /// The name in the window.
    pub fn title(self) -> &'static str {
        match self {
            Self::Time => "Time",
            Self::SpeedUp => "Speed-up",
            Self::Flops => "Gflop/s",
            Self::Bandwidth => "GB/s",
            Self::Floor => "× floor",
            Self::Transfers => "Transfers",
            Self::Error => "Error",
        }
    }
}

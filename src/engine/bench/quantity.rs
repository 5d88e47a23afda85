//! What a chart of times can show: its quantity, and the part of a run that it is about.

use crate::choice;

choice! {
    /// The quantity on the vertical axis.
    pub enum PlotQuantity {
        /// Time of a run.
        #[default]
        Time = "time", "Time";
        /// Speed relative to another line.
        SpeedUp = "speed-up", "Speed-up";
        /// Operations per second.
        Flops = "flops", "Gflop/s";
        /// Compulsory bytes per second, with the rate of a plain copy as the roof.
        Bandwidth = "bandwidth", "GB/s";
        /// Time relative to a plain copy of the compulsory bytes.
        Floor = "floor", "× floor";
        /// Share of the transfers in the total time.
        Transfers = "transfers", "Transfers";
        /// Relative error against double precision.
        Error = "error", "Error";
    }
}

choice! {
    /// Which time is plotted.
    #[serde(rename_all = "lowercase")]
    pub enum TimedPart {
        /// All launches of a run, without transfers.
        #[default]
        Kernels = "kernels", "Kernels";
        /// From the samples to the result in memory.
        Total = "total", "Total";
    }
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

//! The contents of a chart of times: its quantity, and the part of a run that it is about.

crate::choice! {
    /// The quantity on the vertical axis.
    pub enum PlotQuantity {
        /// Time of a run.
        #[default]
        Time = "Time", "time";
        /// Time of one row of a batch: that of a run, divided by its rows.
        Row = "Row", "row";
        /// Speed relative to another line.
        SpeedUp = "Speed-up", "speed-up";
        /// Operations per second.
        Flops = "Gflop/s", "flops";
        /// Compulsory bytes per second, with the rate of a plain copy as the roof.
        Bandwidth = "GB/s", "bandwidth";
        /// Time relative to a plain copy of the compulsory bytes.
        Floor = "× floor", "floor";
        /// Share of the transfers in the total time.
        Transfers = "Transfers", "transfers";
        /// Relative error against double precision.
        Error = "Error", "error";
    }
}

crate::choice! {
    /// Which time is plotted.
    #[serde(rename_all = "lowercase")]
    pub enum TimedPart {
        /// All launches of a run, without transfers.
        #[default]
        Kernels = "Kernels", "kernels";
        /// From the samples to the result in memory.
        Total = "Total", "total";
    }
}

/// The content of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PlotRequest {
    /// The quantity.
    pub quantity: PlotQuantity,
    /// The time that it follows from.
    pub part: TimedPart,
    /// The line that speed-ups are relative to.
    pub against: usize,
}

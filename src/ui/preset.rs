//! The layouts that the window offers, by name.

use crate::choice;

choice! {
    /// A layout for one kind of work.
    #[derive(PartialOrd, Ord, strum::EnumIter)]
    pub enum Preset {
        /// For lessons.
        Learn = "learn", "Learn";
        /// For images.
        #[default]
        Image = "image", "Image";
        /// For signals.
        Signal = "signal", "Signal";
        /// For the flow graph of the algorithm.
        FlowGraph = "flow-graph", "Flow graph";
        /// For Boolean functions.
        Logic = "logic", "Logic";
        /// For wavelet coefficients.
        Wavelet = "wavelet", "Wavelet";
        /// For tridiagonal systems.
        System = "system", "System";
        /// For times.
        Benchmark = "benchmark", "Benchmark";
    }
}

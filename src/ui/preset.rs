//! The layouts that the window offers, by name.

crate::choice! {
    /// A layout for one kind of work.
    #[derive(PartialOrd, Ord, strum::EnumIter)]
    pub enum Preset {
        /// For lessons.
        Learn = "Learn", "learn";
        /// For images.
        #[default]
        Image = "Image", "image";
        /// For signals.
        Signal = "Signal", "signal";
        /// For the flow graph of the algorithm.
        FlowGraph = "Flow graph", "flow-graph";
        /// For Boolean functions.
        Logic = "Logic", "logic";
        /// For wavelet coefficients.
        Wavelet = "Wavelet", "wavelet";
        /// For tridiagonal systems.
        System = "System", "system";
        /// For times.
        Benchmark = "Benchmark", "benchmark";
    }
}

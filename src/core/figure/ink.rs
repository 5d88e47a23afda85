//! Colours by their meaning: the window has its theme for them, and files have paper.

/// The subject of a curve or of an area; each has the same colour in all figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Series {
    /// Launches on the device.
    Kernel,
    /// Host to device.
    Upload,
    /// Device to host.
    Download,
    /// One thread, stage by stage, strided loops.
    CpuStrided,
    /// One thread, stage by stage, local loops.
    CpuLocal,
    /// One thread.
    Cpu,
    /// All cores.
    CpuParallel,
    /// The reference library.
    Library,
}

impl Series {
    /// All series, the most distinct colours first.
    pub const ALL: [Self; 8] =
        [Self::Kernel, Self::CpuStrided, Self::Download, Self::CpuLocal, Self::Upload, Self::CpuParallel, Self::Library, Self::Cpu];

    /// Its colour on a dark or a white background, from Okabe and Ito; darker on white if the contrast is below 3:1.
    pub const fn rgb(self, dark: bool) -> [u8; 3] {
        match (self, dark) {
            (Self::Kernel, true) => [0x56, 0xb4, 0xe9],
            (Self::Kernel, false) => [0x00, 0x72, 0xb2],
            (Self::Upload, true) => [0xe6, 0x9f, 0x00],
            (Self::Upload, false) => [0xb8, 0x7c, 0x00],
            (Self::Download, _) => [0x00, 0x9e, 0x73],
            (Self::CpuStrided, _) => [0xd5, 0x5e, 0x00],
            (Self::CpuLocal, true) => [0xcc, 0x79, 0xa7],
            (Self::CpuLocal, false) => [0xb0, 0x5c, 0x8a],
            // Not of Okabe and Ito, who have seven.
            (Self::Cpu, true) => [0x9f, 0x97, 0xff],
            (Self::Cpu, false) => [0x5a, 0x4f, 0xcf],
            (Self::CpuParallel, true) => [0xf0, 0xe4, 0x42],
            (Self::CpuParallel, false) => [0x8f, 0x86, 0x00],
            (Self::Library, true) => [170, 170, 170],
            (Self::Library, false) => [110, 110, 110],
        }
    }
}

/// The colour of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// The background.
    Ground,
    /// The lines and texts of a drawing for print.
    Black,
    /// Text.
    Text,
    /// Less important text.
    Weak,
    /// The grid.
    Grid,
    /// The frame and the ticks.
    Rule,
    /// Wrong results.
    Error,
    /// The curve of a plot with one curve.
    Line,
    /// A marked value.
    Peak,
    /// A curve.
    Series(Series),
    /// Red, green and blue of something that has a colour of its own.
    Rgb([u8; 3]),
}

impl Ink {
    /// The colour on white.
    pub(super) fn on_paper(self) -> [u8; 3] {
        match self {
            Self::Ground => [255; 3],
            Self::Black => [0; 3],
            Self::Text => [28; 3],
            Self::Weak => [92; 3],
            Self::Grid => [222; 3],
            Self::Rule => [130; 3],
            Self::Error => [0xb0, 0x3a, 0x00],
            Self::Line => [0x00, 0x5f, 0x99],
            Self::Peak => [0x8a, 0x55, 0x00],
            Self::Series(series) => series.rgb(false),
            Self::Rgb(rgb) => rgb,
        }
    }
}

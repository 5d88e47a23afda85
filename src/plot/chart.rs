//! What is drawn.

use super::Axis;

/// What a line of a plot stands for; the same thing has the same colour everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Series {
    /// Launches on the device.
    Kernel,
    /// Host to device.
    Upload,
    /// Device to host.
    Download,
    /// One thread, strided loops.
    CpuStrided,
    /// One thread, local loops.
    CpuLocal,
    /// All cores.
    CpuParallel,
    /// The reference library.
    Library,
}

impl Series {
    /// All of them, those first that are told apart best.
    pub const ALL: [Self; 7] =
        [Self::Kernel, Self::CpuStrided, Self::Download, Self::CpuLocal, Self::Upload, Self::CpuParallel, Self::Library];

    /// Its colour on a dark or a white ground: Okabe-Ito, a shade darker on white where that is needed for a contrast of 3:1.
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
            (Self::CpuParallel, true) => [0xf0, 0xe4, 0x42],
            (Self::CpuParallel, false) => [0x8f, 0x86, 0x00],
            (Self::Library, true) => [170, 170, 170],
            (Self::Library, false) => [110, 110, 110],
        }
    }
}

/// What a curve is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// What was measured.
    Measured,
    /// What was measured another time, laid over it.
    Other,
    /// What cannot be passed.
    Roof,
    /// What a paper prints.
    Printed,
}

/// A value with the interval in which it lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Along the horizontal axis.
    pub x: f64,
    /// Along the vertical axis.
    pub y: f64,
    /// The ends of the interval.
    pub interval: [f64; 2],
    /// Whether what was computed is right; otherwise the value means nothing.
    pub is_right: bool,
}

/// One line of a plot.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// What it stands for.
    pub name: String,
    /// Its colour.
    pub series: Series,
    /// Which of those of its colour it is: they differ in their signs and dashes.
    pub variant: usize,
    /// What it is.
    pub role: Role,
    /// From left to right.
    pub points: Vec<Point>,
}

/// Where one curve passes another.
#[derive(Debug, Clone, PartialEq)]
pub struct Crossing {
    /// Along the horizontal axis.
    pub x: f64,
    /// Along the vertical axis.
    pub y: f64,
    /// What happens there.
    pub text: String,
}

/// A plot.
#[derive(Debug, Clone)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// Where and how it was taken, a line each.
    pub notes: Vec<String>,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The lines.
    pub curves: Vec<Curve>,
    /// Where curves pass each other.
    pub crossings: Vec<Crossing>,
}

impl Chart {
    /// The smallest and the largest value along an axis, of values that the axis can show.
    pub(super) fn extent(&self, axis: &Axis, of: impl Fn(&Point) -> [f64; 3]) -> Option<[f64; 2]> {
        // What cannot be shown on one axis needs no room on the other.
        let is_shown = |point: &&Point| point.is_right && self.x.shows(point.x) && self.y.shows(point.y);
        let values = self.curves.iter().flat_map(|curve| &curve.points).filter(is_shown).flat_map(of);
        values.filter(|value| axis.shows(*value)).fold(None, |extent, value| {
            let [low, high] = extent.unwrap_or([value; 2]);
            Some([value.min(low), value.max(high)])
        })
    }
}

//! Filters: shapes and profiles over frequencies, as plain data that give the factor H(u, v) of every value of a spectrum.
//!
//! Frequencies are cycles per sample or per pixel; u points along x, v upwards, and f = √(u² + v²).
//! A rule for the edge turns the distance from a shape into a coverage from 0 to 1.
//! Every shape stands together with its mate at (−u, −v), so that real samples stay real. A signal has v = 0.
//! This module knows no samples, devices or files; `engine::filter` multiplies spectra by what it gives.
//!
//! ```
//! use papillon_core::filter::{Mask, MaskShape};
//! use papillon_core::transforms::Shape;
//!
//! // The ideal low pass at a quarter of a cycle per sample, for eight samples.
//! let mask: Mask = MaskShape::low_pass(0.25).into();
//! assert_eq!(mask.factors(Shape::line(8)), [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0]);
//! # let text = serde_json::to_string(&mask)?;
//! # assert_eq!(serde_json::from_str::<Mask>(&text)?, mask);
//! # Ok::<(), serde_json::Error>(())
//! ```

mod check;
mod factors;
mod file;
mod frequency;
mod outline;
mod periodic;
mod quality;
mod reach;
mod table;
mod words;

pub use check::MaskError;
pub use factors::MaskRows;
pub use file::MaskFile;
pub use frequency::{FrequencyError, SampleSpacing, WrittenFrequency};
pub use periodic::{PeriodicSpot, periodic_noise};
pub use quality::structural_similarity;
pub use table::MaskTable;

use crate::transforms::Shape;
use serde::{Deserialize, Serialize};

/// A filter: what its shapes give, multiplied.
///
/// Rings, and all shapes that cut, multiply. Other shapes that pass are united first: what one of them covers passes.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Mask {
    /// The shapes.
    pub shapes: Vec<MaskShape>,
    /// Whether the mean passes, whatever the shapes say.
    #[serde(default)]
    pub keep_mean: bool,
}

/// A shape of a mask.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MaskShape {
    /// The frequencies that it covers.
    #[serde(flatten)]
    pub form: MaskForm,
    /// Whether what it covers passes or is cut.
    #[serde(default)]
    pub effect: Effect,
    /// How the coverage ends at its edge.
    #[serde(default)]
    pub edge: ShapeEdge,
    /// Whether it is switched off.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub off: bool,
}

/// The area of a shape. Lengths are in cycles per sample or pixel, angles in degrees, anticlockwise from x.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum MaskForm {
    /// Two discs, at (u, v) and (−u, −v).
    Spots {
        /// Frequency of the centre along x.
        u: f64,
        /// Frequency of the centre, upwards.
        #[serde(default)]
        v: f64,
        /// The radius.
        radius: f64,
    },
    /// All frequencies in this direction, and opposite.
    Wedge {
        /// The direction of its middle.
        angle: f64,
        /// The angle from one side to the other.
        width: f64,
    },
    /// Frequencies f with `from` < f ≤ `to`; a disc where `from` is 0.
    Ring {
        /// The inner radius.
        #[serde(default)]
        from: f64,
        /// The outer radius.
        to: f64,
    },
    /// Two rectangles with sides along u and v.
    Rectangle {
        /// Frequency of the centre along x.
        u: f64,
        /// Frequency of the centre, upwards.
        v: f64,
        /// The whole width.
        width: f64,
        /// The whole height.
        height: f64,
    },
    /// Two ellipses with axes along u and v.
    Ellipse {
        /// Frequency of the centre along x.
        u: f64,
        /// Frequency of the centre, upwards.
        v: f64,
        /// The whole width.
        width: f64,
        /// The whole height.
        height: f64,
    },
    /// The stroke of a round brush through points (u, v).
    Brush {
        /// The points.
        points: Vec<[f64; 2]>,
        /// The radius of the brush.
        radius: f64,
    },
    /// A disc at every sum of multiples of two vectors (u, v), except the mean where it cuts.
    Lattice {
        /// The first vector.
        a: [f64; 2],
        /// The second vector.
        b: [f64; 2],
        /// The radius of a disc.
        radius: f64,
    },
    /// The frequencies of stripes in an image, which are at a right angle to them.
    Stripes {
        /// The direction of the stripes: 0 is horizontal, 90 vertical.
        angle: f64,
        /// The frequency along the stripes as a part of the one across them.
        tolerance: f64,
        /// Lower frequencies are not covered.
        #[serde(default)]
        from: f64,
    },
}

/// Whether what a shape covers passes or is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// Only what is covered passes.
    Pass,
    /// It cuts the frequencies that it covers.
    #[default]
    Cut,
}

/// How coverage ends at the edge of a shape: as a function of q, the distance from the centre as a part of the one of the edge.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShapeEdge {
    /// 1 where q ≤ 1, and 0 beyond.
    #[default]
    Ideal,
    /// 1/(1 + q^(2·order)).
    Butterworth {
        /// The order.
        order: f64,
    },
    /// exp(−½q²).
    Gaussian,
    /// Half a cosine from 1 to 0, ½ at the edge.
    Soft {
        /// Its width in pixels of the spectrum image, along the longer side.
        pixels: f64,
    },
}

/// The tolerance of stripes where none is given.
pub const STRIPE_TOLERANCE: f64 = 0.05;

impl MaskShape {
    /// A shape with an ideal edge.
    pub fn new(form: MaskForm, effect: Effect) -> Self {
        Self { form, effect, edge: ShapeEdge::Ideal, off: false }
    }

    /// Frequencies up to `to` pass.
    pub fn low_pass(to: f64) -> Self {
        Self::new(MaskForm::Ring { from: 0.0, to }, Effect::Pass)
    }

    /// Frequencies up to `to` are cut.
    pub fn high_pass(to: f64) -> Self {
        Self::new(MaskForm::Ring { from: 0.0, to }, Effect::Cut)
    }

    /// Two discs of this radius are cut.
    pub fn notch([u, v]: [f64; 2], radius: f64) -> Self {
        Self::new(MaskForm::Spots { u, v, radius }, Effect::Cut)
    }

    /// Stripes in this direction are cut.
    pub fn stripes(angle: f64, tolerance: f64) -> Self {
        Self::new(MaskForm::Stripes { angle, tolerance, from: 0.0 }, Effect::Cut)
    }

    /// The same shape with another edge.
    #[must_use]
    pub fn with_edge(self, edge: ShapeEdge) -> Self {
        Self { edge, ..self }
    }
}

impl Mask {
    /// Whether every factor is 1.
    pub fn is_open(&self) -> bool {
        self.shapes.iter().all(|shape| shape.off)
    }

    /// H of every value of a spectrum of this shape, row after row, index 0 first.
    pub fn factors(&self, shape: Shape) -> Vec<f64> {
        let rows = MaskRows::new(self, shape);
        let mut factors = vec![0.0; shape.len()];
        for (row, line) in factors.chunks_exact_mut(shape.columns.max(1)).enumerate() {
            rows.fill(row, line);
        }
        factors
    }
}

impl From<MaskShape> for Mask {
    fn from(shape: MaskShape) -> Self {
        Self { shapes: vec![shape], keep_mean: false }
    }
}

impl FromIterator<MaskShape> for Mask {
    fn from_iter<I: IntoIterator<Item = MaskShape>>(shapes: I) -> Self {
        Self { shapes: shapes.into_iter().collect(), keep_mean: false }
    }
}

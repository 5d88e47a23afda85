//! Shapes in words, for lists, the status bar and what is exported.

use super::{Effect, MaskForm, MaskShape, ShapeEdge};
use crate::numerals::number;
use std::fmt;

impl MaskForm {
    /// The name of the shape.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Spots { .. } => "spot pair",
            Self::Wedge { .. } => "wedge",
            Self::Ring { .. } => "ring",
            Self::Rectangle { .. } => "rectangle",
            Self::Ellipse { .. } => "ellipse",
            Self::Brush { .. } => "brush",
            Self::Lattice { .. } => "lattice",
            Self::Stripes { .. } => "stripes",
        }
    }
}

impl fmt::Display for MaskForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = |value: f64| number(value, 4);
        match *self {
            Self::Spots { u, v, radius } => write!(f, "spot pair at ±({}, {}), radius {}", n(u), n(v), n(radius)),
            Self::Wedge { angle, width } => write!(f, "wedge at {}°, {}° wide", n(angle), n(width)),
            Self::Ring { from: 0.0, to } => write!(f, "frequencies up to {}", n(to)),
            Self::Ring { from, to } => write!(f, "ring from {} to {}", n(from), n(to)),
            Self::Rectangle { u, v, width, height } => {
                write!(f, "rectangle at ±({}, {}), {} × {}", n(u), n(v), n(width), n(height))
            }
            Self::Ellipse { u, v, width, height } => write!(f, "ellipse at ±({}, {}), {} × {}", n(u), n(v), n(width), n(height)),
            Self::Brush { ref points, radius } => write!(f, "brush through {} points, radius {}", points.len(), n(radius)),
            Self::Lattice { a, b, radius } => {
                write!(f, "lattice of ({}, {}) and ({}, {}), radius {}", n(a[0]), n(a[1]), n(b[0]), n(b[1]), n(radius))
            }
            Self::Stripes { angle, tolerance, .. } => {
                write!(f, "stripes at {}°, tolerance {} %", n(angle), n(100.0 * tolerance))
            }
        }
    }
}

impl fmt::Display for ShapeEdge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ideal => write!(f, "ideal"),
            Self::Butterworth { order } => write!(f, "Butterworth of order {}", number(*order, 4)),
            Self::Gaussian => write!(f, "Gaussian"),
            Self::Soft { pixels } => write!(f, "soft over {} pixels", number(*pixels, 4)),
        }
    }
}

impl fmt::Display for MaskShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let effect = if self.effect == Effect::Pass { "pass" } else { "cut" };
        write!(f, "{}, {effect}, {}", self.form, self.edge)
    }
}

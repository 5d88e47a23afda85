//! The faults that make a mask unusable, in one line each.

use super::{Effect, Mask, MaskForm, MaskShape, ShapeEdge};
use crate::numerals::{counted, number};

/// Why a shape cannot filter.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MaskError {
    /// A number is not finite, or a length not above 0.
    #[error("the {shape} has a {what} of {value}: take a finite number above 0")]
    NotPositive {
        /// The name of the shape.
        shape: &'static str,
        /// The name of the number.
        what: &'static str,
        /// The number.
        value: String,
    },
    /// A notch removes the mean.
    #[error(
        "a notch at ({u}, {v}) of radius {radius} removes the mean, at frequency 0: take a smaller radius, keep the mean, or take a high pass"
    )]
    Mean {
        /// Frequency along x.
        u: String,
        /// Frequency upwards.
        v: String,
        /// The radius.
        radius: String,
    },
    /// A frequency above the highest one.
    #[error("the {shape} lies at {value} cycles per sample, and the highest frequency is {most}: take a lower one, or a longer period")]
    TooHigh {
        /// The name of the shape.
        shape: &'static str,
        /// The frequency.
        value: String,
        /// The highest one.
        most: String,
    },
    /// A ring without an inside.
    #[error("the band from {from} to {to} holds no frequency: its two ends differ")]
    EmptyBand {
        /// One end.
        from: String,
        /// The other end.
        to: String,
    },
    /// A mask of another size.
    #[error(
        "the mask has {mask} values (columns × rows), and the image {image}: a mask as an image has the size of the spectrum, with frequency 0 at [rows/2, columns/2]"
    )]
    Size {
        /// The size of the mask.
        mask: String,
        /// The size of the image.
        image: String,
    },
    /// A factor that is not a number.
    #[error("the mask holds {}: a mask holds factors from 0 to 1", counted(*n, "infinite or NaN value"))]
    NotFinite {
        /// How many.
        n: usize,
    },
}

impl Mask {
    /// Checks every shape that is switched on; `is_line` says that the spectrum has one row only.
    ///
    /// # Errors
    /// When a number makes no sense, or a notch removes the mean.
    pub fn check(&self, is_line: bool) -> Result<(), MaskError> {
        // The corner of the square of frequencies is the highest one of an image.
        let most = if is_line { 0.5 } else { std::f64::consts::FRAC_1_SQRT_2 };
        self.shapes.iter().filter(|shape| !shape.off).try_for_each(|shape| {
            shape.check(most)?;
            if self.keep_mean { Ok(()) } else { shape.check_mean() }
        })
    }
}

impl MaskShape {
    /// A notch that covers frequency 0 is refused.
    fn check_mean(&self) -> Result<(), MaskError> {
        match self.form {
            MaskForm::Spots { u, v, radius } if self.effect == Effect::Cut && u.hypot(v) <= radius => {
                let [u, v, radius] = [u, v, radius].map(|x| number(x, 4));
                Err(MaskError::Mean { u, v, radius })
            }
            _ => Ok(()),
        }
    }

    fn check(&self, most: f64) -> Result<(), MaskError> {
        let shape = self.form.name();
        let positive = |what: &'static str, value: f64| match value.is_finite() && value > 0.0 {
            true => Ok(()),
            false => Err(MaskError::NotPositive { shape, what, value: number(value, 4) }),
        };
        let below = |value: f64, most: f64| match value.abs() <= most + 1e-12 {
            true => Ok(()),
            false => Err(MaskError::TooHigh { shape, value: number(value, 4), most: number(most, 4) }),
        };
        let place = |[u, v]: [f64; 2]| [u, v].into_iter().try_for_each(|x| below(x, 0.5));
        match self.form {
            MaskForm::Spots { u, v, radius } => {
                positive("radius", radius)?;
                place([u, v])
            }
            MaskForm::Wedge { angle, width } => positive("width", width).and_then(|()| finite(shape, "angle", angle)),
            MaskForm::Ring { from, to } => {
                positive("radius", to)?;
                below(to, most)?;
                let is_empty = !(0.0..to).contains(&from);
                if is_empty { Err(MaskError::EmptyBand { from: number(from, 4), to: number(to, 4) }) } else { Ok(()) }
            }
            MaskForm::Rectangle { u, v, width, height } | MaskForm::Ellipse { u, v, width, height } => {
                place([u, v])?;
                positive("width", width)?;
                positive("height", height)
            }
            MaskForm::Brush { ref points, radius } => {
                positive("radius", radius)?;
                points.iter().try_for_each(|point| place(*point))
            }
            MaskForm::Lattice { a, b, radius } => {
                positive("radius", radius)?;
                positive("area", (a[0] * b[1] - a[1] * b[0]).abs())
            }
            MaskForm::Stripes { angle, tolerance, from } => {
                finite(shape, "angle", angle)?;
                finite(shape, "tolerance", tolerance)?;
                finite(shape, "least frequency", from)
            }
        }?;
        match self.edge {
            ShapeEdge::Butterworth { order } => positive("Butterworth order", order),
            ShapeEdge::Soft { pixels } => finite(shape, "soft edge", pixels),
            ShapeEdge::Ideal | ShapeEdge::Gaussian => Ok(()),
        }
    }
}

/// Refuses what is not a number.
fn finite(shape: &'static str, what: &'static str, value: f64) -> Result<(), MaskError> {
    if value.is_finite() { Ok(()) } else { Err(MaskError::NotPositive { shape, what, value: number(value, 4) }) }
}

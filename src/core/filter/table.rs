//! A mask that is painted as an image: a factor for every value of a spectrum.

use super::MaskError;
use crate::display::unshifted_index;
use crate::signal::{ChannelChoice, Samples, Signal};
use crate::transforms::Shape;

/// Factors of every value of a spectrum, index 0 first.
#[derive(Debug, Clone, PartialEq)]
pub struct MaskTable {
    shape: Shape,
    factors: Vec<f64>,
}

impl MaskTable {
    /// The first channel of an image with frequency 0 at \[rows/2, columns/2\]; full scale of 8 and 16 bits is 1.
    ///
    /// # Errors
    /// When it has another shape than `wanted`, or holds what is not a number.
    pub fn of_image(image: &Signal, wanted: Shape) -> Result<Self, MaskError> {
        let shape = Shape { rows: image.rows, columns: image.columns };
        if shape != wanted {
            let [mask, image] = [shape, wanted].map(|shape| format!("{} × {}", shape.columns, shape.rows));
            return Err(MaskError::Size { mask, image });
        }
        let full_scale = match image.channels.first().map(|channel| &channel.samples) {
            Some(Samples::U8(_)) => f64::from(u8::MAX),
            Some(Samples::U16(_)) => f64::from(u16::MAX),
            _ => 1.0,
        };
        // The luminance of an image exists.
        let centred = image.samples_f64(ChannelChoice::Luma).unwrap_or_default();
        let n = centred.iter().filter(|value| !value.is_finite()).count();
        if n > 0 {
            return Err(MaskError::NotFinite { n });
        }
        let mut factors = vec![0.0; shape.len()];
        for (place, value) in centred.into_iter().enumerate() {
            let [row, column] = [unshifted_index(place / shape.columns, shape.rows), unshifted_index(place % shape.columns, shape.columns)];
            factors[row * shape.columns + column] = value / full_scale;
        }
        Ok(Self { shape, factors })
    }

    /// The factor at index (`row`, `column`), averaged with its mate, so that real samples stay real.
    pub fn at(&self, row: usize, column: usize) -> f64 {
        let Shape { rows, columns } = self.shape;
        let mate = (rows - row) % rows * columns + (columns - column) % columns;
        0.5 * (self.factors[row * columns + column] + self.factors[mate])
    }

    /// The part of the sum of squares that is symmetric: 1 where every factor equals that of its mate.
    pub fn symmetric_share(&self) -> f64 {
        let Shape { rows, columns } = self.shape;
        let all: f64 = self.factors.iter().map(|x| x * x).sum();
        let even: f64 = (0..rows).map(|row| (0..columns).map(|column| self.at(row, column).powi(2)).sum::<f64>()).sum();
        if all > 0.0 { even / all } else { 1.0 }
    }
}

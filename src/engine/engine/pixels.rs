//! Small images and curves for the window: values that share a pixel are joined.

use crate::transforms::Shape;

/// The largest number of pixels along a side of an image or a curve; longer ones share pixels.
const MOST_PIXELS: usize = 1024;

/// A small image: an entry of a colour table for every pixel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixels {
    /// Pixels down and across.
    pub size: [usize; 2],
    /// Entries, row after row.
    pub entries: Vec<u8>,
}

impl Pixels {
    /// The largest of the values that share a pixel; `at` gives them from 0 to 1 by row and column.
    pub(super) fn largest(shape: Shape, at: impl Fn(usize, usize) -> f64) -> Self {
        Self::pooled(shape, at, f64::max, |largest, _| largest)
    }

    /// The mean of the values that share a pixel.
    pub(super) fn mean(shape: Shape, at: impl Fn(usize, usize) -> f64) -> Self {
        Self::pooled(shape, at, |sum, value| sum + value, |sum, n| sum / f64::from(n))
    }

    /// Joins the values from 0 to 1 that share a pixel, and closes each pixel with their number.
    fn pooled(shape: Shape, at: impl Fn(usize, usize) -> f64, join: impl Fn(f64, f64) -> f64, close: impl Fn(f64, u32) -> f64) -> Self {
        let steps = [shape.rows, shape.columns].map(|n| n.div_ceil(MOST_PIXELS).max(1));
        let size = [shape.rows.div_ceil(steps[0]), shape.columns.div_ceil(steps[1])];
        let mut pixels = vec![(0.0, 0_u32); size[0] * size[1]];
        for row in 0..shape.rows {
            for column in 0..shape.columns {
                let (value, n) = &mut pixels[row / steps[0] * size[1] + column / steps[1]];
                (*value, *n) = (join(*value, at(row, column).clamp(0.0, 1.0)), *n + 1);
            }
        }
        Self { size, entries: pixels.into_iter().map(|(value, n)| (close(value, n) * 255.0).round() as u8).collect() }
    }
}

/// The smallest and the largest value of every pixel column.
pub fn curve(values: &[f64]) -> Vec<[f64; 2]> {
    let step = values.len().div_ceil(MOST_PIXELS).max(1);
    let ends = |part: &[f64]| [part.iter().copied().fold(f64::INFINITY, f64::min), part.iter().copied().fold(f64::NEG_INFINITY, f64::max)];
    values.chunks(step).map(ends).collect()
}

/// The smallest and the largest value.
pub(super) fn extent(values: &[f64]) -> [f64; 2] {
    values.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &value| [low.min(value), high.max(value)])
}

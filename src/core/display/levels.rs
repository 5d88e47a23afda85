//! The whole image of a result at full resolution, as the 8-bit indices of colours that a file holds.

use super::{Colormap, Look, unshifted_index};
use crate::threads;
use crate::transforms::{Axes, Shape};
use num_complex::Complex32;

/// The index of the colour of every pixel of the displayed image, row after row.
///
/// `range` gives the values of the first and the last colour. With the gray colour map, the indices are the 8-bit image.
pub fn levels(at: impl Fn(usize, usize) -> Complex32 + Sync, shape: Shape, axes: Axes, look: &Look, range: [f32; 2]) -> Vec<u8> {
    arranged(shape, axes, look.shifted, |row, levels| {
        for (column, level) in levels.iter_mut().enumerate() {
            *level = Colormap::index(look.scale.apply(look.quantity, at(row, column)), range) as u8;
        }
    })
}

/// The pixels in displayed order, rows × columns. `fill` writes the row of an index, unshifted.
pub fn arranged(shape: Shape, axes: Axes, shifted: bool, fill: impl Fn(usize, &mut [u8]) + Sync) -> Vec<u8> {
    let mut pixels = vec![0; shape.len()];
    threads::for_each_chunk(&mut pixels, shape.columns.max(1), &|y, pixels| {
        let row = if shifted && axes.along_columns() { unshifted_index(y, shape.rows) } else { y };
        fill(row, pixels);
        if shifted && axes.along_rows() {
            pixels.rotate_right(shape.columns / 2);
        }
    });
    pixels
}

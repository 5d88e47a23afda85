//! The whole picture of a result, pixel for pixel, as entries of the table of colours: what a file of 8 bits holds.

use super::{Colormap, Look, unshifted_index};
use crate::transforms::{Axes, Shape};
use num_complex::Complex32;
use rayon::prelude::*;

/// The entry of the table of colours for every pixel of the displayed picture, row after row.
///
/// `range` gives the values of the first and the last colour; with the gray table the entries are the 8-bit picture.
pub fn levels(at: impl Fn(usize, usize) -> Complex32 + Sync, shape: Shape, axes: Axes, look: &Look, range: [f32; 2]) -> Vec<u8> {
    arranged(shape, axes, look.shifted, |row, line| {
        for (column, level) in line.iter_mut().enumerate() {
            *level = Colormap::index(look.scale.apply(look.quantity, at(row, column)), range) as u8;
        }
    })
}

/// Rows in displayed order, from `fill`, which writes the row of an index in the order of the indices.
pub fn arranged(shape: Shape, axes: Axes, shifted: bool, fill: impl Fn(usize, &mut [u8]) + Sync) -> Vec<u8> {
    let mut picture = vec![0; shape.len()];
    picture.par_chunks_mut(shape.columns.max(1)).enumerate().for_each(|(y, line)| {
        let row = if shifted && axes.along_columns() { unshifted_index(y, shape.rows) } else { y };
        fill(row, line);
        if shifted && axes.along_rows() {
            line.rotate_right(shape.columns / 2);
        }
    });
    picture
}

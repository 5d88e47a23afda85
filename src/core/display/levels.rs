//! The whole image of a result at full resolution, as the 8-bit indices of colours that a file holds.

use super::{Colormap, Look, ValuePart, unshifted_index};
use crate::threads;
use crate::transforms::{Axes, Shape};
use num_complex::Complex32;

/// The fewest pixels for which a table of levels is made, as making it costs as much as 65,536 pixels.
const WORTH_A_TABLE: usize = 1 << 19;
/// Squares that share these high bits share an entry of the table; their sign is 0.
const LOW_BITS: u32 = 16;
const ENTRIES: usize = 1 << (31 - LOW_BITS);

/// Finds the level of a value between the first and the last colour.
///
/// That of a magnitude or a power is found by its square in a table, where one is worth its making. This takes a third of the time of a logarithm, and gives
/// the same level.
pub(super) struct Levels<'a> {
    look: &'a Look,
    range: [f32; 2],
    table: Option<Vec<Entry>>,
}

/// The levels of squares with the same high bits.
#[derive(Clone, Copy)]
enum Entry {
    /// One level below a square, another one from it on.
    Step { below: u8, from: f32, level: u8 },
    /// More levels, or squares that are not normal numbers: each value has its level computed.
    Computed,
}

impl<'a> Levels<'a> {
    /// For this number of pixels.
    pub(super) fn new(look: &'a Look, range: [f32; 2], pixels: usize) -> Self {
        let is_of_squares = matches!(look.quantity, ValuePart::Magnitude | ValuePart::Power);
        let entry = |high: usize| Entry::of(look, range, (high as u32) << LOW_BITS);
        Self { look, range, table: (is_of_squares && pixels >= WORTH_A_TABLE).then(|| threads::map(ENTRIES, &entry)) }
    }

    #[inline]
    fn level(&self, value: Complex32) -> u8 {
        let square = value.norm_sqr();
        match self.table.as_ref().map(|table| table[(square.to_bits() >> LOW_BITS) as usize % ENTRIES]) {
            Some(Entry::Step { below, from, level }) => {
                if square < from {
                    below
                } else {
                    level
                }
            }
            Some(Entry::Computed) | None => level(self.look, self.range, value),
        }
    }

    /// As [`Look::colour_index`].
    #[inline]
    pub(super) fn colour_index(&self, value: Complex32) -> usize {
        self.look.tinted_index(value, self.level(value).into())
    }
}

impl Entry {
    /// The entry of the squares whose lowest bits follow those of `first`.
    fn of(look: &Look, range: [f32; 2], first: u32) -> Self {
        if !f32::from_bits(first).is_normal() {
            return Self::Computed;
        }
        let of = |bits: u32| {
            let square = f32::from_bits(bits);
            let plain = if look.quantity == ValuePart::Power { square } else { square.sqrt() };
            Colormap::index(look.scale.of(look.quantity, plain), range) as u8
        };
        let (mut low, mut high) = (first, first + (1 << LOW_BITS) - 1);
        let (below, level) = (of(low), of(high));
        // The first square that is not of the level of the first one.
        while below != level && high - low > 1 {
            let middle = low.midpoint(high);
            if of(middle) == below { low = middle } else { high = middle }
        }
        if of(high) == level { Self::Step { below, from: f32::from_bits(high), level } } else { Self::Computed }
    }
}

/// The level of a value.
fn level(look: &Look, range: [f32; 2], value: Complex32) -> u8 {
    Colormap::index(look.scale.apply(look.quantity, value), range) as u8
}

/// The index of the colour of every pixel of the displayed image, row after row.
///
/// `range` gives the values of the first and the last colour. With the gray colour map, the indices are the 8-bit image.
pub fn levels(at: impl Fn(usize, usize) -> Complex32 + Sync, shape: Shape, axes: Axes, look: &Look, range: [f32; 2]) -> Vec<u8> {
    let found = Levels::new(look, range, shape.len());
    arranged(shape, axes, look.shifted, |row, levels| {
        levels.iter_mut().enumerate().for_each(|(column, level)| *level = found.level(at(row, column)));
    })
}

/// The pixels in displayed order, rows × columns. `fill` writes the row of an index, unshifted.
pub fn arranged(shape: Shape, axes: Axes, shifted: bool, fill: impl Fn(usize, &mut [u8]) + Sync) -> Vec<u8> {
    threads::fill_chunks(shape.len(), shape.columns.max(1), &|| (), &|(), y, pixels| {
        let row = if shifted && axes.along_columns() { unshifted_index(y, shape.rows) } else { y };
        fill(row, pixels);
        if shifted && axes.along_rows() {
            pixels.rotate_right(shape.columns / 2);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::Scale;
    use crate::random::{random_bits, unit};

    #[test]
    fn a_table_has_the_levels_that_are_computed() {
        let part = |counter: usize| unit(random_bits(counter as u64)) as f32 - 0.5;
        // Values of any size, some of which have a square that is not a normal number, and many near 1, where the levels of a narrow range are close.
        let mut values =
            vec![Complex32::ZERO, Complex32::new(f32::NAN, 0.0), Complex32::new(f32::INFINITY, 1.0), Complex32::new(1e30, 0.0)];
        for index in 0..4800 {
            let [re, im] = [part(2 * index), part(2 * index + 1)];
            values.push(Complex32::new(re, im) * 10_f32.powf(index as f32 / 120.0 - 20.0));
            values.push(Complex32::new(1.0 + re / 50.0, im / 50.0));
        }
        let shape = Shape { rows: 1, columns: WORTH_A_TABLE };
        for quantity in [ValuePart::Magnitude, ValuePart::Power] {
            for scale in [Scale::Linear, Scale::Log, Scale::Db, Scale::Sqrt] {
                for range in [[0.0, 5.0], [0.98, 1.02], [-150.0, 60.0], [0.0, 1e20], [3.0, 3.0]] {
                    let look = Look { quantity, scale, ..Look::default() };
                    let at = |_, column: usize| values[column % values.len()];
                    let levels = levels(at, shape, Axes::Rows, &Look { shifted: false, ..look }, range);
                    for (value, found) in values.iter().zip(levels) {
                        assert_eq!(found, level(&look, range, *value), "{value} {quantity:?} {scale:?} {range:?}");
                    }
                }
            }
        }
    }
}

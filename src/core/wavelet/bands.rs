//! The bands of a wavelet transform in the Mallat layout.

use crate::plan::halved;
use crate::transforms::Shape;
use std::ops::Range;

/// One band: the coefficients of one level and one pair of filters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Band {
    /// Its level, from 1.
    pub level: u32,
    /// Whether it is high-pass along x and along y.
    pub high: [bool; 2],
    /// Its rows.
    pub rows: Range<usize>,
    /// Its columns.
    pub columns: Range<usize>,
    is_line: bool,
}

impl Band {
    /// Its name: L or H along x and then along y, and the level, as in HL2; low or high for lines.
    pub fn name(&self) -> String {
        let letter = |high: bool| if high { 'H' } else { 'L' };
        match (self.is_line, self.high) {
            (true, [x, y]) => format!("{} {}", if x || y { "high" } else { "low" }, self.level),
            (false, [x, y]) => format!("{}{}{}", letter(x), letter(y), self.level),
        }
    }

    /// The blocks of a full tree of packets of `n` samples; block 0 is low-pass at every level.
    pub fn blocks(n: usize, levels: u32) -> Vec<Self> {
        let samples = n >> levels;
        let block =
            |i: usize| Self { level: levels, high: [i > 0, false], rows: 0..1, columns: i * samples..(i + 1) * samples, is_line: true };
        (0..1 << levels).map(block).collect()
    }

    /// Its content in words.
    pub fn meaning(&self) -> &'static str {
        match (self.is_line, self.high) {
            (_, [false, false]) => "what is left after the last level",
            (true, _) => "detail",
            (false, [true, false]) => "high-pass along x: vertical edges",
            (false, [false, true]) => "high-pass along y: horizontal edges",
            (false, [true, true]) => "high-pass along both: corners and diagonals",
        }
    }

    /// Whether the coefficient at this row and column belongs to it.
    pub fn holds(&self, row: usize, column: usize) -> bool {
        self.rows.contains(&row) && self.columns.contains(&column)
    }

    /// Whether it is low-pass along both axes.
    pub fn is_low(&self) -> bool {
        self.high == [false, false]
    }
}

/// The bands of an image, or of a line if there is one row, coarsest first, without empty bands.
pub fn bands(shape: Shape, levels: u32) -> Vec<Band> {
    let is_line = shape.rows == 1 || shape.columns == 1;
    let parts = |n: usize, level: u32| [0..halved(n, level), halved(n, level)..halved(n, level - 1)];
    let mut all = vec![Band {
        level: levels,
        high: [false; 2],
        rows: 0..halved(shape.rows, levels),
        columns: 0..halved(shape.columns, levels),
        is_line,
    }];
    for level in (1..=levels).rev() {
        let (rows, columns) = (parts(shape.rows, level), parts(shape.columns, level));
        for high @ [x, y] in [[true, false], [false, true], [true, true]] {
            let band = Band { level, high, rows: rows[usize::from(y)].clone(), columns: columns[usize::from(x)].clone(), is_line };
            all.extend((!band.rows.is_empty() && !band.columns.is_empty()).then_some(band));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_cover_every_coefficient_once() {
        for (rows, columns) in [(1, 1), (1, 2), (1, 37), (5, 1), (2, 2), (37, 53), (3, 8)] {
            for levels in 0..7 {
                let all = bands(Shape { rows, columns }, levels);
                for row in 0..rows {
                    for column in 0..columns {
                        let n = all.iter().filter(|band| band.holds(row, column)).count();
                        assert_eq!(n, 1, "{rows} × {columns}, {levels} levels, {row}, {column}");
                    }
                }
            }
        }
    }

    #[test]
    fn names_say_filters_and_level() {
        let names = |rows, columns, levels| bands(Shape { rows, columns }, levels).iter().map(Band::name).collect::<Vec<_>>();
        assert_eq!(names(1, 8, 2), ["low 2", "high 2", "high 1"]);
        assert_eq!(names(8, 8, 2), ["LL2", "HL2", "LH2", "HH2", "HL1", "LH1", "HH1"]);
        // Top right is high-pass along x.
        let top_right = bands(Shape { rows: 8, columns: 8 }, 1)[1].clone();
        assert_eq!((top_right.rows, top_right.columns), (0..4, 4..8));
    }
}

//! The tiles of a pass: which digits are columns and rows of a tile, and which number the tiles.
//!
//! A tile holds all values of the transformed digits as rows. Columns are neighbouring lanes where the pass reads or writes,
//! so that vectors of columns are computed together. Further rows make the runs of neighbours long on the other side.

use super::digits::{Digit, Digits};

/// Most values of the transformed digits.
pub(super) const MOST_ROWS: usize = 1024;
/// Lanes of a tile: complex single-precision values stay in the L2 cache.
const TILE: usize = 1 << 16;
const SMALLEST_TILE: usize = 1 << 11;
const LARGEST_TILE: usize = 1 << 17;
/// Fewest columns: neighbours fill two cache lines.
const FEWEST_COLUMNS: usize = 16;
const MOST_COLUMNS: usize = 1024;

/// The digits of a pass by their use.
#[derive(Debug)]
pub(super) struct TileShape {
    /// Columns of a tile.
    pub(super) columns: Vec<Digit>,
    /// Rows of a tile.
    pub(super) rows: Vec<Digit>,
    /// The numbers of the tiles.
    pub(super) tiles: Vec<Digit>,
    /// The digit of `tiles` whose last value has fewer columns, and their number.
    pub(super) last: Option<(usize, usize)>,
}

impl TileShape {
    pub(super) fn of(digits: Digits) -> Self {
        let transformed = digits.transformed();
        let least = (TILE / transformed).clamp(FEWEST_COLUMNS, MOST_COLUMNS);
        let (rows, mut free): (Vec<Digit>, Vec<Digit>) = digits.merged().into_iter().partition(Digit::is_transformed);
        let mut shape = Self { columns: Vec::new(), rows, tiles: Vec::new(), last: None };
        // Neighbours where the pass reads; if these are rows, neighbours where it writes; if these are rows too, any lanes.
        shape.take_columns(&mut free, least, |digit| digit.from, true);
        shape.take_columns(&mut free, least, |digit| digit.to, false);
        shape.take_rows(&mut free);
        shape.tiles.extend(free);
        shape.tiles.sort_by_key(|digit| digit.from);
        shape.last = shape.last.and_then(|(stride, rest)| Some((shape.tiles.iter().position(|digit| digit.from == stride)?, rest)));
        shape
    }

    /// Number of columns of a whole tile.
    pub(super) fn n_columns(&self) -> usize {
        self.columns.iter().map(|digit| digit.n).product()
    }

    fn n_rows(&self) -> usize {
        self.rows.iter().map(|digit| digit.n).product()
    }

    /// Takes digits as columns until there are `least`; with `adjacent`, only lanes without a gap, to which rows contribute.
    fn take_columns(&mut self, free: &mut Vec<Digit>, least: usize, stride: fn(&Digit) -> usize, adjacent: bool) {
        free.sort_by_key(stride);
        let mut run = 1;
        while self.n_columns() < least && self.last.is_none() {
            if adjacent
                && run < FEWEST_COLUMNS
                && let Some(row) = self.rows.iter().find(|row| stride(row) == run)
            {
                run *= row.n;
                continue;
            }
            let Some(index) = free.iter().position(|digit| !adjacent || stride(digit) == run) else { break };
            // Twiddles of a single digit lie side by side.
            let least = if self.columns.is_empty() { least } else { FEWEST_COLUMNS };
            if self.n_columns() >= least {
                break;
            }
            let mut digit = free.remove(index);
            let wanted = least.div_ceil(self.n_columns());
            if digit.n > wanted {
                let n = (wanted..=2 * wanted).find(|&n| digit.n.is_multiple_of(n)).unwrap_or(wanted);
                let rest = digit.n % n;
                let n_tiles = digit.n.div_ceil(n);
                let mut above = digit.split(n);
                above.n = n_tiles;
                if rest > 0 {
                    self.last = Some((above.from, self.n_columns() * rest));
                }
                self.tiles.push(above);
            }
            run *= digit.n;
            self.columns.push(digit);
        }
        free.append(&mut self.tiles);
    }

    /// Takes digits as rows until the writes of a tile are runs of neighbours, and the tile is worth its preparation.
    fn take_rows(&mut self, free: &mut Vec<Digit>) {
        let mut run = 1;
        loop {
            if let Some(held) = self.rows.iter().chain(&self.columns).find(|digit| digit.to == run && run < FEWEST_COLUMNS) {
                run *= held.n;
                continue;
            }
            let lanes = self.n_rows() * self.n_columns();
            let is_whole = |digit: &Digit| self.last.is_none_or(|(stride, _)| stride != digit.from);
            let neighbour = free.iter().position(|digit| digit.to == run && run < FEWEST_COLUMNS && is_whole(digit));
            let filling = || (0..free.len()).filter(|&index| is_whole(&free[index])).min_by_key(|&index| free[index].from);
            let (index, least) = match (neighbour, filling()) {
                (Some(index), _) => (index, FEWEST_COLUMNS.div_ceil(run)),
                (None, Some(index)) if lanes < SMALLEST_TILE => (index, SMALLEST_TILE.div_ceil(lanes)),
                _ => return,
            };
            let mut digit = free.remove(index);
            let n = (least..=digit.n).find(|&n| digit.n.is_multiple_of(n)).unwrap_or(digit.n);
            if lanes * n > LARGEST_TILE {
                free.push(digit);
                return;
            }
            free.extend((digit.n > n).then(|| digit.split(n)));
            run *= if neighbour.is_some() { digit.n } else { 1 };
            self.rows.push(digit);
        }
    }
}

/// The sums of a stride over all values of the digits; the first digit changes fastest.
pub(super) fn sums<'a>(digits: impl IntoIterator<Item = &'a Digit>, stride: impl Fn(&Digit) -> usize) -> Vec<usize> {
    digits.into_iter().fold(vec![0], |sums, digit| {
        (0..digit.n).flat_map(|value| sums.iter().map(move |sum| (value, *sum))).map(|(value, sum)| sum + value * stride(digit)).collect()
    })
}

//! The permutation between the lanes where in-place lifting leaves wavelet coefficients and the Mallat layout.

use super::Direction;

/// The layout of an image after `levels` levels of a wavelet transform along both axes; an image of one row is a line.
///
/// In place, row | column of a coefficient of level t + 1 has its lowest 1 at bit t. The Mallat layout puts the coarsest first along both axes.
/// An axis of n samples has ceil(n/2) low-pass and floor(n/2) high-pass coefficients; an axis of one sample is never halved.
/// Further images follow the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PyramidLayout {
    /// Rows of the image.
    pub rows: usize,
    /// Columns of the image.
    pub columns: usize,
    /// Number of levels.
    pub levels: u32,
    /// Cyclic shift of each high-pass band: coefficient i of the result comes from position i + `rotation`.
    pub rotation: usize,
    /// Forward to the Mallat layout, inverse back to the lanes in place.
    pub direction: Direction,
}

impl PyramidLayout {
    /// Lanes of the image.
    pub fn lanes(&self) -> usize {
        self.rows * self.columns
    }

    /// The lane to which the value of `lane` goes.
    pub fn apply(&self, lane: usize) -> usize {
        let inside = lane % self.lanes();
        let position = [inside / self.columns, inside % self.columns];
        let [y, x] = match self.direction {
            Direction::Forward => self.sorted(position),
            Direction::Inverse => self.in_place(position),
        };
        lane - inside + y * self.columns + x
    }

    /// From row and column in place to row and column in the Mallat layout.
    fn sorted(&self, [y, x]: [usize; 2]) -> [usize; 2] {
        let level = (y | x).trailing_zeros().min(self.levels);
        let along = |c: usize, n: usize| {
            let left = c >> level;
            match (level == self.levels, left % 2) {
                (true, _) => left,
                (false, 0) => left / 2,
                _ => {
                    let [n_low, n_high] = halves(n, level);
                    n_low + (left / 2 + n_high - self.rotation % n_high) % n_high
                }
            }
        };
        [along(y, self.rows), along(x, self.columns)]
    }

    /// The inverse of [`Self::sorted`].
    fn in_place(&self, [y, x]: [usize; 2]) -> [usize; 2] {
        let holds = |level: &u32| y < halved(self.rows, *level) && x < halved(self.columns, *level);
        let level = (0..=self.levels).rev().find(holds).unwrap_or(0);
        let along = |c: usize, n: usize| {
            if level == self.levels {
                return c << level;
            }
            let [n_low, n_high] = halves(n, level);
            let twice = if c < n_low { 2 * c } else { 2 * ((c - n_low + self.rotation) % n_high) + 1 };
            twice << level
        };
        [along(y, self.rows), along(x, self.columns)]
    }
}

/// Low-pass coefficients of `n` samples after `levels` levels: ceil(n/2^levels).
pub fn halved(n: usize, levels: u32) -> usize {
    n.div_ceil(1 << levels)
}

/// Numbers of low-pass and high-pass coefficients of level `level` + 1.
fn halves(n: usize, level: u32) -> [usize; 2] {
    let low = halved(n, level + 1);
    [low, halved(n, level) - low]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lane in place of every coefficient of the Mallat layout.
    fn layout(rows: usize, columns: usize, levels: u32, rotation: usize) -> Vec<usize> {
        let pyramid = PyramidLayout { rows, columns, levels, rotation, direction: Direction::Forward };
        let back = PyramidLayout { direction: Direction::Inverse, ..pyramid };
        let mut names = vec![usize::MAX; rows * columns];
        for lane in 0..rows * columns {
            let to = pyramid.apply(lane);
            assert_eq!(back.apply(to), lane, "{pyramid:?}");
            assert_eq!(pyramid.apply(lane + 3 * rows * columns), to + 3 * rows * columns, "further images are sorted alike");
            names[to] = lane;
        }
        assert!(!names.contains(&usize::MAX), "{pyramid:?} is no permutation");
        names
    }

    #[test]
    fn lines_are_sorted_coarsest_first() {
        assert_eq!(layout(1, 8, 3, 0), [0, 4, 2, 6, 1, 3, 5, 7]);
        assert_eq!(layout(1, 7, 2, 0), [0, 4, 2, 6, 1, 3, 5]);
        assert_eq!(layout(1, 5, 3, 0), [0, 4, 2, 1, 3]);
        assert_eq!(layout(1, 8, 2, 1), [0, 4, 6, 2, 3, 5, 7, 1]);
        assert_eq!(layout(1, 1, 0, 0), [0]);
    }

    #[test]
    fn images_are_sorted_as_mallat_does() {
        // High-pass along x is on the right, along y below; the second level fills the top left quarter.
        assert_eq!(layout(4, 4, 1, 0), [0, 2, 1, 3, 8, 10, 9, 11, 4, 6, 5, 7, 12, 14, 13, 15]);
        assert_eq!(layout(4, 4, 2, 0)[..4], [0, 2, 1, 3]);
        assert_eq!(layout(4, 4, 2, 0)[4..8], [8, 10, 9, 11]);
        for rows in 1..8 {
            for columns in 1..12 {
                for levels in 0..4 {
                    layout(rows, columns, levels, 1);
                }
            }
        }
    }
}

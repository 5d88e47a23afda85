//! Where the coefficients of a wavelet transform in place go: from the lanes in which lifting leaves them to the Mallat layout, and back.

use super::Direction;

/// The layout of a picture that was halved `levels` times along both axes, each time what was low-pass along both; one row is a line.
///
/// In place, the coefficients of level t + 1 stand where the lowest 1 of row | column is digit t; in the Mallat layout the coarsest stand first along both axes.
/// Each axis has ceil(n/2) low and floor(n/2) high coefficients of n; an axis of one sample is never halved.
/// Lanes beyond the first picture are those of further pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PyramidLayout {
    /// Rows of the picture.
    pub rows: usize,
    /// Columns of the picture.
    pub columns: usize,
    /// How often it was halved.
    pub levels: u32,
    /// How many places before its lane, around its band, a high-pass coefficient stands.
    pub rotation: usize,
    /// Forward to the Mallat layout, inverse from there to the lanes in place.
    pub direction: Direction,
}

impl PyramidLayout {
    /// Lanes of the picture.
    pub fn lanes(&self) -> usize {
        self.rows * self.columns
    }

    /// The lane to which the value of `lane` goes.
    pub fn apply(&self, lane: usize) -> usize {
        let inside = lane % self.lanes();
        let place = [inside / self.columns, inside % self.columns];
        let [y, x] = match self.direction {
            Direction::Forward => self.sorted(place),
            Direction::Inverse => self.in_place(place),
        };
        lane - inside + y * self.columns + x
    }

    /// From the place of a coefficient to where it stands in the Mallat layout.
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

    /// From the Mallat layout back.
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

/// Samples that are left of `n` after so many halvings: ceil(n/2^levels).
pub fn halved(n: usize, levels: u32) -> usize {
    n.div_ceil(1 << levels)
}

/// How many low and how many high coefficients the halving after `level` others makes.
fn halves(n: usize, level: u32) -> [usize; 2] {
    let low = halved(n, level + 1);
    [low, halved(n, level) - low]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stands in the Mallat layout, named by where it stood in place.
    fn layout(rows: usize, columns: usize, levels: u32, rotation: usize) -> Vec<usize> {
        let pyramid = PyramidLayout { rows, columns, levels, rotation, direction: Direction::Forward };
        let back = PyramidLayout { direction: Direction::Inverse, ..pyramid };
        let mut names = vec![usize::MAX; rows * columns];
        for lane in 0..rows * columns {
            let to = pyramid.apply(lane);
            assert_eq!(back.apply(to), lane, "{pyramid:?}");
            assert_eq!(pyramid.apply(lane + 3 * rows * columns), to + 3 * rows * columns, "further pictures are sorted alike");
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
    fn pictures_are_sorted_as_mallat_does() {
        // High-pass along x stands to the right, along y below; the second level only in the quarter at the top left.
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

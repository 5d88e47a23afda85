//! Padding: samples that are added at the end of rows and columns.

use crate::transforms::{Axes, Shape};
use serde::{Deserialize, Serialize};

/// The size after padding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Extent {
    /// As it is.
    #[default]
    None,
    /// The next product of 2, 3, 5 and 7 along every transformed axis.
    Fast,
    /// The next power of two along every transformed axis.
    Power,
    /// This many times the size along every transformed axis.
    Factor(usize),
    /// These rows and columns; what is larger is cropped at its end.
    To([usize; 2]),
}

crate::choice! {
    /// The values that are added.
    pub enum Fill {
        /// Adds zeros at the end of rows and columns.
        #[default]
        Zeros = "Zeros", "zeros";
        /// Adds the mean of what is padded.
        Mean = "Mean", "mean";
        /// Adds the samples in reverse, the last one first.
        Mirror = "Mirror", "mirror";
    }
}

/// The values that are added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Padding {
    /// The size.
    pub extent: Extent,
    /// The values.
    pub fill: Fill,
}

impl Padding {
    /// The size after padding, along the axes of a transform.
    pub fn shape(self, shape: Shape, axes: Axes) -> Shape {
        let along = |to: &dyn Fn(usize) -> usize| Shape {
            rows: if axes.along_columns() { to(shape.rows) } else { shape.rows },
            columns: if axes.along_rows() { to(shape.columns) } else { shape.columns },
        };
        match self.extent {
            Extent::None => shape,
            Extent::Fast => along(&fast_size),
            Extent::Power => along(&|n| n.checked_next_power_of_two().unwrap_or(usize::MAX)),
            Extent::Factor(factor) => along(&|n| n.saturating_mul(factor.max(1))),
            Extent::To([rows, columns]) => Shape { rows: rows.max(1), columns: columns.max(1) },
        }
    }

    /// Where the values of an axis of `n` come from; `None` is filled.
    pub(super) fn sources(self, n: usize, to: usize) -> Vec<Option<usize>> {
        let mirrored = |index: usize| match index % (2 * n) {
            first if first < n => first,
            second => 2 * n - 1 - second,
        };
        crate::signal::picks(to, |index| if self.fill == Fill::Mirror { Some(mirrored(index)) } else { (index < n).then_some(index) })
    }
}

/// The smallest product of 2, 3, 5 and 7 that is not below `n`.
pub fn fast_size(n: usize) -> usize {
    // Every product of powers of 3, 5 and 7 up to the first ones that are not below n, with the smallest power of 2 that makes it so.
    let powers = |prime: usize| {
        std::iter::successors(Some(1_usize), move |power| power.checked_mul(prime)).take_while(move |power| power / prime < n)
    };
    let odd = powers(3).flat_map(|threes| powers(5).map(move |fives| threes.saturating_mul(fives)));
    let odd = odd.flat_map(|product| powers(7).map(move |sevens| product.saturating_mul(sevens)));
    let reached = odd.filter_map(|product| n.div_ceil(product).checked_next_power_of_two()?.checked_mul(product));
    reached.chain(n.checked_next_power_of_two()).min().unwrap_or(n).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_asked_for() {
        let shape = Shape { rows: 11, columns: 127 };
        let padded = |extent, axes| Padding { extent, fill: Fill::Zeros }.shape(shape, axes);
        assert_eq!(padded(Extent::Fast, Axes::Both), Shape { rows: 12, columns: 128 });
        assert_eq!(padded(Extent::Fast, Axes::Rows), Shape { rows: 11, columns: 128 });
        assert_eq!(padded(Extent::Power, Axes::Columns), Shape { rows: 16, columns: 127 });
        assert_eq!(padded(Extent::Factor(3), Axes::Both), Shape { rows: 33, columns: 381 });
        assert_eq!(padded(Extent::To([8, 200]), Axes::Both), Shape { rows: 8, columns: 200 });
        assert_eq!([0, 1, 7, 11, 13, 97, 1021].map(fast_size), [1, 1, 7, 12, 14, 98, 1024]);
        let is_fast = |n: usize| {
            [2, 3, 5, 7].iter().fold(n, |left, prime| (0..12).fold(left, |left, _| if left % prime == 0 { left / prime } else { left }))
                == 1
        };
        assert!((1..3000).all(|n| (n..fast_size(n)).all(|below| !is_fast(below)) && is_fast(fast_size(n))));
    }

    #[test]
    fn a_mirror_begins_with_the_last_sample() {
        let mirror = Padding { extent: Extent::None, fill: Fill::Mirror };
        let indices: Vec<usize> = mirror.sources(3, 8).into_iter().flatten().collect();
        assert_eq!(indices, [0, 1, 2, 2, 1, 0, 0, 1]);
    }
}

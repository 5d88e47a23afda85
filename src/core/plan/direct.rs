//! Direct sums: every result is a sum over all lanes of a line, as a definition writes it.
//!
//! The factors of all terms are in a short table, from which a formula of row and column takes its entry, so that no N × N matrix is in memory.

use super::{Coef, Direction, Loop, Matrix, Operation, ReadPattern, Stage, WritePattern};

/// The operation of a dense stage: the result at position p is a sum over terms k = 0, 1, …
#[derive(Debug, Clone, PartialEq)]
pub struct DirectSum {
    /// Number of terms.
    n: usize,
    /// A one for every tap.
    ones: Matrix,
    /// The terms of the sum.
    terms: DirectTerms,
}

/// The terms of a direct sum.
#[derive(Debug, Clone, PartialEq)]
pub enum DirectTerms {
    /// Tap k times a root of unity or a wave at the angle 2π·(p·row\[0\] + row\[1\])·(k·column\[0\] + column\[1\])/order.
    Angles {
        /// Parts of a circle.
        order: usize,
        /// The term at every angle.
        values: AngleValues,
        /// The factor of p, and the constant.
        row: [usize; 2],
        /// The factor of k, and the constant.
        column: [usize; 2],
    },
    /// Tap k times entry (p, k) of a Kronecker power of a 2×2 matrix, row-major.
    Kronecker {
        /// The matrix.
        base: [f64; 4],
    },
    /// Tap k times entry (p, k) of the Haar matrix. A row of scale 2^s, one of 2^s rows that are alike, has the factor `weights`\[s\]; row 0 has that of scale 1.
    Haar {
        /// The factors of the scales.
        weights: Vec<f64>,
        /// Whether the matrix is transposed.
        transposed: bool,
    },
    /// Another tap times tap k.
    Products {
        /// Which other tap.
        partner: Partner,
        /// Taps from a lane of the first signal to the same lane of the second one; 0 for a signal and itself.
        distance: usize,
        /// Whether tap k is conjugated.
        conjugated: bool,
    },
}

/// The term of a direct sum at an angle α.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AngleValues {
    /// exp(∓iα).
    Root(Direction),
    /// a·cos α + b·sin α.
    Wave([f64; 2]),
}

/// The lane that is multiplied with lane k of N for result p.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Partner {
    /// k XOR p.
    Xor,
    /// (p − k) modulo N.
    Difference,
    /// (k + p) modulo N.
    Sum,
}

impl Partner {
    /// The partner of lane `k` of `n`.
    pub fn of(self, n: usize, p: usize, k: usize) -> usize {
        match self {
            Self::Xor => p ^ k,
            Self::Difference => (n + p - k) % n,
            Self::Sum => (k + p) % n,
        }
    }
}

impl DirectSum {
    /// The stage that computes `n` results from `n` lanes, or from two signals of `n` lanes where products are asked for.
    pub fn stage(n: usize, terms: DirectTerms) -> Stage {
        let taps = if let DirectTerms::Products { distance, .. } = terms { n + distance } else { n };
        Stage {
            label: format!("{n} terms a result"),
            outer: Loop::ONCE,
            group: Loop::ONCE,
            positions: n,
            read: ReadPattern { advance: 0, ..ReadPattern::in_order(taps) },
            write: WritePattern::IN_ORDER,
            operation: Operation::Direct(Self { n, ones: Matrix::from_fn(1, taps, |_, _| Coef::ONE), terms }),
            twiddle: None,
        }
    }

    /// Number of terms of a result.
    pub fn n_terms(&self) -> usize {
        self.n
    }

    /// The terms of the sum.
    pub fn terms(&self) -> &DirectTerms {
        &self.terms
    }

    /// A row of ones, which has the shape of the butterfly.
    pub fn ones(&self) -> &Matrix {
        &self.ones
    }

    /// Whether taps have factors that do not depend on data.
    pub fn is_linear(&self) -> bool {
        !matches!(self.terms, DirectTerms::Products { .. })
    }

    /// The bits that number the terms.
    pub fn n_bits(&self) -> usize {
        self.n.ilog2() as usize
    }

    /// Whether the factors are the signs (−1)^popcount(p AND k).
    pub fn is_of_signs(&self) -> bool {
        self.terms == DirectTerms::Kronecker { base: [1.0, 1.0, 1.0, -1.0] }
    }

    /// Number of factors in the table.
    pub fn n_entries(&self) -> usize {
        match &self.terms {
            DirectTerms::Angles { order, .. } => *order,
            DirectTerms::Kronecker { .. } if self.is_of_signs() => 2,
            DirectTerms::Kronecker { .. } => (self.n_bits() + 1).pow(3),
            DirectTerms::Haar { weights, .. } => 1 + 2 * weights.len(),
            DirectTerms::Products { .. } => 0,
        }
    }

    /// Entry `index` of the table of factors.
    ///
    /// # Panics
    /// If there is no such entry.
    pub fn entry(&self, index: usize) -> Coef {
        match &self.terms {
            DirectTerms::Angles { order, values: AngleValues::Root(direction), .. } => Coef::root(index as u64, *order as u64, *direction),
            DirectTerms::Angles { order, values: AngleValues::Wave([cosine, sine]), .. } => {
                let root = Coef::root(index as u64, *order as u64, Direction::Inverse).value();
                Coef::Real(cosine * root.re + sine * root.im)
            }
            DirectTerms::Kronecker { .. } if self.is_of_signs() => Coef::Real([1.0, -1.0][index]),
            DirectTerms::Kronecker { base } => {
                let n = self.n_bits();
                let [rows, columns, both] = [index / ((n + 1) * (n + 1)), index / (n + 1) % (n + 1), index % (n + 1)];
                let counts = [(n + both).checked_sub(rows + columns), columns.checked_sub(both), rows.checked_sub(both), Some(both)];
                // No row and column have other counts.
                let power = |(entry, count): (&f64, Option<usize>)| count.map_or(0.0, |count| entry.powi(count as i32));
                Coef::Real(base.iter().zip(counts).map(power).product())
            }
            DirectTerms::Haar { weights, .. } => match index.checked_sub(1) {
                None => Coef::Real(0.0),
                Some(index) => Coef::Real(if index % 2 == 0 { weights[index / 2] } else { -weights[index / 2] }),
            },
            DirectTerms::Products { .. } => panic!("products have no factors"),
        }
    }

    /// The index of the factor of term 0 of result `p` and the step from one term to the next, modulo the number of entries; `None` where steps differ.
    pub fn walk(&self, p: usize) -> Option<[usize; 2]> {
        let DirectTerms::Angles { order, row, column, .. } = self.terms else { return None };
        let row = (p * row[0] + row[1]) % order;
        Some([row * column[1] % order, row * column[0] % order])
    }

    /// The index of the factor of term `k` of result `p`.
    pub fn index(&self, p: usize, k: usize) -> usize {
        if let Some([start, step]) = self.walk(p) {
            return (start + k * step) % self.n_entries();
        }
        let ones = |x: usize| x.count_ones() as usize;
        match self.terms {
            DirectTerms::Kronecker { .. } if self.is_of_signs() => ones(p & k) % 2,
            DirectTerms::Kronecker { .. } => (ones(p) * (self.n_bits() + 1) + ones(k)) * (self.n_bits() + 1) + ones(p & k),
            DirectTerms::Haar { transposed, .. } => {
                let [row, column] = if transposed { [k, p] } else { [p, k] };
                let Some(scale) = row.checked_ilog2() else { return 1 };
                let half = column >> (self.n_bits() - 1 - scale as usize);
                if half >> 1 == row - (1 << scale) { 1 + 2 * scale as usize + half % 2 } else { 0 }
            }
            DirectTerms::Angles { .. } | DirectTerms::Products { .. } => 0,
        }
    }

    /// Visits the index of the factor of every term of result `p`.
    #[inline]
    pub fn for_each_index(&self, p: usize, mut visit: impl FnMut(usize, usize)) {
        let Some([mut at, step]) = self.walk(p) else { return (0..self.n).for_each(|k| visit(k, self.index(p, k))) };
        let order = self.n_entries();
        for k in 0..self.n {
            visit(k, at);
            at += step;
            at -= if at >= order { order } else { 0 };
        }
    }

    /// The factor of tap `k` in result `p`; 1 for products.
    pub fn factor(&self, p: usize, k: usize) -> Coef {
        if self.is_linear() { self.entry(self.index(p, k)) } else { Coef::ONE }
    }

    /// Both taps of term `k` of result `p`, where terms are products; tap `k` is the second.
    pub fn pair(&self, p: usize, k: usize) -> Option<[usize; 2]> {
        let DirectTerms::Products { partner, distance, .. } = self.terms else { return None };
        Some([distance + partner.of(self.n, p, k), k])
    }

    /// Whether the second tap of every product is conjugated.
    pub fn conjugates(&self) -> bool {
        matches!(self.terms, DirectTerms::Products { conjugated: true, .. })
    }

    /// All factors.
    pub fn entries(&self) -> impl Iterator<Item = Coef> + '_ {
        (0..self.n_entries()).map(|index| self.entry(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The factors that a stage visits, row by row.
    fn rows(stage: &Stage) -> Vec<Vec<f64>> {
        let Operation::Direct(sum) = &stage.operation else { panic!("no direct sum") };
        let row = |p: usize| {
            let mut row = vec![f64::NAN; sum.n_terms()];
            sum.for_each_index(p, |k, index| row[k] = sum.entry(index).real().expect("a real factor"));
            row
        };
        let rows: Vec<_> = (0..sum.n_terms()).map(row).collect();
        assert!(rows.iter().enumerate().all(|(p, row)| row.iter().enumerate().all(|(k, x)| sum.factor(p, k) == Coef::Real(*x))));
        rows
    }

    #[test]
    fn factors_are_the_entries_of_small_matrices() {
        let kronecker = |base| rows(&DirectSum::stage(4, DirectTerms::Kronecker { base }));
        assert_eq!(kronecker([1.0, 1.0, 1.0, -1.0])[3], [1.0, -1.0, -1.0, 1.0]);
        assert_eq!(kronecker([1.0, 0.0, -1.0, 1.0]), [[1., 0., 0., 0.], [-1., 1., 0., 0.], [-1., 0., 1., 0.], [1., -1., -1., 1.]]);
        assert_eq!(kronecker([2.0, 3.0, 5.0, 7.0])[1], [10.0, 14.0, 15.0, 21.0]);
        let haar = DirectTerms::Haar { weights: vec![1.0, 3.0], transposed: false };
        assert_eq!(rows(&DirectSum::stage(4, haar)), [[1., 1., 1., 1.], [1., 1., -1., -1.], [3., -3., 0., 0.], [0., 0., 3., -3.]]);
        let waves = DirectTerms::Angles { order: 4, values: AngleValues::Wave([1.0, 2.0]), row: [1, 0], column: [2, 1] };
        assert_eq!(rows(&DirectSum::stage(2, waves)), [[1.0, 1.0], [2.0, -2.0]]);
    }

    #[test]
    fn partners_pair_every_lane_once() {
        let of = |partner: Partner| (0..4).map(|k| partner.of(4, 1, k)).collect::<Vec<_>>();
        assert_eq!([Partner::Xor, Partner::Difference, Partner::Sum].map(of), [[1, 0, 3, 2], [1, 0, 3, 2], [1, 2, 3, 0]]);
    }
}

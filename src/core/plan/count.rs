//! How many additions and multiplications a stage takes.
//!
//! A butterfly that is a Fourier transform of 4, 8 or another power of two is counted as kernels compute it, in columns of radix 2, which share their sums. Any other butterfly is counted edge by edge, as drawn.

use super::shapes::dft_direction;
use super::{Coef, Extension, Operation, Stage};

/// Wider butterflies are counted edge by edge.
const MOST_RADIX: usize = 64;

/// Additions and multiplications. Factors ±1 and ±i are free: they change signs, and exchange real and imaginary part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OperationCounts {
    /// Additions and subtractions in the ring.
    pub additions: u64,
    /// Multiplications in the ring by coefficients other than ±1 and ±i.
    pub multiplications: u64,
}

impl OperationCounts {
    /// The operations of a linear transform by its definition, for some lines of `n` values: every result is a sum of n products. R. Li 2012, section 1.1.
    pub fn by_definition(lines: usize, n: usize) -> Self {
        let (lines, n) = (lines as u64, n as u64);
        let products = lines.saturating_mul(n.saturating_mul(n));
        Self { additions: products - lines * n, multiplications: products }
    }
}

impl std::iter::Sum for OperationCounts {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), |sum, count| Self {
            additions: sum.additions + count.additions,
            multiplications: sum.multiplications + count.multiplications,
        })
    }
}

impl Stage {
    /// Operations of the stage.
    pub fn operations(&self) -> OperationCounts {
        if matches!(self.operation, Operation::Product { .. }) {
            return OperationCounts { additions: 0, multiplications: self.n_butterflies() as u64 };
        }
        if let Some(sum) = self.direct_sum() {
            // Every factor of the table is multiplied, 1 too, unless all of them are signs.
            let (n_results, n_terms) = (self.n_butterflies() as u64, sum.n_terms() as u64);
            let is_free = sum.is_linear() && sum.entries().all(|entry| entry == Coef::Real(0.0) || entry.is_sign());
            return OperationCounts {
                additions: n_results * (n_terms - 1),
                multiplications: if is_free { 0 } else { n_results * n_terms },
            };
        }
        if let Operation::Doubling(step) = self.operation {
            // Where a tap is missing, the other one stays as it is.
            let n_whole = self.read_lanes().count() as u64 - self.n_butterflies() as u64;
            let [additions, multiplications] = step.operations().map(|count| count * n_whole);
            return OperationCounts { additions, multiplications };
        }
        if self.operation == Operation::Eliminate {
            // Each neighbour costs a quotient, three products and two differences. Then a, c and d are divided by b.
            let neighbours = self.read_lanes().count() as u64 - self.n_butterflies() as u64;
            return OperationCounts { additions: 2 * neighbours, multiplications: 4 * neighbours + 3 * self.n_butterflies() as u64 };
        }
        // Outer repetitions cost the same. So do groups without twiddles, and positions without boundary extension.
        let is_plain = self.twiddle.is_none() && !matches!(self.operation, Operation::TwiddledSums(_));
        let (n_groups, alike) = if is_plain { (1, self.group.n) } else { (self.group.n, 1) };
        let (n_positions, alike) =
            if is_plain && self.read.extension == Extension::None { (1, alike * self.positions) } else { (self.positions, alike) };
        let columns = self.columns_of_two();
        let butterflies = (0..n_positions).flat_map(|p| (0..n_groups).map(move |q| (p, q)));
        let sum: OperationCounts = butterflies.map(|(p, q)| self.operations_at(p, q, columns)).sum();
        let alike = (alike * self.outer.n) as u64;
        OperationCounts { additions: alike * sum.additions, multiplications: alike * sum.multiplications }
    }

    /// The number of columns of radix 2 that the butterfly is computed in, where it is a Fourier transform of a power of two.
    fn columns_of_two(&self) -> Option<u32> {
        let (Operation::Linear(matrix) | Operation::TwiddledTaps(matrix)) = &self.operation else { return None };
        let radix = matrix.taps;
        let can_be = matrix.rows == radix && (4..=MOST_RADIX).contains(&radix) && radix.is_power_of_two();
        (can_be && dft_direction(matrix).is_some()).then(|| radix.ilog2())
    }

    /// Operations of the butterfly at position p of group q, which may be computed in columns of radix 2.
    fn operations_at(&self, p: usize, q: usize, columns: Option<u32>) -> OperationCounts {
        let (matrix, counts_taps) = (self.matrix(), self.twiddles_taps());
        let mut sum = OperationCounts::default();
        if counts_taps {
            sum.multiplications = (0..matrix.taps).filter(|&k| !self.twiddle_of(p, q, k).is_free()).count() as u64;
        }
        if let Some(columns) = columns {
            let inside = inside(columns);
            let factors = (0..matrix.rows).filter(|&j| !self.factor(p, q, j).is_free()).count() as u64;
            return OperationCounts {
                additions: inside.additions,
                multiplications: sum.multiplications + inside.multiplications + factors,
            };
        }
        for j in 0..matrix.rows {
            let weight = |k: usize| if counts_taps { matrix.at(j, k) } else { self.weight(p, q, j, k) };
            let live = || (0..matrix.taps).filter(|&k| weight(k) != Coef::Real(0.0) && self.read_lane(p, q, 0, k).is_some());
            sum.additions += (live().count() as u64).saturating_sub(1);
            sum.multiplications += live().filter(|&k| !weight(k).is_free()).count() as u64;
            sum.multiplications += u64::from(live().count() > 0 && !self.factor(p, q, j).is_free());
        }
        sum
    }
}

/// Operations of a Fourier transform of 2 to the power `columns`, in columns of radix 2.
fn inside(columns: u32) -> OperationCounts {
    // A column with blocks of 2^k lanes twiddles half of them; 1 and −i are free.
    let twiddled = |k: u32| (1_u64 << (columns - k)) * ((1 << (k - 1)) - 2);
    OperationCounts { additions: u64::from(columns) << columns, multiplications: (3..=columns).map(twiddled).sum() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Plan;
    use crate::transforms::{Parameters, Shape, transform};

    fn plan(algorithm: &str, n: usize) -> Plan {
        let build = transform("dft").unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
        build(Shape::line(n), Parameters::default()).unwrap()
    }

    #[test]
    fn a_wide_butterfly_is_computed_as_columns_of_narrow_ones() {
        let counts = |algorithm: &str| plan(algorithm, 64).operations();
        for algorithm in ["stockham-2", "stockham-4", "stockham-8", "stockham-dit-4", "stockham-dit-8"] {
            assert_eq!(counts(algorithm).additions, 64 * 6, "{algorithm}");
        }
        // Wider butterflies have fewer twiddles between stages. Those of 8 points have factors (±1 ± i)/√2 inside, which those of 4 have not.
        let [two, four, eight] = ["stockham-2", "stockham-4", "stockham-8"].map(|algorithm| counts(algorithm).multiplications);
        assert!(eight < two && four < two, "{two}, {four}, {eight}");
        assert_eq!(plan("stockham-8", 8).operations(), OperationCounts { additions: 24, multiplications: 2 });
        assert_eq!(plan("stockham-4", 4).operations(), OperationCounts { additions: 8, multiplications: 0 });
    }

    #[test]
    fn products_are_those_of_twiddles_other_than_powers_of_i() {
        // By hand: 6 twiddles of the 16-point column other than 1 and −i, 2 in each of two columns of 8 points.
        assert_eq!(plan("cooley-tukey-dif", 16).operations().multiplications, 6 + 2 * 2);
        // A butterfly of three points is counted edge by edge.
        assert_eq!(plan("stockham", 3).operations(), OperationCounts { additions: 6, multiplications: 4 });
    }
}

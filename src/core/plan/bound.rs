//! Bounds on the values of a plan, computed before it runs so that no integer wraps.

use super::{DirectSum, Plan, Stage};

/// Coefficients with more fractional bits than this count as rounded.
const MOST_BITS: u32 = 60;

impl Plan {
    /// The largest magnitude that any lane can reach after any stage, for integer inputs up to `largest`.
    ///
    /// The unit is the last fractional bit that the coefficients need, so the bound tells how long a mantissa must be.
    /// `None` if a coefficient is not a binary fraction, since values are then rounded anyway. The bound saturates at `u128::MAX`.
    pub fn bound(&self, largest: u64) -> Option<u128> {
        let (mut now, mut most) = (u128::from(largest), u128::from(largest));
        for (index, stage) in self.stages.iter().enumerate() {
            if !stage.is_linear() {
                let n_terms = stage.direct_sum().map_or(1, DirectSum::n_terms);
                now = now.saturating_mul(now).saturating_mul(n_terms as u128);
                most = most.max(now);
                continue;
            }
            let (sum, unit) = stage.gain()?;
            // A lane that keeps its value is measured in the finer unit of the others.
            now = now.saturating_mul(if self.carries(index) { sum.max(unit) } else { sum });
            most = most.max(now);
        }
        Some(most)
    }

    /// A coefficient that single precision has as infinite or zero, or with fewer digits than it keeps of others.
    pub fn coef_beyond_single(&self) -> Option<f64> {
        let is_kept = |coef: f64| coef == 0.0 || (f64::from(f32::MIN_POSITIVE)..=f32::MAX.into()).contains(&coef.abs());
        let coefs = self.stages.iter().flat_map(|stage| stage.operation.coefs());
        coefs.filter_map(|coef| coef.real()).find(|coef| !is_kept(*coef))
    }
}

impl Stage {
    /// The largest sum of magnitudes in a row of the operation, and the number 1, both in units of the last fractional bit of the coefficients.
    fn gain(&self) -> Option<(u128, u128)> {
        if let Some(sum) = self.direct_sum() {
            let largest = sum.entries().try_fold(0, |largest: u64, entry| Some(largest.max(entry.integer()?.unsigned_abs())));
            return Some((u128::from(largest?).saturating_mul(sum.n_terms() as u128), 1));
        }
        let matrix = self.matrix();
        let values: Vec<f64> = matrix.coefs.iter().map(|coef| coef.real()).collect::<Option<_>>()?;
        let bits = (0..=MOST_BITS).find(|&n| values.iter().all(|value| (value * (n as f64).exp2()).fract() == 0.0))?;
        let unit = 1_u128 << bits;
        // The conversion saturates, which keeps the bound valid.
        let sums =
            values.chunks(matrix.taps).map(|row| row.iter().map(|value| (value.abs() * unit as f64) as u128).fold(0, u128::saturating_add));
        Some((sums.max().unwrap_or(0), unit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Coef, Loop, Matrix, Operation, ReadPattern, ResultOrder, Ring, WritePattern};

    fn plan(coefs: [f64; 4], positions: usize) -> Plan {
        let stage = Stage {
            label: String::new(),
            outer: Loop::ONCE,
            group: Loop::ONCE,
            positions,
            read: ReadPattern { advance: 2, ..ReadPattern::in_order(4) },
            write: WritePattern { first: 0, advance: 2, hop: 1, ..WritePattern::IN_ORDER },
            operation: Operation::Linear(Matrix::from_fn(2, 2, |j, k| Coef::Real(coefs[2 * j + k]))),
            twiddle: None,
        };
        let stages = vec![stage; 3];
        Plan::new(Ring::of(&stages), 4, stages, ResultOrder::Natural)
    }

    #[test]
    fn coefficients_beyond_single_precision_are_found() {
        assert_eq!(
            [[1e160, 0.0, 0.0, 1.0], [1.0, -1e-40, 0.0, 1.0]].map(|coefs| plan(coefs, 2).coef_beyond_single()),
            [Some(1e160), Some(-1e-40)]
        );
        assert_eq!(plan([3e38, -2e-38, 0.0, 1.0], 2).coef_beyond_single(), None);
    }

    #[test]
    fn bounds_are_sums_of_magnitudes() {
        assert_eq!(plan([1.0, 1.0, 1.0, -1.0], 2).bound(5), Some(40));
        assert_eq!(plan([3.0, -4.0, 0.0, 1.0], 2).bound(1), Some(343));
        assert_eq!(plan([0.0; 4], 2).bound(9), Some(9));
        // Three halvings of 1 need the eighths: 8 units.
        assert_eq!(plan([0.5, 0.0, 0.0, 0.5], 1).bound(1), Some(8));
        assert_eq!(plan([0.5, 0.5, 0.5, -0.5], 2).bound(1), Some(8));
        // A third fills the whole mantissa at once.
        assert!(plan([1.0 / 3.0, 0.0, 0.0, 1.0], 2).bound(1) > Some(1 << 53));
        assert_eq!(plan([1e30, 0.0, 0.0, 1.0], 2).bound(1 << 62), Some(u128::MAX));
    }
}

//! The steps of recursive doubling, which solves tridiagonal systems by three scans over lanes 1, 2, 4 … apart.
//!
//! Elimination from the first equation on has the pivots u\[i\] = b − a·c\[i−1\]/u\[i−1\]. How far a pivot exceeds its neighbour, w = u − |c|, follows from the one before
//! by a map w ↦ (b·w + a)/(c·w + d), and maps compose as 2×2 matrices multiply. Divided by the pivots, the equations are L·U·x = d with two diagonals in L and in U.
//! Where a and c are negative and b is at least their sum, no map subtracts anything, so that pivots keep their digits in any order of the products:
//! W. K. Grassmann, M. I. Taksar, D. P. Heyman, Regenerative analysis and steady state distributions for Markov chains (1985).

use super::{Real, ReducedEquation};

/// A step of recursive doubling on two taps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Doubling {
    /// From the equation before and the own one, the map of the own pivot, and the own equation as it was.
    PivotMap,
    /// The own map after the one before.
    Compose,
    /// From the map of a pivot and its equation, the equation divided by its pivot.
    Divide,
    /// From the equation before and the own one, the own one without the unknown before.
    Forward,
    /// From the own equation and the one behind, the own one without the unknown behind.
    Backward,
}

impl Doubling {
    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::PivotMap => "pivot-map",
            Self::Compose => "compose",
            Self::Divide => "divide",
            Self::Forward => "forward",
            Self::Backward => "backward",
        }
    }

    /// Whether equations change; the other steps make maps.
    pub fn changes_equations(self) -> bool {
        matches!(self, Self::Divide | Self::Forward | Self::Backward)
    }

    /// Additions and multiplications of a butterfly whose taps are all there; scaling by powers of two is free.
    pub(super) fn operations(self) -> [u64; 2] {
        match self {
            Self::PivotMap => [3, 1],
            Self::Compose => [4, 8],
            Self::Divide => [1, 4],
            Self::Forward | Self::Backward => [1, 2],
        }
    }

    /// The results; only those of [`Self::PivotMap`] are two.
    #[inline]
    pub fn apply<T: Real>(self, [first, second]: [ReducedEquation<T>; 2]) -> [ReducedEquation<T>; 2] {
        let one = match self {
            Self::PivotMap => first.pivot_map(second),
            Self::Compose => first.then(second),
            Self::Divide => second.divided_by_pivot(first),
            Self::Forward => ReducedEquation { a: T::from(0) - second.a * first.a, d: second.d - second.a * first.d, ..second },
            Self::Backward => ReducedEquation { c: T::from(0) - first.c * second.c, d: first.d - first.c * second.d, ..first },
        };
        [one, second]
    }
}

impl<T: Real> ReducedEquation<T> {
    /// Multiplied by a power of two and a sign, so that b is not negative and the largest coefficient is about 1.
    fn in_units(self) -> Self {
        let size = larger(larger(self.a.magnitude(), self.b.magnitude()), self.c.magnitude()).binade();
        self.over(if self.b < T::from(0) { T::from(0) - size } else { size })
    }

    fn over(self, divisor: T) -> Self {
        let Self { a, b, c, d } = self;
        Self { a: a / divisor, b: b / divisor, c: c / divisor, d: d / divisor }
    }

    /// The map of the pivot of `own` from that of this equation, which is before it: w ↦ (b·w + a)/(c·w + d) of both w in units of their equations.
    fn pivot_map(self, own: Self) -> Self {
        let (before, own) = (self.in_units(), own.in_units());
        let (to_before, to_own) = (if before.c < T::from(0) { T::from(0) - own.a } else { own.a }, before.c.magnitude());
        let behind = own.c.magnitude();
        // The larger neighbour is subtracted first, as it takes most of b.
        let excess = if to_before.magnitude() > behind { own.b - to_before - behind } else { own.b - behind - to_before };
        Self { a: excess * to_own, b: own.b - behind, c: T::from(1), d: to_own }.normalised()
    }

    /// The map `next` after this one. Before the first pivot there is nothing: (0, 1, 0, 0), which maps to infinity.
    fn then(self, next: Self) -> Self {
        Self {
            a: next.b * self.a + next.a * self.d,
            b: next.b * self.b + next.a * self.c,
            c: next.c * self.b + next.d * self.c,
            d: next.c * self.a + next.d * self.d,
        }
        .normalised()
    }

    /// The same map with a largest number of about 1; only powers of two are divided by.
    fn normalised(self) -> Self {
        let Self { a, b, c, d } = self;
        self.over(larger(larger(a.magnitude(), b.magnitude()), larger(c.magnitude(), d.magnitude())).binade())
    }

    /// The equation divided by its pivot, which `map` gives after all maps before it.
    fn divided_by_pivot(self, map: Self) -> Self {
        let own = self.in_units();
        Self { b: T::from(1), ..own.over(map.b / map.c + own.c.magnitude()) }
    }
}

fn larger<T: Real>(a: T, b: T) -> T {
    if b > a { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: ReducedEquation<f64> = ReducedEquation { a: 0.0, b: 1.0, c: 0.0, d: 0.0 };

    fn row(row: [f64; 4]) -> ReducedEquation<f64> {
        row.into()
    }

    #[test]
    fn maps_give_pivots() {
        // The pivots of 2, −1: 2, 3/2, 4/3; each exceeds 1 by 1, 1/2, 1/3. The sign of an equation makes no difference.
        let rows = [[0.0, 2.0, -1.0, 1.0], [1.0, -2.0, 1.0, 1.0], [-4.0, 8.0, -4.0, 1.0]].map(row);
        let maps = [NOTHING.pivot_map(rows[0]), rows[0].pivot_map(rows[1]), rows[1].pivot_map(rows[2])];
        let found = [maps[0], maps[0].then(maps[1]), maps[0].then(maps[1].then(maps[2]))].map(|map| NOTHING.then(map));
        for ((map, row), (excess, pivot)) in found.into_iter().zip(rows).zip([(1.0, 2.0), (0.5, 1.5), (1.0 / 3.0, 4.0 / 3.0)]) {
            // The unit of an equation is the power of two of its diagonal.
            assert!((map.b / map.c - excess / 2.0).abs() < 1e-15, "{map:?}");
            let divided = row.divided_by_pivot(map);
            assert!((divided.c + 1.0 / pivot).abs() < 1e-15 && divided.b == 1.0, "{divided:?}");
        }
    }

    #[test]
    fn composition_is_associative_and_normalised() {
        let maps = [[3.0, -2.0, 1.0, 5.0], [0.5, 4.0, -7.0, 1e-3], [1.0, 1.0, 2.0, -9.0]].map(row);
        let [left, right] = [maps[0].then(maps[1]).then(maps[2]), maps[0].then(maps[1].then(maps[2]))].map(<[f64; 4]>::from);
        let ratio = left[0] / right[0];
        assert!(left.iter().zip(right).all(|(x, y)| (x / y / ratio - 1.0).abs() < 1e-13), "{left:?}, {right:?}");
        assert!(left.iter().chain(&right).all(|x| x.abs() < 2.0));
    }

    #[test]
    fn a_zero_pivot_never_gives_a_finite_row() {
        let zero = row([0.0, 0.0, 1.0, 1.0]);
        let divided = zero.divided_by_pivot(NOTHING.then(NOTHING.pivot_map(zero)));
        assert!(!divided.d.is_finite(), "{divided:?}");
        assert!(row([0.0; 4]).divided_by_pivot(NOTHING.pivot_map(row([0.0; 4]))).d.is_nan());
    }
}

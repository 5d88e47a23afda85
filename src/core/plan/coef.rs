//! Exact coefficients: the drawing shows ω³₁₆ instead of 0.3827.

use num_complex::Complex64;
use std::f64::consts::TAU;

/// From samples to spectrum, or back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
pub enum Direction {
    /// From samples to spectrum.
    #[default]
    Forward,
    /// From spectrum to samples.
    Inverse,
}

/// The exact factor of an edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Coef {
    /// A real number.
    Real(f64),
    /// ω to the power `numerator`, where ω = exp(−2πi/`denominator`); 0 ≤ numerator < denominator.
    Root {
        /// The power.
        numerator: u64,
        /// The order of the root.
        denominator: u64,
    },
    /// A complex number, for instance from a table.
    Complex {
        /// Real part.
        re: f64,
        /// Imaginary part.
        im: f64,
    },
}

impl Coef {
    /// 1.
    pub const ONE: Self = Self::Real(1.0);

    /// ω to the power `exponent`, ω = exp(−2πi/`order`); the inverse direction conjugates.
    /// Roots that are 1 or −1 become real.
    pub fn root(exponent: u64, order: u64, direction: Direction) -> Self {
        let power = exponent % order;
        let numerator = match direction {
            Direction::Forward => power,
            Direction::Inverse => (order - power) % order,
        };
        let divisor = gcd(numerator, order);
        match (numerator / divisor, order / divisor) {
            (0, _) => Self::ONE,
            (1, 2) => Self::Real(-1.0),
            _ => Self::Root { numerator, denominator: order },
        }
    }

    /// A number, stored as real if its imaginary part is zero.
    pub fn of(value: Complex64) -> Self {
        if value.im == 0.0 { Self::Real(value.re) } else { Self::complex(value) }
    }

    /// A complex number, even if its imaginary part is zero.
    pub fn complex(value: Complex64) -> Self {
        Self::Complex { re: value.re, im: value.im }
    }

    /// The number in double precision; ±1 and ±i are exact.
    pub fn value(self) -> Complex64 {
        match self {
            Self::Real(x) => x.into(),
            Self::Root { numerator, denominator } => root_value(numerator, denominator),
            Self::Complex { re, im } => Complex64::new(re, im),
        }
    }

    /// The number if it is real.
    pub fn real(self) -> Option<f64> {
        match self {
            Self::Real(x) => Some(x),
            Self::Root { .. } | Self::Complex { .. } => None,
        }
    }

    /// The number if it is an integer that double precision holds exactly.
    pub fn integer(self) -> Option<i64> {
        self.real().filter(|x| x.fract() == 0.0 && x.abs() <= (1_u64 << 53) as f64).map(|x| x as i64)
    }

    /// The divisor if the coefficient is the reciprocal of an integer.
    pub fn divisor(self) -> Option<i64> {
        // The reciprocal of a rounded reciprocal may miss the integer by a rounding.
        let divisor = self.real().map(|x| (1.0 / x).round()).filter(|d| *d != 0.0 && d.abs() <= (1_u64 << 53) as f64)?;
        (self == Self::Real(1.0 / divisor)).then_some(divisor as i64)
    }

    /// The product: exact if both factors are roots or signs, otherwise rounded.
    pub fn times(self, other: Self) -> Self {
        match (self, other) {
            (Self::Real(a), Self::Real(b)) => Self::Real(a * b),
            (Self::Root { numerator, denominator }, Self::Real(x)) | (Self::Real(x), Self::Root { numerator, denominator }) => {
                if x == 1.0 {
                    Self::Root { numerator, denominator }
                } else if x == -1.0 {
                    Self::root(2 * numerator + denominator, 2 * denominator, Direction::Forward).reduced()
                } else {
                    Self::of(Self::Root { numerator, denominator }.value() * x)
                }
            }
            (Self::Complex { .. }, _) | (_, Self::Complex { .. }) => Self::complex(self.value() * other.value()),
            (Self::Root { numerator: a, denominator: m }, Self::Root { numerator: b, denominator: n }) => {
                let order = m / gcd(m, n) * n;
                Self::root(a * (order / m) + b * (order / n), order, Direction::Forward)
            }
        }
    }

    /// The same root with the smallest denominator.
    pub fn reduced(self) -> Self {
        match self {
            Self::Real(_) | Self::Complex { .. } => self,
            Self::Root { numerator, denominator } => {
                let divisor = gcd(numerator, denominator);
                Self::Root { numerator: numerator / divisor, denominator: denominator / divisor }
            }
        }
    }

    /// Whether it is 1 or −1.
    pub fn is_sign(self) -> bool {
        matches!(self, Self::Real(x) if x == 1.0 || x == -1.0)
    }

    /// Whether a product with it costs nothing: ±1 changes signs, ±i exchanges real and imaginary part too.
    pub fn is_free(self) -> bool {
        match self {
            Self::Root { numerator, denominator } => (4 * numerator).is_multiple_of(denominator),
            Self::Complex { re, im } => (re == 0.0 && im.abs() == 1.0) || (im == 0.0 && re.abs() == 1.0),
            Self::Real(_) => self.is_sign(),
        }
    }

    /// The label of an edge: `1`, `−1`, `0.5`, `1.586`, `ω³₁₆`. Long numbers are rounded to four digits.
    pub fn text(self) -> String {
        match self {
            Self::Real(x) if x < 0.0 => format!("−{}", short(-x)),
            Self::Real(x) => short(x),
            Self::Root { numerator, denominator } => {
                format!("ω{}{}", script(numerator, SUPERSCRIPT), script(denominator, SUBSCRIPT))
            }
            Self::Complex { re, im } => {
                let [re, im] = [re, im].map(|part| crate::numerals::fixed(part, 3).replace('-', "−"));
                format!("({re}{}{im}i)", if im.starts_with('−') { "" } else { "+" })
            }
        }
    }
}

/// A non-negative number in full if it is short, otherwise with four significant digits.
fn short(x: f64) -> String {
    const LONGEST: usize = 7;
    let full = format!("{x}");
    match x.log10().floor() {
        _ if full.len() <= LONGEST || !x.is_normal() => full,
        exponent if (-4.0..4.0).contains(&exponent) => format!("{x:.*}", (3.0 - exponent) as usize),
        _ => format!("{x:.3e}"),
    }
}

const SUPERSCRIPT: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
const SUBSCRIPT: [char; 10] = ['₀', '₁', '₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉'];

fn script(number: u64, digits: [char; 10]) -> String {
    number.to_string().bytes().map(|digit| digits[usize::from(digit - b'0')]).collect()
}

/// exp(−2πi·numerator/denominator). Reducing the angle to one octant makes symmetric roots agree to the last bit.
fn root_value(numerator: u64, denominator: u64) -> Complex64 {
    let (octant, rest) = (8 * numerator / denominator, 8 * numerator % denominator);
    let angle = |eighths: u64| TAU * eighths as f64 / (8.0 * denominator as f64);
    let (sin, cos) = angle(rest).sin_cos();
    let (sin_back, cos_back) = angle(denominator - rest).sin_cos();
    match octant {
        0 => Complex64::new(cos, -sin),
        1 => Complex64::new(sin_back, -cos_back),
        2 => Complex64::new(-sin, -cos),
        3 => Complex64::new(-cos_back, -sin_back),
        4 => Complex64::new(-cos, sin),
        5 => Complex64::new(-sin_back, cos_back),
        6 => Complex64::new(sin, cos),
        _ => Complex64::new(cos_back, sin_back),
    }
}

pub(super) fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_equal_their_definition() {
        for denominator in 1..40_u64 {
            for numerator in 0..denominator {
                // The textbook formula is accurate for angles within ±π.
                let power = if 2 * numerator > denominator { numerator as f64 - denominator as f64 } else { numerator as f64 };
                let angle = -TAU * power / denominator as f64;
                let expected = Complex64::new(angle.cos(), angle.sin());
                assert!((Coef::root(numerator, denominator, Direction::Forward).value() - expected).norm() < 1e-15);
                assert!((Coef::root(numerator, denominator, Direction::Inverse).value() - expected.conj()).norm() < 1e-15);
            }
        }
    }

    #[test]
    fn products_are_exact() {
        let third = Coef::root(3, 16, Direction::Forward);
        assert_eq!(third.text(), "ω³₁₆");
        assert_eq!(third.times(Coef::root(5, 16, Direction::Forward)), Coef::Real(-1.0));
        assert!((third.times(Coef::Real(-1.0)).value() + third.value()).norm() < 1e-16);
        assert_eq!(Coef::root(4, 16, Direction::Forward).value(), Complex64::new(0.0, -1.0));
        let long = [1.586_134_342, -0.052_980_118, 1e-5, 12_345.678, 0.5, 1024.0, 0.0].map(|x| Coef::Real(x).text());
        assert_eq!(long, ["1.586", "−0.05298", "0.00001", "1.235e4", "0.5", "1024", "0"]);
        let tabled = Coef::complex(Complex64::new(0.25, -0.5));
        assert_eq!([tabled, Coef::complex(Complex64::new(-0.0625, -1e-9))].map(Coef::text), ["(0.250−0.500i)", "(−0.062+0.000i)"]);
        assert_eq!(tabled.times(Coef::Real(-2.0)).value(), Complex64::new(-0.5, 1.0));
    }
}

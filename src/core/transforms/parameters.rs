//! The parameters of transforms, with the names that the command line, the window and session files give them.

use super::{Shape, Unsupported};
use crate::numerals::number;
use crate::plan::Direction;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

/// Everything that an algorithm needs beside the shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Parameters {
    /// From samples to the spectrum, or back.
    pub direction: Direction,
    /// The axis of a batch along which its signals lie.
    pub lines: BatchAxis,
    /// Lanes of the local part of `global-local`; `None` takes the algorithm's own choice.
    pub tile_lanes: Option<usize>,
    /// The shape that a miniature stands for: an algorithm that chooses radices by the length chooses them by this one. `None` for a plan that is no miniature.
    #[serde(skip)]
    pub stands_for: Option<Shape>,
    /// The order of a Walsh spectrum, or of the coefficients of another Kronecker power.
    pub order: RowOrder,
    /// Whether the rows of the transform's matrix have norm 1.
    pub normalized: bool,
    /// The matrix whose Kronecker powers are taken.
    pub matrix: Base,
    /// Samples of a row that the inverse makes of a half spectrum; `None` takes the even number.
    pub columns: Option<usize>,
    /// Levels of a wavelet transform; `None` takes four, or fewer where the length allows fewer.
    pub levels: Option<usize>,
    /// The boundary extension of a wavelet transform.
    pub boundary: Boundary,
    /// The order of the blocks of wavelet packets.
    pub packet_order: PacketOrder,
}

impl Parameters {
    /// The same parameters for one line of a shape; `of` gives its length.
    pub(super) fn along(self, of: impl FnOnce(Shape) -> usize) -> Self {
        Self { stands_for: self.stands_for.map(|shape| Shape::line(of(shape))), ..self }
    }

    /// The order of coefficients of a Kronecker power whose rows have no sign changes to count: natural or dyadic.
    pub(super) fn index_order(&self) -> RowOrder {
        if self.order == RowOrder::Dyadic { RowOrder::Dyadic } else { RowOrder::Natural }
    }

    /// Real samples of a row with `columns` values: samples, or in the inverse direction values of a half spectrum.
    pub fn samples_of(&self, columns: usize) -> usize {
        match self.direction {
            Direction::Forward => columns,
            // A half spectrum of one value belongs to one sample.
            Direction::Inverse => self.columns.unwrap_or(if columns < 2 { columns } else { 2 * (columns - 1) }),
        }
    }
}

/// A parameter that the user may choose; a row of the table lists those that it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parameter {
    /// [`Parameters::lines`].
    Lines,
    /// [`Parameters::order`].
    Order,
    /// [`Parameters::order`], natural or dyadic.
    IndexOrder,
    /// [`Parameters::normalized`].
    Normalized,
    /// [`Parameters::matrix`].
    Matrix,
    /// [`Parameters::columns`].
    Columns,
    /// [`Parameters::levels`].
    Levels,
    /// [`Parameters::boundary`].
    Boundary,
    /// [`Parameters::packet_order`].
    PacketOrder,
}

/// The axis of a batch along which its signals lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
pub enum BatchAxis {
    /// Every row: axis 1 of an array.
    #[default]
    Rows,
    /// Every column, without a transposition: axis 0.
    Columns,
}

impl FromStr for BatchAxis {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name.to_lowercase().as_str() {
            "rows" | "1" | "-1" => Ok(Self::Rows),
            "columns" | "0" => Ok(Self::Columns),
            _ => Err(format!("there is no axis named '{name}': take rows (1) or columns (0)")),
        }
    }
}

/// The boundary extension of a line of N samples: the value that a tap past its end reads.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize, strum::EnumString, strum::VariantNames,
)]
#[strum(serialize_all = "lowercase")]
pub enum Boundary {
    /// Whole-sample symmetric: x\[−i\] = x\[i\], x\[N−1+i\] = x\[N−1−i\].
    #[default]
    Symmetric,
    /// x\[i + N\] = x\[i\]. Where N is odd, the even and the odd samples repeat separately, so that the transform stays invertible.
    Periodic,
}

/// The order of the blocks of a full tree of wavelet packets.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize, strum::EnumString, strum::VariantNames,
)]
#[strum(serialize_all = "lowercase")]
pub enum PacketOrder {
    /// In the order of the filters: the first bit of a block's number is the filter of the first level, 0 low-pass, 1 high-pass.
    #[default]
    Natural,
    /// By frequency. A high-pass filter reverses the order of frequencies, so that block f is block f XOR f>>1 of the natural order.
    Frequency,
}

/// The order of the rows of the Walsh matrix, and with it of a Walsh spectrum. Other Kronecker powers have the first and the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
pub enum RowOrder {
    /// Hadamard: entry (−1)^popcount(k AND i).
    #[default]
    Natural,
    /// By the number of sign changes.
    Sequency,
    /// Paley: the natural rows in bit-reversed order. Algorithm 2 of Gajić and Stanković leaves coefficients so.
    Dyadic,
}

impl RowOrder {
    /// All orders.
    pub const ALL: [Self; 3] = [Self::Natural, Self::Sequency, Self::Dyadic];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Natural => "natural",
            Self::Sequency => "sequency",
            Self::Dyadic => "dyadic",
        }
    }
}

impl FromStr for RowOrder {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let asked = name.to_lowercase();
        let found = Self::ALL.into_iter().find(|order| order.name() == asked);
        found.ok_or_else(|| format!("there is no order named '{name}': take one of natural, sequency, dyadic"))
    }
}

/// A 2×2 matrix of finite numbers, row after row.
#[derive(Debug, Clone, Copy, serde::Serialize, serde::Deserialize)]
pub struct Base(pub [f64; 4]);

impl Base {
    /// The Walsh transform.
    pub const WALSH: Self = Self([1.0, 1.0, 1.0, -1.0]);
    /// The Reed-Muller transform, modulo 2.
    pub const REED_MULLER: Self = Self([1.0, 0.0, 1.0, 1.0]);
    /// The arithmetic transform.
    pub const ARITHMETIC: Self = Self([1.0, 0.0, -1.0, 1.0]);

    /// The inverse matrix.
    ///
    /// # Errors
    /// When this one is singular, or an entry of its inverse is beyond double precision.
    pub fn inverse(self) -> Result<Self, Unsupported> {
        let [a, b, c, d] = self.0;
        // Each row is divided by a power of two near its largest entry, which rounds nothing, so that the determinant neither over- nor underflows.
        let [upper, lower] = [a.abs().max(b.abs()), c.abs().max(d.abs())].map(|largest| largest.log2().floor().exp2());
        let [a, b, c, d] = [a / upper, b / upper, c / lower, d / lower];
        let determinant = a * d - b * c;
        // Adding 0 turns −0 into 0.
        let inverse = [d / upper, -b / lower, -c / upper, a / lower].map(|entry| entry / determinant + 0.0);
        match inverse.iter().all(|entry| entry.is_finite()) {
            true => Ok(Self(inverse)),
            false if determinant == 0.0 || determinant.is_nan() => Err(Unsupported::Singular { matrix: self.short() }),
            false => Err(Unsupported::LargeInverse { matrix: self.short() }),
        }
    }

    /// The entries in six digits, for messages.
    fn short(self) -> String {
        self.0.map(|entry| number(entry, 6)).join(",")
    }
}

impl Default for Base {
    fn default() -> Self {
        Self::WALSH
    }
}

impl PartialEq for Base {
    fn eq(&self, other: &Self) -> bool {
        self.0.map(f64::to_bits) == other.0.map(f64::to_bits)
    }
}

impl Eq for Base {}

impl Hash for Base {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.map(f64::to_bits).hash(state);
    }
}

impl fmt::Display for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.0;
        write!(f, "{a},{b},{c},{d}")
    }
}

impl FromStr for Base {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Vec<f64> =
            text.split(',').filter_map(|part| part.trim().parse().ok()).filter(|number: &f64| number.is_finite()).collect();
        let whole = text.split(',').count() == 4;
        let entries = <[f64; 4]>::try_from(numbers).ok().filter(|_| whole);
        entries.map(Self).ok_or_else(|| format!("'{text}' is no matrix: write its four entries row by row, as in 1,1,1,-1"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrices_are_read_as_they_are_written() {
        assert_eq!("1, 0.5,-2,3e2".parse(), Ok(Base([1.0, 0.5, -2.0, 300.0])));
        assert_eq!(Base([1.0, 0.5, -2.0, 300.0]).to_string().parse(), Ok(Base([1.0, 0.5, -2.0, 300.0])));
        for wrong in ["1,2,3", "1,2,3,4,5", "1,2,x,3,4", "1,,2,3", "nan,1,1,1", ""] {
            assert!(wrong.parse::<Base>().unwrap_err().contains("1,1,1,-1"), "{wrong}");
        }
        assert_eq!(Base::ARITHMETIC.inverse(), Ok(Base([1.0, 0.0, 1.0, 1.0])));
        for singular in [[1.0, 2.0, 2.0, 4.0], [0.0, 0.0, 1.0, 1.0], [1e-320, 0.0, 0.0, 0.0]] {
            assert!(matches!(Base(singular).inverse(), Err(Unsupported::Singular { .. })), "{singular:?}");
        }
        let large = Base([1e-320, 0.0, 0.0, 1.0]).inverse().unwrap_err().to_string();
        assert!(large.contains("e−321,0,0,1") && large.contains("beyond double precision") && large.len() < 120, "{large}");
        for [upper, lower] in [[1e160, 1e160], [1e-170, 1e-170], [1e160, 1e-160]] {
            let Ok(Base([a, b, c, d])) = Base([upper, 0.0, 0.0, lower]).inverse() else { panic!("{upper} and {lower} have inverses") };
            assert!([a * upper, d * lower].iter().all(|product| (product - 1.0).abs() < 1e-15) && [b, c] == [0.0; 2]);
        }
        assert_eq!(Base([3.0, 1.0, 1.0, 1.0]).inverse(), Ok(Base([0.5, -0.5, -0.5, 1.5])));
        assert_eq!("Dyadic".parse(), Ok(RowOrder::Dyadic));
        assert!("paley".parse::<RowOrder>().unwrap_err().contains("dyadic"));
    }
}

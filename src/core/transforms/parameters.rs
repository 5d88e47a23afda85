//! The parameters of transforms, with the names that the command line, the window and session files give them.

use super::{Scheme, Shape, Unsupported};
use crate::choice::{Kind, Named as _, NamedValue, Slot, Text};
use crate::numerals::number;
use crate::plan::Direction;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

/// Levels of a wavelet transform, where nobody chooses a number and the length allows them.
pub(super) const USUAL_LEVELS: usize = 4;

/// Everything that an algorithm needs besides the shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Parameters {
    /// From samples to the spectrum, or back.
    pub direction: Direction,
    /// The axis of a batch along which its signals lie.
    pub lines: BatchAxis,
    /// Lanes of the local part of `global-local`; `None` takes the algorithm's own choice.
    pub tile_lanes: Option<usize>,
    /// The shape that a miniature stands for: an algorithm that chooses radices by the length chooses them by this one. `None` for a plan that is not a miniature.
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
    /// The published scheme of a number-theoretic transform.
    pub scheme: Scheme,
    /// The modulus of a number-theoretic transform, an odd prime; `None` takes that of the scheme, or 998244353.
    pub modulus: Option<usize>,
    /// Its root of unity; `None` takes that of the scheme, or a power of the smallest generator.
    pub root: Option<usize>,
    /// Its layers of butterflies; `None` takes those of the scheme, or all.
    pub layers: Option<usize>,
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

/// The text says whether the direction is the inverse.
impl Slot for Direction {
    fn text(&self) -> Option<String> {
        Some((*self == Self::Inverse).to_string())
    }

    fn read(&mut self, is_inverse: Option<&str>) -> Result<(), String> {
        *self = if is_inverse.is_some_and(|text| text.eq_ignore_ascii_case("true")) { Self::Inverse } else { Self::Forward };
        Ok(())
    }
}

crate::choices! {
    /// A parameter that a person may choose; a row of the table of transforms lists those that it has, besides the direction and the tile.
    pub enum Parameter of Parameters {
        /// The inverse transform, from the spectrum to the samples.
        Direction: direction, "inverse", "Direction", Kind::Switch([
            NamedValue::new("false", "Forward", "From samples to the spectrum."),
            NamedValue::new("true", "Inverse", "From a spectrum to samples."),
        ]);
        /// The axis of a two-dimensional input along which its signals lie.
        Lines: lines, "axis", "Along", Kind::Named(BatchAxis::VALUES);
        /// The order of a Walsh spectrum.
        Order: order, "order", "Order", Kind::Named(RowOrder::VALUES);
        /// The order of Reed-Muller, arithmetic and Kronecker coefficients: natural, or dyadic, with the bits of the index reversed.
        IndexOrder: order, "order", "Order", Kind::Named(&[
            NamedValue::new("natural", "Natural", "Coefficient i belongs to the product of the variables whose bits in i are 1."),
            NamedValue::new("dyadic", "Dyadic", "The bits of the index reversed, as Algorithm 2 of Gajić and Stanković 2011 leaves them."),
        ]);
        /// The orthonormal transform: every row of the matrix divided by its norm.
        Normalized: normalized, "normalized", "Norm", Kind::Switch([
            NamedValue::new("false", "Not normalised", "Plain sums and differences: integers stay integers."),
            NamedValue::new("true", "Orthonormal", "Every row of the matrix divided by its norm."),
        ]);
        /// The matrix of a Kronecker transform, row by row.
        Matrix: matrix, "matrix", "Matrix", Kind::Matrix;
        /// Levels of a wavelet transform: each one halves the low-pass half again.
        Levels: levels, "levels", "Levels", Kind::Number { least: 0, most: 24, usual: USUAL_LEVELS },
            or "4, or the most that the size allows";
        /// Boundary extension of a wavelet transform.
        Boundary: boundary, "boundary", "Boundary", Kind::Named(Boundary::VALUES);
        /// The order of the blocks of wavelet packets.
        PacketOrder: packet_order, "packet-order", "Order", Kind::Named(PacketOrder::VALUES);
        /// A published scheme, whose modulus, root of unity and order of results are taken.
        Scheme: scheme, "preset", "Scheme", Kind::Named(Scheme::VALUES);
        /// The modulus of a number-theoretic transform, an odd prime below 2^31.
        Modulus: modulus, "modulus", "Modulus", Kind::Number { least: 3, most: (1 << 31) - 1, usual: 998_244_353 },
            or "that of the preset, or 998244353";
        /// The root of unity: of order N, or 2N for a negacyclic transform.
        Root: root, "root", "Root", Kind::Number { least: 1, most: (1 << 31) - 1, usual: 1 },
            or "that of the preset, or a power of the smallest generator";
        /// Layers of butterflies: with fewer than all, neighbouring values stay polynomials, as the pairs of ML-KEM do.
        Layers: layers, "layers", "Layers", Kind::Number { least: 0, most: 30, usual: 7 },
            or "those of the preset, or all";
        /// Lanes of the local part of an algorithm such as global-local: twice the threads of a block, a power of two.
        TileLanes: tile_lanes, "tile", "Tile lanes", Kind::PowerOfTwo { least: 1, most: None, usual: 8 }, or "as the algorithm chooses";
    }
}

crate::choice! {
    /// The axis of a batch along which its signals lie.
    pub enum BatchAxis {
        /// Every row on its own: axis 1 of an array.
        #[default]
        Rows = "Rows", "rows" | "1" | "-1";
        /// Every column on its own, without a transposition: axis 0.
        Columns = "Columns", "columns" | "0";
    }
}

crate::choice! {
    /// The boundary extension of a line of N samples: the value that a tap past its end reads.
    pub enum Boundary {
        /// The signal is mirrored at its first and last sample (whole-sample symmetric): x(−i) = x(i), x(N−1+i) = x(N−1−i).
        #[default]
        Symmetric = "Symmetric", "symmetric";
        /// The signal repeats: x(i + N) = x(i). Where N is odd, even and odd samples repeat separately, so that the transform stays invertible.
        Periodic = "Periodic", "periodic";
    }
}

crate::choice! {
    /// The order of the blocks of a full tree of wavelet packets.
    pub enum PacketOrder {
        /// As the filters are applied: the first bit of a block's number is the filter of the first level, 0 low-pass, 1 high-pass.
        #[default]
        Natural = "Natural", "natural";
        /// By the frequency that a block holds. A high-pass filter reverses frequencies, so that block f is block f XOR f>>1 of the natural order.
        Frequency = "Frequency", "frequency";
    }
}

crate::choice! {
    /// The order of the rows of the Walsh matrix, and with it of a Walsh spectrum. Other Kronecker powers have the first and the last.
    pub enum RowOrder {
        /// Hadamard: entry (−1)^popcount(k AND i).
        #[default]
        Natural = "Natural", "natural";
        /// By the number of sign changes.
        Sequency = "Sequency", "sequency";
        /// Paley: the natural rows in bit-reversed order. Algorithm 2 of Gajić and Stanković leaves coefficients so.
        Dyadic = "Dyadic", "dyadic";
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

impl Text for Base {}

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
        assert_eq!(["-1", "0"].map(|axis| axis.parse::<BatchAxis>().unwrap()), [BatchAxis::Rows, BatchAxis::Columns]);
        assert!("paley".parse::<RowOrder>().unwrap_err().contains("dyadic"));
    }
}

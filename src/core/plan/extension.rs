//! Boundary extension: the coordinate that replaces one outside the line.

/// The value that a tap outside `0..len` reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extension {
    /// No tap lies outside.
    None,
    /// Periodic: the coordinate modulo the length.
    Periodic,
    /// Whole-sample symmetric: the coordinate mirrored at the first and the last sample.
    Symmetric,
    /// Half-sample symmetric: the coordinate mirrored half a sample before the first and half a sample after the last one.
    HalfSymmetric,
    /// Zero outside.
    Zero,
    /// Outside, the negated coordinate modulo the length: the opposite frequency.
    Negative,
    /// Periodic separately for even and odd coordinates, so a line of odd length keeps its two phases apart.
    PeriodicHalves,
}

impl Extension {
    /// The coordinate inside `0..len` that replaces `coordinate`; `None` if the value is zero.
    pub fn apply(self, coordinate: i64, len: usize) -> Option<usize> {
        let length = len as i64;
        let inside = match self {
            Self::None => coordinate,
            Self::Periodic => coordinate.rem_euclid(length),
            Self::Symmetric if length == 1 => 0,
            Self::Symmetric => {
                let period = 2 * (length - 1);
                let within = coordinate.rem_euclid(period);
                within.min(period - within)
            }
            Self::HalfSymmetric => {
                let within = coordinate.rem_euclid(2 * length);
                within.min(2 * length - 1 - within)
            }
            Self::Zero if (0..length).contains(&coordinate) => coordinate,
            Self::Zero => return None,
            Self::Negative if (0..length).contains(&coordinate) => coordinate,
            Self::Negative => (-coordinate).rem_euclid(length),
            Self::PeriodicHalves => coordinate.rem_euclid((length + 1 - coordinate.rem_euclid(2)) / 2 * 2),
        };
        debug_assert!((0..length).contains(&inside), "coordinate {coordinate} leaves 0..{len} without an extension");
        Some(inside as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::Extension;

    #[test]
    fn extensions_are_those_of_the_conventions() {
        let at = |extension: Extension| (-2..6).map(|c| extension.apply(c, 4)).collect::<Vec<_>>();
        assert_eq!(at(Extension::Periodic), [2, 3, 0, 1, 2, 3, 0, 1].map(Some));
        assert_eq!(at(Extension::Symmetric), [2, 1, 0, 1, 2, 3, 2, 1].map(Some));
        assert_eq!(at(Extension::HalfSymmetric), [1, 0, 0, 1, 2, 3, 3, 2].map(Some));
        assert_eq!(at(Extension::Zero), [None, None, Some(0), Some(1), Some(2), Some(3), None, None]);
        assert_eq!(Extension::Symmetric.apply(-3, 1), Some(0));
        assert_eq!(at(Extension::Negative), [2, 1, 0, 1, 2, 3, 0, 3].map(Some));
        assert_eq!(at(Extension::PeriodicHalves), at(Extension::Periodic));
        // Even sample 0 follows the last even sample, 4; odd sample 1 follows the last odd sample, 3.
        assert_eq!((-2..7).map(|c| Extension::PeriodicHalves.apply(c, 5)).collect::<Vec<_>>(), [4, 3, 0, 1, 2, 3, 4, 1, 0].map(Some));
    }
}

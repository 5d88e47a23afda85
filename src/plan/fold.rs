//! Folds: which coordinate stands for one that lies outside of a line.

/// What a tap past the end of `0..len` reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fold {
    /// There is no tap past the end.
    None,
    /// The coordinate modulo the length.
    Wrap,
    /// The coordinate mirrored at the first and the last sample (whole-sample symmetric).
    Mirror,
    /// Nothing: the tap counts as zero.
    Zero,
    /// What stands for the negative of the coordinate, modulo the length: the opposite frequency.
    Negative,
    /// Even coordinates modulo twice the number of even ones, odd coordinates modulo twice that of odd ones: a period of odd length keeps the two halves apart.
    WrapHalves,
}

impl Fold {
    /// The coordinate inside `0..len` that stands for `coordinate`, if any.
    pub fn apply(self, coordinate: i64, len: usize) -> Option<usize> {
        let length = len as i64;
        let folded = match self {
            Self::None => coordinate,
            Self::Wrap => coordinate.rem_euclid(length),
            Self::Mirror if length == 1 => 0,
            Self::Mirror => {
                let period = 2 * (length - 1);
                let inside = coordinate.rem_euclid(period);
                inside.min(period - inside)
            }
            Self::Zero if (0..length).contains(&coordinate) => coordinate,
            Self::Zero => return None,
            Self::Negative if (0..length).contains(&coordinate) => coordinate,
            Self::Negative => (-coordinate).rem_euclid(length),
            Self::WrapHalves => coordinate.rem_euclid((length + 1 - coordinate.rem_euclid(2)) / 2 * 2),
        };
        debug_assert!((0..length).contains(&folded), "coordinate {coordinate} leaves 0..{len} without a fold");
        Some(folded as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::Fold;

    #[test]
    fn folds_are_those_of_the_conventions() {
        let at = |fold: Fold| (-2..6).map(|c| fold.apply(c, 4)).collect::<Vec<_>>();
        assert_eq!(at(Fold::Wrap), [2, 3, 0, 1, 2, 3, 0, 1].map(Some));
        assert_eq!(at(Fold::Mirror), [2, 1, 0, 1, 2, 3, 2, 1].map(Some));
        assert_eq!(at(Fold::Zero), [None, None, Some(0), Some(1), Some(2), Some(3), None, None]);
        assert_eq!(Fold::Mirror.apply(-3, 1), Some(0));
        assert_eq!(at(Fold::Negative), [2, 1, 0, 1, 2, 3, 0, 3].map(Some));
        assert_eq!(at(Fold::WrapHalves), at(Fold::Wrap));
        // Beside sample 4, the last one, stands sample 0; the odd ones next to both are 3 and 1.
        assert_eq!((-2..7).map(|c| Fold::WrapHalves.apply(c, 5)).collect::<Vec<_>>(), [4, 3, 0, 1, 2, 3, 4, 1, 0].map(Some));
    }
}

//! Orders of results and permutations of the bits of a lane.

/// `index` with its lowest `n_bits` bits reversed; higher bits stay.
pub fn reverse_bits(index: usize, n_bits: u32) -> usize {
    if n_bits == 0 {
        return index;
    }
    let low = index & ((1 << n_bits) - 1);
    (index - low) | (low.reverse_bits() >> (usize::BITS - n_bits))
}

/// The change that a permuting stage makes to the bits of a lane after reversing them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BitOrder {
    /// No change.
    #[default]
    Kept,
    /// Gray decoding: from natural order to the order of sign changes.
    GrayDecoded,
    /// Reverses the bits below the leading 1 again: from a pyramid in place to coarsest first.
    BelowLeading,
    /// Reverses the bits above the trailing 1 again: from coarsest first to a pyramid in place.
    AboveTrailing,
}

impl BitOrder {
    /// All changes, in the order of their numbers in shaders.
    pub const ALL: [Self; 4] = [Self::Kept, Self::GrayDecoded, Self::BelowLeading, Self::AboveTrailing];

    /// `lane` with its lowest `n_bits` bits reversed and then changed.
    pub fn apply(self, lane: usize, n_bits: u32) -> usize {
        let reversed = reverse_bits(lane, n_bits);
        if n_bits == 0 {
            return reversed;
        }
        let low = reversed & ((1 << n_bits) - 1);
        let changed = match self {
            Self::Kept => low,
            Self::GrayDecoded => (0..n_bits).fold(0, |sum, shift| sum ^ (low >> shift)),
            _ if low == 0 => 0,
            Self::BelowLeading => {
                let leading = low.ilog2();
                reverse_bits(low ^ (1 << leading), leading) | (1 << leading)
            }
            Self::AboveTrailing => {
                let above = low.trailing_zeros() + 1;
                (reverse_bits(low >> above, n_bits - above) << above) | (1 << (above - 1))
            }
        };
        reversed - low + changed
    }
}

/// The index of the result that each lane holds at the end of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResultOrder {
    /// Lane k holds index k.
    Natural,
    /// Lane k holds the index [`reverse_bits`] of k.
    BitReversed {
        /// Number of bits to reverse.
        n_bits: u32,
    },
    /// Every row of `columns` lanes has the order `each`.
    Rows {
        /// Lanes per row.
        columns: usize,
        /// The order inside a row.
        each: Box<ResultOrder>,
    },
}

impl ResultOrder {
    /// The index that `lane` holds.
    pub fn index(&self, lane: usize) -> usize {
        match self {
            Self::Natural => lane,
            Self::BitReversed { n_bits } => reverse_bits(lane, *n_bits),
            Self::Rows { columns, each } => lane / columns * columns + each.index(lane % columns),
        }
    }

    /// Number of lanes of a row, if there are several.
    pub fn row_length(&self) -> Option<usize> {
        if let Self::Rows { columns, .. } = self { Some(*columns) } else { None }
    }

    /// Whether lane k holds index k.
    pub fn is_natural(&self) -> bool {
        match self {
            Self::Natural => true,
            Self::BitReversed { n_bits } => *n_bits < 2,
            Self::Rows { each, .. } => each.is_natural(),
        }
    }

    /// The values of all lanes, sorted by index.
    pub fn natural<T: Clone>(&self, lanes: &[T]) -> Vec<T> {
        let mut sorted = lanes.to_vec();
        if !self.is_natural() {
            for (lane, value) in lanes.iter().enumerate() {
                sorted[self.index(lane)] = value.clone();
            }
        }
        sorted
    }

    /// The name on the screen.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Rows { each, .. } => each.name(),
            _ if self.is_natural() => "natural order",
            _ => "bit-reversed order",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bit_orders_follow_the_conventions() {
        for n_bits in 1..8 {
            for index in 0..1_usize << n_bits {
                // Row k in sequency order is natural row bitreverse(k XOR k >> 1).
                assert_eq!(BitOrder::GrayDecoded.apply(reverse_bits(index ^ (index >> 1), n_bits), n_bits), index);
                // The bits above those stay.
                assert_eq!(
                    BitOrder::BelowLeading.apply(index + (5 << n_bits), n_bits),
                    BitOrder::BelowLeading.apply(index, n_bits) + (5 << n_bits)
                );
                assert_eq!(BitOrder::BelowLeading.apply(BitOrder::AboveTrailing.apply(index, n_bits), n_bits), index);
            }
        }
        // Odd lanes hold the finest differences, lanes 2, 6, … those of the next scale.
        assert_eq!((0..8).map(|lane| BitOrder::BelowLeading.apply(lane, 3)).collect::<Vec<_>>(), [0, 4, 2, 5, 1, 6, 3, 7]);
        assert_eq!(BitOrder::Kept.apply(1, 3), 4);
    }
}

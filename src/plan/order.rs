//! The order of a result: which index of the transform each lane holds.

/// `index` with its lowest `n_bits` binary digits in reverse; the digits above stay.
pub fn reverse_bits(index: usize, n_bits: u32) -> usize {
    if n_bits == 0 {
        return index;
    }
    let low = index & ((1 << n_bits) - 1);
    (index - low) | (low.reverse_bits() >> (usize::BITS - n_bits))
}

/// Which index of the result each lane holds at the end of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// Lane k holds index k.
    Natural,
    /// Lane k holds the index with the lowest `n_bits` digits of k in reverse.
    BitReversed {
        /// How many digits.
        n_bits: u32,
    },
    /// Every row of `columns` lanes is ordered as `each` says.
    Rows {
        /// Lanes in a row.
        columns: usize,
        /// The order inside a row.
        each: Box<Order>,
    },
}

impl Order {
    /// The index that `lane` holds.
    pub fn index(&self, lane: usize) -> usize {
        match self {
            Self::Natural => lane,
            Self::BitReversed { n_bits } => reverse_bits(lane, *n_bits),
            Self::Rows { columns, each } => lane / columns * columns + each.index(lane % columns),
        }
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

    /// How the order is called on the screen.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Rows { each, .. } => each.name(),
            _ if self.is_natural() => "natural order",
            _ => "bit-reversed order",
        }
    }
}

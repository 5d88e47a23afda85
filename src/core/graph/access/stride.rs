//! How addresses grow from thread to thread, named.

use super::Span;
use crate::numerals::integer;
use std::fmt;

/// How the addresses of neighbouring threads are spaced, in units such as lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stride {
    /// At most one thread takes part.
    Single,
    /// The distance from every thread to the next; 0 where all read one address.
    Constant(i64),
    /// Runs of `length` threads, `stride` apart within a run and `jump` from the first of a run to the first of the next.
    Runs {
        /// Threads of a run.
        length: usize,
        /// Distance within a run.
        stride: i64,
        /// Distance from run to run.
        jump: i64,
    },
    /// Anything else.
    Irregular,
}

impl Stride {
    /// The stride of the threads that take part, in units of `unit` bytes.
    pub(super) fn of(spans: &[Option<Span>], unit: u64) -> Self {
        let firsts: Vec<i64> = spans.iter().flatten().map(|span| span.first as i64).collect();
        let unit = unit.max(1) as i64;
        if firsts.len() < 2 {
            return Self::Single;
        }
        if firsts.iter().any(|first| (first - firsts[0]) % unit != 0) {
            return Self::Irregular;
        }
        let places: Vec<i64> = firsts.iter().map(|first| (first - firsts[0]) / unit).collect();
        let stride = places[1];
        let length = places.windows(2).position(|pair| pair[1] - pair[0] != stride).map_or(places.len(), |index| index + 1);
        if length == places.len() {
            return Self::Constant(stride);
        }
        let jump = places[length];
        let (i, r) = (|index: usize| (index % length) as i64, |index: usize| (index / length) as i64);
        let is_regular = (0..places.len()).all(|index| places[index] == r(index) * jump + i(index) * stride);
        if is_regular && length > 1 && places.len().is_multiple_of(length) { Self::Runs { length, stride, jump } } else { Self::Irregular }
    }
}

impl fmt::Display for Stride {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let signed = |n: i64| format!("{}{}", if n < 0 { "−" } else { "" }, integer(n.unsigned_abs() as usize));
        match *self {
            Self::Single => write!(f, "one thread"),
            Self::Constant(0) => write!(f, "one address for all"),
            Self::Constant(1) => write!(f, "neighbours"),
            Self::Constant(stride) => write!(f, "stride {}", signed(stride)),
            Self::Runs { length, stride: 1, jump } => write!(f, "{length} neighbours, then {} further", signed(jump)),
            Self::Runs { length, stride: 0, jump } => write!(f, "{length} threads at one address, then {} further", signed(jump)),
            Self::Runs { length, stride, jump } => write!(f, "{length} at stride {}, then {} further", signed(stride), signed(jump)),
            Self::Irregular => write!(f, "irregular"),
        }
    }
}

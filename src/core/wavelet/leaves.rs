//! Bases of wavelet packets as text: their blocks, each by the path of its filters, as in `LLL,LLH,LH,H`.

use super::{Node, Tree};
use crate::transforms::PacketOrder;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// The most levels of a path, far more than any line has.
const MOST_LEVELS: usize = 30;

/// Why a text names no basis.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoBasis {
    /// A word that is not a path of filters.
    #[error("'{0}' is no block of packets: write L or H for every level, at most {MOST_LEVELS}, or S for the signal itself")]
    Path(String),
    /// Blocks that overlap or do not cover the signal.
    #[error("the blocks {0} are no basis: every coefficient belongs to exactly one of them, as in L,HL,HH")]
    Incomplete(String),
}

impl FromStr for Node {
    type Err = NoBasis;

    /// The path from the signal, L or H for every level; S is the signal.
    fn from_str(path: &str) -> Result<Self, NoBasis> {
        let wrong = || NoBasis::Path(path.to_owned());
        if path.eq_ignore_ascii_case("S") {
            return Ok(Self::ROOT);
        }
        if path.is_empty() || path.len() > MOST_LEVELS {
            return Err(wrong());
        }
        path.chars().try_fold(Self::ROOT, |node, filter| {
            let [low, high] = node.halves();
            match filter.to_ascii_uppercase() {
                'L' => Ok(low),
                'H' => Ok(high),
                _ => Err(wrong()),
            }
        })
    }
}

impl Node {
    /// Its range among the n coefficients of a line, with the blocks in this order.
    pub fn places(self, n: usize, order: PacketOrder) -> Range<usize> {
        let samples = n >> self.level;
        let place = match order {
            PacketOrder::Natural => self.block,
            // The inverse of k ↦ k XOR k>>1: every bit is the sum of the bits above it.
            PacketOrder::Frequency => (0..self.level).fold(0, |place, shift| place ^ (self.block >> shift)),
        };
        place * samples..(place + 1) * samples
    }
}

impl FromStr for Tree {
    type Err = NoBasis;

    /// The tree with these leaves, in any order.
    fn from_str(text: &str) -> Result<Self, NoBasis> {
        let leaves: Vec<Node> = text.split(',').map(|path| path.trim().parse()).collect::<Result<_, _>>()?;
        let levels = leaves.iter().map(|leaf| leaf.level).max().unwrap_or(0);
        // Every block above a leaf is split. If the tree then has the same number of leaves, they are the same.
        let above = |node: Node, leaf: &Node| node.level < leaf.level && leaf.block >> (leaf.level - node.level) == node.block;
        let incomplete = || NoBasis::Incomplete(text.to_owned());
        // The shares of the signal are added up, in units of the smallest block, before a tree of many levels is built.
        let share = |leaf: &Node| 1_u64 << (levels - leaf.level);
        if leaves.iter().map(share).sum::<u64>() != 1 << levels {
            return Err(incomplete());
        }
        let tree = Self::new(levels, |node| leaves.iter().any(|leaf| above(node, leaf)));
        let found = tree.leaves();
        let is_basis = found.len() == leaves.len() && found.iter().all(|leaf| leaves.contains(leaf));
        is_basis.then_some(tree).ok_or_else(incomplete)
    }
}

impl fmt::Display for Tree {
    /// The leaves from low to high, with commas between.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let leaves: Vec<String> = self.leaves().iter().map(Node::to_string).collect();
        write!(f, "{}", leaves.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bases_are_read_as_they_are_written() {
        for text in ["S", "L,H", "LL,LH,H", "L,HL,HHL,HHH", "LL,LH,HL,HH"] {
            assert_eq!(text.parse::<Tree>().unwrap().to_string(), text);
        }
        assert_eq!("hh, L ,HL".parse::<Tree>().unwrap().to_string(), "L,HL,HH");
    }

    #[test]
    fn what_is_no_basis_is_refused() {
        for text in ["L", "L,L", "L,H,H", "L,LL,LH", "LL,LH,HL", "S,L,H", "L,HL,HL"] {
            assert_eq!(text.parse::<Tree>().unwrap_err(), NoBasis::Incomplete(text.to_owned()));
        }
        for (text, path) in [("", ""), ("L,X", "X"), ("L,,H", ""), ("LHS,H", "LHS")] {
            assert_eq!(text.parse::<Tree>().unwrap_err(), NoBasis::Path(path.to_owned()));
        }
        let long = "L".repeat(31);
        assert_eq!(long.parse::<Node>().unwrap_err(), NoBasis::Path(long));
    }

    #[test]
    fn blocks_cover_the_line_in_both_orders() {
        let tree: Tree = "LLL,LLH,LH,HL,HH".parse().unwrap();
        let order = |order: PacketOrder| {
            let mut leaves = tree.leaves();
            leaves.sort_by_key(|leaf| leaf.places(32, order).start);
            let ends: Vec<usize> = leaves.iter().map(|leaf| leaf.places(32, order).end).collect();
            assert!(leaves.iter().skip(1).zip(&ends).all(|(leaf, end)| leaf.places(32, order).start == *end), "{ends:?}");
            leaves.iter().map(Node::to_string).collect::<Vec<_>>().join(",")
        };
        assert_eq!(order(PacketOrder::Natural), "LLL,LLH,LH,HL,HH");
        // A high-pass filter reverses the order of frequencies.
        assert_eq!(order(PacketOrder::Frequency), "LLL,LLH,LH,HH,HL");
    }
}

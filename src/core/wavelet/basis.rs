//! Trees of wavelet packets: the blocks that are split, their cost, and the cheapest tree.
//!
//! R. R. Coifman, M. V. Wickerhauser, Entropy-based algorithms for best basis selection (1992).

use std::fmt;

/// A block of the full tree, in natural order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Node {
    /// Its level; 0 is the signal.
    pub level: u32,
    /// Its number among the 2^level blocks.
    pub block: usize,
}

impl Node {
    /// The signal itself.
    pub const ROOT: Self = Self { level: 0, block: 0 };

    /// Its low-pass and its high-pass half.
    pub fn halves(self) -> [Self; 2] {
        [0, 1].map(|half| Self { level: self.level + 1, block: 2 * self.block + half })
    }

    /// The block whose half it is.
    pub fn parent(self) -> Option<Self> {
        Some(Self { level: self.level.checked_sub(1)?, block: self.block / 2 })
    }

    /// Its coefficients, from a list whose entry l holds level l.
    pub fn of(self, levels: &[Vec<f64>]) -> &[f64] {
        let all = &levels[self.level as usize];
        let n = all.len() >> self.level;
        &all[self.block * n..][..n]
    }

    /// Its index among the nodes of all levels.
    fn index(self) -> usize {
        (1 << self.level) - 1 + self.block
    }
}

impl fmt::Display for Node {
    /// The path from the signal, L or H for every level; S is the signal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.level == 0 {
            return write!(f, "S");
        }
        (0..self.level).rev().try_for_each(|digit| write!(f, "{}", if self.block >> digit & 1 == 0 { 'L' } else { 'H' }))
    }
}

/// The cost of a block. A tree costs the sum of its leaves; less is better.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub enum Cost {
    /// Shannon's entropy −Σ p·ln p, where p is the share of a coefficient in the energy of the signal.
    #[default]
    Shannon,
    /// Σ ln x² without zeros.
    LogEnergy,
    /// The number of magnitudes above this value.
    Threshold(f64),
    /// Σ |x|.
    L1,
}

impl Cost {
    /// The cost of a block of a signal with this energy.
    pub fn of(self, block: &[f64], energy: f64) -> f64 {
        let entropy = |x: f64| if x * x > 0.0 && energy > 0.0 { -(x * x / energy) * (x * x / energy).ln() } else { 0.0 };
        match self {
            Self::Shannon => block.iter().map(|&x| entropy(x)).sum(),
            Self::LogEnergy => block.iter().map(|x| x * x).filter(|square| *square > 0.0).map(f64::ln).sum(),
            Self::Threshold(value) => block.iter().filter(|x| x.abs() > value).count() as f64,
            Self::L1 => block.iter().map(|x| x.abs()).sum(),
        }
    }
}

/// The rounding error of a cost, as a share of the cost of the signal.
const ROUNDING: f64 = 1e-14;

/// The blocks that are split. The halves that are not split further are the leaves, whose coefficients make up the signal.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Tree {
    levels: u32,
    split: Vec<bool>,
}

impl Tree {
    /// The tree of at most `levels` levels that splits the blocks that `splits` accepts.
    pub fn new(levels: u32, splits: impl Fn(Node) -> bool) -> Self {
        let nodes = (0..levels).flat_map(|level| (0..1 << level).map(move |block| Node { level, block }));
        Self { levels, split: nodes.map(splits).collect() }
    }

    /// The smallest tree in which this block is a leaf.
    pub fn down_to(node: Node) -> Self {
        Self::new(node.level, |other| other == Node { level: other.level, block: node.block >> (node.level - other.level) })
    }

    /// The cheapest tree. A block that costs no more than its halves is not split.
    pub fn best(coefs: &[Vec<f64>], cost: Cost) -> Self {
        let levels = coefs.len().saturating_sub(1) as u32;
        let energy = coefs.first().map_or(0.0, |signal| signal.iter().map(|x| x * x).sum());
        Self::cheapest(levels, |node| cost.of(node.of(coefs), energy))
    }

    /// The same with `own` as the cost of a block.
    pub fn cheapest(levels: u32, own: impl Fn(Node) -> f64) -> Self {
        // A split must save more than the rounding of values that should be zero.
        let margin = ROUNDING * own(Node::ROOT).abs();
        let mut tree = Self::new(levels, |_| false);
        let mut least: Vec<f64> = (0..1 << levels).map(|block| own(Node { level: levels, block })).collect();
        for level in (0..levels).rev() {
            least = (0..1 << level)
                .map(|block| {
                    let node = Node { level, block };
                    let (whole, halves) = (own(node), least[2 * block] + least[2 * block + 1]);
                    tree.split[node.index()] = halves < whole - margin;
                    whole.min(halves)
                })
                .collect();
        }
        tree
    }

    /// The most levels.
    pub fn levels(&self) -> u32 {
        self.levels
    }

    /// Whether a block is split; blocks of the last level are not.
    pub fn is_split(&self, node: Node) -> bool {
        node.level < self.levels && self.split[node.index()]
    }

    /// Whether every block above is split, so that the block is part of the tree.
    pub fn reaches(&self, node: Node) -> bool {
        node.parent().is_none_or(|parent| self.is_split(parent) && self.reaches(parent))
    }

    /// Whether a block is a leaf.
    pub fn is_leaf(&self, node: Node) -> bool {
        self.reaches(node) && !self.is_split(node)
    }

    /// Splits a leaf into its halves, unless it is on the last level.
    pub fn split(&mut self, node: Node) {
        if node.level < self.levels {
            self.split[node.index()] = true;
            for half in node.halves() {
                self.merge(half);
            }
        }
    }

    /// Makes a block a leaf again.
    pub fn merge(&mut self, node: Node) {
        if self.is_split(node) {
            self.split[node.index()] = false;
            node.halves().into_iter().for_each(|half| self.merge(half));
        }
    }

    /// The leaves, from low to high in natural order.
    pub fn leaves(&self) -> Vec<Node> {
        let mut leaves = Vec::new();
        let mut open = vec![Node::ROOT];
        while let Some(node) = open.pop() {
            if self.is_split(node) {
                let [low, high] = node.halves();
                open.extend([high, low]);
            } else {
                leaves.push(node);
            }
        }
        leaves
    }

    /// The cost of the leaves.
    pub fn cost(&self, coefs: &[Vec<f64>], cost: Cost) -> f64 {
        let energy = coefs.first().map_or(0.0, |signal| signal.iter().map(|x| x * x).sum());
        self.leaves().into_iter().map(|leaf| cost.of(leaf.of(coefs), energy)).sum()
    }
}

/// Statistics of a block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockStatistics {
    /// Number of coefficients.
    pub n: usize,
    /// The smallest.
    pub least: f64,
    /// The largest.
    pub largest: f64,
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub deviation: f64,
    /// The sum of the squares.
    pub energy: f64,
}

impl BlockStatistics {
    /// The statistics of a block with at least one coefficient.
    pub fn of(block: &[f64]) -> Self {
        let n = block.len();
        let mean = block.iter().sum::<f64>() / n.max(1) as f64;
        let variance = block.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n.max(1) as f64;
        Self {
            n,
            least: block.iter().copied().fold(f64::INFINITY, f64::min),
            largest: block.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            mean,
            deviation: variance.sqrt(),
            energy: block.iter().map(|x| x * x).sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Haar packets, so that the test needs no plan.
    fn packets(signal: &[f64], levels: usize) -> Vec<Vec<f64>> {
        let mut all = vec![signal.to_vec()];
        for level in 0..levels {
            let halve = |block: &[f64]| {
                let pairs = |sign: f64| block.chunks(2).map(move |pair| (pair[0] + sign * pair[1]) / 2_f64.sqrt()).collect::<Vec<_>>();
                [pairs(1.0), pairs(-1.0)].concat()
            };
            let next = all[level].chunks(signal.len() >> level).flat_map(halve).collect();
            all.push(next);
        }
        all
    }

    /// All trees of this number of levels.
    fn trees(levels: u32) -> Vec<Tree> {
        let n = (1_usize << levels) - 1;
        let all = (0..1_usize << n).map(|bits| Tree::new(levels, |node| bits >> node.index() & 1 == 1));
        all.filter(|tree| (0..n).all(|i| !tree.split[i] || i == 0 || tree.split[(i - 1) / 2])).collect()
    }

    #[test]
    fn no_tree_is_cheaper_than_the_best() {
        let signal: Vec<f64> = (0..16).map(|i| (f64::from(i) * 0.9).sin() + f64::from(i * i % 7) * 0.2).collect();
        let coefs = packets(&signal, 3);
        assert_eq!(trees(3).len(), 26);
        for cost in [Cost::Shannon, Cost::LogEnergy, Cost::Threshold(0.5), Cost::L1] {
            let best = Tree::best(&coefs, cost).cost(&coefs, cost);
            let least = trees(3).iter().map(|tree| tree.cost(&coefs, cost)).fold(f64::INFINITY, f64::min);
            assert!((best - least).abs() < 1e-12, "{cost:?}: {best} against {least}");
        }
    }

    #[test]
    fn an_impulse_stays_whole_and_a_constant_is_split_to_the_end() {
        let mut impulse = vec![0.0; 16];
        impulse[5] = 3.0;
        assert_eq!(Tree::best(&packets(&impulse, 3), Cost::Shannon).leaves(), [Node::ROOT]);
        let leaves = Tree::best(&packets(&[1.0; 16], 3), Cost::Shannon).leaves();
        assert_eq!(leaves.iter().map(Node::to_string).collect::<Vec<_>>(), ["LLL", "LLH", "LH", "H"]);
    }

    #[test]
    fn trees_are_split_and_merged() {
        let mut tree = Tree::new(2, |_| false);
        assert_eq!(tree.leaves(), [Node::ROOT]);
        tree.split(Node::ROOT);
        tree.split(Node { level: 1, block: 1 });
        tree.split(Node { level: 2, block: 3 });
        assert_eq!(tree.leaves().iter().map(Node::to_string).collect::<Vec<_>>(), ["L", "HL", "HH"]);
        assert!(tree.is_leaf(Node { level: 2, block: 2 }) && !tree.reaches(Node { level: 2, block: 0 }));
        tree.merge(Node::ROOT);
        tree.split(Node::ROOT);
        assert_eq!(tree.leaves().len(), 2, "what was split below is whole again");
    }

    #[test]
    fn entropies_are_those_of_the_definition() {
        let block = [3.0, -4.0, 0.0];
        let p: [f64; 2] = [9.0 / 25.0, 16.0 / 25.0];
        assert!((Cost::Shannon.of(&block, 25.0) + p[0] * p[0].ln() + p[1] * p[1].ln()).abs() < 1e-15);
        assert!((Cost::LogEnergy.of(&block, 25.0) - 144_f64.ln()).abs() < 1e-14);
        assert_eq!((Cost::Threshold(3.0).of(&block, 25.0), Cost::L1.of(&block, 25.0)), (1.0, 7.0));
        let numbers = BlockStatistics::of(&[1.0, 3.0]);
        assert_eq!((numbers.mean, numbers.deviation, numbers.energy, numbers.least, numbers.largest), (2.0, 1.0, 10.0, 1.0, 3.0));
    }
}

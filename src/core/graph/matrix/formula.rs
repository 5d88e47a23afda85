//! A formula for a matrix: Kronecker products, permutations, diagonals and direct sums, which evaluate to the matrix that they stand for.

use super::entries::{entry_text, tex};
use super::sparse::{MatrixEntry, SparseMatrix};
use crate::figure::subscript;
use crate::plan::{Coef, Direction, Ring, reverse_bits};
use std::borrow::Cow;
use std::ops::Range;

/// The most rows of a small matrix that a legend writes out.
const WRITTEN_ROWS: usize = 4;
/// The most entries of a diagonal or a permutation that a legend writes out.
const WRITTEN_ENTRIES: usize = 32;

/// A formula for a matrix.
#[derive(Debug, Clone, PartialEq)]
pub enum Formula {
    /// Iₙ.
    Identity(usize),
    /// 0ₙ: lanes that hold nothing before and after.
    Zero(usize),
    /// A matrix with a name such as W or F₄.
    Block(Cow<'static, str>, SparseMatrix),
    /// A factor times a formula.
    Scale(Coef, Box<Formula>),
    /// L(n, s): row i·(n/s) + j takes column j·s + i; reads with stride s.
    Stride {
        /// Number of rows.
        n: usize,
        /// The stride.
        s: usize,
    },
    /// Rₙ: row i takes column i with its bits reversed.
    Reversal(u32),
    /// Another permutation P: row i takes column `from[i]`.
    Permutation(Vec<usize>),
    /// T(m, n): block k of m is diag(1, ω^k, …, ω^(k(n−1))), ω of order m·n; or its conjugate.
    Twiddles {
        /// Number of blocks.
        m: usize,
        /// Entries of a block.
        n: usize,
        /// The entries.
        weights: Vec<Coef>,
        /// Whether the root is conjugated.
        conjugated: bool,
    },
    /// Another diagonal D.
    Diagonal(Vec<Coef>),
    /// A Kronecker product.
    Kronecker(Vec<Formula>),
    /// A matrix product; the last factor works first.
    Product(Vec<Formula>),
    /// A direct sum: blocks along the diagonal.
    DirectSum(Vec<Formula>),
    /// Blocks above each other.
    Stack(Vec<Formula>),
    /// A sum.
    Sum(Vec<Formula>),
    /// Rows and columns exchanged.
    Transposed(Box<Formula>),
}

impl Formula {
    /// The matrix that the formula stands for.
    pub fn matrix(&self) -> SparseMatrix {
        let all = |parts: &[Self]| parts.iter().map(Self::matrix).collect::<Vec<_>>();
        match self {
            Self::Identity(n) => SparseMatrix::diagonal(&vec![Coef::ONE; *n]),
            Self::Zero(n) => SparseMatrix { rows: *n, columns: *n, entries: Vec::new() },
            Self::Block(_, matrix) => matrix.clone(),
            Self::Scale(factor, of) => of.matrix().map(|weight| weight.times(*factor)),
            Self::Stride { n, s } => SparseMatrix::permutation(&stride(*n, *s)),
            Self::Reversal(n_bits) => SparseMatrix::permutation(&(0..1 << n_bits).map(|i| reverse_bits(i, *n_bits)).collect::<Vec<_>>()),
            Self::Permutation(from) => SparseMatrix::permutation(from),
            Self::Diagonal(weights) | Self::Twiddles { weights, .. } => SparseMatrix::diagonal(weights),
            Self::Kronecker(parts) => all(parts).iter().fold(SparseMatrix::diagonal(&[Coef::ONE]), |left, right| left.kronecker(right)),
            Self::Product(parts) => {
                let mut matrices = all(parts).into_iter();
                let first = matrices.next().unwrap_or_default();
                matrices.fold(first, |left, right| left.times(&right))
            }
            Self::DirectSum(parts) => {
                all(parts).iter().fold(SparseMatrix::default(), |sum, part| sum.joined(part, [sum.rows, sum.columns]))
            }
            Self::Stack(parts) => all(parts).iter().fold(SparseMatrix::default(), |sum, part| sum.joined(part, [sum.rows, 0])),
            Self::Sum(parts) => all(parts).iter().fold(SparseMatrix::default(), |sum, part| sum.joined(part, [0, 0])),
            Self::Transposed(of) => of.matrix().transposed(),
        }
    }

    /// The formula as text, such as `L(8, 2)·(I₄ ⊗ W)`.
    pub fn text(&self) -> String {
        let join = |parts: &[Self], sign: &str| parts.iter().map(|part| part.inside(self)).collect::<Vec<_>>().join(sign);
        match self {
            Self::Identity(n) => format!("I{}", subscript(*n)),
            Self::Zero(n) => format!("0{}", subscript(*n)),
            Self::Block(name, _) => name.to_string(),
            Self::Scale(factor, of) => format!("{}·{}", entry_text(*factor), of.inside(self)),
            Self::Stride { n, s } => format!("L({n}, {s})"),
            Self::Reversal(n_bits) => format!("R{}", subscript(1 << n_bits)),
            Self::Permutation(_) => "P".into(),
            Self::Twiddles { m, n, conjugated, .. } => format!("T{}({m}, {n})", if *conjugated { "*" } else { "" }),
            Self::Diagonal(_) => "D".into(),
            Self::Kronecker(parts) => join(parts, " ⊗ "),
            Self::Product(parts) => join(parts, "·"),
            Self::DirectSum(parts) => join(parts, " ⊕ "),
            Self::Stack(parts) => format!("[{}]", parts.iter().map(Self::text).collect::<Vec<_>>().join("; ")),
            Self::Sum(parts) => join(parts, " + ").replace("+ −", "− "),
            Self::Transposed(of) => format!("{}ᵀ", of.inside(self)),
        }
    }

    /// The formula for TeX's mathematics.
    pub fn tex(&self) -> String {
        let join = |parts: &[Self], sign: &str| {
            let bracketed = |part: &Self| if self.binds_tighter(part) { format!("({})", part.tex()) } else { part.tex() };
            parts.iter().map(bracketed).collect::<Vec<_>>().join(sign)
        };
        match self {
            Self::Identity(n) => format!("I_{{{n}}}"),
            Self::Stride { n, s } => format!("L^{{{n}}}_{{{s}}}"),
            Self::Reversal(n_bits) => format!("R_{{{}}}", 1 << n_bits),
            Self::Twiddles { m, n, conjugated, .. } => {
                format!("{}^{{{}}}_{{{n}}}", if *conjugated { "\\overline{T}" } else { "T" }, m * n)
            }
            Self::Scale(factor, of) => format!("{}\\,{}", tex(&entry_text(*factor)), join(std::slice::from_ref(of), "")),
            Self::Kronecker(parts) => join(parts, " \\otimes "),
            Self::Product(parts) => join(parts, "\\,"),
            Self::DirectSum(parts) => join(parts, " \\oplus "),
            Self::Stack(parts) => {
                format!("\\begin{{pmatrix}} {} \\end{{pmatrix}}", parts.iter().map(Self::tex).collect::<Vec<_>>().join(" \\\\ "))
            }
            Self::Sum(parts) => join(parts, " + ").replace("+ -", "- "),
            Self::Transposed(of) => format!("{}^{{\\mathsf T}}", join(std::slice::from_ref(of), "")),
            Self::Zero(_) | Self::Block(..) | Self::Permutation(_) | Self::Diagonal(_) => tex(&self.text()),
        }
    }

    /// The text as a part of another formula, in brackets where that binds tighter.
    fn inside(&self, whole: &Self) -> String {
        if whole.binds_tighter(self) { format!("({})", self.text()) } else { self.text() }
    }

    /// Whether a part needs brackets inside this formula.
    fn binds_tighter(&self, part: &Self) -> bool {
        let strength = |formula: &Self| match formula {
            Self::Sum(parts) if parts.len() > 1 => 0,
            Self::DirectSum(parts) if parts.len() > 1 => 1,
            Self::Kronecker(parts) if parts.len() > 1 => 2,
            Self::Product(parts) if parts.len() > 1 => 3,
            Self::Scale(..) => 3,
            _ => 5,
        };
        match self {
            Self::Transposed(_) => strength(part) < 5,
            // A product within a Kronecker product or a sum is read more easily with brackets.
            Self::Kronecker(_) | Self::DirectSum(_) => strength(part) < 5,
            _ => strength(part) <= strength(self) && strength(part) < 5,
        }
    }

    /// The symbols of the formula with their meanings, each once.
    pub fn symbols(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        self.collect_symbols(&mut found);
        found
    }

    fn collect_symbols(&self, found: &mut Vec<(String, String)>) {
        let meaning = match self {
            Self::Identity(n) => format!("the identity of {n} lanes"),
            Self::Zero(n) => format!("{n} lanes that hold nothing"),
            Self::Block(name, matrix) => match &**name {
                "H" => "every row holds the low-pass filter, two lanes further right than the row above, around the end".into(),
                "G" => "the same with the high-pass filter".into(),
                "N" => neighbours_meaning(matrix),
                _ => block_meaning(matrix),
            },
            Self::Stride { n, s } => {
                let first: Vec<String> = stride(*n, *s).iter().take(6).map(usize::to_string).collect();
                let more = if *n > 6 { ", …" } else { "" };
                format!("reads {n} values with stride {s}: {}{more}", first.join(", "))
            }
            Self::Reversal(n_bits) => format!("reverses the {n_bits} bits of the index"),
            Self::Permutation(from) => format!("takes the lanes {}", listed(from.iter().map(usize::to_string), from.len())),
            Self::Twiddles { m, n, .. } => format!("twiddles: block k of {m} is diag(1, ω^k, …, ω^({}k)), ω of order {}", n - 1, m * n),
            Self::Diagonal(weights) => format!("diag({})", listed(weights.iter().map(|weight| entry_text(*weight)), weights.len())),
            Self::Scale(_, of) | Self::Transposed(of) => return of.collect_symbols(found),
            Self::Kronecker(parts) => {
                let core: Vec<&Self> = parts.iter().filter(|part| !matches!(part, Self::Identity(_))).collect();
                core.iter().for_each(|part| part.collect_symbols(found));
                let [core] = core[..] else { return };
                let name = core.inside(self);
                match (parts.first(), parts.last()) {
                    (Some(Self::Identity(a)), Some(Self::Identity(b))) => format!("{name} on {a} blocks, in each on lanes {b} apart"),
                    (Some(Self::Identity(a)), _) => format!("{name} on {a} blocks of neighbouring lanes"),
                    (_, Some(Self::Identity(b))) => format!("{name} on lanes {b} apart"),
                    _ => return,
                }
            }
            Self::DirectSum(parts) if parts.len() == 2 && matches!(parts[1], Self::Identity(_)) => {
                parts[0].collect_symbols(found);
                let Self::Identity(rest) = parts[1] else { return };
                if rest == 1 { "the last lane stays as it is".into() } else { format!("the last {rest} lanes stay as they are") }
            }
            Self::Product(parts) | Self::DirectSum(parts) | Self::Stack(parts) | Self::Sum(parts) => {
                return parts.iter().for_each(|part| part.collect_symbols(found));
            }
        };
        let symbol = self.text();
        if !found.iter().any(|(known, _)| *known == symbol) {
            found.push((symbol, meaning));
        }
    }

    /// The blocks that an outline shows: rows and columns of each.
    pub fn blocks(&self) -> Vec<[Range<usize>; 2]> {
        let mut blocks = Vec::new();
        self.collect_blocks([0, 0], &mut blocks);
        if blocks.len() > 1 { blocks } else { Vec::new() }
    }

    fn collect_blocks(&self, [down, across]: [usize; 2], blocks: &mut Vec<[Range<usize>; 2]>) {
        let size = |part: &Self| {
            let matrix = part.matrix();
            [matrix.rows, matrix.columns]
        };
        match self {
            Self::Kronecker(parts) if matches!(parts.first(), Some(Self::Identity(_))) && parts.len() > 1 => {
                let Self::Identity(copies) = parts[0] else { return };
                let rest = if parts.len() == 2 { parts[1].clone() } else { Self::Kronecker(parts[1..].to_vec()) };
                let [rows, columns] = size(&rest);
                (0..copies).for_each(|i| rest.collect_blocks([down + i * rows, across + i * columns], blocks));
            }
            Self::DirectSum(parts) | Self::Stack(parts) => {
                let mut at = [down, across];
                for part in parts {
                    part.collect_blocks(at, blocks);
                    let [rows, columns] = size(part);
                    at = [at[0] + rows, if matches!(self, Self::DirectSum(_)) { at[1] + columns } else { at[1] }];
                }
            }
            _ => {
                let [rows, columns] = size(self);
                blocks.push([down..down + rows, across..across + columns]);
            }
        }
    }
}

/// The columns that the rows of L(n, s) take.
pub(super) fn stride(n: usize, s: usize) -> Vec<usize> {
    (0..n).map(|row| row % (n / s) * s + row / (n / s)).collect()
}

/// Up to [`WRITTEN_ENTRIES`] of `n` texts, separated by commas.
fn listed(texts: impl Iterator<Item = String>, n: usize) -> String {
    let more = if n > WRITTEN_ENTRIES { ", …" } else { "" };
    texts.take(WRITTEN_ENTRIES).collect::<Vec<_>>().join(", ") + more
}

/// The neighbours of a lifting step.
fn neighbours_meaning(matrix: &SparseMatrix) -> String {
    let is_twice = matrix.entries.iter().any(|entry| entry.weight == Coef::Real(2.0));
    let rows: std::collections::BTreeSet<usize> = matrix.entries.iter().map(|entry| entry.row).collect();
    let at_border = if is_twice { "; at a border one neighbour counts twice" } else { "" };
    format!("adds up the neighbours of {} lanes{at_border}", rows.len())
}

/// A small matrix row by row, or the size of a larger one.
fn block_meaning(matrix: &SparseMatrix) -> String {
    if matrix.rows.max(matrix.columns) > WRITTEN_ROWS {
        return format!("{} × {}, {} entries other than 0", matrix.rows, matrix.columns, matrix.entries.len());
    }
    let entry = |row: usize, column: usize| matrix.at(row, column).map_or_else(|| "0".into(), |entry| entry_text(entry.weight));
    let row = |row: usize| (0..matrix.columns).map(|column| entry(row, column)).collect::<Vec<_>>().join(" ");
    format!("({})", (0..matrix.rows).map(row).collect::<Vec<_>>().join("; "))
}

/// The name of a small square matrix: W for sum and difference, Fₙ for the discrete Fourier transform, and Fₙ* for its conjugate.
pub(super) fn block_name(matrix: &SparseMatrix, ring: Ring) -> Option<String> {
    let n = matrix.rows;
    if n < 2 || matrix.columns != n {
        return None;
    }
    let is_fourier = |direction| {
        let root = |i: usize| Coef::root((i / n * (i % n)) as u64, n as u64, direction);
        let entries = (0..n * n).map(|i| MatrixEntry { row: i / n, column: i % n, weight: root(i) });
        SparseMatrix { rows: n, columns: n, entries: entries.collect() }.is_like(matrix)
    };
    let star = [(Direction::Forward, ""), (Direction::Inverse, "*")].into_iter().find(|(direction, _)| is_fourier(*direction))?.1;
    Some(if n == 2 && ring != Ring::Complex { "W".into() } else { format!("F{}{star}", subscript(n)) })
}

/// The name of the product of stages `n` down to 1: A₃·A₂·A₁.
pub fn product_name(n: usize) -> String {
    match n {
        0 => "I".into(),
        1..=4 => (1..=n).rev().map(|k| format!("A{}", subscript(k))).collect::<Vec<_>>().join("·"),
        _ => format!("A{}·…·A₁", subscript(n)),
    }
}

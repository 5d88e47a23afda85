//! The errors of the table: why an algorithm has no plan, and the remedies.

use crate::numerals::counted;
use crate::plan::{FieldError, factored};
use crate::remedy::{Remedies, Remedy};

/// Why an algorithm has no plan for a shape.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    /// A length that the algorithm does not support.
    #[error("{algorithm} takes {needs}, and {length} is none")]
    Length {
        /// The algorithm's name.
        algorithm: &'static str,
        /// The lengths that it supports, in words.
        needs: &'static str,
        /// The length that was asked for.
        length: usize,
        /// An algorithm of the same transform that supports every length.
        instead: &'static str,
    },
    /// A length that is not a power of two.
    #[error("{transform} takes rows of 2^n values, and {length} is no power of two")]
    NoPower {
        /// The transform's name.
        transform: &'static str,
        /// The length that was asked for.
        length: usize,
    },
    /// A half spectrum whose length does not belong to the number of samples.
    #[error("half the spectrum of {} has {}, and {values} are given", counted(*samples, "real sample"), counted(*half, "value"))]
    Columns {
        /// Samples of a row.
        samples: usize,
        /// Values of half their spectrum.
        half: usize,
        /// Values that are given.
        values: usize,
    },
    /// An algorithm that permutes lanes of a row, so that it cannot run down columns.
    #[error("{algorithm} permutes the lanes of a row, and so has no plan down columns")]
    Across {
        /// The algorithm's name.
        algorithm: &'static str,
    },
    /// A matrix without an inverse.
    #[error("the matrix {matrix} is singular, so that its transform has no inverse")]
    Singular {
        /// The matrix.
        matrix: String,
    },
    /// A matrix whose inverse cannot be held.
    #[error("the inverse of the matrix {matrix} has an entry beyond double precision")]
    LargeInverse {
        /// The matrix.
        matrix: String,
    },
    /// More levels than halvings down to a single sample.
    #[error(
        "{transform} halves {rows} × {columns} samples {}, and {asked} are asked for",
        match most { 0 => "at no level".to_owned(), 1 => "at 1 level".to_owned(), n => format!("at {n} levels at most") },
    )]
    Levels {
        /// The transform's name.
        transform: &'static str,
        /// The levels that were asked for.
        asked: usize,
        /// The most levels.
        most: usize,
        /// Rows of the shape.
        rows: usize,
        /// Columns of the shape.
        columns: usize,
    },
    /// An odd length, which cannot be halved evenly.
    #[error("{transform} halves every block evenly, and {length} is odd")]
    Uneven {
        /// The transform's name.
        transform: &'static str,
        /// The length that was asked for.
        length: usize,
    },
    /// A modulus that is not an odd prime, or a root of another order.
    #[error(transparent)]
    Field(FieldError),
    /// A length without a root of unity.
    #[error(
        "modulo {modulus} there is no root of unity for {length} values, since {}{length} does not divide {} = {}",
        if *twice { "2·" } else { "" }, modulus - 1, factored(u64::from(*modulus) - 1)
    )]
    NoRoot {
        /// The modulus.
        modulus: u32,
        /// The length that was asked for.
        length: usize,
        /// Whether twice the length must divide.
        twice: bool,
        /// A length near this one that has a root.
        near: usize,
    },
    /// A value that a scheme fixes.
    #[error("{scheme} has {what} {has}, and {asked} is given")]
    Scheme {
        /// The name of the scheme.
        scheme: &'static str,
        /// The choice that it fixes.
        what: &'static str,
        /// The value of the scheme.
        has: u64,
        /// The value that was asked for.
        asked: u64,
    },
    /// More layers than halvings.
    #[error("{length} values have at most {most} layers of butterflies, and {asked} are asked for")]
    Layers {
        /// The length.
        length: usize,
        /// The layers that were asked for.
        asked: u32,
        /// The most layers.
        most: u32,
    },
    /// An algorithm that computes all layers.
    #[error("the layers stop after {points} of {length} points in the algorithm layers alone")]
    Incomplete {
        /// The points of the incomplete transform.
        points: usize,
        /// The length.
        length: usize,
    },
    /// Polynomials of more than two values behind the last layer of a product.
    #[error("{layers} layers leave polynomials of {width} values, and products end in single values or pairs")]
    Width {
        /// The layers.
        layers: u32,
        /// The values of a polynomial.
        width: usize,
    },
    /// A definition that would be computed with too many terms.
    #[error("direct would sum {terms} terms, and takes at most {most}, which are those of 65536 results")]
    Terms {
        /// The terms of all results.
        terms: u128,
        /// The most terms.
        most: u128,
    },
    /// A name that is not in the table.
    #[error("there is no {what} named '{name}': take one of {known}")]
    Name {
        /// "transform" or "algorithm of dft".
        what: String,
        /// The name that was asked for.
        name: String,
        /// The names that exist.
        known: String,
    },
}

impl Remedies for Unsupported {
    fn remedies(&self) -> Vec<Remedy> {
        match self {
            Self::Length { instead, .. } => vec![Remedy::Advice("crop or resize the input"), Remedy::Algorithm(instead)],
            Self::NoPower { length, .. } => vec![Remedy::Size(length.next_power_of_two())],
            Self::Columns { .. } => vec![Remedy::AnotherSize],
            Self::Across { .. } => vec![Remedy::AnotherAlgorithm, Remedy::Advice("transform rows")],
            Self::LargeInverse { .. } | Self::Singular { .. } => {
                vec![Remedy::Advice("take another matrix"), Remedy::Advice("take the forward direction")]
            }
            Self::Levels { most, .. } => vec![Remedy::Levels(*most)],
            Self::Uneven { length, .. } => vec![Remedy::Size(length + 1)],
            Self::Terms { .. } => vec![Remedy::AnotherAlgorithm, Remedy::SmallerSize],
            Self::Field(FieldError::Root { .. }) => vec![Remedy::Advice("leave the root out")],
            Self::Field(_) => vec![Remedy::Advice("take an odd prime below 2^31, such as 12289 or 998244353")],
            Self::NoRoot { near, .. } => vec![Remedy::Size(*near), Remedy::Advice("take another modulus")],
            Self::Scheme { what: "the modulus", .. } => vec![Remedy::Advice("leave the modulus out")],
            Self::Scheme { has, .. } => vec![Remedy::Size(*has as usize)],
            Self::Layers { .. } => vec![Remedy::Advice("take fewer layers")],
            Self::Width { .. } => vec![Remedy::Advice("take all layers, or all but one")],
            Self::Incomplete { .. } => vec![Remedy::Algorithm("layers")],
            Self::Name { .. } => Vec::new(),
        }
    }
}

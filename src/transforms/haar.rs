//! The Haar transform, H(0) = \[1\], H(n) = [ H(n−1) ⊗ [1 1] ; I ⊗ [1 −1] ]: the sum of all samples, then differences of halves, of quarters, … of neighbours.
//! Not normalised, or orthonormal: every row divided by its norm.
//!
//! D. B. Gajić, R. S. Stanković, GPU accelerated computation of fast spectral transforms (2011), Algorithms 3 and 4.
//! A lane that no butterfly of a stage writes keeps its value, so the third buffer in which the paper collects the spectrum is not needed: a lane is final once the steps have passed it.

mod definition;
mod stages;

use super::kronecker::ROW;
use super::lines::{along_both, along_rows};
use super::{Algorithm, Axes, Build, Parameter, PlanFn, Transform};
use stages::{constant_geometry, printed, pyramid};

/// The two algorithms of the standard spectrum. The first needs no permutation, so that a GPU runs it in two launches.
const fn algorithms(pyramid: PlanFn, constant_geometry: PlanFn) -> [Algorithm; 2] {
    [
        Algorithm {
            name: "constant-geometry",
            about: "Every step reads neighbours, from one buffer to the other, and half as many as the step before",
            source: "D. B. Gajić, R. S. Stanković 2011, Algorithm 4",
            build: Build::Plan(constant_geometry),
        },
        Algorithm {
            name: "cooley-tukey",
            about: "In place, neighbours first, then sums of neighbours, …; a permutation puts the coarsest first",
            source: "A. Haar 1910; D. B. Gajić, R. S. Stanković 2011, section 5.4",
            build: Build::Plan(pyramid),
        },
    ]
}

/// Haar, along every row.
pub const HAAR: Transform = Transform {
    name: "haar",
    title: "Haar",
    about: "Haar transform of every row, not normalised or orthonormal, coarsest first",
    formula: "H(n) = [ H(n−1) ⊗ [1 1] ; I ⊗ [1 −1] ]",
    partner: Some("haar2"),
    parameters: &[Parameter::Normalized, Parameter::Lines],
    algorithms: &algorithms(
        |shape, parameters| along_rows("haar", shape, |n| Ok(pyramid(n, parameters))),
        |shape, parameters| along_rows("haar", shape, |n| Ok(constant_geometry(n, parameters))),
    ),
    definition: definition::haar,
    ..ROW
};

/// Haar, along both axes of a picture.
pub const HAAR2: Transform = Transform {
    name: "haar2",
    title: "Haar 2-D",
    about: "Haar transform of a picture, all of every row and then all of every column, coarsest first",
    formula: "H · x · H^T",
    axes: Axes::Both,
    partner: Some("haar"),
    parameters: &[Parameter::Normalized],
    algorithms: &algorithms(
        |shape, parameters| along_both("haar2", shape, |n| Ok(pyramid(n, parameters))),
        |shape, parameters| along_both("haar2", shape, |n| Ok(constant_geometry(n, parameters))),
    ),
    definition: definition::haar2,
    ..ROW
};

/// What the in-place algorithm of the paper computes as printed, which is not the Haar transform of its input but a permuted one.
pub const HAAR_PRINTED: Transform = Transform {
    name: "haar-printed",
    title: "Haar as printed",
    about: "What Algorithm 3 of Gajić and Stanković 2011 computes: Haar of the input in bit-reversed order, the rows of each scale bit-reversed too",
    formula: "R · H · B",
    parameters: &[Parameter::Normalized, Parameter::Lines],
    algorithms: &[Algorithm {
        name: "cooley-tukey",
        about: "In place, pairs N/2 lanes apart first, and half as many in every further step",
        source: "D. B. Gajić, R. S. Stanković 2011, Algorithm 3, Figure 2 (e)",
        build: Build::Plan(|shape, parameters| along_rows("haar-printed", shape, |n| Ok(printed(n, parameters)))),
    }],
    definition: definition::haar_printed,
    ..ROW
};

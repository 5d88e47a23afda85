//! The Haar transform, H(0) = \[1\], H(n) = [ H(n−1) ⊗ [1 1] ; I ⊗ [1 −1] ]: the sum of all samples, then the differences of halves, of quarters, … of neighbours.
//! It is not normalised, or orthonormal: every row is divided by its norm.
//!
//! D. B. Gajić, R. S. Stanković, GPU accelerated computation of fast spectral transforms (2011), Algorithms 3 and 4.
//! The paper collects the spectrum in a third buffer. Constant geometry here does without it, because a lane that no butterfly of a stage writes keeps its
//! value; `three-buffers` has all three as lanes.

mod definition;
mod stages;

use super::kronecker::ROW;
use super::lines::{along_both, along_rows};
use super::{Algorithm, Axes, Build, Parameter, Parameters, PlanFn, Shape, Transform, Unsupported, direct};
use crate::plan::{Plan, ResultOrder, Ring};
use stages::{constant_geometry, dense, printed, pyramid, three_buffers};

/// Needs no permutation, so that a GPU runs it in two launches.
const fn by_constant_geometry(plan: PlanFn) -> Algorithm {
    Algorithm {
        name: "constant-geometry",
        about: "Every stage reads neighbouring lanes of one buffer and writes the other; it works on half the lanes of the stage before",
        source: "D. B. Gajić, R. S. Stanković 2011, Algorithm 4",
        build: Build::Plan(plan),
    }
}

const fn by_cooley_tukey(plan: PlanFn) -> Algorithm {
    Algorithm {
        name: "cooley-tukey",
        about: "In place, neighbours first, then sums of neighbours, …; a permutation puts the coarsest first",
        source: "A. Haar 1910; D. B. Gajić, R. S. Stanković 2011, section 5.4",
        build: Build::Plan(plan),
    }
}

/// Algorithm 4 with its three buffers as lanes of the plan.
fn with_three_buffers(shape: Shape, parameters: Parameters) -> Result<Plan, Unsupported> {
    let n = shape.columns;
    if !n.is_power_of_two() {
        return Err(Unsupported::NoPower { transform: "haar", length: n });
    }
    let stages = if n == 1 { Vec::new() } else { three_buffers(n, parameters) };
    let lanes = if n == 1 { 1 } else { 3 * n };
    Ok(Plan::new(Ring::of(&stages), lanes, stages, ResultOrder::Natural).with_ends(n, n).batched(shape.rows))
}

/// Haar, along every row.
pub const HAAR: Transform = Transform {
    name: "haar",
    title: "Haar",
    about: "Haar transform of every row, not normalised or orthonormal, coarsest first",
    formula: "H(n) = [ H(n−1) ⊗ [1 1] ; I ⊗ [1 −1] ]",
    partner: Some("haar2"),
    wavelet: Some("d2"),
    parameters: &[Parameter::Normalized, Parameter::Lines],
    algorithms: &[
        by_constant_geometry(|shape, parameters| along_rows("haar", shape, |n| Ok(constant_geometry(n, parameters)))),
        by_cooley_tukey(|shape, parameters| along_rows("haar", shape, |n| Ok(pyramid(n, parameters)))),
        Algorithm {
            name: "three-buffers",
            about: "Constant geometry as printed: two buffers exchange their roles, and a third one collects the spectrum",
            source: "D. B. Gajić, R. S. Stanković 2011, Algorithm 4",
            build: Build::Plan(with_three_buffers),
        },
        direct::algorithm(|shape, parameters| along_rows("haar", shape, |n| dense(n, parameters))),
    ],
    definition: Some(definition::haar),
    ..ROW
};

/// Haar, along both axes of an image.
pub const HAAR2: Transform = Transform {
    name: "haar2",
    title: "Haar 2-D",
    about: "Haar transform of an image, all rows and then all columns, coarsest first",
    formula: "H · x · H^T",
    axes: Axes::Both,
    partner: Some("haar"),
    wavelet: Some("d2-2"),
    parameters: &[Parameter::Normalized],
    algorithms: &[
        by_constant_geometry(|shape, parameters| along_both("haar2", shape, |n| Ok(constant_geometry(n, parameters)))),
        by_cooley_tukey(|shape, parameters| along_both("haar2", shape, |n| Ok(pyramid(n, parameters)))),
        direct::along_both(|shape, parameters| along_both("haar2", shape, |n| dense(n, parameters))),
    ],
    definition: Some(definition::haar2),
    ..ROW
};

/// The in-place algorithm of the paper as it is printed: it computes a permuted Haar transform of a permuted input.
pub const HAAR_PRINTED: Transform = Transform {
    name: "haar-printed",
    title: "Haar as printed",
    about: "What Algorithm 3 of Gajić and Stanković 2011 computes: Haar of the input in bit-reversed order, with the rows of each scale bit-reversed too",
    formula: "R · H · B",
    parameters: &[Parameter::Normalized, Parameter::Lines],
    algorithms: &[Algorithm {
        name: "cooley-tukey",
        about: "In place, pairs N/2 lanes apart first; every further stage has half the pairs",
        source: "D. B. Gajić, R. S. Stanković 2011, Algorithm 3, Figure 2 (e)",
        build: Build::Plan(|shape, parameters| along_rows("haar-printed", shape, |n| Ok(printed(n, parameters)))),
    }],
    definition: Some(definition::haar_printed),
    ..ROW
};

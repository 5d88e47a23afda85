//! Kronecker powers of a 2×2 matrix, T(n) = T(1) ⊗ … ⊗ T(1): Walsh, Reed-Muller, arithmetic, and any other.
//! Index i has the bits x1 … xn, x1 the most significant.
//!
//! D. B. Gajić, R. S. Stanković, GPU accelerated computation of fast spectral transforms (2011): the in-place Cooley-Tukey algorithm (equations 3 and 4)
//! and the algorithm with constant geometry (equations 5 and 6), whose writes decide the order of the result: as Algorithm 2 prints them, indices are bit-reversed.

mod definition;
pub(super) mod stages;

use super::lines::{along_both, along_rows, at_once};
use super::{Algorithm, Axes, Base, Build, Family, Numbers, Parameter, Parameters, PlanFn, RowOrder, Transform, Unsupported, direct};
use crate::plan::shapes::ScalingStage;
use crate::plan::{Direction, IntegerWidth, Ring, Stage};
use stages::{constant_geometry, cooley_tukey, dense, reordered};

/// The algorithms of all transforms in this file.
const fn algorithms(in_place: PlanFn, constant_geometry: PlanFn, direct: Algorithm) -> [Algorithm; 3] {
    [
        Algorithm {
            name: "cooley-tukey",
            about: "In place, pairs N/2 lanes apart first and neighbours last; orders other than natural by a permutation at the end",
            source: "D. B. Gajić, R. S. Stanković 2011, Algorithm 1, equations 3 and 4",
            build: Build::Plan(in_place),
        },
        Algorithm {
            name: "constant-geometry",
            about: "Every stage reads neighbours, from one buffer to the other; its writes decide the order",
            source: "D. B. Gajić, R. S. Stanković 2011, Algorithm 2, equations 5 and 6",
            build: Build::Plan(constant_geometry),
        },
        direct,
    ]
}

/// The declarations that the family shares.
pub(super) const ROW: Transform = Transform { family: Family::SpectralLogic, ring: Ring::Integer(IntegerWidth::Bits64), ..super::row::ROW };

/// Walsh, along every row.
pub const WALSH: Transform = Transform {
    name: "walsh",
    title: "Walsh",
    about: "Walsh transform of every row, in natural, sequency or dyadic order",
    formula: "W[k] = Σ x[i]·(−1)^popcount(k AND i)",
    inverse_formula: Some("x[i] = 1/N · Σ W[k]·(−1)^popcount(k AND i)"),
    partner: Some("walsh2"),
    parameters: &[Parameter::Order, Parameter::Lines],
    algorithms: &algorithms(
        |shape, parameters| along_rows("walsh", shape, |n| Ok(walsh_in_place(n, parameters))),
        |shape, parameters| along_rows("walsh", shape, |n| Ok(walsh_constant(n, parameters))),
        direct::algorithm(|shape, parameters| along_rows("walsh", shape, |n| walsh_direct(n, parameters))),
    ),
    definition: Some(definition::walsh),
    ..ROW
};

/// Walsh, along both axes of an image.
pub const WALSH2: Transform = Transform {
    name: "walsh2",
    title: "Walsh 2-D",
    about: "Walsh transform of an image along both axes, in natural, sequency or dyadic order",
    formula: "W[k, l] = Σ Σ x[i, j]·(−1)^popcount(k AND i)·(−1)^popcount(l AND j)",
    inverse_formula: Some("x[i, j] = 1/(MN) · Σ Σ W[k, l]·(−1)^popcount(k AND i)·(−1)^popcount(l AND j)"),
    axes: Axes::Both,
    partner: Some("walsh"),
    parameters: &[Parameter::Order],
    algorithms: &algorithms(
        |shape, parameters| match parameters.order {
            RowOrder::Natural => at_once("walsh2", shape, |n| Ok(walsh_in_place(n, parameters))),
            // A permutation reorders the bits of each axis separately.
            RowOrder::Sequency | RowOrder::Dyadic => along_both("walsh2", shape, |n| Ok(walsh_in_place(n, parameters))),
        },
        |shape, parameters| along_both("walsh2", shape, |n| Ok(walsh_constant(n, parameters))),
        direct::along_both(|shape, parameters| along_both("walsh2", shape, |n| walsh_direct(n, parameters))),
    ),
    definition: Some(definition::walsh2),
    ..ROW
};

/// Reed-Muller, positive polarity, over GF(2).
pub const REED_MULLER: Transform = Transform {
    name: "reed-muller",
    title: "Reed-Muller",
    takes: Numbers::Bits,
    gives: Numbers::Bits,
    ring: Ring::Gf2,
    about: "Coefficients of the Reed-Muller polynomial of every row, modulo 2, positive polarity",
    formula: "R[k] = ⊕ x[i] over all i with i AND k = i",
    inverse_formula: Some("x[i] = ⊕ R[k] over all k with k AND i = k"),
    parameters: &[Parameter::IndexOrder, Parameter::Lines],
    algorithms: &algorithms(
        |shape, parameters| Ok(along_rows("reed-muller", shape, |n| Ok(in_place(n, Base::REED_MULLER, parameters)))?.over(Ring::Gf2)),
        |shape, parameters| Ok(along_rows("reed-muller", shape, |n| Ok(constant(n, Base::REED_MULLER, parameters)))?.over(Ring::Gf2)),
        direct::algorithm(|shape, parameters| {
            Ok(along_rows("reed-muller", shape, |n| dense(n, Base::REED_MULLER, parameters.index_order()))?.over(Ring::Gf2))
        }),
    ),
    definition: Some(definition::reed_muller),
    ..ROW
};

/// The arithmetic transform.
pub const ARITHMETIC: Transform = Transform {
    name: "arithmetic",
    title: "Arithmetic",
    about: "Coefficients of the arithmetic polynomial of every row, over the integers",
    formula: "A[k] = Σ (−1)^popcount(k XOR i)·x[i] over all i with i AND k = i",
    inverse_formula: Some("x[i] = Σ A[k] over all k with k AND i = k"),
    parameters: &[Parameter::IndexOrder, Parameter::Lines],
    algorithms: &algorithms(
        |shape, parameters| along_rows("arithmetic", shape, |n| Ok(in_place(n, directed(Base::ARITHMETIC, parameters)?, parameters))),
        |shape, parameters| along_rows("arithmetic", shape, |n| Ok(constant(n, directed(Base::ARITHMETIC, parameters)?, parameters))),
        direct::algorithm(|shape, parameters| {
            along_rows("arithmetic", shape, |n| dense(n, directed(Base::ARITHMETIC, parameters)?, parameters.index_order()))
        }),
    ),
    definition: Some(definition::arithmetic),
    ..ROW
};

/// The Kronecker powers of a matrix that the user types.
pub const KRONECKER: Transform = Transform {
    name: "kronecker",
    title: "Kronecker",
    about: "Kronecker power of any 2×2 matrix [[a, b], [c, d]] applied to every row",
    formula: "K[k] = Σ x[i]·Π T[bit of k, bit of i]",
    parameters: &[Parameter::Matrix, Parameter::IndexOrder, Parameter::Lines],
    algorithms: &algorithms(
        |shape, parameters| along_rows("kronecker", shape, |n| Ok(in_place(n, directed(parameters.matrix, parameters)?, parameters))),
        |shape, parameters| along_rows("kronecker", shape, |n| Ok(constant(n, directed(parameters.matrix, parameters)?, parameters))),
        direct::algorithm(|shape, parameters| {
            along_rows("kronecker", shape, |n| dense(n, directed(parameters.matrix, parameters)?, parameters.index_order()))
        }),
    ),
    definition: Some(definition::kronecker),
    ..ROW
};

/// The matrix of one stage: `base`, or its inverse.
fn directed(base: Base, parameters: Parameters) -> Result<Base, Unsupported> {
    match parameters.direction {
        Direction::Forward => Ok(base),
        Direction::Inverse => base.inverse(),
    }
}

/// The permutation commutes with the transform, so the inverse takes the same stages with the inverse matrix.
fn in_place(n: usize, base: Base, parameters: Parameters) -> Vec<Stage> {
    let mut stages = cooley_tukey(n, base);
    stages.extend(reordered(n, parameters.index_order()));
    stages
}

fn constant(n: usize, base: Base, parameters: Parameters) -> Vec<Stage> {
    constant_geometry(n, base, parameters.index_order())
}

fn walsh_in_place(n: usize, parameters: Parameters) -> Vec<Stage> {
    let mut stages = cooley_tukey(n, Base::WALSH);
    stages.extend(reordered(n, parameters.order));
    scaled(stages, n, parameters.direction)
}

fn walsh_constant(n: usize, parameters: Parameters) -> Vec<Stage> {
    scaled(constant_geometry(n, Base::WALSH, parameters.order), n, parameters.direction)
}

fn walsh_direct(n: usize, parameters: Parameters) -> Result<Vec<Stage>, Unsupported> {
    Ok(scaled(dense(n, Base::WALSH, parameters.order)?, n, parameters.direction))
}

/// The Walsh matrix is symmetric in all three orders, so the inverse runs the same stages and then divides by N.
fn scaled(mut stages: Vec<Stage>, n: usize, direction: Direction) -> Vec<Stage> {
    stages.extend((direction == Direction::Inverse && n > 1).then(|| ScalingStage::by_reciprocal(n, n)));
    stages
}

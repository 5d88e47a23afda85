//! Wavelet transforms: low-pass and high-pass halves, and the low half again, level after level; coarsest first, in two dimensions in the Mallat layout.
//!
//! F. Argüello, D. B. Heras, M. Bóo, J. Lamas-Rodríguez, The split-and-merge method in general purpose computation on GPUs (2012), section 3.
//! A line of n samples has ceil(n/2) low and floor(n/2) high coefficients; one of a single sample is left as it is.

mod definition;
mod lifting;

use super::{Algorithm, Axes, Build, Parameter, Parameters, Shape, Transform, Unsupported};
use crate::plan::{Order, Plan, Pyramid, Ring};
use lifting::{CDF97_STEPS, Scheme};

/// Levels that are taken where none are asked for and the length allows as many.
pub const USUAL_LEVELS: usize = 4;

/// CDF 9/7, along every row.
pub const CDF97: Transform = Transform {
    name: "cdf97",
    title: "CDF 9/7",
    family: "Wavelets",
    about: "Wavelet transform of every row with the biorthogonal filters of 9 and 7 taps of Cohen, Daubechies and Feauveau, coarsest first",
    formula: "low[i] = Σ h[k]·x[2i+k], k = −4 … 4; high[i] = Σ g[k]·x[2i+1+k], k = −3 … 3",
    axes: Axes::Rows,
    parameters: &[Parameter::Levels, Parameter::Boundary],
    algorithms: &[Algorithm {
        name: "direct",
        about: "Four lifting steps a level, in place, each of all lanes before the next; a permutation puts the coarsest first",
        source: "I. Daubechies, W. Sweldens 1998; F. Argüello et al. 2012, equations 7 to 10",
        build: Build::Plan(|shape, parameters| by_lifting("cdf97", Axes::Rows, shape, parameters, &cdf97(parameters))),
    }],
    definition: definition::cdf97,
};

fn cdf97(parameters: Parameters) -> Scheme {
    Scheme { steps: &CDF97_STEPS, boundary: parameters.boundary, turn: 0 }
}

/// How many levels are taken of a shape, of which the transform halves these axes.
///
/// # Errors
/// When more are asked for than it takes until a single sample is left.
fn levels(transform: &'static str, axes: Axes, shape: Shape, parameters: Parameters) -> Result<u32, Unsupported> {
    let most = most_levels(axes, shape);
    let asked = parameters.levels.unwrap_or(USUAL_LEVELS.min(most));
    if asked > most {
        let length = if axes == Axes::Rows { shape.columns } else { shape.columns.max(shape.rows) };
        return Err(Unsupported::Levels { transform, asked, most, length });
    }
    Ok(asked as u32)
}

/// How often a shape can be halved until one sample is left of every line.
pub(super) fn most_levels(axes: Axes, shape: Shape) -> usize {
    let halvings = |n: usize| n.next_power_of_two().ilog2() as usize;
    match axes {
        Axes::Rows => halvings(shape.columns),
        Axes::Both => halvings(shape.columns).max(halvings(shape.rows)),
    }
}

/// The plan of a lifting scheme: all levels in place, and the permutation that puts the coarsest first.
fn by_lifting(transform: &'static str, axes: Axes, shape: Shape, parameters: Parameters, scheme: &Scheme) -> Result<Plan, Unsupported> {
    let levels = levels(transform, axes, shape, parameters)?;
    let picture = if axes == Axes::Rows { Shape::line(shape.columns) } else { shape };
    let Shape { rows, columns } = picture;
    let pyramid = Pyramid { rows, columns, levels, turn: scheme.turn, direction: parameters.direction };
    let stages = lifting::stages(picture, scheme, pyramid);
    let plan = Plan::new(Ring::Real, picture.len(), stages, Order::Natural);
    Ok(if axes == Axes::Rows { plan.batched(shape.rows) } else { plan })
}

//! Tridiagonal systems of any size: a·x\[i−1\] + b·x\[i\] + c·x\[i+1\] = d, one row (a, b, c, d) for each unknown x\[i\].
//!
//! A level of reduction takes their neighbours away from some rows, and back substitution takes solved neighbours away: one operation, [`Operation::Eliminate`], serves both.
//! R. W. Hockney, A fast direct solution of Poisson's equation using Fourier analysis (1965);
//! F. Argüello, D. B. Heras, M. Bóo, J. Lamas-Rodríguez, The split-and-merge method in GPGPU (2012), section 3.3 and Figure 6.

use super::{Algorithm, Axes, Build, Family, Input, Numbers, ResultIndex, Shape, Transform, Unsupported};
use crate::plan::shapes::{cyclic_reduction, parallel_cyclic_reduction};
use crate::plan::{Order, Plan, Ring, Stage};

/// Tridiagonal systems, one in every row; samples are equations here, and the result is a solution.
///
/// It stands beside the table [`super::TRANSFORMS`], as its lanes hold equations and its test is the residual: there is no matrix that it multiplies by.
pub static TRIDIAGONAL: Transform = Transform {
    name: "tridiagonal",
    title: "Tridiagonal system",
    family: Family::Equations,
    about: "Solution of a tridiagonal system of equations, one row (a, b, c, d) for each unknown",
    formula: "a·x[i−1] + b·x[i] + c·x[i+1] = d",
    axes: Axes::Rows,
    partner: None,
    input: Input::Equations,
    takes: Numbers::Real,
    gives: Numbers::Real,
    ring: Ring::Row,
    has_inverse: false,
    index: ResultIndex::Number("equation"),
    parameters: &[],
    algorithms: &[
        Algorithm {
            name: "cyclic-reduction",
            about: "In place: every second row loses its neighbours until one row is left, then the others are substituted back; 2·log2 N steps, 2·N eliminations",
            source: "R. W. Hockney 1965; F. Argüello et al. 2012, Figure 6",
            build: Build::Plan(|shape, _| planned(shape, cyclic_reduction)),
        },
        Algorithm {
            name: "parallel-cyclic-reduction",
            about: "Every row loses its neighbours in every step, from one buffer to the other, until none is left; log2 N steps, N·log2 N eliminations",
            source: "R. W. Hockney, C. R. Jesshope, Parallel Computers (1981)",
            build: Build::Plan(|shape, _| planned(shape, parallel_cyclic_reduction)),
        },
        Algorithm {
            name: "thomas",
            about: "On the CPU, row after row: Gaussian elimination without exchanges, in double precision",
            source: "L. H. Thomas, Elliptic problems in linear difference equations over a network (1949)",
            build: Build::Library,
        },
        Algorithm {
            name: "pivoted",
            about: "On the CPU, row after row: Gaussian elimination that exchanges rows where a pivot is small, in double precision; it solves whatever has one solution",
            source: "LAPACK, dgttrf and dgttrs",
            build: Build::Library,
        },
    ],
    definition: |_, _| Vec::new(),
};

fn planned(shape: Shape, stages: fn(usize) -> Vec<Stage>) -> Result<Plan, Unsupported> {
    Ok(Plan::new(Ring::Row, shape.columns, stages(shape.columns), Order::Natural).batched(shape.rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_reduced_is_in_place_and_complete() {
        for n in (1..40).chain([1001]) {
            let plan = planned(Shape::line(n), cyclic_reduction).expect("every size has a plan");
            assert!(plan.in_place() && plan.unwritten().is_none(), "{n} rows");
            let n_written: usize = plan.stages.iter().map(Stage::n_butterflies).sum();
            let n_levels = n.ilog2() as usize;
            assert_eq!(plan.stages.len(), 2 * n_levels + usize::from(n == 1));
            // Each row but the last one left is substituted back once; the levels halve the rows.
            let n_reduced: usize = (1..=n_levels).map(|level| n >> level).sum();
            assert_eq!(n_written, n_reduced + n - usize::from(n > 1), "{n} rows");
        }
        assert!(!planned(Shape::line(4), parallel_cyclic_reduction).is_ok_and(|plan| plan.in_place()));
    }
}

//! Tridiagonal systems of any size: a·x\[i−1\] + b·x\[i\] + c·x\[i+1\] = d, one row (a, b, c, d) for each unknown x\[i\].
//!
//! A level of reduction eliminates the neighbours of some equations, and back substitution eliminates solved neighbours. Both are the operation `Eliminate` of a stage.
//! Recursive doubling is three scans with the steps of the operation `Doubling`.
//! R. W. Hockney, A fast direct solution of Poisson's equation using Fourier analysis (1965);
//! F. Argüello, D. B. Heras, M. Bóo, J. Lamas-Rodríguez, The split-and-merge method in GPGPU (2012), section 3.3 and Figure 6.

use super::{Algorithm, Build, Family, Input, Numbers, ResultIndex, Schedules, Sections, Shape, Transform, Unsupported};
use crate::plan::shapes::{cyclic_reduction, parallel_cyclic_reduction, recursive_doubling};
use crate::plan::{Plan, ResultOrder, Ring, Stage};

/// Tridiagonal systems, one in every row: the samples are equations, the result is the solution.
///
/// No matrix defines it; tests judge it by the residual.
pub const TRIDIAGONAL: Transform = Transform {
    name: "tridiagonal",
    title: "Tridiagonal system",
    family: Family::Equations,
    about: "Solution of a tridiagonal system of equations, one row (a, b, c, d) for each unknown",
    formula: "a·x[i−1] + b·x[i] + c·x[i+1] = d",
    inverse_formula: None,
    input: Input::Equations,
    takes: Numbers::Real,
    gives: Numbers::Real,
    ring: Ring::Equation,
    has_inverse: false,
    index: ResultIndex::Number("equation"),
    parameters: &[],
    algorithms: &[
        Algorithm {
            name: "cyclic-reduction",
            about: "In place: every second equation loses its neighbours until one is left, then back substitution solves the others; 2·log2 N stages, 2·N eliminations",
            source: "R. W. Hockney 1965; F. Argüello et al. 2012, Figure 6",
            build: Build::Scheduled(|shape, _| planned(shape, cyclic_reduction), IN_SECTIONS),
        },
        Algorithm {
            name: "parallel-cyclic-reduction",
            about: "Every equation loses its neighbours in every stage, from one buffer to the other, until none is left; log2 N stages, N·log2 N eliminations",
            source: "R. W. Hockney, C. R. Jesshope, Parallel Computers (1981)",
            build: Build::Scheduled(|shape, _| planned(shape, parallel_cyclic_reduction), IN_SECTIONS),
        },
        Algorithm {
            name: "recursive-doubling",
            about: "Gaussian elimination as three scans over equations 1, 2, 4 … apart: its pivots, then the unknowns before, then those behind; 3·log2 N + 2 stages, N results each",
            source: "H. S. Stone, An efficient parallel algorithm for the solution of a tridiagonal linear system of equations (1973)",
            build: Build::Scheduled(|shape, _| doubled(shape), IN_SECTIONS),
        },
        Algorithm {
            name: "thomas",
            about: "On the CPU, row after row: Gaussian elimination without exchanges, in double precision",
            source: "L. H. Thomas, Elliptic problems in linear difference equations over a network (1949)",
            build: Build::Library,
        },
        Algorithm {
            name: "pivoted",
            about: "On the CPU, row after row: Gaussian elimination that exchanges rows where a pivot is small, in double precision; it solves every regular system",
            source: "LAPACK, dgttrf and dgttrs",
            build: Build::Library,
        },
    ],
    ..super::row::ROW
};

/// Tiles, a launch a stage, or split sections and merge sections.
const IN_SECTIONS: Schedules = Schedules { sections: Sections::Lines, ..Schedules::TILES };

fn doubled(Shape { rows, columns: n }: Shape) -> Result<Plan, Unsupported> {
    Ok(Plan::new(Ring::Equation, 2 * n, recursive_doubling(n), ResultOrder::Natural).with_ends(n, n).batched(rows))
}

fn planned(shape: Shape, stages: fn(usize) -> Vec<Stage>) -> Result<Plan, Unsupported> {
    Ok(Plan::new(Ring::Equation, shape.columns, stages(shape.columns), ResultOrder::Natural).batched(shape.rows))
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

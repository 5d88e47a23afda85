//! Direct algorithms: each transform as its definition writes it, N² terms in one dense stage, from which the fast algorithms set out.
//!
//! D. B. Gajić, R. S. Stanković, GPU accelerated computation of fast spectral transforms (2011), section 2, and GPU computation of the dyadic convolution (2012), section 2;
//! R. Li, OpenCL fast Fourier transform (2012), section 1.1.

use super::{Algorithm, Build, PlanFn, Unsupported};
use crate::plan::{AngleValues, DirectSum, DirectTerms, Direction, Plan, ResultOrder, Ring, Stage};

/// The most terms of a plan: on a few cores they take about ten seconds.
const MOST_TERMS: u128 = 1 << 32;

/// The direct algorithm of a transform along lines.
pub(super) const fn algorithm(build: PlanFn) -> Algorithm {
    Algorithm {
        name: "direct",
        about: "The definition, N terms for each of N results in one dense stage: what fast algorithms save",
        source: "The definition; D. B. Gajić, R. S. Stanković 2011 and 2012, section 2; R. Li 2012, section 1.1",
        build: Build::Plan(build),
    }
}

/// The direct algorithm of a transform of images, along one axis after the other.
pub(super) const fn along_both(build: PlanFn) -> Algorithm {
    Algorithm {
        about: "The definition along the rows, and then along the columns: N terms for each result of a line of N",
        ..algorithm(build)
    }
}

/// Checks the number of terms of all results, before a plan is built for one line of `length` values.
///
/// # Errors
/// Where a run would take too long.
pub(super) fn check_line(length: usize) -> Result<(), Unsupported> {
    check_terms(length as u128 * length as u128)
}

/// Checks the number of terms of a plan.
///
/// # Errors
/// As [`check_line`].
pub(super) fn check(plan: &Plan) -> Result<(), Unsupported> {
    let terms = |stage: &Stage| stage.direct_sum().map_or(0, |sum| stage.n_butterflies() as u128 * sum.n_terms() as u128);
    check_terms(plan.stages.iter().map(terms).sum())
}

fn check_terms(terms: u128) -> Result<(), Unsupported> {
    if terms > MOST_TERMS { Err(Unsupported::Terms { terms, most: MOST_TERMS }) } else { Ok(()) }
}

/// The Fourier transform of one line of `n` values, not normalised.
pub(super) fn fourier(n: usize, direction: Direction) -> Stage {
    angles(n, n, AngleValues::Root(direction), [1, 0], [1, 0])
}

/// A sum over angles (p·row\[0\] + row\[1\])·(k·column\[0\] + column\[1\]) in parts of a circle of `order` parts.
pub(super) fn angles(n: usize, order: usize, values: AngleValues, row: [usize; 2], column: [usize; 2]) -> Stage {
    DirectSum::stage(n, DirectTerms::Angles { order, values, row, column })
}

/// The plan of one line of complex values.
pub(super) fn complex(n: usize, stages: Vec<Stage>) -> Plan {
    Plan::new(Ring::Complex, n, stages, ResultOrder::Natural)
}

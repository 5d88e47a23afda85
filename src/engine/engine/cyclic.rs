//! Solves cyclic tridiagonal systems, whose first equation has the last unknown and whose last equation the first one.
//!
//! The corners are a correction of rank one to a tridiagonal matrix: any algorithm solves the rest with two right-hand sides, on any device, and both
//! solutions join to that of the whole (J. Sherman and W. Morrison, Adjustment of an inverse matrix corresponding to a change in one element of a given matrix, 1950).

use super::accuracy::epsilon;
use super::{Accuracy, Devices, EngineError, Job, Solution, SolveError, solve};
use crate::plan::Precision;
use crate::signal::System;
use crate::signal::system::{Residual, SystemError};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The solution of a cyclic system, by the algorithm and the device of a job.
///
/// # Errors
/// As [`solve`]; and when there are fewer than three equations, or the correction is singular.
pub fn solve_cyclic(system: &System, job: &Job, devices: &mut Devices, cancel: &AtomicBool) -> Result<Solution, EngineError> {
    let n = system.rows.len();
    if n < 3 {
        return Err(SystemError::Short { name: system.name.clone(), n }.into());
    }
    let first = if system.rows[0][1] == 0.0 { 1.0 } else { system.rows[0][1] };
    // A tridiagonal part that is singular says nothing of the whole: another one need not be.
    let by = |pivot: f64, devices: &mut Devices| corrected(system, pivot, job, devices, cancel);
    match by(-first, devices) {
        Err(EngineError::Solve(SolveError::Singular { .. } | SolveError::NearlySingular { .. })) => by(0.5 * first, devices),
        other => other,
    }
}

/// The solution with the correction u·vᵀ of u = (γ, 0, …, 0, c) and v = (1, 0, …, 0, a/γ), where a and c are the corners and γ is the `pivot`.
fn corrected(system: &System, pivot: f64, job: &Job, devices: &mut Devices, cancel: &AtomicBool) -> Result<Solution, EngineError> {
    let [a, c] = system.corners;
    let last = system.rows.len() - 1;
    let mut part = System { corners: [0.0; 2], ..system.clone() };
    part.rows[0][1] -= pivot;
    part.rows[last][1] -= a * c / pivot;
    let mut solved = |part: &System| solve(&Job { signal: Arc::new(part.signal()), ..job.clone() }, devices, cancel);
    let y = solved(&part)?;
    part.rows.iter_mut().for_each(|row| row[3] = 0.0);
    (part.rows[0][3], part.rows[last][3]) = (pivot, c);
    let z = solved(&part)?;
    let along = |x: &[f64]| x[0] + a / pivot * x[last];
    let terms = [1.0, z.x[0], a / pivot * z.x[last]];
    let (sum, size) = terms.iter().fold((0.0, 0.0), |(sum, size), term| (sum + term, size + term.abs()));
    let condition = y.accuracy.condition.max(z.accuracy.condition) * (size / sum.abs());
    if condition.is_nan() || condition * epsilon(Precision::Double) > 1.0 {
        return Err(SolveError::NearlySingular { system: system.name.clone(), condition }.into());
    }
    let factor = along(&y.x) / sum;
    let x: Vec<f64> = y.x.iter().zip(&z.x).map(|(y, z)| y - factor * z).collect();
    let residual = residual(system, &x);
    let mut outcome = y.outcome;
    outcome.add_note("for two right-hand sides, joined by the formula of Sherman and Morrison");
    Ok(Solution { x, accuracy: Accuracy { residual, condition, corners: [0.0; 2] }, outcome })
}

/// How well unknowns satisfy the equations of a cyclic system: those of the ends have their corners among the terms.
fn residual(system: &System, x: &[f64]) -> Residual {
    let last = x.len() - 1;
    let mut rows = system.rows.clone();
    let [a, c] = system.corners;
    // The terms of the corners are known numbers now, and belong to the right-hand sides. Their size counts as well.
    rows[0][3] -= a * x[last];
    rows[last][3] -= c * x[0];
    System { rows, ..system.clone() }.residual(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{random_bits, unit};
    use crate::transforms::tridiagonal::TRIDIAGONAL;

    fn cyclic(n: usize, diagonal: f64) -> System {
        let number = |i: usize, k: u64| unit(random_bits(8 * i as u64 + k)) - 0.5;
        System::new("cyclic", (0..n).map(|i| [number(i, 0), diagonal + number(i, 1), number(i, 2), number(i, 3)]).collect()).unwrap()
    }

    #[test]
    fn every_algorithm_solves_cyclic_systems() {
        for n in [3, 4, 9, 64, 101] {
            let system = cyclic(n, 3.0);
            let mut n_solved = 0;
            for algorithm in TRIDIAGONAL.algorithms {
                let job = Job { algorithm: Some(algorithm.name), precision: Some(Precision::Double), ..Job::of_system(&system) };
                let Ok(Solution { x, accuracy, .. }) = solve_cyclic(&system, &job, &mut Devices::apart(), &AtomicBool::new(false)) else {
                    continue;
                };
                let at = |i: usize, k: usize| {
                    if (i, k) == (0, 0) {
                        system.corners[0]
                    } else if (i, k) == (n - 1, 2) {
                        system.corners[1]
                    } else {
                        system.rows[i][k]
                    }
                };
                let off = |i: usize| at(i, 0) * x[(i + n - 1) % n] + at(i, 1) * x[i] + at(i, 2) * x[(i + 1) % n] - system.rows[i][3];
                assert!((0..n).all(|i| off(i).abs() < 1e-12), "{n} equations by {}", algorithm.name);
                assert!(accuracy.residual.largest < 1e-12);
                n_solved += 1;
            }
            assert!(n_solved > 1, "{n} equations");
        }
    }

    #[test]
    fn systems_without_a_solution_are_refused() {
        let solved = |system: &System| solve_cyclic(system, &Job::of_system(system), &mut Devices::apart(), &AtomicBool::new(false));
        // Every row sums up to 0, as for a ring of springs that nothing holds.
        let ring = System::new("ring", vec![[-1.0, 2.0, -1.0, 0.5]; 8]).unwrap();
        assert!(matches!(solved(&ring), Err(EngineError::Solve(SolveError::NearlySingular { .. } | SolveError::Singular { .. }))));
        assert!(matches!(solved(&cyclic(2, 3.0)), Err(EngineError::System(SystemError::Short { n: 2, .. }))));
    }
}

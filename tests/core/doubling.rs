//! Recursive doubling of tridiagonal systems: its flow graph edge by edge, its solutions against Gaussian elimination, and the systems between its stages.

use papillon::cpu::tridiagonal::thomas;
use papillon::cpu::{self, CpuBackend};
use papillon::graph::matrix::system_matrix;
use papillon::graph::{GraphNode, GraphOptions, GraphRequest, layout};
use papillon::plan::{Plan, ReducedEquation, Ring};
use papillon::schedule::Schedule;
use papillon::signal::System;
use papillon::signal::generate::SystemExample;
use papillon::transforms::tridiagonal::TRIDIAGONAL;
use papillon::transforms::{Parameters, Shape};
use std::sync::atomic::AtomicBool;

fn plan(n: usize) -> Plan {
    let build = TRIDIAGONAL.algorithm("recursive-doubling").unwrap().plan_fn().unwrap();
    build(Shape::line(n), Parameters::default()).unwrap()
}

fn equations(system: &System) -> Vec<ReducedEquation<f64>> {
    system.rows.iter().map(|&row| row.into()).collect()
}

/// A rod of uneven width: its condition number grows as N², and |b| is |a| + |c| exactly. With `signs`, some unknowns and equations change their sign.
fn rod(n: usize, signs: bool) -> System {
    let width = |i: usize| f64::from(1 + (i * i % 8) as u32);
    let of_unknown = |i: usize| if signs && i / 3 % 2 == 1 { -1.0 } else { 1.0 };
    let row = |i: usize| {
        let of_equation = if signs && i.is_multiple_of(5) { -1.0 } else { 1.0 };
        let [before, own, behind] = [i.saturating_sub(1), i, i + 1].map(of_unknown);
        [-width(i) * before, (width(i) + width(i + 1)) * own, -width(i + 1) * behind, 1.0].map(|value| value * of_equation)
    };
    System::new("rod", (0..n).map(row).collect()).unwrap()
}

#[test]
fn every_scan_reads_lanes_1_2_4_apart() {
    for (n, distances) in [(1, vec![]), (2, vec![1]), (5, vec![1, 2, 4]), (8, vec![1, 2, 4]), (9, vec![1, 2, 4, 8])] {
        let plan = plan(n);
        assert_eq!((plan.ring, plan.lanes, plan.inputs, plan.outputs, plan.unwritten()), (Ring::Equation, 2 * n, n, n, None));
        let own = || (0..n).map(|i| (i, i));
        let from_before = |distance: usize| (distance..n).map(move |i| (i - distance, i));
        let with_own = |others: Vec<(usize, usize)>| {
            let mut edges: Vec<_> = own().chain(others).collect();
            edges.sort_unstable();
            edges
        };
        // Maps of two neighbours; equations are kept N lanes further.
        let mut expected = vec![with_own(from_before(1).chain((0..n).map(|i| (i, n + i))).collect())];
        expected.extend(distances.iter().map(|&distance| with_own(from_before(distance).collect())));
        expected.push(with_own((0..n).map(|i| (n + i, i)).collect()));
        expected.extend(distances.iter().map(|&distance| with_own(from_before(distance).collect())));
        expected.extend(distances.iter().map(|&distance| with_own((distance..n).map(|i| (i, i - distance)).collect())));
        assert_eq!(plan.stages.len(), 3 * distances.len() + 2);
        for (stage, expected) in plan.stages.iter().zip(expected) {
            let mut edges: Vec<_> = stage.edges().into_iter().map(|edge| (edge.from, edge.to)).collect();
            edges.sort_unstable();
            assert_eq!(edges, expected, "{} of {n} equations", stage.label);
        }
    }
}

#[test]
fn its_operations_are_three_scans() {
    // A scan of 8 equations has 7 + 6 + 4 pairs: composition takes 12 operations, a recurrence 3.
    let counts = plan(8).operations();
    assert_eq!((counts.additions, counts.multiplications), (3 * 7 + 4 * 17 + 8 + 2 * 17, 7 + 8 * 17 + 4 * 8 + 2 * 2 * 17));
}

#[test]
fn solutions_equal_gaussian_elimination() {
    for n in (1..40).chain([1001]) {
        let systems = [
            SystemExample::Dominant.system(n),
            SystemExample::Spline.system(n),
            SystemExample::Poisson.system(n),
            rod(n, false),
            rod(n, true),
        ];
        for system in systems {
            let solved = plan(n).run_equations(&equations(&system));
            assert!(solved.iter().all(ReducedEquation::is_solved), "{n} equations of {}", system.name);
            let x: Vec<f64> = solved.iter().map(|row| row.d).collect();
            assert!(system.residual(&x).relative < 1e-13, "{n} equations of {}: {:?}", system.name, system.residual(&x));
            let expected = thomas(&system.rows);
            let largest = expected.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
            assert!(x.iter().zip(&expected).all(|(x, y)| (x - y).abs() < 1e-12 * largest), "{n} equations of {}", system.name);
        }
    }
}

#[test]
fn single_precision_keeps_its_digits_where_the_condition_grows() {
    for n in [1000, 30_000] {
        for system in [SystemExample::Poisson.system(n), rod(n, false), rod(n, true)] {
            let plan = plan(n);
            let input: Vec<ReducedEquation<f32>> = system.rows.iter().map(|row| row.map(|value| value as f32).into()).collect();
            let schedule = Schedule::by_stage(&plan);
            let (lanes, _) = cpu::run(&plan, &schedule, &input, CpuBackend::OneThread, &AtomicBool::new(false)).unwrap();
            let expected = thomas(&system.rows);
            let largest = expected.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
            let error = lanes.iter().zip(&expected).map(|(row, x)| (f64::from(row.d) - x).abs()).fold(0.0, f64::max) / largest;
            // Each of n products of neighbouring pivots may round once; cyclic reduction in single precision loses n² of the rod's digits.
            assert!(error < 1e-8 * n as f64, "{n} equations of {}: {error:e}", system.name);
        }
    }
}

#[test]
fn the_system_between_stages_keeps_its_solution() {
    let (n, plan) = (7, plan(7));
    for system in [SystemExample::Dominant.system(n), rod(n, true)] {
        let x: Vec<f64> = plan.run_equations(&equations(&system)).iter().map(|row| row.d).collect();
        let (mut solved, mut changed) = (Vec::new(), Vec::new());
        for n_stages in 0..=plan.stages.len() {
            let shown = system_matrix(&plan, n_stages, &plan.run_equation_stages(&equations(&system), n_stages));
            for (row, right) in shown.right.iter().enumerate() {
                let entries = shown.matrix.entries.iter().filter(|entry| entry.row == row);
                let sum: f64 = entries.map(|entry| entry.weight.value().re * x[entry.column]).sum();
                assert!((sum - right).abs() < 1e-13, "equation {row} after {n_stages} stages");
            }
            assert_eq!(shown.first_lane, if (1..=4).contains(&n_stages) { n } else { 0 });
            solved.push(shown.n_solved());
            changed.push(shown.changed.contains(&true));
        }
        // Nothing is solved before the last scan: its stages leave the last 1, 2, 4 and 7 equations with one unknown.
        assert_eq!(solved, [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 7]);
        assert_eq!(changed, [false, false, false, false, false, true, true, true, true, true, true, true]);
    }
}

#[test]
fn formulas_name_maps_and_equations() {
    let request = GraphRequest { schedule: Schedule::by_stage(&plan(4)), plan: plan(4), options: GraphOptions::default() };
    let drawing = layout(request);
    let formula = |column: usize, lane: usize| drawing.formula(GraphNode { column, lane });
    assert_eq!(
        [formula(1, 0), formula(1, 2), formula(1, 6)],
        ["m¹₀ = map of the pivot of d₀", "m¹₂ = map of the pivot of d₂ behind d₁", "d¹₂ = d₂"]
    );
    assert_eq!([formula(2, 3), formula(4, 2)], ["m²₃ = m¹₃ after m¹₂", "d⁴₂ = d³₂ divided by the pivot of m³₂"]);
    assert_eq!([formula(5, 2), formula(8, 0), formula(8, 3)], ["d⁵₂ = d⁴₂ without d⁴₁", "x₀ = d⁷₀ without d⁷₂", "x₃ = d⁷₃"]);
}

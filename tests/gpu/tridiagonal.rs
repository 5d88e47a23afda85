//! Tridiagonal systems: plans, every CPU backend and every GPU kernel against Gaussian elimination in double precision; Figure 6 of Argüello et al. 2012; what is refused.

mod figure;

use crate::common::{GO, Grid, device};
use papillon::cpu::tridiagonal::{FactoredMatrix, thomas};
use papillon::cpu::{self, CompiledLane, CpuBackend, Float};
use papillon::engine::{DeviceChoice, Devices, EngineError, Job, Solution, SolveError, solve};
use papillon::gpu::{KernelChoice, Limits, fastest, lower};
use papillon::plan::{Plan, Precision, ReducedEquation, Ring};
use papillon::remedy::{Remedies as _, Remedy};
use papillon::schedule::{Launch, Schedule, SectionMemory, SplitAndMerge, ThreadsPerSample, Tile};
use papillon::signal::System;
use papillon::signal::generate::SystemExample;
use papillon::transforms::tridiagonal::TRIDIAGONAL;
use papillon::transforms::{Algorithm, Parameters, Shape};

/// The plans of every algorithm that is one, for `rows` systems of `n` equations each.
fn plans(rows: usize, n: usize) -> impl Iterator<Item = (&'static str, Plan)> {
    let planned = |algorithm: &'static Algorithm| Some((algorithm.name, algorithm.plan_fn()?));
    let shape = Shape { rows, columns: n };
    TRIDIAGONAL.algorithms.iter().filter_map(planned).map(move |(name, build)| (name, build(shape, Parameters::default()).unwrap()))
}

/// The largest difference of unknowns, relative to the largest one.
fn error(x: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(x.len(), expected.len());
    let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, |a: f64, b| if b > a || b.is_nan() { b } else { a });
    largest(&mut x.iter().zip(expected).map(|(a, b)| (a - b).abs())) / largest(&mut expected.iter().map(|value| value.abs())).max(1e-300)
}

fn typed(rows: &[[f64; 4]]) -> Vec<ReducedEquation<f64>> {
    rows.iter().map(|row| ReducedEquation::from(*row)).collect()
}

const SIZES: [usize; 14] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 31, 33, 100, 1001];

#[test]
fn plans_solve_any_number_of_equations() {
    for n in (1..70).chain([1001]) {
        for example in [SystemExample::Dominant, SystemExample::Spline, SystemExample::Poisson] {
            let system = example.system(n);
            let factored = FactoredMatrix::new(&system.rows).unwrap();
            let expected = factored.solve(&system.rows);
            for (name, plan) in plans(1, n) {
                let lanes = plan.run_equations(&typed(&system.rows));
                assert!(lanes.iter().all(|row| (row.a, row.b, row.c) == (0.0, 1.0, 0.0)), "{name} leaves rows of {n} that are not solved");
                let x: Vec<f64> = lanes.iter().map(|row| row.d).collect();
                let (found, allowed) = (error(&x, &expected), 1e-15 * factored.condition() + 1e-14);
                assert!(found < allowed, "{name} of {n} equations, {example:?}: {found:e}");
            }
            assert!(error(&thomas(&system.rows), &expected) < 1e-15 * factored.condition() + 1e-14);
        }
    }
}

#[test]
fn systems_with_known_solutions() {
    // 2·x = 6; the string of two and of three beads.
    for (rows, expected) in [
        (vec![[7.0, 2.0, 7.0, 6.0]], vec![3.0]),
        (vec![[9.0, 2.0, -1.0, 1.0], [-1.0, 2.0, 9.0, 1.0]], vec![1.0, 1.0]),
        (vec![[9.0, 2.0, -1.0, 1.0], [-1.0, 2.0, -1.0, 1.0], [-1.0, 2.0, 9.0, 1.0]], vec![1.5, 2.0, 1.5]),
    ] {
        // The first a and the last c are ignored.
        let rows = System::new("known", rows).unwrap().rows;
        for (name, plan) in plans(1, rows.len()) {
            let x: Vec<f64> = plan.run_equations(&typed(&rows)).iter().map(|row| row.d).collect();
            assert!(error(&x, &expected) < 1e-15, "{name}: {x:?}");
        }
    }
    // The bent string: x(N + 1 − x)/2 at bead x, times h².
    let (n, step) = (1001.0_f64, 1.0 / 1002.0);
    let x = FactoredMatrix::new(&SystemExample::Poisson.system(1001).rows).unwrap().solve(&SystemExample::Poisson.system(1001).rows);
    let parabola: Vec<f64> = (1..=1001).map(|i| f64::from(i) * (n + 1.0 - f64::from(i)) / 2.0 * step * step).collect();
    assert!(error(&x, &parabola) < 1e-12);
}

/// Runs the plan in every way on the CPU.
fn on_cpu<T: Float + Into<f64>>(plan: &Plan, rows: &[[f64; 4]], mut visit: impl FnMut(CpuBackend, &Schedule, Vec<f64>))
where
    ReducedEquation<T>: CompiledLane,
{
    let input: Vec<ReducedEquation<T>> = rows.iter().map(|row| ReducedEquation::from(row.map(T::rounded))).collect();
    for schedule in [Schedule::by_stage(plan), Schedule::tiled(plan, 8), Schedule::tiled(plan, 4096), cpu::fast_schedule(plan)] {
        schedule.check(plan).unwrap();
        for way in CpuBackend::ALL {
            let (lanes, _) = cpu::run(plan, &schedule, &input, way, &GO).unwrap();
            visit(way, &schedule, lanes.into_iter().map(|row| row.d.into()).collect());
        }
    }
}

#[test]
fn every_way_on_the_cpu_equals_gaussian_elimination() {
    for n in SIZES {
        let system = SystemExample::Dominant.system(n);
        let expected = thomas(&system.rows);
        for (name, plan) in plans(1, n) {
            on_cpu::<f64>(&plan, &system.rows, |way, schedule, x| {
                assert!(error(&x, &expected) < 1e-13, "{name} of {n} equations, {way:?}, {schedule:?}");
            });
            on_cpu::<f32>(&plan, &system.rows, |way, schedule, x| {
                assert!(error(&x, &expected) < 1e-5, "{name} of {n} equations in single precision, {way:?}, {schedule:?}");
            });
        }
    }
}

#[test]
fn several_systems_are_solved_side_by_side() {
    let mut grid = Grid::new();
    let (rows, n) = (3, 13);
    let mut all = SystemExample::Dominant.system(rows * n).rows;
    for system in all.chunks_mut(n) {
        (system[0][0], system[n - 1][2]) = (0.0, 0.0);
    }
    let expected: Vec<f64> = all.chunks(n).flat_map(thomas).collect();
    for (name, plan) in plans(rows, n) {
        let x: Vec<f64> = plan.run_equations(&typed(&all)).iter().map(|row| row.d).collect();
        assert!(error(&x, &expected) < 1e-13, "{name}");
        on_cpu::<f64>(&plan, &all, |way, _, x| assert!(error(&x, &expected) < 1e-13, "{name}, {way:?}"));
        on_gpu(&mut grid, &plan, &all, Precision::Single, |cut, kernels, x| {
            assert!(error(&x, &expected) < 1e-5, "{name}, {cut}, {kernels:?}")
        });
    }
}

/// Runs the plan in every way that the grid takes on the GPU, whose buffers are filled with garbage before.
fn on_gpu(grid: &mut Grid, plan: &Plan, rows: &[[f64; 4]], precision: Precision, mut visit: impl FnMut(&str, KernelChoice, Vec<f64>)) {
    let limits = device().limits().in_precision(precision);
    let tiled = Schedule::tiled(plan, lower::tile_lanes(Ring::Equation, limits));
    for (cut, schedule, kernels) in [
        ("by stage", Schedule::by_stage(plan), KernelChoice::Generic),
        ("tiled", tiled, KernelChoice::Generic),
        ("fastest", fastest(plan, limits), KernelChoice::Fast),
    ] {
        // Copies of a long array for every stage show nothing that those of a short one do not.
        if kernels == KernelChoice::Generic && plan.lanes > 5000 {
            continue;
        }
        if !grid.takes(plan, &schedule, limits, kernels) {
            continue;
        }
        let prepared = device().prepare_in(plan, &schedule, kernels, precision).unwrap();
        prepared.upload_rows(rows, &GO).unwrap();
        prepared.spoil().unwrap();
        prepared.run(&GO).unwrap();
        let x = prepared.download_double(0..plan.outputs, &GO).unwrap();
        visit(cut, kernels, x.into_iter().map(|value| value.re).collect());
    }
}

#[test]
fn every_way_on_the_gpu_equals_gaussian_elimination() {
    let mut grid = Grid::new();
    for n in SIZES {
        let system = SystemExample::Dominant.system(n);
        let expected = thomas(&system.rows);
        for (name, plan) in plans(1, n) {
            on_gpu(&mut grid, &plan, &system.rows, Precision::Single, |cut, kernels, x| {
                assert!(error(&x, &expected) < 1e-5, "{name} of {n} equations, {cut}, {kernels:?}: {:e}", error(&x, &expected));
            });
            if device().info().f64 {
                on_gpu(&mut grid, &plan, &system.rows, Precision::Double, |cut, kernels, x| {
                    assert!(error(&x, &expected) < 1e-13, "{name} of {n} equations in double precision, {cut}, {kernels:?}");
                });
            }
        }
    }
}

#[test]
fn blocks_of_rows_in_workgroups_equal_gaussian_elimination() {
    let mut grid = Grid::new();
    let limits = device().limits();
    let small = Limits { max_invocations: 256, ..limits };
    for (n, n_launches) in [(2, [1; 2]), (4096, [1; 2]), (4097, [1, 3]), (16_384, [1, 3]), (16_385, [3; 2]), (70_001, [3; 2])] {
        let system = SystemExample::Dominant.system(n);
        let expected = thomas(&system.rows);
        let (_, plan) = plans(1, n).next().unwrap();
        for (limits, n_launches) in [limits, small].into_iter().zip(n_launches) {
            let schedule = fastest(&plan, limits);
            schedule.check(&plan).unwrap();
            assert_eq!(schedule.launches.len(), n_launches, "{n} rows");
            let lowered = lower::lower(&plan, &schedule, limits, KernelChoice::Fast).unwrap();
            assert!(lowered.commands.iter().all(|command| command.kernel.family == "tridiagonal"), "{n} rows");
        }
        on_gpu(&mut grid, &plan, &system.rows, Precision::Single, |cut, _, x| {
            assert!(error(&x, &expected) < 1e-5, "{n} rows, {cut}: {:e}", error(&x, &expected));
        });
    }
    // Twice reduced: four launches of blocks around the last one.
    let plan = Plan::clone(&plans(1, 40_000_000).next().unwrap().1);
    assert_eq!(fastest(&plan, limits).launches.len(), 5);
}

#[test]
fn differential_equations_keep_the_digits_of_single_precision() {
    // Strings, and rods that conduct unevenly, whose condition grows as N²; rounding alone adds up to at most N times its unit.
    for n in [1001, 4097, 70_001] {
        let width = |i: usize| f64::from(1 + (i * i % 8) as u32);
        let rod = (0..n).map(|i| [-width(i), width(i) + width(i + 1), -width(i + 1), 1.0]).collect();
        for system in [SystemExample::Poisson.system(n), System::new("rod", rod).unwrap()] {
            let (expected, (_, plan)) = (thomas(&system.rows), plans(1, n).next().unwrap());
            let prepared = device().prepare(&plan, &fastest(&plan, device().limits())).unwrap();
            prepared.upload_rows(&system.rows, &GO).unwrap();
            prepared.run(&GO).unwrap();
            let x: Vec<f64> = prepared.download(&GO).unwrap().iter().map(|value| value.re.into()).collect();
            assert!(error(&x, &expected) < 1e-8 * n as f64, "{n} equations of {}: {:e}", system.name, error(&x, &expected));
        }
    }
}

#[test]
fn split_and_merge_equals_gaussian_elimination_on_every_device() {
    let mut grid = Grid::new();
    let ways = [
        SplitAndMerge { levels: 1, block: 8, threads: ThreadsPerSample::One, ..SplitAndMerge::default() },
        SplitAndMerge { levels: 2, block: 8, merge: SectionMemory::Global, ..SplitAndMerge::default() },
        SplitAndMerge {
            levels: 4,
            block: 32,
            width: 16,
            threads: ThreadsPerSample::One,
            merge: SectionMemory::Global,
            ..SplitAndMerge::default()
        },
        SplitAndMerge { levels: 4, block: 64, width: 20, ..SplitAndMerge::default() },
        SplitAndMerge { levels: 3, ..SplitAndMerge::default() },
    ];
    for (n, (name, plan)) in [1, 2, 5, 17, 100, 1001, 4099].into_iter().flat_map(|n| plans(1, n).map(move |plan| (n, plan))) {
        let system = SystemExample::Dominant.system(n);
        let expected = thomas(&system.rows);
        for how in ways {
            let schedule = Schedule::split_and_merge(&plan, how);
            for (precision, bound) in [(Precision::Single, 1e-5), (Precision::Double, 1e-13)] {
                let limits = device().limits().in_precision(precision);
                let is_supported = precision == Precision::Single || device().info().f64;
                if !is_supported || !grid.takes(&plan, &schedule, limits, KernelChoice::Fast) {
                    continue;
                }
                let prepared = device().prepare_in(&plan, &schedule, KernelChoice::Fast, precision).unwrap();
                let family = if name == "cyclic-reduction" { "split-merge" } else { "scan sections" };
                let n_sections = prepared.commands().iter().filter(|command| command.kernel.family == family).count();
                // Recursive doubling makes maps of the pivots and divides by the pivots in launches of their own.
                let others = if name == "recursive-doubling" { 2 } else { 0 };
                assert_eq!(n_sections + others, schedule.launches.len(), "{name}, {n} rows, {how:?}");
                prepared.upload_rows(&system.rows, &GO).unwrap();
                prepared.spoil().unwrap();
                prepared.run(&GO).unwrap();
                let x: Vec<f64> = prepared.download_double(0..n, &GO).unwrap().into_iter().map(|value| value.re).collect();
                assert!(error(&x, &expected) < bound, "{name}, {n} rows in {precision:?} precision, {how:?}: {:e}", error(&x, &expected));
            }
            let input = typed(&system.rows);
            for way in [CpuBackend::OneThread, CpuBackend::Parallel] {
                let run = |schedule: &Schedule| cpu::run(&plan, schedule, &input, way, &GO).unwrap().0;
                assert_eq!(run(&schedule), run(&Schedule::by_stage(&plan)), "{name}, {n} rows, {how:?}, {way:?}");
            }
        }
    }
}

#[test]
fn every_prefix_of_stages_on_the_gpu_equals_the_reference() {
    let mut grid = Grid::new();
    let system = SystemExample::Dominant.system(21);
    for (name, plan) in plans(1, 21) {
        for n_stages in 0..=plan.stages.len() {
            let prefix = Plan { stages: plan.stages[..n_stages].to_vec(), ..plan.clone() };
            let expected: Vec<f64> = prefix.run_equations(&typed(&system.rows)).iter().map(|row| row.d).collect();
            on_gpu(&mut grid, &prefix, &system.rows, Precision::Single, |cut, kernels, d| {
                assert!(error(&d, &expected) < 1e-5, "{name}, {n_stages} stages, {cut}, {kernels:?}");
            });
        }
    }
}

fn solved(
    system: System,
    algorithm: Option<&'static str>,
    device: DeviceChoice,
    precision: Option<Precision>,
) -> Result<Solution, EngineError> {
    solve(&Job { algorithm, device, precision, ..Job::of_system(&system) }, &mut Devices::default(), &GO)
}

#[test]
fn a_million_equations_on_every_device() {
    let system = SystemExample::Dominant.system(1 << 20);
    let expected = thomas(&system.rows);
    for (algorithm, device, bound) in [
        (Some("thomas"), DeviceChoice::Cpu, 1e-15),
        (Some("pivoted"), DeviceChoice::Cpu, 1e-13),
        (Some("cyclic-reduction"), DeviceChoice::CpuParallel, 1e-13),
        (Some("cyclic-reduction"), DeviceChoice::Gpu, 1e-5),
        (Some("parallel-cyclic-reduction"), DeviceChoice::Gpu, 1e-5),
        (None, DeviceChoice::Gpu, 1e-5),
    ] {
        let solution = solved(system.clone(), algorithm, device.clone(), None).unwrap();
        assert!(error(&solution.x, &expected) < bound, "{algorithm:?} on {device}: {:e}", error(&solution.x, &expected));
        assert!(
            solution.accuracy.residual.relative < 1e-5 && solution.warnings().is_empty(),
            "{algorithm:?} on {device}: {:?}",
            solution.accuracy.residual
        );
    }
}

#[test]
fn singular_systems_are_reported() {
    for device in [DeviceChoice::Cpu, DeviceChoice::Gpu] {
        for n in [1, 2, 3, 50] {
            let told = solved(SystemExample::Singular.system(n), None, device.clone(), None).unwrap_err();
            assert!(matches!(told, EngineError::Solve(SolveError::Singular { .. })), "{told}");
            assert!(told.to_string().contains("singular") && !told.to_string().contains('\n'), "{told}");
        }
        // Rounding hides the dependence of these rows.
        let rows: Vec<[f64; 4]> = (0..30)
            .map(|i| [-0.1, if i == 0 || i == 29 { 0.1 } else { 0.1 + 0.1 }, -0.1, 1.0].map(|x| x * (1.0 + f64::from(i) / 7.0)))
            .collect();
        let told = solved(System::new("loose", rows).unwrap(), None, device.clone(), None).unwrap_err().to_string();
        assert!(told.contains("singular"), "{told}");
    }
}

#[test]
fn zero_pivots_are_exchanged_or_reported() {
    let system = SystemExample::ZeroPivots.system(10);
    let expected = FactoredMatrix::new(&system.rows).unwrap().solve(&system.rows);
    assert_eq!(system.residual(&expected).largest, 0.0);
    for device in [DeviceChoice::Cpu, DeviceChoice::CpuParallel, DeviceChoice::Gpu] {
        let solution = solved(system.clone(), None, device.clone(), None).unwrap();
        assert_eq!((solution.outcome.algorithm, &solution.x), ("pivoted", &expected), "on {device}");
        assert!(solution.outcome.reason.contains("exchanged"), "{}", solution.outcome.reason);
    }
    for algorithm in ["cyclic-reduction", "parallel-cyclic-reduction", "recursive-doubling", "thomas"] {
        let told = solved(system.clone(), Some(algorithm), DeviceChoice::Cpu, None).unwrap_err();
        assert_eq!(told.remedies(), [Remedy::Algorithm("pivoted")]);
        assert!(told.to_string().contains(algorithm) && !told.to_string().contains('\n'), "{told}");
    }
    // A pivot that is only small: the result carries a warning, or another algorithm is taken.
    let small = System::new("small pivots", vec![[0.0, 1e-20, 1.0, 1.0], [1.0, 1.0, 0.0, 2.0]]).unwrap();
    let poor = solved(small.clone(), Some("thomas"), DeviceChoice::Cpu, None).unwrap();
    assert!(
        poor.accuracy.residual.relative > 1e-10
            && poor.warnings().iter().any(|warning| warning.remedies() == [Remedy::Algorithm("pivoted")]),
        "{:?}",
        poor.accuracy.residual
    );
    let good = solved(small, None, DeviceChoice::Cpu, None).unwrap();
    assert!(good.outcome.algorithm == "pivoted" && good.accuracy.residual.relative < 1e-15, "{good:?}");
}

#[test]
fn bad_conditions_are_warned_of() {
    let poisson =
        |precision| solved(SystemExample::Poisson.system(10_000), Some("cyclic-reduction"), DeviceChoice::Gpu, precision).unwrap();
    let single = poisson(Some(Precision::Single));
    assert!(single.accuracy.condition > 1e7 && single.warnings()[0].to_string().contains("badly conditioned"), "{:?}", single.warnings());
    let on_cpu = solved(SystemExample::Poisson.system(10_000), None, DeviceChoice::Cpu, None).unwrap();
    assert!(on_cpu.warnings().is_empty() && on_cpu.digits() > 6.0, "{:?}", on_cpu.warnings());
}

#[test]
fn what_is_no_system_is_refused_in_one_line() {
    let told = System::new("odd", vec![[0.0, 1.0, 0.0, 1.0], [0.0, f64::NAN, 0.0, 1.0]]).unwrap_err().to_string();
    assert!(told.contains("b of row 2") && !told.contains('\n'), "{told}");
    // Coefficients past the ends multiply nothing, so they may have any value.
    assert!(System::new("none", vec![]).is_err() && System::new("ends", vec![[f64::NAN, 1.0, f64::INFINITY, 1.0]]).is_ok());
}

#[test]
fn rows_that_need_more_than_their_block_are_no_partition() {
    for (name, plan) in plans(1, 64) {
        let cut = |end: usize| {
            let first = Launch { stages: 0..end, tile: Tile::Partition { lanes: 16 } };
            let rest = (end..plan.stages.len()).map(|stage| Launch { stages: stage..stage + 1, tile: Tile::Each });
            Schedule { launches: std::iter::once(first).chain(rest).collect() }
        };
        let is_legal = [1, 2, 3, 4, 5].map(|end| cut(end).check(&plan).is_ok());
        let [reduces, doubles] = ["cyclic-reduction", "recursive-doubling"].map(|other| name == other);
        assert_eq!(is_legal, [!doubles, reduces, reduces, reduces, false], "{name}");
    }
}

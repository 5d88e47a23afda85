//! Schedules of blocks compute the same transform: every size of a block, source of twiddles and number of butterflies of a thread, and images by squares.

use crate::common::{GO, Grid, complex_noise, device, relative_error, single, wide};
use papillon::gpu::{GpuError, KernelChoice, LowerError};
use papillon::plan::{Direction, Plan, Ring};
use papillon::schedule::{BlockKernels, Schedule, TwiddleSource};
use papillon::transforms::{Axes, Parameters, Shape, TRANSFORMS, transform};

fn plan(name: &str, algorithm: &str, shape: Shape, parameters: Parameters) -> Option<Plan> {
    let build = transform(name).unwrap().algorithm(algorithm).unwrap().plan_fn()?;
    let plan = build(shape, parameters).ok()?;
    // Residues run as such only: kernels.rs compares them.
    let plan = Some(plan).filter(|plan| plan.ring.field().is_none())?;
    Some(if plan.ring.is_exact() { plan.over(Ring::Real) } else { plan })
}

/// Runs a plan in blocks, if the grid takes it, and compares with the plan in double precision.
fn check(grid: &mut Grid, what: &str, plan: &Plan, kernels: BlockKernels) {
    let schedule = Schedule::in_blocks(plan, kernels);
    if !grid.takes(plan, &schedule, device().limits(), KernelChoice::Fast) {
        return;
    }
    let input = single(&complex_noise(plan.inputs));
    let input: Vec<_> = if plan.ring == Ring::Real { input.iter().map(|value| value.re.into()).collect() } else { input };
    let prepared = device().prepare(plan, &schedule).unwrap_or_else(|error| panic!("{what}: {error}"));
    prepared.upload(&input, &GO).unwrap();
    prepared.spoil().unwrap();
    prepared.run(&GO).unwrap();
    let error = relative_error(&prepared.download(&GO).unwrap(), &plan.run(&wide(&input)));
    // WGSL lets a sine be wrong by 2^−11.
    let of_sines = if kernels.twiddles == TwiddleSource::Computed { plan.stages.len() as f64 / 2048.0 } else { 0.0 };
    assert!(error < 3e-8 * (plan.lanes as f64).log2().max(5.0) + of_sines, "{what}: relative error {error:e}");
}

#[test]
fn both_kernels_equal_the_reference() {
    let mut grid = Grid::new();
    let sources = [TwiddleSource::Computed, TwiddleSource::Table, TwiddleSource::QuarterTable];
    for (n, tile) in [(1, 4), (2, 1), (2, 4), (16, 4), (16, 8), (512, 64), (1 << 12, 512), (1 << 13, 1024), (1 << 13, 2048)] {
        for (rows, direction) in [(1, Direction::Forward), (3, Direction::Inverse)] {
            let parameters = Parameters { tile_lanes: Some(tile), direction, ..Parameters::default() };
            let plan = plan("dft", "global-local", Shape { rows, columns: n }, parameters).unwrap();
            for (twiddles, butterflies) in sources.into_iter().flat_map(|source| [1, 2, 8].map(|n| (source, n))) {
                let kernels = BlockKernels { lanes: Some(tile), twiddles, butterflies: Some(butterflies), ..BlockKernels::default() };
                check(&mut grid, &format!("{rows} × {n}, {direction:?}, {}", kernels.name()), &plan, kernels);
            }
        }
    }
}

#[test]
fn images_equal_the_reference_by_squares_of_every_side() {
    let mut grid = Grid::new();
    for (rows, columns) in [(64, 64), (32, 256), (128, 16)] {
        for square in [16, 32, 64] {
            let parameters = Parameters { tile_lanes: Some(16), direction: Direction::Inverse, ..Parameters::default() };
            let plan = plan("dft2", "global-local", Shape { rows, columns }, parameters).unwrap();
            let kernels = BlockKernels { lanes: Some(16), square, ..BlockKernels::default() };
            check(&mut grid, &format!("{rows} × {columns}, squares of {square}"), &plan, kernels);
        }
    }
}

/// Other plans may be asked to run in blocks, too: those whose stages nest, skip lanes or extend boundaries.
#[test]
fn every_plan_runs_in_blocks() {
    let mut grid = Grid::new();
    for transform in TRANSFORMS {
        let shape = if transform.axes == Axes::Rows { Shape { rows: 2, columns: 32 } } else { Shape { rows: 4, columns: 8 } };
        for algorithm in transform.algorithms {
            let Some(plan) = plan(transform.name, algorithm.name, shape, Parameters::default()) else { continue };
            if plan.ring != Ring::Equation && plan.stages.iter().all(papillon::plan::Stage::is_linear) {
                let kernels = BlockKernels { lanes: Some(8), butterflies: Some(1), ..BlockKernels::default() };
                check(&mut grid, &format!("{} by {}", transform.name, algorithm.name), &plan, kernels);
            }
        }
    }
}

#[test]
fn more_threads_than_the_device_has_are_refused() {
    let most = device().limits().max_invocations;
    let lanes = 4 * most;
    let plan =
        plan("dft", "global-local", Shape::line(2 * lanes), Parameters { tile_lanes: Some(lanes), ..Parameters::default() }).unwrap();
    let refused = |butterflies| {
        let kernels = BlockKernels { lanes: Some(lanes), butterflies: Some(butterflies), ..BlockKernels::default() };
        device().prepare(&plan, &Schedule::in_blocks(&plan, kernels)).err()
    };
    assert_eq!(refused(1), Some(GpuError::Lower(LowerError::Threads { launch: 0, threads: 2 * most, most })));
    assert!(!matches!(refused(2), Some(GpuError::Lower(LowerError::Threads { .. }))));
}

//! Every length: powers of two, products of small primes, primes and what is between, against a library in double precision.

mod padding;

use crate::common::{GO, Grid, complex_noise, device, relative_error, single};
use num_complex::{Complex32, Complex64};
use papillon::cpu::{self, CompiledLane, CpuBackend, library};
use papillon::gpu::{KernelChoice, LaunchCommand, fastest, lower};
use papillon::plan::{Direction, Plan};
use papillon::schedule::Schedule;
use papillon::transforms::{Axes, Parameters, Shape, transform};

/// The bound in single precision, with a margin for the rounding of very short transforms.
fn single_bound(n: usize) -> f64 {
    3e-8 * (n as f64).log2().max(7.0)
}

/// The plan that is taken without a named algorithm.
fn default_plan(name: &str, shape: Shape, direction: Direction) -> Plan {
    let parameters = Parameters { direction, ..Parameters::default() };
    transform(name).unwrap().first_plan_for(shape, parameters).plan_fn().unwrap()(shape, parameters).unwrap()
}

fn by_bluestein(shape: Shape, direction: Direction) -> Plan {
    let build = transform("dft").unwrap().algorithm("bluestein").unwrap().plan_fn().unwrap();
    build(shape, Parameters { direction, ..Parameters::default() }).unwrap()
}

fn on_cpu<L: CompiledLane>(plan: &Plan, input: &[L]) -> Vec<L> {
    cpu::run(plan, &Schedule::tiled(plan, 4096), input, CpuBackend::OneThread, &GO).unwrap().0
}

fn on_gpu(plan: &Plan, input: &[Complex32]) -> Vec<Complex32> {
    taken_on_gpu(&mut Grid::new(), plan, input).expect("a first case is taken")
}

/// The result on the GPU, if the grid takes the plan.
fn taken_on_gpu(grid: &mut Grid, plan: &Plan, input: &[Complex32]) -> Option<Vec<Complex32>> {
    let (limits, kernels) = (device().limits(), KernelChoice::Fast);
    let schedule = fastest(plan, limits);
    if !grid.takes(plan, &schedule, limits, kernels) {
        return None;
    }
    let prepared = device().prepare_with(plan, &schedule, kernels).unwrap();
    prepared.upload(input, &GO).unwrap();
    prepared.spoil().unwrap();
    prepared.run(&GO).unwrap();
    Some(prepared.download(&GO).unwrap())
}

fn expected(input: &[Complex64], shape: Shape, axes: Axes, direction: Direction) -> Vec<Complex64> {
    library::transform(input.to_vec(), shape, axes, direction, &GO).unwrap()
}

#[test]
fn every_length_up_to_300_is_exact_on_the_cpu() {
    for n in 1..=300 {
        let input = complex_noise(2 * n);
        for direction in [Direction::Forward, Direction::Inverse] {
            let shape = Shape { rows: 2, columns: n };
            let spectrum = expected(&input, shape, Axes::Rows, direction);
            for plan in [default_plan("dft", shape, direction), by_bluestein(shape, direction)] {
                let error = relative_error(&on_cpu(&plan, &input), &spectrum);
                assert!(error < 2e-15, "{n} {direction:?}: {error:e} in double precision");
                let error = relative_error(&on_cpu(&plan, &single(&input)), &spectrum);
                assert!(error < single_bound(n), "{n} {direction:?}: {error:e} in single precision");
            }
        }
    }
}

#[test]
fn long_lengths_keep_their_accuracy() {
    // Primes, twice a prime, squares of primes, products of small primes, and a power of two.
    for n in [1009, 2 * 1009, 10_007, 65_537, 100_003, 103 * 103, 720_720, 1_000_000, 999_983, 1 << 20] {
        let input = complex_noise(n);
        let spectrum = expected(&input, Shape::line(n), Axes::Rows, Direction::Forward);
        let plan = default_plan("dft", Shape::line(n), Direction::Forward);
        let (single_run, _) = cpu::run(&plan, &Schedule::by_stage(&plan), &single(&input), CpuBackend::Parallel, &GO).unwrap();
        let error = relative_error(&single_run, &spectrum);
        assert!(error < single_bound(n), "{n}: {error:e} in single precision");
        let (double_run, _) = cpu::run(&plan, &Schedule::by_stage(&plan), &input, CpuBackend::Parallel, &GO).unwrap();
        let error = relative_error(&double_run, &spectrum);
        // Bluestein's convolution rounds as often as three transforms of twice the length.
        assert!(error < 2.5e-15, "{n}: {error:e} in double precision");
    }
}

#[test]
fn any_length_runs_on_the_gpu() {
    let mut grid = Grid::new();
    for (rows, n) in [(1, 17), (3, 19), (5, 37), (7, 53), (1, 251), (2, 1009), (1, 10_007), (1, 65_537), (1, 100_003), (1, 105 << 10)] {
        for direction in [Direction::Forward, Direction::Inverse] {
            let (shape, input) = (Shape { rows, columns: n }, complex_noise(rows * n));
            let plan = default_plan("dft", shape, direction);
            let Some(found) = taken_on_gpu(&mut grid, &plan, &single(&input)) else { continue };
            let error = relative_error(&found, &expected(&input, shape, Axes::Rows, direction));
            assert!(error < single_bound(n), "{rows} × {n} {direction:?}: {error:e}");
        }
    }
}

/// The bound in single precision for random samples; at two points even the exact sums, rounded, lie above it.
fn asked(spectrum: &[Complex64], n: usize) -> f64 {
    relative_error(&single(spectrum), spectrum).max(3e-8 * (n as f64).log2())
}

#[test]
fn every_length_is_as_accurate_on_the_gpu_as_is_asked() {
    let is_prime = |n: &usize| (2..*n).take_while(|factor| factor * factor <= *n).all(|factor| !n.is_multiple_of(factor));
    let short = (1..=64).chain((65..=256).filter(is_prime)).chain((66..=256).step_by(7));
    // Squares and products of the largest radices, convolutions that are just longer, and what one more pass begins with.
    let longer = [257, 289, 323, 387, 391, 513, 529, 811, 899, 961, 1009, 17 * 64, 37 * 41, 31 * 1000];
    // A kernel is compiled for each direction, which takes most of the time: lengths alternate between them, odd and even ones alike.
    let directions = [Direction::Forward, Direction::Inverse, Direction::Inverse, Direction::Forward];
    let mut grid = Grid::new();
    for (n, direction) in short.chain(longer).zip(directions.into_iter().cycle()) {
        let shape = Shape { rows: (4096 / n).clamp(1, 64), columns: n };
        let input = complex_noise(shape.len());
        let Some(found) = taken_on_gpu(&mut grid, &default_plan("dft", shape, direction), &single(&input)) else { continue };
        let spectrum = expected(&input, shape, Axes::Rows, direction);
        let error = relative_error(&found, &spectrum);
        let bound = asked(&spectrum, n);
        assert!(error <= bound, "{n} {direction:?}: {error:e} is more than {bound:e}");
    }
}

#[test]
fn tiny_images_are_as_accurate_on_the_gpu_as_is_asked() {
    let sides = |n: usize| [(1, n), (n, 1), (n, 3), (n, n), (n, (n + 4) % 15 + 1)];
    let (mut grid, limits) = (Grid::new(), device().limits());
    for (rows, columns) in (1..=15).flat_map(sides) {
        let shape = Shape { rows, columns };
        for direction in [Direction::Forward, Direction::Inverse] {
            let plan = default_plan("dft2", shape, direction);
            let schedule = fastest(&plan, limits);
            if !grid.takes(&plan, &schedule, limits, KernelChoice::Fast) {
                continue;
            }
            let prepared = device().prepare_with(&plan, &schedule, KernelChoice::Fast).unwrap();
            let (mut found, mut spectra) = (Vec::new(), Vec::new());
            // One tiny image has too few values to judge by.
            for image in complex_noise(256_usize.next_multiple_of(shape.len())).chunks(shape.len()) {
                prepared.upload(&single(image), &GO).unwrap();
                prepared.run(&GO).unwrap();
                found.extend(prepared.download(&GO).unwrap());
                spectra.extend(expected(image, shape, Axes::Both, direction));
            }
            let (error, bound) = (relative_error(&found, &spectra), asked(&spectra, shape.len()));
            assert!(error <= bound, "{rows} × {columns} {direction:?}: {error:e} is more than {bound:e}");
        }
    }
}

#[test]
fn radices_run_what_they_can_and_a_convolution_the_rest() {
    for (n, labels) in [(17, "radix 17"), (31, "radix 31"), (34, "radix 17, radix 2"), (17 * 64, "radix 17, radix 8, radix 8")] {
        let plan = default_plan("dft", Shape::line(n), Direction::Forward);
        assert_eq!(plan.stages.iter().map(|stage| stage.label.as_str()).collect::<Vec<_>>().join(", "), labels);
    }
    for n in [37, 53, 37 * 41, 1009] {
        assert_eq!(default_plan("dft", Shape::line(n), Direction::Forward).stages[0].label, "chirp");
    }
}

#[test]
fn images_of_any_size_are_transformed_everywhere() {
    let mut grid = Grid::new();
    for (rows, columns) in [(37, 53), (303, 384), (1, 53), (37, 1), (64, 37), (17, 32), (41, 31), (100, 100)] {
        for direction in [Direction::Forward, Direction::Inverse] {
            let (shape, input) = (Shape { rows, columns }, complex_noise(rows * columns));
            let spectrum = expected(&input, shape, Axes::Both, direction);
            let plan = default_plan("dft2", shape, direction);
            let error = relative_error(&on_cpu(&plan, &input), &spectrum);
            assert!(error < 2e-15, "{rows} × {columns} {direction:?}: {error:e} in double precision");
            if let Some(found) = taken_on_gpu(&mut grid, &plan, &single(&input)) {
                let error = relative_error(&found, &spectrum);
                assert!(error < single_bound(shape.len()), "{rows} × {columns} {direction:?}: {error:e} on the GPU");
            }
            let limits = device().limits();
            let schedule = fastest(&plan, limits);
            let lowered = lower::lower(&plan, &schedule, limits, KernelChoice::Fast).unwrap();
            // Small images are transposed inside a tile.
            let n_transposed = lowered.commands.iter().filter(|command| command.kernel.family == "transpose").count();
            let turns = plan.stages.iter().filter(|stage| stage.label == "transpose").count();
            assert!(if rows * columns > 100_000 { n_transposed == turns } else { n_transposed <= turns }, "{rows} × {columns}");
            assert!(
                lowered.commands.iter().all(|command| command.copied_lanes() == 0),
                "{rows} × {columns} copies lanes that nobody needs"
            );
        }
    }
}

#[test]
fn long_columns_of_a_large_image_are_read_from_strips() {
    let shape = Shape { rows: 4096, columns: 2080 };
    for direction in [Direction::Forward, Direction::Inverse] {
        let (plan, input) = (default_plan("dft2", shape, direction), complex_noise(shape.len()));
        let limits = device().limits();
        let in_strips = |command: &&LaunchCommand| command.kernel.data["strips"].is_string();
        let commands = lower::lower(&plan, &fastest(&plan, limits), limits, KernelChoice::Fast).unwrap().commands;
        let launches = (commands.len(), commands.iter().filter(in_strips).count());
        // Elsewhere a workgroup has too few threads for four columns.
        assert_eq!(launches, if limits.max_invocations >= 1024 { (2, 2) } else { (3, 0) });
        let error = relative_error(&on_gpu(&plan, &single(&input)), &expected(&input, shape, Axes::Both, direction));
        assert!(error < single_bound(shape.len()), "{direction:?}: relative error {error:e}");
    }
}

#[test]
fn rows_of_a_large_image_are_fetched_from_where_its_columns_left_them() {
    // Some widths do not fill the last workgroup of a row.
    for (rows, columns, direction) in
        [(6000, 1404, Direction::Forward), (5000, 1700, Direction::Inverse), (8192, 1 << 11, Direction::Forward)]
    {
        let (shape, input) = (Shape { rows, columns }, complex_noise(rows * columns));
        let plan = default_plan("dft2", shape, direction);
        let limits = device().limits();
        let commands = lower::lower(&plan, &fastest(&plan, limits), limits, KernelChoice::Fast).unwrap().commands;
        let permuted = |command: &&LaunchCommand| command.kernel.data["placement"]["high"].as_u64() > Some(1);
        assert_eq!(commands.iter().filter(permuted).count(), 1, "{rows} × {columns}");
        let error = relative_error(&on_gpu(&plan, &single(&input)), &expected(&input, shape, Axes::Both, direction));
        assert!(error < single_bound(shape.len()), "{rows} × {columns} {direction:?}: relative error {error:e}");
    }
}

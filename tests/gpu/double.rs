//! The GPU in double precision equals the reference to fourteen bits: every algorithm, every schedule, generic and fast kernels.
//!
//! Without an adapter that has double precision these tests fail, and say what to install.

use crate::common::{GO, Grid, double_device as device, double_noise, relative_error};
use crate::ways::in_ways;
use num_complex::Complex64;
use papillon::display::{DisplayFrame, Look};
use papillon::gpu::{Kernel, KernelChoice, Prepared, fastest, lower};
use papillon::plan::{Direction, Plan, Precision, Ring};
use papillon::schedule::Schedule;
use papillon::transforms::{Axes, Parameters, Shape, linear_transforms, transform};
use std::cell::LazyCell;

/// The bound of an error relative to the norm.
const TOLERANCE: f64 = 1e-14;

fn prepared(plan: &Plan, schedule: &Schedule, kernels: KernelChoice) -> Prepared {
    device().prepare_in(plan, schedule, kernels, Precision::Double).unwrap()
}

/// Runs the plan on the device, whose buffers are filled with garbage before.
fn on_device(plan: &Plan, schedule: &Schedule, kernels: KernelChoice, input: &[Complex64]) -> Vec<Complex64> {
    let prepared = prepared(plan, schedule, kernels);
    prepared.upload(input, &GO).unwrap();
    prepared.spoil().unwrap();
    prepared.run(&GO).unwrap();
    prepared.download_double(0..plan.outputs, &GO).unwrap()
}

fn check(name: &str, plan: &Plan, grid: &mut Grid) {
    let limits = device().limits().in_precision(Precision::Double);
    let mut input = double_noise(plan.inputs);
    if plan.ring == Ring::Real {
        input.iter_mut().for_each(|value| value.im = 0.0);
    }
    let expected = LazyCell::new(|| plan.run(&input));
    in_ways(plan, grid, limits, |cut, schedule, kernels| {
        let error = relative_error(&on_device(plan, schedule, kernels, &input), &expected);
        assert!(error < TOLERANCE, "{name} {cut} {kernels:?}: relative error {error:e}");
    });
}

#[test]
fn every_plan_equals_the_reference() {
    let mut grid = Grid::new();
    for transform in linear_transforms() {
        let shapes: &[(usize, usize)] = match transform.axes {
            Axes::Rows | Axes::Columns => &[(1, 1), (3, 16), (2, 60), (1, 512)],
            Axes::Both => &[(8, 4), (12, 10), (32, 64)],
        };
        for algorithm in transform.algorithms {
            let Some(build) = algorithm.plan_fn() else { continue };
            let directions = [Direction::Forward, Direction::Inverse].into_iter().cycle();
            for (&(rows, columns), direction) in shapes.iter().zip(directions) {
                let Ok(plan) = build(Shape { rows, columns }, Parameters { direction, ..Parameters::default() }) else { continue };
                let plan = match plan.ring {
                    Ring::Gf2 | Ring::Prime(_) => continue,
                    Ring::Integer(_) => plan.over(Ring::Real),
                    _ => plan,
                };
                check(&format!("{} {} {rows}×{columns} {direction:?}", transform.name, algorithm.name), &plan, &mut grid);
            }
        }
    }
}

#[test]
fn lengths_of_all_kinds_equal_the_library() {
    let (dft, mut grid) = (transform("dft").unwrap(), Grid::new());
    let limits = device().limits().in_precision(Precision::Double);
    let rest = [3 << 12, 5_usize.pow(6), 7_usize.pow(5), 100_000, 13_usize.pow(4), 31_usize.pow(3), 21, 97, 1009];
    for n in (1..=18).map(|log| 1 << log).chain(rest) {
        let plan =
            dft.first_plan_for(Shape::line(n), Parameters::default()).plan_fn().unwrap()(Shape::line(n), Parameters::default()).unwrap();
        let (input, schedule) = (double_noise(n), fastest(&plan, limits));
        if !grid.takes(&plan, &schedule, limits, KernelChoice::Fast) {
            continue;
        }
        let mut expected = input.clone();
        rustfft::FftPlanner::new().plan_fft_forward(n).process(&mut expected);
        let error = relative_error(&on_device(&plan, &schedule, KernelChoice::Fast, &input), &expected);
        assert!(error < 5e-16 * (n as f64).log2().max(2.0), "{n}: relative error {error:e}");
    }
}

#[test]
fn the_fast_kernels_run_in_double_precision_too() {
    let limits = device().limits().in_precision(Precision::Double);
    let build = |name: &str, algorithm: &str| transform(name).unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
    let kernels = |plan: &Plan| {
        let lowered = lower::lower(plan, &fastest(plan, limits), limits, KernelChoice::Fast).unwrap();
        assert_eq!(lowered.precision, Precision::Double);
        lowered.commands.into_iter().map(|command| command.kernel).collect::<Vec<_>>()
    };
    for n in [256, 4096, 8192, 1 << 15, 1 << 20] {
        let plan = build("dft", "stockham")(Shape::line(n), Parameters::default()).unwrap();
        assert!(kernels(&plan).iter().all(|kernel| (kernel.family, kernel.precision) == ("fft", Precision::Double)), "{n}");
    }
    let image = build("dft2", "row-column")(Shape { rows: 128, columns: 256 }, Parameters::default()).unwrap();
    let transposes = |kernel: &Kernel| (kernel.family, kernel.ring, kernel.precision) == ("transpose", Ring::Complex, Precision::Double);
    assert!(kernels(&image).iter().any(transposes));
}

/// Half the spectra of the rows of an image by the library, and of those the spectra down the columns where `both` axes are asked for.
fn half_spectrum(samples: &[f64], shape: Shape, both: bool) -> Vec<Complex64> {
    let plan = realfft::RealFftPlanner::<f64>::new().plan_fft_forward(shape.columns);
    let rows = samples.chunks(shape.columns).map(|row| {
        let (mut row, mut half) = (row.to_vec(), plan.make_output_vec());
        plan.process(&mut row, &mut half).unwrap();
        half
    });
    let mut half: Vec<Complex64> = rows.flatten().collect();
    let width = shape.columns / 2 + 1;
    let down = rustfft::FftPlanner::new().plan_fft_forward(shape.rows);
    for column in (0..width).filter(|_| both) {
        let mut line: Vec<_> = half.iter().skip(column).step_by(width).copied().collect();
        down.process(&mut line);
        half.iter_mut().skip(column).step_by(width).zip(line).for_each(|(value, result)| *value = result);
    }
    half
}

/// Real samples in the lanes that a plan takes or gives: two in each lane, as they lie in memory, or one.
fn in_lanes(samples: &[f64], lanes: usize) -> Vec<Complex64> {
    match lanes == samples.len() {
        true => samples.iter().map(|&sample| sample.into()).collect(),
        false => samples.chunks_exact(2).map(|pair| Complex64::new(pair[0], pair[1])).collect(),
    }
}

#[test]
fn half_a_spectrum_equals_the_library_both_ways_in_the_launch_of_the_rows() {
    let (limits, mut grid) = (device().limits().in_precision(Precision::Double), Grid::new());
    // The rows whose points and whose half spectrum 32 KiB of workgroup memory hold in double precision.
    let fused = [4, 6, 16, 100, 512, 1000, 4096];
    let of_rows = fused.into_iter().chain([1, 2, 3, 15, 34, 101, 8192, 1 << 14, 1 << 17]).map(|n| ("rdft", Shape { rows: 3, columns: n }));
    let images = [(2, 2), (3, 5), (48, 64), (64, 512), (37, 64), (17, 106)];
    let of_images = images.map(|(rows, columns)| ("rdft2", Shape { rows, columns }));
    for (name, shape) in of_rows.chain(of_images) {
        let samples: Vec<f64> = double_noise(shape.len()).iter().map(|value| value.re).collect();
        let half = half_spectrum(&samples, shape, name == "rdft2");
        for (direction, columns) in [(Direction::Forward, shape.columns), (Direction::Inverse, shape.columns / 2 + 1)] {
            let parameters = Parameters { direction, columns: Some(shape.columns), ..Parameters::default() };
            let build = transform(name).unwrap().first_plan().plan_fn().unwrap();
            let plan = build(Shape { columns, ..shape }, parameters).unwrap();
            let what = format!("{name} of {shape:?} {direction:?}");
            let schedule = fastest(&plan, limits);
            let kernels =
                lower::lower(&plan, &schedule, limits, KernelChoice::Fast).unwrap().commands.into_iter().map(|command| command.kernel);
            let n_fused = kernels
                .filter(|kernel| (kernel.family, kernel.precision) == ("fft", Precision::Double) && !kernel.data["half"].is_null())
                .count();
            assert!(
                n_fused == 1 || name == "rdft2" || !fused.contains(&shape.columns),
                "{what}: half the spectrum takes a launch of its own"
            );
            let (input, expected) = match direction {
                Direction::Forward => (in_lanes(&samples, plan.inputs), half.clone()),
                Direction::Inverse => (half.clone(), in_lanes(&samples, plan.outputs)),
            };
            let bound = 1e-15 * (shape.len() as f64).log2().max(2.0);
            for (schedule, kernels) in [(&schedule, KernelChoice::Fast), (&Schedule::by_stage(&plan), KernelChoice::Generic)] {
                if !grid.takes(&plan, schedule, limits, kernels) {
                    continue;
                }
                let error = relative_error(&on_device(&plan, schedule, kernels, &input), &expected);
                assert!(error < bound, "{what} {kernels:?}: relative error {error:e}");
            }
        }
    }
}

#[test]
fn real_samples_are_expanded_and_images_made_on_the_device() {
    let build = transform("dft2").unwrap().first_plan().plan_fn().unwrap();
    let shape = Shape { rows: 6, columns: 8 };
    let plan = build(shape, Parameters::default()).unwrap();
    let reals: Vec<f64> = double_noise(plan.inputs).iter().map(|value| value.re).collect();
    let input: Vec<Complex64> = reals.iter().map(|&value| value.into()).collect();
    let expected = plan.run(&input);
    let double = prepared(&plan, &Schedule::by_stage(&plan), KernelChoice::Fast);
    double.upload(&reals, &GO).unwrap();
    double.spoil().unwrap();
    double.run(&GO).unwrap();
    assert!(relative_error(&double.download_double(0..48, &GO).unwrap(), &expected) < TOLERANCE);
    assert!(relative_error(&double.download_double(8..16, &GO).unwrap(), &expected[8..16]) < TOLERANCE);
    let single = device().prepare(&plan, &Schedule::by_stage(&plan)).unwrap();
    single.upload(&reals, &GO).unwrap();
    single.run(&GO).unwrap();
    assert!(relative_error(&single.download_double(0..48, &GO).unwrap(), &expected) > 1e-9, "single precision has seven digits");
    let range = double.extremes(shape, &Look::default()).unwrap();
    assert!((range[1] - single.extremes(shape, &Look::default()).unwrap()[1]).abs() < 1e-5 && range[1] > range[0]);
    let image = |prepared: &Prepared| prepared.image(shape, Axes::Both, &Look::default(), range, DisplayFrame::whole(shape)).unwrap();
    let pairs = image(&double).into_iter().zip(image(&single)).collect::<Vec<_>>();
    // Rounding may move a value past the edge of a colour.
    assert!(pairs.iter().all(|(a, b)| a.abs_diff(*b) <= 8) && pairs.iter().any(|(a, _)| *a != 255), "{pairs:?}");
}

#[test]
fn lanes_in_double_precision_take_twice_the_bytes() {
    let build = transform("dft").unwrap().algorithm("stockham").unwrap().plan_fn().unwrap();
    let plan = build(Shape::line(4096), Parameters::default()).unwrap();
    let bytes = |precision| {
        let limits = device().limits().in_precision(precision);
        let lowered = lower::lower(&plan, &Schedule::by_stage(&plan), limits, KernelChoice::Generic).unwrap();
        lowered.commands.iter().map(|command| command.bytes).sum::<u64>()
    };
    assert_eq!(bytes(Precision::Double), 2 * bytes(Precision::Single));
    let [single, double] =
        [Precision::Single, Precision::Double].map(|p| lower::tile_lanes(Ring::Complex, device().limits().in_precision(p)));
    assert_eq!(single, 2 * double);
    let exact = Ring::Integer(papillon::plan::IntegerWidth::Bits32);
    assert_eq!(Precision::Double.bytes_per_lane(exact), exact.bytes_per_lane());
}

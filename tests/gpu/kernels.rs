//! The GPU equals the reference in double precision: every algorithm, every schedule, generic and fast kernels, every prefix of stages.
//!
//! Without an adapter these tests fail, and say what to install.

#[path = "../common/affine.rs"]
mod affine;

use crate::common::{GO, Grid, complex_noise, device, relative_error, single, wide};
use crate::ways::in_ways;
use num_complex::{Complex32, Complex64};
use papillon::choice::{Chosen as _, Kind};
use papillon::gpu::{AdapterChoice, Device, GpuError, KernelChoice, LowerError, bench_copy, fastest, lower};
use papillon::plan::{
    Coef, Direction, Extension, IntegerWidth, Loop, Matrix, Operation, Plan, ReadPattern, ResultOrder, Ring, Stage, WritePattern,
};
use papillon::schedule::{Launch, Schedule, Tile};
use papillon::transforms::{Axes, BatchAxis, Numbers, Parameters, Scheme, Shape, Transform, linear_transforms, transform};
use std::cell::LazyCell;
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

fn tolerance(lanes: usize) -> f64 {
    1e-6 * (lanes as f64).log2().max(1.0)
}

/// Runs the plan on the device, whose buffers are filled with garbage before.
fn on_device(plan: &Plan, schedule: &Schedule, kernels: KernelChoice, input: &[Complex32]) -> Vec<Complex32> {
    let prepared = device().prepare_with(plan, schedule, kernels).unwrap();
    prepared.upload(input, &GO).unwrap();
    prepared.spoil().unwrap();
    let times = prepared.run(&GO).unwrap();
    assert_eq!(times.launch_micros.len(), schedule.launches.len());
    prepared.download(&GO).unwrap()
}

/// Against the reference in double precision; integer plans over the real numbers here, and exactly besides.
fn check(name: &str, plan: &Plan, grid: &mut Grid) {
    if plan.ring.is_exact() {
        check_exactly(name, plan, grid);
    }
    let plan = match plan.ring {
        Ring::Gf2 | Ring::Prime(_) => return,
        Ring::Integer(_) => plan.clone().over(Ring::Real),
        _ => plan.clone(),
    };
    let input = single(&complex_noise(plan.inputs));
    let input = &if plan.ring == Ring::Real { input.iter().map(|value| value.re.into()).collect() } else { input };
    let expected = LazyCell::new(|| plan.run(&wide(input)));
    in_ways(&plan, grid, device().limits(), |cut, schedule, kernels| {
        let error = relative_error(&on_device(&plan, schedule, kernels, input), &expected);
        assert!(error < tolerance(plan.lanes), "{name} {cut} {kernels:?}: relative error {error:e}");
    });
}

/// Integers of both signs that look random and are the same every time.
fn integers(n: usize) -> Vec<i64> {
    single(&complex_noise(n)).iter().map(|value| (value.re * 1000.0) as i64).collect()
}

/// Every value must be the one of the exact reference, in lanes of 32 and of 64 bits.
fn check_exactly(name: &str, plan: &Plan, grid: &mut Grid) {
    let input = &integers(plan.inputs);
    let expected = LazyCell::new(|| plan.run_exact(input).unwrap());
    let rings = match plan.ring {
        Ring::Gf2 | Ring::Prime(_) => vec![plan.ring],
        _ => [IntegerWidth::Bits32, IntegerWidth::Bits64].map(Ring::Integer).to_vec(),
    };
    for ring in rings {
        let plan = plan.clone().over(ring);
        in_ways(&plan, grid, device().limits(), |cut, schedule, kernels| {
            let prepared = device().prepare_with(&plan, schedule, kernels).unwrap();
            prepared.upload(input, &GO).unwrap();
            prepared.spoil().unwrap();
            prepared.run(&GO).unwrap();
            assert!(prepared.download_integers(0..plan.outputs, &GO).unwrap() == *expected, "{name} {cut} {kernels:?} {ring:?}");
        });
    }
}

/// Both directions, and each choice that the transform offers.
fn choices(transform: &Transform) -> Vec<Parameters> {
    let inverse = Parameters { direction: Direction::Inverse, ..Parameters::default() };
    let mut all = vec![Parameters::default(), inverse];
    // tests/real.rs asks for odd and even numbers of samples, tests/wavelets.rs for every number of levels.
    for choice in transform.parameters.iter().map(|&id| Parameters::choice(id)) {
        let texts =
            if let Kind::Matrix = choice.kind { vec!["2,-1,1,1"] } else { choice.kind.values().iter().map(|value| value.name).collect() };
        for text in texts {
            let mut parameters = if let Kind::Matrix = choice.kind { Parameters::default() } else { inverse };
            choice.set(&mut parameters, Some(text)).unwrap();
            if !all.contains(&parameters) {
                all.push(parameters);
            }
        }
    }
    all
}

/// Every algorithm at these shapes, with everything that can be chosen.
fn check_all(lines: &[(usize, usize)], images: &[(usize, usize)]) {
    let mut grid = Grid::new();
    for transform in linear_transforms() {
        let shapes = if transform.axes == Axes::Rows { lines } else { images };
        for algorithm in transform.algorithms {
            let Some(build) = algorithm.plan_fn() else { continue };
            for &(rows, columns) in shapes {
                for parameters in choices(transform) {
                    let shape = Shape { rows, columns };
                    let built = build(shape, transform.within_levels(shape, parameters));
                    // The lanes of columns cannot be permuted, and a scheme has rows of its length alone.
                    let is_free = parameters.lines == BatchAxis::Rows && parameters.scheme == Scheme::default();
                    if (rows * columns).is_power_of_two() && is_free {
                        assert!(built.is_ok(), "{} refuses {rows}×{columns}", algorithm.name);
                    }
                    let Ok(plan) = built else { continue };
                    let name = format!("{} {} {rows}×{columns} {parameters:?}", transform.name, algorithm.name);
                    check(&name, &plan, &mut grid);
                }
            }
        }
    }
}

#[test]
fn small_plans_equal_the_reference() {
    check_all(&[(1, 1), (1, 2), (1, 4), (1, 8), (1, 32)], &[(1, 8), (8, 1), (8, 4)]);
}

#[test]
fn larger_plans_equal_the_reference() {
    check_all(&[(1, 256), (1, 4096)], &[(32, 64)]);
}

#[test]
fn batches_equal_the_reference() {
    check_all(&[(3, 2), (3, 16), (5, 512)], &[]);
}

#[test]
fn lengths_that_are_no_powers_of_two_equal_the_reference() {
    let short = [3, 6, 7, 15, 17, 31, 34, 37].map(|n| (1, n));
    check_all(&short, &[(3, 5), (12, 10)]);
    check_all(&[(3, 49), (2, 60), (5, 97), (2, 1001), (1, 1536)], &[(24, 45)]);
}

#[test]
fn long_mixed_radices_equal_the_library() {
    let build = transform("dft").unwrap().algorithm("stockham").unwrap().plan_fn().unwrap();
    let mut grid = Grid::new();
    for n in [3 << 12, 5_usize.pow(6), 7_usize.pow(5), 100_000, 13_usize.pow(4), 31_usize.pow(3), 17 << 12, 3 << 16] {
        let plan = build(Shape::line(n), Parameters::default()).unwrap();
        let input = single(&complex_noise(n));
        let schedule = fastest(&plan, device().limits());
        if !grid.takes(&plan, &schedule, device().limits(), KernelChoice::Fast) {
            continue;
        }
        let error = relative_error(&on_device(&plan, &schedule, KernelChoice::Fast, &input), &reference(&input, n));
        assert!(error < 3e-8 * (n as f64).log2(), "{n}: relative error {error:e}");
    }
}

/// Forward, by a library in double precision.
fn reference(input: &[Complex32], columns: usize) -> Vec<Complex64> {
    let mut values = wide(input);
    rustfft::FftPlanner::new().plan_fft_forward(columns).process(&mut values);
    values
}

#[test]
fn stockham_of_every_length_equals_the_library() {
    let (dft, mut grid) = (transform("dft").unwrap(), Grid::new());
    for name in ["stockham", "stockham-8", "stockham-4", "stockham-2", "stockham-dit-8", "stockham-dit-4", "stockham-dit-2"] {
        let build = dft.algorithm(name).unwrap().plan_fn().unwrap();
        for log in 1..=18 {
            let plan = build(Shape::line(1 << log), Parameters::default()).unwrap();
            let schedule = fastest(&plan, device().limits());
            assert_eq!(schedule.launches.len() == 1, log <= 13, "{name} of 2^{log}");
            if grid.takes(&plan, &schedule, device().limits(), KernelChoice::Fast) {
                let input = single(&complex_noise(plan.inputs));
                let error = relative_error(&on_device(&plan, &schedule, KernelChoice::Fast, &input), &reference(&input, plan.lanes));
                assert!(error < 3e-8 * f64::from(log).max(5.0), "{name} of 2^{log}: relative error {error:e}");
            }
        }
    }
}

#[test]
fn every_prefix_of_stages_equals_the_reference() {
    let mut grid = Grid::new();
    for transform in linear_transforms() {
        for algorithm in transform.algorithms {
            let Some(build) = algorithm.plan_fn() else { continue };
            let shape = if transform.axes == Axes::Rows { Shape { rows: 2, columns: 32 } } else { Shape { rows: 4, columns: 8 } };
            let mut plan = build(shape, Parameters { tile_lanes: Some(8), ..Parameters::default() }).unwrap();
            while !plan.stages.is_empty() {
                plan.stages.pop();
                plan = match plan.stages.len() {
                    0 => Plan::new(plan.ring, plan.inputs, vec![], ResultOrder::Natural),
                    // Half a spectrum has lanes that only the last stages write.
                    _ if transform.gives == Numbers::HalfSpectrum => {
                        Plan { outputs: plan.stages[plan.stages.len() - 1].write_reach(), ..plan }
                    }
                    _ => Plan { outputs: plan.lanes, ..plan },
                };
                // Scratch lanes that only a later stage writes hold no result yet.
                let written: HashSet<usize> = (0..plan.inputs).chain(plan.stages.iter().flat_map(Stage::written_lanes)).collect();
                if (0..plan.outputs).any(|lane| !written.contains(&lane)) {
                    continue;
                }
                let name = format!("{} of {}, {} stages", algorithm.name, transform.name, plan.stages.len());
                check(&name, &plan, &mut grid);
            }
        }
    }
}

/// A stage that keeps two lanes of eight, mirrors one tap, reads zero for another, and scatters.
fn odd_stage(extension: Extension, rows: usize) -> Stage {
    Stage {
        label: "odd".into(),
        outer: Loop::new(rows, 8),
        group: Loop::ONCE,
        positions: 3,
        read: ReadPattern { first: -1, advance: 3, extension, ..ReadPattern::in_order(8) },
        write: WritePattern { first: 1, advance: 2, hop: 1, ..WritePattern::IN_ORDER },
        operation: Operation::Linear(Matrix::from_fn(2, 3, |j, k| Coef::Real(0.5 + j as f64 - 0.25 * k as f64))),
        twiddle: None,
    }
}

#[test]
fn folds_and_carried_lanes_equal_the_reference() {
    let mut grid = Grid::new();
    for extension in [Extension::Periodic, Extension::Symmetric, Extension::Zero] {
        for ring in [Ring::Real, Ring::Complex] {
            for rows in [1, 3] {
                let stages = vec![odd_stage(extension, rows), odd_stage(Extension::Zero, rows), odd_stage(extension, rows)];
                let plan = Plan::new(ring, 8 * rows, stages, ResultOrder::Natural);
                check(&format!("{extension:?} {ring:?}"), &plan, &mut grid);
            }
        }
    }
}

#[test]
fn fast_kernels_run_where_they_should() {
    let limits = device().limits();
    let build = |name: &str, algorithm: &str| transform(name).unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
    let kernels = |plan: &Plan, choice| {
        let lowered = lower::lower(plan, &fastest(plan, limits), limits, choice).unwrap();
        lowered.commands.into_iter().map(|command| command.kernel).collect::<Vec<_>>()
    };
    for direction in [Direction::Forward, Direction::Inverse] {
        let parameters = Parameters { direction, ..Parameters::default() };
        let rows = build("dft", "stockham")(Shape { rows: 16, columns: 4096 }, parameters).unwrap();
        assert!(
            matches!(&kernels(&rows, KernelChoice::Fast)[..], [kernel] if kernel.family == "fft" && kernel.data["radices"] == serde_json::json!([16, 16, 16]))
        );
        let image = build("dft2", "row-column")(Shape { rows: 128, columns: 256 }, parameters).unwrap();
        let fast = kernels(&image, KernelChoice::Fast);
        assert_eq!(fast.iter().take(4).map(|kernel| kernel.family).collect::<Vec<_>>(), ["fft", "transpose", "fft", "transpose"]);
        let image = build("dft2", "stockham")(Shape { rows: 512, columns: 4096 }, parameters).unwrap();
        let fast = kernels(&image, KernelChoice::Fast);
        assert!(matches!(&fast[..], [rows, down] if [rows, down].iter().all(|kernel| kernel.family == "fft") && down.in_place), "{fast:?}");
    }
    let long = build("dft", "stockham-8")(Shape::line(1 << 15), Parameters::default()).unwrap();
    assert!(kernels(&long, KernelChoice::Fast).iter().all(|kernel| kernel.family == "fft"));
    let generic = Schedule::by_stage(&long);
    let lowered = lower::lower(&long, &generic, limits, KernelChoice::Generic).unwrap();
    assert!(lowered.commands.iter().all(|command| command.kernel.family == "stage"));
}

#[test]
fn any_affine_stage_equals_the_reference() {
    let mut grid = Grid::new();
    for (index, plan) in affine::plans(60).into_iter().enumerate() {
        check(&format!("random plan {index}"), &plan, &mut grid);
    }
}

#[test]
fn a_long_transform_is_linear_and_comes_back() {
    let lanes = 1 << 20;
    let build = transform("dft").unwrap().algorithm("stockham").unwrap().plan_fn().unwrap();
    let prepare = |direction| {
        let plan = build(Shape::line(lanes), Parameters { direction, ..Parameters::default() }).unwrap();
        device().prepare(&plan, &fastest(&plan, device().limits())).unwrap()
    };
    let forward = prepare(Direction::Forward);
    let spectrum = |values: &[Complex32]| {
        forward.upload(values, &GO).unwrap();
        forward.run(&GO).unwrap();
        forward.download(&GO).unwrap()
    };
    let a = single(&complex_noise(lanes));
    let b: Vec<Complex32> = a.iter().rev().map(|value| value.conj() * 0.5).collect();
    let sum: Vec<Complex32> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
    let (spectrum_a, spectrum_b) = (spectrum(&a), spectrum(&b));
    let expected: Vec<Complex64> = wide(&spectrum_a).iter().zip(wide(&spectrum_b)).map(|(a, b)| a + b).collect();
    assert!(relative_error(&spectrum(&sum), &expected) < 1e-6);
    let inverse = prepare(Direction::Inverse);
    inverse.upload(&spectrum_a, &GO).unwrap();
    inverse.run(&GO).unwrap();
    assert!(relative_error(&inverse.download(&GO).unwrap(), &wide(&a)) < 2e-6);
}

#[test]
fn real_input_is_expanded_on_the_device() {
    let build = transform("dft").unwrap().first_plan().plan_fn().unwrap();
    let plan = build(Shape { rows: 3, columns: 8 }, Parameters::default()).unwrap();
    let prepared = device().prepare(&plan, &Schedule::by_stage(&plan)).unwrap();
    let reals: Vec<f32> = single(&complex_noise(plan.inputs)).iter().map(|value| value.re).collect();
    let input: Vec<Complex64> = reals.iter().map(|&value| f64::from(value).into()).collect();
    prepared.upload(&reals, &GO).unwrap();
    prepared.spoil().unwrap();
    prepared.run(&GO).unwrap();
    let expected = plan.run(&input);
    assert!(relative_error(&prepared.download(&GO).unwrap(), &expected) < 1e-6);
    assert!(relative_error(&prepared.download_range(8..16, &GO).unwrap(), &expected[8..16]) < 1e-6);
}

#[test]
fn runs_repeat_and_are_timed() {
    let build = transform("dft").unwrap().first_plan().plan_fn().unwrap();
    let plan = build(Shape { rows: 4, columns: 1024 }, Parameters::default()).unwrap();
    let prepared = device().prepare(&plan, &Schedule::by_stage(&plan)).unwrap();
    let input = single(&complex_noise(plan.inputs));
    prepared.upload(&input, &GO).unwrap();
    let times = prepared.run_repeated(7, &GO).unwrap();
    assert_eq!(times.len(), 7);
    for run in &times {
        assert!(run.wall_micros > 0.0 && run.launch_micros.len() == plan.stages.len());
        if device().info().timestamps {
            let sum: f64 = run.launch_micros.iter().map(|micros| micros.unwrap()).sum();
            assert!(sum > 0.0 && run.gpu_micros.unwrap() >= 0.99 * sum, "{run:?}");
        }
    }
    assert!(relative_error(&prepared.download(&GO).unwrap(), &plan.run(&wide(&input))) < 2e-6);
    let copies = bench_copy(device(), 1 << 20, 1 << 23, 3).unwrap();
    assert_eq!(copies.len(), 3);
    assert!(copies.iter().all(|micros| micros.is_some() == device().info().timestamps));
}

#[test]
fn what_a_user_can_cause_is_one_clear_line() {
    let build = transform("dft").unwrap().first_plan().plan_fn().unwrap();
    let plan = build(Shape::line(16), Parameters::default()).unwrap();
    let prepared = device().prepare(&plan, &Schedule::by_stage(&plan)).unwrap();
    assert_eq!(prepared.upload(&single(&complex_noise(3)), &GO).unwrap_err(), GpuError::Length { needed: 16, given: 3 });
    assert_eq!(prepared.run(&AtomicBool::new(true)).unwrap_err(), GpuError::Cancelled);
    assert!(matches!(prepared.download_range(3..99, &GO), Err(GpuError::Length { .. })));
    let far = device().most_array_bytes() as usize;
    let large = Plan::new(Ring::Complex, far, vec![], ResultOrder::Natural);
    let error = device().prepare(&large, &Schedule { launches: vec![] }).err().unwrap();
    assert!(matches!(error, GpuError::TooLarge { .. }), "{error}");
    let error = Device::open(&AdapterChoice::Name("abacus".into())).err().unwrap();
    assert!(error.to_string().contains("abacus") && error.to_string().contains(&device().info().name) && !error.to_string().contains('\n'));
    assert!(matches!(Device::open(&AdapterChoice::Index(99)), Err(GpuError::NoSuchAdapter { .. })));
}

#[test]
fn a_plan_that_reaches_outside_is_refused() {
    let build = transform("dft").unwrap().algorithm("cooley-tukey-dif").unwrap().plan_fn().unwrap();
    let limits = device().limits();
    let plan = build(Shape::line(16), Parameters::default()).unwrap();
    let refused = |change: fn(&mut Stage)| {
        let mut plan = plan.clone();
        change(&mut plan.stages[1]);
        lower::lower(&plan, &Schedule::by_stage(&plan), limits, KernelChoice::Fast).is_err()
    };
    assert!(refused(|stage| stage.write.first = 1));
    assert!(refused(|stage| stage.read.first = -1));
    assert!(refused(|stage| stage.read.hop *= 2));
    assert!(refused(|stage| stage.write.hop *= 2));
    assert!(refused(|stage| stage.outer.n += 1));
    assert!(refused(|stage| stage.write.reversed_bits = 5));
    assert!(refused(|stage| stage.positions = 0));
    let crossing = Schedule { launches: vec![Launch { stages: 0..4, tile: Tile::Block { lanes: 8 } }] };
    let wide = build(Shape::line(8192), Parameters::default()).unwrap();
    let whole = Schedule { launches: vec![Launch { stages: 0..wide.stages.len(), tile: Tile::Block { lanes: 8192 } }] };
    assert!(matches!(lower::lower(&wide, &whole, limits, KernelChoice::Generic), Err(LowerError::Tile { .. })));
    assert!(matches!(lower::lower(&wide, &crossing, limits, KernelChoice::Generic), Err(LowerError::Schedule { .. })));
}

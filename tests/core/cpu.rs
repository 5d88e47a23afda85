//! The CPU, in every way, equals the reference run of the plan, and the library equals the definition.

use num_complex::{Complex, Complex32, Complex64};
use papillon::cpu::{self, Bit, CpuBackend, Float, Residue, library};
use papillon::plan::{Direction, IntegerWidth, Plan, Ring};
use papillon::schedule::Schedule;
use papillon::transforms::{Axes, Numbers, Parameters, Shape, TRANSFORMS, linear_transforms, transform};
use std::sync::atomic::AtomicBool;

static GO_ON: AtomicBool = AtomicBool::new(false);
const WAYS: [CpuBackend; 4] = CpuBackend::ALL;

fn samples(n: usize) -> Vec<Complex64> {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    (0..n).map(|_| Complex64::new(next(), next())).collect()
}

fn relative_error<T: Float + Into<f64>>(result: &[Complex<T>], expected: &[Complex64]) -> f64 {
    assert_eq!(result.len(), expected.len());
    let wide = |value: &Complex<T>| Complex64::new(value.re.into(), value.im.into());
    let error: f64 = result.iter().zip(expected).map(|(a, b)| (wide(a) - b).norm_sqr()).sum();
    (error / expected.iter().map(Complex64::norm_sqr).sum::<f64>()).sqrt()
}

/// Every value of an exact plan is the one of the exact reference, in lanes of every width.
fn check_exactly(plan: &Plan) {
    let input: Vec<i64> = samples(plan.inputs).iter().map(|x| (x.re * 2000.0) as i64).collect();
    let expected = plan.run_exact(&input).unwrap();
    for schedule in [Schedule::by_stage(plan), Schedule::tiled(plan, 8), Schedule::tiled(plan, 4096), cpu::fast_schedule(plan)] {
        for way in WAYS {
            let result: Vec<i64> = match plan.ring {
                Ring::Prime(field) => {
                    let residues: Vec<Residue> = input.iter().map(|&value| Residue::of(field, value)).collect();
                    cpu::run(plan, &schedule, &residues, way, &GO_ON).unwrap().0.into_iter().map(i64::from).collect()
                }
                Ring::Gf2 => {
                    let bits: Vec<Bit> = input.iter().map(|&value| Bit::of(value)).collect();
                    cpu::run(plan, &schedule, &bits, way, &GO_ON).unwrap().0.into_iter().map(i64::from).collect()
                }
                _ => {
                    let narrow: Vec<i32> = input.iter().map(|&value| value as i32).collect();
                    let plan32 = plan.clone().over(Ring::Integer(IntegerWidth::Bits32));
                    let (narrow, _) = cpu::run(&plan32, &schedule, &narrow, way, &GO_ON).unwrap();
                    let narrow: Vec<i64> = narrow.into_iter().map(i64::from).collect();
                    assert_eq!(narrow, expected, "{way:?}, 32 bits, {plan:?}");
                    cpu::run(plan, &schedule, &input, way, &GO_ON).unwrap().0
                }
            };
            assert_eq!(result, expected, "{way:?}");
        }
    }
}

#[test]
fn every_way_equals_the_reference() {
    for transform in linear_transforms() {
        for build in transform.algorithms.iter().filter_map(|algorithm| algorithm.plan_fn()) {
            let powers = [(1, 1), (1, 2), (3, 8), (4, 4), (1, 256), (16, 32)];
            let others = [(1, 3), (2, 5), (3, 7), (1, 13), (2, 17), (5, 15), (1, 60), (9, 10), (1, 97), (2, 210), (1, 1001)];
            for (rows, columns) in powers.into_iter().chain(others) {
                let shape = Shape { rows, columns };
                for direction in [Direction::Forward, Direction::Inverse] {
                    let Ok(plan) = build(shape, Parameters { direction, tile_lanes: Some(8), ..Parameters::default() }) else { continue };
                    let input: Vec<Complex64> = samples(plan.inputs);
                    let single: Vec<Complex32> = input.iter().map(|x| Complex32::new(x.re as f32, x.im as f32)).collect();
                    if plan.ring.is_exact() {
                        check_exactly(&plan);
                    }
                    if matches!(plan.ring, Ring::Gf2 | Ring::Prime(_)) {
                        continue;
                    }
                    let expected = plan.run(&input);
                    for schedule in
                        [Schedule::by_stage(&plan), Schedule::tiled(&plan, 8), Schedule::tiled(&plan, 4096), cpu::fast_schedule(&plan)]
                    {
                        for way in WAYS {
                            let (double, micros) = cpu::run(&plan, &schedule, &input, way, &GO_ON).unwrap();
                            assert!(relative_error(&double, &expected) < 1e-14, "{} {shape:?} {way:?}", transform.name);
                            assert_eq!(micros.len(), schedule.launches.len());
                            let (single, _) = cpu::run(&plan, &schedule, &single, way, &GO_ON).unwrap();
                            assert!(relative_error(&single, &expected) < 1e-6);
                        }
                    }
                }
            }
        }
    }
}

/// Long enough for several passes of long steps, in whole rows and in a batch of an odd number of them.
#[test]
fn long_runs_of_steps_are_blocked_and_exact() {
    for (name, rows, columns) in [
        ("walsh", 1, 1 << 20),
        ("arithmetic", 1, 1 << 18),
        ("kronecker", 1, 1 << 17),
        ("walsh", 3, 1 << 14),
        ("arithmetic", 1, 1 << 15),
        ("reed-muller", 5, 1 << 13),
        ("kronecker", 3, 1 << 13),
    ] {
        let parameters = Parameters { matrix: papillon::transforms::Base([1.0, -2.0, 0.0, 1.0]), ..Parameters::default() };
        let build = transform(name).unwrap().first_plan().plan_fn().unwrap();
        let plan = build(Shape { rows, columns }, parameters).unwrap();
        let schedule = cpu::fast_schedule(&plan);
        assert_eq!(schedule.launches.len(), 1, "{name}");
        let values: Vec<i64> = (0..plan.lanes as i64).map(|i| (i * i % 251) & 1).collect();
        let expected: Vec<i64> = match plan.ring {
            Ring::Gf2 => {
                let bits: Vec<Bit> = values.iter().map(|&value| Bit::of(value)).collect();
                let local = cpu::run(&plan, &Schedule::by_stage(&plan), &bits, WAYS[1], &GO_ON).unwrap().0;
                let blocked = cpu::run(&plan, &schedule, &bits, CpuBackend::Parallel, &GO_ON).unwrap().0;
                assert!(local == blocked, "{name}");
                continue;
            }
            _ => cpu::run(&plan, &Schedule::by_stage(&plan), &values, WAYS[1], &GO_ON).unwrap().0,
        };
        assert!(cpu::run(&plan, &schedule, &values, CpuBackend::Parallel, &GO_ON).unwrap().0 == expected, "{name} {rows}×{columns}");
    }
}

/// Long enough that threads share every stage, one launch a stage and in tiles: each owns its lanes, or writes to shared ones.
#[test]
fn threads_share_the_stages_of_every_algorithm() {
    let powers = ["dft", "walsh", "reed-muller", "arithmetic", "kronecker", "haar", "cdf97", "d4"];
    let shapes = powers.into_iter().flat_map(|name| [(name, 1, 1 << 14), (name, 3, 1 << 13)]);
    for (name, rows, columns) in shapes.chain([("dft", 1, 13_440), ("dft", 5, 3_003), ("cdf97", 1, 10_001)]) {
        for build in transform(name).unwrap().algorithms.iter().filter_map(|algorithm| algorithm.plan_fn()) {
            for direction in [Direction::Forward, Direction::Inverse] {
                let Ok(plan) = build(Shape { rows, columns }, Parameters { direction, ..Parameters::default() }) else { continue };
                // Definitions take N² terms; tests/core/direct.rs has them on all threads.
                if plan.is_direct() {
                    continue;
                }
                if plan.ring.is_exact() {
                    check_exactly(&plan);
                    continue;
                }
                let input = samples(plan.inputs);
                let real: Vec<f64> = input.iter().map(|x| x.re).collect();
                let expected = if plan.ring == Ring::Complex {
                    plan.run(&input)
                } else {
                    plan.run(&real.iter().map(|&x| x.into()).collect::<Vec<_>>())
                };
                for (schedule, way) in
                    [Schedule::by_stage(&plan), Schedule::tiled(&plan, 4096)].iter().flat_map(|s| WAYS.map(|way| (s, way)))
                {
                    let result: Vec<Complex64> = match plan.ring {
                        Ring::Complex => cpu::run(&plan, schedule, &input, way, &GO_ON).unwrap().0,
                        _ => cpu::run(&plan, schedule, &real, way, &GO_ON).unwrap().0.into_iter().map(Complex64::from).collect(),
                    };
                    assert!(relative_error(&result, &expected) < 1e-14, "{name} {rows}×{columns} {direction:?} {way:?}");
                }
            }
        }
    }
}

/// The first steps alone, the last, those in between: in the registers of every type that has some.
#[test]
fn every_part_of_a_long_run_is_exact() {
    for (name, columns) in [("walsh", 1 << 17), ("reed-muller", 1 << 15), ("kronecker", 1 << 12)] {
        let parameters = Parameters { matrix: papillon::transforms::Base([1.0, -2.0, 3.0, 1.0]), ..Parameters::default() };
        let build = transform(name).unwrap().first_plan().plan_fn().unwrap();
        let whole = build(Shape::line(columns), parameters).unwrap();
        let n = whole.stages.len();
        for range in [0..1, 0..2, 0..5, 2..n, n - 5..n, n - 2..n - 1, 3..n - 1] {
            let plan = Plan { stages: whole.stages[range.clone()].to_vec(), ..whole.clone() };
            let values: Vec<i64> = (0..plan.lanes as i64).map(|i| (i * i % 251) & 1).collect();
            let schedules = [Schedule::by_stage(&plan), cpu::fast_schedule(&plan)];
            macro_rules! both {
                ($lane:ty, $ring:expr) => {{
                    let lanes: Vec<$lane> = values.iter().map(|&value| value as $lane).collect();
                    let plan = plan.clone().over($ring);
                    schedules.each_ref().map(|schedule| cpu::run(&plan, schedule, &lanes, CpuBackend::Parallel, &GO_ON).unwrap().0)
                }};
            }
            if plan.ring == Ring::Gf2 {
                let bits: Vec<Bit> = values.iter().map(|&value| Bit::of(value)).collect();
                let [by_stage, blocked] =
                    schedules.each_ref().map(|schedule| cpu::run(&plan, schedule, &bits, CpuBackend::Parallel, &GO_ON).unwrap().0);
                assert!(by_stage == blocked, "{name} {range:?}");
                continue;
            }
            let [by_stage, blocked] = both!(i32, Ring::Integer(IntegerWidth::Bits32));
            assert!(by_stage == blocked, "{name} {range:?} in integers");
            let [by_stage, blocked] = both!(i64, Ring::Integer(IntegerWidth::Bits64));
            assert!(by_stage == blocked, "{name} {range:?} in wide integers");
            // As many steps keep small numbers whole.
            let [by_stage, blocked] = both!(f64, Ring::Real);
            assert!(by_stage == blocked, "{name} {range:?} in double precision");
            if name != "kronecker" {
                let [by_stage, blocked] = both!(f32, Ring::Real);
                assert!(by_stage == blocked, "{name} {range:?} in single precision");
            }
        }
    }
}

/// Values that one run leaves in the arrays do not reach the next, whatever plan it is of, and nor does it matter how often a plan ran.
#[test]
fn long_pyramids_are_sorted_part_by_part() {
    for direction in [Direction::Forward, Direction::Inverse] {
        let build = transform("haar").unwrap().algorithm("cooley-tukey").unwrap().plan_fn().unwrap();
        let plan = build(Shape::line(1 << 14), Parameters { direction, ..Parameters::default() }).unwrap().over(Ring::Real);
        let input = samples(plan.inputs);
        let real: Vec<f64> = input.iter().map(|x| x.re).collect();
        let expected = plan.run(&real.iter().map(|&x| x.into()).collect::<Vec<Complex64>>());
        for way in WAYS {
            let (result, _) = cpu::run(&plan, &cpu::fast_schedule(&plan), &real, way, &GO_ON).unwrap();
            let result: Vec<Complex64> = result.into_iter().map(Complex64::from).collect();
            assert!(relative_error(&result, &expected) < 1e-14, "{direction:?} {way:?}");
        }
    }
}

#[test]
fn kept_arrays_begin_every_run_anew() {
    let mut arrays = cpu::LaneArrays::default();
    for way in WAYS {
        for (name, n) in [("walsh", 256), ("haar", 64), ("dft", 97), ("cdf97", 100), ("dft", 128), ("kronecker", 8), ("d4-packet", 64)] {
            for algorithm in transform(name).unwrap().algorithms {
                let Some(Ok(plan)) = algorithm.plan_fn().map(|build| build(Shape::line(n), Parameters::default())) else { continue };
                let input = samples(plan.inputs);
                for schedule in [Schedule::by_stage(&plan), cpu::fast_schedule(&plan)] {
                    let (fresh, _) = cpu::run(&plan, &schedule, &input, way, &GO_ON).unwrap();
                    for _ in 0..2 {
                        arrays.load(&plan, &input);
                        let micros = cpu::run_in(&mut arrays, &plan, &schedule, way, &GO_ON).unwrap();
                        assert!(arrays.lanes()[..plan.outputs] == fresh, "{name} by {} {way:?}", algorithm.name);
                        assert_eq!(micros.len(), schedule.launches.len());
                    }
                }
            }
        }
    }
}

/// One array is enough for a stage whose strides say so; of the steps of Cooley and Tukey they do, and of constant geometry they do not.
#[test]
fn stages_that_write_their_taps_work_in_place() {
    for transform in linear_transforms() {
        for build in transform.algorithms.iter().filter_map(|algorithm| algorithm.plan_fn()) {
            for (rows, columns) in [(1, 8), (4, 4), (3, 6), (2, 15)] {
                let Ok(plan) = build(Shape { rows, columns }, Parameters { tile_lanes: Some(4), ..Parameters::default() }) else {
                    continue;
                };
                assert!(plan.stages.iter().all(|stage| !stage.writes_its_taps() || stage.in_place()), "{}", transform.name);
            }
        }
    }
    let plan = |algorithm| {
        let walsh = transform("walsh").unwrap();
        walsh.algorithm(algorithm).unwrap().plan_fn().unwrap()(Shape::line(16), Parameters::default()).unwrap()
    };
    assert!(plan("cooley-tukey").stages.iter().all(papillon::plan::Stage::writes_its_taps));
    assert!(!plan("constant-geometry").stages.iter().any(papillon::plan::Stage::writes_its_taps));
}

#[test]
fn the_library_equals_the_definition() {
    for transform in linear_transforms().filter(|transform| transform.library().is_some() && transform.gives != Numbers::HalfSpectrum) {
        for (rows, columns) in [(1, 1), (1, 7), (3, 12), (5, 5), (8, 16), (20, 3)] {
            for direction in [Direction::Forward, Direction::Inverse] {
                let shape = Shape { rows, columns };
                let input = samples(shape.len());
                let result = library::transform(input.clone(), shape, transform.axes, direction, &GO_ON).unwrap();
                let part = if transform.axes == Axes::Both { shape } else { Shape::line(columns) };
                let matrix = transform.definition.unwrap()(part, Parameters { direction, ..Parameters::default() });
                let expected: Vec<Complex64> = input
                    .chunks(part.len())
                    .flat_map(|line| matrix.iter().map(move |row| row.iter().zip(line).map(|(a, b)| a * b).sum::<Complex64>()))
                    .collect();
                assert!(relative_error(&result, &expected) < 1e-13, "{} {shape:?}", transform.name);
            }
        }
    }
}

#[test]
fn the_half_spectrum_of_a_real_picture_is_the_whole_one() {
    for (rows, columns) in [(1, 1), (1, 8), (6, 5), (7, 10), (33, 40), (64, 64)] {
        let shape = Shape { rows, columns };
        let real: Vec<f32> = samples(shape.len()).iter().map(|x| x.re as f32).collect();
        let half = library::real_image(&real, shape, &GO_ON).unwrap();
        let wide = real.iter().map(|&x| Complex64::from(f64::from(x))).collect();
        let expected = library::transform(wide, shape, Axes::Both, Direction::Forward, &GO_ON).unwrap();
        assert!(relative_error(&half.whole(), &expected) < 1e-6, "{shape:?}");
        assert_eq!(half.at(rows - 1, columns - 1), half.whole()[shape.len() - 1]);
    }
}

#[test]
fn half_spectra_are_parts_of_whole_ones_and_give_the_samples_back() {
    for (rows, columns) in [(1, 1), (1, 8), (6, 5), (7, 10), (4, 1), (33, 40)] {
        let shape = Shape { rows, columns };
        let real: Vec<f64> = samples(shape.len()).iter().map(|x| x.re).collect();
        for axes in [Axes::Rows, Axes::Columns, Axes::Both] {
            let half = library::half_spectrum(&real, shape, axes, &GO_ON).unwrap();
            let complex = real.iter().map(|&x| x.into()).collect();
            let whole = library::transform(complex, shape, axes, Direction::Forward, &GO_ON).unwrap();
            let stored = if axes == Axes::Columns { columns } else { columns / 2 + 1 };
            let part: Vec<Complex64> = whole.chunks(columns).flat_map(|row| row[..stored].to_vec()).take(half.len()).collect();
            let stored_rows = if axes == Axes::Columns { rows / 2 + 1 } else { rows };
            assert_eq!(half.len(), stored_rows * stored);
            assert!(relative_error(&half, &part) < 1e-14, "{shape:?} {axes:?}");
            let back: Vec<Complex64> = library::real_samples(half, shape, axes, &GO_ON).unwrap().into_iter().map(Complex64::from).collect();
            assert!(relative_error(&back, &real.iter().map(|&x| x.into()).collect::<Vec<_>>()) < 1e-14, "{shape:?} {axes:?} and back");
        }
    }
}

#[test]
fn cancelled_work_gives_no_result() {
    let stop = AtomicBool::new(true);
    let build = TRANSFORMS[0].first_plan().plan_fn().unwrap();
    let plan = build(Shape::line(64), Parameters::default()).unwrap();
    assert!(cpu::run(&plan, &Schedule::by_stage(&plan), &samples(64), CpuBackend::Parallel, &stop).is_err());
    assert!(library::transform(samples(64), Shape::line(64), Axes::Rows, Direction::Forward, &stop).is_err());
}

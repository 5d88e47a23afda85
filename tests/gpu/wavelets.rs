//! Wavelet transforms: every number of levels, every boundary extension, odd and very short lengths, on every backend; and the figures of the literature.

use crate::common::{GO, Grid, device, relative_error, single};
use num_complex::Complex64;
use papillon::cpu::{self, CpuBackend, LoopOrder};
use papillon::gpu::{KernelChoice, fastest, lower};
use papillon::plan::{Direction, Plan};
use papillon::remedy::{Remedies as _, Remedy};
use papillon::schedule::{Schedule, ThreadsPerSample, Tile};
use papillon::transforms::{Algorithm, Axes, Boundary, PacketOrder, Parameter, Parameters, Shape, TRANSFORMS, Transform, transform};

/// Real numbers that are exact in single precision.
fn noise(n: usize) -> Vec<Complex64> {
    crate::common::noise(n).into_iter().map(|number| f64::from(number).into()).collect()
}

fn wavelets() -> impl Iterator<Item = &'static Transform> {
    TRANSFORMS.iter().filter(|transform| transform.has(Parameter::Levels))
}

/// Every plan of every wavelet transform for these signals and images, forward and inverse, with all levels, boundary extensions and orders.
fn every_plan(lines: &[usize], images: &[(usize, usize)], mut visit: impl FnMut(&str, &Plan, &Plan)) {
    let images: Vec<Shape> = images.iter().map(|&(rows, columns)| Shape { rows, columns }).collect();
    for transform in wavelets() {
        let has = |parameter| usize::from(transform.parameters.contains(&parameter));
        let shapes = if transform.axes == Axes::Rows { lines.iter().map(|&n| Shape::line(n)).collect() } else { images.clone() };
        for shape in shapes {
            for levels in 0..=transform.most_levels(shape).unwrap() {
                for boundary in &[Boundary::Symmetric, Boundary::Periodic][..1 + has(Parameter::Boundary)] {
                    for packet_order in &[PacketOrder::Natural, PacketOrder::Frequency][..1 + has(Parameter::PacketOrder)] {
                        let (boundary, packet_order) = (*boundary, *packet_order);
                        let parameters = Parameters { levels: Some(levels), boundary, packet_order, ..Parameters::default() };
                        let back = Parameters { direction: Direction::Inverse, ..parameters };
                        for (name, build) in transform.algorithms.iter().filter_map(|a| Some((a.name, Algorithm::plan_fn(a)?))) {
                            let (Ok(forward), Ok(inverse)) = (build(shape, parameters), build(shape, back)) else { continue };
                            let name = format!("{} {name} {shape:?} {levels} {boundary:?} {packet_order:?}", transform.name);
                            visit(&name, &forward, &inverse);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn every_level_is_undone_exactly() {
    let lines = [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 16, 31, 37, 64, 96, 101, 1001];
    let images = [(1, 1), (1, 2), (2, 1), (1, 9), (9, 1), (2, 2), (3, 3), (3, 5), (5, 2), (37, 53), (16, 16), (24, 40)];
    let mut n_checked = 0;
    every_plan(&lines, &images, |name, forward, inverse| {
        let input = noise(forward.inputs);
        let error = relative_error(&inverse.run(&forward.run(&input)), &input);
        assert!(error < 1e-13, "{name}: {error:e}");
        assert_eq!((forward.unwritten(), inverse.unwritten()), (None, None), "{name}");
        n_checked += 1;
    });
    assert!(n_checked > 150, "only {n_checked} plans");
}

#[test]
fn every_level_runs_on_the_gpu_and_on_the_cpu() {
    let mut grid = Grid::new();
    every_plan(&[2, 3, 5, 37, 256, 1001], &[(3, 1), (5, 7), (37, 53), (64, 48)], |name, forward, inverse| {
        for (plan, direction) in [(forward, "forward"), (inverse, "inverse")] {
            let input = noise(plan.inputs);
            let expected = plan.run(&input);
            let bound = 1e-6 * (plan.lanes as f64).log2().max(1.0);
            let limits = device().limits();
            let tiled = Schedule::tiled(plan, lower::tile_lanes(plan.ring, limits));
            let schedules = [
                (Schedule::by_stage(plan), KernelChoice::Generic),
                (tiled, KernelChoice::Generic),
                (fastest(plan, limits), KernelChoice::Fast),
            ];
            for (schedule, kernels) in schedules {
                assert_eq!(schedule.check(plan), Ok(()), "{name} {direction}");
                if !grid.takes(plan, &schedule, limits, kernels) {
                    continue;
                }
                let prepared = device().prepare_with(plan, &schedule, kernels).unwrap();
                prepared.upload(&single(&input), &GO).unwrap();
                prepared.spoil().unwrap();
                prepared.run(&GO).unwrap();
                let result: Vec<Complex64> = prepared.download(&GO).unwrap().iter().map(|x| Complex64::new(x.re.into(), 0.0)).collect();
                let error = relative_error(&result, &expected);
                assert!(error < bound, "{name} {direction} {kernels:?}: {error:e}");
            }
            for way in [CpuBackend::ByStage(LoopOrder::Strided), CpuBackend::Parallel] {
                let (result, _) = cpu::run(plan, &cpu::fast_schedule(plan), &input, way, &GO).unwrap();
                assert!(relative_error(&result, &expected) < 1e-14, "{name} {direction} {way:?}");
            }
        }
    });
}

#[test]
fn lifting_never_reads_what_the_same_step_writes() {
    every_plan(&[2, 3, 5, 8, 37], &[(3, 5), (8, 6)], |name, forward, inverse| {
        for plan in [forward, inverse].into_iter().filter(|plan| plan.stages.iter().any(|stage| stage.write.pyramid.is_some())) {
            // A transposition between rows and columns moves data, and is not a step of lifting.
            let steps = plan.stages.iter().filter(|stage| stage.write.pyramid.is_none() && stage.label != "transpose");
            steps.for_each(|stage| assert!(stage.in_place(), "{name}, {}", stage.label));
        }
    });
}

fn run(name: &str, shape: Shape, parameters: Parameters, input: &[f64]) -> Vec<f64> {
    let plan = transform(name).unwrap().first_plan().plan_fn().unwrap()(shape, parameters).unwrap();
    let input: Vec<Complex64> = input.iter().map(|&x| x.into()).collect();
    plan.output.natural(&plan.run(&input)).iter().map(|value| value.re).collect()
}

#[test]
fn constants_stay_in_the_low_half() {
    // A level multiplies them by √2, for every boundary extension and length.
    for (name, boundary) in
        ["cdf97", "d2"].into_iter().flat_map(|name| [Boundary::Symmetric, Boundary::Periodic].map(|border| (name, border)))
    {
        for n in [2, 3, 5, 16, 37, 1001] {
            let parameters = Parameters { levels: Some(1), boundary, ..Parameters::default() };
            for (k, value) in run("cdf97", Shape::line(n), parameters, &vec![1.0; n]).iter().enumerate() {
                let expected = if k < n.div_ceil(2) { 2_f64.sqrt() } else { 0.0 };
                assert!((value - expected).abs() < 1e-12, "{name} of {n} {boundary:?}: {k} holds {value}");
            }
        }
    }
}

#[test]
fn the_wavelet_of_haar_is_the_orthonormal_transform_of_haar() {
    // At all levels, as the transform of spectral logic has no fewer.
    for n in [1, 2, 4, 64] {
        let input: Vec<f64> = noise(n).iter().map(|value| value.re).collect();
        let normalized = Parameters { normalized: true, ..Parameters::default() };
        let levels = Parameters { levels: Some(n.ilog2() as usize), ..Parameters::default() };
        for (a, b) in run("d2", Shape::line(n), levels, &input).iter().zip(run("haar", Shape::line(n), normalized, &input)) {
            assert!((a - b).abs() < 1e-14, "{n}: {a} and {b}");
        }
    }
    // Lengths are kept, whatever the number of levels.
    for levels in 0..5 {
        let input: Vec<f64> = noise(48).iter().map(|value| value.re).collect();
        let squares = |values: &[f64]| values.iter().map(|x| x * x).sum::<f64>();
        let coefs = run("d2", Shape::line(48), Parameters { levels: Some(levels), ..Parameters::default() }, &input);
        assert!((squares(&coefs) - squares(&input)).abs() < 1e-12, "{levels} levels");
    }
}

#[test]
fn more_levels_than_there_are_are_refused_in_one_line() {
    for (name, shape, most) in [("cdf97", Shape::line(5), 3), ("cdf97", Shape::line(1), 0), ("cdf97", Shape::line(1024), 10)] {
        let build = transform(name).unwrap().first_plan().plan_fn().unwrap();
        let of = |levels| build(shape, Parameters { levels: Some(levels), ..Parameters::default() });
        assert!(of(most).is_ok());
        let error = of(most + 1).unwrap_err();
        assert_eq!(error.remedies(), [Remedy::Levels(most)]);
        assert!(!error.to_string().contains('\n'), "{error}");
    }
}

#[test]
fn a_thread_for_every_sample_idles_at_those_that_stay() {
    for (name, algorithm, n) in [("cdf97", "direct", 1001), ("d4", "lifting", 2048)] {
        let build = transform(name).and_then(|transform| transform.algorithm(algorithm)).unwrap().plan_fn().unwrap();
        let plan = build(Shape::line(n), Parameters { levels: Some(3), ..Parameters::default() }).unwrap();
        let input = single(&noise(n));
        let run = |schedule: &Schedule| {
            assert_eq!(schedule.check(&plan), Ok(()));
            let prepared = device().prepare_with(&plan, schedule, KernelChoice::Fast).unwrap();
            prepared.upload(&input, &GO).unwrap();
            prepared.spoil().unwrap();
            prepared.run(&GO).unwrap();
            prepared.download(&GO).unwrap()
        };
        let expected = run(&Schedule::by_stage(&plan));
        let schedules = [ThreadsPerSample::Half, ThreadsPerSample::One].map(|threads| Schedule::by_stage_of(&plan, threads));
        let [half, one] =
            schedules.each_ref().map(|schedule| lower::lower(&plan, schedule, device().limits(), KernelChoice::Fast).unwrap());
        for (index, (half, one)) in half.commands.iter().zip(&one.commands).enumerate() {
            // A launch that changes every sample, as the permutation does, has no idle threads.
            let idles = matches!(schedules[1].launches[index].tile, Tile::Samples(_));
            assert_eq!(one.kernel.text().contains("sample % 2u"), idles, "{name}, stage {index}");
            if idles {
                let groups = [1, 2].map(|threads: usize| (threads * plan.stages[index].n_butterflies()).div_ceil(256) as u32);
                assert_eq!([half.groups[0], one.groups[0]], groups, "{name}, stage {index}");
            }
        }
        for schedule in &schedules {
            assert_eq!(run(schedule), expected, "{name}");
        }
    }
}

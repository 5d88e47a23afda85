//! Real samples and half their spectrum: definitions, libraries, CPU, GPU and the inverse agree.

use crate::common::{GO, Grid, device, relative_error, single, wide};
use num_complex::{Complex, Complex64};
use papillon::cpu::{self, CpuBackend, Float, LoopOrder};
use papillon::gpu::{Kernel, KernelChoice, fastest, lower};
use papillon::graph::{DrawnEdge, GraphFormat, GraphOptions, GraphRequest, export, layout};
use papillon::plan::{Direction, Plan};
use papillon::schedule::Schedule;
use papillon::transforms::{Parameters, Shape, Transform, transform};
use realfft::RealFftPlanner;
use serde_json::Value;
use std::collections::HashSet;

/// Lengths of rows, even and odd, with small primes and large ones.
const LENGTHS: [usize; 17] = [1, 2, 3, 4, 5, 6, 7, 10, 15, 16, 34, 100, 101, 1000, 4096, 8192, 1 << 16];
/// Rows × columns.
const PICTURES: [(usize, usize); 9] = [(1, 8), (8, 1), (2, 2), (3, 5), (17, 6), (37, 53), (64, 48), (37, 64), (303, 384)];

/// Numbers that are exact in single precision.
fn noise(n: usize) -> Vec<f64> {
    crate::common::noise(n).into_iter().map(f64::from).collect()
}

/// Every plan for `samples` real samples, from them (forward) or back to them.
fn plans(transform: &'static Transform, samples: Shape, direction: Direction) -> Vec<(&'static str, Plan)> {
    let columns = (direction == Direction::Inverse).then_some(samples.columns);
    let parameters = Parameters { direction, columns, ..Parameters::default() };
    let half = Shape { columns: samples.columns / 2 + 1, ..samples };
    let shape = if direction == Direction::Inverse { half } else { samples };
    let planned = transform.algorithms.iter().filter_map(|algorithm| Some((algorithm.name, algorithm.plan_fn()?)));
    planned.map(|(name, build)| (name, build(shape, parameters).unwrap())).collect()
}

/// Samples in the lanes of a plan: two in each, or one.
fn packed(samples: &[f64], lanes: usize) -> Vec<Complex64> {
    match lanes == samples.len() {
        true => samples.iter().map(|&x| x.into()).collect(),
        false => samples.chunks(2).map(|pair| Complex64::new(pair[0], pair[1])).collect(),
    }
}

fn unpacked(lanes: &[Complex64], n: usize) -> Vec<f64> {
    match lanes.len() == n {
        true => lanes.iter().map(|lane| lane.re).collect(),
        false => lanes.iter().flat_map(|lane| [lane.re, lane.im]).collect(),
    }
}

fn real_error(result: &[f64], expected: &[f64]) -> f64 {
    let complex = |values: &[f64]| values.iter().map(|&x| x.into()).collect::<Vec<Complex64>>();
    relative_error(&complex(result), &complex(expected))
}

/// The bound in single precision, with a margin for the rounding of very short transforms.
fn single_bound(n: usize) -> f64 {
    3e-8 * (n as f64).log2().max(8.0)
}

/// Half the spectrum by libraries, in double precision.
fn expected(samples: &[f64], shape: Shape, both: bool) -> Vec<Complex64> {
    let plan = RealFftPlanner::<f64>::new().plan_fft_forward(shape.columns);
    let mut half: Vec<Complex64> = Vec::new();
    for row in samples.chunks(shape.columns) {
        let (mut input, mut output) = (row.to_vec(), plan.make_output_vec());
        plan.process(&mut input, &mut output).unwrap();
        half.extend(output);
    }
    if both {
        let (columns, down) = (shape.columns / 2 + 1, rustfft::FftPlanner::new().plan_fft_forward(shape.rows));
        for column in 0..columns {
            let mut line: Vec<_> = (0..shape.rows).map(|row| half[row * columns + column]).collect();
            down.process(&mut line);
            line.into_iter().enumerate().for_each(|(row, value)| half[row * columns + column] = value);
        }
    }
    half
}

fn on_cpu<T: Float>(plan: &Plan, schedule: &Schedule, way: CpuBackend, input: &[Complex<T>]) -> Vec<Complex<T>>
where
    Complex<T>: cpu::CompiledLane,
{
    cpu::run(plan, schedule, input, way, &GO).unwrap().0
}

fn on_gpu(plan: &Plan, schedule: &Schedule, kernels: KernelChoice, input: &[Complex64]) -> Vec<Complex64> {
    let prepared = device().prepare_with(plan, schedule, kernels).unwrap();
    prepared.upload(&single(input), &GO).unwrap();
    prepared.spoil().unwrap();
    prepared.run(&GO).unwrap();
    wide(&prepared.download(&GO).unwrap())
}

/// Checks every way to run a plan against the expected result.
fn check(grid: &mut Grid, name: &str, plan: &Plan, input: &[Complex64], found: impl Fn(&[Complex64]) -> f64) {
    let bound = single_bound(plan.inputs.max(plan.outputs));
    for schedule in [Schedule::by_stage(plan), Schedule::tiled(plan, 64)] {
        for way in [CpuBackend::ByStage(LoopOrder::Strided), CpuBackend::Parallel] {
            let error = found(&on_cpu(plan, &schedule, way, input));
            assert!(error < 2e-15, "{name}: {error:e} in double precision, {way:?}");
            let error = found(&wide(&on_cpu(plan, &schedule, way, &single(input))));
            assert!(error < bound, "{name}: {error:e} in single precision, {way:?}");
        }
    }
    let limits = device().limits();
    for (schedule, kernels) in [(fastest(plan, limits), KernelChoice::Fast), (Schedule::by_stage(plan), KernelChoice::Generic)] {
        if grid.takes(plan, &schedule, limits, kernels) {
            let error = found(&on_gpu(plan, &schedule, kernels, input));
            assert!(error < bound, "{name}: {error:e} on the GPU, {kernels:?}");
        }
    }
}

fn check_both_directions(grid: &mut Grid, transform_name: &str, shape: Shape) {
    let transform = transform(transform_name).unwrap();
    let samples = noise(shape.len());
    let half = expected(&samples, shape, transform_name == "rdft2");
    for (algorithm, plan) in plans(transform, shape, Direction::Forward) {
        let name = format!("{transform_name} {algorithm} of {shape:?}");
        let input = packed(&samples, plan.inputs);
        assert_eq!((plan.outputs, plan.unwritten()), (half.len(), None), "{name}");
        check(grid, &name, &plan, &input, |result| relative_error(result, &half));
    }
    for (algorithm, plan) in plans(transform, shape, Direction::Inverse) {
        let name = format!("{transform_name} {algorithm} back to {shape:?}");
        assert_eq!((plan.inputs, plan.unwritten()), (half.len(), None), "{name}");
        check(grid, &name, &plan, &half, |result| real_error(&unpacked(result, samples.len()), &samples));
    }
}

#[test]
fn rows_of_every_length_equal_the_library() {
    let mut grid = Grid::new();
    for n in LENGTHS {
        check_both_directions(&mut grid, "rdft", Shape::line(n));
    }
}

#[test]
fn batches_equal_the_library() {
    let mut grid = Grid::new();
    for (rows, columns) in [(3, 1), (3, 2), (5, 16), (2, 34), (7, 15), (9, 100), (3, 512), (2, 8192)] {
        check_both_directions(&mut grid, "rdft", Shape { rows, columns });
    }
}

#[test]
fn images_of_any_size_equal_the_library() {
    let mut grid = Grid::new();
    for (rows, columns) in PICTURES {
        check_both_directions(&mut grid, "rdft2", Shape { rows, columns });
    }
}

/// The map over the real numbers, on every unit and every unit times i, is that of the definition.
#[test]
fn plans_equal_the_definition() {
    for (name, shapes) in [
        ("rdft", vec![(1, 1), (1, 2), (1, 3), (1, 6), (1, 9), (1, 12), (1, 16), (1, 34)]),
        ("rdft2", vec![(1, 4), (3, 1), (2, 2), (3, 4), (4, 6), (2, 5), (17, 4)]),
    ] {
        let transform = transform(name).unwrap();
        for (rows, columns) in shapes {
            let shape = Shape { rows, columns };
            let matrix = transform.definition.unwrap()(shape, Parameters::default());
            for (algorithm, plan) in plans(transform, shape, Direction::Forward) {
                for sample in 0..shape.len() {
                    let unit: Vec<f64> = (0..shape.len()).map(|i| f64::from(u8::from(i == sample))).collect();
                    let result = plan.output.natural(&plan.run(&packed(&unit, plan.inputs)));
                    let column: Vec<Complex64> = matrix.iter().map(|row| row[sample]).collect();
                    assert!(relative_error(&result, &column) < 1e-14, "{name} {algorithm} {shape:?}, sample {sample}");
                }
            }
            let parameters = Parameters { direction: Direction::Inverse, columns: Some(columns), ..Parameters::default() };
            let half = Shape { columns: columns / 2 + 1, ..shape };
            let matrix = transform.definition.unwrap()(half, parameters);
            for (algorithm, plan) in plans(transform, shape, Direction::Inverse) {
                for index in 0..half.len() {
                    // A frequency that is its own opposite along the rows has real values, or in an image a conjugate in its column.
                    let is_own = index % half.columns == 0 || 2 * (index % half.columns) == columns;
                    let opposite = (rows - index / half.columns) % rows * half.columns + index % half.columns;
                    for weight in [Complex64::new(1.0, 0.0), Complex64::new(0.0, 1.0)] {
                        let mut unit = vec![Complex64::default(); half.len()];
                        unit[index] += weight;
                        if is_own {
                            unit[opposite] += weight.conj();
                        }
                        let result = unpacked(&plan.run(&unit), shape.len());
                        for (row, found) in matrix.iter().zip(&result) {
                            let sum: Complex64 = row.iter().zip(&unit).map(|(weight, x)| weight * x).sum();
                            assert!((sum.re - found).abs() < 1e-14, "{name} {algorithm} {shape:?}, value {index}");
                        }
                    }
                }
            }
        }
    }
}

/// The value of every result as a reader of the file computes it, stage after stage.
fn run_file(file: &Value, input: &[Complex64]) -> Vec<Complex64> {
    let lane = |value: &Value| value.as_u64().unwrap() as usize;
    let mut lanes = input.to_vec();
    lanes.resize(lane(&file["lanes"]), Complex64::default());
    for stage in file["stages"].as_array().unwrap() {
        let before = lanes.clone();
        let edges = stage["edges"].as_array().unwrap();
        edges.iter().for_each(|edge| lanes[lane(&edge["to"])] = Complex64::default());
        for edge in edges {
            let (from, weight) = (before[lane(&edge["from"])], Complex64::new(edge["re"].as_f64().unwrap(), edge["im"].as_f64().unwrap()));
            lanes[lane(&edge["to"])] += weight * if edge["conjugated"] == true { from.conj() } else { from };
        }
    }
    lanes.truncate(file["outputs"].as_array().unwrap().len());
    lanes
}

#[test]
fn the_file_of_the_drawing_says_what_is_conjugated() {
    for (name, rows, columns) in [("rdft", 1, 16), ("rdft", 1, 9), ("rdft2", 4, 6)] {
        for direction in [Direction::Forward, Direction::Inverse] {
            let shape = Shape { rows, columns };
            for (algorithm, plan) in plans(transform(name).unwrap(), shape, direction) {
                let half = expected(&noise(shape.len()), shape, name == "rdft2");
                let input = if direction == Direction::Inverse { half } else { packed(&noise(shape.len()), plan.inputs) };
                let request = GraphRequest { schedule: Schedule::tiled(&plan, 64), plan: plan.clone(), options: GraphOptions::default() };
                let file: Value = serde_json::from_slice(&export(GraphFormat::Json, &request, None).unwrap()).unwrap();
                assert!(
                    file["stages"].as_array().unwrap().iter().any(|stage| stage["operation"] == "hermitian") || columns == 9,
                    "{algorithm}"
                );
                assert!(relative_error(&run_file(&file, &input), &plan.run(&input)) < 1e-14, "{name} {algorithm} {direction:?}");
                let drawing = layout(request);
                let says = |line: &DrawnEdge| line.text().contains("conj") == line.conjugated;
                assert!(drawing.edges.iter().all(says));
            }
        }
    }
}

#[test]
fn half_a_spectrum_takes_no_pass_of_its_own() {
    let limits = device().limits();
    let kernels = |name: &str, shape: Shape, direction| {
        let (_, plan) = plans(transform(name).unwrap(), shape, direction).remove(0);
        let lowered = lower::lower(&plan, &fastest(&plan, limits), limits, KernelChoice::Fast).unwrap();
        lowered.commands.into_iter().map(|command| command.kernel).collect::<Vec<_>>()
    };
    let has_half = |kernel: &Kernel| kernel.family == "fft" && !kernel.data["half"].is_null();
    let image = Shape { rows: 512, columns: 4096 };
    let found = kernels("rdft2", image, Direction::Forward);
    assert!(matches!(&found[..], [rows, down] if has_half(rows) && down.family == "fft" && down.in_place), "{found:?}");
    let found = kernels("rdft2", image, Direction::Inverse);
    assert!(matches!(&found[..], [down, rows] if down.family == "fft" && has_half(rows)), "{found:?}");
    for direction in [Direction::Forward, Direction::Inverse] {
        for columns in [4, 6, 10, 100, 512, 4096, 8192] {
            let found = kernels("rdft", Shape { rows: 5, columns }, direction);
            assert!(matches!(&found[..], [rows] if has_half(rows)), "{columns}: {found:?}");
        }
    }
}

/// Values k and −k of long rows are in different lines, which a workgroup takes together.
#[test]
fn half_a_spectrum_of_long_rows_takes_no_launch_of_its_own_either() {
    let (limits, transform) = (device().limits(), transform("rdft").unwrap());
    // Rows of several, of few and of many lines; stages of radix 16 and others; exchanges in one round and in several.
    let rows = [(1, 1 << 15), (3, 1 << 15), (2, 3 << 14), (1, 5 << 14), (1, 1 << 17), (1, 200_000), (1, 1 << 22)];
    let mut rounds = HashSet::new();
    for (rows, columns) in rows {
        let samples = Shape { rows, columns };
        let input = noise(samples.len());
        let half = expected(&input, samples, false);
        for direction in [Direction::Forward, Direction::Inverse] {
            let (_, plan) = plans(transform, samples, direction).remove(0);
            let schedule = fastest(&plan, limits);
            let what = format!("{samples:?} {direction:?}");
            if plan.lanes <= 1 << 16 {
                assert_eq!(schedule.check(&plan), Ok(()), "{what}");
            }
            let kernels: Vec<Kernel> = lower::lower(&plan, &schedule, limits, KernelChoice::Fast)
                .unwrap()
                .commands
                .into_iter()
                .map(|command| command.kernel)
                .collect();
            let mirrored: Vec<&Kernel> = kernels.iter().filter(|kernel| kernel.data["mirrors"] == true).collect();
            assert!(matches!(&mirrored[..], [_]) && kernels.iter().all(|kernel| kernel.family == "fft"), "{what}: {schedule:?}");
            rounds.extend(mirrored[0].data["rounds"].as_u64());
            let error = match direction {
                Direction::Forward => relative_error(&on_gpu(&plan, &schedule, KernelChoice::Fast, &packed(&input, plan.inputs)), &half),
                Direction::Inverse => real_error(&unpacked(&on_gpu(&plan, &schedule, KernelChoice::Fast, &half), input.len()), &input),
            };
            assert!(error < single_bound(samples.len()), "{what}: {error:e}");
        }
    }
    assert!(rounds.len() > 1, "only exchanges in {rounds:?} rounds");
}

#[test]
fn half_a_spectrum_is_half_the_lanes() {
    let transform = transform("rdft2").unwrap();
    let (_, plan) = plans(transform, Shape { rows: 64, columns: 128 }, Direction::Forward).remove(0);
    assert_eq!((plan.inputs, plan.lanes, plan.outputs), (64 * 64, 64 * 65, 64 * 65));
    // Along rows of 64 lanes, apart, down columns of 64: no image is transposed, nothing is copied.
    assert!(plan.stages.iter().all(|stage| stage.label != "transpose"));
    assert!((0..plan.stages.len()).all(|stage| !plan.carries(stage)));
}

#[test]
fn a_spectrum_of_another_length_is_refused_in_one_line() {
    let parameters = Parameters { direction: Direction::Inverse, columns: Some(9), ..Parameters::default() };
    let build = transform("rdft").unwrap().first_plan().plan_fn().unwrap();
    let told = build(Shape::line(7), parameters).unwrap_err().to_string();
    assert!(told.contains("9 real samples has 5 values") && told.contains("7 are given") && !told.contains('\n'), "{told}");
}

//! Columns as lines: a batch is transformed along either axis, by strides alone, on every device and in every way.

use num_complex::Complex64;
use papillon::cpu::{self, CpuBackend};
use papillon::engine::{Cut, DeviceChoice, Devices, Job, compute};
use papillon::plan::{Direction, Extension, Operation, Plan};
use papillon::schedule::Schedule;
use papillon::signal::{Channel, ChannelChoice, Samples, Signal, SignalKind};
use papillon::transforms::{
    Algorithm, BatchAxis, Family, Numbers, Parameter, Parameters, RowOrder, Shape, Transform, linear_transforms, transform,
};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

static GO_ON: AtomicBool = AtomicBool::new(false);

/// Every transform that takes columns, with what else it lets choose.
fn cases() -> Vec<(&'static Transform, Parameters)> {
    // Residues have columns in ntt.rs.
    let takers = linear_transforms().filter(|transform| transform.has(Parameter::Lines) && transform.takes != Numbers::Residues);
    let with = |transform: &'static Transform| {
        let columns = Parameters { lines: BatchAxis::Columns, ..Parameters::default() };
        let mut all = vec![columns];
        if transform.has_inverse {
            all.push(Parameters { direction: Direction::Inverse, ..columns });
        }
        if transform.has(Parameter::Order) {
            all.extend([RowOrder::Sequency, RowOrder::Dyadic].map(|order| Parameters { order, ..columns }));
        }
        if transform.has(Parameter::Normalized) {
            all.push(Parameters { normalized: true, ..columns });
        }
        all.into_iter().map(move |parameters| (transform, parameters))
    };
    takers.flat_map(with).collect()
}

/// The algorithms that have a plan down columns of this shape.
fn plans(transform: &'static Transform, shape: Shape, parameters: Parameters) -> Vec<(&'static Algorithm, Plan)> {
    let planned = |algorithm: &'static Algorithm| Some((algorithm, algorithm.plan_fn()?(shape, parameters).ok()?));
    transform.algorithms.iter().filter_map(planned).collect()
}

/// Whether a plan has a matrix, which half a spectrum of real samples has not.
fn has_matrix(plan: &Plan) -> bool {
    plan.stages.iter().all(|stage| matches!(stage.operation, Operation::Linear(_) | Operation::TwiddledTaps(_) | Operation::Direct(_)))
}

fn noise(n: usize) -> Vec<Complex64> {
    (0..n as i64).map(|i| Complex64::new(((i * i * 31 + 7 * i) % 19 - 9) as f64, ((i * 13) % 11 - 5) as f64)).collect()
}

/// Every column on its own, by the matrix of the definition.
fn by_definition(transform: &Transform, shape: Shape, parameters: Parameters, input: &[Complex64]) -> Vec<Complex64> {
    let rows = Parameters { lines: BatchAxis::Rows, ..parameters };
    let matrix = transform.definition.unwrap()(Shape::line(shape.rows), rows);
    let width = shape.columns;
    let value = |row: &[Complex64], column: usize| row.iter().enumerate().map(|(k, weight)| weight * input[k * width + column]).sum();
    matrix.iter().flat_map(|row| (0..width).map(move |column| value(row, column))).collect()
}

fn distance(found: &[Complex64], expected: &[Complex64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let norm: f64 = expected.iter().map(|value| value.norm_sqr()).sum::<f64>().max(f64::MIN_POSITIVE);
    (found.iter().zip(expected).map(|(a, b)| (a - b).norm_sqr()).sum::<f64>() / norm).sqrt()
}

#[test]
fn every_plan_down_columns_equals_the_definition() {
    let mut n_plans = 0;
    for (transform, parameters) in cases().into_iter().filter(|(transform, _)| transform.gives != Numbers::HalfSpectrum) {
        for shape in [[1, 3], [2, 1], [2, 5], [8, 3], [16, 4], [12, 5], [15, 2], [37, 3]].map(|[rows, columns]| Shape { rows, columns }) {
            let takes = shape.rows.is_power_of_two() || transform.name == "dft";
            if !takes {
                continue;
            }
            let plans = plans(transform, shape, parameters);
            let binary = transform.takes == Numbers::Bits;
            let reduced = |value: Complex64| if binary { Complex64::from(value.re.rem_euclid(2.0)) } else { value };
            let input: Vec<_> = noise(shape.len()).into_iter().map(reduced).collect();
            let expected: Vec<_> = by_definition(transform, shape, parameters, &input).into_iter().map(reduced).collect();
            for (algorithm, plan) in &plans {
                let what = format!("{} by {} of {shape:?}, {parameters:?}", transform.name, algorithm.name);
                assert!(plan.unwritten().is_none() && plan.output.is_natural(), "{what}");
                assert!(distance(&plan.run(&input), &expected) < 1e-12, "{what}");
                n_plans += 1;
            }
            assert!(!plans.is_empty(), "{} has no plan down {shape:?}", transform.name);
        }
    }
    assert!(n_plans > 200, "{n_plans} plans");
}

#[test]
fn nothing_is_transposed_and_columns_of_a_picture_are_one_run_of_the_fast_kernel() {
    let shape = Shape { rows: 64, columns: 48 };
    let columns = Parameters { lines: BatchAxis::Columns, ..Parameters::default() };
    let plan = |name: &str, algorithm: &str| transform(name).unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap()(shape, columns);
    let down = plan("dft", "stockham").unwrap();
    let both = transform("dft2").unwrap().algorithm("stockham").unwrap().plan_fn().unwrap()(shape, Parameters::default()).unwrap();
    let of_rows = both.stages.len() - down.stages.len();
    assert_eq!(down.stages[..], both.stages[of_rows..], "the columns of an image are transformed by the same stages");
    assert!(down.stages.iter().all(|stage| !stage.label.contains("transpose") && stage.read.extension == Extension::None));
    // A step of a digit of the index is one of a higher digit, so that its kernel serves.
    let width = Shape { rows: 64, columns: 32 };
    let walsh = transform("walsh").unwrap().first_plan().plan_fn().unwrap();
    let (down, long) = (walsh(width, columns).unwrap(), walsh(Shape::line(width.len()), Parameters::default()).unwrap());
    assert!(
        down.stages
            .iter()
            .zip(&long.stages)
            .all(|(a, b)| (a.outer, a.positions, a.read, a.write) == (b.outer, b.positions, b.read, b.write))
    );
    let told = plan("dft", "cooley-tukey").unwrap_err().to_string();
    assert!(told.contains("down columns") && !told.contains('\n'), "{told}");
}

#[test]
fn every_way_on_the_cpu_runs_them() {
    let shape = Shape { rows: 16, columns: 5 };
    for (transform, parameters) in cases() {
        for (algorithm, plan) in plans(transform, shape, parameters) {
            let input = noise(plan.inputs);
            let expected = plan.run(&input);
            for schedule in [Schedule::by_stage(&plan), Schedule::tiled(&plan, 16), cpu::fast_schedule(&plan)] {
                schedule.check(&plan).unwrap();
                for way in CpuBackend::ALL {
                    // Over the integers and modulo 2 the engine runs them, below.
                    if plan.ring == papillon::plan::Ring::Complex {
                        let found = cpu::run(&plan, &schedule, &input, way, &GO_ON).unwrap().0;
                        assert!(distance(&found, &expected) < 1e-12, "{} by {}, {way:?}", transform.name, algorithm.name);
                    }
                }
            }
        }
    }
}

/// The rows of a transposed image, transformed and transposed again.
fn turned(values: &[Complex64], shape: Shape) -> Vec<Complex64> {
    (0..shape.len()).map(|index| values[index % shape.rows * shape.columns + index / shape.rows]).collect()
}

/// How the engine is asked: parameters, algorithm, cut and device.
type Asked = (Parameters, Option<&'static str>, Cut, DeviceChoice);

/// The engine's result for an array, and its shape.
fn computed(
    transform: &Transform,
    (values, shape): (&[Complex64], Shape),
    (parameters, algorithm, cut, device): Asked,
    devices: &mut Devices,
) -> (Vec<Complex64>, Shape) {
    let is_real = transform.gives == Numbers::HalfSpectrum && parameters.direction == Direction::Forward;
    let samples = match transform.family {
        Family::Fourier if is_real => Samples::F64(values.iter().map(|value| value.re).collect()),
        Family::Fourier => Samples::Complex64(values.to_vec()),
        _ => Samples::I32(values.iter().map(|value| value.re as i32).collect()),
    };
    let channel = Channel::new("value", samples);
    let signal = Arc::new(Signal::from_channels("array", SignalKind::Rows, (shape.rows, shape.columns), vec![channel]));
    let (channel, transform) = (ChannelChoice::Luma, transform.name);
    let job = Job {
        signal,
        second: None,
        channel,
        transform,
        algorithm,
        parameters,
        cut,
        device,
        precision: None,
        preparation: Default::default(),
        prefer_plan: true,
    };
    let computed = compute(&job, devices, &GO_ON).unwrap();
    let shape = computed.outcome.shape;
    let values = match &computed.into_samples(&GO_ON).unwrap() {
        Samples::Complex32(values) => values.iter().map(|value| Complex64::new(value.re.into(), value.im.into())).collect(),
        Samples::Complex64(values) => values.clone(),
        real => real.to_f64().into_iter().map(Complex64::from).collect(),
    };
    (values, shape)
}

/// Noise of the kind that a transform takes.
fn taken(transform: &Transform, direction: Direction, shape: Shape) -> Vec<Complex64> {
    // Half a spectrum begins and ends with real values; what has none is not taken.
    let is_real = |index: usize| match (transform.family, transform.gives == Numbers::HalfSpectrum, direction) {
        (Family::Fourier, false, _) => false,
        (Family::Fourier, true, Direction::Inverse) => [0, shape.rows - 1].contains(&(index / shape.columns)),
        _ => true,
    };
    noise(shape.len()).into_iter().enumerate().map(|(index, value)| if is_real(index) { value.re.into() } else { value }).collect()
}

#[test]
fn every_device_gives_what_rows_of_the_transposed_array_give() {
    let mut devices = Devices::default();
    for (transform, parameters) in cases() {
        for shape in [[8, 5], [64, 32], [256, 20], [30, 7]].map(|[rows, columns]| Shape { rows, columns }) {
            let takes_every_length = transform.family == Family::Fourier && transform.name != "dft-printed";
            if !shape.rows.is_power_of_two() && !takes_every_length {
                continue;
            }
            let values = taken(transform, parameters.direction, shape);
            let rows = Parameters { lines: BatchAxis::Rows, ..parameters };
            let on_rows = (rows, None, Cut::Tiles, DeviceChoice::CpuParallel);
            let (expected, across) = computed(transform, (&turned(&values, shape), shape.transposed()), on_rows, &mut devices);
            let expected = turned(&expected, across);
            let named = plans(transform, shape, parameters).into_iter().map(|(algorithm, _)| Some(algorithm.name));
            for algorithm in named.chain([None]) {
                for (device, cut) in [
                    (DeviceChoice::Cpu, Cut::Tiles),
                    (DeviceChoice::CpuStrided, Cut::Stages),
                    (DeviceChoice::CpuParallel, Cut::Tiles),
                    (DeviceChoice::Gpu, Cut::Tiles),
                    (DeviceChoice::Gpu, Cut::Stages),
                ] {
                    let asked = (parameters, algorithm, cut, device.clone());
                    let (found, found_shape) = computed(transform, (&values, shape), asked, &mut devices);
                    let what = format!("{} by {algorithm:?} of {shape:?} on {device}, {cut:?}, {parameters:?}", transform.name);
                    assert_eq!(found_shape, across.transposed(), "{what}");
                    let bound = if device == DeviceChoice::Gpu { 1e-6 * (shape.len() as f64).log2() } else { 1e-12 };
                    let error = distance(&found, &expected);
                    assert!(error <= bound, "{what}: {error:e}");
                }
            }
        }
    }
}

#[test]
fn half_a_spectrum_of_columns_is_that_of_the_whole_one() {
    let shape = Shape { rows: 12, columns: 5 };
    let columns = Parameters { lines: BatchAxis::Columns, ..Parameters::default() };
    let input: Vec<Complex64> = noise(shape.len()).into_iter().map(|value| value.re.into()).collect();
    let whole = by_definition(transform("dft").unwrap(), shape, columns, &input);
    for rows in [1, 2, 11, 12] {
        let shape = Shape { rows, ..shape };
        let input = &input[..shape.len()];
        let whole = if rows == 12 { whole.clone() } else { by_definition(transform("dft").unwrap(), shape, columns, input) };
        for (algorithm, plan) in plans(transform("rdft").unwrap(), shape, columns) {
            let half = (rows / 2 + 1) * shape.columns;
            assert!(distance(&plan.run(input), &whole[..half]) < 1e-12, "{} of {rows} rows", algorithm.name);
            assert!(has_matrix(&plan), "columns of real samples do not pair up");
            let back = Parameters { direction: Direction::Inverse, columns: Some(rows), ..columns };
            let spectrum = Shape { rows: rows / 2 + 1, ..shape };
            for (algorithm, plan) in plans(transform("rdft").unwrap(), spectrum, back) {
                assert!(distance(&plan.run(&whole[..half]), input) < 1e-12, "{} back to {rows} rows", algorithm.name);
            }
        }
    }
}

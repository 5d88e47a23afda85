//! Arrays larger than a binding: kernels see them in parts, and every result is what it is of whole ones.

use crate::common::{GO, complex_noise, device, single};
use num_complex::{Complex32, Complex64};
use papillon::display::{DisplayFrame, Look};
use papillon::gpu::{AdapterChoice, Device, GpuError, Prepared, fastest};
use papillon::plan::{Direction, Plan, ResultOrder, Ring};
use papillon::schedule::Schedule;
use papillon::transforms::{Axes, Parameters, Shape, TRANSFORMS, Transform, transform};
use std::f64::consts::TAU;

/// Shapes of which each transform takes one at least.
const SHAPES: [Shape; 2] = [Shape { rows: 1, columns: 1 << 13 }, Shape { rows: 96, columns: 64 }];

/// The same device as one whose bindings are too small for this number of bytes.
fn with_small_bindings(bytes: usize) -> Device {
    let small = device().with_bindings_of(1 << (bytes / 2).ilog2());
    assert!(small.most_array_bytes() >= bytes as u64, "an adapter with fewer arrays than this test needs");
    small
}

fn plan(transform: &Transform, shape: Shape, direction: Direction) -> Option<Plan> {
    let parameters = Parameters { direction, ..Parameters::default() };
    let plan = transform.first_plan_for(shape, parameters).plan_fn()?(shape, parameters).ok()?;
    Some(if plan.ring.is_exact_without_modulus() { plan.over(Ring::Real) } else { plan })
}

fn prepared(device: &Device, plan: &Plan) -> Prepared {
    let prepared = device.prepare(plan, &fastest(plan, device.limits())).unwrap();
    if plan.ring == Ring::Equation {
        let rows: Vec<[f64; 4]> =
            complex_noise(plan.inputs).into_iter().map(|noise| [noise.re, 4.0, noise.im, noise.re + noise.im]).collect();
        prepared.upload_rows(&rows, &GO).unwrap();
    } else if plan.ring == Ring::Complex {
        prepared.upload(&single(&complex_noise(plan.inputs)), &GO).unwrap();
    } else {
        let values: Vec<i64> = (0..plan.inputs as i64).map(|k| k * k % 251).collect();
        prepared.upload(&values, &GO).unwrap();
    }
    prepared.spoil().unwrap();
    prepared.run(&GO).unwrap();
    prepared
}

fn bytes(plan: &Plan) -> usize {
    plan.lanes * plan.ring.bytes_per_lane()
}

/// The largest difference between two results, beside their largest value. Both must be finite: what no launch writes is not a number.
fn difference(a: &[Complex64], b: &[Complex64]) -> f64 {
    assert_eq!(a.len(), b.len());
    assert!([a, b].into_iter().flatten().all(|value| value.is_finite()), "a lane holds no number");
    let largest = |values: &mut dyn Iterator<Item = Complex64>| values.map(Complex64::norm).fold(0.0, f64::max);
    largest(&mut a.iter().zip(b).map(|(a, b)| a - b)) / largest(&mut a.iter().copied()).max(f64::MIN_POSITIVE)
}

#[test]
fn every_transform_of_a_divided_array_is_that_of_a_whole_one() {
    let mut checked = Vec::new();
    for (transform, shape) in TRANSFORMS.iter().flat_map(|transform| SHAPES.map(|shape| (transform, shape))) {
        for direction in [Direction::Forward, Direction::Inverse] {
            let Some(plan) = plan(transform, shape, direction).filter(|_| !checked.contains(&(transform.name, direction))) else {
                continue;
            };
            let of = |device: &Device| prepared(device, &plan).download_double(0..plan.outputs, &GO).unwrap();
            let apart = difference(&of(device()), &of(&with_small_bindings(bytes(&plan))));
            assert!(apart < 1e-6, "{} of {shape:?}, {direction:?}: {apart:e}", transform.name);
            checked.push((transform.name, direction));
        }
    }
    assert!(checked.len() > TRANSFORMS.len(), "only {checked:?}");
}

#[test]
fn a_divided_array_goes_up_and_down_and_is_shown_as_a_whole_one() {
    let shape = Shape { rows: 96, columns: 64 };
    let plan = plan(transform("dft2").unwrap(), shape, Direction::Forward).unwrap();
    let small = with_small_bindings(bytes(&plan));
    let [whole, divided] = [device(), &small].map(|device| prepared(device, &plan));
    // Real numbers are expanded on the device, and a range of the result goes over the ends of parts.
    let real: Vec<f32> = (0..plan.inputs).map(|k| (k % 17) as f32 - 8.0).collect();
    for prepared in [&whole, &divided] {
        prepared.upload(&real, &GO).unwrap();
        prepared.run(&GO).unwrap();
    }
    let range = 1000..5000;
    let [a, b] = [&whole, &divided].map(|prepared| prepared.download_double(range.clone(), &GO).unwrap());
    assert!(difference(&a, &b) < 1e-6);
    let look = Look::default();
    let [[low, high], of_parts] = [&whole, &divided].map(|prepared| prepared.extremes(shape, &look).unwrap());
    assert!((low - of_parts[0]).abs() < 1e-3 && (high - of_parts[1]).abs() < 1e-3, "{low} {high} {of_parts:?}");
    let frame = DisplayFrame { width: 32, height: 48, ..DisplayFrame::whole(shape) };
    let [a, b] = [&whole, &divided].map(|prepared| prepared.image(shape, Axes::Both, &look, [low, high], frame).unwrap());
    let n_near = a.iter().zip(&b).filter(|(a, b)| a.abs_diff(**b) <= 1).count();
    assert!(n_near == a.len() && a.len() == 4 * 32 * 48, "{n_near} of {}", a.len());
}

/// A transform of one impulse at the last sample, which is known everywhere: its result is compared at both ends and around every GiB.
#[allow(clippy::print_stdout, reason = "speeds are for the person who runs this by hand")]
fn check_far_end(name: &str, shape: Shape, expected: impl Fn(usize) -> Complex64) {
    let device = Device::open(&AdapterChoice::Hardware).unwrap();
    let plan = plan(transform(name).unwrap(), shape, Direction::Forward).unwrap();
    let prepared = device.prepare(&plan, &fastest(&plan, device.limits())).unwrap();
    if plan.ring == Ring::Complex {
        let mut input = vec![Complex32::ZERO; plan.inputs];
        // Half a spectrum takes two real samples in a lane.
        *input.last_mut().unwrap() = if plan.inputs < shape.len() { Complex32::I } else { Complex32::ONE };
        prepared.upload(&input, &GO).unwrap();
    } else {
        let mut input = vec![0.0_f32; plan.inputs];
        *input.last_mut().unwrap() = 1.0;
        prepared.upload(&input, &GO).unwrap();
    }
    let times = prepared.run_repeated(12, &GO).unwrap();
    let micros = times[1..].iter().filter_map(|times| times.gpu_micros).fold(f64::INFINITY, f64::min);
    let (near, of_gib) = (1000, (1 << 30) / plan.ring.bytes_per_lane());
    for middle in (0..plan.outputs).step_by(of_gib).chain([plan.outputs]) {
        let range = middle.saturating_sub(near)..plan.outputs.min(middle + near);
        let found = prepared.download_double(range.clone(), &GO).unwrap();
        for (at, value) in range.zip(found) {
            assert!((value - expected(at)).norm() < 1e-4, "{name} of {shape:?}: {value} at {at}, where {} is right", expected(at));
        }
    }
    let launches: Vec<f64> = times[11].launch_micros.iter().flatten().map(|micros| (micros / 100.0).round() / 10.0).collect();
    println!("{name} of {shape:?}: {:.4} ns a value, launches of {launches:?} ms", 1e3 * micros / shape.len() as f64);
}

#[test]
#[ignore = "takes 50 GiB of a GPU's memory, 32 GiB of others, and minutes"]
fn the_far_end_of_the_largest_arrays_is_right() {
    let turn = |share: f64| Complex64::cis(TAU * share);
    for log in [26, 27, 28, 29, 30, 31] {
        check_far_end("dft", Shape::line(1 << log), |k| turn(k as f64 / (1_u64 << log) as f64));
        check_far_end("walsh", Shape::line(1 << log), |k| if k.count_ones() % 2 == 0 { Complex64::ONE } else { -Complex64::ONE });
    }
    for side in [1 << 13, 1 << 14, 1 << 15] {
        let of = |k: usize| turn((k / side) as f64 / side as f64 + (k % side) as f64 / side as f64);
        check_far_end("dft2", Shape { rows: side, columns: side }, of);
    }
    for (rows, columns) in [(1 << 13, 1 << 13), (1 << 16, 1 << 15)] {
        let half = columns / 2 + 1;
        let of = |k: usize| turn((k / half) as f64 / rows as f64 + (k % half) as f64 / columns as f64);
        check_far_end("rdft2", Shape { rows, columns }, of);
    }
}

#[test]
fn an_array_of_more_parts_than_a_kernel_takes_is_refused_with_its_size() {
    let small = device().with_bindings_of(256);
    let limit = small.most_array_bytes();
    let plan = Plan::new(Ring::Complex, limit as usize / 8 + 2, vec![], ResultOrder::Natural);
    let error = small.prepare(&plan, &Schedule { launches: vec![] }).err().unwrap();
    assert!(matches!(error, GpuError::TooLarge { needed, limit: most, .. } if needed == bytes(&plan) as u64 && most == limit), "{error}");
}

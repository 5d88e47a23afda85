//! Shared by the tests on the GPU: the device, input that is the same every time, and comparisons with double precision.
//!
//! Without an adapter these fail, and say what to install.

#![allow(dead_code, reason = "every test takes what it needs")]

use num_complex::{Complex, Complex32, Complex64};
use papillon::cpu::Float;
use papillon::gpu::{Device, KernelChoice};
use papillon::plan::Plan;
use papillon::schedule::Schedule;
use std::sync::atomic::AtomicBool;

mod devices;
mod grid;

pub(crate) use devices::{device, double_device};
pub(crate) use grid::Grid;

/// Nobody cancels a test.
pub(crate) static GO: AtomicBool = AtomicBool::new(false);

/// `n` words that look random and are the same every time.
pub(crate) fn words(n: usize) -> impl Iterator<Item = u64> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64 ^ n as u64;
    let next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    std::iter::repeat_with(next).take(n)
}

/// `n` numbers from −1 to 1 with all digits of double precision.
fn numbers(n: usize) -> impl Iterator<Item = f64> {
    words(n).map(|word| (word >> 11) as f64 / (1_u64 << 52) as f64 - 1.0)
}

/// Numbers of single precision; near zero they have the same number of digits as elsewhere.
pub(crate) fn noise(n: usize) -> Vec<f32> {
    numbers(n).map(|number| number as f32).collect()
}

/// Complex numbers that are exact in single precision.
pub(crate) fn complex_noise(n: usize) -> Vec<Complex64> {
    noise(2 * n).chunks(2).map(|pair| Complex64::new(pair[0].into(), pair[1].into())).collect()
}

/// Complex numbers with all digits of double precision.
pub(crate) fn double_noise(n: usize) -> Vec<Complex64> {
    let numbers: Vec<f64> = numbers(2 * n).collect();
    numbers.chunks(2).map(|pair| Complex64::new(pair[0], pair[1])).collect()
}

/// The nearest values of single precision.
pub(crate) fn single(values: &[Complex64]) -> Vec<Complex32> {
    values.iter().map(|value| Complex32::new(value.re as f32, value.im as f32)).collect()
}

/// The same values in double precision.
pub(crate) fn wide<T: Float + Into<f64>>(values: &[Complex<T>]) -> Vec<Complex64> {
    values.iter().map(|value| Complex64::new(value.re.into(), value.im.into())).collect()
}

/// Root mean square of the difference, relative to that of what is expected.
pub(crate) fn relative_error<T: Float + Into<f64>>(result: &[Complex<T>], expected: &[Complex64]) -> f64 {
    assert_eq!(result.len(), expected.len());
    let error: f64 = wide(result).iter().zip(expected).map(|(value, exact)| (value - exact).norm_sqr()).sum();
    (error / expected.iter().map(Complex64::norm_sqr).sum::<f64>()).sqrt()
}

/// Runs the plan as scheduled on noise, if the grid takes it, and compares with the plan in double precision.
pub(crate) fn check(grid: &mut Grid, what: &str, plan: &Plan, schedule: &Schedule) {
    if grid.takes(plan, schedule, device().limits(), KernelChoice::Fast) {
        check_on(device(), what, plan, schedule);
    }
}

/// The same on a device of its own kind.
pub(crate) fn check_on(device: &Device, what: &str, plan: &Plan, schedule: &Schedule) {
    let input = noise(plan.inputs);
    let prepared = device.prepare(plan, schedule).unwrap_or_else(|error| panic!("{what}: {error}"));
    prepared.upload(&input, &GO).unwrap();
    prepared.spoil().unwrap();
    prepared.run(&GO).unwrap();
    let result = prepared.download(&GO).unwrap();
    let input: Vec<Complex64> = input.iter().map(|&x| f64::from(x).into()).collect();
    let expected = plan.run(&input);
    let largest = expected.iter().map(|x| x.norm()).fold(1.0, f64::max);
    for (place, (found, expected)) in result.iter().zip(&expected).enumerate() {
        let error = (f64::from(found.re) - expected.re).abs();
        assert!(error < 3e-6 * largest, "{what}: lane {place} of {} is {} and should be {}", plan.lanes, found.re, expected.re);
    }
}

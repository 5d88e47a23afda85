//! What tests on the GPU share: the device, input that is the same every time, and the comparison with the plan in double precision.
//!
//! Without an adapter these fail, and say what to install.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use num_complex::Complex64;
use papillon::gpu::{Device, Selection};
use papillon::plan::Plan;
use papillon::schedule::Schedule;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

/// Nobody cancels a test.
pub(crate) static GO: AtomicBool = AtomicBool::new(false);

/// Any adapter, a software one too.
pub(crate) fn device() -> &'static Device {
    static DEVICE: OnceLock<Device> = OnceLock::new();
    DEVICE.get_or_init(|| Device::open(&Selection::Any).unwrap_or_else(|error| panic!("{error}")))
}

/// Numbers that look random and are the same every time.
pub(crate) fn noise(n: usize) -> Vec<f32> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    (0..n).map(|_| next()).collect()
}

/// Runs the plan as scheduled on noise, and compares with the plan in double precision.
pub(crate) fn check(what: &str, plan: &Plan, schedule: &Schedule) {
    check_on(device(), what, plan, schedule);
}

/// The same on a device of its own kind.
pub(crate) fn check_on(device: &Device, what: &str, plan: &Plan, schedule: &Schedule) {
    let input = noise(plan.inputs);
    let prepared = device.prepare(plan, schedule).unwrap_or_else(|error| panic!("{what}: {error}"));
    prepared.upload_real(&input, &GO).unwrap();
    prepared.spoil().unwrap();
    prepared.run(&GO).unwrap();
    let result = prepared.download(&GO).unwrap();
    let wide: Vec<Complex64> = input.iter().map(|&x| f64::from(x).into()).collect();
    let expected = plan.run(&wide);
    let largest = expected.iter().map(|x| x.norm()).fold(1.0, f64::max);
    for (place, (found, expected)) in result.iter().zip(&expected).enumerate() {
        let error = (f64::from(found.re) - expected.re).abs();
        assert!(error < 3e-6 * largest, "{what}: lane {place} of {} is {} and should be {}", plan.lanes, found.re, expected.re);
    }
}

//! Recursive doubling on the GPU: launches, copies and kernels, large systems against Gaussian elimination, and the digits of single precision.

use crate::common::{GO, device};
use papillon::cpu::tridiagonal::thomas;
use papillon::engine::{DeviceChoice, Devices, Job, solve};
use papillon::gpu::{KernelChoice, fastest, lower};
use papillon::plan::{Plan, Precision};
use papillon::schedule::Schedule;
use papillon::signal::System;
use papillon::signal::generate::SystemExample;
use papillon::transforms::tridiagonal::TRIDIAGONAL;
use papillon::transforms::{Parameters, Shape};

fn plan(n: usize) -> Plan {
    let build = TRIDIAGONAL.algorithm("recursive-doubling").unwrap().plan_fn().unwrap();
    build(Shape::line(n), Parameters::default()).unwrap()
}

/// The largest difference of unknowns, relative to the largest one.
fn error(x: &[f64], expected: &[f64]) -> f64 {
    let largest = expected.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    x.iter().zip(expected).map(|(x, y)| (x - y).abs()).fold(0.0, |a: f64, b| if b > a || b.is_nan() { b } else { a }) / largest
}

#[test]
fn equations_are_copied_at_most_once() {
    let plan = plan(1 << 16);
    let lowered = lower::lower(&plan, &fastest(&plan, device().limits()), device().limits(), KernelChoice::Fast).unwrap();
    assert_eq!(lowered.commands.len(), 3 * 16 + 2);
    // The maps change buffers 16 times, and the equations wait in the one that the first stage wrote.
    let copied: usize =
        lowered.commands.iter().flat_map(|command| command.copies.iter().chain(&command.copies_after)).map(|copy| copy.lanes.len()).sum();
    assert!(copied <= 1 << 16, "{copied} lanes are copied");
}

#[test]
fn large_systems_are_solved_in_both_precisions() {
    let n = (1 << 17) + 3;
    let system = SystemExample::Dominant.system(n);
    let expected = thomas(&system.rows);
    for (device, precision, bound) in [
        (DeviceChoice::CpuParallel, Precision::Double, 1e-13),
        (DeviceChoice::Gpu, Precision::Single, 1e-5),
        (DeviceChoice::Gpu, Precision::Double, 1e-13),
    ] {
        if device == DeviceChoice::Gpu && precision == Precision::Double && !crate::common::device().info().f64 {
            continue;
        }
        let job =
            Job { algorithm: Some("recursive-doubling"), device: device.clone(), precision: Some(precision), ..Job::of_system(&system) };
        let solution = solve(&job, &mut Devices::default(), &GO).unwrap();
        assert!(error(&solution.x, &expected) < bound, "on {device} in {precision:?}: {:e}", error(&solution.x, &expected));
        assert!(solution.warnings().is_empty() && solution.outcome.algorithm == "recursive-doubling", "{:?}", solution.warnings());
    }
}

#[test]
fn differential_equations_keep_the_digits_of_single_precision() {
    for n in [1001, 30_000] {
        let width = |i: usize| f64::from(1 + (i * i % 8) as u32);
        let rod = (0..n).map(|i| [-width(i), width(i) + width(i + 1), -width(i + 1), 1.0]).collect();
        for system in [SystemExample::Poisson.system(n), System::new("rod", rod).unwrap()] {
            let plan = plan(n);
            let prepared = device().prepare(&plan, &Schedule::by_stage(&plan)).unwrap();
            prepared.upload_rows(&system.rows, &GO).unwrap();
            prepared.spoil().unwrap();
            prepared.run(&GO).unwrap();
            let x: Vec<f64> = prepared.download(&GO).unwrap().iter().map(|value| value.re.into()).collect();
            let error = error(&x, &thomas(&system.rows));
            assert!(error < 1e-8 * n as f64, "{n} equations of {}: {error:e}", system.name);
        }
    }
}

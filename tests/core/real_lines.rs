//! Hartley and cosine transforms equal the numbers that SciPy 1.17 prints, and come back.

use num_complex::Complex64;
use papillon::plan::Direction;
use papillon::transforms::{Parameters, Shape, transform};

const SAMPLES: [f64; 8] = [3.0, -1.0, 4.0, 1.0, -5.0, 9.0, 2.0, 6.0];

/// The first plan's result, which is real.
fn run(name: &str, shape: Shape, parameters: Parameters, samples: &[f64]) -> Vec<f64> {
    let plan = transform(name).unwrap().first_plan().plan_fn().unwrap()(shape, parameters).unwrap();
    let result = plan.run(&samples.iter().map(|&sample| sample.into()).collect::<Vec<Complex64>>());
    assert!(result.iter().all(|value| value.im.abs() < 1e-12), "{name} of real samples is real: {result:?}");
    result.iter().map(|value| value.re).collect()
}

fn check(name: &str, shape: Shape, normalized: bool, expected: &[f64]) {
    let samples = &SAMPLES[..shape.len()];
    let forward = Parameters { normalized, ..Parameters::default() };
    let result = run(name, shape, forward, samples);
    let close = |a: &[f64], b: &[f64]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-8);
    assert!(close(&result, expected), "{name} of {shape:?}: {result:?}");
    let back = run(name, shape, Parameters { direction: Direction::Inverse, ..forward }, &result);
    assert!(close(&back, samples), "{name} of {shape:?} comes back as {back:?}");
}

/// `dct(x, 2) / 2` and `dct(x, 2, norm="ortho")`; in two dimensions `dctn(x, 2) / 4` and `dctn(x, 2, norm="ortho")`.
#[test]
fn cosine_transforms_equal_scipys() {
    let eight = [19.0, -7.04407391, 7.41823273, -0.33863287, -6.36396103, 5.28901121, 16.06143901, -8.96062001];
    check("dct", Shape::line(8), false, &eight);
    let orthonormal = [6.71751442, -3.52203696, 3.70911637, -0.16931643, -3.18198052, 2.6445056, 8.03071951, -4.48031001];
    check("dct", Shape::line(8), true, &orthonormal);
    check("dct", Shape::line(5), false, &[2.0, 6.43288163, -5.61803399, 6.60439505, 3.38196601]);
    check("dct", Shape::line(5), true, &[0.89442719, 4.06851157, -3.55315668, 4.17698619, 2.13894311]);
    let image = Shape { rows: 2, columns: 3 };
    check("dct2", image, false, &[11.0, -7.79422863, 14.5, std::f64::consts::FRAC_1_SQRT_2, 4.28660705, -3.8890873]);
    check("dct2", image, true, &[4.4907312, -4.5, 8.3715789, 0.40824829, 3.5, -3.17542648]);
}

/// The real part of `fft(x)` minus its imaginary part, along one axis after the other.
#[test]
fn hartley_transforms_equal_scipys() {
    check("hartley", Shape::line(8), false, &[19.0, -4.14213562, -7.0, -1.07106781, -11.0, 24.14213562, -9.0, 13.07106781]);
    check("hartley", Shape::line(5), false, &[2.0, 2.66839488, 8.8971584, 9.90121548, -8.46676876]);
    let image = [11.0, -15.95448267, 16.95448267, 1.0, 10.29422863, -5.29422863];
    check("hartley2", Shape { rows: 2, columns: 3 }, false, &image);
}

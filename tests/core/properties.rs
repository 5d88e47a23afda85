//! Properties that hold for every input: linearity, Parseval, the inverse, the shift and the convolution theorem.

use num_complex::Complex64;
use papillon::cpu::{self, CpuBackend};
use papillon::plan::Direction;
use papillon::schedule::Schedule;
use papillon::transforms::{Algorithm, Axes, Numbers, Parameters, Shape, TRANSFORMS, Transform};
use proptest::prelude::*;
use std::f64::consts::TAU;
use std::sync::atomic::AtomicBool;

static GO_ON: AtomicBool = AtomicBool::new(false);

/// A plan of the table, at a random length, powers of two more often than others.
#[derive(Debug, Clone, Copy)]
struct Case {
    transform: usize,
    algorithm: usize,
    rows: usize,
    columns: usize,
}

impl Case {
    fn transform(self) -> &'static Transform {
        &TRANSFORMS[self.transform]
    }

    fn algorithm(self) -> &'static Algorithm {
        &self.transform().algorithms[self.algorithm]
    }

    /// Whether the transform is the Fourier one.
    fn is_fourier(self) -> bool {
        ["dft", "dft2"].contains(&self.transform().name)
    }

    fn run(self, direction: Direction, input: &[Complex64]) -> Vec<Complex64> {
        let shape = Shape { rows: self.rows, columns: self.columns };
        let build = self.algorithm().plan_fn().expect("only plans are drawn");
        let plan = build(shape, Parameters { direction, tile_lanes: Some(16), ..Parameters::default() }).unwrap();
        let (lanes, _) = cpu::run(&plan, &Schedule::tiled(&plan, 16), input, CpuBackend::OneThread, &GO_ON).unwrap();
        plan.output.natural(&lanes)
    }
}

fn cases() -> impl Strategy<Value = Case> {
    let plans: Vec<(usize, usize)> = (0..TRANSFORMS.len())
        .flat_map(|t| (0..TRANSFORMS[t].algorithms.len()).map(move |a| (t, a)))
        .filter(|&(t, a)| TRANSFORMS[t].algorithms[a].plan_fn().is_some())
        // Real numbers are elements neither of GF(2) nor of prime fields.
        .filter(|&(t, _)| TRANSFORMS[t].definition.is_some() && ![Numbers::Bits, Numbers::Residues].contains(&TRANSFORMS[t].takes))
        // Half spectra have lanes of their own kind, and a test of their own.
        .filter(|&(t, _)| TRANSFORMS[t].gives != Numbers::HalfSpectrum)
        .collect();
    let rows = prop_oneof![(0..4_u32).prop_map(|log| 1_usize << log), 1..12_usize];
    let columns = prop_oneof![(0..8_u32).prop_map(|log| 1_usize << log), 1..130_usize];
    (prop::sample::select(plans), rows, columns).prop_filter_map("refused", |((transform, algorithm), rows, columns)| {
        let case = Case { transform, algorithm, rows, columns };
        let build = case.algorithm().plan_fn()?;
        build(Shape { rows, columns }, Parameters::default()).ok().map(|_| case)
    })
}

fn with_samples(n_inputs: usize) -> impl Strategy<Value = (Case, Vec<Vec<Complex64>>)> {
    cases().prop_flat_map(move |case| {
        let sample = (-1.0..1.0, -1.0..1.0).prop_map(|(re, im)| Complex64::new(re, im));
        let input = prop::collection::vec(sample, case.rows * case.columns);
        (Just(case), prop::collection::vec(input, n_inputs))
    })
}

fn energy(values: &[Complex64]) -> f64 {
    values.iter().map(Complex64::norm_sqr).sum()
}

fn close(a: &[Complex64], b: &[Complex64]) -> bool {
    let error: f64 = a.iter().zip(b).map(|(x, y)| (x - y).norm_sqr()).sum();
    error.sqrt() <= 1e-12 * (1.0 + energy(b).sqrt())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_plan_is_linear((case, inputs) in with_samples(2), weight in -3.0..3.0) {
        let sum: Vec<_> = inputs[0].iter().zip(&inputs[1]).map(|(a, b)| a + weight * b).collect();
        let [first, second] = [0, 1].map(|i| case.run(Direction::Forward, &inputs[i]));
        let expected: Vec<_> = first.iter().zip(&second).map(|(a, b)| a + weight * b).collect();
        prop_assert!(close(&case.run(Direction::Forward, &sum), &expected));
    }

    #[test]
    fn the_inverse_gives_the_samples_back((case, inputs) in with_samples(1)) {
        prop_assume!(case.transform().has_inverse);
        let spectrum = case.run(Direction::Forward, &inputs[0]);
        prop_assert!(close(&case.run(Direction::Inverse, &spectrum), &inputs[0]));
    }

    #[test]
    fn energy_is_kept((case, inputs) in with_samples(1)) {
        prop_assume!(["dft", "dft2", "walsh", "walsh2"].contains(&case.transform().name));
        let n = if case.transform().axes == Axes::Rows { case.columns } else { case.rows * case.columns };
        let spectrum = case.run(Direction::Forward, &inputs[0]);
        let (before, after) = (energy(&inputs[0]), energy(&spectrum) / n as f64);
        prop_assert!((before - after).abs() < 1e-12 * (1.0 + before));
    }

    #[test]
    fn a_shift_of_the_columns_turns_the_phase((case, inputs) in with_samples(1), shift in 0..200_usize) {
        prop_assume!(case.is_fourier());
        let n = case.columns;
        let moved: Vec<_> = (0..inputs[0].len()).map(|i| inputs[0][i / n * n + (i % n + shift) % n]).collect();
        let spectrum = case.run(Direction::Forward, &inputs[0]);
        let turn = |i: usize| Complex64::from_polar(1.0, TAU * (i % n * shift % n) as f64 / n as f64);
        let expected: Vec<_> = spectrum.iter().enumerate().map(|(i, value)| value * turn(i)).collect();
        prop_assert!(close(&case.run(Direction::Forward, &moved), &expected));
    }

    #[test]
    fn products_of_spectra_are_cyclic_convolutions((case, inputs) in with_samples(2)) {
        let any_length = || TRANSFORMS[0].algorithms.iter().position(|algorithm| algorithm.name == "bluestein").unwrap();
        let algorithm = if case.transform == 0 { case.algorithm } else { any_length() };
        let case = Case { transform: 0, algorithm, rows: 1, ..case };
        let n = case.columns;
        let (a, b) = (&inputs[0][..n], &inputs[1][..n]);
        let direct: Vec<Complex64> = (0..n).map(|t| (0..n).map(|x| a[x] * b[(t + n - x) % n]).sum()).collect();
        let [first, second] = [a, b].map(|input| case.run(Direction::Forward, input));
        let product: Vec<_> = first.iter().zip(&second).map(|(x, y)| x * y).collect();
        prop_assert!(close(&case.run(Direction::Inverse, &product), &direct));
    }
}

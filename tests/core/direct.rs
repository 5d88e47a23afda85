//! Direct algorithms: the sums of the definitions, how many operations they take, and which sizes they refuse.

use num_complex::Complex64;
use papillon::cpu::{self, CpuBackend, LoopOrder};
use papillon::plan::{OperationCounts, Plan, Ring};
use papillon::remedy::{Remedies as _, Remedy};
use papillon::schedule::Schedule;
use papillon::transforms::{BatchAxis, Parameters, Shape, TRANSFORMS, Unsupported, transform};
use std::sync::atomic::AtomicBool;

static GO: AtomicBool = AtomicBool::new(false);

fn direct(name: &str, shape: Shape, parameters: Parameters) -> Result<Plan, Unsupported> {
    transform(name)?.algorithm("direct")?.plan_fn().expect("it is a plan")(shape, parameters)
}

fn line(name: &str, n: usize) -> Plan {
    direct(name, Shape::line(n), Parameters::default()).unwrap()
}

#[test]
fn convolutions_are_the_sums_of_their_definitions() {
    type Term = fn(&[Complex64], &[Complex64], usize, usize) -> Complex64;
    let table: [(&str, usize, Term); 4] = [
        ("dyadic-convolution", 2, |f, g, t, x| f[x] * g[x ^ t]),
        ("dyadic-autocorrelation", 1, |f, _, t, x| f[x] * f[x ^ t]),
        ("cyclic-convolution", 2, |f, g, t, x| f[x] * g[(t + g.len() - x) % g.len()]),
        ("cyclic-autocorrelation", 1, |f, _, t, x| f[(x + t) % f.len()] * f[x].conj()),
    ];
    for (name, n_signals, term) in table {
        for (rows, n) in [(1, 1), (1, 2), (3, 4), (2, 5), (1, 8), (1, 64), (2, 100), (1, 256)] {
            let Ok(plan) = direct(name, Shape { rows, columns: n }, Parameters::default()) else {
                assert!(name.starts_with("dyadic") && !n.is_power_of_two(), "{name} of {n}");
                continue;
            };
            assert_eq!(plan.stages.len(), 1, "one dense stage");
            let is_complex = name.starts_with("cyclic");
            let value =
                |i: usize| Complex64::new(((i * i * 31 + 7 * i) % 19) as f64 - 9.0, if is_complex { (i * 13 % 11) as f64 } else { 0.0 });
            let input: Vec<Complex64> = (0..rows * n_signals * n).map(value).collect();
            let of_row = |row: &[Complex64]| {
                (0..n).map(|t| (0..n).map(|x| term(&row[..n], &row[row.len() - n..], t, x)).sum()).collect::<Vec<Complex64>>()
            };
            let expected: Vec<Complex64> = input.chunks(n_signals * n).flat_map(of_row).collect();
            assert_eq!(plan.run(&input), expected, "{name} of {rows} × {n}");
            for backend in [CpuBackend::OneThread, CpuBackend::ByStage(LoopOrder::Strided), CpuBackend::Parallel] {
                // Complex lanes take plans over the integers too, once their ring is that of the lanes.
                let plan = plan.clone().over(Ring::Complex);
                let (found, _) = cpu::run(&plan, &Schedule::by_stage(&plan), &input, backend, &GO).unwrap();
                assert_eq!(found, expected, "{name} of {rows} × {n}, {backend:?}");
            }
        }
    }
}

/// R. Li, OpenCL fast Fourier transform (2012), section 1.1: N² multiplications and N·(N − 1) additions.
#[test]
fn a_definition_takes_n_terms_a_result() {
    for n in [8, 64, 1 << 12] {
        let (products, sums) = ((n * n) as u64, (n * (n - 1)) as u64);
        for name in ["dft", "dct", "hartley", "dyadic-convolution", "cyclic-autocorrelation"] {
            assert_eq!(line(name, n).operations(), OperationCounts { additions: sums, multiplications: products }, "{name} of {n}");
        }
        for name in ["walsh", "arithmetic", "reed-muller", "haar"] {
            assert_eq!(line(name, n).operations(), OperationCounts { additions: sums, multiplications: 0 }, "{name} of {n}");
        }
    }
}

#[test]
fn definitions_with_too_many_terms_are_refused_in_a_line() {
    let columns = Parameters { lines: BatchAxis::Columns, ..Parameters::default() };
    for (shape, parameters) in [
        (Shape::line(1 << 17), Parameters::default()),
        (Shape::line(1 << 24), Parameters::default()),
        (Shape { rows: 2, columns: 1 << 16 }, Parameters::default()),
        (Shape { rows: 1 << 16, columns: 2 }, columns),
    ] {
        for name in ["dft", "walsh", "haar", "dct"] {
            let error = direct(name, shape, parameters).unwrap_err();
            assert!(
                matches!(error, Unsupported::Terms { .. }) && error.remedies().contains(&Remedy::SmallerSize),
                "{name} {shape:?}: {error}"
            );
            assert!(!error.to_string().contains('\n'));
        }
    }
    assert!(direct("dft", Shape::line(1 << 16), Parameters::default()).is_ok());
    assert!(direct("dyadic-convolution", Shape::line(1 << 17), Parameters::default()).is_err());
}

#[test]
fn no_transform_takes_its_definition_where_another_plan_fits() {
    for row in TRANSFORMS.iter().filter(|row| row.algorithms.iter().any(|algorithm| algorithm.name == "direct")) {
        for n in [1, 2, 3, 8, 37, 64] {
            let plan = row.plan(Shape::line(n), Parameters::default());
            assert!(plan.is_ok_and(|plan| !plan.is_direct()) || !n.is_power_of_two(), "{} of {n}", row.name);
        }
    }
}

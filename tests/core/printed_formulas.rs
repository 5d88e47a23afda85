//! Edges of flow graphs against formulas typed from the papers.

use num_complex::Complex64;
use papillon::plan::{Direction, Operation, Plan, Stage, reverse_bits};
use papillon::transforms::{Base, Parameters, RowOrder, Shape, transform};
use std::f64::consts::PI;

fn plan(name: &str, algorithm: &str, n: usize, parameters: Parameters) -> Plan {
    let build = transform(name).unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
    build(Shape::line(n), parameters).unwrap()
}

/// Lane before, lane after and weight of every edge, in order.
fn edges(stage: &Stage) -> Vec<(usize, usize, Complex64)> {
    sorted(stage.edges().into_iter().map(|edge| (edge.from, edge.to, edge.weight.value())))
}

fn sorted(edges: impl IntoIterator<Item = (usize, usize, Complex64)>) -> Vec<(usize, usize, Complex64)> {
    let mut edges: Vec<_> = edges.into_iter().collect();
    edges.sort_by_key(|&(from, to, _)| (from, to));
    edges
}

fn assert_same(found: &[(usize, usize, Complex64)], expected: &[(usize, usize, Complex64)], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (a, b) in found.iter().zip(expected) {
        assert!((a.0, a.1) == (b.0, b.1) && (a.2 - b.2).norm() < 1e-15, "{what}: {a:?} instead of {b:?}");
    }
}

/// Li 2012, section 4.1: `k = gid & (p − 1)`, `src[0]` and `src[t]` from `gid` on, `dst[0]` and `dst[p]` from `(gid << 1) − k` on, and the right angle −πk/p, or the printed one, −2πk/p.
#[test]
fn the_kernel_of_li_multiplies_its_second_input_before_the_butterfly() {
    for (n, name, angle) in [2_usize, 8, 64].into_iter().flat_map(|n| [(n, "dft", -PI), (n, "dft-printed", -2.0 * PI)]) {
        let plan = plan(name, "stockham-dit-2", n, Parameters::default());
        assert_eq!(plan.stages.len(), n.ilog2() as usize);
        for (iteration, stage) in plan.stages.iter().enumerate() {
            let (p, t) = (1 << iteration, n / 2);
            let thread = |gid: usize| {
                let k = gid & (p - 1);
                let dst = (gid << 1) - k;
                let turn = Complex64::from_polar(1.0, angle * k as f64 / p as f64);
                [(gid, dst, 1.0.into()), (gid + t, dst, turn), (gid, dst + p, 1.0.into()), (gid + t, dst + p, -turn)]
            };
            assert_same(&edges(stage), &sorted((0..t).flat_map(thread)), &format!("N = {n}, p = {p}"));
            assert!(matches!(stage.operation, Operation::TwiddledTaps(_)), "the twiddle stands before the butterfly");
            if name == "dft-printed" {
                continue;
            }
            // One product a thread, except where k = 0 or the factor is −i at no cost of its own.
            let products = (0..t).filter(|gid| gid & (p - 1) > 0).count() as u64;
            assert_eq!((stage.operations().multiplications, stage.operations().additions), (products, n as u64));
        }
    }
}

/// "We extend this kernel to a radix-4 kernel by merging two consecutive iterations"; radix 8 merges three.
#[test]
fn the_larger_radices_of_li_merge_iterations_of_radix_2() {
    for (algorithm, merged) in [("stockham-dit-4", 2), ("stockham-dit-8", 3)] {
        let [small, large] = ["stockham-dit-2", algorithm].map(|name| plan("dft", name, 64, Parameters::default()));
        assert_eq!(large.stages.len() * merged, small.stages.len());
        for stage in 1..=large.stages.len() {
            let [found, expected] = [large.matrix_after(stage), small.matrix_after(stage * merged)];
            let difference = found.iter().flatten().zip(expected.iter().flatten()).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
            assert!(difference < 1e-13, "{algorithm} after {stage} stages: {difference:e}");
        }
    }
}

/// Gajić and Stanković 2011, Algorithm 2: thread t reads by equations 5 and 6 and writes by equations 3 and 4, for every transform with its own butterfly.
#[test]
fn constant_geometry_reads_and_writes_as_algorithm_2_prints() {
    let n = 16;
    let transforms = [
        ("walsh", [1.0, 1.0, 1.0, -1.0]),
        ("reed-muller", [1.0, 0.0, 1.0, 1.0]),
        ("arithmetic", [1.0, 0.0, -1.0, 1.0]),
        ("kronecker", [2.0, -1.0, 0.5, 3.0]),
    ];
    for (name, base) in transforms {
        let plan = plan(name, "constant-geometry", n, Parameters { order: RowOrder::Dyadic, matrix: Base(base), ..Parameters::default() });
        assert_eq!(plan.stages.len(), 4);
        for (stage, exponent) in plan.stages.iter().zip((0..4).rev()) {
            let step = 1 << exponent;
            let thread = |id: usize| {
                let (op1, op2) = (2 * id, 2 * id + 1);
                let dst1 = id % step + 2 * step * (id / step);
                let dst2 = dst1 + step;
                [(op1, dst1, base[0]), (op2, dst1, base[1]), (op1, dst2, base[2]), (op2, dst2, base[3])]
            };
            let lines = (0..n / 2).flat_map(thread).filter(|(.., weight)| *weight != 0.0).map(|(a, b, weight)| (a, b, weight.into()));
            assert_same(&edges(stage), &sorted(lines), &format!("{name}, step {step}"));
        }
    }
}

/// The order that follows from Algorithm 2: lane l holds the coefficient whose index has the bits of l reversed. Cooley-Tukey and the inverse agree.
#[test]
fn algorithm_2_leaves_coefficients_in_bit_reversed_order() {
    let values: Vec<Complex64> = (0..16).map(|i| f64::from((i * i * 7 + 3 * i) % 11 % 2).into()).collect();
    for name in ["reed-muller", "arithmetic"] {
        let run = |algorithm, order, direction, values: &[Complex64]| {
            plan(name, algorithm, 16, Parameters { order, direction, ..Parameters::default() }).run(values)
        };
        let natural = run("constant-geometry", RowOrder::Natural, Direction::Forward, &values);
        for algorithm in ["constant-geometry", "cooley-tukey"] {
            let dyadic = run(algorithm, RowOrder::Dyadic, Direction::Forward, &values);
            assert_eq!(dyadic, (0..16).map(|lane| natural[reverse_bits(lane, 4)]).collect::<Vec<_>>(), "{name} by {algorithm}");
            assert_eq!(run(algorithm, RowOrder::Dyadic, Direction::Inverse, &dyadic), values, "{name} by {algorithm}, inverse");
        }
    }
}

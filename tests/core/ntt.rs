//! Number-theoretic transforms: definitions as double loops over wide integers, the standards' algorithms as they print them, round trips and products.

use num_complex::Complex64;
use papillon::cpu::{self, CpuBackend, Residue};
use papillon::graph::{GraphFormat, GraphOptions, GraphRequest, export};
use papillon::plan::{Direction, LaneValue, Plan, PrimeField};
use papillon::remedy::{Remedies as _, Remedy};
use papillon::schedule::Schedule;
use papillon::transforms::{BatchAxis, Parameters, Scheme, Shape, Unsupported, transform};
use std::sync::atomic::AtomicBool;

static GO_ON: AtomicBool = AtomicBool::new(false);

/// Numbers below q without a pattern.
fn noise(n: usize, q: u64) -> Vec<i64> {
    (0..n as u64).map(|i| ((i + 3).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23) % q) as i64).collect()
}

fn power(base: u128, exponent: u128, q: u128) -> u128 {
    (0..exponent).fold(1 % q, |product, _| product * base % q)
}

fn build(name: &str, algorithm: &str, shape: Shape, parameters: Parameters) -> Result<Plan, Unsupported> {
    transform(name)?.algorithm(algorithm)?.plan_fn().expect("it is a plan")(shape, parameters)
}

fn field(plan: &Plan) -> PrimeField {
    plan.ring.field().expect("a prime field")
}

/// The result in natural order, by the exact reference; in double precision and on the CPU in every way it is the same.
fn run(plan: &Plan, input: &[i64]) -> Vec<i64> {
    let expected = plan.run_exact(input).expect("residues never overflow");
    let wide: Vec<Complex64> = input.iter().map(|&value| (value as f64).into()).collect();
    assert_eq!(plan.run(&wide), expected.iter().map(|&value| Complex64::from(value as f64)).collect::<Vec<_>>());
    let lanes: Vec<Residue> = input.iter().map(|&value| Residue::of(field(plan), value)).collect();
    for schedule in [Schedule::by_stage(plan), Schedule::tiled(plan, 16)] {
        for way in CpuBackend::ALL {
            let found = cpu::run(plan, &schedule, &lanes, way, &GO_ON).unwrap().0;
            assert!(found.into_iter().map(i64::from).eq(expected.iter().copied()), "{way:?}");
        }
    }
    plan.output.natural(&expected)
}

/// X[k] = Σ x[i]·w^(k·i), or the sum over the odd powers, as a double loop.
fn definition(input: &[i64], root: u128, negacyclic: bool, q: u128) -> Vec<i64> {
    let point = |k: usize| power(root, if negacyclic { 2 * k as u128 + 1 } else { k as u128 }, q);
    let value = |k: usize| {
        let (mut sum, mut factor, point) = (0, 1, point(k));
        for &x in input {
            sum = (sum + x as u128 * factor) % q;
            factor = factor * point % q;
        }
        sum as i64
    };
    (0..input.len()).map(value).collect()
}

const ALGORITHMS: [&str; 8] =
    ["stockham", "stockham-4", "stockham-2", "gentleman-sande", "cooley-tukey", "constant-geometry", "layers", "direct"];

#[test]
fn every_algorithm_equals_the_double_loop_and_leads_back() {
    let mut n_plans = 0;
    for (name, negacyclic) in [("ntt", false), ("ntt-negacyclic", true)] {
        for (q, lengths) in [
            (17, &[1, 2, 4, 8][..]),
            (97, &[1, 2, 3, 6, 8, 12, 16, 24, 48]),
            (12_289, &[16, 48, 64, 96, 128]),
            (8_380_417, &[8, 11, 31, 64, 93]),
            (2_013_265_921, &[15, 32, 40, 128]),
        ] {
            for &n in lengths {
                for algorithm in ALGORITHMS {
                    let parameters = Parameters { modulus: Some(q), ..Parameters::default() };
                    let Ok(plan) = build(name, algorithm, Shape::line(n), parameters) else {
                        assert!(!n.is_power_of_two(), "{name} by {algorithm} of {n} modulo {q}");
                        continue;
                    };
                    assert_eq!(u64::from(field(&plan).order()), if negacyclic { 2 * n as u64 } else { n as u64 });
                    let input = noise(n, q as u64);
                    let found = run(&plan, &input);
                    let expected = definition(&input, field(&plan).root().into(), negacyclic, q as u128);
                    assert_eq!(found, expected, "{name} by {algorithm} of {n} modulo {q}");
                    let back = Parameters { direction: Direction::Inverse, ..parameters };
                    assert_eq!(run(&build(name, algorithm, Shape::line(n), back).unwrap(), &found), input, "{name} by {algorithm}");
                    n_plans += 1;
                }
            }
        }
    }
    assert!(n_plans > 220, "{n_plans} plans");
}

#[test]
fn rows_and_columns_are_transformed_one_by_one() {
    for name in ["ntt", "ntt-negacyclic"] {
        for algorithm in ALGORITHMS {
            for direction in [Direction::Forward, Direction::Inverse] {
                let parameters = Parameters { modulus: Some(97), direction, ..Parameters::default() };
                let (shape, input) = (Shape { rows: 3, columns: 8 }, noise(24, 97));
                let line = build(name, algorithm, Shape::line(8), parameters).unwrap();
                let expected: Vec<i64> = input.chunks(8).flat_map(|row| run(&line, row)).collect();
                assert_eq!(run(&build(name, algorithm, shape, parameters).unwrap(), &input), expected, "{name} by {algorithm}");
                let down = Parameters { lines: BatchAxis::Columns, ..parameters };
                // Permutations of lanes and bit-reversed results have no plan down columns.
                let Ok(plan) = build(name, algorithm, Shape { rows: 8, columns: 3 }, down) else { continue };
                let turned = |values: &[i64], width: usize| -> Vec<i64> {
                    (0..values.len()).map(|i| values[i % (24 / width) * width + i / (24 / width)]).collect()
                };
                assert_eq!(run(&plan, &turned(&input, 8)), turned(&expected, 8), "{name} by {algorithm}");
            }
        }
    }
}

/// The bits of a number in reverse order, as FIPS 203 and 204 define BitRev.
fn bit_reversed(x: usize, n_bits: u32) -> u128 {
    (0..n_bits).map(|bit| (x >> bit & 1) << (n_bits - 1 - bit)).sum::<usize>() as u128
}

/// FIPS 203, Algorithm 9 (NTT): the lanes before the first layer and after each of seven.
fn ml_kem(f: &[i64]) -> Vec<Vec<i64>> {
    let (q, mut f, mut i) = (3329, f.to_vec(), 1);
    let mut layers = vec![f.clone()];
    let mut length = 128;
    while length >= 2 {
        let mut start = 0;
        while start < 256 {
            let zeta = power(17, bit_reversed(i, 7), q as u128) as i64;
            i += 1;
            for j in start..start + length {
                let t = zeta * f[j + length] % q;
                f[j + length] = (f[j] - t).rem_euclid(q);
                f[j] = (f[j] + t) % q;
            }
            start += 2 * length;
        }
        layers.push(f.clone());
        length /= 2;
    }
    layers
}

/// FIPS 203, Algorithm 10 (the inverse NTT).
fn ml_kem_inverse(f: &[i64]) -> Vec<i64> {
    let (q, mut f, mut i, mut length) = (3329, f.to_vec(), 127, 2);
    while length <= 128 {
        let mut start = 0;
        while start < 256 {
            let zeta = power(17, bit_reversed(i, 7), q as u128) as i64;
            i -= 1;
            for j in start..start + length {
                let t = f[j];
                f[j] = (t + f[j + length]) % q;
                f[j + length] = (zeta * (f[j + length] - t)).rem_euclid(q);
            }
            start += 2 * length;
        }
        length *= 2;
    }
    f.into_iter().map(|x| x * 3303 % q).collect()
}

/// FIPS 204, Algorithm 41 (NTT): the lanes before the first layer and after each of eight.
fn ml_dsa(w: &[i64]) -> Vec<Vec<i64>> {
    let (q, mut w, mut m, mut length) = (8_380_417, w.to_vec(), 0, 128);
    let mut layers = vec![w.clone()];
    while length >= 1 {
        let mut start = 0;
        while start < 256 {
            m += 1;
            let z = power(1753, bit_reversed(m, 8), q as u128) as i64;
            for j in start..start + length {
                let t = z * w[j + length] % q;
                w[j + length] = (w[j] - t).rem_euclid(q);
                w[j] = (w[j] + t) % q;
            }
            start += 2 * length;
        }
        layers.push(w.clone());
        length /= 2;
    }
    layers
}

/// The lanes after every stage, exactly.
fn stages(plan: &Plan, input: &[i64]) -> Vec<Vec<i64>> {
    let wide: Vec<Complex64> = input.iter().map(|&value| (value as f64).into()).collect();
    plan.run_by_stage(&wide).into_iter().map(|lanes| lanes.into_iter().map(|value| value.re as i64).collect()).collect()
}

#[test]
fn every_layer_of_the_standards_is_a_stage() {
    let of = |scheme, direction| Parameters { scheme, direction, ..Parameters::default() };
    for name in ["ntt", "ntt-negacyclic"] {
        let plan = |scheme, direction| build(name, "layers", Shape::line(256), of(scheme, direction)).unwrap();
        let input = noise(256, 3329);
        let kem = plan(Scheme::MlKem, Direction::Forward);
        assert_eq!((kem.stages.len(), field(&kem).root(), kem.output.is_natural()), (7, 17, true));
        let layers = ml_kem(&input);
        assert_eq!(stages(&kem, &input), layers);
        assert_eq!(run(&kem, &input), layers[7]);
        let back = plan(Scheme::MlKem, Direction::Inverse);
        assert_eq!((run(&back, &layers[7]), ml_kem_inverse(&layers[7])), (input.clone(), input));
        let input = noise(256, 8_380_417);
        let dsa = plan(Scheme::MlDsa, Direction::Forward);
        assert_eq!(stages(&dsa, &input), ml_dsa(&input));
        assert_eq!(run(&plan(Scheme::MlDsa, Direction::Inverse), &ml_dsa(&input)[8]), input);
    }
}

/// FIPS 203, Algorithm 9, by an independent program in Python, which sums each layer: lane k counts k + 1 times.
///
/// ```python
/// q, f, i, l = 3329, [i*i*31 % 3329 for i in range(256)], 1, 128
/// total = lambda: print(sum((k + 1)*v for k, v in enumerate(f)))
/// total()
/// while l >= 2:
///     for s in range(0, 256, 2*l):
///         z = pow(17, int(f"{i:07b}"[::-1], 2), q); i += 1
///         for j in range(s, s + l):
///             t = z*f[j + l] % q; f[j + l] = (f[j] - t) % q; f[j] = (f[j] + t) % q
///     total(); l //= 2
/// ```
#[test]
fn layers_of_ml_kem_equal_those_of_another_program() {
    let of = Parameters { scheme: Scheme::MlKem, ..Parameters::default() };
    let plan = build("ntt", "layers", Shape::line(256), of).unwrap();
    let input: Vec<i64> = (0..256).map(|i| i * i * 31 % 3329).collect();
    let total = |lanes: &Vec<i64>| (1..).zip(lanes).map(|(k, lane)| k * lane).sum::<i64>();
    let totals: Vec<i64> = stages(&plan, &input).iter().map(total).collect();
    assert_eq!(totals, [55743082, 53837073, 58565803, 56220812, 51702107, 54854241, 53751043, 55228572]);
}

#[test]
fn every_algorithm_has_the_order_of_a_scheme() {
    for (scheme, n, q, psi) in
        [(Scheme::MlDsa, 256, 8_380_417, 1753), (Scheme::Falcon512, 512, 12_289, 49), (Scheme::Falcon1024, 1024, 12_289, 7)]
    {
        let input = noise(n, q);
        let expected: Vec<i64> = {
            let natural = definition(&input, psi, true, q.into());
            (0..n).map(|k| natural[bit_reversed(k, n.ilog2()) as usize]).collect()
        };
        for algorithm in ["layers", "stockham", "gentleman-sande", "cooley-tukey", "constant-geometry"] {
            let of = |direction| {
                let parameters = Parameters { scheme, direction, ..Parameters::default() };
                build("ntt-negacyclic", algorithm, Shape::line(n), parameters).unwrap()
            };
            let found = of(Direction::Forward).run_exact(&input).unwrap();
            let plan = of(Direction::Forward);
            assert_eq!(plan.output.natural(&found), expected, "{algorithm} of {}", scheme.name());
            let back = of(Direction::Inverse);
            assert_eq!(back.output.natural(&back.run_exact(&expected).unwrap()), input, "{algorithm} of {}", scheme.name());
        }
    }
}

/// Pointwise products of spectra are products of polynomials modulo x^n − 1 or x^n + 1; pairs of ML-KEM multiply as FIPS 203, Algorithm 12 says.
#[test]
fn products_of_spectra_are_products_of_polynomials() {
    let (n, q) = (64, 12_289_i64);
    let [f, g] = [noise(n, q as u64), noise(2 * n, q as u64)[n..].to_vec()];
    for (name, sign) in [("ntt", 1), ("ntt-negacyclic", -1)] {
        let mut expected = vec![0_i64; n];
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let wrapped = if i + j < n { 1 } else { sign };
            expected[(i + j) % n] = (expected[(i + j) % n] + wrapped * f[i] * g[j]).rem_euclid(q);
        }
        for algorithm in ALGORITHMS {
            let of = |direction| {
                let parameters = Parameters { modulus: Some(q as usize), direction, ..Parameters::default() };
                build(name, algorithm, Shape::line(n), parameters).unwrap()
            };
            let spectra = [&f, &g].map(|x| run(&of(Direction::Forward), x));
            let products: Vec<i64> = spectra[0].iter().zip(&spectra[1]).map(|(a, b)| a * b % q).collect();
            assert_eq!(run(&of(Direction::Inverse), &products), expected, "{name} by {algorithm}");
        }
    }
}

/// The product modulo x^n + 1 and q as a double loop.
fn polynomial_product(f: &[i64], g: &[i64], q: i64) -> Vec<i64> {
    let n = f.len();
    let mut sums = vec![0_i128; n];
    for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
        let product = i128::from(f[i]) * i128::from(g[j]);
        sums[(i + j) % n] += if i + j < n { product } else { -product };
    }
    sums.into_iter().map(|sum| sum.rem_euclid(q.into()) as i64).collect()
}

#[test]
fn products_of_schemes_go_through_values_or_pairs() {
    let modulo = |q: usize, layers| Parameters { modulus: Some(q), layers, ..Parameters::default() };
    let of = |scheme| Parameters { scheme, ..Parameters::default() };
    for (n, parameters, n_stages) in [
        (256, of(Scheme::MlKem), 7 + 5 + 8),
        (256, of(Scheme::MlDsa), 8 + 1 + 9),
        (512, of(Scheme::Falcon512), 9 + 1 + 10),
        (16, modulo(97, Some(3)), 3 + 5 + 4),
        (2, modulo(17, Some(0)), 5),
        (8, modulo(2_013_265_921, None), 3 + 1 + 4),
        (1, modulo(17, None), 1),
    ] {
        let plan = build("negacyclic-convolution", "convolution-theorem", Shape::line(n), parameters).unwrap();
        assert_eq!(plan.stages.len(), n_stages, "{n} values");
        let q = field(&plan).modulus();
        let [f, g] = [noise(n, q.into()), noise(2 * n, q.into())[n..].to_vec()];
        let expected = polynomial_product(&f, &g, q.into());
        assert_eq!(run(&plan, &[&f[..], &g].concat()), expected, "{n} values modulo {q}");
        let rows = build("negacyclic-convolution", "convolution-theorem", Shape { rows: 3, columns: n }, parameters).unwrap();
        let three = [&f[..], &g, &g, &f, &f, &g].concat();
        assert_eq!(run(&rows, &three), [&expected[..], &expected, &expected].concat(), "three rows of {n} values modulo {q}");
    }
    let refused = |n, parameters| build("negacyclic-convolution", "convolution-theorem", Shape::line(n), parameters).unwrap_err();
    let error = refused(16, modulo(97, Some(2)));
    assert_eq!(error.to_string(), "2 layers leave polynomials of 4 values, and products end in single values or pairs");
    assert!(!error.remedies().is_empty() && refused(24, modulo(97, None)).remedies().contains(&Remedy::Size(32)));
}

#[test]
fn an_incomplete_transform_equals_its_definition() {
    for (n, layers, scheme) in
        [(256, None, Scheme::MlKem), (256, Some(3), Scheme::MlKem), (24, Some(2), Scheme::None), (32, Some(0), Scheme::None)]
    {
        for direction in [Direction::Forward, Direction::Inverse] {
            let parameters = Parameters { scheme, layers, direction, modulus: Some(3329), ..Parameters::default() };
            let plan = build("ntt-negacyclic", "layers", Shape::line(n), parameters).unwrap();
            let matrix = transform("ntt-negacyclic").unwrap().definition.unwrap()(Shape::line(n), parameters);
            assert_eq!(plan.matrix(), matrix, "{n} values in {layers:?} layers");
            let refused = build("ntt-negacyclic", "stockham", Shape::line(n), parameters).unwrap_err();
            assert!(refused.remedies().contains(&Remedy::Algorithm("layers")), "{refused}");
        }
    }
}

#[test]
fn refusals_say_what_would_do() {
    let told = |n: usize, parameters: Parameters| {
        let error = build("ntt-negacyclic", "layers", Shape::line(n), parameters).unwrap_err();
        assert!(!error.to_string().contains('\n') && !error.remedies().is_empty(), "{error}");
        (error.to_string(), error.remedies())
    };
    let modulus = |q: usize| Parameters { modulus: Some(q), ..Parameters::default() };
    let (text, remedies) = told(256, modulus(3329));
    assert_eq!(text, "modulo 3329 there is no root of unity for 256 values, since 2·256 does not divide 3328 = 2^8·13");
    assert_eq!(remedies[0], Remedy::Size(416));
    assert!(told(8, modulus(12_287)).0.contains("no prime: it is 11 × 1117"));
    assert!(told(8, Parameters { root: Some(3), ..modulus(97) }).0.contains("the root 3 has order 48, and not 16"));
    let scheme = Parameters { scheme: Scheme::MlKem, ..Parameters::default() };
    assert_eq!(told(128, scheme), ("ML-KEM has rows of the length 256, and 128 is given".into(), vec![Remedy::Size(256)]));
    assert!(told(256, Parameters { modulus: Some(97), ..scheme }).0.contains("ML-KEM has the modulus 3329"));
    assert!(told(24, Parameters { layers: Some(4), ..modulus(97) }).0.contains("at most 3 layers"));
}

/// The edges of the JSON, multiplied stage after stage modulo q, give the result.
#[test]
fn the_graph_has_residues() {
    let parameters = Parameters { modulus: Some(12_289), root: Some(49), ..Parameters::default() };
    let plan = build("ntt", "stockham-2", Shape::line(1024), parameters).unwrap();
    assert_eq!((field(&plan).root(), field(&plan).order()), (49, 1024));
    let plan = build("ntt", "gentleman-sande", Shape::line(16), Parameters { root: None, ..parameters }).unwrap();
    let input = noise(16, 12_289);
    let values = stages(&plan, &input)
        .into_iter()
        .skip(1)
        .map(|lanes| lanes.into_iter().map(|x| LaneValue::from(Complex64::from(x as f64))).collect());
    let values: Vec<Vec<LaneValue>> = values.collect();
    let request = GraphRequest { schedule: Schedule::by_stage(&plan), plan: plan.clone(), options: GraphOptions::default() };
    let json: serde_json::Value = serde_json::from_slice(&export(GraphFormat::Json, &request, Some(&values)).unwrap()).unwrap();
    assert_eq!((json["ring"].as_str(), json["modulus"].as_u64(), json["root_order"].as_u64()), (Some("prime"), Some(12_289), Some(16)));
    let mut lanes = input;
    for stage in json["stages"].as_array().unwrap() {
        let mut next = vec![0; 16];
        for edge in stage["edges"].as_array().unwrap() {
            let [from, to] = ["from", "to"].map(|end| edge[end].as_u64().unwrap() as usize);
            next[to] = (next[to] + edge["re"].as_f64().unwrap() as i64 * lanes[from]) % 12_289;
        }
        lanes = next;
    }
    assert_eq!(lanes, *stages(&plan, &noise(16, 12_289)).last().unwrap());
}

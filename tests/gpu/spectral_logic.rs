//! Spectral logic: exact spectra of Boolean functions, the flow graphs of Figure 2 of Gajić and Stanković 2011, and integers that never wrap.

use papillon::choice::Named as _;
use papillon::plan::{Coef, Direction, IntegerWidth, Plan, Ring};
use papillon::remedy::{Remedies as _, Remedy};
use papillon::transforms::{Base, Parameters, RowOrder, Shape, transform};

fn plan(name: &str, algorithm: &str, n: usize, parameters: Parameters) -> Plan {
    transform(name).unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap()(Shape::line(n), parameters).unwrap()
}

fn walsh(order: RowOrder) -> Parameters {
    Parameters { order, ..Parameters::default() }
}

/// The spectrum by the definition, in integers; modulo 2 where the plan is.
fn by_definition(name: &str, values: &[i64], parameters: Parameters) -> Vec<i64> {
    let sums = transform(name).unwrap().definition.unwrap()(Shape::line(values.len()), parameters);
    let sums = sums.iter().map(|row| row.iter().zip(values).map(|(weight, value)| weight.re as i64 * value).sum::<i64>());
    if name == "reed-muller" { sums.map(|sum| sum.rem_euclid(2)).collect() } else { sums.collect() }
}

/// Every integer transform with every algorithm and order.
fn every_spectrum(values: &[i64], mut visit: impl FnMut(&str, Plan, Vec<i64>)) {
    for name in ["walsh", "reed-muller", "arithmetic", "kronecker", "haar", "haar-printed"] {
        let orders = if name == "walsh" { RowOrder::ALL } else { &RowOrder::ALL[..1] };
        for &order in orders {
            let parameters = Parameters { matrix: Base([2.0, -1.0, 1.0, 3.0]), ..walsh(order) };
            let expected = by_definition(name, values, parameters);
            for algorithm in transform(name).unwrap().algorithms {
                visit(name, plan(name, algorithm.name, values.len(), parameters), expected.clone());
            }
        }
    }
}

#[test]
fn all_functions_of_three_variables_are_exact() {
    for function in 0..256_u32 {
        let values: Vec<i64> = (0..8).map(|i| i64::from(function >> i & 1)).collect();
        every_spectrum(&values, |name, plan, expected| {
            assert_eq!(plan.run_exact(&values).unwrap(), expected, "{name} of function {function}");
        });
    }
}

#[test]
fn random_functions_up_to_twelve_variables_are_exact() {
    let mut state = 7_u64;
    for n in [4_u32, 5, 7, 10, 12] {
        let values: Vec<i64> = (0..1 << n)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 63) as i64
            })
            .collect();
        every_spectrum(&values, |name, plan, expected| assert_eq!(plan.run_exact(&values).unwrap(), expected, "{name}, {n} variables"));
    }
}

#[test]
fn an_inverse_gives_integers_back() {
    let values: Vec<i64> = (0..64).map(|i| i * i % 23 - 11).collect();
    every_spectrum(&values, |name, forward, spectrum| {
        let inverse = Parameters { direction: Direction::Inverse, matrix: Base([2.0, -1.0, 1.0, 3.0]), ..Parameters::default() };
        // The determinant 7 of that matrix makes fractions that no binary number has.
        if name == "walsh" || name == "kronecker" {
            return;
        }
        for algorithm in transform(name).unwrap().algorithms {
            let back = plan(name, algorithm.name, 64, inverse);
            let spectrum: Vec<_> = spectrum.iter().map(|&value| (value as f64).into()).collect();
            let found = back.run(&spectrum).iter().map(|value| value.re).collect::<Vec<_>>();
            let expected: Vec<f64> =
                values.iter().map(|&value| if forward.ring == Ring::Gf2 { (value & 1) as f64 } else { value as f64 }).collect();
            assert_eq!(found, expected, "{name} {}", algorithm.name);
        }
    });
    for &order in RowOrder::ALL {
        let spectrum = plan("walsh", "constant-geometry", 64, walsh(order)).run_exact(&values).unwrap();
        let spectrum: Vec<_> = spectrum.iter().map(|&value| (value as f64).into()).collect();
        for algorithm in ["cooley-tukey", "constant-geometry"] {
            let back = plan("walsh", algorithm, 64, Parameters { direction: Direction::Inverse, ..walsh(order) });
            assert!(back.run(&spectrum).iter().map(|value| value.re as i64).eq(values.iter().copied()), "{algorithm} {order:?}");
        }
    }
}

/// The lines of every column as "from→to", with a minus sign where they are dashed.
fn columns(plan: &Plan) -> Vec<String> {
    let line = |edge: &papillon::plan::Edge| match edge.weight {
        Coef::Real(1.0) => format!("{}→{}", edge.from, edge.to),
        Coef::Real(-1.0) => format!("−{}→{}", edge.from, edge.to),
        other => panic!("{other:?} is neither solid nor dashed"),
    };
    let column = |stage: &papillon::plan::Stage| {
        let mut edges = stage.edges();
        edges.sort_by_key(|edge| (edge.to, edge.from));
        edges.iter().map(line).collect::<Vec<_>>().join(" ")
    };
    plan.stages.iter().map(column).collect()
}

#[test]
fn figure_2a_walsh_cooley_tukey() {
    let expected = [
        "0→0 4→0 1→1 5→1 2→2 6→2 3→3 7→3 0→4 −4→4 1→5 −5→5 2→6 −6→6 3→7 −7→7",
        "0→0 2→0 1→1 3→1 0→2 −2→2 1→3 −3→3 4→4 6→4 5→5 7→5 4→6 −6→6 5→7 −7→7",
        "0→0 1→0 0→1 −1→1 2→2 3→2 2→3 −3→3 4→4 5→4 4→5 −5→5 6→6 7→6 6→7 −7→7",
    ];
    assert_eq!(columns(&plan("walsh", "cooley-tukey", 8, Parameters::default())), expected);
}

#[test]
fn figure_2b_walsh_constant_geometry() {
    // Odd threads write v − u, except in the last step: the spectrum is in sequency order.
    let expected = [
        "0→0 1→0 2→1 3→1 4→2 5→2 6→3 7→3 0→4 −1→4 −2→5 3→5 4→6 −5→6 −6→7 7→7",
        "0→0 1→0 2→1 3→1 0→2 −1→2 −2→3 3→3 4→4 5→4 6→5 7→5 4→6 −5→6 −6→7 7→7",
        "0→0 1→0 0→1 −1→1 2→2 3→2 2→3 −3→3 4→4 5→4 4→5 −5→5 6→6 7→6 6→7 −7→7",
    ];
    assert_eq!(columns(&plan("walsh", "constant-geometry", 8, walsh(RowOrder::Sequency))), expected);
    // The same lines, all of them solid but for the differences: dyadic order.
    let dyadic = columns(&plan("walsh", "constant-geometry", 8, walsh(RowOrder::Dyadic)));
    assert_eq!(dyadic[0], "0→0 1→0 2→1 3→1 4→2 5→2 6→3 7→3 0→4 −1→4 2→5 −3→5 4→6 −5→6 6→7 −7→7");
    assert_eq!(dyadic[2], expected[2]);
    // Every step writes t and t + N/2: natural order.
    let natural = columns(&plan("walsh", "constant-geometry", 8, walsh(RowOrder::Natural)));
    assert!(natural.len() == 3 && natural.iter().all(|column| *column == dyadic[0]));
}

#[test]
fn figure_2c_reed_muller() {
    let expected = [
        "0→0 1→1 2→2 3→3 0→4 4→4 1→5 5→5 2→6 6→6 3→7 7→7",
        "0→0 1→1 0→2 2→2 1→3 3→3 4→4 5→5 4→6 6→6 5→7 7→7",
        "0→0 0→1 1→1 2→2 2→3 3→3 4→4 4→5 5→5 6→6 6→7 7→7",
    ];
    let plan = plan("reed-muller", "cooley-tukey", 8, Parameters::default());
    assert_eq!(columns(&plan), expected);
    assert_eq!(plan.ring, Ring::Gf2);
}

#[test]
fn figure_2d_arithmetic() {
    let expected = [
        "0→0 1→1 2→2 3→3 −0→4 4→4 −1→5 5→5 −2→6 6→6 −3→7 7→7",
        "0→0 1→1 −0→2 2→2 −1→3 3→3 4→4 5→5 −4→6 6→6 −5→7 7→7",
        "0→0 −0→1 1→1 2→2 −2→3 3→3 4→4 −4→5 5→5 6→6 −6→7 7→7",
    ];
    assert_eq!(columns(&plan("arithmetic", "cooley-tukey", 8, Parameters::default())), expected);
}

#[test]
fn figure_2e_haar_cooley_tukey() {
    let expected =
        ["0→0 4→0 1→1 5→1 2→2 6→2 3→3 7→3 0→4 −4→4 1→5 −5→5 2→6 −6→6 3→7 −7→7", "0→0 2→0 1→1 3→1 0→2 −2→2 1→3 −3→3", "0→0 1→0 0→1 −1→1"];
    let plan = plan("haar-printed", "cooley-tukey", 8, Parameters::default());
    assert_eq!(columns(&plan), expected);
    assert!(plan.in_place());
}

#[test]
fn figure_2f_haar_constant_geometry() {
    let expected =
        ["0→0 1→0 2→1 3→1 4→2 5→2 6→3 7→3 0→4 −1→4 2→5 −3→5 4→6 −5→6 6→7 −7→7", "0→0 1→0 2→1 3→1 0→2 −1→2 2→3 −3→3", "0→0 1→0 0→1 −1→1"];
    let plan = plan("haar", "constant-geometry", 8, Parameters::default());
    assert_eq!(columns(&plan), expected);
    assert!(!plan.in_place());
}

#[test]
fn the_standard_haar_spectrum_in_place_is_sorted_by_a_permutation() {
    let columns = columns(&plan("haar", "cooley-tukey", 8, Parameters::default()));
    assert_eq!(columns[0], "0→0 1→0 0→1 −1→1 2→2 3→2 2→3 −3→3 4→4 5→4 4→5 −5→5 6→6 7→6 6→7 −7→7");
    assert_eq!(columns[2..], ["0→0 4→0 0→4 −4→4", "0→0 4→1 2→2 6→3 1→4 3→5 5→6 7→7"]);
}

#[test]
fn example_1_of_the_dyadic_paper() {
    for algorithm in ["cooley-tukey", "constant-geometry"] {
        assert_eq!(plan("walsh", algorithm, 4, Parameters::default()).run_exact(&[1, 0, 1, 1]).unwrap(), [3, 1, -1, 1]);
    }
}

#[test]
fn rings_are_the_smallest_that_hold_the_coefficients() {
    let inverse = Parameters { direction: Direction::Inverse, ..Parameters::default() };
    assert_eq!(plan("arithmetic", "cooley-tukey", 8, inverse).ring, Ring::Integer(IntegerWidth::Bits64));
    assert_eq!(plan("walsh", "cooley-tukey", 8, inverse).ring, Ring::Real);
    assert_eq!(plan("haar", "cooley-tukey", 8, Parameters { normalized: true, ..Parameters::default() }).ring, Ring::Real);
    assert_eq!(plan("dft", "stockham", 8, Parameters::default()).ring, Ring::Complex);
    let unimodular = Parameters { matrix: Base([2.0, 1.0, 1.0, 1.0]), ..inverse };
    assert_eq!(plan("kronecker", "cooley-tukey", 8, unimodular).ring, Ring::Integer(IntegerWidth::Bits64));
}

#[test]
fn bounds_are_reached_and_never_passed() {
    for (name, worst) in
        [("walsh", vec![1; 16]), ("arithmetic", (0..16_u32).map(|i| if i.count_ones() % 2 == 0 { 1 } else { -1 }).collect())]
    {
        let plan = plan(name, "cooley-tukey", 16, Parameters::default());
        let largest = plan.run_exact(&worst).unwrap().iter().map(|value| value.unsigned_abs()).max().unwrap();
        assert_eq!(plan.bound(1), Some(largest.into()), "{name}");
    }
    let wide = plan("walsh", "constant-geometry", 16, Parameters::default());
    assert_eq!(wide.bound(u64::MAX), Some(u128::from(u64::MAX) * 16));
    assert_eq!(wide.run_exact(&[i64::MAX; 16]), None);
    assert_eq!(wide.run_exact(&[i64::MAX / 16; 16]).unwrap()[0], i64::MAX / 16 * 16);
}

#[test]
fn what_cannot_be_planned_is_said_in_one_line() {
    let build = transform("walsh").unwrap().first_plan().plan_fn().unwrap();
    let error = build(Shape::line(12), Parameters::default()).unwrap_err();
    assert_eq!(error.remedies(), [Remedy::Size(16)]);
    let error = error.to_string();
    assert!(error.contains("walsh") && error.contains("12") && !error.contains('\n'), "{error}");
    let build = transform("kronecker").unwrap().first_plan().plan_fn().unwrap();
    let singular = Parameters { direction: Direction::Inverse, matrix: Base([1.0, 2.0, 2.0, 4.0]), ..Parameters::default() };
    let error = build(Shape::line(8), singular).unwrap_err().to_string();
    assert!(error.contains("1,2,2,4") && error.contains("singular") && !error.contains('\n'), "{error}");
}

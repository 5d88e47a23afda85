//! Every algorithm's plan equals the definition of its transform, at every drawable size.

use num_complex::Complex64;
use papillon::choice::Named as _;
use papillon::plan::{Direction, OperationCounts, Plan, Ring};
use papillon::remedy::{Remedies as _, Remedy};
use papillon::transforms::{
    Algorithm, Axes, Base, Boundary, Numbers, PacketOrder, Parameter, Parameters, RowOrder, Shape, Transform, linear_transforms,
};

/// Powers of two, products of small primes, primes, and lengths that mix them.
const SIZES: [usize; 24] = [1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 15, 16, 17, 30, 31, 32, 34, 37, 49, 60, 64, 97, 100, 210];

/// The shapes at which a matrix is compared.
fn shapes(transform: &Transform) -> Vec<Shape> {
    match transform.axes {
        Axes::Rows | Axes::Columns => SIZES.map(Shape::line).to_vec(),
        Axes::Both => [(1, 1), (1, 4), (4, 1), (2, 2), (4, 8), (8, 4), (8, 8), (3, 5), (6, 1), (1, 7), (12, 10), (4, 15)]
            .map(|(rows, columns)| Shape { rows, columns })
            .to_vec(),
    }
}

/// Everything that can be chosen of a transform, in both directions.
fn choices(transform: &Transform) -> Vec<Parameters> {
    let has = |parameter| transform.parameters.contains(&parameter);
    let orders = match () {
        () if has(Parameter::Order) => RowOrder::ALL,
        () if has(Parameter::IndexOrder) => &[RowOrder::Natural, RowOrder::Dyadic],
        () => &[RowOrder::Natural],
    };
    let norms = if has(Parameter::Normalized) { &[false, true][..] } else { &[false] };
    let matrices = if has(Parameter::Matrix) { &MATRICES[..] } else { &MATRICES[..1] };
    let mut all = Vec::new();
    for direction in [Direction::Forward, Direction::Inverse] {
        for tile_lanes in [None, Some(1), Some(4)] {
            for &order in orders {
                for &normalized in norms {
                    let choice = Parameters { direction, tile_lanes, order, normalized, ..Parameters::default() };
                    all.extend(matrices.iter().map(|&matrix| Parameters { matrix, ..choice }));
                }
            }
        }
    }
    if has(Parameter::Levels) {
        // No wavelet transform has a local part.
        return all.into_iter().filter(|choice| choice.tile_lanes.is_none()).flat_map(|choice| wavelets(transform, choice)).collect();
    }
    all
}

/// From one level to the most, with every boundary extension and order of packets that the transform knows.
fn wavelets(transform: &Transform, choice: Parameters) -> Vec<Parameters> {
    let has = |parameter| transform.parameters.contains(&parameter);
    let boundaries = if has(Parameter::Boundary) { &[Boundary::Symmetric, Boundary::Periodic][..] } else { &[Boundary::Symmetric] };
    let orders = if has(Parameter::PacketOrder) { &[PacketOrder::Natural, PacketOrder::Frequency][..] } else { &[PacketOrder::Natural] };
    let mut all = Vec::new();
    for levels in [None, Some(0), Some(1), Some(2), Some(3), Some(6), Some(8)] {
        for &boundary in boundaries {
            all.extend(orders.iter().map(|&packet_order| Parameters { levels, boundary, packet_order, ..choice }));
        }
    }
    all
}

/// Matrices of Kronecker transforms: integer, of determinant 1 and not, and with fractions.
const MATRICES: [Base; 4] = [Base::WALSH, Base([2.0, 1.0, 1.0, 1.0]), Base([1.0, -2.0, 0.5, 1.0]), Base([0.6, 0.8, -0.8, 0.6])];

/// Every plan of the table at every shape, with everything that can be chosen.
fn every_plan(mut visit: impl FnMut(&Transform, &Algorithm, Shape, Parameters, Plan)) {
    // Half spectra are not matrices over the complex numbers: tests/real.rs compares them.
    for transform in linear_transforms().filter(|transform| transform.gives != Numbers::HalfSpectrum) {
        for algorithm in transform.algorithms {
            let Some(build) = algorithm.plan_fn() else { continue };
            for shape in shapes(transform) {
                // Only the global and local kernels have tiles of their own.
                let has_tiles = algorithm.name.starts_with("global-local");
                for parameters in choices(transform).into_iter().filter(|choice| has_tiles || choice.tile_lanes.is_none()) {
                    // Another test names the refused combinations.
                    if let Ok(plan) = build(shape, parameters) {
                        visit(transform, algorithm, shape, parameters, plan);
                    }
                }
            }
        }
    }
}

fn distance(a: &[Vec<Complex64>], b: &[Vec<Complex64>]) -> f64 {
    a.iter().flatten().zip(b.iter().flatten()).map(|(x, y)| (x - y).norm()).fold(0.0, f64::max)
}

#[test]
fn matrices_equal_the_definition() {
    let mut n_compared = 0;
    every_plan(|transform, algorithm, shape, parameters, plan| {
        let expected = transform.definition.unwrap()(shape, parameters);
        let largest = expected.iter().flatten().map(|value| value.norm()).fold(1.0, f64::max);
        let error = distance(&plan.matrix(), &expected) / largest;
        assert!(error < 1e-14 * shape.len() as f64, "{} {} {shape:?} {parameters:?}: {error}", transform.name, algorithm.name);
        n_compared += 1;
    });
    assert!(n_compared > 100, "only {n_compared} plans in the table");
}

#[test]
fn the_reference_run_equals_the_matrix() {
    every_plan(|transform, algorithm, shape, parameters, plan| {
        let sample = |i: usize| match plan.ring {
            Ring::Gf2 => Complex64::from((i * i % 7 % 2) as f64),
            Ring::Prime(_) => Complex64::from((i * i % 7) as f64),
            _ => Complex64::new((i as f64 * 0.7).sin(), (i as f64 * 1.3).cos()),
        };
        let input: Vec<Complex64> = (0..plan.inputs).map(sample).collect();
        let result = plan.output.natural(&plan.run(&input));
        for (row, value) in transform.definition.unwrap()(shape, parameters).iter().zip(&result) {
            let sum: Complex64 = row.iter().zip(&input).map(|(weight, x)| weight * x).sum();
            let expected = plan.ring.reduced(sum);
            assert!((expected - value).norm() < 1e-12 * (1.0 + sum.norm()), "{} {} {shape:?}", transform.name, algorithm.name);
        }
    });
}

#[test]
fn rows_are_transformed_one_by_one() {
    for transform in linear_transforms().filter(|transform| transform.axes == Axes::Rows && transform.gives != Numbers::HalfSpectrum) {
        for build in transform.algorithms.iter().filter_map(Algorithm::plan_fn) {
            for n in [1, 2, 5, 8, 12, 16, 17] {
                let parameters = Parameters::default();
                let Ok(batch) = build(Shape { rows: 3, columns: n }, parameters) else { continue };
                let line = build(Shape::line(n), parameters).unwrap();
                let input: Vec<Complex64> = (0..3 * n).map(|i| Complex64::new(i as f64, 1.0)).map(|x| batch.ring.reduced(x)).collect();
                let expected: Vec<_> = input.chunks(n).flat_map(|row| line.output.natural(&line.run(row))).collect();
                assert_eq!(batch.output.natural(&batch.run(&input)), expected);
            }
        }
    }
}

#[test]
fn in_place_and_order_are_as_the_literature_says() {
    let dft = papillon::transforms::transform("dft").unwrap();
    let plan = |name: &str| dft.algorithm(name).unwrap().plan_fn().unwrap()(Shape::line(16), Parameters::default()).unwrap();
    assert!(plan("cooley-tukey-dif").in_place());
    assert!(!plan("constant-geometry").in_place());
    assert!(plan("stockham").output.is_natural() && !plan("stockham-2").in_place());
    assert_eq!(plan("cooley-tukey-dif").output.index(1), 8);
    assert_eq!(plan("stockham-2").stages.len(), 4);
    // Radix 2: N/2·log2 N butterflies of two additions each; N − 1 of the twiddles are 1, and N/2 − 1 are −i.
    for name in ["stockham-2", "stockham-dit-2", "cooley-tukey-dif", "cooley-tukey-dit", "constant-geometry"] {
        assert_eq!(plan(name).operations(), OperationCounts { additions: 16 * 4, multiplications: 8 * 4 - 15 - 7 });
    }
}

#[test]
fn a_length_that_no_plan_takes_is_refused_in_one_line() {
    let dft = papillon::transforms::transform("dft").unwrap();
    for (name, length) in [("stockham", 37), ("stockham", 2 * 41), ("stockham-8", 12), ("global-local", 3)] {
        let told = dft.algorithm(name).unwrap().plan_fn().unwrap()(Shape::line(length), Parameters::default()).unwrap_err();
        assert!(told.remedies().contains(&Remedy::Algorithm("bluestein")), "{told}");
        assert!(told.to_string().contains(&length.to_string()) && !told.to_string().contains('\n'), "{told}");
    }
    assert!(papillon::transforms::transform("dtf").err().unwrap().to_string().contains("dft2"));
}

#[test]
fn miniatures_are_built_the_same_way() {
    let [dft, dft2] = ["dft", "dft2"].map(|name| papillon::transforms::transform(name).unwrap());
    let small = |n: usize| dft.miniature(Shape { rows: 3, columns: n }, 32).columns;
    assert_eq!([20, 1 << 20, 1000, 3 << 10, 343, 997, 2 * 499].map(small), [20, 32, 25, 32, 7, 16, 16]);
    assert_eq!(dft2.miniature(Shape { rows: 303, columns: 384 }, 16), Shape { rows: 3, columns: 4 });
    for n in [65, 77, 997, 1000, 1001, 65_537, 999_999] {
        let algorithm = dft.first_plan_for(Shape::line(n), Parameters::default());
        let plan = algorithm.plan_fn().unwrap()(dft.miniature(Shape::line(n), 32), Parameters::default()).unwrap();
        assert!(plan.lanes <= 64, "{n} is drawn by {} lanes of {}", plan.lanes, algorithm.name);
    }
    // Along a side with a large prime the miniature convolves, as what it stands for does, and along the other one it does not.
    for name in ["dft2", "rdft2"] {
        let transform = papillon::transforms::transform(name).unwrap();
        for (rows, columns) in [(37, 53), (74, 106), (64, 53), (37, 64), (303, 384), (60, 64)] {
            let whole = Shape { rows, columns };
            let small = transform.miniature(whole, 32);
            for algorithm in ["stockham", "row-column"] {
                let build = transform.algorithm(algorithm).unwrap().plan_fn().unwrap();
                let plan = build(small, Parameters { stands_for: Some(whole), ..Parameters::default() }).unwrap();
                let n_chirps = |plan: &Plan| plan.stages.iter().filter(|stage| stage.label == "chirp").count();
                let n_transposed = |plan: &Plan| plan.stages.iter().filter(|stage| stage.label == "transpose").count();
                let ran = build(whole, Parameters::default()).unwrap();
                let path = |plan: &Plan| (n_chirps(plan), n_transposed(plan));
                assert_eq!(path(&plan), path(&ran), "{name} of {rows} × {columns} by {algorithm}");
                assert!(plan.lanes <= 64 && plan.unwritten().is_none(), "{} lanes", plan.lanes);
            }
        }
    }
}

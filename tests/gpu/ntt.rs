//! Number-theoretic transforms on the GPU equal the exact plan to the bit: presets, long tables of roots, mixed radices and the definition.

use crate::common::{GO, device};
use papillon::gpu::{KernelChoice, fastest};
use papillon::plan::Direction;
use papillon::transforms::{Parameters, Scheme, Shape, transform};

#[test]
fn residues_equal_those_of_the_exact_plan_to_the_bit() {
    let of = |scheme| Parameters { scheme, ..Parameters::default() };
    let modulo = |q: usize| Parameters { modulus: Some(q), ..Parameters::default() };
    for (name, algorithm, (rows, columns), parameters) in [
        ("ntt-negacyclic", "layers", (3, 256), of(Scheme::MlKem)),
        ("ntt-negacyclic", "layers", (1, 256), of(Scheme::MlDsa)),
        ("ntt-negacyclic", "gentleman-sande", (1, 512), of(Scheme::Falcon512)),
        ("ntt", "stockham", (1, 1 << 14), of(Scheme::BabyBear)),
        ("ntt", "constant-geometry", (1, 1 << 13), of(Scheme::P998244353)),
        ("ntt", "stockham", (1, 1 << 16), of(Scheme::None)),
        ("ntt", "stockham-4", (3, 1 << 11), modulo(12_289)),
        ("ntt", "stockham-2", (1, 1 << 12), of(Scheme::BabyBear)),
        ("ntt", "cooley-tukey", (1, 1 << 13), of(Scheme::P998244353)),
        ("ntt-negacyclic", "layers", (64, 256), of(Scheme::MlKem)),
        ("negacyclic-convolution", "convolution-theorem", (2, 256), of(Scheme::MlKem)),
        ("ntt", "stockham", (2, 24), modulo(97)),
        ("ntt", "direct", (1, 48), modulo(97)),
        ("ntt-negacyclic", "stockham", (1, 93), modulo(8_380_417)),
    ] {
        let directions =
            if transform(name).unwrap().has_inverse { &[Direction::Forward, Direction::Inverse][..] } else { &[Direction::Forward] };
        for &direction in directions {
            let parameters = Parameters { direction, ..parameters };
            let build = transform(name).unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
            let plan = build(Shape { rows, columns }, parameters).unwrap();
            let input: Vec<i64> = (0..plan.inputs as i64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as i64) >> 20).collect();
            let prepared = device().prepare_with(&plan, &fastest(&plan, device().limits()), KernelChoice::Fast).unwrap();
            prepared.upload(&input, &GO).unwrap();
            prepared.spoil().unwrap();
            prepared.run(&GO).unwrap();
            let found = prepared.download_integers(0..plan.outputs, &GO).unwrap();
            assert!(found == plan.run_exact(&input).unwrap(), "{name} by {algorithm} of {rows} × {columns}, {direction:?}");
        }
    }
}

#[test]
fn layers_and_stages_of_residues_share_tiles() {
    let of = |scheme| Parameters { scheme, ..Parameters::default() };
    for (name, algorithm, (rows, columns), scheme, n_launches) in [
        ("ntt-negacyclic", "layers", (64, 256), Scheme::MlKem, 1),
        ("ntt-negacyclic", "layers", (64, 256), Scheme::MlDsa, 1),
        ("ntt", "stockham-2", (1, 1 << 20), Scheme::BabyBear, 3),
        ("ntt", "stockham", (1, 1 << 20), Scheme::BabyBear, 4),
    ] {
        let build = transform(name).unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
        let plan = build(Shape { rows, columns }, of(scheme)).unwrap();
        let n = fastest(&plan, device().limits()).launches.len();
        assert!(n <= n_launches, "{name} by {algorithm} of {rows} × {columns}: {n} launches");
    }
}

//! Variants of the kernels of single stages compute the same transform: twiddles from tables, cosines or sines, and indices by shifts or division.

use crate::common::{GO, Grid, complex_noise, device, relative_error, single, wide};
use papillon::gpu::{KernelChoice, Limits, lower};
use papillon::plan::{Direction, Plan, Ring};
use papillon::schedule::{IndexArithmetic, KernelVariant, Schedule, TwiddleSource};
use papillon::transforms::{Parameters, Shape, transform};
use std::cell::LazyCell;

fn plan(name: &str, algorithm: &str, n: usize, direction: Direction) -> Plan {
    let build = transform(name).unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
    let plan = build(Shape::line(n), Parameters { direction, ..Parameters::default() }).unwrap();
    if plan.ring.is_exact() { plan.over(Ring::Real) } else { plan }
}

const SOURCES: [TwiddleSource; 3] = [TwiddleSource::Table, TwiddleSource::QuarterTable, TwiddleSource::Computed];
const INDICES: [IndexArithmetic; 2] = [IndexArithmetic::Shifts, IndexArithmetic::Division];

#[test]
fn every_variant_equals_the_reference() {
    let mut grid = Grid::new();
    let algorithms = ["cooley-tukey-dif", "cooley-tukey-dit", "constant-geometry", "stockham", "stockham-dit-2", "stockham-dit-8"];
    let lines = algorithms.map(|algorithm| ("dft", algorithm, &[8, 64, 1 << 13][..]));
    let others = [
        ("dft", "stockham", &[60, 7 * 36][..]),
        ("walsh", "cooley-tukey", &[4, 1 << 12]),
        ("walsh", "constant-geometry", &[256]),
        ("haar", "three-buffers", &[8, 1 << 12]),
        ("dft-printed", "stockham-dit-2", &[8, 1 << 12]),
    ];
    for (name, algorithm, sizes) in lines.into_iter().chain(others) {
        for (&n, direction) in sizes.iter().flat_map(|n| [Direction::Forward, Direction::Inverse].map(|direction| (n, direction))) {
            let plan = plan(name, algorithm, n, direction);
            let input = single(&complex_noise(plan.inputs));
            let input: Vec<_> = if plan.ring == Ring::Real { input.iter().map(|value| value.re.into()).collect() } else { input };
            let expected = LazyCell::new(|| plan.run(&wide(&input)));
            let variants = SOURCES.into_iter().flat_map(|twiddles| INDICES.map(|index| (twiddles, index)));
            for (butterflies, (twiddles, index)) in variants.flat_map(|variant| [(None, variant), (Some(1), variant)]) {
                let schedule = Schedule::by_stage_with(&plan, KernelVariant { twiddles, index, butterflies, ..KernelVariant::default() });
                if !grid.takes(&plan, &schedule, device().limits(), KernelChoice::Fast) {
                    continue;
                }
                let prepared = device().prepare_with(&plan, &schedule, KernelChoice::Fast).unwrap();
                prepared.upload(&input, &GO).unwrap();
                prepared.spoil().unwrap();
                prepared.run(&GO).unwrap();
                let error = relative_error(&prepared.download(&GO).unwrap(), &expected);
                // WGSL lets a sine be wrong by 2^−11.
                let of_sines = if twiddles == TwiddleSource::Computed { plan.stages.len() as f64 / 2048.0 } else { 0.0 };
                let most = 3e-8 * (n as f64).log2().max(5.0) + of_sines;
                assert!(error < most, "{name} by {algorithm} of {n}, {direction:?}, {twiddles:?}, {index:?}: relative error {error:e}");
            }
        }
    }
}

#[test]
fn the_texts_of_variants_differ_in_what_they_are_named_after() {
    let plan = plan("dft", "cooley-tukey-dif", 64, Direction::Forward);
    let text = |twiddles, index| {
        let schedule = Schedule::by_stage_with(&plan, KernelVariant { twiddles, index, ..KernelVariant::default() });
        lower::lower(&plan, &schedule, Limits::DESKTOP, KernelChoice::Fast).unwrap().commands[1].kernel.text()
    };
    let texts = SOURCES.map(|twiddles| text(twiddles, IndexArithmetic::Shifts));
    assert!(texts[0].contains("return roots[") && !texts[0].contains("cos("));
    assert!(texts[1].contains("root_cosine(row)") && !texts[1].contains(" cos("));
    assert!(texts[2].contains("cos(angle), sin(angle)") && !texts[2].contains("roots["));
    let divided = text(TwiddleSource::Table, IndexArithmetic::Division);
    assert!(divided.contains(" % launch.p_divisor") && divided.contains(" / launch.before_"), "{divided}");
    assert!(!texts[0].contains("_divisor"));
}

/// Half as many numbers as a table of roots: N/2 cosines, two in an entry.
#[test]
fn a_table_of_cosines_is_the_one_of_the_thesis() {
    let plan = plan("dft", "constant-geometry", 16, Direction::Forward);
    let schedule = Schedule::by_stage_with(&plan, KernelVariant { twiddles: TwiddleSource::QuarterTable, ..KernelVariant::default() });
    let roots = lower::lower(&plan, &schedule, Limits::DESKTOP, KernelChoice::Fast).unwrap().roots;
    let printed = [1.0, 22.5_f64.to_radians().cos(), 0.5_f64.sqrt(), 67.5_f64.to_radians().cos(), 0.0];
    let mirrored = [3, 2, 1].map(|row: usize| -printed[row]);
    let cosines: Vec<f64> = roots[roots.len() - 4..].iter().flatten().copied().collect();
    assert!(cosines.iter().zip(printed.iter().chain(&mirrored)).all(|(a, b)| (a - b).abs() < 1e-15), "{cosines:?}");
}

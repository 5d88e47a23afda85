//! Every plan that has a fast kernel gets it: a stride that drifts must not fall to the slow kernel in silence.
//!
//! Lowering is pure data, so these tests need no device.

use papillon::gpu::{KernelChoice, Limits, fastest, lower};
use papillon::plan::{Direction, Precision, Ring};
use papillon::transforms::{Parameters, Shape, TRANSFORMS, transform};

const LIMITS: Limits =
    Limits { workgroup_bytes: 48 << 10, max_invocations: 1024, max_groups: 65_535, subgroup: 32, precision: Precision::Single };

const ROWS: (usize, usize) = (4, 4096);
const LONG: (usize, usize) = (1, 1 << 20);
const IMAGE: (usize, usize) = (512, 512);
const LIFTING: &[&str] = &["direct", "split-merge", "overlapped"];
const D4_LIFTING: &[&str] = &["lifting", "split-merge", "overlapped"];
const FILTER_BANK: &[&str] = &["filter-bank", "filter-bank-split-merge", "filter-bank-overlapped"];

/// Algorithms of a transform, rows × columns, and the families of all their kernels in both directions, in alphabetical order.
/// Exact transforms run on real lanes here.
type Expected = (&'static str, &'static [&'static str], &'static [(usize, usize)], &'static [&'static str]);

const EXPECTED: &[Expected] = &[
    ("dft", &["stockham", "stockham-8", "stockham-4", "bluestein"], &[ROWS, LONG, IMAGE], &["fft"]),
    // Tiles of bits keep several stages of radix 2 in registers.
    ("dft", &["stockham-2", "stockham-dit-2"], &[ROWS, LONG, IMAGE], &["stage"]),
    ("dft", &["stockham-dit-8", "stockham-dit-4"], &[ROWS, LONG, IMAGE], &["fft"]),
    ("dft2", &["stockham"], &[ROWS, LONG, IMAGE], &["fft"]),
    ("dft2", &["row-column", "bluestein"], &[ROWS, IMAGE], &["fft", "transpose"]),
    ("rdft", &["stockham"], &[ROWS, LONG, IMAGE], &["fft"]),
    // An odd number of lines has no line in the middle.
    ("rdft", &["stockham"], &[(1, 2 * 59_049)], &["fft", "half spectrum"]),
    ("rdft2", &["stockham"], &[ROWS, IMAGE], &["fft"]),
    ("rdft2", &["row-column"], &[ROWS, IMAGE], &["fft", "transpose"]),
    ("walsh", &["cooley-tukey"], &[ROWS, LONG, IMAGE], &["kronecker"]),
    ("walsh2", &["cooley-tukey"], &[ROWS, LONG, IMAGE], &["kronecker"]),
    ("reed-muller", &["cooley-tukey"], &[ROWS, LONG, IMAGE], &["kronecker"]),
    ("arithmetic", &["cooley-tukey"], &[ROWS, LONG, IMAGE], &["kronecker"]),
    ("kronecker", &["cooley-tukey"], &[ROWS, LONG, IMAGE], &["kronecker"]),
    ("haar", &["constant-geometry"], &[ROWS, LONG, IMAGE], &["haar"]),
    ("haar", &["cooley-tukey"], &[LONG], &["level order", "stage"]),
    ("haar2", &["constant-geometry"], &[ROWS, IMAGE], &["haar", "transpose"]),
    ("cdf97", LIFTING, &[ROWS, LONG, IMAGE], &["lifting"]),
    ("cdf97-2", LIFTING, &[IMAGE], &["lifting image"]),
    ("cdf97", FILTER_BANK, &[ROWS, LONG, IMAGE], &["filter bank"]),
    ("cdf97-2", FILTER_BANK, &[IMAGE], &["filter bank image"]),
    ("d2", LIFTING, &[ROWS, LONG, IMAGE], &["lifting"]),
    ("d2-2", LIFTING, &[IMAGE], &["lifting image"]),
    ("d4", D4_LIFTING, &[ROWS, LONG, IMAGE], &["lifting"]),
    ("d4", FILTER_BANK, &[ROWS, LONG, IMAGE], &["filter bank"]),
    ("d4-2", D4_LIFTING, &[IMAGE], &["lifting image"]),
    ("d4-2", FILTER_BANK, &[IMAGE], &["filter bank image"]),
    ("d4-packet", &["filter-bank", "split-merge", "overlapped"], &[ROWS, LONG, IMAGE], &["filter bank"]),
    ("dyadic-convolution", &["convolution-theorem"], &[LONG], &["kronecker"]),
    ("dyadic-autocorrelation", &["convolution-theorem"], &[LONG], &["kronecker"]),
    ("tridiagonal", &["cyclic-reduction"], &[LONG], &["tridiagonal"]),
];

/// The families of all kernels of a plan in its fastest schedule; `None` where the transform has no plan of the shape in this direction.
fn families(name: &str, algorithm: &str, (rows, columns): (usize, usize), direction: Direction) -> Option<Vec<&'static str>> {
    let transform = transform(name).unwrap();
    let build = transform.algorithm(algorithm).unwrap().plan_fn().unwrap();
    let mut parameters = Parameters { direction, ..Parameters::default() };
    let mut shape = Shape { rows, columns };
    if direction == Direction::Inverse {
        if !transform.has_inverse {
            return None;
        }
        // Half a spectrum has other columns than the samples.
        shape = transform.result_shape(shape, Parameters::default());
        parameters.columns = (shape.columns != columns).then_some(columns);
    }
    let plan = build(shape, parameters).ok()?;
    let plan = if plan.ring.is_exact() { plan.over(Ring::Real) } else { plan };
    let commands = lower::lower(&plan, &fastest(&plan, LIMITS), LIMITS, KernelChoice::Fast).unwrap().commands;
    let mut families: Vec<_> = commands.iter().map(|command| command.kernel.family).collect();
    families.sort_unstable();
    families.dedup();
    Some(families)
}

#[test]
fn every_plan_that_has_a_fast_kernel_gets_it() {
    let mut wrong = Vec::new();
    for &(transform, algorithms, shapes, expected) in EXPECTED {
        for (algorithm, &shape) in algorithms.iter().flat_map(|algorithm| shapes.iter().map(move |shape| (algorithm, shape))) {
            for direction in [Direction::Forward, Direction::Inverse] {
                let found = families(transform, algorithm, shape, direction);
                if found.as_deref().is_some_and(|found| found != expected) {
                    wrong.push(format!("{transform} by {algorithm}, {shape:?}, {direction:?}: {found:?} instead of {expected:?}"));
                }
                assert!(found.is_some() || direction == Direction::Inverse, "{transform} by {algorithm} has no plan of {shape:?}");
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_fast_kernels_of_every_transform_are_expected() {
    let missing = |name: &str| !EXPECTED.iter().any(|(transform, ..)| *transform == name);
    let is_fast = |name: &str, algorithm: &str| {
        families(name, algorithm, IMAGE, Direction::Forward).is_some_and(|families| !families.contains(&"stage"))
    };
    for transform in TRANSFORMS.iter().filter(|transform| missing(transform.name)) {
        for algorithm in transform.algorithms.iter().filter(|algorithm| algorithm.plan_fn().is_some()) {
            assert!(!is_fast(transform.name, algorithm.name), "{} by {} belongs into the table", transform.name, algorithm.name);
        }
    }
}

#[test]
fn a_thread_looks_up_one_root_for_all_registers_where_a_bit_of_its_tile_decides() {
    let build = transform("dft").unwrap().algorithm("cooley-tukey-dit").unwrap().plan_fn().unwrap();
    let plan = build(Shape::line(1 << 24), Parameters::default()).unwrap();
    let commands = lower::lower(&plan, &fastest(&plan, LIMITS), LIMITS, KernelChoice::Fast).unwrap().commands;
    let lookups: Vec<usize> = commands.iter().map(|command| command.kernel.text().matches("= root(").count()).collect();
    // Sixteen registers of a thread would need a root each.
    assert!(lookups.len() == 3 && lookups.iter().all(|&n| n < 20), "{lookups:?}");
}

#[test]
fn steps_of_a_pyramid_in_place_run_in_registers() {
    let build = transform("haar").unwrap().algorithm("cooley-tukey").unwrap().plan_fn().unwrap();
    let files = |columns: usize, direction: Direction| {
        let plan = build(Shape { rows: 4, columns }, Parameters { direction, ..Parameters::default() }).unwrap().over(Ring::Real);
        let commands = lower::lower(&plan, &fastest(&plan, LIMITS), LIMITS, KernelChoice::Fast).unwrap().commands;
        commands.iter().map(|command| command.kernel.file).collect::<Vec<_>>()
    };
    assert_eq!(files(1 << 22, Direction::Forward), ["nested.wgsl", "nested.wgsl", "level_order.wgsl"]);
    assert_eq!(files(1 << 22, Direction::Inverse), ["level_order.wgsl", "nested.wgsl", "nested.wgsl"]);
    // A tile that holds rows sorts them, too. A small tile takes a step after the other.
    assert_eq!(files(1 << 12, Direction::Forward), ["nested.wgsl"]);
    assert_eq!(files(8, Direction::Forward), ["block.wgsl"]);
}

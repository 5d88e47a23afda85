//! Direct algorithms on a GPU: one dense stage equals the fast algorithm in double precision.

use crate::common::{Grid, check};
use papillon::gpu::{KernelChoice, Limits, fastest, lower};
use papillon::plan::{Direction, Plan, Ring};
use papillon::schedule::Tile;
use papillon::transforms::{BatchAxis, Parameters, RowOrder, Shape, transform};

/// Transforms and the lengths of lines.
const CASES: [(&str, &[usize]); 12] = [
    ("dft", &[1, 2, 7, 64, 100, 1009]),
    ("hartley", &[5, 64]),
    ("dct", &[3, 64, 100]),
    ("walsh", &[1, 2, 64, 1024]),
    ("reed-muller", &[64]),
    ("arithmetic", &[64]),
    ("kronecker", &[64]),
    ("haar", &[2, 64, 512]),
    ("dyadic-convolution", &[2, 64]),
    ("dyadic-autocorrelation", &[64]),
    ("cyclic-convolution", &[5, 64]),
    ("cyclic-autocorrelation", &[5, 64]),
];

fn built(name: &str, algorithm: &str, shape: Shape, parameters: Parameters) -> Option<Plan> {
    transform(name).unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap()(shape, parameters).ok()
}

/// The forward direction and the inverse, all orders of rows, and lines along both axes.
fn choices() -> Vec<Parameters> {
    let forward = Parameters::default();
    vec![
        forward,
        Parameters { direction: Direction::Inverse, ..forward },
        Parameters { normalized: true, ..forward },
        Parameters { order: RowOrder::Sequency, ..forward },
        Parameters { order: RowOrder::Dyadic, ..forward },
        Parameters { lines: BatchAxis::Columns, ..forward },
    ]
}

#[test]
fn a_dense_stage_equals_the_definition_on_a_gpu() {
    let mut grid = Grid::new();
    for (name, lengths) in CASES {
        for &n in lengths {
            for parameters in choices() {
                for rows in [1, 3] {
                    let shape =
                        if parameters.lines == BatchAxis::Columns { Shape { rows: n, columns: rows } } else { Shape { rows, columns: n } };
                    let Some(plan) = built(name, "direct", shape, parameters) else { continue };
                    // Noise is real, and integers are sums of it too.
                    let plan = if plan.ring.is_exact() { plan.over(Ring::Real) } else { plan };
                    let schedule = fastest(&plan, Limits::DESKTOP);
                    assert!(
                        schedule.launches.iter().all(|launch| launch.tile == Tile::Each || launch.stages.len() == 1),
                        "{name}: {schedule:?}"
                    );
                    check(&mut grid, &format!("{name} of {shape:?}, {parameters:?}"), &plan, &schedule);
                }
            }
        }
    }
}

#[test]
fn the_kernel_is_a_loop_over_the_terms() {
    for (name, words) in [
        ("dft", &["for (var k = 0u; k < 1024u; k++) {", "sum = sum + times(u, coefs[at]);", "at = (at + step) & 1023u;"][..]),
        ("walsh", &["let u = input[k];", "sum = sum + select(u, -u, (countOneBits(t & k) & 1u) == 1u);"]),
        ("dyadic-convolution", &["let u = input[(k ^ t) + 1024u];", "let v = input[k];", "sum = sum + u * v;"]),
        ("haar", &["haar_factor(t, k)"]),
    ] {
        let plan = built(name, "direct", Shape::line(1024), Parameters::default()).unwrap();
        let lowered = lower::lower(&plan, &fastest(&plan, Limits::DESKTOP), Limits::DESKTOP, KernelChoice::Fast).unwrap();
        assert_eq!(lowered.commands.len(), 1, "{name}");
        let text = lowered.commands[0].kernel.text();
        words.iter().for_each(|word| assert!(text.contains(word), "{word} is missing in\n{text}"));
    }
}

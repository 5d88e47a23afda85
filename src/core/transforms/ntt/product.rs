//! Products of polynomials modulo x^n + 1 and a prime: layers, the base multiplication of what the last layer leaves, and the layers back.
//!
//! NIST, FIPS 203 (2024), Algorithms 11 and 12, the products of pairs;
//! A. Karatsuba, Y. Ofman, Multiplication of multidigit numbers on automata (1963), three products for a pair instead of four.

use super::{Ideal, PARAMETERS, Problem, ROW};
use crate::plan::shapes::{ProductStage, copies, every_lane};
use crate::plan::{Coef, Direction, Loop, Matrix, Operation, Plan, ReadPattern, ResultOrder, Ring, Stage, Twiddle, WritePattern};
use crate::transforms::{Algorithm, Build, Family, Input, Parameters, ResultIndex, Shape, Transform, Unsupported};

/// The product of every row of one signal with the same row of another, as polynomials.
pub(crate) const NEGACYCLIC_CONVOLUTION: Transform = Transform {
    name: "negacyclic-convolution",
    title: "Negacyclic convolution",
    family: Family::Convolution,
    input: Input::TwoSignals,
    about: "Product of two polynomials modulo x^n + 1 and a prime q, exact, as lattice cryptography multiplies",
    formula: "z[t] = Σ ±f[x]·g[(t − x) mod N] modulo q, with − where x > t",
    has_inverse: false,
    index: ResultIndex::Number("power t"),
    // Along rows alone, as all convolutions.
    parameters: PARAMETERS.split_at(PARAMETERS.len() - 1).0,
    algorithms: &[Algorithm {
        name: "convolution-theorem",
        about: "Layers of both polynomials, products of the values or pairs that they leave, and the layers back",
        source: "FIPS 203, Algorithms 9 to 12; A. Karatsuba, Y. Ofman 1963",
        build: Build::Plan(product),
    }],
    ..ROW
};

fn product(Shape { rows, columns: n }: Shape, parameters: Parameters) -> Result<Plan, Unsupported> {
    if rows * n == 0 {
        return Ok(Plan::new(ROW.ring, 0, vec![], ResultOrder::Natural));
    }
    let problem = Problem::of(Ideal::Negacyclic, n, parameters)?;
    if !problem.points.is_power_of_two() {
        return Err(Unsupported::NoPower { transform: "a negacyclic convolution", length: n });
    }
    let base = match problem.width() {
        1 => vec![ProductStage { rows, lanes: n, distance: n, conjugated: false }.stage()],
        2 => pairs(problem, rows).into(),
        width => return Err(Unsupported::Width { layers: problem.bits(), width }),
    };
    let ring = Ring::Prime(problem.field);
    let line = |direction| Plan::new(ring, n, problem.layers(direction), ResultOrder::Natural);
    let lanes = if problem.width() == 2 { 3 * n * rows } else { 2 * n * rows };
    let base = Plan::new(ring, lanes, base, ResultOrder::Natural).with_ends(2 * n * rows, n * rows);
    let whole = line(Direction::Forward).batched(2 * rows).then(base).then(line(Direction::Inverse).batched(rows));
    Ok(Plan { output: ResultOrder::Natural, ..whole })
}

/// The products of pairs modulo x² − γ, where γ is the odd power of ψ that belongs to the block:
/// (f₀ + f₁x)·(g₀ + g₁x) = f₀g₀ + γ·f₁g₁ + ((f₀ + f₁)(g₀ + g₁) − f₀g₀ − f₁g₁)·x.
fn pairs(problem: Problem, rows: usize) -> [Stage; 5] {
    let blocks = problem.points;
    let linear = |label: &str, entries: &[&[f64]], n: usize| Stage {
        label: label.into(),
        group: Loop { n, read: entries[0].len(), write: entries.len() },
        read: ReadPattern::in_order(entries[0].len()),
        operation: Operation::Linear(Matrix::from_fn(entries.len(), entries[0].len(), |j, k| Coef::Real(entries[j][k]))),
        ..every_lane(1)
    };
    let twiddle =
        Twiddle::Root { modulus: 2 * blocks, row: [0, 0, 1], column: [0, 2, 1], direction: Direction::Forward, reversed: problem.bits() };
    let weighted = Stage {
        label: "powers of ψ".into(),
        outer: copies(rows, 3 * blocks, 3 * blocks),
        group: Loop::new(blocks, 3),
        read: ReadPattern { base: 1, ..ReadPattern::in_order(1) },
        write: WritePattern { first: 1, ..WritePattern::IN_ORDER },
        twiddle: Some(twiddle),
        ..every_lane(1)
    };
    [
        linear("pairs and their sums", &[&[1.0, 0.0], &[0.0, 1.0], &[1.0, 1.0]], 2 * rows * blocks),
        ProductStage { rows, lanes: 3 * blocks, distance: 3 * blocks, conjugated: false }.stage(),
        linear("cross terms", &[&[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0], &[-1.0, -1.0, 1.0]], rows * blocks),
        weighted,
        linear("sums", &[&[1.0, 1.0, 0.0], &[0.0, 0.0, 1.0]], rows * blocks),
    ]
}

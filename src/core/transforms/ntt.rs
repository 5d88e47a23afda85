//! Number-theoretic transforms: the Fourier algorithms over a prime field, cyclic and negacyclic.
//!
//! J. M. Pollard, The fast Fourier transform in a finite field (1971);
//! W. M. Gentleman, G. Sande, Fast Fourier transforms for fun and profit (1966), decimation in frequency;
//! T. Pöppelmann, T. Oder, T. Güneysu, High-performance ideal lattice-based cryptography on 8-bit ATxmega microcontrollers (2015), ψ merged into the butterflies;
//! NIST, FIPS 203 (2024), Algorithms 9 and 10, and FIPS 204 (2024), Algorithms 41 and 42.

mod product;

pub(super) use product::NEGACYCLIC_CONVOLUTION;

use super::fourier::{self, LinePlan};
use super::scheme;
use super::{Algorithm, Build, Family, Numbers, Parameter, Parameters, PlanFn, ResultIndex, Shape, Transform, Unsupported, direct};
use crate::plan::shapes::{ScalingStage, dft_operation, every_lane};
use crate::plan::{
    Direction, FieldError, Loop, Operation, Plan, PrimeField, ReadPattern, ResultOrder, Ring, Stage, Twiddle, WritePattern, reverse_bits,
};
use num_complex::Complex64;

/// The polynomials that a transform takes apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ideal {
    /// Modulo x^n − 1.
    Cyclic,
    /// Modulo x^n + 1.
    Negacyclic,
}

/// The algorithms of one of both transforms; those of powers of two have the same shape.
macro_rules! algorithms {
    ($ideal:expr) => {
        algorithms!($ideal;
            "stockham-4", "Self-sorting, radix 4, one radix 2 where needed", fourier::STOCKHAM_SOURCE => fourier::stockham_4;
            "stockham-2", "Self-sorting, radix 2", fourier::STOCKHAM_SOURCE => fourier::stockham_2;
            "gentleman-sande", "In place, decimation in frequency: twiddles behind the butterflies; the result stays in bit-reversed order",
                "W. M. Gentleman, G. Sande 1966" => fourier::in_frequency_reversed;
            "cooley-tukey", "A permutation of the input, then decimation in time, in place",
                fourier::COOLEY_TUKEY_SOURCE => fourier::in_time;
            "constant-geometry", "Every stage has the same edges, as hardware wires them; the result stays in bit-reversed order",
                "M. C. Pease 1968" => fourier::constant_geometry;
        )
    };
    ($ideal:expr; $($name:literal, $about:literal, $source:expr => $stages:path;)*) => {
        &[
            Algorithm {
                name: "stockham",
                about: "Self-sorting, few stages of mixed radices; supports products of the primes up to 31",
                source: fourier::STOCKHAM_SOURCE,
                build: Build::Plan(|shape, parameters| by_fourier($ideal, shape, parameters, fourier::mixed_radix)),
            },
            $(Algorithm {
                name: $name,
                about: $about,
                source: $source,
                build: Build::Plan(|shape, parameters| {
                    by_fourier($ideal, shape, parameters, |n, p, d| fourier::power_of_two($name, n, p, d, $stages))
                }),
            },)*
            layers(|shape, parameters| by_layers($ideal, shape, parameters)),
            direct::algorithm(|shape, parameters| by_fourier($ideal, shape, parameters, fourier::by_definition)),
        ]
    };
}

/// The layers that the standards print.
const fn layers(build: PlanFn) -> Algorithm {
    Algorithm {
        name: "layers",
        about: "In place, layer by layer with the factors ζ in the order of FIPS 203 and 204, and with the powers of ψ merged into the butterflies",
        source: "FIPS 203, Algorithms 9 and 10; FIPS 204, Algorithms 41 and 42; T. Pöppelmann, T. Oder, T. Güneysu 2015",
        build: Build::Plan(build),
    }
}

const PARAMETERS: &[Parameter] = &[Parameter::Scheme, Parameter::Modulus, Parameter::Root, Parameter::Layers, Parameter::Lines];

/// The declarations that both share.
const ROW: Transform = Transform {
    family: Family::Fourier,
    takes: Numbers::Residues,
    gives: Numbers::Residues,
    ring: Ring::Prime(PrimeField::USUAL),
    index: ResultIndex::Number("index"),
    ..super::row::ROW
};

/// The cyclic transform, along every row.
pub(super) const NTT: Transform = Transform {
    name: "ntt",
    title: "Number-theoretic (NTT)",
    about: "Fourier transform modulo a prime q, exact, of every row; with a scheme that computes modulo x^n + 1, that transform",
    formula: "X[k] = Σ x[i]·ω^(ki) modulo q, where ω has order N",
    inverse_formula: Some("x[i] = 1/N · Σ X[k]·ω^(−ki) modulo q"),
    parameters: PARAMETERS,
    algorithms: algorithms!(Ideal::Cyclic),
    definition: Some(|shape, parameters| definition(Ideal::Cyclic, shape, parameters)),
    ..ROW
};

/// The negacyclic transform, along every row.
pub(super) const NTT_NEGACYCLIC: Transform = Transform {
    name: "ntt-negacyclic",
    title: "Negacyclic NTT",
    about: "Number-theoretic transform of polynomials modulo x^n + 1 and a prime q, exact, of every row",
    formula: "X[k] = Σ x[i]·ψ^((2k+1)i) modulo q, where ψ has order 2N",
    inverse_formula: Some("x[i] = 1/N · Σ X[k]·ψ^(−(2k+1)i) modulo q"),
    parameters: PARAMETERS,
    algorithms: algorithms!(Ideal::Negacyclic),
    definition: Some(|shape, parameters| definition(Ideal::Negacyclic, shape, parameters)),
    ..ROW
};

/// The transform: the field with its root, and how many neighbouring lanes each residue class of the last layer has.
#[derive(Debug, Clone, Copy)]
struct Problem {
    ideal: Ideal,
    /// Values of a row.
    n: usize,
    /// Points of the transform: all, or fewer where layers are left out.
    points: usize,
    field: PrimeField,
    /// Whether results have the standards' bit-reversed order.
    reversed: bool,
}

impl Problem {
    /// The problem of rows of `n` values.
    fn of(ideal: Ideal, n: usize, parameters: Parameters) -> Result<Self, Unsupported> {
        let Parameters { scheme, modulus, root, layers, .. } = parameters;
        if let (Some(fixed), Some(asked)) = (scheme.modulus(), modulus)
            && fixed != asked as u64
        {
            return Err(Unsupported::Scheme { scheme: scheme.title(), what: "the modulus", has: fixed, asked: asked as u64 });
        }
        let of_scheme = scheme.ideal();
        if let Some(fixed) = of_scheme.filter(|fixed| fixed.length != n) {
            return Err(Unsupported::Scheme {
                scheme: scheme.title(),
                what: "rows of the length",
                has: fixed.length as u64,
                asked: n as u64,
            });
        }
        let ideal = if of_scheme.is_some() { Ideal::Negacyclic } else { ideal };
        let layers = layers.map(|layers| layers as u32).or(of_scheme.map(|fixed| fixed.layers));
        let most = n.max(1).trailing_zeros();
        if let Some(asked) = layers.filter(|&asked| asked > most) {
            return Err(Unsupported::Layers { length: n, asked, most });
        }
        let points = layers.map_or(n, |layers| 1 << layers);
        let twice = ideal == Ideal::Negacyclic;
        let order = if twice { 2 * points as u64 } else { points as u64 };
        let field = scheme::field(modulus, scheme, order, root).map_err(|error| match error {
            FieldError::Order { modulus, .. } => Unsupported::NoRoot { modulus, length: points, twice, near: near(modulus, points, twice) },
            other => Unsupported::Field(other),
        })?;
        Ok(Self { ideal, n, points, field, reversed: of_scheme.is_some() || points < n })
    }

    /// Lanes of a residue class of the last layer.
    fn width(self) -> usize {
        self.n / self.points.max(1)
    }

    fn bits(self) -> u32 {
        self.points.max(1).ilog2()
    }

    /// The layers of one row in the order of a direction, with bit-reversed numbers of blocks behind the forward ones.
    fn layers(self, direction: Direction) -> Vec<Stage> {
        let mut stages: Vec<Stage> = (0..self.bits()).map(|layer| layer_stage(self.ideal, self.n, layer, direction)).collect();
        if direction == Direction::Inverse {
            stages.reverse();
            stages.extend((self.points > 1).then(|| ScalingStage::by_reciprocal(self.n, self.points)));
        }
        stages
    }

    /// The same plan of one row over the field, for all rows.
    fn plan(self, stages: Vec<Stage>, output: ResultOrder, rows: usize) -> Plan {
        Plan::new(Ring::Prime(self.field), self.n, stages, output).batched(rows)
    }
}

/// The smallest length with a root that is not below `length`, or else the largest one.
fn near(modulus: u32, length: usize, twice: bool) -> usize {
    let whole = (modulus as usize - 1) / if twice { 2 } else { 1 };
    let mut divisors: Vec<usize> =
        (1..).take_while(|d| d * d <= whole).filter(|d| whole.is_multiple_of(*d)).flat_map(|d| [d, whole / d]).collect();
    divisors.sort_unstable();
    divisors.iter().copied().find(|&divisor| divisor >= length).unwrap_or(whole)
}

/// The plan of rows by a Fourier algorithm. The powers of ψ of a negacyclic transform are a stage of their own.
fn by_fourier(ideal: Ideal, shape: Shape, parameters: Parameters, line: LinePlan) -> Result<Plan, Unsupported> {
    let n = shape.columns;
    if shape.is_empty() {
        return Ok(Plan::new(Ring::Prime(PrimeField::USUAL), 0, vec![], ResultOrder::Natural));
    }
    let problem = Problem::of(ideal, n, parameters)?;
    if problem.points < n {
        return Err(Unsupported::Incomplete { points: problem.points, length: n });
    }
    let is_forward = parameters.direction == Direction::Forward;
    let Plan { mut stages, mut output, .. } = line(n, parameters, if is_forward { 1 } else { n })?;
    if problem.ideal == Ideal::Negacyclic && n > 1 {
        let bits = if is_forward || output.is_natural() { 0 } else { problem.bits() };
        stages.insert(if is_forward { 0 } else { stages.len() }, twist(n, bits, parameters.direction));
    }
    if problem.reversed {
        match (is_forward, output.is_natural()) {
            (true, false) => output = ResultOrder::Natural,
            (true, true) => stages.extend(fourier::stages::bit_reversal(n)),
            (false, _) => stages.splice(0..0, fourier::stages::bit_reversal(n)).for_each(drop),
        }
    }
    Ok(problem.plan(stages, output, shape.rows))
}

/// The powers of ψ that make a cyclic transform negacyclic; lanes may hold bit-reversed indices.
fn twist(n: usize, bits: u32, direction: Direction) -> Stage {
    Stage {
        label: "powers of ψ".into(),
        group: Loop::new(n, 1),
        twiddle: Some(Twiddle::Root { modulus: 2 * n, row: [0, 0, 1], column: [0, 1, 0], direction, reversed: bits }),
        ..every_lane(1)
    }
}

/// The plan of rows in layers whose butterflies have the powers of ψ.
fn by_layers(ideal: Ideal, shape: Shape, parameters: Parameters) -> Result<Plan, Unsupported> {
    let (n, direction) = (shape.columns, parameters.direction);
    if shape.is_empty() {
        return Ok(Plan::new(Ring::Prime(PrimeField::USUAL), 0, vec![], ResultOrder::Natural));
    }
    let problem = Problem::of(ideal, n, parameters)?;
    if !problem.points.is_power_of_two() {
        return Err(Unsupported::Length { algorithm: "layers", needs: "powers of two", length: n, instead: "stockham" });
    }
    let mut stages = problem.layers(direction);
    let mut output = ResultOrder::Natural;
    match direction {
        _ if problem.reversed => {}
        Direction::Forward => output = ResultOrder::BitReversed { n_bits: problem.bits() },
        Direction::Inverse => stages.splice(0..0, fourier::stages::bit_reversal(n)).for_each(drop),
    }
    Ok(problem.plan(stages, output, shape.rows))
}

/// A layer of 2^`layer` blocks, each a polynomial modulo x^2h − c², which becomes two modulo x^h − c and x^h + c.
///
/// With r the number of the block with its bits reversed, c is the root of order 2^(layer + 1) to the power r, or that of order 2^(layer + 2) to the power 2r + 1.
/// The forward direction multiplies the second tap by c before the butterfly, the inverse the second result behind it.
fn layer_stage(ideal: Ideal, n: usize, layer: u32, direction: Direction) -> Stage {
    let (blocks, length): (usize, usize) = (1 << layer, n >> layer);
    let (modulus, column) = match ideal {
        Ideal::Cyclic => (2 * blocks, [0, 1, 0]),
        Ideal::Negacyclic => (4 * blocks, [0, 2, 1]),
    };
    let twiddle = (modulus > 2).then_some(Twiddle::Root { modulus, row: [1, 0, 0], column, direction, reversed: layer });
    let operation = match (dft_operation(2, direction), direction) {
        (Operation::Linear(matrix), Direction::Forward) if twiddle.is_some() => Operation::TwiddledTaps(matrix),
        (operation, _) => operation,
    };
    Stage {
        label: format!("layer {}", layer + 1),
        outer: Loop::ONCE,
        group: Loop::new(blocks, length),
        positions: length / 2,
        read: ReadPattern { hop: (length / 2) as i64, ..ReadPattern::in_order(length) },
        write: WritePattern { hop: length / 2, ..WritePattern::IN_ORDER },
        operation,
        twiddle,
    }
}

/// The matrix of one row by its definition; empty without a root.
fn definition(ideal: Ideal, shape: Shape, parameters: Parameters) -> Vec<Vec<Complex64>> {
    let n = shape.columns;
    let Ok(problem) = Problem::of(ideal, n, parameters) else { return Vec::new() };
    let (q, width) = (u64::from(problem.field.modulus()), problem.width());
    fn power(base: u64, exponent: u64, q: u64) -> u64 {
        match exponent {
            0 => 1,
            _ if exponent % 2 == 1 => power(base, exponent - 1, q) * base % q,
            _ => power(base * base % q, exponent / 2, q),
        }
    }
    let root = u64::from(problem.field.root());
    let is_forward = parameters.direction == Direction::Forward;
    // The number whose powers are summed for block k.
    let point = |k: usize| {
        let k = if problem.reversed { reverse_bits(k, problem.bits()) } else { k } as u64;
        power(root, if problem.ideal == Ideal::Cyclic { k } else { 2 * k + 1 }, q)
    };
    let points: Vec<u64> = (0..problem.points).map(point).collect();
    let entry = |k: usize, i: usize| match k % width == i % width {
        false => 0,
        true if is_forward => power(points[k / width], (i / width) as u64, q),
        // The inverse of a number is its power q − 2.
        true => power(power(points[i / width], (k / width) as u64, q) * (problem.points as u64 % q) % q, q - 2, q),
    };
    (0..n).map(|k| (0..n).map(|i| (entry(k, i) as f64).into()).collect()).collect()
}

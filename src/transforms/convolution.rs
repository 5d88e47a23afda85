//! Convolution and autocorrelation by the convolution theorem: transform both, multiply, transform back, divide by N.
//! Dyadic: z\[t\] = Σ f\[x\]·g\[x XOR t\], by the Walsh transform; cyclic: z\[t\] = Σ f\[x\]·g\[(t − x) mod N\], by the Fourier transform.
//!
//! D. B. Gajić, R. S. Stanković, GPU computation of the dyadic convolution (2012), Algorithm 1 and Figure 2.

use super::fourier::line_of_any_length;
use super::fourier::stages::{cooley_tukey, cooley_tukey_in_time};
use super::{Algorithm, Axes, Base, Build, Family, Input, Numbers, ResultIndex, Shape, Transform, Unsupported, kronecker};
use crate::plan::shapes::{ProductStage, ScalingStage};
use crate::plan::{Direction, Order, Plan, Ring, Width};

const SOURCE: &str = "D. B. Gajić, R. S. Stanković 2012, Algorithm 1 and Figure 2";
const CYCLIC_SOURCE: &str = "T. G. Stockham, High-speed convolution and correlation (1966)";

/// What is convolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operands {
    /// Two signals of N values, the second behind the first: 2N inputs.
    Two,
    /// A signal with itself; cyclic autocorrelation is z\[t\] = Σ f\[(x + t) mod N\]·conj f\[x\].
    Itself,
}

/// A kind of convolution.
///
/// It stands beside the table [`super::TRANSFORMS`], as a product of two signals has no matrix.
pub struct Convolution {
    /// Its name, its formula and its one algorithm; the shape of its plan is that of one signal, of which every row is convolved on its own.
    pub transform: Transform,
    /// What is convolved.
    pub operands: Operands,
    /// What t counts.
    pub counts: &'static str,
    /// What no value on the way exceeds, for N integers up to these magnitudes; `None` where values are rounded anyway.
    pub bound: fn(usize, [u64; 2]) -> Option<u128>,
}

/// All of them.
pub static CONVOLUTIONS: [Convolution; 4] = [
    Convolution {
        transform: Transform {
            name: "dyadic-convolution",
            title: "Dyadic convolution",
            input: Input::TwoSignals,
            about: "Sum over all pairs of values whose indices differ in the binary digits of t",
            formula: "z[t] = Σ f[x]·g[x XOR t]",
            algorithms: &[Algorithm {
                name: "convolution-theorem",
                about: "Walsh transforms of both, their product, and the Walsh transform of that, divided by N",
                source: SOURCE,
                build: Build::Plan(|shape, _| dyadic(shape, Operands::Two)),
            }],
            ..ROW
        },
        operands: Operands::Two,
        counts: "shift t (XOR)",
        bound: dyadic_bound,
    },
    Convolution {
        transform: Transform {
            name: "dyadic-autocorrelation",
            title: "Dyadic autocorrelation",
            about: "Dyadic convolution of every row with itself",
            formula: "z[t] = Σ f[x]·f[x XOR t]",
            algorithms: &[Algorithm {
                name: "convolution-theorem",
                about: "The Walsh transform, its square, and the Walsh transform of that, divided by N",
                source: SOURCE,
                build: Build::Plan(|shape, _| dyadic(shape, Operands::Itself)),
            }],
            ..ROW
        },
        operands: Operands::Itself,
        counts: "shift t (XOR)",
        bound: dyadic_bound,
    },
    Convolution {
        transform: Transform {
            name: "cyclic-convolution",
            title: "Cyclic convolution",
            input: Input::TwoSignals,
            ring: Ring::Complex,
            index: ResultIndex::Lag("shift t"),
            about: "Sum over all pairs of values whose indices add up to t, modulo N",
            formula: "z[t] = Σ f[x]·g[(t − x) mod N]",
            algorithms: &[Algorithm {
                name: "convolution-theorem",
                about: "Fourier transforms of both, their product, and the inverse transform of that",
                source: CYCLIC_SOURCE,
                build: Build::Plan(|shape, _| cyclic(shape, Operands::Two)),
            }],
            ..ROW
        },
        operands: Operands::Two,
        counts: "shift t",
        bound: |_, _| None,
    },
    Convolution {
        transform: Transform {
            name: "cyclic-autocorrelation",
            title: "Cyclic autocorrelation",
            ring: Ring::Complex,
            index: ResultIndex::Lag("lag t"),
            about: "Correlation of every row with itself, moved round by t",
            formula: "z[t] = Σ f[(x + t) mod N]·conj f[x]",
            algorithms: &[Algorithm {
                name: "convolution-theorem",
                about: "The Fourier transform, its squared magnitude, and the inverse transform of that",
                source: CYCLIC_SOURCE,
                build: Build::Plan(|shape, _| cyclic(shape, Operands::Itself)),
            }],
            ..ROW
        },
        operands: Operands::Itself,
        counts: "lag t",
        bound: |_, _| None,
    },
];

/// What all rows have in common.
const ROW: Transform = Transform {
    name: "",
    title: "",
    family: Family::Convolution,
    about: "",
    formula: "",
    axes: Axes::Rows,
    partner: None,
    input: Input::Signal,
    takes: Numbers::Any,
    gives: Numbers::Any,
    ring: Ring::Integer(Width::Bits64),
    has_inverse: false,
    index: ResultIndex::Number("shift t (XOR)"),
    parameters: &[],
    algorithms: &[],
    definition: |_, _| Vec::new(),
};

impl Convolution {
    /// The convolution that is named `transform`, if one is.
    pub fn named(transform: &str) -> Option<&'static Self> {
        CONVOLUTIONS.iter().find(|convolution| convolution.transform.name == transform)
    }
}

/// By Cauchy and Schwarz: Σ |F·G| ≤ ‖F‖·‖G‖ = N·‖f‖·‖g‖, and no partial sum of the transform back exceeds it.
fn dyadic_bound(n: usize, largest: [u64; 2]) -> Option<u128> {
    Some(largest.iter().fold((n as u128).saturating_mul(n as u128), |product, &value| product.saturating_mul(value.into())))
}

/// Every row of 2^n values by the Walsh transform, over the integers.
///
/// # Errors
/// When the length of a row is no power of two.
pub fn dyadic(shape: Shape, operands: Operands) -> Result<Plan, Unsupported> {
    let n = shape.columns;
    if !n.is_power_of_two() {
        return Err(Unsupported::NoPower { transform: "dyadic convolution", length: n });
    }
    let ring = Ring::Integer(Width::Bits64);
    let line = || Plan::new(ring, n, kronecker::stages::cooley_tukey(n, Base::WALSH), Order::Natural);
    let mut back = line();
    back.stages.extend((n > 1).then(|| ScalingStage::by_reciprocal(n, n)));
    Ok(by_theorem(shape, operands, line(), back))
}

/// Every row by the Fourier transform. Where its length is a power of two, decimation in frequency forward and in time back permute nothing.
///
/// # Errors
/// None: there are plans of any length.
pub fn cyclic(shape: Shape, operands: Operands) -> Result<Plan, Unsupported> {
    let n = shape.columns;
    if !n.is_power_of_two() {
        let [forward, back] = [Direction::Forward, Direction::Inverse].map(|direction| line_of_any_length(n, direction));
        return Ok(by_theorem(shape, operands, forward?, back?));
    }
    let forward = Plan::new(Ring::Complex, n, cooley_tukey(n, 1, Direction::Forward), Order::Natural);
    let mut back = Plan::new(Ring::Complex, n, cooley_tukey_in_time(n, Direction::Inverse), Order::Natural);
    back.stages.extend((n > 1).then(|| ScalingStage::by_reciprocal(n, n)));
    Ok(by_theorem(shape, operands, forward, back))
}

/// The plans of one line there and back, and the product between them.
fn by_theorem(Shape { rows, columns: n }: Shape, operands: Operands, forward: Plan, back: Plan) -> Plan {
    let (n_lines, hop) = match operands {
        Operands::Two => (2 * rows, n),
        Operands::Itself => (rows, 0),
    };
    let conjugated = forward.ring == Ring::Complex && operands == Operands::Itself;
    let product = ProductStage { rows, lanes: n, distance: hop, conjugated };
    let product = Plan::new(forward.ring, n_lines * n, vec![product.stage()], Order::Natural);
    let ends = (product.inputs, rows * n);
    let whole = forward.batched(n_lines).then(product.with_ends(ends.0, ends.1)).then(back.batched(rows));
    Plan { output: Order::Natural, ..whole }
}

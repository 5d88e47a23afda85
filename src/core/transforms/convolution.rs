//! Convolution and autocorrelation by the convolution theorem: transform both signals, multiply, transform back, divide by N.
//! Dyadic: z\[t\] = Σ f\[x\]·g\[x XOR t\], by the Walsh transform; cyclic: z\[t\] = Σ f\[x\]·g\[(t − x) mod N\], by the Fourier transform.
//!
//! D. B. Gajić, R. S. Stanković, GPU computation of the dyadic convolution (2012), Algorithm 1 and Figure 2.

use super::fourier::line_of_any_length;
use super::fourier::stages::{cooley_tukey, cooley_tukey_in_time};
use super::{Algorithm, Base, Build, Family, Input, ResultIndex, Shape, Transform, Unsupported, direct, kronecker};
use crate::plan::shapes::{ProductStage, ScalingStage, copies};
use crate::plan::{DirectSum, DirectTerms, Direction, IntegerWidth, Loop, Partner, Plan, ReadPattern, ResultOrder, Ring, Stage};

const SOURCE: &str = "D. B. Gajić, R. S. Stanković 2012, Algorithm 1 and Figure 2";
const CYCLIC_SOURCE: &str = "T. G. Stockham, High-speed convolution and correlation (1966)";

/// The operands of a convolution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operands {
    /// Two signals of N values in 2N inputs, the second behind the first in every row.
    Two,
    /// A signal and itself; the cyclic autocorrelation is z\[t\] = Σ f\[(x + t) mod N\]·conj f\[x\].
    Itself,
}

/// Dyadic convolution of every row of one signal with the same row of another.
pub const DYADIC: Transform = Transform {
    name: "dyadic-convolution",
    title: "Dyadic convolution",
    input: Input::TwoSignals,
    about: "Sum over all pairs of values whose indices differ in the bits of t",
    formula: "z[t] = Σ f[x]·g[x XOR t]",
    algorithms: &[
        Algorithm {
            name: "convolution-theorem",
            about: "Walsh transforms of both signals at once, their product, and its Walsh transform, divided by N",
            source: SOURCE,
            build: Build::Plan(|shape, _| dyadic(shape, Operands::Two)),
        },
        Algorithm {
            name: "separate-transforms",
            about: "As printed: the Walsh transform of one signal and then that of the other, each with neighbours first and pairs N/2 lanes apart last",
            source: "D. B. Gajić, R. S. Stanković 2012, Algorithm 1",
            build: Build::Plan(|shape, _| separate(shape)),
        },
        direct::algorithm(|shape, _| by_definition(shape, Operands::Two, Partner::Xor)),
    ],
    ..ROW
};

/// Dyadic convolution of every row with itself.
pub const DYADIC_AUTOCORRELATION: Transform = Transform {
    name: "dyadic-autocorrelation",
    title: "Dyadic autocorrelation",
    about: "Dyadic convolution of every row with itself",
    formula: "z[t] = Σ f[x]·f[x XOR t]",
    algorithms: &[
        Algorithm {
            name: "convolution-theorem",
            about: "The Walsh transform, its square, and the Walsh transform of the square, divided by N",
            source: SOURCE,
            build: Build::Plan(|shape, _| dyadic(shape, Operands::Itself)),
        },
        direct::algorithm(|shape, _| by_definition(shape, Operands::Itself, Partner::Xor)),
    ],
    ..ROW
};

/// Cyclic convolution of every row of one signal with the same row of another.
pub const CYCLIC: Transform = Transform {
    name: "cyclic-convolution",
    title: "Cyclic convolution",
    input: Input::TwoSignals,
    ring: Ring::Complex,
    index: ResultIndex::Lag("shift t"),
    about: "Sum over all pairs of values whose indices add up to t, modulo N",
    formula: "z[t] = Σ f[x]·g[(t − x) mod N]",
    algorithms: &[
        Algorithm {
            name: "convolution-theorem",
            about: "Fourier transforms of both signals, their product, and its inverse transform",
            source: CYCLIC_SOURCE,
            build: Build::Plan(|shape, _| cyclic(shape, Operands::Two)),
        },
        direct::algorithm(|shape, _| by_definition(shape, Operands::Two, Partner::Difference)),
    ],
    ..ROW
};

/// Cyclic correlation of every row with itself.
pub const CYCLIC_AUTOCORRELATION: Transform = Transform {
    name: "cyclic-autocorrelation",
    title: "Cyclic autocorrelation",
    ring: Ring::Complex,
    index: ResultIndex::Lag("lag t"),
    about: "Correlation of every row with itself, shifted cyclically by t",
    formula: "z[t] = Σ f[(x + t) mod N]·conj f[x]",
    algorithms: &[
        Algorithm {
            name: "convolution-theorem",
            about: "The Fourier transform, its squared magnitude, and the inverse transform of the square",
            source: CYCLIC_SOURCE,
            build: Build::Plan(|shape, _| cyclic(shape, Operands::Itself)),
        },
        direct::algorithm(|shape, _| by_definition(shape, Operands::Itself, Partner::Sum)),
    ],
    ..ROW
};

/// The declarations that the family shares. The shape of a plan is that of one signal; every row is convolved on its own.
const ROW: Transform = Transform {
    family: Family::Convolution,
    ring: Ring::Integer(IntegerWidth::Bits64),
    has_inverse: false,
    index: ResultIndex::Number("shift t (XOR)"),
    ..super::row::ROW
};

/// A bound on every value inside a dyadic convolution of N integers up to these magnitudes.
///
/// By Cauchy and Schwarz, Σ |F·G| ≤ ‖F‖·‖G‖ = N·‖f‖·‖g‖, and no partial sum of the inverse transform exceeds it.
pub fn dyadic_bound(n: usize, largest: [u64; 2]) -> u128 {
    largest.iter().fold((n as u128).saturating_mul(n as u128), |product, &value| product.saturating_mul(value.into()))
}

/// The plan of the dyadic convolution of every row of 2^n values, over the integers.
///
/// # Errors
/// When the length of a row is not a power of two.
pub fn dyadic(shape: Shape, operands: Operands) -> Result<Plan, Unsupported> {
    let n = shape.columns;
    if !n.is_power_of_two() {
        return Err(Unsupported::NoPower { transform: "dyadic convolution", length: n });
    }
    let ring = Ring::Integer(IntegerWidth::Bits64);
    let line = || Plan::new(ring, n, kronecker::stages::cooley_tukey(n, Base::WALSH), ResultOrder::Natural);
    let mut back = line();
    back.stages.extend((n > 1).then(|| ScalingStage::by_reciprocal(n, n)));
    Ok(by_theorem(shape, operands, line(), back))
}

/// The plan of the dyadic convolution of every row as the paper prints it: two separate transforms, and all of them upward from distance 1.
fn separate(shape: Shape) -> Result<Plan, Unsupported> {
    let Shape { rows, columns: n } = shape;
    if !n.is_power_of_two() {
        return Err(Unsupported::NoPower { transform: "dyadic convolution", length: n });
    }
    let transform = |first: usize| kronecker::stages::upward(n, Base::WALSH, first);
    let signal = |first: usize, name: &str| {
        let named = move |stage: Stage| Stage { label: format!("{}, {name} signal", stage.label), ..stage };
        transform(first).into_iter().map(named).collect::<Vec<_>>()
    };
    let product = ProductStage { rows: 1, lanes: n, distance: n, conjugated: false }.stage();
    let mut stages = [signal(0, "first"), signal(n, "second"), vec![product], transform(0)].concat();
    // The loop over rows of a batch goes outside.
    let scaling = || Stage { outer: Loop::ONCE, positions: n, read: ReadPattern::in_order(n), ..ScalingStage::by_reciprocal(n, n) };
    stages.extend((n > 1).then(scaling));
    Ok(Plan::new(Ring::Integer(IntegerWidth::Bits64), 2 * n, stages, ResultOrder::Natural).with_ends(2 * n, n).batched(rows))
}

/// The plan of the cyclic convolution of every row. For a power of two it needs no permutation: forward by decimation in frequency, back by decimation in time.
///
/// # Errors
/// None: there are plans of any length.
pub fn cyclic(shape: Shape, operands: Operands) -> Result<Plan, Unsupported> {
    let n = shape.columns;
    if !n.is_power_of_two() {
        let [forward, back] = [Direction::Forward, Direction::Inverse].map(|direction| line_of_any_length(n, direction));
        return Ok(by_theorem(shape, operands, forward?, back?));
    }
    let forward = Plan::new(Ring::Complex, n, cooley_tukey(n, 1, Direction::Forward), ResultOrder::Natural);
    let mut back = Plan::new(Ring::Complex, n, cooley_tukey_in_time(n, Direction::Inverse), ResultOrder::Natural);
    back.stages.extend((n > 1).then(|| ScalingStage::by_reciprocal(n, n)));
    Ok(by_theorem(shape, operands, forward, back))
}

/// The definition: one dense stage of N products for each of N results.
fn by_definition(Shape { rows, columns: n }: Shape, operands: Operands, partner: Partner) -> Result<Plan, Unsupported> {
    let is_dyadic = partner == Partner::Xor;
    if is_dyadic && !n.is_power_of_two() {
        return Err(Unsupported::NoPower { transform: "dyadic convolution", length: n });
    }
    direct::check_line(n)?;
    let distance = if operands == Operands::Two { n } else { 0 };
    let terms = DirectTerms::Products { partner, distance, conjugated: !is_dyadic && operands == Operands::Itself };
    let stage = Stage { outer: copies(rows, n + distance, n), ..DirectSum::stage(n, terms) };
    let (ring, inputs) = (if is_dyadic { ROW.ring } else { Ring::Complex }, rows * (n + distance));
    Ok(Plan::new(ring, inputs, vec![stage], ResultOrder::Natural).with_ends(inputs, rows * n))
}

/// Forward, product, back: the plans of one line for all rows.
fn by_theorem(Shape { rows, columns: n }: Shape, operands: Operands, forward: Plan, back: Plan) -> Plan {
    let (n_lines, hop) = match operands {
        Operands::Two => (2 * rows, n),
        Operands::Itself => (rows, 0),
    };
    let conjugated = forward.ring == Ring::Complex && operands == Operands::Itself;
    let product = ProductStage { rows, lanes: n, distance: hop, conjugated };
    let product = Plan::new(forward.ring, n_lines * n, vec![product.stage()], ResultOrder::Natural);
    let ends = (product.inputs, rows * n);
    let whole = forward.batched(n_lines).then(product.with_ends(ends.0, ends.1)).then(back.batched(rows));
    Plan { output: ResultOrder::Natural, ..whole }
}

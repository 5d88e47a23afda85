//! Convolution and autocorrelation by the convolution theorem: transform both, multiply, transform back, divide by N.
//! Dyadic: z\[t\] = Σ f\[x\]·g\[x XOR t\], by the Walsh transform; cyclic: z\[t\] = Σ f\[x\]·g\[(t − x) mod N\], by the Fourier transform.
//!
//! D. B. Gajić, R. S. Stanković, GPU computation of the dyadic convolution (2012), Algorithm 1 and Figure 2.

use super::fourier::stages::{cooley_tukey, cooley_tukey_in_time, scaled_down};
use super::{Base, Unsupported, kronecker};
use crate::plan::{Direction, Fold, Loop, Operation, Order, Plan, Read, Ring, Stage, Width, Write};

/// What is convolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operands {
    /// Two signals of N values, one behind the other: 2N inputs.
    Two,
    /// A signal with itself; cyclic autocorrelation is z\[t\] = Σ f\[(x + t) mod N\]·conj f\[x\].
    Itself,
}

/// A kind of convolution.
pub struct Convolution {
    /// The name on the command line.
    pub name: &'static str,
    /// One sentence.
    pub about: &'static str,
    /// The plan for N values; it gives N.
    pub build: fn(usize, Operands) -> Result<Plan, Unsupported>,
    /// What no value on the way exceeds, for N integers up to these magnitudes; `None` where values are rounded anyway.
    pub bound: fn(usize, [u64; 2]) -> Option<u128>,
}

/// By the Walsh transform.
pub static DYADIC: Convolution = Convolution {
    name: "dyadic-convolution",
    about: "z[t] = Σ f[x]·g[x XOR t], by the Walsh transform",
    build: |n, operands| {
        let n = power_of_two("dyadic convolution", n)?;
        let steps = || kronecker::stages::cooley_tukey(n, Base::WALSH);
        Ok(by_theorem(n, Ring::Integer(Width::Bits64), operands, steps, steps))
    },
    // By Cauchy and Schwarz: Σ |F·G| ≤ ‖F‖·‖G‖ = N·‖f‖·‖g‖, and no partial sum of the transform back exceeds it.
    bound: |n, largest| {
        Some(largest.iter().fold((n as u128).saturating_mul(n as u128), |product, &value| product.saturating_mul(value.into())))
    },
};

/// By the Fourier transform: decimation in frequency forward and in time back, so that nothing is permuted.
pub static CYCLIC: Convolution = Convolution {
    name: "cyclic-convolution",
    about: "z[t] = Σ f[x]·g[(t − x) mod N], by the Fourier transform",
    build: |n, operands| {
        let n = power_of_two("cyclic convolution", n)?;
        let forward = || cooley_tukey(n, 1, Direction::Forward);
        let back = || cooley_tukey_in_time(n, Direction::Inverse);
        Ok(by_theorem(n, Ring::Complex, operands, forward, back))
    },
    bound: |_, _| None,
};

fn power_of_two(transform: &'static str, length: usize) -> Result<usize, Unsupported> {
    if length.is_power_of_two() { Ok(length) } else { Err(Unsupported::NoPower { transform, length }) }
}

fn by_theorem(n: usize, ring: Ring, operands: Operands, forward: impl FnOnce() -> Vec<Stage>, back: impl FnOnce() -> Vec<Stage>) -> Plan {
    let one = Plan::new(ring, n, forward(), Order::Natural);
    let (mut plan, hop) = match operands {
        Operands::Two => (one.batched(2), n),
        Operands::Itself => (one, 0),
    };
    plan.stages.push(product(n, hop, ring == Ring::Complex && operands == Operands::Itself));
    plan.stages.extend(back());
    plan.stages.extend((n > 1).then(|| scaled_down(n, n)));
    Plan { output: Order::Natural, outputs: n, ..plan }
}

/// Every one of `n` lanes times the one `hop` lanes behind it.
fn product(n: usize, hop: usize, conjugated: bool) -> Stage {
    Stage {
        label: "product".into(),
        outer: Loop::ONCE,
        group: Loop::ONCE,
        positions: n,
        read: Read { first: 0, advance: 1, hop, step: 1, len: n + hop, fold: Fold::None },
        write: Write::IN_ORDER,
        operation: Operation::Product { conjugated },
        twiddle: None,
    }
}

//! The discrete Fourier transform, X\[k\] = Σ x\[n\]·exp(−2πi·kn/N), and its algorithms.
//!
//! J. W. Cooley, J. W. Tukey, An algorithm for the machine calculation of complex Fourier series (1965);
//! M. C. Pease, An adaptation of the fast Fourier transform for parallel processing (1968), the constant geometry;
//! T. G. Stockham, in W. T. Cochran et al., What is the fast Fourier transform? (1967), the self-sorting form;
//! R. Li, OpenCL fast Fourier transform (2012), the self-sorting form decimated in time;
//! L. I. Bluestein, A linear filtering approach to the computation of discrete Fourier transform (1970), any length;
//! T. Sörman, Comparison of technologies for general-purpose computing on graphics processing units (2016), the global and the local kernel.

mod bluestein;
mod definition;
mod global_local;
mod printed;
mod radices;
mod real;
mod sorted;
pub(super) mod stages;

pub use global_local::LOCAL_LANES;
pub use printed::DFT_PRINTED;
pub use radices::passes;
use radices::{columns, columns_take_passes};
pub use real::{RDFT, RDFT2};

use super::{Algorithm, Axes, Build, Family, Numbers, Parameter, Parameters, PlanFn, ResultIndex, Shape, Transform, Unsupported, direct};
use crate::plan::shapes::{ScalingStage, TranspositionStage};
use crate::plan::{Direction, Plan, ResultOrder, Ring};
use bluestein::bluestein;
use stages::{bit_reversal, cooley_tukey, cooley_tukey_in_time, pease, stockham, stockham_down, stockham_in_time};

pub(super) const STOCKHAM_SOURCE: &str = "T. G. Stockham 1967, with multiplications after the butterflies";
const LI_SOURCE: &str = "R. Li 2012, Algorithm 1 and the kernel of section 4.1";
pub(super) const COOLEY_TUKEY_SOURCE: &str = "J. W. Cooley, J. W. Tukey 1965; T. Sörman 2016, Figure 3.3";
const LIBRARY: Algorithm = Algorithm {
    name: "rustfft",
    about: "The library rustfft on the CPU (realfft for real images), any length; it has no flow graph here",
    source: "E. Mahler and others, RustFFT, https://github.com/ejmahler/RustFFT",
    build: Build::Library,
};

/// The declarations that the family shares.
pub(super) const ROW: Transform = Transform {
    family: Family::Fourier,
    takes: Numbers::Complex,
    gives: Numbers::Complex,
    ring: Ring::Complex,
    index: ResultIndex::Frequency,
    ..super::row::ROW
};

/// The 1-D transform, along every row.
pub const DFT: Transform = Transform {
    name: "dft",
    title: "Fourier (DFT)",
    about: "Discrete Fourier transform of every row",
    formula: "X[k] = Σ x[n]·exp(−2πi·kn/N)",
    inverse_formula: Some("x[n] = 1/N · Σ X[k]·exp(2πi·kn/N)"),
    partner: Some("dft2"),
    parameters: &[Parameter::Lines],
    algorithms: &[
        Algorithm {
            name: "stockham",
            about: "Self-sorting, few stages of mixed radices; supports products of the primes up to 31",
            source: STOCKHAM_SOURCE,
            build: Build::Plan(|shape, parameters| along_rows(shape, parameters, mixed_radix)),
        },
        Algorithm {
            name: "stockham-8",
            about: "Self-sorting, radix 8, one radix 4 or 2 where needed",
            source: STOCKHAM_SOURCE,
            build: Build::Plan(|shape, parameters| {
                along_rows(shape, parameters, |n, p, d| power_of_two("stockham-8", n, p, d, stockham_8))
            }),
        },
        Algorithm {
            name: "stockham-4",
            about: "Self-sorting, radix 4, one radix 2 where needed",
            source: STOCKHAM_SOURCE,
            build: Build::Plan(|shape, parameters| {
                along_rows(shape, parameters, |n, p, d| power_of_two("stockham-4", n, p, d, stockham_4))
            }),
        },
        Algorithm {
            name: "stockham-2",
            about: "Self-sorting, radix 2",
            source: STOCKHAM_SOURCE,
            build: Build::Plan(|shape, parameters| {
                along_rows(shape, parameters, |n, p, d| power_of_two("stockham-2", n, p, d, stockham_2))
            }),
        },
        Algorithm {
            name: "stockham-dit-8",
            about: "Self-sorting, radix 8, decimation in time: inputs are twiddled before the butterfly; one radix 4 or 2 where needed",
            source: LI_SOURCE,
            build: Build::Plan(|shape, parameters| {
                along_rows(shape, parameters, |n, p, d| power_of_two("stockham-dit-8", n, p, d, stockham_dit_8))
            }),
        },
        Algorithm {
            name: "stockham-dit-4",
            about: "Self-sorting, radix 4, decimation in time: inputs are twiddled before the butterfly; one radix 2 where needed",
            source: LI_SOURCE,
            build: Build::Plan(|shape, parameters| {
                along_rows(shape, parameters, |n, p, d| power_of_two("stockham-dit-4", n, p, d, stockham_dit_4))
            }),
        },
        Algorithm {
            name: "stockham-dit-2",
            about: "Self-sorting, radix 2, decimation in time: the second input is twiddled before the butterfly",
            source: LI_SOURCE,
            build: Build::Plan(|shape, parameters| {
                along_rows(shape, parameters, |n, p, d| power_of_two("stockham-dit-2", n, p, d, stockham_dit_2))
            }),
        },
        Algorithm {
            name: "bluestein",
            about: "Any length, as a convolution with a chirp whose length has only small primes",
            source: "L. I. Bluestein 1970",
            build: Build::Plan(|shape, parameters| along_rows(shape, parameters, by_convolution)),
        },
        Algorithm {
            name: "cooley-tukey",
            about: "In place, decimation in frequency, then a permutation to natural order",
            source: COOLEY_TUKEY_SOURCE,
            build: Build::Plan(|shape, parameters| {
                along_rows(shape, parameters, |n, p, d| power_of_two("cooley-tukey", n, p, d, in_frequency))
            }),
        },
        Algorithm {
            name: "cooley-tukey-dif",
            about: "In place, decimation in frequency; the result stays in bit-reversed order",
            source: COOLEY_TUKEY_SOURCE,
            build: Build::Plan(|shape, parameters| {
                along_rows(shape, parameters, |n, p, d| power_of_two("cooley-tukey-dif", n, p, d, in_frequency_reversed))
            }),
        },
        Algorithm {
            name: "cooley-tukey-dit",
            about: "A permutation of the input, then decimation in time, in place",
            source: COOLEY_TUKEY_SOURCE,
            build: Build::Plan(|shape, parameters| {
                along_rows(shape, parameters, |n, p, d| power_of_two("cooley-tukey-dit", n, p, d, in_time))
            }),
        },
        Algorithm {
            name: "constant-geometry",
            about: "Every stage has the same edges; the result stays in bit-reversed order",
            source: "M. C. Pease 1968; T. Sörman 2016, Figure 3.4",
            build: Build::Plan(|shape, parameters| {
                along_rows(shape, parameters, |n, p, d| power_of_two("constant-geometry", n, p, d, constant_geometry))
            }),
        },
        sorted::ALONG_ROWS,
        global_local::ALONG_ROWS,
        global_local::REGISTERS_ALONG_ROWS,
        direct::algorithm(|shape, parameters| along_rows(shape, parameters, by_definition)),
        LIBRARY,
    ],
    definition: Some(definition::dft),
    ..ROW
};

/// The 2-D transform of an image.
pub const DFT2: Transform = Transform {
    name: "dft2",
    title: "Fourier of an image (2-D DFT)",
    about: "Discrete Fourier transform of an image along both axes",
    formula: "X[k, l] = Σ Σ x[m, n]·exp(−2πi·(km/M + ln/N))",
    inverse_formula: Some("x[m, n] = 1/(MN) · Σ Σ X[k, l]·exp(2πi·(km/M + ln/N))"),
    axes: Axes::Both,
    partner: Some("dft"),
    algorithms: &[
        Algorithm {
            name: "stockham",
            about: "Stockham along rows and down columns without transposing, long columns first; as row-column where a side has a prime above 31",
            source: "T. G. Stockham 1967",
            build: Build::Plan(|shape, parameters| {
                let sides = parameters.stands_for.unwrap_or(shape);
                match (passes(sides.columns), columns(sides.rows), columns(shape.rows)) {
                    (Some(_), Some(_), Some(down)) if shape.rows > 1 => where_they_stand(shape, parameters, &down),
                    _ => along_both(shape, parameters, of_any_length),
                }
            }),
        },
        Algorithm {
            name: "row-column",
            about: "Stockham along rows, transpose, Stockham along rows, transpose; Bluestein along a side whose length has a prime above 31",
            source: "T. Sörman 2016, section 5.1.2; T. G. Stockham 1967; L. I. Bluestein 1970",
            build: Build::Plan(|shape, parameters| along_both(shape, parameters, of_any_length)),
        },
        Algorithm {
            name: "bluestein",
            about: "Bluestein along rows, transpose, Bluestein along rows, transpose",
            source: "L. I. Bluestein 1970",
            build: Build::Plan(|shape, parameters| along_both(shape, parameters, by_convolution)),
        },
        Algorithm {
            name: "cooley-tukey",
            about: "Cooley-Tukey along rows, transpose, Cooley-Tukey along rows, transpose",
            source: "T. Sörman 2016, section 5.1.2; J. W. Cooley, J. W. Tukey 1965",
            build: Build::Plan(|shape, parameters| {
                along_both(shape, parameters, |n, p, d| power_of_two("cooley-tukey", n, p, d, in_frequency))
            }),
        },
        sorted::ALONG_BOTH,
        global_local::ALONG_BOTH,
        global_local::REGISTERS_ALONG_BOTH,
        direct::along_both(|shape, parameters| along_both(shape, parameters, by_definition)),
        LIBRARY,
    ],
    definition: Some(definition::dft2),
    ..ROW
};

/// Builds the plan of one line whose result is divided by the last argument.
pub(super) type LinePlan = fn(usize, Parameters, usize) -> Result<Plan, Unsupported>;

pub(super) fn along_rows(shape: Shape, parameters: Parameters, line: LinePlan) -> Result<Plan, Unsupported> {
    if shape.is_empty() {
        return Ok(complex(0, vec![], ResultOrder::Natural));
    }
    Ok(line(shape.columns, parameters, divisor(parameters, shape.columns))?.batched(shape.rows))
}

/// Along the rows, then along the columns as rows of the transposed image. The columns' pass carries the normalisation of both.
pub(super) fn along_both(shape: Shape, parameters: Parameters, line: LinePlan) -> Result<Plan, Unsupported> {
    let Shape { rows, columns } = shape;
    if shape.is_empty() {
        return Ok(complex(0, vec![], ResultOrder::Natural));
    }
    let whole = divisor(parameters, shape.len());
    let [across, down] = [parameters.along(|sides| sides.columns), parameters.along(|sides| sides.rows)];
    if rows == 1 {
        return line(columns, across, whole);
    }
    let along_x = line(columns, across, 1)?.batched(rows);
    let along_y = line(rows, down, whole)?.batched(columns);
    let lanes = along_x.lanes.max(along_y.lanes);
    let mut stages = along_x.stages;
    stages.push(TranspositionStage { rows, columns }.stage());
    stages.extend(along_y.stages);
    stages.push(TranspositionStage { rows: columns, columns: rows }.stage());
    Ok(complex(lanes, stages, ResultOrder::Natural).with_ends(shape.len(), shape.len()))
}

/// Along the rows and down the columns, without a transposition.
///
/// Columns of several passes come first. Their last pass would write rows that are far apart, which costs more than reading such rows.
/// So it may write them side by side, and the pass along the rows reads each from there.
fn where_they_stand(shape: Shape, parameters: Parameters, down: &[usize]) -> Result<Plan, Unsupported> {
    let mut plan = mixed_radix(shape.columns, parameters, 1)?.batched(shape.rows);
    let columns = stockham_down(shape.columns, down, parameters.direction);
    let at = if columns_take_passes(shape.rows) { 0 } else { plan.stages.len() };
    plan.stages.splice(at..at, columns);
    plan.output = ResultOrder::Natural;
    Ok(divided(plan, divisor(parameters, shape.len())))
}

/// The normalisation of `n` values: 1 forward, `n` for the inverse.
fn divisor(parameters: Parameters, n: usize) -> usize {
    match parameters.direction {
        Direction::Forward => 1,
        Direction::Inverse => n,
    }
}

/// The plan of one line by an algorithm that supports only powers of two.
pub(super) fn power_of_two(
    algorithm: &'static str,
    length: usize,
    parameters: Parameters,
    divisor: usize,
    line: fn(usize, Parameters) -> Plan,
) -> Result<Plan, Unsupported> {
    if length.is_power_of_two() {
        Ok(divided(line(length, parameters), divisor))
    } else {
        Err(Unsupported::Length { algorithm, needs: "powers of two", length, instead: "bluestein" })
    }
}

/// The same plan with a last stage that divides, unless the divisor is 1.
fn divided(mut plan: Plan, divisor: usize) -> Plan {
    if divisor > 1 {
        plan.stages.push(ScalingStage::by_reciprocal(plan.lanes, divisor));
    }
    plan
}

fn complex(lanes: usize, stages: Vec<crate::plan::Stage>, output: ResultOrder) -> Plan {
    Plan::new(Ring::Complex, lanes, stages, output)
}

pub(super) fn mixed_radix(n: usize, parameters: Parameters, divisor: usize) -> Result<Plan, Unsupported> {
    let needs = "products of the primes up to 31";
    let passes = passes(n).ok_or(Unsupported::Length { algorithm: "stockham", needs, length: n, instead: "bluestein" })?;
    Ok(divided(complex(n, stockham(&passes.concat(), parameters.direction), ResultOrder::Natural), divisor))
}

pub(super) fn by_convolution(n: usize, parameters: Parameters, divisor: usize) -> Result<Plan, Unsupported> {
    Ok(bluestein(n, parameters.direction, divisor))
}

/// The definition of one line. The inverse is divided at its end.
pub(super) fn by_definition(n: usize, parameters: Parameters, divisor: usize) -> Result<Plan, Unsupported> {
    direct::check_line(n)?;
    Ok(divided(complex(n, vec![direct::fourier(n, parameters.direction)], ResultOrder::Natural), divisor))
}

/// Mixed radices where the length has them, and a convolution for other lengths.
pub(super) fn of_any_length(n: usize, parameters: Parameters, divisor: usize) -> Result<Plan, Unsupported> {
    match passes(parameters.stands_for.map_or(n, |line| line.columns)) {
        Some(_) => mixed_radix(n, parameters, divisor),
        None => by_convolution(n, parameters, divisor),
    }
}

/// The plan of one line of any length; the inverse is divided by the length.
pub(super) fn line_of_any_length(n: usize, direction: Direction) -> Result<Plan, Unsupported> {
    let parameters = Parameters { direction, ..Parameters::default() };
    of_any_length(n, parameters, divisor(parameters, n))
}

fn stockham_8(n: usize, parameters: Parameters) -> Plan {
    complex(n, stockham(&powers(n, 8), parameters.direction), ResultOrder::Natural)
}

pub(super) fn stockham_4(n: usize, parameters: Parameters) -> Plan {
    complex(n, stockham(&powers(n, 4), parameters.direction), ResultOrder::Natural)
}

pub(super) fn stockham_2(n: usize, parameters: Parameters) -> Plan {
    complex(n, stockham(&powers(n, 2), parameters.direction), ResultOrder::Natural)
}

fn stockham_dit_8(n: usize, parameters: Parameters) -> Plan {
    complex(n, stockham_in_time(&powers(n, 8), parameters.direction), ResultOrder::Natural)
}

fn stockham_dit_4(n: usize, parameters: Parameters) -> Plan {
    complex(n, stockham_in_time(&powers(n, 4), parameters.direction), ResultOrder::Natural)
}

fn stockham_dit_2(n: usize, parameters: Parameters) -> Plan {
    complex(n, stockham_in_time(&powers(n, 2), parameters.direction), ResultOrder::Natural)
}

pub(super) fn in_frequency_reversed(n: usize, parameters: Parameters) -> Plan {
    complex(n, cooley_tukey(n, 1, parameters.direction), ResultOrder::BitReversed { n_bits: n.ilog2() })
}

fn in_frequency(n: usize, parameters: Parameters) -> Plan {
    let mut stages = cooley_tukey(n, 1, parameters.direction);
    stages.extend(bit_reversal(n));
    complex(n, stages, ResultOrder::Natural)
}

pub(super) fn in_time(n: usize, parameters: Parameters) -> Plan {
    let mut stages = Vec::from_iter(bit_reversal(n));
    stages.extend(cooley_tukey_in_time(n, parameters.direction));
    complex(n, stages, ResultOrder::Natural)
}

pub(super) fn constant_geometry(n: usize, parameters: Parameters) -> Plan {
    complex(n, pease(n, parameters.direction), ResultOrder::BitReversed { n_bits: n.ilog2() })
}

/// The factors of the power of two `n`: `largest` as often as it divides, then the rest.
fn powers(n: usize, largest: usize) -> Vec<usize> {
    let mut factors = Vec::new();
    let mut rest = n;
    while rest > 1 {
        let radix = rest.min(largest);
        factors.push(radix);
        rest /= radix;
    }
    factors
}

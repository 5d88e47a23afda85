//! The discrete Fourier transform, X\[k\] = Σ x\[n\]·exp(−2πi·kn/N), and its algorithms for powers of two.
//!
//! J. W. Cooley, J. W. Tukey, An algorithm for the machine calculation of complex Fourier series (1965);
//! M. C. Pease, An adaptation of the fast Fourier transform for parallel processing (1968), the constant geometry;
//! T. G. Stockham, in W. T. Cochran et al., What is the fast Fourier transform? (1967), the self-sorting form;
//! T. Sörman, Comparison of technologies for general-purpose computing on graphics processing units (2016), global and local kernel.

mod definition;
pub(super) mod stages;

use super::{Algorithm, Axes, Build, Parameters, Shape, Transform, Unsupported};
use crate::plan::{Direction, Order, Plan, Ring};
use stages::{bit_reversal, cooley_tukey, cooley_tukey_in_time, global_local, pease, scaled_down, stockham, transposition};

const STOCKHAM_SOURCE: &str = "T. G. Stockham 1967; R. Li, OpenCL FFT, 2012, Algorithm 1";
const COOLEY_TUKEY_SOURCE: &str = "J. W. Cooley, J. W. Tukey 1965; T. Sörman 2016, Figure 3.3";
const SORMAN_SOURCE: &str = "T. Sörman 2016, Algorithms 1 and 2, Figure 5.2";
const LIBRARY: Algorithm = Algorithm {
    name: "rustfft",
    about: "The library rustfft on the CPU (realfft for real pictures), any length; it has no flow graph here",
    source: "E. Mahler and others, RustFFT, https://github.com/ejmahler/RustFFT",
    build: Build::Library,
};

/// The family of the transforms whose results have frequencies.
pub const FOURIER: &str = "Fourier";

/// The 1-D transform, along every row.
pub const DFT: Transform = Transform {
    name: "dft",
    title: "Fourier (DFT)",
    family: FOURIER,
    about: "Discrete Fourier transform of every row",
    formula: "X[k] = Σ x[n]·exp(−2πi·kn/N)",
    axes: Axes::Rows,
    parameters: &[],
    algorithms: &[
        Algorithm {
            name: "stockham",
            about: "Self-sorting, radix 16 as far as it goes, then 8, 4 or 2",
            source: STOCKHAM_SOURCE,
            build: Build::Plan(|shape, parameters| along_rows("stockham", shape, parameters, stockham_16)),
        },
        Algorithm {
            name: "stockham-8",
            about: "Self-sorting, radix 8, one radix 4 or 2 where needed",
            source: STOCKHAM_SOURCE,
            build: Build::Plan(|shape, parameters| along_rows("stockham-8", shape, parameters, stockham_8)),
        },
        Algorithm {
            name: "stockham-4",
            about: "Self-sorting, radix 4, one radix 2 where needed",
            source: STOCKHAM_SOURCE,
            build: Build::Plan(|shape, parameters| along_rows("stockham-4", shape, parameters, stockham_4)),
        },
        Algorithm {
            name: "stockham-2",
            about: "Self-sorting, radix 2",
            source: STOCKHAM_SOURCE,
            build: Build::Plan(|shape, parameters| along_rows("stockham-2", shape, parameters, stockham_2)),
        },
        Algorithm {
            name: "cooley-tukey",
            about: "In place, decimation in frequency, then a permutation to natural order",
            source: COOLEY_TUKEY_SOURCE,
            build: Build::Plan(|shape, parameters| along_rows("cooley-tukey", shape, parameters, in_frequency)),
        },
        Algorithm {
            name: "cooley-tukey-dif",
            about: "In place, decimation in frequency; the result stays in bit-reversed order",
            source: COOLEY_TUKEY_SOURCE,
            build: Build::Plan(|shape, parameters| along_rows("cooley-tukey-dif", shape, parameters, in_frequency_reversed)),
        },
        Algorithm {
            name: "cooley-tukey-dit",
            about: "A permutation of the input, then decimation in time, in place",
            source: COOLEY_TUKEY_SOURCE,
            build: Build::Plan(|shape, parameters| along_rows("cooley-tukey-dit", shape, parameters, in_time)),
        },
        Algorithm {
            name: "constant-geometry",
            about: "Every stage has the same edges; the result stays in bit-reversed order",
            source: "M. C. Pease 1968; T. Sörman 2016, Figure 3.4",
            build: Build::Plan(|shape, parameters| along_rows("constant-geometry", shape, parameters, constant_geometry)),
        },
        Algorithm {
            name: "global-local",
            about: "Cooley-Tukey stages until a tile fits, then constant geometry in the tile, with a bit-reversed write",
            source: SORMAN_SOURCE,
            build: Build::Plan(|shape, parameters| along_rows("global-local", shape, parameters, global_then_local)),
        },
        LIBRARY,
    ],
    definition: definition::dft,
};

/// The 2-D transform of a picture.
pub const DFT2: Transform = Transform {
    name: "dft2",
    title: "Fourier of a picture (2-D DFT)",
    family: FOURIER,
    about: "Discrete Fourier transform of a picture along both axes",
    formula: "X[k, l] = Σ Σ x[m, n]·exp(−2πi·(km/M + ln/N))",
    axes: Axes::Both,
    parameters: &[],
    algorithms: &[
        Algorithm {
            name: "stockham",
            about: "Stockham along rows, transpose, Stockham along rows, transpose",
            source: "T. Sörman 2016, section 5.1.2; T. G. Stockham 1967",
            build: Build::Plan(|shape, parameters| along_both("stockham", shape, parameters, stockham_16)),
        },
        Algorithm {
            name: "cooley-tukey",
            about: "Cooley-Tukey along rows, transpose, Cooley-Tukey along rows, transpose",
            source: "T. Sörman 2016, section 5.1.2; J. W. Cooley, J. W. Tukey 1965",
            build: Build::Plan(|shape, parameters| along_both("cooley-tukey", shape, parameters, in_frequency)),
        },
        Algorithm {
            name: "global-local",
            about: "Global and local kernel along rows, transpose, the same again, transpose",
            source: "T. Sörman 2016, section 5.1.2, Algorithms 1 and 2",
            build: Build::Plan(|shape, parameters| along_both("global-local", shape, parameters, global_then_local)),
        },
        LIBRARY,
    ],
    definition: definition::dft2,
};

/// A plan of one line of a power of two of lanes, without the scaling of the inverse.
type Line = fn(usize, Parameters) -> Plan;

fn along_rows(algorithm: &'static str, shape: Shape, parameters: Parameters, line: Line) -> Result<Plan, Unsupported> {
    let n = power_of_two(algorithm, shape.columns)?;
    let mut plan = line(n, parameters);
    if parameters.direction == Direction::Inverse {
        plan.stages.push(scaled_down(n, n));
    }
    Ok(plan.batched(shape.rows))
}

fn along_both(algorithm: &'static str, shape: Shape, parameters: Parameters, line: Line) -> Result<Plan, Unsupported> {
    let Shape { rows, columns } = shape;
    let along_x = line(power_of_two(algorithm, columns)?, parameters).batched(rows);
    let along_y = line(power_of_two(algorithm, rows)?, parameters).batched(columns);
    let mut stages = along_x.stages;
    if rows > 1 {
        stages.push(transposition(rows, columns));
        stages.extend(along_y.stages);
        stages.push(transposition(columns, rows));
    }
    if parameters.direction == Direction::Inverse {
        stages.push(scaled_down(shape.len(), shape.len()));
    }
    Ok(complex(shape.len(), stages, Order::Natural))
}

fn power_of_two(algorithm: &'static str, length: usize) -> Result<usize, Unsupported> {
    if length.is_power_of_two() { Ok(length) } else { Err(Unsupported::Length { algorithm, needs: "powers of two", length }) }
}

fn complex(lanes: usize, stages: Vec<crate::plan::Stage>, output: Order) -> Plan {
    Plan::new(Ring::Complex, lanes, stages, output)
}

fn stockham_16(n: usize, parameters: Parameters) -> Plan {
    complex(n, stockham(&radices(n, 16), parameters.direction), Order::Natural)
}

fn stockham_8(n: usize, parameters: Parameters) -> Plan {
    complex(n, stockham(&radices(n, 8), parameters.direction), Order::Natural)
}

fn stockham_4(n: usize, parameters: Parameters) -> Plan {
    complex(n, stockham(&radices(n, 4), parameters.direction), Order::Natural)
}

fn stockham_2(n: usize, parameters: Parameters) -> Plan {
    complex(n, stockham(&radices(n, 2), parameters.direction), Order::Natural)
}

fn in_frequency_reversed(n: usize, parameters: Parameters) -> Plan {
    complex(n, cooley_tukey(n, 1, parameters.direction), Order::BitReversed { n_bits: n.ilog2() })
}

fn in_frequency(n: usize, parameters: Parameters) -> Plan {
    let mut stages = cooley_tukey(n, 1, parameters.direction);
    stages.extend(bit_reversal(n));
    complex(n, stages, Order::Natural)
}

fn in_time(n: usize, parameters: Parameters) -> Plan {
    let mut stages = Vec::from_iter(bit_reversal(n));
    stages.extend(cooley_tukey_in_time(n, parameters.direction));
    complex(n, stages, Order::Natural)
}

fn constant_geometry(n: usize, parameters: Parameters) -> Plan {
    complex(n, pease(n, parameters.direction), Order::BitReversed { n_bits: n.ilog2() })
}

fn global_then_local(n: usize, parameters: Parameters) -> Plan {
    let tile = parameters.tile_lanes.unwrap_or(LOCAL_LANES).next_power_of_two().clamp(1, n);
    complex(n, global_local(n, tile, parameters.direction), Order::Natural)
}

/// Lanes of the local kernel unless told otherwise: two buffers of them fill 16 KiB of workgroup memory, which every adapter has.
const LOCAL_LANES: usize = 1024;

/// The factors of the power of two `n`, as many `largest` as fit and then the rest.
fn radices(n: usize, largest: usize) -> Vec<usize> {
    let mut factors = Vec::new();
    let mut rest = n;
    while rest > 1 {
        let radix = rest.min(largest);
        factors.push(radix);
        rest /= radix;
    }
    factors
}

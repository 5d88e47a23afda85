//! The Fourier transform of real samples: X\[N − k\] is the conjugate of X\[k\], so that the first N/2 + 1 values (integer division) say everything.
//!
//! An even number of samples fills complex lanes in pairs, as they lie in memory: z\[n\] = x\[2n\] + i·x\[2n+1\].
//! A transform of N/2 points gives Z, and one stage parts it into the spectra of the even and of the odd samples and joins these:
//! X\[k\] = ½(Z\[k\] + conj Z\[−k\]) − ½i·ω_N^k·(Z\[k\] − conj Z\[−k\]). The way back does the same in reverse.
//! Pairs need an even number of samples that lie side by side. An odd number of samples, and samples of columns, take the complex transform: its second half is dropped, and on the way back made from the first.
//!
//! J. W. Cooley, P. A. W. Lewis, P. D. Welch, The fast Fourier transform algorithm: programming considerations in the calculation of sine, cosine and Laplace transforms (1970);
//! H. V. Sorensen, D. L. Jones, M. T. Heideman, C. S. Burrus, Real-valued fast Fourier transform algorithms (1987).

use super::super::{Algorithm, Axes, BatchAxis, Build, Numbers, Parameter, Parameters, Shape, Transform, Unsupported};
use super::stages::{dropped_half, opposite_half, spread_half, stockham_down};
use super::{LinePlan, ROW, by_convolution, columns, complex, definition, of_any_length};
use crate::plan::shapes::{HalfSpectrumStage, TranspositionStage};
use crate::plan::{Direction, Plan, ResultOrder};

const SOURCE: &str = "J. W. Cooley, P. A. W. Lewis, P. D. Welch 1970; H. V. Sorensen and others 1987; T. G. Stockham 1967";
const LIBRARY: Algorithm = Algorithm {
    name: "realfft",
    about: "The library realfft on the CPU, any length; it has no flow graph here",
    source: "H. Enquist, RealFFT, https://github.com/HEnquist/realfft",
    build: Build::Library,
};
const BLUESTEIN_SOURCE: &str = "J. W. Cooley, P. A. W. Lewis, P. D. Welch 1970; L. I. Bluestein 1970";

/// The 1-D transform of real samples, along every row.
pub const RDFT: Transform = Transform {
    name: "rdft",
    title: "Fourier of real samples (half spectrum)",
    about: "Discrete Fourier transform of every row of real samples, the half that determines it",
    formula: "X[k] = Σ x[n]·exp(−2πi·kn/N), k = 0 … N/2",
    inverse_formula: Some("x[n] = 1/N · Σ X[k]·exp(2πi·kn/N), X[N−k] = conj X[k]"),
    partner: Some("rdft2"),
    takes: Numbers::Real,
    gives: Numbers::HalfSpectrum,
    parameters: &[Parameter::Lines],
    algorithms: &[
        Algorithm {
            name: "stockham",
            about: "Two samples in a complex lane, Stockham on half the lanes, one stage that separates even from odd; all lanes for an odd number of samples",
            source: SOURCE,
            build: Build::Plan(|shape, parameters| along_rows(shape, parameters, of_any_length)),
        },
        Algorithm {
            name: "bluestein",
            about: "The same by Bluestein's convolution",
            source: BLUESTEIN_SOURCE,
            build: Build::Plan(|shape, parameters| along_rows(shape, parameters, by_convolution)),
        },
        LIBRARY,
    ],
    definition: Some(definition::rdft),
    ..ROW
};

/// The 2-D transform of a real image.
pub const RDFT2: Transform = Transform {
    name: "rdft2",
    title: "Fourier of a real image (half spectrum)",
    about: "Discrete Fourier transform of a real image along both axes, the half that determines it",
    formula: "X[k, l] = Σ Σ x[m, n]·exp(−2πi·(km/M + ln/N)), l = 0 … N/2",
    inverse_formula: Some("x[m, n] = 1/(MN) · Σ Σ X[k, l]·exp(2πi·(km/M + ln/N)), X[M−k, N−l] = conj X[k, l]"),
    axes: Axes::Both,
    partner: Some("rdft"),
    takes: Numbers::Real,
    gives: Numbers::HalfSpectrum,
    algorithms: &[
        Algorithm {
            name: "stockham",
            about: "Rows of real samples, then Stockham down the columns of the half spectrum without transposing",
            source: SOURCE,
            build: Build::Plan(|shape, parameters| {
                let sides = parameters.stands_for.unwrap_or(shape);
                along_both(shape, parameters, of_any_length, columns(sides.rows).and(columns(shape.rows)))
            }),
        },
        Algorithm {
            name: "row-column",
            about: "Rows of real samples, transpose, complex rows, transpose",
            source: SOURCE,
            build: Build::Plan(|shape, parameters| along_both(shape, parameters, of_any_length, None)),
        },
        LIBRARY,
    ],
    definition: Some(definition::rdft2),
    ..ROW
};

/// Real samples and the half of their spectrum, row by row.
#[derive(Clone, Copy)]
struct Rows {
    /// How many.
    rows: usize,
    /// Real samples of a row.
    samples: usize,
    /// Values of half a spectrum.
    half: usize,
}

impl Rows {
    /// The rows on both sides of a transform that takes `shape`.
    fn of(shape: Shape, parameters: Parameters) -> Result<Self, Unsupported> {
        let samples = parameters.samples_of(shape.columns);
        let half = if shape.columns == 0 { 0 } else { samples / 2 + 1 };
        if parameters.direction == Direction::Inverse && half != shape.columns {
            return Err(Unsupported::Columns { samples, half, values: shape.columns });
        }
        Ok(Self { rows: shape.rows, samples, half })
    }
}

fn along_rows(shape: Shape, parameters: Parameters, line: LinePlan) -> Result<Plan, Unsupported> {
    let rows = Rows::of(shape, parameters)?;
    match parameters.direction {
        Direction::Forward => forward(rows, parameters, line),
        Direction::Inverse => inverse(rows, parameters, line, rows.samples),
    }
}

/// Along the rows of real samples, and along the columns of half their spectrum: down them where they stand by stages of the radices `down`, or as rows of a transposed image.
fn along_both(shape: Shape, parameters: Parameters, line: LinePlan, down: Option<Vec<usize>>) -> Result<Plan, Unsupported> {
    let rows = Rows::of(shape, parameters)?;
    if shape.rows < 2 || shape.is_empty() {
        return along_rows(shape, parameters, line);
    }
    let Rows { half, .. } = rows;
    let columns = match down {
        Some(radices) => complex(shape.rows * half, stockham_down(half, &radices, parameters.direction), ResultOrder::Natural),
        None => {
            let along = line(shape.rows, parameters.along(|sides| sides.rows), 1)?.batched(half);
            let mut stages = vec![TranspositionStage { rows: shape.rows, columns: half }.stage()];
            stages.extend(along.stages);
            stages.push(TranspositionStage { rows: half, columns: shape.rows }.stage());
            complex(along.lanes, stages, ResultOrder::Natural).with_ends(shape.rows * half, shape.rows * half)
        }
    };
    Ok(match parameters.direction {
        Direction::Forward => forward(rows, parameters, line)?.then(columns),
        Direction::Inverse => columns.then(inverse(rows, parameters, line, shape.rows * rows.samples)?),
    })
}

/// Whether two samples of a line are side by side in a complex lane: an odd number does not pair up, and neighbours in a row belong to different columns.
fn pairs(samples: usize, parameters: Parameters) -> bool {
    samples.is_multiple_of(2) && parameters.lines == BatchAxis::Rows
}

/// Points of the complex transform that rows take of a transform of these sides.
fn points_of(sides: Shape, parameters: Parameters) -> usize {
    // The sides may be those of the transform that a smaller one stands for.
    let columns = parameters.columns.map(|samples| 2 * (sides.columns - 1) + samples % 2);
    let samples = Parameters { columns, ..parameters }.samples_of(sides.columns);
    if pairs(samples, parameters) { samples / 2 } else { samples }
}

/// From rows of real samples to half their spectra.
fn forward(Rows { rows, samples, half }: Rows, parameters: Parameters, line: LinePlan) -> Result<Plan, Unsupported> {
    if samples == 0 || rows == 0 {
        return Ok(complex(0, vec![], ResultOrder::Natural));
    }
    let even = pairs(samples, parameters);
    let points = if even { samples / 2 } else { samples };
    let whole = line(points, parameters.along(|sides| points_of(sides, parameters)), 1)?.batched(rows);
    let last = match even {
        true => HalfSpectrumStage { rows, points, scale: 0.5, direction: Direction::Forward }.stage(),
        false => dropped_half(rows, points),
    };
    let end = complex(rows * points.max(half), vec![last], ResultOrder::Natural).with_ends(rows * points, rows * half);
    Ok(whole.then(end))
}

/// From half the spectra of rows to their real samples, divided by `divisor`.
fn inverse(Rows { rows, samples, half }: Rows, parameters: Parameters, line: LinePlan, divisor: usize) -> Result<Plan, Unsupported> {
    if samples == 0 || rows == 0 {
        return Ok(complex(0, vec![], ResultOrder::Natural));
    }
    let even = pairs(samples, parameters);
    let (points, first) = match even {
        // Twice as large and then divided: the transform of half the samples divides by half their number.
        true => {
            let (points, scale) = (samples / 2, 1.0 / divisor as f64);
            (points, vec![HalfSpectrumStage { rows, points, scale, direction: Direction::Inverse }.stage()])
        }
        // One sample, or one row whose lanes are in place, need not move.
        false => (samples, [spread_half(rows, samples, divisor), opposite_half(rows, samples)].into_iter().flatten().collect()),
    };
    let begin = complex(rows * points.max(half), first, ResultOrder::Natural).with_ends(rows * half, rows * points);
    Ok(begin.then(line(points, parameters.along(|sides| points_of(sides, parameters)), 1)?.batched(rows)))
}

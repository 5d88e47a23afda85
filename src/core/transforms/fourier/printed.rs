//! The kernel of R. Li, OpenCL FFT (2012), section 4.1, with the angle that it prints.
//!
//! A stage joins two spectra of p points into one of 2p, so that its twiddles are exp(−πi·k/p), k = 0 … p − 1; the paper prints exp(−2πi·k/p), their squares.

use super::stages::stockham_in_time;
use super::{LI_SOURCE, ROW, along_rows, complex};
use crate::plan::shapes::position_twiddle;
use crate::plan::{Direction, ResultOrder, Stage};
use crate::transforms::{Algorithm, Build, Parameter, Parameters, ResultIndex, Shape, Transform, Unsupported};
use num_complex::Complex64;
use std::f64::consts::TAU;

/// The stages with the printed twiddles, along every row.
pub const DFT_PRINTED: Transform = Transform {
    name: "dft-printed",
    title: "Fourier as printed",
    about: "What the kernel of Li 2012 computes with the angle −2πk/p that it prints: every twiddle is the square of the right one",
    formula: "X = S[N/2] … S[2]·S[1]·x, where S[p] twiddles with exp(−2πi·k/p)",
    has_inverse: false,
    index: ResultIndex::Number("index"),
    parameters: &[Parameter::Lines],
    algorithms: &[Algorithm {
        name: "stockham-dit-2",
        about: "Self-sorting, radix 2, decimation in time, with the angle as printed",
        source: LI_SOURCE,
        build: Build::Plan(|shape, parameters| {
            along_rows(shape, parameters, |length, _, _| match length.is_power_of_two() {
                true => Ok(complex(length, stages(length), ResultOrder::Natural)),
                false => Err(Unsupported::NoPower { transform: "dft-printed", length }),
            })
        }),
    }],
    definition: Some(definition),
    ..ROW
};

fn stages(n: usize) -> Vec<Stage> {
    let stages = stockham_in_time(&vec![2; n.ilog2() as usize], Direction::Forward).into_iter();
    stages.map(|stage| Stage { twiddle: position_twiddle(stage.positions, stage.positions, Direction::Forward), ..stage }).collect()
}

/// Sample `c` meets the twiddle of stage l where its bit l from the top is 1.
fn definition(shape: Shape, _: Parameters) -> Vec<Vec<Complex64>> {
    let n = shape.columns;
    let n_bits = n.max(1).ilog2();
    let factor = |row: usize, l: u32| {
        let p = 1 << l;
        let sign = if row & p > 0 { -1.0 } else { 1.0 };
        Complex64::from_polar(sign, -TAU * (row % p) as f64 / p as f64)
    };
    let entry = |row: usize, column: usize| -> Complex64 {
        (0..n_bits).filter(|l| column >> (n_bits - 1 - l) & 1 > 0).map(|l| factor(row, l)).product()
    };
    (0..n).map(|row| (0..n).map(|column| entry(row, column)).collect()).collect()
}

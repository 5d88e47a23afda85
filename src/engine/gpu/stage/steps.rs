//! Butterflies between the registers of a thread: `x0`, `x1`, … hold its lanes. The template `stage_butterfly.wgsl` writes them.

use super::sums::Register;
use crate::plan::Matrix;
use serde::Serialize;

/// One butterfly of a thread.
#[derive(Serialize)]
pub(super) struct Butterfly {
    /// The names of the taps and the registers that hold them.
    pub(super) taps: Vec<[String; 2]>,
    /// The registers of the results and their values.
    pub(super) results: Vec<[String; 2]>,
}

impl Butterfly {
    /// A matrix times the lanes of some registers, which take the results.
    pub(super) fn linear(matrix: &Matrix, register: Register, held: &[usize]) -> Self {
        let names = tap_names(matrix.taps);
        let result = |(j, at): (usize, &usize)| [format!("x{at}"), register.sum((0..matrix.taps).map(|k| matrix.at(j, k)), &names)];
        let results = held.iter().enumerate().map(result).collect();
        Self { taps: names.iter().zip(held).map(|(name, at)| [name.clone(), format!("x{at}")]).collect(), results }
    }
}

/// The butterflies of a stage that a thread takes.
#[derive(Serialize, Default)]
pub(super) struct Step {
    /// What the stage is called.
    pub(super) label: String,
    pub(super) butterflies: Vec<Butterfly>,
}

/// The names of the taps of a butterfly.
pub(super) fn tap_names(n_taps: usize) -> Vec<String> {
    (0..n_taps).map(|k| if n_taps == 2 { ["u", "v"][k].into() } else { format!("u{k}") }).collect()
}

//! Butterflies between the registers of a thread: `x0`, `x1`, … hold its lanes. The template `stage_butterfly.wgsl` writes them.

use super::sums::Register;
use crate::plan::shapes::dft_direction;
use crate::plan::{Coef, Matrix};
use serde::Serialize;

/// One butterfly of a thread.
#[derive(Serialize)]
pub(super) struct ButterflyText {
    /// The names of the taps and the registers that hold them.
    pub(super) taps: Vec<[String; 2]>,
    /// The registers of the results and their values.
    pub(super) results: Vec<[String; 2]>,
}

impl ButterflyText {
    /// A matrix times the lanes of some registers, which take the results.
    pub(super) fn linear(matrix: &Matrix, register: Register, held: &[usize]) -> Self {
        let names = tap_names(matrix.taps);
        let result = |(j, at): (usize, &usize)| [format!("x{at}"), register.sum((0..matrix.taps).map(|k| matrix.at(j, k)), &names)];
        let results = held.iter().enumerate().map(result).collect();
        Self { taps: names.iter().zip(held).map(|(name, at)| [name.clone(), format!("x{at}")]).collect(), results }
    }
}

/// A sum and a difference of two taps, which takes a factor.
pub(super) struct Pair {
    taps: [usize; 2],
    factor: Coef,
}

impl Pair {
    /// The butterfly on the registers that hold the taps, whose bounds become those of the results; a strict one reduces its sums.
    pub(super) fn butterfly(&self, register: Register, at: impl Fn(usize) -> String, bounds: &mut [u64], is_strict: bool) -> ButterflyText {
        let names = tap_names(2);
        let of_taps = self.taps.map(|tap| bounds[tap]);
        let [sum, difference] = [1.0, -1.0].map(|sign| register.lazy_sum([Coef::ONE, Coef::Real(sign)], &names, &of_taps));
        let sums = of_taps.iter().sum();
        let after = if is_strict { 1 } else { sums };
        let is_product = self.factor != Coef::ONE;
        let difference = if is_product { register.times(&difference, self.factor) } else { register.reduced(difference, sums, after) };
        for (tap, bound) in self.taps.into_iter().zip([after, if is_product { 1 } else { after }]) {
            bounds[tap] = bound;
        }
        let results = [register.reduced(sum, sums, after), difference];
        ButterflyText {
            taps: names.into_iter().zip(self.taps).map(|(name, tap)| [name, at(tap)]).collect(),
            results: results.into_iter().zip(self.taps).map(|(value, tap)| [at(tap), value]).collect(),
        }
    }
}

/// The pairs that compute a Fourier matrix of residues with fewer products, decimated in frequency; `None` for other matrices and rings.
pub(super) fn halves(register: Register, matrix: &Matrix) -> Option<Vec<Pair>> {
    let n = matrix.taps;
    register.ring.field().filter(|_| n > 2 && n.is_power_of_two())?;
    let direction = dft_direction(matrix)?;
    let lengths = std::iter::successors(Some(n), |length| Some(length / 2)).take_while(|length| *length > 1);
    let pairs = lengths.flat_map(|length| {
        (0..n / 2).map(move |i| {
            let (first, j) = (i / (length / 2) * length + i % (length / 2), i % (length / 2));
            Pair { taps: [first, first + length / 2], factor: Coef::root(j as u64, length as u64, direction) }
        })
    });
    Some(pairs.collect())
}

/// The butterflies of a stage that a thread takes.
#[derive(Serialize, Default)]
pub(super) struct StepText {
    /// The name of the stage.
    pub(super) label: String,
    pub(super) butterflies: Vec<ButterflyText>,
}

/// The names of the taps of a butterfly.
pub(super) fn tap_names(n_taps: usize) -> Vec<String> {
    (0..n_taps).map(|k| if n_taps == 2 { ["u", "v"][k].into() } else { format!("u{k}") }).collect()
}

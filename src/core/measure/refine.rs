//! Where a peak lies between the values of a spectrum.

use super::Spectrum;
use num_complex::Complex64;

/// Smaller offsets beside a value are rounding.
const LEAST_OFFSET: f64 = 1e-4;

crate::choice! {
    /// How the position of a peak is refined.
    pub enum Refinement {
        /// By three complex values along each axis, exact for a wave without a window; a parabola where they are those of no such wave.
        #[default]
        Tone = "tone", "tone";
        /// By the top of a parabola through the logarithms of three magnitudes along each axis.
        Parabola = "parabola", "parabola";
        /// By the centre of the power of the 3 × 3 values round the peak that is above the least of them.
        Centroid = "centroid", "centroid";
        /// Not: the position of the largest value.
        None = "none", "none";
    }
}

impl Refinement {
    /// Row and column of the peak at a value, at most half a step beside it.
    pub(super) fn position(self, spectrum: &Spectrum<'_>, [row, column]: [usize; 2]) -> [f64; 2] {
        let at = |down: isize, right: isize| spectrum.wrapped(row as isize + down, column as isize + right);
        let down = || [-1, 0, 1].map(|step| at(step, 0));
        let right = || [-1, 0, 1].map(|step| at(0, step));
        let offset = match self {
            Self::Tone => [tone_offset(down()), tone_offset(right())],
            Self::Parabola => [parabola_offset(down()), parabola_offset(right())],
            Self::Centroid => centroid(at),
            Self::None => [0.0; 2],
        };
        let is_single = |n: usize| n < 3;
        // A row or a column of fewer than three values has no neighbours of its own.
        [
            row as f64 + if is_single(spectrum.rows) { 0.0 } else { offset[0] },
            column as f64 + if is_single(spectrum.columns) { 0.0 } else { offset[1] },
        ]
    }
}

/// How far the frequency of a tone lies beside its largest value, from −½ to ½, by that value and its two neighbours.
///
/// Without a window, the three complex values of a tone determine it (E. Jacobsen and P. Kootsookos, Fast, accurate frequency estimators, 2007).
/// With a window, both neighbours oppose the largest value; a parabola through the three levels fits then, as it does for values that are real.
pub fn tone_offset([before, at, after]: [Complex64; 3]) -> f64 {
    let is_complex = [before, at, after].iter().any(|value| value.im != 0.0);
    let ratios = [before, after].map(|value| (value / at).re);
    let smaller = if ratios[0].abs() < ratios[1].abs() { ratios[0] } else { ratios[1] };
    if is_complex && smaller > -0.1 {
        sound(((before - after) / (2.0 * at - before - after)).re)
    } else {
        parabola_offset([before, at, after])
    }
}

/// The top of the parabola through the logarithms of three magnitudes, from −½ to ½.
fn parabola_offset(values: [Complex64; 3]) -> f64 {
    let [before, at, after] = values.map(|value| value.norm().max(f64::MIN_POSITIVE).ln());
    sound(0.5 * (before - after) / (before - 2.0 * at + after))
}

/// The centre of the power above the least of the 3 × 3 values.
fn centroid(at: impl Fn(isize, isize) -> Complex64) -> [f64; 2] {
    let near = [-1, 0, 1].map(|down| [-1, 0, 1].map(|right| at(down, right).norm_sqr()));
    let least = near.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    let (mut sum, mut moment) = (0.0, [0.0; 2]);
    for (down, row) in near.iter().enumerate() {
        for (right, power) in row.iter().enumerate() {
            let weight = power - least;
            sum += weight;
            moment[0] += weight * (down as f64 - 1.0);
            moment[1] += weight * (right as f64 - 1.0);
        }
    }
    moment.map(|moment| sound(moment / sum))
}

/// An offset from −½ to ½; single precision knows none that is smaller than [`LEAST_OFFSET`].
fn sound(offset: f64) -> f64 {
    if offset.is_finite() && offset.abs() > LEAST_OFFSET { offset.clamp(-0.5, 0.5) } else { 0.0 }
}

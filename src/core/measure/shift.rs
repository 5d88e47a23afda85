//! The shift of two images: phase correlation finds it to a pixel, and the phases of their common part to a fraction of one.
//!
//! With b(x, y) = a(x − dx, y − dy), B(u, v) = A(u, v)·exp(−2πi(u·dx + v·dy)): the phase of A*·B is a plane whose slopes are the shift
//! (C. Kuglin and D. Hines, The phase correlation image alignment method, 1975; H. Stone et al., A fast direct Fourier-based algorithm for subpixel registration, 2001).

use crate::threads;
use num_complex::Complex64;
use std::f64::consts::TAU;
use std::ops::Range;

/// Higher frequencies than this, in cycles per pixel, are left out: aliasing and noise have the largest part of them.
const HIGHEST: f64 = 0.3;
/// The most rounds of the fit; every one leaves out the phases that the last one does not explain. Phases of noise slow it down.
const ROUNDS: usize = 100;
/// A round that moves the shift by less than this, in pixels, is the last one.
const SETTLED: f64 = 1e-5;
/// The lowest frequencies are left out up to this number of cycles an image, or an eighth of a small one: they hold the brightness, and what enters at the edges.
const LOWEST: f64 = 2.0;
/// Under a Hann window w, the variance of a sum over neighbouring values of a spectrum is this number of times larger along each axis: n·Σw⁴/(Σw²)².
const DEPENDENT: f64 = 35.0 / 18.0;
/// The least deviation, in pixels: what is written has four decimals.
const LEAST_DEVIATION: f64 = 1e-4;
/// Phases farther from the plane than this, in radians, do not count.
const FARTHEST: f64 = 1.0;

/// The shift of an image against another one: b(x, y) = a(x − dx, y − dy), y down.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Shift {
    /// To the right, in pixels.
    pub dx: f64,
    /// Down, in pixels.
    pub dy: f64,
    /// The height of the phase correlation there, 1 for an image and its cyclic shift by whole pixels.
    pub peak: f64,
    /// Standard deviation of `dx` and `dy`, as the phases scatter; `None` for what the images do not tell.
    pub deviation: [Option<f64>; 2],
}

/// A*·B/|A·B| of every value; 0 where a spectrum is 0. Its inverse transform is the phase correlation.
pub fn cross_phases(a: &[Complex64], b: &[Complex64]) -> Vec<Complex64> {
    // Magnitudes of rounding have no phase.
    let largest = |values: &[Complex64]| {
        let of_block = |block: Range<usize>| values[block].iter().map(|value| value.norm()).fold(0.0, f64::max);
        threads::map_blocks(values.len(), &of_block).into_iter().fold(0.0, f64::max)
    };
    let least = 1e-12 * largest(a) * largest(b);
    let phase = |index: usize| {
        let product = a[index].conj() * b[index];
        let norm = product.norm();
        if norm > least && norm.is_finite() { product / norm } else { Complex64::default() }
    };
    threads::tabulate(a.len(), phase)
}

/// The place of the largest value of a correlation, as a signed shift (dx, dy) of at most half the image, and that value.
pub fn largest(correlation: &[f64], columns: usize) -> ([isize; 2], f64) {
    let rows = correlation.len() / columns.max(1);
    let (index, value) = correlation.iter().copied().enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or_default();
    let signed = |at: usize, n: usize| if 2 * at > n { at as isize - n as isize } else { at as isize };
    ([signed(index % columns.max(1), columns), signed(index / columns.max(1), rows)], value)
}

/// The largest value of a correlation at a shift or beside it.
pub fn height_near(correlation: &[f64], columns: usize, [dx, dy]: [isize; 2]) -> f64 {
    let rows = correlation.len() / columns.max(1);
    let at = |x: isize, y: isize| correlation[y.rem_euclid(rows as isize) as usize * columns + x.rem_euclid(columns as isize) as usize];
    let near = (-1..=1).flat_map(|down| (-1..=1).map(move |right| [dx + right, dy + down]));
    if rows == 0 { 0.0 } else { near.map(|[x, y]| at(x, y)).fold(f64::NEG_INFINITY, f64::max) }
}

/// The columns and rows of both images that show the same part after a shift by whole pixels: those of `a`, and those of `b`.
pub fn overlap([rows, columns]: [usize; 2], [dx, dy]: [isize; 2]) -> [[Range<usize>; 2]; 2] {
    let part = |n: usize, shift: isize| {
        let length = n.saturating_sub(shift.unsigned_abs());
        let start = |shift: isize| shift.max(0) as usize;
        [start(-shift)..start(-shift) + length, start(shift)..start(shift) + length]
    };
    let ([ax, bx], [ay, by]) = (part(columns, dx), part(rows, dy));
    [[ax, ay], [bx, by]]
}

/// A Hann window of `n` samples that is shifted by a fraction of a sample. One that moves with the scene does not hold the shift back.
pub fn shifted_hann(n: usize, shift: f64) -> Vec<f32> {
    let weight = |at: f64| {
        if n == 1 {
            1.0
        } else if (0.0..=n as f64).contains(&at) {
            0.5 - 0.5 * (TAU * at / n as f64).cos()
        } else {
            0.0
        }
    };
    (0..n).map(|at| weight(at as f64 - shift) as f32).collect()
}

/// The shift that two images have besides one by whole pixels, with its standard deviations.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ResidualShift {
    /// Along x and down, in pixels.
    pub shift: [f64; 2],
    /// Standard deviations of both; `None` along an axis where the images have no frequencies.
    pub deviation: [Option<f64>; 2],
}

/// The phase of a frequency of both images.
#[derive(Clone, Copy)]
struct Phase {
    /// The frequency, in cycles per pixel.
    at: [f64; 2],
    /// The phase of A*·B.
    angle: f64,
    /// Its magnitude.
    weight: f64,
}

/// The shift that is left between two images, from their spectra, `columns` values a row. The phases are followed from a shift `near` it, within about one pixel.
///
/// A plane through the origin is fitted to the phases of A*·B, each weighted by its magnitude, which is the weight of least variance where the noise is white.
/// The deviation is as large as the phases scatter, and as the lower half of what tells the shift differs from the upper half: interpolated and undersampled images have no plane of phases.
pub fn residual(a: &[Complex64], b: &[Complex64], columns: usize, near: [f64; 2]) -> ResidualShift {
    let phases = phases(a, b, columns);
    let mut shift = near;
    for _ in 0..ROUNDS {
        let add = |a: [f64; 5], b: [f64; 5]| std::array::from_fn(|k| a[k] + b[k]);
        let of_block = |block: Range<usize>| phases[block].iter().map(|phase| phase.normal(shift)).fold([0.0; 5], add);
        let sums = threads::map_blocks(phases.len(), &of_block).into_iter().fold([0.0; 5], add);
        let Some(step) = solved(sums) else {
            // Along an axis without frequencies there is nothing to fit.
            let [uu, _, vv, ur, vr] = sums;
            let only = |square: f64, product: f64| if square > 0.0 { product / square } else { 0.0 };
            shift = if uu >= vv { [shift[0] + only(uu, ur), 0.0] } else { [0.0, shift[1] + only(vv, vr)] };
            continue;
        };
        shift = [shift[0] + step[0], shift[1] + step[1]];
        if step[0].hypot(step[1]) < SETTLED {
            break;
        }
    }
    ResidualShift { shift, deviation: deviation(&phases, shift) }
}

/// The phases that tell the shift, one of each pair: the other one has the opposite phase at the opposite frequency.
fn phases(a: &[Complex64], b: &[Complex64], columns: usize) -> Vec<Phase> {
    let rows = a.len() / columns.max(1);
    let signed = |at: usize, n: usize| (if 2 * at > n { at as f64 - n as f64 } else { at as f64 }) / n as f64;
    let phase = |index: usize| {
        let at = [signed(index % columns, columns), signed(index / columns, rows)];
        let ([u, v], product) = (at, a[index].conj() * b[index]);
        let is_counted = u.hypot(v) <= HIGHEST && (v > 0.0 || (v == 0.0 && u > 0.0)) && product.norm() > 0.0;
        (is_counted && product.is_finite()).then(|| Phase { at, angle: product.arg(), weight: product.norm() })
    };
    // Index 0, the mean, has no phase.
    let mut phases = threads::map_blocks(a.len(), &|block| block.filter(|&index| index > 0).filter_map(phase).collect::<Vec<_>>()).concat();
    let is_low = |phase: &Phase| phase.at.iter().zip([columns, rows]).all(|(f, n)| f.abs() * n as f64 <= LOWEST.min(n as f64 / 8.0));
    let information = |phase: &Phase| phase.weight * (phase.at[0].powi(2) + phase.at[1].powi(2));
    let [low, all] = [true, false].map(|low| phases.iter().filter(|phase| !low || is_low(phase)).map(information).sum::<f64>());
    // Smooth images have little but their lowest frequencies.
    if low < 0.5 * all {
        phases.retain(|phase| !is_low(phase));
    }
    phases
}

/// The solution of the normal equations with these sums, unless they are those of one direction.
fn solved([uu, uv, vv, ur, vr]: [f64; 5]) -> Option<[f64; 2]> {
    let determinant = uu * vv - uv * uv;
    (determinant > 1e-12 * uu * vv).then(|| [(vv * ur - uv * vr) / determinant, (uu * vr - uv * ur) / determinant])
}

/// The standard deviation of a shift along both axes.
fn deviation(phases: &[Phase], shift: [f64; 2]) -> [Option<f64>; 2] {
    /// Rings in which the frequencies are told apart.
    const RINGS: usize = 256;
    /// The sums of a ring: those of [`Phase::normal`], the squares of its products with r, u and v, and the information with its square.
    type Ring = [f64; 10];
    let add = |a: &mut Ring, b: &Ring| a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
    let of_block = |block: Range<usize>| {
        let mut rings = vec![[0.0; 10]; RINGS];
        for phase in &phases[block] {
            let [uu, uv, vv, ur, vr] = phase.normal(shift);
            let ring = (phase.at[0].hypot(phase.at[1]) / HIGHEST * RINGS as f64) as usize;
            add(&mut rings[ring.min(RINGS - 1)], &[uu, uv, vv, ur, vr, ur * ur, ur * vr, vr * vr, uu + vv, (uu + vv).powi(2)]);
        }
        rings
    };
    let mut rings = vec![[0.0; 10]; RINGS];
    for block in threads::map_blocks(phases.len(), &of_block) {
        rings.iter_mut().zip(&block).for_each(|(ring, block)| add(ring, block));
    }
    let sum = |rings: &[Ring]| rings.iter().fold([0.0; 10], |mut sum, ring| (add(&mut sum, ring), sum).1);
    let [uu, uv, vv, _, _, urur, urvr, vrvr, information, squares] = sum(&rings);
    let determinant = uu * vv - uv * uv;
    if determinant <= 1e-12 * uu * vv || determinant.is_nan() {
        let only = |square: f64, products: f64| (square > 0.0).then(|| (products.sqrt() * DEPENDENT / square).max(LEAST_DEVIATION));
        return if uu >= vv { [only(uu, urur), None] } else { [None, only(vv, vrvr)] };
    }
    let half = (1..RINGS).find(|&ring| 2.0 * sum(&rings[..ring])[8] >= information).unwrap_or(RINGS);
    let [lower, upper] = [&rings[..half], &rings[half..]].map(|rings| solved(*sum(rings).first_chunk().expect("there are more sums")));
    let differ = |axis: usize| lower.zip(upper).map_or(0.0, |(lower, upper)| lower[axis] - upper[axis]);
    // Few phases scatter less about a plane that is fitted to them.
    let n = (information * information / squares / (DEPENDENT * DEPENDENT)).max(3.0);
    let spread = |[p, q]: [f64; 2]| (p * p * urur + 2.0 * p * q * urvr + q * q * vrvr).max(0.0).sqrt() * DEPENDENT / determinant;
    let few = (n / (n - 2.0)).sqrt();
    let along = |axis: usize, spread: f64| Some((few * spread).hypot(differ(axis)).max(LEAST_DEVIATION));
    [along(0, spread([vv, -uv])), along(1, spread([-uv, uu]))]
}

impl Phase {
    /// The terms that the phase adds to the normal equations of the plane: u², uv, v², u·r and v·r times its weight. r is the rest that the shift leaves, over −2π.
    fn normal(&self, [dx, dy]: [f64; 2]) -> [f64; 5] {
        let [u, v] = self.at;
        let rest = self.angle + TAU * (u * dx + v * dy);
        let rest = rest - TAU * (rest / TAU).round();
        // Tukey's biweight.
        let share = 1.0 - (rest / FARTHEST).powi(2);
        if share <= 0.0 {
            return [0.0; 5];
        }
        let (w, r) = (self.weight * share * share, -rest / TAU);
        [w * u * u, w * u * v, w * v * v, w * u * r, w * v * r]
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{dft2, transform};
    use super::*;

    #[test]
    fn a_cyclic_shift_by_whole_pixels_has_a_peak_of_one() {
        let a = dft2(16, 24, |x, y| (x * 1.7).sin() * (y * 0.9 + 0.1 * x * y).cos());
        let turned: Vec<Complex64> = a
            .iter()
            .enumerate()
            .map(|(i, value)| value * Complex64::from_polar(1.0, -TAU * ((i % 24) as f64 * 5.0 / 24.0 - (i / 24) as f64 * 3.0 / 16.0)))
            .collect();
        let mut phases = cross_phases(&a, &turned);
        phases.iter_mut().for_each(|value| *value = value.conj());
        transform(&mut phases, 24);
        let correlation: Vec<f64> = phases.iter().map(|value| value.re / 384.0).collect();
        let (shift, peak) = largest(&correlation, 24);
        assert_eq!(shift, [5, -3]);
        assert!((peak - 1.0).abs() < 1e-6, "{peak}");
        assert_eq!([[4, -2], [5, 13]].map(|near| height_near(&correlation, 24, near)), [peak; 2]);
    }

    #[test]
    fn both_parts_of_an_overlap_show_the_same() {
        assert_eq!(overlap([10, 20], [3, -4]), [[0..17, 4..10], [3..20, 0..6]]);
        assert_eq!(overlap([10, 20], [0, 0]), [[0..20, 0..10], [0..20, 0..10]]);
    }
}

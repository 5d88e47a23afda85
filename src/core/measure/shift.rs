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
/// Neighbouring values of a spectrum are this number of times less independent along each axis under a Hann window.
const HANN_BANDWIDTH: f64 = 1.5;
/// Phases farther from the plane than this, in radians, do not count.
const FARTHEST: f64 = 1.0;

/// The shift of an image against another one: b(x, y) = a(x − dx, y − dy), y down.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Shift {
    /// To the right, in pixels.
    pub dx: f64,
    /// Down, in pixels.
    pub dy: f64,
    /// The height of the correlation peak, 1 for an image and its cyclic shift by whole pixels.
    pub peak: f64,
    /// Standard deviation of `dx` and `dy`, as the phases scatter.
    pub deviation: [f64; 2],
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
    let weight = |at: f64| if (0.0..=n as f64).contains(&at) { 0.5 - 0.5 * (TAU * at / n as f64).cos() } else { 0.0 };
    (0..n).map(|at| weight(at as f64 - shift) as f32).collect()
}

/// The shift that is left between two images whose shift is less than about one pixel, from their spectra, `columns` values a row: (dx, dy) and their standard deviation.
///
/// A plane through the origin is fitted to the phases of A*·B, each weighted by its magnitude, which is the weight of least variance where the noise is white.
pub fn residual(a: &[Complex64], b: &[Complex64], columns: usize) -> ([f64; 2], [f64; 2]) {
    let rows = a.len() / columns.max(1);
    let signed = |at: usize, n: usize| (if 2 * at > n { at as f64 - n as f64 } else { at as f64 }) / n as f64;
    let sample = |index: usize| {
        let [u, v] = [signed(index % columns, columns), signed(index / columns, rows)];
        let product = a[index].conj() * b[index];
        // One of each pair: the other one has the opposite phase at the opposite frequency.
        let is_low = [(u, columns), (v, rows)].iter().all(|(f, n)| f.abs() * *n as f64 <= LOWEST.min(*n as f64 / 8.0));
        let is_counted = !is_low && u.hypot(v) <= HIGHEST && (v > 0.0 || (v == 0.0 && u > 0.0)) && product.norm() > 0.0;
        (is_counted && product.is_finite()).then(|| [u, v, product.arg(), product.norm()])
    };
    // Index 0, the mean, has no phase.
    let samples = threads::map_blocks(a.len(), &|block| block.filter(|&index| index > 0).filter_map(sample).collect::<Vec<_>>()).concat();
    let mut shift = [0.0; 2];
    let mut deviation = [0.0; 2];
    for _ in 0..ROUNDS {
        let add = |a: [f64; 8], b: [f64; 8]| std::array::from_fn(|k| a[k] + b[k]);
        let of_block = |block: Range<usize>| samples[block].iter().map(|sample| plane_sums(sample, shift)).fold([0.0; 8], add);
        let sums = threads::map_blocks(samples.len(), &of_block).into_iter().fold([0.0; 8], add);
        let [uu, uv, vv, ur, vr, uurr, uvrr, vvrr] = sums;
        let determinant = uu * vv - uv * uv;
        if determinant <= 1e-12 * uu * vv {
            // Along an axis without frequencies there is nothing to fit.
            let only = |square: f64, product: f64| if square > 0.0 { product / square } else { 0.0 };
            shift = if uu >= vv { [shift[0] + only(uu, ur), 0.0] } else { [0.0, shift[1] + only(vv, vr)] };
            continue;
        }
        let step = [(vv * ur - uv * vr) / determinant, (uu * vr - uv * ur) / determinant];
        shift = [shift[0] + step[0], shift[1] + step[1]];
        // The rests that are left say how each weight scatters the shift.
        let spread = |[p, q]: [f64; 2]| (p * p * uurr + 2.0 * p * q * uvrr + q * q * vvrr).max(0.0).sqrt() * HANN_BANDWIDTH / determinant;
        deviation = [spread([vv, -uv]), spread([-uv, uu])];
        if step[0].hypot(step[1]) < SETTLED {
            break;
        }
    }
    (shift, deviation)
}

/// What one phase adds to the normal equations of the plane: u², uv, v², u·r and v·r times its weight, and u²r², uvr² and v²r² times its square. r is the rest that the shift leaves, over −2π.
fn plane_sums([u, v, phase, weight]: &[f64; 4], [dx, dy]: [f64; 2]) -> [f64; 8] {
    let rest = phase + TAU * (u * dx + v * dy);
    let rest = rest - TAU * (rest / TAU).round();
    // Tukey's biweight.
    let share = 1.0 - (rest / FARTHEST).powi(2);
    if share <= 0.0 {
        return [0.0; 8];
    }
    let (w, r) = (weight * share * share, -rest / TAU);
    [w * u * u, w * u * v, w * v * v, w * u * r, w * v * r, (w * u * r).powi(2), w * w * u * v * r * r, (w * v * r).powi(2)]
}

#[cfg(test)]
mod tests {
    use super::super::testing::{dft2, transform};
    use super::*;
    use crate::random::{random_bits, unit};

    /// A smooth scene without a period, at any place: blobs of many sizes.
    fn scene(x: f64, y: f64) -> f64 {
        let number = |k: u64, salt: u64| unit(random_bits(7919 * k + salt));
        (0..220)
            .map(|k| {
                let [cx, cy] = [number(k, 1), number(k, 2)].map(|part| 300.0 * part - 80.0);
                let size = 1.2 + 12.0 * number(k, 3).powi(3);
                (number(k, 4) - 0.3) * 60.0 * (-((x - cx).powi(2) + (y - cy).powi(2)) / (2.0 * size * size)).exp()
            })
            .sum::<f64>()
    }

    /// Shift by the same steps as the engine.
    fn shift_of(rows: usize, columns: usize, a: &[f64], b: &[f64]) -> Shift {
        let spectrum = |image: &[f64], [xs, ys]: &[Range<usize>; 2], [dx, dy]: [f64; 2]| {
            let part = ys.clone().flat_map(|y| &image[y * columns + xs.start..y * columns + xs.end]);
            let mean = part.sum::<f64>() / (xs.len() * ys.len()) as f64;
            let [across, down] = [shifted_hann(xs.len(), dx), shifted_hann(ys.len(), dy)];
            dft2(ys.len(), xs.len(), |x, y| {
                let (x, y) = (x as usize, y as usize);
                (image[(ys.start + y) * columns + xs.start + x] - mean) * f64::from(across[x] * down[y])
            })
        };
        let whole = [0..columns, 0..rows];
        let mut correlation = cross_phases(&spectrum(a, &whole, [0.0; 2]), &spectrum(b, &whole, [0.0; 2]));
        correlation.iter_mut().for_each(|value| *value = value.conj());
        transform(&mut correlation, columns);
        let reals: Vec<f64> = correlation.iter().map(|value| value.re / a.len() as f64).collect();
        let (pixels, peak) = largest(&reals, columns);
        let [of_a, of_b] = overlap([rows, columns], pixels);
        let (mut rest, mut deviation) = ([0.0; 2], [0.0; 2]);
        for _ in 0..2 {
            (rest, deviation) = residual(&spectrum(a, &of_a, [0.0; 2]), &spectrum(b, &of_b, rest), of_a[0].len());
        }
        Shift { dx: pixels[0] as f64 + rest[0], dy: pixels[1] as f64 + rest[1], peak, deviation }
    }

    #[test]
    fn shifted_scenes_are_registered_to_a_twentieth_of_a_pixel() {
        let (rows, columns) = (128, 150);
        let of = |dx: f64, dy: f64, salt: u64, noise: f64| -> Vec<f64> {
            let pixel = |i: usize| scene((i % columns) as f64 - dx, (i / columns) as f64 - dy) + noise * unit(random_bits(salt + i as u64));
            (0..rows * columns).map(pixel).collect()
        };
        let a = of(0.0, 0.0, 0, 1.0);
        for (dx, dy) in [(0.0, 0.0), (3.37, -5.81), (-12.5, 20.25), (0.5, 0.5), (-31.13, 7.04)] {
            let found = shift_of(rows, columns, &a, &of(dx, dy, 1 << 40, 1.0));
            let off = [found.dx - dx, found.dy - dy];
            assert!(off.iter().all(|off| off.abs() < 0.05), "({dx}, {dy}): {found:?}, off {off:?}");
            assert!(found.peak > 0.02 && found.peak <= 1.0 + 1e-9 && found.deviation.iter().all(|d| (0.0..0.05).contains(d)), "{found:?}");
        }
    }

    #[test]
    fn a_cyclic_shift_by_whole_pixels_has_a_peak_of_one() {
        let a = dft2(16, 24, scene);
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
    }

    #[test]
    fn both_parts_of_an_overlap_show_the_same() {
        assert_eq!(overlap([10, 20], [3, -4]), [[0..17, 4..10], [3..20, 0..6]]);
        assert_eq!(overlap([10, 20], [0, 0]), [[0..20, 0..10], [0..20, 0..10]]);
    }
}

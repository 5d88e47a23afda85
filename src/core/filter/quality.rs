//! How much of an image is left after a filter: the structural similarity.
//!
//! Z. Wang, A. C. Bovik, H. R. Sheikh, E. P. Simoncelli, Image quality assessment: from error visibility to structural similarity (2004),
//! over a square of 7 pixels with equal weights and the unbiased covariance.

use crate::threads;
use crate::transforms::Shape;

/// The side of the square.
const SIDE: usize = 7;
/// The two constants that keep quotients finite, as parts of the peak.
const STABLE: [f64; 2] = [0.01, 0.03];
/// Rows of results that one task computes.
const BAND: usize = 64;

/// The mean of the structural similarity of two images; 1 where they are equal. `peak` is the range of their values.
///
/// # Panics
/// When an image does not have the size of `shape`.
pub fn structural_similarity(original: &[f32], other: &[f32], shape: Shape, peak: f64) -> f64 {
    assert!(original.len() == shape.len() && other.len() == shape.len(), "both images are {shape:?}");
    let [down, across] = [shape.rows, shape.columns].map(|n| SIDE.min(n));
    let n = (down * across) as f64;
    if shape.is_empty() || n < 2.0 {
        return 1.0;
    }
    let [c1, c2] = STABLE.map(|k| (k * peak).powi(2));
    let [rows, columns] = [shape.rows - down + 1, shape.columns - across + 1];
    let unbiased = n / (n - 1.0);
    let similarity = |[a, b, aa, bb, ab]: [f64; 5]| {
        let [a, b, aa, bb, ab] = [a, b, aa, bb, ab].map(|sum| sum / n);
        let [va, vb, vab] = [aa - a * a, bb - b * b, ab - a * b].map(|part| unbiased * part);
        (2.0 * a * b + c1) * (2.0 * vab + c2) / ((a * a + b * b + c1) * (va + vb + c2))
    };
    let terms = |index: usize| {
        let [a, b] = [original, other].map(|image| f64::from(image[index]));
        [a, b, a * a, b * b, a * b]
    };
    let band = |band: usize| {
        let first = band * BAND;
        // The sums of every column over the rows of the square move down a row at a time.
        let mut sums = vec![[0.0; 5]; shape.columns];
        let add = |sums: &mut [[f64; 5]], row: usize, sign: f64| {
            for (column, sum) in sums.iter_mut().enumerate() {
                let terms = terms(row * shape.columns + column);
                (0..5).for_each(|k| sum[k] += sign * terms[k]);
            }
        };
        (first..first + down - 1).for_each(|row| add(&mut sums, row, 1.0));
        let mut total = 0.0;
        for row in first..(first + BAND).min(rows) {
            add(&mut sums, row + down - 1, 1.0);
            let mut square = [0.0; 5];
            for (column, sum) in sums.iter().enumerate() {
                (0..5).for_each(|k| square[k] += sum[k]);
                if column + 1 >= across {
                    total += similarity(square);
                    (0..5).for_each(|k| square[k] -= sums[column + 1 - across][k]);
                }
            }
            add(&mut sums, row, -1.0);
        }
        total
    };
    let total: f64 = threads::map(rows.div_ceil(BAND), &band).into_iter().sum();
    total / (rows * columns) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The formula of the paper, square by square.
    fn definition(a: &[f32], b: &[f32], Shape { rows, columns }: Shape, peak: f64) -> f64 {
        let (mut total, mut count) = (0.0, 0.0);
        for top in 0..=rows - 7 {
            for left in 0..=columns - 7 {
                let of = |image: &[f32]| -> Vec<f64> { (0..49).map(|i| image[(top + i / 7) * columns + left + i % 7].into()).collect() };
                let (x, y) = (of(a), of(b));
                let mean = |values: &[f64]| values.iter().sum::<f64>() / 49.0;
                let [mx, my] = [mean(&x), mean(&y)];
                let product =
                    |p: &[f64], mp: f64, q: &[f64], mq: f64| p.iter().zip(q).map(|(p, q)| (p - mp) * (q - mq)).sum::<f64>() / 48.0;
                let (vx, vy, vxy) = (product(&x, mx, &x, mx), product(&y, my, &y, my), product(&x, mx, &y, my));
                let (c1, c2) = ((0.01 * peak).powi(2), (0.03 * peak).powi(2));
                total += (2.0 * mx * my + c1) * (2.0 * vxy + c2) / ((mx * mx + my * my + c1) * (vx + vy + c2));
                count += 1.0;
            }
        }
        total / count
    }

    #[test]
    fn it_is_the_mean_over_all_squares() {
        let shape = Shape { rows: 80, columns: 19 };
        let image = |seed: usize| -> Vec<f32> { (0..shape.len()).map(|i| ((i * i + seed * i) % 97) as f32).collect() };
        let (a, b) = (image(3), image(8));
        let found = structural_similarity(&a, &b, shape, 97.0);
        assert!((found - definition(&a, &b, shape, 97.0)).abs() < 1e-12, "{found}");
        assert!((structural_similarity(&a, &a, shape, 97.0) - 1.0).abs() < 1e-12);
        assert!(structural_similarity(&a[..1], &b[..1], Shape::line(1), 97.0) == 1.0);
    }
}

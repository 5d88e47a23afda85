//! The definitions: convolutions with the filters, level after level. The tests compare plans with them, and they share no code with the plans.

use super::super::{Boundary, PacketOrder, Parameters, Shape};
use crate::plan::Direction;
use num_complex::Complex64;

/// The low-pass and the high-pass half of a line.
type Halves = [Vec<f64>; 2];

/// The matrix of the 9/7 transform of one line.
pub(super) fn cdf97(shape: Shape, parameters: Parameters) -> Vec<Vec<Complex64>> {
    let line = |x: &[f64]| if parameters.boundary == Boundary::Periodic { cdf97_periodic(x) } else { cdf97_symmetric(x) };
    matrix(shape.columns, parameters.direction, |x| mallat(x, Shape::line(shape.columns), parameters, line))
}

/// The matrix of the 9/7 transform of an image, its samples numbered row-major.
pub(super) fn cdf97_2(shape: Shape, parameters: Parameters) -> Vec<Vec<Complex64>> {
    let line = |x: &[f64]| if parameters.boundary == Boundary::Periodic { cdf97_periodic(x) } else { cdf97_symmetric(x) };
    matrix(shape.len(), parameters.direction, |x| mallat(x, shape, parameters, line))
}

/// The matrix of the Haar wavelet transform of one line.
pub(super) fn d2(shape: Shape, parameters: Parameters) -> Vec<Vec<Complex64>> {
    matrix(shape.columns, parameters.direction, |x| {
        mallat(x, Shape::line(shape.columns), parameters, |x| d2_halves(x, parameters.boundary))
    })
}

/// The matrix of the Haar wavelet transform of an image, its samples numbered row-major.
pub(super) fn d2_2(shape: Shape, parameters: Parameters) -> Vec<Vec<Complex64>> {
    matrix(shape.len(), parameters.direction, |x| mallat(x, shape, parameters, |x| d2_halves(x, parameters.boundary)))
}

/// The matrix of the D4 transform of one line.
pub(super) fn d4(shape: Shape, parameters: Parameters) -> Vec<Vec<Complex64>> {
    matrix(shape.columns, parameters.direction, |x| mallat(x, Shape::line(shape.columns), parameters, d4_halves))
}

/// The matrix of the D4 transform of an image, its samples numbered row-major.
pub(super) fn d4_2(shape: Shape, parameters: Parameters) -> Vec<Vec<Complex64>> {
    matrix(shape.len(), parameters.direction, |x| mallat(x, shape, parameters, d4_halves))
}

/// The matrix of the full tree of D4 packets of one line.
pub(super) fn d4_packet(shape: Shape, parameters: Parameters) -> Vec<Vec<Complex64>> {
    let even_halvings = (0..4).find(|level| shape.columns >> level & 1 == 1).unwrap_or(4);
    matrix(shape.columns, parameters.direction, |x| {
        let mut blocks = vec![x.to_vec()];
        for _ in 0..parameters.levels.unwrap_or(even_halvings) {
            blocks = blocks.iter().flat_map(|block| d4_halves(block)).collect();
        }
        let natural = |frequency: usize| match parameters.packet_order {
            PacketOrder::Natural => frequency,
            PacketOrder::Frequency => frequency ^ (frequency >> 1),
        };
        (0..blocks.len()).flat_map(|place| blocks[natural(place)].clone()).collect()
    })
}

/// All levels of an image: each replaces the rows and then the columns of the top left quarter by their halves.
fn mallat(x: &[f64], shape: Shape, parameters: Parameters, line: impl Fn(&[f64]) -> Halves) -> Vec<f64> {
    let mut done: Vec<Vec<f64>> = x.chunks(shape.columns).map(<[f64]>::to_vec).collect();
    let (mut rows, mut columns) = (shape.rows, shape.columns);
    for _ in 0..wanted(parameters, rows.max(columns)) {
        for row in &mut done[..rows] {
            let halves = line(&row[..columns]).concat();
            row[..columns].copy_from_slice(&halves);
        }
        for x in 0..columns {
            let halves = line(&done[..rows].iter().map(|row| row[x]).collect::<Vec<_>>()).concat();
            done.iter_mut().zip(halves).for_each(|(row, value)| row[x] = value);
        }
        (rows, columns) = (rows.div_ceil(2), columns.div_ceil(2));
    }
    done.concat()
}

/// One level of Haar; a single sample stays as it is.
/// The boundary extension of an odd line is x\[N\] = x\[N−2\], or x\[1\] if periodic.
fn d2_halves(x: &[f64], boundary: Boundary) -> Halves {
    let n = x.len();
    if n == 1 {
        return [x.to_vec(), Vec::new()];
    }
    let behind = if boundary == Boundary::Periodic { x[1] } else { x[n - 2] };
    let pair = |first: usize| (x[first], x.get(first + 1).copied().unwrap_or(behind));
    let low = (0..n).step_by(2).map(pair).map(|(a, b)| (a + b) / 2_f64.sqrt());
    let high = (0..n - 1).step_by(2).map(pair).map(|(a, b)| (a - b) / 2_f64.sqrt());
    [low.collect(), high.collect()]
}

/// One level of D4 with x\[i + N\] = x\[i\]; a single sample stays as it is.
/// Where N is odd, the even and the odd samples repeat separately, and the filters follow from the lifting steps.
fn d4_halves(x: &[f64]) -> Halves {
    let (n, root) = (x.len(), 3_f64.sqrt());
    if n == 1 {
        return [x.to_vec(), Vec::new()];
    }
    if n.is_multiple_of(2) {
        let h = [1.0 + root, 3.0 + root, 3.0 - root, 1.0 - root].map(|tap| tap / 32_f64.sqrt());
        let sum = |taps: [f64; 4], i: usize| (0..4).map(|k| taps[k] * x[(i + k) % n]).sum();
        let high = [h[3], -h[2], h[1], -h[0]];
        return [(0..n).step_by(2).map(|i| sum(h, i)).collect(), (0..n).step_by(2).map(|i| sum(high, i)).collect()];
    }
    let (even, odd) = apart(x);
    let (n_even, n_odd) = (even.len(), odd.len());
    let sums: Vec<f64> = (0..n_even).map(|i| even[i] + root * odd[i % n_odd]).collect();
    let difference = |i: usize| odd[i] - root / 4.0 * sums[i] - (root - 2.0) / 4.0 * sums[(i + n_even - 1) % n_even];
    let low = (0..n_even).map(|i| (sums[i] - difference((i + 1) % n_odd)) * (root - 1.0) / 2_f64.sqrt());
    let high = (0..n_odd).map(|i| -difference((i + 1) % n_odd) * (root + 1.0) / 2_f64.sqrt());
    [low.collect(), high.collect()]
}

/// The levels in the parameters, or four, or fewer where the length has fewer.
fn wanted(parameters: Parameters, n: usize) -> usize {
    parameters.levels.unwrap_or_else(|| 4.min((0..).find(|&levels| 1 << levels >= n).unwrap_or(0)))
}

/// The analysis filters of A. Cohen, I. Daubechies, J.-C. Feauveau (1992), from the centre outwards, low-pass with sum √2.
///
/// The product filter is (1 − y)⁴·(1 + 4y + 10y² + 20y³) with y = sin²(ω/2). Each filter has two of the four double zeros at y = 1.
/// The low-pass filter has the pair of complex zeros of the other factor; the high-pass filter, at ω + π, has its real zero.
fn cdf97_filters() -> [Vec<f64>; 2] {
    let cubic = |y: f64| 1.0 + y * (4.0 + y * (10.0 + y * 20.0));
    let slope = |y: f64| 4.0 + y * (20.0 + y * 60.0);
    let zero = (0..20).fold(-0.34, |y, _| y - cubic(y) / slope(y));
    let linear = 10.0 + 20.0 * zero;
    let pair = [1.0, -zero * linear, -zero * 20.0];
    let low = taps(&product(&[1.0, -2.0, 1.0], &pair));
    let synthesis = taps(&product(&[1.0, -2.0, 1.0], &[1.0, -1.0 / zero]));
    [low, synthesis.iter().enumerate().map(|(k, tap)| if k % 2 == 0 { *tap } else { -tap }).collect()]
}

/// The product of two polynomials.
fn product(a: &[f64], b: &[f64]) -> Vec<f64> {
    let coefficient = |n: usize| (0..=n).filter(|k| *k < a.len() && n - k < b.len()).map(|k| a[k] * b[n - k]).sum();
    (0..a.len() + b.len() - 1).map(coefficient).collect()
}

/// The symmetric filter, from its centre outwards, whose response is √2 times a polynomial in y = (2 − z − 1/z)/4.
fn taps(polynomial: &[f64]) -> Vec<f64> {
    let reach = polynomial.len() - 1;
    let mut filter = vec![0.0; 2 * reach + 1];
    let mut power = vec![0.0; 2 * reach + 1];
    power[reach] = 2_f64.sqrt();
    for coefficient in polynomial {
        filter.iter_mut().zip(&power).for_each(|(tap, value)| *tap += coefficient * value);
        let at = |i: usize| power.get(i).copied().unwrap_or(0.0);
        power = (0..power.len()).map(|i| at(i) / 2.0 - (at(i.wrapping_sub(1)) + at(i + 1)) / 4.0).collect();
    }
    filter[reach..].to_vec()
}

/// One level with x\[−i\] = x\[i\] and x\[N−1+i\] = x\[N−1−i\]; a single sample stays as it is.
fn cdf97_symmetric(x: &[f64]) -> Halves {
    if x.len() == 1 {
        return [x.to_vec(), Vec::new()];
    }
    convolved(x, |mut i| {
        let last = x.len() as i64 - 1;
        while !(0..=last).contains(&i) {
            i = if i < 0 { -i } else { 2 * last - i };
        }
        i as usize
    })
}

/// One level with x\[i + N\] = x\[i\]. Where N is odd, the even and the odd samples repeat separately, and the filters follow from the lifting steps.
fn cdf97_periodic(x: &[f64]) -> Halves {
    let n = x.len();
    match n {
        1 => [x.to_vec(), Vec::new()],
        _ if n.is_multiple_of(2) => convolved(x, |i| i.rem_euclid(n as i64) as usize),
        _ => {
            let (mut even, mut odd) = apart(x);
            let (n_even, n_odd) = (even.len(), odd.len());
            for (predict, update) in
                [(-1.586_134_342_059_923_6, -0.052_980_118_572_961_415), (0.882_911_075_530_933_3, 0.443_506_852_043_971_15)]
            {
                for (i, value) in odd.iter_mut().enumerate() {
                    *value += predict * (even[i] + even[(i + 1) % n_even]);
                }
                for (i, value) in even.iter_mut().enumerate() {
                    *value += update * (odd[(i + n_odd - 1) % n_odd] + odd[i % n_odd]);
                }
            }
            let scale = 1.149_604_398_860_241;
            [even.iter().map(|value| scale * value).collect(), odd.iter().map(|value| value / scale).collect()]
        }
    }
}

/// Even and odd samples.
fn apart(x: &[f64]) -> (Vec<f64>, Vec<f64>) {
    (x.iter().step_by(2).copied().collect(), x.iter().skip(1).step_by(2).copied().collect())
}

/// Both filters at every second sample; `inside` maps an index past the ends to a sample.
fn convolved(x: &[f64], inside: impl Fn(i64) -> usize) -> Halves {
    let at = |i: i64| x[inside(i)];
    let filter = |taps: &[f64], centre: i64| {
        let wings = taps.iter().zip(0..).skip(1).map(|(tap, k)| tap * (at(centre - k) + at(centre + k)));
        taps[0] * at(centre) + wings.sum::<f64>()
    };
    let (n, [low, high]) = (x.len() as i64, cdf97_filters());
    [(0..n).step_by(2).map(|i| filter(&low, i)).collect(), (1..n).step_by(2).map(|i| filter(&high, i)).collect()]
}

/// The matrix of a linear map of `n` values, one column from every unit vector, or its inverse.
fn matrix(n: usize, direction: Direction, map: impl Fn(&[f64]) -> Vec<f64>) -> Vec<Vec<Complex64>> {
    let columns: Vec<Vec<f64>> = (0..n).map(|i| map(&(0..n).map(|k| f64::from(u8::from(i == k))).collect::<Vec<_>>())).collect();
    let forward: Vec<Vec<f64>> = (0..n).map(|k| (0..n).map(|i| columns[i][k]).collect()).collect();
    let rows = if direction == Direction::Inverse { inverse(forward) } else { forward };
    rows.into_iter().map(|row| row.into_iter().map(Complex64::from).collect()).collect()
}

/// The inverse matrix, by elimination with the largest pivot.
fn inverse(mut rows: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = rows.len();
    for (k, row) in rows.iter_mut().enumerate() {
        row.extend((0..n).map(|i| f64::from(u8::from(i == k))));
    }
    for k in 0..n {
        let pivot = (k..n).max_by(|&a, &b| rows[a][k].abs().total_cmp(&rows[b][k].abs())).unwrap_or(k);
        rows.swap(k, pivot);
        let divisor = rows[k][k];
        rows[k].iter_mut().for_each(|value| *value /= divisor);
        let pivot_row = rows[k].clone();
        for row in rows.iter_mut().enumerate().filter(|(i, _)| *i != k).map(|(_, row)| row) {
            let factor = row[k];
            row.iter_mut().zip(&pivot_row).for_each(|(value, pivot)| *value -= factor * pivot);
        }
    }
    rows.into_iter().map(|row| row[n..].to_vec()).collect()
}

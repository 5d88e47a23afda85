//! The lattice of two vectors that peaks of a spectrum lie on, fitted to all of them by least squares.

use super::{Frequency, Peak};

/// The number of the strongest peaks from which two vectors are taken at first.
const CANDIDATES: usize = 16;
/// A peak lies on a lattice if it is at most this share of the shorter vector beside one of its points.
const BESIDE: f64 = 0.08;
/// The largest multiple of a vector.
const MOST_MULTIPLES: f64 = 12.0;
/// The least sine of the angle of two vectors.
const LEAST_SINE: f64 = 0.2;

/// A lattice of two vectors.
#[derive(Debug, Clone, PartialEq)]
pub struct Lattice {
    /// The two shortest frequencies, the shorter one first; their angle is at most 90°.
    pub vectors: [Frequency; 2],
    /// Standard deviation of each of their components, in cycles per pixel; 0 where two peaks determine them.
    pub deviation: [f64; 2],
    /// The multiples of both vectors at every peak; `None` for a peak off the lattice.
    pub indices: Vec<Option<[i32; 2]>>,
}

impl Lattice {
    /// The two shortest vectors of the lattice in the image that has this spectrum, as (x, y upwards) in pixels, the shorter one first.
    pub fn in_image(&self) -> [[f64; 2]; 2] {
        let [a, b] = self.vectors;
        let area = a.u * b.v - a.v * b.u;
        let dual = [Frequency { u: b.v / area, v: -b.u / area }, Frequency { u: -a.v / area, v: a.u / area }];
        reduced(dual).map(|vector| [vector.u, vector.v])
    }

    /// Lengths in pixels of both vectors in the image, and their angle in degrees, from 60 to 90.
    pub fn cell(&self) -> ([f64; 2], f64) {
        let [a, b] = self.in_image();
        let lengths = [a, b].map(|[x, y]| x.hypot(y));
        (lengths, ((a[0] * b[0] + a[1] * b[1]) / (lengths[0] * lengths[1])).clamp(-1.0, 1.0).acos().to_degrees())
    }
}

/// The lattice that the most peaks lie on, the widest one of several; `None` if no two peaks point in different directions.
pub fn lattice(peaks: &[Peak]) -> Option<Lattice> {
    let points: Vec<Frequency> = peaks.iter().map(|peak| peak.frequency).collect();
    let weights: Vec<f64> = peaks.iter().map(|peak| peak.value.norm()).collect();
    let first = &points[..points.len().min(CANDIDATES)];
    let mut best: Option<((usize, f64), [Frequency; 2])> = None;
    for (i, a) in first.iter().enumerate() {
        for b in &first[i + 1..] {
            // A sum or a difference of two peaks may be the shorter vector.
            let vectors = reduced([*a, *b]);
            let area = area(vectors);
            if area < LEAST_SINE * vectors[0].radius() * vectors[1].radius() {
                continue;
            }
            let n = indices(&points, vectors).iter().flatten().count();
            if best.is_none_or(|((most, widest), _)| n > most || (n == most && area > 1.05 * widest)) {
                best = Some(((n, area), vectors));
            }
        }
    }
    let mut vectors = best?.1;
    let mut deviation = [0.0; 2];
    // The second time more peaks may lie on it, as it fits better.
    for _ in 0..2 {
        (vectors, deviation) = fitted(&points, &weights, &indices(&points, vectors))?;
    }
    Some(Lattice { indices: indices(&points, vectors), vectors, deviation })
}

fn area([a, b]: [Frequency; 2]) -> f64 {
    (a.u * b.v - a.v * b.u).abs()
}

/// The two shortest vectors of the same lattice, after Lagrange and Gauss.
fn reduced([mut a, mut b]: [Frequency; 2]) -> [Frequency; 2] {
    let dot = |a: Frequency, b: Frequency| a.u * b.u + a.v * b.v;
    for _ in 0..64 {
        if dot(b, b) < dot(a, a) {
            (a, b) = (b, a);
        }
        let steps = (dot(a, b) / dot(a, a)).round();
        if steps == 0.0 || !steps.is_finite() {
            break;
        }
        b = Frequency { u: b.u - steps * a.u, v: b.v - steps * a.v };
    }
    a = a.upper();
    [a, if dot(a, b) < 0.0 { b.mate() } else { b }]
}

/// The multiples at every point that lies on the lattice.
fn indices(points: &[Frequency], vectors: [Frequency; 2]) -> Vec<Option<[i32; 2]>> {
    let [a, b] = vectors;
    let (area, shorter) = (a.u * b.v - a.v * b.u, a.radius().min(b.radius()));
    let of = |point: &Frequency| {
        let multiples = [(point.u * b.v - point.v * b.u) / area, (a.u * point.v - a.v * point.u) / area].map(f64::round);
        let [i, j] = multiples;
        let beside = Frequency { u: point.u - i * a.u - j * b.u, v: point.v - i * a.v - j * b.v };
        let is_on = beside.radius() <= BESIDE * shorter && multiples != [0.0; 2] && multiples.iter().all(|n| n.abs() <= MOST_MULTIPLES);
        is_on.then_some([i as i32, j as i32])
    };
    points.iter().map(of).collect()
}

/// Both vectors by least squares over the points on the lattice, and the standard deviation of their components.
fn fitted(points: &[Frequency], weights: &[f64], indices: &[Option<[i32; 2]>]) -> Option<([Frequency; 2], [f64; 2])> {
    let on = || {
        points
            .iter()
            .zip(weights)
            .zip(indices)
            .filter_map(|((point, weight), index)| Some((point, *weight, index.map(|i| i.map(f64::from))?)))
    };
    // The normal equations: two unknowns each for u and v, with the same matrix.
    let (mut m, mut right, mut sum) = ([0.0; 3], [[0.0; 2]; 2], 0.0);
    for (point, w, [i, j]) in on() {
        m = [m[0] + w * i * i, m[1] + w * i * j, m[2] + w * j * j];
        right = [
            [right[0][0] + w * i * point.u, right[0][1] + w * j * point.u],
            [right[1][0] + w * i * point.v, right[1][1] + w * j * point.v],
        ];
        sum += w;
    }
    let determinant = m[0] * m[2] - m[1] * m[1];
    if determinant <= 1e-9 * m[0] * m[2] {
        return None;
    }
    let solve = |[p, q]: [f64; 2]| [(m[2] * p - m[1] * q) / determinant, (m[0] * q - m[1] * p) / determinant];
    let [us, vs] = right.map(solve);
    let vectors = [Frequency { u: us[0], v: vs[0] }, Frequency { u: us[1], v: vs[1] }];
    let squares: f64 =
        on().map(|(point, w, [i, j])| w * ((point.u - i * us[0] - j * us[1]).powi(2) + (point.v - i * vs[0] - j * vs[1]).powi(2))).sum();
    let n = on().count() as f64;
    // Two coordinates a point, four unknowns.
    let variance = if n > 2.0 { squares / sum * n / (2.0 * n - 4.0) } else { 0.0 };
    let deviation = [m[2], m[0]].map(|other| (variance * other / determinant * sum / n).sqrt());
    Some((vectors, deviation))
}

#[cfg(test)]
mod tests {
    use super::super::testing::dft2;
    use super::super::{Refinement, Spectrum, peaks};
    use super::*;
    use crate::random::{random_bits, unit};
    use std::f64::consts::TAU;

    /// The lattice of an image whose pixels are `image`, from its own peaks.
    fn of_image(rows: usize, columns: usize, image: impl Fn(f64, f64) -> f64) -> Lattice {
        let values = dft2(rows, columns, image);
        let at = |row: usize, column: usize| values[row * columns + column];
        let peaks = peaks(&Spectrum { rows, columns, at: &at, is_real: true }, 12, Refinement::Tone);
        lattice(&peaks).unwrap_or_else(|| panic!("no lattice in {peaks:?}"))
    }

    #[test]
    fn hexagonal_lattices_are_measured_to_half_a_percent_and_a_third_of_a_degree() {
        for (size, period, turned) in [(256, 11.3, 7.0_f64), (512, 20.7, -13.0), (300, 6.21, 22.4), (128, 9.0, 0.0)] {
            // Three waves 60° apart, whose maxima have this distance.
            let wave = |k: f64, x: f64, y: f64| {
                let (sin, cos) = (turned + 60.0 * k).to_radians().sin_cos();
                (TAU * (x * cos - y * sin) * 2.0 / (3.0_f64.sqrt() * period) + 0.3 * k).cos()
            };
            let noise = |x: f64, y: f64| unit(random_bits((4096.0 * y + x) as u64));
            let found =
                of_image(size, size, |x, y| 50.0 + 10.0 * (wave(0.0, x, y) + wave(1.0, x, y) + wave(2.0, x, y)) + 10.0 * noise(x, y));
            let (lengths, angle) = found.cell();
            assert!(lengths.iter().all(|length| (length / period - 1.0).abs() < 0.005), "{size}, {period}: {found:?}, {lengths:?}");
            assert!((angle - 60.0).abs() < 0.3, "{size}, {period}: {angle}");
            let off = found.vectors.map(|vector| (vector.angle() - turned + 30.0).rem_euclid(60.0) - 30.0);
            assert!(off.iter().all(|off| off.abs() < 0.3), "{size}, {period}: {:?}", found.vectors.map(Frequency::angle));
            assert!(found.deviation.iter().all(|deviation| (0.0..1e-3).contains(deviation)));
        }
    }

    #[test]
    fn dots_with_harmonics_have_the_lattice_of_the_dots() {
        let [a, b] = [[14.2, 3.1], [-2.0, 9.4]];
        let area = a[0] * b[1] - a[1] * b[0];
        let found = of_image(256, 320, |x, y| {
            let phase = |vector: [f64; 2]| TAU * (x * vector[1] + y * vector[0]) / area;
            let [i, j] = [phase([-a[0], -a[1]]), phase([b[0], b[1]])];
            (3.0 * (i.cos() + j.cos())).exp()
        });
        let area_found = area_of(found.in_image());
        assert!((area_found / area - 1.0).abs() < 0.01, "{found:?}: {area_found} is not {area}");
        assert!(found.indices.iter().flatten().count() >= 10);
    }

    fn area_of([a, b]: [[f64; 2]; 2]) -> f64 {
        (a[0] * b[1] - a[1] * b[0]).abs()
    }

    #[test]
    fn parallel_peaks_have_no_lattice() {
        let peak = |u: f64| Peak {
            frequency: Frequency { u, v: u },
            index: [0; 2],
            value: 1.0.into(),
            background: 0.1,
            deviation: [0.0; 2],
            is_hidden: false,
        };
        assert_eq!(lattice(&[peak(0.1), peak(0.2), peak(0.3)]), None);
        assert_eq!(lattice(&[]), None);
    }
}

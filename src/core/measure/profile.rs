//! Profiles: the mean power of a spectrum by radius and by direction, and the values along a line of an image or of a spectrum.

use super::background::ring_of;
use super::{Frequency, Spectrum};
use rayon::prelude::*;

/// The mean power over parts of a spectrum: rings of equal frequency, or sectors of equal direction. Parts without values are left out.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Profile {
    /// The middle of every part: cycles per pixel, or degrees.
    pub at: Vec<f64>,
    /// The mean of |X|² over its finite values.
    pub power: Vec<f64>,
    /// The number of these values.
    pub count: Vec<u64>,
    /// The distance of two parts.
    pub step: f64,
}

/// Sectors of an angular profile are this number of degrees wide.
const SECTOR: f64 = 1.0;

/// The mean of |X|² over rings round frequency 0, one step of the coarser frequency axis wide: ring k holds the values nearest to k steps.
pub fn radial(spectrum: &Spectrum<'_>) -> Profile {
    let step = spectrum.step();
    let n_rings = (std::f64::consts::FRAC_1_SQRT_2 / step).round() as usize + 2;
    means(
        spectrum,
        n_rings,
        |row, column| Some(ring_of(spectrum, spectrum.step(), row, column)),
        |ring| ring as f64 / spectrum.rows.min(spectrum.columns) as f64,
        step,
    )
}

/// The mean of |X|² over sectors of one degree, of all frequencies up to ½ but frequency 0; angles are those of [`Frequency::angle`].
pub fn angular(spectrum: &Spectrum<'_>) -> Profile {
    let n_sectors = (180.0 / SECTOR) as usize;
    let sector = |row: usize, column: usize| {
        let frequency = spectrum.frequency([row as f64, column as f64]);
        let is_inside = frequency.radius() > 0.0 && frequency.radius() <= 0.5;
        // Sector 0 is at −89°, the last one at 90°.
        is_inside.then(|| ((frequency.angle() + 89.0) / SECTOR).round().rem_euclid(180.0 / SECTOR) as usize)
    };
    means(spectrum, n_sectors, sector, |sector| sector as f64 * SECTOR - 89.0, SECTOR)
}

fn means(
    spectrum: &Spectrum<'_>,
    n_parts: usize,
    part: impl Fn(usize, usize) -> Option<usize> + Sync,
    middle: impl Fn(usize) -> f64,
    step: f64,
) -> Profile {
    let none = || vec![(0.0, 0_u64); n_parts];
    let add = |mut sums: Vec<(f64, u64)>, row: usize| {
        for column in 0..spectrum.columns {
            let power = (spectrum.at)(row, column).norm_sqr();
            if let Some(part) = part(row, column).filter(|_| power.is_finite()) {
                sums[part] = (sums[part].0 + power, sums[part].1 + 1);
            }
        }
        sums
    };
    let join = |a: Vec<(f64, u64)>, b: Vec<(f64, u64)>| a.into_iter().zip(b).map(|(a, b)| (a.0 + b.0, a.1 + b.1)).collect();
    let sums = (0..spectrum.rows).into_par_iter().fold(none, add).reduce(none, join);
    let mut profile = Profile { step, ..Profile::default() };
    for (part, (sum, count)) in sums.into_iter().enumerate().filter(|(_, (_, count))| *count > 0) {
        profile.at.push(middle(part));
        profile.power.push(sum / count as f64);
        profile.count.push(count);
    }
    profile
}

/// A straight line through points, by least squares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineFit {
    /// Its slope.
    pub slope: f64,
    /// Its value at 0.
    pub at_zero: f64,
    /// Standard deviation of the slope; 0 for two points.
    pub slope_deviation: f64,
}

impl Profile {
    /// The line through log₁₀ of the power over log₁₀ of the frequency, from the first ring round frequency 0 up to ½. `None` where fewer than two rings have power.
    pub fn log_log_fit(&self) -> Option<LineFit> {
        let inside = |(at, power): (&f64, &f64)| (*at > 0.0 && *at <= 0.5 && *power > 0.0).then(|| [at.log10(), power.log10()]);
        line_fit(&self.at.iter().zip(&self.power).filter_map(inside).collect::<Vec<_>>())
    }
}

/// The straight line through points (x, y); `None` for fewer than two different x.
pub fn line_fit(points: &[[f64; 2]]) -> Option<LineFit> {
    let n = points.len() as f64;
    let mean = |k: usize| points.iter().map(|point| point[k]).sum::<f64>() / n;
    let [x, y] = [mean(0), mean(1)];
    let squares: f64 = points.iter().map(|point| (point[0] - x).powi(2)).sum();
    let slope = points.iter().map(|point| (point[0] - x) * (point[1] - y)).sum::<f64>() / squares;
    if points.len() < 2 || !slope.is_finite() {
        return None;
    }
    let at_zero = y - slope * x;
    let rest: f64 = points.iter().map(|point| (point[1] - at_zero - slope * point[0]).powi(2)).sum();
    let slope_deviation = if n > 2.0 { (rest / (n - 2.0) / squares).sqrt() } else { 0.0 };
    Some(LineFit { slope, at_zero, slope_deviation })
}

/// A line across an image, from pixel to pixel, with a width.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ProfileLine {
    /// Column and row of its beginning; whole numbers are the middles of pixels.
    pub from: [f64; 2],
    /// Column and row of its end.
    pub to: [f64; 2],
    /// Its width in pixels: values this far across the line are averaged.
    pub width: f64,
}

impl ProfileLine {
    /// Its length in pixels.
    pub fn length(&self) -> f64 {
        (self.to[0] - self.from[0]).hypot(self.to[1] - self.from[1])
    }
}

/// The values along a line.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LineProfile {
    /// Column and row of every position; they are one pixel apart.
    pub at: Vec<[f64; 2]>,
    /// The mean across the line, between pixels interpolated; not a number where the line is outside.
    pub values: Vec<f64>,
}

impl LineProfile {
    /// The profile along `line` of an image of `rows` × `columns` values.
    pub fn of(line: &ProfileLine, [rows, columns]: [usize; 2], value: impl Fn(usize, usize) -> f64) -> Self {
        let length = line.length();
        let along = [0, 1].map(|k| if length > 0.0 { (line.to[k] - line.from[k]) / length } else { 0.0 });
        let n_across = line.width.round().max(1.0) as usize;
        let n = (length + 1e-9).floor() as usize + 1;
        let at: Vec<[f64; 2]> = (0..n).map(|k| [0, 1].map(|axis| line.from[axis] + k as f64 * along[axis])).collect();
        let mean = |[x, y]: &[f64; 2]| {
            let offset = |k: usize| k as f64 - (n_across as f64 - 1.0) / 2.0;
            let across = (0..n_across).map(|k| between([y + offset(k) * along[0], x - offset(k) * along[1]], [rows, columns], &value));
            let (sum, n) = across.flatten().fold((0.0, 0.0), |(sum, n), value| (sum + value, n + 1.0));
            sum / n
        };
        let values = at.iter().map(mean).collect();
        Self { at, values }
    }

    /// The profile of |X|² along a line of the spectrum image, in which index (0, 0) is at (rows/2, columns/2).
    pub fn of_spectrum(line: &ProfileLine, spectrum: &Spectrum<'_>) -> Self {
        let index = |at: usize, n: usize| (at + n - n / 2) % n;
        let power = |row, column| (spectrum.at)(index(row, spectrum.rows), index(column, spectrum.columns)).norm_sqr();
        Self::of(line, [spectrum.rows, spectrum.columns], power)
    }
}

/// The frequency at a column and a row of a spectrum image of this size, in which index (0, 0) is at (rows/2, columns/2).
pub(super) fn frequency_in_image([x, y]: [f64; 2], [rows, columns]: [usize; 2]) -> Frequency {
    Frequency { u: (x - (columns / 2) as f64) / columns as f64, v: ((rows / 2) as f64 - y) / rows as f64 }
}

/// The value at a row and a column between the middles of pixels, by the four pixels round it; `None` outside the image.
fn between([y, x]: [f64; 2], [rows, columns]: [usize; 2], value: &impl Fn(usize, usize) -> f64) -> Option<f64> {
    let part = |at: f64, n: usize| {
        let inside = at.clamp(0.0, n as f64 - 1.0);
        let is_inside = (at - inside).abs() <= 0.5;
        let first = (inside.floor() as usize).min(n.saturating_sub(2));
        is_inside.then(|| (first, (first + 1).min(n - 1), inside - first as f64))
    };
    let ((top, bottom, down), (left, right, over)) = (part(y, rows)?, part(x, columns)?);
    // A pixel without weight does not count, whatever it holds.
    let mixed = |low: f64, high: f64, share: f64| match share {
        0.0 => low,
        1.0 => high,
        _ => low * (1.0 - share) + high * share,
    };
    let in_row = |row: usize| mixed(value(row, left), value(row, right), over);
    Some(if down == 0.0 { in_row(top) } else { mixed(in_row(top), in_row(bottom), down) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_complex::Complex64;

    #[test]
    fn rings_are_one_step_wide() {
        let (rows, columns) = (8, 8);
        let at = |row: usize, column: usize| Complex64::from((row * columns + column) as f64);
        let spectrum = Spectrum { rows, columns, at: &at, is_real: true };
        let profile = radial(&spectrum);
        assert_eq!((profile.at[0], profile.power[0], profile.count[0]), (0.0, 0.0, 1));
        // Distance 1 and √2 round to ring 1: indices ±1 of both axes.
        let ring = [[0, 1], [0, 7], [1, 0], [7, 0], [1, 1], [1, 7], [7, 1], [7, 7]].map(|[row, column]| at(row, column).norm_sqr());
        assert_eq!((profile.at[1], profile.count[1]), (0.125, 8));
        assert!((profile.power[1] - ring.iter().sum::<f64>() / 8.0).abs() < 1e-9);
        assert_eq!(profile.count.iter().sum::<u64>(), 64);
        let wide = radial(&Spectrum { rows: 4, columns: 8, ..spectrum });
        assert_eq!((wide.step, wide.count.iter().sum::<u64>()), (0.25, 32));
    }

    #[test]
    fn a_power_law_has_its_slope() {
        let (rows, columns) = (128, 200);
        let law = |row: usize, column: usize| {
            let frequency =
                Spectrum { rows, columns, at: &|_, _| Complex64::default(), is_real: true }.frequency([row as f64, column as f64]);
            Complex64::from(3.0 * frequency.radius().powf(-1.25))
        };
        let spectrum = Spectrum { rows, columns, at: &law, is_real: true };
        let fit = radial(&spectrum).log_log_fit().unwrap();
        assert!((fit.slope + 2.5).abs() < 0.03 && fit.slope_deviation < 0.02, "{fit:?}");
        assert!(radial(&Spectrum { at: &|_, _| Complex64::default(), ..spectrum }).log_log_fit().is_none());
        let exact = line_fit(&[[0.0, 1.0], [1.0, 3.0], [2.0, 5.0]]).unwrap();
        assert_eq!((exact.slope, exact.at_zero, exact.slope_deviation), (2.0, 1.0, 0.0));
        assert!(line_fit(&[[1.0, 1.0], [1.0, 2.0]]).is_none());
    }

    #[test]
    fn a_direction_stands_out() {
        let (rows, columns) = (64, 64);
        // Waves along (2, 1) upwards: rows count down.
        let at = |row: usize, column: usize| Complex64::from(f64::from((row, column) == (60, 8) || (row, column) == (4, 56)));
        let profile = angular(&Spectrum { rows, columns, at: &at, is_real: true });
        let strongest = (0..profile.at.len()).max_by(|&a, &b| profile.power[a].total_cmp(&profile.power[b])).unwrap();
        assert_eq!(profile.at[strongest], 27.0, "26.57° is nearest to 27°");
        assert!(profile.at.iter().all(|angle| (-89.0..=90.0).contains(angle)) && profile.at.len() > 170);
    }

    #[test]
    fn a_line_reads_between_pixels_and_across_its_width() {
        let plane = |row: usize, column: usize| 10.0 * row as f64 + column as f64;
        let line = |from, to, width| LineProfile::of(&ProfileLine { from, to, width }, [5, 7], plane);
        assert_eq!(line([0.0, 0.0], [6.0, 0.0], 1.0).values, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(line([0.5, 2.0], [0.5, 3.0], 1.0).values, [20.5, 30.5]);
        assert_eq!(line([1.0, 2.0], [3.0, 2.0], 3.0).values, [21.0, 22.0, 23.0]);
        let diagonal = line([0.0, 0.0], [3.0, 4.0], 1.0);
        assert!(diagonal.values.len() == 6 && (diagonal.values[5] - 43.0).abs() < 1e-9);
        let out = line([5.0, 4.0], [9.0, 4.0], 1.0).values;
        assert!(out[..2] == [45.0, 46.0] && out[3].is_nan());
        let spot = |row: usize, column: usize| Complex64::from(f64::from((row, column) == (0, 0)));
        let spectrum = Spectrum { rows: 4, columns: 5, at: &spot, is_real: true };
        let profile = LineProfile::of_spectrum(&ProfileLine { from: [0.0, 2.0], to: [4.0, 2.0], width: 1.0 }, &spectrum);
        assert_eq!(profile.values, [0.0, 0.0, 1.0, 0.0, 0.0]);
        assert_eq!(frequency_in_image([3.0, 1.0], [4, 5]), Frequency { u: 0.2, v: 0.25 });
    }
}

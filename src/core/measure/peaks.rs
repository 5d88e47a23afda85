//! The peaks of the spectrum of an image: values that stand clear of their background, with their frequencies between the values.

use super::background::is_hidden;
use super::{Clear, Frequency, Refinement, Spectrum, clear_values};
use crate::numerals::counted;
use crate::remedy::{Remedies, Remedy};
use num_complex::Complex64;

/// Smaller offsets than this number of standard deviations may be noise.
const MOST_BY_NOISE: f64 = 3.0;

/// A peak of a spectrum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Peak {
    /// Its refined frequency.
    pub frequency: Frequency,
    /// Row and column of its largest value.
    pub index: [usize; 2],
    /// That value.
    pub value: Complex64,
    /// The magnitude of the background.
    pub background: f64,
    /// Standard deviation of its frequency along each axis, in cycles per pixel, as noise of the level of the background causes it.
    pub deviation: [f64; 2],
    /// Whether the cross of unequal edges hides it, so that its value belongs to the edges as well: under a window it would stand clear.
    pub is_hidden: bool,
}

/// A note on peaks that the edges of an image hide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{} lost in the cross that unequal edges leave, until a window takes it away", counted(*.0, "peak"))]
pub struct HiddenPeaks(usize);

impl HiddenPeaks {
    /// The note on these peaks; `None` where no edges hide any.
    pub fn among(peaks: &[Peak]) -> Option<Self> {
        let n = peaks.iter().filter(|peak| peak.is_hidden).count();
        (n > 0).then_some(Self(n))
    }
}

impl Remedies for HiddenPeaks {
    fn remedies(&self) -> Vec<Remedy> {
        vec![Remedy::HannWindow]
    }
}

/// The strongest peaks, at most `count`, one of each conjugate pair of a real image: the one with v > 0, or v = 0 and u > 0.
pub fn peaks(spectrum: &Spectrum<'_>, count: usize, refinement: Refinement) -> Vec<Peak> {
    clear_values(spectrum).into_iter().take(count).map(|clear| peak(spectrum, clear, refinement)).collect()
}

/// A marker that a person pins on a spectrum.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Marker {
    /// Its frequency.
    pub at: Frequency,
    /// It belongs to the strongest value at most this many cycles per pixel beside it, along each axis.
    #[serde(default)]
    pub reach: f64,
}

impl Marker {
    /// The value that it belongs to, with its refined frequency and its background.
    pub fn peak(&self, spectrum: &Spectrum<'_>, refinement: Refinement) -> Peak {
        let index = strongest_within(spectrum, spectrum.nearest(self.at), self.reach);
        let (is_hidden, background) = is_hidden(spectrum, index);
        let value = (spectrum.at)(index[0], index[1]);
        peak(spectrum, Clear { index, magnitude: value.norm(), background, is_hidden }, refinement)
    }

    /// The marker a number of values beside this one, to the right and up, in a spectrum of this number of rows and columns.
    #[must_use]
    pub fn moved(self, [right, up]: [i32; 2], [rows, columns]: [usize; 2]) -> Self {
        let beside = |f: f64, steps: i32, n: usize| {
            let f = ((f * n as f64).round() + f64::from(steps)) / n as f64;
            f - (f - 0.5).ceil()
        };
        Self { at: Frequency { u: beside(self.at.u, right, columns), v: beside(self.at.v, up, rows) }, reach: 0.0 }
    }
}

/// The strongest value at most `reach` cycles per pixel beside an index along each axis; the mean is none.
fn strongest_within(spectrum: &Spectrum<'_>, [row, column]: [usize; 2], reach: f64) -> [usize; 2] {
    /// More values are hardly meant by one click.
    const MOST: f64 = 32.0;
    let [down, right] = [spectrum.rows, spectrum.columns].map(|n| (reach * n as f64).clamp(0.0, MOST) as isize).map(|most| -most..=most);
    let all = down.flat_map(|down| right.clone().map(move |right| [row as isize + down, column as isize + right]));
    let inside =
        all.map(|[row, column]| [row.rem_euclid(spectrum.rows as isize) as usize, column.rem_euclid(spectrum.columns as isize) as usize]);
    let power = |[row, column]: [usize; 2]| (spectrum.at)(row, column).norm_sqr();
    inside.filter(|index| *index != [0, 0]).max_by(|a, b| power(*a).total_cmp(&power(*b))).unwrap_or([row, column])
}

fn peak(spectrum: &Spectrum<'_>, clear: Clear, refinement: Refinement) -> Peak {
    let Clear { index, magnitude, background, is_hidden } = clear;
    let value = (spectrum.at)(index[0], index[1]);
    // The bound of Cramér and Rao for a wave in white noise, in steps: √(3/2)/π over the ratio of the magnitudes.
    let steps = 1.5_f64.sqrt() / std::f64::consts::PI * background / magnitude;
    let mut position = clear.position(spectrum, refinement);
    if (index[0] == 0 || 2 * index[0] == spectrum.rows) && (position[0] - index[0] as f64).abs() < MOST_BY_NOISE * steps {
        // Noise would turn a wave along x to its mate.
        position[0] = index[0] as f64;
    }
    let mut frequency = spectrum.frequency(position);
    if spectrum.is_real && spectrum.is_upper(index[0], index[1]) {
        frequency = frequency.upper();
    }
    let deviation = [spectrum.columns, spectrum.rows].map(|n| steps / n as f64);
    Peak { frequency, index, value, background, deviation, is_hidden }
}

#[cfg(test)]
mod tests {
    use super::super::testing::dft2;
    use super::*;
    use crate::random::{random_bits, unit};
    use std::f64::consts::TAU;

    fn found(rows: usize, columns: usize, count: usize, image: impl Fn(f64, f64) -> f64) -> Vec<Peak> {
        let values = dft2(rows, columns, image);
        let at = |row: usize, column: usize| values[row * columns + column];
        peaks(&Spectrum { rows, columns, at: &at, is_real: true }, count, Refinement::Tone)
    }

    fn noise(x: f64, y: f64) -> f64 {
        2.0 * unit(random_bits((4096.0 * y + x) as u64)) - 1.0
    }

    #[test]
    fn waves_are_listed_strongest_first_between_the_values() {
        let waves = [(0.1234, 0.0567, 60.0), (-0.2, 0.31, 20.0), (0.3, 0.0, 10.0), (0.0, 0.5, 3.0)];
        for (rows, columns) in [(200, 320), (256, 256), (131, 90)] {
            let found = found(rows, columns, 10, |x, y| {
                let wave = |(u, v, level): (f64, f64, f64)| level * (TAU * (u * x - v * y) + 0.7).cos();
                100.0 + waves.map(wave).iter().sum::<f64>() + noise(x, y)
            });
            assert_eq!(found.len(), waves.len(), "{rows} × {columns}: {found:?}");
            for (peak, (u, v, _)) in found.iter().zip(waves) {
                let Frequency { u: across, v: up } = peak.frequency;
                let steps = [(across - u).abs() * columns as f64, (up - v).abs() * rows as f64];
                assert!(steps.iter().all(|off| *off < 0.06), "{rows} × {columns}: {peak:?} is {steps:?} steps off ({u}, {v})");
                assert!(peak.deviation[0] * (columns as f64) < 0.06 && peak.deviation[0] > 0.0);
            }
        }
    }

    #[test]
    fn noise_slopes_and_unequal_edges_have_no_peaks() {
        assert_eq!(found(256, 256, 10, noise), []);
        assert_eq!(found(128, 200, 10, |x, y| 3.0 * x + y), []);
        assert_eq!(found(100, 100, 10, |_, _| 7.0), []);
        let disc = |x: f64, y: f64| f64::from((x - 90.0).hypot(y - 120.0) < 40.0);
        assert_eq!(found(256, 256, 10, |x, y| 100.0 * disc(x, y) + x + 5.0 * noise(x, y)), []);
    }

    #[test]
    fn a_small_image_has_its_peak() {
        let found = found(16, 16, 5, |x, y| (TAU * (3.0 * x + 2.0 * y) / 16.0).cos());
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].frequency, Frequency { u: -3.0 / 16.0, v: 2.0 / 16.0 });
        assert_eq!(found[0].index, [14, 13]);
        assert!((found[0].value.norm() - 128.0).abs() < 1e-9);
    }

    #[test]
    fn a_click_beside_a_peak_takes_the_peak() {
        let values = dft2(64, 64, |x, _| (TAU * 10.0 * x / 64.0).cos());
        let at = |row: usize, column: usize| values[row * 64 + column];
        let spectrum = Spectrum { rows: 64, columns: 64, at: &at, is_real: true };
        let marker = |u: f64, v: f64, reach: f64| Marker { at: Frequency { u: u / 64.0, v: v / 64.0 }, reach: reach / 64.0 };
        assert_eq!(marker(12.0, 1.0, 2.0).peak(&spectrum, Refinement::None).index, [0, 10]);
        assert_eq!(marker(5.0, -5.0, 0.0).peak(&spectrum, Refinement::None).index, [5, 5]);
        let Frequency { u, v } = marker(-10.0, 0.0, 0.0).peak(&spectrum, Refinement::Parabola).frequency;
        assert!((u + 10.0 / 64.0).abs() < 1e-5 && v == 0.0, "{u}, {v}");
        assert_eq!(marker(31.0, -5.0, 2.0).moved([2, -1], [64, 64]), marker(-31.0, -6.0, 0.0));
    }

    /// Slow light, grain and a scene of low frequencies, as photographs have them.
    fn light(x: f64, y: f64) -> f64 {
        let blob = |cx: f64, cy: f64, size: f64| (-((x - cx).powi(2) + (y - cy).powi(2)) / (2.0 * size * size)).exp();
        90.0 + 0.16 * x - 0.1 * y + 35.0 * blob(60.0, 220.0, 70.0) - 25.0 * blob(230.0, 40.0, 50.0) + 6.0 * noise(x, y)
    }

    /// A number from −½ to ½ for a pair of whole numbers.
    fn chosen(i: f64, j: f64) -> f64 {
        unit(random_bits((i + 512.0) as u64 * 8191 + (j + 512.0) as u64)) - 0.5
    }

    #[test]
    fn walls_pages_and_fences_give_their_pitch() {
        // Bricks of 37.3 × 18.6 pixels with joints, every second course shifted by half a brick, each of its own brightness.
        let wall = |x: f64, y: f64| {
            let course = (y / 18.6).floor();
            let along = x / 37.3 + if course.rem_euclid(2.0) == 0.0 { 0.0 } else { 0.5 };
            let is_joint = (y / 18.6 - course) * 18.6 < 3.0 || (along - along.floor()) * 37.3 < 3.0;
            light(x, y) + if is_joint { 60.0 } else { 25.0 * chosen(along.floor(), course) }
        };
        // Lines of text every 17.7 pixels: words of letters of which nothing repeats along a line.
        let page = |x: f64, y: f64| {
            let line = (y / 17.7).floor();
            let is_text = (y / 17.7 - line) * 17.7 < 8.0 && chosen((x / 23.0).floor(), line + 40.0) > -0.35;
            light(x, y) + if is_text && chosen((x / 3.0).floor(), line * 9.0 + (y / 2.0).floor()) > 0.0 { -70.0 } else { 40.0 }
        };
        // Narrow pales every 25.4 pixels, whose harmonics are nearly as strong as the pitch.
        let fence = |x: f64, y: f64| light(x, y) + if (x + 0.03 * y).rem_euclid(25.4) < 4.0 { -50.0 } else { 20.0 };
        let wave = |period: f64, horizontal: bool| (period, horizontal);
        type Texture<'a> = &'a dyn Fn(f64, f64) -> f64;
        let cases: [(&str, Texture, (f64, bool)); 3] =
            [("wall", &wall, wave(18.6, false)), ("page", &page, wave(17.7, false)), ("fence", &fence, wave(25.4, true))];
        for (name, image, (pitch, is_across)) in cases {
            let found = found(256, 300, 20, image);
            let is_pitch = |peak: &&Peak| {
                let is_direction = if is_across { peak.frequency.angle().abs() < 8.0 } else { peak.frequency.angle().abs() > 82.0 };
                is_direction && (peak.frequency.period() - pitch).abs() < 0.03 * pitch
            };
            assert!(found.iter().any(|peak| is_pitch(&peak)), "{name}: {found:?}");
        }
    }

    #[test]
    fn edges_hide_a_lattice_and_a_window_shows_it() {
        let image = |hidden: f64| move |x: f64, y: f64| hidden * x + 0.5 * noise(x, y) + 3.0 * (TAU * 0.1703 * x).cos();
        let found = |slope: f64| found(128, 200, 10, image(slope));
        assert!(found(0.0).len() == 1 && !found(0.0)[0].is_hidden);
        let hidden = found(4.0);
        assert_eq!((HiddenPeaks::among(&found(0.0)), HiddenPeaks::among(&hidden)), (None, Some(HiddenPeaks(1))));
        assert!(hidden.len() == 1 && hidden[0].is_hidden && (hidden[0].frequency.u - 0.1703).abs() < 1e-3, "{hidden:?}");
    }
}

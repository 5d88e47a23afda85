//! The peaks of a spectrum: the values that stand clear of their surroundings, wherever the view begins and ends.
//!
//! A peak is a local maximum that is above the background at both of its sides and above the valleys that part it from larger values.
//! The background is a median, which the lines of other tones do not lift; a slope is its own background, so that ripple on it is not a peak.

use crate::statistics::median;
use crate::threads;
use std::ops::Range;

/// A peak is at least this far above the background, in dB.
const ABOVE_BACKGROUND: f64 = 12.0;
/// A peak is at least this far above the higher one of the valleys beside it, in dB.
const PROMINENCE: f64 = 6.0;
/// A peak is at most this far below the largest value, in dB: deeper lines are the rounding of 16-bit samples and of single precision.
const DEPTH: f64 = 80.0;
/// White noise lists a false peak in one of this number of spectra.
const SPECTRA_PER_FALSE_PEAK: f64 = 1000.0;
/// Within this number of values of a larger peak, one this far below it in dB is a side lobe of a window.
const LOBES: (usize, f64) = (8, 40.0);
/// The number of the largest peaks whose side lobes are looked for.
const MOST_WITH_LOBES: usize = 256;
/// The width of the narrower one of two surroundings: the skirts of a large peak lift the values close to it.
const NARROW: usize = 16;
/// A side with fewer values has no background of its own.
const LEAST_SIDE: usize = 3;
/// At an end of the row, a peak falls by [`ABOVE_BACKGROUND`] within this number of values.
const REACH_AT_END: usize = 2;

/// The positions of the peaks in a row of levels in dB, largest first. Levels that are not finite belong to no peak.
pub(super) fn peaks(levels: &[f64]) -> Vec<usize> {
    let largest_of =
        |block: Range<usize>| levels[block].iter().copied().filter(|level| level.is_finite()).fold(f64::NEG_INFINITY, f64::max);
    let largest = threads::map_blocks(levels.len(), &largest_of).into_iter().fold(f64::NEG_INFINITY, f64::max);
    if levels.len() < 2 || !largest.is_finite() {
        return Vec::new();
    }
    let side = (levels.len() / 64).clamp(NARROW, 512);
    // The powers of noise have an exponential distribution, whose median is ln 2 times its mean.
    let noise = 10.0 * ((SPECTRA_PER_FALSE_PEAK * levels.len() as f64).ln() / std::f64::consts::LN_2).log10();
    let above = ABOVE_BACKGROUND.max(noise);
    // The medians of blocks leave few candidates; each of these is then compared with its own surroundings.
    let medians: Vec<f64> = threads::map_items(levels.chunks(side).collect(), &median_level);
    let is_candidate = |&at: &usize| {
        let block = at / side;
        let around = &medians[block.saturating_sub(1)..(block + 2).min(medians.len())];
        let lowest = around.iter().copied().fold(f64::INFINITY, f64::min);
        is_local_maximum(levels, at) && levels[at] >= (largest - DEPTH).max(lowest + above)
    };
    let is_peak = |&at: &usize| {
        is_candidate(&at)
            && is_prominent(levels, at)
            && [side, NARROW].iter().all(|side| levels[at] >= background(levels, at, *side) + above)
    };
    let mut found = threads::map_blocks(levels.len(), &|block| block.filter(is_peak).collect::<Vec<_>>()).concat();
    found.sort_by(|&a, &b| levels[b].total_cmp(&levels[a]).then(a.cmp(&b)));
    let mut tones: Vec<usize> = Vec::new();
    for at in found {
        let is_lobe = |larger: &usize| larger.abs_diff(at) <= LOBES.0 && levels[*larger] > levels[at] + LOBES.1;
        // Larger ones come first, and few peaks are ever shown.
        if !tones.iter().take(MOST_WITH_LOBES).any(is_lobe) {
            tones.push(at);
        }
    }
    tones
}

/// Of equal neighbours the first one is the maximum.
fn is_local_maximum(levels: &[f64], at: usize) -> bool {
    let beside = |at: Option<usize>| at.and_then(|at| levels.get(at)).copied().unwrap_or(f64::NEG_INFINITY);
    levels[at].is_finite() && levels[at] > beside(at.checked_sub(1)) && levels[at] >= beside(Some(at + 1))
}

/// The higher one of the medians at both sides. Beside an end of the row, the fall of the peak itself counts as well.
fn background(levels: &[f64], at: usize, side: usize) -> f64 {
    let part = |range: Range<usize>| &levels[range.start..range.end.min(levels.len())];
    let sides = [part(at.saturating_sub(side)..at), part(at + 1..at + 1 + side)];
    let is_at_end = sides.iter().any(|values| values.len() < LEAST_SIDE);
    let around = sides.into_iter().filter(|values| values.len() >= LEAST_SIDE).map(median_level).fold(f64::NEG_INFINITY, f64::max);
    if is_at_end { around.max(lowest_within(levels, at, REACH_AT_END)) } else { around }
}

/// The lowest level within `reach` values of a position.
fn lowest_within(levels: &[f64], at: usize, reach: usize) -> f64 {
    levels[at.saturating_sub(reach)..(at + reach + 1).min(levels.len())].iter().copied().fold(f64::INFINITY, f64::min)
}

/// Whether both ways to a larger value, or to the end, lead through a valley that is deep enough.
fn is_prominent(levels: &[f64], at: usize) -> bool {
    let peak = levels[at];
    let falls = |way: &mut dyn Iterator<Item = &f64>| {
        let mut is_at_end = true;
        for &level in way {
            is_at_end = false;
            if level > peak {
                return false;
            }
            if level <= peak - PROMINENCE {
                return true;
            }
        }
        is_at_end
    };
    falls(&mut levels[..at].iter().rev()) && falls(&mut levels[at + 1..].iter())
}

/// The median of levels, those that are not finite taken as −∞; −∞ without any.
fn median_level(levels: &[f64]) -> f64 {
    let finite = |level: &f64| if level.is_finite() { *level } else { f64::NEG_INFINITY };
    median(levels.iter().map(finite).collect()).unwrap_or(f64::NEG_INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::tone_offset as offset;
    use crate::prepare::{Window, Windowing};
    use crate::random::{random_bits, unit};
    use num_complex::Complex64;
    use std::f64::consts::TAU;

    /// The spectrum of a real signal from 0 to half the rate, by its definition.
    fn spectrum(samples: &[f64]) -> Vec<Complex64> {
        let n = samples.len();
        let mut values: Vec<Complex64> = samples.iter().map(|&sample| sample.into()).collect();
        rustfft::FftPlanner::new().plan_fft_forward(n).process(&mut values);
        values.truncate(n / 2 + 1);
        values
    }

    fn levels(values: &[Complex64]) -> Vec<f64> {
        values.iter().map(|value| 20.0 * value.norm().log10()).collect()
    }

    /// The frequencies of the peaks of a signal, in the order of the frequency.
    fn found(samples: &[f64], rate: f64) -> Vec<f64> {
        let values = spectrum(samples);
        let mut peaks = peaks(&levels(&values));
        peaks.sort_unstable();
        let at = |k: usize| if k > 0 && k + 1 < values.len() { offset([values[k - 1], values[k], values[k + 1]]) } else { 0.0 };
        peaks.into_iter().map(|k| (k as f64 + at(k)) * rate / samples.len() as f64).collect()
    }

    /// Uniform numbers from −1 to 1.
    fn noise(n: usize) -> Vec<f64> {
        (0..n as u64).map(|i| 2.0 * unit(random_bits(i)) - 1.0).collect()
    }

    #[test]
    fn tones_are_listed_at_their_frequencies_and_nothing_else() {
        for (rate, n) in [(44_100.0, 44_100), (48_000.0, 65_536), (16_000.0, 10_000), (44_100.0, 30_011)] {
            for window in [Window::None, Window::Hann, Window::Blackman] {
                let weights = Windowing::from(window).weights(n);
                let hiss = noise(n);
                let samples: Vec<f64> = (0..n)
                    .map(|i| {
                        let tone = |hertz: f64, level: f64| level * (TAU * hertz * i as f64 / rate).sin();
                        let sum = tone(440.0, 0.5) + tone(1234.5, 0.25) + tone(7000.0, 0.1) + 1e-4 * hiss[i];
                        weights[i] * sum
                    })
                    .collect();
                let found = found(&samples, rate);
                let is_near =
                    found.len() == 3 && found.iter().zip([440.0, 1234.5, 7000.0]).all(|(found, tone)| (found - tone).abs() < 0.06);
                assert!(is_near, "{rate} Hz, {n} samples, {window}: {found:?}");
            }
        }
    }

    #[test]
    fn products_of_tones_deep_below_them_are_no_peaks() {
        let (rate, n) = (44_100.0, 88_200);
        let tone = |hertz: f64, level: f64, i: usize| level * (TAU * hertz * i as f64 / rate).sin();
        let sum = |i: usize| tone(440.0, 0.5, i) + tone(1234.5, 0.25, i) + tone(7000.0, 0.1, i);
        // 96 dB below the largest tone, as converters and the rounding to 16 bits leave them.
        let products = |i: usize| tone(1234.5 - 880.0, 8e-6, i) + tone(1234.5 + 880.0, 8e-6, i);
        let samples: Vec<f64> = (0..n).map(|i| (32_767.0 * (sum(i) + products(i))).round() / 32_768.0).collect();
        let found = found(&samples, rate);
        let is_near = found.iter().zip([440.0, 1234.5, 7000.0]).all(|(found, tone)| (found - tone).abs() < 0.01);
        assert!(found.len() == 3 && is_near, "{found:?}");
    }

    #[test]
    fn ripple_on_a_slope_and_noise_are_no_peaks() {
        for n in [64_usize, 500, 4096, 30_000] {
            for (fall, ripple) in [(60.0, 2.5), (100.0, 5.0), (-80.0, 5.0), (0.0, 2.9)] {
                let level = |k: usize| -fall * k as f64 / n as f64 + ripple * (k as f64 * 0.9).sin();
                assert_eq!(peaks(&(0..n).map(level).collect::<Vec<_>>()), [0; 0], "{n} values that fall by {fall} dB");
            }
        }
        assert_eq!(found(&noise(20_000), 1.0), [0.0; 0]);
    }

    #[test]
    fn a_short_row_has_its_peaks_the_largest_first() {
        let rounding = -150.0;
        let mut levels = [rounding; 16];
        (levels[3], levels[9]) = (10.0, 20.0);
        assert_eq!(peaks(&levels), [9, 3]);
        levels[0] = 30.0;
        assert_eq!(peaks(&levels), [0, 9, 3], "a mean is a peak at the end of the row");
        assert_eq!(peaks(&[f64::NEG_INFINITY, 0.0, f64::NEG_INFINITY, f64::NEG_INFINITY]), [1]);
        (levels[3], levels[9], levels[12]) = (rounding, 31.0 - DEPTH, 29.0 - DEPTH);
        assert_eq!(peaks(&levels), [0, 9], "what is too deep is no tone");
        assert!(peaks(&[f64::NAN; 9]).is_empty() && peaks(&[]).is_empty() && peaks(&[1.0; 9]).is_empty());
    }
}

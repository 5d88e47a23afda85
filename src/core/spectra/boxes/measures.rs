//! The measures of what a box of a recording holds.

use super::TimeFrequencyBox;
use crate::spectra::peaks::offset;
use crate::spectra::{Average, Averaged, Band, Frames, Job, SpectraError, averaged, band};

/// The measures of what a box holds, from the averaged spectrum of its samples under a Hann window: one transform of short boxes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoxMeasures {
    /// The frequency of the largest value, interpolated by its larger neighbour as for a sine.
    pub peak: f64,
    /// The mean frequency, each weighted by its power.
    pub centroid: f64,
    /// The width of the band that holds 99 % of the power (ITU-R SM.328).
    pub bandwidth: f64,
    /// The power: the mean square of what it holds of the samples.
    pub power: f64,
    /// The power times the duration, in squares of the unit of the samples times the unit of time.
    pub energy: f64,
    /// The duration in the unit of time.
    pub duration: f64,
    /// The distance of two values of the spectrum in frequency.
    pub step: f64,
}

/// Measures what a box holds of the first track of a job, whose samples and frames have no meaning here.
///
/// # Errors
/// As [`averaged`]: when the box has fewer than two samples or lies outside, holds samples that are no numbers, or the work is cancelled.
pub fn box_measures(job: &Job<'_>, part: &TimeFrequencyBox) -> Result<BoxMeasures, SpectraError> {
    let n = part.samples.len();
    let usual = Frames::default();
    let frames = if n >= 2 * usual.length { usual } else { Frames::whole(n) };
    let spectrum = averaged::<f64>(&Job { samples: part.samples.clone(), frames, ..job.clone() }, Average::Mean)?;
    let ends = part.cycles.map(|cycles| cycles * job.rate);
    let Band { power, occupied, centroid } = band(&spectrum, ends)?;
    let duration = n as f64 / job.rate;
    let peak = peak(&spectrum, ends);
    Ok(BoxMeasures {
        peak,
        centroid,
        bandwidth: occupied[1] - occupied[0],
        power,
        energy: power * duration,
        duration,
        step: spectrum.calibration.step(),
    })
}

/// The frequency of the largest value between two frequencies; the middle of the band in silence, and where it lies between two values.
fn peak(spectrum: &Averaged, [low, high]: [f64; 2]) -> f64 {
    let step = spectrum.calibration.step();
    let all: Vec<(f64, f64)> = spectrum.frequencies().map(|(frequency, bin)| (frequency, spectrum.power[bin])).collect();
    let inside = (0..all.len()).filter(|at| (low..=high).contains(&all[*at].0));
    let Some(at) = inside.max_by(|a, b| all[*a].1.total_cmp(&all[*b].1)).filter(|at| all[*at].1 > 0.0) else {
        return low.midpoint(high);
    };
    let beside = |at: Option<usize>| at.and_then(|at| all.get(at)).map_or(0.0, |(_, power)| *power);
    let (below, above) = (beside(at.checked_sub(1)), beside(Some(at + 1)));
    let by = offset((below.max(above) / all[at].1).sqrt(), 1.0, spectrum.frames.length as f64);
    (all[at].0 + if above >= below { by * step } else { -by * step }).clamp(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::Effect;
    use crate::signal::{ChannelChoice, Samples, Signal};
    use std::f64::consts::TAU;
    use std::sync::atomic::AtomicBool;

    const RATE: f64 = 8000.0;

    fn measured(value: impl Fn(f64) -> f64, samples: std::ops::Range<usize>, ends: [f64; 2]) -> Result<BoxMeasures, SpectraError> {
        let signal = Signal::row("s", Samples::F64((0..40_000).map(|n| value(n as f64 / RATE)).collect()));
        let cancel = AtomicBool::new(false);
        let tracks = vec![signal.track(ChannelChoice::Luma).unwrap()];
        let job = Job { tracks, samples: 0..0, frames: Frames::whole(2), rate: RATE, rows: None, cancel: &cancel };
        box_measures(&job, &TimeFrequencyBox { samples, cycles: ends.map(|end| end / RATE), effect: Effect::Pass, stroke: None })
    }

    #[test]
    fn a_tone_in_a_box_has_its_frequency_power_and_energy() {
        // A tone beside a louder one that the box leaves out; long boxes have averages, and short ones a transform.
        let tones = |at: f64| 0.5 * (TAU * 1003.7 * at).sin() + 2.0 * (TAU * 2500.0 * at).sin();
        for samples in [1000..37_000, 1000..5000] {
            let found = measured(tones, samples.clone(), [800.0, 1200.0]).unwrap();
            assert!((found.peak - 1003.7).abs() < 0.02, "{found:?}");
            assert!((found.centroid - 1003.7).abs() < 0.2 && found.bandwidth < 3.0 * found.step, "{found:?}");
            let duration = samples.len() as f64 / RATE;
            assert!((found.power - 0.125).abs() < 1e-4 && found.duration == duration, "{found:?}");
            assert!((found.energy - 0.125 * duration).abs() < 1e-4 * duration, "{found:?}");
        }
    }

    #[test]
    fn noise_fills_its_box_and_silence_has_no_power() {
        let noise = |at: f64| crate::random::unit(crate::random::random_bits((at * RATE).round() as u64)) - 0.5;
        let found = measured(noise, 0..40_000, [1000.0, 3000.0]).unwrap();
        // Uniform noise has the power 1/12, half of which lies in half of the band.
        assert!((found.power - 1.0 / 24.0).abs() < 2e-3 && (found.bandwidth - 1980.0).abs() < 30.0, "{found:?}");
        assert!((found.centroid - 2000.0).abs() < 30.0, "{found:?}");
        let silent = measured(|_| 0.0, 0..100, [1000.0, 3000.0]).unwrap();
        assert_eq!((silent.peak, silent.power, silent.energy), (2000.0, 0.0, 0.0));
        assert!(measured(noise, 0..1, [1000.0, 3000.0]).is_err());
        assert!(measured(|_| f64::NAN, 0..100, [1000.0, 3000.0]).is_err());
    }
}

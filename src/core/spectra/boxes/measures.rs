//! The measures of what a box of a recording holds.

use super::shares::NARROWEST;
use super::{TimeFrequencyBox, boxed};
use crate::filter::Effect;
use crate::plan::Precision;
use crate::signal::{ChannelChoice, Signal};
use crate::spectra::peaks::offset;
use crate::spectra::{Average, Averaged, BandContents, Frames, Overlap, SpectraError, SpectraJob, averaged, band};

/// The measures of what a box holds, or of what the filter of a stroke leaves, from the averaged spectrum of its samples under a Hann window: one transform of short boxes.
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

/// Measures what a box holds of the first track of a job, whose samples are the whole recording and whose frames have no meaning here.
///
/// # Errors
/// As [`averaged`]: when the box has fewer than two samples or lies outside, holds samples that are not numbers, or the work is cancelled.
pub fn box_measures(job: &SpectraJob<'_>, part: &TimeFrequencyBox) -> Result<BoxMeasures, SpectraError> {
    let Some(stroke) = &part.stroke else { return of_box(job, part) };
    let (whole, n) = (job.samples.clone(), part.samples.len());
    // Frames tell its frequencies apart, and are no longer than four times half its width where that suffices.
    let floor = |least: f64| 1_usize << (least.max(2.0) as usize).ilog2();
    let usual = floor(4.0 * stroke.half[0] * n as f64).min(Frames::of_spectrogram().length);
    let length = usual.max(2 * floor(NARROWEST / part.width())).min(whole.len());
    let samples = part.samples.start.saturating_sub(length).max(whole.start)..(part.samples.end + length).min(whole.end);
    let own = TimeFrequencyBox { effect: Effect::Pass, ..part.clone() };
    let frames = Frames::new(length, Overlap::Share(0.75));
    let left = boxed(
        &SpectraJob { samples: samples.clone(), frames, precision: Precision::Double, ..job.clone() },
        whole,
        std::slice::from_ref(&own),
    )?
    .samples;
    let energy = left.to_complex64().iter().map(|z| z.norm_sqr()).sum::<f64>() / job.rate;
    let left = Signal::row("stroke", left);
    let tracks = vec![left.track(ChannelChoice::Channel(0))?];
    let first = part.samples.start - samples.start;
    let found = of_box(&SpectraJob { tracks, ..job.clone() }, &TimeFrequencyBox { samples: first..first + n, ..own })?;
    Ok(BoxMeasures { power: energy / found.duration, energy, ..found })
}

/// The values of a spectrum that a box is high at least, where the part is long enough: a Hann window makes a tone four of them wide.
const LINE: f64 = 16.0;

/// Measures what lies between the ends of a box.
fn of_box(job: &SpectraJob<'_>, part: &TimeFrequencyBox) -> Result<BoxMeasures, SpectraError> {
    let n = part.samples.len();
    // The line of a tone is some values wide: a low box needs long frames, so that it holds the line of its tone.
    let length = Frames::default().length.max(((LINE / part.width()).min(n as f64) as usize).next_power_of_two());
    let frames = if n >= 2 * length { Frames::new(length, Overlap::Share(0.5)) } else { Frames::whole(n) };
    let spectrum =
        averaged(&SpectraJob { samples: part.samples.clone(), frames, precision: Precision::Double, ..job.clone() }, Average::Mean)?;
    let ends = part.cycles.map(|cycles| cycles * job.rate);
    let BandContents { power, occupied, centroid } = band(&spectrum, ends)?;
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
    use crate::signal::Samples;
    use crate::spectra::{Rate, RecordingExtent};
    use std::f64::consts::TAU;
    use std::sync::atomic::AtomicBool;

    const RATE: f64 = 8000.0;

    fn measured(value: impl Fn(f64) -> f64, samples: std::ops::Range<usize>, ends: [f64; 2]) -> Result<BoxMeasures, SpectraError> {
        let signal = Signal::row("s", Samples::F64((0..40_000).map(|n| value(n as f64 / RATE)).collect()));
        let cancel = AtomicBool::new(false);
        let tracks = vec![signal.track(ChannelChoice::Luma).unwrap()];
        let job = SpectraJob::new(tracks, 0..0, Frames::whole(2), RATE, &cancel);
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
    fn a_low_box_holds_the_whole_tone() {
        let found = measured(|at| 0.5 * (TAU * 1003.7 * at).sin(), 0..40_000, [1001.7, 1005.7]).unwrap();
        assert!((found.power - 0.125).abs() < 1e-4 && (found.peak - 1003.7).abs() < 0.002, "{found:?}");
    }

    #[test]
    fn a_stroke_has_the_measures_of_what_it_takes() {
        // A chirp from 500 Hz to 1500 Hz beside a louder tone that crosses the box around it.
        let chirp = |at: f64| 0.5 * (TAU * (500.0 * at + 100.0 * at * at)).sin();
        let signal =
            Signal::row("s", Samples::F64((0..40_000).map(|n| n as f64 / RATE).map(|at| chirp(at) + (TAU * 1400.0 * at).sin()).collect()));
        let cancel = AtomicBool::new(false);
        let tracks = vec![signal.track(ChannelChoice::Luma).unwrap()];
        let job = SpectraJob::new(tracks, 0..40_000, Frames::whole(2), RATE, &cancel);
        let extent = RecordingExtent { samples: 40_000, is_complex: false, rate: Rate::UNKNOWN };
        // The first three seconds, in which it goes to 1100 Hz.
        let of = |path: &[[f64; 2]]| TimeFrequencyBox::of_stroke(path, [400.0, 0.02], &extent, Effect::Cut).unwrap();
        let own = of(&[[0.0, 500.0 / RATE], [24_000.0, 1100.0 / RATE]]);
        let found = box_measures(&job, &own).unwrap();
        assert!((found.energy - 0.125 * 3.0).abs() < 0.01, "{found:?}");
        assert!(
            (found.centroid - 800.0).abs() < 25.0 && (found.bandwidth - 600.0).abs() < 100.0,
            "frames count less at the ends: {found:?}"
        );
        let around = box_measures(&job, &TimeFrequencyBox { stroke: None, ..own }).unwrap();
        assert!((around.energy - found.energy).abs() < 0.02, "the tone lies outside: {around:?}");
        let crossing = of(&[[0.0, 500.0 / RATE], [39_000.0, 1475.0 / RATE]]);
        let inside = box_measures(&job, &TimeFrequencyBox { stroke: None, ..crossing.clone() }).unwrap();
        let found = box_measures(&job, &crossing).unwrap();
        assert!(found.energy < 0.5 * inside.energy && (found.duration - inside.duration).abs() < 1e-9, "{found:?} {inside:?}");
        let dot = box_measures(&job, &of(&[[30_000.0, 0.4]])).unwrap();
        assert!(dot.power < 1e-6 && dot.duration == 0.05, "{dot:?}");
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

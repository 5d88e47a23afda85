//! Measures of a tone: how pure it is, and what noise is beside it. In double precision, over the whole selection.
//!
//! The window has side lobes below −160 dB (Kaiser, β = 38), so the power of a tone lies in its main lobe, which is summed.
//! The noise under a lobe is the median of the values on both sides of it.

use super::whole::Whole;
use super::{Calibration, Frames, SpectraError, SpectraJob, whole};
use crate::prepare::{Detrend, Window, Windowing};
use crate::statistics::median;
use crate::threads;
use std::f64::consts::PI;
use std::ops::Range;

/// A request for the measures of a tone.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct ToneRequest {
    /// A frequency near the fundamental; `None` takes the strongest.
    pub at: Option<f64>,
    /// The highest harmonic that counts.
    pub harmonics: usize,
    /// The band that counts; `None` for all frequencies.
    pub band: Option<[f64; 2]>,
}

/// The measures of a tone. Powers are mean squares of the samples.
#[derive(Debug, Clone, PartialEq)]
pub struct Tone {
    /// The frequency of the fundamental.
    pub frequency: f64,
    /// Its peak amplitude.
    pub amplitude: f64,
    /// Harmonics over the fundamental, in dB.
    pub thd: f64,
    /// Everything but frequency 0 and the fundamental over the fundamental, in dB.
    pub thdn: f64,
    /// The fundamental over noise and distortion, in dB.
    pub sinad: f64,
    /// The fundamental over everything but frequency 0 and the harmonics, in dB.
    pub snr: f64,
    /// The fundamental over the largest other line, in dB.
    pub sfdr: f64,
    /// The effective number of bits.
    pub enob: f64,
    /// The mean density of the noise: power in a unit of frequency.
    pub noise_density: f64,
    /// The highest harmonic that was looked for; those outside the band are left out.
    pub harmonics: usize,
    /// The band.
    pub band: [f64; 2],
    /// The window.
    pub window: Windowing,
    /// Samples.
    pub length: usize,
    /// The factors of the spectrum that it was measured in.
    pub calibration: Calibration,
}

/// The name of what is measured.
const MEASURE: &str = "a measure of a tone";
/// β of the window.
const BETA: f64 = 38.0;
/// Half the width of its main lobe in steps, of which the first zero is at √(1 + (β/π)²) = 12.1.
const LOBE: usize = 13;

impl Default for ToneRequest {
    fn default() -> Self {
        Self { at: None, harmonics: 10, band: None }
    }
}

impl ToneRequest {
    /// The window of the measures.
    pub fn window() -> Windowing {
        Windowing { shape: Window::Kaiser, parameter: Some(BETA), radial: false }
    }
}

/// The measures of the tone in the first track of a job. Its frames have no meaning here.
///
/// # Errors
/// When the samples are complex or too few for the tone, the selection is silent or lies outside, or the band holds nothing.
pub fn tone(job: &SpectraJob<'_>, request: ToneRequest) -> Result<Tone, SpectraError> {
    let n = job.samples.len();
    if job.is_complex() {
        return Err(SpectraError::Complex(MEASURE));
    }
    let frames = Frames { window: ToneRequest::window(), detrend: Detrend::None, ..Frames::whole(n) };
    let least = 8 * LOBE;
    if n < least {
        job.check()?;
        return Err(SpectraError::TooFew { measure: MEASURE, least, samples: n });
    }
    let spectrum = whole::<f64>(&SpectraJob { frames, ..job.clone() }).map_err(|error| error.of_measure(MEASURE))?;
    let lines = Lines::new(spectrum, request.band)?;
    let at = lines.fundamental(request.at)?;
    // The lobe of the fundamental must not reach that of frequency 0, nor that of the second harmonic.
    let nearest = at.round() as usize;
    if nearest <= 2 * LOBE {
        let least = (n as f64 * (2 * LOBE + 1) as f64 / at).ceil() as usize;
        return Err(SpectraError::TooFew { measure: "a tone this low", least, samples: n });
    }
    Ok(lines.measured(at, request.harmonics.max(1)))
}

/// The power of each value.
struct Lines {
    power: Vec<f64>,
    calibration: Calibration,
    rate: f64,
    n: usize,
    /// The values within the band.
    band: Range<usize>,
    ends: [f64; 2],
}

impl Lines {
    fn new(spectrum: Whole<f64>, band: Option<[f64; 2]>) -> Result<Self, SpectraError> {
        let calibration = spectrum.calibration;
        let each = 1.0 / (calibration.length as f64 * calibration.squares);
        let sides = |bin: usize| if calibration.is_doubled(bin) { 2.0 } else { 1.0 };
        let power: Vec<f64> = threads::tabulate(spectrum.values.len(), |bin| spectrum.values[bin].norm_sqr() * each * sides(bin));
        let (step, last) = (calibration.step(), power.len() - 1);
        let [low, high] = band.unwrap_or([0.0, calibration.rate / 2.0]);
        let ends = [(low / step).ceil(), (high / step).floor().min(last as f64)];
        let refused = || SpectraError::Band { low, high, from: 0.0, to: calibration.rate / 2.0, unit: "" };
        if !(low >= 0.0 && ends[0] <= ends[1]) {
            return Err(refused());
        }
        let band = ends[0] as usize..ends[1] as usize + 1;
        Ok(Self { power, calibration, rate: calibration.rate, n: calibration.length, band, ends: [low, high.min(calibration.rate / 2.0)] })
    }

    /// The values of the band that the lobe of frequency 0 does not reach.
    fn audible(&self) -> Range<usize> {
        self.band.start.max(LOBE + 1)..self.band.end
    }

    fn largest(&self, within: Range<usize>) -> Option<usize> {
        let louder = |a: &usize, b: &usize| self.power[*a].total_cmp(&self.power[*b]);
        let blocks = threads::map_blocks(within.len(), &|block| block.map(|bin| within.start + bin).max_by(louder));
        blocks.into_iter().flatten().max_by(louder).filter(|bin| self.power[*bin] > 0.0)
    }

    /// The fundamental in steps.
    fn fundamental(&self, at: Option<f64>) -> Result<f64, SpectraError> {
        let inside = self.audible();
        let near = match at {
            None => inside,
            Some(frequency) => {
                let bin = frequency * self.n as f64 / self.rate;
                let refused = || SpectraError::Band { low: frequency, high: frequency, from: self.ends[0], to: self.ends[1], unit: "" };
                if !(bin >= 0.0 && (bin as usize) < self.band.end) {
                    return Err(refused());
                }
                // Whoever names a frequency knows it to about a hundredth.
                let reach = (LOBE as f64).max(0.01 * bin);
                inside.start.max((bin - reach).max(0.0) as usize)..inside.end.min((bin + reach) as usize + 1)
            }
        };
        let bin = self.largest(near).ok_or(SpectraError::Silent)?;
        Ok(bin as f64 + self.offset(bin))
    }

    /// How far a line lies beside its largest value, by the ratio to the larger neighbour: the lobe of the window is known.
    fn offset(&self, bin: usize) -> f64 {
        let at = |bin: usize| self.power.get(bin).copied().unwrap_or(0.0);
        let (before, after) = (at(bin.wrapping_sub(1)), at(bin + 1));
        let (side, beside) = if before > after { (-1.0, before) } else { (1.0, after) };
        let ratio = 0.5 * (at(bin) / beside.max(f64::MIN_POSITIVE)).ln();
        let (mut low, mut high) = (0.0, 0.5);
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            // The nearer to the middle between two values, the smaller their ratio.
            if lobe(middle) - lobe(1.0 - middle) > ratio { low = middle } else { high = middle }
        }
        side * low
    }

    /// The power of a line by its largest value.
    fn peak(&self, bin: usize) -> f64 {
        self.power[bin] * (2.0 * (lobe(0.0) - lobe(self.offset(bin).abs()))).exp()
    }

    /// The values of the lobe round a value, within the spectrum.
    fn lobe(&self, bin: usize) -> Range<usize> {
        bin.saturating_sub(LOBE)..self.power.len().min(bin + LOBE + 1)
    }

    fn sum(&self, values: Range<usize>) -> f64 {
        self.power[values].iter().sum()
    }

    fn measured(&self, at: f64, harmonics: usize) -> Tone {
        let own = self.lobe(at.round() as usize);
        let (power, inside) = (self.sum(own.clone()), self.audible());
        let overtones = (2..=harmonics).map(|h| (h as f64 * at).round() as usize).filter(|bin| inside.contains(bin));
        let overtones: Vec<Range<usize>> = overtones.map(|bin| self.lobe(bin)).collect();
        let distortion: f64 = overtones.iter().map(|lobe| self.sum(lobe.clone())).sum();
        let mut removed = vec![false; self.power.len()];
        let lobes = [0..LOBE + 1, own.clone()].into_iter().chain(overtones);
        let lobes: Vec<Range<usize>> = lobes.collect();
        lobes.iter().for_each(|lobe| removed[lobe.clone()].fill(true));
        let first = self.band.start;
        let mut noise = threads::sum(self.band.len(), &|block| {
            block.map(|bin| first + bin).filter(|bin| !removed[*bin]).map(|bin| self.power[bin]).sum()
        });
        for lobe in &lobes {
            let n_inside = lobe.clone().filter(|bin| self.band.contains(bin)).count();
            noise += n_inside as f64 * self.beside(lobe, &removed);
        }
        let [below, above] = [inside.start..own.start.min(inside.end), own.end.max(inside.start)..inside.end];
        let spur = self.largest(below).into_iter().chain(self.largest(above)).map(|bin| self.peak(bin)).fold(0.0, f64::max);
        let own_peak = self.peak(at.round() as usize);
        let decibels = |ratio: f64| 10.0 * ratio.log10();
        let sinad = decibels(power / (noise + distortion));
        Tone {
            frequency: at * self.rate / self.n as f64,
            amplitude: (2.0 * power).sqrt(),
            thd: decibels(distortion / power),
            thdn: -sinad,
            sinad,
            snr: decibels(power / noise),
            sfdr: decibels(own_peak / spur),
            enob: (sinad - 1.76) / 6.02,
            noise_density: noise / (self.band.len() as f64 * self.rate / self.n as f64),
            harmonics,
            band: self.ends,
            window: ToneRequest::window(),
            length: self.n,
            calibration: self.calibration,
        }
    }

    /// The median power of the values beside a lobe that no other lobe covers.
    fn beside(&self, lobe: &Range<usize>, removed: &[bool]) -> f64 {
        let reach = 2 * LOBE + 1;
        let around = lobe.start.saturating_sub(reach)..self.power.len().min(lobe.end + reach);
        median(around.filter(|bin| !removed[*bin]).map(|bin| self.power[bin]).collect()).unwrap_or(0.0)
    }
}

/// The logarithm of the magnitude of the transform of the window, steps beside its maximum (J. Kaiser, 1966).
fn lobe(steps: f64) -> f64 {
    let s = (BETA * BETA - (PI * steps).powi(2)).sqrt();
    // The hyperbolic sine of so large a number is half an exponential.
    s - s.ln()
}

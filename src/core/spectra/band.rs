//! The power of a band of frequencies.

use super::{Averaged, Quantity, SpectraError};

/// The share of the power that occupied bandwidth holds (ITU-R SM.328): half of the rest lies on each side.
const OCCUPIED: f64 = 0.99;

/// The contents of a band of frequencies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BandContents {
    /// Its power: the mean square of the samples that it holds.
    pub power: f64,
    /// The frequencies between which 99 % of it lie.
    pub occupied: [f64; 2],
    /// The mean frequency, each by its power.
    pub centroid: f64,
}

/// The power between two frequencies of a spectrum; a value counts by the part of its width that lies inside.
///
/// # Errors
/// When the band holds none of them.
pub fn band(spectrum: &Averaged, [low, high]: [f64; 2]) -> Result<BandContents, SpectraError> {
    let calibration = spectrum.calibration;
    let step = calibration.step();
    let density = spectrum.values(Quantity::Density);
    let frequencies: Vec<f64> = spectrum.frequencies().map(|(frequency, _)| frequency).collect();
    let [from, to] = [frequencies[0], frequencies[frequencies.len() - 1]];
    // Real samples have nothing beyond frequency 0 and half the rate.
    let [least, most] = if calibration.is_complex { [f64::NEG_INFINITY, f64::INFINITY] } else { [0.0, calibration.rate / 2.0] };
    let ends = |frequency: f64| [(frequency - step / 2.0).max(least), (frequency + step / 2.0).min(most)];
    let part = |frequency: f64| {
        let [start, end] = ends(frequency);
        (end.min(high) - start.max(low)).max(0.0) / (end - start)
    };
    let powers: Vec<f64> = frequencies.iter().zip(&density).map(|(frequency, density)| density * step * part(*frequency)).collect();
    let power: f64 = powers.iter().sum();
    if low.partial_cmp(&high) != Some(std::cmp::Ordering::Less) || frequencies.iter().all(|frequency| part(*frequency) == 0.0) {
        return Err(SpectraError::Band { low, high, from, to, unit: "" });
    }
    let below = |share: f64| {
        let mut sum = 0.0;
        for (frequency, own) in frequencies.iter().zip(&powers) {
            if sum + own >= share * power && *own > 0.0 {
                let [start, end] = ends(*frequency);
                return start.max(low) + (share * power - sum) / own * (end.min(high) - start.max(low));
            }
            sum += own;
        }
        high
    };
    let centroid = frequencies.iter().zip(&powers).map(|(frequency, power)| frequency * power).sum::<f64>() / power;
    Ok(BandContents { power, occupied: [below((1.0 - OCCUPIED) / 2.0), below((1.0 + OCCUPIED) / 2.0)], centroid })
}

//! Finds the spots that periodic noise, such as a moiré or hum, leaves in a spectrum: values that stand clear of their background far more than a peak that is listed.

use super::MaskShape;
use crate::measure::{Clear, Frequency, Refinement, Spectrum, clear_values};

/// The least ratio of a spot to its background.
const PROMINENT: f64 = 8.0;
/// A spot has at least this part of the magnitude of the strongest: weaker ones are hardly seen.
const WEAKEST: f64 = 0.03;
/// The most spots that are proposed.
const MOST_SPOTS: usize = 16;
/// Shorter rows have no background.
const SHORTEST: usize = 20;
/// Lower frequencies belong to the image, in values from the middle and in cycles.
const LEAST: (f64, f64) = (4.0, 0.02);
/// The largest radius of a spot in values.
const MOST_RADIUS: isize = 10;
/// A spot nearer to a value than this, in values, lies on it.
const NEAR: f64 = 0.1;

/// A spot that periodic noise leaves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PeriodicSpot {
    /// Frequencies (u, v) in cycles, v upwards.
    pub at: [f64; 2],
    /// The radius that holds the spot, in cycles.
    pub radius: f64,
    /// The magnitude as a multiple of that of the background.
    pub prominence: f64,
}

impl PeriodicSpot {
    /// The shape that cuts it.
    pub fn notch(&self) -> MaskShape {
        MaskShape::notch(self.at, self.radius)
    }
}

/// The spots of periodic noise in a spectrum, the most prominent first; one of each pair of a real image.
pub fn periodic_noise(spectrum: &Spectrum<'_>) -> Vec<PeriodicSpot> {
    let Spectrum { rows, columns, .. } = *spectrum;
    let short = if rows > 1 { rows.min(columns) } else { columns };
    if columns < SHORTEST {
        return Vec::new();
    }
    let least = LEAST.1.max(LEAST.0 / short as f64);
    let prominent = |clear: &Clear| {
        clear.magnitude >= PROMINENT * clear.background && spectrum.frequency(clear.index.map(|at| at as f64)).radius() >= least
    };
    let found: Vec<Clear> = clear_values(spectrum).into_iter().filter(prominent).collect();
    let strongest = found.first().map_or(0.0, |clear| clear.magnitude);
    let visible = found.iter().filter(|clear| clear.magnitude >= WEAKEST * strongest);
    let mut spots: Vec<PeriodicSpot> =
        visible.map(|clear| spot(spectrum, clear, short)).filter(|spot| spot.at[0].hypot(spot.at[1]) > spot.radius).collect();
    spots.sort_by(|a, b| b.prominence.total_cmp(&a.prominence));
    // Peaks in a spot that is already proposed belong to it.
    let mut kept: Vec<PeriodicSpot> = Vec::new();
    for spot in spots {
        let is_apart = |other: &PeriodicSpot| (spot.at[0] - other.at[0]).hypot(spot.at[1] - other.at[1]) > other.radius;
        if kept.len() < MOST_SPOTS && kept.iter().all(is_apart) {
            kept.push(spot);
        }
    }
    kept
}

/// The spot at a value that stands clear. A line between two values of a spectrum has its middle between them.
fn spot(spectrum: &Spectrum<'_>, clear: &Clear, short: usize) -> PeriodicSpot {
    let [row, column] = clear.index.map(|at| at as f64);
    let [down, right] = clear.position(spectrum, Refinement::Tone);
    let on = |refined: f64, value: f64| if (refined - value).abs() < NEAR { value } else { refined };
    let at = spectrum.frequency([on(down, row), on(right, column)]);
    let Frequency { u, v } = if spectrum.is_real { at.upper() } else { at };
    let ring = |r: isize| {
        let square = (-r..=r).flat_map(|i| (-r..=r).map(move |j| [i, j])).filter(|[i, j]| i.abs().max(j.abs()) == r);
        let square = square.filter(|[i, _]| spectrum.rows > 1 || *i == 0);
        square.map(|[i, j]| clear.beside(spectrum, [i, j]).norm()).fold(0.0, f64::max)
    };
    // The spot ends where it has sunk to its surroundings.
    let radius = (1..MOST_RADIUS).find(|&r| ring(r) <= 0.5 * PROMINENT * clear.background).unwrap_or(MOST_RADIUS);
    PeriodicSpot { at: [u, v], radius: (radius as f64 + 0.5) / short as f64, prominence: clear.magnitude / clear.background }
}

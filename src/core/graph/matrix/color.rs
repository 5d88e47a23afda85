//! The colours of entries: the angle of a value chooses the hue, its size the strength.

use num_complex::Complex64;
use std::f64::consts::TAU;

/// The hues of 1, i, −1 and −i: Okabe and Ito's blue, green, vermillion and purple, which colour-blind readers tell apart.
const HUES: [[u8; 3]; 4] = [[0, 114, 178], [0, 158, 115], [213, 94, 0], [204, 121, 167]];
/// The strength of the smallest entries, so that none looks like 0.
const FAINTEST: f64 = 0.3;

/// The colour of an entry on a ground, where `largest` is the largest absolute value of the matrix.
pub fn entry_rgb(value: Complex64, largest: f64, ground: [u8; 3]) -> [u8; 3] {
    let size = value.norm() / largest.max(f64::MIN_POSITIVE);
    if size == 0.0 || !size.is_finite() {
        return ground;
    }
    let quarters = (value.arg() / TAU).rem_euclid(1.0) * 4.0;
    let (first, part) = (quarters as usize % 4, quarters.fract());
    let hue = mixed(HUES[first], HUES[(first + 1) % 4], part);
    mixed(ground, hue, FAINTEST + (1.0 - FAINTEST) * size.min(1.0))
}

/// Whether black text is read better than white text on a colour.
pub fn is_bright([red, green, blue]: [u8; 3]) -> bool {
    299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue) > 128_000
}

fn mixed(from: [u8; 3], to: [u8; 3], part: f64) -> [u8; 3] {
    std::array::from_fn(|k| (f64::from(from[k]) + part * (f64::from(to[k]) - f64::from(from[k]))).round() as u8)
}

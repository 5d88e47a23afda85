//! By how many samples one recording comes after another, and how alike they are.

use super::error::check_bytes;
use super::real::removed;
use super::{Batch, RowTransform, SpectraError};
use crate::cpu::library;
use crate::prepare::{Detrend, fast_size};
use crate::signal::{Samples, Track};
use crate::statistics::largest;
use crate::threads;
use crate::transforms::{Axes, Shape};
use num_complex::Complex64;
use std::f64::consts::TAU;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// How two recordings fit each other: b\[n\] ≈ a\[n − lag\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Correlation {
    /// Samples by which b comes after a.
    pub lag: f64,
    /// The standard deviation of the lag, as far as the difference of both is noise.
    pub deviation: f64,
    /// The correlation coefficient there, from −1 to 1.
    pub height: f64,
}

/// The spectra of the selected samples of two tracks, both padded with zeros to a length that holds every lag between them.
pub(super) struct PairSpectra {
    /// Points of the transforms.
    pub(super) points: usize,
    /// Samples of each selection, and the sums of their squares.
    pub(super) lengths: [usize; 2],
    pub(super) energies: [f64; 2],
    /// Half of each spectrum.
    pub(super) spectra: [Vec<Complex64>; 2],
}

impl PairSpectra {
    /// Reads and transforms both for a measure; the library transforms them, or whoever `rows` is.
    ///
    /// # Errors
    /// When a selection lies outside, is complex or holds samples that are not numbers, or the memory does not suffice.
    pub(super) fn new(
        tracks: [(&Track<'_>, Range<usize>); 2],
        measure: &'static str,
        detrend: Detrend,
        rows: Option<&RowTransform<'_>>,
        cancel: &AtomicBool,
    ) -> Result<Self, SpectraError> {
        for (track, Range { start: from, end: to }) in &tracks {
            if track.is_complex() {
                return Err(SpectraError::Complex(measure));
            }
            if from >= to || *to > track.len() {
                return Err(SpectraError::Selection { from: *from, to: *to, samples: track.len() });
            }
            if to - from < 2 {
                return Err(SpectraError::TooFew { measure, least: 2, samples: to - from });
            }
        }
        let lengths = tracks.each_ref().map(|(_, range)| range.len());
        let points = fast_size(lengths[0] + lengths[1]);
        check_bytes(points as u128 * 5 * size_of::<f64>() as u128)?;
        let (mut energies, mut spectra) = ([0.0; 2], [Vec::new(), Vec::new()]);
        for (((track, range), energy), spectrum) in tracks.iter().zip(&mut energies).zip(&mut spectra) {
            let mut row = threads::fill_blocks(range.len(), &|first, to| track.read_f64(range.start + first, 0, to));
            if let Some(fault) = track.fault() {
                return Err(SpectraError::Changed(fault));
            }
            let n = threads::count(&row, |value| !value.is_finite());
            if n > 0 {
                return Err(SpectraError::Gaps { measure, n });
            }
            removed(&mut row, detrend);
            *energy = row.iter().map(|value| value * value).sum();
            row.resize(points, 0.0);
            *spectrum = match rows {
                None => library::half_spectrum(&row, Shape::line(points), Axes::Rows, cancel)?,
                Some(rows) => rows(Batch { rows: 1, points, samples: Samples::F64(row) })?,
            };
        }
        Ok(Self { points, lengths, energies, spectra })
    }
}

/// The lag at which the correlation of the selected samples of two tracks is largest in magnitude; their means are removed.
/// With `phat`, every frequency weighs the same, whatever its power (C. Knapp and G. Carter, The generalized correlation method for estimation of
/// time delay, 1976): echoes become sharp, and noise counts at frequencies that hold nothing else; the height is the share of phases that agree.
/// The library transforms them, or whoever `rows` is.
///
/// Between samples the correlation is that of the band-limited signals: the maximum of a sum of waves, which Newton's method finds.
///
/// # Errors
/// When a selection lies outside, is silent, complex or holds samples that are not numbers, or the memory does not suffice.
pub fn correlate(
    tracks: [(&Track<'_>, Range<usize>); 2],
    phat: bool,
    rows: Option<&RowTransform<'_>>,
    cancel: &AtomicBool,
) -> Result<Correlation, SpectraError> {
    let PairSpectra { points, lengths, energies, spectra } = PairSpectra::new(tracks, "a correlation", Detrend::Mean, rows, cancel)?;
    let mut scale = (energies[0] * energies[1]).sqrt();
    if !(scale.is_finite() && scale > 0.0) {
        return Err(SpectraError::Silent);
    }
    let [mut product, other] = spectra;
    threads::for_each_chunk(&mut product, BLOCK, &|block, values| {
        values.iter_mut().zip(&other[block * BLOCK..]).for_each(|(a, b)| *a = a.conj() * b);
    });
    drop(other);
    if phat {
        // A value this far below the strongest frequency is rounding, and has no phase.
        let least = 1e-12 * product.iter().map(|value| value.norm()).fold(0.0, f64::max);
        let unit = |value: Complex64| if value.norm() > least { value / value.norm() } else { Complex64::ZERO };
        product.iter_mut().for_each(|value| *value = unit(*value));
        scale = (0..product.len()).map(|bin| sides(bin, points) * product[bin].norm()).sum::<f64>() / points as f64;
    }
    let correlation = library::real_samples(product.clone(), Shape::line(points), Axes::Rows, cancel)?;
    let largest = largest(&correlation).unwrap_or_default();
    drop(correlation);
    let whole = if largest < lengths[1] { largest as f64 } else { largest as f64 - points as f64 };
    let (lag, [value, _, curve]) = refined(&product, points, whole);
    let height = value / scale;
    // The bound of Cramér and Rao, where what the two do not share is white noise.
    let unlike = (1.0 / (height * height) - 1.0).max(0.0);
    let overlap = lengths[0].min(lengths[1]) as f64;
    let deviation = (unlike / (overlap * (-curve / value))).sqrt();
    Ok(Correlation { lag, deviation, height })
}

/// How often a value of half a spectrum counts in the whole one: both halves add the same.
fn sides(bin: usize, points: usize) -> f64 {
    if bin == 0 || 2 * bin == points { 1.0 } else { 2.0 }
}

const BLOCK: usize = 1 << 14;

/// The extremum next to a lag, with the correlation and its two derivatives there.
fn refined(product: &[Complex64], points: usize, whole: f64) -> (f64, [f64; 3]) {
    let mut lag = whole;
    let mut found = derivatives(product, points, lag);
    for _ in 0..8 {
        let [_, slope, curve] = found;
        let step = -slope / curve;
        // The extremum lies within a sample of the largest value.
        if !step.is_finite() || (lag + step - whole).abs() > 1.0 || step.abs() < 1e-9 {
            break;
        }
        lag += step;
        found = derivatives(product, points, lag);
    }
    (lag, found)
}

/// The correlation at a lag between samples, and its first two derivatives.
fn derivatives(product: &[Complex64], points: usize, lag: f64) -> [f64; 3] {
    let sums = threads::map_blocks(product.len(), &|block| {
        let mut sums = [0.0; 3];
        for bin in block {
            let omega = TAU * bin as f64 / points as f64;
            let turned = product[bin] * Complex64::from_polar(sides(bin, points), omega * lag);
            sums[0] += turned.re;
            sums[1] -= omega * turned.im;
            sums[2] -= omega * omega * turned.re;
        }
        sums
    });
    sums.into_iter().fold([0.0; 3], |a, b| std::array::from_fn(|k| a[k] + b[k])).map(|sum| sum / points as f64)
}

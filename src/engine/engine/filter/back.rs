//! From spectra through a mask back to samples: the factors of the mask are a table, and the library goes the way back on the CPU.

use super::forward::{ChannelSpectrum, ForwardSpectra};
use crate::cpu::{Float, library};
use crate::engine::EngineError;
use crate::filter::{Mask, MaskRows, MaskTable};
use crate::plan::Direction;
use crate::signal::Samples;
use crate::transforms::Axes;
use num_complex::Complex;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// A channel after a filter.
#[derive(Debug, Clone, PartialEq)]
pub struct FilteredPlane {
    /// The samples, real or complex as those of the signal.
    pub samples: Samples,
    /// The energy that is left, and all energy, both without that of the mean.
    pub energies: [f64; 2],
}

impl FilteredPlane {
    /// The energy of planes that is left, as a part of all energy beside that of the means.
    pub fn energy(planes: &[Self]) -> f64 {
        share(planes.iter().map(|plane| plane.energies))
    }
}

/// The energy that is left, as a part of all energy, from both of every channel.
pub(super) fn share(energies: impl Iterator<Item = [f64; 2]>) -> f64 {
    let [kept, all] = energies.fold([0.0; 2], sum);
    if all > 0.0 { kept / all } else { 1.0 }
}

/// How real and complex values become samples.
type Typed<T> = (fn(Vec<T>) -> Samples, fn(Vec<Complex<T>>) -> Samples);

/// The factors of a mask in single precision, one a stored value of a spectrum; every row of a signal has the same ones.
pub(super) struct Factors {
    /// Less 1 where only the change comes back.
    pub(super) values: Vec<f32>,
    /// Of every channel, the energy that is left and all energy, both without that of the mean.
    pub(super) energies: Vec<[f64; 2]>,
}

impl ForwardSpectra {
    /// The channels after a mask, multiplied by the factors of a table, if any.
    ///
    /// # Errors
    /// When the mask makes no sense, or `cancel` is raised.
    pub fn filtered(&self, mask: &Mask, table: Option<&MaskTable>, cancel: &AtomicBool) -> Result<Vec<FilteredPlane>, EngineError> {
        match self.spectra.iter().any(|spectrum| spectrum.double().is_some()) {
            true => self.planes((mask, table), ChannelSpectrum::double, (Samples::F64, Samples::Complex64), cancel),
            false => self.planes((mask, table), ChannelSpectrum::single, (Samples::F32, Samples::Complex32), cancel),
        }
    }

    fn planes<T: Float + Into<f64>>(
        &self,
        (mask, table): (&Mask, Option<&MaskTable>),
        values: fn(&ChannelSpectrum) -> Option<&[Complex<T>]>,
        typed: Typed<T>,
        cancel: &AtomicBool,
    ) -> Result<Vec<FilteredPlane>, EngineError> {
        let (stored, offset) = (self.stored(), self.offset());
        let plane = |(channel, spectrum): (usize, &ChannelSpectrum)| {
            let values = values(spectrum).unwrap_or_default();
            let mut masked: Vec<Complex<T>> = crate::threads::zeros(values.len());
            // The values that a row of factors multiplies: a row of an image, or all rows of a signal.
            let block = (values.len() / self.mask_shape().rows).max(1);
            let parts = masked.par_chunks_mut(block).zip(values.par_chunks(block));
            let energies = self.each_row((mask, table), std::slice::from_ref(spectrum), parts, |(to, values), factors| {
                let multiply = |(to, values): (&mut [Complex<T>], &[Complex<T>])| {
                    for ((to, value), &factor) in to.iter_mut().zip(values).zip(factors) {
                        let by = T::rounded(factor - offset);
                        *to = Complex::new(value.re * by, value.im * by);
                    }
                };
                match block == stored {
                    true => multiply((to, values)),
                    false => to.par_chunks_mut(stored).zip(values.par_chunks(stored)).for_each(multiply),
                }
            })?;
            let samples = self.restored(channel, self.back(masked, (&spectrum.gaps, typed), cancel)?)?;
            let samples = if self.exponent == 0 { samples } else { samples.times_power_of_two(self.exponent) };
            Ok(FilteredPlane { samples, energies: energies[0] })
        };
        self.spectra.iter().enumerate().map(plane).collect()
    }

    /// A masked spectrum, back to samples.
    fn back<T: Float>(
        &self,
        masked: Vec<Complex<T>>,
        (gaps, (real, complex)): (&[usize], Typed<T>),
        cancel: &AtomicBool,
    ) -> Result<Samples, EngineError> {
        let gap = Complex::new(T::NOT_A_NUMBER, T::ZERO);
        if self.is_half {
            let mut samples = library::real_samples(masked, self.shape, self.axes, cancel)?;
            gaps.iter().for_each(|&index| samples[index] = gap.re);
            return Ok(real(samples));
        }
        let mut samples = library::transform(masked, self.shape, self.axes, Direction::Inverse, cancel)?;
        gaps.iter().for_each(|&index| samples[index] = gap);
        Ok(complex(samples))
    }

    /// The factors of a mask, times those of a table, and the energies that they leave.
    ///
    /// # Errors
    /// When the mask makes no sense.
    pub(super) fn factors(&self, mask: &Mask, table: Option<&MaskTable>) -> Result<Factors, EngineError> {
        let offset = self.offset();
        let mut values = vec![0.0; self.mask_shape().rows * self.stored()];
        let energies = self.each_row((mask, table), &self.spectra, values.par_chunks_mut(self.stored()), |line, factors| {
            line.iter_mut().zip(factors).for_each(|(value, &factor)| *value = (factor - offset) as f32);
        })?;
        Ok(Factors { values, energies })
    }

    /// Gives every row of factors to `write`, with what belongs to it, and returns the energies that the factors leave of some spectra.
    fn each_row<C: Send>(
        &self,
        (mask, table): (&Mask, Option<&MaskTable>),
        spectra: &[ChannelSpectrum],
        parts: impl IndexedParallelIterator<Item = C>,
        write: impl Fn(C, &[f64]) + Sync,
    ) -> Result<Vec<[f64; 2]>, EngineError> {
        let (shape, stored) = (self.mask_shape(), self.stored());
        mask.check(shape.rows == 1)?;
        let rows = MaskRows::new(mask, shape);
        let energies = parts.enumerate().map_init(
            || vec![1.0; stored],
            |own, (row, part)| {
                fill(&rows, table, row, own);
                write(part, own);
                spectra.iter().map(|spectrum| self.energies(spectrum, row, own)).collect::<Vec<_>>()
            },
        );
        let none = || vec![[0.0; 2]; spectra.len()];
        Ok(energies.reduce(none, |a, b| a.into_iter().zip(b).map(|(a, b)| sum(a, b)).collect()))
    }

    /// The energy that the factors of a row leave of the rows that they multiply, and all energy of these rows, both without that of the mean.
    fn energies(&self, spectrum: &ChannelSpectrum, row: usize, factors: &[f64]) -> [f64; 2] {
        let rows = if self.axes == Axes::Both { row..row + 1 } else { 0..self.shape.rows };
        match spectrum.double() {
            Some(values) => self.sums(values, rows, factors),
            None => self.sums(spectrum.single().unwrap_or_default(), rows, factors),
        }
    }

    fn sums<T: Float + Into<f64>>(&self, values: &[Complex<T>], rows: Range<usize>, factors: &[f64]) -> [f64; 2] {
        let of_row = |row: usize| {
            let values = &values[row * factors.len()..][..factors.len()];
            let first = usize::from(row == 0 || self.axes == Axes::Rows);
            let energy = |(column, (value, &factor)): (usize, (&Complex<T>, &f64))| {
                let [re, im]: [f64; 2] = [value.re.into(), value.im.into()];
                // A value inside half a spectrum stands for its mate, too.
                let has_mate = self.is_half && column > 0 && 2 * column != self.shape.columns;
                let energy = (re * re + im * im) * if has_mate { 2.0 } else { 1.0 };
                [factor * factor * energy, energy]
            };
            values.iter().zip(factors).enumerate().skip(first).map(energy).fold([0.0; 2], sum)
        };
        if rows.len() == 1 { of_row(rows.start) } else { rows.into_par_iter().map(of_row).reduce(|| [0.0; 2], sum) }
    }
}

/// Sums of two pairs.
fn sum(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

/// The factors of a row, times those of a table.
pub(super) fn fill(rows: &MaskRows, table: Option<&MaskTable>, row: usize, factors: &mut [f64]) {
    rows.fill(row, factors);
    if let Some(table) = table {
        factors.iter_mut().enumerate().for_each(|(column, factor)| *factor *= table.at(row, column));
    }
}

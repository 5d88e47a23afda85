//! The forward transforms of the channels of a signal, and the way back through a mask.
//!
//! Real samples keep half their spectrum. The multiplication by the mask fills the buffer of the inverse transform, so that it needs no pass of its own.

use crate::cpu::{Cancelled, Float, library};
use crate::engine::EngineError;
use crate::filter::{Mask, MaskRows, MaskTable, PeriodicSpot, periodic_noise};
use crate::plan::Direction;
use crate::signal::{ChannelChoice, Samples, Signal, SignalKind};
use crate::transforms::{Axes, Shape};
use num_complex::{Complex, Complex32};
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The forward transforms of channels of a signal: of an image along both axes, otherwise of every row.
pub struct ForwardSpectra {
    /// The signal.
    pub signal: Arc<Signal>,
    shape: Shape,
    axes: Axes,
    planes: Vec<Plane>,
}

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
        let [kept, all] = [0, 1].map(|k| planes.iter().map(|plane| plane.energies[k]).sum::<f64>());
        if all > 0.0 { kept / all } else { 1.0 }
    }
}

/// The spectrum of a channel.
enum Plane {
    Single(Spectrum<f32>),
    Double(Spectrum<f64>),
}

/// A spectrum, or the half that determines it.
struct Spectrum<T> {
    values: Vec<Complex<T>>,
    is_half: bool,
    /// Indices of samples that are infinite or no numbers; the mean stands in for them.
    gaps: Vec<usize>,
}

impl ForwardSpectra {
    /// Transforms channels of a signal, in double precision where its samples have it.
    ///
    /// # Errors
    /// When there is no such channel or no sample, or `cancel` is raised.
    pub fn new(signal: &Arc<Signal>, channels: &[ChannelChoice], double: bool, cancel: &AtomicBool) -> Result<Self, EngineError> {
        let shape = Shape { rows: signal.rows, columns: signal.columns };
        if shape.is_empty() {
            return Err(EngineError::Empty { transform: "a filter" });
        }
        let axes = if signal.kind == SignalKind::Image { Axes::Both } else { Axes::Rows };
        let plane = |&channel: &ChannelChoice| {
            Ok(match (double, signal.is_complex()) {
                (false, false) => Plane::Single(half(signal.samples_f32(channel)?, shape, axes, cancel)?),
                (true, false) => Plane::Double(half(signal.samples_f64(channel)?, shape, axes, cancel)?),
                (false, true) => Plane::Single(whole(signal.samples_complex32(channel)?, shape, axes, cancel)?),
                (true, true) => Plane::Double(whole(signal.samples_complex64(channel)?, shape, axes, cancel)?),
            })
        };
        let planes = channels.iter().map(plane).collect::<Result<_, EngineError>>()?;
        Ok(Self { signal: signal.clone(), shape, axes, planes })
    }

    /// The shape of the spectrum that a mask acts on: one row where every row is a signal of its own.
    pub fn mask_shape(&self) -> Shape {
        mask_shape(&self.signal)
    }

    /// Samples that are infinite or no numbers, of all channels.
    pub fn gaps(&self) -> usize {
        let gaps = |plane: &Plane| match plane {
            Plane::Single(spectrum) => spectrum.gaps.len(),
            Plane::Double(spectrum) => spectrum.gaps.len(),
        };
        self.planes.iter().map(gaps).sum()
    }

    /// The channels after a mask, multiplied by the factors of a table where there is one.
    ///
    /// # Errors
    /// When the mask makes no sense, or `cancel` is raised.
    pub fn filtered(&self, mask: &Mask, table: Option<&MaskTable>, cancel: &AtomicBool) -> Result<Vec<FilteredPlane>, EngineError> {
        let shape = self.mask_shape();
        mask.check(shape.rows == 1)?;
        let rows = MaskRows::new(mask, shape);
        let back = |plane: &Plane| {
            let way = WayBack { shape: self.shape, axes: self.axes, rows: &rows, table, cancel };
            let (samples, energies) = match plane {
                Plane::Single(spectrum) => match spectrum.filtered(&way)? {
                    (Back::Real(values), energies) => (Samples::F32(values), energies),
                    (Back::Complex(values), energies) => (Samples::Complex32(values), energies),
                },
                Plane::Double(spectrum) => match spectrum.filtered(&way)? {
                    (Back::Real(values), energies) => (Samples::F64(values), energies),
                    (Back::Complex(values), energies) => (Samples::Complex64(values), energies),
                },
            };
            Ok(FilteredPlane { samples, energies })
        };
        self.planes.iter().map(back).collect()
    }

    /// Half the spectra of real images in single precision without gaps, which a GPU takes as they are; `None` for all others.
    pub(super) fn halves<'a>(&'a self) -> Option<Vec<&'a [Complex32]>> {
        let values = |plane: &'a Plane| match plane {
            Plane::Single(Spectrum { values, is_half: true, gaps }) if gaps.is_empty() => Some(values.as_slice()),
            _ => None,
        };
        let planes = self.planes.iter().map(values).collect();
        if self.axes == Axes::Both { planes } else { None }
    }

    /// The factors of a mask for the stored half of an image, and the energy that is left of all energy beside that of the means.
    ///
    /// # Errors
    /// When the mask makes no sense.
    pub(super) fn factors(&self, mask: &Mask) -> Result<(Vec<f32>, f64), EngineError> {
        let shape = self.mask_shape();
        mask.check(shape.rows == 1)?;
        let (rows, stored) = (MaskRows::new(mask, shape), shape.columns / 2 + 1);
        let mut factors = vec![0.0_f32; shape.rows * stored];
        let lines = factors.par_chunks_mut(stored).enumerate();
        let energies = lines.map_init(
            || vec![1.0; stored],
            |own, (row, line)| {
                rows.fill(row, own);
                line.iter_mut().zip(&*own).for_each(|(single, &factor)| *single = factor as f32);
                let energy = |plane: &Plane| match plane {
                    Plane::Single(spectrum) => spectrum.energies(self.shape, self.axes, row, own),
                    Plane::Double(spectrum) => spectrum.energies(self.shape, self.axes, row, own),
                };
                self.planes.iter().map(energy).fold([0.0; 2], sum)
            },
        );
        let [kept, all] = energies.reduce(|| [0.0; 2], sum);
        Ok((factors, if all > 0.0 { kept / all } else { 1.0 }))
    }

    /// The spots that periodic noise leaves in the first channel.
    pub fn periodic_noise(&self) -> Vec<PeriodicSpot> {
        let shape = self.mask_shape();
        match self.planes.first() {
            Some(Plane::Single(spectrum)) => periodic_noise(|row, column| spectrum.magnitude(self.shape, row, column), shape),
            Some(Plane::Double(spectrum)) => periodic_noise(|row, column| spectrum.magnitude(self.shape, row, column), shape),
            None => Vec::new(),
        }
    }
}

/// The shape of the spectrum that a mask for a signal acts on: one row where every row is a signal of its own.
pub fn mask_shape(signal: &Signal) -> Shape {
    let rows = if signal.kind == SignalKind::Image { signal.rows } else { 1 };
    Shape { rows, columns: signal.columns }
}

/// What the way back needs.
struct WayBack<'a> {
    shape: Shape,
    axes: Axes,
    rows: &'a MaskRows,
    table: Option<&'a MaskTable>,
    cancel: &'a AtomicBool,
}

/// Samples after the way back.
enum Back<T> {
    Real(Vec<T>),
    Complex(Vec<Complex<T>>),
}

/// Half the spectrum of real samples.
fn half<T: Float + Into<f64>>(mut samples: Vec<T>, shape: Shape, axes: Axes, cancel: &AtomicBool) -> Result<Spectrum<T>, Cancelled> {
    let gaps = fill_gaps(&mut samples, |&sample| Complex::new(sample, T::ZERO), |mean| mean.re);
    Ok(Spectrum { values: library::half_spectrum(&samples, shape, axes, cancel)?, is_half: true, gaps })
}

/// The whole spectrum of complex samples.
fn whole<T: Float + Into<f64>>(
    mut samples: Vec<Complex<T>>,
    shape: Shape,
    axes: Axes,
    cancel: &AtomicBool,
) -> Result<Spectrum<T>, Cancelled> {
    let gaps = fill_gaps(&mut samples, |&sample| sample, |mean| mean);
    Ok(Spectrum { values: library::transform(samples, shape, axes, Direction::Forward, cancel)?, is_half: false, gaps })
}

/// Puts the mean in the place of samples that are infinite or no numbers, and gives their indices.
fn fill_gaps<T: Float + Into<f64>, S: Send + Sync>(
    samples: &mut [S],
    complex: impl Fn(&S) -> Complex<T> + Sync,
    back: impl Fn(Complex<T>) -> S,
) -> Vec<usize> {
    let wide = |sample: &S| {
        let value = complex(sample);
        Complex::new(value.re.into(), value.im.into())
    };
    let gaps: Vec<usize> = (0..samples.len()).into_par_iter().filter(|&index| !wide(&samples[index]).is_finite()).collect();
    if !gaps.is_empty() {
        let sum: Complex<f64> = samples.iter().map(wide).filter(|value| value.is_finite()).sum();
        let mean = sum / (samples.len() - gaps.len()).max(1) as f64;
        gaps.iter().for_each(|&index| samples[index] = back(Complex::new(T::rounded(mean.re), T::rounded(mean.im))));
    }
    gaps
}

impl<T: Float + Into<f64>> Spectrum<T> {
    /// |X| at index (`row`, `column`) of the stored half.
    fn magnitude(&self, shape: Shape, row: usize, column: usize) -> f64 {
        let (row, column) = match self.is_half && column > shape.columns / 2 {
            true => ((shape.rows - row) % shape.rows, shape.columns - column),
            false => (row, column),
        };
        let stored = if self.is_half { shape.columns / 2 + 1 } else { shape.columns };
        let value = self.values[row * stored + column];
        value.re.into().hypot(value.im.into())
    }

    /// The samples after a mask, and the energy that is left of all energy beside that of the mean.
    fn filtered(&self, way: &WayBack<'_>) -> Result<(Back<T>, [f64; 2]), Cancelled> {
        let &WayBack { shape, axes, cancel, .. } = way;
        let (masked, energies) = self.masked(way);
        let gap = Complex::new(T::NOT_A_NUMBER, T::ZERO);
        let samples = match self.is_half {
            true => {
                let mut samples = library::real_samples(masked, shape, axes, cancel)?;
                self.gaps.iter().for_each(|&index| samples[index] = gap.re);
                Back::Real(samples)
            }
            false => {
                let mut samples = library::transform(masked, shape, axes, Direction::Inverse, cancel)?;
                self.gaps.iter().for_each(|&index| samples[index] = gap);
                Back::Complex(samples)
            }
        };
        Ok((samples, energies))
    }

    /// The spectrum times the mask, and the energy that is left of all energy beside that of the mean.
    fn masked(&self, &WayBack { shape, axes, rows, table, .. }: &WayBack<'_>) -> (Vec<Complex<T>>, [f64; 2]) {
        let stored = if self.is_half { shape.columns / 2 + 1 } else { shape.columns };
        let mut masked = vec![Complex::new(T::ZERO, T::ZERO); self.values.len()];
        // Every row of a batch has the same factors.
        let line = (axes == Axes::Rows).then(|| {
            let mut factors = vec![1.0; stored];
            fill(rows, table, 0, &mut factors);
            factors
        });
        let lines = masked.par_chunks_mut(stored).zip(self.values.par_chunks(stored)).enumerate();
        let energies = lines.map_init(
            || vec![1.0; stored],
            |own, (row, (masked, values))| {
                if line.is_none() {
                    fill(rows, table, row, own);
                }
                let factors = line.as_ref().unwrap_or(own);
                for ((masked, value), &factor) in masked.iter_mut().zip(values).zip(factors) {
                    let scale = T::rounded(factor);
                    *masked = Complex::new(value.re * scale, value.im * scale);
                }
                self.energies(shape, axes, row, factors)
            },
        );
        let energies = energies.reduce(|| [0.0; 2], sum);
        (masked, energies)
    }

    /// The energy that the factors of a row leave, and all energy of the row, both without that of the mean.
    fn energies(&self, shape: Shape, axes: Axes, row: usize, factors: &[f64]) -> [f64; 2] {
        let values = &self.values[row * factors.len()..][..factors.len()];
        let first = usize::from(row == 0 || axes == Axes::Rows);
        let energy = |(column, (value, &factor)): (usize, (&Complex<T>, &f64))| {
            let [re, im]: [f64; 2] = [value.re.into(), value.im.into()];
            // A value inside half a spectrum stands for its mate, too.
            let has_mate = self.is_half && column > 0 && 2 * column != shape.columns;
            let energy = (re * re + im * im) * if has_mate { 2.0 } else { 1.0 };
            [factor * factor * energy, energy]
        };
        values.iter().zip(factors).enumerate().skip(first).map(energy).fold([0.0; 2], sum)
    }
}

/// Sums of two pairs.
fn sum(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

/// The factors of a row, times those of a table.
fn fill(rows: &MaskRows, table: Option<&MaskTable>, row: usize, factors: &mut [f64]) {
    rows.fill(row, factors);
    if let Some(table) = table {
        factors.iter_mut().enumerate().for_each(|(column, factor)| *factor *= table.at(row, column));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::MaskShape;
    use crate::signal::Channel;
    use num_complex::Complex64;
    use std::f64::consts::TAU;

    /// Filters by the definition of the transform, with the factors of a mask.
    fn by_definition(samples: &[Complex64], Shape { rows, columns }: Shape, factors: &[f64]) -> Vec<Complex64> {
        let sums = |values: &[Complex64], sign: f64| -> Vec<Complex64> {
            let turn = |k: usize, n: usize, of: usize| sign * TAU * ((k * n) % of) as f64 / of as f64;
            let term =
                |k: usize, l: usize, i: usize| values[i] * Complex64::cis(turn(k, i / columns, rows) + turn(l, i % columns, columns));
            (0..rows * columns).map(|at| (0..rows * columns).map(|i| term(at / columns, at % columns, i)).sum()).collect()
        };
        let spectrum: Vec<_> = sums(samples, -1.0).into_iter().zip(factors).map(|(value, factor)| value * factor).collect();
        sums(&spectrum, 1.0).into_iter().map(|value| value / (rows * columns) as f64).collect()
    }

    fn signal(shape: Shape, samples: Samples) -> Arc<Signal> {
        let channels = vec![Channel::new("value", samples)];
        let kind = if shape.rows > 1 { SignalKind::Image } else { SignalKind::Rows };
        Arc::new(Signal::from_channels("test", kind, (shape.rows, shape.columns), channels))
    }

    #[test]
    fn a_filter_is_its_definition() {
        let go = AtomicBool::new(false);
        let mask: Mask = [MaskShape::low_pass(0.3), MaskShape::notch([0.21, 0.0], 0.06)].into_iter().collect();
        for shape in [Shape { rows: 6, columns: 10 }, Shape { rows: 9, columns: 7 }, Shape::line(12), Shape::line(13), Shape::line(1)] {
            let values: Vec<f64> = (0..shape.len()).map(|i| ((i * i + 3 * i) % 11) as f64).collect();
            let complex: Vec<Complex64> = values.iter().enumerate().map(|(i, &x)| Complex64::new(x, (i % 5) as f64)).collect();
            let real: Vec<Complex64> = values.iter().map(|&x| x.into()).collect();
            for (given, input) in [(Samples::F64(values), real), (Samples::Complex64(complex.clone()), complex)] {
                let forward = ForwardSpectra::new(&signal(shape, given), &[ChannelChoice::Luma], true, &go).unwrap();
                let found = &forward.filtered(&mask, None, &go).unwrap()[0];
                let wanted = by_definition(&input, shape, &mask.factors(shape));
                let far = match &found.samples {
                    Samples::F64(found) => found.iter().zip(&wanted).map(|(a, b)| (b - a).norm()).fold(0.0, f64::max),
                    Samples::Complex64(found) => found.iter().zip(&wanted).map(|(a, b)| (b - a).norm()).fold(0.0, f64::max),
                    other => panic!("{other:?}"),
                };
                assert!(far < 1e-12, "{far} in {shape:?}");
            }
        }
    }

    #[test]
    fn energy_is_that_of_the_samples_and_gaps_stay_gaps() {
        let (go, shape) = (AtomicBool::new(false), Shape { rows: 8, columns: 12 });
        let mut values: Vec<f32> = (0..96).map(|i| ((i * 7) % 17) as f32).collect();
        let image = |values: &[f32]| ForwardSpectra::new(&signal(shape, Samples::F32(values.to_vec())), &[ChannelChoice::Luma], false, &go);
        let mask = Mask::from(MaskShape::low_pass(0.2));
        let found = image(&values).unwrap().filtered(&mask, None, &go).unwrap().remove(0);
        let variance = |values: &[f64]| {
            let mean = values.iter().sum::<f64>() / 96.0;
            values.iter().map(|x| (x - mean).powi(2)).sum::<f64>()
        };
        let wide: Vec<f64> = values.iter().map(|&x| x.into()).collect();
        let expected = variance(&found.samples.to_f64()) / variance(&wide);
        let energy = FilteredPlane::energy(std::slice::from_ref(&found));
        assert!((energy - expected).abs() < 1e-6, "{energy} and {expected}");
        values[5] = f32::NAN;
        let forward = image(&values).unwrap();
        let found = forward.filtered(&mask, None, &go).unwrap().remove(0).samples.to_f64();
        assert_eq!((forward.gaps(), found.iter().filter(|x| x.is_nan()).count()), (1, 1));
        assert!(found[5].is_nan());
    }

    #[test]
    fn rows_are_filtered_each_on_its_own() {
        let go = AtomicBool::new(false);
        let channels = vec![Channel::new("value", Samples::F64(vec![1.0, -1.0, 1.0, -1.0, 2.0, 2.0, 2.0, 2.0]))];
        let batch = Arc::new(Signal::from_channels("rows", SignalKind::Rows, (2, 4), channels));
        let forward = ForwardSpectra::new(&batch, &[ChannelChoice::Luma], true, &go).unwrap();
        let found = forward.filtered(&MaskShape::low_pass(0.25).into(), None, &go).unwrap().remove(0).samples.to_f64();
        assert!(found.iter().zip([0.0, 0.0, 0.0, 0.0, 2.0, 2.0, 2.0, 2.0]).all(|(a, b)| (a - b).abs() < 1e-15), "{found:?}");
    }
}

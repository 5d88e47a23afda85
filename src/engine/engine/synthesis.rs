//! Answers the pane of coefficients: the part of one coefficient in a signal, and the signal that changed or fewer coefficients make.

use super::wavelet::{Pixels, curve};
use super::worker::Ask;
use super::{Devices, EngineError, Job, Outcome, SharedResult, Study, StudyMailbox, Values};
use crate::plan::Direction;
use crate::signal::{Channel, ChannelChoice, Samples, Signal, SignalKind};
use crate::transforms::{Axes, Family, Numbers, Parameters, ResultIndex, Shape, transform};
use num_complex::Complex64;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Weak};

/// Larger results are not taken apart: every change would take too long.
pub const MOST_COEFFICIENTS: usize = 1 << 22;

/// A coefficient that was set by hand.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ChangedCoefficient {
    /// Row and column in the result.
    pub at: [usize; 2],
    /// Real and imaginary part.
    pub value: [f64; 2],
}

/// What is asked of the coefficients of a job.
#[derive(Debug, Clone, PartialEq)]
pub struct SynthesisRequest {
    /// The transform and its samples; its direction is taken as forward.
    pub job: Job,
    /// The row that is shown where every row is transformed by itself.
    pub row: usize,
    /// The coefficient whose part is wanted.
    pub picked: Option<[usize; 2]>,
    /// Coefficients that were set by hand.
    pub changed: Vec<ChangedCoefficient>,
    /// How many of the largest coefficients are kept; `None` keeps all.
    pub keep: Option<usize>,
}

impl Ask for SynthesisRequest {}

/// One coefficient.
#[derive(Debug, Clone, PartialEq)]
pub struct Picked {
    /// Row and column in the result.
    pub at: [usize; 2],
    /// Its value, as it is set.
    pub value: Complex64,
    /// The share of the energy of the samples that its part has, from 0 to 1; with its mirror where the samples are real.
    pub share: f64,
    /// Whether the coefficient at the negative frequency belongs to its part, as the samples are real.
    pub has_mirror: bool,
}

/// Samples beside the part of a coefficient and the samples that are made anew.
#[derive(Debug, Clone, PartialEq)]
pub enum SynthesisView {
    /// The smallest and the largest value of every pixel column: samples, part, made anew.
    Curves {
        /// Samples of the row.
        n: usize,
        /// One curve each.
        curves: [Vec<[f64; 2]>; 3],
    },
    /// Three images: samples, part, made anew; samples and those made anew from the smallest to the largest sample, the part from its own smallest to its largest.
    Images([Pixels; 3]),
}

/// What came of a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Synthesis {
    /// Shape of the result.
    pub shape: Shape,
    /// The coefficients of the row that is shown, as they are set; of all rows for an image.
    pub coefs: Arc<Vec<Complex64>>,
    /// Whether each of them is left after truncation.
    pub kept: Vec<bool>,
    /// Whether coefficients are real.
    pub is_real: bool,
    /// The coefficient that was picked.
    pub picked: Option<Picked>,
    /// What is drawn.
    pub view: SynthesisView,
    /// The root of the mean squared difference of samples, relative to that of the samples.
    pub error: f64,
}

/// The coefficients of a job and its samples.
struct Analysed {
    job: Arc<Job>,
    samples: Vec<Complex64>,
    shape: Shape,
    coefs: Vec<Complex64>,
    outcome: Arc<Outcome>,
}

/// Answers one request after the other, and keeps the coefficients for the next one.
#[derive(Default)]
pub struct SynthesisStudy {
    last: Option<(Weak<Values>, Arc<Analysed>)>,
}

impl Study for SynthesisStudy {
    type Request = SynthesisRequest;
    type Report = Result<Arc<Synthesis>, EngineError>;

    const NAME: &'static str = "coefficients";

    fn needs(&self, SynthesisRequest { job, .. }: &SynthesisRequest) -> Result<Vec<Job>, EngineError> {
        let row = transform(job.transform)?;
        if !row.has_inverse || row.family == Family::Convolution {
            return Err(EngineError::NoInverse { transform: row.name });
        }
        let forward = Job { parameters: Parameters { direction: Direction::Forward, ..job.parameters }, ..job.clone() };
        let shape = forward.shape();
        if shape.len() > MOST_COEFFICIENTS {
            return Err(EngineError::TooMany { n: shape.len(), most: MOST_COEFFICIENTS });
        }
        Ok(vec![forward])
    }

    fn answer(
        &mut self,
        request: &SynthesisRequest,
        results: Result<Vec<SharedResult>, EngineError>,
        StudyMailbox { devices, cancel, .. }: StudyMailbox<'_>,
    ) -> Self::Report {
        let all = self.analysed(results?)?;
        let at = |[row, column]: [usize; 2]| (row < all.shape.rows && column < all.shape.columns).then(|| row * all.shape.columns + column);
        let mut coefs = all.coefs.clone();
        for change in &request.changed {
            let Some(index) = at(change.at) else { continue };
            let value = Complex64::new(change.value[0], change.value[1]);
            coefs[index] = value;
            if let Some(mirror) = all.mirror(change.at).and_then(at) {
                coefs[mirror] = if mirror == index { value.re.into() } else { value.conj() };
            }
        }
        let kept = largest(&coefs, request.keep);
        let left: Vec<Complex64> = coefs.iter().zip(&kept).map(|(value, kept)| if *kept { *value } else { Complex64::default() }).collect();
        // All coefficients make the samples that they came from.
        let anew = if left == all.coefs { all.samples.clone() } else { all.back(&left, devices, cancel)? };
        let (mut part, mut picked) = (vec![Complex64::default(); all.samples.len()], None);
        if let Some((place, index)) = request.picked.and_then(|place| Some((place, at(place)?))) {
            let mut alone = vec![Complex64::default(); coefs.len()];
            let mirror = all.mirror(place).and_then(at).filter(|mirror| *mirror != index);
            [Some(index), mirror].into_iter().flatten().for_each(|index| alone[index] = coefs[index]);
            part = all.back(&alone, devices, cancel)?;
            let share = energy(&part) / energy(&all.samples).max(f64::MIN_POSITIVE);
            picked = Some(Picked { at: place, value: coefs[index], share, has_mirror: mirror.is_some() });
        }
        let differences: Vec<Complex64> = anew.iter().zip(&all.samples).map(|(a, b)| a - b).collect();
        let error = (energy(&differences) / energy(&all.samples).max(f64::MIN_POSITIVE)).sqrt();
        Ok(Arc::new(all.report(request.row, [&part, &anew], (coefs, kept), (picked, error))))
    }
}

impl SynthesisStudy {
    fn analysed(&mut self, results: Vec<SharedResult>) -> Result<Arc<Analysed>, EngineError> {
        let [result] = <[SharedResult; 1]>::try_from(results).unwrap_or_else(|_| unreachable!("one job is needed"));
        if let Some((_, analysed)) = self.last.as_ref().filter(|(values, _)| values.as_ptr() == Arc::as_ptr(&result.values)) {
            return Ok(analysed.clone());
        }
        let (shape, SharedResult { ran, values, outcome }) = (result.shape(), result);
        let coefs = (0..shape.len()).map(|index| values.exact(shape, index / shape.columns, index % shape.columns)).collect();
        let samples = ran.signal.samples_complex64(ran.channel)?.to_vec();
        let analysed = Arc::new(Analysed { job: ran, samples, shape, coefs, outcome });
        self.last = Some((Arc::downgrade(&values), analysed.clone()));
        Ok(analysed)
    }
}

impl Analysed {
    /// Where the conjugate of a coefficient stands, if the samples are real and their spectrum is whole.
    fn mirror(&self, [row, column]: [usize; 2]) -> Option<[usize; 2]> {
        let of = transform(self.job.transform).ok()?;
        let is_mirrored = of.gives == Numbers::Complex && of.index == ResultIndex::Frequency && !self.job.is_complex();
        let negative = |index: usize, n: usize| (n - index) % n;
        let (rows, columns) = (self.shape.rows, self.shape.columns);
        is_mirrored.then(|| match self.outcome.axes {
            Axes::Rows => [row, negative(column, columns)],
            Axes::Columns => [negative(row, rows), column],
            Axes::Both => [negative(row, rows), negative(column, columns)],
        })
    }

    /// The samples that coefficients make.
    fn back(&self, coefs: &[Complex64], devices: &mut Devices, cancel: &AtomicBool) -> Result<Vec<Complex64>, EngineError> {
        let is_real = coefs.iter().all(|value| value.im == 0.0);
        let samples = if is_real { Samples::F64(coefs.iter().map(|value| value.re).collect()) } else { Samples::Complex64(coefs.to_vec()) };
        let shape = (self.shape.rows, self.shape.columns);
        let signal = Signal::from_channels("coefficients", SignalKind::Rows, shape, vec![Channel::new("value", samples)]);
        let parameters = Parameters { direction: Direction::Inverse, ..self.outcome.parameters };
        let algorithm = self.job.algorithm.filter(|_| self.shape.len() <= 64);
        let inverse = Job { signal: Arc::new(signal), channel: ChannelChoice::default(), parameters, algorithm, ..Job::clone(&self.job) };
        let computed = SharedResult::compute(&inverse, devices, cancel)?;
        let (shape, values) = (computed.shape(), computed.values);
        Ok((0..shape.len()).map(|index| values.exact(shape, index / shape.columns, index % shape.columns)).collect())
    }

    fn report(
        &self,
        row: usize,
        [part, anew]: [&Vec<Complex64>; 2],
        (coefs, kept): (Vec<Complex64>, Vec<bool>),
        (picked, error): (Option<Picked>, f64),
    ) -> Synthesis {
        let is_real = coefs.iter().all(|value| value.im == 0.0);
        let given = Shape { rows: self.job.signal.rows, columns: self.job.signal.columns };
        let real = |values: &[Complex64]| values.iter().map(|value| value.re).collect::<Vec<f64>>();
        let is_image = self.outcome.axes == Axes::Both;
        let (view, shown) = if is_image {
            let samples = real(&self.samples);
            let of = |values: &[f64], [low, high]: [f64; 2]| {
                let range = if high > low { high - low } else { 1.0 };
                Pixels::mean(given, |row, column| (values[row * given.columns + column] - low) / range)
            };
            let (part, anew) = (real(part), real(anew));
            let (whole, own) = (extent(&samples), extent(&part));
            (SynthesisView::Images([of(&samples, whole), of(&part, own), of(&anew, whole)]), 0..coefs.len())
        } else {
            let line = |values: &[Complex64]| match self.outcome.axes {
                Axes::Columns => real(values).into_iter().skip(row.min(given.columns - 1)).step_by(given.columns).collect::<Vec<_>>(),
                _ => real(&values[row.min(given.rows - 1) * given.columns..][..given.columns]),
            };
            let lines = [&self.samples, part, anew].map(|values| line(values));
            let columns = self.shape.columns;
            let shown = if self.outcome.axes == Axes::Rows {
                row.min(given.rows - 1) * columns..(row.min(given.rows - 1) + 1) * columns
            } else {
                0..coefs.len()
            };
            (SynthesisView::Curves { n: lines[0].len(), curves: lines.map(|line| curve(&line)) }, shown)
        };
        let (coefs, kept) = (Arc::new(coefs[shown.clone()].to_vec()), kept[shown].to_vec());
        Synthesis { shape: self.shape, coefs, kept, is_real, picked, view, error }
    }
}

/// Which coefficients are among the `n` of largest magnitude.
fn largest(coefs: &[Complex64], n: Option<usize>) -> Vec<bool> {
    let Some(n) = n.filter(|n| *n < coefs.len()) else { return vec![true; coefs.len()] };
    let mut order: Vec<usize> = (0..coefs.len()).collect();
    // Equal magnitudes keep the order of their indices.
    order.sort_by(|&a, &b| coefs[b].norm().total_cmp(&coefs[a].norm()));
    let mut kept = vec![false; coefs.len()];
    order[..n].iter().for_each(|&index| kept[index] = true);
    kept
}

fn energy(values: &[Complex64]) -> f64 {
    values.iter().map(Complex64::norm_sqr).sum()
}

fn extent(values: &[f64]) -> [f64; 2] {
    values.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &value| [low.min(value), high.max(value)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{DeviceChoice, Store, study::asked};

    fn request(transform: &'static str, samples: &[f64]) -> SynthesisRequest {
        let signal = Arc::new(Signal::row("few", Samples::F64(samples.to_vec())));
        let job = Job { device: DeviceChoice::Cpu, prefer_plan: true, ..Job::new(signal, transform) };
        SynthesisRequest { job, row: 0, picked: None, changed: Vec::new(), keep: None }
    }

    fn answer(request: &SynthesisRequest) -> Arc<Synthesis> {
        asked(&mut SynthesisStudy::default(), request, &Store::default()).unwrap()
    }

    fn curves(report: &Synthesis) -> [Vec<f64>; 3] {
        let SynthesisView::Curves { curves, .. } = &report.view else { panic!("a row is a curve") };
        curves.clone().map(|curve| curve.iter().map(|ends| ends[0]).collect())
    }

    /// By hand: 1, 0, 1, 0 is half the constant and half the alternation.
    #[test]
    fn the_part_of_a_walsh_coefficient_is_its_row() {
        let report = answer(&SynthesisRequest { picked: Some([0, 1]), ..request("walsh", &[1.0, 0.0, 1.0, 0.0]) });
        assert_eq!(curves(&report)[1], [0.5, -0.5, 0.5, -0.5]);
        let picked = report.picked.as_ref().unwrap();
        assert_eq!((picked.value, picked.share, picked.has_mirror), (2.0.into(), 0.5, false));
        assert!(report.is_real && report.error < 1e-12);
    }

    /// By hand: a cosine of one cycle over 4 samples has the coefficients X1 = X3 = 2.
    #[test]
    fn a_real_wave_is_a_coefficient_and_its_mirror() {
        let wave = [1.0, 0.0, -1.0, 0.0];
        let report = answer(&SynthesisRequest { picked: Some([0, 1]), ..request("dft", &wave) });
        let picked = report.picked.as_ref().unwrap();
        assert!(picked.has_mirror && (picked.share - 1.0).abs() < 1e-12 && (picked.value - 2.0).norm() < 1e-12);
        let doubled = ChangedCoefficient { at: [0, 1], value: [4.0, 0.0] };
        let anew = &curves(&answer(&SynthesisRequest { changed: vec![doubled], ..request("dft", &wave) }))[2];
        assert!(anew.iter().zip(&wave).all(|(a, b)| (a - 2.0 * b).abs() < 1e-12), "{anew:?}");
    }

    #[test]
    fn truncation_keeps_the_largest() {
        let whole = request("walsh", &[5.0, 3.0, 1.0, -1.0]);
        let report = answer(&SynthesisRequest { keep: Some(1), ..whole.clone() });
        assert_eq!((&report.kept[..], &report.coefs[..]), (&[true, false, false, false][..], &[8.0, 4.0, 8.0, 0.0].map(Into::into)[..]));
        assert_eq!(curves(&report)[2], [2.0; 4]);
        assert!(answer(&SynthesisRequest { keep: Some(3), ..whole }).error < 1e-12, "the fourth is 0");
    }

    #[test]
    fn what_has_no_way_back_says_so() {
        let refused = asked(&mut SynthesisStudy::default(), &request("dyadic-autocorrelation", &[1.0, 2.0]), &Store::default());
        assert_eq!(refused, Err(EngineError::NoInverse { transform: "dyadic-autocorrelation" }));
    }
}

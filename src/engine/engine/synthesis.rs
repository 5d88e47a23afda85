//! Answers the pane of coefficients: the part of one coefficient in a signal, and the signal that changed or fewer coefficients make.

use super::analysis::{Analysis, KeptAnalysis, forward, real};
use super::pixels::{Pixels, curve, extent};
use super::worker::Ask;
use super::{EngineError, Job, SharedResult, Study, StudyMailbox};
use crate::threshold::{Kept, Thresholding, peak_signal_to_noise};
use crate::transforms::{Axes, Shape};
use num_complex::Complex64;
use std::sync::Arc;

/// Larger results are not taken apart: every change would take too long.
pub const MOST_COEFFICIENTS: usize = 1 << 24;

/// A coefficient that was set by hand.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ChangedCoefficient {
    /// Row and column in the result.
    pub at: [usize; 2],
    /// Real and imaginary part.
    pub value: [f64; 2],
}

/// A question about the coefficients of a job.
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
    /// Which coefficients are kept, and how; `None` keeps all.
    pub thresholding: Option<Thresholding>,
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

/// Samples, the samples that are made anew, and the part of the picked coefficient or, without one, the difference of the two.
#[derive(Debug, Clone, PartialEq)]
pub enum SynthesisView {
    /// The smallest and the largest value of every pixel column.
    Curves {
        /// Samples of the row.
        n: usize,
        /// One curve each.
        curves: [Vec<[f64; 2]>; 3],
    },
    /// Samples and those made anew go from the smallest to the largest sample, a part from its own smallest to its largest, and the magnitudes of a difference from 0 to the largest.
    Images([Pixels; 3]),
}

/// The answer to a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Synthesis {
    /// Shape of the result.
    pub shape: Shape,
    /// The coefficients of the row that is shown, as they are set; of all rows for an image.
    pub coefs: Arc<Vec<Complex64>>,
    /// Whether each of them is left after thresholding.
    pub is_kept: Vec<bool>,
    /// Whether coefficients are real.
    pub is_real: bool,
    /// The coefficient that was picked.
    pub picked: Option<Picked>,
    /// The coefficients that the threshold leaves; `None` without one.
    pub kept: Option<Kept>,
    /// Peak signal-to-noise ratio of the samples that are made anew, in dB; infinite where none changes.
    pub psnr: f64,
    /// The largest difference of a sample.
    pub largest: f64,
    /// The root of the mean squared difference of samples, relative to that of the samples.
    pub error: f64,
    /// The drawing.
    pub view: SynthesisView,
}

/// Answers one request after the other, and keeps the coefficients for the next one.
#[derive(Default)]
pub struct SynthesisStudy {
    last: KeptAnalysis,
}

impl Study for SynthesisStudy {
    type Request = SynthesisRequest;
    type Report = Result<Arc<Synthesis>, EngineError>;

    const NAME: &'static str = "coefficients";

    fn needs(&self, SynthesisRequest { job, .. }: &SynthesisRequest) -> Result<Vec<Job>, EngineError> {
        let forward = forward(job)?;
        let n = forward.shape().len();
        if n > MOST_COEFFICIENTS {
            return Err(EngineError::TooMany { n, most: MOST_COEFFICIENTS });
        }
        Ok(vec![forward])
    }

    fn is_long(SynthesisRequest { job, .. }: &SynthesisRequest) -> bool {
        /// More samples take longer than a moment.
        const MOST_QUICK: usize = 1 << 18;
        job.signal.len() > MOST_QUICK
    }

    fn answer(
        &mut self,
        request: &SynthesisRequest,
        results: Result<Vec<SharedResult>, EngineError>,
        StudyMailbox { devices, cancel, progress, .. }: StudyMailbox<'_>,
    ) -> Self::Report {
        let all = self.last.of(&results?[0])?;
        let at = |[row, column]: [usize; 2]| (row < all.shape.rows && column < all.shape.columns).then(|| row * all.shape.columns + column);
        let mut coefs = all.coefs.clone();
        for change in &request.changed {
            let Some(index) = at(change.at) else { continue };
            let value = Complex64::new(change.value[0], change.value[1]);
            coefs[index] = value;
            if let Some(mirror) = all.mirror(index) {
                coefs[mirror] = if mirror == index { value.re.into() } else { value.conj() };
            }
        }
        let mut left = coefs.clone();
        let kept = request.thresholding.map(|thresholding| all.threshold(&mut left, thresholding));
        progress("the samples of the coefficients", 0.5);
        // All coefficients make the samples that they came from.
        let anew = if left == all.coefs { all.samples.clone() } else { all.back(&left, devices, cancel)? };
        let mut part = None;
        if let Some((place, index)) = request.picked.and_then(|place| Some((place, at(place)?))) {
            let mut alone = vec![Complex64::default(); coefs.len()];
            let mirror = all.mirror(index).filter(|mirror| *mirror != index);
            [Some(index), mirror].into_iter().flatten().for_each(|index| alone[index] = coefs[index]);
            let samples = all.back(&alone, devices, cancel)?;
            let share = energy(&samples) / energy(&all.samples).max(f64::MIN_POSITIVE);
            part = Some((samples, Picked { at: place, value: coefs[index], share, has_mirror: mirror.is_some() }));
        }
        Ok(Arc::new(report(&all, request.row, Made { coefs, left, kept, anew, part })))
    }
}

/// The coefficients after a request.
struct Made {
    /// As they are set.
    coefs: Vec<Complex64>,
    /// After thresholding.
    left: Vec<Complex64>,
    kept: Option<Kept>,
    /// Their samples.
    anew: Vec<Complex64>,
    /// The samples of the picked coefficient alone.
    part: Option<(Vec<Complex64>, Picked)>,
}

fn report(all: &Analysis, row: usize, Made { coefs, left, kept, anew, part }: Made) -> Synthesis {
    let differences: Vec<Complex64> = anew.iter().zip(&all.samples).map(|(a, b)| a - b).collect();
    let largest = differences.iter().map(|value| value.norm()).fold(0.0, f64::max);
    let error = (energy(&differences) / energy(&all.samples).max(f64::MIN_POSITIVE)).sqrt();
    let psnr = peak_signal_to_noise(&all.samples, &anew, all.peak);
    let (third, picked) = part.map_or((differences, None), |(samples, picked)| (samples, Some(picked)));
    let shown = match all.outcome.axes {
        Axes::Rows => {
            let first = row.min(all.shape.rows.saturating_sub(1)) * all.shape.columns;
            first..first + all.shape.columns
        }
        Axes::Columns | Axes::Both => 0..coefs.len(),
    };
    let view = view(all, row, [&all.samples, &anew, &third], picked.is_some());
    let is_real = coefs.iter().all(|value| value.im == 0.0);
    // Coefficients that are zero anyway are not dropped.
    let is_kept = shown.clone().map(|index| left[index].norm() > 0.0 || coefs[index].norm() == 0.0).collect();
    Synthesis { shape: all.shape, coefs: Arc::new(coefs[shown].to_vec()), is_kept, is_real, picked, kept, psnr, largest, error, view }
}

/// Draws samples, those made anew, and a part of them or a difference.
fn view(all: &Analysis, row: usize, [samples, anew, third]: [&[Complex64]; 3], is_part: bool) -> SynthesisView {
    let given = Shape { rows: all.job.signal.rows, columns: all.job.signal.columns };
    if !all.is_image() {
        let row = row.min(given.rows.saturating_sub(1));
        let line = |values: &[Complex64]| match all.outcome.axes {
            Axes::Columns => real(values).into_iter().skip(row).step_by(given.columns).collect::<Vec<_>>(),
            _ => real(&values[row * given.columns..][..given.columns]),
        };
        let lines = [samples, anew, third].map(line);
        return SynthesisView::Curves { n: lines[0].len(), curves: lines.map(|line| curve(&line)) };
    }
    let of = |values: &[Complex64], [low, high]: [f64; 2]| {
        let range = if high > low { high - low } else { 1.0 };
        Pixels::mean(given, |row, column| (values[row * given.columns + column].re - low) / range)
    };
    let whole = extent(&real(samples));
    let third = if is_part {
        of(third, extent(&real(third)))
    } else {
        // Rounding is not magnified.
        let scale = third.iter().map(|value| value.norm()).fold(1e-4 * all.peak, f64::max);
        Pixels::largest(given, |row, column| third[row * given.columns + column].norm() / scale)
    };
    SynthesisView::Images([of(samples, whole), of(anew, whole), third])
}

fn energy(values: &[Complex64]) -> f64 {
    values.iter().map(Complex64::norm_sqr).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{DeviceChoice, Store, study::asked};
    use crate::signal::{Samples, Signal};
    use crate::threshold::{Keep, Shrink};

    fn request(transform: &'static str, samples: &[f64]) -> SynthesisRequest {
        let signal = Arc::new(Signal::row("few", Samples::F64(samples.to_vec())));
        let job = Job { device: DeviceChoice::Cpu, prefer_plan: true, ..Job::new(signal, transform) };
        SynthesisRequest { job, row: 0, picked: None, changed: Vec::new(), thresholding: None }
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
        assert_eq!(curves(&report)[2], [0.5, -0.5, 0.5, -0.5]);
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
        let anew = &curves(&answer(&SynthesisRequest { changed: vec![doubled], ..request("dft", &wave) }))[1];
        assert!(anew.iter().zip(&wave).all(|(a, b)| (a - 2.0 * b).abs() < 1e-12), "{anew:?}");
    }

    #[test]
    fn a_threshold_keeps_the_largest() {
        let whole = request("walsh", &[5.0, 3.0, 1.0, -1.0]);
        let keeping = |share: f64| {
            let thresholding = Some(Thresholding { keep: Keep::Share(share), shrink: Shrink::Hard });
            answer(&SynthesisRequest { thresholding, ..whole.clone() })
        };
        let report = keeping(0.25);
        assert_eq!((&report.is_kept[..], &report.coefs[..]), (&[true, false, false, true][..], &[8.0, 4.0, 8.0, 0.0].map(Into::into)[..]));
        assert_eq!(curves(&report)[1], [2.0; 4]);
        assert_eq!((curves(&report)[2].clone(), report.largest), (vec![-3.0, -1.0, 1.0, 3.0], 3.0), "the difference");
        assert!(keeping(0.75).error < 1e-12, "the fourth is 0");
    }

    /// By hand: cosines of 1 and of 2 cycles over 8 samples, of amplitudes 2 and 1, have the coefficients X1 = X7 = 8 and X2 = X6 = 4.
    #[test]
    fn a_real_spectrum_keeps_pairs() {
        let wave = |k: f64| move |n: usize| (std::f64::consts::TAU * k * n as f64 / 8.0).cos();
        let samples: Vec<f64> = (0..8).map(|n| 2.0 * wave(1.0)(n) + wave(2.0)(n)).collect();
        let thresholding = Some(Thresholding { keep: Keep::Share(3.0 / 8.0), shrink: Shrink::Hard });
        let report = answer(&SynthesisRequest { thresholding, ..request("dft", &samples) });
        assert_eq!(report.kept.map(|kept| kept.n), Some(2), "half a pair is none");
        let anew = &curves(&report)[1];
        assert!((0..8).all(|n| (anew[n] - 2.0 * wave(1.0)(n)).abs() < 1e-12), "{anew:?}");
    }

    #[test]
    fn what_has_no_way_back_says_so() {
        let refused = asked(&mut SynthesisStudy::default(), &request("dyadic-autocorrelation", &[1.0, 2.0]), &Store::default());
        assert_eq!(refused, Err(EngineError::NoInverse { transform: "dyadic-autocorrelation" }));
    }
}

//! Compares the spectrum image of a job with one that was held: both as images, their difference, and two values at one frequency.

use super::ImageSpectrum;
use crate::display::{Colormap, DisplayFrame, Look, extremes, render};
use crate::engine::{Ask, EngineError, Job, RenderedImage, SharedResult, Study, StudyMailbox};
use crate::measure::Frequency;
use crate::transforms::{Axes, Shape};
use num_complex::{Complex32, Complex64};
use std::sync::Arc;

/// A request to compare two spectra.
#[derive(Debug, Clone, PartialEq)]
pub struct HoldRequest {
    /// The job that was held.
    pub held: Job,
    /// The newest one.
    pub newest: Job,
    /// How both are shown.
    pub look: Look,
    /// The scaled values of the first and the last colour.
    pub range: [f32; 2],
    /// The visible part of the newest one.
    pub frame: DisplayFrame,
    /// The frequency that is read out.
    pub probe: Option<Frequency>,
}

/// The comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct HoldReport {
    /// The same part of the spectrum that was held, in the same colours.
    pub held: Arc<RenderedImage>,
    /// Its shape.
    pub shape: Shape,
    /// The scaled values of the newest less those that were held; `None` for spectra of different sizes.
    pub difference: Option<Arc<RenderedImage>>,
    /// The held value at the frequency that is read out.
    pub value: Option<(Frequency, Complex64)>,
}

/// The look of a difference: white where both are the same.
pub const LOOK_OF_DIFFERENCE: Look = Look { shifted: true, colormap: Colormap::RdBu, ..Look::of_samples() };

impl Ask for HoldRequest {}

/// Answers one request after the other.
#[derive(Default)]
pub struct HoldStudy {
    /// The result that was held, so that the store keeps it.
    _held: Option<SharedResult>,
}

impl Study for HoldStudy {
    type Request = HoldRequest;
    type Report = Result<HoldReport, EngineError>;

    const NAME: &'static str = "hold";

    fn needs(&self, request: &HoldRequest) -> Result<Vec<Job>, EngineError> {
        Ok([&request.held, &request.newest].map(ImageSpectrum::job).into())
    }

    fn answer(&mut self, request: &HoldRequest, results: Result<Vec<SharedResult>, EngineError>, _: StudyMailbox<'_>) -> Self::Report {
        let HoldRequest { look, range, frame, probe, .. } = request;
        let [held, newest] = both(results?);
        self._held = Some(held.clone());
        let [held, newest] = [ImageSpectrum::of(held)?, ImageSpectrum::of(newest)?];
        let (shape, other) = (held.0.shape(), newest.0.shape());
        // Spectra of other sizes show the same frequencies.
        let [across, down] = [shape.columns as f64 / other.columns as f64, shape.rows as f64 / other.rows as f64];
        let mut part = *frame;
        (part.rect.left, part.rect.width) = (part.rect.left * across, part.rect.width * across);
        (part.rect.top, part.rect.height) = (part.rect.top * down, part.rect.height * down);
        let at = |row: usize, column: usize| held.0.values.at(shape, row, column);
        let rgba = render(at, shape, Axes::Both, look, *range, part);
        let image = RenderedImage::new(part, rgba, *range);
        let difference = (shape == other).then(|| Arc::new(difference(&held, &newest, look, *frame)));
        let value = probe.map(|at| {
            let [row, column] = held.with(|spectrum| spectrum.nearest(at));
            (at, held.0.values.exact(shape, row, column))
        });
        Ok(HoldReport { held: Arc::new(image), shape, difference, value })
    }
}

/// Two results, in the order in which a study needs them.
pub(super) fn both(results: Vec<SharedResult>) -> [SharedResult; 2] {
    <[SharedResult; 2]>::try_from(results).unwrap_or_else(|_| unreachable!("there is a result for each of two jobs"))
}

/// The scaled values of one spectrum less those of another, in colours on both sides of 0.
fn difference(held: &ImageSpectrum, newest: &ImageSpectrum, look: &Look, frame: DisplayFrame) -> RenderedImage {
    let shape = held.0.shape();
    let scaled = |of: &ImageSpectrum, row: usize, column: usize| look.scale.apply(look.quantity, of.0.values.at(shape, row, column));
    let at = |row: usize, column: usize| Complex32::from(scaled(newest, row, column) - scaled(held, row, column));
    let shown = Look { shifted: look.shifted, ..LOOK_OF_DIFFERENCE };
    let [low, high] = extremes(at, shape, &shown);
    let most = low.abs().max(high.abs()).max(f32::MIN_POSITIVE);
    let range = [-most, most];
    let rgba = render(at, shape, Axes::Both, &shown, range, frame);
    RenderedImage::new(frame, rgba, range)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Devices, Store, study::asked};
    use crate::signal::{Channel, Samples, Signal, SignalKind};
    use std::sync::atomic::AtomicBool;

    #[test]
    fn a_held_spectrum_is_shown_beside_the_newest_and_subtracted() {
        let image = |rows: usize, extra: f32| {
            let samples = (0..rows * 8).map(|i| (i * i % 7) as f32 + if i == 0 { extra } else { 0.0 }).collect();
            let channel = Channel::new("gray", Samples::F32(samples));
            Job::new(Arc::new(Signal::from_channels("test", SignalKind::Image, (rows, 8), vec![channel])), "dft2")
        };
        let (held, newest, taller) = (image(8, 0.0), image(8, 1.0), image(16, 0.0));
        let look = Look { shifted: true, colormap: Colormap::Gray, ..Look::of_samples() };
        let shape = Shape { rows: 8, columns: 8 };
        let probe = Some(Frequency { u: 0.125, v: -0.25 });
        let request = HoldRequest { held: held.clone(), newest, look, range: [0.0, 1.0], frame: DisplayFrame::whole(shape), probe };
        let (mut study, store) = (HoldStudy::default(), Store::default());
        let mut answer = |request: &HoldRequest| asked(&mut study, request, &store).unwrap();
        let found = answer(&request);
        // An impulse at the first sample adds its height to every real part.
        let difference = found.difference.unwrap();
        assert!((difference.range[1] - 1.0).abs() < 1e-5 && difference.rgba.chunks(4).all(|pixel| pixel == &difference.rgba[..4]));
        let spectrum = SharedResult::compute(&held, &mut Devices::default(), &AtomicBool::new(false)).unwrap();
        assert_eq!(found.value.unwrap().1, spectrum.values.exact(shape, 2, 1));
        let found = answer(&HoldRequest { newest: taller, frame: DisplayFrame::whole(Shape { rows: 16, columns: 8 }), ..request });
        assert!(found.difference.is_none() && found.held.frame.rect.height == 8.0, "other sizes show the same frequencies");
        assert_eq!(store.n_runs(), 3, "the held one and two that came after it");
    }
}

//! The worker that measures markers, profiles and peaks of an image for the panes that show them.

use super::scene::{Action, Scene};
use super::settings::MeasureLook;
use crate::engine::measure::{MeasureReport, MeasureRequest, MeasureStudies, Measurement, SpectrumCache};
use crate::engine::{EngineError, Progress, Reply, Worker};
use crate::measure::{Frequency, Lattice, Marker, Peak, Refinement};
use crate::numerals::number;
use crate::plan::Direction;
use crate::signal::PixelSize;
use egui::Context;
use std::sync::Arc;

/// The answer to a request.
pub(super) type MeasureReply = Reply<MeasureRequest, Result<MeasureReport, EngineError>>;

/// Peaks with the lattice that they span.
pub(super) type Peaks = (Arc<Vec<Peak>>, Option<Lattice>);

/// Measures by a worker that is started with the first request.
#[derive(Default)]
pub(super) struct Measurer {
    spectra: SpectrumCache,
    worker: Option<Worker<MeasureRequest, MeasureReply>>,
    /// Whether peaks are looked for, which then become the markers.
    is_finding: bool,
    /// The newest answer about markers.
    known: Option<(Vec<Marker>, Peaks)>,
}

impl Measurer {
    /// Shares its spectrum with others.
    pub(super) fn sharing(spectra: &SpectrumCache) -> Self {
        Self { spectra: spectra.clone(), ..Self::default() }
    }

    /// Asks for a measurement of the signal, and returns the newest answer, perhaps to an older request.
    pub(super) fn ask(&mut self, ctx: &Context, scene: &Scene<'_>, wanted: Measurement) -> Option<(bool, Arc<MeasureReply>)> {
        let request = MeasureRequest { job: scene.settings.job(scene.signal?), wanted };
        let worker = self.worker.get_or_insert_with(|| {
            let (ctx, mut studies) = (ctx.clone(), MeasureStudies::sharing(self.spectra.clone()));
            let answer =
                move |request: &MeasureRequest, cancel: &_, progress: &dyn Fn(&str, f32)| studies.answer(request, cancel, progress);
            Worker::answering("measure", answer, move || ctx.request_repaint())
        });
        worker.request_once(&request);
        worker.latest().map(|reply| (reply.request == request, reply))
    }

    /// What it is busy with.
    pub(super) fn progress(&self) -> Option<Progress> {
        self.worker.as_ref().and_then(Worker::progress)
    }

    /// Gives up what it does.
    pub(super) fn cancel(&self) {
        self.worker.iter().for_each(Worker::cancel);
    }

    /// Looks for the strongest peaks, which take the place of the markers.
    pub(super) fn find_peaks(&mut self) {
        self.is_finding = true;
    }

    /// The values at the markers with their lattice, as far as they are known. Peaks that were found become markers.
    pub(super) fn markers(&mut self, ctx: &Context, scene: &mut Scene<'_>) -> Option<Peaks> {
        let look = &scene.settings.measure;
        if self.is_finding {
            let wanted = Measurement::Peaks(look.n_peaks, look.refinement);
            if let Some((true, reply)) = self.ask(ctx, scene, wanted) {
                self.is_finding = false;
                if let Ok(MeasureReport::Peaks(peaks, _)) = &reply.result {
                    let look = &mut scene.settings.measure;
                    look.markers = peaks.iter().map(|peak| Marker { at: peak.frequency, reach: 0.0 }).collect();
                    look.selected = (!look.markers.is_empty()).then_some(0);
                    if look.markers.is_empty() {
                        scene.actions.push(Action::ShowError("no value of this spectrum stands clear of its surroundings".into()));
                    }
                }
            }
        } else if !look.markers.is_empty() {
            let (markers, wanted) = (look.markers.clone(), Measurement::Markers(look.markers.clone(), look.refinement));
            if let Some((true, reply)) = self.ask(ctx, scene, wanted)
                && let Ok(MeasureReport::Peaks(peaks, lattice)) = &reply.result
            {
                self.known = Some((markers, (peaks.clone(), lattice.clone())));
            }
        }
        let look = &scene.settings.measure;
        self.known.as_ref().filter(|(markers, _)| *markers == look.markers).map(|(_, peaks)| peaks.clone())
    }

    /// The values at the markers that are set, as far as they are known.
    pub(super) fn known(&self, look: &MeasureLook) -> Option<&[Peak]> {
        self.known.as_ref().filter(|(markers, _)| *markers == look.markers).map(|(_, (peaks, _))| peaks.as_slice())
    }

    /// Whether it measures nothing now.
    pub(super) fn is_settled(&self) -> bool {
        !self.is_finding && self.worker.as_ref().is_none_or(Worker::is_idle)
    }
}

/// Whether the result is the spectrum of an image, on which markers can be pinned.
pub(super) fn has_markers(scene: &Scene<'_>) -> bool {
    scene.settings.transform().name == "dft2" && scene.settings.parameters.direction == Direction::Forward
}

/// A frequency in cycles per pixel, or in cycles per unit where the size of a pixel is known.
pub(super) fn in_units(frequency: Frequency, pixel: Option<PixelSize>) -> Frequency {
    pixel.map_or(frequency, |PixelSize { width, height, .. }| Frequency { u: frequency.u / width, v: frequency.v / height })
}

/// The unit of lengths.
pub(super) fn length_unit(pixel: Option<PixelSize>) -> &'static str {
    pixel.map_or("px", |pixel| pixel.unit.symbol())
}

/// A marker in words: its frequency, period, direction and value.
pub(super) fn marker_text(peak: &Peak, refinement: Refinement, pixel: Option<PixelSize>) -> String {
    let frequency = in_units(peak.frequency, pixel);
    let Frequency { u, v } = frequency;
    let per = pixel.map_or(String::new(), |pixel| format!(" {}", pixel.unit.frequency()));
    let place = format!("u {}, v {} up{per}", number(u, 5), number(v, 5));
    let wave = format!("period {} {}   angle {}°", number(frequency.period(), 5), length_unit(pixel), number(frequency.angle(), 4));
    let value = format!("|X| = {}   phase {} rad", number(peak.value.norm(), 5), number(peak.value.arg(), 4));
    format!("{place}   {wave}   {value}   by {refinement}")
}

//! Markers and profiles as they are set, and the thread that measures them: what the panes that measure share.

use super::scene::{Action, Scene};
use crate::engine::measure::{MeasureReport, MeasureRequest, MeasureStudies, Measurement, SpectrumCache};
use crate::engine::{EngineError, Progress, Reply, Worker};
use crate::measure::{Frequency, Lattice, Marker, Peak, ProfileLine, Refinement};
use crate::numerals::number;
use crate::plan::Direction;
use crate::signal::PixelSize;
use egui::Context;
use std::sync::Arc;

/// What is measured on an image and its spectrum.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct MeasureLook {
    /// The markers on the spectrum image.
    pub markers: Vec<Marker>,
    /// The marker that keys move.
    pub selected: Option<usize>,
    /// How their positions are refined.
    pub refinement: Refinement,
    /// Whether a ring is drawn through every marker.
    pub rings: bool,
    /// Whether the harmonics of the selected marker are drawn.
    pub harmonics: bool,
    /// Whether the lattice that the markers span is drawn.
    pub lattice: bool,
    /// The number of peaks that are looked for.
    pub n_peaks: usize,
    /// The profile that is shown.
    pub profile: ProfileTab,
    /// The line of the profile along a line; `None` lies across the middle.
    pub line: Option<ProfileLine>,
    /// Whether that line lies on the spectrum image.
    pub on_spectrum: bool,
    /// Whether that line is drawn where it lies.
    pub shows_line: bool,
    /// Whether the axis of the frequency is logarithmic.
    pub log_frequency: bool,
    /// Whether the axis of the power is logarithmic.
    pub log_power: bool,
    /// What is done with a second image.
    pub pair: PairLook,
}

impl Default for MeasureLook {
    fn default() -> Self {
        Self {
            markers: Vec::new(),
            selected: None,
            refinement: Refinement::default(),
            rings: false,
            harmonics: false,
            lattice: true,
            n_peaks: 8,
            profile: ProfileTab::default(),
            line: None,
            on_spectrum: false,
            shows_line: true,
            log_frequency: true,
            log_power: true,
            pair: PairLook::default(),
        }
    }
}

impl MeasureLook {
    /// Pins a marker and selects it.
    pub(super) fn pin(&mut self, marker: Marker) {
        self.markers.push(marker);
        self.selected = Some(self.markers.len() - 1);
    }

    /// Removes the selected marker, and selects the one before it.
    pub(super) fn remove_selected(&mut self) {
        if let Some(index) = self.selected.filter(|index| *index < self.markers.len()) {
            self.markers.remove(index);
            self.selected = (!self.markers.is_empty()).then(|| index.saturating_sub(1));
        }
    }
}

/// A profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum ProfileTab {
    /// The power over the frequency.
    #[default]
    Radial,
    /// The power over the direction.
    Angular,
    /// Values along a line.
    Line,
}

/// What is done with a second image, or with a blur.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct PairLook {
    /// Whether a second image was asked for, which is loaded then.
    pub has_second: bool,
    /// What is done.
    pub task: PairTask,
    /// What blurred the image.
    pub blur: BlurForm,
    /// Standard deviation, radius or length of the blur in pixels.
    pub size: f64,
    /// The direction of a motion in degrees, anticlockwise from x.
    pub angle: f64,
    /// The power of the noise beside that of the image, in dB.
    pub noise_db: f64,
}

impl Default for PairLook {
    fn default() -> Self {
        Self { has_second: false, task: PairTask::default(), blur: BlurForm::default(), size: 2.0, angle: 0.0, noise_db: -30.0 }
    }
}

/// What is done with a second image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum PairTask {
    /// Its shift is found.
    #[default]
    Shift,
    /// A blur is undone.
    Deblur,
}

/// What blurred an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum BlurForm {
    /// A Gaussian.
    #[default]
    Gauss,
    /// A disc.
    Disc,
    /// A line.
    Motion,
    /// The second image.
    Image,
}

/// The answer to a request.
pub(super) type MeasureReply = Reply<MeasureRequest, Result<MeasureReport, EngineError>>;

/// Peaks with the lattice that they span.
pub(super) type Peaks = (Arc<Vec<Peak>>, Option<Lattice>);

/// Measures on a thread that is started when something is asked first.
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

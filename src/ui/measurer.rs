//! Measures markers, profiles and peaks of an image for the panes that show them.

use super::action::Action;
use super::settings::MeasureLook;
use super::studied::{Answer, Studied};
use super::studies::Studies;
use crate::engine::measure::{MeasureReport, MeasureRequest, MeasureStudy, Measurement};
use crate::engine::{Job, StudyReply};
use crate::measure::{Frequency, Lattice, Marker, Peak, Refinement};
use crate::numerals::number;
use crate::signal::PixelSize;
use egui::{Context, Ui};
use std::sync::Arc;

/// The answer to a request.
pub(super) type MeasureReply = StudyReply<MeasureStudy>;

/// Peaks with the lattice that they span.
pub(super) type Peaks = (Arc<Vec<Peak>>, Option<Lattice>);

/// Measures the spectrum that is shown.
pub(super) struct Measurer {
    studied: Studied<MeasureStudy>,
    /// Whether peaks are looked for, which then become the markers.
    is_finding: bool,
    /// The newest answer about markers.
    known: Option<(Vec<Marker>, Peaks)>,
}

impl Measurer {
    /// One that reads the results of a store.
    pub(super) fn new(studies: &Studies) -> Self {
        Self { studied: Studied::new(studies, || MeasureStudy), is_finding: false, known: None }
    }

    /// Asks for a measurement of the signal, and returns the newest answer, perhaps to an older request.
    pub(super) fn ask(&mut self, ctx: &Context, job: Option<&Job>, wanted: Measurement) -> Option<Answer<MeasureStudy>> {
        let request = job.cloned().map(|job| MeasureRequest { job, wanted });
        self.studied.ask(ctx, request.as_ref())
    }

    /// Shows how far what takes long is.
    pub(super) fn progress_ui(&self, ui: &Ui) {
        self.studied.progress_ui(ui);
    }

    /// Looks for the strongest peaks, which take the place of the markers.
    pub(super) fn find_peaks(&mut self) {
        self.is_finding = true;
    }

    /// The values at the markers with their lattice, as far as they are known. Peaks that were found become markers.
    pub(super) fn markers(&mut self, ctx: &Context, job: Option<&Job>, look: &mut MeasureLook, actions: &mut Vec<Action>) -> Option<Peaks> {
        if self.is_finding {
            let wanted = Measurement::Peaks(look.n_peaks, look.refinement);
            if let Some(Answer { reply, is_newest: true, .. }) = self.ask(ctx, job, wanted) {
                self.is_finding = false;
                if let Ok(MeasureReport::Peaks(peaks, _)) = &reply.result {
                    look.markers = peaks.iter().map(|peak| Marker { at: peak.frequency, reach: 0.0 }).collect();
                    look.selected = (!look.markers.is_empty()).then_some(0);
                    if look.markers.is_empty() {
                        actions.push(Action::ShowError("no value of this spectrum stands clear of its surroundings".into()));
                    }
                }
            }
        } else if !look.markers.is_empty() {
            let (markers, wanted) = (look.markers.clone(), Measurement::Markers(look.markers.clone(), look.refinement));
            if let Some(Answer { reply, is_newest: true, .. }) = self.ask(ctx, job, wanted)
                && let Ok(MeasureReport::Peaks(peaks, lattice)) = &reply.result
            {
                self.known = Some((markers, (peaks.clone(), lattice.clone())));
            }
        }
        self.known.as_ref().filter(|(markers, _)| *markers == look.markers).map(|(_, peaks)| peaks.clone())
    }
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

//! The filter by boxes: what is shown of it, the tones and bands that become boxes, and its files and command.

use super::wanted::filter;
use super::{Known, Lengthened, Panel, Set};
use crate::choice::Named as _;
use crate::engine::{RecordingPart, SpectraAnswer, SpectraQuestion, SpectraRequest};
use crate::filter::Effect;
use crate::numerals::{integer, number};
use crate::spectra::{NamedBox, TimeFrequencyBox};
use crate::ui::action::Action;
use crate::ui::export::Export;
use crate::ui::origin::Origin;
use crate::ui::recording_command::RecordingCommand;
use crate::ui::settings::{BoxView, BoxesLook};
use crate::ui::widgets;
use egui::{Button, Role, Ui, WidgetInfo};

/// The lengths of frames that are offered, as powers of two.
const LENGTHS: std::ops::RangeInclusive<u32> = 6..=16;
/// The tones among which the harmonics are looked for, and the width of a box around each in steps of the spectrum.
const MOST_TONES: usize = 64;
const WIDTH: f64 = 6.0;
/// Frames are long enough for this number of such widths between two harmonics.
const WIDTHS: f64 = 4.0;

impl Panel {
    /// Shows the tools of the filter and its result.
    pub(super) fn filter_ui(&mut self, ui: &mut Ui, known: &Known<'_>, set: &mut Set<'_>) {
        let n = known.part.samples.len();
        ui.horizontal_wrapped(|ui| {
            widgets::named("View of the filter", widgets::segmented(ui, &mut set.boxes.view, &BoxView::offered()));
        });
        let shown = set.boxes.length(n);
        widgets::row(ui, "Frames", |ui| {
            let lengths = LENGTHS.map(|power| 1_usize << power).filter(|length| *length <= n);
            let offered = lengths.map(|length| (Some(length), integer(length), String::new()));
            widgets::combo_of_width(ui, "Samples of a frame of the filter", 88.0, integer(shown), &mut set.boxes.length, offered)
                .on_hover_text("Long frames tell frequencies apart and soften edges in time; short ones the other way round")
        });
        ui.horizontal_wrapped(|ui| {
            let about = "Cuts the strongest tone, or that of the harmonic cursor, with its harmonics over the whole time";
            self.wants_tone |= ui.button("Cut a tone").on_hover_text(about).clicked();
            let band = set.spectrum.marks.band;
            let about = "Adds the band of the measured spectrum as a box over the selected part, or all of the recording";
            let adds = ui.add_enabled(band.is_some(), Button::new("Add the band")).on_hover_text(about).clicked();
            if let Some([low, high]) = band.filter(|_| adds) {
                let part = set.part(n);
                match known.of.part([[part.start as f64, low], [part.end as f64, high]], Effect::Pass) {
                    Some(part) => set.boxes.add_band(part.samples, n, part.cycles, Effect::Pass),
                    None => {
                        set.out.actions.push(Action::ShowError("the band lies outside this recording: choose another band".into()));
                    }
                }
            }
        });
        self.tone_ui(ui, known, set);
        self.lengthened_ui(ui, set);
        let has_boxes = !set.boxes.list.is_empty();
        ui.horizontal_wrapped(|ui| {
            for (is_difference, title) in [(false, "Export result…"), (true, "Export difference…")] {
                let about = "Writes every channel as WAV, NPY or CSV; a WAV has the bits of its source, or 32-bit floats where samples exceed full scale";
                if ui.add_enabled(has_boxes, Button::new(title)).on_hover_text(about).clicked() {
                    let (signal, filter) = (known.part.signal.clone(), Box::new(filter(known.part, set.boxes)));
                    let (folder, what) = (known.origin.folder(), if is_difference { "difference" } else { "result" }.to_owned());
                    set.out.actions.push(Action::Export(Box::new(Export::Boxed { signal, filter, is_difference, folder, what })));
                }
            }
            let copies = ui.add_enabled(has_boxes, Button::new("Copy filter command"));
            if copies.on_hover_text("The command line that filters the recording by these boxes").clicked() {
                ui.ctx().copy_text(command(known.part, known.origin, set.boxes));
            }
        });
    }

    /// Cuts a tone once it is found.
    fn tone_ui(&mut self, ui: &mut Ui, known: &Known<'_>, set: &mut Set<'_>) {
        if !self.wants_tone {
            return;
        }
        let request = SpectraRequest { part: known.part.clone(), question: SpectraQuestion::Peaks(MOST_TONES) };
        let answer = self.tone.ask(ui.ctx(), Some(&request)).filter(|answer| answer.is_newest);
        match answer.map(|answer| answer.reply.result.clone()) {
            Some(Ok(SpectraAnswer::Peaks(peaks, _))) => {
                self.wants_tone = false;
                let (rate, n) = (known.of.rate, known.part.samples.len());
                let tones: Vec<f64> = peaks.iter().map(|peak| peak.frequency / rate.per_unit).collect();
                let cursor = set.spectrum.marks.harmonics.map(|cursor| cursor / rate.per_unit);
                let Some(fundamental) = cursor.or(tones.first().copied()).filter(|cycles| *cycles != 0.0) else {
                    return set.out.actions.push(Action::ShowError("no tone stands clear of the noise: draw a box instead".into()));
                };
                let least = (WIDTHS * WIDTH / fundamental.abs()).log2().ceil().clamp(1.0, f64::from(*LENGTHS.end())).exp2() as usize;
                let usual = set.boxes.length(n);
                let length = least.min(n).max(usual);
                let half = 0.5 * WIDTH / length as f64;
                let [low, high] = [known.of.lowest(), 0.5];
                let cut = |middle: f64| {
                    let cycles = [(middle - half).max(low), (middle + half).min(high)];
                    let name = format!("{} {}", number(middle * rate.per_unit, 5), rate.frequency());
                    NamedBox { name, part: TimeFrequencyBox { samples: 0..n, cycles, effect: Effect::Cut, stroke: None } }
                };
                let added: Vec<NamedBox> = harmonics(fundamental, half, &tones).into_iter().map(cut).collect();
                if added.is_empty() {
                    return set.out.actions.push(Action::ShowError("no tone lies at the harmonic cursor: move it to a peak".into()));
                }
                if length > usual {
                    self.lengthened = Some(Lengthened { before: (set.boxes.length, set.boxes.view), now: length, added: added.clone() });
                    set.boxes.length = Some(length);
                }
                added.into_iter().for_each(|own| set.boxes.add(own));
                set.boxes.view = BoxView::Result;
            }
            Some(Err(error)) => {
                self.wants_tone = false;
                set.out.actions.push(Action::ShowError(crate::ui::remedy::in_words(&error)));
            }
            _ => drop(widgets::weak(ui, "The tone is being looked for")),
        }
    }

    /// Says that a tone made the frames longer, as long as they are, and takes both back.
    fn lengthened_ui(&mut self, ui: &mut Ui, set: &mut Set<'_>) {
        self.lengthened.take_if(|lengthened| set.boxes.length != Some(lengthened.now));
        let Some(Lengthened { before, now, added }) = &self.lengthened else { return };
        ui.horizontal_wrapped(|ui| {
            widgets::weak(
                ui,
                format!("Cut a tone made the frames {} samples long: shorter ones do not tell its harmonics apart", integer(*now)),
            );
            let undo = ui.button("Undo").on_hover_text("Takes the boxes of the tone away, and the frames from before");
            undo.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Undo the tone and its longer frames"));
            if undo.clicked() {
                (set.boxes.length, set.boxes.view) = *before;
                set.boxes.list.retain(|own| !added.contains(own));
                set.boxes.selected = None;
            }
        });
    }
}

/// The tones that lie at a frequency or its multiples, in cycles per sample, in ascending order.
fn harmonics(fundamental: f64, half: f64, tones: &[f64]) -> Vec<f64> {
    let is_multiple = |tone: &f64| {
        let nearest = (tone / fundamental).round();
        nearest >= 1.0 && (tone - nearest * fundamental).abs() < half
    };
    let mut found: Vec<f64> = tones.iter().copied().filter(is_multiple).collect();
    found.sort_by(f64::total_cmp);
    found
}

/// The command line that filters the recording.
fn command(part: &RecordingPart, origin: &Origin, boxes: &BoxesLook) -> String {
    let mut line = RecordingCommand::new("filter", origin, part);
    for own in &boxes.list {
        line.option(if own.part.stroke.is_some() { "stroke" } else { "box" }, own.part.written(part.rate));
    }
    if let Some(length) = boxes.length {
        line.option("length", length.min(part.samples.len()).to_string());
    }
    line.written_to("filtered.wav")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tones_at_the_multiples_of_a_frequency_are_its_harmonics() {
        assert_eq!(harmonics(0.11, 0.01, &[0.11, 0.335, 0.2, 0.219, -0.11]), [0.11, 0.219, 0.335]);
        assert_eq!(harmonics(-0.11, 0.01, &[-0.22, -0.11, 0.11]), [-0.22, -0.11], "below 0 in complex samples");
        assert!(harmonics(0.11, 0.001, &[0.2, 0.05]).is_empty());
    }
}

//! The measured spectrum of the selected part of a recording or a table: calibrated, windowed, averaged, with its peaks, tones and cursors.

mod bin;
mod controls;
mod curve;
mod export;
mod marks;
mod pinned;
mod tables;

use super::line_color;
use crate::engine::{PlotData, RecordingPart, SpectraAnswer, SpectraQuestion, SpectraRequest, SpectraStudy};
use crate::numerals::number;
use crate::signal::short_name;
use crate::spectra::{Averaged, Quantity, TonePeak, ToneRequest};
use crate::ui::action::{Action, PaneOutput};
use crate::ui::export::{Export, painted};
use crate::ui::line_plot::{PlotLook, PlotReply, ReducedPlot};
use crate::ui::origin::Origin;
use crate::ui::remedy::in_words;
use crate::ui::settings::{BoxesLook, LineLook, SignalLook, SpectrogramLook};
use crate::ui::shown::ShownJob;
use crate::ui::spectrogram;
use crate::ui::studied::Studied;
use crate::ui::studies::Studies;
use crate::ui::theme::GRID;
use crate::ui::toolbar::toolbar;
use crate::ui::widgets;
use bin::BinCard;
use controls::{Pressed, controls_ui, error_ui, reading_ui};
use curve::{Curve, Scaling};
use egui::{Label, Rect, Ui, UiBuilder, pos2};
use marks::{Places, band_about, band_text, bands_ui, filter_band, marks_ui};
use pinned::Pinned;
use std::cell::Cell;
use std::sync::Arc;

/// Room for the table of peaks, in points, and how many it lists.
const TABLE: f32 = 380.0;
const N_PEAKS: usize = 12;
const N_MARKS: usize = 4;
/// The height of a line of facts, and of the cards below the plot, in points.
const LINE: f32 = 16.0;
const CARD: f32 = 120.0;
/// The least height of the plot beside a card.
const LEAST_PLOT: f32 = 56.0;
/// Shorter signals are looked at value by value.
const SHORTEST: usize = 32;

/// The pane's view of a measured spectrum.
pub(super) struct MeasuredView {
    plot: ReducedPlot<Curve>,
    spectrum: Studied<SpectraStudy>,
    peaks: Studied<SpectraStudy>,
    tone: Studied<SpectraStudy>,
    bin: BinCard,
    curve: Option<Arc<Curve>>,
    /// The part whose curve is shown; `None` where the pane shows something else.
    part: Option<RecordingPart>,
    /// The tones of the list.
    listed: Arc<[TonePeak]>,
    /// The text where none is listed.
    said_of_tones: String,
    pinned: Vec<Pinned>,
}

/// The settings of the pane that the view takes.
pub(super) struct Looks<'a> {
    pub(super) signal: &'a mut SignalLook,
    pub(super) line: &'a mut LineLook,
    pub(super) spectrogram: &'a mut SpectrogramLook,
    pub(super) boxes: &'a mut BoxesLook,
    pub(super) row: usize,
    pub(super) origin: &'a Origin,
}

/// Whether the samples can be measured: of one row that follow each other in even steps, before a Fourier transform.
pub(super) fn is_offered(shown: &ShownJob<'_>) -> bool {
    let is_even = shown.axis.as_ref().is_none_or(|axis| axis.per_unit.is_some());
    let is_fourier = matches!(shown.transform.name, "dft" | "rdft") && shown.is_forward();
    is_fourier && is_even && shown.signal.is_some_and(|signal| !signal.kind.is_image() && signal.columns > 1)
}

/// Whether the spectrum is measured: as it is chosen, otherwise for recordings and what has a rate, where it is long enough and not made by a generator.
pub(super) fn is_measured(shown: &ShownJob<'_>, look: &SignalLook, origin: &Origin) -> bool {
    let is_long = shown.signal.is_some_and(|signal| signal.rows == 1 && signal.columns >= SHORTEST);
    let is_sampled = shown.sampling().is_some() || shown.signal.is_some_and(|signal| signal.is_recording());
    let suits = is_long && is_sampled && !matches!(origin, Origin::Generator(_));
    is_offered(shown) && look.measures.unwrap_or(suits)
}

/// The part of the channel that is selected, counted through all rows.
fn part_of(shown: &ShownJob<'_>, row: usize) -> Option<RecordingPart> {
    let signal = shown.signal?;
    let (first, n) = shown.preparation.region.map_or((0, signal.columns), |region| (region.x, region.width));
    let first = row.min(signal.rows - 1) * signal.columns + first;
    Some(RecordingPart { signal: signal.clone(), channel: shown.channel, samples: first..first + n, rate: shown.sampling().into() })
}

/// Whether two parts are of the same channel of one source, which may have been drawn on or selected otherwise meanwhile.
fn is_of_same(one: &RecordingPart, other: &RecordingPart) -> bool {
    let of = |part: &RecordingPart| (part.signal.name.clone(), part.signal.columns, part.channel);
    of(one) == of(other)
}

impl MeasuredView {
    /// Shows nothing yet.
    pub(super) fn new(studies: &Studies) -> Self {
        let study = || Studied::new(studies, || SpectraStudy);
        Self {
            plot: ReducedPlot::new(studies),
            spectrum: study(),
            peaks: study(),
            tone: study(),
            bin: BinCard::new(studies),
            curve: None,
            part: None,
            listed: Arc::new([]),
            said_of_tones: String::new(),
            pinned: Vec::new(),
        }
    }

    /// Shows the spectrum with its controls.
    pub(super) fn ui(&mut self, ui: &mut Ui, shown: &ShownJob<'_>, looks: &mut Looks<'_>, out: &mut PaneOutput) {
        self.leave();
        let Some(part) = part_of(shown, looks.row) else { return widgets::empty_state(ui, super::PANE.empty) };
        let pressed = toolbar(ui, super::PANE.title, |bar| {
            reading_ui(bar, looks.signal);
            if super::periodogram::is_offered(shown) {
                super::controls::periodogram_ui(bar, looks.line);
            }
            let mut is_over_time = spectrogram::is_shown(shown, looks.spectrogram, looks.origin);
            let pressed = controls_ui(bar, (looks.signal, looks.line, &mut is_over_time), part.samples.len());
            if is_over_time != spectrogram::is_shown(shown, looks.spectrogram, looks.origin) {
                looks.spectrogram.shown = Some(is_over_time);
            }
            pressed
        });
        let frames = looks.signal.frames(part.samples.len());
        let asked = SpectraRequest { part: part.clone(), question: SpectraQuestion::Spectrum(frames, looks.signal.average) };
        let area = ui.available_rect_before_wrap();
        let answer = self.spectrum.ask_ui(ui, Some(&asked));
        let (answer, of_others): (Vec<_>, Vec<_>) = answer.into_iter().partition(|answer| is_of_same(&answer.reply.request.part, &part));
        // The spectrum of other samples would be under the name and the units of these.
        self.curve.take_if(|_| !of_others.is_empty());
        let found = answer.first().map(|answer| (answer.is_newest, answer.reply.result.clone()));
        let unit = super::unit_of_values(shown);
        let scaling = Scaling::of(looks.signal, &part.signal, unit, shown.sampling());
        // A plot that appears in a later pass of a frame would not be laid out again.
        let may_appear = self.curve.is_some() || ui.ctx().current_pass_index() == 0;
        match found {
            Some((_, Ok(SpectraAnswer::Spectrum(spectrum)))) if may_appear => self.scale(&spectrum, &scaling),
            Some((_, Ok(_))) => ui.ctx().request_repaint(),
            Some((true, Err(error))) => {
                self.curve = None;
                return error_ui(ui, area, &in_words(&error), looks.signal);
            }
            _ => {}
        }
        let Some(curve) = self.curve.clone() else { return widgets::empty_state(ui, "The spectrum appears here once it is computed") };
        if looks.signal.quantity == Quantity::Phase && curve.spectrum.values.is_none() {
            return widgets::in_place_of(ui, area, "An average of several frames has no phase: choose the length “Whole part”");
        }
        self.part = Some(part.clone());
        self.shown_ui(ui, shown, looks, (&part, &curve), out);
        if let Some(pressed) = pressed {
            self.press(ui, looks, &part, &curve, pressed, out);
        }
    }

    /// Shows everything at the next frame.
    pub(super) fn reset(&mut self) {
        self.plot.reset();
    }

    /// Says that the pane shows something else.
    pub(super) fn leave(&mut self) {
        self.part = None;
    }

    /// The values that are shown, for a file.
    pub(super) fn values(&self) -> Option<Export> {
        Some(export::values(self.part.as_ref()?, self.curve.as_ref()?, "csv"))
    }

    /// The spectra that are kept behind the next ones, as a session keeps them.
    pub(super) fn kept(&self) -> serde_json::Value {
        serde_json::to_value(pinned::kept(&self.pinned)).unwrap_or_default()
    }

    /// Keeps the spectra of a session behind the next ones.
    pub(super) fn restore(&mut self, kept: &serde_json::Value) {
        self.pinned = serde_json::from_value(kept.clone()).unwrap_or_default();
    }

    /// Brings the newest spectrum, and those that are pinned, to one scale.
    fn scale(&mut self, spectrum: &Arc<Averaged>, scaling: &Scaling) {
        if !self.curve.as_ref().is_some_and(|curve| curve.is_of(spectrum, scaling)) {
            self.curve = Some(Arc::new(Curve::new(spectrum.clone(), scaling.clone())));
        }
        self.pinned.iter_mut().for_each(|pinned| pinned.scale(scaling));
    }

    fn shown_ui(
        &mut self,
        ui: &mut Ui,
        shown: &ShownJob<'_>,
        looks: &mut Looks<'_>,
        (part, curve): (&RecordingPart, &Arc<Curve>),
        out: &mut PaneOutput,
    ) {
        let area = ui.available_rect_before_wrap();
        let peaks = self.peaks(ui, looks, part);
        let has_table = looks.line.peaks && area.width() > 2.0 * TABLE;
        let has_card = looks.signal.marks.tone.is_some() || looks.signal.marks.bin.is_some();
        let facts = curve.facts().join(" · ");
        let n_lines = 1.0 + (widgets::text_width(ui, &facts) / area.width().max(1.0)).floor();
        let marks = looks.signal.marks;
        let n_marks = [marks.band.is_some(), marks.harmonics.is_some(), marks.cursors.is_some(), !self.pinned.is_empty()];
        let lines = LINE * (n_lines + n_marks.into_iter().filter(|is_there| *is_there).count() as f32);
        // The plot stays; the card scrolls in what is left.
        let card = Some(CARD.min(area.height() - lines - LEAST_PLOT)).filter(|height| has_card && *height > 2.0 * LINE).unwrap_or(0.0);
        let below = lines + card;
        let plot = area.with_max_x(area.right() - if has_table { TABLE } else { 0.0 }).with_max_y(area.bottom() - below);
        if plot.width() < 64.0 || plot.height() < 48.0 {
            return widgets::empty_state(ui, "Make this pane larger to see the plot");
        }
        let said = self.plot_ui(ui, plot, shown, looks, (curve, &peaks), out);
        let lines = Rect::from_min_max(pos2(area.left(), plot.bottom()), pos2(area.right(), area.bottom() - card));
        self.lines_ui(ui, lines, &facts, said);
        let (title, notes) = self.title_and_notes(shown, part, &facts);
        painted::describe(ui, title, notes);
        if has_table {
            let table = Rect::from_min_max(pos2(plot.right() + 2.0 * GRID, area.top()), pos2(area.right(), plot.bottom()));
            tables::peaks_ui(ui, table, (&peaks, &self.said_of_tones), curve);
        }
        if card > 0.0 {
            let card = Rect::from_min_max(pos2(area.left(), area.bottom() - card), area.max);
            self.card_ui(ui, card, looks, (part, curve), out);
        }
    }

    /// The strongest tones, where they are listed.
    fn peaks(&mut self, ui: &Ui, looks: &Looks<'_>, part: &RecordingPart) -> Arc<[TonePeak]> {
        let request = SpectraRequest { part: part.clone(), question: SpectraQuestion::Peaks(N_PEAKS) };
        let answer = if looks.line.peaks { self.peaks.ask(ui.ctx(), Some(&request)) } else { None };
        (self.listed, self.said_of_tones) = match answer.filter(|answer| answer.is_newest).map(|answer| answer.reply.result.clone()) {
            Some(Ok(SpectraAnswer::Peaks(peaks, found_in))) => {
                let said = tables::said_of_peaks(peaks.is_empty(), (&found_in, part));
                (peaks, said)
            }
            Some(Err(error)) => (Arc::from([]), in_words(&error)),
            _ => (Arc::from([]), "The tones are being looked for".to_owned()),
        };
        self.listed.clone()
    }

    fn plot_ui(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        shown: &ShownJob<'_>,
        looks: &mut Looks<'_>,
        (curve, peaks): (&Arc<Curve>, &[TonePeak]),
        out: &mut PaneOutput,
    ) -> Vec<String> {
        let (axis, label) = (curve.axis(), curve.scaling.label());
        let look = PlotLook {
            origin: axis.origin,
            per_unit: axis.per_unit,
            log_axis: looks.line.log_axis || looks.line.period_axis,
            by_period: looks.line.period_axis,
            color: line_color(ui, self.spectrum.is_busy() && shown.results.stale),
            stems: false,
            floor: curve.floor,
            periods: axis.periods,
            has_periods_above: looks.line.periods,
            ..PlotLook::over_index(ui, "Spectrum plot", &axis.label, &label)
        };
        let marked = peaks
            .iter()
            .filter_map(|peak| Some((curve.position(peak.frequency), curve.value_near(peak.frequency)?, number(peak.frequency, 5))));
        self.plot.set_marks(marked.take(N_MARKS).collect());
        let frame = self.plot.frame().copied();
        let behind = self.pinned.iter_mut().enumerate().filter_map(|(index, pinned)| pinned.behind(index, curve, frame?, ui)).collect();
        self.plot.plot().set_behind(behind);
        // Silence has no range of its own.
        self.plot.plot().hold_heights(curve.floor.map(|floor| [floor, 0.0]));
        let reply = self.plot.ui(ui, rect, &look, curve, curve.values.len(), |curve, frame| PlotData::of_reals(&curve.values, frame));
        let band_text = looks.signal.marks.band.and_then(|ends| band_text(curve, ends));
        let places = Places { curve, look: &look, reply: &reply, is_taken: Cell::new(false) };
        bands_ui(ui, &places, looks.boxes, shown);
        let said = marks_ui(ui, &places, &mut looks.signal.marks, band_text);
        self.hover(ui, (&reply, places.is_taken.get()), looks, curve, out);
        said
    }

    /// Reads out the value under the pointer, and shows its basis function where it is clicked.
    fn hover(&self, ui: &Ui, (reply, is_taken): (&PlotReply, bool), looks: &mut Looks<'_>, curve: &Curve, out: &mut PaneOutput) {
        let Some(position) = reply.hovered else { return };
        let (frequency, value) = (curve.frequency(position as f64), curve.values.get(position).copied().unwrap_or(f64::NAN));
        let period = curve.axis().period(position as f64, 6).map_or(String::new(), |period| format!("   period {period}"));
        out.read_out = format!("{}{period}   {}", curve.scaling.frequency_text(frequency, 7), curve.scaling.text(value, 6));
        if !is_taken && ui.input(|input| input.pointer.primary_clicked()) {
            let bin = &mut looks.signal.marks.bin;
            *bin = if *bin == Some(frequency) { None } else { Some(frequency) };
        }
    }

    /// The notes on the marks, the pinned spectra, and everything that the numbers depend on.
    fn lines_ui(&mut self, ui: &mut Ui, rect: Rect, facts: &str, marks: Vec<String>) {
        ui.scope_builder(UiBuilder::new().max_rect(rect), |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for text in marks {
                ui.add(Label::new(text).truncate());
            }
            pinned::list_ui(ui, &mut self.pinned);
            ui.add(Label::new(egui::RichText::new(facts).weak()).wrap());
        });
    }

    fn card_ui(&mut self, ui: &mut Ui, rect: Rect, looks: &Looks<'_>, (part, curve): (&RecordingPart, &Arc<Curve>), out: &mut PaneOutput) {
        let marks = looks.signal.marks;
        let (tone, bin) = match (marks.tone, marks.bin) {
            (Some(_), Some(_)) => rect.split_left_right_at_fraction(0.55),
            (Some(_), None) => (rect, Rect::NOTHING),
            _ => (Rect::NOTHING, rect),
        };
        if let Some(at) = marks.tone {
            let asked = ToneRequest { at: Some(at), ..ToneRequest::default() };
            let request = SpectraRequest { part: part.clone(), question: SpectraQuestion::Tone(asked) };
            let answer = self.tone.ask(ui.ctx(), Some(&request)).filter(|answer| answer.is_newest);
            ui.scope_builder(UiBuilder::new().max_rect(tone), |ui| match answer.map(|answer| answer.reply.result.clone()) {
                Some(Ok(SpectraAnswer::Tone(tone))) => tables::tone_ui(ui, &tone, curve),
                Some(Err(error)) => widgets::error(ui, &in_words(&error)),
                _ => drop(widgets::weak(ui, "The tone is being measured")),
            });
        }
        if let Some(frequency) = marks.bin {
            let path = ui.scope_builder(UiBuilder::new().max_rect(bin), |ui| self.bin.ui(ui, part, curve, frequency)).inner;
            let first = part.samples.start % part.signal.columns;
            out.actions.extend(path.map(|index| Action::ShowPath { first, index }));
        }
    }

    fn press(&mut self, ui: &Ui, looks: &mut Looks<'_>, part: &RecordingPart, curve: &Arc<Curve>, pressed: Pressed, out: &mut PaneOutput) {
        let visible = self.plot.plot().visible_of(curve.values.len());
        let ends = [0.3, 0.7].map(|share| curve.frequency(visible.start + share * (visible.end - visible.start)));
        let strongest = || {
            let found = curve.strongest(visible.clone()).unwrap_or(ends[0]);
            // The list of tones has its exact place.
            let mut listed = self.listed.iter().map(|peak| peak.frequency);
            listed.find(|listed| (listed - found).abs() < 2.0 * curve.step).unwrap_or(found)
        };
        let marks = &mut looks.signal.marks;
        match pressed {
            Pressed::Cursors => marks.cursors = if marks.cursors.is_none() { Some(ends) } else { None },
            Pressed::Harmonics => marks.harmonics = if marks.harmonics.is_none() { Some(strongest()) } else { None },
            Pressed::Band => marks.band = if marks.band.is_none() { Some(band_about(curve, strongest())) } else { None },
            Pressed::Filter(effect) => filter_band(marks, looks.boxes, (part, effect)),
            Pressed::Tone => marks.tone = if marks.tone.is_none() { Some(marks.harmonics.unwrap_or_else(strongest)) } else { None },
            Pressed::Pin => {
                self.pinned.push(Pinned::new(self.pinned.len() + 1, part, curve));
                self.scale(&curve.spectrum.clone(), &curve.scaling.clone());
                ui.ctx().request_repaint();
            }
            Pressed::Export(ending) => out.actions.push(Action::Export(Box::new(export::values(part, curve, ending)))),
            Pressed::CopyCommand => ui.ctx().copy_text(export::command(looks.signal, looks.origin, part)),
            Pressed::CopyScript => ui.ctx().copy_text(export::script(looks.signal, looks.origin, (part, curve))),
        }
    }

    /// The title of an exported view, and everything that its numbers depend on.
    fn title_and_notes(&self, shown: &ShownJob<'_>, part: &RecordingPart, facts: &str) -> (String, Vec<String>) {
        let name = short_name(&part.signal.name);
        let whole = part.samples.len() == part.signal.columns;
        let channel = part.signal.channel_name(shown.channel);
        let samples = if whole { "all samples".to_owned() } else { format!("samples {} to {}", part.samples.start, part.samples.end - 1) };
        let pinned = (!self.pinned.is_empty()).then(|| {
            let names: Vec<&str> = self.pinned.iter().map(|pinned| pinned.name.as_str()).collect();
            format!("behind it: {}", names.join("; "))
        });
        (
            format!("Spectrum of {name}"),
            [Some(format!("{name}: {channel}, {samples}")), Some(facts.to_owned()), pinned].into_iter().flatten().collect(),
        )
    }
}

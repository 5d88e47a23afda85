//! The pane *Spectrogram*: the spectra of the frames of a recording over time, from hours to single samples, locked to its wave.

mod boxes;
mod controls;
mod export;
mod overlay;
mod panel;
mod picture;
mod places;
mod result;
mod select;
pub(super) mod stream;
mod strokes;
mod view;
mod words;

use super::action::PaneOutput;
use super::canvas::ZoomTo;
use super::colour_bar::{colour_bar, limits_ui};
use super::export::painted;
use super::gestures::Navigation;
use super::origin::Origin;
use super::pane::{Pane, PaneData, PaneInfo};
use super::scene::Scene;
use super::settings::{BoxesLook, Settings, SignalLook, SpectrogramLook};
use super::shown::ShownJob;
use super::theme::{GRID, Tokens};
use super::visible_time::{VisibleTime, set_ends};
use super::widgets;
use crate::display::Look;
use crate::engine::{RecordingPart, SpectrogramRequest};
use crate::numerals::integer;
use crate::prepare::Region;
use crate::signal::{AxisUnit, Signal, short_name};
use crate::spectra::{Frames, FrequencyAxis, Method, Quantity, Rate, RecordingExtent, Reference, TimeAxis};
use boxes::boxes_ui;
use controls::{Known, Pressed, controls_ui};
use egui::{Align2, FontId, Rect, Response, RichText, Role, Sense, Ui, UiBuilder, WidgetInfo, pos2, vec2};
use panel::{Panel, Set};
use picture::{Colours, Picture};
use places::{Places, Rooms, canvas_of, pixel};
use result::{ResultView, is_filtering};
use select::{frame_at, select_frame};
use std::sync::Arc;
use view::View;
use words::{cell, description, facts, read_out, resolution};

/// Room for the numbers of the frequencies and for their name, for those of time, for the colour bar with its numbers, and for its name, in points.
const LEFT: f32 = 60.0;
const BELOW: f32 = 32.0;
const RIGHT: f32 = 72.0;
const ABOVE: f32 = 18.0;
/// The height of the line of facts.
const LINE: f32 = 16.0;
/// Shorter recordings are looked at value by value, unless somebody asks.
const SHORTEST: usize = 1024;

/// The entry in the list of panes.
pub(super) static PANE: PaneInfo = PaneInfo {
    help: &[
        "The spectra of the frames of a recording over time, locked to its wave; every frame counts in its pixel.",
        "Wheel zooms time at the cursor, and frequency over its axis; drag selects a part, right-drag boxes, middle-drag pans, a drag on an axis scrolls it, double-click shows everything.",
        "A click selects the frame there: the wave, the spectrum and the flow graph show its samples, and the spectrum its value.",
        "Drag an end of the colour bar to set its level. Colours, range and quantity change at once, as the power is kept.",
        "A drag with Shift, or with Box switched on, draws a box of time and frequency; its edges and corners are dragged one by one, and Delete removes it. With Stroke switched on, a drag draws freehand. Boxes are measured, saved, filter the recording and are heard.",
        "The rectangle in the corner is a frame long and a noise bandwidth high: what is nearer than that is one. In a scalogram it shows the resolution at the lowest visible frequency.",
    ],
    empty: "The spectrogram appears here once there is a recording",
    has_content: |scene| is_shown(&scene.shown(), &scene.settings.spectrogram, &scene.settings.origin),
    data: PaneData::Samples,
    ..PaneInfo::new("Spectrogram", "Spectrogram", |services| {
        let picture = Picture::new(&services.studies, "spectrogram", false);
        let (result, panel) = (ResultView::new(&services.studies), Panel::new(&services.studies));
        let (view, ordered, restored, time, before) = Default::default();
        Box::new(SpectrogramPane { picture, result, panel, view, ordered, restored, time, before })
    })
};

/// The pane *Spectrogram*.
pub(super) struct SpectrogramPane {
    picture: Picture,
    result: ResultView,
    panel: Panel,
    /// The visible part, and the number of samples that it is of.
    view: Option<(usize, View)>,
    ordered: Option<ZoomTo>,
    /// The view that a session kept, until the next recording.
    restored: Option<(usize, View)>,
    time: VisibleTime,
    /// The selection before the first click of a double click.
    before: Option<(Option<Region>, SignalLook)>,
}

struct Fields<'a> {
    shown: ShownJob<'a>,
    look: &'a mut SpectrogramLook,
    spectrum: &'a mut SignalLook,
    boxes: &'a mut BoxesLook,
    region: &'a mut Option<Region>,
    row: usize,
    origin: &'a Origin,
    out: &'a mut PaneOutput,
}

/// Whether the samples have a spectrogram: rows that follow each other in even steps; as it is chosen, otherwise of recordings that are long enough.
pub(super) fn is_shown(shown: &ShownJob<'_>, look: &SpectrogramLook, origin: &Origin) -> bool {
    let Some(signal) = shown.signal else { return false };
    let is_even = shown.axis.as_ref().is_none_or(|axis| axis.per_unit.is_some());
    let suits = signal.is_recording() && signal.columns >= SHORTEST && !matches!(origin, Origin::Generator(_));
    is_even && !signal.kind.is_image() && look.shown.unwrap_or(suits)
}

impl Pane for SpectrogramPane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let (shown, out) = (scene.shown(), &mut *scene.out);
        let Settings { spectrogram: look, signal_look: spectrum, boxes, preparation, row, origin, .. } = &mut *scene.settings;
        let fields = &mut Fields { shown, look, spectrum, boxes, region: &mut preparation.region, row: *row, origin, out };
        match fields.shown.signal {
            Some(signal) if !signal.kind.is_image() => self.recording_ui(ui, fields, signal),
            _ => widgets::empty_state(ui, PANE.empty),
        }
    }

    fn zoom(&mut self, zoom: ZoomTo) {
        self.ordered = Some(zoom);
    }

    fn kept(&self) -> serde_json::Value {
        let kept = self.view.filter(|(n, view)| *view != View::whole(*n));
        serde_json::to_value(kept).unwrap_or_default()
    }

    fn restore(&mut self, kept: &serde_json::Value) {
        self.restored = serde_json::from_value(kept.clone()).unwrap_or_default();
        self.view = None;
    }
}

impl SpectrogramPane {
    fn recording_ui(&mut self, ui: &mut Ui, fields: &mut Fields<'_>, signal: &Arc<Signal>) {
        let n = signal.columns;
        let part = part_of(&fields.shown, signal, fields.row);
        let is_complex = signal.is_complex_in(fields.shown.channel);
        fields.look.suit(is_complex);
        let view = self.seen(ui, signal);
        let expected = canvas_of(Rooms::of(ui, fields.boxes).source);
        let frames = fields.look.frames(n, pixel(expected, &view, ui.pixels_per_point()));
        let reference = fields.spectrum.reference(signal, fields.shown.unit());
        let offset = self.offset(fields.look.quantity, &reference);
        let range = self.picture.shown().map(|_| self.picture.range(fields.look.range, offset));
        let known = Known { frames, is_complex, is_in_hertz: part.rate.unit == Some(AxisUnit::Second), range };
        let pressed = controls_ui(ui, (fields.look, fields.boxes), &known);
        let rooms = Rooms::of(ui, fields.boxes);
        let area = rooms.source;
        let canvas = canvas_of(area);
        if canvas.width() < 64.0 || canvas.height() < 40.0 {
            return widgets::empty_state(ui, "Make this pane larger to see the spectrogram");
        }
        if n < 2 {
            return widgets::in_place_of(ui, area, "A spectrogram needs at least 2 samples");
        }
        let frames = fields.look.frames(n, pixel(canvas, &view, ui.pixels_per_point()));
        let scale = fields.look.scale;
        let Some(ends) = scale.ends(&frames, is_complex, part.rate.per_unit) else { return };
        let axis = fields.shown.axis.clone();
        let all = FrequencyAxis { scale, ends, rows: 1 };
        let places = Places { canvas, view, all, axis: axis.as_ref(), samples: n };
        let request = request(ui, fields.look, &part, (&frames, &places));
        if let Err(text) = self.picture.ask(ui, &request) {
            return widgets::in_place_of(ui, area, &text);
        }
        self.picture.progress_ui(ui);
        let response = self.picture_ui(ui, fields, (area, &places), &reference);
        let of = RecordingExtent { samples: n, is_complex, rate: part.rate };
        let is_free = !boxes_ui(ui, &places, &response, fields.boxes, of);
        self.pointer_ui(ui, fields, (&response, &places, is_free), (&frames, &reference));
        self.describe(ui, fields, &response, &places, &frames, &reference);
        self.move_ui(ui, &response, (PANE.title, area, &places), signal);
        set_ends(ui, signal, [canvas.left(), canvas.right()]);
        self.beside_ui(ui, fields, (&rooms, &places), (&request, of, &reference));
        if let Some(pressed) = pressed {
            self.press(ui, fields, pressed, (&places, &reference));
        }
    }

    /// The visible part, after the requests of a session, a command or the wave.
    fn seen(&mut self, ui: &Ui, signal: &Arc<Signal>) -> View {
        let n = signal.columns;
        let restored = self.restored.take_if(|(of, _)| *of == n).map(|(_, view)| view);
        let mut view = self.view.filter(|(of, _)| *of == n).map(|(_, view)| view).or(restored).unwrap_or(View::whole(n));
        if let Some(time) = self.time.asked(ui, signal) {
            view = view.with_time(time, n);
        }
        match self.ordered.take() {
            Some(ZoomTo::Fit) => view = View::whole(n),
            Some(ZoomTo::By(factor)) => view = view.zoomed(factor, n),
            Some(ZoomTo::Pixels) => {
                let pixels = f64::from(ui.available_width() * ui.pixels_per_point());
                view = view.zoomed((view.time[1] - view.time[0]) / pixels, n);
            }
            None => {}
        }
        self.view = Some((n, view));
        view
    }

    /// Moves as the pointer asks, and lets the wave follow.
    fn move_ui(&mut self, ui: &Ui, response: &Response, (name, area, places): (&str, Rect, &Places<'_>), signal: &Arc<Signal>) {
        let axes = Navigation::over_axes(ui, name, area.with_max_y(places.canvas.bottom() + BELOW), places.canvas);
        let own = Navigation::of(response, false);
        own.paint(ui);
        let now = self.view.map_or(places.view, |(_, view)| view);
        let view = now.moved(places.canvas, &own, &axes, signal.columns);
        if view != places.view {
            ui.request_repaint();
        }
        self.view = Some((signal.columns, view));
        self.time.show(ui, signal, view.time);
    }

    /// The difference between the level of a quantity and that of a power.
    fn offset(&self, quantity: Quantity, reference: &Reference) -> f32 {
        let Some(shown) = self.picture.shown() else { return 0.0 };
        let calibration = shown.pixels.power.calibration;
        let ratio = calibration.factor(quantity, 1) / calibration.factor(Quantity::Power, 1);
        reference.level_of_square(ratio, quantity, &calibration) as f32
    }

    /// The picture with its axes and its colour bar.
    fn picture_ui(&mut self, ui: &mut Ui, fields: &mut Fields<'_>, (area, places): (Rect, &Places<'_>), reference: &Reference) -> Response {
        let Places { canvas, view, all, .. } = *places;
        let offset = self.offset(fields.look.quantity, reference);
        let range = self.picture.range(fields.look.range, offset);
        let colours = Colours { offset, range, map: fields.look.colormap };
        let response = ui.interact(canvas, ui.scope_id().with("spectrogram"), Sense::click_and_drag());
        let painter = ui.painter().with_clip_rect(canvas);
        painter.rect_filled(canvas, 0.0, Tokens::current(ui).well);
        self.picture.paint(ui, &painter, (canvas, &view), &all, colours);
        let rate = Rate::from(fields.shown.sampling());
        overlay::axes_ui(ui, places, &format!("frequency ({})", rate.frequency()));
        let Some(shown) = self.picture.shown() else {
            ui.painter().text(
                canvas.center(),
                Align2::CENTER_CENTER,
                "The picture appears here once it is computed",
                FontId::proportional(13.0),
                Tokens::current(ui).weak,
            );
            return response;
        };
        if fields.look.ridge {
            overlay::ridge_ui(ui, places, shown, &colours);
        }
        overlay::coarse_ui(ui, canvas, &shown.request, self.picture.next());
        let bar = Rect::from_min_max(pos2(canvas.right() + 2.0 * GRID, canvas.top()), pos2(canvas.right() + 5.0 * GRID, canvas.bottom()));
        let label = reference.label(fields.look.quantity, rate.frequency());
        let above = pos2(area.right(), canvas.top() - 5.0);
        ui.painter().text(above, Align2::RIGHT_BOTTOM, label, FontId::proportional(11.0), Tokens::current(ui).weak);
        colour_bar(ui, bar, Look::of_samples().with(fields.look.colormap).bar(), range, 40.0, false);
        limits_ui(ui, bar, range, &mut fields.look.range);
        response
    }

    /// Reads out the place under the pointer; a click selects its frame, and a drag a part.
    fn pointer_ui(
        &mut self,
        ui: &mut Ui,
        fields: &mut Fields<'_>,
        (response, places, is_free): (&Response, &Places<'_>, bool),
        (frames, reference): (&Frames, &Reference),
    ) {
        let Some(signal) = fields.shown.signal else { return };
        let rate = Rate::from(fields.shown.sampling());
        overlay::resolution_ui(ui, places, |lowest| {
            let [duration, bandwidth] = cell(fields.look.method, frames, rate, lowest);
            ([duration * rate.per_unit, bandwidth], resolution(rate, [duration, bandwidth]))
        });
        overlay::selection_ui(ui, places, response, is_free, fields.region, signal);
        let at = ui.input(|input| input.pointer.hover_pos()).filter(|_| response.contains_pointer());
        let Some(at) = at.filter(|at| places.canvas.contains(*at)) else { return };
        overlay::cross_ui(ui, places.canvas, at);
        let [sample, frequency] = places.place(at);
        let level = self
            .picture
            .shown()
            .and_then(|shown| shown.level(sample, frequency))
            .map(|level| level + self.offset(fields.look.quantity, reference));
        let frame = frame_at(frames, signal.columns, sample);
        fields.out.read_out = read_out(places, sample, frequency, level, rate, &reference.label(fields.look.quantity, rate.frequency()));
        if fields.look.method != Method::Scalogram {
            fields.out.read_out.push_str(&format!("   frame {} of {}", integer(frame + 1), integer(frames.count(signal.columns))));
        }
        if response.double_clicked() {
            if let Some((region, spectrum)) = self.before.take() {
                (*fields.region, *fields.spectrum) = (region, spectrum);
            }
        } else if response.clicked() && is_free {
            self.before = Some((*fields.region, *fields.spectrum));
            select_frame(fields, frames, frame, signal, frequency);
        }
    }

    /// The line below the picture, and what a screen reader and an exported picture say of it.
    fn describe(&self, ui: &mut Ui, fields: &Fields<'_>, response: &Response, places: &Places<'_>, frames: &Frames, reference: &Reference) {
        let Some(shown) = self.picture.shown() else { return };
        let rate = Rate::from(fields.shown.sampling());
        let facts = facts(fields.look, frames, (rate, reference), &shown.request);
        let line = Rect::from_min_size(
            pos2(places.canvas.left() - LEFT, places.canvas.bottom() + BELOW),
            vec2(places.canvas.width() + LEFT + RIGHT, LINE),
        );
        ui.scope_builder(UiBuilder::new().max_rect(line), |ui| widgets::parts(ui, &facts, line.width(), |text| RichText::new(text).weak()));
        let (offset, label) = (self.offset(fields.look.quantity, reference), reference.label(fields.look.quantity, rate.frequency()));
        let name = description(shown, places, rate, offset, &label);
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
        let file = short_name(&shown.request.part.signal.name);
        let channel = shown.request.part.signal.channel_name(fields.shown.channel);
        painted::describe(
            ui,
            format!("{} of {file}", shown.request.method.picture()),
            vec![format!("{file}: {channel}"), facts.join("; ")],
        );
    }

    /// The result of the boxes below the source, and their panel beside both.
    fn beside_ui(
        &mut self,
        ui: &mut Ui,
        fields: &mut Fields<'_>,
        (rooms, places): (&Rooms, &Places<'_>),
        (request, of, reference): (&SpectrogramRequest, RecordingExtent, &Reference),
    ) {
        if let Some(area) = rooms.result.filter(|_| is_filtering(fields.boxes)) {
            let offset = self.offset(fields.look.quantity, reference);
            let range = self.picture.range(fields.look.range, offset);
            let colours = Colours { offset, range, map: fields.look.colormap };
            let (response, below) = self.result.ui(ui, (area, places), (request, fields.boxes), fields.look, colours);
            self.move_ui(ui, &response, ("Filtered spectrogram", area, &below), &request.part.signal);
        }
        if let Some(sample) = self.panel.heard() {
            overlay::heard_ui(ui, places, rooms, sample);
        }
        if let Some(area) = rooms.panel {
            let known = panel::Known { part: &request.part, places, of, reference, result: &self.result, origin: fields.origin };
            let set = &mut Set { boxes: fields.boxes, spectrum: fields.spectrum, region: fields.region, out: fields.out };
            self.panel.ui(ui, area, &known, set);
        }
    }

    fn press(&self, ui: &Ui, fields: &mut Fields<'_>, pressed: Pressed, (places, reference): (&Places<'_>, &Reference)) {
        let Some(shown) = self.picture.shown() else { return };
        let rate = Rate::from(fields.shown.sampling());
        match pressed {
            Pressed::Export(ending) => {
                let facts = facts(fields.look, &shown.request.frames, (rate, reference), &shown.request);
                let start = places.time(0.0);
                fields.out.actions.push(export::values(shown, fields.look.quantity, &facts, start, ending));
            }
            Pressed::CopyCommand => {
                let range = self.picture.range(fields.look.range, self.offset(fields.look.quantity, reference));
                let size = [places.canvas.width() + LEFT + RIGHT, places.canvas.height() + ABOVE + BELOW].map(|side| side.max(300.0));
                ui.ctx().copy_text(export::command(shown, (fields.look, fields.spectrum), (fields.origin, range, size)));
            }
        }
    }
}

/// All samples of a row of the channel.
fn part_of(shown: &ShownJob<'_>, signal: &Arc<Signal>, row: usize) -> RecordingPart {
    let first = row.min(signal.rows.saturating_sub(1)) * signal.columns;
    let channel = if signal.check_channel(shown.channel).is_ok() { shown.channel } else { Default::default() };
    RecordingPart { signal: signal.clone(), channel, samples: first..first + signal.columns, rate: shown.sampling().into() }
}

/// The picture of what is seen: a column for every pixel, or for every frame where these are wider.
fn request(ui: &Ui, look: &SpectrogramLook, part: &RecordingPart, (frames, places): (&Frames, &Places<'_>)) -> SpectrogramRequest {
    let Places { canvas, view, all, .. } = places;
    let side = |side: f32| (side * ui.pixels_per_point()).round().max(1.0) as usize;
    let pixels = TimeAxis { ends: view.time, columns: side(canvas.width()) };
    let is_wide = pixels.width() < frames.hop as f64 && !look.method.is_spread();
    let times = if is_wide { TimeAxis::of_frames(frames, frames.count(part.samples.len()), view.time) } else { pixels };
    let ends = view.band.map(|share| all.frequency(share));
    SpectrogramRequest {
        part: part.clone(),
        frames: *frames,
        stride: 1,
        method: look.method,
        pool: look.pool,
        times,
        frequencies: FrequencyAxis { ends, rows: side(canvas.height()), ..*all },
    }
}

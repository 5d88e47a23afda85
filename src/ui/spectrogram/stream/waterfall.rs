//! The wave and the waterfall of a stream, one above the other on the same time axis.

use super::super::overlay;
use super::super::picture::{Colours, Pixels, level, place, range};
use super::super::places::Places;
use super::super::view::View;
use super::PANE;
use super::looking::Looking;
use crate::display::{Colormap, Look};
use crate::engine::{Counted, LivePicture, LivePictureRequest, LivePictureStudy, LiveStream};
use crate::numerals::number;
use crate::signal::Axis;
use crate::spectra::{FrequencyAxis, FrequencyScale, Quantity, Reference, TimeAxis};
use crate::ui::colour_bar::{colour_bar, limits_ui};
use crate::ui::first_frame::frame_time;
use crate::ui::gestures::{self, Navigation};
use crate::ui::studied::Studied;
use crate::ui::studies::Studies;
use crate::ui::theme::{GRID, Tokens};
use egui::emath::GuiRounding as _;
use egui::{Color32, FontId, Rect, Response, Role, Sense, Shape, Ui, WidgetInfo, pos2};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The share of the height that the wave takes, and the room between both, in points.
const WAVE: f32 = 0.22;
const GAP: f32 = 2.0 * GRID;
/// Room for the numbers of the axes and the colour bar, in points.
const LEFT: f32 = super::super::LEFT;
const RIGHT: f32 = super::super::RIGHT;
const BELOW: f32 = super::super::BELOW;

/// The picture that is shown.
pub(super) struct Waterfall {
    study: Studied<LivePictureStudy>,
    shown: Option<(LivePictureRequest, Arc<LivePicture>)>,
    texture: Pixels<LivePicture>,
    /// The largest level that was seen.
    top: f32,
    /// How long frames wait for their pixels.
    pub(super) lag: Lag,
}

/// The time from the last sample of a frame to its pixels: the longest one of each half a second, so that it can be read.
#[derive(Default)]
pub(super) struct Lag {
    since: Option<Instant>,
    longest: Duration,
    /// The longest time of the last half second, as it is shown.
    pub(super) said: Option<Duration>,
}

/// The stream that is shown, and how.
pub(super) struct Scenery<'a> {
    /// The stream, while what is shown goes on with it.
    pub(super) stream: Option<&'a LiveStream>,
    pub(super) counted: &'a Counted,
    pub(super) looking: &'a mut Looking,
    pub(super) range: &'a mut Option<[f32; 2]>,
    pub(super) colormap: Colormap,
    pub(super) read_out: &'a mut String,
    /// The axis of the samples, with the clock of the first one.
    pub(super) axis: &'a Axis,
}

impl Lag {
    fn add(&mut self, lag: Duration) {
        self.longest = self.longest.max(lag);
        if self.since.is_none_or(|since| since.elapsed() > Duration::from_millis(500)) {
            self.said = Some(std::mem::take(&mut self.longest));
            self.since = Some(Instant::now());
        }
    }
}

impl Waterfall {
    /// Shows nothing yet.
    pub(super) fn new(studies: &Studies) -> Self {
        let texture = Pixels::new("waterfall");
        Self { study: Studied::new(studies, || LivePictureStudy), shown: None, texture, top: f32::NEG_INFINITY, lag: Lag::default() }
    }

    /// Forgets what was seen.
    pub(super) fn forget(&mut self) {
        (self.shown, self.top, self.lag) = (None, f32::NEG_INFINITY, Lag::default());
    }

    /// Shows both in an area.
    pub(super) fn ui(&mut self, ui: &mut Ui, area: Rect, scenery: &mut Scenery<'_>) {
        let inner = Rect::from_min_max(area.min + egui::vec2(LEFT, GRID), area.max - egui::vec2(RIGHT, BELOW));
        let wave = Rect::from_min_max(inner.min, pos2(inner.right(), inner.top() + WAVE * inner.height()));
        let canvas = Rect::from_min_max(pos2(inner.left(), wave.bottom() + GAP), inner.max);
        if canvas.width() < 64.0 || canvas.height() < 40.0 {
            return;
        }
        let counted = scenery.counted;
        let view = scenery.looking.view(counted);
        let frames = counted.settings.frames();
        let scale = FrequencyScale::Linear;
        let Some(ends) = scale.ends(&frames, counted.is_complex, counted.rate) else { return };
        let (all, samples) = (FrequencyAxis { scale, ends, rows: 1 }, counted.kept.samples().end as usize);
        let places = Places { canvas, view, all, axis: Some(scenery.axis), samples };
        self.ask(ui, scenery, &places);
        let response = ui.interact(canvas, ui.scope_id().with("waterfall"), Sense::click_and_drag());
        self.picture_ui(ui, &places, scenery);
        self.wave_ui(ui, wave, &places);
        marked_ui(ui, &response, &places, scenery.looking);
        self.pointer_ui(ui, &response, &places, scenery);
        self.describe(&response, &places, scenery);
        move_ui(ui, (&response, area), &places, scenery);
    }

    /// Asks for the pixels of what is seen; while some are being made, the ones before stay.
    fn ask(&mut self, ui: &Ui, scenery: &Scenery<'_>, places: &Places<'_>) {
        let Places { canvas, view, all, .. } = places;
        let side = |side: f32| (side * ui.pixels_per_point()).round().max(1.0) as usize;
        let columns = side(canvas.width());
        let frequencies = FrequencyAxis { ends: view.band.map(|share| all.frequency(share)), rows: side(canvas.height()), ..*all };
        let request = LivePictureRequest::of(scenery.counted, TimeAxis { ends: view.time, columns }, frequencies);
        if let Some(stream) = scenery.stream {
            let (ask, times) = (self.study.asker(ui.ctx()), scenery.looking.times());
            stream.hurry(Some(Box::new(move |counted| {
                ask(&LivePictureRequest::of(counted, TimeAxis { ends: times(counted), columns }, frequencies));
            })));
        }
        let asked = (!self.study.is_busy()).then_some(&request);
        let Some(reply) = self.study.ask(ui.ctx(), asked).map(|answer| answer.reply) else { return };
        if let Ok(picture) = &reply.result
            && self.shown.as_ref().is_none_or(|(_, shown)| !Arc::ptr_eq(shown, picture))
        {
            let levels = picture.waterfall.levels.iter().copied().filter(|level| level.is_finite());
            self.top = levels.fold(self.top, f32::max);
            let frame = ui.data(|data| data.get_temp(frame_time())).unwrap_or_default();
            reply.request.came.into_iter().for_each(|came| self.lag.add(came.elapsed() + frame));
            self.shown = Some((reply.request.clone(), picture.clone()));
        }
    }

    /// The waterfall with its axes and its colour bar.
    fn picture_ui(&mut self, ui: &Ui, places: &Places<'_>, scenery: &mut Scenery<'_>) {
        let Places { canvas, view, all, .. } = *places;
        let calibration = scenery.counted.calibration();
        let reference = Reference::default();
        let offset = reference.level_of_square(1.0, Quantity::Power, &calibration) as f32;
        let range = range(*scenery.range, self.top + offset);
        let colours = Colours { offset, range, map: scenery.colormap };
        let painter = ui.painter().with_clip_rect(canvas);
        painter.rect_filled(canvas, 0.0, Tokens::current(ui).well);
        if let Some((request, picture)) = &self.shown {
            let grid = (&request.times, &request.frequencies);
            let place = place(canvas, &view, grid, &all);
            self.texture.paint(ui, &painter, (picture, &picture.waterfall, grid), colours, (place, Color32::WHITE));
        }
        overlay::axes_ui(ui, places, "frequency (Hz)");
        let bar = Rect::from_min_max(pos2(canvas.right() + 2.0 * GRID, canvas.top()), pos2(canvas.right() + 5.0 * GRID, canvas.bottom()));
        colour_bar(ui, bar, Look::of_samples().with(scenery.colormap).bar(), range, 40.0, false);
        limits_ui(ui, bar, range, scenery.range);
    }

    /// The wave over the waterfall.
    fn wave_ui(&self, ui: &Ui, rect: Rect, places: &Places<'_>) {
        let tokens = Tokens::current(ui);
        let painter = ui.painter().with_clip_rect(rect);
        painter.rect_filled(rect, 0.0, tokens.well);
        let Some((request, picture)) = &self.shown else { return };
        let most = picture.wave.iter().flatten().flatten().fold(1e-9_f32, |most, value| most.max(value.abs()));
        let y = |value: f32| rect.center().y - 0.5 * rect.height() * value / most;
        painter.hline(rect.x_range(), rect.center().y, (1.0, tokens.hairline));
        let at = |column: usize| places.view.x(places.canvas, request.times.ends[0] + column as f64 * request.times.width());
        // Each strip begins at the pixel at which the one before ends.
        let edge = |column: usize| at(column).round_to_pixels(ui.pixels_per_point());
        let column = |(column, ends): (usize, &Option<[f32; 2]>)| {
            let [low, high] = (*ends)?;
            let strip = Rect::from_min_max(pos2(edge(column), y(high) - 0.5), pos2(edge(column + 1).max(edge(column) + 0.5), y(low) + 0.5));
            Some(Shape::rect_filled(strip, 0.0, tokens.line))
        };
        painter.extend(picture.wave.iter().enumerate().filter_map(column));
        let font = FontId::proportional(11.0);
        for (value, anchor) in [(most, egui::Align2::RIGHT_TOP), (-most, egui::Align2::RIGHT_BOTTOM)] {
            ui.painter().text(pos2(rect.left() - GRID, y(value)), anchor, number(value.into(), 3), font.clone(), tokens.weak);
        }
    }

    /// Reads out what is under the pointer.
    fn pointer_ui(&self, ui: &Ui, response: &Response, places: &Places<'_>, scenery: &mut Scenery<'_>) {
        let at = ui.input(|input| input.pointer.hover_pos()).filter(|at| response.contains_pointer() && places.canvas.contains(*at));
        let Some(at) = at else { return };
        overlay::cross_ui(ui, places.canvas, at);
        let [sample, frequency] = places.place(at);
        let axis = scenery.axis;
        let mut text = format!("{}, {} Hz", axis.place(places.time(sample), 1e-3), number(frequency, 6));
        if let Some(level) = self.level(sample, frequency, scenery.counted) {
            text += &format!(", {} dBFS", number(level.into(), 4));
        }
        *scenery.read_out = text;
    }

    /// The level of a pixel in dBFS.
    fn level(&self, sample: f64, frequency: f64, counted: &Counted) -> Option<f32> {
        let (LivePictureRequest { times, frequencies, .. }, picture) = self.shown.as_ref()?;
        let offset = Reference::default().level_of_square(1.0, Quantity::Power, &counted.calibration()) as f32;
        level(&picture.waterfall, (times, frequencies), (sample, frequency)).map(|level| level + offset).filter(|level| !level.is_nan())
    }

    /// The picture in words for screen readers.
    fn describe(&self, response: &Response, places: &Places<'_>, scenery: &Scenery<'_>) {
        let [from, to] = places.view.time.map(|sample| scenery.axis.place(places.time(sample), 1.0));
        let [low, high] = places.view.band.map(|share| number(places.all.frequency(share), 6));
        let follows = scenery.looking.held().unwrap_or("with the stream");
        let name = format!("Waterfall from {from} to {to}, {low} to {high} Hz, {follows}");
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
    }
}

/// Lets a drag mark samples, and a click release them.
fn marked_ui(ui: &Ui, response: &Response, places: &Places<'_>, looking: &mut Looking) {
    let Places { canvas, view, .. } = *places;
    let sample = |x: f32| view.sample(canvas, x).round().max(0.0) as u64;
    let id = response.id.with("marked from");
    if let Some(at) = gestures::began(response) {
        ui.data_mut(|data| data.insert_temp(id, sample(at.x)));
    }
    if let (Some(at), Some(from)) = (gestures::dragged_to(response), ui.data(|data| data.get_temp::<u64>(id))) {
        let to = sample(at.x);
        looking.marked = Some(from.min(to)..from.max(to)).filter(|part| part.start < part.end);
    } else if response.clicked() {
        looking.marked = None;
    }
    if let Some(marked) = &looking.marked {
        let accent = Tokens::of(egui::Theme::Dark).accent;
        let [left, right] = [marked.start, marked.end].map(|sample| view.x(canvas, sample as f64));
        let painter = ui.painter().with_clip_rect(canvas);
        painter.rect_filled(Rect::from_x_y_ranges(left..=right, canvas.y_range()), 0.0, accent.gamma_multiply(0.2));
        for x in [left, right] {
            painter.vline(x, canvas.y_range(), (1.5, accent));
        }
    }
}

/// Moves and zooms as the pointer asks; a double click shows everything that is kept.
fn move_ui(ui: &Ui, (response, area): (&Response, Rect), places: &Places<'_>, scenery: &mut Scenery<'_>) {
    let axes = Navigation::over_axes(ui, PANE.title, area.with_max_y(places.canvas.bottom() + BELOW), places.canvas);
    let own = Navigation::of(response, false);
    own.paint(ui);
    if own.resets || axes[0].resets {
        scenery.looking.fit(scenery.counted);
        return ui.request_repaint();
    }
    let newest = super::looking::newest(scenery.counted).unwrap_or(0.0);
    let view: View = places.view.moved(places.canvas, &own, &axes, newest as usize);
    // Before the first samples, the view shows room that no stream has filled.
    let is_moved = own != Navigation::default() || axes.iter().any(|axis| *axis != Navigation::default());
    if is_moved && view != places.view {
        let zooms = own.zoom.or(axes[0].zoom).is_some();
        scenery.looking.set(view, zooms, scenery.counted);
        ui.request_repaint();
    }
}

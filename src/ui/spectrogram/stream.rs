//! The pane *Stream*: the wave, the running spectrum and the waterfall of samples that still come, which can be held, scrolled back, marked and saved.

mod controls;
mod looking;
mod waterfall;
mod words;

use crate::display::Colormap;
use crate::engine::{Counted, LiveState, LiveStream};
use crate::numerals::number;
use crate::signal::{Axis, Signal};
use crate::spectra::{Quantity, Reference, Running, Trace};
use crate::ui::action::{Action, PaneOutput};
use crate::ui::canvas::ZoomTo;
use crate::ui::command::Command;
use crate::ui::export::Export;
use crate::ui::line_plot::{PlotLook, ReducedPlot, RowBehind};
use crate::ui::pane::{Pane, PaneData, PaneInfo};
use crate::ui::remedy::in_words;
use crate::ui::scene::Scene;
use crate::ui::theme::Tokens;
use crate::ui::widgets;
use controls::{Pressed, StreamLook, controls_ui};
use egui::{Rect, RichText, Ui, pos2};
use looking::Looking;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};
use waterfall::{Scenery, Waterfall};

/// The entry in the list of panes.
pub(crate) static PANE: PaneInfo = PaneInfo {
    help: &[
        "Samples that still come, by a pipe or a file that grows: papillon - --raw s16,1,44100, papillon --follow FILE. Every frame counts.",
        "Space pauses what is shown, and goes on from a pause or from what was scrolled back to; the stream goes on behind it. Wheel zooms time, the axes zoom and scroll their own direction, a view that reaches the newest sample goes on with the stream, double-click shows all that is kept.",
        "Drag over the waterfall to mark samples; Save part writes them, or what is seen, and Open part makes them a source for all other panes.",
        "Frames that the machine did not count in time are said; a gap in the waterfall is gray.",
    ],
    empty: "No stream runs: start the program behind a pipe, as arecord -t wav | papillon -",
    has_content: |scene| scene.stream.is_some(),
    data: PaneData::Plan,
    ..PaneInfo::new("Stream", "Stream", |services| {
        Box::new(StreamPane {
            look: StreamLook::default(),
            looking: Looking::default(),
            plot: ReducedPlot::new(&services.studies),
            curves: None,
            waterfall: Waterfall::new(&services.studies),
            pauses: false,
            opened: None,
            ordered: None,
        })
    })
};

/// The share of the height that the spectrum takes, and the height of a line, in points.
const SPECTRUM: f32 = 0.36;
const LINE: f32 = 18.0;
/// The lowest level of a spectrum in dB; silence is there.
const FLOOR: f64 = -200.0;

/// The pane.
struct StreamPane {
    look: StreamLook,
    looking: Looking,
    plot: ReducedPlot<Vec<f64>>,
    curves: Option<Curves>,
    waterfall: Waterfall,
    /// Whether Space was pressed.
    pauses: bool,
    /// When the stream was opened that is looked at.
    opened: Option<Instant>,
    ordered: Option<ZoomTo>,
}

/// The levels of a running spectrum, from the lowest frequency.
struct Curves {
    of: (Arc<Running>, Trace, bool),
    levels: Arc<Vec<f64>>,
    /// The holds behind it.
    holds: Vec<Vec<f64>>,
}

impl Pane for StreamPane {
    fn ui(&mut self, ui: &mut Ui, scene: &mut Scene<'_>) {
        let (stream, out, colormap) = (scene.stream, &mut *scene.out, scene.settings.spectrogram.colormap);
        match stream {
            Some(stream) => self.stream_ui(ui, stream, out, colormap),
            None => widgets::empty_state(ui, PANE.empty),
        }
    }

    fn zoom(&mut self, zoom: ZoomTo) {
        self.ordered = Some(zoom);
    }

    fn play(&mut self, command: Command, _now: f64) {
        self.pauses ^= command == Command::Play;
    }

    fn kept(&self) -> serde_json::Value {
        let kept = (self.look != StreamLook::default()).then_some(self.look);
        serde_json::to_value(kept).unwrap_or_default()
    }

    fn restore(&mut self, kept: &serde_json::Value) {
        self.look = serde_json::from_value(kept.clone()).unwrap_or_default();
    }
}

impl StreamPane {
    fn stream_ui(&mut self, ui: &mut Ui, stream: &LiveStream, out: &mut PaneOutput, colormap: Colormap) {
        let now = stream.state();
        if self.opened.replace(now.opened) != Some(now.opened) {
            self.looking = Looking::default();
            self.waterfall.forget();
        }
        if std::mem::take(&mut self.pauses) {
            self.looking.toggle(&now);
        }
        if now.end.is_none() {
            // A stream that stalls is said to do so.
            ui.ctx().request_repaint_after(Duration::from_millis(500));
        }
        let state = self.looking.shown(now);
        let (pressed, begins_anew) = controls_ui(ui, &mut self.look, (stream, &mut self.looking), state.counted.as_ref());
        if begins_anew {
            self.waterfall.forget();
        }
        self.words_ui(ui, stream, &state);
        let Some(counted) = &state.counted else { return };
        self.zoom_ui(counted);
        let area = ui.available_rect_before_wrap();
        let middle = area.top() + SPECTRUM * area.height();
        self.spectrum_ui(ui, area.with_max_y(middle), counted);
        let axis = axis(counted, state.begun);
        let goes_on = state.end.is_none() && !self.looking.is_paused();
        if !goes_on {
            stream.hurry(None);
        }
        let mut scenery = Scenery {
            stream: Some(stream).filter(|_| goes_on),
            counted,
            looking: &mut self.looking,
            range: &mut self.look.range,
            colormap,
            read_out: &mut out.read_out,
            axis: &axis,
        };
        self.waterfall.ui(ui, Rect::from_min_max(pos2(area.left(), middle), area.max), &mut scenery);
        if let Some(pressed) = pressed {
            out.actions.push(self.pressed(pressed, counted, axis));
        }
    }

    /// How the stream goes on, and what counts.
    fn words_ui(&self, ui: &mut Ui, stream: &LiveStream, state: &LiveState) {
        ui.strong(words::state(stream.name(), state, self.looking.held(), Instant::now()));
        if let Some(counted) = &state.counted {
            let width = ui.available_width();
            let (_, line) = ui.allocate_space(egui::vec2(width, LINE));
            let mut child = ui.new_child(egui::UiBuilder::new().max_rect(line));
            let pace = if self.looking.is_paused() || state.end.is_some() { None } else { state.pace.other_rate() };
            let lag = self.waterfall.lag.said.filter(|_| state.end.is_none()).map(|lag| format!("pixels {} ms behind", lag.as_millis()));
            let facts: Vec<String> = pace.into_iter().chain(lag).chain(words::facts(counted)).collect();
            widgets::parts(&mut child, &facts, width, |text| RichText::new(text).weak());
        }
    }

    /// Zooms as a command asks.
    fn zoom_ui(&mut self, counted: &Counted) {
        let view = self.looking.view(counted);
        match self.ordered.take() {
            Some(ZoomTo::By(factor)) => {
                let [from, to] = view.time;
                self.looking.set(super::view::View { time: [to - (to - from) / factor, to], ..view }, false, counted);
            }
            Some(_) => self.looking.fit(counted),
            None => {}
        }
    }

    /// The running spectrum, with its strongest line marked and the holds behind it.
    fn spectrum_ui(&mut self, ui: &mut Ui, area: Rect, counted: &Counted) {
        let of = (counted.running.clone(), self.look.trace, self.look.has_holds);
        let is_known = |curves: &Curves| Arc::ptr_eq(&curves.of.0, &of.0) && (curves.of.1, curves.of.2) == (of.1, of.2);
        if !self.curves.as_ref().is_some_and(is_known) {
            let holds = if of.2 { vec![levels(counted, Trace::Max), levels(counted, Trace::Min)] } else { Vec::new() };
            self.curves = Some(Curves { levels: Arc::new(levels(counted, of.1)), holds, of });
        }
        let Some(Curves { levels, holds, .. }) = &self.curves else { return };
        let (frames, step) = (counted.layout(), counted.rate / counted.layout().points as f64);
        let first = frames.frequency(0, counted.is_complex, counted.rate);
        let label = format!("{} (dBFS)", self.look.trace.title().to_lowercase());
        let look = PlotLook {
            origin: -first / step,
            per_unit: step.recip(),
            stems: false,
            log_axis: self.look.log_axis && !counted.is_complex,
            floor: Some(FLOOR),
            ..PlotLook::over_index(ui, "Running spectrum", "frequency (Hz)", &label)
        };
        let strongest = levels.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).filter(|(_, level)| **level > FLOOR);
        let mark = strongest.map(|(at, level)| {
            let text = format!("{} Hz, {} dBFS", number(first + at as f64 * step, 6), number(*level, 4));
            (at as f64, *level, text)
        });
        self.plot.set_marks(mark.into_iter().collect());
        if let Some(frame) = self.plot.frame().copied() {
            let weak = Tokens::current(ui).weak;
            let behind = |values: &Vec<f64>| RowBehind {
                data: crate::engine::PlotData::of_reals(values, frame),
                scale: [look.origin, look.per_unit],
                color: weak,
            };
            self.plot.plot().set_behind(holds.iter().map(behind).collect());
        }
        self.plot.ui(ui, area, &look, levels, levels.len(), |values, frame| crate::engine::PlotData::of_reals(values, frame));
    }

    /// Saves or opens the part that is marked or seen.
    fn pressed(&self, pressed: Pressed, counted: &Counted, axis: Axis) -> Action {
        let Some(part) = self.looking.part(counted) else {
            return Action::ShowError("no samples of this part are kept: mark newer ones, or keep a longer time".into());
        };
        let start = part.start.max(counted.kept.samples().start) as f64 / counted.rate;
        let signal = counted.kept.signal(&counted.form, part);
        match signal.map(|signal| Signal { axis: Some(Axis { start, ..axis }), ..signal }) {
            Ok(signal) if pressed == Pressed::Save => Action::Export(Box::new(Export::Samples(Arc::new(signal)))),
            Ok(signal) => Action::OpenSamples(Arc::new(signal)),
            Err(error) => Action::ShowError(in_words(&error)),
        }
    }
}

/// The name, the form and the state of a stream, in a few words each.
pub(crate) fn summary(stream: &LiveStream) -> Vec<String> {
    let state = stream.state();
    let (name, words) = (stream.name(), words::state(stream.name(), &state, None, Instant::now()));
    let mut parts: Vec<String> = if words.contains(name) { vec![words] } else { vec![name.to_owned(), words] };
    parts.extend(state.counted.iter().flat_map(|counted| words::facts(counted).into_iter().take(2)));
    parts
}

/// The levels of a trace in dBFS, from the lowest frequency.
fn levels(counted: &Counted, trace: Trace) -> Vec<f64> {
    let (power, frames, calibration) = (counted.running.power(trace), counted.layout(), counted.calibration());
    let reference = Reference::default();
    let level = |bin: usize| {
        let value = calibration.value(Quantity::Power, power[bin], bin);
        reference.decibels(value, Quantity::Power, &calibration).max(FLOOR)
    };
    (0..power.len()).map(|bin| level(frames.natural(bin, counted.is_complex))).collect()
}

/// The axis of the samples: the clock where the first one is known, in UTC.
fn axis(counted: &Counted, begun: Option<SystemTime>) -> Axis {
    let axis = Axis { name: "time, UTC".into(), ..Axis::of_rate(counted.rate) };
    begun.map_or(axis.clone(), |begun| axis.since(begun))
}

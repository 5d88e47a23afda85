//! The content of a layout, loaded and computed, and which layout takes a signal.

use super::Workspace;
use crate::engine::{RenderedImage, Report, Request};
use crate::signal::drawing::Drawing;
use crate::signal::{ChannelChoice, ReadOptions, Signal, SignalKind, System, short_name};
use crate::transforms::Input;
use crate::ui::origin::{Origin, TableReading, is_short};
use crate::ui::preset::Preset;
use crate::ui::run_history::RunHistory;
use crate::ui::settings::{Settings, Slice, description};
use crate::ui::sources::{Shown, SourceKind, is_same_generator};
use crate::ui::{recent, spectrum};
use egui::util::undoer::Undoer;
use egui_tiles::Tile;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The layout that takes a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Opening {
    /// The one that is shown where it suits the source, otherwise the one that is made for it.
    #[default]
    AsItSuits,
    /// The one that is made for it, whatever is shown.
    AtHome,
    /// The one that is shown where it shows the source in any form, as a row of an image.
    Here,
}

/// A request to the engine.
pub(crate) struct SentRequest {
    pub request: Request,
    /// Since when the engine has had something to do.
    pub since: Instant,
    /// Whether it comes after a job that runs.
    pub is_in_turn: bool,
}

/// The content of a layout, loaded and computed.
#[derive(Default)]
pub(crate) struct LayoutContent {
    /// The part of the source that the layout shows.
    pub signal: Option<Arc<Signal>>,
    /// The source as it was loaded.
    pub whole: Option<Arc<Signal>>,
    /// How long it took to read or to make; `None` where another layout had it.
    pub read_time: Option<Duration>,
    /// A small image of it.
    pub preview: Option<Arc<RenderedImage>>,
    /// Where the signal comes from.
    pub loaded_origin: Option<Origin>,
    /// The origin that was sent to the loader last.
    pub requested_origin: Option<Origin>,
    /// How its table was to be read.
    pub requested_table: Option<ReadOptions>,
    /// How the table that is shown was to be read.
    pub loaded_table: Option<ReadOptions>,
    /// Which part of it is shown.
    pub loaded_slice: Option<Slice>,
    /// The origin that the layout was known to have in the last frame.
    pub followed: Option<Origin>,
    /// The source that the layout shows because it is current: it goes to no other layout.
    pub stays: Option<Origin>,
    /// The signal without what is drawn on it.
    pub as_read: Option<Arc<Signal>>,
    /// Whether a signal is being read that is not there yet; nothing is drawn meanwhile.
    pub awaits_reading: bool,
    /// The drawing that was asked for on it, and the drawing that it has.
    pub requested_drawing: Drawing,
    pub loaded_drawing: Drawing,
    /// The name of the channel that another reading of the table keeps.
    pub kept_channel: Option<String>,
    /// How the table was read when it was opened.
    pub opened_as: Option<ReadOptions>,
    /// The settings while nothing is being loaded; the layout returns to them when another one takes the next signal.
    pub at_rest: Option<Settings>,
    /// The newest report.
    pub report: Option<Arc<Report>>,
    /// The newest report with a result.
    pub finished: Option<Arc<Report>>,
    /// A result of an earlier source, until this one has its own.
    pub earlier: Option<Arc<Report>>,
    /// The newest report, where its job has no result; what was shown before stays.
    pub failed: Option<Arc<Report>>,
    /// The times of the runs.
    pub history: RunHistory,
    /// The newest request.
    pub sent: Option<SentRequest>,
    /// When the newest result came.
    pub reported: Option<Instant>,
    /// Whether the result is not asked for, as nobody looks at it.
    pub rests: bool,
    /// Since when the result has been out of date.
    pub stale_since: Option<Instant>,
    /// The changes of the settings.
    pub undoer: Undoer<Settings>,
}

impl LayoutContent {
    /// The report that answers the newest request that is answered.
    pub(crate) fn answer(&self) -> Option<&Arc<Report>> {
        self.failed.as_ref().or(self.finished.as_ref())
    }

    /// Takes a report of the engine.
    pub(super) fn take_report(&mut self, report: Arc<Report>) {
        if self.failed.as_ref().is_some_and(|known| Arc::ptr_eq(known, &report)) {
            return;
        }
        if let Some(outcome) = report.outcome() {
            self.history.push(report.request.job.transform, outcome);
        }
        match &report.outcome {
            Some(Ok(_)) => {
                if self.finished.as_ref().is_none_or(|before| !Arc::ptr_eq(before, &report)) {
                    self.reported = Some(Instant::now());
                    // Results that follow a hand are shown as they are, and not dimmed.
                    self.stale_since = self.stale_since.and(self.reported);
                }
                self.finished = Some(report.clone());
                self.failed = None;
            }
            Some(Err(_)) => {
                self.failed = Some(report.clone());
                // A view of the old result in the look of the new settings may have come meanwhile.
                let before = self.finished.as_ref();
                let (image, line) = before.map_or((None, None), |before| (before.image.clone(), before.line.clone()));
                self.report = Some(Arc::new(Report { image, line, ..(*report).clone() }));
                return;
            }
            None => {}
        }
        self.report = Some(report);
    }

    /// Content that waits for the origin that a layout came with; no other layout takes that one.
    fn shows(&self, origin: &Origin) -> bool {
        let is_known = [&self.loaded_origin, &self.stays].iter().any(|known| known.as_ref() == Some(origin));
        is_known || self.at_rest.as_ref().is_none_or(|settings| settings.origin == *origin)
    }

    /// Notes that the result is of an earlier source than a new one.
    fn note_earlier(&mut self, origin: &Origin) {
        let before = self.loaded_origin.as_ref();
        if before.is_some_and(|before| before != origin) && !self.is_same_generator(origin) {
            self.earlier = self.finished.clone();
        }
    }

    /// Forgets results of other signals than this one, whose own is not asked for.
    pub(super) fn forget_results_of_others(&mut self, signal: &Arc<Signal>) {
        for report in [&mut self.report, &mut self.finished, &mut self.failed] {
            report.take_if(|report| !Arc::ptr_eq(&report.request.job.signal, signal));
        }
    }

    /// Whether a slider of the generator that is shown has moved.
    fn is_same_generator(&self, origin: &Origin) -> bool {
        self.loaded_origin.as_ref().is_some_and(|loaded| is_same_generator(loaded, origin))
    }

    /// Whether the program was started with something to open, which is `origin` then. A lesson brings its own signal, and stays.
    pub(super) fn is_being_opened(&self, origin: &Origin) -> bool {
        let is_other = |before: &Settings| before.origin != *origin || matches!(origin, Origin::File(_) | Origin::Pasted(_));
        self.at_rest.as_ref().is_some_and(is_other) && self.loaded_origin.is_none()
    }
}

impl Workspace {
    /// Shows another layout as it was left, with what it had loaded and computed.
    pub(crate) fn show_preset(&mut self, preset: Preset) {
        let before = self.memory.preset;
        if preset == before {
            return;
        }
        if before == Preset::Learn {
            self.give_back_device();
        }
        self.leave_controls();
        self.keep_source();
        self.memory.views = self.panes.kept();
        self.memory.switch_to(preset);
        self.panes.restore(&self.memory.views);
        let mut next = self.other_content.remove(&preset).unwrap_or_default();
        // It asks again, as the engine knows the newest request alone.
        next.sent = None;
        let mut left = std::mem::replace(&mut self.content, next);
        // A signal that is still being loaded is requested again.
        left.requested_origin = left.loaded_origin.clone();
        left.requested_table = left.loaded_table.clone();
        (left.requested_drawing, left.awaits_reading) = (left.loaded_drawing.clone(), false);
        self.other_content.insert(before, left);
        self.show_current();
        self.way_back = None;
        self.maximised = None;
        self.read_out.clear();
        self.tell_signal();
    }

    /// Takes the focus from a control of a pane: in another layout a control of another pane may have its identity.
    fn leave_controls(&self) {
        let ctx = self.tasks.context();
        let focused = ctx.memory(|memory| memory.focused()).and_then(|id| ctx.read_response(id));
        let in_pane = focused.filter(|control| self.rects.values().any(|pane| pane.contains(control.rect.center())));
        if let Some(control) = in_pane {
            control.surrender_focus();
        }
    }

    /// Names the signal of the layout in the status bar.
    fn tell_signal(&mut self) {
        let told =
            |signal: &Arc<Signal>| format!("{}: {}", short_name(&signal.name), description(self.memory.settings.transform(), signal));
        self.message = self.content.signal.as_ref().map(told).unwrap_or_default();
    }

    /// Lays out the panes of a preset again, with the pane in front that suits the signal.
    pub(crate) fn lay_out(&mut self, preset: Preset) {
        if preset == Preset::Learn {
            return self.lay_out_lesson(&self.tasks.context().clone());
        }
        self.memory.tree = preset.tree();
        self.maximised = None;
        self.memory.rearranged = false;
        self.bring_to_front();
    }

    /// Where the image and the plot of a result share a place, brings the one that suits the signal to the front.
    fn bring_to_front(&mut self) {
        let shares_place = matches!(self.memory.preset, Preset::FlowGraph | Preset::Benchmark);
        if shares_place && self.content.signal.as_ref().is_some_and(|signal| signal.kind == SignalKind::Rows) {
            let plot = super::PaneId::of(&spectrum::PANE);
            self.memory.tree.make_active(|_, tile| matches!(tile, Tile::Pane(pane) if *pane == plot));
        }
    }

    /// Takes the signal with a drawing on it, unless another one has been asked for since.
    pub(super) fn take_drawn(&mut self, origin: &Origin, drawing: Drawing, signal: Arc<Signal>, preview: Option<Arc<RenderedImage>>) {
        let is_current = self.content.loaded_origin.as_ref() == Some(origin) && !self.content.awaits_reading;
        // While the pen moves, every drawing on the way is shown.
        if is_current && !self.content.requested_drawing.is_empty() {
            (self.content.signal, self.content.preview, self.content.loaded_drawing) = (Some(signal), preview, drawing);
        }
    }

    /// Takes another signal in the layout that suits it, and adapts the settings to it.
    pub(super) fn take_signal(&mut self, origin: Origin, whole: Arc<Signal>, preview: Option<Arc<RenderedImage>>) {
        // While a slider moves, every signal on the way is shown; any other outdated signal is dropped.
        let both_generated = matches!((&origin, &self.content.requested_origin), (Origin::Generator(_), Some(Origin::Generator(_))));
        if self.content.requested_origin.as_ref() != Some(&origin) && !both_generated {
            return;
        }
        if let Origin::Pasted(number) = origin {
            self.keep_pasted(number, &whole);
        }
        let suited = self.go_to_layout_for(&origin, &whole);
        self.memory.sources.know(&origin, SourceKind::of(&origin, &whole));
        self.content.whole = Some(whole.clone());
        let signal = self.slice_of(&origin, &whole);
        let is_other_kind = self.content.signal.as_ref().is_some_and(|before| before.kind != signal.kind);
        let is_new_file = matches!(origin, Origin::File(_) | Origin::Pasted(_)) && self.content.loaded_origin.as_ref() != Some(&origin);
        let before = self.content.signal.replace(signal.clone());
        self.content.note_earlier(&origin);
        // A lesson has set everything that belongs to its signal.
        let is_set = self.content.at_rest.as_ref() == Some(&self.memory.settings);
        if !is_set && self.content.loaded_origin.as_ref().is_some_and(|before| *before != origin) {
            self.memory.settings.fit_region(&signal);
            if both_generated {
                self.memory.settings.forget_typed_size();
            }
            self.memory.settings.synthesis.changed.clear();
        }
        if !is_set && (is_other_kind || is_new_file) {
            self.memory.settings.adapt_to_signal(&signal, self.memory.preset);
            if self.memory.preset == Preset::Benchmark {
                self.memory.settings.fit_transform(&signal);
            }
            self.memory.settings.fit_algorithms(&signal);
        }
        // Another reading of a table has its channels at other places, and may have fewer.
        if let Some(name) = self.content.kept_channel.take().filter(|_| self.content.loaded_origin.as_ref() == Some(&origin))
            && let Some(index) = (0..signal.channels.len()).find(|&index| signal.channel_name(ChannelChoice::Channel(index)) == name)
        {
            self.memory.settings.channel = if index == 0 { ChannelChoice::default() } else { ChannelChoice::Channel(index) };
        }
        if signal.check_channel(self.memory.settings.channel).is_err() {
            self.memory.settings.channel = ChannelChoice::default();
        }
        self.remember_table(&origin, &whole);
        // Hertz gave way to cycles without a rate, and come back with one.
        let has_unit = self.memory.settings.has_unit(&signal);
        if !is_set && before.is_some_and(|before| self.memory.settings.has_unit(&before) != has_unit) {
            self.memory.settings.looks.fit_units(has_unit);
        }
        self.tell_signal();
        if let Some(preset) = suited {
            self.show_message(format!("{} suits the layout {}", self.message, preset.title()));
        }
        if is_other_kind && !self.memory.rearranged {
            self.bring_to_front();
        }
        if let Origin::File(path) = &origin {
            recent::put_first(path, &mut self.memory.recent);
            if let Some(list) = &self.recent_list {
                recent::share(path.clone(), list.clone());
            }
        }
        self.content.loaded_table = self.content.requested_table.clone();
        (self.content.loaded_origin, self.content.preview, self.content.read_time) = (Some(origin), preview, None);
        (self.content.as_read, self.content.awaits_reading, self.content.loaded_drawing) = (Some(signal), false, Drawing::default());
        self.content.requested_drawing = Drawing::default();
    }

    /// Reads the file of the signal that is shown in another way.
    pub(crate) fn read_as(&mut self, options: ReadOptions) {
        let settings = &mut self.memory.settings;
        self.content.kept_channel = self.content.signal.as_ref().map(|signal| signal.channel_name(settings.channel));
        settings.table = Some(options);
    }

    /// Remembers how a file is read: for an undo where it is opened, and for files with the same header or ending where a person has chosen.
    fn remember_table(&mut self, origin: &Origin, signal: &Signal) {
        let is_opened = self.content.loaded_origin.as_ref() != Some(origin);
        let read_as = TableReading::used(signal);
        if let Some((key, chosen)) = TableReading::key(signal).zip(read_as.clone())
            && (!is_opened || self.memory.settings.table.is_some())
        {
            self.memory.tables.insert(key, chosen);
        }
        if is_opened {
            self.content.opened_as = read_as;
        }
    }

    /// Shows the layout that suits a new signal, returns it, and offers the way back. The layout that was shown stays as it was.
    fn go_to_layout_for(&mut self, origin: &Origin, signal: &Signal) -> Option<Preset> {
        let before = self.memory.preset;
        let kind = SourceKind::of(origin, signal);
        let preset = kind.home();
        // A convolution of two functions takes them where it is.
        let is_factor = preset == Preset::Logic && self.memory.settings.transform().input == Input::TwoSignals;
        // Equations whose columns are channels in another reading are none.
        let were_equations = self.content.signal.as_deref().is_some_and(is_system) && !is_system(signal);
        let is_same = self.content.shows(origin) && !were_equations || self.content.is_same_generator(origin);
        let stays = match std::mem::take(&mut self.opening) {
            Opening::AtHome => before == preset,
            Opening::Here if before != Preset::Learn && kind.shown_in(before) != Shown::No => true,
            _ => is_same || is_factor || suits(before, origin, signal),
        };
        if stays {
            return None;
        }
        let chosen = self.memory.settings.table.clone();
        self.memory.sources.know(origin, kind);
        self.keep_source();
        if let Some(settings) = self.content.at_rest.clone() {
            self.content.followed = Some(settings.origin.clone());
            self.memory.settings = settings;
        }
        // A lesson keeps no sources.
        self.memory.sources.use_now(origin);
        self.memory.sources.know(origin, kind);
        self.show_preset(preset);
        self.memory.settings.set_origin(origin.clone());
        self.content.requested_origin = Some(origin.clone());
        self.content.requested_table = chosen.clone();
        self.memory.settings.table = chosen;
        self.way_back = Some(before);
        Some(preset)
    }
}

/// Whether a source that is opened in a layout stays there.
fn suits(preset: Preset, origin: &Origin, signal: &Signal) -> bool {
    let home = SourceKind::of(origin, signal).home();
    match preset {
        Preset::FlowGraph | Preset::Benchmark => true,
        // A file goes to its own layout, and the lesson stays as it was.
        Preset::Learn => !matches!(origin, Origin::File(_) | Origin::Pasted(_)),
        Preset::Wavelet => matches!(home, Preset::Image | Preset::Signal),
        // An S-box is a signal of numbers.
        Preset::Logic => is_short(signal) && signal.kind == SignalKind::Rows && signal.as_logic(ChannelChoice::default()).is_some(),
        Preset::Image | Preset::Signal | Preset::System => home == preset,
    }
}

/// Whether the rows of a signal are equations (a, b, c, d).
fn is_system(signal: &Signal) -> bool {
    System::may_be_in(signal) && signal.rows > 1
}

//! The workspace: the state behind the window. It takes what loader, engine and tasks bring, and never waits.

mod commands;
mod requests;

use super::first_frame::FirstFrame;
use super::layout;
use super::loader::Loader;
use super::memory::Memory;
use super::origin::{Origin, SecondOrigin};
use super::palette::Palette;
use super::pane::PaneServices;
use super::panes::{PaneId, Panes};
use super::preset::Preset;
use super::run_history::RunHistory;
use super::second_signal::SecondSignal;
use super::settings::Settings;
use super::tasks::{TaskReport, Tasks};
use super::{recent, spectrum, spectrum_image, theme};
use crate::engine::{Engine, RenderedImage, Report, Request};
use crate::gpu::AdapterInfo;
use crate::signal::{Signal, SignalKind};
use egui::util::undoer::Undoer;
use egui::{Context, Rect};
use egui_tiles::Tile;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A result that has been out of date for longer is dimmed.
pub(super) const DIM_AFTER: Duration = Duration::from_millis(150);
/// A job may run this long before the next one replaces it. Otherwise a slider that never rests would never show a result.
const PATIENCE: Duration = Duration::from_millis(250);

/// Everything behind the window.
pub struct Workspace {
    pub(super) memory: Memory,
    pub(super) engine: Engine,
    pub(super) loader: Loader,
    pub(super) second: SecondSignal,
    pub(super) report: Option<Arc<Report>>,
    pub(super) finished: Option<Arc<Report>>,
    pub(super) adapters: Vec<AdapterInfo>,
    pub(super) signal: Option<Arc<Signal>>,
    pub(super) message: String,
    pub(super) palette: Palette,
    pub(super) help: bool,
    pub(super) panes: Panes,
    pub(super) active: PaneId,
    pub(super) rects: HashMap<PaneId, Rect>,
    pub(super) undoer: Undoer<Settings>,
    pub(super) tasks: Tasks,
    pub(super) preview: Option<Arc<RenderedImage>>,
    /// Where the signal that is shown comes from.
    pub(super) loaded_origin: Option<Origin>,
    /// The origin that was sent to the loader last.
    pub(super) requested_origin: Option<Origin>,
    pub(super) pasted: Vec<(u64, Arc<Signal>)>,
    pub(super) last_request: Option<(Request, Instant)>,
    pub(super) stale_since: Option<Instant>,
    pub(super) history: RunHistory,
    pub(super) toasts: egui_notify::Toasts,
    /// The read-out of the value under the pointer.
    pub(super) read_out: String,
    /// The launch under the pointer in the pane *Timing*.
    pub(super) lit_launch: Option<usize>,
    /// The file of the list of recent files, where there is one.
    pub(super) recent_list: Option<PathBuf>,
    pub(super) first_frame: FirstFrame,
}

impl Workspace {
    /// A workspace with the remembered settings, which opens the first of `files`.
    pub fn new(ctx: &Context, memory: Memory, files: Vec<PathBuf>) -> Self {
        theme::install(ctx);
        ctx.set_theme(memory.theme);
        ctx.set_zoom_factor(commands::scale_within(memory.scale));
        ctx.options_mut(|options| options.zoom_with_keyboard = false);
        let repaint = || {
            let ctx = ctx.clone();
            move || ctx.request_repaint()
        };
        let engine = Engine::start(repaint());
        let mut workspace = Self {
            loader: Loader::start(repaint()),
            second: SecondSignal::new(repaint()),
            tasks: Tasks::new(ctx),
            memory,
            report: None,
            finished: None,
            adapters: Vec::new(),
            signal: None,
            message: String::new(),
            palette: Palette::default(),
            help: false,
            panes: Panes::new(&PaneServices { timing_lock: engine.timing_lock(), ..PaneServices::default() }),
            engine,
            active: PaneId::of(&spectrum_image::PANE),
            rects: HashMap::new(),
            undoer: Undoer::default(),
            preview: None,
            loaded_origin: None,
            requested_origin: None,
            pasted: Vec::new(),
            last_request: None,
            stale_since: None,
            history: RunHistory::default(),
            toasts: egui_notify::Toasts::default().with_anchor(egui_notify::Anchor::BottomRight).with_margin(egui::vec2(12.0, 40.0)),
            read_out: String::new(),
            lit_launch: None,
            recent_list: None,
            first_frame: FirstFrame::awaited(Instant::now()),
        };
        workspace.tasks.find_adapters();
        if !layout::is_whole(&workspace.memory.tree) {
            workspace.memory.tree = workspace.memory.preset.tree();
        }
        workspace.memory.recent.extend(files.iter().skip(1).cloned());
        if let Some(file) = files.into_iter().next() {
            workspace.memory.settings.set_origin(Origin::of_argument(file));
        }
        workspace
    }

    /// Counts the time to the first frame from `start`, when the program was started.
    #[must_use]
    pub fn started_at(self, start: Instant) -> Self {
        Self { first_frame: FirstFrame::awaited(start), ..self }
    }

    /// The state that outlives the program.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The newest report with an outcome.
    pub fn report(&self) -> Option<&Arc<Report>> {
        self.finished.as_ref()
    }

    /// The last message.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Whether everything that was requested is computed and shown.
    pub fn is_settled(&self) -> bool {
        let answered = match (&self.finished, &self.last_request) {
            (Some(report), Some((request, _))) => report.request == *request,
            _ => self.signal.is_none() && self.requested_origin.is_some() && self.loaded_origin == self.requested_origin,
        };
        let is_there = self.second.is_settled(&self.memory.settings);
        answered
            && is_there
            && self.panes.is_settled()
            && self.loader.loading().is_none()
            && self.loaded_origin.as_ref() == Some(&self.memory.settings.origin)
    }

    /// Takes the reports of the threads; the window need not be visible.
    pub fn logic(&mut self, ctx: &Context) {
        if let Some(loaded) = self.loader.take() {
            match loaded.result {
                Ok((signal, preview)) => self.take_signal(loaded.origin, signal, preview),
                Err(error) if self.requested_origin == Some(loaded.origin) => self.keep_loaded_signal(error),
                // Another origin has been requested since.
                Err(_) => {}
            }
        }
        if let Some(error) = self.second.update(&mut self.memory.settings) {
            self.show_error(error);
        }
        self.report = self.engine.latest();
        if let Some(report) = self.report.as_ref().filter(|report| report.outcome.is_some()) {
            if let Some(outcome) = report.outcome() {
                self.history.push(report.request.job.transform, outcome);
            }
            self.finished = Some(report.clone());
        }
        for report in self.tasks.take() {
            match report {
                TaskReport::Adapters(adapters) => self.adapters = adapters,
                TaskReport::Opened(path) => self.memory.settings.origin = Origin::File(path),
                TaskReport::OpenedSecond(path) => self.memory.settings.second = SecondOrigin::Other(Origin::File(path)),
                TaskReport::Session(memory) => self.take_session(ctx, *memory),
                TaskReport::Done(text) => self.show_message(text),
                TaskReport::Failed(text) => self.show_error(text),
            }
        }
        self.load_signal(ctx);
    }

    /// Takes another signal, and adapts the settings to it.
    fn take_signal(&mut self, origin: Origin, signal: Arc<Signal>, preview: Option<Arc<RenderedImage>>) {
        // While a slider moves, every signal on the way is shown; any other outdated signal is dropped.
        let both_generated = matches!((&origin, &self.requested_origin), (Origin::Generator(_), Some(Origin::Generator(_))));
        if self.requested_origin.as_ref() != Some(&origin) && !both_generated {
            return;
        }
        if let Origin::Pasted(number) = origin {
            self.pasted.push((number, signal.clone()));
        }
        let is_other_kind = self.signal.as_ref().is_some_and(|before| before.kind != signal.kind);
        let is_new_file = matches!(origin, Origin::File(_) | Origin::Pasted(_)) && self.loaded_origin.as_ref() != Some(&origin);
        self.signal = Some(signal.clone());
        if is_other_kind || is_new_file {
            self.memory.settings.adapt_to_signal(&signal, self.memory.preset);
            self.lay_out_for(signal.kind, is_other_kind);
        }
        if let Origin::File(path) = &origin {
            recent::put_first(path, &mut self.memory.recent);
            if let Some(list) = &self.recent_list {
                recent::share(path.clone(), list.clone());
            }
        }
        self.show_message(format!("{}: {}", signal.name, signal.description()));
        self.loaded_origin = Some(origin);
        self.preview = preview;
    }

    /// Lays out the preset for the kind of the signal, unless the user has moved panes.
    fn lay_out_for(&mut self, kind: SignalKind, is_other_kind: bool) {
        let wanted = match (self.memory.preset, kind) {
            (Preset::Image | Preset::Signal, SignalKind::Image) => Preset::Image,
            (Preset::Image | Preset::Signal, SignalKind::Rows) => Preset::Signal,
            (preset, _) => preset,
        };
        if !self.memory.rearranged && (is_other_kind || wanted != self.memory.preset) {
            self.lay_out(wanted);
        }
    }

    /// Lays out a preset, with the pane in front that suits the signal.
    pub(super) fn lay_out(&mut self, preset: Preset) {
        self.memory.preset = preset;
        self.memory.tree = preset.tree();
        self.memory.rearranged = false;
        let shares_place = matches!(preset, Preset::FlowGraph | Preset::Benchmark);
        if shares_place && self.signal.as_ref().is_some_and(|signal| signal.kind == SignalKind::Rows) {
            self.memory.tree.make_active(|_, tile| matches!(tile, Tile::Pane(pane) if *pane == PaneId::of(&spectrum::PANE)));
        }
    }

    /// Reports that a signal could not be loaded; the signal that is shown stays.
    fn keep_loaded_signal(&mut self, error: String) {
        self.requested_origin = self.loaded_origin.clone();
        self.memory.settings.origin = self.loaded_origin.clone().unwrap_or_default();
        self.show_error(error);
    }

    /// Shows a message in the status bar.
    pub(super) fn show_message(&mut self, text: String) {
        self.message = text;
    }

    /// Shows an error in the status bar, and in a note that disappears by itself.
    pub(super) fn show_error(&mut self, text: String) {
        let short: String = text.chars().take(120).collect();
        let caption = if short.len() < text.len() { format!("{short}…") } else { short };
        let color = theme::Tokens::of(self.tasks.theme()).error;
        self.toasts.custom(caption, "!".into(), color).duration(Duration::from_secs(8)).closable(false);
        self.message = text;
    }

    /// Loads samples that are in memory only, such as pasted ones.
    pub(super) fn take_pasted(&mut self, label: &str, make: super::origin::LoadSignal) {
        let number = self.pasted.last().map_or(0, |(number, _)| *number) + 1;
        let origin = Origin::Pasted(number);
        self.requested_origin = Some(origin.clone());
        self.memory.settings.origin = origin.clone();
        self.loader.load(origin, label.to_owned(), make);
    }
}

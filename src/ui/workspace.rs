//! The workspace: the state behind the window. It takes what loader, engine and tasks bring, and never waits.

mod commands;
mod content;
mod handout;
mod lessons;
mod messages;
mod pasted;
mod requests;
mod sources;
mod stream;

use super::first_frame::FirstFrame;
use super::folder::FileWatch;
use super::help::Card;
use super::loader::Loader;
use super::origin::{Origin, Refusal, SecondOrigin, TableReading};
use super::palette::Palette;
use super::pane::PaneServices;
use super::pane_id::PaneId;
use super::panes::Panes;
use super::plan_focus::PlanFocus;
use super::preset::Preset;
use super::raw_prompt::RawPrompt;
use super::second_signal::SecondSignal;
use super::session::{Memory, is_session, lesson_of, load_session};
use super::settings::PaintedLook;
use super::sources::SourceSettings;
use super::studies::Studies;
use super::tasks::{TaskReport, Tasks};
use super::{spectrum_image, theme};
use crate::engine::{Engine, LiveStream, Report};
use crate::gpu::AdapterInfo;
use crate::signal::RawFormat;
use crate::signal::drawing::Drawing;
use content::LayoutContent;
pub use content::Opening;
use egui::{Context, Rect};
use std::collections::HashMap;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
pub use stream::StreamSource;

/// A result that has been out of date for longer is dimmed.
pub(super) const DIM_AFTER: Duration = Duration::from_millis(150);
/// A job may run this long before the next one replaces it.
const PATIENCE: Duration = Duration::from_millis(250);
/// The same while a hand drags. Otherwise a slider that never rests would never show the result of a large signal.
const PATIENCE_OF_A_DRAG: Duration = Duration::from_secs(2);
/// The most times that a frame is laid out.
const MOST_PASSES: NonZero<usize> = NonZero::new(3).unwrap();

/// Everything behind the window.
pub struct Workspace {
    pub(super) memory: Memory,
    pub(super) engine: Engine,
    pub(super) loader: Loader<(Origin, Drawing)>,
    /// Sees when the file that is shown changes on disk.
    watch: FileWatch,
    pub(super) second: SecondSignal,
    /// The content of the layout that is shown.
    pub(super) content: LayoutContent,
    /// The same of the other layouts.
    other_content: HashMap<Preset, LayoutContent>,
    pub(super) adapters: Vec<AdapterInfo>,
    pub(super) message: String,
    /// When something was said that no pane shows.
    pub(super) told_at: Option<Instant>,
    pub(super) palette: Palette,
    /// The card that is open.
    pub(super) card: Option<Card>,
    pub(super) panes: Panes,
    pub(super) active: PaneId,
    pub(super) rects: HashMap<PaneId, Rect>,
    pub(super) tasks: Tasks,
    /// The stream that runs.
    pub(super) stream: Option<LiveStream>,
    /// The question how the samples of a file are stored.
    pub(super) raw_prompt: Option<RawPrompt>,
    pasted: Vec<pasted::Pasted>,
    pub(super) toasts: egui_notify::Toasts,
    /// The read-out of the value under the pointer.
    pub(super) read_out: String,
    /// The launch under the pointer in the pane *Timing*.
    pub(super) lit_launch: Option<usize>,
    /// The state that the views of the plan share.
    pub(super) focus: PlanFocus,
    /// The open lesson.
    pub(super) lesson: lessons::OpenLesson,
    /// The title of the window.
    pub(super) title: String,
    /// The pane that fills the window.
    pub(super) maximised: Option<PaneId>,
    /// Whether its key has opened the left column in a window that is too narrow for it.
    pub(super) opens_narrow: bool,
    /// The pane whose figure is to be exported.
    pub(super) exported: Option<PaneId>,
    /// When Tab moved the focus last, in seconds.
    pub(super) tabbed_at: f64,
    /// The layout of the next source, where it was asked for at the start.
    opening: Opening,
    /// The layout that was shown before a signal went to the one that suits it.
    pub(super) way_back: Option<Preset>,
    /// The file of the session that is open.
    pub(super) session_file: Option<PathBuf>,
    /// The file of the list of recent files, if any.
    pub(super) recent_list: Option<PathBuf>,
    pub(super) first_frame: FirstFrame,
}

impl Workspace {
    /// A workspace with the remembered settings, which opens the first of `files`.
    pub fn new(ctx: &Context, memory: Memory, files: Vec<PathBuf>) -> Self {
        set_up(ctx, &memory);
        let repaint = || {
            let ctx = ctx.clone();
            move || ctx.request_repaint()
        };
        let engine = Engine::start(repaint());
        let mut workspace = Self {
            loader: Loader::start(repaint()),
            watch: FileWatch::start(repaint()),
            second: SecondSignal::new(repaint()),
            tasks: Tasks::new(ctx),
            memory,
            content: LayoutContent::default(),
            other_content: HashMap::new(),
            adapters: Vec::new(),
            message: String::new(),
            told_at: None,
            palette: Palette::default(),
            card: None,
            panes: Panes::new(&PaneServices { studies: Studies::of(engine.store()), ..PaneServices::default() }),
            engine,
            active: PaneId::of(&spectrum_image::PANE),
            rects: HashMap::new(),
            raw_prompt: None,
            stream: None,
            pasted: Vec::new(),
            toasts: egui_notify::Toasts::default().with_anchor(egui_notify::Anchor::BottomRight).with_margin(egui::vec2(12.0, 40.0)),
            read_out: String::new(),
            lit_launch: None,
            focus: PlanFocus::default(),
            lesson: lessons::OpenLesson::default(),
            title: String::new(),
            maximised: None,
            opens_narrow: false,
            exported: None,
            tabbed_at: f64::NEG_INFINITY,
            opening: Opening::default(),
            way_back: None,
            session_file: None,
            recent_list: None,
            first_frame: FirstFrame::awaited(Instant::now()),
        };
        workspace.tasks.find_adapters();
        workspace.panes.restore(&workspace.memory.views);
        workspace.note_earlier_run();
        workspace.memory.recent.extend(files.iter().skip(1).cloned());
        let mut others = files.into_iter();
        match others.next() {
            Some(file) if is_session(&file) => match load_session(&file) {
                Ok(memory) => workspace.take_session(ctx, file, memory),
                Err(error) => workspace.show_error(error.to_string()),
            },
            Some(file) if lesson_of(&file).is_some_and(|(name, step)| workspace.show_lesson(ctx, name, step)) => {}
            Some(file) => {
                workspace.content.at_rest = Some(workspace.memory.settings.clone());
                workspace.open_several(std::iter::once(file).chain(others).collect());
            }
            None => {}
        }
        workspace
    }

    /// Counts the time to the first frame from `start`, when the program was started.
    #[must_use]
    pub fn started_at(self, start: Instant) -> Self {
        Self { first_frame: FirstFrame::awaited(start), ..self }
    }

    /// Reads the file that it was started with as samples without a header.
    #[must_use]
    pub fn reading_raw(mut self, raw: Option<RawFormat>) -> Self {
        self.memory.settings.table = raw.map(TableReading::of_raw).or(self.memory.settings.table);
        self
    }

    /// Chooses the layout of the files that it was started with.
    #[must_use]
    pub fn opening(self, opening: Opening) -> Self {
        let is_opened = self.content.is_being_opened(&self.memory.settings.origin);
        Self { opening: if is_opened { opening } else { Opening::default() }, ..self }
    }

    /// The state that outlives the program.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The state with what every pane keeps now.
    pub(super) fn kept_memory(&self) -> Memory {
        let mut kept = Memory { views: self.panes.kept(), ..self.memory.clone() };
        if kept.preset != Preset::Learn {
            kept.sources.keep(&kept.settings, kept.preset);
        }
        kept
    }

    /// The newest report with an outcome.
    pub fn report(&self) -> Option<&Arc<Report>> {
        self.content.answer()
    }

    /// How many transforms have run for what the window shows and studies.
    pub fn n_transforms(&self) -> usize {
        self.engine.store().n_runs()
    }

    /// The last message.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Whether everything that was requested is computed and shown.
    pub fn is_settled(&self) -> bool {
        let answered = match (self.content.answer(), &self.content.sent) {
            _ if self.content.rests => true,
            (Some(report), Some(sent)) => report.request == sent.request,
            _ => {
                self.content.signal.is_none()
                    && self.content.requested_origin.is_some()
                    && self.content.loaded_origin == self.content.requested_origin
            }
        };
        let is_there = self.second.is_settled(&self.memory.settings, self.content.signal.as_ref());
        answered && is_there && self.panes.is_settled() && self.loader.loading().is_none() && self.has_loaded()
    }

    /// Whether the signal is the one that is set, and not one from before.
    pub(super) fn has_loaded(&self) -> bool {
        let settings = &self.memory.settings;
        let is_read = self.content.loaded_origin.as_ref() == Some(&settings.origin) && self.content.loaded_table == settings.table;
        let is_cut = self.content.loaded_slice == settings.slice;
        is_read && is_cut && self.content.loaded_drawing == settings.drawing()
    }

    /// Takes the reports of the threads; the window need not be visible.
    pub fn logic(&mut self, ctx: &Context) {
        if let Some(loaded) = self.loader.take() {
            let (origin, drawing) = loaded.origin;
            match loaded.result {
                Ok((signal, preview)) if drawing.is_empty() => {
                    self.take_signal(origin.clone(), signal, preview);
                    self.content.read_time = Some(loaded.time).filter(|_| self.content.loaded_origin == Some(origin));
                }
                Ok((signal, preview)) => self.take_drawn(&origin, drawing, signal, preview),
                Err(refusal) if self.content.requested_origin.as_ref() == Some(&origin) => self.refuse(origin, refusal),
                // Another origin has been requested since.
                Err(_) => {}
            }
        }
        if let Some(error) = self.second.update(&mut self.memory.settings, self.content.signal.as_ref()) {
            self.show_error(error);
        }
        self.take_report();
        self.take_stream();
        for report in self.tasks.take() {
            match report {
                TaskReport::Adapters(adapters) => self.adapters = adapters,
                TaskReport::Opened(paths) => self.open_chosen(paths),
                TaskReport::Paged(path) => self.page_to(path),
                TaskReport::OpenedSecond(path) => self.memory.settings.second = SecondOrigin::Other(Origin::File(path)),
                TaskReport::Mask(path, file) => self.take_mask(&path, file),
                TaskReport::Boxes(text, boxes) => {
                    self.show_message(text);
                    boxes.into_iter().for_each(|own| self.memory.settings.boxes.add(own));
                }
                TaskReport::PaintedMask(path) => {
                    self.show_message(format!("{}: a mask of the pane Filtered, painted as an image", path.display()));
                    self.memory.settings.filter.painted = Some(PaintedLook { path, off: false });
                }
                TaskReport::Session(path, memory) => self.take_session(ctx, path, *memory),
                TaskReport::SavedSession(path) => {
                    self.show_done(format!("Wrote {}", path.display()));
                    self.session_file = Some(path);
                }
                TaskReport::Done(text) => self.show_done(text),
                TaskReport::Failed(text) => self.show_error(text),
            }
        }
        let shown = if let Some(Origin::File(path)) = &self.content.loaded_origin { Some(path.as_path()) } else { None };
        self.watch.set(shown);
        if self.watch.take() {
            self.reload();
        }
        self.load_signal(ctx);
    }

    /// Reads the signal again from where it came; what is shown stays until then.
    pub(super) fn reload(&mut self) {
        self.content.requested_origin = None;
        // Other layouts that show it take what is read here.
        let is_same = |other: &&mut LayoutContent| other.loaded_origin == self.content.loaded_origin;
        for other in self.other_content.values_mut().filter(is_same) {
            (other.loaded_origin, other.requested_origin) = (None, None);
        }
    }

    /// Opens a file: a session, or a signal.
    pub(super) fn open_file(&mut self, path: PathBuf) {
        match is_session(&path) {
            true => self.tasks.read_session(path),
            false => self.memory.settings.open(Origin::File(path)),
        }
    }

    /// Opens the files that were chosen: one that may be a session, or signals as tabs.
    fn open_chosen(&mut self, mut paths: Vec<PathBuf>) {
        match paths.len() {
            1 => paths.into_iter().for_each(|path| self.open_file(path)),
            _ => {
                paths.retain(|path| !is_session(path));
                self.open_several(paths);
            }
        }
    }

    /// Opens a signal, or several as tabs and shows the first.
    pub(super) fn open_several(&mut self, paths: Vec<PathBuf>) {
        let origins: Vec<Origin> = paths.into_iter().map(Origin::of_argument).collect();
        self.memory.sources.add(&origins);
        origins.into_iter().take(1).for_each(|origin| self.memory.settings.set_origin(origin));
    }

    /// Reports that a signal could not be loaded; the signal that is shown stays.
    fn refuse(&mut self, origin: Origin, refusal: Refusal) {
        (self.content.requested_origin, self.content.awaits_reading) = (self.content.loaded_origin.clone(), false);
        if self.content.loaded_origin.as_ref() != Some(&origin) {
            self.memory.sources.close(&origin);
        }
        self.memory.settings.origin = self.content.loaded_origin.clone().unwrap_or_default();
        self.memory.settings.table = self.content.loaded_table.clone();
        if let Some(before) = self.content.at_rest.as_ref().filter(|before| before.origin == self.memory.settings.origin) {
            SourceSettings::of(before).set(&mut self.memory.settings);
        }
        self.content.followed = Some(self.memory.settings.origin.clone());
        self.content.requested_table = self.memory.settings.table.clone();
        match refusal.may_be_raw {
            true => self.raw_prompt = Some(RawPrompt::new(origin, refusal.words)),
            false => self.show_error(refusal.words),
        }
    }
}

/// Sets what the context keeps: theme, motion, scale, and the most passes of a frame.
fn set_up(ctx: &Context, memory: &Memory) {
    theme::install(ctx);
    ctx.set_theme(memory.theme);
    theme::set_motion(ctx, !memory.reduces_motion);
    ctx.set_zoom_factor(commands::scale_within(memory.scale));
    ctx.options_mut(|options| {
        options.zoom_with_keyboard = false;
        // A result that comes in the second pass of a frame may need a third one for the room beside its axes.
        options.max_passes = MOST_PASSES;
    });
}

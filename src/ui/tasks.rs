//! Tasks that take time while the window goes on: file dialogs, writing files, and the search for adapters.
//!
//! Every task runs on a thread of its own and leaves a report when it is done.

use super::export::{Export, ValueScale, check_screenshot, endings_from, figure_bytes, figure_endings, write_values};
use super::folder::neighbour;
use super::path_prompt::{PathPrompt, Wanted};
use super::session::Memory;
use super::session::{SESSION, load_session, save_session};
use crate::engine::{Job, Store, locked};
use crate::figure::FigureFormat;
use crate::filter::MaskFile;
use crate::gpu::AdapterInfo;
use crate::graph::Handout;
use crate::numerals::counted_as;
use crate::signal::{self, FileFormat, one_line};
use crate::spectra::{BoxFormat, NamedBox, RecordingExtent, read_boxes};
use egui::{ColorImage, Context, Rect};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The report of a task.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum TaskReport {
    /// Files were chosen.
    Opened(Vec<PathBuf>),
    /// A file was chosen to convolve the signal with.
    OpenedSecond(PathBuf),
    /// The file beside the one that is shown.
    Paged(PathBuf),
    /// The adapters of this machine.
    Adapters(Vec<AdapterInfo>),
    /// A session was read from this file.
    Session(PathBuf, Box<Memory>),
    /// A mask was read.
    Mask(PathBuf, MaskFile),
    /// Boxes were read: one line, and they.
    Boxes(String, Vec<NamedBox>),
    /// An image was chosen as a mask.
    PaintedMask(PathBuf),
    /// A session was written to this file.
    SavedSession(PathBuf),
    /// A file was written, or a view copied: one line.
    Done(String),
    /// The task failed: one line.
    Failed(String),
}

/// The tasks that run.
#[derive(Clone)]
pub(super) struct Tasks {
    ctx: Context,
    reports: Arc<Mutex<Vec<TaskReport>>>,
    /// Whether a dialog is open: there is one at a time.
    is_dialog_open: Arc<AtomicBool>,
    dialogs: Dialogs,
}

/// Asks the user for paths: by a dialog of the system, or by a prompt in the window without one.
#[derive(Clone)]
struct Dialogs {
    ctx: Context,
    prompt: Arc<Mutex<Option<PathPrompt>>>,
    /// Whether the prompt is shown whatever dialogs the system has.
    always_prompts: bool,
}

impl Tasks {
    /// No task yet.
    pub(super) fn new(ctx: &Context) -> Self {
        let dialogs = Dialogs { ctx: ctx.clone(), prompt: Arc::default(), always_prompts: false };
        Self { ctx: ctx.clone(), reports: Arc::default(), is_dialog_open: Arc::default(), dialogs }
    }

    /// Shows the prompt for paths from now on, whatever dialogs the system has.
    pub(super) fn prompt_always(&mut self) {
        self.dialogs.always_prompts = true;
    }

    /// Whether the prompt for a path is open; keys belong to it then.
    pub(super) fn is_prompting(&self) -> bool {
        locked(&self.dialogs.prompt).is_some()
    }

    /// Shows the prompt for a path while a task waits for one.
    pub(super) fn prompt_ui(&self, ctx: &Context) {
        let mut prompt = locked(&self.dialogs.prompt);
        if prompt.as_mut().is_some_and(|prompt| !prompt.ui(ctx)) {
            *prompt = None;
            ctx.request_repaint();
        }
    }

    /// The context of the window.
    pub(super) fn context(&self) -> &Context {
        &self.ctx
    }

    /// Dark or light.
    pub(super) fn theme(&self) -> egui::Theme {
        self.ctx.theme()
    }

    /// The reports since the last call.
    pub(super) fn take(&self) -> Vec<TaskReport> {
        std::mem::take(&mut locked(&self.reports))
    }

    /// Lets the user choose files to open.
    pub(super) fn open(&self) {
        self.with_dialog(move |dialogs| {
            let several = |dialog: rfd::AsyncFileDialog| pollster::block_on(dialog.pick_files()).unwrap_or_default();
            let paths = dialogs.existing("Open signals or images", signals(&FileFormat::all_endings()), several, true);
            (!paths.is_empty()).then_some(TaskReport::Opened(paths))
        });
    }

    /// Lets the user choose a second signal.
    pub(super) fn open_second(&self) {
        self.with_dialog(move |dialogs| {
            let path = dialogs.one("Open a second signal", signals(&FileFormat::all_endings()))?;
            Some(TaskReport::OpenedSecond(path))
        });
    }

    /// Lets the user choose a session, and reads it.
    pub(super) fn open_session(&self) {
        self.with_dialog(|dialogs| {
            let path = dialogs.one("Open a session", ("Sessions", &[SESSION]))?;
            Some(read_session(path))
        });
    }

    /// Lets the user choose a mask: shapes are read, and an image is left to the filter, which knows the size that it must have.
    pub(super) fn open_mask(&self) {
        self.with_dialog(|dialogs| {
            let endings: Vec<&str> = std::iter::once(SESSION).chain(FileFormat::all_endings()).collect();
            let path = dialogs.one("Open a mask", ("Masks", &endings))?;
            let is_json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(SESSION));
            Some(if is_json { read_mask(path) } else { TaskReport::PaintedMask(path) })
        });
    }

    /// Lets the user choose a file of boxes of a recording.
    pub(super) fn open_boxes(&self, extent: RecordingExtent) {
        self.with_dialog(move |dialogs| {
            let path = dialogs.one("Open boxes", ("Labels, selections and annotations", &BoxFormat::ENDINGS))?;
            let text = signal::read_own(&path).map_err(|error| error.to_string());
            let read = text.and_then(|bytes| read_boxes(&String::from_utf8_lossy(&bytes), &extent).map_err(|error| error.to_string()));
            Some(match read {
                Ok(read) => {
                    let beside = read.left_out_words().map_or(String::new(), |left_out| format!("; {left_out}"));
                    let n = counted_as(read.boxes.len(), "box", "boxes");
                    TaskReport::Boxes(format!("{}: {n}{beside}", path.display()), read.boxes)
                }
                Err(error) => TaskReport::Failed(format!("cannot read {}: {error}", path.display())),
            })
        });
    }

    /// Looks for the next file in a folder, or the previous one by −1.
    pub(super) fn page(&self, path: PathBuf, step: isize) {
        self.alone(move || neighbour(&path, step).map_or_else(TaskReport::Failed, TaskReport::Paged));
    }

    /// Reads a session.
    pub(super) fn read_session(&self, path: PathBuf) {
        self.alone(move || read_session(path));
    }

    /// Writes a session to the file from which it came.
    pub(super) fn save_session_to(&self, path: PathBuf, memory: Memory) {
        self.alone(move || saved_session(path, &memory));
    }

    /// Lets the user choose a name, and writes a session.
    pub(super) fn save_session(&self, memory: Memory) {
        self.with_dialog(move |dialogs| {
            let path = dialogs.new_path("Save session", &format!("session.{SESSION}"), &[SESSION])?;
            Some(saved_session(path, &memory))
        });
    }

    /// Lets the user choose a name, computes every value of the result and writes them.
    pub(super) fn export_values(&self, job: Job, store: Store, scale: ValueScale) {
        let name = format!("{}.npy", job.transform);
        self.with_dialog(move |dialogs| {
            let path = dialogs.new_path("Export values", &name, &endings_from("npy", |holds| holds.rows))?;
            Some(written(&path, write_values(&job, &store, scale, &path)))
        });
    }

    /// Looks for the adapters of this machine; drivers take their time.
    pub(super) fn find_adapters(&self) {
        self.alone(|| TaskReport::Adapters(crate::gpu::adapters()));
    }

    /// Writes what a pane exports, under a name that the user chooses.
    pub(super) fn export(&self, export: Export) {
        self.with_dialog(move |dialogs| {
            let (title, name, endings) = export.proposal();
            let path = dialogs.new_path(title, &name, &endings)?;
            Some(written(&path, export.save(&path)))
        });
    }

    /// Writes a page that is made first, under a name that the user chooses.
    pub(super) fn export_page(&self, format: FigureFormat, page: impl FnOnce() -> Handout + Send + 'static) {
        self.with_dialog(move |dialogs| {
            let path = dialogs.new_path("Export handout", &format!("handout.{}", format.ending()), &figure_endings(format))?;
            Some(written(&path, figure_bytes(&page().figure(), &path).and_then(|bytes| write(&path, &bytes))))
        });
    }

    /// Copies the part of the window that a pane takes up.
    pub(super) fn copy_view(&self, ctx: &Context, rect: Option<Rect>, title: &'static str) {
        let (reports, copier) = (self.reports.clone(), ctx.clone());
        with_screenshot(ctx, rect, move |part| {
            copier.copy_image(part);
            locked(&reports).push(TaskReport::Done(format!("Copied {title}")));
            copier.request_repaint();
        });
    }

    /// Writes the part of the window that a pane takes up, under a name that the user chooses: for panes that have no figure of their own.
    pub(super) fn export_view(&self, ctx: &Context, rect: Option<Rect>, title: &'static str) {
        let this = self.clone();
        with_screenshot(ctx, rect, move |part| {
            this.with_dialog(move |dialogs| {
                let name = format!("{}.png", title.to_lowercase().replace(' ', "-"));
                let path = dialogs.new_path("Export view", &name, &["png"])?;
                let [columns, rows] = part.size;
                let rgb: Vec<u8> = part.pixels.iter().flat_map(|pixel| [pixel.r(), pixel.g(), pixel.b()]).collect();
                let write = |()| signal::write_image_png(&path, rows, columns, &rgb).map_err(|error| error.to_string());
                Some(written(&path, check_screenshot(&path).and_then(write)))
            });
        });
    }

    /// Runs a task without a dialog.
    fn alone(&self, task: impl FnOnce() -> TaskReport + Send + 'static) {
        let (ctx, reports) = (self.ctx.clone(), self.reports.clone());
        let run = move || {
            locked(&reports).push(task());
            ctx.request_repaint();
        };
        std::thread::Builder::new().name("task".into()).spawn(run).expect("the system starts a thread");
    }

    /// Runs a task that begins with a dialog, unless a dialog is open.
    fn with_dialog(&self, task: impl FnOnce(&Dialogs) -> Option<TaskReport> + Send + 'static) {
        use std::sync::atomic::Ordering::SeqCst;
        if self.is_dialog_open.swap(true, SeqCst) {
            return;
        }
        let Self { ctx, reports, is_dialog_open, dialogs } = self.clone();
        let run = move || {
            let report = task(&dialogs);
            locked(&reports).extend(report);
            is_dialog_open.store(false, SeqCst);
            ctx.request_repaint();
        };
        std::thread::Builder::new().name("task".into()).spawn(run).expect("the system starts a thread");
    }
}

/// The filter of a dialog for signals.
fn signals<'a>(endings: &'a [&'a str]) -> (&'static str, &'a [&'a str]) {
    ("Signals and images", endings)
}

/// The report on a session that was to be read.
fn read_session(path: PathBuf) -> TaskReport {
    match load_session(&path) {
        Ok(memory) => TaskReport::Session(path, Box::new(memory)),
        // Masks are JSON, too.
        Err(error) => match signal::read_own(&path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()) {
            Some(mask) => TaskReport::Mask(path, mask),
            None => TaskReport::Failed(error.to_string()),
        },
    }
}

/// The report on a mask that was to be read.
fn read_mask(path: PathBuf) -> TaskReport {
    let mask = signal::read_own(&path).map_err(|error| error.to_string());
    match mask.and_then(|bytes| serde_json::from_slice(&bytes).map_err(|error| error.to_string())) {
        Ok(mask) => TaskReport::Mask(path, mask),
        Err(error) => TaskReport::Failed(format!("{} is no mask ({}): Save mask writes one", path.display(), one_line(&error))),
    }
}

/// The report on a session that was to be written.
fn saved_session(path: PathBuf, memory: &Memory) -> TaskReport {
    match save_session(memory, &path) {
        Ok(()) => TaskReport::SavedSession(path),
        Err(error) => TaskReport::Failed(error.to_string()),
    }
}

/// The report on a file that was to be written.
fn written(path: &Path, result: Result<(), String>) -> TaskReport {
    match result {
        Ok(()) => TaskReport::Done(format!("Wrote {}", path.display())),
        Err(error) => TaskReport::Failed(error),
    }
}

/// Replaces a file by these bytes, or says why not.
fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    signal::replace(path, |out| out.write_all(bytes)).map_err(|error| error.to_string())
}

/// Passes a part of the window to `then`, at the resolution of the screen.
fn with_screenshot(ctx: &Context, rect: Option<Rect>, then: impl FnOnce(ColorImage) + Send + 'static) {
    let pixels_per_point = ctx.pixels_per_point();
    let cut = move |image: Arc<ColorImage>| {
        let [width, height] = image.size;
        let pixels = |points: f32, side: usize| ((points * pixels_per_point).round().max(0.0) as usize).min(side);
        let whole = Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(f32::INFINITY, f32::INFINITY));
        let rect = rect.unwrap_or(whole);
        let (left, right) = (pixels(rect.left(), width), pixels(rect.right(), width));
        let (top, bottom) = (pixels(rect.top(), height), pixels(rect.bottom(), height));
        then(image.region_by_pixels([left, top], [right - left, bottom - top]));
    };
    ctx.request_screenshot(cut);
}

/// A dialog that ends sooner never opened: nobody cancels so fast.
const SOONEST_CANCEL: Duration = Duration::from_millis(400);

impl Dialogs {
    /// Asks for a file that exists.
    fn one(&self, title: &str, filter: (&str, &[&str])) -> Option<PathBuf> {
        let one = |dialog: rfd::AsyncFileDialog| pollster::block_on(dialog.pick_file()).into_iter().collect();
        self.existing(title, filter, one, false).pop()
    }

    /// Asks for files that exist, by a dialog that `pick` shows.
    fn existing(
        &self,
        title: &str,
        (what, endings): (&str, &[&str]),
        pick: impl FnOnce(rfd::AsyncFileDialog) -> Vec<rfd::FileHandle>,
        several: bool,
    ) -> Vec<PathBuf> {
        let dialog = rfd::AsyncFileDialog::new().set_title(title).add_filter(what, endings).add_filter("All files", &["*"]);
        let wanted = if several { Wanted::Several } else { Wanted::Existing };
        self.paths(|| pick(dialog), || PathPrompt::new(title, "", wanted, Vec::new()))
    }

    /// Asks for a file to write, with one of these endings; the proposed name may have a folder.
    fn new_path(&self, title: &str, name: &str, endings: &[&str]) -> Option<PathBuf> {
        let (folder, file) = name.rsplit_once(std::path::is_separator).unwrap_or(("", name));
        let dialog = rfd::AsyncFileDialog::new().set_title(title).set_file_name(file);
        let dialog = if folder.is_empty() { dialog } else { dialog.set_directory(folder) };
        let dialog = endings.iter().fold(dialog, |dialog, ending| dialog.add_filter(ending.to_uppercase(), &[*ending]));
        let endings: Vec<String> = endings.iter().map(|ending| format!(".{ending}")).collect();
        let title = format!("{title} as {}", endings.join(", "));
        let save = || pollster::block_on(dialog.save_file()).into_iter().collect();
        self.paths(save, || PathPrompt::new(&title, name, Wanted::New, endings)).pop()
    }

    /// The paths from the dialog of the system; without one, from the prompt. None when the user cancels.
    fn paths(
        &self,
        dialog: impl FnOnce() -> Vec<rfd::FileHandle>,
        prompt: impl FnOnce() -> (PathPrompt, Receiver<Vec<PathBuf>>),
    ) -> Vec<PathBuf> {
        let start = Instant::now();
        let chosen = if self.always_prompts { Vec::new() } else { dialog() };
        if !chosen.is_empty() || (!self.always_prompts && start.elapsed() > SOONEST_CANCEL) {
            return chosen.iter().map(|file| file.path().to_owned()).collect();
        }
        let (prompt, answers) = prompt();
        *locked(&self.prompt) = Some(prompt);
        self.ctx.request_repaint();
        answers.recv().unwrap_or_default()
    }
}

//! What takes its time outside the window: file dialogs, and writing what is shown or computed.
//!
//! Every errand runs on a thread of its own and brings news when it is done.

use super::ask::Asked;
use super::memory::Memory;
use super::remedy::in_words;
use super::session::{load_session, save_session};
use crate::engine::{self, Job, locked};
use crate::gpu::AdapterInfo;
use crate::graph;
use crate::plan::LaneValue;
use crate::signal::{self, Channel, FileFormat, Holds, Kind, OutputFormat, Signal};
use crate::wavelet::Thresholding;
use egui::{ColorImage, Context, Rect};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What an errand brings.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum News {
    /// A file was chosen.
    Opened(PathBuf),
    /// A file was chosen that the signal is to be convolved with.
    OpenedSecond(PathBuf),
    /// The adapters of this machine.
    Adapters(Vec<AdapterInfo>),
    /// A session was chosen and read.
    Session(Box<Memory>),
    /// Something was done.
    Done(String),
    /// Something went wrong.
    Failed(String),
}

/// What a pane wants to be done that takes its time.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Wish {
    /// A file of a flow graph.
    Graph {
        /// Which kind of file.
        format: graph::GraphFormat,
        /// What is drawn.
        request: graph::GraphRequest,
        /// The values of every lane after every stage, from the device.
        values: Option<Vec<Vec<LaneValue>>>,
    },
    /// A file that is made already.
    File {
        /// The name that is offered.
        name: String,
        /// Its ending, without the dot.
        ending: &'static str,
        /// What is in it.
        bytes: Vec<u8>,
    },
    /// A file of what thresholding leaves of a signal, in all its channels.
    Thresholded {
        /// The wavelet transform and its samples.
        job: Box<Job>,
        /// How coefficients are thresholded.
        thresholding: Thresholding,
    },
}

/// The errands that are under way.
#[derive(Clone)]
pub(super) struct Errand {
    ctx: Context,
    news: Arc<Mutex<Vec<News>>>,
    /// Only one dialog at a time.
    dialog: Arc<AtomicBool>,
    asker: Asker,
}

/// What finds out paths: a dialog of the system, or a line in the window where there is none.
#[derive(Clone)]
struct Asker {
    ctx: Context,
    asked: Arc<Mutex<Option<Asked>>>,
    /// Whether the window asks at once.
    here: bool,
}

impl Errand {
    /// None under way.
    pub(super) fn new(ctx: &Context) -> Self {
        let asker = Asker { ctx: ctx.clone(), asked: Arc::default(), here: false };
        Self { ctx: ctx.clone(), news: Arc::default(), dialog: Arc::default(), asker }
    }

    /// Asks for paths in the window from now on, whatever dialogs the system has.
    pub(super) fn ask_here(&mut self) {
        self.asker.here = true;
    }

    /// Whether the window asks for a path, which goes before all else.
    pub(super) fn is_asking(&self) -> bool {
        locked(&self.asker.asked).is_some()
    }

    /// Shows the question for a path, where a thread waits for one.
    pub(super) fn asked_ui(&self, ctx: &Context) {
        let mut asked = locked(&self.asker.asked);
        if asked.as_mut().is_some_and(|question| !question.ui(ctx)) {
            *asked = None;
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

    /// What has come since the last time.
    pub(super) fn take(&self) -> Vec<News> {
        std::mem::take(&mut locked(&self.news))
    }

    /// Lets the user choose a file to open; `opened` says what for.
    pub(super) fn open(&self, title: &'static str, opened: fn(PathBuf) -> News) {
        self.with_dialog(move |asker| asker.existing(title, ("Signals and images", &FileFormat::all_endings())).map(opened));
    }

    /// Lets the user choose a session, and reads it.
    pub(super) fn open_session(&self) {
        self.with_dialog(|asker| {
            let path = asker.existing("Open a session", ("Sessions", &[SESSION]))?;
            Some(load_session(&path).map_or_else(|error| News::Failed(error.to_string()), |memory| News::Session(Box::new(memory))))
        });
    }

    /// Lets the user choose a name, and writes what the window remembers.
    pub(super) fn save_session(&self, memory: Memory) {
        self.with_dialog(move |asker| {
            let path = asker.new_path("Save session", &format!("session.{SESSION}"), &[SESSION])?;
            Some(match save_session(&memory, &path) {
                Ok(()) => News::Done(format!("Wrote {}", path.display())),
                Err(error) => News::Failed(error.to_string()),
            })
        });
    }

    /// Lets the user choose a name, computes the whole result and writes it.
    pub(super) fn export_values(&self, job: Job) {
        let name = format!("{}.npy", job.transform);
        self.with_dialog(move |asker| {
            let path = asker.new_path("Export values", &name, &endings_from("npy", |holds| holds.rows))?;
            Some(match values(&job).and_then(|signal| signal::save(&path, &signal).map_err(|error| in_words(&error))) {
                Ok(()) => News::Done(format!("Wrote {}", path.display())),
                Err(error) => News::Failed(error),
            })
        });
    }

    /// Finds out which adapters there are: drivers take their time.
    pub(super) fn find_adapters(&self) {
        let (ctx, news) = (self.ctx.clone(), self.news.clone());
        let find = move || {
            locked(&news).push(News::Adapters(crate::gpu::adapters()));
            ctx.request_repaint();
        };
        std::thread::Builder::new().name("adapters".into()).spawn(find).expect("the system starts a thread");
    }

    /// Does what a pane wants, under a name that the user chooses.
    pub(super) fn grant(&self, wish: Wish) {
        self.with_dialog(move |asker| {
            let (title, name, ending) = match &wish {
                Wish::Graph { format, request, .. } => {
                    let ending = format.ending();
                    ("Export flow graph", format!("{}-{}.{ending}", request.options.transform, request.options.algorithm), ending)
                }
                Wish::File { name, ending, .. } => ("Export", name.clone(), *ending),
                Wish::Thresholded { job, .. } => {
                    let ending = if job.signal.kind == Kind::Picture { "png" } else { "npy" };
                    ("Export what is left", format!("{}-thresholded.{ending}", stem(&job.signal.name)), ending)
                }
            };
            let endings = if matches!(wish, Wish::Thresholded { .. }) { endings_from(ending, |_| true) } else { vec![ending] };
            let path = asker.new_path(title, &name, &endings)?;
            let bytes = match wish {
                Wish::Graph { format, request, values } => {
                    graph::export(format, &request, values.as_deref()).map(String::into_bytes).map_err(|error| error.to_string())
                }
                Wish::File { bytes, .. } => Ok(bytes),
                Wish::Thresholded { job, thresholding } => thresholded_bytes(&job, thresholding, &path),
            };
            let write = |bytes: Vec<u8>| signal::replace(&path, |out| out.write_all(&bytes)).map_err(|error| error.to_string());
            Some(match bytes.and_then(write) {
                Ok(()) => News::Done(format!("Wrote {}", path.display())),
                Err(error) => News::Failed(error),
            })
        });
    }

    /// Copies the part of the window that a pane takes up.
    pub(super) fn copy_view(&self, ctx: &Context, rect: Option<Rect>, title: &'static str) {
        let (news, copier) = (self.news.clone(), ctx.clone());
        with_screenshot(ctx, rect, move |part| {
            copier.copy_image(part);
            locked(&news).push(News::Done(format!("Copied {}", title)));
            copier.request_repaint();
        });
    }

    /// Writes the part of the window that a pane takes up, under a name that the user chooses.
    pub(super) fn export_view(&self, ctx: &Context, rect: Option<Rect>, title: &'static str) {
        let this = self.clone();
        with_screenshot(ctx, rect, move |part| {
            this.with_dialog(move |asker| {
                let name = format!("{}.png", title.to_lowercase().replace(' ', "-"));
                let path = asker.new_path("Export view", &name, &["png"])?;
                let [columns, rows] = part.size;
                let rgb: Vec<u8> = part.pixels.iter().flat_map(|pixel| [pixel.r(), pixel.g(), pixel.b()]).collect();
                Some(match signal::write_image_png(&path, rows, columns, &rgb) {
                    Ok(()) => News::Done(format!("Wrote {}", path.display())),
                    Err(error) => News::Failed(error.to_string()),
                })
            });
        });
    }

    /// Runs an errand that begins with a dialog, unless one is open.
    fn with_dialog(&self, errand: impl FnOnce(&Asker) -> Option<News> + Send + 'static) {
        use std::sync::atomic::Ordering::SeqCst;
        if self.dialog.swap(true, SeqCst) {
            return;
        }
        let (ctx, news, dialog, asker) = (self.ctx.clone(), self.news.clone(), self.dialog.clone(), self.asker.clone());
        let run = move || {
            let brought = errand(&asker);
            locked(&news).extend(brought);
            dialog.store(false, SeqCst);
            ctx.request_repaint();
        };
        std::thread::Builder::new().name("errand".into()).spawn(run).expect("the system starts a thread");
    }
}

/// Does something with a part of the window, at the resolution of the screen.
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

/// The ending of sessions.
const SESSION: &str = "json";
/// A dialog of the system that is gone sooner was never there: nobody cancels so fast.
const SOONEST_CANCEL: Duration = Duration::from_millis(400);

impl Asker {
    /// A file that exists.
    fn existing(&self, title: &str, (what, endings): (&str, &[&str])) -> Option<PathBuf> {
        let dialog = rfd::AsyncFileDialog::new().set_title(title).add_filter(what, endings).add_filter("All files", &["*"]);
        self.path(|| pollster::block_on(dialog.pick_file()), || Asked::new(title, "", false))
    }

    /// A file to be written, of one of these endings.
    fn new_path(&self, title: &str, name: &str, endings: &[&str]) -> Option<PathBuf> {
        let dialog = endings.iter().fold(rfd::AsyncFileDialog::new().set_title(title).set_file_name(name), |dialog, ending| {
            dialog.add_filter(ending.to_uppercase(), &[*ending])
        });
        let endings: Vec<String> = endings.iter().map(|ending| format!(".{ending}")).collect();
        self.path(|| pollster::block_on(dialog.save_file()), || Asked::new(&format!("{title} as {}", endings.join(", ")), name, true))
    }

    /// What the dialog of the system gives; where there is none, what is typed into the window. `None` when the user cancels.
    fn path(
        &self,
        dialog: impl FnOnce() -> Option<rfd::FileHandle>,
        question: impl FnOnce() -> (Asked, Receiver<PathBuf>),
    ) -> Option<PathBuf> {
        let start = Instant::now();
        let chosen = if self.here { None } else { dialog() };
        if chosen.is_some() || (!self.here && start.elapsed() > SOONEST_CANCEL) {
            return chosen.map(|file| file.path().to_owned());
        }
        let (asked, answers) = question();
        *locked(&self.asked) = Some(asked);
        self.ctx.request_repaint();
        answers.recv().ok()
    }
}

/// The endings of the formats that hold what is wanted, `first` in front.
fn endings_from(first: &'static str, wanted: impl Fn(Holds) -> bool) -> Vec<&'static str> {
    let others = OutputFormat::endings_where(wanted).into_iter().filter(|other| *other != first);
    std::iter::once(first).chain(others).collect()
}

/// The name of a file without its ending.
fn stem(name: &str) -> &str {
    Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name)
}

/// What thresholding leaves, as the file of this name holds it.
fn thresholded_bytes(job: &Job, thresholding: Thresholding, path: &Path) -> Result<Vec<u8>, String> {
    let format = OutputFormat::of(path).map_err(|error| in_words(&error))?;
    let left = engine::wavelet::thresholded(job, thresholding, format, &AtomicBool::new(false)).map_err(|error| in_words(&error))?;
    let mut bytes = Vec::new();
    signal::write(&mut bytes, &left, format).map_err(|error| in_words(&error))?;
    Ok(bytes)
}

/// The whole result of a job, in natural order.
fn values(job: &Job) -> Result<Signal, String> {
    let go_on = AtomicBool::new(false);
    let computed = engine::compute(job, &mut engine::Devices::default(), &go_on).map_err(|error| in_words(&error))?;
    let shape = computed.outcome.shape;
    let samples = computed.into_samples(&go_on).map_err(|error| in_words(&error))?;
    let name = format!("{} of {}", job.transform, job.signal.name);
    Ok(Signal::from_channels(name, job.signal.kind, (shape.rows, shape.columns), vec![Channel::new("X", samples)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Cut, DeviceChoice};
    use crate::signal::{Samples, View};
    use crate::transforms::Parameters;
    use crate::wavelet::{Keep, Shrink};

    #[test]
    fn what_thresholding_leaves_is_written_in_all_colours() {
        let colour = |slope: usize| Samples::U8((0..15 * 22).map(|i| (i * slope % 251) as u8).collect());
        let channels: Vec<Channel> = [("red", 3), ("green", 5), ("blue", 7)].map(|(name, slope)| Channel::new(name, colour(slope))).into();
        let job = Job {
            signal: Arc::new(Signal::from_channels("photo.jpg", Kind::Picture, (15, 22), channels.clone())),
            second: None,
            channel: View::Luma,
            transform: "cdf97-2",
            algorithm: None,
            parameters: Parameters::default(),
            cut: Cut::default(),
            device: DeviceChoice::CpuParallel,
            precision: None,
            prefer_plan: false,
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("left.png");
        let left = |share: f64| {
            let thresholding = Thresholding { keep: Keep::Share(share), shrink: Shrink::Hard };
            std::fs::write(&path, thresholded_bytes(&job, thresholding, &path).unwrap()).unwrap();
            signal::load(&path).unwrap()
        };
        let samples = |signal: &Signal| signal.channels.iter().map(|channel| channel.samples.clone()).collect::<Vec<_>>();
        assert_eq!(samples(&left(1.0)), channels.iter().map(|channel| channel.samples.clone()).collect::<Vec<_>>());
        let less = left(0.1);
        assert_eq!((less.rows, less.columns, less.channels.len()), (15, 22, 3));
        assert_ne!(samples(&less), samples(&left(1.0)));
        assert_eq!(stem(&job.signal.name), "photo");
        let refused = thresholded_bytes(&job, Thresholding { keep: Keep::Share(1.0), shrink: Shrink::Hard }, Path::new("left.txt"));
        assert!(refused.unwrap_err().contains("txt"));
    }
}

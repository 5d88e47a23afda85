//! `papillon snapshot`: the window as an image, without a display.

use super::arguments::{from_one, one_of};
use super::progress::Progress;
use super::{Failure, output, say};
use crate::engine::Report;
use crate::signal::generate::Boolean;
use crate::signal::{FileError, RawFormat, ReadOptions};
use crate::ui::{self, Preset, SessionError, Snapshot, SnapshotError, Theme};
use clap::Args;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

/// Writes an image of the window, without a display.
#[derive(Debug, Args)]
pub(super) struct SnapshotArguments {
    /// A file to open, or a function as 'f:x1 & x2'; by default the sample.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How the file stores its samples, if it has no header: as s16,1,44100 or cu8,1,2.4MHz.
    #[arg(long, value_name = "TYPE,CHANNELS,RATE", requires = "files")]
    raw: Option<RawFormat>,
    /// The layout.
    #[arg(long, default_value = "image", value_name = "NAME", value_parser = one_of::<Preset>(), ignore_case = true)]
    preset: Preset,
    /// A session that the window wrote, with its signal, its settings, its panes and its theme.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["files", "preset", "theme"])]
    session: Option<PathBuf>,
    /// A lesson in the layout Learn, by its name in `papillon lesson`.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["files", "preset", "session"])]
    lesson: Option<String>,
    /// The step of the lesson, from 1.
    #[arg(long, value_name = "STEP", default_value = "1", requires = "lesson", value_parser = from_one)]
    step: NonZeroUsize,
    /// Pixels across and down.
    #[arg(long, default_value = "1600x1000", value_name = "WIDTHxHEIGHT")]
    size: Pixels,
    /// dark or light.
    #[arg(long, default_value = "dark", value_name = "NAME", value_parser = one_of::<ThemeName>(), ignore_case = true)]
    theme: ThemeName,
    /// A file that ends in .png, or - for standard output.
    #[arg(short, long, value_name = "OUTPUT.png")]
    output: PathBuf,
}

crate::choice! {
    /// The two themes.
    enum ThemeName {
        /// Light text on a dark ground.
        #[default]
        Dark = "Dark", "dark";
        /// Dark text on a light ground.
        Light = "Light", "light";
    }
}

/// Pixels across and down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pixels([u32; 2]);

impl FromStr for Pixels {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.trim().parse().ok().filter(|&pixels: &u32| pixels > 0);
        let pixels = text.split_once(['x', '×']).and_then(|(width, height)| Some([number(width)?, number(height)?]));
        pixels.map(Self).ok_or_else(|| format!("'{text}' is not a size of an image: take WIDTHxHEIGHT, as 1600x1000"))
    }
}

impl From<SnapshotError> for Failure {
    fn from(error: SnapshotError) -> Self {
        match error {
            SnapshotError::File(error) => error.into(),
            SnapshotError::Size { .. } => Self::Call(error.to_string()),
            other => Self::Work(other.to_string()),
        }
    }
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::File(error) => error.into(),
            other => Self::Work(other.to_string()),
        }
    }
}

pub(super) fn run(arguments: &SnapshotArguments) -> Result<(), Failure> {
    let output = &arguments.output;
    let is_png = output.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
    if !is_png && !output::is_standard(output) {
        return Err(Failure::Call(format!("cannot write {}: the window is written as .png", output.display())));
    }
    output::check(output)?;
    check_raw(&arguments.files, arguments.raw)?;
    let theme = match arguments.theme {
        ThemeName::Dark => Theme::Dark,
        ThemeName::Light => Theme::Light,
    };
    let session = arguments.session.as_deref().map(ui::load_session).transpose()?.map(Box::new);
    let lesson = arguments.lesson.clone().map(|name| (name, arguments.step.get() - 1));
    let wanted = Snapshot {
        preset: arguments.preset,
        size: arguments.size.0,
        theme,
        files: arguments.files.clone(),
        raw: arguments.raw,
        lesson,
        session,
        with_times: false,
    };
    if !output::is_standard(output) {
        return draw(&wanted, output).map(|_| ());
    }
    // The window draws into a file, so standard output gets a copy of a temporary one.
    let beside = std::env::temp_dir().join(format!("papillon-{}.png", std::process::id()));
    draw(&wanted, &beside)?;
    let read = std::fs::read(&beside);
    // The temporary file is not needed any more.
    let _ = std::fs::remove_file(&beside);
    let bytes = read.map_err(|source| FileError::Io { verb: "read", path: beside, source })?;
    output::bytes(output, |out| out.write_all(&bytes))
}

/// Refuses what cannot be samples without a header.
pub(super) fn check_raw(files: &[PathBuf], raw: Option<RawFormat>) -> Result<(), Failure> {
    let is_file = |path: &PathBuf| Boolean::from_argument(path).is_none() && ui::lesson_of(path).is_none() && !ui::is_session(path);
    match files {
        [file] if is_file(file) => Ok(()),
        _ if raw.is_none() => Ok(()),
        _ => Err(Failure::Call("--raw says how one file stores its samples: give that file alone".into())),
    }
}

/// The workspace as it opens, with a signal or a session.
///
/// # Errors
/// When the session cannot be read.
pub(super) fn start(files: Vec<PathBuf>, raw: Option<RawFormat>) -> Result<Snapshot, Failure> {
    let session = files.first().filter(|file| ui::is_session(file)).map(|file| ui::load_session(file)).transpose()?.map(Box::new);
    let files = if session.is_some() { Vec::new() } else { files };
    Ok(Snapshot { preset: Preset::default(), size: [1600, 1000], theme: Theme::Dark, files, raw, lesson: None, session, with_times: true })
}

/// Draws the window into a file, and returns the report of the engine.
pub(super) fn draw(wanted: &Snapshot, path: &Path) -> Result<Option<Arc<Report>>, Failure> {
    let _progress = Progress::start("drawing the window");
    // A broken file is an error here, while the window only shows a message.
    for file in wanted.files.iter().filter(|file| ui::lesson_of(file).is_none()) {
        super::tell_texts(&super::load_as(file, ReadOptions { raw: wanted.raw, ..Default::default() })?, |_| true);
    }
    if let Some(session) = &wanted.session {
        session.settings.check_origins().map_err(Failure::Work)?;
    }
    let report = ui::snapshot(wanted, path)?.report().cloned();
    // The image shows the error in one of its panes only.
    if let Some(Err(error)) = report.as_ref().and_then(|report| report.outcome.as_ref()) {
        say(&error.to_string());
    }
    Ok(report)
}

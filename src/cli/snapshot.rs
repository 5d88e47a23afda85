//! `papillon snapshot`: the window as a picture, without a display.

use super::arguments::{SnapshotArguments, ThemeName};
use super::progress::Progress;
use super::{Failure, output, say};
use crate::engine::Report;
use crate::signal::FileError;
use crate::ui::{self, Preset, SessionError, Snapshot, SnapshotError, Theme};
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
    let theme = match arguments.theme {
        ThemeName::Dark => Theme::Dark,
        ThemeName::Light => Theme::Light,
    };
    let session = arguments.session.as_deref().map(ui::load_session).transpose()?.map(Box::new);
    let wanted = Snapshot { preset: arguments.preset, size: arguments.size.0, theme, files: arguments.files.clone(), session };
    if !output::is_standard(output) {
        return draw(&wanted, output).map(|_| ());
    }
    // The picture is made as a file, so it takes a way round to standard output.
    let beside = std::env::temp_dir().join(format!("papillon-{}.png", std::process::id()));
    draw(&wanted, &beside)?;
    let read = std::fs::read(&beside);
    // Whether it could be read or not, it has served.
    let _ = std::fs::remove_file(&beside);
    let bytes = read.map_err(|source| FileError::Io { verb: "read", path: beside, source })?;
    output::bytes(output, |out| out.write_all(&bytes))
}

/// The workspace as it opens.
pub(super) fn start(files: Vec<PathBuf>) -> Snapshot {
    Snapshot { preset: Preset::default(), size: [1600, 1000], theme: Theme::Dark, files, session: None }
}

/// Draws the window into a file, and gives what the engine reported.
pub(super) fn draw(wanted: &Snapshot, path: &Path) -> Result<Option<Arc<Report>>, Failure> {
    let _progress = Progress::start("drawing the window");
    // The window opens all the same when a file is broken, and says so; a command fails.
    for file in &wanted.files {
        super::load(file)?;
    }
    let report = ui::snapshot(wanted, path)?.report().cloned();
    // The picture shows the panes without a result, and in one of them the reason.
    if let Some(Err(error)) = report.as_ref().and_then(|report| report.outcome.as_ref()) {
        say(&error.to_string());
    }
    Ok(report)
}

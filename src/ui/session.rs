//! A session: a file of everything that the window remembers. The window opens it again, and the command line draws it.

mod memory;

pub use memory::Memory;

use super::origin::{Origin, SecondOrigin};
use super::settings::Settings;
use crate::signal::built_in::BUILT_IN;
use crate::signal::{FileError, one_line, read_own, replace};
use std::path::{Path, PathBuf};

/// The ending of sessions.
pub(super) const SESSION: &str = "json";

/// Whether a file is opened as a session: no signal has this ending.
pub fn is_session(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(SESSION))
}

/// The name of a lesson, and a step from 0, in an argument such as `the-butterfly.lesson` or `the-butterfly.lesson#2`.
pub fn lesson_of(path: &Path) -> Option<(&str, Option<usize>)> {
    let text = path.to_str()?;
    let (text, step) = match text.rsplit_once('#') {
        Some((text, number)) => (text, Some(number.parse::<usize>().ok()?.checked_sub(1)?)),
        None => (text, None),
    };
    let name = text.strip_suffix(".lesson")?;
    let known = crate::lesson::lesson(name)?;
    step.is_none_or(|step| step < known.steps.len()).then_some((name, step))
}

/// The name of the format in the file.
const FORMAT: &str = "papillon session";
/// The version of the format that is written and read.
const VERSION: u32 = 1;

/// Why a session cannot be saved or opened.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file holds something else.
    #[error("{} is no session: {reason}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// A pasted signal is in memory only.
    #[error("a session names the files of its signals, and a pasted signal has no file: save it as a file, and open that first")]
    Pasted,
}

/// The file: its format, and what is remembered.
#[derive(serde::Serialize, serde::Deserialize)]
struct Envelope<M> {
    format: String,
    version: u32,
    window: M,
}

/// Writes everything except the list of recent files. Paths are absolute, so that the session opens from any folder.
///
/// # Errors
/// When a signal was pasted, or the file cannot be written.
pub fn save_session(memory: &Memory, path: &Path) -> Result<(), SessionError> {
    let mut window = Memory { recent: Vec::new(), ..memory.clone() };
    make_whole(&mut window.settings)?;
    // A layout that is not shown begins anew if its signal was pasted.
    window.others.retain(|_, layout| make_whole(&mut layout.settings).is_ok());
    window.sources.retain(|origin| whole_path(origin).is_ok());
    let envelope = Envelope { format: FORMAT.into(), version: VERSION, window };
    let text = serde_json::to_string_pretty(&envelope).expect("settings have a JSON form") + "\n";
    Ok(replace(path, |out| out.write_all(text.as_bytes()))?)
}

/// Makes the paths of the signals absolute.
fn make_whole(settings: &mut Settings) -> Result<(), SessionError> {
    let second = if let SecondOrigin::Other(origin) = &mut settings.second { Some(origin) } else { None };
    std::iter::once(&mut settings.origin).chain(second).try_for_each(whole_path)
}

/// Makes the path of a signal absolute.
fn whole_path(origin: &mut Origin) -> Result<(), SessionError> {
    match origin {
        Origin::Pasted(_) => return Err(SessionError::Pasted),
        Origin::File(path) => *path = std::path::absolute(&*path).unwrap_or_else(|_| path.clone()),
        Origin::Sample(_) | Origin::Generator(_) => {}
    }
    Ok(())
}

/// Reads a session.
///
/// # Errors
/// When the file cannot be read, or holds something else.
pub fn load_session(path: &Path) -> Result<Memory, SessionError> {
    let bytes = read_own(path).map_err(|source| FileError::Io { verb: "read", path: path.to_owned(), source })?;
    parsed(&bytes).map_err(|reason| SessionError::Content { path: path.to_owned(), reason })
}

fn parsed(bytes: &[u8]) -> Result<Memory, String> {
    let envelope: Envelope<serde_json::Value> = serde_json::from_slice(bytes).map_err(|error| match error.is_data() {
        true => format!("it does not say that it is a '{FORMAT}'"),
        false => format!("it is no JSON from line {} on: open a file that Save session wrote", error.line()),
    })?;
    if envelope.format != FORMAT {
        return Err(format!("it does not say that it is a '{FORMAT}'"));
    }
    if envelope.version != VERSION {
        return Err(format!("it has version {}, and this program reads version {VERSION}", envelope.version));
    }
    // The message of the parser is for programmers.
    let memory = Memory::from_json(envelope.window).map_err(|_| "it has settings that this program does not know".to_owned())?;
    match unknown_name(&memory.settings) {
        Some(name) => Err(format!("it names {name}, which this program does not have")),
        None => Ok(memory),
    }
}

/// The sample, transform or algorithm of the settings that this program does not have.
fn unknown_name(settings: &Settings) -> Option<String> {
    let second = if let SecondOrigin::Other(origin) = &settings.second { Some(origin) } else { None };
    let sample = std::iter::once(&settings.origin).chain(second).find_map(|origin| match origin {
        Origin::Sample(name) if BUILT_IN.iter().all(|sample| sample.name != name) => Some(("sample", name)),
        _ => None,
    });
    let transform = settings.transform();
    let unknown_transform = || (transform.name != settings.transform).then_some(("transform", &settings.transform));
    let unknown_algorithm =
        || settings.algorithm.as_ref().filter(|name| transform.algorithm(name).is_err()).map(|name| ("algorithm", name));
    let (kind, name) = sample.or_else(unknown_transform).or_else(unknown_algorithm)?;
    Some(format!("the {kind} '{}'", one_line(name)))
}

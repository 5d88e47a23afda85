//! A session: all that the window remembers as a file, which it opens again and which the command line draws.

use super::layout;
use super::memory::Memory;
use super::origin::{Origin, SecondOrigin};
use crate::signal::{FileError, replace};
use std::path::{Path, PathBuf};

/// What a file of this kind says it is.
const FORMAT: &str = "papillon session";
/// The version of the format that is written and read.
const VERSION: u32 = 1;

/// Why a session is not saved or opened.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Something else than a session.
    #[error("{} is no session: {reason}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// What was pasted is nowhere but in memory.
    #[error("a session tells where signals come from, and what was pasted comes from no file: save it as a file, and open that first")]
    Pasted,
}

/// The file around what is remembered.
#[derive(serde::Serialize, serde::Deserialize)]
struct Envelope<M> {
    format: String,
    version: u32,
    window: M,
}

/// Writes what is remembered, but for the list of recent files; files are named by their whole paths, so that the session opens from everywhere.
///
/// # Errors
/// When a signal was pasted, or the file cannot be written.
pub fn save_session(memory: &Memory, path: &Path) -> Result<(), SessionError> {
    let mut window = Memory { recent: Vec::new(), ..memory.clone() };
    make_whole(&mut window.settings.origin)?;
    if let SecondOrigin::Other(origin) = &mut window.settings.second {
        make_whole(origin)?;
    }
    let envelope = Envelope { format: FORMAT.into(), version: VERSION, window };
    let text = serde_json::to_string_pretty(&envelope).expect("settings have a JSON form") + "\n";
    Ok(replace(path, |out| out.write_all(text.as_bytes()))?)
}

fn make_whole(origin: &mut Origin) -> Result<(), SessionError> {
    match origin {
        Origin::Pasted(_) => return Err(SessionError::Pasted),
        Origin::File(path) => *path = std::path::absolute(&*path).unwrap_or_else(|_| path.clone()),
        Origin::Sample(_) | Origin::Generator(_) => {}
    }
    Ok(())
}

/// Reads what was remembered.
///
/// # Errors
/// When the file cannot be read, or holds something else.
pub fn load_session(path: &Path) -> Result<Memory, SessionError> {
    let bytes = std::fs::read(path).map_err(|source| FileError::Io { verb: "read", path: path.to_owned(), source })?;
    parsed(&bytes).map_err(|reason| SessionError::Content { path: path.to_owned(), reason })
}

fn parsed(bytes: &[u8]) -> Result<Memory, String> {
    let envelope: Envelope<serde_json::Value> = serde_json::from_slice(bytes).map_err(|error| match error.is_data() {
        true => format!("it does not say that it is a '{FORMAT}'"),
        false => format!("it is no JSON from line {} on: take a file that the window wrote by Save session", error.line()),
    })?;
    if envelope.format != FORMAT {
        return Err(format!("it does not say that it is a '{FORMAT}'"));
    }
    if envelope.version != VERSION {
        return Err(format!("it is of version {}, and this program reads version {VERSION}", envelope.version));
    }
    // What is wrong with a setting is told in words for programmers.
    let memory: Memory =
        serde_json::from_value(envelope.window).map_err(|_| "it has settings that this program does not know".to_owned())?;
    let tree = if layout::is_whole(&memory.tree) { memory.tree.clone() } else { memory.preset.tree() };
    Ok(Memory { tree, ..memory })
}

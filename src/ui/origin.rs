//! Where a signal comes from, as it is set, remembered and undone.

use crate::signal::built_in::BUILT_IN;
use crate::signal::generate::{Boolean, Generator};
use crate::signal::{Signal, load, load_bytes};
use std::path::PathBuf;
use std::sync::Arc;

/// A function that reads or generates a signal; its error is one line.
pub(super) type LoadSignal = Arc<dyn Fn() -> Result<Signal, String> + Send + Sync>;

/// Where a signal comes from.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Origin {
    /// A sample in the program, by its name.
    Sample(String),
    /// A formula.
    Generator(Generator),
    /// A file.
    File(PathBuf),
    /// Something pasted or dropped without a path; the number tells one from another, and none outlives the program.
    Pasted(u64),
}

/// The second signal of a convolution.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub enum SecondOrigin {
    /// The signal itself.
    #[default]
    Itself,
    /// Another one.
    Other(Origin),
}

impl Default for Origin {
    fn default() -> Self {
        Self::Sample(BUILT_IN[0].name.to_owned())
    }
}

impl Origin {
    /// The origin in an argument of the command line: a file, or a function after `f:`.
    pub(super) fn of_argument(argument: PathBuf) -> Self {
        match Boolean::from_argument(&argument) {
            Some(function) => Self::Generator(Generator::Boolean(function)),
            None => Self::File(argument),
        }
    }

    /// The name in a list.
    pub fn title(&self) -> String {
        match self {
            Self::Sample(name) => name.clone(),
            Self::Generator(generator) => generator.entry().name.to_owned(),
            Self::File(path) => path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
            Self::Pasted(_) => "Clipboard".to_owned(),
        }
    }

    /// The message of the status bar during loading, and the function that loads; `None` for samples that are in memory only.
    pub(super) fn load(&self) -> Option<(String, LoadSignal)> {
        let title = self.title();
        match self.clone() {
            Self::Sample(name) => {
                let sample = BUILT_IN.iter().find(|sample| sample.name == name).unwrap_or(&BUILT_IN[0]);
                Some((format!("Reading {title}"), Arc::new(|| sample.load().map_err(|error| error.to_string()))))
            }
            Self::Generator(generator) => {
                Some((format!("Making {title}"), Arc::new(move || generator.signal().map_err(|error| error.to_string()))))
            }
            Self::File(path) => Some((format!("Reading {title}"), Arc::new(move || load(&path).map_err(|error| super::remedy::in_words(&error))))),
            Self::Pasted(_) => None,
        }
    }
}

/// Reads bytes that came without a file, as a dropped or pasted text.
pub(super) fn load_from_bytes(name: String, bytes: Vec<u8>) -> LoadSignal {
    Arc::new(move || load_bytes(&name, &bytes).map_err(|error| error.to_string()))
}

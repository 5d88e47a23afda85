//! Where a signal comes from, as it is set, remembered and undone.

use super::remedy::in_words;
use crate::signal::built_in::BUILT_IN;
use crate::signal::generate::{Boolean, Generator};
use crate::signal::{FileError, Reading, Signal, TableOptions, Uneven, Watch, load_as, load_bytes_as};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// A function that reads or generates a signal, and tells how far it is; its error is one line.
pub(super) type LoadSignal = Arc<dyn Fn(&Watch) -> Result<Signal, String> + Send + Sync>;

/// A function that reads a table as it is chosen.
pub(super) type LoadTable = Arc<dyn Fn(&TableReading) -> LoadSignal + Send + Sync>;

/// How the window reads tables.
#[derive(Clone, Default)]
pub(super) struct TableReading {
    /// What was chosen for this table.
    pub chosen: Option<TableOptions>,
    /// What was chosen for tables by their headers.
    pub remembered: Arc<BTreeMap<String, TableOptions>>,
}

impl TableReading {
    /// What the window decides by itself: uneven samples are resampled, and this is said.
    pub(super) fn automatic() -> TableOptions {
        TableOptions { uneven: Some(Uneven::Linear), ..TableOptions::default() }
    }

    /// Reads a signal as it was chosen, or as it was chosen for a table with the same header.
    fn read(&self, watch: &Watch, load: impl Fn(&Reading) -> Result<Signal, FileError>) -> Result<Signal, String> {
        let how = |table: TableOptions| Reading { table, watch: watch.clone() };
        let first = load(&how(self.chosen.clone().unwrap_or_else(Self::automatic))).map_err(|error| in_words(&error))?;
        let header = first.table.as_ref().filter(|_| self.chosen.is_none()).map(|table| table.header());
        let known = header.and_then(|header| self.remembered.get(&header));
        // A table that does not allow what another one did is read as it was.
        Ok(known.and_then(|known| load(&how(known.clone())).ok()).unwrap_or(first))
    }
}

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
    pub(super) fn load(&self, tables: &TableReading) -> Option<(String, LoadSignal)> {
        let title = self.title();
        match self.clone() {
            Self::Sample(name) => {
                let sample = BUILT_IN.iter().find(|sample| sample.name == name).unwrap_or(&BUILT_IN[0]);
                let tables = tables.clone();
                Some((format!("Reading {title}"), Arc::new(move |watch: &Watch| tables.read(watch, |how| sample.load_as(how)))))
            }
            Self::Generator(generator) => {
                Some((format!("Making {title}"), Arc::new(move |_: &Watch| generator.signal().map_err(|error| error.to_string()))))
            }
            Self::File(path) => {
                let tables = tables.clone();
                Some((format!("Reading {title}"), Arc::new(move |watch: &Watch| tables.read(watch, |how| load_as(&path, how)))))
            }
            Self::Pasted(_) => None,
        }
    }
}

/// Reads bytes that came without a file, as a dropped or pasted text; they stay, so that a table can be read in another way.
pub(super) fn load_from_bytes(name: String, bytes: impl Fn() -> Result<Arc<[u8]>, String> + Send + Sync + 'static) -> LoadTable {
    let bytes = Arc::new(bytes);
    Arc::new(move |tables: &TableReading| {
        let (name, bytes, tables) = (name.clone(), bytes.clone(), tables.clone());
        Arc::new(move |watch: &Watch| {
            let bytes = bytes()?;
            tables.read(watch, |how| load_bytes_as(&name, &bytes, how))
        })
    })
}

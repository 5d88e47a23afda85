//! Where a signal comes from, as it is set, remembered and undone.

use super::remedy::in_words;
use crate::engine::logic::MOST_STUDIED;
use crate::logic::SBox;
use crate::signal::built_in::BUILT_IN;
use crate::signal::generate::{Boolean, Generator, Polynomial};
use crate::signal::{
    ChannelChoice, FileError, RawFormat, ReadOptions, Reading, Samples, Signal, SignalKind, Uneven, Watch, load_as, load_bytes_as,
    short_name,
};
use crate::transforms::Scheme;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// A function that reads or generates a signal, and tells how far it is.
pub(super) type LoadSignal = Arc<dyn Fn(&Watch) -> Result<Signal, Refusal> + Send + Sync>;

/// Why there is no signal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// One line.
    pub words: String,
    /// Whether no format recognises the file, so that a person may know how its samples are stored.
    pub may_be_raw: bool,
}

impl From<String> for Refusal {
    fn from(words: String) -> Self {
        Self { words, may_be_raw: false }
    }
}

impl From<FileError> for Refusal {
    fn from(error: FileError) -> Self {
        Self { words: in_words(&error), may_be_raw: matches!(error, FileError::Unrecognised { .. }) }
    }
}

/// A function that reads a table as it is chosen.
pub(super) type LoadTable = Arc<dyn Fn(&TableReading) -> LoadSignal + Send + Sync>;

/// How the window reads tables.
#[derive(Clone, Default)]
pub(crate) struct TableReading {
    /// The reading that was chosen for this table.
    pub chosen: Option<ReadOptions>,
    /// The readings that were chosen for tables, by their headers.
    pub remembered: Arc<BTreeMap<String, ReadOptions>>,
}

impl TableReading {
    /// The decisions of the window: uneven samples are resampled, and long columns are channels; notes say both.
    pub(super) fn automatic() -> ReadOptions {
        ReadOptions { uneven: Some(Uneven::Linear), prefers_tables: true, ..ReadOptions::default() }
    }

    /// The mark of files that are read alike: the header of a table, or the ending of samples without a header. Other files have nothing to choose.
    pub(super) fn key(signal: &Signal) -> Option<String> {
        signal.table.as_ref().map(|table| table.header()).or_else(|| signal.raw.map(|_| Self::raw_key(&signal.name)))
    }

    /// The mark of files of samples without a header that are read alike.
    fn raw_key(name: &str) -> String {
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        format!("samples without a header\t{}", ending.to_lowercase())
    }

    /// How a signal was read that has something to choose.
    pub(super) fn used(signal: &Signal) -> Option<ReadOptions> {
        signal.table.as_ref().map(|table| table.options.clone()).or_else(|| signal.raw.map(Self::of_raw))
    }

    /// How samples without a header are read.
    pub(super) fn of_raw(raw: RawFormat) -> ReadOptions {
        ReadOptions { raw: Some(raw), ..Self::automatic() }
    }

    /// Reads a signal as it was chosen, or as it was chosen for a file with the same header or ending.
    fn read(&self, watch: &Watch, load: impl Fn(&Reading) -> Result<Signal, FileError>) -> Result<Signal, Refusal> {
        let how = |options: ReadOptions| Reading { options, watch: watch.clone() };
        let remembered = |key: String| self.remembered.get(&key).filter(|_| self.chosen.is_none());
        let first = match load(&how(self.chosen.clone().unwrap_or_else(Self::automatic))) {
            Err(FileError::Unrecognised { name, .. }) if let Some(known) = remembered(Self::raw_key(&name)) => {
                return Ok(load(&how(known.clone()))?);
            }
            first => first?,
        };
        let known = Self::key(&first).and_then(remembered);
        // A file that does not allow what another one did is read as it was.
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

/// The second signal of a convolution or a filter.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub enum SecondOrigin {
    /// The signal itself.
    #[default]
    Itself,
    /// Another one.
    Other(Origin),
    /// The factors of the mask of the pane *Filtered*.
    Mask,
}

impl Origin {
    /// The folder of a file, for what is written beside it; empty without one.
    pub(super) fn folder(&self) -> PathBuf {
        if let Self::File(path) = self { path.parent().unwrap_or(path).to_owned() } else { PathBuf::new() }
    }
}

impl Default for Origin {
    fn default() -> Self {
        Self::Sample(BUILT_IN[0].name.to_owned())
    }
}

impl Origin {
    /// The scheme of a polynomial.
    pub(super) fn scheme(&self) -> Option<Scheme> {
        match self {
            Self::Generator(Generator::Polynomial(polynomial)) => Some(polynomial.scheme),
            _ => None,
        }
    }

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
            Self::Generator(Generator::Polynomial(Polynomial { scheme, .. })) if *scheme != Scheme::None => {
                format!("{} polynomial", scheme.title())
            }
            Self::Generator(generator) => generator.entry().name.to_owned(),
            Self::File(path) => path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
            Self::Pasted(_) => "Clipboard".to_owned(),
        }
    }

    /// The message of the status bar during loading, and the function that loads; `None` for samples that are in memory only.
    pub(super) fn load(&self, tables: &TableReading) -> Option<(String, LoadSignal)> {
        let title = short_name(&self.title());
        match self.clone() {
            Self::Sample(name) => {
                let sample = BUILT_IN.iter().find(|sample| sample.name == name).unwrap_or(&BUILT_IN[0]);
                let tables = tables.clone();
                Some((format!("Reading {title}"), Arc::new(move |watch: &Watch| tables.read(watch, |how| sample.load_as(how)))))
            }
            Self::Generator(generator) => {
                Some((format!("Making {title}"), Arc::new(move |_: &Watch| generator.signal().map_err(|error| error.to_string().into()))))
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

/// Samples that are in memory already.
pub(super) fn load_signal(signal: Arc<Signal>) -> LoadTable {
    Arc::new(move |_: &TableReading| {
        let signal = signal.clone();
        Arc::new(move |_: &Watch| Ok(Signal::clone(&signal)))
    })
}

/// Whether a signal is short enough for a Boolean function.
pub(super) fn is_short(signal: &Signal) -> bool {
    signal.columns <= 1 << MOST_STUDIED
}

/// Whether a signal was meant as a Boolean function or an S-box.
pub(super) fn is_logic(origin: &Origin, signal: &Signal) -> bool {
    is_truth_table(origin, signal) || column(origin, signal).is_some_and(is_permutation)
}

/// Whether a signal holds the values of a Boolean function. Bytes of 0 and 1 come from PLA files, lines of digits and arrays of bits.
pub(super) fn is_truth_table(origin: &Origin, signal: &Signal) -> bool {
    let are_bytes = signal.channels.first().is_some_and(|channel| matches!(channel.samples, Samples::U8(_)));
    matches!(origin, Origin::Generator(Generator::Boolean(_)))
        || is_short(signal) && are_bytes && signal.as_logic(ChannelChoice::default()).is_some_and(|reading| reading.function.is_some())
        || column(origin, signal).is_some_and(are_bits)
}

/// The numbers of a file, or of the clipboard, that is one column of 2^n whole numbers without times, at least four.
fn column<'a>(origin: &Origin, signal: &'a Signal) -> Option<&'a [i64]> {
    let is_file = matches!(origin, Origin::File(_) | Origin::Pasted(_));
    let has_times = signal.axis.is_some();
    let is_column = signal.kind == SignalKind::Rows && signal.rows == 1 && is_short(signal) && !has_times;
    match &signal.channels[..] {
        [channel] if is_file && is_column && signal.columns >= 4 && signal.columns.is_power_of_two() => match &channel.samples {
            Samples::I64(values) => Some(values),
            _ => None,
        },
        _ => None,
    }
}

/// Whether there are zeros and ones and nothing else. A constant is silence rather than a function.
fn are_bits(values: &[i64]) -> bool {
    values.iter().all(|value| matches!(value, 0 | 1)) && values.contains(&0) && values.contains(&1)
}

/// Whether each number from 0 on occurs once, not in the order of counting, which is a ramp or an index.
fn is_permutation(values: &[i64]) -> bool {
    !values.is_sorted() && SBox::from_samples(values).is_some_and(|sbox| sbox.m() == sbox.n() && sbox.balanced())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_bits_and_permutations_are_logic_and_others_are_signals() {
        let file = Origin::File("column.csv".into());
        let is_logic_in = |values: &[i64]| is_logic(&file, &Signal::row("column", Samples::I64(values.to_vec())));
        for values in [&[0, 1, 1, 0][..], &[1, 0, 0, 0, 0, 0, 0, 0], &[3, 0, 2, 1], &[1, 0, 2, 3, 7, 6, 5, 4]] {
            assert!(is_logic_in(values), "{values:?}");
        }
        for values in
            [&[0, 1][..], &[1, 0], &[0, 1, 1], &[1, -1, 1, 1], &[0, 0, 0, 0], &[1, 1, 1, 1], &[0, 1, 2, 3], &[0, 2, 2, 1], &[4, 1, 2, 3]]
        {
            assert!(!is_logic_in(values), "{values:?}");
        }
        let countdown = |n: i64| is_logic_in(&(0..1 << n).rev().collect::<Vec<_>>());
        assert!(countdown(16) && !countdown(17), "an S-box has at most 16 bits");
        assert!(!is_logic(&Origin::default(), &Signal::row("column", Samples::I64(vec![0, 1, 1, 0]))), "it is no file");
    }
}

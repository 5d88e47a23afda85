//! Errors of files: which file, what is wrong, and as remedies what to do. Every message is one line.

use crate::numerals::bytes;
use crate::remedy::{Remedies, Remedy};
use std::fmt::Display;
use std::path::PathBuf;

/// The reason why a file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The operating system refused.
    #[error("cannot {verb} {}: {}", one_line(&path.display().to_string()), reason(source))]
    Io {
        /// "read", "write" or "lock".
        verb: &'static str,
        /// The file.
        path: PathBuf,
        /// The message of the operating system.
        source: std::io::Error,
    },
    /// The file has no bytes.
    #[error("{name} is empty: there is nothing to transform")]
    Empty {
        /// Name of the file.
        name: String,
    },
    /// No format recognises the content.
    #[error("{name} is not a file that Papillon reads: {found}; it reads {}", listed(known))]
    Unrecognised {
        /// Name of the file.
        name: String,
        /// The likely kind of the content.
        found: String,
        /// The names of the formats that are read.
        known: Vec<&'static str>,
    },
    /// The content is shorter than the mark that it begins.
    #[error("{name} is only the beginning of a file; it is truncated")]
    Beginning {
        /// Name of the file.
        name: String,
    },
    /// The format is known, and is not read.
    #[error("{name} is {what}, which Papillon does not read")]
    Foreign {
        /// Name of the file.
        name: String,
        /// Its name with its article.
        what: &'static str,
        /// The remedy.
        remedy: Remedy,
    },
    /// The format is known, but the content is damaged or unsupported.
    #[error("cannot read {name} as {format}: {cause}")]
    Content {
        /// Name of the file.
        name: String,
        /// The name of the format that its content has.
        format: &'static str,
        /// The problem.
        cause: Cause,
    },
    /// The ending names no format that is written.
    #[error("cannot write {name}: {}", if ending.is_empty() { "the name has no ending that names a format".to_owned() } else { format!("“.{ending}” is not written") })]
    UnknownEnding {
        /// Name of the output.
        name: String,
        /// The ending, without the dot.
        ending: String,
        /// The endings that are known.
        known: Vec<&'static str>,
    },
    /// The signal does not fit the output format.
    #[error("cannot write {name}: {format} {misfit}")]
    Unsuitable {
        /// Name of the output.
        name: String,
        /// Name of the format.
        format: &'static str,
        /// The data that do not fit.
        misfit: Misfit,
        /// The endings of formats that hold the signal.
        others: Vec<&'static str>,
    },
}

/// The part of a signal that a format cannot hold. The message goes on from the name of the format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    /// It has no samples.
    #[error("holds at least one sample, and here is none")]
    Empty,
    /// Complex samples.
    #[error("holds no complex numbers")]
    Complex,
    /// Real numbers, in samples of the type of this name.
    #[error("holds whole numbers of 8 or 16 bits, and these samples are {0}")]
    Reals(&'static str),
    /// This number of rows, more than one.
    #[error("holds a single row, and here are {0} rows")]
    Rows(usize),
    /// This number of channels that are not red, green and blue.
    #[error("holds one channel or red, green and blue, and here are {0}")]
    Channels(usize),
    /// This number of channels of several rows each, or of complex samples.
    #[error("holds one channel of several rows or of complex numbers, and here are {0}")]
    RowsOfChannels(usize),
    /// Channels whose samples have different types.
    #[error("holds samples of one type, and these channels have several")]
    MixedTypes,
    /// Rows that would be read back as one.
    #[error("would be read back as one signal: it has {rows} rows of {columns}")]
    NarrowRows {
        /// Number of rows.
        rows: usize,
        /// Samples of a row, one or two.
        columns: usize,
    },
    /// More than the format takes, in words such as "4 GiB".
    #[error("holds less than {0}, and the signal is larger")]
    TooLarge(&'static str),
}

impl Remedies for FileError {
    fn remedies(&self) -> Vec<Remedy> {
        let formats = |endings: &[&'static str]| if endings.is_empty() { None } else { Some(Remedy::Formats(endings.to_vec())) };
        match self {
            Self::UnknownEnding { known, .. } => formats(known).into_iter().collect(),
            Self::Unsuitable { misfit: Misfit::Channels(_) | Misfit::RowsOfChannels(_) | Misfit::MixedTypes, others, .. } => {
                [Remedy::OneChannel].into_iter().chain(formats(others)).collect()
            }
            Self::Unsuitable { others, .. } => formats(others).into_iter().collect(),
            Self::Content { cause, .. } => cause.remedies(),
            Self::Foreign { remedy, .. } => vec![remedy.clone()],
            Self::Beginning { .. } => vec![Remedy::Advice("take another copy of it")],
            Self::Unrecognised { .. } => vec![Remedy::Raw],
            _ => Vec::new(),
        }
    }
}

/// Names in a sentence, as "PNG, JPEG and TIFF".
fn listed(names: &[&str]) -> String {
    match names.split_last() {
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// A problem with the content of a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Cause {
    /// The data break the rules of the format.
    #[error("{0}")]
    Malformed(String),
    /// The content is valid, but of a kind that is not read.
    #[error("{0}")]
    Unsupported(String),
    /// The header claims a size that does not fit into memory.
    #[error("it claims {claim}, which takes {} where {} are free", size(*.needed), size(*.limit))]
    TooLarge {
        /// The claim of the header, such as "100000×100000 pixels".
        claim: String,
        /// Number of bytes that it would take.
        needed: u128,
        /// Number of bytes that may be taken.
        limit: u128,
    },
    /// A table does not allow what was decided about it.
    #[error("{what}")]
    Choice {
        /// The obstacle.
        what: String,
        /// The decision that helps.
        remedies: Vec<Remedy>,
    },
    /// Reading was given up.
    #[error("reading was given up")]
    Cancelled,
}

impl Remedies for Cause {
    fn remedies(&self) -> Vec<Remedy> {
        if let Self::Choice { remedies, .. } = self { remedies.clone() } else { Vec::new() }
    }
}

impl Cause {
    /// A table that does not allow what was decided about it.
    pub(super) fn choice(what: impl ToString, remedies: impl Into<Vec<Remedy>>) -> Self {
        Self::Choice { what: one_line(&what.to_string()), remedies: remedies.into() }
    }

    /// A malformed file; the text of a decoder becomes one line.
    pub(super) fn malformed(what: impl ToString) -> Self {
        Self::Malformed(one_line(&what.to_string()))
    }

    /// An unsupported kind of file; the text of a decoder becomes one line.
    pub(super) fn unsupported(what: impl ToString) -> Self {
        Self::Unsupported(one_line(&what.to_string()))
    }

    /// A file whose checksums or structure say that its bytes are not those that were written.
    pub(super) fn damaged(reason: impl Display) -> Self {
        Self::Malformed(format!("its data are damaged: {}; take another copy of it", plain_words(&reason.to_string())))
    }

    /// A file that a decoder gives up on, in the words of the decoder.
    pub(super) fn undecodable(words: impl Display) -> Self {
        let words = words.to_string();
        log::debug!("a decoder says: {words}");
        let has = |word: &str| words.to_lowercase().contains(word);
        if has("unexpected end") {
            return Self::truncated("it ends in the middle of its data");
        }
        if has("crc") || has("checksum") {
            return Self::damaged("a checksum does not match");
        }
        Self::Malformed(format!("it cannot be decoded (“{}”); save it again with another program", plain_words(&words)))
    }

    /// A file in which a decoder panics. What it says helps only who knows the decoder.
    pub(super) fn fault(words: &str) -> Self {
        log::debug!("a decoder says: {words}");
        Self::Malformed("its decoder fails on it; save it again with another program, or in another format".to_owned())
    }

    /// A file of a kind that a decoder does not know, in the words of the decoder; `instead` says what to do.
    pub(super) fn foreign(words: impl Display, instead: &str) -> Self {
        Self::Unsupported(format!("it is of a kind that is not read (“{}”); {instead}", plain_words(&words.to_string())))
    }

    /// A file that ends before the data that its header announces.
    pub(super) fn truncated(what: &str) -> Self {
        Self::Malformed(format!("the file is truncated: {what}"))
    }
}

/// The words of a decoder as a person writes them: without the names of types, quotation marks and numbers in hexadecimal.
fn plain_words(words: &str) -> String {
    const MOST: usize = 100;
    let mut text = words.to_owned();
    // "ChunkType { type: IDAT, critical: true }" is "IDAT".
    while let Some((before, rest)) = text.split_once('{')
        && let Some((fields, after)) = rest.split_once('}')
    {
        let first = fields.split(',').next().unwrap_or_default();
        let value = first.rsplit(':').next().unwrap_or_default().trim();
        let before = before.trim_end().trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
        text = format!("{before}{value}{after}");
    }
    // Numbers in hexadecimal, and what leads to them, help nobody.
    if let Some((before, _)) = text.split_once("0x") {
        text = before[..before.rfind([':', ',']).unwrap_or(before.len())].to_owned();
    }
    let marks = ['{', '}', '(', ')', '[', ']', '"', '\'', '`', '“', '”', '\\'];
    let words = text.split(|c: char| c.is_whitespace() || marks.contains(&c)).filter(|word| !word.is_empty());
    let words = words.map(|word| match word.rsplit("::").next().unwrap_or(word) {
        "Some" => String::new(),
        "None" => "none".to_owned(),
        other if other.starts_with("Error") => other.replacen('E', "e", 1),
        other => other.to_owned(),
    });
    let mut line = one_line(&words.collect::<Vec<_>>().join(" "));
    if let Some((end, _)) = line.char_indices().nth(MOST) {
        line.truncate(end);
        line.push('…');
    }
    line.trim_end_matches(['.', ':']).to_owned()
}

/// Input in a message: without line breaks and control characters, and at most 200 characters. No more of a long text is looked at.
pub fn one_line(text: &str) -> String {
    const MOST: usize = 200;
    let mut line = String::new();
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        line.extend((!line.is_empty()).then_some(' '));
        line.extend(word.chars().take(MOST + 1));
        if let Some((end, _)) = line.char_indices().nth(MOST) {
            line.truncate(end);
            line.push('…');
            break;
        }
    }
    line
}

fn reason(error: &std::io::Error) -> String {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        ErrorKind::PermissionDenied => "permission denied; check who may access it".to_owned(),
        ErrorKind::IsADirectory => "it is a folder; name a file inside it".to_owned(),
        _ => one_line(&error.to_string()),
    }
}

/// A number of bytes with its unit; the largest ones count as 16 EiB.
fn size(n: u128) -> String {
    bytes(u64::try_from(n).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoders_speak_without_their_source() {
        for (words, plain) in [
            ("Chunk ChunkType { type: gAMA, critical: false } is invalid after IDAT chunk.", "Chunk gAMA is invalid after IDAT chunk"),
            ("compression method Unknown(34676) is unsupported", "compression method Unknown 34676 is unsupported"),
            (
                "tag `PhotometricInterpretation` did not have\n the expected value type",
                "tag PhotometricInterpretation did not have the expected value type",
            ),
            ("unsupported planar configuration “Some(Planar)”", "unsupported planar configuration Planar"),
            ("Error parsing image. Illegal start bytes: 0xFFD8", "error parsing image. Illegal start bytes"),
            ("Invalid signature: expected 0x12ab, got 0x0", "Invalid signature"),
            ("std::io::Error: {broken", "error: broken"),
        ] {
            assert_eq!(plain_words(words), plain);
        }
        assert!(plain_words(&"many words ".repeat(50)).chars().count() <= 101);
    }
}

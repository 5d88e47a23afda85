//! What can be wrong with a file, in one line each: which file, what is wrong, and what to do.

use std::path::PathBuf;

/// A file format that Papillon knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, strum::Display, strum::EnumIter)]
pub enum Format {
    /// Portable Network Graphics.
    #[strum(to_string = "PNG")]
    Png,
    /// JPEG pictures: gray, YCbCr, RGB, CMYK, YCCK.
    #[strum(to_string = "JPEG")]
    Jpeg,
    /// Tagged image files, 8, 16, 32 and 64 bits.
    #[strum(to_string = "TIFF")]
    Tiff,
    /// Windows bitmaps.
    #[strum(to_string = "BMP")]
    Bmp,
    /// WebP pictures.
    #[strum(to_string = "WebP")]
    WebP,
    /// The first frame of a GIF.
    #[strum(to_string = "GIF")]
    Gif,
    /// One array of numpy.
    #[strum(to_string = "NPY")]
    Npy,
    /// An archive of numpy arrays.
    #[strum(to_string = "NPZ")]
    Npz,
    /// Numbers as text: CSV, TSV, blanks.
    #[strum(to_string = "CSV or text")]
    Text,
    /// Boolean functions as espresso reads them.
    #[strum(to_string = "PLA")]
    Pla,
    /// Matrices and arrays of the Matrix Market.
    #[strum(to_string = "Matrix Market")]
    MatrixMarket,
    /// RIFF WAVE recordings.
    #[strum(to_string = "WAV")]
    Wav,
    /// Free lossless audio.
    #[strum(to_string = "FLAC")]
    Flac,
    /// MPEG audio, layer 3.
    #[strum(to_string = "MP3")]
    Mp3,
    /// Ogg Vorbis.
    #[strum(to_string = "OGG")]
    Ogg,
}

/// Why a file could not be read or written. Every message is one line.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The operating system refused.
    #[error("cannot {verb} {}: {}", one_line(&path.display().to_string()), reason(source))]
    Io {
        /// "read" or "write".
        verb: &'static str,
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// The file has no bytes.
    #[error("{name} is empty: there is nothing to transform")]
    Empty {
        /// Name of the file.
        name: String,
    },
    /// The content is none of the formats.
    #[error(
        "{name} is not a file that Papillon reads: {found}; it reads PNG, JPEG, TIFF, BMP, WebP, GIF, NPY, NPZ, CSV, TSV, MTX, PLA, WAV, FLAC, MP3 and OGG"
    )]
    Unrecognised {
        /// Name of the file.
        name: String,
        /// What it seems to be.
        found: String,
    },
    /// The format is known, but the content is not as it should be.
    #[error("cannot read {name} as {format}: {cause}")]
    Content {
        /// Name of the file.
        name: String,
        /// What its content says that it is.
        format: Format,
        /// What is wrong.
        cause: Cause,
    },
    /// The signal does not fit the output format.
    #[error("cannot write {name}: {problem}")]
    Unsuitable {
        /// Name of the output.
        name: String,
        /// Why, and which format would do.
        problem: String,
    },
}

/// What is wrong with the content of a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Cause {
    /// The data break the rules of the format.
    #[error("{0}")]
    Malformed(String),
    /// Valid, but of a kind that is not read.
    #[error("{0}")]
    Unsupported(String),
    /// What the header claims does not fit into memory.
    #[error("it claims {claim}, which takes {} where {} are free", bytes(*.needed), bytes(*.limit))]
    TooLarge {
        /// The claim of the header, such as "100000×100000 pixels".
        claim: String,
        /// Bytes that it would take.
        needed: u128,
        /// Bytes that may be taken.
        limit: u128,
    },
}

impl Cause {
    /// A malformed file, with the words of a decoder brought into one line.
    pub(super) fn malformed(what: impl ToString) -> Self {
        Self::Malformed(one_line(&what.to_string()))
    }

    /// An unsupported kind of file, with the words of a decoder brought into one line.
    pub(super) fn unsupported(what: impl ToString) -> Self {
        Self::Unsupported(one_line(&what.to_string()))
    }

    /// A file that a decoder gives up on. Its words are for those who know how it works, and go to the log.
    pub(super) fn damaged(words: impl std::fmt::Debug) -> Self {
        log::debug!("a decoder says: {words:?}");
        Self::Malformed("its data are damaged; take another copy of it, or save it again".to_owned())
    }

    /// A file of a kind that a decoder does not know, with a word on what to do.
    pub(super) fn foreign(words: impl std::fmt::Debug, instead: &str) -> Self {
        log::debug!("a decoder says: {words:?}");
        Self::Unsupported(format!("it is of a kind that is not read; {instead}"))
    }

    /// The file ends before what its header announces.
    pub(super) fn truncated(what: &str) -> Self {
        Self::Malformed(format!("the file is truncated: {what}"))
    }
}

/// Text of others without line breaks and control characters, and not longer than a line.
pub(super) fn one_line(text: &str) -> String {
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words,
    }
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

/// A number of bytes with a unit that a person reads.
fn bytes(n: u128) -> String {
    const UNITS: [&str; 7] = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut value = n as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{n} bytes") } else { format!("{value:.1} {}", UNITS[unit]) }
}

//! The table of file formats. A new format is a file in this folder and a line in [`FORMATS`].
//!
//! A row names the endings of a format, recognises its content, decodes it and, where it is written, encodes it.
//! Decoders keep what a file holds: 16 bits stay 16 bits, and a change on the way (a palette, transparency, CMYK) is in [`Signal::notes`].

mod aiff;
mod au;
mod audio;
mod bitmap;
mod caf;
mod dicom;
mod directory;
mod fits;
mod foreign;
pub(super) mod gzip;
mod jpeg;
mod matrix_market;
mod metadata;
mod mp4;
mod mpeg;
mod nifti;
mod npy;
mod npz;
mod numbers;
mod opus;
mod orientation;
mod pixels;
mod pla;
mod png;
mod pnm;
mod raw;
mod recording;
pub(super) mod sigmf;
mod stream_head;
mod text;
mod tiff;
mod wav;
mod wave64;

pub use matrix_market::RIGHT_SIDE_NOTE;
pub use npz::write_npz;
pub use png::{encode_image_png, write_image_png};
pub(super) use raw::{RAW, guess, guessed};
pub(super) use stream_head::Head as WavHead;
pub use text::SYSTEM_NOTE;
pub use wav::DEFAULT_RATE_HZ;
pub(super) use wav::WAV;

use super::error::{Cause, FileError, Misfit, one_line};
use super::reading::{Content, Reading};
use super::{Samples, Signal};
use foreign::Foreign;
use std::io::{self, Write};
use std::path::Path;

/// All formats. Content belongs to the first row that recognises it, so text, which recognises most, comes last.
pub static FORMATS: &[&FileFormat] = &[
    &png::PNG,
    &jpeg::JPEG,
    // Its first bytes are free, and often those of a TIFF.
    &dicom::DICOM,
    &tiff::TIFF,
    &bitmap::WEBP,
    &bitmap::GIF,
    &bitmap::BMP,
    &pnm::PNM,
    &pnm::PFM,
    &fits::FITS,
    &nifti::NIFTI,
    &npy::NPY,
    &npz::NPZ,
    &WAV,
    &wave64::WAVE64,
    &aiff::AIFF,
    &audio::FLAC,
    &audio::MP3,
    &audio::OGG,
    &audio::MP4,
    &audio::AAC,
    &caf::CAF,
    &au::AU,
    &RAW,
    &sigmf::SIGMF,
    &matrix_market::MATRIX_MARKET,
    &pla::PLA,
    &text::TEXT,
];

/// Formats of plain samples, whose header tells the place of each sample: a large file of them is not read as a whole.
static PLAIN: [&FileFormat; 6] = [&WAV, &wave64::WAVE64, &aiff::AIFF, &caf::CAF, &au::AU, &npy::NPY];

/// A file format: a row of [`FORMATS`].
#[derive(Debug)]
pub struct FileFormat {
    /// The name in messages.
    pub name: &'static str,
    /// Endings of file names without the dot, the usual one first.
    pub endings: &'static [&'static str],
    /// A file begins with one of these; empty where `is_content` decides alone.
    marks: &'static [&'static [u8]],
    /// Whether content that begins with a mark is of this format.
    is_content: fn(&[u8]) -> bool,
    /// The signal in the content of a file, read as a person decides.
    decode: fn(&Content, &Reading) -> Decoded,
    /// How a signal is written; `None` for a format that is only read.
    pub output: Option<OutputFormat>,
}

/// A format that signals are written in.
#[derive(Debug)]
pub struct OutputFormat {
    /// The name in messages.
    pub name: &'static str,
    /// Endings that name it, without the dot, the usual one first.
    pub endings: &'static [&'static str],
    /// Its content.
    pub holds: Holds,
    /// Refuses what only this format cannot hold: sizes and mixtures of types.
    fits: fn(&Signal) -> Result<(), Misfit>,
    encode: fn(&mut dyn Write, &Signal) -> io::Result<()>,
}

/// The samples that a format holds besides one channel of integers from 0 to 65,535.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holds {
    /// Real numbers: fractions, and values beyond 16 bits.
    pub reals: bool,
    /// Complex numbers.
    pub complex: bool,
    /// Several rows.
    pub rows: bool,
    /// Several channels that are not red, green and blue.
    pub channels: bool,
    /// A sample rate.
    pub sample_rate: bool,
    /// Whether programs for images open it.
    pub is_image: bool,
}

/// The result of a decoder; [`load_bytes`](super::load_bytes) adds the name.
type Decoded = Result<Signal, Cause>;

impl FileFormat {
    /// The format of the content of a file of this name.
    ///
    /// # Errors
    /// When it is of none that is read; the message says what it is, where that is known.
    pub fn recognise(name: &str, bytes: &[u8]) -> Result<&'static Self, FileError> {
        let row = FORMATS.iter().copied().find(|format| format.recognises(bytes));
        // A mark is surer than what a few bytes look like.
        if let Some(format) = row.filter(|format| !format.marks.is_empty()) {
            return Ok(format);
        }
        if let Some(foreign) = Foreign::of(bytes) {
            return Err(foreign.error(name.to_owned()));
        }
        if is_beginning(bytes) {
            return Err(FileError::Beginning { name: name.to_owned() });
        }
        let first = || bytes.iter().take(8).map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
        row.ok_or_else(|| FileError::Unrecognised {
            name: name.to_owned(),
            found: format!("it starts with the bytes {}", first()),
            known: FORMATS.iter().map(|format| format.name).collect(),
        })
    }

    /// Whether a file with this beginning may be of plain samples behind a header.
    pub(super) fn is_plain(beginning: &[u8]) -> bool {
        FORMATS
            .iter()
            .find(|format| format.recognises(beginning))
            .is_some_and(|format| PLAIN.iter().any(|plain| std::ptr::eq(*plain, *format)))
    }

    /// Whether a format that is known by its first bytes recognises some content.
    pub(super) fn has_mark(bytes: &[u8]) -> bool {
        FORMATS.iter().any(|format| !format.marks.is_empty() && format.recognises(bytes))
    }

    /// Whether the content is of this format.
    pub(super) fn recognises(&self, bytes: &[u8]) -> bool {
        let has_mark = self.marks.is_empty() || self.marks.iter().any(|mark| bytes.starts_with(mark));
        has_mark && (self.is_content)(bytes)
    }

    /// The signal in the content of a file.
    pub(super) fn decode(&self, content: &Content, how: &Reading) -> Decoded {
        (self.decode)(content, how).map(pixels::gray_of_palette)
    }

    /// The format that an ending (without the dot) promises.
    pub(super) fn of_ending(ending: &str) -> Option<&'static Self> {
        FORMATS.iter().copied().find(|format| format.endings.contains(&ending.to_ascii_lowercase().as_str()))
    }

    /// The endings of all formats that are read, and of packages of them, for file dialogs.
    pub fn all_endings() -> Vec<&'static str> {
        FORMATS.iter().flat_map(|format| format.endings).chain(&[gzip::ENDING]).copied().collect()
    }
}

impl OutputFormat {
    /// All formats that are written.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        FORMATS.iter().filter_map(|format| format.output.as_ref())
    }

    /// The usual endings of the formats that hold what is wanted, without the dot.
    pub fn endings_where(wanted: impl Fn(Holds) -> bool) -> Vec<&'static str> {
        Self::all().filter(|format| wanted(format.holds)).map(Self::ending).collect()
    }

    /// The usual ending, without the dot.
    pub fn ending(&self) -> &'static str {
        self.endings[0]
    }

    /// The format that an ending (without the dot) names.
    pub fn of_ending(ending: &str) -> Option<&'static Self> {
        let ending = ending.to_ascii_lowercase();
        Self::all().find(|format| format.endings.contains(&ending.as_str()))
    }

    /// The format that the ending of `path` names.
    ///
    /// # Errors
    /// When the ending names none.
    pub fn of(path: &Path) -> Result<&'static Self, FileError> {
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        Self::of_ending(&ending).ok_or_else(|| FileError::UnknownEnding {
            name: one_line(&path.display().to_string()),
            ending: one_line(&ending),
            known: Self::endings_where(|_| true),
        })
    }

    /// Refuses a signal that this format cannot hold; `name` is for the message.
    ///
    /// # Errors
    /// Says what does not fit, and which formats would hold the signal.
    pub fn check(&self, name: &str, signal: &Signal) -> Result<(), FileError> {
        let Err(misfit) = self.misfit(signal) else { return Ok(()) };
        let others = Self::all().filter(|other| other.misfit(signal).is_ok()).map(Self::ending).collect();
        Err(FileError::Unsuitable { name: one_line(name), format: self.name, misfit, others })
    }

    fn misfit(&self, signal: &Signal) -> Result<(), Misfit> {
        let Holds { reals, complex, rows, channels, .. } = self.holds;
        let samples = &signal.channels[0].samples;
        let is_16_bit = signal.channels.iter().all(|channel| matches!(channel.samples, Samples::U8(_) | Samples::U16(_)));
        let is_one = signal.channels.len() == 1 || signal.channels.len() == 3 && signal.is_colour() && signal.kind.is_image();
        match () {
            () if signal.is_empty() => Err(Misfit::Empty),
            () if !complex && signal.is_complex() => Err(Misfit::Complex),
            () if !rows && signal.rows > 1 => Err(Misfit::Rows(signal.rows)),
            () if !channels && !is_one => Err(Misfit::Channels(signal.channels.len())),
            () if !reals && !is_16_bit => Err(Misfit::Reals(samples.type_name())),
            () => (self.fits)(signal),
        }
    }

    /// Writes a signal that [`Self::check`] accepts.
    pub(super) fn encode(&self, out: &mut dyn Write, signal: &Signal) -> io::Result<()> {
        (self.encode)(out, signal)
    }
}

impl PartialEq for OutputFormat {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// Whether content is only the beginning of a file of a format that is read.
fn is_beginning(bytes: &[u8]) -> bool {
    let begins = |mark: &&[u8]| mark.len() > bytes.len() && mark.starts_with(bytes);
    let mut marks = FORMATS.iter().flat_map(|format| format.marks);
    // A few letters may be a text.
    bytes.starts_with(b"RIFF") && bytes.len() < 12 || !bytes.is_ascii() && marks.any(begins)
}

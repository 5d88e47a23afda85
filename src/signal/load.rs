//! Reads a signal from a file or from bytes, told by its content and never by its ending.
//!
//! One file a family of formats; each decoder returns a [`Signal`] or a [`Cause`], and this module adds the name.
//! What is decoded is what the file holds: 16 bits stay 16 bits, and whatever is changed on the way (a palette, transparency, CMYK) stands in [`Signal::notes`].

mod audio;
mod bitmap;
mod jpeg;
mod matrix_market;
mod mpeg;
mod npy;
mod npz;
mod pixels;
mod pla;
mod png;
mod text;
mod tiff;
mod wav;

pub use text::SYSTEM_NOTE;

use super::error::{Cause, FileError, Format};
use super::{Signal, memory};
use crate::numerals::integer;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Reads the file at `path`. Returns at least one sample, or says in one line what is wrong.
pub fn load(path: impl AsRef<Path>) -> Result<Signal, FileError> {
    let path = path.as_ref();
    let bytes = read(path).map_err(|source| FileError::Io { verb: "read", path: path.to_owned(), source })?;
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    load_bytes(&name, &bytes)
}

/// Reads a signal from bytes that were dropped or pasted; `name` is for titles and messages.
pub fn load_bytes(name: &str, bytes: &[u8]) -> Result<Signal, FileError> {
    let name = super::error::one_line(name);
    if bytes.is_empty() {
        return Err(FileError::Empty { name });
    }
    let format = match recognise(bytes) {
        Ok(format) => format,
        Err(found) => return Err(FileError::Unrecognised { name, found }),
    };
    let decoded = match format {
        Format::Png => png::decode(bytes),
        Format::Jpeg => jpeg::decode(bytes),
        Format::Tiff => tiff::decode(bytes),
        Format::Bmp | Format::WebP | Format::Gif => bitmap::decode(bytes, format),
        Format::Npy => npy::decode(bytes),
        Format::Npz => npz::decode(bytes),
        Format::Text => text::decode(bytes),
        Format::Pla => pla::decode(bytes),
        Format::MatrixMarket => matrix_market::decode(bytes),
        Format::Wav => wav::decode(bytes),
        Format::Flac | Format::Mp3 | Format::Ogg => audio::decode(bytes.to_vec(), format),
    };
    let mut signal = match decoded {
        Ok(signal) => signal,
        Err(cause) => {
            return Err(FileError::Content { name, format, cause });
        }
    };
    let not_finite: usize = signal.channels.iter().map(|channel| channel.samples.count_not_finite()).sum();
    if not_finite > 0 {
        let (samples, their) = if not_finite == 1 { ("sample is", "its") } else { ("samples are", "their") };
        signal.notes.push(format!("{} {samples} infinite or not a number; so will be {their} transform.", integer(not_finite)));
    }
    if let Some(ending) = wrong_ending(&name, format) {
        signal.notes.push(format!("The name ends in .{ending}, but the content is {format}."));
    }
    signal.name = name;
    Ok(signal)
}

/// All bytes of a file that is not larger than memory allows.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    /// A pipe or a device does not tell its length, and may never end.
    const UNKNOWN_LENGTH: u64 = 1 << 30;
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let limit = if metadata.is_file() { memory::limit() } else { UNKNOWN_LENGTH.min(memory::limit()) };
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len().min(limit)).unwrap_or(0) + 1);
    let length = file.take(limit + 1).read_to_end(&mut bytes)? as u64;
    if length > limit {
        return Err(io::Error::other(format!("it has more than the {limit} bytes that fit into memory")));
    }
    Ok(bytes)
}

/// The format by its first bytes, or in words what else it seems to be.
fn recognise(bytes: &[u8]) -> Result<Format, String> {
    let at = |offset: usize, mark: &[u8]| bytes.get(offset..).is_some_and(|rest| rest.starts_with(mark));
    let starts = |mark: &[u8]| at(0, mark);
    let known = [
        (starts(b"\x89PNG\r\n\x1a\n"), Format::Png),
        (starts(b"\xff\xd8\xff"), Format::Jpeg),
        (starts(b"II*\0") || starts(b"MM\0*") || starts(b"II+\0") || starts(b"MM\0+"), Format::Tiff),
        (starts(b"RIFF") && at(8, b"WEBP"), Format::WebP),
        (starts(b"RIFF") && at(8, b"WAVE"), Format::Wav),
        (starts(b"GIF87a") || starts(b"GIF89a"), Format::Gif),
        (starts(b"\x93NUMPY"), Format::Npy),
        (starts(b"PK\x03\x04") || starts(b"PK\x05\x06"), Format::Npz),
        (starts(b"fLaC"), Format::Flac),
        (starts(b"OggS"), Format::Ogg),
        (starts(b"ID3") || is_mpeg_audio(bytes), Format::Mp3),
        (starts(b"BM") && is_bitmap_header(bytes), Format::Bmp),
    ];
    if let Some(&(_, format)) = known.iter().find(|(yes, _)| *yes) {
        return Ok(format);
    }
    let foreign = [
        (starts(b"%PDF"), "a PDF document"),
        (at(4, b"ftyp"), "an MP4, HEIF or AVIF file"),
        (starts(b"\x1f\x8b"), "a gzip archive; unpack it first"),
        (starts(b"\x28\xb5\x2f\xfd"), "a Zstandard archive; unpack it first"),
        (starts(b"\x76\x2f\x31\x01"), "an OpenEXR picture"),
        (starts(b"\x89HDF"), "an HDF5 file"),
        (starts(b"8BPS"), "a Photoshop document"),
        (starts(b"FORM"), "an IFF or AIFF file"),
        (starts(b"\xff\xfe") || starts(b"\xfe\xff"), "text in UTF-16; save it as UTF-8"),
        (starts(b"<svg") || starts(b"<?xml") || starts(b"<!DOCTYPE"), "an SVG, XML or HTML document"),
        (is_beginning_of_known(bytes), "only the beginning of a file; it is truncated"),
    ];
    if let Some((_, what)) = foreign.iter().find(|(yes, _)| *yes) {
        return Err((*what).to_owned());
    }
    if text::is_text(bytes) {
        return Ok(match bytes {
            _ if matrix_market::is_matrix_market(bytes) => Format::MatrixMarket,
            _ if pla::is_pla(bytes) => Format::Pla,
            _ => Format::Text,
        });
    }
    let first: Vec<String> = bytes.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    Err(format!("it starts with the bytes {}", first.join(" ")))
}

/// Two layer-3 headers at the distance that the first one announces would be surer, but a single frame is a file as well.
fn is_mpeg_audio(bytes: &[u8]) -> bool {
    let [first, second, third, ..] = *bytes else {
        return false;
    };
    let is_sync = first == 0xff && second & 0xe0 == 0xe0;
    let is_layer_3 = second >> 1 & 3 == 1 && second >> 3 & 3 != 1;
    is_sync && is_layer_3 && third >> 4 != 0xf && third >> 2 & 3 != 3
}

/// "BM" begins many words; a bitmap goes on with two reserved zeros and the size of a known header.
fn is_bitmap_header(bytes: &[u8]) -> bool {
    bytes.len() < 18 || matches!(bytes[14..18], [12 | 16 | 40 | 52 | 56 | 64 | 108 | 124, 0, 0, 0])
}

/// Whether the whole content is the beginning of the mark of a binary format.
fn is_beginning_of_known(bytes: &[u8]) -> bool {
    let marks: [&[u8]; 5] = [b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"\x93NUMPY", b"PK\x03\x04", b"II*\0"];
    let is_start_of_riff = bytes.starts_with(b"RIFF") && bytes.len() < 12;
    is_start_of_riff || marks.iter().any(|mark| mark.starts_with(bytes) && !bytes.is_ascii())
}

/// The ending of `name` where it promises another of the known formats than `format`.
fn wrong_ending(name: &str, format: Format) -> Option<String> {
    let ending = name.rsplit_once('.')?.1.to_ascii_lowercase();
    let promised = match ending.as_str() {
        "png" | "apng" => Format::Png,
        "jpg" | "jpeg" | "jpe" | "jfif" => Format::Jpeg,
        "tif" | "tiff" => Format::Tiff,
        "bmp" | "dib" => Format::Bmp,
        "webp" => Format::WebP,
        "gif" => Format::Gif,
        "npy" => Format::Npy,
        "npz" => Format::Npz,
        "csv" | "tsv" | "txt" | "dat" => Format::Text,
        "pla" => Format::Pla,
        "mtx" | "mm" => Format::MatrixMarket,
        "wav" | "wave" => Format::Wav,
        "flac" => Format::Flac,
        "mp3" => Format::Mp3,
        "ogg" | "oga" => Format::Ogg,
        _ => return None,
    };
    let is_text = promised == Format::Text && matches!(format, Format::Pla | Format::MatrixMarket);
    (promised != format && !is_text).then_some(ending)
}

/// A `Result` of a decoder.
type Decoded = Result<Signal, Cause>;

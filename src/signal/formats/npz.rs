//! NPZ: a ZIP archive of NPY files. The first array is read.

use super::{Decoded, FileFormat, npy};
use crate::signal::error::one_line;
use crate::signal::{Cause, memory};
use flate2::bufread::DeflateDecoder;
use rawzip::{CompressionMethod, ErrorKind, ZipArchive};
use std::io::Read;

/// An archive of numpy arrays.
pub(super) static NPZ: FileFormat =
    FileFormat { name: "NPZ", endings: &["npz"], marks: &[b"PK\x03\x04", b"PK\x05\x06"], is_content: |_| true, decode, output: None };

/// Decodes the first array, in the order of the archive, and names the others.
fn decode(bytes: &[u8]) -> Decoded {
    let archive = ZipArchive::from_slice(bytes).map_err(cause)?;
    let mut entries = archive.entries();
    let mut names = Vec::new();
    let mut first = None;
    while let Some(entry) = entries.next_entry().map_err(cause)? {
        if let Some(name) = String::from_utf8_lossy(entry.file_path().as_ref()).strip_suffix(".npy") {
            names.push(one_line(name));
            first.get_or_insert(entry);
        }
    }
    let Some(entry) = first else {
        return Err(Cause::unsupported("the archive holds no NPY array; unpack it, or save the arrays by numpy.savez"));
    };
    let size = entry.uncompressed_size_hint();
    let length = memory::checked_bytes(&[size], || format!("{size} bytes for the array “{}”", names[0]))?;
    let member = archive.get_entry(entry.wayfinder()).map_err(cause)?;
    let unpacked: Box<dyn Read + '_> = match entry.compression_method() {
        method if entry.flags().is_encrypted() => return Err(Cause::foreign(method, SAVE_AGAIN)),
        CompressionMethod::STORE => Box::new(member.data()),
        CompressionMethod::DEFLATE => Box::new(DeflateDecoder::new(member.data())),
        other => return Err(Cause::foreign(other, SAVE_AGAIN)),
    };
    // A small file may claim any size, so memory grows with the bytes that really come.
    let mut array = Vec::with_capacity(length.min(bytes.len().saturating_mul(8)));
    let read = member.verifying_reader(unpacked).take(size.saturating_add(1)).read_to_end(&mut array);
    let damaged =
        |_| Cause::malformed(format!("the array “{}” is damaged and cannot be unpacked; take another copy, or save it again", names[0]));
    let read = read.map_err(damaged)?;
    if read != length {
        return Err(Cause::malformed(format!("the array “{}” has {read} bytes where the archive claims {length}", names[0])));
    }
    if !array.starts_with(b"\x93NUMPY") {
        return Err(Cause::malformed(format!("its member “{}.npy” is not an NPY array", names[0])));
    }
    let mut signal = npy::decode(&array)?;
    if names.len() > 1 {
        let others = names[1..].join("”, “");
        signal.notes.push(format!("The archive has {} arrays; “{}” is read, the others are “{others}”.", names.len(), names[0]));
    }
    Ok(signal)
}

const SAVE_AGAIN: &str = "save the arrays by numpy.savez";

fn cause(error: rawzip::Error) -> Cause {
    match error.kind() {
        ErrorKind::MissingEndOfCentralDirectory => Cause::truncated("the directory at the end of the archive is missing"),
        _ => Cause::damaged(error),
    }
}

//! NPZ: a ZIP archive of NPY files, of which the first numeric array is read.

use super::{Decoded, FileFormat, npy};
use crate::signal::{Cause, memory};
use std::io::{Cursor, Read};
use zip::ZipArchive;
use zip::result::ZipError;

/// An archive of numpy arrays.
pub(super) static NPZ: FileFormat =
    FileFormat { name: "NPZ", endings: &["npz"], marks: &[b"PK\x03\x04", b"PK\x05\x06"], is_content: |_| true, decode, output: None };

/// Decodes the first array, in the order of the archive, and names the others.
fn decode(bytes: &[u8]) -> Decoded {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(cause)?;
    let mut names = Vec::new();
    let mut first = None;
    for index in 0..archive.len() {
        let file = archive.by_index(index).map_err(cause)?;
        if let Some(name) = file.name().strip_suffix(".npy") {
            names.push(name.to_owned());
            first = first.or(Some(index));
        }
    }
    let Some(index) = first else {
        return Err(Cause::unsupported("the archive holds no NPY array; unpack it, or save the arrays by numpy.savez"));
    };
    let mut file = archive.by_index(index).map_err(cause)?;
    let size = file.size();
    let length = memory::checked_bytes(&[size], || format!("{size} bytes for the array “{}”", names[0]))?;
    // The claim of a small file is not believed at once: memory grows with what really comes.
    let mut array = Vec::with_capacity(length.min(bytes.len().saturating_mul(8)));
    let read = file.by_ref().take(size.saturating_add(1)).read_to_end(&mut array);
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
        signal.notes.push(format!("Of {} arrays “{}” is read; the others are “{others}”.", names.len(), names[0]));
    }
    Ok(signal)
}

fn cause(error: ZipError) -> Cause {
    match error {
        ZipError::InvalidArchive("Could not find central directory end") => {
            Cause::truncated("the directory at the end of the archive is missing")
        }
        ZipError::UnsupportedArchive(what) => Cause::foreign(what, "save the arrays by numpy.savez"),
        other => Cause::damaged(other),
    }
}

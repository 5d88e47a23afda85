//! NPZ: a ZIP archive of NPY files. The first array is read.

use super::{Decode, Decoded, FileFormat, npy};
use crate::numerals::counted;
use crate::signal::error::one_line;
use crate::signal::{Cause, memory};
use flate2::bufread::DeflateDecoder;
use rawzip::{CompressionMethod, ErrorKind, ZipArchive};
use std::io::Read;

/// An archive of numpy arrays.
pub(super) static NPZ: FileFormat =
    FileFormat { name: "NPZ", endings: &["npz"], marks: &[b"PK\x03\x04", b"PK\x05\x06"], is_content: |_| true, decode: Decode::Samples(decode), output: None };

/// Decodes the first array, in the order of the archive, and names the others.
fn decode(bytes: &[u8]) -> Decoded {
    let archive = ZipArchive::from_slice(bytes).map_err(cause)?;
    let mut entries = archive.entries();
    let mut names = Vec::new();
    let mut first = None;
    let mut n_arrays = 0;
    while let Some(entry) = entries.next_entry().map_err(cause)? {
        if let Some(name) = String::from_utf8_lossy(entry.file_path().as_ref()).strip_suffix(".npy") {
            n_arrays += 1;
            // An archive may have millions.
            if n_arrays <= 1 + SHOWN {
                names.push(one_line(name));
            }
            first.get_or_insert(entry);
        }
    }
    let Some(entry) = first else {
        return Err(Cause::unsupported("the archive holds no NPY array; unpack it, or save the arrays by numpy.savez"));
    };
    let size = entry.uncompressed_size_hint();
    let length = memory::checked_bytes(&[size], || format!("{} for the array “{}”", counted(size as usize, "byte"), names[0]))?;
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
        return Err(Cause::malformed(format!("the array “{}” has {} where the archive claims {length}", names[0], counted(read, "byte"))));
    }
    if !array.starts_with(b"\x93NUMPY") {
        return Err(Cause::malformed(format!("its member “{}.npy” is not an NPY array", names[0])));
    }
    let mut signal = npy::decode(&array)?;
    if names.len() > 1 {
        let shown = names[1..].iter().map(|name| format!("“{name}”")).collect::<Vec<_>>().join(", ");
        let more = n_arrays - names.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        signal.notes.push(format!("The archive has {} arrays; “{}” is read, the others are {shown}{more}.", n_arrays, names[0]));
    }
    Ok(signal)
}

/// Names of arrays in a note, beside the one that is read.
const SHOWN: usize = 8;

const SAVE_AGAIN: &str = "save the arrays by numpy.savez";

fn cause(error: rawzip::Error) -> Cause {
    match error.kind() {
        ErrorKind::MissingEndOfCentralDirectory => Cause::truncated("the directory at the end of the archive is missing"),
        _ => Cause::damaged(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rawzip::{CompressionMethod, ZipArchiveWriter};
    use std::io::Write as _;

    #[test]
    fn a_note_names_a_few_of_many_arrays() {
        let header = format!("{:<117}\n", "{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }");
        let array = [&b"\x93NUMPY\x01\x00v\x00"[..], header.as_bytes(), &[7]].concat();
        let mut bytes = Vec::new();
        let mut archive = ZipArchiveWriter::new(&mut bytes);
        for k in 0..3000 {
            let (mut entry, config) =
                archive.new_file(format!("array{k}.npy")).compression_method(CompressionMethod::STORE).start().expect("it is memory");
            let mut data = config.wrap(&mut entry);
            data.write_all(&array).expect("it is memory");
            let (_, descriptor) = data.finish().expect("it is memory");
            entry.finish(descriptor).expect("it is memory");
        }
        archive.finish().expect("it is memory");
        let signal = decode(&bytes).expect("the first array is read");
        assert_eq!(signal.notes.len(), 1);
        let note = &signal.notes[0];
        assert!(note.contains("has 3000 arrays") && note.ends_with("“array8” and 2991 more.") && note.len() < 300, "{note}");
    }
}

//! NPZ: a ZIP archive of NPY files. It is a table where one array has times and every other one a value, a row or a column for each time;
//! otherwise its first array is read.

use super::{Decoded, FileFormat, npy};
use crate::numerals::{counted, number};
use crate::signal::error::one_line;
use crate::signal::reading::{Content, Reading};
use crate::signal::table::{Cells, Column, Columns, assemble};
use crate::signal::{Axis, Cause, memory};
use flate2::bufread::DeflateDecoder;
use rawzip::{CompressionMethod, ErrorKind, ZipArchive, ZipArchiveWriter};
use std::io::{self, Read, Write};

/// An archive of numpy arrays.
pub(super) static NPZ: FileFormat = FileFormat {
    name: "NPZ",
    endings: &["npz"],
    marks: &[b"PK\x03\x04", b"PK\x05\x06"],
    is_content: |bytes| {
        // The names are before each member, and again at the end.
        const MOST: usize = 1 << 16;
        let has_array = |part: &[u8]| part.windows(4).any(|window| window == b".npy");
        has_array(&bytes[..bytes.len().min(MOST)]) || has_array(&bytes[bytes.len().saturating_sub(MOST)..])
    },
    decode: |content, how| decode(content, how),
    output: None,
};

/// Decodes the table of the arrays, where they are one; otherwise the first array in the order of the archive, with a note that names the others.
fn decode(bytes: &[u8], how: &Reading) -> Decoded {
    let archive = ZipArchive::from_slice(bytes).map_err(cause)?;
    let mut entries = archive.entries();
    let mut names = Vec::new();
    let mut found = Vec::new();
    let mut n_arrays = 0;
    while let Some(entry) = entries.next_entry().map_err(cause)? {
        if let Some(name) = String::from_utf8_lossy(entry.file_path().as_ref()).strip_suffix(".npy") {
            n_arrays += 1;
            // An archive may have millions.
            if n_arrays <= 1 + SHOWN {
                names.push(one_line(name));
                found.push((entry.wayfinder(), entry.uncompressed_size_hint(), entry.compression_method(), entry.flags().is_encrypted()));
            }
        }
    }
    if found.is_empty() {
        return Err(Cause::unsupported("the archive holds no NPY array; save the arrays by numpy.savez"));
    }
    let array = |index: usize| {
        let (wayfinder, size, method, is_encrypted) = found[index];
        let length = memory::checked_bytes(&[size], || format!("{} for the array “{}”", counted(size as usize, "byte"), names[index]))?;
        let member = archive.get_entry(wayfinder).map_err(cause)?;
        let unpacked: Box<dyn Read + '_> = match method {
            _ if is_encrypted => return Err(Cause::unsupported(format!("its arrays are encrypted; {SAVE_AGAIN}"))),
            CompressionMethod::STORE => Box::new(member.data()),
            CompressionMethod::DEFLATE => Box::new(DeflateDecoder::new(member.data())),
            other => return Err(Cause::foreign(format_args!("compression {other:?}"), SAVE_AGAIN)),
        };
        unpacked_array(member.verifying_reader(unpacked), length, bytes.len(), &names[index])
    };
    let is_searched = (2..=1 + SHOWN).contains(&n_arrays);
    let (numbers, at) = single_numbers(&names, &array, |index| is_searched && found[index].1 <= MOST_BYTES_OF_NUMBER)?;
    if is_searched && let Some(table) = table(&names, &numbers, &array)? {
        return assemble(table, &how.options);
    }
    let first = array(at)?;
    let mut signal = npy::decode(&Content::new(first), how)?;
    if signal.axis.is_none()
        && let Some((name, rate)) = numbers.iter().find_map(|(index, value)| Some((&names[*index], rate(&names[*index], *value)?)))
    {
        signal.axis = Some(Axis::of_rate(rate));
        signal.notes.push(format!("The number “{name}” is the sampling rate: {} Hz.", number(rate, 9)).into());
    }
    if names.len() > 1 {
        let others = names.iter().enumerate().filter(|(index, _)| *index != at);
        let shown = others.map(|(_, name)| format!("“{name}”")).collect::<Vec<_>>().join(", ");
        let more = n_arrays - names.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        signal.notes.push(format!("The archive has {} arrays; “{}” is read, the others are {shown}{more}.", n_arrays, names[at]).into());
    }
    Ok(signal)
}

/// The bytes of an array.
fn unpacked_array(reader: impl Read, length: usize, packed: usize, name: &str) -> Result<Vec<u8>, Cause> {
    // A small file may claim any size, so memory grows with the bytes that really come.
    let mut array = Vec::with_capacity(length.min(packed.saturating_mul(8)));
    let read = reader.take((length as u64).saturating_add(1)).read_to_end(&mut array);
    let damaged =
        |_| Cause::malformed(format!("the array “{name}” is damaged and cannot be unpacked; take another copy, or save it again"));
    let read = read.map_err(damaged)?;
    if read != length {
        return Err(Cause::malformed(format!("the array “{name}” has {} where the archive claims {length}", counted(read, "byte"))));
    }
    if !array.starts_with(b"\x93NUMPY") {
        return Err(Cause::malformed(format!("its member “{name}.npy” is not an NPY array")));
    }
    Ok(array)
}

/// The arrays of a single number beside larger ones, with their values; and the first of the larger ones.
/// Only those that `may_be_one` holds for are unpacked.
fn single_numbers(
    names: &[String],
    array: &dyn Fn(usize) -> Result<Vec<u8>, Cause>,
    may_be_one: impl Fn(usize) -> bool,
) -> Result<(Vec<(usize, f64)>, usize), Cause> {
    let mut found = Vec::new();
    for index in (0..names.len()).filter(|&index| may_be_one(index)) {
        if let Some(value) = npy::scalar(&array(index)?)? {
            found.push((index, value));
        }
    }
    let first = (0..names.len()).find(|index| found.iter().all(|(number, _)| number != index));
    Ok(first.map_or((Vec::new(), 0), |first| (found, first)))
}

/// The sampling rate that a number says by its name.
fn rate(name: &str, value: f64) -> Option<f64> {
    const NAMES: [&str; 10] = ["fs", "sr", "rate", "srate", "sfreq", "samplerate", "sample_rate", "sampling_rate", "framerate", "fsample"];
    (NAMES.contains(&name.to_lowercase().as_str()) && value.is_finite() && value > 0.0).then_some(value)
}

/// The table of arrays, where one of them has times, and each of the others has a value, a row or a column for each time.
fn table(names: &[String], numbers: &[(usize, f64)], array: &dyn Fn(usize) -> Result<Vec<u8>, Cause>) -> Result<Option<Columns>, Cause> {
    let is_time = |column: &&Column| matches!(column.cells, Cells::Stamps(_)) || column.name.time().is_some();
    let is_array = |index: &usize| numbers.iter().all(|(number, _)| number != index);
    let mut arrays = Vec::new();
    for index in (0..names.len()).filter(is_array) {
        arrays.push((index, npy::columns(&names[index], &array(index)?, None)?));
    }
    let time = arrays.iter().filter_map(|(_, columns)| columns.as_ref()).flatten().find(is_time);
    let Some(n) = time.map(|column| column.cells.len()) else { return Ok(None) };
    let mut columns = Vec::new();
    for (index, found) in arrays {
        let fits = found.filter(|found| found.iter().all(|column| column.cells.len() == n));
        // The number of times tells which dimension of an array counts them.
        let fits = if fits.is_some() { fits } else { npy::columns(&names[index], &array(index)?, Some(n))? };
        let Some(fits) = fits else { return Ok(None) };
        columns.extend(fits);
    }
    let titles = numbers.iter().map(|(index, value)| format!("{} = {}", names[*index], number(*value, 9))).collect();
    Ok((columns.len() > 1).then(|| Columns { columns, is_named: true, titles, ..Columns::default() }))
}

/// An array of a single number has no more bytes, with its header.
const MOST_BYTES_OF_NUMBER: u64 = 1 << 12;

/// Names of arrays in a note, besides the one that is read.
const SHOWN: usize = 8;

/// Writes rows of numbers as an archive of arrays with these names.
///
/// # Errors
/// When they cannot be written.
pub fn write_npz(out: &mut dyn Write, arrays: &[(&str, &[f64])]) -> io::Result<()> {
    let mut archive = ZipArchiveWriter::new(out);
    for (name, values) in arrays {
        let mut array = Vec::new();
        npy::row(&mut array, values)?;
        let new = archive.new_file(format!("{name}.npy")).compression_method(CompressionMethod::STORE);
        let (mut entry, config) = new.start().map_err(io::Error::other)?;
        let mut data = config.wrap(&mut entry);
        data.write_all(&array)?;
        let (_, descriptor) = data.finish().map_err(io::Error::other)?;
        entry.finish(descriptor).map_err(io::Error::other)?;
    }
    archive.finish().map(drop).map_err(io::Error::other)
}

const SAVE_AGAIN: &str = "save the arrays by numpy.savez";

fn cause(error: rawzip::Error) -> Cause {
    match error.kind() {
        ErrorKind::MissingEndOfCentralDirectory => Cause::truncated("the directory at the end of the archive is missing"),
        ErrorKind::Eof => Cause::truncated("it ends in the middle of an entry"),
        ErrorKind::InvalidSignature { .. } => Cause::damaged("one of its entries does not begin as it must"),
        _ => Cause::undecodable(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_that_are_written_are_read() {
        let mut bytes = Vec::new();
        let [frequency, value]: [&[f64]; 2] = [&[0.0, 1.5, 3.0], &[-1.0, f64::NEG_INFINITY, 7.25]];
        write_npz(&mut bytes, &[("frequency", frequency), ("value", value)]).expect("it is memory");
        let archive = ZipArchive::from_slice(&bytes).expect("it is one");
        assert_eq!(archive.entries().count(), 2);
        let signal = decode(&bytes, &Reading::default()).expect("it is read");
        assert!(signal.columns == 3, "{signal}");
    }

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
        let signal = decode(&bytes, &Reading::default()).expect("the first array is read");
        assert_eq!(signal.notes.len(), 1);
        let note = &signal.notes[0].text;
        assert!(note.contains("has 3000 arrays") && note.ends_with("“array8” and 2991 more.") && note.len() < 300, "{note}");
    }
}

//! Reads a signal from a file or from bytes. The content decides about the format, the ending does not.

use super::content::{LARGE, values_of};
use super::error::{FileError, one_line};
use super::formats::{FileFormat, RAW, guess, guessed, gzip, sigmf};
use super::reading::Content;
use super::{Cause, PageKind, Pages, ReadOptions, Reading, Signal, Watch, fitting_name, memory};
use crate::fault::caught;
use crate::numerals::counted;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Reads the file at `path`; the signal has at least one sample.
///
/// # Errors
/// When the file cannot be read, no format recognises it, or its content is wrong; the message is one line.
pub fn load(path: impl AsRef<Path>) -> Result<Signal, FileError> {
    load_as(path, &Reading::default())
}

/// Reads the file at `path` as a person decides.
///
/// # Errors
/// As [`load`]; and when the table does not allow what is decided.
pub fn load_as(path: impl AsRef<Path>, how: &Reading) -> Result<Signal, FileError> {
    let path = path.as_ref();
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    match sigmf::described(path, how.options.raw.is_some()) {
        None => load_above(path, &name, LARGE, how),
        Some(found) => {
            let found = found?;
            let how = Reading { options: ReadOptions { raw: Some(found.raw), ..how.options.clone() }, watch: how.watch.clone() };
            let signal = load_above(&found.data, &name, LARGE, &how)?;
            Ok(found.complete(signal))
        }
    }
}

/// Reads the file at `path`. The samples of a recording of more than `large` bytes stay in the file; an array of more is read block by block into its samples.
fn load_above(path: &Path, name: &str, large: u64, how: &Reading) -> Result<Signal, FileError> {
    let failed = |source| FileError::Io { verb: "read", path: path.to_owned(), source };
    let file = File::open(path).map_err(failed)?;
    if let Some(signal) = in_place(&file, name, large, how).map_err(failed)? {
        return signal;
    }
    decoded(name, &Content::new(read(file, &how.watch).map_err(failed)?), how)
}

/// The signal of a large recording whose samples stay in the file; `None` of all other files, and where its beginning does not tell everything.
fn in_place(file: &File, name: &str, large: u64, how: &Reading) -> io::Result<Option<Result<Signal, FileError>>> {
    let metadata = file.metadata()?;
    let Some(size) = usize::try_from(metadata.len()).ok().filter(|_| metadata.is_file() && metadata.len() > large) else { return Ok(None) };
    let content = Content::of_file(file.try_clone()?, size)?;
    let is_plain = !gzip::is_packed(&content)
        && (how.options.raw.is_some() || guessed(&ending(name), &content).is_some() || FileFormat::is_plain(&content));
    if !is_plain {
        return Ok(None);
    }
    how.watch.expect(metadata.len());
    let decoded = decoded(name, &content, how);
    // The rest of the file does not mend a size that fits into no memory. Any other error is told of the whole file.
    let is_final = matches!(decoded, Ok(_) | Err(FileError::Content { cause: Cause::TooLarge { .. }, .. }));
    Ok(is_final.then_some(decoded))
}

/// The ending of a name, in small letters.
fn ending(name: &str) -> String {
    name.rsplit_once('.').map_or(String::new(), |(_, ending)| ending.to_ascii_lowercase())
}

/// Reads a signal to the end of a stream, such as standard input, as a person decides; `name` is for titles and messages.
///
/// # Errors
/// As [`load_as`].
pub fn load_stream(name: &str, stream: &mut dyn Read, how: &Reading) -> Result<Signal, FileError> {
    let limit = memory::limit().max(memory::ALWAYS_FREE);
    let content = read_all(stream, 0, limit, &how.watch).map_err(|source| FileError::Io { verb: "read", path: name.into(), source })?;
    decoded(name, &Content::new(content), how)
}

/// Reads a signal from bytes that were dropped or pasted; `name` is for titles and messages.
///
/// # Errors
/// As [`load`].
pub fn load_bytes(name: &str, bytes: &[u8]) -> Result<Signal, FileError> {
    load_bytes_as(name, bytes, &Reading::default())
}

/// Reads a signal from bytes as a person decides.
///
/// # Errors
/// As [`load_as`].
pub fn load_bytes_as(name: &str, bytes: &[u8], how: &Reading) -> Result<Signal, FileError> {
    decoded(name, &Content::new(bytes.to_vec()), how)
}

/// The most characters of a name that are kept.
const MOST_OF_NAME: usize = 120;

/// The signal in the content of a file, or of a file in a package of gzip.
pub(super) fn decoded(name: &str, file: &Content, how: &Reading) -> Result<Signal, FileError> {
    let name = one_line(&fitting_name(name, |text| text.chars().count() <= MOST_OF_NAME));
    let unpacked;
    let (content, inner_name) = if gzip::is_packed(file) {
        let content = caught(|| gzip::unpacked(file)).unwrap_or_else(|fault| Err(Cause::fault(&fault)));
        unpacked = Content::new(content.map_err(|cause| FileError::Content { name: name.clone(), format: gzip::NAME, cause })?);
        (&unpacked, gzip::inner_name(&name))
    } else {
        (file, &name[..])
    };
    if content.is_empty() {
        return Err(FileError::Empty { name });
    }
    let ending = ending(inner_name);
    // Samples without a header are read as a person says, or as the ending does.
    let guessed = guessed(&ending, content).filter(|_| how.options.raw.is_none());
    let raw = how.options.raw.or(guessed);
    let how = &Reading { options: ReadOptions { raw, ..how.options.clone() }, watch: how.watch.clone() };
    let format = raw.map_or_else(|| FileFormat::recognise(&name, content), |_| Ok(&RAW))?;
    let decoded = caught(|| format.decode(content, how)).unwrap_or_else(|fault| Err(Cause::fault(&fault)));
    // A format without pages has one.
    let decoded = decoded.and_then(|signal| match signal.pages {
        Some(_) => Ok(signal),
        None => Pages::chosen(&how.options, 1, PageKind::Page).map(|_| signal),
    });
    let mut signal = match decoded {
        Ok(signal) => signal,
        Err(cause) => return Err(FileError::Content { name, format: format.name, cause }),
    };
    if let Some(pages) = signal.pages {
        signal.notes.insert(0, pages.note());
    }
    // To look at all samples of a large recording would take as long as to measure it.
    let read = signal.channels.iter().filter(|channel| channel.samples.is_in_memory());
    let not_finite: usize = read.map(|channel| channel.samples.count_not_finite()).sum();
    if not_finite > 0 {
        let (samples, spread) = (counted(not_finite, "infinite or NaN sample"), if not_finite == 1 { "spreads" } else { "spread" });
        signal.notes.push(format!("{samples}, which {spread} over the whole transform unless the mean is removed before it.").into());
    }
    if guessed.is_some() {
        signal.notes.push(guess());
    } else if raw.is_none() && FileFormat::of_ending(&ending).is_some_and(|promised| !promised.recognises(content)) {
        signal.notes.push(format!("The name ends in .{ending}, but the content is {}.", format.name).into());
    }
    signal.raw = raw;
    signal.name = name;
    Ok(signal)
}

/// All bytes of a file, which must fit into memory.
fn read(mut file: File, watch: &Watch) -> io::Result<Vec<u8>> {
    /// Limit in bytes for a pipe or a device, which has no length and may never end.
    const UNKNOWN_LENGTH: u64 = 1 << 30;
    /// A file of at least so many bytes is read by all threads. Each thread that starts to work reserves 64 MiB of address space, and a process may have little.
    const SHARED: u64 = 64 << 20;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let limit = memory::limit().max(memory::ALWAYS_FREE);
    let limit = if metadata.is_file() { limit } else { limit.min(UNKNOWN_LENGTH) };
    watch.expect(metadata.len());
    if metadata.is_file() && metadata.len() > limit {
        return Err(beyond(limit));
    }
    let bytes = match usize::try_from(metadata.len()) {
        Ok(size) if metadata.is_file() && metadata.len() >= SHARED => {
            let content = Content::of_file(file.try_clone()?, size)?;
            values_of(size, &|range, take| content.part(range, watch, take), |[byte]| byte)
        }
        _ => read_all(&mut file, metadata.len(), limit, watch),
    };
    let is_cut = bytes.as_ref().map_or(0, Vec::len) as u64 != metadata.len() && file.metadata()?.len() < metadata.len();
    if is_cut { Err(io::Error::other("it became shorter while it was read; read it again")) } else { bytes }
}

/// All bytes of a stream, about `expected` and at most `limit`.
fn read_all(stream: &mut dyn Read, expected: u64, limit: u64, watch: &Watch) -> io::Result<Vec<u8>> {
    /// Bytes that are read at a time.
    const BLOCK: u64 = 16 << 20;
    let mut bytes = Vec::new();
    bytes.try_reserve(usize::try_from(expected.min(limit)).unwrap_or(0) + 1)?;
    loop {
        let n = stream.take(BLOCK.min(limit + 1 - bytes.len() as u64)).read_to_end(&mut bytes)?;
        watch.advance(n);
        if n == 0 {
            break;
        }
        if watch.is_cancelled() {
            return Err(io::ErrorKind::Interrupted.into());
        }
    }
    if bytes.len() as u64 > limit {
        return Err(beyond(limit));
    }
    Ok(bytes)
}

/// The error of a file of more bytes than a limit.
fn beyond(limit: u64) -> io::Error {
    io::Error::other(format!("it has more than the {limit} bytes that fit into memory"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::{Axis, Channel, ChannelChoice, OutputFormat, Samples, SignalKind, write};
    use std::fs;

    /// A stereo recording of 100,000 samples in a folder of its own.
    fn stereo() -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::TempDir::new().expect("there is room for a folder");
        let path = folder.path().join("long.wav");
        let channel =
            |name, step: usize| Channel::new(name, Samples::F64((0..100_000).map(|n| (n * step % 999) as f64 / 1024.0).collect()));
        let signal = Signal::from_channels("long", SignalKind::Rows, (1, 100_000), vec![channel("left", 7), channel("right", 31)]);
        let signal = Signal { axis: Some(Axis::of_rate(8000.0)), ..signal }.in_bits(16).expect("all lie within full scale");
        let mut bytes = Vec::new();
        write(&mut bytes, &signal, OutputFormat::of_ending("wav").expect("it is written")).expect("memory takes it");
        // Another part of the file follows the samples.
        bytes.extend(b"LIST\x04\0\0\0INFO");
        fs::write(&path, bytes).expect("the folder is there");
        (folder, path)
    }

    #[test]
    fn a_large_recording_stays_in_its_file_and_has_the_same_samples() {
        let (_folder, path) = stereo();
        let small = load(&path).unwrap();
        let large = load_above(&path, "long.wav", 1 << 10, &Reading::default()).unwrap();
        assert_eq!([&small, &large].map(|signal| signal.channels[0].samples.is_in_memory()), [true, false]);
        assert_eq!(small, large, "notes, axis and every sample");
        for choice in [ChannelChoice::Channel(1), ChannelChoice::Mix, ChannelChoice::Iq] {
            assert_eq!(small.samples_complex64(choice), large.samples_complex64(choice), "{choice}");
        }
        assert_eq!(large.channels[1].samples.value(99_999), small.channels[1].samples.value(99_999));
        assert_eq!((large.channels[0].samples.value(100_000), large.fault()), (None, None));
        let how = Reading { options: ReadOptions { raw: "s16,2".parse().ok(), ..Default::default() }, ..Default::default() };
        assert_eq!(load_above(&path, "long.wav", 1 << 10, &how).unwrap(), load_as(&path, &how).unwrap(), "samples without a header");
    }

    /// An array of numpy with this head, whose bytes count up.
    fn numpy(kind: &str, order: &str, shape: &str, n: usize) -> Vec<u8> {
        let header = format!("{{'descr': {kind}, 'fortran_order': {order}, 'shape': ({shape}), }}");
        let header = format!("{header:<117}\n");
        let mut bytes = [&b"\x93NUMPY\x01\0"[..], &(header.len() as u16).to_le_bytes(), header.as_bytes()].concat();
        let mask = if kind == "'|b1'" { 1 } else { 0x7f };
        bytes.extend((0..n as u32).map(|index| (index.wrapping_mul(index) / 7) as u8 & mask));
        bytes
    }

    #[test]
    fn a_large_array_is_read_block_by_block_and_has_the_same_samples() {
        let folder = tempfile::TempDir::new().expect("there is room for a folder");
        let path = folder.path().join("array.npy");
        for (kind, width) in
            [("'|u1'", 1), ("'|b1'", 1), ("'<i2'", 2), ("'>u2'", 2), ("'<f2'", 2), ("'<f4'", 4), ("'>f8'", 8), ("'>c8'", 8)]
        {
            for (order, shape, n) in
                [("False", "300, 500", 1), ("True", "300, 500", 1), ("False", "150000,", 1), ("False", "300, 500, 3", 3)]
            {
                fs::write(&path, numpy(kind, order, shape, 150_000 * width * n)).expect("the folder is there");
                let whole = load_above(&path, "array.npy", u64::MAX, &Reading::default()).unwrap();
                let how = Reading::default();
                let large = load_above(&path, "array.npy", 1 << 10, &how).unwrap();
                let (done, total) = how.watch.bytes().expect("the file says its size");
                assert!(done + 200 > total, "{done} of {total} bytes are read and parsed");
                // As text, since NaN differs from itself.
                assert_eq!(format!("{whole:?}"), format!("{large:?}"), "{kind} {order} {shape}");
            }
        }
        // Its first element is that of row 0 and column 0 in both orders, its second one of another row or column.
        fs::write(&path, numpy("'|u1'", "True", "300, 500", 150_000)).expect("the folder is there");
        let Samples::U8(columns) = &load_above(&path, "array.npy", 1 << 10, &Reading::default()).unwrap().channels[0].samples else {
            panic!("they are bytes")
        };
        assert_eq!((columns[500], columns[1]), (0, (300_u32 * 300 / 7) as u8 & 0x7f));
        // More elements than any memory has, of which the file holds the first ones.
        let huge = numpy("'<f8'", "False", "9000000000000,", 2000);
        fs::write(&path, huge).expect("the folder is there");
        let refused = load_above(&path, "array.npy", 1 << 10, &Reading::default());
        assert!(matches!(refused, Err(FileError::Content { cause: Cause::TooLarge { .. }, .. })), "{refused:?}");
        fs::write(&path, numpy("'|u1'", "False", "300, 500", 150_000)).expect("the folder is there");
        let watch = Watch::default();
        watch.cancel();
        let given_up = load_above(&path, "array.npy", 1 << 10, &Reading { watch, ..Reading::default() });
        assert!(matches!(given_up, Err(FileError::Io { .. })), "{given_up:?}");
    }

    #[test]
    fn a_file_that_all_threads_read_has_its_bytes() {
        let folder = tempfile::TempDir::new().expect("there is room for a folder");
        let path = folder.path().join("long");
        let bytes: Vec<u8> = (0..70_000_001_u32).map(|index| (index / 3 % 251) as u8).collect();
        fs::write(&path, &bytes).expect("the folder is there");
        let watch = Watch::default();
        assert!(read(File::open(&path).unwrap(), &watch).unwrap() == bytes);
        assert_eq!(watch.bytes(), Some((35_000_000, 70_000_001)), "fetched, and not parsed");
    }

    #[test]
    fn files_of_other_formats_are_read_whole() {
        let folder = tempfile::TempDir::new().expect("there is room for a folder");
        let path = folder.path().join("table.csv");
        fs::write(&path, "1\n2\n3\n".repeat(1000)).expect("the folder is there");
        assert_eq!(load_above(&path, "table.csv", 100, &Reading::default()).unwrap().columns, 3000);
    }

    #[test]
    fn a_recording_that_is_cut_says_so_and_has_no_samples_made_up() {
        let (_folder, path) = stereo();
        let signal = load_above(&path, "long.wav", 1 << 10, &Reading::default()).unwrap();
        fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(200_000).unwrap();
        let samples = &signal.channels[0].samples;
        assert!(samples.value(40_000).is_some_and(|value| value.is_finite()));
        assert!(samples.value(99_000).is_some_and(|value| value.re.is_nan()));
        assert_eq!(signal.fault().as_deref(), Some("the recording became shorter while it was read"));
    }
}

//! Core Audio recordings of Apple with plain samples: chunks with lengths of 64 bits.

use super::FileFormat;
use super::recording::{Recording, extent};
use crate::signal::encoding::Encoding;
use crate::signal::reading::Content;
use crate::signal::{Cause, SampleType};

/// Bytes of the header of the file, and of that of a chunk.
const HEADERS: (usize, usize) = (8, 12);
/// Bytes of the count of edits, which is before the samples.
const EDITS: usize = 4;

/// Recordings of the Core Audio Format.
pub(super) static CAF: FileFormat = FileFormat {
    name: "CAF",
    endings: &["caf"],
    marks: &[b"caff\0\x01"],
    is_content: |_| true,
    decode: |content, _| parse(content)?.signal(content),
    output: None,
};

fn parse(content: &Content) -> Result<Recording, Cause> {
    let bytes: &[u8] = content;
    let truncated = || Cause::truncated("it ends before its samples");
    let (mut at, mut description) = (HEADERS.0, None);
    loop {
        let header = bytes.get(at..at + HEADERS.1).ok_or_else(truncated)?;
        let length = header[4..].first_chunk().map_or(0, |length| u64::from_be_bytes(*length));
        at += HEADERS.1;
        if header.starts_with(b"data") {
            let mut recording: Recording = description.ok_or_else(|| Cause::malformed("it does not say how its samples are stored"))?;
            let first = at.checked_add(EDITS).filter(|first| *first <= bytes.len()).ok_or_else(truncated)?;
            let (samples, note) = extent(content, first, length.saturating_sub(EDITS as u64), is_chunk);
            recording.samples = samples;
            recording.notes.extend(note);
            return Ok(recording);
        }
        let end = usize::try_from(length).ok().and_then(|length| at.checked_add(length));
        let body = end.and_then(|end| bytes.get(at..end)).ok_or_else(truncated)?;
        if header.starts_with(b"desc") {
            description = Some(read_description(body)?);
        }
        at += body.len();
    }
}

/// Whether a chunk that fits begins here, where the file has `left` more bytes.
fn is_chunk(rest: &[u8], left: usize) -> bool {
    let length = rest.get(4..12).and_then(|length| length.first_chunk()).map(|length| u64::from_be_bytes(*length));
    rest[..4.min(rest.len())].iter().all(u8::is_ascii_graphic) && length.is_some_and(|length| length <= left as u64)
}

/// Reads the chunk that says how samples are stored.
fn read_description(chunk: &[u8]) -> Result<Recording, Cause> {
    const IS_FLOAT: u32 = 1;
    const IS_LITTLE_ENDIAN: u32 = 2;
    let incomplete = || Cause::truncated("its header is not complete");
    let rate = chunk.first_chunk().map(|rate| f64::from_be_bytes(*rate)).ok_or_else(incomplete)?;
    let word = |index: usize| chunk.get(8 + 4 * index..).and_then(|rest| rest.first_chunk()).map(|word| u32::from_be_bytes(*word));
    let words = (1..6).map(word).collect::<Option<Vec<_>>>().ok_or_else(incomplete)?;
    let [flags, packet, _, n_channels, bits] = words[..] else { return Err(incomplete()) };
    let sample_type = match (&chunk[8..12], flags & IS_FLOAT != 0, bits) {
        (b"alaw", ..) => SampleType::ALaw,
        (b"ulaw", ..) => SampleType::MuLaw,
        (b"lpcm", true, 32) => SampleType::F32,
        (b"lpcm", true, 64) => SampleType::F64,
        (b"lpcm", false, 1..=8) => SampleType::S8,
        (b"lpcm", false, 9..=16) => SampleType::S16,
        (b"lpcm", false, 17..=24) => SampleType::S24,
        (b"lpcm", false, 25..=32) => SampleType::S32,
        (b"lpcm", ..) => return Err(Cause::malformed(format!("its header contradicts itself: {n_channels} channels of {bits} bits"))),
        (coding, ..) => {
            let name = String::from_utf8_lossy(coding);
            return Err(Cause::unsupported(format!("its samples are coded as “{}”; save it as M4A or WAV", name.trim())));
        }
    };
    let (n_channels, packet) = (n_channels as usize, packet as usize);
    if n_channels == 0 || packet != n_channels.saturating_mul(sample_type.bytes()) {
        return Err(Cause::malformed(format!("its header contradicts itself: {n_channels} channels of {bits} bits in {packet} bytes")));
    }
    if !rate.is_finite() || rate < 0.0 {
        return Err(Cause::malformed("its sample rate is not a number"));
    }
    Ok(Recording {
        encoding: Encoding::of(sample_type, flags & IS_LITTLE_ENDIAN == 0),
        n_channels,
        frame: packet,
        rate_hz: Some(rate),
        bits: sample_type.integer_bits().map(|_| bits),
        samples: 0..0,
        notes: Vec::new(),
    })
}

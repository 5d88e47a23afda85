//! Sony Wave64: chunks as in WAV, with names of 16 bytes and lengths of 64 bits, which count the header of the chunk.

use super::recording::extent;
use super::wav::Format;
use super::{Decoded, FileFormat};
use crate::signal::Cause;
use crate::signal::reading::Content;

/// The end of every name but the first, whose beginning is the name of a chunk of WAV.
const NAME: [u8; 12] = [0xf3, 0xac, 0xd3, 0x11, 0x8c, 0xd1, 0x00, 0xc0, 0x4f, 0x8e, 0xdb, 0x8a];
/// Bytes of the header of a chunk.
const HEADER: usize = 24;
/// Chunks begin at multiples of this number of bytes.
const ALIGNMENT: usize = 8;

/// Recordings beyond 4 GiB.
pub(super) static WAVE64: FileFormat = FileFormat {
    name: "Wave64",
    endings: &["w64"],
    marks: &[b"riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\x00\x00"],
    is_content: |bytes| bytes.get(HEADER..HEADER + 4) == Some(b"wave"),
    decode: |content, _| decode(content),
    output: None,
};

fn decode(content: &Content) -> Decoded {
    let truncated = || Cause::truncated("it ends before its samples");
    let (mut at, mut format) = (HEADER + 16, None);
    loop {
        let length = length(content.get(at..).unwrap_or_default()).ok_or_else(truncated)?;
        let (name, first) = (&content[at..at + 4], at + HEADER);
        let claimed = length.saturating_sub(HEADER as u64);
        if name == b"data" {
            let format: Format = format.ok_or_else(|| Cause::malformed("it does not say how its samples are stored"))?;
            let (samples, note) = extent(content, first, claimed, |rest, left| {
                (0..ALIGNMENT).any(|filled| rest.get(filled..).is_some_and(|rest| is_chunk(rest, left - filled)))
            });
            let other = || Cause::unsupported("its samples are coded in blocks; save it as WAV of integers or floats");
            let mut recording = format.recording(false, samples)?.ok_or_else(other)?;
            recording.notes.extend(note);
            return recording.signal(content);
        }
        let end = usize::try_from(claimed).ok().and_then(|claimed| first.checked_add(claimed)).filter(|end| *end <= content.len());
        let end = end.ok_or_else(truncated)?;
        if name == b"fmt " {
            format = Some(Format::read(&content[first..end], false)?);
        }
        at = end.next_multiple_of(ALIGNMENT);
    }
}

/// The length of the chunk that begins here, with its header.
fn length(bytes: &[u8]) -> Option<u64> {
    let is_named = bytes.get(4..16) == Some(&NAME);
    bytes.get(16..HEADER).filter(|_| is_named).and_then(|length| length.first_chunk()).map(|length| u64::from_le_bytes(*length))
}

/// Whether a chunk that fits begins here, where the file has `left` more bytes.
fn is_chunk(bytes: &[u8], left: usize) -> bool {
    length(bytes).is_some_and(|length| length <= left as u64)
}

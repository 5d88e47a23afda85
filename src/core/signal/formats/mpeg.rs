//! Finds the end of the last whole frame of an MP3. Decoders play what is there, so only a walk over the frames finds a missing end.

use crate::signal::Note;

const MPEG_1_KBIT: [u64; 15] = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const MPEG_2_KBIT: [u64; 15] = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const RATE_HZ: [u64; 3] = [44_100, 48_000, 32_000];

/// Whether the content begins with the header of a layer-3 frame. A second header would be surer, but a single frame is a file as well.
pub(super) fn is_layer_3(bytes: &[u8]) -> bool {
    let [first, second, third, ..] = *bytes else {
        return false;
    };
    let is_sync = first == 0xff && second & 0xe0 == 0xe0;
    let is_layer_3 = second >> 1 & 3 == 1 && second >> 3 & 3 != 1;
    is_sync && is_layer_3 && third >> 4 != 0xf && third >> 2 & 3 != 3
}

/// How far the frames of a file are whole.
pub(super) struct Whole {
    /// The end of the last whole frame where one behind it is cut, otherwise the end of the file.
    pub(super) end: usize,
    /// The note on a cut frame, and on frames that the header announces and the file lacks.
    pub(super) note: Option<Note>,
}

/// Walks over the frames. Where the walk ends early (unknown tags, free format), the file counts as whole.
pub(super) fn whole_frames(bytes: &[u8]) -> Whole {
    let start = after_tag(bytes);
    let (mut at, mut end) = (start, bytes.len());
    let mut n_frames = 0;
    while let Some(length) = bytes.get(at..).and_then(frame_length) {
        if at + length > bytes.len() {
            end = at;
            break;
        }
        at += length;
        n_frames += 1;
    }
    let is_cut = end < bytes.len() && n_frames > 0;
    let announced = announced(bytes.get(start..).unwrap_or_default());
    let note = match announced {
        // The frame that holds this number has no sound and is not counted.
        Some(expected) if at == end && (1..=expected).contains(&n_frames) => {
            Some(format!("The file is cut: {} of {expected} frames are whole, and are read.", n_frames - 1))
        }
        _ if is_cut => Some("The last frame is cut, and is left out.".to_owned()),
        _ => None,
    };
    Whole { end: if is_cut { end } else { bytes.len() }, note: note.map(Note::from) }
}

/// The offset behind an ID3v2 tag, whose length has seven bits a byte.
pub(super) fn after_tag(bytes: &[u8]) -> usize {
    match bytes.get(..10) {
        Some(tag) if tag.starts_with(b"ID3") => 10 + tag[6..].iter().fold(0, |length, &byte| length << 7 | usize::from(byte & 0x7f)),
        _ => 0,
    }
}

/// Length in bytes of the layer-3 frame that starts here; `None` where none does.
fn frame_length(bytes: &[u8]) -> Option<usize> {
    let &[0xff, version, coding, _, ..] = bytes else {
        return None;
    };
    if !is_layer_3(bytes) {
        return None;
    }
    let (kbit, divisor, slots) = match version >> 3 & 3 {
        3 => (MPEG_1_KBIT, 1, 144),
        2 => (MPEG_2_KBIT, 2, 72),
        _ => (MPEG_2_KBIT, 4, 72),
    };
    let rate = RATE_HZ.get(usize::from(coding >> 2 & 3))? / divisor;
    let bits_per_sec = kbit.get(usize::from(coding >> 4)).filter(|&&kbit| kbit > 0)? * 1000;
    let padding = u64::from(coding >> 1 & 1);
    usize::try_from(slots * bits_per_sec / rate + padding).ok()
}

/// The number of frames that the header in the first frame announces.
fn announced(first: &[u8]) -> Option<u64> {
    let head = first.get(..64)?;
    let at = head.windows(4).position(|mark| mark == b"Xing" || mark == b"Info")?;
    let has_count = head.get(at + 7)? & 1 == 1;
    let count = head.get(at + 8..at + 12)?;
    has_count.then(|| count.iter().fold(0, |count, &byte| count << 8 | u64::from(byte)))
}

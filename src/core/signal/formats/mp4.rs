//! The part of an MPEG-4 recording that is to be heard. Coders of AAC put samples before it in which they settle, and fill the last frame behind it.

use std::ops::Range;

/// Bytes of the length and the kind of a box.
const HEADER: usize = 8;

/// The frames of the first track of sound that its list of edits (ISO 14496-12, section 8.6.6) keeps, at `rate` samples a second; `None` where no list says so.
pub(super) fn heard(bytes: &[u8], rate: f64) -> Option<Range<usize>> {
    let movie = inside(bytes, &[b"moov"])?;
    let is_sound = |track: &&[u8]| inside(track, &[b"mdia", b"hdlr"]).and_then(|body| body.get(8..12)) == Some(b"soun");
    let track = boxes(movie).filter(|(kind, _)| *kind == b"trak").map(|(_, body)| body).find(is_sound)?;
    let edits = inside(track, &[b"edts", b"elst"])?;
    let (duration, start) = only_edit(edits)?;
    let [of_movie, of_track] =
        [inside(movie, &[b"mvhd"])?, inside(track, &[b"mdia", b"mdhd"])?].map(|header| time_scale(header).map(f64::from));
    let (of_movie, of_track) = (of_movie?, of_track?);
    let first = (start as f64 / of_track * rate).round() as usize;
    let n = (duration as f64 / of_movie * rate).round() as usize;
    // A duration of zero reaches to the end, as in fragments that are still being written.
    Some(first..if n == 0 { usize::MAX } else { first.saturating_add(n) })
}

/// The kinds and bodies of the boxes that follow each other.
fn boxes(bytes: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let kind = rest.get(4..HEADER)?;
        let (from, length) = match number(rest, 0, 4)? {
            0 => (HEADER, rest.len() as u64),
            1 => (HEADER + 8, number(rest, HEADER, 8)?),
            length => (HEADER, length),
        };
        let length = usize::try_from(length).ok().filter(|length| (from..=rest.len()).contains(length))?;
        let body = &rest[from..length];
        rest = &rest[length..];
        Some((kind, body))
    })
}

/// The body of the first box at a path of kinds.
fn inside<'a>(bytes: &'a [u8], path: &[&[u8]]) -> Option<&'a [u8]> {
    path.iter().try_fold(bytes, |bytes, wanted| boxes(bytes).find(|(kind, _)| kind == wanted).map(|(_, body)| body))
}

/// The big-endian number of some bytes.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<u64> {
    bytes.get(at..at + length).map(|bytes| bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// Ticks a second in the header of a movie or of a track; both begin alike.
fn time_scale(header: &[u8]) -> Option<u32> {
    let at = if header.first() == Some(&1) { 20 } else { 12 };
    number(header, at, 4).and_then(|ticks| u32::try_from(ticks).ok()).filter(|ticks| *ticks > 0)
}

/// The duration and the beginning of a single edit at the speed of the recording.
fn only_edit(list: &[u8]) -> Option<(u64, u64)> {
    let width = if list.first() == Some(&1) { 8 } else { 4 };
    let is_alone = number(list, 4, 4) == Some(1);
    let (duration, start) = (number(list, 8, width)?, number(list, 8 + width, width)?);
    let is_empty = start == u64::MAX >> (64 - 8 * width);
    let is_at_speed = number(list, 8 + 2 * width, 4) == Some(1 << 16);
    (is_alone && is_at_speed && !is_empty).then_some((duration, start))
}

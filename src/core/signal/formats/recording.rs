//! Recordings of plain samples: what their headers say, how far the samples reach, and the signal in the bytes of the file.
//!
//! Programs that write into a pipe or crash leave lengths open, and lengths of 32 bits overflow. So a length counts only where the file agrees with it.

use super::Decoded;
use crate::numerals::{counted, integer};
use crate::signal::encoding::Encoding;
use crate::signal::pcm::Pcm;
use crate::signal::reading::Content;
use crate::signal::{Axis, Cause, Channel, Note, Samples, Signal, SignalKind};
use std::ops::Range;

/// The header of a recording.
#[derive(Debug, PartialEq)]
pub(super) struct Recording {
    /// How a sample is stored, in the first bytes of its share of a frame.
    pub(super) encoding: Encoding,
    /// Number of channels, at least one.
    pub(super) n_channels: usize,
    /// Bytes of a frame: a sample of every channel.
    pub(super) frame: usize,
    /// Frames in a second.
    pub(super) rate_hz: Option<f64>,
    /// Bits of an integer that say something.
    pub(super) bits: Option<u32>,
    /// The bytes of the samples.
    pub(super) samples: Range<usize>,
    /// The note on the header.
    pub(super) notes: Vec<Note>,
}

impl Recording {
    /// The signal in the content of the file, which is not copied.
    pub(super) fn signal(self, content: &Content) -> Decoded {
        if self.rate_hz == Some(0.0) {
            return Err(Cause::malformed("its sample rate is zero"));
        }
        let frames = self.samples.len() / self.frame;
        if frames == 0 {
            return Err(Cause::malformed("the recording has no samples"));
        }
        let channels = Pcm::interleaved(content, self.samples.start, self.encoding, self.n_channels, self.frame, frames);
        let channels = channels.into_iter().map(Samples::Pcm).collect();
        let axis = self.rate_hz.map(Axis::of_rate);
        Ok(Signal { axis, stored_bits: self.bits, notes: self.notes, ..of_channels(channels) })
    }
}

/// A recording of these channels.
pub(super) fn of_channels(channels: Vec<Samples>) -> Signal {
    let columns = channels.first().map_or(0, Samples::len);
    let names = match channels.len() {
        1 => vec!["mono".to_owned()],
        2 => vec!["left".to_owned(), "right".to_owned()],
        n => (1..=n).map(|channel| format!("channel {channel}")).collect(),
    };
    let channels = names.into_iter().zip(channels).map(|(name, samples)| Channel::new(name, samples)).collect();
    Signal::from_channels("", SignalKind::Rows, (1, columns), channels)
}

/// The bytes of the samples, which begin at `first` and claim `claimed` bytes, and what is said where the claim is wrong.
/// `is_part` tells whether another part of the file begins with some bytes, behind which the file has this number of them in all.
pub(super) fn extent(
    content: &Content,
    first: usize,
    claimed: u64,
    is_part: impl Fn(&[u8], usize) -> bool,
) -> (Range<usize>, Option<Note>) {
    let there = content.size() - first;
    let end = usize::try_from(claimed).ok().filter(|claimed| *claimed <= there).map(|claimed| first + claimed);
    if let Some(end) = end
        && let (rest, left) = (content.behind(end), content.size() - end)
        && if claimed > 0 { ends_at(&rest, left, &is_part) } else { there == 0 || is_part(&rest, left) }
    {
        return (first..end, None);
    }
    let note = match end {
        _ if is_unknown(claimed) => "The header does not say how long the recording is; the whole file is read.".to_owned(),
        None => format!(
            "The header says {} of samples and the file has {}, as it is cut or its length was not filled in; all of them are read.",
            bytes_in_words(claimed),
            integer(there)
        ),
        Some(_) => format!(
            "The header says {} of samples, but no other part of the file follows them; the {} up to its end are read.",
            bytes_in_words(claimed),
            integer(there)
        ),
    };
    (first..content.size(), Some(note.into()))
}

fn bytes_in_words(n: u64) -> String {
    usize::try_from(n).map_or_else(|_| format!("{n} bytes"), |n| counted(n, "byte"))
}

/// Whether a length of 32 bits is what programs write that do not know it: nothing, the largest number, or one just below or above 2^31.
pub(super) fn is_unknown(claimed: u64) -> bool {
    matches!(claimed, 0 | 0x7fff_0000..=0x8000_ffff | 0xffff_0000..=0xffff_ffff | 0x7fff_ffff_ffff_0000..)
}

/// Whether samples end where `rest` begins the `left` bytes that follow: nothing, filling bytes, tags of players, or another part of the file.
fn ends_at(rest: &[u8], left: usize, is_part: &impl Fn(&[u8], usize) -> bool) -> bool {
    const HEADER: usize = 8;
    const TAGS: [&[u8]; 4] = [b"ID3", b"TAG", b"APETAGEX", b"LYRICS"];
    // A part of odd length is padded; some writers forget it.
    rest.len() < HEADER
        || TAGS.iter().any(|tag| rest.starts_with(tag))
        || is_part(rest, left)
        || is_part(&rest[1..], left - 1)
        || rest.iter().all(|&byte| byte == 0)
}

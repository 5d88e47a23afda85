//! WAV by the audio decoders, with a header that they can trust: programs that write into a pipe or crash leave lengths open.

use super::super::{Cause, Format};
use super::{Decoded, audio};

/// The decoder names the places of so many loudspeakers, and multiplies the number in 16 bits before it looks.
const MAX_CHANNELS: u16 = 26;

/// A length that is not known, as the decoder understands it.
const OPEN: u8 = 0xff;

/// Decodes all channels of a recording; `bytes` have the twelve bytes by which it was recognised.
pub(super) fn decode(bytes: &[u8]) -> Decoded {
    let find = |mark: &[u8]| bytes.windows(mark.len()).take(1 << 16).position(|window| window == mark);
    if let Some(&[low, high]) = find(b"fmt ").and_then(|at| bytes.get(at + 10..at + 12)) {
        let n = u16::from_le_bytes([low, high]);
        if n > MAX_CHANNELS {
            return Err(Cause::unsupported(format!("it has {n} channels; 1 to {MAX_CHANNELS} are read")));
        }
    }
    let mut bytes = bytes.to_vec();
    // The length of the whole says nothing that those of the chunks do not.
    bytes[4..8].fill(OPEN);
    if let Some(at) = find(b"data\0\0\0\0") {
        bytes[at + 4..at + 8].fill(OPEN);
    }
    audio::decode(bytes, Format::Wav)
}

//! The head of a WAV that comes as a stream: everything before its samples.

use super::recording::is_unknown;
use super::wav::{Chunks, Format, WAV, length};
use crate::signal::reading::Content;
use crate::signal::{Cause, Sampling};
use std::io::{ErrorKind, Read};

/// The most bytes before the samples of a stream.
const MOST: usize = 1 << 20;

/// The part of a stream before its samples.
pub(crate) struct Head {
    /// The bytes, with a length of samples that says that it is unknown. Bytes of samples behind them make a whole file.
    pub(crate) bytes: Vec<u8>,
    /// Bytes of a frame: a sample of every channel.
    pub(crate) frame: usize,
    /// How the samples follow each other.
    pub(crate) sampling: Sampling,
    /// Bytes of all samples, where the head says them.
    pub(crate) samples: Option<u64>,
}

impl Head {
    /// Reads a stream up to its first sample.
    ///
    /// # Errors
    /// When the stream ends before, is not a WAV, or its samples are coded in blocks.
    pub(crate) fn read(stream: &mut dyn Read) -> Result<Self, Cause> {
        let mut bytes = Vec::new();
        fetch(stream, &mut bytes, 12)?;
        if !(WAV.is_content)(&bytes) || !WAV.marks.iter().any(|mark| bytes.starts_with(mark)) {
            return Err(Cause::malformed("its first bytes are no head of a WAV; say how its samples are stored, as s16,1,44100"));
        }
        let is_big_endian = bytes.starts_with(b"RIFX");
        loop {
            let at = bytes.len();
            fetch(stream, &mut bytes, 8)?;
            if bytes[at..].starts_with(b"data") {
                break;
            }
            let n = length(&bytes[at..], is_big_endian) as usize;
            fetch(stream, &mut bytes, n.saturating_add(n % 2))?;
        }
        let chunks = Chunks::find(&Content::new(bytes.clone()))?;
        let format = Format::read(&bytes[chunks.format.clone()], is_big_endian)?;
        let coded = || Cause::unsupported("samples that are coded in blocks are read from files only");
        let recording = format.recording(is_big_endian, chunks.samples.clone())?.ok_or_else(coded)?;
        let rate = recording.rate_hz.filter(|rate| *rate > 0.0).ok_or_else(|| Cause::malformed("its sample rate is zero"))?;
        let samples = (!is_unknown(chunks.claimed)).then_some(chunks.claimed);
        let end = bytes.len();
        bytes[end - 4..].fill(0xff);
        Ok(Self { bytes, frame: recording.frame, sampling: Sampling::hertz(rate), samples })
    }
}

/// Reads exactly `n` more bytes.
fn fetch(stream: &mut dyn Read, bytes: &mut Vec<u8>, n: usize) -> Result<(), Cause> {
    if bytes.len().saturating_add(n) > MOST {
        return Err(Cause::malformed(format!("its samples do not begin within {MOST} bytes")));
    }
    let at = bytes.len();
    bytes.resize(at + n, 0);
    stream.read_exact(&mut bytes[at..]).map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEof => Cause::truncated("it ends before its samples"),
        _ => Cause::malformed(error),
    })
}

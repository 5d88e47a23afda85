//! WAV: integer PCM divided by full scale, floats as they are; compressed kinds go to the audio decoders.

use super::super::{Cause, Channel, Format, Kind, Samples, Signal, memory};
use super::{Decoded, audio};

const PCM: u16 = 1;
const FLOAT: u16 = 3;
const EXTENSIBLE: u16 = 0xfffe;

/// The `fmt ` chunk.
struct Coding {
    tag: u16,
    channels: usize,
    sample_rate_hz: u32,
    /// Bytes of one sample of one channel.
    width: usize,
}

/// Decodes all channels of a recording.
pub(super) fn decode(bytes: &[u8]) -> Decoded {
    let mut coding = None;
    let mut at = 12;
    loop {
        let Some(header) = bytes.get(at..at + 8) else {
            return Err(Cause::truncated("there are no sample data (no “data” chunk)"));
        };
        let claimed = u32::from_le_bytes([header[4], header[5], header[6], header[7]]);
        let body = &bytes[at + 8..];
        if header.starts_with(b"data") {
            let coding = coding.ok_or_else(|| Cause::malformed("the samples come before their format"))?;
            return decode_data(bytes, body, claimed, &coding);
        }
        let length = claimed as usize;
        if header.starts_with(b"fmt ") {
            let format = body.get(..length).ok_or_else(|| Cause::truncated("its format chunk is not complete"))?;
            coding = Some(Coding::parse(format)?);
        }
        // Chunks start at even offsets.
        at = at + 8 + length + length % 2;
    }
}

impl Coding {
    fn parse(chunk: &[u8]) -> Result<Self, Cause> {
        let word = |at: usize| chunk.get(at..at + 2).map(|b| u16::from_le_bytes([b[0], b[1]]));
        let incomplete = || Cause::malformed("its format chunk is too short");
        let mut tag = word(0).ok_or_else(incomplete)?;
        let channels = usize::from(word(2).ok_or_else(incomplete)?);
        let rate = [word(4), word(6)].map(|half| u32::from(half.unwrap_or(0)));
        let bits = word(14).ok_or_else(incomplete)?;
        if tag == EXTENSIBLE {
            tag = word(24).ok_or_else(incomplete)?;
        }
        if channels == 0 {
            return Err(Cause::malformed("it has no channels"));
        }
        let sample_rate_hz = rate[0] | rate[1] << 16;
        if sample_rate_hz == 0 {
            return Err(Cause::malformed("its sample rate is zero"));
        }
        Ok(Self { tag, channels, sample_rate_hz, width: usize::from(bits).div_ceil(8) })
    }
}

fn decode_data(bytes: &[u8], body: &[u8], claimed: u32, coding: &Coding) -> Decoded {
    let is_plain = match coding.tag {
        PCM => matches!(coding.width, 1..=4),
        FLOAT => matches!(coding.width, 4 | 8),
        _ => return audio::decode(bytes, Format::Wav),
    };
    if !is_plain {
        return Err(Cause::unsupported(format!("its samples have {} bytes; 1 to 4 are read, 4 or 8 as floats", coding.width)));
    }
    let frame = coding.width * coding.channels;
    let mut notes = Vec::new();
    // Programs that write into a pipe cannot go back and fill in the length.
    let length = if claimed == u32::MAX || claimed == 0 && !body.is_empty() {
        notes.push("The header does not say how long the recording is; all of the file is taken.".to_owned());
        body.len() / frame * frame
    } else {
        claimed as usize
    };
    let Some(data) = body.get(..length) else {
        return Err(Cause::truncated(&format!("{} of {length} bytes of samples are there", body.len())));
    };
    if data.is_empty() {
        return Err(Cause::malformed("the recording has no samples"));
    }
    if data.len() % frame != 0 {
        return Err(Cause::malformed(format!("its {length} bytes of samples are no multiple of {frame}, the bytes of all channels")));
    }
    memory::checked_bytes(&[(data.len() / coding.width) as u64, 4], || format!("{} samples", data.len() / coding.width))?;
    let names = channel_names(coding.channels);
    let channels = names.into_iter().enumerate().map(|(index, name)| {
        let elements = data.chunks_exact(frame).map(|f| &f[index * coding.width..][..coding.width]);
        Channel::new(name, samples(elements, coding))
    });
    let mut signal = Signal::from_channels("", Kind::Lines, (1, data.len() / frame), channels.collect());
    signal.sample_rate_hz = Some(f64::from(coding.sample_rate_hz));
    signal.notes = notes;
    Ok(signal)
}

fn samples<'a>(elements: impl Iterator<Item = &'a [u8]>, coding: &Coding) -> Samples {
    // Up to 24 bits, the quotient by a power of two is exact in single precision; 32 bits are kept in double precision.
    let signed =
        |e: &[u8]| e.iter().rev().fold(0_i32, |value, &byte| value << 8 | i32::from(byte)) << (32 - 8 * e.len()) >> (32 - 8 * e.len());
    match (coding.tag, coding.width) {
        (FLOAT, 4) => Samples::F32(elements.map(|e| f32::from_le_bytes([e[0], e[1], e[2], e[3]])).collect()),
        (FLOAT, _) => Samples::F64(elements.map(|e| f64::from_le_bytes([e[0], e[1], e[2], e[3], e[4], e[5], e[6], e[7]])).collect()),
        (_, 1) => Samples::F32(elements.map(|e| (f32::from(e[0]) - 128.0) / 128.0).collect()),
        (_, 4) => Samples::F64(elements.map(|e| f64::from(signed(e)) / f64::from(1_u32 << 31)).collect()),
        (_, width) => {
            let full_scale = (1_u32 << (8 * width - 1)) as f32;
            Samples::F32(elements.map(|e| signed(e) as f32 / full_scale).collect())
        }
    }
}

/// Names by the number of channels.
pub(super) fn channel_names(n: usize) -> Vec<String> {
    match n {
        1 => vec!["mono".to_owned()],
        2 => vec!["left".to_owned(), "right".to_owned()],
        _ => (1..=n).map(|channel| format!("channel {channel}")).collect(),
    }
}

//! AIFF and AIFC recordings. Their bytes are in the order of the first Macintosh, but for codings that say otherwise.

use super::recording::{Recording, extent};
use super::{Decoded, FileFormat, wav};
use crate::signal::encoding::Encoding;
use crate::signal::reading::Content;
use crate::signal::{Cause, SampleType};

/// Recordings of the Audio Interchange File Format.
pub(super) static AIFF: FileFormat = FileFormat {
    name: "AIFF",
    endings: &["aiff", "aif", "aifc"],
    marks: &[b"FORM"],
    is_content: |bytes| matches!(bytes.get(8..12), Some(b"AIFF" | b"AIFC")),
    decode: |content, _| decode(content),
    output: None,
};

fn decode(content: &Content) -> Decoded {
    parse(content)?.signal(content)
}

/// Finds the common chunk and the samples.
fn parse(content: &Content) -> Result<Recording, Cause> {
    let bytes: &[u8] = content;
    let truncated = || Cause::truncated("it ends before its samples");
    let (mut at, mut common) = (12, None);
    loop {
        let header = bytes.get(at..at + 8).ok_or_else(truncated)?;
        let length = u64::from(u32::from_be_bytes([header[4], header[5], header[6], header[7]]));
        let first = at + 8;
        if header.starts_with(b"SSND") {
            // An offset into the samples and the size of blocks, which nobody uses, are before the samples.
            let offset =
                bytes.get(first..first + 8).and_then(|head| head.first_chunk()).map(|n| u32::from_be_bytes(*n)).ok_or_else(truncated)?;
            let begin = (first + 8).saturating_add(offset as usize);
            if begin > bytes.len() {
                return Err(truncated());
            }
            let claimed = if length == 0 { 0 } else { length.saturating_sub(8 + u64::from(offset)) };
            let (samples, note) = extent(content, begin, claimed, |rest, left| wav::is_chunk(rest, left, true));
            let mut recording: Recording = common.ok_or_else(|| Cause::malformed("it does not say how its samples are stored"))?;
            recording.samples = samples;
            recording.notes.extend(note);
            return Ok(recording);
        }
        let body = bytes.get(first..first.saturating_add(length as usize)).ok_or_else(truncated)?;
        if header.starts_with(b"COMM") {
            common = Some(read_common(body)?);
        }
        at = first + body.len() + body.len() % 2;
    }
}

/// Reads the chunk that says how samples are stored.
fn read_common(chunk: &[u8]) -> Result<Recording, Cause> {
    let incomplete = || Cause::truncated("its header is not complete");
    let short = |at: usize| chunk.get(at..).and_then(|rest| rest.first_chunk()).map(|n| u16::from_be_bytes(*n)).ok_or_else(incomplete);
    let (n_channels, bits) = (short(0)?, short(6)?);
    let rate = extended(chunk.get(8..18).and_then(|rest| rest.first_chunk()).ok_or_else(incomplete)?);
    let coding = chunk.get(18..22).unwrap_or(b"NONE");
    let integers = match bits {
        1..=8 => Some(SampleType::S8),
        9..=16 => Some(SampleType::S16),
        17..=24 => Some(SampleType::S24),
        25..=32 => Some(SampleType::S32),
        _ => None,
    };
    let (sample_type, is_big_endian) = match coding {
        b"NONE" | b"twos" => (integers, true),
        b"sowt" => (integers, false),
        b"raw " => (Some(SampleType::U8), true),
        b"in24" => (Some(SampleType::S24), true),
        b"in32" => (Some(SampleType::S32), true),
        b"fl32" | b"FL32" => (Some(SampleType::F32), true),
        b"fl64" | b"FL64" => (Some(SampleType::F64), true),
        b"alaw" | b"ALAW" => (Some(SampleType::ALaw), true),
        b"ulaw" | b"ULAW" => (Some(SampleType::MuLaw), true),
        other => {
            let name = String::from_utf8_lossy(other);
            return Err(Cause::unsupported(format!("its samples are coded as “{}”; save it as WAV of integers or floats", name.trim())));
        }
    };
    let contradicts = || Cause::malformed(format!("its header contradicts itself: {n_channels} channels of {bits} bits"));
    let sample_type = sample_type.filter(|_| n_channels > 0).ok_or_else(contradicts)?;
    Ok(Recording {
        encoding: Encoding::of(sample_type, is_big_endian),
        n_channels: n_channels.into(),
        frame: usize::from(n_channels) * sample_type.bytes(),
        rate_hz: Some(rate),
        bits: sample_type.integer_bits().map(|all| if (1..=all).contains(&bits.into()) { bits.into() } else { all }),
        samples: 0..0,
        notes: Vec::new(),
    })
}

/// A number of 80 bits: a sign, an exponent of 15 bits, and 64 bits whose first one counts 1. A rate that is not a number is read as 0.
fn extended(&[high, low, ref mantissa @ ..]: &[u8; 10]) -> f64 {
    let exponent = i32::from(u16::from_be_bytes([high & 0x7f, low])) - 16_383 - 63;
    let mantissa = mantissa.iter().fold(0_u64, |number, &byte| number << 8 | u64::from(byte));
    let value = mantissa as f64 * f64::from(exponent).exp2();
    if value.is_finite() && high & 0x80 == 0 { value } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_80_bits() {
        for (bytes, rate) in [
            ([0x40, 0x0e, 0xac, 0x44, 0, 0, 0, 0, 0, 0], 44_100.0),
            ([0x40, 0x0e, 0xbb, 0x80, 0, 0, 0, 0, 0, 0], 48_000.0),
            ([0x40, 0x0b, 0xac, 0x44, 0, 0, 0, 0, 0, 0], 5512.5),
            ([0; 10], 0.0),
            ([0x7f, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0], 0.0),
        ] {
            assert_eq!(extended(&bytes), rate);
        }
    }
}

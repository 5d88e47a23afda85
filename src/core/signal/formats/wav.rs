//! WAV: read by the audio decoders, from a copy of the chunks that they need, and written with 32-bit floats by `hound`.
//!
//! Programs that write into a pipe or crash leave lengths open, and others pad chunks of odd length, which the decoders do not expect.

use super::audio::{self, Container};
use super::{Decoded, FileFormat, Holds, OutputFormat};
use crate::signal::reading::Content;
use crate::signal::{Cause, Misfit, Note, Signal, memory};
use hound::{SampleFormat, WavSpec, WavWriter};
use std::io::{self, Cursor, Write};

/// RIFF WAVE recordings.
pub(super) static WAV: FileFormat = FileFormat {
    name: "WAV",
    endings: &["wav", "wave"],
    marks: &[b"RIFF"],
    is_content: |bytes| bytes.get(8..12) == Some(b"WAVE"),
    decode: |content, _| decode(content),
    output: Some(OutputFormat {
        name: "WAV",
        endings: &["wav"],
        holds: Holds { reals: true, complex: false, rows: false, channels: true, sample_rate: true, is_image: false },
        fits,
        encode,
    }),
};

/// Written where the signal has no sample rate, because a WAV must have one.
pub const DEFAULT_RATE_HZ: f64 = 44_100.0;

/// The decoder knows the positions of this many loudspeakers; it multiplies a larger number in 16 bits before it checks it.
const MAX_CHANNELS: u64 = 26;

/// Decodes all channels of a recording; `bytes` have the twelve bytes by which it was recognised.
///
/// The decoder gets the chunks that it needs and no others. A length of zero, which a writer into a pipe leaves, becomes an open one.
fn decode(bytes: &[u8]) -> Decoded {
    const OPEN: u32 = u32::MAX;
    let is_name = |at: usize| bytes.get(at..at + 4).is_some_and(|name| name.iter().all(|&byte| byte.is_ascii_graphic() || byte == b' '));
    let mut clean = b"RIFF\xff\xff\xff\xffWAVE".to_vec();
    memory::reserve(&mut clean, bytes.len())?;
    let (mut at, mut note, mut odd_bits) = (12, None, None);
    loop {
        let truncated = || Cause::truncated("it ends before its samples");
        let Some(&[n, a, m, e, length @ ..]) = bytes.get(at..at + 8).and_then(|header| header.first_chunk::<8>()) else {
            return Err(truncated());
        };
        let (name, claimed, body) = ([n, a, m, e], u32::from_le_bytes(length), &bytes[at + 8..]);
        let length = claimed as usize;
        if name == *b"data" {
            clean.extend(b"data");
            clean.extend(if length == 0 { OPEN } else { claimed }.to_le_bytes());
            clean.extend(if length == 0 { body } else { &body[..length.min(body.len())] });
            break;
        }
        let chunk = body.get(..length).ok_or_else(truncated)?;
        if name == *b"fmt " {
            note = checked_format(chunk)?;
        }
        if [*b"fmt ", *b"fact"].contains(&name) {
            clean.extend(&bytes[at..at + 8]);
            let at_chunk = clean.len();
            clean.extend(chunk);
            if name == *b"fmt " {
                odd_bits = whole_bytes(&mut clean[at_chunk..]);
            }
            clean.resize(clean.len().next_multiple_of(2), 0);
        }
        at += 8 + length;
        // A chunk of odd length is padded; some writers forget it.
        at += usize::from(length % 2 == 1 && !is_name(at));
    }
    let mut signal = audio::decode(Content::new(clean), Container::Wav)?;
    signal.notes.extend(note.map(Note::from));
    signal.stored_bits = odd_bits.or(signal.stored_bits);
    Ok(signal)
}

/// Writes the bits of the whole bytes that hold an integer into a format, because the decoder knows no others; returns the bits that were there.
///
/// Such integers stand in the upper bits of their bytes, as WAVE says.
fn whole_bytes(format: &mut [u8]) -> Option<u32> {
    const INTEGERS: [u8; 2] = [1, 0];
    let bits = u16::from_le_bytes([*format.get(14)?, *format.get(15)?]);
    let is_odd = format[..2] == INTEGERS && bits % 8 != 0;
    is_odd.then(|| {
        format[14..16].copy_from_slice(&bits.next_multiple_of(8).to_le_bytes());
        bits.into()
    })
}

/// Refuses a format of too many channels or of contradictory sizes; a note says that its bytes a second are wrong.
fn checked_format(chunk: &[u8]) -> Result<Option<String>, Cause> {
    let number =
        |at: usize, width: usize| Some(chunk.get(at..at + width)?.iter().rev().fold(0_u64, |value, &byte| value << 8 | u64::from(byte)));
    let fields = [(0, 2), (2, 2), (4, 4), (8, 4), (12, 2), (14, 2)].map(|(at, width)| number(at, width));
    let [Some(coding), Some(channels), Some(rate), Some(per_sec), Some(block), Some(bits)] = fields else {
        return Err(Cause::truncated("its header is not complete"));
    };
    if channels > MAX_CHANNELS {
        return Err(Cause::unsupported(format!("it has {channels} channels; 1 to {MAX_CHANNELS} are read")));
    }
    // Integers, floats, both logarithmic codings, and any of these with positions of loudspeakers; other codings compress blocks.
    if !matches!(coding, 1 | 3 | 6 | 7 | 0xfffe) {
        return Ok(None);
    }
    if block != channels * bits.div_ceil(8) {
        return Err(Cause::malformed(format!(
            "its header contradicts itself: {channels} channels of {bits} bits in blocks of {block} bytes"
        )));
    }
    let is_wrong = rate > 0 && per_sec != rate * block;
    Ok(is_wrong.then(|| {
        format!("The header says {per_sec} bytes a second where {rate} blocks of {block} bytes make {}; the rate is kept.", rate * block)
    }))
}

fn fits(signal: &Signal) -> Result<(), Misfit> {
    let is_too_large = signal.channels.len() > usize::from(u16::MAX / 4) || data_bytes(signal) > u64::from(u32::MAX) - 64;
    if is_too_large { Err(Misfit::TooLarge("4 GiB")) } else { Ok(()) }
}

/// Writes one channel of the file for each of the signal.
fn encode(out: &mut dyn Write, signal: &Signal) -> io::Result<()> {
    let channels = signal.channels.len() as u16;
    // The header holds the bytes of a second in 32 bits.
    let max_rate_hz = u32::MAX / (4 * u32::from(channels));
    let sample_rate = signal.rate_hz().unwrap_or(DEFAULT_RATE_HZ).round().clamp(1.0, f64::from(max_rate_hz)) as u32;
    let spec = WavSpec { channels, sample_rate, bits_per_sample: 32, sample_format: SampleFormat::Float };
    // The encoder goes back to fill in the lengths, which a pipe does not allow.
    let mut file = Cursor::new(Vec::with_capacity(data_bytes(signal) as usize + 128));
    let planes: Vec<Vec<f32>> = signal.channels.iter().map(|channel| channel.samples.to_f32()).collect();
    let mut wav = WavWriter::new(&mut file, spec).map_err(io::Error::other)?;
    let mut samples = (0..signal.columns).flat_map(|index| planes.iter().map(move |plane| plane[index]));
    samples.try_for_each(|sample| wav.write_sample(sample)).map_err(io::Error::other)?;
    wav.finalize().map_err(io::Error::other)?;
    out.write_all(file.get_ref())
}

/// Bytes of all samples as floats.
fn data_bytes(signal: &Signal) -> u64 {
    (signal.columns as u64).saturating_mul(4 * signal.channels.len() as u64)
}

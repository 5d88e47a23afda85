//! WAV: read by the audio decoders, after the lengths in its header are repaired, and written with 32-bit floats by `hound`.
//!
//! Programs that write into a pipe or crash leave lengths open, which the decoders do not expect.

use super::audio::{self, Container};
use super::{Decoded, FileFormat, Holds, OutputFormat};
use crate::signal::{Cause, Misfit, Signal};
use hound::{SampleFormat, WavSpec, WavWriter};
use std::io::{self, Cursor, Write};

/// RIFF WAVE recordings.
pub(super) static WAV: FileFormat = FileFormat {
    name: "WAV",
    endings: &["wav", "wave"],
    marks: &[b"RIFF"],
    is_content: |bytes| bytes.get(8..12) == Some(b"WAVE"),
    decode,
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
const MAX_CHANNELS: u16 = 26;

/// A length that is not known, as the decoder understands it.
const OPEN: u8 = 0xff;

/// Decodes all channels of a recording; `bytes` have the twelve bytes by which it was recognised.
fn decode(bytes: &[u8]) -> Decoded {
    let find = |mark: &[u8]| bytes.windows(mark.len()).take(1 << 16).position(|window| window == mark);
    if let Some(&[low, high]) = find(b"fmt ").and_then(|at| bytes.get(at + 10..at + 12)) {
        let n = u16::from_le_bytes([low, high]);
        if n > MAX_CHANNELS {
            return Err(Cause::unsupported(format!("it has {n} channels; 1 to {MAX_CHANNELS} are read")));
        }
    }
    let mut bytes = bytes.to_vec();
    // The length of the file repeats what the lengths of the chunks say.
    bytes[4..8].fill(OPEN);
    if let Some(at) = find(b"data\0\0\0\0") {
        bytes[at + 4..at + 8].fill(OPEN);
    }
    audio::decode(bytes, Container::Wav)
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
    let sample_rate = signal.sample_rate_hz.unwrap_or(DEFAULT_RATE_HZ).round().clamp(1.0, f64::from(max_rate_hz)) as u32;
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

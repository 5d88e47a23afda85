//! WAV with 32-bit floats by `hound`, one channel of the file for each of the signal.

use super::super::Signal;
use super::refuse_complex;
use hound::{SampleFormat, WavSpec, WavWriter};
use std::io::{self, Cursor, Write};

/// Written where the signal has no sample rate, because a WAV must have one.
pub const DEFAULT_RATE_HZ: f64 = 44_100.0;

pub(super) fn check(signal: &Signal) -> Result<(), String> {
    refuse_complex(signal, "WAV")?;
    if signal.rows > 1 {
        return Err(format!("WAV holds one line, and here are {} rows; write .npy, .csv or .tiff", signal.rows));
    }
    if signal.channels.len() > usize::from(u16::MAX / 4) || data_bytes(signal) > u64::from(u32::MAX) - 64 {
        return Err("it is larger than the 4 GiB of a WAV; write .npy".to_owned());
    }
    Ok(())
}

pub(super) fn encode(out: &mut dyn Write, signal: &Signal) -> io::Result<()> {
    let channels = signal.channels.len() as u16;
    // The header holds the bytes of a second in 32 bits.
    let max_rate_hz = u32::MAX / (4 * u32::from(channels));
    let sample_rate = signal.sample_rate_hz.unwrap_or(DEFAULT_RATE_HZ).round().clamp(1.0, f64::from(max_rate_hz)) as u32;
    let spec = WavSpec { channels, sample_rate, bits_per_sample: 32, sample_format: SampleFormat::Float };
    // The library goes back to fill in the lengths, which a pipe does not allow.
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

//! WAV with 32-bit floats, one channel of the file for each of the signal.

use super::super::Signal;
use super::refuse_complex;
use std::io::{self, Write};

/// Written where the signal has no sample rate, because a WAV must have one.
const DEFAULT_RATE_HZ: f64 = 44_100.0;

pub(super) fn check(signal: &Signal) -> Result<(), String> {
    refuse_complex(signal, "WAV")?;
    if signal.rows > 1 {
        return Err(format!("WAV holds one line, and here are {} rows; write .npy, .csv or .tiff", signal.rows));
    }
    if signal.channels.len() > usize::from(u16::MAX) || data_bytes(signal) > u64::from(u32::MAX) - 64 {
        return Err("it is larger than the 4 GiB of a WAV; write .npy".to_owned());
    }
    Ok(())
}

pub(super) fn encode(out: &mut dyn Write, signal: &Signal) -> io::Result<()> {
    const FLOAT: u16 = 3;
    const HEADER: u32 = 4 + (8 + 18) + (8 + 4) + 8;
    let n_channels = signal.channels.len() as u16;
    let rate = signal.sample_rate_hz.unwrap_or(DEFAULT_RATE_HZ).round().clamp(1.0, f64::from(u32::MAX)) as u32;
    let length = data_bytes(signal) as u32;
    let frame = n_channels.saturating_mul(4);
    out.write_all(b"RIFF")?;
    out.write_all(&(HEADER + length).to_le_bytes())?;
    out.write_all(b"WAVEfmt \x12\0\0\0")?;
    out.write_all(&FLOAT.to_le_bytes())?;
    out.write_all(&n_channels.to_le_bytes())?;
    out.write_all(&rate.to_le_bytes())?;
    out.write_all(&rate.saturating_mul(frame.into()).to_le_bytes())?;
    out.write_all(&frame.to_le_bytes())?;
    // 32 bits a sample, and no bytes of extension.
    out.write_all(b"\x20\0\0\0")?;
    // Kinds other than integer PCM say the number of samples again.
    out.write_all(b"fact\x04\0\0\0")?;
    out.write_all(&(signal.columns as u32).to_le_bytes())?;
    out.write_all(b"data")?;
    out.write_all(&length.to_le_bytes())?;
    let planes: Vec<Vec<f32>> = signal.channels.iter().map(|channel| channel.samples.to_f32()).collect();
    let mut bytes = Vec::new();
    for start in (0..signal.columns).step_by(1 << 16) {
        bytes.clear();
        for index in start..signal.columns.min(start + (1 << 16)) {
            bytes.extend(planes.iter().flat_map(|plane| plane[index].to_le_bytes()));
        }
        out.write_all(&bytes)?;
    }
    Ok(())
}

/// Bytes of all samples as floats.
fn data_bytes(signal: &Signal) -> u64 {
    (signal.columns as u64).saturating_mul(4 * signal.channels.len() as u64)
}

//! TIFF with 32-bit floats, gray or RGB, not compressed, so that every program reads it.

use super::super::Signal;
use super::{refuse_bands, refuse_complex};
use std::io::{self, Cursor, Write};
use tiff::TiffError;
use tiff::encoder::TiffEncoder;
use tiff::encoder::colortype::{Gray32Float, RGB32Float};

/// A classic TIFF has 32-bit offsets.
const MAX_BYTES: usize = u32::MAX as usize - (1 << 16);

pub(super) fn check(signal: &Signal) -> Result<(), String> {
    refuse_complex(signal, "TIFF")?;
    refuse_bands(signal, "TIFF")?;
    if signal.len().saturating_mul(4 * signal.channels.len()) > MAX_BYTES {
        return Err("it is larger than the 4 GiB of a TIFF; write .npy".to_owned());
    }
    Ok(())
}

pub(super) fn encode(out: &mut dyn Write, signal: &Signal) -> io::Result<()> {
    let planes: Vec<Vec<f32>> = signal.channels.iter().take(3).map(|channel| channel.samples.to_f32()).collect();
    let (columns, rows) = (signal.columns as u32, signal.rows as u32);
    // The encoder goes back to fill in offsets, which standard output cannot.
    let mut file = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut file).map_err(io_error)?;
    if let [red, green, blue] = &planes[..] {
        let pixels: Vec<f32> = red.iter().zip(green).zip(blue).flat_map(|((&r, &g), &b)| [r, g, b]).collect();
        encoder.write_image::<RGB32Float>(columns, rows, &pixels).map_err(io_error)?;
    } else {
        encoder.write_image::<Gray32Float>(columns, rows, &planes[0]).map_err(io_error)?;
    }
    out.write_all(file.get_ref())
}

fn io_error(error: TiffError) -> io::Error {
    match error {
        TiffError::IoError(error) => error,
        other => io::Error::other(other),
    }
}

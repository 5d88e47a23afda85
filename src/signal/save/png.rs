//! PNG of 8 or 16 bits, gray or RGB, compressed for speed.

use super::super::{Samples, Signal};
use super::{refuse_bands, refuse_complex};
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError};
use std::io::{self, Write};

pub(super) fn check(signal: &Signal) -> Result<(), String> {
    refuse_complex(signal, "PNG")?;
    refuse_bands(signal, "PNG")?;
    if signal.channels.iter().any(|channel| !matches!(channel.samples, Samples::U8(_) | Samples::U16(_))) {
        return Err(format!(
            "PNG holds whole numbers of 8 or 16 bits, and these samples are {}; write .tiff or .npy, or let “spectrum” make a picture",
            signal.channels[0].samples.type_name()
        ));
    }
    if u32::try_from(signal.rows.max(signal.columns)).is_err() {
        return Err("it has more rows or columns than PNG can say; write .npy".to_owned());
    }
    Ok(())
}

pub(super) fn encode(out: &mut dyn Write, signal: &Signal) -> io::Result<()> {
    let channels: Vec<&Samples> = signal.channels.iter().take(3).map(|channel| &channel.samples).collect();
    if let [Samples::U8(gray)] = channels[..] {
        return encode_bytes(out, signal.rows, signal.columns, gray, "");
    }
    let is_wide = channels.iter().any(|samples| matches!(samples, Samples::U16(_)));
    let mut pixels = Vec::with_capacity(signal.len() * channels.len() * if is_wide { 2 } else { 1 });
    for index in 0..signal.len() {
        for samples in &channels {
            match samples {
                // A byte among words is spread over the wider range.
                Samples::U8(v) if is_wide => pixels.extend([v[index], v[index]]),
                Samples::U8(v) => pixels.push(v[index]),
                Samples::U16(v) => pixels.extend(v[index].to_be_bytes()),
                other => unreachable!("`check` has refused {}", other.type_name()),
            }
        }
    }
    let colour = if channels.len() == 3 { ColorType::Rgb } else { ColorType::Grayscale };
    let depth = if is_wide { BitDepth::Sixteen } else { BitDepth::Eight };
    write_image(out, (signal.rows, signal.columns), (colour, depth), &pixels, "")
}

/// Gray bytes, or RGB where there are three times as many.
pub(super) fn encode_bytes(out: &mut dyn Write, rows: usize, columns: usize, pixels: &[u8], description: &str) -> io::Result<()> {
    let colour = match pixels.len() {
        n if n == rows * columns => ColorType::Grayscale,
        n if n == 3 * rows * columns => ColorType::Rgb,
        n => panic!("a picture of {rows} × {columns} has {n} bytes, neither gray nor RGB"),
    };
    write_image(out, (rows, columns), (colour, BitDepth::Eight), pixels, description)
}

fn write_image(
    out: &mut dyn Write,
    (rows, columns): (usize, usize),
    coding: (ColorType, BitDepth),
    pixels: &[u8],
    description: &str,
) -> io::Result<()> {
    let too_large = |_| io::Error::other("it has more rows or columns than PNG can say");
    let mut encoder = Encoder::new(out, u32::try_from(columns).map_err(too_large)?, u32::try_from(rows).map_err(too_large)?);
    encoder.set_color(coding.0);
    encoder.set_depth(coding.1);
    encoder.set_compression(Compression::Fast);
    if !description.is_empty() {
        encoder.add_itxt_chunk("Description".to_owned(), description.to_owned()).map_err(io_error)?;
    }
    let mut writer = encoder.write_header().map_err(io_error)?;
    writer.write_image_data(pixels).map_err(io_error)?;
    writer.finish().map_err(io_error)
}

fn io_error(error: EncodingError) -> io::Error {
    match error {
        EncodingError::IoError(error) => error,
        other => io::Error::other(other),
    }
}

//! PNG by the `png` crate, straight into samples of the depth of the file.

use super::super::{Cause, Samples, memory};
use super::Decoded;
use super::pixels::{Layout, picture};
use png::{BitDepth, ColorType, DecodeOptions, Decoder, DecodingError, Info, Limits, Transformations};
use std::io::Cursor;

/// Deflate packs no more than this many bytes into one.
const DEFLATE_RATIO: u64 = 1032;

/// Decodes the default image; animations give their first picture.
pub(super) fn decode(bytes: &[u8]) -> Decoded {
    let mut options = DecodeOptions::default();
    options.set_ignore_adler32(false);
    options.set_ignore_text_chunk(true);
    options.set_ignore_iccp_chunk(true);
    let mut decoder = Decoder::new_with_options(Cursor::new(bytes), options);
    decoder.set_limits(Limits { bytes: usize::try_from(memory::limit()).unwrap_or(usize::MAX) });
    decoder.set_transformations(Transformations::EXPAND);
    check_size(decoder.read_header_info().map_err(cause)?, bytes.len() as u64)?;
    let mut reader = decoder.read_info().map_err(cause)?;
    let (colour, depth) = reader.output_color_type();
    let notes = notes(reader.info());
    let (columns, rows) = (reader.info().width as usize, reader.info().height as usize);
    let length = reader.output_buffer_size().ok_or_else(|| Cause::malformed("its size is out of all bounds"))?;
    let mut pixels = vec![0_u8; length];
    reader.next_frame(&mut pixels).map_err(cause)?;
    reader.finish().map_err(cause)?;
    let layout = match colour {
        ColorType::Grayscale | ColorType::Indexed => Layout::Gray,
        ColorType::GrayscaleAlpha => Layout::GrayAlpha,
        ColorType::Rgb => Layout::Rgb,
        ColorType::Rgba => Layout::Rgba,
    };
    let mut signal = if depth == BitDepth::Sixteen {
        let words = pixels.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
        picture(words, (rows, columns), layout, Samples::U16)
    } else {
        picture(pixels, (rows, columns), layout, Samples::U8)
    };
    signal.notes.splice(0..0, notes);
    Ok(signal)
}

/// Refuses sizes that do not fit into memory, or that so few bytes cannot hold.
fn check_size(info: &Info<'_>, length: u64) -> Result<(), Cause> {
    let (columns, rows) = (u64::from(info.width), u64::from(info.height));
    let samples = if info.color_type == ColorType::Indexed { 4 } else { info.color_type.samples() as u64 };
    memory::checked_picture(columns, rows, samples * if info.bit_depth == BitDepth::Sixteen { 2 } else { 1 })?;
    let packed = (columns * rows).saturating_mul(info.bits_per_pixel() as u64) / 8;
    if packed > length.saturating_mul(DEFLATE_RATIO) {
        return Err(Cause::truncated(&format!("{columns}×{rows} pixels cannot come from {length} bytes")));
    }
    Ok(())
}

fn notes(info: &Info<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    if info.color_type == ColorType::Indexed {
        notes.push("The palette is expanded to red, green and blue.".to_owned());
    } else if (info.bit_depth as u8) < 8 {
        notes.push(format!("{}-bit gray is spread over 0..255.", info.bit_depth as u8));
    }
    if info.animation_control.is_some() {
        notes.push("Only the first picture of the animation is read.".to_owned());
    }
    notes
}

fn cause(error: DecodingError) -> Cause {
    match error {
        DecodingError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            Cause::truncated("the picture ends before its last row")
        }
        DecodingError::LimitsExceeded => Cause::malformed("it needs more memory than is free"),
        other => Cause::damaged(other),
    }
}

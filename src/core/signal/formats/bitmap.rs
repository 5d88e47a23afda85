//! BMP, WebP and GIF by the `image` crate, which decodes them to 8 bits without loss.

use super::pixels::{Layout, PALETTE, image};
use super::{Decoded, FileFormat};
use crate::signal::{Cause, Samples, memory};
use image::codecs::{bmp::BmpDecoder, gif::GifDecoder, webp::WebPDecoder};
use image::{ColorType, ImageDecoder, ImageError, ImageResult, Limits};
use std::io::{Cursor, ErrorKind};

/// Windows bitmaps.
pub(super) static BMP: FileFormat = FileFormat {
    name: "BMP",
    endings: &["bmp", "dib"],
    marks: &[b"BM"],
    // "BM" begins many words; a bitmap goes on with the size of a known header.
    is_content: |bytes| bytes.len() < 18 || matches!(bytes[14..18], [12 | 16 | 40 | 52 | 56 | 64 | 108 | 124, 0, 0, 0]),
    decode: |bytes, _| {
        let bits = bytes.get(28).copied().unwrap_or(24);
        // A run length packs 255 pixels into two bytes.
        let mut signal = decode(BmpDecoder::new(Cursor::new(bytes)), (bytes.len(), 128))?;
        signal.notes.extend((bits <= 8).then(|| PALETTE.into()));
        Ok(signal)
    },
    output: None,
};

/// WebP images.
pub(super) static WEBP: FileFormat = FileFormat {
    name: "WebP",
    endings: &["webp"],
    marks: &[b"RIFF"],
    is_content: |bytes| bytes.get(8..12) == Some(b"WEBP"),
    decode: |bytes, _| {
        let decoder = WebPDecoder::new(Cursor::new(bytes));
        let is_lossless = decoder.as_ref().is_ok_and(|decoder| lossless_size(bytes) == Some(decoder.dimensions()));
        // Without loss a plain image takes no bits; with losses a block of 16 × 16 pixels takes more than two.
        decode(decoder, (bytes.len(), if is_lossless { u64::MAX } else { 1024 }))
    },
    output: None,
};

/// The first frame of a GIF.
pub(super) static GIF: FileFormat = FileFormat {
    name: "GIF",
    endings: &["gif"],
    marks: &[b"GIF87a", b"GIF89a"],
    is_content: |_| true,
    decode: |bytes, _| {
        // A code of 12 bits stands for fewer than 4096 pixels.
        let mut signal = decode(GifDecoder::new(Cursor::new(bytes)), (bytes.len(), 2731))?;
        signal.notes.extend([PALETTE.into(), "Only the first frame of an animation is read.".into()]);
        Ok(signal)
    },
    output: None,
};

/// Columns and rows in the first chunk of pixels of a WebP, where it is a single image without loss.
fn lossless_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut at: usize = 12;
    loop {
        let (header, body) = bytes.get(at..)?.split_at_checked(8)?;
        let length = u32::from_le_bytes(*header.last_chunk()?) as usize;
        match &header[..4] {
            b"VP8L" => {
                // Behind the mark stand both, less one, in 14 bits each.
                let bits = u32::from_le_bytes(*body.get(1..5)?.first_chunk()?);
                return Some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1));
            }
            b"VP8 " | b"ANMF" => return None,
            _ => at = at.checked_add(8)?.checked_add(length.next_multiple_of(2))?,
        }
    }
}

/// Decodes the first frame of a file of `stored` bytes, which packs at most `ratio` pixels into a byte.
fn decode<D: ImageDecoder>(decoder: ImageResult<D>, (stored, ratio): (usize, u64)) -> Decoded {
    let mut decoder = decoder.map_err(cause)?;
    let (columns, rows) = decoder.dimensions();
    let colour = decoder.color_type();
    let layout = match colour {
        ColorType::L8 => Layout::Gray,
        ColorType::La8 => Layout::GrayAlpha,
        ColorType::Rgb8 => Layout::Rgb,
        ColorType::Rgba8 => Layout::Rgba,
        other => return Err(Cause::foreign(other, "save it as gray or RGB of 8 bits")),
    };
    let length = memory::checked_packed_image(columns.into(), rows.into(), colour.bytes_per_pixel().into(), (stored, ratio))?;
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(memory::limit());
    decoder.set_limits(limits).map_err(cause)?;
    let mut pixels = memory::zeros(length)?;
    decoder.read_image(&mut pixels).map_err(cause)?;
    Ok(image(pixels, (rows as usize, columns as usize), layout, Samples::U8))
}

fn cause(error: ImageError) -> Cause {
    match error {
        ImageError::IoError(error) if error.kind() == ErrorKind::UnexpectedEof => Cause::truncated("the image ends before its last row"),
        ImageError::Unsupported(what) => Cause::foreign(what, "save it as PNG"),
        ImageError::Limits(_) => Cause::malformed("its size is far beyond what the format allows"),
        other => Cause::damaged(other),
    }
}

//! BMP, WebP and GIF by the `image` crate, which decodes them to 8 bits without loss.

use super::metadata::Metadata;
use super::pixels::{PALETTE, PixelLayout, image};
use super::{Decoded, FileFormat};
use crate::signal::memory::{self, PackedFile};
use crate::signal::{Cause, PageKind, Pages, PixelSize, Samples, Signal};
use image::codecs::{bmp::BmpDecoder, gif::GifDecoder, webp::WebPDecoder};
use image::{AnimationDecoder, ColorType, ImageDecoder, ImageError, ImageResult, Limits};
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
        let mut signal = decode(BmpDecoder::new(Cursor::new(bytes)), PackedFile { stored: bytes.len(), ratio: 128 })?;
        signal.notes.extend((bits <= 8).then(|| PALETTE.into()));
        // The oldest header has no resolution.
        let per_metre = bytes.get(38..46).filter(|_| bytes[14] >= 40).map(|digits| [&digits[..4], &digits[4..]]);
        let per_inch =
            per_metre.map(|both| both.map(|digits| 0.0254 * digits.iter().rev().fold(0.0, |sum, byte| 256.0 * sum + f64::from(*byte))));
        signal.pixel_size = per_inch.and_then(PixelSize::of_dots);
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
    decode: |bytes, how| {
        let decoder = WebPDecoder::new(Cursor::new(bytes));
        let is_lossless = decoder.as_ref().is_ok_and(|decoder| lossless_size(bytes) == Some(decoder.dimensions()));
        // Without loss a plain image takes no bits; with losses a block of 16 × 16 pixels takes more than two.
        let file = PackedFile { stored: bytes.len(), ratio: if is_lossless { u64::MAX } else { 1024 } };
        let has_alpha = decoder.as_ref().is_ok_and(|decoder| decoder.color_type().has_alpha());
        let n_frames = chunks(bytes).filter(|(name, _)| *name == b"ANMF").count();
        let pages = Pages::chosen(&how.options, n_frames.max(1), PageKind::Frame)?;
        let signal = match Pages::index(pages) {
            0 => decode(decoder, file)?,
            index => frame_of(checked(decoder, file), index, if has_alpha { PixelLayout::Rgba } else { PixelLayout::Rgb })?,
        };
        let chunk = |wanted: &[u8]| chunks(bytes).find(|(name, _)| *name == wanted).map(|(_, body)| body);
        Ok(Metadata::of(chunk(b"EXIF"), chunk(b"XMP ")).applied(Signal { pages, ..signal }, how))
    },
    output: None,
};

/// A GIF, whose frames are composed.
pub(super) static GIF: FileFormat = FileFormat {
    name: "GIF",
    endings: &["gif"],
    marks: &[b"GIF87a", b"GIF89a"],
    is_content: |_| true,
    decode: |bytes, how| {
        let decoder = GifDecoder::new(Cursor::new(bytes));
        // A code of 12 bits stands for fewer than 4096 pixels.
        let file = PackedFile { stored: bytes.len(), ratio: 2731 };
        let pages = Pages::chosen(&how.options, gif_frames(bytes).max(1), PageKind::Frame)?;
        let mut signal = match Pages::index(pages) {
            0 => decode(decoder, file)?,
            index => frame_of(checked(decoder, file), index, PixelLayout::Rgba)?,
        };
        signal.notes.push(PALETTE.into());
        Ok(Signal { pages, ..signal })
    },
    output: None,
};

/// The chunks of a WebP with their names.
fn chunks(bytes: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut rest = bytes.get(12..).unwrap_or_default();
    std::iter::from_fn(move || {
        let (name, behind) = rest.split_at_checked(4)?;
        let (length, behind) = behind.split_first_chunk::<4>()?;
        let length = u32::from_le_bytes(*length) as usize;
        let body = &behind[..length.min(behind.len())];
        rest = behind.get(length.checked_next_multiple_of(2)?..).unwrap_or_default();
        Some((name, body))
    })
}

/// The number of frames of a GIF, by the blocks that begin with a comma.
fn gif_frames(bytes: &[u8]) -> usize {
    let table = |flags: u8| if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) };
    let mut at = 13 + bytes.get(10).map_or(0, |flags| table(*flags));
    let mut n = 0;
    loop {
        at += match (bytes.get(at), bytes.get(at + 9)) {
            // The place, the size, a table of colours and the least size of a code are before the pixels.
            (Some(b','), Some(flags)) => {
                n += 1;
                10 + table(*flags) + 1
            }
            (Some(b'!'), _) => 2,
            _ => return n,
        };
        while let Some(length) = bytes.get(at).filter(|length| **length > 0) {
            at += 1 + usize::from(*length);
        }
        at += 1;
    }
}

/// Columns and rows in the first chunk of pixels of a WebP, where it is a single image without loss.
fn lossless_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let (name, body) = chunks(bytes).find(|(name, _)| matches!(*name, b"VP8L" | b"VP8 " | b"ANMF"))?;
    // Behind the mark are both, less one, in 14 bits each.
    let bits = u32::from_le_bytes(*body.get(1..5)?.first_chunk()?);
    (name == b"VP8L").then_some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
}

/// A decoder of a file, with a limit of memory.
fn checked<D: ImageDecoder>(decoder: ImageResult<D>, file: PackedFile) -> Result<D, Cause> {
    let mut decoder = decoder.map_err(cause)?;
    let (columns, rows) = decoder.dimensions();
    memory::checked_packed_image(columns.into(), rows.into(), decoder.color_type().bytes_per_pixel().into(), file)?;
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(memory::limit());
    decoder.set_limits(limits).map_err(cause)?;
    Ok(decoder)
}

/// A frame of an animation, with those before it below it; decoders give red, green, blue and alpha, also where the file has fewer.
pub(super) fn frame_of<'a>(decoder: Result<impl AnimationDecoder<'a>, Cause>, index: usize, layout: PixelLayout) -> Decoded {
    let frame = decoder?.into_frames().nth(index).ok_or_else(|| Cause::truncated("it ends before this frame"))?;
    let pixels = frame.map_err(cause)?.into_buffer();
    let (columns, rows) = (pixels.width() as usize, pixels.height() as usize);
    let mut signal = image(pixels.into_raw(), (rows, columns), PixelLayout::Rgba, Samples::U8);
    if matches!(layout, PixelLayout::Gray | PixelLayout::GrayAlpha) {
        signal.channels.truncate(1);
        signal.channels[0].name = "gray".to_owned();
    }
    if matches!(layout, PixelLayout::Gray | PixelLayout::Rgb) {
        signal.notes.clear();
    }
    Ok(signal)
}

/// Decodes the first frame of a file.
fn decode<D: ImageDecoder>(decoder: ImageResult<D>, file: PackedFile) -> Decoded {
    let decoder = checked(decoder, file)?;
    let (columns, rows) = decoder.dimensions();
    let colour = decoder.color_type();
    let layout = match colour {
        ColorType::L8 => PixelLayout::Gray,
        ColorType::La8 => PixelLayout::GrayAlpha,
        ColorType::Rgb8 => PixelLayout::Rgb,
        ColorType::Rgba8 => PixelLayout::Rgba,
        other => return Err(Cause::foreign(format_args!("{other:?}"), "save it as gray or RGB of 8 bits")),
    };
    let mut pixels = memory::zeros(rows as usize * columns as usize * usize::from(colour.bytes_per_pixel()))?;
    decoder.read_image(&mut pixels).map_err(cause)?;
    Ok(image(pixels, (rows as usize, columns as usize), layout, Samples::U8))
}

pub(super) fn cause(error: ImageError) -> Cause {
    match error {
        ImageError::IoError(error) if error.kind() == ErrorKind::UnexpectedEof => Cause::truncated("the image ends before its last row"),
        ImageError::Unsupported(what) => Cause::foreign(what, "save it as PNG"),
        ImageError::Limits(_) => Cause::malformed("its size is far beyond what the format allows"),
        other => Cause::undecodable(other),
    }
}

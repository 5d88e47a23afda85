//! BMP, WebP and GIF by the `image` crate, which decodes them to 8 bits without loss.

use super::super::{Cause, Format, Samples, memory};
use super::Decoded;
use super::pixels::{Layout, picture};
use image::codecs::{bmp::BmpDecoder, gif::GifDecoder, webp::WebPDecoder};
use image::{ColorType, ImageDecoder, ImageError, ImageResult, Limits};
use std::io::{Cursor, ErrorKind};

/// Decodes the first frame.
pub(super) fn decode(bytes: &[u8], format: Format) -> Decoded {
    let reader = Cursor::new(bytes);
    let (pixels, colour, columns, rows) = match format {
        Format::Gif => read(GifDecoder::new(reader)),
        Format::WebP => read(WebPDecoder::new(reader)),
        _ => read(BmpDecoder::new(reader)),
    }?;
    let layout = match colour {
        ColorType::L8 => Layout::Gray,
        ColorType::La8 => Layout::GrayAlpha,
        ColorType::Rgb8 => Layout::Rgb,
        ColorType::Rgba8 => Layout::Rgba,
        other => return Err(Cause::foreign(other, "save it as gray or RGB of 8 bits")),
    };
    let mut signal = picture(pixels, (rows as usize, columns as usize), layout, Samples::U8);
    let bitmap_depth = bytes.get(28).copied().unwrap_or(24);
    if format == Format::Gif || format == Format::Bmp && bitmap_depth <= 8 {
        signal.notes.push("The palette is expanded to red, green and blue.".to_owned());
    }
    if format == Format::Gif {
        signal.notes.push("Of an animation the first frame is read.".to_owned());
    }
    Ok(signal)
}

fn read<D: ImageDecoder>(decoder: ImageResult<D>) -> Result<(Vec<u8>, ColorType, u32, u32), Cause> {
    let mut decoder = decoder.map_err(cause)?;
    let (columns, rows) = decoder.dimensions();
    let colour = decoder.color_type();
    let length = memory::checked_picture(columns.into(), rows.into(), colour.bytes_per_pixel().into())?;
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(memory::limit());
    decoder.set_limits(limits).map_err(cause)?;
    let mut pixels = vec![0; length];
    decoder.read_image(&mut pixels).map_err(cause)?;
    Ok((pixels, colour, columns, rows))
}

fn cause(error: ImageError) -> Cause {
    match error {
        ImageError::IoError(error) if error.kind() == ErrorKind::UnexpectedEof => Cause::truncated("the picture ends before its last row"),
        ImageError::Unsupported(what) => Cause::foreign(what, "save it as PNG"),
        ImageError::Limits(_) => Cause::malformed("its size is out of all bounds"),
        other => Cause::damaged(other),
    }
}

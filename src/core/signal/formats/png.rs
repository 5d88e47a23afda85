//! PNG by the `png` crate: decoded straight into samples of the depth of the file, and encoded with 8 or 16 bits, compressed for speed.

mod bands;

use super::bitmap::frame_of;
use super::metadata::Metadata;
use super::pixels::{PALETTE, PixelLayout, image};
use super::{Decoded, FileFormat, Holds, OutputFormat};
use crate::numerals::counted;
use crate::signal::reading::Reading;
use crate::signal::{Cause, FileError, Misfit, Note, PageKind, Pages, PixelSize, Samples, Signal, memory, replace};
use bands::Rows;
use image::codecs::png::PngDecoder;
use png::{BitDepth, ColorType, DecodeOptions, Decoder, DecodingError, Encoder, EncodingError};
use png::{Info, Limits, Transformations, Unit};
use std::io::{self, Cursor, Write};
use std::path::Path;

/// Portable Network Graphics.
pub(super) static PNG: FileFormat = FileFormat {
    name: "PNG",
    endings: &["png", "apng"],
    marks: &[b"\x89PNG\r\n\x1a\n"],
    is_content: |_| true,
    decode: |content, how| decode(content, how),
    output: Some(OutputFormat {
        name: "PNG",
        endings: &["png"],
        holds: Holds { reals: false, complex: false, rows: true, channels: false, sample_rate: false, is_image: true },
        fits,
        encode,
    }),
};

/// Deflate packs no more than this many bytes into one.
const DEFLATE_RATIO: u64 = 1032;

/// Decodes the default image, which is usually the first frame of an animation, or another frame.
fn decode(bytes: &[u8], how: &Reading) -> Decoded {
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
    let layout = match colour {
        ColorType::Grayscale | ColorType::Indexed => PixelLayout::Gray,
        ColorType::GrayscaleAlpha => PixelLayout::GrayAlpha,
        ColorType::Rgb => PixelLayout::Rgb,
        ColorType::Rgba => PixelLayout::Rgba,
    };
    let animation = reader.info().animation_control.map_or(1, |animation| animation.num_frames as usize);
    // The default image may be before an animation without being part of it.
    let n_before = usize::from(animation > 1 && reader.info().frame_control().is_none());
    let pages = Pages::chosen(&how.options, (animation + n_before).max(1), PageKind::Frame)?;
    if let Some(frame) = Pages::index(pages).checked_sub(n_before).filter(|_| Pages::index(pages) > 0) {
        let frames = PngDecoder::new(Cursor::new(bytes)).and_then(PngDecoder::apng).map_err(super::bitmap::cause);
        let is_wide = reader.info().bit_depth == BitDepth::Sixteen;
        let wide = || Cause::unsupported("frames of 16 bits are not read but for the first; save it with 8 bits");
        let signal = if is_wide { Err(wide()) } else { frame_of(frames, frame, layout) }?;
        return Ok(Signal { pages, ..signal });
    }
    let notes = notes(reader.info());
    let pixel_size = reader.info().pixel_dims.filter(|dots| dots.unit == Unit::Meter);
    let (columns, rows) = (reader.info().width as usize, reader.info().height as usize);
    let length = reader.output_buffer_size().ok_or_else(|| Cause::malformed("its size is far beyond what the format allows"))?;
    let mut pixels: Vec<u8> = memory::zeros(length)?;
    reader.next_frame(&mut pixels).map_err(cause)?;
    reader.finish().map_err(cause)?;
    let mut signal = if depth == BitDepth::Sixteen {
        let words = pixels.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
        drop(pixels);
        image(words, (rows, columns), layout, Samples::U16)
    } else {
        image(pixels, (rows, columns), layout, Samples::U8)
    };
    signal.pixel_size =
        pixel_size.and_then(|dots| PixelSize::of_dots([dots.xppu, dots.yppu].map(|per_metre| 0.0254 * f64::from(per_metre))));
    signal.notes.splice(0..0, notes);
    signal.pages = pages;
    let xmp = chunks(bytes).find(|(name, body)| *name == b"iTXt" && body.starts_with(b"XML:com.adobe.xmp\0")).map(|(_, body)| body);
    let exif = chunks(bytes).find(|(name, _)| *name == b"eXIf").map(|(_, body)| body);
    Ok(Metadata::of(exif, xmp).applied(signal, how))
}

/// The chunks of a file with their names.
fn chunks(bytes: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut rest = bytes.get(8..).unwrap_or_default();
    std::iter::from_fn(move || {
        let (length, behind) = rest.split_first_chunk::<4>()?;
        let (name, behind) = behind.split_at_checked(4)?;
        let (body, behind) = behind.split_at_checked(u32::from_be_bytes(*length) as usize)?;
        rest = behind.get(4..)?;
        Some((name, body))
    })
}

/// Refuses sizes that do not fit into memory, or that the bytes of the file cannot hold.
fn check_size(info: &Info<'_>, length: u64) -> Result<(), Cause> {
    let (columns, rows) = (u64::from(info.width), u64::from(info.height));
    let samples = if info.color_type == ColorType::Indexed { 4 } else { info.color_type.samples() as u64 };
    memory::checked_image(columns, rows, samples * if info.bit_depth == BitDepth::Sixteen { 2 } else { 1 })?;
    let packed = (columns * rows).saturating_mul(info.bits_per_pixel() as u64) / 8;
    if packed > length.saturating_mul(DEFLATE_RATIO) {
        return Err(Cause::truncated(&format!("{columns}×{rows} pixels cannot come from {}", counted(length as usize, "byte"))));
    }
    Ok(())
}

fn notes(info: &Info<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    if info.color_type == ColorType::Indexed {
        notes.push(PALETTE.into());
    } else if (info.bit_depth as u8) < 8 {
        notes.push(format!("{}-bit gray is spread over 0..255.", info.bit_depth as u8).into());
    }
    notes
}

fn cause(error: DecodingError) -> Cause {
    match error {
        DecodingError::IoError(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            Cause::truncated("the image ends before its last row")
        }
        DecodingError::LimitsExceeded => Cause::malformed("it needs more memory than is free"),
        other => match other.to_string() {
            words if words.starts_with("CRC error") => {
                let chunk = words.split("type: ").nth(1).and_then(|rest| rest.split(',').next()).unwrap_or_default();
                Cause::damaged(format_args!("the checksum of its chunk {chunk} does not match"))
            }
            words if words.starts_with("Corrupt deflate") => Cause::damaged("its pixels cannot be unpacked"),
            words => Cause::undecodable(words),
        },
    }
}

fn fits(signal: &Signal) -> Result<(), Misfit> {
    let is_too_large = u32::try_from(signal.rows.max(signal.columns)).is_err();
    if is_too_large { Err(Misfit::TooLarge("2^32 rows or columns")) } else { Ok(()) }
}

fn encode(out: &mut dyn Write, signal: &Signal) -> io::Result<()> {
    let channels: Vec<&Samples> = signal.channels.iter().take(3).map(|channel| &channel.samples).collect();
    if let [Samples::U8(gray)] = channels[..] {
        return encode_image_png(out, signal.rows, signal.columns, gray, "");
    }
    let is_wide = channels.iter().any(|samples| matches!(samples, Samples::U16(_)));
    let mut pixels = Vec::with_capacity(signal.len() * channels.len() * if is_wide { 2 } else { 1 });
    for index in 0..signal.len() {
        for samples in &channels {
            match samples {
                // An 8-bit channel beside a 16-bit one is spread over 16 bits.
                Samples::U8(v) if is_wide => pixels.extend([v[index], v[index]]),
                Samples::U8(v) => pixels.push(v[index]),
                Samples::U16(v) => pixels.extend(v[index].to_be_bytes()),
                other => unreachable!("PNG holds no {} samples", other.type_name()),
            }
        }
    }
    let colour = if channels.len() == 3 { ColorType::Rgb } else { ColorType::Grayscale };
    let depth = if is_wide { BitDepth::Sixteen } else { BitDepth::Eight };
    write_image(out, (signal.rows, signal.columns), (colour, depth), &pixels, "")
}

/// Writes an 8-bit image of `rows` × `columns` as PNG: `pixels` are gray bytes, or three bytes (RGB) a pixel.
///
/// # Errors
/// When the file cannot be written.
pub fn write_image_png(path: impl AsRef<Path>, rows: usize, columns: usize, pixels: &[u8]) -> Result<(), FileError> {
    replace(path.as_ref(), |out| encode_image_png(out, rows, columns, pixels, ""))
}

/// As [`write_image_png`], to any writer; a `description` that is not empty goes into the file as text.
///
/// # Errors
/// When writing fails, or there are 2^31 rows or columns.
///
/// # Panics
/// When the number of bytes is neither `rows · columns` nor three times that.
pub fn encode_image_png(out: &mut dyn Write, rows: usize, columns: usize, pixels: &[u8], description: &str) -> io::Result<()> {
    let colour = match pixels.len() {
        n if n == rows * columns => ColorType::Grayscale,
        n if n == 3 * rows * columns => ColorType::Rgb,
        n => panic!("an image of {rows} × {columns} has {n} bytes, neither gray nor RGB"),
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
    let too_large = |_| io::Error::other("PNG has less than 2^32 rows and columns");
    let mut encoder = Encoder::new(out, u32::try_from(columns).map_err(too_large)?, u32::try_from(rows).map_err(too_large)?);
    encoder.set_color(coding.0);
    encoder.set_depth(coding.1);
    if !description.is_empty() {
        encoder.add_itxt_chunk("Description".to_owned(), description.to_owned()).map_err(io_error)?;
    }
    let mut writer = encoder.write_header().map_err(io_error)?;
    let pixel_bytes = coding.0.samples() * if coding.1 == BitDepth::Sixteen { 2 } else { 1 };
    Rows { pixels, row_bytes: columns * pixel_bytes, pixel_bytes }.write(&mut writer).map_err(io_error)?;
    writer.finish().map_err(io_error)
}

fn io_error(error: EncodingError) -> io::Error {
    match error {
        EncodingError::IoError(error) => error,
        other => io::Error::other(other),
    }
}

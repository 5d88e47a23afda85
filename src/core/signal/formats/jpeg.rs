//! JPEG by `zune-jpeg`, strictly: an image that ends early is an error, not half an image.
//!
//! CMYK becomes RGB: red = (1 − cyan)·(1 − black), and so on. Files with Adobe's marker store the inks inverted.
//! The markers are scanned here first, because the decoder reports neither a missing end nor Adobe's marker.

use super::metadata::Metadata;
use super::pixels::{PixelLayout, image};
use super::{Decoded, FileFormat};
use crate::numerals::counted;
use crate::signal::reading::Reading;
use crate::signal::{Cause, PixelSize, Samples, memory};
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::{DecodeErrors, UnsupportedSchemes};

/// JPEG images: gray, YCbCr, RGB, CMYK, YCCK.
pub(super) static JPEG: FileFormat = FileFormat {
    name: "JPEG",
    endings: &["jpg", "jpeg", "jpe", "jfif"],
    marks: &[b"\xff\xd8\xff"],
    is_content: |_| true,
    decode: |content, how| decode(content, how),
    output: None,
};

/// Decodes to gray or red, green and blue of 8 bits.
fn decode(bytes: &[u8], how: &Reading) -> Decoded {
    let frame = FrameHeader::scan(bytes)?;
    memory::checked_image(frame.columns, frame.rows, frame.components.max(3))?;
    // Every block of 8 × 8 pixels takes at least one bit.
    if frame.columns.saturating_mul(frame.rows) > 512 * bytes.len() as u64 {
        return Err(Cause::malformed(format!(
            "{} × {} pixels cannot come from {}",
            frame.columns,
            frame.rows,
            counted(bytes.len(), "byte")
        )));
    }
    let options = DecoderOptions::default().set_strict_mode(true).set_max_width(usize::MAX).set_max_height(usize::MAX);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(cause)?;
    let colours = decoder.input_colorspace().ok_or_else(|| Cause::malformed("it has no frame header"))?;
    let is_ink_as_stored = colours == ColorSpace::CMYK && !frame.is_adobe;
    let (output, layout) = match colours {
        ColorSpace::Luma => (ColorSpace::Luma, PixelLayout::Gray),
        ColorSpace::CMYK if is_ink_as_stored => (ColorSpace::CMYK, PixelLayout::Rgb),
        ColorSpace::YCbCr | ColorSpace::RGB | ColorSpace::CMYK | ColorSpace::YCCK => (ColorSpace::RGB, PixelLayout::Rgb),
        other => {
            return Err(Cause::unsupported(format!("its colours are {other:?}; save it as gray or RGB")));
        }
    };
    decoder.set_options(options.jpeg_set_out_colorspace(output));
    let mut pixels = decoder.decode().map_err(cause)?;
    let (columns, rows) = decoder.dimensions().ok_or_else(|| Cause::malformed("it has no frame header"))?;
    if is_ink_as_stored {
        pixels = rgb_from_ink(&pixels);
    }
    let mut signal = image(pixels, (rows, columns), layout, Samples::U8);
    if frame.components == 4 {
        let how = if frame.is_adobe { "inverted, as Adobe stores them" } else { "as stored, without Adobe's marker" };
        signal.notes.push(format!("Four inks (CMYK, {how}) are converted to red, green and blue without a colour profile.").into());
    }
    signal.pixel_size = frame.pixel_size;
    Ok(Metadata::of(frame.exif, frame.xmp).applied(signal, how))
}

fn rgb_from_ink(cmyk: &[u8]) -> Vec<u8> {
    let paper = |ink: u8, black: u8| {
        let product = (255 - u32::from(ink)) * (255 - u32::from(black));
        ((product + 127) / 255) as u8
    };
    cmyk.chunks_exact(4).flat_map(|p| [paper(p[0], p[3]), paper(p[1], p[3]), paper(p[2], p[3])]).collect()
}

/// The name of a coding that is not decoded.
fn coding(scheme: UnsupportedSchemes) -> &'static str {
    match scheme {
        UnsupportedSchemes::ExtendedSequentialHuffman => "extended sequential coding",
        UnsupportedSchemes::LosslessHuffman => "lossless coding",
        UnsupportedSchemes::ExtendedSequentialDctArithmetic => "arithmetic coding",
        UnsupportedSchemes::ProgressiveDctArithmetic => "progressive arithmetic coding",
        UnsupportedSchemes::LosslessArithmetic => "lossless arithmetic coding",
    }
}

fn cause(error: DecodeErrors) -> Cause {
    match error {
        DecodeErrors::Unsupported(scheme) => Cause::foreign(coding(scheme), "save it as baseline or progressive JPEG, or as PNG"),
        DecodeErrors::ExhaustedData => Cause::truncated("the image data end too early"),
        other => Cause::undecodable(other),
    }
}

/// The announcements of the markers of the file.
struct FrameHeader<'a> {
    columns: u64,
    rows: u64,
    components: u64,
    /// Whether there is an APP14 segment of Adobe's.
    is_adobe: bool,
    /// The size of a pixel by the density in the segment of JFIF.
    pixel_size: Option<PixelSize>,
    exif: Option<&'a [u8]>,
    xmp: Option<&'a [u8]>,
}

impl<'a> FrameHeader<'a> {
    /// Scans the segments up to the end marker; a file without one is truncated.
    fn scan(bytes: &'a [u8]) -> Result<Self, Cause> {
        let truncated = || Cause::truncated("the end marker of the image is missing");
        let mut frame = Self { columns: 0, rows: 0, components: 0, is_adobe: false, pixel_size: None, exif: None, xmp: None };
        let mut at = 2;
        loop {
            at += bytes.get(at..).and_then(|rest| rest.iter().position(|&b| b == 0xff)).ok_or_else(truncated)?;
            let marker = *bytes.get(at + 1).ok_or_else(truncated)?;
            at += 1;
            match marker {
                // A fill byte may be the start of a marker; zeros and restarts belong to the entropy-coded data.
                0xff => continue,
                0x00 | 0x01 | 0xd0..=0xd8 => at += 1,
                0xd9 => break,
                _ => {
                    let length = bytes.get(at + 1..at + 3).ok_or_else(truncated)?;
                    let length = usize::from(u16::from_be_bytes([length[0], length[1]]));
                    let body = bytes.get(at + 3..at + 1 + length.max(2)).ok_or_else(truncated)?;
                    frame.read_segment(marker, body)?;
                    at += 1 + length.max(2);
                }
            }
        }
        if frame.components == 0 {
            return Err(Cause::malformed("it has no frame header"));
        }
        Ok(frame)
    }

    fn read_segment(&mut self, marker: u8, body: &'a [u8]) -> Result<(), Cause> {
        match (marker, body) {
            (0xe0, &[b'J', b'F', b'I', b'F', 0, _, _, unit, x1, x0, y1, y0, ..]) => {
                let density = [[x1, x0], [y1, y0]].map(|digits| f64::from(u16::from_be_bytes(digits)));
                self.pixel_size = match unit {
                    1 => PixelSize::of_dots(density),
                    2 => PixelSize::of_dots(density.map(|per_centimetre| 2.54 * per_centimetre)),
                    _ => None,
                };
            }
            (0xe1, body) if body.starts_with(b"Exif\0") => self.exif = self.exif.or(Some(body)),
            (0xe1, body) if body.starts_with(b"http://ns.adobe.com/xap/1.0/\0") => self.xmp = self.xmp.or(Some(body)),
            (0xee, body) if body.starts_with(b"Adobe") => self.is_adobe = true,
            // All start-of-frame markers; 0xc4, 0xc8 and 0xcc are tables.
            (0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf, &[bits, y1, y0, x1, x0, components, ..]) => {
                if bits != 8 {
                    return Err(Cause::unsupported(format!("it has {bits}-bit samples; only 8 bits are decoded")));
                }
                self.rows = u64::from(u16::from_be_bytes([y1, y0]));
                self.columns = u64::from(u16::from_be_bytes([x1, x0]));
                self.components = u64::from(components);
            }
            _ => {}
        }
        Ok(())
    }
}

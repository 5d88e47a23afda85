//! TIFF by the `tiff` crate. The first page is read: 1 to 64 bits, integers and floats, gray, RGB, CMYK, palettes and bands.
//!
//! Palettes are expanded here, because the crate refuses them. Written are 32-bit floats, gray or RGB, uncompressed, so that every program reads them.

use super::npy::to_i64;
use super::pixels::{Layout, PALETTE as PALETTE_NOTE, image, image_from_planes};
use super::{Decoded, FileFormat, Holds, OutputFormat};
use crate::signal::{Cause, Misfit, PixelSize, PixelUnit, Samples, Signal, memory};
use std::io::{self, Cursor, ErrorKind, Write};
use tiff::decoder::ifd::Value;
use tiff::decoder::{Decoder, DecodingResult, Limits};
use tiff::encoder::TiffEncoder;
use tiff::encoder::colortype::{Gray32Float, RGB32Float};
use tiff::tags::Tag;
use tiff::{ColorType, TiffError, TiffFormatError};

/// Tagged image files.
pub(super) static TIFF: FileFormat = FileFormat {
    name: "TIFF",
    endings: &["tiff", "tif"],
    marks: &[b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"],
    is_content: |_| true,
    decode: |content, _| decode(content),
    output: Some(OutputFormat {
        name: "TIFF",
        endings: &["tiff", "tif"],
        holds: Holds { reals: true, complex: false, rows: true, channels: false, sample_rate: false, is_image: true },
        fits,
        encode,
    }),
};

/// A classic TIFF has 32-bit offsets.
const MAX_BYTES: usize = u32::MAX as usize - (1 << 16);

/// The photometric interpretation of a page of indices.
const PALETTE: u16 = 3;

type Reader<'a> = Decoder<Cursor<&'a [u8]>>;

/// Decodes the first page.
fn decode(bytes: &[u8]) -> Decoded {
    check_directory(bytes)?;
    let mut decoder = open(bytes)?;
    let photometric = decoder.find_tag_unsigned::<u16>(Tag::PhotometricInterpretation).map_err(cause)?;
    let mut signal = if photometric == Some(PALETTE) {
        let colours = decoder.get_tag_u16_vec(Tag::ColorMap).map_err(cause)?;
        decode_palette(bytes, &colours)?
    } else {
        decode_page(&mut decoder, bytes.len())?
    };
    signal.pixel_size = pixel_size(&mut decoder);
    if decoder.more_images() {
        signal.notes.push("Only the first of several pages is read.".into());
    }
    Ok(signal)
}

/// The size of a pixel by the resolution of a page; `ImageJ` writes the unit into the description.
fn pixel_size(decoder: &mut Reader<'_>) -> Option<PixelSize> {
    const NO_UNIT: u16 = 1;
    const CENTIMETRE: u16 = 3;
    let [across, down] = [Tag::XResolution, Tag::YResolution].map(|tag| match decoder.find_tag(tag) {
        Ok(Some(Value::Rational(dots, per))) => f64::from(dots) / f64::from(per),
        _ => f64::NAN,
    });
    match decoder.find_tag_unsigned::<u16>(Tag::ResolutionUnit).ok().flatten() {
        Some(NO_UNIT) => {
            let description = decoder.get_tag_ascii_string(Tag::ImageDescription).ok()?;
            let unit = description.lines().find_map(|line| line.strip_prefix("unit=")).filter(|_| description.starts_with("ImageJ="))?;
            PixelSize::of(1.0 / across, 1.0 / down, PixelUnit::named(&unit.trim().replace("\\u00B5", "µ"))?)
        }
        Some(CENTIMETRE) => PixelSize::of_dots([2.54 * across, 2.54 * down]),
        _ => PixelSize::of_dots([across, down]),
    }
}

fn open(bytes: &[u8]) -> Result<Reader<'_>, Cause> {
    let mut limits = Limits::default();
    let limit = usize::try_from(memory::limit()).unwrap_or(usize::MAX);
    limits.decoding_buffer_size = limit;
    limits.intermediate_buffer_size = limit;
    Ok(Decoder::new(Cursor::new(bytes)).map_err(cause)?.with_limits(limits))
}

/// How many pixels of `bits` bits the compression of a page packs into a byte at most.
fn most_pixels_in_a_byte(decoder: &mut Reader<'_>, columns: u64, bits: u64) -> Result<u64, Cause> {
    const FAX3: u16 = 3;
    const FAX4: u16 = 4;
    let compression = decoder.find_tag_unsigned::<u16>(Tag::Compression).map_err(cause)?;
    Ok(match compression {
        // A row that equals the one above takes a bit.
        Some(FAX3 | FAX4) => 8 * columns,
        // Deflate and LZW pack fewer than 4096 bytes into one.
        _ => (1 << 15) / bits.max(1),
    })
}

/// Decodes a page whose samples are values, not palette indices.
fn decode_page(decoder: &mut Reader<'_>, stored: usize) -> Decoded {
    let colour = decoder.colortype().map_err(cause)?;
    let (columns, rows) = decoder.dimensions().map_err(cause)?;
    let bits = u64::from(colour.num_samples()) * u64::from(colour.bit_depth());
    let ratio = most_pixels_in_a_byte(decoder, columns.into(), bits)?;
    memory::checked_packed_image(columns.into(), rows.into(), bits.div_ceil(8), (stored, ratio))?;
    let mut pixels = DecodingResult::U8(Vec::new());
    let stored = decoder.read_image_to_buffer(&mut pixels).map_err(cause)?;
    let shape = (rows as usize, columns as usize);
    let layout = match colour {
        ColorType::Gray(depth) if depth < 8 => return spread_bits(&pixels, shape, depth),
        ColorType::Gray(_) => Layout::Gray,
        ColorType::GrayA(_) => Layout::GrayAlpha,
        ColorType::RGB(_) => Layout::Rgb,
        ColorType::YCbCr(8) if stored.planes == 1 => return rgb_from_luminance(&pixels, shape),
        ColorType::RGBA(_) => Layout::Rgba,
        ColorType::Multiband { num_samples, .. } => Layout::Bands(num_samples.into()),
        ColorType::CMYK(_) if stored.planes == 1 => return rgb_from_ink(pixels, shape),
        other => {
            return Err(Cause::foreign(other, "save it as gray or RGB"));
        }
    };
    let arranged = Arranged { shape, layout, is_planar: stored.planes > 1 };
    Ok(match pixels {
        DecodingResult::U8(v) => arranged.signal(v, Samples::U8),
        DecodingResult::U16(v) => arranged.signal(v, Samples::U16),
        DecodingResult::U32(v) => arranged.signal(v.into_iter().map(i64::from).collect(), Samples::I64),
        DecodingResult::U64(v) => arranged.signal(to_i64(&v)?, Samples::I64),
        DecodingResult::I8(v) => arranged.signal(v.into_iter().map(i32::from).collect(), Samples::I32),
        DecodingResult::I16(v) => arranged.signal(v.into_iter().map(i32::from).collect(), Samples::I32),
        DecodingResult::I32(v) => arranged.signal(v, Samples::I32),
        DecodingResult::I64(v) => arranged.signal(v, Samples::I64),
        DecodingResult::F16(v) => arranged.signal(v.into_iter().map(f32::from).collect(), Samples::F32),
        DecodingResult::F32(v) => arranged.signal(v, Samples::F32),
        DecodingResult::F64(v) => arranged.signal(v, Samples::F64),
    })
}

/// The arrangement of decoded samples in memory.
struct Arranged {
    shape: (usize, usize),
    layout: Layout,
    /// Whether each channel is stored as a whole, instead of interleaved pixels.
    is_planar: bool,
}

impl Arranged {
    fn signal<T: Copy + Default + Send + Sync>(&self, samples: Vec<T>, wrap: fn(Vec<T>) -> Samples) -> Signal {
        if self.is_planar {
            image_from_planes(&samples, self.shape, self.layout, wrap)
        } else {
            image(samples, self.shape, self.layout, wrap)
        }
    }
}

/// Decodes gray of 1, 2 or 4 bits, spread over 0..255; every row starts at a byte.
fn spread_bits(pixels: &DecodingResult, shape: (usize, usize), depth: u8) -> Decoded {
    let DecodingResult::U8(packed) = pixels else {
        return Err(Cause::unsupported(format!("it has signed samples of {depth} bits")));
    };
    let indices = unpack(packed, shape, depth)?;
    let scale = 255 / ((1_u16 << depth) - 1) as u8;
    let gray = indices.into_iter().map(|value| value * scale).collect();
    let mut signal = image(gray, shape, Layout::Gray, Samples::U8);
    signal.notes.push(format!("{depth}-bit gray is spread over 0..255.").into());
    Ok(signal)
}

/// Values of `depth` bits (1, 2, 4 or 8) from rows that start at a byte, the first value in the highest bits.
fn unpack(packed: &[u8], (rows, columns): (usize, usize), depth: u8) -> Result<Vec<u8>, Cause> {
    let depth = usize::from(depth);
    let stride = (columns * depth).div_ceil(8);
    let mask = ((1_u16 << depth) - 1) as u8;
    let values = packed
        .chunks_exact(stride)
        .take(rows)
        .flat_map(|row| (0..columns).map(move |column| row[column * depth / 8] >> (8 - depth - column * depth % 8) & mask));
    memory::collected(rows * columns, values)
}

/// Decodes a page of palette indices. The decoder refuses palettes, so it gets a copy of the page that is marked as gray.
fn decode_palette(bytes: &[u8], colours: &[u16]) -> Decoded {
    let mut patched = bytes.to_vec();
    mark_as_gray(&mut patched).ok_or_else(|| Cause::unsupported("it is a BigTIFF with a palette; save it as RGB"))?;
    let mut decoder = open(&patched)?;
    let (columns, rows) = decoder.dimensions().map_err(cause)?;
    let shape = (rows as usize, columns as usize);
    let bits = decoder.colortype().map_err(cause)?.bit_depth();
    let ratio = most_pixels_in_a_byte(&mut decoder, columns.into(), bits.into())?;
    memory::checked_packed_image(columns.into(), rows.into(), 3, (bytes.len(), ratio))?;
    let n_colours = colours.len() / 3;
    if !matches!(bits, 1 | 2 | 4 | 8) || n_colours < 1 << bits {
        return Err(Cause::malformed(format!("its palette of {n_colours} colours does not fit {bits}-bit indices")));
    }
    let mut pixels = DecodingResult::U8(Vec::new());
    decoder.read_image_to_buffer(&mut pixels).map_err(cause)?;
    let DecodingResult::U8(packed) = pixels else {
        return Err(Cause::malformed("its palette indices are signed"));
    };
    let indices = unpack(&packed, shape, bits)?;
    // Most writers fill 16-bit entries from 8-bit colours, by repeating the byte or with zeros.
    let is_8_bit = colours.iter().all(|c| c & 0xff == c >> 8) || colours.iter().all(|c| c & 0xff == 0);
    let entry = |index: u8| [0, 1, 2].map(|plane| colours[plane * n_colours + usize::from(index)]);
    let mut signal = if is_8_bit {
        let rgb = indices.iter().flat_map(|&index| entry(index).map(|c| (c >> 8) as u8)).collect();
        image(rgb, shape, Layout::Rgb, Samples::U8)
    } else {
        let rgb = indices.iter().flat_map(|&index| entry(index)).collect();
        image(rgb, shape, Layout::Rgb, Samples::U16)
    };
    signal.notes.push(PALETTE_NOTE.into());
    Ok(signal)
}

/// Changes the photometric tag of the first page from "palette" to "black is zero".
fn mark_as_gray(bytes: &mut [u8]) -> Option<()> {
    const PHOTOMETRIC: u64 = 262;
    if is_big(bytes) {
        return None;
    }
    let entry = entries(bytes)?.find(|&at| number(bytes, at, 2) == Some(PHOTOMETRIC))?;
    let is_little = bytes.starts_with(b"II");
    let value = bytes.get_mut(entry + 8..entry + 10)?;
    value.copy_from_slice(&if is_little { 1_u16.to_le_bytes() } else { 1_u16.to_be_bytes() });
    Some(())
}

/// Whether the offsets have 64 bits.
fn is_big(bytes: &[u8]) -> bool {
    bytes.starts_with(b"II+") || bytes.starts_with(b"MM\0+")
}

/// The unsigned number of `width` bytes at an offset, in the byte order of the file.
fn number(bytes: &[u8], at: usize, width: usize) -> Option<u64> {
    let digits = bytes.get(at..at.checked_add(width)?)?.iter();
    let add = |value: u64, &byte: &u8| value << 8 | u64::from(byte);
    Some(if bytes.starts_with(b"II") { digits.rev().fold(0, add) } else { digits.fold(0, add) })
}

/// The offsets of the entries of the first directory.
fn entries(bytes: &[u8]) -> Option<impl Iterator<Item = usize> + '_> {
    let (at, width, count, size) = if is_big(bytes) { (8, 8, 8, 20) } else { (4, 4, 2, 12) };
    let directory = usize::try_from(number(bytes, at, width)?).ok()?;
    let first = directory.checked_add(count)?;
    let n = usize::try_from(number(bytes, directory, count)?).ok()?.min(bytes.len() / size);
    Some((0..n).map(move |entry| first.saturating_add(entry * size)))
}

/// Refuses a directory with an entry of more values than the file holds. The decoder would write a line to standard error before it refuses it.
fn check_directory(bytes: &[u8]) -> Result<(), Cause> {
    let width = if is_big(bytes) { 8 } else { 4 };
    let too_many = |at: usize| number(bytes, at + 4, width).is_some_and(|n_values| n_values > bytes.len() as u64);
    if entries(bytes).is_some_and(|mut entries| entries.any(too_many)) {
        return Err(Cause::malformed("an entry of its directory claims more values than the file holds"));
    }
    Ok(())
}

/// Converts inks (0 is none) to red, green and blue of the same depth.
fn rgb_from_ink(pixels: DecodingResult, shape: (usize, usize)) -> Decoded {
    let mut signal = match pixels {
        DecodingResult::U8(v) => {
            let rgb = v.chunks_exact(4).flat_map(|p| [0, 1, 2].map(|ink| paper(p[ink], p[3], 255) as u8)).collect();
            drop(v);
            image(rgb, shape, Layout::Rgb, Samples::U8)
        }
        DecodingResult::U16(v) => {
            let rgb = v.chunks_exact(4).flat_map(|p| [0, 1, 2].map(|ink| paper(p[ink], p[3], 65535) as u16)).collect();
            drop(v);
            image(rgb, shape, Layout::Rgb, Samples::U16)
        }
        _ => {
            return Err(Cause::unsupported("its four inks are not of 8 or 16 bits; save it as RGB"));
        }
    };
    signal.notes.push("Four inks (CMYK) are converted to red, green and blue without a colour profile.".into());
    Ok(signal)
}

/// Converts the JPEG data inside a TIFF: luminance and two colour differences (Rec. 601, full range).
fn rgb_from_luminance(pixels: &DecodingResult, shape: (usize, usize)) -> Decoded {
    let DecodingResult::U8(v) = pixels else {
        return Err(Cause::unsupported("its luminance is not of 8 bits; save it as RGB"));
    };
    let rgb = |p: &[u8]| {
        let [y, cb, cr] = [f32::from(p[0]), f32::from(p[1]) - 128.0, f32::from(p[2]) - 128.0];
        // The conversion to `u8` stays within 0..=255.
        [y + 1.402 * cr, y - 0.344_136 * cb - 0.714_136 * cr, y + 1.772 * cb].map(|value| value.round() as u8)
    };
    Ok(image(v.chunks_exact(3).flat_map(rgb).collect(), shape, Layout::Rgb, Samples::U8))
}

/// The brightness of white paper under a coloured ink and black; `full` is the largest value.
fn paper(ink: impl Into<u64>, black: impl Into<u64>, full: u64) -> u64 {
    ((full - ink.into()) * (full - black.into()) + full / 2) / full
}

fn cause(error: TiffError) -> Cause {
    match error {
        TiffError::IoError(error) if error.kind() == ErrorKind::UnexpectedEof => {
            Cause::truncated("it ends before the data that its directory lists")
        }
        TiffError::UnsupportedError(what) => Cause::foreign(what, "save it without compression, as gray or RGB"),
        TiffError::LimitsExceeded => Cause::malformed("it needs more memory than is free, or its directory is damaged"),
        TiffError::FormatError(TiffFormatError::RequiredTagNotFound(tag)) => Cause::malformed(format!("its directory has no {tag:?}")),
        other => Cause::damaged(other),
    }
}

fn fits(signal: &Signal) -> Result<(), Misfit> {
    let is_too_large = signal.len().saturating_mul(4 * signal.channels.len()) > MAX_BYTES;
    if is_too_large { Err(Misfit::TooLarge("4 GiB")) } else { Ok(()) }
}

fn encode(out: &mut dyn Write, signal: &Signal) -> io::Result<()> {
    let planes: Vec<Vec<f32>> = signal.channels.iter().take(3).map(|channel| channel.samples.to_f32()).collect();
    let (columns, rows) = (signal.columns as u32, signal.rows as u32);
    // The encoder goes back to fill in offsets, which standard output does not allow.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A page of 30,000 × 30,000 bits without data in the compression of this number.
    fn blank(compression: u16) -> Vec<u8> {
        let entries = [(256, 30_000), (257, 30_000), (258, 1), (259, compression), (262, 0), (273, 8), (277, 1), (278, 30_000), (279, 4)];
        let entry = |&(tag, value): &(u16, u16)| [tag, 3, 1, 0, value, 0].map(u16::to_le_bytes).concat();
        let n = (entries.len() as u16).to_le_bytes();
        [&b"II*\0\x08\0\0\0"[..], &n, &entries.iter().flat_map(entry).collect::<Vec<u8>>(), &[0; 4]].concat()
    }

    #[test]
    fn a_fax_packs_blank_rows_into_bits() {
        let ratio = |compression| {
            let bytes = blank(compression);
            most_pixels_in_a_byte(&mut open(&bytes).expect("it has a directory"), 30_000, 1)
        };
        assert_eq!([4, 1].map(ratio), [Ok(240_000), Ok(1 << 15)]);
        let refused = decode(&blank(4)).expect_err("it has no data").to_string();
        assert!(["cannot come from", "truncated", "GiB"].iter().any(|cause| refused.contains(cause)), "{refused}");
    }
}

//! TIFF: 1 to 64 bits, integers, floats and complex numbers, gray, RGB, CMYK, palettes and bands, in pages and stacks.
//!
//! Directories, bits and planes are read here: the `tiff` crate refuses packed samples, planes in tiles, the other order of bits, and
//! a page for one tag that is missing. Libraries unpack strips and tiles. Written are 32-bit floats, gray or RGB, uncompressed, so that
//! every program reads them.

mod chunks;
mod page;
mod pixel_size;
mod samples;

use super::directory::{Directory, File, Tag};
use super::metadata::{Metadata, orientation_of_xmp};
use super::{Decoded, FileFormat, Holds, OutputFormat};
use crate::numerals::{counted_as, number};
use crate::remedy::Remedy;
use crate::signal::reading::{Content, Reading};
use crate::signal::{Cause, Misfit, Note, PageKind, Pages, Samples, Signal, memory};
use crate::threads::convert;
use page::{Page, SUBFILE};
use std::io::{self, Cursor, Write};
use tiff::TiffError;
use tiff::encoder::TiffEncoder;
use tiff::encoder::colortype::{Gray32Float, RGB32Float};

/// Tagged image files.
pub(super) static TIFF: FileFormat = FileFormat {
    name: "TIFF",
    endings: &["tiff", "tif"],
    marks: &[b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"],
    // A raw photograph of Canon names itself behind the mark.
    is_content: |bytes| bytes.get(8..10) != Some(b"CR"),
    decode,
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

const XMP: Tag = Tag(700, "XMP");
const NO_DATA: Tag = Tag(42113, "GDAL_NODATA");

/// Whether an image is a smaller copy of one in a directory below it, as in raw photographs (NEF, ARW, DNG).
fn is_preview(directory: &Directory<'_>) -> bool {
    const BELOW: Tag = Tag(330, "SubIFDs");
    let is_copy = directory.integer(SUBFILE).is_ok_and(|kind| kind.unwrap_or(0) & 1 == 1);
    is_copy && directory.integer(BELOW).is_ok_and(|below| below.is_some())
}

/// Decodes one page.
fn decode(content: &Content, how: &Reading) -> Decoded {
    let file = File::of(content).ok_or_else(|| Cause::malformed("its first bytes are not those of a TIFF"))?;
    let (all, is_cut) = file.directories();
    let n = all.len();
    if all.first().is_some_and(is_preview) {
        let what = "it is a raw photograph, whose first image is a small copy of what the camera saw";
        return Err(Cause::unsupported(format!("{what}; develop it, and save it as TIFF or PNG")));
    }
    // Smaller copies of the image and masks are not pages.
    let is_page = |directory: &Directory<'_>| directory.integer(SUBFILE).is_ok_and(|kind| kind.unwrap_or(0) & 5 == 0);
    let (mut directories, others): (Vec<_>, Vec<_>) = all.into_iter().partition(is_page);
    if directories.is_empty() {
        directories = others;
    }
    let first = directories.first().ok_or_else(|| Cause::truncated("its directory is not in it"))?;
    let (stack, missing) = if n == 1 { stack(first, file)? } else { (None, 0) };
    let kind = if stack.is_some() { PageKind::Slice } else { PageKind::Page };
    let pages = Pages::chosen(&how.options, stack.as_ref().map_or(directories.len(), |stack| stack.slices), kind)?;
    let index = Pages::index(pages);
    let directory = if stack.is_some() { first } else { &directories[index] };
    let mut page = Page::of(directory)?;
    if let Some(stack) = stack {
        page.offsets.iter_mut().for_each(|offset| *offset += index as u64 * stack.bytes);
    }
    let bytes_per_pixel = (page.samples * page.bits) as u64;
    let ratio = page.most_pixels_in_a_byte()?;
    memory::checked_packed_image(
        page.columns as u64,
        page.rows as u64,
        bytes_per_pixel.div_ceil(8),
        memory::PackedFile { stored: content.len(), ratio },
    )?;
    let mut signal = samples::image(&page, file)?;
    (signal.pages, signal.pixel_size) = (pages, pixel_size::of(directory));
    if is_cut {
        signal.notes.push("The file is cut: it names another page that it does not hold.".into());
    }
    if missing > 0 {
        signal.notes.push(format!("The file is cut: {} of its stack missing.", counted_as(missing, "slice is", "slices are")).into());
    }
    leave_out_no_data(&mut signal, directory);
    let Metadata { orientation, .. } = Metadata::of_directory(directory);
    let orientation = orientation.or_else(|| orientation_of_xmp(directory.bytes(XMP).ok()?));
    Ok(Metadata { orientation, pixel_size: None }.applied(signal, how))
}

/// Slices of a stack whose directory describes the first; the others follow it without directories of their own, as `ImageJ` writes them.
struct Stack {
    slices: usize,
    /// Bytes of a slice.
    bytes: u64,
}

/// The stack that a single directory describes, and how many slices the file does not hold.
fn stack(directory: &Directory<'_>, file: File<'_>) -> Result<(Option<Stack>, usize), Cause> {
    let claimed = directory.text(pixel_size::DESCRIPTION).and_then(|text| pixel_size::line(&text, "images")?.parse::<usize>().ok());
    let Some(claimed) = claimed.filter(|slices| *slices > 1) else { return Ok((None, 0)) };
    let page = Page::of(directory)?;
    let bytes = (0..page.chunks()).map(|chunk| page.rows_of(chunk).saturating_mul(page.row_bytes()) as u64).sum::<u64>();
    let rest = (file.bytes.len() as u64).saturating_sub(page.offsets[0]);
    let slices = usize::try_from(rest / bytes.max(1)).unwrap_or(usize::MAX).clamp(1, claimed);
    let is_stack = page.is_plain() && slices > 1;
    Ok((is_stack.then_some(Stack { slices, bytes }), if page.is_plain() { claimed - slices } else { 0 }))
}

/// Makes samples that stand for missing ones no numbers, which transforms know.
fn leave_out_no_data(signal: &mut Signal, directory: &Directory<'_>) {
    let Some(code) = directory.text(NO_DATA).and_then(|text| text.trim().parse::<f64>().ok()) else { return };
    let mut n = 0;
    for channel in &mut signal.channels {
        let is_code = |value: f64| value == code || value == f64::from(code as f32);
        let reals = channel.samples.to_f64();
        let found = crate::threads::count(&reals, |value| is_code(*value));
        if found == 0 || channel.samples.is_complex() {
            continue;
        }
        n += found;
        // Single precision holds integers of 24 bits.
        let is_wide = |samples: &Samples| match samples {
            Samples::F64(_) => true,
            Samples::I32(_) | Samples::I64(_) => reals.iter().any(|value| value.abs() > f64::from(1 << 24) && !is_code(*value)),
            _ => false,
        };
        channel.samples = match is_wide(&channel.samples) {
            true => Samples::F64(convert(&reals, |value| if is_code(value) { f64::NAN } else { value })),
            false => Samples::F32(convert(&reals, |value| if is_code(value) { f32::NAN } else { value as f32 })),
        };
    }
    if n > 0 {
        let pixels = counted_as(n, "pixel has", "pixels have");
        let text = format!("{pixels} no data: the file says that {} stands for that (tag 42113)", number(code, 9));
        signal.notes.push(Note::new(text, [Remedy::RemoveMean]));
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
mod tests;

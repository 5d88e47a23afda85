//! The bytes of strips and tiles, unpacked by the library of their compression: Deflate, LZW, PackBits, fax and JPEG.

use super::page::{Colours, JPEG, Kind, Page};
use crate::numerals::counted;
use crate::signal::formats::directory::File;
use crate::signal::{Cause, memory};
use crate::threads;
use flate2::read::ZlibDecoder;
use std::borrow::Cow;
use std::io::{ErrorKind, Read as _};
use weezl::{BitOrder, decode::Decoder as Lzw};
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

/// A strip or tile: rows of the page's `row_bytes` in the order of the file.
pub(super) type Chunk<'a> = Cow<'a, [u8]>;

const PLAIN: u64 = 1;
const FAX3: u64 = 3;
const FAX4: u64 = 4;
const LZW: u64 = 5;
const DEFLATE: [u64; 2] = [8, 32946];
const PACK_BITS: u64 = 32773;

impl Page<'_> {
    /// How many pixels the compression packs into a byte at most.
    ///
    /// # Errors
    /// When the compression is not read.
    pub(super) fn most_pixels_in_a_byte(&self) -> Result<u64, Cause> {
        let bits = (self.samples_of_chunk() * self.bits) as u64;
        Ok(match self.compression {
            // A row that equals the one above takes a bit, and a code of a row at least 12.
            FAX3 | FAX4 => 8 * self.columns as u64,
            // Every block of 8 × 8 pixels takes at least one bit.
            JPEG => 512,
            // Deflate and LZW pack fewer than 4096 bytes into one.
            PLAIN | LZW | PACK_BITS => (1 << 15) / bits.max(1),
            other if DEFLATE.contains(&other) => (1 << 15) / bits.max(1),
            other => return Err(unknown(other)),
        })
    }

    /// Whether the samples are in the file as they are, so that a stack of slices may follow them.
    pub(super) fn is_plain(&self) -> bool {
        self.compression == PLAIN
    }

    /// All strips or tiles of the planes that are wanted.
    ///
    /// # Errors
    /// When one is not in the file, cut or damaged.
    pub(super) fn unpacked<'a>(&self, file: File<'a>, planes: usize) -> Result<Vec<Chunk<'a>>, Cause> {
        let n = self.chunks_of_plane() * planes.min(self.planes());
        if !self.is_plain() {
            let bytes = [n as u64, self.row_bytes() as u64, self.chunk.1 as u64];
            memory::checked_bytes(&bytes, || counted(n, "strip or tile"))?;
        }
        threads::map(n, &|index| self.chunk_at(file, index)).into_iter().collect()
    }

    fn chunk_at<'a>(&self, file: File<'a>, index: usize) -> Result<Chunk<'a>, Cause> {
        let what = || format!("{} {} of {}", if self.is_tiled { "tile" } else { "strip" }, index + 1, self.chunks());
        let (rows, width) = (self.rows_of(index), self.row_bytes());
        let length = rows.saturating_mul(width);
        let offset = usize::try_from(self.offsets[index]).unwrap_or(usize::MAX);
        let rest = file.bytes.get(offset..).ok_or_else(|| Cause::truncated(&format!("{} begins behind its end", what())))?;
        let count = self.counts.get(index).and_then(|count| usize::try_from(*count).ok());
        let stored = match (self.compression, count) {
            // Some writers never fill in the number of bytes.
            (PLAIN, None | Some(0)) => rest.get(..length),
            (PLAIN, Some(count)) if count > length => rest.get(..length),
            (_, Some(count)) => rest.get(..count),
            (_, None) => Some(rest),
        };
        let stored = stored.ok_or_else(|| Cause::truncated(&format!("it ends within {}", what())))?;
        let stored = match self.is_reversed && self.compression != JPEG {
            true => Cow::Owned(stored.iter().map(|byte| byte.reverse_bits()).collect::<Vec<u8>>()),
            false => Cow::Borrowed(stored),
        };
        let mut bytes = match self.compression {
            PLAIN if stored.len() == length => return Ok(stored),
            PLAIN => stored.into_owned(),
            LZW => lzw(&stored, length),
            FAX3 | FAX4 => self.fax(&stored, rows)?,
            JPEG => self.jpeg(&stored, rows)?,
            PACK_BITS => pack_bits(&stored, length),
            other if DEFLATE.contains(&other) => {
                deflate(&stored, length).map_err(|why| Cause::malformed(format!("the Deflate data of {} are damaged: {why}", what())))?
            }
            other => return Err(unknown(other)),
        };
        if bytes.len() < length {
            let found = counted(bytes.len(), "byte");
            return Err(Cause::malformed(format!("{} holds {found} of {}: it is cut or damaged", what(), counted(length, "byte"))));
        }
        let is_predicted = self.predictor != 1 && (self.compression == LZW || DEFLATE.contains(&self.compression));
        if is_predicted {
            bytes.chunks_exact_mut(width).try_for_each(|row| self.undo_predictor(row, file.is_little))?;
        }
        Ok(Cow::Owned(bytes))
    }

    /// Adds the samples of a row up: each is stored as its difference from the pixel before.
    fn undo_predictor(&self, row: &mut [u8], is_little: bool) -> Result<(), Cause> {
        let step = self.samples_of_chunk();
        let width = self.bits / 8;
        match (self.predictor, self.kind, self.bits) {
            (2, _, 8 | 16 | 32 | 64) => {
                for at in (step * width..row.len()).step_by(width) {
                    let mut carry = 0;
                    // From the lowest digit to the highest.
                    for digit in 0..width {
                        let digit = if is_little { digit } else { width - 1 - digit };
                        let sum = u16::from(row[at + digit]) + u16::from(row[at + digit - step * width]) + carry;
                        (row[at + digit], carry) = (sum as u8, sum >> 8);
                    }
                }
            }
            // All first bytes of the samples of a row are before all second ones, the highest first.
            (3, Kind::Float, 16 | 24 | 32 | 64) => {
                for at in step..row.len() {
                    row[at] = row[at].wrapping_add(row[at - step]);
                }
                let (planes, n) = (row.to_vec(), row.len() / width);
                for (at, byte) in row.iter_mut().enumerate() {
                    let digit = if is_little { width - 1 - at % width } else { at % width };
                    *byte = planes[digit * n + at / width];
                }
            }
            (predictor, ..) => {
                let what = format!("its tag 317 (Predictor) is {predictor} for samples of {} bits; save it without a predictor", self.bits);
                return Err(Cause::unsupported(what));
            }
        }
        Ok(())
    }

    /// Black and white rows of a fax; black is 1.
    fn fax(&self, stored: &[u8], rows: usize) -> Result<Vec<u8>, Cause> {
        let too_wide = |_| Cause::unsupported("a fax has at most 65,535 columns; save it with LZW or Deflate compression");
        let columns = u16::try_from(self.chunk.0).map_err(too_wide)?;
        if self.compression == FAX3 && self.fax_options & 1 != 0 {
            return Err(Cause::unsupported(
                "its tag 292 (T4Options) stores a fax in two dimensions; save it with LZW or Deflate compression",
            ));
        }
        let mut bytes = Vec::new();
        let row = |changes: &[u16]| {
            let mut row = vec![0; usize::from(columns).div_ceil(8)];
            let pixels = fax::decoder::pels(changes, columns).enumerate();
            pixels.filter(|(_, colour)| *colour == fax::Color::Black).for_each(|(at, _)| row[at / 8] |= 0x80 >> (at % 8));
            if bytes.len() < rows * row.len() {
                bytes.extend(row);
            }
        };
        let stored = stored.iter().copied();
        // Missing data at the end show as too few rows.
        match self.compression {
            // The decoder ends a row where the mark of the next one is; six marks are the end, which many writers leave out.
            FAX3 => drop(fax::decoder::decode_g3(stored.chain([0, 0x10, 0x01].into_iter().cycle().take(9)), row)),
            _ => drop(fax::decoder::decode_g4(stored, columns, None, row)),
        }
        Ok(bytes)
    }

    /// The pixels of a JPEG whose tables may be in the directory.
    fn jpeg(&self, stored: &[u8], rows: usize) -> Result<Vec<u8>, Cause> {
        let whole = match self.jpeg_tables {
            [tables @ .., 0xff, 0xd9] => [tables, stored.get(2..).unwrap_or_default()].concat(),
            _ => stored.to_vec(),
        };
        let options = DecoderOptions::default().set_max_width(usize::MAX).set_max_height(usize::MAX);
        let mut decoder = JpegDecoder::new_with_options(ZCursor::new(&whole), options);
        decoder.decode_headers().map_err(Cause::undecodable)?;
        let output = match (self.samples_of_chunk(), decoder.input_colorspace()) {
            (3, _) if self.colours == Colours::YCbCr => ColorSpace::RGB,
            (_, Some(as_stored)) => as_stored,
            (_, None) => return Err(Cause::malformed("its JPEG data have no frame header")),
        };
        let size = decoder.dimensions().ok_or_else(|| Cause::malformed("its JPEG data have no frame header"))?;
        let most = self.chunk.1.next_multiple_of(16);
        if size.0 != self.chunk.0 || !(rows..=most).contains(&size.1) || output.num_components() != self.samples_of_chunk() {
            let found = format!("{} × {} pixels of {}", size.0, size.1, counted(output.num_components(), "sample"));
            return Err(Cause::malformed(format!("its JPEG data hold {found}, which its directory does not say")));
        }
        decoder.set_options(options.jpeg_set_out_colorspace(output));
        decoder.decode().map_err(Cause::undecodable)
    }
}

/// Unpacks Deflate, and checks what is behind it: the checksum.
fn deflate(stored: &[u8], length: usize) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut decoder = ZlibDecoder::new(stored);
    let unpacked = decoder.by_ref().take(length as u64).read_to_end(&mut bytes).and_then(|_| decoder.read(&mut [0]));
    match unpacked {
        Err(error) if error.kind() != ErrorKind::UnexpectedEof => Err(error.to_string()),
        _ => Ok(bytes),
    }
}

/// Unpacks LZW up to a length; what is damaged ends early.
fn lzw(stored: &[u8], length: usize) -> Vec<u8> {
    // Writers of the first years put the lowest bit first.
    let is_old = matches!(stored, [0, second, ..] if second & 1 != 0);
    let mut decoder = if is_old { Lzw::new(BitOrder::Lsb, 8) } else { Lzw::with_tiff_size_switch(BitOrder::Msb, 8) };
    // A code of at least 9 bits stands for fewer than 4096 bytes.
    let length = length.min(stored.len().saturating_mul(4096));
    let mut bytes = vec![0; length];
    let (mut read, mut written) = (0, 0);
    while written < length {
        let step = decoder.decode_bytes(&stored[read..], &mut bytes[written..]);
        (read, written) = (read + step.consumed_in, written + step.consumed_out);
        if !matches!(step.status, Ok(weezl::LzwStatus::Ok)) || step.consumed_in + step.consumed_out == 0 {
            break;
        }
    }
    bytes.truncate(written);
    bytes
}

/// Unpacks runs of equal bytes up to a length.
fn pack_bits(mut stored: &[u8], length: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let [head, rest @ ..] = stored
        && bytes.len() < length
    {
        let n = usize::from(*head);
        stored = match (n, rest) {
            (128, _) => rest,
            (129.., [byte, rest @ ..]) => {
                bytes.resize(bytes.len() + 257 - n, *byte);
                rest
            }
            _ => {
                let (literal, rest) = rest.split_at(rest.len().min(n + 1));
                bytes.extend(literal);
                rest
            }
        };
    }
    bytes
}

fn unknown(compression: u64) -> Cause {
    let name = match compression {
        2 => " (CCITT run lengths)",
        6 => " (JPEG of the old kind)",
        9 | 10 => " (JBIG)",
        32766 => " (NeXT)",
        32809 => " (ThunderScan)",
        32908 | 32909 => " (Pixar)",
        33003 | 33004 | 33005 | 34712 => " (JPEG 2000)",
        34661 => " (JBIG)",
        34676 | 34677 => " (SGI LogLuv)",
        34887 => " (LERC)",
        34892 => " (lossy JPEG of DNG)",
        34925 => " (LZMA)",
        50000 | 34926 => " (Zstandard)",
        50001 | 34927 => " (WebP)",
        50002 | 52546 => " (JPEG XL)",
        _ => "",
    };
    let what =
        format!("its tag 259 (Compression) is {compression}{name}, which is not read; save it with Deflate or LZW compression, or without");
    Cause::unsupported(what)
}

//! The pixels of a PNG, filtered and compressed by all threads, a band of rows each.
//!
//! The `png` crate compresses on one thread, which for a large image takes longer than its transform. A stream of Deflate may end its blocks at a byte after
//! each band (PNG 3, 10.1; RFC 1951, 3.2.4), so that bands are compressed apart and written one behind the other.

use crate::threads;
use flate2::{Compress, Compression, FlushCompress, Status};
use png::chunk::IDAT;
use png::{EncodingError, Writer};
use std::io::Write;
use std::ops::Range;

/// Bytes of a band, about: large enough for a good code, and small enough for all threads to share an image.
const BAND: usize = 1 << 19;
/// One of this many rows of a band is looked at before a filter is chosen.
const LOOKED_AT: usize = 8;

/// The beginning of a stream of zlib that was compressed fast (RFC 1950, 2.2).
const HEAD: [u8; 2] = [0x78, 0x01];
/// The modulus of its checksum (RFC 1950, 8.2).
const ADLER: u64 = 65_521;

/// The filters that are used (PNG 3, 9.2); the others take far more time and few bytes less.
#[derive(Clone, Copy)]
enum Filter {
    None = 0,
    /// The difference from the pixel before.
    Sub = 1,
    /// The difference from the pixel above.
    Up = 2,
}

/// The pixels of an image, row after row.
pub(super) struct Rows<'a> {
    pub(super) pixels: &'a [u8],
    pub(super) row_bytes: usize,
    /// Bytes of a pixel.
    pub(super) pixel_bytes: usize,
}

/// A band that is compressed.
struct Packed {
    bytes: Vec<u8>,
    checksum: u32,
    /// Bytes before it was compressed.
    n: u64,
}

impl Rows<'_> {
    /// Writes all pixels into an image whose header is written.
    ///
    /// # Errors
    /// When writing fails.
    pub(super) fn write<W: Write>(&self, writer: &mut Writer<W>) -> Result<(), EncodingError> {
        let n_rows = self.pixels.len() / self.row_bytes;
        let each = (BAND / self.row_bytes).max(1);
        let bands: Vec<Range<usize>> = (0..n_rows).step_by(each).map(|first| first..n_rows.min(first + each)).collect();
        let (mut head, mut checksum) = (&HEAD[..], 1);
        // A few bands for each thread are in memory at a time.
        for some in bands.chunks(4 * threads::cores()) {
            let packed = threads::map(some.len(), &|index| self.packed(some[index].clone(), some[index].end == n_rows));
            for Packed { bytes, checksum: next, n } in packed {
                checksum = joined(checksum, next, n);
                writer.write_chunk(IDAT, &[std::mem::take(&mut head), &bytes].concat())?;
            }
        }
        writer.write_chunk(IDAT, &checksum.to_be_bytes())
    }

    fn packed(&self, rows: Range<usize>, is_last: bool) -> Packed {
        let filter = self.best_filter(rows.clone());
        let mut filtered = Vec::with_capacity(rows.len() * (1 + self.row_bytes));
        rows.for_each(|row| self.filter(row, filter, &mut filtered));
        let bytes = compressed(&filtered, is_last);
        Packed { bytes, checksum: simd_adler32::adler32(&&filtered[..]), n: filtered.len() as u64 }
    }

    /// Adds a row behind the number of its filter.
    fn filter(&self, row: usize, filter: Filter, to: &mut Vec<u8>) {
        let bytes = &self.pixels[row * self.row_bytes..][..self.row_bytes];
        let differences =
            |bytes: &[u8], others: &[u8], to: &mut Vec<u8>| to.extend(bytes.iter().zip(others).map(|(a, b)| a.wrapping_sub(*b)));
        match (filter, row.checked_sub(1)) {
            (Filter::Sub, _) => {
                let (first, others) = bytes.split_at(self.pixel_bytes.min(bytes.len()));
                to.push(Filter::Sub as u8);
                to.extend_from_slice(first);
                differences(others, bytes, to);
            }
            (Filter::Up, Some(above)) => {
                to.push(Filter::Up as u8);
                differences(bytes, &self.pixels[above * self.row_bytes..], to);
            }
            _ => {
                to.push(Filter::None as u8);
                to.extend_from_slice(bytes);
            }
        }
    }

    /// The filter with the fewest bits, as the entropy of the bytes of some rows estimates them.
    fn best_filter(&self, rows: Range<usize>) -> Filter {
        let mut filtered = Vec::with_capacity(1 + self.row_bytes);
        let mut bits = |filter: Filter| {
            let mut counts = [0_u32; 256];
            for row in rows.clone().step_by(LOOKED_AT) {
                filtered.clear();
                self.filter(row, filter, &mut filtered);
                filtered.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
            }
            let all = f64::from(counts.iter().sum::<u32>());
            counts.iter().filter(|n| **n > 0).map(|n| f64::from(*n) * (all / f64::from(*n)).log2()).sum::<f64>()
        };
        let of = [Filter::None, Filter::Sub, Filter::Up].map(|filter| (filter, bits(filter)));
        of.into_iter().reduce(|best, other| if other.1 < best.1 { other } else { best }).map_or(Filter::None, |(filter, _)| filter)
    }
}

/// The blocks of some bytes, which end at a byte.
fn compressed(bytes: &[u8], is_last: bool) -> Vec<u8> {
    let mut compress = Compress::new(Compression::fast(), false);
    let flush = if is_last { FlushCompress::Finish } else { FlushCompress::Sync };
    // Noise takes a little more room than it had.
    let mut blocks = Vec::with_capacity(bytes.len() + bytes.len() / 64 + 1024);
    loop {
        let rest = &bytes[compress.total_in() as usize..];
        let status = compress.compress_vec(rest, &mut blocks, flush).expect("any bytes can be compressed");
        // Where room is left, nothing waits for it.
        let is_flushed = compress.total_in() as usize == bytes.len() && blocks.len() < blocks.capacity();
        if status == Status::StreamEnd || !is_last && is_flushed {
            return blocks;
        }
        blocks.reserve(1024);
    }
}

/// The checksum of some bytes and `n` others behind them, by the checksums of both.
fn joined(first: u32, second: u32, n: u64) -> u32 {
    let halves = |checksum: u32| [u64::from(checksum & 0xffff), u64::from(checksum >> 16)];
    let ([a, b], [c, d]) = (halves(first), halves(second));
    // The first sum of the bytes begins with 1, and is added to the second one for each byte.
    let sum = (a + c + ADLER - 1) % ADLER;
    let sums = (b + d + n % ADLER * (a + ADLER - 1)) % ADLER;
    (sums << 16 | sum) as u32
}

#[cfg(test)]
mod tests {
    use super::super::write_image;
    use super::*;
    use crate::random::random_bits;
    use crate::signal::Samples;
    use crate::signal::load_bytes;
    use flate2::read::DeflateDecoder;
    use png::{BitDepth, ColorType};
    use std::io::Read;

    /// The samples of an image, channel after channel.
    fn planes(bytes: &[u8]) -> Vec<Samples> {
        load_bytes("image.png", bytes).unwrap().channels.into_iter().map(|channel| channel.samples).collect()
    }

    #[test]
    fn images_of_several_bands_are_read_as_they_were_written() {
        // Noise, a slope across, a slope down, and rows that are longer than a band.
        type Pixel = fn(usize, usize) -> u8;
        let noise: Pixel = |row, column| random_bits((row * 9999 + column) as u64) as u8;
        let cases: [(usize, usize, Pixel); 5] = [
            (900, 1000, noise),
            (1201, 997, |_, column| column as u8),
            (800, 2000, |row, _| (3 * row) as u8),
            (3, 700_001, noise),
            (1, 1, noise),
        ];
        for (rows, columns, pixel) in cases {
            let pixels: Vec<u8> = (0..rows).flat_map(|row| (0..columns).map(move |column| pixel(row, column))).collect();
            let mut written = Vec::new();
            write_image(&mut written, (rows, columns), (ColorType::Grayscale, BitDepth::Eight), (&pixels, true), "").unwrap();
            assert!(planes(&written) == [Samples::U8(pixels.clone())], "{rows} × {columns}");
            // The same bytes as other pixels: three of a byte, and one of two.
            for (colour, depth, n) in [(ColorType::Rgb, BitDepth::Eight, 3), (ColorType::Grayscale, BitDepth::Sixteen, 2)] {
                let width = columns / n;
                if width == 0 {
                    continue;
                }
                let bytes: Vec<u8> = pixels.iter().copied().take(rows * width * n).collect();
                let mut written = Vec::new();
                write_image(&mut written, (rows, width), (colour, depth), (&bytes, true), "").unwrap();
                let of = |from: usize| bytes.iter().skip(from).step_by(n).copied();
                let expected: Vec<Samples> = match depth {
                    BitDepth::Sixteen => vec![Samples::U16(of(0).zip(of(1)).map(|(high, low)| u16::from_be_bytes([high, low])).collect())],
                    _ => (0..3).map(|plane| Samples::U8(of(plane).collect())).collect(),
                };
                assert!(planes(&written) == expected, "{rows} × {width}, {colour:?}");
            }
        }
    }

    #[test]
    fn blocks_behind_each_other_are_one_stream() {
        // Lengths near the sizes of the blocks of the library, of noise and of bytes with few values.
        for (n, mask) in [0, 1, 2, 31_743, 31_744, 31_745, 65_535, 65_536, 300_001].into_iter().flat_map(|n| [(n, 255), (n, 3)]) {
            let parts: Vec<Vec<u8>> =
                (0..4).map(|part| (0..n + part).map(|index| random_bits(index << 8 | part) as u8 & mask).collect()).collect();
            let stream: Vec<u8> = parts.iter().enumerate().flat_map(|(index, part)| compressed(part, index == 3)).collect();
            let mut found = Vec::new();
            DeflateDecoder::new(&stream[..]).read_to_end(&mut found).unwrap();
            assert!(found == parts.concat(), "{n} bytes of 0 to {mask}");
        }
    }

    #[test]
    fn checksums_of_parts_are_that_of_the_whole() {
        let bytes: Vec<u8> = (0..200_000).map(|index| random_bits(index) as u8 | 0xc0).collect();
        for at in [0, 1, 65_521, 123_457, 200_000] {
            let (first, second) = bytes.split_at(at);
            let found = joined(simd_adler32::adler32(&first), simd_adler32::adler32(&second), second.len() as u64);
            assert_eq!(found, simd_adler32::adler32(&&bytes[..]), "{at}");
        }
    }
}

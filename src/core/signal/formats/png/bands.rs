//! The pixels of a PNG, filtered and compressed by all threads, a band of rows each.
//!
//! The `png` crate compresses on one thread, which for a large image takes as long as its transform. A stream of Deflate may end its blocks at a byte after
//! each band (PNG 3, 10.1; RFC 1951, 3.2.4), so that bands are compressed apart and written one behind the other. The code is that of the `png` crate.

use crate::threads;
use png::chunk::IDAT;
use png::{EncodingError, Writer};
use std::io::Write;
use std::ops::Range;

/// Bytes of a band, about: small enough for all threads to share an image. The code is the same for all bands, so that small ones take no more room.
const BAND: usize = 1 << 17;
/// Bytes of the head of a stream of zlib, and of the checksum at its end (RFC 1950, 2.2).
const HEAD: usize = 2;
const CHECKSUM: usize = 4;
/// Most bytes of a block that is stored as it is (RFC 1951, 3.2.4).
const STORED: usize = u16::MAX as usize;
/// The modulus of its checksum (RFC 1950, 8.2).
const ADLER: u64 = 65_521;

/// A filter subtracts from each byte what it expects there (PNG 3, 9.2), by the bytes of the pixels to the left (a), above (b), and above on the left (c).
#[derive(Clone, Copy)]
enum Filter {
    None = 0,
    Sub = 1,
    Up = 2,
    Average = 3,
    Paeth = 4,
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
        let mut checksum = 1;
        let mut write = |packed: Vec<Packed>| {
            packed.into_iter().try_for_each(|Packed { bytes, checksum: next, n }| {
                checksum = joined(checksum, next, n);
                writer.write_chunk(IDAT, &bytes)
            })
        };
        let mut packed = Vec::new();
        // Four bands for each thread are compressed while those before are written.
        for some in bands.chunks(4 * threads::cores()) {
            let before = std::mem::take(&mut packed);
            threads::beside(|| packed = threads::map(some.len(), &|index| self.packed(some[index].clone(), n_rows)), || write(before))?;
        }
        write(packed)?;
        writer.write_chunk(IDAT, &checksum.to_be_bytes())
    }

    fn packed(&self, rows: Range<usize>, n_rows: usize) -> Packed {
        let (is_first, is_last) = (rows.start == 0, rows.end == n_rows);
        let mut filtered = Vec::with_capacity(rows.len() * (1 + self.row_bytes));
        let none = vec![0; self.row_bytes];
        let mut best = [vec![0; self.row_bytes], vec![0; self.row_bytes]];
        for row in rows {
            let of = |row: usize| &self.pixels[row * self.row_bytes..][..self.row_bytes];
            let above = row.checked_sub(1).map_or(&none[..], of);
            filtered.push(filter_best(of(row), above, self.pixel_bytes, &mut best) as u8);
            filtered.extend_from_slice(&best[0]);
        }
        let (mut bytes, checksum) = compressed(&filtered, is_last);
        if !is_first {
            bytes.drain(..HEAD);
        }
        Packed { bytes, checksum, n: filtered.len() as u64 }
    }
}

/// Filters a row into the first of two buffers by the filter that leaves the smallest differences: the code is made for these.
fn filter_best(row: &[u8], above: &[u8], pixel_bytes: usize, [best, other]: &mut [Vec<u8>; 2]) -> Filter {
    let mut found = (u64::MAX, Filter::None);
    for filter in [Filter::None, Filter::Sub, Filter::Up, Filter::Average, Filter::Paeth] {
        filter_row(filter, row, above, pixel_bytes, other);
        // The sum of 256 sizes fits into 16 bits, and a vector holds more numbers of 16 bits than of 64.
        let size_of = |bytes: &[u8]| bytes.iter().map(|byte| u16::from((*byte as i8).unsigned_abs())).sum::<u16>();
        let size = other.chunks(256).map(|bytes| u64::from(size_of(bytes))).sum();
        if size < found.0 {
            found = (size, filter);
            std::mem::swap(best, other);
        }
    }
    found.1
}

/// Filters a row. Each filter has a loop of its own, which the compiler turns into vectors.
fn filter_row(filter: Filter, row: &[u8], above: &[u8], pixel_bytes: usize, to: &mut [u8]) {
    match filter {
        Filter::None => to.copy_from_slice(row),
        Filter::Sub => differences(row, above, pixel_bytes, to, |a, _, _| a),
        Filter::Up => differences(row, above, pixel_bytes, to, |_, b, _| b),
        Filter::Average => differences(row, above, pixel_bytes, to, |a, b, _| (a & b) + ((a ^ b) >> 1)),
        Filter::Paeth => differences(row, above, pixel_bytes, to, paeth),
    }
}

/// The byte that is nearest to a + b − c.
fn paeth(a: u8, b: u8, c: u8) -> u8 {
    let [wide_a, wide_b, wide_c] = [a, b, c].map(i16::from);
    let [to_a, to_b, to_c] = [wide_b - wide_c, wide_a - wide_c, wide_a + wide_b - 2 * wide_c].map(i16::abs);
    let second = if to_b <= to_c { b } else { c };
    if to_a <= to_b && to_a <= to_c { a } else { second }
}

/// The differences between the bytes of a row and what their neighbours make expect.
#[inline(always)]
fn differences(row: &[u8], above: &[u8], pixel_bytes: usize, to: &mut [u8], expected: impl Fn(u8, u8, u8) -> u8) {
    let n = pixel_bytes.min(row.len());
    let (first, others) = to.split_at_mut(n);
    first.iter_mut().zip(row).zip(above).for_each(|((to, byte), b)| *to = byte.wrapping_sub(expected(0, *b, 0)));
    for ((((to, byte), a), b), c) in others.iter_mut().zip(&row[n..]).zip(row).zip(&above[n..]).zip(above) {
        *to = byte.wrapping_sub(expected(*a, *b, *c));
    }
}

/// The head of a stream of zlib, the blocks of some bytes, which end at a byte, and the checksum of the bytes.
fn compressed(bytes: &[u8], is_last: bool) -> (Vec<u8>, u32) {
    let mut stream = fdeflate::compress_to_vec(bytes);
    let (_, checksum) = stream.split_last_chunk::<CHECKSUM>().expect("a stream ends in its checksum");
    let checksum = u32::from_be_bytes(*checksum);
    stream.truncate(stream.len() - CHECKSUM);
    // Noise has no code that makes it shorter.
    if stream.len() > bytes.len() {
        stream.truncate(HEAD);
        store(bytes, is_last, &mut stream);
    } else if !is_last {
        // The first bit says that a block is the last one.
        stream[HEAD] &= !1;
        // The sign that ends a block has its last bit set in this code, so that the block ends with the last bit that is set. The zeros behind it begin an
        // empty stored block: its head has three of them, and the rest of the byte is skipped.
        if stream.last().is_some_and(|last| last.leading_zeros() < 3) {
            stream.push(0);
        }
        stream.extend([0, 0, 0xff, 0xff]);
    }
    (stream, checksum)
}

/// Adds bytes in blocks that are stored as they are.
fn store(bytes: &[u8], is_last: bool, stream: &mut Vec<u8>) {
    let n_blocks = bytes.len().div_ceil(STORED).max(1);
    for index in 0..n_blocks {
        let block = &bytes[index * STORED..bytes.len().min((index + 1) * STORED)];
        let n = block.len() as u16;
        stream.push(u8::from(is_last && index + 1 == n_blocks));
        stream.extend([n.to_le_bytes(), (!n).to_le_bytes()].as_flattened());
        stream.extend_from_slice(block);
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
            write_image(&mut written, (rows, columns), (ColorType::Grayscale, BitDepth::Eight), &pixels, "").unwrap();
            assert!(planes(&written) == [Samples::U8(pixels.clone())], "{rows} × {columns}");
            // The same bytes as other pixels: three of a byte, and one of two.
            for (colour, depth, n) in [(ColorType::Rgb, BitDepth::Eight, 3), (ColorType::Grayscale, BitDepth::Sixteen, 2)] {
                let width = columns / n;
                if width == 0 {
                    continue;
                }
                let bytes: Vec<u8> = pixels.iter().copied().take(rows * width * n).collect();
                let mut written = Vec::new();
                write_image(&mut written, (rows, width), (colour, depth), &bytes, "").unwrap();
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
            let stream: Vec<u8> =
                parts.iter().enumerate().flat_map(|(index, part)| compressed(part, index == 3).0.split_off(HEAD)).collect();
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

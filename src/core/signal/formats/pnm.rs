//! Netpbm images (PBM, PGM, PPM, PAM) and float maps (PFM).
//!
//! The decoder of the crate `image` knows neither float maps nor arrays of other depths than 1 to 4, and refuses comments among values; all of them are a header in text and plain numbers.

use super::numbers::{NumberType, Numbers, upside_down};
use super::pixels::{PixelLayout, image};
use super::{Decoded, FileFormat};
use crate::numerals::counted;
use crate::signal::error::one_line;
use crate::signal::{Cause, Samples, Signal, memory};
use std::str::FromStr;

/// Bits, gray and colours of 8 or 16 bits, as text or as numbers.
pub(super) static PNM: FileFormat = FileFormat {
    name: "Netpbm",
    endings: &["pgm", "ppm", "pbm", "pnm", "pam"],
    marks: &[b"P1", b"P2", b"P3", b"P4", b"P5", b"P6", b"P7"],
    is_content,
    decode: |bytes, _| decode(bytes),
    output: None,
};

/// Gray and colours in single precision.
pub(super) static PFM: FileFormat = FileFormat {
    name: "PFM",
    endings: &["pfm"],
    marks: &[b"Pf", b"PF"],
    is_content: |bytes| is_content(bytes) && Words { bytes, at: 2 }.sides().is_some_and(|(_, _, has_line)| has_line),
    decode: |bytes, _| decode_floats(bytes),
    output: None,
};

/// The fields of a header.
struct Header {
    columns: u64,
    rows: u64,
    layout: PixelLayout,
    /// The largest value, 1 to 65,535.
    most: u32,
    is_text: bool,
    /// Whether the values are bits, 1 for black.
    is_bits: bool,
}

/// The words of a header, and where it ends.
struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Words<'a> {
    /// The next word; comments run from # to the end of their line.
    fn next(&mut self) -> Option<&'a [u8]> {
        loop {
            self.at += self.bytes.get(self.at..)?.iter().position(|byte| !byte.is_ascii_whitespace())?;
            if self.bytes[self.at] != b'#' {
                break;
            }
            self.at += self.bytes[self.at..].iter().position(|byte| matches!(byte, b'\n' | b'\r'))?;
        }
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'#').unwrap_or(rest.len());
        self.at += length;
        Some(&rest[..length])
    }

    /// Width, height, and whether both are on one line.
    fn sides(mut self) -> Option<(u64, u64, bool)> {
        let width: u64 = self.number("").ok()?;
        let end = self.at;
        let height: u64 = self.number("").ok()?;
        Some((width, height, !self.bytes[end..self.at].contains(&b'\n')))
    }

    /// The next word as a number.
    fn number<T: FromStr>(&mut self, what: &str) -> Result<T, Cause> {
        let word = self.next().ok_or_else(|| Cause::truncated(&format!("its header ends before {what}")))?;
        let text = String::from_utf8_lossy(word);
        text.parse().map_err(|_| Cause::malformed(format!("its header gives “{}” as {what}", one_line(&text))))
    }

    /// The bytes after the single blank behind the header.
    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at + 1..).unwrap_or_default()
    }
}

/// Whether a mark belongs to an image. "P2" may also be the name of a column in a text, which has no values for an image then.
fn is_content(bytes: &[u8]) -> bool {
    let is_end = bytes.get(2).is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'#');
    let mut words = Words { bytes, at: 2 };
    is_end
        && match bytes[1] {
            b'7' => words.next().is_some_and(|word| word.is_ascii()),
            mark => words
                .sides()
                .is_some_and(|(width, height, has_line)| has_line || mark > b'3' || width.saturating_mul(height) <= bytes.len() as u64),
        }
}

impl Header {
    /// Reads the header behind the mark of two letters.
    fn read(words: &mut Words<'_>, mark: u8) -> Result<Self, Cause> {
        if mark == b'7' {
            return Self::read_array(words);
        }
        let (columns, rows) = (words.number("the width")?, words.number("the height")?);
        let is_bits = matches!(mark, b'1' | b'4');
        let most = if is_bits { 1 } else { words.number("the largest value")? };
        let layout = if matches!(mark, b'3' | b'6') { PixelLayout::Rgb } else { PixelLayout::Gray };
        Ok(Self { columns, rows, layout, most, is_text: mark < b'4', is_bits })
    }

    /// The lines of a PAM: names with values, until ENDHDR.
    fn read_array(words: &mut Words<'_>) -> Result<Self, Cause> {
        let (mut columns, mut rows, mut depth, mut most, mut meaning) = (0, 0, 0_usize, 0, Vec::new());
        loop {
            match words.next().ok_or_else(|| Cause::truncated("its header has no end"))? {
                b"WIDTH" => columns = words.number("the width")?,
                b"HEIGHT" => rows = words.number("the height")?,
                b"DEPTH" => depth = words.number("the depth")?,
                b"MAXVAL" => most = words.number("the largest value")?,
                b"TUPLTYPE" => meaning = words.next().unwrap_or_default().to_vec(),
                b"ENDHDR" => break,
                other => return Err(Cause::malformed(format!("its header has the unknown word “{}”", String::from_utf8_lossy(other)))),
            }
        }
        let layout = match (&meaning[..], depth) {
            (_, 0) => return Err(Cause::malformed("its header gives no depth")),
            (b"" | b"BLACKANDWHITE" | b"GRAYSCALE", 1) => PixelLayout::Gray,
            (b"BLACKANDWHITE_ALPHA" | b"GRAYSCALE_ALPHA", 2) => PixelLayout::GrayAlpha,
            (b"" | b"RGB", 3) => PixelLayout::Rgb,
            (b"" | b"RGB_ALPHA", 4) => PixelLayout::Rgba,
            _ => PixelLayout::Bands(depth),
        };
        Ok(Self { columns, rows, layout, most, is_text: false, is_bits: false })
    }
}

fn decode(bytes: &[u8]) -> Decoded {
    let mut words = Words { bytes, at: 2 };
    let header = Header::read(&mut words, bytes[1])?;
    let Header { columns, rows, layout, most, is_text, is_bits } = header;
    if !(1..=0xffff).contains(&most) {
        return Err(Cause::malformed(format!("its largest value is {most}; 1 to 65535 are possible")));
    }
    let samples = layout.samples() as u64;
    let width = if most < 256 { 1 } else { 2 };
    let n = memory::checked_image(columns, rows, samples.saturating_mul(width))? / width as usize;
    let shape = (rows as usize, columns as usize);
    let data = words.rest();
    let needed = if is_bits { shape.0 * shape.1.div_ceil(8) } else { n * width as usize };
    let stored = match data.get(..needed) {
        _ if is_text => written(words, n, most, is_bits)?,
        None => return Err(cut(data.len(), needed)),
        Some(packed) if is_bits => Samples::U8(unpacked(packed, shape)?),
        Some(bytes) => {
            let kind = if width == 1 { NumberType::U8 } else { NumberType::U16 };
            Numbers { bytes, kind, is_big_endian: true }.samples()?
        }
    };
    let mut signal = match stored {
        // Ink is black.
        Samples::U8(v) if is_bits => image(v.into_iter().map(|bit| 255 * (1 - bit)).collect(), shape, layout, Samples::U8),
        Samples::U8(v) => image(v, shape, layout, Samples::U8),
        Samples::U16(v) => image(v, shape, layout, Samples::U16),
        other => unreachable!("no {} samples are read", other.type_name()),
    };
    match most {
        255 | 65535 => {}
        _ if is_bits => signal.notes.push("1-bit gray is spread over 0..255.".into()),
        _ => signal.notes.push(format!("The values go from 0 to {most}, as stored.").into()),
    }
    // Programs that record frames write one file behind the other.
    if !is_text && data.len() > needed + 1 {
        let more = counted(data.len() - needed, "byte");
        signal.notes.push(format!("The file has {more} more than its first image, left unread.").into());
    }
    Ok(signal)
}

fn cut(there: usize, needed: usize) -> Cause {
    Cause::truncated(&format!("{there} of {needed} bytes of the image are there"))
}

/// `n` numbers of a text, at most `most`. Bits need no blanks between them.
fn written(mut words: Words<'_>, n: usize, most: u32, is_bits: bool) -> Result<Samples, Cause> {
    // Every number takes at least a byte, so a small file cannot claim much memory.
    let mut values: Vec<u16> = Vec::new();
    memory::reserve(&mut values, n.min(words.rest().len()))?;
    while values.len() < n {
        let Some(word) = words.next() else {
            return Err(Cause::truncated(&format!("{} of {n} values are there", values.len())));
        };
        let text = String::from_utf8_lossy(word);
        let wrong = || Cause::malformed(format!("its value {} is “{}”, and no number from 0 to {most}", values.len() + 1, one_line(&text)));
        if is_bits {
            let bits: Option<Vec<u16>> = word.iter().map(|digit| matches!(digit, b'0' | b'1').then(|| u16::from(digit - b'0'))).collect();
            let bits = bits.ok_or_else(wrong)?;
            values.extend(bits.into_iter().take(n - values.len()));
        } else {
            let value = text.parse().ok().filter(|value| u32::from(*value) <= most).ok_or_else(wrong)?;
            values.push(value);
        }
    }
    Ok(if most < 256 { Samples::U8(values.into_iter().map(|value| value as u8).collect()) } else { Samples::U16(values) })
}

/// The bits of rows that start at a byte, the first in the highest bit.
fn unpacked(packed: &[u8], (rows, columns): (usize, usize)) -> Result<Vec<u8>, Cause> {
    let stride = columns.div_ceil(8);
    let bits = packed.chunks_exact(stride).flat_map(|row| (0..columns).map(move |column| row[column / 8] >> (7 - column % 8) & 1));
    memory::collected(rows * columns, bits)
}

/// Decodes floats, whose rows go upwards; the sign of the scale tells the byte order.
fn decode_floats(bytes: &[u8]) -> Decoded {
    let mut words = Words { bytes, at: 2 };
    let (columns, rows): (u64, u64) = (words.number("the width")?, words.number("the height")?);
    let scale: f64 = words.number("the scale")?;
    let layout = if bytes[1] == b'F' { PixelLayout::Rgb } else { PixelLayout::Gray };
    if !scale.is_finite() || scale == 0.0 {
        return Err(Cause::malformed(format!("its scale is {scale}; its sign gives the byte order, and it cannot be that")));
    }
    // Lines of some writers end with CR LF.
    let data = words.rest().strip_prefix(b"\n").filter(|_| bytes.get(words.at) == Some(&b'\r')).unwrap_or(words.rest());
    let n = memory::checked_image(columns, rows, 4 * layout.samples() as u64)?;
    let data = data.get(..n).ok_or_else(|| cut(data.len(), n))?;
    let data = upside_down(data, n / rows as usize);
    let numbers = Numbers { bytes: &data, kind: NumberType::F32, is_big_endian: scale > 0.0 };
    let Samples::F32(pixels) = numbers.samples()? else { unreachable!("floats are floats") };
    let mut signal: Signal = image(pixels, (rows as usize, columns as usize), layout, Samples::F32);
    if scale.abs() != 1.0 {
        signal.notes.push(format!("The values are as stored; the file gives them the scale {}.", scale.abs()).into());
    }
    Ok(signal)
}

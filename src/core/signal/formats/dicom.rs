//! DICOM, the format of medicine (part 5 of the standard), where its pixels are not compressed: one frame of gray or colours.
//!
//! A file is a list of elements: a tag of two numbers, in explicit syntaxes two letters for the type of the value, a length and the value.
//! Sequences hold such lists again. Only the elements about pixels are read.

use super::numbers::{Meaning, NumberType, Numbers, page_of, pages};
use super::pixels::{PixelLayout, image, image_from_planes};
use super::{Decoded, FileFormat, gzip};
use crate::numerals::counted;
use crate::signal::error::one_line;
use crate::signal::reading::Reading;
use crate::signal::{Cause, Channel, Note, PageKind, Pages, PixelSize, PixelUnit, Samples, Signal, SignalKind};
use flate2::bufread::DeflateDecoder;
use std::borrow::Cow;

/// Digital Imaging and Communications in Medicine.
pub(super) static DICOM: FileFormat = FileFormat {
    name: "DICOM",
    endings: &["dcm", "dicom"],
    marks: &[],
    is_content: |bytes| bytes.get(128..132) == Some(b"DICM") || Syntax::seen(bytes).is_some(),
    decode: |content, how| decode(content, how),
    output: None,
};

type Tag = (u16, u16);

const SYNTAX: Tag = (0x0002, 0x0010);
const IMAGER_SPACING: Tag = (0x0018, 0x1164);
const SAMPLES: Tag = (0x0028, 0x0002);
const COLOURS: Tag = (0x0028, 0x0004);
const PLANES: Tag = (0x0028, 0x0006);
const FRAMES: Tag = (0x0028, 0x0008);
const ROWS: Tag = (0x0028, 0x0010);
const COLUMNS: Tag = (0x0028, 0x0011);
const SPACING: Tag = (0x0028, 0x0030);
const BITS: Tag = (0x0028, 0x0100);
const STORED_BITS: Tag = (0x0028, 0x0101);
const HIGHEST_BIT: Tag = (0x0028, 0x0102);
const IS_SIGNED: Tag = (0x0028, 0x0103);
const INTERCEPT: Tag = (0x0028, 0x1052);
const SLOPE: Tag = (0x0028, 0x1053);
const UNIT: Tag = (0x0028, 0x1054);
const FLOATS: Tag = (0x7fe0, 0x0008);
const DOUBLES: Tag = (0x7fe0, 0x0009);
const PIXELS: Tag = (0x7fe0, 0x0010);

const ITEM: Tag = (0xfffe, 0xe000);
const ITEM_END: Tag = (0xfffe, 0xe00d);
const SEQUENCE_END: Tag = (0xfffe, 0xe0dd);

/// A length that is not known before the end.
const OPEN: u32 = u32::MAX;

/// How the elements of a file are written.
#[derive(Clone, Copy)]
struct Syntax {
    is_explicit: bool,
    is_big_endian: bool,
}

impl Syntax {
    /// The syntax of a list that begins with the group 8, as those of old files without a header do; `None` where content is something else.
    fn seen(bytes: &[u8]) -> Option<Self> {
        let (tag, rest) = bytes.first_chunk::<8>()?.split_at(4);
        let has_type = rest[..2].iter().all(u8::is_ascii_uppercase);
        // Without types the length of the first value follows, which is short.
        let is_short = rest[0] < 128 && rest[1..] == [0; 3];
        match *tag {
            [8, 0, ..0x20, 0] if has_type || is_short => Some(Self { is_explicit: has_type, is_big_endian: false }),
            [0, 8, 0, ..0x20] if has_type => Some(Self { is_explicit: true, is_big_endian: true }),
            _ => None,
        }
    }
}

/// An element without its value.
struct Element {
    tag: Tag,
    /// Whether bytes of its value are words of two.
    is_words: bool,
    is_sequence: bool,
    length: u32,
}

/// Reads elements one after the other.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    syntax: Syntax,
}

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(n)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    fn number(&mut self, n: usize) -> Option<u32> {
        let is_big_endian = self.syntax.is_big_endian;
        Some(number(self.take(n)?, is_big_endian))
    }

    /// The next element; the reader is at its value then.
    fn element(&mut self) -> Option<Element> {
        let tag = (self.number(2)? as u16, self.number(2)? as u16);
        // Items and their ends have no type.
        if !self.syntax.is_explicit || tag.0 == 0xfffe {
            let length = self.number(4)?;
            return Some(Element { tag, is_words: true, is_sequence: length == OPEN && tag != PIXELS, length });
        }
        let kind = self.take(2)?;
        let is_long = matches!(kind, b"OB" | b"OD" | b"OF" | b"OL" | b"OV" | b"OW" | b"SQ" | b"SV" | b"UC" | b"UN" | b"UR" | b"UT" | b"UV");
        let length = if is_long { self.number(2).and_then(|_| self.number(4))? } else { self.number(2)? };
        Some(Element { tag, is_words: kind == b"OW", is_sequence: kind == b"SQ" || length == OPEN && tag != PIXELS, length })
    }
}

/// The unsigned number of at most four bytes.
fn number(bytes: &[u8], is_big_endian: bool) -> u32 {
    let add = |value: u32, &byte: &u8| value << 8 | u32::from(byte);
    if is_big_endian { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) }
}

/// The elements about pixels.
struct DataSet<'a> {
    elements: Vec<(Tag, &'a [u8])>,
    is_big_endian: bool,
    /// Whether the pixels come in pieces, as compressed ones do.
    is_in_pieces: bool,
    /// Whether pixels of one byte are in words of two, the second one first.
    is_swapped: bool,
}

impl<'a> DataSet<'a> {
    /// Reads the elements from an offset on, up to the pixels.
    fn read(bytes: &'a [u8], at: usize, syntax: Syntax) -> Result<Self, Cause> {
        let mut reader = Reader { bytes, at, syntax };
        let mut set = Self { elements: Vec::new(), is_big_endian: syntax.is_big_endian, is_in_pieces: false, is_swapped: false };
        // Where the open sequences and items end; those of unknown length at no offset.
        let mut ends: Vec<usize> = Vec::new();
        while reader.at < bytes.len() {
            while ends.last().is_some_and(|end| reader.at >= *end) {
                ends.pop();
            }
            let truncated = |what: &str| Cause::truncated(&format!("it ends {what}"));
            let Element { tag, is_words, is_sequence, length } =
                reader.element().ok_or_else(|| truncated("in the middle of an element"))?;
            match tag {
                ITEM_END | SEQUENCE_END => drop(ends.pop()),
                // The values of images in several frames are in sequences.
                _ if is_sequence || tag == ITEM => {
                    ends.push(if length == OPEN { usize::MAX } else { reader.at.saturating_add(length as usize) });
                }
                PIXELS | FLOATS | DOUBLES if ends.is_empty() => {
                    (set.is_in_pieces, set.is_swapped) = (length == OPEN, is_words && syntax.is_big_endian);
                    set.elements.push((tag, &bytes[reader.at..]));
                    return Ok(set);
                }
                _ => {
                    let value = reader.take(length as usize).ok_or_else(|| truncated("before its pixels"))?;
                    let is_shared = matches!(tag, SPACING | SLOPE | INTERCEPT | UNIT);
                    if (ends.is_empty() || is_shared) && !set.elements.iter().any(|(known, _)| *known == tag) {
                        set.elements.push((tag, value));
                    }
                }
            }
        }
        Ok(set)
    }

    /// Pixels of one byte in their order.
    fn in_order(&self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        if self.is_swapped { bytes.chunks(2).flat_map(|word| word.iter().rev().copied()).collect() } else { bytes.into() }
    }

    fn value(&self, tag: Tag) -> Option<&'a [u8]> {
        self.elements.iter().find(|(known, _)| *known == tag).map(|(_, value)| *value)
    }

    fn count(&self, tag: Tag) -> Option<u32> {
        self.value(tag).filter(|value| matches!(value.len(), 2 | 4)).map(|value| number(value, self.is_big_endian))
    }

    fn text(&self, tag: Tag) -> Option<String> {
        let text = String::from_utf8_lossy(self.value(tag)?);
        Some(one_line(text.trim_matches(|c: char| c == '\0' || c.is_whitespace()))).filter(|text| !text.is_empty())
    }

    /// Numbers in a text, separated by backslashes.
    fn numbers(&self, tag: Tag) -> Vec<f64> {
        self.text(tag).map_or(Vec::new(), |text| text.split('\\').filter_map(|number| number.trim().parse().ok()).collect())
    }
}

/// Decodes a frame.
fn decode(bytes: &[u8], how: &Reading) -> Decoded {
    const PREAMBLE: usize = 132;
    if let Some(syntax) = Syntax::seen(bytes) {
        return frame(&DataSet::read(bytes, 0, syntax)?, how);
    }
    // The group 2 describes the file, always in this syntax.
    let mut reader = Reader { bytes, at: PREAMBLE, syntax: Syntax { is_explicit: true, is_big_endian: false } };
    let mut name = String::new();
    while bytes.get(reader.at..reader.at + 2) == Some(&[2, 0]) {
        let truncated = || Cause::truncated("its header is not complete");
        let element = reader.element().ok_or_else(truncated)?;
        let value = reader.take(element.length as usize).ok_or_else(truncated)?;
        if element.tag == SYNTAX {
            name = one_line(String::from_utf8_lossy(value).trim_matches(|c: char| c == '\0' || c.is_whitespace()));
        }
    }
    let seen = Syntax::seen(&bytes[reader.at..]).filter(|_| name.is_empty());
    if name == DEFLATED {
        let unpacked = gzip::bounded(DeflateDecoder::new(&bytes[reader.at..]), Vec::new())?;
        return frame(&DataSet::read(&unpacked, 0, Syntax { is_explicit: true, is_big_endian: false })?, how);
    }
    frame(&DataSet::read(bytes, reader.at, seen.map_or_else(|| syntax_of(&name), Ok)?)?, how)
}

/// Explicit and little-endian, packed as a whole.
const DEFLATED: &str = "1.2.840.10008.1.2.1.99";

const DECOMPRESS: &str = "save it uncompressed, for example by gdcmconv";

/// The syntax of a name; those that compress are told by the names of their codings.
fn syntax_of(name: &str) -> Result<Syntax, Cause> {
    let number = name
        .strip_prefix("1.2.840.10008.1.2")
        .ok_or_else(|| Cause::unsupported(format!("its syntax “{name}” is unknown; {DECOMPRESS}")))?;
    let (is_explicit, is_big_endian) = match number {
        "" => (false, false),
        ".1" => (true, false),
        ".2" => (true, true),
        _ => {
            let coding = match number {
                ".5" => "run lengths".to_owned(),
                ".4.50" | ".4.51" => "JPEG".to_owned(),
                ".4.57" | ".4.70" => "lossless JPEG".to_owned(),
                ".4.80" | ".4.81" => "JPEG-LS".to_owned(),
                ".4.90" | ".4.91" | ".4.92" | ".4.93" => "JPEG 2000".to_owned(),
                ".4.110" | ".4.111" | ".4.112" => "JPEG XL".to_owned(),
                ".4.201" | ".4.202" | ".4.203" => "High-Throughput JPEG 2000".to_owned(),
                _ if number.starts_with(".4.10") => "video".to_owned(),
                _ => format!("syntax {}", one_line(name)),
            };
            return Err(Cause::unsupported(format!("its pixels are compressed ({coding}); {DECOMPRESS}")));
        }
    };
    Ok(Syntax { is_explicit, is_big_endian })
}

/// A frame of the pixels.
fn frame(set: &DataSet<'_>, how: &Reading) -> Decoded {
    if set.is_in_pieces {
        return Err(Cause::unsupported(format!("its pixels are compressed; {DECOMPRESS}")));
    }
    let missing = |what: &str| Cause::unsupported(format!("it holds no image: it gives no {what}"));
    let (rows, columns) =
        (set.count(ROWS).ok_or_else(|| missing("number of rows"))?, set.count(COLUMNS).ok_or_else(|| missing("number of columns"))?);
    let shape = (u64::from(rows), u64::from(columns));
    let size = (rows as usize, columns as usize);
    let n_frames = set.numbers(FRAMES).first().map_or(1, |frames| *frames as u64);
    let pages = pages(how, n_frames, PageKind::Frame)?;
    let colours = set.text(COLOURS).unwrap_or_else(|| "MONOCHROME2".to_owned());
    let bits = set.count(BITS).unwrap_or(8);
    let mut signal = match (&colours[..], set.count(SAMPLES).unwrap_or(1), bits) {
        ("RGB", 3, 8) => {
            let bytes = set.value(PIXELS).ok_or_else(|| missing("pixels"))?;
            let bytes = set.in_order(bytes);
            let frame = page_of(&bytes, shape, 3, pages)?;
            match set.count(PLANES) {
                Some(1) => image_from_planes(frame, size, PixelLayout::Rgb, Samples::U8),
                _ => image(frame.to_vec(), size, PixelLayout::Rgb, Samples::U8),
            }
        }
        ("MONOCHROME1" | "MONOCHROME2", 1, _) => gray(set, shape, pages, colours == "MONOCHROME1")?,
        (_, n, bits) => {
            let samples = if n == 1 { "one sample".to_owned() } else { format!("{n} samples") };
            return Err(Cause::unsupported(format!(
                "its pixels are {colours}, {samples} of {bits} bits; save it as gray or RGB of 8 bits"
            )));
        }
    };
    let spacing = [SPACING, IMAGER_SPACING].into_iter().map(|tag| set.numbers(tag)).find(|spacing| spacing.len() == 2);
    signal.pixel_size = spacing.and_then(|spacing| PixelSize::of(spacing[1], spacing[0], PixelUnit::Millimetre));
    signal.pages = pages;
    Ok(signal)
}

/// A frame of gray: the bits that a pixel uses, and the map to values.
fn gray(set: &DataSet<'_>, shape: (u64, u64), pages: Option<Pages>, is_white_zero: bool) -> Decoded {
    let bits = set.count(BITS).unwrap_or(8);
    let is_signed = set.count(IS_SIGNED) == Some(1);
    let real = [(FLOATS, NumberType::F32), (DOUBLES, NumberType::F64)].into_iter().find_map(|(tag, kind)| Some((set.value(tag)?, kind)));
    let whole = || {
        Some((
            set.value(PIXELS)?,
            match bits {
                8 => NumberType::U8,
                16 => NumberType::U16,
                32 => NumberType::U32,
                _ => return None,
            },
        ))
    };
    let Some((bytes, kind)) = real.or_else(whole) else {
        return Err(match set.value(PIXELS) {
            Some(_) => Cause::unsupported(format!("its pixels have {}; 8, 16 and 32 are read", counted(bits as usize, "bit"))),
            None => Cause::unsupported("it describes an image, and holds no pixels"),
        });
    };
    let bytes = if kind == NumberType::U8 { set.in_order(bytes) } else { bytes.into() };
    let page = page_of(&bytes, shape, kind.width(), pages)?;
    let stored = Numbers { bytes: page, kind, is_big_endian: set.is_big_endian }.samples()?;
    let used = set.count(STORED_BITS).filter(|used| (1..=bits).contains(used)).unwrap_or(bits);
    let shift = set
        .count(HIGHEST_BIT)
        .filter(|highest| (used..=bits).contains(&(highest.saturating_add(1))))
        .map_or(0, |highest| highest + 1 - used);
    let map = |tag: Tag, usual: f64| set.numbers(tag).first().copied().filter(|value| value.is_finite()).unwrap_or(usual);
    let meaning = Meaning { slope: map(SLOPE, 1.0), intercept: map(INTERCEPT, 0.0), blank: None };
    let is_inverted = is_white_zero && !meaning.is_map() && stored.is_integer();
    let bits = Bits { used, shift, is_signed, is_inverted };
    let samples = meaning.values(bits.of(stored))?;
    let unit = set.text(UNIT).filter(|unit| unit != "US");
    let channel = Channel { unit, ..Channel::new("gray", samples) };
    let mut signal = Signal::from_channels("", SignalKind::Image, (shape.0 as usize, shape.1 as usize), vec![channel]);
    let said = match (is_white_zero, is_inverted) {
        (true, true) => Some("White is zero in the file; the values are inverted, so that black is zero."),
        (true, false) => Some("White is the smallest value of the file; the values are as stored."),
        _ => None,
    };
    signal.notes.extend(said.map(Note::from));
    Ok(signal)
}

/// Which bits of a stored number are its value.
#[derive(Clone, Copy)]
struct Bits {
    used: u32,
    /// Bits below them.
    shift: u32,
    is_signed: bool,
    is_inverted: bool,
}

impl Bits {
    fn of(self, stored: Samples) -> Samples {
        match stored {
            Samples::U8(v) if !self.is_signed => Samples::U8(v.into_iter().map(|x| self.value(x.into()) as u8).collect()),
            Samples::U8(v) => Samples::I32(v.into_iter().map(|x| self.value(x.into()) as i32).collect()),
            Samples::U16(v) if !self.is_signed => Samples::U16(v.into_iter().map(|x| self.value(x.into()) as u16).collect()),
            Samples::U16(v) => Samples::I32(v.into_iter().map(|x| self.value(x.into()) as i32).collect()),
            Samples::I64(v) => Samples::I64(v.into_iter().map(|x| self.value(x as u64)).collect()),
            real => real,
        }
    }

    fn value(self, stored: u64) -> i64 {
        let unsigned = (stored >> self.shift & ((1 << self.used) - 1)) as i64;
        let is_below = self.is_signed && unsigned >> (self.used - 1) == 1;
        let value = if is_below { unsigned - (1 << self.used) } else { unsigned };
        match (self.is_inverted, self.is_signed) {
            (false, _) => value,
            (true, false) => (1 << self.used) - 1 - value,
            (true, true) => -1 - value,
        }
    }
}

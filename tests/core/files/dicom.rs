//! DICOM files of the three plain syntaxes, written here element by element.

use super::{read, refusal, says, values};
use papillon::signal::Samples;
use std::io::Write as _;

/// The elements of a DICOM file in one of the three plain syntaxes.
struct Dicom {
    bytes: Vec<u8>,
    is_explicit: bool,
    is_big_endian: bool,
}

impl Dicom {
    fn new(syntax: &str) -> Self {
        let mut file = Self { bytes: [&[0; 128][..], b"DICM"].concat(), is_explicit: true, is_big_endian: false };
        file.element((2, 0x10), b"UI", format!("{syntax:\0<w$}", w = syntax.len().next_multiple_of(2)).as_bytes());
        file.is_explicit = syntax != "1.2.840.10008.1.2";
        file.is_big_endian = syntax == "1.2.840.10008.1.2.2";
        file
    }

    fn word(&self, value: u16) -> [u8; 2] {
        if self.is_big_endian { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    fn length(&self, value: u32) -> [u8; 4] {
        if self.is_big_endian { value.to_be_bytes() } else { value.to_le_bytes() }
    }

    fn tag(&mut self, (group, element): (u16, u16)) {
        let tag = [self.word(group), self.word(element)].concat();
        self.bytes.extend(tag);
    }

    fn head(&mut self, tag: (u16, u16), kind: &[u8; 2], length: u32) {
        self.tag(tag);
        let is_long = matches!(kind, b"OB" | b"OW" | b"SQ" | b"UN" | b"OF");
        if self.is_explicit {
            self.bytes.extend(kind);
        }
        match self.is_explicit {
            true if !is_long => self.bytes.extend(self.word(length as u16)),
            is_explicit => {
                self.bytes.extend(if is_explicit { &[0, 0][..] } else { &[] });
                self.bytes.extend(self.length(length));
            }
        }
    }

    fn element(&mut self, tag: (u16, u16), kind: &[u8; 2], value: &[u8]) {
        self.head(tag, kind, value.len() as u32);
        self.bytes.extend(value);
    }

    fn count(&mut self, element: u16, value: u16) {
        let value = self.word(value);
        self.element((0x28, element), b"US", &value);
    }

    /// Gray of 2 rows and 3 columns, with `bits` allocated, `used` of them.
    fn gray(mut self, colours: &str, (bits, used, is_signed): (u16, u16, bool), more: &[((u16, u16), &str)]) -> Self {
        self.count(2, 1);
        self.element((0x28, 4), b"CS", colours.as_bytes());
        for (element, value) in [(0x10, 2), (0x11, 3), (0x100, bits), (0x101, used), (0x102, used - 1), (0x103, is_signed.into())] {
            self.count(element, value);
        }
        for (tag, text) in more {
            self.element(*tag, b"DS", text.as_bytes());
        }
        self
    }

    fn pixels(mut self, words: &[u16]) -> Vec<u8> {
        let data: Vec<u8> = words.iter().flat_map(|word| self.word(*word)).collect();
        self.element((0x7fe0, 0x10), b"OW", &data);
        self.bytes
    }
}

const PLAIN: [&str; 3] = ["1.2.840.10008.1.2", "1.2.840.10008.1.2.1", "1.2.840.10008.1.2.2"];

#[test]
fn dicom_of_every_plain_syntax_is_read() {
    for syntax in PLAIN {
        let more = [((0x28, 0x30), "0.5\\0.25"), ((0x28, 0x1052), "-1024 "), ((0x28, 0x1053), "1 "), ((0x28, 0x1054), "HU")];
        let mut file = Dicom::new(syntax);
        // A sequence of unknown length, whose item holds rows of its own.
        file.head((8, 0x1140), b"SQ", u32::MAX);
        file.tag((0xfffe, 0xe000));
        file.bytes.extend(file.length(u32::MAX));
        file.count(0x10, 77);
        for end in [0xe00d, 0xe0dd] {
            file.tag((0xfffe, end));
            file.bytes.extend([0; 4]);
        }
        let signal = read("ct.dcm", &file.gray("MONOCHROME2", (16, 12, false), &more).pixels(&[0, 1, 2, 1024, 0xf7ff, 4095]));
        assert_eq!(signal.channels[0].samples, Samples::I32(vec![-1024, -1023, -1022, 0, 1023, 3071]), "{syntax}");
        assert_eq!(signal.channels[0].unit.as_deref(), Some("HU"));
        assert_eq!(signal.pixel_size.map(|size| size.to_string()).as_deref(), Some("0.25 × 0.5 mm"));
    }
}

#[test]
fn dicom_values_are_those_of_the_bits_in_use() {
    let explicit = || Dicom::new(PLAIN[1]);
    let words = [0, 1, 0x0fff, 0x0800, 0x07ff, 2];
    for (colours, bits, more, expected) in [
        ("MONOCHROME2", (16, 12, false), &[][..], [0.0, 1.0, 4095.0, 2048.0, 2047.0, 2.0]),
        ("MONOCHROME2", (16, 12, true), &[], [0.0, 1.0, -1.0, -2048.0, 2047.0, 2.0]),
        ("MONOCHROME1", (16, 12, false), &[], [4095.0, 4094.0, 0.0, 2047.0, 2048.0, 4093.0]),
        ("MONOCHROME1", (16, 12, true), &[], [-1.0, -2.0, 0.0, 2047.0, -2048.0, -3.0]),
        ("MONOCHROME1", (16, 12, false), &[((0x28, 0x1053), "2.5")], [0.0, 2.5, 10237.5, 5120.0, 5117.5, 5.0]),
    ] {
        let signal = read("gray.dcm", &explicit().gray(colours, bits, more).pixels(&words));
        assert_eq!(values(&signal), [expected], "{colours} {bits:?}");
        assert_eq!(says(&signal, "White"), colours == "MONOCHROME1");
    }
    let mut bytes = explicit().gray("MONOCHROME2", (8, 8, false), &[((0x28, 8), "2 ")]);
    bytes.element((0x7fe0, 0x10), b"OB", &[1, 2, 3, 4, 5, 6, 9, 9, 9, 9, 9, 9]);
    let frames = read("frames.dcm", &bytes.bytes);
    assert_eq!(frames.channels[0].samples, Samples::U8(vec![1, 2, 3, 4, 5, 6]));
    assert!(says(&frames, "frame 1 of 2"), "{:?}", frames.notes);
    for (planes, expected) in [(0, [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]), (1, [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])] {
        let mut colour = explicit();
        colour.count(2, 3);
        colour.element((0x28, 4), b"CS", b"RGB ");
        for (element, value) in [(6, planes), (0x10, 1), (0x11, 2), (0x100, 8)] {
            colour.count(element, value);
        }
        colour.element((0x7fe0, 0x10), b"OB", &[1, 2, 3, 4, 5, 6]);
        assert_eq!(values(&read("rgb.dcm", &colour.bytes)), expected);
    }
}

#[test]
fn dicom_that_is_not_read_says_why() {
    let gray = |syntax: &str| Dicom::new(syntax).gray("MONOCHROME2", (16, 16, false), &[]).pixels(&[0; 6]);
    let whole = gray(PLAIN[1]);
    for (bytes, words) in [
        (gray("1.2.840.10008.1.2.4.90"), "compressed (JPEG 2000); save it uncompressed"),
        (gray("1.2.840.10008.1.2.5"), "run lengths"),
        (gray("1.2.3.4"), "syntax “1.2.3.4” is unknown"),
        (whole[..whole.len() - 3].to_vec(), "9 of 12 bytes"),
        (whole[..whole.len() - 30].to_vec(), "truncated"),
        (Dicom::new(PLAIN[1]).gray("PALETTE COLOR", (8, 8, false), &[]).pixels(&[0; 3]), "PALETTE COLOR"),
        (Dicom::new(PLAIN[1]).gray("MONOCHROME2", (64, 12, false), &[]).pixels(&[0; 24]), "64 bits"),
        (Dicom::new(PLAIN[1]).gray("MONOCHROME2", (8, 8, false), &[]).bytes, "no pixels"),
        (Dicom::new(PLAIN[0]).bytes, "no number of rows"),
    ] {
        let refused = refusal("x.dcm", &bytes);
        assert!(refused.contains(words), "{refused}");
    }
}

#[test]
fn old_files_without_a_header_and_deflated_ones_are_read() {
    let expected = [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]];
    for syntax in PLAIN {
        let mut old = Dicom::new(syntax);
        let start = old.bytes.len();
        old.element((8, 0x16), b"UI", b"1.2.840.10008.5.1.4.1.1.7\0");
        let bytes = old.gray("MONOCHROME2", (16, 16, false), &[]).pixels(&[1, 2, 3, 4, 5, 6]);
        assert_eq!(values(&read("old.dcm", &bytes[start..])), expected, "{syntax}");
        // Bytes in words of two, the second one first where words are big-endian.
        let mut bytes = Dicom::new(syntax).gray("MONOCHROME2", (8, 8, false), &[]);
        let pairs = if bytes.is_big_endian { [2, 1, 4, 3, 6, 5] } else { [1, 2, 3, 4, 5, 6] };
        bytes.element((0x7fe0, 0x10), b"OW", &pairs);
        assert_eq!(values(&read("words.dcm", &bytes.bytes)), expected, "{syntax}");
    }
    let plain = Dicom::new(PLAIN[1]).bytes.len();
    let body = Dicom::new(PLAIN[1]).gray("MONOCHROME2", (16, 16, false), &[]).pixels(&[1, 2, 3, 4, 5, 6]);
    let mut encoder = flate2::write::DeflateEncoder::new(Dicom::new("1.2.840.10008.1.2.1.99").bytes, flate2::Compression::default());
    encoder.write_all(&body[plain..]).expect("memory takes it");
    assert_eq!(values(&read("packed.dcm", &encoder.finish().expect("memory takes it"))), expected);
}

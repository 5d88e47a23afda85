//! Writes a TIFF byte by byte, and packs its strips and tiles.

use super::super::*;
use crate::signal::ReadOptions;
use flate2::{Compression, write::ZlibEncoder};

/// A page that is being written.
#[derive(Clone)]
pub(super) struct Made {
    pub is_little: bool,
    /// Tags with numbers of 16 or 32 bits.
    tags: Vec<(u16, Vec<u32>)>,
    texts: Vec<(u16, Vec<u8>)>,
    pub chunks: Vec<Vec<u8>>,
}

impl Made {
    /// A page of one strip.
    pub(super) fn new((rows, columns): (u32, u32), bits: u32, samples: usize, strip: Vec<u8>) -> Self {
        let tags = vec![
            (256, vec![columns]),
            (257, vec![rows]),
            (258, vec![bits; samples]),
            (262, vec![1]),
            (277, vec![samples as u32]),
            (278, vec![rows]),
        ];
        Self { is_little: true, tags, texts: Vec::new(), chunks: vec![strip] }
    }

    pub(super) fn with(mut self, tag: u16, values: &[u32]) -> Self {
        self.tags.retain(|(other, _)| *other != tag);
        self.tags.push((tag, values.to_vec()));
        self
    }

    pub(super) fn without(mut self, tag: u16) -> Self {
        self.tags.retain(|(other, _)| *other != tag);
        self
    }

    pub(super) fn text(mut self, tag: u16, text: &[u8]) -> Self {
        self.texts.push((tag, text.to_vec()));
        self
    }

    /// Big-endian numbers in the directory.
    pub(super) fn big_endian(mut self) -> Self {
        self.is_little = false;
        self
    }

    fn number(&self, value: u32, width: usize) -> Vec<u8> {
        if self.is_little { value.to_le_bytes()[..width].to_vec() } else { value.to_be_bytes()[4 - width..].to_vec() }
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        written(std::slice::from_ref(self))
    }

    pub(super) fn read(&self) -> Signal {
        self.read_as(ReadOptions::default()).unwrap_or_else(|cause| panic!("{cause}"))
    }

    pub(super) fn read_as(&self, options: ReadOptions) -> Decoded {
        decode(&Content::new(self.bytes()), &Reading { options, ..Reading::default() })
    }

    /// The text of the refusal.
    pub(super) fn refused(&self) -> String {
        self.read_as(ReadOptions::default()).map(|_| ()).expect_err("it is refused").to_string()
    }
}

/// A file of these pages.
pub(super) fn written(pages: &[Made]) -> Vec<u8> {
    let first = &pages[0];
    let mut file = if first.is_little { b"II*\0".to_vec() } else { b"MM\0*".to_vec() };
    let mut link = file.len();
    file.extend([0; 4]);
    for page in pages {
        let offsets: Vec<u32> = page.chunks.iter().map(|chunk| (file.len() as u32, file.extend(chunk)).0).collect();
        let counts: Vec<u32> = page.chunks.iter().map(|chunk| chunk.len() as u32).collect();
        let is_tiled = page.tags.iter().any(|(tag, _)| *tag == 322);
        let mut entries: Vec<(u16, u16, u32, Vec<u8>)> = Vec::new();
        let chunks = if is_tiled { [(324, offsets), (325, counts)] } else { [(273, offsets), (279, counts)] };
        for (tag, values) in page.tags.iter().chain(&chunks) {
            let bytes = values.iter().flat_map(|value| page.number(*value, 4)).collect();
            entries.push((*tag, if matches!(tag, 282 | 283) { 5 } else { 4 }, values.len() as u32, bytes));
        }
        entries.extend(page.texts.iter().map(|(tag, text)| (*tag, 2, text.len() as u32, text.clone())));
        entries.sort();
        let directory = file.len();
        file[link..link + 4].copy_from_slice(&page.number(directory as u32, 4));
        let mut behind = directory + 2 + 12 * entries.len() + 4;
        let mut values = Vec::new();
        file.extend(page.number(entries.len() as u32, 2));
        for (tag, kind, n, mut bytes) in entries {
            file.extend(
                [page.number(tag.into(), 2), page.number(kind.into(), 2), page.number(if kind == 5 { n / 2 } else { n }, 4)].concat(),
            );
            if bytes.len() <= 4 {
                bytes.resize(4, 0);
                file.extend(bytes);
            } else {
                file.extend(page.number(behind as u32, 4));
                behind += bytes.len();
                values.extend(bytes);
            }
        }
        link = file.len();
        file.extend([0; 4]);
        file.extend(values);
    }
    file
}

/// Rows of values in this number of bits each, the highest first; every row begins at a byte.
pub(super) fn packed(values: &[u64], columns: usize, bits: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for row in values.chunks(columns) {
        let digits: Vec<u8> = row.iter().flat_map(|value| (0..bits).rev().map(move |bit| (value >> bit & 1) as u8)).collect();
        bytes.extend(digits.chunks(8).map(|byte| byte.iter().enumerate().fold(0, |sum, (at, bit)| sum | bit << (7 - at))));
    }
    bytes
}

pub(super) fn reversed(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().map(|byte| byte.reverse_bits()).collect()
}

pub(super) fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("memory is written")
}

pub(super) fn lzw(bytes: &[u8]) -> Vec<u8> {
    weezl::encode::Encoder::with_tiff_size_switch(weezl::BitOrder::Msb, 8).encode(bytes).expect("memory is written")
}

pub(super) fn pack_bits(bytes: &[u8]) -> Vec<u8> {
    bytes.chunks(128).flat_map(|run| [&[(run.len() - 1) as u8][..], run].concat()).collect()
}

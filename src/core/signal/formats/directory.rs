//! The directories of a TIFF, and of the EXIF data in other files, which are a TIFF without pixels.
//!
//! They are read here, and not by the `tiff` crate, because that refuses a whole page for a tag that is missing or that it does not know.

use super::text::characters;
use crate::signal::Cause;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// A tag of a directory, with its name in the standard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Tag(pub u16, pub &'static str);

/// The bytes of a file with the way in which it writes numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct File<'a> {
    pub bytes: &'a [u8],
    pub is_little: bool,
    /// Whether offsets have 64 bits.
    is_big: bool,
}

/// A directory: the description of a page.
#[derive(Debug)]
pub(super) struct Directory<'a> {
    file: File<'a>,
    entries: BTreeMap<u16, Entry>,
}

/// Type and number of the values of a tag, and where they are.
#[derive(Debug, Clone, Copy)]
struct Entry {
    kind: u16,
    n: u64,
    at: usize,
}

impl<'a> File<'a> {
    /// A file with one of the four marks.
    pub(super) fn of(bytes: &'a [u8]) -> Option<Self> {
        let (is_little, is_big) = match bytes.get(..4)? {
            b"II*\0" => (true, false),
            b"MM\0*" => (false, false),
            b"II+\0" => (true, true),
            b"MM\0+" => (false, true),
            _ => return None,
        };
        Some(Self { bytes, is_little, is_big })
    }

    /// The unsigned number of these digits.
    pub(super) fn value(self, digits: &[u8]) -> u64 {
        let add = |value: u64, &byte: &u8| value << 8 | u64::from(byte);
        if self.is_little { digits.iter().rev().fold(0, add) } else { digits.iter().fold(0, add) }
    }

    fn number(self, at: usize, width: usize) -> Option<u64> {
        Some(self.value(self.bytes.get(at..at.checked_add(width)?)?))
    }

    fn offset(self, at: usize) -> Option<usize> {
        usize::try_from(self.number(at, if self.is_big { 8 } else { 4 })?).ok()
    }

    /// All directories, each of which names the next one; and whether the last one names another that the file does not hold.
    pub(super) fn directories(self) -> (Vec<Directory<'a>>, bool) {
        let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
        let mut at = self.offset(if self.is_big { 8 } else { 4 });
        while let Some(offset) = at.filter(|offset| *offset != 0 && seen.insert(*offset)) {
            let Some((directory, next)) = self.directory(offset) else { return (found, true) };
            found.push(directory);
            at = next;
        }
        (found, at.is_none())
    }

    /// The directory at an offset, and the offset of the next one.
    fn directory(self, at: usize) -> Option<(Directory<'a>, Option<usize>)> {
        let (count, size, width) = if self.is_big { (8, 20, 8) } else { (2, 12, 4) };
        let n = usize::try_from(self.number(at, count)?).ok()?;
        let first = at + count;
        let end = first.checked_add(n.checked_mul(size)?)?;
        self.bytes.get(first..end)?;
        let entry = |at: usize| {
            let (kind, n) = (self.number(at + 2, 2)? as u16, self.number(at + 4, width)?);
            let is_within = (n as u128) * width_of(kind) as u128 <= width as u128;
            let at = at + 4 + width;
            Some(Entry { kind, n, at: if is_within { at } else { self.offset(at)? } })
        };
        let entries = (first..end).step_by(size).filter_map(|at| Some((self.number(at, 2)? as u16, entry(at)?)));
        Some((Directory { file: self, entries: entries.collect() }, self.offset(end)))
    }
}

/// Bytes of a value of a type; 0 for unknown types.
fn width_of(kind: u16) -> usize {
    match kind {
        1 | 2 | 6 | 7 => 1,
        3 | 8 => 2,
        4 | 9 | 11 | 13 => 4,
        5 | 10 | 12 | 16 | 17 | 18 => 8,
        _ => 0,
    }
}

impl<'a> Directory<'a> {
    /// Whether it has a tag.
    pub(super) fn has(&self, tag: Tag) -> bool {
        self.entries.contains_key(&tag.0)
    }

    /// The bytes of the values of a tag; none where it has no such tag.
    ///
    /// # Errors
    /// When the values are behind the end of the file.
    pub(super) fn bytes(&self, tag: Tag) -> Result<&'a [u8], Cause> {
        let Some(entry) = self.entries.get(&tag.0) else { return Ok(&[]) };
        let length = usize::try_from(entry.n).ok().and_then(|n| n.checked_mul(width_of(entry.kind)));
        let bytes = length.and_then(|length| self.file.bytes.get(entry.at..entry.at.checked_add(length)?));
        bytes.ok_or_else(|| Cause::truncated(&format!("the values of its tag {} ({}) stand behind its end", tag.0, tag.1)))
    }

    /// The whole numbers of a tag; none where it has no such tag.
    ///
    /// # Errors
    /// When they are behind the end of the file, or are not whole numbers.
    pub(super) fn integers(&self, tag: Tag) -> Result<Vec<u64>, Cause> {
        let bytes = self.bytes(tag)?;
        match self.entries.get(&tag.0).map_or(4, |entry| entry.kind) {
            kind @ (1 | 3 | 4 | 13 | 16 | 18) => Ok(bytes.chunks_exact(width_of(kind)).map(|digits| self.file.value(digits)).collect()),
            kind => Err(Cause::malformed(format!("its tag {} ({}) has values of type {kind}, which are no counts", tag.0, tag.1))),
        }
    }

    /// The first whole number of a tag.
    ///
    /// # Errors
    /// As [`Self::integers`].
    pub(super) fn integer(&self, tag: Tag) -> Result<Option<u64>, Cause> {
        Ok(self.integers(tag)?.first().copied())
    }

    /// The first number of a tag that holds fractions.
    pub(super) fn real(&self, tag: Tag) -> Option<f64> {
        let digits = self.bytes(tag).ok()?;
        let half = |at: usize| digits.get(at..at + 4).map(|digits| self.file.value(digits) as f64);
        match self.entries.get(&tag.0)?.kind {
            5 => Some(half(0)? / half(4)?),
            11 => Some(f32::from_bits(self.file.value(digits.get(..4)?) as u32).into()),
            12 => Some(f64::from_bits(self.file.value(digits.get(..8)?))),
            _ => self.integer(tag).ok()?.map(|value| value as f64),
        }
    }

    /// The text of a tag, in UTF-8 or Latin-1.
    pub(super) fn text(&self, tag: Tag) -> Option<Cow<'a, str>> {
        let bytes = self.bytes(tag).ok()?;
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        (end > 0).then(|| characters(&bytes[..end]))
    }
}

//! The bytes of a file: all of them in memory, or of a large recording its beginning, with the rest in the open file.
//!
//! The file is read at positions and not mapped: a mapped file that becomes shorter would end the process.

use super::Watch;
use crate::threads::{self, Piece, Reserved, received};
use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::ops::{Deref, Range};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

/// A recording of more bytes than this stays in its file.
pub(super) const LARGE: u64 = 32 << 20;
/// The bytes of a large file that are in memory: its header is among them.
const BEGINNING: usize = 1 << 16;
/// The bytes behind the samples that tell whether another part of the file follows them.
const BEHIND: usize = 1 << 12;

/// Bytes that are read at a time for samples that are converted at once.
pub(super) const BLOCK: usize = 1 << 16;

/// The bytes of a file. Copies share them, so that samples can stay as the file stores them; as a slice it is what lies in memory.
#[derive(Debug, Clone)]
pub(super) struct Content(Arc<Bytes>);

#[derive(Debug)]
struct Bytes {
    in_memory: Vec<u8>,
    rest: Option<Rest>,
}

/// The part of a large file that is not in memory.
#[derive(Debug)]
struct Rest {
    file: File,
    size: usize,
    changed: Option<SystemTime>,
    /// Why a block could not be read, the first time that happened.
    fault: OnceLock<String>,
}

impl Content {
    /// The bytes of a whole file.
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        Self(Arc::new(Bytes { in_memory: bytes, rest: None }))
    }

    /// The bytes of a file of this size, which stay there but for the first ones.
    ///
    /// # Errors
    /// When these cannot be read.
    pub(super) fn of_file(file: File, size: usize) -> io::Result<Self> {
        let mut in_memory = vec![0; BEGINNING.min(size)];
        read_at(&file, 0, &mut in_memory)?;
        let changed = file.metadata()?.modified().ok();
        Ok(Self(Arc::new(Bytes { in_memory, rest: Some(Rest { file, size, changed, fault: OnceLock::new() }) })))
    }

    /// Bytes of the whole file.
    pub(super) fn size(&self) -> usize {
        self.0.rest.as_ref().map_or(self.len(), |rest| rest.size)
    }

    /// Whether all bytes are in memory.
    pub(super) fn is_in_memory(&self) -> bool {
        self.0.rest.is_none()
    }

    /// Whether both share their bytes.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Some bytes of the file; `None` where they cannot be read, which [`Self::fault`] tells from then on.
    ///
    /// # Panics
    /// When the file did not have them at the beginning.
    pub(super) fn bytes(&self, range: Range<usize>) -> Option<Cow<'_, [u8]>> {
        if range.end <= self.len() {
            return Some(Cow::Borrowed(&self[range]));
        }
        let mut bytes = vec![0; range.len()];
        self.read(range.start, &mut bytes).then_some(Cow::Owned(bytes))
    }

    /// Fills `to` with the bytes of the file from one on, and says whether they can be read, as [`Self::bytes`].
    ///
    /// # Panics
    /// When the file did not have them at the beginning.
    pub(super) fn read(&self, first: usize, to: &mut [u8]) -> bool {
        let range = first..first + to.len();
        let Some(rest) = self.0.rest.as_ref().filter(|_| range.end > self.len()) else {
            to.copy_from_slice(&self[range]);
            return true;
        };
        assert!(range.end <= rest.size, "bytes {range:?} of {}", rest.size);
        let read = read_at(&rest.file, first as u64, to);
        if let Err(error) = &read {
            rest.fault.get_or_init(|| match error.kind() {
                io::ErrorKind::UnexpectedEof => SHORTER.to_owned(),
                _ => format!("the recording cannot be read: {error}"),
            });
        }
        read.is_ok()
    }

    /// Gives at most [`BLOCK`] bytes of the file to `take`, for samples that are read to the end.
    ///
    /// # Errors
    /// When they cannot be read, or reading is given up.
    ///
    /// # Panics
    /// When the file did not have them at the beginning.
    pub(super) fn part(&self, range: Range<usize>, watch: &Watch, take: &mut dyn FnMut(&[u8])) -> io::Result<()> {
        if watch.is_cancelled() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let Some(rest) = &self.0.rest else {
            take(&self[range]);
            return Ok(());
        };
        let mut block = [0; BLOCK];
        let block = &mut block[..range.len()];
        read_at(&rest.file, range.start as u64, block)?;
        watch.advance(block.len());
        take(block);
        Ok(())
    }

    /// The bytes from one on: all of them, or the first of a large file.
    pub(super) fn behind(&self, first: usize) -> Cow<'_, [u8]> {
        let end = if self.is_in_memory() { self.len() } else { self.size().min(first + BEHIND) };
        self.bytes(first..end).unwrap_or_default()
    }

    /// Why the samples may differ from those when the file was opened; reads the size and the date of the file.
    pub(super) fn fault(&self) -> Option<String> {
        let rest = self.0.rest.as_ref()?;
        if let Some(fault) = rest.fault.get() {
            return Some(fault.clone());
        }
        let now = rest.file.metadata().ok()?;
        // A recording that still goes on becomes longer.
        let is_other = || now.len() == rest.size as u64 && now.modified().ok() != rest.changed;
        match () {
            () if now.len() < rest.size as u64 => Some(SHORTER.to_owned()),
            () if is_other() => Some("the recording was changed while it was read".to_owned()),
            () => None,
        }
    }
}

/// Gives the bytes of a range, at most [`BLOCK`].
pub(super) type ReadBytes<'a> = dyn Fn(Range<usize>, &mut dyn FnMut(&[u8])) -> io::Result<()> + Sync + 'a;

/// `n` values, each of which `value` makes of `N` bytes; all threads ask for `bytes`, a block at a time, which stays in the caches of a core.
///
/// # Errors
/// That of `bytes`.
pub(super) fn values_of<const N: usize, T: Send>(
    n: usize,
    bytes: &ReadBytes<'_>,
    value: impl Fn([u8; N]) -> T + Sync,
) -> io::Result<Vec<T>> {
    let fill = |(mut first, mut places): (usize, Piece<'_, T>)| {
        while !places.is_empty() {
            let (block, others) = places.split_at(BLOCK / N);
            let end = first + block.len();
            let mut block = Some(block);
            bytes(N * first..N * end, &mut |bytes| {
                block.take().into_iter().for_each(|block| block.write(bytes.as_chunks().0.iter().map(|bytes| value(*bytes))));
            })?;
            (first, places) = (end, others);
        }
        Ok(())
    };
    received(Reserved::default(), n, |pieces| {
        let mut end = 0;
        let from = pieces.into_iter().map(|piece| {
            end += piece.len();
            (end - piece.len(), piece)
        });
        threads::map_items(from.collect(), &fill).into_iter().collect()
    })
}

const SHORTER: &str = "the recording became shorter while it was read";

/// For readers that ask for bytes of any kind.
impl AsRef<[u8]> for Content {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl Deref for Content {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0.in_memory
    }
}

/// Fills a block with the bytes at a position.
#[cfg(unix)]
fn read_at(file: &File, at: u64, block: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, block, at)
}

/// Fills a block with the bytes at a position.
#[cfg(windows)]
fn read_at(file: &File, mut at: u64, mut block: &mut [u8]) -> io::Result<()> {
    while !block.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, block, at)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            n => (at, block) = (at + n as u64, &mut block[n..]),
        }
    }
    Ok(())
}

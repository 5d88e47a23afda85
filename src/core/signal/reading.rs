//! How a file is read: what a person decides about it, and how far it is.

pub(super) use super::content::Content;

use super::ReadOptions;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// How a file is read.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// The decisions of a person.
    pub options: ReadOptions,
    /// How far it is, and whether it goes on.
    pub watch: Watch,
}

/// How far the reading of a file is, shared with whoever waits for it.
#[derive(Debug, Clone, Default)]
pub struct Watch(Arc<Watched>);

#[derive(Debug, Default)]
struct Watched {
    done: AtomicU64,
    total: AtomicU64,
    cancelled: AtomicBool,
}

impl Watch {
    /// Gives up reading.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether reading is given up.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Relaxed)
    }

    /// The bytes that are read and those of the whole file, where the file says its size.
    pub fn bytes(&self) -> Option<(u64, u64)> {
        let [done, total] = [&self.0.done, &self.0.total].map(|count| count.load(Ordering::Relaxed));
        // Every byte is fetched and then parsed.
        (total > 0).then(|| (done.min(2 * total) / 2, total))
    }

    /// Says how many bytes the whole file has.
    pub(super) fn expect(&self, bytes: u64) {
        self.0.total.store(bytes, Ordering::Relaxed);
    }

    /// Counts bytes that are fetched or parsed.
    pub(super) fn advance(&self, bytes: usize) {
        self.0.done.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

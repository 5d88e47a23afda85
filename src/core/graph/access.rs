//! Memory accesses: which bytes the threads of a subgroup, or the iterations of a loop, touch, and what that costs.
//!
//! An [`AccessRequest`] is one load or store that threads make together. From its addresses follow the transactions of 128 bytes,
//! the cache lines of 64 bytes and the passes over the 32 banks of workgroup memory, each beside the least possible.
//! The addresses come from a stage ([`of_butterflies`]) or from a kernel that was followed thread by thread.

mod banks;
mod figure;
mod host_device;
mod stride;
mod tiles;
mod tiles_figure;

pub use banks::{BANKS, BankUse};
pub use figure::{AccessCell, AccessFigure, AccessPanel, PanelAxis, access_figure, threads_figure, working_threads};
pub use host_device::{HostDevice, host_device_figure};
pub use stride::Stride;
pub use tiles::{TileRect, tile_rects};
pub use tiles_figure::{TilesPanel, tiles_figure};

use crate::plan::Stage;
use std::collections::BTreeSet;

/// Bytes that a GPU moves in one transaction.
pub const TRANSACTION_BYTES: u64 = 128;
/// Bytes of a cache line of a CPU.
pub const CACHE_LINE_BYTES: u64 = 64;
/// Threads of a subgroup where the adapter does not say.
pub const SUBGROUP: usize = 32;

/// The memory that a request touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccessedMemory {
    /// The lanes, in global memory.
    Lanes,
    /// Coefficients and roots, in global memory.
    Tables,
    /// Workgroup memory.
    Workgroup,
}

impl AccessedMemory {
    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lanes => "lanes",
            Self::Tables => "tables",
            Self::Workgroup => "workgroup memory",
        }
    }
}

/// The bytes that one thread touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The first byte.
    pub first: u64,
    /// Number of bytes.
    pub bytes: u64,
}

impl Span {
    /// The segments of `size` bytes that it touches.
    pub fn segments(self, size: u64) -> std::ops::RangeInclusive<u64> {
        self.first / size..=(self.first + self.bytes.max(1) - 1) / size
    }
}

/// One load or store of several threads together, or of consecutive iterations of a loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessRequest {
    /// Its name: `tap 0`, `result 1`, or the array that it touches.
    pub name: String,
    /// The memory that it touches.
    pub memory: AccessedMemory,
    /// Whether it stores.
    pub is_write: bool,
    /// Barriers that the threads have passed before.
    pub phase: usize,
    /// The line of the kernel's text, from 1 on, if any.
    pub line: Option<u32>,
    /// The bytes of every thread; `None` for threads that take no part.
    pub spans: Vec<Option<Span>>,
}

impl AccessRequest {
    /// Segments of `size` bytes that it touches, each once.
    pub fn segments(&self, size: u64) -> BTreeSet<u64> {
        self.spans.iter().flatten().flat_map(|span| span.segments(size)).collect()
    }

    /// Segments that suffice for the bytes that it touches.
    pub fn least_segments(&self, size: u64) -> usize {
        let words: BTreeSet<u64> = self.spans.iter().flatten().flat_map(|span| span.segments(4)).collect();
        (4 * words.len()).div_ceil(size as usize)
    }

    /// Threads that take part.
    pub fn n_threads(&self) -> usize {
        self.spans.iter().flatten().count()
    }

    /// The part of it that the threads of a range make.
    #[must_use]
    pub fn of_threads(&self, threads: std::ops::Range<usize>) -> Self {
        let end = threads.end.min(self.spans.len());
        Self { spans: self.spans[threads.start.min(end)..end].to_vec(), ..self.clone() }
    }

    /// How the addresses grow from thread to thread, in units of `unit` bytes.
    pub fn stride(&self, unit: u64) -> Stride {
        Stride::of(&self.spans, unit)
    }
}

/// Segments that some requests touch, beside the least possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct AccessCount {
    /// Segments that they touch, request by request.
    pub touched: usize,
    /// Segments that would suffice, request by request.
    pub least: usize,
    /// Segments that loads touch together, each once, and those that stores touch: what is left where a cache holds them all.
    pub distinct: usize,
}

impl AccessCount {
    /// Counts the segments of `size` bytes of the requests.
    pub fn of<'a>(requests: impl IntoIterator<Item = &'a AccessRequest>, size: u64) -> Self {
        let (mut count, mut all) = (Self::default(), BTreeSet::new());
        for request in requests {
            let segments = request.segments(size);
            count.touched += segments.len();
            count.least += request.least_segments(size);
            all.extend(segments.into_iter().map(|segment| (request.memory, request.is_write, segment)));
        }
        Self { distinct: all.len(), ..count }
    }

    /// The sum of two counts of requests that share no segment.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self { touched: self.touched + other.touched, least: self.least + other.least, distinct: self.distinct + other.distinct }
    }
}

/// The loads of all taps and the stores of all results of some butterflies (position, group, repetition), one butterfly a thread.
/// A lane takes `lane_bytes` bytes.
pub fn of_butterflies(stage: &Stage, places: &[[usize; 3]], lane_bytes: usize) -> Vec<AccessRequest> {
    let span = |lane: usize| Span { first: (lane * lane_bytes) as u64, bytes: lane_bytes as u64 };
    let request = |name: String, is_write: bool, lane: &dyn Fn([usize; 3]) -> Option<usize>| {
        let spans = places.iter().map(|&place| lane(place).map(span)).collect();
        AccessRequest { name, memory: AccessedMemory::Lanes, is_write, phase: 0, line: None, spans }
    };
    let matrix = stage.matrix();
    let taps = (0..matrix.taps).map(|k| request(format!("tap {k}"), false, &|[p, q, b]| stage.read_lane(p, q, b, k)));
    let results = (0..matrix.rows).map(|j| request(format!("result {j}"), true, &|[p, q, b]| Some(stage.write_lane(p, q, b, j))));
    taps.chain(results).collect()
}

/// The butterflies that the threads of subgroup `number` take where a launch has one thread for each butterfly, in the order of the stage:
/// as the papers' kernels number them.
pub fn butterflies_of_subgroup(stage: &Stage, number: usize, subgroup: usize) -> Vec<[usize; 3]> {
    let n = stage.n_butterflies();
    (number * subgroup..((number + 1) * subgroup).min(n)).map(|index| stage.indices(index)).collect()
}

/// The transactions of all subgroups of a stage, one butterfly a thread; each load and store of a subgroup counts on its own.
pub fn stage_transactions(stage: &Stage, subgroup: usize, lane_bytes: usize) -> AccessCount {
    let subgroups = (0..stage.n_butterflies().div_ceil(subgroup)).map(|number| butterflies_of_subgroup(stage, number, subgroup));
    let count = |places: Vec<[usize; 3]>| AccessCount::of(&of_butterflies(stage, &places, lane_bytes), TRANSACTION_BYTES);
    subgroups.map(count).fold(AccessCount::default(), AccessCount::plus)
}

#[cfg(test)]
mod tests;

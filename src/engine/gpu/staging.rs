//! Moves bytes between memory and buffers of the device, by all threads, in chunks, so that a transfer can be cancelled and needs little memory beside its own.
//!
//! Up, threads fill views of staging memory, which on a card with a wide window lies in the card, so that writing it is the transfer. Down, copies into
//! several kept slots are under way while threads take values out of those that have arrived. Values are converted on the way.

use super::device::Device;
use super::error::GpuError;
use super::prepared::check;
use crate::threads::{self, Piece, received};
use bytemuck::Pod;
use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use wgpu::{BufferUsages, CommandEncoder, MapMode, PollType, SubmissionIndex, WriteOnly};

/// Bytes of a chunk on its way up, and how many may be under way. Staging memory in larger pieces, or more of it, takes longer to make than to fill:
/// on an H200, 128 MiB go up at 22 GB/s so, at 12 in pieces of 64 MiB, and at 15 with 96 MiB under way.
const CHUNK_UP: usize = 8 << 20;
const MOST_UP: usize = 8;

/// Bytes that a thread fills at a time.
const PIECE_UP: usize = 512 << 10;

/// Bytes of a slot on the way down, and how many there may be. Making one takes 0.2 ms a MiB, so they are kept.
const SLOT: usize = 4 << 20;
const MOST_SLOTS: usize = 8;

/// The least bytes of a chunk on its way down: beginning one costs as much as moving them.
const LEAST_DOWN: usize = 1 << 18;

/// How long a device that is done with its work may take to say so.
const PATIENCE: Duration = Duration::from_secs(20);

/// Buffers that results come back through, and that nobody uses at the moment.
#[derive(Default)]
pub(super) struct Slots(Mutex<Vec<wgpu::Buffer>>);

impl Slots {
    fn take(&self) -> Option<wgpu::Buffer> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    fn keep(&self, slot: wgpu::Buffer) {
        let mut free = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if free.len() < MOST_SLOTS {
            free.push(slot);
        }
    }
}

/// A chunk on its way down.
struct UnderWay<'a, T> {
    slot: wgpu::Buffer,
    bytes: u64,
    pieces: Vec<Piece<'a, T>>,
    submission: SubmissionIndex,
    mapped: Receiver<Result<(), wgpu::BufferAsyncError>>,
}

/// A chunk whose values threads take out of its slot.
struct Arrived<'a, T> {
    slot: wgpu::Buffer,
    /// The use of its values, until tasks take them.
    pieces: Vec<Piece<'a, T>>,
    /// Every task has a share of it until it is done.
    view: Arc<wgpu::BufferView>,
}

impl<'a, T: Send> Arrived<'a, T> {
    /// Makes a task of every piece. A single one is done here, as a thread that wakes up takes longer.
    fn empty<L: Pod + Sync>(mut self, value: &'a (impl Fn(L) -> T + Sync), tasks: &rayon::Scope<'a>) -> Self {
        let is_one = self.pieces.len() == 1;
        let mut from = 0;
        for piece in std::mem::take(&mut self.pieces) {
            let bytes = from..from + piece.len() * size_of::<L>();
            from = bytes.end;
            let view = Arc::clone(&self.view);
            let task = move || piece.write(bytemuck::cast_slice(&view[bytes]).iter().map(|lane| value(*lane)));
            if is_one { task() } else { tasks.spawn(move |_| task()) }
        }
        self
    }

    /// The slot, for another chunk.
    fn unmapped(self) -> wgpu::Buffer {
        drop(self.view);
        self.slot.unmap();
        self.slot
    }
}

impl Device {
    /// Writes values from byte `offset` of a buffer on, each as `lane` makes it, and waits until they have arrived.
    pub(super) fn write<V: Pod + Sync, L: Pod>(
        &self,
        buffer: &wgpu::Buffer,
        offset: u64,
        values: &[V],
        lane: &(impl Fn(V) -> L + Sync),
        cancel: &AtomicBool,
    ) -> Result<(), GpuError> {
        let in_chunk = CHUNK_UP / size_of::<L>();
        let mut under_way = VecDeque::new();
        self.guarded(|| {
            let mut from = offset;
            for chunk in values.chunks(in_chunk) {
                check(cancel)?;
                if under_way.len() == MOST_UP {
                    self.wait_for(under_way.pop_front())?;
                }
                let bytes = (size_of::<L>() * chunk.len()) as u64;
                let view = self.queue().write_buffer_with(buffer, from, bytes.try_into().expect("chunks are not empty"));
                let mut view = view.ok_or_else(|| self.reported("there is no memory for an upload"))?;
                fill(view.slice(..), chunk, lane);
                drop(view);
                under_way.push_back(self.queue().submit([]));
                from += bytes;
            }
            self.wait()
        })
    }

    /// Submits what is encoded, if anything is; then brings `n` lanes from byte `offset` of a buffer on back, each as `value` makes it, and waits for both.
    pub(super) fn read<L: Pod + Sync, T: Send>(
        &self,
        mut before: Option<CommandEncoder>,
        buffer: &wgpu::Buffer,
        offset: u64,
        n: usize,
        value: impl Fn(L) -> T + Sync,
        cancel: &AtomicBool,
    ) -> Result<Vec<T>, GpuError> {
        let of_lane = size_of::<L>();
        let chunk = (n * of_lane / 4).clamp(LEAST_DOWN, SLOT) / of_lane;
        let fill = |pieces: Vec<Piece<'_, T>>| {
            let (mut waiting, mut under_way, mut from) = (VecDeque::from(pieces), VecDeque::new(), offset);
            let mut emptied: Vec<Arrived<'_, T>> = Vec::new();
            rayon::in_place_scope(|tasks| {
                while !(waiting.is_empty() && under_way.is_empty() && emptied.is_empty()) {
                    check(cancel)?;
                    let (done, others) = emptied.into_iter().partition(|arrived| Arc::strong_count(&arrived.view) == 1);
                    emptied = others;
                    done.into_iter().for_each(|arrived: Arrived<'_, T>| self.slots().keep(arrived.unmapped()));
                    while under_way.len() + emptied.len() < MOST_SLOTS && !waiting.is_empty() {
                        let pieces = next_chunk(&mut waiting, chunk);
                        let bytes = (pieces.iter().map(Piece::len).sum::<usize>() * of_lane) as u64;
                        under_way.push_back(self.begin_read(before.take(), buffer, from, bytes, pieces)?);
                        from += bytes;
                    }
                    match self.next_arrived(&mut under_way, emptied.is_empty())? {
                        Some(arrived) => emptied.push(arrived.empty(&value, tasks)),
                        None => pause(),
                    }
                }
                Ok(())
            })
        };
        self.guarded(|| received(Vec::new(), n, fill))
    }

    /// Begins to bring a chunk back.
    fn begin_read<'a, T>(
        &self,
        before: Option<CommandEncoder>,
        buffer: &wgpu::Buffer,
        from: u64,
        bytes: u64,
        pieces: Vec<Piece<'a, T>>,
    ) -> Result<UnderWay<'a, T>, GpuError> {
        let new = || self.buffer("a buffer for reading back", SLOT as u64, BufferUsages::MAP_READ | BufferUsages::COPY_DST);
        let slot = self.slots().take().map_or_else(new, Ok)?;
        let descriptor = wgpu::CommandEncoderDescriptor { label: Some("download") };
        let mut encoder = before.unwrap_or_else(|| self.wgpu().create_command_encoder(&descriptor));
        encoder.copy_buffer_to_buffer(buffer, from, &slot, 0, bytes);
        let submission = self.queue().submit([encoder.finish()]);
        let (sender, mapped) = channel();
        slot.map_async(MapMode::Read, ..bytes, move |result| {
            // Whoever reads has gone only after an error, which is told elsewhere.
            let _ = sender.send(result);
        });
        Ok(UnderWay { slot, bytes, pieces, submission, mapped })
    }

    /// The first chunk, if it has arrived or is to be waited for.
    fn next_arrived<'a, T: Send>(&self, under_way: &mut VecDeque<UnderWay<'a, T>>, wait: bool) -> Result<Option<Arrived<'a, T>>, GpuError> {
        let Some(first) = under_way.front() else { return Ok(None) };
        let result = if wait {
            self.wait_for(Some(first.submission.clone()))?;
            // Another thread that waits on this device may be the one that calls back, a moment later.
            first.mapped.recv_timeout(PATIENCE).map_err(|_| self.reported("a buffer was not mapped"))?
        } else {
            self.wgpu().poll(PollType::Poll).map_err(|error| self.reported(&error.to_string()))?;
            let Ok(result) = first.mapped.try_recv() else { return Ok(None) };
            result
        };
        result.map_err(|error| self.reported(&error.to_string()))?;
        let Some(UnderWay { slot, bytes, pieces, .. }) = under_way.pop_front() else { return Ok(None) };
        let view = slot.get_mapped_range(..bytes).map_err(|error| self.reported(&error.to_string()))?;
        Ok(Some(Arrived { slot, pieces, view: Arc::new(view) }))
    }

    /// Waits until a submission is done.
    fn wait_for(&self, submission_index: Option<SubmissionIndex>) -> Result<(), GpuError> {
        let wait = PollType::Wait { submission_index, timeout: None };
        self.wgpu().poll(wait).map(|_| ()).map_err(|error| self.reported(&error.to_string()))
    }
}

/// Lets others run for a moment, tasks among them: where this is the only thread of its pool, nobody else does them.
fn pause() {
    if rayon::yield_now().is_none() {
        std::thread::yield_now();
    }
}

/// Fills a view with what `lane` makes of the values. Only parts of a known size may go to other threads.
fn fill<V: Pod + Sync, L: Pod>(view: WriteOnly<'_, [u8]>, values: &[V], lane: &(impl Fn(V) -> L + Sync)) {
    let (pieces, rest) = view.into_chunks::<PIECE_UP>();
    let of_pieces = values.chunks_exact(PIECE_UP / size_of::<L>());
    fill_piece(rest, of_pieces.remainder(), lane);
    let parts: Vec<(WriteOnly<'_, [u8; PIECE_UP]>, &[V])> = pieces.into_iter().zip(of_pieces).collect();
    threads::for_each_item(parts, &|_, (piece, values)| fill_piece(piece.into(), values, lane));
}

/// The same of a piece, on one thread. The memory may only be written, so that lanes are made beside it.
fn fill_piece<V: Pod, L: Pod>(mut view: WriteOnly<'_, [u8]>, values: &[V], lane: &impl Fn(V) -> L) {
    const BLOCK: usize = 256;
    let mut block = [L::zeroed(); BLOCK];
    for values in values.chunks(BLOCK) {
        block.iter_mut().zip(values).for_each(|(to, from)| *to = lane(*from));
        let bytes = bytemuck::cast_slice(&block[..values.len()]);
        view.split_off(..bytes.len()).expect("the view has room for all values").copy_from_slice(bytes);
    }
}

/// The pieces of the next chunk of at most `most` lanes; a piece that is larger by itself is divided.
fn next_chunk<'a, T>(waiting: &mut VecDeque<Piece<'a, T>>, most: usize) -> Vec<Piece<'a, T>> {
    let mut room = most;
    let mut chunk = Vec::new();
    while let Some(next) = waiting.pop_front_if(|next| chunk.is_empty() || next.len() <= room) {
        let (piece, rest) = next.split_at(room);
        room -= piece.len();
        chunk.push(piece);
        if !rest.is_empty() {
            waiting.push_front(rest);
        }
    }
    chunk
}

//! Moves bytes between memory and buffers of the device, by all threads, in chunks, so that a transfer can be cancelled and needs little memory beside its own.
//!
//! Up, threads fill kept slots, which on a card with a wide window lie in the card, so that writing them is the transfer, while others are copied from.
//! Down, copies into kept slots are under way while threads take values out of those that have arrived. Values are converted on the way.

use super::array::Array;
use super::device::Device;
use super::error::GpuError;
use super::prepared::check;
use super::source::Source;
use crate::threads::{self, Piece, Reserved, received};
use bytemuck::Pod;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use wgpu::{BufferUsages, CommandEncoder, MapMode, PollType, SubmissionIndex};

/// Up to this number of bytes go up through memory of their own, which one thread fills: others would take as long to wake up.
const AT_ONCE: usize = 1 << 20;

/// Bytes of a slot. Making one takes 0.2 ms a MiB, so they are kept.
const SLOT: usize = 4 << 20;

/// The most slots on each way. Those on the way down fill the first two blocks of host memory that a driver gives: a third block takes as long to make as
/// both.
const SLOTS: [usize; 2] = [8, 6];

/// The least chunks of a small result. Threads empty one while the other is copied; more of them only have more beginnings and wake more threads.
const LEAST_CHUNKS: usize = 2;

/// The least bytes of a chunk on its way down: beginning one costs as much as moving them.
const LEAST_DOWN: usize = 1 << 18;

/// Bytes of a slot that a thread fills: all threads fill one slot after the other, so that copies begin early and end early.
const FILLED: usize = 512 << 10;

/// How long a thread asks again and again before it sleeps: it takes as long as a small transfer to wake up.
const SOON: Duration = Duration::from_micros(200);

/// How long a device that is done with its work may take to say so.
const PATIENCE: Duration = Duration::from_secs(20);

/// A way of bytes.
#[derive(Debug, Clone, Copy)]
enum Way {
    Up,
    Down,
}

/// Buffers that bytes go through, and that nobody uses at the moment. Those on the way up are mapped.
#[derive(Default)]
pub(super) struct Slots([Mutex<Vec<wgpu::Buffer>>; 2]);

impl Slots {
    fn of(&self, way: Way) -> MutexGuard<'_, Vec<wgpu::Buffer>> {
        self.0[way as usize].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, way: Way, slot: wgpu::Buffer) {
        let mut free = self.of(way);
        if free.len() < SLOTS[way as usize] {
            free.push(slot);
        }
    }
}

/// A slot on the way up that threads fill, each of which has a share of this; it is told when the last share is dropped, even after a panic.
struct Filling {
    slot: wgpu::Buffer,
    /// Where its bytes belong.
    to: Range<u64>,
    tell: Sender<(wgpu::Buffer, Range<u64>)>,
}

impl Drop for Filling {
    fn drop(&mut self) {
        self.slot.unmap();
        // Who has stopped to wait has given up.
        let _ = self.tell.send((self.slot.clone(), self.to.clone()));
    }
}

/// A slot that is mapped after a copy.
struct Copying {
    slot: wgpu::Buffer,
    submission: SubmissionIndex,
    mapped: Receiver<Result<(), wgpu::BufferAsyncError>>,
}

/// A chunk on its way down.
struct UnderWay<'a, T> {
    copying: Copying,
    bytes: u64,
    pieces: Vec<Piece<'a, T>>,
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
    fn empty<L: Pod + Sync>(mut self, device: &'a Device, value: &'a (impl Fn(L) -> T + Sync), tasks: &rayon::Scope<'a>) -> Self {
        let is_one = self.pieces.len() == 1;
        let mut from = 0;
        for piece in std::mem::take(&mut self.pieces) {
            let bytes = from..from + piece.len() * size_of::<L>();
            from = bytes.end;
            let view = Arc::clone(&self.view);
            let task = move || {
                let (start, lanes) = (Instant::now(), bytemuck::cast_slice::<u8, L>(&view[bytes]));
                match device.reads_slowly() {
                    // A copy reads many lanes at a time.
                    true => {
                        let copied = lanes.to_vec();
                        piece.write(copied.iter().map(|lane| value(*lane)));
                    }
                    false => {
                        piece.write(lanes.iter().map(|lane| value(*lane)));
                        device.note_read(size_of_val(lanes), start.elapsed());
                    }
                }
            };
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
    /// Writes values from byte `offset` of an array on, each as `lane` makes it, and waits until they have arrived.
    pub(super) fn write<V: Pod + Sync, L: Pod>(
        &self,
        array: &Array,
        offset: u64,
        values: &Source<'_, V>,
        lane: &(impl Fn(V) -> L + Sync),
        cancel: &AtomicBool,
    ) -> Result<(), GpuError> {
        self.guarded(|| match (values.len() * size_of::<L>()) as u64 {
            0 => self.wait_for(None, cancel),
            bytes if bytes <= AT_ONCE as u64 => {
                check(cancel)?;
                let mut end = 0;
                for (buffer, from, bytes) in array.spans(offset..offset + bytes) {
                    let first = end;
                    end += bytes as usize / size_of::<L>();
                    let view = self.queue().write_buffer_with(buffer, from, bytes.try_into().expect("there are some"));
                    let mut view = view.ok_or_else(|| self.reported("there is no memory for an upload"))?;
                    values.part(first..end).fill(view.slice(..), lane);
                }
                self.queue().submit([]);
                self.wait_for(None, cancel)
            }
            _ => self.write_by_slots(array, offset, values, lane, cancel),
        })
    }

    /// The same by slots that threads fill while others are copied from.
    fn write_by_slots<V: Pod + Sync, L: Pod>(
        &self,
        array: &Array,
        offset: u64,
        values: &Source<'_, V>,
        lane: &(impl Fn(V) -> L + Sync),
        cancel: &AtomicBool,
    ) -> Result<(), GpuError> {
        let mut waiting = (0..values.len()).step_by(SLOT / size_of::<L>());
        let (tell, filled) = channel();
        let (mut n_filling, mut copying) = (0, VecDeque::<Copying>::new());
        rayon::in_place_scope(|tasks| {
            loop {
                check(cancel)?;
                while n_filling + copying.len() < SLOTS[Way::Up as usize]
                    && let Some(first) = waiting.next()
                {
                    let chunk = values.part(first..values.len().min(first + SLOT / size_of::<L>()));
                    let bytes = (chunk.len() * size_of::<L>()) as u64;
                    let slot = self.slot_for(Way::Up)?;
                    let from = offset + (first * size_of::<L>()) as u64;
                    let filling = Arc::new(Filling { slot, to: from..from + bytes, tell: tell.clone() });
                    n_filling += 1;
                    for first in (0..chunk.len()).step_by(FILLED / size_of::<L>()) {
                        let piece = chunk.part(first..chunk.len().min(first + FILLED / size_of::<L>()));
                        let to = (first * size_of::<L>()) as u64..((first + piece.len()) * size_of::<L>()) as u64;
                        let view = filling.slot.get_mapped_range_mut(to).map_err(|error| self.reported(&error.to_string()))?;
                        let filling = Arc::clone(&filling);
                        tasks.spawn(move |_| {
                            let _filling = filling;
                            // It ends before its slot is unmapped.
                            let mut view = view;
                            piece.fill(view.slice(..), lane);
                        });
                    }
                }
                if let Ok((slot, to)) = filled.try_recv() {
                    n_filling -= 1;
                    copying.push_back(self.begin_copy(None, Way::Up, &slot, (array, to)));
                    continue;
                }
                match copying.front() {
                    Some(first) if self.is_mapped(first, n_filling == 0, cancel)? => {
                        copying.pop_front().into_iter().for_each(|Copying { slot, .. }| self.slots().keep(Way::Up, slot));
                    }
                    None if n_filling == 0 => return Ok(()),
                    _ => pause(),
                }
            }
        })
    }

    /// Submits what is encoded, if anything is; then brings `n` lanes from byte `offset` of an array on back, each as `value` makes it, and waits for both.
    pub(super) fn read<L: Pod + Sync, T: Send>(
        &self,
        mut before: Option<CommandEncoder>,
        array: &Array,
        offset: u64,
        (n, reserved): (usize, Reserved<T>),
        value: impl Fn(L) -> T + Sync,
        cancel: &AtomicBool,
    ) -> Result<Vec<T>, GpuError> {
        let of_lane = size_of::<L>();
        let chunk = bytes_down(n * of_lane) / of_lane;
        let fill = |pieces: Vec<Piece<'_, T>>| {
            let (mut waiting, mut under_way, mut from) = (VecDeque::from(pieces), VecDeque::new(), offset);
            let mut emptied: Vec<Arrived<'_, T>> = Vec::new();
            rayon::in_place_scope(|tasks| {
                while !(waiting.is_empty() && under_way.is_empty() && emptied.is_empty()) {
                    check(cancel)?;
                    let (done, others) = emptied.into_iter().partition(|arrived| Arc::strong_count(&arrived.view) == 1);
                    emptied = others;
                    done.into_iter().for_each(|arrived: Arrived<'_, T>| self.slots().keep(Way::Down, arrived.unmapped()));
                    while under_way.len() + emptied.len() < SLOTS[Way::Down as usize] && !waiting.is_empty() {
                        let pieces = next_chunk(&mut waiting, chunk);
                        let bytes = (pieces.iter().map(Piece::len).sum::<usize>() * of_lane) as u64;
                        let slot = self.slot_for(Way::Down)?;
                        let copying = self.begin_copy(before.take(), Way::Down, &slot, (array, from..from + bytes));
                        under_way.push_back(UnderWay { copying, bytes, pieces });
                        from += bytes;
                    }
                    match self.next_arrived(&mut under_way, emptied.is_empty(), cancel)? {
                        Some(arrived) => emptied.push(arrived.empty(self, &value, tasks)),
                        None => pause(),
                    }
                }
                Ok(())
            })
        };
        self.guarded(|| received(reserved, n, fill))
    }

    /// Makes the slots for values of this many bytes up and results of this many down, so that no transfer waits for them.
    pub(super) fn make_slots(&self, [up, down]: [usize; 2]) -> Result<(), GpuError> {
        let n_up = if up > AT_ONCE { up.div_ceil(SLOT) } else { 0 };
        for (way, n) in [(Way::Up, n_up), (Way::Down, down.div_ceil(bytes_down(down)).max(1))] {
            let n_kept = self.slots().of(way).len();
            let make = |_| self.new_slot(way).map(|slot| self.slots().keep(way, slot));
            // Each thread writes zeros to those that it makes.
            threads::map(n.min(SLOTS[way as usize]).saturating_sub(n_kept), &make).into_iter().collect::<Result<(), _>>()?;
        }
        Ok(())
    }

    /// A free slot of a way; one on the way up is mapped.
    fn slot_for(&self, way: Way) -> Result<wgpu::Buffer, GpuError> {
        let kept = self.slots().of(way).pop();
        kept.map_or_else(|| self.new_slot(way), Ok)
    }

    fn new_slot(&self, way: Way) -> Result<wgpu::Buffer, GpuError> {
        let (what, usage, is_mapped) = match way {
            Way::Up => ("a buffer for an upload", BufferUsages::MAP_WRITE | BufferUsages::COPY_SRC, true),
            Way::Down => ("a buffer for reading back", BufferUsages::MAP_READ | BufferUsages::COPY_DST, false),
        };
        self.new_buffer(what, SLOT as u64, usage, is_mapped)
    }

    /// Begins to copy bytes of an array to a slot or back, after what is encoded `before`, and to map the slot then.
    fn begin_copy(&self, before: Option<CommandEncoder>, way: Way, slot: &wgpu::Buffer, (array, range): (&Array, Range<u64>)) -> Copying {
        let descriptor = wgpu::CommandEncoderDescriptor { label: Some("transfer") };
        let mut encoder = before.unwrap_or_else(|| self.wgpu().create_command_encoder(&descriptor));
        let bytes = range.end - range.start;
        let mut at = 0;
        for (buffer, from, bytes) in array.spans(range) {
            match way {
                Way::Up => encoder.copy_buffer_to_buffer(slot, at, buffer, from, bytes),
                Way::Down => encoder.copy_buffer_to_buffer(buffer, from, slot, at, bytes),
            }
            at += bytes;
        }
        let submission = self.queue().submit([encoder.finish()]);
        let (sender, mapped) = channel();
        // The next upload may fill more of the slot.
        let (mode, end) = match way {
            Way::Up => (MapMode::Write, SLOT as u64),
            Way::Down => (MapMode::Read, bytes),
        };
        slot.map_async(mode, ..end, move |result| {
            // Whoever waits has gone only after an error, which is told elsewhere.
            let _ = sender.send(result);
        });
        Copying { slot: slot.clone(), submission, mapped }
    }

    /// Whether a slot is copied and mapped, which is waited for on demand.
    fn is_mapped(&self, Copying { submission, mapped, .. }: &Copying, wait: bool, cancel: &AtomicBool) -> Result<bool, GpuError> {
        let soon = Instant::now() + if wait && !self.info().software { SOON } else { Duration::ZERO };
        let result = loop {
            self.wgpu().poll(PollType::Poll).map_err(|error| self.reported(&error.to_string()))?;
            match mapped.try_recv() {
                Ok(result) => break result,
                Err(_) if Instant::now() < soon => std::thread::yield_now(),
                Err(_) if wait => {
                    self.wait_for(Some(submission), cancel)?;
                    // Another thread that waits on this device may be the one that calls back, a moment later.
                    break mapped.recv_timeout(PATIENCE).map_err(|_| self.reported("a buffer was not mapped"))?;
                }
                Err(_) => return Ok(false),
            }
        };
        result.map(|()| true).map_err(|error| self.reported(&error.to_string()))
    }

    /// The first chunk, if it has arrived or is to be waited for.
    fn next_arrived<'a, T: Send>(
        &self,
        under_way: &mut VecDeque<UnderWay<'a, T>>,
        wait: bool,
        cancel: &AtomicBool,
    ) -> Result<Option<Arrived<'a, T>>, GpuError> {
        let Some(first) = under_way.front() else { return Ok(None) };
        if !self.is_mapped(&first.copying, wait, cancel)? {
            return Ok(None);
        }
        let Some(UnderWay { copying: Copying { slot, .. }, bytes, pieces }) = under_way.pop_front() else { return Ok(None) };
        let view = slot.get_mapped_range(..bytes).map_err(|error| self.reported(&error.to_string()))?;
        Ok(Some(Arrived { slot, pieces, view: Arc::new(view) }))
    }
}

/// Bytes of a chunk of a result on its way down: small enough for several to be under way.
fn bytes_down(all: usize) -> usize {
    (all / LEAST_CHUNKS).clamp(LEAST_DOWN, SLOT)
}

/// Lets others run for a moment, tasks among them: where this is the only thread of its pool, nobody else does them.
fn pause() {
    if rayon::yield_now().is_none() {
        std::thread::yield_now();
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

#[cfg(test)]
#[path = "staging/tests.rs"]
mod tests;

//! Loops that all threads share.
//!
//! The work is a reference to a closure: dividing a loop among threads takes far more code than most loops have, and so is compiled once for each type of
//! value instead of once for each loop. The work therefore takes a chunk of values, or an index that stands for much work, never a single value.

mod received;

pub use received::{Piece, Reserved, received};

use crate::fault::give_up;
use bytemuck::Zeroable;
use rayon::prelude::*;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Values that a thread takes at a time. Starting a task costs nothing compared to the work on this many.
const BLOCK: usize = 1 << 14;

/// Threads that the machine runs at a time.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Starts the threads: as many as asked for here, else in `RAYON_NUM_THREADS`, and at most one a core, as a hundred thousand stop the machine.
/// Threads that start with the first loop would take the name of the thread that needs it. Does nothing where they run.
pub fn start(asked: Option<usize>) {
    let asked = asked.or_else(|| std::env::var("RAYON_NUM_THREADS").ok()?.parse().ok());
    let n = asked.filter(|&asked| asked > 0 && asked < cores()).unwrap_or(cores());
    // It fails only where the threads run already.
    let _ = named().num_threads(n).build_global();
}

/// Does work whose loops share `n` threads in place of all, at most one a core; `None` takes all.
pub fn on<R: Send>(n: Option<usize>, work: impl FnOnce() -> R + Send) -> R {
    match n.map(|n| named().num_threads(n.clamp(1, cores())).build()) {
        Some(Ok(pool)) => pool.install(work),
        Some(Err(error)) => give_up(format!("the system starts no threads: {error}")),
        None => work(),
    }
}

fn named() -> rayon::ThreadPoolBuilder {
    rayon::ThreadPoolBuilder::new().thread_name(|index| format!("loop {index}"))
}

/// Does the work of every index below `n`.
pub fn for_each(n: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..n).into_par_iter().for_each(work);
}

/// Does `other` on the other threads, and `own` on this one meanwhile.
pub fn beside<R>(other: impl FnOnce() + Send, own: impl FnOnce() -> R) -> R {
    rayon::in_place_scope(|tasks| {
        tasks.spawn(|_| other());
        own()
    })
}

/// Does the work of every item, with its index.
pub fn for_each_item<T: Send>(items: Vec<T>, work: &(dyn Fn(usize, T) + Sync)) {
    items.into_par_iter().enumerate().for_each(|(index, item)| work(index, item));
}

/// The results of the work of every item, in order.
pub fn map_items<T: Send, R: Send>(items: Vec<T>, work: &(dyn Fn(T) -> R + Sync)) -> Vec<R> {
    items.into_par_iter().map(work).collect()
}

/// Does the work of every chunk of `size` values, with the number of the chunk. The last one may be shorter.
///
/// # Panics
/// If `size` is 0.
pub fn for_each_chunk<T: Send>(values: &mut [T], size: usize, work: &(dyn Fn(usize, &mut [T]) + Sync)) {
    values.par_chunks_mut(size).enumerate().for_each(|(index, chunk)| work(index, chunk));
}

/// The results of the work of every index below `n`, in order.
pub fn map<R: Send>(n: usize, work: &(dyn Fn(usize) -> R + Sync)) -> Vec<R> {
    (0..n).into_par_iter().map(work).collect()
}

/// The results for blocks of the indices below `n`, in order. The blocks depend on `n` only, and with them the rounding of sums.
pub fn map_blocks<R: Send>(n: usize, work: &(dyn Fn(Range<usize>) -> R + Sync)) -> Vec<R> {
    map(n.div_ceil(BLOCK), &|block| work(block * BLOCK..n.min((block + 1) * BLOCK)))
}

/// The sum of what `work` gives for the blocks of the indices below `n`.
pub fn sum(n: usize, work: &(dyn Fn(Range<usize>) -> f64 + Sync)) -> f64 {
    map_blocks(n, work).into_iter().sum()
}

/// Every value converted.
///
/// # Panics
/// If the system does not give the memory.
pub fn convert<A: Copy + Sync, B: Send>(values: &[A], convert: impl Fn(A) -> B + Sync) -> Vec<B> {
    filled(values.len(), BLOCK, &|| (), &|(), block, converted| {
        for (to, from) in converted.iter_mut().zip(&values[block * BLOCK..]) {
            to.write(convert(*from));
        }
    })
}

/// The value of every index below `n`, in order.
///
/// # Panics
/// If the system does not give the memory.
pub fn tabulate<T: Send>(n: usize, value: impl Fn(usize) -> T + Sync) -> Vec<T> {
    filled(n, BLOCK, &|| (), &|(), block, values| {
        for (to, index) in values.iter_mut().zip(block * BLOCK..) {
            to.write(value(index));
        }
    })
}

/// `n` zeros, which all threads write: an allocator that clears memory does so on one thread, or leaves it to page faults.
///
/// # Panics
/// If the system does not give the memory.
pub fn zeros<T: Zeroable + Send>(n: usize) -> Vec<T> {
    fill_blocks(n, &|_, _| {})
}

/// Values that `fill` writes over zeros, block by block: the index of the first one, and the block.
///
/// # Panics
/// If the system does not give the memory.
pub fn fill_blocks<T: Zeroable + Send>(n: usize, fill: &(dyn Fn(usize, &mut [T]) + Sync)) -> Vec<T> {
    fill_chunks(n, BLOCK, &|| (), &|(), block, values| fill(block * BLOCK, values))
}

/// Writes a chunk: what is for the use of one thread, the number of the chunk, and the chunk.
pub type FillChunk<'a, S, T> = dyn Fn(&mut S, usize, &mut [T]) + Sync + 'a;

/// Values that `fill` writes over zeros, a chunk of `size` at a time, with what `start` makes for each thread.
/// The last chunk may be shorter. Each is still in the caches of its core when it is written over, so that the zeros cost nothing.
///
/// # Panics
/// If `size` is 0, or the system does not give the memory.
#[allow(unsafe_code, reason = "only here it is known that a chunk has its zeros")]
pub fn fill_chunks<T: Zeroable + Send, S>(n: usize, size: usize, start: &(dyn Fn() -> S + Sync), fill: &FillChunk<'_, S, T>) -> Vec<T> {
    filled(n, size, start, &|state, chunk, values| {
        values.fill_with(MaybeUninit::zeroed);
        // SAFETY: every value of the chunk was just written, and zeros are values of this type.
        fill(state, chunk, unsafe { values.assume_init_mut() });
    })
}

/// Values that `fill` writes, a chunk at a time, as [`fill_chunks`]. It must write all of them.
#[allow(unsafe_code, reason = "a vector whose values several threads write has no length until all are there")]
fn filled<T: Send, S>(n: usize, size: usize, start: &(dyn Fn() -> S + Sync), fill: &FillChunk<'_, S, MaybeUninit<T>>) -> Vec<T> {
    let mut values = Vec::new();
    if values.try_reserve_exact(n).is_err() {
        give_up(format!("the system does not give the memory for {n} values"));
    }
    let memory = &mut values.spare_capacity_mut()[..n];
    memory.par_chunks_mut(size).enumerate().for_each_init(start, |state, (chunk, values)| fill(state, chunk, values));
    // SAFETY: the capacity is at least `n`, and all callers write every value of every chunk; after a panic in one of them, this line is not reached.
    unsafe { values.set_len(n) };
    values
}

/// How many values fulfil a condition.
pub fn count<T: Sync>(values: &[T], condition: impl Fn(&T) -> bool + Sync) -> usize {
    map_blocks(values.len(), &|block| values[block].iter().filter(|value| condition(value)).count()).into_iter().sum()
}

/// Whether all values fulfil a condition. After one that does not, no new block begins.
pub fn all<T: Sync>(values: &[T], condition: impl Fn(&T) -> bool + Sync) -> bool {
    let holds = AtomicBool::new(true);
    for_each(values.len().div_ceil(BLOCK), &|block| {
        let first = block * BLOCK;
        if holds.load(Ordering::Relaxed) && !values[first..values.len().min(first + BLOCK)].iter().all(&condition) {
            holds.store(false, Ordering::Relaxed);
        }
    });
    holds.into_inner()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_has_the_threads_that_it_is_given() {
        for (asked, taken) in [(1, 1), (2, 2.min(cores())), (usize::MAX, cores())] {
            assert_eq!(on(Some(asked), rayon::current_num_threads), taken);
            assert_eq!(on(Some(asked), || sum(3 * BLOCK, &|block| block.len() as f64)), (3 * BLOCK) as f64);
        }
        assert_eq!(on(None, rayon::current_num_threads), rayon::current_num_threads());
    }

    #[test]
    fn every_value_is_taken_once_and_in_order() {
        for n in [0, 1, BLOCK - 1, BLOCK, 3 * BLOCK + 5] {
            let values: Vec<usize> = (0..n).collect();
            let doubled: Vec<usize> = values.iter().map(|value| 2 * value).collect();
            assert_eq!(convert(&values, |value| 2 * value), doubled);
            assert_eq!(tabulate(n, |index| 2 * index), doubled);
            assert_eq!(
                fill_blocks(n, &|first, to: &mut [usize]| to.iter_mut().zip(first..).for_each(|(to, index)| *to += 2 * index)),
                doubled
            );
            assert_eq!(map(n, &|index| 2 * index), doubled);
            assert_eq!(map_blocks(n, &|block| block.len()).into_iter().sum::<usize>(), n);
            assert_eq!(count(&values, |value| value % 3 == 0), n.div_ceil(3));
            assert!(all(&values, |value| *value < n));
            assert_eq!(all(&values, |value| value + 1 < n), n == 0);
            let mut chunks = vec![0; n];
            for_each_chunk(&mut chunks, 100, &|index, chunk| chunk.fill(index));
            assert!(chunks.iter().enumerate().all(|(index, chunk)| *chunk == index / 100));
            let mut items = vec![0; n];
            for_each_item(items.iter_mut().collect(), &|index, item| *item = 2 * index);
            assert_eq!(items, doubled);
        }
    }
}

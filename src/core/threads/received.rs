//! Vectors whose values come from elsewhere in pieces, which any thread writes.

use crate::fault::give_up;
use crate::heap::LEAST_OF_HUGE_PAGES;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Bytes of a huge page. Pieces of fresh memory are as large, so that no two threads ask for the same page.
const HUGE_PAGE: usize = 1 << 21;

/// Bytes of a usual page.
const PAGE: usize = 1 << 12;

/// The largest piece of memory whose pages are there: several threads share what arrives at a time.
const LARGEST: usize = 1 << 19;

/// The smallest piece that is worth a thread.
const LEAST: usize = 1 << 16;

/// Memory for values that come later.
pub struct Reserved<T> {
    memory: Vec<T>,
    /// Whether the system has given its pages.
    is_touched: bool,
}

impl<T> Default for Reserved<T> {
    /// Reserves nothing: the memory is asked for when the values come.
    fn default() -> Self {
        Self { memory: Vec::new(), is_touched: false }
    }
}

impl<T: Send> Reserved<T> {
    /// Does `work`, and reserves memory for `n` values meanwhile: half of the threads touch its pages until `work` ends, which waits for links and devices.
    ///
    /// Touching 128 MiB afterwards would cost as much as the values take to come.
    pub fn beside<R>(n: usize, work: impl FnOnce() -> R) -> (Self, R) {
        let mut memory = Vec::new();
        // Who needs the memory says that there is none.
        if n.saturating_mul(size_of::<T>()) < LEAST_OF_HUGE_PAGES || memory.try_reserve_exact(n).is_err() {
            return (Self::default(), work());
        }
        let places = &mut memory.spare_capacity_mut()[..n];
        let (pieces, is_over) = (Mutex::new(cut(places, HUGE_PAGE).into_iter()), AtomicBool::new(false));
        let next = || pieces.lock().unwrap_or_else(PoisonError::into_inner).next();
        let done = rayon::in_place_scope(|tasks| {
            for _ in 0..rayon::current_num_threads() / 2 {
                tasks.spawn(|_| {
                    while !is_over.load(Ordering::Relaxed)
                        && let Some(piece) = next()
                    {
                        touch(piece);
                    }
                });
            }
            let done = work();
            is_over.store(true, Ordering::Relaxed);
            done
        });
        (Self { memory, is_touched: true }, done)
    }
}

/// Writes to every page, so that the system gives it. A piece as large as a huge page is one, where the system has some.
fn touch<T>(piece: &mut [MaybeUninit<T>]) {
    let page = if size_of_val(piece) == HUGE_PAGE { HUGE_PAGE } else { PAGE };
    piece.iter_mut().step_by((page / size_of::<T>().max(1)).max(1)).for_each(|place| *place = MaybeUninit::zeroed());
}

/// A part of a vector that waits for its values.
pub struct Piece<'a, T> {
    memory: &'a mut [MaybeUninit<T>],
    /// Values written in all pieces.
    written: &'a AtomicUsize,
}

impl<'a, T> Piece<'a, T> {
    /// The first `n` places, or all, and the others.
    pub fn split_at(self, n: usize) -> (Self, Self) {
        let (first, others) = self.memory.split_at_mut(n.min(self.memory.len()));
        let piece = |memory: &'a mut [MaybeUninit<T>]| Self { memory, written: self.written };
        (piece(first), piece(others))
    }

    /// Values that it waits for.
    pub fn len(&self) -> usize {
        self.memory.len()
    }

    /// Whether it waits for none.
    pub fn is_empty(&self) -> bool {
        self.memory.is_empty()
    }

    /// Writes the values, in order; those that are too many are left out.
    pub fn write(self, values: impl IntoIterator<Item = T>) {
        let mut n = 0;
        for (to, value) in self.memory.iter_mut().zip(values) {
            to.write(value);
            n += 1;
        }
        self.written.fetch_add(n, Ordering::Release);
    }
}

/// `n` values that `fill` writes into pieces, which lie one behind the other, in memory that was reserved for them or, where there is too little, in fresh one.
///
/// # Errors
/// That of `fill`.
///
/// # Panics
/// If the system does not give the memory, or `fill` left a value out.
#[allow(unsafe_code, reason = "a vector whose values several threads write has no length until all are there")]
pub fn received<T, E>(reserved: Reserved<T>, n: usize, fill: impl FnOnce(Vec<Piece<'_, T>>) -> Result<(), E>) -> Result<Vec<T>, E> {
    let Reserved { memory: mut values, is_touched } = reserved;
    let largest = if is_touched && values.capacity() >= n { LARGEST } else { HUGE_PAGE };
    if values.try_reserve_exact(n).is_err() {
        give_up(format!("the system does not give the memory for {n} values"));
    }
    let written = AtomicUsize::new(0);
    let memory = &mut values.spare_capacity_mut()[..n];
    fill(cut(memory, largest).into_iter().map(|memory| Piece { memory, written: &written }).collect())?;
    assert_eq!(written.into_inner(), n, "all values are written");
    // SAFETY: the capacity is at least `n`, the pieces are disjoint parts of the first `n` places, each is written once, and all of them were.
    unsafe { values.set_len(n) };
    Ok(values)
}

/// The pieces of some memory: small enough for all threads to share it, and cut where huge pages begin. At both ends, places
/// that fill no huge page are in the smallest pieces, as their faults take the most time.
fn cut<T>(memory: &mut [MaybeUninit<T>], largest: usize) -> Vec<&mut [MaybeUninit<T>]> {
    let size = size_of::<T>().max(1);
    let places = |bytes: usize| (bytes / size).max(1);
    let piece = (size_of_val(memory) / 16).next_power_of_two().clamp(LEAST, largest);
    let start = memory.as_ptr().addr();
    let to_boundary = (start.next_multiple_of(HUGE_PAGE) - start).div_ceil(size).min(memory.len());
    let (first, others) = memory.split_at_mut(to_boundary);
    let in_huge_pages = others.len() - others.len() % places(HUGE_PAGE);
    let (whole, last) = others.split_at_mut(in_huge_pages);
    let small = places(LEAST);
    first.chunks_mut(small).chain(whole.chunks_mut(places(piece))).chain(last.chunks_mut(small)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::caught;
    use crate::threads;

    #[test]
    fn pieces_are_the_whole_in_order_whatever_its_size_and_memory() {
        for n in [0, 1, 7, 1 << 13, 100_003, LEAST_OF_HUGE_PAGES / 8, 3_000_001] {
            let (reserved, done) = Reserved::beside(n, || n);
            assert_eq!(done, n);
            for reserved in [Reserved::default(), reserved, Reserved::beside(n / 2, || ()).0] {
                let values = received(reserved, n, |pieces| {
                    let starts: Vec<usize> =
                        pieces.iter().scan(0, |next, piece| Some(std::mem::replace(next, *next + piece.len()))).collect();
                    threads::for_each_item(pieces, &|number, piece| piece.write((starts[number]..).map(|index| index as u64)));
                    Ok::<(), ()>(())
                });
                let values = values.expect("nothing fails");
                assert!(values.len() == n && values.iter().enumerate().all(|(index, &value)| value == index as u64), "{n}");
            }
        }
    }

    #[test]
    fn a_large_piece_is_whole_huge_pages_and_the_others_are_small() {
        fn check<T>(n: usize, largest: usize) {
            let mut memory: Vec<T> = Vec::with_capacity(n);
            let pieces = cut(&mut memory.spare_capacity_mut()[..n], largest);
            assert_eq!(pieces.iter().map(|piece| piece.len()).sum::<usize>(), n);
            for piece in pieces {
                let (start, bytes) = (piece.as_ptr().addr(), size_of_val(piece));
                // A value may lie across the boundary.
                let is_whole = bytes.is_power_of_two() && bytes <= largest && start % bytes < size_of::<T>();
                assert!(bytes <= LEAST || is_whole, "{n}: {bytes} bytes");
                touch(piece);
            }
        }
        for n in [0, 1, 5, 70_001, (1 << 20) + 1, 5 << 20] {
            check::<u8>(n, HUGE_PAGE);
            check::<[f32; 2]>(n, HUGE_PAGE);
            check::<[f32; 2]>(n, LARGEST);
            check::<[f64; 4]>(n, HUGE_PAGE);
        }
    }

    #[test]
    fn memory_that_is_reserved_outlives_a_fault_of_the_work() {
        assert!(caught(|| Reserved::<u64>::beside(LEAST_OF_HUGE_PAGES, || panic!("the work fails"))).is_err());
    }

    #[test]
    #[should_panic(expected = "all values are written")]
    fn a_value_that_is_left_out_is_found() {
        let _ = received(Reserved::default(), 100, |pieces| {
            pieces.into_iter().for_each(|piece| piece.write([1_u8]));
            Ok::<(), ()>(())
        });
    }
}

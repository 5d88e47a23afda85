//! Vectors whose values come from elsewhere in pieces, which any thread writes.

use crate::fault::give_up;
use crate::heap::use_huge_pages;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of a piece of a large vector: the size of a huge page, so that no two threads ask for the same page.
const HUGE_PAGE: usize = 1 << 21;

/// The smallest piece that is worth a thread.
const LEAST: usize = 1 << 16;

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

/// `n` values that `fill` writes into pieces, which lie one behind the other. The memory of `kept` is used again; a fresh one costs a fault for every page.
///
/// # Errors
/// That of `fill`.
///
/// # Panics
/// If the system does not give the memory, or `fill` left a value out.
#[allow(unsafe_code, reason = "a vector whose values several threads write has no length until all are there")]
pub fn received<T, E>(kept: Vec<T>, n: usize, fill: impl FnOnce(Vec<Piece<'_, T>>) -> Result<(), E>) -> Result<Vec<T>, E> {
    let mut values = kept;
    values.clear();
    if values.try_reserve_exact(n).is_err() {
        give_up(format!("the system does not give the memory for {n} values"));
    }
    let written = AtomicUsize::new(0);
    let memory = &mut values.spare_capacity_mut()[..n];
    use_huge_pages(memory);
    fill(cut(memory).into_iter().map(|memory| Piece { memory, written: &written }).collect())?;
    assert_eq!(written.into_inner(), n, "all values are written");
    // SAFETY: the capacity is at least `n`, the pieces are disjoint parts of the first `n` places, each is written once, and all of them were.
    unsafe { values.set_len(n) };
    Ok(values)
}

/// The pieces of some memory: small enough for all threads to share it, and cut where huge pages begin.
fn cut<T>(memory: &mut [MaybeUninit<T>]) -> Vec<&mut [MaybeUninit<T>]> {
    let size = size_of::<T>().max(1);
    let piece = (size_of_val(memory) / 16).next_power_of_two().clamp(LEAST, HUGE_PAGE);
    let to_boundary = memory.as_ptr().align_offset(piece).min(piece / size).min(memory.len());
    let (first, others) = memory.split_at_mut(to_boundary);
    std::iter::once(first).filter(|first| !first.is_empty()).chain(others.chunks_mut((piece / size).max(1))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threads;

    #[test]
    fn pieces_are_the_whole_in_order_whatever_its_size_and_memory() {
        let mut kept = Vec::new();
        for n in [0, 1, 7, 1 << 13, 100_003, 3_000_001] {
            kept = received(kept, n, |pieces| {
                let starts: Vec<usize> = pieces.iter().scan(0, |next, piece| Some(std::mem::replace(next, *next + piece.len()))).collect();
                threads::for_each_item(pieces, &|number, piece| piece.write((starts[number]..).map(|index| index as u64)));
                Ok::<(), ()>(())
            })
            .unwrap();
            assert!(kept.len() == n && kept.iter().enumerate().all(|(index, &value)| value == index as u64), "{n}");
        }
    }

    #[test]
    #[should_panic(expected = "all values are written")]
    fn a_value_that_is_left_out_is_found() {
        let _ = received(Vec::new(), 100, |pieces| {
            pieces.into_iter().for_each(|piece| piece.write([1_u8]));
            Ok::<(), ()>(())
        });
    }
}

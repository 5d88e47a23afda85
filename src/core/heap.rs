//! How memory is given, and how freed memory goes back.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Memory of fewer bytes is given as it comes.
pub(crate) const LEAST_OF_HUGE_PAGES: usize = 8 << 20;

/// Bytes of the smallest block that is kept.
const LEAST_KEPT: usize = 1 << 20;
/// Bytes of all kept blocks together, at most.
const MOST_KEPT: usize = 512 << 20;
/// Number of kept blocks, at most.
const MOST_BLOCKS: usize = 64;
/// All large blocks are aligned to this number of bytes, which the C library does by itself.
const ALIGNMENT: usize = 16;

/// The allocator of the program: that of the system, which also keeps freed blocks of 1 MiB and more for those that come next.
///
/// The system gives and clears the pages of a fresh block as they are touched: 128 MiB take a core 65 ms in usual pages, and a third of that in huge ones,
/// where the transform takes no longer. A kept block has its pages. The program never has more memory for
/// large values than it used at a time, and [`return_freed_memory`] gives all kept blocks back.
///
/// mimalloc, which keeps freed memory as well, was measured in its place. It is as fast on two cores. On 16 the CPU needs 640 ms in place of 360
/// for 16384² pixels, since all threads fault pages in one reserved area, and that area of 1 GiB counts where an address space is limited.
pub struct Heap;

/// The large blocks.
struct Large {
    /// Those that were freed and are kept, the oldest first.
    kept: [Block; MOST_BLOCKS],
    n_kept: usize,
    kept_bytes: usize,
    used_bytes: usize,
    /// The most bytes that were ever used, since all kept blocks went back.
    most_used: usize,
}

#[derive(Clone, Copy)]
struct Block {
    start: *mut u8,
    bytes: usize,
}

#[allow(unsafe_code, reason = "the addresses are those of memory that nobody else has")]
// SAFETY: a kept block belongs to nobody but this list, whichever thread looks at it.
unsafe impl Send for Large {}

static LARGE: Mutex<Large> =
    Mutex::new(Large { kept: [Block { start: null_mut(), bytes: 0 }; MOST_BLOCKS], n_kept: 0, kept_bytes: 0, used_bytes: 0, most_used: 0 });

/// The lock is never held while the system takes or gives memory, which may take milliseconds.
fn blocks() -> MutexGuard<'static, Large> {
    LARGE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How a block of this layout is asked of the system, if it is a large one; equal for sizes that differ by less than an eighth, so that a kept block serves all of them.
fn large(layout: Layout) -> Option<Layout> {
    if layout.size() < LEAST_KEPT || layout.align() > ALIGNMENT {
        return None;
    }
    let step = (1 << layout.size().ilog2()) / 8;
    Layout::from_size_align(layout.size().checked_next_multiple_of(step)?, ALIGNMENT).ok()
}

impl Large {
    /// Counts bytes as used.
    fn count(&mut self, bytes: usize) {
        self.used_bytes += bytes;
        self.most_used = self.most_used.max(self.used_bytes);
    }

    /// Counts a block as used, and gives the kept one that was freed last.
    fn take(&mut self, bytes: usize) -> Option<*mut u8> {
        self.count(bytes);
        let at = self.kept[..self.n_kept].iter().rposition(|block| block.bytes == bytes)?;
        Some(self.remove(at).start)
    }

    fn remove(&mut self, at: usize) -> Block {
        let block = self.kept[at];
        self.kept.copy_within(at + 1..self.n_kept, at);
        self.n_kept -= 1;
        self.kept_bytes -= block.bytes;
        block
    }

    /// Takes the oldest block out of the list if there is no room to keep `bytes` more.
    fn surplus(&mut self, bytes: usize) -> Option<Block> {
        let all = self.kept_bytes + bytes;
        let is_too_much = all > MOST_KEPT || self.n_kept == MOST_BLOCKS || self.used_bytes + all > self.most_used;
        (self.n_kept > 0 && is_too_much).then(|| self.remove(0))
    }
}

/// Gives kept blocks back to the system until there is room to keep `bytes` more.
fn make_room(bytes: usize) -> MutexGuard<'static, Large> {
    loop {
        let mut blocks = blocks();
        let Some(surplus) = blocks.surplus(bytes) else { return blocks };
        drop(blocks);
        give_back(surplus);
    }
}

/// Keeps a freed block, if it is not too large.
fn keep(block: Block) {
    blocks().used_bytes -= block.bytes;
    if block.bytes > MOST_KEPT {
        return give_back(block);
    }
    let mut blocks = make_room(block.bytes);
    let at = blocks.n_kept;
    blocks.kept[at] = block;
    blocks.n_kept += 1;
    blocks.kept_bytes += block.bytes;
}

/// Gives every kept block back to the system. Returns whether there were any.
fn give_all_back() -> bool {
    let mut had_any = false;
    loop {
        let mut blocks = blocks();
        if blocks.n_kept == 0 {
            blocks.most_used = blocks.used_bytes;
            return had_any;
        }
        let oldest = blocks.remove(0);
        drop(blocks);
        give_back(oldest);
        had_any = true;
    }
}

#[allow(unsafe_code, reason = "the allocator of the system is called")]
fn give_back(block: Block) {
    // SAFETY: the block came from this allocator with this layout, and nobody uses it any more.
    unsafe { System.dealloc(block.start, Layout::from_size_align_unchecked(block.bytes, ALIGNMENT)) }
}

/// Asks the system for a large block. If it gives none, asks once more without the kept blocks; if that fails, too, `counted` bytes no longer count as used.
fn asked(bytes: usize, counted: usize, ask: impl Fn() -> *mut u8) -> *mut u8 {
    drop(make_room(0));
    let mut start = ask();
    if start.is_null() && give_all_back() {
        start = ask();
    }
    if start.is_null() {
        blocks().used_bytes -= counted;
    } else {
        use_huge_pages(start, bytes);
    }
    start
}

#[allow(unsafe_code, reason = "an allocator is unsafe by definition")]
// SAFETY: every block is one of the system's with the layout that `large` names, which depends on nothing but the layout of the caller, so that it goes back as
// it came; a kept block is in the list or with a caller, never both. Nothing here allocates or panics.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some(large) = large(layout) else { return unsafe { System.alloc(layout) } };
        let kept = blocks().take(large.size());
        kept.unwrap_or_else(|| asked(large.size(), large.size(), || unsafe { System.alloc(large) }))
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let Some(large) = large(layout) else { return unsafe { System.alloc_zeroed(layout) } };
        let kept = blocks().take(large.size());
        if let Some(start) = kept {
            unsafe { start.write_bytes(0, layout.size()) };
        }
        kept.unwrap_or_else(|| asked(large.size(), large.size(), || unsafe { System.alloc_zeroed(large) }))
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        match large(layout) {
            Some(large) => keep(Block { start, bytes: large.size() }),
            None => unsafe { System.dealloc(start, layout) },
        }
    }

    unsafe fn realloc(&self, start: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        let new = unsafe { Layout::from_size_align_unchecked(bytes, layout.align()) };
        match (large(layout), large(new)) {
            (Some(old), Some(new)) if old == new => start,
            // The system moves pages, not bytes.
            (Some(old), Some(new)) => {
                let more = new.size().saturating_sub(old.size());
                blocks().count(more);
                let moved = asked(new.size(), more, || unsafe { System.realloc(start, old, new.size()) });
                if !moved.is_null() {
                    blocks().used_bytes -= old.size().saturating_sub(new.size());
                }
                moved
            }
            (None, None) => unsafe { System.realloc(start, layout, bytes) },
            _ => unsafe {
                let moved = self.alloc(new);
                if !moved.is_null() {
                    moved.copy_from_nonoverlapping(start, layout.size().min(bytes));
                    self.dealloc(start, layout);
                }
                moved
            },
        }
    }
}

/// Bytes that are free for large values beside what the system has free.
pub(crate) fn kept_bytes() -> u64 {
    blocks().kept_bytes as u64
}

/// Asks for huge pages where nothing was written yet: 128 MiB of usual pages cost 65 ms of faults on one thread, of huge ones a third.
fn use_huge_pages(start: *mut u8, bytes: usize) {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if bytes >= LEAST_OF_HUGE_PAGES {
        const PAGE: usize = 1 << 12;
        let first = start.addr().next_multiple_of(PAGE);
        let end = (start.addr() + bytes) / PAGE * PAGE;
        #[allow(unsafe_code, reason = "the system is asked by a call to the C library")]
        // SAFETY: the pages lie in a block that was just given; the advice changes how they are given, never what they hold.
        unsafe {
            libc::madvise(start.byte_add(first - start.addr()).cast(), end - first, libc::MADV_HUGEPAGE);
        }
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    let _ = (start, bytes);
}

/// Gives kept blocks back to the system, and asks the allocator of the C library for what it holds.
///
/// By itself glibc returns only the end of each thread's heap, which small blocks hold for good: after half an hour of random use,
/// 1.0 of 1.6 GB were free and were kept. Other systems give that memory back as they do.
pub fn return_freed_memory() {
    give_all_back();
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[allow(unsafe_code, reason = "the allocator is asked by a call to the C library")]
    // SAFETY: the call takes a number of bytes to keep, and glibc locks each heap while it looks for free pages.
    unsafe {
        libc::malloc_trim(0);
    }
}

#[cfg(test)]
#[allow(unsafe_code, reason = "an allocator is unsafe by definition")]
mod tests {
    use super::*;

    /// The blocks are those of all tests of this process.
    static ALONE: Mutex<()> = Mutex::new(());

    fn layout(bytes: usize) -> Layout {
        Layout::from_size_align(bytes, 8).expect("a layout")
    }

    /// Allocates, writes to both ends, and frees. Returns the address.
    fn used(bytes: usize) -> usize {
        // SAFETY: the block is written within its size and freed with its layout.
        unsafe {
            let start = Heap.alloc(layout(bytes));
            assert!(!start.is_null());
            start.write(1);
            start.add(bytes - 1).write(1);
            Heap.dealloc(start, layout(bytes));
            start.addr()
        }
    }

    #[test]
    fn a_freed_block_serves_the_next_of_about_its_size_and_goes_back_when_asked() {
        let _alone = ALONE.lock();
        return_freed_memory();
        // So much may be kept.
        used(40 << 20);
        let n = 3 << 20;
        let start = used(n);
        assert_eq!(kept_bytes(), 3 << 20);
        assert_eq!([used(n - 5), used(n - (200 << 10))], [start; 2]);
        used(2 * n);
        assert_eq!(kept_bytes(), 9 << 20, "another size takes another block");
        assert_eq!(used(n), start);
        return_freed_memory();
        assert_eq!(kept_bytes(), 0);
        used(LEAST_KEPT - 1);
        // SAFETY: the block is freed with its layout.
        unsafe {
            let aligned = Layout::from_size_align(n, 64).expect("a layout");
            Heap.dealloc(Heap.alloc(aligned), aligned);
        }
        assert_eq!(kept_bytes(), 0, "neither small blocks nor aligned ones are kept");
    }

    #[test]
    fn no_more_is_kept_than_the_limits_say_and_the_oldest_goes_first() {
        let _alone = ALONE.lock();
        return_freed_memory();
        // So much may be kept.
        used(MOST_KEPT + 1);
        // Blocks that are used at the same time are all different.
        let layouts: Vec<Layout> = (0..MOST_BLOCKS + 3).map(|_| layout(LEAST_KEPT)).collect();
        // SAFETY: each block is freed with its layout.
        let starts: Vec<*mut u8> = layouts.iter().map(|layout| unsafe { Heap.alloc(*layout) }).collect();
        starts.iter().zip(&layouts).for_each(|(start, layout)| unsafe { Heap.dealloc(*start, *layout) });
        let state = || {
            let blocks = blocks();
            (blocks.n_kept, blocks.kept_bytes, blocks.kept[0].start)
        };
        assert_eq!(state(), (MOST_BLOCKS, MOST_BLOCKS * LEAST_KEPT, starts[3]));
        used(MOST_KEPT - 32 * LEAST_KEPT);
        let left = (33, MOST_KEPT, starts[MOST_BLOCKS + 3 - 32]);
        assert_eq!(state(), left, "the oldest give way to a large one");
        used(MOST_KEPT + 1);
        assert_eq!(state().0, 0, "a block that is too large goes back, and takes the place of the others while it is used");
        return_freed_memory();
        for n in 9..40 {
            used(n << 20);
            let blocks = blocks();
            assert!(blocks.kept_bytes <= blocks.most_used, "blocks of other sizes do not add up");
        }
        assert_eq!(blocks().used_bytes, 0);
        return_freed_memory();
    }

    #[test]
    fn zeros_are_zeros_and_a_moved_block_keeps_its_content_at_all_sizes() {
        let _alone = ALONE.lock();
        return_freed_memory();
        for bytes in [1 << 10, LEAST_KEPT, 5 << 20, 20 << 20] {
            used(bytes);
            // SAFETY: the block is read and written within its sizes, and freed with its last layout.
            unsafe {
                let start = Heap.alloc_zeroed(layout(bytes));
                assert!(std::slice::from_raw_parts(start, bytes).iter().all(|byte| *byte == 0), "{bytes}");
                for index in 0..bytes {
                    start.add(index).write((index % 251) as u8);
                }
                let (mut start, mut now) = (start, bytes);
                for next in [bytes + 1, 2 * bytes, 32 << 20, LEAST_KEPT, LEAST_KEPT - 1, 100, LEAST_KEPT + 7] {
                    let least = now.min(next).min(bytes);
                    start = Heap.realloc(start, layout(now), next);
                    let content = std::slice::from_raw_parts(start, least);
                    assert!(content.iter().enumerate().take(100).all(|(index, byte)| *byte == (index % 251) as u8), "{now} to {next}");
                    now = next;
                }
                Heap.dealloc(start, layout(now));
            }
        }
        return_freed_memory();
    }
}

//! How the system gives memory, and how freed memory goes back.

/// Memory of fewer bytes is given as it comes.
pub(crate) const LEAST_OF_HUGE_PAGES: usize = 8 << 20;

/// Asks for huge pages where nothing was written yet: 128 MiB of usual pages cost 65 ms of faults on one thread, of huge ones a third.
pub(crate) fn use_huge_pages<T>(memory: &mut [T]) {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if size_of_val(memory) >= LEAST_OF_HUGE_PAGES {
        const PAGE: usize = 1 << 12;
        let start = memory.as_mut_ptr().addr();
        let (first, end) = (start.next_multiple_of(PAGE), (start + size_of_val(memory)) / PAGE * PAGE);
        #[allow(unsafe_code, reason = "the system is asked by a call to the C library")]
        // SAFETY: the pages lie in memory that is borrowed here; the advice changes how they are given, never what they hold.
        unsafe {
            libc::madvise(memory.as_mut_ptr().byte_add(first - start).cast(), end - first, libc::MADV_HUGEPAGE);
        }
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    let _ = memory;
}

/// Asks the allocator of the C library to give freed memory back to the system.
///
/// By itself glibc returns only the end of each thread's heap, which small blocks hold for good: after half an hour of random use,
/// 1.0 of 1.6 GB were free and were kept. Larger blocks that go back as soon as they are freed cost more: their pages are cleared anew in every run.
/// Other systems give memory back as they do.
pub fn return_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[allow(unsafe_code, reason = "the allocator is asked by a call to the C library")]
    // SAFETY: the call takes a number of bytes to keep, and glibc locks each heap while it looks for free pages.
    unsafe {
        libc::malloc_trim(0);
    }
}

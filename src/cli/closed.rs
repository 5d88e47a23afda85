//! Whether standard output was closed before the program began.
//!
//! Rust opens the null device in its place before `main`, as other programs do on purpose, so the question must be asked earlier.

use std::sync::atomic::{AtomicBool, Ordering};

static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Whether nobody can read what goes to standard output. Always false on systems other than Linux.
pub(super) fn was_closed() -> bool {
    WAS_CLOSED.load(Ordering::Relaxed)
}

/// The C library calls what is in this section before Rust begins.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "a section is named; the function in it asks for two file names and starts no thread")]
#[used]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = {
    extern "C" fn look() {
        let exists = |path: &str| std::fs::symlink_metadata(path).is_ok();
        WAS_CLOSED.store(exists("/proc/self/fd") && !exists("/proc/self/fd/1"), Ordering::Relaxed);
    }
    look
};

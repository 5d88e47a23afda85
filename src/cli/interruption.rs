//! Signals that end the program from outside, and the commands that keep what they have done by then.

use super::notes::say_now;
use crate::signal::remove_unfinished;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

/// The exit code of a program that a signal ended is this plus the number of the signal, as shells have it.
const ENDED_BY_SIGNAL: usize = 128;

/// The signal that came last; that of Ctrl+C where the system does not tell them apart.
static SIGNAL: LazyLock<Arc<AtomicUsize>> = LazyLock::new(|| Arc::new(AtomicUsize::new(2)));

/// The flag that an interruption raises, for commands that keep partial results.
static GIVE_UP: Mutex<Option<Arc<AtomicBool>>> = Mutex::new(None);

/// The flag that ends the work of every other command; only a call from another program raises it.
static CANCEL: AtomicBool = AtomicBool::new(false);

/// Makes the first interruption raise `cancel` instead of ending the program.
pub(crate) fn interrupt(cancel: &Arc<AtomicBool>) {
    *GIVE_UP.lock().unwrap_or_else(PoisonError::into_inner) = Some(cancel.clone());
}

/// The flag that ends the work of a command.
pub(crate) fn cancel() -> &'static AtomicBool {
    &CANCEL
}

/// Lowers the flags before a call from another program.
pub(super) fn begin() {
    CANCEL.store(false, Ordering::Relaxed);
    *GIVE_UP.lock().unwrap_or_else(PoisonError::into_inner) = None;
}

/// Raises the flags of the call that runs.
pub(super) fn give_up() {
    CANCEL.store(true, Ordering::Relaxed);
    GIVE_UP.lock().unwrap_or_else(PoisonError::into_inner).iter().for_each(|cancel| cancel.store(true, Ordering::Relaxed));
}

/// The exit code of a program that a signal ended.
pub(super) fn ended_by(signal: usize) -> u8 {
    u8::try_from(ENDED_BY_SIGNAL + signal).unwrap_or(1)
}

/// Ends the program at a signal, without unfinished files; a command that keeps partial results ends itself at the first one.
fn interrupted(signal: usize) {
    match &*GIVE_UP.lock().unwrap_or_else(PoisonError::into_inner) {
        // A second interruption ends the program at once.
        Some(cancel) if !cancel.swap(true, Ordering::Relaxed) => say_now("interrupted: what was measured is kept; once more ends at once"),
        _ => {
            remove_unfinished();
            end(ended_by(signal));
        }
    }
}

/// Ends the process with this exit code, and leaves the drivers of GPUs loaded: one that is unloaded while a thread of its own still runs brings the process down with a signal.
pub(super) fn end(code: u8) -> ! {
    #[cfg(unix)]
    signal_hook::low_level::exit(code.into());
    #[cfg(not(unix))]
    std::process::exit(code.into())
}

/// Handles what ends programs: Ctrl+C, the end of the session, and requests of other programs. Without a handler, an unfinished file stays.
pub(super) fn handle_signals() {
    /// The number of a signal is noted just after the handler is woken.
    const NOTED_AFTER: Duration = Duration::from_millis(20);
    // Where no handler can be set, signals end the program at once.
    let _ = ctrlc::set_handler(|| {
        std::thread::sleep(NOTED_AFTER);
        interrupted(SIGNAL.load(Ordering::Relaxed));
    });
    #[cfg(unix)]
    for signal in [signal_hook::consts::SIGHUP, signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // Without it, the exit code is that of Ctrl+C.
        let _ = signal_hook::flag::register_usize(signal, SIGNAL.clone(), signal as usize);
    }
    // Rust and drivers abort where an allocation fails, after one line on standard error. That is work that failed, and no fault to dump memory for.
    #[cfg(unix)]
    let _ = signal_hook::flag::register_conditional_shutdown(signal_hook::consts::SIGABRT, 1, Arc::new(AtomicBool::new(true)));
}

/// The exit code of a program that the last signal ended.
pub(super) fn ended() -> u8 {
    ended_by(SIGNAL.load(Ordering::Relaxed))
}

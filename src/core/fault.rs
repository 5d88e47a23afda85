//! Faults of the program or of a library: a panic becomes an error, so that everything else goes on.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};

thread_local! {
    /// How many calls of [`caught`] this thread is inside.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// Whether a panic on this thread at `location` is that of a library and becomes an error, which says it.
pub fn is_of_caught_library(location: Option<&Location<'_>>) -> bool {
    // The files of this program have relative paths.
    DEPTH.get() > 0 && location.is_some_and(|location| std::path::Path::new(location.file()).is_absolute())
}

/// Ends the work of this thread with an error that [`caught`] returns, where a function has no error of its own: no mistake of the program.
pub fn give_up(message: String) -> ! {
    resume_unwind(Box::new(message))
}

/// Runs `work`; a panic becomes its message in one line. What `work` has changed may be half done, so the caller drops it or begins anew.
///
/// # Errors
/// The message of the panic.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    DEPTH.set(DEPTH.get() + 1);
    let done = catch_unwind(AssertUnwindSafe(work));
    DEPTH.set(DEPTH.get() - 1);
    done.map_err(|payload| {
        let text = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        text.unwrap_or("an unknown fault").split_whitespace().collect::<Vec<_>>().join(" ")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error() {
        let n = std::hint::black_box(3);
        assert_eq!(caught(|| n + 1), Ok(4));
        assert_eq!(caught(|| assert!(n > 4, "{n} is too small")), Err("3 is too small".to_owned()));
        assert!(caught(|| assert_eq!(n, 4)).is_err_and(|message| message.contains("left: 3 right: 4")));
        assert_eq!(caught(|| -> u8 { panic!("plain") }), Err("plain".to_owned()));
        assert_eq!(caught(|| -> u8 { give_up("no memory".to_owned()) }), Err("no memory".to_owned()));
    }
}

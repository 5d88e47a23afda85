//! Faults of the program or of a library: a panic becomes an error, so that everything else goes on.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `work`; a panic becomes its message in one line. What `work` has changed may be half done, so the caller drops it or begins anew.
///
/// # Errors
/// The message of the panic.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
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
    }
}

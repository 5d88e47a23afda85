//! Messages on standard error: notes that wait until the command has succeeded, and what cannot wait.

use std::io::{self, Write as _};
use std::sync::{Mutex, PoisonError};

/// Notes that wait until the command has succeeded; `None` where they are written at once.
static NOTES: Mutex<Option<Vec<String>>> = Mutex::new(Some(Vec::new()));

/// Writes a note in one line to standard error when the command has succeeded: a failure is told alone.
pub(crate) fn say(message: &str) {
    match &mut *NOTES.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(waiting) => waiting.push(message.to_owned()),
        None => say_now(message),
    }
}

/// Does work whose notes nobody hears.
pub(super) fn quietly<R>(work: impl FnOnce() -> R) -> R {
    let before = NOTES.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let done = work();
    *NOTES.lock().unwrap_or_else(PoisonError::into_inner) = before;
    done
}

/// Does work, and returns its notes in place of writing them.
pub(super) fn noted<R>(work: impl FnOnce() -> R) -> (R, Vec<String>) {
    *NOTES.lock().unwrap_or_else(PoisonError::into_inner) = Some(Vec::new());
    let done = work();
    let notes = NOTES.lock().unwrap_or_else(PoisonError::into_inner).take();
    (done, notes.unwrap_or_default())
}

/// Writes the notes that wait, and later ones at once, as people read them while a long command runs.
pub(crate) fn say_at_once() {
    let waiting = NOTES.lock().unwrap_or_else(PoisonError::into_inner).take();
    waiting.iter().flatten().for_each(|message| say_now(message));
}

/// Writes a message in one line to standard error.
pub(crate) fn say_now(message: &str) {
    // A closed standard error does not stop the work.
    let _ = writeln!(io::stderr(), "papillon: {}", shortened(message, std::env::args().skip(1)));
}

/// A message of at most 4000 characters without control characters, in which no argument and no word has more than 200.
fn shortened(message: &str, arguments: impl Iterator<Item = String>) -> String {
    const MOST: usize = 200;
    let short = |text: &str, most: usize| match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    };
    let mut message = message.to_owned();
    for argument in arguments.filter(|argument| argument.chars().nth(MOST).is_some()) {
        let argument = argument.strip_prefix("f:").unwrap_or(&argument);
        message = message.replace(argument, &short(argument, MOST));
    }
    let clean: String = message.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let line = clean.split(' ').map(|word| short(word, MOST)).collect::<Vec<_>>().join(" ");
    short(&line, 20 * MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_short_and_plain() {
        let long = "x1 & ".repeat(100);
        let message = format!("f:{long}: it is\u{1b}[31m wrong\nat {}", "7".repeat(5000));
        let told = shortened(&message, [format!("f:{long}"), String::new()].into_iter());
        assert!(told.chars().count() < 450 && !told.chars().any(char::is_control), "{told}");
        assert!(told.contains("wrong at 777") && told.ends_with('…'));
    }
}

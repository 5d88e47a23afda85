//! Messages and errors of the window outside its panes.

use super::Workspace;
use crate::ui::theme;
use std::time::{Duration, Instant};

impl Workspace {
    /// Shows a message in the status bar.
    pub(crate) fn show_message(&mut self, text: String) {
        self.told_at = Some(Instant::now());
        self.message = text;
    }

    /// Shows what was written or copied in the status bar, and in a note that disappears by itself.
    pub(super) fn show_done(&mut self, text: String) {
        let color = theme::Tokens::of(self.tasks.theme()).accent;
        self.toasts.custom(in_lines(&text), "i".into(), color).duration(Duration::from_secs(5)).closable(false);
        self.show_message(text);
    }

    /// Shows an error in the status bar, and in a note that disappears by itself.
    pub(crate) fn show_error(&mut self, text: String) {
        let caption = in_lines(&text);
        let color = theme::Tokens::of(self.tasks.theme()).error;
        self.toasts.custom(caption, "!".into(), color).duration(Duration::from_secs(8)).closable(false);
        self.message = text;
    }
}

/// A text in lines that a note holds, so that its end, which says what helps, is read as well.
fn in_lines(text: &str) -> String {
    /// The most characters of a line, and the most lines.
    const LINE: usize = 72;
    const LINES: usize = 6;
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let n = lines.last().map_or(0, |line| line.chars().count());
        if n > 0 && n + 1 + word.chars().count() > LINE {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            let room = LINE - line.chars().count().min(LINE);
            line.push_str(if line.is_empty() { "" } else { " " });
            // A word may be a path of any length.
            line.extend(word.chars().take(room));
        }
    }
    if lines.len() > LINES {
        lines.truncate(LINES);
        if let Some(last) = lines.last_mut() {
            last.push_str(" …");
        }
    }
    lines.join("\n")
}

//! How often the window is painted while something is measured: seldom, whatever the mouse does.

use std::time::{Duration, Instant};

/// From one frame to the next while something is measured.
const PAUSE: Duration = Duration::from_millis(250);

/// When the window was painted last.
#[derive(Default)]
pub(super) struct Pace {
    last: Option<Instant>,
}

impl Pace {
    /// Waits before a frame while something is measured: painting, which every move of the mouse asks for, would take the processor and the GPU from it.
    /// Nothing else ever holds the window up; at four frames a second it still answers.
    pub(super) fn keep(&mut self, is_measuring: bool) {
        if let Some(rest) = self.last.filter(|_| is_measuring).and_then(|last| PAUSE.checked_sub(last.elapsed())) {
            std::thread::sleep(rest);
        }
        self.last = Some(Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_seldom_only_while_something_is_measured() {
        let mut pace = Pace::default();
        let start = Instant::now();
        for _ in 0..1000 {
            pace.keep(false);
        }
        assert!(start.elapsed() < PAUSE, "a window that measures nothing is not held up");
        let start = Instant::now();
        for _ in 0..3 {
            pace.keep(true);
        }
        assert!(start.elapsed() >= 2 * PAUSE);
    }
}

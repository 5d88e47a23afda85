//! The times of the steps of a command, for its last message.

use std::time::{Duration, Instant};

/// Times consecutive steps of a command.
pub(super) struct Stopwatch {
    start: Instant,
    last: Instant,
    laps: Vec<(&'static str, Duration)>,
}

impl Stopwatch {
    pub(super) fn start() -> Self {
        let now = Instant::now();
        Self { start: now, last: now, laps: Vec::new() }
    }

    /// Ends a step.
    pub(super) fn lap(&mut self, name: &'static str) {
        let now = Instant::now();
        self.laps.push((name, now - self.last));
        self.last = now;
    }

    /// All steps and the total in one line.
    pub(super) fn line(&self) -> String {
        let text = |duration: Duration| format!("{:.1} ms", duration.as_secs_f64() * 1e3);
        let laps: Vec<String> = self.laps.iter().map(|&(name, duration)| format!("{name} {}", text(duration))).collect();
        format!("{}; {} in all", laps.join(", "), text(self.last - self.start))
    }
}

//! The times of the steps of a command, for its last message.

use crate::engine::Times;
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

    /// Ends the step of a transform, in its parts where a device ran it; the rest is work of the host.
    pub(super) fn lap_of_run(&mut self, times: &Times) {
        self.lap("transform");
        let Some(&(_, whole)) = self.laps.last() else { return };
        let parts = [
            ("open", times.open_micros),
            ("compile", times.compile_micros),
            ("upload", times.upload_micros),
            ("kernels", times.kernel_micros()),
            ("download", times.download_micros),
        ];
        if times.upload_micros <= 0.0 {
            return;
        }
        let parts = parts.map(|(name, micros)| (name, Duration::from_secs_f64(micros.max(0.0) / 1e6)));
        let known: Duration = parts.iter().map(|(_, time)| *time).sum();
        self.laps.pop();
        self.laps.extend(parts.into_iter().filter(|(_, time)| !time.is_zero()));
        self.laps.push(("host", whole.saturating_sub(known)));
    }

    /// Ends the step that brings a result to memory and looks at what it lost.
    pub(super) fn lap_of_values(&mut self, times: &Times) {
        let is_on_device = times.upload_micros > 0.0 && times.download_micros == 0.0;
        self.lap(if is_on_device { "download" } else { "check" });
    }

    /// All steps and the total in one line.
    pub(super) fn line(&self) -> String {
        let text = |duration: Duration| format!("{:.1} ms", duration.as_secs_f64() * 1e3);
        let laps: Vec<String> = self.laps.iter().map(|&(name, duration)| format!("{name} {}", text(duration))).collect();
        format!("{}; {} in all", laps.join(", "), text(self.last - self.start))
    }
}

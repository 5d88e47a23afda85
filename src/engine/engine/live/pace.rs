//! How fast the samples of a stream come beside what was said, since when none come, and how long their sender waits for us. No thread and no clock.

use crate::numerals::number;
use crate::signal::{Sampling, StreamForm};
use std::time::{Duration, Instant};

/// A stream stalls when nothing comes for longer than this.
const STALLS: Duration = Duration::from_secs(2);
/// The time that tells how fast samples come, the share by which clocks differ, and how many times faster a file is that is sent as fast as it goes.
const ENOUGH: Duration = Duration::from_secs(5);
const SAME: f64 = 0.03;
const MOST_OTHER: f64 = 5.0;
/// The time from the first bytes on in which those come, too, that have waited for us to begin.
const WAITED: Duration = Duration::from_secs(1);

/// How fast the samples of a stream come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// Bytes of a frame, and frames in a second where they are known.
    frame: usize,
    rate: Option<f64>,
    /// When the first bytes came, and how many they were.
    first: Option<(Instant, u64)>,
    /// The same once those have come that have waited.
    settled: (Instant, u64),
    bytes: u64,
    heard: Instant,
    /// The time of all stalls, and the longest time between bytes that is none.
    stalled: Duration,
    longest: Duration,
    held: Duration,
}

impl Pace {
    /// That of a stream that is opened now.
    pub fn new(now: Instant) -> Self {
        let none = Duration::ZERO;
        Self { frame: 1, rate: None, first: None, settled: (now, 0), bytes: 0, heard: now, stalled: none, longest: none, held: none }
    }

    /// Takes what the stream says of its samples.
    pub fn said(&mut self, form: &StreamForm) {
        (self.frame, self.rate) = (form.frame.max(1), form.sampling.and_then(Sampling::rate_hz));
    }

    /// Counts bytes that have come.
    pub fn count(&mut self, bytes: usize, now: Instant) {
        let gap = now.saturating_duration_since(self.heard);
        match self.first {
            None => self.first = Some((now, bytes as u64)),
            Some(_) if gap > STALLS => self.stalled += gap,
            Some(_) => self.longest = self.longest.max(gap),
        }
        self.bytes += bytes as u64;
        self.heard = now;
        if self.first.is_some_and(|(first, _)| now.saturating_duration_since(first) < WAITED) {
            self.settled = (now, self.bytes);
        }
    }

    /// When bytes came last, or when the stream was opened.
    pub fn heard(&self) -> Instant {
        self.heard
    }

    /// Says that nothing has come for some time; a sender that begins takes longer than one that goes on.
    pub fn stall(&self, name: &str, now: Instant) -> Option<String> {
        let silent = now.saturating_duration_since(self.heard);
        let seconds = silent.as_secs();
        match self.first {
            None => (silent >= ENOUGH).then(|| format!("waiting for the first samples of {name}: none came for {seconds} s")),
            Some(_) => (silent > STALLS).then(|| format!("no samples for {seconds} s: {name} stalls")),
        }
    }

    /// Says that samples come at another rate than was said. The sender decides whether a stall loses samples, and the last bytes may be a part of those that come together, so that only a rate counts which differs either way.
    pub fn other_rate(&self) -> Option<String> {
        let ((since, n), rate) = (self.settled, self.rate?);
        let time = self.heard.saturating_duration_since(since);
        let samples = (self.bytes - n) as f64 / self.frame as f64;
        let sure = time.saturating_sub(self.stalled + self.longest).as_secs_f64();
        let found = rate.max(samples / time.as_secs_f64()).min(samples / sure);
        let is_other = found / rate < MOST_OTHER && (found / rate - 1.0).abs() > SAME;
        (self.held.is_zero() && time > ENOUGH && is_other)
            .then(|| format!("{} samples come in a second, and the rate says {}", number(found, 3), number(rate, 9)))
    }

    /// Whether fewer samples have come than their rate says: one who sends them waits for us, and not only a file.
    pub fn is_behind(&self, now: Instant) -> bool {
        let due = |(first, _): (Instant, u64)| now.saturating_duration_since(first).as_secs_f64();
        self.first.zip(self.rate).is_some_and(|(first, rate)| ((self.bytes / self.frame as u64) as f64) < rate * due(first))
    }

    /// Counts time for which the sender has waited for us; whether it is the first time.
    pub fn hold(&mut self, time: Duration) -> bool {
        let is_first = self.held.is_zero();
        self.held += time;
        is_first
    }

    /// How long the sender has waited for us.
    pub fn held(&self) -> Duration {
        self.held
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pace of 1,000 samples of two bytes a second, as it was said, to which every block of these seconds brings these samples; and the clock then.
    fn after(blocks: impl IntoIterator<Item = (f64, usize)>) -> (Pace, Instant) {
        let mut now = Instant::now();
        let mut pace = Pace::new(now);
        pace.said(&StreamForm::of_raw("it", "s16,1,1000".parse().unwrap()));
        for (seconds, samples) in blocks {
            now += Duration::from_secs_f64(seconds);
            pace.count(2 * samples, now);
        }
        (pace, now)
    }

    #[test]
    fn a_stream_stalls_where_nothing_comes_and_goes_on_with_the_next_byte() {
        let (mut pace, now) = after([(0.1, 100); 10]);
        let later = |seconds| now + Duration::from_secs(seconds);
        assert_eq!(pace.stall("it", later(2)), None);
        assert_eq!(pace.stall("it", later(5)), Some("no samples for 5 s: it stalls".into()));
        pace.count(1, later(5));
        assert_eq!(pace.stall("it", later(6)), None);
    }

    #[test]
    fn a_stream_that_never_begins_is_said_to_be_waited_for() {
        let opened = Instant::now();
        let after = |seconds| Pace::new(opened).stall("it", opened + Duration::from_secs(seconds));
        assert_eq!((after(4), after(5)), (None, Some("waiting for the first samples of it: none came for 5 s".into())));
    }

    #[test]
    fn another_rate_than_was_said_is_told_once_it_is_sure() {
        let steady = |n: usize, samples| after(vec![(0.1, samples); n]).0.other_rate();
        assert_eq!(steady(100, 110), Some("1100 samples come in a second, and the rate says 1000".into()));
        assert!(steady(100, 90).is_some_and(|words| words.starts_with("910 samples")), "{:?}", steady(100, 90));
        assert_eq!(steady(40, 110), None, "four seconds are too few");
        assert_eq!((steady(100, 102), steady(100, 1000)), (None, None), "a clock, and a file");
        let stalled = |late| after([vec![(0.1, 100); 60], vec![(5.0, late)], vec![(0.1, 100); 20]].concat()).0.other_rate();
        assert_eq!((stalled(100), stalled(5000)), (None, None), "samples of a stall are lost, or come late");
        let waited = [(3.0, 100), (0.01, 2900)].into_iter().chain([(0.1, 100); 80]);
        assert_eq!(after(waited).0.other_rate(), None, "a recorder has begun before us");
        let bursts = [(1.0, 1000); 6].into_iter().chain([(1.0, 10)]);
        assert_eq!(after(bursts).0.other_rate(), None, "most of the last burst still comes");
    }

    #[test]
    fn a_sender_that_is_held_up_is_told_from_a_file() {
        let (mut pace, now) = after([(0.1, 50); 100]);
        assert!(pace.is_behind(now) && pace.other_rate().is_some());
        let waited = Duration::from_millis(20);
        assert_eq!([pace.hold(waited), pace.hold(waited)], [true, false], "it is told once");
        assert_eq!((pace.held(), pace.other_rate()), (2 * waited, None), "its rate is ours");
        let (file, now) = after([(0.001, 1000); 10]);
        assert!(!file.is_behind(now));
    }
}

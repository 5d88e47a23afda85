//! The known state of a stream that runs: the samples that are kept, and the frames that were counted or left out. No thread and no clock.

use super::{Kept, LiveSettings};
use crate::signal::{FileError, Signal, StreamForm};
use crate::spectra::{Calibration, Frames, Running, SpectraError, SpectraJob, StreamRow, counted_rows};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// The most bytes of samples that are kept.
const MOST_BYTES: f64 = (1_u64 << 29) as f64;
/// Rows that are counted at a time cover this time at most, in seconds, unless one row alone is longer.
const AT_A_TIME: f64 = 0.1;
/// When frames wait longer than this many seconds, and more samples wait than [`MOMENT`], the older ones are left out: the window shows the newest.
const MOST_BEHIND: f64 = 1.0;
const STAYS_BEHIND: f64 = 0.25;
const MOMENT: u64 = 1 << 22;

/// The known state of a stream.
#[derive(Debug, Clone)]
pub struct Counted {
    /// How its samples are stored.
    pub form: StreamForm,
    /// Samples in a second.
    pub rate: f64,
    /// Whether its samples are complex.
    pub is_complex: bool,
    /// Number of its channels.
    pub n_channels: usize,
    /// The settings.
    pub settings: LiveSettings,
    /// The samples that are kept.
    pub kept: Kept,
    /// The rows of the waterfall, in ascending order.
    pub rows: VecDeque<Arc<StreamRow>>,
    /// The power of all frames since the last reset.
    pub running: Arc<Running>,
    /// Frames that counted in rows, and frames that were left out as the machine did not keep up.
    pub frames: [u64; 2],
    /// When the last sample came of the first frame that counted last: of those that become pixels together, it waits longest.
    pub came: Option<Instant>,
    /// The first sample of the last row that reached what the trigger waits for.
    pub triggered: Option<u64>,
    /// Number of changes.
    pub version: u64,
    /// The first sample of the next frame.
    next: u64,
    /// Rows at the front that are joined of shorter ones.
    joined: usize,
    /// The ends of what came, and when, as far as frames wait for it.
    arrivals: VecDeque<(u64, Instant)>,
    /// Number of resets, so that work for what was before is not taken.
    era: u64,
}

/// Frames to count, which takes no lock.
pub(super) struct Work {
    signal: Result<Signal, FileError>,
    frames: Frames,
    rate: f64,
    per_row: usize,
    first: u64,
    next: u64,
    settings: LiveSettings,
    running: Arc<Running>,
    era: u64,
}

/// Frames that were counted.
pub(super) struct Done {
    rows: Vec<StreamRow>,
    running: Running,
    next: u64,
    era: u64,
}

impl Counted {
    /// Of a stream that begins.
    pub(super) fn new(form: StreamForm, rate: f64, is_complex: bool, n_channels: usize, settings: LiveSettings) -> Self {
        let settings = settings.for_channels(n_channels);
        Self {
            kept: Kept::new(form.frame),
            form,
            rate,
            is_complex,
            n_channels,
            rows: VecDeque::new(),
            running: Arc::new(Running::none(settings.frames().bins(is_complex))),
            settings,
            frames: [0; 2],
            came: None,
            triggered: None,
            version: 0,
            next: 0,
            joined: 0,
            arrivals: VecDeque::new(),
            era: 0,
        }
    }

    /// The most samples that are kept: those of the chosen time, as far as the memory for them goes.
    pub fn most(&self) -> u64 {
        (self.settings.keeps * self.rate).min(MOST_BYTES / self.form.frame as f64).max(self.settings.length as f64) as u64
    }

    /// Its frames.
    pub fn layout(&self) -> Frames {
        self.settings.frames()
    }

    /// The calibration of its frames.
    pub fn calibration(&self) -> Calibration {
        Calibration::of(&self.settings.frames(), self.rate, self.is_complex)
    }

    /// Keeps whole frames that have come at a time.
    pub(super) fn push(&mut self, bytes: &[u8], now: Instant) {
        let most = self.most();
        self.kept.push(bytes, most);
        self.arrivals.push_back((self.kept.samples().end, now));
    }

    /// Takes other settings: other frames or another channel begin anew with what comes next.
    pub(super) fn set(&mut self, settings: LiveSettings) {
        let settings = settings.for_channels(self.n_channels);
        let of_frames = |settings: &LiveSettings| (settings.length, settings.channel, settings.keeps.to_bits());
        let begins_anew = of_frames(&settings) != of_frames(&self.settings);
        self.settings = settings;
        if begins_anew {
            self.rows.clear();
            self.joined = 0;
            self.next = self.kept.samples().end;
            self.reset();
        }
    }

    /// Forgets the frames so far in means and holds.
    pub(super) fn reset(&mut self) {
        self.running = Arc::new(Running::none(self.settings.frames().bins(self.is_complex)));
        self.era += 1;
        self.version += 1;
    }

    /// The next frames to count: whole rows, or at the end of the stream all that there are. Where too many wait, the older ones are left out and counted as such.
    pub(super) fn work(&mut self, has_ended: bool) -> Option<Work> {
        let (frames, kept) = (self.settings.frames(), self.kept.samples());
        let hop = frames.hop as u64;
        let per_row = self.settings.per_new_row(self.rate, self.is_complex);
        let row = per_row as f64 * hop as f64 / self.rate;
        let samples = |seconds: f64, rows: f64| (seconds.max(rows * row) * self.rate) as u64;
        let waiting = kept.end.saturating_sub(self.next);
        let behind = (!has_ended && waiting > samples(MOST_BEHIND, 16.0).max(MOMENT)).then(|| waiting - samples(STAYS_BEHIND, 4.0));
        let skipped = behind.unwrap_or(0).max(kept.start.saturating_sub(self.next)).div_ceil(hop);
        if skipped > 0 {
            self.frames[1] += skipped;
            self.next += skipped * hop;
        }
        let n = frames.count(kept.end.saturating_sub(self.next) as usize);
        let whole = n - n % per_row;
        let most = per_row * ((AT_A_TIME / row) as usize).max(1);
        let n = if has_ended && whole == 0 { n } else { whole }.min(most);
        if n == 0 {
            return None;
        }
        let last = self.next + (n as u64 - 1) * hop + frames.length as u64;
        let signal = self.kept.signal(&self.form, self.next..last);
        let next = self.next + n as u64 * hop;
        Some(Work {
            signal,
            frames,
            rate: self.rate,
            per_row,
            first: self.next,
            next,
            settings: self.settings,
            running: self.running.clone(),
            era: self.era,
        })
    }

    /// Takes what was counted, unless it was reset meanwhile.
    pub(super) fn take(&mut self, done: Done) {
        if done.era != self.era {
            return;
        }
        let Frames { hop, length, .. } = self.settings.frames();
        self.frames[0] += (done.next - self.next) / hop as u64;
        let last = self.next + length as u64;
        self.next = done.next;
        while self.arrivals.front().is_some_and(|(end, _)| *end < last) {
            self.arrivals.pop_front();
        }
        self.came = self.arrivals.front().map(|(_, came)| *came);
        self.running = Arc::new(done.running);
        if let Some(trigger) = self.settings.trigger {
            let (frames, calibration) = (self.settings.frames(), self.calibration());
            let found = done.rows.iter().find(|row| trigger.is_reached(row, &frames, &calibration));
            self.triggered = found.map(|row| row.samples.start).or(self.triggered);
        }
        self.rows.extend(done.rows.into_iter().map(Arc::new));
        self.join();
        let keeps = (self.settings.keeps * self.rate) as u64;
        while self.rows.front().is_some_and(|row| row.samples.end + keeps < self.next) {
            self.rows.pop_front();
            self.joined = self.joined.saturating_sub(1);
        }
        self.version += 1;
    }

    /// Joins rows that are not among the newest ones any more, so that as few are kept as their memory allows.
    fn join(&mut self) {
        let most = (self.settings.per_row(self.rate, self.is_complex) * self.settings.frames().hop) as u64;
        let [newest, _] = self.settings.rows(self.is_complex);
        while self.rows.len() > self.joined + newest {
            let before = self.joined.checked_sub(1).and_then(|at| self.rows.get(at));
            let own = &self.rows[self.joined];
            // Between rows with a gap, frames were left out.
            let fits = |before: &&Arc<StreamRow>| before.samples.end == own.samples.start && own.samples.end - before.samples.start <= most;
            match before.filter(fits).map(|before| before.joined(own)) {
                Some(row) => {
                    self.rows[self.joined - 1] = Arc::new(row);
                    self.rows.remove(self.joined);
                }
                None => self.joined += 1,
            }
        }
    }
}

impl Work {
    /// Counts the frames.
    pub(super) fn done(self, cancel: &AtomicBool) -> Result<Done, String> {
        let failed = |error: SpectraError| error.to_string();
        let signal = self.signal.map_err(|error| error.to_string())?;
        let track = signal.track(self.settings.channel).map_err(|error| error.to_string())?;
        let samples = 0..track.len();
        let job = SpectraJob::new(vec![track], samples, self.frames, self.rate, cancel);
        let mut running = Arc::unwrap_or_clone(self.running);
        let forgetting = self.settings.forgetting(self.rate);
        let rows = counted_rows(&job, self.first, self.per_row, forgetting, &mut running).map_err(failed)?;
        Ok(Done { rows, running, next: self.next, era: self.era })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Trigger;
    use super::*;
    use crate::spectra::{Quantity, Reference, Trace};
    use std::f64::consts::TAU;
    use std::time::Duration;

    fn begun(settings: LiveSettings) -> Counted {
        Counted::new(StreamForm::of_raw("it", "s16,1,8000".parse().unwrap()), 8000.0, false, 1, settings)
    }

    fn tone(samples: std::ops::Range<usize>, amplitude: f64) -> Vec<u8> {
        samples.flat_map(|n| ((32_767.0 * amplitude * (TAU * n as f64 / 8.0).sin()) as i16).to_le_bytes()).collect()
    }

    fn count(state: &mut Counted, has_ended: bool) {
        while let Some(work) = state.work(has_ended) {
            let done = work.done(&AtomicBool::new(false)).unwrap();
            state.take(done);
        }
    }

    #[test]
    fn every_frame_counts_however_the_bytes_come() {
        let (mut state, begin) = (begun(LiveSettings { length: 256, ..LiveSettings::default() }), Instant::now());
        for from in (0..40_000).step_by(100) {
            state.push(&tone(from..from + 100, 0.5), begin + Duration::from_millis(from as u64));
            count(&mut state, false);
        }
        count(&mut state, true);
        // The last frame ends at sample 39,936, which came with the last 100.
        assert_eq!(state.came, Some(begin + Duration::from_millis(39_900)));
        let expected = state.settings.frames().count(40_000) as u64;
        assert_eq!((state.frames, state.running.count as u64), ([expected, 0], expected));
        assert!(state.rows.iter().zip(state.rows.iter().skip(1)).all(|(a, b)| a.samples.end == b.samples.start));
        let calibration = state.calibration();
        let level = Reference::default().level(calibration.value(Quantity::Amplitude, state.running.power(Trace::Mean)[32], 32));
        assert!((level + 6.02).abs() < 0.01, "{level}");
    }

    #[test]
    fn what_the_machine_does_not_keep_up_with_is_counted_as_left_out() {
        let mut state = begun(LiveSettings { length: 256, keeps: 3600.0, ..LiveSettings::default() });
        let n = MOMENT + 8000;
        state.push(&vec![0; 2 * n as usize], Instant::now());
        count(&mut state, false);
        let [counted, left_out] = state.frames;
        assert!(left_out > 0 && counted + left_out >= n / 128 - 64, "{:?}", state.frames);
        assert_eq!(state.kept.samples(), 0..n, "the samples are kept all the same");
        assert!(state.rows.front().unwrap().samples.start > n - 80_000);
    }

    #[test]
    fn the_newest_rows_are_short_and_older_ones_are_joined() {
        let mut state = begun(LiveSettings { length: 128, keeps: 3600.0, ..LiveSettings::default() });
        let (per_row, [newest, _]) = (state.settings.per_row(8000.0, false), state.settings.rows(false));
        for from in (0..480_000).step_by(8_000) {
            state.push(&tone(from..from + 8_000, if from == 16_000 { 1.0 } else { 0.5 }), Instant::now());
            count(&mut state, false);
        }
        let lengths: Vec<u64> = state.rows.iter().map(|row| (row.samples.end - row.samples.start) / 64).collect();
        assert!(
            lengths.len() < newest + 480_000 / 64 / per_row + 2 && lengths[lengths.len() - newest..].iter().all(|n| *n == 1),
            "{lengths:?}"
        );
        assert!(lengths[..lengths.len() - newest - 1].iter().all(|n| *n == per_row as u64), "{lengths:?}");
        assert!(state.rows.iter().zip(state.rows.iter().skip(1)).all(|(a, b)| a.samples.end == b.samples.start));
        assert!(state.rows.iter().any(|row| row.peak > 0.99 && row.samples.contains(&16_100)), "a loud moment stays");
    }

    #[test]
    fn the_rows_of_any_stream_stay_within_their_memory() {
        for (length, rate, is_complex) in
            [(128, 8e3, false), (2048, 48e3, false), (2048, 2.4e6, true), (16_384, 2.4e6, true), (16_384, 8e3, true)]
        {
            for keeps in [10.0, 60.0, 3600.0] {
                let settings = LiveSettings { length, keeps, ..LiveSettings::default() };
                let ([newest, joined], hop) = (settings.rows(is_complex), settings.frames().hop as f64);
                let [per_row, per_new] = [settings.per_row(rate, is_complex), settings.per_new_row(rate, is_complex)];
                // Whole new rows make a joined one, so that it is as long as it may be.
                assert!(per_row.is_multiple_of(per_new) && per_new as f64 * hop <= (0.015 * rate).max(hop), "{length} {rate} {keeps}");
                let rows = (keeps * rate / hop / per_row as f64).ceil() as usize;
                assert!(rows <= joined && (newest + joined) * settings.frames().bins(is_complex) <= 1 << 24, "{length} {rate} {keeps}");
            }
        }
    }

    #[test]
    fn a_reset_and_other_frames_begin_anew_and_keep_the_samples() {
        let mut state = begun(LiveSettings { length: 256, keeps: 1.0, ..LiveSettings::default() });
        state.push(&tone(0..8_000, 0.5), Instant::now());
        let work = state.work(false).unwrap();
        state.reset();
        state.take(work.done(&AtomicBool::new(false)).unwrap());
        assert_eq!(state.frames, [0, 0], "what was counted for the time before is not taken");
        count(&mut state, true);
        state.set(LiveSettings { length: 512, ..state.settings });
        assert!(state.rows.is_empty() && state.kept.samples() == (0..8_000));
        for from in (8_000..40_000).step_by(400) {
            state.push(&tone(from..from + 400, 0.5), Instant::now());
            count(&mut state, false);
        }
        let kept = state.kept.samples();
        assert!((8_000..=41_000).contains(&(kept.end - kept.start)) && kept.start > 0, "{kept:?}");
        assert!(state.rows.front().unwrap().samples.start >= 31_000, "rows of more than a second stay");
    }

    #[test]
    fn a_trigger_fires_on_a_level_or_in_a_band() {
        let fired = |trigger: Trigger| {
            let mut state = begun(LiveSettings { length: 256, trigger: Some(trigger), ..LiveSettings::default() });
            for from in (0..24_000).step_by(400) {
                state.push(&tone(from..from + 400, if from < 12_000 { 0.01 } else { 0.5 }), Instant::now());
                count(&mut state, false);
            }
            state.triggered
        };
        let of = |level: f64, band: Option<[f64; 2]>| fired(Trigger { level, band });
        assert!(of(-10.0, None).is_some_and(|at| at >= 11_000) && of(-3.0, None).is_none());
        assert!(of(-10.0, Some([900.0, 1100.0])).is_some_and(|at| at >= 11_000) && of(-10.0, Some([2000.0, 3000.0])).is_none());
    }
}

//! How fast recordings and streams are measured: from a file to a spectrogram of what a pane shows, and samples of a stream in a second.

use super::statistics::Statistics;
use crate::engine::{EngineError, LivePictureRequest, LivePictureStudy, LiveSettings, LiveStream, Store, asked};
use crate::signal::{ChannelChoice, RawFormat, Reading, Signal, load_as};
use crate::spectra::{Frames, FrequencyAxis, FrequencyScale, Method, Pool, Quantity, Rate, SpectraError, SpectraJob, TimeAxis, pooled};
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// Columns and rows of the picture of a pane, and of one that fills a large window.
const PANE: [usize; 2] = [1600, 500];
const LARGE: [usize; 2] = [2560, 1440];
/// Bytes that are written at a time, and those that are read of a stream.
const BLOCK: usize = 1 << 16;
/// How often it is looked how far a stream is, where it does not say so.
const GLANCE: Duration = Duration::from_millis(20);

/// A recording or a stream that is measured, and how fast that should be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignalCase {
    /// Its name, in tables and records.
    pub name: &'static str,
    /// Seconds of sound; of the stream, of samples.
    pub secs: f64,
    /// The samples of the file.
    format: &'static str,
    work: Work,
    /// The time to reach on two cores without a GPU, in milliseconds; of the stream, millions of samples in a second.
    pub goal: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Work {
    /// From the file to the picture of one frame for each column, of all channels.
    Coarse,
    /// From the file to the picture in which every frame counts.
    Whole,
    /// The picture of a part that has a frame for each column of a large window: what a pan or a zoom computes.
    Part,
    /// Every frame of a stream that is counted while it runs.
    Stream,
    /// From the last sample of a frame to the picture of the last seconds, of a stream that comes as fast as its rate says.
    Live,
}

/// The cases, each with the time or the rate to reach.
pub const SIGNAL_CASES: [SignalCase; 7] = [
    SignalCase { name: "10 min mono, coarse", secs: 600.0, format: "s16,1,48000", work: Work::Coarse, goal: 60.0 },
    SignalCase { name: "10 min mono, every frame", secs: 600.0, format: "s16,1,48000", work: Work::Whole, goal: 200.0 },
    SignalCase { name: "10 min mono, pan at 2560 × 1440", secs: 600.0, format: "s16,1,48000", work: Work::Part, goal: 33.0 },
    SignalCase { name: "1 h stereo, coarse", secs: 3600.0, format: "s16,2,44100", work: Work::Coarse, goal: 100.0 },
    SignalCase { name: "1 h stereo, every frame", secs: 3600.0, format: "s16,2,44100", work: Work::Whole, goal: 1500.0 },
    SignalCase { name: "stream of complex samples", secs: 10.0, format: "cs16,1,2.4MHz", work: Work::Stream, goal: 20.0 },
    SignalCase { name: "stream at 48 kHz, frame to picture", secs: 2.0, format: "s16,1,48000", work: Work::Live, goal: 50.0 },
];

/// The measurements of a case.
#[derive(Debug, Clone, PartialEq)]
pub struct SignalTimes {
    /// The case.
    pub case: SignalCase,
    /// Samples of one channel.
    pub samples: usize,
    /// Milliseconds from the file to the result.
    pub millis: Statistics,
}

impl SignalCase {
    /// Whether the goal is a number of samples in a second, and not a time.
    pub fn is_stream(&self) -> bool {
        self.work == Work::Stream
    }

    /// Whether it is the one that other programs are compared by: every frame of one channel.
    pub fn is_compared(&self) -> bool {
        self.work == Work::Whole && self.raw().channels == 1
    }

    /// The recording as a file in a folder, with `share` of its length; cases of the same recording share it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, folder: &Path, share: f64) -> std::io::Result<PathBuf> {
        let path = folder.join(format!("{}-{}.raw", self.format.replace(',', "-"), self.secs));
        if !path.exists() {
            let format = self.raw();
            let rate = format.rate.map_or(1.0, |rate| rate.per_unit);
            let bytes = (self.secs * share * rate) as usize * format.encoding.bytes() * usize::from(format.channels);
            // A block of noise again and again: spectra take the same time whatever the samples are.
            let mut random = crate::random::Random::new(1);
            let block: Vec<u8> = (0..BLOCK).map(|_| random.below(256) as u8).collect();
            let mut file = BufWriter::new(std::fs::File::create(&path)?);
            for first in (0..bytes).step_by(BLOCK) {
                file.write_all(&block[..BLOCK.min(bytes - first)])?;
            }
            file.flush()?;
        }
        Ok(path)
    }

    fn raw(&self) -> RawFormat {
        self.format.parse().expect("a format of a case is one")
    }

    /// Measures the case some times on its recording, after one run that brings the file into the cache.
    ///
    /// # Errors
    /// When the file cannot be read, or `cancel` is raised.
    pub fn measure(&self, file: &Path, runs: usize, cancel: &AtomicBool) -> Result<SignalTimes, EngineError> {
        let mut samples = 0;
        let mut once = || {
            let start = Instant::now();
            let lag;
            (samples, lag) = match self.work {
                Work::Stream => (self.stream(file, cancel)?, None),
                Work::Live => self.live(file, cancel)?,
                _ => (self.picture(file, cancel)?, None),
            };
            Ok(lag.unwrap_or_else(|| start.elapsed()).as_secs_f64() * 1e3)
        };
        let times = (0..=runs.max(1)).map(|_| once()).collect::<Result<Vec<f64>, SpectraError>>()?;
        let millis = Statistics::of(&[times[1..].to_vec()]).expect("at least one run is counted");
        Ok(SignalTimes { case: *self, samples, millis })
    }

    fn picture(&self, file: &Path, cancel: &AtomicBool) -> Result<usize, SpectraError> {
        let how = Reading { options: crate::signal::ReadOptions { raw: Some(self.raw()), ..Default::default() }, ..Default::default() };
        let signal = load_as(file, &how).map_err(|error| SpectraError::File(error.to_string()))?;
        let (n, rate) = (signal.columns, Rate::from(signal.sampling()).per_unit);
        let usual = Frames::of_spectrogram();
        let stride = if self.work == Work::Coarse { (usual.count(n) / PANE[0]).max(1) } else { 1 };
        let frames = Frames { hop: usual.hop * stride, ..usual };
        let ends = FrequencyScale::Linear.ends(&frames, false, rate).unwrap_or([0.0, rate / 2.0]);
        let [columns, rows] = if self.work == Work::Part { LARGE } else { PANE };
        let axis = FrequencyAxis { scale: FrequencyScale::Linear, ends, rows };
        let seen = if self.work == Work::Part { n.min(columns * usual.hop) } else { n };
        let first = ((n - seen) / 2) as f64;
        let times = TimeAxis { ends: [first, first + seen as f64], columns };
        for channel in 0..signal.channels.len() {
            let job = job(&signal, ChannelChoice::Channel(channel), frames, rate, cancel)?;
            pooled(&job, (Method::Plain, Pool::Max), Quantity::Power, (&times, &axis))?;
        }
        Ok(n)
    }

    /// Counts every frame of a stream that comes as fast as it is counted.
    fn stream(&self, file: &Path, cancel: &AtomicBool) -> Result<usize, SpectraError> {
        /// Samples that wait at most: a stream that does not wait leaves out frames once more are there.
        const MOST_WAITING: usize = 1 << 21;
        let bytes = self.raw().encoding.bytes();
        let counted = Arc::new(AtomicUsize::new(0));
        let known = Arc::downgrade(&counted);
        let waits = move |read: usize| {
            while known.upgrade().is_some_and(|counted| read > (counted.load(Ordering::Relaxed) + MOST_WAITING) * bytes) {
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        let (tells, news) = channel();
        let stream = self.started(file, BLOCK, waits, move || {
            // Who has stopped to look needs no news.
            let _ = tells.send(());
        })?;
        while !stream.has_ended() && !cancel.load(Ordering::Relaxed) {
            let _ = news.recv_timeout(GLANCE);
            let rows = stream.state().counted.map(|counted| counted.rows);
            let end = rows.and_then(|rows| rows.back().map(|row| row.samples.end));
            counted.store(end.unwrap_or(0) as usize, Ordering::Relaxed);
        }
        match stream.state().counted {
            _ if cancel.load(Ordering::Relaxed) => Err(SpectraError::Cancelled),
            Some(found) if found.frames[1] > 0 => Err(SpectraError::File("frames of the stream were left out".into())),
            found => Ok(found.map_or(0, |found| found.kept.samples().end as usize)),
        }
    }

    /// The recording as a stream that runs. It is read in parts of this many bytes. After each part the reader calls the function with the number of bytes that it has read, and waits until it returns.
    fn started(
        &self,
        file: &Path,
        most: usize,
        waits: impl FnMut(usize) + Send + 'static,
        notify: impl Fn() + Send + Sync + 'static,
    ) -> Result<LiveStream, SpectraError> {
        let failed = |error: std::io::Error| SpectraError::File(error.to_string());
        let gated = Gated { stream: std::fs::File::open(file).map_err(failed)?, read: 0, most: most.max(1), waits };
        LiveStream::start("stream", Box::new(gated), Some(self.raw()), LiveSettings::default(), notify).map_err(failed)
    }

    /// The number of samples, and the median time from the last sample of a frame to a picture with it; `None` of a stream that is shorter than a frame.
    fn live(&self, file: &Path, cancel: &AtomicBool) -> Result<(usize, Option<Duration>), SpectraError> {
        const COLUMNS: usize = 1600;
        /// Seconds of sound that a sound card hands on at a time.
        const PERIOD: f64 = 0.005;
        let rate = self.raw().rate.map_or(1.0, |rate| rate.per_unit);
        let bytes_in_second = rate * self.raw().encoding.bytes() as f64;
        let begun = Instant::now();
        let waits = move |read: usize| {
            std::thread::sleep(Duration::from_secs_f64(read as f64 / bytes_in_second).saturating_sub(begun.elapsed()));
        };
        let stream = self.started(file, (PERIOD * bytes_in_second) as usize, waits, || ())?;
        let (mut lags, (asks, questions)) = (Vec::new(), channel());
        let axis = FrequencyAxis { scale: FrequencyScale::Linear, ends: [0.0, rate / 2.0], rows: PANE[1] };
        let store = Store::default();
        while !stream.has_ended() && !cancel.load(Ordering::Relaxed) {
            let asks = asks.clone();
            stream.hurry(Some(Box::new(move |counted| {
                let newest = counted.rows.back().map_or(0.0, |row| row.samples.end as f64);
                let times = TimeAxis { ends: [newest - 10.0 * rate, newest], columns: COLUMNS };
                // Who has stopped to ask needs no picture.
                let _ = asks.send(LivePictureRequest::of(counted, times, axis));
            })));
            // As in a window, the newest request replaces older ones.
            let question = questions.recv_timeout(GLANCE).ok().map(|first| questions.try_iter().last().unwrap_or(first));
            if let Some(question) = question {
                asked(&mut LivePictureStudy, &question, &store).map_err(|error| SpectraError::File(error.to_string()))?;
                lags.extend(question.came.map(|came| came.elapsed()));
            }
        }
        if cancel.load(Ordering::Relaxed) {
            return Err(SpectraError::Cancelled);
        }
        lags.sort();
        let samples = stream.state().counted.map_or(0, |counted| counted.kept.samples().end as usize);
        Ok((samples, lags.get(lags.len() / 2).copied()))
    }
}

/// A stream whose reader waits after each part.
struct Gated<R, F> {
    stream: R,
    read: usize,
    /// Bytes of a part.
    most: usize,
    waits: F,
}

impl<R: Read, F: FnMut(usize)> Read for Gated<R, F> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let most = self.most.min(to.len());
        let n = self.stream.read(&mut to[..most])?;
        self.read += n;
        (self.waits)(self.read);
        Ok(n)
    }
}

fn job<'a>(
    signal: &'a Signal,
    channel: ChannelChoice,
    frames: Frames,
    rate: f64,
    cancel: &'a AtomicBool,
) -> Result<SpectraJob<'a>, SpectraError> {
    Ok(SpectraJob::new(vec![signal.track(channel)?], 0..signal.columns, frames, rate, cancel))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_is_measured_on_a_short_recording() {
        let folder = tempfile::TempDir::new().expect("there is room for a folder");
        for case in SIGNAL_CASES {
            let file = case.write(folder.path(), 1e-3).unwrap();
            let found = case.measure(&file, 2, &AtomicBool::new(false)).unwrap();
            let rate = case.raw().rate.unwrap().per_unit;
            assert_eq!(found.samples, (case.secs * 1e-3 * rate) as usize, "{}", case.name);
            assert!(found.millis.median > 0.0 && found.millis.median.is_finite());
            assert!(case.measure(&file, 1, &AtomicBool::new(true)).is_err(), "{} is given up", case.name);
            if case.work == Work::Live {
                // Some frames.
                let file = SignalCase { secs: 0.1, ..case }.write(folder.path(), 1.0).unwrap();
                let found = case.measure(&file, 1, &AtomicBool::new(false)).unwrap();
                assert!(found.samples == 4800 && found.millis.median < 1000.0, "{:?}", found.millis);
            }
        }
    }

    #[test]
    fn the_goals_are_those_of_the_contract() {
        assert_eq!(SIGNAL_CASES.map(|case| case.goal), [60.0, 200.0, 33.0, 100.0, 1500.0, 20.0, 50.0]);
    }
}

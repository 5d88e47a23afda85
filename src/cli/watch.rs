//! `papillon watch`: the level and the strongest lines of a stream while it runs, for scripts and for machines without a display.

use super::arguments::{from_one, one_of};
use super::signals::{Figures, LevelArguments, Recording, SelectArguments, comments, digits};
use super::table::ChannelArguments;
use super::{Failure, output, say};
use crate::engine::{Pace, locked};
use crate::numerals::{counted, duration};
use crate::signal::{FileError, RawFormat, SampleStream, Signal};
use crate::spectra::{Calibration, Frames, Place, Quantity, Rate, Reference, SpectraError, SpectraJob, TonePeak, level, tone_peaks};
use clap::Args;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, Read};
use std::mem::replace;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Measures a stream of samples while it runs: one line for every part of it, as long as it goes on.
///
/// Each line has the time at which its part begins, the level of its samples (root mean square), their largest magnitude, and the frequencies and levels of the strongest lines. Every sample counts in exactly one line. A full-scale sine has a level of 0 dBFS.
///
/// Example: arecord -f S16_LE -r 44100 | papillon watch - --raw s16,1,44100
/// Example: arecord -t wav | papillon watch - --every 0.5s --format json
/// Example: rtl_sdr -f 100M -s 2.4M - | papillon watch - --raw cu8,1,2.4MHz --every 100ms -n 1
/// Example: tail -c +1 -f growing.wav | papillon watch - --every 10s
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct WatchArguments {
    /// - for standard input, or a pipe or file: a WAV, or samples as --raw says.
    stream: PathBuf,
    /// How a stream without a header stores its samples: u8, s8, s16, s24, s32, f32 or f64, with c before it for complex samples and be behind it for the highest byte first; alaw or mulaw; the number of channels; and the rate, as s16,2,44100 or cu8,1,2.4MHz.
    #[arg(long, value_name = "TYPE,CHANNELS,RATE")]
    raw: Option<RawFormat>,
    /// How much of the stream a line stands for: a time, as 0.5s, or a number of samples.
    #[arg(long, value_name = "PLACE", default_value = "1s", allow_hyphen_values = true)]
    every: Place,
    /// Lists at most this many lines of the spectrum.
    #[arg(short = 'n', long, value_name = "N", default_value = "3", value_parser = from_one, allow_negative_numbers = true)]
    number: NonZeroUsize,
    #[command(flatten)]
    channel: ChannelArguments,
    #[command(flatten)]
    level: LevelArguments,
    /// How lines are written: csv, or json with an object in every line.
    #[arg(long, default_value = "csv", value_parser = one_of::<LineFormat>(), ignore_case = true)]
    format: LineFormat,
}

crate::choice! {
    /// How the lines of a stream are written.
    enum LineFormat {
        /// Numbers between commas, below a header.
        #[default]
        Csv = "CSV", "csv";
        /// An object in every line.
        Json = "JSON lines", "json";
    }
}

/// How often a stream that brings no part is looked at.
const LOOK: Duration = Duration::from_millis(500);
/// Parts of the stream that wait to be measured: the reader goes on while one is measured.
const MOST_WAITING: usize = 4;

pub(super) fn run(arguments: &WatchArguments) -> Result<(), Failure> {
    let (name, stream) = open(&arguments.stream)?;
    let pace = Arc::new(Mutex::new(Pace::new(Instant::now())));
    let mut listener = Listener { name: &name, pace: &pace, stalls: false, is_other: false };
    let (sender, opened) = sync_channel(1);
    let (stream, called, raw) = (Paced { stream, pace: pace.clone() }, name.clone(), arguments.raw);
    reading(move || sender.send(SampleStream::open(&called, stream, raw)).is_ok())?;
    let mut stream = listener.next(&opened).ok_or_else(|| failed(&name))??;
    locked(&pace).said(stream.form());
    if stream.is_overruled() {
        say(&format!("{name} is a WAV: its header counts, and --raw does not"));
    }
    let rate = Rate::from(stream.sampling());
    let every = arguments.every.sample(rate).map_err(|_| {
        Failure::Call(format!("--every {} needs a rate: add it to --raw, as s16,1,44100, or take a number of samples", arguments.every))
    })?;
    if every == 0 {
        return Err(Failure::Call(format!("--every {} is less than one sample: take more", arguments.every)));
    }
    let mut lines = Lines { arguments, rate, first: 0, left_out: 0, is_begun: false };
    let (sender, parts) = sync_channel::<Result<Signal, FileError>>(MOST_WAITING);
    let (of_reader, called) = (pace.clone(), name.clone());
    // It reads on while a part is measured. Where the lines end early, it may wait for samples, and ends with the program.
    let reader = reading(move || {
        while let Some(part) = stream.next(every).transpose() {
            if !send(&sender, part, (&called, &of_reader)) {
                break;
            }
        }
        stream.cut()
    })?;
    while let Some(part) = listener.next(&parts) {
        lines.write(part?)?;
    }
    let cut = reader.join().map_err(|_| failed(&name))?;
    lines.end(&name, cut)?;
    let held = locked(&pace).held();
    if !held.is_zero() {
        say(&format!("the sender of {name} waited {} in all", duration(1e6 * held.as_secs_f64())));
    }
    Ok(())
}

fn failed(name: &str) -> Failure {
    Failure::Work(format!("reading {name} failed"))
}

/// Starts a thread that waits for the stream, as even its beginning may not come.
fn reading<T: Send + 'static>(read: impl FnOnce() -> T + Send + 'static) -> Result<JoinHandle<T>, Failure> {
    let started = std::thread::Builder::new().name("stream".into()).spawn(read);
    started.map_err(|error| Failure::Work(format!("the system starts no thread: {error}")))
}

/// Takes what a thread has read, and says meanwhile how the stream comes.
struct Listener<'a> {
    name: &'a str,
    pace: &'a Mutex<Pace>,
    /// Whether it has been said that nothing comes, and that another rate comes.
    stalls: bool,
    is_other: bool,
}

impl Listener<'_> {
    /// The next part; `None` once the thread has ended.
    fn next<T>(&mut self, parts: &Receiver<T>) -> Option<T> {
        loop {
            let part = parts.recv_timeout(LOOK);
            let waits = matches!(part, Err(RecvTimeoutError::Timeout));
            self.news(waits, Instant::now()).iter().for_each(|words| say(words));
            if !waits {
                return part.ok();
            }
        }
    }

    /// The news, each told once: no samples come while they are waited for, or samples come at another rate.
    fn news(&mut self, waits: bool, now: Instant) -> Vec<String> {
        let pace = locked(self.pace);
        let (stall, other) = (pace.stall(self.name, now).filter(|_| waits), pace.other_rate());
        let is_other = self.is_other || other.is_some();
        let was = (replace(&mut self.stalls, stall.is_some()), replace(&mut self.is_other, is_other));
        stall.filter(|_| !was.0).into_iter().chain(other.filter(|_| !was.1)).collect()
    }
}

/// A stream whose bytes are counted as they come.
struct Paced<R> {
    stream: R,
    pace: Arc<Mutex<Pace>>,
}

impl<R: Read> Read for Paced<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let n = self.stream.read(to)?;
        if n > 0 {
            locked(&self.pace).count(n, Instant::now());
        }
        Ok(n)
    }
}

/// Hands a part on; whether somebody takes it. While the stream waits for that, its sender waits, too, which is said once.
fn send<T>(parts: &SyncSender<T>, part: T, (name, pace): (&str, &Mutex<Pace>)) -> bool {
    match parts.try_send(part) {
        Ok(()) => true,
        Err(TrySendError::Disconnected(_)) => false,
        Err(TrySendError::Full(part)) => {
            let since = Instant::now();
            // A stream that is faster than its rate, such as a file, waits and loses nothing.
            let is_behind = locked(pace).is_behind(since);
            let is_taken = parts.send(part).is_ok();
            if is_behind && locked(pace).hold(since.elapsed()) {
                say(&format!("measuring is slower than {name}, whose sender waits now and may lose samples: take a longer --every"));
            }
            is_taken
        }
    }
}

/// The stream at a path, and its name.
fn open(path: &Path) -> Result<(String, Box<dyn Read + Send>), Failure> {
    if output::is_standard(path) {
        return Ok(("standard input".into(), Box::new(io::stdin())));
    }
    let file = File::open(path).map_err(|source| FileError::Io { verb: "read", path: path.to_owned(), source })?;
    Ok((path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(), Box::new(file)))
}

/// The lines that are written.
struct Lines<'a> {
    arguments: &'a WatchArguments,
    rate: Rate,
    /// The number of the next sample.
    first: usize,
    /// Samples that are not numbers.
    left_out: usize,
    is_begun: bool,
}

impl Lines<'_> {
    /// Measures a part of the stream, and writes its line.
    fn write(&mut self, part: Signal) -> Result<(), Failure> {
        let recording = SelectArguments::default().of(part, &self.arguments.channel.channel)?;
        let reference = self.arguments.level.of(&recording);
        if !self.is_begun {
            self.begin(&recording, &reference)?;
        }
        let samples = recording.samples.clone();
        let track = recording.track()?;
        let found = level(&track, samples.clone());
        self.left_out += found.left_out;
        let frames = Frames::whole(samples.len());
        let job = SpectraJob::new(vec![track], samples.clone(), frames, self.rate.per_unit, super::cancel());
        let peaks = match tone_peaks(&job, self.arguments.number.get()) {
            Ok(peaks) => peaks,
            Err(SpectraError::TooFew { .. } | SpectraError::NotFinite(_)) => Vec::new(),
            Err(error) => return Err(error.into()),
        };
        let calibration = Calibration::of(&Frames::whole(2), self.rate.per_unit, job.is_complex());
        let rms = reference.decibels(found.rms, Quantity::Rms, &calibration);
        let line = self.line([rms, reference.level(found.peak)], &peaks, &|peak| reference.level(peak.amplitude));
        self.first += samples.len();
        output::print(&format!("{line}\n"))
    }

    /// Says what the lines depend on; of CSV also their header.
    fn begin(&mut self, recording: &Recording, reference: &Reference) -> Result<(), Failure> {
        self.is_begun = true;
        recording.say_channel();
        if self.arguments.format == LineFormat::Json {
            return Ok(());
        }
        let unit = self.rate.frequency();
        let mut facts: Figures = recording.facts().into_iter().filter(|(name, _)| *name != "samples").collect();
        facts.push((
            "units",
            format!("time in {}, frequency in {unit}, levels in {}", self.rate.unit(), reference.label(Quantity::Amplitude, unit)),
        ));
        let numbered = |n: usize| if n == 1 { "frequency,level".to_owned() } else { format!("frequency_{n},level_{n}") };
        let peaks: Vec<String> = (1..=self.arguments.number.get()).map(numbered).collect();
        let mut head = Vec::new();
        // Writing to memory does not fail.
        let _ = comments(&mut head, &facts);
        output::print(&format!("{}time,rms,peak,{}\n", String::from_utf8_lossy(&head), peaks.join(",")))
    }

    fn line(&self, [rms, peak]: [f64; 2], peaks: &[TonePeak], level: &dyn Fn(&TonePeak) -> f64) -> String {
        let time = self.first as f64 / self.rate.per_unit;
        let of = |peak: &TonePeak| [peak.frequency, level(peak)];
        match self.arguments.format {
            LineFormat::Csv => {
                let missing = peaks.len()..self.arguments.number.get();
                let cells = peaks.iter().flat_map(of).chain(missing.flat_map(|_| [f64::NAN; 2]));
                let cells: Vec<String> = [time, rms, peak].into_iter().chain(cells).map(|value| digits(value, false)).collect();
                cells.join(",")
            }
            LineFormat::Json => {
                let peaks: Vec<Value> =
                    peaks.iter().map(of).map(|[frequency, level]| json!({"frequency": frequency, "level": level})).collect();
                json!({"time": time, "rms": rms, "peak": peak, "peaks": peaks}).to_string()
            }
        }
    }

    /// Says what the whole stream had.
    fn end(&self, name: &str, cut: usize) -> Result<(), Failure> {
        if self.first == 0 {
            return Err(Failure::Work(format!("{name} ended before its first sample")));
        }
        if self.left_out > 0 {
            say(&format!("{} were infinite or not a number: left out of the levels", counted(self.left_out, "sample")));
        }
        if cut > 0 {
            say(&format!("{name} ends with {}, less than one sample: left out", counted(cut, "byte")));
        }
        say(&format!("{name} ended after {}", counted(self.first, "sample")));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_that_sends_nothing_and_one_that_stalls_are_told_once_each() {
        let opened = Instant::now();
        let pace = Mutex::new(Pace::new(opened));
        let mut listener = Listener { name: "the pipe", pace: &pace, stalls: false, is_other: false };
        let mut after = |seconds| listener.news(true, opened + Duration::from_secs(seconds));
        assert_eq!(after(4), [""; 0]);
        assert_eq!(after(5), ["waiting for the first samples of the pipe: none came for 5 s"]);
        assert_eq!(after(6), [""; 0]);
        locked(&pace).count(4, opened + Duration::from_secs(7));
        assert_eq!(after(8), [""; 0]);
        assert_eq!(after(12), ["no samples for 5 s: the pipe stalls"]);
        assert_eq!(after(13), [""; 0]);
    }
}

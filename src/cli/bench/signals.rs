//! `papillon bench --signals`: how fast recordings and streams are measured.

use super::BenchArguments;
use crate::bench::{SIGNAL_CASES, SignalCase, SignalTimes, Statistics};
use crate::cli::{Failure, cancel, output, say};
use crate::numerals::{counted, number};
use serde_json::{Value, json};
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Counted runs of every case where no number is given.
const RUNS: usize = 3;

/// SciPy's spectrogram of a file of 16 bits and one channel: the milliseconds of the call alone.
const SCIPY: &str = "import sys, time\nimport numpy as np\nfrom scipy.signal import spectrogram\n\
    x = np.fromfile(sys.argv[1], '<i2').astype(np.float32) / 32768\nstart = time.perf_counter()\n\
    spectrogram(x, 48000, 'hann', 2048, 1536)\nprint(1e3 * (time.perf_counter() - start))\n";

/// A line of the table.
struct Line {
    name: String,
    /// Samples of a channel.
    samples: usize,
    /// A time in milliseconds, or millions of samples in a second.
    found: f64,
    interval: [f64; 2],
    unit: &'static str,
    /// The time or the rate to reach; `None` for a time of shorter recordings.
    goal: Option<f64>,
    /// SciPy's time in milliseconds.
    scipy: Option<f64>,
}

/// Measures every case, and prints a line for each.
pub(super) fn run(arguments: &BenchArguments) -> Result<(), Failure> {
    let runs = arguments.repeat.map_or(RUNS, NonZeroUsize::get);
    let share = arguments.share.unwrap_or(100.0) / 100.0;
    let folder = Folder::new()?;
    say(&format!(
        "medians of {} on {}; spectrograms of 2048 samples, 75 % overlap, to 1600 × 500 pixels, from a file in the cache; the times to reach are those of two cores",
        counted(runs, "run"),
        counted(rayon::current_num_threads(), "thread")
    ));
    let mut lines = Vec::new();
    for case in SIGNAL_CASES {
        let file = case.write(&folder.0, share).map_err(|error| Failure::Work(format!("{}: {error}", folder.0.display())))?;
        let found = case.measure(&file, runs, cancel())?;
        lines.push(Line::of(&found, scipy(&case, &file)));
        if case.is_compared() {
            lines.push(process(&file, found.samples, runs)?);
        }
    }
    // The names and the goals are those of whole recordings.
    for line in lines.iter_mut().filter(|line| share < 1.0 && line.unit == "ms") {
        line.name += &format!(", {} % of its length", number(100.0 * share, 3));
        line.goal = None;
    }
    if arguments.json {
        let lines: Vec<Value> = lines.iter().map(Line::as_json).collect();
        return output::print(&format!("{:#}\n", json!({ "threads": rayon::current_num_threads(), "runs": runs, "cases": lines })));
    }
    output::print(&lines.iter().map(Line::as_text).collect::<String>())
}

/// The time to reach of the whole process, in milliseconds.
const PROCESS_GOAL: f64 = 500.0;

/// `papillon spectrogram` of a file to a PNG, as a process of its own.
fn process(file: &Path, samples: usize, runs: usize) -> Result<Line, Failure> {
    let failed = |why: String| Failure::Work(format!("papillon spectrogram: {why}"));
    let program = std::env::current_exe().map_err(|error| failed(error.to_string()))?;
    let once = || {
        let mut command = Command::new(&program);
        command.arg("spectrogram").arg(file).args(["--raw", "s16,1,48000", "--size", "1600x500", "-o"]).arg(file.with_extension("png"));
        let start = Instant::now();
        let done = command.stdout(Stdio::null()).stderr(Stdio::null()).status().map_err(|error| failed(error.to_string()))?;
        let millis = start.elapsed().as_secs_f64() * 1e3;
        if done.success() { Ok(millis) } else { Err(failed("it has failed".into())) }
    };
    let times = (0..=runs).map(|_| once()).collect::<Result<Vec<f64>, Failure>>()?;
    let Statistics { median, interval, .. } = Statistics::of(&[times[1..].to_vec()]).expect("at least one run is counted");
    Ok(Line {
        name: "10 min mono, process to PNG".into(),
        samples,
        found: median,
        interval,
        unit: "ms",
        goal: Some(PROCESS_GOAL),
        scipy: None,
    })
}

/// SciPy's milliseconds for the case that is compared, where python3 has it.
fn scipy(case: &SignalCase, file: &Path) -> Option<f64> {
    if !case.is_compared() {
        return None;
    }
    let done = Command::new("python3").args(["-c", SCIPY]).arg(file).stderr(Stdio::null()).output().ok()?;
    String::from_utf8_lossy(&done.stdout).trim().parse().ok()
}

impl Line {
    fn of(SignalTimes { case, samples, millis }: &SignalTimes, scipy: Option<f64>) -> Self {
        let rate = |millis: f64| *samples as f64 / millis / 1e3;
        let (found, interval, unit) = match case.is_stream() {
            true => (rate(millis.median), [rate(millis.interval[1]), rate(millis.interval[0])], "M samples/s"),
            false => (millis.median, millis.interval, "ms"),
        };
        Self { name: case.name.into(), samples: *samples, found, interval, unit, goal: Some(case.goal), scipy }
    }

    fn as_text(&self) -> String {
        let Self { name, found, interval, unit, goal, scipy, .. } = self;
        let [low, high] = interval.map(|value| number(value, 3));
        let scipy = scipy.map_or(String::new(), |millis| format!(", SciPy {} ms", number(millis, 3)));
        let goal = goal.map_or(String::new(), |goal| format!(", to reach: {} {unit}", number(goal, 3)));
        format!("{name}: {} {unit} ({low} to {high}){goal}{scipy}\n", number(*found, 3))
    }

    fn as_json(&self) -> Value {
        let Self { name, samples, found, interval, unit, goal, scipy } = self;
        json!({ "name": name, "samples": samples, "value": found, "interval": interval, "unit": unit, "goal": goal, "scipy_ms": scipy })
    }
}

/// A folder for the recordings, which goes with it.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new() -> Result<Self, Failure> {
        let path = std::env::temp_dir().join(format!("papillon-bench-{}", std::process::id()));
        let failed = |error: std::io::Error| Failure::Work(format!("{}: {error}", path.display()));
        std::fs::create_dir(&path).map_err(failed)?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A system removes by itself whatever stays in its folder for temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

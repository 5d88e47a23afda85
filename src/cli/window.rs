//! Without a subcommand: opens the window, or without a display writes the same workspace as an image with its timing.

use super::{Arguments, Failure, output, say, snapshot};
use crate::engine::{Follow, Microphone, Outcome, Report, Times};
use crate::signal::generate::Boolean;
use crate::signal::{FileError, RawFormat};
use crate::statistics::median;
use crate::ui::{self, StreamSource};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The image file for a machine without a display.
const PICTURE: &str = "papillon.png";

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (files, stream) = (&arguments.files[..], stream(arguments)?);
    match stream {
        Some(_) => open(&[], None, stream),
        None => open(files, arguments.raw, None),
    }
}

/// Opens the window with files, the first of which may be samples without a header, or with a stream.
pub(super) fn open(files: &[PathBuf], raw: Option<RawFormat>, stream: Option<StreamSource>) -> Result<(), Failure> {
    let is_stream = stream.is_some();
    check(files)?;
    snapshot::check_raw(files, raw)?;
    let why = match no_display() {
        Some(why) => why,
        None => match ui::run(files.to_vec(), raw, stream) {
            Ok(()) => return Ok(()),
            Err(error) => error.to_string(),
        },
    };
    if is_stream {
        return Err(Failure::Work(format!("{why}; papillon watch measures a stream without a window")));
    }
    say(&format!("{why}; the workspace goes to {PICTURE} instead"));
    let report = snapshot::draw(&snapshot::start(files.to_vec(), raw)?, Path::new(PICTURE))?;
    output::print(&report.as_ref().and_then(|report| timing(report)).unwrap_or_default())
}

/// The stream that is to be shown: the microphone, standard input, or a file that still grows.
fn stream(arguments: &Arguments) -> Result<Option<StreamSource>, Failure> {
    let Arguments { files, raw, follow, record, .. } = arguments;
    let source = |name: String, stream: Box<dyn Read + Send>| Some(StreamSource { name, stream, raw: *raw });
    if *record {
        raw.map_or(Ok(()), Microphone::check).map_err(|why| Failure::Call(format!("--record --raw: {why}")))?;
        return StreamSource::microphone(*raw).map(Some).map_err(Failure::Work);
    }
    match (follow, &files[..]) {
        (Some(path), _) => {
            let file = Follow::open(path).map_err(|source| FileError::Io { verb: "read", path: path.clone(), source })?;
            check_followed(path, raw.is_some())?;
            let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
            Ok(source(name, Box::new(file)))
        }
        (None, [path]) if output::is_standard(path) => Ok(source("standard input".into(), Box::new(io::stdin()))),
        (None, files) if files.iter().any(|path| output::is_standard(path)) => {
            Err(Failure::Call("standard input is shown alone: leave the other files out".into()))
        }
        (None, []) if raw.is_some() => {
            Err(Failure::Call("--raw says how samples are stored: add a file, - for standard input, --follow FILE or --record".into()))
        }
        (None, _) => Ok(None),
    }
}

/// Refuses a file that grows and does not say how its samples are stored: it has no end, so that only its first bytes can say what it is.
fn check_followed(path: &Path, is_raw: bool) -> Result<(), Failure> {
    if is_raw || !path.is_file() {
        return Ok(());
    }
    let mut head = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(4).read_to_end(&mut head));
    read.map_err(|source| FileError::Io { verb: "read", path: path.to_owned(), source })?;
    match head.len() < 4 || [*b"RIFF", *b"RIFX", *b"RF64", *b"BW64"].contains(&[head[0], head[1], head[2], head[3]]) {
        true => Ok(()),
        false => Err(Failure::Call(format!("{} is not a WAV: add its type, as --raw s16,1,44100", path.display()))),
    }
}

/// Refuses an argument that is neither a file nor a command, before a window opens.
fn check(files: &[PathBuf]) -> Result<(), Failure> {
    for function in files.iter().filter_map(|path| Boolean::from_argument(path)) {
        crate::logic::check(&function.text).map_err(|error| Failure::Call(format!("f:{}: {error}", function.text)))?;
    }
    for session in files.iter().filter(|path| ui::is_session(path) && path.is_file()) {
        ui::load_session(session)?;
    }
    let is_known = |path: &&PathBuf| Boolean::from_argument(path).is_some() || ui::lesson_of(path).is_some();
    match files.iter().filter(|path| !is_known(path)).find(|path| !path.exists()) {
        None => Ok(()),
        Some(path) if path.extension().is_none() && path.components().count() == 1 => {
            Err(Failure::Call(format!("'{}' is neither a file here nor a command; see 'papillon --help'", path.display())))
        }
        Some(path) => Err(Failure::Work(format!("cannot read {}: there is no such file or folder", path.display()))),
    }
}

/// The reason why no window can open, if it is known beforehand.
fn no_display() -> Option<String> {
    let is_set = |name: &&str| std::env::var_os(name).is_some_and(|value: OsString| !value.is_empty());
    let names = ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"];
    let needs_one = cfg!(all(unix, not(target_os = "macos")));
    (needs_one && !names.iter().any(is_set)).then(|| "there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set".into())
}

/// The median of further runs of the same job, if any.
fn again(times: &[Times]) -> Option<(String, f64)> {
    let totals: Vec<f64> = times.iter().map(|times| times.total_micros).collect();
    let n = totals.len();
    median(totals).map(|median| (format!("total again, median of {n}"), median))
}

/// The times, one line each, then those of other backends.
fn timing(report: &Report) -> Option<String> {
    let outcome: &Outcome = report.outcome()?;
    let job = &report.request.job;
    let emulated = if outcome.software_gpu { " (a GPU emulated by software)" } else { "" };
    let mut text = format!(
        "{} of {}, {}, by {} on {}{emulated}\n",
        job.transform,
        job.signal.name,
        job.signal.kind.size(outcome.shape.rows, outcome.shape.columns),
        outcome.algorithm,
        outcome.device
    );
    let times = &outcome.times;
    let launches = times.launch_micros.iter().enumerate().map(|(index, &micros)| (format!("launch {}", index + 1), micros));
    let rest = (times.prepare_micros - times.open_micros - times.compile_micros).max(0.0);
    let before = [("open", times.open_micros), ("compile", times.compile_micros), ("prepare", rest), ("upload", times.upload_micros)];
    let lines = before
        .map(|(name, micros)| (name.to_owned(), micros))
        .into_iter()
        .chain(launches)
        .chain([("download".to_owned(), times.download_micros), ("total, without preparation".to_owned(), times.total_micros)])
        .chain(again(&outcome.again))
        .chain(
            outcome
                .as_set
                .iter()
                .chain(&outcome.comparisons)
                .map(|other| (format!("{}, whole result, median of {}", other.name, other.n_runs), other.micros)),
        );
    for (name, micros) in lines {
        writeln!(text, "  {name:40} {:>10.3} ms", micros / 1e3).expect("writing to a string does not fail");
    }
    if let Some(error) = outcome.error {
        let error = if error == 0.0 { "exact".into() } else { format!("{error:.1e}") };
        writeln!(text, "  {:40} {error:>10}", "relative error against double precision").expect("writing to a string does not fail");
    }
    Some(text)
}

//! Outputs: a file, written completely or not at all, or standard output for `-`.

use super::arguments::ValuesOutput;
use super::closed::was_closed;
use super::{Failure, say};
use crate::figure::FigureFormat;
use crate::remedy::ending_list;
use crate::signal::{Axis, Channel, DEFAULT_RATE_HZ, FileError, OutputFormat, Samples, Sampling, Signal, SignalKind, replace, save, write};
use crate::transforms::Shape;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The highest sampling rate of a WAV file, whose header has 32 bits for the bytes per second.
const MOST_HERTZ: f64 = 1e8;

/// Whether `path` means standard output.
pub(super) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Refuses a path that cannot be written, before any work is done.
pub(super) fn check(path: &Path) -> Result<(), Failure> {
    if is_standard(path) {
        return Ok(());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => {
            Err(Failure::Work(format!("cannot write {}: there is no folder {}", path.display(), folder.display())))
        }
        _ if path.is_dir() => Err(Failure::Work(format!("cannot write {}: it is a folder", path.display()))),
        _ => Ok(()),
    }
}

/// The output format, from the ending of the file or from --format.
///
/// # Errors
/// If the ending is unknown, the path cannot be written, or --rate is given to a format that does not hold it, while the work does not need it either.
pub(super) fn values_format(to: &ValuesOutput, needs_rate: bool) -> Result<&'static OutputFormat, Failure> {
    let format = if is_standard(&to.output) { to.format } else { OutputFormat::of(&to.output)? };
    match to.rate {
        Some(_) if !format.holds.sample_rate && !needs_rate => {
            return Err(Failure::Call("only WAV and SigMF say a sampling rate: write .wav or .sigmf-data, or leave --rate out".into()));
        }
        Some(rate) if is_wav(format) && whole_hertz(rate).is_none() => {
            return Err(Failure::Call(format!(
                "a WAV cannot say {rate}: take a whole number of Hz from 1 to {MOST_HERTZ}, or write .csv or .npy"
            )));
        }
        _ => {}
    }
    if is_standard(&to.output) && format.endings.contains(&"sigmf-data") {
        return Err(Failure::Call("SigMF is two files, which a stream does not hold: write a .sigmf-data file".into()));
    }
    check(&to.output)?;
    Ok(format)
}

/// Whether a format has a rate in whole Hz in every file.
fn is_wav(format: &OutputFormat) -> bool {
    format.endings.contains(&"wav")
}

/// The rate that a WAV has; `None` for one that it cannot say.
fn whole_hertz(rate: Sampling) -> Option<f64> {
    rate.rate_hz().filter(|hertz| (1.0..=MOST_HERTZ).contains(hertz) && hertz.fract() == 0.0)
}

/// Refuses a result that a format cannot hold, before any work is done. Kind, shape and channel names are those of the result, which may be complex.
///
/// # Errors
/// If it is complex, or has more rows, channels or bytes than the format takes.
pub(super) fn check_holds(
    to: &ValuesOutput,
    format: &OutputFormat,
    kind: SignalKind,
    is_complex: bool,
    shape: Shape,
    names: &[&str],
) -> Result<(), Failure> {
    if is_complex {
        return check_complex(to, format, "what comes of complex samples");
    }
    // Samples of 8 bits: every format accepts them, and they need the least memory.
    let channels = names.iter().map(|&name| Channel::new(name, Samples::U8(vec![0; shape.len()]))).collect();
    let signal = Signal::from_channels("result", kind, (shape.rows, shape.columns), channels);
    Ok(format.check(&to.output.display().to_string(), &signal)?)
}

/// Refuses complex results in formats of real numbers, before any work is done.
///
/// # Errors
/// If the format holds no complex numbers.
pub(super) fn check_complex(to: &ValuesOutput, format: &OutputFormat, what: &str) -> Result<(), Failure> {
    if format.holds.complex {
        return Ok(());
    }
    Err(Failure::Call(format!(
        "cannot write {}: {what} is complex, and this format holds real numbers: write {}, or take 'papillon spectrum' for the spectrum image",
        to.output.display(),
        ending_list(&OutputFormat::endings_where(|holds| holds.complex))
    )))
}

/// Writes a signal. A WAV has the sampling rate of --rate, or that of the signal; a table has the positions that --rate says as its first column.
pub(super) fn values(to: &ValuesOutput, format: &OutputFormat, mut signal: Signal) -> Result<(), Failure> {
    if let Some(rate) = to.rate {
        let axis = Axis::new("", rate);
        if format.endings.contains(&"csv") && signal.rows == 1 && !signal.is_complex() {
            let positions = (0..signal.columns).map(|sample| sample as f64 / rate.per_unit).collect();
            signal.channels.insert(0, Channel::new(axis.label(), Samples::F64(positions)));
        } else if !format.holds.sample_rate {
            say(&format!("{} holds no rate of samples: write .wav, .sigmf-data or a table, which do", format.name));
        }
        signal.axis = Some(axis);
    } else if is_wav(format) && signal.rate_hz().is_none() {
        say(&format!("no sampling rate is known of {}, so that the WAV says {DEFAULT_RATE_HZ} Hz: --rate says another one", signal.name));
    }
    if IS_KEPT.load(Ordering::Relaxed) {
        write(&mut *KEPT.lock().unwrap_or_else(PoisonError::into_inner), &signal, format)?;
    } else if is_standard(&to.output) {
        refuse_closed()?;
        write(&mut BufWriter::new(io::stdout().lock()), &signal, format)?;
    } else {
        save(&to.output, &signal)?;
    }
    Ok(())
}

/// The output of a call, for [`kept`].
static KEPT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Whether [`values`] and [`bytes`] keep what they get, and write nothing.
static IS_KEPT: AtomicBool = AtomicBool::new(false);

/// The bytes that a call writes by [`values`], [`bytes`] or [`print()`], which write nothing meanwhile.
///
/// # Errors
/// That of the call.
pub(super) fn kept(call: impl FnOnce() -> Result<(), Failure>) -> Result<Vec<u8>, Failure> {
    IS_KEPT.store(true, Ordering::Relaxed);
    let done = call();
    IS_KEPT.store(false, Ordering::Relaxed);
    let kept = std::mem::take(&mut *KEPT.lock().unwrap_or_else(PoisonError::into_inner));
    done.map(|()| kept)
}

/// Writes the bytes of `write`.
pub(super) fn bytes(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    if IS_KEPT.load(Ordering::Relaxed) {
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        return write(&mut *kept).map_err(|source| FileError::Io { verb: "write", path: path.into(), source }.into());
    }
    if !is_standard(path) {
        return Ok(replace(path, write)?);
    }
    refuse_closed()?;
    let mut out = BufWriter::new(io::stdout().lock());
    let done = write(&mut out).and_then(|()| out.flush());
    done.map_err(|source| FileError::Io { verb: "write", path: "standard output".into(), source }.into())
}

/// Refuses a standard output that was closed before the program began.
fn refuse_closed() -> Result<(), Failure> {
    if was_closed() {
        return Err(Failure::Work("cannot write to standard output: it is closed".into()));
    }
    Ok(())
}

/// Writes text to standard output.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    bytes(Path::new("-"), |out| out.write_all(text.as_bytes()))
}

/// The help of an output: the endings of its file, and what else there is.
pub(super) fn endings_help(endings: &[&'static str], more: &str) -> String {
    format!("A file that ends in {}, or - for standard output{more}", ending_list(endings))
}

/// The format of a figure, from the ending of the file; `what` is drawn.
///
/// # Errors
/// If the ending is another one, or the path cannot be written.
pub(super) fn figure_format(path: &Path, what: &str) -> Result<FigureFormat, Failure> {
    let refused = || format!("cannot write {}: {what} is written as {}", path.display(), ending_list(&FigureFormat::endings()));
    let format = FigureFormat::from_path(path).ok_or_else(|| Failure::Call(refused()))?;
    check(path)?;
    Ok(format)
}

/// The format of a table, from the ending of the file: one of `endings`; standard output gets the first one.
///
/// # Errors
/// If the ending is another one, or the path cannot be written.
pub(super) fn table_format(path: &Path, endings: &[&'static str]) -> Result<&'static str, Failure> {
    if is_standard(path) {
        return Ok(endings[0]);
    }
    let found = endings.iter().find(|known| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(known)));
    let found = found.ok_or_else(|| Failure::Call(format!("cannot write {}: write {}", path.display(), ending_list(endings))))?;
    check(path)?;
    Ok(found)
}

//! `papillon transfer`: the transfer function between two channels, their coherence and their delay.

use super::arguments::{ComputeArguments, ValuesOutput, one_of};
use super::progress::Progress;
use super::signals::{FrameArguments, PairArguments, Recording, Rows, Table, ValueFormat, frame_facts, measured, precision};
use super::{Failure, output, say};
use crate::numerals::{counted, number};
use crate::plan::Precision;
use crate::signal::{OutputFormat, Samples, Signal};
use crate::spectra::{Alignment, CrossSpectrum, Delay, Estimator, Frames, Rate, aligned_cross, decay_times, impulse_response};
use crate::statistics::largest;
use clap::Args;
use num_complex::Complex64;
use std::path::{Path, PathBuf};

/// Writes the transfer function from a channel x to a channel y, and their coherence.
///
/// Columns frequency,gain,phase,coherence: |H| linear and arg H in rad. h1 is Pxy/Pxx, right where the noise is on y; h2 is Pyy/Pyx, right where it is on x. The coherence |Pxy|²/(Pxx·Pyy) is 1 for a single average, which says nothing.
/// A sweep and its recording give the impulse response of a room, with its reverberation times (ISO 3382: EDT, T20, T30).
/// The delay of y to x comes from the slope of the phase, each value by its coherence, with its standard deviation.
///
/// Example: papillon transfer played.wav recorded.wav --length 8192 --overlap 50% -o response.csv
/// Example: papillon transfer sweep.wav recorded.wav --impulse-response room.wav -o response.csv
/// Example: papillon transfer stereo.wav --channels left,right --from 2s --to 12s -o response.json
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct TransferArguments {
    #[command(flatten)]
    pair: PairArguments,
    #[command(flatten)]
    frames: FrameArguments,
    /// The estimator: h1 or h2.
    #[arg(long, default_value = "h1", value_parser = one_of::<Estimator>(), ignore_case = true)]
    estimator: Estimator,
    /// Whether frames of y begin later by a long delay, so that both frames hold the same sound: delay, or none, where the delay lowers gain and coherence.
    #[arg(long, default_value = "delay", value_parser = one_of::<Alignment>(), ignore_case = true)]
    align: Alignment,
    /// Adds the group delay −dφ/dω as a last column.
    #[arg(long)]
    group_delay: bool,
    /// Also writes the impulse response from x to y, from lag 0 on and as long as y, to a file that ends in .wav, .npy or .csv: the spectrum of the whole y over that of the whole x.
    #[arg(long, value_name = "OUTPUT")]
    impulse_response: Option<PathBuf>,
    #[command(flatten)]
    compute: ComputeArguments,
    /// A file that ends in .csv or .json, or - for CSV on standard output.
    #[arg(short, long, value_name = "OUT.csv|.json")]
    output: PathBuf,
}

pub(super) fn run(arguments: &TransferArguments) -> Result<(), Failure> {
    let format = ValueFormat::of(&arguments.output, None, &["csv", "json"])?;
    let response = arguments.impulse_response.as_ref().map(|path| response_file(path)).transpose()?;
    let [mut x, mut y] = arguments.pair.load()?;
    if let Some((to, format)) = response {
        write_response(&to, format, [&x, &y], &arguments.compute)?;
    }
    let end = x.samples.end.min(y.samples.end);
    (x.samples.end, y.samples.end) = (end, end);
    let precision = precision(&arguments.compute, &[x.track()?, y.track()?]);
    let frames = arguments.frames.of(Frames::default())?;
    let about = format!("computing the transfer function of {} and {}", x.signal.name, y.signal.name);
    let found = measured(&[&x, &y], frames, (&arguments.compute, precision), about, |job| Ok(aligned_cross(job, arguments.align)?))?;
    let delay = found.delay();
    let (estimator, per_unit) = (arguments.estimator, x.rate.per_unit);
    let removed = delay.map_or(0.0, |delay| delay.samples);
    let column = |of: &dyn Fn(f64, usize) -> f64| -> Vec<f64> { found.frequencies().map(|(frequency, bin)| of(frequency, bin)).collect() };
    let phase = |h: Complex64| if h.is_finite() { h.arg() } else { f64::NAN };
    let mut columns = vec![
        ("frequency", column(&|frequency, _| frequency)),
        ("gain", column(&|_, bin| found.transfer(bin, estimator).norm())),
        ("phase", column(&|_, bin| phase(found.transfer(bin, estimator)))),
        ("coherence", column(&|_, bin| found.coherence(bin))),
    ];
    let mut units = format!("frequency in {}, gain linear, phase in rad", x.rate.frequency());
    if arguments.group_delay {
        columns.push(("group_delay", column(&|_, bin| found.group_delay(bin, estimator, removed) / per_unit)));
        units += &format!(", group delay in {}", x.rate.unit());
    }
    let mut facts = x.facts();
    facts.extend([("y", y.signal.name.clone()), ("channel of y", y.signal.channel_name(y.channel))]);
    facts.extend(frame_facts(&found.frames, &found.calibration, x.rate));
    facts.extend([("averages", found.count.to_string()), ("estimator", estimator.to_string()), ("units", units)]);
    if let Some(Delay { samples, deviation }) = delay {
        facts.push(("delay", samples.to_string()));
        facts.push(("delay seconds", (samples / per_unit).to_string()));
        facts.extend(deviation.map(|deviation| ("delay deviation", deviation.to_string())));
    }
    facts.push(("frames of y begin later by", found.shift.to_string()));
    let columns: Vec<(&str, &[f64])> = columns.iter().map(|(name, values)| (*name, &values[..])).collect();
    Table { facts: &facts, columns: &columns, double: precision == Precision::Double }.write(&arguments.output, format)?;
    tell(&found, delay, x.rate);
    Ok(())
}

/// The file of an impulse response, which cannot go to standard output beside the table, and its format.
fn response_file(path: &Path) -> Result<(ValuesOutput, &'static OutputFormat), Failure> {
    if output::is_standard(path) {
        return Err(Failure::Call("--impulse-response takes a file: write one that ends in .wav, .npy or .csv".into()));
    }
    let to = ValuesOutput { output: path.to_owned(), format: OutputFormat::of(path)?, rate: None };
    let format = output::values_format(&to, true)?;
    Ok((to, format))
}

/// Writes the impulse response between the whole selections, and says how fast it decays.
fn write_response(
    to: &ValuesOutput,
    format: &'static OutputFormat,
    [x, y]: [&Recording; 2],
    compute: &ComputeArguments,
) -> Result<(), Failure> {
    let (a, b) = (x.track()?, y.track()?);
    let rows = Rows::of(compute, Precision::Double)?;
    let run = rows.as_ref().map(|rows| |batch| rows.run(batch));
    let tracks = [(&a, x.samples.clone()), (&b, y.samples.clone())];
    let found = {
        let _progress = Progress::start(format!("finding the impulse response from {} to {}", x.signal.name, y.signal.name));
        let found = impulse_response(tracks, run.as_ref().map(|run| run as _), super::cancel());
        found.map_err(|error| Rows::failure(rows.as_ref(), error))?
    };
    let times = decay_times(&found, x.rate.per_unit);
    let time = |name: &str, time: Option<f64>| {
        let text = time.map_or("hidden by noise".into(), |time| format!("{} {}", number(time, 4), x.rate.unit()));
        format!("{name} {text}")
    };
    let peak = largest(&found).unwrap_or_default();
    say(&format!(
        "the impulse response is largest after {}; {}, {}, {}",
        counted(peak, "sample"),
        time("EDT", times.early),
        time("T20", times.t20),
        time("T30", times.t30)
    ));
    let signal = Signal::row(format!("response of {}", y.signal.name), Samples::F64(found));
    output::values(to, format, Signal { axis: x.signal.axis.clone(), ..signal })
}

fn tell(found: &CrossSpectrum, delay: Option<Delay>, rate: Rate) {
    if found.count == 1 {
        say("a single average: its coherence is 1 whatever the signals are; a shorter --length gives more");
    }
    if found.skipped > 0 {
        say(&format!("{} with samples that are infinite or not a number do not count", counted(found.skipped, "frame")));
    }
    if found.shift != 0 {
        say(&format!("{}, because the delay is long for them: --align none keeps them in place", found.shift_text()));
    }
    match delay {
        None => say("the signals share nothing whose phase tells a delay"),
        Some(Delay { samples, deviation }) => {
            let deviation = deviation.map_or(String::new(), |deviation| format!(" ± {}", number(deviation, 2)));
            let time = samples / rate.per_unit;
            say(&format!("y comes {}{deviation} samples after x, {} {}", number(samples, 7), number(time, 7), rate.unit()));
        }
    }
}

//! `papillon transfer`: the transfer function between two channels, their coherence and their delay.

use super::arguments::{ComputeArguments, one_of};
use super::signals::{FrameArguments, PairArguments, Table, ValueFormat, frame_facts, is_double, measured};
use super::{Failure, say};
use crate::numerals::{counted, number};
use crate::spectra::{CrossSpectrum, Delay, Estimator, Frames, Rate, cross};
use clap::Args;
use std::path::PathBuf;

/// Writes the transfer function from a channel x to a channel y, and their coherence.
///
/// Columns frequency,gain,phase,coherence: |H| linear and arg H in rad. h1 is Pxy/Pxx, right where the noise is on y; h2 is Pyy/Pyx, right where it is on x. The coherence |Pxy|²/(Pxx·Pyy) is 1 for a single average, which says nothing.
/// The delay of y to x comes from the slope of the phase, each value by its coherence, with its standard deviation.
///
/// Example: papillon transfer played.wav recorded.wav --length 8192 --overlap 50% -o response.csv
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
    #[command(flatten)]
    compute: ComputeArguments,
    /// A file that ends in .csv or .json, or - for CSV on standard output.
    #[arg(short, long, value_name = "OUT.csv|.json")]
    output: PathBuf,
}

pub(super) fn run(arguments: &TransferArguments) -> Result<(), Failure> {
    let format = ValueFormat::of(&arguments.output, None, &["csv", "json"])?;
    let [x, y] = arguments.pair.load(true)?;
    let double = is_double(&arguments.compute, &x.track()?) || is_double(&arguments.compute, &y.track()?);
    let frames = arguments.frames.of(Frames::default())?;
    let about = format!("computing the transfer function of {} and {}", x.signal.name, y.signal.name);
    let found = measured(&[&x, &y], frames, (&arguments.compute, double), about, |job| {
        Ok(if double { cross::<f64>(job)? } else { cross::<f32>(job)? })
    })?;
    let delay = found.delay();
    let places: Vec<(f64, usize)> = found.frequencies().collect();
    let transfer = |of: fn(num_complex::Complex64) -> f64| -> Vec<f64> {
        places.iter().map(|(_, bin)| of(found.transfer(*bin, arguments.estimator))).collect()
    };
    let frequencies: Vec<f64> = places.iter().map(|(frequency, _)| *frequency).collect();
    let coherence: Vec<f64> = places.iter().map(|(_, bin)| found.coherence(*bin)).collect();
    let (gain, phase) = (transfer(|h| h.norm()), transfer(|h| if h.is_finite() { h.arg() } else { f64::NAN }));
    let mut facts = x.facts();
    facts.extend([("y", y.signal.name.clone()), ("channel of y", y.signal.channel_name(y.channel))]);
    facts.extend(frame_facts(&found.frames, &found.calibration, x.rate));
    facts.extend([
        ("averages", found.count.to_string()),
        ("estimator", arguments.estimator.to_string()),
        ("units", format!("frequency in {}, gain linear, phase in rad", x.rate.frequency())),
    ]);
    if let Some(Delay { samples, deviation }) = delay {
        facts.push(("delay", samples.to_string()));
        facts.push(("delay seconds", (samples / x.rate.per_unit).to_string()));
        facts.extend(deviation.map(|deviation| ("delay deviation", deviation.to_string())));
    }
    let columns: [(&str, &[f64]); 4] = [("frequency", &frequencies), ("gain", &gain), ("phase", &phase), ("coherence", &coherence)];
    Table { facts: &facts, columns: &columns, double }.write(&arguments.output, format)?;
    tell(&found, delay, x.rate);
    Ok(())
}

fn tell(found: &CrossSpectrum, delay: Option<Delay>, rate: Rate) {
    if found.count == 1 {
        say("a single average: its coherence is 1 whatever the signals are; a shorter --length gives more");
    }
    if found.skipped > 0 {
        say(&format!("{} with samples that are infinite or not a number do not count", counted(found.skipped, "frame")));
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

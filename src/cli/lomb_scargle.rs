//! `papillon spectrum --lomb-scargle`: the periodogram of samples at even or uneven positions.

use super::output::table_format;
use super::progress::Progress;
use super::remedy::in_words;
use super::table::{ChannelArguments, TableArguments};
use super::{Failure, output, say};
use crate::engine::filter::sample_spacing;
use crate::filter::WrittenFrequency;
use crate::numerals::{counted, counted_as, number};
use crate::periodogram::{Periodogram, PeriodogramPeak, PeriodogramRange, periodogram};
use crate::signal::{Axis, AxisUnit, ChannelChoice, Sampling, Signal, SignalKind};
use clap::Args;
use serde_json::json;
use std::fmt::Write as _;
use std::path::Path;

/// The periodogram instead of a spectrum image.
#[derive(Debug, Args)]
pub(super) struct LombScargleArguments {
    /// Writes the Lomb-Scargle periodogram of a recording or a table as .csv or .json: how much of the variance a sine of each frequency explains, at positions that need not be even. The mean floats (Zechmeister & Kürster 2009), and the power is normalised from 0 to 1.
    #[arg(long, conflicts_with_all = ["scale", "no_shift", "colormap", "pixel_size", "PreparationArguments", "algorithm", "device", "precision", "uneven", "batch", "length", "overlap", "average", "quantity", "db", "from", "to", "full_scale", "reference", "range", "frequency_axis", "size", "format"])]
    pub(super) lomb_scargle: bool,
    /// The highest frequency of the periodogram, in cycles per unit of the positions or with its unit, as 0.5Hz, 2/day or 3hours [default: half the mean number of samples in a unit].
    #[arg(long, value_name = "F", allow_hyphen_values = true)]
    highest: Option<WrittenFrequency>,
    /// Frequencies of the periodogram across the width of a peak.
    #[arg(long, value_name = "COUNT", default_value = "5", value_parser = per_peak, allow_hyphen_values = true)]
    per_peak: f64,
}

/// Parses the number of frequencies across a peak.
fn per_peak(text: &str) -> Result<f64, String> {
    let count = text.parse().ok().filter(|count| (1.0..=1000.0).contains(count));
    count.ok_or_else(|| format!("'{text}' cannot be the number of frequencies across a peak: take 1 to 1000"))
}

/// Writes the periodogram of a channel of a file.
pub(super) fn run(
    arguments: &LombScargleArguments,
    (path, table, channel, rate): (&Path, &TableArguments, &ChannelArguments, Option<Sampling>),
    to: &Path,
) -> Result<(), Failure> {
    let is_json = table_format(to, &["csv", "json"])? == "json";
    let mut signal = table.load_stamps(path)?;
    let channel = channel.of(&signal)?;
    if let Some(rate) = rate {
        signal.axis = Some(Axis::new("", rate));
    }
    check(&signal, channel)?;
    let unit = signal.axis.as_ref().map(|axis| axis.unit);
    let found = {
        let _progress = Progress::start(format!("computing the periodogram of {}", signal.name));
        periodogram(&signal.stamped(signal.axis.as_ref(), channel)?, range(arguments, unit)?, super::cancel())
            .map_err(|error| Failure::Work(in_words(&error)))?
    };
    let text = if is_json { as_json(&signal, channel, unit, &found) } else { as_csv(&signal, channel, unit, &found) };
    output::bytes(to, |out| out.write_all(text.as_bytes()))?;
    say(&told(&found, unit));
    Ok(())
}

/// Refuses all but one row of real samples.
fn check(signal: &Signal, channel: ChannelChoice) -> Result<(), Failure> {
    let Signal { name, kind, rows, .. } = signal;
    match () {
        () if *kind == SignalKind::Image || *rows > 1 => Err(Failure::Call(format!(
            "{name} is no single signal ({signal}): a Lomb-Scargle periodogram takes a recording or columns of a table"
        ))),
        () if signal.is_complex_in(channel) => {
            Err(Failure::Call(format!("{name} has complex samples: a Lomb-Scargle periodogram takes real ones")))
        }
        () => Ok(()),
    }
}

fn range(arguments: &LombScargleArguments, unit: Option<AxisUnit>) -> Result<PeriodogramRange, Failure> {
    // One sample in a unit: cycles per sample are cycles per unit.
    let spacing = sample_spacing(None, unit.map(|unit| Sampling { per_unit: 1.0, unit }));
    let highest = arguments.highest.map(|written| written.cycles(spacing)).transpose();
    let highest = highest.map_err(|error| Failure::Call(error.to_string()))?;
    Ok(PeriodogramRange { per_peak: arguments.per_peak, highest })
}

/// The units of frequencies and periods in words; without an axis positions count samples.
fn units(unit: Option<AxisUnit>) -> [&'static str; 2] {
    match unit {
        Some(unit) => [unit.frequency(), if unit == AxisUnit::Index { "units" } else { unit.symbol() }],
        None => ["cycles per sample", "samples"],
    }
}

fn period(unit: Option<AxisUnit>, frequency: f64) -> String {
    match unit {
        Some(unit) => unit.amount(1.0 / frequency, 6),
        None => format!("{} samples", number(1.0 / frequency, 6)),
    }
}

/// The strongest peak in one line.
fn told(found: &Periodogram, unit: Option<AxisUnit>) -> String {
    let level = number(found.one_percent, 3);
    let start = format!("{} from {}", counted_as(found.grid.n, "frequency", "frequencies"), counted(found.n_samples, "sample"));
    match found.peaks.first() {
        Some(&PeriodogramPeak { frequency, power, .. }) => {
            let side = if power > found.one_percent { "above" } else { "below" };
            format!(
                "{start}: the strongest peak at {} {}, period {}, has power {}, {side} the 1 % false-alarm level {level} (Baluev 2008)",
                number(frequency, 6),
                units(unit)[0],
                period(unit, frequency),
                number(power, 4)
            )
        }
        None => format!("{start}: no peak; the 1 % false-alarm level is {level} (Baluev 2008)"),
    }
}

fn as_csv(signal: &Signal, channel: ChannelChoice, unit: Option<AxisUnit>, found: &Periodogram) -> String {
    let [frequencies, periods] = units(unit);
    let lines = [
        format!("Lomb-Scargle periodogram of {}, channel {}", signal.name, signal.channel_name(channel)),
        "a constant, a cosine and a sine fitted at every frequency (Zechmeister & Kürster 2009)".to_owned(),
        "power: share of the variance that the fit explains, from 0 to 1 (\"standard\" in astropy)".to_owned(),
        format!("frequency: {frequencies}; period: {periods}"),
        format!(
            "samples: {}; span: {} {periods}; highest frequency: {}",
            found.n_samples,
            found.span,
            found.grid.frequency(found.grid.n - 1)
        ),
        format!("false-alarm level 1 %: {} (Baluev 2008)", found.one_percent),
    ];
    let mut text: String = lines.iter().map(|line| format!("# {}\n", line.replace(['\n', '\r'], " "))).collect();
    text += "frequency,period,power\n";
    for (index, power) in found.power.iter().enumerate() {
        let frequency = found.grid.frequency(index);
        writeln!(text, "{frequency},{},{power}", 1.0 / frequency).expect("a String takes any text");
    }
    text
}

fn as_json(signal: &Signal, channel: ChannelChoice, unit: Option<AxisUnit>, found: &Periodogram) -> String {
    let [frequencies, periods] = units(unit);
    let peak = |&PeriodogramPeak { frequency, power, amplitude }: &PeriodogramPeak| json!({ "frequency": frequency, "period": 1.0 / frequency, "power": power, "amplitude": amplitude });
    let all = json!({
        "signal": signal.name, "channel": signal.channel_name(channel), "method": "Lomb-Scargle, floating mean (Zechmeister & Kürster 2009)",
        "normalisation": "standard", "frequency_unit": frequencies, "period_unit": periods, "samples": found.n_samples, "span": found.span,
        "false_alarm_level": { "probability": 0.01, "power": found.one_percent, "method": "Baluev 2008" },
        "peaks": found.peaks.iter().map(peak).collect::<Vec<_>>(),
        "step": found.grid.step, "power": found.power,
    });
    format!("{all:#}\n")
}

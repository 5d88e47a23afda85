//! `papillon tone`: how pure a tone is, and what noise is beside it.

use super::Failure;
use super::arguments::{ComputeArguments, from_one};
use super::output;
use super::signals::{LevelArguments, Recording, SelectArguments, measured, rounded};
use super::table::{ChannelArguments, TableArguments};
use crate::numerals::number;
use crate::plan::Precision;
use crate::spectra::{Frames, Quantity, Rate, Reference, Tone, ToneRequest, tone};
use clap::Args;
use serde_json::json;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Measures a tone of a recording: its level, distortion and noise.
///
/// The power of a tone is summed over the main lobe of a Kaiser window (β = 38, side lobes below −160 dB) of the whole selection; noise under a lobe is the median beside it.
/// thd: harmonics 2 to H over the fundamental. thdn: everything but frequency 0 and the fundamental over the fundamental; sinad is its inverse. snr: the fundamental over everything but frequency 0 and the harmonics. sfdr: the fundamental over the largest other line. enob = (sinad − 1.76)/6.02. noise_floor: the mean density of the noise, in dB for 1 Hz.
///
/// Example: papillon tone amplifier.wav --from 1s --to 11s --band 20..20000 --json
/// Example: papillon tone mains.csv --at 50 --harmonics 40
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct ToneArguments {
    /// A recording, - for standard input, an array of one dimension, or a table of columns.
    recording: PathBuf,
    /// The fundamental: the strongest value within a hundredth of this frequency [default: the strongest of all].
    #[arg(long, value_name = "F", value_parser = frequency, allow_hyphen_values = true)]
    at: Option<f64>,
    /// The highest harmonic that counts; those above half the rate or the band are left out.
    #[arg(long, value_name = "H", default_value = "10", value_parser = from_one, allow_negative_numbers = true)]
    harmonics: NonZeroUsize,
    /// The frequencies that count, as 20..20000 or 20Hz..20kHz [default: all].
    #[arg(long, value_name = "A..B", value_parser = band, allow_hyphen_values = true)]
    band: Option<[f64; 2]>,
    #[command(flatten)]
    channel: ChannelArguments,
    #[command(flatten)]
    table: TableArguments,
    #[command(flatten)]
    select: SelectArguments,
    #[command(flatten)]
    level: LevelArguments,
    #[command(flatten)]
    compute: ComputeArguments,
    /// For programs: JSON on standard output.
    #[arg(long)]
    json: bool,
}

/// Parses a frequency in the unit of the recording, or in Hz with its prefix.
pub(super) fn frequency(text: &str) -> Result<f64, String> {
    let lower = text.trim().to_ascii_lowercase();
    let (number, factor) = [("khz", 1e3), ("mhz", 1e6), ("ghz", 1e9), ("hz", 1.0), ("k", 1e3)]
        .into_iter()
        .find_map(|(unit, factor)| Some((lower.strip_suffix(unit)?.trim().to_owned(), factor)))
        .unwrap_or((lower, 1.0));
    let value = number.parse().ok().map(|value: f64| value * factor).filter(|value| value.is_finite() && *value >= 0.0);
    value.ok_or_else(|| format!("'{text}' is no frequency: take a number from 0 up, as 440 or 2.4kHz"))
}

/// Parses the ends of a band.
fn band(text: &str) -> Result<[f64; 2], String> {
    let (low, high) = text.split_once("..").ok_or_else(|| format!("'{text}' is no band: take A..B, as 20..20000"))?;
    let ends = [frequency(low)?, frequency(high)?];
    if ends[0] < ends[1] { Ok(ends) } else { Err(format!("'{text}' is no band: take the lower frequency first")) }
}

pub(super) fn run(arguments: &ToneArguments) -> Result<(), Failure> {
    let ToneArguments { compute, .. } = arguments;
    let recording = Recording::load(&arguments.recording, &arguments.table, &arguments.channel, &arguments.select)?;
    recording.say_channel();
    let request = ToneRequest { at: arguments.at, harmonics: arguments.harmonics.get(), band: arguments.band };
    let (frames, about) = (Frames::whole(recording.samples.len()), format!("measuring the tone of {}", recording.signal.name));
    let found = measured(&[&recording], frames, (compute, Precision::Double), about, |job| {
        Ok(tone(job, request).map_err(|error| error.in_unit_of(recording.rate))?)
    })?;
    let reference = arguments.level.of(&recording);
    let levels = [
        reference.decibels(found.amplitude, Quantity::Amplitude, &found.calibration),
        reference.decibels(found.noise_density, Quantity::Density, &found.calibration),
    ];
    let double = compute.numbers.precision != Some(Precision::Single);
    if arguments.json {
        output::print(&format!("{:#}\n", as_json(&recording, &found, levels, &reference, double)))
    } else {
        output::print(&as_text(&found, levels, &reference, recording.rate))
    }
}

fn as_json(recording: &Recording, found: &Tone, [level, floor]: [f64; 2], reference: &Reference, double: bool) -> serde_json::Value {
    let unit = recording.rate.frequency();
    let written = |value: f64| rounded(value, double);
    json!({
        "frequency": written(found.frequency), "level": written(level), "thd": written(found.thd), "thdn": written(found.thdn),
        "sinad": written(found.sinad), "snr": written(found.snr), "sfdr": written(found.sfdr), "noise_floor": written(floor),
        "enob": written(found.enob), "harmonics": found.harmonics, "band": found.band, "window": found.window.to_string(),
        "length": found.length, "rate": recording.rate.per_unit, "recording": recording.signal.name,
        "level_unit": reference.label(Quantity::Amplitude, unit), "noise_floor_unit": reference.label(Quantity::Density, unit),
        "frequency_unit": unit,
    })
}

fn as_text(found: &Tone, [level, floor]: [f64; 2], reference: &Reference, rate: Rate) -> String {
    let unit = rate.frequency();
    let decibels = |value: f64| format!("{} dB", number(value, 6));
    let [low, high] = found.band.map(|end| number(end, 6));
    let lines = [
        ("frequency", format!("{} {unit}", number(found.frequency, 10)), "the fundamental".to_owned()),
        ("level", format!("{} {}", number(level, 6), reference.label(Quantity::Amplitude, unit)), "of its peak amplitude".into()),
        ("thd", decibels(found.thd), format!("harmonics 2 to {} over the fundamental", found.harmonics)),
        ("thdn", decibels(found.thdn), "everything but frequency 0 and the fundamental over the fundamental".into()),
        ("sinad", decibels(found.sinad), "the fundamental over noise and distortion".into()),
        ("snr", decibels(found.snr), "the fundamental over everything but frequency 0 and the harmonics".into()),
        ("sfdr", decibels(found.sfdr), "the fundamental over the largest other line".into()),
        (
            "noise floor",
            format!("{} {}", number(floor, 6), reference.label(Quantity::Density, unit)),
            "the mean density of the noise".into(),
        ),
        ("enob", format!("{} bits", number(found.enob, 5)), "(sinad − 1.76)/6.02".into()),
        ("band", format!("{low} to {high} {unit}"), format!("{} window over {} samples", found.window, found.length)),
    ];
    lines.iter().map(|(name, value, about)| format!("{name:<12} {value:<28} {about}\n")).collect()
}

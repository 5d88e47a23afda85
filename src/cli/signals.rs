//! The parts that commands on recordings share: which samples are taken, how they are divided into frames, who transforms these, and what is written.

mod boxes;
mod look;
mod measure;
mod pair;
mod rows;
mod write;

pub(super) use boxes::BoxArguments;
pub(super) use look::{LookArguments, only_in_pictures};
pub(super) use measure::{Stopped, measured};
pub(super) use pair::PairArguments;
pub(super) use rows::{Rows, precision};
pub(super) use write::{Figures, Table, ValueFormat, array, comments, digits, picture_format, rounded, with_figures, write_picture};

use super::arguments::one_of;
use super::preparation::{Pad, window};
use super::table::{ChannelArguments, TableArguments};
use super::{Failure, say};
use crate::numerals::{counted, number};
use crate::prepare::{Detrend, Windowing};
use crate::signal::{Axis, Channel, ChannelChoice, Sampling, Signal, SignalKind, Track};
use crate::spectra::{Frames, Overlap, Place, Rate, Reference, Selection};
use clap::Args;
use std::ops::Range;
use std::path::Path;

/// The part of a recording that is taken.
#[derive(Debug, Default, Args)]
pub(super) struct PartArguments {
    /// The first sample of a recording that is taken: a time, as 12.3s or 1:02:03.5, or the number of a sample, as 590000 [default: the first].
    #[arg(long, value_name = "PLACE", allow_hyphen_values = true)]
    pub(super) from: Option<Place>,
    /// The end of what is taken of a recording, which does not belong to it: a time, as 14s, or the number of a sample [default: the end].
    #[arg(long, value_name = "PLACE", allow_hyphen_values = true)]
    pub(super) to: Option<Place>,
}

/// Which samples of a recording are taken.
#[derive(Debug, Default, Args)]
pub(super) struct SelectArguments {
    #[command(flatten)]
    pub(super) part: PartArguments,
    /// How the samples follow each other, in place of what the file says, as 48kHz, 0.5ms, '12 per year' or 1day.
    #[arg(long, value_name = "RATE", allow_hyphen_values = true)]
    pub(super) rate: Option<Sampling>,
}

/// The reference of decibels.
#[derive(Debug, Args)]
pub(super) struct LevelArguments {
    /// Full scale: a sine of this peak amplitude is 0 dBFS [default: 1 for recordings].
    #[arg(long, value_name = "V", value_parser = positive, allow_hyphen_values = true, conflicts_with = "reference")]
    pub(super) full_scale: Option<f64>,
    /// The value at 0 dB, with its unit, as 1V or 20uPa [default: full scale for recordings, 1 for tables and arrays].
    #[arg(long, value_name = "R", value_parser = reference, allow_hyphen_values = true)]
    pub(super) reference: Option<Reference>,
}

/// The length and the overlap of frames.
#[derive(Debug, Args)]
pub(super) struct LengthArguments {
    /// Samples of a frame of a recording, any number from 2 on.
    #[arg(long, value_name = "L", allow_hyphen_values = true)]
    pub(super) length: Option<usize>,
    /// The overlap of frames: a part of their length, as 75%, or a number of samples.
    #[arg(long, value_name = "75%|N", allow_hyphen_values = true)]
    pub(super) overlap: Option<Overlap>,
}

/// How the samples of a recording are divided into frames.
#[derive(Debug, Args)]
pub(super) struct FrameArguments {
    #[command(flatten)]
    pub(super) length: LengthArguments,
    /// Multiplies each frame by a window: none, hann, hamming, blackman, blackman-harris, flat-top, tukey[:α], gauss[:σ] or kaiser[:β].
    #[arg(long, value_name = "WINDOW", default_value = "hann", value_parser = window, allow_hyphen_values = true)]
    window: Windowing,
    /// Puts zeros behind each frame: fast (to products of 2, 3, 5 and 7), power (of two), 2x, 3x, … or N. Bins come closer, and the resolution stays.
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    pad: Option<Pad>,
    /// Removes the mean, or the straight line that fits best, from each frame before the window: none, mean or line.
    #[arg(long, value_name = "WHAT", default_value = "none", value_parser = one_of::<Detrend>(), ignore_case = true)]
    detrend: Detrend,
}

/// A recording with the samples of it that are taken.
pub(super) struct Recording {
    /// The file.
    pub(super) signal: Signal,
    /// The channel.
    pub(super) channel: ChannelChoice,
    /// How its samples follow each other.
    pub(super) rate: Rate,
    /// The samples that are taken.
    pub(super) samples: Range<usize>,
    /// The reference of decibels, unless an option names it.
    pub(super) reference: Reference,
}

/// Parses a number above 0.
fn positive(text: &str) -> Result<f64, String> {
    let value = text.trim().parse().ok().filter(|value: &f64| value.is_finite() && *value > 0.0);
    value.ok_or_else(|| format!("'{text}' is no number above 0"))
}

/// Parses a value above 0 with its unit, if it has one.
fn reference(text: &str) -> Result<Reference, String> {
    let text = text.trim();
    let is_number = |end: &usize| text.is_char_boundary(*end) && positive(&text[..*end]).is_ok();
    let end =
        (1..=text.len()).rev().find(is_number).ok_or_else(|| format!("'{text}' is no reference: take a number above 0, as 1V or 20e-6"))?;
    let (value, unit) = (positive(&text[..end])?, text[end..].trim());
    let prefixes = [("u", 1e-6), ("µ", 1e-6), ("m", 1e-3), ("n", 1e-9)];
    // A unit with a prefix, as µPa; a single letter is a unit of its own, as m.
    let scaled = prefixes.iter().find_map(|(prefix, factor)| Some((unit.strip_prefix(prefix).filter(|rest| !rest.is_empty())?, factor)));
    Ok(match scaled {
        Some((unit, factor)) => Reference::Value(value * factor, Some(unit.to_owned())),
        None => Reference::Value(value, (!unit.is_empty()).then(|| unit.to_owned())),
    })
}

impl PartArguments {
    /// The options that were given.
    pub(super) fn given(&self) -> [(&'static str, bool); 2] {
        [("from", self.from.is_some()), ("to", self.to.is_some())]
    }

    /// The indices of the samples of a recording that are taken.
    pub(super) fn samples(&self, samples: usize, rate: Rate) -> Result<Range<usize>, Failure> {
        Ok(Selection { from: self.from, to: self.to }.samples(samples, rate)?)
    }
}

impl SelectArguments {
    /// The options that were given.
    pub(super) fn given(&self) -> [(&'static str, bool); 3] {
        let [from, to] = self.part.given();
        [from, to, ("rate", self.rate.is_some())]
    }

    /// A recording, its channel and the samples that are taken.
    pub(super) fn of(&self, mut signal: Signal, channel: &str) -> Result<Recording, Failure> {
        let is_recording = signal.is_recording();
        if signal.rows > 1 || signal.kind.is_image() {
            signal = rows_as_channels(&signal)?;
        }
        let channel = signal.choice(channel)?;
        if signal.sampling().is_none() && signal.axis.is_some() && self.rate.is_none() {
            return Err(Failure::Call(format!(
                "the samples of {} have uneven steps: take --uneven linear, or say their rate by --rate",
                signal.name
            )));
        }
        if let Some(rate) = self.rate {
            signal.axis = Some(Axis::new("", rate));
        }
        let rate = Rate::from(signal.sampling());
        let samples = self.part.samples(signal.columns, rate)?;
        let unit = signal.channel(channel).and_then(|channel| channel.unit.clone());
        let reference = if is_recording { Reference::FullScale(1.0) } else { Reference::Value(1.0, unit) };
        Ok(Recording { signal, channel, rate, samples, reference })
    }
}

/// The rows of an array as the channels of a recording, or its columns if these are fewer.
fn rows_as_channels(signal: &Signal) -> Result<Signal, Failure> {
    const MOST: usize = 1024;
    let (are_columns, all) = (signal.columns < signal.rows, |n: usize| (0..n).map(Some).collect::<Vec<_>>());
    let (noun, n, samples) = if are_columns { ("column", signal.columns, signal.rows) } else { ("row", signal.rows, signal.columns) };
    if n > MOST {
        return Err(Failure::Call(format!("{} has {} as channels: a recording has at most {MOST}", signal.name, counted(n, noun))));
    }
    say(&format!("{}: each {noun} is a channel, as there are fewer of them", signal.name));
    let channel = |index: usize| {
        let only = [Some(index)];
        let part = if are_columns { signal.picked(&all(signal.rows), &only) } else { signal.picked(&only, &all(signal.columns)) };
        part.channels.into_iter().next().map(|channel| Channel::new(format!("{noun} {}", index + 1), channel.samples))
    };
    let channels = (0..n).filter_map(channel).collect();
    Ok(Signal { axis: signal.axis.clone(), ..Signal::from_channels(&*signal.name, SignalKind::Rows, (1, samples), channels) })
}

impl LevelArguments {
    /// The options that were given.
    pub(super) fn given(&self) -> [(&'static str, bool); 2] {
        [("full-scale", self.full_scale.is_some()), ("reference", self.reference.is_some())]
    }

    /// The reference of decibels of a recording.
    pub(super) fn of(&self, recording: &Recording) -> Reference {
        match (self.full_scale, &self.reference) {
            (Some(amplitude), _) => Reference::FullScale(amplitude),
            (None, Some(Reference::Value(value, None))) => {
                let unit = recording.signal.channel(recording.channel).and_then(|channel| channel.unit.clone());
                Reference::Value(*value, unit)
            }
            (None, Some(reference)) => reference.clone(),
            (None, None) => recording.reference.clone(),
        }
    }
}

impl FrameArguments {
    /// The frames, where nothing is said those of `usual`.
    pub(super) fn of(&self, usual: Frames) -> Result<Frames, Failure> {
        frames(usual, &self.length, (Some(self.window), self.pad, self.detrend))
    }
}

/// Frames as they are asked for, where nothing is said those of `usual`; the overlap stays a part of the length.
pub(super) fn frames(
    usual: Frames,
    LengthArguments { length, overlap }: &LengthArguments,
    (window, pad, detrend): (Option<Windowing>, Option<Pad>, Detrend),
) -> Result<Frames, Failure> {
    let length = length.unwrap_or(usual.length);
    let share = usual.overlap() as f64 / usual.length.max(1) as f64;
    let frames = Frames::new(length, overlap.unwrap_or(Overlap::Share(share)));
    let points = pad.map_or(Ok(length), |pad| pad.points(length))?;
    Ok(Frames { points, window: window.unwrap_or(frames.window), detrend, ..frames })
}

impl Recording {
    /// Reads a file as a recording, and says its notes.
    pub(super) fn load(path: &Path, table: &TableArguments, channel: &ChannelArguments, select: &SelectArguments) -> Result<Self, Failure> {
        let signal = table.load(path)?;
        select.of(signal, &channel.channel)
    }

    /// Its samples.
    pub(super) fn track(&self) -> Result<Track<'_>, Failure> {
        Ok(self.signal.track(self.channel)?)
    }

    /// The settings that a measure depends on, for every file: the recording, its channel, its rate and the samples.
    pub(super) fn facts(&self) -> Vec<(&'static str, String)> {
        let Range { start, end } = self.samples;
        vec![
            ("recording", self.signal.name.clone()),
            ("channel", self.signal.channel_name(self.channel)),
            ("rate", format!("{} samples per {}", self.rate.per_unit, self.unit_one())),
            ("samples", format!("{start}..{end}")),
        ]
    }

    fn unit_one(&self) -> &'static str {
        self.rate.unit.map_or("sample", crate::signal::AxisUnit::one)
    }

    /// Says which of several channels is taken, where nobody chose one.
    pub(super) fn say_channel(&self) {
        let n = self.signal.channels.len();
        if n > 1 && self.channel == ChannelChoice::Luma {
            let name = self.signal.channel_name(self.channel);
            let name = name.trim_start_matches("channel ");
            say(&format!("channel {name} of {n} is taken: --channel takes another one, mix or iq"));
        }
    }
}

/// The settings that a measure of frames depends on.
pub(super) fn frame_facts(frames: &Frames, calibration: &crate::spectra::Calibration, rate: Rate) -> Vec<(&'static str, String)> {
    let unit = rate.frequency();
    let mut facts = vec![
        ("length", counted(frames.length, "sample")),
        ("window", format!("{}, gain {}", frames.window, number(calibration.gain(), 6))),
        ("step", format!("{} {unit}", digits(calibration.step(), false))),
        ("noise bandwidth", format!("{} {unit}", digits(calibration.noise_bandwidth(), false))),
        ("overlap", counted(frames.overlap(), "sample")),
    ];
    if frames.points > frames.length {
        let resolution = calibration.rate / frames.length as f64;
        facts.push((
            "zero padding",
            format!("bins every {} {unit}, resolution {} {unit}", number(calibration.step(), 4), number(resolution, 4)),
        ));
    }
    if frames.detrend != Detrend::None {
        facts.push(("removed", if frames.detrend == Detrend::Mean { "mean".into() } else { "line".into() }));
    }
    facts
}

/// Whether a file is a recording for a command that takes images too: one row, or rows of which an option says that they are recordings.
pub(super) fn is_recording(signal: &Signal, table: &TableArguments, select: &SelectArguments) -> bool {
    let is_row = signal.rows == 1 && signal.kind == SignalKind::Rows;
    is_row || table.says_recording() || select.rate.is_some()
}

/// Refuses options that belong to the other kind of input.
pub(super) fn refuse<const N: usize>(signal: &Signal, noun: &str, given: [(&str, bool); N]) -> Result<(), Failure> {
    match given.into_iter().find(|(_, is_given)| *is_given) {
        Some((name, _)) => Err(Failure::Call(format!("{} is {noun}: leave --{name} out", signal.name))),
        None => Ok(()),
    }
}

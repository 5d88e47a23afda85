//! `papillon spectrogram`: the spectra of the frames of a recording over time, as values or as a picture.

mod picture;

use super::arguments::{ComputeArguments, one_of};
use super::signals::{
    Figures, FrameArguments, LevelArguments, Recording, SelectArguments, Stopped, ValueFormat, array, comments, digits, frame_facts,
    measured, picture_format, precision, with_figures,
};
use super::table::{ChannelArguments, TableArguments};
use super::{Failure, output, say};
use crate::numerals::{counted, number};
use crate::plan::Precision;
use crate::spectra::{Calibration, Frames, Method, Quantity, Real, Reference, SpectraJob, Spectrogram, spectrogram, wavelet_facts};
use clap::Args;
use picture::PictureArguments;
use std::path::{Path, PathBuf};

/// Writes the spectrogram of a recording: values, or a picture in which every frame counts.
///
/// NPY has a row for each frequency, from the lowest, and a column for each frame; CSV has the times in its first row and the frequencies in its first column. Values are linear unless --db asks for decibels; a picture shows decibels.
/// Frame m begins at sample m·hop of the selection; its time is that of its middle.
///
/// Example: papillon spectrogram birds.flac --from 60s --to 90s --range 80dB --colormap magma -o birds.png
/// Example: rtl_sdr -s 2400000 -n 24000000 - | papillon spectrogram - --raw cu8,1,2.4MHz --length 4096 -o band.png
/// Example: papillon spectrogram engine.wav --length 1024 --overlap 50% --quantity density --precision double -o engine.npy
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct SpectrogramArguments {
    /// A recording, - for standard input, an array of one dimension, or a table of columns.
    recording: PathBuf,
    /// The quantity: magnitude, amplitude, rms, power, density, density-root or, of single frames, phase.
    #[arg(long, value_name = "QUANTITY", default_value = "power", value_parser = one_of::<Quantity>(), ignore_case = true)]
    quantity: Quantity,
    /// Writes values in decibels.
    #[arg(long)]
    db: bool,
    /// How power is distributed: plain, reassigned (moved to the centre of what it comes from), multitaper (the mean under five sine tapers) or scalogram (under Morlet wavelets of 24 frequencies an octave, the lowest with one period in --length samples).
    #[arg(long, default_value = "plain", value_parser = one_of::<Method>(), ignore_case = true)]
    method: Method,
    #[command(flatten)]
    picture: PictureArguments,
    #[command(flatten)]
    frames: FrameArguments,
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
    #[arg(short, long, value_name = "OUTPUT", help = output::endings_help(&endings(), ""))]
    output: PathBuf,
    #[arg(long, value_name = "FORMAT", help = format!("The format on standard output: one of {} [default: png]", endings().join(", ")))]
    format: Option<String>,
}

/// The endings of the files of a spectrogram.
fn endings() -> Vec<&'static str> {
    with_figures(&["png", "npy", "csv"])
}

pub(super) fn run(arguments: &SpectrogramArguments) -> Result<(), Failure> {
    let SpectrogramArguments { compute, quantity, method, output: to, .. } = arguments;
    let format = ValueFormat::of(to, arguments.format.as_deref(), &endings())?;
    let picture = picture_format(format);
    if picture.is_some() && arguments.db {
        return Err(Failure::Call("a picture shows decibels already: leave --db out".into()));
    }
    arguments.picture.check(picture.is_some(), *method, *quantity)?;
    if *quantity == Quantity::Phase && (arguments.db || *method != Method::Plain) {
        return Err(Failure::Call("a phase has neither decibels nor another --method: leave --db and --method out".into()));
    }
    if *method == Method::Scalogram {
        check_scalogram(arguments, picture.is_some())?;
    }
    let recording = Recording::load(&arguments.recording, &arguments.table, &arguments.channel, &arguments.select)?;
    recording.say_channel();
    let precision = precision(compute, &[recording.track()?]);
    let frames = arguments.frames.of(Frames::of_spectrogram())?;
    let reference = arguments.level.of(&recording);
    let about = format!("computing the spectrogram of {}", recording.signal.name);
    let (facts, gaps) = measured(&[&recording], frames, (compute, precision), about, |job| {
        let facts = match picture {
            Some(format) => picture::write(&arguments.picture, job, (&recording, &reference), (*method, *quantity), (to, format)),
            None if precision == Precision::Double => write::<f64>(arguments, job, (&recording, &reference), format),
            None => write::<f32>(arguments, job, (&recording, &reference), format),
        }?;
        Ok((facts, job.count_not_finite()))
    })?;
    if gaps > 0 {
        say(&format!("{}: the frames that hold it have no values", counted(gaps, "infinite or NaN sample")));
    }
    let unit = recording.rate.frequency();
    let fact = |name: &str| facts.iter().find(|(own, _)| *own == name).map_or("", |(_, text)| text);
    let what = if *method == Method::Scalogram {
        format!("{}, {}", fact("wavelet"), fact("voices"))
    } else {
        let (n, length) = (counted(frames.count(recording.samples.len()), "frame"), counted(frames.length, "sample"));
        format!("{n} of {length}, {} window, bins every {}", frames.window, fact("step"))
    };
    say(&format!("{what}, {precision} precision; decibels are {}", reference.label(*quantity, unit)));
    Ok(())
}

/// Refuses what a scalogram does not have.
fn check_scalogram(arguments: &SpectrogramArguments, is_picture: bool) -> Result<(), Failure> {
    if is_picture && arguments.frames.length.overlap.is_some() {
        return Err(Failure::Call("a picture of a scalogram has no frames: leave --overlap out".into()));
    }
    if matches!(arguments.quantity, Quantity::Density | Quantity::DensityRoot) {
        let why = "a scalogram has no density, as its bandwidth grows with the frequency: take --quantity power, or another --method";
        return Err(Failure::Call(why.into()));
    }
    Ok(())
}

/// The settings that the values depend on.
fn facts(
    recording: &Recording,
    job: &SpectraJob<'_>,
    calibration: &Calibration,
    (method, quantity, reference): (Method, Quantity, &Reference),
) -> Figures {
    let unit = recording.rate.frequency();
    let is_scalogram = method == Method::Scalogram;
    let [low, high] = [usize::from(is_scalogram), job.bins() - 1].map(|bin| job.frames.frequency(bin, job.is_complex(), job.rate));
    let frames =
        if is_scalogram { wavelet_facts(&job.frames, recording.rate) } else { frame_facts(&job.frames, calibration, recording.rate) };
    let own = vec![
        ("averages", "1".to_owned()),
        ("reference", reference.label(quantity, unit)),
        ("band", format!("{low}..{high} {unit}")),
        ("method", method.to_string()),
    ];
    [recording.facts(), frames, own].concat()
}

/// Writes the values as NPY or CSV.
fn write<T: Real>(
    arguments: &SpectrogramArguments,
    job: &SpectraJob<'_>,
    (recording, reference): (&Recording, &Reference),
    format: ValueFormat,
) -> Result<Figures, Stopped> {
    let (quantity, to) = (arguments.quantity, &arguments.output);
    let Spectrogram { columns, frequencies, calibration } = spectrogram::<T>(job, arguments.method, quantity)?;
    let value = |row: usize, column: usize| {
        let value = T::wide(num_complex::Complex::new(columns[column][row], T::ZERO)).re;
        if arguments.db { reference.decibels(value, quantity, &calibration) } else { value }
    };
    let facts = facts(recording, job, &calibration, (arguments.method, quantity, reference));
    let (bins, n, double) = (frequencies.len(), columns.len(), size_of::<T>() == 8);
    if format == ValueFormat::Npy {
        array(to, (bins, n), (0..bins * n).map(|index| value(index / n, index % n)), double)?;
        return Ok(facts);
    }
    let unit = if arguments.db { reference.label(quantity, recording.rate.frequency()) } else { quantity.name().to_owned() };
    let about = vec![(
        "values",
        format!(
            "{unit}; the first row has times in {}, the first column frequencies in {}",
            recording.rate.unit(),
            recording.rate.frequency()
        ),
    )];
    write_csv(to, &[facts.clone(), about].concat(), job, (&frequencies, n, double), &value)?;
    Ok(facts)
}

fn write_csv(
    to: &Path,
    facts: &Figures,
    job: &SpectraJob<'_>,
    (frequencies, n, double): (&[f64], usize, bool),
    value: &dyn Fn(usize, usize) -> f64,
) -> Result<(), Failure> {
    let first = job.samples.start as f64;
    output::bytes(to, |out| {
        comments(out, facts)?;
        let times = (0..n).map(|frame| digits((first + job.frames.middle(frame)) / job.rate, double));
        writeln!(out, "{}", std::iter::once("frequency".to_owned()).chain(times).collect::<Vec<_>>().join(","))?;
        for (bin, frequency) in frequencies.iter().enumerate() {
            let frequency = digits(*frequency, double);
            let cells = (0..n).map(|frame| digits(value(bin, frame), double));
            writeln!(out, "{}", std::iter::once(frequency).chain(cells).collect::<Vec<_>>().join(","))?;
        }
        Ok(())
    })
}

/// A number for a message.
fn short(value: f64) -> String {
    number(value, 5)
}

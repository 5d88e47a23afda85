//! `papillon peaks`: the strongest peaks of the spectrum of an image or a recording, as a table, and the lattice that those of an image lie on.

mod recording;

use super::arguments::{ComputeArguments, from_one, one_of};
use super::output::table_format;
use super::preparation::{PreparationArguments, say_preparation};
use super::signals::{LevelArguments, SelectArguments, is_recording, refuse};
use super::table::{ChannelArguments, TableArguments};
use super::transform::say_how;
use super::{Failure, check_memory, output, say, tell_notes};
use crate::engine::Job;
use crate::engine::measure::ImageSpectrum;
use crate::measure::{HiddenPeaks, Lattice, Peak, Refinement, lattice, peaks, peaks_csv};
use crate::numerals::{counted, number};
use crate::signal::{Signal, SignalKind, times_power_of_two};
use crate::transforms::{Axes, Shape, transform};
use clap::Args;
use serde_json::json;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Lists the strongest peaks of the spectrum of a recording or an image: values that stand clear of their surroundings.
///
/// A recording has one transform of its selection under a Hann window: frequency,amplitude,level,phase,width,period, in Hz, of the peak of a sine, in dB, in rad at the first sample, in Hz between the points 3 dB below, and in s. Images, arrays of two dimensions and CSV without a header are images, unless --rate, --raw or --time says otherwise.
/// Of images: frequencies u and v are in cycles per pixel, v upwards; of each conjugate pair the one with v > 0, or v = 0 and u > 0, is listed.
/// The period is in pixels, the angle in degrees anticlockwise from x, in (−90, 90]. The magnitude is that of the largest value.
/// JSON has the background and the standard deviations too, and the lattice of two vectors that the peaks lie on.
///
/// Example: papillon peaks crystal.tiff -n 10 -o peaks.csv
/// Example: papillon peaks hum.wav --from 2s --to 12s -n 5 -o hum.json
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct PeaksArguments {
    #[command(flatten)]
    image: ImageArguments,
    /// The most peaks that are listed.
    #[arg(short = 'n', long, value_name = "COUNT", default_value = "10", value_parser = from_one, allow_negative_numbers = true)]
    count: NonZeroUsize,
    /// How positions of peaks of an image are refined: tone (three complex values, exact for a wave without a window), parabola (through the logarithms of three magnitudes), centroid (of 3 × 3 values) or none [default: tone].
    #[arg(long, value_parser = one_of::<Refinement>(), ignore_case = true)]
    refine: Option<Refinement>,
    #[command(flatten)]
    select: SelectArguments,
    #[command(flatten)]
    level: LevelArguments,
    /// A file that ends in .csv or .json, or - for CSV on standard output.
    #[arg(short, long, value_name = "OUT.csv|.json")]
    output: PathBuf,
}

/// An image, its channel, and how its spectrum is computed.
#[derive(Debug, Args)]
pub(super) struct ImageArguments {
    /// PNG, JPEG, TIFF, BMP, WebP, GIF, or a two-dimensional array as NPY, NPZ, CSV or TSV.
    image: PathBuf,
    #[command(flatten)]
    channel: ChannelArguments,
    #[command(flatten)]
    table: TableArguments,
    #[command(flatten)]
    preparation: PreparationArguments,
    #[command(flatten)]
    compute: ComputeArguments,
}

impl ImageArguments {
    /// The job that computes the spectrum of an image in a file.
    ///
    /// # Errors
    /// If it cannot be read, is not an image, or has no such channel.
    pub(super) fn job(&self) -> Result<Job, Failure> {
        self.job_of(self.table.load(&self.image)?)
    }

    /// The job that computes the spectrum of an image.
    fn job_of(&self, signal: Signal) -> Result<Job, Failure> {
        let algorithm = self.compute.algorithm.as_deref().map(|name| transform("dft2")?.algorithm(name)).transpose()?;
        let job = image_job_of(signal, &self.channel)?;
        let (device, precision) = (self.compute.device.clone(), self.compute.numbers.precision);
        let preparation = self.preparation.of(Axes::Both, job.signal.rows)?;
        Ok(Job { preparation, algorithm: algorithm.map(|algorithm| algorithm.name), device, precision, ..job })
    }
}

/// The job that computes the spectrum of an image in a file, with default settings.
///
/// # Errors
/// If it cannot be read, is not an image, or has no such channel.
pub(super) fn image_job(path: &Path, channel: &ChannelArguments, table: &TableArguments) -> Result<Job, Failure> {
    image_job_of(table.load(path)?, channel)
}

fn image_job_of(signal: Signal, channel: &ChannelArguments) -> Result<Job, Failure> {
    let channel = channel.of(&signal)?;
    if signal.kind == SignalKind::Rows && signal.rows == 1 {
        return Err(Failure::Call(format!(
            "{} is one signal, not an image ({signal}): take an image, or an array of several rows",
            signal.name
        )));
    }
    check_memory(Shape { rows: signal.rows, columns: signal.columns })?;
    Ok(Job { channel, ..Job::new(Arc::new(in_range(signal)), "dft2") })
}

/// An image whose squares stay within double precision; says what it is divided by where they do not.
pub(super) fn in_range(signal: Signal) -> Signal {
    /// With this limit, the square of a sum of a billion samples stays far within double precision.
    const MOST_DIGITS: i32 = 200;
    let exponent = signal.extreme_exponent(MOST_DIGITS);
    if exponent == 0 {
        return signal;
    }
    let factor = number(times_power_of_two(1.0, exponent), 6);
    say(&format!("the samples are divided by 2^{exponent}, which is {factor}: their squares leave the range of double precision"));
    signal.times_power_of_two(-exponent)
}

/// Computes the spectrum of a job, and tells how.
pub(super) fn spectrum_of(job: &Job) -> Result<ImageSpectrum, Failure> {
    let found = ImageSpectrum::compute(job, &mut super::devices::here(), super::cancel())?;
    say_how(transform("dft2")?, found.outcome());
    say_preparation(found.outcome());
    Ok(found)
}

pub(super) fn run(arguments: &PeaksArguments) -> Result<(), Failure> {
    let is_json = table_format(&arguments.output, &["csv", "json"])? == "json";
    let ImageArguments { image, channel, table, preparation, compute } = &arguments.image;
    let signal = table.load_silently(image)?;
    let [from, to, rate] = arguments.select.given();
    let [full_scale, reference] = arguments.level.given();
    if is_recording(&signal, table, &arguments.select) {
        let of_measure =
            [("window", preparation.window.is_some()), ("pad", preparation.pad.is_some()), ("refine", arguments.refine.is_some())];
        refuse(&signal, "a recording, whose peaks have one window and their own refinement", of_measure)?;
        refuse(&signal, "a recording", preparation.of_images())?;
        tell_notes(&signal, |_| true);
        let recording = arguments.select.of(signal, &channel.channel)?;
        let how = (&arguments.level, compute, preparation.detrend);
        return recording::run(&recording, how, arguments.count.get(), &arguments.output);
    }
    refuse(&signal, "an image", [from, to, rate, full_scale, reference])?;
    tell_notes(&signal, |_| true);
    let job = arguments.image.job_of(signal)?;
    let refine = arguments.refine.unwrap_or_default();
    let spectrum = spectrum_of(&job)?;
    let found = spectrum.with(|spectrum| peaks(spectrum, arguments.count.get(), refine));
    let fitted = lattice(&found);
    let text = if is_json { as_json(&job, refine, &found, fitted.as_ref()) } else { peaks_csv(&found) };
    output::bytes(&arguments.output, |out| out.write_all(text.as_bytes()))?;
    say(&format!("{} above the background. Positions: {}", counted(found.len(), "peak"), refine.about()));
    if let Some(hidden) = HiddenPeaks::among(&found) {
        say(&super::remedy::in_words(&hidden));
    }
    if let Some(lattice) = fitted {
        say(&lattice_text(&lattice));
    }
    Ok(())
}

fn as_json(job: &Job, refinement: Refinement, peaks: &[Peak], lattice: Option<&Lattice>) -> String {
    let peaks: Vec<_> = peaks
        .iter()
        .map(|Peak { frequency, value, background, deviation: [du, dv], .. }| {
            json!({
                "u": frequency.u, "v": frequency.v, "period": frequency.period(), "angle": frequency.angle(),
                "magnitude": value.norm(), "phase": value.arg(), "background": background, "u_deviation": du, "v_deviation": dv,
            })
        })
        .collect();
    let lattice = lattice.map(|lattice| {
        let (lengths, angle) = lattice.cell();
        let vectors =
            lattice.vectors.map(|vector| json!({ "u": vector.u, "v": vector.v, "period": vector.period(), "angle": vector.angle() }));
        json!({ "vectors": vectors, "deviations": lattice.deviation, "lengths": lengths, "angle": angle, "indices": lattice.indices })
    });
    let Job { signal, .. } = job;
    let all = json!({ "image": signal.name, "rows": signal.rows, "columns": signal.columns, "refine": refinement.to_string(), "peaks": peaks, "lattice": lattice });
    format!("{all:#}\n")
}

/// A lattice in one line.
fn lattice_text(lattice: &Lattice) -> String {
    let ([a, b], angle) = lattice.cell();
    let n = lattice.indices.iter().flatten().count();
    let [first, second] = lattice.vectors.map(|vector| format!("{} px at {}°", number(vector.period(), 5), number(vector.angle(), 4)));
    format!(
        "{n} of {} lie on a lattice of periods {first} and {second}; in the image its vectors are {} px and {} px long, {}° apart",
        counted(lattice.indices.len(), "peak"),
        number(a, 5),
        number(b, 5),
        number(angle, 4)
    )
}

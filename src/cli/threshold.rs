//! `papillon threshold`: drops the small coefficients of an image or a recording, to compress or to denoise it.

use super::arguments::{ComputeArguments, ValuesOutput};
use super::choices::Choices;
use super::parameters::OfInvertible;
use super::progress::Progress;
use super::table::TableArguments;
use super::transform::{say_how, say_losses};
use super::{Failure, check_memory, output, say, tell_notes};
use crate::engine::{Analysis, Cut, Devices, EngineError, Job, analyse};
use crate::numerals::{counted, fixed, integer, number};
use crate::signal::{Channel, ChannelChoice, OutputFormat, Samples, Signal, SignalKind};
use crate::threshold::{Keep, Kept, Shrink, Thresholding, peak_signal_to_noise};
use crate::transforms::{Shape, Transform, transform};
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;

/// Drops small coefficients, to compress or to denoise, and reconstructs the samples.
///
/// Keeps the low-pass coefficients of the last level of a wavelet transform, and of a spectrum of real samples both or none of a pair. Prints the levels, the kept coefficients, the kept energy and the PSNR of every channel.
/// The peak of the PSNR is 255 for samples of 8 bits, 65535 for 16 bits, and otherwise the largest minus the smallest sample.
#[derive(Debug, Args)]
pub(super) struct ThresholdArguments {
    /// An image, a recording or an array, as for `transform`.
    input: PathBuf,
    /// A transform in `papillon list` that has an inverse, such as cdf97-2, dct2 or walsh; haar and haar2 stand for the wavelets d2 and d2-2 [default: cdf97-2 for images, cdf97 for signals].
    #[arg(short, long, value_name = "NAME")]
    transform: Option<String>,
    #[command(flatten)]
    compute: ComputeArguments,
    #[command(flatten)]
    parameters: Choices<OfInvertible>,
    /// Keeps at most this share of the coefficients, the largest first: 5% or 0.05. The low-pass coefficients of the last level come before all others, and of equal magnitudes (to a millionth of the largest) the first in the layout. This or --value is needed.
    #[arg(long, value_name = "SHARE", value_parser = share, allow_hyphen_values = true)]
    keep: Option<f64>,
    /// Keeps the coefficients whose magnitude is above this value.
    #[arg(long, value_name = "VALUE", value_parser = magnitude, conflicts_with = "keep", allow_hyphen_values = true)]
    value: Option<f64>,
    /// Leaves the kept coefficients unchanged; this is the default.
    #[arg(long, conflicts_with = "soft")]
    hard: bool,
    /// Reduces the magnitude of the kept coefficients by the threshold.
    #[arg(long)]
    soft: bool,
    /// One channel: its name, a number from 1, luma, red, green or blue; by default every channel separately.
    #[arg(long, value_name = "NAME")]
    channel: Option<String>,
    #[command(flatten)]
    table: TableArguments,
    #[command(flatten)]
    output: ValuesOutput,
}

impl ThresholdArguments {
    /// The thresholding of the coefficients.
    ///
    /// # Errors
    /// If neither --keep nor --value is given.
    fn thresholding(&self) -> Result<Thresholding, Failure> {
        let keep = self.value.map(Keep::Above).or(self.keep.map(Keep::Share));
        let keep = keep.ok_or_else(|| Failure::Call("nothing says what is kept: take --keep SHARE, as 5%, or --value VALUE".into()))?;
        Ok(Thresholding { keep, shrink: if self.soft { Shrink::Soft } else { Shrink::Hard } })
    }
}

/// Parses a share: `5%` or `0.05`.
pub(super) fn share(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').map_or_else(|| text.parse(), |percent| percent.trim().parse().map(|value: f64| value / 100.0));
    let share = number.ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| format!("'{text}' is no share: take a number from 0 to 1, or 0% to 100%"))
}

/// Parses a magnitude: a finite number of at least 0.
fn magnitude(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|value: &f64| value.is_finite() && *value >= 0.0);
    value.ok_or_else(|| format!("'{text}' is no threshold: take a number from 0 up"))
}

pub(super) fn run(arguments: &ThresholdArguments) -> Result<(), Failure> {
    let format = output::values_format(&arguments.output, false)?;
    let signal = Arc::new(arguments.table.load_silently(&arguments.input)?);
    check_memory(Shape { rows: signal.rows, columns: signal.columns })?;
    let channels = channels(&signal, arguments.channel.as_deref())?;
    let names: Vec<&str> = channels.iter().map(|(_, name)| name.as_str()).collect();
    // An image of one channel is gray, whatever the name of the channel.
    let kind = if names.len() == 1 { SignalKind::Rows } else { signal.kind };
    output::check_holds(&arguments.output, format, kind, false, Shape { rows: signal.rows, columns: signal.columns }, &names)?;
    let thresholding = arguments.thresholding()?;
    let usual = if signal.kind == SignalKind::Image { "cdf97-2" } else { "cdf97" };
    let transform = invertible(arguments.transform.as_deref().unwrap_or(usual))?;
    let algorithm = arguments.compute.algorithm.as_deref().map(|name| transform.algorithm(name)).transpose()?;
    let mut devices = super::devices::here();
    let mut done = Vec::new();
    for (channel, name) in channels {
        let job = Job {
            signal: signal.clone(),
            second: None,
            channel,
            transform: transform.name,
            algorithm: algorithm.map(|algorithm| algorithm.name),
            parameters: arguments.parameters.of(transform)?,
            cut: Cut::default(),
            device: arguments.compute.device.clone(),
            precision: arguments.compute.numbers.precision,
            prefer_plan: false,
            preparation: Default::default(),
        };
        let _progress = Progress::start(format!("thresholding {} of {}", name, signal.name));
        let (samples, analysis, left) = filtered(&job, thresholding, format, &mut devices)?;
        // Notes are printed only if the first channel succeeds.
        if done.is_empty() {
            tell_notes(&signal, |_| true);
            say_how(transform, &analysis.outcome);
            say_losses(&analysis.outcome.losses);
        }
        say(&format!("{name}: {left}"));
        // An image of one channel is gray.
        let is_gray = arguments.channel.is_some() && signal.kind == SignalKind::Image;
        done.push(Channel::new(if is_gray { "gray".into() } else { name }, samples));
    }
    let result = Signal::from_channels(signal.name.clone(), signal.kind, (signal.rows, signal.columns), done);
    output::values(&arguments.output, format, result.with_axis_of(&signal, 0))
}

/// The transform of a name; prints a message if a wavelet replaces the named transform.
fn invertible(name: &str) -> Result<&'static Transform, Failure> {
    let asked = transform(name)?;
    if let Some(wavelet) = asked.wavelet().filter(|wavelet| wavelet.name != asked.name) {
        say(&format!("{} is not normalised, and goes through all levels: its orthonormal wavelet, {}, is taken", asked.name, wavelet.name));
        return Ok(wavelet);
    }
    if asked.has_coefficients() { Ok(asked) } else { Err(EngineError::NoInverse { transform: asked.name }.into()) }
}

/// The channels to threshold separately: the given one, or all.
fn channels(signal: &Signal, asked: Option<&str>) -> Result<Vec<(ChannelChoice, String)>, Failure> {
    let Some(asked) = asked else {
        return Ok(signal.channels.iter().enumerate().map(|(i, channel)| (ChannelChoice::Channel(i), channel.name.clone())).collect());
    };
    Ok(vec![(signal.choice(asked)?, asked.to_owned())])
}

/// The samples of one channel after thresholding, its analysis, and a summary in words.
fn filtered(
    job: &Job,
    thresholding: Thresholding,
    format: &OutputFormat,
    devices: &mut Devices,
) -> Result<(Samples, Analysis, String), Failure> {
    let cancel = super::cancel();
    let analysis = analyse(job, devices, cancel)?;
    let left = analysis.thresholded(thresholding, devices, cancel)?;
    // The PSNR includes the rounding to the output format.
    let fitted = analysis.fitting(left.samples, format);
    let psnr = peak_signal_to_noise(&analysis.samples, &fitted.to_complex64(), analysis.peak);
    let left = summary(left.kept, psnr, analysis.peak, analysis.levels) + &more_than_asked(left.kept, thresholding.keep);
    Ok((fitted, analysis, left))
}

/// The kept coefficients and the quality in words.
fn summary(Kept { n, of, threshold, energy, .. }: Kept, psnr: f64, peak: f64, levels: u32) -> String {
    let share = 100.0 * n as f64 / of.max(1) as f64;
    let (peak, threshold) = (number(peak, 6), number(threshold, 6));
    let quality = if psnr.is_finite() {
        format!("PSNR {} dB (peak {peak})", fixed(psnr, 2))
    } else {
        "no sample is changed (PSNR is infinite)".into()
    };
    let levels = if levels > 0 { counted(levels as usize, "level") + ", " } else { String::new() };
    format!(
        "{levels}{} of {} coefficients kept ({share:.2} %), the others, of magnitudes up to {threshold}, dropped, {:.4} % of the energy kept, {quality}",
        integer(n),
        integer(of),
        100.0 * energy
    )
}

/// A warning if the low band alone has more coefficients than --keep allows.
fn more_than_asked(Kept { n, of, low, .. }: Kept, keep: Keep) -> String {
    let Keep::Share(share) = keep else { return String::new() };
    match n as f64 > share * of as f64 * (1.0 + 4.0 * f64::EPSILON) {
        true => format!(
            "; more than --keep says, as the low band is kept and has {:.2} % alone: take more --levels",
            100.0 * low as f64 / of as f64
        ),
        false => String::new(),
    }
}

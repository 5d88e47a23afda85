//! `papillon threshold`: a picture or a recording without its small wavelet coefficients, to compress or to denoise it.

use super::arguments::ThresholdArguments;
use super::progress::Progress;
use super::transform::say_how;
use super::{Failure, check_memory, load, output, say};
use crate::engine::wavelet::{Analysis, analyse, filter, fitting};
use crate::engine::{Cut, Devices, Job};
use crate::signal::{Channel, Kind, OutputFormat, Samples, Signal, View};
use crate::transforms::{Shape, transform};
use crate::wavelet::{Kept, Thresholding, peak_signal_to_noise};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub(super) fn run(arguments: &ThresholdArguments) -> Result<(), Failure> {
    if arguments.parameters.inverse {
        return Err(Failure::Call("threshold goes forward and back by itself: leave --inverse out, or take 'papillon transform'".into()));
    }
    let format = output::values_format(&arguments.output.output, arguments.output.format)?;
    output::check(&arguments.output.output)?;
    let signal = Arc::new(load(&arguments.input)?);
    check_memory(Shape { rows: signal.rows, columns: signal.columns })?;
    let channels = channels(&signal, arguments.channel)?;
    let usual = if signal.kind == Kind::Picture { "cdf97-2" } else { "cdf97" };
    let transform = transform(arguments.transform.as_deref().unwrap_or(usual))?;
    let algorithm = arguments.way.algorithm.as_deref().map(|name| transform.algorithm(name)).transpose()?;
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
            device: arguments.way.device.clone(),
            precision: arguments.way.numbers.precision,
            prefer_plan: false,
        };
        let _progress = Progress::start(format!("thresholding {} of {}", name, signal.name));
        let (samples, analysis) = filtered(&job, &name, arguments.thresholding(), format, &mut devices)?;
        if done.is_empty() {
            say_how(transform, &analysis.outcome);
        }
        done.push(Channel::new(name, samples));
    }
    let mut result = Signal::from_channels(signal.name.clone(), signal.kind, (signal.rows, signal.columns), done);
    result.sample_rate_hz = signal.sample_rate_hz;
    output::values(&arguments.output.output, format, &result)
}

/// The channels that are thresholded, each on its own: the one that is asked for, or all.
fn channels(signal: &Signal, asked: Option<View>) -> Result<Vec<(View, String)>, Failure> {
    let Some(view) = asked else {
        return Ok(signal.channels.iter().enumerate().map(|(i, channel)| (View::Channel(i), channel.name.clone())).collect());
    };
    signal.check_view(view)?;
    // A picture of one channel is gray.
    let name = if signal.kind == Kind::Picture { "gray".into() } else { view.to_string() };
    Ok(vec![(view, name)])
}

/// One channel, as it will be written; says what is left of it.
fn filtered(
    job: &Job,
    name: &str,
    thresholding: Thresholding,
    format: OutputFormat,
    devices: &mut Devices,
) -> Result<(Samples, Analysis), Failure> {
    let cancel = AtomicBool::new(false);
    let analysis = analyse(job, devices, &cancel)?;
    let filtered = filter(job, &analysis, thresholding, devices, &cancel)?;
    // What is rounded counts as a loss.
    let fitted = fitting(job, filtered.samples, format);
    let psnr = peak_signal_to_noise(&analysis.samples, &fitted.to_f64(), analysis.peak);
    say(&format!("{name}: {}", summary(filtered.kept, psnr, analysis.levels)));
    Ok((fitted, analysis))
}

/// What is left, in words.
fn summary(Kept { n, of, threshold, energy }: Kept, psnr: f64, levels: u32) -> String {
    let share = 100.0 * n as f64 / of.max(1) as f64;
    let quality = if psnr.is_finite() { format!("PSNR {psnr:.2} dB") } else { "no sample is changed (PSNR is infinite)".into() };
    format!(
        "{levels} levels, {n} of {of} coefficients kept ({share:.2} %), magnitudes up to {threshold:.6} dropped, {:.4} % of the energy kept, {quality}",
        100.0 * energy
    )
}

//! `papillon filter`: filters an image or a recording by a mask over its frequencies.

mod boxes;
mod mask;

use super::arguments::ValuesOutput;
use super::parameters::PrecisionArguments;
use super::preparation::PreparationArguments;
use super::progress::Progress;
use super::signals::{BoxArguments, refuse};
use super::table::TableArguments;
use super::{Failure, check_bytes, load_as, output, say, tell_notes};
use crate::engine::filter::{Filtered, FilteredPlane, ForwardSpectra, Rounded, axes, mask_shape, rounded_to_type};
use crate::engine::{DeviceChoice, Devices, SharedResult, peak};
use crate::filter::{Mask, MaskFile, MaskTable, PeriodicSpot, WrittenFrequency, structural_similarity};
use crate::numerals::{counted, fixed, integer, number};
use crate::plan::Precision;
use crate::prepare::{LEAST_WEIGHT, Preparation};
use crate::signal::{
    Channel, ChannelChoice, OutputFormat, ReadOptions, Samples, Sampling, Signal, SignalKind, picks, replace, times_power_of_two,
};
use crate::spectra::Rate;
use crate::threshold::peak_signal_to_noise;
use crate::transforms::Shape;
use boxes::BoxFrames;
use clap::Args;
use mask::MaskArguments;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Filters an image or a recording by its frequencies, every channel separately.
///
/// F, A, B, U, V and R are frequencies in cycles per sample or pixel; 12px is a period of 12 pixels, and 300Hz, 5ms, 7days, 2/year and 2nm use the sampling rate or the pixel size. u points along x, v upwards.
/// Filters given together multiply. The preparation comes before them and is undone after them. NPY, TIFF, CSV and WAV keep the values; PNG is rounded and clamped to the 8 or 16 bits of the input.
///
/// Example: papillon filter photo.png --low-pass 0.1 --butterworth 4 -o soft.png
/// Example: papillon filter birds.wav --box 1.2s..3.4s,2kHz..5kHz -o song.wav
/// Example: papillon filter talk.wav --box 12s..12.5s,3kHz..8kHz:cut -o clean.wav
/// Example: papillon filter talk.wav --boxes noises.txt:cut -o clean.wav
/// Example: papillon filter birds.wav --stroke 1.2s,2kHz..1.5s,4kHz..2s,3kHz@50ms,400Hz -o call.wav
#[derive(Debug, Args)]
pub(super) struct FilterArguments {
    /// An image, a recording or an array, as for `transform`.
    input: PathBuf,
    #[command(flatten)]
    mask: MaskArguments,
    #[command(flatten)]
    boxes: BoxArguments,
    #[command(flatten)]
    frames: BoxFrames,
    /// Finds the spots of periodic noise, such as a moiré, a screen or hum, says where they are, and cuts them.
    #[arg(long)]
    periodic_noise: bool,
    /// A mask: JSON, as --write-mask and the window write it, or an image or array of factors as large as the spectrum, with frequency 0 at [rows/2, columns/2]; full scale of 8 or 16 bits is 1.
    #[arg(long = "mask", value_name = "FILE")]
    mask_file: Option<PathBuf>,
    /// The side of a pixel, as 0.2nm [default: that of the file], where periods are written in nm, µm, mm, m or in.
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    pixel_size: Option<f64>,
    /// Writes all shapes of the filter, those that were found included, as JSON.
    #[arg(long, value_name = "FILE.json")]
    write_mask: Option<PathBuf>,
    /// One channel alone: its name, or a number from 1; by default every channel separately.
    #[arg(long, value_name = "NAME")]
    channel: Option<String>,
    #[command(flatten)]
    table: TableArguments,
    #[command(flatten)]
    preparation: PreparationArguments,
    #[command(flatten)]
    numbers: PrecisionArguments,
    /// Where the filter runs: cpu-parallel (all cores), or gpu, auto or an adapter of `papillon devices`, whose way back takes real images in single precision.
    #[arg(short, long, default_value = "cpu-parallel")]
    device: DeviceChoice,
    #[command(flatten)]
    output: ValuesOutput,
}

/// Parses a length with its unit.
fn length(text: &str) -> Result<f64, String> {
    let metres = text.parse().ok().and_then(WrittenFrequency::metres).filter(|metres| *metres > 0.0);
    metres.ok_or_else(|| format!("'{text}' is no length: take a number with pm, Å, nm, µm, mm, cm, m or in, as 0.2nm"))
}

/// One bytes of a sample, of both spectra in double precision, and of the result.
const BYTES_PER_SAMPLE: u128 = 40;

pub(super) fn run(arguments: &FilterArguments) -> Result<(), Failure> {
    let format = output::values_format(&arguments.output, true)?;
    if let Some(path) = &arguments.write_mask {
        output::check(path)?;
    }
    let mut devices = super::devices::here().opening(&arguments.device);
    let signal = arguments.table.load_silently(&arguments.input)?;
    if !arguments.boxes.is_empty() {
        tell_notes(&signal, |_| true);
        return boxes::run(arguments, &signal, format);
    }
    let signal = Arc::new(in_channel(in_part(arguments, signal)?, arguments.channel.as_deref())?);
    let preparation = arguments.preparation.of(axes(&signal), signal.rows)?;
    let shape = Shape { rows: signal.rows, columns: signal.columns };
    let prepared = preparation.shape(shape, axes(&signal));
    check_bytes(Shape { columns: prepared.columns.saturating_mul(signal.channels.len()), ..prepared }, BYTES_PER_SAMPLE)?;
    let names: Vec<&str> = signal.channels.iter().map(|channel| channel.name.as_str()).collect();
    // An image of one channel is gray, whatever the name of the channel.
    let kind = if names.len() == 1 { SignalKind::Rows } else { signal.kind };
    output::check_holds(&arguments.output, format, kind, signal.is_complex(), shape, &names)?;
    let (mut mask, table) = shapes(arguments, &signal, &preparation)?;
    // The mask is checked before the work begins.
    let spectrum = mask_shape(&signal, &preparation);
    mask.check(spectrum.rows == 1).map_err(crate::engine::EngineError::from)?;
    tell_notes(&signal, |_| true);
    let _progress = Progress::start(format!("filtering {}", signal.name));
    let cancel = super::cancel();
    let channels: Vec<ChannelChoice> = (0..signal.channels.len()).map(ChannelChoice::Channel).collect();
    let on_cpu = arguments.device.cpu().is_some();
    // A GPU filters in single precision.
    let is_double = arguments.numbers.precision.map_or(on_cpu, |precision| precision == Precision::Double);
    let asked = Filtered { signal: signal.clone(), channels, preparation, double: is_double, device: arguments.device.clone() };
    let forward = ForwardSpectra::new(&asked, |job| SharedResult::compute(job, &mut devices, cancel), cancel)?;
    say_preparation(&forward);
    if forward.gaps() > 0 {
        say(&format!("{}: the mean stands in for each, and the output has it again", counted(forward.gaps(), "infinite or NaN sample")));
    }
    if forward.is_extreme() && !is_double {
        say("samples beyond single precision are filtered in double precision");
    }
    if arguments.periodic_noise {
        let spots = forward.periodic_noise();
        say_spots(&spots, spectrum.rows > 1, arguments.output.rate.or(signal.sampling()));
        mask.shapes.extend(spots.iter().map(|spot| spot.notch().with_edge(arguments.mask.edge())));
    }
    for shape in &mask.shapes {
        say(&format!("filter: {shape}"));
    }
    if let Some(table) = &table {
        let share = 100.0 * table.symmetric_share();
        say(&format!("filter: the mask of the file, {} % of it symmetric; its mean with its mirror image is taken", number(share, 4)));
    }
    let planes = planes((&arguments.device, &mut devices), &forward, (&mask, table.as_ref()), cancel)?;
    let result = result(arguments, &signal, forward.is_extreme(), planes, format);
    output::values(&arguments.output, format, result)?;
    match &arguments.write_mask {
        Some(path) => written(path, MaskFile::new(mask, spectrum)),
        None => Ok(()),
    }
}

/// The part of a recording that is filtered.
fn in_part(arguments: &FilterArguments, signal: Signal) -> Result<Signal, Failure> {
    let part = &arguments.frames.part;
    if part.given().iter().all(|(_, is_given)| !is_given) {
        return Ok(signal);
    }
    if signal.rows > 1 || signal.kind.is_image() {
        refuse(&signal, "no recording", part.given())?;
    }
    let samples = part.samples(signal.columns, Rate::from(arguments.output.rate.or(signal.sampling())))?;
    let notes = signal.notes.clone();
    Ok(Signal { notes, ..signal.picked(&[Some(0)], &picks(samples.len(), |index| Some(samples.start + index))) })
}

/// The signal with one of its channels alone, where one is named.
fn in_channel(mut signal: Signal, asked: Option<&str>) -> Result<Signal, Failure> {
    let Some(asked) = asked else { return Ok(signal) };
    let choice = signal.choice(asked)?;
    let iq = signal.iq().filter(|_| choice == ChannelChoice::Iq).map(|[real, imaginary]| real.paired(imaginary));
    let iq = iq.map(|samples| Channel::new(signal.channel_name(choice), samples));
    let Some(channel) = iq.or_else(|| signal.channel(choice).cloned()) else {
        return Err(Failure::Call(format!("'{asked}' is made of several channels: leave --channel out to filter each of them")));
    };
    signal.channels = vec![channel];
    Ok(signal)
}

/// The channels after the filter, by the device that was asked for; says where they come from, unless that is the CPU as usual.
fn planes(
    (device, devices): (&DeviceChoice, &mut Devices),
    forward: &ForwardSpectra,
    (mask, table): (&Mask, Option<&MaskTable>),
    cancel: &AtomicBool,
) -> Result<Vec<FilteredPlane>, Failure> {
    if *device != DeviceChoice::CpuParallel {
        if let Some((planes, adapter)) = forward.filtered_on_gpu((mask, table), devices, device, cancel)? {
            say(&format!("the way back on {adapter}, in single precision"));
            return Ok(planes);
        }
        say("the way back on the CPU: a GPU takes real images in single precision, all of them finite and within it");
    }
    Ok(forward.filtered(mask, table, cancel)?)
}

/// The shapes of the options and of a file, and the factors of an image.
fn shapes(arguments: &FilterArguments, signal: &Signal, preparation: &Preparation) -> Result<(Mask, Option<MaskTable>), Failure> {
    let spacing = mask::spacing(signal, arguments.pixel_size, arguments.output.rate);
    let mut mask = arguments.mask.mask(signal.kind, spacing)?;
    if let Some(side) = arguments.pixel_size
        && arguments.mask.mask(signal.kind, mask::spacing(signal, Some(2.0 * side), arguments.output.rate))? == mask
    {
        return Err(Failure::Call("no frequency here is written as a length: leave --pixel-size out".into()));
    }
    let mut table = None;
    if let Some(path) = &arguments.mask_file {
        if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json")) {
            let read = crate::signal::read_own(path).map_err(|error| Failure::Work(format!("cannot read {}: {error}", path.display())))?;
            let found: Mask = serde_json::from_slice(&read)
                .map_err(|error| Failure::Work(format!("{} is no mask ({error}): --write-mask writes one", path.display())))?;
            mask.keep_mean |= found.keep_mean;
            mask.shapes.extend(found.shapes);
        } else {
            let image = load_as(path, ReadOptions::default())?;
            table = Some(MaskTable::of_image(&image, mask_shape(signal, preparation)).map_err(crate::engine::EngineError::from)?);
        }
    }
    if mask.shapes.is_empty() && arguments.mask_file.is_none() && !arguments.periodic_noise {
        let some = "--low-pass, --high-pass, --band-pass, --band-stop, --notch, --wedge, --stripes, --periodic-noise, --mask or, for recordings, --box, --stroke or --boxes";
        return Err(Failure::Call(format!("nothing says what is filtered: take {some}")));
    }
    Ok((mask, table))
}

/// Says how the samples are prepared, and what of it stays after the filter.
fn say_preparation(forward: &ForwardSpectra) {
    let Some((facts, kept)) = forward.preparation() else { return };
    say(&format!("prepared: {}; undone after the filter", facts.steps().join("; ")));
    if kept > 0.0 {
        let share = number(100.0 * kept, 3);
        say(&format!("{share} % of the samples stay as they are, as the window is below {LEAST_WEIGHT} there"));
    }
}

/// Says where periodic noise was found; in a signal with a sampling also in its unit.
fn say_spots(spots: &[PeriodicSpot], is_image: bool, sampling: Option<Sampling>) {
    if spots.is_empty() {
        say("no periodic noise stands out, and none is cut");
    }
    for PeriodicSpot { at: [u, v], prominence, .. } in spots {
        let [place, period, height] = [number(*u, 4), number(1.0 / u.hypot(*v), 4), number(*prominence, 3)];
        let found = match sampling {
            _ if is_image => format!("({place}, {}), period {period} px", number(*v, 4)),
            Some(Sampling { per_unit, unit }) => {
                let frequency = u * per_unit;
                let own = format!("{} {}, period {}", number(frequency, 6), unit.frequency(), unit.amount(1.0 / frequency, 6));
                format!("{place}, period {period} samples, which is {own}")
            }
            None => format!("{place}, period {period} samples"),
        };
        say(&format!("periodic noise at {found}: {height} times its surroundings"));
    }
}

/// The signal after the filter; prints what it has lost.
fn result(arguments: &FilterArguments, signal: &Signal, is_extreme: bool, planes: Vec<FilteredPlane>, format: &OutputFormat) -> Signal {
    let keeps_double = is_extreme || signal.is_double() || arguments.numbers.precision == Some(Precision::Double);
    let shape = Shape { rows: signal.rows, columns: signal.columns };
    let mut channels = Vec::new();
    for (channel, plane) in signal.channels.iter().zip(planes) {
        let energy = FilteredPlane::energy(std::slice::from_ref(&plane));
        let Rounded { samples, clamped } = match format.holds.reals {
            true => Rounded { samples: plane.samples, clamped: 0 },
            false => rounded_to_type(plane.samples, &channel.samples),
        };
        say(&format!("{}: {}", channel.name, quality(signal, channel, &samples, energy, shape)));
        if clamped > 0 {
            let full = if matches!(samples, Samples::U8(_)) { u8::MAX.into() } else { u16::MAX };
            say(&format!("{}: {} of {} pixels were clamped to 0…{full}", channel.name, integer(clamped), integer(shape.len())));
        }
        channels.push(Channel::new(channel.name.clone(), if keeps_double { samples } else { in_single(samples) }));
    }
    let result = Signal::from_channels(signal.name.clone(), signal.kind, (shape.rows, shape.columns), channels);
    result.with_axis_of(signal, 0)
}

/// The energy that a filter keeps of a channel, and its likeness to the channel before, in words. Samples that are not numbers do not count.
fn quality(signal: &Signal, channel: &Channel, samples: &Samples, energy: f64, shape: Shape) -> String {
    let kept = format!("{} % of the energy beside the mean kept", number(100.0 * energy, 6));
    if signal.is_complex() {
        return kept;
    }
    let exponent = signal.extreme_exponent(90);
    let scaled = |samples: &Samples| Samples::F64(samples.to_f64()).times_power_of_two(-exponent);
    let (scaled_before, scaled_after) = (scaled(&channel.samples), scaled(samples));
    let (before, after) = (scaled_before.to_f64(), scaled_after.to_f64());
    let pairs = before.iter().zip(&after).filter(|(before, _)| before.is_finite()).map(|(a, b)| (*a, *b));
    let (finite, other): (Vec<f64>, Vec<f64>) = pairs.unzip();
    let peak = peak(signal, &finite);
    let psnr = peak_signal_to_noise(&finite, &other, peak);
    let psnr = if psnr.is_finite() {
        format!("PSNR {} dB (peak {})", fixed(psnr, 2), number(times_power_of_two(peak, exponent), 6))
    } else {
        "no sample changed".into()
    };
    let similar = |_: ()| structural_similarity(&scaled_before.to_f32(), &scaled_after.to_f32(), shape, peak);
    let similar = (finite.len() == before.len()).then_some(()).map(similar);
    similar.map_or(format!("{kept}, {psnr}"), |similar| format!("{kept}, {psnr}, SSIM {}", fixed(similar, 4)))
}

/// Samples in single precision where they have fractions.
fn in_single(samples: Samples) -> Samples {
    match samples {
        Samples::F64(values) => Samples::F32(values.into_iter().map(|value| value as f32).collect()),
        Samples::Complex64(values) => {
            Samples::Complex32(values.into_iter().map(|value| num_complex::Complex32::new(value.re as f32, value.im as f32)).collect())
        }
        other => other,
    }
}

/// Writes a mask.
fn written(path: &std::path::Path, mask: MaskFile) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(&mask).map_err(|error| Failure::Work(error.to_string()))?;
    Ok(replace(path, |out| writeln!(out, "{text}"))?)
}

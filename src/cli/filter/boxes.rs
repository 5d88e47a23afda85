//! `papillon filter --box`: what boxes of time and frequency hold of a recording.

use super::super::progress::Progress;
use super::super::signals::PartArguments;
use super::super::{Failure, output, say};
use super::{FilterArguments, mask};
use crate::numerals::{counted, number};
use crate::plan::Precision;
use crate::signal::{Channel, ChannelChoice, OutputFormat, Signal, SignalKind};
use crate::spectra::{Boxed, Frames, Job, Overlap, Rate, WrittenBox, boxed};
use clap::Args;

/// The boxes of a filter of a recording.
#[derive(Debug, Args)]
pub(super) struct BoxArguments {
    /// Keeps what a box of a recording holds, or with :cut behind it cuts that: times or samples, and frequencies or periods, as 1.2s..3.4s,300Hz..900Hz. Repeatable: what one of them holds stays, without what others cut. A WAV keeps the bits of its source.
    #[arg(long = "box", value_name = "FROM..TO,LOW..HIGH[:cut]", allow_hyphen_values = true)]
    pub(super) boxes: Vec<WrittenBox>,
    /// Samples of the frames whose spectra the boxes act on; long ones tell frequencies apart, short ones times [default: 2048].
    #[arg(long, value_name = "L", allow_hyphen_values = true)]
    length: Option<usize>,
    #[command(flatten)]
    pub(super) part: PartArguments,
}

/// Filters a recording by boxes.
pub(super) fn run(arguments: &FilterArguments, signal: &Signal, format: &OutputFormat) -> Result<(), Failure> {
    if signal.rows > 1 || signal.kind.is_image() {
        return Err(Failure::Call(format!("{} is no recording: leave --box out", signal.name)));
    }
    let rate = Rate::from(arguments.output.rate.or(signal.sampling()));
    let samples = arguments.boxes.part.samples(signal.columns, rate)?;
    let channels = match &arguments.channel {
        Some(name) => vec![signal.choice(name)?],
        None => (0..signal.channels.len()).map(ChannelChoice::Channel).collect(),
    };
    let tracks = channels.iter().map(|channel| signal.track(*channel)).collect::<Result<Vec<_>, _>>()?;
    let is_complex = tracks.iter().any(|track| track.is_complex());
    if is_complex {
        output::check_complex(&arguments.output, format, "what comes of complex samples")?;
    }
    let spacing = mask::spacing(signal, None, arguments.output.rate);
    let of = |written: &WrittenBox| written.of((signal.columns, is_complex), rate, spacing);
    let boxes = arguments.boxes.boxes.iter().map(of).collect::<Result<Vec<_>, _>>()?;
    let length = arguments.boxes.length.unwrap_or(Frames::of_spectrogram().length.min(samples.len()));
    let frames = Frames::new(length, Overlap::Share(0.75));
    let progress = Progress::start(format!("filtering {}", signal.name));
    let mut filtered = Vec::new();
    for (choice, track) in channels.iter().zip(tracks) {
        let double = arguments.numbers.precision.map_or(track.is_double(), |precision| precision == Precision::Double);
        let job =
            Job { tracks: vec![track], samples: samples.clone(), frames, rate: rate.per_unit, rows: None, cancel: super::super::cancel() };
        let found = if double { boxed::<f64>(&job, &boxes) } else { boxed::<f32>(&job, &boxes) };
        let found = found.map_err(|error| error.in_unit_of(rate))?;
        let name = signal.channel_name(*choice);
        tell(&name, &found);
        let unit = signal.channel(*choice).and_then(|channel| channel.unit.clone());
        filtered.push(Channel { unit, ..Channel::new(name, found.samples) });
    }
    drop(progress);
    say_frames(&arguments.boxes.boxes, &frames, rate);
    let result = Signal::from_channels(&*signal.name, SignalKind::Rows, (1, samples.len()), filtered);
    let result = result.with_axis_of(signal, samples.start);
    output::values(&arguments.output, format, in_bits_of(signal, result, format))
}

/// The result as a WAV has it: with the bits of the source, or with floats, where it is said why.
fn in_bits_of(source: &Signal, result: Signal, format: &OutputFormat) -> Signal {
    let Some(bits) = source.integer_bits().filter(|_| format.holds.sample_rate) else { return result };
    match result.in_bits(bits) {
        Ok(stored) => {
            say(&format!("the WAV has {} bits, as its source", stored.integer_bits().unwrap_or(bits)));
            stored
        }
        Err(beyond) => {
            say(&format!(
                "{} of the result beyond full scale: the WAV has 32-bit floats in place of {bits} bits",
                counted(beyond, "sample")
            ));
            result
        }
    }
}

/// Says what is left of a channel.
fn tell(name: &str, found: &Boxed) {
    say(&format!("{name}: {} % of the energy kept", number(100.0 * found.kept, 6)));
    if found.replaced > 0 {
        say(&format!("{name}: {}: 0 stands for each", counted(found.replaced, "infinite or NaN sample")));
    }
}

/// Says how soft the edges of the boxes are.
fn say_frames(boxes: &[WrittenBox], frames: &Frames, rate: Rate) {
    let [time, frequency] = [frames.length as f64 / rate.per_unit, 2.0 * rate.per_unit / frames.length as f64];
    let time = rate.unit.map_or_else(|| counted(frames.length, "sample"), |unit| unit.amount(time, 4));
    let edges = format!("edges soft over {time} and {} {}", number(frequency, 4), rate.frequency());
    boxes.iter().for_each(|written| say(&format!("filter: box {written}, {edges}")));
}

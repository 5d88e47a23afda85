//! `papillon filter --box`: what boxes of time and frequency hold of a recording.

use super::super::progress::Progress;
use super::super::signals::PartArguments;
use super::super::{Failure, output, say};
use super::FilterArguments;
use crate::engine::{BoxFilter, BoxFiltered};
use crate::numerals::{counted, number};
use crate::signal::{ChannelChoice, OutputFormat, Signal};
use crate::spectra::{Frames, NamedBox, Rate, RecordingExtent};
use clap::Args;

/// The frames of a filter by boxes, and the part of a recording that is filtered.
#[derive(Debug, Args)]
pub(super) struct BoxFrames {
    /// Samples of the frames whose spectra the boxes act on; long ones tell frequencies apart, short ones times [default: 2048].
    #[arg(long, value_name = "L", allow_hyphen_values = true)]
    length: Option<usize>,
    #[command(flatten)]
    pub(super) part: PartArguments,
}

/// Filters a recording by boxes.
pub(super) fn run(arguments: &FilterArguments, signal: &Signal, format: &OutputFormat) -> Result<(), Failure> {
    if signal.rows > 1 || signal.kind.is_image() {
        return Err(Failure::Call(format!("{} is no recording: leave --{} out", signal.name, arguments.boxes.name())));
    }
    let rate = Rate::from(arguments.output.rate.or(signal.sampling()));
    let samples = arguments.frames.part.samples(signal.columns, rate)?;
    let channels = match &arguments.channel {
        Some(name) => vec![signal.choice(name)?],
        None => (0..signal.channels.len()).map(ChannelChoice::Channel).collect(),
    };
    let mut tracks = channels.iter().map(|channel| signal.track(*channel));
    let is_complex = tracks.try_fold(false, |is_complex, track| Ok::<_, Failure>(is_complex || track?.is_complex()))?;
    if is_complex {
        output::check_complex(&arguments.output, format, "what comes of complex samples")?;
    }
    let boxes = arguments.boxes.of(&RecordingExtent { samples: signal.columns, is_complex, rate })?;
    let length = arguments.frames.length.unwrap_or(Frames::of_spectrogram().length.min(samples.len()));
    let precision = arguments.numbers.precision;
    let filter = BoxFilter { channels, samples, boxes: boxes.iter().map(|own| own.part.clone()).collect(), length, rate, precision };
    let progress = Progress::start(format!("filtering {}", signal.name));
    let BoxFiltered { signal: result, channels } = filter.run(signal, super::super::cancel())?;
    drop(progress);
    for (name, kept, replaced) in channels {
        say(&format!("{name}: {} % of the energy kept", number(100.0 * kept, 6)));
        if replaced > 0 {
            say(&format!("{name}: {}: 0 stands for each", counted(replaced, "infinite or NaN sample")));
        }
    }
    say_frames(&boxes, &filter.frames(), rate);
    output::values(&arguments.output, format, in_bits_of(signal, result, format))
}

/// The result as a WAV has it: with the bits of the source, or with floats, where it is said why.
fn in_bits_of(source: &Signal, result: Signal, format: &OutputFormat) -> Signal {
    let Some(bits) = source.integer_bits().filter(|_| format.holds.sample_rate) else { return result };
    match result.in_bits(bits) {
        Ok(stored) => {
            say(&format!("the {} has {} bits, as its source", format.name, stored.integer_bits().unwrap_or(bits)));
            stored
        }
        Err(beyond) => {
            say(&format!(
                "{} of the result beyond full scale: the {} has 32-bit floats in place of {bits} bits",
                counted(beyond, "sample"),
                format.name
            ));
            result
        }
    }
}

/// Says how soft the edges of the boxes are.
fn say_frames(boxes: &[NamedBox], frames: &Frames, rate: Rate) {
    let [time, frequency] = [frames.length as f64 / rate.per_unit, 2.0 * rate.per_unit / frames.length as f64];
    let time = rate.unit.map_or_else(|| counted(frames.length, "sample"), |unit| unit.amount(time, 4));
    let edges = format!("edges soft over {time} and {} {}", number(frequency, 4), rate.frequency());
    for own in boxes {
        let kind = if own.part.stroke.is_some() { "stroke" } else { "box" };
        say(&format!("filter: {kind} {}, {edges}", own.name));
    }
}

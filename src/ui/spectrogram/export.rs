//! A spectrogram for other programs: the values of its pixels with their times and frequencies, and the command that draws the same part.

use super::picture::ShownPicture;
use crate::signal::{self, Channel, OutputFormat, Samples, Signal, SignalKind, short_name};
use crate::spectra::{FrequencyAxis, Method, Quantity};
use crate::ui::action::Action;
use crate::ui::export::Export;
use crate::ui::origin::Origin;
use crate::ui::recording_command::RecordingCommand;
use crate::ui::settings::{SignalLook, SpectrogramLook};
use std::fmt::Write as _;

/// Writes the value of every pixel: rows are frequencies upwards, columns are times.
pub(super) fn values(picture: &ShownPicture, quantity: Quantity, facts: &[String], start: f64, ending: &'static str) -> Action {
    let request = &picture.request;
    let (times, frequencies, rate) = (&request.times, &request.frequencies, request.part.rate);
    let calibration = picture.pixels.power.calibration;
    let factor = calibration.factor(quantity, 1) / calibration.factor(Quantity::Power, 1);
    let value = |column: usize, row: usize| f64::from(picture.pixels.power.columns[column][row]) * factor;
    let bytes = match ending {
        "csv" => {
            let about = format!(
                "values: {}; the first row has times in {}, the first column frequencies in {}",
                quantity.name(),
                rate.unit(),
                rate.frequency()
            );
            let mut text = facts.iter().chain([&about]).fold(String::new(), |text, line| text + "# " + line + "\n");
            text.push_str("frequency");
            for column in 0..times.columns {
                let time = start + (times.ends[0] + (column as f64 + 0.5) * times.width()) / rate.per_unit;
                write!(text, ",{time}").expect("a string takes all");
            }
            for row in 0..frequencies.rows {
                write!(text, "\n{}", frequencies.frequency((row as f64 + 0.5) / frequencies.rows as f64)).expect("a string takes all");
                (0..times.columns).for_each(|column| write!(text, ",{:?}", value(column, row)).expect("a string takes all"));
            }
            (text + "\n").into_bytes()
        }
        _ => {
            let all = (0..frequencies.rows).flat_map(|row| (0..times.columns).map(move |column| (column, row)));
            let all: Vec<f64> = all.map(|(column, row)| value(column, row)).collect();
            let shape = (frequencies.rows, times.columns);
            let array = Signal::from_channels("values", SignalKind::Rows, shape, vec![Channel::new("value", Samples::F64(all))]);
            let npy = OutputFormat::of_ending("npy").expect("NPY is written");
            let mut bytes = Vec::new();
            // Memory takes all.
            signal::write(&mut bytes, &array, npy).map(|()| bytes).unwrap_or_default()
        }
    };
    let stem = short_name(&request.part.signal.name);
    let stem = stem.rsplit_once('.').map_or(stem.as_str(), |(stem, _)| stem);
    Action::Export(Box::new(Export::File { name: format!("{stem}-{}.{ending}", request.method.picture().to_lowercase()), ending, bytes }))
}

/// The command line that draws the same frames and frequencies.
pub(super) fn command(
    picture: &ShownPicture,
    (look, spectrum): (&SpectrogramLook, &SignalLook),
    (origin, range, size): (&Origin, [f32; 2], [f32; 2]),
) -> String {
    let request = &picture.request;
    let (frames, mut part) = (&request.frames, request.part.clone());
    let seen = request.times.frames(frames, frames.count(part.samples.len()));
    if !seen.is_empty() {
        // Its frames begin with the selection.
        let last = part.samples.start + (seen.end - 1) * frames.hop + frames.length;
        let is_whole = seen.start == 0 && seen.end == frames.count(part.samples.len());
        part.samples = if is_whole { part.samples } else { part.samples.start + seen.start * frames.hop..last };
    }
    let mut line = RecordingCommand::new("spectrogram", origin, &part);
    if request.method == Method::Scalogram {
        line.option("length", frames.length.to_string());
    } else {
        line.frames(frames);
        if request.method != Method::Multitaper {
            line.window(frames.window);
        }
    }
    line.option("quantity", look.quantity.name());
    line.option("method", request.method.name());
    if request.method != Method::Reassigned {
        line.option("pool", request.pool.name());
    }
    line.option("frequency-axis", request.frequencies.scale.name());
    let FrequencyAxis { scale, ends, .. } = request.frequencies;
    let is_complex = picture.pixels.power.calibration.is_complex;
    if scale.ends(frames, is_complex, part.rate.per_unit).is_some_and(|all| all != ends) {
        let (factor, unit) = part.rate.hertz().map_or((1.0 / part.rate.per_unit, ""), |hertz| (hertz / part.rate.per_unit, "Hz"));
        let [low, high] = ends.map(|end| (end * factor * 1e9).round() / 1e9);
        line.option("frequencies", format!("{low}{unit}..{high}{unit}"));
    }
    line.option("range", format!("{:.2}..{:.2}dB", range[0], range[1]));
    line.option("colormap", look.colormap.name());
    line.option("size", format!("{}x{}", size[0].round(), size[1].round()));
    line.reference(spectrum.reference, &part.signal);
    line.written_to(&format!("{}.png", request.method.picture().to_lowercase()))
}

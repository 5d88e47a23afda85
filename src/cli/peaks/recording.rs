//! `papillon peaks` of a recording: its sines, with frequency, level, phase and width between the bins.

use super::super::arguments::ComputeArguments;
use super::super::signals::{LevelArguments, Recording, Table, ValueFormat, measured, rounded};
use super::super::{Failure, output, say};
use crate::numerals::{counted, number};
use crate::plan::Precision;
use crate::prepare::Detrend;
use crate::spectra::{Frames, Quantity, TonePeak, tone_peaks};
use serde_json::{Value, json};
use std::path::Path;

/// Lists the peaks of a recording.
pub(super) fn run(
    recording: &Recording,
    (level, compute, detrend): (&LevelArguments, &ComputeArguments, Detrend),
    count: usize,
    to: &Path,
) -> Result<(), Failure> {
    let format = ValueFormat::of(to, None, &["csv", "json"])?;
    recording.say_channel();
    let frames = Frames { detrend, ..Frames::whole(recording.samples.len()) };
    let about = format!("finding the peaks of {}", recording.signal.name);
    let peaks = measured(&[recording], frames, (compute, Precision::Double), about, |job| Ok(tone_peaks(job, count)?))?;
    let reference = level.of(recording);
    let level = |peak: &TonePeak| reference.level(peak.amplitude);
    let double = compute.numbers.precision != Some(Precision::Single);
    let label = reference.label(Quantity::Amplitude, recording.rate.frequency());
    let levels: Vec<f64> = peaks.iter().map(level).collect();
    write(recording, &frames, (&peaks, &levels, &label), (to, format, double))?;
    let strongest = peaks.first().map_or(String::new(), |peak| {
        format!("; the strongest at {} {}, {} {label}", number(peak.frequency, 9), recording.rate.frequency(), number(level(peak), 5))
    });
    say(&format!("{} above the floor{strongest}", counted(peaks.len(), "peak")));
    Ok(())
}

/// Writes peaks with their levels as CSV or JSON.
fn write(
    recording: &Recording,
    frames: &Frames,
    (peaks, levels, label): (&[TonePeak], &[f64], &str),
    (to, format, double): (&Path, ValueFormat, bool),
) -> Result<(), Failure> {
    let unit = recording.rate.frequency();
    let column = |of: &dyn Fn(&TonePeak) -> f64| peaks.iter().map(of).collect::<Vec<f64>>();
    let columns = [
        ("frequency", column(&|peak| peak.frequency)),
        ("amplitude", column(&|peak| peak.amplitude)),
        ("level", levels.to_vec()),
        ("phase", column(&|peak| peak.phase)),
        ("width", column(&|peak| peak.width)),
        ("period", column(&|peak| 1.0 / peak.frequency)),
    ];
    if format == ValueFormat::Json {
        let peak = |index: usize| -> serde_json::Map<String, Value> {
            columns.iter().map(|(name, values)| ((*name).to_owned(), json!(rounded(values[index], double)))).collect()
        };
        let all = json!({
            "recording": recording.signal.name, "peaks": (0..peaks.len()).map(peak).collect::<Vec<_>>(), "rate": recording.rate.per_unit,
            "length": frames.length, "window": "hann", "reference": label, "frequency_unit": unit,
        });
        return output::bytes(to, |out| out.write_all(format!("{all:#}\n").as_bytes()));
    }
    let units = format!(
        "frequency and width in {unit}, amplitude of the peak of a sine, level in dB, phase in rad at the first sample, period in {}",
        recording.rate.unit()
    );
    let length = counted(frames.length, "sample");
    let own = vec![("length", length), ("window", frames.window.to_string()), ("reference", label.to_owned()), ("units", units)];
    let columns: Vec<(&str, &[f64])> = columns.iter().map(|(name, values)| (*name, &values[..])).collect();
    Table { facts: &[recording.facts(), own].concat(), columns: &columns, double }.write(to, format)
}

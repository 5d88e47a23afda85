//! What is said of a spectrogram: what its numbers depend on, its resolution, and the place under the pointer.

use super::picture::ShownPicture;
use super::places::Places;
use crate::engine::SpectrogramRequest;
use crate::numerals::{counted, integer, number};
use crate::signal::AxisUnit;
use crate::spectra::{Calibration, Frames, Method, Rate, Reference, note};
use crate::ui::settings::SpectrogramLook;

/// Time, frequency, note and level of a place.
pub(super) fn read_out(places: &Places<'_>, (sample, frequency, level): (f64, f64, Option<f32>), rate: Rate, label: &str) -> String {
    let time = places.time(sample);
    let time = places.axis.map_or_else(|| format!("sample {}", number(sample.floor(), 10)), |axis| axis.place(time, rate.per_unit.recip()));
    let note = note(frequency).filter(|_| rate.unit == Some(AxisUnit::Second)).map_or(String::new(), |note| format!(" ({note})"));
    let level = level.map_or("no frame".to_owned(), |level| format!("{} {label}", number(f64::from(level), 5)));
    format!("{time}   {} {}{note}   {level}", number(frequency, 6), rate.frequency())
}

/// The length of a frame and the noise bandwidth of its window.
pub(super) fn resolution(frames: &Frames, rate: Rate, bandwidth: f64) -> String {
    let length = number(frames.length as f64 / rate.per_unit, 4);
    format!("Δt {length} {} × Δf {} {}", rate.unit(), number(bandwidth, 4), rate.frequency())
}

/// What a screen reader says of the picture.
pub(super) fn description(picture: &ShownPicture, places: &Places<'_>, (rate, offset, label): (Rate, f32, &str)) -> String {
    let largest = picture.strongest().map_or("silence".to_owned(), |([sample, frequency], level)| {
        let (level, time) = (number(f64::from(level + offset), 5), number(places.time(sample), 5));
        format!("largest {level} {label} near {} {} at {time} {}", number(frequency, 5), rate.frequency(), rate.unit())
    });
    let SpectrogramRequest { times, frequencies, .. } = &picture.request;
    format!("Spectrogram of {} × {} pixels, {largest}", integer(times.columns), integer(frequencies.rows))
}

/// What the numbers depend on.
pub(super) fn facts(
    look: &SpectrogramLook,
    frames: &Frames,
    (rate, reference): (Rate, &Reference),
    request: &SpectrogramRequest,
) -> Vec<String> {
    let (unit, calibration) = (rate.frequency(), Calibration::of(frames, rate.per_unit, false));
    let share = 100.0 * frames.overlap() as f64 / frames.length as f64;
    let pixel = match request.method {
        Method::Reassigned => "power moved to its centre".to_owned(),
        Method::Multitaper => format!("a pixel shows the {} of its frames, under five tapers", request.pool.title().to_lowercase()),
        Method::Plain => format!("a pixel shows the {} of its frames", request.pool.title().to_lowercase()),
    };
    let window = if request.method == Method::Multitaper { "sine tapers".to_owned() } else { format!("{} window", frames.window) };
    let zero = match reference {
        Reference::FullScale(value) => format!("0 dBFS is a sine of amplitude {}", number(*value, 6)),
        Reference::Value(..) => reference.label(look.quantity, unit),
    };
    vec![
        counted(frames.length, "sample"),
        window,
        format!("noise bandwidth {} {unit}", number(calibration.noise_bandwidth(), 5)),
        format!("a value every {} {unit}", number(calibration.step(), 5)),
        format!("{}, {} % overlap", counted(request.n_frames(), "frame"), number(share, 3)),
        pixel,
        zero,
    ]
}

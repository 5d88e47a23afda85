//! The words about a spectrogram: the settings behind its numbers, its resolution, and the place under the pointer.

use super::picture::{Next, ShownPicture};
use super::places::Places;
use crate::engine::SpectrogramRequest;
use crate::numerals::{counted, integer, number};
use crate::signal::AxisUnit;
use crate::spectra::{Calibration, Frames, Method, Rate, Reference, note, wavelet_facts, wavelet_resolution};
use crate::ui::settings::SpectrogramLook;

/// Time, frequency, note and level of a place.
pub(super) fn read_out(places: &Places<'_>, sample: f64, frequency: f64, level: Option<f32>, rate: Rate, label: &str) -> String {
    let time = places.time(sample);
    let time = places.axis.map_or_else(|| format!("sample {}", number(sample.floor(), 10)), |axis| axis.place(time, rate.per_unit.recip()));
    let note = note(frequency).filter(|_| rate.unit == Some(AxisUnit::Second)).map_or(String::new(), |note| format!(" ({note})"));
    let level = level.map_or("no frame".to_owned(), |level| format!("{} {label}", number(f64::from(level), 5)));
    format!("{time}   {} {}{note}   {level}", number(frequency, 6), rate.frequency())
}

/// The length of a frame and the noise bandwidth of its window, or those of the wavelet of a frequency.
pub(super) fn cell(method: Method, frames: &Frames, rate: Rate, frequency: f64) -> [f64; 2] {
    if method == Method::Scalogram {
        return wavelet_resolution(frequency.max(rate.per_unit / frames.length as f64));
    }
    [frames.length as f64 / rate.per_unit, Calibration::of(frames, rate.per_unit, false).noise_bandwidth()]
}

/// A duration and a bandwidth in words.
pub(super) fn resolution(rate: Rate, [duration, bandwidth]: [f64; 2]) -> String {
    format!("Δt {} {} × Δf {} {}", number(duration, 4), rate.unit(), number(bandwidth, 4), rate.frequency())
}

/// The description that a screen reader reads of the picture.
pub(super) fn description(picture: &ShownPicture, places: &Places<'_>, rate: Rate, offset: f32, label: &str) -> String {
    let largest = picture.strongest().map_or("silence".to_owned(), |([sample, frequency], level)| {
        let (level, time) = (number(f64::from(level + offset), 5), number(places.time(sample), 5));
        format!("largest {level} {label} near {} {} at {time} {}", number(frequency, 5), rate.frequency(), rate.unit())
    });
    let SpectrogramRequest { times, frequencies, .. } = &picture.request;
    format!("{} of {} × {} pixels, {largest}", picture.request.method.picture(), integer(times.columns), integer(frequencies.rows))
}

/// The part that a coarse picture shows; `None` for a whole one.
fn share(request: &SpectrogramRequest) -> Option<String> {
    let text = || match request.method {
        Method::Scalogram => format!("about {} moments", integer(request.n_frames().div_ceil(request.stride))),
        _ => format!("1 of {} frames", integer(request.stride)),
    };
    (request.stride > 1).then(text)
}

/// The part that a coarse picture shows, and what follows it; `None` for a whole one.
pub(super) fn coarse(request: &SpectrogramRequest, next: Next) -> Option<String> {
    let every = if request.method == Method::Scalogram { "sample" } else { "frame" };
    let follows = match next {
        Next::Counted(part) => format!("every {every} follows: {} %", (100.0 * part).floor()),
        Next::Cancelled => "the rest is cancelled: zoom to see more".to_owned(),
    };
    Some(format!("Coarse: {}; {follows}", share(request)?))
}

/// The settings that the numbers depend on.
pub(super) fn facts(
    look: &SpectrogramLook,
    frames: &Frames,
    (rate, reference): (Rate, &Reference),
    request: &SpectrogramRequest,
) -> Vec<String> {
    let unit = rate.frequency();
    let pool = request.pool.title().to_lowercase();
    let (mut facts, pixel) = if request.method == Method::Scalogram {
        let facts = wavelet_facts(frames, rate).into_iter().map(|(name, text)| format!("{name} {text}"));
        (std::iter::once(request.method.picture().to_owned()).chain(facts).collect(), format!("a pixel shows the {pool} of its samples"))
    } else {
        let calibration = Calibration::of(frames, rate.per_unit, false);
        let share = 100.0 * frames.overlap() as f64 / frames.length as f64;
        let is_tapered = request.method == Method::Multitaper;
        let facts = vec![
            counted(frames.length, "sample"),
            if is_tapered { "sine tapers".to_owned() } else { format!("{} window", frames.window) },
            format!("noise bandwidth {} {unit}", number(calibration.noise_bandwidth(), 5)),
            format!("a value every {} {unit}", number(calibration.step(), 5)),
            format!("{}, {} % overlap", counted(request.n_frames(), "frame"), number(share, 3)),
        ];
        let tapers = if is_tapered { ", under five tapers" } else { "" };
        let is_moved = request.method == Method::Reassigned;
        (facts, if is_moved { "power moved to its centre".to_owned() } else { format!("a pixel shows the {pool} of its frames{tapers}") })
    };
    // The caption of a coarse picture says how many of them there are so far.
    facts.push(share(request).map_or(pixel, |share| format!("coarse: {share}")));
    facts.push(match reference {
        Reference::FullScale(value) => format!("0 dBFS is a sine of amplitude {}", number(*value, 6)),
        Reference::Value(..) => reference.label(look.quantity, unit),
    });
    if look.range.is_some() {
        facts.push("the same levels in all files".to_owned());
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::RecordingPart;
    use crate::signal::{Samples, Signal};
    use crate::spectra::{FrequencyAxis, FrequencyScale, Pool, TimeAxis};

    #[test]
    fn one_caption_says_what_a_coarse_picture_shows_and_what_follows() {
        let signal = std::sync::Arc::new(Signal::row("a", Samples::F64(vec![0.0; 4096])));
        let part = RecordingPart { signal, channel: Default::default(), samples: 0..4096, rate: None.into() };
        let of = |method, stride| SpectrogramRequest {
            part: part.clone(),
            frames: Frames::whole(64),
            stride,
            method,
            pool: Pool::default(),
            times: TimeAxis { ends: [0.0, 4096.0], columns: 4 },
            frequencies: FrequencyAxis { scale: FrequencyScale::Linear, ends: [0.0, 0.5], rows: 4 },
        };
        let said = |stride, next| coarse(&of(Method::default(), stride), next);
        assert_eq!(said(208, Next::Counted(0.379)).as_deref(), Some("Coarse: 1 of 208 frames; every frame follows: 37 %"));
        assert_eq!(said(208, Next::Cancelled).as_deref(), Some("Coarse: 1 of 208 frames; the rest is cancelled: zoom to see more"));
        assert_eq!(said(1, Next::Counted(0.5)), None, "a whole picture has no caption");
    }
}

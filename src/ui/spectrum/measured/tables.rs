//! The tables of a measured spectrum: its strongest tones, and the measures of one tone with what they mean.

use super::curve::Curve;
use crate::engine::RecordingPart;
use crate::numerals::number;
use crate::signal::AxisUnit;
use crate::spectra::{Quantity, Tone, TonePeak};
use crate::ui::line_plot::Periods;
use crate::ui::theme::Tokens;
use crate::ui::widgets::{self, Head, TableRow, TextTable};
use egui::{Rect, RichText, ScrollArea, Ui, UiBuilder};
use std::f64::consts::TAU;
use std::ops::Range;

/// The width of a column, so that numbers of another length do not move the others, in points.
const COLUMN: f32 = 66.0;

/// The help of the table.
const ABOUT: &str =
    "Sines in one transform of the whole selection, each to 0.001 of a bin; the phase is that of a cosine at the first sample";

/// The strongest tones with their levels, phases, widths and periods.
pub(super) fn peaks_ui(ui: &mut Ui, rect: Rect, (peaks, said): (&[TonePeak], &str), Curve { spectrum, scaling, .. }: &Curve) {
    let rate = scaling.rate;
    // A long unit is below the reference.
    let level = scaling.reference.label(Quantity::Amplitude, rate.frequency()).replacen("dB re ", "dB re\n", 1);
    let periods = Periods { of_one: 1.0, unit: rate.unit, name: "sample" };
    ui.scope_builder(UiBuilder::new().max_rect(rect), |ui| {
        ScrollArea::vertical().id_salt("tones").auto_shrink([false, true]).show(ui, |ui| {
            let frequency = rate.frequency().replacen(" per ", " per\n", 1);
            let heads = [frequency.as_str(), &level, "phase (°)", "−3 dB width"]
                .map(Head::of_numbers)
                .into_iter()
                .chain([Head::of_texts("period")]);
            let rows = peaks.iter().map(|peak| {
                let level = scaling.reference.decibels(peak.amplitude, Quantity::Amplitude, &spectrum.calibration);
                let values = [(peak.frequency, 8), (level, 6), (peak.phase * 360.0 / TAU, 4), (peak.width, 3)];
                TableRow::of(values.map(|(value, digits)| number(value, digits)).into_iter().chain([periods.text(peak.frequency, 5)]))
            });
            let heads = heads.map(|head| head.about(ABOUT).at_least(COLUMN));
            TextTable::new("tones", heads).show(ui, &rows.collect::<Vec<_>>());
            if !said.is_empty() {
                ui.add(egui::Label::new(said).wrap()).on_hover_text(ABOUT);
            }
        });
    });
}

/// The text below the tones: that there are none, and which samples were searched where these are not all of the part.
pub(super) fn said_of_peaks(is_empty: bool, (found_in, part): (&Range<usize>, &RecordingPart)) -> String {
    let [first, end] = [found_in.start, found_in.end].map(|sample| number(sample as f64 / part.rate.per_unit, 6));
    let few = (found_in != &part.samples).then(|| {
        format!(
            "These are the tones from {first} to {end} {}: the transform of the whole would take too much memory.",
            part.rate.unit.map_or("samples", AxisUnit::symbol)
        )
    });
    let none = is_empty.then(|| "No tone stands clear of the noise beside it.".to_owned());
    [none, few].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The measures of a tone, each beside what it means.
pub(super) fn tone_ui(ui: &mut Ui, tone: &Tone, Curve { spectrum, scaling, .. }: &Curve) {
    let frequency = |value: f64, digits: usize| scaling.frequency_text(value, digits);
    let decibels = |value: f64| format!("{} dB", number(value, 5));
    let level = scaling.reference.decibels(tone.amplitude, Quantity::Amplitude, &spectrum.calibration);
    let noise = scaling.reference.decibels(tone.noise_density, Quantity::Density, &spectrum.calibration);
    let harmonics = format!("harmonics 2 to {} over the fundamental", tone.harmonics);
    let rows = [
        ("Tone", frequency(tone.frequency, 8), "the fundamental".to_owned()),
        ("Level", format!("{} {}", number(level, 6), scaling.reference.label(Quantity::Amplitude, "")), "its peak amplitude".to_owned()),
        ("THD", decibels(tone.thd), harmonics),
        ("THD+N", decibels(tone.thdn), "all but the mean and the fundamental, over the fundamental".to_owned()),
        ("SINAD", decibels(tone.sinad), "the fundamental over noise and distortion".to_owned()),
        ("SNR", decibels(tone.snr), "the fundamental over the noise without harmonics".to_owned()),
        ("SFDR", decibels(tone.sfdr), "the fundamental over the largest other line".to_owned()),
        ("ENOB", format!("{} bits", number(tone.enob, 4)), "(SINAD − 1.76)/6.02".to_owned()),
        (
            "Noise floor",
            format!("{} {}", number(noise, 5), scaling.reference.label(Quantity::Density, scaling.rate.frequency())),
            "its mean density".to_owned(),
        ),
    ];
    let [low, high] = tone.band;
    let of = format!(
        "in {} to {}, {} window over {}",
        number(low, 6),
        frequency(high, 6),
        tone.window,
        crate::numerals::counted(tone.length, "sample")
    );
    ScrollArea::both().id_salt("measures of the tone").auto_shrink([false, false]).show(ui, |ui| {
        let weak = Tokens::current(ui).weak;
        let cells = |(name, value, about): &(&str, String, String)| {
            [RichText::new(*name).strong(), RichText::new(value), RichText::new(about).color(weak)]
        };
        let rows: Vec<_> = rows.chunks(2).map(|pair| TableRow::of(pair.iter().flat_map(cells))).collect();
        TextTable::new("measures of the tone", []).show(ui, &rows);
        widgets::weak(ui, of);
    });
}

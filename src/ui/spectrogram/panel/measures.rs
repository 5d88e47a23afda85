//! The measures of the selected box, each with what it means.

use super::{Known, Panel};
use crate::engine::{SpectraAnswer, SpectraQuestion, SpectraRequest};
use crate::numerals::number;
use crate::signal::AxisUnit;
use crate::spectra::{BoxMeasures, Quantity, TimeFrequencyBox};
use crate::ui::remedy::in_words;
use crate::ui::theme::Tokens;
use crate::ui::widgets::{self, TableRow, TextTable};
use egui::{RichText, TextStyle, Ui};

impl Panel {
    /// Measures a box and lists what was found.
    pub(super) fn measures_ui(&mut self, ui: &mut Ui, known: &Known<'_>, own: &TimeFrequencyBox) {
        let question = SpectraQuestion::Box(own.moved(known.part.samples.start));
        let request = SpectraRequest { part: known.part.clone(), question };
        let answer = self.measures.ask(ui.ctx(), Some(&request)).map(|answer| answer.reply.result.clone());
        match answer {
            Some(Ok(SpectraAnswer::Box(found))) => {
                // Small, so that all of them fit below the list of a few boxes.
                ui.style_mut().override_text_style = Some(TextStyle::Small);
                let weak = Tokens::current(ui).weak;
                let row = |(name, value, about): (&str, String, &str)| {
                    let read = format!("{name} {value}");
                    TableRow::of([RichText::new(name).color(weak), value.into()]).named(read).about(about)
                };
                TextTable::new("measures of the box", []).show(ui, &facts(known, &found).map(row));
            }
            Some(Err(error)) => widgets::error(ui, &in_words(&error)),
            _ => drop(widgets::weak(ui, "The box is being measured")),
        }
    }
}

/// The names, the values and the meanings of the measures.
fn facts(known: &Known<'_>, found: &BoxMeasures) -> [(&'static str, String, &'static str); 6] {
    let rate = known.of.rate;
    let frequency = |value: f64| {
        if value.is_nan() { "none".to_owned() } else { format!("{} {}", number(value, 7), rate.frequency()) }
    };
    let level = number(known.reference.level((2.0 * found.power).sqrt()), 5);
    let label = known.reference.label(Quantity::Amplitude, rate.frequency());
    let duration =
        rate.unit.map_or_else(|| format!("{} samples", number(found.duration, 9)), |unit: AxisUnit| unit.amount(found.duration, 6));
    [
        ("Peak", frequency(found.peak), "The frequency of the largest value of its spectrum, between the values as of a sine"),
        ("Centroid", frequency(found.centroid), "The mean frequency, each weighted by its power"),
        ("Bandwidth", frequency(found.bandwidth), "The width of the band that holds 99 % of its power"),
        ("Level", format!("{level} {label}"), "The level of a sine of the same power"),
        (
            "Energy",
            format!("{} unit²·{}", number(found.energy, 4), rate.unit()),
            "Its power, the mean square of what it holds, times its duration",
        ),
        ("Duration", duration, "From its beginning to its end"),
    ]
}

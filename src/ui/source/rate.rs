//! The field for the sampling rate of a signal whose file has none, or a wrong one.

use crate::numerals::number;
use crate::signal::Signal;
use crate::ui::settings::Settings;
use crate::ui::size_field::{heard, refusal_ui};
use crate::ui::widgets;
use egui::{DragValue, Ui};
use std::cell::RefCell;

/// The highest rate that is taken, in Hz.
const MOST_HERTZ: f64 = 1e15;
/// What the field shows for a signal without a rate.
const UNKNOWN: &str = "unknown";

/// Shows the sampling rate, in a row of its own or among other controls, and lets the user type another one.
pub(super) fn rate_ui(ui: &mut Ui, settings: &mut Settings, signal: &Signal, has_row: bool) {
    let mut hertz = settings.sample_rate(signal).unwrap_or(0.0);
    let parsed = RefCell::new(None);
    let about = "Samples in a second: 8000, 44.1 kHz, or the time of a step as 0.5 ms. Empty goes back to the rate of the file";
    let field = DragValue::new(&mut hertz)
        .range(0.0..=MOST_HERTZ)
        .speed(0.0)
        .custom_formatter(|hertz, _| if hertz > 0.0 { shown(hertz) } else { UNKNOWN.into() })
        .custom_parser(|text| heard(hertz_in(text), &parsed));
    let add = |ui: &mut Ui| ui.add(field).on_hover_text(about);
    let response = if has_row { widgets::row(ui, "Rate", add) } else { widgets::labelled(ui, "Rate", add) };
    refusal_ui(ui, response.id, &response, parsed.into_inner());
    if response.changed() {
        settings.type_rate(hertz, signal);
    }
}

/// "44.1 kHz".
fn shown(hertz: f64) -> String {
    match hertz {
        1e9.. => format!("{} GHz", number(hertz / 1e9, 9)),
        1e6..1e9 => format!("{} MHz", number(hertz / 1e6, 9)),
        1e4..1e6 => format!("{} kHz", number(hertz / 1e3, 9)),
        _ => format!("{} Hz", number(hertz, 9)),
    }
}

/// The rate in Hz that a text says, as a frequency or as the time of a step; 0 for none.
fn hertz_in(text: &str) -> Result<f64, String> {
    let text: String = text.trim().chars().filter(|c| !c.is_whitespace()).collect();
    if text.is_empty() || text == UNKNOWN {
        return Ok(0.0);
    }
    let refused = || format!("“{text}” is no sampling rate: type 8000, 44.1 kHz or 0.5 ms");
    // The exponent of 1e3 belongs to the number.
    let end = (1..=text.len()).rev().find(|&end| text.is_char_boundary(end) && text[..end].parse::<f64>().is_ok()).ok_or_else(refused)?;
    let value: f64 = text[..end].parse().map_err(|_| refused())?;
    let hertz = match text[end..].to_lowercase().as_str() {
        "" | "hz" | "/s" => value,
        "k" | "khz" => 1e3 * value,
        "mhz" => 1e6 * value,
        "ghz" => 1e9 * value,
        "s" => 1.0 / value,
        "ms" => 1e3 / value,
        "us" | "µs" | "μs" => 1e6 / value,
        "ns" => 1e9 / value,
        "min" => 1.0 / (60.0 * value),
        "h" => 1.0 / (3600.0 * value),
        _ => return Err(refused()),
    };
    if hertz.is_finite() && hertz > 0.0 && hertz <= MOST_HERTZ { Ok(hertz) } else { Err(refused()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_typed_as_a_frequency_or_a_step() {
        for (text, hertz) in [
            ("8000", 8000.0),
            ("44.1 kHz", 44_100.0),
            ("44.1k", 44_100.0),
            ("250 Hz", 250.0),
            ("0.5 ms", 2000.0),
            ("20 µs", 50_000.0),
            ("1e3", 1000.0),
            ("2 min", 1.0 / 120.0),
            ("", 0.0),
            ("unknown", 0.0),
        ] {
            assert_eq!(hertz_in(text), Ok(hertz), "{text}");
        }
        for text in ["abc", "-5", "0", "3 px", "inf", "nan", "1e300", "kHz"] {
            let why = hertz_in(text).expect_err("it is refused");
            assert!(why.contains("is no sampling rate: type 8000"), "{text}: {why}");
        }
        for hertz in [8000.0, 44_100.0, 2.5e6, 0.1] {
            let text = shown(hertz);
            assert!(hertz_in(&text).is_ok_and(|read| (read - hertz).abs() < 1e-9 * hertz), "{text}");
        }
    }
}

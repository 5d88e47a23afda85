//! The controls of thresholds: which coefficients are kept, and how they shrink.

use super::settings::{KeepBy, SynthesisLook};
use super::toolbar::Toolbar;
use super::widgets::labelled;
use crate::choice::Named as _;
use crate::threshold::{Kept, Shrink};
use egui::{Response, Slider, Ui};

/// Widths of a slider and of its number, in points.
const SLIDER_WIDTH: f32 = 96.0;
const NUMBER_WIDTH: f32 = 80.0;

/// The choice of the threshold, and what the last one left.
pub(super) fn threshold_ui(bar: &mut Toolbar<'_>, look: &mut SynthesisLook, kept: Option<Kept>) {
    bar.segmented("What is kept", &mut look.keep_by, &KeepBy::offered());
    match look.keep_by {
        KeepBy::All => return,
        KeepBy::Share => drop(bar.item("amount", |ui| share_ui(ui, &mut look.percent, kept))),
        KeepBy::Value => drop(bar.item("amount", |ui| {
            widths(ui);
            let slider = Slider::new(&mut look.value, 0.0..=1e6).logarithmic(true).smallest_positive(1e-3).max_decimals(4);
            labelled(ui, "Threshold", |ui| ui.add(slider))
        })),
    }
    let shrinks =
        [(Shrink::Hard, "Hard", "Kept coefficients do not change"), (Shrink::Soft, "Soft", "Kept coefficients shrink by the threshold")];
    bar.segmented("Kind of threshold", &mut look.shrink, &shrinks);
}

/// The share of the coefficients that stays, in percent. Low-pass coefficients always stay, so that no smaller share than theirs can be chosen.
pub(super) fn share_ui(ui: &mut Ui, percent: &mut f64, kept: Option<Kept>) -> Response {
    widths(ui);
    let least = kept.map_or(0.0, |kept| share(kept.low, kept.of));
    // The setting stays as it is: undo of a level may bring back the room that it needs.
    let mut shown = percent.max(least);
    let slider = Slider::new(&mut shown, least..=100.0).logarithmic(true).smallest_positive(0.01).suffix(" %").max_decimals(2);
    let about = "The low-pass coefficients of the last level always stay: their share is the smallest";
    let response = labelled(ui, "Share", |ui| ui.add(slider)).on_hover_text(about);
    if response.changed() {
        *percent = shown;
    }
    response
}

/// A slider as wide as its longest number, so that none moves what follows.
fn widths(ui: &mut Ui) {
    ui.spacing_mut().slider_width = SLIDER_WIDTH;
    ui.spacing_mut().interact_size.x = NUMBER_WIDTH;
}

/// A part of a number in percent.
pub(super) fn share(part: usize, of: usize) -> f64 {
    100.0 * part as f64 / of.max(1) as f64
}

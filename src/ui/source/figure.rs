//! The text about the signal in the figure of the pane.

use crate::engine::RenderedImage;
use crate::numerals::number;
use crate::signal::{PixelSize, short_name};
use crate::ui::export::painted;
use crate::ui::settings::description;
use crate::ui::shown::ShownJob;
use egui::{Rect, Ui};

/// Says that the figure of the pane lies in `rect`, and which signal it shows.
pub(super) fn begin(ui: &Ui, shown: &ShownJob<'_>, rect: Rect, note: Option<String>) {
    painted::begin_in(ui, rect);
    let Some(signal) = shown.signal else { return };
    let notes = std::iter::once(description(shown.transform, signal)).chain(note).collect();
    painted::describe(ui, short_name(&signal.name), notes);
}

/// The part of an image that is seen, and the values of black and white.
pub(super) fn part_text(shown: &ShownJob<'_>, image: &RenderedImage) -> String {
    let part = image.frame.rect;
    let (sides, unit) = match shown.pixel_size {
        Some(PixelSize { width, height, unit }) => ([width, height], unit.symbol()),
        None => ([1.0; 2], "px"),
    };
    let ends = |first: f64, n: f64, side: f64| format!("{} to {} {unit}", number(first * side, 5), number((first + n) * side, 5));
    let [low, high] = image.range.map(|value| number(value.into(), 5));
    let (across, down) = (ends(part.left, part.width, sides[0]), ends(part.top, part.height, sides[1]));
    format!("{across} across, {down} down; black is {low}, white {high}")
}

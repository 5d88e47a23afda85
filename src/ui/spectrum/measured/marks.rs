//! The grips over a measured spectrum: two cursors, a cursor of harmonics, and a band.

use super::curve::Curve;
use crate::engine::RecordingPart;
use crate::filter::Effect;
use crate::numerals::number;
use crate::spectra::{NamedBox, Quantity, Rate, band};
use crate::ui::gestures::{Grip, keep_arrows, nudge};
use crate::ui::line_plot::{PlotLook, PlotReply};
use crate::ui::settings::{BoxesLook, SignalMarks};
use crate::ui::shown::ShownJob;
use crate::ui::theme::{GRID, Tokens};
use egui::{Align2, Color32, CursorIcon, FontId, Pos2, Rect, Stroke, Ui, pos2, vec2};
use std::cell::Cell;
use std::ops::Range;

/// The most multiples that are marked.
const MOST_HARMONICS: usize = 40;
/// The room that the number of a multiple takes, in points.
const LABEL: f32 = 20.0;

/// Where frequencies lie on the screen.
pub(super) struct Places<'a> {
    pub(super) curve: &'a Curve,
    pub(super) look: &'a PlotLook<'a>,
    pub(super) reply: &'a PlotReply,
    /// Whether the pointer is on something to drag, which a click takes.
    pub(super) is_taken: Cell<bool>,
}

impl Places<'_> {
    /// The place of a frequency across; `None` where the axis does not have it.
    pub(super) fn x(&self, frequency: f64) -> Option<f32> {
        let (canvas, [low, high]) = (self.reply.placement.canvas, self.reply.ends);
        let position = self.curve.position(frequency);
        let at = (self.look.x(position) - low) / (high - low);
        (self.look.is_shown(position) && (0.0..=1.0).contains(&at)).then(|| canvas.left() + canvas.width() * at as f32)
    }

    /// The frequency at a place, within the spectrum.
    fn frequency(&self, at: Pos2) -> f64 {
        let (canvas, [low, high]) = (self.reply.placement.canvas, self.reply.ends);
        let share = f64::from((at.x - canvas.left()) / canvas.width());
        let position = self.look.position(low + (high - low) * share);
        self.curve.frequency(position.clamp(0.0, self.curve.values.len() as f64 - 1.0))
    }

    /// Shades a band; returns its corners.
    fn shade(&self, ui: &Ui, [low, high]: [f64; 2], color: Color32) -> Rect {
        let canvas = self.reply.placement.canvas;
        let [first, last] = [canvas.left_top(), canvas.right_top()].map(|corner| self.frequency(corner));
        if high < first || low > last {
            // None of it is visible.
            return Rect::NOTHING;
        }
        let ends = [self.x(low).unwrap_or(canvas.left()), self.x(high).unwrap_or(canvas.right())];
        let shade = Rect::from_x_y_ranges(ends[0]..=ends[1], canvas.y_range());
        ui.painter().with_clip_rect(canvas).rect_filled(shade, 0.0, color.gamma_multiply(0.14));
        shade
    }

    /// The ends of a band as lines. Each is grabbed on its own side of the middle, and goes as far as the other.
    /// `index` tells bands of the same name apart.
    fn ends_ui(&self, ui: &Ui, names: [&str; 2], index: usize, [low, high]: &mut [f64; 2], color: Color32) {
        let canvas = self.reply.placement.canvas;
        let middle = self.x(*low).unwrap_or(canvas.left()).midpoint(self.x(*high).unwrap_or(canvas.right()));
        let (below, above) = canvas.split_left_right_at_x(middle);
        self.line_within(ui, (names[0], index), (low, below), color);
        *low = low.min(*high);
        self.line_within(ui, (names[1], index), (high, above), color);
        *high = high.max(*low);
    }

    /// A line that is dragged along the axis, or moved by the arrows while it has the focus.
    fn line_ui(&self, ui: &Ui, name: &str, frequency: &mut f64, color: Color32) {
        self.line_within(ui, (name, 0), (frequency, self.reply.placement.canvas), color);
    }

    /// As [`Self::line_ui`], grabbed within a part of the plot.
    fn line_within(&self, ui: &Ui, (name, index): (&str, usize), (frequency, reach): (&mut f64, Rect), color: Color32) {
        let canvas = self.reply.placement.canvas;
        let Some(x) = self.x(*frequency) else { return };
        let rect = Rect::from_x_y_ranges(x..=x, canvas.y_range());
        let grip = Grip::new(ui, (ui.scope_id().with(("line", name, index)), rect, reach), CursorIcon::ResizeHorizontal, name);
        self.is_taken.set(self.is_taken.get() || grip.response.hovered() || grip.response.dragged());
        if let Some(at) = grip.to() {
            *frequency = self.frequency(at);
        }
        if !grip.is_taken() && grip.response.has_focus() {
            keep_arrows(&grip.response);
            if let Some([by, _]) = nudge(ui.ctx()) {
                let last = self.curve.values.len() as f64 - 1.0;
                let position = self.curve.position(*frequency).round() + f64::from(by);
                *frequency = self.curve.frequency(position.clamp(0.0, last));
            }
        }
        let width = if grip.response.hovered() || grip.response.has_focus() { 2.0 } else { 1.0 };
        ui.painter().with_clip_rect(canvas).vline(x, canvas.y_range(), Stroke::new(width, color));
        let letter = name.chars().last().filter(char::is_ascii_uppercase).map_or(String::new(), String::from);
        ui.painter().text(pos2(x + GRID / 2.0, canvas.top()), Align2::LEFT_TOP, letter, FontId::proportional(11.0), color);
    }
}

/// Shows the marks, and lets them be dragged; returns what is said of them.
pub(super) fn marks_ui(ui: &Ui, places: &Places<'_>, marks: &mut SignalMarks, band_text: Option<String>) -> Vec<String> {
    let tokens = Tokens::current(ui);
    let mut said = Vec::new();
    if let Some(ends) = &mut marks.band {
        places.shade(ui, *ends, tokens.accent);
        places.ends_ui(ui, ["Lower end of the band", "Upper end of the band"], 0, ends, tokens.accent);
        said.extend(band_text);
    }
    if let Some(first) = &mut marks.harmonics {
        harmonics_ui(ui, places, first, tokens);
        said.push(harmonics_text(places.curve, *first));
    }
    if let Some(cursors) = &mut marks.cursors {
        for (name, frequency) in ["Cursor A", "Cursor B"].into_iter().zip(cursors.iter_mut()) {
            places.line_ui(ui, name, frequency, tokens.warning);
        }
        said.push(cursors_text(places.curve, *cursors));
    }
    said
}

fn harmonics_ui(ui: &Ui, places: &Places<'_>, first: &mut f64, tokens: Tokens) {
    let canvas = places.reply.placement.canvas;
    let painter = ui.painter().with_clip_rect(canvas);
    let mut labelled = f32::NEG_INFINITY;
    for multiple in 2..=MOST_HARMONICS {
        let Some(x) = places.x(*first * multiple as f64) else { continue };
        painter.extend(egui::Shape::dashed_line(
            &[pos2(x, canvas.top()), pos2(x, canvas.bottom())],
            Stroke::new(1.0, tokens.accent),
            4.0,
            4.0,
        ));
        if x - labelled > LABEL {
            painter.text(pos2(x + GRID / 2.0, canvas.top()), Align2::LEFT_TOP, multiple, FontId::proportional(11.0), tokens.weak);
            labelled = x;
        }
    }
    places.line_ui(ui, "Cursor of harmonics", first, tokens.accent);
}

/// The values at two places, and their differences.
fn cursors_text(curve: &Curve, cursors: [f64; 2]) -> String {
    let scaling = &curve.scaling;
    let values = cursors.map(|frequency| curve.value_at(frequency).unwrap_or(f64::NAN));
    let text =
        |name: &str, index: usize| format!("{name} {}, {}", scaling.frequency_text(cursors[index], 7), scaling.text(values[index], 6));
    let by = if scaling.decibels { "dB" } else { "" };
    let difference = format!("B − A {}, {} {by}", scaling.frequency_text(cursors[1] - cursors[0], 7), number(values[1] - values[0], 6));
    format!("{}   {}   {}", text("A", 0), text("B", 1), difference.trim_end())
}

/// The fundamental and its first multiples with their values.
fn harmonics_text(curve: &Curve, first: f64) -> String {
    let value = |multiple: usize| {
        let value = curve.value_near(first * multiple as f64)?;
        Some(format!("{multiple}: {}", number(value, 5)))
    };
    let values: Vec<String> = (1..=6).map_while(value).collect();
    format!("harmonics of {} ({}): {}", curve.scaling.frequency_text(first, 7), curve.scaling.label(), values.join("   "))
}

/// Makes the band a box over all samples, which passes or is cut.
pub(super) fn filter_band(marks: &mut SignalMarks, boxes: &mut BoxesLook, (part, effect): (&RecordingPart, Effect)) {
    if let Some(ends) = marks.band.take() {
        let n = part.signal.columns;
        boxes.add_band(0..n, n, ends.map(|end| (end / part.rate.per_unit).clamp(-0.5, 0.5)), effect);
    }
}

/// Shows the boxes over all samples as bands, and lets their ends be dragged: the filter follows.
pub(super) fn bands_ui(ui: &Ui, places: &Places<'_>, boxes: &mut BoxesLook, shown: &ShownJob<'_>) {
    let (n, per_unit) = (shown.signal.map_or(0, |signal| signal.columns), Rate::from(shown.sampling()).per_unit);
    let tokens = Tokens::current(ui);
    let BoxesLook { list, selected, .. } = boxes;
    for (index, NamedBox { name, part }) in list.iter_mut().enumerate() {
        if part.samples != (0..n) || part.stroke.is_some() {
            continue;
        }
        let is_cut = part.effect == Effect::Cut;
        let color = if is_cut { tokens.error } else { tokens.accent };
        let before = part.cycles.map(|cycles| cycles * per_unit);
        let mut ends = before;
        let shade = places.shade(ui, before, color);
        let text = if is_cut { format!("{name}, cut") } else { name.clone() };
        let at = shade.center_bottom() - vec2(0.0, GRID);
        ui.painter().with_clip_rect(shade).text(at, Align2::CENTER_BOTTOM, text, FontId::proportional(11.0), color);
        let names = ["Lowest", "Highest"].map(|way| format!("{way} frequency of {name} in the spectrum"));
        places.ends_ui(ui, names.each_ref().map(String::as_str), index, &mut ends, color);
        if ends != before && ends[0] != ends[1] {
            part.cycles = ends.map(|end| (end / per_unit).clamp(-0.5, 0.5));
            *selected = Some(index);
        }
    }
}

/// A band about a peak that holds it.
pub(super) fn band_about(curve: &Curve, frequency: f64) -> [f64; 2] {
    let half = (8.0 * curve.step).max(0.02 * frequency.abs());
    [frequency - half, frequency + half].map(|end| end.clamp(curve.first, curve.frequency(curve.values.len() as f64 - 1.0)))
}

/// The power of a band, its share, and the width of the strongest peak in it.
pub(super) fn band_text(curve: &Curve, [low, high]: [f64; 2]) -> Option<String> {
    let scaling = &curve.scaling;
    let found = band(&curve.spectrum, [low, high]).ok()?;
    let range: Range<f64> = curve.position(low).ceil().max(0.0)..curve.position(high).floor() + 1.0;
    let width = curve.strongest(range).and_then(|peak| curve.half_power_width(peak));
    let width = width.map_or(String::new(), |width| format!(", −3 dB width {}", scaling.frequency_text(width, 4)));
    let level = scaling.reference.decibels(found.power, Quantity::Power, &curve.spectrum.calibration);
    Some(format!(
        "band {} to {}: power {} {}, {} {}{width}",
        number(low, 7),
        scaling.frequency_text(high, 7),
        number(found.power, 5),
        Quantity::Power.unit(scaling.unit.as_deref(), scaling.rate.frequency()),
        number(level, 5),
        scaling.reference.label(Quantity::Power, scaling.rate.frequency()),
    ))
}

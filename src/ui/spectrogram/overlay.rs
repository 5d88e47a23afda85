//! The parts around and over a spectrogram: its axes, the ridge, the resolution in true size, the selected part, and the place under the pointer.

use super::LEFT;
use super::picture::{Colours, Next, ShownPicture};
use super::places::{Places, Rooms, canvas_of};
use super::words::coarse;
use crate::engine::SpectrogramRequest;
use crate::prepare::{Outline, Region};
use crate::signal::Signal;
use crate::spectra::{FrequencyAxis, frequency_ticks, time_ticks};
use crate::ui::export::painted;
use crate::ui::gestures::{self, Grip, keep_arrows, nudge};
use crate::ui::theme::{GRID, Tokens};
use crate::ui::widgets;
use egui::epaint::TextShape;
use egui::{Align2, Color32, CursorIcon, FontId, Rect, Response, Shape, Stroke, StrokeKind, Ui, Vec2, pos2, vec2};
use std::f32::consts::FRAC_PI_2;

/// Points between two numbers across and upwards.
const ACROSS: f32 = 88.0;
const UP: f32 = 30.0;
/// The largest share of a side of the picture that the drawing of the resolution takes.
const MOST_OF_SIDE: f32 = 0.5;

/// Ticks and names of both axes.
pub(super) fn axes_ui(ui: &Ui, places: &Places<'_>, up: &str) {
    let Places { canvas, view, all, .. } = *places;
    let tokens = Tokens::current(ui);
    let painter = ui.painter();
    let font = FontId::proportional(11.0);
    let times = view.time.map(|sample| places.time(sample));
    let clock = places.axis.and_then(|axis| axis.on_clock(places.samples));
    for (value, text) in time_ticks(clock, times, (canvas.width() / ACROSS).into()) {
        let x = view.x(canvas, places.sample(value));
        painter.vline(x, canvas.bottom()..=canvas.bottom() + GRID, (1.0, tokens.rule));
        painter.text(pos2(x, canvas.bottom() + GRID + 1.0), Align2::CENTER_TOP, text, font.clone(), tokens.weak);
    }
    let band = FrequencyAxis { ends: view.band.map(|share| all.frequency(share)), ..all };
    for tick in frequency_ticks(&band, (canvas.height() / UP).max(1.0)) {
        let y = view.y(canvas, all.share(tick.value));
        if y.is_finite() && (canvas.top() - 0.5..=canvas.bottom() + 0.5).contains(&y) {
            let length = if tick.text.is_some() { GRID } else { GRID / 2.0 };
            painter.hline(canvas.left() - length..=canvas.left(), y, (1.0, tokens.rule));
            if let Some(text) = tick.text {
                painter.text(pos2(canvas.left() - GRID - 2.0, y), Align2::RIGHT_CENTER, text, font.clone(), tokens.weak);
            }
        }
    }
    let across = places.axis.map_or("sample".to_owned(), |axis| axis.label_of_ticks(places.samples));
    let name = painter.layout_no_wrap(across, font.clone(), tokens.weak);
    let below = pos2(canvas.center().x, canvas.bottom() + 17.0);
    if name.size().x <= canvas.width() {
        painter.galley(Align2::CENTER_TOP.anchor_size(below, name.size()).min, name, tokens.weak);
    }
    let name = painter.layout_no_wrap(up.to_owned(), font, tokens.weak);
    if name.size().x <= canvas.height() {
        let at = pos2(canvas.left() - LEFT + 1.0, canvas.center().y + 0.5 * name.size().x);
        painter.add(TextShape::new(at, name, tokens.weak).with_angle(-FRAC_PI_2));
    }
}

/// Says what a coarse picture shows, and what follows it.
pub(super) fn coarse_ui(ui: &mut Ui, canvas: Rect, request: &SpectrogramRequest, next: Next) {
    let Some(text) = coarse(request, next) else { return };
    widgets::words_over(ui, canvas, &text);
    painted::note(ui, text);
}

/// Marks the strongest frequency of each column that is bright enough to be seen.
pub(super) fn ridge_ui(ui: &Ui, places: &Places<'_>, picture: &ShownPicture, colours: &Colours) {
    let Places { canvas, view, all, .. } = *places;
    let painter = ui.painter().with_clip_rect(canvas);
    let mut line = Vec::new();
    let draw = |line: &mut Vec<egui::Pos2>| {
        if line.len() > 1 {
            painter.add(Shape::line(line.clone(), Stroke::new(3.0, Color32::from_black_alpha(170))));
            painter.add(Shape::line(line.clone(), Stroke::new(1.2, Color32::WHITE)));
        }
        line.clear();
    };
    for strongest in picture.ridge() {
        match strongest.filter(|(_, level)| level + colours.offset > colours.range[0]) {
            Some(([sample, frequency], _)) => line.push(pos2(view.x(canvas, sample), view.y(canvas, all.share(frequency)))),
            None => draw(&mut line),
        }
    }
    draw(&mut line);
}

/// Draws what is told apart in true size in a corner: the samples and the bandwidth that `cell` knows with their words of the frequency there.
pub(super) fn resolution_ui(ui: &Ui, places: &Places<'_>, cell: impl FnOnce(f64) -> ([f64; 2], String)) {
    let Places { canvas, view, all, .. } = *places;
    let corner = pos2(canvas.left() + 3.0 * GRID, canvas.bottom() - 3.0 * GRID);
    let lowest = all.frequency(view.share(canvas, corner.y));
    let ([samples, bandwidth], text) = cell(lowest);
    let width = view.x(canvas, samples) - view.x(canvas, 0.0);
    let height = corner.y - view.y(canvas, all.share(lowest + bandwidth));
    let painter = ui.painter().with_clip_rect(canvas);
    let galley = painter.layout_no_wrap(text, FontId::proportional(11.0), Color32::WHITE);
    let fits = width < MOST_OF_SIDE * canvas.width() && height < MOST_OF_SIDE * canvas.height() && height.is_finite();
    let size = if fits { vec2(width.max(1.0), height.max(1.0)) } else { vec2(0.0, 0.0) };
    let words = vec2(size.x + if fits { GRID } else { 0.0 }, 0.0);
    // In a narrow picture the words would hide what they speak of; the line below has them.
    let galley = Some(galley).filter(|galley| words.x + galley.size().x < MOST_OF_SIDE * canvas.width());
    let room = galley.as_ref().map_or(Vec2::ZERO, |galley| galley.size());
    let ground = Rect::from_min_max(
        pos2(corner.x - GRID, corner.y - size.y.max(room.y) - GRID),
        pos2(corner.x + words.x + room.x + GRID, corner.y + GRID),
    );
    painter.rect_filled(ground, 3.0, Color32::from_black_alpha(160));
    if fits {
        let cell = Rect::from_min_max(corner - vec2(0.0, size.y), corner + vec2(size.x, 0.0));
        painter.rect(cell, 0.0, Color32::from_white_alpha(70), Stroke::new(1.0, Color32::WHITE), StrokeKind::Middle);
    }
    if let Some(galley) = galley {
        painter.galley(corner + words - vec2(0.0, room.y), galley, Color32::WHITE);
    }
}

/// Lets a drag over a place that is free select a part, and its ends be dragged or moved by the arrows. All rows have the same part.
pub(super) fn selection_ui(ui: &Ui, places: &Places<'_>, response: &Response, is_free: bool, region: &mut Option<Region>, signal: &Signal) {
    let Places { canvas, view, .. } = *places;
    let sample = |x: f32| view.sample(canvas, x).round().clamp(0.0, signal.columns as f64) as usize;
    let id = response.id.with("selected from");
    if let Some(at) = gestures::began(response).filter(|_| is_free) {
        ui.data_mut(|data| data.insert_temp(id, sample(at.x)));
    }
    if let (Some(at), Some(from)) = (gestures::dragged_to(response).filter(|_| is_free), ui.data(|data| data.get_temp::<usize>(id))) {
        *region = part([from, sample(at.x)], signal);
    }
    let Some(shown) = *region else { return };
    let tokens = Tokens::of(egui::Theme::Dark);
    let painter = ui.painter().with_clip_rect(canvas);
    let mut ends = [shown.x, shown.x + shown.width];
    let [left, right] = ends.map(|end| view.x(canvas, end as f64));
    painter.rect_filled(Rect::from_x_y_ranges(left..=right, canvas.y_range()), 0.0, tokens.accent.gamma_multiply(0.12));
    let step = ((view.time[1] - view.time[0]) / f64::from(canvas.width())).max(1.0) as i64;
    for (index, name) in ["Beginning of the part in the spectrogram", "End of the part in the spectrogram"].into_iter().enumerate() {
        let x = [left, right][index];
        for (width, color) in [(3.0, Color32::from_black_alpha(140)), (1.5, tokens.accent)] {
            painter.vline(x, canvas.y_range(), Stroke::new(width, color));
        }
        if !canvas.expand(1.0).x_range().contains(x) {
            continue;
        }
        let rect = Rect::from_center_size(pos2(x, canvas.center().y), vec2(2.0, canvas.height()));
        let grip = Grip::new(ui, (response.id.with(name), rect, canvas), CursorIcon::ResizeHorizontal, name);
        if let Some(at) = grip.to() {
            ends[index] = sample(at.x);
        }
        if !grip.is_taken() && grip.response.has_focus() {
            keep_arrows(&grip.response);
            if let Some([by, _]) = nudge(ui.ctx()) {
                ends[index] = ends[index].saturating_add_signed((i64::from(by) * step) as isize).min(signal.columns);
            }
        }
    }
    if ends != [shown.x, shown.x + shown.width] {
        *region = part(ends, signal);
    }
}

/// The part between two samples, in any order; `None` where it is empty.
fn part([a, b]: [usize; 2], signal: &Signal) -> Option<Region> {
    let (first, last) = (a.min(b), a.max(b).min(signal.columns));
    (first < last).then_some(Region { x: first, y: 0, width: last - first, height: signal.rows, outline: Outline::Rectangle })
}

/// A line at the sample that is heard, over the source and the result.
pub(super) fn heard_ui(ui: &Ui, places: &Places<'_>, rooms: &Rooms, sample: f64) {
    for canvas in std::iter::once(places.canvas).chain(rooms.result.map(canvas_of)) {
        let x = places.view.x(canvas, sample);
        for (width, color) in [(4.0, Color32::from_black_alpha(150)), (2.0, Color32::WHITE)] {
            ui.painter().with_clip_rect(canvas).vline(x, canvas.y_range(), Stroke::new(width, color));
        }
    }
}

/// Lines through the place under the pointer.
pub(super) fn cross_ui(ui: &Ui, canvas: Rect, at: egui::Pos2) {
    let painter = ui.painter().with_clip_rect(canvas);
    for (width, color) in [(2.0, Color32::from_black_alpha(90)), (0.8, Color32::from_white_alpha(170))] {
        painter.vline(at.x, canvas.y_range(), Stroke::new(width, color));
        painter.hline(canvas.x_range(), at.y, Stroke::new(width, color));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::Samples;

    #[test]
    fn parts_lie_within_the_recording() {
        let signal = Signal::row("a", Samples::F64(vec![0.0; 10]));
        let found = [[7, 3], [4, 4], [8, 30]].map(|ends| part(ends, &signal).map(|region| (region.x, region.width)));
        assert_eq!(found, [Some((3, 4)), None, Some((8, 2))]);
    }
}

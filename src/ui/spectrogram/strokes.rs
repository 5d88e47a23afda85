//! Freehand strokes over the spectrogram, in true size at every zoom.

use super::places::Places;
use crate::filter::Effect;
use crate::spectra::{BoxStroke, Rate, RecordingExtent, TimeFrequencyBox};
use crate::ui::settings::{BoxesLook, NARROWEST};
use crate::ui::theme::Tokens;
use egui::{Color32, Pos2, Rect, Theme, Ui, Vec2, pos2, vec2};

/// The distance of two points of a path that is drawn, in points of the screen.
pub(super) const STEP: f32 = 4.0;
/// The width of the columns in which a stroke is painted, and how many of them have one line of what is cut.
const COLUMN: f32 = 2.0;
const HATCHED: i32 = 4;

/// The width in samples and in frequency of a stroke that begins at a point of the screen.
pub(super) fn width(places: &Places<'_>, at: Pos2, look: &BoxesLook, of: RecordingExtent) -> [f64; 2] {
    let half = vec2(0.5 * look.brush, -0.5 * look.brush);
    let [low, high] = [at - half, at + half].map(|corner| places.place(corner));
    let least = NARROWEST * of.rate.per_unit / look.length(of.samples) as f64;
    [(high[0] - low[0]).max(1.0), (high[1] - low[1]).max(least)]
}

/// The point of the screen of a sample and a frequency.
pub(super) fn point(places: &Places<'_>, [sample, frequency]: [f64; 2]) -> Pos2 {
    let y = places.view.y(places.canvas, places.all.share(frequency));
    // A logarithmic axis has no 0.
    pos2(places.view.x(places.canvas, sample), if y.is_finite() { y } else { places.canvas.bottom() + 1e4 })
}

/// Paints what a stroke covers: what is cut is hatched.
pub(super) fn paint(ui: &Ui, places: &Places<'_>, (own, stroke): (&TimeFrequencyBox, &BoxStroke), rate: Rate, is_selected: bool) {
    let painter = ui.painter().with_clip_rect(places.canvas);
    let accent = Tokens::of(Theme::Dark).accent;
    let color = if is_selected { accent } else { Color32::WHITE };
    let on_screen = |time: f64, frequency: f64| {
        let [sample, cycles] = own.place_of([time, frequency]);
        point(places, [sample, cycles * rate.per_unit])
    };
    let [across, up] = stroke.half;
    let path: Vec<(Pos2, Vec2)> = stroke
        .path
        .iter()
        .map(|[time, frequency]| {
            let (low, high) = (on_screen(time - across, frequency - up), on_screen(time + across, frequency + up));
            (on_screen(*time, *frequency), vec2(0.5 * (high.x - low.x), 0.5 * (low.y - high.y)).max(Vec2::splat(0.5)))
        })
        .collect();
    let reach = path.first().map_or(0.0, |(_, half)| half.x);
    let [left, right] = path.iter().fold([f32::MAX, f32::MIN], |[left, right], (at, _)| [left.min(at.x), right.max(at.x)]);
    let seen = [(left - reach).max(places.canvas.left()), (right + reach).min(places.canvas.right())];
    let columns = ((seen[1] - seen[0]) / COLUMN).ceil().max(0.0) as i32;
    for column in 0..columns {
        let x = seen[0] + (column as f32 + 0.5) * COLUMN;
        let strip = |low: f32, high: f32| Rect::from_center_size(pos2(x, low.midpoint(high)), vec2(COLUMN, high - low));
        let is_hatched = own.effect == Effect::Cut && column % HATCHED == 0;
        for [low, high] in covered(&path, x) {
            painter.rect_filled(strip(low, high), 0.0, color.gamma_multiply(if is_hatched { 0.8 } else { 0.25 }));
            for edge in [low, high] {
                painter.rect_filled(strip(edge - 0.75, edge + 0.75), 0.0, color);
            }
        }
    }
}

/// The parts of a vertical line that the path covers, from top to bottom.
fn covered(path: &[(Pos2, Vec2)], x: f32) -> Vec<[f32; 2]> {
    let last = path.len().saturating_sub(1);
    let segments = (0..last.max(1)).filter_map(|index| Some((path.get(index)?, path.get((index + 1).min(last))?)));
    let mut found: Vec<[f32; 2]> = segments.filter_map(|(a, b)| of_segment(*a, *b, x)).collect();
    found.sort_by(|a, b| a[0].total_cmp(&b[0]));
    found.into_iter().fold(Vec::new(), |mut all: Vec<[f32; 2]>, [low, high]| {
        match all.last_mut() {
            Some(before) if low <= before[1] => before[1] = before[1].max(high),
            _ => all.push([low, high]),
        }
        all
    })
}

/// The part of a vertical line that a segment covers. Its ends are ellipses with these half axes.
fn of_segment((a, half): (Pos2, Vec2), (b, other): (Pos2, Vec2), x: f32) -> Option<[f32; 2]> {
    let half = 0.5 * (half + other);
    let [a, b] = [a, b].map(|at| at.to_vec2() / half);
    let x = x / half.x;
    let along = (b - a).normalized().rot90();
    let sides = [along, -along].into_iter().filter_map(|side| {
        let (from, to) = (a + side, b + side);
        let share = (x - from.x) / (to.x - from.x);
        (0.0..=1.0).contains(&share).then_some(from.y + share * (to.y - from.y))
    });
    let ends = [a, b].into_iter().filter_map(|end| {
        let height = (1.0 - (x - end.x).powi(2)).sqrt();
        (!height.is_nan()).then_some([end.y - height, end.y + height])
    });
    let all: Vec<f32> = sides.chain(ends.flatten()).map(|y| y * half.y).collect();
    let [low, high] = all.iter().fold([f32::MAX, f32::MIN], |[low, high], y| [low.min(*y), high.max(*y)]);
    (low < high).then_some([low, high])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vertical_line_meets_what_a_stroke_covers() {
        let half = vec2(4.0, 2.0);
        let dot = [(pos2(10.0, 20.0), half)];
        assert_eq!((covered(&dot, 10.0), covered(&dot, 14.5)), (vec![[18.0, 22.0]], vec![]));
        let bent = [(pos2(10.0, 20.0), half), (pos2(30.0, 20.0), half), (pos2(30.0, 40.0), half), (pos2(10.0, 40.0), half)];
        assert_eq!((covered(&bent, 20.0), covered(&bent, 30.0)), (vec![[18.0, 22.0], [38.0, 42.0]], vec![[18.0, 42.0]]));
    }
}

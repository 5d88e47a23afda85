//! The marks of a plot with their texts, and the peak under the pointer.

use super::{PlotLook, SIZE_OF_NUMBERS};
use crate::engine::PlotData;
use crate::figure::text_width;
use crate::ui::theme::Tokens;
use egui::Rect;
use egui_plot::{MarkerShape, PlotPoint, PlotTransform, PlotUi, Points, Text};

/// The share of the height that stays free above the largest mark for its text.
const HEADROOM: f64 = 0.14;

/// A peak is under the pointer within this distance along the axis, in points.
const REACH: f32 = 3.0;

/// Draws the marks, largest first, each with its text where there is room.
pub(super) fn draw_marks<'a>(plot: &mut PlotUi<'_>, marks: impl Iterator<Item = ([f64; 2], &'a str)>, tokens: Tokens) {
    let marks: Vec<_> = marks.map(|(at, text)| (at, plot.screen_from_plot(PlotPoint::new(at[0], at[1])), text)).collect();
    let mut taken: Vec<Rect> = marks.iter().map(|(_, place, _)| Rect::from_center_size(*place, egui::vec2(9.0, 9.0))).collect();
    let frame = plot.response().rect;
    for (at, place, text) in marks {
        // Values from before a zoom may lie outside the plot: neither their marks nor their texts belong into it.
        if !frame.expand(1.0).x_range().contains(place.x) {
            continue;
        }
        plot.points(Points::new("peaks", vec![at]).radius(3.5).shape(MarkerShape::Diamond).color(tokens.warning).allow_hover(false));
        let size = egui::vec2(text_width(text, SIZE_OF_NUMBERS) + 4.0, 14.0);
        let beside = 0.5 * size.x + 6.0;
        // At an end of the axis the text is beside its mark, so that it is not cut off; above a low plot it has no room.
        let inside = |label: Rect| {
            label.translate(egui::vec2((frame.left() - label.left()).max(0.0) - (label.right() - frame.right()).max(0.0), 0.0))
        };
        let offsets = [egui::vec2(0.0, -13.0), egui::vec2(beside, 0.0), egui::vec2(-beside, 0.0)];
        let free = offsets.into_iter().find_map(|offset| {
            let label = inside(Rect::from_center_size(place + offset, size));
            let mut others = taken.iter().filter(|other| other.center() != place);
            let overlaps = others.any(|other| other.intersects(label)) || (offset.y == 0.0 && label.expand(-2.0).contains(place));
            let is_whole = label.top() >= frame.top() && label.bottom() <= frame.bottom();
            (is_whole && !overlaps).then_some((label, offset.y < 0.0))
        });
        // Where two numbers do not fit, the larger peak keeps its number.
        if let Some((label, is_above)) = free {
            taken.push(label);
            // The text is at the height of its mark: higher, it would stretch the plot.
            let middle = PlotPoint::new(plot.plot_from_screen(label.center()).x, at[1]);
            let text = Text::new("peaks", middle, if is_above { format!("{text}\n") } else { text.to_owned() }).color(tokens.text);
            plot.text(text.anchor(egui::Align2::CENTER_CENTER).allow_hover(false));
        }
    }
}

/// The highest value of the vertical axis, with room for texts above the marks.
pub(super) fn headroom(line: &PlotData, look: &PlotLook<'_>) -> f64 {
    let low = line.columns.iter().map(|column| column[1]).fold(f64::INFINITY, f64::min);
    let high = line.columns.iter().map(|column| column[2]).fold(f64::NEG_INFINITY, f64::max);
    let low = look.floor.map_or(low, |floor| low.max(floor)).min(if look.stems { 0.0 } else { high });
    if (high - low).is_finite() { high + HEADROOM * (high - low) } else { 0.0 }
}

/// The position of the peak under the pointer, where a pixel has several values: a person points at what is seen there.
pub(super) fn peak_at(transform: &PlotTransform, look: &PlotLook<'_>, line: Option<&PlotData>, pointer: Option<PlotPoint>) -> Option<f64> {
    let (line, pointer) = line.zip(pointer)?;
    if line.columns.iter().all(|[_, low, high]| low == high) {
        return None;
    }
    let middle = transform.position_from_point_x(pointer.x);
    let away = |position: f64| (transform.position_from_point_x(look.x(position)) - middle).abs();
    let positions = line.peaks.iter().map(|(position, _)| *position).filter(|position| look.is_shown(*position));
    positions.filter(|position| away(*position) <= REACH).min_by(|a, b| away(*a).total_cmp(&away(*b)))
}

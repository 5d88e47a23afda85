//! Shows a chart, and finds the point or legend entry under the pointer.

use super::super::figure::{self, at};
use super::super::theme::Tokens;
use crate::figure::Position;
use crate::plot::{Chart, ChartFigure, layout};
use egui::{Painter, Rect, Role, Sense, Stroke, StrokeKind, Theme, Ui, WidgetInfo, vec2};

/// A point of a curve within this distance of the pointer is hit, in screen points.
const HIT_RADIUS: f32 = 14.0;

/// The result of one frame of a chart.
pub(super) struct ChartResponse {
    /// Curve and point under the pointer, as indices.
    pub hovered: Option<(usize, usize)>,
    /// The curve whose name in the legend was clicked.
    pub clicked: Option<usize>,
}

/// Shows a chart in the available room; a curve with `hidden[curve]` stays in the legend.
pub(super) fn ui(ui: &mut Ui, chart: &Chart, hidden: &[bool]) -> ChartResponse {
    let size = ui.available_size().max(vec2(240.0, 160.0));
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let placed = layout(chart, [size.x, size.y], hidden);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let theme = ui.theme();
    figure::paint(&painter, rect, &placed.figure, theme);
    let pointer = response.hover_pos().map(|at| [at.x - rect.left(), at.y - rect.top()]);
    let hovered = pointer.and_then(|at| nearest(&placed, at));
    if let Some((curve, point)) = hovered
        && let Some((.., place)) = placed.places.iter().find(|(c, p, _)| (*c, *p) == (curve, point))
    {
        painter.circle_stroke(at(rect, &placed.figure, *place), 6.5, Stroke::new(1.5, Tokens::of(theme).text));
    }
    let named = pointer.and_then(|[x, y]| {
        placed.legend.iter().position(|[[left, top], [right, bottom]]| (*left..*right).contains(&x) && (*top..*bottom).contains(&y))
    });
    if named.is_some() {
        ui.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
    }
    let n_points: usize = chart.curves.iter().map(|curve| curve.points.len()).sum();
    response.widget_info(|| {
        WidgetInfo::labeled(Role::Image, true, format!("Plot, {}, {} curves, {n_points} points", chart.title, chart.curves.len()))
    });
    ChartResponse { hovered, clicked: named.filter(|_| response.clicked()) }
}

fn nearest(placed: &ChartFigure, [x, y]: Position) -> Option<(usize, usize)> {
    let distance = |place: &Position| (place[0] - x).hypot(place[1] - y);
    let (curve, point, place) = placed.places.iter().min_by(|a, b| distance(&a.2).total_cmp(&distance(&b.2)))?;
    (distance(place) <= HIT_RADIUS).then_some((*curve, *point))
}

/// Draws a frame around the rectangle under the pointer.
pub(super) fn frame(painter: &Painter, rect: Rect, theme: Theme) {
    painter.rect_stroke(rect, 0.0, Stroke::new(1.0, Tokens::of(theme).text), StrokeKind::Outside);
}

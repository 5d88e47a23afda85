//! Paints a laid-out chart in the colours of the theme, and finds the point or legend entry under the pointer.

use super::super::theme::{Tokens, series_color};
use crate::plot::{Chart, Figure, Ink, Mark, Position, Symbol, TextAnchor, layout};
use egui::epaint::TextShape;
use egui::{Color32, FontId, Painter, Pos2, Rect, Role, Sense, Shape, Stroke, StrokeKind, Theme, Ui, WidgetInfo, pos2, vec2};

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
    let figure = layout(chart, [size.x, size.y], hidden);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let theme = ui.theme();
    paint_figure(&painter, rect, &figure, theme);
    let pointer = response.hover_pos().map(|at| [at.x - rect.left(), at.y - rect.top()]);
    let hovered = pointer.and_then(|at| nearest(&figure, at));
    if let Some((curve, point)) = hovered
        && let Some((.., place)) = figure.places.iter().find(|(c, p, _)| (*c, *p) == (curve, point))
    {
        painter.circle_stroke(at(rect, *place), 6.5, Stroke::new(1.5, Tokens::of(theme).text));
    }
    let named = pointer.and_then(|[x, y]| {
        figure.legend.iter().position(|[[left, top], [right, bottom]]| (*left..*right).contains(&x) && (*top..*bottom).contains(&y))
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

/// Paints a figure without images whose left upper corner is that of `rect`.
pub(crate) fn paint_figure(painter: &Painter, rect: Rect, figure: &Figure, theme: Theme) {
    figure.marks.iter().for_each(|mark| paint(painter, rect, mark, theme));
}

fn nearest(figure: &Figure, [x, y]: Position) -> Option<(usize, usize)> {
    let distance = |place: &Position| (place[0] - x).hypot(place[1] - y);
    let (curve, point, place) = figure.places.iter().min_by(|a, b| distance(&a.2).total_cmp(&distance(&b.2)))?;
    (distance(place) <= HIT_RADIUS).then_some((*curve, *point))
}

/// Where a position of a figure stands on the screen.
pub(crate) fn at(rect: Rect, [x, y]: Position) -> Pos2 {
    pos2(rect.left() + x, rect.top() + y)
}

fn color(ink: Ink, theme: Theme) -> Color32 {
    let tokens = Tokens::of(theme);
    match ink {
        Ink::Ground => tokens.pane,
        Ink::Text => tokens.text,
        Ink::Weak => tokens.weak,
        Ink::Grid => tokens.hairline,
        Ink::Rule => tokens.rule,
        Ink::Error => tokens.error,
        Ink::Line => tokens.line,
        Ink::Peak => tokens.warning,
        Ink::Series(series) => series_color(series, theme),
        Ink::Rgb([red, green, blue]) => Color32::from_rgb(red, green, blue),
    }
}

fn paint(painter: &Painter, rect: Rect, mark: &Mark, theme: Theme) {
    match mark {
        Mark::Fill { corners: [from, to], ink } => {
            painter.rect_filled(Rect::from_min_max(at(rect, *from), at(rect, *to)), 0.0, color(*ink, theme));
        }
        Mark::Path { points, ink, width, dash } => {
            let stroke = Stroke::new(*width, color(*ink, theme));
            let points: Vec<Pos2> = points.iter().map(|point| at(rect, *point)).collect();
            match dash {
                None => drop(painter.add(Shape::line(points, stroke))),
                Some([dash, gap]) => painter.extend(Shape::dashed_line(&points, stroke, *dash, *gap)),
            }
        }
        Mark::Segments { segments, ink, width } => {
            let stroke = Stroke::new(*width, color(*ink, theme));
            painter.extend(segments.iter().map(|ends| Shape::line_segment(ends.map(|end| at(rect, end)), stroke)));
        }
        // Charts have none.
        Mark::Image { .. } | Mark::Polygon { .. } => {}
        Mark::Symbol { at: place, symbol, radius, ink } => {
            let (middle, color) = (at(rect, *place), color(*ink, theme));
            match (symbol, symbol.outline(*place, *radius)) {
                (Symbol::Ring, _) => drop(painter.circle_stroke(middle, *radius, Stroke::new(1.4, color))),
                (Symbol::Cross, Some(lines)) => lines.chunks(2).for_each(|ends| {
                    painter.line_segment([at(rect, ends[0]), at(rect, ends[1])], Stroke::new(2.0, color));
                }),
                (_, Some(corners)) => {
                    let corners = corners.into_iter().map(|corner| at(rect, corner)).collect();
                    painter.add(Shape::convex_polygon(corners, color, Stroke::NONE));
                }
                (_, None) => drop(painter.circle_filled(middle, *radius, color)),
            }
        }
        Mark::Text { at: place, anchor, size, text, ink, upwards } => {
            let color = color(*ink, theme);
            let galley = painter.layout_no_wrap(text.clone(), FontId::proportional(*size), color);
            let part = match anchor {
                TextAnchor::Left => 0.0,
                TextAnchor::Centre => 0.5,
                TextAnchor::Right => 1.0,
            };
            let (middle, size) = (at(rect, *place), galley.size());
            if *upwards {
                let corner = middle + vec2(-size.y / 2.0, part * size.x);
                painter.add(TextShape::new(corner, galley, color).with_angle(-std::f32::consts::FRAC_PI_2));
            } else {
                painter.galley(middle - vec2(part * size.x, size.y / 2.0), galley, color);
            }
        }
    }
}

/// Draws a frame around the rectangle under the pointer.
pub(super) fn frame(painter: &Painter, rect: Rect, theme: Theme) {
    painter.rect_stroke(rect, 0.0, Stroke::new(1.0, Tokens::of(theme).text), StrokeKind::Outside);
}

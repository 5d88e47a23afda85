//! The line of a plot as strokes: a bar for each column of several values, and segments between neighbours.
//!
//! Strokes end where the values end. A polyline would not: the mitred joins of its sharp corners reach beyond the smallest and the largest value.

use crate::engine::PlotData;
use egui::{Color32, Pos2, Shape, Stroke, Ui, pos2};
use egui_plot::{PlotBounds, PlotGeometry, PlotItem, PlotItemBase, PlotPoint, PlotTransform};
use std::ops::RangeInclusive;

/// Width of strokes in points.
const WIDTH: f32 = 1.2;
/// Columns that are further apart, in points, are bars of this width.
const WIDEST_STROKE: f32 = 1.5;
/// Strokes whose ends differ less in height, in points, are one flat stroke.
const FLAT: f32 = 0.1;

/// Strokes of fewer pixels are drawn as they lie.
const SHORTEST: f32 = 2.0;

/// A line of columns: the place along the horizontal axis, the smallest and the largest value.
pub(super) struct Strokes {
    base: PlotItemBase,
    columns: Vec<[f64; 3]>,
    color: Color32,
}

impl Strokes {
    /// The strokes of columns that follow each other without a gap.
    pub(super) fn new(columns: Vec<[f64; 3]>, color: Color32) -> Self {
        Self { base: PlotItemBase::new("values".to_owned()), columns, color }
    }
}

impl PlotItem for Strokes {
    fn shapes(&self, ui: &Ui, transform: &PlotTransform, shapes: &mut Vec<Shape>) {
        let stroke = Stroke::new(WIDTH, self.color);
        let shortest = SHORTEST / ui.pixels_per_point();
        let at = |x: f64, y: f64| transform.position_from_point(&PlotPoint::new(x, y));
        shapes.extend(bars(&self.columns, at).filter(|(_, width)| *width > WIDEST_STROKE).map(|([low, high], width)| {
            // Neighbours overlap, as the smoothing of their edges would leave a seam.
            Shape::line_segment([low, high], Stroke::new(width + WIDTH, self.color))
        }));
        // Many short flat strokes would be rounded away one by one.
        let mut joined: Vec<[Pos2; 2]> = Vec::new();
        for [from, to] in segments(&self.columns).into_iter().map(|ends| ends.map(|[x, y]| at(x, y))) {
            match joined.last_mut() {
                Some([start, end]) if *end == from && [end.y, to.y].iter().all(|y| (y - start.y).abs() < FLAT) => *end = to,
                _ => joined.push([from, to]),
            }
        }
        let segments = joined.into_iter().map(|[mut from, mut to]| {
            if from.x == to.x && from.y == to.y {
                // A value alone is a short stroke.
                [from, to] = [pos2(from.x - WIDTH, from.y), pos2(to.x + WIDTH, to.y)];
            }
            // A segment is shrunk to whole pixels, and one of a pixel to nothing; a path is not.
            if from.distance(to) < shortest { Shape::line(vec![from, to], stroke) } else { Shape::line_segment([from, to], stroke) }
        });
        shapes.extend(segments);
    }

    fn initialize(&mut self, _x_range: RangeInclusive<f64>) {}

    fn color(&self) -> Color32 {
        self.color
    }

    fn allow_hover(&self) -> bool {
        false
    }

    fn geometry(&self) -> PlotGeometry<'_> {
        PlotGeometry::None
    }

    fn bounds(&self) -> PlotBounds {
        let mut bounds = PlotBounds::NOTHING;
        for &[x, low, high] in &self.columns {
            bounds.extend_with(&PlotPoint::new(x, low));
            bounds.extend_with(&PlotPoint::new(x, high));
        }
        bounds
    }

    fn base(&self) -> &PlotItemBase {
        &self.base
    }

    fn base_mut(&mut self) -> &mut PlotItemBase {
        &mut self.base
    }
}

/// The columns of several values, with the distance from each to its neighbour, in points.
///
/// Columns are further apart than a stroke is wide where the plot has grown since they were made: they are widened until new ones come.
fn bars(columns: &[[f64; 3]], at: impl Fn(f64, f64) -> Pos2) -> impl Iterator<Item = ([Pos2; 2], f32)> {
    columns.iter().enumerate().filter(|(_, [_, low, high])| low < high).map(move |(index, &[x, low, high])| {
        let neighbour = columns.get(index + 1).or_else(|| columns.get(index.checked_sub(1)?));
        let ends = [at(x, low), at(x, high)];
        (ends, neighbour.map_or(0.0, |next| (at(next[0], low).x - ends[0].x).abs()))
    })
}

/// The bars of columns, and between neighbours the shortest connection. None leaves the range of the values.
pub(super) fn segments(columns: &[[f64; 3]]) -> Vec<[[f64; 2]; 2]> {
    let mut found = Vec::with_capacity(2 * columns.len());
    for (index, &[x, low, high]) in columns.iter().enumerate() {
        if low < high || columns.len() == 1 {
            found.push([[x, low], [x, high]]);
        }
        if let Some(&[next, next_low, next_high]) = columns.get(index + 1) {
            let from = ((next_low + next_high) / 2.0).clamp(low, high);
            found.push([[x, from], [next, from.clamp(next_low, next_high)]]);
        }
    }
    found
}

/// The runs of columns without a gap between them. A gap is where values are not finite and were left out.
pub(super) fn unbroken<'a>(columns: &'a [[f64; 3]], PlotData { frame, n, .. }: &PlotData) -> impl Iterator<Item = &'a [[f64; 3]]> {
    let (first, last, pixels) = (frame.first.max(0.0), frame.last.min(*n as f64), frame.pixels.max(1) as f64);
    // The number of values that share a pixel; along a logarithmic axis it grows with the distance from the origin.
    let step = move |position: f64| match frame.log_origin {
        Some(origin) => (position - origin) * ((last - origin) / (first - origin).max(1.0)).ln() / pixels,
        None => (last - first) / pixels,
    };
    // Up to two values a pixel are columns of their own; the columns of more are one value more or less apart.
    columns.chunk_by(move |before, after| {
        let step = step(after[0]);
        after[0] - before[0] < if step > 2.0 { step + 1.25 } else { 1.5 }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::PlotFrame;

    #[test]
    fn strokes_stay_within_the_values_and_touch() {
        let columns = [[0.0, 1.0, 1.0], [1.0, 5.0, 9.0], [2.0, 2.0, 6.0], [3.0, 0.0, 0.0], [4.0, -3.0, -1.0]];
        let found = segments(&columns);
        assert_eq!(found[0], [[0.0, 1.0], [1.0, 5.0]]);
        assert_eq!(found[1], [[1.0, 5.0], [1.0, 9.0]], "a column reaches from its smallest to its largest value");
        let value = |x: f64| columns[x as usize];
        assert!(found.iter().flatten().all(|&[x, y]| (value(x)[1]..=value(x)[2]).contains(&y)), "{found:?}");
        assert_eq!(segments(&columns[..1]), [[[0.0, 1.0], [0.0, 1.0]]]);
    }

    /// The triangles of columns in a plot of 300 × 200 points, whose values reach from 0 to 2.
    fn triangles(columns: Vec<[f64; 3]>) -> Vec<[egui::epaint::Vertex; 3]> {
        let frame = egui::Rect::from_min_size(pos2(0.0, 0.0), egui::vec2(300.0, 200.0));
        let bounds = PlotBounds::from_min_max([0.0, 0.0], [300.0, 2.0]);
        let (strokes, transform) = (Strokes::new(columns, Color32::WHITE), PlotTransform::new(frame, bounds, false));
        let (ctx, mut shapes) = (egui::Context::default(), Vec::new());
        ctx.run_ui(egui::RawInput::default(), |ui| strokes.shapes(ui, &transform, &mut shapes)).textures_delta.clear();
        let clipped = shapes
            .into_iter()
            .map(|shape| egui::epaint::ClippedShape {
                clip_rect: frame,
                shape,
                transform_after_tessellation: egui::emath::TSTransform::IDENTITY,
            })
            .collect();
        let meshes = ctx.tessellate(clipped, 1.0).into_iter().filter_map(|part| match part.primitive {
            egui::epaint::Primitive::Mesh(mesh) => Some(mesh),
            egui::epaint::Primitive::Callback(_) => None,
        });
        let of_mesh = |mesh: egui::Mesh| {
            let corner = |index: &u32| mesh.vertices[*index as usize];
            mesh.indices.chunks(3).map(|three| [corner(&three[0]), corner(&three[1]), corner(&three[2])]).collect::<Vec<_>>()
        };
        meshes.flat_map(of_mesh).collect()
    }

    /// How opaque the triangles are at a point.
    fn opacity(triangles: &[[egui::epaint::Vertex; 3]], at: Pos2) -> f32 {
        let of_one = |[a, b, c]: &[egui::epaint::Vertex; 3]| {
            let cross = |p: Pos2, q: Pos2, r: Pos2| (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
            let whole = cross(a.pos, b.pos, c.pos);
            let shares = [cross(at, b.pos, c.pos), cross(a.pos, at, c.pos), cross(a.pos, b.pos, at)].map(|part| part / whole);
            let is_inside = shares.iter().all(|share| *share >= 0.0);
            let alpha = |vertex: &egui::epaint::Vertex| f32::from(vertex.color.a()) / 255.0;
            if is_inside { shares[0] * alpha(a) + shares[1] * alpha(b) + shares[2] * alpha(c) } else { 0.0 }
        };
        triangles.iter().map(of_one).fold(0.0, f32::max)
    }

    #[test]
    fn no_pixel_lies_above_the_largest_value() {
        let value = |k: u32| f64::from(k % 2) * (1.0 - 0.002 * f64::from(k / 7 % 9));
        let found = triangles((0..300).map(|k| [f64::from(k), value(k), value(k)]).collect());
        let top = found.iter().flatten().map(|vertex| vertex.pos.y).fold(f32::INFINITY, f32::min);
        // The largest value is in the middle; half of a stroke and the smoothing of its edge lie above.
        assert!((98.0..=100.5).contains(&top), "{top}");
    }

    #[test]
    fn a_step_of_a_pixel_is_drawn_wherever_it_lies() {
        // Two columns of each value, then a value five pixels higher.
        let value = |k: u32| 0.05 * f64::from(k / 2 % 30);
        for offset in [0.0, 0.25, 0.5, 0.75] {
            let found = triangles((0..280).map(|k| [f64::from(k) + offset, value(k), value(k)]).collect());
            for k in (0..280).step_by(2) {
                let middle = pos2(k as f32 + offset as f32 + 0.5, 200.0 - 100.0 * value(k) as f32);
                let drawn = opacity(&found, middle);
                assert!(drawn > 0.8, "the step from column {k} on, at {offset}: {drawn}");
            }
        }
    }

    #[test]
    fn columns_leave_no_stripes_where_the_plot_has_grown() {
        for apart in [1.0, 1.75, 2.5, 6.0] {
            let n = (300.0 / apart) as usize;
            // The middle of each column differs, so that the connections alone would not fill the plot.
            let found = triangles((0..n).map(|k| [apart * k as f64, 0.5 + 0.02 * (k % 3) as f64, 1.5]).collect());
            for x in 1..(apart * (n - 1) as f64) as usize {
                let drawn = opacity(&found, pos2(x as f32 + 0.3, 90.0));
                assert!(drawn > 0.7, "at {x} of columns {apart} apart: {drawn}");
            }
        }
    }

    #[test]
    fn a_line_ends_where_values_are_not_finite() {
        for (n, gap) in [(100, 40..42), (100_000, 40_000..42_000)] {
            let values: Vec<f64> = (0..n).map(|k| if gap.contains(&k) { f64::NAN } else { k as f64 }).collect();
            for log_origin in [None, Some(0.0)] {
                let line = PlotData::of_reals(&values, PlotFrame { log_origin, ..PlotFrame::plain(0, [0.0, n as f64], 700) });
                assert_eq!(unbroken(&line.columns, &line).count(), 2, "{n} values, {log_origin:?}");
            }
        }
    }
}

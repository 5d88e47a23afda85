//! The node or the edge under the pointer, and the paths that another view lights: an entry of the matrix of a stage, or of the product of several.

use super::paint::{GraphPainter, LEAST_PITCH_OF_EDGES};
use super::viewport::Viewport;
use super::{FlowGraphView, HIT_RADIUS};
use crate::graph::{GraphDrawing, GraphNode, PITCH};
use crate::ui::plan_focus::LitPath;
use egui::{Pos2, Rect, Stroke};

/// An edge is hit within this distance of the pointer, in points.
const HIT_DISTANCE: f32 = 5.0;
/// A stage with more edges has none that can be pointed at.
const MOST_EDGES: usize = 2048;

impl FlowGraphView {
    /// The edge under the pointer, where no node is there.
    pub fn hovered_edge(&self) -> Option<LitPath> {
        self.hovered_edge
    }

    /// An edge in words, with its coefficient.
    pub fn words(&self, lit: LitPath) -> Option<String> {
        let drawing = self.drawing.as_ref()?;
        let edge = drawing.edges.iter().find(|edge| LitPath::edge(edge.stage, edge.from, edge.to) == lit)?;
        Some(format!("Stage {}: from lane {} to lane {}, times {}", edge.stage + 1, edge.from, edge.to, edge.text()))
    }
}

/// The node under the pointer.
pub(super) fn node_at(drawing: &GraphDrawing, viewport: Viewport, canvas: Rect, pointer: Pos2) -> Option<GraphNode> {
    let point = viewport.to_drawing(canvas, pointer);
    if viewport.scale * PITCH < LEAST_PITCH_OF_EDGES {
        return None;
    }
    let distance = |column: usize| (viewport.to_screen(canvas, drawing.position(column, 0)).x - pointer.x).abs();
    let column = (0..=drawing.spans.len()).min_by(|&a, &b| distance(a).total_cmp(&distance(b)))?;
    let node = GraphNode { column, lane: drawing.lane_at(column, point.y)? };
    let at = viewport.to_screen(canvas, drawing.position(node.column, node.lane));
    (at.distance(pointer) <= HIT_RADIUS && drawing.exists(node)).then_some(node)
}

/// The edge under the pointer.
pub(super) fn edge_at(drawing: &GraphDrawing, viewport: Viewport, canvas: Rect, pointer: Pos2) -> Option<LitPath> {
    if viewport.scale * PITCH < 2.0 * LEAST_PITCH_OF_EDGES {
        return None;
    }
    let x = viewport.to_drawing(canvas, pointer).x;
    let stage = drawing.spans.iter().position(|span| (span.start..=span.joint).contains(&x))?;
    let first = drawing.edges.partition_point(|edge| edge.stage < stage);
    let edges = &drawing.edges[first..drawing.edges.partition_point(|edge| edge.stage <= stage)];
    let apart = |[a, b]: [Pos2; 2]| {
        let along = ((pointer - a).dot(b - a) / (b - a).length_sq().max(1e-6)).clamp(0.0, 1.0);
        (a + along * (b - a)).distance(pointer)
    };
    let found =
        edges.iter().filter(|_| edges.len() <= MOST_EDGES).map(|edge| (apart(edge.ends.map(|end| viewport.to_screen(canvas, end))), edge));
    let (distance, edge) = found.min_by(|a, b| a.0.total_cmp(&b.0))?;
    (distance <= HIT_DISTANCE).then(|| LitPath::edge(stage, edge.from, edge.to))
}

impl GraphPainter<'_> {
    /// Draws the edges of all paths over the others; a lane that a stage carries is one too.
    pub(super) fn paint_lit_path(&self, LitPath { from, to }: LitPath) {
        let (drawing, lanes) = (self.drawing, self.drawing.request.plan.lanes);
        if !(drawing.exists(from) && drawing.exists(to)) {
            return;
        }
        let (stroke, paths, carried) = (Stroke::new(3.0, self.colors.butterfly), drawing.paths(from, to), drawing.carried());
        let drawn = drawing.edges.iter().filter(|edge| paths.has(edge.stage, edge.from, edge.to));
        let drawn = drawn.map(|edge| edge.ends.map(|end| self.at(end)));
        let nodes = (from.column..to.column).flat_map(|stage| (0..lanes).map(move |lane| (stage, lane)));
        let straight = nodes.filter(|&(stage, lane)| carried[(stage + 1) * lanes + lane] && paths.has(stage, lane, lane));
        let straight = straight.map(|(stage, lane)| [stage, stage + 1].map(|column| self.at(drawing.position(column, lane))));
        for line in drawn.chain(straight) {
            self.painter.line_segment(line, stroke);
            self.painter.circle_filled(line[0], HIT_RADIUS / 4.0, self.colors.butterfly);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{GraphOptions, GraphRequest, layout};
    use crate::schedule::Schedule;
    use crate::transforms::{Parameters, Shape, transform};
    use egui::vec2;

    #[test]
    fn a_point_on_an_edge_finds_it() {
        let build = transform("walsh").unwrap().algorithm("constant-geometry").unwrap().plan_fn().unwrap();
        let plan = build(Shape::line(8), Parameters::default()).unwrap();
        let drawing = layout(GraphRequest { schedule: Schedule::by_stage(&plan), plan, options: GraphOptions::default() });
        let canvas = Rect::from_min_size(Pos2::ZERO, vec2(800.0, 600.0));
        let viewport = Viewport::fit(drawing.bounds, canvas.size());
        for edge in &drawing.edges {
            let [a, b] = edge.ends.map(|end| viewport.to_screen(canvas, end));
            // Near its beginning, where at most the other edge of the lane is.
            let found = edge_at(&drawing, viewport, canvas, a + 0.3 * (b - a)).unwrap();
            assert_eq!(found, LitPath::edge(edge.stage, edge.from, edge.to));
        }
        assert_eq!(edge_at(&drawing, viewport, canvas, Pos2::new(1.0, 1.0)), None);
    }
}

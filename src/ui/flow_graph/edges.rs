//! The edge under the pointer, and the edge that another view lights: an entry of the matrix of its stage.

use super::paint::{GraphPainter, LEAST_PITCH_OF_EDGES};
use super::viewport::Viewport;
use super::{FlowGraphView, HIT_RADIUS};
use crate::graph::{Drawing, PITCH};
use egui::{Pos2, Rect, Stroke};

/// An edge is hit within this distance of the pointer, in points.
const HIT_DISTANCE: f32 = 5.0;
/// A stage with more edges has none that can be pointed at.
const MOST_EDGES: usize = 2048;

/// An edge of the graph: what a stage reads from a lane for a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LitEdge {
    /// Index of the stage.
    pub stage: usize,
    /// The lane that is read.
    pub from: usize,
    /// The lane of the result.
    pub to: usize,
}

impl FlowGraphView {
    /// The edge under the pointer, where no node is there.
    pub fn hovered_edge(&self) -> Option<LitEdge> {
        self.hovered_edge
    }

    /// An edge in words, with its coefficient.
    pub fn words(&self, lit: LitEdge) -> Option<String> {
        let drawing = self.drawing.as_ref()?;
        let edge = drawing.edges.iter().find(|edge| (edge.stage, edge.from, edge.to) == (lit.stage, lit.from, lit.to))?;
        Some(format!("Stage {}: from lane {} to lane {}, times {}", lit.stage + 1, lit.from, lit.to, edge.text()))
    }
}

/// The edge under the pointer.
pub(super) fn edge_at(drawing: &Drawing, viewport: Viewport, canvas: Rect, pointer: Pos2) -> Option<LitEdge> {
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
    (distance <= HIT_DISTANCE).then_some(LitEdge { stage, from: edge.from, to: edge.to })
}

impl GraphPainter<'_> {
    /// Draws an edge over the others; a lane that a stage carries is one too.
    pub(super) fn paint_lit_edge(&self, lit: LitEdge) {
        let stroke = Stroke::new(3.0, self.colors.butterfly);
        let drawn = self.drawing.edges.iter().filter(|edge| (edge.stage, edge.from, edge.to) == (lit.stage, lit.from, lit.to));
        let mut lines: Vec<[Pos2; 2]> = drawn.map(|edge| edge.ends.map(|end| self.at(end))).collect();
        if lines.is_empty() && lit.from == lit.to && lit.stage < self.drawing.spans.len() {
            lines.push([lit.stage, lit.stage + 1].map(|column| self.at(self.drawing.position(column, lit.from))));
        }
        for line in lines {
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
            assert_eq!((found.stage, found.from, found.to), (edge.stage, edge.from, edge.to));
        }
        assert_eq!(edge_at(&drawing, viewport, canvas, Pos2::new(1.0, 1.0)), None);
    }
}

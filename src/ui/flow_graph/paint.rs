//! Paints edges, nodes and frames, with the detail that the zoom has room for.

use super::colors::GraphColors;
use super::content::GraphContent;
use super::viewport::{Viewport, clip_line};
use crate::graph::{Cone, DrawnEdge, EdgeStyle, GraphDrawing, GraphNode, LaunchFrame, PITCH, Point};
use crate::schedule::SectionKind;
use egui::{Color32, CornerRadius, Mesh, Painter, Pos2, Rect, Shape, Stroke, StrokeKind};
use std::ops::Range;

/// Edges are drawn one by one from this distance between lanes on, in points; below it as bundles.
pub(super) const LEAST_PITCH_OF_EDGES: f32 = 2.0;
/// Edges are drawn in full colour from this distance between lanes on; where more lanes are in view, they are fainter and the bundles show behind them.
const PITCH_OF_CLEAR_EDGES: f32 = 8.0;
/// The share of its colour that the densest edge keeps.
const LEAST_CLARITY: f32 = 0.3;
/// A bundle has an outline from this height on, in points.
const LEAST_HEIGHT_OF_OUTLINE: f32 = 6.0;
/// More dashes than this cannot be told apart, so all edges are drawn solid.
const MOST_DASHES: f32 = 12_000.0;
/// The length of a dash with its gap, about, in points.
const DASH: f32 = 11.0;
/// The share of its colour that is left of what has not run, so that lines keep a contrast of about 3 to 1.
const LATER: f32 = 0.5;
/// The same of what is outside the cone of the node that the user asks about.
const FADED: f32 = 0.25;
/// Nodes have dots from this distance between lanes on, in points.
const LEAST_PITCH_OF_NODES: f32 = 7.0;
/// The least distance from the top of a frame to the first lane, in points: room for a line of text.
pub(super) const HEAD_HEIGHT: f32 = 29.0;
/// Height of the values above the first lane, in points.
pub(super) const VALUE_HEIGHT: f32 = 15.0;
/// Where more edges of other coefficients are in view, they are drawn solid: that many dots would merge.
const MAX_DOTTED_EDGES: usize = 200;

/// Everything that is painted in one frame.
pub(super) struct GraphPainter<'a> {
    pub(super) drawing: &'a GraphDrawing,
    pub(super) content: &'a GraphContent<'a>,
    pub(super) viewport: Viewport,
    pub(super) canvas: Rect,
    pub(super) painter: &'a Painter,
    pub(super) colors: GraphColors,
    /// Number of stages that have run.
    pub(super) cursor: usize,
    /// The cone of the node that the user asks about.
    pub(super) cone: Option<&'a Cone>,
    /// The butterfly that computes that node.
    pub(super) butterfly: Option<usize>,
}

impl GraphPainter<'_> {
    /// The point of the screen for a point of the drawing.
    pub(super) fn at(&self, point: Point) -> Pos2 {
        self.viewport.to_screen(self.canvas, point)
    }

    /// Distance between two lanes, in points.
    pub(super) fn pitch(&self) -> f32 {
        self.viewport.scale * PITCH
    }

    /// The frame of a launch, on the screen.
    pub(super) fn frame(&self, frame: &LaunchFrame) -> Rect {
        let rect = self.rect(frame.rect);
        rect.with_min_y(rect.top().min(self.head_bottom() - HEAD_HEIGHT))
    }

    /// Moves the name of a stage from `at` to a height between the top of its frame and the first lane.
    pub(super) fn below_head(&self, at: Pos2) -> Pos2 {
        Pos2::new(at.x, at.y.min(self.head_bottom() - HEAD_HEIGHT / 2.0 - 1.0))
    }

    /// The bottom of the line with the names of stages; the values of the first lane are below it.
    fn head_bottom(&self) -> f32 {
        let values = if self.drawing.request.options.has_values { VALUE_HEIGHT } else { 0.0 };
        self.at(Point::default()).y - values
    }

    pub(super) fn rect(&self, rect: crate::graph::Rect) -> Rect {
        Rect::from_min_max(self.at(rect.min), self.at(rect.max))
    }

    /// Paints everything except the texts, from the back to the front.
    pub(super) fn paint(&self) {
        if !self.content.hidden.frames {
            self.paint_frames();
        }
        if self.clarity() < 1.0 {
            self.paint_edge_bundles();
        }
        if self.pitch() >= LEAST_PITCH_OF_EDGES {
            self.paint_lane_segments();
            self.paint_edges();
            if self.pitch() >= LEAST_PITCH_OF_NODES {
                self.paint_nodes();
            }
        }
        self.paint_cursor();
    }

    fn paint_frames(&self) {
        let slowest = self.content.launch_micros.into_iter().flatten().copied().fold(0.0, f64::max);
        for frame in &self.drawing.frames {
            let rect = self.frame(frame);
            let micros = self.content.launch_micros.and_then(|times| times.get(frame.launch));
            // A single launch has nothing to be compared with.
            if let Some(micros) = micros.filter(|_| slowest > 0.0 && self.drawing.frames.len() > 1) {
                let bottom = self.at(Point::new(frame.rect.min.x, -PITCH / 2.0)).y.min(self.head_bottom());
                let (head, corners) = (rect.with_max_y(bottom), CornerRadius { nw: 6, ne: 6, sw: 0, se: 0 });
                self.painter.rect_filled(head, corners, self.colors.heat(frame.launch, (micros / slowest) as f32));
            }
            let is_lit = self.content.lit == Some(frame.launch);
            if is_lit {
                self.painter.rect_filled(rect, CornerRadius::same(6), self.colors.heat(frame.launch, 0.4));
            }
            let stroke = if is_lit { Stroke::new(3.0, self.colors.launch(frame.launch)) } else { Stroke::new(1.0, self.colors.frame) };
            self.painter.rect_stroke(rect, CornerRadius::same(6), stroke, StrokeKind::Middle);
        }
        for tile in self.drawing.tiles.iter().filter(|tile| tile.n_lanes as f32 * self.pitch() >= 6.0) {
            let rect = self.rect(tile.rect);
            if rect.intersects(self.painter.clip_rect()) {
                let corners = [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom(), rect.left_top()];
                let sides = corners.windows(2).filter_map(|side| self.clipped([side[0], side[1]]));
                self.painter.extend(sides.flat_map(|side| Shape::dashed_line(&side, Stroke::new(1.0, self.colors.frame), 5.0, 4.0)));
            }
        }
    }

    /// How clear edges are at this zoom: less than 1 where they are dense.
    fn clarity(&self) -> f32 {
        let part = (self.pitch() - LEAST_PITCH_OF_EDGES) / (PITCH_OF_CLEAR_EDGES - LEAST_PITCH_OF_EDGES);
        LEAST_CLARITY + (1.0 - LEAST_CLARITY) * part.clamp(0.0, 1.0)
    }

    /// The stages of which something is in view.
    fn stages_in_view(&self) -> Range<usize> {
        let (clip, spans) = (self.painter.clip_rect(), &self.drawing.spans);
        let x = |x: f32| self.at(Point::new(x, 0.0)).x;
        let first = spans.partition_point(|span| x(span.end) < clip.left() - 10.0);
        first..spans.partition_point(|span| x(span.start) <= clip.right() + 10.0).max(first)
    }

    /// The lanes in view, and some above and below.
    pub(super) fn lanes_in_view(&self) -> Range<usize> {
        if self.drawing.moved.is_some() {
            return 0..self.drawing.request.plan.lanes;
        }
        let clip = self.painter.clip_rect();
        let lane = |y: f32| self.viewport.to_drawing(self.canvas, Pos2::new(0.0, y)).y / PITCH;
        let first = (lane(clip.top()) - 2.0).max(0.0) as usize;
        first..((lane(clip.bottom()) + 3.0).max(0.0) as usize).clamp(first, self.drawing.request.plan.lanes.max(first))
    }

    /// Paints the bundles in one piece, the fainter the clearer the edges in front of them are.
    fn paint_edge_bundles(&self) {
        let clip = self.painter.clip_rect();
        let (mut mesh, mut outlines) = (Mesh::default(), Vec::new());
        let strength = if self.pitch() < LEAST_PITCH_OF_EDGES { 1.0 } else { 0.7 * (1.0 - self.clarity()) };
        let stages = self.stages_in_view();
        for bundle in self.drawing.edge_bundles.iter().filter(|bundle| stages.contains(&bundle.stage)) {
            let corners = bundle.corners.map(|corner| self.at(corner));
            if !Rect::from_points(&corners).intersects(clip) {
                continue;
            }
            // A bundle of one edge is a line.
            let thick = |y: f32| if corners[0].y == corners[3].y && corners[1].y == corners[2].y { y } else { 0.0 };
            let has_run = bundle.stage < self.cursor;
            let fill = self.colors.line.gamma_multiply(strength * if has_run { 0.2 } else { 0.12 });
            let first = mesh.vertices.len() as u32;
            for (corner, shift) in corners.into_iter().zip([-0.3, -0.3, 0.3, 0.3]) {
                mesh.colored_vertex(corner + egui::vec2(0.0, thick(shift)), fill);
            }
            mesh.add_triangle(first, first + 1, first + 2);
            mesh.add_triangle(first, first + 2, first + 3);
            if corners[3].y - corners[0].y >= LEAST_HEIGHT_OF_OUTLINE {
                let stroke = Stroke::new(0.7, self.colors.line.gamma_multiply(strength * if has_run { 0.5 } else { 0.3 }));
                outlines.push(Shape::closed_line(corners.to_vec(), stroke));
            }
        }
        self.painter.add(mesh);
        self.painter.extend(outlines);
    }

    fn paint_lane_segments(&self) {
        let (lanes, clarity, mut shapes) = (self.lanes_in_view(), self.clarity(), Vec::new());
        for segment in self.drawing.lane_segments.iter().filter(|segment| lanes.contains(&segment.lane)) {
            let node = GraphNode { column: segment.column, lane: segment.lane };
            let Some(ends) = self.clipped(segment.ends.map(|end| self.at(end))) else { continue };
            let color = self.shade(self.colors.weak, segment.column <= self.cursor, self.emphasis(node, node, None));
            shapes.push(Shape::line_segment(ends, Stroke::new(0.8, color.gamma_multiply(clarity))));
        }
        self.painter.extend(shapes);
    }

    fn paint_edges(&self) {
        let width = self.viewport.scale.sqrt().clamp(0.8, 1.8);
        let stages = self.stages_in_view();
        let edge = |stage: usize| self.drawing.edges.partition_point(|edge| edge.stage < stage);
        let in_view = self.drawing.edges[edge(stages.start)..edge(stages.end)].iter();
        let edges: Vec<_> = in_view.filter_map(|edge| Some((edge, self.clipped(edge.ends.map(|end| self.at(end)))?))).collect();
        let broken = || edges.iter().filter(|(edge, _)| !matches!(edge.style(), EdgeStyle::Solid | EdgeStyle::Filter(0)));
        let n_dashes = broken().map(|(_, [from, to])| from.distance(*to) / DASH).sum::<f32>();
        let n_others = edges.iter().filter(|(edge, _)| edge.style() == EdgeStyle::Other).count();
        let (is_broken, is_dotted) = (n_dashes <= MOST_DASHES, n_others <= MAX_DOTTED_EDGES);
        let mut shapes = Vec::with_capacity(edges.len());
        for (edge, ends) in edges {
            self.edge(edge, ends, width, [is_broken, is_dotted], &mut shapes);
        }
        let result = |stage: usize| self.drawing.results.partition_point(|result| result.stage < stage);
        for result in &self.drawing.results[result(stages.start)..result(stages.end)] {
            if result.points[0] == result.points[2] {
                continue;
            }
            let from = GraphNode { column: result.stage + 1, lane: result.to };
            let emphasis = self.emphasis(from, from, Some((result.stage, result.butterfly)));
            let plain = self.section_color(result.stage, result.butterfly).unwrap_or(self.colors.line);
            let color = self.shade(plain, result.stage < self.cursor, emphasis).gamma_multiply(self.clarity());
            let points = result.points.map(|point| self.at(point));
            let pieces = [[points[0], points[1]], [points[1], points[2]]].map(|piece| self.clipped(piece));
            shapes.extend(pieces.into_iter().flatten().map(|piece| Shape::line_segment(piece, Stroke::new(width, color))));
        }
        self.painter.extend(shapes);
    }

    /// The shapes of an edge whose visible part has these ends; `is_broken` says whether edges in view, and those of other coefficients, may have dashes and dots.
    fn edge(&self, edge: &DrawnEdge, ends: [Pos2; 2], width: f32, [is_broken, is_dotted]: [bool; 2], shapes: &mut Vec<Shape>) {
        let (from, to) = (GraphNode { column: edge.stage, lane: edge.from }, GraphNode { column: edge.stage + 1, lane: edge.to });
        let emphasis = self.emphasis(from, to, Some((edge.stage, edge.butterfly)));
        let plain = if edge.style() == EdgeStyle::Other { self.colors.other } else { self.colors.line };
        let plain = self.section_color(edge.stage, edge.butterfly).unwrap_or(plain);
        let color = self.shade(plain, edge.stage < self.cursor, emphasis);
        // A cone stands out of dense edges.
        let color = if matches!(emphasis, Emphasis::None | Emphasis::Faded) { color.gamma_multiply(self.clarity()) } else { color };
        let width = if emphasis == Emphasis::Butterfly { width + 0.8 } else { width };
        let stroke = Stroke::new(width, color);
        match edge.style() {
            EdgeStyle::Solid | EdgeStyle::Filter(0) => shapes.push(Shape::line_segment(ends, stroke)),
            EdgeStyle::Other if !is_broken || !is_dotted => shapes.push(Shape::line_segment(ends, Stroke::new(width * 0.7, color))),
            _ if !is_broken => shapes.push(Shape::line_segment(ends, stroke)),
            EdgeStyle::Dashed | EdgeStyle::Filter(1) => shapes.extend(Shape::dashed_line(&ends, stroke, 7.0, 4.0)),
            EdgeStyle::Filter(3) => shapes.extend(Shape::dashed_line_with_offset(&ends, stroke, &[8.0, 1.5], &[3.0, 3.0], 0.0)),
            EdgeStyle::Filter(_) | EdgeStyle::Other => shapes.extend(Shape::dashed_line(&ends, stroke, 2.0, 2.5)),
        }
    }

    /// The colour of a section, where the butterfly belongs to one.
    fn section_color(&self, stage: usize, butterfly: usize) -> Option<Color32> {
        self.drawing.section(stage, butterfly).map(|section| match section {
            SectionKind::Split => self.colors.split,
            SectionKind::Merge => self.colors.merge,
        })
    }

    /// The radius of the dots of nodes, in points.
    pub(super) fn node_radius(&self) -> f32 {
        (1.8 * self.viewport.scale).clamp(1.6, 4.5)
    }

    fn paint_nodes(&self) {
        let radius = self.node_radius();
        let lanes = self.lanes_in_view();
        let inputs = (0..self.drawing.request.plan.inputs).map(|lane| GraphNode { column: 0, lane });
        let results = self.drawing.results.iter().map(|result| GraphNode { column: result.stage + 1, lane: result.to });
        let mut shapes = Vec::new();
        for node in inputs.chain(results).filter(|node| lanes.contains(&node.lane)) {
            let at = self.at(self.drawing.position(node.column, node.lane));
            if !self.painter.clip_rect().expand(radius).contains(at) {
                continue;
            }
            let emphasis = self.emphasis(node, node, None);
            shapes.push(Shape::circle_filled(at, radius, self.shade(self.colors.line, node.column <= self.cursor, emphasis)));
            let words = self.content.words.and_then(|words| words.get(node.column)).filter(|_| node.column <= self.cursor);
            if words.is_some_and(|(_, overflows)| overflows[node.lane]) {
                shapes.push(Shape::circle_stroke(at, radius + 3.0, Stroke::new(2.0, self.colors.overflow)));
            }
            if self.cone.is_some_and(|cone| cone.node == node) {
                shapes.push(Shape::circle_stroke(at, radius + 3.0, Stroke::new(2.0, self.colors.butterfly)));
            }
        }
        self.painter.extend(shapes);
    }

    fn paint_cursor(&self) {
        // It begins below the captions, and its handle is below the lanes, so that it covers no text.
        let top = self.at(Point::new(self.drawing.column_x(self.cursor), -PITCH / 2.0));
        let bottom = Pos2::new(top.x, self.canvas.bottom() - 1.0);
        self.painter.vline(top.x, top.y.max(self.canvas.top())..=bottom.y, Stroke::new(1.5, self.colors.cursor));
        let handle = [(-6.0, 0.0), (6.0, 0.0), (6.0, -7.0), (0.0, -13.0), (-6.0, -7.0)].map(|(x, y)| bottom + egui::vec2(x, y));
        self.painter.add(Shape::convex_polygon(handle.to_vec(), self.colors.cursor, Stroke::NONE));
    }

    /// The part of a line that is in view.
    fn clipped(&self, ends: [Pos2; 2]) -> Option<[Pos2; 2]> {
        clip_line(ends, self.painter.clip_rect().expand(2.0))
    }

    /// How an edge between two nodes, or a single node, relates to the node that the user asks about.
    pub(super) fn emphasis(&self, from: GraphNode, to: GraphNode, butterfly: Option<(usize, usize)>) -> Emphasis {
        let Some(cone) = self.cone else { return Emphasis::None };
        let own = self.butterfly.map(|butterfly| (cone.node.column.wrapping_sub(1), butterfly));
        if butterfly.is_some() && butterfly == own && to == cone.node {
            Emphasis::Butterfly
        } else if cone.is_source(from) && cone.is_source(to) {
            Emphasis::Source
        } else if cone.is_target(from) && cone.is_target(to) {
            Emphasis::Target
        } else {
            Emphasis::Faded
        }
    }

    /// A colour after the emphasis of the asked node; stages that have not run are faded.
    pub(super) fn shade(&self, plain: Color32, has_run: bool, emphasis: Emphasis) -> Color32 {
        let color = match emphasis {
            Emphasis::None => plain,
            Emphasis::Butterfly => self.colors.butterfly,
            Emphasis::Source => self.colors.source,
            Emphasis::Target => self.colors.target,
            Emphasis::Faded => plain.gamma_multiply(FADED),
        };
        if has_run || emphasis == Emphasis::Faded { color } else { color.gamma_multiply(LATER) }
    }
}

/// How an edge or a node relates to the node that the user asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Emphasis {
    /// The user asks about no node.
    None,
    /// It is an edge into the node.
    Butterfly,
    /// The node depends on it.
    Source,
    /// It depends on the node.
    Target,
    /// It is outside the cone of the node.
    Faded,
}

//! Lines, nodes and frames on the screen, as much of them as the zoom has room for.

use super::Content;
use super::ink::Ink;
use super::view::{View, clip_line};
use crate::graph::{Cone, Drawing, DrawnEdge, EdgeStyle, GraphNode, LaunchFrame, PITCH, Point};
use crate::schedule::Section;
use egui::{Color32, CornerRadius, Painter, Pos2, Rect, Shape, Stroke, StrokeKind};

/// Points from lane to lane from which on lines are told apart.
pub(super) const PITCH_OF_LINES: f32 = 2.0;
/// Points from lane to lane from which on nodes have dots.
const PITCH_OF_NODES: f32 = 7.0;
/// Points from the top of a frame to the first lane at least: a line of text stands between them.
const HEAD: f32 = 19.0;
/// Lines with other coefficients above which they are drawn whole: their dashes would merge anyway.
const MAX_BROKEN_LINES: usize = 200;

/// Everything that one frame is painted from.
pub(super) struct Scene<'a> {
    pub(super) drawing: &'a Drawing,
    pub(super) content: &'a Content<'a>,
    pub(super) view: View,
    pub(super) canvas: Rect,
    pub(super) painter: &'a Painter,
    pub(super) ink: Ink,
    /// How many stages have run.
    pub(super) cursor: usize,
    /// The node in question, if any.
    pub(super) cone: Option<&'a Cone>,
    /// The butterfly that computes it.
    pub(super) butterfly: Option<usize>,
}

impl Scene<'_> {
    /// Where a point of the drawing stands on the screen.
    pub(super) fn at(&self, point: Point) -> Pos2 {
        self.view.place_of(self.canvas, point)
    }

    /// Points from lane to lane.
    pub(super) fn pitch(&self) -> f32 {
        self.view.scale * PITCH
    }

    /// The frame of a launch.
    pub(super) fn frame(&self, frame: &LaunchFrame) -> Rect {
        let rect = self.rect(frame.rect);
        rect.with_min_y(rect.top().min(self.first_lane() - HEAD))
    }

    /// Where the name of a stage stands that belongs at `at`: between the top of its frame and the first lane.
    pub(super) fn below_head(&self, at: Pos2) -> Pos2 {
        Pos2::new(at.x, at.y.min(self.first_lane() - HEAD / 2.0 - 1.0))
    }

    fn first_lane(&self) -> f32 {
        self.at(Point::default()).y
    }

    pub(super) fn rect(&self, rect: crate::graph::Rect) -> Rect {
        Rect::from_min_max(self.at(rect.min), self.at(rect.max))
    }

    /// All that is not text, from the back to the front.
    pub(super) fn paint(&self) {
        self.paint_frames();
        if self.pitch() < PITCH_OF_LINES {
            self.paint_bundles();
        } else {
            self.paint_rails();
            self.paint_lines();
            if self.pitch() >= PITCH_OF_NODES {
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
            // One launch alone is compared with nothing.
            if let Some(micros) = micros.filter(|_| slowest > 0.0 && self.drawing.frames.len() > 1) {
                let bottom = self.at(Point::new(frame.rect.min.x, -PITCH / 2.0)).y;
                let (head, corners) = (rect.with_max_y(bottom), CornerRadius { nw: 6, ne: 6, sw: 0, se: 0 });
                self.painter.rect_filled(head, corners, self.ink.heat(frame.launch, (micros / slowest) as f32));
            }
            let is_lit = self.content.lit == Some(frame.launch);
            if is_lit {
                self.painter.rect_filled(rect, CornerRadius::same(6), self.ink.heat(frame.launch, 0.4));
            }
            let stroke = if is_lit { Stroke::new(3.0, self.ink.launch(frame.launch)) } else { Stroke::new(1.0, self.ink.frame) };
            self.painter.rect_stroke(rect, CornerRadius::same(6), stroke, StrokeKind::Middle);
        }
        for tile in self.drawing.tiles.iter().filter(|tile| tile.n_lanes as f32 * self.pitch() >= 6.0) {
            let rect = self.rect(tile.rect);
            if rect.intersects(self.painter.clip_rect()) {
                let corners = [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom(), rect.left_top()];
                for side in corners.windows(2) {
                    self.broken_line([side[0], side[1]], Stroke::new(1.0, self.ink.frame), 5.0, 4.0);
                }
            }
        }
    }

    fn paint_bundles(&self) {
        for bundle in &self.drawing.edge_bundles {
            let corners = bundle.corners.map(|corner| self.at(corner)).to_vec();
            let fill = self.ink.line.gamma_multiply(if bundle.stage < self.cursor { 0.25 } else { 0.1 });
            self.painter.add(Shape::convex_polygon(corners, fill, Stroke::new(0.5, self.ink.quiet)));
        }
    }

    fn paint_rails(&self) {
        for rail in &self.drawing.lane_segments {
            let node = GraphNode { column: rail.column, lane: rail.lane };
            let colour = self.shade(self.ink.quiet, rail.column <= self.cursor, self.emphasis(node, node, None));
            self.whole_line(rail.ends.map(|end| self.at(end)), Stroke::new(0.8, colour));
        }
    }

    fn paint_lines(&self) {
        let n_others = self.drawing.edges.iter().filter(|line| line.style() == EdgeStyle::Other).count();
        let width = self.view.scale.sqrt().clamp(0.8, 1.8);
        for line in &self.drawing.edges {
            self.paint_line(line, width, n_others <= MAX_BROKEN_LINES);
        }
        for tail in &self.drawing.results {
            if tail.points[0] == tail.points[2] {
                continue;
            }
            let from = GraphNode { column: tail.stage + 1, lane: tail.to };
            let emphasis = self.emphasis(from, from, Some((tail.stage, tail.butterfly)));
            let plain = self.of_section(tail.stage, tail.butterfly).unwrap_or(self.ink.line);
            let stroke = Stroke::new(width, self.shade(plain, tail.stage < self.cursor, emphasis));
            let points = tail.points.map(|point| self.at(point));
            self.whole_line([points[0], points[1]], stroke);
            self.whole_line([points[1], points[2]], stroke);
        }
    }

    fn paint_line(&self, line: &DrawnEdge, width: f32, breaks: bool) {
        let (from, to) = (GraphNode { column: line.stage, lane: line.from }, GraphNode { column: line.stage + 1, lane: line.to });
        let emphasis = self.emphasis(from, to, Some((line.stage, line.butterfly)));
        let plain = if line.style() == EdgeStyle::Other { self.ink.other } else { self.ink.line };
        let plain = self.of_section(line.stage, line.butterfly).unwrap_or(plain);
        let colour = self.shade(plain, line.stage < self.cursor, emphasis);
        let width = if emphasis == Emphasis::Butterfly { width + 0.8 } else { width };
        let ends = line.ends.map(|end| self.at(end));
        match line.style() {
            EdgeStyle::Solid => self.whole_line(ends, Stroke::new(width, colour)),
            EdgeStyle::Dashed => self.broken_line(ends, Stroke::new(width, colour), 7.0, 4.0),
            EdgeStyle::Other if breaks => self.broken_line(ends, Stroke::new(width, colour), 2.0, 2.5),
            EdgeStyle::Other => self.whole_line(ends, Stroke::new(width * 0.7, colour)),
        }
    }

    /// The colour of a section, where the butterfly belongs to one.
    fn of_section(&self, stage: usize, butterfly: usize) -> Option<Color32> {
        self.drawing.section(stage, butterfly).map(|section| match section {
            Section::Split => self.ink.split,
            Section::Merge => self.ink.merge,
        })
    }

    fn paint_nodes(&self) {
        let radius = (1.8 * self.view.scale).clamp(1.6, 4.5);
        let inputs = (0..self.drawing.request.plan.inputs).map(|lane| GraphNode { column: 0, lane });
        let results = self.drawing.results.iter().map(|tail| GraphNode { column: tail.stage + 1, lane: tail.to });
        for node in inputs.chain(results) {
            let at = self.at(self.drawing.position(node.column, node.lane));
            if !self.painter.clip_rect().expand(radius).contains(at) {
                continue;
            }
            let emphasis = self.emphasis(node, node, None);
            self.painter.circle_filled(at, radius, self.shade(self.ink.line, node.column <= self.cursor, emphasis));
            if self.cone.is_some_and(|cone| cone.node == node) {
                self.painter.circle_stroke(at, radius + 3.0, Stroke::new(2.0, self.ink.butterfly));
            }
        }
    }

    fn paint_cursor(&self) {
        // It begins below the captions and has its handle below the lanes, so that it covers no text.
        let top = self.at(Point::new(self.drawing.column_x(self.cursor), -PITCH / 2.0));
        let bottom = Pos2::new(top.x, self.canvas.bottom() - 1.0);
        self.painter.vline(top.x, top.y.max(self.canvas.top())..=bottom.y, Stroke::new(1.5, self.ink.cursor));
        let grip = [(-6.0, 0.0), (6.0, 0.0), (6.0, -7.0), (0.0, -13.0), (-6.0, -7.0)].map(|(x, y)| bottom + egui::vec2(x, y));
        self.painter.add(Shape::convex_polygon(grip.to_vec(), self.ink.cursor, Stroke::NONE));
    }

    fn whole_line(&self, ends: [Pos2; 2], stroke: Stroke) {
        if let Some(ends) = clip_line(ends, self.painter.clip_rect().expand(2.0)) {
            self.painter.line_segment(ends, stroke);
        }
    }

    fn broken_line(&self, ends: [Pos2; 2], stroke: Stroke, dash: f32, gap: f32) {
        if let Some(ends) = clip_line(ends, self.painter.clip_rect().expand(2.0)) {
            self.painter.extend(Shape::dashed_line(&ends, stroke, dash, gap));
        }
    }

    /// How a line between two nodes, or a node itself, stands to the node in question.
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

    /// A colour as the step cursor and the node in question leave it.
    pub(super) fn shade(&self, plain: Color32, has_run: bool, emphasis: Emphasis) -> Color32 {
        let colour = match emphasis {
            Emphasis::None => plain,
            Emphasis::Butterfly => self.ink.butterfly,
            Emphasis::Source => self.ink.source,
            Emphasis::Target => self.ink.target,
            Emphasis::Faded => plain.gamma_multiply(0.14),
        };
        if has_run || emphasis == Emphasis::Faded { colour } else { colour.gamma_multiply(0.35) }
    }
}

/// How a line stands to the node in question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Emphasis {
    /// There is no such node.
    None,
    /// It leads into the node.
    Butterfly,
    /// The node depends on it.
    Source,
    /// It depends on the node.
    Target,
    /// It has nothing to do with the node.
    Faded,
}

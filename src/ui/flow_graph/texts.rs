//! Writes texts on the screen, the most important first; a text that would cover another one is left out.

use super::paint::{Emphasis, GraphPainter};
use super::values::{error_text, value_choices};
use crate::figure::Anchor;
use crate::graph::{EdgeStyle, GraphNode, Label, LabelKind, Point, Side, lane_text};
use crate::numerals::{duration, integer};
use crate::plan::{Coef, LaneValue};
use crate::schedule::SectionKind;
use egui::{Align, Align2, Color32, FontId, Pos2, Rect};

/// Values are shown from this distance between lanes on, in points.
const LEAST_PITCH_OF_VALUES: f32 = 14.0;
/// The same for the error of a value.
const LEAST_PITCH_OF_ERRORS: f32 = 84.0;
/// The smallest font size, in points.
pub(super) const LEAST_SIZE: f32 = 11.0;
/// The largest size of labels, in points.
const LARGEST_SIZE: f32 = 16.0;
/// The smallest font size of a value that has no room at the usual one, in points.
const LEAST_SIZE_OF_VALUES: f32 = 9.0;
/// Factors are written from this zoom on, where they fit the room that the layout reserved.
const LEAST_SCALE_OF_FACTORS: f32 = 0.75;
/// Factors and coefficients are written from this horizontal zoom on: in narrower stages they would cover the edges.
const LEAST_ACROSS_OF_COEFFICIENTS: f32 = 0.3;
/// Roots are written with their residues from this zoom on, where these fit.
const LEAST_SCALE_OF_RESIDUES: f32 = 1.2;
/// The caption of a launch has several lines from this zoom on, where they stand clear of each other.
const LEAST_SCALE_OF_CAPTIONS: f32 = 1.0;
/// The same for the coefficients of edges.
const LEAST_SCALE_OF_WEIGHTS: f32 = 0.95;
/// Distance from the frame of a launch up to its time, in units of the drawing; the caption is between.
const TIME_ABOVE: f32 = 38.0;
/// Distance of a text from the line that it is above or below, in points.
const CLEAR: f32 = 1.0;
/// Distance of a value from its node, in points.
const CLEAR_OF_NODE: f32 = 4.0;
/// Room for a value where the drawing has none for it, in points.
const LEAST_ROOM: f32 = 80.0;
/// The height of a line of text, as a multiple of its size.
pub(super) const HEIGHT: f32 = 1.2;
/// A text whose position is further outside the canvas than this, in points, is out of view.
const FAR: egui::Vec2 = egui::vec2(200.0, 30.0);
/// The opacity of the texts of stages that have not run.
const LATER_TEXT: f32 = 0.78;
/// The least horizontal distance of two texts, in points.
pub(super) const GAP: f32 = 3.0;
/// A text with its position on the screen.
#[derive(Clone)]
pub(super) struct PlacedText {
    pub(super) text: String,
    pub(super) at: Pos2,
    pub(super) align: Align2,
    pub(super) size: f32,
    pub(super) color: Color32,
    /// Whether the text covers an edge, and needs a background.
    pub(super) on_line: bool,
    /// The greatest width, in points; a wider text is left out.
    pub(super) most_width: Option<f32>,
}

/// The boxes of the texts written so far.
#[derive(Default)]
pub(super) struct TextPage {
    taken: Vec<Rect>,
}

impl TextPage {
    /// Writes the text, unless it is outside the canvas, too wide, or would cover another one; says whether it did.
    pub(super) fn write(&mut self, graph: &GraphPainter<'_>, placed: PlacedText) -> bool {
        let galley = graph.painter.layout_no_wrap(placed.text, FontId::proportional(placed.size), placed.color);
        let rect = placed.align.anchor_size(placed.at, galley.size());
        let visible = graph.painter.clip_rect();
        let kept_clear = rect.expand2(egui::vec2(GAP, 0.0));
        let is_wide = placed.most_width.is_some_and(|most| rect.width() > most);
        if is_wide || !visible.intersects(rect) || self.taken.iter().any(|other| other.intersects(kept_clear)) {
            return false;
        }
        if placed.on_line {
            graph.painter.rect_filled(rect.expand2(egui::vec2(2.0, 0.0)), 2.0, graph.colors.ground.gamma_multiply(0.95));
        }
        graph.painter.galley(rect.min, galley, placed.color);
        self.taken.push(rect);
        true
    }
}

impl GraphPainter<'_> {
    /// Writes all texts.
    pub(super) fn write_texts(&self) {
        let mut page = TextPage::default();
        if !self.content.hidden.frames && !self.content.hidden.counts {
            self.write_launches(&mut page);
        }
        let is_chip = |label: &&Label| label.is_coefficient();
        self.write_stages(&mut page);
        let is_lane = |label: &&Label| matches!(label.kind, LabelKind::Input { .. } | LabelKind::Output { .. });
        self.write_labels(&mut page, self.drawing.labels.iter().filter(is_lane));
        let asked = self.cone.map(|cone| cone.node);
        if let Some(node) = asked {
            self.write_weights_of(&mut page, node);
        }
        // Texts of faded edges would cover the edges of the cone.
        let chips = || self.drawing.labels.iter().filter(is_chip).filter(|label| self.label_emphasis(label) != Emphasis::Faded);
        let is_factor = |label: &&Label| matches!(label.kind, LabelKind::Factor { .. });
        let has_room = self.viewport.across() >= LEAST_ACROSS_OF_COEFFICIENTS;
        if has_room && self.viewport.scale >= LEAST_SCALE_OF_FACTORS {
            self.write_labels(&mut page, chips().filter(is_factor));
        }
        if self.pitch() >= LEAST_PITCH_OF_VALUES {
            self.write_values(&mut page);
        }
        if has_room && self.viewport.scale >= LEAST_SCALE_OF_WEIGHTS {
            let is_written = |label: &&Label| self.label_emphasis(label) == Emphasis::Butterfly;
            self.write_labels(&mut page, chips().filter(|label| !is_factor(label) && !is_written(label)));
        }
    }

    fn write_labels<'a>(&self, page: &mut TextPage, labels: impl Iterator<Item = &'a Label>) {
        let visible = self.painter.clip_rect().expand2(FAR);
        // Names of lanes are at regular distances where not all of them have room.
        let step = (LEAST_SIZE * HEIGHT / self.pitch()).ceil().max(1.0) as usize;
        let (step, last) = (step.next_power_of_two(), self.drawing.request.plan.lanes.saturating_sub(1));
        for label in labels {
            let is_seen = match label.kind {
                LabelKind::Input { lane } => (lane % step == 0 || lane == last) && visible.y_range().contains(self.at(label.at).y),
                LabelKind::Output { lane } => (lane % step == 0 || lane == last) && visible.contains(self.at(label.at)),
                LabelKind::Factor { .. } | LabelKind::Weight { .. } => visible.contains(self.at(label.at)),
                LabelKind::Stage { .. } | LabelKind::Launch { .. } => true,
            };
            if !is_seen {
                continue;
            }
            let placed = self.placed(label, self.label_colour(label));
            let with_residue = self.residue(label).filter(|_| self.viewport.scale >= LEAST_SCALE_OF_RESIDUES);
            let longer = with_residue.map(|residue| PlacedText { text: format!("{} = {residue}", placed.text), ..placed.clone() });
            if !longer.is_some_and(|longer| page.write(self, self.before_node(label, longer))) {
                page.write(self, self.before_node(label, placed));
            }
        }
    }

    /// Moves a coefficient to the left, so that it ends before the nodes of its stage: a narrow graph has less room than its texts take.
    fn before_node(&self, label: &Label, mut placed: PlacedText) -> PlacedText {
        let stage = match label.kind {
            LabelKind::Factor { result } => self.drawing.results[result].stage,
            LabelKind::Weight { edge } => self.drawing.edges[edge].stage,
            _ => return placed,
        };
        let size = self.painter.layout_no_wrap(placed.text.clone(), FontId::proportional(placed.size), placed.color).size();
        let end = self.at(Point::new(self.drawing.column_x(stage + 1), 0.0)).x - self.node_radius() - GAP;
        placed.at.x -= (placed.align.anchor_size(placed.at, size).right() - end).max(0.0);
        placed
    }

    /// The residue that a root is, if the label names one.
    fn residue(&self, label: &Label) -> Option<u32> {
        let coef = match label.kind {
            LabelKind::Factor { result } => self.drawing.results[result].factor,
            LabelKind::Weight { edge } => self.drawing.edges[edge].weight,
            _ => return None,
        };
        let field = self.drawing.request.plan.ring.field().filter(|_| !self.content.hidden.asks_for(self.drawing, label))?;
        matches!(coef, Coef::Root { .. }).then(|| field.element(coef))
    }

    /// The one size of all labels and values of the graph at this zoom, in points.
    fn label_size(&self) -> f32 {
        (10.0 * self.viewport.scale).clamp(LEAST_SIZE, LARGEST_SIZE)
    }

    pub(super) fn placed(&self, label: &Label, color: Color32) -> PlacedText {
        let across = match label.anchor {
            Anchor::Left => Align::Min,
            Anchor::Centre => Align::Center,
            Anchor::Right => Align::Max,
        };
        // A text beside a line keeps clear of it at every zoom.
        let (down, clear) = match label.side {
            Side::On => (Align::Center, 0.0),
            Side::Above => (Align::Max, -CLEAR),
            Side::Below => (Align::Min, CLEAR),
        };
        let align = Align2([across, down]);
        let size = self.label_size();
        let at = self.at(label.at) + egui::vec2(0.0, clear);
        let (at, most_width) = match label.kind {
            LabelKind::Stage { stage } => self.place_of_stage(stage, self.below_head(at)),
            _ => (at, None),
        };
        // Where the names of the inputs are out of view, the numbers of the lanes are at the edge.
        if let LabelKind::Input { lane } = label.kind
            && at.x < self.canvas.left()
        {
            let at = Pos2::new(self.canvas.left() + CLEAR_OF_NODE, at.y);
            let (text, color) = (integer(lane), self.colors.weak);
            return PlacedText { text, at, align: Align2::LEFT_CENTER, size: LEAST_SIZE, color, on_line: true, most_width };
        }
        let text = if self.content.hidden.asks_for(self.drawing, label) { "?".into() } else { label.text.clone() };
        // In a narrow graph a factor is wider than its place, and reaches over the ends of edges.
        let on_line = label.is_chip() || matches!(label.kind, LabelKind::Factor { .. });
        PlacedText { text, at, align, size, color, on_line, most_width }
    }

    /// How the subject of a text relates to the node that the user asks about.
    fn label_emphasis(&self, label: &Label) -> Emphasis {
        let of_node = |column, lane| self.emphasis(GraphNode { column, lane }, GraphNode { column, lane }, None);
        match label.kind {
            LabelKind::Launch { .. } | LabelKind::Stage { .. } => Emphasis::None,
            LabelKind::Input { lane } => of_node(0, lane),
            LabelKind::Output { lane } => of_node(self.drawing.spans.len(), lane),
            LabelKind::Factor { result } => of_node(self.drawing.results[result].stage + 1, self.drawing.results[result].to),
            LabelKind::Weight { edge } => {
                let edge = &self.drawing.edges[edge];
                let (from, to) = (GraphNode { column: edge.stage, lane: edge.from }, GraphNode { column: edge.stage + 1, lane: edge.to });
                self.emphasis(from, to, Some((edge.stage, edge.butterfly)))
            }
        }
    }

    pub(super) fn label_colour(&self, label: &Label) -> Color32 {
        let (plain, has_run) = match label.kind {
            LabelKind::Launch { .. } => (self.colors.weak, true),
            LabelKind::Stage { .. } | LabelKind::Input { .. } => (self.colors.line, true),
            LabelKind::Output { .. } => (self.colors.line, self.cursor == self.drawing.spans.len()),
            LabelKind::Factor { result } => (self.colors.line, self.drawing.results[result].stage < self.cursor),
            LabelKind::Weight { edge } if self.drawing.edges[edge].style() == EdgeStyle::Dashed => {
                (self.colors.line, self.drawing.edges[edge].stage < self.cursor)
            }
            LabelKind::Weight { edge } => (self.colors.other, self.drawing.edges[edge].stage < self.cursor),
        };
        match self.label_emphasis(label) {
            // Texts of later stages are paler than those of stages that have run, and still legible.
            Emphasis::None if !has_run => plain.gamma_multiply(LATER_TEXT),
            emphasis => self.shade(plain, has_run, emphasis),
        }
    }

    /// The time of a launch as text; a split is followed by its merges, which share its frame.
    fn time(&self, launch: usize) -> Option<String> {
        let launches = &self.content.schedule.launches;
        let merges = launches.iter().skip(launch + 1).take_while(|next| next.section() == Some(SectionKind::Merge)).count();
        let times = self.content.launch_micros?.get(launch..=launch + merges)?;
        let parts: Vec<String> = times.iter().map(|&micros| duration(micros)).collect();
        Some(parts.join(" + "))
    }

    /// Writes the caption and the time of every launch above its frame: line by line, or as much as fits on one line.
    fn write_launches(&self, page: &mut TextPage) {
        for frame in &self.drawing.frames {
            let is_own = |label: &&Label| matches!(label.kind, LabelKind::Launch { launch, .. } if launch == frame.launch);
            let own: Vec<_> = self.drawing.labels.iter().filter(is_own).collect();
            let time = self.time(frame.launch);
            let x = (frame.rect.min.x + frame.rect.max.x) / 2.0;
            // Captions in several lines need the place that the layout gave them.
            let is_in_place = self.frame(frame).top() >= self.rect(frame.rect).top() - 1.0;
            if self.viewport.scale >= LEAST_SCALE_OF_CAPTIONS && is_in_place {
                for label in &own {
                    page.write(self, self.placed(label, self.colors.weak));
                }
                let size = self.label_size();
                let at = self.at(Point::new(x, frame.rect.min.y - TIME_ABOVE));
                if let Some(text) = time {
                    page.write(
                        self,
                        PlacedText {
                            text,
                            at,
                            align: Align2::CENTER_CENTER,
                            size,
                            color: self.colors.line,
                            on_line: false,
                            most_width: None,
                        },
                    );
                }
                continue;
            }
            let parts: Vec<String> = own.iter().map(|label| label.text.clone()).chain(time.clone()).collect();
            let choices = [parts.join(" · "), [parts.first().cloned(), time.clone()].into_iter().flatten().collect::<Vec<_>>().join(" · ")];
            let width = self.viewport.across() * frame.rect.width();
            let at = Pos2::new(self.at(Point::new(x, 0.0)).x, self.frame(frame).top() - 4.0);
            let fits = |text: &String| {
                let font = FontId::proportional(LEAST_SIZE);
                self.painter.layout_no_wrap(text.clone(), font, self.colors.line).size().x <= width
            };
            if let Some(text) = choices.into_iter().chain(time).chain(parts.first().cloned()).find(fits) {
                let (align, size, color) = (Align2::CENTER_BOTTOM, LEAST_SIZE, self.colors.weak);
                page.write(self, PlacedText { text, at, align, size, color, on_line: false, most_width: None });
            }
        }
    }

    /// Writes the coefficient on every edge into the node that the user asks about.
    fn write_weights_of(&self, page: &mut TextPage, node: GraphNode) {
        let Some(stage) = node.column.checked_sub(1) else { return };
        let edges = self.drawing.edges.iter().filter(|edge| edge.stage == stage && edge.to == node.lane);
        for edge in edges.filter(|edge| edge.style() == EdgeStyle::Other) {
            let at = self.at(edge.ends[0].towards(edge.ends[1], 0.22));
            let (text, color) = (edge.text(), self.colors.butterfly);
            page.write(
                self,
                PlacedText { text, at, align: Align2::CENTER_CENTER, size: LEAST_SIZE, color, on_line: true, most_width: None },
            );
        }
    }

    /// Writes the values of the nodes that have run: alone, or with the reference and the error.
    fn write_values(&self, page: &mut TextPage) {
        let Some(values) = self.content.values else { return };
        let spans = &self.drawing.spans;
        let visible = self.painter.clip_rect().expand(100.0);
        let mut shown = Vec::new();
        for column in 0..=self.cursor.min(spans.len()) {
            // Values are above their lanes, where no edge begins.
            let room = self.room_for_value(column);
            for node in self.lanes_in_view().map(|lane| GraphNode { column, lane }) {
                let at = self.at(self.value_position(node)) + egui::vec2(CLEAR_OF_NODE, -CLEAR);
                let value = values.at(node).filter(|_| self.drawing.exists(node) && visible.contains(at));
                shown.extend(value.filter(|_| self.emphasis(node, node, None) != Emphasis::Faded).map(|value| (value, at, room)));
            }
        }
        // All values have one size. A small text with enough digits says more than a large one without them.
        let fit_at = |size: f32| shown.iter().all(|(value, _, room)| self.fitting_value(value.shown(), size, *room).is_some());
        let size = Some(self.label_size()).filter(|size| fit_at(*size)).unwrap_or(LEAST_SIZE_OF_VALUES);
        for (value, at, room) in shown {
            let Some((mut text, n_digits)) = self.fitting_value(value.shown(), size, room) else { continue };
            if self.pitch() >= LEAST_PITCH_OF_ERRORS
                && let (Some(device), Some(reference)) = (value.device, value.reference)
            {
                let error = error_text(device.distance(reference), 1);
                text = format!("{text}\nf64 {}\n{error}", lane_text(reference, n_digits));
            }
            let (align, color) = (Align2::LEFT_BOTTOM, self.colors.weak);
            let placed = |at, align| PlacedText { text: text.clone(), at, align, size, color, on_line: true, most_width: None };
            // A factor in front of the node may need the beginning of the room.
            if !page.write(self, placed(at, align)) {
                page.write(self, placed(at + egui::vec2(room, 0.0), Align2::RIGHT_BOTTOM));
            }
        }
    }

    /// The width of the room for the values after `column` stages, in points.
    pub(super) fn room_for_value(&self, column: usize) -> f32 {
        let across = self.viewport.across();
        match self.drawing.spans.get(column) {
            Some(span) if span.start > span.entry => (span.start - span.entry) * across - CLEAR_OF_NODE,
            Some(_) => LEAST_ROOM,
            // Behind the last stage the frame of its launch ends, or the names of the results begin.
            None => {
                let frame = self.drawing.frames.iter().map(|frame| frame.rect.max.x).reduce(f32::max);
                let is_name = |label: &&Label| matches!(label.kind, LabelKind::Output { .. });
                let end = frame.or_else(|| self.drawing.labels.iter().find(is_name).map(|name| name.at.x));
                end.map_or(LEAST_ROOM, |end| (end - self.drawing.column_x(column)) * across - CLEAR_OF_NODE - GAP)
            }
        }
    }

    /// The text of a value for its room at a size, and its number of digits; `None` where only a misleading text would fit.
    fn fitting_value(&self, value: LaneValue, size: f32, room: f32) -> Option<(String, usize)> {
        let width = |text: &str| self.painter.layout_no_wrap(text.into(), FontId::proportional(size), self.colors.weak).size().x;
        let may_break = 2.0 * HEIGHT * size <= self.pitch();
        value_choices(value, may_break).into_iter().find(|(text, _)| width(text) <= room)
    }

    /// Where the value of a node begins: in front of the next stage, or behind the last one.
    fn value_position(&self, node: GraphNode) -> Point {
        let y = self.drawing.position(node.column, node.lane).y;
        Point::new(self.drawing.spans.get(node.column).map_or_else(|| self.drawing.column_x(node.column), |span| span.entry), y)
    }
}

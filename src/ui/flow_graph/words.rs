//! Texts on the screen: placed one after the other, the important ones first, and left out where they would cover another one.

use super::paint::{Emphasis, Scene};
use super::values::lane_text;
use crate::graph::{Anchor, GraphNode, Label, LabelKind, Point, number};
use crate::schedule::Section;
use egui::{Align2, Color32, FontId, Pos2, Rect};

/// Points from lane to lane from which on values, all their digits, and their errors are shown.
const PITCH_OF_VALUES: f32 = 28.0;
const PITCH_OF_DIGITS: f32 = 44.0;
const PITCH_OF_ERRORS: f32 = 64.0;
/// No text is smaller, in points.
const LEAST_SIZE: f32 = 11.0;
/// Zoom from which on factors, and the coefficients of lines, find the room that the layout gave them.
const SCALE_OF_FACTORS: f32 = 0.75;
const SCALE_OF_WEIGHTS: f32 = 0.95;
/// Points between two texts on a line.
const GAP: f32 = 3.0;
/// The name of a stage may be so many times as wide as its lines: wider ones would seem to belong to the stages beside.
const ROOM_OF_STAGES: f32 = 1.5;

/// One text that wants a place.
struct Words {
    text: String,
    at: Pos2,
    align: Align2,
    size: f32,
    colour: Color32,
    on_line: bool,
    /// How wide it may be, if it must not be wider than what it is about.
    room: Option<f32>,
}

/// The places that are taken.
#[derive(Default)]
struct Page {
    taken: Vec<Rect>,
}

impl Page {
    /// Writes the text unless it is outside or would cover another one.
    fn write(&mut self, scene: &Scene<'_>, words: Words) {
        let galley = scene.painter.layout_no_wrap(words.text, FontId::proportional(words.size), words.colour);
        let rect = words.align.anchor_size(words.at, galley.size());
        let visible = scene.painter.clip_rect();
        let kept_clear = rect.expand2(egui::vec2(GAP, 0.0));
        let is_wide = words.room.is_some_and(|room| rect.width() > room);
        if is_wide || !visible.intersects(rect) || self.taken.iter().any(|other| other.intersects(kept_clear)) {
            return;
        }
        if words.on_line {
            scene.painter.rect_filled(rect.expand2(egui::vec2(2.0, 0.0)), 2.0, scene.ink.ground.gamma_multiply(0.95));
        }
        scene.painter.galley(rect.min, galley, words.colour);
        self.taken.push(rect);
    }
}

impl Scene<'_> {
    /// All texts.
    pub(super) fn write(&self) {
        let mut page = Page::default();
        self.write_launches(&mut page);
        let is_chip = |label: &&Label| label.is_chip();
        let is_launch = |label: &&Label| matches!(label.kind, LabelKind::Launch { .. });
        self.write_labels(&mut page, self.drawing.labels.iter().filter(|label| !is_chip(label) && !is_launch(label)));
        let hovered = self.cone.map(|cone| cone.node);
        if let Some(node) = hovered {
            self.write_weights_of(&mut page, node);
        }
        // Texts of what is faded would only cut the lines that matter.
        let chips = || self.drawing.labels.iter().filter(is_chip).filter(|label| self.label_emphasis(label) != Emphasis::Faded);
        let is_factor = |label: &&Label| matches!(label.kind, LabelKind::Factor { .. });
        if self.view.scale >= SCALE_OF_FACTORS {
            self.write_labels(&mut page, chips().filter(is_factor));
        }
        if self.pitch() >= PITCH_OF_VALUES {
            self.write_values(&mut page);
        }
        if self.view.scale >= SCALE_OF_WEIGHTS {
            let is_written = |label: &&Label| self.label_emphasis(label) == Emphasis::Butterfly;
            self.write_labels(&mut page, chips().filter(|label| !is_factor(label) && !is_written(label)));
        }
    }

    fn write_labels<'a>(&self, page: &mut Page, labels: impl Iterator<Item = &'a Label>) {
        for label in labels {
            page.write(self, self.words(label, self.label_colour(label)));
        }
    }

    fn words(&self, label: &Label, colour: Color32) -> Words {
        let align = match label.anchor {
            Anchor::Left => Align2::LEFT_CENTER,
            Anchor::Centre => Align2::CENTER_CENTER,
            Anchor::Right => Align2::RIGHT_CENTER,
        };
        let size = (label.size * self.view.scale).clamp(LEAST_SIZE, 1.6 * label.size);
        let room = match label.kind {
            LabelKind::Stage { stage } => {
                self.drawing.spans.get(stage).map(|span| ROOM_OF_STAGES * self.view.across() * (span.end - span.start))
            }
            _ => None,
        };
        let at = self.at(label.at);
        let at = if let LabelKind::Stage { .. } = label.kind { self.below_head(at) } else { at };
        Words { text: label.text.clone(), at, align, size, colour, on_line: label.is_chip(), room }
    }

    /// How what a text is about stands to the node in question.
    fn label_emphasis(&self, label: &Label) -> Emphasis {
        let of_node = |column, lane| self.emphasis(GraphNode { column, lane }, GraphNode { column, lane }, None);
        match label.kind {
            LabelKind::Launch { .. } | LabelKind::Stage { .. } => Emphasis::None,
            LabelKind::Input { lane } => of_node(0, lane),
            LabelKind::Output { lane } => of_node(self.drawing.spans.len(), lane),
            LabelKind::Factor { result } => of_node(self.drawing.results[result].stage + 1, self.drawing.results[result].to),
            LabelKind::Weight { edge } => {
                let line = &self.drawing.edges[edge];
                let (from, to) = (GraphNode { column: line.stage, lane: line.from }, GraphNode { column: line.stage + 1, lane: line.to });
                self.emphasis(from, to, Some((line.stage, line.butterfly)))
            }
        }
    }

    fn label_colour(&self, label: &Label) -> Color32 {
        let (plain, has_run) = match label.kind {
            LabelKind::Launch { .. } => (self.ink.quiet, true),
            LabelKind::Stage { .. } | LabelKind::Input { .. } => (self.ink.line, true),
            LabelKind::Output { .. } => (self.ink.line, self.cursor == self.drawing.spans.len()),
            LabelKind::Factor { result } => (self.ink.line, self.drawing.results[result].stage < self.cursor),
            LabelKind::Weight { edge } => (self.ink.other, self.drawing.edges[edge].stage < self.cursor),
        };
        self.shade(plain, has_run, self.label_emphasis(label))
    }

    /// How long a launch took; of a split and its merges, which share a frame, each.
    fn time(&self, launch: usize) -> Option<String> {
        let launches = &self.content.schedule.launches;
        let merges = launches.iter().skip(launch + 1).take_while(|next| next.section() == Some(Section::Merge)).count();
        let times = self.content.launch_micros?.get(launch..=launch + merges)?;
        let parts: Vec<String> = times.iter().map(|&micros| number(micros, 4)).collect();
        Some(format!("{} µs", parts.join(" + ")))
    }

    /// What every launch is and how long it took, above its frame: line by line, or as much on one line as fits the frame.
    fn write_launches(&self, page: &mut Page) {
        for frame in &self.drawing.frames {
            let is_own = |label: &&Label| matches!(label.kind, LabelKind::Launch { launch, .. } if launch == frame.launch);
            let own: Vec<_> = self.drawing.labels.iter().filter(is_own).collect();
            let time = self.time(frame.launch);
            let x = (frame.rect.min.x + frame.rect.max.x) / 2.0;
            if self.view.scale >= SCALE_OF_FACTORS {
                own.iter().for_each(|label| page.write(self, self.words(label, self.ink.quiet)));
                let size = (LEAST_SIZE * self.view.scale).clamp(LEAST_SIZE, 1.6 * LEAST_SIZE);
                let at = self.at(Point::new(x, frame.rect.min.y - super::TIME_ABOVE));
                if let Some(text) = time {
                    page.write(
                        self,
                        Words { text, at, align: Align2::CENTER_CENTER, size, colour: self.ink.line, on_line: false, room: None },
                    );
                }
                continue;
            }
            let parts: Vec<String> = own.iter().map(|label| label.text.clone()).chain(time.clone()).collect();
            let choices = [parts.join(" · "), [parts.first().cloned(), time.clone()].into_iter().flatten().collect::<Vec<_>>().join(" · ")];
            let width = self.view.across() * frame.rect.width();
            let at = Pos2::new(self.at(Point::new(x, 0.0)).x, self.frame(frame).top() - 4.0);
            let fits = |text: &String| {
                let font = FontId::proportional(LEAST_SIZE);
                self.painter.layout_no_wrap(text.clone(), font, self.ink.line).size().x <= width
            };
            if let Some(text) = choices.into_iter().chain(time).chain(parts.first().cloned()).find(fits) {
                let (align, size, colour) = (Align2::CENTER_BOTTOM, LEAST_SIZE, self.ink.quiet);
                page.write(self, Words { text, at, align, size, colour, on_line: false, room: None });
            }
        }
    }

    /// What every line into the node in question multiplies by, where the layout had no room for all.
    fn write_weights_of(&self, page: &mut Page, node: GraphNode) {
        let Some(stage) = node.column.checked_sub(1) else { return };
        let lines = self.drawing.edges.iter().filter(|line| line.stage == stage && line.to == node.lane);
        for line in lines.filter(|line| line.style() == crate::graph::EdgeStyle::Other) {
            let at = self.at(line.ends[0].towards(line.ends[1], 0.22));
            let (text, colour) = (line.text(), self.ink.butterfly);
            page.write(self, Words { text, at, align: Align2::CENTER_CENTER, size: LEAST_SIZE, colour, on_line: true, room: None });
        }
    }

    /// The values of the nodes that have run: alone, or with the reference and the error.
    fn write_values(&self, page: &mut Page) {
        let Some(values) = self.content.values else { return };
        let n_stages = self.drawing.spans.len();
        let size = (9.0 * self.view.scale).clamp(LEAST_SIZE, 13.0);
        for column in 0..=self.cursor.min(n_stages) {
            for lane in 0..self.drawing.request.plan.lanes {
                let node = GraphNode { column, lane };
                let at = self.at(self.drawing.position(column, lane));
                let shown = values.at(node).filter(|_| self.drawing.exists(node) && self.painter.clip_rect().expand(100.0).contains(at));
                let Some(value) = shown.filter(|_| self.emphasis(node, node, None) != Emphasis::Faded) else { continue };
                let (align, at) = if column == n_stages && column > 0 {
                    (Align2::RIGHT_BOTTOM, at + egui::vec2(-6.0, -5.0))
                } else {
                    (Align2::LEFT_BOTTOM, at + egui::vec2(6.0, -3.0))
                };
                let n_digits = if self.pitch() < PITCH_OF_DIGITS { 2 } else { 4 };
                let mut text = lane_text(value.shown(), n_digits);
                if n_digits == 2 {
                    text.retain(|c| c != ' ');
                }
                if self.pitch() >= PITCH_OF_ERRORS
                    && let (Some(device), Some(reference)) = (value.device, value.reference)
                {
                    text = format!("{text}\nf64 {}\nerror {:.1e}", lane_text(reference, n_digits), device.distance(reference));
                }
                page.write(self, Words { text, at, align, size, colour: self.ink.quiet, on_line: true, room: None });
            }
        }
    }
}

//! The texts of a drawing and where they stand; none overlaps another one.

use super::geometry::{Anchor, Point, Rect};
use super::layout::{Drawing, FRAME_TOP, Line, Style, lane_y};
use super::names;
use super::sections::launch_caption;
use super::text::{self, subscript};
use crate::plan::Coef;

/// Height of a line of text, as a multiple of its size.
const LINE_HEIGHT: f32 = 1.25;
pub(super) const CAPTION_SIZE: f32 = 11.0;
pub(super) const CHIP_SIZE: f32 = 10.0;
const INDEX_SIZE: f32 = 12.0;
/// Coefficients of one stage above which none is written on its lines: they would hide the lines.
const MAX_WEIGHTS: usize = 64;
/// Where along a line its coefficient may stand, the best place first.
const PLACES: [f32; 13] = [0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73, 0.2, 0.8, 0.14, 0.86, 0.1, 0.9];

/// What a text is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelKind {
    /// The index of an input.
    Input {
        /// Its lane.
        lane: usize,
    },
    /// The index of the result that a lane holds at the end.
    Output {
        /// Its lane.
        lane: usize,
    },
    /// What a stage is called.
    Stage {
        /// Which stage.
        stage: usize,
    },
    /// What a launch is.
    Launch {
        /// Which launch.
        launch: usize,
        /// Which line of its caption.
        line: usize,
    },
    /// What a result is multiplied by.
    Factor {
        /// Which of the drawing's tails.
        tail: usize,
    },
    /// What a line multiplies by.
    Weight {
        /// Which of the drawing's lines.
        line: usize,
    },
}

/// A text of the drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    /// What it is about.
    pub kind: LabelKind,
    /// What it says.
    pub text: String,
    /// Where its anchor stands, vertically centred.
    pub at: Point,
    /// Which end stands there.
    pub anchor: Anchor,
    /// Size of the font, in units.
    pub size: f32,
}

impl Label {
    /// The box of the text, in units.
    pub fn bounds(&self) -> Rect {
        self.anchor.place(self.at, text::width(&self.text, self.size), self.size * LINE_HEIGHT)
    }

    /// Whether the text stands on a line and covers it.
    pub fn is_chip(&self) -> bool {
        matches!(self.kind, LabelKind::Factor { .. } | LabelKind::Weight { .. })
    }
}

/// All texts of a drawing whose lines are placed.
pub(super) fn place(drawing: &Drawing) -> Vec<Label> {
    let mut labels = indices(drawing);
    labels.extend(captions(drawing));
    labels.extend(factors(drawing));
    let first_of_stage = |stage: usize| drawing.lines.partition_point(|line| line.stage < stage);
    for stage in 0..drawing.spans.len() {
        let (first, end) = (first_of_stage(stage), first_of_stage(stage + 1));
        labels.extend(weights(&drawing.lines[first..end], first));
    }
    labels
}

fn indices(drawing: &Drawing) -> Vec<Label> {
    let plan = &drawing.request.plan;
    let n_bits = plan.lanes.max(2).next_power_of_two().ilog2() as usize;
    let binary = drawing.request.options.binary;
    let left = drawing.rails.iter().map(|rail| rail.ends[0].x).fold(0.0, f32::min) - 5.0;
    let right = drawing.rails.iter().map(|rail| rail.ends[1].x).fold(0.0, f32::max) + 5.0;
    let mut labels = Vec::new();
    let label = |kind, text, x, lane, anchor| Label { kind, text, at: Point::new(x, lane_y(lane)), anchor, size: INDEX_SIZE };
    for lane in 0..plan.inputs {
        let (letter, index) = names::input(plan, lane);
        let name = format!("{letter}{}", subscript(index));
        let text = if binary { format!("{lane:0n_bits$b}\u{2002}{name}") } else { name };
        labels.push(label(LabelKind::Input { lane }, text, left, lane, Anchor::Right));
    }
    for lane in 0..plan.outputs {
        let index = plan.output.index(lane);
        let name = format!("{}{}", names::output(plan), subscript(index));
        let text = if binary { format!("{name}\u{2002}{index:0n_bits$b}") } else { name };
        labels.push(label(LabelKind::Output { lane }, text, right, lane, Anchor::Left));
    }
    labels
}

fn captions(drawing: &Drawing) -> Vec<Label> {
    let request = &drawing.request;
    let mut labels = Vec::new();
    for frame in &drawing.frames {
        let lines = launch_caption(frame.launch, &request.schedule.launches[frame.launch], request);
        let x = (frame.rect.min.x + frame.rect.max.x) / 2.0;
        for (line, text) in lines.into_iter().enumerate() {
            let at = Point::new(x, FRAME_TOP - 9.0 - (1 - line) as f32 * 14.0);
            let kind = LabelKind::Launch { launch: frame.launch, line };
            labels.push(Label { kind, text, at, anchor: Anchor::Centre, size: CAPTION_SIZE });
        }
    }
    for (index, (stage, span)) in request.plan.stages.iter().zip(&drawing.spans).enumerate() {
        let at = Point::new((span.start + span.end) / 2.0, FRAME_TOP + 15.0);
        let kind = LabelKind::Stage { stage: index };
        labels.push(Label { kind, text: stage.label.clone(), at, anchor: Anchor::Centre, size: CAPTION_SIZE });
    }
    labels
}

fn factors(drawing: &Drawing) -> Vec<Label> {
    let tails = drawing.tails.iter().enumerate().filter(|(_, tail)| tail.factor != Coef::ONE);
    tails
        .map(|(index, tail)| Label {
            kind: LabelKind::Factor { tail: index },
            text: tail.factor.text(),
            at: tail.points[0].towards(tail.points[1], 0.5),
            anchor: Anchor::Centre,
            size: CHIP_SIZE,
        })
        .collect()
}

/// The coefficients of the lines of one stage: all of them, or none where they would not find room.
fn weights(lines: &[Line], first: usize) -> Vec<Label> {
    let others: Vec<_> = lines.iter().enumerate().filter(|(_, line)| line.style() == Style::Other).collect();
    if others.len() > MAX_WEIGHTS {
        return Vec::new();
    }
    let mut placed: Vec<Label> = Vec::new();
    for (index, line) in others {
        let label = |part| Label {
            kind: LabelKind::Weight { line: first + index },
            text: line.text(),
            at: line.ends[0].towards(line.ends[1], part),
            anchor: Anchor::Centre,
            size: CHIP_SIZE,
        };
        let is_free = |label: &Label| !placed.iter().any(|other| other.bounds().overlaps(label.bounds()));
        match PLACES.iter().map(|&part| label(part)).find(is_free) {
            Some(label) => placed.push(label),
            None => return Vec::new(),
        }
    }
    placed
}

//! The parts of a drawing, in units of the drawing: stages are columns from left to right, lanes run from top to bottom.

use super::coefficients::{coefficient_text, tap_of};
use super::geometry::{Point, Rect, Side};
use super::request::GraphRequest;
use crate::figure::{Anchor, text_width};
use crate::plan::Coef;
use crate::schedule::SectionKind;

/// Distance between two lanes, in units of the drawing.
pub const PITCH: f32 = 24.0;
/// Height of a line of text, as a multiple of its font size.
const LINE_HEIGHT: f32 = 1.25;

/// A flow graph, ready to be painted.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphDrawing {
    /// The request as it is drawn: without a permutation that is folded away, and in the plain style without launches.
    pub request: GraphRequest,
    /// The horizontal extent of every stage.
    pub spans: Vec<StageSpan>,
    /// The edges of all butterflies, stage by stage.
    pub edges: Vec<DrawnEdge>,
    /// The results of all butterflies, stage by stage.
    pub results: Vec<DrawnResult>,
    /// Straight pieces of lanes: between launches, and across stages that do not write the lane.
    pub lane_segments: Vec<LaneSegment>,
    /// Coarse outlines of the edges, for small zooms.
    pub edge_bundles: Vec<EdgeBundle>,
    /// A frame for every launch; a merge shares the frame of its split.
    pub frames: Vec<LaunchFrame>,
    /// A frame for every tile, where a launch has tiles.
    pub tiles: Vec<TileFrame>,
    /// All texts; no two of them overlap.
    pub labels: Vec<Label>,
    /// The box around everything.
    pub bounds: Rect,
    /// `live[column][lane]`: whether the lane holds a value after `column` stages.
    pub(super) live: Vec<Vec<bool>>,
    /// `sections[stage][butterfly]`: the section that computes the butterfly; empty where the launch has no sections.
    pub(super) sections: Vec<Vec<SectionKind>>,
    /// The index of the result on every lane, where a permutation at the end is folded away.
    pub(super) folded: Option<Vec<usize>>,
    /// The values on paper: where each begins, and its text.
    pub(super) values: Vec<(Point, String)>,
    /// `moved[column][lane]`: the height of a node while the drawing moves.
    pub moved: Option<Vec<Vec<f32>>>,
}

/// The horizontal extent of a stage: values from `entry` to `start`, edges from `start` to `joint`, factors from `joint` to `write`, and from `write` to `end` the crossing to bit-reversed lanes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StageSpan {
    /// The room for the values before the stage begins here.
    pub entry: f32,
    /// The edges begin here.
    pub start: f32,
    /// The edges of a result meet here.
    pub joint: f32,
    /// The factors end here.
    pub write: f32,
    /// The nodes of the results are here.
    pub end: f32,
}

/// How an edge is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeStyle {
    /// Times 1.
    Solid,
    /// Times −1.
    Dashed,
    /// Times a coefficient of a filter with this number, or its negative; the last style also has those of higher numbers.
    Filter(usize),
    /// Times another coefficient, or conjugated.
    Other,
}

/// An edge of a butterfly: from a lane before the stage to the joint of a result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DrawnEdge {
    /// Index of the stage.
    pub stage: usize,
    /// Index of the butterfly within the stage.
    pub butterfly: usize,
    /// The lane that is read.
    pub from: usize,
    /// The lane of the result.
    pub to: usize,
    /// The coefficient of the edge, without the common factor on the [`DrawnResult`].
    pub weight: Coef,
    /// Whether the edge multiplies the conjugate of its value.
    pub conjugated: bool,
    /// Both ends.
    pub ends: [Point; 2],
}

impl DrawnEdge {
    /// How the edge is drawn.
    pub fn style(&self) -> EdgeStyle {
        match self.weight {
            _ if self.conjugated => EdgeStyle::Other,
            Coef::Real(1.0) => EdgeStyle::Solid,
            Coef::Real(-1.0) => EdgeStyle::Dashed,
            _ => tap_of(self).map_or(EdgeStyle::Other, EdgeStyle::Filter),
        }
    }

    /// The coefficient as text, with `conj` where the edge conjugates.
    pub fn text(&self) -> String {
        match (self.conjugated, self.weight) {
            (false, weight) => coefficient_text(weight),
            (true, Coef::ONE) => "conj".into(),
            (true, weight) => format!("{} conj", coefficient_text(weight)),
        }
    }
}

/// A result of a butterfly: the path from the joint of its edges to its node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DrawnResult {
    /// Index of the stage.
    pub stage: usize,
    /// Index of the butterfly within the stage.
    pub butterfly: usize,
    /// The lane of the result.
    pub to: usize,
    /// The factor that multiplies the whole sum.
    pub factor: Coef,
    /// The joint of the edges, the end of the factor, the node.
    pub points: [Point; 3],
}

/// A straight piece of a lane that carries its value on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LaneSegment {
    /// The number of stages that the value has passed.
    pub column: usize,
    /// The lane.
    pub lane: usize,
    /// Both ends.
    pub ends: [Point; 2],
}

/// The edges of one tap and one result in an outer iteration of a stage as one shape, from the lanes that they read to the lanes that they write.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EdgeBundle {
    /// Index of the stage.
    pub stage: usize,
    /// Top left, top right, bottom right, bottom left.
    pub corners: [Point; 4],
}

/// The frame of a launch.
#[derive(Debug, Clone, PartialEq)]
pub struct LaunchFrame {
    /// Index of the launch.
    pub launch: usize,
    /// The frame.
    pub rect: Rect,
}

/// The frame around the lanes that one workgroup owns during a launch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TileFrame {
    /// Index of the launch.
    pub launch: usize,
    /// Index of the tile within the launch.
    pub tile: usize,
    /// The first lane of the tile.
    pub first_lane: usize,
    /// Number of lanes of the tile.
    pub n_lanes: usize,
    /// The frame.
    pub rect: Rect,
}

/// The subject of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelKind {
    /// The index of an input.
    Input {
        /// Its lane.
        lane: usize,
    },
    /// The index of the result that a lane holds after the last stage.
    Output {
        /// Its lane.
        lane: usize,
    },
    /// The name of a stage.
    Stage {
        /// Index of the stage.
        stage: usize,
    },
    /// The caption of a launch.
    Launch {
        /// Index of the launch.
        launch: usize,
        /// Line of the caption, from 0.
        line: usize,
    },
    /// The factor of a result.
    Factor {
        /// Index into [`GraphDrawing::results`].
        result: usize,
    },
    /// The coefficient of an edge.
    Weight {
        /// Index into [`GraphDrawing::edges`].
        edge: usize,
    },
}

/// A text of the drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    /// The subject of the text.
    pub kind: LabelKind,
    /// The text.
    pub text: String,
    /// Position of the anchor.
    pub at: Point,
    /// Which end of the text is at `at`.
    pub anchor: Anchor,
    /// Whether the text is centred on the height of `at`, or is above or below it.
    pub side: Side,
    /// Font size, in units of the drawing.
    pub size: f32,
}

impl Label {
    /// The box of the text.
    pub fn bounds(&self) -> Rect {
        Rect::of_text(self.middle(), self.anchor, text_width(&self.text, self.size), self.size * LINE_HEIGHT)
    }

    /// The position of the anchor at half the height of the text.
    pub fn middle(&self) -> Point {
        let shift = self.size * LINE_HEIGHT / 2.0;
        let dy = match self.side {
            Side::On => 0.0,
            Side::Above => -shift,
            Side::Below => shift,
        };
        Point::new(self.at.x, self.at.y + dy)
    }

    /// Whether the text belongs to an edge or a result.
    pub fn is_coefficient(&self) -> bool {
        matches!(self.kind, LabelKind::Factor { .. } | LabelKind::Weight { .. })
    }

    /// Whether the text is on an edge and covers it.
    pub fn is_chip(&self) -> bool {
        self.is_coefficient() && self.side == Side::On
    }
}

impl GraphDrawing {
    /// The x of the values after `column` stages.
    pub fn column_x(&self, column: usize) -> f32 {
        match column.checked_sub(1) {
            Some(stage) => self.spans[stage].end,
            None => self.spans.first().map_or(0.0, |span| span.entry),
        }
    }

    /// The position of a lane's value after `column` stages.
    pub fn position(&self, column: usize, lane: usize) -> Point {
        Point::new(self.column_x(column), self.moved.as_ref().map_or_else(|| lane_y(lane), |moved| moved[column][lane]))
    }

    /// The index of the result that a lane holds after the last stage.
    pub fn output_index(&self, lane: usize) -> usize {
        self.folded.as_ref().map_or_else(|| self.request.plan.output.index(lane), |folded| folded[lane])
    }

    /// The section that computes a butterfly, where its launch has sections.
    pub fn section(&self, stage: usize, butterfly: usize) -> Option<SectionKind> {
        self.sections.get(stage)?.get(butterfly).copied()
    }

    /// Whether any launch has sections.
    pub fn has_sections(&self) -> bool {
        self.sections.iter().any(|sections| !sections.is_empty())
    }

    /// The launch that runs a stage.
    pub fn launch_of(&self, stage: usize) -> Option<usize> {
        self.request.schedule.launches.iter().position(|launch| launch.stages.contains(&stage))
    }
}

/// The y of a lane.
pub(super) fn lane_y(lane: usize) -> f32 {
    lane as f32 * PITCH
}

//! Where everything stands: stages as columns from left to right, lanes from top to bottom, a gap between launches.
//!
//! A stage is drawn in up to three parts: the lines of its butterflies run from `start` to `joint`, the factor of every result stands between `joint` and `write`, and results whose lanes are bit-reversed cross over between `write` and `end`.
//! So the lines of a tile stay inside its frame, as in Sörman's Figure 5.2.

use super::geometry::{Point, Rect};
use super::labels::{self, CAPTION_SIZE, Label};
use super::sections::{launch_caption, sections_of, tile_lanes};
use super::taps::{Tap, taps};
use super::{Request, text};
use crate::plan::{Coef, Stage, reverse_bits};
use crate::schedule::Section;

/// Units from lane to lane.
pub const PITCH: f32 = 24.0;
/// Units from the first and last column of a launch to its frame.
const PAD: f32 = 12.0;
/// Units between the frames of two launches.
const GAP: f32 = 14.0;
/// Top of the launches' frames; lane 0 stands at 0.
pub(super) const FRAME_TOP: f32 = -42.0;

/// A flow graph, ready to be painted.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    /// What it shows.
    pub request: Request,
    /// Left to right extent of every stage.
    pub spans: Vec<Span>,
    /// The lines of all butterflies, stage after stage.
    pub lines: Vec<Line>,
    /// The ends of all results, stage after stage.
    pub tails: Vec<Tail>,
    /// Lanes that go straight on: between launches, and past stages that do not write them.
    pub rails: Vec<Rail>,
    /// What a stage looks like from far.
    pub bundles: Vec<Bundle>,
    /// One frame a launch.
    pub frames: Vec<Frame>,
    /// The tiles of launches that have them.
    pub tiles: Vec<TileFrame>,
    /// All texts; none overlaps another one.
    pub labels: Vec<Label>,
    /// The box round everything.
    pub bounds: Rect,
    /// Which lanes hold a value in every column.
    pub(super) live: Vec<Vec<bool>>,
    /// For every stage, the section that runs each of its butterflies; nothing where a launch has no sections.
    pub(super) sections: Vec<Vec<Section>>,
}

/// Left to right extent of a stage, in units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// Where its lines begin.
    pub start: f32,
    /// Where the lines of a result meet.
    pub joint: f32,
    /// Where the factors end.
    pub write: f32,
    /// Where its results stand.
    pub end: f32,
}

/// How a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Times 1.
    Solid,
    /// Times −1.
    Dashed,
    /// Times something else.
    Other,
}

/// A line from a lane before a stage to where a result is summed up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// Which stage.
    pub stage: usize,
    /// Which butterfly of the stage.
    pub butterfly: usize,
    /// The lane that is read.
    pub from: usize,
    /// The lane that the result goes to.
    pub to: usize,
    /// What the line multiplies by; the factor that is common to the result stands on its [`Tail`].
    pub weight: Coef,
    /// Whether it multiplies the conjugate of what it comes from.
    pub conjugated: bool,
    /// Where it begins and ends.
    pub ends: [Point; 2],
}

impl Line {
    /// How the line is drawn.
    pub fn style(&self) -> Style {
        match self.weight {
            _ if self.conjugated => Style::Other,
            Coef::Real(1.0) => Style::Solid,
            Coef::Real(-1.0) => Style::Dashed,
            _ => Style::Other,
        }
    }

    /// What is written on the line: its coefficient, and whether it conjugates.
    pub fn text(&self) -> String {
        match (self.conjugated, self.weight) {
            (false, weight) => weight.text(),
            (true, Coef::ONE) => "conj".into(),
            (true, weight) => format!("{} conj", weight.text()),
        }
    }
}

/// The way of a result from where its lines meet to its node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tail {
    /// Which stage.
    pub stage: usize,
    /// Which butterfly of the stage.
    pub butterfly: usize,
    /// The lane that the result goes to.
    pub to: usize,
    /// What the whole result is multiplied by.
    pub factor: Coef,
    /// Where the lines meet, where the factor ends, the node.
    pub points: [Point; 3],
}

/// A piece of a lane that goes straight on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rail {
    /// How many stages the value has passed.
    pub column: usize,
    /// Which lane.
    pub lane: usize,
    /// Where it begins and ends.
    pub ends: [Point; 2],
}

/// All lines of one outer turn of a stage, as one shape: top and bottom where it reads, top and bottom where it writes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bundle {
    /// Which stage.
    pub stage: usize,
    /// Top left, top right, bottom right, bottom left.
    pub corners: [Point; 4],
}

/// The frame of a launch.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Which launch.
    pub launch: usize,
    /// Its place.
    pub rect: Rect,
}

/// The frame of the lanes that one workgroup holds during a launch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TileFrame {
    /// Which launch.
    pub launch: usize,
    /// Which tile of the launch.
    pub tile: usize,
    /// Its first lane.
    pub first_lane: usize,
    /// How many lanes it has.
    pub n_lanes: usize,
    /// Its place.
    pub rect: Rect,
}

/// The height of a lane, in units.
pub(super) fn lane_y(lane: usize) -> f32 {
    lane as f32 * PITCH
}

/// Draws a plan.
pub fn layout(request: Request) -> Drawing {
    let spans = spans(&request);
    let mut drawing = Drawing {
        spans,
        lines: Vec::new(),
        tails: Vec::new(),
        rails: Vec::new(),
        bundles: Vec::new(),
        frames: Vec::new(),
        tiles: Vec::new(),
        labels: Vec::new(),
        bounds: Rect::new(Point::default(), Point::default()),
        live: request.plan.live(),
        sections: sections_of(&request),
        request,
    };
    for stage in 0..drawing.spans.len() {
        drawing.add_stage(stage);
    }
    drawing.add_rails();
    for launch in 0..drawing.request.schedule.launches.len() {
        drawing.add_frames(launch);
    }
    drawing.labels = labels::place(&drawing);
    let boxes = drawing.frames.iter().map(|frame| frame.rect).chain(drawing.labels.iter().map(Label::bounds));
    let last_lane = Point::new(drawing.column_x(drawing.spans.len()), lane_y(drawing.request.plan.lanes.saturating_sub(1)));
    drawing.bounds = boxes.fold(Rect::new(Point::default(), last_lane), Rect::union);
    drawing
}

impl Drawing {
    /// Where the values after `column` stages stand, from the left.
    pub fn column_x(&self, column: usize) -> f32 {
        match column.checked_sub(1) {
            Some(stage) => self.spans[stage].end,
            None => self.spans.first().map_or(0.0, |span| span.start),
        }
    }

    /// Where the value of a lane after `column` stages stands.
    pub fn position(&self, column: usize, lane: usize) -> Point {
        Point::new(self.column_x(column), lane_y(lane))
    }

    /// The section that runs a butterfly, where its launch has sections.
    pub fn section(&self, stage: usize, butterfly: usize) -> Option<Section> {
        self.sections.get(stage)?.get(butterfly).copied()
    }

    /// Whether some launch has sections.
    pub fn has_sections(&self) -> bool {
        self.sections.iter().any(|sections| !sections.is_empty())
    }

    /// The launch that runs a stage.
    pub fn launch_of(&self, stage: usize) -> Option<usize> {
        self.request.schedule.launches.iter().position(|launch| launch.stages.contains(&stage))
    }

    fn add_stage(&mut self, index: usize) {
        let (stage, span) = (&self.request.plan.stages[index], self.spans[index]);
        for (number, butterfly) in stage.butterflies().enumerate() {
            for (j, &to) in butterfly.writes.iter().enumerate() {
                let joint = Point::new(span.joint, lane_y(joint_lane(stage, to)));
                let points = [joint, Point::new(span.write, joint.y), Point::new(span.end, lane_y(to))];
                let [p, q, _] = butterfly.place;
                let taps = taps(stage, &butterfly, j);
                // A factor of nothing says nothing.
                let factor = if taps.is_empty() { Coef::ONE } else { stage.factor(p, q, j) };
                self.tails.push(Tail { stage: index, butterfly: number, to, factor, points });
                for Tap { from, weight, conjugated } in taps {
                    let ends = [Point::new(span.start, lane_y(from)), joint];
                    self.lines.push(Line { stage: index, butterfly: number, from, to, weight, conjugated, ends });
                }
            }
        }
        self.add_bundles(index);
    }

    fn add_bundles(&mut self, index: usize) {
        let (stage, span) = (&self.request.plan.stages[index], self.spans[index]);
        let per_turn = (stage.positions * stage.group.n).max(1);
        let n_turns = stage.outer.n.min(self.request.plan.lanes);
        let mut reaches = vec![[f32::MAX, f32::MIN, f32::MAX, f32::MIN]; n_turns];
        for line in self.lines.iter().rev().take_while(|line| line.stage == index) {
            let reach = &mut reaches[line.butterfly / per_turn];
            let [from, to] = line.ends.map(|end| end.y);
            *reach = [reach[0].min(from), reach[1].max(from), reach[2].min(to), reach[3].max(to)];
        }
        for [top, bottom, top_right, bottom_right] in reaches.into_iter().filter(|reach| reach[0] <= reach[1]) {
            let corners = [(span.start, top), (span.joint, top_right), (span.joint, bottom_right), (span.start, bottom)];
            self.bundles.push(Bundle { stage: index, corners: corners.map(|(x, y)| Point::new(x, y)) });
        }
    }

    fn add_rails(&mut self) {
        let plan = &self.request.plan;
        let n_columns = plan.stages.len();
        let mut rail = |column, lane, from: f32, to: f32| {
            if from < to {
                let ends = [from, to].map(|x| Point::new(x, lane_y(lane)));
                self.rails.push(Rail { column, lane, ends });
            }
        };
        let outside = PAD + GAP / 2.0;
        let exists = |column: usize, lane: usize| self.live[column][lane];
        for lane in 0..plan.lanes {
            let first = self.spans.first().map_or(0.0, |span| span.start);
            if exists(0, lane) {
                rail(0, lane, first - outside, first);
            }
            for (stage, pair) in self.spans.windows(2).enumerate().filter(|(stage, _)| exists(stage + 1, lane)) {
                rail(stage + 1, lane, pair[0].end, pair[1].start);
            }
            let last = self.spans.last().map_or(0.0, |span| span.end);
            if lane < plan.outputs {
                rail(n_columns, lane, last, last + outside);
            }
        }
        for (index, stage) in plan.stages.iter().enumerate() {
            let mut carried = self.live[index + 1].clone();
            stage.written_lanes().for_each(|lane| carried[lane] = false);
            for lane in (0..plan.lanes).filter(|&lane| carried[lane]) {
                rail(index, lane, self.spans[index].start, self.spans[index].end);
            }
        }
    }

    fn add_frames(&mut self, index: usize) {
        let (plan, launch) = (&self.request.plan, &self.request.schedule.launches[index]);
        // The merge has the frame of its split.
        if launch.section() == Some(Section::Merge) {
            return;
        }
        let Some(spans) = self.spans.get(launch.stages.clone()).filter(|spans| !spans.is_empty()) else { return };
        let (first, last) = (spans[0], spans[spans.len() - 1]);
        let bottom = lane_y(plan.lanes.saturating_sub(1)) + PITCH * 0.7;
        let rect = Rect::new(Point::new(first.start - PAD, FRAME_TOP), Point::new(last.end + PAD, bottom));
        self.frames.push(Frame { launch: index, rect });
        let Some(lanes) = tile_lanes(plan, launch) else { return };
        let right = if scatters(&plan.stages[launch.stages.end - 1]) { last.write } else { last.end };
        for tile in 0..plan.lanes.div_ceil(lanes) {
            let first_lane = tile * lanes;
            let n_lanes = lanes.min(plan.lanes - first_lane);
            let (top, bottom) = (lane_y(first_lane) - PITCH * 0.44, lane_y(first_lane + n_lanes - 1) + PITCH * 0.44);
            let rect = Rect::new(Point::new(first.start - PAD / 2.0, top), Point::new(right + PAD / 2.0, bottom));
            self.tiles.push(TileFrame { launch: index, tile, first_lane, n_lanes, rect });
        }
    }
}

/// Whether the results of several taps cross over to bit-reversed lanes, which is drawn apart from the butterflies.
fn scatters(stage: &Stage) -> bool {
    stage.write.reversed_bits > 1 && stage.matrix().taps > 1
}

/// The lane at which the lines of a result meet.
fn joint_lane(stage: &Stage, to: usize) -> usize {
    if scatters(stage) { reverse_bits(to, stage.write.reversed_bits) } else { to }
}

fn spans(request: &Request) -> Vec<Span> {
    let (plan, mut spans) = (&request.plan, Vec::<Span>::new());
    let starts_launch = |stage: usize| request.schedule.launches.iter().position(|launch| launch.stages.start == stage);
    for (index, stage) in plan.stages.iter().enumerate() {
        let mut start = spans.last().map_or(0.0, |last| last.end);
        let mut caption = text::width(&stage.label, CAPTION_SIZE) + PAD;
        if let Some(number) = starts_launch(index) {
            start += if index > 0 { 2.0 * PAD + GAP } else { 0.0 };
            let lines = launch_caption(number, &request.schedule.launches[number], request);
            caption = lines.iter().map(|line| text::width(line, CAPTION_SIZE)).fold(caption, f32::max);
        }
        spans.push(span(stage, start, caption));
    }
    spans
}

fn span(stage: &Stage, start: f32, least: f32) -> Span {
    let (mut rise, mut cross, mut factor) = (0.0_f32, 0.0_f32, 0.0_f32);
    let mut n_others = 0;
    for butterfly in stage.butterflies() {
        let [p, q, _] = butterfly.place;
        for (j, &to) in butterfly.writes.iter().enumerate() {
            let joint = joint_lane(stage, to);
            cross = cross.max((lane_y(to) - lane_y(joint)).abs());
            if stage.factor(p, q, j) != Coef::ONE {
                factor = factor.max(text::width(&stage.factor(p, q, j).text(), labels::CHIP_SIZE) + 10.0);
            }
            for Tap { from, weight, conjugated } in taps(stage, &butterfly, j) {
                rise = rise.max((lane_y(from) - lane_y(joint)).abs());
                n_others += usize::from(conjugated || !weight.is_sign());
            }
        }
    }
    let dense = if n_others > 0 && stage.matrix().taps > 2 { 90.0 } else { 0.0 };
    let cross_width = if scatters(stage) { (cross * 0.3).clamp(48.0, 300.0) } else { 0.0 };
    let lines_width = ((rise * 0.3).clamp(56.0, 300.0) + dense).max(least - factor - cross_width);
    let joint = start + lines_width;
    Span { start, joint, write: joint + factor, end: joint + factor + cross_width }
}

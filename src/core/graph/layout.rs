//! Places a plan: stages as columns from left to right, lanes from top to bottom, a gap between launches.
//!
//! A stage is drawn in up to three parts, as [`StageSpan`] names them; so the edges of a tile stay inside its frame, as in Sörman's Figure 5.2.

use super::coefficients::coefficient_text;
use super::drawing::{
    DrawnEdge, DrawnResult, EdgeBundle, GraphDrawing, Label, LaneSegment, LaunchFrame, PITCH, StageSpan, TileFrame, lane_y,
};
use super::fold::fold;
use super::geometry::{Point, Rect};
use super::labels::{self, CAPTION_SIZE, CHIP_SIZE, FRAME_TOP};
use super::request::{GraphLayout, GraphOptions, GraphRequest, GraphStyle};
use super::sections::{launch_caption, sections_of, tile_lanes};
use super::taps::{Tap, taps};
use crate::figure::text_width;
use crate::plan::{Coef, Stage, reverse_bits};
use crate::schedule::SectionKind;
use std::collections::BTreeMap;

/// Distance from the first and the last column of a launch to its frame.
const PAD: f32 = 12.0;
/// Distance between the frames of two launches.
const GAP: f32 = 14.0;

/// Room for a value in front of every stage and behind the last one, where values are shown.
const VALUE_ROOM: f32 = 68.0;
/// Width of the edges of a stage, for the height that they climb.
const WIDTH_PER_RISE: f32 = 0.8;
/// The same beside values, in a window that stretches the drawing to its width.
const WIDTH_BESIDE_VALUES: f32 = 0.3;
/// The least width of the edges of a stage: crossing edges must be told apart.
const LEAST_WIDTH: f32 = 56.0;
/// A butterfly with more edges has one bundle for each tap, and not one for each edge.
const MOST_BANDS: usize = 16;

/// Places the flow graph of a plan.
pub fn layout(mut request: GraphRequest) -> GraphDrawing {
    if request.options.style == GraphStyle::Plain {
        request.schedule.launches.clear();
    }
    let folded = if request.options.fold { fold(&mut request) } else { None };
    let spans = spans(&request);
    let mut drawing = GraphDrawing {
        spans,
        edges: Vec::new(),
        results: Vec::new(),
        lane_segments: Vec::new(),
        edge_bundles: Vec::new(),
        frames: Vec::new(),
        tiles: Vec::new(),
        labels: Vec::new(),
        bounds: Rect::new(Point::default(), Point::default()),
        live: request.plan.live(),
        sections: sections_of(&request),
        folded,
        values: Vec::new(),
        moved: None,
        request,
    };
    for stage in 0..drawing.spans.len() {
        drawing.add_stage(stage);
    }
    drawing.add_lane_segments();
    for launch in 0..drawing.request.schedule.launches.len() {
        drawing.add_frames(launch);
    }
    if drawing.request.options.layout == GraphLayout::InPlace {
        drawing.arrange_in_place();
    }
    drawing.labels = labels::place_labels(&drawing);
    let boxes = drawing.frames.iter().map(|frame| frame.rect).chain(drawing.labels.iter().map(Label::bounds));
    let last_lane = Point::new(drawing.column_x(drawing.spans.len()), lane_y(drawing.request.plan.lanes.saturating_sub(1)));
    drawing.bounds = boxes.fold(Rect::new(Point::default(), last_lane), Rect::union);
    drawing
}

impl GraphDrawing {
    fn add_stage(&mut self, index: usize) {
        let (stage, span) = (&self.request.plan.stages[index], self.spans[index]);
        let is_dense = stage.matrix().rows * stage.matrix().taps > MOST_BANDS;
        let mut bands = BTreeMap::new();
        for (number, butterfly) in stage.butterflies().enumerate() {
            for (j, &to) in butterfly.writes.iter().enumerate() {
                let joint = Point::new(span.joint, lane_y(joint_lane(stage, to)));
                let points = [joint, Point::new(span.write, joint.y), Point::new(span.end, lane_y(to))];
                let [p, q, _] = butterfly.indices;
                let taps = taps(stage, &butterfly, j);
                // An empty sum shows no factor.
                let factor = if taps.is_empty() { Coef::ONE } else { stage.factor(p, q, j) };
                self.results.push(DrawnResult { stage: index, butterfly: number, to, factor, points });
                for (k, Tap { from, weight, conjugated }) in taps.into_iter().enumerate() {
                    let ends = [Point::new(span.start, lane_y(from)), joint];
                    self.edges.push(DrawnEdge { stage: index, butterfly: number, from, to, weight, conjugated, ends });
                    Self::add_to_band(&mut bands, [butterfly.indices[2], if is_dense { 0 } else { j }, k], ends);
                }
            }
        }
        for [top, bottom, top_right, bottom_right] in bands.into_values() {
            let corners = [(span.start, top), (span.joint, top_right), (span.joint, bottom_right), (span.start, bottom)];
            self.edge_bundles.push(EdgeBundle { stage: index, corners: corners.map(|(x, y)| Point::new(x, y)) });
        }
    }

    /// Adds an edge to the band of its tap and result in an outer iteration; a butterfly with many edges has a band for each tap.
    fn add_to_band(bands: &mut BTreeMap<[usize; 3], [f32; 4]>, key: [usize; 3], ends: [Point; 2]) {
        let extent = bands.entry(key).or_insert([f32::MAX, f32::MIN, f32::MAX, f32::MIN]);
        let [from, to] = ends.map(|end| end.y);
        *extent = [extent[0].min(from), extent[1].max(from), extent[2].min(to), extent[3].max(to)];
    }

    fn add_lane_segments(&mut self) {
        let plan = &self.request.plan;
        let n_columns = plan.stages.len();
        let mut segment = |column, lane, from: f32, to: f32| {
            if from < to {
                let ends = [from, to].map(|x| Point::new(x, lane_y(lane)));
                self.lane_segments.push(LaneSegment { column, lane, ends });
            }
        };
        let outside = PAD + GAP / 2.0;
        let exists = |column: usize, lane: usize| self.live[column][lane];
        for lane in 0..plan.lanes {
            let (entry, first) = self.spans.first().map_or((0.0, 0.0), |span| (span.entry, span.start));
            if exists(0, lane) {
                segment(0, lane, entry - outside, first);
            }
            for (stage, pair) in self.spans.windows(2).enumerate().filter(|(stage, _)| exists(stage + 1, lane)) {
                segment(stage + 1, lane, pair[0].end, pair[1].start);
            }
            let last = self.spans.last().map_or(0.0, |span| span.end);
            if lane < plan.outputs {
                segment(n_columns, lane, last, last + room_behind(&self.request.options) + outside);
            }
        }
        for (index, stage) in plan.stages.iter().enumerate() {
            let mut carried = self.live[index + 1].clone();
            stage.written_lanes().for_each(|lane| carried[lane] = false);
            for lane in (0..plan.lanes).filter(|&lane| carried[lane]) {
                segment(index, lane, self.spans[index].start, self.spans[index].end);
            }
        }
    }

    fn add_frames(&mut self, index: usize) {
        let (plan, launch) = (&self.request.plan, &self.request.schedule.launches[index]);
        // The frame of the split holds its merge too.
        if launch.section() == Some(SectionKind::Merge) {
            return;
        }
        let Some(spans) = self.spans.get(launch.stages.clone()).filter(|spans| !spans.is_empty()) else { return };
        let (first, last) = (spans[0], spans[spans.len() - 1]);
        let bottom = lane_y(plan.lanes.saturating_sub(1)) + PITCH * 0.7;
        let behind = if launch.stages.end == plan.stages.len() { room_behind(&self.request.options) } else { 0.0 };
        let rect = Rect::new(Point::new(first.entry - PAD, FRAME_TOP), Point::new(last.end + behind + PAD, bottom));
        self.frames.push(LaunchFrame { launch: index, rect });
        let Some(lanes) = tile_lanes(plan, launch) else { return };
        let right = if scatters(&plan.stages[launch.stages.end - 1]) { last.write } else { last.end + behind };
        for tile in 0..plan.lanes.div_ceil(lanes) {
            let first_lane = tile * lanes;
            let n_lanes = lanes.min(plan.lanes - first_lane);
            let (top, bottom) = (lane_y(first_lane) - PITCH * 0.44, lane_y(first_lane + n_lanes - 1) + PITCH * 0.44);
            let rect = Rect::new(Point::new(first.entry - PAD / 2.0, top), Point::new(right + PAD / 2.0, bottom));
            self.tiles.push(TileFrame { launch: index, tile, first_lane, n_lanes, rect });
        }
    }
}

/// Whether results of several taps go to bit-reversed lanes; this crossing is drawn behind the butterflies.
fn scatters(stage: &Stage) -> bool {
    stage.write.reversed_bits > 1 && stage.matrix().taps > 1
}

/// The lane at whose height the edges of a result meet.
fn joint_lane(stage: &Stage, to: usize) -> usize {
    if scatters(stage) { reverse_bits(to, stage.write.reversed_bits) } else { to }
}

fn spans(request: &GraphRequest) -> Vec<StageSpan> {
    let (plan, mut spans) = (&request.plan, Vec::<StageSpan>::new());
    let starts_launch = |stage: usize| request.schedule.launches.iter().position(|launch| launch.stages.start == stage);
    for (index, stage) in plan.stages.iter().enumerate() {
        let mut start = spans.last().map_or(0.0, |last| last.end);
        let mut caption = text_width(&stage.label, CAPTION_SIZE) + PAD;
        if let Some(number) = starts_launch(index) {
            start += if index > 0 { 2.0 * PAD + GAP } else { 0.0 };
            let lines = launch_caption(number, &request.schedule.launches[number], request);
            caption = lines.iter().map(|line| text_width(line, CAPTION_SIZE)).fold(caption, f32::max);
        }
        let (room, caption) = match request.options.style {
            _ if request.options.has_values => (VALUE_ROOM, caption),
            GraphStyle::Launches => (0.0, caption),
            GraphStyle::Plain => (0.0, 0.0),
        };
        spans.push(StageSpan { entry: start, ..span(stage, start + room, caption - room, request.options.has_values) });
    }
    spans
}

/// Room for the values behind the last stage.
fn room_behind(options: &GraphOptions) -> f32 {
    if options.has_values { VALUE_ROOM } else { 0.0 }
}

fn span(stage: &Stage, start: f32, least: f32, has_values: bool) -> StageSpan {
    let per_rise = if has_values { WIDTH_BESIDE_VALUES } else { WIDTH_PER_RISE };
    let (mut rise, mut cross, mut factor) = (0.0_f32, 0.0_f32, 0.0_f32);
    let mut n_others = 0;
    for butterfly in stage.butterflies() {
        let [p, q, _] = butterfly.indices;
        for (j, &to) in butterfly.writes.iter().enumerate() {
            let joint = joint_lane(stage, to);
            cross = cross.max((lane_y(to) - lane_y(joint)).abs());
            if stage.factor(p, q, j) != Coef::ONE {
                factor = factor.max(text_width(&coefficient_text(stage.factor(p, q, j)), CHIP_SIZE) + 10.0);
            }
            for Tap { from, weight, conjugated } in taps(stage, &butterfly, j) {
                rise = rise.max((lane_y(from) - lane_y(joint)).abs());
                n_others += usize::from(conjugated || !weight.is_sign());
            }
        }
    }
    let dense = if n_others > 0 && stage.matrix().taps > 2 { 90.0 } else { 0.0 };
    let cross_width = if scatters(stage) { (cross * per_rise).clamp(48.0, 300.0) } else { 0.0 };
    let edges_width = ((rise * per_rise).clamp(LEAST_WIDTH, 300.0) + dense).max(least - factor - cross_width);
    let joint = start + edges_width;
    StageSpan { entry: start, start, joint, write: joint + factor, end: joint + factor + cross_width }
}

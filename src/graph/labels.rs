//! Places the texts of a drawing, so that no two of them overlap.

use super::drawing::{Drawing, DrawnEdge, EdgeStyle, Label, LabelKind, lane_y};
use super::geometry::{Anchor, Point};
use super::names;
use super::sections::launch_caption;
use super::text::subscript;
use crate::plan::Coef;

/// Top of the frames of launches; lane 0 is at 0.
pub(super) const FRAME_TOP: f32 = -42.0;
/// Font size of the captions of stages and launches.
pub(super) const CAPTION_SIZE: f32 = 11.0;
/// Font size of factors and coefficients, which cover the lines that they stand on.
pub(super) const CHIP_SIZE: f32 = 10.0;
/// Font size of the indices of inputs and outputs.
const INDEX_SIZE: f32 = 12.0;
/// A stage with more coefficients shows none of them, because they would hide its edges.
const MAX_WEIGHTS: usize = 64;
/// Positions of a coefficient along its edge, in the order in which they are tried.
const POSITIONS: [f32; 13] = [0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73, 0.2, 0.8, 0.14, 0.86, 0.1, 0.9];

/// Places all texts of a drawing whose edges are placed.
pub(super) fn place_labels(drawing: &Drawing) -> Vec<Label> {
    let mut labels = indices(drawing);
    labels.extend(captions(drawing));
    labels.extend(factors(drawing));
    let first_of_stage = |stage: usize| drawing.edges.partition_point(|edge| edge.stage < stage);
    for stage in 0..drawing.spans.len() {
        let (first, end) = (first_of_stage(stage), first_of_stage(stage + 1));
        labels.extend(weights(&drawing.edges[first..end], first));
    }
    labels
}

fn indices(drawing: &Drawing) -> Vec<Label> {
    let plan = &drawing.request.plan;
    let n_bits = plan.lanes.max(2).next_power_of_two().ilog2() as usize;
    let binary = drawing.request.options.binary;
    let left = drawing.lane_segments.iter().map(|segment| segment.ends[0].x).fold(0.0, f32::min) - 5.0;
    let right = drawing.lane_segments.iter().map(|segment| segment.ends[1].x).fold(0.0, f32::max) + 5.0;
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
    let with_factor = drawing.results.iter().enumerate().filter(|(_, result)| result.factor != Coef::ONE);
    with_factor
        .map(|(index, result)| Label {
            kind: LabelKind::Factor { result: index },
            text: result.factor.text(),
            at: result.points[0].towards(result.points[1], 0.5),
            anchor: Anchor::Centre,
            size: CHIP_SIZE,
        })
        .collect()
}

/// The coefficients on the edges of one stage: all of them, or none where they would overlap.
fn weights(edges: &[DrawnEdge], first: usize) -> Vec<Label> {
    let others: Vec<_> = edges.iter().enumerate().filter(|(_, edge)| edge.style() == EdgeStyle::Other).collect();
    if others.len() > MAX_WEIGHTS {
        return Vec::new();
    }
    let mut placed: Vec<Label> = Vec::new();
    for (index, edge) in others {
        let label = |part| Label {
            kind: LabelKind::Weight { edge: first + index },
            text: edge.text(),
            at: edge.ends[0].towards(edge.ends[1], part),
            anchor: Anchor::Centre,
            size: CHIP_SIZE,
        };
        let is_free = |label: &Label| !placed.iter().any(|other| other.bounds().overlaps(label.bounds()));
        match POSITIONS.iter().map(|&part| label(part)).find(is_free) {
            Some(label) => placed.push(label),
            None => return Vec::new(),
        }
    }
    placed
}

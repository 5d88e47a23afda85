//! Places the texts of a drawing, so that no two of them overlap.

use super::coefficients::{coefficient_text, is_named};
use super::drawing::{DrawnEdge, EdgeStyle, GraphDrawing, Label, LabelKind, StageSpan, lane_y};
use super::geometry::{Point, Rect, Side};
use super::names;
use super::request::GraphStyle;
use super::sections::launch_caption;
use crate::figure::{Anchor, subscript};
use crate::plan::Coef;

/// Top of the frames of launches; lane 0 is at 0.
pub(super) const FRAME_TOP: f32 = -42.0;
/// Font size of the captions of stages and launches.
pub(super) const CAPTION_SIZE: f32 = 11.0;
/// Font size of factors and coefficients.
pub(super) const CHIP_SIZE: f32 = 10.0;
/// Font size of −1, so that it fits above the factor of the next lane.
const SIGN_SIZE: f32 = 9.0;
/// Font size of the indices of inputs and outputs.
const INDEX_SIZE: f32 = 12.0;
/// Half the side of what no text may cover around a node.
pub(super) const NODE_RADIUS: f32 = 1.6;
/// A stage with more coefficients shows none of them, because they would hide its edges.
const MAX_WEIGHTS: usize = 64;
/// Positions of a coefficient along its edge, in the order in which they are tried.
const POSITIONS: [f32; 13] = [0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73, 0.2, 0.8, 0.14, 0.86, 0.1, 0.9];

/// Places all texts of a drawing whose edges are placed.
pub(super) fn place_labels(drawing: &GraphDrawing) -> Vec<Label> {
    let mut labels = indices(drawing);
    labels.extend(captions(drawing));
    let factors = factors(drawing);
    let first_of_stage = |stage: usize| drawing.edges.partition_point(|edge| edge.stage < stage);
    for (stage, span) in drawing.spans.iter().enumerate() {
        let (first, end) = (first_of_stage(stage), first_of_stage(stage + 1));
        let nodes = nodes(drawing, stage);
        let written = weights(&drawing.edges[first..end], first, span, (&factors, &nodes));
        labels.extend(written);
    }
    labels.extend(factors);
    labels
}

fn indices(drawing: &GraphDrawing) -> Vec<Label> {
    let plan = &drawing.request.plan;
    let n_bits = plan.lanes.max(2).next_power_of_two().ilog2() as usize;
    let binary = drawing.request.options.binary;
    let left = drawing.lane_segments.iter().map(|segment| segment.ends[0].x).fold(0.0, f32::min) - 5.0;
    let right = drawing.lane_segments.iter().map(|segment| segment.ends[1].x).fold(0.0, f32::max) + 5.0;
    let mut labels = Vec::new();
    let label =
        |kind, text, x, lane, anchor| Label { kind, text, at: Point::new(x, lane_y(lane)), anchor, side: Side::On, size: INDEX_SIZE };
    // The lanes between the first and the last one stand for many.
    let original = drawing.request.options.original.as_ref();
    let has_name = |lane: usize, n: usize| original.is_none() || lane == 0 || lane + 1 == n;
    let index_in_run = |end: usize, lane: usize, index: usize| original.filter(|_| lane > 0).map_or(index, |original| original.last[end]);
    for lane in (0..plan.inputs).filter(|&lane| has_name(lane, plan.inputs)) {
        let (letter, index) = names::drawn_input(plan, lane);
        let index = index_in_run(0, lane, index);
        let name = format!("{letter}{}", subscript(index));
        let text = if binary { format!("{lane:0n_bits$b}\u{2002}{name}") } else { name };
        labels.push(label(LabelKind::Input { lane }, text, left, lane, Anchor::Right));
    }
    for lane in (0..plan.outputs).filter(|&lane| has_name(lane, plan.outputs)) {
        let index = index_in_run(1, lane, drawing.output_index(lane));
        let name = format!("{}{}", names::output(plan), subscript(index));
        let text = if binary { format!("{name}\u{2002}{index:0n_bits$b}") } else { name };
        labels.push(label(LabelKind::Output { lane }, text, right, lane, Anchor::Left));
    }
    labels
}

fn captions(drawing: &GraphDrawing) -> Vec<Label> {
    let request = &drawing.request;
    let mut labels = Vec::new();
    for frame in &drawing.frames {
        let lines = launch_caption(frame.launch, &request.schedule.launches[frame.launch], request);
        let x = (frame.rect.min.x + frame.rect.max.x) / 2.0;
        for (line, text) in lines.into_iter().enumerate() {
            let at = Point::new(x, FRAME_TOP - 9.0 - (1 - line) as f32 * 14.0);
            let kind = LabelKind::Launch { launch: frame.launch, line };
            labels.push(Label { kind, text, at, anchor: Anchor::Centre, side: Side::On, size: CAPTION_SIZE });
        }
    }
    if request.options.style == GraphStyle::Plain {
        return labels;
    }
    for (index, (stage, span)) in request.plan.stages.iter().zip(&drawing.spans).enumerate() {
        let at = Point::new((span.entry + span.end) / 2.0, FRAME_TOP + 15.0);
        let kind = LabelKind::Stage { stage: index };
        labels.push(Label { kind, text: stage.label.clone(), at, anchor: Anchor::Centre, side: Side::On, size: CAPTION_SIZE });
    }
    labels
}

/// The factors of results are on the lanes behind the edges.
fn factors(drawing: &GraphDrawing) -> Vec<Label> {
    // The roots of a run with many lanes are not those of its miniature.
    let is_miniature = drawing.request.options.original.is_some();
    let with_factor = drawing.results.iter().enumerate().filter(|(_, result)| result.factor != Coef::ONE);
    with_factor
        .map(|(index, result)| Label {
            kind: LabelKind::Factor { result: index },
            text: if is_miniature { "ω".into() } else { coefficient_text(result.factor) },
            at: result.points[0].towards(result.points[1], 0.5),
            anchor: Anchor::Centre,
            side: Side::Above,
            size: CHIP_SIZE,
        })
        .collect()
}

/// The coefficients on the edges of one stage: all of them, or none where they would overlap; then every −1, or none.
/// A coefficient whose name the legend defines is written once.
fn weights(edges: &[DrawnEdge], first: usize, span: &StageSpan, (factors, nodes): (&[Label], &[Rect])) -> Vec<Label> {
    let of_style = |style: EdgeStyle| edges.iter().enumerate().filter(move |(_, edge)| edge.style() == style);
    let mut named: Vec<Coef> = Vec::new();
    let mut is_first = |edge: &DrawnEdge| {
        let is_new = !is_named(edge.weight) || !named.contains(&edge.weight);
        if is_new && is_named(edge.weight) {
            named.push(edge.weight);
        }
        is_new
    };
    let others: Vec<_> = of_style(EdgeStyle::Other).filter(|(_, edge)| is_first(edge)).collect();
    // In a butterfly of more lanes, every −1 would hide other edges; the dashes tell it.
    let is_small = edges.first().is_none_or(|first| edges.iter().filter(|edge| edge.to == first.to).count() <= 2);
    let negative: Vec<_> = of_style(EdgeStyle::Dashed).filter(|_| is_small).collect();
    // The labels that are in the way come first.
    let mut placed: Vec<Label> = factors.iter().filter(|label| span.start < label.at.x && label.at.x < span.end).cloned().collect();
    let n_factors = placed.len();
    for group in [others, negative].into_iter().filter(|group| group.len() <= MAX_WEIGHTS) {
        let n_before = placed.len();
        if !group.into_iter().all(|(index, edge)| place(edge, first + index, span, (&mut placed, nodes))) {
            placed.truncate(n_before);
        }
    }
    placed.split_off(n_factors)
}

/// The nodes before and after a stage.
fn nodes(drawing: &GraphDrawing, stage: usize) -> Vec<Rect> {
    let results = drawing.results.iter().filter(|result| result.stage <= stage && stage <= result.stage + 1);
    let before = (0..drawing.request.plan.inputs).filter(|_| stage == 0).map(|lane| drawing.position(0, lane));
    before.chain(results.flat_map(|result| result.points)).map(|at| Rect::new(at, at).grown(NODE_RADIUS)).collect()
}

/// Places the coefficient of an edge where it covers no text and no node; says whether there was room.
fn place(edge: &DrawnEdge, index: usize, span: &StageSpan, (placed, nodes): (&mut Vec<Label>, &[Rect])) -> bool {
    let [start, end] = edge.ends;
    let is_negative = edge.style() == EdgeStyle::Dashed;
    let size = if is_negative { SIGN_SIZE } else { CHIP_SIZE };
    let label = |at, anchor, side| Label { kind: LabelKind::Weight { edge: index }, text: edge.text(), at, anchor, side, size };
    // Below the end of a level edge no other edge of its butterfly arrives, if the other lane is above. Where a factor follows, no edge begins there either.
    let has_factors = span.write > span.joint;
    let (x, anchor) = if has_factors { (end.x, Anchor::Centre) } else { (end.x - 3.0, Anchor::Right) };
    let below = (is_negative && start.y == end.y).then(|| label(Point::new(x, end.y), anchor, Side::Below));
    let on_edge = POSITIONS.iter().map(|&part| {
        let part = if is_negative { 0.5 + (part - 0.3) * 0.7 } else { part };
        label(start.towards(end, part), Anchor::Centre, Side::On)
    });
    let is_free = |label: &Label| {
        let bounds = label.bounds();
        !placed.iter().any(|other| other.bounds().overlaps(bounds)) && !nodes.iter().any(|node| node.overlaps(bounds))
    };
    let found = below.into_iter().chain(on_edge).find(is_free);
    found.is_some_and(|label| {
        placed.push(label);
        true
    })
}

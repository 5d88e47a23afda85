//! The marks that a printed drawing consists of, from the back to the front; SVG and TikZ only spell them.

use super::geometry::{Anchor, Point, Rect};
use super::labels::LabelKind;
use super::layout::{Drawing, Style};
use super::text;
use crate::plan::Ring;
use crate::schedule::Section;

/// Width of the lines of butterflies.
pub(super) const EDGE_WIDTH: f32 = 0.6;
/// Width of lanes that go straight on.
pub(super) const RAIL_WIDTH: f32 = 0.35;
/// Radius of a node.
const DOT_RADIUS: f32 = 1.6;
/// Height of the rows above and below the graph.
const ROW: f32 = 20.0;
const TEXT_SIZE: f32 = 11.0;

/// How a line is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dash {
    Whole,
    Dashed,
    Dotted,
}

/// One thing to put on the page.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Mark {
    Path { points: Vec<Point>, dash: Dash, width: f32, tint: Option<Section> },
    Frame { rect: Rect, dash: Dash, radius: f32, width: f32 },
    Dot { at: Point, radius: f32 },
    Text { at: Point, anchor: Anchor, size: f32, text: String, on_line: Option<Rect> },
}

/// All marks, and the box that holds them.
pub(super) fn marks(drawing: &Drawing) -> (Vec<Mark>, Rect) {
    let mut marks = Vec::new();
    for frame in &drawing.frames {
        marks.push(Mark::Frame { rect: frame.rect, dash: Dash::Whole, radius: 6.0, width: RAIL_WIDTH });
    }
    for tile in &drawing.tiles {
        marks.push(Mark::Frame { rect: tile.rect, dash: Dash::Dashed, radius: 3.0, width: RAIL_WIDTH });
    }
    for rail in &drawing.rails {
        marks.push(Mark::Path { points: rail.ends.to_vec(), dash: Dash::Whole, width: RAIL_WIDTH, tint: None });
    }
    for line in &drawing.lines {
        let tint = drawing.section(line.stage, line.butterfly);
        marks.push(Mark::Path { points: line.ends.to_vec(), dash: dash(line.style()), width: EDGE_WIDTH, tint });
    }
    for tail in drawing.tails.iter().filter(|tail| tail.points[0] != tail.points[2]) {
        let mut points = tail.points.to_vec();
        points.dedup();
        let tint = drawing.section(tail.stage, tail.butterfly);
        marks.push(Mark::Path { points, dash: Dash::Whole, width: EDGE_WIDTH, tint });
    }
    for lane in 0..drawing.request.plan.inputs {
        marks.push(Mark::Dot { at: drawing.position(0, lane), radius: DOT_RADIUS });
    }
    for tail in &drawing.tails {
        marks.push(Mark::Dot { at: tail.points[2], radius: DOT_RADIUS });
        if tail.points[0] != tail.points[2] {
            marks.push(Mark::Dot { at: tail.points[0], radius: DOT_RADIUS / 2.0 });
        }
    }
    for label in &drawing.labels {
        let on_line = label.is_chip().then(|| label.bounds());
        marks.push(Mark::Text { at: label.at, anchor: label.anchor, size: label.size, text: label.text.clone(), on_line });
    }
    let bounds = surround(drawing, &mut marks);
    (marks, bounds.grown(6.0))
}

fn dash(style: Style) -> Dash {
    match style {
        Style::Solid => Dash::Whole,
        Style::Dashed => Dash::Dashed,
        Style::Other => Dash::Dotted,
    }
}

/// The heading above the graph and the legend below it.
fn surround(drawing: &Drawing, marks: &mut Vec<Mark>) -> Rect {
    let mut bounds = drawing.bounds;
    let mut write = |at: Point, size: f32, text: &str| {
        let rect = Anchor::Left.place(at, text::width(text, size), size);
        marks.push(Mark::Text { at, anchor: Anchor::Left, size, text: text.into(), on_line: None });
        rect
    };
    let title = &drawing.request.options.title;
    if !title.is_empty() {
        let at = Point::new(drawing.bounds.min.x, drawing.bounds.min.y - ROW);
        bounds = bounds.union(write(at, TEXT_SIZE + 2.0, title));
    }
    let mut at = Point::new(drawing.bounds.min.x, drawing.bounds.max.y + ROW);
    let mut samples = Vec::new();
    for (name, dash, shown) in legend(drawing) {
        if !shown {
            continue;
        }
        let end = Point::new(at.x + 26.0, at.y);
        samples.push((at, end, dash));
        let words = write(Point::new(end.x + 5.0, at.y), TEXT_SIZE - 1.0, name);
        bounds = bounds.union(Rect::new(at, end)).union(words);
        at = Point::new(at.x, at.y + ROW * 0.75);
    }
    for (from, to, sample) in samples {
        marks.push(match sample {
            Sample::Line(dash) => Mark::Path { points: vec![from, to], dash, width: EDGE_WIDTH, tint: None },
            Sample::Section(section) => {
                Mark::Path { points: vec![from, to], dash: Dash::Whole, width: 2.0 * EDGE_WIDTH, tint: Some(section) }
            }
            Sample::Frame(dash) => {
                let rect = Rect::new(Point::new(from.x, from.y - 5.0), Point::new(to.x, to.y + 5.0));
                Mark::Frame { rect, dash, radius: 3.0, width: RAIL_WIDTH }
            }
        });
    }
    bounds
}

enum Sample {
    Line(Dash),
    Frame(Dash),
    Section(Section),
}

fn legend(drawing: &Drawing) -> [(&'static str, Sample, bool); 7] {
    let has = |style: Style| drawing.lines.iter().any(|line| line.style() == style);
    let n_others = drawing.lines.iter().filter(|line| line.style() == Style::Other).count();
    let n_written = drawing.labels.iter().filter(|label| matches!(label.kind, LabelKind::Weight { .. })).count();
    let other =
        if n_written < n_others { "times another coefficient of the butterfly's matrix" } else { "times the coefficient on the line" };
    let plain = if drawing.request.plan.ring == Ring::Row { "a row that is read" } else { "times 1" };
    [
        (plain, Sample::Line(Dash::Whole), has(Style::Solid)),
        ("times −1", Sample::Line(Dash::Dashed), has(Style::Dashed)),
        (other, Sample::Line(Dash::Dotted), has(Style::Other)),
        ("split: what a tile finishes alone", Sample::Section(Section::Split), drawing.has_sections()),
        ("merge: what is left at the borders", Sample::Section(Section::Merge), drawing.has_sections()),
        ("kernel launch", Sample::Frame(Dash::Whole), !drawing.frames.is_empty()),
        ("lanes of one workgroup, in its memory", Sample::Frame(Dash::Dashed), !drawing.tiles.is_empty()),
    ]
}

//! A drawing for print: its marks from the back to the front, with a heading and a legend.

use super::coefficients::is_named;
use super::drawing::{EdgeStyle, GraphDrawing, LabelKind, PITCH};
use super::geometry::{Point, Rect};
use super::request::GraphStyle;
use super::values::VALUE_SIZE;
use crate::figure::{Anchor, Figure, Ink, Mark, Pen, Position, Symbol, text_width};
use crate::plan::Ring;
use crate::schedule::SectionKind;

/// Line width of edges.
const EDGE_WIDTH: f32 = 0.6;
/// Line width of lane segments and frames.
const THIN_WIDTH: f32 = 0.35;
/// Radius of a node.
const DOT_RADIUS: f32 = super::labels::NODE_RADIUS;
/// Height of a row of text above and below the graph.
const ROW_HEIGHT: f32 = 20.0;
const TEXT_SIZE: f32 = 11.0;
/// Space around a coefficient that hides the edge below it.
const CHIP_MARGIN: f32 = 0.5;
/// A drawing of more lanes is as high as one of this number, because PDF and TeX take pages of at most five metres, and has neither dots nor coefficients, which nobody could read and TeX has no memory for.
const CLEAR_LANES: usize = 256;
/// TeX keeps a path in memory until it ends.
const MOST_LINES_OF_A_PATH: usize = 400;

/// Dash patterns.
pub(super) const DASHED: &[f32] = &[4.0, 2.5];
pub(super) const DOTTED: &[f32] = &[0.8, 1.6];
pub(super) const LONG_SHORT: &[f32] = &[5.0, 1.5, 0.8, 1.5];

/// A black pen of this width.
pub(super) const fn pen(width: f32) -> Pen {
    Pen::solid(Ink::Black, width)
}

/// The colour of a section; colour-blind readers can tell the two apart.
pub(super) fn section_ink(section: SectionKind) -> Ink {
    match section {
        SectionKind::Split => Ink::Rgb([0x00, 0x72, 0xb2]),
        SectionKind::Merge => Ink::Rgb([0xd5, 0x5e, 0x00]),
    }
}

/// A dot of a drawing.
pub(super) fn dot(at: Point, radius: f32) -> Mark {
    Mark::Symbol { at: at.into(), symbol: Symbol::Disc, radius, ink: Ink::Black }
}

/// A text of a drawing.
pub(super) fn words(at: Point, anchor: Anchor, size: f32, text: &str) -> Mark {
    Mark::text(at.into(), anchor, size, text, Ink::Black)
}

/// The figure of a drawing.
pub(super) fn figure(drawing: &GraphDrawing) -> Figure {
    let (marks, bounds) = marks(drawing);
    Figure::within(bounds.corners(), &drawing.request.options.title, marks)
}

/// All marks, and the box that holds them.
pub(super) fn marks(drawing: &GraphDrawing) -> (Vec<Mark>, Rect) {
    let mut marks = Vec::new();
    for frame in &drawing.frames {
        marks.push(Mark::Frame { corners: frame.rect.corners(), radius: 6.0, pen: pen(THIN_WIDTH) });
    }
    for tile in &drawing.tiles {
        marks.push(Mark::Frame { corners: tile.rect.corners(), radius: 3.0, pen: Pen { dash: DASHED, ..pen(THIN_WIDTH) } });
    }
    for segment in &drawing.lane_segments {
        marks.push(Mark::line(segment.ends.map(Position::from), pen(THIN_WIDTH)));
    }
    let is_plain = drawing.request.options.style == GraphStyle::Plain;
    let written = written_edges(drawing);
    let edge_pen =
        |stage: usize, butterfly: usize| Pen::solid(drawing.section(stage, butterfly).map_or(Ink::Black, section_ink), EDGE_WIDTH);
    for (index, edge) in drawing.edges.iter().enumerate() {
        let dash = if is_plain && written[index] { &[] } else { dash(edge.style()) };
        marks.push(Mark::line(edge.ends.map(Position::from), Pen { dash, ..edge_pen(edge.stage, edge.butterfly) }));
    }
    for result in drawing.results.iter().filter(|result| result.points[0] != result.points[2]) {
        let mut points = result.points.map(Position::from).to_vec();
        points.dedup();
        marks.push(Mark::line(points, edge_pen(result.stage, result.butterfly)));
    }
    let is_clear = Lens::of(drawing).is_none();
    if is_clear {
        marks.extend(dots(drawing));
    }
    for label in drawing.labels.iter().filter(|label| is_clear || !label.is_coefficient()) {
        if label.is_chip() {
            marks.push(Mark::Fill { corners: label.bounds().grown(CHIP_MARGIN).corners(), ink: Ink::Ground });
        }
        marks.push(words(label.middle(), label.anchor, label.size, &label.text));
    }
    for (at, text) in &drawing.values {
        marks.push(words(*at, Anchor::Left, VALUE_SIZE, text));
    }
    let bounds = add_heading_and_legend(drawing, &mut marks).grown(6.0);
    match Lens::of(drawing) {
        Some(lens) => (joined(marks).into_iter().map(|mark| lens.mark(mark)).collect(), bounds.placed(|point| lens.point(point))),
        None => (marks, bounds),
    }
}

/// A dot for every node, and a smaller one where the edges of a result meet.
fn dots(drawing: &GraphDrawing) -> impl Iterator<Item = Mark> {
    let inputs = (0..drawing.request.plan.inputs).map(|lane| dot(drawing.position(0, lane), DOT_RADIUS));
    let results = drawing.results.iter().flat_map(|result| {
        let [joint, _, end] = result.points;
        let joint = (joint != end).then(|| dot(joint, DOT_RADIUS / 2.0));
        joint.into_iter().chain([dot(end, DOT_RADIUS)])
    });
    inputs.chain(results)
}

/// The marks with consecutive lines of one pen in few paths: an edge takes a fifth of the bytes then.
fn joined(marks: Vec<Mark>) -> Vec<Mark> {
    let (mut all, mut first) = (Vec::<Mark>::new(), 0);
    for mark in marks {
        let Mark::Lines { mut lines, pen } = mark else {
            all.push(mark);
            first = all.len();
            continue;
        };
        let same = all[first..].iter_mut().rev().find_map(|other| match other {
            Mark::Lines { lines, pen: of } if *of == pen => Some(lines),
            _ => None,
        });
        match same.filter(|lines| lines.len() < MOST_LINES_OF_A_PATH) {
            Some(others) => others.append(&mut lines),
            None => all.push(Mark::Lines { lines, pen }),
        }
    }
    all
}

/// Moves the lanes of a drawing with many of them closer together; what is above and below keeps its size.
struct Lens {
    scale: f32,
    /// The height of the last lane.
    bottom: f32,
}

impl Lens {
    fn of(drawing: &GraphDrawing) -> Option<Self> {
        let n_lanes = drawing.request.plan.lanes;
        let (scale, bottom) = (CLEAR_LANES as f32 / n_lanes as f32, PITCH * n_lanes as f32);
        (scale < 1.0).then_some(Self { scale, bottom })
    }

    fn point(&self, Point { x, y }: Point) -> Point {
        let inside = y.clamp(0.0, self.bottom);
        Point::new(x, y - inside + inside * self.scale)
    }

    fn mark(&self, mut mark: Mark) -> Mark {
        match &mut mark {
            Mark::Lines { pen, .. } => pen.width *= self.scale,
            Mark::Text { at: [_, y], size, .. } if (0.0..self.bottom).contains(y) => *size *= self.scale,
            _ => {}
        }
        mark.placed(|[x, y]| self.point(Point::new(x, y)).into())
    }
}

fn dash(style: EdgeStyle) -> &'static [f32] {
    match style {
        EdgeStyle::Solid | EdgeStyle::Filter(0) => &[],
        EdgeStyle::Dashed | EdgeStyle::Filter(1) => DASHED,
        EdgeStyle::Other | EdgeStyle::Filter(2) => DOTTED,
        EdgeStyle::Filter(_) => LONG_SHORT,
    }
}

/// Whether the coefficient of each edge is written on it.
fn written_edges(drawing: &GraphDrawing) -> Vec<bool> {
    let mut written = vec![false; drawing.edges.len()];
    for label in drawing.labels.iter().filter(|_| Lens::of(drawing).is_none()) {
        if let LabelKind::Weight { edge } = label.kind {
            written[edge] = true;
        }
    }
    written
}

/// Adds the heading above the graph and the legend below it; gives the box around everything.
fn add_heading_and_legend(drawing: &GraphDrawing, marks: &mut Vec<Mark>) -> Rect {
    let mut bounds = drawing.bounds;
    let mut write = |at: Point, size: f32, text: &str| {
        marks.push(words(at, Anchor::Left, size, text));
        Rect::of_text(at, Anchor::Left, text_width(text, size), size)
    };
    let title = &drawing.request.options.title;
    // A paper has its own caption.
    if !title.is_empty() && drawing.request.options.style == GraphStyle::Launches {
        let at = Point::new(drawing.bounds.min.x, drawing.bounds.min.y - ROW_HEIGHT);
        bounds = bounds.union(write(at, TEXT_SIZE + 2.0, title));
    }
    let mut at = Point::new(drawing.bounds.min.x, drawing.bounds.max.y + ROW_HEIGHT);
    let mut samples = Vec::new();
    for line in drawing.definitions() {
        bounds = bounds.union(write(at, TEXT_SIZE - 1.0, &line));
        at = Point::new(at.x, at.y + ROW_HEIGHT * 0.75);
    }
    for (name, sample) in legend(drawing) {
        let end = Point::new(at.x + 26.0, at.y);
        samples.push((at, end, sample));
        let named = write(Point::new(end.x + 5.0, at.y), TEXT_SIZE - 1.0, &name);
        bounds = bounds.union(Rect::new(at, end)).union(named);
        at = Point::new(at.x, at.y + ROW_HEIGHT * 0.75);
    }
    for (from, to, sample) in samples {
        marks.push(match sample {
            LegendSample::Line(pen) => Mark::line([from.into(), to.into()], pen),
            LegendSample::Frame(dash) => {
                Mark::Frame { corners: [[from.x, from.y - 5.0], [to.x, to.y + 5.0]], radius: 3.0, pen: Pen { dash, ..pen(THIN_WIDTH) } }
            }
        });
    }
    bounds
}

/// The sample in front of a text of the legend.
enum LegendSample {
    Line(Pen),
    Frame(&'static [f32]),
}

/// The lines of the legend: text and sample of what the drawing has and does not write.
fn legend(drawing: &GraphDrawing) -> Vec<(String, LegendSample)> {
    let edge = |dash: &'static [f32]| LegendSample::Line(Pen { dash, ..pen(EDGE_WIDTH) });
    let section = |kind: SectionKind| LegendSample::Line(Pen::solid(section_ink(kind), 2.0 * EDGE_WIDTH));
    let is_plain = drawing.request.options.style == GraphStyle::Plain;
    let written = written_edges(drawing);
    let has = |style: EdgeStyle| drawing.edges.iter().any(|edge| edge.style() == style);
    // In the plain style a line that is not solid stands for a coefficient that is not written.
    let has_unwritten = |style: EdgeStyle| drawing.edges.iter().zip(&written).any(|(edge, written)| edge.style() == style && !written);
    let other = if drawing.edges.iter().zip(&written).all(|(edge, written)| edge.style() != EdgeStyle::Other || *written) {
        "times the coefficient on the edge"
    } else if written.contains(&true) && drawing.edges.iter().any(|edge| is_named(edge.weight)) {
        "times the coefficient that the stage writes once"
    } else {
        "times another coefficient of the butterfly's matrix"
    };
    let has_maps = drawing.request.plan.has_maps();
    let solid = match drawing.request.plan.ring {
        Ring::Equation if has_maps => "reads a map or a row",
        Ring::Equation => "reads a row",
        _ => "times 1",
    };
    let lines = [
        (solid.to_owned(), edge(&[]), has(EdgeStyle::Solid) && !is_plain),
        ("times −1".into(), edge(DASHED), if is_plain { has_unwritten(EdgeStyle::Dashed) } else { has(EdgeStyle::Dashed) }),
        (other.into(), edge(DOTTED), if is_plain { has_unwritten(EdgeStyle::Other) } else { has(EdgeStyle::Other) }),
        ("split: computed by a tile alone".into(), section(SectionKind::Split), drawing.has_sections()),
        ("merge: computed at the boundaries of tiles".into(), section(SectionKind::Merge), drawing.has_sections()),
        ("kernel launch".into(), LegendSample::Frame(&[]), !drawing.frames.is_empty()),
        ("tile: the lanes of one workgroup".into(), LegendSample::Frame(DASHED), !drawing.tiles.is_empty()),
    ];
    let taps = drawing.taps().into_iter().map(|(k, text)| (text, edge(dash(EdgeStyle::Filter(k)))));
    taps.chain(lines.into_iter().filter(|(.., shown)| *shown).map(|(text, sample, _)| (text, sample))).collect()
}

//! A drawing as a list of marks, from the back to the front, which SVG and TikZ write each in its own syntax.

use super::coefficients::is_named;
use super::drawing::{Drawing, EdgeStyle, LabelKind, PITCH};
use super::geometry::{Anchor, Point, Rect};
use super::request::GraphStyle;
use super::text;
use super::values::VALUE_SIZE;
use crate::plan::Ring;
use crate::schedule::SectionKind;

/// Line width of edges.
const EDGE_WIDTH: f32 = 0.6;
/// Line width of lane segments and frames.
const THIN_WIDTH: f32 = 0.35;
/// Radius of a node.
const DOT_RADIUS: f32 = 1.6;
/// Height of a row of text above and below the graph.
const ROW_HEIGHT: f32 = 20.0;
const TEXT_SIZE: f32 = 11.0;
/// A drawing of more lanes is as high as one of this number, because PDF and TeX take pages of at most five metres, and has neither dots nor coefficients, which nobody could read and TeX has no memory for.
const CLEAR_LANES: usize = 256;
/// TeX keeps a path in memory until it ends.
const MOST_LINES_OF_A_PATH: usize = 400;

/// The dash pattern of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dash {
    Solid,
    Dashed,
    Dotted,
    LongShort,
}

impl Dash {
    /// Lengths of lines and gaps in turn; none for a solid line.
    pub(super) fn pattern(self) -> &'static [f32] {
        match self {
            Self::Solid => &[],
            Self::Dashed => &[4.0, 2.5],
            Self::Dotted => &[0.8, 1.6],
            Self::LongShort => &[5.0, 1.5, 0.8, 1.5],
        }
    }
}

/// A mark on the page; `tint` is the section that colours lines, `on_line` the box to clear behind a text.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum PrintMark {
    /// Lines drawn with one pen.
    Path {
        lines: Vec<Vec<Point>>,
        dash: Dash,
        width: f32,
        tint: Option<SectionKind>,
    },
    Frame {
        rect: Rect,
        dash: Dash,
        radius: f32,
        width: f32,
    },
    Dot {
        at: Point,
        radius: f32,
    },
    Text {
        at: Point,
        anchor: Anchor,
        size: f32,
        text: String,
        on_line: Option<Rect>,
    },
}

impl PrintMark {
    /// The same mark with every point in another place.
    pub(super) fn placed(self, place: impl Fn(Point) -> Point) -> Self {
        match self {
            Self::Path { mut lines, dash, width, tint } => {
                lines.iter_mut().flatten().for_each(|point| *point = place(*point));
                Self::Path { lines, dash, width, tint }
            }
            Self::Frame { rect, dash, radius, width } => Self::Frame { rect: rect.placed(place), dash, radius, width },
            Self::Dot { at, radius } => Self::Dot { at: place(at), radius },
            Self::Text { at, anchor, size, text, on_line } => {
                Self::Text { at: place(at), anchor, size, text, on_line: on_line.map(|rect| rect.placed(&place)) }
            }
        }
    }
}

/// All marks, and the box that holds them.
pub(super) fn marks(drawing: &Drawing) -> (Vec<PrintMark>, Rect) {
    let mut marks = Vec::new();
    for frame in &drawing.frames {
        marks.push(PrintMark::Frame { rect: frame.rect, dash: Dash::Solid, radius: 6.0, width: THIN_WIDTH });
    }
    for tile in &drawing.tiles {
        marks.push(PrintMark::Frame { rect: tile.rect, dash: Dash::Dashed, radius: 3.0, width: THIN_WIDTH });
    }
    for segment in &drawing.lane_segments {
        marks.push(PrintMark::Path { lines: vec![segment.ends.to_vec()], dash: Dash::Solid, width: THIN_WIDTH, tint: None });
    }
    let is_plain = drawing.request.options.style == GraphStyle::Plain;
    let written = written_edges(drawing);
    for (index, edge) in drawing.edges.iter().enumerate() {
        let tint = drawing.section(edge.stage, edge.butterfly);
        let dash = if is_plain && written[index] { Dash::Solid } else { dash(edge.style()) };
        marks.push(PrintMark::Path { lines: vec![edge.ends.to_vec()], dash, width: EDGE_WIDTH, tint });
    }
    for result in drawing.results.iter().filter(|result| result.points[0] != result.points[2]) {
        let mut points = result.points.to_vec();
        points.dedup();
        let tint = drawing.section(result.stage, result.butterfly);
        marks.push(PrintMark::Path { lines: vec![points], dash: Dash::Solid, width: EDGE_WIDTH, tint });
    }
    let is_clear = Lens::of(drawing).is_none();
    if is_clear {
        marks.extend(dots(drawing));
    }
    for label in drawing.labels.iter().filter(|label| is_clear || !label.is_coefficient()) {
        let on_line = label.is_chip().then(|| label.bounds());
        marks.push(PrintMark::Text { at: label.middle(), anchor: label.anchor, size: label.size, text: label.text.clone(), on_line });
    }
    for (at, text) in &drawing.values {
        marks.push(PrintMark::Text { at: *at, anchor: Anchor::Left, size: VALUE_SIZE, text: text.clone(), on_line: None });
    }
    let bounds = add_heading_and_legend(drawing, &mut marks).grown(6.0);
    match Lens::of(drawing) {
        Some(lens) => (joined(marks).into_iter().map(|mark| lens.mark(mark)).collect(), bounds.placed(|point| lens.point(point))),
        None => (marks, bounds),
    }
}

/// A dot for every node, and a smaller one where the edges of a result meet.
fn dots(drawing: &Drawing) -> impl Iterator<Item = PrintMark> {
    let inputs = (0..drawing.request.plan.inputs).map(|lane| PrintMark::Dot { at: drawing.position(0, lane), radius: DOT_RADIUS });
    let results = drawing.results.iter().flat_map(|result| {
        let [joint, _, end] = result.points;
        let joint = (joint != end).then_some(PrintMark::Dot { at: joint, radius: DOT_RADIUS / 2.0 });
        joint.into_iter().chain([PrintMark::Dot { at: end, radius: DOT_RADIUS }])
    });
    inputs.chain(results)
}

/// The marks with consecutive lines of one pen in few paths: an edge takes a fifth of the bytes then.
fn joined(marks: Vec<PrintMark>) -> Vec<PrintMark> {
    let (mut all, mut first) = (Vec::<PrintMark>::new(), 0);
    for mark in marks {
        let PrintMark::Path { mut lines, dash, width, tint } = mark else {
            all.push(mark);
            first = all.len();
            continue;
        };
        let same = all[first..].iter_mut().rev().find_map(|other| match other {
            PrintMark::Path { lines, dash: d, width: w, tint: t } if (*d, *w, *t) == (dash, width, tint) => Some(lines),
            _ => None,
        });
        match same.filter(|lines| lines.len() < MOST_LINES_OF_A_PATH) {
            Some(others) => others.append(&mut lines),
            None => all.push(PrintMark::Path { lines, dash, width, tint }),
        }
    }
    all
}

/// Moves the lanes of a drawing with many of them closer together; what stands above and below keeps its size.
struct Lens {
    scale: f32,
    /// The height of the last lane.
    bottom: f32,
}

impl Lens {
    fn of(drawing: &Drawing) -> Option<Self> {
        let n_lanes = drawing.request.plan.lanes;
        let (scale, bottom) = (CLEAR_LANES as f32 / n_lanes as f32, PITCH * n_lanes as f32);
        (scale < 1.0).then_some(Self { scale, bottom })
    }

    fn point(&self, Point { x, y }: Point) -> Point {
        let inside = y.clamp(0.0, self.bottom);
        Point::new(x, y - inside + inside * self.scale)
    }

    fn mark(&self, mark: PrintMark) -> PrintMark {
        let is_inside = |at: Point| (0.0..self.bottom).contains(&at.y);
        let mark = match mark {
            PrintMark::Path { lines, dash, width, tint } => PrintMark::Path { lines, dash, width: width * self.scale, tint },
            PrintMark::Text { at, anchor, size, text, on_line } if is_inside(at) => {
                PrintMark::Text { at, anchor, size: size * self.scale, text, on_line }
            }
            other => other,
        };
        mark.placed(|point| self.point(point))
    }
}

fn dash(style: EdgeStyle) -> Dash {
    match style {
        EdgeStyle::Solid | EdgeStyle::Filter(0) => Dash::Solid,
        EdgeStyle::Dashed | EdgeStyle::Filter(1) => Dash::Dashed,
        EdgeStyle::Other | EdgeStyle::Filter(2) => Dash::Dotted,
        EdgeStyle::Filter(_) => Dash::LongShort,
    }
}

/// Whether the coefficient of each edge is written on it.
fn written_edges(drawing: &Drawing) -> Vec<bool> {
    let mut written = vec![false; drawing.edges.len()];
    for label in drawing.labels.iter().filter(|_| Lens::of(drawing).is_none()) {
        if let LabelKind::Weight { edge } = label.kind {
            written[edge] = true;
        }
    }
    written
}

/// Adds the heading above the graph and the legend below it; gives the box around everything.
fn add_heading_and_legend(drawing: &Drawing, marks: &mut Vec<PrintMark>) -> Rect {
    let mut bounds = drawing.bounds;
    let mut write = |at: Point, size: f32, text: &str| {
        let rect = Anchor::Left.bounds(at, text::width(text, size), size);
        marks.push(PrintMark::Text { at, anchor: Anchor::Left, size, text: text.into(), on_line: None });
        rect
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
    for (name, dash) in legend(drawing) {
        let end = Point::new(at.x + 26.0, at.y);
        samples.push((at, end, dash));
        let words = write(Point::new(end.x + 5.0, at.y), TEXT_SIZE - 1.0, &name);
        bounds = bounds.union(Rect::new(at, end)).union(words);
        at = Point::new(at.x, at.y + ROW_HEIGHT * 0.75);
    }
    for (from, to, sample) in samples {
        marks.push(match sample {
            LegendSample::DrawnEdge(dash) => PrintMark::Path { lines: vec![vec![from, to]], dash, width: EDGE_WIDTH, tint: None },
            LegendSample::Section(section) => {
                PrintMark::Path { lines: vec![vec![from, to]], dash: Dash::Solid, width: 2.0 * EDGE_WIDTH, tint: Some(section) }
            }
            LegendSample::Frame(dash) => {
                let rect = Rect::new(Point::new(from.x, from.y - 5.0), Point::new(to.x, to.y + 5.0));
                PrintMark::Frame { rect, dash, radius: 3.0, width: THIN_WIDTH }
            }
        });
    }
    bounds
}

/// The sample in front of a text of the legend.
enum LegendSample {
    DrawnEdge(Dash),
    Frame(Dash),
    Section(SectionKind),
}

/// The lines of the legend: text and sample of what the drawing has and does not write.
fn legend(drawing: &Drawing) -> Vec<(String, LegendSample)> {
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
        (solid.to_owned(), LegendSample::DrawnEdge(Dash::Solid), has(EdgeStyle::Solid) && !is_plain),
        (
            "times −1".into(),
            LegendSample::DrawnEdge(Dash::Dashed),
            if is_plain { has_unwritten(EdgeStyle::Dashed) } else { has(EdgeStyle::Dashed) },
        ),
        (
            other.into(),
            LegendSample::DrawnEdge(Dash::Dotted),
            if is_plain { has_unwritten(EdgeStyle::Other) } else { has(EdgeStyle::Other) },
        ),
        ("split: computed by a tile alone".into(), LegendSample::Section(SectionKind::Split), drawing.has_sections()),
        ("merge: computed at the boundaries of tiles".into(), LegendSample::Section(SectionKind::Merge), drawing.has_sections()),
        ("kernel launch".into(), LegendSample::Frame(Dash::Solid), !drawing.frames.is_empty()),
        ("tile: the lanes of one workgroup".into(), LegendSample::Frame(Dash::Dashed), !drawing.tiles.is_empty()),
    ];
    let taps = drawing.taps().into_iter().map(|(k, text)| (text, LegendSample::DrawnEdge(dash(EdgeStyle::Filter(k)))));
    taps.chain(lines.into_iter().filter(|(.., shown)| *shown).map(|(text, sample, _)| (text, sample))).collect()
}

//! A handout: a page with a text, the flow graph, the values of every lane after every stage, and the matrix.

mod figure;

pub use figure::{HandoutGraph, PageFocus};

use super::geometry::{Point, Rect};
use super::hidden::HiddenParts;
use super::matrix::{SparseMatrix, entry_text};
use super::print::{pen, words};
use super::request::GraphRequest;
use super::values::{lane_text, value_text};
use crate::figure::{Anchor, Figure, Mark, text_width, wrapped};
use crate::numerals::{counted, counted_as, integer};
use crate::plan::{LaneValue, Plan};
use figure::PlacedGraph;
use num_complex::Complex64;

const HEADING_SIZE: f32 = 16.0;
const TEXT_SIZE: f32 = 10.0;
/// Height of a line, relative to the size of its text.
const LINE: f32 = 1.45;
/// The least width of a page, in points.
const LEAST_WIDTH: f32 = 420.0;
/// Space between parts of the page.
const GAP: f32 = 14.0;
/// Space between the columns of a table.
const COLUMN_GAP: f32 = 10.0;
/// Length of the ends of a bracket around a matrix, and line width, in points.
const BRACKET: f32 = 4.0;
const BRACKET_WIDTH: f32 = 0.8;
/// The most significant digits of a number.
const DIGITS: usize = 4;

/// What stands on a handout.
#[derive(Debug, Clone, PartialEq)]
pub struct Handout {
    /// The heading.
    pub heading: String,
    /// Texts above the first graph.
    pub paragraphs: Vec<String>,
    /// The question of a lesson's step, and its choices, a line each.
    pub question: Vec<String>,
    /// The flow graphs, one below the other.
    pub graphs: Vec<HandoutGraph>,
}

/// The counts of a request, a line each, without what an open question asks for.
pub fn plan_facts(request: &GraphRequest, hidden: HiddenParts) -> Vec<String> {
    let GraphRequest { plan, schedule, options } = request;
    let counts = plan.operations();
    let buffers = if plan.in_place() { "in place" } else { "with two buffers" };
    let shown = |parts: &[(bool, String)]| {
        let shown = parts.iter().filter(|(is_hidden, _)| !is_hidden).map(|(_, text)| text.as_str());
        shown.collect::<Vec<_>>().join(", ")
    };
    let size = shown(&[
        (false, counted(plan.lanes, "lane")),
        (hidden.counts, counted(plan.stages.len(), "stage")),
        (hidden.buffers, buffers.into()),
    ]);
    let numbers = shown(&[
        (hidden.counts, counted_as(schedule.launches.len(), "launch", "launches")),
        (hidden.counts, format!("{} additions", integer(counts.additions as usize))),
        (hidden.counts, format!("{} multiplications", integer(counts.multiplications as usize))),
        (hidden.results, format!("results in {}", plan.output.name())),
    ]);
    let lines = [format!("{} by {}: {size}", options.transform, options.algorithm), numbers];
    lines.into_iter().filter(|line| !line.is_empty()).collect()
}

/// Texts and graphs that are placed one below the other, from the origin on.
#[derive(Default)]
struct Column {
    marks: Vec<Mark>,
    at: Point,
    bounds: Rect,
}

impl Column {
    fn text(&mut self, at: Point, size: f32, text: &str) {
        self.bounds = self.bounds.union(Rect::of_text(at, Anchor::Left, text_width(text, size), size));
        self.marks.push(words(at, Anchor::Left, size, text));
    }

    fn line(&mut self, size: f32, text: &str) {
        self.text(self.at, size, text);
        self.at.y += LINE * size;
    }

    /// Writes a text, broken into lines.
    fn paragraph(&mut self, text: &str, size: f32, room: f32) {
        wrapped(text, size, room).iter().for_each(|line| self.line(size, line));
    }

    /// A graph with its marks in this box.
    fn graph(&mut self, marks: Vec<Mark>, bounds: Rect) {
        self.at.y += GAP;
        let to = |Point { x, y }: Point| Point::new(x - bounds.min.x + self.at.x, y - bounds.min.y + self.at.y);
        self.bounds = self.bounds.union(bounds.placed(to));
        self.marks.extend(marks.into_iter().map(|mark| mark.placed(|[x, y]| to(Point::new(x, y)).into())));
        self.at.y += bounds.max.y - bounds.min.y + GAP;
    }

    /// A heading and rows of cells below it; every column is as wide as its widest cell.
    fn table(&mut self, heading: &str, rows: &[Vec<String>]) {
        self.at.y += GAP;
        self.line(TEXT_SIZE + 1.0, heading);
        self.cells(self.at.x, rows);
    }

    /// A heading, and entries in brackets below it.
    fn matrix(&mut self, heading: &str, rows: &[Vec<String>]) {
        self.at.y += GAP;
        self.line(TEXT_SIZE + 1.0, heading);
        let (left, top) = (self.at.x, self.at.y - LINE * TEXT_SIZE / 2.0);
        let right = self.cells(left + COLUMN_GAP, rows);
        let bottom = self.at.y - LINE * TEXT_SIZE / 2.0;
        for (x, inwards) in [(left, BRACKET), (right, -BRACKET)] {
            let corners = [[x + inwards, top], [x, top], [x, bottom], [x + inwards, bottom]];
            self.bounds = self.bounds.union(Rect::new(Point::new(x, top), Point::new(x, bottom)));
            self.marks.push(Mark::line(corners, pen(BRACKET_WIDTH)));
        }
    }

    /// Rows of cells from `x` on; gives where the next column would begin.
    fn cells(&mut self, mut x: f32, rows: &[Vec<String>]) -> f32 {
        for column in 0..rows.first().map_or(0, Vec::len) {
            let widest = rows.iter().map(|row| text_width(&row[column], TEXT_SIZE)).fold(0.0, f32::max);
            for (index, row) in rows.iter().enumerate() {
                self.text(Point::new(x, self.at.y + index as f32 * LINE * TEXT_SIZE), TEXT_SIZE, &row[column]);
            }
            x += widest + COLUMN_GAP;
        }
        self.at.y += rows.len() as f32 * LINE * TEXT_SIZE;
        x
    }
}

impl Handout {
    /// The page.
    pub fn figure(&self) -> Figure {
        let (marks, bounds) = self.marks();
        Figure::within(bounds.corners(), &self.heading, marks)
    }

    /// All marks, and the box that holds them.
    fn marks(&self) -> (Vec<Mark>, Rect) {
        let drawn: Vec<_> = self.graphs.iter().map(HandoutGraph::placed).collect();
        let widths = drawn.iter().flatten().map(|graph| graph.bounds.width());
        let room = widths.fold(LEAST_WIDTH, f32::max);
        let mut column = Column::default();
        column.paragraph(&self.heading, HEADING_SIZE, room);
        self.paragraphs.iter().chain(&self.question).for_each(|text| column.paragraph(text, TEXT_SIZE, room));
        for (graph, drawn) in self.graphs.iter().zip(drawn) {
            match drawn {
                Some(PlacedGraph { marks, bounds, captions }) => {
                    column.graph(marks, bounds);
                    captions.iter().for_each(|text| column.paragraph(text, TEXT_SIZE, room));
                }
                None => column.at.y += GAP,
            }
            graph.facts.iter().for_each(|text| column.paragraph(text, TEXT_SIZE, room));
            if let Some(values) = graph.values.as_ref().filter(|_| graph.fits() && !graph.hidden.counts) {
                column.table("Values on the lanes", &value_rows(&graph.request.plan, values, graph.n_known()));
            }
            if let Some(shown) = graph.matrix() {
                column.matrix(&shown.heading, &matrix_rows(&shown.matrix));
            }
        }
        (column.marks, column.bounds.grown(12.0))
    }
}

/// A header, and a row for every lane; the cells of stages after the first `n_known` are left to the reader.
fn value_rows(plan: &Plan, values: &[Vec<LaneValue>], n_known: usize) -> Vec<Vec<String>> {
    let stages = (0..values.len()).map(|stage| if stage == 0 { "input".to_owned() } else { format!("stage {stage}") });
    let header = std::iter::once("lane".to_owned()).chain(stages).collect();
    let cell = |stage: usize, lane: usize| if stage <= n_known { cell_text(values[stage][lane]) } else { "…".into() };
    let row = |lane: usize| std::iter::once(lane.to_string()).chain((0..values.len()).map(|stage| cell(stage, lane))).collect();
    std::iter::once(header).chain((0..plan.lanes).map(row)).collect()
}

/// The entries of a matrix, row by row.
fn matrix_rows(matrix: &SparseMatrix) -> Vec<Vec<String>> {
    let entry = |row: usize, column: usize| matrix.at(row, column).map_or_else(|| "0".into(), |entry| entry_text(entry.weight));
    (0..matrix.rows).map(|row| (0..matrix.columns).map(|column| entry(row, column)).collect()).collect()
}

/// A value in few characters; a lane without one is empty.
fn cell_text(value: LaneValue) -> String {
    // What rounding leaves of a zero is none.
    let tidied = |x: f64| if x.abs() < 1e-12 { 0.0 } else { x };
    match value {
        LaneValue::Number(value) if value.is_nan() => String::new(),
        LaneValue::Number(value) => value_text(Complex64::new(tidied(value.re), tidied(value.im)), DIGITS),
        LaneValue::Equation(_) => lane_text(value, DIGITS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::FigureFormat;
    use crate::graph::matrix::ShownMatrix;
    use crate::graph::{GraphNode, GraphOptions};
    use crate::schedule::Schedule;
    use crate::transforms::{Parameters, Shape, transform};

    fn page() -> Handout {
        let build = transform("walsh").unwrap().algorithm("constant-geometry").unwrap().plan_fn().unwrap();
        let plan = build(Shape::line(4), Parameters::default()).unwrap();
        let input: Vec<Complex64> = [1.0, 2.0, 3.0, 4.0].map(Into::into).to_vec();
        let values = (0..=2).map(|n| plan.run_stages(&input, n).into_iter().map(LaneValue::from).collect()).collect();
        let request = GraphRequest { schedule: Schedule::by_stage(&plan), plan, options: GraphOptions::default() };
        let paragraphs = vec!["A text that is long enough for two lines of the page, because it goes on and on, and on, until nothing more fits there & ends.".into()];
        let graph = HandoutGraph {
            facts: vec!["8 additions".into()],
            request,
            values: Some(values),
            focus: PageFocus::default(),
            hidden: HiddenParts::default(),
        };
        Handout { heading: "Four values".into(), paragraphs, question: Vec::new(), graphs: vec![graph] }
    }

    #[test]
    fn a_handout_has_its_text_values_and_matrix_in_every_format() {
        let [svg, tex] =
            [FigureFormat::Svg, FigureFormat::Tikz].map(|format| String::from_utf8(page().figure().bytes(format).unwrap()).unwrap());
        for words in ["Four values", "8 additions", "stage 2", "Matrix", "Values on the lanes"] {
            assert!(svg.contains(words) && tex.contains(words), "{words}");
        }
        assert!(svg.contains("there &amp;") || svg.contains("&amp; ends"), "the text is escaped");
        // The sums of both stages: 1 + 2, 3 + 4, and all four.
        assert!(["3", "7", "10"].iter().all(|sum| svg.contains(&format!(">{sum}<"))));
        assert!(page().figure().bytes(FigureFormat::Pdf).unwrap().starts_with(b"%PDF"));
    }

    #[test]
    fn a_page_carries_what_the_text_points_at() {
        let svg = |focus: PageFocus, question: Vec<String>| {
            let mut page = page();
            (page.graphs[0].focus, page.question) = (focus, question);
            String::from_utf8(page.figure().bytes(FigureFormat::Svg).unwrap()).unwrap()
        };
        let node = Some(GraphNode { column: 1, lane: 2 });
        let first = PageFocus { n_run: Some(1), node, matrix: Some(ShownMatrix::Stage) };
        let [plain, pointed] = [svg(PageFocus::default(), Vec::new()), svg(first, vec!["How far apart?".into(), "1   2".into()])];
        for words in ["Circle and bold lines: lane 2 after stage 1", "Upright line: 1 stage of 2 ran", "How far apart?", "stage 1 of 2"] {
            assert!(pointed.contains(words) && !plain.contains(words), "{words}");
        }
        // The node depends on two lanes, and two results depend on it.
        assert_eq!(pointed.matches("stroke-width=\"1.8\"").count(), 1 + 4);
        // Beside the nodes stand the values before and after the first stage; −1 = 3 − 4 is one of the first, 10 of the last.
        let beside = |svg: &str, text: &str| {
            svg.lines().filter(|line| line.contains("font-size=\"8\"") && line.contains(&format!(">{text}<"))).count()
        };
        assert_eq!([&plain, &pointed].map(|svg| beside(svg, "10")), [1, 0]);
        assert_eq!([&plain, &pointed].map(|svg| beside(svg, "7")), [1, 1]);
    }

    #[test]
    fn a_page_leaves_out_what_a_question_asks_for() {
        let text = |hidden: HiddenParts, n_run: usize| {
            let mut page = page();
            let graph = &mut page.graphs[0];
            (graph.hidden, graph.focus.n_run) = (hidden, Some(n_run));
            graph.facts = plan_facts(&graph.request, hidden);
            String::from_utf8(page.figure().bytes(FigureFormat::Svg).unwrap()).unwrap()
        };
        let is_in = |text: &str, words: &str| text.contains(&format!(">{words}<"));
        let all = text(HiddenParts::default(), 2);
        assert!(is_in(&all, "10") && all.contains("2 stages, with two buffers") && all.contains("results in") && all.contains("launch"));
        // 10 is the sum of all, 7 one of the first stage.
        let values = HiddenParts { values: true, ..HiddenParts::default() };
        let [first, none] = [text(values, 1), text(values, 2)];
        assert!(is_in(&first, "7") && !is_in(&first, "10") && is_in(&first, "…"));
        assert!(!is_in(&none, "7") && !is_in(&none, "10"), "the result is asked for");
        let counts = text(HiddenParts { counts: true, frames: true, buffers: true, results: true, ..HiddenParts::default() }, 1);
        for words in ["2 stages", "launch", "buffers", "results in", "of 2"] {
            assert!(!counts.contains(words), "{words}");
        }
        let entries = text(HiddenParts { entries: true, ..HiddenParts::default() }, 2);
        assert!(all.contains("Matrix of all stages") && !entries.contains("Matrix"));
    }

    #[test]
    fn the_matrix_is_the_one_that_is_shown() {
        let shown = |n_run: usize, matrix: ShownMatrix| {
            let mut graph = page().graphs.remove(0);
            graph.focus = PageFocus { n_run: Some(n_run), node: None, matrix: Some(matrix) };
            graph.matrix().map(|shown| (shown.heading, matrix_rows(&shown.matrix)[1].join(" ")))
        };
        assert!(shown(0, ShownMatrix::Stage).is_none(), "no stage has run");
        let (heading, row) = shown(2, ShownMatrix::Stage).unwrap();
        assert!(heading.starts_with("Matrix A₂ = ") && heading.contains("stage 2 of 2"), "{heading}");
        assert_eq!(row, "0 0 1 1");
        assert_eq!(shown(1, ShownMatrix::Product).unwrap().0, "Matrix A₁: stage 1 of 2");
        assert_eq!(shown(2, ShownMatrix::Whole).unwrap().1, "1 −1 1 −1");
    }

    #[test]
    fn a_long_plan_has_a_miniature_or_its_counts_alone() {
        let on_page = |name: &str| {
            let plan = transform(name).unwrap().plan(Shape::line(1 << 12), Parameters::default()).unwrap();
            let (request, hidden) =
                (GraphRequest { schedule: Schedule::by_stage(&plan), plan, options: GraphOptions::default() }, HiddenParts::default());
            let graph = HandoutGraph { facts: plan_facts(&request, hidden), request, values: None, focus: PageFocus::default(), hidden };
            let page = Handout { heading: "Long".into(), paragraphs: Vec::new(), question: Vec::new(), graphs: vec![graph] };
            String::from_utf8(page.figure().bytes(FigureFormat::Svg).unwrap()).unwrap()
        };
        let [walsh, haar] = ["walsh", "haar"].map(on_page);
        assert!(walsh.contains("Miniature: 16 of 4096 lanes") && walsh.contains("4096 lanes, 12 stages"));
        assert!(haar.contains("4096 lanes, ") && !haar.contains("Miniature"));
    }

    #[test]
    fn a_second_graph_stands_below_the_first() {
        let one = page();
        let two = Handout { graphs: [one.graphs.clone(), one.graphs.clone()].concat(), ..one.clone() };
        let [(marks, bounds), (more, higher)] = [one.marks(), two.marks()];
        assert_eq!(more[..marks.len()], marks[..]);
        let top = |marks: &[Mark]| {
            let dots = marks.iter().filter_map(|mark| if let Mark::Symbol { at: [_, y], .. } = mark { Some(*y) } else { None });
            dots.fold(f32::INFINITY, f32::min)
        };
        assert!(top(&more[marks.len()..]) > bounds.max.y - 12.0 && higher.max.y > bounds.max.y + 100.0);
    }
}

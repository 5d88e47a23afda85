//! A handout: a page with a text, the flow graph, the values of every lane after every stage, and the matrix.

mod figure;
mod page;

pub use figure::{HandoutGraph, PageFocus};

use super::hidden::HiddenParts;
use super::matrix::{SparseMatrix, entry_text};
use super::request::GraphRequest;
use super::values::{lane_text, value_text};
use crate::figure::{Figure, PaperSize};
use crate::numerals::{counted, counted_as, integer};
use crate::plan::{LaneValue, Plan};
use figure::PlacedGraph;
use num_complex::Complex64;
use page::{Block, Sheets, TEXT_SIZE};

const HEADING_SIZE: f32 = 16.0;
/// The most significant digits of a number.
const DIGITS: usize = 4;

/// The parts of a handout.
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
    /// Its paper.
    pub paper: PaperSize,
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

impl Handout {
    /// The sheets. A graph that is too wide for one is there in rows.
    pub fn figure(&self) -> Figure {
        let mut sheets = Sheets::new(self.paper);
        sheets.paragraph(&self.heading, HEADING_SIZE);
        self.paragraphs.iter().chain(&self.question).for_each(|text| sheets.paragraph(text, TEXT_SIZE));
        for graph in &self.graphs {
            match graph.placed() {
                Some(PlacedGraph { marks, bounds, captions, cuts }) => {
                    let below = captions.iter().chain(&graph.facts).map(|text| sheets.lines(text, TEXT_SIZE).len()).sum();
                    let rows = Block { marks, bounds }.in_rows(&cuts, sheets.room(below));
                    rows.into_iter().for_each(|row| sheets.block(row));
                    sheets.gap();
                    captions.iter().for_each(|text| sheets.paragraph(text, TEXT_SIZE));
                }
                None => sheets.gap(),
            }
            graph.facts.iter().for_each(|text| sheets.paragraph(text, TEXT_SIZE));
            if let Some(values) = graph.values.as_ref().filter(|_| graph.fits() && !graph.hidden.counts) {
                sheets.block(Block::table("Values on the lanes", &value_rows(&graph.request.plan, values, graph.n_known()), false));
            }
            if let Some(shown) = graph.matrix() {
                sheets.block(Block::table(&shown.heading, &matrix_rows(&shown.matrix), true));
            }
        }
        sheets.figure(&self.heading)
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
    // A zero that rounding has changed still counts as zero.
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
    use crate::figure::{FigureFormat, Mark};
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
        Handout { heading: "Four values".into(), paragraphs, question: Vec::new(), graphs: vec![graph], paper: PaperSize::A4 }
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
        // Beside the nodes are the values before and after the first stage; −1 = 3 − 4 is one of the first, 10 of the last.
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
            let page =
                Handout { heading: "Long".into(), paragraphs: Vec::new(), question: Vec::new(), graphs: vec![graph], paper: PaperSize::A4 };
            String::from_utf8(page.figure().bytes(FigureFormat::Svg).unwrap()).unwrap()
        };
        let [walsh, haar] = ["walsh", "haar"].map(on_page);
        assert!(walsh.contains("Miniature: 16 of 4096 lanes") && walsh.contains("4096 lanes, 12 stages"));
        assert!(haar.contains("4096 lanes, ") && !haar.contains("Miniature"));
    }

    /// All points of marks lie on a sheet, within its margins, and a second graph adds to what is there.
    #[test]
    fn everything_lies_within_the_margins_of_its_sheet() {
        let long = |name: &str, n: usize| {
            let plan = transform(name).unwrap().plan(Shape::line(n), Parameters::default()).unwrap();
            let request = GraphRequest { schedule: Schedule::by_stage(&plan), plan, options: GraphOptions::default() };
            let hidden = HiddenParts::default();
            HandoutGraph { facts: plan_facts(&request, hidden), request, values: None, focus: PageFocus::default(), hidden }
        };
        for paper in [PaperSize::A4, PaperSize::Letter] {
            let one = Handout { paper, ..page() };
            let two = Handout { graphs: [one.graphs.clone(), one.graphs.clone()].concat(), ..one.clone() };
            let wide = Handout { graphs: vec![long("dft", 64), long("walsh", 64)], ..one.clone() };
            let [one, two, wide] = [one, two, wide].map(|page| page.figure());
            assert_eq!(two.marks[..one.marks.len()], one.marks[..]);
            assert!(one.sheets == 1 && two.sheets <= 2 && wide.sheets == 2, "{:?}", [one.sheets, two.sheets, wide.sheets]);
            for figure in [one, two, wide] {
                let height = paper.size()[1];
                assert_eq!(figure.size, [paper.size()[0], height * figure.sheets as f32]);
                let outside = std::cell::RefCell::new(Vec::new());
                for mark in &figure.marks {
                    let _ = mark.clone().placed(|[x, y]| {
                        let (on_sheet, in_width) = (y.rem_euclid(height), (20.0..=figure.size[0] - 20.0).contains(&x));
                        if !in_width || !(20.0..=height - 20.0).contains(&on_sheet) {
                            outside.borrow_mut().push([x, y]);
                        }
                        [x, y]
                    });
                }
                assert!(outside.borrow().is_empty(), "{paper:?}: {outside:?}");
            }
        }
    }

    #[test]
    fn a_long_graph_stands_in_rows_that_share_the_nodes_of_their_cut() {
        let plan = transform("walsh").unwrap().plan(Shape::line(8), Parameters::default()).unwrap();
        let request = GraphRequest { schedule: Schedule::by_stage(&plan), plan, options: GraphOptions::default() };
        let graph = HandoutGraph { facts: Vec::new(), request, values: None, focus: PageFocus::default(), hidden: HiddenParts::default() };
        let whole = graph.placed().unwrap();
        let n_dots = |marks: &[Block]| {
            let is_dot = |mark: &&Mark| matches!(mark, Mark::Symbol { .. });
            marks.iter().map(|row| row.marks.iter().filter(is_dot).count()).collect::<Vec<_>>()
        };
        let (cuts, width) = (whole.cuts.clone(), whole.bounds.width());
        let rows = |room: f32| Block { marks: whole.marks.clone(), bounds: whole.bounds }.in_rows(&cuts, [room, f32::INFINITY]);
        let all = n_dots(&rows(width + 10.0));
        assert_eq!(all.len(), 1);
        let two = n_dots(&rows(0.75 * width));
        assert_eq!((two.len(), two.iter().sum::<usize>()), (2, all[0] + 8));
    }
}

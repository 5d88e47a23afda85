//! The flow graph of a handout with what the text points at: the step cursor, the values up to it, a lit node; and the matrix beside it.

use super::super::drawing::{GraphDrawing, PITCH};
use super::super::geometry::{Point, Rect};
use super::super::hidden::HiddenParts;
use super::super::layout;
use super::super::matrix::{ShownMatrix, SparseMatrix, factor, product, product_name, whole};
use super::super::miniature::miniature_description;
use super::super::node::GraphNode;
use super::super::print::{LONG_SHORT, marks, pen};
use super::super::request::{GraphRequest, MAX_PAGE_LANES};
use crate::figure::{Mark, Pen, Position, subscript};
use crate::numerals::{counted, integer};
use crate::plan::LaneValue;

/// The matrix of a plan with more rows or columns is left out.
const MOST_ROWS_OF_A_MATRIX: usize = 16;
/// The most lanes of a graph with values beside its nodes.
const MOST_LANES_WITH_VALUES: usize = 64;
/// Line width of the step cursor, and of the edges that belong to the lit node, in points.
const CURSOR_WIDTH: f32 = 1.4;
const LIT_WIDTH: f32 = 1.8;
/// Half the side of the frame around the lit node, in points.
const LIT_RADIUS: f32 = 5.0;

/// A flow graph on a handout, with what is told of it.
#[derive(Debug, Clone, PartialEq)]
pub struct HandoutGraph {
    /// Lines below the graph: counts and times.
    pub facts: Vec<String>,
    /// The flow graph; its title is left out. In place of one with too many lanes for a page is a miniature, if any.
    pub request: GraphRequest,
    /// The values of every lane before the first stage and after every stage.
    pub values: Option<Vec<Vec<LaneValue>>>,
    /// The place that the text points at.
    pub focus: PageFocus,
    /// The facts that an open question asks for.
    pub hidden: HiddenParts,
}

/// The place that the window, or the step of a lesson, points at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PageFocus {
    /// Number of stages that have run; `None` for all.
    pub n_run: Option<usize>,
    /// The node that is lit.
    pub node: Option<GraphNode>,
    /// The matrix that is shown; `None` is that of all stages.
    pub matrix: Option<ShownMatrix>,
}

/// The marks of a graph, the box that holds them, and what is to be said below.
pub(super) struct PlacedGraph {
    pub marks: Vec<Mark>,
    pub bounds: Rect,
    pub captions: Vec<String>,
    /// Where a graph that is too wide for the page may be cut: at the nodes between its stages.
    pub cuts: Vec<f32>,
}

/// A matrix with its heading.
pub(super) struct PageMatrix {
    pub heading: String,
    pub matrix: SparseMatrix,
}

/// The places of the nodes between the stages.
fn cuts(drawing: &GraphDrawing) -> Vec<f32> {
    (1..drawing.spans.len()).map(|column| drawing.column_x(column)).collect()
}

impl HandoutGraph {
    /// Whether all lanes have room on a page.
    pub(super) fn fits(&self) -> bool {
        self.request.plan.lanes <= MAX_PAGE_LANES
    }

    /// The number of stages that have run.
    fn n_run(&self) -> usize {
        let n_stages = self.request.plan.stages.len();
        self.focus.n_run.map_or(n_stages, |n_run| n_run.min(n_stages))
    }

    /// The number of stages whose values the page tells: those that have run, or none where the result is asked for.
    pub(super) fn n_known(&self) -> usize {
        let (n_run, n_stages) = (self.n_run(), self.request.plan.stages.len());
        match self.hidden.values {
            false => n_stages,
            true if n_run == n_stages => 0,
            true => n_run,
        }
    }

    /// The graph without its title, or a miniature; `None` without either.
    pub(super) fn placed(&self) -> Option<PlacedGraph> {
        if self.fits() {
            return Some(self.with_focus());
        }
        let mut request = self.hidden.asked(self.request.shrunk()?);
        request.options.title = String::new();
        let caption = miniature_description((&self.request.plan, &self.request.schedule), (&request.plan, &request.schedule));
        let request_lanes = request.plan.lanes;
        let drawing = self.hidden.removed_from(layout(request));
        let ((marks, bounds), cuts) = (marks(&drawing), cuts(&drawing));
        let fewer = format!("Miniature: {} of {} lanes", request_lanes, integer(self.request.plan.lanes));
        let captions = vec![if self.hidden.counts { fewer } else { caption }];
        Some(PlacedGraph { marks, bounds, captions, cuts })
    }

    fn with_focus(&self) -> PlacedGraph {
        let mut request = self.hidden.asked(self.request.clone());
        let (n_run, n_stages) = (self.n_run(), request.plan.stages.len());
        let values = self.values.as_ref().filter(|_| request.plan.lanes <= MOST_LANES_WITH_VALUES);
        request.options.title = String::new();
        request.options.has_values |= values.is_some();
        let mut drawing = self.hidden.removed_from(layout(request));
        if let Some(values) = values {
            // The results of the stages right of the cursor are not there yet.
            let end = drawing.spans.get(n_run.min(self.n_known())).map_or(f32::INFINITY, |span| span.start);
            drawing.values = drawing.placed_values(values);
            drawing.values.retain(|(at, _)| at.x < end);
        }
        let mut captions = Vec::new();
        let mut lit = Vec::new();
        if let Some(node) = self.focus.node.filter(|node| node.column <= n_stages && drawing.exists(*node)) {
            let cone = drawing.cone(node);
            let belongs =
                |[from, to]: [GraphNode; 2]| (cone.is_source(from) && cone.is_source(to)) || (cone.is_target(from) && cone.is_target(to));
            let ends =
                |stage: usize, from: usize, to: usize| [GraphNode { column: stage, lane: from }, GraphNode { column: stage + 1, lane: to }];
            let edges = drawing.edges.iter().filter(|edge| belongs(ends(edge.stage, edge.from, edge.to)));
            lit.extend(edges.map(|edge| Mark::line(edge.ends.map(Position::from), pen(LIT_WIDTH))));
            let results = drawing.results.iter().filter(|result| cone.contains(GraphNode { column: result.stage + 1, lane: result.to }));
            let results = results.filter(|result| result.points[0] != result.points[2]).map(|result| result.points.map(Position::from));
            lit.extend(results.map(|line| Mark::line(line, pen(LIT_WIDTH))));
            let Point { x, y } = drawing.position(node.column, node.lane);
            let rect = Rect::new(Point::new(x - LIT_RADIUS, y - LIT_RADIUS), Point::new(x + LIT_RADIUS, y + LIT_RADIUS));
            lit.push(Mark::Frame { corners: rect.corners(), radius: LIT_RADIUS, pen: pen(LIT_WIDTH) });
            let place = if node.column == 0 { "of the input".into() } else { format!("after stage {}", node.column) };
            captions.push(format!("Circle and bold lines: lane {} {place}, what it depends on, and what depends on it", node.lane));
        }
        if n_run < n_stages {
            // Right of the values, if any.
            let (from, to) = (drawing.column_x(n_run), drawing.spans[n_run].start);
            let x = if to - from > 4.0 * LIT_RADIUS { to - 1.5 * LIT_RADIUS } else { from - 1.5 * LIT_RADIUS };
            // It begins below the captions.
            let ends = [-PITCH / 2.0, drawing.bounds.max.y].map(|y| [x, y]);
            lit.push(Mark::line(ends, Pen { dash: LONG_SHORT, ..pen(CURSOR_WIDTH) }));
            let ran = match n_run {
                0 => "no stage has run".into(),
                _ if self.hidden.counts => format!("{} ran", counted(n_run, "stage")),
                _ => format!("{} of {n_stages} ran", counted(n_run, "stage")),
            };
            captions.push(format!("Upright line: {ran}"));
        }
        let (mut marks, bounds) = marks(&drawing);
        // Texts stay readable above the bold lines.
        let first_text = marks.iter().position(|mark| matches!(mark, Mark::Text { .. })).unwrap_or(marks.len());
        marks.splice(first_text..first_text, lit);
        PlacedGraph { marks, bounds, captions, cuts: cuts(&drawing) }
    }

    /// The matrix that is shown, of a small linear plan.
    pub(super) fn matrix(&self) -> Option<PageMatrix> {
        let plan = &self.request.plan;
        if self.hidden.entries || self.hidden.counts || plan.lanes.max(plan.inputs).max(plan.outputs) > MOST_ROWS_OF_A_MATRIX {
            return None;
        }
        let (n_run, n_stages) = (self.n_run(), plan.stages.len());
        match self.focus.matrix {
            Some(ShownMatrix::Stage) => self.stage_matrix(n_run.checked_sub(1)?),
            Some(ShownMatrix::Product) if n_run < n_stages => {
                let stages = match n_run {
                    0 => "no stage".into(),
                    1 => "stage 1".into(),
                    n => format!("stages 1 to {n}"),
                };
                let heading = format!("Matrix {}: {stages}{}", product_name(n_run), self.of_all());
                Some(PageMatrix { heading, matrix: product(plan, n_run).ok()? })
            }
            _ => Some(PageMatrix { heading: "Matrix of all stages".into(), matrix: whole(plan).ok()?.tidied(plan.inputs) }),
        }
    }

    /// The factor of a stage, with its formula.
    fn stage_matrix(&self, stage: usize) -> Option<PageMatrix> {
        let plan = &self.request.plan;
        let found = factor(plan, stage).ok()?;
        let formula = found.formula.map_or_else(String::new, |formula| format!(" = {}", formula.text()));
        let symbol = format!("A{}", subscript(stage + 1));
        let is_asked = self.hidden.strides && plan.stages[stage].tells_distance();
        let label = if is_asked { String::new() } else { format!(", {}", plan.stages[stage].label) };
        Some(PageMatrix { heading: format!("Matrix {symbol}{formula}: stage {}{}{label}", stage + 1, self.of_all()), matrix: found.matrix })
    }

    /// The number of all stages, after that of one.
    fn of_all(&self) -> String {
        if self.hidden.counts { String::new() } else { format!(" of {}", self.request.plan.stages.len()) }
    }
}

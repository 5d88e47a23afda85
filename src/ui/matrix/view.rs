//! The matrix of the pane: the nodes of its rows and columns, the meaning of an entry, and its file.

use super::paint::{LitPlaces, Place};
use super::study::{MatrixReport, MatrixRequest};
use crate::figure::subscript;
use crate::graph::GraphNode;
use crate::graph::matrix::{Formula, MatrixEntry, MatrixFile, MatrixFormat, ShownMatrix, SparseMatrix, entry_text, product_name};
use crate::lesson::Topic;
use crate::numerals::{counted, integer};
use crate::plan::Ring;
use crate::ui::action::Action;
use crate::ui::export::Export;
use crate::ui::learn::LearnMemory;
use crate::ui::plan_focus::LitPath;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The answer with the request that it belongs to.
pub(super) struct AnsweredMatrix<'a> {
    /// The request.
    pub request: &'a MatrixRequest,
    /// The answer.
    pub report: &'a MatrixReport,
}

impl<'a> AnsweredMatrix<'a> {
    /// Whether the plan solves equations.
    pub(super) fn is_system(&self) -> bool {
        self.request.plan.ring == Ring::Equation
    }

    /// The symbol of the matrix.
    pub(super) fn symbol(&self) -> String {
        match self.request.shown {
            _ if self.is_system() => "A".into(),
            ShownMatrix::Stage => format!("A{}", subscript(self.request.n_run)),
            ShownMatrix::Product => product_name(self.request.n_run),
            ShownMatrix::Whole => product_name(self.request.plan.stages.len()),
        }
    }

    /// The formula of the stage that is shown.
    pub(super) fn formula(&self) -> Option<&'a Formula> {
        let is_stage = self.request.shown == ShownMatrix::Stage;
        let factor = self.request.n_run.checked_sub(1).filter(|_| is_stage).and_then(|stage| self.report.factors.get(stage));
        factor?.as_ref().ok()?.formula.as_ref()
    }

    /// The blocks to outline: those of the formula, or the bands of a wavelet transform.
    pub(super) fn blocks(&self) -> Vec<[Range<usize>; 2]> {
        self.formula().map_or_else(|| self.report.bands.clone(), Formula::blocks)
    }

    /// The matrix that is shown: that of the stage, of the stages up to it, of all of them, or the system after a stage.
    pub(super) fn heading(&self, learn: &LearnMemory) -> String {
        let MatrixRequest { plan, n_run, shown, .. } = self.request;
        let (n_stages, last) = (plan.stages.len(), n_run.checked_sub(1).map_or("", |last| learn.stage_name(&plan.stages[last])));
        let of_all = if learn.hides_in(Topic::Counts, false) { String::new() } else { format!(" of {n_stages}") };
        match shown {
            _ if self.is_system() && *n_run == 0 => "The system as given: A·x = d".into(),
            _ if self.is_system() => format!("The system after {last}, stage {n_run}{of_all}"),
            // The number of the last stage is the number of all.
            ShownMatrix::Stage if of_all.is_empty() && *n_run == n_stages => format!("The last stage: {last}"),
            ShownMatrix::Product if of_all.is_empty() && *n_run == n_stages => "All stages".into(),
            ShownMatrix::Stage => format!("Stage {n_run}{of_all}: {last}"),
            ShownMatrix::Product => format!("The first {}{of_all}", counted(*n_run, "stage")),
            ShownMatrix::Whole => "All stages, and the definition".into(),
        }
    }

    /// The accessible name of the matrix; a question may ask for the number of its entries.
    pub(super) fn description(&self, matrix: &SparseMatrix, learn: &LearnMemory) -> String {
        let SparseMatrix { rows, columns, entries } = matrix;
        let formula = self.formula().map(|formula| format!(" = {}", formula.text())).unwrap_or_default();
        let count = if !learn.hides(Topic::Entries) { format!(", {} entries other than 0", integer(entries.len())) } else { String::new() };
        format!("Matrix {}{formula}, {rows} × {columns}{count}. {}", self.symbol(), self.heading(learn))
    }

    /// The column of nodes that the rows of the matrix stand for, and that of its columns.
    fn node_columns(&self) -> [usize; 2] {
        let n_run = self.request.n_run;
        match self.request.shown {
            _ if self.is_system() => [n_run, n_run],
            ShownMatrix::Stage => [n_run, n_run.saturating_sub(1)],
            ShownMatrix::Product => [n_run, 0],
            ShownMatrix::Whole => [self.request.plan.stages.len(), 0],
        }
    }

    /// The lane of the first equation of a system.
    fn first_lane(&self) -> usize {
        self.report.system.as_ref().map_or(0, |system| system.first_lane)
    }

    /// The row and the column that stand for a node.
    pub(super) fn place_of(&self, node: GraphNode) -> Place {
        let [row, column] = self.node_columns();
        let (is_system, first) = (self.is_system(), self.first_lane());
        let of_row = |lane: usize| if is_system { lane.checked_sub(first) } else { Some(self.sorted(lane)) };
        [Some(node.lane).filter(|_| node.column == row).and_then(of_row), (node.column == column && !is_system).then_some(node.lane)]
    }

    /// The rows and columns of the entries whose paths lead through an edge; `None` where its stage is not among those that are shown.
    pub(super) fn places_of_edge(&self, LitPath { from, to }: LitPath) -> Option<LitPlaces> {
        let [row, column] = self.node_columns();
        if self.is_system() || from.column < column || to.column > row {
            return None;
        }
        let reached = self.paths(to.column..row, to.lane).into_keys().filter(|lane| *lane < self.n_rows());
        let columns = (column..from.column).rev().fold(BTreeSet::from([from.lane]), |lanes, stage| {
            let entries = self.entries(stage).filter(|entry| lanes.contains(&entry.row));
            entries.map(|entry| entry.column).collect()
        });
        Some([reached.map(|lane| self.sorted(lane)).collect(), columns.into_iter().collect()])
    }

    /// The paths that an entry stands for, from what its column reads to its row. An entry that is 0 has none.
    pub(super) fn path_of(&self, place: Place, matrix: &SparseMatrix) -> Option<LitPath> {
        let ([_, Some(x)], [_, column]) = (place, self.node_columns()) else { return None };
        let to = self.node_of(place, matrix).filter(|_| place[0].is_some() && !self.is_system())?;
        Some(LitPath { from: GraphNode { column, lane: x }, to })
    }

    /// The lanes that a value reaches through some stages, each with the number of its paths.
    fn paths(&self, stages: Range<usize>, lane: usize) -> BTreeMap<usize, u64> {
        stages.fold(BTreeMap::from([(lane, 1)]), |lanes, stage| {
            let mut next = BTreeMap::new();
            for entry in self.entries(stage) {
                let Some(paths) = lanes.get(&entry.column) else { continue };
                let sum: &mut u64 = next.entry(entry.row).or_default();
                *sum = sum.saturating_add(*paths);
            }
            next
        })
    }

    /// The entries of the factor of a stage; none where it has no matrix.
    fn entries(&self, stage: usize) -> impl Iterator<Item = &MatrixEntry> {
        self.report.factors.get(stage).and_then(|factor| factor.as_ref().ok()).into_iter().flat_map(|factor| &factor.matrix.entries)
    }

    /// The row of a lane: in the whole matrix that of its result.
    fn sorted(&self, lane: usize) -> usize {
        if self.request.shown == ShownMatrix::Whole { self.request.plan.output.index(lane) } else { lane }
    }

    /// Rows that the matrix has.
    fn n_rows(&self) -> usize {
        self.report.matrix.as_ref().and_then(|matrix| matrix.as_ref().ok()).map_or(0, |matrix| matrix.rows)
    }

    /// The node of a place: the result of its row, or the value that its column reads. An entry that is 0 has none.
    pub(super) fn node_of(&self, place: Place, matrix: &SparseMatrix) -> Option<GraphNode> {
        let [row, column] = self.node_columns();
        let lane_of = |index: usize| match self.request.shown {
            ShownMatrix::Whole if !self.is_system() => {
                (0..self.request.plan.lanes).find(|&lane| self.request.plan.output.index(lane) == index)
            }
            _ => Some(index + self.first_lane()),
        };
        match place {
            [Some(y), Some(x)] => {
                matrix.at(y, x)?;
                Some(GraphNode { column: row, lane: lane_of(y)? })
            }
            [Some(y), None] => Some(GraphNode { column: row, lane: lane_of(y)? }),
            [None, Some(x)] => Some(GraphNode { column, lane: x + self.first_lane() }),
            [None, None] => None,
        }
    }

    /// The entry under the pointer in words.
    pub(super) fn words(&self, place: Place, matrix: &SparseMatrix, symbol: &str) -> Option<String> {
        let [Some(row), Some(column)] = place else { return None };
        let value = matrix.at(row, column).map_or_else(|| "0".into(), |entry| entry_text(entry.weight));
        let meaning = match self.request.shown {
            _ if self.is_system() => format!("the factor of x{} in equation {row}", subscript(column)),
            ShownMatrix::Stage => format!("from lane {column} to lane {row}"),
            ShownMatrix::Product => format!("from input {column} to lane {row}"),
            ShownMatrix::Whole => format!("from input {column} to result {row}"),
        };
        Some(format!("{symbol}[{row}, {column}] = {value}, {meaning}{}", self.path_words(place, matrix)))
    }

    /// How many paths an entry of a product adds; nothing for a stage.
    fn path_words(&self, place: Place, matrix: &SparseMatrix) -> String {
        let Some(LitPath { from, to }) = self.path_of(place, matrix).filter(|_| self.request.shown != ShownMatrix::Stage) else {
            return String::new();
        };
        match self.paths(from.column..to.column, from.lane).get(&to.lane) {
            Some(1) => ", along one path of the flow graph".into(),
            Some(paths) => format!(", along {} of the flow graph", counted(usize::try_from(*paths).unwrap_or(usize::MAX), "path")),
            None => String::new(),
        }
    }

    /// The matrix as a file.
    pub(super) fn export(&self, matrix: &SparseMatrix, title: &str, format: MatrixFormat) -> Action {
        let n_run = self.request.n_run;
        let (what, name) = match self.request.shown {
            _ if self.is_system() => (format!("the system after stage {n_run}"), format!("system-{n_run}")),
            ShownMatrix::Stage => (format!("stage {n_run}"), format!("stage-{n_run}")),
            ShownMatrix::Product => (format!("the product of {n_run} stages"), format!("product-{n_run}")),
            ShownMatrix::Whole => ("all stages".into(), "whole".into()),
        };
        let formula = self.formula().cloned();
        let file = MatrixFile {
            title: format!("{title}, {what}"),
            symbol: self.symbol(),
            blocks: self.blocks(),
            formula,
            matrix: matrix.clone(),
            right: self.report.system.as_ref().map(|system| system.right.clone()),
        };
        let ending = format.ending();
        match file.bytes(format) {
            Ok(bytes) => Action::Export(Box::new(Export::File { name: format!("matrix-{name}.{ending}"), ending, bytes })),
            Err(error) => Action::ShowError(format!("No file was written: {error}")),
        }
    }
}

//! The study of the pane: the factors of a plan with their formulas, and the matrices that are shown.

use crate::engine::{Ask, Cancellable, EngineError, LaneValues, SharedResult, Study, StudyMailbox};
use crate::graph::matrix::{
    Factor, MatrixDifference, NoMatrix, ShownMatrix, SparseMatrix, SystemMatrix, check, definition, difference, factor, product,
    system_matrix, whole,
};
use crate::plan::{Direction, LaneValue, Plan, Ring};
use crate::transforms::{Axes, Parameter, Parameters, Shape, Transform, transform};
use crate::wavelet::{Band, bands};
use std::ops::Range;
use std::sync::Arc;

/// A request for the matrices of a plan.
#[derive(Clone)]
pub(super) struct MatrixRequest {
    /// The plan.
    pub plan: Arc<Plan>,
    /// Number of stages that have run.
    pub n_run: usize,
    /// The shown quantity.
    pub shown: ShownMatrix,
    /// The transform whose definition is beside the whole: its name, the shape of the samples and the parameters.
    pub defined: (&'static str, Shape, Parameters),
    /// The values on the lanes, for systems of equations.
    pub values: Option<Arc<LaneValues>>,
}

impl PartialEq for MatrixRequest {
    fn eq(&self, other: &Self) -> bool {
        let same_values = match (&self.values, &other.values) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b) || self.plan.ring != Ring::Equation,
            (a, b) => a.is_none() == b.is_none(),
        };
        (self.n_run, self.shown, self.defined) == (other.n_run, other.shown, other.defined)
            && same_values
            && (Arc::ptr_eq(&self.plan, &other.plan) || self.plan == other.plan)
    }
}

impl Ask for MatrixRequest {}

/// The factor of every stage, or why it has none.
type Factors = Arc<Vec<Result<Factor, NoMatrix>>>;

/// The matrices of a plan.
#[derive(Default)]
pub(super) struct MatrixReport {
    /// The factor of every stage, or why it has none.
    pub factors: Factors,
    /// The matrix that is shown, or why there is none.
    pub matrix: Option<Result<SparseMatrix, String>>,
    /// The definition, beside the whole.
    pub definition: Option<SparseMatrix>,
    /// How far the whole and its definition are apart.
    pub difference: Option<MatrixDifference>,
    /// The rows of the whole that belong together: the bands of a wavelet transform, the blocks of packets.
    pub bands: Vec<[Range<usize>; 2]>,
    /// The system after the stages that have run.
    pub system: Option<SystemMatrix>,
}

impl Cancellable for MatrixReport {
    fn failed(fault: String) -> Self {
        Self { matrix: Some(Err(fault)), ..Self::default() }
    }
}

/// Builds the matrices of one plan after the other, and keeps its factors.
#[derive(Default)]
pub(super) struct MatrixStudy {
    known: Option<(Arc<Plan>, Factors)>,
}

impl Study for MatrixStudy {
    type Request = MatrixRequest;
    type Report = MatrixReport;

    const NAME: &'static str = "matrix";

    fn answer(&mut self, request: &MatrixRequest, _: Result<Vec<SharedResult>, EngineError>, _: StudyMailbox<'_>) -> MatrixReport {
        let MatrixRequest { plan, n_run, shown, defined, values } = request;
        if plan.ring == Ring::Equation {
            let system = values.as_ref().and_then(|values| system(plan, *n_run, values));
            let why = || Err("The matrix of a system is shown for up to 64 equations: take a smaller one".to_owned());
            let matrix = system.as_ref().map_or_else(why, |system| Ok(system.matrix.clone()));
            return MatrixReport { matrix: Some(matrix), system, ..MatrixReport::default() };
        }
        let factors = match &self.known {
            Some((known, factors)) if known == plan => factors.clone(),
            _ => Arc::new((0..plan.stages.len()).map(|stage| factor(plan, stage)).collect()),
        };
        self.known = Some((plan.clone(), factors.clone()));
        let words = |none: NoMatrix| sentence(&none.to_string());
        let report = MatrixReport { factors, ..MatrixReport::default() };
        match shown {
            ShownMatrix::Stage => {
                let matrix = n_run.checked_sub(1).and_then(|stage| report.factors.get(stage)).map(|factor| match factor {
                    Ok(factor) => Ok(factor.matrix.clone()),
                    Err(none) => Err(words(none.clone())),
                });
                MatrixReport { matrix, ..report }
            }
            ShownMatrix::Product => MatrixReport { matrix: Some(product(plan, *n_run).map_err(words)), ..report },
            ShownMatrix::Whole => {
                let matrix = whole(plan).map_err(words);
                let (name, shape, parameters) = *defined;
                let is_small = check(plan, 0..0).is_ok();
                let row = transform(name).ok().filter(|_| is_small);
                let definition = row.and_then(|row| definition(row, shape, parameters, plan.inputs));
                let difference =
                    matrix.as_ref().ok().zip(definition.as_ref()).and_then(|(matrix, definition)| difference(matrix, definition));
                let tidied = |matrix: SparseMatrix| matrix.tidied(plan.inputs);
                let bands = row.map(|row| bands_of(row, shape, parameters)).unwrap_or_default();
                MatrixReport { matrix: Some(matrix.map(tidied)), definition: definition.map(tidied), difference, bands, ..report }
            }
        }
    }
}

/// The rows of every band of a wavelet transform of a line, or of every block of its packets, over all columns.
fn bands_of(row: &Transform, shape: Shape, parameters: Parameters) -> Vec<[Range<usize>; 2]> {
    let levels = row.levels(shape, parameters).filter(|_| shape.rows == 1 && row.axes == Axes::Rows).unwrap_or(0) as u32;
    let bands = match () {
        () if levels == 0 || parameters.direction == Direction::Inverse => Vec::new(),
        () if row.has(Parameter::PacketOrder) => Band::blocks(shape.columns, levels),
        () => bands(shape, levels),
    };
    bands.into_iter().map(|band| [band.columns, 0..shape.columns]).collect()
}

/// The system after some stages, from the values on its lanes.
fn system(plan: &Plan, n_run: usize, values: &LaneValues) -> Option<SystemMatrix> {
    let equation = |value: &LaneValue| match value {
        LaneValue::Equation(row) => Some(*row),
        LaneValue::Number(_) => None,
    };
    let rows = values.reference.get(n_run)?.iter().map(equation).collect::<Option<Vec<_>>>()?;
    (rows.len() == plan.lanes).then(|| system_matrix(plan, n_run, &rows))
}

/// A message as a sentence of the window.
fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

//! A row of the table: what a transform is, how its algorithms are built, and the shape on which they act.

use super::{Family, Input, Numbers, Parameter, Parameters, ResultIndex, Schedules, Unsupported};
use crate::plan::{Plan, Ring};
use num_complex::Complex64;

/// Rows × columns of a signal, a batch or an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Shape {
    /// Number of rows (axis 0).
    pub rows: usize,
    /// Number of columns (axis 1).
    pub columns: usize,
}

impl Shape {
    /// A single row of `n` samples.
    pub fn line(n: usize) -> Self {
        Self { rows: 1, columns: n }
    }

    /// The shape with rows and columns exchanged.
    pub fn transposed(self) -> Self {
        Self { rows: self.columns, columns: self.rows }
    }

    /// Number of samples.
    pub fn len(self) -> usize {
        self.rows * self.columns
    }

    /// Whether it has no samples.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
}

/// The axes along which a transform acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axes {
    /// Along every row on its own.
    Rows,
    /// Along every column on its own.
    Columns,
    /// Along both axes of an image.
    Both,
}

impl Axes {
    /// Whether it acts along the rows, so that the column index of a result may be a frequency.
    pub fn along_rows(self) -> bool {
        self != Self::Columns
    }

    /// Whether it acts along the columns.
    pub fn along_columns(self) -> bool {
        self != Self::Rows
    }
}

/// Builds the plan of an algorithm for a shape.
pub type PlanFn = fn(Shape, Parameters) -> Result<Plan, Unsupported>;

/// How an algorithm computes its result.
#[derive(Clone, Copy)]
pub enum Build {
    /// A plan that runs in tiles or with a launch per stage.
    Plan(PlanFn),
    /// A plan that supports other schedules too.
    Scheduled(PlanFn, Schedules),
    /// A well-known library on the CPU, for comparison; it has no flow graph.
    Library,
}

/// One way to compute a transform.
pub struct Algorithm {
    /// The name on the command line.
    pub name: &'static str,
    /// One sentence.
    pub about: &'static str,
    /// The literature that describes it.
    pub source: &'static str,
    /// Its plan, or the library that it calls.
    pub build: Build,
}

/// A row of the table: what is computed.
pub struct Transform {
    /// The name on the command line.
    pub name: &'static str,
    /// The name in the window.
    pub title: &'static str,
    /// The group in menus.
    pub family: Family,
    /// One sentence.
    pub about: &'static str,
    /// The formula.
    pub formula: &'static str,
    /// The formula of the inverse, where one line says it.
    pub inverse_formula: Option<&'static str>,
    /// The axes along which it acts.
    pub axes: Axes,
    /// The name of the same transform along the other axes, such as `dft2` for `dft`.
    pub partner: Option<&'static str>,
    /// The name of the wavelet transform with the same basis functions, in another scale.
    pub wavelet: Option<&'static str>,
    /// The kind of its input.
    pub input: Input,
    /// The numbers that the forward direction takes and the inverse gives.
    pub takes: Numbers,
    /// The numbers that the forward direction gives and the inverse takes.
    pub gives: Numbers,
    /// The ring of its plans with default parameters. Other parameters or samples may need a larger ring.
    pub ring: Ring,
    /// Whether it has an inverse.
    pub has_inverse: bool,
    /// The meaning of the index of the result.
    pub index: ResultIndex,
    /// The parameters that the user chooses, besides the direction.
    pub parameters: &'static [Parameter],
    /// Its algorithms. On a GPU the first plan that supports the shape is the default.
    pub algorithms: &'static [Algorithm],
    /// The matrix by its textbook definition, which shares no code with the plans. `None` for a transform that is not linear.
    pub definition: Option<DefinitionFn>,
}

/// Builds the matrix of a linear transform: `[result][sample]`, for one row where the transform acts along rows.
pub type DefinitionFn = fn(Shape, Parameters) -> Vec<Vec<Complex64>>;

/// The declarations that most rows share: one real or complex signal, transformed along its rows, with an inverse.
pub(super) const ROW: Transform = Transform {
    name: "",
    title: "",
    family: Family::Fourier,
    about: "",
    formula: "",
    inverse_formula: None,
    axes: Axes::Rows,
    partner: None,
    wavelet: None,
    input: Input::Signal,
    takes: Numbers::Any,
    gives: Numbers::Any,
    ring: Ring::Real,
    has_inverse: true,
    index: ResultIndex::Number("index"),
    parameters: &[],
    algorithms: &[],
    definition: None,
};

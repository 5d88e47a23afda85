//! The table [`TRANSFORMS`]: what can be computed, and in which ways.
//!
//! Window, command line, tests, benches and the README iterate this table; a new transform is one row here and one file in `transforms/`.
//! A row describes: it never loops over samples.

pub mod convolution;
mod cosine;
mod declaration;
pub mod fourier;
pub mod haar;
mod hartley;
pub mod kronecker;
mod lines;
mod parameters;
mod separable;
pub mod tridiagonal;
mod unsupported;
pub mod wavelet;

pub use declaration::{Family, Input, Numbers, ResultIndex};
pub use parameters::{Base, Boundary, Lines, PacketOrder, Parameter, Parameters, RowOrder};
pub use unsupported::Unsupported;

use crate::plan::{Direction, Plan, Ring};
use num_complex::Complex64;
use separable::RealLine as _;

/// Rows and columns of what is transformed; a line is one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Shape {
    /// Number of rows (axis 0).
    pub rows: usize,
    /// Number of columns (axis 1).
    pub columns: usize,
}

impl Shape {
    /// One line of `n` samples.
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

    /// Whether there are no samples.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
}

/// Along which axes a transform acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axes {
    /// Along every row on its own.
    Rows,
    /// Along every column on its own.
    Columns,
    /// Along both axes of a picture.
    Both,
}

impl Axes {
    /// Whether it acts along the rows, so that the index of a column may be a frequency.
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

/// How an algorithm comes to its result.
#[derive(Clone, Copy)]
pub enum Build {
    /// It is a plan, drawn and run everywhere.
    Plan(PlanFn),
    /// A plan that several algorithms share, and how its stages are cut into launches.
    Cut(PlanFn, Method),
    /// A well-known library on the CPU, for comparison and for what no plan covers yet; it has no flow graph.
    Library,
}

/// How the stages of a plan with several levels are cut into launches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// A launch a stage, in global memory.
    Direct,
    /// A launch for what tiles finish alone in some levels, and one for what is left at their borders.
    SplitAndMerge,
    /// A launch for some levels, in tiles that compute once more what they need of their neighbours.
    Overlapped,
}

/// One way to compute a transform.
pub struct Algorithm {
    /// The name on the command line.
    pub name: &'static str,
    /// One sentence.
    pub about: &'static str,
    /// Where it is described in the literature.
    pub source: &'static str,
    /// How it is built.
    pub build: Build,
}

/// What is computed, given by a definition.
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
    /// Along which axes it acts.
    pub axes: Axes,
    /// The name of the same transform along the other axes: of images for one of rows, and the other way round.
    pub partner: Option<&'static str>,
    /// What it takes.
    pub input: Input,
    /// Which numbers the forward direction takes, and the inverse gives.
    pub takes: Numbers,
    /// Which numbers the forward direction gives, and the inverse takes.
    pub gives: Numbers,
    /// What the lanes of its plans hold with default parameters; other parameters and samples may need a larger ring.
    pub ring: Ring,
    /// Whether it has an inverse.
    pub has_inverse: bool,
    /// What the index of the result counts.
    pub index: ResultIndex,
    /// What can be chosen beside the direction.
    pub parameters: &'static [Parameter],
    /// The ways to compute it; the first plan that takes the shape is the default on a GPU.
    pub algorithms: &'static [Algorithm],
    /// The matrix by its textbook definition, `[result][sample]`, for one shape; shares no code with the plans. Empty where the result is the solution of equations.
    pub definition: fn(Shape, Parameters) -> Vec<Vec<Complex64>>,
}

/// Every transform of the application.
pub static TRANSFORMS: &[Transform] = &[
    fourier::DFT,
    fourier::DFT2,
    fourier::RDFT,
    fourier::RDFT2,
    hartley::Hartley::ALONG_ROWS,
    hartley::Hartley::ALONG_BOTH,
    cosine::Cosine::ALONG_ROWS,
    cosine::Cosine::ALONG_BOTH,
    kronecker::WALSH,
    kronecker::WALSH2,
    kronecker::REED_MULLER,
    kronecker::ARITHMETIC,
    kronecker::KRONECKER,
    haar::HAAR,
    haar::HAAR2,
    haar::HAAR_PRINTED,
    wavelet::CDF97,
    wavelet::CDF97_2,
    wavelet::D2,
    wavelet::D2_2,
    wavelet::D4,
    wavelet::D4_2,
    wavelet::D4_PACKET,
];

/// The transform named `name`, convolutions and the solution of equations among them.
///
/// # Errors
/// When there is none; the message lists the names that exist.
pub fn transform(name: &str) -> Result<&'static Transform, Unsupported> {
    every_transform().find(|transform| transform.name == name).ok_or_else(|| Unsupported::Name {
        what: "transform".into(),
        name: name.into(),
        known: every_transform().map(|transform| transform.name).collect::<Vec<_>>().join(", "),
    })
}

/// All of [`TRANSFORMS`], and behind them what has no matrix: convolutions, and what takes equations instead of samples.
pub fn every_transform() -> impl Iterator<Item = &'static Transform> {
    let convolutions = convolution::CONVOLUTIONS.iter().map(|convolution| &convolution.transform);
    TRANSFORMS.iter().chain(convolutions).chain([&tridiagonal::TRIDIAGONAL])
}

impl Transform {
    /// The algorithm named `name`.
    ///
    /// # Errors
    /// When there is none; the message lists the names that exist.
    pub fn algorithm(&self, name: &str) -> Result<&'static Algorithm, Unsupported> {
        self.algorithms.iter().find(|algorithm| algorithm.name == name).ok_or_else(|| Unsupported::Name {
            what: format!("algorithm of {}", self.name),
            name: name.into(),
            known: self.algorithms.iter().map(|algorithm| algorithm.name).collect::<Vec<_>>().join(", "),
        })
    }

    /// The wavelet transform that it is, or that has the same functions: Haar of spectral logic goes through all levels and is not normalised, and its wavelet is orthonormal.
    pub fn wavelet(&self) -> Option<&'static Self> {
        let has_levels = self.parameters.contains(&Parameter::Levels);
        let wavelets = [(haar::HAAR.name, wavelet::D2.name), (haar::HAAR2.name, wavelet::D2_2.name)];
        let named = wavelets.into_iter().find(|(haar, _)| *haar == self.name).map(|(_, wavelet)| wavelet);
        transform(named.or_else(|| has_levels.then_some(self.name))?).ok()
    }

    /// The most levels that a wavelet transform takes of a shape: until a single sample is left of every line; `None` for transforms without levels.
    pub fn most_levels(&self, shape: Shape) -> Option<usize> {
        self.parameters.contains(&Parameter::Levels).then(|| wavelet::most_levels(self, shape))
    }

    /// The levels that a wavelet transform takes: those that are asked for, or the usual ones.
    pub fn levels(&self, shape: Shape, parameters: Parameters) -> Option<usize> {
        let most = self.most_levels(shape)?;
        Some(parameters.levels.unwrap_or(wavelet::USUAL_LEVELS.min(most)))
    }

    /// The same parameters with no more levels than there are.
    pub fn within_levels(&self, shape: Shape, parameters: Parameters) -> Parameters {
        let levels = parameters.levels.map(|levels| self.most_levels(shape).map_or(levels, |most| levels.min(most)));
        Parameters { levels, ..parameters }
    }

    /// The same parameters without lines that the transform does not let its user choose, or that a shape of one row does not have.
    pub fn within_lines(&self, shape: Shape, parameters: Parameters) -> Parameters {
        let has_columns = self.parameters.contains(&Parameter::Lines) && shape.rows > 1;
        Parameters { lines: if has_columns { parameters.lines } else { Lines::Rows }, ..parameters }
    }

    /// Along which axes it acts with these parameters.
    pub fn axes(&self, parameters: Parameters) -> Axes {
        match parameters.lines {
            Lines::Columns if self.parameters.contains(&Parameter::Lines) => Axes::Columns,
            _ => self.axes,
        }
    }

    /// Whether it takes the equations of tridiagonal systems.
    pub fn takes_equations(&self) -> bool {
        self.input == Input::Equations
    }

    /// The convolution that it is, if it is one.
    pub fn convolution(&self) -> Option<&'static convolution::Convolution> {
        convolution::Convolution::named(self.name)
    }

    /// Whether it convolves two signals.
    pub fn takes_two(&self) -> bool {
        self.input == Input::TwoSignals
    }

    /// Whether values of the spectrum stand for frequencies, so that it has a middle; others are lists of coefficients.
    pub fn has_frequencies(&self) -> bool {
        self.index == ResultIndex::Frequency
    }

    /// Whether samples are real, and the spectrum is the half that determines it.
    pub fn is_half(&self) -> bool {
        self.gives == Numbers::HalfSpectrum
    }

    /// Whether values are taken and given modulo 2.
    pub fn is_binary(&self) -> bool {
        self.takes == Numbers::Bits
    }

    /// The shape of the result for samples, or for a spectrum, of a shape.
    pub fn result_shape(&self, shape: Shape, parameters: Parameters) -> Shape {
        if self.takes_equations() {
            return Shape::line(shape.rows);
        }
        let values = |length: usize| match parameters.direction {
            _ if !self.is_half() || length == 0 => length,
            Direction::Forward => length / 2 + 1,
            Direction::Inverse => parameters.samples_of(length),
        };
        match self.axes(parameters) {
            Axes::Columns => Shape { rows: values(shape.rows), ..shape },
            Axes::Rows | Axes::Both => Shape { columns: values(shape.columns), ..shape },
        }
    }

    /// The first algorithm that has a plan for the shape; the first of all plans where none has.
    pub fn first_plan_for(&self, shape: Shape, parameters: Parameters) -> &'static Algorithm {
        let takes = |algorithm: &&Algorithm| algorithm.plan_fn().is_some_and(|build| build(shape, parameters).is_ok());
        self.algorithms.iter().find(takes).unwrap_or_else(|| self.first_plan())
    }

    /// The first algorithm that is a plan.
    pub fn first_plan(&self) -> &'static Algorithm {
        self.algorithms.iter().find(|algorithm| algorithm.plan_fn().is_some()).expect("every transform has a plan")
    }

    /// The algorithm that is a library, if there is one.
    pub fn library(&self) -> Option<&'static Algorithm> {
        self.algorithms.iter().find(|algorithm| matches!(algorithm.build, Build::Library))
    }

    /// The shape that a drawing of at most `lanes` values can show: along each transformed axis the largest divisor of the length that is small enough,
    /// or half of what is small enough where all divisors are far smaller, as those of a prime; of pictures a side of a few pixels for one that is transformed by convolution.
    pub fn miniature(&self, shape: Shape, lanes: usize) -> Shape {
        let small = |n: usize, bound: usize| {
            // Wavelets and systems take any length, and halve it better than its divisors.
            if self.parameters.contains(&Parameter::Levels) || self.takes_equations() {
                return n.min(bound);
            }
            let divisor = (1..=n.min(bound)).rev().find(|&divisor| n.is_multiple_of(divisor)).unwrap_or(1);
            if n <= bound || 5 * divisor > bound { divisor } else { bound.div_ceil(2) }
        };
        match self.axes {
            Axes::Rows | Axes::Columns => Shape::line(small(shape.columns, lanes)),
            Axes::Both => {
                let side = 1 << (lanes.ilog2() / 2);
                let by_convolution = |n: usize| self.has_frequencies() && fourier::passes(n).is_none();
                // An even number of real samples pairs up.
                let small = |n: usize| if by_convolution(n) { 4 - n % 2 } else { small(n, side) };
                Shape { rows: small(shape.rows), columns: small(shape.columns) }
            }
        }
    }
}

impl Algorithm {
    /// The function that builds the plan, of columns where the parameters say so, unless this is a library.
    pub fn plan_fn(&self) -> Option<impl Fn(Shape, Parameters) -> Result<Plan, Unsupported> + Copy + 'static> {
        let (Build::Plan(build) | Build::Cut(build, _)) = self.build else { return None };
        let algorithm = self.name;
        Some(move |shape: Shape, parameters: Parameters| match parameters.lines {
            Lines::Rows => build(shape, parameters),
            Lines::Columns => {
                let parameters = parameters.along(|sides| sides.rows);
                build(Shape::line(shape.rows), parameters)?.down_columns(shape.columns).ok_or(Unsupported::Across { algorithm })
            }
        })
    }

    /// How the plan is cut, where that is what tells this algorithm from another one.
    pub fn method(&self) -> Option<Method> {
        match self.build {
            Build::Cut(_, method) => Some(method),
            Build::Plan(_) | Build::Library => None,
        }
    }
}

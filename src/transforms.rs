//! The table [`TRANSFORMS`]: what can be computed, and in which ways.
//!
//! Window, command line, tests, benches and the README iterate this table; a new transform is one row here and one file in `transforms/`.
//! A row describes: it never loops over samples.

pub mod convolution;
pub mod fourier;
pub mod haar;
pub mod kronecker;
mod lines;
mod parameters;
pub mod tridiagonal;
pub mod wavelet;

pub use parameters::{Base, Boundary, PacketOrder, Parameter, Parameters, RowOrder};

use crate::plan::{Direction, Plan, Ring};
use num_complex::Complex64;

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
    /// Along both axes of a picture.
    Both,
}

/// Why an algorithm has no plan for a shape.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    /// A length that the algorithm does not take.
    #[error("{algorithm} takes {needs}, and {length} is none: crop or resize the input, or take -a {instead}, which takes every length")]
    Length {
        /// The algorithm's name.
        algorithm: &'static str,
        /// What lengths it takes.
        needs: &'static str,
        /// The length that was asked for.
        length: usize,
        /// An algorithm of the same transform that takes every length.
        instead: &'static str,
    },
    /// A length that is no power of two.
    #[error(
        "{transform} takes rows of 2^n values, and {length} is no power of two: take {next}, or crop or pad the input, as papillon transform --size {next} does",
        next = length.next_power_of_two()
    )]
    NoPower {
        /// The transform's name.
        transform: &'static str,
        /// The length that was asked for.
        length: usize,
    },
    /// A half spectrum of another length than the samples have.
    #[error("{samples} real samples have {half} values in half their spectrum, and {values} are given: take another --size, or none")]
    Columns {
        /// Samples of a row.
        samples: usize,
        /// Values of half their spectrum.
        half: usize,
        /// Values that are given.
        values: usize,
    },
    /// A matrix without an inverse.
    #[error("the matrix {matrix} is singular, so that its transform has no inverse: take another matrix, or the forward direction")]
    Singular {
        /// The matrix.
        matrix: Base,
    },
    /// More levels than there are halvings until a single sample is left.
    #[error(
        "{transform} halves {rows} × {columns} samples at most {most} times, and {asked} levels are asked for: take --levels {most}, or fewer"
    )]
    Levels {
        /// The transform's name.
        transform: &'static str,
        /// The levels that were asked for.
        asked: usize,
        /// The most that there are.
        most: usize,
        /// Rows of the shape.
        rows: usize,
        /// Columns of the shape.
        columns: usize,
    },
    /// An odd length, of which nothing can be halved evenly.
    #[error("{transform} halves every block evenly, and {length} is odd: take {next}, or crop or pad the input, as papillon transform --size {next} does", next = length + 1)]
    Uneven {
        /// The transform's name.
        transform: &'static str,
        /// The length that was asked for.
        length: usize,
    },
    /// A name that is not in the table.
    #[error("there is no {what} named '{name}': take one of {known}")]
    Name {
        /// "transform" or "algorithm of dft".
        what: String,
        /// The name that was asked for.
        name: String,
        /// The names that exist.
        known: String,
    },
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
    pub family: &'static str,
    /// One sentence.
    pub about: &'static str,
    /// The formula.
    pub formula: &'static str,
    /// Along which axes it acts.
    pub axes: Axes,
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

    /// Whether it takes the equations of tridiagonal systems.
    pub fn takes_equations(&self) -> bool {
        self.name == tridiagonal::TRIDIAGONAL.name
    }

    /// The convolution that it is, if it is one.
    pub fn convolution(&self) -> Option<&'static convolution::Convolution> {
        convolution::Convolution::named(self.name)
    }

    /// Whether it convolves two signals.
    pub fn takes_two(&self) -> bool {
        self.convolution().is_some_and(|convolution| convolution.operands == convolution::Operands::Two)
    }

    /// Whether it has a way back.
    pub fn has_inverse(&self) -> bool {
        !self.takes_equations() && self.convolution().is_none()
    }

    /// Whether samples are real, and the spectrum is the half that determines it.
    pub fn is_half(&self) -> bool {
        self.parameters.contains(&Parameter::Columns)
    }

    /// Whether values are taken and given modulo 2.
    pub fn is_binary(&self) -> bool {
        let plan = self.first_plan().plan_fn().and_then(|build| build(Shape::line(1), Parameters::default()).ok());
        plan.is_some_and(|plan| plan.ring == Ring::Gf2)
    }

    /// The shape of the result for samples, or for a spectrum, of a shape.
    pub fn result_shape(&self, shape: Shape, parameters: Parameters) -> Shape {
        if self.takes_equations() {
            return Shape::line(shape.rows);
        }
        let columns = match parameters.direction {
            _ if !self.is_half() || shape.columns == 0 => shape.columns,
            Direction::Forward => shape.columns / 2 + 1,
            Direction::Inverse => parameters.samples_of(shape.columns),
        };
        Shape { columns, ..shape }
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
    /// or half of what is small enough where all divisors are far smaller, as those of a prime.
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
            Axes::Rows => Shape::line(small(shape.columns, lanes)),
            Axes::Both => {
                let side = 1 << (lanes.ilog2() / 2);
                Shape { rows: small(shape.rows, side), columns: small(shape.columns, side) }
            }
        }
    }
}

impl Algorithm {
    /// The function that builds the plan, unless this is a library.
    pub fn plan_fn(&self) -> Option<PlanFn> {
        match self.build {
            Build::Plan(build) | Build::Cut(build, _) => Some(build),
            Build::Library => None,
        }
    }

    /// How the plan is cut, where that is what tells this algorithm from another one.
    pub fn method(&self) -> Option<Method> {
        match self.build {
            Build::Cut(_, method) => Some(method),
            Build::Plan(_) | Build::Library => None,
        }
    }
}

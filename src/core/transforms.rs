//! The table [`TRANSFORMS`]: every transform, its declared properties and its algorithms.
//!
//! The window, the command line, the benchmarks, the tests and `docs/transforms.md` iterate this table. A new transform is one row here and one file in `transforms/`.
//! A row only describes: it never loops over samples.
//!
//! The Walsh transform of four samples, in natural order:
//! ```
//! use num_complex::Complex64;
//! use papillon_core::transforms::{Parameters, Shape, transform};
//!
//! let plan = transform("walsh")?.plan(Shape::line(4), Parameters::default())?;
//! let samples = [1.0, 0.0, 1.0, 0.0].map(Complex64::from);
//! assert_eq!(plan.run(&samples), [2.0, 2.0, 0.0, 0.0].map(Complex64::from));
//! # Ok::<(), papillon_core::transforms::Unsupported>(())
//! ```

pub mod convolution;
mod cosine;
mod declaration;
mod direct;
pub mod filtering;
pub mod fourier;
pub mod haar;
mod hartley;
pub mod kronecker;
mod lines;
mod ntt;
mod parameters;
mod row;
mod scheme;
mod separable;
pub mod tridiagonal;
mod unsupported;
pub mod wavelet;

pub use declaration::{Family, Input, Numbers, ResultIndex, ScheduleKind, Schedules, Sections};
pub use fourier::LOCAL_LANES;
pub use parameters::{Base, BatchAxis, Boundary, PacketOrder, Parameter, Parameters, RowOrder};
pub use row::{Algorithm, Axes, Build, DefinitionFn, PlanFn, Shape, Transform};
pub use scheme::Scheme;
pub use unsupported::Unsupported;

use crate::plan::shapes::TranspositionStage;
use crate::plan::{Direction, Plan};
use separable::RealLine as _;

/// The most values of a line whose automatic algorithm has radix 2 where the window draws its flow graph: larger butterflies are knots.
pub const MOST_RADIX_2: usize = 16;

/// All transforms.
pub static TRANSFORMS: &[Transform] = &[
    fourier::DFT,
    fourier::DFT2,
    fourier::DFT_PRINTED,
    fourier::RDFT,
    fourier::RDFT2,
    ntt::NTT,
    ntt::NTT_NEGACYCLIC,
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
    convolution::DYADIC,
    convolution::DYADIC_AUTOCORRELATION,
    convolution::CYCLIC,
    convolution::CYCLIC_AUTOCORRELATION,
    ntt::NEGACYCLIC_CONVOLUTION,
    filtering::FILTER,
    filtering::FILTER2,
    tridiagonal::TRIDIAGONAL,
];

/// The transforms that are linear, so that a matrix defines them.
pub fn linear_transforms() -> impl Iterator<Item = &'static Transform> {
    TRANSFORMS.iter().filter(|transform| transform.definition.is_some())
}

/// The transform named `name`.
///
/// # Errors
/// [`Unsupported::Name`] with the names that exist.
pub fn transform(name: &str) -> Result<&'static Transform, Unsupported> {
    TRANSFORMS.iter().find(|transform| transform.name == name).ok_or_else(|| Unsupported::Name {
        what: "transform".into(),
        name: name.into(),
        known: TRANSFORMS.iter().map(|transform| transform.name).collect::<Vec<_>>().join(", "),
    })
}

impl Transform {
    /// The algorithm named `name`.
    ///
    /// # Errors
    /// [`Unsupported::Name`] with the names that exist.
    pub fn algorithm(&self, name: &str) -> Result<&'static Algorithm, Unsupported> {
        self.algorithms.iter().find(|algorithm| algorithm.name == name).ok_or_else(|| Unsupported::Name {
            what: format!("algorithm of {}", self.name),
            name: name.into(),
            known: self.algorithms.iter().map(|algorithm| algorithm.name).collect::<Vec<_>>().join(", "),
        })
    }

    /// This transform, if it is a wavelet transform, or the wavelet transform with the same basis functions.
    /// Haar of spectral logic goes through all levels and is not normalised; its wavelet is orthonormal.
    pub fn wavelet(&self) -> Option<&'static Self> {
        let name = if self.family == Family::Wavelets { Some(self.name) } else { self.wavelet };
        transform(name?).ok()
    }

    /// Whether the results are coefficients that make the samples again.
    pub fn has_coefficients(&self) -> bool {
        let are_residues = self.gives == Numbers::Residues;
        self.has_inverse && self.family != Family::Convolution && self.input == Input::Signal && !are_residues
    }

    /// Whether a person can choose this parameter.
    pub fn has(&self, parameter: Parameter) -> bool {
        match parameter {
            Parameter::Direction => self.has_inverse,
            Parameter::TileLanes => self.algorithms.iter().any(Algorithm::takes_tile_lanes),
            other => self.parameters.contains(&other),
        }
    }

    /// The most levels of a wavelet transform of a shape: every line is halved down to one sample. `None` for transforms without levels.
    pub fn most_levels(&self, shape: Shape) -> Option<usize> {
        self.has(Parameter::Levels).then(|| wavelet::most_levels(self, shape))
    }

    /// The levels of a wavelet transform: the number in the parameters, or the usual one.
    pub fn levels(&self, shape: Shape, parameters: Parameters) -> Option<usize> {
        let most = self.most_levels(shape)?;
        Some(parameters.levels.unwrap_or(parameters::USUAL_LEVELS.min(most)))
    }

    /// The same parameters with at most the levels that the shape has.
    pub fn within_levels(&self, shape: Shape, parameters: Parameters) -> Parameters {
        let levels = parameters.levels.map(|levels| self.most_levels(shape).map_or(levels, |most| levels.min(most)));
        Parameters { levels, ..parameters }
    }

    /// The same parameters along rows, where the transform has no choice of lines or the shape has a single row.
    pub fn within_lines(&self, shape: Shape, parameters: Parameters) -> Parameters {
        let has_columns = self.has(Parameter::Lines) && shape.rows > 1;
        Parameters { lines: if has_columns { parameters.lines } else { BatchAxis::Rows }, ..parameters }
    }

    /// The axes along which it acts with these parameters.
    pub fn axes(&self, parameters: Parameters) -> Axes {
        match parameters.lines {
            BatchAxis::Columns if self.has(Parameter::Lines) => Axes::Columns,
            _ => self.axes,
        }
    }

    /// The shape of the result for input of a shape: samples, or in the inverse direction a spectrum.
    pub fn result_shape(&self, shape: Shape, parameters: Parameters) -> Shape {
        if self.input == Input::Equations {
            return Shape::line(shape.rows);
        }
        let values = |length: usize| match parameters.direction {
            _ if self.gives != Numbers::HalfSpectrum || length == 0 => length,
            Direction::Forward => length / 2 + 1,
            Direction::Inverse => parameters.samples_of(length),
        };
        match self.axes(parameters) {
            Axes::Columns => Shape { rows: values(shape.rows), ..shape },
            Axes::Rows | Axes::Both => Shape { columns: values(shape.columns), ..shape },
        }
    }

    /// The first algorithm whose plan supports the shape, or else the first algorithm that is a plan.
    pub fn first_plan_for(&self, shape: Shape, parameters: Parameters) -> &'static Algorithm {
        let takes = |algorithm: &&Algorithm| algorithm.plan_fn().is_some_and(|build| build(shape, parameters).is_ok());
        self.algorithms.iter().find(takes).unwrap_or_else(|| self.first_plan())
    }

    /// The radix-2 algorithm that a line of at most `most` values is drawn by, where the first plan has larger butterflies; `None` for other lines.
    ///
    /// Its butterflies are in place, so each stays on its two lanes, as in a textbook.
    pub fn radix_2_for(&self, shape: Shape, parameters: Parameters, most: usize) -> Option<&'static Algorithm> {
        let plan_of = |algorithm: &Algorithm| algorithm.plan_fn()?(shape, parameters).ok();
        let has_pairs = |plan: &Plan| plan.stages.iter().all(|stage| stage.matrix().taps <= 2);
        let is_in_place = |plan: &Plan| plan.stages.iter().all(|stage| stage.matrix().taps == 1 || stage.in_place());
        if shape.columns > most || shape.len() > 4 * most || has_pairs(&plan_of(self.first_plan_for(shape, parameters))?) {
            return None;
        }
        self.algorithms.iter().find(|algorithm| plan_of(algorithm).is_some_and(|plan| has_pairs(&plan) && is_in_place(&plan)))
    }

    /// The plan of the first algorithm that supports the shape.
    ///
    /// # Errors
    /// The reason of the first plan, where none supports the shape.
    pub fn plan(&self, shape: Shape, parameters: Parameters) -> Result<Plan, Unsupported> {
        let build = self.first_plan_for(shape, parameters).plan_fn().expect("the first plan is a plan");
        build(shape, parameters)
    }

    /// The first algorithm that is a plan and no library.
    pub fn first_plan(&self) -> &'static Algorithm {
        self.algorithms.iter().find(|algorithm| algorithm.plan_fn().is_some()).expect("every transform has a plan")
    }

    /// The algorithm that calls a library.
    pub fn library(&self) -> Option<&'static Algorithm> {
        self.algorithms.iter().find(|algorithm| matches!(algorithm.build, Build::Library))
    }

    /// A shape of at most `lanes` values whose drawing looks like that of `shape`.
    ///
    /// Along each transformed axis it takes the largest divisor of the length that fits, or half the room where all divisors are far smaller, as those of a prime.
    /// A side of an image that is transformed by convolution gets a few pixels.
    pub fn miniature(&self, shape: Shape, lanes: usize) -> Shape {
        let small = |n: usize, bound: usize| {
            // Wavelets and systems halve any length, so a divisor has no advantage.
            if self.has(Parameter::Levels) || self.input == Input::Equations {
                return n.min(bound);
            }
            let divisor = (1..=n.min(bound)).rev().find(|&divisor| n.is_multiple_of(divisor)).unwrap_or(1);
            if n <= bound || 5 * divisor > bound { divisor } else { bound.div_ceil(2) }
        };
        match self.axes {
            Axes::Rows | Axes::Columns => Shape::line(small(shape.columns, lanes)),
            Axes::Both => {
                let side = 1 << (lanes.ilog2() / 2);
                let by_convolution = |n: usize| self.index == ResultIndex::Frequency && fourier::passes(n).is_none();
                // Real samples are in pairs where their number is even.
                let small = |n: usize| if by_convolution(n) { 4 - n % 2 } else { small(n, side) };
                Shape { rows: small(shape.rows), columns: small(shape.columns) }
            }
        }
    }
}

impl Algorithm {
    /// The function that builds the plan, along rows or columns as the parameters say. `None` for a library.
    pub fn plan_fn(&self) -> Option<impl Fn(Shape, Parameters) -> Result<Plan, Unsupported> + Copy + 'static> {
        let (Build::Plan(build) | Build::Scheduled(build, _)) = self.build else { return None };
        let algorithm = self.name;
        Some(move |shape: Shape, parameters: Parameters| {
            let plan = match parameters.lines {
                BatchAxis::Rows => build(shape, parameters)?,
                BatchAxis::Columns => {
                    let parameters = parameters.along(|sides| sides.rows);
                    let line = build(Shape::line(shape.rows), parameters)?;
                    line.down_columns(shape.columns).ok_or(Unsupported::Across { algorithm })?
                }
            };
            direct::check(&plan)?;
            Ok(plan)
        })
    }

    /// Whether the number of tile lanes changes the plan; a small plan tells, so that no list of names is needed.
    pub fn takes_tile_lanes(&self) -> bool {
        let Some(build) = self.plan_fn() else { return false };
        let small = Shape { rows: 4, columns: 8 };
        let plan = |tile_lanes| build(small, Parameters { tile_lanes, ..Parameters::default() }).ok();
        plan(Some(2)) != plan(Some(8))
    }

    /// Whether its plan transposes an image; a small plan tells.
    pub fn transposes(&self) -> bool {
        let plan = self.plan_fn().and_then(|build| build(Shape { rows: 4, columns: 8 }, Parameters::default()).ok());
        plan.is_some_and(|plan| plan.stages.iter().any(|stage| TranspositionStage::of(stage).is_some()))
    }

    /// The schedules that its plan supports; tiles for a library.
    pub fn schedules(&self) -> Schedules {
        match self.build {
            Build::Scheduled(_, schedules) => schedules,
            Build::Plan(_) | Build::Library => Schedules::TILES,
        }
    }
}

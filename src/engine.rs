//! The worker behind the window and the command line: a [`Request`] goes in, [`Report`]s come out.
//!
//! The newest request wins: work for an older job is given up between two launches, and a change of the view alone never computes a transform again.
//! The engine owns its own device; it knows nothing of egui and tells whoever listens through a callback.

mod choice;
mod compute;
mod convolve;
mod device;
mod halves;
mod lanes;
mod library;
pub mod logic;
mod measured;
mod packed;
mod reduction;
mod report;
mod result;
mod service;
mod solve;
mod stopwatch;
mod subject;
mod told;
mod trial;
mod tune;
mod views;
pub mod wavelet;
mod whole;
mod worker;

pub use choice::{Candidate, Resolved, Speed, resolve};
pub use compute::{Computed, DRAWN_LANES, compute, relative_error, schedule, schedule_on_gpu};
pub use device::{DeviceChoice, Devices, Place};
pub use measured::{Entry, Measured, Time, Where};
pub use reduction::{MOST_STEPPED, Reduction, SystemReport, SystemRequest, SystemStudy};
pub use report::{Comparison, Contents, Deviation, LaneValues, Line, Outcome, Picture, Report, Times, Value};
pub use result::{Held, Values};
pub use service::Engine;
pub use solve::{Accuracy, Solution, SolveError, solve};
pub use stopwatch::{Reason, Stopwatch, Taken};
pub use subject::Subject;
pub use trial::Trial;
pub use tune::{Contender, Tuning};
pub use worker::{Ask, Cancellable, Desk, Idle, Progress, Reply, Work, Worker, locked};

use crate::display::{Frame, Look, Quantity, Scale};
use crate::gpu::{self, GpuError};
use crate::plan::{Plan, Precision, Stage};
use crate::remedy::{Remedies, Remedy};
use crate::schedule::{Schedule, Scheme, SplitAndMerge};
use crate::signal::{NoSuchChannel, Signal, System, SystemError, View as Channel};
use crate::transforms::tridiagonal::TRIDIAGONAL;
use crate::transforms::{Algorithm, Method, Parameters, Shape, Unsupported};
use std::sync::Arc;

/// How a plan is cut into launches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
pub enum Cut {
    /// As few launches as tiles in workgroup memory allow.
    #[default]
    Tiles,
    /// Tiles of at most so many lanes.
    TilesOf(usize),
    /// One launch a stage, as the papers do it.
    Stages,
    /// The same, along pictures in blocks of threads of these shapes.
    StagesIn(Scheme),
    /// Sections: what tiles finish alone, and what is left at their borders.
    SplitAndMerge(SplitAndMerge),
    /// Overlapped tiles, with at most so many levels in a launch; 0 takes what is estimated to be the fastest.
    Overlapped(usize),
}

impl Cut {
    /// How the plan of an algorithm is cut, where nothing else was asked for.
    fn of(self, algorithm: &Algorithm) -> Self {
        match (self, algorithm.method()) {
            (Self::Tiles, Some(Method::Direct)) => Self::Stages,
            (Self::Tiles, Some(Method::SplitAndMerge)) => Self::SplitAndMerge(SplitAndMerge::default()),
            (Self::Tiles, Some(Method::Overlapped)) => Self::Overlapped(0),
            (cut, _) => cut,
        }
    }
}

/// Whether the plan of an algorithm can be cut into split sections and merge sections, though that is not what tells it from another one.
pub fn takes_sections(algorithm: &Algorithm) -> bool {
    /// Samples of a plan that has borders, and threads of its tiles.
    const SAMPLES: usize = 64;
    const BLOCK: usize = 8;
    let plan = algorithm.plan_fn().and_then(|build| build(Shape::line(SAMPLES), Parameters::default()).ok());
    let how = SplitAndMerge { block: BLOCK, ..SplitAndMerge::default() };
    let has_sections = |plan: Plan| Schedule::split_and_merge(&plan, how).launches.iter().any(|launch| launch.section().is_some());
    algorithm.method().is_none() && plan.is_some_and(has_sections)
}

/// Whether the sections of an algorithm can take both axes of a picture at once, which needs steps in place.
pub fn takes_squares(algorithm: &Algorithm) -> bool {
    let small = Shape { rows: 4, columns: 4 };
    let plan = algorithm.plan_fn().and_then(|build| build(small, Parameters::default()).ok());
    plan.is_some_and(|plan| plan.stages.first().is_some_and(Stage::in_place))
}

/// The most levels that a launch of overlapped tiles takes by an algorithm; `None` where it has no plan.
pub fn most_overlapped_levels(algorithm: &Algorithm) -> Option<usize> {
    let small = Shape { rows: 4, columns: 4 };
    let plan = algorithm.plan_fn().and_then(|build| build(small, Parameters::default()).ok());
    plan.map(|plan| gpu::most_overlapped_levels(&plan))
}

/// What is to be computed.
#[derive(Debug, Clone)]
pub struct Job {
    /// What is transformed.
    pub signal: Arc<Signal>,
    /// What it is convolved with, where the transform takes two signals.
    pub second: Option<Arc<Signal>>,
    /// Which channel of it.
    pub channel: Channel,
    /// Name of the transform in the table.
    pub transform: &'static str,
    /// Name of the algorithm; `None` takes the fastest for this size and device.
    pub algorithm: Option<&'static str>,
    /// What the algorithm needs to know.
    pub parameters: Parameters,
    /// How the plan is cut into launches.
    pub cut: Cut,
    /// Where it runs.
    pub device: DeviceChoice,
    /// How real and complex numbers are held; `None` takes double precision on a CPU where the samples have it, and single precision elsewhere.
    pub precision: Option<Precision>,
    /// Whether an automatic choice of the algorithm prefers one whose flow graph can be drawn.
    pub prefer_plan: bool,
}

impl Job {
    /// The job that runs a transform of this name forward with default settings.
    pub fn new(signal: Arc<Signal>, transform: &'static str) -> Self {
        Self {
            signal,
            second: None,
            channel: Channel::default(),
            transform,
            algorithm: None,
            parameters: Parameters::default(),
            cut: Cut::default(),
            device: DeviceChoice::Auto,
            precision: None,
            prefer_plan: false,
        }
    }

    /// The job that solves a tridiagonal system.
    pub fn of_system(system: &System) -> Self {
        Self::new(Arc::new(system.signal()), TRIDIAGONAL.name)
    }

    /// Whether samples that are not exact are computed in double precision on a CPU.
    fn is_double(&self) -> bool {
        self.precision.map_or_else(|| self.signal.is_double(), |precision| precision == Precision::Double)
    }
}

impl PartialEq for Job {
    /// Two jobs are the same when they give the same result; signals are compared by identity, which is cheap.
    fn eq(&self, other: &Self) -> bool {
        let second = |job: &Self| job.second.as_ref().map(Arc::as_ptr);
        Arc::ptr_eq(&self.signal, &other.signal)
            && second(self) == second(other)
            && (self.channel, self.transform, self.algorithm, self.parameters)
                == (other.channel, other.transform, other.algorithm, other.parameters)
            && (self.cut, &self.device, self.precision, self.prefer_plan) == (other.cut, &other.device, other.precision, other.prefer_plan)
    }
}

/// The visible part of a line of samples or of a 1-D spectrum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineFrame {
    /// Which row of a batch, or of a result which column, where columns were transformed.
    pub row: usize,
    /// First visible position, in samples or bins; positions are shifted when `shifted` says so.
    pub first: f64,
    /// One past the last visible position.
    pub last: f64,
    /// Pixels across.
    pub pixels: usize,
    /// What of the value is plotted.
    pub quantity: Quantity,
    /// How it is scaled.
    pub scale: Scale,
    /// Whether bin 0 stands at n/2.
    pub shifted: bool,
}

/// What of the result is visible; `None` where a pane is closed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct View {
    /// How spectrum pictures are coloured.
    pub look: Look,
    /// The visible part of the picture of the result.
    pub picture: Option<Frame>,
    /// The visible part of the picture of the source, always gray and linear.
    pub source: Option<Frame>,
    /// The visible part of one row of the result.
    pub line: Option<LineFrame>,
    /// The visible part of one row of the source.
    pub source_line: Option<LineFrame>,
    /// The same of the second signal of a convolution.
    pub second_line: Option<LineFrame>,
    /// Index (row, column) of the result, not shifted, whose exact value is wanted.
    pub probe: Option<[usize; 2]>,
}

/// What to compute and what to show of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// What is to be computed.
    pub job: Job,
    /// What of the result is visible.
    pub view: View,
}

/// Why a job has no result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EngineError {
    /// No plan for this shape, or a name that is not in the table.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// Something newer was asked for, or the user cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The device is not there or refused.
    #[error(transparent)]
    Gpu(GpuError),
    /// The signal has no such channel.
    #[error(transparent)]
    Channel(#[from] NoSuchChannel),
    /// An algorithm that no GPU runs.
    #[error("{algorithm} runs on the CPU only")]
    CpuOnly {
        /// The algorithm.
        algorithm: &'static str,
    },
    /// A library where an order of the loops was asked for.
    #[error("{algorithm} orders its loops itself")]
    OwnLoops {
        /// The algorithm.
        algorithm: &'static str,
    },
    /// Samples with fractions, where only integers can be taken.
    #[error("{transform} computes modulo 2 and takes integers, and the samples have fractions")]
    Fractions {
        /// The transform.
        transform: &'static str,
    },
    /// What is convolved has another size than the other.
    #[error("{second} has {has} values and {first} has {needed}: take a second signal of the same size, or of one row of {columns} values")]
    Lines {
        /// Name of the second signal.
        second: String,
        /// Its size.
        has: String,
        /// Name of the first signal.
        first: String,
        /// Its size.
        needed: String,
        /// Length of its rows.
        columns: usize,
    },
    /// One signal where two are convolved.
    #[error("{transform} takes two signals, and one is given")]
    NoSecond {
        /// The transform.
        transform: &'static str,
    },
    /// Integers that may grow beyond 64 bits.
    #[error("the integers of {transform} may grow to {bits} bits, and 63 are kept exactly")]
    Overflow {
        /// The transform.
        transform: &'static str,
        /// Bits that the largest result may need.
        bits: u32,
    },
    /// Complex samples for a transform of real ones.
    #[error("{transform} takes real samples, and {signal} is complex")]
    Complex {
        /// The transform.
        transform: &'static str,
        /// Name of the signal.
        signal: String,
        /// The transform of complex samples along the same axes.
        instead: &'static str,
    },
    /// A transform that has no wavelets.
    #[error("{transform} is no wavelet transform")]
    NoWavelet {
        /// The transform.
        transform: &'static str,
    },
    /// Complex samples where magnitudes are thresholded.
    #[error("the coefficients of {transform} are thresholded as real numbers, and {signal} is complex")]
    RealOnly {
        /// The transform.
        transform: &'static str,
        /// Name of the signal.
        signal: String,
    },
    /// Samples that no magnitude can be told of.
    #[error("{n} of the samples of {signal} are infinite or no numbers, so that coefficients have no magnitudes")]
    NotFinite {
        /// Name of the signal.
        signal: String,
        /// How many.
        n: usize,
    },
    /// Samples so large that their coefficients are not finite.
    #[error("the coefficients of {signal} are too large for {precision} precision")]
    TooLarge {
        /// Name of the signal.
        signal: String,
        /// The precision, by name.
        precision: &'static str,
    },
    /// Samples for what takes equations.
    #[error("{transform} takes the equations of a system and no samples")]
    NoSamples {
        /// What takes equations.
        transform: &'static str,
    },
    /// A job without a system where one is to be solved.
    #[error("{transform} solves no equations")]
    NoSystem {
        /// The transform.
        transform: &'static str,
    },
    /// Numbers that are no system.
    #[error(transparent)]
    System(#[from] SystemError),
    /// A system that has no solution to be trusted.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// There is nothing to transform.
    #[error("{transform} needs at least one sample")]
    Empty {
        /// The transform.
        transform: &'static str,
    },
}

impl Remedies for EngineError {
    fn remedies(&self) -> Vec<Remedy> {
        /// Transforms with wavelets; d2 is the one of Haar.
        const WAVELETS: [&str; 7] = ["cdf97", "cdf97-2", "d2", "d2-2", "d4", "d4-2", "d4-packet"];
        match self {
            Self::Unsupported(error) => error.remedies(),
            Self::Gpu(error) => error.remedies(),
            Self::System(error) => error.remedies(),
            Self::Solve(error) => error.remedies(),
            Self::CpuOnly { .. } => vec![Remedy::AnotherAlgorithm, Remedy::AllCores],
            Self::OwnLoops { .. } => vec![Remedy::AnotherAlgorithm, Remedy::OneThread],
            Self::Fractions { .. } => vec![Remedy::Advice("round them"), Remedy::Advice("take one channel of a colour image")],
            Self::NoSecond { .. } => vec![Remedy::SecondSignal],
            Self::Overflow { .. } => {
                vec![Remedy::Advice("take smaller samples"), Remedy::Advice("store them as floating-point numbers")]
            }
            Self::Complex { instead, .. } => vec![Remedy::Transforms(vec![instead])],
            Self::NoWavelet { .. } => vec![Remedy::Transforms(WAVELETS.to_vec())],
            Self::RealOnly { .. } => vec![Remedy::Advice("take its real part")],
            Self::NotFinite { .. } => vec![Remedy::Advice("replace them")],
            Self::TooLarge { .. } => vec![Remedy::Advice("scale the samples"), Remedy::DoublePrecision],
            Self::NoSamples { .. } | Self::NoSystem { .. } => vec![Remedy::System],
            Self::Cancelled | Self::Channel(_) | Self::Lines { .. } | Self::Empty { .. } => Vec::new(),
        }
    }
}

impl From<GpuError> for EngineError {
    fn from(error: GpuError) -> Self {
        if error == GpuError::Cancelled { Self::Cancelled } else { Self::Gpu(error) }
    }
}

impl From<crate::cpu::Cancelled> for EngineError {
    fn from(_: crate::cpu::Cancelled) -> Self {
        Self::Cancelled
    }
}

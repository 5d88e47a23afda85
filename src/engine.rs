//! The worker behind the window and the command line: a [`Request`] goes in, [`Report`]s come out.
//!
//! The newest request wins: work for an older job is given up between two launches, and a change of the view alone never computes a transform again.
//! The engine owns its own device; it knows nothing of egui and tells whoever listens through a callback.

mod analyst;
mod choice;
mod compute;
mod convolve;
mod device;
mod halves;
mod lanes;
mod library;
pub mod logic;
mod measured;
mod result;
mod trial;
mod tune;
mod views;
mod whole;
mod worker;

pub use analyst::{Analyst, Studied};
pub use choice::{Candidate, Resolved, Speed, resolve};
pub use compute::{Computed, DRAWN_LANES, compute, relative_error, schedule};
pub use convolve::convolve;
pub use device::{DeviceChoice, Devices, Place};
pub use measured::{Entry, Measured, Time, Where};
pub use result::{Held, Values};
pub use trial::Trial;
pub use tune::{Contender, Tuning};
pub use worker::Engine;

use crate::display::{Frame, Look, Quantity, Scale};
use crate::gpu::GpuError;
use crate::plan::{Plan, Precision, Ring};
use crate::schedule::Schedule;
use crate::signal::{NoSuchChannel, Signal, View as Channel};
use crate::transforms::{Axes, Parameters, Shape, Unsupported};
use num_complex::{Complex32, Complex64};
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
}

/// What is to be computed.
#[derive(Debug, Clone)]
pub struct Job {
    /// What is transformed.
    pub signal: Arc<Signal>,
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
    /// Whether samples that are not exact are computed in double precision on a CPU.
    fn is_double(&self) -> bool {
        self.precision.map_or_else(|| self.signal.is_double(), |precision| precision == Precision::Double)
    }
}

impl PartialEq for Job {
    /// Two jobs are the same when they give the same result; signals are compared by identity, which is cheap.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.signal, &other.signal)
            && (self.channel, self.transform, self.algorithm, self.parameters)
                == (other.channel, other.transform, other.algorithm, other.parameters)
            && (self.cut, &self.device, self.precision, self.prefer_plan) == (other.cut, &other.device, other.precision, other.prefer_plan)
    }
}

/// The visible part of a line of samples or of a 1-D spectrum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineFrame {
    /// Which row of a batch.
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

/// A rendered picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// Which part it shows, at which resolution.
    pub frame: Frame,
    /// RGBA, row after row; transparent beside the data.
    pub rgba: Vec<u8>,
    /// Scaled values of the first and the last colour.
    pub range: [f32; 2],
    /// The scaled value of every pixel, where each is one value and they are few enough to be read; empty otherwise.
    pub values: Vec<f32>,
}

/// A line reduced to the pixels of its plot.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Which part it shows.
    pub frame: LineFrame,
    /// Number of values in the whole row.
    pub n: usize,
    /// Position, smallest and largest scaled value of every pixel column, or of every value where there are fewer of them.
    pub columns: Vec<[f64; 3]>,
    /// Position and scaled value of the largest local peaks of the visible part, largest first.
    pub peaks: Vec<(usize, f64)>,
}

/// Where the time of one run went, in microseconds; every part apart.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Times {
    /// Pipelines, tables and buffers, paid once a plan and device.
    pub prepare_micros: f64,
    /// Host to device; 0 on the CPU.
    pub upload_micros: f64,
    /// Every launch.
    pub launch_micros: Vec<f64>,
    /// Device to host: what is shown, or the whole result where a file wants it; 0 on the CPU.
    pub download_micros: f64,
    /// From the first byte up to the end of the last launch, by the wall clock.
    pub total_micros: f64,
    /// Whether the launches were timed by the device itself; otherwise by the wall clock.
    pub device_clock: bool,
}

impl Times {
    /// All launches together.
    pub fn kernel_micros(&self) -> f64 {
        self.launch_micros.iter().sum()
    }
}

/// The same transform another way, timed once the engine had nothing else to do.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Which way.
    pub name: String,
    /// Median time of one run.
    pub micros: f64,
    /// A quarter of the runs took less than the first, and a quarter more than the second.
    pub quartiles_micros: [f64; 2],
    /// How many runs were timed.
    pub n_runs: usize,
}

/// Values on the lanes of a small plan after every stage; entry 0 is the input. A lane that holds nothing is not a number.
#[derive(Debug, Clone, PartialEq)]
pub struct LaneValues {
    /// As the device computed them.
    pub device: Vec<Vec<Complex64>>,
    /// In double precision, by the description of the plan.
    pub reference: Vec<Vec<Complex64>>,
}

/// What a result holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contents {
    /// A value for every sample, or a sample for every value.
    Values,
    /// The half of the spectrum that determines the whole: frequencies from 0 to half the sampling rate along the columns.
    HalfSpectrum,
    /// Real samples.
    Samples,
}

/// What a job came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The plan that ran; `None` when a library did the work.
    pub plan: Option<Arc<Plan>>,
    /// The schedule that ran.
    pub schedule: Option<Arc<Schedule>>,
    /// Name of the algorithm that ran.
    pub algorithm: &'static str,
    /// Why this algorithm and this device, when the choice was automatic.
    pub reason: String,
    /// Every way that the automatic choice compared, in the order of the table; empty where the algorithm was asked for.
    pub candidates: Vec<Candidate>,
    /// The device that ran it, as people know it.
    pub device: String,
    /// Whether the device is a GPU emulated by software.
    pub software_gpu: bool,
    /// How real and complex numbers were held; single where lanes are exact.
    pub precision: Precision,
    /// Shape of the result.
    pub shape: Shape,
    /// Along which axes the transform acted.
    pub axes: Axes,
    /// What the result holds.
    pub contents: Contents,
    /// Where the time went.
    pub times: Times,
    /// Relative error in the 2-norm against double precision, once it is known.
    pub error: Option<f64>,
    /// A plain copy where the job ran that reads and writes as many bytes as have to be, in microseconds, once it is timed: the floor that memory sets.
    pub copy_micros: Option<f64>,
    /// Other ways, once they are timed.
    pub comparisons: Vec<Comparison>,
    /// Whether everything is known: no comparison is left to be made.
    pub complete: bool,
    /// Values on the lanes of a plan small enough to be drawn whole.
    pub values: Option<Arc<LaneValues>>,
}

impl Outcome {
    /// Bytes that any algorithm has to read once and to write once: all inputs and all outputs.
    pub fn bytes_once(&self) -> u64 {
        let each = |ring| self.precision.bytes_per_lane(ring) as u64;
        match &self.plan {
            Some(plan) => (plan.inputs + plan.outputs) as u64 * each(plan.ring),
            None => 2 * self.shape.len() as u64 * each(Ring::Complex),
        }
    }

    /// Bytes that a launch moves through memory, in the precision in which it ran; `None` where a library did the work.
    pub fn launch_bytes(&self, index: usize) -> Option<u64> {
        let (plan, schedule) = (self.plan.as_ref()?, self.schedule.as_ref()?);
        schedule.launches.get(index).map(|launch| launch.bytes_moved(plan) * self.precision.widening(plan.ring) as u64)
    }
}

/// What the engine has to say of a request.
#[derive(Debug, Clone)]
pub struct Report {
    /// The request that this answers.
    pub request: Request,
    /// What the job came to, or one line on why not; `None` while the work is under way, when only the views of the source are new.
    pub outcome: Option<Result<Arc<Outcome>, EngineError>>,
    /// The result as a picture.
    pub picture: Option<Arc<Picture>>,
    /// The source as a picture.
    pub source: Option<Arc<Picture>>,
    /// A row of the result.
    pub line: Option<Arc<Line>>,
    /// A row of the source.
    pub source_line: Option<Arc<Line>>,
    /// The value at the probed index.
    pub probe: Option<([usize; 2], Complex32)>,
}

impl Report {
    /// What the job came to, if it came to something.
    pub fn outcome(&self) -> Option<&Arc<Outcome>> {
        self.outcome.as_ref().and_then(|outcome| outcome.as_ref().ok())
    }

    /// Why the job has no result.
    pub fn error(&self) -> Option<&EngineError> {
        self.outcome.as_ref().and_then(|outcome| outcome.as_ref().err())
    }
}

/// What the engine is busy with.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// "Computing dft2 of 8192 × 8192", …
    pub label: String,
    /// How far it is, 0 to 1, where that is known.
    pub fraction: Option<f32>,
    /// Since when.
    pub since: std::time::Instant,
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
    #[error("{algorithm} runs on the CPU only: take another algorithm, or -d cpu-parallel")]
    CpuOnly {
        /// The algorithm.
        algorithm: &'static str,
    },
    /// A library where an order of the loops was asked for.
    #[error("{algorithm} orders its loops itself: take another algorithm, or -d cpu")]
    OwnLoops {
        /// The algorithm.
        algorithm: &'static str,
    },
    /// Samples with fractions, where only integers can be taken.
    #[error(
        "{transform} computes modulo 2 and takes integers, and the samples have fractions: round them, or take one channel of a colour picture"
    )]
    Fractions {
        /// The transform.
        transform: &'static str,
    },
    /// What is convolved is not one line, or not as long as the other.
    #[error("{name} has {rows} × {columns} values, and one line of {needed} is needed")]
    Lines {
        /// Name of the signal.
        name: String,
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
        /// The length of the first signal.
        needed: usize,
    },
    /// Integers that may grow beyond 64 bits.
    #[error(
        "the integers of {transform} may grow to {bits} bits, and 63 are kept exactly: take smaller samples, or store them as floating-point numbers"
    )]
    Overflow {
        /// The transform.
        transform: &'static str,
        /// Bits that the largest result may need.
        bits: u32,
    },
    /// Complex samples for a transform of real ones.
    #[error("{transform} takes real samples, and {signal} is complex: take -t {instead}")]
    Complex {
        /// The transform.
        transform: &'static str,
        /// Name of the signal.
        signal: String,
        /// The transform of complex samples along the same axes.
        instead: &'static str,
    },
    /// There is nothing to transform.
    #[error("{transform} needs at least one sample")]
    Empty {
        /// The transform.
        transform: &'static str,
    },
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

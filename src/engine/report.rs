//! What the engine tells whoever listens: the result of a job as it is shown, and how it came about.

use super::{Accuracy, Candidate, EngineError, Job, LineFrame, Request};
use crate::display::Frame;
use crate::gpu;
use crate::plan::{LaneValue, Plan, Precision, Ring};
use crate::schedule::Schedule;
use crate::transforms::{Axes, Parameters, Shape};
use num_complex::Complex64;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A rendered picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// Which part it shows, at which resolution.
    pub frame: Frame,
    /// RGBA, row after row; transparent beside the data.
    pub rgba: Vec<u8>,
    /// Scaled values of the first and the last colour.
    pub range: [f32; 2],
    /// Whether no value is finite, so that no colour means anything.
    pub is_blank: bool,
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
    /// Position, smallest and largest finite scaled value of every pixel column, or of every value where there are fewer of them; those without any are left out.
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
    /// All of that but the preparation, by the wall clock.
    pub total_micros: f64,
    /// Whether the launches were timed by the device itself; otherwise by the wall clock.
    pub device_clock: bool,
    /// Whether kernels and buffers were made for this run: drivers put off work until they are used, so that it takes longer than those after it.
    pub warms_up: bool,
}

impl Times {
    /// Takes over the times of a run on a GPU and of the upload before it.
    pub(super) fn set_run(&mut self, times: &gpu::RunTimes, uploaded: Duration) {
        let share = times.wall_micros / times.launch_micros.len() as f64;
        self.launch_micros = times.launch_micros.iter().map(|launch| launch.unwrap_or(share)).collect();
        self.device_clock = times.launch_micros.iter().all(Option::is_some);
        self.upload_micros = uploaded.as_secs_f64() * 1e6;
        self.total_micros = self.upload_micros + times.wall_micros;
    }

    /// Adds what it took to bring values back from the device since `start`.
    pub(super) fn add_download(&mut self, start: Instant) {
        let micros = start.elapsed().as_secs_f64() * 1e6;
        self.download_micros += micros;
        self.total_micros += micros;
    }

    /// All launches together.
    pub fn kernel_micros(&self) -> f64 {
        self.launch_micros.iter().sum()
    }
}

/// A way to compute a transform, timed once the engine had nothing else to do: from the samples to the whole result in memory, each way in the same manner.
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
    pub device: Vec<Vec<LaneValue>>,
    /// In double precision, by the description of the plan.
    pub reference: Vec<Vec<LaneValue>>,
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
    /// The unknowns of as many equations.
    Unknowns,
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
    /// What it was told: as asked for, and what the samples tell.
    pub parameters: Parameters,
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
    /// Whether values of GF(2) were held as the bits of words.
    pub packed: bool,
    /// Shape of the result.
    pub shape: Shape,
    /// Along which axes the transform acted.
    pub axes: Axes,
    /// What the result holds.
    pub contents: Contents,
    /// Where the time went.
    pub times: Times,
    /// The same of more runs, once they are made: the first one alone says little.
    pub again: Vec<Times>,
    /// Relative error in the 2-norm against double precision, once it is known.
    pub error: Option<f64>,
    /// A plain copy where the job ran that reads and writes as many bytes as have to be, in microseconds, once it is timed: the floor that memory sets.
    pub copy_micros: Option<f64>,
    /// The way that was set, once it is timed as the others are.
    pub as_set: Option<Comparison>,
    /// Other ways, once they are timed.
    pub comparisons: Vec<Comparison>,
    /// Whether everything is known: no comparison is left to be made.
    pub complete: bool,
    /// Values on the lanes of a plan small enough to be drawn whole.
    pub values: Option<Arc<LaneValues>>,
    /// How well the equations are satisfied, where the job solves a system.
    pub accuracy: Option<Accuracy>,
}

impl Outcome {
    /// The outcome of a job as far as it is known before a run.
    pub(super) fn new(algorithm: &'static str, shape: Shape, axes: Axes, contents: Contents) -> Self {
        Self {
            plan: None,
            schedule: None,
            algorithm,
            parameters: Parameters::default(),
            reason: String::new(),
            candidates: Vec::new(),
            device: String::new(),
            software_gpu: false,
            precision: Precision::Single,
            packed: false,
            shape,
            axes,
            contents,
            times: Times::default(),
            again: Vec::new(),
            error: None,
            copy_micros: None,
            as_set: None,
            comparisons: Vec::new(),
            complete: false,
            values: None,
            accuracy: None,
        }
    }

    /// The times of the newest run: the first one alone says little.
    pub fn newest_times(&self) -> &Times {
        self.again.last().unwrap_or(&self.times)
    }

    /// Adds something to why it is as it is.
    pub(super) fn add_note(&mut self, words: &str) {
        let parts = [self.reason.as_str(), words];
        self.reason = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ");
    }

    /// The job that came to this, with what its samples told.
    pub(super) fn ran(&self, job: &Job) -> Job {
        Job { parameters: self.parameters, ..job.clone() }
    }

    /// Bytes that a launch moves through memory, in the precision in which it ran; `None` where a library did the work.
    pub fn launch_bytes(&self, index: usize) -> Option<u64> {
        let (plan, schedule) = (self.plan.as_ref()?, self.schedule.as_ref()?);
        schedule.launches.get(index).map(|launch| self.bytes(launch.bytes_moved(plan) / plan.ring.bytes_per_lane() as u64, plan.ring))
    }

    /// Bytes that any algorithm has to read once and to write once: all inputs and all outputs.
    pub fn bytes_once(&self) -> u64 {
        match &self.plan {
            // Rows come in, and an unknown of each goes out.
            Some(plan) if plan.ring == Ring::Row => self.bytes(plan.inputs as u64, Ring::Row) + self.bytes(plan.outputs as u64, Ring::Real),
            None if self.contents == Contents::Unknowns => {
                self.bytes(self.shape.len() as u64, Ring::Row) + self.bytes(self.shape.len() as u64, Ring::Real)
            }
            Some(plan) => self.bytes((plan.inputs + plan.outputs) as u64, plan.ring),
            None => self.bytes(2 * self.shape.len() as u64, Ring::Complex),
        }
    }

    /// Bytes of so many lanes of a ring as they were held.
    pub fn bytes(&self, n_lanes: u64, ring: Ring) -> u64 {
        if self.packed { n_lanes / 8 } else { n_lanes * self.precision.bytes_per_lane(ring) as u64 }
    }
}

/// A value of a result, as exact as it is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// An exact integer.
    Integer(i64),
    /// Any other.
    Complex(Complex64),
}

impl Value {
    /// The value as a complex number; integers past 2^53 are rounded.
    pub fn complex(self) -> Complex64 {
        match self {
            Self::Integer(value) => Complex64::from(value as f64),
            Self::Complex(value) => value,
        }
    }
}

/// How far a result is from the one in double precision, relative to it in the 2-norm.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Deviation {
    /// Of the result.
    pub error: f64,
    /// Of the nearest values in the precision of the run: what no way to compute can go below; 0 where it is not known.
    pub rounding: f64,
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
    /// A row of the second signal of a convolution.
    pub second_line: Option<Arc<Line>>,
    /// The value at the probed index.
    pub probe: Option<([usize; 2], Value)>,
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

/// Microseconds since `start`.
pub(super) fn micros(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e6
}

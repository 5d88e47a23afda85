//! The report of the engine: the visible part of a result, and how it was computed.

use super::{Accuracy, Candidate, Contents, EngineError, Job, Loss, PlotFrame, Request};
use crate::display::DisplayFrame;
use crate::gpu;
use crate::plan::{LaneValue, Plan, Precision, Ring};
use crate::prepare::PreparedFacts;
use crate::schedule::Schedule;
use crate::statistics::median;
use crate::transforms::{Axes, Parameters, Shape};
use num_complex::Complex64;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A rendered image.
#[derive(Debug, Clone, PartialEq)]
pub struct RenderedImage {
    /// Which part it shows, at which resolution.
    pub frame: DisplayFrame,
    /// RGBA, row after row; transparent outside the data.
    pub rgba: Vec<u8>,
    /// The scaled values that have the first and the last colour.
    pub range: [f32; 2],
    /// Whether no value is finite, so that no colour means anything.
    pub is_blank: bool,
    /// The scaled value of every pixel, or its three colours, if each pixel is one value and there are few enough to read; empty otherwise.
    pub values: Vec<f32>,
    /// The smallest and the largest scaled value of the whole result.
    pub extremes: [f32; 2],
    /// How many values lie in equal parts between these, of those that were looked at; empty for samples.
    pub histogram: Vec<u32>,
}

impl RenderedImage {
    /// A part of an image in these colours, for nobody who reads single values.
    pub fn new(frame: DisplayFrame, rgba: Vec<u8>, range: [f32; 2]) -> Self {
        Self { frame, rgba, range, is_blank: false, values: Vec::new(), extremes: range, histogram: Vec::new() }
    }
}

/// The most peaks that a row reports.
pub const MOST_PEAKS: usize = 64;

/// A row of values, reduced to the pixels of its plot.
#[derive(Debug, Clone, PartialEq)]
pub struct PlotData {
    /// Which part it shows.
    pub frame: PlotFrame,
    /// Number of values in the whole row.
    pub n: usize,
    /// Position, smallest and largest finite scaled value of every pixel column, or of every value if there are fewer values. Columns without finite values are left out.
    pub columns: Vec<[f64; 3]>,
    /// Interpolated position and scaled value of the visible peaks, largest first; at most [`MOST_PEAKS`].
    pub peaks: Vec<(f64, f64)>,
}

/// The times of the parts of one run, in µs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Times {
    /// Making pipelines, tables and buffers, once for each plan and device.
    pub prepare_micros: f64,
    /// Opening the device, as a part of the preparation; 0 where it was open, and on the CPU.
    pub open_micros: f64,
    /// Making kernels, as a part of the preparation; 0 where they were there, and on the CPU.
    pub compile_micros: f64,
    /// Making buffers, beside the kernels; 0 on the CPU.
    pub buffers_micros: f64,
    /// How many times all samples went to the device; 0 on the CPU.
    pub n_uploads: usize,
    /// Host to device; 0 on the CPU.
    pub upload_micros: f64,
    /// Every launch.
    pub launch_micros: Vec<f64>,
    /// Device to host: the visible part, or the whole result for a file; 0 on the CPU.
    pub download_micros: f64,
    /// Everything except the preparation, by the wall clock.
    pub total_micros: f64,
    /// Images and plots of the visible part of a result in memory, beside the total; a device makes them with what it brings back.
    pub image_micros: f64,
    /// Whether the launches were timed by the device itself; otherwise by the wall clock.
    pub device_clock: bool,
    /// Whether kernels and buffers were made for this run. Drivers delay work until their first use, so that this run takes longer than the next.
    pub warms_up: bool,
}

impl Times {
    /// Sets the times of a run of a prepared plan on a GPU and of the upload before it.
    pub(super) fn set_run(&mut self, prepared: &gpu::Prepared, times: &gpu::RunTimes, uploaded: Duration) {
        (self.buffers_micros, self.n_uploads) = (prepared.buffers_micros(), prepared.n_uploads());
        let share = times.wall_micros / times.launch_micros.len() as f64;
        self.launch_micros = times.launch_micros.iter().map(|launch| launch.unwrap_or(share)).collect();
        self.device_clock = times.launch_micros.iter().all(Option::is_some);
        self.upload_micros = uploaded.as_secs_f64() * 1e6;
        self.total_micros = self.upload_micros + times.wall_micros;
    }

    /// Adds the time of a download that began at `start`.
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

/// Another algorithm or device for the same transform, timed when the engine is idle: from the samples to the whole result in memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Algorithm and device, for people.
    pub name: String,
    /// Median time of one run, in µs.
    pub micros: f64,
    /// Lower and upper quartile of the times, in µs.
    pub quartiles_micros: [f64; 2],
    /// Number of timed runs.
    pub n_runs: usize,
}

/// Values on the lanes of a small plan after every stage; entry 0 is the input. A lane that holds nothing is not a number.
#[derive(Debug, Clone, PartialEq)]
pub struct LaneValues {
    /// As the device computed them; empty for a plan that is too long to run stage by stage on a GPU.
    pub device: Vec<Vec<LaneValue>>,
    /// In double precision, by the description of the plan.
    pub reference: Vec<Vec<LaneValue>>,
}

impl LaneValues {
    /// The values of the device, or else those in double precision.
    pub fn shown(&self) -> &Vec<Vec<LaneValue>> {
        if self.device.is_empty() { &self.reference } else { &self.device }
    }
}

/// The result of a job without its values: how it ran, and what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The plan that ran; `None` when a library did the work.
    pub plan: Option<Arc<Plan>>,
    /// The schedule that ran.
    pub schedule: Option<Arc<Schedule>>,
    /// The commands as the GPU got them; `None` where the CPU did the work.
    pub commands: Option<Arc<Vec<gpu::LaunchCommand>>>,
    /// Name of the algorithm that ran.
    pub algorithm: &'static str,
    /// Parameters as asked for, completed from the samples.
    pub parameters: Parameters,
    /// How the samples were prepared, if they were.
    pub preparation: Option<PreparedFacts>,
    /// Why this algorithm and this device, when the choice was automatic.
    pub reason: String,
    /// The algorithms that the automatic choice compared, in the order of the table; empty if one was asked for.
    pub candidates: Vec<Candidate>,
    /// The name of the device that ran it, for people.
    pub device: String,
    /// Whether the device is a GPU emulated by software.
    pub software_gpu: bool,
    /// Precision of real and complex numbers; single for exact lanes.
    pub precision: Precision,
    /// The loss of the samples before anything was computed, and that of a result in memory.
    pub losses: Vec<Loss>,
    /// Whether values of GF(2) were bit-packed.
    pub packed: bool,
    /// Shape of the result.
    pub shape: Shape,
    /// Along which axes the transform acted.
    pub axes: Axes,
    /// The contents of the result.
    pub contents: Contents,
    /// The times of the first run.
    pub times: Times,
    /// The times of further runs, once they are made: the first one alone says little.
    pub again: Vec<Times>,
    /// Relative error in the 2-norm against double precision, once it is known.
    pub error: Option<f64>,
    /// Time in µs of a plain copy of input and output on the same device, once it is known: no algorithm is faster than that.
    pub copy_micros: Option<f64>,
    /// For each launch, the time in µs of a plain copy of its bytes, once it is known. A launch that moves few bytes still costs its start and its end.
    pub launch_copies: Vec<f64>,
    /// The settings of the job, timed like the comparisons.
    pub as_set: Option<Comparison>,
    /// Other algorithms and devices, once they are timed.
    pub comparisons: Vec<Comparison>,
    /// Whether all comparisons are made.
    pub complete: bool,
    /// Values on the lanes of a plan small enough to be drawn whole.
    pub values: Option<Arc<LaneValues>>,
    /// How well the equations are satisfied, where the job solves a system.
    pub accuracy: Option<Accuracy>,
}

impl Outcome {
    /// The outcome of a job as far as it is known before a run.
    pub fn new(algorithm: &'static str, shape: Shape, axes: Axes, contents: Contents) -> Self {
        Self {
            plan: None,
            schedule: None,
            commands: None,
            algorithm,
            parameters: Parameters::default(),
            preparation: None,
            reason: String::new(),
            candidates: Vec::new(),
            device: String::new(),
            software_gpu: false,
            precision: Precision::Single,
            losses: Vec::new(),
            packed: false,
            shape,
            axes,
            contents,
            times: Times::default(),
            again: Vec::new(),
            error: None,
            copy_micros: None,
            launch_copies: Vec::new(),
            as_set: None,
            comparisons: Vec::new(),
            complete: false,
            values: None,
            accuracy: None,
        }
    }

    /// The runs that count, which every place that names a time of this result shows: those at rest, or the first run until there are others.
    pub fn counted_runs(&self) -> &[Times] {
        if self.again.is_empty() { std::slice::from_ref(&self.times) } else { &self.again }
    }

    /// The time of each launch in µs: the median of the runs that count.
    pub fn launch_medians(&self) -> Vec<f64> {
        let of = |launch: usize| self.counted_runs().iter().filter_map(|times| times.launch_micros.get(launch).copied()).collect();
        (0..self.times.launch_micros.len()).map(of).filter_map(median).collect()
    }

    /// The median of a part of the runs that count, in µs.
    pub fn median_of(&self, part: impl Fn(&Times) -> f64) -> f64 {
        median(self.counted_runs().iter().map(part).collect()).unwrap_or_default()
    }

    /// The time of all launches in µs.
    pub fn kernel_median(&self) -> f64 {
        self.median_of(Times::kernel_micros)
    }

    /// The time of the whole result in µs.
    pub fn total_median(&self) -> f64 {
        self.median_of(|times| times.total_micros)
    }

    /// Adds a note to the reason.
    pub(super) fn add_note(&mut self, words: &str) {
        let parts = [self.reason.as_str(), words];
        self.reason = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ");
    }

    /// The job with the parameters that it ran with.
    pub(super) fn ran(&self, job: &Job) -> Job {
        Job { parameters: self.parameters, ..job.clone() }
    }

    /// Bytes that a launch moves through memory, in the precision in which it ran, with the copies of lanes that a GPU makes before and after it;
    /// `None` where a library did the work.
    pub fn launch_bytes(&self, index: usize) -> Option<u64> {
        if let Some(commands) = &self.commands {
            return Some(commands.get(index)?.bytes);
        }
        let (plan, schedule) = (self.plan.as_ref()?, self.schedule.as_ref()?);
        let lane_bytes = self.precision.bytes_per_lane(plan.ring);
        let bytes = schedule.launches.get(index)?.bytes_moved(plan, lane_bytes);
        Some(if self.packed { bytes / (8 * lane_bytes as u64) } else { bytes })
    }

    /// Bytes that any algorithm has to read once and to write once: all inputs and all outputs.
    pub fn bytes_once(&self) -> u64 {
        match &self.plan {
            // A row of a system comes in, and its unknown goes out.
            Some(plan) if plan.ring == Ring::Equation => {
                self.bytes(plan.inputs as u64, Ring::Equation) + self.bytes(plan.outputs as u64, Ring::Real)
            }
            None if self.contents == Contents::Unknowns => {
                self.bytes(self.shape.len() as u64, Ring::Equation) + self.bytes(self.shape.len() as u64, Ring::Real)
            }
            Some(plan) => self.bytes((plan.inputs + plan.outputs) as u64, plan.ring),
            None => self.bytes(2 * self.shape.len() as u64, Ring::Complex),
        }
    }

    /// Bytes of this number of lanes of a ring, in the precision of the run.
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

/// The deviation of a result from double precision, relative in the 2-norm.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Deviation {
    /// The deviation of the result.
    pub error: f64,
    /// The deviation of the nearest values in the precision of the run, which no algorithm can improve; 0 if unknown.
    pub rounding: f64,
}

/// The answer of the engine to a request.
#[derive(Debug, Clone)]
pub struct Report {
    /// The request that this answers.
    pub request: Request,
    /// How the job ran, or why it failed; `None` while it runs, when only the views of the source are new.
    pub outcome: Option<Result<Arc<Outcome>, EngineError>>,
    /// The result as an image.
    pub image: Option<Arc<RenderedImage>>,
    /// The source as an image.
    pub source: Option<Arc<RenderedImage>>,
    /// The second signal as an image.
    pub second: Option<Arc<RenderedImage>>,
    /// A row of the result.
    pub line: Option<Arc<PlotData>>,
    /// The value at the probed index.
    pub probe: Option<([usize; 2], Value)>,
}

impl Report {
    /// How the job ran, if it succeeded.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launches_have_the_medians_of_the_runs_at_rest() {
        let times = |micros: f64| Times { launch_micros: vec![micros, 2.0 * micros], ..Times::default() };
        let first = Outcome { times: times(100.0), ..Outcome::new("stockham", Shape::line(8), Axes::Rows, Contents::Values) };
        assert_eq!(first.launch_medians(), [100.0, 200.0]);
        assert_eq!(Outcome { again: [3.0, 1.0, 2.0].map(times).to_vec(), ..first }.launch_medians(), [2.0, 4.0]);
    }
}

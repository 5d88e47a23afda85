//! Runs jobs for the window and the command line: a [`Request`] goes in, [`Report`]s come out.
//!
//! The newest request wins: work for an older job is given up between two launches, and a change of the view alone never computes a transform again.
//! The engine owns its own device. It knows nothing of egui; a callback says that there is a new report.

mod accuracy;
mod backend;
mod beside;
mod candidate;
mod choice;
mod compute;
mod convolve;
mod cut;
mod devices;
mod elimination;
mod error;
pub mod filter;
mod halves;
mod job;
mod job_runner;
mod lanes;
mod library;
mod limits;
pub mod logic;
mod materialise;
pub mod measure;
mod measured;
mod packed;
mod peaks;
mod plotting;
mod preparing;
mod reduction;
mod rendering;
mod report;
mod request;
mod result;
mod runner;
mod service;
mod timing_lock;
mod tune;
pub mod wavelet;
mod worker;

pub use accuracy::{Accuracy, SolveError};
pub use backend::{Backend, DeviceChoice};
pub use beside::{BesideReport, BesideRequest, BesideStudy, RanPlan};
pub use candidate::{Candidate, Speed};
pub use choice::{Resolved, resolve};
pub use compute::{compute, relative_error, solve};
pub use cut::{Cut, drawn_schedule, note_on_schedule, schedule, schedule_on_gpu};
pub use devices::Devices;
pub use elimination::{Solution, SolutionWarning};
pub use error::EngineError;
pub use job::Job;
pub use job_runner::JobRunner;
pub use lanes::DRAWN_LANES;
pub use measured::{Measured, MeasuredEntry, MeasuredOn, MeasuredTime};
pub use reduction::{MOST_STEPPED, Reduction, SystemReport, SystemRequest, SystemStudy};
pub use report::{Comparison, Contents, Deviation, LaneValues, MOST_PEAKS, Outcome, PlotData, RenderedImage, Report, Times, Value};
pub use request::{PlotFrame, Request, VisibleParts};
pub use result::{Computed, StoredResult, Values};
pub use runner::CaseRunner;
pub use service::Engine;
pub use timing_lock::{TimingGuard, TimingLock, TimingReason};
pub use tune::{Contender, Tuning};
pub use worker::{Ask, Cancellable, Desk, Idle, Progress, Reply, Work, Worker, locked};

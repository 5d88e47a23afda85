//! The subject of questions and checks: the plan of a job, its schedule, and its values on the CPU in double precision.

use crate::engine::{
    CaseRunner as _, Cut, DeviceChoice, Devices, Job, JobRunner, LaneValues, Outcome, SharedResult, drawn_schedule, schedule_on_cpu,
    schedule_on_gpu,
};
use crate::gpu::{Clock, Limits};
use crate::graph::{GraphOptions, GraphRequest};
use crate::plan::{LaneValue, Plan, Precision, Stage};
use crate::schedule::Schedule;
use crate::statistics::median;
use crate::transforms::{Input, Shape, transform};
use num_complex::Complex64;
use std::cell::OnceCell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Signals of at most this number of samples are run; of longer ones only the plan is known.
const MOST_SAMPLES: usize = 1 << 14;

/// How the error of a job without a plan ends.
pub const NO_GRAPH: &str = "has no flow graph";

/// The plan of a job and its run.
#[derive(Clone)]
pub struct Subject {
    /// Name of the algorithm.
    pub algorithm: &'static str,
    /// The plan.
    pub plan: Arc<Plan>,
    /// Its schedule, as drawings show it.
    pub schedule: Arc<Schedule>,
    /// How a CPU and a GPU are asked to cut it.
    cuts: [Cut; 2],
    /// The values of all lanes, where the plan is small enough to be drawn whole.
    values: Option<Arc<LaneValues>>,
    /// The result in natural order, where the job ran.
    result: Option<Vec<Complex64>>,
}

impl Subject {
    /// Plans a job, and runs it where it is small.
    ///
    /// # Errors
    /// When the job cannot run, or has no plan; in one line.
    pub fn of(job: &Job) -> Result<Self, String> {
        let job = Job { device: DeviceChoice::Cpu, precision: Some(Precision::Double), prefer_plan: true, ..job.clone() };
        if job.signal.len() > MOST_SAMPLES {
            return Self::planned(&job);
        }
        let computed = SharedResult::compute(&job, &mut Devices::default(), &AtomicBool::new(false)).map_err(|error| error.to_string())?;
        let (values, outcome) = (computed.values, Outcome::clone(&computed.outcome));
        let shape = outcome.shape;
        let plan = outcome.plan.ok_or_else(|| format!("{} {NO_GRAPH}", outcome.algorithm))?;
        let result = (0..shape.len()).map(|index| values.exact(shape, index / shape.columns, index % shape.columns)).collect();
        let (schedule, cuts) = scheduled(&plan, &job, outcome.algorithm)?;
        Ok(Self { algorithm: outcome.algorithm, plan, schedule, cuts, values: outcome.values, result: Some(result) })
    }

    /// The plan of a job without a run.
    fn planned(job: &Job) -> Result<Self, String> {
        let transform = transform(job.transform).map_err(|error| error.to_string())?;
        let shape = match transform.input {
            Input::Equations => Shape::line(job.signal.rows),
            _ => job.shape(),
        };
        let algorithm = match job.algorithm {
            Some(name) => transform.algorithm(name).map_err(|error| error.to_string())?,
            None => transform.first_plan_for(shape, job.parameters),
        };
        let build = algorithm.plan_fn().ok_or_else(|| format!("{} {NO_GRAPH}", algorithm.name))?;
        let plan = build(shape, job.parameters).map_err(|error| error.to_string())?;
        let (schedule, cuts) = scheduled(&plan, job, algorithm.name)?;
        Ok(Self { algorithm: algorithm.name, plan: Arc::new(plan), schedule, cuts, values: None, result: None })
    }

    /// Its flow graph, with the name of its transform.
    pub fn request(&self, transform: &str, title: &str) -> GraphRequest {
        let options = GraphOptions {
            transform: transform.to_owned(),
            algorithm: self.algorithm.to_owned(),
            title: title.to_owned(),
            ..GraphOptions::default()
        };
        GraphRequest { plan: Plan::clone(&self.plan), schedule: Schedule::clone(&self.schedule), options }
    }

    /// The numbers of launches that a run on a CPU and one on a usual GPU show.
    pub(super) fn n_launches_shown(&self) -> [usize; 2] {
        let [cpu, gpu] = self.cuts;
        [schedule_on_cpu(&self.plan, cpu), schedule_on_gpu(&self.plan, gpu, Limits::DESKTOP)].map(|schedule| schedule.launches.len())
    }

    /// A stage, from 1.
    ///
    /// # Errors
    /// When there is none.
    pub fn stage(&self, number: usize) -> Result<&Stage, String> {
        let index = number.checked_sub(1).filter(|&index| index < self.plan.stages.len());
        Ok(&self.plan.stages[index.ok_or_else(|| format!("there is no stage {number}: the plan has {}", self.plan.stages.len()))?])
    }

    /// The values of all lanes before the first stage and after every stage, where the plan is small enough.
    pub fn values(&self) -> Option<&[Vec<LaneValue>]> {
        self.values.as_ref().map(|values| values.shown().as_slice())
    }

    /// The values of all lanes after a stage; stage 0 is the input.
    ///
    /// # Errors
    /// When the stage does not exist, or the plan is too large.
    pub fn values_after(&self, stage: usize) -> Result<Vec<LaneValue>, String> {
        let values = self.values.as_ref().ok_or("the plan is too large for values on its lanes")?;
        values.shown().get(stage).cloned().ok_or_else(|| format!("there is no stage {stage}"))
    }

    /// The value of a lane after a stage; stage 0 is the input.
    ///
    /// # Errors
    /// When the stage or the lane does not exist, or the plan is too large.
    pub fn value(&self, stage: usize, lane: usize) -> Result<LaneValue, String> {
        self.values_after(stage)?.get(lane).copied().ok_or_else(|| format!("there is no lane {lane}"))
    }

    /// All numbers on the lanes after the stages up to this one.
    pub(super) fn numbers_up_to(&self, stage: usize) -> Result<impl Iterator<Item = Complex64>, String> {
        let values = self.values.as_ref().ok_or("the plan is too large for values on its lanes")?;
        let all = values.shown().iter().take(stage + 1).flatten();
        Ok(all.filter_map(|value| if let LaneValue::Number(value) = value { Some(*value) } else { None }))
    }

    /// The result in natural order, row after row.
    ///
    /// # Errors
    /// When the signal is too long.
    pub fn result(&self) -> Result<Vec<Complex64>, String> {
        self.result.clone().ok_or_else(|| "the signal is too long: take a shorter one for a value of the result".to_owned())
    }
}

/// The schedule of a plan as drawings show it, and how a CPU and a GPU are asked to cut it.
fn scheduled(plan: &Plan, job: &Job, algorithm: &str) -> Result<(Arc<Schedule>, [Cut; 2]), String> {
    let row = transform(job.transform).and_then(|transform| transform.algorithm(algorithm)).map_err(|error| error.to_string())?;
    let cuts = [job.cut.on_cpu(row, job.parameters), job.cut.of(row, job.parameters)];
    let schedule = drawn_schedule(plan, cuts[1]);
    Ok((Arc::new(schedule.ok_or_else(|| format!("{algorithm} has no overlapped tiles"))?), cuts))
}

/// The jobs of a state, and what is known of them so far.
pub struct Subjects {
    job: Job,
    beside: Option<Job>,
    known: [OnceCell<Result<Subject, String>>; 2],
}

impl Subjects {
    /// The subjects of a job and of the one beside it.
    pub fn new(job: Job, beside: Option<Job>) -> Self {
        Self { job, beside, known: [OnceCell::new(), OnceCell::new()] }
    }

    /// The plan of the state.
    ///
    /// # Errors
    /// When it has none.
    pub fn main(&self) -> Result<&Subject, String> {
        self.known[0].get_or_init(|| Subject::of(&self.job)).as_ref().map_err(Clone::clone)
    }

    /// The plan beside it.
    ///
    /// # Errors
    /// When it has none.
    pub fn beside(&self) -> Result<&Subject, String> {
        let job = self.second()?;
        self.known[1].get_or_init(|| Subject::of(job)).as_ref().map_err(Clone::clone)
    }

    /// The plan of another algorithm for the same job.
    ///
    /// # Errors
    /// When there is none.
    pub(super) fn by(&self, algorithm: &str) -> Result<Subject, String> {
        let row = transform(self.job.transform).and_then(|transform| transform.algorithm(algorithm)).map_err(|error| error.to_string())?;
        Subject::of(&Job { algorithm: Some(row.name), ..self.job.clone() })
    }

    /// The names of the two plans: their algorithms, or else their transforms, schedules or devices, whichever differ first.
    ///
    /// # Errors
    /// When one of them has no plan, or nothing differs.
    pub fn names(&self) -> Result<[String; 2], String> {
        let jobs = [&self.job, self.second()?];
        let by = |name: &dyn Fn(&Job) -> String| jobs.map(name);
        let algorithms = [self.main()?, self.beside()?].map(|subject| subject.algorithm.to_owned());
        let names = [algorithms, by(&|job| job.transform.into()), by(&|job| cut_text(job.cut)), by(&|job| job.device.to_string())];
        names.into_iter().find(|[first, second]| first != second).ok_or_else(|| "the two plans are the same".to_owned())
    }

    /// The name of the faster of the two plans, on the devices of their jobs, by the median of a few runs of their launches.
    ///
    /// # Errors
    /// When one of them cannot run, or nothing differs.
    pub(super) fn faster(&self) -> Result<String, String> {
        const RUNS: usize = 15;
        let (mut devices, cancel) = (Devices::default(), AtomicBool::new(false));
        let mut micros = |job: &Job| -> Result<f64, String> {
            let mut runner = JobRunner::new(job, 0, &mut devices, &cancel).map_err(|error| error.to_string())?;
            let samples = runner.kernels(RUNS, Clock::Device, &mut devices, &cancel).map_err(|error| error.to_string())?;
            Ok(median(samples.iter().map(|sample| sample.micros).collect()).ok_or("no run was timed")?)
        };
        let [first, second] = self.names()?;
        Ok(if micros(&self.job)? <= micros(self.second()?)? { first } else { second })
    }

    fn second(&self) -> Result<&Job, String> {
        self.beside.as_ref().ok_or_else(|| "the state has no second plan: give it one with beside = { … }".to_owned())
    }
}

/// A schedule as a lesson writes it.
fn cut_text(cut: Cut) -> String {
    match cut {
        Cut::Tiles => "tiles".into(),
        Cut::TilesOf(lanes) => format!("tiles:{lanes}"),
        Cut::Stages | Cut::StagesOf(_) | Cut::StagesIn(_) | Cut::StagesBy(_) => "stages".into(),
        Cut::Blocks(_) => "blocks".into(),
        Cut::SplitAndMerge(_) => "split-merge".into(),
        Cut::Overlapped(_) => "overlapped".into(),
    }
}

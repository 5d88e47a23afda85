//! Answers the pane of the second flow graph: another plan of the same data, its values and its time, and how it differs from the plan that ran.

use super::runner::CaseRunner as _;
use super::worker::{Ask, Cancellable};
use super::{EngineError, Job, JobRunner, Outcome, SharedResult, Study, StudyMailbox, TimingReason, is_drawn};
use crate::graph::{Counterparts, Difference, differences};
use crate::plan::Plan;
use crate::schedule::Schedule;
use std::sync::Arc;

/// A job runs at most this often again, because the first run of a plan is slow and a single time says little.
const N_AGAIN: usize = 8;
/// The time for further runs, in µs: a job that takes longer does not run again.
const AGAIN_MICROS: f64 = 1e6;

/// A plan that ran, with its schedule.
#[derive(Debug, Clone)]
pub struct RanPlan {
    /// The transform's name in the table.
    pub transform: &'static str,
    /// The plan.
    pub plan: Arc<Plan>,
    /// How it was cut into launches.
    pub schedule: Arc<Schedule>,
}

impl PartialEq for RanPlan {
    fn eq(&self, other: &Self) -> bool {
        let is_same_plan = Arc::ptr_eq(&self.plan, &other.plan) || self.plan == other.plan;
        let is_same_schedule = Arc::ptr_eq(&self.schedule, &other.schedule) || self.schedule == other.schedule;
        self.transform == other.transform && is_same_plan && is_same_schedule
    }
}

/// Another job on the same data, and the plan that it is compared with.
#[derive(Debug, Clone, PartialEq)]
pub struct BesideRequest {
    /// The job.
    pub job: Job,
    /// The plan of the pane *Flow graph*.
    pub first: Option<RanPlan>,
}

impl Ask for BesideRequest {}

/// The answer to a request.
#[derive(Debug, Clone)]
pub struct BesideReport {
    /// How the job ran, or why it failed.
    pub outcome: Result<Arc<Outcome>, EngineError>,
    /// The properties of both plans.
    pub differences: Vec<Difference>,
    /// Which nodes hold the same value, where both plans are drawn whole.
    pub counterparts: Arc<Counterparts>,
}

impl Cancellable for BesideReport {
    fn failed(fault: String) -> Self {
        Self::without_result(EngineError::Fault { fault })
    }

    fn is_cancelled(&self) -> bool {
        self.outcome.is_cancelled()
    }

    fn may_pass(&self) -> bool {
        self.outcome.may_pass()
    }
}

impl BesideReport {
    fn without_result(error: EngineError) -> Self {
        Self { outcome: Err(error), differences: Vec::new(), counterparts: Arc::default() }
    }
}

/// Runs one job after the other.
#[derive(Default)]
pub struct BesideStudy {
    last: Option<(Job, Arc<Outcome>)>,
}

/// Runs a job, and measures it while no other thread does.
fn run(job: &Job, mailbox: &mut StudyMailbox<'_>) -> Result<Arc<Outcome>, EngineError> {
    let (mut runner, mut outcome) = mailbox.devices.surviving(&job.device, |devices| {
        let runner = JobRunner::new(job, 0, devices, mailbox.cancel)?;
        let outcome = runner.outcome().clone();
        Ok((runner, outcome))
    })?;
    let n_again = N_AGAIN.min((AGAIN_MICROS / outcome.times.total_micros.max(1.0)) as usize);
    if n_again > 0 {
        let guard = mailbox.lock_timing(TimingReason::Rest)?;
        outcome.again = (0..n_again).map(|_| runner.round_trip(mailbox.devices, mailbox.cancel)).collect::<Result<_, _>>()?;
        drop(guard);
    }
    Ok(Arc::new(outcome))
}

impl Study for BesideStudy {
    type Request = BesideRequest;
    type Report = BesideReport;

    const NAME: &'static str = "second graph";

    /// It is measured, and may wait for another measurement.
    fn is_long(_: &BesideRequest) -> bool {
        true
    }

    /// The report on a request; only another job runs anew, as its runs are timed.
    fn answer(
        &mut self,
        request: &BesideRequest,
        _: Result<Vec<SharedResult>, EngineError>,
        mut mailbox: StudyMailbox<'_>,
    ) -> BesideReport {
        let known = self.last.take().filter(|(job, _)| *job == request.job);
        let ran = known.map(|(_, outcome)| Ok(outcome)).unwrap_or_else(|| {
            (mailbox.progress)("the second graph", 0.0);
            run(&request.job, &mut mailbox)
        });
        let outcome = match ran {
            Ok(outcome) => outcome,
            Err(error) => return BesideReport::without_result(error),
        };
        self.last = Some((request.job.clone(), outcome.clone()));
        let (mut differing, mut counterparts) = (Vec::new(), Counterparts::default());
        if let (Some(first), Some((plan, schedule))) = (&request.first, outcome.plan.as_ref().zip(outcome.schedule.as_ref())) {
            differing = differences([(&first.plan, &first.schedule), (plan, schedule)]);
            counterparts = match is_drawn(&first.plan) && is_drawn(plan) {
                true => Counterparts::of([&first.plan, plan], first.transform == request.job.transform),
                false => Counterparts::of_stages([&first.plan, plan]),
            };
        }
        BesideReport { outcome: Ok(outcome), differences: differing, counterparts: Arc::new(counterparts) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{DeviceChoice, Store, study::asked};
    use crate::signal::{Samples, Signal};

    fn job(algorithm: &'static str) -> Job {
        let signal = Arc::new(Signal::row("eight", Samples::F64((0..8).map(f64::from).collect())));
        Job { algorithm: Some(algorithm), device: DeviceChoice::Cpu, prefer_plan: true, ..Job::new(signal, "walsh") }
    }

    #[test]
    fn another_algorithm_gives_the_same_results_and_says_what_differs() {
        let mut study = BesideStudy::default();
        let mut answer = |request: BesideRequest| asked(&mut study, &request, &Store::default());
        let first = answer(BesideRequest { job: job("cooley-tukey"), first: None }).outcome.unwrap();
        let (plan, schedule) = (first.plan.clone().unwrap(), first.schedule.clone().unwrap());
        let request = BesideRequest { job: job("constant-geometry"), first: Some(RanPlan { transform: "walsh", plan, schedule }) };
        let report = answer(request);
        let second = report.outcome.as_ref().unwrap();
        let last = |outcome: &Outcome| outcome.values.as_ref().unwrap().device.last().unwrap().clone();
        assert_eq!(last(&first), last(second), "both are in natural order");
        assert!(second.again.len() == N_AGAIN && second.launch_medians().iter().sum::<f64>() > 0.0);
        let differing: Vec<_> = report.differences.iter().filter(|row| !row.is_none()).map(|row| row.what).collect();
        assert_eq!(differing, ["Reads", "Writes", "Buffers"]);
        assert!(matches!(answer(BesideRequest { job: job("none"), first: None }).outcome, Err(EngineError::Unsupported(_))));
    }
}

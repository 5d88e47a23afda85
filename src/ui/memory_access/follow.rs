//! The plan and the launches whose accesses are shown, and the worker that follows kernels.

use super::facts::AccessFacts;
use crate::engine::{
    AccessBy, AccessChoice, AccessStudy, Ask, Cancellable, EngineError, Reply, SharedResult, Study, StudyMailbox, schedule_on_gpu,
};
use crate::gpu::{AdapterInfo, Limits};
use crate::graph::access::SUBGROUP;
use crate::lesson::Topic;
use crate::numerals::integer;
use crate::plan::{Plan, Precision};
use crate::schedule::Schedule;
use crate::ui::learn::LearnMemory;
use crate::ui::settings::MemoryLook;
use crate::ui::shown::Results;
use crate::ui::studied::Studied;
use crate::ui::studies::Studies;
use std::sync::Arc;

/// The plan that ran, and the launches of a GPU.
#[derive(Clone)]
pub(super) struct Target {
    pub(super) plan: Arc<Plan>,
    pub(super) schedule: Arc<Schedule>,
    pub(super) limits: Limits,
    /// Whether these launches ran; a CPU has none of its own.
    pub(super) ran: bool,
    /// Threads of a subgroup of the adapter.
    subgroup: usize,
    /// Rows and columns of the image, where the lanes are one.
    pub(super) image: Option<[usize; 2]>,
    /// Why the kernels are not those that ran.
    pub(super) note: Option<&'static str>,
}

/// Which accesses the worker is asked for.
#[derive(Debug, Clone)]
pub(super) struct AccessRequestOf {
    pub(super) plan: Arc<Plan>,
    schedule: Arc<Schedule>,
    limits: Limits,
    choice: AccessChoice,
}

impl PartialEq for AccessRequestOf {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.plan, &other.plan)
            && Arc::ptr_eq(&self.schedule, &other.schedule)
            && (self.limits, self.choice) == (other.limits, other.choice)
    }
}

impl Ask for AccessRequestOf {}

/// The accesses with what is counted of them, or why there are none.
pub(super) struct Followed(pub(super) Result<(AccessStudy, AccessFacts), String>);

/// The newest answer of the worker.
pub(super) type Answer = Arc<Reply<AccessRequestOf, Followed>>;

impl Cancellable for Followed {
    fn failed(fault: String) -> Self {
        Self(Err(fault))
    }
}

/// Follows one kernel after the other.
pub(super) struct FollowedAccesses;

impl Study for FollowedAccesses {
    type Request = AccessRequestOf;
    type Report = Followed;

    const NAME: &'static str = "memory accesses";

    fn answer(&mut self, request: &AccessRequestOf, _: Result<Vec<SharedResult>, EngineError>, _: StudyMailbox<'_>) -> Followed {
        let counted = AccessStudy::new(&request.plan, &request.schedule, request.limits, request.choice).map(|study| {
            let facts = AccessFacts::of(&study);
            (study, facts)
        });
        Followed(counted.map_err(|error| error.to_string()))
    }
}

/// The study that follows kernels, and the target from frame to frame.
pub(super) struct Follower {
    pub(super) studied: Studied<FollowedAccesses>,
    target: Option<(Arc<Plan>, Target)>,
}

impl Follower {
    pub(super) fn new(studies: &Studies) -> Self {
        Self { studied: Studied::new(studies, || FollowedAccesses), target: None }
    }

    /// The plan whose newest run is shown; `None` without a plan.
    pub(super) fn target(&mut self, results: Results<'_>, adapters: &[AdapterInfo]) -> Option<Target> {
        let (job, outcome) = results.run()?;
        let (plan, schedule) = (outcome.plan.as_ref()?, outcome.schedule.as_ref()?);
        if plan.stages.is_empty() {
            return None;
        }
        if let Some((_, target)) = self.target.as_ref().filter(|(known, _)| Arc::ptr_eq(known, plan)) {
            return Some(target.clone());
        }
        let adapter = adapters.iter().find(|adapter| outcome.device.contains(&adapter.name));
        let limits = adapter.map_or(Limits::DESKTOP, AdapterInfo::limits).in_precision(outcome.precision);
        let [rows, columns] = [outcome.shape.rows, outcome.shape.columns];
        let image = (rows > 1 && columns > 1 && rows * columns <= plan.lanes).then_some([rows, columns]);
        let schedule = match adapter {
            Some(_) => schedule.clone(),
            // A CPU has other launches.
            None => Arc::new(schedule_on_gpu(plan, job.cut, limits)),
        };
        let note = match adapter {
            None => Some("The CPU ran it; these are the kernels of a usual graphics card"),
            Some(_) if outcome.packed => Some("It ran bit-packed, 32 values in a word; these are the kernels for single values"),
            Some(_) => None,
        };
        let subgroup = adapter.and_then(|adapter| adapter.subgroups).map_or(SUBGROUP, |[_, most]| (most as usize).max(SUBGROUP));
        let target = Target { plan: plan.clone(), schedule, limits, ran: adapter.is_some() && !outcome.packed, subgroup, image, note };
        self.target = Some((plan.clone(), target.clone()));
        Some(target)
    }
}

impl Target {
    /// The launch that runs a stage.
    pub(super) fn launch_of(&self, stage: usize) -> Option<usize> {
        self.schedule.launches.iter().position(|launch| launch.stages.contains(&stage))
    }

    /// The request.
    pub(super) fn request(&self, look: &MemoryLook, stage: usize, launch: Option<usize>) -> AccessRequestOf {
        let by = look.shown_by();
        let is_kernel = by == AccessBy::Kernel;
        let choice = AccessChoice {
            by,
            // A kernel does not change from stage to stage.
            launch: launch.filter(|_| is_kernel).unwrap_or(0),
            stage: if is_kernel { 0 } else { stage },
            group: if is_kernel { look.group } else { 0 },
            subgroup: look.subgroup,
            subgroup_size: self.subgroup,
            // No pitch is shorter than a row.
            pitch: (!look.padded).then_some(0),
        };
        AccessRequestOf { plan: self.plan.clone(), schedule: self.schedule.clone(), limits: self.limits, choice }
    }

    /// The columns of the flow graph before and after what is shown.
    pub(super) fn columns(&self, stage: usize, launch: Option<usize>, by: AccessBy) -> [usize; 2] {
        match (by, launch) {
            (AccessBy::Kernel, Some(launch)) => [self.schedule.launches[launch].stages.start, self.schedule.launches[launch].stages.end],
            _ => [stage, stage + 1],
        }
    }

    /// The stage and its launch.
    pub(super) fn title(&self, learn: &LearnMemory, stage: usize, launch: Option<usize>, by: AccessBy) -> String {
        let label = learn.stage_name(&self.plan.stages[stage]);
        let (n_stages, n_launches) = (self.plan.stages.len(), self.schedule.launches.len());
        // A question may ask for the number of stages or of launches.
        if learn.hides_in(Topic::Counts, false) {
            return if stage + 1 == n_stages {
                format!("The last stage, {label}")
            } else {
                format!("Stage {}, {label}", integer(stage + 1))
            };
        }
        let of_stage = format!("Stage {} of {}, {label}", integer(stage + 1), integer(n_stages));
        let Some(launch) = launch.filter(|_| by == AccessBy::Kernel) else { return of_stage };
        let stages = &self.schedule.launches[launch].stages;
        let with = match stages.len() {
            1 => String::new(),
            _ => format!(", which runs stages {} to {}", integer(stages.start + 1), integer(stages.end)),
        };
        let note = self.note.map_or_else(String::new, |note| format!(". {note}"));
        format!("{of_stage}: launch {} of {}{with}{note}", integer(launch + 1), integer(n_launches))
    }

    /// Bytes of a lane.
    pub(super) fn lane_bytes(&self) -> usize {
        self.limits.precision.bytes_per_lane(self.plan.ring)
    }

    /// Whether it is in double precision.
    pub(super) fn is_double(&self) -> bool {
        self.limits.precision == Precision::Double
    }
}

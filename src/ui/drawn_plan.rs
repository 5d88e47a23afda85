//! A plan that is drawn, or its miniature, with what a flow graph shows of it.

use super::flow_graph::{GraphContent, Miniature, NodeValues, SharedFocus, miniature};
use crate::engine::{Job, LaneValues, Outcome, is_drawn};
use crate::graph::HiddenParts;
use crate::plan::Plan;
use crate::schedule::Schedule;
use std::sync::Arc;

/// The plan that is drawn, with its miniature.
pub(super) struct DrawnPlan {
    pub plan: Arc<Plan>,
    pub schedule: Arc<Schedule>,
    pub miniature: Option<Miniature>,
    pub values: Option<Arc<LaneValues>>,
    /// The median time of every launch, in µs.
    launch_micros: Vec<f64>,
    title: String,
}

/// The state that changes from frame to frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct GraphFrame {
    /// The state that other views of the plan share.
    pub shared: SharedFocus,
    /// The launch to highlight.
    pub lit: Option<usize>,
    /// Whether it is the graph beside the first one.
    pub is_second: bool,
    /// The facts that an open question asks for.
    pub hidden: HiddenParts,
}

impl DrawnPlan {
    /// The plan of an outcome, with its miniature from the frame before where the plan is the same; `None` where a library did the work.
    pub(super) fn of(before: Option<Self>, job: &Job, outcome: &Outcome) -> Option<Self> {
        let (plan, schedule) = outcome.plan.as_ref().zip(outcome.schedule.as_ref())?;
        let known = before.filter(|drawn| Arc::ptr_eq(&drawn.plan, plan) && Arc::ptr_eq(&drawn.schedule, schedule));
        let drawn = known.unwrap_or_else(|| Self {
            plan: plan.clone(),
            schedule: schedule.clone(),
            miniature: if !is_drawn(plan) { miniature(job, outcome, plan, schedule) } else { None },
            values: None,
            launch_micros: Vec::new(),
            title: String::new(),
        });
        // The same plan has new values when the samples change.
        let title = format!("{}, {}", job.transform, outcome.algorithm);
        Some(Self { values: outcome.values.clone(), launch_micros: outcome.launch_medians(), title, ..drawn })
    }

    /// The plan of the flow graph; `None` for one that is too large and has no miniature.
    pub(super) fn content<'a>(&'a self, job: &'a Job, outcome: &'a Outcome, frame: GraphFrame) -> Option<GraphContent<'a>> {
        let (plan, schedule) = (&*self.plan, &*self.schedule);
        let values = self.values.as_ref().map(|values| NodeValues {
            device: Some(&values.device[..]).filter(|device| !device.is_empty()),
            reference: Some(&values.reference),
        });
        let whole = GraphContent {
            plan,
            schedule,
            transform: job.transform,
            algorithm: outcome.algorithm,
            title: &self.title,
            why: if job.algorithm.is_none() { outcome.reason.as_str() } else { "" },
            is_second: frame.is_second,
            shared: Some(frame.shared),
            miniature_of: None,
            is_shrunk: false,
            launch_micros: Some(&self.launch_micros[..]).filter(|_| !frame.hidden.times && !frame.hidden.frames),
            lit: frame.lit,
            hidden: frame.hidden,
            samples: None,
            values,
            words: None,
        };
        match &self.miniature {
            Some(Miniature { plan: small, schedule: launches, is_shrunk }) => Some(GraphContent {
                plan: small,
                schedule: launches,
                miniature_of: Some((plan, schedule)),
                is_shrunk: *is_shrunk,
                launch_micros: whole.launch_micros.filter(|_| *is_shrunk),
                // The nodes of a miniature are not nodes of the run.
                shared: Some(SharedFocus { pinned: None, lit: None, ..frame.shared }),
                lit: whole.lit.filter(|_| launches.launches.len() == schedule.launches.len()),
                values: None,
                ..whole
            }),
            None if !is_drawn(plan) => None,
            None => Some(whole),
        }
    }

    /// The number of stages of the run that have run when the drawing shows `n_drawn`, of which it has `n_all`.
    pub(super) fn n_run(&self, n_drawn: usize, n_all: usize) -> usize {
        if n_drawn >= n_all { self.plan.stages.len() } else { n_drawn }
    }
}

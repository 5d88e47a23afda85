//! How a handout shows the flow graph of an outcome.

use super::{Job, Outcome};
use crate::graph::{GraphOptions, GraphRequest, HandoutGraph, HiddenParts, PageFocus, plan_facts};
use crate::numerals::duration;
use crate::plan::Plan;
use crate::schedule::Schedule;

impl Outcome {
    /// The flow graph of the plan that ran, with its counts, its values and the time of its launches; `None` where a library did the work.
    ///
    /// Of a run several times, the time is the sum of the launches' medians.
    pub fn on_handout(&self, job: &Job, focus: PageFocus, hidden: HiddenParts) -> Option<HandoutGraph> {
        let (plan, schedule) = (self.plan.as_deref()?, self.schedule.as_deref()?);
        let options = GraphOptions { transform: job.transform.into(), algorithm: self.algorithm.into(), ..GraphOptions::default() };
        let request = GraphRequest { plan: Plan::clone(plan), schedule: Schedule::clone(schedule), options };
        let time =
            (!hidden.times && !hidden.frames).then(|| format!("{} in its launches, on {}", duration(self.kernel_median()), self.device));
        let facts = plan_facts(&request, hidden).into_iter().chain(time).collect();
        let values = self.values.as_ref().map(|values| values.shown().clone());
        Some(HandoutGraph { facts, request, values, focus, hidden })
    }
}

//! The costs of a plan, a study: to count a plan of a million lanes would block the window for a second.

use super::studied::Studied;
use super::studies::Studies;
use crate::engine::{Ask, EngineError, SharedResult, Study, StudyMailbox};
use crate::plan::{OperationCounts, Plan, Stage};
use egui::Context;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Plans of more lanes are not counted, as the count would take too long.
pub(super) const MOST_LANES: usize = 1 << 20;

/// The costs of a plan.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Costs {
    /// The operations of each stage.
    stages: Arc<[OperationCounts]>,
    /// Whether every butterfly writes where it has read.
    pub in_place: bool,
}

impl Costs {
    /// The operations of some stages.
    pub(super) fn operations(&self, stages: Range<usize>) -> OperationCounts {
        self.stages[stages].iter().copied().sum()
    }
}

/// A plan whose costs are asked for.
#[derive(Debug, Clone)]
struct CountOf(Arc<Plan>);

impl Ask for CountOf {}

impl PartialEq for CountOf {
    /// Every run makes a new plan, which mostly equals the last one.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

/// Counts the costs of a plan.
struct CostStudy;

impl Study for CostStudy {
    type Request = CountOf;
    type Report = Result<Costs, EngineError>;

    const NAME: &'static str = "costs";

    fn answer(&mut self, CountOf(plan): &CountOf, _: Result<Vec<SharedResult>, EngineError>, mailbox: StudyMailbox<'_>) -> Self::Report {
        let go_on = |_: &&Stage| !mailbox.cancel.load(Ordering::Relaxed);
        let stages: Arc<[_]> = plan.stages.iter().take_while(go_on).map(Stage::operations).collect();
        if stages.len() < plan.stages.len() {
            return Err(EngineError::Cancelled);
        }
        Ok(Costs { stages, in_place: plan.in_place() })
    }
}

/// Counts the costs of the plan that was requested last, one plan at a time, so that settings on the move leave the window its processor.
pub(super) struct Counter(Studied<CostStudy>);

impl Counter {
    /// Has counted nothing yet.
    pub(super) fn new(studies: &Studies) -> Self {
        Self(Studied::new(studies, || CostStudy))
    }

    /// The costs of a plan, once they are counted; the first call starts the count.
    pub(super) fn costs(&mut self, ctx: &Context, plan: &Arc<Plan>) -> Option<Costs> {
        let request = (plan.lanes <= MOST_LANES).then(|| CountOf(plan.clone()))?;
        self.0.ask(ctx, Some(&request)).filter(|answer| answer.is_newest)?.reply.result.clone().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transforms::{Parameters, Shape, transform};
    use std::time::{Duration, Instant};

    #[test]
    fn a_plan_is_counted_once() {
        let build =
            transform("dft").and_then(|dft| dft.algorithm("stockham-2")).ok().and_then(|found| found.plan_fn()).expect("it is known");
        let plan = || Arc::new(build(Shape { rows: 1, columns: 8 }, Parameters::default()).expect("8 is a power of two"));
        let (ctx, mut counter, deadline) =
            (Context::default(), Counter::new(&Studies::default()), Instant::now() + Duration::from_secs(10));
        let first = plan();
        let mut costs = None;
        while costs.is_none() && Instant::now() < deadline {
            costs = counter.costs(&ctx, &first);
            std::thread::sleep(Duration::from_millis(1));
        }
        let costs = costs.expect("the count ends within the deadline");
        assert_eq!(costs.operations(0..first.stages.len()), first.operations());
        assert_eq!(costs.operations(1..2), first.stages[1].operations());
        assert_eq!(counter.costs(&ctx, &plan()), Some(costs), "the same plan from another run is known at once");
    }
}

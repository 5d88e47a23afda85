//! The costs of a plan, counted once per plan on a thread: a plan of a million lanes would block the window for a second.

use crate::plan::{OperationCounts, Plan};
use egui::Context;
use std::sync::{Arc, OnceLock};

/// Plans of more lanes are not counted, as the count would take too long.
pub(super) const MOST_LANES: usize = 1 << 20;

/// The costs of a plan.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Costs {
    /// Additions of two numbers.
    pub additions: u64,
    /// Multiplications by other numbers than ±1 and ±i.
    pub multiplications: u64,
    /// Whether every butterfly writes where it has read.
    pub in_place: bool,
}

/// Counts the costs of the plan that was requested last.
#[derive(Default)]
pub(super) struct Counter {
    counted: Option<(Arc<Plan>, Arc<OnceLock<Costs>>)>,
}

impl Counter {
    /// The costs of a plan, once they are counted; the first call starts the count.
    pub(super) fn costs(&mut self, ctx: &Context, plan: &Arc<Plan>) -> Option<Costs> {
        if plan.lanes > MOST_LANES {
            return None;
        }
        // Every run makes a new plan, which mostly equals the last one.
        if let Some((_, costs)) = self.counted.as_ref().filter(|(known, _)| Arc::ptr_eq(known, plan) || known == plan) {
            return costs.get().copied();
        }
        let (costs, ctx) = (Arc::new(OnceLock::new()), ctx.clone());
        self.counted = Some((plan.clone(), costs.clone()));
        let plan = plan.clone();
        let work = move || {
            let OperationCounts { additions, multiplications } = plan.operations();
            costs.get_or_init(|| Costs { additions, multiplications, in_place: plan.in_place() });
            ctx.request_repaint();
        };
        // Without a thread the costs stay unknown, and nothing else is lost.
        let _ = std::thread::Builder::new().name("costs".into()).spawn(work);
        None
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
        let (ctx, mut counter, deadline) = (Context::default(), Counter::default(), Instant::now() + Duration::from_secs(10));
        let first = plan();
        let mut costs = None;
        while costs.is_none() && Instant::now() < deadline {
            costs = counter.costs(&ctx, &first);
            std::thread::sleep(Duration::from_millis(1));
        }
        let operations = first.operations();
        assert_eq!(costs.map(|costs| (costs.additions, costs.multiplications)), Some((operations.additions, operations.multiplications)));
        assert_eq!(counter.costs(&ctx, &plan()), costs, "the same plan from another run is known at once");
    }
}

//! What a miniature shows of the plan that ran, and what it does not: whoever counts stages shall not be misled.

use crate::numerals::integer;
use crate::plan::Plan;
use crate::schedule::Schedule;

/// Different stages that are listed at most; more of them are only counted.
const MOST_LISTED: usize = 4;

/// How many lanes are shown of how many, and where stages and launches differ.
pub(super) fn told(ran: (&Plan, &Schedule), shown: (&Plan, &Schedule)) -> String {
    let lanes = format!("Miniature: {} of {} lanes", integer(shown.0.lanes), integer(ran.0.lanes));
    let labels = |(plan, _): (&Plan, &Schedule)| plan.stages.iter().map(|stage| stage.label.clone()).collect::<Vec<_>>();
    if labels(ran) == labels(shown) && ran.1.launches.len() == shown.1.launches.len() {
        format!("{lanes}, with the same stages in the same launches")
    } else {
        format!("{lanes}. The run has {}, the miniature {}", structure(ran), structure(shown))
    }
}

/// "3 stages (radix 16, 2 × radix 8) in 1 launch".
fn structure((plan, schedule): (&Plan, &Schedule)) -> String {
    let count = |n: usize, one: &str, many: &str| format!("{} {}", integer(n), if n == 1 { one } else { many });
    let groups: Vec<_> = plan.stages.chunk_by(|a, b| a.label == b.label).collect();
    let listed = groups.iter().map(|group| match group.len() {
        1 => group[0].label.to_string(),
        n => format!("{n} × {}", group[0].label),
    });
    let list =
        if (1..=MOST_LISTED).contains(&groups.len()) { format!(" ({})", listed.collect::<Vec<_>>().join(", ")) } else { String::new() };
    let launches = count(schedule.launches.len(), "launch", "launches");
    format!("{}{list} in {launches}", count(plan.stages.len(), "stage", "stages"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transforms::{Parameters, Shape, transform};

    fn plan(algorithm: &str, n: usize) -> (Plan, Schedule) {
        let algorithm = transform("dft").expect("it is in the table").algorithm(algorithm).expect("it is in the table");
        let build = algorithm.plan_fn().expect("it is a plan");
        let plan = build(Shape::line(n), Parameters::default()).expect("a power of two");
        let schedule = Schedule::tiled(&plan, n);
        (plan, schedule)
    }

    fn of(algorithm: &str, ran: usize, shown: usize) -> String {
        let [(ran, in_launches), (shown, cut)] = [ran, shown].map(|n| plan(algorithm, n));
        told((&ran, &in_launches), (&shown, &cut))
    }

    #[test]
    fn other_stages_are_told_and_equal_ones_too() {
        assert_eq!(
            of("stockham", 1024, 16),
            "Miniature: 16 of 1024 lanes. The run has 3 stages (radix 16, 2 × radix 8) in 1 launch, the miniature 1 stage (radix 16) in 1 launch"
        );
        assert!(of("cooley-tukey", 1 << 20, 16).contains("The run has 21 stages in 1 launch, the miniature 5 stages in 1 launch"));
        let [(small, cut), (other, _)] = [8, 64].map(|n| plan("stockham-8", n));
        let batch = (small.clone().batched(32), cut.clone());
        assert_eq!(told((&batch.0, &batch.1), (&small, &cut)), "Miniature: 8 of 256 lanes, with the same stages in the same launches");
        assert!(told((&other, &cut), (&small, &cut)).contains("(2 × radix 8)"));
    }
}

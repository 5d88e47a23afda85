//! The differences of two plans of the same data: distances, buffers, order, operations and launches, all counted from the plans.

use super::fold::is_permutation;
use crate::numerals::integer;
use crate::plan::{Plan, Stage};
use crate::schedule::Schedule;

/// Plans of more lanes are not counted, as that would take too long.
const MOST_COUNTED_LANES: usize = 1 << 20;
/// A longer list of distances that follow no rule is cut.
const MOST_LISTED: usize = 5;

/// One property of two plans.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The property, such as `Reads` or `Launches`.
    pub what: &'static str,
    /// Its value for the first plan and for the second one.
    pub values: [String; 2],
}

impl Difference {
    /// A property with its values for two plans.
    pub fn of<T>(what: &'static str, of: [T; 2], text: impl Fn(T) -> String) -> Self {
        Self { what, values: of.map(text) }
    }

    /// Whether both plans have the same value.
    pub fn is_none(&self) -> bool {
        self.values[0] == self.values[1]
    }
}

/// The properties of two plans with their schedules, equal ones too.
pub fn differences(plans: [(&Plan, &Schedule); 2]) -> Vec<Difference> {
    let only = plans.map(|(plan, _)| plan);
    let mut all = vec![
        Difference::of("Lanes", only, |plan| integer(plan.lanes)),
        Difference::of("Stages", only, stages),
        Difference::of("Reads", only, |plan| rule(plan, read_distance)),
        Difference::of("Writes", only, |plan| rule(plan, write_distance)),
        Difference::of("Output", only, |plan| plan.output.name().into()),
        Difference::of("Launches", plans, |(_, schedule)| integer(schedule.launches.len())),
    ];
    if only.iter().all(|plan| plan.lanes <= MOST_COUNTED_LANES) {
        let counts = only.map(Plan::operations);
        all.push(Difference::of("Buffers", only, |plan| if plan.in_place() { "in place".into() } else { "two".into() }));
        all.push(Difference::of("Additions", counts, |count| integer(count.additions as usize)));
        all.push(Difference::of("Products", counts, |count| integer(count.multiplications as usize)));
    }
    all
}

/// How many lanes apart the first two taps of a stage's first butterfly are; `None` where it has one tap, or reads a zero of the extension.
pub fn read_distance(stage: &Stage) -> Option<usize> {
    let [first, second] = [0, 1].map(|k| (k < stage.matrix().taps).then(|| stage.read_lane(0, 0, 0, k)).flatten());
    Some(first?.abs_diff(second?))
}

/// How many lanes apart the first two results of a stage's first butterfly are; `None` where it has one result.
pub fn write_distance(stage: &Stage) -> Option<usize> {
    (stage.matrix().rows > 1).then(|| stage.write_lane(0, 0, 0, 0).abs_diff(stage.write_lane(0, 0, 0, 1)))
}

/// The number of stages, and how many of them only move values.
fn stages(plan: &Plan) -> String {
    match plan.stages.iter().filter(|stage| is_permutation(stage)).count() {
        0 => integer(plan.stages.len()),
        moving => format!("{} + {moving} that only move values", integer(plan.stages.len() - moving)),
    }
}

/// The distances of all stages as a rule, `always N/2` or `N/2, N/4, … 1`.
fn rule(plan: &Plan, distance: impl Fn(&Stage) -> Option<usize>) -> String {
    let distances: Vec<usize> = plan.stages.iter().filter(|stage| !is_permutation(stage)).filter_map(distance).collect();
    // Rows of a batch repeat the distances of one row.
    let n = plan.output.row_length().unwrap_or(plan.lanes);
    distance_rule(&distances, n)
}

/// Distances as a rule for rows of `n` lanes.
fn distance_rule(distances: &[usize], n: usize) -> String {
    let text = |&distance: &usize| match distance {
        // A large distance is a part of the row, a small one is a number.
        _ if distance > 1 && distance * distance >= n && n.is_multiple_of(distance) => format!("N/{}", n / distance),
        _ => integer(distance),
    };
    let listed = |some: &[usize]| some.iter().map(text).collect::<Vec<_>>().join(", ");
    let (Some(first), Some(last)) = (distances.first(), distances.last()) else { return "single values".into() };
    let is_geometric = |ratio: fn(usize, usize) -> bool| distances.windows(2).all(|pair| ratio(pair[0], pair[1]));
    if distances.len() > 1 && distances.iter().all(|distance| distance == first) {
        format!("always {}", text(first))
    } else if distances.len() > 3 && (is_geometric(|a, b| a == 2 * b) || is_geometric(|a, b| b == 2 * a)) {
        format!("{}, … {}", listed(&distances[..2]), text(last))
    } else if distances.len() > MOST_LISTED {
        format!("{}, …", listed(&distances[..MOST_LISTED]))
    } else {
        listed(distances)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transforms::{Parameters, Shape, transform};

    fn plan(name: &str, algorithm: &str, n: usize) -> (Plan, Schedule) {
        let build = transform(name).unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
        let plan = build(Shape::line(n), Parameters::default()).unwrap();
        let schedule = Schedule::by_stage(&plan);
        (plan, schedule)
    }

    fn of(first: &(Plan, Schedule), second: &(Plan, Schedule)) -> Vec<Difference> {
        differences([first, second].map(|(plan, schedule)| (plan, schedule)))
    }

    /// The papers say that Cooley-Tukey halves the distance in place, and that constant geometry keeps it with two buffers.
    #[test]
    fn walsh_by_two_algorithms_differs_in_geometry_and_memory_only() {
        let both = of(&plan("walsh", "cooley-tukey", 16), &plan("walsh", "constant-geometry", 16));
        let value = |what: &str| both.iter().find(|row| row.what == what).map(|row| row.values.clone()).unwrap();
        assert_eq!(value("Reads"), ["N/2, N/4, … 1", "always 1"]);
        assert_eq!(value("Writes"), ["N/2, N/4, … 1", "always N/2"]);
        assert_eq!(value("Buffers"), ["in place", "two"]);
        let equal: Vec<_> = both.iter().filter(|row| row.is_none()).map(|row| (row.what, row.values[0].as_str())).collect();
        let expected = [("Lanes", "16"), ("Stages", "4"), ("Output", "natural order"), ("Launches", "4"), ("Additions", "64")];
        assert_eq!(equal, [&expected[..], &[("Products", "0")]].concat());
    }

    #[test]
    fn stages_that_only_move_values_have_no_distance() {
        let both = of(&plan("dft", "cooley-tukey-dit", 8), &plan("dft", "constant-geometry", 8));
        assert!(both.iter().any(|row| row.what == "Reads" && row.values[0] == "1, 2, N/2"), "{both:?}");
    }

    #[test]
    fn distances_become_rules() {
        assert_eq!(distance_rule(&[4, 4, 4], 8), "always N/2");
        assert_eq!(distance_rule(&[1, 2, 4, 8, 16], 32), "1, 2, … N/2");
        assert_eq!(distance_rule(&[4, 2, 1], 8), "N/2, 2, 1");
        assert_eq!(distance_rule(&[512, 256, 3], 1024), "N/2, N/4, 3");
        assert_eq!(distance_rule(&[5; 1], 1024), "5");
        assert_eq!(distance_rule(&[], 8), "single values");
    }
}

//! Which nodes of two plans hold the same value, whatever the data: the same coefficient, the same input, the same sum on the way.
//!
//! Nodes are compared by what they compute from inputs drawn at random; two sums that differ agree on such inputs only by an accident of about 1 in 10⁹.

use super::fold::is_permutation;
use super::node::GraphNode;
use crate::plan::{Plan, Ring};
use crate::random::Random;
use num_complex::Complex64;
use std::collections::HashMap;

/// Number of inputs that are drawn; over bits one of them tells little.
const N_DRAWN: usize = 2;
const N_DRAWN_BITS: usize = 40;
/// Values are equal to this many parts of 1; the drawn inputs are integers below 1000.
const PARTS: f64 = 1e5;

/// The nodes of two plans, sorted by the value that they hold.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Counterparts {
    /// `[plan][column][lane]`: nodes of one number hold one value; `None` where the lane holds nothing.
    values: [Vec<Vec<Option<usize>>>; 2],
    /// `[plan]`: the index of the result on every lane.
    outputs: [Vec<usize>; 2],
    /// `[plan][n]`: how many of the first n stages compute.
    n_computing: [Vec<usize>; 2],
    /// Whether results of equal index are the same coefficient.
    is_same_transform: bool,
}

/// One of the two plans.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanOf {
    /// The plan of the pane *Flow graph*.
    First,
    /// The plan beside it.
    Second,
}

impl PlanOf {
    /// The other plan.
    pub fn other(self) -> Self {
        if self == Self::First { Self::Second } else { Self::First }
    }
}

impl Counterparts {
    /// Compares two plans of few lanes, whose results of equal index are the same coefficient if `is_same_transform`.
    pub fn of(plans: [&Plan; 2], is_same_transform: bool) -> Self {
        let mut numbers = HashMap::new();
        let values = if plans[0].inputs == plans[1].inputs { plans.map(|plan| numbered(plan, &mut numbers)) } else { Default::default() };
        let outputs = plans.map(|plan| (0..plan.outputs).map(|lane| plan.output.index(lane)).collect());
        Self { values, outputs, n_computing: plans.map(n_computing), is_same_transform }
    }

    /// Compares only the stages of two plans, which may have any number of lanes: no node of one holds the value of a node of the other.
    pub fn of_stages(plans: [&Plan; 2]) -> Self {
        Self { n_computing: plans.map(n_computing), ..Self::default() }
    }

    /// The stages of the other plan that have run when `n_run` of this one have: as many that compute, and all once all have run.
    pub fn in_step(&self, of: PlanOf, n_run: usize) -> usize {
        let [these, others] = [of, of.other()].map(|plan| &self.n_computing[plan as usize]);
        let (Some(all), Some(all_others)) = (these.last(), others.last()) else { return 0 };
        if n_run + 1 >= these.len() {
            return others.len() - 1;
        }
        let wanted = if *all == 0 { 0 } else { these[n_run] * all_others / all };
        others.partition_point(|n| *n < wanted)
    }

    /// The node of the other plan that holds the value of a node of this one: for inputs and results by their index, else the nearest in step.
    pub fn node(&self, of: PlanOf, node: GraphNode) -> Option<GraphNode> {
        let (this, other) = (of as usize, of.other() as usize);
        let [n_these, n_others] = [this, other].map(|plan| self.n_computing[plan].len().saturating_sub(1));
        if node.column == n_these && n_these > 0 && self.is_same_transform {
            let index = self.outputs[this].get(node.lane)?;
            let lane = self.outputs[other].iter().position(|other| other == index)?;
            return Some(GraphNode { column: n_others, lane });
        }
        let value = (*self.values[this].get(node.column)?.get(node.lane)?)?;
        if node.column == 0 && self.values[other].first()?.get(node.lane) == Some(&Some(value)) {
            return Some(node);
        }
        let near = self.in_step(of, node.column);
        let found = |column: &usize| self.values[other][*column].iter().position(|other| *other == Some(value));
        let mut columns: Vec<usize> = (0..self.values[other].len()).collect();
        columns.sort_by_key(|column| column.abs_diff(near));
        columns.into_iter().find_map(|column| found(&column).map(|lane| GraphNode { column, lane }))
    }
}

/// How many of the first n stages compute, for every n.
fn n_computing(plan: &Plan) -> Vec<usize> {
    let computing = plan.stages.iter().scan(0, |n, stage| {
        *n += usize::from(!is_permutation(stage));
        Some(*n)
    });
    std::iter::once(0).chain(computing).collect()
}

/// The values of all nodes for the drawn inputs, as numbers that are equal for equal values.
fn numbered(plan: &Plan, numbers: &mut HashMap<Vec<[i64; 2]>, usize>) -> Vec<Vec<Option<usize>>> {
    // A row of a system is not a number.
    if plan.ring == Ring::Equation {
        return Vec::new();
    }
    let (n_drawn, below) = if plan.ring == Ring::Gf2 { (N_DRAWN_BITS, 2) } else { (N_DRAWN, 1000) };
    let mut random = Random::new(7);
    let drawn: Vec<Vec<Complex64>> = (0..n_drawn)
        .map(|_| {
            let mut number = || random.below(below) as f64;
            let is_complex = plan.ring == Ring::Complex;
            (0..plan.inputs).map(|_| number()).map(|re| Complex64::new(re, if is_complex { re * 0.5 + 1.0 } else { 0.0 })).collect()
        })
        .collect();
    let runs: Vec<_> = drawn.iter().map(|input| plan.run_by_stage(input)).collect();
    let column = |n_stages: usize| {
        let mut number = |lane: usize| {
            let values: Vec<Complex64> = runs.iter().map(|run| run[n_stages][lane]).collect();
            let parts = |value: &Complex64| [value.re, value.im].map(|part| (part * PARTS).round() as i64);
            let n_known = numbers.len();
            let is_live = values.iter().all(|value| value.is_finite());
            is_live.then(|| *numbers.entry(values.iter().map(parts).collect()).or_insert(n_known))
        };
        (0..plan.lanes).map(&mut number).collect()
    };
    let mut column = column;
    (0..=plan.stages.len()).map(&mut column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transforms::{Parameters, Shape, transform};

    fn plan(name: &str, algorithm: &str, n: usize) -> Plan {
        let build = transform(name).unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
        build(Shape::line(n), Parameters::default()).unwrap()
    }

    fn node(column: usize, lane: usize) -> GraphNode {
        GraphNode { column, lane }
    }

    /// By hand: the first stage of Cooley-Tukey's Walsh transform adds lanes 0 and 4 on lane 0, which constant geometry does nowhere in stage 1: it adds neighbours.
    #[test]
    fn the_stages_of_long_plans_run_in_step() {
        let plans = ["cooley-tukey", "constant-geometry"].map(|algorithm| plan("walsh", algorithm, 1 << 16));
        let both = Counterparts::of_stages([&plans[0], &plans[1]]);
        assert_eq!([0, 5, 16].map(|n| both.in_step(PlanOf::First, n)), [0, 5, 16]);
        assert_eq!(both.node(PlanOf::First, node(16, 3)), None);
    }

    #[test]
    fn walsh_has_no_common_sums_before_the_results() {
        let plans = [plan("walsh", "cooley-tukey", 8), plan("walsh", "constant-geometry", 8)];
        let both = Counterparts::of([&plans[0], &plans[1]], true);
        assert_eq!(both.node(PlanOf::First, node(0, 5)), Some(node(0, 5)));
        assert_eq!(both.node(PlanOf::First, node(1, 0)), None);
        assert_eq!(both.node(PlanOf::Second, node(3, 6)), Some(node(3, 6)));
    }

    #[test]
    fn the_same_graph_in_another_order_is_found_node_by_node() {
        let plans = [plan("dft", "cooley-tukey-dif", 8), plan("dft", "constant-geometry", 8)];
        let both = Counterparts::of([&plans[0], &plans[1]], true);
        let found = (0..8).filter(|lane| both.node(PlanOf::First, node(1, *lane)).is_some()).count();
        assert_eq!(found, 8, "every value after the first stage stands in both graphs");
    }

    #[test]
    fn graphs_step_by_their_computing_stages() {
        let plans = [plan("dft", "cooley-tukey-dit", 8), plan("dft", "constant-geometry", 8)];
        assert_eq!([plans[0].stages.len(), plans[1].stages.len()], [4, 3], "decimation in time begins with a permutation");
        let both = Counterparts::of([&plans[0], &plans[1]], true);
        let steps: Vec<_> = (0..=4).map(|n| both.in_step(PlanOf::First, n)).collect();
        assert_eq!(steps, [0, 0, 1, 2, 3]);
        let back: Vec<_> = (0..=3).map(|n| both.in_step(PlanOf::Second, n)).collect();
        assert_eq!(back, [0, 2, 3, 4]);
    }
}

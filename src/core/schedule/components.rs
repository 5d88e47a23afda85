//! Tiles by definition: connected components of the flow graph, restricted to a run of stages.

use crate::plan::Plan;
use std::ops::Range;

/// The component of every butterfly, stage by stage; components are numbered by their first butterfly.
///
/// Nodes are lanes between stages; a butterfly connects its taps and results, and an unwritten lane is carried to the next stage.
pub fn components(plan: &Plan, stages: Range<usize>) -> Vec<Vec<usize>> {
    let node = |column: usize, lane: usize| column * plan.lanes + lane;
    let mut parents = Vec::from_iter(0..(stages.len() + 1) * plan.lanes);
    for (column, stage) in plan.stages[stages.clone()].iter().enumerate() {
        let mut carried = vec![true; plan.lanes];
        for butterfly in stage.butterflies() {
            let first = node(column + 1, butterfly.writes[0]);
            for lane in butterfly.reads.iter().flatten() {
                join(&mut parents, first, node(column, *lane));
            }
            for &lane in &butterfly.writes {
                join(&mut parents, first, node(column + 1, lane));
                carried[lane] = false;
            }
        }
        for lane in (0..plan.lanes).filter(|&lane| carried[lane]) {
            join(&mut parents, node(column, lane), node(column + 1, lane));
        }
    }
    let mut numbers = std::collections::HashMap::new();
    let mut number = |root: usize| {
        let next = numbers.len();
        *numbers.entry(root).or_insert(next)
    };
    plan.stages[stages]
        .iter()
        .enumerate()
        .map(|(column, stage)| {
            stage.butterflies().map(|butterfly| number(root(&mut parents, node(column + 1, butterfly.writes[0])))).collect()
        })
        .collect()
}

/// The root of a node in a union-find forest; shortens the path.
pub(super) fn root(parents: &mut [usize], mut node: usize) -> usize {
    while parents[node] != node {
        parents[node] = parents[parents[node]];
        node = parents[node];
    }
    node
}

pub(super) fn join(parents: &mut [usize], a: usize, b: usize) {
    let (a, b) = (root(parents, a), root(parents, b));
    parents[a] = b;
}

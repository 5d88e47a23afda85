//! The cone of a node: which values it depends on, and which values depend on it; and the paths from one node to another.

use super::drawing::{DrawnEdge, GraphDrawing};
use super::node::GraphNode;

/// The nodes that a node depends on, and the nodes that depend on it; both sets contain the node itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cone {
    /// The node.
    pub node: GraphNode,
    /// Number of lanes of the drawing.
    lanes: usize,
    /// `[column * lanes + lane]`: whether the node depends on this one.
    sources: Vec<bool>,
    /// `[column * lanes + lane]`: whether this one depends on the node.
    targets: Vec<bool>,
}

impl Cone {
    /// Whether the node of the cone depends on this one.
    pub fn is_source(&self, node: GraphNode) -> bool {
        self.sources[node.column * self.lanes + node.lane]
    }

    /// Whether this node depends on the node of the cone.
    pub fn is_target(&self, node: GraphNode) -> bool {
        self.targets[node.column * self.lanes + node.lane]
    }

    /// Whether the node belongs to the cone.
    pub fn contains(&self, node: GraphNode) -> bool {
        self.is_source(node) || self.is_target(node)
    }

    /// The lanes of a column that the node depends on.
    pub fn sources(&self, column: usize) -> Vec<usize> {
        (0..self.lanes).filter(|&lane| self.is_source(GraphNode { column, lane })).collect()
    }

    /// The lanes of a column that depend on the node.
    pub fn targets(&self, column: usize) -> Vec<usize> {
        (0..self.lanes).filter(|&lane| self.is_target(GraphNode { column, lane })).collect()
    }
}

/// All paths from one node to a later one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    from: Cone,
    to: Cone,
}

impl Paths {
    /// Whether a path passes through the edge of a stage between these lanes.
    pub fn has(&self, stage: usize, from: usize, to: usize) -> bool {
        (self.from.node.column..self.to.node.column).contains(&stage)
            && self.from.is_target(GraphNode { column: stage, lane: from })
            && self.to.is_source(GraphNode { column: stage + 1, lane: to })
    }
}

impl GraphDrawing {
    /// The paths between two nodes.
    pub fn paths(&self, from: GraphNode, to: GraphNode) -> Paths {
        Paths { from: self.cone(from), to: self.cone(to) }
    }

    /// `[column * lanes + lane]`: whether the stage before the column carries the value of the lane unchanged.
    pub fn carried(&self) -> Vec<bool> {
        let mut carried = self.live.concat();
        for result in &self.results {
            carried[(result.stage + 1) * self.request.plan.lanes + result.to] = false;
        }
        carried
    }

    /// The cone of a node.
    pub fn cone(&self, node: GraphNode) -> Cone {
        let lanes = self.request.plan.lanes;
        let at = |column: usize, lane: usize| column * lanes + lane;
        let carried = self.carried();
        let (mut sources, mut targets) = (vec![false; carried.len()], vec![false; carried.len()]);
        sources[at(node.column, node.lane)] = true;
        targets[at(node.column, node.lane)] = true;
        for stage in (0..node.column).rev() {
            for edge in self.edges_of(stage) {
                sources[at(stage, edge.from)] |= sources[at(stage + 1, edge.to)];
            }
            for lane in (0..lanes).filter(|&lane| carried[at(stage + 1, lane)]) {
                sources[at(stage, lane)] |= sources[at(stage + 1, lane)];
            }
        }
        for stage in node.column..self.spans.len() {
            for edge in self.edges_of(stage) {
                targets[at(stage + 1, edge.to)] |= targets[at(stage, edge.from)];
            }
            for lane in (0..lanes).filter(|&lane| carried[at(stage + 1, lane)]) {
                targets[at(stage + 1, lane)] |= targets[at(stage, lane)];
            }
        }
        Cone { node, lanes, sources, targets }
    }

    fn edges_of(&self, stage: usize) -> impl Iterator<Item = &DrawnEdge> {
        let start = self.edges.partition_point(|edge| edge.stage < stage);
        self.edges[start..].iter().take_while(move |edge| edge.stage == stage)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{GraphOptions, GraphRequest, layout};
    use crate::schedule::Schedule;
    use crate::transforms::{Parameters, Shape, transform};

    /// The edges of all paths between two nodes.
    fn edges(name: &str, algorithm: &str, from: (usize, usize), to: (usize, usize)) -> Vec<[usize; 3]> {
        let build = transform(name).unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
        let plan = build(Shape::line(8), Parameters::default()).unwrap();
        let drawing = layout(GraphRequest { schedule: Schedule::by_stage(&plan), plan, options: GraphOptions::default() });
        let node = |(column, lane): (usize, usize)| GraphNode { column, lane };
        let paths = drawing.paths(node(from), node(to));
        let edges = drawing.edges.iter().map(|edge| [edge.stage, edge.from, edge.to]);
        edges.filter(|[stage, from, to]| paths.has(*stage, *from, *to)).collect()
    }

    #[test]
    fn one_path_leads_from_a_sample_to_a_result_of_cooley_tukey() {
        // 4, 2, 1: every stage replaces one bit of 3 by that of 6.
        assert_eq!(edges("walsh", "cooley-tukey", (0, 3), (3, 6)), [[0, 3, 7], [1, 7, 7], [2, 7, 6]]);
        assert_eq!(edges("walsh", "cooley-tukey", (1, 7), (2, 7)), [[1, 7, 7]]);
        assert_eq!(edges("walsh", "cooley-tukey", (1, 7), (2, 6)), [[0_usize; 3]; 0]);
    }

    #[test]
    fn an_edge_alone_is_a_path_and_a_backward_pair_has_none() {
        assert_eq!(edges("walsh", "constant-geometry", (0, 1), (1, 4)), [[0, 1, 4]]);
        assert!(edges("walsh", "constant-geometry", (2, 0), (1, 0)).is_empty());
    }
}

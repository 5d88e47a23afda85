//! The cone of a node: which values it depends on, and which values depend on it.

use super::drawing::{Drawing, DrawnEdge};
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

impl Drawing {
    /// The cone of a node.
    pub fn cone(&self, node: GraphNode) -> Cone {
        let lanes = self.request.plan.lanes;
        let at = |column: usize, lane: usize| column * lanes + lane;
        let mut carried = self.live.concat();
        for result in &self.results {
            carried[at(result.stage + 1, result.to)] = false;
        }
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

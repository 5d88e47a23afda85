//! A drawing on its way from another one: lanes, nodes and edges begin where the other drawing has the same values, or the same butterflies.

use super::counterpart::{Counterparts, PlanOf};
use super::drawing::{GraphDrawing, LabelKind, lane_y};
use super::node::GraphNode;

/// Where the parts of a drawing come from, as heights in another drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct MovingLanes {
    /// `[column][lane]`: the height of a node.
    nodes: Vec<Vec<f32>>,
    /// The heights of both ends of every edge.
    edges: Vec<[f32; 2]>,
    /// The heights of the points of every result.
    results: Vec<[f32; 3]>,
}

impl MovingLanes {
    /// The way from `first` to `second`. Every node of the second begins at the node of the first that holds its value;
    /// where some value is in one drawing only, butterfly after butterfly moves. `None` where the drawings have other numbers of butterflies.
    pub fn between(first: &GraphDrawing, second: &GraphDrawing, both: &Counterparts) -> Option<Self> {
        Self::by_values(second, both).or_else(|| Self::by_butterflies(first, second))
    }

    fn by_values(second: &GraphDrawing, both: &Counterparts) -> Option<Self> {
        let n_columns = second.spans.len() + 1;
        let height = |column: usize, lane: usize| {
            let node = GraphNode { column, lane };
            if second.exists(node) { both.node(PlanOf::Second, node).map(|node| lane_y(node.lane)) } else { Some(lane_y(lane)) }
        };
        let lanes = second.request.plan.lanes;
        let nodes: Vec<Vec<f32>> =
            (0..n_columns).map(|column| (0..lanes).map(|lane| height(column, lane)).collect()).collect::<Option<_>>()?;
        let edges = second.edges.iter().map(|edge| [nodes[edge.stage][edge.from], nodes[edge.stage + 1][edge.to]]).collect();
        let results = second.results.iter().map(|result| [nodes[result.stage + 1][result.to]; 3]).collect();
        Some(Self { nodes, edges, results })
    }

    fn by_butterflies(first: &GraphDrawing, second: &GraphDrawing) -> Option<Self> {
        let sizes = |drawing: &GraphDrawing| (drawing.spans.len(), drawing.edges.len(), drawing.results.len(), drawing.request.plan.lanes);
        let is_like = first.edges.iter().zip(&second.edges).all(|(a, b)| (a.stage, a.butterfly) == (b.stage, b.butterfly));
        if sizes(first) != sizes(second) || !is_like {
            return None;
        }
        let lanes = second.request.plan.lanes;
        let mut nodes: Vec<Vec<f32>> = vec![(0..lanes).map(lane_y).collect(); second.spans.len() + 1];
        for (from, to) in first.results.iter().zip(&second.results) {
            nodes[to.stage + 1][to.to] = lane_y(from.to);
        }
        let edges = first.edges.iter().map(|edge| edge.ends.map(|end| end.y)).collect();
        let results = first.results.iter().map(|result| result.points.map(|point| point.y)).collect();
        Some(Self { nodes, edges, results })
    }

    /// The second drawing on its way; 0 is where the first one is, 1 at its own place. Coefficients are left out until it has arrived.
    pub fn at(&self, second: &GraphDrawing, part: f32) -> GraphDrawing {
        let between = |from: f32, to: f32| from + (to - from) * part;
        let mut drawing = second.clone();
        for (edge, from) in drawing.edges.iter_mut().zip(&self.edges) {
            edge.ends.iter_mut().zip(from).for_each(|(end, from)| end.y = between(*from, end.y));
        }
        for (result, from) in drawing.results.iter_mut().zip(&self.results) {
            result.points.iter_mut().zip(from).for_each(|(point, from)| point.y = between(*from, point.y));
        }
        let moved = |(column, lane): (usize, usize)| between(self.nodes[column][lane], lane_y(lane));
        for segment in &mut drawing.lane_segments {
            // A lane that is carried across a stage ends in the next column.
            let is_carried =
                second.spans.get(segment.column).is_some_and(|span| span.start == segment.ends[0].x && span.end == segment.ends[1].x);
            segment.ends[0].y = moved((segment.column, segment.lane));
            segment.ends[1].y = moved((segment.column + usize::from(is_carried), segment.lane));
        }
        drawing.labels.retain(|label| !label.is_coefficient());
        for label in &mut drawing.labels {
            match label.kind {
                LabelKind::Input { lane } => label.at.y = moved((0, lane)),
                LabelKind::Output { lane } => label.at.y = moved((second.spans.len(), lane)),
                _ => {}
            }
        }
        let columns = 0..self.nodes.len();
        drawing.moved = Some(columns.map(|column| (0..self.nodes[column].len()).map(|lane| moved((column, lane))).collect()).collect());
        drawing
    }
}

#[cfg(test)]
mod tests {
    use super::super::{GraphOptions, GraphRequest, layout};
    use super::*;
    use crate::schedule::Schedule;
    use crate::transforms::{Parameters, Shape, transform};

    fn drawing(name: &str, algorithm: &str) -> GraphDrawing {
        let build = transform(name).unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
        let plan = build(Shape::line(8), Parameters::default()).unwrap();
        let schedule = Schedule::by_stage(&plan);
        layout(GraphRequest { plan, schedule, options: GraphOptions::default() })
    }

    /// The heights that the edges of a stage connect, sorted.
    fn heights(drawing: &GraphDrawing, stage: usize) -> Vec<[i64; 2]> {
        let edges = drawing.edges.iter().filter(|edge| edge.stage == stage);
        let mut heights: Vec<_> = edges.map(|edge| edge.ends.map(|end| end.y.round() as i64)).collect();
        heights.sort_unstable();
        heights
    }

    #[test]
    fn the_way_begins_as_the_first_drawing_and_ends_as_the_second() {
        for (name, first, second) in [("dft", "cooley-tukey-dif", "constant-geometry"), ("walsh", "cooley-tukey", "constant-geometry")] {
            let [first, second] = [first, second].map(|algorithm| drawing(name, algorithm));
            let both = Counterparts::of([&first.request.plan, &second.request.plan], true);
            let moving = MovingLanes::between(&first, &second, &both).unwrap();
            let [begin, end] = [0.0, 1.0].map(|part| moving.at(&second, part));
            for stage in 0..3 {
                assert_eq!(heights(&begin, stage), heights(&first, stage), "{name}, stage {stage}");
                assert_eq!(heights(&end, stage), heights(&second, stage), "{name}, stage {stage}");
            }
            assert_ne!(heights(&begin, 1), heights(&end, 1), "something moves");
        }
    }

    #[test]
    fn drawings_of_other_butterflies_have_no_way() {
        let [first, second] = [drawing("dft", "cooley-tukey-dif"), drawing("dft", "stockham-8")];
        let both = Counterparts::of([&first.request.plan, &second.request.plan], true);
        // Every value of the one stage of radix 8 is in the first graph, but the sums on the way are not: only forwards there is a way.
        assert!(MovingLanes::between(&second, &first, &both).is_none());
    }
}

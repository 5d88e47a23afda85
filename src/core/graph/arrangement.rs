//! The in-place drawing of a plan that is not in place: every result is where its butterfly has read, and a permutation at the end sorts.
//!
//! Argüello et al. draw filter banks and packets like this in Figures 5 and 7: neighbours whose distance doubles from level to level.

use super::drawing::{GraphDrawing, LaneSegment, PITCH, lane_y};
use super::geometry::Point;
use crate::plan::{Butterfly, Plan, Stage};

/// Width of the permutation at the end for the height that it crosses, and its least and greatest width.
const WIDTH_PER_RISE: f32 = 0.5;
const WIDTHS: (f32, f32) = (40.0, 200.0);

/// Whether a plan can be drawn in place and is not in place already.
pub fn has_in_place_layout(plan: &Plan) -> bool {
    positions(plan).is_some()
}

/// `[column][lane]`: the position of every lane, from the top, where each result is on the position of a value that its butterfly reads.
/// `None` where two results would be on one position, or where every lane keeps its own.
pub(super) fn positions(plan: &Plan) -> Option<Vec<Vec<usize>>> {
    let mut columns: Vec<Vec<usize>> = vec![(0..plan.lanes).collect()];
    for stage in &plan.stages {
        let before = &columns[columns.len() - 1];
        let mut after = before.clone();
        for butterfly in stage.butterflies() {
            for (j, &to) in butterfly.writes.iter().enumerate() {
                after[to] = before[own_lane(stage, &butterfly, j)?];
            }
        }
        let mut is_taken = vec![false; plan.lanes];
        if after.iter().any(|&position| std::mem::replace(&mut is_taken[position], true)) {
            return None;
        }
        columns.push(after);
    }
    let is_new = columns.iter().any(|column| column.iter().enumerate().any(|(lane, &position)| lane != position));
    is_new.then_some(columns)
}

/// The lane that a butterfly reads for its result `j` and that no other butterfly takes for one of its results.
fn own_lane(stage: &Stage, butterfly: &Butterfly, j: usize) -> Option<usize> {
    let (n_taps, n_results) = (butterfly.reads.len(), butterfly.writes.len());
    let to = butterfly.writes[j];
    let is_in_place = butterfly.writes.iter().all(|lane| butterfly.reads.contains(&Some(*lane)));
    if is_in_place {
        return Some(to);
    }
    if n_taps == n_results {
        return butterfly.reads[j];
    }
    // The filters move on by as many samples as they have results.
    let (first, hop) = (stage.read.first, stage.read.hop);
    if stage.read.advance != n_results as i64 || hop != 1 {
        return None;
    }
    butterfly.reads.get(usize::try_from(j as i64 - first).ok()?).copied().flatten()
}

impl GraphDrawing {
    /// Moves lanes, edges and results to their positions in place, and adds the permutation at the end.
    pub(super) fn arrange_in_place(&mut self) {
        let Some(columns) = positions(&self.request.plan) else { return };
        let heights: Vec<Vec<f32>> = columns.iter().map(|column| column.iter().map(|&position| lane_y(position)).collect()).collect();
        for edge in &mut self.edges {
            (edge.ends[0].y, edge.ends[1].y) = (heights[edge.stage][edge.from], heights[edge.stage + 1][edge.to]);
        }
        for result in &mut self.results {
            result.points.iter_mut().for_each(|point| point.y = heights[result.stage + 1][result.to]);
        }
        let n_columns = self.spans.len();
        let rise = heights[n_columns].iter().enumerate().map(|(lane, y)| (y - lane_y(lane)).abs()).fold(0.0, f32::max);
        let width = (rise * WIDTH_PER_RISE).clamp(WIDTHS.0, WIDTHS.1);
        let mut crossings = Vec::new();
        for segment in &mut self.lane_segments {
            let span = self.spans.get(segment.column);
            let is_carried = span.is_some_and(|span| (segment.ends[0].x, segment.ends[1].x) == (span.start, span.end));
            segment.ends[0].y = heights[segment.column][segment.lane];
            segment.ends[1].y = heights[segment.column + usize::from(is_carried)][segment.lane];
            if segment.column == n_columns {
                let end = segment.ends[1];
                crossings.push(LaneSegment { ends: [end, Point::new(end.x + width, lane_y(segment.lane))], ..*segment });
            }
        }
        self.lane_segments.extend(crossings);
        // Tiles of neighbouring lanes, and bundles, belong to the other layout.
        self.tiles.clear();
        self.edge_bundles.clear();
        self.moved = Some(heights);
    }

    /// The lane whose value after `column` stages is nearest to a height.
    pub fn lane_at(&self, column: usize, y: f32) -> Option<usize> {
        let n_lanes = self.request.plan.lanes;
        let Some(moved) = &self.moved else {
            let lane = (y / PITCH).round();
            return (lane >= 0.0 && lane < n_lanes as f32).then_some(lane as usize);
        };
        (0..n_lanes).min_by(|&a, &b| (moved[column][a] - y).abs().total_cmp(&(moved[column][b] - y).abs()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{GraphLayout, GraphOptions, GraphRequest, layout};
    use super::*;
    use crate::schedule::Schedule;
    use crate::transforms::{Parameters, Shape, transform};

    fn plan(name: &str, algorithm: &str, n: usize, levels: usize) -> Plan {
        let build = transform(name).unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
        build(Shape::line(n), Parameters { levels: Some(levels), ..Parameters::default() }).unwrap()
    }

    /// The distances of neighbouring positions that a stage connects to its first result.
    fn distances(drawing: &GraphDrawing, stage: usize) -> Vec<i32> {
        let first = drawing.edges.iter().find(|edge| edge.stage == stage).unwrap();
        let edges = drawing.edges.iter().filter(|edge| (edge.stage, edge.butterfly, edge.to) == (stage, first.butterfly, first.to));
        let mut positions: Vec<i32> = edges.map(|edge| (edge.ends[0].y / PITCH).round() as i32).collect();
        positions.sort_unstable();
        positions.windows(2).map(|pair| pair[1] - pair[0]).collect()
    }

    /// By hand from Figures 5 and 7: neighbours in level 1, every second sample in level 2, every fourth in level 3.
    #[test]
    fn filter_banks_and_packets_read_neighbours_of_doubling_distance() {
        for name in ["d4", "d4-packet"] {
            let plan = plan(name, "filter-bank", 32, 3);
            let schedule = Schedule::by_stage(&plan);
            let options = GraphOptions { layout: GraphLayout::InPlace, ..GraphOptions::default() };
            let drawing = layout(GraphRequest { plan, schedule, options });
            for (stage, distance) in [(0, 1), (1, 2), (2, 4)] {
                assert_eq!(distances(&drawing, stage), [distance; 3], "{name}, stage {stage}");
            }
            // Band by band at the right, where the names of the results are.
            let last: Vec<_> = drawing.lane_segments.iter().rev().take(32).collect();
            assert!(last.iter().all(|segment| segment.ends[1].y == lane_y(segment.lane)), "{name}");
            assert!(last.iter().any(|segment| segment.ends[0].y != segment.ends[1].y), "{name}: the permutation crosses");
            assert_eq!(drawing.lane_at(3, drawing.position(3, 5).y), Some(5));
        }
    }

    /// Constant geometry in place is Cooley-Tukey's drawing: distances 4, 2, 1 or 1, 2, 4.
    #[test]
    fn constant_geometry_in_place_has_the_strides_of_cooley_tukey() {
        assert!(has_in_place_layout(&plan("walsh", "constant-geometry", 8, 1)));
        assert!(!has_in_place_layout(&plan("walsh", "cooley-tukey", 8, 1)), "it is in place already");
    }
}

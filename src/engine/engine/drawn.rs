//! Which plans are drawn whole, and which of them a GPU runs stage by stage.

use crate::plan::Plan;

/// Plans of at most this number of lanes are drawn whole, with a value on every node.
pub const DRAWN_LANES: usize = 1024;
/// A plan with more edges than this is drawn whole only if it has few lanes.
const DRAWN_EDGES: usize = 1 << 17;
/// Plans of at most this number of lanes run stage by stage on a GPU beside their run; to prepare the stages of a longer one at every run would take too long.
const LANES_BY_STAGE: usize = 64;

/// Whether a plan is drawn whole; other plans have a miniature.
pub fn is_drawn(plan: &Plan) -> bool {
    let n_edges = plan.stages.iter().map(|stage| {
        let matrix = stage.matrix();
        stage.n_butterflies().saturating_mul(matrix.rows * matrix.taps)
    });
    plan.lanes <= LANES_BY_STAGE || plan.lanes <= DRAWN_LANES && n_edges.fold(0, usize::saturating_add) <= DRAWN_EDGES
}

/// Whether a GPU runs a plan stage by stage too, for the values on its nodes.
pub(super) fn runs_by_stage(plan: &Plan) -> bool {
    plan.lanes <= LANES_BY_STAGE
}

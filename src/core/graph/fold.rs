//! Folds the permutation at the end of a plan away: the results stay on the lanes where they arise, and only their names move.

use super::request::GraphRequest;
use crate::plan::{Coef, Operation, Plan, Stage};

/// Whether a stage moves values and changes none.
pub(super) fn is_permutation(stage: &Stage) -> bool {
    let matrix = stage.matrix();
    let moves = |coefs: &[Coef]| {
        coefs.iter().filter(|coef| **coef == Coef::ONE).count() == 1 && coefs.iter().all(|coef| [Coef::ONE, Coef::Real(0.0)].contains(coef))
    };
    matches!(stage.operation, Operation::Linear(_)) && stage.twiddle.is_none() && matrix.coefs.chunks(matrix.taps.max(1)).all(moves)
}

/// Whether the plan ends with a permutation that a drawing can leave out.
pub fn ends_with_permutation(plan: &Plan) -> bool {
    plan.outputs == plan.lanes && plan.stages.len() > 1 && plan.stages.last().is_some_and(is_permutation)
}

/// Takes the permutation at the end out of a request; gives the index of the result on every lane before it.
pub(super) fn fold(request: &mut GraphRequest) -> Option<Vec<usize>> {
    if !ends_with_permutation(&request.plan) {
        return None;
    }
    let stage = request.plan.stages.pop()?;
    let mut outputs: Vec<usize> = (0..request.plan.lanes).map(|lane| request.plan.output.index(lane)).collect();
    for edge in stage.edges() {
        outputs[edge.from] = request.plan.output.index(edge.to);
    }
    let n_stages = request.plan.stages.len();
    for launch in &mut request.schedule.launches {
        launch.stages.end = launch.stages.end.min(n_stages);
    }
    request.schedule.launches.retain(|launch| !launch.stages.is_empty());
    Some(outputs)
}

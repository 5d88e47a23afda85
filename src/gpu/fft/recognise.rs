//! Which runs of stages the kernel serves: recognised from the numbers of the stages alone.

use super::halves;
use super::{MOST_BYTES, Run, Weights};
use crate::plan::shapes::{ScalingStage, StockhamStage};
use crate::plan::{Coef, Direction, Precision, Stage};

/// The radices that have a butterfly.
const RADICES: [usize; 21] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 19, 23, 29, 31, 32];

/// What a run of stages is, if it consists of Stockham stages that follow one another in every row,
/// with perhaps the scaling of the inverse at the end, or factors of single lanes or half a spectrum of real samples at the ends of the rows' whole transform.
pub(in crate::gpu) fn recognise(stages: &[Stage], lanes: usize) -> Option<Run> {
    if let Some(run) = stockham_run(stages, 1.0, lanes).or_else(|| halves::recognise(stages, lanes)) {
        return Some(run);
    }
    let before = stages.first().and_then(Weights::before);
    let stages = &stages[usize::from(before.is_some())..];
    let (last, others) = stages.split_last()?;
    let scale = scaling(last, lanes);
    let run = match scale {
        Some(scale) => stockham_run(others, scale, lanes)?,
        None => stockham_run(stages, 1.0, lanes).or_else(|| {
            let run = stockham_run(others, 1.0, lanes)?;
            let after = Weights::after(last, run.row).filter(|after| after.suits(run.rows, run.row))?;
            (run.span * run.points() == run.row).then_some(Run { after: Some(after), ..run })
        })?,
    };
    let begins = before.is_none_or(|before| run.span == 1 && before.suits(run.rows, run.row));
    begins.then_some(Run { before, ..run })
}

/// Nothing but Stockham stages, their results multiplied by `scale`.
pub(super) fn stockham_run(stages: &[Stage], scale: f64, lanes: usize) -> Option<Run> {
    [Direction::Forward, Direction::Inverse].into_iter().find_map(|direction| {
        let found: Vec<_> = stages.iter().map(|stage| stockham_stage(direction, stage, lanes)).collect::<Option<_>>()?;
        let first = *found.first()?;
        let mut span = first.span;
        for stage in &found {
            if *stage != (StockhamStage { radix: stage.radix, span, ..first }) {
                return None;
            }
            span *= stage.radix;
        }
        Some(Run {
            radices: found.iter().map(|stage| stage.radix).collect(),
            direction,
            scale,
            rows: first.rows,
            row: first.row,
            span: first.span,
            before: None,
            after: None,
            half: None,
            precision: Precision::default(),
            workgroup_bytes: MOST_BYTES,
        })
    })
}

/// The parameters of a stage of Stockham whose radix has a butterfly, in rows within the lanes.
fn stockham_stage(direction: Direction, stage: &Stage, lanes: usize) -> Option<StockhamStage> {
    let has_butterfly = RADICES.contains(&stage.matrix().taps);
    StockhamStage::of(stage, direction).filter(|found| has_butterfly && found.rows * found.row <= lanes)
}

/// The number that multiplies every lane, if that is all that the stage does.
fn scaling(stage: &Stage, lanes: usize) -> Option<f64> {
    let found = ScalingStage::of(stage).filter(|found| found.lanes == lanes)?;
    if let Coef::Real(scale) = found.factor { Some(scale) } else { None }
}

//! Which runs of stages the kernel supports: recognised from the strides of the stages alone.

use super::lane_factors::LaneFactors;
use super::run::StockhamRun;
use super::shape::{HalfSpectrum, MOST_BYTES};
use crate::plan::shapes::{HalfSpectrumStage, ScalingStage, StockhamInTimeStage, StockhamStage};
use crate::plan::{Coef, Direction, Precision, Stage};

/// The radices that have a butterfly.
const RADICES: [usize; 21] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 19, 23, 29, 31, 32];

/// Recognises Stockham stages that follow one another in every row,
/// perhaps with the normalisation of the inverse at the end. At the ends of the rows' whole transform there may be factors of lanes, or half a spectrum of real samples.
pub(crate) fn recognise(stages: &[Stage], lanes: usize) -> Option<StockhamRun> {
    if let Some(run) = stockham_run(stages, 1.0, lanes).or_else(|| half_spectrum_run(stages, lanes)) {
        return Some(run);
    }
    let before = stages.first().and_then(LaneFactors::before);
    let stages = &stages[usize::from(before.is_some())..];
    let (last, others) = stages.split_last()?;
    let scale = scaling(last, lanes);
    let run = match scale {
        Some(scale) => stockham_run(others, scale, lanes)?,
        None => stockham_run(stages, 1.0, lanes).or_else(|| {
            let run = stockham_run(others, 1.0, lanes)?;
            let after = LaneFactors::after(last, run.row).filter(|after| after.suits(run.rows, run.row))?;
            (run.span * run.points() == run.row).then_some(StockhamRun { after: Some(after), ..run })
        })?,
    };
    let begins = before.is_none_or(|before| run.span == 1 && before.suits(run.rows, run.row));
    begins.then_some(StockhamRun { before, ..run })
}

/// Stockham stages with the stage of half a spectrum before the first of the rows' whole transform, or behind the last.
fn half_spectrum_run(stages: &[Stage], lanes: usize) -> Option<StockhamRun> {
    let joined = stages.split_first().map(|(first, others)| (HalfSpectrum::Joined, first, others));
    let parted = stages.split_last().map(|(last, others)| (HalfSpectrum::Parted, last, others));
    [joined, parted].into_iter().flatten().find_map(|(half, end, others)| {
        let run = stockham_run(others, 1.0, lanes)?;
        let direction = if half == HalfSpectrum::Joined { Direction::Inverse } else { Direction::Forward };
        let HalfSpectrumStage { rows, points, scale, .. } = HalfSpectrumStage::of(end, direction)?;
        // Two points without twiddles are the same in both directions.
        let within = rows_within(&run, lanes);
        let is_at_end = if half == HalfSpectrum::Joined { run.span == 1 } else { run.span * run.points() == run.row };
        let fits = within && (rows, points) == (run.rows, run.row) && is_at_end && (run.direction == direction || run.row == 2);
        fits.then_some(StockhamRun { direction, scale, half: Some(half), ..run })
    })
}

/// Whether the longer side of the rows lies within the lanes.
fn rows_within(run: &StockhamRun, lanes: usize) -> bool {
    run.rows * (run.row + 1) <= lanes
}

/// Nothing but Stockham stages, their results multiplied by `scale`.
fn stockham_run(stages: &[Stage], scale: f64, lanes: usize) -> Option<StockhamRun> {
    // A stage is compared with one that is built, which costs more than to look which ones it can be.
    let in_time = stages.first()?.twiddles_taps();
    let of: StageOf = if in_time { StockhamInTimeStage::of } else { StockhamStage::of };
    let angle = stages.iter().find_map(|stage| stage.twiddle.as_ref()?.root()).map(|(_, direction)| direction);
    [Direction::Forward, Direction::Inverse].into_iter().filter(|direction| angle.is_none_or(|angle| angle == *direction)).find_map(
        |direction| {
            let found: Vec<_> = stages.iter().map(|stage| stockham_stage(stage, of, direction, lanes)).collect::<Option<_>>()?;
            let first = *found.first()?;
            let mut span = first.span;
            for stage in &found {
                if *stage != (StockhamStage { radix: stage.radix, span, ..first }) {
                    return None;
                }
                span *= stage.radix;
            }
            Some(StockhamRun {
                radices: found.iter().map(|stage| stage.radix).collect(),
                direction,
                scale,
                rows: first.rows,
                row: first.row,
                span: first.span,
                before: None,
                after: None,
                half: None,
                in_time,
                precision: Precision::default(),
                workgroup_bytes: MOST_BYTES,
            })
        },
    )
}

/// Recognises a stage in a direction.
type StageOf = fn(&Stage, Direction) -> Option<StockhamStage>;

/// The parameters of a stage of Stockham whose radix has a butterfly, in rows within the lanes.
fn stockham_stage(stage: &Stage, of: StageOf, direction: Direction, lanes: usize) -> Option<StockhamStage> {
    let found = if RADICES.contains(&stage.matrix().taps) { of(stage, direction) } else { None };
    found.filter(|found| found.rows * found.row <= lanes)
}

/// The number that multiplies every lane, if that is all that the stage does.
fn scaling(stage: &Stage, lanes: usize) -> Option<f64> {
    let found = ScalingStage::of(stage).filter(|found| found.lanes == lanes)?;
    if let Coef::Real(scale) = found.factor { Some(scale) } else { None }
}

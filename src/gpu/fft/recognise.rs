//! Which runs of stages the kernel serves: recognised from the numbers of the stages alone.

use super::halves;
use super::{MOST_BYTES, Run, Weights};
use crate::plan::{Coef, Direction, Fold, Loop, Operation, Precision, Read, Stage, Twiddle, Write};

/// The radices that have a butterfly.
const RADICES: [usize; 21] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 19, 23, 29, 31, 32];

const DIRECTIONS: [Direction; 2] = [Direction::Forward, Direction::Inverse];

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
    DIRECTIONS.into_iter().find_map(|direction| {
        let found: Vec<_> = stages.iter().map(|stage| stockham_stage(direction, stage, lanes)).collect::<Option<_>>()?;
        let [row, _, first_span, rows] = *found.first()?;
        let mut span = first_span;
        for [this_row, radix, this_span, these_rows] in &found {
            if (*this_row, *this_span, *these_rows) != (row, span, rows) {
                return None;
            }
            span *= radix;
        }
        let radices = found.iter().map(|[_, radix, ..]| *radix).collect();
        let (precision, workgroup_bytes) = (Precision::default(), MOST_BYTES);
        Some(Run {
            radices,
            direction,
            scale,
            rows,
            row,
            span: first_span,
            before: None,
            after: None,
            half: None,
            precision,
            workgroup_bytes,
        })
    })
}

/// Lanes of a row, radix, span and number of rows of a stage, if it is one of Stockham's in this direction; a stage of two taps without twiddles is the same in both.
fn stockham_stage(direction: Direction, stage: &Stage, lanes: usize) -> Option<[usize; 4]> {
    let (radix, span, positions) = (stage.matrix().taps, stage.group.n, stage.positions);
    let (row, rows) = (radix * span * positions, stage.outer.n);
    let outer = if rows == 1 { Loop::ONCE } else { Loop::new(rows, row) };
    let expected = Stage {
        label: stage.label.clone(),
        outer,
        group: Loop::new(span, 1),
        positions,
        read: Read { first: 0, advance: 1, hop: positions, step: span, len: radix * positions, fold: Fold::None },
        write: Write { first: 0, advance: span * radix, hop: span, ..Write::IN_ORDER },
        operation: stage.operation.clone(),
        twiddle: (positions > 1).then_some(Twiddle::Root { modulus: row / span, row: [1, 0], column: [1, 0], direction }),
    };
    let fits = RADICES.contains(&radix) && rows * row <= lanes;
    (fits && *stage == expected && is_dft(stage, radix, direction)).then_some([row, radix, span, rows])
}

fn is_dft(stage: &Stage, radix: usize, direction: Direction) -> bool {
    let matrix = stage.matrix();
    let entry = |i: usize| Coef::root((i / radix * (i % radix)) as u64, radix as u64, direction);
    matches!(stage.operation, Operation::Linear(_))
        && matrix.rows == radix
        && matrix.taps == radix
        && matrix.coefs.iter().enumerate().all(|(i, coef)| *coef == entry(i))
}

/// The number that multiplies every lane, if that is all that the stage does.
fn scaling(stage: &Stage, lanes: usize) -> Option<f64> {
    let Operation::Linear(matrix) = &stage.operation else { return None };
    let [Coef::Real(scale)] = matrix.coefs[..] else { return None };
    let every_lane = stage.outer == Loop::new(lanes, 1) && stage.positions == 1 && stage.group.n == 1;
    let stays = (stage.read.first, stage.read.fold, stage.write.first, stage.write.scatters()) == (0, Fold::None, 0, false);
    (every_lane && stays && stage.twiddle.is_none()).then_some(scale)
}

//! The stages of the Fourier algorithms: each a few strides, in the notation of [`Stage`].

use crate::plan::shapes::{StockhamInTimeStage, StockhamStage, copies, dft_operation, every_lane, position_twiddle};
use crate::plan::{Coef, Direction, Extension, Loop, Matrix, Operation, ReadPattern, Stage, Twiddle, TwiddledSums, WritePattern};

/// Stockham, self-sorting: with s the product of the radices before, tap k is N/r lanes apart and result j goes s lanes apart.
pub(super) fn stockham(radices: &[usize], direction: Direction) -> Vec<Stage> {
    stockham_down(1, radices, direction)
}

/// The same down every column of an image of `width` columns. The later stages of a longer transform have this form, where `width` is the product of the radices before.
pub(super) fn stockham_down(width: usize, radices: &[usize], direction: Direction) -> Vec<Stage> {
    let row = width * radices.iter().product::<usize>();
    let mut span = width;
    radices
        .iter()
        .map(|&radix| {
            let stage = StockhamStage { rows: 1, row, radix, span, direction }.stage();
            span *= radix;
            stage
        })
        .collect()
}

/// Stockham, decimation in time: the same lanes as [`stockham`], and tap k is multiplied before the butterfly.
pub(super) fn stockham_in_time(radices: &[usize], direction: Direction) -> Vec<Stage> {
    let row = radices.iter().product();
    let stage = |span: &mut usize, &radix: &usize| {
        let stage = StockhamInTimeStage(StockhamStage { rows: 1, row, radix, span: *span, direction }).stage();
        *span *= radix;
        Some(stage)
    };
    radices.iter().scan(1, stage).collect()
}

/// Cooley-Tukey, decimation in frequency, radix 2, in place: blocks of N, N/2, … lanes, down to the last block larger than `smallest`.
pub(crate) fn cooley_tukey(n: usize, smallest: usize, direction: Direction) -> Vec<Stage> {
    let blocks = std::iter::successors(Some(n), |block| Some(block / 2)).take_while(|&block| block > smallest);
    blocks
        .map(|block| Stage {
            label: format!("blocks of {block}"),
            outer: Loop::new(n / block, block),
            group: Loop::ONCE,
            positions: block / 2,
            read: ReadPattern { hop: (block / 2) as i64, ..ReadPattern::in_order(block) },
            write: WritePattern { first: 0, advance: 1, hop: block / 2, ..WritePattern::IN_ORDER },
            operation: dft_operation(2, direction),
            twiddle: position_twiddle(block, block / 2, direction),
        })
        .collect()
}

/// Cooley-Tukey, decimation in time, radix 2, in place: blocks of 2, 4, … N lanes.
/// The twiddles that textbooks draw before a stage multiply the results of the stage before it: those of the odd one of two neighbouring blocks.
pub(crate) fn cooley_tukey_in_time(n: usize, direction: Direction) -> Vec<Stage> {
    let blocks = std::iter::successors(Some(2), |block| Some(block * 2)).take_while(|&block| block <= n);
    blocks
        .map(|block| {
            let last = block == n;
            Stage {
                label: format!("blocks of {block}"),
                outer: if last { Loop::ONCE } else { Loop::new(n / (2 * block), 2 * block) },
                group: if last { Loop::ONCE } else { Loop::new(2, block) },
                positions: block / 2,
                read: ReadPattern { hop: (block / 2) as i64, ..ReadPattern::in_order(block) },
                write: WritePattern { first: 0, advance: 1, hop: block / 2, ..WritePattern::IN_ORDER },
                operation: dft_operation(2, direction),
                twiddle: (!last).then_some(Twiddle::Root {
                    modulus: 2 * block,
                    row: [block / 2, 1, 0],
                    column: [0, 1, 0],
                    direction,
                    reversed: 0,
                }),
            }
        })
        .collect()
}

/// Constant geometry: every stage reads i and i + N/2 and writes 2i and 2i + 1; only the twiddles differ.
pub(super) fn pease(n: usize, direction: Direction) -> Vec<Stage> {
    (0..n.ilog2())
        .map(|stage| {
            let span = 1 << stage;
            let positions = n / (2 * span);
            Stage {
                label: format!("constant geometry {}", stage + 1),
                outer: Loop::ONCE,
                group: Loop { n: span, read: 1, write: 2 },
                positions,
                read: ReadPattern { hop: positions as i64, step: span, ..ReadPattern::in_order(n / span) },
                write: WritePattern { first: 0, advance: 2 * span, hop: 1, ..WritePattern::IN_ORDER },
                operation: dft_operation(2, direction),
                twiddle: position_twiddle(n / span, positions, direction),
            }
        })
        .collect()
}

/// Sörman's two kernels: Cooley-Tukey until the blocks have `tile` lanes, then constant geometry inside every block; the last stage writes to bit-reversed lanes.
pub(super) fn global_local(n: usize, tile: usize, direction: Direction) -> Vec<Stage> {
    let mut stages = cooley_tukey(n, tile, direction);
    for mut stage in pease(tile, direction) {
        stage.outer = Loop::new(n / tile, tile);
        stages.push(stage);
    }
    if tile < 2 {
        stages.extend(bit_reversal(n));
    } else if let Some(last) = stages.last_mut() {
        last.write.reversed_bits = n.ilog2();
    }
    stages
}

/// The permutation that reverses the bits of the lane; `None` if it moves nothing.
pub(crate) fn bit_reversal(n: usize) -> Option<Stage> {
    (n > 2).then(|| Stage {
        label: "bit reversal".into(),
        write: WritePattern { reversed_bits: n.ilog2(), ..WritePattern::IN_ORDER },
        ..every_lane(n)
    })
}

/// Even samples, then odd ones backwards: in this order the Fourier transform gives cosine sums.
pub(crate) fn even_then_odd_backwards(n: usize) -> Stage {
    let read = ReadPattern { advance: 2, extension: Extension::HalfSymmetric, ..ReadPattern::in_order(n) };
    Stage { label: "even, odd backwards".into(), read, ..every_lane(n) }
}

/// The inverse of [`even_then_odd_backwards`]: tap 1 of pair p is lane N−1−p. For odd N lane 0 stays, and pairs begin with the odd sample.
pub(crate) fn interleaved_from_both_ends(n: usize) -> Stage {
    let odd = n % 2;
    let pair = Matrix::from_fn(2, 2, |j, k| Coef::Real(f64::from(u8::from((j == k) == (odd == 0)))));
    Stage {
        label: "even and odd".into(),
        read: ReadPattern { first: odd as i64, hop: (n - odd) as i64, extension: Extension::HalfSymmetric, ..ReadPattern::in_order(n) },
        write: WritePattern { first: odd, advance: 2, ..WritePattern::IN_ORDER },
        operation: Operation::Linear(pair),
        ..every_lane(n / 2)
    }
}

/// Keeps the first half of every row, the middle included.
pub(super) fn dropped_half(rows: usize, points: usize) -> Stage {
    let half = points / 2 + 1;
    Stage { label: "first half".into(), outer: copies(rows, points, half), ..every_lane(half) }
}

/// Divides half spectra by `divisor` and spreads them to rows of `points` lanes.
pub(super) fn spread_half(rows: usize, points: usize, divisor: usize) -> Option<Stage> {
    let half = points / 2 + 1;
    (divisor > 1 || rows > 1).then(|| Stage {
        label: format!("1/{divisor}"),
        outer: copies(rows, half, points),
        operation: Operation::Linear(Matrix::scalar(Coef::Real(1.0 / divisor as f64))),
        ..every_lane(half)
    })
}

/// Fills the second half of every row with the conjugate of the first, last lane first.
pub(super) fn opposite_half(rows: usize, points: usize) -> Option<Stage> {
    let (half, n) = (points / 2, points.saturating_sub(1) / 2);
    let conjugate = TwiddledSums { first: Matrix::scalar(Coef::ONE), second: Matrix::scalar(Coef::Real(0.0)), conjugated: vec![true] };
    (n > 0).then(|| Stage {
        label: "opposite half".into(),
        outer: copies(rows, points, points),
        // The last lane of an even number has no opposite.
        read: ReadPattern { first: (points - half - 1) as i64, advance: -1, ..ReadPattern::in_order(half + 1) },
        write: WritePattern { first: half + 1, ..WritePattern::IN_ORDER },
        operation: Operation::TwiddledSums(conjugate),
        ..every_lane(n)
    })
}

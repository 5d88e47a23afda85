//! The stages of the Fourier algorithms: each a few strides, in the notation of [`Stage`].

use crate::plan::{Coef, Direction, Fold, Loop, Matrix, Operation, Read, Stage, Twiddle, Write};

/// The DFT matrix of `radix` points.
fn dft_matrix(radix: usize, direction: Direction) -> Operation {
    Operation::Linear(Matrix::from_fn(radix, radix, |j, k| Coef::root((j * k) as u64, radix as u64, direction)))
}

/// ω_modulus to the power p·j, which is 1 everywhere when there is one position only.
fn position_twiddle(modulus: usize, positions: usize, direction: Direction) -> Option<Twiddle> {
    (positions > 1).then_some(Twiddle::Root { modulus, row: [1, 0], column: [1, 0], direction })
}

/// Stockham, self-sorting: with s the product of the radices before, tap k stands N/r lanes apart and result j goes s lanes apart.
pub(super) fn stockham(radices: &[usize], direction: Direction) -> Vec<Stage> {
    let n: usize = radices.iter().product();
    let mut span = 1;
    radices
        .iter()
        .map(|&radix| {
            let positions = n / (span * radix);
            let stage = Stage {
                label: format!("radix {radix}"),
                outer: Loop::ONCE,
                group: Loop::new(span, 1),
                positions,
                read: Read { first: 0, advance: 1, hop: positions, step: span, len: n / span, fold: Fold::None },
                write: Write { first: 0, advance: span * radix, hop: span, ..Write::IN_ORDER },
                operation: dft_matrix(radix, direction),
                twiddle: position_twiddle(n / span, positions, direction),
            };
            span *= radix;
            stage
        })
        .collect()
}

/// Cooley-Tukey, decimation in frequency, radix 2, in place: blocks of N, N/2, … lanes, down to the last block larger than `smallest`.
pub(in crate::transforms) fn cooley_tukey(n: usize, smallest: usize, direction: Direction) -> Vec<Stage> {
    let blocks = std::iter::successors(Some(n), |block| Some(block / 2)).take_while(|&block| block > smallest);
    blocks
        .map(|block| Stage {
            label: format!("blocks of {block}"),
            outer: Loop::new(n / block, block),
            group: Loop::ONCE,
            positions: block / 2,
            read: Read { first: 0, advance: 1, hop: block / 2, step: 1, len: block, fold: Fold::None },
            write: Write { first: 0, advance: 1, hop: block / 2, ..Write::IN_ORDER },
            operation: dft_matrix(2, direction),
            twiddle: position_twiddle(block, block / 2, direction),
        })
        .collect()
}

/// Cooley-Tukey, decimation in time, radix 2, in place: blocks of 2, 4, … N lanes.
/// The twiddles that textbooks draw before a stage multiply the results of the stage before it: those of the odd one of two neighbouring blocks.
pub(in crate::transforms) fn cooley_tukey_in_time(n: usize, direction: Direction) -> Vec<Stage> {
    let blocks = std::iter::successors(Some(2), |block| Some(block * 2)).take_while(|&block| block <= n);
    blocks
        .map(|block| {
            let last = block == n;
            Stage {
                label: format!("blocks of {block}"),
                outer: if last { Loop::ONCE } else { Loop::new(n / (2 * block), 2 * block) },
                group: if last { Loop::ONCE } else { Loop::new(2, block) },
                positions: block / 2,
                read: Read { first: 0, advance: 1, hop: block / 2, step: 1, len: block, fold: Fold::None },
                write: Write { first: 0, advance: 1, hop: block / 2, ..Write::IN_ORDER },
                operation: dft_matrix(2, direction),
                twiddle: (!last).then_some(Twiddle::Root { modulus: 2 * block, row: [block / 2, 1], column: [0, 1], direction }),
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
                read: Read { first: 0, advance: 1, hop: positions, step: span, len: n / span, fold: Fold::None },
                write: Write { first: 0, advance: 2 * span, hop: 1, ..Write::IN_ORDER },
                operation: dft_matrix(2, direction),
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

/// The permutation that reverses the binary digits of the lane, where it moves anything.
pub(in crate::transforms) fn bit_reversal(n: usize) -> Option<Stage> {
    (n > 2).then(|| Stage { label: "bit reversal".into(), write: Write { reversed_bits: n.ilog2(), ..Write::IN_ORDER }, ..every_lane(n) })
}

/// Every lane times 1/`divisor`: the end of an inverse transform.
pub(in crate::transforms) fn scaled_down(lanes: usize, divisor: usize) -> Stage {
    Stage {
        label: format!("1/{divisor}"),
        outer: Loop::new(lanes, 1),
        positions: 1,
        operation: Operation::Linear(Matrix::scalar(Coef::Real(1.0 / divisor as f64))),
        ..every_lane(1)
    }
}

/// A picture of `rows` × `columns` lanes becomes one of `columns` × `rows`.
pub(in crate::transforms) fn transposition(rows: usize, columns: usize) -> Stage {
    Stage {
        label: "transpose".into(),
        group: Loop { n: rows, read: columns, write: 1 },
        write: Write { first: 0, advance: rows, hop: 1, ..Write::IN_ORDER },
        ..every_lane(columns)
    }
}

/// The stage that copies every lane to itself.
pub(in crate::transforms) fn every_lane(n: usize) -> Stage {
    Stage {
        label: String::new(),
        outer: Loop::ONCE,
        group: Loop::ONCE,
        positions: n,
        read: Read { first: 0, advance: 1, hop: 1, step: 1, len: n, fold: Fold::None },
        write: Write::IN_ORDER,
        operation: Operation::Linear(Matrix::scalar(Coef::ONE)),
        twiddle: None,
    }
}

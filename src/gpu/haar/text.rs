//! The text of the kernels for one shape: `shaders/haar.wgsl` or `shaders/haar_inverse.wgsl` with the levels written out.

use super::shape::HaarShape;
use crate::gpu::wgsl::WgslBody;
use crate::plan::{Direction, Precision};

const FORWARD: &str = include_str!("../../../shaders/haar.wgsl");
const INVERSE: &str = include_str!("../../../shaders/haar_inverse.wgsl");

/// The whole text but for the file of the lane, which stands before it.
pub(in crate::gpu) fn source(shape: &HaarShape) -> String {
    let factor = f64::from_bits(shape.factor);
    let (kernel, levels) = match shape.direction {
        Direction::Forward => (FORWARD, forward(shape)),
        Direction::Inverse => (INVERSE, inverse(shape)),
    };
    let constants = format!(
        "const FACTOR = Lane({factor:?});\nconst BLOCK = {}u;\nconst LEVELS = {}u;\nconst THREADS = {}u;\nconst EXCHANGED = {}u;\n",
        shape.bits,
        shape.levels,
        shape.threads(),
        shape.exchanged(),
    );
    [constants, kernel.replace("    //@ levels\n", &levels)].join("\n")
}

/// The levels, two at a time.
fn forward(shape: &HaarShape) -> String {
    let (mut body, threads) = (WgslBody::new(Precision::Single), shape.threads());
    let n_vectors = (1 << (shape.bits - 2)) / threads;
    for i in 0..n_vectors {
        let v = format!("(start >> 2u) + thread + {}u", i * threads);
        if shape.in_place {
            body.line(format_args!("let x{i} = vec4<Lane>(output[2u * ({v})], output[2u * ({v}) + 1u]);"));
        } else {
            body.line(format_args!("let x{i} = input[{v}];"));
        }
    }
    if shape.in_place {
        body.line(format_args!("storageBarrier();"));
    }
    for i in 0..n_vectors {
        two_levels(&mut body, shape, 0, &format!("thread + {}u", i * threads), &format!("x{i}"));
    }
    for level in (2..shape.levels).step_by(2) {
        body.line(format_args!("workgroupBarrier();"));
        let area = (level / 2 + 1) % 2;
        let left = (1 << (shape.bits - level)) / 4;
        body.line(format_args!("if thread < {}u {{", left.max(1)));
        if left == 0 {
            body.line(format_args!("    last(tile, {level}u, sums[{area}][0].xy);"));
        } else {
            two_levels(&mut body, shape, level, "thread", &format!("sums[{area}][thread]"));
        }
        body.line(format_args!("}}"));
    }
    body.into_text()
}

/// Two levels, or the last one, of vector `v` of the block; its sum goes to whoever takes the next level, or where it stays.
fn two_levels(body: &mut WgslBody, shape: &HaarShape, level: usize, v: &str, x: &str) {
    let area = level / 2 % 2;
    match shape.levels - level {
        1 => body.line(format_args!("once(tile, {level}u, {v}, {x});")),
        2 => body.line(format_args!("store(rest(tile) + {v}, twice(tile, {level}u, {v}, {x}));")),
        _ => body.line(format_args!("sums[{area}][({v}) >> 2u][({v}) & 3u] = twice(tile, {level}u, {v}, {x});")),
    }
}

/// The levels of the inverse, two at a time, after a single one where their number is odd.
///
/// All loads come first, so that the levels wait for memory once.
fn inverse(shape: &HaarShape) -> String {
    let (mut body, threads) = (WgslBody::new(Precision::Single), shape.threads());
    let last = shape.bits - 2;
    let inner: Vec<usize> = (shape.bits % 2..last).step_by(2).collect();
    for level in &inner {
        body.line(format_args!("var d{level} = Differences();"));
        body.line(format_args!("if thread < {}u {{ d{level} = differences(tile, {level}u, thread); }}", 1 << level));
    }
    let vectors: Vec<String> = (0..(1 << last) / threads).map(|i| format!("thread + {}u", i * threads)).collect();
    for (i, v) in vectors.iter().enumerate() {
        body.line(format_args!("let e{i} = differences(tile, {last}u, {v});"));
    }
    body.line(format_args!("load_path(tile, thread);"));
    body.line(format_args!("workgroupBarrier();"));
    body.line(format_args!("if thread == 0u {{ sums[0][0] = top(tile); }}"));
    body.line(format_args!("workgroupBarrier();"));
    let mut area = 0;
    if shape.bits % 2 == 1 {
        body.line(format_args!("if thread == 0u {{ once(tile); }}"));
        body.line(format_args!("workgroupBarrier();"));
        area = 1;
    }
    for level in &inner {
        let other = 1 - area;
        body.line(format_args!("if thread < {}u {{", 1 << level));
        body.line(format_args!("    let x = twice(sums[{area}][thread], d{level});"));
        for k in 0..4 {
            body.line(format_args!("    sums[{other}][4u * thread + {k}u] = x[{k}];"));
        }
        body.line(format_args!("}}"));
        body.line(format_args!("workgroupBarrier();"));
        area = other;
    }
    for (i, v) in vectors.iter().enumerate() {
        body.line(format_args!("output[(start >> 2u) + {v}] = twice(sums[{area}][{v}], e{i});"));
    }
    body.into_text()
}

//! The text of the kernel of pictures: `shaders/lifting_picture.wgsl` with the levels of one shape written out.

use super::super::steps::{ITEM, SIDE, Step, lines};
use super::PictureShape;
use super::{analysis, synthesis};
use crate::gpu::fft::Body;
use crate::plan::{Direction, Precision};
use std::fmt::Display;

const KERNEL: &str = include_str!("../../../../shaders/lifting_picture.wgsl");

/// The whole text but for the file of the lane, which stands before it.
pub(in crate::gpu) fn source(shape: &PictureShape) -> String {
    let [held, kept] = shape.vectors();
    let constants: [(&str, &dyn Display); 10] = [
        ("ROWS", &shape.rows),
        ("COLUMNS", &shape.columns),
        ("REACH", &shape.reach()),
        ("WRAPS", &!shape.shared.mirrors),
        ("NEAR", &shape.shared.near),
        ("WHOLE", &shape.whole),
        ("TURN", &shape.shared.turn),
        ("THREADS", &format!("{}u", PictureShape::THREADS)),
        ("HELD", &format!("{held}u")),
        ("KEPT", &format!("{kept}u")),
    ];
    let constants: String = constants.iter().map(|(name, value)| format!("const {name} = {value};\n")).collect();
    let mut body = Body::new(Precision::Single);
    match shape.shared.direction {
        Direction::Forward => (0..shape.levels).for_each(|level| analysis::level(&mut body, shape, level)),
        Direction::Inverse => (0..shape.levels).rev().for_each(|level| synthesis::level(&mut body, shape, level)),
    }
    [constants, KERNEL.replace("    //@ levels\n", &body.into_text())].join("\n")
}

/// The variable of a sample.
pub(super) fn x(sample: i64) -> String {
    format!("x{}", sample + SIDE)
}

/// The samples that an item reads.
pub(super) fn window() -> impl Iterator<Item = i64> {
    -SIDE..ITEM + SIDE
}

/// Opens a loop over some items, and names the variables of their samples.
pub(super) fn open(body: &mut Body, n: impl Display, kind: &str) {
    body.line(format_args!("for (var e = thread; e < {n}; e += THREADS) {{"));
    body.line(format_args!("    {}", window().map(|sample| format!("var {}: {kind};", x(sample))).collect::<Vec<_>>().join(" ")));
}

/// The steps along a row, on variables of one lane each.
pub(super) fn along_row(body: &mut Body, steps: &[Step]) {
    lines(steps, ITEM, |coef| format!("{coef:?}"), x).iter().for_each(|line| body.line(format_args!("    {line}")));
}

/// The steps along four columns, on variables of four lanes each.
pub(super) fn along_columns(body: &mut Body, steps: &[Step]) {
    lines(steps, ITEM, |coef| format!("vec4<Lane>({coef:?})"), x).iter().for_each(|line| body.line(format_args!("    {line}")));
}

/// Four of the variables as a vector.
pub(super) fn vector(samples: impl Iterator<Item = i64>) -> String {
    format!("vec4<Lane>({})", samples.map(x).collect::<Vec<_>>().join(", "))
}

/// Ends a pass whose results other threads read.
pub(super) fn meet(body: &mut Body) {
    body.line(format_args!("workgroupBarrier();"));
}

//! The variables of a thread in the kernels of images, and loops over items, as WGSL.

use crate::gpu::lifting::item::{ITEM, ItemStep, SIDE, lines};
use crate::gpu::wgsl::WgslBody;
use std::fmt::Display;

/// The variable of a sample.
pub(super) fn x(sample: i64) -> String {
    format!("x{}", sample + SIDE)
}

/// The samples that an item reads.
pub(super) fn window() -> impl Iterator<Item = i64> {
    -SIDE..ITEM + SIDE
}

/// Opens a loop over some items, and names the variables of their samples.
pub(super) fn open(body: &mut WgslBody, n: impl Display, kind: &str) {
    body.line(format_args!("for (var e = thread; e < {n}; e += THREADS) {{"));
    body.line(format_args!("    {}", window().map(|sample| format!("var {}: {kind};", x(sample))).collect::<Vec<_>>().join(" ")));
}

/// The steps along a row, on variables of one lane each.
pub(super) fn along_row(body: &mut WgslBody, steps: &[ItemStep]) {
    lines(steps, ITEM, |coef| format!("{coef:?}"), x).iter().for_each(|line| body.line(format_args!("    {line}")));
}

/// The steps along four columns, on variables of four lanes each.
pub(super) fn along_columns(body: &mut WgslBody, steps: &[ItemStep]) {
    lines(steps, ITEM, |coef| format!("vec4<Lane>({coef:?})"), x).iter().for_each(|line| body.line(format_args!("    {line}")));
}

/// Four of the variables as a vector.
pub(super) fn vector(samples: impl Iterator<Item = i64>) -> String {
    format!("vec4<Lane>({})", samples.map(x).collect::<Vec<_>>().join(", "))
}

/// Ends a pass whose results other threads read.
pub(super) fn meet(body: &mut WgslBody) {
    body.line(format_args!("workgroupBarrier();"));
}

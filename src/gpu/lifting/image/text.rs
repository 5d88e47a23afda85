//! The text of the kernel of images: `shaders/lifting_image.wgsl` with the levels of one shape written out.

use super::shape::LiftingImageShape;
use super::{analysis, synthesis};
use crate::gpu::wgsl::WgslBody;
use crate::plan::{Direction, Precision};
use std::fmt::Display;

const KERNEL: &str = include_str!("../../../../shaders/lifting_image.wgsl");

/// The whole text but for the file of the lane, which stands before it.
pub(in crate::gpu) fn source(shape: &LiftingImageShape) -> String {
    let [held, kept] = shape.vectors();
    let constants: [(&str, &dyn Display); 10] = [
        ("ROWS", &shape.rows),
        ("COLUMNS", &shape.columns),
        ("REACH", &shape.reach()),
        ("WRAPS", &!shape.shared.mirrors),
        ("NEAR", &shape.shared.near),
        ("WHOLE", &shape.whole),
        ("ROTATION", &shape.shared.rotation),
        ("THREADS", &format!("{}u", LiftingImageShape::THREADS)),
        ("HELD", &format!("{held}u")),
        ("KEPT", &format!("{kept}u")),
    ];
    let constants: String = constants.iter().map(|(name, value)| format!("const {name} = {value};\n")).collect();
    let mut body = WgslBody::new(Precision::Single);
    match shape.shared.direction {
        Direction::Forward => (0..shape.levels).for_each(|level| analysis::level(&mut body, shape, level)),
        Direction::Inverse => (0..shape.levels).rev().for_each(|level| synthesis::level(&mut body, shape, level)),
    }
    [constants, KERNEL.replace("    //@ levels\n", &body.into_text())].join("\n")
}

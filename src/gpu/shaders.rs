//! The text of every kernel: a file of `shaders/`, with the files that it stands on before it and its constants.

use super::kernel::Kernel;
use super::template::assemble;
use super::{fft, filter_bank, haar, kronecker, lifting, lifting2d, split_merge, tridiagonal};
use crate::plan::{IntegerWidth, Precision, Ring};
use minijinja::context;

const LANE_REAL: &str = include_str!("../../shaders/lane_real.wgsl");
const BANDS: &str = include_str!("../../shaders/bands.wgsl");
const BOUNDARY: &str = include_str!("../../shaders/boundary.wgsl");
const SECTION_UNITS: &str = include_str!("../../shaders/section_units.wgsl");
const VECTORS: &str = include_str!("../../shaders/vectors.wgsl");
/// The case that the generic kernel has where lanes are rows of a system.
const ELIMINATE: &str = "case 4u: { sum = without(taps[1], taps[0], taps[2]); }";
const BITS: &str = include_str!("../../shaders/bits.wgsl");
const STAGE: &str = include_str!("../../shaders/stage.wgsl");
const PATCH: &str = include_str!("../../shaders/patch.wgsl");
const TWIDDLE: &str = include_str!("../../shaders/twiddle.wgsl");
const TRANSPOSE: &str = include_str!("../../shaders/transpose.wgsl");
const COPY: &str = include_str!("../../shaders/copy.wgsl");
const LOOK: &str = include_str!("../../shaders/look.wgsl");
const DISPLAY: &str = include_str!("../../shaders/display.wgsl");

/// The WGSL text of a kernel, complete, as the device gets it.
pub fn source_of(kernel: &Kernel) -> String {
    let body = match kernel {
        Kernel::Stage { ring, taps, results, mixed, tile, .. } => {
            let tile = tile.unwrap_or(1);
            let constants = format!("const TAPS = {taps}u;\nconst RESULTS = {results}u;\nconst MIXED = {mixed};\nconst TILE = {tile}u;\n");
            // Only rows know what it is to be eliminated.
            let stage = if *ring == Ring::Equation { STAGE.replace("//@ eliminate", ELIMINATE) } else { STAGE.to_owned() };
            [&lane(*ring), BITS, &constants, &stage, PATCH, TWIDDLE].join("\n")
        }
        Kernel::Fft(shape) => fft::source(shape),
        Kernel::Kronecker(shape) => [lane(shape.ring).as_str(), &kronecker::source(shape)].join("\n"),
        Kernel::Haar(shape) => [lane(shape.ring).as_str(), &haar::source(shape)].join("\n"),
        Kernel::Tridiagonal(shape) => tridiagonal::source(shape),
        Kernel::Lifting(shape) => [LANE_REAL, BOUNDARY, VECTORS, &lifting::source(shape)].join("\n"),
        Kernel::LiftingImage(shape) => [LANE_REAL, BOUNDARY, VECTORS, BANDS, &lifting::image_source(shape)].join("\n"),
        Kernel::LiftingLevel(shape) => [LANE_REAL, BOUNDARY, BANDS, &lifting::level_source(shape)].join("\n"),
        Kernel::FilterBank(shape) => [LANE_REAL, BOUNDARY, SECTION_UNITS, &filter_bank::source(shape)].join("\n"),
        Kernel::FilterBankImage(shape) => [LANE_REAL, BOUNDARY, &filter_bank::image_source(shape)].join("\n"),
        Kernel::SplitMerge(shape) => [lane(shape.ring).as_str(), BOUNDARY, SECTION_UNITS, &split_merge::source(shape)].join("\n"),
        Kernel::Lifting2d(shape) => [LANE_REAL, BOUNDARY, &lifting2d::source(shape)].join("\n"),
        Kernel::Transpose(ring, _) => [lane(*ring).as_str(), TRANSPOSE].join("\n"),
        Kernel::Copy | Kernel::Expand(_) => COPY.to_owned(),
        Kernel::Render(ring, _) | Kernel::Extremes(ring, _) => [&lane(*ring), LOOK, DISPLAY].join("\n"),
    };
    [numbers(kernel.precision()), &body].join("\n")
}

/// The types of real and complex numbers. Precisions differ in these lines only, apart from the literals of `fft`.
fn numbers(precision: Precision) -> &'static str {
    match precision {
        Precision::Single => "alias Real = f32;\nalias Complex = vec2<f32>;\n",
        Precision::Double => "alias Real = f64;\nalias Complex = vec2<f64>;\n",
    }
}

/// The lane file of a ring.
fn lane(ring: Ring) -> String {
    match ring {
        Ring::Real => assemble("lane_real.wgsl", ()),
        Ring::Complex => assemble("lane_complex.wgsl", ()),
        Ring::Integer(width) => {
            assemble("lane_integer.wgsl", context! { integer => if width == IntegerWidth::Bits64 { "i64" } else { "i32" } })
        }
        Ring::Gf2 => assemble("lane_gf2.wgsl", ()),
        Ring::Equation => assemble("lane_row.wgsl", ()),
    }
}

//! The text of every kernel: a file of `shaders/`, with the files that it stands on before it and its constants.

use super::fft::{self, LinesShape};
use super::filters::{self, FilterPictureShape, FilterShape};
use super::haar::{self, PyramidShape};
use super::kronecker::{self, StepsShape};
use super::lifting::{self, LevelShape, LiftingShape, PictureShape};
use super::rows::{self, RowsShape};
use super::sections::square::{self, SquareShape};
use super::sections::{self, SectionShape};
use crate::plan::{Precision, Ring, Width};
use std::borrow::Cow;

const LANE_COMPLEX: &str = include_str!("../../shaders/lane_complex.wgsl");
const LANE_GF2: &str = include_str!("../../shaders/lane_gf2.wgsl");
const LANE_INTEGER: &str = include_str!("../../shaders/lane_integer.wgsl");
const LANE_ROW: &str = include_str!("../../shaders/lane_row.wgsl");
const LANE_REAL: &str = include_str!("../../shaders/lane_real.wgsl");
const BANDS: &str = include_str!("../../shaders/bands.wgsl");
const ENDS: &str = include_str!("../../shaders/ends.wgsl");
const UNITS: &str = include_str!("../../shaders/units.wgsl");
const VECTORS: &str = include_str!("../../shaders/vectors.wgsl");
/// What stands in the generic kernel where lanes are rows.
const ELIMINATE: &str = "case 4u: { sum = without(taps[1], taps[0], taps[2]); }";
const DIGITS: &str = include_str!("../../shaders/digits.wgsl");
const STAGE: &str = include_str!("../../shaders/stage.wgsl");
const PATCH: &str = include_str!("../../shaders/patch.wgsl");
const TWIDDLE: &str = include_str!("../../shaders/twiddle.wgsl");
const TRANSPOSE: &str = include_str!("../../shaders/transpose.wgsl");
const COPY: &str = include_str!("../../shaders/copy.wgsl");
const LOOK: &str = include_str!("../../shaders/look.wgsl");
const DISPLAY: &str = include_str!("../../shaders/display.wgsl");

/// A kernel with its constants: what one pipeline is made from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Kernel {
    /// `stage.wgsl`: any stage, or a run of stages in a tile.
    Stage {
        /// What a lane holds.
        ring: Ring,
        /// Of real and complex numbers.
        precision: Precision,
        /// The most taps of a stage.
        taps: usize,
        /// The most results of a stage.
        results: usize,
        /// Whether stages differ in taps or results.
        mixed: bool,
        /// Lanes of a tile; `None` runs one stage butterfly by butterfly.
        tile: Option<usize>,
    },
    /// `fft.wgsl`: a run of Stockham stages, a few lines in a workgroup.
    Fft(LinesShape),
    /// `kronecker.wgsl`: a run of Kronecker steps, in tiles.
    Steps(StepsShape),
    /// `haar.wgsl`: levels of a pyramid, in blocks.
    Pyramid(PyramidShape),
    /// `rows.wgsl`: levels of cyclic reduction, in blocks.
    Rows(RowsShape),
    /// `lifting.wgsl`: levels of a lifting scheme, in overlapped tiles.
    Lifting(LiftingShape),
    /// `lifting_picture.wgsl`: levels of a lifting scheme along both axes, in overlapped tiles.
    LiftingPicture(PictureShape),
    /// `lifting_level.wgsl`: one of these levels, in registers.
    LiftingLevel(LevelShape),
    /// `filters.wgsl`: a run of levels of a filter bank, in sections or in overlapped tiles.
    Filters(FilterShape),
    /// `filters_picture.wgsl`: a level of a filter bank along both axes, in overlapped tiles.
    FilterPicture(FilterPictureShape),
    /// `sections.wgsl`: a split or a merge of a run of lifting steps.
    Section(SectionShape),
    /// `square.wgsl`: the split of a level of a lifting scheme along both axes.
    Square(SquareShape),
    /// `transpose.wgsl`, for lanes of a ring.
    Transpose(Ring, Precision),
    /// `copy.wgsl`, entry `copy`: the roof of what a kernel can reach, in any precision.
    Copy,
    /// `copy.wgsl`, entry `expand`: real numbers to complex ones.
    Expand(Precision),
    /// `display.wgsl`, entry `render`: a result to pixels.
    Render(Ring, Precision),
    /// `display.wgsl`, entry `extremes`: the least and the greatest value of a result.
    Extremes(Ring, Precision),
}

impl Kernel {
    /// Whether it reads and writes the same buffer.
    pub fn in_place(&self) -> bool {
        match self {
            Self::Fft(shape) => shape.in_place,
            Self::Steps(shape) => shape.in_place(),
            Self::Pyramid(shape) => shape.in_place(),
            Self::Lifting(shape) => shape.in_place(),
            Self::LiftingPicture(shape) => shape.in_place(),
            Self::LiftingLevel(shape) => shape.in_place(),
            Self::Filters(shape) => shape.in_place(),
            Self::FilterPicture(shape) => shape.in_place(),
            Self::Section(shape) => shape.in_place(),
            Self::Square(shape) => shape.in_place(),
            _ => false,
        }
    }

    /// Whether it reads the input, though launches before it have run, beside the buffer that these and itself write.
    pub fn reads_input(&self) -> bool {
        match self {
            Self::Lifting(shape) => shape.reads_input(),
            Self::LiftingPicture(shape) => shape.reads_input(),
            Self::LiftingLevel(shape) => shape.reads_input(),
            Self::Filters(shape) => shape.reads_input(),
            Self::FilterPicture(shape) => shape.reads_input(),
            _ => false,
        }
    }

    /// The function at which the kernel starts.
    pub fn entry_point(&self) -> &'static str {
        match self {
            Self::Stage { tile: None, .. } => "each",
            Self::Stage { tile: Some(_), .. } => "tiled",
            Self::Fft(_) => "fft",
            Self::Steps(_) => "steps",
            Self::Pyramid(_) => "haar",
            Self::Rows(_) => "rows",
            Self::Lifting(_) | Self::LiftingPicture(_) | Self::LiftingLevel(_) => "lifting",
            Self::Filters(_) | Self::FilterPicture(_) => "filters",
            Self::Section(_) | Self::Square(_) => "section",
            Self::Transpose(..) => "transposed",
            Self::Copy => "copy",
            Self::Expand(_) => "expand",
            Self::Render(..) => "render",
            Self::Extremes(..) => "extremes",
        }
    }

    /// How the kernel holds real and complex numbers.
    pub fn precision(&self) -> Precision {
        match self {
            Self::Stage { precision, .. } | Self::Transpose(_, precision) | Self::Expand(precision) => *precision,
            Self::Render(_, precision) | Self::Extremes(_, precision) => *precision,
            Self::Fft(shape) => shape.precision,
            Self::Rows(shape) => shape.precision,
            Self::Section(shape) => shape.precision,
            Self::Steps(_) | Self::Pyramid(_) | Self::Lifting(_) | Self::LiftingPicture(_) | Self::LiftingLevel(_) => Precision::Single,
            Self::Filters(_) | Self::FilterPicture(_) | Self::Square(_) | Self::Copy => Precision::Single,
        }
    }
}

/// The WGSL text of a kernel, complete, as the device gets it.
pub fn source_of(kernel: &Kernel) -> String {
    let body = match kernel {
        Kernel::Stage { ring, taps, results, mixed, tile, .. } => {
            let tile = tile.unwrap_or(1);
            let constants = format!("const TAPS = {taps}u;\nconst RESULTS = {results}u;\nconst MIXED = {mixed};\nconst TILE = {tile}u;\n");
            // Only rows know what it is to be eliminated.
            let stage = if *ring == Ring::Row { STAGE.replace("//@ eliminate", ELIMINATE) } else { STAGE.to_owned() };
            [&lane(*ring), DIGITS, &constants, &stage, PATCH, TWIDDLE].join("\n")
        }
        Kernel::Fft(shape) => fft::source(shape),
        Kernel::Steps(shape) => [lane(shape.ring).as_ref(), &kronecker::source(shape)].join("\n"),
        Kernel::Pyramid(shape) => [lane(shape.ring).as_ref(), &haar::source(shape)].join("\n"),
        Kernel::Rows(shape) => rows::source(shape),
        Kernel::Lifting(shape) => [LANE_REAL, ENDS, VECTORS, &lifting::source(shape)].join("\n"),
        Kernel::LiftingPicture(shape) => [LANE_REAL, ENDS, VECTORS, BANDS, &lifting::picture_source(shape)].join("\n"),
        Kernel::LiftingLevel(shape) => [LANE_REAL, ENDS, BANDS, &lifting::level_source(shape)].join("\n"),
        Kernel::Filters(shape) => [LANE_REAL, ENDS, UNITS, &filters::source(shape)].join("\n"),
        Kernel::FilterPicture(shape) => [LANE_REAL, ENDS, &filters::picture_source(shape)].join("\n"),
        Kernel::Section(shape) => [lane(shape.ring).as_ref(), ENDS, UNITS, &sections::source(shape)].join("\n"),
        Kernel::Square(shape) => [LANE_REAL, ENDS, &square::source(shape)].join("\n"),
        Kernel::Transpose(ring, _) => [lane(*ring).as_ref(), TRANSPOSE].join("\n"),
        Kernel::Copy | Kernel::Expand(_) => COPY.to_owned(),
        Kernel::Render(ring, _) | Kernel::Extremes(ring, _) => [&lane(*ring), LOOK, DISPLAY].join("\n"),
    };
    [numbers(kernel.precision()), &body].join("\n")
}

/// What the files of `shaders/` call real and complex numbers: the only lines that differ from one precision to the other, but for the literals of `fft`.
fn numbers(precision: Precision) -> &'static str {
    match precision {
        Precision::Single => "alias Real = f32;\nalias Complex = vec2<f32>;\n",
        Precision::Double => "alias Real = f64;\nalias Complex = vec2<f64>;\n",
    }
}

/// The lane file of a ring; integers of 64 bits differ from those of 32 in one line.
fn lane(ring: Ring) -> Cow<'static, str> {
    match ring {
        Ring::Real => LANE_REAL.into(),
        Ring::Complex => LANE_COMPLEX.into(),
        Ring::Integer(Width::Bits32) => LANE_INTEGER.into(),
        Ring::Integer(Width::Bits64) => LANE_INTEGER.replace("alias Lane = i32;", "alias Lane = i64;").into(),
        Ring::Gf2 => LANE_GF2.into(),
        Ring::Row => LANE_ROW.into(),
    }
}

//! The kernel that takes one level of an image without barriers: what a workgroup takes, and its text.

use super::constants::ImageConstants;
use super::variables::x;
use crate::gpu::lifting::item::{ItemStep, SIDE, lines};
use crate::gpu::limits::Limits;
use crate::gpu::wgsl::WgslBody;
use crate::plan::{Direction, Precision};
use std::fmt::Display;

const KERNEL: &str = include_str!("../../../../shaders/lifting_level.wgsl");
const ANALYSIS: &str = include_str!("../../../../shaders/level_analysis.wgsl");
const SYNTHESIS: &str = include_str!("../../../../shaders/level_synthesis.wgsl");

/// Rows of a thread: few, so that many threads load at the same time.
const ITEM: usize = 4;
/// Columns of a thread.
const COLUMNS: usize = 4;
/// The fewest threads of a workgroup.
const THREADS: usize = 128;
/// Threads of a row where subgroups have no one size, or are too small to spare two threads for the halo.
const LANES: usize = 32;
const LEAST_LANES: usize = 8;

/// The constants of one kernel.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::gpu) struct LiftingLevelShape {
    pub(super) shared: ImageConstants,
    /// Whether the rows of the samples begin at multiples of four lanes, and those of the values that are low-pass along both axes at multiples of two.
    pub(super) fine_aligned: bool,
    pub(super) low_aligned: bool,
    /// The same for the other bands: the band that is low-pass along x, and those that are high-pass.
    pub(super) high_aligned: [bool; 2],
    /// Whether rows are whole vectors of four samples, and everything is aligned.
    pub(super) regular: bool,
    pub(super) lanes: RowThreads,
}

/// The threads of a row, and how they exchange what neighbours need.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum RowThreads {
    /// A subgroup, by shuffles.
    Subgroup(usize),
    /// This number of threads, through workgroup memory.
    Workgroup(usize),
}

impl RowThreads {
    pub(super) fn on(limits: Limits) -> Self {
        if limits.subgroup >= LEAST_LANES { Self::Subgroup(limits.subgroup) } else { Self::Workgroup(LANES) }
    }

    fn number(self) -> usize {
        let (Self::Subgroup(number) | Self::Workgroup(number)) = self;
        number
    }

    fn threads(self) -> usize {
        self.number().max(THREADS)
    }

    /// Rows and columns of a tile.
    pub(super) fn tile(self) -> [usize; 2] {
        [self.threads() / self.number() * ITEM, COLUMNS * (self.number() - 2)]
    }
}

impl LiftingLevelShape {
    /// Whether the kernel reads only the buffer that it writes.
    pub(in crate::gpu) fn in_place(&self) -> bool {
        self.shared.in_place()
    }

    /// Whether the kernel reads the input of the plan, and between launches the buffer that it writes.
    pub(in crate::gpu) fn reads_input(&self) -> bool {
        self.shared.reads_input()
    }

    /// Workgroup memory, in bytes.
    pub(super) fn workgroup_bytes(&self) -> usize {
        match self.lanes {
            RowThreads::Subgroup(_) => 0,
            RowThreads::Workgroup(_) => 16 * self.lanes.threads(),
        }
    }

    pub(super) fn threads(&self) -> usize {
        self.lanes.threads()
    }
}

/// The whole text without the files of the lane and of the bands, which stand before it.
pub(in crate::gpu) fn source(shape: &LiftingLevelShape) -> String {
    let [rows, columns] = shape.lanes.tile();
    let [band_aligned, high_aligned] = shape.high_aligned;
    let constants: [(&str, &dyn Display); 16] = [
        ("ROWS", &rows),
        ("COLUMNS", &columns),
        ("ITEM", &ITEM),
        ("SIDE", &SIDE),
        ("LANES", &format!("{}u", shape.lanes.number())),
        ("THREADS", &format!("{}u", shape.threads())),
        ("WRAPS", &!shape.shared.mirrors),
        ("NEAR", &shape.shared.near),
        ("ROTATION", &shape.shared.rotation),
        ("FINE_IN_OUTPUT", &shape.shared.fine_in_output),
        ("LOW_IN_OUTPUT", &shape.shared.low_in_output),
        ("FINE_ALIGNED", &shape.fine_aligned),
        ("LOW_ALIGNED", &shape.low_aligned),
        ("BAND_ALIGNED", &band_aligned),
        ("HIGH_ALIGNED", &high_aligned),
        ("REGULAR", &shape.regular),
    ];
    let mut text: String = constants.iter().map(|(name, value)| format!("const {name} = {value};\n")).collect();
    if matches!(shape.lanes, RowThreads::Workgroup(_)) {
        text += "var<workgroup> exchanged: array<vec4<Lane>, THREADS>;\n";
    }
    let (parameter, number) = match shape.lanes {
        RowThreads::Subgroup(_) => {
            ("@builtin(subgroup_id) subgroup: u32, @builtin(subgroup_invocation_id) lane: u32", "let thread = subgroup * LANES + lane;")
        }
        RowThreads::Workgroup(_) => ("@builtin(local_invocation_index) thread: u32", "let lane = thread % LANES;"),
    };
    let kernel = KERNEL.replace("//@ thread", parameter).replace("//@ lane", number).replace("    //@ level\n", &level(shape));
    let ends = if shape.shared.direction == Direction::Forward { ANALYSIS } else { SYNTHESIS };
    [&text, ends, &kernel].join("\n")
}

fn level(shape: &LiftingLevelShape) -> String {
    let mut body = WgslBody::new(Precision::Single);
    let window = || -SIDE..ITEM as i64 + SIDE;
    for sample in window() {
        body.line(format_args!("var {}: vec4<Lane>;", x(sample)));
    }
    let [inside, condition, outside] = if shape.regular {
        ["loaded(Y, column_near(x))", "has_rows", "loaded(near(Y, rows_of(0u)), column_near(x))"]
    } else {
        ["loaded(Y, x)", "has_rows && x >= 0 && x + 4 <= columns_of(0u)", "found(Y, x)"]
    };
    let load = |body: &mut WgslBody, four: &str| {
        window().for_each(|sample| body.line(format_args!("    {} = {};", x(sample), four.replace('Y', &format!("y + {sample}")))));
    };
    body.line(format_args!("if {condition} {{"));
    load(&mut body, inside);
    body.line(format_args!("}} else {{"));
    load(&mut body, outside);
    body.line(format_args!("}}"));
    let of_four = |coef| format!("vec4<Lane>({coef:?})");
    lines(&shape.shared.steps_y, ITEM as i64, of_four, x).iter().for_each(|line| body.line(format_args!("{line}")));
    // Each register holds a column of all rows.
    for (k, part) in PARTS.iter().enumerate() {
        let column: Vec<String> = (0..ITEM as i64).map(|row| format!("{}.{part}", x(row))).collect();
        body.line(format_args!("var c{k} = vec4<Lane>({});", column.join(", ")));
    }
    for (index, step) in shape.shared.steps_x.iter().enumerate() {
        along_row(&mut body, shape, index, step);
    }
    body.line(format_args!("if lane > 0u && lane + 1u < LANES {{"));
    for (row, part) in PARTS.iter().enumerate() {
        body.line(format_args!("    store(y + {row}, x, vec4<Lane>(c0.{part}, c1.{part}, c2.{part}, c3.{part}));"));
    }
    body.line(format_args!("}}"));
    body.into_text()
}

const PARTS: [char; 4] = ['x', 'y', 'z', 'w'];

/// One step along the rows: neighbours give the values past the four columns first.
fn along_row(body: &mut WgslBody, shape: &LiftingLevelShape, index: usize, step: &ItemStep) {
    let columns = 0..COLUMNS as i64;
    let name = |sample: i64| match sample {
        ..0 => format!("left{index}_{}", sample + COLUMNS as i64),
        0..4 => format!("c{sample}"),
        _ => format!("right{index}_{}", sample - COLUMNS as i64),
    };
    for sample in step.reads(columns.clone()).into_iter().filter(|sample| !columns.contains(sample)) {
        let (own, to) = (name(sample.rem_euclid(COLUMNS as i64)), name(sample));
        let exchanged = match shape.lanes {
            RowThreads::Subgroup(_) => {
                let shuffle = if sample < 0 { "subgroupShuffleUp" } else { "subgroupShuffleDown" };
                format!("{shuffle}({own}, 1u)")
            }
            RowThreads::Workgroup(_) => {
                let neighbour = if sample < 0 { "max(thread, 1u) - 1u" } else { "min(thread + 1u, THREADS - 1u)" };
                body.line(format_args!("workgroupBarrier();"));
                body.line(format_args!("exchanged[thread] = {own};"));
                body.line(format_args!("workgroupBarrier();"));
                format!("exchanged[{neighbour}]")
            }
        };
        let last = COLUMNS as i64 - 1;
        let [end, mirrored] = if sample < 0 { ["x == 0", &name(-sample)] } else { ["x + 4 == columns_of(0u)", &name(2 * last - sample)] };
        if shape.regular && shape.shared.mirrors {
            body.line(format_args!("let {to} = select({exchanged}, {mirrored}, {end});"));
        } else {
            body.line(format_args!("let {to} = {exchanged};"));
        }
    }
    for line in step.taken(columns, |coef| format!("vec4<Lane>({coef:?})"), name) {
        body.line(format_args!("{line}"));
    }
}

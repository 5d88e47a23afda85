//! The kernel of the split along both axes of an image: which launches it supports, and its text, `shaders/lifting2d.wgsl` with the steps unrolled.
//!
//! The merges, one for each axis, run in the kernel of `split_merge`.

use super::family::{Family, KernelDispatch, LaunchQuery};
use super::kernel::Kernel;
use super::limits::Limits;
use super::split_merge::steps::{StepShape, regular_steps, step_shapes};
use super::tables::Tables;
use super::wgsl::WgslBody;
use crate::plan::{Extension, LiftingStep, Plan, Precision, Ring};
use crate::schedule::{Launch, SectionKind, ThreadsPerSample, Tile, merges_are_independent, parts_along_axes, section_boundaries};

const KERNEL: &str = include_str!("../../shaders/lifting2d.wgsl");

/// The split of a level of a lifting scheme along both axes.
pub(super) struct Lifting2d;

impl Family for Lifting2d {
    fn dispatch(&self, query: LaunchQuery<'_>, _: &mut Tables) -> Option<KernelDispatch> {
        let (shape, uniforms) = kernel_of(query.plan, query.launch, query.in_place, query.limits)?;
        let kernel = Kernel::printed("lifting 2-D", "lifting2d", Ring::Real, &["LANE", "boundary.wgsl"], &source(&shape));
        Some(KernelDispatch::of(Kernel { in_place: shape.in_place, ..kernel }, uniforms))
    }
}

/// The constants of one kernel.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Lifting2dShape {
    /// The steps, and whether they go along columns.
    steps: Vec<(bool, StepShape)>,
    /// Rows and columns of a tile.
    size: [usize; 2],
    threads: ThreadsPerSample,
    /// Whether the boundary extension is periodic; symmetric otherwise.
    wraps: bool,
    /// Threads of a workgroup.
    block: usize,
    /// Whether results go where the lanes came from.
    in_place: bool,
}

/// The kernel of a split along both axes and its uniforms; `None` where the launch is unsupported.
fn kernel_of(plan: &Plan, launch: &Launch, in_place: bool, limits: Limits) -> Option<(Lifting2dShape, [u32; 9])> {
    let Tile::Section { section: SectionKind::Split, grid, threads, .. } = launch.tile else { return None };
    let mut steps = Vec::new();
    let mut lines: [Option<LiftingStep>; 2] = [None; 2];
    for axis in parts_along_axes(plan, launch.stages.clone()) {
        let along = regular_steps(plan, axis.clone(), limits)?;
        let across = along[0].is_across();
        let borders = section_boundaries(&along, grid.margin_of(&along[0]));
        if !merges_are_independent(plan, axis, grid) || lines[usize::from(across)].replace(along[0]).is_some() {
            return None;
        }
        steps.extend(step_shapes(&along, &borders).into_iter().map(|step| (across, step)));
    }
    let [row, column] = [lines[0]?, lines[1]?];
    // The first launch writes another buffer than it reads, so it must cover all lanes.
    let covers = in_place || row.samples * column.samples == plan.lanes;
    let size = [grid.samples(&column), grid.samples(&row)];
    let threads_of_all = size[0] * size[1] / if threads == ThreadsPerSample::One { 1 } else { 2 };
    let wraps = row.extension == Extension::Periodic;
    let block = threads_of_all.clamp(1, limits.max_invocations);
    let shape = Lifting2dShape { steps, size, threads, wraps, block, in_place };
    let across = row.samples.div_ceil(size[1]);
    let n_groups = across * column.samples.div_ceil(size[0]);
    let numbers = [n_groups, across, column.samples, row.samples, column.spacing, row.spacing, 0, 0, 0];
    let fits = covers && column.extension == row.extension && 4 * size[0] * size[1] <= limits.workgroup_bytes;
    fits.then(|| (shape, numbers.map(|number| number as u32)))
}

/// The whole text without the files that stand before it.
fn source(shape: &Lifting2dShape) -> String {
    let [rows, columns] = shape.size;
    let Lifting2dShape { wraps, block, .. } = shape;
    let constants = format!("const ROWS = {rows};\nconst COLUMNS = {columns};\nconst WRAPS = {wraps};\nconst THREADS = {block};\n");
    let mut body = WgslBody::new(Precision::Single);
    for (across, step) in &shape.steps {
        let (place, start, size, n) = if *across { ("y", "tile.y", "ROWS", "rows") } else { ("x", "tile.x", "COLUMNS", "columns") };
        let half = if shape.threads == ThreadsPerSample::Half { 2 } else { 1 };
        let width = if *across { columns } else { columns / half };
        body.line(format_args!("for (var e = i32(thread); e < {}; e += THREADS) {{", rows * columns / half));
        let own = |name: &str, of: String| if name == place && half == 2 { format!("2 * ({of}) + {}", step.parity) } else { of };
        body.line(format_args!("    let y = {};", own("y", format!("e / {width}"))));
        body.line(format_args!("    let x = {};", own("x", format!("e % {width}"))));
        let bounds = format!("{start} + {place}, 0u, {start}, {size}, launch.{n}, {}, {}", step.before, step.after);
        body.line(format_args!("    if ({place} & 1) == {} && has(tile, y, x) && is_alone({bounds}) {{", step.parity));
        let tap =
            |offset: i64| if *across { format!("in_column(tile, y + {offset}, x)") } else { format!("in_row(tile, y, x + {offset})") };
        body.line(format_args!("        held[y * COLUMNS + x] = {};", step.sum(tap)));
        body.line(format_args!("    }}"));
        body.line(format_args!("}}"));
        body.line(format_args!("workgroupBarrier();"));
    }
    let source = if shape.in_place { "output" } else { "input" };
    [constants, KERNEL.replace("    //@ steps\n", &body.into_text()).replace("SOURCE", source)].join("\n")
}

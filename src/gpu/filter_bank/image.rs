//! The kernel of filter banks of images: one level along both axes in a launch of overlapped tiles.
//!
//! Between two launches, the values that are low-pass along both axes are in scratch lanes; the other bands go straight to where they stay.

use crate::gpu::limits::Limits;
use crate::gpu::wgsl::WgslBody;
use crate::plan::{Direction, Plan, Precision, Ring};
use crate::schedule::{FilterLevel2d, Launch, LevelGroup, Schedule, Tile};

const KERNEL: &str = include_str!("../../../shaders/filter_bank_image.wgsl");

/// Rows and columns of a tile: a row of it fills 128 bytes, and both parts of its memory the least that a device has.
const TILE: [usize; 2] = [32, 32];
/// Threads of a workgroup.
const THREADS: usize = 256;

/// The constants of one kernel.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::gpu) struct FilterBankImageShape {
    direction: Direction,
    /// The first sample that butterfly p reads, counted from sample 2p, and the bits of the coefficients of both results.
    first: i64,
    coefs: [Vec<u64>; 2],
    /// Rows and columns of a tile.
    rows: usize,
    columns: usize,
    /// Whether samples, or in the inverse what is low-pass along both axes, are read from the buffer that is written.
    joined_in_output: bool,
    low_in_output: bool,
}

/// The levels of a plan of an image, the finest first; `None` where the kernel does not support it.
fn recognise(plan: &Plan, schedule: &Schedule, limits: Limits) -> Option<Vec<FilterLevel2d>> {
    let real = plan.ring == Ring::Real && limits.precision == Precision::Single;
    let of = |launch: &Launch| {
        let overlaps = matches!(launch.tile, Tile::Overlapped { .. });
        FilterLevel2d::of(plan, launch.stages.clone()).filter(|_| overlaps)
    };
    let mut squares: Vec<FilterLevel2d> = schedule.launches.iter().map(of).collect::<Option<_>>()?;
    squares.sort_by_key(|square| std::cmp::Reverse(square.samples()));
    let [rows, columns] = squares.first()?.samples();
    let is_whole = rows * columns == plan.lanes && (plan.inputs, plan.outputs) == (plan.lanes, plan.lanes);
    let goes_on = |pair: &[FilterLevel2d]| pair[1].samples() == pair[0].samples().map(|n| n / 2);
    (real && is_whole && squares.windows(2).all(goes_on)).then_some(squares)
}

/// The schedule of overlapped tiles, a launch a level; `None` where the kernel does not support the plan.
pub(super) fn schedule(plan: &Plan, limits: Limits) -> Option<Schedule> {
    let schedule = Schedule::overlapped(plan, |_| LevelGroup { levels: 1, tile: TILE })?;
    recognise(plan, &schedule, limits).map(|_| schedule)
}

/// Lanes that the launches need beside those of the plan.
pub(super) fn scratch_lanes(plan: &Plan, schedule: &Schedule, limits: Limits) -> usize {
    recognise(plan, schedule, limits).map_or(0, |squares| beside(plan, &squares, squares.len()) - plan.lanes)
}

/// The first scratch lane of the low-pass values before a level.
fn beside(plan: &Plan, squares: &[FilterLevel2d], level: usize) -> usize {
    plan.lanes + squares[..level].iter().skip(1).map(|square| square.samples().iter().product::<usize>()).sum::<usize>()
}

/// The kernel of a launch and its uniforms; `None` where the launch is unsupported.
pub(in crate::gpu) fn kernel_of(
    plan: &Plan,
    schedule: &Schedule,
    launch: &Launch,
    limits: Limits,
) -> Option<(FilterBankImageShape, [u32; 9])> {
    let Tile::Overlapped { grid, .. } = launch.tile else { return None };
    let squares = recognise(plan, schedule, limits)?;
    let level = squares.iter().position(|square| square.stages() == launch.stages)?;
    let [rows, columns] = squares[level].samples();
    let (step, width) = (&squares[level].axes[0].step, squares[0].samples()[1]);
    let (is_finest, is_coarsest) = (level == 0, level + 1 == squares.len());
    let (joined, joined_row) = if is_finest { (0, width) } else { (beside(plan, &squares, level), columns) };
    let (low, low_row) = if is_coarsest { (0, width) } else { (beside(plan, &squares, level + 1), columns / 2) };
    let shape = FilterBankImageShape {
        direction: step.direction,
        first: step.first,
        coefs: step.coefs.clone().map(|coefs| coefs.into_iter().map(f64::to_bits).collect()),
        rows: grid.rows,
        columns: grid.columns,
        joined_in_output: !is_finest,
        low_in_output: !is_coarsest,
    };
    let across = columns.div_ceil(shape.columns);
    let numbers = [across * rows.div_ceil(shape.rows), across, rows, columns, joined, joined_row, low, low_row, width];
    let suits = shape.rows.is_multiple_of(2) && shape.columns.is_multiple_of(2) && shape.coefs[0].len().is_multiple_of(2);
    let fits = shape.workgroup_bytes() <= limits.workgroup_bytes && THREADS <= limits.max_invocations;
    (suits && fits).then(|| (shape, numbers.map(|number| number as u32)))
}

impl FilterBankImageShape {
    /// Whether the kernel reads nothing but what it writes to.
    pub(in crate::gpu) fn in_place(&self) -> bool {
        self.direction == Direction::Forward && self.joined_in_output
    }

    /// Whether the kernel reads the input of the plan and, between launches, what it writes to.
    pub(in crate::gpu) fn reads_input(&self) -> bool {
        self.direction == Direction::Inverse
    }

    /// Rows and columns that a tile reads.
    fn reads(&self) -> [usize; 2] {
        let more = self.coefs[0].len() - 2;
        [self.rows + more, self.columns + more]
    }

    /// Values that a tile holds: what it reads, and what the first axis makes of it.
    fn held(&self) -> usize {
        let [height, width] = self.reads();
        height * width + if self.direction == Direction::Forward { height * self.columns } else { self.rows * width }
    }

    fn workgroup_bytes(&self) -> usize {
        Precision::Single.bytes_per_lane(Ring::Real) * self.held()
    }
}

/// The whole text but for the files that stand before it.
pub(in crate::gpu) fn source(shape: &FilterBankImageShape) -> String {
    let [height, width] = shape.reads();
    let constants = format!(
        "const BACK = {};\nconst WRAPS = true;\nconst ROWS = {}u;\nconst COLUMNS = {}u;\nconst HEIGHT = {height}u;\nconst WIDTH = {width}u;\nconst FIRST = {};\nconst HELD = {}u;\nconst THREADS = {THREADS}u;\nconst JOINED_IN_OUTPUT = {};\nconst LOW_IN_OUTPUT = {};\n",
        shape.direction == Direction::Inverse,
        shape.rows,
        shape.columns,
        shape.first,
        shape.held(),
        shape.joined_in_output,
        shape.low_in_output,
    );
    let mut taps = WgslBody::new(Precision::Single);
    for tap in 0..shape.coefs[0].len() {
        taps.line(format_args!("let x{tap} = held[at + {tap}u * hop];"));
    }
    for (name, coefs) in ["first", "second"].into_iter().zip(&shape.coefs) {
        let term = |(tap, &coef): (usize, &u64)| format!("{:?} * x{tap}", f64::from_bits(coef));
        taps.line(format_args!("let {name} = {};", coefs.iter().enumerate().map(term).collect::<Vec<_>>().join(" + ")));
    }
    [constants, KERNEL.replace("    //@ taps\n", &taps.into_text())].join("\n")
}

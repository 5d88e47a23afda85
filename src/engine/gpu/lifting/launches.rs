//! Which plans consist of the levels of a lifting scheme, and where the launches of such a plan read and write.

use super::steps::{ITEM, register_steps};
use crate::gpu::family::KernelDispatch;
use crate::gpu::kernel::Kernel;
use crate::gpu::limits::Limits;
use crate::plan::{Direction, Extension, LiftingStep, Plan, Precision, PyramidLayout, Ring, halved};
use crate::schedule::{Launch, PyramidLevel, Schedule, Tile, pyramid_levels};
use serde::Serialize;

/// A plan that consists of the levels of a lifting scheme and of the permutation: of lines, or of an image along both axes.
pub(super) struct LiftingPlan {
    pub(super) levels: Vec<PyramidLevel>,
    pub(super) layout: PyramidLayout,
    pub(super) extension: Extension,
    /// Rows of the image, or the number of lines.
    pub(super) rows: usize,
}

/// A launch of such a plan.
pub(super) struct LiftingLaunch {
    pub(super) plan: LiftingPlan,
    pub(super) levels: usize,
    /// Rows and columns before the finest level, and of a tile of it.
    pub(super) samples: [usize; 2],
    pub(super) tile: [usize; 2],
    /// The first lane of the samples, and lanes from one row to the next; the same for the low-pass values after the coarsest level.
    pub(super) fine: [usize; 2],
    pub(super) low: [usize; 2],
    pub(super) data: LiftingData,
}

/// The common part of the kernels of all these launches.
#[derive(Clone, Serialize)]
pub(super) struct LiftingData {
    pub(super) inverse: bool,
    /// Whether the boundary extension is periodic; symmetric otherwise.
    pub(super) wraps: bool,
    /// See [`PyramidLayout::rotation`].
    pub(super) rotation: usize,
    /// Whether the samples of the finest level, or in the inverse the low-pass values, are read from the buffer that is written.
    pub(super) fine_in_output: bool,
    pub(super) low_in_output: bool,
}

/// Scratch lanes that the launches of the plan need for the low-pass values between two launches.
pub(super) fn scratch_lanes(plan: &Plan, schedule: &Schedule, limits: Limits) -> usize {
    let overlaps = schedule.launches.iter().any(|launch| matches!(launch.tile, Tile::Overlapped { .. }));
    let Some(lifting) = LiftingPlan::of(plan, limits).filter(|_| overlaps) else { return 0 };
    let starts = lifting.starts(schedule);
    lifting.scratch(&starts, starts.len().saturating_sub(1)) - plan.lanes
}

impl LiftingPlan {
    pub(super) fn of(plan: &Plan, limits: Limits) -> Option<Self> {
        let real = plan.ring == Ring::Real && limits.precision == Precision::Single;
        let layout = plan.stages.iter().find_map(|stage| stage.write.pyramid)?;
        if !real || (plan.inputs, plan.outputs) != (plan.lanes, plan.lanes) {
            return None;
        }
        let (levels, n, rows, is_image) = (pyramid_levels(plan)?, layout.columns, plan.lanes / layout.columns, layout.rows > 1);
        let first = levels.first()?;
        let extension = first.along_rows.first()?.extension;
        let regular = levels.iter().zip(0..).all(|(level, l)| {
            let (height, width) = (if is_image { halved(rows, l) } else { rows }, halved(n, l));
            let fits = |step: &LiftingStep, spacing: usize, samples: usize, lines: usize| {
                let lines_fit = is_image || rows == 1 || step.line_stride() == Some(n);
                let expected = (spacing << l, samples, lines, extension);
                lines_fit && step.mirrors_evenly() && (step.spacing, step.samples, step.n_lines(), step.extension) == expected
            };
            level.along_columns.is_empty() != is_image
                && alike(&level.along_rows, &first.along_rows)
                && alike(&level.along_columns, &first.along_columns)
                && level.along_rows.iter().all(|step| fits(step, 1, width, height))
                && level.along_columns.iter().all(|step| fits(step, n, height, width))
        });
        let in_items = [&first.along_rows, &first.along_columns].iter().all(|steps| register_steps(steps, ITEM).is_some());
        let is_known = matches!(extension, Extension::Symmetric | Extension::Periodic) && in_items;
        let whole = levels.len() == layout.levels as usize && rows * n == plan.lanes && (!is_image || layout.rows == rows);
        (regular && is_known && whole).then_some(Self { levels, layout, extension, rows })
    }

    pub(super) fn is_image(&self) -> bool {
        self.layout.rows > 1
    }

    /// The level at which every launch begins, and the number of levels, the finest first.
    fn starts(&self, schedule: &Schedule) -> Vec<usize> {
        let begins = |launch: &Launch| self.levels.iter().position(|level| launch.stages.contains(&level.stages.start));
        let mut starts: Vec<usize> = schedule.launches.iter().filter_map(begins).collect();
        starts.sort_unstable();
        starts.push(self.levels.len());
        starts
    }

    /// Rows and columns before a level.
    fn samples(&self, level: usize) -> [usize; 2] {
        let rows = if self.is_image() { halved(self.rows, level as u32) } else { self.rows };
        [rows, halved(self.layout.columns, level as u32)]
    }

    /// Lanes from one row to the next of the low-pass values before a level, in scratch lanes: whole vectors.
    fn pitch(&self, level: usize) -> usize {
        self.samples(level)[1].next_multiple_of(4)
    }

    /// The first scratch lane of the low-pass values before the launch that begins at level `starts[index]`; launches before it in the list are finer.
    fn scratch(&self, starts: &[usize], index: usize) -> usize {
        let size = |&level: &usize| self.samples(level)[0] * self.pitch(level);
        (self.rows * self.layout.columns).next_multiple_of(4) + starts[..index].iter().skip(1).map(size).sum::<usize>()
    }

    /// The time of a launch of overlapped tiles.
    pub(super) fn launch(self, schedule: &Schedule, launch: &Launch) -> Option<LiftingLaunch> {
        let Tile::Overlapped { grid, .. } = launch.tile else { return None };
        let starts = self.starts(schedule);
        let inside = |level: &&PyramidLevel| launch.stages.contains(&level.stages.start);
        let begin = self.levels.iter().position(|level| inside(&level))?;
        let levels = self.levels.iter().filter(inside).count();
        let index = starts.iter().position(|&start| start == begin)?;
        let width = self.layout.columns;
        let (is_finest, is_coarsest) = (begin == 0, begin + levels == self.levels.len());
        let fine = if is_finest { [0, width] } else { [self.scratch(&starts, index), self.pitch(begin)] };
        let low = if is_coarsest { [0, width] } else { [self.scratch(&starts, index + 1), self.pitch(begin + levels)] };
        let data = LiftingData {
            inverse: self.layout.direction == Direction::Inverse,
            wraps: self.extension == Extension::Periodic,
            rotation: self.layout.rotation,
            fine_in_output: !is_finest,
            low_in_output: !is_coarsest,
        };
        let (samples, tile) = (self.samples(begin), [grid.rows, grid.columns >> begin]);
        Some(LiftingLaunch { levels, samples, tile, fine, low, data, plan: self })
    }
}

/// Whether the steps of two levels have the same factors.
fn alike(steps: &[LiftingStep], others: &[LiftingStep]) -> bool {
    let factors = |step: &LiftingStep| (step.parity, step.is_linear, step.coefs);
    steps.iter().map(factors).eq(others.iter().map(factors))
}

impl LiftingLaunch {
    /// Steps along rows, and along columns.
    pub(super) fn steps(&self) -> [&[LiftingStep]; 2] {
        let level = &self.plan.levels[0];
        [&level.along_rows, &level.along_columns]
    }

    /// Whether rows of this many lanes begin at multiples of `unit` lanes.
    pub(super) fn aligned(&self, pitch: usize, unit: usize) -> bool {
        self.plan.rows == 1 || pitch.is_multiple_of(unit)
    }

    /// The same for the other bands of a level: for the band that is low-pass along x, and for those that are high-pass.
    pub(super) fn high_aligned(&self, level: usize, unit: usize) -> [bool; 2] {
        let rows = self.aligned(self.plan.layout.columns, unit) && self.data.rotation == 0;
        [rows, rows && halved(self.samples[1], level as u32 + 1).is_multiple_of(unit)]
    }

    /// The kernel of a file, dispatched with its uniforms.
    pub(super) fn dispatch(&self, family: &'static str, file: &'static str, data: impl Serialize, uniforms: [usize; 9]) -> KernelDispatch {
        let LiftingData { inverse, fine_in_output, .. } = self.data;
        // In the inverse it reads the input of the plan, and between launches the buffer that it writes.
        let kernel = Kernel { in_place: !inverse && fine_in_output, reads_input: inverse, ..Kernel::new(family, file, Ring::Real, data) };
        KernelDispatch::of(kernel, uniforms.map(|number| number as u32))
    }

    /// A kernel of images.
    pub(super) fn dispatch_image(&self, file: &'static str, data: impl Serialize, tile: [usize; 2]) -> KernelDispatch {
        let ([rows, columns], [fine, fine_row], [low, low_row]) = (self.samples, self.fine, self.low);
        let (across, high_row) = (columns.div_ceil(tile[1]), self.plan.layout.columns);
        let uniforms = [across * rows.div_ceil(tile[0]), across, rows, columns, fine, fine_row, low, low_row, high_row];
        self.dispatch("lifting image", file, data, uniforms)
    }
}

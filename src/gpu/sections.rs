//! The kernel of split and merge sections: which launches it serves, and what a workgroup takes.
//!
//! F. Argüello et al. 2012, section 3: the number of levels, the memory of the merge, threads a sample and the width are parameters.
//! The closed form of the sections, [`borders`], is compared with what is derived from the plan in `tests/core/sections.rs`.

pub(super) mod square;
mod text;

pub(super) use text::source;

use super::lower::LowerError;
use super::{Kernel, Limits};
use crate::plan::{Fold, LiftingStep, Plan, Precision, Ring, Stage};
use crate::schedule::{Border, Launch, Memory, Section, Threads, Tile, are_apart, axes, borders};
use std::ops::Range;

/// The constants of one kernel.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SectionShape {
    /// What a lane holds: real numbers, of which steps take sums, or rows, from which they take neighbours away.
    pub ring: Ring,
    /// How numbers are held.
    pub precision: Precision,
    section: Section,
    memory: Memory,
    threads: Threads,
    steps: Vec<ShapeStep>,
    /// Samples of a tile, and of a unit: a tile, or what is around a border.
    tile: usize,
    samples: usize,
    /// Units of a workgroup.
    units: usize,
    /// Whether these are neighbouring columns of a picture.
    across: bool,
    /// Whether lines are circles.
    wraps: bool,
    /// Whether the odd samples are those of the next level, and not the even ones.
    odd: bool,
    /// Whether a tile has a copy of the sample before it.
    copies: bool,
    /// Threads of a workgroup.
    block: usize,
    /// Whether results go where the lanes came from.
    in_place: bool,
}

/// A step: the level, counted from the first of the run, the samples that it updates, the bits of its coefficients, and how far from a border the split goes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct ShapeStep {
    level: u32,
    parity: usize,
    taps: Vec<(i64, u64)>,
    before: i64,
    after: i64,
}

/// Nothing is left to a merge.
const NO_BORDER: Border = Border { before: -1, after: 0 };

/// The kernel that serves a launch, and its numbers; `None` where it does not serve it.
pub(super) fn serving(plan: &Plan, launch: &Launch, in_place: bool, limits: Limits) -> Option<(Kernel, [u32; 9])> {
    if axes(plan, launch.stages.clone()).len() > 1 {
        return square::serving(plan, launch, in_place, limits);
    }
    let (shape, numbers) = shape(plan, launch, in_place, limits)?;
    let fits = shape.workgroup_bytes() <= limits.workgroup_bytes;
    fits.then_some((Kernel::Section(shape), numbers))
}

/// Why no kernel serves a launch, with its number: the tiles of its section are too large, or its stages leave their tiles.
pub(super) fn misfit(plan: &Plan, (index, launch): (usize, &Launch), in_place: bool, limits: Limits) -> LowerError {
    let fits = limits.workgroup_bytes / limits.precision.bytes_per_lane(plan.ring);
    match shape(plan, launch, in_place, limits).map(|(shape, _)| shape.held()) {
        Some(lanes) if lanes > fits => LowerError::Tile { launch: index, lanes, fits },
        _ => LowerError::Cut { launch: index },
    }
}

fn shape(plan: &Plan, launch: &Launch, in_place: bool, limits: Limits) -> Option<(SectionShape, [u32; 9])> {
    let Tile::Section { section, grid, memory, threads } = launch.tile else { return None };
    let steps = regular_steps(plan, launch.stages.clone(), limits)?;
    // The finest level, whose samples a tile holds: in a substitution that of the last step.
    let first = *steps.iter().min_by_key(|step| step.spacing)?;
    let (across, n, wraps) = (first.is_across(), first.samples, first.fold == Fold::Wrap);
    // The first launch copies the lanes that it does not update, so it must take all.
    let covers = in_place || section == Section::Split && n * first.n_lines() == plan.lanes;
    if !covers || !are_apart(plan, launch.stages.clone(), grid) {
        return None;
    }
    let tile = grid.samples(&first);
    let tiles = n.div_ceil(tile);
    // A tile that is alone, or has a copy of the sample before it, leaves nothing.
    let borders = if tiles == 1 || grid.copies { vec![NO_BORDER; steps.len()] } else { borders(&steps, grid.margin_of(&first)) };
    let samples = if section == Section::Split { tile } else { window(&steps, &borders) };
    let columns = if across { grid.columns / first.line_stride()? } else { 1 };
    let units = match section {
        Section::Merge if !across => (tile * grid.rows / samples).max(1),
        _ => columns,
    };
    let lines = if across { columns } else { grid.rows };
    let block = tile * lines / if threads == Threads::One { 1 } else { 2 };
    let shape = SectionShape {
        ring: plan.ring,
        precision: limits.precision,
        section,
        memory,
        threads,
        steps: shape_steps(&steps, &borders),
        tile,
        samples,
        units,
        across,
        wraps,
        odd: plan.ring == Ring::Row,
        copies: grid.copies,
        block: block.clamp(1, limits.max_invocations),
        in_place,
    };
    let units_of_line = match section {
        Section::Split => tiles,
        Section::Merge => tiles - usize::from(!wraps),
    };
    let n_groups = if across { first.n_lines().div_ceil(units) * units_of_line } else { (first.n_lines() * units_of_line).div_ceil(units) };
    let [inner, outer] = first.lines;
    let numbers = [n_groups, units_of_line, n, first.spacing, inner.n, inner.read, outer.read, first.n_lines(), first.first];
    Some((shape, numbers.map(|number| number as u32)))
}

/// Samples of a level of a unit, counted from its first one, as samples of the first level.
fn of_first_level(odd: bool, level: u32, sample: i64) -> i64 {
    if odd { ((sample + 1) << level) - 1 } else { sample << level }
}

/// The stages as lifting steps of real numbers, or as eliminations, along one axis and with ends that the kernels know; `None` for others.
fn regular_steps(plan: &Plan, stages: Range<usize>, limits: Limits) -> Option<Vec<LiftingStep>> {
    let steps: Vec<LiftingStep> = plan.stages[stages].iter().map(Stage::lifting_step).collect::<Option<_>>()?;
    let first = steps.first()?;
    let alike = |step: &LiftingStep| (step.is_linear, step.is_across(), step.fold);
    let regular = steps.iter().all(|step| alike(step) == alike(first));
    let is_known = match plan.ring {
        Ring::Real => first.is_linear && limits.precision == Precision::Single && matches!(first.fold, Fold::Mirror | Fold::Wrap),
        Ring::Row => !first.is_linear && first.fold == Fold::Zero,
        _ => false,
    };
    (regular && is_known).then_some(steps)
}

/// Steps and how far from a border their split goes, as parts of a shape.
fn shape_steps(steps: &[LiftingStep], borders: &[Border]) -> Vec<ShapeStep> {
    let finest = steps.iter().map(|step| step.spacing).min().unwrap_or(1);
    let shape_step = |(step, border): (&LiftingStep, &Border)| ShapeStep {
        level: (step.spacing / finest).ilog2(),
        parity: step.parity,
        taps: step.taps().map(|(offset, coef)| (offset, coef.to_bits())).collect(),
        before: border.before,
        after: border.after,
    };
    steps.iter().zip(borders).map(shape_step).collect()
}

impl ShapeStep {
    /// The new value of a sample, as text; `value` names that of a neighbour.
    fn sum(&self, value: impl Fn(i64) -> String) -> String {
        let term = |&(offset, coef): &(i64, u64)| format!("{:?} * {}", f64::from_bits(coef), value(offset));
        self.taps.iter().map(term).collect::<Vec<_>>().join(" + ")
    }
}

/// A power of two of samples around a border, half of them on either side, that holds all that its merge reads.
fn window(steps: &[LiftingStep], borders: &[Border]) -> usize {
    let finest = steps.iter().map(|step| step.spacing).min().unwrap_or(1);
    let side = |(step, border): (&LiftingStep, &Border)| {
        let reach = step.taps().map(|(offset, _)| offset.unsigned_abs() as i64).max().unwrap_or(0);
        let samples = (reach - border.before - 1).max(border.after + reach) as usize;
        samples * (step.spacing / finest)
    };
    2 * steps.iter().zip(borders).map(side).max().unwrap_or(1).next_power_of_two()
}

impl SectionShape {
    /// Whether results go where the lanes came from.
    pub fn in_place(&self) -> bool {
        self.in_place
    }

    /// Samples of a unit, with the copy before them.
    fn pitch(&self) -> usize {
        self.samples + usize::from(self.copies)
    }

    /// Lanes in workgroup memory.
    fn held(&self) -> usize {
        if self.memory == Memory::Global { 1 } else { self.pitch() * self.units }
    }

    fn workgroup_bytes(&self) -> usize {
        self.precision.bytes_per_lane(self.ring) * self.held()
    }
}

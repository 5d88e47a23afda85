//! Schedules with split sections and merge sections, and the closed form of these sections for lifting steps.

use super::borders::{borders, finest};
use super::{Border, FilterRun, Grid, Launch, Schedule, Scheme, Section, Tile, axes, filters, pyramid};
use crate::plan::{Extension, LiftingStep, Plan, Stage};
use std::ops::Range;

/// Where the values of a merge section are held.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize, strum::EnumString, strum::VariantNames,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Memory {
    /// In workgroup memory, from the first stage of the section to the last.
    #[default]
    Workgroup,
    /// In global memory, where every stage reads and writes them.
    Global,
}

/// How many threads there are for a sample: T of the paper.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize, strum::EnumString, strum::VariantNames,
)]
pub enum Threads {
    /// One, and every other thread idles in every lifting step; of a filter bank each makes one value.
    #[serde(rename = "1")]
    #[strum(serialize = "1")]
    One,
    /// One for two samples, one of which a lifting step updates; a filter bank makes two values of them.
    #[default]
    #[serde(rename = "1/2")]
    #[strum(serialize = "1/2")]
    Half,
}

/// How the split-and-merge method is applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct SplitAndMerge {
    /// Levels that one split and one merge take: L of the paper.
    pub levels: usize,
    /// Width that goes from split to merge, in samples of the first level: W of the paper.
    pub width: usize,
    /// Where a merge holds its values.
    pub merge: Memory,
    /// Threads a sample.
    pub threads: Threads,
    /// Threads of a workgroup.
    pub block: usize,
    /// How pictures are cut.
    pub scheme: Scheme,
}

impl Default for SplitAndMerge {
    /// What the paper found to be the fastest for the CDF 9/7 wavelet.
    fn default() -> Self {
        Self { levels: 2, width: 0, merge: Memory::Workgroup, threads: Threads::Half, block: 256, scheme: Scheme::RowColumn }
    }
}

impl SplitAndMerge {
    /// Samples of a tile.
    pub fn samples(&self) -> usize {
        match self.threads {
            Threads::One => self.block,
            Threads::Half => 2 * self.block,
        }
    }
}

/// The levels of a plan: runs of lifting steps on the same samples, and every other stage on its own.
pub fn levels(plan: &Plan) -> Vec<Range<usize>> {
    let steps: Vec<Option<LiftingStep>> = plan.stages.iter().map(Stage::lifting_step).collect();
    let mut levels: Vec<Range<usize>> = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let joins = |level: &Range<usize>| {
            let before = steps[level.start];
            before.zip(*step).is_some_and(|(a, b)| (a.spacing, a.samples, a.lines) == (b.spacing, b.samples, b.lines))
        };
        match levels.last_mut() {
            Some(level) if joins(level) => level.end = index + 1,
            _ => levels.push(index..index + 1),
        }
    }
    levels
}

/// Levels among some stages: of lifting steps in place, or of a filter bank.
pub fn levels_within(plan: &Plan, stages: Range<usize>) -> usize {
    let is_within = |level: &Range<usize>| stages.start <= level.start && level.end <= stages.end;
    let lifted = levels(plan).into_iter().filter(|level| is_within(level) && plan.stages[level.start].lifting_step().is_some()).count();
    if lifted > 0 { lifted } else { filters::levels_within(plan, stages) }
}

impl Schedule {
    /// Levels of every split, and whether a merge follows: what fits one tile needs none.
    pub fn levels_of_sections(&self, plan: &Plan) -> Vec<(usize, bool)> {
        let is = |launch: &Launch, of: Section| matches!(launch.tile, Tile::Section { section, .. } if section == of);
        let splits = self.launches.iter().enumerate().filter(|(_, launch)| is(launch, Section::Split));
        let is_merged = |index: usize| self.launches.get(index + 1).is_some_and(|next| is(next, Section::Merge));
        splits.map(|(index, launch)| (levels_within(plan, launch.stages.clone()), is_merged(index))).collect()
    }

    /// Every run of levels in two launches: what tiles finish alone, and what is left at their borders, again and again until one tile holds all that is left.
    /// Stages that are neither lifting steps in place nor levels of a filter bank are launches of their own.
    pub fn split_and_merge(plan: &Plan, how: SplitAndMerge) -> Self {
        if let Some(schedule) = pyramid::split_and_merge(plan, how).or_else(|| filters::split_and_merge(plan, how)) {
            return schedule;
        }
        let levels = levels(plan);
        let step = |level: &Range<usize>| plan.stages[level.start].lifting_step();
        let (mut launches, mut next) = (Vec::new(), 0);
        while next < levels.len() {
            let first = &levels[next];
            if step(first).is_none() {
                launches.extend(first.clone().map(|stage| Launch { stages: stage..stage + 1, tile: Tile::Each }));
                next += 1;
                continue;
            }
            // Samples twice as far apart in every level forward, and half as far on the way back.
            let follows = |n: usize| {
                let along = |level: usize| levels.get(level).and_then(step);
                let (Some(before), Some(after)) = (along(next + n - 1), along(next + n)) else { return false };
                let (near, far) = (before.spacing.min(after.spacing), before.spacing.max(after.spacing));
                far == 2 * near && after.is_across() == before.is_across()
            };
            if let Some(stages) = both_axes(plan, &levels[next..]).filter(|_| how.scheme == Scheme::Square)
                && let Some(grid) = how.square(plan, &stages)
            {
                sections_of(plan, &mut launches, stages, grid, how);
                next += 2;
                continue;
            }
            let most = (1..how.levels.max(1)).take_while(|&n| follows(n)).count() + 1;
            let stages = |n: usize| first.start..levels[next + n - 1].end;
            let grid = |n: usize| {
                let steps: Vec<LiftingStep> = levels[next..next + n].iter().filter_map(step).collect();
                finest(&steps).map(|step| how.grid(step, plan.lanes, n))
            };
            // Fewer levels where the merges would meet.
            let fits = |n: usize| grid(n).filter(|&grid| are_apart(plan, stages(n), grid)).map(|grid| (n, grid));
            match (1..=most).rev().find_map(fits) {
                Some((n, grid)) => {
                    sections_of(plan, &mut launches, stages(n), grid, how);
                    next += n;
                }
                None => {
                    launches.extend(stages(1).map(|stage| Launch { stages: stage..stage + 1, tile: Tile::Each }));
                    next += 1;
                }
            }
        }
        Self { launches }
    }
}

/// Whether the split of a run of lifting steps has something between any two borders, so that no merge needs another one.
pub fn are_apart(plan: &Plan, stages: Range<usize>, grid: Grid) -> bool {
    let steps: Option<Vec<LiftingStep>> = plan.stages[stages].iter().map(Stage::lifting_step).collect();
    let Some(steps) = steps else { return false };
    let Some(first) = finest(&steps) else { return false };
    let size = grid.samples(first);
    let margin = grid.margin_of(first);
    // The last tile has two borders only where the line is a circle.
    let last = (first.samples - 1) % size + 1;
    let shortest = if first.extension == Extension::Periodic { last } else { size };
    let room = |step: &LiftingStep| (shortest / (step.spacing / first.spacing)) as i64;
    let regular = steps.iter().all(|step| step.extension == first.extension && step.extension != Extension::PeriodicHalves);
    // With a copy of the lane before it a tile leaves nothing.
    let leaves_room = |(border, step): (Border, &LiftingStep)| step.mirrors_evenly() && border.after - border.before <= room(step);
    let apart = || grid.copies || borders(&steps, margin).into_iter().zip(&steps).all(leaves_room);
    regular && (size >= first.samples || apart())
}

/// The launches of a run: the split, and a merge for every axis along which something is left.
pub(super) fn sections_of(plan: &Plan, launches: &mut Vec<Launch>, stages: Range<usize>, grid: Grid, how: SplitAndMerge) {
    let is_left = |stages: &Range<usize>| plan.stages[stages.start].lifting_step().is_some_and(|step| grid.samples(&step) < step.samples);
    let merges = axes(plan, stages.clone()).into_iter().filter(is_left);
    push_sections(launches, stages, merges, grid, how);
}

/// A split, and some merges of stages of it.
pub(super) fn push_sections(
    launches: &mut Vec<Launch>,
    stages: Range<usize>,
    merges: impl IntoIterator<Item = Range<usize>>,
    grid: Grid,
    how: SplitAndMerge,
) {
    let tile = |section, memory| Tile::Section { section, grid, memory, threads: how.threads };
    launches.push(Launch { stages, tile: tile(Section::Split, Memory::Workgroup) });
    launches.extend(merges.into_iter().map(|stages| Launch { stages, tile: tile(Section::Merge, how.merge) }));
}

/// The stages of the first two levels where they are the two axes of one level of a picture.
fn both_axes(plan: &Plan, levels: &[Range<usize>]) -> Option<Range<usize>> {
    let [first, second, ..] = levels else { return None };
    let [a, b] = [first, second].map(|level| plan.stages[level.start].lifting_step());
    let (a, b) = a.zip(b)?;
    let is_both = a.is_across() != b.is_across() && a.line_stride() == Some(b.spacing) && b.line_stride() == Some(a.spacing);
    is_both.then_some(first.start..second.end)
}

impl SplitAndMerge {
    /// The tiles of a run of so many levels that begins with this step: consecutive samples of its level, or squares where the lines are columns.
    pub(super) fn grid(&self, step: &LiftingStep, lanes: usize, levels: usize) -> Grid {
        // Borders stand at a sample that is left after all levels.
        let whole = |samples: usize| samples.next_multiple_of(1 << levels);
        let (stride, margin) = (step.line_stride().unwrap_or(lanes), self.width / 2);
        if step.is_across() {
            let [rows, columns] = self.sides();
            let extent = [step.samples, step.n_lines() * stride];
            let line = Grid::line(step.spacing, columns * stride).within(extent);
            return Grid { rows: whole(rows), margin: [margin, 0], ..line };
        }
        let extent = [step.n_lines(), if step.is_linear { step.samples * step.spacing } else { stride }];
        let line = Grid::line(stride, whole(self.samples()) * step.spacing).within(extent);
        Grid { first: step.first, margin: [0, margin * step.spacing], ..line }
    }
}

impl SplitAndMerge {
    /// Rows and columns of a tile of a picture: a square, or twice as many columns.
    pub(super) fn sides(&self) -> [usize; 2] {
        let rows = 1 << (self.samples().ilog2() / 2);
        [rows, self.samples() / rows]
    }

    /// The tiles of one level along both axes; `None` where the merges along one of them would meet.
    fn square(&self, plan: &Plan, stages: &Range<usize>) -> Option<Grid> {
        let steps = stages.clone().filter_map(|stage| plan.stages[stage].lifting_step());
        let (across, along): (Vec<_>, Vec<_>) = steps.partition(LiftingStep::is_across);
        let ([rows, columns], margin) = (self.sides(), self.width / 2);
        let (row, lane) = (across.first()?.spacing, along.first()?.spacing);
        let [rows_left, columns_left] = [across.first()?.samples, along.first()?.samples];
        let line = Grid::line(row, columns * lane).within([rows_left, columns_left * lane]);
        let grid = Grid { rows, margin: [margin, margin * lane], ..line };
        axes(plan, stages.clone()).into_iter().all(|axis| are_apart(plan, axis, grid)).then_some(grid)
    }
}

impl Grid {
    /// Samples on either side of a border that are left to the merge, along the lines of a lifting step.
    pub fn margin_of(&self, step: &LiftingStep) -> usize {
        if step.is_across() { self.margin[0] } else { self.margin[1] / step.spacing }
    }

    /// Samples of a tile along the lines of a lifting step.
    pub fn samples(&self, step: &LiftingStep) -> usize {
        if step.is_across() { self.rows } else { self.columns / step.spacing }
    }
}

/// Lanes that the merge of a run of lifting steps touches at all borders together; those of the split where the stages are neither such steps nor levels of a filter bank.
pub(super) fn border_lanes(plan: &Plan, stages: Range<usize>, grid: Grid) -> usize {
    if let Some(run) = FilterRun::of(plan, stages.clone()) {
        return run.border_lanes(grid);
    }
    let steps: Option<Vec<LiftingStep>> = plan.stages[stages].iter().map(Stage::lifting_step).collect();
    let Some((steps, first)) = steps.and_then(|steps| Some((steps.clone(), *finest(&steps)?))) else { return plan.lanes };
    let margin = grid.margin_of(&first);
    let span = |(border, step): (Border, &LiftingStep)| (border.after - border.before + 1) as usize * (step.spacing / first.spacing);
    let widest = borders(&steps, margin).into_iter().zip(&steps).map(span).max().unwrap_or(0);
    let ends = usize::from(matches!(first.extension, Extension::Symmetric | Extension::None | Extension::Zero));
    let n_borders = first.samples.div_ceil(grid.samples(&first)) - ends;
    n_borders * widest.min(first.samples) * first.n_lines()
}

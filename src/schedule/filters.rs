//! Sections and overlapped tiles of filter banks, which are not in place: the runs of levels that a launch takes, and the closed form of what they leave at a border.
//!
//! F. Argüello, D. B. Heras, M. Bóo, J. Lamas-Rodríguez, The split-and-merge method in general purpose computation on GPUs (2012), section 3 and Figures 5 and 7.
//! A split keeps the values around every border that its merge will need, of the first level and of all between the first and the last.

use super::split_and_merge::push_sections;
use super::{Border, Grid, Group, Launch, Left, Schedule, SplitAndMerge, Tile};
use crate::plan::{FilterStep, Plan};
use std::ops::Range;

/// A level of a filter bank.
#[derive(Debug, Clone, PartialEq)]
pub struct FilterLevel {
    /// Its stages.
    pub stages: Range<usize>,
    /// The one that halves.
    pub step: FilterStep,
    /// Whether the halves of every second line then change places, as in packets in the order of frequencies.
    pub exchanges: bool,
}

/// Levels that one launch can take: each goes on with what the one before has left.
#[derive(Debug, Clone, PartialEq)]
pub struct FilterRun {
    /// The levels, the finest first.
    pub levels: Vec<FilterLevel>,
    /// Whether a level halves both halves of the one before, as packets do, and not only the low one.
    pub is_tree: bool,
}

/// The levels of a run of stages; `None` where these are no whole levels of a filter bank.
fn levels(plan: &Plan, stages: Range<usize>) -> Option<Vec<FilterLevel>> {
    let mut levels: Vec<FilterLevel> = Vec::new();
    for index in stages {
        let stage = &plan.stages[index];
        match (stage.filter_step(), levels.last_mut()) {
            (Some(step), _) => levels.push(FilterLevel { stages: index..index + 1, step, exchanges: false }),
            (None, Some(level)) if level.takes_too(stage.exchanges_halves(level.step.samples), stage.n_butterflies()) => {
                (level.stages.end, level.exchanges) = (index + 1, true);
            }
            _ => return None,
        }
    }
    Some(levels)
}

impl FilterLevel {
    /// Whether a stage that may exchange the halves of every second line does so for all lines of this level.
    fn takes_too(&self, exchanges: bool, n_butterflies: usize) -> bool {
        let FilterStep { samples, n_lines, line_stride, spacing, .. } = self.step;
        exchanges && !self.exchanges && spacing == 1 && line_stride == samples && 4 * n_butterflies == n_lines * samples
    }

    /// What the next level halves: both halves of this one, or only the low one; `None` where it is no next level.
    fn is_tree_with(&self, next: &Self) -> Option<bool> {
        let (a, b) = (&self.step, &next.step);
        let goes_on = b.samples == a.samples / 2 && b.spacing == a.spacing && (a.first, &a.coefs) == (b.first, &b.coefs);
        let is_dense = |step: &FilterStep| step.line_stride == step.samples * step.spacing;
        let stays = a.n_lines == b.n_lines && (a.n_lines == 1 || a.line_stride == b.line_stride) && !self.exchanges && !next.exchanges;
        match goes_on {
            true if b.n_lines == 2 * a.n_lines && is_dense(a) && is_dense(b) => Some(true),
            true if stays => Some(false),
            _ => None,
        }
    }
}

impl FilterRun {
    /// The run that consists of some stages, if there is one.
    pub fn of(plan: &Plan, stages: Range<usize>) -> Option<Self> {
        let levels = levels(plan, stages)?;
        let is_tree = levels.get(1).is_none_or(|second| levels[0].is_tree_with(second) == Some(true));
        let goes_on = levels.windows(2).all(|pair| pair[0].is_tree_with(&pair[1]) == Some(is_tree));
        (!levels.is_empty() && goes_on).then_some(Self { levels, is_tree })
    }

    /// The finest step, the samples of which a tile takes.
    pub fn finest(&self) -> &FilterStep {
        &self.levels[0].step
    }

    /// All stages.
    pub fn stages(&self) -> Range<usize> {
        self.levels[0].stages.start..self.levels.last().map_or(0, |level| level.stages.end)
    }

    /// How many lines level `level` of the run makes of one that the run begins with, and halves.
    pub fn blocks(&self, level: usize) -> usize {
        if self.is_tree { 1 << level } else { 1 }
    }

    /// What is left to the merge at a border before the first level and after every one, counted in values of a half; `margin` samples on each side are left before the first level.
    pub fn borders(&self, margin: usize) -> Vec<Border> {
        let mut borders = vec![Border { before: -1 - margin as i64, after: margin as i64 }];
        for FilterLevel { step, .. } in &self.levels {
            let Border { before, after } = borders[borders.len() - 1];
            let next = Border { before: (before - step.last()).div_euclid(2), after: (after - step.first + 1).div_euclid(2) };
            borders.push(next);
        }
        borders
    }

    /// For every level, the samples around a border of which the merge makes its values.
    pub fn windows(&self, margin: usize) -> Vec<Range<i64>> {
        let window =
            |(step, Border { before, after }): (&FilterStep, Border)| 2 * (before + 1) + step.first..2 * (after - 1) + step.last() + 1;
        self.levels.iter().map(|level| &level.step).zip(self.borders(margin).into_iter().skip(1)).map(window).collect()
    }

    /// Before the first level and after every one, how many samples before a tile and behind it are computed for its sake, or read.
    pub fn halos(&self) -> Vec<[usize; 2]> {
        let mut halos = vec![[0, 0]];
        for FilterLevel { step, .. } in self.levels.iter().rev() {
            let [before, behind] = halos[0];
            let next = [2 * before as i64 - step.first, 2 * behind as i64 + step.last() - 1];
            halos.insert(0, next.map(|samples| samples.max(0) as usize));
        }
        halos
    }

    /// Samples of a tile along the lines.
    pub fn tile(&self, grid: Grid) -> usize {
        if self.finest().is_across() { grid.rows } else { grid.columns / self.finest().spacing }
    }

    /// Samples on either side of a border that are left to the merge.
    pub fn margin(&self, grid: Grid) -> usize {
        if self.finest().is_across() { grid.margin[0] } else { grid.margin[1] / self.finest().spacing }
    }

    /// Whether every merge reads, around its border, only what the split has and what it makes itself, so that no merge needs another one.
    pub fn is_apart(&self, grid: Grid) -> bool {
        let (tile, n, margin) = (self.tile(grid), self.finest().samples, self.margin(grid));
        // The last tile may be shorter than the others.
        let shortest = (n - 1) % tile + 1;
        let has_room = |((level, window), border): ((usize, Range<i64>), Border)| {
            let samples = (shortest >> level) as i64;
            samples + window.start >= border.after && window.end <= samples + border.before + 1
        };
        tile >= n || self.windows(margin).into_iter().enumerate().zip(self.borders(margin)).all(has_room)
    }

    /// Samples around a border that its merge reads: those that are kept for it, and those that it makes itself.
    pub fn kept(&self, margin: usize) -> usize {
        self.windows(margin)
            .iter()
            .enumerate()
            .map(|(level, window)| self.blocks(level) * (window.end - window.start).max(0) as usize)
            .sum()
    }

    /// Lanes that are kept at all borders.
    pub fn border_lanes(&self, grid: Grid) -> usize {
        let step = self.finest();
        step.n_lines * step.samples.div_ceil(self.tile(grid)) * self.kept(self.margin(grid))
    }

    /// The tiles of the run: of so many neighbouring samples, or squares where lines stand beside one another.
    fn grid(&self, [rows, columns]: [usize; 2], margin: usize) -> Grid {
        let step = self.finest();
        // Borders stand at a sample that is left after all levels.
        let whole = |samples: usize| samples.next_multiple_of(1 << self.levels.len());
        if step.is_across() {
            let line = Grid::line(step.spacing, columns * step.line_stride).within([step.samples, step.n_lines * step.line_stride]);
            return Grid { rows: whole(rows), margin: [margin, 0], ..line };
        }
        let line = Grid::line(step.line_stride, whole(columns) * step.spacing).within([step.n_lines, step.samples * step.spacing]);
        Grid { rows, margin: [0, margin * step.spacing], ..line }
    }
}

/// The runs of a filter bank, of as many levels as `take` says of those that are left; `None` for other plans.
fn runs(plan: &Plan, mut take: impl FnMut(&FilterRun) -> usize) -> Option<Vec<FilterRun>> {
    let levels = levels(plan, 0..plan.stages.len()).filter(|levels| !levels.is_empty())?;
    let (mut runs, mut next) = (Vec::new(), 0);
    while next < levels.len() {
        let longest = (next + 1..=levels.len()).map_while(|end| FilterRun::of(plan, levels[next].stages.start..levels[end - 1].stages.end));
        let mut run = longest.last()?;
        run.levels.truncate(take(&run).max(1));
        next += run.levels.len();
        runs.push(run);
    }
    Some(runs)
}

/// Every run of levels in two launches, what tiles finish alone and what is left at their borders; levels whose merges would meet are launches of their own.
pub(super) fn split_and_merge(plan: &Plan, how: SplitAndMerge) -> Option<Schedule> {
    let grid = |run: &FilterRun| run.grid(if run.finest().is_across() { how.sides() } else { [1, how.samples()] }, how.width / 2);
    let fits = |run: &FilterRun, levels: usize| {
        let taken = FilterRun { levels: run.levels[..levels].to_vec(), ..*run };
        taken.is_apart(grid(&taken))
    };
    let most = |run: &FilterRun| (1..=how.levels.clamp(1, run.levels.len())).rev().find(|&levels| fits(run, levels)).unwrap_or(1);
    let mut launches = Vec::new();
    for run in runs(plan, most)? {
        let (stages, grid) = (run.stages(), grid(&run));
        if !run.is_apart(grid) {
            launches.extend(stages.map(|stage| Launch { stages: stage..stage + 1, tile: Tile::Each }));
            continue;
        }
        let merge = (run.tile(grid) < run.finest().samples).then(|| stages.clone());
        push_sections(&mut launches, stages, merge, grid, how);
    }
    Some(Schedule { launches })
}

/// Groups of levels, as many as `take` says of what is left, each in one launch of overlapped tiles.
pub(super) fn overlapped(plan: &Plan, mut take: impl FnMut(Left) -> Group) -> Option<Schedule> {
    let mut tiles = Vec::new();
    let runs = runs(plan, |run| {
        let step = run.finest();
        let samples = if step.is_across() { [step.samples, step.n_lines] } else { [1, step.samples] };
        let group = take(Left { samples, levels: run.levels.len() });
        tiles.push(group.tile);
        group.levels
    })?;
    let launch = |(run, [rows, columns]): (FilterRun, [usize; 2])| {
        let (step, [before, behind]) = (run.finest(), run.halos()[0]);
        let halo = before.max(behind);
        let (rows, halo) = if step.is_across() { (rows, [halo, 0]) } else { (1, [0, halo * step.spacing]) };
        Launch { stages: run.stages(), tile: Tile::Overlapped { grid: run.grid([rows, columns], 0), halo } }
    };
    Some(Schedule { launches: runs.into_iter().zip(tiles).map(launch).collect() })
}

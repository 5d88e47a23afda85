//! Sections and overlapped tiles of filter banks, which are not in place: the runs of levels that a launch takes, and the closed form of what they leave at a border.
//!
//! F. Argüello, D. B. Heras, M. Bóo, J. Lamas-Rodríguez, The split-and-merge method in general purpose computation on GPUs (2012), section 3 and Figures 5 and 7.
//! A split keeps the values around every border that its merge will need, of the first level and of all between the first and the last.
//! On the way back tiles are of neighbouring samples where a run ends; a value before it belongs to the tile of the sample that stands in its place in the end.

use super::{SectionBoundary, TileGrid};
use crate::plan::{Direction, FilterStep, Plan, Stage};
use std::ops::Range;

/// A level of a filter bank.
#[derive(Debug, Clone, PartialEq)]
pub struct FilterLevel {
    /// Its stages.
    pub stages: Range<usize>,
    /// The one that halves, or makes lines of halves.
    pub step: FilterStep,
    /// Whether the halves of every second line then change places, or on the way back before, as in packets in the order of frequencies.
    pub exchanges: bool,
}

/// Levels that one launch can take: each goes on with what the one before has left.
#[derive(Debug, Clone, PartialEq)]
pub struct FilterRun {
    /// The levels, the finest first.
    pub levels: Vec<FilterLevel>,
    /// Whether a level halves both halves of the finer one, as packets do, and not only the low one.
    pub is_tree: bool,
}

/// The levels of a run of stages, the finest first; `None` where these are no whole levels of a filter bank.
fn levels(plan: &Plan, stages: Range<usize>) -> Option<Vec<FilterLevel>> {
    let mut indices = Vec::from_iter(stages);
    // The way back ends with the finest level.
    if plan.stages[*indices.last()?].filter_step().is_some_and(|step| step.direction == Direction::Inverse) {
        indices.reverse();
    }
    let mut levels: Vec<FilterLevel> = Vec::new();
    for index in indices {
        let stage = &plan.stages[index];
        match (stage.filter_step(), levels.last_mut()) {
            (Some(step), _) => levels.push(FilterLevel { stages: index..index + 1, step, exchanges: false }),
            (None, Some(level)) if level.takes_too(stage) => {
                level.exchanges = level.is_whole();
                level.stages = level.stages.start.min(index)..level.stages.end.max(index + 1);
            }
            _ => return None,
        }
    }
    levels.iter().all(FilterLevel::is_whole).then_some(levels)
}

impl FilterLevel {
    /// The stage of its step.
    pub fn stage(&self) -> usize {
        if self.step.direction == Direction::Forward { self.stages.start } else { self.stages.end - 1 }
    }

    /// Whether nothing is missing: on the way back, that halves are brought together before the step.
    fn is_whole(&self) -> bool {
        self.step.direction == Direction::Forward || self.stages.len() > 1
    }

    /// Whether a stage before or behind it belongs to this level too: one that brings halves together, or makes those of every second line change places.
    fn takes_too(&self, stage: &Stage) -> bool {
        let FilterStep { samples, n_lines, line_stride, spacing, .. } = self.step;
        let exchanges = stage.exchanges_halves(samples) && 4 * stage.n_butterflies() == n_lines * samples;
        match self.is_whole() {
            true => exchanges && !self.exchanges && spacing == 1 && line_stride == samples,
            false => stage.interleaves_halves(&self.step),
        }
    }

    /// What the next level halves: both halves of this one, or only the low one; `None` where it is no next level.
    fn is_tree_with(&self, next: &Self) -> Option<bool> {
        let (a, b) = (&self.step, &next.step);
        let is_alike = (a.direction, a.first, &a.coefs) == (b.direction, b.first, &b.coefs);
        let goes_on = is_alike && b.samples == a.samples / 2 && b.spacing == a.spacing;
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
        Self::of_levels(&levels(plan, stages)?)
    }

    /// The run of some levels, the finest first.
    fn of_levels(levels: &[FilterLevel]) -> Option<Self> {
        let is_tree = levels.get(1).is_none_or(|second| levels[0].is_tree_with(second) == Some(true));
        let goes_on = levels.windows(2).all(|pair| pair[0].is_tree_with(&pair[1]) == Some(is_tree));
        (!levels.is_empty() && goes_on).then(|| Self { levels: levels.to_vec(), is_tree })
    }

    /// Whether lines are halved, or made of halves.
    pub fn direction(&self) -> Direction {
        self.finest().direction
    }

    /// The finest step, the samples of which a tile takes or makes.
    pub fn finest(&self) -> &FilterStep {
        &self.levels[0].step
    }

    /// All stages.
    pub fn stages(&self) -> Range<usize> {
        let [finest, coarsest] = [0, self.levels.len() - 1].map(|level| &self.levels[level].stages);
        finest.start.min(coarsest.start)..finest.end.max(coarsest.end)
    }

    /// How many lines level `level` of the run makes of one that the run begins with, and halves.
    pub fn blocks(&self, level: usize) -> usize {
        if self.is_tree { 1 << level } else { 1 }
    }

    /// What the split has around a border of the samples that each level reads, on the way back of low-pass and high-pass values in turn; `margin` samples of the finest level on each side of the border are left to the merge.
    fn known(&self, margin: usize) -> Vec<SectionBoundary> {
        let given = SectionBoundary { before: -1 - margin as i64, after: margin as i64 };
        if self.direction() == Direction::Forward {
            let next = |known: &mut SectionBoundary, level: &FilterLevel| Some(std::mem::replace(known, level.step.left(*known)));
            return self.levels.iter().scan(given, next).collect();
        }
        let mut known = vec![given; self.levels.len()];
        let mut low: Option<SectionBoundary> = None;
        for (level, FilterLevel { step, .. }) in self.levels.iter().enumerate().rev() {
            // Value c stands for sample c << level of the finest level. A pair is known when both of it are.
            let value = SectionBoundary { before: given.before >> level, after: -(-given.after >> level) };
            let pair = SectionBoundary { before: (value.before - 1).div_euclid(2), after: (value.after + 1).div_euclid(2) };
            let low_too = |low: SectionBoundary| SectionBoundary { before: pair.before.min(low.before), after: pair.after.max(low.after) };
            let pair = low.map_or(pair, low_too);
            known[level] = SectionBoundary { before: 2 * pair.before + 1, after: 2 * pair.after };
            let made = step.left(known[level]);
            low = Some(SectionBoundary { before: 2 * made.before + 1, after: 2 * made.after });
        }
        known
    }

    /// What every level leaves to the merge at a border, counted in butterflies; `margin` samples of the finest level on each side are left before the first one.
    pub fn boundaries(&self, margin: usize) -> Vec<SectionBoundary> {
        self.levels.iter().zip(self.known(margin)).map(|(level, known)| level.step.left(known)).collect()
    }

    /// For every level, the samples around a border of which the merge makes its values, on the way back low-pass and high-pass values in turn.
    pub fn windows(&self, margin: usize) -> Vec<Range<i64>> {
        let window = |(FilterLevel { step, .. }, SectionBoundary { before, after }): (&FilterLevel, SectionBoundary)| {
            2 * (before + 1) + step.first..2 * (after - 1) + step.last() + 1
        };
        self.levels.iter().zip(self.boundaries(margin)).map(window).collect()
    }

    /// How many values before a tile and behind it are computed for its sake, or read: first of the samples of the finest level, and then of the halves of each.
    pub fn halos(&self) -> Vec<[usize; 2]> {
        let (mut halos, step) = (vec![[0, 0]], self.finest());
        // The filters of all levels are the same.
        for _ in &self.levels {
            if step.direction == Direction::Forward {
                let [before, behind] = halos[0];
                let next = [2 * before as i64 - step.first, 2 * behind as i64 + step.last() - 1];
                halos.insert(0, next.map(|samples| samples.max(0) as usize));
            } else {
                let [before, behind] = halos[halos.len() - 1].map(|samples: usize| samples.div_ceil(2) as i64);
                let next = [before - step.first.div_euclid(2), behind + step.last().div_euclid(2)];
                halos.push(next.map(|pairs| pairs.max(0) as usize));
            }
        }
        halos
    }

    /// How many samples of the finest level a tile reaches beyond its ends.
    pub(super) fn halo(&self) -> usize {
        let halos = self.halos();
        match self.direction() {
            Direction::Forward => halos[0][0].max(halos[0][1]),
            Direction::Inverse => (1..halos.len()).map(|level| halos[level][0].max(halos[level][1]) << level).max().unwrap_or(0),
        }
    }

    /// Samples of a tile along the lines.
    pub fn tile(&self, grid: TileGrid) -> usize {
        if self.finest().is_across() { grid.rows } else { grid.columns / self.finest().spacing }
    }

    /// Samples on either side of a border that are left to the merge.
    pub fn margin(&self, grid: TileGrid) -> usize {
        if self.finest().is_across() { grid.margin[0] } else { grid.margin[1] / self.finest().spacing }
    }

    /// Whether every merge reads, around its border, only what the split has and what it makes itself, so that no merge needs another one.
    pub fn is_apart(&self, grid: TileGrid) -> bool {
        let (tile, n, margin) = (self.tile(grid), self.finest().samples, self.margin(grid));
        // The last tile may be shorter than the others.
        let shortest = (n - 1) % tile + 1;
        let has_room = |((level, window), known): ((usize, Range<i64>), SectionBoundary)| {
            let samples = (shortest >> level) as i64;
            samples + window.start >= known.after && window.end <= samples + known.before + 1
        };
        tile >= n || self.windows(margin).into_iter().enumerate().zip(self.known(margin)).all(has_room)
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
    pub fn boundary_lanes(&self, grid: TileGrid) -> usize {
        let step = self.finest();
        step.n_lines * step.samples.div_ceil(self.tile(grid)) * self.kept(self.margin(grid))
    }

    /// The tiles of the run: of so many neighbouring samples, or squares where lines stand beside one another.
    pub(super) fn grid(&self, [rows, columns]: [usize; 2], margin: usize) -> TileGrid {
        let step = self.finest();
        // Borders stand at a sample that is left after all levels.
        let whole = |samples: usize| samples.next_multiple_of(1 << self.levels.len());
        // On the way back as many values of every block are left, whichever samples they stand for.
        let margin = if self.is_tree && step.direction == Direction::Inverse { whole(margin) } else { margin };
        if step.is_across() {
            let line = TileGrid::line(step.spacing, columns * step.line_stride).within([step.samples, step.n_lines * step.line_stride]);
            return TileGrid { rows: whole(rows), margin: [margin, 0], ..line };
        }
        let line = TileGrid::line(step.line_stride, whole(columns) * step.spacing).within([step.n_lines, step.samples * step.spacing]);
        TileGrid { rows, margin: [0, margin * step.spacing], ..line }
    }
}

impl FilterStep {
    /// What a step leaves at a border of which the split has these samples, counted in butterflies.
    fn left(&self, SectionBoundary { before, after }: SectionBoundary) -> SectionBoundary {
        SectionBoundary { before: (before - self.last()).div_euclid(2), after: (after - self.first + 1).div_euclid(2) }
    }
}

/// A level of a filter bank along both axes of a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct FilterLevel2d {
    /// Along rows, and along columns.
    pub axes: [FilterLevel; 2],
}

impl FilterLevel2d {
    /// The level that consists of some stages, if there is one.
    pub fn of(plan: &Plan, stages: Range<usize>) -> Option<Self> {
        Self::of_levels(&levels(plan, stages)?)
    }

    /// The level along both axes of two levels, if they are one: the same filters, and samples of one axis are lines of the other.
    fn of_levels(levels: &[FilterLevel]) -> Option<Self> {
        let [x, y] = levels else { return None };
        let (a, b) = (&x.step, &y.step);
        let is_alike = (a.direction, a.first, &a.coefs) == (b.direction, b.first, &b.coefs) && !x.exchanges && !y.exchanges;
        let crosses = (a.samples, a.n_lines, a.spacing, a.line_stride) == (b.n_lines, b.samples, b.line_stride, b.spacing);
        (is_alike && crosses && a.spacing == 1).then(|| Self { axes: [x.clone(), y.clone()] })
    }

    /// Whether it is halved, or made of its bands.
    pub fn direction(&self) -> Direction {
        self.axes[0].step.direction
    }

    /// All stages.
    pub fn stages(&self) -> Range<usize> {
        let [x, y] = self.axes.each_ref().map(|axis| &axis.stages);
        x.start.min(y.start)..x.end.max(y.end)
    }

    /// Rows and columns.
    pub fn samples(&self) -> [usize; 2] {
        [self.axes[1].step.samples, self.axes[0].step.samples]
    }

    /// Tiles of so many rows and columns.
    pub(super) fn grid(&self, [rows, columns]: [usize; 2]) -> TileGrid {
        TileGrid { rows, ..TileGrid::line(self.axes[0].step.line_stride, columns) }.within(self.samples())
    }

    /// Rows and columns that a tile reads beyond its ends.
    pub(super) fn halo(&self) -> usize {
        FilterRun { levels: vec![self.axes[0].clone()], is_tree: false }.halo()
    }
}

/// The levels of a picture, the finest first; `None` where a plan has other ones.
pub(super) fn squares(plan: &Plan) -> Option<Vec<FilterLevel2d>> {
    levels(plan, 0..plan.stages.len())?.chunks(2).map(FilterLevel2d::of_levels).collect()
}

/// Levels among some stages; none where these are not whole levels of a filter bank.
pub(super) fn levels_within(plan: &Plan, stages: Range<usize>) -> usize {
    levels(plan, stages).map_or(0, |levels| levels.len())
}

/// Whether stages make lines of their halves.
pub(super) fn goes_back(plan: &Plan, stages: Range<usize>) -> bool {
    levels(plan, stages).is_some_and(|levels| levels[0].step.direction == Direction::Inverse)
}

/// The runs of a filter bank in the order in which they are run, of as many levels as `take` says of those that are left, and what else it says; `None` for other plans.
pub(super) fn runs<T>(plan: &Plan, mut take: impl FnMut(&FilterRun) -> (usize, T)) -> Option<Vec<(FilterRun, T)>> {
    let levels = levels(plan, 0..plan.stages.len())?;
    let (mut runs, mut left) = (Vec::new(), &levels[..]);
    while !left.is_empty() {
        let mut run = (1..=left.len()).map_while(|n| FilterRun::of_levels(&left[..n])).last()?;
        let (n_levels, said) = take(&run);
        run.levels.truncate(n_levels.max(1));
        left = &left[run.levels.len()..];
        runs.push((run, said));
    }
    if levels[0].step.direction == Direction::Inverse {
        runs.reverse();
    }
    Some(runs)
}

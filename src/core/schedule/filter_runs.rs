//! Runs of filter-bank levels in a launch, and the samples that they leave at section boundaries.
//!
//! F. Argüello, D. B. Heras, M. Bóo, J. Lamas-Rodríguez, The split-and-merge method in general purpose computation on GPUs (2012), section 3 and Figures 5 and 7.
//! A filter bank works out of place, so a split keeps the values around every boundary that its merge needs, on all levels.
//! An inverse has tiles of neighbouring output samples. An input value belongs to the tile of the sample at its final position.

use super::{SectionBoundary, TileGrid};
use crate::plan::{Direction, FilterStep, Plan, Stage};
use std::ops::Range;

/// A level of a filter bank.
#[derive(Debug, Clone, PartialEq)]
pub struct FilterLevel {
    /// Its stages.
    pub stages: Range<usize>,
    /// The step that halves lines, or merges halves into lines.
    pub step: FilterStep,
    /// Whether the halves of every second line are then exchanged (on the way back before), as in packets in frequency order.
    pub exchanges: bool,
}

/// Levels that one launch can take: each continues with the result of the one before.
#[derive(Debug, Clone, PartialEq)]
pub struct FilterRun {
    /// The levels, the finest first.
    pub levels: Vec<FilterLevel>,
    /// Whether a level halves both halves of the finer one, as packets do, or only the low-pass half.
    pub is_tree: bool,
}

/// The levels of a run of stages, the finest first; `None` if the stages are not complete filter-bank levels.
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
            (None, Some(level)) if level.includes(stage) => {
                level.exchanges = level.is_complete();
                level.stages = level.stages.start.min(index)..level.stages.end.max(index + 1);
            }
            _ => return None,
        }
    }
    levels.iter().all(FilterLevel::is_complete).then_some(levels)
}

impl FilterLevel {
    /// The stage that filters.
    pub fn stage(&self) -> usize {
        if self.step.direction == Direction::Forward { self.stages.start } else { self.stages.end - 1 }
    }

    /// Whether the level is complete: an inverse needs a stage that interleaves halves first.
    fn is_complete(&self) -> bool {
        self.step.direction == Direction::Forward || self.stages.len() > 1
    }

    /// Whether a neighbouring stage belongs to this level: it interleaves halves, or exchanges those of every second line.
    fn includes(&self, stage: &Stage) -> bool {
        let FilterStep { samples, n_lines, line_stride, spacing, .. } = self.step;
        let exchanges = stage.exchanges_halves(samples) && 4 * stage.n_butterflies() == n_lines * samples;
        match self.is_complete() {
            true => exchanges && !self.exchanges && spacing == 1 && line_stride == samples,
            false => stage.interleaves_halves(&self.step),
        }
    }

    /// Whether the next level halves both halves of this one or only the low-pass half; `None` if it does not continue this level.
    fn is_tree_with(&self, next: &Self) -> Option<bool> {
        let (a, b) = (&self.step, &next.step);
        let goes_on = a.is_alike(b) && b.samples == a.samples / 2 && b.spacing == a.spacing;
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
    /// The run that consists of some stages, if they form one.
    pub fn of(plan: &Plan, stages: Range<usize>) -> Option<Self> {
        Self::of_levels(&levels(plan, stages)?)
    }

    /// The run of these levels, the finest first.
    fn of_levels(levels: &[FilterLevel]) -> Option<Self> {
        let is_tree = levels.get(1).is_none_or(|second| levels[0].is_tree_with(second) == Some(true));
        let goes_on = levels.windows(2).all(|pair| pair[0].is_tree_with(&pair[1]) == Some(is_tree));
        (!levels.is_empty() && goes_on).then(|| Self { levels: levels.to_vec(), is_tree })
    }

    /// Analysis or synthesis.
    pub fn direction(&self) -> Direction {
        self.finest().direction
    }

    /// The finest step; its samples fill the tiles.
    pub fn finest(&self) -> &FilterStep {
        &self.levels[0].step
    }

    /// All stages.
    pub fn stages(&self) -> Range<usize> {
        let [finest, coarsest] = [0, self.levels.len() - 1].map(|level| &self.levels[level].stages);
        finest.start.min(coarsest.start)..finest.end.max(coarsest.end)
    }

    /// Lines that level `level` of the run makes of each first line.
    pub fn blocks(&self, level: usize) -> usize {
        if self.is_tree { 1 << level } else { 1 }
    }

    /// The samples around a boundary that the split knows before each level, with low-pass and high-pass values alternating on the way back. `margin` samples of the finest level on each side are left to the merge.
    fn known(&self, margin: usize) -> Vec<SectionBoundary> {
        let given = SectionBoundary { before: -1 - margin as i64, after: margin as i64 };
        if self.direction() == Direction::Forward {
            let next = |known: &mut SectionBoundary, level: &FilterLevel| Some(std::mem::replace(known, level.step.left(*known)));
            return self.levels.iter().scan(given, next).collect();
        }
        let mut known = vec![given; self.levels.len()];
        let mut low: Option<SectionBoundary> = None;
        for (level, FilterLevel { step, .. }) in self.levels.iter().enumerate().rev() {
            // Value c represents sample c << level of the finest level. A pair is known if both of its values are.
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

    /// The butterflies that every level leaves to the merge at a boundary; the split omits `margin` samples of the finest level on each side.
    pub fn boundaries(&self, margin: usize) -> Vec<SectionBoundary> {
        self.levels.iter().zip(self.known(margin)).map(|(level, known)| level.step.left(known)).collect()
    }

    /// The samples around a boundary that the merge of each level reads; on the way back low-pass and high-pass values alternate.
    pub fn windows(&self, margin: usize) -> Vec<Range<i64>> {
        let window = |(FilterLevel { step, .. }, SectionBoundary { before, after }): (&FilterLevel, SectionBoundary)| {
            let read = 2 * (before + 1) + step.first..2 * (after - 1) + step.last() + 1;
            // Low-pass and high-pass values are kept in pairs.
            let paired = |end: i64| end.div_euclid(2) * 2;
            if step.direction == Direction::Inverse { paired(read.start)..paired(read.end + 1) } else { read }
        };
        self.levels.iter().zip(self.boundaries(margin)).map(window).collect()
    }

    /// The halo before and behind a tile: of the samples of the finest level, then of the halves of each level.
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

    /// The larger halo of a tile, in samples of the finest level.
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

    /// Samples on each side of a boundary that the split leaves to the merge.
    pub fn margin(&self, grid: TileGrid) -> usize {
        if self.finest().is_across() { grid.margin[0] } else { grid.margin[1] / self.finest().spacing }
    }

    /// Whether merges are independent: each reads only values of the split and its own.
    pub fn has_independent_merges(&self, grid: TileGrid) -> bool {
        let (tile, n, margin) = (self.tile(grid), self.finest().samples, self.margin(grid));
        // The last tile may be shorter.
        let shortest = (n - 1) % tile + 1;
        let has_room = |((level, window), known): ((usize, Range<i64>), SectionBoundary)| {
            let samples = (shortest >> level) as i64;
            samples + window.start >= known.after && window.end <= samples + known.before + 1
        };
        tile >= n || self.windows(margin).into_iter().enumerate().zip(self.known(margin)).all(has_room)
    }

    /// Samples around a boundary that its merge reads.
    pub fn kept(&self, margin: usize) -> usize {
        self.windows(margin)
            .iter()
            .enumerate()
            .map(|(level, window)| self.blocks(level) * (window.end - window.start).max(0) as usize)
            .sum()
    }

    /// Lanes that are kept at all boundaries.
    pub fn boundary_lanes(&self, grid: TileGrid) -> usize {
        let step = self.finest();
        step.n_lines * step.samples.div_ceil(self.tile(grid)) * self.kept(self.margin(grid))
    }

    /// The tiles of the run: neighbouring samples of a line, or squares of neighbouring lines.
    pub(super) fn grid(&self, [rows, columns]: [usize; 2], margin: usize) -> TileGrid {
        let step = self.finest();
        // Boundaries lie at samples that remain after all levels.
        let whole = |samples: usize| samples.next_multiple_of(1 << self.levels.len());
        // An inverse omits the same number of values in every block.
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
    /// Whether two steps have the same filters.
    fn is_alike(&self, other: &Self) -> bool {
        (self.direction, self.first, self.extension, &self.coefs) == (other.direction, other.first, other.extension, &other.coefs)
    }

    /// The butterflies that a step leaves at a boundary with these known samples.
    fn left(&self, SectionBoundary { before, after }: SectionBoundary) -> SectionBoundary {
        SectionBoundary { before: (before - self.last()).div_euclid(2), after: (after - self.first + 1).div_euclid(2) }
    }
}

/// A filter-bank level along both axes of an image.
#[derive(Debug, Clone, PartialEq)]
pub struct FilterLevel2d {
    /// The level along rows, and along columns.
    pub axes: [FilterLevel; 2],
}

impl FilterLevel2d {
    /// The level that consists of some stages, if they form one.
    pub fn of(plan: &Plan, stages: Range<usize>) -> Option<Self> {
        Self::of_levels(&levels(plan, stages)?)
    }

    /// Joins a level along rows and one along columns if their filters and sizes agree.
    fn of_levels(levels: &[FilterLevel]) -> Option<Self> {
        let [x, y] = levels else { return None };
        let (a, b) = (&x.step, &y.step);
        let is_alike = a.is_alike(b) && !x.exchanges && !y.exchanges;
        let crosses = (a.samples, a.n_lines, a.spacing, a.line_stride) == (b.n_lines, b.samples, b.line_stride, b.spacing);
        (is_alike && crosses && a.spacing == 1).then(|| Self { axes: [x.clone(), y.clone()] })
    }

    /// Analysis or synthesis.
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

    pub(super) fn grid(&self, [rows, columns]: [usize; 2]) -> TileGrid {
        TileGrid { rows, ..TileGrid::line(self.axes[0].step.line_stride, columns) }.within(self.samples())
    }

    /// Rows and columns of the halo of a tile.
    pub(super) fn halo(&self) -> usize {
        FilterRun { levels: vec![self.axes[0].clone()], is_tree: false }.halo()
    }
}

/// The levels of an image, the finest first; `None` if a plan has others.
pub(super) fn squares(plan: &Plan) -> Option<Vec<FilterLevel2d>> {
    levels(plan, 0..plan.stages.len())?.chunks(2).map(FilterLevel2d::of_levels).collect()
}

/// Number of levels among some stages; 0 if they are not complete filter-bank levels.
pub(super) fn levels_within(plan: &Plan, stages: Range<usize>) -> usize {
    levels(plan, stages).map_or(0, |levels| levels.len())
}

pub(super) fn is_synthesis(plan: &Plan, stages: Range<usize>) -> bool {
    levels(plan, stages).is_some_and(|levels| levels[0].step.direction == Direction::Inverse)
}

/// The runs of a filter bank in running order; `choose` gives the levels of the next run and a value that is returned with it. `None` for other plans.
pub(super) fn runs<T>(plan: &Plan, mut choose: impl FnMut(&FilterRun) -> (usize, T)) -> Option<Vec<(FilterRun, T)>> {
    let levels = levels(plan, 0..plan.stages.len())?;
    let (mut runs, mut left) = (Vec::new(), &levels[..]);
    while !left.is_empty() {
        let mut run = (1..=left.len()).map_while(|n| FilterRun::of_levels(&left[..n])).last()?;
        let (n_levels, value) = choose(&run);
        run.levels.truncate(n_levels.max(1));
        left = &left[run.levels.len()..];
        runs.push((run, value));
    }
    if levels[0].step.direction == Direction::Inverse {
        runs.reverse();
    }
    Some(runs)
}

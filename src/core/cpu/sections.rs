//! Split and merge sections on the CPU, as derived from the plan: every butterfly runs in the launch of its section.

use super::Lane;
use super::lane::{Between, InPlace};
use super::tables::StageTables;
use crate::plan::{Plan, Ring, Stage};
use crate::schedule::{Launch, SectionKind, TileGrid, sections};
use std::sync::Arc;

/// The butterflies of a run that merges compute, and the stages and tiles that determine them.
///
/// Deriving them takes far longer than running them, so they are kept between runs.
#[derive(Debug, PartialEq)]
pub(super) struct SectionButterflies {
    ring: Ring,
    stages: Vec<Stage>,
    lanes: usize,
    grid: TileGrid,
    /// The butterflies of each stage that the merge computes, in order.
    merged: Vec<Vec<usize>>,
    /// Whether the split overwrites what the merge needs.
    keeps: bool,
}

/// The state of a split that its merges need.
pub(super) struct SplitResult<L> {
    /// The first stage of the run.
    first: usize,
    parts: Arc<SectionButterflies>,
    /// The lanes before the first stage and after every stage, if the split overwrites values of the merge; else empty.
    kept: Vec<Vec<L>>,
}

impl SectionButterflies {
    /// The butterflies of a launch, from `known` or derived.
    pub(super) fn of(plan: &Plan, launch: &Launch, grid: TileGrid, known: &[Arc<Self>]) -> Arc<Self> {
        let stages = &plan.stages[launch.stages.clone()];
        let fits = |parts: &&Arc<Self>| parts.stages == stages && (parts.ring, parts.lanes, parts.grid) == (plan.ring, plan.lanes, grid);
        known.iter().find(fits).cloned().unwrap_or_else(|| {
            let sections = sections(plan, launch.stages.clone(), grid);
            let merged = sections.owners.iter().map(|owners| {
                let is_merged =
                    |(index, owner): (usize, &crate::schedule::ButterflyOwner)| (owner.section() == SectionKind::Merge).then_some(index);
                owners.iter().enumerate().filter_map(is_merged).collect()
            });
            Arc::new(Self {
                ring: plan.ring,
                stages: stages.to_vec(),
                lanes: plan.lanes,
                grid,
                merged: merged.collect(),
                keeps: !sections.kept.is_empty(),
            })
        })
    }

    /// The butterflies of a stage in the split.
    fn split(&self, stage: usize) -> impl Iterator<Item = usize> + '_ {
        let mut merged = self.merged[stage].iter().peekable();
        (0..self.stages[stage].n_butterflies()).filter(move |index| merged.next_if_eq(&index).is_none())
    }

    /// Whether no butterfly reads a lane that another one writes in the stage.
    fn in_place(&self, stage: usize) -> bool {
        self.stages[stage].lifting_step().is_some() || self.stages[stage].writes_its_taps()
    }

    fn run<L: Lane>(&self, stage: usize, butterflies: impl Iterator<Item = usize>, lanes: &mut [L]) {
        let before = if self.in_place(stage) { Vec::new() } else { lanes.to_vec() };
        let (stage, tables) = (&self.stages[stage], StageTables::new(self.ring, &self.stages[stage]));
        if before.is_empty() {
            let mut lanes = InPlace { lanes, first: 0 };
            butterflies.for_each(|index| tables.butterfly(stage, stage.indices(index), &mut lanes));
        } else {
            let mut lanes = Between { before: &before, after: &mut &mut *lanes };
            butterflies.for_each(|index| tables.butterfly(stage, stage.indices(index), &mut lanes));
        }
    }
}

pub(super) fn split<L: Lane>(launch: &Launch, parts: Arc<SectionButterflies>, lanes: &mut [L]) -> SplitResult<L> {
    let mut kept = Vec::new();
    for stage in 0..parts.stages.len() {
        kept.extend(parts.keeps.then(|| lanes.to_vec()));
        parts.run(stage, parts.split(stage), lanes);
    }
    kept.extend(parts.keeps.then(|| lanes.to_vec()));
    SplitResult { first: launch.stages.start, parts, kept }
}

/// Runs a merge section of a launch, after its split and the merges before it.
pub(super) fn merge<L: Lane>(launch: &Launch, rest: &SplitResult<L>, lanes: &mut [L]) {
    let SplitResult { first, parts, kept } = rest;
    if let Some(before) = kept.first() {
        lanes.copy_from_slice(before);
    }
    for column in launch.stages.clone().map(|stage| stage - first) {
        parts.run(column, parts.merged[column].iter().copied(), lanes);
        // The results of the split in the other lanes.
        let Some(after) = kept.get(column + 1) else { continue };
        let stage = &parts.stages[column];
        parts.split(column).flat_map(|index| stage.writes(stage.indices(index))).for_each(|lane| lanes[lane] = after[lane]);
    }
}

//! Split and merge sections on the CPU, as they are derived from the plan: every butterfly runs in the launch of its section.

use super::Lane;
use super::tables::Tables;
use crate::plan::{Plan, Stage};
use crate::schedule::{Grid, Launch, Owner, Section, sections};

/// What a split leaves to its merges.
pub(super) struct Rest<L> {
    /// The first stage of the run.
    first: usize,
    /// Who runs the butterflies of each stage.
    owners: Vec<Vec<Owner>>,
    /// The lanes after every stage of the split, where it overwrites what the merge needs; in place the lanes themselves are enough.
    kept: Vec<Vec<L>>,
}

/// Runs the split section of a launch.
pub(super) fn split<L: Lane>(plan: &Plan, launch: &Launch, grid: Grid, after: &mut [L]) -> Rest<L> {
    let mut lanes = after.to_vec();
    let sections = sections(plan, launch.stages.clone(), grid);
    let mut kept = Vec::new();
    for (stage, owners) in plan.stages[launch.stages.clone()].iter().zip(&sections.owners) {
        let next = part(stage, owners, Section::Split, &lanes, lanes.clone());
        let before = std::mem::replace(&mut lanes, next);
        kept.extend((!sections.kept.is_empty()).then_some(before));
    }
    after.copy_from_slice(&lanes);
    kept.extend((!sections.kept.is_empty()).then_some(lanes));
    Rest { first: launch.stages.start, owners: sections.owners, kept }
}

/// Runs a merge section of a launch, after its split and the merges before it.
pub(super) fn merge<L: Lane>(plan: &Plan, launch: &Launch, rest: &Rest<L>, after: &mut [L]) {
    let in_place = rest.kept.is_empty();
    let mut lanes = if in_place { after.to_vec() } else { rest.kept[0].clone() };
    let runs = launch.stages.clone().map(|index| (&plan.stages[index], index - rest.first));
    for (stage, column) in runs {
        let (owners, mut next) = (&rest.owners[column], lanes.clone());
        let splits = stage.butterflies().zip(owners).filter(|(_, owner)| !in_place && owner.section() == Section::Split);
        for (butterfly, _) in splits {
            butterfly.writes.iter().for_each(|&lane| next[lane] = rest.kept[column + 1][lane]);
        }
        lanes = part(stage, owners, Section::Merge, &lanes, next);
    }
    after.copy_from_slice(&lanes);
}

/// The butterflies of one section of a stage, from the lanes before it to those after it.
fn part<L: Lane>(stage: &Stage, owners: &[Owner], section: Section, before: &[L], mut after: Vec<L>) -> Vec<L> {
    let tables = Tables::new(stage);
    for (index, _) in owners.iter().enumerate().filter(|(_, owner)| owner.section() == section) {
        tables.butterfly(stage, stage.place(index), |lane| before[lane], |lane, value| after[lane] = value);
    }
    after
}

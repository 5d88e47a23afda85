//! Split and merge sections on the CPU, as they are derived from the plan: every butterfly runs in the launch of its section, on the values as they were after the stage before.

use super::Lane;
use super::tables::Tables;
use crate::plan::Plan;
use crate::schedule::{Grid, Launch, Section, sections};

/// The values of all lanes after every stage of a run of which the split has run; what the merge needs is kept in them.
pub(super) struct Kept<L>(Vec<Vec<L>>);

/// Runs the split section of a launch.
pub(super) fn split<L: Lane>(plan: &Plan, launch: &Launch, grid: Grid, lanes: &mut [L]) -> Kept<L> {
    let mut columns = vec![lanes.to_vec()];
    each_stage(plan, launch, grid, Section::Split, |column, run| {
        let mut next = columns[column].clone();
        run(&columns[column], &mut next);
        columns.push(next);
    });
    lanes.copy_from_slice(&columns[columns.len() - 1]);
    Kept(columns)
}

/// Runs the merge section of a launch, after its split.
pub(super) fn merge<L: Lane>(plan: &Plan, launch: &Launch, grid: Grid, Kept(mut columns): Kept<L>, lanes: &mut [L]) {
    let owners = sections(plan, launch.stages.clone(), grid).owners;
    each_stage(plan, launch, grid, Section::Merge, |column, run| {
        let mut next = columns[column].clone();
        let stage = &plan.stages[launch.stages.start + column];
        for (butterfly, _) in stage.butterflies().zip(&owners[column]).filter(|(_, owner)| owner.section() == Section::Split) {
            butterfly.writes.iter().for_each(|&lane| next[lane] = columns[column + 1][lane]);
        }
        run(&columns[column], &mut next);
        columns[column + 1] = next;
    });
    lanes.copy_from_slice(&columns[columns.len() - 1]);
}

/// Hands every stage of the launch to `visit`, as a function that takes the lanes before it and changes those after it.
fn each_stage<L: Lane>(plan: &Plan, launch: &Launch, grid: Grid, section: Section, mut visit: impl FnMut(usize, &dyn Fn(&[L], &mut [L]))) {
    let owners = sections(plan, launch.stages.clone(), grid).owners;
    for (column, (stage, owners)) in plan.stages[launch.stages.clone()].iter().zip(owners).enumerate() {
        let tables = Tables::new(stage);
        visit(column, &|before, after| {
            for (index, _) in owners.iter().enumerate().filter(|(_, owner)| owner.section() == section) {
                tables.butterfly(stage, stage.place(index), |lane| before[lane], |lane, value| after[lane] = value);
            }
        });
    }
}

//! What a drawing says of launches: their tiles, which butterflies are a split's and which a merge's, and captions.

use super::Request;
use crate::plan::Plan;
use crate::schedule::{FilterRun, Launch, Owner, Section, Tile, sections};

/// The name of a section in files.
pub(super) fn name(section: Section) -> &'static str {
    match section {
        Section::Split => "split",
        Section::Merge => "merge",
    }
}

/// Lanes of a tile, where there are tiles that a box can frame.
pub(super) fn tile_lanes(plan: &Plan, launch: &Launch) -> Option<usize> {
    match launch.tile {
        Tile::Each | Tile::Patch { .. } | Tile::Strided { .. } | Tile::Spread { .. } | Tile::Cone { .. } | Tile::Partition { .. } => None,
        Tile::Block { lanes } => Some(lanes),
        // Filter banks are not in place: the halves of a tile go apart.
        Tile::Section { .. } | Tile::Overlapped { .. } if FilterRun::of(plan, launch.stages.clone()).is_some() => None,
        // Squares of a picture are no boxes of consecutive lanes.
        Tile::Section { grid, .. } | Tile::Overlapped { grid, .. } => (grid.rows == 1).then_some(grid.columns.min(grid.row)),
    }
}

/// For every stage the section of each of its butterflies, as derived from the plan.
pub(super) fn sections_of(request: &Request) -> Vec<Vec<Section>> {
    let mut found = vec![Vec::new(); request.plan.stages.len()];
    for launch in &request.schedule.launches {
        if let Tile::Section { section: Section::Split, grid, .. } = launch.tile {
            let owners = sections(&request.plan, launch.stages.clone(), grid).owners;
            for (stage, owners) in launch.stages.clone().zip(owners) {
                found[stage] = owners.into_iter().map(Owner::section).collect();
            }
        }
    }
    found
}

/// The caption of a launch, line by line.
pub(super) fn launch_caption(index: usize, launch: &Launch, request: &Request) -> [String; 2] {
    let n = launch.n_tiles(&request.plan);
    let what = if matches!(launch.tile, Tile::Each | Tile::Patch { .. }) { "butterfly" } else { "workgroup" };
    let plural = match (what, n) {
        (what, 1) => what,
        ("workgroup", _) => "workgroups",
        _ => "butterflies",
    };
    let merges = request.schedule.launches.iter().skip(index + 1).take_while(|next| next.section() == Some(Section::Merge)).count();
    match (launch.section(), merges) {
        (Some(Section::Split), 1) => [format!("launches {} and {}", index + 1, index + 2), "split and merge".into()],
        (Some(Section::Split), 2..) => [format!("launches {} to {}", index + 1, index + 1 + merges), "split and merges".into()],
        _ => [format!("launch {}", index + 1), format!("{n} {plural}")],
    }
}

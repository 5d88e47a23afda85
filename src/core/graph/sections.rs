//! The launches in a drawing: their tiles, the section of every butterfly, and their captions.

use super::request::GraphRequest;
use crate::numerals::integer;
use crate::plan::Plan;
use crate::schedule::{ButterflyOwner, FilterRun, Launch, SectionKind, Tile, sections};

/// The name of a section in files.
pub(super) fn name(section: SectionKind) -> &'static str {
    match section {
        SectionKind::Split => "split",
        SectionKind::Merge => "merge",
    }
}

/// Lanes per tile, where every tile is a block of consecutive lanes.
pub fn tile_lanes(plan: &Plan, launch: &Launch) -> Option<usize> {
    match launch.tile {
        Tile::Each | Tile::Samples(_) | Tile::Variant(_) | Tile::Patch { .. } | Tile::Bits { .. } | Tile::Strided { .. } => None,
        Tile::Spaced { .. } | Tile::Spread { .. } | Tile::Cone { .. } | Tile::Partition { .. } => None,
        Tile::Block { lanes } | Tile::BlockBy { lanes, .. } => Some(lanes),
        // A filter bank is not in place: it separates the low-pass and the high-pass half of a tile.
        Tile::Section { .. } | Tile::Overlapped { .. } if FilterRun::of(plan, launch.stages.clone()).is_some() => None,
        // The lanes of a square of an image are not consecutive.
        Tile::Section { grid, .. } | Tile::Overlapped { grid, .. } => {
            (grid.rows.min(grid.extent[0]) == 1).then_some(grid.columns.min(grid.row))
        }
    }
}

/// `[stage][butterfly]`: the section that computes each butterfly, derived from the plan; empty for stages without sections.
pub(super) fn sections_of(request: &GraphRequest) -> Vec<Vec<SectionKind>> {
    let mut found = vec![Vec::new(); request.plan.stages.len()];
    for launch in &request.schedule.launches {
        if let Tile::Section { section: SectionKind::Split, grid, .. } = launch.tile {
            let owners = sections(&request.plan, launch.stages.clone(), grid).owners;
            for (stage, owners) in launch.stages.clone().zip(owners) {
                found[stage] = owners.into_iter().map(ButterflyOwner::section).collect();
            }
        }
    }
    found
}

/// The two lines of a launch's caption; one caption names a split and its merges.
pub(super) fn launch_caption(index: usize, launch: &Launch, request: &GraphRequest) -> [String; 2] {
    let original = request.options.original.as_ref().and_then(|original| original.n_tiles.get(index));
    let n = original.copied().unwrap_or_else(|| launch.n_tiles(&request.plan));
    let what = if launch.tile.has_single_butterflies() { "butterfly" } else { "workgroup" };
    let plural = match (what, n) {
        (what, 1) => what,
        ("workgroup", _) => "workgroups",
        _ => "butterflies",
    };
    let merges = request.schedule.launches.iter().skip(index + 1).take_while(|next| next.section() == Some(SectionKind::Merge)).count();
    match (launch.section(), merges) {
        (Some(SectionKind::Split), 1) => [format!("launches {} and {}", index + 1, index + 2), "split and merge".into()],
        (Some(SectionKind::Split), 2..) => [format!("launches {} to {}", index + 1, index + 1 + merges), "split and merges".into()],
        _ => [format!("launch {}", index + 1), format!("{} {plural}", integer(n))],
    }
}

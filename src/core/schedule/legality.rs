//! The check that a schedule is legal: running its launches equals running its plan.

use super::filter_runs::is_synthesis;
use super::sections::{ButterflyOwner, final_lanes, parts_along_axes, sections};
use super::{Launch, Schedule, SectionKind, Tile, TileGrid, components};
use crate::plan::{LiftingStep, Operation, Plan, Stage};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Why a schedule differs from its plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "launches, stages of the plan and lanes are indices")]
pub enum IllegalSchedule {
    /// The launches do not cover the stages in order.
    #[error("launch {launch} does not continue where the previous one ended")]
    Gap { launch: usize },
    /// A launch without tiles has several stages.
    #[error("launch {launch} runs several stages without tiles")]
    Barrier { launch: usize },
    /// A tile needs a lane that it does not own, or divides a butterfly.
    #[error("in launch {launch}, stage {stage} leaves its tile at lane {lane}")]
    Leaves { launch: usize, stage: usize, lane: usize },
    /// Two butterflies write the same lane in one stage.
    #[error("stage {stage} writes lane {lane} twice")]
    Twice { stage: usize, lane: usize },
    /// A section needs a value that another section has overwritten, or computes in the same launch.
    #[error("in launch {launch}, stage {stage} needs an earlier or later value of lane {lane}")]
    Overwritten { launch: usize, stage: usize, lane: usize },
    /// Stages along the two axes of an image do not commute.
    #[error("launch {launch} takes stage {stage} before the merge of stages with which it does not commute")]
    Order { launch: usize, stage: usize },
    /// The plan reads a lane before any stage writes it.
    #[error("lane {lane} is read after {stage} stages, but was never written")]
    Unwritten {
        /// How many stages have run.
        stage: usize,
        lane: usize,
    },
}

impl Schedule {
    /// Checks that running the launches equals running the plan.
    ///
    /// # Errors
    /// The first difference.
    pub fn check(&self, plan: &Plan) -> Result<(), IllegalSchedule> {
        let (mut next, mut merges_left) = (self.uploaded_stages(plan), 0);
        for (launch, Launch { stages, tile }) in self.launches.iter().enumerate() {
            // A merge takes stages of the split before it, and was checked with it.
            if let Tile::Section { section: SectionKind::Merge, .. } = *tile {
                merges_left = usize::checked_sub(merges_left, 1).ok_or(IllegalSchedule::Gap { launch })?;
                continue;
            }
            if stages.start != next || stages.is_empty() || stages.end > plan.stages.len() {
                return Err(IllegalSchedule::Gap { launch });
            }
            next = stages.end;
            match *tile {
                Tile::Each | Tile::Samples(_) | Tile::Variant(_) | Tile::Patch { .. } if stages.len() > 1 => {
                    return Err(IllegalSchedule::Barrier { launch });
                }
                Tile::Each | Tile::Samples(_) | Tile::Variant(_) | Tile::Patch { .. } => {}
                Tile::Block { lanes } | Tile::BlockBy { lanes, .. } => check_blocks(plan, launch, stages, lanes)?,
                Tile::Strided { points, mirrored: false, .. } => check_lines(plan, launch, stages, points)?,
                // Two lines, and the one lane more that half a spectrum has.
                Tile::Strided { points, mirrored: true, .. } => check_lines(plan, launch, stages, 2 * points + 1)?,
                Tile::Spaced { lanes, spacing } => check_spaced(plan, launch, stages, [lanes, spacing])?,
                Tile::Bits { bits } => {
                    if let Some(stage) = stages.clone().find(|&stage| plan.carries(stage)) {
                        return Err(IllegalSchedule::Leaves { launch, stage, lane: 0 });
                    }
                    check_owners(plan, launch, stages, |lane| lane & !bits)?;
                }
                Tile::Spread { lanes } => check_owners(plan, launch, stages, |lane| lane / lanes)?,
                Tile::Cone { lanes } => check_cones(plan, launch, stages, lanes)?,
                Tile::Partition { lanes } => check_partition(plan, launch, stages, lanes)?,
                Tile::Section { grid, .. } => {
                    let merges = self.merges(plan, launch, grid)?;
                    merges_left = merges.len();
                    check_axes(plan, launch, stages, grid, &merges)?;
                }
                Tile::Overlapped { grid, halo } => {
                    if self.launches.iter().any(|other| !matches!(other.tile, Tile::Overlapped { .. })) {
                        return Err(IllegalSchedule::Leaves { launch, stage: stages.start, lane: 0 });
                    }
                    check_overlap(plan, launch, stages, grid, halo)?;
                }
            }
            for stage in stages.clone() {
                check_written_once(plan, stage)?;
            }
        }
        if next != plan.stages.len() {
            return Err(IllegalSchedule::Gap { launch: self.launches.len() });
        }
        plan.unwritten().map_or(Ok(()), |unwritten| Err(IllegalSchedule::Unwritten { stage: unwritten.column, lane: unwritten.lane }))
    }

    /// The stages of the merges after a split, axis by axis.
    fn merges(&self, plan: &Plan, split: usize, grid: TileGrid) -> Result<Vec<Range<usize>>, IllegalSchedule> {
        let mut axes = parts_along_axes(plan, self.launches[split].stages.clone()).into_iter();
        let mut merges = Vec::new();
        for (launch, Launch { stages, tile }) in self.launches.iter().enumerate().skip(split + 1) {
            let Tile::Section { section: SectionKind::Merge, grid: tiles, .. } = *tile else { break };
            if tiles != grid || !axes.any(|axis| axis == *stages) {
                return Err(IllegalSchedule::Gap { launch });
            }
            merges.push(stages.clone());
        }
        Ok(merges)
    }
}

/// Checks the sections along every axis, and that the stages of different axes commute.
fn check_axes(plan: &Plan, launch: usize, stages: &Range<usize>, grid: TileGrid, merges: &[Range<usize>]) -> Result<(), IllegalSchedule> {
    let axes = parts_along_axes(plan, stages.clone());
    for (index, axis) in axes.iter().enumerate().skip(1) {
        // The same step on all rows commutes with the same step on all columns: (1 ⊗ A)·(B ⊗ 1) = (B ⊗ 1)·(1 ⊗ A).
        let stage = axis.clone().find(|&stage| axes[..index].iter().any(|before| !before.clone().all(|other| commute(plan, stage, other))));
        if let Some(stage) = stage {
            return Err(IllegalSchedule::Order { launch, stage });
        }
    }
    for axis in &axes {
        let tiles = if axes.len() == 1 { grid } else { grid.along(plan.stages[axis.start].is_across()) };
        check_sections(plan, launch, axis, tiles, merges.contains(axis))?;
    }
    Ok(())
}

/// Whether two stages are linear lifting steps on all rows and on all columns of the same samples.
fn commute(plan: &Plan, a: usize, b: usize) -> bool {
    let [Some(a), Some(b)] = [a, b].map(|stage| plan.stages[stage].lifting_step()) else { return false };
    let fits = |a: &LiftingStep, b: &LiftingStep| a.is_linear && a.n_lines() == b.samples && a.line_stride() == Some(b.spacing);
    fits(&a, &b) && fits(&b, &a)
}

/// Checks that a tile produces every value that it needs after the first stage. Only the last stage may write outside the tile, if it writes every lane.
fn check_blocks(plan: &Plan, launch: usize, stages: &Range<usize>, lanes: usize) -> Result<(), IllegalSchedule> {
    for index in stages.clone() {
        let stage = &plan.stages[index];
        let leaves = |lane| IllegalSchedule::Leaves { launch, stage: index, lane };
        if lanes == plan.lanes && stage.kronecker_step().is_some() {
            // A Kronecker stage may leave the last lanes of the only tile alone.
            continue;
        }
        let scatters = index + 1 == stages.end && !plan.carries(index);
        let Some(block) = stage.block(plan.lanes).filter(|block| lanes.is_multiple_of(*block) && plan.lanes.is_multiple_of(lanes)) else {
            return Err(leaves(0));
        };
        for butterfly in stage.butterflies() {
            let tile = butterfly.indices[2] * block / lanes;
            let written = butterfly.writes.iter().filter(|_| !scatters);
            if let Some(&lane) = butterfly.reads.iter().flatten().chain(written).find(|&&lane| lane / lanes != tile) {
                return Err(leaves(lane));
            }
        }
    }
    Ok(())
}

/// Checks that no component is longer than a line. Every stage must write all lanes, since the launch works out of place.
fn check_lines(plan: &Plan, launch: usize, stages: &Range<usize>, points: usize) -> Result<(), IllegalSchedule> {
    for (index, components) in stages.clone().zip(components(plan, stages.clone())) {
        let leaves = |lane| IllegalSchedule::Leaves { launch, stage: index, lane };
        if plan.carries(index) {
            return Err(leaves(0));
        }
        let mut sizes = HashMap::new();
        for (butterfly, component) in plan.stages[index].butterflies().zip(components) {
            let size = sizes.entry(component).or_insert(0);
            *size += butterfly.writes.len();
            if *size > points {
                return Err(leaves(butterfly.writes[0]));
            }
        }
    }
    Ok(())
}

/// Checks that every butterfly stays among the lanes of one tile of spaced lanes, and writes where it reads.
fn check_spaced(plan: &Plan, launch: usize, stages: &Range<usize>, [lanes, spacing]: [usize; 2]) -> Result<(), IllegalSchedule> {
    for index in stages.clone() {
        for butterfly in plan.stages[index].butterflies() {
            let first = butterfly.writes[0];
            let leaves = |lane: &usize| !lane.is_multiple_of(spacing) || lane / (lanes * spacing) != first / (lanes * spacing);
            let strange = butterfly.reads.iter().flatten().chain(&butterfly.writes).find(|lane| leaves(lane));
            let unread = butterfly.writes.iter().find(|lane| !butterfly.reads.contains(&Some(**lane)));
            if let Some(&lane) = strange.or(unread) {
                return Err(IllegalSchedule::Leaves { launch, stage: index, lane });
            }
        }
    }
    Ok(())
}

/// Checks that every butterfly stays within one tile. A lane belongs to the tile that wrote it last, at first to `owner`.
fn check_owners(plan: &Plan, launch: usize, stages: &Range<usize>, owner: impl Fn(usize) -> usize) -> Result<(), IllegalSchedule> {
    let mut owners: Vec<usize> = (0..plan.lanes).map(owner).collect();
    for index in stages.clone() {
        let stage = &plan.stages[index];
        let mut next = owners.clone();
        for butterfly in stage.butterflies() {
            let owner = butterfly.reads.iter().flatten().map(|&lane| owners[lane]).next();
            let strange = butterfly.reads.iter().flatten().find(|&&lane| Some(owners[lane]) != owner);
            if let Some(&lane) = strange {
                return Err(IllegalSchedule::Leaves { launch, stage: index, lane });
            }
            for &lane in &butterfly.writes {
                next[lane] = owner.unwrap_or_default();
            }
        }
        owners = next;
    }
    Ok(())
}

/// Checks that blocks are complete and that the stages write every lane; tiles are independent.
fn check_cones(plan: &Plan, launch: usize, stages: &Range<usize>, lanes: usize) -> Result<(), IllegalSchedule> {
    let leaves = |lane| IllegalSchedule::Leaves { launch, stage: stages.start, lane };
    if !plan.lanes.is_multiple_of(lanes) {
        return Err(leaves(plan.lanes - plan.lanes % lanes));
    }
    let written: HashSet<usize> = plan.stages[stages.clone()].iter().flat_map(Stage::written_lanes).collect();
    (0..plan.lanes).find(|lane| !written.contains(lane)).map_or(Ok(()), |lane| Err(leaves(lane)))
}

/// Checks the rows that a row reads: its own block and the last row before it. The last row of a block also reads the block behind without that block's last row.
fn check_partition(plan: &Plan, launch: usize, stages: &Range<usize>, lanes: usize) -> Result<(), IllegalSchedule> {
    for index in stages.clone() {
        for butterfly in plan.stages[index].butterflies() {
            let eliminates = plan.stages[index].operation == Operation::Eliminate;
            for &written in &butterfly.writes {
                let first = written - written % lanes;
                let is_last = written + 1 == first + lanes;
                let reach = if is_last { first..first + 2 * lanes - 1 } else { first.saturating_sub(1)..first + lanes };
                let strange = butterfly.reads.iter().flatten().find(|&lane| !eliminates || !reach.contains(lane));
                if let Some(&lane) = strange {
                    return Err(IllegalSchedule::Leaves { launch, stage: index, lane });
                }
            }
        }
    }
    Ok(())
}

fn check_written_once(plan: &Plan, stage: usize) -> Result<(), IllegalSchedule> {
    let mut written = vec![false; plan.lanes];
    for lane in plan.stages[stage].written_lanes() {
        if std::mem::replace(&mut written[lane], true) {
            return Err(IllegalSchedule::Twice { stage, lane });
        }
    }
    Ok(())
}

/// Checks that every section finds the values that it needs: computed by itself, stored by earlier launches, or kept.
///
/// Every section works on its own copy of the lanes and stores its results at the end, so the order of sections must not matter.
fn check_sections(plan: &Plan, launch: usize, stages: &Range<usize>, grid: TileGrid, merged: bool) -> Result<(), IllegalSchedule> {
    let sections = sections(plan, stages.clone(), grid);
    let kept: HashSet<(usize, usize)> = sections.kept.iter().copied().collect();
    let in_place = plan.stages[stages.clone()].iter().all(|stage| stage.lifting_step().is_some());
    // The number of stages of the run that produced the value of a lane.
    let mut lanes = vec![0; plan.lanes];
    for (launch, part) in (launch..).zip([SectionKind::Split, SectionKind::Merge]).take(1 + usize::from(merged)) {
        let before = lanes.clone();
        let mut own: HashMap<(ButterflyOwner, usize), usize> = HashMap::new();
        let mut loaded: HashMap<usize, HashSet<ButterflyOwner>> = HashMap::new();
        let mut versions = vec![0; plan.lanes];
        for (column, owners) in sections.owners.iter().enumerate() {
            let stage = &plan.stages[stages.start + column];
            let mut written = Vec::new();
            for (butterfly, &owner) in stage.butterflies().zip(owners).filter(|(_, owner)| owner.section() == part) {
                for lane in stage.needs(butterfly.indices) {
                    let (held, needed) = (own.get(&(owner, lane)).copied(), versions[lane]);
                    let is_kept = kept.contains(&(needed, lane));
                    if held.is_none() && before[lane] == needed {
                        loaded.entry(lane).or_default().insert(owner);
                    }
                    if held.unwrap_or(before[lane]) != needed && !is_kept {
                        return Err(IllegalSchedule::Overwritten { launch, stage: stages.start + column, lane });
                    }
                }
                written.extend(butterfly.writes.iter().map(|&lane| (owner, lane)));
            }
            stage.written_lanes().for_each(|lane| versions[lane] = column + 1);
            for (owner, lane) in written {
                own.insert((owner, lane), column + 1);
                // In place, no other section may read a lane that this section stores.
                if in_place && loaded.get(&lane).is_some_and(|readers| readers.iter().any(|&reader| reader != owner)) {
                    return Err(IllegalSchedule::Overwritten { launch, stage: stages.start + column, lane });
                }
            }
        }
        for ((_, lane), version) in own {
            lanes[lane] = version.max(lanes[lane]);
        }
    }
    let mut last = vec![0; plan.lanes];
    for (column, stage) in plan.stages[stages.clone()].iter().enumerate() {
        stage.written_lanes().for_each(|lane| last[lane] = column + 1);
    }
    match (0..plan.lanes).find(|&lane| lanes[lane] != last[lane]) {
        Some(lane) => Err(IllegalSchedule::Overwritten { launch, stage: stages.end - 1, lane }),
        None => Ok(()),
    }
}

/// Checks that a tile depends only on its own lanes and its halo.
fn check_overlap(plan: &Plan, launch: usize, stages: &Range<usize>, grid: TileGrid, halo: [usize; 2]) -> Result<(), IllegalSchedule> {
    // A permutation of all lanes belongs to no tile.
    let run: Vec<&Stage> = plan.stages[stages.clone()].iter().filter(|stage| stage.write.pyramid.is_none()).collect();
    let final_lane = final_lanes(plan, stages.clone());
    let owners = owners_after(plan, &run, grid, is_synthesis(plan, stages.clone()));
    let place = |lane: usize| [lane / grid.row, lane % grid.row];
    let extent = [(plan.lanes / grid.row).min(grid.extent[0]), grid.extent[1]];
    for tile in 0..grid.n_tiles(plan.lanes) {
        let mut needed: Vec<bool> = owners.iter().map(|&owner| owner == Some(tile)).collect();
        let Some(first) = (0..plan.lanes).find(|&lane| grid.tile(lane) == tile).map(place) else { continue };
        for stage in run.iter().rev() {
            let writes_needed = |index: &usize| stage.writes(stage.indices(*index)).any(|lane| needed[lane]);
            let own: Vec<usize> = (0..stage.n_butterflies()).filter(writes_needed).collect();
            own.iter().flat_map(|&index| stage.writes(stage.indices(index))).for_each(|lane| needed[lane] = false);
            own.iter().flat_map(|&index| stage.needs(stage.indices(index))).for_each(|lane| needed[lane] = true);
        }
        let size = [grid.rows, grid.columns];
        let near = |lane: usize| {
            let at = place(final_lane[lane]);
            (0..2).all(|axis| {
                let from_start = (at[axis] + extent[axis] - first[axis] + halo[axis]) % extent[axis];
                let reads = size[axis] + 2 * halo[axis];
                reads >= extent[axis] || from_start < reads
            })
        };
        if let Some(lane) = (0..plan.lanes).find(|&lane| needed[lane] && !near(lane)) {
            return Err(IllegalSchedule::Leaves { launch, stage: stages.start, lane });
        }
    }
    Ok(())
}

/// The tile that computes each lane in a run of stages; `None` for lanes that the run does not write.
///
/// A butterfly belongs to the tile of the lane that it updates, else of the tap at its own position; in a synthesis, of the lanes that it writes.
fn owners_after(plan: &Plan, run: &[&Stage], grid: TileGrid, is_back: bool) -> Vec<Option<usize>> {
    let mut tiles: Vec<usize> = (0..plan.lanes).map(|lane| grid.tile(lane)).collect();
    let mut written = vec![None; plan.lanes];
    for stage in run {
        if is_back {
            stage.written_lanes().for_each(|lane| written[lane] = Some(grid.tile(lane)));
            continue;
        }
        let in_place = stage.lifting_step().is_some();
        let before = tiles.clone();
        for place in (0..stage.n_butterflies()).map(|index| stage.indices(index)) {
            let [p, q, b] = place;
            let own = usize::try_from(-stage.read.first).unwrap_or(0);
            let from = if in_place { stage.writes(place).next() } else { stage.read_lane(p, q, b, own) };
            let Some(tile) = from.map(|lane| before[lane]) else { continue };
            stage.writes(place).for_each(|lane| (tiles[lane], written[lane]) = (tile, Some(tile)));
        }
    }
    written
}

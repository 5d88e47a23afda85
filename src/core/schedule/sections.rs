//! Split and merge sections, derived from the dependencies of a plan.
//!
//! F. Argüello, D. B. Heras, M. Bóo, J. Lamas-Rodríguez, The split-and-merge method in general purpose computation on GPUs (2012), section 2;
//! W. Jiang, A. Ortega, Lifting factorization-based discrete wavelet transform architecture design (2001).
//! A butterfly belongs to the split of a tile if all its dependencies in the run lie inside the tile; the merge is the rest.
//! A split in place must not overwrite values that the later merge reads.

use super::components::{join, root};
use super::filter_runs::is_synthesis;
use super::{SectionKind, TileGrid};
use crate::plan::{Coef, Extension, Plan, Stage};
use std::collections::HashMap;
use std::ops::Range;

/// The tile or merge that computes each butterfly of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionOwners {
    /// The owner of each butterfly, stage by stage.
    pub owners: Vec<Vec<ButterflyOwner>>,
    /// Values that the merge needs and that the lanes cannot keep, as (number of stages that have run, lane); empty if all stages work in place.
    pub kept: Vec<(usize, usize)>,
}

/// The section that computes a butterfly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ButterflyOwner {
    /// The split section of a tile.
    Tile(usize),
    /// A merge section, numbered by its first butterfly. Merge sections are independent of each other.
    Boundary(usize),
}

impl ButterflyOwner {
    /// Split or merge.
    pub fn section(self) -> SectionKind {
        match self {
            Self::Tile(_) => SectionKind::Split,
            Self::Boundary(_) => SectionKind::Merge,
        }
    }
}

/// Divides a run into parts along one axis each. A run along both axes has one split and a merge for each part.
pub fn parts_along_axes(plan: &Plan, stages: Range<usize>) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    for index in stages {
        match parts.last_mut() {
            Some(part) if plan.stages[part.start].is_across() == plan.stages[index].is_across() => part.end = index + 1,
            _ => parts.push(index..index + 1),
        }
    }
    parts
}

/// The sections of a run of stages, derived axis by axis.
pub fn sections(plan: &Plan, stages: Range<usize>, grid: TileGrid) -> SectionOwners {
    let parts = parts_along_axes(plan, stages);
    if let [only] = &parts[..] {
        return along_an_axis(plan, only.clone(), grid);
    }
    let mut all = SectionOwners { owners: Vec::new(), kept: Vec::new() };
    for part in parts {
        let n_boundaries = all.n_boundaries();
        let across = plan.stages[part.start].is_across();
        let SectionOwners { owners, .. } = along_an_axis(plan, part, grid.along(across));
        let numbered =
            |owner| if let ButterflyOwner::Boundary(boundary) = owner { ButterflyOwner::Boundary(boundary + n_boundaries) } else { owner };
        all.owners.extend(owners.into_iter().map(|stage| stage.into_iter().map(numbered).collect::<Vec<_>>()));
    }
    all
}

/// The sections of a run of stages along one axis.
fn along_an_axis(plan: &Plan, stages: Range<usize>, grid: TileGrid) -> SectionOwners {
    let final_lane = final_lanes(plan, stages.clone());
    let run = &plan.stages[stages];
    let wraps = run.iter().any(|stage| stage.read.extension == Extension::Periodic);
    let in_place = run.iter().all(|stage| stage.lifting_step().is_some());
    // The tile that computed the value of a lane from its own values alone, or the boundary that computed it.
    let mut tiles: Vec<Option<usize>> = final_lane.into_iter().map(|lane| grid.inside(lane, plan.lanes, wraps)).collect();
    let mut boundaries: Vec<Option<usize>> = vec![None; plan.lanes];
    // The boundaries that read the value of a lane, if no copy of it is kept.
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); if in_place { plan.lanes } else { 0 }];
    let (mut parents, mut owners) = (Vec::new(), Vec::new());
    let mut needed = Vec::new();
    for stage in run {
        let (mut next_tiles, mut next_boundaries) = (tiles.clone(), boundaries.clone());
        let mut of_stage = Vec::with_capacity(stage.n_butterflies());
        for place in (0..stage.n_butterflies()).map(|index| stage.indices(index)) {
            needed.clear();
            needed.extend(stage.needs(place));
            let has = |tile: usize, lane: usize| tiles[lane] == Some(tile) || grid.has_copy(tile, lane);
            let last = needed.iter().filter_map(|&lane| tiles[lane]).max();
            let overwritten = || stage.writes(place).filter(|_| in_place).flat_map(|lane| &readers[lane]);
            let tile = last.filter(|&tile| needed.iter().all(|&lane| has(tile, lane)) && overwritten().next().is_none());
            let boundary = tile.is_none().then(|| {
                parents.push(parents.len());
                let boundary = parents.len() - 1;
                for other in needed.iter().filter_map(|&lane| boundaries[lane]).chain(overwritten().copied()) {
                    join(&mut parents, other, boundary);
                }
                boundary
            });
            if let Some(boundary) = boundary.filter(|_| in_place) {
                needed.iter().for_each(|&lane| readers[lane].push(boundary));
            }
            for lane in stage.writes(place) {
                (next_tiles[lane], next_boundaries[lane]) = (tile, boundary);
            }
            of_stage.push((tile, boundary));
        }
        owners.push(of_stage);
        (tiles, boundaries) = (next_tiles, next_boundaries);
    }
    let mut numbers = HashMap::new();
    let mut owner = |(tile, boundary): (Option<usize>, Option<usize>)| match (tile, boundary) {
        (Some(tile), _) => ButterflyOwner::Tile(tile),
        (None, boundary) => {
            let (root, next) = (root(&mut parents, boundary.unwrap_or_default()), numbers.len());
            ButterflyOwner::Boundary(*numbers.entry(root).or_insert(next))
        }
    };
    let owners: Vec<Vec<ButterflyOwner>> = owners.into_iter().map(|stage| stage.into_iter().map(&mut owner).collect()).collect();
    let kept = kept(plan, run, &owners);
    SectionOwners { owners, kept }
}

/// For every lane before a run, the lane that determines its tile: the lane itself, or for a synthesis the final position of its value if every sample replaced one.
pub(super) fn final_lanes(plan: &Plan, stages: Range<usize>) -> Vec<usize> {
    let mut places = Vec::from_iter(0..plan.lanes);
    let is_back = is_synthesis(plan, stages.clone());
    for stage in plan.stages[stages].iter().rev().filter(|_| is_back) {
        let matrix = stage.matrix();
        let mut before = places.clone();
        for butterfly in stage.butterflies() {
            for (j, &written) in butterfly.writes.iter().enumerate() {
                let mut live = (0..matrix.taps).filter(|&k| matrix.at(j, k) != Coef::Real(0.0));
                // A value that only moves, or the tap at the position of the result.
                let at_result = usize::try_from(-stage.read.first).unwrap_or(0) + j;
                let tap = live.next().filter(|_| live.next().is_none()).unwrap_or(at_result);
                if let Some(read) = butterfly.reads[tap] {
                    before[read] = places[written];
                }
            }
        }
        places = before;
    }
    places
}

impl SectionOwners {
    /// Butterflies of each stage that are left to the merge.
    pub fn merged(&self) -> Vec<usize> {
        self.owners.iter().map(|stage| stage.iter().filter(|owner| owner.section() == SectionKind::Merge).count()).collect()
    }

    /// Number of merge sections.
    pub fn n_boundaries(&self) -> usize {
        let boundaries = self.owners.iter().flatten().filter_map(|owner| match owner {
            ButterflyOwner::Boundary(boundary) => Some(boundary + 1),
            ButterflyOwner::Tile(_) => None,
        });
        boundaries.max().unwrap_or(0)
    }
}

/// The values that the merge needs but the split, which runs first, overwrites, or computes from a lane that the merge changes too.
fn kept(plan: &Plan, run: &[Stage], owners: &[Vec<ButterflyOwner>]) -> Vec<(usize, usize)> {
    let last_split = last_split(plan, run, owners);
    let mut version = vec![0; plan.lanes];
    // Whether the merge has written a lane, and whether it wrote it last.
    let mut merged = vec![[false; 2]; plan.lanes];
    let mut kept = std::collections::BTreeSet::new();
    for (column, (stage, owners)) in run.iter().zip(owners).enumerate() {
        for (index, owner) in owners.iter().enumerate() {
            if owner.section() == SectionKind::Merge {
                let is_lost = |lane: usize| !merged[lane][1] && (merged[lane][0] || last_split[lane] > version[lane]);
                kept.extend(stage.needs(stage.indices(index)).filter(|&lane| is_lost(lane)).map(|lane| (version[lane], lane)));
            }
        }
        for (index, owner) in owners.iter().enumerate() {
            let is_merge = owner.section() == SectionKind::Merge;
            stage.writes(stage.indices(index)).for_each(|lane| {
                (version[lane], merged[lane]) = (column + 1, [merged[lane][0] || is_merge, is_merge]);
            });
        }
    }
    kept.into_iter().collect()
}

/// For every lane, the number of stages after which the split no longer writes it.
fn last_split(plan: &Plan, run: &[Stage], owners: &[Vec<ButterflyOwner>]) -> Vec<usize> {
    let mut last = vec![0; plan.lanes];
    for (column, (stage, owners)) in run.iter().zip(owners).enumerate() {
        for (index, _) in owners.iter().enumerate().filter(|(_, owner)| owner.section() == SectionKind::Split) {
            stage.writes(stage.indices(index)).for_each(|lane| last[lane] = column + 1);
        }
    }
    last
}

//! The kernel of sections of scan steps, as of parallel cyclic reduction and recursive doubling: which launches it supports, and what a workgroup takes.
//!
//! The closed form of the sections, [`ScanRun::levels`], is compared with what is derived from the plan in `tests/core/sections.rs`.

use super::doubling::doubling;
use super::error::LowerError;
use super::family::{Family, KernelDispatch, LaunchQuery};
use super::kernel::Kernel;
use super::limits::Limits;
use super::tables::Tables;
use crate::plan::{Plan, Precision, Ring};
use crate::schedule::{ScanLevel, ScanRun, Schedule, SectionKind, SectionMemory, ThreadsPerSample, Tile, TileGrid};
use serde::Serialize;
use serde_json::{Value, json};
use std::ops::Range;

/// Splits and merges of runs of scan steps.
pub(super) struct ScanSections;

/// The data of one kernel.
#[derive(Serialize)]
struct ScanShape {
    /// Whether this is a merge, whether a split keeps values for one, and whether a merge leaves its equations in global memory.
    merges: bool,
    keeps: bool,
    in_global: bool,
    /// The function of recursive doubling that makes an equation; `None` eliminates both neighbours.
    step: Option<&'static str>,
    levels: Vec<LevelShape>,
    /// Equations of a tile; those around a border that a merge computes, and the first one.
    tile: usize,
    width: usize,
    first: i64,
    /// Lanes that are kept around a border.
    kept: usize,
    /// Borders of a workgroup; equations of a workgroup; lanes in workgroup memory.
    units: usize,
    elements: usize,
    held: usize,
    /// Threads of a workgroup, and the equations of each.
    threads: usize,
    per_thread: usize,
    helpers: Value,
}

/// A level: the equations that the split leaves around a border, and those that it keeps.
#[derive(Serialize)]
struct LevelShape {
    number: usize,
    distance: i64,
    before: i64,
    after: i64,
    kept: [KeptShape; 2],
}

/// Values around a border, and the lane of the first one among all that are kept.
#[derive(Serialize)]
struct KeptShape {
    from: i64,
    to: i64,
    offset: i64,
}

impl Family for ScanSections {
    fn dispatch(&self, query: LaunchQuery<'_>, _: &mut Tables) -> Option<KernelDispatch> {
        let (shape, run, grid) = shape(query)?;
        let LaunchQuery { plan, in_place, limits, .. } = query;
        let splits = run.samples().div_ceil(run.tile(grid)) * run.first.distance;
        let n_groups = if shape.merges { run.n_boundaries(grid).div_ceil(shape.units) } else { splits };
        let uniforms = [n_groups, run.first.n, run.first.distance, plan.lanes].map(|number| number as u32);
        let fits = lanes_that_fit(limits) >= shape.held;
        let kernel = || Kernel {
            precision: limits.precision,
            in_place,
            ..Kernel::new("scan sections", "scan_sections.wgsl", Ring::Equation, shape)
        };
        fits.then(|| KernelDispatch::of(kernel(), uniforms))
    }

    /// The equations that a split keeps for its merge.
    fn scratch_lanes(&self, plan: &Plan, schedule: &Schedule, _: Limits) -> usize {
        let splits = schedule.launches.iter().filter_map(|launch| match launch.tile {
            Tile::Section { section: SectionKind::Split, grid, .. } => Some((ScanRun::of(plan, launch.stages.clone())?, grid)),
            _ => None,
        });
        splits.map(|(run, grid)| run.n_boundaries(grid) * run.kept(run.margin(grid))).max().unwrap_or(0)
    }

    /// The tiles of the section are too large.
    fn unsupported(&self, query: LaunchQuery<'_>) -> Option<LowerError> {
        let (shape, ..) = shape(query)?;
        let fits = lanes_that_fit(query.limits);
        (shape.held > fits).then_some(LowerError::Tile { launch: query.index, lanes: shape.held, fits })
    }
}

fn lanes_that_fit(limits: Limits) -> usize {
    limits.workgroup_bytes / limits.precision.bytes_per_lane(Ring::Equation)
}

fn shape(LaunchQuery { plan, launch, in_place, limits, .. }: LaunchQuery<'_>) -> Option<(ScanShape, ScanRun, TileGrid)> {
    let Tile::Section { section, grid, memory, threads } = launch.tile else { return None };
    let run = ScanRun::of(plan, launch.stages.clone()).filter(|run| run.has_independent_merges(grid))?;
    // The first launch writes another buffer than it reads, so it must cover all lanes.
    if !in_place && run.first.n != plan.lanes {
        return None;
    }
    let (margin, tile, merges) = (run.margin(grid), run.tile(grid), section == SectionKind::Merge);
    let levels = run.levels(margin);
    let first = levels.last().map_or(0, |level| level.boundary.before + 1);
    let width = run.widest(margin);
    let units = if merges { (tile / width.max(1)).max(1) } else { 1 };
    let elements = if merges { units * width } else { tile };
    let block = if threads == ThreadsPerSample::One { tile } else { tile / 2 };
    let threads = block.clamp(1, limits.max_invocations);
    let in_global = merges && memory == SectionMemory::Global;
    let step = run.first.doubling.map(doubling);
    let real = if limits.precision == Precision::Double { "f64" } else { "f32" };
    let shape = ScanShape {
        merges,
        keeps: !merges && tile < run.samples(),
        in_global,
        step,
        levels: level_shapes(levels),
        tile,
        width,
        first,
        kept: run.kept(margin),
        units,
        elements,
        held: if in_global { 1 } else { elements },
        threads,
        per_thread: elements.div_ceil(threads),
        helpers: json!({ "real": real, "doubling": Vec::from_iter(step) }),
    };
    Some((shape, run, grid))
}

/// The levels, with the lanes of what they keep one behind the other.
fn level_shapes(levels: Vec<ScanLevel>) -> Vec<LevelShape> {
    let mut offset = 0;
    let mut kept = |Range { start: from, end: to }: Range<i64>| {
        let shape = KeptShape { from, to, offset };
        offset += to - from;
        shape
    };
    let level = |(number, ScanLevel { distance, boundary, kept: ranges }): (usize, ScanLevel)| LevelShape {
        number,
        distance,
        before: boundary.before,
        after: boundary.after,
        kept: ranges.map(&mut kept),
    };
    levels.into_iter().enumerate().map(level).collect()
}

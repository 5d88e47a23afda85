//! The ways to run a plan on the GPU that tests compare: schedules, with fast kernels or with compiled stages only.

use crate::common::Grid;
use papillon::gpu::{KernelChoice, Limits, fastest, lower};
use papillon::plan::Plan;
use papillon::schedule::Schedule;

/// Calls `visit` with the schedules of the plan and the choices of kernels for them that the grid takes.
pub(crate) fn in_ways(plan: &Plan, grid: &mut Grid, limits: Limits, mut visit: impl FnMut(&str, &Schedule, KernelChoice)) {
    let stages = ("by stage", Schedule::by_stage(plan));
    let tiles = ("tiled", Schedule::tiled(plan, lower::tile_lanes(plan.ring, limits)));
    let fastest = ("fastest", fastest(plan, limits));
    let fast = [&fastest, &tiles, &stages].map(|way| (way, KernelChoice::Fast));
    let generic = [&tiles, &stages].map(|way| (way, KernelChoice::Generic));
    for ((name, schedule), kernels) in fast.into_iter().chain(generic) {
        if grid.takes(plan, schedule, limits, kernels) {
            visit(name, schedule, kernels);
        }
    }
}

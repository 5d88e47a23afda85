//! The ways to run a plan on the GPU that tests compare: schedules, with fast kernels or with compiled stages only.

use papillon::gpu::{KernelChoice, Limits, fastest, lower};
use papillon::plan::Plan;
use papillon::schedule::Schedule;

/// Which schedules and kernels a plan runs with. Compiling takes nearly all the time, so that plans that differ in a parameter share the ways between them.
#[derive(Clone, Copy)]
pub(crate) enum Ways {
    All,
    /// Two of them, another two for the next number.
    Two(usize),
}

/// Calls `visit` with schedules of the plan and choices of kernels for them.
pub(crate) fn in_ways(plan: &Plan, ways: Ways, limits: Limits, mut visit: impl FnMut(&str, &Schedule, KernelChoice)) {
    let schedules = [
        ("by stage", Schedule::by_stage(plan)),
        ("tiled", Schedule::tiled(plan, lower::tile_lanes(plan.ring, limits))),
        ("fastest", fastest(plan, limits)),
    ];
    let [stages, tiles, fastest] = [0, 1, 2];
    let all = [(stages, KernelChoice::Fast), (tiles, KernelChoice::Fast), (fastest, KernelChoice::Fast)]
        .into_iter()
        .chain([(stages, KernelChoice::Generic), (tiles, KernelChoice::Generic)]);
    for (schedule, kernels) in all {
        let is_taken = match (ways, kernels) {
            (Ways::All, _) => true,
            (Ways::Two(number), KernelChoice::Fast) => schedule == number % 3,
            (Ways::Two(number), KernelChoice::Generic) => schedule == number % 2,
        };
        if is_taken {
            visit(schedules[schedule].0, &schedules[schedule].1, kernels);
        }
    }
}

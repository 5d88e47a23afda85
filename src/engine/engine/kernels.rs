//! The commands that a GPU gets for a plan, without a GPU: for the command line, and for plans that ran on the CPU.

use super::cut::{schedule, schedule_on_gpu};
use crate::gpu::lower::{lower, tile_lanes};
use crate::gpu::{KernelChoice, LaunchCommand, Limits, LowerError};
use crate::plan::Plan;
use crate::schedule::{Cut, Schedule};

/// The kernels of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanKernels {
    /// How the plan is cut into launches.
    pub schedule: Schedule,
    /// One command for each launch.
    pub commands: Vec<LaunchCommand>,
}

/// Lowers a plan for a GPU with these limits, cut as asked for: to fast kernels where they support its launches, or to kernels made for the stages.
///
/// # Errors
/// As [`lower`].
pub fn plan_kernels(plan: &Plan, cut: Cut, limits: Limits, kernels: KernelChoice) -> Result<PlanKernels, LowerError> {
    let schedule = match kernels {
        KernelChoice::Fast => schedule_on_gpu(plan, cut, limits),
        KernelChoice::Generic => {
            let tiled = |lanes: Option<usize>| Schedule::tiled(plan, lanes.unwrap_or_else(|| tile_lanes(plan.ring, limits)));
            schedule(plan, cut, tiled)
        }
    };
    let commands = lower(plan, &schedule, limits, kernels)?.commands;
    Ok(PlanKernels { schedule, commands })
}

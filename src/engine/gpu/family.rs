//! A family of fast kernels: it says which launches it supports, and with which kernel.

use super::error::LowerError;
use super::kernel::Kernel;
use super::limits::Limits;
use super::tables::Tables;
use crate::plan::{Plan, Ring};
use crate::schedule::{Launch, Schedule, Tile};
use std::ops::Range;

/// A launch of a schedule that a family may support.
#[derive(Clone, Copy)]
pub(super) struct LaunchQuery<'a> {
    pub(super) plan: &'a Plan,
    pub(super) schedule: &'a Schedule,
    /// The number of the launch in the schedule.
    pub(super) index: usize,
    pub(super) launch: &'a Launch,
    /// Whether the launch may write where it reads. The first launch spares the input.
    pub(super) in_place: bool,
    pub(super) limits: Limits,
}

/// The kernel of a launch, and how it is dispatched.
pub(super) struct KernelDispatch {
    pub(super) kernel: Kernel,
    pub(super) uniforms: [u32; 24],
    pub(super) n_groups: usize,
    /// Whether it needs all lanes in its sink before it runs, because some keep their value.
    pub(super) carries: bool,
    /// Bytes that the launch moves, where they differ from those of its stages.
    pub(super) bytes: Option<u64>,
    /// The type of a lane afterwards, where it is not that of the plan's lanes.
    pub(super) leaves: Option<Ring>,
}

impl KernelDispatch {
    /// A kernel and its uniforms, the first of which is the number of workgroups.
    pub(super) fn of<const N: usize>(kernel: Kernel, first: [u32; N]) -> Self {
        let mut uniforms = [0; 24];
        uniforms[..N].copy_from_slice(&first);
        Self {
            kernel,
            uniforms,
            n_groups: first.first().map_or(0, |&n_groups| n_groups as usize),
            carries: false,
            bytes: None,
            leaves: None,
        }
    }
}

/// The most lanes of a plan: kernels number lanes in 32 bits, and some numbers go a little beyond the last lane.
pub const MOST_LANES: usize = 1 << 31;

/// A family of fast kernels.
///
/// A family is a file of Rust, which recognises launches, its files in `shaders/`, and an item of [`super::families::FAMILIES`].
pub(super) trait Family: Sync {
    /// How a launch is dispatched; `None` where the family does not support it.
    fn dispatch(&self, query: LaunchQuery<'_>, tables: &mut Tables) -> Option<KernelDispatch>;

    /// The most lanes of a plan that its kernels take; most families number lanes with a sign.
    fn most_lanes(&self) -> usize {
        i32::MAX as usize
    }

    /// How one launch could run these stages, in tiles of at most `most_lanes` lanes, and its cost in copies of all lanes.
    fn candidate(&self, _plan: &Plan, _stages: Range<usize>, _limits: Limits, _most_lanes: usize) -> Option<(Tile, f64)> {
        None
    }

    /// The schedule of a plan that the family runs as a whole, and its cost in copies of all lanes without that of starting launches.
    fn schedule(&self, _plan: &Plan, _limits: Limits) -> Option<(Schedule, f64)> {
        None
    }

    /// The schedule of overlapped tiles, with at most `levels` levels in a launch that has more than one tile of a line.
    fn overlapped(&self, _plan: &Plan, _levels: Option<usize>, _limits: Limits) -> Option<Schedule> {
        None
    }

    /// The most levels that can be asked of a launch of overlapped tiles; `None` where the plan has no such levels.
    fn most_overlapped_levels(&self, _plan: &Plan) -> Option<usize> {
        None
    }

    /// Lanes that the launches of a schedule need beside those of the plan.
    fn scratch_lanes(&self, _plan: &Plan, _schedule: &Schedule, _limits: Limits) -> usize {
        0
    }

    /// Why the family does not support a launch of a kind that only it could.
    fn unsupported(&self, _query: LaunchQuery<'_>) -> Option<LowerError> {
        None
    }
}

//! The loops of every type of lanes, compiled here once. A generic function would be compiled anew in each crate that runs plans.

use super::{Bit, Cancelled, CpuBackend, Lane, LaneArrays, Residue, Word, run_launches};
use crate::plan::{Plan, ReducedEquation};
use crate::schedule::Schedule;
use num_complex::{Complex32, Complex64};
use std::sync::atomic::AtomicBool;

/// Lanes whose loops are compiled in this crate.
pub trait CompiledLane: Lane {
    /// Runs the launches of a schedule one after the other; gives the time of each in µs.
    ///
    /// # Errors
    /// If `cancel` is set between two launches.
    fn run(
        arrays: &mut LaneArrays<Self>,
        plan: &Plan,
        schedule: &Schedule,
        backend: CpuBackend,
        cancel: &AtomicBool,
    ) -> Result<Vec<f64>, Cancelled>;
}

/// Implements [`CompiledLane`] for types of lanes.
macro_rules! compiled {
    ($($lane:ty),*) => {
        $(impl CompiledLane for $lane {
            fn run(
                arrays: &mut LaneArrays<Self>,
                plan: &Plan,
                schedule: &Schedule,
                backend: CpuBackend,
                cancel: &AtomicBool,
            ) -> Result<Vec<f64>, Cancelled> {
                run_launches(arrays, plan, schedule, backend, cancel)
            }
        })*
    };
}

compiled!(f32, f64, Complex32, Complex64, i32, i64, Bit, Word, Residue, ReducedEquation<f32>, ReducedEquation<f64>);

//! Which levels of a lifting scheme a launch takes.

use crate::schedule::{Launch, PyramidLevel, Schedule};

/// The level at which every launch begins, and the number of levels, the finest first.
pub(super) fn starts(levels: &[PyramidLevel], schedule: &Schedule) -> Vec<usize> {
    let begins = |launch: &Launch| levels.iter().position(|level| launch.stages.contains(&level.stages.start));
    let mut starts: Vec<usize> = schedule.launches.iter().filter_map(begins).collect();
    starts.sort_unstable();
    starts.push(levels.len());
    starts
}

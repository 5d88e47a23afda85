//! Where the launches of a filter bank read and write. What one launch leaves to the next is in scratch lanes, so no workgroup overwrites what another one still reads.

use crate::plan::{Direction, FilterStep, Plan};
use crate::schedule::{FilterRun, Launch, Schedule, SectionKind, Tile, TileGrid};

/// Where values are: the first lane, and the lanes from one line to the next and from one value to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Location {
    pub(super) first: usize,
    pub(super) line: usize,
    pub(super) step: usize,
}

/// Where a launch reads and writes: lines on one side, their halves on the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Locations {
    /// The samples of lines.
    pub(super) joined: Location,
    /// Low-pass values, and the number of lines that have them here.
    pub(super) low: Location,
    pub(super) low_lines: usize,
    /// All other values.
    pub(super) high: Location,
    /// The first lane of what is kept for merges.
    pub(super) kept: usize,
    /// Whether the launch reads these from the buffer that it writes.
    pub(super) joined_in_output: bool,
    pub(super) low_in_output: bool,
    pub(super) high_in_output: bool,
    /// Whether lanes that the launch does not write must be copied before.
    pub(super) carries: bool,
}

/// Where launch `index` of a schedule reads and writes; `None` where it takes no levels of a filter bank.
pub(super) fn locations(plan: &Plan, schedule: &Schedule, index: usize) -> Option<Locations> {
    let walked = walk(plan, schedule);
    // A merge has the locations of its split.
    let split = (0..=index).rev().find(|&launch| schedule.launches[launch].section() != Some(SectionKind::Merge))?;
    let locations = walked.locations.into_iter().find(|(launch, _)| *launch == split)?.1;
    Some(Locations { kept: walked.lanes, ..locations })
}

/// Scratch lanes that the launches of lines of a filter bank need.
pub(super) fn scratch_lanes(plan: &Plan, schedule: &Schedule) -> usize {
    let walked = walk(plan, schedule);
    walked.lanes + walked.kept - plan.lanes
}

/// The locations of all launches of filter banks, by their numbers.
struct LocationWalk {
    locations: Vec<(usize, Locations)>,
    /// Lanes of the plan and scratch lanes, without those that are kept for merges.
    lanes: usize,
    /// The most lanes that a split keeps.
    kept: usize,
}

fn walk(plan: &Plan, schedule: &Schedule) -> LocationWalk {
    let mut walked = LocationWalk { locations: Vec::new(), lanes: plan.lanes, kept: 0 };
    let is_split = |launch: &&Launch| launch.section() != Some(SectionKind::Merge);
    let mut launches: Vec<(usize, Option<(FilterRun, TileGrid)>)> = schedule
        .launches
        .iter()
        .enumerate()
        .filter(|(_, launch)| is_split(launch))
        .map(|(index, launch)| (index, run_of(plan, launch)))
        .collect();
    let is_back = launches.iter().flat_map(|(_, run)| run).any(|(run, _)| run.direction() == Direction::Inverse);
    if is_back {
        // The inverse has the same locations in reverse order.
        launches.reverse();
    }
    // In the inverse the high-pass values of all levels are read from the input; a launch of another kind would have moved them.
    let stays_beside = !is_back || launches.iter().all(|(_, run)| run.is_some());
    let mut pending = None;
    for (position, (index, launch)) in launches.iter().enumerate() {
        let beside: Option<Location> = pending.take();
        let Some((run, grid)) = launch else { continue };
        let step = run.finest();
        walked.kept = walked.kept.max(run.boundary_lanes(*grid));
        let covers = |step: &FilterStep| step.samples * step.n_lines == plan.lanes;
        let own = Location { first: 0, line: step.line_stride, step: step.spacing };
        let mut locations = Locations {
            joined: beside.unwrap_or(own),
            low: own,
            low_lines: step.n_lines,
            high: own,
            kept: 0,
            joined_in_output: beside.is_some(),
            low_in_output: false,
            high_in_output: false,
            carries: beside.is_none() && !covers(step),
        };
        let next = launches.get(position + 1).and_then(|(_, next)| next.as_ref()).map(|(next, _)| next.finest());
        if let Some(next) = next.filter(|next| stays_beside && !covers(next))
            && let Some((place, lines, both)) = left(step, run.levels.len(), next, walked.lanes)
        {
            (locations.low, locations.low_lines, pending) = (place, lines, Some(seen_by(place, step, next)));
            (locations.low_in_output, locations.high_in_output) = (true, both);
            locations.high = if both { place } else { own };
            walked.lanes += next.samples * next.n_lines;
        }
        walked.locations.push((*index, locations));
    }
    walked
}

/// The run of a launch and its tiles, if it takes levels of a filter bank.
fn run_of(plan: &Plan, launch: &Launch) -> Option<(FilterRun, TileGrid)> {
    match launch.tile {
        Tile::Section { grid, .. } | Tile::Overlapped { grid, .. } => FilterRun::of(plan, launch.stages.clone()).map(|run| (run, grid)),
        _ => None,
    }
}

/// Where a launch puts, or in the inverse finds, the values that the next coarser one halves, from lane `first` on: low-pass values, the number of their lines, and whether the high-pass values are there too. `None` for other launches.
fn left(step: &FilterStep, levels: usize, next: &FilterStep, first: usize) -> Option<(Location, usize, bool)> {
    let low = step.samples >> levels;
    let place = |values: usize, lines: usize| {
        if step.is_across() { Location { first, line: 1, step: lines } } else { Location { first, line: values, step: 1 } }
    };
    let turns = next.is_across() != step.is_across();
    match (next.samples, next.n_lines) {
        (samples, lines) if !turns && (samples, lines) == (low, step.n_lines) => Some((place(low, lines), lines, false)),
        // The other axis of the same level, and then the first one of the next level.
        (samples, lines) if turns && (samples, lines) == (step.n_lines, step.samples) => Some((place(lines, samples), samples, true)),
        (samples, lines) if turns && (2 * samples, lines) == (step.n_lines, low) => Some((place(lines, samples), samples, false)),
        _ => None,
    }
}

/// A location as the coarser launch counts lines and values, which may go along the other axis.
fn seen_by(place: Location, step: &FilterStep, next: &FilterStep) -> Location {
    let Location { first, line, step: value } = place;
    if step.is_across() == next.is_across() { place } else { Location { first, line: value, step: line } }
}

//! Which lanes are copied from one buffer to another, and when: a stage that writes only some lanes leaves the others where they are.
//!
//! A lane stays in the buffer that was written last, and is copied only before a launch that needs it elsewhere, or at the end.

use super::super::command::{BufferSlot, LaneCopy, LaunchCommand};
use crate::plan::Plan;
use std::collections::BTreeMap;
use std::ops::Range;

/// The first lanes that a copy takes along for later launches: to copy them costs little more than to copy one.
const SMALL_COPY: usize = 1 << 16;

/// The buffers that hold the newest value of each lane.
struct Newest {
    /// By the first lane of a range that ends where the next one begins: whether input, ping and pong hold its values.
    ranges: BTreeMap<usize, [bool; 3]>,
    lanes: usize,
}

impl Newest {
    /// All lanes in the input.
    fn in_input(lanes: usize) -> Self {
        Self { ranges: BTreeMap::from([(0, [true, false, false])]), lanes }
    }

    /// Lets a range begin at `lane`.
    fn split(&mut self, lane: usize) {
        if lane < self.lanes
            && let Some((_, &holders)) = self.ranges.range(..=lane).next_back()
        {
            self.ranges.insert(lane, holders);
        }
    }

    /// Notes that lanes were written to a buffer.
    fn write(&mut self, sink: BufferSlot, lanes: Range<usize>) {
        [lanes.start, lanes.end].into_iter().for_each(|lane| self.split(lane));
        for (_, holders) in self.ranges.range_mut(lanes) {
            *holders = [false; 3];
            holders[sink as usize] = true;
        }
    }

    /// Copies what a buffer lacks of some lanes, and what follows a copy among the first [`SMALL_COPY`].
    fn bring(&mut self, to: BufferSlot, lanes: Range<usize>) -> Vec<LaneCopy> {
        [lanes.start, lanes.end, SMALL_COPY].into_iter().for_each(|lane| self.split(lane));
        let ends: Vec<usize> = self.ranges.range(lanes.start..).skip(1).map(|(&end, _)| end).chain([self.lanes]).collect();
        let mut copies: Vec<LaneCopy> = Vec::new();
        for ((&first, holders), end) in self.ranges.range_mut(lanes.start..lanes.end.max(SMALL_COPY)).zip(ends) {
            let holder = [BufferSlot::Input, BufferSlot::Ping, BufferSlot::Pong].into_iter().find(|slot| holders[*slot as usize]);
            let Some(from) = holder.filter(|_| !holders[to as usize]) else { continue };
            match copies.last_mut() {
                Some(last) if last.from == from && last.lanes.end == first => last.lanes.end = end,
                _ if first < lanes.end => copies.push(LaneCopy { from, to, lanes: first..end }),
                _ => break,
            }
            holders[to as usize] = true;
        }
        copies
    }

    /// Number of lanes that a buffer lacks of the first `lanes`.
    fn lacking(&self, slot: BufferSlot, lanes: usize) -> usize {
        let ends = self.ranges.keys().skip(1).copied().chain([self.lanes]);
        let ranges = self.ranges.iter().zip(ends).filter(|((_, holders), _)| !holders[slot as usize]);
        ranges.map(|((&first, _), end)| end.min(lanes).saturating_sub(first)).sum()
    }
}

/// Gives every command the copies that it needs, and returns the buffer of the result.
///
/// `singles` are the commands of one stage that write nothing but its results. Every other command leaves all lanes in its sink,
/// and those of `whole` need all of them there before.
pub(super) fn place(plan: &Plan, commands: &mut [LaunchCommand], singles: &[usize], whole: &[Range<usize>]) -> BufferSlot {
    let (mut newest, mut held) = (Newest::in_input(plan.lanes), BufferSlot::Input);
    for (index, command) in commands.iter_mut().enumerate() {
        let sink = command.sink;
        if !singles.contains(&index) {
            command.copies = newest.bring(held, 0..plan.lanes);
            command.copies.extend(whole.iter().filter(|range| range.start == index).map(|range| LaneCopy {
                from: command.source,
                to: sink,
                lanes: 0..range.end,
            }));
            newest.write(sink, 0..plan.lanes);
        } else {
            let (stage, all) = (&plan.stages[command.stages.start], 0..plan.lanes);
            let read = Range { end: stage.read_reach().min(plan.lanes), ..stage.read_range() };
            let written = if plan.carries(command.stages.start) { stage.written_ranges() } else { Some(vec![all.clone()]) };
            let needed = if command.kernel.in_place && written.is_none() { all.clone() } else { read };
            command.copies = newest.bring(command.source, needed);
            let written = written.unwrap_or_else(|| {
                command.copies.extend(newest.bring(sink, all.clone()));
                vec![all]
            });
            written.into_iter().for_each(|lanes| newest.write(sink, lanes));
        }
        held = sink;
    }
    let other = if held == BufferSlot::Ping { BufferSlot::Pong } else { BufferSlot::Ping };
    let is_less =
        commands.iter().any(|command| command.sink == other) && newest.lacking(other, plan.outputs) < newest.lacking(held, plan.outputs);
    let result = if is_less { other } else { held };
    if let Some(last) = commands.last_mut() {
        last.copies_after = newest.bring(result, 0..plan.outputs);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::KernelChoice;
    use crate::gpu::lower::lower;
    use crate::plan::Precision;
    use crate::schedule::Schedule;
    use crate::transforms::{Parameters, Shape, transform};

    const LIMITS: crate::gpu::Limits = crate::gpu::Limits {
        workgroup_bytes: 32 << 10,
        max_invocations: 256,
        max_groups: 65_535,
        subgroup: 1,
        precision: Precision::Single,
    };

    /// The copies of a plan of `n` values with a launch a stage, and the buffer of the result.
    fn copies(name: &str, algorithm: &str, n: usize) -> (Vec<Vec<LaneCopy>>, BufferSlot) {
        let build = transform(name).unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
        let plan = build(Shape { rows: 1, columns: n }, Parameters { levels: Some(3), ..Parameters::default() }).unwrap();
        let lowered = lower(&plan, &Schedule::by_stage(&plan), LIMITS, KernelChoice::Fast).unwrap();
        let commands = lowered.commands.into_iter();
        (commands.flat_map(|command| [command.copies, command.copies_after]).collect(), lowered.result)
    }

    #[test]
    fn differences_stay_where_they_are_until_the_end() {
        // Three levels write 4096, 2048 and 1024 lanes to ping, pong, ping; what the second level left in pong goes to ping at the end.
        let (copies, result) = copies("d4", "filter-bank", 4096);
        assert_eq!(result, BufferSlot::Ping);
        assert!(copies[..5].iter().all(Vec::is_empty));
        assert_eq!(copies[5], [LaneCopy { from: BufferSlot::Pong, to: BufferSlot::Ping, lanes: 1024..2048 }]);
    }

    #[test]
    fn levels_of_one_workgroup_stay_in_one_buffer() {
        let (copies, result) = copies("d4", "filter-bank", 64);
        assert!(result == BufferSlot::Ping && copies.iter().all(Vec::is_empty), "{copies:?}");
    }

    #[test]
    fn nothing_is_copied_where_every_stage_writes_all_lanes() {
        for algorithm in ["constant-geometry", "cooley-tukey"] {
            assert!(copies("walsh", algorithm, 64).0.iter().all(Vec::is_empty));
        }
    }

    #[test]
    fn lanes_that_a_stage_does_not_need_are_not_copied() {
        // A signal that no launch has touched is read from the input, and the buffers of a plan are lanes of one.
        for (name, algorithm) in [("dyadic-convolution", "separate-transforms"), ("haar", "three-buffers")] {
            let (copies, result) = copies(name, algorithm, 4096);
            assert!(result == BufferSlot::Ping && copies.iter().all(Vec::is_empty), "{name}: {copies:?}");
        }
    }

    #[test]
    fn a_buffer_gets_what_it_lacks_and_a_few_lanes_that_follow() {
        let lacking = |lanes: usize, written: usize, needed: usize| {
            let mut newest = Newest::in_input(lanes);
            newest.write(BufferSlot::Ping, 0..lanes);
            newest.write(BufferSlot::Pong, 0..written);
            assert_eq!([BufferSlot::Ping, BufferSlot::Pong].map(|slot| newest.lacking(slot, lanes)), [written, lanes - written]);
            let copies = newest.bring(BufferSlot::Pong, 0..needed);
            assert_eq!(newest.bring(BufferSlot::Pong, 0..needed), []);
            (copies, newest.lacking(BufferSlot::Pong, lanes))
        };
        let copy = |lanes| [LaneCopy { from: BufferSlot::Ping, to: BufferSlot::Pong, lanes }].to_vec();
        let n = SMALL_COPY;
        assert_eq!(lacking(4 * n, 2 * n, 3 * n), (copy(2 * n..3 * n), n));
        assert_eq!(lacking(64, 32, 48), (copy(32..64), 0));
        assert_eq!(lacking(4 * n, 32, 48), (copy(32..n), 3 * n));
    }
}

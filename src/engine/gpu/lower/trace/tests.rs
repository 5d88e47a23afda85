//! The traces of kernels against the stages that they run, and against counts that were worked out by hand.

use super::*;
use crate::graph::access::{AccessCount, SUBGROUP, TRANSACTION_BYTES};
use crate::plan::shapes::TranspositionStage;
use crate::plan::{ResultOrder, Ring};
use crate::schedule::{BlockScheme, SplitAndMerge};
use crate::transforms::{Parameters, Shape, TRANSFORMS, transform};
use std::collections::{BTreeSet, HashSet};

fn plan(name: &str, algorithm: &str, shape: Shape) -> Plan {
    let build = transform(name).unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
    build(shape, Parameters::default()).unwrap()
}

/// The lanes that all workgroups of a command read and write.
fn lanes(command: &LaunchCommand, lane_bytes: u64) -> [BTreeSet<usize>; 2] {
    let mut lanes = [BTreeSet::new(), BTreeSet::new()];
    for group in 0..(command.groups[0] * command.groups[1]) as usize {
        for request in ReadKernel::of(command).unwrap().trace(group, SUBGROUP).unwrap().requests {
            if request.memory == AccessedMemory::Lanes {
                let touched = request.spans.iter().flatten().flat_map(|span| span.segments(lane_bytes));
                lanes[usize::from(request.is_write)].extend(touched.map(|lane| lane as usize));
            }
        }
    }
    lanes
}

#[test]
fn a_kernel_touches_the_lanes_of_its_stage() {
    let cases = [("walsh", "constant-geometry", 1024), ("walsh", "cooley-tukey", 4096), ("dft", "stockham-2", 64), ("cdf97", "direct", 64)];
    for (name, algorithm, n) in cases {
        let plan = plan(name, algorithm, Shape::line(n));
        let lane_bytes = plan.ring.bytes_per_lane() as u64;
        let commands = commands(&plan, &Schedule::by_stage(&plan), Limits::DESKTOP, KernelChoice::Generic).unwrap();
        for (stage, command) in plan.stages.iter().zip(&commands) {
            let [reads, writes] = lanes(command, lane_bytes);
            let expected = stage.butterflies().flat_map(|butterfly| butterfly.reads.into_iter().flatten());
            assert_eq!(reads, expected.collect(), "{name} {algorithm} {}", stage.label);
            assert_eq!(writes, stage.written_lanes().collect(), "{name} {algorithm} {}", stage.label);
        }
    }
}

#[test]
fn tiles_touch_every_lane_once() {
    for kernels in [KernelChoice::Fast, KernelChoice::Generic] {
        let plan = plan("walsh", "cooley-tukey", Shape::line(2048));
        let [command] = &commands(&plan, &Schedule::tiled(&plan, 2048), Limits::DESKTOP, kernels).unwrap()[..] else {
            panic!("one tile holds all lanes")
        };
        let trace = ReadKernel::of(command).unwrap().trace(0, SUBGROUP).unwrap();
        let count = |is_write: bool| {
            let requests = trace.requests.iter().filter(|request| request.memory == AccessedMemory::Lanes && request.is_write == is_write);
            requests.flat_map(|request| request.spans.iter().flatten()).map(|span| span.bytes).sum::<u64>()
        };
        assert_eq!([count(false), count(true)], [plan.ring.bytes_per_lane() as u64 * 2048; 2], "{kernels:?}");
        assert!(trace.phases > 1, "lanes are exchanged");
    }
}

/// The same schedule and kernel with another pitch of the square.
fn transposition(pitch: usize) -> KernelTrace {
    let stage = TranspositionStage { rows: 64, columns: 96 }.stage();
    let plan = Plan::new(Ring::Real, 64 * 96, vec![stage], ResultOrder::Natural);
    let mut command = commands(&plan, &Schedule::by_stage(&plan), Limits::DESKTOP, KernelChoice::Fast).unwrap().remove(0);
    assert_eq!(command.kernel.family, "transpose");
    command.kernel = command.kernel.with_pitch(pitch).unwrap();
    ReadKernel::of(&command).unwrap().trace(1, SUBGROUP).unwrap()
}

#[test]
fn padding_spares_the_transposition_its_bank_conflicts() {
    for (pitch, name) in [(32, "32-way conflict"), (33, "no conflict")] {
        let trace = transposition(pitch);
        let of = |is_write: bool| {
            let found = trace.requests.iter().find(|request| request.memory == AccessedMemory::Workgroup && request.is_write == is_write);
            found.unwrap().of_threads(0..SUBGROUP).banks().name()
        };
        assert_eq!([of(true), of(false)], ["no conflict", name], "pitch {pitch}");
        // Rows of 32 lanes of 4 bytes are one transaction each, on both sides.
        let lanes = trace.requests.iter().filter(|request| request.memory == AccessedMemory::Lanes);
        let lanes: Vec<AccessRequest> = lanes.map(|request| request.of_threads(0..SUBGROUP)).collect();
        assert_eq!(AccessCount::of(&lanes, TRANSACTION_BYTES), AccessCount { touched: 8, least: 8, distinct: 8 });
    }
}

#[test]
fn every_kernel_of_the_table_can_be_followed() {
    let shapes = [Shape::line(64), Shape { rows: 16, columns: 32 }];
    let mut seen = HashSet::new();
    for build in TRANSFORMS.iter().flat_map(|transform| transform.algorithms).filter_map(|algorithm| algorithm.plan_fn()) {
        for plan in shapes.into_iter().filter_map(|shape| build(shape, Parameters::default()).ok()) {
            let sections = Schedule::split_and_merge(&plan, SplitAndMerge { scheme: BlockScheme::RowColumn, ..SplitAndMerge::default() });
            for schedule in [crate::gpu::fastest(&plan, Limits::DESKTOP), sections] {
                for command in commands(&plan, &schedule, Limits::DESKTOP, KernelChoice::Fast).into_iter().flatten() {
                    if !seen.insert((command.kernel.file, command.kernel.ring)) {
                        continue;
                    }
                    let resources = ReadKernel::of(&command).ok().and_then(|kernel| kernel.resources());
                    assert!(resources.is_some_and(|found| found.named_numbers > 0), "{:?}", command.kernel.file);
                    let found = ReadKernel::of(&command).and_then(|kernel| kernel.trace_first(0, SUBGROUP, 8));
                    let found = found.unwrap_or_else(|error| panic!("{error}: {:?}\n{}", command.kernel.file, command.kernel.text()));
                    let stores = found.requests.iter().any(|request| request.is_write && request.memory == AccessedMemory::Lanes);
                    // A short line has no boundary to merge.
                    assert!(stores || command.kernel.family == "split-merge", "{:?}", command.kernel);
                }
            }
        }
    }
}

#[test]
fn a_thread_of_constant_geometry_reads_neighbours_and_writes_halves() {
    let plan = plan("walsh", "constant-geometry", Shape::line(8));
    let commands = commands(&plan, &Schedule::by_stage(&plan), Limits::DESKTOP, KernelChoice::Generic).unwrap();
    let kernel = ReadKernel::of(&commands[0]).unwrap();
    let trace = kernel.writer(7).unwrap();
    assert_eq!((trace.thread, trace.reads(), trace.writes()), (3, vec![6, 7], vec![3, 7]));
    let first = &trace.lines[0];
    assert_eq!((kernel.text.lines().nth(first.line).unwrap().trim(), &first.does), ("let t = id.x;", &LineWork::Index(3)));
    assert!(kernel.threads() >= 4 && kernel.text.contains(&format!("@workgroup_size({})", kernel.threads())));
}

#[test]
fn threads_read_and_write_what_the_butterflies_of_the_stage_do() {
    let (mut n_traced, mut n_stages) = (0, 0);
    for (row, n) in TRANSFORMS.iter().flat_map(|row| [16, 96].map(|n| (row, n))) {
        for build in row.algorithms.iter().filter_map(|algorithm| algorithm.plan_fn()) {
            let Ok(plan) = build(Shape::line(n), Parameters::default()) else { continue };
            for command in &commands(&plan, &Schedule::by_stage(&plan), Limits::DESKTOP, KernelChoice::Generic).unwrap() {
                if command.kernel.file != "stage.wgsl" {
                    continue;
                }
                n_stages += 1;
                let stage = &plan.stages[command.stages.start];
                let butterfly = stage.butterfly(stage.n_butterflies() / 2);
                let Some(trace) = ReadKernel::of(command).unwrap().writer(butterfly.writes[0]) else { continue };
                let reads: BTreeSet<usize> = trace.reads().into_iter().collect();
                // A thread may take neighbouring butterflies too.
                let expected: BTreeSet<usize> = stage.needs(butterfly.indices).collect();
                assert!(expected.is_subset(&reads), "{} '{}': {reads:?} without {expected:?}", row.name, stage.label);
                assert!(butterfly.writes.iter().all(|lane| trace.writes().contains(lane)), "{} '{}'", row.name, stage.label);
                n_traced += 1;
            }
        }
    }
    assert!(n_stages > 200 && 10 * n_traced > 8 * n_stages, "{n_traced} of {n_stages} kernels are followed");
}

#[test]
fn the_text_says_what_workgroups_and_threads_hold() {
    let of = |algorithm: &str| {
        let plan = plan("dft", algorithm, Shape::line(64));
        let commands = commands(&plan, &Schedule::by_stage(&plan), Limits::DESKTOP, KernelChoice::Generic).unwrap();
        ReadKernel::of(&commands[0]).unwrap().resources().unwrap()
    };
    let [two, eight] = ["stockham-2", "stockham-8"].map(of);
    assert_eq!([two.workgroup_bytes, eight.workgroup_bytes], [0, 0], "a stage needs no exchange");
    assert!(eight.named_numbers >= 16, "eight complex values are sixteen numbers: {eight:?}");
    assert!(two.named_numbers >= 4 && two.named_numbers < eight.named_numbers, "{two:?} {eight:?}");
    let stage = TranspositionStage { rows: 64, columns: 96 }.stage();
    let plan = Plan::new(Ring::Real, 64 * 96, vec![stage], ResultOrder::Natural);
    let commands = commands(&plan, &Schedule::by_stage(&plan), Limits::DESKTOP, KernelChoice::Fast).unwrap();
    let command = LaunchCommand { kernel: commands[0].kernel.with_pitch(33).unwrap(), ..commands[0].clone() };
    let found = ReadKernel::of(&command).unwrap().resources().unwrap();
    assert_eq!(found.workgroup_bytes, 32 * 33 * 4, "32 rows of 33 numbers");
    assert_eq!(found.threads, ReadKernel::of(&command).unwrap().threads());
}

/// Recursive doubling has no kernel of its own: those made for its stages move little beside what the stages read and write.
#[test]
fn recursive_doubling_moves_the_traffic_of_its_stages() {
    let plan = plan("tridiagonal", "recursive-doubling", Shape::line(2048));
    let commands = commands(&plan, &Schedule::by_stage(&plan), Limits::DESKTOP, KernelChoice::Fast).unwrap();
    let (mut all_moved, mut all_own) = (0, 0);
    for (stage, command) in plan.stages.iter().zip(&commands) {
        let kernel = ReadKernel::of(command).unwrap();
        let mut moved = 0;
        for group in 0..(command.groups[0] * command.groups[1]) as usize {
            let KernelTrace { threads, requests, .. } = kernel.trace(group, SUBGROUP).unwrap();
            for first in (0..threads).step_by(SUBGROUP) {
                let lanes = requests.iter().filter(|request| request.memory == AccessedMemory::Lanes);
                let of_subgroup: Vec<_> = lanes.map(|request| request.of_threads(first..first + SUBGROUP)).collect();
                moved += AccessCount::of(&of_subgroup, TRANSACTION_BYTES).touched as u64 * TRANSACTION_BYTES;
            }
        }
        let own = stage.bytes_moved(plan.ring.bytes_per_lane());
        // Where both taps are neighbours, the second one is read from the caches.
        assert!(moved as f64 <= 1.7 * own as f64, "{}: {moved} of {own} bytes", stage.label);
        (all_moved, all_own) = (all_moved + moved, all_own + own);
    }
    assert!(all_moved as f64 <= 1.1 * all_own as f64, "{all_moved} of {all_own} bytes");
}

//! Filter banks on the GPU in sections and in overlapped tiles equal the reference: lines, packets in both orders, both directions, any parameters.

use crate::common::{Grid, check, device};
use papillon::gpu::{KernelChoice, lower, overlapped};
use papillon::plan::{Direction, Plan};
use papillon::schedule::{Schedule, SectionMemory, SplitAndMerge, ThreadsPerSample};
use papillon::transforms::{Boundary, PacketOrder, Parameters, Shape, transform};

const DIRECTIONS: [Direction; 2] = [Direction::Forward, Direction::Inverse];

fn plan(name: &str, shape: Shape, levels: usize, packet_order: PacketOrder, direction: Direction) -> Option<Plan> {
    let transform = transform(name).unwrap();
    let parameters = Parameters { levels: Some(levels), packet_order, direction, ..Parameters::default() };
    transform.algorithm("filter-bank").unwrap().plan_fn().unwrap()(shape, transform.within_levels(shape, parameters)).ok()
}

const BOUNDARIES: [Boundary; 2] = [Boundary::Symmetric, Boundary::Periodic];

fn cdf97(name: &str, shape: Shape, levels: usize, boundary: Boundary, direction: Direction) -> Option<Plan> {
    let transform = transform(name).unwrap();
    let parameters = Parameters { levels: Some(levels), boundary, direction, ..Parameters::default() };
    transform.algorithm("filter-bank").unwrap().plan_fn().unwrap()(shape, transform.within_levels(shape, parameters)).ok()
}

/// Images by the filters of D4 and of the 9/7.
fn images(shape: Shape, levels: usize, direction: Direction) -> impl Iterator<Item = (String, Plan)> {
    let d4 = ("d4-2".to_owned(), plan("d4-2", shape, levels, PacketOrder::Natural, direction).unwrap());
    let cdf97 =
        BOUNDARIES.map(|boundary| (format!("cdf97-2, {boundary:?}"), cdf97("cdf97-2", shape, levels, boundary, direction).unwrap()));
    [d4].into_iter().chain(cdf97)
}

/// Filter banks and packets of some lengths, in both orders and directions.
fn plans() -> Vec<(String, Plan)> {
    let mut plans = Vec::new();
    for (rows, columns, levels) in
        [(1, 2, 1), (1, 6, 1), (3, 8, 3), (2, 40, 3), (1, 512, 9), (3, 1000, 3), (1, 1024, 5), (2, 3072, 10), (1, 9 << 10, 6)]
    {
        for (name, order) in [("d4", PacketOrder::Natural), ("d4-packet", PacketOrder::Natural), ("d4-packet", PacketOrder::Frequency)] {
            for direction in DIRECTIONS {
                let what = format!("{name} {rows}×{columns}, {levels} levels, {order:?}, {direction:?}");
                plans.extend(plan(name, Shape { rows, columns }, levels, order, direction).map(|plan| (what, plan)));
            }
        }
        for (boundary, direction) in BOUNDARIES.into_iter().flat_map(|boundary| DIRECTIONS.map(|direction| (boundary, direction))) {
            let what = format!("cdf97 {rows}×{columns}, {levels} levels, {boundary:?}, {direction:?}");
            plans.extend(cdf97("cdf97", Shape { rows, columns }, levels, boundary, direction).map(|plan| (what, plan)));
        }
    }
    plans
}

#[test]
fn columns_by_filter_banks_in_sections_equal_the_reference() {
    let mut grid = Grid::new();
    let sizes = [(64, 20, 3), (96, 33, 2), (512, 5, 5)];
    for ((rows, width, levels), direction) in sizes.into_iter().flat_map(|size| DIRECTIONS.map(|direction| (size, direction))) {
        let plan = plan("d4", Shape::line(rows), levels, PacketOrder::Natural, direction).unwrap().down_columns(width).unwrap();
        for (levels, width, merge) in [(1, 0, SectionMemory::Global), (2, 2, SectionMemory::Workgroup), (3, 0, SectionMemory::Workgroup)] {
            let schedule = Schedule::split_and_merge(&plan, SplitAndMerge { levels, width, merge, ..SplitAndMerge::default() });
            assert_eq!(schedule.check(&plan), Ok(()));
            check(&mut grid, &format!("{rows} × {width}, {levels} levels a launch, {direction:?}"), &plan, &schedule);
        }
    }
}

/// Whether launches that take several stages, or a part of them, run in the kernel of filter banks.
fn check_kernels(what: &str, plan: &Plan, schedule: &Schedule) {
    let lowered = lower::lower(plan, schedule, device().limits(), KernelChoice::Fast).unwrap();
    for (launch, command) in schedule.launches.iter().zip(&lowered.commands) {
        let in_tiles = !matches!(launch.tile, papillon::schedule::Tile::Each);
        assert_eq!(command.kernel.family == "filter bank", in_tiles, "{what}: {launch:?}");
    }
}

#[test]
fn filter_banks_in_sections_equal_the_reference() {
    let mut grid = Grid::new();
    for (number, (what, plan)) in plans().into_iter().enumerate() {
        let hows = [
            (1, SectionMemory::Workgroup, ThreadsPerSample::One, 0, 64),
            (1, SectionMemory::Global, ThreadsPerSample::Half, 0, 16),
            (2, SectionMemory::Workgroup, ThreadsPerSample::Half, 16, 64),
            (2, SectionMemory::Global, ThreadsPerSample::One, 0, 256),
            (3, SectionMemory::Global, ThreadsPerSample::Half, 6, 32),
            (4, SectionMemory::Workgroup, ThreadsPerSample::One, 8, 128),
            (4, SectionMemory::Workgroup, ThreadsPerSample::Half, 0, 256),
        ];
        // Compiling takes nearly all the time, so that neighbours share the sections between them.
        for (levels, merge, threads, width, block) in hows.into_iter().cycle().skip(2 * number % 7).take(2) {
            let how = SplitAndMerge { levels, merge, threads, width, block, ..SplitAndMerge::default() };
            let schedule = Schedule::split_and_merge(&plan, how);
            let what = format!("{what}, {how:?}");
            check_kernels(&what, &plan, &schedule);
            check(&mut grid, &what, &plan, &schedule);
        }
    }
}

#[test]
fn levels_that_cannot_be_split_are_launches_of_their_own() {
    let mut grid = Grid::new();
    // Merge sections grow until they touch and a tile holds a whole signal.
    for (what, plan) in plans() {
        let how = SplitAndMerge { levels: 2, width: 15, block: 8, ..SplitAndMerge::default() };
        check(&mut grid, &what, &plan, &Schedule::split_and_merge(&plan, how));
    }
}

#[test]
fn filter_banks_in_overlapped_tiles_equal_the_reference() {
    let mut grid = Grid::new();
    for (what, plan) in plans() {
        for levels in [None, Some(1), Some(2), Some(5)] {
            let schedule = overlapped(&plan, levels, device().limits()).unwrap_or_else(|| panic!("{what} is not served"));
            check_kernels(&what, &plan, &schedule);
            check(&mut grid, &format!("{what}, {levels:?} levels a launch"), &plan, &schedule);
        }
    }
}

#[test]
fn images_by_filter_banks_in_sections_equal_the_reference() {
    let mut grid = Grid::new();
    let sizes = [(2, 2, 1), (64, 96, 3), (8, 600, 3), (40, 24, 2), (1, 256, 4), (256, 1, 4)];
    let mut number = 0;
    for ((rows, columns, levels), direction) in sizes.into_iter().flat_map(|size| DIRECTIONS.map(|direction| (size, direction))) {
        let ways = [(0, 64, ThreadsPerSample::Half), (2, 64, ThreadsPerSample::One), (0, 256, ThreadsPerSample::Half)];
        // Compiling takes nearly all the time, so that neighbours share the ways between them.
        for (name, plan) in images(Shape { rows, columns }, levels, direction) {
            let (width, block, threads) = ways[(number + number / 3) % 3];
            number += 1;
            let schedule = Schedule::split_and_merge(&plan, SplitAndMerge { levels: 2, width, block, threads, ..SplitAndMerge::default() });
            assert_eq!(schedule.check(&plan), Ok(()));
            // Scratch lanes hold the values that the next launch reads.
            let lowered = lower::lower(&plan, &schedule, device().limits(), KernelChoice::Fast).unwrap();
            let in_sections = schedule.launches.iter().all(|launch| launch.section().is_some());
            let what = format!("{name}, {rows}×{columns}, {levels} levels, W={width}, {block} {threads:?}, {direction:?}");
            assert!(!in_sections || lowered.commands.iter().all(|command| command.copied_lanes() == 0), "lanes are copied: {what}");
            check(&mut grid, &what, &plan, &schedule);
        }
    }
}

#[test]
fn images_by_filter_banks_in_overlapped_tiles_equal_the_reference() {
    let mut grid = Grid::new();
    let sizes = [(2, 2, 1), (64, 96, 3), (8, 600, 3), (40, 24, 3), (130, 70, 1), (256, 64, 6), (512, 512, 4)];
    for ((rows, columns, levels), direction) in sizes.into_iter().flat_map(|size| DIRECTIONS.map(|direction| (size, direction))) {
        for (name, plan) in images(Shape { rows, columns }, levels, direction) {
            let what = format!("{name}, {rows}×{columns}, {levels} levels, {direction:?}");
            let schedule = overlapped(&plan, None, device().limits()).unwrap_or_else(|| panic!("{what} is not served"));
            let lowered = lower::lower(&plan, &schedule, device().limits(), KernelChoice::Fast).unwrap();
            assert_eq!(lowered.commands.len(), levels, "a launch a level");
            assert!(
                lowered.commands.iter().all(|command| command.kernel.family == "filter bank image" && command.copied_lanes() == 0),
                "{what}"
            );
            check(&mut grid, &what, &plan, &schedule);
        }
    }
    // Where a row has one sample left, levels are no longer along both axes.
    let narrow = plan("d4-2", Shape { rows: 64, columns: 4 }, 4, PacketOrder::Natural, Direction::Forward).unwrap();
    assert_eq!(overlapped(&narrow, None, device().limits()), None);
}

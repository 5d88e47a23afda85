//! Lifting in sections on the GPU equals the reference with the smallest legal tiles, and the sections of such schedules are legal.
//!
//! Without an adapter these tests fail, and say what to install.

use crate::common::{Grid, check};
use papillon::plan::{Direction, Plan};
use papillon::schedule::{BlockScheme, Schedule, SectionKind, SectionMemory, SplitAndMerge, ThreadsPerSample};
use papillon::transforms::{Boundary, Parameters, Shape, transform};

const BOUNDARIES: [Boundary; 2] = [Boundary::Symmetric, Boundary::Periodic];

/// Every lifting scheme for signals or images, forward and inverse, with every boundary extension that it takes.
fn plans(names: [&str; 3], shape: Shape, levels: usize) -> Vec<(String, Plan)> {
    let mut plans = Vec::new();
    for (name, algorithm, boundaries) in
        [(names[0], "direct", &BOUNDARIES[..]), (names[1], "lifting", &[Boundary::Periodic]), (names[2], "direct", &BOUNDARIES)]
    {
        for &boundary in boundaries {
            for direction in [Direction::Forward, Direction::Inverse] {
                let transform = transform(name).unwrap();
                let parameters = Parameters { levels: Some(levels), boundary, direction, ..Parameters::default() };
                let build = transform.algorithm(algorithm).unwrap().plan_fn().unwrap();
                let Ok(plan) = build(shape, transform.within_levels(shape, parameters)) else { continue };
                plans.push((format!("{name} {shape:?}, {levels} levels, {boundary:?}, {direction:?}"), plan));
            }
        }
    }
    plans
}

/// Checks that the sections are legal and that the GPU computes what the plan says.
fn check_sections(grid: &mut Grid, what: &str, plan: &Plan, how: SplitAndMerge) {
    let schedule = Schedule::split_and_merge(plan, how);
    let what = format!("{what}, {how:?}");
    assert_eq!(schedule.check(plan), Ok(()), "{what}");
    check(grid, &what, plan, &schedule);
}

#[test]
fn squares_with_borders_close_to_one_another_equal_the_reference() {
    let mut grid = Grid::new();
    for (rows, columns, levels) in [(64, 96, 3), (48, 80, 4)] {
        for (what, plan) in plans(["cdf97-2", "d4-2", "d2-2"], Shape { rows, columns }, levels) {
            for (block, width, threads) in
                [(32, 2, ThreadsPerSample::Half), (64, 2, ThreadsPerSample::One), (32, 0, ThreadsPerSample::Half)]
            {
                let how = SplitAndMerge { levels: 1, width, merge: SectionMemory::Workgroup, threads, block, scheme: BlockScheme::Square };
                check_sections(&mut grid, &what, &plan, how);
            }
        }
    }
}

#[test]
fn lines_with_borders_close_to_one_another_equal_the_reference() {
    let mut grid = Grid::new();
    for (columns, levels) in [(96, 3), (192, 5), (101, 4)] {
        for (what, plan) in plans(["cdf97", "d4", "d2"], Shape { rows: 2, columns }, levels) {
            for (levels, block, width, threads) in [
                (1, 4, 2, ThreadsPerSample::Half),
                (1, 16, 6, ThreadsPerSample::One),
                (2, 8, 2, ThreadsPerSample::Half),
                (3, 16, 4, ThreadsPerSample::Half),
            ] {
                check_sections(&mut grid, &what, &plan, SplitAndMerge { levels, width, threads, block, ..SplitAndMerge::default() });
            }
        }
    }
}

#[test]
fn the_levels_that_are_asked_for_share_a_split_and_a_merge_both_ways() {
    let mut grid = Grid::new();
    for (what, plan) in plans(["cdf97", "d4", "d2"], Shape { rows: 1, columns: 4096 }, 6) {
        for (levels, block, width, merge) in [
            (1, 64, 0, SectionMemory::Workgroup),
            (2, 64, 6, SectionMemory::Global),
            (3, 128, 22, SectionMemory::Workgroup),
            (6, 256, 4, SectionMemory::Global),
        ] {
            let how = SplitAndMerge { levels, block, width, merge, ..SplitAndMerge::default() };
            let sections = Schedule::split_and_merge(&plan, how).launches.into_iter().filter(|launch| launch.section().is_some());
            // The last levels of a line are shorter than a tile, and have nothing to merge.
            let splits = sections.filter(|launch| launch.section() == Some(SectionKind::Split)).count();
            assert_eq!(splits, 6 / levels, "{what}, {how:?}");
            check_sections(&mut grid, &what, &plan, how);
        }
    }
}

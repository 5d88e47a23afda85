//! Lifting in sections on the GPU equals the reference where borders stand as close as they may, and the sections of such schedules are legal.
//!
//! Without an adapter these tests fail, and say what to install.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says where")]

mod common;

use common::check;
use papillon::plan::{Direction, Plan};
use papillon::schedule::{Memory, Schedule, Scheme, SplitAndMerge, Threads};
use papillon::transforms::{Boundary, Parameters, Shape, transform};

/// Every lifting scheme of lines or of pictures, forward and back, with every border that it takes.
fn plans(names: [&str; 2], shape: Shape, levels: usize) -> Vec<(String, Plan)> {
    let mut plans = Vec::new();
    for (name, algorithm, boundaries) in
        [(names[0], "direct", &[Boundary::Symmetric, Boundary::Periodic][..]), (names[1], "lifting", &[Boundary::Periodic])]
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
fn check_sections(what: &str, plan: &Plan, how: SplitAndMerge) {
    let schedule = Schedule::split_and_merge(plan, how);
    let what = format!("{what}, {how:?}");
    assert_eq!(schedule.check(plan), Ok(()), "{what}");
    check(&what, plan, &schedule);
}

#[test]
fn squares_with_borders_close_to_one_another_equal_the_reference() {
    for (rows, columns, levels) in [(64, 96, 3), (48, 80, 4)] {
        for (what, plan) in plans(["cdf97-2", "d4-2"], Shape { rows, columns }, levels) {
            for (block, width, threads) in [(32, 2, Threads::Half), (64, 2, Threads::One), (32, 0, Threads::Half)] {
                let how = SplitAndMerge { levels: 1, width, merge: Memory::Workgroup, threads, block, scheme: Scheme::Square };
                check_sections(&what, &plan, how);
            }
        }
    }
}

#[test]
fn lines_with_borders_close_to_one_another_equal_the_reference() {
    for (columns, levels) in [(96, 3), (192, 5)] {
        for (what, plan) in plans(["cdf97", "d4"], Shape { rows: 2, columns }, levels) {
            for (levels, block, width, threads) in
                [(1, 4, 2, Threads::Half), (1, 16, 6, Threads::One), (2, 8, 2, Threads::Half), (3, 16, 4, Threads::Half)]
            {
                check_sections(&what, &plan, SplitAndMerge { levels, width, threads, block, ..SplitAndMerge::default() });
            }
        }
    }
}

//! Split and merge, and overlapped tiles, of filter banks, which are not in place: the numbers of the paper, the closed form, schedules that are legal, and the same results.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use papillon::plan::Plan;
use papillon::schedule::{FilterRun, Grid, Group, Illegal, Memory, Owner, Schedule, Section, SplitAndMerge, Threads, Tile, sections};
use papillon::transforms::{PacketOrder, Parameters, Shape, transform};

fn plan(name: &str, rows: usize, columns: usize, levels: usize, packet_order: PacketOrder) -> Option<Plan> {
    let transform = transform(name).unwrap();
    let shape = Shape { rows, columns };
    let parameters = transform.within_levels(shape, Parameters { levels: Some(levels), packet_order, ..Parameters::default() });
    transform.algorithm("filter-bank").unwrap().plan_fn().unwrap()(shape, parameters).ok()
}

fn bank(n: usize, levels: usize) -> Plan {
    plan("d4", 1, n, levels, PacketOrder::Natural).unwrap()
}

fn packets(n: usize, levels: usize, order: PacketOrder) -> Plan {
    plan("d4-packet", 1, n, levels, order).unwrap()
}

/// The butterflies of each stage that one border leaves to its merge.
fn merged_at_a_border(plan: &Plan, n_stages: usize, grid: Grid) -> Vec<usize> {
    let found = sections(plan, 0..n_stages, grid);
    let n = found.n_borders();
    assert_eq!(n, plan.lanes / grid.columns, "the line is a circle");
    found.merged().into_iter().map(|merged| merged / n).collect()
}

#[test]
fn a_border_of_a_filter_bank_merges_one_butterfly_and_then_two() {
    // Figure 5: three levels of D4.
    assert_eq!(merged_at_a_border(&bank(256, 5), 5, Grid::line(256, 64)), [1, 2, 2, 2, 2]);
    // Figure 7: of packets as many in every block.
    assert_eq!(merged_at_a_border(&packets(256, 4, PacketOrder::Natural), 4, Grid::line(256, 64)), [1, 4, 8, 16]);
    // In the order of frequencies, what was halved last changes places in every second block.
    assert_eq!(merged_at_a_border(&packets(256, 3, PacketOrder::Frequency), 5, Grid::line(256, 64)), [1, 4, 2, 8, 4]);
}

#[test]
fn a_width_moves_butterflies_from_split_to_merge() {
    let merged = |width: usize| merged_at_a_border(&bank(512, 3), 3, Grid { margin: [0, width / 2], ..Grid::line(512, 128) });
    assert_eq!([merged(0), merged(16), merged(32)], [[1, 2, 2], [9, 6, 4], [17, 10, 6]]);
}

/// Some ways to split and merge that leave some tiles of short lines.
fn ways() -> impl Iterator<Item = SplitAndMerge> {
    let ways =
        [(1, 8, 0, Threads::One), (2, 8, 0, Threads::Half), (2, 32, 8, Threads::One), (3, 16, 4, Threads::Half), (9, 16, 2, Threads::Half)];
    ways.into_iter().map(|(levels, block, width, threads)| SplitAndMerge { levels, block, width, threads, ..SplitAndMerge::default() })
}

/// Filter banks and packets of many lengths, in both orders.
fn plans() -> Vec<(String, Plan)> {
    let mut plans = Vec::new();
    for (rows, n) in [
        (1, 1),
        (1, 2),
        (2, 4),
        (1, 6),
        (3, 8),
        (1, 16),
        (2, 24),
        (1, 40),
        (1, 64),
        (3, 72),
        (1, 96),
        (1, 128),
        (2, 200),
        (1, 256),
        (1, 1000),
    ] {
        for levels in 1..9 {
            for (name, order) in [("d4", PacketOrder::Natural), ("d4-packet", PacketOrder::Natural), ("d4-packet", PacketOrder::Frequency)]
            {
                let what = format!("{name} {rows}×{n}, {levels} levels, {order:?}");
                plans.extend(plan(name, rows, n, levels, order).map(|plan| (what, plan)));
            }
        }
    }
    plans
}

#[test]
fn schedules_of_sections_are_legal_and_their_closed_form_is_what_is_derived() {
    let mut n_merges = 0;
    for (what, plan) in plans() {
        for how in ways() {
            let schedule = Schedule::split_and_merge(&plan, how);
            assert_eq!(schedule.check(&plan), Ok(()), "{what} {how:?}: {schedule:?}");
            for launch in schedule.launches.iter().filter(|launch| launch.section() == Some(Section::Merge)) {
                let Tile::Section { grid, .. } = launch.tile else { continue };
                let run = FilterRun::of(&plan, launch.stages.clone()).unwrap();
                let derived = sections(&plan, launch.stages.clone(), grid);
                compare(&format!("{what} {how:?}"), &run, grid, &derived.owners);
                n_merges += 1;
                // What is kept is in the windows, but for what merges make themselves.
                let (margin, borders) = (run.margin(grid), run.borders(run.margin(grid)));
                let made =
                    (1..run.levels.len()).map(|level| run.blocks(level) * (borders[level].after - borders[level].before - 1) as usize);
                let of_border = run.kept(margin) - made.sum::<usize>();
                let n_borders = run.border_lanes(grid) / run.kept(margin);
                let is_moved = run.levels.iter().any(|level| level.exchanges);
                assert!(is_moved || derived.kept.len() <= n_borders * of_border, "{what} {how:?}: {} values are kept", derived.kept.len());
            }
        }
    }
    assert!(n_merges > 200, "only {n_merges} merges");
}

/// The closed form says of every butterfly that halves whether it is a merge's.
fn compare(what: &str, run: &FilterRun, grid: Grid, owners: &[Vec<Owner>]) {
    let tile = run.tile(grid) as i64;
    for (index, (level, border)) in run.levels.iter().zip(&run.borders(run.margin(grid))[1..]).enumerate() {
        let n = run.finest().samples as i64;
        for (butterfly, owner) in owners[level.stages.start - run.stages().start].iter().enumerate() {
            let p = (butterfly % (level.step.samples / 2)) as i64;
            let ends = (1..=(n + tile - 1) / tile).map(|k| (k * tile).min(n) >> (index + 1));
            let is_merged = ends.chain([0]).any(|at| (border.before + 1..border.after).contains(&(p - at)));
            assert_eq!(owner.section() == Section::Merge, is_merged, "{what}, level {index} of the run, butterfly {butterfly}");
        }
    }
}

#[test]
fn a_cpu_runs_the_sections_of_filter_banks_as_they_are_derived() {
    let go = std::sync::atomic::AtomicBool::new(false);
    for (what, plan) in plans() {
        let input: Vec<f64> = (0..plan.inputs).map(|i| ((i * 37) % 64) as f64 - 31.0).collect();
        for how in ways() {
            let run = |schedule: &Schedule| papillon::cpu::run(&plan, schedule, &input, papillon::cpu::Way::Parallel, &go).unwrap().0;
            assert_eq!(run(&Schedule::split_and_merge(&plan, how)), run(&Schedule::by_stage(&plan)), "{what} {how:?}");
        }
    }
}

#[test]
fn missing_merges_and_short_halos_are_found() {
    for plan in [bank(256, 4), packets(256, 4, PacketOrder::Frequency)] {
        let how = SplitAndMerge { levels: 2, block: 16, merge: Memory::Global, ..SplitAndMerge::default() };
        let mut schedule = Schedule::split_and_merge(&plan, how);
        assert_eq!(schedule.launches[1].section(), Some(Section::Merge));
        schedule.launches.remove(1);
        assert!(matches!(schedule.check(&plan), Err(Illegal::Overwritten { launch: 0, .. })));
        for levels in 1..4 {
            let mut schedule = Schedule::overlapped(&plan, |_| Group { levels, tile: [1, 32] }).unwrap();
            assert_eq!(schedule.check(&plan), Ok(()));
            assert_eq!(schedule.launches.len(), 4_usize.div_ceil(levels));
            let Tile::Overlapped { halo, .. } = &mut schedule.launches[0].tile else { panic!("{schedule:?}") };
            halo[1] -= 1;
            assert!(matches!(schedule.check(&plan), Err(Illegal::Leaves { launch: 0, .. })), "the halo is too short");
        }
    }
}

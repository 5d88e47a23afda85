//! Split and merge, and overlapped tiles, of filter banks, which are not in place: the numbers of the paper, the closed form, schedules that are legal, and the same results.

use papillon::plan::{Direction, Extension, Plan};
use papillon::schedule::{
    ButterflyOwner, FilterRun, IllegalSchedule, LevelGroup, Schedule, SectionKind, SectionMemory, SectionRun, SplitAndMerge,
    ThreadsPerSample, Tile, TileGrid, section_runs, sections,
};
use papillon::transforms::{Boundary, PacketOrder, Parameters, Shape, transform};

fn plan(name: &str, shape: Shape, levels: usize, packet_order: PacketOrder, direction: Direction) -> Option<Plan> {
    let transform = transform(name).unwrap();
    let parameters = Parameters { levels: Some(levels), packet_order, direction, ..Parameters::default() };
    transform.algorithm("filter-bank").unwrap().plan_fn().unwrap()(shape, transform.within_levels(shape, parameters)).ok()
}

fn cdf97(name: &str, shape: Shape, levels: usize, boundary: Boundary, direction: Direction) -> Option<Plan> {
    let transform = transform(name).unwrap();
    let parameters = Parameters { levels: Some(levels), boundary, direction, ..Parameters::default() };
    transform.algorithm("filter-bank").unwrap().plan_fn().unwrap()(shape, transform.within_levels(shape, parameters)).ok()
}

fn bank(n: usize, levels: usize, direction: Direction) -> Plan {
    plan("d4", Shape::line(n), levels, PacketOrder::Natural, direction).unwrap()
}

fn packets(n: usize, levels: usize, order: PacketOrder, direction: Direction) -> Plan {
    plan("d4-packet", Shape::line(n), levels, order, direction).unwrap()
}

/// The butterflies of each stage that one boundary leaves to its merge.
fn merged_at_a_border(plan: &Plan, n_stages: usize, grid: TileGrid) -> Vec<usize> {
    let found = sections(plan, 0..n_stages, grid);
    let n = found.n_boundaries();
    assert_eq!(n, plan.lanes / grid.columns, "the line is a circle");
    found.merged().into_iter().map(|merged| merged / n).collect()
}

#[test]
fn a_border_of_a_filter_bank_merges_one_butterfly_and_then_two() {
    // Figure 5: three levels of D4.
    assert_eq!(merged_at_a_border(&bank(256, 5, Direction::Forward), 5, TileGrid::line(256, 64)), [1, 2, 2, 2, 2]);
    // Figure 7: for packets the same number in every block.
    assert_eq!(merged_at_a_border(&packets(256, 4, PacketOrder::Natural, Direction::Forward), 4, TileGrid::line(256, 64)), [1, 4, 8, 16]);
    // In the order of frequencies, what was halved last changes places in every second block.
    let packets = packets(256, 3, PacketOrder::Frequency, Direction::Forward);
    assert_eq!(merged_at_a_border(&packets, 5, TileGrid::line(256, 64)), [1, 4, 2, 8, 4]);
}

#[test]
fn on_the_way_back_a_border_doubles_from_level_to_level() {
    // Each level has a stage that joins halves, and a stage that makes samples from them.
    assert_eq!(merged_at_a_border(&bank(256, 4, Direction::Inverse), 8, TileGrid::line(256, 64)), [0, 1, 2, 3, 6, 7, 14, 15]);
    let natural = packets(256, 3, PacketOrder::Natural, Direction::Inverse);
    assert_eq!(merged_at_a_border(&natural, 6, TileGrid::line(256, 64)), [0, 4, 4, 6, 6, 7]);
    // In the order of frequencies, halves of every second block change places before.
    let frequency = packets(256, 3, PacketOrder::Frequency, Direction::Inverse);
    assert_eq!(merged_at_a_border(&frequency, 8, TileGrid::line(256, 64)), [0, 0, 4, 2, 4, 6, 6, 7]);
}

#[test]
fn the_longer_filters_of_the_97_merge_more_at_inner_borders_alone() {
    let merged = |direction: Direction, n_stages: usize| {
        let plan = cdf97("cdf97", Shape::line(256), 3, Boundary::Symmetric, direction).unwrap();
        let found = sections(&plan, 0..n_stages, TileGrid::line(256, 64));
        assert_eq!(found.n_boundaries(), 3, "the ends of the line are no borders");
        found.merged().into_iter().map(|merged| merged / 3).collect::<Vec<_>>()
    };
    // Butterfly p reads samples 2p − 4 to 2p + 4: two butterflies behind a border and two before it, then those that need their results too.
    assert_eq!(merged(Direction::Forward, 3), [4, 6, 7]);
    // Back, butterfly p reads values 2p − 3 to 2p + 5.
    assert_eq!(merged(Direction::Inverse, 6), [0, 4, 8, 12, 24, 28]);
}

#[test]
fn a_width_moves_butterflies_from_split_to_merge() {
    let merged = |direction: Direction, n_stages: usize, width: usize| {
        merged_at_a_border(&bank(512, 3, direction), n_stages, TileGrid { margin: [0, width / 2], ..TileGrid::line(512, 128) })
    };
    assert_eq!([0, 16, 32].map(|width| merged(Direction::Forward, 3, width)), [[1, 2, 2], [9, 6, 4], [17, 10, 6]]);
    assert_eq!([0, 16].map(|width| merged(Direction::Inverse, 6, width)), [[0, 1, 2, 3, 6, 7], [2, 3, 6, 7, 14, 15]]);
}

/// Some ways to split and merge that leave some tiles of short lines.
fn ways() -> impl Iterator<Item = SplitAndMerge> {
    let ways = [
        (1, 8, 0, ThreadsPerSample::One),
        (2, 8, 0, ThreadsPerSample::Half),
        (2, 32, 8, ThreadsPerSample::One),
        (3, 16, 4, ThreadsPerSample::Half),
        (9, 16, 2, ThreadsPerSample::Half),
    ];
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
        let orders = [("d4", PacketOrder::Natural), ("d4-packet", PacketOrder::Natural), ("d4-packet", PacketOrder::Frequency)];
        for (levels, direction) in (1..9).flat_map(|levels| [Direction::Forward, Direction::Inverse].map(|direction| (levels, direction))) {
            for (name, order) in orders {
                let what = format!("{name} {rows}×{n}, {levels} levels, {order:?}, {direction:?}");
                plans.extend(plan(name, Shape { rows, columns: n }, levels, order, direction).map(|plan| (what, plan)));
            }
            for boundary in [Boundary::Symmetric, Boundary::Periodic] {
                let what = format!("cdf97 {rows}×{n}, {levels} levels, {boundary:?}, {direction:?}");
                plans.extend(cdf97("cdf97", Shape { rows, columns: n }, levels, boundary, direction).map(|plan| (what, plan)));
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
            for launch in schedule.launches.iter().filter(|launch| launch.section() == Some(SectionKind::Merge)) {
                let Tile::Section { grid, .. } = launch.tile else { continue };
                let run = FilterRun::of(&plan, launch.stages.clone()).unwrap();
                let derived = sections(&plan, launch.stages.clone(), grid);
                compare(&format!("{what} {how:?}"), &run, grid, &derived.owners);
                n_merges += 1;
                // The windows hold all kept values except those that merges compute.
                let (margin, borders) = (run.margin(grid), run.boundaries(run.margin(grid)));
                let merged = |level: usize| run.blocks(level) * (borders[level].after - borders[level].before - 1) as usize;
                // The next level takes one result of a butterfly if it takes low-pass values alone; the inverse always takes both.
                let taken = if run.direction() == Direction::Forward && !run.is_tree { 1 } else { 2 };
                let inner = if run.direction() == Direction::Forward { 0..run.levels.len() - 1 } else { 1..run.levels.len() };
                let made = inner.map(|level| taken * merged(level));
                let of_border = run.kept(margin) - made.sum::<usize>();
                let n_boundaries = run.boundary_lanes(grid) / run.kept(margin);
                let is_moved = run.levels.iter().any(|level| level.exchanges);
                assert!(
                    is_moved || derived.kept.len() <= n_boundaries * of_border,
                    "{what} {how:?}: {} values are kept",
                    derived.kept.len()
                );
            }
        }
    }
    assert!(n_merges > 200, "only {n_merges} merges");
}

/// The closed form says of every butterfly that halves whether it is a merge's.
fn compare(what: &str, run: &FilterRun, grid: TileGrid, owners: &[Vec<ButterflyOwner>]) {
    let tile = run.tile(grid) as i64;
    for (index, (level, border)) in run.levels.iter().zip(&run.boundaries(run.margin(grid))).enumerate() {
        let n = run.finest().samples as i64;
        for (butterfly, owner) in owners[level.stage() - run.stages().start].iter().enumerate() {
            let p = (butterfly % (level.step.samples / 2)) as i64;
            // A symmetric line has no border at its ends.
            let is_end = |at: i64| (at == 0 || at == n) && run.finest().extension == Extension::Symmetric;
            let ends = (0..=(n + tile - 1) / tile).map(|k| (k * tile).min(n)).filter(|&at| !is_end(at)).map(|at| at >> (index + 1));
            let is_merged = ends.clone().any(|at| (border.before + 1..border.after).contains(&(p - at)));
            assert_eq!(owner.section() == SectionKind::Merge, is_merged, "{what}, level {index} of the run, butterfly {butterfly}");
        }
    }
}

#[test]
fn a_cpu_runs_the_sections_of_filter_banks_as_they_are_derived() {
    let go = std::sync::atomic::AtomicBool::new(false);
    for (what, plan) in plans() {
        let input: Vec<f64> = (0..plan.inputs).map(|i| ((i * 37) % 64) as f64 - 31.0).collect();
        for how in ways() {
            let run =
                |schedule: &Schedule| papillon::cpu::run(&plan, schedule, &input, papillon::cpu::CpuBackend::Parallel, &go).unwrap().0;
            assert_eq!(run(&Schedule::split_and_merge(&plan, how)), run(&Schedule::by_stage(&plan)), "{what} {how:?}");
        }
    }
}

#[test]
fn missing_merges_and_short_halos_are_found() {
    for direction in [Direction::Forward, Direction::Inverse] {
        for plan in [bank(256, 4, direction), packets(256, 4, PacketOrder::Frequency, direction)] {
            let how = SplitAndMerge { levels: 2, block: 16, merge: SectionMemory::Global, ..SplitAndMerge::default() };
            let mut schedule = Schedule::split_and_merge(&plan, how);
            let merge = schedule.launches.iter().position(|launch| launch.section() == Some(SectionKind::Merge)).unwrap();
            schedule.launches.remove(merge);
            assert!(matches!(schedule.check(&plan), Err(IllegalSchedule::Overwritten { launch, .. }) if launch + 1 == merge));
            for levels in 1..4 {
                let mut schedule = Schedule::overlapped(&plan, |_| LevelGroup { levels, tile: [1, 32] }).unwrap();
                assert_eq!(schedule.check(&plan), Ok(()));
                assert_eq!(schedule.launches.len(), 4_usize.div_ceil(levels));
                // Where little is left, tiles are whole lines and reach into nothing.
                let launch = if direction == Direction::Forward { 0 } else { schedule.launches.len() - 1 };
                let Tile::Overlapped { halo, .. } = &mut schedule.launches[launch].tile else { panic!("{schedule:?}") };
                halo[1] -= 1;
                let short = schedule.check(&plan);
                assert!(
                    matches!(short, Err(IllegalSchedule::Leaves { launch: found, .. }) if found == launch),
                    "the halo is too short: {short:?}"
                );
            }
        }
    }
}

#[test]
fn overlapped_tiles_of_images_are_legal_and_no_halo_is_longer_than_needed() {
    for (rows, columns, levels) in [(8, 8, 1), (16, 40, 2), (32, 24, 3)] {
        for direction in [Direction::Forward, Direction::Inverse] {
            let shape = Shape { rows, columns };
            let d4 = plan("d4-2", shape, levels, PacketOrder::Natural, direction);
            // The halo of the longer filters goes all round an image of 8 rows.
            let cdf97 = cdf97("cdf97-2", shape, levels, Boundary::Periodic, direction).filter(|_| rows > 8);
            for plan in d4.into_iter().chain(cdf97) {
                let schedule = Schedule::overlapped(&plan, |_| LevelGroup { levels: 1, tile: [4, 4] }).unwrap();
                assert_eq!((schedule.check(&plan), schedule.launches.len()), (Ok(()), levels), "{rows}×{columns} {direction:?}");
                for axis in 0..2 {
                    let mut short = schedule.clone();
                    let finest = if direction == Direction::Forward { 0 } else { levels - 1 };
                    let Tile::Overlapped { halo, .. } = &mut short.launches[finest].tile else { panic!("{schedule:?}") };
                    halo[axis] -= 1;
                    assert!(
                        matches!(short.check(&plan), Err(IllegalSchedule::Leaves { launch, .. }) if launch == finest),
                        "{rows}×{columns} {direction:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn runs_back_are_shown_in_the_order_in_which_they_run() {
    let plan = bank(256, 4, Direction::Inverse);
    let schedule = Schedule::split_and_merge(&plan, SplitAndMerge { levels: 2, block: 16, ..SplitAndMerge::default() });
    let steps = |run: &SectionRun| (0..run.steps.len()).map(|step| (run.steps[step].stage, run.merged(step))).collect::<Vec<_>>();
    let found: Vec<_> = section_runs(&plan, &schedule).iter().map(|run| (run.samples, run.split, run.merge, steps(run))).collect();
    // Take the stage of each level that makes samples; the coarser levels come first.
    assert_eq!(found, [(64, 0, Some(1), vec![(1, 1), (3, 3)]), (256, 2, Some(3), vec![(5, 1), (7, 3)])]);
}

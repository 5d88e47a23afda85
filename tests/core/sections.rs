//! Split and merge sections, derived from plans: the numbers of the papers, the closed form for lifting steps, and schedules that are legal.

use papillon::gpu::{Limits, overlapped};
use papillon::plan::{Direction, Plan, Precision, Stage};
use papillon::schedule::{
    BlockScheme, IllegalSchedule, LevelGroup, Schedule, SectionKind, SectionMemory, SplitAndMerge, ThreadsPerSample, Tile, TileGrid,
    levels, section_boundaries, section_runs, sections,
};
use papillon::transforms::{Boundary, Parameters, Shape, transform};

const BOUNDARIES: [Boundary; 2] = [Boundary::Symmetric, Boundary::Periodic];

fn cdf97(shape: Shape, levels: usize, boundary: Boundary, direction: Direction) -> Plan {
    let parameters = Parameters { levels: Some(levels), boundary, direction, ..Parameters::default() };
    let transform = transform("cdf97").unwrap();
    (transform.algorithm("direct").unwrap().plan_fn().unwrap())(shape, transform.within_levels(shape, parameters)).unwrap()
}

/// A line by lifting.
fn line(name: &str, n: usize, levels: usize, boundary: Boundary, direction: Direction) -> Plan {
    let parameters = Parameters { levels: Some(levels), boundary, direction, ..Parameters::default() };
    let lifting = transform(name).unwrap().algorithms.iter().find(|algorithm| ["direct", "lifting"].contains(&algorithm.name)).unwrap();
    (lifting.plan_fn().unwrap())(Shape::line(n), parameters).unwrap()
}

/// All but the permutation to the Mallat layout, or from there.
fn lifting_stages(plan: &Plan) -> std::ops::Range<usize> {
    let n = plan.stages.len();
    if plan.stages[0].lifting_step().is_some() { 0..n - 1 } else { 1..n }
}

fn image(rows: usize, columns: usize, levels: usize, boundary: Boundary, direction: Direction) -> Plan {
    let parameters = Parameters { levels: Some(levels), boundary, direction, ..Parameters::default() };
    (transform("cdf97-2").unwrap().algorithm("direct").unwrap().plan_fn().unwrap())(Shape { rows, columns }, parameters).unwrap()
}

#[test]
fn a_border_of_the_97_wavelet_merges_one_two_three_and_four_nodes() {
    // Figure 4: two levels, two blocks.
    let plan = cdf97(Shape::line(64), 2, Boundary::Symmetric, Direction::Forward);
    let found = sections(&plan, 0..4, TileGrid::line(64, 32));
    assert_eq!((found.merged(), found.n_boundaries(), found.kept.len()), (vec![1, 2, 3, 4], 1, 0));
    let found = sections(&plan, 0..8, TileGrid::line(64, 32));
    assert_eq!((found.merged(), found.n_boundaries(), found.kept.len()), (vec![1, 2, 3, 4, 3, 4, 5, 6], 1, 0));
    // Three levels, eight blocks, seven boundaries, none of which needs values that another one computes.
    let plan = cdf97(Shape::line(512), 3, Boundary::Symmetric, Direction::Forward);
    let found = sections(&plan, 0..12, TileGrid::line(512, 64));
    assert_eq!(found.merged(), [1, 2, 3, 4, 3, 4, 5, 6, 4, 5, 6, 7].map(|nodes| 7 * nodes));
    assert_eq!(found.n_boundaries(), 7);
    // Under periodic extension the ends are a boundary too.
    let plan = cdf97(Shape::line(512), 1, Boundary::Periodic, Direction::Forward);
    assert_eq!(sections(&plan, 0..4, TileGrid::line(512, 64)).merged(), [8, 16, 24, 32]);
}

#[test]
fn a_width_moves_nodes_from_split_to_merge() {
    // Figure 9: the merge is W samples wider, from the first step on.
    let plan = cdf97(Shape::line(256), 2, Boundary::Symmetric, Direction::Forward);
    let merged = |width: usize| sections(&plan, 0..8, TileGrid { margin: [0, width / 2], ..TileGrid::line(256, 128) }).merged();
    assert_eq!(merged(0), [1, 2, 3, 4, 3, 4, 5, 6]);
    assert_eq!(merged(16), [9, 10, 11, 12, 7, 8, 9, 10]);
    assert_eq!(merged(64), [33, 34, 35, 36, 19, 20, 21, 22]);
}

#[test]
fn the_closed_form_is_what_is_derived() {
    for (what, boundary) in [("cdf97", Boundary::Symmetric), ("cdf97", Boundary::Periodic), ("d4", Boundary::Periodic)] {
        for direction in [Direction::Forward, Direction::Inverse] {
            for (n, tile, n_levels, width) in [
                (256, 64, 1, 0),
                (256, 64, 2, 0),
                (512, 128, 3, 0),
                (512, 128, 3, 16),
                (1024, 256, 4, 32),
                (512, 128, 2, 48),
                (512, 256, 3, 22),
            ] {
                let plan = line(what, n, n_levels, boundary, direction);
                let stages = lifting_stages(&plan);
                let steps: Vec<_> = plan.stages[stages.clone()].iter().map(|stage| stage.lifting_step().unwrap()).collect();
                let derived = sections(&plan, stages, TileGrid { margin: [0, width / 2], ..TileGrid::line(n, tile) });
                assert_eq!(derived.kept, [], "{what} {direction:?}: what is in place keeps nothing");
                for ((step, border), owners) in steps.iter().zip(section_boundaries(&steps, width / 2)).zip(&derived.owners) {
                    for (p, owner) in owners.iter().enumerate() {
                        let sample = (2 * p + step.parity) as i64;
                        let n_boundaries = (n / tile) as i64;
                        // The border at the end is that at the beginning where the line is a circle.
                        let is_merged =
                            (0..=n_boundaries).filter(|k| boundary == Boundary::Periodic || (1..n_boundaries).contains(k)).any(|k| {
                                let at = k * (tile / step.spacing) as i64;
                                (border.before + 1..border.after).contains(&(sample - at))
                            });
                        let what = format!("{what} {direction:?} of {n} in tiles of {tile}, width {width}, {step:?}, sample {sample}");
                        assert_eq!(owner.section() == SectionKind::Merge, is_merged, "{what}");
                    }
                }
            }
        }
    }
}

#[test]
fn levels_are_runs_of_steps_on_the_same_samples() {
    let plan = cdf97(Shape::line(100), 3, Boundary::Symmetric, Direction::Forward);
    assert_eq!(levels(&plan), [0..4, 4..8, 8..12, 12..13]);
}

/// Some lengths, with tiles longer and shorter than they are.
const LENGTHS: [usize; 14] = [1, 2, 3, 5, 7, 8, 16, 31, 37, 64, 100, 128, 129, 255];

#[test]
fn schedules_of_sections_are_legal() {
    for boundary in BOUNDARIES {
        for direction in [Direction::Forward, Direction::Inverse] {
            for n in LENGTHS {
                for (l, block, width, threads) in [
                    (1, 8, 0, ThreadsPerSample::One),
                    (2, 8, 0, ThreadsPerSample::Half),
                    (2, 32, 8, ThreadsPerSample::One),
                    (3, 16, 4, ThreadsPerSample::Half),
                ] {
                    let plan = cdf97(Shape { rows: 2, columns: n }, 8, boundary, direction);
                    let how = SplitAndMerge { levels: l, block, width, threads, ..SplitAndMerge::default() };
                    let schedule = Schedule::split_and_merge(&plan, how);
                    assert_eq!(schedule.check(&plan), Ok(()), "{n} {boundary:?} {direction:?} {how:?}: {schedule:?}");
                }
            }
        }
    }
}

#[test]
fn a_complete_pyramid_goes_on_until_one_sample_is_left() {
    // Figures 3 and 6: again and again two sections, until one tile holds all that is left.
    let plan = cdf97(Shape::line(256), 8, Boundary::Symmetric, Direction::Forward);
    let how = SplitAndMerge { levels: 2, block: 16, threads: ThreadsPerSample::Half, ..SplitAndMerge::default() };
    let schedule = Schedule::split_and_merge(&plan, how);
    let parts: Vec<_> = schedule
        .launches
        .iter()
        .map(|launch| match launch.tile {
            Tile::Section { section, .. } => (launch.stages.clone(), Some(section)),
            _ => (launch.stages.clone(), None),
        })
        .collect();
    let (split, merge) = (Some(SectionKind::Split), Some(SectionKind::Merge));
    assert_eq!(parts, [(0..8, split), (0..8, merge), (8..16, split), (8..16, merge), (16..24, split), (24..32, split), (32..33, None)]);
}

#[test]
fn illegal_sections_are_found() {
    let plan = cdf97(Shape::line(64), 2, Boundary::Symmetric, Direction::Forward);
    let how =
        SplitAndMerge { levels: 2, block: 16, threads: ThreadsPerSample::One, merge: SectionMemory::Global, ..SplitAndMerge::default() };
    let schedule = Schedule::split_and_merge(&plan, how);
    let mut without_merge = schedule.clone();
    without_merge.launches.remove(1);
    assert!(matches!(without_merge.check(&plan).unwrap_err(), IllegalSchedule::Overwritten { launch: 0, .. }));
    let mut merge_first = schedule.clone();
    merge_first.launches.swap(0, 1);
    assert_eq!(merge_first.check(&plan).unwrap_err(), IllegalSchedule::Gap { launch: 0 });
}

#[test]
fn overlapped_tiles_read_all_that_they_need() {
    let limits = Limits { workgroup_bytes: 32 << 10, max_invocations: 256, max_groups: 65_535, subgroup: 1, precision: Precision::Single };
    for direction in [Direction::Forward, Direction::Inverse] {
        for n in [64, 100, 129, 256] {
            for taken in 1..4 {
                let plan = cdf97(Shape::line(n), 4, Boundary::Symmetric, direction);
                let schedule = Schedule::overlapped(&plan, |_| LevelGroup { levels: taken, tile: [1, 32] }).unwrap();
                assert_eq!(schedule.check(&plan), Ok(()), "{n} {direction:?}: {schedule:?}");
                assert_eq!(schedule.launches.len(), 4_usize.div_ceil(taken));
            }
        }
        let plan = cdf97(Shape::line(256), 2, Boundary::Symmetric, direction);
        let mut short = Schedule::overlapped(&plan, |_| LevelGroup { levels: 2, tile: [1, 32] }).unwrap();
        if let Tile::Overlapped { halo, .. } = &mut short.launches[0].tile {
            halo[1] /= 2;
        }
        assert!(matches!(short.check(&plan), Err(IllegalSchedule::Leaves { launch: 0, .. })), "half the halo is too little");
        let plan = cdf97(Shape::line(6000), 8, Boundary::Symmetric, direction);
        assert_eq!(overlapped(&plan, None, limits).unwrap().check(&plan), Ok(()));
    }
}

/// The stages that are not lifting steps.
#[test]
fn steps_are_recognised() {
    let plan = cdf97(Shape { rows: 3, columns: 37 }, 2, Boundary::Periodic, Direction::Forward);
    let found: Vec<_> = plan.stages.iter().filter_map(Stage::lifting_step).map(|step| (step.parity, step.samples, step.spacing)).collect();
    assert_eq!(found, [(1, 37, 1), (0, 37, 1), (1, 37, 1), (0, 37, 1), (1, 19, 2), (0, 19, 2), (1, 19, 2), (0, 19, 2)]);
    assert_eq!(plan.stages.last().unwrap().lifting_step(), None);
}

#[test]
fn cyclic_reduction_and_the_filter_bank_have_sections_too() {
    // Figure 6: one row a level at every border; what is left of a complete pyramid goes on.
    let plan = reduction(64);
    let found = sections(&plan, 0..3, TileGrid::line(64, 16));
    assert_eq!((found.merged(), found.n_boundaries(), found.kept.len()), (vec![3, 3, 3], 3, 0));
    // Figure 5: the filter bank is not in place, so that the split must keep what the merge will need.
    let build = transform("d4").unwrap().algorithm("filter-bank").unwrap().plan_fn().unwrap();
    let plan = build(Shape::line(64), Parameters { levels: Some(3), ..Parameters::default() }).unwrap();
    let found = sections(&plan, 0..3, TileGrid::line(64, 32));
    assert_eq!((found.merged(), found.n_boundaries()), (vec![2, 4, 4], 2));
    assert!(!found.kept.is_empty(), "some values of the borders are overwritten");
}

fn reduction(n: usize) -> Plan {
    let build = papillon::transforms::tridiagonal::TRIDIAGONAL.algorithm("cyclic-reduction").unwrap().plan_fn().unwrap();
    build(Shape::line(n), Parameters::default()).unwrap()
}

#[test]
fn cyclic_reduction_goes_on_until_one_row_is_left() {
    // Two levels in tiles of 16 rows, of what is left two levels more, and the rest in one tile; then back, with nothing left to merge.
    let plan = reduction(256);
    let how = SplitAndMerge { levels: 2, block: 8, ..SplitAndMerge::default() };
    let schedule = Schedule::split_and_merge(&plan, how);
    let parts: Vec<_> = schedule
        .launches
        .iter()
        .map(|launch| match launch.tile {
            Tile::Section { section, grid, .. } => (launch.stages.clone(), section, launch.n_tiles(&plan), grid.copies),
            _ => panic!("{launch:?} is no section"),
        })
        .collect();
    let (split, merge) = (SectionKind::Split, SectionKind::Merge);
    assert_eq!(
        parts,
        [
            (0..2, split, 16, false),
            (0..2, merge, 16, false),
            (2..4, split, 4, false),
            (2..4, merge, 4, false),
            (4..12, split, 1, false),
            (12..14, split, 4, true),
            (14..16, split, 16, true),
        ]
    );
    // A copy that is missing is found, and so is a merge.
    let mut without = schedule.clone();
    if let Tile::Section { grid, .. } = &mut without.launches[6].tile {
        grid.copies = false;
    }
    assert!(matches!(without.check(&plan), Err(IllegalSchedule::Overwritten { launch: 6, .. })), "{:?}", without.check(&plan));
    let mut without = schedule;
    without.launches.remove(3);
    assert!(matches!(without.check(&plan), Err(IllegalSchedule::Overwritten { launch: 2, .. })));
}

#[test]
fn sections_of_cyclic_reduction_are_legal_and_their_closed_form_is_what_is_derived() {
    for n in (1..40).chain([63, 64, 65, 127, 128, 129, 200, 255, 256, 257, 1001]) {
        let plan = reduction(n);
        for (l, block, width, threads) in [
            (1, 8, 0, ThreadsPerSample::One),
            (2, 8, 0, ThreadsPerSample::Half),
            (2, 16, 4, ThreadsPerSample::One),
            (3, 16, 6, ThreadsPerSample::Half),
            (9, 8, 14, ThreadsPerSample::Half),
        ] {
            let how = SplitAndMerge { levels: l, block, width, threads, ..SplitAndMerge::default() };
            let schedule = Schedule::split_and_merge(&plan, how);
            assert_eq!(schedule.check(&plan), Ok(()), "{n} {how:?}: {schedule:?}");
            for launch in schedule.launches.iter().filter(|launch| launch.section() == Some(SectionKind::Merge)) {
                let Tile::Section { grid, .. } = launch.tile else { continue };
                let steps: Vec<_> = launch.stages.clone().map(|stage| plan.stages[stage].lifting_step().unwrap()).collect();
                let derived = sections(&plan, launch.stages.clone(), grid);
                let n_tiles = steps[0].samples.div_ceil(grid.samples(&steps[0])) as i64;
                for ((step, border), owners) in steps.iter().zip(section_boundaries(&steps, grid.margin_of(&steps[0]))).zip(&derived.owners)
                {
                    for (p, owner) in owners.iter().enumerate() {
                        let sample = (2 * p + step.parity) as i64;
                        let is_merged =
                            (1..n_tiles).any(|k| (border.before + 1..border.after).contains(&(sample - k * grid.samples(step) as i64)));
                        assert_eq!(owner.section() == SectionKind::Merge, is_merged, "{n}, {how:?}, {step:?}, sample {sample}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_cpu_runs_sections_as_they_are_derived() {
    let go = std::sync::atomic::AtomicBool::new(false);
    let mut plans = vec![cdf97(Shape { rows: 2, columns: 150 }, 4, Boundary::Symmetric, Direction::Forward)];
    plans.push(cdf97(Shape::line(128), 3, Boundary::Periodic, Direction::Inverse));
    for plan in plans {
        let input: Vec<f64> = (0..plan.inputs).map(|i| ((i * 37) % 64) as f64 - 31.0).collect();
        for how in [
            SplitAndMerge { block: 16, width: 4, ..SplitAndMerge::default() },
            SplitAndMerge { block: 32, levels: 1, ..SplitAndMerge::default() },
        ] {
            let run =
                |schedule: &Schedule| papillon::cpu::run(&plan, schedule, &input, papillon::cpu::CpuBackend::Parallel, &go).unwrap().0;
            let (found, expected) = (run(&Schedule::split_and_merge(&plan, how)), run(&Schedule::by_stage(&plan)));
            assert_eq!(found, expected, "{how:?}");
        }
    }
}

const SQUARE: SplitAndMerge = SplitAndMerge {
    levels: 1,
    width: 0,
    merge: SectionMemory::Workgroup,
    threads: ThreadsPerSample::One,
    block: 256,
    scheme: BlockScheme::Square,
};

#[test]
fn a_level_in_squares_has_one_split_and_two_merges() {
    // Figure 11, to the right: rows and columns are split together, then the merge of the rows, then that of the columns.
    let plan = image(64, 48, 1, Boundary::Symmetric, Direction::Forward);
    let schedule = Schedule::split_and_merge(&plan, SQUARE);
    let parts: Vec<_> = schedule.launches.iter().map(|launch| (launch.stages.clone(), launch.section())).collect();
    assert_eq!(parts, [(0..8, Some(SectionKind::Split)), (0..4, Some(SectionKind::Merge)), (4..8, Some(SectionKind::Merge)), (8..9, None)]);
    let Tile::Section { grid, .. } = schedule.launches[0].tile else { panic!("{schedule:?}") };
    // Two borders of every one of 64 rows, three of every one of 48 columns.
    let merged = sections(&plan, 0..8, grid).merged();
    assert_eq!(
        merged,
        [1, 2, 3, 4].map(|nodes| 2 * 64 * nodes).into_iter().chain([1, 2, 3, 4].map(|nodes| 3 * 48 * nodes)).collect::<Vec<_>>()
    );
}

#[test]
fn squares_are_legal_and_equal_the_plan() {
    let go = std::sync::atomic::AtomicBool::new(false);
    for (rows, columns, levels, boundary) in [
        (16, 16, 2, Boundary::Symmetric),
        (37, 53, 3, Boundary::Symmetric),
        (64, 96, 2, Boundary::Periodic),
        (2, 40, 2, Boundary::Symmetric),
    ] {
        for direction in [Direction::Forward, Direction::Inverse] {
            for (threads, width) in [(ThreadsPerSample::One, 0), (ThreadsPerSample::Half, 4)] {
                let plan = image(rows, columns, levels, boundary, direction);
                let schedule = Schedule::split_and_merge(&plan, SplitAndMerge { threads, width, ..SQUARE });
                let what = format!("{rows} × {columns}, {boundary:?}, {direction:?}, {threads:?}: {schedule:?}");
                assert_eq!(schedule.check(&plan), Ok(()), "{what}");
                let input: Vec<f64> = (0..plan.inputs).map(|i| ((i * 37) % 64) as f64 - 31.0).collect();
                let run =
                    |schedule: &Schedule| papillon::cpu::run(&plan, schedule, &input, papillon::cpu::CpuBackend::Parallel, &go).unwrap().0;
                let (found, expected) = (run(&schedule), run(&Schedule::by_stage(&plan)));
                let far = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(far < 1e-11, "{far} in {what}");
            }
        }
    }
}

#[test]
fn illegal_squares_are_found() {
    let plan = image(64, 48, 2, Boundary::Symmetric, Direction::Forward);
    let schedule = Schedule::split_and_merge(&plan, SQUARE);
    let mut merges_swapped = schedule.clone();
    merges_swapped.launches.swap(1, 2);
    assert_eq!(merges_swapped.check(&plan).unwrap_err(), IllegalSchedule::Gap { launch: 2 });
    let mut one_merge = schedule.clone();
    one_merge.launches.remove(2);
    assert!(matches!(one_merge.check(&plan).unwrap_err(), IllegalSchedule::Overwritten { launch: 0, .. }));
    // The second level along x reads what the first has left along y, so that these do not change places.
    let mut levels_mixed = schedule.clone();
    levels_mixed.launches.drain(1..);
    levels_mixed.launches[0].stages = 4..12;
    assert_eq!(levels_mixed.check(&plan).unwrap_err(), IllegalSchedule::Gap { launch: 0 });
    let before = (0..4).map(|stage| papillon::schedule::Launch { stages: stage..stage + 1, tile: Tile::Each });
    levels_mixed.launches.splice(0..0, before);
    assert_eq!(levels_mixed.check(&plan).unwrap_err(), IllegalSchedule::Order { launch: 4, stage: 8 });
}

#[test]
fn runs_tell_what_is_derived() {
    let plan = cdf97(Shape::line(512), 4, Boundary::Symmetric, Direction::Forward);
    let how = SplitAndMerge { levels: 2, block: 64, threads: ThreadsPerSample::One, width: 8, ..SplitAndMerge::default() };
    let schedule = Schedule::split_and_merge(&plan, how);
    let found = section_runs(&plan, &schedule);
    assert_eq!(found.iter().map(|run| (run.split, run.merge, run.tile)).collect::<Vec<_>>(), [(0, Some(1), 64), (2, Some(3), 64)]);
    for run in &found {
        let Tile::Section { grid, .. } = schedule.launches[run.split].tile else { panic!("{schedule:?}") };
        let n_boundaries = run.samples / run.tile - 1;
        let merged: Vec<usize> = (0..run.steps.len()).map(|step| n_boundaries * run.merged(step)).collect();
        assert_eq!(merged, sections(&plan, run.stages.clone(), grid).merged());
    }
    // Squares: one split for both axes.
    let plan = image(64, 48, 1, Boundary::Symmetric, Direction::Forward);
    let found = section_runs(&plan, &Schedule::split_and_merge(&plan, SQUARE));
    assert_eq!(found.iter().map(|run| (run.split, run.merge, run.merged(3))).collect::<Vec<_>>(), [(0, Some(1), 4), (0, Some(2), 4)]);
}

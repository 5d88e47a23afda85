//! Split and merge of scans: parallel cyclic reduction and recursive doubling in sections, which neither decimate nor work in place.

use papillon::cpu::{self, CpuBackend};
use papillon::plan::{Plan, ReducedEquation};
use papillon::schedule::{IllegalSchedule, ScanRun, Schedule, SectionKind, SplitAndMerge, ThreadsPerSample, Tile, section_runs, sections};
use papillon::signal::generate::SystemExample;
use papillon::transforms::tridiagonal::TRIDIAGONAL;
use papillon::transforms::{Parameters, Shape};

const SCANS: [&str; 2] = ["parallel-cyclic-reduction", "recursive-doubling"];

fn plan(algorithm: &str, shape: Shape) -> Plan {
    let build = TRIDIAGONAL.algorithm(algorithm).unwrap().plan_fn().unwrap();
    build(shape, Parameters::default()).unwrap()
}

/// Levels, threads of a block, width, and threads an equation.
const WAYS: [(usize, usize, usize, ThreadsPerSample); 5] = [
    (1, 8, 0, ThreadsPerSample::One),
    (2, 8, 0, ThreadsPerSample::Half),
    (2, 16, 4, ThreadsPerSample::One),
    (3, 16, 6, ThreadsPerSample::Half),
    (9, 8, 14, ThreadsPerSample::Half),
];

fn how((levels, block, width, threads): (usize, usize, usize, ThreadsPerSample)) -> SplitAndMerge {
    SplitAndMerge { levels, block, width, threads, ..SplitAndMerge::default() }
}

/// Stages, section, and equations of a tile of every launch.
fn parts(plan: &Plan, schedule: &Schedule) -> Vec<(std::ops::Range<usize>, Option<SectionKind>, usize)> {
    let part = |launch: &papillon::schedule::Launch| match launch.tile {
        Tile::Section { section, grid, .. } => {
            (launch.stages.clone(), Some(section), ScanRun::of(plan, launch.stages.clone()).unwrap().tile(grid))
        }
        _ => (launch.stages.clone(), None, 1),
    };
    schedule.launches.iter().map(part).collect()
}

#[test]
fn a_scan_goes_on_until_a_tile_holds_a_line() {
    let (split, merge) = (Some(SectionKind::Split), Some(SectionKind::Merge));
    let parts = |algorithm: &str, n: usize| {
        let plan = plan(algorithm, Shape::line(n));
        parts(&plan, &Schedule::split_and_merge(&plan, how((2, 8, 0, ThreadsPerSample::Half))))
    };
    // Of 256 equations two levels, of 4 lines of 64 two levels more, and lines of 16 whole.
    assert_eq!(parts(SCANS[0], 256), [(0..2, split, 16), (0..2, merge, 16), (2..4, split, 16), (2..4, merge, 16), (4..8, split, 16)]);
    // The maps of the pivots, three scans, and between them the division; lines of 8 fit a tile.
    let scan = |first: usize| [(first..first + 2, split, 16), (first..first + 2, merge, 16), (first + 2..first + 5, split, 16)];
    let expected = [vec![(0..1, None, 1)], scan(1).to_vec(), vec![(6..7, None, 1)], scan(7).to_vec(), scan(12).to_vec()].concat();
    assert_eq!(parts(SCANS[1], 32), expected);
}

#[test]
fn a_level_leaves_twice_as_many_equations_as_the_one_before() {
    let of = |algorithm: &str, stages: std::ops::Range<usize>| {
        let plan = plan(algorithm, Shape::line(256));
        let run = ScanRun::of(&plan, stages).unwrap();
        run.levels(0).iter().map(|level| level.boundary.after - level.boundary.before - 1).collect::<Vec<_>>()
    };
    assert_eq!(of(SCANS[0], 0..4), [2, 6, 14, 30]);
    assert_eq!(of(SCANS[0], 4..8), [2, 6, 14, 30]);
    // A scan reads one side only.
    assert_eq!([of(SCANS[1], 1..4), of(SCANS[1], 10..13), of(SCANS[1], 18..21)], [[1, 3, 7], [1, 3, 7], [1, 3, 7]]);
}

#[test]
fn sections_of_scans_are_legal_and_their_closed_form_is_what_is_derived() {
    for (algorithm, n) in SCANS.into_iter().flat_map(|algorithm| [1, 2, 3, 17, 31, 64, 65, 129, 200, 257].map(|n| (algorithm, n))) {
        let plan = plan(algorithm, Shape::line(n));
        for way in WAYS {
            let schedule = Schedule::split_and_merge(&plan, how(way));
            assert_eq!(schedule.check(&plan), Ok(()), "{algorithm}, {n} {way:?}: {schedule:?}");
            for launch in schedule.launches.iter().filter(|launch| launch.section() == Some(SectionKind::Merge)) {
                let Tile::Section { grid, .. } = launch.tile else { continue };
                let run = ScanRun::of(&plan, launch.stages.clone()).unwrap();
                let (tile, margin) = (run.tile(grid), run.margin(grid));
                let derived = sections(&plan, launch.stages.clone(), grid);
                for (level, owners) in run.levels(margin).iter().zip(&derived.owners) {
                    for (lane, owner) in owners.iter().enumerate() {
                        let (line, sample) = (lane % run.first.distance, (lane / run.first.distance) as i64);
                        // A line may be shorter than others by one equation, and a width is left where any line goes on.
                        let samples = if margin > 0 { run.samples() } else { (n - line).div_ceil(run.first.distance) };
                        let at = (1..samples.div_ceil(tile)).map(|k| (k * tile) as i64);
                        let is_merged = at.into_iter().any(|at| (level.boundary.before + 1..level.boundary.after).contains(&(sample - at)));
                        let what = format!("{algorithm}, {n}, {way:?}, {level:?}, lane {lane}");
                        assert_eq!(owner.section() == SectionKind::Merge, is_merged, "{what}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_merge_that_is_missing_is_found() {
    let plan = plan(SCANS[0], Shape::line(256));
    let mut schedule = Schedule::split_and_merge(&plan, how(WAYS[1]));
    schedule.launches.remove(3);
    assert!(matches!(schedule.check(&plan), Err(IllegalSchedule::Overwritten { launch: 2, .. })), "{:?}", schedule.check(&plan));
}

#[test]
fn a_cpu_runs_sections_of_scans_as_they_are_derived() {
    let go = std::sync::atomic::AtomicBool::new(false);
    for (algorithm, n) in SCANS.into_iter().flat_map(|algorithm| [5, 100, 257].map(|n| (algorithm, n))) {
        let plan = plan(algorithm, Shape::line(n));
        let rows: Vec<ReducedEquation<f64>> = SystemExample::Dominant.system(n).rows.iter().map(|row| (*row).into()).collect();
        for way in WAYS {
            let run = |schedule: &Schedule| cpu::run(&plan, schedule, &rows, CpuBackend::Parallel, &go).unwrap().0;
            assert_eq!(run(&Schedule::split_and_merge(&plan, how(way))), run(&Schedule::by_stage(&plan)), "{algorithm}, {n}, {way:?}");
        }
    }
}

#[test]
fn what_a_pane_shows_of_a_scan_is_its_closed_form() {
    let plan = plan(SCANS[0], Shape::line(256));
    let schedule = Schedule::split_and_merge(&plan, how(WAYS[3]));
    let runs = section_runs(&plan, &schedule);
    assert_eq!(runs.iter().map(|run| (run.samples, run.tile, run.width)).collect::<Vec<_>>(), [(256, 32, 6), (32, 32, 6)]);
    assert_eq!((0..3).map(|step| runs[0].merged(step)).collect::<Vec<_>>(), [8, 12, 20]);
    // Several systems have no sections.
    let several = self::plan(SCANS[0], Shape { rows: 2, columns: 64 });
    assert!(Schedule::split_and_merge(&several, how(WAYS[1])).launches.iter().all(|launch| launch.section().is_none()));
}

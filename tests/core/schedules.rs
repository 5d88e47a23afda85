//! Every schedule is legal, its tiles are the components of the graph, and illegal ones are found.

use papillon::engine::{Cut, drawn_schedule, plan_kernels, schedule_on_cpu, schedule_on_gpu};
use papillon::gpu::{KernelChoice, Limits, LowerError, fastest};
use papillon::graph::{GraphOptions, GraphRequest, layout};
use papillon::plan::{Direction, Plan, Precision};
use papillon::schedule::{BlockKernels, IllegalSchedule, Launch, Schedule, Tile, components};
use papillon::transforms::{Parameters, Shape, TRANSFORMS};

fn plans() -> Vec<(String, Plan)> {
    let mut plans = Vec::new();
    for transform in TRANSFORMS {
        for algorithm in transform.algorithms {
            let Some(build) = algorithm.plan_fn() else { continue };
            for (rows, columns) in [(1, 1), (1, 2), (1, 16), (1, 64), (4, 8), (8, 4), (2, 32), (1, 15), (3, 12), (2, 17), (5, 7), (4, 34)] {
                let parameters = Parameters { tile_lanes: Some(4), ..Parameters::default() };
                let Ok(plan) = build(Shape { rows, columns }, parameters) else { continue };
                plans.push((format!("{} {} {rows}×{columns}", transform.name, algorithm.name), plan));
            }
        }
    }
    plans
}

#[test]
fn every_schedule_is_legal() {
    for (name, plan) in plans() {
        assert_eq!(Schedule::by_stage(&plan).check(&plan), Ok(()), "{name}");
        for max_lanes in [1, 2, 4, 8, 64, 4096] {
            let schedule = Schedule::tiled(&plan, max_lanes);
            assert_eq!(schedule.check(&plan), Ok(()), "{name} in tiles of {max_lanes}: {schedule:?}");
            let schedule = Schedule::in_blocks(&plan, BlockKernels { lanes: Some(max_lanes), ..BlockKernels::default() });
            assert_eq!(schedule.check(&plan), Ok(()), "{name} in blocks of {max_lanes}: {schedule:?}");
        }
    }
}

#[test]
fn the_launches_of_a_device_are_legal_and_their_lines_are_components() {
    let limits = Limits { workgroup_bytes: 32 << 10, max_invocations: 256, max_groups: 65_535, subgroup: 1, precision: Precision::Single };
    let (mut n_strided, mut n_mirrored) = (0, 0);
    for (transform_name, algorithm, rows, columns) in [
        ("dft", "stockham", 1, 1 << 14),
        ("dft", "stockham", 1, 10_000),
        ("dft", "stockham", 3, 12_000),
        ("dft", "stockham-4", 1, 1 << 14),
        ("dft", "bluestein", 1, 5003),
        ("dft2", "stockham", 64, 128),
        ("dft2", "stockham", 60, 77),
        ("rdft", "stockham", 1, 1 << 15),
        ("rdft", "stockham", 3, 24_000),
    ] {
        let build = papillon::transforms::transform(transform_name).unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
        let plan = build(Shape { rows, columns }, Parameters::default()).unwrap();
        let schedule = fastest(&plan, limits);
        assert_eq!(schedule.check(&plan), Ok(()), "{transform_name} {algorithm} {rows}×{columns}: {schedule:?}");
        for Launch { stages, tile } in schedule.launches {
            let Tile::Strided { points, stride, mirrored, .. } = tile else { continue };
            (n_strided, n_mirrored) = (n_strided + 1, n_mirrored + usize::from(mirrored));
            let derived = components(&plan, stages.clone());
            let n_components = derived.iter().flatten().max().unwrap() + 1;
            // Half a spectrum joins each line with its mirror image; the first line and the one in the middle are their own.
            let n_lines = if mirrored { rows * (stride / 2 + 1) } else { plan.lanes / points };
            assert_eq!(n_components, n_lines, "{transform_name} {algorithm} {rows}×{columns} {stages:?}");
        }
    }
    assert!(n_strided >= 8 && n_mirrored == 2, "only {n_strided} strided launches, and {n_mirrored} of mirrored lines");
}

#[test]
fn blocks_are_unions_of_components() {
    for (name, plan) in plans() {
        for Launch { stages, tile } in Schedule::tiled(&plan, 16).launches {
            let Tile::Block { lanes } = tile else { continue };
            let derived = components(&plan, stages.clone());
            let mut tile_of_component = std::collections::HashMap::new();
            for (stage, components) in plan.stages[stages.clone()].iter().zip(&derived) {
                let block = stage.block(plan.lanes).unwrap();
                for (butterfly, component) in stage.butterflies().zip(components) {
                    let tile = butterfly.indices[2] * block / lanes;
                    assert_eq!(*tile_of_component.entry(*component).or_insert(tile), tile, "{name} {stages:?}");
                }
            }
        }
    }
}

#[test]
fn sormans_figure_5_2_has_three_launches() {
    let algorithm = papillon::transforms::transform("dft").unwrap().algorithm("global-local").unwrap();
    let parameters = Parameters { tile_lanes: Some(4), ..Parameters::default() };
    let plan = algorithm.plan_fn().unwrap()(Shape::line(16), parameters).unwrap();
    // The size of the local part is enough: the drawing, the CPU and the GPU take tiles of it.
    let cut = Cut::Tiles.of(algorithm, parameters);
    let launches = drawn_schedule(&plan, cut).unwrap().launches;
    assert_eq!(schedule_on_gpu(&plan, cut, Limits::DESKTOP).launches, launches);
    let of = |stages: std::ops::Range<usize>| launches.iter().find(|launch| launch.stages == stages).map(|launch| launch.tile);
    assert!(of(2..3).is_none() && matches!(of(2..4), Some(Tile::BlockBy { lanes: 4, .. })), "{launches:?}");
    assert_eq!(launches.iter().map(|launch| (launch.stages.len(), launch.n_tiles(&plan))).collect::<Vec<_>>(), [(1, 4), (1, 4), (2, 4)]);
    // The kernels have the workgroups that the drawing shows, of two threads each, and the last one works in workgroup memory.
    for tile in [4, 8] {
        let parameters = Parameters { tile_lanes: Some(tile), ..Parameters::default() };
        let plan = algorithm.plan_fn().unwrap()(Shape::line(16), parameters).unwrap();
        let kernels = plan_kernels(&plan, Cut::Tiles.of(algorithm, parameters), Limits::DESKTOP, KernelChoice::Fast).unwrap();
        for (launch, command) in kernels.schedule.launches.iter().zip(&kernels.commands) {
            assert_eq!((command.groups[0] as usize, command.kernel.threads()), (launch.n_tiles(&plan), Some(tile / 2)), "{launch:?}");
        }
        let text = kernels.commands[kernels.commands.len() - 1].kernel.text();
        assert!(text.contains(&format!("var<workgroup> tile: array<Complex, {}>", if tile == 4 { 4 } else { 16 })), "{text}");
    }
}

/// Section 5.1 of the thesis: log₂N − log₂(points of a block) + 1 launches for a line, and the same twice with a transposition after each for an image.
#[test]
fn launches_and_threads_are_those_of_the_thesis() {
    let lowered = |transform: &str, shape: Shape, tile: usize, direction: Direction| {
        let algorithm = papillon::transforms::transform(transform).unwrap().algorithm("global-local").unwrap();
        let parameters = Parameters { tile_lanes: Some(tile), direction, ..Parameters::default() };
        let plan = algorithm.plan_fn().unwrap()(shape, parameters).unwrap();
        plan_kernels(&plan, Cut::Tiles.of(algorithm, parameters), Limits::DESKTOP, KernelChoice::Fast).unwrap().commands
    };
    for (exponent, tile, launches) in [(24, 1024, 15), (24, 2048, 14), (24, 512, 16), (10, 1024, 1), (14, 1024, 5), (11, 1024, 2)] {
        for direction in [Direction::Forward, Direction::Inverse] {
            let commands = lowered("dft", Shape::line(1 << exponent), tile, direction);
            assert_eq!(commands.len(), launches, "2^{exponent} in blocks of {tile}, {direction:?}");
            for command in &commands {
                let text = command.kernel.text();
                assert_eq!(command.kernel.threads(), Some(tile / 2), "{text}");
                assert!(text.contains("cos(angle), sin(angle)") && !text.contains("roots["), "{text}");
                // The global kernel has one buffer, apart from the input, which is kept.
                let is_global = command.stages.len() == 1 && command.stages.start > 0;
                assert_eq!(command.kernel.in_place, is_global && launches > 1, "{text}");
            }
        }
    }
    let of_image = lowered("dft2", Shape { rows: 4096, columns: 4096 }, 1024, Direction::Forward);
    let families: Vec<&str> = of_image.iter().map(|command| command.kernel.family).collect();
    assert_eq!(families, ["stage", "stage", "stage", "transpose", "stage", "stage", "stage", "transpose"]);
}

#[test]
fn a_device_with_fewer_threads_gives_each_more_butterflies_or_refuses() {
    let algorithm = papillon::transforms::transform("dft").unwrap().algorithm("global-local").unwrap();
    let plan = algorithm.plan_fn().unwrap()(Shape::line(1 << 14), Parameters::default()).unwrap();
    let few = Limits { max_invocations: 256, ..Limits::DESKTOP };
    let threads = |cut: Cut| {
        let kernels = plan_kernels(&plan, cut, few, KernelChoice::Fast);
        kernels.map(|kernels| kernels.commands.iter().map(|command| command.kernel.threads().unwrap()).collect::<Vec<_>>())
    };
    let blocks = BlockKernels::default();
    assert_eq!(threads(Cut::Blocks(blocks)), Ok(vec![256; 5]));
    let one = Cut::Blocks(BlockKernels { butterflies: Some(1), ..blocks });
    assert_eq!(threads(one), Err(LowerError::Threads { launch: 0, threads: 512, most: 256 }));
}

/// A line has one row, although a tile could hold several.
#[test]
fn overlapped_tiles_of_a_line_have_frames() {
    let algorithm = papillon::transforms::transform("cdf97").unwrap().algorithm("overlapped").unwrap();
    let parameters = Parameters { levels: Some(1), ..Parameters::default() };
    let plan = algorithm.plan_fn().unwrap()(Shape::line(32), parameters).unwrap();
    let cut = Cut::Tiles.of(algorithm, parameters);
    let schedule = drawn_schedule(&plan, cut).unwrap();
    // A CPU runs what is drawn, so that the window shows the tiles.
    assert_eq!(schedule_on_cpu(&plan, cut), schedule);
    let drawing = layout(GraphRequest { plan, schedule, options: GraphOptions::default() });
    assert_eq!(drawing.tiles.iter().map(|tile| [tile.first_lane, tile.n_lanes]).collect::<Vec<_>>(), [[0, 16], [16, 16]]);
}

#[test]
fn illegal_schedules_are_found() {
    let algorithm = papillon::transforms::transform("dft").unwrap().algorithm("cooley-tukey-dif").unwrap();
    let plan = algorithm.plan_fn().unwrap()(Shape::line(16), Parameters::default()).unwrap();
    let check = |launches: Vec<Launch>| Schedule { launches }.check(&plan).unwrap_err();
    assert_eq!(check(vec![Launch { stages: 0..4, tile: Tile::Each }]), IllegalSchedule::Barrier { launch: 0 });
    assert!(matches!(
        check(vec![Launch { stages: 0..4, tile: Tile::Block { lanes: 8 } }]),
        IllegalSchedule::Leaves { launch: 0, stage: 0, .. }
    ));
    assert_eq!(check(vec![Launch { stages: 1..4, tile: Tile::Block { lanes: 16 } }]), IllegalSchedule::Gap { launch: 0 });
    assert_eq!(check(vec![Launch { stages: 0..3, tile: Tile::Block { lanes: 16 } }]), IllegalSchedule::Gap { launch: 1 });
    for mirrored in [false, true] {
        let rows = Tile::Strided { points: 4, stride: 4, lines: 2, mirrored };
        assert!(matches!(check(vec![Launch { stages: 0..4, tile: rows }]), IllegalSchedule::Leaves { launch: 0, .. }));
    }
    assert_eq!(Schedule { launches: vec![Launch { stages: 0..4, tile: Tile::Cone { lanes: 8 } }] }.check(&plan), Ok(()));
    assert!(matches!(check(vec![Launch { stages: 0..4, tile: Tile::Cone { lanes: 12 } }]), IllegalSchedule::Leaves { launch: 0, .. }));
    let mut gap = plan.clone();
    gap.stages.iter_mut().for_each(|stage| stage.outer.n = 1);
    gap.stages[0].positions = 4;
    let cones = Schedule { launches: vec![Launch { stages: 0..4, tile: Tile::Cone { lanes: 8 } }] };
    assert!(matches!(cones.check(&gap), Err(IllegalSchedule::Leaves { launch: 0, lane: 12, .. })), "nobody writes lane 12");
    let mut twice = plan.clone();
    twice.stages[3].write.hop = 0;
    assert!(matches!(Schedule::by_stage(&twice).check(&twice), Err(IllegalSchedule::Twice { stage: 3, .. })));
}

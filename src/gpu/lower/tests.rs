//! Tests of lowering, without a device.

use super::*;
use crate::gpu::fastest;
use crate::gpu::fft::Strips;
use crate::transforms::{Parameters, Shape, TRANSFORMS};

const LIMITS: Limits =
    Limits { workgroup_bytes: 32 << 10, max_invocations: 256, max_groups: 65_535, subgroup: 1, precision: Precision::Single };

#[test]
fn groups_fold_into_two_dimensions() {
    for n in [1, 2, 65_535, 65_536, 100_000, 1 << 22, (1 << 24) + 1] {
        let [x, y] = folded_groups(n, 65_535).map(|n| n as usize);
        assert!(x <= 65_535 && y <= 65_535 && x * y >= n && x * y < n + y, "{n} became {x} × {y}");
    }
}

#[test]
fn launches_read_what_the_one_before_wrote_and_spare_the_input() {
    for build in TRANSFORMS.iter().flat_map(|transform| transform.algorithms).filter_map(|algorithm| algorithm.plan_fn()) {
        let plan = build(Shape { rows: 8, columns: 128 }, Parameters::default()).unwrap();
        for schedule in [Schedule::by_stage(&plan), fastest(&plan, LIMITS)] {
            let lowered = lower(&plan, &schedule, LIMITS, Kernels::Fast).unwrap();
            assert_eq!(lowered.commands.len(), schedule.launches.len());
            let mut holds = Slot::Input;
            for command in &lowered.commands {
                assert_eq!(command.source, holds);
                assert!(command.kernel.in_place() != (command.sink != command.source) && command.sink != Slot::Input);
                holds = command.sink;
            }
            assert_eq!(lowered.result, holds);
        }
    }
}

#[test]
fn large_pictures_with_long_columns_take_two_launches_that_share_strips_where_a_workgroup_has_threads_enough() {
    let strips_of = |name, rows, columns, limits: Limits| {
        let build = crate::transforms::transform(name).unwrap().algorithm("stockham").unwrap().plan_fn().unwrap();
        let plan = build(Shape { rows, columns }, Parameters::default()).unwrap();
        let commands = lower(&plan, &fastest(&plan, limits), limits, Kernels::Fast).unwrap().commands;
        let of = |command: &Command| if let Kernel::Fft(shape) = &command.kernel { shape.strips } else { None };
        commands.iter().map(of).collect::<Vec<_>>()
    };
    let strips = |rows, columns, limits| strips_of("dft2", rows, columns, limits);
    let wide = Limits { workgroup_bytes: 48 << 10, max_invocations: 1024, ..LIMITS };
    assert_eq!(strips(4096, 4096, wide), [Some(Strips::Sink), Some(Strips::Source)]);
    assert_eq!(strips(4096, 2058, wide), [Some(Strips::Sink), Some(Strips::Source)]);
    assert_eq!(strips_of("rdft2", 4096, 4096, wide), [Some(Strips::Sink), Some(Strips::Source)]);
    // Caches hold the array, a column is short, or a workgroup holds no four columns.
    assert_eq!(strips(2048, 2048, wide), [None; 2]);
    assert_eq!(strips(1024, 16_384, wide), [None; 3]);
    assert_eq!(strips(4096, 4096, LIMITS), [None; 3]);
}

#[test]
fn no_plan_makes_large_root_tables() {
    for build in TRANSFORMS.iter().flat_map(|transform| transform.algorithms).filter_map(|algorithm| algorithm.plan_fn()) {
        let plan = build(Shape { rows: 1, columns: 1 << 20 }, Parameters::default()).unwrap();
        let lowered = lower(&plan, &Schedule::by_stage(&plan), LIMITS, Kernels::Generic).unwrap();
        // A convolution goes there and back, at twice the length.
        assert!(lowered.roots.len() <= 1 + 2 * (4096 + 512), "{} roots", lowered.roots.len());
    }
}

#[test]
fn a_tile_that_does_not_fit_is_said() {
    let build = TRANSFORMS[0].algorithm("cooley-tukey-dif").unwrap().plan_fn().unwrap();
    let plan = build(Shape::line(4096), Parameters::default()).unwrap();
    let error = lower(&plan, &Schedule::tiled(&plan, 4096), LIMITS, Kernels::Fast).unwrap_err();
    assert_eq!(error, LowerError::Tile { launch: 0, lanes: 4096, fits: 2048 });
    assert!(lower(&plan, &fastest(&plan, LIMITS), LIMITS, Kernels::Fast).is_ok());
}

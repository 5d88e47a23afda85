//! Tests of lowering, without a device.

use super::*;
use crate::gpu::{estimate, fastest};
use crate::transforms::{Parameters, Shape, TRANSFORMS, Unsupported};
use serde_json::Value;

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
            let lowered = lower(&plan, &schedule, LIMITS, KernelChoice::Fast).unwrap();
            assert_eq!(lowered.commands.len(), schedule.launches.len());
            let mut holds = BufferSlot::Input;
            for command in &lowered.commands {
                // A signal that no launch has touched is still in the input.
                let untouched = command.kernel.reads_input && command.source == BufferSlot::Input;
                assert!(command.source == holds || untouched);
                assert!(command.kernel.in_place != (command.sink != command.source) && command.sink != BufferSlot::Input);
                holds = command.sink;
            }
            // Stages may leave more in the other buffer than the last one wrote.
            let gathers = lowered.commands.iter().any(|command| !command.copies_after.is_empty());
            assert!(lowered.result == holds || gathers && lowered.result != BufferSlot::Input);
        }
    }
}

#[test]
fn large_images_with_long_columns_take_two_launches_that_share_strips_where_a_workgroup_has_threads_enough() {
    let build = crate::transforms::transform("dft2").unwrap().algorithm("stockham").unwrap().plan_fn().unwrap();
    let strips = |rows, columns, limits: Limits| {
        let plan = build(Shape { rows, columns }, Parameters::default()).unwrap();
        let commands = lower(&plan, &fastest(&plan, limits), limits, KernelChoice::Fast).unwrap().commands;
        commands.iter().map(|command| command.kernel.data["strips"].clone()).collect::<Vec<_>>()
    };
    let wide = Limits { workgroup_bytes: 48 << 10, max_invocations: 1024, ..LIMITS };
    assert_eq!(strips(4096, 4096, wide), ["Sink", "Source"]);
    // Caches hold the array, a column is short, strips would not come out even, or a workgroup holds no four columns.
    assert_eq!(strips(2048, 2048, wide), [const { Value::Null }; 2]);
    assert_eq!(strips(1024, 16_384, wide), [const { Value::Null }; 3]);
    assert_eq!(strips(4096, 2058, wide), [const { Value::Null }; 3]);
    assert_eq!(strips(4096, 4096, LIMITS), [const { Value::Null }; 3]);
}

#[test]
fn columns_of_several_launches_leave_the_rows_permuted_where_no_cache_holds_the_image() {
    let build = crate::transforms::transform("dft2").unwrap().algorithm("stockham").unwrap().plan_fn().unwrap();
    let placements = |rows, columns| {
        let plan = build(Shape { rows, columns }, Parameters::default()).unwrap();
        let commands = lower(&plan, &fastest(&plan, LIMITS), LIMITS, KernelChoice::Fast).unwrap().commands;
        let of = |command: &LaunchCommand| {
            let placement = &command.kernel.data["placement"];
            let [step, low, high] =
                [&placement["sink"]["step"], &placement["low"], &placement["high"]].map(|number| number.as_u64().unwrap());
            ((command.kernel.in_place, step), [low, high])
        };
        commands.iter().map(of).collect::<Vec<_>>()
    };
    // 8192 = 128·64: row k1 + 128·k2 is at k1·64 + k2 when the rows begin.
    assert_eq!(placements(8192, 2048), [((false, 2048), [1, 1]), ((false, 2048), [1, 1]), ((false, 1), [128, 64])]);
    // Rows that take two launches are fetched by the first one.
    assert_eq!(placements(8192, 1 << 14).iter().map(|(_, digits)| *digits).collect::<Vec<_>>(), [[1, 1], [1, 1], [128, 64], [8192, 1]]);
    // Caches hold the array: the columns stay where they are.
    assert_eq!(placements(8192, 512), [((false, 512), [1, 1]), ((true, 65_536), [1, 1]), ((false, 1), [8192, 1])]);
}

/// The plan of a row, by the algorithm from which fast kernels of Kronecker steps are made.
fn kronecker_plan(transform: &str, bits: u32) -> Plan {
    let build = crate::transforms::transform(transform).unwrap().algorithm("cooley-tukey").unwrap().plan_fn().unwrap();
    build(Shape::line(1 << bits), Parameters::default()).unwrap()
}

#[test]
fn words_of_every_length_end_with_the_kernel_that_takes_the_steps_within_them() {
    for limits in [LIMITS, Limits::DESKTOP] {
        for bits in 6..=24 {
            let words = kronecker_plan("reed-muller", bits).bit_packed(32).unwrap();
            let lowered = lower_words(&words, &estimate::fastest_of_words(&words.plan, limits), limits);
            assert!(lowered.is_ok(), "2^{bits} values on {limits:?}: {lowered:?}");
        }
    }
}

#[test]
fn kronecker_steps_take_one_launch_while_a_workgroup_holds_the_row_and_then_enough_workgroups_for_every_processor() {
    for bits in [10, 13, 14, 17, 18, 19, 20, 21, 22, 24] {
        let plan = Plan { ring: Ring::Real, ..kronecker_plan("walsh", bits) };
        let commands = lower(&plan, &fastest(&plan, Limits::DESKTOP), Limits::DESKTOP, KernelChoice::Fast).unwrap().commands;
        let groups: Vec<u32> = commands.iter().map(|command| command.groups[0]).collect();
        let expected = match bits {
            0..=13 => vec![1],
            14..=18 => vec![1 << (bits - 11); 2],
            19..=22 => vec![256; 2],
            _ => vec![1 << (bits - 14); 2],
        };
        assert_eq!(groups, expected, "2^{bits} values");
    }
}

#[test]
fn no_plan_makes_large_root_tables() {
    for build in TRANSFORMS.iter().flat_map(|transform| transform.algorithms).filter_map(|algorithm| algorithm.plan_fn()) {
        let plan = match build(Shape { rows: 1, columns: 1 << 20 }, Parameters::default()) {
            // A definition of this length takes too long, and has no roots in stages.
            Err(Unsupported::Terms { .. }) => continue,
            plan => plan.unwrap(),
        };
        let lowered = lower(&plan, &Schedule::by_stage(&plan), LIMITS, KernelChoice::Generic).unwrap();
        // A convolution goes there and back at twice the length; a cosine transform of Bluestein's length also has the roots of four times its own.
        assert!(lowered.roots.len() <= 1 + (4096 + 512) + (4096 + 1024), "{} roots", lowered.roots.len());
    }
}

#[test]
fn a_tile_that_does_not_fit_is_said() {
    let build = TRANSFORMS[0].algorithm("cooley-tukey-dif").unwrap().plan_fn().unwrap();
    let plan = build(Shape::line(4096), Parameters::default()).unwrap();
    let error = lower(&plan, &Schedule::tiled(&plan, 4096), LIMITS, KernelChoice::Fast).unwrap_err();
    assert_eq!(error, LowerError::Tile { launch: 0, lanes: 4096, fits: 2048 });
    assert!(lower(&plan, &fastest(&plan, LIMITS), LIMITS, KernelChoice::Fast).is_ok());
}

//! The fast Kronecker kernel runs where it should, and equals the CPU exactly at the sizes where rows have different schedules.
//!
//! Without an adapter these tests fail, and say what to install.

use crate::common::{GO, Grid, device, words};
use papillon::cpu::{self, CpuBackend};
use papillon::gpu::{KernelChoice, Limits, fastest, lower};
use papillon::plan::{Direction, IntegerWidth, Plan, Ring};
use papillon::schedule::{Launch, Schedule, Tile, components, spaced_tile};
use papillon::transforms::convolution::{Operands, dyadic};
use papillon::transforms::{Base, Parameters, RowOrder, Shape, transform};
use std::cell::LazyCell;

fn plan(name: &str, shape: Shape, parameters: Parameters) -> Plan {
    transform(name).unwrap().algorithm("cooley-tukey").unwrap().plan_fn().unwrap()(shape, parameters).unwrap()
}

/// Small integers that look random and are the same every time, all of them multiples of `unit`.
fn integers(n: usize, unit: i64) -> Vec<i64> {
    words(n).map(|word| unit * ((word >> 60) as i64 - 8)).collect()
}

/// Runs the fastest schedule over every ring that the grid takes, and compares with the CPU value by value.
fn check(grid: &mut Grid, name: &str, plan: &Plan, input: &[i64]) {
    let on_cpu = || {
        let plan = plan.clone().over(Ring::Integer(IntegerWidth::Bits64));
        cpu::run(&plan, &Schedule::by_stage(&plan), input, CpuBackend::Parallel, &GO).unwrap().0
    };
    let reduced =
        |values: Vec<i64>| values.into_iter().map(|value| if plan.ring == Ring::Gf2 { value & 1 } else { value }).collect::<Vec<_>>();
    let rings = match plan.ring {
        Ring::Gf2 => vec![Ring::Gf2],
        _ => vec![Ring::Integer(IntegerWidth::Bits32), Ring::Integer(IntegerWidth::Bits64), Ring::Real],
    };
    let expected = LazyCell::new(|| reduced(on_cpu()));
    for ring in rings {
        let plan = plan.clone().over(ring);
        let schedule = fastest(&plan, device().limits());
        // Where workgroups have more memory, tiles of bits may take all that the kernel takes here.
        let limits = Limits { workgroup_bytes: 32 << 10, ..device().limits() };
        let portable = fastest(&plan, limits);
        let lowered = lower::lower(&plan, &portable, limits, KernelChoice::Fast).unwrap();
        let fast = lowered.commands.iter().filter(|command| command.kernel.family == "kronecker").count();
        assert!(fast > 0, "{name} over {ring:?} has no fast launch: {portable:?}");
        if !grid.takes(&plan, &schedule, device().limits(), KernelChoice::Fast) {
            continue;
        }
        let prepared = device().prepare(&plan, &schedule).unwrap();
        prepared.upload(input, &GO).unwrap();
        prepared.spoil().unwrap();
        prepared.run(&GO).unwrap();
        let result: Vec<i64> = match ring {
            Ring::Real => prepared.download(&GO).unwrap().iter().map(|value| value.re as i64).collect(),
            _ => prepared.download_integers(0..plan.outputs, &GO).unwrap(),
        };
        let wrong = result.iter().zip(expected.iter()).position(|(value, exact)| value != exact);
        assert_eq!(wrong, None, "{name} over {ring:?}: {schedule:?}");
    }
}

#[test]
fn every_schedule_equals_the_cpu_value_by_value() {
    let mut grid = Grid::new();
    for (rows, columns) in [
        (1, 2),
        (3, 4),
        (5, 32),
        (2, 1 << 10),
        (3, 1 << 11),
        (1, 1 << 12),
        (3, 1 << 12),
        (1, 1 << 13),
        (2, 1 << 15),
        (1, 1 << 18),
        (1, 1 << 20),
        (1, 1 << 21),
        (32, 1 << 15),
    ] {
        for name in ["walsh", "reed-muller"] {
            check(
                &mut grid,
                &format!("{name} of {rows}×{columns}"),
                &plan(name, Shape { rows, columns }, Parameters::default()),
                &integers(rows * columns, 1),
            );
        }
    }
}

#[test]
fn other_matrices_orders_and_inverses_equal_the_cpu_value_by_value() {
    let mut grid = Grid::new();
    let (shape, inverse) = (Shape { rows: 3, columns: 1 << 13 }, Parameters { direction: Direction::Inverse, ..Parameters::default() });
    check(&mut grid, "inverse Walsh", &plan("walsh", shape, inverse), &integers(shape.len(), 1 << 13));
    for order in [RowOrder::Sequency, RowOrder::Dyadic] {
        check(&mut grid, "ordered Walsh", &plan("walsh", shape, Parameters { order, ..Parameters::default() }), &integers(shape.len(), 1));
    }
    check(&mut grid, "inverse arithmetic", &plan("arithmetic", shape, inverse), &integers(shape.len(), 1));
    for matrix in [[1.0, 1.0, -1.0, 1.0], [0.0, -1.0, 1.0, 0.0], [1.0, 0.0, 0.0, -2.0], [0.0, 0.0, 1.0, 1.0]] {
        let parameters = Parameters { matrix: Base(matrix), ..Parameters::default() };
        check(
            &mut grid,
            &format!("{matrix:?}"),
            &plan("kronecker", Shape { rows: 2, columns: 1 << 10 }, parameters),
            &integers(2 << 10, 1),
        );
    }
    // In natural order the bits of rows and columns are those of one line; other orders transpose the image.
    for (order, n_transposes) in [(RowOrder::Natural, 0), (RowOrder::Sequency, 2)] {
        let image = plan("walsh2", Shape { rows: 64, columns: 1 << 13 }, Parameters { order, ..Parameters::default() });
        check(&mut grid, "walsh2", &image, &integers(image.inputs, 1));
        let (limits, image) = (device().limits(), image.over(Ring::Real));
        let commands = lower::lower(&image, &fastest(&image, limits), limits, KernelChoice::Fast).unwrap().commands;
        let transposes = commands.iter().filter(|command| (command.kernel.family, command.kernel.ring) == ("transpose", Ring::Real));
        assert_eq!(transposes.count(), n_transposes);
    }
    let convolution = dyadic(Shape::line(1 << 10), Operands::Two).unwrap();
    let input: Vec<i64> = integers(convolution.inputs, 1).iter().map(|value| value & 1).collect();
    check(&mut grid, "dyadic convolution", &convolution, &input);
}

/// Runs a pyramid of some rows over a ring by kernels of these families, and compares every value with the CPU's.
fn check_pyramid((algorithm, families): (&str, &[&str]), shape: Shape, parameters: Parameters, ring: Ring, launches: usize) {
    let build = transform("haar").unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
    let plan = build(shape, parameters).unwrap();
    let input = integers(plan.inputs, 1);
    let values: Vec<f32> = input.iter().map(|&value| value as f32).collect();
    let real = plan.clone().over(Ring::Real);
    let (expected, _) = cpu::run(&real, &Schedule::by_stage(&real), &values, CpuBackend::Parallel, &GO).unwrap();
    let plan = plan.over(ring);
    let schedule = fastest(&plan, device().limits());
    if shape.len() < 1 << 17 {
        assert_eq!(schedule.check(&plan), Ok(()), "{schedule:?}");
    }
    let prepared = device().prepare(&plan, &schedule).unwrap();
    assert!(prepared.commands().iter().all(|command| families.contains(&command.kernel.family)), "{schedule:?}");
    assert_eq!(prepared.commands().len(), launches, "{schedule:?}");
    let uploaded = match ring {
        Ring::Real => prepared.upload(&values, &GO),
        _ => prepared.upload(&input, &GO),
    };
    uploaded.unwrap();
    prepared.spoil().unwrap();
    prepared.run(&GO).unwrap();
    let result = match ring {
        Ring::Real => prepared.download(&GO).unwrap().iter().map(|value| value.re).collect(),
        _ => prepared.download_integers(0..plan.outputs, &GO).unwrap().iter().map(|&value| value as f32).collect::<Vec<_>>(),
    };
    assert_eq!(
        result.iter().zip(expected.iter()).position(|(value, exact)| value != exact),
        None,
        "{shape:?} over {ring:?}, {parameters:?}"
    );
}

#[test]
fn pyramids_of_few_launches_equal_the_cpu_value_by_value() {
    let inverse = Parameters { direction: Direction::Inverse, ..Parameters::default() };
    for (rows, columns) in [(1, 4), (3, 8), (5, 1 << 7), (2, 1 << 11), (1, 1 << 12), (3, 1 << 13), (1, 1 << 16), (1, 1 << 21)] {
        let (shape, launches) = (Shape { rows, columns }, if columns > 1 << 12 { 2 } else { 1 });
        for ring in [Ring::Real, Ring::Integer(IntegerWidth::Bits32)] {
            check_pyramid(("constant-geometry", &["haar"]), shape, Parameters::default(), ring, launches);
        }
        // The inverse halves values, which are real then, and takes a single launch.
        check_pyramid(("constant-geometry", &["haar"]), shape, inverse, Ring::Real, 1);
    }
}

#[test]
fn launches_are_few_legal_and_in_place() {
    let limits = device().limits();
    let walsh = |log: u32| plan("walsh", Shape::line(1 << log), Parameters::default()).over(Ring::Real);
    for (log, launches) in [(12, 1), (13, 1), (14, 2), (18, 2), (20, 2), (24, 2)] {
        let plan = walsh(log);
        let lowered = lower::lower(&plan, &fastest(&plan, limits), limits, KernelChoice::Fast).unwrap();
        assert_eq!(lowered.commands.len(), launches, "2^{log}");
        assert!(lowered.commands.iter().all(|command| command.kernel.family == "kronecker"));
        assert!(lowered.commands[1..].iter().all(|command| command.source == command.sink));
    }
    // A workgroup of 512 threads takes a bit more, where that spares a launch.
    let rows = plan("walsh", Shape { rows: 32, columns: 1 << 15 }, Parameters::default()).over(Ring::Real);
    for (plan, [wide, narrow]) in [(walsh(25).over(Ring::Gf2), [2, 3]), (rows, [1, 2])] {
        let launches = |max_invocations| fastest(&plan, Limits { max_invocations, ..limits }).launches.len();
        assert_eq!([launches(1024), launches(256)], [wide, narrow]);
    }
    let convolution = dyadic(Shape::line(1 << 13), Operands::Two).unwrap().over(Ring::Real);
    for plan in [walsh(13), walsh(16), convolution] {
        let schedule = fastest(&plan, limits);
        assert_eq!(schedule.check(&plan), Ok(()), "{schedule:?}");
        for Launch { stages, tile } in schedule.launches {
            let Tile::Strided { points, .. } = tile else { continue };
            let derived = components(&plan, stages.clone());
            // A run may begin with products, which give one result each.
            let first = &plan.stages[stages.start];
            assert_eq!(derived.iter().flatten().max().unwrap() + 1, first.matrix().rows * first.n_butterflies() / points);
        }
    }
}

#[test]
fn threads_of_a_subgroup_exchange_by_shuffles_and_others_meet() {
    let limits = device().limits();
    let texts = |log: u32, ring: Ring, subgroup: usize| {
        let (plan, limits) = (plan("walsh", Shape::line(1 << log), Parameters::default()).over(ring), Limits { subgroup, ..limits });
        let commands = lower::lower(&plan, &fastest(&plan, limits), limits, KernelChoice::Fast).unwrap().commands;
        commands.iter().map(|command| command.kernel.text()).collect::<String>()
    };
    for (log, ring, subgroup, shuffles) in [
        (10, Ring::Real, 8, true),
        (11, Ring::Real, 8, true),
        (11, Ring::Real, 1, false),
        (24, Ring::Real, 32, true),
        (24, Ring::Gf2, 32, true),
        // A shuffle moves 4 bytes, and a subgroup that is no part of a workgroup has other threads than those of the line.
        (24, Ring::Integer(IntegerWidth::Bits64), 32, false),
        (3, Ring::Real, 32, false),
    ] {
        let [with, without] = [subgroup, 1].map(|subgroup| texts(log, ring, subgroup));
        assert_eq!(with.contains("subgroupShuffleXor"), shuffles, "2^{log} over {ring:?}, subgroups of {subgroup}");
        let barriers = |text: &str| text.matches("workgroupBarrier").count();
        assert_eq!(barriers(&with) < barriers(&without), shuffles);
    }
    // The other tests of this file run these kernels where the device has them.
    assert_eq!(texts(11, Ring::Real, limits.subgroup).contains("subgroupShuffleXor"), limits.subgroup > 1);
}

#[test]
fn late_steps_of_a_pyramid_in_place_are_one_launch() {
    let inverse = Parameters { direction: Direction::Inverse, ..Parameters::default() };
    // Steps on neighbours, steps on lanes far apart, and the permutation.
    for (rows, columns, launches) in [(3, 1 << 13, 3), (1, 1 << 16, 3), (1, 1 << 21, 3)] {
        for parameters in [Parameters::default(), inverse] {
            check_pyramid(("cooley-tukey", &["level order", "stage"]), Shape { rows, columns }, parameters, Ring::Real, launches);
        }
    }
}

#[test]
fn a_first_launch_on_lanes_far_apart_keeps_the_lanes_between() {
    let build = transform("haar").unwrap().algorithm("cooley-tukey").unwrap().plan_fn().unwrap();
    let whole = build(Shape { rows: 2, columns: 64 }, Parameters::default()).unwrap().over(Ring::Real);
    let plan = Plan { stages: whole.stages[3..6].to_vec(), ..whole };
    let values: Vec<f32> = integers(plan.inputs, 1).iter().map(|&value| value as f32).collect();
    let (expected, _) = cpu::run(&plan, &Schedule::by_stage(&plan), &values, CpuBackend::Parallel, &GO).unwrap();
    let schedule = Schedule { launches: vec![Launch { stages: 0..3, tile: spaced_tile(&plan, 0..3, 8).unwrap() }] };
    assert_eq!(schedule.check(&plan), Ok(()));
    let prepared = device().prepare(&plan, &schedule).unwrap();
    prepared.upload(&values, &GO).unwrap();
    prepared.spoil().unwrap();
    prepared.run(&GO).unwrap();
    let result: Vec<f32> = prepared.download(&GO).unwrap().iter().map(|value| value.re).collect();
    assert_eq!(result, expected);
}

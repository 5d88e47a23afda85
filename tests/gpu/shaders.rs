//! Every shader, with every set of constants in use, is valid WGSL. By default only kernels with a line that no other has are read.

use crate::common::Grid;
use naga::valid::{Capabilities, ShaderStages, SubgroupOperationSet, ValidationFlags, Validator};
use papillon::gpu::lower::lower;
use papillon::gpu::{Kernel, KernelChoice, Limits, fastest, service_kernels};
use papillon::plan::{Direction, Precision, Ring};
use papillon::schedule::{BlockScheme, Schedule, SplitAndMerge};
use papillon::transforms::{Parameters, Shape, TRANSFORMS, transform};
use std::collections::HashSet;

/// The limits that nearly every adapter has, and those of a roomy one.
const LIMITS: [Limits; 2] = [
    Limits { workgroup_bytes: 32 << 10, max_invocations: 256, max_groups: 65_535, subgroup: 1, precision: Precision::Single },
    Limits { workgroup_bytes: 48 << 10, max_invocations: 1024, max_groups: 65_535, subgroup: 32, precision: Precision::Single },
];

/// Lengths at which kernels made for stages are read too: they differ from length to length, and these show all their forms.
const FEW: [usize; 4] = [8, 1024, 12, 97];

/// The kernels of every plan of the table in its fastest schedule, forward, inverse or of several rows; at a few lengths all three in every kind of schedule, with and without fast kernels.
fn kernels() -> HashSet<Kernel> {
    let precisions = [Precision::Single, Precision::Double];
    let mut kernels: HashSet<Kernel> = precisions.into_iter().flat_map(service_kernels).collect();
    for build in TRANSFORMS.iter().flat_map(|transform| transform.algorithms).filter_map(|algorithm| algorithm.plan_fn()) {
        let lengths = (0..=16).map(|log| 1 << log).chain([3, 5, 6, 7, 12, 13, 15, 17, 60, 97, 210, 1001, 15_625, 65_537]);
        for (number, columns) in lengths.enumerate() {
            let kinds = [(1, Direction::Forward), (4, Direction::Forward), (1, Direction::Inverse)];
            let is_taken = |place| place == number % 3 || FEW.contains(&columns);
            for (rows, direction) in (0..3).filter(|&place| is_taken(place)).map(|place| kinds[place]) {
                let Ok(plan) = build(Shape { rows, columns }, Parameters { direction, ..Parameters::default() }) else { continue };
                for limits in LIMITS.into_iter().flat_map(|limits| precisions.map(|precision| limits.in_precision(precision))) {
                    let is_few = FEW.contains(&columns);
                    let mut schedules = vec![fastest(&plan, limits)];
                    if is_few {
                        let in_squares = SplitAndMerge { scheme: BlockScheme::Square, ..SplitAndMerge::default() };
                        let in_sections = [SplitAndMerge::default(), in_squares].map(|how| Schedule::split_and_merge(&plan, how));
                        schedules.extend([Schedule::by_stage(&plan), Schedule::tiled(&plan, 1024)].into_iter().chain(in_sections));
                    }
                    let choices = if is_few { &[KernelChoice::Fast, KernelChoice::Generic][..] } else { &[KernelChoice::Fast] };
                    for (schedule, &choice) in schedules.iter().flat_map(|schedule| choices.iter().map(move |choice| (schedule, choice))) {
                        let commands = lower(&plan, schedule, limits, choice).into_iter().flat_map(|lowered| lowered.commands);
                        kernels.extend(commands.map(|command| command.kernel).filter(|kernel| is_few || kernel.family != "stage"));
                    }
                }
            }
        }
    }
    // Blocks of what blocks have left, of a device with small workgroups.
    let build = transform("tridiagonal").unwrap().first_plan().plan_fn().unwrap();
    let plan = build(Shape::line(1 << 23), Parameters::default()).unwrap();
    for limits in precisions.map(|precision| Limits { max_invocations: 128, ..LIMITS[0] }.in_precision(precision)) {
        let lowered = lower(&plan, &fastest(&plan, limits), limits, KernelChoice::Fast).unwrap();
        assert_eq!(lowered.commands.len(), 5, "twice reduced");
        kernels.extend(lowered.commands.into_iter().map(|command| command.kernel));
    }
    kernels
}

#[test]
fn every_shader_is_valid() {
    let kernels = kernels();
    assert!(kernels.len() > 80, "only {} kernels are in use", kernels.len());
    let transposes = |ring: fn(Ring) -> bool, precision| {
        kernels.iter().any(|kernel| kernel.family == "transpose" && ring(kernel.ring) && kernel.precision == precision)
    };
    for precision in [Precision::Single, Precision::Double] {
        assert!(transposes(|ring| ring == Ring::Complex, precision), "no plan transposes in {precision:?} precision");
    }
    assert!(transposes(|ring| ring != Ring::Complex, Precision::Single), "no real plan does");
    let capabilities = Capabilities::default() | Capabilities::SHADER_INT64 | Capabilities::FLOAT64 | Capabilities::SUBGROUP;
    let mut grid = Grid::new();
    for kernel in kernels.into_iter().filter(|kernel| grid.takes_text(kernel)) {
        let source = kernel.text();
        let module = naga::front::wgsl::parse_str(&source).unwrap_or_else(|error| panic!("{kernel:?}: {}", error.emit_to_string(&source)));
        let entry = kernel.entry_point;
        assert!(module.entry_points.iter().any(|point| point.name == entry), "{kernel:?} has no entry {entry}");
        let checked = Validator::new(ValidationFlags::all(), capabilities)
            .subgroup_stages(ShaderStages::COMPUTE)
            .subgroup_operations(SubgroupOperationSet::all())
            .validate(&module);
        checked.unwrap_or_else(|error| panic!("{kernel:?}: {}", error.emit_to_string(&source)));
    }
}

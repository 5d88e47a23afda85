//! Every plan that has a fast kernel gets it: a stride that drifts must not fall to the slow kernel in silence.
//!
//! Lowering is pure data, so these tests need no device.

use papillon::gpu::{Kernel, KernelChoice, Limits, fastest, lower};
use papillon::plan::{Direction, Precision};
use papillon::transforms::{Parameters, Shape, every_transform};

const LIMITS: Limits =
    Limits { workgroup_bytes: 48 << 10, max_invocations: 1024, max_groups: 65_535, subgroup: 32, precision: Precision::Single };

fn family(kernel: &Kernel) -> &'static str {
    match kernel {
        Kernel::Stage { .. } => "stage",
        Kernel::Fft(_) => "fft",
        Kernel::Kronecker(_) => "kronecker",
        Kernel::Haar(_) => "haar",
        Kernel::Tridiagonal(_) => "tridiagonal",
        Kernel::Lifting(_) => "lifting",
        Kernel::LiftingImage(_) | Kernel::LiftingLevel(_) => "lifting image",
        Kernel::FilterBank(_) => "filter bank",
        Kernel::FilterBankImage(_) => "filter bank image",
        Kernel::SplitMerge(_) => "split-merge",
        Kernel::Lifting2d(_) => "lifting 2d",
        Kernel::Transpose(..) => "transpose",
        _ => "other",
    }
}

#[test]
fn print() {
    for transform in every_transform() {
        for algorithm in transform.algorithms {
            let Some(build) = algorithm.plan_fn() else { continue };
            for (rows, columns) in [(1, 1024), (4, 4096), (1, 1 << 20), (512, 512), (1, 1000), (24, 45), (1, 97)] {
                for direction in [Direction::Forward, Direction::Inverse] {
                    for lines in [papillon::transforms::Lines::Rows, papillon::transforms::Lines::Columns] {
                        let Ok(plan) = build(Shape { rows, columns }, Parameters { direction, lines, ..Parameters::default() }) else {
                            continue;
                        };
                        let rings = [plan.ring, papillon::plan::Ring::Real];
                        for ring in &rings[..if plan.ring.is_exact() { 2 } else { 1 }] {
                            let plan = plan.clone().over(*ring);
                            let lowered = lower::lower(&plan, &fastest(&plan, LIMITS), LIMITS, KernelChoice::Fast).unwrap();
                            let mut families: Vec<String> = Vec::new();
                            for command in &lowered.commands {
                                families.push(format!("{}:{}", family(&command.kernel), command.stages.len()));
                            }
                            println!(
                                "@{} {} {rows}x{columns} {direction:?} {lines:?} {ring:?} -> {}",
                                transform.name,
                                algorithm.name,
                                families.join(" ")
                            );
                        }
                    }
                }
            }
        }
    }
}

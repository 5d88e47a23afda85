//! Tests of what the fast Fourier kernel supports, and of its text.

use super::run::EXCHANGE_BYTES;
use super::shape::{Along, PORTABLE_THREADS};
use super::*;
use crate::gpu::limits::Limits;
use crate::plan::{Coef, Direction, Extension, Operation, Plan, Stage, Twiddle};
use crate::transforms::{Parameters, Shape, transform};

fn plan(algorithm: &str, rows: usize, columns: usize, direction: Direction) -> Plan {
    let build = transform("dft").unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
    build(Shape { rows, columns }, Parameters { direction, ..Parameters::default() }).unwrap()
}

#[test]
fn every_row_up_to_the_longest_is_recognised_and_fits_every_adapter() {
    for algorithm in ["stockham", "stockham-8", "stockham-4", "stockham-2", "stockham-dit-8", "stockham-dit-2"] {
        for points in (1..=13).map(|log| 1 << log) {
            for (rows, direction, scale) in [(1, Direction::Forward, 1.0), (5, Direction::Inverse, 1.0 / points as f64)] {
                let plan = plan(algorithm, rows, points, direction);
                let run = recognise(&plan.stages, plan.lanes).unwrap();
                assert_eq!((run.row, run.points(), run.rows, run.scale), (points, points, rows, scale));
                let shape = run.clone().on(Limits { workgroup_bytes: 32 << 10, ..Limits::DESKTOP }).rows_shape();
                assert!(shape.threads() <= PORTABLE_THREADS && shape.workgroup_bytes() <= 32 << 10, "{shape:?}");
                // Two taps look the same in both directions, and nothing else tells.
                assert!(run.direction == direction || points == 2);
            }
        }
    }
}

#[test]
fn a_part_of_a_long_row_is_a_run_of_lines() {
    let plan = plan("stockham", 3, 1 << 16, Direction::Forward);
    let run = recognise(&plan.stages[2..], plan.lanes).unwrap();
    assert_eq!((run.points(), run.span, run.row, run.order(), run.lines_per_row()), (256, 256, 1 << 16, 256, 256));
    assert!(run.in_place() && !run.columns_shape(16, true).goes_on);
    let run = recognise(&plan.stages[..2], plan.lanes).unwrap();
    let shape = run.columns_shape(16, false);
    assert_eq!((shape.load, shape.store, shape.goes_on, shape.rounds), (Along::Across, Along::Line, true, 1));
    // Lines that no cache holds are exchanged in rounds, so that more workgroups fit on a processor.
    let large = StockhamRun { rows: 64, ..run }.columns_shape(16, false);
    assert!((large.rounds, large.workgroup_bytes() <= EXCHANGE_BYTES) == (2, true), "{large:?}");
    // Threads across 16 lines and two points, 17 elements apart, meet every bank once.
    let banks: std::collections::HashSet<usize> = (0..32).map(|i| (i % 16 * shape.pitch() + i / 16 * 17) % 32).collect();
    assert_eq!(banks.len(), 32);
}

#[test]
fn whatever_else_is_left_to_the_generic_kernel() {
    let plan = plan("stockham-4", 3, 64, Direction::Inverse);
    let changes: [fn(&mut Stage); 10] = [
        |stage| stage.outer.n -= 1,
        |stage| stage.group.read += 1,
        |stage| stage.positions /= 2,
        |stage| stage.read.hop += 1,
        |stage| stage.read.extension = Extension::Periodic,
        |stage| stage.write.advance += 1,
        |stage| stage.write.reversed_bits = 6,
        |stage| stage.twiddle = None,
        |stage| {
            stage.twiddle =
                Some(Twiddle::Root { modulus: 16, row: [1, 0, 0], column: [1, 0, 0], direction: Direction::Forward, reversed: 0 })
        },
        |stage| stage.operation = Operation::Linear(crate::plan::Matrix::from_fn(4, 4, |_, _| Coef::ONE)),
    ];
    for (index, change) in changes.into_iter().enumerate() {
        let mut stages = plan.stages.clone();
        change(&mut stages[1]);
        assert_eq!(recognise(&stages, plan.lanes), None, "change {index}");
    }
    assert_eq!(recognise(&[], plan.lanes), None);
}

#[test]
fn the_text_exchanges_between_two_stages_and_has_every_butterfly() {
    let plan = plan("stockham-8", 1, 4096, Direction::Forward);
    let run = StockhamRun { rows: 1024, ..recognise(&plan.stages, plan.lanes).unwrap() };
    let shape = run.rows_shape();
    let text = Kernel::new("fft", "fft.wgsl", Ring::Complex, data::FftData::new(&shape)).text();
    let body = text.split("let first =").nth(1).unwrap();
    // Four stages of two butterflies a thread; three exchanges of two parts in two rounds, all but the first behind two barriers.
    assert_eq!((shape.rounds, body.matches("radix8(").count()), (2, 4 * 2));
    assert_eq!(body.matches("workgroupBarrier").count(), 3 * 2 * 2 * 2 - 1);
    assert_eq!((body.matches("= input[").count(), body.matches("output[").count()), (16, 16));
}

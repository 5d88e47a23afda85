//! Plans that take or give fewer values than they have lanes: reference, CPU, GPU and drawing agree, alone and in batches.

use num_complex::{Complex32, Complex64};
use papillon::cpu::{self, CpuBackend};
use papillon::gpu::{AdapterChoice, Device, GpuError, KernelChoice};
use papillon::graph::{GraphFormat, GraphNode, GraphOptions, GraphRequest, LabelKind, export, layout};
use papillon::plan::{Coef, Extension, LaneValue, Loop, Matrix, Operation, Plan, ReadPattern, ResultOrder, Ring, Stage, WritePattern};
use papillon::schedule::{IllegalSchedule, Schedule};
use std::sync::atomic::AtomicBool;

static GO: AtomicBool = AtomicBool::new(false);

/// Every one of `n` results takes `taps` of the first `len` lanes, from its own on; what is past them counts as zero.
fn sliding(n: usize, taps: usize, len: usize) -> Stage {
    Stage {
        label: format!("{taps} of {len}"),
        outer: Loop::ONCE,
        group: Loop::ONCE,
        positions: n,
        read: ReadPattern { extension: Extension::Zero, ..ReadPattern::in_order(len) },
        write: WritePattern::IN_ORDER,
        operation: Operation::Linear(Matrix::from_fn(1, taps, |_, k| Coef::Real(1.0 + 0.5 * k as f64))),
        twiddle: None,
    }
}

/// Five values are padded to eight, filtered, written over in part, and three are given.
fn padded(rows: usize) -> Plan {
    let stages = vec![sliding(8, 1, 5), sliding(8, 3, 8), sliding(4, 2, 8), sliding(3, 4, 6)];
    Plan::new(Ring::Complex, 8, stages, ResultOrder::Natural).with_ends(5, 3).batched(rows)
}

fn values(n: usize) -> Vec<Complex32> {
    (0..n).map(|i| Complex32::new((i * i % 7) as f32 - 2.0, (i % 3) as f32)).collect()
}

fn double(values: &[Complex32]) -> Vec<Complex64> {
    values.iter().map(|value| Complex64::new(value.re.into(), value.im.into())).collect()
}

fn schedules(plan: &Plan) -> [Schedule; 3] {
    [Schedule::by_stage(plan), Schedule::tiled(plan, 8), Schedule::tiled(plan, 1024)]
}

#[test]
fn every_way_gives_the_same() {
    let device = Device::open(&AdapterChoice::Any).unwrap_or_else(|error| panic!("{error}"));
    let matrix = padded(1).matrix();
    for rows in [1, 2, 5] {
        let (plan, input) = (padded(rows), values(5 * rows));
        let dot = |line: &[Complex64], row: &Vec<Complex64>| row.iter().zip(line).map(|(weight, x)| weight * x).sum::<Complex64>();
        let expected: Vec<Complex64> = double(&input).chunks(5).flat_map(|line| matrix.iter().map(move |row| dot(line, row))).collect();
        assert_eq!(plan.run(&double(&input)), expected);
        for schedule in schedules(&plan) {
            assert_eq!(schedule.check(&plan), Ok(()));
            for way in CpuBackend::ALL {
                assert_eq!(double(&cpu::run(&plan, &schedule, &input, way, &GO).unwrap().0), expected, "{way:?}");
            }
            let prepared = device.prepare_with(&plan, &schedule, KernelChoice::Fast).unwrap();
            prepared.upload(&input, &GO).unwrap();
            prepared.spoil().unwrap();
            prepared.run(&GO).unwrap();
            assert_eq!(double(&prepared.download(&GO).unwrap()), expected, "{schedule:?}");
            assert_eq!(double(&prepared.download_range(1..3, &GO).unwrap()), expected[1..3]);
        }
    }
}

#[test]
fn the_ends_are_kept_to() {
    let device = Device::open(&AdapterChoice::Any).unwrap_or_else(|error| panic!("{error}"));
    let plan = padded(2);
    let prepared = device.prepare(&plan, &Schedule::by_stage(&plan)).unwrap();
    assert_eq!(prepared.outputs(), 6);
    assert_eq!(prepared.upload(&values(16), &GO).unwrap_err(), GpuError::Length { needed: 10, given: 16 });
    assert!(matches!(prepared.download_range(0..7, &GO), Err(GpuError::Length { needed: 6, given: 7 })));
    let mut wrong = padded(1);
    wrong.stages[0] = sliding(8, 1, 6);
    let found = Schedule::by_stage(&wrong).check(&wrong);
    assert_eq!(found, Err(IllegalSchedule::Unwritten { stage: 0, lane: 5 }));
}

#[test]
fn the_drawing_shows_what_exists() {
    let plan = padded(1);
    let drawing = layout(GraphRequest { schedule: Schedule::by_stage(&plan), plan: plan.clone(), options: GraphOptions::default() });
    let count = |kind: fn(LabelKind) -> bool| drawing.labels.iter().filter(|label| kind(label.kind)).count();
    assert_eq!(count(|kind| matches!(kind, LabelKind::Input { .. })), 5);
    assert_eq!(count(|kind| matches!(kind, LabelKind::Output { .. })), 3);
    let lanes = |column: usize| (0..8).filter(|&lane| drawing.exists(GraphNode { column, lane })).count();
    // The third stage writes four lanes, and the fourth reads two more, carried past it.
    assert_eq!([0, 1, 2, 3, 4].map(lanes), [5, 8, 8, 6, 3]);
    assert_eq!(drawing.cone(GraphNode { column: 3, lane: 5 }).sources(0), [] as [usize; 0]);
    assert_eq!(drawing.cone(GraphNode { column: 3, lane: 4 }).sources(0), [4]);
    let text = export(GraphFormat::Json, &drawing.request, Some(&values_after(&plan))).unwrap();
    let file: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let length = |key: &str| file[key].as_array().unwrap().len();
    assert_eq!((length("inputs"), length("outputs"), file["lanes"].as_u64()), (5, 3, Some(8)));
    assert!(file["values"][2][5].is_array() && file["values"][2][6].is_null());
}

fn values_after(plan: &Plan) -> Vec<Vec<LaneValue>> {
    let after = |n: usize| plan.run_stages(&double(&values(plan.inputs)), n).into_iter().map(LaneValue::from).collect();
    (1..=plan.stages.len()).map(after).collect()
}

//! Reed-Muller plans on words of many values equal the same plans on single values, on the CPU and on the GPU.

use papillon::cpu::{self, Bit, CpuBackend, Word};
use papillon::engine::{Cut, DeviceChoice, Devices, EngineError, Job, compute};
use papillon::gpu::{AdapterChoice, Device};
use papillon::plan::{Direction, Plan};
use papillon::schedule::Schedule;
use papillon::signal::{Channel, ChannelChoice, Samples, Signal, SignalKind};
use papillon::transforms::{Parameters, Shape, transform};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

static GO_ON: AtomicBool = AtomicBool::new(false);
const SHAPES: [(usize, usize); 6] = [(1, 128), (1, 1 << 10), (3, 256), (5, 1 << 11), (1, 1 << 14), (1, 1 << 21)];

fn plan(algorithm: &str, rows: usize, columns: usize) -> Plan {
    let build = transform("reed-muller").unwrap().algorithm(algorithm).unwrap().plan_fn().unwrap();
    build(Shape { rows, columns }, Parameters::default()).unwrap()
}

fn values(n: usize) -> Vec<u8> {
    let mut state = 7_u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 63) as u8
    };
    (0..n).map(|_| next()).collect()
}

fn packed(values: &[u8]) -> Vec<u64> {
    values.chunks(64).map(|word| word.iter().enumerate().map(|(bit, &value)| u64::from(value) << bit).sum()).collect()
}

/// One value at a time, in the order of the textbook: bit after bit of the index.
fn polynomial(mut values: Vec<u8>, columns: usize) -> Vec<u8> {
    for row in values.chunks_mut(columns) {
        for digit in 0..columns.ilog2() {
            for index in (0..columns).filter(|index| index >> digit & 1 == 1) {
                row[index] ^= row[index ^ 1 << digit];
            }
        }
    }
    values
}

#[test]
fn words_and_single_values_give_the_same_polynomial() {
    let device = Device::open(&AdapterChoice::Any).unwrap();
    for (rows, columns) in SHAPES {
        let plan = plan("cooley-tukey", rows, columns);
        let values = values(plan.lanes);
        let expected = packed(&polynomial(values.clone(), columns));
        let words = plan.bit_packed(Word::BITS).unwrap();
        let input: Vec<Word> = bytemuck::cast_vec(packed(&values));
        for way in CpuBackend::ALL {
            let mut arrays = cpu::LaneArrays::default();
            arrays.load(&words.plan, &input);
            let micros = cpu::run_bit_packed(&mut arrays, &words, &cpu::fast_schedule(&words.plan), way, &GO_ON).unwrap();
            let found = arrays.lanes();
            assert!(bytemuck::cast_slice::<_, u64>(found) == expected, "{rows} × {columns} by {way:?}");
            assert_eq!(micros.len(), 1);
        }
        if columns <= 1 << 14 {
            let single: Vec<Bit> = values.iter().map(|&value| Bit::of(value.into())).collect();
            let (single, _) = cpu::run(&plan, &Schedule::by_stage(&plan), &single, CpuBackend::Parallel, &GO_ON).unwrap();
            let single: Vec<u8> = single.into_iter().map(|bit| i64::from(bit) as u8).collect();
            assert!(packed(&single) == expected, "{rows} × {columns}, value by value");
        }
        let words = plan.bit_packed(32).unwrap();
        let (prepared, schedule) = device.prepare_words(&words).unwrap();
        prepared.upload_words(&packed(&values), &GO_ON).unwrap();
        prepared.spoil().unwrap();
        // The input stays, so that a run can be repeated.
        for _ in 0..2 {
            prepared.run(&GO_ON).unwrap();
            assert!(prepared.download_words(&GO_ON).unwrap() == expected, "{rows} × {columns} on the GPU");
        }
        if plan.lanes <= 1 << 11 {
            schedule.unpacked(&words).check(&plan).unwrap();
        }
    }
}

#[test]
fn plans_that_words_do_not_hold_are_distinguished() {
    assert!(plan("cooley-tukey", 1, 64).bit_packed(64).is_none(), "no step between words is left");
    assert!(plan("cooley-tukey", 2, 64).bit_packed(32).is_some());
    assert!(plan("constant-geometry", 1, 1024).bit_packed(32).is_none(), "it moves values across words");
    let whole = plan("cooley-tukey", 1, 1024);
    for range in [0..9, 1..10, 0..4] {
        let part = Plan { stages: whole.stages[range.clone()].to_vec(), ..whole.clone() };
        assert_eq!(part.bit_packed(32).is_some(), range.end == 10, "{range:?}");
    }
    let walsh = transform("walsh").unwrap().first_plan().plan_fn().unwrap();
    assert!(walsh(Shape::line(1024), Parameters::default()).unwrap().bit_packed(32).is_none());
}

#[test]
fn jobs_are_packed_whatever_their_samples_are() {
    let (rows, columns) = (3, 512);
    let values = values(rows * columns);
    let expected = polynomial(values.clone(), columns);
    let job = |samples: Samples, cut, device| Job {
        signal: Arc::new(Signal::from_channels("f", SignalKind::Rows, (rows, columns), vec![Channel::new("value", samples)])),
        second: None,
        channel: ChannelChoice::Luma,
        transform: "reed-muller",
        algorithm: None,
        parameters: Parameters { direction: Direction::Forward, ..Parameters::default() },
        cut,
        device,
        precision: None,
        prefer_plan: false,
        preparation: Default::default(),
    };
    let kinds = [
        Samples::U8(values.clone()),
        Samples::U16(values.iter().map(|&value| 6 + u16::from(value)).collect()),
        Samples::I32(values.iter().map(|&value| -i32::from(value)).collect()),
        Samples::I64(values.iter().map(|&value| i64::from(value) - 4).collect()),
        Samples::F32(values.iter().map(|&value| f32::from(value)).collect()),
        Samples::F64(values.iter().map(|&value| f64::from(value) + 2.0).collect()),
    ];
    let mut devices = Devices::default();
    for samples in kinds {
        for device in [DeviceChoice::Cpu, DeviceChoice::CpuStrided, DeviceChoice::CpuParallel, DeviceChoice::Gpu] {
            for cut in [Cut::Tiles, Cut::Stages] {
                let computed = compute(&job(samples.clone(), cut, device.clone()), &mut devices, &GO_ON).unwrap();
                let outcome = &computed.outcome;
                // The paper's loops take single values.
                assert_eq!(outcome.packed, cut == Cut::Tiles && device != DeviceChoice::CpuStrided);
                assert!(outcome.reason.contains("modulo 2"), "{}", outcome.reason);
                let (plan, schedule) = (outcome.plan.clone().unwrap(), outcome.schedule.clone().unwrap());
                schedule.check(&plan).unwrap();
                assert_eq!(schedule.launches.len(), outcome.times.launch_micros.len());
                let n_bytes = outcome.launch_bytes(0).unwrap();
                assert!(!outcome.packed || n_bytes <= 2 * (rows * columns) as u64 / 8, "{n_bytes} bytes");
                assert_eq!(computed.into_samples(&GO_ON).unwrap(), Samples::U8(expected.clone()), "{cut:?} on {device}");
            }
        }
    }
    let half = Samples::F32(values.iter().map(|&value| f32::from(value) / 2.0).collect());
    let error = compute(&job(half, Cut::Tiles, DeviceChoice::Cpu), &mut devices, &GO_ON).err().unwrap();
    assert!(matches!(error, EngineError::Fractions { .. }), "{error}");
}

//! The bench as a judge: wrong results are called wrong, right ones right, and what it says of its times holds.

use num_complex::Complex32;
use papillon::bench::{
    CacheState, CaseMaker, CaseRunner, Record, Sweep, SweepData, SweepEnd, SweepLine, SweepRequest, SweepSettings, benchmark_case, run,
    run_with, start_sweeps, table, warnings,
};
use papillon::engine::{Deviation, DeviceChoice, Devices, EngineError, Measured, Outcome, Times, TimingLock, TimingReason, Values, locked};
use papillon::gpu::{AdapterInfo, Clock, Sample};
use papillon::transforms::{Shape, linear_transforms};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

static GO: AtomicBool = AtomicBool::new(false);

fn quick() -> SweepSettings {
    SweepSettings { repeat: 2, ..SweepSettings::default() }
}

fn sweep(lines: Vec<SweepLine>, settings: SweepSettings) -> Sweep {
    Sweep { name: "test".into(), experiment: None, differences: Vec::new(), lines, settings }
}

fn measured(sweep: &Sweep) -> Record {
    run(sweep, &mut Devices::default(), &mut |_, _| {}, &GO)
}

#[test]
fn every_transform_of_the_table_is_measured_right_on_every_way() {
    let devices = [DeviceChoice::Gpu, DeviceChoice::Cpu, DeviceChoice::CpuStrided, DeviceChoice::CpuParallel];
    let shape = Shape { rows: 16, columns: 16 };
    let line = |name: &str, device: &DeviceChoice| SweepLine::new(name, device.clone(), vec![shape]);
    let lines: Vec<SweepLine> =
        linear_transforms().flat_map(|transform| devices.iter().map(|device| line(transform.name, device))).collect();
    for data in [SweepData::Noise, SweepData::Bits] {
        let record = measured(&sweep(lines.clone(), SweepSettings { repeat: 1, data, ..quick() }));
        assert_eq!((record.measurements.len(), record.failures.as_slice(), record.end), (lines.len(), &[][..], SweepEnd::Complete));
        for case in &record.measurements {
            let what = format!("{} on {}", lines[case.line].transform, case.device);
            assert!(case.is_right(), "{what}: {} above {}", case.error, case.tolerance);
            assert!(case.operations > 0.0 && case.bytes_once > 0 && case.copy_micros.unwrap() > 0.0, "{what}");
            assert_eq!(case.launch_copies_micros.is_some_and(|copies| copies > 0.0), case.n_launches > 0, "{what}");
            assert_eq!(case.on_gpu, case.part(|trip| trip.upload).median > 0.0, "{what}");
        }
    }
}

/// A benchmark case of the engine, but with one wrong value in its results.
struct Spoiled(Box<dyn CaseRunner>);

impl CaseRunner for Spoiled {
    fn outcome(&self) -> &Outcome {
        self.0.outcome()
    }

    fn round_trip(&mut self, devices: &mut Devices, cancel: &AtomicBool) -> Result<Times, EngineError> {
        self.0.round_trip(devices, cancel)
    }

    fn kernels(&mut self, n: usize, clock: Clock, devices: &mut Devices, cancel: &AtomicBool) -> Result<Vec<Sample>, EngineError> {
        self.0.kernels(n, clock, devices, cancel)
    }

    fn each_result(&self, cancel: &AtomicBool, check: &mut dyn FnMut(&Values) -> Result<(), EngineError>) -> Result<(), EngineError> {
        self.0.each_result(cancel, &mut |values| match values {
            Values::Single(values) => {
                let mut values = values.clone();
                values[3] += Complex32::new(0.5, 0.0);
                check(&Values::Single(values))
            }
            _ => panic!("single precision was asked for"),
        })
    }

    fn deviation_of(&self, values: &Values, cancel: &AtomicBool) -> Result<Deviation, EngineError> {
        self.0.deviation_of(values, cancel)
    }

    fn copies(&self, bytes: u64, rotated: u64, n: usize) -> Result<Vec<f64>, EngineError> {
        self.0.copies(bytes, rotated, n)
    }

    fn rotated_bytes(&self) -> u64 {
        self.0.rotated_bytes()
    }

    fn adapter(&self) -> Option<AdapterInfo> {
        self.0.adapter()
    }
}

#[test]
fn a_wrong_kernel_is_reported_as_wrong() {
    let line = |device| SweepLine::new("dft", device, vec![Shape::line(256)]);
    let sweep = sweep(vec![line(DeviceChoice::Gpu), line(DeviceChoice::CpuParallel)], quick());
    let make: &CaseMaker<'_> = &|line, shape, data, rotated, devices, cancel| {
        let right = benchmark_case(line, shape, data, rotated, devices, cancel)?;
        Ok(if line.device == DeviceChoice::Gpu { Box::new(Spoiled(right)) } else { right })
    };
    let record = run_with(make, &sweep, &mut Devices::default(), &mut |_, _| {}, (&TimingLock::default(), &GO));
    assert_eq!(record.measurements.iter().map(|case| case.is_right()).collect::<Vec<_>>(), [false, true]);
    assert!(record.measurements[0].error > 1e-3);
    assert!(table(&record).contains("WRONG") && warnings(&record)[0].starts_with("WRONG: dft of 256"));
    let read = Record::from_json(&record.to_json()).unwrap();
    assert!(!read.measurements[0].is_right(), "the file says so too");
}

#[test]
fn a_case_that_panics_is_a_failure_and_the_others_are_measured() {
    let sweep = sweep(vec![SweepLine::new("walsh", DeviceChoice::Cpu, vec![Shape::line(8), Shape::line(16)])], quick());
    let make: &CaseMaker<'_> = &|line, shape, data, rotated, devices, cancel| {
        assert_ne!(shape.columns, 8, "a mistake in a kernel");
        benchmark_case(line, shape, data, rotated, devices, cancel)
    };
    let record = run_with(make, &sweep, &mut Devices::default(), &mut |_, _| {}, (&TimingLock::default(), &GO));
    assert_eq!((record.measurements.len(), record.failures.len(), record.end), (1, 1, SweepEnd::Complete));
    assert!(record.failures[0].reason.contains("a mistake in a kernel"), "{:?}", record.failures);
}

#[test]
fn a_visit_that_outlasts_the_budget_is_given_up() {
    let sweep = sweep(
        vec![SweepLine::new("walsh", DeviceChoice::Cpu, vec![Shape::line(64), Shape::line(8)])],
        SweepSettings { budget_secs: Some(1.0), ..quick() },
    );
    let make: &CaseMaker<'_> = &|line, shape, data, rotated, devices, cancel| {
        if shape.columns == 8 {
            return benchmark_case(line, shape, data, rotated, devices, cancel);
        }
        while !cancel.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(5));
        }
        Err(EngineError::Cancelled)
    };
    let begin = Instant::now();
    let record = run_with(make, &sweep, &mut Devices::default(), &mut |_, _| {}, (&TimingLock::default(), &GO));
    // The small case came first, although the large one is before it.
    assert_eq!((record.end, record.measurements.len()), (SweepEnd::OutOfTime, 1));
    assert!(begin.elapsed().as_secs() < 20 && record.failures.is_empty(), "{:?}", begin.elapsed());
}

#[test]
fn a_cancelled_sweep_keeps_what_was_judged() {
    let shapes: Vec<Shape> = (3..9).map(|k| Shape::line(1 << k)).collect();
    let sweep = sweep(vec![SweepLine::new("haar", DeviceChoice::Cpu, shapes)], quick());
    let cancel = AtomicBool::new(false);
    let record = run(&sweep, &mut Devices::default(), &mut |_, progress| cancel.store(progress.n_done == 4, Ordering::Relaxed), &cancel);
    assert_eq!((record.end, record.measurements.len()), (SweepEnd::Cancelled, 4));
    assert!(record.measurements.iter().all(|case| case.is_right() && case.kernel().n == 1));
    let out_of_time = SweepSettings { budget_secs: Some(1e-9), ..quick() };
    let record = measured(&Sweep { settings: out_of_time, ..sweep });
    assert_eq!((record.end, record.measurements.len()), (SweepEnd::OutOfTime, 0));
}

#[test]
fn the_order_follows_from_the_seed_and_the_record_does_not_depend_on_it() {
    let shapes: Vec<Shape> = (1..8).map(|k| Shape::line(1 << k)).collect();
    let order = |seed| {
        let settings = SweepSettings { repeat: 1, seed, ..quick() };
        let (mut labels, sweep) = (Vec::new(), sweep(vec![SweepLine::new("walsh", DeviceChoice::Cpu, shapes.clone())], settings));
        let record = run(&sweep, &mut Devices::default(), &mut |_, progress| labels.push(progress.label.clone()), &GO);
        let measured: Vec<Shape> = record.measurements.iter().map(|case| case.shape).collect();
        assert_eq!(measured, shapes);
        labels
    };
    assert_eq!(order(1), order(1));
    assert_ne!(order(1), order(2));
}

#[test]
fn buffers_are_rotated_unless_the_caches_are_to_be_warm() {
    let line = |device| SweepLine::new("dft", device, vec![Shape::line(1 << 12)]);
    let lines = vec![line(DeviceChoice::Gpu), line(DeviceChoice::CpuParallel)];
    let bytes = |caches| {
        let record = measured(&sweep(lines.clone(), SweepSettings { caches, ..quick() }));
        record.measurements.iter().map(|case| case.rotated_bytes).collect::<Vec<_>>()
    };
    let (cold, warm) = (bytes(CacheState::Cold), bytes(CacheState::Warm));
    assert!(cold.iter().zip(&warm).all(|(cold, warm)| *cold >= 16 * warm && *warm > 0), "{cold:?} and {warm:?}");
}

#[test]
fn both_clocks_tell_about_the_same_and_the_record_says_which() {
    let lines = vec![SweepLine::new("dft", DeviceChoice::Gpu, vec![Shape { rows: 64, columns: 4096 }])];
    let kernel = |clock| {
        let record = measured(&sweep(lines.clone(), SweepSettings { clock, repeat: 5, ..quick() }));
        let case = &record.measurements[0];
        let is_said = warnings(&record).iter().any(|line| line.contains("clock of the host"));
        assert_eq!((case.device_clock, is_said), (clock == Clock::Device, clock == Clock::Wall));
        case.kernel().min
    };
    let (device, wall) = (kernel(Clock::Device), kernel(Clock::Wall));
    assert!(wall > 0.5 * device && wall < 3.0 * device, "{device} and {wall} µs");
}

#[test]
fn two_lines_that_are_the_same_are_measured_once() {
    let line = |device| SweepLine::new("walsh", device, vec![Shape::line(64)]);
    let lines = vec![line(DeviceChoice::CpuParallel), line(DeviceChoice::CpuParallel), line(DeviceChoice::Cpu)];
    assert_eq!(measured(&sweep(lines, quick())).measurements.iter().map(|case| case.line).collect::<Vec<_>>(), [0, 2]);
}

#[test]
fn a_sweep_that_is_given_up_keeps_what_it_has() {
    let (send, heard) = std::sync::mpsc::channel();
    let send = Mutex::new(send);
    let bench = start_sweeps(TimingLock::default(), move || {
        let _ = locked(&send).send(());
    });
    let shapes = (3..9).map(|k| Shape::line(1 << k)).collect();
    let settings = SweepSettings { repeat: 3000, ..SweepSettings::default() };
    let sweep = Sweep {
        name: "long".into(),
        experiment: None,
        differences: Vec::new(),
        lines: vec![SweepLine::new("walsh", DeviceChoice::Cpu, shapes)],
        settings,
    };
    bench.request(SweepRequest { sweep, measured: Measured::default() });
    let deadline = Instant::now() + Duration::from_secs(60);
    while bench.latest().is_none_or(|record| record.measurements.is_empty()) && Instant::now() < deadline {
        let _ = heard.recv_timeout(Duration::from_millis(100));
    }
    assert!(!bench.is_idle() && bench.progress().is_some_and(|progress| progress.n_done > 0 && progress.n_all == 36));
    bench.cancel();
    while !bench.is_idle() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
    let record = bench.latest().expect("there is a record");
    assert_eq!(record.end, SweepEnd::Cancelled);
    assert!(!record.measurements.is_empty() && record.measurements.iter().all(|case| case.is_right() && case.kernel().n >= 1));
}

/// A sweep over one case that takes a while.
fn one_case(repeat: usize) -> Sweep {
    let lines = vec![SweepLine::new("walsh", DeviceChoice::Cpu, vec![Shape::line(1 << 14)])];
    Sweep {
        name: "test".into(),
        experiment: None,
        differences: Vec::new(),
        lines,
        settings: SweepSettings { repeat, ..SweepSettings::default() },
    }
}

#[test]
fn a_sweep_gives_way_to_work_and_to_other_measurements() {
    let (timing_lock, go_on) = (TimingLock::default(), AtomicBool::new(false));
    let bench = start_sweeps(timing_lock.clone(), || {});
    bench.request(SweepRequest { sweep: one_case(1_000_000), measured: Measured::default() });
    let deadline = Instant::now() + Duration::from_secs(60);
    while !timing_lock.is_asked() {
        assert!(Instant::now() < deadline, "the sweep does not begin");
        std::thread::sleep(Duration::from_millis(1));
    }
    // A visit of this case takes minutes; it ends at once, and the lock is free.
    let begin = Instant::now();
    let guard = timing_lock.lock(TimingReason::Asked, &go_on).expect("nobody gives up");
    let work = timing_lock.at_work();
    drop(guard);
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
    std::thread::sleep(Duration::from_millis(200));
    assert!(!bench.is_idle() && !timing_lock.is_asked(), "it pauses while somebody works");
    drop(work);
    while !timing_lock.is_asked() {
        assert!(Instant::now() < deadline, "the sweep does not go on");
        std::thread::sleep(Duration::from_millis(1));
    }
    bench.cancel();
}

#[test]
fn a_case_that_was_disturbed_is_measured_again() {
    let timing_lock = TimingLock::default();
    let n_visits = AtomicUsize::new(0);
    let make: &CaseMaker<'_> = &|line, shape, data, rotated, devices, cancel| {
        // The first visit is disturbed until it is given up.
        let work = (n_visits.fetch_add(1, Ordering::Relaxed) == 0).then(|| timing_lock.at_work());
        while work.is_some() && !cancel.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        benchmark_case(line, shape, data, rotated, devices, cancel)
    };
    let go_on = AtomicBool::new(false);
    let record = run_with(make, &one_case(1), &mut Devices::default(), &mut |_, _| {}, (&timing_lock, &go_on));
    assert_eq!((record.end, record.measurements.len(), n_visits.into_inner()), (SweepEnd::Complete, 1, 2));
    assert!(record.failures.is_empty(), "{:?}", record.failures);
}

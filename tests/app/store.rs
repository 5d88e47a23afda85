//! The results of the engine, for all who need them too.

use papillon::engine::{DeviceChoice, Devices, Engine, Job, Request, SharedResult, VisibleParts};
use papillon::signal::{Channel, Samples, Signal, SignalKind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

static GO_ON: AtomicBool = AtomicBool::new(false);

/// A Fourier transform of an image of 32 × 32 px on a device.
fn job(device: DeviceChoice) -> Job {
    let samples = Samples::F32((0..1024).map(|k| (k * k % 251) as f32).collect());
    let signal = Signal::from_channels("image", SignalKind::Image, (32, 32), vec![Channel::new("gray", samples)]);
    Job { device, ..Job::new(Arc::new(signal), "dft2") }
}

/// The result of a job in the store of an engine that shows it, as five others read it at once.
fn read_by_many(engine: &Engine, job: &Job) -> SharedResult {
    let read = || engine.store().result(job, &mut Devices::default(), &GO_ON).unwrap();
    let results: Vec<SharedResult> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..5).map(|_| scope.spawn(read)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(results.iter().all(|result| Arc::ptr_eq(&result.values, &results[0].values)), "all read the same values");
    results[0].clone()
}

fn shown(engine: &Engine, job: &Job) {
    engine.request(Request { job: job.clone(), view: VisibleParts::default() });
    let deadline = Instant::now() + Duration::from_secs(60);
    while engine.latest().is_none_or(|report| report.request.job != *job || report.outcome().is_none()) {
        assert!(Instant::now() < deadline, "the engine does not answer");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_result_on_a_device_is_downloaded_for_all_who_read_it_and_never_computed_again() {
    let _device = crate::DEVICE.lock();
    let (engine, job) = (Engine::start(|| {}), job(DeviceChoice::Gpu));
    shown(&engine, &job);
    let result = read_by_many(&engine, &job);
    assert_eq!(engine.store().n_runs(), 1);
    let cpu = SharedResult::compute(&Job { device: DeviceChoice::Cpu, ..job }, &mut Devices::default(), &GO_ON).unwrap();
    let shape = cpu.shape();
    let largest = |at: &dyn Fn(usize) -> f64| (0..shape.len()).map(at).fold(0.0, f64::max);
    let exact = |of: &SharedResult, i: usize| of.values.exact(shape, i / 32, i % 32);
    let error = largest(&|i| (exact(&result, i) - exact(&cpu, i)).norm());
    assert!(error < 1e-5 * largest(&|i| exact(&cpu, i).norm()), "{error}");
}

#[test]
fn who_asks_together_with_the_engine_waits_for_the_same_run() {
    let (engine, job) = (Engine::start(|| {}), job(DeviceChoice::CpuParallel));
    engine.request(Request { job: job.clone(), view: VisibleParts::default() });
    read_by_many(&engine, &job);
    shown(&engine, &job);
    assert_eq!(engine.store().n_runs(), 1);
}

#[test]
fn the_engine_finds_a_result_again_until_other_choices_are_measured() {
    let (engine, first, second) = (Engine::start(|| {}), job(DeviceChoice::Cpu), job(DeviceChoice::Cpu));
    [&first, &second, &first].into_iter().for_each(|job| shown(&engine, job));
    assert_eq!(engine.store().n_runs(), 2);
    engine.know(papillon::engine::Measured::default());
    [&second, &first].into_iter().for_each(|job| shown(&engine, job));
    assert_eq!(engine.store().n_runs(), 4);
}

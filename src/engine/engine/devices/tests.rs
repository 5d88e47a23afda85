//! Devices that fail: automatic choices take the CPU, say so, and try the device again.

use super::shared::RETRY_AFTER;
use super::*;
use crate::engine::{Cut, Job, SharedResult, Store, compute, compute_to_memory, relative_error};
use crate::signal::{Channel, ChannelChoice, Samples, Signal, SignalKind};
use crate::transforms::{Parameters, Shape, transform};
use std::sync::Barrier;
use std::sync::atomic::AtomicBool;
use std::thread::ThreadId;

fn job(device: DeviceChoice) -> Job {
    let samples = Samples::F32((0..256).map(|i| (i * i % 31) as f32).collect());
    Job {
        signal: Arc::new(Signal::row("test", samples)),
        second: None,
        channel: ChannelChoice::Luma,
        transform: "dft",
        algorithm: Some("stockham"),
        parameters: Parameters::default(),
        cut: Cut::Tiles,
        device,
        precision: None,
        prefer_plan: true,
        preparation: Default::default(),
    }
}

/// Devices whose hardware is the adapter that the tests have, beside a CPU that takes years.
fn with_hardware() -> (Devices, Device) {
    let device = Device::open(&AdapterChoice::Any).expect("the tests have an adapter");
    let devices = Devices { open: vec![(AdapterChoice::Hardware, device.clone())], ..Devices::apart() };
    let dft = transform("dft").expect("it is in the table");
    let size = JobSize::of(&job(DeviceChoice::Auto), dft, Shape::line(1 << 20), false);
    let times = Times { total_micros: 1e15, ..Times::default() };
    locked(&devices.speeds).note_cpu(&size, rayon::current_num_threads(), &times);
    (devices, device)
}

#[test]
fn an_automatic_choice_goes_on_after_its_device_is_gone() {
    let ((mut devices, device), cancel) = (with_hardware(), AtomicBool::new(false));
    let run = |devices: &mut Devices| {
        let computed = compute(&job(DeviceChoice::Auto), devices, &cancel).expect("some device computes");
        (computed.outcome.device.clone(), computed.outcome.reason.clone(), computed.into_samples(&cancel).expect("the values come back"))
    };
    let (before, _, values) = run(&mut devices);
    assert_eq!(before, device.info().name);
    device.destroy();
    let (after, reason, others) = run(&mut devices);
    // A real GPU is opened anew; without one, the CPU runs and says why.
    assert!(after == before || reason.contains("no hardware GPU"), "{after}: {reason}");
    let (Samples::Complex32(values), Samples::Complex32(others)) = (values, others) else { panic!("spectra are complex") };
    assert!(values.iter().zip(&others).all(|(a, b)| (a - b).norm() < 1e-2), "the same values");
}

#[test]
fn an_automatic_choice_never_refuses_what_the_cpu_does() {
    let (mut devices, _) = with_hardware();
    let refusal = || GpuError::TooLarge { what: "the input", needed: 2, limit: 1, adapter: "the GPU".into() };
    for (choice, n_tries) in [(DeviceChoice::Auto, 2), (DeviceChoice::Gpu, 1)] {
        let mut backends = Vec::new();
        let done = devices.surviving(&choice, |devices| {
            let asked = job(choice.clone());
            let size = JobSize::of(&asked, transform("dft")?, asked.shape(), false);
            let (backend, why) = devices.backend_for(&choice, size)?;
            let is_gpu = matches!(backend, Backend::Gpu(_));
            backends.push((is_gpu, why));
            if is_gpu { Err(refusal().into()) } else { Ok(()) }
        });
        assert_eq!((backends.len(), done.is_ok()), (n_tries, n_tries == 2), "{choice:?}: {backends:?}");
        assert!(n_tries == 1 || backends[1].1.contains("the input needs 2 bytes"), "{backends:?}");
    }
    assert!(locked(&devices.shared).gave_up.is_none(), "the device is as good as before");
}

#[test]
fn an_image_that_no_array_of_the_device_holds_is_transformed_in_parts() {
    let (_, device) = with_hardware();
    let small = device.with_bindings_of(1 << 10);
    let (columns, cancel) = (64, AtomicBool::new(false));
    let rows = small.most_array_bytes() as usize / (8 * columns) + 1;
    let samples = Samples::F32((0..rows * columns).map(|i| (i * i % 31) as f32).collect());
    let image = Signal::from_channels("test", SignalKind::Image, (rows, columns), vec![Channel::new("x", samples)]);
    let asked = Job { device: DeviceChoice::Gpu, ..Job::new(Arc::new(image), "dft2") };
    let mut devices = Devices { open: vec![(AdapterChoice::Any, small)], ..Devices::apart() };
    let computed = compute(&asked, &mut devices, &cancel).expect("its parts fit");
    assert!(computed.outcome.reason.contains(" parts, along one axis and then along the other"), "{}", computed.outcome.reason);
    let error = relative_error(&asked, &computed.stored, &computed.outcome, &cancel).expect("the library takes it");
    assert!(error < 1e-6, "{rows} × {columns}: {error}");
}

#[test]
fn lines_that_no_array_of_the_device_holds_are_transformed_in_parts() {
    let (_, device) = with_hardware();
    let (small, cancel) = (device.with_bindings_of(1 << 10), AtomicBool::new(false));
    let n = (small.most_array_bytes() as usize / 8 + 1).next_multiple_of(210);
    for rows in [1, 2] {
        let samples = Samples::F32((0..rows * n).map(|i| (i * i % 31) as f32).collect());
        let signal = Signal::from_channels("test", SignalKind::Rows, (rows, n), vec![Channel::new("x", samples)]);
        let asked = Job { device: DeviceChoice::Gpu, ..Job::new(Arc::new(signal), "dft") };
        let mut devices = Devices { open: vec![(AdapterChoice::Any, small.clone())], ..Devices::apart() };
        let computed = compute(&asked, &mut devices, &cancel).expect("its parts fit");
        assert!(computed.outcome.reason.contains(" parts"), "{}", computed.outcome.reason);
        let error = relative_error(&asked, &computed.stored, &computed.outcome, &cancel).expect("the library takes it");
        assert!(error < 1e-6, "{rows} × {n}: {error}");
    }
}

#[test]
fn a_gpu_opens_beside_the_cpu_and_takes_the_next_job() {
    let told = Arc::new(AtomicUsize::new(0));
    let beside = OpensBeside::new({
        let told = told.clone();
        move || {
            told.fetch_add(1, Ordering::Relaxed);
        }
    });
    let (known, device) = with_hardware();
    let mut devices = Devices { open: Vec::new(), ..known }.opening_beside(beside.clone());
    let asked = job(DeviceChoice::Auto);
    let mut backend = || {
        let size = JobSize::of(&asked, transform("dft").expect("it is in the table"), asked.shape(), true);
        devices.backend_for(&asked.device, size).expect("one is there").0
    };
    // Another part of the program has the adapter open, which stands for hardware here.
    let shared = Arc::new(Mutex::new(Shared { open: vec![(AdapterChoice::Hardware, device.downgrade())], ..Shared::default() }));
    assert!(matches!(backend(), Backend::Cpu(_)), "the CPU answers at once");
    beside.finish();
    beside.forget_failure();
    beside.begin(&shared);
    beside.finish();
    assert_eq!(told.load(Ordering::Relaxed), 1);
    assert!(beside.take_news().is_some_and(|news| news.contains(&device.info().name)) && beside.take_news().is_none(), "it is said once");
    assert!(matches!(backend(), Backend::Gpu(_)), "it takes over");
}

#[test]
fn the_device_of_a_command_opens_while_it_reads_its_file() {
    for choice in [DeviceChoice::Auto, DeviceChoice::CpuParallel] {
        assert!(Devices::apart().opening(&choice).opening.is_none(), "{choice:?} may need none");
    }
    let mut devices = Devices::apart().opening(&DeviceChoice::Gpu);
    let Ok((Backend::Gpu(device), _)) = devices.backend(&DeviceChoice::Gpu) else { panic!("the tests have an adapter") };
    assert_eq!(locked(&devices.shared).open.len(), 1, "it is opened once");
    assert!(devices.device(&AdapterChoice::Any).is_ok_and(|again| again.is(&device)));
    // Nobody asks for what was begun: it ends before the devices.
    drop(Devices::apart().opening(&DeviceChoice::Gpu));
    let missing = DeviceChoice::Adapter(usize::MAX.to_string());
    let mut devices = Devices::apart().opening(&missing);
    assert!(matches!(devices.backend(&missing), Err(EngineError::Gpu(GpuError::NoSuchAdapter { .. }))), "who asks hears why there is none");
}

#[test]
fn a_device_that_was_given_up_is_tried_again_later() {
    let (mut devices, _) = with_hardware();
    let hardware = devices.open.clone();
    devices.close(&EngineError::Gpu(GpuError::OutOfMemory { adapter: "the GPU".into() }), true);
    devices.open = hardware;
    let of = |devices: &mut Devices, choice: &DeviceChoice| devices.backend(choice).expect("there is a backend");
    let (backend, why) = of(&mut devices, &DeviceChoice::Auto);
    assert!(matches!(backend, Backend::Cpu(_)) && why == GAVE_UP, "{why}");
    assert!(matches!(of(&mut devices, &DeviceChoice::Gpu).0, Backend::Gpu(_)), "who asks for a GPU gets it");
    locked(&devices.shared).gave_up = Instant::now().checked_sub(RETRY_AFTER);
    assert!(matches!(of(&mut devices, &DeviceChoice::Auto).0, Backend::Gpu(_)), "it is tried again");
}

#[test]
fn an_opening_that_failed_is_not_remembered_for_ever() {
    let mut devices = Devices::apart();
    let missing = AdapterChoice::Index(usize::MAX);
    locked(&devices.shared).failed = Some((AdapterChoice::Any, GpuError::NoAdapter, Instant::now()));
    assert_eq!(devices.device(&AdapterChoice::Any).err(), Some(GpuError::NoAdapter), "not tried again at once");
    assert!(matches!(devices.device(&missing), Err(GpuError::NoSuchAdapter { .. })));
    locked(&devices.shared).failed =
        Some((AdapterChoice::Any, GpuError::NoAdapter, Instant::now().checked_sub(RETRY_AFTER).expect("the clock is older")));
    assert!(devices.device(&AdapterChoice::Any).is_ok(), "it is tried again later");
}

#[test]
fn a_device_that_is_destroyed_at_work_costs_no_result() {
    let cancel = AtomicBool::new(false);
    let mut devices = Devices::apart();
    // Some MiB go up and come back in several chunks.
    let n = 1 << 19;
    let samples = Samples::F32((0..n).map(|k| (k % 101) as f32).collect());
    let asked = Job { device: DeviceChoice::Gpu, algorithm: Some("stockham"), ..Job::new(Arc::new(Signal::row("many", samples)), "dft") };
    let values = |devices: &mut Devices| compute_to_memory(&asked, devices, &cancel).and_then(|computed| computed.into_samples(&cancel));
    let before = values(&mut devices).expect("the device computes");
    let begin = Instant::now();
    assert_eq!(values(&mut devices).as_ref(), Ok(&before));
    let whole = begin.elapsed();
    for tenth in 0..10 {
        let Ok((Backend::Gpu(device), _)) = devices.backend(&DeviceChoice::Gpu) else { panic!("a GPU was asked for") };
        let destroyer = std::thread::spawn(move || {
            std::thread::sleep(whole * tenth / 10);
            device.destroy();
        });
        assert!(values(&mut devices).as_ref() == Ok(&before), "after {tenth} tenths of a run");
        destroyer.join().expect("destroying does not panic");
        // The next run finds that the device is lost, unless the last one did.
        assert!(values(&mut devices).as_ref() == Ok(&before), "after {tenth} tenths of a run, again");
    }
}

#[test]
fn all_who_compute_share_a_device_and_hear_together_that_it_is_lost() {
    let mut first = Devices::apart();
    let mut second = Devices::among(first.shared.clone());
    let of = |devices: &mut Devices, choice: DeviceChoice| match devices.backend(&choice) {
        Ok((Backend::Gpu(device), _)) => device,
        _ => panic!("a GPU was asked for"),
    };
    let device = of(&mut first, DeviceChoice::Gpu);
    assert!(of(&mut second, DeviceChoice::Gpu).is(&device) && of(&mut second, DeviceChoice::Adapter("0".into())).is(&device));
    first.close(&GpuError::Device { adapter: "the GPU".into(), reason: "a test".into() }.into(), false);
    let anew = of(&mut second, DeviceChoice::Gpu);
    assert!(!anew.is(&device) && of(&mut first, DeviceChoice::Gpu).is(&anew), "it is opened anew, once");
    drop((first, anew));
    let shared = second.shared.clone();
    drop(second);
    assert!(locked(&shared).open.iter().all(|(_, device)| device.upgrade().is_none()), "it is closed with the last who used it");
}

/// The messages of threads that a test watches.
struct Said(Mutex<Vec<(ThreadId, String)>>);

static SAID: Said = Said(Mutex::new(Vec::new()));

impl log::Log for Said {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.level() <= log::Level::Warn
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            locked(&self.0).push((std::thread::current().id(), record.args().to_string()));
        }
    }

    fn flush(&self) {}
}

#[test]
fn a_device_that_is_lost_while_five_wait_is_opened_anew_once_and_said_once() {
    let _ = log::set_logger(&SAID).map(|()| log::set_max_level(log::LevelFilter::Warn));
    let (go_on, store, shared) = (AtomicBool::new(false), Store::default(), Arc::default());
    let gpu = |devices: &mut Devices| match devices.backend(&DeviceChoice::Gpu) {
        Ok((Backend::Gpu(device), _)) => device,
        _ => panic!("a GPU was asked for"),
    };
    let lost = gpu(&mut Devices::among(Arc::clone(&shared)));
    let (all_wait, is_lost) = (Barrier::new(6), Barrier::new(6));
    let study = |n: usize| {
        let mut devices = Devices::among(Arc::clone(&shared));
        assert!(gpu(&mut devices).is(&lost));
        all_wait.wait();
        is_lost.wait();
        let signal = Arc::new(Signal::row("test", Samples::F32((0..n).map(|i| (i * i % 31) as f32).collect())));
        let asked = Job { signal, ..job(DeviceChoice::Gpu) };
        let result = store.result(&asked, &mut devices, &go_on).expect("it is computed on the new device");
        let cpu = SharedResult::compute(&Job { device: DeviceChoice::Cpu, ..asked }, &mut devices, &go_on).expect("the CPU computes");
        let at = |of: &SharedResult, index: usize| of.values.exact(of.shape(), 0, index);
        assert!((0..n).all(|index| (at(&result, index) - at(&cpu, index)).norm() < 1e-2), "{n} values are right");
        (gpu(&mut devices), std::thread::current().id())
    };
    let found: Vec<(Device, ThreadId)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (5..10).map(|bits| scope.spawn(move || study(1 << bits))).collect();
        all_wait.wait();
        lost.destroy();
        is_lost.wait();
        threads.into_iter().map(|thread| thread.join().expect("it is answered")).collect()
    });
    assert!(!found[0].0.is(&lost) && found.iter().all(|(device, _)| device.is(&found[0].0)), "one new device for all");
    let said = locked(&SAID.0);
    let ours: Vec<_> = said.iter().filter(|(thread, _)| found.iter().any(|(_, of_study)| of_study == thread)).collect();
    assert_eq!(ours.len(), 1, "{ours:?}");
}

#[test]
fn work_on_a_device_is_tried_twice_and_then_an_automatic_choice_takes_the_cpu() {
    let full = || EngineError::Gpu(GpuError::OutOfMemory { adapter: "the GPU".into() });
    for (choice, n_failures, n_tries, is_done) in [
        (DeviceChoice::Gpu, 0, 1, true),
        (DeviceChoice::Gpu, 1, 2, true),
        (DeviceChoice::Gpu, 9, 2, false),
        (DeviceChoice::Auto, 2, 3, true),
        (DeviceChoice::Auto, 9, 3, false),
    ] {
        let (mut devices, mut tries) = (Devices::apart(), 0);
        let done = devices.surviving(&choice, |_| {
            tries += 1;
            if tries > n_failures { Ok(()) } else { Err(full()) }
        });
        assert_eq!((tries, done.is_ok()), (n_tries, is_done), "{choice:?}, {n_failures} failures");
        assert_eq!(locked(&devices.shared).gave_up.is_some(), n_failures > 1, "{choice:?}, {n_failures} failures");
        // Later messages of another device take nothing back.
        devices.close(&full(), false);
        assert_eq!(locked(&devices.shared).gave_up.is_some(), n_failures > 1);
    }
}

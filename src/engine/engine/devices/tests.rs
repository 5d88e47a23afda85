//! Devices that fail: automatic choices take the CPU, say so, and try the device again.

use super::*;
use crate::engine::{Cut, Job, compute};
use crate::signal::{ChannelChoice, Samples, Signal};
use crate::transforms::Parameters;
use std::sync::atomic::AtomicBool;

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

/// Devices whose hardware is the adapter that the tests have.
fn with_hardware() -> (Devices, Device) {
    let device = Device::open(&Selection::Any).expect("the tests have an adapter");
    (Devices { open: vec![(Selection::Hardware, device.clone())], ..Devices::apart() }, device)
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
    // A real GPU is opened anew; where there is none, the CPU runs and says why.
    assert!(after == before || reason.contains("no hardware GPU"), "{after}: {reason}");
    let (Samples::Complex32(values), Samples::Complex32(others)) = (values, others) else { panic!("spectra are complex") };
    assert!(values.iter().zip(&others).all(|(a, b)| (a - b).norm() < 1e-2), "the same values");
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
    let missing = Selection::Index(usize::MAX);
    locked(&devices.shared).failed = Some((Selection::Any, GpuError::NoAdapter, Instant::now()));
    assert_eq!(devices.device(&Selection::Any).err(), Some(GpuError::NoAdapter), "not tried again at once");
    assert!(matches!(devices.device(&missing), Err(GpuError::NoSuchAdapter { .. })));
    locked(&devices.shared).failed =
        Some((Selection::Any, GpuError::NoAdapter, Instant::now().checked_sub(RETRY_AFTER).expect("the clock is older")));
    assert!(devices.device(&Selection::Any).is_ok(), "it is tried again later");
}

#[test]
fn a_device_that_is_destroyed_at_work_costs_no_result() {
    let cancel = AtomicBool::new(false);
    let mut devices = Devices::apart();
    let asked = job(DeviceChoice::Gpu);
    let values = |devices: &mut Devices| compute(&asked, devices, &cancel).and_then(|computed| computed.into_samples(&cancel));
    let before = values(&mut devices).expect("the device computes");
    for delay_micros in [0, 200, 1000, 5000, 20_000] {
        let Ok((Backend::Gpu(device), _)) = devices.backend(&DeviceChoice::Gpu) else { panic!("a GPU was asked for") };
        let destroyer = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_micros(delay_micros));
            device.destroy();
        });
        // The values of a run may be lost with their device; the next run has them again.
        let during = values(&mut devices);
        destroyer.join().expect("destroying does not panic");
        assert!(during.as_ref() == Ok(&before) || during.is_err_and(|error| error.is_lost_device()), "after {delay_micros} µs");
        assert_eq!(values(&mut devices).as_ref(), Ok(&before), "after {delay_micros} µs");
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

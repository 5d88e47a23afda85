//! The worker: the newest request wins, views follow without a new computation, idle time is used for comparisons.

use papillon::display::{DisplayFrame, Look};
use papillon::engine::{
    Candidate, Cut, DeviceChoice, Devices, Engine, EngineError, Job, Measured, PlotFrame, Report, Request, Speed, TimingReason,
    VisibleParts, compute,
};
use papillon::plan::{Direction, Precision};
use papillon::signal::{Channel, ChannelChoice as ChannelView, Samples, Signal, SignalKind};
use papillon::transforms::{Parameters, Shape};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

fn image(rows: usize, columns: usize) -> Arc<Signal> {
    let samples = (0..rows * columns).map(|i| (i * i % 251) as u8).collect();
    let channels = vec![Channel::new("gray", Samples::U8(samples))];
    Arc::new(Signal::from_channels("test", SignalKind::Image, (rows, columns), channels))
}

fn job(signal: Arc<Signal>, transform: &'static str) -> Job {
    Job {
        signal,
        second: None,
        channel: ChannelView::Luma,
        transform,
        algorithm: None,
        parameters: Parameters::default(),
        cut: Cut::Tiles,
        device: DeviceChoice::CpuParallel,
        precision: None,
        prefer_plan: true,
        preparation: Default::default(),
    }
}

/// Waits until a report of finished work satisfies `enough`.
fn wait(engine: &Engine, enough: impl Fn(&Report) -> bool) -> Arc<Report> {
    let begin = Instant::now();
    loop {
        if let Some(report) = engine.latest().filter(|report| report.outcome.is_some() && enough(report)) {
            return report;
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "no such report within a minute; progress {:?}", engine.progress());
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_request_is_answered_with_everything_that_is_visible() {
    let engine = Engine::start(|| {});
    let shape = Shape { rows: 16, columns: 32 };
    let job = job(image(16, 32), "dft2");
    let plain = PlotFrame::plain(8, [0.0, 32.0], 100);
    let line = PlotFrame { quantity: Default::default(), scale: Default::default(), shifted: true, peaks: true, ..plain };
    let view = VisibleParts {
        image: Some(DisplayFrame::whole(shape)),
        source: Some(DisplayFrame::whole(shape)),
        line: Some(line),
        probe: Some([0, 0]),
        ..VisibleParts::default()
    };
    engine.request(Request { job: job.clone(), view });
    let report = wait(&engine, |report| report.request.job == job);
    let outcome = report.outcome().unwrap();
    assert_eq!((outcome.algorithm, outcome.shape), ("stockham", shape));
    assert_eq!(outcome.times.launch_micros.len(), outcome.schedule.as_ref().unwrap().launches.len());
    assert_eq!(report.image.as_ref().unwrap().rgba.len(), 16 * 32 * 4);
    // The strongest value is the mean, which is in the middle.
    let brightest = Look::default().colormap.lut()[255];
    assert_eq!(report.image.as_ref().unwrap().rgba[4 * (8 * 32 + 16)..][..4], brightest);
    assert_eq!(report.line.as_ref().unwrap().columns.len(), 32);
    let sum: f32 = job.signal.samples_f32(ChannelView::Luma).unwrap().iter().sum();
    let (_, dc) = report.probe.unwrap();
    assert!((dc.complex() - f64::from(sum)).norm() < 1e-2 * f64::from(sum).abs());
    let done = wait(&engine, |report| report.outcome().is_some_and(|outcome| outcome.complete));
    assert_eq!(done.outcome().unwrap().comparisons.len(), 5);
    assert!(done.outcome().unwrap().error.unwrap() < 1e-6);
}

#[test]
fn ways_are_compared_in_the_same_manner() {
    let engine = Engine::start(|| {});
    // So little work that what surrounds it counts as much.
    let ramp: Vec<f32> = (0..64).map(|i| (i % 7) as f32).collect();
    let job = Job { device: DeviceChoice::CpuParallel, ..job(Arc::new(Signal::row("ramp", Samples::F32(ramp))), "dft") };
    engine.request(Request { job, view: VisibleParts::default() });
    let done = wait(&engine, |report| report.outcome().is_some_and(|outcome| outcome.complete));
    let outcome = done.outcome().unwrap();
    let as_set = outcome.as_set.as_ref().unwrap();
    let same = outcome.comparisons.iter().find(|way| way.name == "CPU, all cores").unwrap();
    // The very same work: what is left is noise.
    assert!(as_set.quartiles_micros[0] < 3.0 * same.quartiles_micros[1], "{as_set:?} beside {same:?}");
    assert!(same.quartiles_micros[0] < 3.0 * as_set.quartiles_micros[1], "{as_set:?} beside {same:?}");
}

#[test]
fn a_change_of_the_view_keeps_the_outcome() {
    let engine = Engine::start(|| {});
    let job = job(image(64, 64), "dft2");
    engine.request(Request { job: job.clone(), view: VisibleParts::default() });
    let first = wait(&engine, |_| true);
    let view = VisibleParts { image: Some(DisplayFrame::whole(Shape { rows: 64, columns: 64 })), ..VisibleParts::default() };
    engine.request(Request { job, view });
    let second = wait(&engine, |report| report.image.is_some());
    let (first, second) = (first.outcome().unwrap(), second.outcome().unwrap());
    assert_eq!(first.times, second.times, "the transform was computed again");
}

#[test]
fn more_runs_follow_the_first_one_which_warms_up() {
    let engine = Engine::start(|| {});
    let gpu = Job { device: DeviceChoice::Gpu, ..job(image(64, 64), "dft2") };
    let view = VisibleParts { image: Some(DisplayFrame::whole(Shape { rows: 64, columns: 64 })), ..VisibleParts::default() };
    engine.request(Request { job: gpu.clone(), view: view.clone() });
    let first = wait(&engine, |_| true);
    let done = wait(&engine, |report| report.outcome().is_some_and(|outcome| outcome.complete));
    let outcome = done.outcome().unwrap();
    assert_eq!(first.outcome().unwrap().times, outcome.times, "the first run stays as it was");
    assert_eq!(done.image, first.image, "what is shown stays as it was");
    assert!(outcome.times.warms_up && !outcome.again.is_empty() && outcome.again.iter().all(|times| !times.warms_up));
    for times in outcome.again.iter().chain([&outcome.times]) {
        let parts = times.upload_micros + times.kernel_micros() + times.download_micros;
        assert!(times.upload_micros > 0.0 && times.download_micros > 0.0 && parts <= 1.01 * times.total_micros, "{times:?}");
    }
    // Another image of the same size finds the kernels and the buffers.
    engine.request(Request { job: Job { signal: image(64, 64), ..gpu.clone() }, view });
    let second = wait(&engine, |report| report.request.job != gpu);
    assert!(!second.outcome().unwrap().times.warms_up);
}

#[test]
fn the_newest_request_wins() {
    let engine = Engine::start(|| {});
    let large = Job { algorithm: Some("stockham-2"), ..job(image(2048, 2048), "dft") };
    engine.request(Request { job: large, view: VisibleParts::default() });
    std::thread::sleep(Duration::from_millis(20));
    let small = job(image(4, 4), "dft");
    engine.request(Request { job: small.clone(), view: VisibleParts::default() });
    let begin = Instant::now();
    let report = wait(&engine, |report| report.request.job == small);
    assert!(report.outcome().is_some());
    assert!(begin.elapsed() < Duration::from_secs(5), "the older job was not given up");
}

#[test]
fn values_of_a_drawn_plan_are_those_of_every_stage() {
    let engine = Engine::start(|| {});
    let job = Job { algorithm: Some("constant-geometry"), ..job(image(1, 16), "dft") };
    engine.request(Request { job, view: VisibleParts::default() });
    let report = wait(&engine, |_| true);
    let values = report.outcome().unwrap().values.clone().unwrap();
    assert_eq!((values.device.len(), values.reference.len()), (5, 5));
    for (device, reference) in values.device.iter().flatten().zip(values.reference.iter().flatten()) {
        assert!(device.distance(*reference) < 1e-3);
    }
}

#[test]
fn what_cannot_be_computed_is_said_in_one_line() {
    let engine = Engine::start(|| {});
    let job = Job { algorithm: Some("cooley-tukey"), ..job(image(3, 5), "dft2") };
    engine.request(Request { job: job.clone(), view: VisibleParts::default() });
    let report = wait(&engine, |report| report.request.job == job);
    let error = report.error().unwrap();
    assert!(matches!(error, EngineError::Unsupported(_)));
    assert!(!error.to_string().contains('\n'));
    // Without a named algorithm one is taken that has a plan for the shape.
    let any = Job { algorithm: None, ..job };
    engine.request(Request { job: any.clone(), view: VisibleParts::default() });
    let report = wait(&engine, |report| report.request.job == any);
    let outcome = report.outcome().unwrap();
    assert_eq!((outcome.algorithm, outcome.plan.is_some()), ("stockham", true));
}

#[test]
fn the_gpu_gives_what_the_cpu_gives() {
    let engine = Engine::start(|| {});
    for (algorithm, transform) in
        [("stockham", "dft2"), ("global-local", "dft2"), ("cooley-tukey-dif", "dft"), ("constant-geometry", "dft")]
    {
        let job = Job { device: DeviceChoice::Gpu, algorithm: Some(algorithm), ..job(image(16, 64), transform) };
        let view = VisibleParts {
            image: Some(DisplayFrame::whole(Shape { rows: 16, columns: 64 })),
            probe: Some([3, 5]),
            ..VisibleParts::default()
        };
        engine.request(Request { job: job.clone(), view: view.clone() });
        let gpu = wait(&engine, |report| report.request.job == job && report.outcome().is_none_or(|outcome| outcome.error.is_some()));
        if let Some(error) = gpu.error() {
            panic!("{error}");
        }
        let outcome = gpu.outcome().unwrap();
        assert!(outcome.error.unwrap() < 1e-6, "{algorithm}: {:?}", outcome.error);
        assert!(outcome.times.upload_micros > 0.0 && outcome.times.kernel_micros() > 0.0);
        let job = Job { device: DeviceChoice::CpuParallel, ..job };
        engine.request(Request { job: job.clone(), view });
        let cpu = wait(&engine, |report| report.request.job == job);
        assert!((gpu.probe.unwrap().1.complex() - cpu.probe.unwrap().1.complex()).norm() < 1e-2);
        let differing =
            gpu.image.as_ref().unwrap().rgba.iter().zip(&cpu.image.as_ref().unwrap().rgba).filter(|(a, b)| a.abs_diff(**b) > 3).count();
        assert!(differing < 40, "{algorithm}: {differing} of {} bytes", gpu.image.as_ref().unwrap().rgba.len());
    }
}

#[test]
fn half_a_spectrum_tells_of_how_many_samples_it_is() {
    let engine = Engine::start(|| {});
    for (n, algorithm) in [(127, "stockham"), (126, "stockham"), (127, "realfft")] {
        let samples: Vec<f32> = (0..n).map(|i| (i * i % 31) as f32).collect();
        let line = |name: &str, samples| Arc::new(Signal::row(name, samples));
        let forward = Job { algorithm: Some(algorithm), ..job(line("samples", Samples::F32(samples.clone())), "rdft") };
        let go_on = AtomicBool::new(false);
        let half = compute(&forward, &mut Devices::default(), &go_on).unwrap().into_samples(&go_on).unwrap();
        let parameters = Parameters { direction: Direction::Inverse, ..Parameters::default() };
        let back = Job { signal: line("half", half), parameters, ..forward };
        engine.request(Request { job: back.clone(), view: VisibleParts { probe: Some([0, n - 1]), ..VisibleParts::default() } });
        let report = wait(&engine, |report| report.request.job == back && report.outcome().is_none_or(|outcome| outcome.complete));
        let outcome = report.outcome().unwrap();
        assert_eq!((outcome.shape, outcome.parameters.columns), (Shape::line(n), Some(n)));
        // Later measurements use the same number of samples.
        assert!(outcome.error.is_some_and(|error| error < 1e-6), "{n} by {algorithm}: {:?}", outcome.error);
        assert!(outcome.comparisons.iter().any(|other| other.name.starts_with("realfft")) && !outcome.again.is_empty());
        let last = report.probe.as_ref().unwrap().1.complex();
        assert!((last.re - f64::from(samples[n - 1])).abs() < 1e-4, "{last}");
    }
}

#[test]
fn a_gpu_computes_in_double_precision_where_it_is_asked_to() {
    let engine = Engine::start(|| {});
    for (algorithm, transform) in [("stockham", "dft2"), ("cooley-tukey-dif", "dft"), ("bluestein", "dft")] {
        let job = Job {
            device: DeviceChoice::Gpu,
            algorithm: Some(algorithm),
            precision: Some(Precision::Double),
            ..job(image(2, 16), transform)
        };
        let view = VisibleParts {
            image: Some(DisplayFrame::whole(Shape { rows: 2, columns: 16 })),
            probe: Some([1, 5]),
            ..VisibleParts::default()
        };
        engine.request(Request { job: job.clone(), view });
        let report = wait(&engine, |report| report.request.job == job && report.outcome().is_none_or(|outcome| outcome.complete));
        let outcome = report.outcome().unwrap_or_else(|| panic!("{}", report.error().unwrap()));
        assert_eq!((outcome.precision, outcome.algorithm), (Precision::Double, algorithm));
        assert!(outcome.error.unwrap() < 1e-14, "{algorithm}: {:?}", outcome.error);
        assert!(report.image.is_some() && report.probe.unwrap().1.complex().norm() > 0.0);
        let values = outcome.values.as_ref();
        let pairs = values.into_iter().flat_map(|values| values.device.iter().flatten().zip(values.reference.iter().flatten()));
        assert!(
            pairs.filter(|(device, _)| !device.numbers()[0].is_nan()).all(|(device, reference)| device.distance(*reference) < 1e-10),
            "{algorithm}"
        );
        let plan = outcome.plan.as_ref().unwrap();
        assert_eq!(
            outcome.launch_bytes(0).unwrap(),
            outcome.schedule.as_ref().unwrap().launches[0].bytes_moved(plan, Precision::Double.bytes_per_lane(plan.ring))
        );
    }
}

#[test]
fn a_gpu_is_not_asked_for_what_only_the_cpu_does() {
    let engine = Engine::start(|| {});
    let job = Job { device: DeviceChoice::Gpu, algorithm: Some("rustfft"), ..job(image(3, 5), "dft2") };
    engine.request(Request { job, view: VisibleParts::default() });
    let report = wait(&engine, |_| true);
    assert!(matches!(report.error(), Some(EngineError::CpuOnly { algorithm: "rustfft" })), "{:?}", report.error());
}

#[test]
fn a_gpu_takes_any_length() {
    let engine = Engine::start(|| {});
    for (rows, columns, transform, algorithm) in
        [(37, 53, "dft2", "stockham"), (1, 37, "dft", "bluestein"), (5, 34, "dft", "stockham"), (3, 100, "dft", "stockham")]
    {
        let job = Job { device: DeviceChoice::Gpu, ..job(image(rows, columns), transform) };
        engine
            .request(Request { job: job.clone(), view: VisibleParts { probe: Some([rows - 1, columns - 1]), ..VisibleParts::default() } });
        let report = wait(&engine, |report| report.request.job == job && report.outcome().is_none_or(|outcome| outcome.error.is_some()));
        if let Some(error) = report.error() {
            panic!("{error}");
        }
        let outcome = report.outcome().unwrap();
        assert_eq!(outcome.algorithm, algorithm);
        assert!(outcome.error.unwrap() < 1e-6, "{rows} × {columns}: {:?}", outcome.error);
        assert!(report.probe.unwrap().1.complex().norm().is_finite());
        // A longer plan runs no single stages on a GPU.
        let Some(values) = outcome.values.as_ref().filter(|values| !values.device.is_empty()) else { continue };
        // The values that the drawing shows are the same on the device and in the reference, and lanes that hold nothing have none.
        let live = outcome.plan.as_ref().unwrap().live().concat();
        let pairs = values.device.iter().flatten().zip(values.reference.iter().flatten()).zip(live);
        for ((device, reference), _) in pairs.clone().filter(|(_, live)| *live) {
            assert!(device.distance(*reference) < 1e-2);
        }
        assert!(
            pairs.clone().any(|(_, live)| !live) && pairs.filter(|(_, live)| !live).all(|((device, _), _)| device.numbers()[0].is_nan())
        );
    }
}

#[test]
fn what_is_shown_is_measured_in_idle_time_and_computed_anew() {
    let engine = Engine::start(|| {});
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("measured.json");
    engine.know(Measured::load(path.clone()).0);
    let job = Job { prefer_plan: false, ..job(image(4, 8), "dft2") };
    engine.request(Request { job: job.clone(), view: VisibleParts::default() });
    let before = wait(&engine, |report| report.request.job == job);
    let candidates = &before.outcome().unwrap().candidates;
    assert!(candidates.len() > 4 && candidates.iter().all(|candidate| candidate.speed == Speed::Unknown), "{candidates:?}");
    engine.measure();
    let after = wait(&engine, |report| report.outcome().is_some_and(|outcome| outcome.reason.contains("measured on this device")));
    let outcome = after.outcome().unwrap();
    let micros = |candidate: &Candidate| match candidate.speed {
        Speed::Measured(micros) => micros,
        other => panic!("{} is {other:?}", candidate.algorithm),
    };
    let best = outcome.candidates.iter().min_by(|a, b| micros(a).total_cmp(&micros(b))).unwrap();
    assert_eq!(outcome.algorithm, best.algorithm);
    // Another program finds what this one measured.
    let (found, warning) = Measured::load(path);
    assert_eq!((found.entries().len(), warning), (1, None));
    assert_eq!(found.entries()[0].times[0].algorithm, best.algorithm);
}

#[test]
fn a_measurement_is_given_up_on_request() {
    let engine = Engine::start(|| {});
    let job = job(image(256, 256), "dft2");
    engine.request(Request { job: job.clone(), view: VisibleParts::default() });
    wait(&engine, |report| report.request.job == job);
    engine.measure();
    let is_measuring = || engine.progress().is_some_and(|progress| progress.label.starts_with("Measuring"));
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is_measuring() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(1));
    }
    while is_measuring() && Instant::now() < deadline {
        engine.cancel();
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(Instant::now() < deadline, "{:?}", engine.progress());
    let report = wait(&engine, |report| report.request.job == job);
    assert!(!report.outcome().unwrap().reason.contains("measured"), "nothing is decided by half a measurement");
}

#[test]
fn nothing_is_timed_while_another_thread_holds_the_lock() {
    let (engine, go_on) = (Engine::start(|| {}), AtomicBool::new(false));
    let others = engine.store().timing_lock().lock(TimingReason::Asked, &go_on).unwrap();
    let job = job(image(16, 32), "dft2");
    engine.request(Request { job: job.clone(), view: VisibleParts::default() });
    wait(&engine, |report| report.request.job == job);
    engine.measure();
    let deadline = Instant::now() + Duration::from_secs(60);
    while !engine.progress().is_some_and(|progress| progress.label.contains("waits for the sweep")) {
        assert!(Instant::now() < deadline, "the measurement does not wait");
        std::thread::sleep(Duration::from_millis(5));
    }
    // Far longer than the worker rests before it compares with other ways.
    std::thread::sleep(Duration::from_millis(1200));
    let outcome = engine.latest().unwrap();
    let outcome = outcome.outcome().unwrap();
    assert!(outcome.error.is_none() && outcome.again.is_empty() && outcome.comparisons.is_empty());
    engine.cancel();
    while engine.progress().is_some() {
        assert!(Instant::now() < deadline, "the measurement is not given up");
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(others);
    let done = wait(&engine, |report| report.outcome().is_some_and(|outcome| outcome.complete));
    assert_eq!(done.outcome().unwrap().comparisons.len(), 5);
    while engine.store().timing_lock().try_lock(TimingReason::Rest).is_none() {
        assert!(Instant::now() < deadline, "the worker keeps the timing_lock");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_device_that_is_lost_is_opened_anew() {
    let (mut devices, cancel) = (Devices::apart(), AtomicBool::new(false));
    let job = Job { device: DeviceChoice::Gpu, ..job(image(16, 32), "dft2") };
    let values = |devices: &mut Devices| compute(&job, devices, &cancel).and_then(|computed| computed.into_samples(&cancel));
    let before = values(&mut devices).expect("the device computes");
    for _ in 0..2 {
        match devices.backend(&DeviceChoice::Gpu).expect("the device is open").0 {
            papillon::engine::Backend::Gpu(device) => device.destroy(),
            papillon::engine::Backend::Cpu(_) => panic!("a GPU was asked for"),
        }
        assert_eq!(values(&mut devices).as_ref(), Ok(&before));
    }
}

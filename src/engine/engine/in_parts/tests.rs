//! A job in parts gives what it gives at once.

use super::*;
use crate::random::{random_bits, unit};
use crate::transforms::TRANSFORMS;
use num_complex::Complex64;

fn number(index: usize) -> f64 {
    2.0 * unit(random_bits(index as u64)) - 1.0
}

fn samples(n: usize, is_complex: bool) -> Samples {
    match is_complex {
        true => Samples::Complex64((0..n).map(|k| Complex64::new(number(k), number(k + n))).collect()),
        false => Samples::F64((0..n).map(number).collect()),
    }
}

fn job(name: &'static str, shape: Shape, samples: Samples, parameters: Parameters) -> Job {
    let kind = if shape.rows > 1 { SignalKind::Image } else { SignalKind::Rows };
    let signal = Signal::from_channels("numbers", kind, (shape.rows, shape.columns), vec![Channel::new("x", samples)]);
    Job { parameters, device: DeviceChoice::CpuParallel, prefer_plan: true, ..Job::new(Arc::new(signal), name) }
}

/// Asserts that the job gives in parts of at most `bytes` bytes what it gives at once. False where it has no parts.
fn agrees(job: &Job, bytes: usize) -> bool {
    let (mut devices, cancel) = (Devices::apart(), AtomicBool::new(false));
    // Exact transforms take no fractions.
    let Ok(ready) = Ready::new(job, &mut devices) else { return false };
    let Some(passes) = passes(&ready) else { return false };
    let at_once = ready.run(&mut devices, Instant::now(), &cancel).expect("it runs");
    let in_parts = of_most(bytes, &ready, &passes, &mut devices, Instant::now(), &cancel).expect("its parts run");
    let (a, b) = (at_once.stored.values(&cancel).unwrap(), in_parts.stored.values(&cancel).unwrap());
    let (shape, name) = (at_once.outcome.shape, job.transform);
    assert_eq!((in_parts.outcome.shape, in_parts.outcome.contents), (shape, at_once.outcome.contents));
    assert!(in_parts.outcome.reason.contains(" parts"), "{}", in_parts.outcome.reason);
    let tolerance = if in_parts.outcome.precision == Precision::Double { 1e-9 } else { 3e-5 };
    for index in 0..shape.len() {
        let [a, b] = [&a, &b].map(|values| values.exact(shape, index / shape.columns, index % shape.columns));
        assert!((a - b).norm() < tolerance * (1.0 + a.norm()), "{name} of {shape:?} in parts of {bytes} bytes at {index}: {a} and {b}");
    }
    true
}

#[test]
fn every_transform_that_has_parts_gives_in_parts_what_it_gives_at_once() {
    let mut in_two_passes = Vec::new();
    for row in TRANSFORMS.iter().filter(|row| row.input == Input::Signal) {
        let with_axes: &[BatchAxis] = if row.has(Parameter::Lines) { &[BatchAxis::Rows, BatchAxis::Columns] } else { &[BatchAxis::Rows] };
        for (&lines, is_complex) in with_axes.iter().flat_map(|lines| [(lines, false), (lines, true)]) {
            for direction in [Direction::Forward, Direction::Inverse] {
                let is_inverse = direction == Direction::Inverse;
                let is_half = row.gives == Numbers::HalfSpectrum;
                if is_inverse && !row.has_inverse || is_complex != (is_half && is_inverse) && (is_half || row.takes == Numbers::Real) {
                    continue;
                }
                let shape = Shape { rows: 8, columns: 16 };
                let samples_of_row = if lines == BatchAxis::Rows { 16 } else { 8 };
                let given =
                    if is_half && is_inverse { row.result_shape(shape, Parameters { lines, ..Parameters::default() }) } else { shape };
                let columns = (is_half && is_inverse).then_some(samples_of_row);
                let parameters = Parameters { direction, lines, columns, ..Parameters::default() };
                let job = job(row.name, given, samples(given.len(), is_complex), parameters);
                if agrees(&job, 3 * 16 * 16) && row.axes(parameters) == Axes::Both {
                    in_two_passes.push(row.name);
                }
            }
        }
    }
    in_two_passes.dedup();
    for name in ["dft2", "rdft2", "hartley2", "dct2", "walsh2"] {
        assert!(in_two_passes.contains(&name), "{name} has parts: {in_two_passes:?}");
    }
}

#[test]
fn lines_of_any_number_and_length_are_divided() {
    for (rows, columns) in [(1, 12), (12, 1), (7, 30), (61, 5), (3, 4099), (40, 64)] {
        for bytes in [1, 1000, 1 << 20] {
            for is_complex in [false, true] {
                let shape = Shape { rows, columns };
                assert!(agrees(&job("dft2", shape, samples(shape.len(), is_complex), Parameters::default()), bytes));
            }
        }
    }
}

#[test]
fn parts_take_the_algorithm_and_the_schedule_of_the_whole_where_they_can() {
    // Stockham takes an image with a side of 61, and no line of 61; row-column takes images only, and global-local no batch along columns.
    for (algorithm, cut, rows, note) in [
        ("stockham", Cut::Tiles, 61, " parts by bluestein, along"),
        ("row-column", Cut::Stages, 24, " parts by stockham, along"),
        ("stockham", Cut::Stages, 24, " parts, along"),
        ("global-local", Cut::Tiles, 16, " parts by stockham, along"),
    ] {
        let shape = Shape { rows, columns: 32 };
        let asked = Job { algorithm: Some(algorithm), cut, ..job("dft2", shape, samples(shape.len(), true), Parameters::default()) };
        let (mut devices, cancel) = (Devices::apart(), AtomicBool::new(false));
        let ready = Ready::new(&asked, &mut devices).expect("it has a plan");
        let passes = passes(&ready).expect("it has parts");
        let done = of_most(2000, &ready, &passes, &mut devices, Instant::now(), &cancel).expect("its parts run");
        assert!(done.outcome.reason.contains(note), "{algorithm}: {}", done.outcome.reason);
        assert!(agrees(&asked, 2000), "{algorithm}");
    }
}

#[test]
fn parts_on_a_gpu_come_back_in_pieces() {
    let shape = Shape { rows: 48, columns: 36 };
    for (name, is_complex) in [("dft2", true), ("dft2", false), ("rdft2", false), ("hartley2", false)] {
        for bytes in [1200, 1 << 20] {
            let job = job(name, shape, samples(shape.len(), is_complex), Parameters::default());
            let on_gpu = Job { device: DeviceChoice::Gpu, ..job };
            assert!(agrees(&on_gpu, bytes), "{name}");
        }
    }
}

#[test]
fn a_line_is_divided_as_an_image_of_its_samples() {
    for n in [4, 12, 30, 49, 1000, 2048, 2 * 997, 70 * 71] {
        for (direction, is_complex) in [(Direction::Forward, true), (Direction::Forward, false), (Direction::Inverse, true)] {
            for (lines, shape) in [(BatchAxis::Rows, Shape::line(n)), (BatchAxis::Columns, Shape { rows: n, columns: 1 })] {
                let parameters = Parameters { direction, lines, normalized: n % 3 == 0, ..Parameters::default() };
                for bytes in [1, 1500, 1 << 20] {
                    assert!(agrees(&job("dft", shape, samples(n, is_complex), parameters), bytes), "{n}");
                }
            }
        }
    }
    let on_gpu = Job { device: DeviceChoice::Gpu, ..job("dft", Shape::line(6000), samples(6000, true), Parameters::default()) };
    assert!(agrees(&on_gpu, 5000));
}

#[test]
fn only_a_device_that_is_too_small_divides_a_job() {
    let (mut devices, cancel) = (Devices::apart(), AtomicBool::new(false));
    let shape = Shape { rows: 4, columns: 4 };
    let too_large = || EngineError::from(GpuError::OutOfMemory { adapter: "the GPU".into() });
    let asked = job("dft2", shape, samples(16, true), Parameters::default());
    let open = Job { device: DeviceChoice::Auto, ..asked.clone() };
    // A prime number of samples fills no image but a line.
    let line = job("dft", Shape::line(17), samples(17, true), Parameters::default());
    for (job, error, is_divided) in
        [(&asked, too_large(), true), (&asked, GpuError::Cancelled.into(), false), (&open, too_large(), false), (&line, too_large(), false)]
    {
        let ready = Ready::new(job, &mut devices).expect("it has a plan");
        let done = run(&ready, error.clone(), &mut devices, Instant::now(), &cancel);
        assert_eq!(done.is_ok(), is_divided, "{error}");
    }
}

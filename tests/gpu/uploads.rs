//! Uploads to both buffers between which launches alternate: the result is that of one upload, and a first stage that only copies needs no launch.

use crate::common::GO;
use papillon::bench::{SweepData, SweepLine, benchmark_case};
use papillon::engine::{Cut, DeviceChoice, Devices};
use papillon::gpu::Uploads;
use papillon::transforms::Shape;

#[test]
fn the_result_does_not_depend_on_the_uploads() {
    // The last one makes complex lanes of real samples on the device.
    let cases = [
        ("walsh", "constant-geometry", SweepData::Bits, 0),
        ("reed-muller", "cooley-tukey", SweepData::Bits, 0),
        ("haar", "three-buffers", SweepData::Bits, 1),
        ("haar", "three-buffers", SweepData::Noise, 1),
        ("dyadic-convolution", "separate-transforms", SweepData::Bits, 0),
        ("dft", "constant-geometry", SweepData::Noise, 0),
    ];
    let mut devices = Devices::default();
    for (transform, algorithm, data, spared) in cases {
        for n in [16, 1 << 11] {
            let mut launches = Vec::new();
            for (uploads, n_uploads) in [(Uploads::Once, 1), (Uploads::Both, 2)] {
                let line = SweepLine {
                    algorithm: Some(algorithm.into()),
                    cut: Cut::Stages,
                    uploads,
                    ..SweepLine::new(transform, DeviceChoice::Gpu, Vec::new())
                };
                let mut case = benchmark_case(&line, Shape::line(n), data, 0, &mut devices, &GO).unwrap();
                // New buffers hold nothing of the run before.
                for _ in 0..2 {
                    devices = Devices::default();
                    case.round_trip(&mut devices, &GO).unwrap();
                }
                let mut error = 0.0_f64;
                case.each_result(&GO, &mut |values| {
                    error = error.max(case.deviation_of(values, &GO)?.error);
                    Ok(())
                })
                .unwrap();
                assert!(error < 1e-6, "{transform} by {algorithm} of {n}, {uploads}: {error}");
                let outcome = case.outcome();
                assert_eq!(outcome.times.n_uploads, n_uploads, "{transform} by {algorithm} of {n}, {uploads}");
                assert!(outcome.times.buffers_micros > 0.0);
                launches.push(outcome.schedule.as_ref().unwrap().launches.len());
            }
            assert_eq!(launches[0] - launches[1], spared, "{transform} by {algorithm} of {n}: launches {launches:?}");
        }
    }
}

#[test]
fn a_cpu_says_that_it_uploads_nothing() {
    let line = SweepLine { uploads: Uploads::Both, ..SweepLine::new("walsh", DeviceChoice::Cpu, Vec::new()) };
    let case = benchmark_case(&line, Shape::line(16), SweepData::Bits, 0, &mut Devices::default(), &GO).unwrap();
    let outcome = case.outcome();
    assert!(outcome.reason.contains("a CPU uploads nothing"), "{}", outcome.reason);
    assert_eq!((outcome.times.n_uploads, outcome.times.buffers_micros), (0, 0.0));
}

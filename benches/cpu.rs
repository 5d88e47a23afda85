//! `cargo bench`: one image of 512 × 512 in every way the CPU has, beside the library.

use criterion::{Criterion, criterion_group, criterion_main};
use num_complex::Complex32;
use papillon::cpu::{self, CpuBackend, library};
use papillon::plan::Direction;
use papillon::schedule::Schedule;
use papillon::transforms::{Axes, Parameters, Shape, transform};
use std::hint::black_box;
use std::sync::atomic::AtomicBool;

static GO_ON: AtomicBool = AtomicBool::new(false);

fn image(criterion: &mut Criterion) {
    let shape = Shape { rows: 512, columns: 512 };
    let samples: Vec<Complex32> = (0..shape.len()).map(|i| Complex32::from((i * i % 251) as f32)).collect();
    let mut group = criterion.benchmark_group("dft2 of 512 × 512");
    group.sample_size(10);
    let dft2 = transform("dft2").expect("the table has the transform of images");
    for algorithm in dft2.algorithms {
        let Some(build) = algorithm.plan_fn() else { continue };
        let plan = build(shape, Parameters::default()).expect("512 is a power of two");
        let schedule = Schedule::tiled(&plan, 4096);
        for way in CpuBackend::ALL {
            group.bench_function(format!("{}, {}", algorithm.name, way.name()), |bencher| {
                bencher.iter(|| cpu::run(&plan, &schedule, black_box(&samples), way, &GO_ON));
            });
        }
    }
    group.bench_function("rustfft", |bencher| {
        bencher.iter(|| library::transform(black_box(samples.clone()), shape, Axes::Both, Direction::Forward, &GO_ON));
    });
    group.finish();
}

criterion_group!(benches, image);
criterion_main!(benches);

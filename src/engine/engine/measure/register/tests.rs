//! Shifts of made images: how often two printed deviations contain them, and what is said of images without one.

use super::*;
use crate::engine::DeviceChoice;
use crate::random::{random_bits, unit};
use crate::signal::built_in::BUILT_IN;
use std::f64::consts::TAU;

const N: usize = 64;

fn image(samples: Vec<f32>, columns: usize) -> Arc<Signal> {
    let rows = samples.len() / columns;
    Arc::new(Signal::from_channels("test", SignalKind::Image, (rows, columns), vec![Channel::new("gray", Samples::F32(samples))]))
}

fn found(a: Vec<f32>, b: Vec<f32>, columns: usize) -> Registration {
    let job = Job { device: DeviceChoice::CpuParallel, ..Job::new(image(a, columns), "dft2") };
    register(&job, &image(b, columns), &mut Devices::apart(), &AtomicBool::new(false)).unwrap()
}

/// Random numbers with the distribution of Gauss, the same for the same index.
fn gauss(index: u64) -> f64 {
    let [a, b] = [2 * index, 2 * index + 1].map(|index| unit(random_bits(index)));
    (-2.0 * (1.0 - a).ln()).sqrt() * (TAU * b).cos()
}

/// Two views of a scene without borders, the second one shifted: waves up to a frequency, which noise blurred by σ pixels has to 0.16/σ.
fn views(seed: u64, highest: Option<f64>, [dx, dy]: [f64; 2], noise: f64) -> [Vec<f32>; 2] {
    let number = |k: u64, salt: u64| unit(random_bits(seed << 20 | k << 4 | salt)) - 0.5;
    let waves: Vec<[f64; 3]> = (0..160)
        .map(|k| {
            // The density of a blurred scene is that of Gauss.
            let sum = |salt: u64| highest.map_or(0.96 * number(k, salt), |sigma| 0.112 / sigma * gauss(seed << 20 | k << 4 | salt));
            [sum(1), sum(3), TAU * number(k, 5)]
        })
        .collect();
    [[0.0; 2], [dx, dy]].map(|[dx, dy]| {
        let at = |index: usize| {
            let [x, y] = [(index % N) as f64 - dx, (index / N) as f64 - dy];
            waves.iter().map(|[u, v, phase]| (TAU * (u * x + v * y) + phase).cos()).sum::<f64>()
        };
        (0..N * N).map(|index| (at(index) + noise * gauss((seed + 77) << 32 | index as u64 | (dx.to_bits() >> 40) << 16)) as f32).collect()
    })
}

/// Samples of 8 bits.
fn in_bytes(samples: Vec<f32>) -> Vec<f32> {
    samples.into_iter().map(|sample| (128.0 + 3.0 * sample).round().clamp(0.0, 255.0)).collect()
}

#[test]
fn twice_the_deviation_holds_the_shift() {
    let (mut n, mut held) = (0, 0);
    for (k, &sigma) in [None, Some(1.5), Some(3.0)].iter().enumerate() {
        for (j, &noise) in [0.0, 0.3].iter().enumerate() {
            for round in 0..4_u64 {
                let seed = 100 * k as u64 + 10 * j as u64 + round + 1;
                let number = |salt: u64| (2.0 * unit(random_bits(seed << 40 | salt)) - 1.0) * (N / 2 - 1) as f64;
                let shift = [number(1), number(2)].map(|shift| if round == 0 { shift.round() } else { shift });
                let mut pair = views(seed, sigma, shift, noise);
                if round % 2 == 1 {
                    pair = pair.map(in_bytes);
                }
                let [a, b] = pair;
                let Registration { shift: Shift { dx, dy, deviation, .. }, warnings, .. } = found(a, b, N);
                let off = [dx - shift[0], dy - shift[1]];
                assert!(off.iter().all(|off| off.abs() < 0.2), "σ {sigma:?}, noise {noise}, {shift:?}: {dx}, {dy}");
                assert_eq!(warnings, [], "σ {sigma:?}, noise {noise}, {shift:?}");
                n += 1;
                held += usize::from(off.iter().zip(deviation).all(|(off, deviation)| off.abs() <= 2.0 * deviation.unwrap()));
            }
        }
    }
    assert!(held * 20 >= n * 19, "{held} of {n}");
}

/// A part of the built-in photograph.
fn crop([x, y]: [usize; 2], size: usize) -> Vec<f32> {
    let signal = BUILT_IN[0].load().unwrap();
    let samples = signal.samples_f32(ChannelChoice::default()).unwrap();
    (0..size * size).map(|index| samples[(y + index / size) * signal.columns + x + index % size]).collect()
}

#[test]
fn parts_of_a_photograph_overlap_and_wrap() {
    for (k, shift) in [[0, 0], [-7, 12], [31, 5], [-40, -47], [47, 20]].into_iter().enumerate() {
        let at = [200_isize, 220];
        let part = |shift: [isize; 2]| crop([(at[0] - shift[0]) as usize, (at[1] - shift[1]) as usize], 96);
        let noisy = |samples: Vec<f32>, seed: u64| {
            samples.into_iter().enumerate().map(|(i, sample)| sample + 2.0 * gauss(seed << 32 | i as u64) as f32).collect::<Vec<f32>>()
        };
        let overlapping = found(noisy(part([0; 2]), 1), noisy(part(shift), 2 + k as u64), 96);
        let turned = |a: Vec<f32>| {
            let from = |i: usize, n: isize| (i as isize - n).rem_euclid(96) as usize;
            (0..96 * 96).map(|index| a[from(index / 96, shift[1]) * 96 + from(index % 96, shift[0])]).collect()
        };
        let wrapping = found(part([0; 2]), turned(part([0; 2])), 96);
        for Registration { shift: Shift { dx, dy, .. }, .. } in [&overlapping, &wrapping] {
            assert!((dx - shift[0] as f64).abs() < 0.1 && (dy - shift[1] as f64).abs() < 0.1, "{shift:?}: {dx}, {dy}");
        }
        assert!((wrapping.shift.peak - 1.0).abs() < 1e-3 && wrapping.way == RegistrationWay::Phases, "{wrapping:?}");
    }
}

#[test]
fn what_images_do_not_tell_is_said() {
    let [white, _] = views(5, None, [0.0; 2], 1.0);
    let [other, _] = views(6, Some(3.0), [0.0; 2], 0.0);
    let [smooth, _] = views(7, Some(3.0), [0.0; 2], 0.0);
    let half: Vec<f32> = (0..N * N).map(|index| white[index / N * N + (index + N / 2) % N]).collect();
    let stripes = |from: usize| (0..N * N).map(|index| white[(index + from) % N]).collect::<Vec<f32>>();
    let lattice = |dx: f64| {
        let wave = |index: usize| (TAU * ((index % N) as f64 - dx) / 16.0).sin() + (TAU * (index / N) as f64 / 11.3).sin();
        (0..N * N).map(|index| wave(index) as f32).collect::<Vec<f32>>()
    };
    let blank = RegistrationWarning::Blank { image: "test".into() };
    let warned = |a: &[f32], b: &[f32]| {
        let found = found(a.to_vec(), b.to_vec(), N);
        (found.shift.deviation.map(|deviation| deviation.is_some()), found.warnings)
    };
    assert_eq!(warned(&white, &[3.0; N * N]), ([false; 2], vec![blank.clone()]));
    assert_eq!(warned(&[3.0; N * N], &[3.0; N * N]), ([false; 2], vec![blank]));
    assert!(
        warned(&white, &other).1.contains(&RegistrationWarning::Chance) && warned(&smooth, &other).1.contains(&RegistrationWarning::Chance)
    );
    assert_eq!(warned(&stripes(0), &stripes(5)), ([true, false], vec![RegistrationWarning::OneDirection]));
    assert!(matches!(warned(&white, &half).1[..], [RegistrationWarning::Another { shift: [-32 | 32, 0] }]));
    assert!(matches!(warned(&lattice(0.0), &lattice(3.0)).1[..], [RegistrationWarning::Another { .. }]));
}

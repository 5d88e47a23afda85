//! Integers that go up as a file stores them: the device makes the same numbers of them as the CPU.

use crate::common::{GO, device};
use num_complex::{Complex32, Complex64};
use papillon::gpu::{Device, KernelChoice, fastest};
use papillon::plan::{Plan, Precision, Ring};
use papillon::random::random_bits;
use papillon::signal::{ReadOptions, Reading, Samples, load_bytes_as};
use papillon::transforms::{Parameters, Shape, transform};

/// No power of two, so that the bytes of the last sample end within a word.
const N: usize = 4098;

fn bytes(n: usize) -> Vec<u8> {
    (0..n as u64).map(|index| random_bits(index) as u8).collect()
}

/// Samples of every type that takes fewer bytes than a float, with its name.
fn all_samples(n: usize) -> Vec<(String, Samples)> {
    let types = ["u8", "s8", "s16le", "s16be", "s24le", "s24be", "cu8", "cs8", "cs16le", "cs16be", "cs24le"];
    let recordings = types.into_iter().map(|name| {
        let how = Reading { options: ReadOptions { raw: Some(name.parse().unwrap()), ..ReadOptions::default() }, ..Reading::default() };
        let of_each = how.options.raw.unwrap().encoding.bytes();
        let mut signal = load_bytes_as("samples.raw", &bytes(n * of_each), &how).unwrap();
        (name.to_owned(), signal.channels.swap_remove(0).samples)
    });
    let of_16 = bytes(2 * n).chunks(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect();
    recordings.chain([("bytes".into(), Samples::U8(bytes(n))), ("two bytes".into(), Samples::U16(of_16))]).collect()
}

fn plan(name: &str, n: usize) -> Plan {
    let (shape, parameters) = (Shape::line(n), Parameters::default());
    let plan = transform(name).unwrap().first_plan_for(shape, parameters).plan_fn().unwrap()(shape, parameters).unwrap();
    if plan.ring.is_exact() { plan.over(Ring::Real) } else { plan }
}

/// The result of samples that go up as integers, and of the same as floats.
fn both(device: &Device, plan: &Plan, precision: Precision, samples: &Samples) -> [Vec<Complex64>; 2] {
    let schedule = fastest(plan, device.limits().in_precision(precision));
    let prepared = device.prepare_in(plan, &schedule, KernelChoice::Fast, precision).unwrap();
    let result = || {
        prepared.spoil().unwrap();
        prepared.run(&GO).unwrap();
        prepared.download_double(0..prepared.outputs(), &GO).unwrap()
    };
    prepared.upload_integers(&samples.stored_integers().unwrap(), &GO).unwrap();
    let found = result();
    if samples.is_complex() {
        prepared.upload(&samples.to_complex32(), &GO).unwrap();
    } else if plan.inputs == samples.len() {
        prepared.upload(&samples.to_f32(), &GO).unwrap();
    } else {
        let pairs: Vec<Complex32> = samples.to_f32().chunks(2).map(|pair| Complex32::new(pair[0], pair[1])).collect();
        prepared.upload(&pairs, &GO).unwrap();
    }
    [found, result()]
}

#[test]
fn integers_become_the_numbers_that_they_stand_for() {
    let precisions: &[Precision] = if device().info().f64 { &[Precision::Single, Precision::Double] } else { &[Precision::Single] };
    for (transform, n) in [("dft", N), ("rdft", N), ("walsh", 4096)] {
        let plan = plan(transform, n);
        for (name, samples) in all_samples(n).into_iter().filter(|(_, samples)| transform == "dft" || !samples.is_complex()) {
            for &precision in precisions {
                let [found, expected] = both(device(), &plan, precision, &samples);
                assert!(found == expected, "{transform} of {name}, {precision:?}");
            }
            // Kernels that see the lanes in parts, and also what arrives.
            let small = device().with_bindings_of(1 << (plan.lanes * plan.ring.bytes_per_lane() / 2).ilog2());
            let [found, expected] = both(&small, &plan, Precision::Single, &samples);
            assert!(found == expected, "{transform} of {name} in parts");
        }
    }
}

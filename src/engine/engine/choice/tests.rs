//! Tests of the choice: estimates by comparing recipes, and what was measured.

use super::*;
use crate::engine::{MeasuredEntry, MeasuredTime};
use crate::plan::Precision;
use crate::signal::{ChannelChoice, Samples, Signal};
use std::sync::Arc;

/// The limits that every GPU has.
const LIMITS: Limits =
    Limits { workgroup_bytes: 32 << 10, max_invocations: 256, max_groups: 65535, subgroup: 1, precision: Precision::Single };

fn dft() -> &'static Transform {
    transform("dft").expect("it is in the table")
}

fn job(shape: Shape) -> Job {
    let signal = Signal { rows: shape.rows, columns: shape.columns, ..Signal::row("zeros", Samples::F32(vec![0.0; shape.len()])) };
    Job {
        signal: Arc::new(signal),
        second: None,
        channel: ChannelChoice::Luma,
        transform: "dft",
        algorithm: None,
        parameters: Parameters::default(),
        cut: Cut::Tiles,
        device: DeviceChoice::Cpu,
        prefer_plan: false,
        precision: None,
        preparation: Default::default(),
    }
}

fn best(candidates: &[Candidate]) -> &'static str {
    let rated = candidates.iter().filter_map(|candidate| Some((candidate.algorithm, rating(candidate.speed)?)));
    rated.min_by(|a, b| a.1.total_cmp(&b.1)).expect("one is rated").0
}

fn ratio(candidates: &[Candidate], name: &str) -> f64 {
    match candidates.iter().find(|candidate| candidate.algorithm == name).map(|candidate| candidate.speed) {
        Some(Speed::Estimated(ratio)) => ratio,
        other => panic!("{name} is {other:?}"),
    }
}

#[test]
fn estimates_prefer_what_moves_least() {
    for (rows, columns) in [(1 << 14, 1 << 10), (1 << 8, 1 << 14), (1, 1 << 20)] {
        let found = estimated(dft(), LIMITS, Shape { rows, columns }, Parameters::default(), Cut::Tiles);
        assert_eq!(ratio(&found, best(&found)), 1.0);
        assert!(best(&found).starts_with("stockham"), "{columns}: {found:?}");
        // More stages of a smaller radix, and a convolution of twice the length, are never the fastest.
        assert!(ratio(&found, "cooley-tukey") > 1.0 && ratio(&found, "bluestein") > 1.5, "{columns}: {found:?}");
        // A result that the host must sort saves nothing.
        assert!(ratio(&found, "cooley-tukey-dif") > 2.0, "{columns}: {found:?}");
    }
    // Tiles of 4096 values would leave most processors of a device without a workgroup.
    for exponent in 14..=20 {
        let found = estimated(dft(), Limits::DESKTOP, Shape::line(1 << exponent), Parameters::default(), Cut::Tiles);
        assert_eq!(best(&found), "stockham", "2^{exponent}: {found:?}");
    }
    // One short line is a launch for nearly all, and the first of the table stands for them.
    let short = estimated(dft(), LIMITS, Shape::line(1024), Parameters::default(), Cut::Tiles);
    assert_eq!(best(&short), "stockham", "{short:?}");
    assert!(ratio(&short, "cooley-tukey-dif") > 2.0, "{short:?}");
    let prime = estimated(dft(), LIMITS, Shape::line(10_007), Parameters::default(), Cut::Tiles);
    assert_eq!(prime, [Candidate { algorithm: "bluestein", cut: Cut::Tiles, speed: Speed::Estimated(1.0) }]);
}

/// As measured on an NVIDIA H200: 2^22 residues take 42 µs by stockham, 46 by stockham-2 and 52 by cooley-tukey.
#[test]
fn residues_take_the_fewest_stages() {
    let ntt = transform("ntt").expect("it is in the table");
    let parameters = Parameters { modulus: Some(2_013_265_921), ..Parameters::default() };
    for (rows, columns) in [(1, 1 << 20), (1, 1 << 22), (1, 1 << 24), (4096, 256)] {
        let found = estimated(ntt, Limits::DESKTOP, Shape { rows, columns }, parameters, Cut::Tiles);
        assert_eq!(best(&found), "stockham", "{found:?}");
    }
}

#[test]
fn columns_where_they_stand_beat_transpositions() {
    let dft2 = transform("dft2").expect("it is in the table");
    let found = estimated(dft2, LIMITS, Shape { rows: 2048, columns: 2048 }, Parameters::default(), Cut::Tiles);
    assert_eq!(best(&found), "stockham", "{found:?}");
    assert!(ratio(&found, "row-column") > 1.2, "{found:?}");
}

/// Measurements at 1024 values a row on the CPU, constant geometry before all others, and Cooley-Tukey not at all.
fn measured(at: &MeasuredOn, columns: usize) -> Measured {
    let micros = |name: &str| match name {
        "constant-geometry" => Some(1.0),
        "cooley-tukey" => None,
        "rustfft" => Some(0.5),
        _ => Some(9.0),
    };
    let times = dft().algorithms.iter().map(|algorithm| MeasuredTime {
        algorithm: algorithm.name.into(),
        cut: Cut::Tiles,
        micros: micros(algorithm.name),
    });
    let entry = MeasuredEntry { at: at.clone(), transform: "dft".into(), shape: Shape::line(columns), times: times.collect() };
    let mut measured = Measured::default();
    measured.remember(entry).expect("nothing is written without a path");
    measured
}

#[test]
fn what_was_measured_decides_at_near_sizes() {
    let backend = Backend::Cpu(CpuBackend::OneThread);
    let measured = measured(&MeasuredOn::at(&backend, Precision::Single), 1024);
    let taken = |columns: usize, prefer_plan: bool, cut: Cut| {
        let (shape, job) = (Shape::line(columns), Job { prefer_plan, cut, ..job(Shape::line(columns)) });
        let candidates = candidates(dft(), &backend, shape, &job, (&measured, &mut KnownCandidates::default()));
        let (algorithm, cut, why) = choose(dft(), &candidates, &backend, shape, &job);
        (algorithm.name, cut, why)
    };
    assert_eq!(taken(1024, false, Cut::Tiles), ("rustfft", Cut::Tiles, "the fastest, measured on this device".into()));
    let drawn = taken(1024, true, Cut::Tiles);
    assert_eq!((drawn.0, drawn.2.contains("measured on this device")), ("constant-geometry", true));
    // Lengths that fewer algorithms take are near enough, and another power of two is not.
    assert_eq!(taken(1025, true, Cut::Tiles).0, "bluestein");
    assert!(taken(1025, true, Cut::Tiles).2.contains("measured"));
    assert_eq!(taken(2048, false, Cut::Tiles).2, "the fastest on a CPU");
    // Who asks for a cut has not asked for another.
    assert_eq!(taken(1024, true, Cut::Stages).2, "the fastest that has a flow graph");
}

#[test]
fn a_length_that_suits_fewer_algorithms_decides_for_no_other() {
    let backend = Backend::Cpu(CpuBackend::Parallel);
    let at = MeasuredOn::at(&backend, Precision::Single);
    let times = vec![MeasuredTime { algorithm: "bluestein".into(), cut: Cut::Tiles, micros: Some(1.0) }];
    let mut measured = Measured::default();
    let entry = MeasuredEntry { at: at.clone(), transform: "dft".into(), shape: Shape::line(1031), times };
    measured.remember(entry).expect("nothing is written without a path");
    assert!(measured.nearest(&at, "dft", Shape::line(1033), &["bluestein"]).is_some());
    assert!(measured.nearest(&at, "dft", Shape::line(1024), &["stockham", "bluestein"]).is_none());
    assert!(measured.nearest(&at, "dft", Shape { rows: 2, columns: 1033 }, &["bluestein"]).is_none(), "another batch");
    let double = MeasuredOn { precision: Precision::Double, ..at.clone() };
    assert!(measured.nearest(&double, "dft", Shape::line(1031), &["bluestein"]).is_none(), "another precision");
    let elsewhere = MeasuredOn { driver: "another".into(), ..at };
    assert!(measured.nearest(&elsewhere, "dft", Shape::line(1031), &["bluestein"]).is_none(), "another device");
}

#[test]
fn short_lines_that_are_drawn_have_radix_2() {
    let backend = Backend::Cpu(CpuBackend::Parallel);
    let taken = |shape: Shape, prefer_plan: bool| {
        let job = Job { prefer_plan, ..job(shape) };
        let candidates = candidates(dft(), &backend, shape, &job, (&Measured::default(), &mut KnownCandidates::default()));
        let (algorithm, _, why) = choose(dft(), &candidates, &backend, shape, &job);
        (algorithm.name, why)
    };
    for n in [4, 8, 16] {
        let (name, why) = taken(Shape::line(n), true);
        assert_eq!(name, "cooley-tukey", "{n}: butterflies in place");
        assert!(why.starts_with("radix 2"), "{why}");
    }
    assert_eq!(taken(Shape { rows: 4, columns: 16 }, true).0, "cooley-tukey");
    // Longer lines, larger batches, lengths without radix 2 and runs without a graph take the fastest.
    assert_eq!(taken(Shape::line(32), true).0, "stockham");
    assert_eq!(taken(Shape { rows: 5, columns: 16 }, true).0, "stockham");
    assert_eq!(taken(Shape::line(15), true).0, "stockham");
    assert_eq!(taken(Shape::line(8), false).0, "rustfft");
}

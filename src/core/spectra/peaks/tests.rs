//! Tests of the sines of recordings.

use super::*;
use crate::plan::Precision;
use crate::signal::{ChannelChoice, Samples, Signal};
use std::f64::consts::TAU;
use std::sync::atomic::AtomicBool;

fn peaks_of(values: Vec<f64>) -> Vec<TonePeak> {
    let points = values.len();
    peaks_in(values, points)
}

fn peaks_in(values: Vec<f64>, points: usize) -> Vec<TonePeak> {
    let (n, cancel) = (values.len(), AtomicBool::new(false));
    let signal = Signal::row("", Samples::F64(values));
    let tracks = vec![signal.track(ChannelChoice::Luma).unwrap()];
    // A unit is the whole recording, so that frequencies are cycles in it.
    among::<f64>(&SpectraJob::new(tracks, 0..n, Frames::whole(n), n as f64, &cancel), 10, points).unwrap()
}

#[test]
fn tones_at_any_offset_have_their_frequency_and_level() {
    let n = 4000;
    for step in 0..32 {
        for (low, amplitude) in [(3.0, 1.0), (20.0, 1e-3), (777.0, 0.25), (1990.0, 1.0)] {
            let cycles = low + f64::from(step) / 32.0;
            let found = peaks_of((0..n).map(|index| amplitude * (TAU * cycles * index as f64 / n as f64 + 0.2).cos()).collect());
            let level = |peak: &TonePeak| 20.0 * (peak.amplitude / amplitude).log10();
            assert!(
                matches!(&found[..], [peak] if (peak.frequency - cycles).abs() < 1.5e-3 && level(peak).abs() < 1.5e-3),
                "{cycles}: {found:?}"
            );
        }
    }
}

#[test]
fn single_precision_finds_the_same_lines_of_a_recording() {
    let n = 4800;
    let wave = |index: usize| 0.4 * (TAU * 431.3 * index as f64 / n as f64).cos() + 0.001 * (TAU * 1200.7 * index as f64 / n as f64).sin();
    let signal = Signal::row("", Samples::F32((0..n).map(|index| wave(index) as f32).collect()));
    let cancel = AtomicBool::new(false);
    let tracks = vec![signal.track(ChannelChoice::Luma).unwrap()];
    let job = SpectraJob::new(tracks, 0..n, Frames::whole(n), n as f64, &cancel);
    let [single, double] =
        [Precision::Single, Precision::Double].map(|precision| tone_peaks(&SpectraJob { precision, ..job.clone() }, 2).unwrap());
    assert_eq!((single.len(), double.len()), (2, 2));
    for (a, b) in single.iter().zip(&double) {
        assert!((a.frequency - b.frequency).abs() < 1e-3 && (a.amplitude / b.amplitude - 1.0).abs() < 1e-4, "{a:?} for {b:?}");
    }
}

#[test]
fn weak_tones_beside_strong_ones_are_found() {
    let n = 8000;
    for offset in [0.0, 0.13, 0.5, 0.77] {
        for beside in [3.3, 5.0, 8.4, 12.5, 25.2, 60.0] {
            for decibels in [-20.0, -60.0, -90.0, -110.0] {
                let (strong, weak, low) = (700.0 + offset, 700.0 + offset + beside, 10.0_f64.powf(decibels / 20.0));
                let wave = |index: usize, cycles: f64, phase: f64| (TAU * cycles * index as f64 / n as f64 + phase).cos();
                let found = peaks_of((0..n).map(|index| wave(index, strong, 0.3) + low * wave(index, weak, 1.9)).collect());
                let at = format!("{offset} {beside} {decibels}: {found:?}");
                assert_eq!(found.len(), 2, "{at}");
                assert!((found[0].frequency - strong).abs() < 1e-4 && (found[1].frequency - weak).abs() < 1.5e-3, "{at}");
                assert!((20.0 * found[1].amplitude.log10() - decibels).abs() < 1.5e-3, "{at}");
            }
        }
    }
}

#[test]
fn a_length_that_takes_long_gets_zeros_and_the_same_peaks() {
    let n = 4001;
    for offset in [0.0, 0.13, 0.5, 0.77] {
        let wave = |index: usize, cycles: f64, phase: f64| (TAU * cycles * index as f64 / n as f64 + phase).cos();
        let values =
            |index: usize| wave(index, 700.0 + offset, 0.3) + 1e-3 * wave(index, 725.2 + offset, 1.9) + 0.1 * wave(index, 9.4, -2.0);
        let plain = peaks_of((0..n).map(values).collect());
        assert_eq!(plain.len(), 3, "{plain:?}");
        for points in [4032, 4096] {
            let padded = peaks_in((0..n).map(values).collect(), points);
            assert_eq!(padded.len(), 3, "{padded:?}");
            for (a, b) in plain.iter().zip(&padded) {
                let beside = (a.frequency - b.frequency).abs().max((a.phase - b.phase).abs()).max((a.amplitude / b.amplitude - 1.0).abs());
                // The skirts of the strong sine, between other values, move the width of the weak one.
                assert!(beside < 1e-4 && (a.width - b.width).abs() < 0.08, "{points} {offset}: {a:?} {b:?}");
            }
        }
    }
    let fast = [(4001, true), (1_048_583, true), (28_799_999, true), (1_048_583, false), (28_800_000, true)];
    assert_eq!(fast.map(|(n, is_real)| fast_points(n, is_real)), [4001, 1_049_760, 28_800_000, 1_049_760, 28_800_000]);
}

#[test]
fn a_tone_that_is_not_steady_has_no_false_company() {
    let n = 8000;
    for decay in [1.0, 3.0, 8.0] {
        let wave = |index: usize| {
            let t = index as f64 / n as f64;
            (-decay * t).exp() * (TAU * 700.3 * t).cos()
        };
        let found = peaks_of((0..n).map(wave).collect());
        assert_eq!(found.len(), 1, "{decay}: {found:?}");
    }
}

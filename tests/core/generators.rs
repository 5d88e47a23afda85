//! Generators against their formulas, sample by sample or in what they promise; and the samples in the program.

use papillon::signal::built_in::BUILT_IN;
use papillon::signal::generate::*;
use papillon::signal::{ChannelChoice, Signal, SignalKind};
use papillon::transforms::Scheme;
use std::f64::consts::TAU;

fn values(generator: Generator) -> Vec<f64> {
    generator.signal().unwrap().samples_f64(ChannelChoice::Luma).unwrap()
}

fn close(found: &[f64], expected: impl Fn(usize) -> f64) {
    for (n, &value) in found.iter().enumerate() {
        assert!((value - expected(n)).abs() < 1e-6, "sample {n}: {value} instead of {}", expected(n));
    }
}

#[test]
fn every_row_of_the_table_makes_what_it_says() {
    for entry in GENERATORS {
        let generator = (entry.default)();
        let signal: Signal = generator.signal().unwrap();
        assert_eq!(signal.kind, entry.kind, "{}", entry.name);
        assert_eq!(generator.entry().name, entry.name);
        // A function is called what was typed.
        if !matches!(generator, Generator::Boolean(_)) {
            assert_eq!(signal.name, entry.name);
        }
        let (low, high) = signal.min_max(ChannelChoice::Luma).unwrap().unwrap();
        assert!(low < high, "{} shows something", entry.name);
        if entry.kind == SignalKind::Image {
            assert!(low >= 0.0 && high <= 1.0 + 1e-6, "{}: {low}..{high}", entry.name);
            assert_eq!((signal.rows, signal.columns), (512, 512));
        }
        let text = serde_json::to_string(&generator).unwrap();
        assert_eq!(serde_json::from_str::<Generator>(&text).unwrap(), generator);
        assert_eq!(generator.signal().unwrap(), signal, "{} is the same every time", entry.name);
    }
}

#[test]
fn polynomials_have_the_residues_and_the_length_of_their_scheme() {
    for scheme in [Scheme::None, Scheme::MlKem, Scheme::MlDsa, Scheme::Falcon512, Scheme::Falcon1024, Scheme::BabyBear, Scheme::P998244353]
    {
        let found = values(Generator::Polynomial(Polynomial { scheme, length: 64, seed: 5 }));
        let q = scheme.modulus().unwrap_or(998_244_353) as f64;
        assert_eq!(found.len(), scheme.length().unwrap_or(64));
        assert!(found.iter().all(|&x| x.fract() == 0.0 && (0.0..q).contains(&x)) && found.iter().any(|&x| x > q / 2.0));
    }
}

#[test]
fn lines_follow_their_formulas() {
    let terms = vec![SineTerm { amplitude: 2.0, frequency: 3.0, phase: 90.0 }, SineTerm { amplitude: 0.5, frequency: 7.5, phase: 0.0 }];
    let sum = values(Generator::SineSum(SineSum { length: 100, terms }));
    assert_eq!(sum.len(), 100);
    close(&sum, |n| 2.0 * (TAU * 3.0 * n as f64 / 100.0).cos() + 0.5 * (TAU * 7.5 * n as f64 / 100.0).sin());
    let chirp = values(Generator::Chirp(Chirp { length: 64, amplitude: 1.5, start: 2.0, end: 10.0, ..Chirp::default() }));
    close(&chirp, |n| {
        let t = n as f64 / 64.0;
        1.5 * (TAU * (2.0 * t + 4.0 * t * t)).sin()
    });
    let sweep = Chirp { length: 64, amplitude: 1.0, start: 1.0, end: 8.0, law: SweepLaw::Exponential };
    // Three octaves: after a third of the time the frequency has doubled, and the phase is the integral of the frequency.
    close(&values(Generator::Chirp(sweep)), |n| (TAU * (8_f64.powf(n as f64 / 64.0) - 1.0) / 8_f64.ln()).sin());
    let impulse = values(Generator::Impulse(Impulse { length: 8, position: 11, height: -2.0 }));
    assert_eq!(impulse, [0.0, 0.0, 0.0, -2.0, 0.0, 0.0, 0.0, 0.0]);
    let square = values(Generator::Square(SquareWave { length: 8, amplitude: 3.0, frequency: 2.0, duty: 0.25 }));
    assert_eq!(square, [3.0, -3.0, -3.0, -3.0, 3.0, -3.0, -3.0, -3.0]);
}

#[test]
fn noise_has_the_moments_of_its_distribution() {
    let noise =
        |distribution, seed| values(Generator::Noise(NoiseSignal { length: 100_000, distribution, seed, ..NoiseSignal::default() }));
    for (distribution, variance) in [(Distribution::Uniform, 1.0 / 3.0), (Distribution::Normal, 1.0)] {
        let x = noise(distribution, 5);
        let mean = x.iter().sum::<f64>() / x.len() as f64;
        let power = x.iter().map(|v| v * v).sum::<f64>() / x.len() as f64;
        let neighbours = x.windows(2).map(|w| w[0] * w[1]).sum::<f64>() / x.len() as f64;
        assert!(
            mean.abs() < 0.02 && (power - variance).abs() < 0.02 && neighbours.abs() < 0.02,
            "{distribution}: {mean} {power} {neighbours}"
        );
        assert_ne!(x, noise(distribution, 6));
    }
}

#[test]
fn pink_noise_has_the_same_power_in_every_octave() {
    let x = values(Generator::Noise(NoiseSignal { length: 1 << 16, amplitude: 0.5, colour: NoiseColour::Pink, ..NoiseSignal::default() }));
    let mean = x.iter().sum::<f64>() / x.len() as f64;
    let power = x.iter().map(|v| v * v).sum::<f64>() / x.len() as f64;
    assert!(mean.abs() < 1e-4 && (power - 0.25).abs() < 1e-4, "{mean} {power}");
    let mut spectrum: Vec<_> = x.iter().map(|&v| num_complex::Complex64::from(v)).collect();
    rustfft::FftPlanner::new().plan_fft_forward(x.len()).process(&mut spectrum);
    let octave = |first: usize| spectrum[first..2 * first].iter().map(|z| z.norm_sqr()).sum::<f64>();
    for first in [256, 1024, 4096] {
        assert!((octave(2 * first) / octave(first) - 1.0).abs() < 0.25, "{first}: {} {}", octave(first), octave(2 * first));
    }
}

#[test]
fn pictures_follow_their_formulas() {
    let grating = Grating { frequency: 5.0, angle: 30.0, phase: 45.0, contrast: 0.8 };
    let stripes = values(Generator::Gratings(Gratings { rows: 20, columns: 40, terms: vec![grating] }));
    close(&stripes, |index| {
        let (y, x) = ((index / 40) as f64, (index % 40) as f64);
        let (sin, cos) = 30_f64.to_radians().sin_cos();
        0.5 + 0.4 * (TAU * 5.0 * (x * cos + y * sin) / 40.0 + TAU / 8.0).cos()
    });
    let rings = values(Generator::ZonePlate(ZonePlate { rows: 16, columns: 16, limit: 1.0 }));
    assert_eq!(rings[8 * 16 + 8], 1.0);
    close(&rings, |index| {
        let (y, x) = ((index / 16) as f64 - 8.0, (index % 16) as f64 - 8.0);
        0.5 + 0.5 * (TAU * (x * x + y * y) / 32.0).cos()
    });
    let board = values(Generator::Checkerboard(Checkerboard { rows: 4, columns: 6, square: 2 }));
    assert_eq!(board[..12], [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    assert_eq!(board[12], 1.0);
}

#[test]
fn words_are_drawn_in_the_middle() {
    let words = |text: &str| values(Generator::Text(TextImage { rows: 100, columns: 200, text: text.to_owned(), height: 40.0 }));
    let ink = |image: &[f64]| image.iter().sum::<f64>();
    let word = words("HOH");
    assert!(ink(&word) > 200.0, "something is written");
    assert_eq!(ink(&words("")), 0.0);
    assert!(ink(&words("HOH\nHOH")) > 1.8 * ink(&word), "two lines are twice the ink");
    let half: f64 = word.chunks(200).map(|row| row[..100].iter().sum::<f64>()).sum();
    assert!((half / ink(&word) - 0.5).abs() < 0.05, "as much left as right");
    for (y, row) in word.chunks(200).enumerate() {
        assert!(row.iter().sum::<f64>() == 0.0 || (25..75).contains(&y), "row {y} is outside the line");
    }
}

#[test]
fn absurd_parameters_do_no_harm() {
    let empty = Generator::Checkerboard(Checkerboard { rows: 0, columns: 0, square: 0 }).signal().unwrap();
    assert_eq!((empty.rows, empty.columns), (1, 1));
    assert_eq!(Generator::Impulse(Impulse { length: 0, position: 9, height: 1.0 }).signal().unwrap().len(), 1);
    let large = TextImage { rows: 10, columns: 10, text: "€→蝶".to_owned(), height: f64::INFINITY };
    assert_eq!(Generator::Text(large).signal().unwrap().len(), 100);
}

#[test]
fn the_samples_in_the_program_load() {
    for sample in BUILT_IN {
        let signal = sample.load().unwrap();
        assert_eq!(signal.name, sample.name);
        // A table says how it was read.
        assert!(signal.notes.is_empty() || signal.table.is_some(), "{:?}", signal.notes);
    }
    assert_eq!(BUILT_IN[0].load().unwrap().description(), "512 × 512 px image, 8-bit RGB");
    assert_eq!(BUILT_IN[1].load().unwrap().rate_hz(), Some(22_050.0));
}

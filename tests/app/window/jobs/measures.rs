//! Jobs that measure images.

use super::super::screens::words_in;
use super::files::name_file;
use super::{Hands, begin, pixel, png};
use egui::Key;
use egui::Modifiers;
use std::f64::consts::TAU;
use std::path::Path;

const SIDE: usize = 128;

/// Waves of 5 pixels in two directions.
fn grid(x: f64, y: f64) -> f64 {
    128.0 + 40.0 * ((TAU * x / 5.0).cos() + (TAU * y / 5.0).cos())
}

/// The place of a value of the spectrum image, columns to the right and rows down from frequency 0.
fn frequency(hands: &Hands, [right, down]: [f32; 2]) -> egui::Pos2 {
    pixel(hands, "Spectrum image", [SIDE, SIDE], [right + SIDE as f32 / 2.0, down + SIDE as f32 / 2.0])
}

pub(super) fn lattice(folder: &Path) -> Hands {
    let wave = |x: f64, y: f64, angle: f64| (TAU * 20.6 / 128.0 * (angle.to_radians().cos() * x + angle.to_radians().sin() * y)).cos();
    let path = png(folder, "crystal.png", [SIDE, SIDE], |x, y| {
        128.0 + [10.0, 70.0, 130.0].map(|angle| 30.0 * wave(x, y, angle)).iter().sum::<f64>()
    });
    let mut hands = begin(&[path]);
    for (angle, which) in [(10.0_f32, "first"), (70.0, "second")] {
        let (down, right) = angle.to_radians().sin_cos();
        let at = frequency(&hands, [(20.6 * right).round(), (20.6 * down).round()]);
        hands.press_at(at, &format!("the {which} spot of the spectrum"));
    }
    hands.press("Drawer");
    hands.press("Markers");
    let [a, b, between] = hands.numbers_of("vectors in the image")[..] else { panic!("no vectors are shown") };
    let expected = 128.0 / 20.6 / 60_f64.to_radians().sin();
    assert!([a, b].iter().all(|side| (side / expected - 1.0).abs() < 0.005), "{a} px and {b} px are to be {expected} px");
    assert!((between - 60.0).abs() < 0.3 || (between - 120.0).abs() < 0.3, "{between}°");
    hands
}

pub(super) fn region(folder: &Path) -> Hands {
    let path = png(folder, "two.png", [SIDE, SIDE], |x, _| 128.0 + 60.0 * (TAU * x / if x < 64.0 { 8.0 } else { 5.0 }).cos());
    let mut hands = begin(&[path]);
    hands.press("Rectangle");
    let by = pixel(&hands, "Source image", [SIDE, SIDE], [32.0, 0.0]) - pixel(&hands, "Source image", [SIDE, SIDE], [0.0, 0.0]);
    hands.drag_by("Region 32,32,64,64", by, "Drag the region to the right half.");
    hands.scroll_to("Window");
    hands.choose("Window", "Hann");
    hands.press("More in Spectrum image");
    hands.press("Find peaks");
    let [_, period, ..] = hands.numbers_of("Marker 1, period ")[..] else { panic!("no period is told") };
    assert!((period - 5.0).abs() < 0.01, "{period} px");
    hands
}

pub(super) fn radial_profile(folder: &Path) -> Hands {
    let path = png(folder, "waves.png", [SIDE, SIDE], grid);
    let mut hands = begin(&[path]);
    hands.press("Drawer");
    hands.press("Profile");
    hands.press("More in Profile");
    hands.press("Export profile");
    name_file(&mut hands, &folder.join("profile.csv"));
    let text = std::fs::read_to_string(folder.join("profile.csv")).unwrap();
    let rows = text.lines().filter_map(|line| line.split(',').map(|cell| cell.parse().ok()).collect::<Option<Vec<f64>>>());
    let largest = rows.filter(|row| row[0] > 0.0).max_by(|a, b| a[1].total_cmp(&b[1])).expect("there are rows");
    assert!((largest[0] - 0.2).abs() < 0.005, "{largest:?}");
    hands
}

pub(super) fn hold(folder: &Path) -> Hands {
    let path = png(folder, "scan.png", [SIDE, SIDE], grid);
    let mut hands = begin(&[path]);
    hands.press("More in Spectrum image");
    hands.press("Hold");
    hands.choose("Window", "Hann");
    hands.press("More in Spectrum image");
    hands.press("Difference");
    // A spectrum of another size would have none, and say so above the image.
    let drawn = words_in(&hands.window.output().shapes, hands.place("Spectrum image"));
    assert!(!drawn.contains("no difference"), "{drawn}");
    let at = frequency(&hands, [0.0, 0.0]);
    hands.look_at(at);
    let [.., held, _, _] = hands.numbers_of("held X = ")[..] else { panic!("the held value is not told") };
    let sum: f64 = (0..SIDE * SIDE).map(|at| grid((at % SIDE) as f64, (at / SIDE) as f64).round()).sum();
    assert!((held / sum - 1.0).abs() < 1e-4, "{held} is to be {sum}");
    hands
}

pub(super) fn register(folder: &Path) -> Hands {
    let (dx, dy) = (2.3, -1.7);
    let value = |x: f64, y: f64| {
        let wave = |k: i32| {
            let (angle, radius) = (2.4 * f64::from(k), 0.12 + 0.02 * f64::from(k));
            (radius * (angle.cos() * x + angle.sin() * y) + 1.7 * f64::from(k)).cos()
        };
        128.0 + 5.0 * (0..40).map(wave).sum::<f64>()
    };
    let first = png(folder, "first.png", [96, 96], value);
    let second = png(folder, "second.png", [96, 96], |x, y| value(x - dx, y - dy));
    let mut hands = begin(&[first]);
    hands.press("Drawer");
    hands.press("Two images");
    hands.press("Open a second image…");
    hands.write_path(&second);
    hands.key(Modifiers::NONE, Key::Enter);
    hands.wait_until("no shift is shown", |window| super::super::says(window, "dx "));
    for (name, expected) in [("dx ", dx), ("dy ", dy)] {
        let found = hands.numbers_of(name)[0];
        assert!((found - expected).abs() < 0.05, "{name}{found} is to be {expected}");
    }
    hands
}

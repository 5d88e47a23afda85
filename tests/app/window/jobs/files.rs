//! Jobs that write files and return to them.

use super::super::says;
use super::{Hands, begin, pixel, png};
use egui::{Key, Modifiers};
use std::f64::consts::TAU;
use std::path::Path;

const SIDE: usize = 64;

/// Answers the question for a file, and waits until it is there.
pub(super) fn name_file(hands: &mut Hands, path: &Path) {
    hands.write_path(path);
    hands.key(Modifiers::NONE, Key::Enter);
    hands.wait_until("no file is written", |_| path.exists());
}

pub(super) fn export(folder: &Path) -> Hands {
    let waves = png(folder, "waves.png", [SIDE, SIDE], |x, _| 128.0 + 64.0 * (TAU * x / 8.0).cos());
    let mut hands = begin(&[waves]);
    let middle = hands.place("Spectrum image").center();
    hands.look_at(middle);
    hands.key(Modifiers::COMMAND | Modifiers::SHIFT, Key::E);
    name_file(&mut hands, &folder.join("view.svg"));
    let text = std::fs::read_to_string(folder.join("view.svg")).unwrap();
    assert!(text.contains("frequency along x (cycles per pixel)") && text.contains("waves"));
    hands.key(Modifiers::COMMAND, Key::E);
    name_file(&mut hands, &folder.join("values.csv"));
    let text = std::fs::read_to_string(folder.join("values.csv")).unwrap();
    // The wave of 8 pixels has its amplitude times half the number of pixels, but for the rounding of the pixels.
    let row = text.lines().find_map(|line| line.strip_prefix("0,8,0,0.125,")).expect("the wave has a row");
    let real: f64 = row.split(',').next().unwrap().parse().unwrap();
    assert!((real / (64.0 * 2048.0) - 1.0).abs() < 0.01, "{row}");
    hands
}

pub(super) fn session(folder: &Path) -> Hands {
    let scan = png(folder, "scan.png", [SIDE, SIDE], |x, y| 60.0 + x + 20.0 * (TAU * y / 4.0).cos());
    let other = png(folder, "other.png", [SIDE, SIDE], |x, _| 2.0 * x);
    let mut hands = begin(&[scan]);
    hands.press("Add");
    hands.press("Horizontal stripes");
    hands.key(Modifiers::COMMAND, Key::S);
    name_file(&mut hands, &folder.join("mine.json"));
    hands.drop_file(&other);
    hands.wait_until("the other image is not opened", |window| says(window, "other.png"));
    hands.drop_file(&folder.join("mine.json"));
    hands.wait_until("the session is not opened", |window| says(window, "Shape 1: stripes"));
    hands
}

pub(super) fn folder(folder: &Path) -> Hands {
    let files: Vec<_> = (1..=3).map(|k| png(folder, &format!("a{k}.png"), [SIDE, SIDE], |_, _| 50.0 * f64::from(k))).collect();
    let mut hands = begin(&files[..1]);
    hands.key(Modifiers::NONE, Key::PageDown);
    hands.key(Modifiers::NONE, Key::PageDown);
    assert!(says(&hands.window, "a3.png"));
    let at = pixel(&hands, "Spectrum image", [SIDE, SIDE], [32.0, 32.0]);
    hands.look_at(at);
    let sum = 150.0 * (SIDE * SIDE) as f64;
    assert!(hands.numbers_of("f = (0, 0) cycles per pixel").contains(&sum), "{}", hands.text_of("f = (0, 0) cycles per pixel"));
    hands
}

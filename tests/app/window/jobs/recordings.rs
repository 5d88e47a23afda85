//! Jobs with recordings and tables.

use super::super::says;
use super::{Hands, begin, text};
use egui::{Key, Modifiers, Pos2, Vec2};
use std::f64::consts::TAU;
use std::path::{Path, PathBuf};

/// The rate of the recordings in Hz.
const RATE: f64 = 8000.0;

/// Writes a recording of 16 bits.
fn wav(folder: &Path, name: &str, n: usize, value: impl Fn(f64) -> f64) -> PathBuf {
    let samples: Vec<u8> = (0..n).flat_map(|k| ((value(k as f64 / RATE) * 20_000.0) as i16).to_le_bytes()).collect();
    let rate = RATE as u32;
    let mut bytes = b"RIFF".to_vec();
    bytes.extend((36 + samples.len() as u32).to_le_bytes());
    bytes.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    bytes.extend([rate, 2 * rate].iter().flat_map(|number| number.to_le_bytes()));
    bytes.extend(b"\x02\0\x10\0data");
    bytes.extend((samples.len() as u32).to_le_bytes());
    bytes.extend(samples);
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

/// The frequency of the largest value of the spectrum.
fn largest(hands: &Hands) -> f64 {
    let text = hands.text_of("Spectrum plot, ");
    let at = text.split(" at ").nth(1).or(text.split(" near ").nth(1)).unwrap_or_else(|| panic!("{text}"));
    super::super::measure::numbers(at)[0]
}

fn tones(at: f64) -> f64 {
    if at < 0.25 { (TAU * 440.0 * at).sin() } else { 0.5 * (TAU * 1200.0 * at).sin() }
}

pub(super) fn tone(folder: &Path) -> Hands {
    let file = wav(folder, "tone.wav", 4000, |at| 0.7 * (TAU * 1000.0 * at).sin());
    let mut hands = begin(&[]);
    hands.drop_file(&file);
    hands.wait_until("the recording is not opened", |window| says(window, "Spectrum plot, "));
    assert!((largest(&hands) - 1000.0).abs() < 2.0, "{}", hands.text_of("Spectrum plot, "));
    hands
}

pub(super) fn part(folder: &Path) -> Hands {
    let file = wav(folder, "two-tones.wav", 4000, tones);
    let mut hands = begin(&[file]);
    assert!((largest(&hands) - 440.0).abs() < 2.0);
    hands.press("Part");
    let plot = hands.place_with("Source plot, ");
    hands.drag(plot.center(), plot.right_center() - Vec2::new(20.0, 0.0), "Drag over the second half of the wave.");
    assert!((largest(&hands) - 1200.0).abs() < 5.0, "{}", hands.text_of("Spectrum plot, "));
    hands
}

pub(super) fn two_windows(folder: &Path) -> Hands {
    let file = wav(folder, "two-tones.wav", 4000, |at| 0.7 * (TAU * 1001.0 * at).sin() + 0.001 * (TAU * 1100.0 * at).sin());
    let mut hands = begin(&[file]);
    hands.press("Pin");
    hands.choose("Window of a frame", "Blackman");
    assert!(says(&hands.window, "1 two-tones.wav: mono"), "the spectrum of before stays behind");
    hands.wait_until("the weak tone is not among the peaks", |window| says(window, "1099.999"));
    hands
}

pub(super) fn two_spectra(folder: &Path) -> Hands {
    let file = |name: &str, hertz: f64| wav(folder, name, 16_000, move |at| 0.5 * (TAU * hertz * at).sin());
    let (before, after) = (file("before.wav", 440.0), file("after.wav", 1200.0));
    let mut hands = begin(&[before]);
    hands.press("Pin");
    hands.drop_file(&after);
    hands.wait_until("the second recording is not measured", |window| says(window, "1200"));
    assert!(says(&hands.window, "1 before.wav: mono"), "the spectrum of the first one stays behind");
    assert!((largest(&hands) - 1200.0).abs() < 3.0, "{}", hands.text_of("Spectrum plot, "));
    hands
}

pub(super) fn pitch(folder: &Path) -> Hands {
    let file = wav(folder, "notes.wav", 32_000, |at| 0.5 * (TAU * if at < 2.0 { 880.0 } else { 1760.0 } * at).sin());
    let mut hands = begin(&[file]);
    let picture = hands.place_with("Spectrogram of ");
    let line = picture.lerp_inside(Vec2::new(0.75, 1.0 - 1760.0 / 4000.0));
    hands.press_at(line, "the line of the second note in the spectrogram");
    hands.wait_until("the note stands beside the frequency", |window| says(window, "(A6"));
    assert!((largest(&hands) - 1760.0).abs() < 3.0, "{}", hands.text_of("Spectrum plot, "));
    hands
}

pub(super) fn hum(folder: &Path) -> Hands {
    let hum = |at: f64| 0.5 * (TAU * 100.0 * at).sin() + 0.05 * (TAU * 200.0 * at).sin() + 0.005 * (TAU * 300.0 * at).sin();
    let file = wav(folder, "hum.wav", 16_000, hum);
    let mut hands = begin(&[file]);
    hands.press("More in Spectrum");
    hands.press("Tone");
    hands.wait_until("the tone is not measured", |window| says(window, "THD+N"));
    // Harmonics of 10 % and 1 %.
    assert!(says(&hands.window, "−19.95") && says(&hands.window, "harmonics 2 to 10 over the fundamental"));
    hands
}

pub(super) fn dates(folder: &Path) -> Hands {
    let row = |k: i32| {
        let (month, day) = if k < 31 { (1, k + 1) } else { (2, k - 30) };
        format!("2021-{month:02}-{day:02},{:.3}\n", 20.0 + (TAU * f64::from(k) / 7.0).sin())
    };
    let file = text(folder, "house.csv", &("date,warmth (°C)\n".to_owned() + &(0..56).map(row).collect::<String>()));
    let mut hands = begin(&[]);
    hands.drop_file(&file);
    hands.wait_until("the table is not opened", |window| says(window, "Spectrum plot, "));
    assert!(says(&hands.window, "7 days"));
    hands
}

/// A hum of 100 Hz with a harmonic, and a call of half a second at 2050 Hz.
fn hum_and_call(folder: &Path) -> PathBuf {
    let call = |at: f64| if (1.5..2.0).contains(&at) { 0.25 * (TAU * 2050.0 * at).sin() } else { 0.0 };
    wav(folder, "call.wav", 32_000, |at| 0.5 * (TAU * 100.0 * at).sin() + 0.1 * (TAU * 200.0 * at).sin() + call(at))
}

/// A place of the spectrogram: a share of its time, and a frequency.
fn place(hands: &Hands, time: f32, hertz: f32) -> Pos2 {
    let canvas = hands.place_with("Spectrogram of ");
    Pos2::new(canvas.left() + time * canvas.width(), canvas.bottom() - hertz / 4000.0 * canvas.height())
}

pub(super) fn hum_removed(folder: &Path) -> Hands {
    let mut hands = begin(&[hum_and_call(folder)]);
    hands.press("Boxes");
    hands.press("Filter");
    hands.press("Cut a tone");
    hands.wait_until("the hum is not cut", |window| says(window, "Filtered spectrogram, Result: "));
    // The call has 0.25² for an eighth of the time, the hum 0.5² + 0.1² for all of it.
    hands.wait_until("the hum is still there", |window| says(window, "Filtered spectrogram, Result: 3.0"));
    hands
}

pub(super) fn call(folder: &Path) -> Hands {
    let mut hands = begin(&[hum_and_call(folder)]);
    let (from, to) = (place(&hands, 0.36, 1700.0), place(&hands, 0.52, 2300.0));
    hands.drag_with_shift(from, to, "Drag with Shift around the call.");
    hands.wait_until("the call is not measured", |window| says(window, "Centroid"));
    hands.press("Save measures…");
    hands.key(Modifiers::NONE, Key::Enter);
    let table = folder.join("call-boxes.csv");
    hands.wait_until("no file is written", |_| table.exists());
    let text = std::fs::read_to_string(&table).unwrap();
    let row: Vec<f64> = text.lines().nth(1).unwrap().split(',').skip(1).map(|cell| cell.parse().unwrap()).collect();
    assert!((row[4] - 2050.0).abs() < 2.0, "{text}");
    hands
}

pub(super) fn click(folder: &Path) -> Hands {
    let at = 37.25;
    let silence = wav(folder, "silence.wav", 480_000, |time| if (time - at).abs() < 0.5 / RATE { 1.0 } else { 0.0 });
    let mut hands = begin(&[silence]);
    let line = place(&hands, at as f32 / 60.0, 1000.0);
    hands.press_at(line, "the bright line of the spectrogram");
    let part = super::super::workspace(&hands.window).memory().settings.preparation.region.expect("the frame is selected");
    assert!((part.x..part.x + part.width).contains(&((at * RATE) as usize)), "{part:?}");
    hands
}

//! The measured spectrum of a recording in the window: levels, tones, cursors, pins, exports and the click on a value.

use super::gestures::drag;
use super::spectra::recording;
use super::{Window, answer, choose, click, run, says, set, settle, wait, window, workspace};
use egui::{Key, Modifiers, OutputCommand, PointerButton, vec2};
use egui_kittest::kittest::Queryable as _;
use papillon::ui::{Command, Memory, Preset, Workspace};
use std::f64::consts::TAU;
use std::path::PathBuf;

const RATE: u32 = 48_000;

/// A window with a recording of some seconds.
fn opened(folder: &tempfile::TempDir, name: &str, n: usize, value: impl Fn(f64) -> f64) -> Window {
    let samples: Vec<f64> = (0..n).map(|k| value(k as f64 / f64::from(RATE))).collect();
    file(folder, name, &recording(RATE, &samples))
}

fn file(folder: &tempfile::TempDir, name: &str, bytes: &[u8]) -> Window {
    let path: PathBuf = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    window(Memory::default(), vec![path])
}

fn tone(hertz: f64, at: f64) -> f64 {
    (TAU * hertz * at).sin()
}

/// Opens what does not fit into the row, unless the control is there.
pub(super) fn find(window: &mut Window, label: &str) {
    if window.query_by_label(label).is_none() {
        click(window, "More in Spectrum");
    }
}

/// The text that was copied last.
fn copied(window: &Window) -> String {
    let commands = &window.output().platform_output.commands;
    let text = commands.iter().find_map(|command| if let OutputCommand::CopyText(text) = command { Some(text.clone()) } else { None });
    text.expect("a text is copied")
}

#[test]
fn a_tone_reads_its_level_whatever_the_length_of_the_recording() {
    let folder = tempfile::tempdir().unwrap();
    for (name, n) in [("long.wav", 3 * RATE as usize), ("short.wav", 1_300 * RATE as usize / 1000)] {
        let shown = opened(&folder, name, n, |at| 0.5 * tone(1000.3, at));
        // 20·log10 of a half, rounded to 16 bits, by one transform of the whole; the curve is an average of short frames.
        assert!(says(&shown, "−6.0208") || says(&shown, "−6.0209"), "{name}");
        assert!(shown.query_by_label("1000.3").is_some() || says(&shown, "1000.3"), "{name}");
    }
}

#[test]
fn what_the_numbers_depend_on_stands_below_the_plot() {
    let folder = tempfile::tempdir().unwrap();
    let mut shown = opened(&folder, "a.wav", 100_000, |at| 0.5 * tone(1000.0, at));
    for words in [
        "4096 samples",
        "Hann window: gain 0.5, noise bandwidth 17.58 Hz",
        "a value every 11.72 Hz",
        "47 frames, 50 % overlap",
        "rate 48 kHz",
    ] {
        assert!(says(&shown, words), "{words}");
    }
    assert!(says(&shown, "0 dBFS is a sine of amplitude 1") && says(&shown, "amplitude (dBFS)"));
    choose(&mut shown, "Quantity", "Density");
    assert!(says(&shown, "density (dBFS/Hz)"));
    choose(&mut shown, "Average", "Median");
    assert!(says(&shown, "median of the power of 47 frames"));
    choose(&mut shown, "Window of a frame", "Flat top");
    assert!(says(&shown, "Flat top window: gain 0.2156"));
    choose(&mut shown, "Length of a frame", "Whole part");
    assert!(says(&shown, "one transform"));
    click(&mut shown, "Raw");
    settle(&mut shown);
    assert!(says(&shown, "Spectrum plot, 50001 values"), "the values of the transform as they are");
    click(&mut shown, "Measured");
    settle(&mut shown);
    assert!(says(&shown, "one transform"));
}

#[test]
fn silence_a_sample_and_what_is_no_number_crash_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let silent = opened(&folder, "silent.wav", 20_000, |_| 0.0);
    assert!(says(&silent, "Spectrum plot, ") && says(&silent, "No tone stands clear"));
    let one = file(&folder, "one.wav", &recording(RATE, &[0.25]));
    assert!(workspace(&one).report().is_some());
    let rows: String = (0..200).map(|k| if k == 77 { "nan\n".to_owned() } else { format!("{}\n", k % 10) }).collect();
    let mut broken = file(&folder, "broken.csv", format!("value\n{rows}").as_bytes());
    if broken.query_by_label("Measured").is_some() {
        click(&mut broken, "Measured");
        settle(&mut broken);
    }
    assert!(says(&broken, "not finite") || says(&broken, "no numbers") || says(&broken, "filled"), "{}", workspace(&broken).message());
}

#[test]
fn cursors_harmonics_and_a_band_are_dragged_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let hum = |at: f64| 0.4 * tone(1500.0, at) + 0.04 * tone(3000.0, at) + 0.004 * tone(4500.0, at);
    let mut shown = opened(&folder, "hum.wav", 96_000, hum);
    find(&mut shown, "Harmonics");
    click(&mut shown, "Harmonics");
    settle(&mut shown);
    assert!(says(&shown, "harmonics of 15"), "they begin at the strongest tone");
    find(&mut shown, "Band");
    click(&mut shown, "Band");
    settle(&mut shown);
    // The power of a sine is half of its squared amplitude: 0.08.
    assert!((says(&shown, "power 0.0799") || says(&shown, "power 0.08")) && says(&shown, "−3 dB width"));
    find(&mut shown, "Cursors");
    click(&mut shown, "Cursors");
    settle(&mut shown);
    shown.key_press(Key::Escape);
    shown.run_steps(4);
    let before = workspace(&shown).memory().settings.signal_look.marks.cursors.expect("there are two");
    let line = shown.get_by_label("Cursor A").rect().center();
    drag(&mut shown, PointerButton::Primary, line, line + vec2(60.0, 0.0), Modifiers::NONE);
    let after = workspace(&shown).memory().settings.signal_look.marks.cursors.expect("there are two");
    assert!(after[0] > before[0] && after[1] == before[1], "{before:?} {after:?}");
    shown.key_press(Key::ArrowRight);
    shown.run_steps(2);
    let by_key = workspace(&shown).memory().settings.signal_look.marks.cursors.expect("there are two");
    assert!((by_key[0] - after[0] - 48_000.0 / 4096.0).abs() < 12.0 && by_key[0] > after[0], "{after:?} {by_key:?}");
    assert!(says(&shown, "B − A"));
    find(&mut shown, "Tone");
    click(&mut shown, "Tone");
    wait(&mut shown, "the tone is not measured", |window| says(window, "THD+N"));
    // Harmonics of 1 % and 0.01 %: −19.96 dB in all.
    assert!(says(&shown, "−19.956 dB") || says(&shown, "−19.957 dB") || says(&shown, "−19.955 dB"));
    assert!(says(&shown, "harmonics 2 to 10 over the fundamental") && says(&shown, "Kaiser"));
}

#[test]
fn a_pinned_spectrum_stays_behind_the_next_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut shown = opened(&folder, "a.wav", 96_000, |at| 0.5 * tone(1000.0, at));
    find(&mut shown, "Pin");
    click(&mut shown, "Pin");
    settle(&mut shown);
    assert!(says(&shown, "1 a.wav: mono"));
    choose(&mut shown, "Window of a frame", "Blackman");
    assert!(says(&shown, "1 a.wav: mono"));
    click(&mut shown, "Release 1 a.wav: mono");
    settle(&mut shown);
    assert!(!says(&shown, "1 a.wav: mono"));
}

#[test]
fn the_command_and_the_script_say_what_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let mut shown = opened(&folder, "a.wav", 96_000, |at| 0.5 * tone(1000.0, at));
    click(&mut shown, "Part");
    set(&mut shown, "Part begins", 0.5);
    settle(&mut shown);
    for (button, words) in [
        ("Copy as command", ["papillon spectrum ", "--from 24000 --to", "--length 4096 --overlap 2048 --average mean --window hann"]),
        ("Copy as Python", ["get_window('hann', length)", "length, hop, points = 4096, 2048, 4096", "np.log10(value / 1.0)"]),
    ] {
        find(&mut shown, button);
        shown.run_steps(8);
        shown.get_by_label(button).click();
        let mut text = None;
        for _ in 0..4 {
            shown.step();
            text = text.or_else(|| std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| copied(&shown))).ok());
        }
        let text = text.expect("it is copied");
        assert!(words.iter().all(|words| text.contains(words)), "{text}");
        shown.run_steps(8);
    }
}

#[test]
fn a_click_on_a_value_shows_its_basis_function_and_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let mut shown = opened(&folder, "a.wav", 96_000, |at| 0.5 * tone(3000.0, at));
    let plot = shown.get_by_label_contains("Spectrum plot, ").rect();
    let at = plot.left_center() + vec2(0.125 * plot.width(), 0.25 * plot.height());
    shown.hover_at(at);
    shown.run_steps(8);
    shown.drag_at(at);
    shown.drop_at(at);
    settle(&mut shown);
    assert!(says(&shown, "Basis function of value") && says(&shown, "periods in a frame"));
    wait(&mut shown, "the definition is not summed", |window| says(window, "first frame"));
    click(&mut shown, "Path in a graph of 16");
    settle(&mut shown);
    let settings = &workspace(&shown).memory().settings;
    assert_eq!(workspace(&shown).memory().preset, Preset::FlowGraph);
    assert_eq!(settings.slice.and_then(|slice| slice.part).map(|part| part.n), Some(16));
}

#[test]
fn the_axis_counts_periods() {
    let folder = tempfile::tempdir().unwrap();
    let mut shown = opened(&folder, "a.wav", 96_000, |at| 0.5 * tone(1000.0, at));
    find(&mut shown, "Period axis");
    click(&mut shown, "Period axis");
    settle(&mut shown);
    let memory = workspace(&shown).memory().clone();
    assert!(serde_json::to_value(&memory).unwrap().to_string().contains("\"period_axis\":true") && says(&shown, "Spectrum plot, "));
}

#[test]
fn the_shown_values_are_exported_and_pins_come_back_with_the_session() {
    let folder = tempfile::tempdir().unwrap();
    let (recorded, out, session) = (folder.path().join("a.wav"), folder.path().join("out.csv"), folder.path().join("pins.json"));
    let samples: Vec<f64> = (0..96_000).map(|k| 0.5 * tone(1000.0, f64::from(k) / f64::from(RATE))).collect();
    std::fs::write(&recorded, recording(RATE, &samples)).unwrap();
    let mut shown = super::window_of(move |ctx| Workspace::new(ctx, Memory::default(), vec![recorded]).prompting_always());
    settle(&mut shown);
    shown.key_press_modifiers(Modifiers::COMMAND, Key::E);
    shown.step();
    answer(&mut shown, out.to_str().unwrap());
    wait(&mut shown, "no values are written", |window| workspace(window).message().starts_with("Wrote"));
    let text = std::fs::read_to_string(&out).unwrap();
    assert!(text.contains("# signal: a.wav") && text.contains("frequency,value"), "{text}");
    let level = |line: &str| line.rsplit(',').next().and_then(|value| value.parse::<f64>().ok());
    let largest = text.lines().filter(|line| !line.starts_with('#')).filter_map(level).fold(f64::NEG_INFINITY, f64::max);
    assert!(text.lines().filter(|line| !line.starts_with('#')).count() == 2050 && (-8.0..-6.0).contains(&largest), "{largest}");
    find(&mut shown, "Pin");
    click(&mut shown, "Pin");
    settle(&mut shown);
    for preset in [Preset::Image, Preset::Signal] {
        run(&mut shown, Command::Preset(preset));
        settle(&mut shown);
    }
    papillon::ui::save_session(workspace(&shown).memory(), &session).unwrap();
    let mut other = super::window_of(move |ctx| Workspace::new(ctx, Memory::default(), vec![session]));
    wait(&mut other, "the pinned spectrum is not back", |window| says(window, "1 a.wav: mono"));
}

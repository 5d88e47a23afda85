//! The spectrogram of a recording in the window: every frame is counted, time is that of the wave, and a click selects a frame.

use super::gestures::drag;
use super::spectra::recording;
use super::{Window, choose, click, pick, run, says, settle, small_image, wait, window, workspace};
use egui::{Event, Modifiers, MouseWheelUnit, OutputCommand, PointerButton, TouchPhase, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use papillon::ui::{Command, FrameLength, Memory};
use std::f64::consts::TAU;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const RATE: u32 = 8000;

/// A window with a recording of so many samples.
fn opened(folder: &tempfile::TempDir, n: usize, value: impl Fn(f64) -> f64) -> Window {
    let samples: Vec<f64> = (0..n).map(|k| value(k as f64 / f64::from(RATE))).collect();
    let path = folder.path().join("a.wav");
    std::fs::write(&path, recording(RATE, &samples)).unwrap();
    window(Memory::default(), vec![path])
}

fn tone(hertz: f64, at: f64) -> f64 {
    0.5 * (TAU * hertz * at).sin()
}

fn picture(window: &Window) -> egui::Rect {
    window.get_by_label_contains("Spectrogram of ").rect()
}

/// Turns the wheel over a place, and waits for what follows.
fn wheel(window: &mut Window, at: egui::Pos2, points: f32) {
    turn(window, at, points);
    window.run_steps(20);
    settle(window);
}

/// Turns the wheel over a place.
fn turn(window: &mut Window, at: egui::Pos2, points: f32) {
    window.hover_at(at);
    window.step();
    let source = egui::MouseWheelSource::Wheel;
    let event = Event::MouseWheel {
        unit: MouseWheelUnit::Point,
        delta: vec2(0.0, points),
        modifiers: Modifiers::NONE,
        phase: TouchPhase::Move,
        source,
    };
    window.event(event);
}

/// The part that the wave shows: its length in samples.
fn seen_of_wave(window: &mut Window) -> usize {
    click(window, "Visible part");
    workspace(window).memory().settings.preparation.region.expect("what is seen is selected").width
}

#[test]
fn one_loud_sample_in_minutes_of_silence_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let n = 600_000;
    let shown = opened(&folder, n, |at| if (at - 55.5).abs() < 1e-9 { 0.99996 } else { 0.0 });
    // The power of one sample under the top of a Hann window of 2048: 20·log10(2/1024) dBFS, a little less beside the top.
    assert!(says(&shown, "largest −54.") && says(&shown, "at 55."), "at full zoom-out every frame counts");
    assert!(!says(&shown, "1 of "), "the first impression has gone");
    let silent = opened(&folder, 20_000, |_| 0.0);
    assert!(says(&silent, "pixels, silence"));
}

#[test]
fn a_tone_has_its_frequency_and_level_in_every_method() {
    let folder = tempfile::tempdir().unwrap();
    let mut shown = opened(&folder, 60_000, |at| tone(1000.0, at));
    assert!(says(&shown, "largest −6.02") && says(&shown, "2048 samples"));
    choose(&mut shown, "Samples of a frame", "512");
    assert!(says(&shown, "largest −6.02") && says(&shown, "512 samples · Hann window"));
    choose(&mut shown, "Frequency axis", "Logarithmic");
    assert!(says(&shown, "largest −6.02"));
    choose(&mut shown, "Frequency axis", "Mel");
    assert!(says(&shown, "largest −6.02"));
    if shown.query_by_label("Quantity of the spectrogram").is_none() {
        click(&mut shown, "More in Spectrogram");
    }
    choose(&mut shown, "Quantity of the spectrogram", "Density");
    // Per hertz it is less by the noise bandwidth, 1.5·8000/512 Hz.
    assert!(says(&shown, "largest −19.7") && says(&shown, "dBFS/Hz near"), "{}", workspace(&shown).message());
}

/// The levels of the first and of the last colour, as they are.
fn range(window: &mut Window) -> [f32; 2] {
    if window.query_by_label("Automatic range of the spectrogram").is_none() {
        click(window, "More in Spectrogram");
    }
    click(window, "Automatic range of the spectrogram");
    let range = workspace(window).memory().settings.spectrogram.range.expect("it is kept");
    click(window, "Automatic range of the spectrogram");
    settle(window);
    range
}

#[test]
fn the_same_view_has_the_same_range_after_a_zoom() {
    let folder = tempfile::tempdir().unwrap();
    // Shorter frames show a click at a higher level.
    let mut shown = opened(&folder, 80_000, |at| if at == 5.0 { 0.9 } else { 0.0 });
    choose(&mut shown, "Samples of a frame", "Follows zoom");
    let before = range(&mut shown);
    let at = picture(&shown).center();
    wheel(&mut shown, at, 900.0);
    assert_ne!(range(&mut shown), before, "the range follows what is seen");
    run(&mut shown, Command::Fit);
    shown.run_steps(20);
    settle(&mut shown);
    assert_eq!(range(&mut shown), before);
}

#[test]
fn wave_and_spectrogram_show_the_same_time() {
    let folder = tempfile::tempdir().unwrap();
    let n = 80_000;
    let mut shown = opened(&folder, n, |at| tone(500.0 + 50.0 * at, at));
    assert_eq!(seen_of_wave(&mut shown), n);
    let at = picture(&shown).center();
    wheel(&mut shown, at, 300.0);
    let zoomed = seen_of_wave(&mut shown);
    assert!(zoomed < n / 2 && zoomed > n / 20, "the wave follows the spectrogram: {zoomed}");
    let wave = shown.get_by_label_contains("Source plot, ").rect().center();
    wheel(&mut shown, wave, -900.0);
    settle(&mut shown);
    assert!(seen_of_wave(&mut shown) > zoomed);
    let left = picture(&shown);
    // Over the axis of frequencies the wheel zooms these alone.
    let before = seen_of_wave(&mut shown);
    wheel(&mut shown, left.left_center() - vec2(20.0, 0.0), 300.0);
    assert_eq!(seen_of_wave(&mut shown), before);
    run(&mut shown, Command::Fit);
    settle(&mut shown);
}

#[test]
fn pictures_come_while_the_view_moves() {
    let folder = tempfile::tempdir().unwrap();
    // The largest value is that of the last frame which is seen.
    let mut shown = opened(&folder, 80_000, |at| 0.1 * at * tone(1000.0, at));
    let (canvas, at) = (picture(&shown), picture(&shown).center());
    wheel(&mut shown, at, 600.0);
    let said = |window: &Window| window.get_by_label_contains("Spectrogram of ").accesskit_node().label().unwrap_or_default();
    let before = said(&shown);
    let (button, modifiers) = (PointerButton::Middle, Modifiers::NONE);
    shown.event(Event::PointerButton { pos: at, button, pressed: true, modifiers });
    let place = std::cell::Cell::new(0.0_f32);
    let moved = |window: &mut Window| {
        place.set(place.get() + 0.1);
        window.event(Event::PointerMoved(at + vec2(0.2 * canvas.width() * place.get().sin(), 0.0)));
        window.step();
    };
    // No move waits for the picture of the one before.
    let deadline = Instant::now() + super::PATIENCE;
    while said(&shown) == before {
        moved(&mut shown);
        assert!(Instant::now() < deadline, "no picture is shown while the hand moves");
    }
    shown.event(Event::PointerButton { pos: at, button, pressed: false, modifiers });
    settle(&mut shown);
}

#[test]
fn the_window_moves_while_all_loops_are_busy() {
    let folder = tempfile::tempdir().unwrap();
    let mut shown = opened(&folder, 60_000, |at| tone(1000.0, at));
    let before = workspace(&shown).memory().settings.spectrogram;
    let busy = Arc::new(AtomicBool::new(true));
    let works = busy.clone();
    // As while every frame of hours is counted; in the end somebody lets go.
    let begun = Instant::now();
    rayon::spawn_broadcast(move |_| {
        while works.load(Ordering::Relaxed) && begun.elapsed() < super::PATIENCE / 4 {
            std::thread::sleep(Duration::from_millis(1));
        }
    });
    pick(&mut shown, "Colours of the spectrogram", "Magma");
    for points in [300.0, -900.0] {
        let at = picture(&shown).center();
        turn(&mut shown, at, points);
        shown.run_steps(3);
    }
    let moved = begun.elapsed();
    busy.store(false, Ordering::Relaxed);
    settle(&mut shown);
    assert_ne!(workspace(&shown).memory().settings.spectrogram, before);
    assert!(moved < super::PATIENCE / 4, "the window waits for the loops: {moved:?}");
}

#[test]
fn a_click_selects_the_frame_and_a_drag_a_part() {
    let folder = tempfile::tempdir().unwrap();
    let mut shown = opened(&folder, 80_000, |at| tone(1000.0, at));
    let canvas = picture(&shown);
    let at = canvas.left_bottom() + vec2(0.5 * canvas.width(), -0.25 * canvas.height());
    shown.hover_at(at);
    shown.run_steps(4);
    shown.drag_at(at);
    shown.step();
    shown.drop_at(at);
    settle(&mut shown);
    let settings = &workspace(&shown).memory().settings;
    let frame = settings.preparation.region.expect("the frame is selected");
    assert!(frame.width == 2048 && frame.x.is_multiple_of(512) && frame.x.abs_diff(39_000) < 1500, "{frame:?}");
    assert_eq!(settings.signal_look.length, FrameLength::Whole);
    let bin = settings.signal_look.marks.bin.expect("the value is shown");
    assert!((bin - 1000.0).abs() < 60.0, "{bin}");
    wait(&mut shown, "the value is not shown", |window| says(window, "Basis function of value"));
    let (from, to) = (canvas.left_center() + vec2(100.0, 0.0), canvas.left_center() + vec2(300.0, 0.0));
    drag(&mut shown, PointerButton::Primary, from, to, Modifiers::NONE);
    let part = workspace(&shown).memory().settings.preparation.region.expect("a part is selected");
    let expected = 80_000.0 * 200.0 / canvas.width();
    assert!((part.width as f32 - expected).abs() < 0.05 * expected, "{part:?} for {expected}");
}

#[test]
fn the_command_draws_the_same_frames() {
    let folder = tempfile::tempdir().unwrap();
    let mut shown = opened(&folder, 80_000, |at| tone(1000.0, at));
    let button = "Copy the command of the spectrogram";
    if shown.query_by_label(button).is_none() {
        click(&mut shown, "More in Spectrogram");
    }
    shown.run_steps(8);
    shown.get_by_label(button).click();
    let mut text = None;
    for _ in 0..4 {
        shown.step();
        let commands = &shown.output().platform_output.commands;
        let found = commands.iter().find_map(|command| if let OutputCommand::CopyText(text) = command { Some(text.clone()) } else { None });
        text = text.or(found);
    }
    let text = text.expect("it is copied");
    for words in [
        "papillon spectrogram ",
        "--length 2048 --overlap 1536 --window hann --quantity power --method plain --pool max",
        "-86.02..-6.02dB",
    ] {
        assert!(text.contains(words), "{text}");
    }
    assert!(!text.contains("--from"), "{text}");
}

#[test]
fn images_and_short_signals_have_no_spectrogram() {
    let folder = tempfile::tempdir().unwrap();
    let short = opened(&folder, 300, |at| tone(1000.0, at));
    assert!(short.query_by_label_contains("Spectrogram of ").is_none());
    let one = opened(&folder, 1, |_| 0.25);
    assert!(one.query_by_label_contains("Spectrogram of ").is_none());
    let mut memory = Memory::default();
    memory.settings.origin = small_image();
    assert!(window(memory, Vec::new()).query_by_label_contains("Spectrogram of ").is_none());
}

//! Boxes of time and frequency over the spectrogram: drawn, changed, measured, kept in files and sessions, and as a filter.

use super::gestures::drag;
use super::measured::find;
use super::spectra::recording;
use super::{Window, answer, click, enter, run, says, settle, wait, window_of, workspace};
use egui::accesskit::Role;
use egui::{Key, Modifiers, PointerButton, Pos2, pos2, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use papillon::filter::Effect;
use papillon::spectra::NamedBox;
use papillon::ui::{Command, Memory, Workspace};
use std::f64::consts::TAU;
use std::path::PathBuf;

const RATE: u32 = 8000;
const N: usize = 80_000;

/// A window with a tone at 1000 Hz and a weaker one at 2500 Hz.
pub(super) fn opened(folder: &tempfile::TempDir) -> (Window, PathBuf) {
    opened_at(folder, RATE, [(0.5, 1000.0), (0.4, 2500.0)])
}

/// Tones with amplitudes and with frequencies in Hz of `RATE`, played at another rate.
fn opened_at(folder: &tempfile::TempDir, rate: u32, tones: [(f64, f64); 2]) -> (Window, PathBuf) {
    let value = |at: f64| tones.iter().map(|(amplitude, hertz)| amplitude * (TAU * hertz * at).sin()).sum();
    let samples: Vec<f64> = (0..N).map(|k| value(k as f64 / f64::from(RATE))).collect();
    let path = folder.path().join("a.wav");
    std::fs::write(&path, recording(rate, &samples)).unwrap();
    let file = path.clone();
    (window_of(move |ctx| Workspace::new(ctx, Memory::default(), vec![file]).prompting_always()), path)
}

/// A place of the spectrogram: the share of the time and the frequency in Hz.
pub(super) fn at(window: &Window, time: f32, hertz: f32) -> Pos2 {
    let canvas = window.get_by_label_contains("Spectrogram of ").rect();
    pos2(canvas.left() + time * canvas.width(), canvas.bottom() - hertz / 4000.0 * canvas.height())
}

fn boxes(window: &Window) -> &[NamedBox] {
    &workspace(window).memory().settings.boxes.list
}

/// Draws a box with Shift.
pub(super) fn draw(window: &mut Window, [from, to]: [f32; 2], [low, high]: [f32; 2]) {
    let (from, to) = (at(window, from, low), at(window, to, high));
    drag(window, PointerButton::Primary, from, to, Modifiers::SHIFT);
    settle(window);
}

#[test]
fn a_drag_with_shift_draws_a_box_that_is_measured_changed_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let (mut shown, _) = opened(&folder);
    draw(&mut shown, [0.25, 0.5], [600.0, 1500.0]);
    let drawn = boxes(&shown)[0].part.clone();
    assert!(drawn.samples.start.abs_diff(20_000) < 400 && drawn.samples.end.abs_diff(40_000) < 400, "{drawn:?}");
    assert!((drawn.cycles[0] - 0.075).abs() < 0.01 && (drawn.cycles[1] - 0.1875).abs() < 0.01, "{drawn:?}");
    assert!(workspace(&shown).memory().settings.preparation.region.is_none(), "no part is selected");
    // A sine of amplitude 0.5 is −6.02 dBFS.
    wait(&mut shown, "the box is not measured", |window| says(window, "1000 Hz") && says(window, "−6.02"));
    let field = shown.get_by_label("Highest frequency of the box").accesskit_node().locate().0;
    let is_whole = shown.ctx.viewport(|viewport| {
        let mut widgets = viewport.prev_pass.widgets.layers().flat_map(|(_, rects)| rects);
        let of_field = widgets.find(|widget| widget.id.accesskit_id() == field);
        of_field.is_some_and(|widget| widget.interact_rect.height() >= widget.rect.height())
    });
    assert!(is_whole, "the panel does not show its last field");
    let end = shown.get_by_label("End of Box 1").rect().center();
    drag(&mut shown, PointerButton::Primary, end, end + vec2(60.0, 25.0), Modifiers::NONE);
    settle(&mut shown);
    let longer = boxes(&shown)[0].part.clone();
    assert!(longer.samples.end > drawn.samples.end + 3000 && longer.samples.start == drawn.samples.start, "{longer:?}");
    assert_eq!(longer.cycles, drawn.cycles, "an edge moves in its own direction");
    let middle = at(&shown, 0.4, 1000.0);
    drag(&mut shown, PointerButton::Primary, middle, middle + vec2(40.0, 0.0), Modifiers::NONE);
    settle(&mut shown);
    let moved = boxes(&shown)[0].part.samples.clone();
    assert!(moved.len() == longer.samples.len() && moved.start > longer.samples.start + 1500, "{moved:?}");
    click(&mut shown, "Its spectrum");
    settle(&mut shown);
    let settings = &workspace(&shown).memory().settings;
    assert_eq!(settings.preparation.region.map(|region| (region.x, region.width)), Some((moved.start, moved.len())));
    assert!(settings.signal_look.marks.band.is_some());
    shown.hover_at(middle);
    shown.run_steps(3);
    shown.key_press(Key::Delete);
    settle(&mut shown);
    assert!(boxes(&shown).is_empty());
    run(&mut shown, Command::Undo);
    assert_eq!(boxes(&shown).len(), 1);
}

#[test]
fn times_of_a_long_recording_are_typed_and_shown_as_those_of_a_clock() {
    let folder = tempfile::tempdir().unwrap();
    // 8000 s.
    let (mut shown, _) = opened_at(&folder, 10, [(0.5, 1000.0), (0.4, 2500.0)]);
    draw(&mut shown, [0.25, 0.5], [600.0, 1500.0]);
    let field = |window: &Window, label| window.get_by_role_and_label(Role::SpinButton, label).value();
    for (label, text, value, sample) in [
        ("End of the box", "1:02:03.5", "1:02:03.5", 37_235),
        ("End of the box", "4000.2 s", "1:06:40.2", 40_002),
        // The first field of a row has its title.
        ("Time", "3:20", "0:03:20", 2000),
        ("Time", "3:75", "0:03:20", 2000),
    ] {
        enter(&mut shown, label, text);
        let samples = &boxes(&shown)[0].part.samples;
        let found = if label.starts_with("End") { samples.end } else { samples.start };
        assert_eq!((found, field(&shown, label).as_deref()), (sample, Some(value)), "{text}");
    }
    // A short one has seconds, and takes both.
    let (mut shown, _) = opened(&folder);
    draw(&mut shown, [0.25, 0.5], [600.0, 1500.0]);
    enter(&mut shown, "End of the box", "0:04.5");
    assert_eq!(boxes(&shown)[0].part.samples.end, 36_000);
    assert!(field(&shown, "End of the box").is_some_and(|text| text.starts_with("4.5") && text.ends_with(" s")));
}

#[test]
fn boxes_filter_the_recording_live_and_into_a_file_with_its_bits() {
    let folder = tempfile::tempdir().unwrap();
    let (mut shown, source) = opened(&folder);
    let canvas = |window: &Window| window.get_by_label_contains("Spectrogram of ").rect();
    let before = canvas(&shown);
    click(&mut shown, "Box");
    settle(&mut shown);
    assert_eq!(canvas(&shown), before, "the picture stays where a box is to be drawn");
    click(&mut shown, "Boxes");
    settle(&mut shown);
    assert!(canvas(&shown).width() < before.width(), "the panel stands beside it");
    click(&mut shown, "Filter");
    click(&mut shown, "Cut a tone");
    wait(&mut shown, "the tone is not cut", |window| !boxes(window).is_empty());
    settle(&mut shown);
    assert!(boxes(&shown).iter().all(|own| own.part.effect == Effect::Cut));
    // Of the squares of 0.5 and 0.4 the second one stays.
    wait(&mut shown, "the result is not shown", |window| says(window, "Filtered spectrogram, Result: 39.0"));
    click(&mut shown, "Difference");
    wait(&mut shown, "the difference is not shown", |window| says(window, "Filtered spectrogram, Difference: 39.0"));
    click(&mut shown, "Export result…");
    let file = folder.path().join("clean.wav");
    answer(&mut shown, file.to_str().unwrap());
    wait(&mut shown, "no file is written", |_| file.exists());
    settle(&mut shown);
    let [before, after] = [source, file].map(|path| std::fs::read(path).unwrap());
    assert_eq!((before.len(), after[34]), (after.len(), 16), "it has the bits of its source");
    let middle: Vec<i16> = after[44..].chunks_exact(2).skip(40_000).take(8000).map(|two| i16::from_le_bytes([two[0], two[1]])).collect();
    let loudest = middle.iter().map(|value| value.unsigned_abs()).max().unwrap();
    assert!(loudest.abs_diff(13_107) < 200, "the tone of 0.4 is left: {loudest}");
}

#[test]
fn a_low_tone_makes_the_frames_longer_and_one_press_takes_both_back() {
    let folder = tempfile::tempdir().unwrap();
    let (mut shown, _) = opened_at(&folder, RATE, [(0.5, 20.0), (0.1, 40.0)]);
    draw(&mut shown, [0.25, 0.5], [600.0, 1500.0]);
    let look = |window: &Window| {
        let look = &workspace(window).memory().settings.boxes;
        (look.list.clone(), look.length, look.view)
    };
    let before = look(&shown);
    click(&mut shown, "Filter");
    click(&mut shown, "Cut a tone");
    wait(&mut shown, "the tone is not cut", |window| boxes(window).len() > 1);
    settle(&mut shown);
    // Four boxes of six steps of the spectrum are between two harmonics: 4·6·8000/20 samples.
    assert_eq!(look(&shown).1, Some(16_384));
    assert!(["20 Hz", "40 Hz"].iter().all(|name| boxes(&shown).iter().any(|own| own.name == *name)), "{:?}", boxes(&shown));
    assert!(says(&shown, "Cut a tone made the frames"));
    click(&mut shown, "Undo the tone and its longer frames");
    settle(&mut shown);
    assert_eq!(look(&shown), before, "the box that was drawn stays");
    assert!(!says(&shown, "Cut a tone made the frames"));
    run(&mut shown, Command::Undo);
    settle(&mut shown);
    assert!(boxes(&shown).len() > 1, "what is taken back comes again");
}

#[test]
fn boxes_go_to_files_and_back_and_into_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let (mut shown, _) = opened(&folder);
    draw(&mut shown, [0.25, 0.5], [600.0, 1500.0]);
    let drawn = boxes(&shown).to_vec();
    for name in ["b.txt", "b.selections.txt", "b.sigmf-meta"] {
        click(&mut shown, "Save boxes…");
        let file = folder.path().join(name);
        answer(&mut shown, file.to_str().unwrap());
        wait(&mut shown, "no file is written", |_| file.exists());
        settle(&mut shown);
        click(&mut shown, "Open boxes…");
        answer(&mut shown, file.to_str().unwrap());
        wait(&mut shown, "the boxes are not read", |window| boxes(window).len() > 1);
        settle(&mut shown);
        let read = boxes(&shown)[1].clone();
        assert_eq!((&read.name, &read.part.samples), (&drawn[0].name, &drawn[0].part.samples), "{name}");
        run(&mut shown, Command::Undo);
        settle(&mut shown);
        assert_eq!(boxes(&shown), drawn, "{name}");
    }
    click(&mut shown, "Save boxes…");
    let table = folder.path().join("b.csv");
    answer(&mut shown, table.to_str().unwrap());
    wait(&mut shown, "no table is written", |_| table.exists());
    let text = std::fs::read_to_string(&table).unwrap();
    assert!(text.starts_with("name,from,to,low,high,peak,") && text.contains("\"Box 1\","), "{text}");
    let json = serde_json::to_string(workspace(&shown).memory()).unwrap();
    let kept: Memory = serde_json::from_str(&json).unwrap();
    assert_eq!(kept.settings.boxes.list, drawn, "a session keeps them");
}

#[test]
fn a_stroke_is_drawn_freehand_filters_and_is_undone() {
    let folder = tempfile::tempdir().unwrap();
    let (mut shown, _) = opened(&folder);
    click(&mut shown, "Stroke");
    settle(&mut shown);
    // Along the tone of 1000 Hz, over all of the recording that is seen.
    let (from, to) = (at(&shown, 0.02, 1000.0), at(&shown, 0.98, 1000.0));
    drag(&mut shown, PointerButton::Primary, from, to, Modifiers::NONE);
    settle(&mut shown);
    let drawn = boxes(&shown)[0].part.clone();
    let stroke = drawn.stroke.clone().expect("it is a stroke");
    assert!(stroke.path.len() > 1 && (drawn.cycles[0]..drawn.cycles[1]).contains(&0.125), "{drawn:?}");
    assert!(workspace(&shown).memory().settings.preparation.region.is_none(), "no part is selected");
    let json = serde_json::to_string(workspace(&shown).memory()).unwrap();
    let kept: Memory = serde_json::from_str(&json).unwrap();
    let kept = kept.settings.boxes.list[0].part.stroke.clone().expect("a session keeps it");
    // Up to the last digit of a number that is read back.
    let apart = kept.path.as_flattened().iter().zip(stroke.path.as_flattened()).map(|(a, b)| (a - b).abs());
    assert!(kept.path.len() == stroke.path.len() && apart.fold(0.0, f64::max) < 1e-12, "{kept:?} and {stroke:?}");
    for label in ["Filter", "Result"] {
        click(&mut shown, label);
        settle(&mut shown);
    }
    wait(&mut shown, "the result is not shown", |window| says(window, "Filtered spectrogram, Result: "));
    // The view of the result is a step of its own.
    for _ in 0..3 {
        run(&mut shown, Command::Undo);
        settle(&mut shown);
    }
    assert!(boxes(&shown).is_empty(), "the stroke is undone");
}

#[test]
fn a_band_of_the_spectrum_becomes_a_box_whose_ends_are_dragged_there() {
    let folder = tempfile::tempdir().unwrap();
    let (mut shown, _) = opened(&folder);
    wait(&mut shown, "there is no spectrum", |window| says(window, "Spectrum plot, "));
    for label in ["Band", "Cut the band"] {
        find(&mut shown, label);
        click(&mut shown, label);
        settle(&mut shown);
    }
    let band = boxes(&shown)[0].part.clone();
    assert!(band.samples == (0..N) && (band.cycles[0]..band.cycles[1]).contains(&0.125) && band.effect == Effect::Cut, "{band:?}");
    let grip = shown.get_by_label("Lowest frequency of Band 1 in the spectrum").rect().center();
    drag(&mut shown, PointerButton::Primary, grip, grip - vec2(60.0, 0.0), Modifiers::NONE);
    settle(&mut shown);
    let wider = boxes(&shown)[0].part.clone();
    assert!(wider.cycles[0] < band.cycles[0] - 0.02 && wider.cycles[1] == band.cycles[1], "{wider:?}");
    let grip = shown.get_by_label("Highest frequency of Band 1 in the spectrum").rect().center();
    drag(&mut shown, PointerButton::Primary, grip, grip + vec2(60.0, 0.0), Modifiers::NONE);
    settle(&mut shown);
    let widest = boxes(&shown)[0].part.clone();
    assert!(widest.cycles[1] > wider.cycles[1] + 0.02 && widest.cycles[0] == wider.cycles[0], "{widest:?}");
}

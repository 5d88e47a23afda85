//! The wave of a recording in the window: every sample counts, a part is selected in several ways, and channels stand over each other.

use super::gestures::drag;
use super::spectra::recording;
use super::{Window, click, run, says, set, settle, wait, window, workspace};
use egui::{Key, Modifiers, PointerButton, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use papillon::prepare::Region;
use papillon::signal::ChannelChoice;
use papillon::ui::{Command, Memory};

/// A window with a recording.
fn opened(folder: &tempfile::TempDir, rate: u32, samples: &[f64]) -> Window {
    let path = folder.path().join("a.wav");
    std::fs::write(&path, recording(rate, samples)).unwrap();
    window(Memory::default(), vec![path])
}

fn part(window: &Window) -> Option<Region> {
    workspace(window).memory().settings.preparation.region
}

#[test]
fn one_click_in_minutes_of_silence_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let mut silence = vec![0.0; 600_000];
    silence[444_444] = 0.5;
    let mut shown = opened(&folder, 8000, &silence);
    wait(&mut shown, "the wave is not counted", |window| says(window, "Source plot, 600000 values, largest 0.5 near 56 s"));
}

#[test]
fn a_part_is_selected_by_its_ends_the_keys_seconds_and_what_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let tone: Vec<f64> = (0..16_000).map(|k| 0.5 * (f64::from(k) * 0.3).sin()).collect();
    let mut shown = opened(&folder, 8000, &tone);
    let plot = shown.get_by_label_contains("Source plot, ").rect();
    drag(&mut shown, PointerButton::Primary, plot.center(), plot.center() + vec2(100.0, 0.0), Modifiers::NONE);
    let first = part(&shown).expect("a drag selects");
    assert!(first.width > 1000 && first.x > 7000, "{first:?}");
    let end = shown.get_by_label("Region, right").rect().center();
    drag(&mut shown, PointerButton::Primary, end, end + vec2(50.0, 0.0), Modifiers::NONE);
    let longer = part(&shown).expect("it is still there");
    assert!(longer.x == first.x && longer.width > first.width, "one end moves alone: {first:?} and {longer:?}");
    shown.get_by_label("Region, left").click();
    shown.run_steps(2);
    shown.key_press(Key::ArrowLeft);
    shown.run_steps(2);
    let by_key = part(&shown).expect("it is still there");
    assert!(by_key.x < longer.x && by_key.x + by_key.width == longer.x + longer.width, "{longer:?} and {by_key:?}");
    set(&mut shown, "Part begins", 0.5);
    set(&mut shown, "Length of the part", 0.25);
    let typed = part(&shown).expect("it is still there");
    assert_eq!((typed.x, typed.width), (4000, 2000));
    settle(&mut shown);
    run(&mut shown, Command::Undo);
    settle(&mut shown);
    assert_ne!(part(&shown), Some(typed), "undo brings the part before back");
    click(&mut shown, "Visible part");
    let all = part(&shown).expect("what is seen is selected");
    assert_eq!((all.x, all.width), (0, 16_000));
}

#[test]
fn channels_stand_over_each_other_and_a_click_chooses_one() {
    let folder = tempfile::tempdir().unwrap();
    let samples: Vec<f64> = (0..400).flat_map(|k| [f64::from(k % 7) / 8.0, f64::from(k % 3) / -4.0]).collect();
    let mut bytes = recording(8000, &samples);
    // Two channels, in blocks of four bytes.
    (bytes[22], bytes[32]) = (2, 4);
    bytes[28..32].copy_from_slice(&32_000_u32.to_le_bytes());
    let path = folder.path().join("a.wav");
    std::fs::write(&path, bytes).unwrap();
    let mut shown = window(Memory::default(), vec![path]);
    assert!(!says(&shown, "Wave of another channel"));
    if shown.query_by_label("Waves of all channels").is_none() {
        click(&mut shown, "More in Source");
    }
    click(&mut shown, "Waves of all channels");
    settle(&mut shown);
    shown.key_press(Key::Escape);
    shown.run_steps(4);
    let others: Vec<_> = shown.query_all_by_label_contains("Wave of").map(|node| node.accesskit_node().label()).collect();
    assert!(says(&shown, "Wave of another channel, 400 values, largest 0"), "the right channel has no value above 0: {others:?}");
    let place = shown.get_by_label("Choose channel right").rect().center();
    shown.hover_at(place);
    shown.drag_at(place);
    shown.run_steps(1);
    shown.drop_at(place);
    settle(&mut shown);
    assert_eq!(workspace(&shown).memory().settings.channel, ChannelChoice::Channel(1));
    assert!(says(&shown, "Choose channel left") && !says(&shown, "Choose channel right"));
}

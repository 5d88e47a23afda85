//! The mouse on images with known answers: the line of a profile, and the zoom.

use super::{Window, click, memory, run, settle, window, workspace};
use egui_kittest::kittest::Queryable as _;
use papillon::ui::{Command, Origin, Preset};
use std::path::PathBuf;
use tempfile::TempDir;

const SIDE: usize = 192;

/// Writes an image of 8 bits whose value at column x and row y is that of `value`.
fn written(folder: &TempDir, name: &str, value: impl Fn(f64, f64) -> f64) -> PathBuf {
    let path = folder.path().join(name);
    let mut encoder = png::Encoder::new(std::fs::File::create(&path).unwrap(), SIDE as u32, SIDE as u32);
    encoder.set_color(png::ColorType::Grayscale);
    let pixels: Vec<u8> = (0..SIDE * SIDE).map(|i| value((i % SIDE) as f64, (i / SIDE) as f64).round().clamp(0.0, 255.0) as u8).collect();
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    path
}

fn image(path: PathBuf) -> Window {
    window(memory(Preset::Image, Origin::File(path), "dft2"), Vec::new())
}

#[test]
fn a_line_is_drawn_with_the_mouse_and_its_profile_follows() {
    let folder = TempDir::new().unwrap();
    let mut window = image(written(&folder, "ramp.png", |x, y| x + 0.2 * y));
    click(&mut window, "Profile");
    settle(&mut window);
    click(&mut window, "Line");
    settle(&mut window);
    let from = window.get_by_label("Second end of the profile line").rect().center();
    let by = egui::vec2(-60.0, 25.0);
    window.drag_at(from);
    window.run_steps(2);
    window.hover_at(from + by);
    window.run_steps(2);
    window.drop_at(from + by);
    settle(&mut window);
    let line = workspace(&window).memory().settings.measure.line.expect("it was dragged");
    assert!(line.from == [0.0, 96.0] && line.to[0] < 170.0 && line.to[1] > 100.0, "{line:?}");
    let n = line.length().floor() as usize + 1;
    assert!(window.query_by_label_contains(&format!("Profile, {n} values")).is_some(), "{line:?}");
    // The row has no room for it below the filtered image.
    click(&mut window, "More in Profile");
    click(&mut window, "On spectrum");
    settle(&mut window);
    assert!(window.query_by_label("First end of the profile line").is_some());
    run(&mut window, Command::Undo);
}

#[test]
fn the_zoom_of_source_and_result_is_one() {
    let folder = TempDir::new().unwrap();
    let mut window = image(written(&folder, "ramp.png", |x, y| x + 0.2 * y));
    let seen = |window: &Window| workspace(window).report().unwrap().source.as_ref().unwrap().frame.rect.width;
    assert_eq!(seen(&window), SIDE as f64);
    // A fitted image is not dragged out of its pane.
    let middle = window.get_by_label("Filtered image").rect().center();
    window.drag_at(middle);
    window.run_steps(2);
    window.hover_at(middle + egui::vec2(120.0, 40.0));
    window.run_steps(2);
    window.drop_at(middle + egui::vec2(120.0, 40.0));
    settle(&mut window);
    assert_eq!(seen(&window), SIDE as f64);
    window.hover_at(window.get_by_label("Filtered image").rect().center());
    window.run_steps(2);
    window.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: egui::vec2(0.0, 200.0),
        modifiers: egui::Modifiers::NONE,
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
    });
    window.run_steps(20);
    settle(&mut window);
    assert!(seen(&window) < 0.8 * SIDE as f64, "the source shows what the filtered image shows: {}", seen(&window));
}

//! Markers on the spectrum image, their table, and the pane *Profile*.

use super::{Window, click, memory, run, says, set, settle, wait, window, workspace};
use egui::accesskit::Role;
use egui::{Key, Modifiers, Pos2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use papillon::signal::generate::{GENERATORS, Generator};
use papillon::ui::{Command, MeasureLook, Origin, PairLook, Preset, SecondOrigin, Workspace};

/// The spectrum of three gratings in an image of 128 × 128: 16, 40 and 50 cycles a side, at 0°, 30° and 120° clockwise.
fn gratings() -> Window {
    let entry = GENERATORS.iter().find(|entry| entry.name == "Gratings").unwrap();
    let Generator::Gratings(mut gratings) = (entry.default)() else { unreachable!() };
    (gratings.rows, gratings.columns, gratings.terms[2].frequency) = (128, 128, 50.0);
    window(memory(Preset::Image, Origin::Generator(Generator::Gratings(gratings)), "dft2"), Vec::new())
}

fn measures(window: &Window) -> &MeasureLook {
    &workspace(window).memory().settings.measure
}

/// The point of a value of the spectrum image, columns to the right and rows down from frequency 0 in the middle.
fn point(window: &Window, right: f32, down: f32) -> Pos2 {
    let canvas = window.get_by_role_and_label(Role::Image, "Spectrum image").rect();
    let side = canvas.width().min(canvas.height()) / 128.0;
    canvas.center() + side * egui::vec2(right + 0.5, down + 0.5)
}

fn click_at(window: &mut Window, at: Pos2) {
    window.hover_at(at);
    window.run_steps(8);
    for pressed in [true, false] {
        window.event(egui::Event::PointerButton { pos: at, button: egui::PointerButton::Primary, pressed, modifiers: Modifiers::NONE });
        window.run_steps(2);
    }
    settle(window);
}

#[test]
fn a_click_pins_a_marker_that_keys_move_and_undo_brings_back() {
    let mut window = gratings();
    let beside = point(&window, 17.0, 1.0);
    click_at(&mut window, beside);
    assert!(window.query_by_label("Marker 1, period 8 px, angle 0°").is_some(), "it takes the strongest value near the click");
    assert_eq!(measures(&window).selected, Some(0));
    window.key_press_modifiers(Modifiers::SHIFT, Key::ArrowRight);
    window.run_steps(2);
    window.key_press(Key::ArrowUp);
    settle(&mut window);
    let at = measures(&window).markers[0].at;
    assert!((at.u * 128.0 - 26.0).abs() < 1e-9 && (at.v * 128.0 - 1.0).abs() < 1e-9, "{at:?}");
    window.key_press(Key::Delete);
    settle(&mut window);
    assert!(measures(&window).markers.is_empty() && !says(&window, "Marker 1"));
    wait(&mut window, "undo has nothing", |window| workspace(window).is_settled());
    run(&mut window, Command::Undo);
    settle(&mut window);
    assert_eq!(measures(&window).markers.len(), 1, "undo brings it back");
}

#[test]
fn a_double_click_fits_and_pins_nothing() {
    let mut window = gratings();
    let at = point(&window, 30.0, 20.0);
    window.hover_at(at);
    window.run_steps(8);
    // A frame takes a quarter of a second, and two clicks of a double-click are at most 0.3 s apart.
    for _ in 0..2 {
        for pressed in [true, false] {
            let event = egui::Event::PointerButton { pos: at, button: egui::PointerButton::Primary, pressed, modifiers: Modifiers::NONE };
            window.input_mut().events.push(event);
        }
        window.step();
    }
    settle(&mut window);
    assert_eq!(measures(&window).markers.len(), 0);
}

#[test]
fn peaks_are_found_and_listed_with_their_lattice() {
    let mut window = gratings();
    // The row has no room for it beside the filtered image.
    click(&mut window, "More in Spectrum image");
    click(&mut window, "Find peaks");
    settle(&mut window);
    assert_eq!(measures(&window).markers.len(), 3);
    for name in ["Marker 1, period 8 px, angle 0°", "Marker 2, period 3.2", "Marker 3, period 2.56"] {
        assert!(says(&window, name), "{name}");
    }
    click(&mut window, "Markers");
    settle(&mut window);
    assert!(says(&window, "Lattice of periods") && window.query_by_label("Select marker 3").is_some());
    assert!(window.query_by_label("0.125").is_some() && window.query_by_label("2048").is_some(), "u and |X| of the first grating");
    click(&mut window, "Select marker 2");
    settle(&mut window);
    assert_eq!(measures(&window).selected, Some(1));
    if window.query_by_label("Harmonics").is_none() {
        click(&mut window, "More in Markers");
    }
    click(&mut window, "Harmonics");
    click(&mut window, "Marker rings");
    assert!(measures(&window).harmonics && measures(&window).rings);
    if window.query_by_label("Remove all").is_none() {
        click(&mut window, "More in Markers");
    }
    click(&mut window, "Remove all");
    settle(&mut window);
    assert!(measures(&window).markers.is_empty());
    // A session holds the markers; an old one has none.
    let memory = serde_json::to_value(workspace(&window).memory()).unwrap();
    assert!(memory["settings"]["measure"]["markers"].as_array().unwrap().is_empty());
}

/// The numbers in a text, in their order.
pub(super) fn numbers(text: &str) -> Vec<f64> {
    let text = text.replace('−', "-");
    text.split(|c: char| !c.is_ascii_digit() && c != '.' && c != '-').filter_map(|number| number.parse().ok()).collect()
}

/// The text of the first label with these words.
pub(super) fn text_with(window: &Window, words: &str) -> String {
    window
        .query_all_by_label_contains(words)
        .next()
        .and_then(|node| node.accesskit_node().label().or(node.accesskit_node().value()))
        .unwrap_or_default()
}

#[test]
fn two_clicks_span_a_hexagonal_lattice() {
    let entry = GENERATORS.iter().find(|entry| entry.name == "Gratings").unwrap();
    let Generator::Gratings(mut gratings) = (entry.default)() else { unreachable!() };
    (gratings.rows, gratings.columns) = (128, 128);
    for (term, angle) in gratings.terms.iter_mut().zip([10.0, 70.0, 130.0]) {
        (term.frequency, term.angle, term.contrast) = (20.6, angle, 0.3);
    }
    let mut window = window(memory(Preset::Image, Origin::Generator(Generator::Gratings(gratings)), "dft2"), Vec::new());
    for angle in [10.0_f32, 70.0] {
        let (down, right) = angle.to_radians().sin_cos();
        let at = point(&window, (20.6 * right).round() + 1.0, (20.6 * down).round());
        click_at(&mut window, at);
    }
    assert_eq!(measures(&window).markers.len(), 2);
    click(&mut window, "Markers");
    settle(&mut window);
    let [a, b, between] = numbers(&text_with(&window, "vectors in the image"))[..] else { panic!("no vectors are shown") };
    let expected = 128.0 / 20.6 / 60_f64.to_radians().sin();
    assert!([a, b].iter().all(|side| (side / expected - 1.0).abs() < 0.005), "{a} px and {b} px are to be {expected} px");
    assert!((between - 60.0).abs() < 0.3 || (between - 120.0).abs() < 0.3, "{between}°");
    if window.query_by_label("Lattice").is_none() {
        click(&mut window, "More in Markers");
    }
    let before = measures(&window).lattice;
    click(&mut window, "Lattice");
    settle(&mut window);
    assert!(measures(&window).lattice != before, "the points of the lattice are switched");
}

#[test]
fn a_second_image_is_opened_and_its_shift_is_shown() {
    const SIDE: usize = 96;
    let (dx, dy) = (2.3, -1.7);
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = [("first.png", 0.0, 0.0), ("second.png", dx, dy)].map(|(name, dx, dy)| {
        let path = folder.path().join(name);
        // Waves of many directions; none repeats with the image.
        let value = |x: f64, y: f64| {
            let wave = |k: i32| {
                let (angle, radius) = (2.4 * f64::from(k), 0.12 + 0.02 * f64::from(k));
                (radius * (angle.cos() * (x - dx) + angle.sin() * (y - dy)) + 1.7 * f64::from(k)).cos()
            };
            (128.0 + 5.0 * (0..40).map(wave).sum::<f64>()).clamp(0.0, 255.0) as u8
        };
        let rgb: Vec<u8> = (0..SIDE * SIDE).flat_map(|at| [value((at % SIDE) as f64, (at / SIDE) as f64); 3]).collect();
        papillon::signal::write_image_png(&path, SIDE, SIDE, &rgb).unwrap();
        path
    });
    let memory = memory(Preset::Image, Origin::File(first), "dft2");
    let mut window = super::window_of(move |ctx| Workspace::new(ctx, memory, Vec::new()).prompting_always());
    click(&mut window, "Two images");
    settle(&mut window);
    click(&mut window, "Open a second image…");
    super::answer(&mut window, second.to_str().unwrap());
    wait(&mut window, "no shift is shown", |window| says(window, "dx "));
    settle(&mut window);
    for (name, expected) in [("dx ", dx), ("dy ", dy)] {
        let found = numbers(&text_with(&window, name))[0];
        assert!((found - expected).abs() < 0.05, "{name}{found} is to be {expected}");
    }
    let canvas = window.get_by_role_and_label(Role::Image, "Phase correlation").rect();
    window.hover_at(canvas.center());
    window.run_steps(4);
    assert!(says(&window, "shift ("), "the read-out under the pointer");
}

#[test]
fn profiles_are_plotted() {
    let mut window = gratings();
    click(&mut window, "Profile");
    settle(&mut window);
    assert!(window.query_by_label_contains("Profile, 92 values").is_some(), "rings up to the corner");
    click(&mut window, "By angle");
    settle(&mut window);
    assert!(window.query_by_label_contains("Profile, 180 values").is_some());
    click(&mut window, "Line");
    settle(&mut window);
    assert!(window.query_by_label_contains("Profile, 128 values").is_some(), "across the middle");
    // The row has no room for it below the filtered image.
    click(&mut window, "More in Profile");
    click(&mut window, "On spectrum");
    settle(&mut window);
    assert!(measures(&window).on_spectrum && window.query_by_label_contains("Profile, 128 values, largest").is_some());
}

#[test]
fn a_blur_is_undone_and_two_images_are_registered() {
    let mut window = gratings();
    click(&mut window, "Two images");
    settle(&mut window);
    assert!(says(&window, "There is no second image yet"));
    click(&mut window, "Deblur");
    settle(&mut window);
    assert!(window.query_by_role_and_label(Role::Image, "Deblurred image").is_some());
    // With room for all controls in the row.
    window.set_size(egui::vec2(2560.0, 1440.0));
    window.run_steps(4);
    set(&mut window, "Size of the blur in pixels", 512.0);
    settle(&mut window);
    assert!(says(&window, "take a smaller kernel"), "a kernel larger than the image");
    set(&mut window, "Size of the blur in pixels", 2.0);
    settle(&mut window);
    assert!(window.query_by_role_and_label(Role::Image, "Deblurred image").is_some() && !says(&window, "take a smaller kernel"));
    let mut memory = workspace(&window).memory().clone();
    memory.settings.measure.pair = PairLook { has_second: true, ..PairLook::default() };
    memory.settings.second = SecondOrigin::Other(memory.settings.origin.clone());
    let mut pair = super::window(memory, Vec::new());
    click(&mut pair, "Two images");
    settle(&mut pair);
    assert!(pair.query_by_role_and_label(Role::Image, "Phase correlation").is_some());
    assert!(says(&pair, "dx 0 ± ") && says(&pair, "peak "), "an image has no shift against itself");
}

#[test]
fn the_newest_spectrum_is_shown_against_a_held_one() {
    let mut window = gratings();
    let held = |window: &Window| window.query_by_role_and_label(Role::Image, "Held spectrum image").map(|node| node.rect());
    let whole = window.get_by_role_and_label(Role::Image, "Spectrum image").rect();
    let hold = if window.query_by_label("Hold").is_some() { "Hold" } else { "More in Spectrum image" };
    click(&mut window, hold);
    if hold != "Hold" {
        click(&mut window, "Hold");
    }
    settle(&mut window);
    let (beside, newest) = (held(&window).unwrap(), window.get_by_role_and_label(Role::Image, "Spectrum image").rect());
    assert!(beside.width() > 0.3 * whole.width() && !beside.intersects(newest), "beside or above it");
    assert!((beside.size() - newest.size()).length() < 1.0, "both have one size: {beside:?}, {newest:?}");
    let more = window.query_by_label("Difference").is_none();
    if more {
        click(&mut window, "More in Spectrum image");
    }
    click(&mut window, "Difference");
    settle(&mut window);
    assert!(held(&window).is_none());
    click(&mut window, "Release");
    settle(&mut window);
    assert!(held(&window).is_none() && window.get_by_role_and_label(Role::Image, "Spectrum image").rect() == whole);
}

#[test]
fn markers_and_profiles_have_the_unit_of_the_pixels() {
    let mut memory = serde_json::to_value(workspace(&gratings()).memory()).unwrap();
    let size = serde_json::json!({ "width": 0.5, "height": 0.5, "unit": "Nanometre" });
    memory["settings"]["typed_pixel"] = serde_json::json!({ "origin": memory["settings"]["origin"], "size": size });
    let mut window = window(serde_json::from_value(memory).unwrap(), Vec::new());
    let at = point(&window, 17.0, 1.0);
    click_at(&mut window, at);
    assert!(says(&window, "Marker 1, period 4 nm, angle 0°"));
    click(&mut window, "Markers");
    settle(&mut window);
    assert!(says(&window, "u (cycles per nm)") && says(&window, "period (nm)") && window.query_by_label("0.25").is_some());
    click(&mut window, "Profile");
    settle(&mut window);
    assert!(says(&window, "frequency (cycles per nm)"));
}

//! The pane of coefficients: picked in a spectrum, dragged, thresholded, and lit in the flow graph.

use super::wavelet::{picture_file, text_file};
use super::{Window, click, run, says, settle, window, workspace};
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use papillon::graph::GraphNode;
use papillon::ui::{Command, KeepBy, Memory, Origin, Preset, SynthesisLook, WaveletTab, Workspace};
use std::path::Path;
use tempfile::TempDir;

/// The layout of the flow graph with eight samples and the pane in front.
fn opened() -> Window {
    in_front(window(Memory::of_preset(Preset::FlowGraph), Vec::new()))
}

/// The memory of the layout of wavelets where a file is open, a transform is set, and a share of the coefficients is kept.
fn memory(file: &Path, transform: &str) -> Memory {
    let mut memory = super::memory(Preset::Wavelet, Origin::File(file.to_owned()), transform);
    memory.settings.synthesis.keep_by = KeepBy::Share;
    memory
}

/// The window with the pane in front, so large that its controls have room.
fn in_front(mut window: Window) -> Window {
    window.set_size(egui::vec2(2400.0, 1400.0));
    window.run_steps(3);
    if window.query_by_label("Coefficients").is_none() {
        run(&mut window, Command::ToggleDrawer);
        settle(&mut window);
    }
    click(&mut window, "Coefficients");
    settle(&mut window);
    window
}

fn look(window: &Window) -> SynthesisLook {
    workspace(window).memory().settings.synthesis.clone()
}

#[test]
fn a_picked_coefficient_has_a_part_a_share_and_a_path() {
    let mut window = opened();
    click(&mut window, "Coefficient 3");
    settle(&mut window);
    assert_eq!(look(&window).picked, Some([0, 3]));
    // By hand: X3 of 1 1 1 −1 −1 −1 −1 −1 is 0.586 + 0.586i; with its mirror it has 2 · 0.686 of the 8 · 8.
    assert!(says(&window, "2.145 %, with its mirror"));
    let lit = workspace(&window).lit_node();
    assert_eq!(lit, Some(GraphNode { column: 3, lane: 6 }), "X3 stands on lane 6 of the bit-reversed results");
    click(&mut window, "Coefficient 3");
    settle(&mut window);
    assert_eq!((look(&window).picked, workspace(&window).lit_node().map(|node| node.lane)), (None, Some(6)), "the pointer still lights it");
}

#[test]
fn a_dragged_coefficient_makes_another_signal_and_undo_brings_it_back() {
    let mut window = opened();
    assert!(says(&window, "Difference of the samples"));
    let bar = window.get_by_label("Coefficient 2").rect();
    window.drag_at(bar.center_bottom() - egui::vec2(0.0, 4.0));
    window.step();
    window.hover_at(bar.center());
    window.step();
    window.drop_at(bar.center());
    settle(&mut window);
    let changed = look(&window).changed;
    assert!(changed.len() == 1 && changed[0].at == [0, 2] && changed[0].value[0].hypot(changed[0].value[1]) > 1.0, "{changed:?}");
    click(&mut window, "All as computed");
    settle(&mut window);
    assert_eq!(look(&window).changed, []);
}

#[test]
fn a_threshold_acts_on_an_image_at_once() {
    let folder = TempDir::new().unwrap();
    let mut window = in_front(window(memory(&picture_file(&folder, 37, 53), "cdf97-2"), Vec::new()));
    for image in ["Image", "Made by the coefficients", "Difference"] {
        assert!(window.query_all_by_role_and_label(Role::Image, image).next().is_some(), "{image} is not shown");
    }
    assert!(says(&window, "98 of 1961 coefficients"), "5 % of 37 × 53 are 98");
    assert!(says(&window, " dB"));
    click(&mut window, "Above a value");
    settle(&mut window);
    assert!(says(&window, "magnitudes up to 10"));
    click(&mut window, "Soft");
    settle(&mut window);
    assert!(says(&window, " dB"));
    click(&mut window, "All as computed");
    settle(&mut window);
    assert_eq!(look(&window).keep_by, KeepBy::All);
}

#[test]
fn every_transform_with_an_inverse_keeps_its_largest_coefficients() {
    let folder = TempDir::new().unwrap();
    let (line, picture) = (text_file(&folder, 64), picture_file(&folder, 16, 32));
    let all = [(&line, "dft"), (&line, "dct"), (&line, "walsh"), (&line, "d4"), (&picture, "dft2"), (&picture, "walsh2")];
    for (file, transform) in all {
        let window = in_front(window(memory(file, transform), Vec::new()));
        let kept = window.get_by_label_contains(" coefficients (").accesskit_node().value().unwrap();
        let percent: f64 = kept.split('(').nth(1).unwrap().split(" %").next().unwrap().parse().unwrap();
        // At most 5 %; one more or less is a pair of a spectrum, or what the low band needs.
        assert!((1.0..=6.3).contains(&percent), "{transform}: {kept}");
    }
}

#[test]
fn the_thresholded_signal_is_written_to_the_typed_path() {
    let folder = TempDir::new().unwrap();
    let file = picture_file(&folder, 37, 53);
    let memory = memory(&file, "cdf97-2");
    let mut window = in_front(super::window_of(move |ctx| Workspace::new(ctx, memory, Vec::new()).prompting_always()));
    let ask = |window: &mut Window, button: &str| {
        click(window, button);
        super::wait(window, "the window does not ask", |window| window.query_by_label("Path of the file").is_some());
        window.run_steps(3);
    };
    // Escape closes the question and cancels nothing else.
    ask(&mut window, "Export the thresholded signal");
    assert!(window.query_by_label("Export the thresholded signal as .png, .tiff, .npy, .wav, .sigmf-data, .csv").is_some());
    window.key_press(egui::Key::Escape);
    super::wait(&mut window, "the question stays", |window| window.query_by_label("Path of the file").is_none());
    ask(&mut window, "Export the thresholded signal");
    let left = folder.path().join("left.png");
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    window.step();
    window.get_by_label("Path of the file").type_text(left.to_str().unwrap());
    window.run_steps(2);
    window.key_press(egui::Key::Enter);
    super::wait(&mut window, "nothing is written", |window| workspace(window).message().starts_with("Wrote"));
    let [before, after] = [&file, &left].map(|path| papillon::signal::load(path).unwrap());
    assert_eq!((after.rows, after.columns), (before.rows, before.columns));
    assert_ne!(after.channels[0].samples, before.channels[0].samples, "5 % of the coefficients are no perfect copy");
    // A file to open is typed in the same way.
    run(&mut window, Command::Open);
    super::wait(&mut window, "the window does not ask", |window| window.query_by_label("Path of the file").is_some());
    window.run_steps(3);
    window.get_by_label("Path of the file").type_text(left.to_str().unwrap());
    window.run_steps(2);
    window.key_press(egui::Key::Enter);
    super::wait(&mut window, "the file is not opened", |window| workspace(window).message().starts_with("left.png"));
}

#[test]
fn the_share_that_is_chosen_is_the_share_that_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut memory = memory(&picture_file(&folder, 64, 64), "cdf97-2");
    // The pyramid has a share of its own.
    memory.settings.wavelet.tab = WaveletTab::Packets;
    let mut window = in_front(window(memory, Vec::new()));
    for percent in [0.01, 10.0] {
        super::set(&mut window, "Share", percent);
        settle(&mut window);
        let chosen = workspace(&window).memory().settings.synthesis.percent;
        let kept = window.get_by_label_contains(" coefficients (").accesskit_node().value().unwrap();
        let kept: f64 = kept.split('(').nth(1).unwrap().split(" %").next().unwrap().parse().unwrap();
        assert!((chosen - kept).abs() < 0.05, "{chosen} % is chosen, {kept} % is kept");
    }
}

#[test]
fn the_images_of_a_threshold_zoom_together() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = in_front(window(memory(&picture_file(&folder, 64, 64), "cdf97-2"), Vec::new()));
    let parts = |window: &Window| {
        let shapes = &window.output().shapes;
        let images = shapes.iter().filter_map(|clipped| match &clipped.shape {
            egui::Shape::Rect(rect) => rect.brush.as_ref().map(|brush| brush.uv).filter(|uv| uv.max.x <= 1.0),
            egui::Shape::Mesh(mesh) if mesh.vertices.len() == 4 => Some(egui::Rect::from_min_max(mesh.vertices[0].uv, mesh.vertices[3].uv)),
            _ => None,
        });
        images.filter(|uv| uv.width() > 0.0 && uv.width() < 0.9).count()
    };
    assert_eq!(parts(&window), 0, "all of the images is visible");
    let middle = window.get_by_role_and_label(Role::Image, "Difference").rect().center();
    window.hover_at(middle);
    window.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: egui::vec2(0.0, 200.0),
        phase: egui::TouchPhase::Move,
        modifiers: egui::Modifiers::NONE,
        source: egui::MouseWheelSource::Wheel,
    });
    window.run_steps(20);
    assert_eq!(parts(&window), 3, "the wheel over one image enlarges all three");
}

#[test]
fn the_share_that_was_set_survives_levels_that_need_more() {
    let folder = TempDir::new().unwrap();
    let mut window = in_front(window(memory(&picture_file(&folder, 37, 53), "cdf97-2"), Vec::new()));
    let percent = |window: &Window| workspace(window).memory().settings.synthesis.percent;
    let set = percent(&window);
    super::set(&mut window, "Levels", 1.0);
    settle(&mut window);
    window.run_steps(5);
    assert!(!says(&window, "98 of 1961 coefficients"), "the low-pass band of one level is larger");
    super::set(&mut window, "Levels", 4.0);
    settle(&mut window);
    window.run_steps(5);
    assert_eq!(percent(&window), set);
    assert!(says(&window, "98 of 1961 coefficients"), "5 % again");
}

//! The settings that each layout keeps, the layout that a signal goes to, and the panes that stay when a job has no result.

use super::layouts::{Dropped, fixture, small_window};
use super::{Window, choose, click, memory, run, says, settle, small_image, wait, window, workspace};
use egui::Key;
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use papillon::signal::generate::{GENERATORS, Generator};
use papillon::ui::{Command, Memory, Origin, Preset, Workspace};

#[test]
fn every_layout_comes_back_as_it_was_left() {
    let mut window = small_window();
    choose(&mut window, "Algorithm", "cooley-tukey");
    if window.query_by_label("Rings").is_none() {
        click(&mut window, "More in Spectrum image");
    }
    click(&mut window, "Rings");
    settle(&mut window);
    let left = workspace(&window).memory().settings.clone();
    let job = workspace(&window).report().unwrap().request.job.clone();
    run(&mut window, Command::Preset(Preset::Logic));
    settle(&mut window);
    assert_eq!(workspace(&window).memory().settings.transform, "walsh");
    assert_eq!(workspace(&window).report().unwrap().request.job.signal.columns, 16);
    run(&mut window, Command::Preset(Preset::System));
    settle(&mut window);
    assert_eq!(workspace(&window).memory().settings.transform, "tridiagonal");
    run(&mut window, Command::Preset(Preset::Image));
    window.step();
    assert_eq!(workspace(&window).memory().settings, left);
    assert_eq!(workspace(&window).report().unwrap().request.job, job, "the result is there at once");
    settle(&mut window);
    assert_eq!(workspace(&window).memory().settings, left);
    run(&mut window, Command::Undo);
    assert_eq!(workspace(&window).memory().preset, Preset::Image, "undo stays in the layout");
    assert_ne!(workspace(&window).memory().settings.transform, "tridiagonal");
}

#[test]
fn a_dropped_file_goes_to_the_layout_that_suits_it_and_back_is_one_click() {
    let mut window = small_window();
    choose(&mut window, "Algorithm", "cooley-tukey");
    let left = workspace(&window).memory().settings.clone();
    for (file, preset) in [("pcm16.wav", Preset::Signal), ("full-adder.pla", Preset::Logic)] {
        window.input_mut().dropped_files.push(std::sync::Arc::new(Dropped(fixture(file))));
        wait(&mut window, "the file is not opened", |window| {
            workspace(window).report().is_some_and(|report| report.request.job.signal.name == file)
        });
        settle(&mut window);
        assert_eq!(workspace(&window).memory().preset, preset, "{file}");
        assert!(workspace(&window).message().contains("suits the layout"), "{}", workspace(&window).message());
        click(&mut window, "Back to Image");
        settle(&mut window);
        assert_eq!(workspace(&window).memory().settings, left, "the image stays as it was");
        run(&mut window, Command::Preset(preset));
        settle(&mut window);
        assert_eq!(workspace(&window).report().unwrap().request.job.signal.name, file, "the file stays in its layout");
        run(&mut window, Command::Preset(Preset::Image));
        settle(&mut window);
    }
}

#[test]
fn a_truth_table_and_an_s_box_go_to_logic_and_back_is_one_click() {
    let mut window = small_window();
    let folder = tempfile::tempdir().unwrap();
    let upright = |values: &[i32]| values.iter().map(|value| format!("{value}\n")).collect::<String>();
    let present = [12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2];
    for (name, text, preset) in [
        ("bits.csv", upright(&[0, 1, 1, 0, 1, 0, 0, 1]), Preset::Logic),
        ("box.csv", upright(&present), Preset::Logic),
        ("digits.txt", "0110100110010110\n".into(), Preset::Logic),
        ("signs.csv", upright(&[1, -1]), Preset::Signal),
        ("ramp.csv", upright(&[0, 1, 2, 3]), Preset::Signal),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        window.run_steps(8);
        window.input_mut().dropped_files.push(std::sync::Arc::new(Dropped(path)));
        wait(&mut window, "the file is not opened", |window| {
            workspace(window).report().is_some_and(|report| report.request.job.signal.name == name)
        });
        settle(&mut window);
        assert_eq!(workspace(&window).memory().preset, preset, "{name}");
        let said = format!("suits the layout {}", preset.title());
        assert!(workspace(&window).message().contains(&said), "{}", workspace(&window).message());
        let transform = workspace(&window).report().unwrap().request.job.transform;
        assert_eq!(transform, if preset == Preset::Logic { "walsh" } else { "dft" }, "{name}");
        assert_eq!(window.query_by_label("f(0) = 0").is_some(), preset == Preset::Logic && name != "box.csv", "{name}");
        assert_eq!(window.query_by_label("Study a component").is_some(), name == "box.csv", "{name}");
        click(&mut window, "Back to Image");
        settle(&mut window);
        assert_eq!(workspace(&window).memory().preset, Preset::Image);
    }
}

#[test]
fn a_pane_fills_the_window_until_escape() {
    let mut window = small_window();
    let before = window.get_by_role_and_label(Role::Image, "Spectrum image").rect();
    window.hover_at(before.center());
    window.run_steps(2);
    window.key_press(Key::M);
    window.run_steps(3);
    assert!(window.query_by_role_and_label(Role::ComboBox, "Transform").is_none(), "the other panes are gone");
    assert!(window.get_by_role_and_label(Role::Image, "Spectrum image").rect().width() > before.width());
    window.key_press(Key::Escape);
    window.run_steps(3);
    assert!(window.query_by_role_and_label(Role::ComboBox, "Transform").is_some());
}

#[test]
fn a_job_without_a_result_offers_what_mends_it_and_changes_no_picture() {
    let entry = GENERATORS.iter().find(|entry| entry.name == "Checkerboard").unwrap();
    let Generator::Checkerboard(mut board) = (entry.default)() else { unreachable!() };
    (board.rows, board.columns) = (20, 30);
    let mut window = window(memory(Preset::Image, Origin::Generator(Generator::Checkerboard(board)), "dft2"), Vec::new());
    let error = |window: &Window| workspace(window).report().unwrap().error().cloned();
    let shape = |window: &Window| workspace(window).report().unwrap().outcome().map(|outcome| (outcome.shape.rows, outcome.shape.columns));
    assert_eq!((error(&window), shape(&window)), (None, Some((20, 30))));
    choose(&mut window, "Transform", "Walsh 2-D");
    settle(&mut window);
    assert!(error(&window).is_some());
    assert!(window.query_by_role_and_label(Role::Image, "Spectrum image").is_some(), "the image before stays");
    assert!(!says(&window, "There is no result"));
    assert!(says(&window, "Before: Fourier of an image (2-D DFT) by "), "what is still shown has the settings that gave it");
    window.run_steps(20);
    click(&mut window, "Pad to 32 × 32 px");
    settle(&mut window);
    assert_eq!((error(&window), shape(&window)), (None, Some((32, 32))));
    window.run_steps(20);
    run(&mut window, Command::Undo);
    settle(&mut window);
    assert!(error(&window).is_some(), "undo takes the padding away");
    click(&mut window, "Crop to 16 × 16 px");
    settle(&mut window);
    assert_eq!(shape(&window), Some((16, 16)));
    run(&mut window, Command::Undo);
    settle(&mut window);
    click(&mut window, "Take the DFT");
    settle(&mut window);
    assert_eq!((error(&window), shape(&window)), (None, Some((20, 30))));
}

#[test]
fn tiny_signals_are_shown_too() {
    for text in ["7", "1\n2\n3", "0\n0"] {
        let mut window = small_window();
        window.event(egui::Event::Paste(text.into()));
        let n = text.lines().count();
        wait(&mut window, "the numbers are transformed", |window| {
            workspace(window).report().is_some_and(|report| report.request.job.signal.columns == n)
        });
        settle(&mut window);
        window.run_steps(3);
        assert!(workspace(&window).report().unwrap().outcome().is_some(), "{text:?}: {}", workspace(&window).message());
    }
}

#[test]
fn zoom_cursor_and_pinned_nodes_come_back_with_the_layout_and_the_session() {
    let mut window = small_window();
    let canvas = window.get_by_role_and_label(Role::Image, "Spectrum image").rect();
    window.hover_at(canvas.center());
    window.run_steps(2);
    for _ in 0..3 {
        window.key_press(Key::Plus);
        window.run_steps(2);
    }
    settle(&mut window);
    let frame = |window: &Window| workspace(window).report().unwrap().request.view.image;
    let zoomed = frame(&window);
    assert!(zoomed.is_some());
    run(&mut window, Command::Preset(Preset::FlowGraph));
    settle(&mut window);
    run(&mut window, Command::StepBack);
    run(&mut window, Command::StepBack);
    window.run_steps(3);
    let stage = "after stage 1 of 3";
    assert!(says(&window, stage));
    run(&mut window, Command::Preset(Preset::Image));
    settle(&mut window);
    assert_eq!(frame(&window), zoomed, "the part that was visible is visible again");
    run(&mut window, Command::Preset(Preset::FlowGraph));
    settle(&mut window);
    window.run_steps(3);
    assert!(says(&window, stage));
    let kept = workspace(&window).memory().clone();
    assert!(kept.others[&Preset::Image].views["SpectrumPicture"].is_array());
}

#[test]
fn a_refusal_is_said_once_and_keeps_the_axes_of_what_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("twelve.csv");
    std::fs::write(&path, (0..12).map(|i| format!("{}\n", i % 5)).collect::<String>()).unwrap();
    let mut window = window(memory(Preset::Signal, Origin::File(path), "dft"), Vec::new());
    let plot = |window: &Window| window.get_by_label_contains("Spectrum plot, ").accesskit_node().label().unwrap();
    let before = plot(&window);
    assert!(before.contains("cycles per sample"), "{before}");
    choose(&mut window, "Transform", "Walsh");
    settle(&mut window);
    assert_eq!(plot(&window), before, "what is still shown keeps its axis");
    assert_eq!(window.query_all_by_label_contains("takes rows of 2^n values").count(), 1);
    assert!(says(&window, "Walsh takes rows of 2^n values") && says(&window, "No result: Transform says why"));
}

#[test]
fn about_names_the_device_that_computes() {
    let mut window = window(memory(Preset::Image, small_image(), "dft2"), Vec::new());
    let device = workspace(&window).report().unwrap().outcome().unwrap().device.clone();
    run(&mut window, Command::About);
    window.run_steps(3);
    assert!(says(&window, "Computes now") && window.query_all_by_label(&device).next().is_some());
}

#[test]
fn the_scale_is_there_before_the_window_opens_again() {
    #[derive(Default)]
    struct Kept(std::collections::HashMap<String, String>);
    impl eframe::Storage for Kept {
        fn get_string(&self, key: &str) -> Option<String> {
            self.0.get(key).cloned()
        }
        fn set_string(&mut self, key: &str, value: String) {
            self.0.insert(key.into(), value);
        }
        fn remove_string(&mut self, key: &str) {
            self.0.remove(key);
        }
        fn flush(&mut self) {}
    }
    let mut window = small_window();
    for _ in 0..3 {
        run(&mut window, Command::ScaleUp);
        window.run_steps(2);
    }
    let mut kept = Kept::default();
    eframe::App::save(window.state_mut().as_mut().unwrap(), &mut kept);
    // eframe reads this before it makes the window, whose size it keeps in points of the scale.
    let read: egui::Memory = eframe::get_value(&kept, "egui").expect("eframe reads it");
    assert!(read.options.zoom_factor > 1.3 && read.options.zoom_factor == window.ctx.zoom_factor(), "{}", read.options.zoom_factor);
    assert_eq!(read.options.max_passes, egui::Options::default().max_passes, "everything else is as without it");
}

#[test]
fn typing_replaces_the_name_of_a_new_file_and_keeps_its_ending() {
    let mut window = super::window_of(|ctx| Workspace::new(ctx, Memory::default(), Vec::new()).prompting_always());
    run(&mut window, Command::SaveSessionAs);
    wait(&mut window, "the window does not ask", |window| window.query_by_label("Path of the file").is_some());
    window.run_steps(3);
    assert!(says(&window, "/session.json"));
    window.get_by_label("Path of the file").type_text("mine");
    window.run_steps(2);
    assert!(says(&window, "/mine.json"));
}

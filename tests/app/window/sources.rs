//! One list of sources for all layouts, and what acts from an earlier one.

use super::layouts::{Dropped, small_window};
use super::{Window, click, memory, run, says, settle, wait, window, workspace};
use egui::Key;
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use papillon::signal::SignalKind;
use papillon::signal::generate::{Generator, Polynomial};
use papillon::transforms::Scheme;
use papillon::ui::{Command, Memory, Opening, Origin, Preset, Workspace, load_session, save_session};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn drop_files(window: &mut Window, paths: &[PathBuf]) {
    window.run_steps(8);
    for path in paths {
        window.input_mut().dropped_files.push(Arc::new(Dropped(path.clone())));
    }
    let name = paths[0].file_name().unwrap().to_string_lossy().into_owned();
    wait(window, "the file is not opened", |window| shown(window) == name);
    settle(window);
}

/// The name of the source that the result is of.
fn shown(window: &Window) -> String {
    workspace(window).report().map_or_else(String::new, |report| report.request.job.signal.name.clone())
}

fn go(window: &mut Window, preset: Preset) {
    run(window, Command::Preset(preset));
    settle(window);
}

/// An image of 16 × 24 pixels, a recording of 1000 samples and a Boolean function.
fn files(folder: &Path) -> [PathBuf; 3] {
    let [image, recording, function] = ["photo.png", "night.csv", "bits.csv"].map(|name| folder.join(name));
    let mut bytes = Vec::new();
    papillon::signal::encode_image_png(&mut bytes, 16, 24, &(0..24 * 16).map(|k| (k * k % 251) as u8).collect::<Vec<_>>(), "").unwrap();
    std::fs::write(&image, bytes).unwrap();
    std::fs::write(&recording, (0..1000).map(|k| format!("{}\n", k * k % 17)).collect::<String>()).unwrap();
    std::fs::write(&function, [0, 1, 1, 0, 1, 0, 0, 1].map(|bit| format!("{bit}\n")).concat()).unwrap();
    [image, recording, function]
}

#[test]
fn a_file_follows_to_every_layout_that_can_show_it_and_others_say_why_not() {
    let folder = tempfile::tempdir().unwrap();
    for (file, presets) in files(folder.path()).into_iter().zip([
        [
            (Preset::Image, Some(24)),
            (Preset::Wavelet, Some(24)),
            (Preset::Signal, Some(24)),
            (Preset::FlowGraph, Some(16)),
            (Preset::Logic, None),
        ],
        [
            (Preset::Image, None),
            (Preset::Wavelet, Some(1000)),
            (Preset::Signal, Some(1000)),
            (Preset::FlowGraph, Some(16)),
            (Preset::Logic, None),
        ],
        [(Preset::Image, None), (Preset::Wavelet, None), (Preset::Signal, None), (Preset::FlowGraph, Some(8)), (Preset::Logic, Some(8))],
    ]) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let mut window = small_window();
        drop_files(&mut window, std::slice::from_ref(&file));
        for (preset, columns) in presets {
            go(&mut window, preset);
            let report = workspace(&window).report().unwrap();
            assert!(report.outcome().is_some(), "{name} in {preset:?}: {}", workspace(&window).message());
            let signal = &report.request.job.signal;
            assert_eq!((signal.name == name).then_some(signal.columns), columns, "{name} in {preset:?}");
            assert_eq!(says(&window, &format!("{name} is ")), columns.is_none(), "{name} in {preset:?}");
            let is_row = name == "photo.png" && matches!(preset, Preset::Signal | Preset::FlowGraph);
            assert_eq!(signal.kind == SignalKind::Rows && is_row, is_row, "{name} in {preset:?}");
            assert_eq!(says(&window, "samples 0 to 15 of "), columns == Some(16), "{name} in {preset:?}");
            if columns == Some(16) {
                // The menu is at the right end of the pane.
                let end = window.get_by_label("Menu of Source").rect().right() + 8.0;
                for control in ["First sample", "Number of samples"] {
                    let rect = window.get_by_label(control).rect();
                    assert!(rect.right() <= end, "{control} at {rect} leaves the pane, which ends at {end}");
                }
            }
        }
    }
}

#[test]
fn the_row_of_an_image_is_chosen_and_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let [image, ..] = files(folder.path());
    let mut window = window(Memory::default(), vec![image]);
    go(&mut window, Preset::Signal);
    assert!(says(&window, "Row 8 of 16"));
    click(&mut window, "Column");
    settle(&mut window);
    assert!(says(&window, "Column 8 of 24"));
    assert_eq!(workspace(&window).report().unwrap().request.job.signal.columns, 16);
    go(&mut window, Preset::Image);
    assert_eq!(workspace(&window).report().unwrap().request.job.signal.kind, SignalKind::Image);
    go(&mut window, Preset::Signal);
    assert!(says(&window, "Column 8 of 24"), "the layout keeps its column");
}

#[test]
fn a_function_is_used_as_a_signal_where_that_is_asked_for_and_a_recording_goes_home() {
    let folder = tempfile::tempdir().unwrap();
    let [_, recording, function] = files(folder.path());
    let mut window = small_window();
    drop_files(&mut window, &[function]);
    go(&mut window, Preset::Signal);
    assert_ne!(shown(&window), "bits.csv");
    click(&mut window, "Use bits.csv");
    settle(&mut window);
    assert_eq!((shown(&window).as_str(), workspace(&window).memory().preset), ("bits.csv", Preset::Signal));
    drop_files(&mut window, &[recording]);
    go(&mut window, Preset::Logic);
    assert!(says(&window, "night.csv is a signal, and bits.csv stands in"), "the file of before rather than a sample");
    click(&mut window, "Use night.csv in Signal");
    settle(&mut window);
    assert_eq!((shown(&window).as_str(), workspace(&window).memory().preset), ("night.csv", Preset::Signal));
}

#[test]
fn a_file_that_has_changed_is_new_in_every_layout() {
    let folder = tempfile::tempdir().unwrap();
    let [_, recording, _] = files(folder.path());
    let mut window = window(Memory::default(), vec![recording.clone()]);
    let columns = |window: &Window| workspace(window).report().unwrap().request.job.signal.columns;
    go(&mut window, Preset::Wavelet);
    go(&mut window, Preset::Signal);
    assert_eq!(columns(&window), 1000);
    std::fs::write(&recording, "1\n0\n".repeat(250)).unwrap();
    run(&mut window, Command::Reload);
    wait(&mut window, "the file is not read again", |window| columns(window) == 500);
    settle(&mut window);
    go(&mut window, Preset::Wavelet);
    assert_eq!((shown(&window).as_str(), columns(&window)), ("night.csv", 500));
}

#[test]
fn several_files_are_dropped_and_keys_go_through_them_in_the_order_of_use() {
    let folder = tempfile::tempdir().unwrap();
    let files = files(folder.path());
    let mut window = small_window();
    drop_files(&mut window, &files);
    assert_eq!((shown(&window).as_str(), workspace(&window).memory().preset), ("photo.png", Preset::Image));
    let press = |window: &mut Window, modifiers: egui::Modifiers, expected: &str| {
        window.key_press_modifiers(modifiers, Key::Tab);
        wait(window, "the source is not shown", |window| shown(window) == expected);
        settle(window);
        window.run_steps(2);
    };
    // A press alone goes to the one that was used before.
    press(&mut window, egui::Modifiers::COMMAND, "night.csv");
    assert_eq!(workspace(&window).memory().preset, Preset::Signal);
    press(&mut window, egui::Modifiers::COMMAND, "photo.png");
    press(&mut window, egui::Modifiers::COMMAND, "night.csv");
    // The other way leads to the one that was used longest ago.
    press(&mut window, egui::Modifiers::COMMAND | egui::Modifiers::SHIFT, "bits.csv");
    assert_eq!(workspace(&window).memory().preset, Preset::Logic);
}

#[test]
fn a_session_keeps_the_sources_and_older_ones_open() {
    let folder = tempfile::tempdir().unwrap();
    let files = files(folder.path());
    let mut first = small_window();
    drop_files(&mut first, &files);
    let path = folder.path().join("mine.json");
    save_session(workspace(&first).memory(), &path).unwrap();
    let titles = |memory: &Memory| memory.sources.open().iter().map(|source| source.origin.title()).collect::<Vec<_>>();
    let opened = window(Memory::default(), vec![path.clone()]);
    assert_eq!(titles(workspace(&opened).memory()), ["photo.png", "night.csv", "bits.csv"]);
    // The released format had the settings of every tab in its layout.
    let mut older: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let settings = older["window"]["settings"].clone();
    let mut other = settings.clone();
    other["origin"] = serde_json::json!({ "File": files[1] });
    older["window"].as_object_mut().unwrap().remove("sources");
    older["window"]["tabs"] = serde_json::json!({ "open": [settings, other], "shown": 0 });
    std::fs::write(&path, serde_json::to_vec(&older).unwrap()).unwrap();
    let memory = load_session(&path).unwrap();
    let mut names = titles(&memory);
    names.sort();
    assert_eq!(names, ["night.csv", "photo.png"]);
    assert_eq!(memory.sources.current().map(|source| source.origin.title()).as_deref(), Some("photo.png"));
}

#[test]
fn a_file_named_at_the_start_shows_in_its_layout_whatever_was_open() {
    let folder = tempfile::tempdir().unwrap();
    let [image, recording, _] = files(folder.path());
    for preset in [Preset::FlowGraph, Preset::Learn, Preset::Wavelet, Preset::Signal] {
        let (mut memory, image) = (Memory::of_preset(preset), image.clone());
        memory.sources.add(&[Origin::File(recording.clone())]);
        let window = super::window_of(move |ctx| Workspace::new(ctx, memory, vec![image]).opening(Opening::AtHome));
        assert_eq!((shown(&window).as_str(), workspace(&window).memory().preset), ("photo.png", Preset::Image), "{preset:?}");
    }
}

#[test]
fn a_lesson_named_at_the_start_stays_in_its_layout() {
    let lesson = PathBuf::from("the-butterfly.lesson#2");
    let window = super::window_of(move |ctx| Workspace::new(ctx, Memory::default(), vec![lesson]).opening(Opening::AtHome));
    assert_eq!(workspace(&window).memory().preset, Preset::Learn);
    assert!(says(&window, "2 of "));
}

#[test]
fn a_layout_that_is_asked_for_shows_what_it_can_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let [image, ..] = files(folder.path());
    // A layout that shows no image gives way.
    for (asked, is_shown_in) in [(Preset::Signal, Preset::Signal), (Preset::FlowGraph, Preset::FlowGraph), (Preset::Logic, Preset::Image)] {
        let (memory, image) = (Memory::of_preset(asked), image.clone());
        let window = super::window_of(move |ctx| Workspace::new(ctx, memory, vec![image]).opening(Opening::Here));
        assert_eq!((shown(&window).as_str(), workspace(&window).memory().preset), ("photo.png", is_shown_in), "{asked:?}");
        let signal = workspace(&window).report().unwrap().request.job.signal.clone();
        assert_eq!(signal.rows == 1, asked != Preset::Logic, "{asked:?}: a row or samples of one, and the whole image");
    }
}

#[test]
fn what_acts_on_a_file_is_offered_to_the_next_one_and_one_press_clears_it() {
    let folder = tempfile::tempdir().unwrap();
    let [image, ..] = files(folder.path());
    let other = folder.path().join("other.png");
    std::fs::copy(&image, &other).unwrap();
    let mut window = small_window();
    drop_files(&mut window, &[image]);
    click(&mut window, "Rectangle");
    settle(&mut window);
    let region = |window: &Window| workspace(window).memory().settings.preparation.region;
    let drawn = region(&window);
    assert!(drawn.is_some() && !says(&window, ", from photo.png"), "what was set here is no chip");
    drop_files(&mut window, &[other]);
    assert_eq!(region(&window), None, "it is not applied without being asked");
    let chip = "Region of 12 × 8, from photo.png";
    assert_eq!(window.query_all_by_label(chip).count(), 1, "it is offered in the status bar alone");
    let press = |window: &mut Window, name: &str| {
        window.run_steps(8);
        window.get_all_by_label(name).next().unwrap().click();
        window.run_steps(3);
        settle(window);
    };
    press(&mut window, &format!("Apply {chip}"));
    assert_eq!(region(&window), drawn);
    assert!(window.query_by_label(&format!("Apply {chip}")).is_none() && says(&window, chip), "it acts, and says where it comes from");
    press(&mut window, &format!("Clear {chip}"));
    assert_eq!(region(&window), None);
    assert!(!says(&window, ", from photo.png"));
    // Anything that acts when the program starts comes from an earlier run.
    let mut memory = workspace(&window).memory().clone();
    memory.settings.preparation.region = drawn;
    let window = super::window(memory, Vec::new());
    assert!(says(&window, "Region of 12 × 8, from an earlier run"));
}

#[test]
fn the_mask_of_a_sample_is_not_offered_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let [image, ..] = files(folder.path());
    let mut window = window(Memory::first(), Vec::new());
    let shapes = |window: &Window| workspace(window).memory().settings.filter.mask.shapes.len();
    assert_eq!(shapes(&window), 1, "the sample comes with a ring");
    drop_files(&mut window, &[image]);
    assert_eq!(shapes(&window), 0);
    assert!(!says(&window, "Mask of "));
}

#[test]
fn a_held_result_waits_for_another_file() {
    let folder = tempfile::tempdir().unwrap();
    let [_, recording, _] = files(folder.path());
    let other = folder.path().join("day.csv");
    std::fs::copy(&recording, &other).unwrap();
    let mut window = window(Memory::default(), vec![recording]);
    click(&mut window, "Hold the row");
    window.run_steps(3);
    assert!(window.query_by_label("Release").is_some());
    drop_files(&mut window, &[other]);
    let chip = "Held result, from night.csv";
    assert!(says(&window, chip) && window.query_by_label("Release").is_none(), "it does not act here");
    window.get_all_by_label(&format!("Apply {chip}")).next().unwrap().click();
    window.run_steps(4);
    assert!(window.query_by_label("Release").is_some() && says(&window, chip));
    window.get_all_by_label(&format!("Clear {chip}")).next().unwrap().click();
    window.run_steps(4);
    assert!(!says(&window, chip) && window.query_by_label("Hold the row").is_some());
}

#[test]
fn a_scheme_sets_the_polynomial_and_its_transform_from_either_pane() {
    let polynomial = Polynomial::default();
    let scheme_of = |window: &Window| {
        let report = workspace(window).report().unwrap();
        assert!(report.outcome().is_some(), "{}", workspace(window).message());
        (report.request.job.parameters.scheme, report.request.job.signal.columns)
    };
    let mut window = window(memory(Preset::Signal, Origin::Generator(Generator::Polynomial(polynomial)), "ntt"), Vec::new());
    let lists = |window: &Window| window.query_all_by_role_and_label(Role::ComboBox, "Scheme").count();
    assert_eq!(lists(&window), 2, "one in Source, and one in Transform");
    let layers = window.query_by_role_and_label(Role::SpinButton, "Layers");
    assert!(layers.is_none(), "no number stands where the scheme or the length tells it");
    for (list, entry, expected) in [(0, "Falcon-512", (Scheme::Falcon512, 512)), (1, "ML-DSA", (Scheme::MlDsa, 256))] {
        window.get_all_by_role_and_label(Role::ComboBox, "Scheme").nth(list).unwrap().click();
        window.run_steps(2);
        window.get_all_by_label(entry).last().unwrap().click();
        window.step();
        settle(&mut window);
        assert_eq!(scheme_of(&window), expected);
    }
}

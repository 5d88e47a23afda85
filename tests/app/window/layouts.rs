//! Layouts, commands, choices and files, which concern every pane.

use super::{Window, answer, choose, click, memory, run, set, settle, small_image, wait, window, workspace};
use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::Node;
use egui_kittest::kittest::Queryable as _;
use papillon::plan::Precision;
use papillon::transforms::{Base, RowOrder, linear_transforms};
use papillon::ui::{Command, Memory, Origin, Preset, Workspace};
use std::path::{Path, PathBuf};

/// The layout of the first start with a small image.
pub(super) fn small_window() -> Window {
    window(memory(Preset::Image, small_image(), "dft2"), Vec::new())
}

pub(super) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

#[test]
fn only_spectra_have_frequencies_and_a_middle() {
    let mut window = small_window();
    // The unit does not fit into the row beside the filtered image.
    click(&mut window, "More in Spectrum image");
    assert!(window.query_by_label("Centred").is_some() && window.query_by_label("Cycles per pixel").is_some());
    assert!(workspace(&window).report().unwrap().request.view.look.shifted);
    choose(&mut window, "Transform", "Walsh 2-D");
    assert!(window.query_by_label("Centred").is_none() && window.query_by_label("Cycles per pixel").is_none());
    assert!(!workspace(&window).report().unwrap().request.view.look.shifted, "coefficients stand where the transform puts them");
}

#[test]
fn the_first_start_shows_image_and_spectrum_and_the_drawer_the_rest() {
    let mut window = window(Memory::default(), Vec::new());
    let report = workspace(&window).report().unwrap();
    assert!(report.image.is_some() && report.source.is_some() && report.line.is_none(), "what is visible is requested and computed");
    for name in ["Source image", "Spectrum image"] {
        let rect = window.get_by_role_and_label(Role::Image, name).rect();
        assert!(rect.width() > 100.0 && rect.height() > 60.0, "{name} is visible: {rect:?}");
    }
    let hero = window.get_by_role_and_label(Role::Image, "Spectrum image").rect();
    run(&mut window, Command::ToggleDrawer);
    settle(&mut window);
    assert!(window.query_by_label_contains("Parts of the newest run").is_some());
    assert!(window.query_by_label_contains("Spectrum plot, ").is_some());
    assert!(window.get_by_role_and_label(Role::Image, "Spectrum image").rect().height() < hero.height());
    // The first one is the button of the layout.
    window.get_all_by_label("Flow graph").last().unwrap().click();
    window.run_steps(8);
    assert!(window.query_by_label_contains("Flow graph, ").is_some());
    assert!(window.query_by_label_contains("512 × 512 px · ").is_some(), "the status bar says what was computed");
}

#[test]
fn every_algorithm_of_the_table_can_be_chosen() {
    let mut window = small_window();
    for transform in linear_transforms() {
        choose(&mut window, "Transform", transform.title);
        for algorithm in transform.algorithms {
            choose(&mut window, "Algorithm", algorithm.name);
            let outcome = workspace(&window).report().unwrap().outcome().unwrap().clone();
            assert_eq!(outcome.algorithm, algorithm.name);
        }
        choose(&mut window, "Algorithm", "Automatic");
    }
}

#[test]
fn double_precision_is_computed_on_a_gpu_that_has_it() {
    let mut window = small_window();
    choose(&mut window, "Device", "GPU");
    for (label, precision, most) in [("Single", Precision::Single, 1e-5), ("Double", Precision::Double, 1e-14)] {
        click(&mut window, label);
        settle(&mut window);
        let done = |window: &Window| workspace(window).report().and_then(|report| report.outcome()?.error).is_some();
        wait(&mut window, "the error is not checked", done);
        let report = workspace(&window).report().unwrap();
        let outcome = report.outcome().unwrap();
        assert_eq!(outcome.precision, precision);
        assert!(outcome.error.unwrap() < most && report.image.is_some(), "{label}: error {:?}", outcome.error);
    }
    assert!(window.query_by_label_contains("complex, double precision").is_some());
}

#[test]
fn parameters_of_a_transform_change_its_result() {
    let mut window = small_window();
    let parameters = |window: &Window| workspace(window).report().unwrap().request.job.parameters;
    choose(&mut window, "Transform", "Walsh 2-D");
    assert!(window.query_by_label("Orthonormal").is_none() && window.query_by_label("Matrix a").is_none());
    click(&mut window, "Sequency");
    settle(&mut window);
    assert_eq!(parameters(&window).order, RowOrder::Sequency);
    choose(&mut window, "Transform", "Haar");
    click(&mut window, "Orthonormal");
    settle(&mut window);
    assert!(parameters(&window).normalized && window.query_by_label("Sequency").is_none());
    choose(&mut window, "Transform", "Kronecker");
    set(&mut window, "Matrix d", 3.0);
    settle(&mut window);
    assert_eq!(parameters(&window).matrix, Base([1.0, 1.0, 1.0, 3.0]));
    let outcome = workspace(&window).report().unwrap().outcome().unwrap().clone();
    assert!(outcome.reason.contains("exact, in integers of 32 bits"), "{}", outcome.reason);
}

#[test]
fn the_device_is_chosen_and_named() {
    let mut window = small_window();
    for (choice, name) in
        [("CPU, one thread", "CPU, 1 thread"), ("CPU, strided loops", "CPU, 1 thread, strided loops"), ("CPU, all cores", "CPU, ")]
    {
        choose(&mut window, "Device", choice);
        assert!(workspace(&window).report().unwrap().outcome().unwrap().device.starts_with(name));
    }
    choose(&mut window, "Device", "GPU");
    let outcome = workspace(&window).report().unwrap().outcome().unwrap().clone();
    assert!(!outcome.device.starts_with("CPU, "), "{}", outcome.device);
    assert!(window.query_by_label(&outcome.device).is_some(), "the chip names the device");
}

#[test]
fn a_slider_of_a_generator_changes_the_report() {
    let mut window = small_window();
    let before = workspace(&window).report().unwrap().clone();
    set(&mut window, "Square", 4.0);
    settle(&mut window);
    let after = workspace(&window).report().unwrap().clone();
    assert!(before.request.job != after.request.job, "another signal is transformed");
    assert_ne!(before.image.as_ref().unwrap().rgba, after.image.as_ref().unwrap().rgba);
}

#[test]
fn every_command_runs() {
    let mut window = small_window();
    // These open a dialog or use the clipboard or the microphone, which a test does not have.
    let outside = [
        Command::Open,
        Command::Record,
        Command::OpenSession,
        Command::SaveSession,
        Command::SaveSessionAs,
        Command::ExportView,
        Command::ExportValues,
        Command::CopyView,
        Command::Paste,
    ];
    for command in Command::all().filter(|command| !outside.contains(command)) {
        run(&mut window, command);
        window.step();
        if [Command::Palette, Command::Help].contains(&command) {
            run(&mut window, Command::Cancel);
        }
    }
    settle(&mut window);
}

#[test]
fn every_command_is_in_the_menu_and_in_the_palette() {
    let mut window = small_window();
    let mut listed = Vec::new();
    for menu in ["File", "Edit", "Layout", "Lesson", "View", "Run", "Help"] {
        click(&mut window, "All commands");
        click(&mut window, menu);
        window.run_steps(2);
        listed.extend(Command::all().filter(|command| window.query_all_by_label_contains(command.text()).next().is_some()));
        window.key_press(Key::Escape);
        window.run_steps(2);
        assert!(window.query_by_label("Edit").is_none(), "Escape closes the menu");
    }
    assert!(Command::all().all(|command| listed.contains(&command)), "a command is in no menu");
    window.key_press(Key::Escape);
    window.step();
    window.key_press_modifiers(Modifiers::COMMAND, Key::K);
    window.step();
    window.step();
    window.get_by_label("Search commands").type_text("reslay");
    window.step();
    window.step();
    assert!(window.query_all_by_label_contains("Reset layout").next().is_some());
    assert!(window.query_by_label("Step back").is_none() || window.query_by_label("Undo").is_none(), "the others are filtered out");
}

#[test]
fn presets_and_themes_change_by_a_click_and_the_layout_comes_back() {
    let mut window = small_window();
    for (preset, name) in
        [(Preset::Signal, "Signal"), (Preset::FlowGraph, "Flow graph"), (Preset::Benchmark, "Benchmark"), (Preset::Image, "Image")]
    {
        let tab: Node<'_> = window.get_all_by_label(name).next().unwrap();
        tab.click();
        window.step();
        settle(&mut window);
        assert_eq!(workspace(&window).memory().preset, preset);
    }
    let before = window.ctx.theme();
    click(&mut window, "Switch theme");
    assert_ne!(window.ctx.theme(), before);
    window.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::R);
    settle(&mut window);
    let shown = |workspace: &Workspace| workspace.memory().tree.active_tiles().len();
    assert_eq!(shown(workspace(&window)), Preset::Image.tree().active_tiles().len());
    assert!(!workspace(&window).memory().rearranged);
}

#[test]
fn a_bad_file_gives_one_line_and_the_signal_stays() {
    let folder = tempfile::tempdir().unwrap();
    let bad = folder.path().join("bad.png");
    std::fs::write(&bad, b"\x89PNG\r\n\x1a\nnothing more").unwrap();
    let mut window = small_window();
    let before = workspace(&window).report().unwrap().request.job.clone();
    window.input_mut().dropped_files.push(std::sync::Arc::new(Dropped(bad)));
    wait(&mut window, "the error is shown", |window| workspace(window).message().contains("bad.png"));
    assert_eq!(workspace(&window).message().lines().count(), 1);
    settle(&mut window);
    assert!(workspace(&window).report().unwrap().request.job == before, "the old signal stays");
}

#[derive(Debug)]
pub(crate) struct Dropped(pub(crate) PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

#[test]
fn files_show_their_spectrum_and_bring_their_layout() {
    let mut window = window(Memory::default(), vec![fixture("gray8.png")]);
    let job = workspace(&window).report().unwrap().request.job.clone();
    assert_eq!((job.transform, job.signal.name.as_str()), ("dft2", "gray8.png"));
    assert!(workspace(&window).report().unwrap().outcome().is_some());
    window.input_mut().dropped_files.push(std::sync::Arc::new(Dropped(fixture("pcm16.wav"))));
    wait(&mut window, "the recording is opened", |window| {
        workspace(window).report().is_some_and(|report| report.request.job.signal.name == "pcm16.wav")
    });
    settle(&mut window);
    let report = workspace(&window).report().unwrap().clone();
    assert_eq!(report.request.job.transform, "dft", "a signal is transformed along its samples");
    assert_eq!(workspace(&window).memory().preset, Preset::Signal);
    assert_eq!(workspace(&window).memory().settings.result_look().line.unit, papillon::ui::FrequencyUnit::Hertz);
    assert_eq!(workspace(&window).memory().recent, [fixture("pcm16.wav"), fixture("gray8.png")]);
}

#[test]
fn numbers_are_pasted_as_a_signal() {
    let mut window = small_window();
    window.event(egui::Event::Paste("1\n-1\n1\n-1\n".into()));
    wait(&mut window, "the numbers are transformed", |window| {
        workspace(window).report().is_some_and(|report| report.request.job.signal.columns == 4)
    });
    settle(&mut window);
    let line = workspace(&window).report().unwrap().line.clone().unwrap();
    assert_eq!(line.n, 4);
    assert_eq!(line.peaks[0].0, 2.0, "all power is at the highest frequency, the last one of a one-sided spectrum");
}

#[test]
fn settings_are_undone_and_redone() {
    let mut window = small_window();
    // Settings that stay for a second become a point of the undo history.
    window.run_steps(8);
    choose(&mut window, "Algorithm", "cooley-tukey");
    window.run_steps(8);
    assert_eq!(workspace(&window).memory().settings.algorithm.as_deref(), Some("cooley-tukey"));
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    settle(&mut window);
    assert_eq!(workspace(&window).memory().settings.algorithm, None);
    window.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    settle(&mut window);
    assert_eq!(workspace(&window).memory().settings.algorithm.as_deref(), Some("cooley-tukey"));
}

#[test]
fn the_memory_is_read_back() {
    let window = small_window();
    let memory = workspace(&window).memory().clone();
    let text = serde_json::to_string(&memory).unwrap();
    let read: Memory = serde_json::from_str(&text).unwrap();
    assert_eq!(read.settings, memory.settings);
    assert_eq!(read.tree, memory.tree);
}

#[test]
fn the_window_is_drawn_without_a_display() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("window.png");
    let snapshot = papillon::ui::Snapshot {
        preset: Preset::Image,
        size: [800, 500],
        theme: egui::Theme::Light,
        files: vec![fixture("gray8.png")],
        raw: None,
        lesson: None,
        session: None,
        with_times: false,
    };
    papillon::ui::snapshot(&snapshot, &out).unwrap();
    let image = papillon::signal::load(&out).unwrap();
    assert_eq!((image.rows, image.columns), (500, 800));
    let (low, high) = image.min_max(papillon::signal::ChannelChoice::Luma).unwrap().unwrap();
    assert!(low < 60.0 && high > 200.0, "the image shows something: {low} to {high}");
}

#[test]
fn the_candidates_show_their_times_once_they_are_measured() {
    let mut window = small_window();
    choose(&mut window, "Device", "GPU");
    window.get_by_label("Candidates").scroll_to_me();
    window.run_steps(40);
    window.get_by_label("Candidates").click();
    window.run_steps(20);
    assert!(window.query_all_by_label_contains("(estimate)").next().is_some(), "they are estimated before");
    assert!(window.query_by_label("Measure").is_some());
    run(&mut window, Command::Measure);
    let outcome = |window: &Window| workspace(window).report().and_then(|report| report.outcome().cloned());
    wait(&mut window, "no algorithm is measured", |window| outcome(window).is_some_and(|outcome| outcome.reason.contains("measured")));
    window.run_steps(2);
    let n_measured = window.query_all_by_label_contains(" measured").count();
    assert!(n_measured >= 2, "{n_measured} times are shown");
}

#[test]
fn columns_are_transformed_and_one_of_them_is_plotted() {
    let mut window = window(memory(Preset::Signal, Origin::default(), "dft"), Vec::new());
    window.event(egui::Event::Paste("1,1,0\n0,1,1\n0,1,2\n0,1,3\n".into()));
    wait(&mut window, "the table is opened", |window| {
        workspace(window).report().is_some_and(|report| report.request.job.signal.columns == 3)
    });
    settle(&mut window);
    choose(&mut window, "Transform", "Fourier (DFT)");
    assert!(window.query_by_label_contains("Spectrum plot, 2 values").is_some(), "from 0 to half the sampling rate");
    click(&mut window, "Columns");
    settle(&mut window);
    set(&mut window, "Row of the spectrum", 1.0);
    settle(&mut window);
    assert!(window.query_by_label_contains("Spectrum plot, 3 values").is_some(), "a column has four values, of which one is a mirror");
    let report = workspace(&window).report().unwrap().clone();
    let sums: Vec<f64> = report.line.as_ref().unwrap().columns.iter().map(|column| column[1]).collect();
    let largest = sums.iter().copied().fold(0.0, f64::max);
    assert_eq!(sums.iter().filter(|value| **value == largest).count(), 1, "the column of ones has one value other than 0: {sums:?}");
    choose(&mut window, "Transform", "Walsh");
    assert!(workspace(&window).report().unwrap().outcome().is_some());
    choose(&mut window, "Transform", "CDF 9/7");
    assert!(window.query_by_label("Columns").is_none() && workspace(&window).report().unwrap().outcome().is_some());
}

#[test]
fn a_session_is_saved_opened_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.json");
    let mut memory = memory(Preset::FlowGraph, Origin::File(fixture("gray8.png")), "dft2");
    memory.settings.algorithm = Some("bluestein".into());
    memory.theme = egui::ThemePreference::Light;
    let mut first = super::window_of(move |ctx| Workspace::new(ctx, memory, Vec::new()).prompting_always());
    first.key_press_modifiers(Modifiers::COMMAND, Key::S);
    first.step();
    answer(&mut first, path.to_str().unwrap());
    wait(&mut first, "no file is written", |window| workspace(window).message().starts_with("Wrote"));
    let saved = workspace(&first).memory().clone();
    let mut other = super::window_of(|ctx| Workspace::new(ctx, Memory::default(), Vec::new()).prompting_always());
    other.key_press_modifiers(Modifiers::COMMAND | Modifiers::ALT, Key::O);
    other.step();
    answer(&mut other, path.to_str().unwrap());
    wait(&mut other, "no session is opened", |window| workspace(window).memory().settings.algorithm.is_some());
    settle(&mut other);
    let opened = workspace(&other).memory();
    assert_eq!((&opened.settings, opened.preset, &opened.tree), (&saved.settings, saved.preset, &saved.tree));
    assert_eq!(other.ctx.theme(), egui::Theme::Light);
    assert_eq!(workspace(&other).report().unwrap().outcome().unwrap().algorithm, "bluestein");
}

#[test]
fn a_session_cannot_hold_a_pasted_signal() {
    let mut memory = Memory::default();
    memory.settings.origin = Origin::Pasted(1);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pasted.json");
    assert!(papillon::ui::save_session(&memory, &path).unwrap_err().to_string().contains("pasted"));
    assert!(!path.exists());
}

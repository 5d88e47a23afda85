//! The window as a person uses it, found by its accessible names.

mod aloud;
mod boxes;
mod coefficients;
mod convolution;
mod exports;
mod filtered;
mod first_start;
mod flow_graph;
mod fluid;
mod focus;
mod gestures;
mod hands;
mod images;
mod jobs;
mod kernel;
mod layouts;
mod learn;
mod loading;
mod logic;
mod matrix;
mod measure;
mod measured;
mod memory;
mod mouse;
mod papers;
mod prepare;
mod recordings;
mod said;
mod screens;
mod second_graph;
mod soak;
mod sources;
mod spectra;
mod spectrogram;
mod stale;
mod state;
mod steps;
mod stillness;
mod store;
mod streams;
mod system;
mod tables;
mod timing;
mod units;
mod wavelet;
mod waves;

use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use egui_kittest::{Harness, HarnessBuilder, Node};
use papillon::signal::generate::{GENERATORS, Generator};
use papillon::ui::{Command, Memory, Origin, Preset, Workspace};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Every test gets a result within this time on a machine that works.
const PATIENCE: Duration = Duration::from_secs(120);

type Window = Harness<'static, Option<Workspace>>;

/// A window of 1280 × 800 points that has come to rest.
fn window(memory: Memory, files: Vec<PathBuf>) -> Window {
    window_of(move |ctx| Workspace::new(ctx, memory, files))
}

/// A window around a workspace, come to rest.
fn window_of(make: impl FnOnce(&egui::Context) -> Workspace + 'static) -> Window {
    window_in(Harness::builder(), make)
}

/// A window in a harness of its own.
fn window_in(harness: HarnessBuilder<Option<Workspace>>, make: impl FnOnce(&egui::Context) -> Workspace + 'static) -> Window {
    let mut make = Some(make);
    let mut window = harness.with_size(egui::vec2(1280.0, 800.0)).build_ui_state(
        move |ui, workspace: &mut Option<Workspace>| {
            if let Some(make) = make.take() {
                // Fonts are there from the next frame on.
                *workspace = Some(make(ui.ctx()));
                return;
            }
            let workspace = workspace.as_mut().unwrap();
            workspace.logic(&ui.ctx().clone());
            workspace.ui(ui);
        },
        None,
    );
    settle(&mut window);
    window
}

/// The memory of a window with a preset and a signal.
fn memory(preset: Preset, origin: Origin, transform: &str) -> Memory {
    let mut memory = Memory { preset, tree: preset.tree(), ..Memory::default() };
    (memory.settings.origin, memory.settings.transform) = (origin, transform.into());
    memory
}

/// A checkerboard of 32 × 32, so that the tests are quick.
fn small_image() -> Origin {
    let entry = GENERATORS.iter().find(|entry| entry.name == "Checkerboard").unwrap();
    let Generator::Checkerboard(mut board) = (entry.default)() else { unreachable!() };
    (board.rows, board.columns) = (32, 32);
    Origin::Generator(Generator::Checkerboard(board))
}

fn workspace(window: &Window) -> &Workspace {
    window.state().as_ref().unwrap()
}

/// Runs frames until `done`, or fails with `what`.
fn wait(window: &mut Window, what: &str, done: impl Fn(&Window) -> bool) {
    let deadline = Instant::now() + PATIENCE;
    loop {
        window.step();
        if done(window) {
            return;
        }
        assert!(Instant::now() < deadline, "{what}; the last message is “{}”", workspace(window).message());
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Runs frames until everything that is set is computed and shown.
fn settle(window: &mut Window) {
    window.step();
    wait(window, "the window does not come to rest", |window| workspace(window).is_settled());
    window.run_steps(3);
}

/// Whether a label in the window contains these words.
fn says(window: &Window, words: &str) -> bool {
    window.query_all_by_label_contains(words).next().is_some()
}

/// Types into the prompt of the window.
fn answer(window: &mut Window, text: &str) {
    wait(window, "the prompt does not open", |window| window.query_by_label("Path of the file").is_some());
    window.run_steps(3);
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    window.step();
    window.get_by_label("Path of the file").type_text(text);
    window.run_steps(2);
    window.key_press(egui::Key::Enter);
}

/// Frames between two clicks that are not a double click: a frame of a test takes a quarter of a second.
const APART: usize = 3;

/// Clicks the control with a label.
fn click(window: &mut Window, label: &str) {
    // Two clicks in a row would be a double click.
    window.run_steps(APART);
    window.get_by_label(label).click();
    window.run_steps(3);
}

/// Runs a command.
fn run(window: &mut Window, command: Command) {
    let ctx = window.ctx.clone();
    window.state_mut().as_mut().unwrap().run(&ctx, command);
    window.step();
}

/// Sets the number of a field.
fn set(window: &mut Window, label: &str, value: f64) {
    window.get_by_role_and_label(Role::SpinButton, label).set_value_accesskit(value);
    window.run_steps(2);
}

/// Types a text into the field of a number.
fn enter(window: &mut Window, label: &str, text: &str) {
    window.get_by_role_and_label(Role::SpinButton, label).focus();
    window.run_steps(2);
    window.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    window.run_steps(2);
    window.event(egui::Event::Text(text.to_owned()));
    window.run_steps(2);
    window.key_press(egui::Key::Enter);
    settle(window);
}

/// Chooses an entry from a list that opens.
fn choose(window: &mut Window, list: &str, entry: &str) {
    pick(window, list, entry);
    settle(window);
}

/// As [`choose`], without waiting for what follows.
fn pick(window: &mut Window, list: &str, entry: &str) {
    fn item<'a>(window: &'a Window, entry: &'a str) -> Node<'a> {
        window.get_all_by_label(entry).last().unwrap()
    }
    window.get_by_role_and_label(Role::ComboBox, list).click();
    window.run_steps(2);
    item(window, entry).scroll_to_me();
    // A long list begins to scroll a frame later; a moving entry cannot be clicked.
    let mut place = None;
    while place != Some(item(window, entry).rect()) {
        place = Some(item(window, entry).rect());
        window.run_steps(4);
    }
    item(window, entry).click();
    window.step();
}

//! Convolutions in the window: the autocorrelation of a signal, and a second signal.

use super::layouts::Dropped;
use super::{Window, choose, click, memory, says, settle, wait, workspace};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use papillon::signal::generate::{Boolean, Generator, Impulse};
use papillon::ui::{Memory, Origin, Preset, SecondOrigin};

fn function(text: &str) -> Origin {
    Origin::Generator(Generator::Boolean(Boolean { text: text.into() }))
}

fn impulse(length: usize, position: usize) -> Origin {
    Origin::Generator(Generator::Impulse(Impulse { length, position, height: 1.0 }))
}

/// A window with the preset *Signal*.
fn window(origin: Origin, transform: &str, second: SecondOrigin) -> Window {
    let mut memory = memory(Preset::Signal, origin, transform);
    memory.settings.second = second;
    super::window(memory, Vec::new())
}

/// The accessible name of the plot of the result.
fn plot(window: &Window) -> String {
    let node = window.get_by_label_contains("Spectrum plot");
    egui_kittest::kittest::NodeT::accesskit_node(&node).label().unwrap_or_default()
}

#[test]
fn the_autocorrelation_of_a_bent_function_is_an_impulse() {
    let mut window = window(function("x1x2 ^ x3x4 signs"), "dft", SecondOrigin::Itself);
    choose(&mut window, "Transform", "Dyadic autocorrelation");
    assert_eq!(plot(&window), "Spectrum plot, 16 values, largest 16 at 0 shift t (XOR)");
    assert!(says(&window, "Flow graph, dyadic-autocorrelation, convolution-theorem, 16 lanes, 10 stages"));
    assert!(window.query_by_label("Inverse").is_none(), "a product has no inverse");
    assert!(!says(&window, "Second signal"), "there is one signal");
    let outcome = workspace(&window).report().unwrap().outcome().unwrap().clone();
    assert!(outcome.reason.contains("exact, in integers of"), "{}", outcome.reason);
    assert!(says(&window, "Launch 1"), "it is timed");
    choose(&mut window, "Transform", "Cyclic autocorrelation");
    assert_eq!(plot(&window), "Spectrum plot, 16 values, largest 16 at 0 lag t");
    choose(&mut window, "Transform", "Fourier (DFT)");
    assert!(plot(&window).contains("cycles per sample"), "the look of spectra has not changed: {}", plot(&window));
}

#[test]
fn a_second_signal_is_chosen_typed_and_undone() {
    let mut window = window(impulse(16, 3), "dft", SecondOrigin::Itself);
    choose(&mut window, "Transform", "Dyadic convolution");
    // An impulse at 3 and itself differ in no bit.
    assert_eq!(plot(&window), "Spectrum plot, 16 values, largest 1 at 0 shift t (XOR)");
    assert!(says(&window, "Flow graph, dyadic-convolution, convolution-theorem, 32 lanes"));
    window.run_steps(8);
    choose(&mut window, "Second signal", "Square wave");
    settle(&mut window);
    assert!(says(&window, "Second signal plot, 16 values"), "it is as long as the first one");
    choose(&mut window, "Second signal", "Boolean function");
    let field = window.get_by_label("Second Boolean function");
    field.focus();
    window.step();
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.step();
    window.get_by_label("Second Boolean function").type_text("m(5) n=4");
    window.run_steps(2);
    settle(&mut window);
    assert_eq!(plot(&window), "Spectrum plot, 16 values, largest 1 at 6 shift t (XOR)", "3 XOR 5");
    choose(&mut window, "Transform", "Cyclic convolution");
    assert!(plot(&window).ends_with("at 8 shift t"), "3 + 5: {}", plot(&window));
    let memory = workspace(&window).memory().clone();
    let again: Memory = serde_json::from_str(&serde_json::to_string(&memory).unwrap()).unwrap();
    let again = super::window(again, Vec::new());
    assert!(plot(&again).ends_with("at 8 shift t"), "it is remembered: {}", plot(&again));
    window.run_steps(8);
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    settle(&mut window);
    assert!(plot(&window).ends_with("at 6 shift t (XOR)"), "it is undone: {}", plot(&window));
}

#[test]
fn an_unsuitable_second_signal_is_explained() {
    let told = |window: &Window| {
        let error = workspace(window).report().unwrap().error().map(ToString::to_string).unwrap_or_default();
        let (_, problem) = error.split_once(' ').unwrap();
        assert!(!error.contains('\n') && says(window, problem), "{error}");
        error
    };
    let mut differ = window(impulse(16, 3), "cyclic-convolution", SecondOrigin::Other(impulse(8, 3)));
    assert!(told(&differ).contains("Impulse has 1 × 8 values and Impulse has 1 × 16: take a second signal of the same size"));
    choose(&mut differ, "Second signal", "Chirp");
    assert!(workspace(&differ).report().unwrap().outcome().is_some(), "a generator is as long as the first signal");
    let mut odd = window(impulse(16, 3), "dyadic-autocorrelation", SecondOrigin::Itself);
    odd.event(egui::Event::Paste("1\n2\n3\n".into()));
    wait(&mut odd, "the numbers are taken", |window| workspace(window).report().unwrap().request.job.signal.columns == 3);
    settle(&mut odd);
    assert!(told(&odd).contains("3 is no power of two") && says(&odd, "crop or pad the input to 4 samples"));
    choose(&mut odd, "Transform", "Cyclic autocorrelation");
    assert_eq!(plot(&odd), "Spectrum plot, 3 values, largest 14 at 0 lag t", "that takes any length");
}

#[test]
fn two_files_are_dropped_and_a_bad_file_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        std::sync::Arc::new(Dropped(path))
    };
    let mut window = window(impulse(4, 0), "dyadic-convolution", SecondOrigin::Itself);
    let (f, g) = (file("f.csv", "1\n0\n1\n1\n"), file("g.csv", "0\n1\n0\n1\n"));
    window.input_mut().dropped_files.extend([f as _, g as _]);
    wait(&mut window, "both are opened", |window| {
        let job = &workspace(window).report().unwrap().request.job;
        let second = job.second.as_ref().map(|second| second.name.clone());
        (job.signal.name.as_str(), second.as_deref()) == ("f.csv", Some("g.csv"))
    });
    settle(&mut window);
    // Example 3 of Gajić and Stanković 2012.
    let report = workspace(&window).report().unwrap().clone();
    let values: Vec<f64> = report.line.as_ref().unwrap().columns.iter().map(|column| column[1]).collect();
    assert_eq!(values, [1.0, 2.0, 1.0, 2.0]);
    window.run_steps(8);
    let (f, bad) = (file("f.csv", "1\n0\n1\n1\n"), file("bad.npy", "no array"));
    window.input_mut().dropped_files.extend([f as _, bad as _]);
    wait(&mut window, "the error is said", |window| workspace(window).message().contains("bad.npy"));
    settle(&mut window);
    assert!(workspace(&window).report().unwrap().outcome().is_some(), "the second signal that was there stays");
}

#[test]
fn transforms_are_found_in_the_palette() {
    let mut window = window(impulse(16, 3), "dft", SecondOrigin::Itself);
    window.key_press_modifiers(Modifiers::COMMAND, Key::K);
    window.run_steps(2);
    window.get_by_label("Search commands").type_text("cyclauto");
    window.run_steps(2);
    click(&mut window, "Cyclic autocorrelation transform");
    settle(&mut window);
    assert_eq!(workspace(&window).report().unwrap().request.job.transform, "cyclic-autocorrelation");
}

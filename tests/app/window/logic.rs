//! The pane *Logic*: typing a Boolean function, its properties and their reasons, flipping bits.

use super::{Window, click, run, settle, wait, workspace};
use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use papillon::signal::Samples;
use papillon::signal::generate::{Boolean, Generator};
use papillon::ui::{LogicTab, Memory, Origin, Preset, TruthLook};

/// A window with the preset *Logic* and a function.
fn window(text: &str, set: impl FnOnce(&mut Memory)) -> Window {
    let mut memory = super::memory(Preset::Logic, Origin::Generator(Generator::Boolean(Boolean { text: text.into() })), "walsh");
    set(&mut memory);
    super::window(memory, Vec::new())
}

fn text(window: &Window) -> String {
    match &workspace(window).memory().settings.origin {
        Origin::Generator(Generator::Boolean(function)) => function.text.clone(),
        other => panic!("{other:?} is no function"),
    }
}

/// The samples that were transformed last.
fn samples(window: &Window) -> Samples {
    workspace(window).report().unwrap().request.job.signal.channels[0].samples.clone()
}

/// Replaces the text in the field of the function.
fn type_function(window: &mut Window, typed: &str) {
    let field = window.get_by_label("Boolean function");
    field.focus();
    window.step();
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.step();
    window.get_by_label("Boolean function").type_text(typed);
    window.run_steps(2);
}

#[test]
fn a_typed_function_updates_the_window() {
    let mut window = window("x1 & x2", |_| {});
    assert_eq!(samples(&window), Samples::U8(vec![0, 0, 0, 1]));
    type_function(&mut window, "x1 ^ x2");
    settle(&mut window);
    assert_eq!(samples(&window), Samples::U8(vec![0, 1, 1, 0]));
    assert!(window.query_by_label("f(1) = 1").is_some() && window.query_by_label("f(3) = 0").is_some());
}

#[test]
fn a_typing_error_is_explained_and_changes_nothing() {
    let mut window = window("x1 & x2", |_| {});
    for (typed, word) in [("x1 & ) x2", "column 6"), ("101010101010", "the table has 12 values"), ("x1 & x40", "2^40")] {
        type_function(&mut window, typed);
        assert!(window.query_by_label_contains(word).is_some(), "{typed} is not explained");
        settle(&mut window);
        assert_eq!((text(&window).as_str(), samples(&window)), ("x1 & x2", Samples::U8(vec![0, 0, 0, 1])));
    }
}

#[test]
fn a_click_flips_a_value_and_undo_flips_it_back() {
    let mut window = window("x1x2 ^ x3x4", |_| {});
    assert!(window.query_by_label_contains("All 16 values").is_none(), "reasons come on hover");
    click(&mut window, "f(5) = 0");
    settle(&mut window);
    assert_eq!(text(&window), "x1x2 ^ x3x4 flip=5");
    assert!(window.query_by_label("f(5) = 1").is_some() && window.query_by_label_contains("1 value flipped").is_some());
    window.run_steps(8);
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    settle(&mut window);
    assert_eq!(text(&window), "x1x2 ^ x3x4");
    assert!(window.query_by_label("f(5) = 0").is_some());
}

#[test]
fn many_values_come_in_parts_and_can_be_coded_as_signs() {
    let mut window = window("parity(17)", |memory| memory.settings.truth = TruthLook::List);
    assert!(window.query_by_label("f(1) = 1").is_some() && window.query_by_label("Part of the truth table").is_some());
    click(&mut window, "1, −1");
    settle(&mut window);
    assert_eq!(text(&window), "parity(17) signs");
    assert!(matches!(samples(&window), Samples::I32(values) if values[..4] == [1, -1, -1, 1]));
}

#[test]
fn output_bits_of_a_box_are_chosen() {
    let mut window = window("present", |_| {});
    window.get_by_role_and_label(Role::CheckBox, "Output bit 2").click();
    window.step();
    settle(&mut window);
    assert_eq!(text(&window), "present mask=0x5");
}

#[test]
fn the_properties_explain_why_the_function_is_bent() {
    let mut window = window("x1x2 ^ x3x4", |_| {});
    for shown in ["Nonlinearity", "Bent", "Correlation immunity", "Absolute indicator", "x1x2 ⊕ x3x4", "x1x2 + x3x4 − 2·x1x2x3x4"] {
        assert!(window.query_by_label(shown).is_some(), "no {shown}");
    }
    window.get_by_label("Bent").hover();
    window.run_steps(60);
    assert!(window.query_by_label_contains("All 16 values of the Walsh spectrum are ±4").is_some(), "the reason is missing");
    click(&mut window, "f(0) = 0");
    settle(&mut window);
    window.get_by_label("Bent").hover();
    window.run_steps(60);
    assert!(window.query_by_label_contains("a bent function has 4 everywhere").is_some(), "the reason has changed");
}

#[test]
fn spectra_and_tables_are_shown_with_exact_integers() {
    let mut spectra = window("majority(3)", |memory| memory.settings.logic.tab = LogicTab::Spectra);
    for value in ["spectrum value 1: 4", "spectrum value 7: -4"] {
        assert!(spectra.query_by_label(value).is_some(), "no {value}");
    }
    assert!(spectra.query_by_label_contains("Logic spectrum plot, 8 values").is_some());
    spectra.run_steps(2);
    let tables = window("present", |memory| memory.settings.logic.tab = LogicTab::Tables);
    let map = tables.get_by_label("Linear approximation table, 16 × 16, 256 entries shown");
    assert!(map.accesskit_node().bounding_box().is_some_and(|rect| rect.width() > 100.0));
    let filtered = window("present", |memory| {
        memory.settings.logic.tab = LogicTab::Tables;
        memory.settings.logic.least = 4;
    });
    // 36 entries of magnitude 4, and the entry of the two empty masks.
    assert!(filtered.query_by_label("Linear approximation table, 16 × 16, 37 entries shown").is_some());
}

#[test]
fn a_signal_that_is_no_function_offers_one() {
    let mut window = window("x1", |memory| memory.settings.origin = Origin::default());
    assert!(window.query_by_label_contains("is no Boolean function").is_some());
    click(&mut window, "Start with a bent function");
    settle(&mut window);
    assert_eq!(text(&window), "x1x2 ^ x3x4");
    assert!(window.query_by_label("Nonlinearity").is_some());
}

#[test]
fn an_output_of_a_pla_file_becomes_a_text_when_a_value_is_flipped() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/full-adder.pla");
    let mut window = window("x1", |memory| (memory.settings.origin, memory.settings.transform) = (Origin::File(path), "dft".into()));
    assert_eq!(workspace(&window).report().unwrap().request.job.transform, "walsh");
    assert!(window.query_by_label("x1 ⊕ x2 ⊕ x3").is_some(), "the sum is studied");
    click(&mut window, "f(0) = 0");
    settle(&mut window);
    assert_eq!(text(&window), "0x69 flip=0");
}

#[test]
fn the_preset_brings_a_function_where_there_is_none() {
    let mut window = window("x1", |memory| {
        memory.settings.origin = Origin::default();
        (memory.preset, memory.tree) = (Preset::Image, Preset::Image.tree());
    });
    run(&mut window, papillon::ui::Command::Preset(Preset::Logic));
    settle(&mut window);
    assert_eq!((text(&window).as_str(), workspace(&window).memory().preset), ("x1x2 ^ x3x4", Preset::Logic));
}

#[test]
fn a_table_of_values_is_a_box_whose_components_can_be_studied() {
    let mut window = window("x1", |_| {});
    window.event(egui::Event::Paste("12\n5\n6\n11\n9\n0\n10\n13\n3\n14\n15\n8\n4\n7\n1\n2\n".into()));
    wait(&mut window, "the numbers are taken", |window| workspace(window).report().unwrap().request.job.signal.columns == 16);
    settle(&mut window);
    click(&mut window, "Study a component");
    settle(&mut window);
    assert_eq!(text(&window), "sbox(0xc 5 6 b 9 0 a d 3 e f 8 4 7 1 2) mask=0x1");
    assert!(window.query_by_label("Output bit 3").is_some());
}

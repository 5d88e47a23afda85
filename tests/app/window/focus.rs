//! The window without a mouse.

use super::layouts::small_window;
use super::{Window, choose, run, settle, workspace};
use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use papillon::ui::{Command, Memory, Preset, Workspace};

fn focused(window: &Window) -> String {
    let node = window.root().children_recursive().find(|node| node.accesskit_node().is_focused());
    node.and_then(|node| node.accesskit_node().label()).unwrap_or_default()
}

fn press(window: &mut Window, modifiers: Modifiers, key: Key) -> String {
    window.key_press_modifiers(modifiers, key);
    window.run_steps(3);
    focused(window)
}

#[test]
fn f6_walks_through_panes_and_tab_through_the_controls_of_one() {
    let mut window = small_window();
    let panes: Vec<String> = (0..3).map(|_| press(&mut window, Modifiers::NONE, Key::F6)).collect();
    assert_eq!(panes, ["Pane: Source", "Pane: Transform", "Pane: Spectrum image"]);
    assert_eq!(press(&mut window, Modifiers::SHIFT, Key::F6), "Pane: Transform");
    assert_eq!(press(&mut window, Modifiers::NONE, Key::F6), "Pane: Spectrum image");
    let mut seen = Vec::new();
    for _ in 0..24 {
        seen.push(press(&mut window, Modifiers::NONE, Key::Tab));
    }
    for control in ["Quantity", "Scale", "Colour map", "Centred"] {
        assert!(seen.iter().any(|name| name == control), "{control} is not reached: {seen:?}");
    }
    assert!(seen.iter().any(|name| name == "Pane: Spectrum image"), "Tab comes back to the beginning: {seen:?}");
    assert!(!seen.iter().any(|name| name == "Transform" || name == "Open"), "{seen:?}");
}

#[test]
fn the_buttons_of_a_row_have_names_of_their_own_and_the_row_has_one() {
    let mut window = small_window();
    choose(&mut window, "Transform", "Walsh 2-D");
    for name in ["Natural", "Sequency", "Dyadic"] {
        assert!(window.query_by_role_and_label(Role::Button, name).is_some(), "{name}");
    }
    assert!(window.query_by_role_and_label(Role::RadioGroup, "Order").is_some());
}

#[test]
fn zooms_and_choices_come_back_with_the_session() {
    let mut window = super::window(Memory::of_preset(Preset::Benchmark), Vec::new());
    super::click(&mut window, "Sweep");
    super::click(&mut window, "Use the current transform");
    run(&mut window, Command::Preset(Preset::Image));
    settle(&mut window);
    let source = window.get_by_role_and_label(Role::Image, "Source image").rect().center();
    window.hover_at(source);
    window.run_steps(2);
    for _ in 0..3 {
        window.key_press(Key::Plus);
        window.run_steps(2);
    }
    settle(&mut window);
    let shown = |window: &Window| workspace(window).report().unwrap().request.view.source;
    let zoomed = shown(&window);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("seen.json");
    run(&mut window, Command::Preset(Preset::Wavelet));
    settle(&mut window);
    run(&mut window, Command::Preset(Preset::Image));
    settle(&mut window);
    assert_eq!(shown(&window), zoomed, "the part of the source that was visible is visible again");
    papillon::ui::save_session(workspace(&window).memory(), &file).unwrap();
    let mut other = super::window_of(move |ctx| Workspace::new(ctx, Memory::default(), vec![file]));
    run(&mut other, Command::Preset(Preset::Benchmark));
    settle(&mut other);
    assert!(other.query_by_label("Run sweep").is_some(), "the tab is the one that was left");
}

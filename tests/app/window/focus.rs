//! The window without a mouse.

use super::layouts::small_window;
use super::{Window, choose, memory, run, says, settle, window, workspace};
use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use egui_tiles::Tile;
use papillon::signal::generate::{Generator, Impulse};
use papillon::ui::{Command, Memory, Origin, Preset, Workspace};
use strum::IntoEnumIterator as _;

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
    assert_eq!(seen[0], "Quantity", "Tab begins with the first control of the pane: {seen:?}");
    let strip = ["Spectrum image", "Help for Spectrum image", "Menu of Spectrum image", "Pane: Spectrum image"];
    assert!(seen.windows(strip.len()).any(|names| names == strip), "behind the last one, the strip from left to right: {seen:?}");
    for control in ["Quantity", "Scale", "Colour map", "Centred"] {
        assert!(seen.iter().any(|name| name == control), "{control} is not reached: {seen:?}");
    }
    assert!(seen.iter().any(|name| name == "Pane: Spectrum image"), "Tab comes back to the beginning: {seen:?}");
    assert!(!seen.iter().any(|name| name == "Transform" || name == "Open"), "{seen:?}");
}

#[test]
fn tab_walks_through_the_cards_of_lessons_and_enter_opens_one() {
    let mut window = window(memory(Preset::Learn, Origin::Generator(Generator::Impulse(Impulse::default())), "walsh"), Vec::new());
    while press(&mut window, Modifiers::NONE, Key::F6) != "Pane: Learn" {}
    let names: Vec<String> = (0..5).map(|_| press(&mut window, Modifiers::NONE, Key::Tab)).collect();
    let cards: Vec<&String> = names.iter().filter(|name| name.starts_with("Lesson ")).collect();
    assert_eq!(cards.len(), 3, "behind the search and the header of the group: {names:?}");
    assert!(cards[0] != cards[1] && cards[1] != cards[2]);
    press(&mut window, Modifiers::NONE, Key::Enter);
    settle(&mut window);
    assert!(workspace(&window).memory().learn.open().is_some() && says(&window, "All lessons"));
}

#[test]
fn shift_and_tab_walk_backwards_through_a_pane() {
    let mut window = small_window();
    (0..3).for_each(|_| drop(press(&mut window, Modifiers::NONE, Key::F6)));
    let names: Vec<String> = (0..5).map(|_| press(&mut window, Modifiers::SHIFT, Key::Tab)).collect();
    let title = "Spectrum image";
    let strip = ["Menu of Spectrum image", "Help for Spectrum image", title, "End of Spectrum image"];
    assert_eq!(names[..4], strip);
    assert_eq!(names[4], "Last end of the colour bar", "it is the last control of the pane");
}

#[test]
fn an_edge_between_panes_has_a_name_and_follows_the_pointer() {
    let mut window = small_window();
    let name = "Edge between Source and Spectrum image";
    let edge = |window: &Window| window.get_by_role_and_label(Role::Splitter, name).rect().center();
    let from = edge(&window);
    window.drag_at(from);
    window.run_steps(2);
    window.hover_at(from + egui::vec2(80.0, 0.0));
    window.run_steps(2);
    window.drop_at(from + egui::vec2(80.0, 0.0));
    window.run_steps(3);
    let to = edge(&window);
    assert!((to.x - from.x - 80.0).abs() < 4.0, "from {from} to {to}");
    assert!(workspace(&window).memory().rearranged, "the window moves no edge by itself any more");
}

#[test]
fn escape_closes_the_innermost_open_thing() {
    let mut window = small_window();
    let canvas = window.get_by_role_and_label(Role::Image, "Spectrum image").rect();
    window.hover_at(canvas.center());
    window.run_steps(2);
    window.key_press(Key::M);
    window.run_steps(3);
    run(&mut window, Command::Help);
    window.run_steps(3);
    let [list, palette, card, whole]: [fn(&Window) -> bool; 4] = [
        |window| window.query_all_by_label("Imaginary part").next().is_some(),
        |window| window.query_all_by_label("Search commands").next().is_some(),
        |window| window.query_by_role_and_label(Role::Window, "Keys and mouse").is_some(),
        |window| window.query_by_role_and_label(Role::ComboBox, "Transform").is_none(),
    ];
    let open = |window: &Window| [list, palette, card, whole].map(|is_open| is_open(window));
    window.get_by_role_and_label(Role::ComboBox, "Quantity").click();
    window.run_steps(3);
    assert_eq!(open(&window), [true, false, true, true]);
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert_eq!(open(&window), [false, false, true, true], "the list closes first");
    press(&mut window, Modifiers::COMMAND, Key::K);
    assert_eq!(open(&window), [false, true, true, true]);
    for left in [[false, false, true, true], [false, false, false, true], [false; 4]] {
        press(&mut window, Modifiers::NONE, Key::Escape);
        assert_eq!(open(&window), left);
    }
    press(&mut window, Modifiers::NONE, Key::Escape);
    settle(&mut window);
    assert!(workspace(&window).report().unwrap().outcome().is_some(), "with nothing open, nothing changes");
}

#[test]
fn escape_gives_the_focus_back_and_the_selected_command_is_read_aloud() {
    let mut window = small_window();
    let title = window.root().accesskit_node().label().unwrap_or_default();
    assert!(title.ends_with("– Papillon"), "{title}");
    (0..3).for_each(|_| drop(press(&mut window, Modifiers::NONE, Key::F6)));
    assert_eq!(press(&mut window, Modifiers::NONE, Key::Tab), "Quantity");
    assert_eq!(press(&mut window, Modifiers::NONE, Key::Enter), "Magnitude", "the list begins at the choice");
    assert_eq!(press(&mut window, Modifiers::NONE, Key::Escape), "Quantity");
    press(&mut window, Modifiers::COMMAND, Key::K);
    window.get_by_label("Search commands").type_text("walsh2");
    window.run_steps(3);
    assert!(focused(&window).starts_with("Walsh 2-D"), "{}", focused(&window));
    assert_eq!(press(&mut window, Modifiers::NONE, Key::Escape), "Quantity");
}

#[test]
fn another_layout_has_no_focus_from_a_control_of_the_last_one() {
    let mut window = small_window();
    (0..3).for_each(|_| drop(press(&mut window, Modifiers::NONE, Key::F6)));
    (0..4).for_each(|_| drop(press(&mut window, Modifiers::NONE, Key::Tab)));
    assert_eq!(focused(&window), "Centred");
    press(&mut window, Modifiers::COMMAND, Key::Num4);
    settle(&mut window);
    assert!(window.query_by_label("Pane: Flow graph").is_some(), "the other layout is shown");
    assert_eq!(focused(&window), "");
}

#[test]
fn the_logarithmic_axis_is_a_command() {
    let mut window = window(Memory::of_preset(Preset::Signal), Vec::new());
    let settings = |window: &Window| workspace(window).memory().settings.clone();
    let before = settings(&window);
    run(&mut window, Command::LogAxis);
    settle(&mut window);
    assert_ne!(settings(&window), before);
    run(&mut window, Command::LogAxis);
    settle(&mut window);
    assert_eq!(settings(&window), before);
    choose(&mut window, "Transform", "Walsh");
    run(&mut window, Command::LogAxis);
    assert!(workspace(&window).message().contains("choose a Fourier transform"), "{}", workspace(&window).message());
}

/// The panes that are the hero of a layout, by the names that sessions hold.
fn hero(preset: Preset) -> &'static [&'static str] {
    match preset {
        Preset::Learn => &["Learn", "SpectrumPicture"],
        Preset::Image => &["SpectrumPicture", "Filtered"],
        Preset::Signal => &["Source", "Spectrogram", "Spectrum"],
        Preset::FlowGraph => &["FlowGraph", "SecondGraph"],
        Preset::Logic => &["Logic"],
        Preset::Wavelet => &["Wavelet"],
        Preset::System => &["System"],
        Preset::Benchmark => &["Timing"],
    }
}

#[test]
fn the_hero_of_every_layout_takes_most_of_the_window_and_every_control_has_a_name() {
    const ROLES: [Role; 9] = [
        Role::Button,
        Role::CheckBox,
        Role::ComboBox,
        Role::Slider,
        Role::SpinButton,
        Role::TextInput,
        Role::SearchInput,
        Role::RadioButton,
        Role::Image,
    ];
    let mut window = window(Memory::default(), Vec::new());
    for preset in Preset::iter() {
        run(&mut window, Command::Preset(preset));
        settle(&mut window);
        for size in [egui::vec2(1280.0, 800.0), egui::vec2(2560.0, 1440.0)] {
            window.set_size(size);
            window.run_steps(3);
            let tiles = &workspace(&window).memory().tree.tiles;
            let is_hero = |tile: &Tile<_>| matches!(tile, Tile::Pane(pane) if hero(preset).iter().any(|name| format!("{pane:?}").contains(&format!("\"{name}\""))));
            let rects = tiles.iter().filter(|(_, tile)| is_hero(tile)).filter_map(|(id, _)| tiles.rect(*id));
            let share = rects.map(|rect| rect.area()).sum::<f32>() / window.ctx.content_rect().area();
            // Three strips of tabs are above the panes of a recording.
            let least = if preset == Preset::Signal { 0.56 } else { 0.6 };
            assert!(share > least && share < 1.0, "{preset:?} at {size}: {share}");
        }
        run(&mut window, Command::ToggleDrawer);
        settle(&mut window);
        for node in ROLES.into_iter().flat_map(|role| window.query_all_by_role(role)) {
            let name = node.accesskit_node().label().unwrap_or_default();
            assert!(
                name.chars().any(char::is_alphanumeric),
                "{preset:?}: {:?} at {} is called “{name}”",
                node.accesskit_node().role(),
                node.rect()
            );
        }
    }
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
    let mut window = window(Memory::of_preset(Preset::Benchmark), Vec::new());
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

#[test]
fn escape_takes_the_pin_away() {
    let impulse = Generator::Impulse(Impulse { length: 8, position: 1, height: 1.0 });
    let mut memory = memory(Preset::FlowGraph, Origin::Generator(impulse), "dft");
    memory.settings.algorithm = Some("stockham-2".into());
    memory.views.insert("FlowGraph".into(), serde_json::json!({ "lanes": 8, "stages": 3, "cursor": 1, "pinned": [1, 1] }));
    let mut window = window(memory, Vec::new());
    assert!(says(&window, "Pinned"));
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(!says(&window, "Pinned"));
}

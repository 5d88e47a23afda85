//! Preparation in the window: the region on the source, the chain, and what says so.

use super::*;
use egui::{Key, Modifiers};

fn shape(window: &Window) -> (usize, usize) {
    let shape = workspace(window).report().unwrap().outcome().unwrap().shape;
    (shape.rows, shape.columns)
}

fn region(window: &Window) -> Option<String> {
    workspace(window).memory().settings.preparation.region.map(|region| region.to_string())
}

/// Drags from the middle of a control by some points.
fn drag(window: &mut Window, label: &str, by: egui::Vec2) {
    let from = window.get_by_label(label).rect().center();
    window.drag_at(from);
    window.run_steps(2);
    window.hover_at(from + by);
    window.run_steps(2);
    window.drop_at(from + by);
    window.run_steps(2);
}

/// Opens the section, and scrolls to its control with this name.
pub(super) fn open_section(window: &mut Window, role: Role, name: &str) {
    window.get_by_label_contains("Preparation").scroll_to_me();
    window.run_steps(40);
    if window.query_by_label("Edges").is_none() {
        window.get_by_label_contains("Preparation").click();
        window.run_steps(20);
    }
    window.get_by_role_and_label(role, name).scroll_to_me();
    window.run_steps(40);
}

#[test]
fn a_region_outside_the_image_says_so_and_is_left_by_one_click() {
    let mut memory = memory(Preset::Image, small_image(), "dft2");
    memory.settings.preparation.region = Some("30,30,9,9".parse().unwrap());
    let mut window = window(memory, Vec::new());
    assert!(says(&window, "the region 30,30,9,9 does not lie in the image of 32 × 32 px"));
    click(&mut window, "Whole");
    settle(&mut window);
    assert_eq!((region(&window), shape(&window)), (None, (32, 32)));
}

#[test]
fn a_region_is_drawn_moved_resized_and_left() {
    let mut window = window(memory(Preset::Image, small_image(), "dft2"), Vec::new());
    click(&mut window, "Rectangle");
    settle(&mut window);
    assert_eq!((region(&window).as_deref(), shape(&window)), (Some("8,8,16,16"), (16, 16)));
    let side = window.get_by_label("Region 8,8,16,16").rect().width() / 16.0;
    drag(&mut window, "Region 8,8,16,16", egui::vec2(-3.2 * side, 2.9 * side));
    assert_eq!(region(&window).as_deref(), Some("5,11,16,16"));
    drag(&mut window, "Region, bottom right", egui::vec2(-4.0 * side, 2.0 * side));
    settle(&mut window);
    assert_eq!((region(&window).as_deref(), shape(&window)), (Some("5,11,12,18"), (18, 12)));
    assert!(says(&window, "· region ·"), "the status bar says it");
    click(&mut window, "Region 5,11,12,18");
    for (modifiers, expected) in [(Modifiers::NONE, "6,11,12,18"), (Modifiers::SHIFT, "16,11,12,18")] {
        window.key_press_modifiers(modifiers, Key::ArrowRight);
        window.run_steps(2);
        assert_eq!(region(&window).as_deref(), Some(expected));
    }
    set(&mut window, "Region width", 9.0);
    click(&mut window, "2^n");
    settle(&mut window);
    assert_eq!(shape(&window), (16, 8));
    window.key_press(Key::W);
    settle(&mut window);
    assert_eq!((region(&window), shape(&window)), (None, (32, 32)));
    window.run_steps(20);
    run(&mut window, Command::Undo);
    settle(&mut window);
    let text = region(&window).expect("undo brings the region back");
    click(&mut window, &format!("Region {text}"));
    window.key_press(Key::W);
    settle(&mut window);
    assert_eq!(region(&window), None, "the key works while the region has the focus");
}

#[test]
fn the_chain_is_set_shown_and_saved() {
    let mut window = window(memory(Preset::Image, small_image(), "dft2"), Vec::new());
    open_section(&mut window, Role::ComboBox, "Window");
    window.get_by_label("Mean").scroll_to_me();
    window.run_steps(40);
    click(&mut window, "Mean");
    open_section(&mut window, Role::ComboBox, "Window");
    choose(&mut window, "Window", "Kaiser");
    open_section(&mut window, Role::SpinButton, "Parameter");
    set(&mut window, "Parameter", 6.0);
    open_section(&mut window, Role::ComboBox, "Padding");
    choose(&mut window, "Padding", "2 × the size");
    settle(&mut window);
    assert_eq!(shape(&window), (64, 64));
    for words in ["mean removed", "Kaiser (β = 6) window, gain ", "padded to 64 × 64 px with zeros", "without mean, Kaiser, padded"] {
        wait(&mut window, words, |window| says(window, words));
    }
    let kept = serde_json::to_string(workspace(&window).memory()).unwrap();
    let again: Memory = serde_json::from_str(&kept).unwrap();
    assert_eq!(again.settings.preparation, workspace(&window).memory().settings.preparation);
    open_section(&mut window, Role::Button, "No preparation");
    click(&mut window, "No preparation");
    settle(&mut window);
    assert_eq!(shape(&window), (32, 32));
}

#[test]
fn the_size_of_a_pixel_gives_the_axes_their_unit() {
    let mut window = window(memory(Preset::Image, small_image(), "dft2"), Vec::new());
    let enter = |window: &mut Window, text: &str| {
        window.get_by_role_and_label(Role::TextInput, "Pixel size").focus();
        window.run_steps(2);
        window.key_press_modifiers(Modifiers::COMMAND, Key::A);
        window.run_steps(2);
        window.event(egui::Event::Text(text.to_owned()));
        window.run_steps(2);
        window.key_press(Key::Enter);
        window.run_steps(3);
    };
    enter(&mut window, "0.2 parsec");
    assert!(says(&window, "“parsec” is no unit of a pixel size: take one of pm"));
    enter(&mut window, "0.2nm");
    settle(&mut window);
    let size = workspace(&window).memory().settings.typed_pixel.as_ref().map(|typed| typed.size.to_string());
    assert_eq!(size.as_deref(), Some("0.2 nm"));
    let image = window.get_by_role_and_label(Role::Image, "Spectrum image").rect();
    window.hover_at(image.center() + egui::vec2(20.0, 0.0));
    window.run_steps(3);
    assert!(says(&window, "cycles per nm   angle"), "the read-out has the unit");
}

#[test]
fn levels_set_limits_gamma_and_inversion() {
    let mut window = window(memory(Preset::Image, small_image(), "dft2"), Vec::new());
    let look = |window: &Window| workspace(window).memory().settings.result_look().image;
    let shown = |window: &Window| workspace(window).report().unwrap().image.clone().unwrap();
    assert_eq!(shown(&window).histogram.iter().sum::<u32>(), 32 * 32, "every value is counted");
    click(&mut window, "More in Spectrum image");
    click(&mut window, "Levels");
    drag(&mut window, "Histogram of the shown values", egui::vec2(20.0, 0.0));
    let [low, high] = look(&window).range.expect("a handle was dragged");
    let extremes = shown(&window).extremes;
    assert!(low > extremes[0] || high < extremes[1], "{low} {high} {extremes:?}");
    click(&mut window, "Inverted");
    click(&mut window, "Locked");
    settle(&mut window);
    assert!(look(&window).inverted && look(&window).range.is_none());
    let ends = |window: &Window| window.state().as_ref().unwrap().memory().settings.result_look().image.bar();
    assert_eq!(ends(&window)[0], papillon::display::Colormap::Viridis.lut()[255]);
}

#[test]
fn a_part_of_a_signal_is_prepared_row_by_row() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("line.csv");
    std::fs::write(&path, (0..64).map(|k| format!("{}\n", k * k % 19)).collect::<String>()).unwrap();
    let mut window = window(Memory::default(), vec![path]);
    click(&mut window, "Part");
    settle(&mut window);
    assert_eq!((region(&window).as_deref(), shape(&window)), (Some("16,0,32,1"), (1, 32)));
    open_section(&mut window, Role::ComboBox, "Window");
    click(&mut window, "Line");
    settle(&mut window);
    assert!(says(&window, "line removed") && says(&window, "region, without line"));
}

#[test]
fn a_part_of_a_signal_is_dragged_over_its_plot() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("line.csv");
    std::fs::write(&path, (0..64).map(|k| format!("{}\n", k * k % 19)).collect::<String>()).unwrap();
    let mut window = window(Memory::default(), vec![path]);
    click(&mut window, "Part");
    settle(&mut window);
    let side = window.get_by_label("Region 16,0,32,1").rect().width() / 32.0;
    drag(&mut window, "Region 16,0,32,1", egui::vec2(6.0 * side, 0.0));
    assert_eq!(region(&window).as_deref(), Some("22,0,32,1"));
    drag(&mut window, "Region, right", egui::vec2(-12.0 * side, 0.0));
    settle(&mut window);
    assert_eq!((region(&window).as_deref(), shape(&window)), (Some("22,0,20,1"), (1, 20)));
}

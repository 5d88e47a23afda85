//! The first start with its hints, and what is seen in the first frame after the window has another size.

use super::{click, memory, says, small_image, window, workspace};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use papillon::filter::{MaskForm, MaskShape};
use papillon::ui::{Command, Memory, Preset};

/// The names of the hints that are seen.
fn hints(window: &super::Window) -> Vec<String> {
    let named = window.query_all_by_label_contains("Close the hint: ");
    named.filter_map(|node| node.accesskit_node().label()).collect()
}

#[test]
fn the_first_window_shows_an_image_and_hints_that_stay_closed() {
    let mut window = window(Memory::first(), Vec::new());
    assert_eq!(workspace(&window).memory().preset, Preset::Image);
    assert!(says(&window, "Every image is a sum of waves"));
    for offered in ["First lesson", "Butterfly", "Chord", "Daylight"] {
        assert!(window.query_all_by_label(offered).next().is_some(), "{offered} is offered");
    }
    let shapes = &workspace(&window).memory().settings.filter.mask.shapes;
    assert!(matches!(shapes[..], [MaskShape { form: MaskForm::Ring { .. }, .. }]), "there is a ring to drag: {shapes:?}");
    assert!(says(&window, "drag the ring") && !says(&window, "from an earlier run"));
    let place = |window: &super::Window| window.get_by_label("Filtered image").rect();
    let (before, shown) = (place(&window), hints(&window));
    assert_eq!(shown.len(), 2);
    for hint in &shown {
        click(&mut window, hint);
    }
    assert!(hints(&window).is_empty());
    assert_eq!(place(&window), before, "nothing moves when a hint closes");
    for (preset, n_hints) in [(Preset::Signal, 1), (Preset::FlowGraph, 1), (Preset::Image, 0)] {
        super::run(&mut window, Command::Preset(preset));
        super::settle(&mut window);
        assert_eq!(hints(&window).len(), n_hints, "{preset:?}");
        if preset == Preset::Signal {
            let place = |label: &str| window.get_by_label_contains(label).rect();
            assert!(place("Close the hint: ").bottom() <= place("Source plot").top(), "a hint covers nothing of the wave");
        }
        hints(&window).iter().for_each(|hint| click(&mut window, hint));
        assert!(hints(&window).is_empty(), "{preset:?}");
    }
    let json = serde_json::to_value(workspace(&window).memory()).unwrap();
    assert_eq!(json["hints"], serde_json::json!([]), "the next window shows none");
}

/// The rectangles of the images that were painted last.
fn images(window: &super::Window) -> Vec<egui::Rect> {
    let of_shape = |shape: &egui::epaint::ClippedShape| match &shape.shape {
        egui::Shape::Rect(rect) => rect.brush.is_some().then_some(rect.rect),
        egui::Shape::Mesh(mesh) => (mesh.texture_id != egui::TextureId::default()).then(|| mesh.calc_bounds()),
        _ => None,
    };
    window.output().shapes.iter().filter_map(of_shape).collect()
}

#[test]
fn images_fill_their_new_places_in_the_first_frame_after_a_resize() {
    for size in [[1024.0, 768.0], [1600.0, 960.0], [2560.0, 1440.0]] {
        let mut window = window(memory(Preset::Image, small_image(), "dft2"), Vec::new());
        window.set_size(size.into());
        window.step();
        let at_once = images(&window);
        assert!(at_once.len() >= 3, "source, spectrum and filtered image: {at_once:?}");
        super::settle(&mut window);
        let in_the_end = images(&window);
        let is_near = |a: &egui::Rect, b: &egui::Rect| (a.min - b.min).length().max((a.max - b.max).length()) < 2.0;
        for rect in &in_the_end {
            assert!(at_once.iter().any(|known| is_near(known, rect)), "{size:?}: {rect:?} was not painted at once: {at_once:?}");
        }
    }
}

#[test]
fn a_square_image_has_much_of_the_height_of_its_pane() {
    for (size, share) in [([1024.0, 768.0], 0.4), ([1280.0, 800.0], 0.49), ([1600.0, 960.0], 0.65), ([2560.0, 1440.0], 0.8)] {
        let mut memory = Memory::of_preset(Preset::Image);
        memory.settings.origin = small_image();
        let mut window = window(memory, Vec::new());
        window.set_size(size.into());
        super::settle(&mut window);
        let heights = images(&window).into_iter().map(|rect| rect.height());
        let largest = heights.fold(0.0, f32::max);
        assert!(largest > share * size[1], "{largest} points in a window of {size:?}");
    }
}

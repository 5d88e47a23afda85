//! Panes share the results of the engine: what is shown is transformed once, however many panes read it.

use super::*;
use egui_tiles::{Tile, Tree};
use papillon::measure::{Frequency, Marker};

/// A window that shows a small image in all panes at once, with a marker on its spectrum.
fn all_panes() -> Window {
    let mut memory = memory(Preset::Image, small_image(), "dft2");
    let pane = |tile: &Tile<_>| if let Tile::Pane(pane) = tile { Some(*pane) } else { None };
    let panes: Vec<_> = memory.tree.tiles.iter().filter_map(|(_, tile)| pane(tile)).collect();
    memory.tree = Tree::new_grid(egui::Id::unique("all panes"), panes);
    memory.settings.measure.markers = vec![Marker { at: Frequency { u: 0.0625, v: 0.0625 }, reach: 0.0 }];
    memory.settings.filter.mask = papillon::filter::MaskShape::low_pass(0.2).into();
    let mut window = window(memory, Vec::new());
    window.set_size(egui::vec2(5120.0, 2880.0));
    settle(&mut window);
    window
}

#[test]
fn an_image_in_all_panes_is_transformed_once() {
    let mut window = all_panes();
    for shown in ["Spectrum image", "Filtered image"] {
        assert!(window.query_by_role_and_label(Role::Image, shown).is_some(), "{shown}");
    }
    for said in ["Profile, ", "Marker 1, period", "Pick a coefficient above"] {
        assert!(says(&window, said), "{said}");
    }
    assert_eq!(workspace(&window).n_transforms(), 1);
    click(&mut window, "Hold");
    settle(&mut window);
    assert_eq!(workspace(&window).n_transforms(), 1, "what is held is known");
    click(&mut window, "Rectangle");
    settle(&mut window);
    assert_eq!(workspace(&window).n_transforms(), 2, "the newest and the held one are known");
    run(&mut window, Command::Undo);
    settle(&mut window);
    assert_eq!(workspace(&window).n_transforms(), 2, "what was taken back finds its result again");
}

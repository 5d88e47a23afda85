//! The window while a hand moves: results on the way are shown, and not only the last one. `cargo bench --bench live -- slider` counts how many a second.

use super::*;
use egui::accesskit::Role;
use egui::{Modifiers, PointerButton, pos2};
use egui_kittest::kittest::NodeT as _;
use papillon::engine::RenderedImage;
use papillon::signal::generate::ZonePlate;
use std::sync::Arc;

/// Spectra that are to be seen on the way.
const SEEN: usize = 2;

#[test]
fn spectra_are_seen_while_a_slider_of_a_large_image_is_dragged() {
    // Each takes longer to make and to transform than a hand rests: signals that were given up for the next one once filled the memory.
    let plate = ZonePlate { rows: 4096, columns: 4096, ..ZonePlate::default() };
    let mut window = window(memory(Preset::Image, Origin::Generator(Generator::ZonePlate(plate)), "dft2"), Vec::new());
    let track = window.get_all_by_label("Limit").find(|node| node.accesskit_node().role() == Role::Slider).expect("it has a slider").rect();
    let at = |part: f32| pos2(track.left() + part * track.width(), track.center().y);
    window.event(egui::Event::PointerMoved(at(0.1)));
    hands::button(&window, at(0.1), PointerButton::Primary, true, Modifiers::NONE);
    window.step();
    let shown = |window: &Window| workspace(window).report().and_then(|report| report.image.clone());
    let (mut seen, mut moves): (Vec<Arc<RenderedImage>>, u32) = (shown(&window).into_iter().collect(), 0);
    let begin = Instant::now();
    // A frame of a screen for each move of the hand, which never rests.
    while seen.len() <= SEEN && begin.elapsed() < PATIENCE {
        moves += 1;
        let part = f32::from(u16::try_from(moves % 64).unwrap()) / 64.0;
        window.event(egui::Event::PointerMoved(at(0.1 + 0.8 * part)));
        window.step();
        let newest = shown(&window);
        seen.extend(newest.filter(|newest| seen.last().is_none_or(|last| !Arc::ptr_eq(last, newest) && last.rgba != newest.rgba)));
        std::thread::sleep(Duration::from_millis(16));
    }
    assert!(seen.len() > SEEN, "{} spectra in {moves} moves and {:?}", seen.len(), begin.elapsed());
    hands::button(&window, at(0.5), PointerButton::Primary, false, Modifiers::NONE);
    settle(&mut window);
}

//! A hand that drags a slider of a generated image, and the spectra that it sees.

use super::{GLANCE, Window};
use egui::accesskit::Role;
use egui::{Event, Modifiers, PointerButton, TexturesDelta, pos2};
use egui_kittest::TestRenderer;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use papillon::engine::{DeviceChoice, RenderedImage};
use papillon::signal::generate::{Generator, ZonePlate};
use papillon::ui::{Memory, Origin, Preset, Workspace};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long the hand drags.
const DRAG: Duration = Duration::from_secs(4);
/// Frames of a screen in a second, unless said otherwise; each has a move of the pointer.
pub(super) const FRAMES: usize = 60;

/// Drags the slider of the frequencies of `side` × `side` values, and prints how many new spectra a second the window shows, on the device that is chosen or on a GPU.
/// The screen has `frames` frames a second.
///
/// Frames are laid out, and not drawn: how long a screen takes to draw is its own matter.
pub(super) fn drag(side: usize, frames: usize, on_gpu: bool) {
    let frame = Duration::from_secs(1) / frames.clamp(1, 1000) as u32;
    let plate = ZonePlate { rows: side, columns: side, ..ZonePlate::default() };
    let mut memory = Memory { preset: Preset::Image, tree: Preset::Image.tree(), ..Memory::default() };
    memory.settings.origin = Origin::Generator(Generator::ZonePlate(plate));
    memory.settings.device = if on_gpu { DeviceChoice::Gpu } else { DeviceChoice::Auto };
    let mut window = super::window_of((memory, Vec::new()), egui::vec2(1280.0, 800.0), NoPixels);
    rest(&mut window);
    let slider = window.harness.get_all_by_label("Limit").find(|node| node.accesskit_node().role() == Role::Slider);
    let track = slider.expect("a zone plate has a slider").rect();
    let at = |part: f32| pos2(track.left() + part * track.width(), track.center().y);
    let press = |pos, pressed| Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE };
    [Event::PointerMoved(at(0.1)), press(at(0.1), true)].into_iter().for_each(|event| window.harness.event(event));
    let (begin, mut seen, mut last) = (Instant::now(), 0, None);
    let mut works = Vec::new();
    while begin.elapsed() < DRAG {
        let begun = Instant::now();
        // To and fro once a second.
        let phase = begin.elapsed().as_secs_f32().fract();
        window.harness.event(Event::PointerMoved(at(0.1 + 0.8 * (1.0 - (2.0 * phase - 1.0).abs()))));
        window.harness.step();
        let newest = spectrum(&window);
        let is_new = newest.as_ref().zip(last.as_ref()).is_none_or(|(newest, last)| !Arc::ptr_eq(newest, last));
        (seen, last) = (seen + usize::from(newest.is_some() && is_new), newest);
        works.push(begun.elapsed());
        std::thread::sleep(frame.saturating_sub(begun.elapsed()));
    }
    let dragged = begin.elapsed();
    window.harness.event(press(at(0.1), false));
    let device = window.workspace().report().and_then(|report| report.outcome()).map(|outcome| outcome.device.clone());
    works.sort();
    println!(
        "{side} × {side} on {}: {:.1} new spectra a second in {} frames; thread of the window: median {:.1} ms, longest {:.1} ms; at rest {:.0} ms after the last",
        device.unwrap_or_default(),
        seen as f64 / dragged.as_secs_f64(),
        works.len(),
        1e3 * works[works.len() / 2].as_secs_f64(),
        1e3 * works[works.len() - 1].as_secs_f64(),
        1e3 * rest(&mut window).as_secs_f64(),
    );
}

/// The spectrum image that the window shows.
fn spectrum(window: &Window) -> Option<Arc<RenderedImage>> {
    window.workspace().report().and_then(|report| report.image.clone())
}

/// Paints until everything is computed and shown.
fn rest(window: &mut Window) -> Duration {
    let begin = Instant::now();
    loop {
        window.harness.step();
        if window.harness.state().as_ref().is_some_and(Workspace::is_settled) {
            return begin.elapsed();
        }
        std::thread::sleep(GLANCE);
    }
}

/// Takes textures as a screen does, and draws nothing.
struct NoPixels;

impl TestRenderer for NoPixels {
    fn handle_delta(&mut self, delta: &mut TexturesDelta) {
        delta.clear();
    }

    fn render(&mut self, _: &egui::Context, _: &egui::FullOutput) -> Result<image::RgbaImage, String> {
        Err("nothing is drawn".into())
    }
}

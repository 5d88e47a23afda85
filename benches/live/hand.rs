//! A hand that drags and zooms the spectrogram of ten minutes, and the frames that it gets.

use super::Window;
use egui::epaint::ImageDelta;
use egui::{Event, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, TextureId, TexturesDelta, TouchPhase, vec2};
use egui_kittest::TestRenderer;
use egui_kittest::kittest::Queryable as _;
use egui_kittest::wgpu::WgpuTestRenderer;
use papillon::random::Random;
use papillon::ui::{Memory, Preset};
use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The window, in pixels.
const SIZE: [f32; 2] = [2560.0, 1440.0];
/// Samples a second, and of ten minutes.
const RATE: u32 = 48_000;
const SAMPLES: u32 = 600 * RATE;
/// Moves of the pointer in a drag, and the points of each.
const MOVES: usize = 100;
const POINTS: f32 = 6.0;
/// Points of a notch of the wheel.
const NOTCH: f32 = 60.0;
/// Pixels of the smallest picture that counts: those of a spectrogram have a column for each frame where these are few.
const LARGE: usize = 1 << 14;

/// A hand on a window, and how many large pictures the window has drawn.
struct Hand {
    window: Window,
    pictures: Rc<Cell<usize>>,
}

/// The frames of a drag or a zoom.
struct Frames {
    name: &'static str,
    /// The time of the window's thread for each frame, and that with the drawing.
    times: Vec<[Duration; 2]>,
    /// Pictures of the spectrogram among them.
    pictures: usize,
    /// From the last of them until everything was computed and shown.
    rest: Duration,
}

/// Prints what a drag and a zoom come to.
pub(super) fn drag_and_zoom() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("minutes.wav");
    std::fs::write(&path, noise()).unwrap();
    let memory = Memory { preset: Preset::Signal, tree: Preset::Signal.tree(), ..Memory::default() };
    let pictures = Rc::new(Cell::new(0));
    let renderer = Counted { renderer: WgpuTestRenderer::new(), pictures: pictures.clone() };
    let mut hand = Hand { window: super::window_of((memory, vec![path]), SIZE.into(), renderer), pictures };
    hand.wait();
    let at = hand.window.harness.get_by_label_contains("Spectrogram of ").rect().center();
    hand.zoom("zoom", at, &[NOTCH; 16]).tell();
    hand.drag("drag", at, PointerButton::Middle).tell();
    hand.zoom("zoom out", at, &[-NOTCH; 16]).tell();
    hand.drag("drag of a part", at, PointerButton::Primary).tell();
}

/// Ten minutes of noise, as WAV.
fn noise() -> Vec<u8> {
    let (mut random, length) = (Random::new(5), 2 * SAMPLES);
    let mut file = [&b"RIFF"[..], &(36 + length).to_le_bytes(), b"WAVEfmt \x10\0\0\0\x01\0\x01\0"].concat();
    file.extend([RATE, 2 * RATE].map(u32::to_le_bytes).as_flattened());
    file.extend([&b"\x02\0\x10\0data"[..], &length.to_le_bytes()].concat());
    file.extend((0..SAMPLES).flat_map(|_| (random.below(8192) as i16 - 4096).to_le_bytes()));
    file
}

/// Draws, and counts the large pictures that come to be drawn.
struct Counted {
    renderer: WgpuTestRenderer,
    pictures: Rc<Cell<usize>>,
}

impl TestRenderer for Counted {
    fn handle_delta(&mut self, delta: &mut TexturesDelta) {
        let is_large = |delta: &&ImageDelta| delta.image.width() * delta.image.height() > LARGE;
        // The first texture has the letters.
        let pictures = delta.set.iter().filter(|(id, _)| **id != TextureId::default());
        let n = pictures.flat_map(|(_, deltas)| deltas).filter(is_large).count();
        self.pictures.set(self.pictures.get() + n);
        self.renderer.handle_delta(delta);
    }

    fn render(&mut self, ctx: &egui::Context, output: &egui::FullOutput) -> Result<image::RgbaImage, String> {
        self.renderer.render(ctx, output)
    }
}

impl Frames {
    fn tell(&self) {
        let millis = |part: usize| {
            let mut all: Vec<f64> = self.times.iter().map(|times| 1e3 * times[part].as_secs_f64()).collect();
            all.sort_by(f64::total_cmp);
            format!("median {:.1} ms, longest {:.1} ms", all[all.len() / 2], all[all.len() - 1])
        };
        let Self { name, times, pictures, rest } = self;
        let drawn: Duration = times.iter().map(|times| times[1]).sum();
        println!(
            "{name}: {} frames, {:.0} a second, {pictures} pictures of the spectrogram; thread of the window: {}; with the drawing and the pixels read back: {}; at rest {:.0} ms after the last",
            times.len(),
            times.len() as f64 / drawn.as_secs_f64(),
            millis(0),
            millis(1),
            1e3 * rest.as_secs_f64(),
        );
    }
}

impl Hand {
    /// A frame after an event: the time of the window's thread, and with the drawing.
    fn frame(&mut self, event: Event) -> [Duration; 2] {
        let harness = &mut self.window.harness;
        let begin = Instant::now();
        harness.event(event);
        harness.step();
        let thread = begin.elapsed();
        harness.render().unwrap();
        [thread, begin.elapsed()]
    }

    /// Paints until everything is computed and shown.
    fn wait(&mut self) -> Duration {
        let begin = Instant::now();
        loop {
            self.window.due = Some(Instant::now());
            self.window.paint();
            if self.window.workspace().is_settled() {
                return begin.elapsed();
            }
        }
    }

    /// The frames of these events, and what follows them.
    fn frames(&mut self, name: &'static str, events: impl Iterator<Item = Event>) -> Frames {
        let before = self.pictures.get();
        let times = events.map(|event| self.frame(event)).collect();
        Frames { name, times, pictures: self.pictures.get() - before, rest: self.wait() }
    }

    fn drag(&mut self, name: &'static str, from: Pos2, button: PointerButton) -> Frames {
        let press = |pos, pressed| Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE };
        self.frame(Event::PointerMoved(from));
        self.frame(press(from, true));
        let places = (1..=MOVES).map(|k| from + vec2(POINTS * k as f32, 0.0));
        let frames = self.frames(name, places.map(Event::PointerMoved));
        self.frame(press(from + vec2(POINTS * MOVES as f32, 0.0), false));
        frames
    }

    fn zoom(&mut self, name: &'static str, at: Pos2, notches: &[f32]) -> Frames {
        self.frame(Event::PointerMoved(at));
        let (unit, phase, source) = (MouseWheelUnit::Point, TouchPhase::Move, MouseWheelSource::Wheel);
        let wheel = |points: &f32| Event::MouseWheel { unit, delta: vec2(0.0, *points), phase, modifiers: Modifiers::NONE, source };
        self.frames(name, notches.iter().map(wheel))
    }
}

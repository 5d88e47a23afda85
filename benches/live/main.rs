//! `cargo bench --bench live [-- SIDE]`: what the live display costs the work that it shows. `cargo bench --bench live -- drag` counts the frames of a hand on a spectrogram,
//! and `cargo bench --bench live -- slider [SIDE [FRAMES A SECOND]] [gpu]` the spectra that a hand sees which drags a slider of an image.
//!
//! Images of SIDE × SIDE noise (512 without a word) are transformed on the first GPU, one after another, in rounds with a window that shows them and rounds without one.
//! The window is the whole workspace with the pane *Timing*, painted whenever it asks for it, as on a screen; the other rounds ask a worker of their own for the same images.
//! The runs that count in the pane are those at rest; the runs that were asked for, beside which the window is painted, are told too.
//!
//! The hand drags and zooms ten minutes of noise in a window of 2560 × 1440, with a frame for each move of the pointer. A frame is the work of the window's thread and the
//! drawing up to the pixels; at the end the bench says how long the window takes to come to rest.

#![allow(clippy::unwrap_used, reason = "a bench that cannot go on has failed")]
#![allow(clippy::print_stdout, reason = "what it finds is for people")]

mod hand;
mod slider;

use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use egui_kittest::wgpu::WgpuTestRenderer;
use egui_kittest::{Harness, TestRenderer};
use papillon::bench::Statistics;
use papillon::engine::{DeviceChoice, Engine, Job, Outcome, Request, Times};
use papillon::signal::generate::{Generator, NoiseImage};
use papillon::ui::{Memory, Origin, Preset, Workspace};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Rounds of each kind.
const ROUNDS: usize = 8;
/// How often it is looked whether a run is done.
const GLANCE: Duration = Duration::from_millis(2);

/// A window, and when it wants to be painted next.
struct Window {
    harness: Harness<'static, Option<Workspace>>,
    due: Option<Instant>,
    n_frames: usize,
}

fn main() {
    let asks = |name: &str| std::env::args().any(|word| word == name);
    if asks("drag") {
        return hand::drag_and_zoom();
    }
    let mut numbers = std::env::args().filter_map(|word| word.parse().ok());
    let side = numbers.next();
    if asks("slider") {
        return slider::drag(side.unwrap_or(1024), numbers.next().unwrap_or(slider::FRAMES), asks("gpu"));
    }
    let side = side.unwrap_or(512);
    let mut window = window(side);
    let mut seed = 1;
    // Kernels are compiled and buffers made.
    in_the_window(&mut window, &mut seed);
    let request = window.workspace().report().unwrap().request.clone();
    let engine = Engine::start(|| {});
    alone(&engine, &request);
    let (mut shown, mut hidden) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        shown.push(in_the_window(&mut window, &mut seed));
        hidden.push(alone(&engine, &request));
    }
    let outcome = &shown[0];
    println!("{} frames were painted", window.n_frames);
    println!("{} of {side} × {side} by {} on {}", request.job.transform, outcome.algorithm, outcome.device);
    let at_rest = |outcome: &Arc<Outcome>| outcome.again.clone();
    let asked = |outcome: &Arc<Outcome>| vec![outcome.times.clone()];
    for (name, runs) in [("at rest", at_rest as fn(&Arc<Outcome>) -> Vec<Times>), ("asked for", asked)] {
        let [shown, hidden] = [&shown, &hidden].map(|outcomes| outcomes.iter().map(runs).collect::<Vec<_>>());
        tell(&format!("{name}, launches"), &shown, &hidden, Times::kernel_micros);
        tell(&format!("{name}, total"), &shown, &hidden, |times| times.total_micros);
    }
}

/// A window with the times in front and an image of noise.
fn window(side: usize) -> Window {
    let noise = NoiseImage { rows: side, columns: side, ..NoiseImage::default() };
    let mut memory = Memory { preset: Preset::Benchmark, tree: Preset::Benchmark.tree(), ..Memory::default() };
    memory.settings.origin = Origin::Generator(Generator::NoiseImage(noise));
    memory.settings.device = DeviceChoice::Gpu;
    window_of((memory, Vec::new()), egui::vec2(1280.0, 800.0), WgpuTestRenderer::new())
}

/// A window of this size with what it remembers and the files that it is opened with.
fn window_of((memory, files): (Memory, Vec<PathBuf>), size: egui::Vec2, renderer: impl TestRenderer + 'static) -> Window {
    let mut opened = Some((memory, files));
    let harness = Harness::builder().with_size(size).renderer(renderer).build_ui_state(
        move |ui, workspace: &mut Option<Workspace>| {
            let workspace = workspace.get_or_insert_with(|| {
                let (memory, files) = opened.take().unwrap();
                Workspace::new(ui.ctx(), memory, files)
            });
            workspace.logic(&ui.ctx().clone());
            workspace.ui(ui);
        },
        None,
    );
    Window { harness, due: Some(Instant::now()), n_frames: 0 }
}

impl Window {
    fn workspace(&self) -> &Workspace {
        self.harness.state().as_ref().unwrap()
    }

    /// Paints the window where it is time to, as a screen would.
    fn paint(&mut self) {
        // The time that the last frame asked for; where it asked for none, a thread may ask.
        let is_due = self.due.map_or_else(|| self.harness.ctx.has_requested_repaint(), |due| due <= Instant::now());
        if is_due {
            self.harness.step();
            self.harness.render().unwrap();
            self.n_frames += 1;
            let wanted = self.harness.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay;
            self.due = (wanted < Duration::MAX).then(|| Instant::now() + wanted.min(Duration::from_secs(1)));
        } else {
            std::thread::sleep(GLANCE);
        }
    }
}

/// The outcome of other noise, with its repeated runs, while the window is painted as often as it wants to be.
fn in_the_window(window: &mut Window, seed: &mut u64) -> Arc<Outcome> {
    let before = window.harness.state().as_ref().and_then(Workspace::report).map(|report| report.request.job.signal.clone());
    if before.is_some() {
        *seed += 1;
        window.harness.get_by_role_and_label(Role::SpinButton, "Seed").set_value_accesskit(*seed as f64);
        window.due = Some(Instant::now());
    }
    loop {
        window.paint();
        let is_new = |job: &Job| before.as_ref().is_none_or(|before| !Arc::ptr_eq(before, &job.signal));
        let report = window.workspace().report().filter(|report| is_new(&report.request.job));
        if let Some(outcome) = report.and_then(|report| report.outcome()).filter(|outcome| !outcome.again.is_empty()) {
            return outcome.clone();
        }
    }
}

/// The outcome of the same where nobody looks on.
fn alone(engine: &Engine, request: &Request) -> Arc<Outcome> {
    // Another signal of the same values: what is known is not computed again.
    let signal = Arc::new((*request.job.signal).clone());
    engine.request(Request { job: Job { signal: signal.clone(), ..request.job.clone() }, view: request.view.clone() });
    loop {
        std::thread::sleep(GLANCE);
        let report = engine.latest().filter(|report| Arc::ptr_eq(&report.request.job.signal, &signal));
        if let Some(outcome) = report.as_ref().and_then(|report| report.outcome()).filter(|outcome| !outcome.again.is_empty()) {
            return outcome.clone();
        }
    }
}

/// Both medians with their intervals, and how much more the one with the window is.
fn tell(name: &str, shown: &[Vec<Times>], hidden: &[Vec<Times>], part: fn(&Times) -> f64) {
    let of = |rounds: &[Vec<Times>]| {
        let rounds: Vec<Vec<f64>> = rounds.iter().map(|round| round.iter().map(part).collect()).collect();
        Statistics::of(&rounds).unwrap()
    };
    let (shown, hidden) = (of(shown), of(hidden));
    let words = |statistics: &Statistics| {
        let [low, high] = statistics.interval;
        format!("{:.1} µs ({low:.1} to {high:.1})", statistics.median)
    };
    let percent = 100.0 * (shown.median / hidden.median - 1.0);
    println!("{name}: {} beside the window, {} without it: {percent:+.1} %, n = {}", words(&shown), words(&hidden), shown.n);
}

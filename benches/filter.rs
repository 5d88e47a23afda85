//! `cargo bench --bench filter`: from a moved shape to the new filtered image, as the pane *Filtered* asks for it, on the CPU;
//! `cargo bench --bench filter -- gpu` goes the way back on the GPU.
//!
//! A notch moves over the spectrum of a noise image; the forward transform is known, and the result is rendered for a pane of 800 × 800 pixels.

#![allow(clippy::unwrap_used, reason = "a bench that cannot go on has failed")]
#![allow(clippy::print_stdout, reason = "what it finds is for people")]

use papillon::bench::Statistics;
use papillon::display::DisplayFrame;
use papillon::engine::DeviceChoice;
use papillon::engine::filter::{FilterRequest, FilterStudies, FilterView};
use papillon::filter::MaskShape;
use papillon::prepare::Preparation;
use papillon::signal::ChannelChoice;
use papillon::signal::generate::{Generator, NoiseImage};
use papillon::transforms::Shape;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Sides of the images, and the times in milliseconds that two cores and an H200 are to take at most, where there is a goal.
const GOALS: [(usize, [Option<f64>; 2]); 4] =
    [(512, [Some(15.0), None]), (1024, [Some(50.0), None]), (2048, [None, Some(8.0)]), (4096, [Some(800.0), Some(25.0)])];
/// Moves of the notch; the first ones find nothing in the caches.
const MOVES: usize = 12;
/// The side of the pane in pixels.
const PANE: usize = 800;

fn main() {
    let go_on = AtomicBool::new(false);
    let on_gpu = std::env::args().any(|argument| argument == "gpu");
    let (device, machine) = if on_gpu { (DeviceChoice::Gpu, "an H200") } else { (DeviceChoice::CpuParallel, "two cores") };
    for (side, goals) in GOALS {
        let noise = NoiseImage { rows: side, columns: side, ..NoiseImage::default() };
        let signal = Arc::new(Generator::NoiseImage(noise).signal().unwrap());
        let frame = DisplayFrame { width: PANE, height: PANE, ..DisplayFrame::whole(Shape { rows: side, columns: side }) };
        let mut studies = FilterStudies::default();
        let mut move_to = |u: f64| {
            let request = FilterRequest {
                signal: signal.clone(),
                channel: ChannelChoice::Luma,
                preparation: Preparation::default(),
                device: device.clone(),
                mask: MaskShape::notch([u, 0.13], 0.03).into(),
                shows: FilterView::Result,
                frame: Some(frame),
                plot: None,
                finds: false,
            };
            let start = Instant::now();
            let shown = studies.show(&request, start, &go_on).unwrap();
            assert_eq!(shown.adapter.is_some(), on_gpu, "the other device filtered");
            start.elapsed().as_secs_f64() * 1e3
        };
        move_to(0.1);
        let times: Vec<f64> = (1..=MOVES).map(|step| move_to(0.1 + 0.02 * step as f64)).collect();
        let median = Statistics::of(&[times]).unwrap().median;
        let goal = goals[usize::from(on_gpu)].map_or_else(String::new, |goal| format!(" (goal on {machine}: {goal} ms)"));
        println!("{side} × {side}: {median:.1} ms a move{goal}");
    }
}

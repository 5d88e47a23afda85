//! `papillon bench --moves`: how fast a filtered image follows the mouse.

use super::BenchArguments;
use crate::bench::{MoveTimes, filter_moves};
use crate::cli::{Failure, interrupt, output, say};
use crate::numerals::number;
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Sides of the images where none are given.
const SIDES: [usize; 4] = [512, 1024, 2048, 4096];
/// Counted moves where no number is given.
const MOVES: usize = 12;

/// Times every size on every device, and prints a line for each.
pub(super) fn run(arguments: &BenchArguments) -> Result<(), Failure> {
    let cancel = Arc::new(AtomicBool::new(false));
    interrupt(&cancel);
    let mut sides: Vec<usize> = arguments.sizes.iter().flat_map(|sizes| sizes.each()).map(|size| size.columns).collect();
    if sides.is_empty() {
        sides = SIDES.to_vec();
    }
    let n_moves = arguments.repeat.map_or(MOVES, NonZeroUsize::get);
    say("from a moved notch to the filtered pixels of a pane of 800 × 800, the spectrum known; medians");
    let (mut text, mut devices) = (String::new(), arguments.device.clone());
    for side in sides {
        let mut seen = Vec::new();
        for device in std::mem::take(&mut devices) {
            let MoveTimes { adapter, millis, .. } = filter_moves(side, &device, n_moves, &cancel)?;
            // Without a GPU, auto is the CPU once more.
            if seen.contains(&adapter) {
                continue;
            }
            let [low, high] = millis.interval.map(|millis| number(millis, 3));
            let on = adapter.clone().unwrap_or_else(|| format!("CPU, {} threads", rayon::current_num_threads()));
            writeln!(text, "{side} × {side}: {} ms ({low} to {high}, {n_moves} moves) on {on}", number(millis.median, 3))
                .expect("a String takes any text");
            devices.push(device);
            seen.push(adapter);
        }
    }
    output::print(&text)
}

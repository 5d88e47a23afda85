//! How fast a filter follows the mouse: from a moved shape to the new filtered image, as the pane *Filtered* asks for it.

use super::statistics::Statistics;
use crate::display::DisplayFrame;
use crate::engine::filter::{FilterRequest, FilterStudy, FilterView};
use crate::engine::{DeviceChoice, EngineError, Store, asked};
use crate::filter::MaskShape;
use crate::prepare::Preparation;
use crate::signal::ChannelChoice;
use crate::signal::generate::{Generator, NoiseImage};
use crate::transforms::Shape;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The side of the pane in pixels.
const PANE: usize = 800;
/// Moves before the first that is counted, which find nothing in the caches.
const WARM_UP: usize = 2;

/// The times of a shape that moves.
#[derive(Debug, Clone, PartialEq)]
pub struct MoveTimes {
    /// Width and height of the image in pixels.
    pub side: usize,
    /// The adapter that went the way back; `None` for the CPU.
    pub adapter: Option<String>,
    /// From a moved shape to the pixels of the pane, in milliseconds.
    pub millis: Statistics,
}

/// Moves a notch over the spectrum of a noise image of `side` × `side` and shows the result in a pane of 800 × 800 pixels.
/// The forward transform belongs to the first move, which is not counted.
///
/// # Errors
/// When the device cannot filter it, or `cancel` is raised.
pub fn filter_moves(side: usize, device: &DeviceChoice, n_moves: usize, cancel: &AtomicBool) -> Result<MoveTimes, EngineError> {
    let noise = NoiseImage { rows: side, columns: side, ..NoiseImage::default() };
    let signal = Arc::new(Generator::NoiseImage(noise).signal().expect("noise has no text that could be wrong"));
    let pixels = PANE.min(side);
    let frame = DisplayFrame { width: pixels, height: pixels, ..DisplayFrame::whole(Shape { rows: side, columns: side }) };
    let (mut study, store, mut adapter) = (FilterStudy::default(), Store::default(), None);
    let mut move_to = |step: usize| {
        let request = FilterRequest {
            signal: signal.clone(),
            channel: ChannelChoice::Luma,
            preparation: Preparation::default(),
            device: device.clone(),
            mask: MaskShape::notch([0.1 + 0.3 * (step as f64 * 0.618).fract(), 0.13], 0.03).into(),
            shows: FilterView::Result,
            frame: Some(frame),
            shown: None,
            painted: None,
            plot: None,
            finds: false,
            probe: None,
            quality: false,
        };
        if cancel.load(Ordering::Relaxed) {
            return Err(EngineError::Cancelled);
        }
        let start = Instant::now();
        adapter = asked(&mut study, &request, &store)?.timed.and_then(|timed| timed.adapter);
        Ok(start.elapsed().as_secs_f64() * 1e3)
    };
    let times: Vec<f64> = (0..WARM_UP + n_moves.max(1)).map(&mut move_to).collect::<Result<_, EngineError>>()?;
    let millis = Statistics::of(&[times[WARM_UP..].to_vec()]).expect("at least one move is counted");
    Ok(MoveTimes { side, adapter, millis })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_is_filtered_and_timed() {
        let go_on = AtomicBool::new(false);
        let found = filter_moves(32, &DeviceChoice::CpuParallel, 3, &go_on).unwrap();
        assert_eq!((found.side, &found.adapter), (32, &None));
        assert!(found.millis.median > 0.0 && found.millis.median.is_finite());
        assert_eq!(filter_moves(32, &DeviceChoice::CpuParallel, 3, &AtomicBool::new(true)), Err(EngineError::Cancelled));
    }
}

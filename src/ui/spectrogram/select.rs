//! The frame under the pointer, as the part of the recording that other panes show.

use super::Fields;
use crate::prepare::{Outline, Region};
use crate::signal::Signal;
use crate::spectra::Frames;
use crate::ui::settings::FrameLength;

/// The frame whose middle is nearest to a sample.
pub(super) fn frame_at(frames: &Frames, n: usize, sample: f64) -> usize {
    let nearest = ((sample - frames.length as f64 / 2.0) / frames.hop as f64).round().max(0.0) as usize;
    nearest.min(frames.count(n).saturating_sub(1))
}

/// Selects the samples of a frame, and shows its spectrum with the value at a frequency.
pub(super) fn select_frame(fields: &mut Fields<'_>, frames: &Frames, frame: usize, signal: &Signal, frequency: f64) {
    let rows = signal.rows;
    *fields.region = Some(Region { x: frame * frames.hop, y: 0, width: frames.length, height: rows, outline: Outline::Rectangle });
    let spectrum = &mut *fields.spectrum;
    (spectrum.length, spectrum.window, spectrum.detrend, spectrum.padding) = (FrameLength::Whole, frames.window, frames.detrend, 1);
    spectrum.marks.bin = Some(frequency);
}

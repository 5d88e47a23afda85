//! The boxes of time and frequency of a recording, and how it is filtered by them.

use crate::filter::Effect;
use crate::spectra::{Frames, NamedBox, TimeFrequencyBox};
use std::ops::Range;

crate::choice! {
    /// The panel below the spectrogram.
    pub enum BoxView {
        /// Nothing: the boxes do not filter.
        #[default]
        Source = "Source";
        /// The recording after the filter of the boxes.
        Result = "Result";
        /// The recording without the result: what the filter takes away.
        Difference = "Difference";
    }
}

/// Steps of the spectrum of the filter that the narrowest band and the narrowest stroke have.
pub(crate) const NARROWEST: f64 = 2.5;

/// The boxes of time and frequency of a recording, and how it is filtered by them.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct BoxesLook {
    /// The boxes.
    pub list: Vec<NamedBox>,
    /// The one that is measured and has handles.
    pub selected: Option<usize>,
    /// Whether their panel is open, where that is chosen: otherwise it is once there are some.
    pub panel: Option<bool>,
    /// Whether a drag draws a box.
    pub is_tool: bool,
    /// Whether a drag draws a freehand stroke.
    pub is_brush: bool,
    /// The width of such a stroke on the screen in points.
    pub brush: f32,
    /// The panel below the spectrogram.
    pub view: BoxView,
    /// Samples of the frames whose spectra the boxes act on; `None` for those of the command line.
    pub length: Option<usize>,
}

impl Default for BoxesLook {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            selected: None,
            panel: None,
            is_tool: false,
            is_brush: false,
            brush: 16.0,
            view: BoxView::Source,
            length: None,
        }
    }
}

impl BoxesLook {
    /// The box that is selected.
    pub fn shown(&self) -> Option<(usize, &NamedBox)> {
        let index = self.selected?;
        Some((index, self.list.get(index)?))
    }

    /// Whether their panel is open. A tool does not open it, so that the picture stays where it is until a box is drawn.
    pub(crate) fn has_panel(&self) -> bool {
        self.panel.unwrap_or(!self.list.is_empty())
    }

    /// Adds a box and selects it.
    pub(crate) fn add(&mut self, own: NamedBox) {
        self.selected = Some(self.list.len());
        self.list.push(own);
    }

    /// Adds a band over some of `all` samples as a box, and shows what it leaves of them.
    pub(crate) fn add_band(&mut self, samples: Range<usize>, all: usize, cycles: [f64; 2], effect: Effect) {
        // Frames of the filter do not tell narrower ones apart.
        let (middle, least) = (cycles[0].midpoint(cycles[1]), NARROWEST / self.length(all) as f64);
        let half = 0.5 * (cycles[1] - cycles[0]).max(least);
        let lowest = if cycles[0] < 0.0 { -0.5 } else { 0.0 };
        let cycles = [(middle - half).max(lowest), (middle + half).min(0.5)];
        let part = TimeFrequencyBox { samples, cycles, effect, stroke: None };
        self.add(NamedBox { name: format!("Band {}", self.list.len() + 1), part });
        if self.view == BoxView::Source {
            self.view = BoxView::Result;
        }
    }

    /// Removes the selected box.
    pub(crate) fn remove(&mut self) {
        if let Some(index) = self.selected.take().filter(|index| *index < self.list.len()) {
            self.list.remove(index);
            self.selected = index.checked_sub(1).or((!self.list.is_empty()).then_some(0));
        }
    }

    /// Samples of a frame of the filter of so many samples.
    pub(crate) fn length(&self, samples: usize) -> usize {
        self.length.unwrap_or(Frames::of_spectrogram().length).min(samples)
    }
}

//! The boxes of time and frequency of a recording, and how it is filtered by them.

use crate::spectra::{Frames, NamedBox};

crate::choice! {
    /// What stands below the spectrogram.
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

/// The boxes of time and frequency of a recording, and how it is filtered by them.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct BoxesLook {
    /// The boxes.
    pub list: Vec<NamedBox>,
    /// The one that is measured and has handles.
    pub selected: Option<usize>,
    /// Whether a drag draws a box.
    pub is_tool: bool,
    /// What stands below the spectrogram.
    pub view: BoxView,
    /// Samples of the frames whose spectra the boxes act on; `None` for those of the command line.
    pub length: Option<usize>,
}

impl BoxesLook {
    /// The box that is selected.
    pub fn shown(&self) -> Option<(usize, &NamedBox)> {
        let index = self.selected?;
        Some((index, self.list.get(index)?))
    }

    /// Adds a box and selects it.
    pub(crate) fn add(&mut self, own: NamedBox) {
        self.selected = Some(self.list.len());
        self.list.push(own);
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

//! How two channels are measured against each other.

use crate::signal::ChannelChoice;
use crate::spectra::{Alignment, Estimator, Frames, Overlap};

crate::choice! {
    /// The view of the pane *Transfer*.
    pub enum TransferView {
        /// The magnitude of the transfer function in decibels.
        #[default]
        Gain = "Gain", "gain";
        /// Its phase in degrees.
        Phase = "Phase", "phase";
        /// The group delay: how long the envelope of each frequency takes.
        GroupDelay = "Group delay", "group-delay";
        /// The share of the output that the input explains, from 0 to 1.
        Coherence = "Coherence", "coherence";
        /// The response to an impulse.
        Impulse = "Impulse response", "impulse";
        /// The response to a step: the running sum of the impulse response.
        Step = "Step response", "step";
    }
}

/// The output y beside the input x, which is the channel that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum PairedWith {
    /// Another channel of the same recording or table.
    Channel(ChannelChoice),
    /// The same channel of the second signal, or its first where it lacks that one.
    Second,
}

/// How two channels are measured against each other.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct TransferLook {
    /// The output.
    pub with: PairedWith,
    /// The shown view.
    pub view: TransferView,
    /// Samples of a frame, half of which the next one has too.
    pub length: usize,
    /// The estimator.
    pub estimator: Estimator,
    /// Whether the frames of y are moved by a long delay.
    pub alignment: Alignment,
    /// Whether the phase goes on beyond 180°.
    pub unwraps: bool,
    /// Whether the delay of y to x is taken away.
    pub removes_delay: bool,
    /// Values of a lower coherence are dimmed.
    pub least: f64,
    /// Whether the lag comes from the phases alone.
    pub phat: bool,
    /// Whether the frequency axis is logarithmic.
    pub log_axis: bool,
}

impl Default for TransferLook {
    fn default() -> Self {
        Self {
            with: PairedWith::Channel(ChannelChoice::Channel(1)),
            view: TransferView::default(),
            length: Frames::default().length,
            estimator: Estimator::default(),
            alignment: Alignment::default(),
            unwraps: false,
            removes_delay: false,
            least: 0.5,
            phat: false,
            log_axis: false,
        }
    }
}

impl TransferLook {
    /// Whether frequencies are along the axis, and not times.
    pub fn is_over_frequency(&self) -> bool {
        !matches!(self.view, TransferView::Impulse | TransferView::Step)
    }

    /// The frames of some samples: fewer samples each where there would not be several.
    pub fn frames(&self, samples: usize) -> Frames {
        let length = self.length.min((samples / 2).max(2));
        Frames::new(length, Overlap::Share(0.5))
    }
}

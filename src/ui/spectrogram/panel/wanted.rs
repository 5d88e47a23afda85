//! The filters that boxes stand for.

use crate::engine::{BoxFilter, RecordingPart};
use crate::filter::Effect;
use crate::signal::ChannelChoice;
use crate::spectra::{Frames, TimeFrequencyBox};
use crate::ui::settings::BoxesLook;

/// The filter of all channels.
pub(super) fn filter(part: &RecordingPart, boxes: &BoxesLook) -> BoxFilter {
    let channels = match part.channel {
        ChannelChoice::Iq => vec![ChannelChoice::Iq],
        _ => (0..part.signal.channels.len()).map(ChannelChoice::Channel).collect(),
    };
    let own = boxes.list.iter().map(|own| own.part.moved(part.samples.start)).collect();
    let length = boxes.length(part.samples.len());
    BoxFilter { channels, samples: part.samples.clone(), boxes: own, length, rate: part.rate, precision: None }
}

/// The filter that leaves what a box of a part holds, as long as the box is.
pub(super) fn of_box(part: &RecordingPart, own: &TimeFrequencyBox, boxes: &BoxesLook) -> BoxFilter {
    let own = TimeFrequencyBox { effect: Effect::Pass, ..own.moved(part.samples.start) };
    let length = boxes.length(part.samples.len()).min(own.samples.len()).max(Frames::whole(2).length);
    BoxFilter { samples: own.samples.clone(), boxes: vec![own], length, ..filter(part, boxes) }
}

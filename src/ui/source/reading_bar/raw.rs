//! How samples without a header are stored: their type, the order of their bytes, whether they are complex, and the number of channels.

use crate::choice::Named as _;
use crate::signal::{RawFormat, ReadOptions, SampleType};
use crate::ui::widgets;
use egui::{DragValue, Ui};

/// Width of the list of types.
const TYPE_WIDTH: f32 = 128.0;
/// The most channels; more are typed on the command line.
const MOST_CHANNELS: u16 = 1024;

/// The controls; their values become those of `options` where one changes.
pub(in crate::ui) fn raw_ui(ui: &mut Ui, before: RawFormat, options: &mut ReadOptions) {
    let mut format = before;
    let sample_type = &mut format.encoding.sample_type;
    let types = SampleType::offered().into_iter().map(|(value, title, about)| (value, title.to_owned(), about.to_owned()));
    widgets::labelled(ui, "Samples", |ui| widgets::combo_of_width(ui, "Samples", TYPE_WIDTH, sample_type.title(), sample_type, types));
    ui.checkbox(&mut format.encoding.is_complex, "Complex").on_hover_text("A sample is a real and an imaginary part, one after the other");
    if format.encoding.sample_type.bytes() > 1 {
        ui.checkbox(&mut format.encoding.is_big_endian, "Big-endian").on_hover_text("The byte of the highest bits comes first");
    }
    widgets::labelled(ui, "Channels", |ui| {
        let channels = DragValue::new(&mut format.channels).range(1..=MOST_CHANNELS).speed(0.05);
        ui.add(channels).on_hover_text("Channels whose samples follow each other")
    });
    if format != before {
        options.raw = Some(format);
    }
}

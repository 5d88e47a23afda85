//! Spectra of recordings: frames, averages, calibrated quantities, peaks, tones, two channels, delays. Functions from samples to numbers with their units.
//!
//! Frame m begins at sample m·hop; nothing is padded at the ends. Samples are read a block at a time from a [`Track`](crate::signal::Track), and the
//! transforms are those of the library, or of whoever runs the rows of a batch: an algorithm on a device, for example.
//! All settings are data; nothing here knows a file, a window or a device.

mod average;
mod band;
mod boxes;
mod correlation;
mod cross;
mod error;
mod frames;
mod level;
mod peaks;
mod picture;
mod quantity;
mod real;
mod response;
mod rows;
mod selection;
mod spectrogram;
mod tone;
mod whole;

pub use average::{Average, Averaged, averaged};
pub use band::{BandContents, band};
pub use boxes::{
    BOX_COLUMNS, BoxFormat, BoxMeasures, BoxStroke, Boxed, NamedBox, ReadBoxes, RecordingExtent, TimeFrequencyBox, WrittenBox,
    WrittenStroke, box_measures, box_row, box_table, boxed, earlier_metadata, read_boxes, write_boxes,
};
pub use correlation::{Correlation, correlate};
pub use cross::{Alignment, CrossSpectrum, Delay, Estimator, aligned_cross, cross};
pub use error::SpectraError;
pub use frames::{FrameError, Frames, Overlap, Rate};
pub use level::{Level, level};
pub use peaks::{TonePeak, tone_peaks};
pub use picture::{Legend, frequency_ticks, plot_area, spectrogram_figure, spectrum_figure, time_ticks};
pub use quantity::{Calibration, Quantity, Reference};
pub use real::Real;
pub use response::{DecayTimes, decay_times, impulse_response};
pub use rows::{Batch, RowTransform, SpectraJob, precision_of};
pub use selection::{Place, Selection};
pub use spectrogram::{
    Blocks, Forgetting, FrequencyAxis, FrequencyScale, Method, Pool, Pooled, Running, Spectrogram, StreamRow, TimeAxis, Trace,
    counted_rows, note, pooled, pooled_from, pooled_rows, spectrogram, wavelet_facts, wavelet_resolution,
};
pub use tone::{Tone, ToneRequest, tone};
pub use whole::{Whole, whole};

#[cfg(test)]
mod tests;

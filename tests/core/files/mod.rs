//! Files of every format, compared with independent encoders and decoders; round trips; and damaged files.

mod broken;
mod dicom;
mod fits;
mod formats;
mod images;
mod nifti;
mod packed;
mod pixmaps;
mod recordings;
mod refusals;
mod round_trip;
mod tables;

use papillon::remedy::{Remedy, with_remedies};
use papillon::signal::{FileError, ReadOptions, Reading, Samples, Signal, load_bytes, load_bytes_as};
use std::path::PathBuf;

/// Number of rows of the images that `tests/data/make.py` writes.
pub(crate) const ROWS: usize = 18;
/// Number of columns of these images.
pub(crate) const COLUMNS: usize = 21;

/// Path of a fixture.
pub(crate) fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// A fixture, loaded.
pub(crate) fn load(name: &str) -> Signal {
    papillon::signal::load(data(name)).unwrap_or_else(|error| panic!("{error}"))
}

/// The values of a formula over all pixels.
pub(crate) fn pixels<T>(value: impl Fn(usize, usize) -> T) -> Vec<T> {
    (0..ROWS * COLUMNS).map(|index| value(index / COLUMNS, index % COLUMNS)).collect()
}

/// The 8-bit images of `make.py`.
pub(crate) fn bytes(plane: usize) -> Vec<u8> {
    pixels(|r, c| ((37 * r + 11 * c + 71 * plane) % 256) as u8)
}

/// The 16-bit images of `make.py`.
pub(crate) fn words(plane: usize) -> Vec<u16> {
    pixels(|r, c| ((4099 * r + 257 * c + 9001 * plane) % 65536) as u16)
}

/// The float images of `make.py`, exact in single precision.
pub(crate) fn floats() -> Vec<f32> {
    words(0).iter().map(|&w| f32::from(w) / 256.0 - 100.0).collect()
}

/// Names of the channels, in order.
pub(crate) fn names(signal: &Signal) -> Vec<&str> {
    signal.channels.iter().map(|channel| channel.name.as_str()).collect()
}

/// The samples of all channels.
pub(crate) fn samples(signal: &Signal) -> Vec<&Samples> {
    signal.channels.iter().map(|channel| &channel.samples).collect()
}

/// Bytes, loaded.
pub(crate) fn read(name: &str, bytes: &[u8]) -> Signal {
    load_bytes(name, bytes).unwrap_or_else(|error| panic!("{error}"))
}

/// Bytes, read as a person decides.
pub(crate) fn read_as(name: &str, bytes: &[u8], options: ReadOptions) -> Result<Signal, FileError> {
    load_bytes_as(name, bytes, &Reading { options, ..Reading::default() })
}

/// The message of a file that must be refused, with its advice.
pub(crate) fn refusal(name: &str, bytes: &[u8]) -> String {
    match load_bytes(name, bytes) {
        Ok(signal) => panic!("{name} was read as {signal}"),
        Err(error) => with_remedies(&error, |remedy| match remedy {
            Remedy::Advice(advice) => (*advice).to_owned(),
            other => format!("{other:?}"),
        }),
    }
}

/// The values of all channels.
pub(crate) fn values(signal: &Signal) -> Vec<Vec<f64>> {
    signal.channels.iter().map(|channel| channel.samples.to_f64()).collect()
}

/// Whether a note has a word.
pub(crate) fn says(signal: &Signal, word: &str) -> bool {
    signal.notes.iter().any(|note| note.text.contains(word))
}

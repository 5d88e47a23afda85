//! Files of every format, compared with independent encoders and decoders; round trips; and damaged files.

mod broken;
mod formats;
mod recordings;
mod round_trip;
mod tables;

use papillon::signal::{Samples, Signal};
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

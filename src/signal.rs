//! What is transformed: a line of samples, a batch of rows, or a picture, with what its file said about it.
//!
//! Samples are kept as the file stores them; a [`Plane`](Signal::plane) in `f32` or complex is made only when a transform asks for one.
//! This module knows files and numbers, and nothing of plans, devices or windows.

use num_complex::{Complex32, Complex64};

/// Samples of one channel, as stored: the variant is the type in the file.
#[derive(Debug, Clone, PartialEq)]
pub enum Samples {
    /// 8-bit pictures, 0..=255.
    U8(Vec<u8>),
    /// 16-bit pictures, 0..=65535.
    U16(Vec<u16>),
    /// 32-bit integers.
    I32(Vec<i32>),
    /// 64-bit integers.
    I64(Vec<i64>),
    /// Single precision; audio and float pictures.
    F32(Vec<f32>),
    /// Double precision.
    F64(Vec<f64>),
    /// Single-precision complex numbers.
    Complex32(Vec<Complex32>),
    /// Double-precision complex numbers.
    Complex64(Vec<Complex64>),
}

/// What the two axes of a signal mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `rows` independent lines of `columns` samples (one row: a single signal).
    Lines,
    /// A picture of `rows` × `columns` pixels, row 0 at the top.
    Picture,
}

/// One channel: its name and `rows · columns` samples, row after row.
#[derive(Debug, Clone, PartialEq)]
pub struct Channel {
    /// "red", "gray", "left", the header of a CSV column, …
    pub name: String,
    /// The samples, row-major.
    pub samples: Samples,
}

/// A signal as loaded or generated.
#[derive(Debug, Clone, PartialEq)]
pub struct Signal {
    /// File name or description of the generator, for titles.
    pub name: String,
    /// Meaning of the axes.
    pub kind: Kind,
    /// Number of rows (axis 0).
    pub rows: usize,
    /// Number of columns (axis 1): the length of a line.
    pub columns: usize,
    /// At least one channel, all of the same shape.
    pub channels: Vec<Channel>,
    /// Samples per second of audio, where the file says so.
    pub sample_rate_hz: Option<f64>,
    /// What the reader should know about the decoding (palette expanded, alpha ignored, …), a sentence each.
    pub notes: Vec<String>,
}

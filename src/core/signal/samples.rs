//! Samples with the type that the file stores, channels of them, and the signal that they make.

use super::{Axis, AxisUnit, Note, Pages, Pcm, PixelSize, RawFormat, SampleType, Sampling, TableFacts};
use crate::numerals::{counted, integer, number};
use num_complex::{Complex32, Complex64};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// The samples of one channel, in the type that the file stores.
#[derive(Debug, Clone, PartialEq)]
pub enum Samples {
    /// 8-bit images, 0..=255.
    U8(Vec<u8>),
    /// 16-bit images, 0..=65535.
    U16(Vec<u16>),
    /// 32-bit integers.
    I32(Vec<i32>),
    /// 64-bit integers.
    I64(Vec<i64>),
    /// Single precision; audio and float images.
    F32(Vec<f32>),
    /// Double precision.
    F64(Vec<f64>),
    /// Single-precision complex numbers.
    Complex32(Vec<Complex32>),
    /// Double-precision complex numbers.
    Complex64(Vec<Complex64>),
    /// Samples of a recording, in the bytes of its file; full-scale integers are ±1.
    Pcm(Pcm),
}

/// The meaning of the two axes of a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignalKind {
    /// Every row is a signal of its own; a recording has one row.
    Rows,
    /// An image of `rows` × `columns` pixels, row 0 at the top.
    Image,
}

/// One channel: its name and its samples, rows × columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Channel {
    /// "red", "gray", "left", the header of a CSV column, …
    pub name: String,
    /// The samples, row after row.
    pub samples: Samples,
    /// The unit of the samples, such as "°C", where the file says it.
    pub unit: Option<String>,
    /// Stretches of samples that the file does not have and that were filled, in ascending order.
    pub missing: Vec<Range<usize>>,
    /// The values at the stored positions of the axis, where the samples were made for even steps; not a number where the file has none.
    pub as_stored: Option<Arc<[f64]>>,
}

/// A signal or an image, loaded or generated.
#[derive(Debug, Clone, PartialEq)]
pub struct Signal {
    /// File name or description of the generator, for titles.
    pub name: String,
    /// The meaning of the axes.
    pub kind: SignalKind,
    /// Number of rows (axis 0).
    pub rows: usize,
    /// Number of columns (axis 1).
    pub columns: usize,
    /// At least one channel, all of the same shape.
    pub channels: Vec<Channel>,
    /// When or where the samples of a row were taken, where it is known; images have none.
    pub axis: Option<Axis>,
    /// Size of a pixel of an image, where the file has one.
    pub pixel_size: Option<PixelSize>,
    /// Bits of a sample in the file, where it holds integers that are read as fractions.
    pub stored_bits: Option<u32>,
    /// How samples without a header are stored, as a person said or the ending of the file does; `None` for all other files.
    pub raw: Option<RawFormat>,
    /// The content of a table and the decisions about it; `None` for other files, and for tables with nothing to decide.
    pub table: Option<Arc<TableFacts>>,
    /// Notes on the reading: what was decided first, then what was changed (a palette expanded, alpha left out, …).
    pub notes: Vec<Note>,
    /// The page of the file, where it has several.
    pub pages: Option<Pages>,
    /// How many samples a person has drawn; these are not those of the file.
    pub drawn: usize,
    /// The frequency in Hz that is at 0 of complex samples, where the file says it.
    pub centre_hz: Option<f64>,
}

impl Samples {
    /// Number of samples.
    pub fn len(&self) -> usize {
        match self {
            Self::U8(v) => v.len(),
            Self::U16(v) => v.len(),
            Self::I32(v) => v.len(),
            Self::I64(v) => v.len(),
            Self::F32(v) => v.len(),
            Self::F64(v) => v.len(),
            Self::Complex32(v) => v.len(),
            Self::Complex64(v) => v.len(),
            Self::Pcm(v) => v.len(),
        }
    }

    /// Whether it has no samples.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the samples are complex numbers.
    pub fn is_complex(&self) -> bool {
        match self {
            Self::Pcm(v) => v.is_complex(),
            _ => matches!(self, Self::Complex32(_) | Self::Complex64(_)),
        }
    }

    /// Whether single precision does not hold every sample.
    pub fn is_double(&self) -> bool {
        match self {
            Self::Pcm(v) => v.is_double(),
            _ => matches!(self, Self::F64(_) | Self::Complex64(_) | Self::I32(_) | Self::I64(_)),
        }
    }

    /// The samples in an array of their own type, which for those of a recording are floats.
    pub fn in_array(&self) -> Cow<'_, Self> {
        if let Self::Pcm(v) = self { Cow::Owned(v.to_numbers()) } else { Cow::Borrowed(self) }
    }

    /// Whether the samples are integers, so that their integer transforms are exact.
    pub fn is_integer(&self) -> bool {
        matches!(self, Self::U8(_) | Self::U16(_) | Self::I32(_) | Self::I64(_))
    }

    /// The sample at an index; `None` past the end.
    pub fn value(&self, index: usize) -> Option<Complex64> {
        let real = match self {
            Self::U8(v) => f64::from(*v.get(index)?),
            Self::U16(v) => f64::from(*v.get(index)?),
            Self::I32(v) => f64::from(*v.get(index)?),
            Self::I64(v) => *v.get(index)? as f64,
            Self::F32(v) => f64::from(*v.get(index)?),
            Self::F64(v) => *v.get(index)?,
            Self::Complex32(v) => return v.get(index).map(|z| Complex64::new(z.re.into(), z.im.into())),
            Self::Complex64(v) => return v.get(index).copied(),
            Self::Pcm(v) => return v.value(index),
        };
        Some(real.into())
    }

    /// The type in words, such as "8-bit" or "complex float (2 × 32-bit)".
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::U8(_) => "8-bit",
            Self::U16(_) => "16-bit",
            Self::I32(_) => "32-bit integer",
            Self::I64(_) => "64-bit integer",
            Self::F32(_) => "32-bit float",
            Self::F64(_) => "64-bit float",
            Self::Complex32(_) => "complex float (2 × 32-bit)",
            Self::Complex64(_) => "complex float (2 × 64-bit)",
            Self::Pcm(v) => match (v.encoding().sample_type, v.is_complex()) {
                (SampleType::U8 | SampleType::S8, false) => "fractions of 8 bits",
                (SampleType::S16, false) => "fractions of 16 bits",
                (SampleType::S24, false) => "fractions of 24 bits",
                (SampleType::S32, false) => "fractions of 32 bits",
                (SampleType::F32, false) => "32-bit float",
                (SampleType::F64, false) => "64-bit float",
                (SampleType::ALaw, false) => "A-law",
                (SampleType::MuLaw, false) => "µ-law",
                (SampleType::U8 | SampleType::S8 | SampleType::ALaw | SampleType::MuLaw, true) => "complex (2 × 8-bit)",
                (SampleType::S16, true) => "complex (2 × 16-bit)",
                (SampleType::S24, true) => "complex (2 × 24-bit)",
                (SampleType::S32, true) => "complex (2 × 32-bit)",
                (SampleType::F32, true) => "complex float (2 × 32-bit)",
                (SampleType::F64, true) => "complex float (2 × 64-bit)",
            },
        }
    }
}

impl SignalKind {
    /// Whether the rows and columns are those of an image.
    pub fn is_image(self) -> bool {
        self == Self::Image
    }

    /// The size in words: width × height of an image, as people write it, otherwise rows × columns.
    pub fn size(self, rows: usize, columns: usize) -> String {
        match self {
            Self::Image => format!("{} × {} px", integer(columns), integer(rows)),
            Self::Rows => format!("{} × {}", integer(rows), integer(columns)),
        }
    }

    /// "signal" or "image", for messages.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Rows => "signal",
            Self::Image => "image",
        }
    }
}

impl Channel {
    /// A channel of this name.
    pub fn new(name: impl Into<String>, samples: Samples) -> Self {
        Self { name: name.into(), samples, unit: None, missing: Vec::new(), as_stored: None }
    }

    /// Other samples at the same places: the name, the unit and the marks of filled samples stay.
    #[must_use]
    pub fn with_samples(&self, samples: Samples) -> Self {
        Self { name: self.name.clone(), samples, unit: self.unit.clone(), missing: self.missing.clone(), as_stored: None }
    }

    /// The name with the unit, as an axis carries it: "voltage (V)".
    pub fn label(&self) -> String {
        match &self.unit {
            Some(unit) => format!("{} ({unit})", self.name),
            None => self.name.clone(),
        }
    }
}

impl Signal {
    /// A signal of one row and one channel, named "value".
    pub fn row(name: impl Into<String>, samples: Samples) -> Self {
        let columns = samples.len();
        Self::from_channels(name, SignalKind::Rows, (1, columns), vec![Channel::new("value", samples)])
    }

    /// A signal of `shape` (rows, columns), without sample rate and notes.
    ///
    /// # Panics
    /// When there is no channel, or one does not have rows · columns samples.
    pub fn from_channels(name: impl Into<String>, kind: SignalKind, shape: (usize, usize), channels: Vec<Channel>) -> Self {
        let (rows, columns) = shape;
        assert!(!channels.is_empty(), "a signal has at least one channel");
        for channel in &channels {
            assert_eq!(channel.samples.len(), rows * columns, "channel “{}” of a signal of {rows} × {columns}", channel.name);
        }
        Self {
            name: name.into(),
            kind,
            rows,
            columns,
            channels,
            axis: None,
            pixel_size: None,
            stored_bits: None,
            raw: None,
            table: None,
            notes: Vec::new(),
            pages: None,
            drawn: 0,
            centre_hz: None,
        }
    }

    /// Whether samples have more bits than single precision keeps; the CPU computes such signals in double precision.
    pub fn is_double(&self) -> bool {
        self.channels.first().is_some_and(|channel| channel.samples.is_double())
    }

    /// The signal with its samples in arrays of their own types.
    #[must_use]
    pub fn in_arrays(mut self) -> Self {
        for channel in &mut self.channels {
            if let Samples::Pcm(stored) = &channel.samples {
                channel.samples = stored.to_numbers();
            }
        }
        self
    }

    /// Number of samples of one channel: rows · columns.
    pub fn len(&self) -> usize {
        self.rows * self.columns
    }

    /// Whether it has no samples. [`load`](crate::signal::load()) returns at least one.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the samples are complex numbers.
    pub fn is_complex(&self) -> bool {
        self.channels.iter().any(|channel| channel.samples.is_complex())
    }

    /// Whether the first three channels are red, green and blue.
    pub fn is_colour(&self) -> bool {
        let names = ["red", "green", "blue"];
        self.channels.len() >= 3 && self.channels.iter().zip(names).all(|(channel, name)| channel.name == name)
    }

    /// One line for titles, such as "1024 × 768 px image, 8-bit RGB".
    pub fn description(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.channels.first() else {
            return write!(f, "nothing");
        };
        match (self.kind, self.rows) {
            (SignalKind::Image, _) => write!(f, "{} image, ", self.kind.size(self.rows, self.columns))?,
            (SignalKind::Rows, 1) => write!(f, "{}, ", counted(self.columns, "sample"))?,
            (SignalKind::Rows, _) => write!(f, "{} of {}, ", counted(self.rows, "signal"), counted(self.columns, "sample"))?,
        }
        match self.stored_bits {
            Some(bits) => write!(f, "{bits}-bit")?,
            None => write!(f, "{}", first.samples.type_name())?,
        }
        match (self.kind, self.channels.len()) {
            (SignalKind::Image, 3) if self.is_colour() => write!(f, " RGB")?,
            (SignalKind::Image, 1) if first.name == "gray" => write!(f, " gray")?,
            (_, 1) => {}
            (_, n) => write!(f, ", {n} channels")?,
        }
        if let Some(size) = self.pixel_size {
            write!(f, ", pixels of {size}")?;
        }
        match self.sampling() {
            Some(Sampling { per_unit: rate, unit: AxisUnit::Second }) => {
                write!(f, ", {} Hz, {:.3} s", number(rate, 9), self.columns as f64 / rate)?;
            }
            Some(sampling) => {
                write!(f, ", {sampling}, {}", sampling.unit.amount(self.columns as f64 / sampling.per_unit, 6))?;
            }
            None => {}
        }
        if self.drawn > 0 {
            write!(f, ", edited: {}", counted(self.drawn, "value"))?;
        }
        Ok(())
    }
}

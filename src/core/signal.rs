//! The input of transforms: a recording, a batch of rows, or an image, read from a file or generated.
//!
//! Samples keep the type that the file stores; they are converted to `f32` or complex numbers when a transform asks for them.
//! This module knows files and numbers, but no plans, devices or windows.
//!
//! ```
//! use papillon_core::signal::{ChannelChoice, Samples, Signal, generate::GENERATORS, load_bytes};
//!
//! // A generated signal: one row of 1024 samples, one channel.
//! let sines = (GENERATORS[0].default)().signal()?;
//! assert_eq!((sines.rows, sines.columns, sines.channels.len()), (1, 1024, 1));
//! let samples: Vec<f32> = sines.samples_f32(ChannelChoice::Luma)?;
//! assert_eq!(samples.len(), 1024);
//!
//! // A signal from the bytes of a file; `load` takes a path. The content tells the format.
//! let signal = load_bytes("stereo.csv", b"left,right\n1,4\n2,5\n3,6\n")?;
//! assert_eq!(signal.channels[1].name, "right");
//! let right: ChannelChoice = "2".parse()?;
//! assert_eq!(signal.samples_f32(right)?, [4.0, 5.0, 6.0]);
//!
//! // A signal of one's own, written as CSV.
//! let mut file = Vec::new();
//! let format = papillon_core::signal::OutputFormat::of_ending("csv").expect("CSV is written");
//! papillon_core::signal::write(&mut file, &Signal::row("mine", Samples::I32(vec![1, 0, -1])), format)?;
//! assert_eq!(file, b"value\n1\n0\n-1\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod axis;
mod axis_unit;
mod background;
pub mod built_in;
mod channel;
mod content;
mod conversion;
mod dates;
pub mod drawing;
mod encoding;
mod error;
mod formats;
pub mod generate;
mod load;
mod memory;
mod name;
mod pages;
mod pcm;
mod pixel_size;
mod raw_format;
mod reading;
mod replace;
mod resize;
mod samples;
mod sampling;
mod save;
mod scaling;
mod stored;
mod stored_integers;
mod stream;
pub mod system;
mod table;
mod track;
mod wave;

pub use axis::{Axis, Stamped};
pub use axis_unit::AxisUnit;
pub use channel::{ChannelChoice, NoSuchChannel, PackedBits, UnknownChannel};
pub use dates::DateTick;
pub use encoding::{Encoding, SampleType};
pub use error::one_line;
pub use error::{Cause, FileError, Misfit};
pub use formats::{
    DEFAULT_RATE_HZ, FORMATS, FileFormat, Holds, OutputFormat, RIGHT_SIDE_NOTE, SYSTEM_NOTE, encode_image_png, write_image_png, write_npz,
};
pub use load::{load, load_as, load_bytes, load_bytes_as, load_stream};
pub use memory::{address_space_left, limit as memory_limit};
pub use name::{fitting_name, short_name};
pub use pages::{PageKind, Pages};
pub use pcm::Pcm;
pub use pixel_size::{PixelSize, PixelUnit};
pub use raw_format::RawFormat;
pub use reading::{Reading, Watch};
pub use replace::{Updated, read_own, remove_unfinished, replace, update};
pub use resize::{picked, picks};
pub use samples::{Channel, Samples, Signal, SignalKind};
pub use sampling::Sampling;
pub use save::{save, write};
pub use scaling::times_power_of_two;
pub use stored_integers::{IntegerFormat, IntegerMeaning, StoredIntegers};
pub use stream::{SampleStream, StreamForm};
pub use system::{System, SystemError};
pub use table::{
    ColumnFacts, ColumnKind, DecimalMark, Layout, Missing, Note, ReadOptions, TableFacts, TimeChoice, Uneven, seconds_of_clock,
};
pub use track::Track;
pub use wave::Wave;

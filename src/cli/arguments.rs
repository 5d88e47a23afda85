//! The words of the command line; every help text stands here, and nothing is done here.

use crate::display::{Colormap, Quantity, Scale};
use crate::engine::{Cut, DeviceChoice};
use crate::signal::{OutputFormat, View, Window};
use crate::transforms::{Axes, Shape};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::str::FromStr;

/// Fast transforms at work: the flow graph of the algorithm that ran, its spectrum, its picture and its timing.
///
/// Without a command the window opens, with the files given; without a display the same workspace is written to ./papillon.png.
#[derive(Debug, Parser)]
#[command(name = "papillon", version, args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    /// Pictures, recordings or arrays to open in the window.
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// The transforms and their algorithms.
    List(ListArguments),
    /// Transforms a file and writes the values.
    ///
    /// Files hold results in natural order, whatever order the algorithm leaves them in.
    Transform(TransformArguments),
    /// Writes the picture of the spectrum of a picture.
    ///
    /// Index (0, 0) stands in the middle, at [rows/2, columns/2]; the smallest value is black, the largest white.
    Spectrum(SpectrumArguments),
}

#[derive(Debug, Args)]
pub(super) struct ListArguments {
    /// For programs: JSON on standard output.
    #[arg(long)]
    pub(super) json: bool,
}

/// Where the work is done, by which algorithm.
#[derive(Debug, Args)]
pub(super) struct Way {
    /// One of the algorithms in `papillon list`; without it the fastest for this size and device is taken, and said.
    #[arg(short, long, value_name = "NAME")]
    pub(super) algorithm: Option<String>,
    /// auto (a hardware GPU if there is one, else the CPU), gpu, cpu, cpu-parallel, or an adapter's index or name in `papillon devices`.
    #[arg(short, long, default_value = "auto")]
    pub(super) device: DeviceChoice,
}

#[derive(Debug, Args)]
pub(super) struct TransformArguments {
    /// NPY, NPZ, CSV, TSV, WAV, FLAC, MP3, OGG, PNG, JPEG, TIFF, BMP, WebP or GIF.
    pub(super) input: PathBuf,
    /// One of the transforms in `papillon list`.
    #[arg(short, long, value_name = "NAME")]
    pub(super) transform: String,
    #[command(flatten)]
    pub(super) way: Way,
    /// From the spectrum back, divided by the number of values.
    #[arg(long)]
    pub(super) inverse: bool,
    /// Which channel: luma, red, green, blue, or a number from 1.
    #[arg(long, default_value = "luma")]
    pub(super) channel: View,
    /// Crops, or pads with zeros at the end, to N values a row, or to ROWSxCOLUMNS.
    #[arg(long, value_name = "SIZE")]
    pub(super) size: Option<Size>,
    #[command(flatten)]
    pub(super) output: ValuesOutput,
}

/// A file of values.
#[derive(Debug, Args)]
pub(super) struct ValuesOutput {
    /// A file that ends in .npy, .csv, .png, .tiff or .wav, or - for standard output.
    #[arg(short, long, value_name = "OUTPUT")]
    pub(super) output: PathBuf,
    /// The format on standard output: npy, csv, png, tiff or wav.
    #[arg(long, default_value = "npy", value_name = "FORMAT")]
    pub(super) format: OutputFormat,
}

#[derive(Debug, Args)]
pub(super) struct SpectrumArguments {
    /// PNG, JPEG, TIFF, BMP, WebP, GIF, or a two-dimensional array as NPY, NPZ, CSV or TSV.
    pub(super) image: PathBuf,
    /// log (log10(1 + |X|)), db, linear, sqrt, power or phase.
    #[arg(long, default_value = "log")]
    pub(super) scale: SpectrumScale,
    /// Leaves index (0, 0) in the top left corner.
    #[arg(long)]
    pub(super) no_shift: bool,
    /// gray, viridis, magma, inferno, plasma, cividis, sinebow or rdbu.
    #[arg(long, default_value = "gray")]
    pub(super) colormap: Colormap,
    /// luma, red, green, blue, or a number from 1.
    #[arg(long, default_value = "luma")]
    pub(super) channel: View,
    /// none, hann, hamming or blackman; multiplies the picture along both axes, against the cross that its borders make.
    #[arg(long, default_value = "none")]
    pub(super) window: Window,
    #[command(flatten)]
    pub(super) way: Way,
    /// A file that ends in .png, or - for standard output.
    #[arg(short, long, value_name = "OUTPUT.png")]
    pub(super) output: PathBuf,
}

/// What `spectrum` shows of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
pub(super) enum SpectrumScale {
    Log,
    Db,
    Linear,
    Sqrt,
    Power,
    Phase,
}

impl SpectrumScale {
    /// In the words of the display.
    pub(super) fn look(self) -> (Quantity, Scale) {
        match self {
            Self::Log => (Quantity::Magnitude, Scale::Log),
            Self::Db => (Quantity::Magnitude, Scale::Db),
            Self::Linear => (Quantity::Magnitude, Scale::Linear),
            Self::Sqrt => (Quantity::Magnitude, Scale::Sqrt),
            Self::Power => (Quantity::Power, Scale::Linear),
            Self::Phase => (Quantity::Phase, Scale::Linear),
        }
    }
}

/// `1024`, `2^10`, or `ROWSxCOLUMNS` of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) rows: Option<usize>,
    pub(super) columns: usize,
}

impl Size {
    /// The shape that a transform along `axes` takes: one number means one row, or a square.
    pub(super) fn shape(self, axes: Axes) -> Shape {
        let rows = match axes {
            Axes::Rows => 1,
            Axes::Both => self.columns,
        };
        Shape { rows: self.rows.unwrap_or(rows), columns: self.columns }
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(['x', '×']) {
            Some((rows, columns)) => Ok(Self { rows: Some(number(rows)?), columns: number(columns)? }),
            None => Ok(Self { rows: None, columns: number(text)? }),
        }
    }
}

/// A number above 0, in digits or as a power of two.
fn number(text: &str) -> Result<usize, String> {
    let value = match text.trim().split_once('^') {
        Some(("2", exponent)) => exponent.parse().ok().and_then(|exponent| 1_usize.checked_shl(exponent)).filter(|&value| value > 0),
        Some(_) => None,
        None => text.trim().parse().ok(),
    };
    value.filter(|&value| value > 0).ok_or_else(|| format!("'{text}' is no size: take a number above 0 as 1024 or 2^10, or ROWSxCOLUMNS"))
}

/// How a plan is cut into launches: `tiles`, `tiles:LANES` or `stages`.
pub(super) fn cut(text: &str) -> Result<Cut, String> {
    match text.split_once(':') {
        None if text == "tiles" => Ok(Cut::Tiles),
        None if text == "stages" => Ok(Cut::Stages),
        Some(("tiles", lanes)) => Ok(Cut::TilesOf(number(lanes)?)),
        _ => Err(format!("'{text}' is no schedule: take tiles, tiles:LANES or stages")),
    }
}

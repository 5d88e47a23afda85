//! The words of the command line; every help text stands here, and nothing is done here.

mod bench;
mod logic;
mod snapshot;
mod solve;
mod threshold;
mod tune;

pub(super) use bench::BenchArguments;
pub(super) use logic::LogicArguments;
pub(super) use snapshot::{SnapshotArguments, ThemeName};
pub(super) use solve::SolveArguments;
pub(super) use threshold::ThresholdArguments;
pub(super) use tune::TuneArguments;

use super::basis::BasisArguments;
use super::cutting::CutArguments;
use super::parameters::{NumberArguments, ParameterArguments};
use crate::display::{Colormap, Quantity, Scale};
use crate::engine::{Cut, DeviceChoice};
use crate::graph;
use crate::schedule::SplitAndMerge;
use crate::signal::{OutputFormat, View, Window};
use crate::transforms::{Axes, Shape};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;
use strum::{IntoEnumIterator as _, VariantNames};

/// Fast transforms at work: the flow graph of the algorithm that ran, its spectrum, its picture and its timing.
///
/// Without a command the window opens, with the files given; without a display the same workspace is written to ./papillon.png.
#[derive(Debug, Parser)]
#[command(name = "papillon", version, args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    /// Pictures, recordings or arrays to open in the window, or a function as 'f:x1 & x2'.
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// The GPUs and what they can do, the default one marked.
    Devices(ListArguments),
    /// The transforms and their algorithms.
    List(ListArguments),
    /// Transforms a file and writes the values.
    ///
    /// Files hold results in natural order, whatever order the algorithm leaves them in.
    Transform(TransformArguments),
    /// Convolves two signals row by row: dyadic, z[t] = Σ f[x]·g[x XOR t], of rows of 2^n values, or cyclic, z[t] = Σ f[x]·g[(t − x) mod N], of any length.
    Convolve {
        /// A file of samples, as for `transform`.
        #[arg(value_name = "F")]
        first: PathBuf,
        /// Another one of the same size, or one row that every row of the first is convolved with.
        #[arg(value_name = "G")]
        second: PathBuf,
        #[command(flatten)]
        arguments: ConvolutionArguments,
    },
    /// Correlates every row with itself: dyadic, Σ f[x]·f[x XOR t], of 2^n values, or cyclic, Σ f[(x + t) mod N]·f[x], of any length.
    Autocorrelate {
        /// A file of samples, as for `transform`.
        #[arg(value_name = "F")]
        input: PathBuf,
        #[command(flatten)]
        arguments: ConvolutionArguments,
    },
    Solve(SolveArguments),
    /// Writes the picture of the spectrum of a picture.
    ///
    /// Index (0, 0) stands in the middle, at [rows/2, columns/2]; the smallest value is black, the largest white.
    Spectrum(SpectrumArguments),
    /// Writes the flow graph of an algorithm, as a picture or as data.
    ///
    /// The graph is drawn from the plan that runs; JSON holds every stage as a list of edges.
    Graph(GraphArguments),
    Logic(LogicArguments),
    Threshold(ThresholdArguments),
    /// Writes a picture of the window, without a display.
    Snapshot(SnapshotArguments),
    Bench(BenchArguments),
    Tune(TuneArguments),
}

/// The highest sampling rate that a WAV may say: its header has 32 bits for the bytes of a second, of some channels.
const MOST_HERTZ: u32 = 100_000_000;

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
    /// auto (a hardware GPU if there is one, else the CPU), gpu, cpu, cpu-strided, cpu-parallel, or an adapter's index or name in `papillon devices`.
    #[arg(short, long, default_value = "auto")]
    pub(super) device: DeviceChoice,
    #[command(flatten)]
    pub(super) numbers: NumberArguments,
}

#[derive(Debug, Args)]
pub(super) struct TransformArguments {
    /// NPY, NPZ, CSV, TSV, MTX, PLA, WAV, FLAC, MP3, OGG, PNG, JPEG, TIFF, BMP, WebP or GIF; or a function as 'f:x1 & x2' (see papillon logic --help).
    pub(super) input: PathBuf,
    /// One of the transforms in `papillon list`.
    #[arg(short, long, value_name = "NAME")]
    pub(super) transform: String,
    #[command(flatten)]
    pub(super) way: Way,
    #[command(flatten)]
    pub(super) cutting: CutArguments,
    #[command(flatten)]
    pub(super) parameters: ParameterArguments,
    #[command(flatten)]
    pub(super) basis: BasisArguments,
    /// Which channel: luma, red, green, blue, or a number from 1.
    #[arg(long, default_value = "luma")]
    pub(super) channel: View,
    /// Crops, or pads with zeros at the end, to N values a row (a column with --axis columns), or to ROWSxCOLUMNS.
    /// With --inverse of half a spectrum the number of samples, as 126 and 127 samples have 64 values each [default: the odd number where the last value is complex, else the even one].
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true)]
    pub(super) size: Option<Size>,
    #[command(flatten)]
    pub(super) output: ValuesOutput,
}

/// How lines are convolved.
#[derive(Debug, Args)]
pub(super) struct ConvolutionArguments {
    /// By the Walsh transform; this is the default.
    #[arg(long, conflicts_with = "cyclic")]
    dyadic: bool,
    /// By the Fourier transform.
    #[arg(long)]
    pub(super) cyclic: bool,
    /// Runs the kernels of a GPU so often in a row once the result is there, and says the median time.
    #[arg(long, value_name = "RUNS", value_parser = from_one, allow_negative_numbers = true)]
    pub(super) repeat: Option<NonZeroUsize>,
    /// auto (a hardware GPU if there is one, else the CPU), gpu, cpu, cpu-strided, cpu-parallel, or an adapter's index or name in `papillon devices`.
    #[arg(short, long, default_value = "auto")]
    pub(super) device: DeviceChoice,
    #[command(flatten)]
    pub(super) output: ValuesOutput,
}

/// A file of values.
#[derive(Debug, Args)]
pub(super) struct ValuesOutput {
    /// A file that ends in .npy, .csv, .png, .tiff or .wav, or - for standard output.
    /// NPY keeps the type of the values: complex64 or complex128, float32 or float64, int64, and uint8 for zeros and ones modulo 2.
    #[arg(short, long, value_name = "OUTPUT")]
    pub(super) output: PathBuf,
    /// The format on standard output: npy, csv, png, tiff or wav.
    #[arg(long, default_value = "npy", value_name = "FORMAT")]
    pub(super) format: OutputFormat,
    /// Samples a second that a WAV says [default: those of the input, and 44100 where it says none].
    #[arg(long, value_name = "HZ", value_parser = rate, allow_negative_numbers = true)]
    pub(super) rate: Option<u32>,
}

#[derive(Debug, Args)]
pub(super) struct SpectrumArguments {
    /// PNG, JPEG, TIFF, BMP, WebP, GIF, or a two-dimensional array as NPY, NPZ, CSV or TSV.
    pub(super) image: PathBuf,
    /// log (log10(1 + |X|)), db, linear, sqrt, power or phase.
    #[arg(long, default_value = "log", value_parser = one_of::<SpectrumScale>(), ignore_case = true)]
    pub(super) scale: SpectrumScale,
    /// Leaves index (0, 0) in the top left corner.
    #[arg(long)]
    pub(super) no_shift: bool,
    /// gray, viridis, magma, inferno, plasma, cividis, sinebow or rdbu.
    #[arg(long, default_value = "gray", value_parser = one_of::<Colormap>(), ignore_case = true)]
    pub(super) colormap: Colormap,
    /// luma, red, green, blue, or a number from 1.
    #[arg(long, default_value = "luma")]
    pub(super) channel: View,
    /// none, hann, hamming or blackman; multiplies the picture along both axes, against the cross that its borders make.
    #[arg(long, default_value = "none", value_parser = one_of::<Window>(), ignore_case = true)]
    pub(super) window: Window,
    #[command(flatten)]
    pub(super) way: Way,
    /// A file that ends in .png, or - for standard output.
    #[arg(short, long, value_name = "OUTPUT.png")]
    pub(super) output: PathBuf,
}

#[derive(Debug, Args)]
pub(super) struct GraphArguments {
    /// One of the transforms in `papillon list`.
    #[arg(short, long, value_name = "NAME")]
    pub(super) transform: String,
    /// One of its algorithms that have a flow graph; the first one without this.
    #[arg(short, long, value_name = "NAME")]
    pub(super) algorithm: Option<String>,
    /// Values a row, any number, or ROWSxCOLUMNS; one number means a square where the transform takes pictures.
    #[arg(short = 'n', long, value_name = "SIZE", allow_negative_numbers = true)]
    pub(super) size: Size,
    #[command(flatten)]
    pub(super) parameters: ParameterArguments,
    /// How the plan is cut into launches: tiles, tiles:LANES (of at most so many), stages (one launch each), split-merge or overlapped.
    #[arg(long, default_value = "tiles", value_parser = cut, value_name = "SCHEDULE")]
    pub(super) schedule: Cut,
    #[command(flatten)]
    pub(super) cutting: CutArguments,
    /// Lanes of the local part of algorithms that have one, such as global-local.
    #[arg(long, value_name = "LANES", value_parser = from_zero::<usize>, allow_negative_numbers = true)]
    pub(super) tile: Option<usize>,
    /// Runs the plan on this file, or on a function as 'f:x1 & x2', and adds the value of every lane after every stage; for .json.
    #[arg(long, value_name = "INPUT")]
    pub(super) values: Option<PathBuf>,
    /// Where --values are computed: auto, gpu, cpu, cpu-strided, cpu-parallel, or an adapter's index or name in `papillon devices`.
    #[arg(short, long, default_value = "auto")]
    pub(super) device: DeviceChoice,
    /// A file that ends in .svg, .tex or .json, or - for standard output.
    #[arg(short, long, value_name = "OUTPUT")]
    pub(super) output: PathBuf,
    /// The format on standard output: svg, tex or json.
    #[arg(long, default_value = "json", value_parser = graph_format, value_name = "FORMAT")]
    pub(super) format: graph::GraphFormat,
}

/// What `spectrum` shows of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::VariantNames)]
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

/// `1000`, `2^10`, `3*2^10`, or `ROWSxCOLUMNS` of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) rows: Option<usize>,
    pub(super) columns: usize,
}

impl Size {
    /// The shape that a transform along `axes` takes: one number means one row, or a square.
    pub(super) fn shape(self, axes: Axes) -> Shape {
        let rows = match axes {
            Axes::Rows | Axes::Columns => 1,
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
        .map_err(|_: String| format!("'{text}' is no size: take a number above 0 as 1000, 2^10 or 3*2^10, or ROWSxCOLUMNS"))
    }
}

/// One size, or all from one to another, doubled from one to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sizes {
    first: Size,
    last: Size,
}

impl Sizes {
    /// From the first to the last, every number doubled from one to the next.
    pub(super) fn each(self) -> impl Iterator<Item = Size> {
        let doubled = |size: &Size| Some(Size { rows: size.rows.map(|rows| 2 * rows), columns: size.columns.checked_mul(2)? });
        std::iter::successors(Some(self.first), doubled).take_while(move |size| size.columns <= self.last.columns)
    }
}

impl FromStr for Sizes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((first, last)) = text.split_once("..") else {
            let size = text.parse()?;
            return Ok(Self { first: size, last: size });
        };
        let sizes: (Size, Size) = (first.parse()?, last.parse()?);
        let same_kind = sizes.0.rows.is_some() == sizes.1.rows.is_some();
        if !same_kind || sizes.0.columns > sizes.1.columns {
            return Err(format!("'{text}' is no range of sizes: take the smaller one first, as in 2^10..2^20 or 64x64..1024x1024"));
        }
        Ok(Self { first: sizes.0, last: sizes.1 })
    }
}

/// A number above 0: digits, powers such as 10^6, and products of them such as 3*2^10.
fn number(text: &str) -> Result<usize, String> {
    let factor = |text: &str| match text.trim().split_once('^') {
        Some((base, exponent)) => base.trim().parse::<usize>().ok()?.checked_pow(exponent.trim().parse().ok()?),
        None => text.trim().parse().ok(),
    };
    let value = text.split(['*', '·']).try_fold(1_usize, |product, text| product.checked_mul(factor(text)?));
    value
        .filter(|&value| value > 0)
        .ok_or_else(|| format!("'{text}' is no size: take a number above 0 as 1000, 2^10 or 3*2^10, or ROWSxCOLUMNS"))
}

/// One of the names of `T`, all of them small letters; an error lists them.
pub(super) fn one_of<T>() -> impl TypedValueParser<Value = T>
where
    T: VariantNames + FromStr<Err = strum::ParseError> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(T::VARIANTS).try_map(|name| name.to_ascii_lowercase().parse::<T>())
}

/// How a plan is cut into launches: `tiles`, `tiles:LANES`, `stages`, `split-merge` or `overlapped`.
pub(super) fn cut(text: &str) -> Result<Cut, String> {
    match text.split_once(':') {
        None if text == "tiles" => Ok(Cut::Tiles),
        None if text == "stages" => Ok(Cut::Stages),
        None if text == "split-merge" => Ok(Cut::SplitAndMerge(SplitAndMerge::default())),
        None if text == "overlapped" => Ok(Cut::Overlapped(0)),
        Some(("tiles", lanes)) => Ok(Cut::TilesOf(number(lanes)?)),
        _ => Err(format!("'{text}' is no schedule: take tiles, tiles:LANES, stages, split-merge or overlapped")),
    }
}

/// A whole number from 0 on.
pub(super) fn from_zero<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("'{text}' is none of 0, 1, 2 …: take a whole number from 0 on"))
}

/// A whole number from 1 on.
pub(super) fn from_one(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| format!("'{text}' is none of 1, 2, 3 …: take a whole number from 1 on"))
}

/// A sampling rate in Hz.
fn rate(text: &str) -> Result<u32, String> {
    let hertz = text.parse().ok().filter(|hertz| (1..=MOST_HERTZ).contains(hertz));
    hertz.ok_or_else(|| format!("'{text}' is no sampling rate: take a whole number of Hz from 1 to {MOST_HERTZ}"))
}

/// A kind of flow graph file by its ending.
fn graph_format(ending: &str) -> Result<graph::GraphFormat, String> {
    graph::GraphFormat::iter()
        .find(|format| format.ending() == ending)
        .ok_or_else(|| format!("'{ending}' is no format: take svg, tex or json"))
}

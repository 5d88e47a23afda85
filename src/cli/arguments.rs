//! Arguments that several subcommands share, and the parsers of their values.

use super::parameters::PrecisionArguments;
use crate::choice::{Named, NamedValue};
use crate::engine::{Cut, DeviceChoice};
use crate::figure::FigureFormat;
use crate::filter::WrittenFrequency;
use crate::remedy::ending_list;
use crate::signal::{OutputFormat, Sampling};
use crate::transforms::{Axes, Shape};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Algorithm, device and precision.
#[derive(Debug, Args)]
pub(super) struct ComputeArguments {
    /// One of the algorithms in `papillon list`; by default the fastest for this size and device, which is printed.
    #[arg(short, long, value_name = "NAME")]
    pub(super) algorithm: Option<String>,
    /// auto (the CPU or a hardware GPU, whichever is estimated to be done sooner), gpu, cpu, cpu-parallel, cpu-local, cpu-strided, or an adapter's index or name in `papillon devices`.
    #[arg(short, long, default_value = "auto")]
    pub(super) device: DeviceChoice,
    #[command(flatten)]
    pub(super) numbers: PrecisionArguments,
}

/// The output file of a command that writes values.
#[derive(Debug, Args)]
pub(super) struct ValuesOutput {
    #[arg(short, long, value_name = "OUTPUT", help = output_help())]
    pub(super) output: PathBuf,
    #[arg(long, default_value = "npy", value_name = "FORMAT", value_parser = output_format, help = format_help())]
    pub(super) format: &'static OutputFormat,
    /// How samples follow each other, in place of what the input says: 8000, 44.1kHz, 0.5ms, '12 per year', 1day, '10 per mm'. Filters take it for their frequencies and write it as the first column of a table, and a WAV says it in Hz [default: that of the input, or 44100].
    #[arg(long, value_name = "RATE", allow_hyphen_values = true)]
    pub(super) rate: Option<Sampling>,
}

/// `1000`, `2^10`, `3*2^10`, or `ROWSxCOLUMNS` of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) rows: Option<usize>,
    pub(super) columns: usize,
}

/// Two ends of a band.
#[derive(Debug, Clone, Copy)]
pub(super) struct BandEnds(pub(super) [WrittenFrequency; 2]);

impl FromStr for BandEnds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refused = || format!("'{text}' is no band: take two frequencies as 0.1..0.2, or two periods as 8..64px");
        let (from, to) = text.split_once("..").ok_or_else(refused)?;
        let [from, to]: [WrittenFrequency; 2] = [from.parse().map_err(|_| refused())?, to.parse().map_err(|_| refused())?];
        Ok(Self([from.or_unit_of(to), to]))
    }
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
        .map_err(|_: String| format!("'{text}' is not a size: take a number above 0 as 1000, 2^10 or 3*2^10, or ROWSxCOLUMNS"))
    }
}

/// One size, or a range of sizes, each twice the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sizes {
    first: Size,
    last: Size,
}

impl Sizes {
    /// The sizes from the first to the last.
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

/// Parses a number above 0: digits, powers such as 10^6, and products of them such as 3*2^10.
fn number(text: &str) -> Result<usize, String> {
    let factor = |text: &str| match text.trim().split_once('^') {
        Some((base, exponent)) => base.trim().parse::<usize>().ok()?.checked_pow(exponent.trim().parse().ok()?),
        None => text.trim().parse().ok(),
    };
    let value = text.split(['*', '·']).try_fold(1_usize, |product, text| product.checked_mul(factor(text)?));
    value
        .filter(|&value| value > 0)
        .ok_or_else(|| format!("'{text}' is not a size: take a number above 0 as 1000, 2^10 or 3*2^10, or ROWSxCOLUMNS"))
}

/// Parses one of the names of `T`; help texts and errors list them.
pub(super) fn one_of<T: Named + Send + Sync>() -> impl TypedValueParser<Value = T> {
    named(T::VALUES).try_map(|name| T::named(&name))
}

/// Parses the name of a value, and keeps it as a text.
pub(super) fn named(values: &[NamedValue]) -> PossibleValuesParser {
    let possible = |value: &NamedValue| PossibleValue::new(value.name).aliases(value.aliases.iter().copied()).help(value.about());
    PossibleValuesParser::new(values.iter().map(possible))
}

/// Parses a schedule: `tiles`, `tiles:LANES`, `stages`, `blocks`, `split-merge` or `overlapped`.
pub(super) fn cut(text: &str) -> Result<Cut, String> {
    match text.split_once(':') {
        Some(("tiles", lanes)) => Ok(Cut::TilesOf(number(lanes)?)),
        _ => text.parse(),
    }
}

/// Parses the format of a figure.
pub(super) fn figure_format(ending: &str) -> Result<FigureFormat, String> {
    FigureFormat::from_path(Path::new(&format!("figure.{ending}"))).ok_or_else(|| no_format(ending, &FigureFormat::endings()))
}

/// Says that an ending names none of these formats.
pub(super) fn no_format(ending: &str, endings: &[&str]) -> String {
    format!("'{ending}' is not a format: take one of {}", ending_list(endings))
}

/// Parses an integer of at least 0.
pub(super) fn from_zero<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("'{text}' is none of 0, 1, 2 …: take a whole number from 0 on"))
}

/// Parses an integer of at least 1.
pub(super) fn from_one(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| format!("'{text}' is none of 1, 2, 3 …: take a whole number from 1 on"))
}

/// Parses a number of threads that this machine runs at a time.
pub(super) fn threads_of_cpu(text: &str) -> Result<NonZeroUsize, String> {
    let cores = crate::threads::cores();
    match from_one(text)? {
        n if n.get() > cores => Err(format!("this machine runs {cores} threads at a time: take at most {cores}")),
        n => Ok(n),
    }
}

/// A format of values by its ending.
fn output_format(ending: &str) -> Result<&'static OutputFormat, String> {
    let known = OutputFormat::endings_where(|_| true).join(", ");
    OutputFormat::of_ending(ending).ok_or_else(|| format!("'{ending}' is not a format that is written: take one of {known}"))
}

/// The help of `--output`.
fn output_help() -> String {
    let endings = ending_list(&OutputFormat::endings_where(|_| true));
    format!(
        "A file that ends in {endings}, or - for standard output. NPY keeps the type of the values: complex64 or complex128, float32 or float64, int64, and uint8 for zeros and ones modulo 2"
    )
}

/// The help of `--format`.
fn format_help() -> String {
    format!("The format on standard output: one of {}", OutputFormat::endings_where(|_| true).join(", "))
}

//! The words of `papillon bench`.

use super::{Sizes, cut, from_one, from_zero, one_of};
use crate::bench::{Caches, Part, Quantity, Settings};
use crate::cli::cutting::CutArguments;
use crate::cli::parameters::{NumberArguments, ParameterArguments};
use crate::engine::{Cut, DeviceChoice};
use crate::gpu::Clock;
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Times transforms on devices, and checks every result against double precision.
///
/// Kernel times are those of runs in a row, on buffers that the caches have forgotten; uploads, downloads and the whole are told apart.
/// The cases are measured in rounds, each in another order. An interruption (Ctrl+C) keeps what was measured until then.
#[derive(Debug, Args)]
pub(in crate::cli) struct BenchArguments {
    /// Transforms, divided by commas.
    #[arg(short, long, default_value = "dft", value_delimiter = ',', value_name = "NAME")]
    pub(in crate::cli) transform: Vec<String>,
    /// Algorithms, divided by commas; without this the fastest of each device.
    #[arg(short, long, value_delimiter = ',', value_name = "NAME")]
    pub(in crate::cli) algorithm: Vec<String>,
    /// Sizes, divided by commas: 1000, 10^6, 3*2^10, 2^10..2^20 (doubled from one to the next), 303x384; one number means a square where the transform takes pictures [default: 2^10..2^18, or 64x64..1024x1024].
    #[arg(long, value_delimiter = ',', value_name = "SIZES", allow_negative_numbers = true)]
    pub(in crate::cli) sizes: Vec<Sizes>,
    /// Rows of a batch, for transforms of rows.
    #[arg(long, default_value = "1", value_name = "ROWS", value_parser = from_zero::<usize>, allow_negative_numbers = true)]
    pub(in crate::cli) rows: usize,
    /// Devices, divided by commas: auto, gpu, cpu, cpu-strided, cpu-parallel, or an adapter's index or name in `papillon devices`; without this the GPU and, beside it, the CPU.
    #[arg(short, long, default_value = "auto,cpu-parallel", value_delimiter = ',', value_name = "DEVICE")]
    pub(in crate::cli) device: Vec<DeviceChoice>,
    /// How plans are cut into launches: tiles, tiles:LANES, stages, split-merge or overlapped.
    #[arg(long, default_value = "tiles", value_parser = cut, value_name = "SCHEDULE")]
    pub(in crate::cli) schedule: Cut,
    #[command(flatten)]
    pub(in crate::cli) cutting: CutArguments,
    #[command(flatten)]
    pub(in crate::cli) parameters: ParameterArguments,
    #[command(flatten)]
    pub(in crate::cli) numbers: NumberArguments,
    /// Runs of every case that count, after two that do not [default: 9].
    #[arg(long, value_name = "RUNS", value_parser = from_one, allow_negative_numbers = true)]
    pub(in crate::cli) repeat: Option<NonZeroUsize>,
    /// Seconds for everything; each case takes its share, and as many runs as fit.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub(in crate::cli) budget: Option<f64>,
    /// cold (several sets of buffers in turn, so that no run finds its samples in the caches, as far as the sets fill them) or warm (the same buffers again and again).
    #[arg(long, default_value = "cold", value_parser = caches)]
    pub(in crate::cli) caches: Caches,
    /// device (timestamps, where it has any) or wall (the clock of the host, around submissions of many runs).
    #[arg(long, default_value = "device", value_parser = clock)]
    pub(in crate::cli) clock: Clock,
    /// What the order of the cases follows from.
    #[arg(long, default_value_t = Settings::default().seed, value_parser = from_zero::<u64>, allow_negative_numbers = true)]
    pub(in crate::cli) seed: u64,
    /// Measures nothing: shows a record that was written with -o.
    #[arg(long, value_name = "RECORD", conflicts_with_all = ["algorithm", "sizes", "budget", "repeat"])]
    pub(in crate::cli) record: Option<PathBuf>,
    /// Lays another record over the plot.
    #[arg(long, value_name = "RECORD")]
    pub(in crate::cli) compare: Option<PathBuf>,
    /// Repeats a figure or a table of a paper; --sizes and --budget make it smaller.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["transform", "algorithm", "device", "record"])]
    pub(in crate::cli) experiment: Option<String>,
    /// Lists the figures and tables that --experiment repeats.
    #[arg(long)]
    pub(in crate::cli) experiments: bool,
    /// Writes a plot to a file that ends in .svg or .png.
    #[arg(long, value_name = "PLOT")]
    pub(in crate::cli) plot: Option<PathBuf>,
    /// What is plotted: time, speed-up, flops, bandwidth, floor (time beside a plain copy), transfers or error [default: time, or what the figure of the paper shows].
    #[arg(long, value_parser = one_of::<Quantity>(), ignore_case = true, value_name = "QUANTITY")]
    pub(in crate::cli) quantity: Option<Quantity>,
    /// Which time is plotted: kernels or total (with transfers).
    #[arg(long, default_value = "kernels", value_parser = one_of::<Part>(), ignore_case = true)]
    pub(in crate::cli) part: Part,
    /// The line that speed-ups are against, from 1 in the order of the legend.
    #[arg(long, value_name = "LINE", value_parser = from_one, allow_negative_numbers = true)]
    pub(in crate::cli) against: Option<NonZeroUsize>,
    /// Writes the record, raw samples included, to a file that ends in .csv or .json, or as CSV to standard output for -.
    #[arg(short, long, value_name = "OUTPUT")]
    pub(in crate::cli) output: Option<PathBuf>,
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| seconds.is_finite() && *seconds > 0.0);
    seconds.ok_or_else(|| format!("'{text}' is no time: take a number of seconds above 0"))
}

fn caches(text: &str) -> Result<Caches, String> {
    match text {
        "cold" => Ok(Caches::Cold),
        "warm" => Ok(Caches::Warm),
        _ => Err(format!("'{text}' is no state of caches: take cold or warm")),
    }
}

fn clock(text: &str) -> Result<Clock, String> {
    match text {
        "device" => Ok(Clock::Device),
        "wall" => Ok(Clock::Wall),
        _ => Err(format!("'{text}' is no clock: take device or wall")),
    }
}

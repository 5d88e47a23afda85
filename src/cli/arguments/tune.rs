//! The words of `papillon tune`.

use super::{NumberArguments, Sizes, from_zero};
use crate::engine::DeviceChoice;
use clap::Args;

/// Measures all algorithms on this device and remembers the winners, which are taken from then on where -a names none.
///
/// A winner serves sizes between the same powers of two, on the same device in the same precision, with the same driver and version of this program.
#[derive(Debug, Args)]
pub(in crate::cli) struct TuneArguments {
    /// Transforms, divided by commas.
    #[arg(short, long, default_value = "dft,dft2", value_delimiter = ',', value_name = "NAME")]
    pub(in crate::cli) transform: Vec<String>,
    /// Sizes as in `papillon bench`, divided by commas [default: 2^10..2^18, or 64x64..1024x1024].
    #[arg(long, value_delimiter = ',', value_name = "SIZES", allow_negative_numbers = true)]
    pub(in crate::cli) sizes: Vec<Sizes>,
    /// Rows of a batch, for transforms of rows.
    #[arg(long, default_value = "1", value_name = "ROWS", value_parser = from_zero::<usize>, allow_negative_numbers = true)]
    pub(in crate::cli) rows: usize,
    /// auto, gpu, cpu, cpu-strided, cpu-parallel, or an adapter's index or name in `papillon devices`.
    #[arg(short, long, default_value = "auto")]
    pub(in crate::cli) device: DeviceChoice,
    #[command(flatten)]
    pub(in crate::cli) numbers: NumberArguments,
    /// Forgets everything that was measured, on every device.
    #[arg(long, conflicts_with_all = ["transform", "sizes", "rows", "device", "precision"])]
    pub(in crate::cli) forget: bool,
}

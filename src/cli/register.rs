//! `papillon register`: the shift of two images.

use super::peaks::{image_job, in_range};
use super::progress::Progress;
use super::table::{ChannelArguments, TableArguments};
use super::{Failure, check_bytes, output, say};
use crate::engine::measure::register;
use crate::engine::{DeviceChoice, Job};
use crate::measure::Shift;
use crate::transforms::Shape;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Finds the shift of two images by phase correlation, to a fraction of a pixel.
///
/// Prints dx and dy with b(x, y) = a(x − dx, y − dy), in pixels, x to the right and y down, with their standard deviations, and the height of the correlation peak: 1 for an image and its cyclic shift by whole pixels, near 0 for two images that have nothing in common.
///
/// Example: papillon register before.png after.png --json
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct RegisterArguments {
    /// The first image.
    #[arg(value_name = "A")]
    first: PathBuf,
    /// Another one of the same size.
    #[arg(value_name = "B")]
    second: PathBuf,
    #[command(flatten)]
    channel: ChannelArguments,
    #[command(flatten)]
    table: TableArguments,
    /// auto (a hardware GPU if there is one, else the CPU), gpu, cpu, cpu-strided, cpu-parallel, or an adapter's index or name in `papillon devices`.
    #[arg(short, long, default_value = "auto")]
    device: DeviceChoice,
    /// For programs: JSON on standard output.
    #[arg(long)]
    json: bool,
}

/// Two spectra, their phases and the correlation, in double precision.
const BYTES_PER_PIXEL: u128 = 80;

/// A lower peak may be one of chance: noise of N pixels has one of about √(2·ln N/N).
const CHANCE: f64 = 1.5;

pub(super) fn run(arguments: &RegisterArguments) -> Result<(), Failure> {
    let job = Job { device: arguments.device.clone(), ..image_job(&arguments.first, &arguments.channel, &arguments.table)? };
    check_bytes(Shape { rows: job.signal.rows, columns: job.signal.columns }, BYTES_PER_PIXEL)?;
    let second = Arc::new(in_range(arguments.table.load(&arguments.second)?));
    let found = {
        let _progress = Progress::start(format!("registering {} and {}", job.signal.name, second.name));
        register(&job, &second, &mut super::devices::here(), &AtomicBool::new(false))?
    };
    let Shift { dx, dy, peak, deviation: [x_deviation, y_deviation] } = found.shift;
    let n = job.signal.len() as f64;
    if peak < CHANCE * (2.0 * n.ln() / n).sqrt() {
        say("the peak is hardly higher than chance: the images may have nothing in common");
    }
    let window = if found.is_windowed { "with a Hann window" } else { "without a window" };
    say(&format!("phase correlation {window}; the fraction of a pixel by the phases of the part that both images show"));
    output::print(&match arguments.json {
        true => format!(
            "{:#}\n",
            json!({ "a": job.signal.name, "b": second.name, "dx": dx, "dy": dy, "peak": peak, "dx_deviation": x_deviation, "dy_deviation": y_deviation })
        ),
        false => format!("dx {dx:.4} ± {x_deviation:.4} px\ndy {dy:.4} ± {y_deviation:.4} px\npeak {peak:.4}\n"),
    })
}

//! `papillon register`: the shift of two images.

use super::peaks::{image_job, in_range};
use super::progress::Progress;
use super::table::{ChannelArguments, TableArguments};
use super::{Failure, output, say};
use crate::engine::measure::register;
use crate::engine::{DeviceChoice, Job};
use crate::measure::Shift;
use crate::numerals::fixed;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;

/// Finds the shift of two images, to a fraction of a pixel.
///
/// Prints dx and dy with b(x, y) = a(x − dx, y − dy), in pixels, x to the right and y down, at most half the image, with their standard deviations, and the height of the phase correlation there: 1 for an image and its cyclic shift by whole pixels, near 0 for two images that have nothing in common.
/// Where few frequencies carry the images, as where they are smooth, cross-correlation of the parts that overlap finds the shift. A warning says if the images may have nothing in common, or if another shift explains them as well.
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
    /// auto (the CPU or a hardware GPU, whichever is estimated to be done sooner), gpu, cpu, cpu-parallel, cpu-local, cpu-strided, or an adapter's index or name in `papillon devices`.
    #[arg(short, long, default_value = "auto")]
    device: DeviceChoice,
    /// For programs: JSON on standard output.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &RegisterArguments) -> Result<(), Failure> {
    let mut devices = super::devices::here().opening(&arguments.device);
    let job = Job { device: arguments.device.clone(), ..image_job(&arguments.first, &arguments.channel, &arguments.table)? };
    let second = Arc::new(in_range(arguments.table.load(&arguments.second)?));
    let found = {
        let _progress = Progress::start(format!("registering {} and {}", job.signal.name, second.name));
        register(&job, &second, &mut devices, super::cancel())?
    };
    let Shift { dx, dy, peak, deviation } = found.shift;
    say(&format!("the spectra on {}", found.device));
    found.warnings.iter().for_each(|warning| say(&warning.to_string()));
    if deviation != [None; 2] {
        say(&format!("{}; the fraction of a pixel by the phases of the part that both images show", found.way));
    }
    let [x_deviation, y_deviation] = deviation;
    let written = |deviation: Option<f64>| deviation.map_or("unknown".to_owned(), |deviation| fixed(deviation, 4));
    output::print(&match arguments.json {
        true => format!(
            "{:#}\n",
            json!({ "a": job.signal.name, "b": second.name, "dx": dx, "dy": dy, "peak": peak, "dx_deviation": x_deviation, "dy_deviation": y_deviation })
        ),
        false => format!(
            "dx {} ± {} px\ndy {} ± {} px\npeak {}\n",
            fixed(dx, 4),
            written(x_deviation),
            fixed(dy, 4),
            written(y_deviation),
            fixed(peak, 4)
        ),
    })
}

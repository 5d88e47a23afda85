//! `papillon correlate`: by how many samples one recording comes after another.

use super::arguments::ComputeArguments;
use super::progress::Progress;
use super::signals::{PairArguments, Rows, rounded};
use super::{Failure, output};
use crate::numerals::number;
use crate::plan::Precision;
use crate::spectra::correlate;
use clap::Args;
use serde_json::json;

/// Finds the lag between two recordings: y[n] ≈ x[n − lag].
///
/// The lag is where the correlation is largest in magnitude, between samples too; the means are removed. height is the correlation coefficient there, negative where y is inverted, deviation the standard deviation of the lag as far as the difference is noise.
///
/// The transforms are in double precision; --precision single writes fewer digits.
///
/// Example: papillon correlate near.wav far.wav --json
/// Example: papillon correlate left.wav right.wav --phat
/// Example: papillon correlate stereo.wav --channels 1,2 --from 10s --to 20s
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct CorrelateArguments {
    #[command(flatten)]
    pair: PairArguments,
    /// Weighs every frequency alike (PHAT): echoes become sharp, and height is the share of phases that agree.
    #[arg(long)]
    phat: bool,
    #[command(flatten)]
    compute: ComputeArguments,
    /// For programs: JSON on standard output.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &CorrelateArguments) -> Result<(), Failure> {
    let compute = &arguments.compute;
    let [x, y] = arguments.pair.load()?;
    let (a, b) = (x.track()?, y.track()?);
    let rows = Rows::of(compute, Precision::Double)?;
    let run = rows.as_ref().map(|rows| |batch| rows.run(batch));
    let found = {
        let _progress = Progress::start(format!("correlating {} and {}", x.signal.name, y.signal.name));
        let tracks = [(&a, x.samples.clone()), (&b, y.samples.clone())];
        let found = correlate(tracks, arguments.phat, run.as_ref().map(|run| run as _), super::cancel());
        found.map_err(|error| Rows::failure(rows.as_ref(), error))?
    };
    let seconds = found.lag / x.rate.per_unit;
    if arguments.json {
        let double = compute.numbers.precision != Some(Precision::Single);
        let written = |value: f64| rounded(value, double);
        let all = json!({
            "lag": written(found.lag), "lag_seconds": written(seconds), "deviation": written(found.deviation), "height": written(found.height),
            "x": x.signal.name, "y": y.signal.name, "rate": x.rate.per_unit, "lengths": [x.samples.len(), y.samples.len()],
        });
        return output::print(&format!("{all:#}\n"));
    }
    let height = if arguments.phat { "the share of phases that agree there" } else { "the correlation coefficient there" };
    let lines = [
        ("lag", format!("{} ± {} samples", number(found.lag, 9), number(found.deviation, 2)), "y comes after x"),
        ("", format!("{} {}", number(seconds, 9), x.rate.unit()), "the same in time"),
        ("height", number(found.height, 6), height),
    ];
    output::print(&lines.iter().map(|(name, value, about)| format!("{name:<8} {value:<36} {about}\n")).collect::<String>())
}

//! `papillon profile`: the power of a spectrum by frequency or by direction, and the values along a line.

use super::output::table_format;
use super::peaks::{ImageArguments, spectrum_of};
use super::{Failure, output, say};
use crate::engine::Job;
use crate::measure::{LineProfile, ProfileLine, angular, radial};
use crate::numerals::number;
use crate::transforms::Shape;
use clap::Args;
use std::path::PathBuf;

/// Writes a profile of an image or of its spectrum.
///
/// --radial: frequency,power,count: the mean of |X|² over rings one step of the coarser frequency axis wide, in cycles per pixel; tells the slope of the line through the logarithms.
/// --angular: angle,power,count: the same over sectors of one degree, of all frequencies up to ½, anticlockwise from x.
/// --line: distance,x,y,value: pixels of the image, x to the right and y down, interpolated, with :WIDTH averaged across; with --spectrum |X|² along a line of the spectrum image, in which index 0 is at column W/2 and row H/2, as distance,x,y,u,v,power.
///
/// Example: papillon profile photo.png --radial -o profile.csv
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct ProfileArguments {
    #[command(flatten)]
    image: ImageArguments,
    #[command(flatten)]
    kind: KindArguments,
    /// Takes the line across the spectrum image, and not across the image.
    #[arg(long)]
    spectrum: bool,
    /// A file that ends in .csv, or - for standard output.
    #[arg(short, long, value_name = "OUT.csv")]
    output: PathBuf,
}

/// One of the three profiles.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct KindArguments {
    /// The power over the frequency.
    #[arg(long)]
    radial: bool,
    /// The power over the direction.
    #[arg(long)]
    angular: bool,
    /// Along a line, as 0,0,255,255 or, 5 pixels wide, 0,0,255,255:5.
    #[arg(long, value_name = "X0,Y0,X1,Y1[:WIDTH]", value_parser = line, allow_hyphen_values = true)]
    line: Option<ProfileLine>,
}

/// Parses a line and its width.
fn line(text: &str) -> Result<ProfileLine, String> {
    let (ends, width) = text.split_once(':').unwrap_or((text, "1"));
    let numbers =
        ends.split(',').map(|number| number.trim().parse().ok().filter(|number: &f64| number.is_finite())).collect::<Option<Vec<_>>>();
    let width = width.trim().parse().ok().filter(|width| (1.0..=1e6).contains(width));
    match (numbers.as_deref(), width) {
        (Some(&[x0, y0, x1, y1]), Some(width)) => Ok(ProfileLine { from: [x0, y0], to: [x1, y1], width }),
        _ => Err(format!("'{text}' is no line: take X0,Y0,X1,Y1 in pixels, as 0,0,255,255, and perhaps :WIDTH from 1 up")),
    }
}

pub(super) fn run(arguments: &ProfileArguments) -> Result<(), Failure> {
    table_format(&arguments.output, &["csv"])?;
    let job = arguments.image.job()?;
    let text = match &arguments.kind {
        KindArguments { line: Some(line), .. } => along(&job, line, arguments.spectrum)?,
        KindArguments { radial: is_radial, .. } => {
            let spectrum = spectrum_of(&job)?;
            let profile = spectrum.with(if *is_radial { radial } else { angular });
            if let Some(fit) = profile.log_log_fit().filter(|_| *is_radial) {
                let [slope, deviation] = [fit.slope, fit.slope_deviation].map(|value| number(value, 4));
                say(&format!("the power falls as frequency to the power {slope} ± {deviation} (line through the logarithms, up to ½)"));
            }
            profile.csv(if *is_radial { "frequency" } else { "angle" })
        }
    };
    output::bytes(&arguments.output, |out| out.write_all(text.as_bytes()))
}

/// The profile along a line of the image, or of its spectrum.
fn along(job: &Job, line: &ProfileLine, is_of_spectrum: bool) -> Result<String, Failure> {
    let spectrum = if is_of_spectrum { Some(spectrum_of(job)?) } else { None };
    let shape = spectrum.as_ref().map_or(Shape { rows: job.signal.rows, columns: job.signal.columns }, |spectrum| spectrum.outcome().shape);
    let Shape { rows, columns } = shape;
    let is_inside = |[x, y]: [f64; 2]| (-0.5..columns as f64).contains(&x) && (-0.5..rows as f64).contains(&y);
    if !is_inside(line.from) || !is_inside(line.to) {
        let name = &job.signal.name;
        return Err(Failure::Call(format!(
            "the line leaves {name}: take columns from 0 to {} and rows from 0 to {}",
            columns - 1,
            rows - 1
        )));
    }
    if let Some(spectrum) = spectrum {
        return Ok(spectrum.with(|spectrum| LineProfile::of_spectrum(line, spectrum).spectrum_csv([rows, columns])));
    }
    let samples = job.signal.samples_f64(job.channel)?;
    Ok(LineProfile::of(line, [rows, columns], |row, column| samples[row * columns + column]).csv())
}

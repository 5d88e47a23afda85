//! `papillon boxes`: what boxes of time and frequency hold of a recording, and boxes from one file format to another.

use super::signals::{BoxArguments, LevelArguments, PartArguments, Recording, SelectArguments};
use super::table::{ChannelArguments, TableArguments};
use super::{Failure, output, say};
use crate::filter::Effect;
use crate::numerals::counted_as;
use crate::remedy::ending_list;
use crate::signal::Sampling;
use crate::spectra::{
    BOX_COLUMNS, BoxFormat, BoxMeasures, Frames, NamedBox, Quantity, RecordingExtent, Reference, SpectraJob, box_measures, box_row,
    box_table, earlier_metadata, write_boxes,
};
use clap::Args;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Measures boxes of time and frequency of a recording, or writes them for another program.
///
/// CSV and JSON have for each box its name, its ends, the frequency of its largest value (peak), its mean frequency by power (centroid), the band that holds 99 % of its power (bandwidth), its power, level, energy (power times duration) and duration.
/// .txt has the labels of Audacity, .selections.txt the selection table of Raven, .sigmf-meta annotations of SigMF, beside what such a file has already.
///
/// Example: papillon boxes birds.wav --box 1.2s..3.4s,2kHz..5kHz -o song.csv
/// Example: papillon boxes birds.wav --boxes labels.txt -o birds.selections.txt
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct BoxesArguments {
    /// A recording, - for standard input, an array of one dimension, or a table of columns.
    recording: PathBuf,
    #[command(flatten)]
    boxes: BoxArguments,
    #[command(flatten)]
    channel: ChannelArguments,
    #[command(flatten)]
    table: TableArguments,
    #[command(flatten)]
    level: LevelArguments,
    /// How the samples follow each other, in place of what the file says, as 48kHz, 0.5ms, '12 per year' or 1day.
    #[arg(long, value_name = "RATE", allow_hyphen_values = true)]
    rate: Option<Sampling>,
    /// A file that ends in .csv, .json, .txt, .selections.txt or .sigmf-meta, or - for CSV on standard output.
    #[arg(short, long, value_name = "OUTPUT")]
    output: PathBuf,
}

pub(super) fn run(arguments: &BoxesArguments) -> Result<(), Failure> {
    let to = &arguments.output;
    let format = BoxFormat::of(to);
    if format.is_some() {
        output::check(to)?;
    } else {
        let known = [&["csv", "json"][..], &BoxFormat::ENDINGS].concat();
        let refused = |_| Failure::Call(format!("cannot write {}: write {}", to.display(), ending_list(&known)));
        output::table_format(to, &["csv", "json"]).map_err(refused)?;
    }
    if let Some((name, _)) = arguments.level.given().into_iter().find(|(_, is_given)| *is_given && format.is_some()) {
        return Err(Failure::Call(format!("a file of boxes for other programs has no levels: leave --{name} out")));
    }
    if arguments.boxes.is_empty() {
        return Err(Failure::Call("nothing says which boxes: take --box, --stroke or --boxes".into()));
    }
    let select = SelectArguments { part: PartArguments::default(), rate: arguments.rate };
    let recording = Recording::load(&arguments.recording, &arguments.table, &arguments.channel, &select)?;
    let is_complex = recording.track()?.is_complex();
    let extent = RecordingExtent { samples: recording.signal.columns, is_complex, rate: recording.rate };
    let boxes = arguments.boxes.of(&extent)?;
    if let Some(format) = format {
        let earlier = earlier_metadata(to, format)?;
        let text = write_boxes(&boxes, format, &extent, earlier.as_deref())?;
        output::bytes(to, |out| out.write_all(text.as_bytes()))?;
        if format != BoxFormat::Annotations && boxes.iter().any(|own| own.part.effect == Effect::Cut) {
            say("this format does not store which boxes cut: read the file with :cut, or write .sigmf-meta");
        }
        if format != BoxFormat::Annotations && boxes.iter().any(|own| own.part.stroke.is_some()) {
            say("this format stores the box around a stroke: write .sigmf-meta to keep the stroke");
        }
    } else {
        recording.say_channel();
        let (samples, rate) = (recording.samples.clone(), recording.rate.per_unit);
        let frames = Frames::whole(samples.len());
        let job = SpectraJob::new(vec![recording.track()?], samples, frames, rate, super::cancel());
        let measures = boxes.iter().map(|own| box_measures(&job, &own.part)).collect::<Result<Vec<_>, _>>()?;
        write(&recording, &arguments.level.of(&recording), (&boxes, &measures), to)?;
    }
    say(&counted_as(boxes.len(), "box", "boxes"));
    Ok(())
}

/// Writes the measures of boxes as CSV or JSON.
fn write(recording: &Recording, reference: &Reference, (boxes, measures): (&[NamedBox], &[BoxMeasures]), to: &Path) -> Result<(), Failure> {
    let rate = recording.rate;
    let text = if to.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json")) {
        let row = |(own, found): (&NamedBox, &BoxMeasures)| {
            let columns = BOX_COLUMNS.into_iter().zip(box_row(own, found, rate, reference));
            let columns = columns.map(|(column, value)| (column.to_owned(), json!(value)));
            std::iter::once(("name".to_owned(), json!(own.name))).chain(columns).collect::<serde_json::Map<_, _>>()
        };
        let all = json!({
            "recording": recording.signal.name, "channel": recording.signal.channel_name(recording.channel),
            "boxes": boxes.iter().zip(measures).map(row).collect::<Vec<_>>(), "rate": rate.per_unit, "time_unit": rate.unit(),
            "frequency_unit": rate.frequency(), "level_unit": reference.label(Quantity::Amplitude, rate.frequency()),
        });
        format!("{all:#}\n")
    } else {
        box_table(boxes, measures, rate, reference)
    };
    output::bytes(to, |out| out.write_all(text.as_bytes()))
}

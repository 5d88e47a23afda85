//! Files that panes export: the name and the endings that a dialog suggests, and the bytes.

mod extent;
pub(super) mod painted;
mod spectrum;
mod values;

pub(super) use spectrum::SpectrumValues;
pub(super) use values::ValueScale;

use super::remedy::in_words;
use crate::engine::{self, BoxFilter, Devices, Job, RecordingPart, Store};
use crate::figure::{Figure, FigureFormat};
use crate::filter::Mask;
use crate::graph::{self, GraphFormat, GraphRequest};
use crate::plan::LaneValue;
use crate::prepare::Preparation;
use crate::remedy::ending_list;
use crate::signal::{self, Channel, Holds, OutputFormat, Signal, SignalKind, short_name};
use crate::spectra::{
    self, BoxFormat, Frames, NamedBox, RecordingExtent, Reference, box_measures, box_table, earlier_metadata, write_boxes,
};
use crate::threshold::Thresholding;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A file that a pane exports.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Export {
    /// A flow graph.
    Graph {
        /// The format of the file.
        format: GraphFormat,
        /// The request of the drawing.
        request: GraphRequest,
        /// The values of every lane after every stage, from the device.
        values: Option<Vec<Vec<LaneValue>>>,
    },
    /// Bytes that are there already.
    File {
        /// The name that the dialog suggests.
        name: String,
        /// Its ending, without the dot.
        ending: &'static str,
        /// Its content.
        bytes: Vec<u8>,
    },
    /// A drawing, such as what a pane has painted below its controls.
    Figure {
        /// The name that the dialog suggests, without its ending.
        name: String,
        /// The suggested format.
        format: FigureFormat,
        /// The figure.
        figure: Box<Figure>,
    },
    /// The values of a measured spectrum.
    Spectrum(Box<SpectrumValues>),
    /// Samples of all channels.
    Samples(Arc<Signal>),
    /// The signal after thresholding, in all its channels.
    Thresholded {
        /// The transform and its samples.
        job: Box<Job>,
        /// How coefficients are thresholded.
        thresholding: Thresholding,
    },
    /// Boxes of a recording: for other programs, or with their measures.
    Boxes {
        /// The recording.
        part: RecordingPart,
        /// The boxes.
        boxes: Vec<NamedBox>,
        /// The reference of decibels.
        reference: Reference,
        /// The folder and the ending that are proposed.
        folder: PathBuf,
        ending: &'static str,
    },
    /// A recording after a filter of boxes, or what that takes away, in all its channels.
    Boxed {
        /// The recording.
        signal: Arc<Signal>,
        /// The filter.
        filter: Box<BoxFilter>,
        /// Whether it is what the filter takes away.
        is_difference: bool,
        /// The folder that is proposed, and a word for the name.
        folder: PathBuf,
        what: String,
    },
    /// An image or a signal after a filter, in all its channels.
    Filtered {
        /// The image or signal.
        signal: Arc<Signal>,
        /// The preparation before the filter, which is undone after it.
        preparation: Preparation,
        /// The filter.
        mask: Box<Mask>,
        /// The file of an image whose factors multiply those of the mask.
        painted: Option<PathBuf>,
    },
}

impl Export {
    /// The title of the dialog, the suggested name, and the endings to choose from, the suggested one first.
    pub(super) fn proposal(&self) -> (&'static str, String, Vec<&'static str>) {
        match self {
            Self::Graph { format, request, .. } => {
                let name = format!("{}-{}.{}", request.options.transform, request.options.algorithm, format.ending());
                let endings = match format {
                    GraphFormat::Drawing(format) => figure_endings(*format),
                    GraphFormat::Json => vec![format.ending()],
                };
                ("Export flow graph", name, endings)
            }
            Self::File { name, ending, .. } => ("Export", name.clone(), vec![ending]),
            Self::Figure { name, format, .. } => ("Export view", format!("{name}.{}", format.ending()), figure_endings(*format)),
            Self::Spectrum(spectrum) => ("Export values", format!("{}.{}", spectrum.stem, spectrum.ending), spectrum.endings()),
            Self::Samples(signal) => {
                let ending = if signal.is_complex() { "sigmf-data" } else { "wav" };
                ("Save part", format!("{}-part.{ending}", stem(&signal.name)), endings_from(ending, |_| true))
            }
            Self::Thresholded { job, .. } => {
                let ending = if job.signal.kind == SignalKind::Image { "png" } else { "npy" };
                let name = format!("{}-thresholded.{ending}", stem(&job.signal.name));
                ("Export the thresholded signal", name, endings_from(ending, |_| true))
            }
            Self::Boxes { part, folder, ending, .. } => {
                let others = BoxFormat::ENDINGS.into_iter().chain(["csv"]).filter(|other| other != ending);
                let name = folder.join(format!("{}-boxes.{ending}", stem(&part.signal.name)));
                ("Save boxes", name.display().to_string(), std::iter::once(*ending).chain(others).collect())
            }
            Self::Boxed { signal, folder, what, .. } => {
                let ending = if signal.rate_hz().is_some() && !signal.is_complex() { "wav" } else { "npy" };
                let is_safe = |letter: char| letter.is_alphanumeric() || ".-_".contains(letter);
                let what: String = what.chars().map(|letter| if is_safe(letter) { letter } else { '-' }).collect();
                let name = folder.join(format!("{}-{what}.{ending}", stem(&signal.name)));
                ("Export samples", name.display().to_string(), endings_from(ending, |_| true))
            }
            Self::Filtered { signal, .. } => {
                let (title, ending) = match (signal.kind.is_image(), signal.rate_hz()) {
                    (true, _) => ("Export the filtered image", "png"),
                    (false, Some(_)) => ("Export the filtered signal", "wav"),
                    (false, None) => ("Export the filtered signal", "csv"),
                };
                (title, format!("{}-filtered.{ending}", stem(&signal.name)), endings_from(ending, |_| true))
            }
        }
    }

    /// Writes it to `path`; an error is one line.
    pub(super) fn save(self, path: &Path) -> Result<(), String> {
        let bytes = match self {
            Self::Graph { format, request, values } => graph_bytes(format, &request, values.as_deref(), path)?,
            Self::File { bytes, .. } => bytes,
            Self::Figure { figure, .. } => figure_bytes(&figure, path)?,
            Self::Spectrum(spectrum) => spectrum.bytes(&path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase())?,
            Self::Boxes { part, boxes, reference, .. } => boxes_bytes(&part, &boxes, &reference, path)?,
            Self::Samples(signal) => return save(&signal, path),
            Self::Thresholded { job, thresholding } => return save_thresholded(&job, thresholding, path),
            Self::Boxed { signal, filter, is_difference, .. } => return save_boxed(&signal, &filter, is_difference, path),
            Self::Filtered { signal, preparation, mask, painted } => {
                return save_filtered(&signal, &preparation, (&mask, painted.as_deref()), path);
            }
        };
        signal::replace(path, |out| out.write_all(&bytes)).map_err(|error| error.to_string())
    }
}

/// The ending of a path in small letters, without the dot.
fn ending(path: &Path) -> String {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or("").to_lowercase()
}

/// A flow graph in the format that the name of the file says: a drawing in any of theirs, data in their own.
fn graph_bytes(format: GraphFormat, request: &GraphRequest, values: Option<&[Vec<LaneValue>]>, path: &Path) -> Result<Vec<u8>, String> {
    let named = GraphFormat::from_path(path).map_err(|error| error.to_string())?;
    if (named == GraphFormat::Json) != (format == GraphFormat::Json) {
        let what = if format == GraphFormat::Json {
            "data, which are written as .json".to_owned()
        } else {
            format!("a drawing, which is written as {}", ending_list(&FigureFormat::endings()))
        };
        return Err(format!("cannot write {}: this is {what}", path.display()));
    }
    graph::export(named, request, values).map_err(|error| error.to_string())
}

/// A figure in the format that the name of the file says.
pub(super) fn figure_bytes(figure: &Figure, path: &Path) -> Result<Vec<u8>, String> {
    let refused = || format!("cannot write {}: a drawing is written as {}", path.display(), ending_list(&FigureFormat::endings()));
    figure.bytes(FigureFormat::from_path(path).ok_or_else(refused)?).map_err(|error| error.to_string())
}

/// The endings of figures, that of the suggested format in front.
pub(super) fn figure_endings(first: FigureFormat) -> Vec<&'static str> {
    let others = FigureFormat::endings().into_iter().filter(|other| *other != first.ending());
    std::iter::once(first.ending()).chain(others).collect()
}

/// Checks the ending of a file that gets the pixels of the screen.
pub(super) fn check_screenshot(path: &Path) -> Result<(), String> {
    match ending(path).as_str() {
        "png" => Ok(()),
        _ => Err(format!("cannot write {}: this view is written as .png only", path.display())),
    }
}

/// Every value of the result of a job, in the format that the name of the file says.
pub(super) fn write_values(job: &Job, store: &Store, scale: ValueScale, path: &Path) -> Result<(), String> {
    if ending(path) == "csv" {
        let table = values::table(job, store, &scale)?;
        return signal::replace(path, |out| out.write_all(table.as_bytes())).map_err(|error| error.to_string());
    }
    save(&result_signal(job, store)?, path)
}

/// The endings of the formats that hold what is wanted, `first` in front.
pub(super) fn endings_from(first: &'static str, wanted: impl Fn(Holds) -> bool) -> Vec<&'static str> {
    let others = OutputFormat::endings_where(wanted).into_iter().filter(|other| *other != first);
    std::iter::once(first).chain(others).collect()
}

/// The whole result of a job as a signal, in natural order.
fn result_signal(job: &Job, store: &Store) -> Result<Signal, String> {
    let result = store.result(job, &mut Devices::default(), &AtomicBool::new(false)).map_err(|error| in_words(&error))?;
    let (shape, samples) = (result.shape(), result.into_samples());
    let name = format!("{} of {}", job.transform, short_name(&job.signal.name));
    Ok(Signal::from_channels(name, job.signal.kind, (shape.rows, shape.columns), vec![Channel::new("X", samples)]))
}

/// The name of a file without its ending.
fn stem(name: &str) -> &str {
    Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name)
}

/// The signal after thresholding, in the format that the name of the file says.
fn save_thresholded(job: &Job, thresholding: Thresholding, path: &Path) -> Result<(), String> {
    let format = OutputFormat::of(path).map_err(|error| in_words(&error))?;
    let left = engine::thresholded(job, thresholding, format, &AtomicBool::new(false)).map_err(|error| in_words(&error))?;
    save(&left, path)
}

/// Boxes in the format that the name of the file says: for another program, or as a table of their measures.
fn boxes_bytes(part: &RecordingPart, boxes: &[NamedBox], reference: &Reference, path: &Path) -> Result<Vec<u8>, String> {
    let RecordingPart { signal, channel, samples, rate } = part;
    let track = signal.track(*channel).map_err(|error| error.to_string())?;
    let text = match BoxFormat::of(path) {
        Some(format) => {
            let extent = RecordingExtent { samples: samples.len(), is_complex: track.is_complex(), rate: *rate };
            earlier_metadata(path, format).and_then(|earlier| write_boxes(boxes, format, &extent, earlier.as_deref()))
        }
        None if ending(path) == "csv" => {
            let (samples, frames, cancel) = (samples.clone(), Frames::whole(samples.len()), AtomicBool::new(false));
            let first = samples.start;
            let job = spectra::SpectraJob::new(vec![track], samples, frames, rate.per_unit, &cancel);
            let measures: Result<Vec<_>, _> = boxes.iter().map(|own| box_measures(&job, &own.part.moved(first))).collect();
            measures.map(|measures| box_table(boxes, &measures, *rate, reference))
        }
        None => {
            return Err(format!(
                "cannot write {}: boxes are written as {}",
                path.display(),
                ending_list(&[&BoxFormat::ENDINGS[..], &["csv"]].concat())
            ));
        }
    };
    text.map(String::into_bytes).map_err(|error| in_words(&error))
}

/// A recording after a filter of boxes, with the bits of its source where the file has integers that hold it.
fn save_boxed(signal: &Signal, filter: &BoxFilter, is_difference: bool, path: &Path) -> Result<(), String> {
    let format = OutputFormat::of(path).map_err(|error| in_words(&error))?;
    let result = filter.run(signal, &AtomicBool::new(false)).map_err(|error| in_words(&error))?.signal;
    let result = if is_difference { filter.difference(signal, &result).map_err(|error| in_words(&error))? } else { result };
    let bits = signal.integer_bits().filter(|_| format.holds.sample_rate);
    save(&bits.and_then(|bits| result.in_bits(bits).ok()).unwrap_or(result), path)
}

/// The image or signal after a filter, in the format that the name of the file says.
fn save_filtered(signal: &Arc<Signal>, preparation: &Preparation, mask: (&Mask, Option<&Path>), path: &Path) -> Result<(), String> {
    let format = OutputFormat::of(path).map_err(|error| in_words(&error))?;
    save(&engine::filter::filtered_signal(signal, preparation, mask, format).map_err(|error| in_words(&error))?, path)
}

/// Writes a signal in the format that the name of the file says.
fn save(signal: &Signal, path: &Path) -> Result<(), String> {
    signal::save(path, signal).map_err(|error| in_words(&error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::DeviceChoice;
    use crate::signal::Samples;

    use crate::threshold::{Keep, Shrink};

    #[test]
    fn a_thresholded_image_is_written_in_all_colours() {
        let colour = |slope: usize| Samples::U8((0..15 * 22).map(|i| (i * slope % 251) as u8).collect());
        let channels: Vec<Channel> = [("red", 3), ("green", 5), ("blue", 7)].map(|(name, slope)| Channel::new(name, colour(slope))).into();
        let job = Job {
            device: DeviceChoice::CpuParallel,
            ..Job::new(Arc::new(Signal::from_channels("photo.jpg", SignalKind::Image, (15, 22), channels.clone())), "cdf97-2")
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("left.png");
        let left = |share: f64| {
            let thresholding = Thresholding { keep: Keep::Share(share), shrink: Shrink::Hard };
            save_thresholded(&job, thresholding, &path).unwrap();
            signal::load(&path).unwrap()
        };
        let samples = |signal: &Signal| signal.channels.iter().map(|channel| channel.samples.clone()).collect::<Vec<_>>();
        assert_eq!(samples(&left(1.0)), channels.iter().map(|channel| channel.samples.clone()).collect::<Vec<_>>());
        let less = left(0.1);
        assert_eq!((less.rows, less.columns, less.channels.len()), (15, 22, 3));
        assert_ne!(samples(&less), samples(&left(1.0)));
        assert_eq!(stem(&job.signal.name), "photo");
        let refused = save_thresholded(&job, Thresholding { keep: Keep::Share(1.0), shrink: Shrink::Hard }, Path::new("left.txt"));
        assert!(refused.unwrap_err().contains("txt"));
    }
}

//! Boxes in the files of other programs: Audacity's labels, Raven's selection table and SigMF's annotations.

use super::{BoxStroke, NamedBox, RecordingExtent, TimeFrequencyBox};
use crate::filter::Effect;
use crate::signal::one_line;
use crate::spectra::SpectraError;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

crate::choice! {
    /// A file format for boxes of time and frequency.
    pub enum BoxFormat {
        /// Labels of Audacity: two lines for a box, in seconds and in Hz.
        #[default]
        Labels = "Audacity labels", "labels";
        /// A selection table of Raven: a line for a box, with tabs.
        Selections = "Raven selections", "selections";
        /// Annotations in a SigMF file of metadata.
        Annotations = "SigMF annotations", "annotations";
    }
}

/// The boxes of a file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReadBoxes {
    /// Those that lie in the recording; what reaches beyond it is left out of them.
    pub boxes: Vec<NamedBox>,
    /// Number of entries that hold no time or no frequency of the recording, such as a label at a point.
    pub left_out: usize,
}

/// The columns of a selection table.
const COLUMNS: [&str; 8] =
    ["Selection", "View", "Channel", "Begin Time (s)", "End Time (s)", "Low Freq (Hz)", "High Freq (Hz)", "Annotation"];

/// An entry of a file: seconds, Hz, a name and its effect. Frequencies that are missing are those of the whole spectrum.
struct Entry {
    seconds: [f64; 2],
    hertz: [Option<f64>; 2],
    name: String,
    effect: Effect,
    stroke: Option<BoxStroke>,
}

impl BoxFormat {
    /// The endings of files, one for each format.
    pub const ENDINGS: [&str; 3] = ["txt", "selections.txt", "sigmf-meta"];

    /// The format that the name of a file says.
    pub fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        let formats = [(".selections.txt", Self::Selections), (".sigmf-meta", Self::Annotations), (".txt", Self::Labels)];
        formats.into_iter().find(|(ending, _)| name.ends_with(ending)).map(|(_, format)| format)
    }
}

impl RecordingExtent {
    fn hertz(&self) -> Result<f64, SpectraError> {
        let refused = || SpectraError::File("files of boxes count seconds, and these samples have no sampling rate: give one".to_owned());
        self.rate.hertz().ok_or_else(refused)
    }

    /// A stroke whose places are shares of a whole entry as one of the part of it that lies in the recording.
    fn placed(&self, stroke: BoxStroke, entry: &Entry, part: &TimeFrequencyBox, rate: f64) -> BoxStroke {
        let times = entry.seconds.map(|end| if end.is_finite() { end * rate } else { self.samples as f64 });
        let cycles = [entry.hertz[0].map_or(part.cycles[0], |end| end / rate), entry.hertz[1].map_or(part.cycles[1], |end| end / rate)];
        let beside = |sides: [f64; 2], own: [f64; 2], room: f64| (0..2).any(|end| (sides[end] - own[end]).abs() > room);
        let own = [part.samples.start as f64, part.samples.end as f64];
        if !beside(times, own, 1.0) && !beside(cycles, part.cycles, 1e-9) {
            return stroke;
        }
        let (wide, high) = (times[1] - times[0], cycles[1] - cycles[0]);
        let place = |[time, frequency]: [f64; 2]| part.share_of([times[0] + time * wide, cycles[0] + frequency * high]);
        let half = [stroke.half[0] * wide / (own[1] - own[0]), stroke.half[1] * high / (part.cycles[1] - part.cycles[0])];
        BoxStroke { path: stroke.path.into_iter().map(place).collect(), half }
    }

    /// The part of an entry that lies in the recording.
    fn part_of(&self, entry: &Entry, rate: f64) -> Option<TimeFrequencyBox> {
        let [from, to] = entry.seconds.map(|end| (end * rate).round().clamp(0.0, self.samples as f64) as usize);
        let lowest = self.lowest();
        let cycles = |end: Option<f64>, usual: f64| end.map_or(usual, |end| (end / rate).clamp(lowest, 0.5));
        let cycles = [cycles(entry.hertz[0], lowest), cycles(entry.hertz[1], 0.5)];
        let part = TimeFrequencyBox { samples: from..to, cycles, effect: entry.effect, stroke: None };
        if from >= to || cycles[0] >= cycles[1] {
            return None;
        }
        let stroke = entry.stroke.clone().map(|stroke| self.placed(stroke, entry, &part, rate));
        Some(TimeFrequencyBox { stroke, ..part })
    }
}

/// Reads boxes from a file of any of the formats, which its content says.
///
/// # Errors
/// When it has none of them, or the recording has no rate in Hz.
pub fn read_boxes(text: &str, extent: &RecordingExtent) -> Result<ReadBoxes, SpectraError> {
    let rate = extent.hertz()?;
    let text = text.trim_start_matches('\u{feff}');
    let entries = match text.trim_start() {
        begin if begin.starts_with('{') => annotations(begin, rate),
        begin if begin.starts_with(COLUMNS[0]) => selections(begin),
        _ => labels(text),
    };
    let entries = entries.map_err(SpectraError::File)?;
    let n = entries.len();
    let named = |(index, entry): (usize, Entry)| {
        let part = extent.part_of(&entry, rate)?;
        Some(NamedBox { name: if entry.name.is_empty() { format!("{}", index + 1) } else { entry.name }, part })
    };
    let boxes: Vec<NamedBox> = entries.into_iter().enumerate().filter_map(named).collect();
    Ok(ReadBoxes { left_out: n - boxes.len(), boxes })
}

/// The metadata that a file has already, which annotations are written into; `None` for other formats, and without a file.
///
/// # Errors
/// When the file is there and is not text that can be read: it would be lost.
pub fn earlier_metadata(path: &Path, format: BoxFormat) -> Result<Option<String>, SpectraError> {
    if format != BoxFormat::Annotations {
        return Ok(None);
    }
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(SpectraError::File(format!("cannot read the existing file ({error}): choose another name"))),
    }
}

/// Writes boxes in a format. SigMF keeps what else is in `earlier`, a file of metadata that is there already.
///
/// # Errors
/// When the recording has no rate in Hz, or `earlier` does not hold metadata.
pub fn write_boxes(boxes: &[NamedBox], format: BoxFormat, extent: &RecordingExtent, earlier: Option<&str>) -> Result<String, SpectraError> {
    let rate = extent.hertz()?;
    let all = boxes.iter().enumerate().map(|(index, own)| {
        let name = own.name.replace(['\t', '\n', '\r'], " ");
        let [from, to] = [own.part.samples.start, own.part.samples.end].map(|sample| sample as f64 / rate);
        (index, name, [from, to], own.part.cycles.map(|cycles| (cycles * rate * 1e6).round() / 1e6), own)
    });
    let mut text = String::new();
    match format {
        BoxFormat::Labels => {
            for (_, name, [from, to], [low, high], _) in all {
                writeln!(text, "{from:.6}\t{to:.6}\t{name}\n\\\t{low:.6}\t{high:.6}").expect("a string takes all");
            }
        }
        BoxFormat::Selections => {
            text = COLUMNS.join("\t") + "\n";
            for (index, name, [from, to], [low, high], _) in all {
                writeln!(text, "{}\tSpectrogram 1\t1\t{from:.9}\t{to:.9}\t{low}\t{high}\t{name}", index + 1).expect("a string takes all");
            }
        }
        BoxFormat::Annotations => {
            let annotation = |(_, name, _, [low, high], NamedBox { part, .. }): (_, String, _, [f64; 2], &NamedBox)| {
                let mut own = json!({
                    "core:sample_start": part.samples.start, "core:sample_count": part.samples.len(),
                    "core:freq_lower_edge": low, "core:freq_upper_edge": high, "core:label": name, "papillon:effect": part.effect,
                });
                if let Some(stroke) = &part.stroke {
                    own["papillon:stroke"] = json!(stroke);
                }
                own
            };
            let mut annotations: Vec<Value> = all.map(annotation).collect();
            annotations.sort_by_key(|annotation| annotation["core:sample_start"].as_u64());
            text = metadata(extent, rate, earlier, annotations)?;
        }
    }
    Ok(text)
}

/// Metadata with these annotations, and what else is in an earlier file.
fn metadata(extent: &RecordingExtent, rate: f64, earlier: Option<&str>, annotations: Vec<Value>) -> Result<String, SpectraError> {
    let datatype = if extent.is_complex { "cf32_le" } else { "rf32_le" };
    let new = || json!({ "global": { "core:datatype": datatype, "core:sample_rate": rate, "core:version": "1.0.0" }, "captures": [{ "core:sample_start": 0 }] });
    let read = |text: &str| serde_json::from_str::<Value>(text).ok().filter(|known| known["global"].is_object());
    let refused = || SpectraError::File("the existing file does not hold SigMF metadata: choose another name".to_owned());
    let mut whole = earlier.map_or_else(|| Ok(new()), |text| read(text).ok_or_else(refused))?;
    let centre = centre(&whole);
    whole["annotations"] = Value::Array(annotations);
    for annotation in whole["annotations"].as_array_mut().into_iter().flatten() {
        for edge in ["core:freq_lower_edge", "core:freq_upper_edge"] {
            annotation[edge] = json!(annotation[edge].as_f64().unwrap_or_default() + centre);
        }
    }
    Ok(format!("{whole:#}\n"))
}

/// The frequency that is at 0 of the samples.
fn centre(metadata: &Value) -> f64 {
    metadata["captures"][0]["core:frequency"].as_f64().unwrap_or(0.0)
}

fn annotations(text: &str, rate: f64) -> Result<Vec<Entry>, String> {
    let whole: Value =
        serde_json::from_str(text).map_err(|error| format!("cannot read the file as SigMF metadata ({})", one_line(&error.to_string())))?;
    let listed = whole["annotations"].as_array().ok_or("the file lacks the annotations of SigMF metadata: choose another file")?;
    let centre = centre(&whole);
    let entry = |annotation: &Value| {
        let [start, count] = ["core:sample_start", "core:sample_count"].map(|key| annotation[key].as_f64());
        let (start, count) = (start.ok_or("an annotation lacks core:sample_start: correct the file")?, count.unwrap_or(f64::INFINITY));
        let hertz = ["core:freq_lower_edge", "core:freq_upper_edge"].map(|key| annotation[key].as_f64().map(|edge| edge - centre));
        let name = ["core:label", "core:description", "core:comment"].iter().find_map(|key| annotation[key].as_str());
        let effect = serde_json::from_value(annotation["papillon:effect"].clone()).unwrap_or(Effect::Pass);
        let stroke = serde_json::from_value(annotation["papillon:stroke"].clone())
            .map_err(|_| "papillon:stroke of an annotation is no path with a width: correct the file")?;
        Ok(Entry { seconds: [start / rate, (start + count) / rate], hertz, name: name.unwrap_or_default().to_owned(), effect, stroke })
    };
    listed.iter().map(entry).collect()
}

/// A number of a text file, with a point or a comma.
fn finite(text: &str) -> Option<f64> {
    text.trim().replace(',', ".").parse::<f64>().ok().filter(|value| value.is_finite())
}

fn selections(text: &str) -> Result<Vec<Entry>, String> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').map(str::trim).collect();
    let place = |name: &str| header.iter().position(|known| known.eq_ignore_ascii_case(name));
    let missing = |name: &str| format!("the selection table lacks the column “{name}”, which Raven writes");
    let [from, to, low, high] = [COLUMNS[3], COLUMNS[4], COLUMNS[5], COLUMNS[6]];
    let [from, to] = [place(from).ok_or_else(|| missing(from))?, place(to).ok_or_else(|| missing(to))?];
    let (view, names) = (place(COLUMNS[1]), [COLUMNS[7], "Label", "Species"].map(place));
    let cells = lines.filter(|line| !line.trim().is_empty()).map(|line| line.split('\t').map(str::trim).collect::<Vec<_>>());
    // Raven has a line for each view of a selection.
    let is_box = |cells: &Vec<&str>| !view.and_then(|at| cells.get(at)).is_some_and(|view| view.starts_with("Waveform"));
    let entry = |cells: Vec<&str>| {
        let cell = |at: usize| cells.get(at).copied().unwrap_or_default();
        let number = |at: usize| {
            finite(cell(at)).ok_or_else(|| format!("cannot read “{}” in the selection table as a number: correct it", cell(at)))
        };
        let edge = |name: &str| place(name).filter(|at| !cell(*at).is_empty()).map(number).transpose();
        let hertz = [edge(low)?, edge(high)?];
        let name = names.iter().flatten().map(|at| cell(*at)).find(|name| !name.is_empty());
        Ok(Entry {
            seconds: [number(from)?, number(to)?],
            hertz,
            name: name.unwrap_or_default().to_owned(),
            effect: Effect::Pass,
            stroke: None,
        })
    };
    cells.filter(is_box).map(entry).collect()
}

fn labels(text: &str) -> Result<Vec<Entry>, String> {
    if text.contains('\0') {
        return Err("the file is not text: choose labels, a selection table or annotations".to_owned());
    }
    let mut entries: Vec<Entry> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let refused =
            || format!("cannot read “{}” as a label: write a beginning, an end and a name, with tabs between them", one_line(line));
        let cells: Vec<&str> = line.split('\t').collect();
        let number = |at: usize| cells.get(at).and_then(|cell| finite(cell));
        let [Some(first), Some(second)] = [number(if cells[0] == "\\" { 1 } else { 0 }), number(if cells[0] == "\\" { 2 } else { 1 })]
        else {
            return Err(refused());
        };
        if cells[0] == "\\" {
            // Audacity writes −1 for a frequency that is not set.
            let known = |hertz: f64| Some(hertz).filter(|hertz| *hertz != -1.0);
            entries.last_mut().ok_or_else(refused)?.hertz = [known(first), known(second)];
        } else {
            let name = cells.get(2..).unwrap_or_default().join(" ").trim().to_owned();
            entries.push(Entry { seconds: [first, second], hertz: [None; 2], name, effect: Effect::Pass, stroke: None });
        }
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Named as _;
    use crate::signal::AxisUnit;
    use crate::spectra::Rate;

    const EXTENT: RecordingExtent =
        RecordingExtent { samples: 8000, is_complex: false, rate: Rate { per_unit: 8000.0, unit: Some(AxisUnit::Second) } };

    fn boxes() -> Vec<NamedBox> {
        let named = |name: &str, samples, cycles, effect| NamedBox {
            name: name.to_owned(),
            part: TimeFrequencyBox { samples, cycles, effect, stroke: None },
        };
        vec![named("call\tof a bird", 400..1201, [0.125, 0.25], Effect::Pass), named("hum", 2000..8000, [0.0, 0.0125], Effect::Cut)]
    }

    #[test]
    fn every_format_gives_back_what_was_written() {
        for format in BoxFormat::ALL {
            let text = write_boxes(&boxes(), *format, &EXTENT, None).unwrap();
            let read = read_boxes(&text, &EXTENT).unwrap();
            assert_eq!((read.boxes.len(), read.left_out), (2, 0), "{text}");
            for (read, written) in read.boxes.iter().zip(boxes()) {
                let is_kept = *format == BoxFormat::Annotations;
                let effect = if is_kept { written.part.effect } else { Effect::Pass };
                assert_eq!(read.part, TimeFrequencyBox { effect, ..written.part }, "{text}");
                assert_eq!(read.name, written.name.replace('\t', " "));
            }
            let path = format!("birds.{}", BoxFormat::ENDINGS[*format as usize]);
            assert_eq!(BoxFormat::of(Path::new(&path)), Some(*format));
        }
        assert_eq!(BoxFormat::of(Path::new("a.csv")), None);
    }

    #[test]
    fn files_of_other_programs_are_read() {
        let labels = "0.5\t0.75\tchirp\n\\\t1000.0\t2000.0\n0.1\t0.1\ta point\n0,25\t0,5\tall\n\\\t-1.0\t-1.0\n0.9\t7\t\n";
        let read = read_boxes(labels, &EXTENT).unwrap();
        let found: Vec<_> = read.boxes.iter().map(|own| (own.name.as_str(), own.part.samples.clone(), own.part.cycles)).collect();
        let expected = [("chirp", 4000..6000, [0.125, 0.25]), ("all", 2000..4000, [0.0, 0.5]), ("4", 7200..8000, [0.0, 0.5])];
        assert_eq!((found, read.left_out), (expected.to_vec(), 1));
        let raven = "Selection\tView\tChannel\tBegin Time (s)\tEnd Time (s)\tLow Freq (Hz)\tHigh Freq (Hz)\tSpecies\n\
            1\tWaveform 1\t1\t0.1\t0.2\t400\t800\twren\n1\tSpectrogram 1\t1\t0.1\t0.2\t400\t800\twren\n";
        let read = read_boxes(raven, &EXTENT).unwrap().boxes;
        assert_eq!((read.len(), read[0].name.as_str(), read[0].part.cycles), (1, "wren", [0.05, 0.1]));
    }

    #[test]
    fn a_stroke_stays_in_its_place_where_its_box_reaches_outside() {
        let path = vec![[0.25, 0.5], [0.75, 0.25]];
        let own = TimeFrequencyBox {
            samples: 4000..12_000,
            cycles: [0.1, 0.3],
            effect: Effect::Cut,
            stroke: Some(BoxStroke { path: path.clone(), half: [0.05, 0.1] }),
        };
        let longer = RecordingExtent { samples: 16_000, ..EXTENT };
        let boxes = [NamedBox { name: "a".into(), part: own.clone() }];
        let text = write_boxes(&boxes, BoxFormat::Annotations, &longer, None).unwrap();
        assert_eq!(read_boxes(&text, &longer).unwrap().boxes[0].part, own);
        let cut = read_boxes(&text, &EXTENT).unwrap().boxes[0].part.clone();
        let stroke = cut.stroke.clone().unwrap();
        assert_eq!((cut.samples.clone(), stroke.path.len()), (4000..8000, 2));
        for (before, after) in path.into_iter().zip(stroke.path) {
            let [before, after] = [own.place_of(before), cut.place_of(after)];
            assert!((before[0] - after[0]).abs() < 1e-6 && (before[1] - after[1]).abs() < 1e-9, "{before:?} {after:?}");
        }
        assert!((stroke.half[0] * 4000.0 - 400.0).abs() < 1e-6 && (stroke.half[1] - 0.1).abs() < 1e-9, "{:?}", stroke.half);
        assert!(read_boxes(&text.replace("\"path\"", "\"way\""), &EXTENT).unwrap_err().to_string().contains("papillon:stroke"));
    }

    #[test]
    fn metadata_keep_what_is_not_an_annotation_and_count_from_their_centre() {
        let earlier =
            r#"{"global": {"core:author": "me"}, "captures": [{"core:frequency": 1e6}], "annotations": [{"core:sample_start": 1}]}"#;
        let text = write_boxes(&boxes(), BoxFormat::Annotations, &EXTENT, Some(earlier)).unwrap();
        let whole: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(whole["global"]["core:author"], "me");
        assert_eq!(whole["annotations"][0]["core:freq_lower_edge"].as_f64(), Some(1_001_000.0));
        assert_eq!(read_boxes(&text, &EXTENT).unwrap().boxes[1].part, boxes()[1].part);
        assert!(write_boxes(&boxes(), BoxFormat::Annotations, &EXTENT, Some("no JSON")).is_err());
    }

    #[test]
    fn a_file_that_cannot_be_read_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sigmf-meta");
        assert_eq!(earlier_metadata(&path, BoxFormat::Annotations).unwrap(), None);
        std::fs::write(&path, [0xff, 0xfe, 0x80]).unwrap();
        assert!(earlier_metadata(&path, BoxFormat::Annotations).is_err());
        assert_eq!(earlier_metadata(&path, BoxFormat::Labels).unwrap(), None);
    }

    #[test]
    fn other_files_and_samples_without_a_rate_are_refused() {
        for (text, words) in [
            ("hello", "as a label"),
            ("RIFF\0\0", "is not text"),
            ("\\\t1\t2", "as a label"),
            ("{", "as SigMF metadata"),
            ("{}", "lacks the annotations"),
            ("{\"annotations\": [{}]}", "core:sample_start"),
            ("Selection\tView\n1\tx\n", "Begin Time"),
            ("Selection\tBegin Time (s)\tEnd Time (s)\n1\tx\t2\n", "as a number"),
            ("Selection\tBegin Time (s)\tEnd Time (s)\n1\tnan\t2\n", "as a number"),
            ("Selection\tBegin Time (s)\tEnd Time (s)\tLow Freq (Hz)\n1\t0.1\t0.2\t4oo\n", "as a number"),
        ] {
            let error = read_boxes(text, &EXTENT).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
        assert_eq!(read_boxes("", &EXTENT).unwrap(), ReadBoxes::default());
        let unknown = RecordingExtent { rate: Rate::UNKNOWN, ..EXTENT };
        assert!(read_boxes("", &unknown).unwrap_err().to_string().contains("sampling rate"));
    }
}

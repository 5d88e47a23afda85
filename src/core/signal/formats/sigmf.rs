//! SigMF: samples without a header in a `.sigmf-data` file, and what they are as JSON in a `.sigmf-meta` file beside it.
//!
//! Both files are read by the name of either, and written together (The Signal Metadata Format Specification, 1.0.0).

use super::{FileFormat, Holds, OutputFormat};
use crate::choice::Named as _;
use crate::numerals::number;
use crate::signal::encoding::{Encoding, SampleType};
use crate::signal::{Axis, Cause, ChannelChoice, FileError, RawFormat, Samples, Sampling, Signal, read_own, replace};
use jiff::SignedDuration;
use jiff::civil::DateTime;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Recordings of SigMF.
pub(crate) static SIGMF: FileFormat = FileFormat {
    name: "SigMF",
    endings: &["sigmf-data", "sigmf-meta"],
    marks: &[b"{"],
    is_content: |bytes| bytes[..bytes.len().min(MOST_BEFORE)].windows(KEY.len()).any(|part| part == KEY),
    decode: |_, _| Err(Cause::unsupported("its samples stand in the .sigmf-data file beside it: open it in its folder")),
    output: Some(OutputFormat {
        name: "SigMF",
        endings: &["sigmf-data", "sigmf-meta"],
        holds: Holds { reals: true, complex: true, rows: false, channels: true, sample_rate: true, is_image: false },
        fits: |_| Ok(()),
        encode,
    }),
};

/// A key of all metadata, and the bytes in which it is looked for.
const KEY: &[u8] = b"\"core:datatype\"";
const MOST_BEFORE: usize = 1 << 16;

/// A recording that metadata describe.
pub(crate) struct Described {
    /// The file of its samples.
    pub(crate) data: PathBuf,
    /// How they are stored.
    pub(crate) raw: RawFormat,
    begins: Option<DateTime>,
    centre: Option<f64>,
    captures: usize,
}

/// The recording at a path, where it is of SigMF; `None` also of samples whose type a person says, `is_typed`, which need no metadata.
pub(crate) fn described(path: &Path, is_typed: bool) -> Option<Result<Described, FileError>> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    let [is_data, is_meta] = [0, 1].map(|index| SIGMF.endings[index] == ending);
    if !is_meta && (!is_data || is_typed || !path.is_file()) {
        return None;
    }
    let meta = path.with_extension("sigmf-meta");
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let read = || {
        let bytes = read_own(&meta).map_err(|source| FileError::Io { verb: "read", path: meta.clone(), source })?;
        match Described::of(meta.with_extension("sigmf-data"), &bytes) {
            Ok(_) if is_typed => Err(Cause::unsupported("it says itself how its samples are stored: leave their type out")),
            other => other,
        }
        .map_err(|cause| FileError::Content { name: name(&meta), format: SIGMF.name, cause })
    };
    if is_data && !meta.is_file() {
        let cause = Cause::unsupported(format!(
            "{} is missing, which says how its samples are stored: put it beside it, or say their type",
            name(&meta)
        ));
        return Some(Err(FileError::Content { name: name(path), format: SIGMF.name, cause }));
    }
    Some(read())
}

impl Described {
    fn of(data: PathBuf, meta: &[u8]) -> Result<Self, Cause> {
        let whole: Value = serde_json::from_slice(meta).map_err(Cause::malformed)?;
        let (global, first) = (&whole["global"], &whole["captures"][0]);
        let datatype = global["core:datatype"].as_str().ok_or_else(|| Cause::malformed("it lacks core:datatype"))?;
        let encoding = encoding(datatype).ok_or_else(|| Cause::unsupported(format!("its samples are {datatype}, which are not read")))?;
        let has = |part: &Value, key: &str| part[key].as_u64().is_some_and(|bytes| bytes > 0);
        let has_headers = whole["captures"].as_array().into_iter().flatten().any(|capture| has(capture, "core:header_bytes"));
        if has_headers || has(global, "core:trailing_bytes") {
            return Err(Cause::unsupported("other bytes stand before or behind its samples"));
        }
        let channels = global["core:num_channels"].as_u64().unwrap_or(1);
        let channels =
            u16::try_from(channels).ok().filter(|n| *n > 0).ok_or_else(|| Cause::malformed("it has no channels that can be read"))?;
        let rate = global["core:sample_rate"].as_f64().filter(|rate| rate.is_finite() && *rate > 0.0).map(Sampling::hertz);
        let begins = first["core:datetime"].as_str().and_then(|text| text.trim_end_matches(['Z', 'z']).parse().ok());
        // The time is that of the first sample of the capture, which may have others before it.
        let before = first["core:sample_start"].as_f64().unwrap_or(0.0);
        let begins = begins.and_then(|begins: DateTime| match (before > 0.0, rate.and_then(Sampling::rate_hz)) {
            (false, _) => Some(begins),
            (true, Some(rate)) => begins.checked_sub(SignedDuration::try_from_secs_f64(before / rate).ok()?).ok(),
            (true, None) => None,
        });
        let captures = whole["captures"].as_array().map_or(0, Vec::len);
        Ok(Self { data, raw: RawFormat { encoding, channels, rate }, begins, centre: first["core:frequency"].as_f64(), captures })
    }

    /// The signal of its samples, with what else the metadata say.
    pub(crate) fn complete(self, mut signal: Signal) -> Signal {
        // The metadata say the type, so that nobody has to.
        signal.raw = None;
        signal.centre_hz = self.centre;
        if let Some(axis) = &mut signal.axis {
            axis.origin = self.begins;
        }
        if let Some(centre) = self.centre.filter(|_| signal.is_complex()) {
            signal.notes.push(format!("Frequency 0 stands for {} Hz, to which the receiver was tuned.", number(centre, 12)).into());
        }
        if self.captures > 1 {
            signal.notes.push(format!("It has {} captures; time and frequency are those of the first.", self.captures).into());
        }
        signal
    }
}

/// The encoding of a datatype, such as cf32_le or ri16_be.
fn encoding(datatype: &str) -> Option<Encoding> {
    let (kind, order) = datatype.split_once('_').unwrap_or((datatype, "le"));
    let is_big_endian = match order {
        "le" => false,
        "be" => true,
        _ => return None,
    };
    let is_complex = kind.starts_with('c');
    let name = kind.strip_prefix(['c', 'r'])?.replace('i', "s");
    let sample_type = SampleType::named(&name).ok().filter(|known| stored_as(*known) == *known)?;
    Some(Encoding { sample_type, is_big_endian, is_complex })
}

/// The type that samples of another one are written as: SigMF has neither 24 bits nor logarithmic ones.
fn stored_as(sample_type: SampleType) -> SampleType {
    match sample_type {
        SampleType::S24 => SampleType::S32,
        SampleType::ALaw | SampleType::MuLaw => SampleType::S16,
        other => other,
    }
}

/// How a signal is written: with the integers of its recording, else as floats.
fn written_as(signal: &Signal) -> Encoding {
    let of = |samples: &Samples| match samples {
        Samples::Pcm(pcm) => stored_as(pcm.encoding().sample_type),
        Samples::F32(_) | Samples::Complex32(_) => SampleType::F32,
        _ => SampleType::F64,
    };
    let mut types = signal.channels.iter().map(|channel| of(&channel.samples));
    let first = types.next().unwrap_or_default();
    let sample_type = if types.all(|other| other == first) { first } else { SampleType::F64 };
    Encoding { is_complex: signal.is_complex(), ..Encoding::of(sample_type, false) }
}

/// Writes the samples of all channels in turn.
fn encode(out: &mut dyn Write, signal: &Signal) -> io::Result<()> {
    const BLOCK: usize = 1 << 14;
    let Encoding { sample_type, is_complex, .. } = written_as(signal);
    let parts = if is_complex { 2 } else { 1 };
    let tracks: Result<Vec<_>, _> = (0..signal.channels.len()).map(|index| signal.track(ChannelChoice::Channel(index))).collect();
    let tracks = tracks.map_err(io::Error::other)?;
    let width = tracks.len() * parts;
    let mut bytes = Vec::with_capacity(BLOCK * width * sample_type.bytes());
    for first in (0..signal.columns).step_by(BLOCK) {
        let n = BLOCK.min(signal.columns - first);
        let mut values = vec![vec![0.0; n]; width];
        for (index, to) in values.iter_mut().enumerate() {
            let (track, part) = (&tracks[index / parts], index % parts);
            if part == 0 || track.is_complex() {
                track.read_f64(first, part, to);
            }
        }
        bytes.clear();
        for frame in 0..n {
            values.iter().for_each(|values| push(&mut bytes, sample_type, values[frame]));
        }
        out.write_all(&bytes)?;
    }
    Ok(())
}

/// Adds the bytes of a number, of which full scale is ±1.
fn push(bytes: &mut Vec<u8>, sample_type: SampleType, value: f64) {
    let whole = |bits: u32| (value * f64::from(bits - 1).exp2()).round_ties_even();
    match sample_type {
        SampleType::U8 => bytes.push((whole(8) + 128.0) as u8),
        SampleType::S8 => bytes.extend((whole(8) as i8).to_le_bytes()),
        SampleType::S16 | SampleType::ALaw | SampleType::MuLaw => bytes.extend((whole(16) as i16).to_le_bytes()),
        SampleType::S24 | SampleType::S32 => bytes.extend((whole(32) as i32).to_le_bytes()),
        SampleType::F32 => bytes.extend((value as f32).to_le_bytes()),
        SampleType::F64 => bytes.extend(value.to_le_bytes()),
    }
}

/// Writes both files of a recording at the name of either; where the samples cannot be written, neither. The metadata take their place just before the
/// samples. What other programs say of as many samples in metadata that are there already, such as annotations, stays.
///
/// # Errors
/// When one of them cannot be written.
pub(crate) fn save(path: &Path, signal: &Signal) -> Result<(), FileError> {
    let metadata = metadata(signal, earlier(path, signal));
    let described = || replace(&path.with_extension("sigmf-meta"), |out| writeln!(out, "{metadata:#}"));
    replace(&path.with_extension("sigmf-data"), |out| {
        encode(out, signal)?;
        out.flush()?;
        described().map_err(io::Error::other)
    })
}

/// The metadata at a path, where they describe as many samples, without what describes the samples themselves.
fn earlier(path: &Path, signal: &Signal) -> Option<Value> {
    let Described { data, raw, .. } = described(path, false)?.ok()?;
    let n = std::fs::metadata(data).ok()?.len() / (raw.encoding.bytes() as u64 * u64::from(raw.channels));
    let mut whole: Value = serde_json::from_slice(&read_own(&path.with_extension("sigmf-meta")).ok()?).ok()?;
    let global = whole["global"].as_object_mut()?;
    for key in ["core:sample_rate", "core:num_channels", "core:sha512"] {
        global.remove(key);
    }
    (n == signal.columns as u64).then_some(whole)
}

/// The description of the samples, in metadata that are there already or in new ones.
fn metadata(signal: &Signal, earlier: Option<Value>) -> Value {
    let Encoding { sample_type, is_complex, .. } = written_as(signal);
    let order = if sample_type.bytes() > 1 { "_le" } else { "" };
    let name = sample_type.name().replace('s', "i");
    let mut whole = earlier.unwrap_or_else(|| json!({ "global": {}, "annotations": [] }));
    let global = &mut whole["global"];
    global["core:datatype"] = json!(format!("{}{name}{order}", if is_complex { 'c' } else { 'r' }));
    global["core:version"] = json!("1.0.0");
    if let Some(rate) = signal.rate_hz() {
        global["core:sample_rate"] = json!(rate);
    }
    if signal.channels.len() > 1 {
        global["core:num_channels"] = json!(signal.channels.len());
    }
    let mut capture = json!({ "core:sample_start": 0 });
    if let Some(begins) = signal.axis.as_ref().and_then(beginning) {
        capture["core:datetime"] = json!(format!("{begins}Z"));
    }
    if let Some(centre) = signal.centre_hz {
        capture["core:frequency"] = json!(centre);
    }
    whole["captures"] = json!([capture]);
    whole
}

/// The time of the first sample.
fn beginning(axis: &Axis) -> Option<DateTime> {
    let after = SignedDuration::try_from_secs_f64(axis.start * axis.unit.seconds()?).ok()?;
    axis.origin?.checked_add(after).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signal::{Channel, OutputFormat, SignalKind, load, save, write};

    /// Samples of a type in the bytes of a recording.
    fn recording(raw: &str) -> Signal {
        let raw: RawFormat = raw.parse().unwrap();
        let bytes: Vec<u8> =
            (0..960_u32).map(|n| if raw.encoding.sample_type == SampleType::F32 && n % 4 == 3 { 60 } else { n as u8 }).collect();
        let how =
            crate::signal::Reading { options: crate::signal::ReadOptions { raw: Some(raw), ..Default::default() }, ..Default::default() };
        crate::signal::load_bytes_as("it", &bytes, &how).unwrap()
    }

    #[test]
    fn a_recording_comes_back_with_its_type_rate_frequency_and_time() {
        let folder = tempfile::tempdir().unwrap();
        let begins: DateTime = "2026-11-27T20:15:30.25".parse().unwrap();
        for (raw, datatype) in [
            ("cu8,1,2.4MHz", "cu8"),
            ("s16,2,48000", "ri16_le"),
            ("s24,1,96000", "ri32_le"),
            ("cf32,1,1MHz", "cf32_le"),
            ("s8,1,8000", "ri8"),
        ] {
            let mut signal = Signal { centre_hz: Some(1.0e8), ..recording(raw) };
            let axis = signal.axis.as_mut().unwrap();
            (axis.origin, axis.start) = (Some(begins), 1.5);
            save(folder.path().join("part.sigmf-data"), &signal).unwrap();
            let meta: Value = serde_json::from_slice(&std::fs::read(folder.path().join("part.sigmf-meta")).unwrap()).unwrap();
            assert_eq!((meta["global"]["core:datatype"].as_str(), meta["annotations"].as_array()), (Some(datatype), Some(&Vec::new())));
            assert_eq!(meta["captures"][0]["core:datetime"], "2026-11-27T20:15:31.75Z");
            for name in ["part.sigmf-data", "part.sigmf-meta"] {
                let read = load(folder.path().join(name)).unwrap();
                assert_eq!((read.rate_hz(), read.centre_hz, read.channels.len()), (signal.rate_hz(), Some(1.0e8), signal.channels.len()));
                assert_eq!(read.axis.as_ref().unwrap().origin, "2026-11-27T20:15:31.75".parse().ok());
                for index in 0..read.channels.len() {
                    let choice = ChannelChoice::Channel(index);
                    assert_eq!(read.samples_complex64(choice), signal.samples_complex64(choice), "{raw}");
                }
            }
        }
    }

    #[test]
    fn a_time_that_is_not_of_the_first_sample_is_moved_to_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sigmf-data");
        save(&path, &recording("s16,1,100")).unwrap();
        for (start, begins) in [(0, "2026-11-27T20:15:30"), (250, "2026-11-27T20:15:27.5")] {
            let capture = json!({ "core:sample_start": start, "core:datetime": "2026-11-27T20:15:30Z" });
            let meta = json!({ "global": { "core:datatype": "ri16_le", "core:sample_rate": 100 }, "captures": [capture] });
            std::fs::write(path.with_extension("sigmf-meta"), meta.to_string()).unwrap();
            assert_eq!(load(&path).unwrap().axis.unwrap().origin, begins.parse().ok());
        }
    }

    #[test]
    fn what_others_say_of_as_many_samples_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (path, signal) = (folder.path().join("a.sigmf-data"), recording("s16,2,48000"));
        save(&path, &signal).unwrap();
        let meta = folder.path().join("a.sigmf-meta");
        let mut whole: Value = serde_json::from_slice(&std::fs::read(&meta).unwrap()).unwrap();
        whole["global"]["core:author"] = json!("me");
        whole["global"]["core:sha512"] = json!("of other samples");
        whole["annotations"] = json!([{ "core:sample_start": 1 }]);
        std::fs::write(&meta, whole.to_string()).unwrap();
        save(&path, &signal).unwrap();
        let kept: Value = serde_json::from_slice(&std::fs::read(&meta).unwrap()).unwrap();
        whole["global"].as_object_mut().unwrap().remove("core:sha512");
        assert_eq!(kept, whole);
        let shorter = signal.picked(&[Some(0)], &crate::signal::picks(2, Some));
        save(&path, &shorter).unwrap();
        let new: Value = serde_json::from_slice(&std::fs::read(&meta).unwrap()).unwrap();
        assert_eq!((new["annotations"].as_array().map(Vec::len), new["global"].get("core:author")), (Some(0), None));
    }

    #[test]
    fn floats_and_mixed_types_keep_every_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sigmf-meta");
        let channels = vec![Channel::new("a", Samples::F64(vec![0.1, -7.5])), Channel::new("b", Samples::U16(vec![65_535, 3]))];
        let signal = Signal::from_channels("two", SignalKind::Rows, (1, 2), channels);
        save(&path, &signal).unwrap();
        let read = load(&path).unwrap();
        assert_eq!((read.samples_f64(ChannelChoice::Channel(0)), read.rate_hz()), (signal.samples_f64(ChannelChoice::Channel(0)), None));
        assert_eq!(read.samples_f64(ChannelChoice::Channel(1)), signal.samples_f64(ChannelChoice::Channel(1)));
        let mut bytes = Vec::new();
        write(&mut bytes, &signal, OutputFormat::of_ending("sigmf-data").unwrap()).unwrap();
        assert_eq!(bytes, std::fs::read(folder.path().join("a.sigmf-data")).unwrap());
    }

    #[test]
    fn what_is_no_recording_says_why() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sigmf-meta");
        for (meta, words) in [
            ("{", "as SigMF"),
            ("{}", "core:datatype"),
            (r#"{"global": {"core:datatype": "ru16_le"}}"#, "ru16_le"),
            (r#"{"global": {"core:datatype": "cf32_le", "core:num_channels": 0}}"#, "channels"),
            (r#"{"global": {"core:datatype": "cf32_le"}, "captures": [{}, {"core:header_bytes": 8}]}"#, "other bytes"),
            (r#"{"global": {"core:datatype": "cf32_le", "core:trailing_bytes": 8}}"#, "other bytes"),
            (r#"{"global": {"core:datatype": "cf32_le"}}"#, "a.sigmf-data"),
        ] {
            std::fs::write(&path, meta).unwrap();
            let error = load(&path).unwrap_err().to_string();
            assert!(error.contains(words) && !error.contains('\n'), "{meta}: {error}");
        }
        let [typed, missing] = [path.clone(), folder.path().join("b.sigmf-data")].map(|path| {
            std::fs::write(path.with_extension("sigmf-data"), [0; 16]).unwrap();
            let raw = path.ends_with("a.sigmf-meta").then(|| "cu8,1,1000".parse().unwrap());
            let how = crate::signal::Reading { options: crate::signal::ReadOptions { raw, ..Default::default() }, ..Default::default() };
            crate::signal::load_as(&path, &how).unwrap_err().to_string()
        });
        assert!(typed.contains("leave their type out") && missing.contains("b.sigmf-meta is missing"), "{typed} {missing}");
        assert!(
            crate::signal::load_bytes("a", br#"{"global": {"core:datatype": "cf32_le"}}"#).unwrap_err().to_string().contains("beside it")
        );
    }
}

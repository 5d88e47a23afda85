//! Samples without a header: a person says how they are stored, or the ending of the file does.

use super::recording::Recording;
use super::{Decoded, FileFormat};
use crate::numerals::counted;
use crate::remedy::Remedy;
use crate::signal::reading::Content;
use crate::signal::{Axis, Cause, Note, RawFormat};

/// Samples without a header. No content is recognised as such.
pub(crate) static RAW: FileFormat = FileFormat {
    name: "raw samples",
    endings: &["u8", "s8", "s16", "s24", "s32", "f32", "f64", "cu8", "cs8", "cs16", "cf32"],
    marks: &[],
    is_content: |_| false,
    decode: |content, how| decode(how.options.raw.unwrap_or_default(), content),
    output: None,
};

/// The samples that an ending promises, where the content has the mark of no other format.
pub(crate) fn guessed(ending: &str, content: &[u8]) -> Option<RawFormat> {
    let promised = RAW.endings.contains(&ending) && !FileFormat::has_mark(content);
    promised.then(|| RawFormat::named(ending)).flatten()
}

/// The note on samples whose type only the ending tells.
pub(crate) fn guess() -> Note {
    Note::new("The file has no header: its ending says the type of its samples, and one channel without a rate is taken", [Remedy::Raw])
}

/// The signal in the content of a file of samples.
fn decode(format: RawFormat, content: &Content) -> Decoded {
    let n_channels = usize::from(format.channels.max(1));
    let frame = n_channels * format.encoding.bytes();
    let left = content.size() % frame;
    if content.size() < frame {
        return Err(Cause::malformed(format!("{} hold no sample of the type {format}", counted(content.size(), "byte"))));
    }
    let notes = (left > 0)
        .then(|| format!("The file ends with {}, less than one sample of the type {format}: left out.", counted(left, "byte")).into());
    let recording = Recording {
        encoding: format.encoding,
        n_channels,
        frame,
        rate_hz: None,
        bits: format.encoding.sample_type.integer_bits().filter(|_| !format.encoding.is_complex),
        samples: 0..content.size(),
        notes: notes.into_iter().collect(),
    };
    let mut signal = recording.signal(content)?;
    signal.axis = format.rate.map(|rate| Axis::new("", rate));
    Ok(signal)
}

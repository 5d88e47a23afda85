//! AU recordings of Sun and NeXT: 24 bytes, a comment, and the samples, their highest byte first.

use super::FileFormat;
use super::recording::{Recording, extent};
use crate::signal::encoding::Encoding;
use crate::signal::reading::Content;
use crate::signal::{Cause, SampleType};

/// Bytes of the header without the comment.
const HEADER: usize = 24;

/// Recordings of Sun and NeXT.
pub(super) static AU: FileFormat = FileFormat {
    name: "AU",
    endings: &["au", "snd"],
    marks: &[b".snd"],
    is_content: |_| true,
    decode: |content, _| parse(content)?.signal(content),
    output: None,
};

fn parse(content: &Content) -> Result<Recording, Cause> {
    let bytes: &[u8] = content;
    let truncated = || Cause::truncated("it ends before its samples");
    let word = |index: usize| bytes.get(4 * index..).and_then(|rest| rest.first_chunk()).map(|word| u32::from_be_bytes(*word));
    let words = [1, 2, 3, 4, 5].map(word).into_iter().collect::<Option<Vec<_>>>().ok_or_else(truncated)?;
    let (first, n_channels) = ((words[0] as usize).max(HEADER), words[4] as usize);
    let sample_type = match words[2] {
        1 => SampleType::MuLaw,
        2 => SampleType::S8,
        3 => SampleType::S16,
        4 => SampleType::S24,
        5 => SampleType::S32,
        6 => SampleType::F32,
        7 => SampleType::F64,
        27 => SampleType::ALaw,
        other => return Err(Cause::foreign(format!("coding {other} of its samples"), "save it as WAV of integers or floats")),
    };
    if first > bytes.len() {
        return Err(truncated());
    }
    if n_channels == 0 {
        return Err(Cause::malformed("it has no channel"));
    }
    let (samples, note) = extent(content, first, words[1].into(), |_, _| false);
    Ok(Recording {
        encoding: Encoding::of(sample_type, true),
        n_channels,
        frame: n_channels.saturating_mul(sample_type.bytes()),
        rate_hz: Some(words[3].into()),
        bits: sample_type.integer_bits(),
        samples,
        notes: note.into_iter().collect(),
    })
}

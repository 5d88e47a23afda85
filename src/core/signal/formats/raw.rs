//! Samples without a header: a person says how they are stored, or the ending of the file does.

use super::recording::Recording;
use super::{Decoded, FileFormat};
use crate::choice::Named;
use crate::numerals::counted;
use crate::remedy::Remedy;
use crate::signal::pcm::Encoding;
use crate::signal::reading::Content;
use crate::signal::{Axis, Cause, Note, SampleType, Sampling};
use std::fmt;
use std::str::FromStr;

/// Samples without a header. No content is recognised as such.
pub(in crate::signal) static RAW: FileFormat = FileFormat {
    name: "raw samples",
    endings: &["u8", "s8", "s16", "s24", "s32", "f32", "f64", "cu8", "cs8", "cs16", "cf32"],
    marks: &[],
    is_content: |_| false,
    decode: |content, how| how.options.raw.unwrap_or_default().decode(content),
    output: None,
};

/// How samples without a header are stored.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct RawFormat {
    /// How a sample is stored.
    pub encoding: Encoding,
    /// Number of channels that follow each other in each frame.
    pub channels: u16,
    /// How the samples follow each other, where it is known.
    pub rate: Option<Sampling>,
}

/// The samples that an ending promises, where the content has the mark of no other format.
pub(in crate::signal) fn guessed(ending: &str, content: &[u8]) -> Option<RawFormat> {
    let promised = RAW.endings.contains(&ending) && !FileFormat::has_mark(content);
    promised.then(|| RawFormat::named(ending)).flatten()
}

impl Default for RawFormat {
    fn default() -> Self {
        Self { encoding: Encoding::default(), channels: 1, rate: None }
    }
}

impl RawFormat {
    /// One channel of the type of this name: "s16", "cf32".
    fn named(name: &str) -> Option<Self> {
        let (complex, name) = match name.strip_prefix('c') {
            Some(name) => (true, name),
            None => (false, name),
        };
        let sample_type = SampleType::named(name).ok()?;
        let encoding = Encoding { is_complex: complex, ..Encoding::of(sample_type, false) };
        Some(Self { encoding, channels: 1, rate: None })
    }

    /// What is said where the ending alone says how samples are stored.
    pub(in crate::signal) fn guess() -> Note {
        Note::new("The file has no header: its ending says the type of its samples, and one channel without a rate is taken", [Remedy::Raw])
    }

    /// The signal in the content of a file.
    fn decode(self, content: &Content) -> Decoded {
        let n_channels = usize::from(self.channels.max(1));
        let frame = n_channels * self.encoding.bytes();
        let left = content.len() % frame;
        if content.len() < frame {
            return Err(Cause::malformed(format!("{} hold no sample of the type {self}", counted(content.len(), "byte"))));
        }
        let notes = (left > 0).then(|| {
            format!("The last {} of the file are less than one sample of the type {self}; they are left out.", counted(left, "byte")).into()
        });
        let recording = Recording {
            encoding: self.encoding,
            n_channels,
            frame,
            rate_hz: None,
            bits: self.encoding.sample_type.integer_bits().filter(|_| !self.encoding.is_complex),
            samples: 0..content.len(),
            notes: notes.into_iter().collect(),
        };
        let mut signal = recording.signal(content)?;
        signal.axis = self.rate.map(|rate| Axis::new("", rate));
        Ok(signal)
    }
}

impl FromStr for RawFormat {
    type Err = String;

    /// Reads `TYPE`, `TYPE,CHANNELS` or `TYPE,CHANNELS,RATE`, where the type may end in `le` or `be`, which may also stand at the end.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut items: Vec<&str> = text.split(',').map(str::trim).collect();
        let order_of = |word: &str| match word {
            "le" => Some(false),
            "be" => Some(true),
            _ => None,
        };
        let last = items.last().and_then(|word| order_of(word));
        items.truncate(items.len() - usize::from(last.is_some()));
        let word = items.first().map_or(String::new(), |word| word.to_ascii_lowercase());
        let own = word.len().checked_sub(2).filter(|at| word.is_char_boundary(*at)).and_then(|at| order_of(&word[at..]));
        let name = if own.is_some() { &word[..word.len() - 2] } else { &word };
        let types = || SampleType::VALUES.iter().map(|value| value.name).collect::<Vec<_>>().join(", ");
        let mut format = Self::named(name)
            .ok_or_else(|| format!("“{word}” is no type of samples: take {}, with c before it for complex ones", types()))?;
        format.encoding.is_big_endian = own.or(last).unwrap_or(false);
        if let Some(channels) = items.get(1) {
            let number = channels.parse().ok().filter(|n| *n > 0);
            format.channels = number.ok_or_else(|| format!("“{channels}” is no number of channels: take 1, 2, …"))?;
        }
        if let Some(rate) = items.get(2) {
            format.rate = Sampling::written(rate)?;
        }
        match items.len() {
            ..=3 => Ok(format),
            _ => Err(format!("“{text}” says more than the type, the number of channels and the rate, such as s16,2,44100")),
        }
    }
}

impl fmt::Display for RawFormat {
    /// As [`RawFormat::from_str`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Encoding { sample_type, is_big_endian, is_complex } = self.encoding;
        let order = if is_big_endian && sample_type.bytes() > 1 { "be" } else { "" };
        write!(f, "{}{}{order},{}", if is_complex { "c" } else { "" }, sample_type.name(), self.channels)?;
        self.rate.map_or(Ok(()), |rate| write!(f, ",{}", rate.to_string().replace(' ', "")))
    }
}

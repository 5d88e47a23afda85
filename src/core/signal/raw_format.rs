//! How samples without a header are stored, as a person says it.

use super::Sampling;
use super::encoding::{Encoding, SampleType};
use crate::choice::Named;
use std::fmt;
use std::str::FromStr;

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

impl Default for RawFormat {
    fn default() -> Self {
        Self { encoding: Encoding::default(), channels: 1, rate: None }
    }
}

impl RawFormat {
    /// One channel of the type of this name: "s16", "cf32".
    pub(super) fn named(name: &str) -> Option<Self> {
        let (complex, name) = match name.strip_prefix('c') {
            Some(name) => (true, name),
            None => (false, name),
        };
        let sample_type = SampleType::named(name).ok()?;
        let encoding = Encoding { is_complex: complex, ..Encoding::of(sample_type, false) };
        Some(Self { encoding, channels: 1, rate: None })
    }
}

impl FromStr for RawFormat {
    type Err = String;

    /// Reads `TYPE`, `TYPE,CHANNELS` or `TYPE,CHANNELS,RATE`, where the type may end in `le` or `be`, which may also be at the end.
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
